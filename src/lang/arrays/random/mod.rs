//! `numpy.random` and `dpnp.random`: the module's functions over one global stream a library, `RandomState`, and
//! `default_rng` with its `Generator`.
//!
//! Every function takes the stream as its first, hidden parameter when it is a method, and finds the library's global stream
//! when it is the module's: the tables below serve both.

pub mod distributions;
mod drawing;
mod seeds;
mod state;
pub mod stream;
pub mod tables;
mod vectors;

use crate::lang::arrays::library;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::value::Value;

/// Builds the `random` submodule of a library.
pub fn bind(parent: &Ref<ModuleObject>, flavour: ArrayFlavour) -> Ref<ModuleObject> {
    let module = library::submodule(parent, "random", tables::FUNCTIONS, flavour);
    library::bind_functions(&module, tables::MODULE_DRAWS, flavour);
    library::bind_functions(&module, distributions::MODULE_DISTRIBUTIONS, flavour);
    module.set(Name::new("Generator"), Value::Class(stream::generator_class()));
    module.set(Name::new("RandomState"), Value::Class(stream::state_class(flavour)));
    module
}
