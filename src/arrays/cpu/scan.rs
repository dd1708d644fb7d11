//! Running sums, products and logarithms of sums along an axis, one element after the other.
//!
//! A line is computed in order on one thread, so results do not depend on the number of threads; lines run in parallel.

use super::kernels::{C64, C128};
use super::parallel::for_each_task;
use crate::arrays::attention::Attention;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;

/// What is carried along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scan {
    /// The sum so far.
    Sum,
    /// The product so far.
    Product,
    /// The logarithm of the sum of exponentials so far; floats only.
    Logsumexp,
}

/// A contiguous array in C order seen as `outer` blocks of `len` rows of `inner` elements, scanned along the rows.
#[derive(Clone, Copy, Debug)]
pub struct Lines {
    /// Blocks.
    pub outer: usize,
    /// Elements along the axis.
    pub len: usize,
    /// Elements behind the axis.
    pub inner: usize,
}

/// Elements between two looks at the interrupt flag.
const STRETCH: usize = 1 << 16;

fn scan<T: Copy + Send + Sync>(
    elements: &mut [T],
    lines: Lines,
    attention: &Attention,
    step: impl Fn(T, T) -> T + Sync,
) -> Result<(), ArrayError> {
    let Lines { outer, len, inner } = lines;
    if inner == 1 {
        let line = |values: &mut [T]| {
            let Some((first, rest)) = values.split_first_mut() else { return Ok(()) };
            let mut sum = *first;
            for stretch in rest.chunks_mut(STRETCH) {
                attention.check()?;
                for value in stretch {
                    sum = step(sum, *value);
                    *value = sum;
                }
            }
            Ok(())
        };
        return over_blocks(elements, outer, len, attention, line);
    }
    over_blocks(elements, outer, len * inner, attention, |block: &mut [T]| {
        for row in 1..len {
            if row % (1 + STRETCH / inner.max(1)) == 0 {
                attention.check()?;
            }
            let (before, after) = block.split_at_mut(row * inner);
            for (value, &sum) in after[..inner].iter_mut().zip(&before[(row - 1) * inner..]) {
                *value = step(sum, *value);
            }
        }
        Ok(())
    })
}

fn over_blocks<T: Send>(
    elements: &mut [T],
    blocks: usize,
    len: usize,
    attention: &Attention,
    work: impl Fn(&mut [T]) -> Result<(), ArrayError> + Sync,
) -> Result<(), ArrayError> {
    let total = elements.len();
    let base = super::reduce::Shared(elements.as_mut_ptr().cast());
    for_each_task(blocks, total, attention, |block| {
        // SAFETY: blocks are disjoint parts of the slice, which outlives all tasks.
        work(unsafe { std::slice::from_raw_parts_mut(base.at(0).cast::<T>().add(block * len), len) })
    })
}

/// Scans in place.
///
/// # Safety
/// `base` holds `outer * len * inner` elements of `dtype` that nothing else touches.
pub unsafe fn run(
    kind: Scan,
    dtype: DType,
    base: *mut u8,
    lines: Lines,
    attention: &Attention,
) -> Result<(), ArrayError> {
    let total = lines.outer * lines.len * lines.inner;
    macro_rules! elements {
        ($t:ty) => {
            // SAFETY: the contract.
            unsafe { std::slice::from_raw_parts_mut(base.cast::<$t>(), total) }
        };
    }
    macro_rules! whole {
        ($t:ty) => {
            match kind {
                Scan::Sum => scan(elements!($t), lines, attention, |x, y| x.wrapping_add(y)),
                Scan::Product => scan(elements!($t), lines, attention, |x, y| x.wrapping_mul(y)),
                Scan::Logsumexp => Err(undefined(dtype)),
            }
        };
    }
    macro_rules! real {
        ($t:ty) => {
            match kind {
                Scan::Sum => scan(elements!($t), lines, attention, |x, y| x + y),
                Scan::Product => scan(elements!($t), lines, attention, |x, y| x * y),
                Scan::Logsumexp => scan(elements!($t), lines, attention, |x, y| {
                    super::vecmath::special::logaddexp(f64::from(x), f64::from(y)) as $t
                }),
            }
        };
    }
    macro_rules! complex {
        ($t:ty) => {
            match kind {
                Scan::Sum => scan(elements!($t), lines, attention, |x, y| x + y),
                Scan::Product => scan(elements!($t), lines, attention, |x, y| x * y),
                Scan::Logsumexp => Err(undefined(dtype)),
            }
        };
    }
    match dtype {
        DType::Int8 => whole!(i8),
        DType::Int16 => whole!(i16),
        DType::Int32 => whole!(i32),
        DType::Int64 => whole!(i64),
        DType::UInt8 | DType::Bool => whole!(u8),
        DType::UInt16 => whole!(u16),
        DType::UInt32 => whole!(u32),
        DType::UInt64 => whole!(u64),
        DType::Float16 => {
            let rounded =
                |x: half::f16, y: half::f16, f: fn(f32, f32) -> f32| half::f16::from_f32(f(x.into(), y.into()));
            match kind {
                Scan::Sum => scan(elements!(half::f16), lines, attention, |x, y| rounded(x, y, |x, y| x + y)),
                Scan::Product => scan(elements!(half::f16), lines, attention, |x, y| rounded(x, y, |x, y| x * y)),
                Scan::Logsumexp => Err(undefined(dtype)),
            }
        }
        DType::Float32 => real!(f32),
        DType::Float64 => real!(f64),
        DType::Complex64 => complex!(C64),
        DType::Complex128 => complex!(C128),
    }
}

fn undefined(dtype: DType) -> ArrayError {
    ArrayError::type_error(format!("this running operation is not defined for {}", dtype.name()))
}
