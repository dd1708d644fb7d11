//! `_traceback`: the texts behind `traceback`, whose face is written in the language itself (`py/traceback.py`).

use super::support::new_module;
use crate::display::to_plain;
use crate::lang::builtins::traceback_object;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, method};
use crate::lang::objects::{ExceptionObject, ModuleObject};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::traceback;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_traceback`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_traceback",
        "The texts behind traceback.",
        &[
            method("text", "(exception)", "What is printed for an exception and all that leads to it.", |vm, args| {
                let exception = exception(vm, args)?;
                let markup = traceback::render(vm, &exception);
                Ok(Value::str(to_plain(&markup, usize::MAX)))
            }),
            method("last_line", "(exception)", "Class and message, as the last line has them.", |vm, args| {
                let exception = exception(vm, args)?;
                let (class, message) = traceback::summary(vm, &exception);
                Ok(Value::str(if message.is_empty() { class } else { format!("{class}: {message}") }))
            }),
            method(
                "entries",
                "(tb)",
                "Name of the text, line, name of the code and the line's text, outermost first.",
                {
                    |vm, args| {
                        let entries = traceback_object::entries(vm, args)?;
                        let rows = entries.iter().map(|entry| {
                            let source = &entry.code.source;
                            let line = source.line(entry.span.start);
                            Value::tuple([
                                Value::str(&*source.name),
                                Value::from(line),
                                Value::str(entry.code.name.text()),
                                Value::str(source.line_text(line).trim()),
                            ])
                        });
                        Ok(Value::tuple(rows.collect::<Vec<_>>()))
                    }
                },
            ),
        ],
    ))
}

fn exception(vm: &Vm, args: Args) -> Fallible<Ref<ExceptionObject>> {
    match args.peek(vm, 0) {
        Value::Exception(exception) => Ok(exception.clone()),
        other => Err(type_error(format!("Exception expected for value, {} found", other.type_name()))),
    }
}
