//! `dpctl`: devices, contexts, queues, events, timers, and USM memory, over the engine's device layer.

mod context;
mod device;
mod enums;
mod event;
pub mod memory;
mod queue;
mod timer;
mod utils;

pub use utils::FOLLOWING;

use crate::arrays::registry;
use crate::lang::arrays::error as array_error;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

pub use context::SyclContext;
pub use context::context_value;
pub use device::{SyclDevice, as_device, device_class, device_value, info_text};
pub use enums::EnumMember;
pub use event::{SyclEvent, event_value};
pub use queue::{SyclQueue, queue_argument, queue_class, queue_value};

/// The version of dpctl whose names and behaviour this module follows.
const VERSION: &str = "0.22.1";

/// Defines a class of this folder once per thread.
macro_rules! sycl_class {
    ($function:ident, $name:literal, $methods:expr) => {
        /// The class of these objects.
        pub fn $function() -> crate::lang::objects::ClassRef {
            thread_local! {
                static CLASS: crate::lang::objects::ClassRef = crate::lang::builtins::classes::define_class(
                    $name,
                    "dpctl",
                    &crate::lang::builtins::classes::builtin_class(crate::lang::builtins::classes::Builtin::Object),
                    crate::lang::objects::PayloadKind::Sealed,
                    $methods,
                );
            }
            CLASS.with(Clone::clone)
        }
    };
}
use sycl_class;

const FUNCTIONS: &[Method] = &[
    method(
        "get_devices",
        "(backend=all, device_type=all)",
        "Devices of a backend and a type, in the order of their filter strings.",
        get_devices,
    ),
    method(
        "get_num_devices",
        "(backend=all, device_type=all)",
        "How many devices `get_devices` lists.",
        get_num_devices,
    ),
    method("get_device_cached_queue", "(key)", "The one queue that default allocations on a device use.", cached_queue),
];

/// Builds `dpctl`.
pub fn build(vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = Ref::new(ModuleObject::new(Name::new("dpctl")));
    for function in FUNCTIONS {
        module.set(Name::new(function.name), Value::Native(function.build(None, Some(module.name))));
    }
    let classes = [
        ("SyclDevice", device_class()),
        ("SyclQueue", queue_class()),
        ("SyclContext", context::context_class()),
        ("SyclEvent", event::event_class()),
        ("SyclTimer", timer::timer_class()),
    ];
    for (name, class) in classes {
        module.set(Name::new(name), Value::Class(class));
    }
    for enumeration in enums::ALL {
        module.set(Name::new(enumeration.name), Value::Class(enums::enum_class(enumeration)));
    }
    array_error::bind("dpctl", |name, class| module.set(Name::new(name), class));
    module.set(Name::new("tensor"), Value::Module(super::tensor::module()));
    module.set(crate::lang::name::names::PATH, Value::list(vec![]));
    module.set(Name::new("__version__"), Value::str(VERSION));
    module.set(Name::new("memory"), Value::Module(memory::module()));
    module.set(Name::new("utils"), Value::Module(utils::module()));
    bind_compositions(vm, &module)?;
    Ok(module)
}

/// Binds what is written in the language over the rest, `dpctl.program` with it.
fn bind_compositions(vm: &mut Vm, module: &Ref<ModuleObject>) -> Fallible<()> {
    let program = Ref::new(ModuleObject::new(Name::new("dpctl.program")));
    module.set(Name::new("program"), Value::Module(program.clone()));
    module.set(Name::new("enum_types"), Value::Module(enum_types()));
    let extras = vm.import("_dpctl_extras")?;
    let made = vm.call_method(&extras, Name::new("bind"), &[Value::Module(module.clone())])?;
    let parts = vm.collect(&made)?;
    for (part, home) in parts.iter().zip([module, &program]) {
        let Value::Dict(functions) = part else { continue };
        for entry in functions.table.borrow().iter().map(|(_, entry)| entry) {
            home.set(Name::new(entry.key.as_str().unwrap_or("")), entry.value.clone());
        }
    }
    Ok(())
}

/// `dpctl.enum_types`
fn enum_types() -> Ref<ModuleObject> {
    let module = Ref::new(ModuleObject::new(Name::new("dpctl.enum_types")));
    for enumeration in enums::ALL {
        module.set(Name::new(enumeration.name), Value::Class(enums::enum_class(enumeration)));
    }
    module
}

/// Builds `dpctl.enum_types`.
pub fn build_enum_types(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(enum_types())
}

/// Builds `dpctl.memory`.
pub fn build_memory(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(memory::module())
}

/// Builds `dpctl.utils`.
pub fn build_utils(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(utils::module())
}

fn get_devices(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let filter = enums::DeviceFilter::from_args(vm, args, 0, 1)?;
    let devices = registry::devices().into_iter().filter(|device| filter.accepts(device)).map(device_value).collect();
    Ok(Value::list(devices))
}

fn get_num_devices(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let filter = enums::DeviceFilter::from_args(vm, args, 0, 1)?;
    Ok(Value::from(registry::devices().iter().filter(|device| filter.accepts(device)).count()))
}

fn cached_queue(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let device = device::device_argument(args.peek(vm, 0))?;
    registry::cached_queue(&device).map(queue_value).map_err(array_error::raised)
}
