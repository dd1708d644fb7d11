//! `__traceback__`: lines and text of where an exception passed. It holds no frames; `tb_frame` says how to have them.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::native::{Args, Method, getter};
use crate::lang::objects::{ClassRef, ExceptionObject, NativeData, TracebackEntry};
use crate::lang::raise::{Fallible, runtime_error, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The rest of a traceback, from one entry on.
#[derive(Debug)]
struct TracebackObject {
    entries: Vec<TracebackEntry>,
}

impl NativeData for TracebackObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Traceback)
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
            Ok(if rest.is_empty() { Value::None } else { Value::object(TracebackObject { entries: rest }) })
        }),
        getter("tb_frame", "Not kept.", |_, _| {
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

fn first(vm: &Vm, args: Args) -> Fallible<TracebackEntry> {
    Ok(entries(vm, args)?.swap_remove(0))
}

/// `__traceback__`, `None` for an exception that was not raised.
pub fn of_exception(exception: &ExceptionObject) -> Value {
    let entries = exception.traceback.borrow().clone();
    if entries.is_empty() { Value::None } else { Value::object(TracebackObject { entries }) }
}
