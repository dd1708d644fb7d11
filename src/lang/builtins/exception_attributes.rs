//! Attributes that every exception has: arguments, cause, context, traceback.

use super::classes::Builtin;
use super::traceback_object;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::objects::ExceptionObject;
use crate::lang::raise::{Fallible, Raised, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The attribute, nothing when it is none of these.
pub fn get(exception: &ExceptionObject, name: Name) -> Option<Value> {
    Some(match name {
        names::ARGS => Value::tuple(exception.args.borrow().clone()),
        names::CAUSE => exception.cause.borrow().clone(),
        names::CONTEXT => exception.context.borrow().clone(),
        names::SUPPRESS_CONTEXT => Value::Bool(exception.suppress_context.get()),
        names::TRACEBACK => traceback_object::of_exception(exception),
        _ => return None,
    })
}

/// Sets or deletes an attribute of an exception.
pub fn set(vm: &mut Vm, exception: &Ref<ExceptionObject>, name: Name, value: Option<Value>) -> Fallible<()> {
    match (name, value) {
        (names::ARGS, Some(value)) => {
            let args = vm.collect(&value)?;
            drop(exception.args.replace(args));
        }
        (names::CAUSE, Some(value @ (Value::None | Value::Exception(_)))) => {
            drop(exception.cause.replace(value));
            exception.suppress_context.set(true);
        }
        (names::CONTEXT, Some(value @ (Value::None | Value::Exception(_)))) => drop(exception.context.replace(value)),
        (names::CAUSE | names::CONTEXT, _) => {
            let what = if name == names::CAUSE { "cause" } else { "context" };
            return Err(type_error(format!("exception {what} must be None or derive from BaseException")));
        }
        (names::SUPPRESS_CONTEXT, Some(value)) => {
            let truth = vm.truth(&value)?;
            exception.suppress_context.set(truth);
        }
        (names::TRACEBACK, Some(value)) => {
            if value.is_none() {
                exception.traceback.borrow_mut().clear();
                let frames = exception.frames.take();
                drop(frames);
            }
        }
        (_, Some(value)) => exception.set_attribute(name, value),
        (_, None) => match exception.attributes.borrow_mut().shift_remove(&name) {
            Some(_) => {}
            None => return Err(Raised::builtin(Builtin::AttributeError, name.text())),
        },
    }
    Ok(())
}
