//! What every family needs: allocation beside the inputs, access to elements under any layout, copies, casts and axes.
//!
//! Work here runs on the calling thread over the memory itself, after pending work on it; it is how a function reaches elements that no
//! element-wise expression can. Element-wise arithmetic belongs to `expr`.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::arrays::account;
use crate::arrays::array::{Alloc, Array, check_dtype_on};
use crate::arrays::attention;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::{ArrayError, OutOfMemory, Shortage};
use crate::arrays::expr::Expr;
use crate::arrays::layout::{Dims, Layout, Order, Strides, normalize_axis};
use crate::arrays::readings::Amount;
use crate::arrays::scalar::Scalar;
use crate::arrays::{limit, pool};
use crate::dispatch;

/// Elements between two looks at the interrupt flag.
const TILE: usize = 1 << 16;

/// The `order` argument of NumPy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryOrder {
    /// Last axis fastest.
    C,
    /// First axis fastest.
    F,
    /// F if the input is F-contiguous and not C-contiguous, else C.
    A,
    /// As close to the input as possible.
    K,
}

impl MemoryOrder {
    /// Reads NumPy's letter.
    pub fn parse(letter: &str) -> Result<Self, ArrayError> {
        match letter {
            "C" | "c" => Ok(MemoryOrder::C),
            "F" | "f" => Ok(MemoryOrder::F),
            "A" | "a" => Ok(MemoryOrder::A),
            "K" | "k" => Ok(MemoryOrder::K),
            _ => Err(ArrayError::value(format!("order must be one of 'C', 'F', 'A', or 'K' (got '{letter}')"))),
        }
    }

    /// The order this means for an input.
    pub fn resolve(self, layout: &Layout) -> Order {
        let fortran = layout.is_f_contiguous() && !layout.is_c_contiguous();
        match self {
            MemoryOrder::C => Order::C,
            MemoryOrder::F => Order::F,
            MemoryOrder::A | MemoryOrder::K if fortran => Order::F,
            MemoryOrder::A | MemoryOrder::K => Order::C,
        }
    }
}

/// NumPy's error for a length that no memory can have.
pub fn too_big() -> ArrayError {
    ArrayError::value("array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.")
}

/// A sum of lengths, or NumPy's error.
pub fn add_lengths(left: usize, right: usize) -> Result<usize, ArrayError> {
    left.checked_add(right).ok_or_else(too_big)
}

/// A new C-ordered array whose every element the caller writes.
pub fn allocate(shape: &[usize], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    Array::for_overwrite(shape, dtype, alloc)
}

/// As [`allocate`] in the given order.
pub fn allocate_ordered(shape: &[usize], dtype: DType, order: Order, alloc: &Alloc) -> Result<Array, ArrayError> {
    Array::for_overwrite_ordered(shape, dtype, alloc, order)
}

/// A new array whose axes lie in memory in the order of those of `layout`: NumPy's order 'K'.
pub fn allocate_kept_order(layout: &Layout, dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    let mut axes: SmallVec<[usize; 6]> = (0..layout.rank()).collect();
    axes.sort_by_key(|axis| std::cmp::Reverse(layout.strides[*axis].unsigned_abs()));
    let sorted: Dims = axes.iter().map(|axis| layout.shape[*axis]).collect();
    let fresh = allocate(&sorted, dtype, alloc)?;
    let mut kept = Layout::contiguous(&layout.shape);
    for (position, axis) in axes.iter().enumerate() {
        kept.strides[*axis] = fresh.layout().strides[position];
    }
    Ok(fresh.view(kept))
}

/// Where a result of this array goes.
pub fn alloc_of(array: &Array) -> Alloc {
    array.alloc()
}

/// Where a result of several arrays goes, or the placement error if their queues differ.
pub fn common_alloc(arrays: &[&Array]) -> Result<Alloc, ArrayError> {
    let Some((first, others)) = arrays.split_first() else {
        return Err(ArrayError::value("need at least one array"));
    };
    let mut alloc = first.alloc();
    for other in others {
        if other.place() != first.place() {
            let (left, right) = (first.device().ledger_name(), other.device().ledger_name());
            return Err(ArrayError::Placement {
                message: format!(
                    "Execution placement can not be unambiguously inferred from input arguments: one array is on {left}, another on {right}{}. Bring them together with `x.to_device(y.sycl_queue)`.",
                    if left == right { " through a different queue" } else { "" }
                )
                .into(),
            });
        }
        if let Some(usm) = other.usm() {
            alloc.usm = alloc.usm.coerce(usm);
        }
    }
    Ok(alloc)
}

/// The stretch of the buffer that an array touches, and the array's layout relative to it.
fn span(array: &Array) -> (Array, Layout) {
    let layout = array.layout();
    let (low, len) = layout.bounds().map_or((0, 0), |(low, high)| (low, high - low + 1));
    let relative = Layout { offset: layout.offset.saturating_sub(low), ..layout.clone() };
    (array.view(Layout { offset: low, ..Layout::contiguous(&[len]) }), relative)
}

/// The account says what the host does for a device that computes itself.
fn note_on_host(array: &Array) {
    if array.place().queue().is_some_and(|queue| queue.device().computes()) {
        account::note_elements_on_host(array.bytes() as u64);
    }
}

/// Reads elements under any layout: `work` gets a slice and the layout in it.
pub fn read<T: Element, R>(array: &Array, work: impl FnOnce(&[T], &Layout) -> R) -> Result<R, ArrayError> {
    note_on_host(array);
    let (stretch, layout) = span(array);
    stretch.with_slice(|elements| work(elements, &layout))
}

/// Writes elements under any layout.
pub fn write_strided<T: Element>(
    array: &Array,
    work: impl FnOnce(&mut [T], &Layout) -> Result<(), ArrayError>,
) -> Result<(), ArrayError> {
    if array.is_only_noted() {
        return Ok(());
    }
    note_on_host(array);
    let (stretch, layout) = span(array);
    stretch.with_slice_mut(|elements| work(elements, &layout))?
}

/// Writes the elements of a contiguous array.
pub fn write<T: Element, F>(array: &Array, work: F) -> Result<(), ArrayError>
where
    F: FnOnce(&mut [T]) -> Result<(), ArrayError>,
{
    if array.is_only_noted() {
        return Ok(());
    }
    note_on_host(array);
    array.with_slice_mut(work)?
}

/// Reads the whole buffer of an array: positions are those of its layout.
pub fn read_buffer<T: Element, R>(array: &Array, work: impl FnOnce(&[T]) -> R) -> Result<R, ArrayError> {
    note_on_host(array);
    whole_buffer(array).with_slice(work)
}

/// Writes anywhere in the buffer of an array: positions are those of its layout.
pub fn write_buffer<T: Element>(
    array: &Array,
    work: impl FnOnce(&mut [T]) -> Result<(), ArrayError>,
) -> Result<(), ArrayError> {
    if array.is_only_noted() {
        return Ok(());
    }
    note_on_host(array);
    whole_buffer(array).with_slice_mut(work)?
}

fn whole_buffer(array: &Array) -> Array {
    array.view(Layout::contiguous(&[array.buffer().bytes() / array.dtype().bytes()]))
}

/// The array itself, or a copy if it lives in the same buffer as `target`, which is about to be written.
pub fn detached(source: &Array, target: &Array) -> Result<Array, ArrayError> {
    if Arc::ptr_eq(source.buffer(), target.buffer()) { copy(source, Order::C) } else { Ok(source.clone()) }
}

/// Overwrites a contiguous array with raw bytes of its own length.
pub fn write_bytes(array: &Array, bytes: &[u8]) -> Result<(), ArrayError> {
    if array.is_only_noted() {
        return Ok(());
    }
    if array.dtype() == DType::Bool {
        // Any byte may come in; only 0 and 1 are booleans.
        return write::<bool, _>(array, |elements| {
            elements.iter_mut().zip(bytes).for_each(|(element, byte)| *element = *byte != 0);
            Ok(())
        });
    }
    array.view_as(DType::UInt8)?.with_slice_mut(|elements: &mut [u8]| elements.copy_from_slice(bytes))
}

/// Reads the elements in C order as raw bytes.
pub fn read_bytes<R>(array: &Array, work: impl FnOnce(&[u8]) -> R) -> Result<R, ArrayError> {
    let whole = contiguous(array)?;
    let flat = whole.view(Layout { offset: whole.layout().offset, ..Layout::contiguous(&[whole.len_elements()]) });
    if flat.dtype() == DType::Bool {
        let bytes: Vec<u8> =
            flat.with_slice(|elements: &[bool]| elements.iter().map(|element| u8::from(*element)).collect())?;
        return Ok(work(&bytes));
    }
    flat.view_as(DType::UInt8)?.with_slice(work)
}

/// Calls `work` on tiles with the position of their first element, looking at the interrupt flag between tiles.
pub fn in_tiles<T>(elements: &mut [T], mut work: impl FnMut(usize, &mut [T])) -> Result<(), ArrayError> {
    for (tile, part) in elements.chunks_mut(TILE).enumerate() {
        attention::check()?;
        work(tile * TILE, part);
    }
    Ok(())
}

/// As [`in_tiles`] for work that can fail.
pub fn in_tiles_checked<T>(
    elements: &mut [T],
    mut work: impl FnMut(usize, &mut [T]) -> Result<(), ArrayError>,
) -> Result<(), ArrayError> {
    for (tile, part) in elements.chunks_mut(TILE).enumerate() {
        attention::check()?;
        work(tile * TILE, part)?;
    }
    Ok(())
}

/// Values outside any array while a function works on them; their memory is reserved from the host's limit, so that a refusal is an
/// error and not an abort.
#[derive(Debug)]
pub struct HostValues<T> {
    values: Vec<T>,
    _reserved: limit::Reservation,
}

impl<T> HostValues<T> {
    /// Collects exactly `len` values.
    pub fn collect(len: usize, values: impl IntoIterator<Item = T>) -> Result<Self, ArrayError> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_big)?;
        let reserved = pool::reserve_host(bytes).map_err(|refused| {
            ArrayError::OutOfMemory(Box::new(OutOfMemory {
                bytes: refused.bytes,
                device: "host".into(),
                usm: None,
                free: Amount::known(refused.free as u64, limit::total().source),
                total: limit::capacity(),
                max_single: Amount::unknown("the host has no limit for a single allocation"),
                shortage: Shortage::Capacity,
            }))
        })?;
        let mut collected = Vec::with_capacity(len);
        collected.extend(values);
        Ok(HostValues { values: collected, _reserved: reserved })
    }
}

impl<T> Deref for HostValues<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values
    }
}

impl<T> DerefMut for HostValues<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

impl<'a, T> IntoIterator for &'a HostValues<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<T> IntoIterator for HostValues<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

/// All elements in C order, each converted.
fn converted<R>(array: &Array, convert: impl Fn(Scalar) -> R) -> Result<HostValues<R>, ArrayError> {
    dispatch!(array.dtype(), T => read::<T, _>(array, |elements, layout| {
        HostValues::collect(layout.len_elements(), layout.positions().map(|position| convert(elements[position].to_scalar())))
    })?)
}

/// All elements in C order as scalars.
pub fn scalars(array: &Array) -> Result<HostValues<Scalar>, ArrayError> {
    converted(array, |value| value)
}

/// All elements in C order as signed integers, for shapes, counts and indices; other dtypes are refused.
pub fn integers(array: &Array) -> Result<HostValues<i64>, ArrayError> {
    if !array.dtype().is_integer() {
        return Err(ArrayError::type_error(format!(
            "Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'",
            array.dtype()
        )));
    }
    converted(array, |value| value.wrapping_int() as i64)
}

/// All elements in C order as float64, whatever the dtype; complex numbers lose their imaginary part.
pub fn reals(array: &Array) -> Result<HostValues<f64>, ArrayError> {
    converted(array, Scalar::real)
}

/// The array itself if it is C-contiguous, else a copy that is.
pub fn contiguous(array: &Array) -> Result<Array, ArrayError> {
    if array.is_c_contiguous() { Ok(array.clone()) } else { copy(array, Order::C) }
}

/// The elements in C order under another shape of as many: a view where the strides allow it, else a copy.
pub fn with_shape(array: &Array, shape: &[usize]) -> Result<Array, ArrayError> {
    match array.reshaped_view(shape, Order::C) {
        Some(view) => Ok(view),
        None => {
            let copied = contiguous(array)?;
            Ok(copied.view(Layout { offset: copied.layout().offset, ..Layout::contiguous(shape) }))
        }
    }
}

/// A copy beside the original.
pub fn copy(array: &Array, order: Order) -> Result<Array, ArrayError> {
    let result = allocate_ordered(array.shape(), array.dtype(), order, &array.alloc())?;
    copy_into(&result, array)?;
    Ok(result)
}

/// The array in another dtype; itself if it has it already. C casts, as `astype(casting="unsafe")`.
pub fn cast(array: &Array, dtype: DType) -> Result<Array, ArrayError> {
    if array.dtype() == dtype {
        return Ok(array.clone());
    }
    let result = allocate(array.shape(), dtype, &array.alloc())?;
    copy_into(&result, array)?;
    Ok(result)
}

/// Sets every element, cast as C casts.
pub fn fill(array: &Array, value: Scalar) -> Result<(), ArrayError> {
    Expr::constant(value.cast(array.dtype()), array.dtype()).evaluate_into(array, None)
}

/// Assigns `source`, broadcast and cast as C casts, to the elements of `target` on the same device. Overlap is safe.
pub fn copy_into(target: &Array, source: &Array) -> Result<(), ArrayError> {
    Expr::array(&source.broadcast_to(target.shape())?).evaluate_into(target, None)
}

/// As [`copy_into`], from any device: what crosses is cast where it comes from, and accounted.
pub fn transfer_into(target: &Array, source: &Array) -> Result<(), ArrayError> {
    if source.device() == target.device() {
        return copy_into(target, source);
    }
    account::note_transfer(source.bytes() as u64, source.device().ledger_name(), target.device().ledger_name());
    let source = source.broadcast_to(target.shape())?;
    if check_dtype_on(target.dtype(), source.place()).is_err() {
        // The device that the elements come from does not know the dtype they become: they change it where they arrive.
        let arrived = allocate(target.shape(), source.dtype(), &target.alloc())?;
        copy_across(&arrived, &source)?;
        return copy_into(target, &arrived);
    }
    copy_across(target, &cast(&source, target.dtype())?)
}

/// Copies between devices, dtype and shape being the same.
fn copy_across(target: &Array, source: &Array) -> Result<(), ArrayError> {
    if target.is_only_noted() {
        return Ok(());
    }
    // The memory of every device here is within reach of the host, so the copy needs no staging block.
    dispatch!(target.dtype(), T => read::<T, _>(source, |from, from_layout| {
        write_strided::<T>(target, |to, to_layout| copy_elements(to, to_layout, from, from_layout))
    })?)
}

/// Copies between two layouts of the same shape.
fn copy_elements<T: Copy>(
    to: &mut [T],
    to_layout: &Layout,
    from: &[T],
    from_layout: &Layout,
) -> Result<(), ArrayError> {
    for_each_pair(to_layout, from_layout, |to_run, from_run, len| {
        if to_run.1 == 1 && from_run.1 == 1 {
            to[to_run.0..to_run.0 + len].copy_from_slice(&from[from_run.0..from_run.0 + len]);
        } else {
            for (to_position, from_position) in
                step_positions(to_run.0, len, to_run.1).zip(step_positions(from_run.0, len, from_run.1))
            {
                to[to_position] = from[from_position];
            }
        }
    })
}

/// The positions of a run with a step.
pub fn step_positions(offset: usize, len: usize, stride: isize) -> impl Iterator<Item = usize> {
    let mut position = offset as isize;
    (0..len).map(move |_| {
        let current = position as usize;
        position += stride;
        current
    })
}

/// Calls `work(offset, len, stride)` for every run along the last axis of the merged layout.
pub fn for_each_run(layout: &Layout, mut work: impl FnMut(usize, usize, isize)) -> Result<(), ArrayError> {
    if layout.is_empty() {
        return Ok(());
    }
    let merged = layout.coalesced();
    let Some((outer, len, stride)) = split_last(&merged) else {
        work(merged.offset, 1, 1);
        return Ok(());
    };
    let mut polled = 0;
    for offset in outer.positions() {
        poll(&mut polled, len)?;
        work(offset, len, stride);
    }
    Ok(())
}

/// Calls `work((offset, stride), (offset, stride), len)` for runs along the last axis of two layouts of the same shape.
fn for_each_pair(
    left: &Layout,
    right: &Layout,
    mut work: impl FnMut((usize, isize), (usize, isize), usize),
) -> Result<(), ArrayError> {
    if left.is_empty() {
        return Ok(());
    }
    let (left, right) = coalesce_pair(left, right);
    let (Some((left_outer, len, left_stride)), Some((right_outer, _, right_stride))) =
        (split_last(&left), split_last(&right))
    else {
        work((left.offset, 1), (right.offset, 1), 1);
        return Ok(());
    };
    let mut polled = 0;
    for (left_offset, right_offset) in left_outer.positions().zip(right_outer.positions()) {
        poll(&mut polled, len)?;
        work((left_offset, left_stride), (right_offset, right_stride), len);
    }
    Ok(())
}

/// Merges neighbouring axes that are chained in both layouts, and puts the axis with the smallest steps last.
fn coalesce_pair(left: &Layout, right: &Layout) -> (Layout, Layout) {
    let mut axes: SmallVec<[usize; 6]> = (0..left.rank()).filter(|axis| left.shape[*axis] != 1).collect();
    // The target decides: writing in memory order is what matters. A stable sort keeps C order among equals.
    axes.sort_by_key(|axis| {
        std::cmp::Reverse((left.strides[*axis].unsigned_abs(), right.strides[*axis].unsigned_abs()))
    });
    let empty = |offset| Layout { shape: Dims::new(), strides: Strides::new(), offset };
    let (mut merged_left, mut merged_right) = (empty(left.offset), empty(right.offset));
    for axis in axes {
        let len = left.shape[axis];
        let (left_stride, right_stride) = (left.strides[axis], right.strides[axis]);
        let chained = |merged: &Layout, stride: isize| merged.strides.last() == Some(&(stride * len as isize));
        if chained(&merged_left, left_stride) && chained(&merged_right, right_stride) {
            for (merged, stride) in [(&mut merged_left, left_stride), (&mut merged_right, right_stride)] {
                if let (Some(last_len), Some(last_stride)) = (merged.shape.last_mut(), merged.strides.last_mut()) {
                    *last_len *= len;
                    *last_stride = stride;
                }
            }
        } else {
            for (merged, stride) in [(&mut merged_left, left_stride), (&mut merged_right, right_stride)] {
                merged.shape.push(len);
                merged.strides.push(stride);
            }
        }
    }
    (merged_left, merged_right)
}

fn split_last(layout: &Layout) -> Option<(Layout, usize, isize)> {
    let mut outer = layout.clone();
    let (len, stride) = (outer.shape.pop()?, outer.strides.pop()?);
    Some((outer, len, stride))
}

fn poll(done: &mut usize, len: usize) -> Result<(), ArrayError> {
    *done += len;
    if *done >= TILE {
        *done = 0;
        attention::check()?;
    }
    Ok(())
}

/// Distinct axes, each within the rank.
pub fn axes_set(axes: &[i64], rank: usize) -> Result<Dims, ArrayError> {
    axes_set_named(axes, rank, "repeated axis")
}

/// As [`axes_set`] with another message for an axis given twice.
pub fn axes_set_named(axes: &[i64], rank: usize, repeated: &str) -> Result<Dims, ArrayError> {
    let mut set = Dims::new();
    for axis in axes {
        let axis = normalize_axis(*axis, rank)?;
        if set.contains(&axis) {
            return Err(ArrayError::value(repeated));
        }
        set.push(axis);
    }
    Ok(set)
}
