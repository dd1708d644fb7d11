//! The names of `dpnp` and `numpy`: one table of families serves both, built under each library's rules.

use crate::arrays::dtype::DType;
use crate::arrays::op::Op;
use crate::lang::arrays::call::for_flavour;
use crate::lang::arrays::ufunc::{Outputs, ufunc_class, ufunc_value};
use crate::lang::arrays::{FUNCTION_FAMILIES, error};
use crate::lang::builtins::array_classes::{array_class, dtype_class, families, scalar_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::Method;
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Universal functions under other names than their primitive's.
const UFUNC_ALIASES: &[(&str, Op)] = &[
    ("abs", Op::Absolute),
    ("acos", Op::Arccos),
    ("acosh", Op::Arccosh),
    ("asin", Op::Arcsin),
    ("asinh", Op::Arcsinh),
    ("atan", Op::Arctan),
    ("atan2", Op::Arctan2),
    ("atanh", Op::Arctanh),
    ("bitwise_invert", Op::Invert),
    ("bitwise_left_shift", Op::LeftShift),
    ("bitwise_not", Op::Invert),
    ("bitwise_right_shift", Op::RightShift),
    ("conj", Op::Conjugate),
    ("degrees", Op::Rad2deg),
    ("fix", Op::Trunc),
    ("mod", Op::Remainder),
    ("pow", Op::Power),
    ("radians", Op::Deg2rad),
    ("true_divide", Op::Divide),
];

/// Universal functions with two results.
const PAIRS: &[(&str, Op, Op)] = &[
    ("divmod", Op::FloorDivide, Op::Remainder),
    ("modf", Op::ModfFraction, Op::ModfInteger),
    ("frexp", Op::FrexpMantissa, Op::FrexpExponent),
];

/// Primitives that are no names of either library's main module.
const INTERNAL: &[Op] = &[
    Op::ModfFraction,
    Op::ModfInteger,
    Op::FrexpMantissa,
    Op::FrexpExponent,
    Op::Erf,
    Op::Erfc,
    Op::Erfcx,
    Op::Erfinv,
    Op::Erfcinv,
];

/// Names of `dpnp` that NumPy does not have.
const ONLY_DPNP: &[Op] = &[Op::Rsqrt, Op::Proj];

/// Other names of the scalar classes.
const SCALAR_ALIASES: &[(&str, DType)] = &[
    ("bool_", DType::Bool),
    ("byte", DType::Int8),
    ("short", DType::Int16),
    ("intc", DType::Int32),
    ("int_", DType::Int64),
    ("intp", DType::Int64),
    ("long", DType::Int64),
    ("longlong", DType::Int64),
    ("ubyte", DType::UInt8),
    ("ushort", DType::UInt16),
    ("uintc", DType::UInt32),
    ("uint", DType::UInt64),
    ("uintp", DType::UInt64),
    ("ulong", DType::UInt64),
    ("ulonglong", DType::UInt64),
    ("half", DType::Float16),
    ("single", DType::Float32),
    ("double", DType::Float64),
    ("float", DType::Float64),
    ("csingle", DType::Complex64),
    ("cdouble", DType::Complex128),
];

/// Gives a library's module what is written in the language over its other functions; what is there already stays.
pub fn bind_compositions(vm: &mut Vm, module: &Ref<ModuleObject>, is_numpy: bool) -> Fallible<()> {
    let extras = vm.import("_array_extras")?;
    let own = Value::Module(module.clone());
    let made = vm.call_method(&extras, Name::new("bind"), &[own.clone(), Value::Bool(is_numpy)])?;
    if let Value::Dict(made) = &made {
        for entry in made.table.borrow().iter().map(|(_, entry)| entry) {
            let name = Name::new(entry.key.as_str().unwrap_or(""));
            if module.get(name).is_none() {
                module.set(name, entry.value.clone());
            }
        }
    }
    vm.call_method(&extras, Name::new("complete"), &[own, Value::Bool(is_numpy)])?;
    Ok(())
}

/// Binds everything that the main module of a library has in common with the other's.
pub fn bind(module: &Ref<ModuleObject>, flavour: ArrayFlavour) {
    let set = |name: &str, value: Value| module.set(Name::new(name), value);
    for op in Op::ALL {
        let foreign = flavour == ArrayFlavour::NumPy && ONLY_DPNP.contains(op);
        if op.arity() < 3 && !INTERNAL.contains(op) && !foreign {
            set(op.name(), ufunc_value(op.name(), flavour, Outputs::One(*op)));
        }
    }
    for (name, op) in UFUNC_ALIASES {
        set(name, ufunc_value(op.name(), flavour, Outputs::One(*op)));
    }
    for (name, first, second) in PAIRS {
        set(name, ufunc_value(name, flavour, Outputs::Two(*first, *second)));
    }
    for family in FUNCTION_FAMILIES {
        bind_functions(module, family, flavour);
    }
    for dtype in DType::ALL {
        set(dtype.name(), Value::Class(scalar_class(dtype)));
    }
    for (name, dtype) in SCALAR_ALIASES {
        if flavour != ArrayFlavour::NumPy || *name != "float" {
            set(name, Value::Class(scalar_class(*dtype)));
        }
    }
    for (name, class) in families() {
        set(name, Value::Class(class));
    }
    for (name, class) in super::types::classes(flavour) {
        set(name, Value::Class(class));
    }
    if flavour == ArrayFlavour::NumPy {
        set("ufunc", Value::Class(ufunc_class()));
    }
    set("ndarray", Value::Class(array_class(flavour)));
    set("dtype", Value::Class(dtype_class()));
    set("pi", Value::Float(std::f64::consts::PI));
    set("e", Value::Float(std::f64::consts::E));
    set("euler_gamma", Value::Float(0.577_215_664_901_532_9));
    set("inf", Value::Float(f64::INFINITY));
    set("nan", Value::Float(f64::NAN));
    set("newaxis", Value::None);
}

/// `scipy.special` of dpnp: the error functions.
pub fn bind_special(module: &Ref<ModuleObject>, flavour: ArrayFlavour) {
    for op in [Op::Erf, Op::Erfc, Op::Erfcx, Op::Erfinv, Op::Erfcinv] {
        module.set(Name::new(op.name()), ufunc_value(op.name(), flavour, Outputs::One(op)));
    }
}

/// Builds a table of functions for a library and binds them.
pub fn bind_functions(module: &Ref<ModuleObject>, functions: &[Method], flavour: ArrayFlavour) {
    for function in functions {
        let built = for_flavour(function, flavour).build(None, Some(module.name));
        module.set(Name::new(function.name), Value::Native(built));
    }
}

/// A submodule of its own name, bound in its parent too.
pub fn submodule(
    parent: &Ref<ModuleObject>,
    name: &str,
    functions: &[Method],
    flavour: ArrayFlavour,
) -> Ref<ModuleObject> {
    let full = format!("{}.{name}", parent.name);
    let module = Ref::new(ModuleObject::new(Name::new(&full)));
    bind_functions(&module, functions, flavour);
    error::bind(&full, |class, value| module.set(Name::new(class), value));
    parent.set(Name::new(name), Value::Module(module.clone()));
    module
}
