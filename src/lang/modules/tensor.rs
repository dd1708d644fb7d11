//! `dpnp.tensor`, also importable as `dpctl.tensor`: the array-API functions over `usm_ndarray`.

use crate::lang::arrays::{library, linalg};
use crate::lang::builtins::array_classes::array_class;
use crate::lang::heap::Ref;
use crate::lang::modules::dpctl::FOLLOWING;
use crate::lang::name::Name;
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

thread_local! {
    static MODULE: Ref<ModuleObject> = {
        let module = Ref::new(ModuleObject::new(Name::new("dpnp.tensor")));
        library::bind(&module, ArrayFlavour::Tensor);
        linalg::bind(&module, ArrayFlavour::Tensor);
        for function in FOLLOWING {
            module.set(Name::new(function.name), Value::Native(function.build(None, Some(module.name))));
        }
        module.set(Name::new("usm_ndarray"), Value::Class(array_class(ArrayFlavour::Tensor)));
        module
    };
}

/// The module; the same one under both names.
pub fn module() -> Ref<ModuleObject> {
    MODULE.with(Clone::clone)
}

/// Builds `dpnp.tensor`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(module())
}
