//! Arrays in the language: how values become arrays and back, pending expressions, operators, and the methods of array
//! classes. The modules `dpnp`, `numpy`, `dpctl` and `cunumpy` are tables over this.

mod base;
pub mod calculus;
pub mod call;
mod construct;
pub mod conversion;
pub mod convert;
pub mod creation;
pub mod device;
pub mod dtype;
pub mod elementwise;
pub mod error;
pub mod exports;
pub mod fft;
pub mod files;
pub mod flags;
pub mod float_errors;
pub mod indexing;
pub mod joining;
pub mod library;
pub mod linalg;
pub mod manipulation;
pub mod ndarray;
pub mod nested;
pub mod operators;
pub mod pending;
pub mod printing;
pub mod products;
mod protocols;
pub mod random;
pub mod reductions;
mod restricted;
pub mod scalar;
pub mod selecting;
pub mod statistics;
pub mod strides;
pub mod types;
pub mod ufunc;
mod ufunc_types;
pub mod windows;

use super::native::Method;

/// The families whose functions `dpnp` and `numpy` share.
pub const FUNCTION_FAMILIES: &[&[Method]] = &[
    calculus::FUNCTIONS,
    conversion::FUNCTIONS,
    creation::filled::FUNCTIONS,
    creation::matrices::FUNCTIONS,
    creation::sources::FUNCTIONS,
    creation::spaced::FUNCTIONS,
    elementwise::FUNCTIONS,
    files::FUNCTIONS,
    joining::FUNCTIONS,
    manipulation::FUNCTIONS,
    products::FUNCTIONS,
    reductions::FUNCTIONS,
    selecting::FUNCTIONS,
    statistics::FUNCTIONS,
    types::FUNCTIONS,
    windows::FUNCTIONS,
];

/// The families whose methods arrays of every library share.
pub const METHOD_FAMILIES: &[&[Method]] = &[
    calculus::METHODS,
    conversion::METHODS,
    elementwise::METHODS,
    files::METHODS,
    manipulation::METHODS,
    products::METHODS,
    reductions::METHODS,
    selecting::METHODS,
];

/// Attaches the methods of arrays, dtypes and NumPy scalars to their classes; once per thread.
pub fn install() {
    use super::builtins::array_classes::array_class;
    use super::builtins::classes::attach;
    use super::objects::ArrayFlavour;
    dtype::install();
    scalar::install();
    ndarray::install();
    protocols::install();
    construct::install();
    for flavour in [ArrayFlavour::Dpnp, ArrayFlavour::Tensor, ArrayFlavour::NumPy] {
        for family in METHOD_FAMILIES {
            attach(&array_class(flavour), family);
        }
    }
}
