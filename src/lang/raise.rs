//! Raising: the error half of everything that can fail in the language.

use super::builtins::classes::{Builtin, builtin_class};
use super::heap::Ref;
use super::objects::{ClassRef, ExceptionObject};
use super::value::Value;

/// A raised exception on its way to a handler.
#[derive(Clone, Debug)]
pub struct Raised(pub Ref<ExceptionObject>);

/// What everything that can raise returns.
pub type Fallible<T> = Result<T, Raised>;

impl Raised {
    /// An exception of a class with a message.
    pub fn new(class: ClassRef, message: impl Into<String>) -> Self {
        Self(Ref::new(ExceptionObject::new(class, vec![Value::str(message.into())])))
    }

    /// An exception of a built-in class with a message.
    pub fn builtin(class: Builtin, message: impl Into<String>) -> Self {
        Self::new(builtin_class(class), message)
    }

    /// An exception of a built-in class with these arguments.
    pub fn with_args(class: Builtin, args: Vec<Value>) -> Self {
        Self(Ref::new(ExceptionObject::new(builtin_class(class), args)))
    }

    /// Whether the exception is an instance of a built-in class.
    pub fn is(&self, class: Builtin) -> bool {
        super::objects::ClassObject::is_subclass_of(&self.0.class.borrow(), &builtin_class(class))
    }
}

macro_rules! raisers {
    ($($function:ident => $class:ident),* $(,)?) => {
        $(
            #[doc = concat!("`", stringify!($class), "` with a message.")]
            #[cold]
            pub fn $function(message: impl Into<String>) -> Raised {
                Raised::builtin(Builtin::$class, message)
            }
        )*
    };
}

raisers! {
    type_error => TypeError, value_error => ValueError, index_error => IndexError, name_error => NameError,
    unbound_local_error => UnboundLocalError, attribute_error => AttributeError, zero_division_error => ZeroDivisionError,
    overflow_error => OverflowError, memory_error => MemoryError, runtime_error => RuntimeError, recursion_error => RecursionError,
    not_implemented_error => NotImplementedError, os_error => OSError, file_not_found_error => FileNotFoundError,
    lookup_error => LookupError, buffer_error => BufferError, eof_error => EOFError, system_error => SystemError,
}

/// `KeyError` of a key.
#[cold]
pub fn key_error(key: Value) -> Raised {
    Raised::with_args(Builtin::KeyError, vec![key])
}

/// `StopIteration` with a value (`None` for none).
#[cold]
pub fn stop_iteration(value: Value) -> Raised {
    Raised::with_args(Builtin::StopIteration, if value.is_none() { vec![] } else { vec![value] })
}

/// `KeyboardInterrupt`.
#[cold]
pub fn keyboard_interrupt() -> Raised {
    Raised::with_args(Builtin::KeyboardInterrupt, vec![])
}
