//! Arrays and NumPy scalars as values of the language.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::class::ClassRef;
use super::leaf_object;
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::expr::Expr;
use crate::arrays::scalar::Scalar;
use crate::lang::builtins::array_classes::{array_class, scalar_class};

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

/// An array's content: computed, or an expression that the machine computes before anyone can tell the difference.
#[derive(Debug)]
pub enum ArrayState {
    /// Memory with values in it.
    Ready(Array),
    /// Not computed yet; lives no longer than the statement that made it.
    Pending(Expr),
}

/// An array value.
#[derive(Debug)]
pub struct ArrayObject {
    /// Which library's array it is.
    pub flavour: ArrayFlavour,
    /// The content; changed only from pending to ready, and by in-place reshaping (`a.shape = ...`).
    pub state: RefCell<ArrayState>,
    /// Whether writing through it is refused (broadcast views, read-only memory).
    pub readonly: Cell<bool>,
    /// Whether its memory was made for it; false for a view of another's.
    pub owns: Cell<bool>,
}

impl ArrayObject {
    /// A computed array.
    pub fn ready(flavour: ArrayFlavour, array: Array) -> Self {
        // Whoever cuts a view from an array still holds that array.
        let owns = Cell::new(Arc::strong_count(array.buffer()) == 1);
        Self { flavour, state: RefCell::new(ArrayState::Ready(array)), readonly: Cell::new(false), owns }
    }

    /// An expression to be computed.
    pub fn pending(flavour: ArrayFlavour, expression: Expr) -> Self {
        let (readonly, owns) = (Cell::new(false), Cell::new(true));
        Self { flavour, state: RefCell::new(ArrayState::Pending(expression)), readonly, owns }
    }

    /// Its class.
    pub fn class(&self) -> ClassRef {
        array_class(self.flavour)
    }

    /// Whether it still has to be computed.
    pub fn is_pending(&self) -> bool {
        matches!(*self.state.borrow(), ArrayState::Pending(_))
    }

    /// The computed array, nothing while it is pending.
    pub fn computed(&self) -> Option<Array> {
        match &*self.state.borrow() {
            ArrayState::Ready(array) => Some(array.clone()),
            ArrayState::Pending(_) => None,
        }
    }

    /// Elements along each axis, known before it is computed.
    pub fn shape(&self) -> Vec<usize> {
        match &*self.state.borrow() {
            ArrayState::Ready(array) => array.shape().to_vec(),
            ArrayState::Pending(expression) => expression.shape().to_vec(),
        }
    }

    /// The type of the elements, known before it is computed.
    pub fn dtype(&self) -> DType {
        match &*self.state.borrow() {
            ArrayState::Ready(array) => array.dtype(),
            ArrayState::Pending(expression) => expression.dtype(),
        }
    }

    /// The allocation it keeps alive, by the number people see as `#12`; nothing while it is pending.
    pub fn allocation(&self) -> Option<u64> {
        self.computed().map(|array| array.buffer().id())
    }
}
leaf_object!(ArrayObject, Array);

/// A NumPy scalar such as `numpy.float64(1.0)`.
#[derive(Debug)]
pub struct NumpyScalar {
    /// The value, already cast to the dtype.
    pub value: Scalar,
    /// Its type.
    pub dtype: DType,
}

impl NumpyScalar {
    /// A value cast to a dtype.
    pub fn new(value: Scalar, dtype: DType) -> Self {
        Self { value: value.cast(dtype), dtype }
    }

    /// Its class.
    pub fn class(&self) -> ClassRef {
        scalar_class(self.dtype)
    }
}
leaf_object!(NumpyScalar, Scalar);
