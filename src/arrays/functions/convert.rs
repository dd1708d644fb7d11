//! Arrays in another dtype, memory order or place, and views of their parts: `astype`, `copy`, `asnumpy`, `.real`, `unstack`.

use super::support::{self, MemoryOrder};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::error::ArrayError;
use crate::arrays::layout::{Layout, normalize_axis};
use crate::arrays::op::Flavour;

/// `astype`: a copy in another dtype; the array itself if `copy` is false and nothing changes.
pub fn astype(
    array: &Array,
    dtype: DType,
    order: MemoryOrder,
    casting: Casting,
    copy: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    if !array.dtype().can_cast(dtype, casting) {
        let (from, to, rule) = (array.dtype(), dtype, casting.name());
        return Err(ArrayError::type_error(match flavour {
            Flavour::NumPy => {
                format!("Cannot cast array data from dtype('{from}') to dtype('{to}') according to the rule '{rule}'")
            }
            Flavour::Dpnp => format!("Can not cast from {from} to {to} according to the casting rule '{rule}'."),
        }));
    }
    let fits = match order {
        MemoryOrder::C => array.layout().is_c_contiguous(),
        MemoryOrder::F => array.layout().is_f_contiguous(),
        MemoryOrder::A | MemoryOrder::K => true,
    };
    if !copy && array.dtype() == dtype && fits {
        return Ok(array.clone());
    }
    let result = match order {
        MemoryOrder::K => support::allocate_kept_order(array.layout(), dtype, &array.alloc())?,
        other => support::allocate_ordered(array.shape(), dtype, other.resolve(array.layout()), &array.alloc())?,
    };
    support::copy_into(&result, array)?;
    Ok(result)
}

/// `copy` in a memory order.
pub fn copy(array: &Array, order: MemoryOrder) -> Result<Array, ArrayError> {
    astype(array, array.dtype(), order, Casting::No, true, Flavour::NumPy)
}

/// A copy elsewhere, cast first if asked; what crosses devices is accounted. `asarray` and `asnumpy` use it.
pub fn copy_to(array: &Array, dtype: Option<DType>, alloc: &Alloc) -> Result<Array, ArrayError> {
    let dtype = dtype.unwrap_or_else(|| array.dtype().narrowed(alloc.place.fp64()));
    let result = support::allocate(array.shape(), dtype, alloc)?;
    support::transfer_into(&result, array)?;
    Ok(result)
}

/// `asnumpy`: a copy in NumPy's host memory.
pub fn asnumpy(array: &Array) -> Result<Array, ArrayError> {
    copy_to(array, None, &Alloc::HOST)
}

/// `.real` of a complex array is a view of every other number; a real array is itself.
pub fn real_view(array: &Array) -> Result<Array, ArrayError> {
    part_view(array, 0)
}

/// `.imag` of a complex array, a view; of a real array, new zeros.
pub fn imag_view(array: &Array) -> Result<Array, ArrayError> {
    if array.dtype().is_complex() {
        return part_view(array, 1);
    }
    Array::zeros(array.shape(), array.dtype(), &array.alloc())
}

fn part_view(array: &Array, part: usize) -> Result<Array, ArrayError> {
    if !array.dtype().is_complex() {
        return Ok(array.clone());
    }
    let layout = array.layout();
    let doubled = Layout {
        shape: layout.shape.clone(),
        strides: layout.strides.iter().map(|stride| stride * 2).collect(),
        offset: layout.offset * 2 + part,
    };
    Array::over_buffer(array.buffer().clone(), array.dtype().real_part(), doubled, array.place().clone())
}

/// `unstack`: the array taken apart along an axis, as views.
pub fn unstack(array: &Array, axis: i64) -> Result<Vec<Array>, ArrayError> {
    if array.rank() == 0 {
        return Err(ArrayError::value("Input array must be at least 1-d."));
    }
    let axis = normalize_axis(axis, array.rank())?;
    (0..array.shape()[axis])
        .map(|index| Ok(array.view(array.layout().slice_axis(axis, index, 1).remove_axis(axis))))
        .collect()
}
