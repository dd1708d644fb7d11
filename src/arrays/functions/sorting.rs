//! `sort`, `argsort`, `lexsort`, `partition` and `argpartition`. NaN sorts last, as in NumPy; every sort here is stable.

mod merge;

use std::cmp::Ordering;

use half::f16;
use num_complex::Complex;

use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::attention::{self, Attention};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::expr::moves;
use crate::arrays::layout::{Layout, Order, normalize_axis};
use crate::dispatch;

/// NumPy's order of elements: numbers rising, NaN last; complex numbers by real part, then by imaginary part.
pub trait SortKey: Element {
    /// Compares two elements in that order; NaN equals NaN.
    fn order(&self, other: &Self) -> Ordering;

    /// Compares two elements in falling order, NaN still last.
    fn falling_order(&self, other: &Self) -> Ordering;

    /// A whole number that orders as the element does, for types that have one.
    fn rank(&self, descending: bool) -> Option<i64>;

    /// Sorts a line; `room` is for what that needs, and kept from line to line.
    fn sort_line(
        line: &mut [Self],
        descending: bool,
        _room: &mut Vec<i64>,
        attention: &Attention,
    ) -> Result<(), ArrayError> {
        sort_compared(line, descending, attention)
    }
}

macro_rules! ordered {
    ($($ty:ty: $rank:expr),*) => {$(
        impl SortKey for $ty {
            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            fn falling_order(&self, other: &Self) -> Ordering {
                other.cmp(self)
            }

            fn rank(&self, descending: bool) -> Option<i64> {
                let rank: i64 = $rank(*self);
                Some(if descending { !rank } else { rank })
            }
        }
    )*};
}
ordered!(bool: i64::from, i8: i64::from, i16: i64::from, i32: i64::from, i64: i64::from, u8: i64::from, u16: i64::from, u32: i64::from);
ordered!(u64: |number: u64| (number ^ (1 << 63)) as i64);

macro_rules! ordered_floats {
    ($($ty:ty: $narrow:expr),*) => {$(
        impl SortKey for $ty {
            fn order(&self, other: &Self) -> Ordering {
                rising_rank(f64::from(*self)).cmp(&rising_rank(f64::from(*other)))
            }

            fn falling_order(&self, other: &Self) -> Ordering {
                falling_rank(f64::from(*self)).cmp(&falling_rank(f64::from(*other)))
            }

            fn rank(&self, descending: bool) -> Option<i64> {
                let number = f64::from(*self);
                Some(if descending { falling_rank(number) } else { rising_rank(number) })
            }

            fn sort_line(
                line: &mut [Self],
                descending: bool,
                room: &mut Vec<i64>,
                attention: &Attention,
            ) -> Result<(), ArrayError> {
                // The rank tells all of a number but of these: NaN has many, and both zeros have one.
                let is_told = |number: f64| !number.is_nan() && number.to_bits() != (-0.0_f64).to_bits();
                if !line.iter().all(|number| is_told(f64::from(*number))) {
                    return sort_compared(line, descending, attention);
                }
                room.clear();
                room.extend(line.iter().map(|number| rank(f64::from(*number))));
                merge::sort(room, &i64::cmp, attention)?;
                // A narrow number was widened without loss.
                let narrow: fn(f64) -> Self = $narrow;
                line.iter_mut().zip(room.iter()).for_each(|(number, rank)| *number = narrow(number_of(*rank)));
                if descending {
                    line.reverse();
                }
                Ok(())
            }
        }
    )*};
}
ordered_floats!(f16: f16::from_f64, f32: |number| number as f32, f64: |number| number);

/// The bits of a number, made to order as whole numbers: a sort compares without branches, which it could not predict.
fn rank(number: f64) -> i64 {
    // The sum makes both zeros one.
    mirrored((number + 0.0).to_bits() as i64)
}

/// The number of a rank.
fn number_of(rank: i64) -> f64 {
    f64::from_bits(mirrored(rank) as u64)
}

/// Turns the order of negative numbers' bits around; twice is not at all.
fn mirrored(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

fn rising_rank(number: f64) -> i64 {
    if number.is_nan() { i64::MAX } else { rank(number) }
}

fn falling_rank(number: f64) -> i64 {
    if number.is_nan() { i64::MAX } else { !rank(number) }
}

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

            fn falling_order(&self, other: &Self) -> Ordering {
                let is_nan = |value: &Self| value.re.is_nan() || value.im.is_nan();
                match (is_nan(self), is_nan(other)) {
                    (false, false) => other.order(self),
                    (one, two) => one.cmp(&two),
                }
            }

            fn rank(&self, _: bool) -> Option<i64> {
                None
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
        let attention = attention::handle();
        let mut room = Vec::new();
        dispatch!(array.dtype(), T => support::write::<T, _>(&lines.array, |elements| {
            for line in elements.chunks_exact_mut(lines.len) {
                attention.check()?;
                T::sort_line(line, descending, &mut room, &attention)?;
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

fn sort_compared<T: SortKey>(line: &mut [T], descending: bool, attention: &Attention) -> Result<(), ArrayError> {
    if descending { merge::sort(line, &T::falling_order, attention) } else { merge::sort(line, &T::order, attention) }
}

/// Longer lines are not packed: it takes four times the memory of the indices.
const PACKED_MAX: usize = 1 << 22;

/// The places of a line's elements in their order; `packed` is room for what that needs, kept from line to line.
fn argsort_line<T: SortKey>(
    line: &[T],
    order: &mut [i64],
    descending: bool,
    packed: &mut Vec<i128>,
    attention: &Attention,
) -> Result<(), ArrayError> {
    packed.clear();
    // An element's rank with its place behind it is compared without a look elsewhere.
    let pack = |(place, element): (usize, &T)| {
        packed.push(i128::from(element.rank(descending)?) << 64 | place as i128);
        Some(())
    };
    if line.len() <= PACKED_MAX && line.iter().enumerate().try_for_each(pack).is_some() {
        merge::sort(packed, &i128::cmp, attention)?;
        order.iter_mut().zip(packed.iter()).for_each(|(index, packed)| *index = *packed as i64);
        return Ok(());
    }
    order.iter_mut().enumerate().for_each(|(position, index)| *index = position as i64);
    let at = |index: &i64| &line[*index as usize];
    if descending {
        merge::sort(order, &|one: &i64, other: &i64| at(one).falling_order(at(other)), attention)
    } else {
        merge::sort(order, &|one: &i64, other: &i64| at(one).order(at(other)), attention)
    }
}

/// `argsort`: the indices that sort.
pub fn argsort(array: &Array, axis: Option<i64>, descending: bool) -> Result<Array, ArrayError> {
    let lines = Lines::of(array, axis)?;
    let indices = support::allocate(lines.array.shape(), DType::Int64, &array.alloc())?;
    if lines.len > 0 && !lines.sort_on_device(descending, Some(&indices))? {
        let attention = attention::handle();
        let mut packed = Vec::new();
        dispatch!(array.dtype(), T => lines.array.with_slice::<T, _>(|elements| {
            support::write::<i64, _>(&indices, |indices| {
                for (line, order) in elements.chunks_exact(lines.len).zip(indices.chunks_exact_mut(lines.len)) {
                    attention.check()?;
                    argsort_line(line, order, descending, &mut packed, &attention)?;
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
                attention::check()?;
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
                    attention::check()?;
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
