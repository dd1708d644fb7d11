//! `dpctl.SyclTimer`: host and device time between two points, summed over its uses.

use std::cell::{Cell, RefCell};

use super::queue::{as_queue, queue_value};
use super::sycl_class;
use crate::arrays::attention;
use crate::arrays::backend::Work;
use crate::arrays::device::QueueHandle;
use crate::arrays::event::{Event, clock_ns};
use crate::lang::arrays::error::raised;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A timer.
#[derive(Debug)]
pub struct SyclTimer {
    host_timer: Value,
    time_scale: f64,
    queue: RefCell<Option<QueueHandle>>,
    started: Cell<f64>,
    spans: RefCell<Vec<Span>>,
}

/// One use: the events around it, and how long the host took.
#[derive(Debug)]
struct Span {
    start: Event,
    end: Option<Event>,
    host: f64,
}

impl NativeData for SyclTimer {
    fn class(&self) -> ClassRef {
        timer_class()
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.host_timer);
    }
}

sycl_class!(timer_class, "SyclTimer", METHODS);

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, host_timer=None, device_timer=None, time_scale=1)",
        "A timer; `time_scale` multiplies seconds.",
        new,
    ),
    method("__call__", "(self, queue=None)", "The timer for work on a queue opened with enable_profiling.", call),
    method("__enter__", "(self)", "Begins a span.", enter),
    method("__exit__", "(self, *args)", "Ends the span.", exit),
    getter("dt", "`(host_dt, device_dt)` summed over all spans; waits for their work.", dt),
    getter("time_scale", "What seconds are multiplied by.", |vm, args| Ok(Value::Float(this(vm, args)?.time_scale))),
    getter("queue", "The queue it was called with.", |vm, args| {
        Ok(this(vm, args)?.queue.borrow().clone().map_or(Value::None, queue_value))
    }),
];

fn as_timer(value: &Value) -> Option<&SyclTimer> {
    match value {
        Value::Object(object) => object.downcast::<SyclTimer>(),
        _ => None,
    }
}

fn this(vm: &Vm, args: Args) -> Fallible<&SyclTimer> {
    as_timer(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a dpctl.SyclTimer"))
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    if let Some(device_timer) = args.not_none(vm, 2) {
        let text = vm.str(&device_timer)?;
        if !matches!(&*text, "queue_barrier" | "order_manager") {
            return Err(raise::value_error(format!(
                "Supported values for device_timer keyword are 'queue_barrier', 'order_manager', got '{text}'"
            )));
        }
    }
    let time_scale = match args.optional(vm, 3) {
        Some(scale) => vm.float(&scale)?,
        None => 1.0,
    };
    Ok(Value::object(SyclTimer {
        host_timer: args.not_none(vm, 1).unwrap_or_default(),
        time_scale,
        queue: RefCell::default(),
        started: Cell::new(0.0),
        spans: RefCell::default(),
    }))
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let timer = args.get(vm, 0);
    if let Some(argument) = args.not_none(vm, 1) {
        let Some(queue) = as_queue(&argument) else {
            let class = vm.repr(&Value::Class(argument.class()))?;
            return Err(raise::type_error(format!("The passed queue must have type dpctl.SyclQueue, got {class}")));
        };
        if !queue.profiling() {
            return Err(raise::value_error("The given queue was not created with the enable_profiling property"));
        }
        this(vm, args)?.queue.replace(Some(queue.clone()));
    }
    Ok(timer)
}

fn host_now(vm: &mut Vm, timer: &Value) -> Fallible<f64> {
    let host_timer = as_timer(timer).map(|timer| timer.host_timer.clone()).unwrap_or_default();
    if host_timer.is_unset() {
        return Ok(clock_ns() as f64 * 1e-9);
    }
    let now = vm.call(&host_timer, &[])?;
    vm.float(&now)
}

fn marker(queue: &QueueHandle) -> Fallible<Event> {
    queue.submit_work("timer", &[], &[], Work::Marker).map_err(raised)
}

fn enter(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let timer = args.get(vm, 0);
    let Some(queue) = this(vm, args)?.queue.borrow().clone() else {
        return Err(raise::type_error("call the timer with a queue first: `with timer(queue):`"));
    };
    let start = marker(&queue)?;
    let now = host_now(vm, &timer)?;
    let this = this(vm, args)?;
    this.spans.borrow_mut().push(Span { start, end: None, host: 0.0 });
    this.started.set(now);
    Ok(timer)
}

fn exit(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let timer = args.get(vm, 0);
    let now = host_now(vm, &timer)?;
    let this = this(vm, args)?;
    let Some(queue) = this.queue.borrow().clone() else { return Ok(Value::None) };
    let end = marker(&queue)?;
    if let Some(span) = this.spans.borrow_mut().last_mut() {
        span.host = now - this.started.get();
        span.end = Some(end);
    }
    Ok(Value::None)
}

fn dt(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let timer = this(vm, args)?;
    let attention = attention::handle();
    let (mut host, mut device_ns) = (0.0, 0.0);
    for span in timer.spans.borrow().iter() {
        let Some(end) = &span.end else { continue };
        span.start.wait_interruptible(&attention).map_err(raised)?;
        end.wait_interruptible(&attention).map_err(raised)?;
        host += span.host;
        device_ns += end.times().start_ns.saturating_sub(span.start.times().end_ns) as f64;
    }
    // As in dpctl, the device's seconds come from nanoseconds, both scaled alike.
    Ok(Value::object(Elapsed { host: host * timer.time_scale, device: device_ns * 1e-9 * timer.time_scale }))
}

/// What `dt` gives: prints as a pair with names, unpacks to two floats.
#[derive(Debug)]
struct Elapsed {
    host: f64,
    device: f64,
}

impl NativeData for Elapsed {
    fn class(&self) -> ClassRef {
        elapsed_class()
    }
}

fn elapsed_class() -> ClassRef {
    thread_local! {
        static CLASS: ClassRef = define_class(
            "HostDeviceDuration",
            "dpctl._sycl_timer",
            &builtin_class(Builtin::Object),
            PayloadKind::Sealed,
            ELAPSED_METHODS,
        );
    }
    CLASS.with(Clone::clone)
}

const ELAPSED_METHODS: &[Method] = &[
    getter("host_dt", "Seconds on the host.", |vm, args| Ok(Value::Float(elapsed(vm, args)?.host))),
    getter("device_dt", "Seconds on the device.", |vm, args| Ok(Value::Float(elapsed(vm, args)?.device))),
    method("__repr__", "(self)", "As `(host_dt=0.0019, device_dt=0.0016)`.", |vm, args| {
        let (host, device) = pair(vm, args)?;
        let (host, device) = (vm.repr(&host)?, vm.repr(&device)?);
        Ok(Value::str(format!("(host_dt={host}, device_dt={device})")))
    }),
    method("__iter__", "(self)", "The two numbers.", |vm, args| {
        let (host, device) = pair(vm, args)?;
        vm.iter(&Value::tuple(vec![host, device]))
    }),
    method("__getitem__", "(self, index, /)", "The host's or the device's seconds.", |vm, args| {
        let (host, device) = pair(vm, args)?;
        let index = args.get(vm, 1);
        vm.get_item(&Value::tuple(vec![host, device]), &index)
    }),
    method("__len__", "(self)", "Two.", |_, _| Ok(Value::Int(2))),
];

fn elapsed(vm: &Vm, args: Args) -> Fallible<&Elapsed> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Elapsed>(),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected what SyclTimer.dt gives"))
}

fn pair(vm: &Vm, args: Args) -> Fallible<(Value, Value)> {
    let elapsed = elapsed(vm, args)?;
    Ok((Value::Float(elapsed.host), Value::Float(elapsed.device)))
}
