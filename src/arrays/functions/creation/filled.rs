//! `empty`, `zeros`, `ones`, `full` and their `_like` forms.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::layout::Order;
use crate::arrays::op::Flavour;
use crate::arrays::scalar::{Operand, Scalar};

/// `empty`: memory with whatever it held before.
pub fn empty(shape: &[usize], dtype: DType, order: Order, alloc: &Alloc) -> Result<Array, ArrayError> {
    support::allocate_ordered(shape, dtype, order, alloc)
}

/// `zeros`.
pub fn zeros(shape: &[usize], dtype: DType, order: Order, alloc: &Alloc) -> Result<Array, ArrayError> {
    filled(shape, dtype, order, Scalar::Int(0), alloc)
}

/// `ones`.
pub fn ones(shape: &[usize], dtype: DType, order: Order, alloc: &Alloc) -> Result<Array, ArrayError> {
    filled(shape, dtype, order, Scalar::Int(1), alloc)
}

/// `full` with a scalar: the dtype is the scalar's own unless given.
pub fn full(
    shape: &[usize],
    value: Operand,
    dtype: Option<DType>,
    order: Order,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let dtype = dtype.unwrap_or_else(|| value.dtype(alloc.place.fp64()));
    let value = match value {
        Operand::Weak(value) => value.convert(dtype)?,
        Operand::Typed(value, _) => value,
    };
    filled(shape, dtype, order, value, alloc)
}

/// `full` with an array: broadcast to the shape, with the array's dtype unless given.
pub fn full_from_array(
    shape: &[usize],
    value: &Array,
    dtype: Option<DType>,
    order: Order,
    alloc: &Alloc,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let source = match flavour {
        Flavour::Dpnp => shapes::broadcast_to(value, shape)?,
        Flavour::NumPy => value.broadcast_to(shape)?,
    };
    let result = support::allocate_ordered(shape, dtype.unwrap_or(value.dtype()), order, alloc)?;
    support::transfer_into(&result, &source)?;
    Ok(result)
}

/// `empty_like`: shape, dtype and memory order of the prototype unless given.
pub fn empty_like(
    prototype: &Array,
    shape: Option<&[usize]>,
    dtype: Option<DType>,
    order: MemoryOrder,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let dtype = dtype.unwrap_or(prototype.dtype());
    match (shape, order) {
        (None, MemoryOrder::K) => support::allocate_kept_order(prototype.layout(), dtype, alloc),
        _ => {
            let shape = shape.unwrap_or(prototype.shape());
            support::allocate_ordered(shape, dtype, order.resolve(prototype.layout()), alloc)
        }
    }
}

/// `zeros_like`.
pub fn zeros_like(
    prototype: &Array,
    shape: Option<&[usize]>,
    dtype: Option<DType>,
    order: MemoryOrder,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    full_like(prototype, shape, Operand::Weak(Scalar::Int(0)), dtype, order, alloc)
}

/// `ones_like`.
pub fn ones_like(
    prototype: &Array,
    shape: Option<&[usize]>,
    dtype: Option<DType>,
    order: MemoryOrder,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    full_like(prototype, shape, Operand::Weak(Scalar::Int(1)), dtype, order, alloc)
}

/// `full_like` with a scalar.
pub fn full_like(
    prototype: &Array,
    shape: Option<&[usize]>,
    value: Operand,
    dtype: Option<DType>,
    order: MemoryOrder,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let result = empty_like(prototype, shape, dtype, order, alloc)?;
    let value = match value {
        Operand::Weak(value) => value.convert(result.dtype())?,
        Operand::Typed(value, _) => value,
    };
    support::fill(&result, value)?;
    Ok(result)
}

fn filled(shape: &[usize], dtype: DType, order: Order, value: Scalar, alloc: &Alloc) -> Result<Array, ArrayError> {
    let result = support::allocate_ordered(shape, dtype, order, alloc)?;
    support::fill(&result, value)?;
    Ok(result)
}
