//! `numpy`: the same engine on host memory.

use crate::lang::arrays::{fft, float_errors, library, linalg, random};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The version of NumPy whose names and behaviour this module follows.
const VERSION: &str = "2.4.6";

/// Builds `numpy`.
pub fn build(vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = Ref::new(ModuleObject::new(Name::new("numpy")));
    library::bind(&module, ArrayFlavour::NumPy);
    library::submodule(&module, "exceptions", &[], ArrayFlavour::NumPy);
    fft::bind(&module, ArrayFlavour::NumPy);
    linalg::bind(&module, ArrayFlavour::NumPy);
    random::bind(&module, ArrayFlavour::NumPy);
    float_errors::bind(&module);
    module.set(Name::new("__version__"), Value::str(VERSION));
    library::bind_compositions(vm, &module, true)?;
    Ok(module)
}
