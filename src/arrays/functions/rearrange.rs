//! Elements in other places or repeated: flip, rot90, roll, tile, repeat, resize, trim_zeros. `pad` has its own file.

use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::{BasicIndex, Dims, Layout, Order, normalize_axis};
use crate::arrays::op::Flavour;
use crate::dispatch;

/// `flip`: a view with the given axes (none: all) reversed.
pub fn flip(array: &Array, axes: Option<&[i64]>) -> Result<Array, ArrayError> {
    let axes = match axes {
        Some(axes) => support::axes_set(axes, array.rank())?,
        None => (0..array.rank()).collect(),
    };
    let mut layout = array.layout().clone();
    for axis in axes {
        if layout.shape[axis] > 0 {
            let last = (layout.shape[axis] - 1) as isize * layout.strides[axis];
            layout.offset = (layout.offset as isize + last) as usize;
        }
        layout.strides[axis] = -layout.strides[axis];
    }
    Ok(array.view(layout))
}

/// `flipud`.
pub fn flipud(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    check_rank(array, 1, flavour)?;
    flip(array, Some(&[0]))
}

/// `fliplr`.
pub fn fliplr(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    check_rank(array, 2, flavour)?;
    flip(array, Some(&[1]))
}

fn check_rank(array: &Array, least: usize, flavour: Flavour) -> Result<(), ArrayError> {
    if array.rank() >= least {
        return Ok(());
    }
    Err(ArrayError::value(match flavour {
        Flavour::NumPy => format!("Input must be >= {least}-d."),
        Flavour::Dpnp => format!("Input must be >= {least}-d, but got {}", array.rank()),
    }))
}

/// `rot90`: turned `k` times by 90 degrees in the plane of two axes; a view.
pub fn rot90(array: &Array, k: i64, axes: (i64, i64), flavour: Flavour) -> Result<Array, ArrayError> {
    let rank = array.rank() as i64;
    if rank < 2 && flavour == Flavour::Dpnp {
        return Err(ArrayError::value("Input must be at least 2-d."));
    }
    let (first, second) = axes;
    if first == second || (first - second).abs() == rank {
        return Err(ArrayError::value("Axes must be different."));
    }
    if first >= rank || first < -rank || second >= rank || second < -rank {
        return Err(ArrayError::value(format!("Axes=({first}, {second}) out of range for array of ndim={rank}.")));
    }
    match k.rem_euclid(4) {
        0 => Ok(array.clone()),
        1 => shapes::swapaxes(&flip(array, Some(&[second]))?, first, second),
        2 => flip(array, Some(&[first, second])),
        _ => flip(&shapes::swapaxes(array, first, second)?, Some(&[second])),
    }
}

/// `roll`: elements shifted cyclically along axes, or through the flattened array if no axis is given.
pub fn roll(array: &Array, shifts: &[i64], axes: Option<&[i64]>) -> Result<Array, ArrayError> {
    let Some(axes) = axes else {
        let flat = shapes::ravel(array, MemoryOrder::C)?;
        let total = shifts.iter().fold(0_i64, |sum, shift| sum.wrapping_add(*shift));
        let rolled = roll(&flat, &[total], Some(&[0]))?;
        return Ok(rolled.view(Layout { offset: rolled.layout().offset, ..Layout::contiguous(array.shape()) }));
    };
    let pairs = shift_pairs(shifts, axes)?;
    let mut by_axis = vec![0_i64; array.rank()];
    for (shift, axis) in pairs {
        let axis = normalize_axis(axis, array.rank())?;
        let len = array.shape()[axis].max(1) as i64;
        by_axis[axis] = (by_axis[axis] + shift % len).rem_euclid(len);
    }
    let result = support::allocate(array.shape(), array.dtype(), &array.alloc())?;
    // Each rolled axis splits the array in two; a block is one choice per axis.
    let mut blocks = vec![(result.layout().clone(), array.layout().clone())];
    for (axis, shift) in by_axis.iter().enumerate().filter(|(_, shift)| **shift > 0) {
        let shift = *shift as usize;
        let rest = array.shape()[axis] - shift;
        blocks = blocks
            .iter()
            .flat_map(|(to, from)| {
                [
                    (to.slice_axis(axis, shift, rest), from.slice_axis(axis, 0, rest)),
                    (to.slice_axis(axis, 0, shift), from.slice_axis(axis, rest, shift)),
                ]
            })
            .collect();
    }
    for (to, from) in blocks {
        support::copy_into(&result.view(to), &array.view(from))?;
    }
    Ok(result)
}

fn shift_pairs(shifts: &[i64], axes: &[i64]) -> Result<Vec<(i64, i64)>, ArrayError> {
    let len = match (shifts.len(), axes.len()) {
        (left, right) if left == right => left,
        (1, right) => right,
        (left, 1) => left,
        (left, right) => {
            return Err(ArrayError::value(format!(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape ({left},) and arg 1 with shape ({right},)."
            )));
        }
    };
    let at = |values: &[i64], position: usize| if values.len() == 1 { values[0] } else { values[position] };
    Ok((0..len).map(|position| (at(shifts, position), at(axes, position))).collect())
}

/// `tile`: the array repeated as a whole along each axis.
pub fn tile(array: &Array, repetitions: &[i64]) -> Result<Array, ArrayError> {
    let repetitions: Dims = repetitions
        .iter()
        .map(|count| usize::try_from(*count).map_err(|_| ArrayError::value("negative dimensions are not allowed")))
        .collect::<Result<_, _>>()?;
    let rank = array.rank().max(repetitions.len());
    let mut lengths: Dims = smallvec::smallvec![1; rank - array.rank()];
    lengths.extend(array.shape().iter().copied());
    let mut counts: Dims = smallvec::smallvec![1; rank - repetitions.len()];
    counts.extend(repetitions);
    let shape = lengths
        .iter()
        .zip(&counts)
        .map(|(len, count)| len.checked_mul(*count).ok_or_else(support::too_big))
        .collect::<Result<Dims, _>>()?;
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    // Seen with a count axis before each length axis, every repetition is the array broadcast.
    let split: Dims = counts.iter().zip(&lengths).flat_map(|(count, len)| [*count, *len]).collect();
    let source: Dims = lengths.iter().flat_map(|len| [1, *len]).collect();
    let target = result.view(Layout { offset: result.layout().offset, ..Layout::contiguous(&split) });
    let source = match array.reshaped_view(&source, Order::C) {
        Some(view) => view,
        None => {
            let copied = support::copy(array, Order::C)?;
            copied.view(Layout { offset: copied.layout().offset, ..Layout::contiguous(&source) })
        }
    };
    support::copy_into(&target, &source)?;
    Ok(result)
}

/// `repeat`: each element repeated, all the same number of times or each its own.
pub fn repeat(array: &Array, repeats: &[i64], axis: Option<i64>, flavour: Flavour) -> Result<Array, ArrayError> {
    let array = match axis {
        Some(_) => array.clone(),
        None => shapes::ravel(array, MemoryOrder::C)?,
    };
    let axis = normalize_axis(axis.unwrap_or(0), array.rank())?;
    let len = array.shape()[axis];
    if repeats.iter().any(|count| *count < 0) {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy if repeats.len() == 1 => "negative dimensions are not allowed",
            Flavour::NumPy => "repeats may not contain negative values.",
            Flavour::Dpnp if repeats.len() == 1 => "`repeats` must be a positive integer",
            Flavour::Dpnp => "`repeats` elements must be positive",
        }));
    }
    if repeats.len() != 1 && repeats.len() != len {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => {
                format!("operands could not be broadcast together with shape ({len},) ({},)", repeats.len())
            }
            Flavour::Dpnp => "'repeats' array must be broadcastable to the size of the repeated axis".to_owned(),
        }));
    }
    let count_of = |index: usize| if repeats.len() == 1 { repeats[0] as usize } else { repeats[index] as usize };
    let total = if repeats.len() == 1 {
        len.checked_mul(repeats[0] as usize)
    } else {
        repeats.iter().try_fold(0_usize, |sum, count| sum.checked_add(*count as usize))
    }
    .ok_or_else(support::too_big)?;
    let mut shape: Dims = array.shape().into();
    shape[axis] = total;
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    // One step along the axis is `inner` consecutive elements of the result.
    let inner: usize = shape[axis + 1..].iter().product();
    let outer: usize = shape[..axis].iter().product();
    let source = support::contiguous(&array)?;
    dispatch!(array.dtype(), T => source.with_slice::<T, _>(|from| support::write::<T, _>(&result, |to| {
        let mut position = 0;
        for block in 0..outer {
            for index in 0..len {
                crate::arrays::attention::check()?;
                let start = (block * len + index) * inner;
                let piece = &from[start..start + inner];
                for _ in 0..count_of(index) {
                    to[position..position + inner].copy_from_slice(piece);
                    position += inner;
                }
            }
        }
        Ok(())
    }))?)?;
    Ok(result)
}

/// `numpy.resize`: the flattened array repeated as often as the new shape needs.
pub fn resize(array: &Array, shape: &[i64]) -> Result<Array, ArrayError> {
    let shape: Dims = shape
        .iter()
        .map(|len| {
            usize::try_from(*len).map_err(|_| ArrayError::value("all elements of `new_shape` must be non-negative"))
        })
        .collect::<Result<_, _>>()?;
    if array.len_elements() == 0 {
        return Array::zeros(&shape, array.dtype(), &array.alloc());
    }
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    let source = support::contiguous(array)?;
    dispatch!(array.dtype(), T => source.with_slice::<T, _>(|from| support::write::<T, _>(&result, |to| {
        for piece in to.chunks_mut(from.len()) {
            piece.copy_from_slice(&from[..piece.len()]);
        }
        Ok(())
    }))?)?;
    Ok(result)
}

/// `trim_zeros` of a vector: a view without the zeros at the front (`f`), the back (`b`) or both.
pub fn trim_zeros(array: &Array, front: bool, back: bool) -> Result<Array, ArrayError> {
    if array.rank() != 1 {
        return Err(ArrayError::not_supported("trim_zeros of an array that is not one-dimensional is not implemented"));
    }
    let (first, last) = dispatch!(array.dtype(), T => support::read::<T, _>(array, |elements, layout| {
        let mut positions = layout.positions();
        let first = positions.position(|position| elements[position] != <T as crate::arrays::dtype::Element>::ZERO);
        let mut last = None;
        for (index, position) in layout.positions().enumerate() {
            if elements[position] != <T as crate::arrays::dtype::Element>::ZERO {
                last = Some(index);
            }
        }
        (first, last)
    }))?;
    let len = array.len_elements();
    let (start, stop) = match (first, last) {
        (Some(first), Some(last)) => (if front { first } else { 0 }, if back { last + 1 } else { len }),
        // All zeros: any trimming takes everything.
        _ => (0, if front || back { 0 } else { len }),
    };
    array.index(&[BasicIndex::Slice { start: Some(start as i64), stop: Some(stop as i64), step: None }])
}

/// A boolean array needs no arithmetic to be counted: how many elements are not zero.
pub fn count_true(array: &Array) -> Result<usize, ArrayError> {
    debug_assert_eq!(array.dtype(), DType::Bool);
    support::read::<bool, _>(array, |elements, layout| {
        let mut count = 0;
        support::for_each_run(layout, |offset, len, stride| {
            count += if stride == 1 {
                elements[offset..offset + len].iter().filter(|flag| **flag).count()
            } else {
                support::step_positions(offset, len, stride).filter(|position| elements[*position]).count()
            };
        })?;
        Ok(count)
    })?
}
