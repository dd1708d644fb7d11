//! `dpnp`: arrays on devices.

use crate::lang::arrays::{error, fft, library, linalg, random};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The version of dpnp whose names and behaviour this module follows.
const VERSION: &str = "0.20.0";

/// Builds `dpnp`.
pub fn build(vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = Ref::new(ModuleObject::new(Name::new("dpnp")));
    library::bind(&module, ArrayFlavour::Dpnp);
    let exceptions = library::submodule(&module, "exceptions", &[], ArrayFlavour::Dpnp);
    for home in ["dpctl", "dpctl.memory", "numpy.exceptions"] {
        error::bind(home, |class, value| exceptions.set(Name::new(class), value));
    }
    let memory = library::submodule(&module, "memory", &[super::dpctl::memory::CREATE_DATA], ArrayFlavour::Dpnp);
    for (name, value) in super::dpctl::memory::module().globals.borrow().iter().filter(|(name, _)| *name != names::NAME)
    {
        memory.set(name, value.clone());
    }
    let scipy = library::submodule(&module, "scipy", &[], ArrayFlavour::Dpnp);
    library::submodule(&scipy, "linalg", &[], ArrayFlavour::Dpnp);
    library::bind_special(&library::submodule(&scipy, "special", &[], ArrayFlavour::Dpnp), ArrayFlavour::Dpnp);
    fft::bind(&module, ArrayFlavour::Dpnp);
    linalg::bind(&module, ArrayFlavour::Dpnp);
    random::bind(&module, ArrayFlavour::Dpnp);
    module.set(Name::new("tensor"), Value::Module(super::tensor::module()));
    module.set(names::PATH, Value::list(vec![]));
    module.set(Name::new("__version__"), Value::str(VERSION));
    library::bind_compositions(vm, &module, false)?;
    super::tensor::complete(vm, &module)?;
    Ok(module)
}
