//! The classes of arrays, dtypes and NumPy scalars; the array modules attach their methods.

use crate::arrays::dtype::DType;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::name::Name;
use crate::lang::objects::{ArrayFlavour, ClassObject, ClassRef, PayloadKind};

/// An abstract class above NumPy's scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarFamily {
    /// `numpy.generic`
    Generic,
    /// `numpy.number`
    Number,
    /// `numpy.integer`
    Integer,
    /// `numpy.signedinteger`
    SignedInteger,
    /// `numpy.unsignedinteger`
    UnsignedInteger,
    /// `numpy.inexact`
    Inexact,
    /// `numpy.floating`
    Floating,
    /// `numpy.complexfloating`
    ComplexFloating,
}

/// Name and parent of each family, in the order of [`ScalarFamily`].
const FAMILIES: &[(&str, Option<ScalarFamily>)] = &[
    ("generic", None),
    ("number", Some(ScalarFamily::Generic)),
    ("integer", Some(ScalarFamily::Number)),
    ("signedinteger", Some(ScalarFamily::Integer)),
    ("unsignedinteger", Some(ScalarFamily::Integer)),
    ("inexact", Some(ScalarFamily::Number)),
    ("floating", Some(ScalarFamily::Inexact)),
    ("complexfloating", Some(ScalarFamily::Inexact)),
];

struct Classes {
    arrays: [ClassRef; 3],
    dtype: ClassRef,
    families: Vec<ClassRef>,
    scalars: Vec<ClassRef>,
}

thread_local! {
    static CLASSES: Classes = build();
}

fn build() -> Classes {
    let object = builtin_class(Builtin::Object);
    let define = |name: &str, module: &str, bases: Vec<ClassRef>| {
        ClassObject::native(Name::new(name), Name::new(module), bases, PayloadKind::Sealed)
    };
    let mut families: Vec<ClassRef> = Vec::new();
    for (name, parent) in FAMILIES {
        let base = parent.map_or_else(|| object.clone(), |parent| families[parent as usize].clone());
        families.push(define(name, "numpy", vec![base]));
    }
    let scalars = DType::ALL
        .iter()
        .map(|dtype| {
            let mut bases = vec![families[family_of(*dtype) as usize].clone()];
            match dtype {
                DType::Float64 => bases.push(builtin_class(Builtin::Float)),
                DType::Complex128 => bases.push(builtin_class(Builtin::Complex)),
                _ => {}
            }
            define(dtype.name(), "numpy", bases)
        })
        .collect();
    Classes {
        arrays: [
            define("dpnp_array", "dpnp.dpnp_array", vec![object.clone()]),
            define("usm_ndarray", "dpctl.tensor._usmarray", vec![object.clone()]),
            define("ndarray", "numpy", vec![object.clone()]),
        ],
        dtype: define("dtype", "numpy", vec![object]),
        families,
        scalars,
    }
}

/// The family a dtype's scalar class derives from.
pub fn family_of(dtype: DType) -> ScalarFamily {
    match dtype {
        DType::Bool => ScalarFamily::Generic,
        DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => ScalarFamily::SignedInteger,
        DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => ScalarFamily::UnsignedInteger,
        DType::Float16 | DType::Float32 | DType::Float64 => ScalarFamily::Floating,
        DType::Complex64 | DType::Complex128 => ScalarFamily::ComplexFloating,
    }
}

/// The class of a library's arrays.
pub fn array_class(flavour: ArrayFlavour) -> ClassRef {
    CLASSES.with(|classes| classes.arrays[flavour as usize].clone())
}

/// `numpy.dtype`
pub fn dtype_class() -> ClassRef {
    CLASSES.with(|classes| classes.dtype.clone())
}

/// The NumPy scalar class of a dtype: `numpy.float64`.
pub fn scalar_class(dtype: DType) -> ClassRef {
    CLASSES.with(|classes| classes.scalars[dtype as usize].clone())
}

/// An abstract NumPy scalar class: `numpy.floating`.
pub fn family_class(family: ScalarFamily) -> ClassRef {
    CLASSES.with(|classes| classes.families[family as usize].clone())
}

/// Every abstract scalar class with its name.
pub fn families() -> Vec<(&'static str, ClassRef)> {
    CLASSES.with(|classes| FAMILIES.iter().map(|(name, _)| *name).zip(classes.families.iter().cloned()).collect())
}

/// The dtype whose scalar class this is.
pub fn dtype_of_class(class: &ClassRef) -> Option<DType> {
    CLASSES.with(|classes| {
        classes.scalars.iter().position(|scalar| ClassRef::ptr_eq(scalar, class)).map(|index| DType::ALL[index])
    })
}
