//! `dpctl.utils`: coercion of USM kinds and queues, and what a device tells about itself.

use super::device::device_argument;
use super::queue::{as_queue, queue_value};
use crate::arrays::backend::UsmKind;
use crate::arrays::readings::Amount;
use crate::lang::arrays::error::{ArrayException, array_exception};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{DictObject, ModuleObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// What `dpnp.tensor` offers too: where the result of operands goes.
pub const FOLLOWING: &[Method] = &[
    method(
        "get_coerced_usm_type",
        "(usm_types, /)",
        "The kind that results of operands of these kinds have; None when there is none.",
        get_coerced_usm_type,
    ),
    method(
        "get_execution_queue",
        "(qs, /)",
        "The one queue of these equal queues; None when they differ or there are none.",
        get_execution_queue,
    ),
];

const FUNCTIONS: &[Method] = &[method(
    "intel_device_info",
    "(dev, /)",
    "What the device tells; a key is absent when it does not.",
    intel_device_info,
)];

thread_local! {
    static MODULE: Ref<ModuleObject> = build();
}

/// `dpctl.utils`.
pub fn module() -> Ref<ModuleObject> {
    MODULE.with(Clone::clone)
}

fn build() -> Ref<ModuleObject> {
    let module = Ref::new(ModuleObject::new(Name::new("dpctl.utils")));
    for function in FOLLOWING.iter().chain(FUNCTIONS) {
        module.set(Name::new(function.name), Value::Native(function.build(None, Some(module.name))));
    }
    let placement = Value::Class(array_exception(ArrayException::ExecutionPlacement));
    module.set(Name::new("ExecutionPlacementError"), placement);
    module
}

fn get_coerced_usm_type(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let kinds = vm.collect(&args.get(vm, 0))?;
    let mut coerced: Option<UsmKind> = None;
    for kind in &kinds {
        let Some(kind) = kind.as_str().and_then(|text| UsmKind::parse(text).ok()) else { return Ok(Value::None) };
        coerced = Some(coerced.map_or(kind, |so_far| so_far.coerce(kind)));
    }
    Ok(coerced.map_or(Value::None, |kind| Value::str(kind.name())))
}

fn get_execution_queue(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let queues = vm.collect(&args.get(vm, 0))?;
    let mut common = None;
    for value in &queues {
        let Some(queue) = as_queue(value) else {
            return Err(raise::type_error(format!("expected dpctl.SyclQueue, got {}", value.type_name())));
        };
        if common.get_or_insert_with(|| queue.clone()) != queue {
            return Ok(Value::None);
        }
    }
    Ok(common.map_or(Value::None, queue_value))
}

fn intel_device_info(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let device = device_argument(args.peek(vm, 0))?;
    let info = Ref::new(DictObject::default());
    if let Amount::Known { bytes, .. } = device.device().memory().free {
        vm.dict_set(&info, Value::str("free_memory"), Value::int(bytes))?;
    }
    Ok(Value::Dict(info))
}
