//! Arrays and NumPy scalars as values of the language.

use super::class::ClassRef;
use super::leaf_object;
use crate::lang::builtins::array_classes::array_class;

/// Which library's array it is: its class, its promotion of scalars, what indexing and reductions give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayFlavour {
    /// `dpnp.ndarray`
    Dpnp,
    /// `dpctl.tensor.usm_ndarray`
    Tensor,
    /// `numpy.ndarray`
    NumPy,
}

/// An array value.
#[derive(Debug)]
pub struct ArrayObject {
    /// Which library's array it is.
    pub flavour: ArrayFlavour,
}

impl ArrayObject {
    /// Its class.
    pub fn class(&self) -> ClassRef {
        array_class(self.flavour)
    }
}
leaf_object!(ArrayObject, Array);

/// A NumPy scalar such as `numpy.float64(1.0)`.
#[derive(Debug)]
pub struct NumpyScalar {}

impl NumpyScalar {
    /// Its class.
    pub fn class(&self) -> ClassRef {
        array_class(ArrayFlavour::NumPy)
    }
}
leaf_object!(NumpyScalar, Scalar);
