//! The subscript with one mask and nothing else, the most common advanced one: no list of points is made.

use super::selection::check_mask_shape;
use super::{Assigned, converted, on_device, truths};
use crate::arrays::array::Array;
use crate::arrays::dtype::Element;
use crate::arrays::error::{ArrayError, shape_text_dense};
use crate::arrays::expr::moves::{self, Masked};
use crate::arrays::functions::support;
use crate::arrays::layout::{Dims, Layout};
use crate::dispatch;

/// `array[mask]`.
pub(super) fn get(array: &Array, mask: &Array) -> Result<Array, ArrayError> {
    let (outer, inner) = split(array, mask)?;
    if on_device::is_for_programs(&[array, mask])
        && let Some(result) = get_on_device(array, mask, &outer, &inner)?
    {
        return Ok(result);
    }
    on_device::note_on_host(array);
    let count = crate::arrays::functions::rearrange::count_true(mask)?;
    let shape: Dims = std::iter::once(count).chain(inner.shape.iter().copied()).collect();
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    let inner_len = inner.len_elements();
    if result.len_elements() == 0 {
        return Ok(result);
    }
    dispatch!(array.dtype(), T => support::read_buffer::<T, _>(array, |from| {
        support::write::<T, _>(&result, |to| {
            let mut slots = to.chunks_exact_mut(inner_len);
            for_each_true(mask, &outer, |position| {
                let Some(slot) = slots.next() else { return };
                if inner_len == 1 {
                    slot[0] = from[position];
                } else {
                    let inner = Layout { offset: position, ..inner.clone() };
                    slot.iter_mut().zip(inner.positions()).for_each(|(slot, position)| *slot = from[position]);
                }
            })
        })
    })?)?;
    Ok(result)
}

/// `array[mask] = value`.
pub(super) fn set(array: &Array, mask: &Array, value: &Assigned<'_>) -> Result<(), ArrayError> {
    let (outer, inner) = split(array, mask)?;
    let mask = &support::detached(mask, array)?;
    match value {
        Assigned::Scalar(operand) => {
            let value = converted(*operand, array.dtype())?;
            if on_device::is_for_programs(&[array, mask]) {
                return on_device::fill(array, mask, value);
            }
            on_device::note_on_host(array);
            dispatch!(array.dtype(), T => {
                let value = <T as Element>::from_scalar(value);
                support::write_buffer::<T>(array, |to| for_each_true(mask, &outer, |position| {
                    if inner.rank() == 0 {
                        to[position] = value;
                    } else {
                        let inner = Layout { offset: position, ..inner.clone() };
                        inner.positions().for_each(|position| to[position] = value);
                    }
                }))
            })
        }
        Assigned::Array(source) => {
            let (running, count) = if on_device::is_for_programs(&[array, mask]) {
                on_device::running_count(mask).map(|(running, count)| (Some(running), count))?
            } else {
                (None, crate::arrays::functions::rearrange::count_true(mask)?)
            };
            let shape: Dims = std::iter::once(count).chain(inner.shape.iter().copied()).collect();
            let source = super::without_leading_ones(source, shape.len());
            let source = source.broadcast_to(&shape).map_err(|_| {
                if source.rank() == 1 && inner.rank() == 0 {
                    ArrayError::value(format!(
                        "NumPy boolean array indexing assignment cannot assign {} input values to the {count} output values where the mask is true",
                        source.len_elements()
                    ))
                } else {
                    ArrayError::value(format!(
                        "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
                        shape_text_dense(source.shape()),
                        shape_text_dense(&shape)
                    ))
                }
            })?;
            let source = support::cast(&source, array.dtype())?;
            let source = support::detached(&source, array)?;
            if let Some(running) = running.filter(|_| on_device::is_for_programs(&[array, &source])) {
                let masked = Masked { outer: &outer, inner: &inner, mask, count: &running };
                if count * inner.len_elements() == 0 || moves::expand(array, masked, &source)? {
                    return Ok(());
                }
            }
            on_device::note_on_host(array);
            dispatch!(array.dtype(), T => support::read::<T, _>(&source, |from, from_layout| {
                support::write_buffer::<T>(array, |to| {
                    let mut sources = from_layout.positions();
                    for_each_true(mask, &outer, |position| {
                        if inner.rank() == 0 {
                            if let Some(source) = sources.next() {
                                to[position] = from[source];
                            }
                            return;
                        }
                        let inner = Layout { offset: position, ..inner.clone() };
                        for (position, source) in inner.positions().zip(&mut sources) {
                            to[position] = from[source];
                        }
                    })
                })
            })?)
        }
    }
}

/// `array[mask]` by programs; nothing where the device cannot.
fn get_on_device(array: &Array, mask: &Array, outer: &Layout, inner: &Layout) -> Result<Option<Array>, ArrayError> {
    let (running, count) = on_device::running_count(mask)?;
    let shape: Dims = std::iter::once(count).chain(inner.shape.iter().copied()).collect();
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    let masked = Masked { outer, inner, mask, count: &running };
    let done = result.len_elements() == 0 || moves::compress(array, masked, &result)?;
    Ok(done.then_some(result))
}

/// The axes that the mask stands for, and the rest with offset zero.
fn split(array: &Array, mask: &Array) -> Result<(Layout, Layout), ArrayError> {
    let layout = array.layout();
    if mask.rank() > layout.rank() {
        return Err(ArrayError::index(format!(
            "too many indices for array: array is {}-dimensional, but {} were indexed",
            layout.rank(),
            mask.rank()
        )));
    }
    check_mask_shape(mask, &layout.shape, 0)?;
    let rank = mask.rank();
    let outer =
        Layout { shape: layout.shape[..rank].into(), strides: layout.strides[..rank].into(), offset: layout.offset };
    let inner = Layout { shape: layout.shape[rank..].into(), strides: layout.strides[rank..].into(), offset: 0 };
    Ok((outer, inner))
}

/// Calls `work` with the position under `outer` of every element where the mask is true, in order.
fn for_each_true(mask: &Array, outer: &Layout, mut work: impl FnMut(usize)) -> Result<(), ArrayError> {
    support::read::<bool, _>(mask, |truths, layout| {
        // Axes that are chained in both are one line.
        let (flat, flat_outer) = (layout.coalesced(), outer.coalesced());
        let (layout, outer) = if flat.shape == flat_outer.shape { (&flat, &flat_outer) } else { (layout, outer) };
        let mut lines = outer.clone();
        lines.shape.pop();
        let stride = lines.strides.pop().unwrap_or(1);
        let mut lines = lines.positions().enumerate();
        let mut here = lines.next();
        truths::for_each(
            truths,
            layout,
            |truth| truth,
            |line, at| {
                while here.is_some_and(|(number, _)| number < line) {
                    here = lines.next();
                }
                if let Some((_, offset)) = here {
                    work(offset.wrapping_add_signed(stride * at as isize));
                }
            },
        )
    })?
}
