//! A function that Rust registered, as array cells call it.

use std::rc::{Rc, Weak};

use super::names::flavour_of;
use super::{end_runtime, error};
use crate::arrays::plan;
use crate::lang::arrays::convert::{Term, array_value, class_path, computed, python_value, term_of};
use crate::lang::arrays::error::{ArrayException, array_exception, raised};
use crate::lang::arrays::pending;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::modules::support::{Typed, items_of};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ArrayFlavour, ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use crate::rust_cells::{Argument, CallError, Failure, Function, FunctionKind};
use crate::session::core::Core;

#[derive(Debug)]
struct RustFunction {
    function: Rc<Function>,
    session: Weak<Core>,
}

thread_local! {
    static CLASS: ClassRef =
        define_class("rust_function", "cellhold", &builtin_class(Builtin::Object), PayloadKind::Value, METHODS);
}

const METHODS: &[Method] = &[
    method("__call__", "(self, /, *args)", "Calls the Rust function with arrays and numbers.", call),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let function = this(vm, args)?;
        Ok(format!("<Rust function {}>", function.function.signature()).into())
    }),
    getter("__name__", "The name it was registered with.", |vm, args| {
        Ok(Value::str(this(vm, args)?.function.info().name.as_str()))
    }),
    getter("__doc__", "What it takes and gives.", |vm, args| {
        let function = &this(vm, args)?.function;
        let how = match function.info().kind {
            FunctionKind::Pieces => "A Rust function of elements: arrays broadcast, the pieces run on all processors.",
            FunctionKind::Whole => "A Rust function of whole arrays, called once with all elements in C order.",
        };
        Ok(format!("{}\n\n{how}", function.signature()).into())
    }),
];

impl NativeData for RustFunction {
    fn class(&self) -> ClassRef {
        CLASS.with(Clone::clone)
    }
}

/// The function as a value of the language.
pub(super) fn value(core: &Core, function: Rc<Function>) -> Value {
    Value::object(RustFunction { function, session: core.rust.session.borrow().clone() })
}

fn this(vm: &Vm, args: Args) -> Fallible<Typed<RustFunction>> {
    Typed::receiver(vm, args, "rust_function")
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (function, session) = {
        let this = this(vm, args)?;
        (this.function.clone(), this.session.clone())
    };
    if plan::is_on() {
        return Err(raised(plan::stop("what comes next runs Rust, which a plan does not")));
    }
    let mut flavour = None;
    let mut arguments = Vec::new();
    for value in items_of(args.peek(vm, 1)) {
        arguments.push(match term_of(&value)? {
            Some(Term::Array(object)) => {
                flavour.get_or_insert(object.flavour);
                Argument::Array(computed(vm, &value)?)
            }
            Some(Term::Scalar(operand)) => Argument::Scalar(operand),
            None => {
                return Err(raise::type_error(format!(
                    "{} takes arrays and numbers, not <class '{}'>",
                    function.signature(),
                    class_path(&value)
                )));
            }
        });
    }
    let called = pending::with_relief(vm, |_| match function.call(&arguments) {
        // An allocation that did not fit is tried again when there is room; nothing was sent by then.
        Err(CallError::Array(error)) => Err(error),
        other => Ok(other),
    })?;
    match called {
        Ok(array) => match flavour {
            Some(ArrayFlavour::NumPy) => crate::lang::arrays::convert::result_value(ArrayFlavour::NumPy, array),
            Some(flavour) => Ok(array_value(flavour, array)),
            // Numbers in, a number out.
            None if array.len_elements() == 1 => Ok(python_value(array.read_flat(0).map_err(raised)?)),
            None => Ok(array_value(flavour_of(&array), array)),
        },
        Err(CallError::Failed(failure)) => Err(raised_as(failure)),
        Err(CallError::Interrupted) => {
            // The threads that compute stop with their process only.
            let lost = session.upgrade().map(|core| end_runtime(&core, vm)).unwrap_or_default();
            crate::arrays::attention::handle().clear();
            Err(error::interrupted(format!("while the Rust function {}() ran{lost}", function.info().name)))
        }
        Err(CallError::Array(error)) => Err(raised(error)),
    }
}

/// The exception of a refusal.
fn raised_as(failure: Failure) -> Raised {
    let Failure { class, message } = failure;
    match class.as_str() {
        "TypeError" => raise::type_error(message),
        "ValueError" => raise::value_error(message),
        "ExecutionPlacementError" => Raised::new(array_exception(ArrayException::ExecutionPlacement), message),
        _ => error::rust_error(message),
    }
}
