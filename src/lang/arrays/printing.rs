//! The print options in force (`numpy.set_printoptions`), shared by both libraries as in dpnp.

use std::cell::RefCell;

use crate::arrays::functions::print::PrintOptions;

thread_local! {
    static OPTIONS: RefCell<PrintOptions> = RefCell::default();
}

/// The options in force.
pub fn options() -> PrintOptions {
    OPTIONS.with_borrow(Clone::clone)
}

/// Puts options in force and answers the former ones.
pub fn replace(options: PrintOptions) -> PrintOptions {
    OPTIONS.replace(options)
}
