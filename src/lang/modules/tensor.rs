//! `dpnp.tensor`, also importable as `dpctl.tensor`: the array-API functions over `usm_ndarray`.

use crate::lang::arrays::device::device_object_class;
use crate::lang::arrays::error::{ArrayException, array_exception};
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
        let placement = array_exception(ArrayException::ExecutionPlacement);
        module.set(Name::new("ExecutionPlacementError"), Value::Class(placement));
        module.set(Name::new("Device"), Value::Class(device_object_class()));
        module.set(Name::new("usm_ndarray"), Value::Class(array_class(ArrayFlavour::Tensor)));
        module
    };
}

/// The module; the same one under both names.
pub fn module() -> Ref<ModuleObject> {
    MODULE.with(Clone::clone)
}

/// Builds `dpnp.tensor`, whose last functions come with `dpnp`.
pub fn build(vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    vm.import("dpnp")?;
    Ok(module())
}

/// Binds what is written in the language over `dpnp`, which is being built.
pub fn complete(vm: &mut Vm, dpnp: &Ref<ModuleObject>) -> Fallible<()> {
    let extras = vm.import("_array_tensor")?;
    let libraries = [Value::Module(module()), Value::Module(dpnp.clone())];
    let made = vm.call_method(&extras, Name::new("bind"), &libraries)?;
    if let Value::Dict(made) = &made {
        for entry in made.table.borrow().iter().map(|(_, entry)| entry) {
            module().set(Name::new(entry.key.as_str().unwrap_or("")), entry.value.clone());
        }
    }
    Ok(())
}
