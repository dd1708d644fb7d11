//! The built-in functions, one file a family.

pub mod evaluation;
pub mod input_output;
pub mod iteration;
pub mod namespace;
pub mod numeric;
pub mod objects;

use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::Method;
use crate::lang::objects::ModuleObject;
use crate::lang::value::Value;

/// Binds every built-in function in the module of built-in names.
pub fn install(builtins: &Ref<ModuleObject>) {
    let tables: [&[Method]; 5] =
        [numeric::FUNCTIONS, iteration::FUNCTIONS, objects::FUNCTIONS, input_output::FUNCTIONS, evaluation::FUNCTIONS];
    for function in tables.into_iter().flatten() {
        builtins.set(Name::new(function.name), Value::Native(function.build(None, Some(Name::new("builtins")))));
    }
    for name in ["quit", "exit"] {
        builtins.set(Name::new(name), input_output::quitter(name));
    }
}
