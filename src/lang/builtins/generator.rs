//! Methods and attributes of generators.

use super::classes::{Builtin, attach, builtin_class};
use super::code_object;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{GeneratorObject, GeneratorState};
use crate::lang::raise::{Fallible, Raised, stop_iteration, type_error};
use crate::lang::value::Value;
use crate::lang::vm::{Resume, Step, Vm};

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Generator), METHODS);
}

const METHODS: &[Method] = &[
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| Ok(args.get(vm, 0))),
    method("__next__", "(self, /)", "Implement next(self).", |vm, args| {
        let generator = this(vm, args)?;
        step(vm, &generator, Resume::Send(Value::None))
    })
    .apart_from_arrays(),
    method("send", "(self, arg, /)", "Resumes the generator with a value for its yield.", |vm, args| {
        let (generator, value) = (this(vm, args)?, args.take(vm, 1));
        step(vm, &generator, Resume::Send(value))
    })
    .apart_from_arrays(),
    method("throw", "(self, typ, val=None, tb=None, /)", "Raises an exception in the generator.", |vm, args| {
        let (generator, class) = (this(vm, args)?, args.get(vm, 1));
        let value = args.not_none(vm, 2);
        let exception = match (class, value) {
            (exception @ Value::Exception(_), None) => exception,
            (_, Some(exception @ Value::Exception(_))) => exception,
            (class @ Value::Class(_), value) => vm.call(&class, &value.into_iter().collect::<Vec<_>>())?,
            (other, _) => {
                return Err(type_error(format!(
                    "exceptions must be classes or instances deriving from BaseException, not {}",
                    other.type_name()
                )));
            }
        };
        let Value::Exception(exception) = exception else {
            return Err(type_error("exceptions must derive from BaseException"));
        };
        step(vm, &generator, Resume::Throw(Raised(exception)))
    }),
    method("close", "(self, /)", "Raises GeneratorExit in the generator.", |vm, args| {
        let generator = this(vm, args)?;
        vm.close_generator(&generator)?;
        Ok(Value::None)
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<Ref<GeneratorObject>> {
    match args.peek(vm, 0) {
        Value::Generator(generator) => Ok(generator.clone()),
        other => Err(type_error(format!("expected a generator, not {}", other.type_name()))),
    }
}

fn step(vm: &mut Vm, generator: &Ref<GeneratorObject>, how: Resume) -> Fallible<Value> {
    match vm.resume(generator, how)? {
        Step::Yielded(value) => Ok(value),
        Step::Returned(value) => Err(stop_iteration(value)),
    }
}

/// An attribute of a generator itself.
pub fn attribute(generator: &GeneratorObject, name: Name) -> Option<Value> {
    Some(match name {
        names::NAME => Value::str(&**generator.name.borrow()),
        names::QUALNAME => Value::str(&**generator.qualname.borrow()),
        _ => match name.text() {
            "gi_running" => Value::Bool(generator.state.get() == GeneratorState::Running),
            "gi_code" => match &*generator.function.borrow() {
                Some(function) => code_object::of_function(function),
                None => Value::None,
            },
            "gi_suspended" => Value::Bool(generator.is_at_yield()),
            _ => return None,
        },
    })
}
