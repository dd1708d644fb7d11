//! `dpctl.SyclQueue`, and everything a program may pass where a queue is meant.

use super::context::{as_context, context_value};
use super::device::{as_device, device_argument, device_value, info_text};
use super::{enums, event, memory, sycl_class};
use crate::arrays::backend::{QueueProperties, Work};
use crate::arrays::device::QueueHandle;
use crate::arrays::registry;
use crate::lang::arrays::error::raised;
use crate::lang::host::Stream;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A queue as a program sees it.
#[derive(Debug)]
pub struct SyclQueue(pub QueueHandle);

impl NativeData for SyclQueue {
    fn class(&self) -> ClassRef {
        queue_class()
    }
}

sycl_class!(queue_class, "SyclQueue", METHODS);

/// A queue as a value.
pub fn queue_value(queue: QueueHandle) -> Value {
    Value::object(SyclQueue(queue))
}

/// The queue of a `SyclQueue`.
pub fn as_queue(value: &Value) -> Option<&QueueHandle> {
    match value {
        Value::Object(object) => object.downcast::<SyclQueue>().map(|queue| &queue.0),
        _ => None,
    }
}

/// The queue that `sycl_queue=` names; nothing for `None`.
pub fn queue_argument(value: &Value) -> Fallible<Option<QueueHandle>> {
    match value {
        Value::Unset | Value::None => Ok(None),
        other => as_queue(other).cloned().map(Some).ok_or_else(|| {
            let class = other.class();
            let (module, name) = (class.module.get().text(), class.name.get().text());
            let full = if module == "builtins" { name.to_owned() } else { format!("{module}.{name}") };
            raise::type_error(format!("Expected dpctl.SyclQueue, got <class '{full}'>"))
        }),
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<QueueHandle> {
    as_queue(args.peek(vm, 0)).cloned().ok_or_else(|| raise::type_error("expected a dpctl.SyclQueue"))
}

/// Programs of the user's own are not taken.
fn refuse(_vm: &mut Vm, _args: Args) -> Fallible<Value> {
    Err(raise::not_implemented_error(
        "SyclQueue.submit needs a program built by SYCL, which this kernel does not take: write the computation as an array \
         expression, which becomes one device program by itself",
    ))
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, *args, property=None)",
        "A new queue: of the default device, of a device or filter string, or of a context and a device.",
        new,
    ),
    method("__repr__", "(self)", "As dpctl prints it.", repr),
    method("__eq__", "(self, other, /)", "Whether both are the same queue.", |vm, args| {
        let queue = this(vm, args)?;
        Ok(Value::Bool(as_queue(args.peek(vm, 1)).is_some_and(|other| queue == *other)))
    }),
    method("__hash__", "(self)", "A hash that handles to the same queue share.", |vm, args| {
        Ok(Value::int(this(vm, args)?.id()))
    }),
    getter("sycl_device", "The device it feeds.", |vm, args| Ok(device_value(this(vm, args)?.device().clone()))),
    getter("sycl_context", "The context it lives in.", |vm, args| Ok(context_value(this(vm, args)?.context().clone()))),
    method("get_sycl_device", "(self)", "The device it feeds.", |vm, args| {
        Ok(device_value(this(vm, args)?.device().clone()))
    }),
    method("get_sycl_context", "(self)", "The context it lives in.", |vm, args| {
        Ok(context_value(this(vm, args)?.context().clone()))
    }),
    getter("backend", "The backend of its device.", |vm, args| {
        Ok(enums::backend_member(this(vm, args)?.device().backend()))
    }),
    getter("name", "The name of its device.", |vm, args| Ok(Value::str(&*this(vm, args)?.device().info().name))),
    getter("driver_version", "The driver of its device.", |vm, args| {
        Ok(Value::str(&*this(vm, args)?.device().info().driver))
    }),
    getter("is_in_order", "Whether in-order execution was asked for.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.in_order()))
    }),
    getter("has_enable_profiling", "Whether its events carry times.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.profiling()))
    }),
    method("wait", "(self)", "Waits until everything submitted has ended.", |vm, args| {
        this(vm, args)?.finish().map_err(raised)?;
        Ok(Value::None)
    }),
    method(
        "submit_barrier",
        "(self, dependent_events=[])",
        "An event that completes when everything submitted before has.",
        submit_barrier,
    ),
    method("memcpy", "(self, dest, src, count)", "Copies bytes between USM blocks or buffers, and waits.", memcpy),
    method(
        "memcpy_async",
        "(self, dest, src, count, dEvents=[])",
        "Copies bytes between USM blocks or buffers; the event completes with the copy.",
        |vm, args| {
            memcpy(vm, args)?;
            Ok(event::event_value(crate::arrays::event::Event::completed(), this(vm, args)?.device().clone()))
        },
    ),
    method("submit", "(self, *args, **kwargs)", "Refused: device programs are made from array expressions.", refuse),
    method(
        "submit_async",
        "(self, *args, **kwargs)",
        "Refused: device programs are made from array expressions.",
        refuse,
    ),
    method("prefetch", "(self, mem, count=0)", "A hint; has no effect here.", |vm, args| {
        this(vm, args)?;
        Ok(Value::None)
    }),
    method("mem_advise", "(self, mem, count, advice)", "A hint; has no effect here.", |vm, args| {
        this(vm, args)?;
        Ok(Value::None)
    }),
    method("print_device_info", "(self)", "Prints facts of its device.", |vm, args| {
        let text = info_text(this(vm, args)?.device());
        vm.host.write(Stream::Stdout, &text);
        Ok(Value::None)
    }),
];

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let queue = this(vm, args)?;
    let mut properties = Vec::new();
    if queue.in_order() {
        properties.push("'in_order'");
    }
    if queue.profiling() {
        properties.push("'enable_profiling'");
    }
    let suffix = if properties.is_empty() { String::new() } else { format!(", property=[{}]", properties.join(", ")) };
    // The queue's own number, so that two handles to one queue print alike.
    Ok(Value::str(format!("<dpctl.SyclQueue at {:#x}{suffix}>", 0x1000 + queue.id() * 0x40)))
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Tuple(positional) = args.get(vm, 1) else {
        return Err(raise::system_error("variadic arguments arrive as a tuple"));
    };
    let (positional, trailing) = split_properties(positional.items());
    let properties = properties(vm, &args.get(vm, 2), trailing)?;
    let context = match positional {
        [] => registry::default_context(&registry::default_device()),
        [Value::Str(filter)] => {
            registry::default_context(&registry::select_for_queue(filter.as_str()).map_err(raised)?)
        }
        [one] => match (as_device(one), as_queue(one), as_context(one)) {
            (Some(device), _, _) => registry::default_context(device),
            (_, Some(queue), _) => queue.context().clone(),
            (_, _, Some(context)) => context.clone(),
            _ => {
                let shown = vm.repr(one)?;
                return Err(raise::type_error(format!(
                    "Positional argument {shown} is not a filter string or a SyclDevice"
                )));
            }
        },
        [context, device] => {
            let Some(context) = as_context(context) else {
                return Err(raise::type_error("the first of two positional arguments must be a SyclContext"));
            };
            let device = device_argument(device)?;
            if *context.device() != device {
                return Err(raise::value_error(format!(
                    "{} is not a device of the given SyclContext",
                    device.filter_string()
                )));
            }
            context.clone()
        }
        _ => {
            return Err(raise::type_error(
                "SyclQueue constructor takes 0, 1, or 2 positional arguments, or one and a capsule",
            ));
        }
    };
    QueueHandle::open(&context, properties).map(queue_value).map_err(raised)
}

/// dpctl takes the properties as a last positional argument too.
fn split_properties(positional: &[Value]) -> (&[Value], Option<&Value>) {
    match positional {
        [rest @ .., last @ (Value::List(_) | Value::Tuple(_))] => (rest, Some(last)),
        all => (all, None),
    }
}

fn properties(vm: &mut Vm, keyword: &Value, trailing: Option<&Value>) -> Fallible<QueueProperties> {
    let given = match (keyword, trailing) {
        (Value::Unset | Value::None, None) => return Ok(QueueProperties::default()),
        (Value::Unset | Value::None, Some(trailing)) => trailing.clone(),
        (given, _) => given.clone(),
    };
    let words = if matches!(given, Value::Str(_)) { vec![given] } else { vm.collect(&given)? };
    let mut properties = QueueProperties::default();
    for word in words {
        match word.as_str() {
            Some("in_order") => properties.in_order = true,
            Some("enable_profiling") => properties.profiling = true,
            Some("default") => {}
            _ => {
                let shown = vm.repr(&word)?;
                return Err(raise::value_error(format!(
                    "queue property {shown} is not understood, expecting 'in_order', 'enable_profiling', or 'default'"
                )));
            }
        }
    }
    Ok(properties)
}

fn submit_barrier(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let queue = this(vm, args)?;
    if let Some(events) = args.not_none(vm, 1) {
        for dependency in vm.collect(&events)? {
            event::wait_value(&dependency)?;
        }
    }
    let event = queue.submit_work("barrier", &[], &[], Work::Marker).map_err(raised)?;
    Ok(event::event_value(event, queue.device().clone()))
}

fn memcpy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    this(vm, args)?.finish().map_err(raised)?;
    let count = usize::try_from(vm.index(&args.get(vm, 3))?)
        .map_err(|_| raise::overflow_error("can't convert negative value to size_t"))?;
    memory::copy_between(vm, &args.get(vm, 1), &args.get(vm, 2), count)?;
    Ok(Value::None)
}
