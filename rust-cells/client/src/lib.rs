//! Arrays of a Cellhold session in its Rust cells.
//!
//! ```text
//! let a = get("a");                       // the array that array cells call a: the same memory
//! let b = (&a * 2.0 + 1.0).sqrt();        // computed by the session, in one pass
//! put("b", &b);                           // array cells now have b
//! let v = b.to_vec::<f64>();              // a copy of the elements here
//! register("twice", |x: f64| 2.0 * x);    // array cells can call twice(a)
//! ```
//!
//! An [`Array`] is a handle: the elements stay in the session, where `%mem` shows them as held by `rust: NAME`, until the last handle
//! and the last name have let go. Moving it moves that hold, `clone()` makes a second hold on the same memory, `copy()` makes memory of
//! its own, dropping it lets go. Arithmetic follows NumPy: `/` always divides to floats, `%` takes the divisor's sign, numbers take
//! the width of the arrays they meet. Operators, methods and the functions here panic with the session's message when something is wrong;
//! what can fail for reasons beyond the text has a twin that begins with `try_` and gives a `Result`.

#![deny(unsafe_op_in_unsafe_fn)]

mod array;
mod calls;
mod element;
mod functions;
mod holds;
mod link;
mod operators;
mod pool;
mod wire;

pub use array::{
    Array, Axis, Give, IntoShape, arange, from_slice, full, get, linspace, ones, put, try_from_slice, try_full,
    try_get, try_put, zeros,
};
pub use element::{DType, Element, Number};
pub use functions::{
    ElementFunction, SliceFunction, WholeFunction, register, register_slice, register_whole, try_register,
    try_register_slice, try_register_whole,
};
pub use holds::{Found, Holds, Otherwise, Probe, tell_names};
pub use operators::{Scalar, Term};

/// What the session or the connection to it refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    class: String,
    message: String,
}

/// The answer of what can fail.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub(crate) fn new(class: &str, message: impl Into<String>) -> Self {
        Self { class: class.to_owned(), message: message.into() }
    }

    /// The class of the error as Python names it: `ValueError`.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// What went wrong and what helps.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.class, self.message)
    }
}

impl std::error::Error for Error {}

/// Connects this process to its session. Cells need not call it: it is called once before the first.
pub fn start() {
    if let Err(error) = link::start() {
        panic!("{error}");
    }
}

/// The value, or a panic with the session's own message.
#[track_caller]
pub(crate) fn or_panic<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
