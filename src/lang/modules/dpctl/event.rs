//! `dpctl.SyclEvent`.

use super::{enums, sycl_class};
use crate::arrays::device::DeviceHandle;
use crate::arrays::event::{Event, EventStatus};
use crate::arrays::{attention, registry};
use crate::lang::arrays::error::raised;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// An event as a program sees it.
#[derive(Debug)]
pub struct SyclEvent {
    event: Event,
    device: DeviceHandle,
}

impl NativeData for SyclEvent {
    fn class(&self) -> ClassRef {
        event_class()
    }
}

sycl_class!(event_class, "SyclEvent", METHODS);

/// An event of a device's queue as a value.
pub fn event_value(event: Event, device: DeviceHandle) -> Value {
    Value::object(SyclEvent { event, device })
}

fn as_event(value: &Value) -> Option<&SyclEvent> {
    match value {
        Value::Object(object) => object.downcast::<SyclEvent>(),
        _ => None,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&SyclEvent> {
    as_event(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a dpctl.SyclEvent"))
}

/// Waits for an event; a `TypeError` for anything else.
pub fn wait_value(value: &Value) -> Fallible<()> {
    let event = as_event(value)
        .ok_or_else(|| raise::type_error(format!("The argument is not a SyclEvent, got {}", value.type_name())))?;
    event.event.wait_interruptible(&attention::handle()).map_err(raised)
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, arg=None, /)", "A completed event.", |_, _| {
        Ok(event_value(Event::completed(), registry::default_device()))
    }),
    method("wait", "(self)", "Waits until the work has ended.", |vm, args| {
        wait_value(&args.get(vm, 0))?;
        Ok(Value::None)
    }),
    static_method("wait_for", "(event, /)", "Waits for an event or for every event of a sequence.", |vm, args| {
        let argument = args.get(vm, 0);
        if as_event(&argument).is_some() {
            wait_value(&argument)?;
            return Ok(Value::None);
        }
        if !matches!(argument, Value::List(_) | Value::Tuple(_)) {
            return Err(raise::type_error(format!(
                "The argument is not a SyclEvent or a sequence of them, got {}",
                argument.type_name()
            )));
        }
        for event in vm.collect(&argument)? {
            wait_value(&event)?;
        }
        Ok(Value::None)
    }),
    method("get_wait_list", "(self)", "Events it still waits for: none that a program can hold.", |vm, args| {
        this(vm, args).map(|_| Value::list(vec![]))
    }),
    getter("execution_status", "Whether the work is submitted, running or complete.", |vm, args| {
        Ok(enums::status_member(this(vm, args)?.event.status()))
    }),
    getter("backend", "The backend of its device.", |vm, args| {
        Ok(enums::backend_member(this(vm, args)?.device.backend()))
    }),
    getter("profiling_info_submit", "When it was submitted, in nanoseconds; 0 without profiling.", |vm, args| {
        time(this(vm, args)?, |times| times.submit_ns)
    }),
    getter("profiling_info_start", "When the work began, in nanoseconds; 0 without profiling.", |vm, args| {
        time(this(vm, args)?, |times| times.start_ns)
    }),
    getter("profiling_info_end", "When the work ended, in nanoseconds; 0 without profiling.", |vm, args| {
        time(this(vm, args)?, |times| times.end_ns)
    }),
];

fn time(event: &SyclEvent, pick: fn(&crate::arrays::event::ProfilingTimes) -> u64) -> Fallible<Value> {
    if event.event.status() != EventStatus::Complete {
        event.event.wait_interruptible(&attention::handle()).map_err(raised)?;
    }
    Ok(Value::int(pick(&event.event.times())))
}
