//! `x.device`: the device an array lives on, and everything a program may pass as `device=`.

use crate::arrays::device::QueueHandle;
use crate::arrays::registry;
use crate::lang::arrays::convert::class_path;
use crate::lang::arrays::error::raised;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::host::Stream;
use crate::lang::modules::dpctl;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// What `x.device` answers: a device through the queue the array is bound to.
#[derive(Debug)]
pub struct DeviceObject(pub QueueHandle);

impl NativeData for DeviceObject {
    fn class(&self) -> ClassRef {
        device_object_class()
    }
}

/// The class of `x.device`.
pub fn device_object_class() -> ClassRef {
    thread_local! {
        static CLASS: ClassRef = define_class(
            "Device",
            "dpctl.tensor._device",
            &builtin_class(Builtin::Object),
            PayloadKind::Sealed,
            METHODS,
        );
    }
    CLASS.with(Clone::clone)
}

/// `x.device` for an array bound to a queue.
pub fn device_object(queue: QueueHandle) -> Value {
    Value::object(DeviceObject(queue))
}

fn as_device_object(value: &Value) -> Option<&QueueHandle> {
    match value {
        Value::Object(object) => object.downcast::<DeviceObject>().map(|device| &device.0),
        _ => None,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<QueueHandle> {
    as_device_object(args.peek(vm, 0)).cloned().ok_or_else(|| raise::type_error("expected a Device"))
}

const METHODS: &[Method] = &[
    static_method(
        "create_device",
        "(device, /)",
        "The Device that a filter string, device or queue means.",
        |vm, args| queue_of_device(&args.get(vm, 0)).map(device_object),
    ),
    method("__repr__", "(self)", "As `Device(native:cpu:0)`.", |vm, args| {
        Ok(Value::str(format!("Device({})", this(vm, args)?.device().filter_string())))
    }),
    method("__eq__", "(self, other, /)", "Whether both mean the same queue.", |vm, args| {
        let queue = this(vm, args)?;
        let other = args.peek(vm, 1);
        let same = as_device_object(other).is_some_and(|other| *other == queue)
            || dpctl::queue_argument(other).is_ok_and(|other| other.is_some_and(|other| other == queue));
        Ok(Value::Bool(same))
    }),
    method("__hash__", "(self)", "The hash of its queue.", |vm, args| Ok(Value::int(this(vm, args)?.id()))),
    getter("sycl_queue", "The queue.", |vm, args| Ok(dpctl::queue_value(this(vm, args)?))),
    getter("sycl_device", "The device.", |vm, args| Ok(dpctl::device_value(this(vm, args)?.device().clone()))),
    getter("sycl_context", "The context.", |vm, args| Ok(dpctl::context_value(this(vm, args)?.context().clone()))),
    method("print_device_info", "(self)", "Prints facts of the device.", |vm, args| {
        let text = dpctl::info_text(this(vm, args)?.device());
        vm.host.write(Stream::Stdout, &text);
        Ok(Value::None)
    }),
    method("wait", "(self)", "Waits until everything submitted to the queue has ended.", |vm, args| {
        this(vm, args)?.finish().map_err(raised)?;
        Ok(Value::None)
    }),
];

/// The queue that `device=` names: a filter string, `SyclDevice`, `SyclQueue` or `Device`.
pub fn queue_of_device(value: &Value) -> Fallible<QueueHandle> {
    if let Some(queue) = as_device_object(value) {
        return Ok(queue.clone());
    }
    if let Some(device) = dpctl::as_device(value) {
        if device.parent().is_some() {
            return Err(raise::value_error(format!(
                "Using non-root device {} to specify offloading target is ambiguous. Please use dpctl.SyclQueue targeting \
                 this device",
                device.ledger_name()
            )));
        }
        return registry::cached_queue(device).map_err(raised);
    }
    match value {
        Value::Str(filter) => {
            let device = registry::select(filter.as_str()).map_err(raised)?;
            registry::cached_queue(&device).map_err(raised)
        }
        other => match dpctl::queue_argument(other) {
            Ok(Some(queue)) => Ok(queue),
            _ => Err(raise::type_error(format!(
                "device keyword can not be {}: expected a filter string, dpctl.SyclDevice, dpctl.SyclQueue, or the device of \
                 an array",
                class_path(other)
            ))),
        },
    }
}
