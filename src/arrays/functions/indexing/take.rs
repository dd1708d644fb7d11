//! `take`, `put` and their `_along_axis` forms, `fill_diagonal`.

use super::on_device;
use super::positions::BoundsMode;
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::moves::{self, Points, Slots};
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::{self, HostValues, MemoryOrder};
use crate::arrays::layout::{Dims, Layout, Order, normalize_axis};
use crate::arrays::op::Flavour;
use crate::dispatch;

/// NumPy's error for a dtype that cannot index.
fn check_indices(indices: &Array) -> Result<(), ArrayError> {
    match indices.dtype() {
        dtype if dtype.is_integer() => Ok(()),
        DType::Bool => Err(ArrayError::index("arrays used as indices must be of integer (or boolean) type")),
        other => Err(ArrayError::type_error(format!(
            "Cannot cast array data from dtype('{other}') to dtype('int64') according to the rule 'same_kind'"
        ))),
    }
}

/// Indices along an axis, resolved to `0..len` as the mode says.
fn resolved(indices: &Array, axis: usize, len: usize, mode: BoundsMode) -> Result<HostValues<i64>, ArrayError> {
    check_indices(indices)?;
    let signed = len as i64;
    let mut places = support::integers(indices)?;
    for place in places.iter_mut() {
        let index = *place;
        *place = match mode {
            BoundsMode::Wrap if len > 0 => index.rem_euclid(signed),
            BoundsMode::Clip if len > 0 => index.clamp(0, signed - 1),
            BoundsMode::Negative if len > 0 => index.clamp(-signed, signed - 1).rem_euclid(signed),
            BoundsMode::Raise | BoundsMode::Wrap | BoundsMode::Clip | BoundsMode::Negative => {
                let positive = if index < 0 { index + signed } else { index };
                if !(0..signed).contains(&positive) {
                    return Err(ArrayError::IndexOutOfBounds { index, axis, len });
                }
                positive
            }
        };
    }
    Ok(places)
}

/// `take`: elements, or slices along an axis, at the given indices.
pub fn take(array: &Array, indices: &Array, axis: Option<i64>, mode: BoundsMode) -> Result<Array, ArrayError> {
    let array = match axis {
        Some(_) => shapes::atleast_1d(array)?,
        None => shapes::ravel(array, MemoryOrder::C)?,
    };
    let axis = normalize_axis(axis.unwrap_or(0), array.rank())?;
    let len = array.shape()[axis];
    if len == 0 && indices.len_elements() > 0 {
        return Err(ArrayError::index("cannot do a non-empty take from an empty axes."));
    }
    if let Some(result) = take_on_device(&array, indices, axis, mode)? {
        return Ok(result);
    }
    let picked = resolved(indices, axis, len, mode)?;
    let source = support::contiguous(&array)?;
    let (before, after) = (&array.shape()[..axis], &array.shape()[axis + 1..]);
    let shape: Dims = before.iter().chain(indices.shape()).chain(after).copied().collect();
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    let inner: usize = after.iter().product();
    let outer: usize = before.iter().product();
    if result.len_elements() == 0 {
        return Ok(result);
    }
    dispatch!(array.dtype(), T => source.with_slice::<T, _>(|from| support::write::<T, _>(&result, |to| {
        for block in 0..outer {
            let rows = &from[block * len * inner..];
            let slots = &mut to[block * picked.len() * inner..];
            for (tile, indices) in picked.chunks(1 << 14).enumerate() {
                crate::arrays::attention::check()?;
                let slots = &mut slots[(tile << 14) * inner..];
                if inner == 1 {
                    slots.iter_mut().zip(indices).for_each(|(slot, index)| *slot = rows[*index as usize]);
                } else {
                    for (slot, index) in slots.chunks_exact_mut(inner).zip(indices) {
                        let start = *index as usize * inner;
                        slot.copy_from_slice(&rows[start..start + inner]);
                    }
                }
            }
        }
        Ok(())
    }))?)?;
    Ok(result)
}

/// Whether programs move elements between these arrays at positions that an index array has.
fn is_for_programs(arrays: &[&Array], indices: &Array) -> bool {
    indices.dtype().is_integer()
        && indices.len_elements() > 0
        && arrays.iter().all(|array| on_device::is_for_programs(&[array, indices]))
}

/// `take` by programs; nothing where the host has to do it.
fn take_on_device(array: &Array, indices: &Array, axis: usize, mode: BoundsMode) -> Result<Option<Array>, ArrayError> {
    if !is_for_programs(&[array], indices) {
        return Ok(None);
    }
    let layout = array.layout();
    let part = |from: usize, to: usize, offset: usize| Layout {
        shape: layout.shape[from..to].into(),
        strides: layout.strides[from..to].into(),
        offset,
    };
    let (before, after) = (part(0, axis, layout.offset), part(axis + 1, layout.rank(), 0));
    let checked = on_device::checked(indices, axis, layout.shape[axis], mode)?;
    let Some(offsets) = on_device::offsets(&[(checked, layout.strides[axis])], indices.shape())? else {
        return Ok(None);
    };
    let shape: Dims = before.shape.iter().chain(indices.shape()).chain(&after.shape).copied().collect();
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    let points = Points { before: &before, after: &after, offsets: &offsets };
    let done = result.len_elements() == 0 || moves::gather(array, points, &result)?;
    Ok(done.then_some(result))
}

/// `put`: writes values, repeated as needed, at flat positions; along an axis as dpnp allows.
pub fn put(
    array: &Array,
    indices: &Array,
    values: &Array,
    axis: Option<i64>,
    mode: BoundsMode,
) -> Result<(), ArrayError> {
    if let Some(axis) = axis {
        let axis = normalize_axis(axis, array.rank())?;
        if is_for_programs(&[array, values], indices) && put_rows_on_device(array, indices, values, axis, mode)? {
            return Ok(());
        }
        let picked = resolved(indices, axis, array.shape()[axis], mode)?;
        let mut shape: Dims = array.shape().into();
        shape[axis] = picked.len();
        let values = shapes::broadcast_to(values, &shape)?;
        for (position, index) in picked.iter().enumerate() {
            let target = array.view(array.layout().slice_axis(axis, *index as usize, 1));
            support::copy_into(&target, &values.view(values.layout().slice_axis(axis, position, 1)))?;
        }
        return Ok(());
    }
    if values.len_elements() > 0
        && is_for_programs(&[array, values], indices)
        && put_on_device(array, indices, values, mode)?
    {
        return Ok(());
    }
    let picked = resolved(indices, 0, array.len_elements(), mode)?;
    if values.len_elements() == 0 {
        return if picked.is_empty() { Ok(()) } else { Err(ArrayError::value("cannot put from an empty array")) };
    }
    let values = support::detached(&support::contiguous(&support::cast(values, array.dtype())?)?, array)?;
    let layout = array.layout().clone();
    dispatch!(array.dtype(), T => values.with_slice::<T, _>(|from| support::write_buffer::<T>(array, |to| {
        for (flat, value) in picked.iter().zip(from.iter().cycle()) {
            to[layout.position_flat(*flat as usize)] = *value;
        }
        Ok(())
    }))?)
}

/// A layout without axes.
fn nowhere(offset: usize) -> Layout {
    Layout { offset, ..Layout::contiguous(&[]) }
}

/// `put` along an axis by programs; whether they do it.
fn put_rows_on_device(
    array: &Array,
    indices: &Array,
    values: &Array,
    axis: usize,
    mode: BoundsMode,
) -> Result<bool, ArrayError> {
    let layout = array.layout();
    let count = indices.len_elements();
    let checked = on_device::checked(indices, axis, layout.shape[axis], mode)?;
    let mut shape: Dims = array.shape().into();
    shape[axis] = count;
    let values = support::cast(&shapes::broadcast_to(values, &shape)?, array.dtype())?;
    let values = support::detached(&values, array)?;
    if values.len_elements() == 0 {
        return Ok(true);
    }
    let part = |from: usize, to: usize, offset: usize| Layout {
        shape: layout.shape[from..to].into(),
        strides: layout.strides[from..to].into(),
        offset,
    };
    let (before, after) = (part(0, axis, layout.offset), part(axis + 1, layout.rank(), 0));
    let numbers = on_device::offsets(&[(checked.clone(), 1)], indices.shape())?;
    let offsets = on_device::offsets(&[(checked, layout.strides[axis])], indices.shape())?;
    let (Some(numbers), Some(offsets)) = (numbers, offsets) else { return Ok(false) };
    let points = Points { before: &before, after: &after, offsets: &offsets };
    moves::scatter(array, points, &[count], Slots { numbers: &numbers, len: layout.shape[axis] }, &values)
}

/// `put` at flat positions by programs; whether they do it. There are values.
fn put_on_device(array: &Array, indices: &Array, values: &Array, mode: BoundsMode) -> Result<bool, ArrayError> {
    let layout = array.layout();
    let (count, len) = (indices.len_elements(), array.len_elements());
    let checked = on_device::checked(indices, 0, len, mode)?;
    let values = support::detached(&support::cast(values, array.dtype())?, array)?;
    let steps = if layout.is_c_contiguous() {
        vec![(checked.clone(), 1)]
    } else {
        let own = Layout::contiguous(&layout.shape);
        let parts = on_device::unravelled(&checked, &own.shape, &own.strides)?;
        parts.into_iter().zip(layout.strides.iter().copied()).collect()
    };
    let numbers = on_device::offsets(&[(checked, 1)], indices.shape())?;
    let (Some(numbers), Some(offsets)) = (numbers, on_device::offsets(&steps, indices.shape())?) else {
        return Ok(false);
    };
    let (before, after) = (nowhere(layout.offset), nowhere(0));
    let points = Points { before: &before, after: &after, offsets: &offsets };
    if values.len_elements() == 1 {
        return moves::fill(array, points, &values);
    }
    let Some(values) = on_device::cycled(&values, count)? else { return Ok(false) };
    moves::scatter(array, points, &[count], Slots { numbers: &numbers, len }, &values)
}

/// The elements that `_along_axis` functions address: their shape, that of the indices, and the layout of the lines they lie in,
/// which does not move along the axis.
fn along_axis(array: &Array, indices: &Array, axis: usize) -> Result<(Dims, Layout), ArrayError> {
    if !indices.dtype().is_integer() {
        return Err(ArrayError::index("`indices` must be an integer array"));
    }
    if indices.rank() != array.rank() {
        return Err(ArrayError::value("`indices` and `arr` must have the same number of dimensions"));
    }
    // The other axes broadcast against each other.
    let mut array_shape: Dims = array.shape().into();
    array_shape[axis] = 1;
    let mut index_shape: Dims = indices.shape().into();
    index_shape[axis] = 1;
    let mut shape = crate::arrays::layout::broadcast_shapes(&[&array_shape, &index_shape]).map_err(|_| {
        ArrayError::index(format!(
            "shape mismatch: indexing arrays could not be broadcast together with shapes {} {} ",
            crate::arrays::error::shape_text_dense(&index_shape),
            crate::arrays::error::shape_text_dense(&array_shape)
        ))
    })?;
    shape[axis] = indices.shape()[axis];
    let lines = Layout { shape: array_shape, ..array.layout().clone() }.broadcast_to(&shape)?;
    Ok((shape, lines))
}

/// The positions, in the array's buffer, of the elements that `_along_axis` functions address, in C order of the indices.
fn along_axis_positions(
    array: &Array,
    indices: &Array,
    axis: usize,
    mode: BoundsMode,
) -> Result<(Dims, HostValues<usize>), ArrayError> {
    let (shape, lines) = along_axis(array, indices, axis)?;
    let picked = resolved(&indices.broadcast_to(&shape)?, axis, array.shape()[axis], mode)?;
    let stride = array.layout().strides[axis];
    let positions =
        lines.positions().zip(picked.iter()).map(|(line, index)| (line as isize + *index as isize * stride) as usize);
    let positions = HostValues::collect(picked.len(), positions)?;
    Ok((shape, positions))
}

/// The same by programs, counted from the array's first element; and a number for each that is the same for the same elements.
fn along_axis_on_device(
    array: &Array,
    indices: &Array,
    axis: usize,
    mode: BoundsMode,
) -> Result<Option<(Dims, Array, Array)>, ArrayError> {
    let (shape, lines) = along_axis(array, indices, axis)?;
    let checked = on_device::checked(indices, axis, array.shape()[axis], mode)?;
    let checked = checked.broadcast_to(&shape)?;
    let of = |lines: Layout, stride: isize| -> Result<Option<Array>, ArrayError> {
        let Some(starts) = on_device::offsets_of(&lines, &array.alloc())? else { return Ok(None) };
        let starts = starts.view(Layout::contiguous(&shape));
        on_device::offsets(&[(starts, 1), (checked.clone(), stride)], &shape)
    };
    let offsets = of(Layout { offset: 0, ..lines }, array.layout().strides[axis])?;
    let own = Layout::contiguous(array.shape());
    let (_, own_lines) = along_axis(&array.view(own.clone()), indices, axis)?;
    let numbers = of(own_lines, own.strides[axis])?;
    Ok(offsets.zip(numbers).map(|(offsets, numbers)| (shape, offsets, numbers)))
}

/// `take_along_axis`; without an axis, of the flattened array.
pub fn take_along_axis(
    array: &Array,
    indices: &Array,
    axis: Option<i64>,
    mode: BoundsMode,
) -> Result<Array, ArrayError> {
    let (array, axis) = match axis {
        Some(axis) => (array.clone(), normalize_axis(axis, array.rank())?),
        None if indices.rank() != 1 => {
            return Err(ArrayError::value("when axis=None, `indices` must have a single dimension."));
        }
        None => (shapes::ravel(array, MemoryOrder::C)?, 0),
    };
    if is_for_programs(&[&array], indices)
        && let Some((shape, offsets, _)) = along_axis_on_device(&array, indices, axis, mode)?
    {
        let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
        let (before, after) = (nowhere(array.layout().offset), nowhere(0));
        let points = Points { before: &before, after: &after, offsets: &offsets };
        if result.len_elements() == 0 || moves::gather(&array, points, &result)? {
            return Ok(result);
        }
    }
    let (shape, positions) = along_axis_positions(&array, indices, axis, mode)?;
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    dispatch!(array.dtype(), T => support::read_buffer::<T, _>(&array, |from| support::write::<T, _>(&result, |to| {
        support::in_tiles(to, |base, tile| {
            tile.iter_mut().zip(&positions[base..]).for_each(|(slot, position)| *slot = from[*position]);
        })
    }))?)?;
    Ok(result)
}

/// `put_along_axis`.
pub fn put_along_axis(
    array: &Array,
    indices: &Array,
    values: &Array,
    axis: Option<i64>,
    mode: BoundsMode,
) -> Result<(), ArrayError> {
    let Some(axis) = axis else {
        let picked = support::contiguous(indices)?;
        let values = support::contiguous(&shapes::broadcast_to(values, indices.shape())?)?;
        return put(array, &picked, &values, None, mode);
    };
    let axis = normalize_axis(axis, array.rank())?;
    if is_for_programs(&[array, values], indices)
        && let Some((shape, offsets, numbers)) = along_axis_on_device(array, indices, axis, mode)?
    {
        let values = support::cast(&shapes::broadcast_to(values, &shape)?, array.dtype())?;
        let values = support::detached(&values, array)?;
        let (before, after) = (nowhere(array.layout().offset), nowhere(0));
        let points = Points { before: &before, after: &after, offsets: &offsets };
        let slots = Slots { numbers: &numbers, len: array.len_elements() };
        if values.len_elements() == 0 || moves::scatter(array, points, &shape, slots, &values)? {
            return Ok(());
        }
    }
    let (shape, positions) = along_axis_positions(array, indices, axis, mode)?;
    let values = support::cast(&shapes::broadcast_to(values, &shape)?, array.dtype())?;
    let values = support::detached(&support::contiguous(&values)?, array)?;
    dispatch!(array.dtype(), T => values.with_slice::<T, _>(|from| support::write_buffer::<T>(array, |to| {
        positions.iter().zip(from).for_each(|(position, value)| to[*position] = *value);
        Ok(())
    }))?)
}

/// `fill_diagonal`: values, repeated as needed, down the main diagonal; `wrap` goes on below it in tall matrices.
pub fn fill_diagonal(array: &Array, values: &Array, wrap: bool, flavour: Flavour) -> Result<(), ArrayError> {
    let shape = array.shape();
    if shape.len() < 2 {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "array must be at least 2-d",
            Flavour::Dpnp => "array must be at least 2-d",
        }));
    }
    let len = if shape.len() == 2 {
        let (rows, columns) = (shape[0], shape[1]);
        let end = if wrap { rows * columns } else { columns * columns.min(rows) };
        end.min(rows * columns).div_ceil(columns + 1)
    } else if shape.iter().any(|length| *length != shape[0]) {
        return Err(ArrayError::value("All dimensions of input must be of equal length"));
    } else {
        shape[0]
    };
    let step = Layout::contiguous(shape).strides.iter().sum::<isize>() as usize;
    let flat: Vec<i64> = (0..len).map(|index| (index * step) as i64).collect();
    let indices = Array::from_slice(&flat, &[len], &array.alloc())?;
    let values = shapes::flatten(values, Order::C)?;
    put(array, &indices, &values, None, BoundsMode::Raise)
}
