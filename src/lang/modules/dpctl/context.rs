//! `dpctl.SyclContext`.

use super::device::{as_device, device_value};
use super::queue::as_queue;
use super::sycl_class;
use crate::arrays::device::ContextHandle;
use crate::arrays::registry;
use crate::lang::arrays::error::raised;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A context as a program sees it.
#[derive(Debug)]
pub struct SyclContext(pub ContextHandle);

impl NativeData for SyclContext {
    fn class(&self) -> ClassRef {
        context_class()
    }
}

sycl_class!(context_class, "SyclContext", METHODS);

/// A context as a value.
pub fn context_value(context: ContextHandle) -> Value {
    Value::object(SyclContext(context))
}

/// The context of a `SyclContext`.
pub fn as_context(value: &Value) -> Option<&ContextHandle> {
    match value {
        Value::Object(object) => object.downcast::<SyclContext>().map(|context| &context.0),
        _ => None,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&ContextHandle> {
    as_context(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a dpctl.SyclContext"))
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, arg=None, /)", "The default context of a device, or the context of a queue.", new),
    method("__repr__", "(self)", "As dpctl prints it.", |vm, args| {
        let address = match args.peek(vm, 0) {
            Value::Object(object) => Ref::address(object),
            _ => 0,
        };
        Ok(Value::str(format!("<dpctl.SyclContext at {address:#x}>")))
    }),
    method("__eq__", "(self, other, /)", "Whether both are the same context.", |vm, args| {
        let this = this(vm, args)?;
        Ok(Value::Bool(as_context(args.peek(vm, 1)).is_some_and(|other| this == other)))
    }),
    method("__hash__", "(self)", "A hash that handles to the same context share.", |vm, args| {
        let name = this(vm, args)?.device().filter_string();
        Ok(Value::Int(
            name.bytes().fold(11, |hash: i64, byte| hash.wrapping_mul(31).wrapping_add(i64::from(byte))) >> 1,
        ))
    }),
    getter("device_count", "How many devices it has: one.", |vm, args| this(vm, args).map(|_| Value::Int(1))),
    method("get_devices", "(self)", "Its devices.", |vm, args| {
        Ok(Value::list(vec![device_value(this(vm, args)?.device().clone())]))
    }),
];

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(argument) = args.not_none(vm, 1) else {
        let device = registry::default_device();
        return Ok(context_value(registry::default_context(&device)));
    };
    if let Some(context) = as_context(&argument) {
        return Ok(context_value(context.clone()));
    }
    if let Some(queue) = as_queue(&argument) {
        return Ok(context_value(queue.context().clone()));
    }
    if let Some(device) = as_device(&argument) {
        return Ok(context_value(registry::default_context(device)));
    }
    if let Value::Str(filter) = &argument {
        let device = registry::select(filter.as_str()).map_err(raised)?;
        return Ok(context_value(registry::default_context(&device)));
    }
    Err(raise::type_error(
        "SyclContext constructor takes no arguments, a filter string, a SyclDevice, or a SyclQueue".to_owned(),
    ))
}
