//! `__traceback__`: lines and text of where an exception passed. It holds frames only under `%errors keep-frames`;
//! otherwise `tb_frame` says how to have them.

use std::cell::RefCell;

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::native::{Args, Method, getter};
use crate::lang::objects::{ClassRef, ExceptionObject, NativeData, TracebackEntry};
use crate::lang::raise::{Fallible, runtime_error, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// The rest of a traceback, from one entry on.
#[derive(Debug)]
struct TracebackObject {
    entries: Vec<TracebackEntry>,
    /// The frames of the last entries, where they were kept; the first entries' frames still ran.
    frames: RefCell<Vec<Value>>,
}

impl NativeData for TracebackObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Traceback)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        self.frames.borrow().iter().for_each(|frame| visit(Edge::Other("frame"), frame));
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.append(&mut self.frames.borrow_mut());
    }
}

/// Attaches the attributes; once per thread.
pub fn install() {
    const METHODS: &[Method] = &[
        getter("tb_lineno", "The line.", |vm, args| {
            let entry = first(vm, args)?;
            Ok(Value::from(entry.code.source.line(entry.span.start)))
        }),
        getter("tb_next", "The next entry, towards where it was raised.", |vm, args| {
            let rest = entries(vm, args)?.split_off(1);
            if rest.is_empty() {
                return Ok(Value::None);
            }
            let mut frames = frames(vm, args);
            if frames.len() > rest.len() {
                frames.remove(0);
            }
            Ok(Value::object(TracebackObject { entries: rest, frames: RefCell::new(frames) }))
        }),
        getter("tb_frame", "What the locals held, under `%errors keep-frames`.", |vm, args| {
            let (entries, frames) = (entries(vm, args)?, frames(vm, args));
            if let Some(frame) = frames.first()
                && frames.len() == entries.len()
            {
                return Ok(frame.clone());
            }
            Err(runtime_error(
                "errors keep text and lines, not frames, so that they hold no memory; `%errors keep-frames` keeps them",
            ))
        }),
        getter("tb_lasti", "The instruction.", |vm, args| {
            let entry = first(vm, args)?;
            Ok(Value::Int(i64::from(entry.span.start)))
        }),
    ];
    attach(&builtin_class(Builtin::Traceback), METHODS);
}

/// The entries of the traceback that is the first argument, outermost first.
pub fn entries(vm: &Vm, args: Args) -> Fallible<Vec<TracebackEntry>> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<TracebackObject>().map(|own| own.entries.clone()),
        _ => None,
    }
    .filter(|entries| !entries.is_empty())
    .ok_or_else(|| type_error("expected a traceback"))
}

fn frames(vm: &Vm, args: Args) -> Vec<Value> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<TracebackObject>().map(|own| own.frames.borrow().clone()),
        _ => None,
    }
    .unwrap_or_default()
}

fn first(vm: &Vm, args: Args) -> Fallible<TracebackEntry> {
    Ok(entries(vm, args)?.swap_remove(0))
}

/// `__traceback__`, `None` for an exception that was not raised.
pub fn of_exception(exception: &ExceptionObject) -> Value {
    let entries = Vec::from(exception.traceback.borrow().clone());
    if entries.is_empty() {
        return Value::None;
    }
    let frames = Vec::from(exception.frames.borrow().clone());
    Value::object(TracebackObject { entries, frames: RefCell::new(frames) })
}
