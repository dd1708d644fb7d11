//! Matrix products: the crate `gemm` for floats and complex numbers, loops of our own for integers and bool.
//!
//! A product runs in pieces of a bounded number of operations, so that an interrupt is seen between them.

use super::isa::{Isa, isa};
use super::kernels::{C64, C128};
use super::parallel::{PARALLEL_MIN, for_each_task};
use crate::arrays::attention::Attention;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use gemm::Parallelism;

/// A matrix in memory: an address and the steps between rows and columns, in elements.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Address of the element at row 0, column 0.
    pub base: *mut u8,
    /// Elements from one row to the next.
    pub row: isize,
    /// Elements from one column to the next.
    pub column: isize,
}

/// Addresses of one product of a batch, in elements from the three bases.
#[derive(Clone, Copy, Debug)]
pub struct Offsets {
    /// Of the left matrix.
    pub left: isize,
    /// Of the right matrix.
    pub right: isize,
    /// Of the result.
    pub out: isize,
}

/// A batch of products of `rows x depth` by `depth x columns` matrices of one dtype.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Element type of all three.
    pub dtype: DType,
    /// Rows of the left matrix and of the result.
    pub rows: usize,
    /// Columns of the left matrix, rows of the right one.
    pub depth: usize,
    /// Columns of the right matrix and of the result.
    pub columns: usize,
    /// The left matrices.
    pub left: Matrix,
    /// The right matrices.
    pub right: Matrix,
    /// The results.
    pub out: Matrix,
    /// One entry for each product.
    pub offsets: Vec<Offsets>,
}

// SAFETY: a batch only carries addresses; see `run`.
unsafe impl Send for Batch {}
// SAFETY: as above; running does not change it.
unsafe impl Sync for Batch {}

/// Multiplications in a piece: some 40 ms of one core in double precision.
const PIECE: usize = 1 << 29;
/// Multiplications above which one product is worth all threads.
const THREADED_MIN: usize = 1 << 18;

/// Computes every product of the batch.
///
/// # Safety
/// The matrices lie in memory that is readable (and, for the results, writable) while this runs; results overlap
/// neither operands nor each other.
pub unsafe fn run(batch: &Batch, attention: &Attention) -> Result<(), ArrayError> {
    macro_rules! float {
        ($t:ty) => {{
            let (zero, one) = (<$t as num_traits::Zero>::zero(), <$t as num_traits::One>::one());
            // SAFETY: passed on; the addresses hold elements of this type.
            unsafe {
                pieces(batch, attention, |rows, columns, left: *const $t, right, out, parallelism| {
                    gemm::gemm(
                        rows,
                        columns,
                        batch.depth,
                        out,
                        batch.out.column,
                        batch.out.row,
                        false,
                        left,
                        batch.left.column,
                        batch.left.row,
                        right,
                        batch.right.column,
                        batch.right.row,
                        zero,
                        one,
                        false,
                        false,
                        false,
                        parallelism,
                    )
                })
            }
        }};
    }
    macro_rules! whole {
        ($t:ty) => {
            // SAFETY: passed on; the addresses hold elements of this type.
            unsafe {
                pieces(batch, attention, |rows, columns, left: *const $t, right, out, _| {
                    multiply_whole::<$t>(batch, rows, columns, left, right, out)
                })
            }
        };
    }
    match batch.dtype {
        DType::Float32 => float!(f32),
        DType::Float64 => float!(f64),
        DType::Complex64 => float!(C64),
        DType::Complex128 => float!(C128),
        DType::Int8 => whole!(i8),
        DType::Int16 => whole!(i16),
        DType::Int32 => whole!(i32),
        DType::Int64 => whole!(i64),
        DType::UInt8 => whole!(u8),
        DType::UInt16 => whole!(u16),
        DType::UInt32 => whole!(u32),
        DType::UInt64 => whole!(u64),
        DType::Bool => whole!(Truth),
        DType::Float16 => Err(ArrayError::not_supported("matrix products of float16 are computed in float32")),
    }
}

/// Cuts products into pieces of rows (or columns, where there are few rows) and runs them, in parallel where there are
/// many small ones.
unsafe fn pieces<T>(
    batch: &Batch,
    attention: &Attention,
    work: impl Fn(usize, usize, *const T, *const T, *mut T, Parallelism) + Sync,
) -> Result<(), ArrayError> {
    let (rows, columns) = (batch.rows, batch.columns);
    let each = rows * columns * batch.depth;
    let by_rows = rows >= columns;
    let longest = if by_rows { rows } else { columns };
    let count = each.div_ceil(PIECE).clamp(1, longest.max(1));
    let step = longest.div_ceil(count).next_multiple_of(16).min(longest.max(1));
    let count = longest.div_ceil(step);
    // gemm's own threads serve large products; integers and batches of small ones are spread here.
    let spread = !uses_gemm(batch.dtype) || each < THREADED_MIN;
    let parallelism = if spread { Parallelism::None } else { Parallelism::Rayon(0) };
    let (count, step) = if spread && count == 1 && batch.offsets.len() < rayon::current_num_threads() {
        let step = longest.div_ceil(4 * rayon::current_num_threads()).max(8);
        (longest.div_ceil(step), step)
    } else {
        (count, step)
    };
    let piece = |task: usize| {
        let (offsets, part) = (batch.offsets[task / count], task % count);
        let start = part * step;
        let len = step.min(longest - start);
        let along = start as isize;
        let (left_move, right_move, out_move) = if by_rows {
            (along * batch.left.row, 0, along * batch.out.row)
        } else {
            (0, along * batch.right.column, along * batch.out.column)
        };
        let left = batch.left.base.cast::<T>().wrapping_offset(offsets.left + left_move);
        let right = batch.right.base.cast::<T>().wrapping_offset(offsets.right + right_move);
        let out = batch.out.base.cast::<T>().wrapping_offset(offsets.out + out_move);
        let (rows, columns) = if by_rows { (len, columns) } else { (rows, len) };
        work(rows, columns, left, right, out, parallelism);
        Ok(())
    };
    let tasks = batch.offsets.len() * count;
    let elements = each.saturating_mul(batch.offsets.len());
    for_each_task(tasks, if spread && elements >= 8 * PARALLEL_MIN { elements } else { 0 }, attention, piece)
}

fn uses_gemm(dtype: DType) -> bool {
    dtype.is_inexact()
}

/// A byte that stands for a truth value: products are "and", sums are "or".
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

/// What a product of whole numbers needs.
trait Whole: Copy {
    const ZERO: Self;
    fn multiply_add(self, left: Self, right: Self) -> Self;
}

macro_rules! whole_numbers {
    ($($t:ty),+) => {$(
        impl Whole for $t {
            const ZERO: Self = 0;
            #[inline(always)]
            fn multiply_add(self, left: Self, right: Self) -> Self {
                self.wrapping_add(left.wrapping_mul(right))
            }
        }
    )+};
}

whole_numbers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Whole for Truth {
    const ZERO: Self = Truth(0);
    #[inline(always)]
    fn multiply_add(self, left: Self, right: Self) -> Self {
        Truth(self.0 | ((left.0 != 0) & (right.0 != 0)) as u8)
    }
}

/// Columns of the right matrix that are worked on together.
const STRIPE: usize = 256;

#[inline(always)]
unsafe fn whole_body<T: Whole>(
    batch: &Batch,
    rows: usize,
    columns: usize,
    left: *const T,
    right: *const T,
    out: *mut T,
) {
    let mut sums = [T::ZERO; STRIPE];
    let mut line = [T::ZERO; STRIPE];
    for first in (0..columns).step_by(STRIPE) {
        let count = STRIPE.min(columns - first);
        for row in 0..rows {
            let sums = &mut sums[..count];
            sums.fill(T::ZERO);
            for k in 0..batch.depth {
                // SAFETY: indices lie inside the matrices.
                unsafe {
                    let factor = *left.offset(row as isize * batch.left.row + k as isize * batch.left.column);
                    let start = right.offset(k as isize * batch.right.row + first as isize * batch.right.column);
                    let values = if batch.right.column == 1 {
                        std::slice::from_raw_parts(start, count)
                    } else {
                        for (j, slot) in line[..count].iter_mut().enumerate() {
                            *slot = *start.offset(j as isize * batch.right.column);
                        }
                        &line[..count]
                    };
                    for (sum, &value) in sums.iter_mut().zip(values) {
                        *sum = sum.multiply_add(factor, value);
                    }
                }
            }
            for (j, &sum) in sums.iter().enumerate() {
                // SAFETY: as above.
                unsafe { *out.offset(row as isize * batch.out.row + (first + j) as isize * batch.out.column) = sum };
            }
        }
    }
}

#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
unsafe fn whole_avx2<T: Whole>(
    batch: &Batch,
    rows: usize,
    columns: usize,
    left: *const T,
    right: *const T,
    out: *mut T,
) {
    // SAFETY: passed on unchanged.
    unsafe { whole_body(batch, rows, columns, left, right, out) }
}

#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
unsafe fn whole_avx512<T: Whole>(
    batch: &Batch,
    rows: usize,
    columns: usize,
    left: *const T,
    right: *const T,
    out: *mut T,
) {
    // SAFETY: passed on unchanged.
    unsafe { whole_body(batch, rows, columns, left, right, out) }
}

unsafe fn multiply_whole<T: Whole>(
    batch: &Batch,
    rows: usize,
    columns: usize,
    left: *const T,
    right: *const T,
    out: *mut T,
) {
    // SAFETY: passed on unchanged; the level was checked.
    unsafe {
        match isa() {
            Isa::Baseline => whole_body(batch, rows, columns, left, right, out),
            Isa::Avx2 => whole_avx2(batch, rows, columns, left, right, out),
            Isa::Avx512 => whole_avx512(batch, rows, columns, left, right, out),
        }
    }
}
