//! Positions of the largest or smallest elements.

use super::fold::{Fold, reducer};
use super::kernels::{C64, C128};
use super::parallel::for_each_task;
use super::reduce::{Shape, Shared};
use super::tile::{Program, Runner, TILE, with_scratch};
use crate::arrays::attention::Attention;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;

/// What finding a position needs of an element type.
trait Ordered: Copy + PartialEq {
    /// Whether `self` comes before `other` in the search for the largest (NaN first of all).
    fn beats(self, other: Self, largest: bool) -> bool;
}

macro_rules! ordered {
    ($($t:ty),+) => {$(
        impl Ordered for $t {
            #[inline(always)]
            #[allow(clippy::eq_op, reason = "NaN differs from itself; integers never do")]
            fn beats(self, other: Self, largest: bool) -> bool {
                let first = if largest { self > other } else { self < other };
                first || (self != self && other == other)
            }
        }
    )+};
}

ordered!(u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

macro_rules! ordered_complex {
    ($($t:ty),+) => {$(
        impl Ordered for $t {
            #[inline(always)]
            fn beats(self, other: Self, largest: bool) -> bool {
                let first = if largest {
                    self.re > other.re || (self.re == other.re && self.im > other.im)
                } else {
                    self.re < other.re || (self.re == other.re && self.im < other.im)
                };
                first || (self != self && other == other)
            }
        }
    )+};
}

ordered_complex!(C64, C128);

/// Writes, for each result, the position of its first largest (or smallest) element among the reduced ones.
///
/// # Safety
/// As [`super::reduce::reduce`], with `out` holding `outer * inner` int64.
pub unsafe fn positions(
    program: &Program,
    shape: Shape,
    dtype: DType,
    largest: bool,
    out: *mut i64,
    attention: &Attention,
) -> Result<(), ArrayError> {
    macro_rules! search {
        ($t:ty) => {
            // SAFETY: passed on; the program's result has this type.
            unsafe { search::<$t>(program, shape, dtype, largest, out, attention) }
        };
    }
    match dtype {
        DType::Bool | DType::UInt8 => search!(u8),
        DType::UInt16 => search!(u16),
        DType::UInt32 => search!(u32),
        DType::UInt64 => search!(u64),
        DType::Int8 => search!(i8),
        DType::Int16 => search!(i16),
        DType::Int32 => search!(i32),
        DType::Int64 => search!(i64),
        DType::Float32 => search!(f32),
        DType::Float64 => search!(f64),
        DType::Complex64 => search!(C64),
        DType::Complex128 => search!(C128),
        DType::Float16 => Err(ArrayError::not_supported("positions of float16 are found in float32")),
    }
}

unsafe fn search<T: Ordered>(
    program: &Program,
    shape: Shape,
    dtype: DType,
    largest: bool,
    out: *mut i64,
    attention: &Attention,
) -> Result<(), ArrayError> {
    let Shape { outer, reduced, inner } = shape;
    let total = outer * reduced * inner;
    let scratch = Runner::scratch_bytes(program, TILE);
    let shared = Shared(out.cast());
    if inner == 1 {
        let fold = reducer(if largest { Fold::Maximum } else { Fold::Minimum }, dtype);
        let Some(fold) = fold else { return Err(ArrayError::not_supported("this dtype has no order")) };
        // Pieces of a long search run apart; the earliest of equal bests wins when they meet.
        let piece_len = if outer == 1 { (64 * TILE).min(reduced) } else { reduced };
        let pieces = reduced.div_ceil(piece_len);
        let mut found: Vec<Option<(T, usize)>> = vec![None; outer * pieces];
        let slots = Shared(found.as_mut_ptr().cast());
        for_each_task(outer * pieces, total, attention, |task| {
            let (row, piece) = (task / pieces, task % pieces);
            let (first, end) = (piece * piece_len, ((piece + 1) * piece_len).min(reduced));
            with_scratch(scratch, |memory| {
                // SAFETY: the contract of this function; the scratch memory is as large as asked for.
                let runner = unsafe { Runner::new(program, TILE.min(total), memory) };
                let mut best: Option<(T, usize)> = None;
                let mut start = first;
                while start < end {
                    let n = TILE.min(total).min(end - start);
                    // SAFETY: the range lies in the iteration space, elements are of type T.
                    let values = unsafe {
                        let values = runner.tile(row * reduced + start, n, None);
                        std::slice::from_raw_parts(values.cast::<T>(), n)
                    };
                    let mut top = values[0];
                    // SAFETY: the block folds n elements of this dtype to one.
                    unsafe { (fold.block())(values.as_ptr().cast(), n, (&raw mut top).cast()) };
                    if best.is_none_or(|(value, _)| top.beats(value, largest)) {
                        let is_nan = top != top;
                        let position = values.iter().position(|&value| value == top || (is_nan && value != value));
                        best = Some((top, start + position.unwrap_or(0)));
                    }
                    start += n;
                }
                // SAFETY: each task has a slot of its own.
                unsafe { slots.at(0).cast::<Option<(T, usize)>>().add(task).write(best) };
                Ok(())
            })
        })?;
        for row in 0..outer {
            let mut best: Option<(T, usize)> = None;
            for (value, position) in found[row * pieces..(row + 1) * pieces].iter().flatten() {
                if best.is_none_or(|(known, _)| value.beats(known, largest)) {
                    best = Some((*value, *position));
                }
            }
            // SAFETY: `row` is one of the `outer` results.
            unsafe { out.add(row).write(best.map_or(0, |(_, position)| position as i64)) };
        }
        return Ok(());
    }
    let columns = inner.min(TILE);
    let stripes = inner.div_ceil(columns);
    for_each_task(outer * stripes, total, attention, |task| {
        let (o, stripe) = (task / stripes, task % stripes);
        let first = stripe * columns;
        let count = columns.min(inner - first);
        with_scratch(scratch, |memory| {
            // SAFETY: as above.
            let runner = unsafe { Runner::new(program, TILE, memory) };
            let mut best: Vec<T> = Vec::with_capacity(count);
            // SAFETY: this task's part of the results.
            let places =
                unsafe { std::slice::from_raw_parts_mut(shared.at(0).cast::<i64>().add(o * inner + first), count) };
            places.fill(0);
            for row in 0..reduced {
                if row % 64 == 0 {
                    attention.check()?;
                }
                // SAFETY: the range lies in the iteration space, elements are of type T.
                let values = unsafe {
                    let values = runner.tile((o * reduced + row) * inner + first, count, None);
                    std::slice::from_raw_parts(values.cast::<T>(), count)
                };
                if row == 0 {
                    best.extend_from_slice(values);
                    continue;
                }
                for ((known, place), &value) in best.iter_mut().zip(places.iter_mut()).zip(values) {
                    if value.beats(*known, largest) {
                        *known = value;
                        *place = row as i64;
                    }
                }
            }
            Ok(())
        })
    })
}
