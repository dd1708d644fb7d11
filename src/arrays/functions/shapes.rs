//! Views under another shape: reshape, transpose, axes moved, added and removed, broadcasting. Nothing is copied unless it must be.
//!
//! Axes count from the end when negative. What moves elements is in `rearrange.rs`.

use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::error::{ArrayError, shape_text, shape_text_dense};
use crate::arrays::layout::{Dims, Layout, Order, broadcast_shapes, normalize_axis};
use crate::arrays::op::Flavour;

/// `reshape`: a view if one exists, else a copy; `copy` forces (`Some(true)`) or forbids (`Some(false)`) the copy.
pub fn reshape(
    array: &Array,
    shape: &[i64],
    order: MemoryOrder,
    copy: Option<bool>,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let shape = resolve_shape(array.len_elements(), shape, flavour)?;
    let order = match order {
        MemoryOrder::K => Order::C,
        other => other.resolve(array.layout()),
    };
    if copy != Some(true) {
        if let Some(layout) = array.layout().reshaped(&shape, order) {
            return Ok(array.view(layout));
        }
        if copy == Some(false) {
            return Err(ArrayError::value(match flavour {
                Flavour::NumPy => "Unable to avoid creating a copy while reshaping.",
                Flavour::Dpnp => {
                    "Reshaping the array requires a copy, but no copying was requested by using copy=False"
                }
            }));
        }
    }
    let copied = support::copy(array, order)?;
    let layout = Layout { offset: copied.layout().offset, ..Layout::ordered(&shape, order) };
    Ok(copied.view(layout))
}

/// The shape that `reshape` arguments mean for this many elements: one length may be -1.
pub fn resolve_shape(len_elements: usize, shape: &[i64], flavour: Flavour) -> Result<Dims, ArrayError> {
    let unknown = shape.iter().filter(|length| **length < 0).count();
    let foreign = shape.iter().any(|length| *length < -1);
    if unknown > 1 || (foreign && flavour == Flavour::Dpnp) {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "can only specify one unknown dimension",
            Flavour::Dpnp => "Target shape should have at most 1 negative value which can only be -1",
        }));
    }
    let known = shape
        .iter()
        .filter(|length| **length >= 0)
        .try_fold(1_usize, |product, length| product.checked_mul(usize::try_from(*length).ok()?));
    let refused = || {
        let lengths: Vec<String> =
            shape.iter().map(|length| if *length < 0 { "newaxis".to_owned() } else { length.to_string() }).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        ArrayError::value(match flavour {
            Flavour::NumPy => {
                format!("cannot reshape array of size {len_elements} into shape ({}{comma})", lengths.join(","))
            }
            Flavour::Dpnp => format!("Can not reshape into [{}]", lengths.join(", ")),
        })
    };
    let known = known.ok_or_else(refused)?;
    let missing = match unknown {
        0 if known == len_elements => 0,
        0 => return Err(refused()),
        _ if known == 0 || !len_elements.is_multiple_of(known) => return Err(refused()),
        _ => len_elements / known,
    };
    Ok(shape.iter().map(|length| usize::try_from(*length).unwrap_or(missing)).collect())
}

/// `ravel`: one axis, a view if the elements lie in that order.
pub fn ravel(array: &Array, order: MemoryOrder) -> Result<Array, ArrayError> {
    let order = order.resolve(array.layout());
    let len = array.len_elements();
    match array.layout().reshaped(&[len], order) {
        Some(layout) => Ok(array.view(layout)),
        None => flatten(array, order),
    }
}

/// `flatten`: one axis, always a copy.
pub fn flatten(array: &Array, order: Order) -> Result<Array, ArrayError> {
    let copied = support::copy(array, order)?;
    Ok(copied.view(Layout { offset: copied.layout().offset, ..Layout::contiguous(&[array.len_elements()]) }))
}

/// `transpose` with axes (none: all reversed).
pub fn transpose(array: &Array, axes: Option<&[i64]>) -> Result<Array, ArrayError> {
    match axes {
        None => Ok(array.transposed()),
        Some(axes) => Ok(array.view(array.layout().permuted(axes)?)),
    }
}

/// `.mT`: the last two axes exchanged.
pub fn matrix_transpose(array: &Array) -> Result<Array, ArrayError> {
    if array.rank() < 2 {
        return Err(ArrayError::value(format!(
            "Input array must be at least 2-dimensional, but it is {}",
            array.rank()
        )));
    }
    swapaxes(array, -1, -2)
}

/// `swapaxes`.
pub fn swapaxes(array: &Array, axis1: i64, axis2: i64) -> Result<Array, ArrayError> {
    let rank = array.rank();
    let axis1 = named_axis(axis1, rank, "axis1")?;
    let axis2 = named_axis(axis2, rank, "axis2")?;
    let mut layout = array.layout().clone();
    layout.shape.swap(axis1, axis2);
    layout.strides.swap(axis1, axis2);
    Ok(array.view(layout))
}

/// An axis whose error names the argument: `destination: axis 5 is out of bounds ...`.
fn named_axis(axis: i64, rank: usize, argument: &str) -> Result<usize, ArrayError> {
    normalize_axis(axis, rank).map_err(|error| match error {
        ArrayError::AxisOutOfBounds { axis, rank } => {
            ArrayError::NamedAxisOutOfBounds { argument: argument.into(), axis, rank }
        }
        other => other,
    })
}

/// `moveaxis`.
pub fn moveaxis(array: &Array, source: &[i64], destination: &[i64]) -> Result<Array, ArrayError> {
    let rank = array.rank();
    let positions = |axes: &[i64], argument: &str| -> Result<Dims, ArrayError> {
        let mut positions = Dims::new();
        for axis in axes {
            let axis = named_axis(*axis, rank, argument)?;
            if positions.contains(&axis) {
                return Err(ArrayError::value(format!("repeated axis in `{argument}` argument")));
            }
            positions.push(axis);
        }
        Ok(positions)
    };
    let source = positions(source, "source")?;
    let destination = positions(destination, "destination")?;
    if source.len() != destination.len() {
        return Err(ArrayError::value("`source` and `destination` arguments must have the same number of elements"));
    }
    let mut order: Vec<usize> = (0..rank).filter(|axis| !source.contains(axis)).collect();
    let mut moves: Vec<(usize, usize)> = destination.into_iter().zip(source).collect();
    moves.sort_unstable();
    for (to, from) in moves {
        order.insert(to, from);
    }
    let order: Vec<i64> = order.into_iter().map(|axis| axis as i64).collect();
    transpose(array, Some(&order))
}

/// `rollaxis`: `axis` moved to lie before `start`.
pub fn rollaxis(array: &Array, axis: i64, start: i64) -> Result<Array, ArrayError> {
    let rank = array.rank() as i64;
    let axis = normalize_axis(axis, array.rank())?;
    if start < -rank || start > rank {
        return Err(ArrayError::value(format!(
            "'start' arg requires {} <= start < {}, but {start} was passed in",
            -rank,
            rank + 1
        )));
    }
    let start = if start < 0 { start + rank } else { start } as usize;
    let target = if axis < start { start - 1 } else { start };
    moveaxis(array, &[axis as i64], &[target as i64])
}

/// `squeeze`: without the given axes, or without all axes of length one.
pub fn squeeze(array: &Array, axes: Option<&[i64]>, flavour: Flavour) -> Result<Array, ArrayError> {
    let shape = array.shape();
    let removed: Dims = match axes {
        None => (0..shape.len()).filter(|axis| shape[*axis] == 1).collect(),
        Some(axes) => support::axes_set_named(axes, shape.len(), "duplicate value in 'axis'")?,
    };
    if removed.iter().any(|axis| shape[*axis] != 1) {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "cannot select an axis to squeeze out which has size not equal to one",
            Flavour::Dpnp => "Cannot select an axis to squeeze out which has size not equal to one.",
        }));
    }
    let mut layout = array.layout().clone();
    let mut descending = removed;
    descending.sort_unstable();
    for axis in descending.into_iter().rev() {
        layout = layout.remove_axis(axis);
    }
    Ok(array.view(layout))
}

/// `expand_dims`: new axes of length one at these positions of the result.
pub fn expand_dims(array: &Array, axes: &[i64]) -> Result<Array, ArrayError> {
    let rank = array.rank() + axes.len();
    let mut positions = support::axes_set(axes, rank)?;
    positions.sort_unstable();
    let mut layout = array.layout().clone();
    for axis in positions {
        layout = layout.expand(axis);
    }
    Ok(array.view(layout))
}

/// `broadcast_to`: a view with zero strides.
pub fn broadcast_to(array: &Array, shape: &[usize]) -> Result<Array, ArrayError> {
    if shape.len() < array.rank() {
        return Err(ArrayError::value("input operand has more dimensions than allowed by the axis remapping"));
    }
    let layout = array.layout().broadcast_to(shape).map_err(|_| {
        ArrayError::value(format!(
            "operands could not be broadcast together with remapped shapes [original->remapped]: {}  and requested shape {}",
            shape_text_dense(array.shape()),
            shape_text_dense(shape)
        ))
    })?;
    Ok(array.view(layout))
}

/// The shape these shapes broadcast to, with the error of `broadcast_arrays` and of advanced indexing.
pub fn common_shape(shapes: &[&[usize]]) -> Result<Dims, ArrayError> {
    broadcast_shapes(shapes).map_err(|_| {
        // NumPy names the first pair that does not fit: the shape met so far is that of the argument which set it.
        for (second, shape) in shapes.iter().enumerate() {
            for (first, earlier) in shapes.iter().enumerate().take(second) {
                if broadcast_shapes(&[earlier, shape]).is_err() {
                    return ArrayError::value(format!(
                        "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg {first} with shape {} and arg {second} with shape {}.",
                        shape_text(earlier),
                        shape_text(shape)
                    ));
                }
            }
        }
        ArrayError::value("shape mismatch: objects cannot be broadcast to a single shape")
    })
}

/// `broadcast_arrays`.
pub fn broadcast_arrays(arrays: &[&Array]) -> Result<Vec<Array>, ArrayError> {
    let shapes: Vec<&[usize]> = arrays.iter().map(|array| array.shape()).collect();
    let shape = common_shape(&shapes)?;
    arrays.iter().map(|array| broadcast_to(array, &shape)).collect()
}

/// `atleast_1d`.
pub fn atleast_1d(array: &Array) -> Result<Array, ArrayError> {
    if array.rank() == 0 { expand_dims(array, &[0]) } else { Ok(array.clone()) }
}

/// `atleast_2d`.
pub fn atleast_2d(array: &Array) -> Result<Array, ArrayError> {
    match array.rank() {
        0 => expand_dims(array, &[0, 1]),
        1 => expand_dims(array, &[0]),
        _ => Ok(array.clone()),
    }
}

/// `atleast_3d`.
pub fn atleast_3d(array: &Array) -> Result<Array, ArrayError> {
    match array.rank() {
        0 => expand_dims(array, &[0, 1, 2]),
        1 => expand_dims(array, &[0, 2]),
        2 => expand_dims(array, &[2]),
        _ => Ok(array.clone()),
    }
}

/// `diagonal`: a view of the elements whose indices along two axes differ by `offset`.
pub fn diagonal(array: &Array, offset: i64, axis1: i64, axis2: i64) -> Result<Array, ArrayError> {
    let rank = array.rank();
    if rank < 2 {
        return Err(ArrayError::value("diag requires an array of at least two dimensions"));
    }
    let axis1 = named_axis(axis1, rank, "axis1")?;
    let axis2 = named_axis(axis2, rank, "axis2")?;
    if axis1 == axis2 {
        return Err(ArrayError::value("axis1 and axis2 cannot be the same"));
    }
    let layout = array.layout();
    let (rows, columns) = (layout.shape[axis1] as i64, layout.shape[axis2] as i64);
    let (down, right) = if offset < 0 { (offset.saturating_neg(), 0) } else { (0, offset) };
    let len = (rows - down).min(columns - right).max(0);
    let mut view = layout.clone();
    if len > 0 {
        let start = down as isize * layout.strides[axis1] + right as isize * layout.strides[axis2];
        view.offset = (view.offset as isize + start) as usize;
    }
    view.shape.push(len as usize);
    view.strides.push(layout.strides[axis1] + layout.strides[axis2]);
    let (first, second) = (axis1.max(axis2), axis1.min(axis2));
    Ok(array.view(view.remove_axis(first).remove_axis(second)))
}
