//! `sort`, `argsort`, `lexsort`, `partition` and `argpartition`. NaN sorts last, as in NumPy; every sort here is stable.

use std::cmp::Ordering;

use half::f16;
use num_complex::Complex;
use rayon::slice::ParallelSliceMut;

use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::expr::moves;
use crate::arrays::layout::{Layout, Order, normalize_axis};
use crate::dispatch;

/// NumPy's order of elements: numbers rising, NaN last; complex numbers by real part, then by imaginary part.
pub trait SortKey: Element {
    /// Compares two elements in that order; NaN equals NaN.
    fn order(&self, other: &Self) -> Ordering;
}

macro_rules! ordered {
    ($($ty:ty),*) => {$(
        impl SortKey for $ty {
            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }
        }
    )*};
}
ordered!(bool, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! ordered_floats {
    ($($ty:ty),*) => {$(
        impl SortKey for $ty {
            fn order(&self, other: &Self) -> Ordering {
                self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
        }
    )*};
}
ordered_floats!(f16, f32, f64);

macro_rules! ordered_complex {
    ($($ty:ty),*) => {$(
        impl SortKey for Complex<$ty> {
            fn order(&self, other: &Self) -> Ordering {
                // NumPy sorts [R + Rj, R + nanj, nan + Rj, nan + nanj].
                let group = |value: &Self| (value.re.is_nan(), value.im.is_nan());
                group(self)
                    .cmp(&group(other))
                    .then_with(|| self.re.order(&other.re))
                    .then_with(|| self.im.order(&other.im))
            }
        }
    )*};
}
ordered_complex!(f32, f64);

/// Moves the axis last and makes the lines along it contiguous; also the way back.
struct Lines {
    /// C-contiguous, the axis last; a fresh copy.
    array: Array,
    axis: usize,
    len: usize,
}

impl Lines {
    fn of(array: &Array, axis: Option<i64>) -> Result<Self, ArrayError> {
        let (array, axis) = match axis {
            None => (shapes::ravel(array, MemoryOrder::C)?, 0),
            Some(axis) => (array.clone(), normalize_axis(axis, array.rank())?),
        };
        let moved = shapes::moveaxis(&array, &[axis as i64], &[-1])?;
        Ok(Lines { len: array.shape()[axis], array: support::copy(&moved, Order::C)?, axis })
    }

    /// Sorts by programs where the device runs them; `positions` gets where the elements were.
    fn sort_on_device(&self, descending: bool, positions: Option<&Array>) -> Result<bool, ArrayError> {
        if !moves::runs_programs(self.array.place()) || self.array.len_elements() == 0 {
            return Ok(false);
        }
        let scratch = match positions {
            Some(positions) => positions.clone(),
            None => support::allocate(self.array.shape(), DType::Int64, &self.array.alloc())?,
        };
        moves::sort(&self.array, self.len, descending, &scratch)
    }

    fn restore(&self, lines: &Array) -> Result<Array, ArrayError> {
        if self.axis + 1 == lines.rank() {
            return Ok(lines.clone());
        }
        support::copy(&shapes::moveaxis(lines, &[-1], &[self.axis as i64])?, Order::C)
    }
}

/// `sort` along an axis (none: of the flattened array), a copy.
pub fn sort(array: &Array, axis: Option<i64>, descending: bool) -> Result<Array, ArrayError> {
    let lines = Lines::of(array, axis)?;
    if lines.len > 1 && !lines.sort_on_device(descending, None)? {
        dispatch!(array.dtype(), T => support::write::<T, _>(&lines.array, |elements| {
            for line in elements.chunks_exact_mut(lines.len) {
                crate::arrays::attention::check()?;
                sort_line(line, descending);
            }
            Ok(())
        }))?;
    }
    lines.restore(&lines.array)
}

/// `sort_complex`: the flattened input as complex numbers, sorted along the last axis.
pub fn sort_complex(array: &Array) -> Result<Array, ArrayError> {
    let dtype = match array.dtype() {
        DType::Int8 | DType::Int16 | DType::UInt8 | DType::UInt16 => DType::Complex64,
        dtype if dtype.is_complex() => dtype,
        DType::Float32 => DType::Complex64,
        _ => DType::default_complex(array.place().fp64()),
    };
    sort(&support::cast(array, dtype)?, Some(-1), false)
}

/// Sorts in place, as `ndarray.sort`.
pub fn sort_in_place(array: &Array, axis: i64, descending: bool) -> Result<(), ArrayError> {
    support::copy_into(array, &sort(array, Some(axis), descending)?)
}

/// Longer lines are sorted by several threads; the result is the same.
const THREADED_MIN: usize = 1 << 15;

fn sort_line<T: SortKey>(line: &mut [T], descending: bool) {
    // Equal numbers cannot be told apart except zeros of different sign and NaNs, so only those need a stable sort.
    if line.len() >= THREADED_MIN {
        match (T::DTYPE.is_inexact(), descending) {
            (true, true) => line.par_sort_by(descending_order),
            (true, false) => line.par_sort_by(T::order),
            (false, true) => line.par_sort_unstable_by(|left, right| right.order(left)),
            (false, false) => line.par_sort_unstable_by(T::order),
        }
    } else if T::DTYPE.is_inexact() {
        if descending { line.sort_by(|left, right| descending_order(left, right)) } else { line.sort_by(T::order) }
    } else if descending {
        line.sort_unstable_by(|left, right| right.order(left));
    } else {
        line.sort_unstable_by(T::order);
    }
}

/// Falling order with NaN still last.
fn descending_order<T: SortKey>(left: &T, right: &T) -> Ordering {
    // A NaN is the one value that does not equal itself.
    #[expect(clippy::eq_op, reason = "this is how NaN is recognised in every element type")]
    let is_nan = |value: &T| value != value;
    match (is_nan(left), is_nan(right)) {
        (false, false) => right.order(left),
        (left, right) => left.cmp(&right),
    }
}

/// `argsort`: the indices that sort.
pub fn argsort(array: &Array, axis: Option<i64>, descending: bool) -> Result<Array, ArrayError> {
    let lines = Lines::of(array, axis)?;
    let indices = support::allocate(lines.array.shape(), DType::Int64, &array.alloc())?;
    if lines.len > 0 && !lines.sort_on_device(descending, Some(&indices))? {
        dispatch!(array.dtype(), T => lines.array.with_slice::<T, _>(|elements| {
            support::write::<i64, _>(&indices, |indices| {
                for (line, order) in elements.chunks_exact(lines.len).zip(indices.chunks_exact_mut(lines.len)) {
                    crate::arrays::attention::check()?;
                    order.iter_mut().enumerate().for_each(|(position, index)| *index = position as i64);
                    let compare = |left: &i64, right: &i64| {
                        let (left, right) = (&line[*left as usize], &line[*right as usize]);
                        if descending { descending_order(left, right) } else { left.order(right) }
                    };
                    if order.len() >= THREADED_MIN {
                        order.par_sort_by(compare);
                    } else {
                        order.sort_by(compare);
                    }
                }
                Ok(())
            })
        })?)?;
    }
    lines.restore(&indices)
}

/// `lexsort`: indices that sort by several keys, the last key first in importance.
pub fn lexsort(keys: &[&Array], axis: i64) -> Result<Array, ArrayError> {
    let Some((last, others)) = keys.split_last() else {
        return Err(ArrayError::type_error("need sequence of keys with len > 0 in lexsort"));
    };
    if others.iter().any(|key| key.shape() != last.shape()) {
        return Err(ArrayError::value("all keys need to be the same shape"));
    }
    if last.rank() == 0 {
        return Array::zeros(&[], DType::Int64, &last.alloc());
    }
    // Stable sorts from the least to the most important key give the order of all of them.
    let mut order = argsort(keys[0], Some(axis), false)?;
    for key in &keys[1..] {
        let arranged = super::indexing::take_along_axis(key, &order, Some(axis), super::indexing::BoundsMode::Raise)?;
        let finer = argsort(&arranged, Some(axis), false)?;
        order = super::indexing::take_along_axis(&order, &finer, Some(axis), super::indexing::BoundsMode::Raise)?;
    }
    Ok(order)
}

fn checked_kths(kths: &[i64], len: usize) -> Result<Vec<usize>, ArrayError> {
    let mut checked = kths
        .iter()
        .map(|kth| {
            let positive = if *kth < 0 { kth + len as i64 } else { *kth };
            usize::try_from(positive)
                .ok()
                .filter(|positive| *positive < len.max(1))
                .ok_or_else(|| ArrayError::value(format!("kth(={kth}) out of bounds ({len})")))
        })
        .collect::<Result<Vec<usize>, _>>()?;
    checked.sort_unstable();
    Ok(checked)
}

/// `partition`: the elements at the given places are where sorting would put them, smaller ones before, larger ones behind.
pub fn partition(array: &Array, kths: &[i64], axis: Option<i64>) -> Result<Array, ArrayError> {
    let lines = Lines::of(array, axis)?;
    let kths = checked_kths(kths, lines.len)?;
    if lines.len > 1 {
        dispatch!(array.dtype(), T => support::write::<T, _>(&lines.array, |elements| {
            for line in elements.chunks_exact_mut(lines.len) {
                crate::arrays::attention::check()?;
                partition_line(line, &kths, &T::order);
            }
            Ok(())
        }))?;
    }
    lines.restore(&lines.array)
}

/// `argpartition`.
pub fn argpartition(array: &Array, kths: &[i64], axis: Option<i64>) -> Result<Array, ArrayError> {
    let lines = Lines::of(array, axis)?;
    let kths = checked_kths(kths, lines.len)?;
    let indices = support::allocate(lines.array.shape(), DType::Int64, &array.alloc())?;
    if lines.len > 0 {
        dispatch!(array.dtype(), T => lines.array.with_slice::<T, _>(|elements| {
            support::write::<i64, _>(&indices, |indices| {
                for (line, order) in elements.chunks_exact(lines.len).zip(indices.chunks_exact_mut(lines.len)) {
                    crate::arrays::attention::check()?;
                    order.iter_mut().enumerate().for_each(|(position, index)| *index = position as i64);
                    partition_line(order, &kths, &|left: &i64, right: &i64| {
                        line[*left as usize].order(&line[*right as usize])
                    });
                }
                Ok(())
            })
        })?)?;
    }
    lines.restore(&indices)
}

/// Selects each place within what the one before left to its right.
fn partition_line<T>(line: &mut [T], kths: &[usize], order: &impl Fn(&T, &T) -> Ordering) {
    let mut start = 0;
    for kth in kths {
        if *kth < start {
            continue;
        }
        line[start..].select_nth_unstable_by(kth - start, order);
        start = kth + 1;
    }
}

/// The elements of a vector in rising order together with where each came from; the base of `unique`.
pub(super) fn sorted_with_origin(array: &Array) -> Result<(Array, Array), ArrayError> {
    let flat = shapes::ravel(array, MemoryOrder::C)?;
    let origin = argsort(&flat, Some(0), false)?;
    let sorted = super::indexing::take(&flat, &origin, Some(0), super::indexing::BoundsMode::Raise)?;
    Ok((sorted.view(Layout::contiguous(&[flat.len_elements()])), origin))
}
