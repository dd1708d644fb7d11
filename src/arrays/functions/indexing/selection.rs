//! Where the elements of an advanced subscript are: NumPy's rules for mixing index arrays, masks, integers and slices.
//!
//! The index arrays are broadcast together and give a list of points, each an offset in the buffer; the slices give a layout. The axes of the
//! points stand where the index arrays stood if those were neighbours, else first.

use super::Index;
use super::on_device;
use super::positions::{self, BoundsMode};
use crate::arrays::array::Array;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::{ArrayError, shape_text_dense};
use crate::arrays::expr::moves::{self, Points, Slots};
use crate::arrays::functions::support;
use crate::arrays::layout::{BasicIndex, Dims, Layout, Strides, broadcast_shapes, slice_range};
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// The elements that a subscript selects.
pub(super) struct Selection {
    /// The shape of the result.
    pub(super) shape: Dims,
    /// Axes of the result before those of the points, in the buffer.
    before: Layout,
    /// Axes of the result after those of the points; its offset is zero.
    after: Layout,
    /// Offset of each point from the position in `before`, int64, one axis.
    points: Array,
    /// The shape of the points.
    points_shape: Dims,
    /// The index arrays with the lengths of their axes, where programs have checked them.
    checked: Vec<(Array, usize)>,
}

/// An index array together with the axis it runs along.
struct Pointer {
    axis: usize,
    indices: Array,
}

impl Selection {
    pub(super) fn new(array: &Array, items: &[Index]) -> Result<Self, ArrayError> {
        let items = without_ellipsis(array, items)?;
        let layout = array.layout();
        let mut pointers = Vec::new();
        let mut slices = Layout { shape: Dims::new(), strides: Strides::new(), offset: layout.offset };
        // Where in `slices` the points go: after how many of its axes; `None` before the first index array.
        let mut position = None;
        let mut left_group = false;
        let mut neighbours = true;
        let mut axis = 0;
        for item in items {
            let advanced =
                !matches!(item, Index::Basic(BasicIndex::Slice { .. } | BasicIndex::NewAxis | BasicIndex::Ellipsis));
            if advanced {
                neighbours &= !left_group;
                position.get_or_insert(slices.rank());
            } else {
                left_group |= position.is_some();
            }
            match item {
                Index::Basic(BasicIndex::At(index)) => {
                    let indices = Array::from_scalar(Scalar::Int(index.into()), DType::Int64, &array.alloc())?;
                    pointers.push(Pointer { axis, indices });
                    axis += 1;
                }
                Index::Basic(BasicIndex::Slice { start, stop, step }) => {
                    let range = slice_range(start, stop, step, layout.shape[axis])?;
                    let start = range.start as isize * layout.strides[axis];
                    slices.offset = (slices.offset as isize + start) as usize;
                    slices.shape.push(range.len);
                    slices.strides.push(layout.strides[axis].saturating_mul(range.step));
                    axis += 1;
                }
                Index::Basic(BasicIndex::NewAxis) => {
                    slices.shape.push(1);
                    slices.strides.push(0);
                }
                Index::Basic(BasicIndex::Ellipsis) => {}
                Index::Integers(indices) => {
                    pointers.push(Pointer { axis, indices });
                    axis += 1;
                }
                Index::Mask(mask) if mask.rank() == 0 => {
                    // A single boolean adds an axis of length one or zero.
                    let len = usize::from(mask.read_flat(0)?.truth());
                    let none = Array::zeros(&[len], DType::Int64, &array.alloc())?;
                    pointers.push(Pointer { axis: usize::MAX, indices: none });
                }
                Index::Mask(mask) => {
                    check_mask_shape(&mask, &layout.shape, axis)?;
                    for (along, indices) in positions::nonzero(&mask)?.into_iter().enumerate() {
                        pointers.push(Pointer { axis: axis + along, indices });
                    }
                    axis += mask.rank();
                }
            }
        }
        let position = if neighbours { position.unwrap_or(0) } else { 0 };
        let shapes: Vec<&[usize]> = pointers.iter().map(|pointer| pointer.indices.shape()).collect();
        let points_shape = broadcast_shapes(&shapes).map_err(|_| {
            let arrays = shapes.iter().filter(|shape| !shape.is_empty());
            let texts: String = arrays.map(|shape| shape_text_dense(shape) + " ").collect();
            ArrayError::index(format!(
                "shape mismatch: indexing arrays could not be broadcast together with shapes {texts}"
            ))
        })?;
        let (points, checked) = point_offsets(array, &pointers, &points_shape)?;
        let part = |from: usize, to: usize, offset: usize| Layout {
            shape: slices.shape[from..to].into(),
            strides: slices.strides[from..to].into(),
            offset,
        };
        let before = part(0, position, slices.offset);
        let after = part(position, slices.rank(), 0);
        let shape = before.shape.iter().chain(&points_shape).chain(&after.shape).copied().collect();
        Ok(Selection { shape, before, after, points, points_shape, checked })
    }

    fn as_points(&self) -> Points<'_> {
        Points { before: &self.before, after: &self.after, offsets: &self.points }
    }

    /// Copies the selected elements into a new array.
    pub(super) fn gather(&self, array: &Array) -> Result<Array, ArrayError> {
        let result = support::allocate(&self.shape, array.dtype(), &array.alloc())?;
        if result.len_elements() == 0 {
            return Ok(result);
        }
        if on_device::is_for_programs(&[array, &self.points]) && moves::gather(array, self.as_points(), &result)? {
            return Ok(result);
        }
        on_device::note_on_host(array);
        dispatch!(array.dtype(), T => support::read_buffer::<T, _>(array, |from| {
            support::write::<T, _>(&result, |to| {
                let mut slots = to.iter_mut();
                self.for_each(|position| {
                    if let Some(slot) = slots.next() {
                        *slot = from[position];
                    }
                })
            })
        })?)?;
        Ok(result)
    }

    /// Writes the elements of `source`, which has the shape of the selection and does not overlap it, in reading order.
    pub(super) fn scatter(&self, array: &Array, source: &Array) -> Result<(), ArrayError> {
        if self.shape.contains(&0) {
            return Ok(());
        }
        if !self.checked.is_empty()
            && on_device::is_for_programs(&[array, source])
            && let Some((numbers, len)) = on_device::slots(&self.checked, &self.points_shape)?
            && moves::scatter(array, self.as_points(), &self.points_shape, Slots { numbers: &numbers, len }, source)?
        {
            return Ok(());
        }
        on_device::note_on_host(array);
        dispatch!(array.dtype(), T => support::read::<T, _>(source, |from, from_layout| {
            support::write_buffer::<T>(array, |to| {
                let mut sources = from_layout.positions();
                self.for_each(|position| {
                    if let Some(source) = sources.next() {
                        to[position] = from[source];
                    }
                })
            })
        })?)
    }

    /// Writes one value to all selected elements.
    pub(super) fn fill(&self, array: &Array, value: Scalar) -> Result<(), ArrayError> {
        if self.shape.contains(&0) {
            return Ok(());
        }
        if on_device::is_for_programs(&[array, &self.points]) {
            let one = Array::from_scalar(value, array.dtype(), &array.alloc())?;
            if moves::fill(array, self.as_points(), &one)? {
                return Ok(());
            }
        }
        on_device::note_on_host(array);
        dispatch!(array.dtype(), T => {
            let value = <T as Element>::from_scalar(value);
            support::write_buffer::<T>(array, |to| self.for_each(|position| to[position] = value))
        })
    }

    /// Calls `work` with the position in the buffer of every selected element, in the order of the result.
    fn for_each(&self, mut work: impl FnMut(usize)) -> Result<(), ArrayError> {
        let inner = self.after.coalesced();
        let simple = match inner.rank() {
            0 => Some((1, 1)),
            1 => Some((inner.shape[0], inner.strides[0])),
            _ => None,
        };
        support::read::<i64, _>(&self.points, |points, _| {
            for base in self.before.positions() {
                for tile in points.chunks(1 << 12) {
                    crate::arrays::attention::check()?;
                    for point in tile {
                        let start = (base as i64 + point) as isize;
                        match simple {
                            Some((len, stride)) => {
                                support::step_positions(start as usize, len, stride).for_each(&mut work);
                            }
                            // The offset of `after` is zero and its steps may be negative: add as signed numbers.
                            None => for_each_offset(&inner, |offset| work((start + offset) as usize)),
                        }
                    }
                }
            }
            Ok(())
        })?
    }
}

/// Calls `work` with the signed offset of every element of a layout whose own offset is ignored.
fn for_each_offset(layout: &Layout, mut work: impl FnMut(isize)) {
    fn axis(shape: &[usize], strides: &[isize], base: isize, work: &mut impl FnMut(isize)) {
        match (shape.split_first(), strides.split_first()) {
            (Some((len, inner_shape)), Some((stride, inner_strides))) => {
                for index in 0..*len {
                    axis(inner_shape, inner_strides, base + index as isize * stride, work);
                }
            }
            _ => work(base),
        }
    }
    axis(&layout.shape, &layout.strides, 0, &mut work);
}

/// Replaces `...` by full slices, keeping its place as a separator, and checks the number of items.
fn without_ellipsis(array: &Array, items: &[Index]) -> Result<Vec<Index>, ArrayError> {
    const FULL: Index = Index::Basic(BasicIndex::Slice { start: None, stop: None, step: None });
    let rank = array.rank();
    let used: usize = items
        .iter()
        .map(|item| match item {
            Index::Basic(BasicIndex::At(_) | BasicIndex::Slice { .. }) | Index::Integers(_) => 1,
            Index::Basic(BasicIndex::NewAxis | BasicIndex::Ellipsis) => 0,
            Index::Mask(mask) => mask.rank(),
        })
        .sum();
    if used > rank {
        return Err(ArrayError::index(format!(
            "too many indices for array: array is {rank}-dimensional, but {used} were indexed"
        )));
    }
    let is_ellipsis = |item: &&Index| matches!(item, Index::Basic(BasicIndex::Ellipsis));
    let ellipses = items.iter().filter(is_ellipsis).count();
    if ellipses > 1 {
        return Err(ArrayError::index("an index can only have a single ellipsis ('...')"));
    }
    let mut expanded = Vec::with_capacity(items.len() + rank - used);
    for item in items {
        expanded.push(item.clone());
        if is_ellipsis(&item) {
            expanded.extend(std::iter::repeat_n(FULL, rank - used));
        }
    }
    if ellipses == 0 {
        expanded.extend(std::iter::repeat_n(FULL, rank - used));
    }
    Ok(expanded)
}

/// NumPy's error for a mask that does not fit the axes it stands for.
pub(super) fn check_mask_shape(mask: &Array, shape: &[usize], first_axis: usize) -> Result<(), ArrayError> {
    for (along, have) in mask.shape().iter().enumerate() {
        let axis = first_axis + along;
        if shape[axis] != *have {
            return Err(ArrayError::index(format!(
                "boolean index did not match indexed array along axis {axis}; size of axis is {} but size of corresponding boolean axis is {have}",
                shape[axis]
            )));
        }
    }
    Ok(())
}

/// The offset of every point: the sum over the index arrays of index times stride, with bounds checked. Where programs do it,
/// the checked index arrays with the lengths of their axes too.
fn point_offsets(
    array: &Array,
    pointers: &[Pointer],
    shape: &[usize],
) -> Result<(Array, Vec<(Array, usize)>), ArrayError> {
    let len = crate::arrays::layout::checked_len(shape).ok_or_else(support::too_big)?;
    let pointing = || pointers.iter().filter(|pointer| pointer.axis != usize::MAX);
    let involved: Vec<&Array> = std::iter::once(array).chain(pointing().map(|pointer| &pointer.indices)).collect();
    if len > 0 && on_device::is_for_programs(&involved) && involved[1..].iter().all(|array| array.dtype().is_integer())
    {
        let (lengths, strides) = (&array.layout().shape, &array.layout().strides);
        let checked: Vec<(Array, usize)> = pointing()
            .map(|Pointer { axis, indices }| {
                let checked = on_device::checked(indices, *axis, lengths[*axis], BoundsMode::Raise)?;
                Ok((checked, lengths[*axis]))
            })
            .collect::<Result<_, ArrayError>>()?;
        let steps: Vec<(Array, isize)> =
            checked.iter().zip(pointing()).map(|((indices, _), of)| (indices.clone(), strides[of.axis])).collect();
        if let Some(points) = on_device::offsets(&steps, shape)? {
            return Ok((points, checked));
        }
    }
    let points = Array::zeros(&[len], DType::Int64, &array.alloc())?;
    for pointer in pointers.iter().filter(|pointer| pointer.axis != usize::MAX) {
        let (axis_len, stride) = (array.shape()[pointer.axis], array.layout().strides[pointer.axis] as i64);
        let indices = pointer.indices.broadcast_to(shape)?;
        dispatch!(indices.dtype(), integer T => support::read::<T, _>(&indices, |elements, layout| {
            support::write::<i64, _>(&points, |points| {
                let mut positions = layout.positions();
                support::in_tiles_checked(points, |_, tile| {
                    for (point, position) in tile.iter_mut().zip(&mut positions) {
                        let index = elements[position].to_scalar().wrapping_int() as i64;
                        // uint64 beyond int64 wraps to a negative number: refuse it with the others out of bounds.
                        let resolved = if index < 0 { index + axis_len as i64 } else { index };
                        if resolved < 0 || resolved >= axis_len as i64 {
                            return Err(ArrayError::IndexOutOfBounds { index, axis: pointer.axis, len: axis_len });
                        }
                        *point += resolved * stride;
                    }
                    Ok(())
                })
            })
        })?, else => Err(ArrayError::index("arrays used as indices must be of integer (or boolean) type")))?;
    }
    Ok((points, Vec::new()))
}
