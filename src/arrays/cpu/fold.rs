//! The inner loops of reductions: folding a contiguous block to one value, and folding a row into a row.

use super::extremes;
use super::isa::isa;
use super::kernel::conjure;
use super::kernels::{C64, C128};
use super::reduce::LANES;
use crate::arrays::dtype::DType;

/// What a reduction does to two values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// Adds.
    Sum,
    /// Multiplies.
    Product,
    /// Keeps the larger; NaN wins.
    Maximum,
    /// Keeps the smaller; NaN wins.
    Minimum,
    /// Keeps the larger; NaN loses.
    Fmax,
    /// Keeps the smaller; NaN loses.
    Fmin,
    /// Bit-wise and; logical and for bool.
    And,
    /// Bit-wise or; logical or for bool.
    Or,
    /// Bit-wise exclusive or.
    Xor,
}

impl Fold {
    /// The name in displays of programs.
    pub const fn name(self) -> &'static str {
        match self {
            Fold::Sum => "sum",
            Fold::Product => "prod",
            Fold::Maximum => "max",
            Fold::Minimum => "min",
            Fold::Fmax => "fmax",
            Fold::Fmin => "fmin",
            Fold::And => "all",
            Fold::Or => "any",
            Fold::Xor => "bitwise_xor",
        }
    }
}

/// Folds `n` elements, at least one, to one.
type Block = unsafe fn(values: *const u8, n: usize, out: *mut u8);
/// Folds `rows` rows of `n` elements, `step` bytes apart, one after the other into an accumulating row, which takes the
/// first of them as it is where it is fresh.
type Rows = unsafe fn(sum: *mut u8, first: *const u8, step: usize, rows: usize, n: usize, is_fresh: bool);

/// Folds `n` values, at least one, pairwise: neighbours first, then pairs of them, what is left over last. The values are written
/// over.
type Pairwise = unsafe fn(values: *mut u8, n: usize, out: *mut u8);

/// The loops of one fold over one dtype.
pub struct Reducer {
    /// Bytes of an element.
    pub width: usize,
    block: [Block; 3],
    rows: [Rows; 3],
    pairwise: Pairwise,
}

impl Reducer {
    /// The loop that folds a block of at least one element to one value.
    pub fn block(&self) -> Block {
        self.block[isa() as usize]
    }

    /// The loop that folds the results of blocks.
    pub fn pairwise(&self) -> Pairwise {
        self.pairwise
    }

    /// The loop that folds rows into an accumulating row.
    pub fn rows(&self) -> Rows {
        self.rows[isa() as usize]
    }

    /// The same with other loops for AVX2 and AVX-512.
    pub(super) fn with_vectors(self, block: [Block; 2], rows: [Rows; 2]) -> Reducer {
        let Reducer { width, block: [plain_block, ..], rows: [plain_rows, ..], pairwise } = self;
        Reducer { width, block: [plain_block, block[0], block[1]], rows: [plain_rows, rows[0], rows[1]], pairwise }
    }

    #[cfg(test)]
    pub(super) fn block_for(&self, isa: usize) -> Block {
        self.block[isa]
    }

    #[cfg(test)]
    pub(super) fn rows_for(&self, isa: usize) -> Rows {
        self.rows[isa]
    }
}

#[inline(always)]
pub(super) unsafe fn block_body<T: Copy>(values: *const u8, n: usize, out: *mut u8, fold: impl Fn(T, T) -> T) {
    let values = values.cast::<T>();
    // SAFETY: the caller gives n elements and room for one result.
    unsafe {
        let result = if n < LANES {
            let mut sum = values.read();
            for i in 1..n {
                sum = fold(sum, values.add(i).read());
            }
            sum
        } else {
            let mut lanes = values.cast::<[T; LANES]>().read();
            let whole = n / LANES;
            for chunk in 1..whole {
                let next = values.add(chunk * LANES).cast::<[T; LANES]>().read();
                for lane in 0..LANES {
                    lanes[lane] = fold(lanes[lane], next[lane]);
                }
            }
            for lane in 0..n % LANES {
                lanes[lane] = fold(lanes[lane], values.add(whole * LANES + lane).read());
            }
            let mut half = LANES / 2;
            while half > 0 {
                for lane in 0..half {
                    lanes[lane] = fold(lanes[lane], lanes[lane + half]);
                }
                half /= 2;
            }
            lanes[0]
        };
        out.cast::<T>().write(result);
    }
}

#[inline(always)]
unsafe fn rows_body<T: Copy>(
    sum: *mut u8,
    first: *const u8,
    step: usize,
    rows: usize,
    n: usize,
    is_fresh: bool,
    fold: impl Fn(T, T) -> T,
) {
    let sum = sum.cast::<T>();
    let mut done = 0;
    // SAFETY: the caller gives rows of n elements, disjoint from the accumulating one.
    unsafe {
        let row = |index: usize| first.add(index * step).cast::<T>();
        // Four at a time: the accumulating row is read and written a quarter as often, and more memory is on its way.
        while rows - done >= 4 {
            let (a, b, c, d) = (row(done), row(done + 1), row(done + 2), row(done + 3));
            let begins = is_fresh && done == 0;
            for i in 0..n {
                let start = if begins { a.add(i).read() } else { fold(sum.add(i).read(), a.add(i).read()) };
                let folded = fold(fold(start, b.add(i).read()), c.add(i).read());
                sum.add(i).write(fold(folded, d.add(i).read()));
            }
            done += 4;
        }
        while done < rows {
            let a = row(done);
            if is_fresh && done == 0 {
                std::ptr::copy_nonoverlapping(a, sum, n);
            } else {
                for i in 0..n {
                    sum.add(i).write(fold(sum.add(i).read(), a.add(i).read()));
                }
            }
            done += 1;
        }
    }
}

unsafe fn pairwise<T: Copy, F: Fn(T, T) -> T + Copy>(values: *mut u8, n: usize, out: *mut u8) {
    let fold = conjure::<F>();
    // SAFETY: the caller gives n values that are its own, and room for one result.
    unsafe {
        let values = std::slice::from_raw_parts_mut(values.cast::<T>(), n);
        let mut step = 1;
        while step < n {
            for left in (0..n - step).step_by(2 * step) {
                values[left] = fold(values[left], values[left + step]);
            }
            step *= 2;
        }
        out.cast::<T>().write(values[0]);
    }
}

macro_rules! versions {
    ($body:ident($($arg:ident: $ty:ty),+) as $base:ident $avx2:ident $avx512:ident) => {
        unsafe fn $base<T: Copy, F: Fn(T, T) -> T + Copy>($($arg: $ty),+) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<T>($($arg),+, conjure::<F>()) }
        }
        #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx2<T: Copy, F: Fn(T, T) -> T + Copy>($($arg: $ty),+) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<T>($($arg),+, conjure::<F>()) }
        }
        #[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
        unsafe fn $avx512<T: Copy, F: Fn(T, T) -> T + Copy>($($arg: $ty),+) {
            // SAFETY: passed on unchanged.
            unsafe { $body::<T>($($arg),+, conjure::<F>()) }
        }
    };
}

versions!(block_body(values: *const u8, n: usize, out: *mut u8) as block_base block_avx2 block_avx512);
versions!(rows_body(sum: *mut u8, first: *const u8, step: usize, rows: usize, n: usize, is_fresh: bool)
    as rows_base rows_avx2 rows_avx512);

/// One version for every instruction set.
fn make<T: Copy + 'static, F: Fn(T, T) -> T + Copy + 'static>(_: F) -> Reducer {
    Reducer {
        width: size_of::<T>(),
        block: [block_base::<T, F>, block_avx2::<T, F>, block_avx512::<T, F>],
        rows: [rows_base::<T, F>, rows_avx2::<T, F>, rows_avx512::<T, F>],
        pairwise: pairwise::<T, F>,
    }
}

/// As [`make`], for element types that are rare: one version, for the baseline, serves all processors.
fn plain<T: Copy + 'static, F: Fn(T, T) -> T + Copy + 'static>(_: F) -> Reducer {
    Reducer {
        width: size_of::<T>(),
        block: [block_base::<T, F>; 3],
        rows: [rows_base::<T, F>; 3],
        pairwise: pairwise::<T, F>,
    }
}

macro_rules! integer_folds {
    ($fold:expr, $t:ty, $make:ident) => {
        match $fold {
            Fold::Sum => $make(|x: $t, y: $t| x.wrapping_add(y)),
            Fold::Product => $make(|x: $t, y: $t| x.wrapping_mul(y)),
            Fold::Maximum | Fold::Fmax => $make(|x: $t, y: $t| if x > y { x } else { y }),
            Fold::Minimum | Fold::Fmin => $make(|x: $t, y: $t| if x < y { x } else { y }),
            Fold::And => $make(|x: $t, y: $t| x & y),
            Fold::Or => $make(|x: $t, y: $t| x | y),
            Fold::Xor => $make(|x: $t, y: $t| x ^ y),
        }
    };
}

macro_rules! float_folds {
    ($fold:expr, $t:ty) => {
        match $fold {
            Fold::Sum => make(|x: $t, y: $t| x + y),
            Fold::Product => make(|x: $t, y: $t| x * y),
            Fold::Maximum => plain(|x: $t, y: $t| if (x > y) | (x != x) { x } else { y }),
            Fold::Minimum => plain(|x: $t, y: $t| if (x < y) | (x != x) { x } else { y }),
            Fold::Fmax => make(|x: $t, y: $t| if (x > y) | (y != y) { x } else { y }),
            Fold::Fmin => make(|x: $t, y: $t| if (x < y) | (y != y) { x } else { y }),
            Fold::And | Fold::Or | Fold::Xor => return None,
        }
    };
}

macro_rules! complex_folds {
    ($fold:expr, $t:ty) => {
        match $fold {
            Fold::Sum => plain(|x: $t, y: $t| <$t>::new(x.re + y.re, x.im + y.im)),
            Fold::Product => plain(|x: $t, y: $t| <$t>::new(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re)),
            Fold::Maximum => plain(|x: $t, y: $t| {
                let above = (x.re > y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im > y.im);
                if above || x.re != x.re || x.im != x.im { x } else { y }
            }),
            Fold::Minimum => plain(|x: $t, y: $t| {
                let below = (x.re < y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im < y.im);
                if below || x.re != x.re || x.im != x.im { x } else { y }
            }),
            Fold::Fmax => plain(|x: $t, y: $t| {
                let above = (x.re > y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im > y.im);
                if above || y.re != y.re || y.im != y.im { x } else { y }
            }),
            Fold::Fmin => plain(|x: $t, y: $t| {
                let below = (x.re < y.re && x.im == x.im && y.im == y.im) || (x.re == y.re && x.im < y.im);
                if below || y.re != y.re || y.im != y.im { x } else { y }
            }),
            Fold::And | Fold::Or | Fold::Xor => return None,
        }
    };
}

/// The loops of a fold over a dtype; float16 folds in float32, and has none of its own.
pub fn reducer(fold: Fold, dtype: DType) -> Option<Reducer> {
    let plain = reducer_plain(fold, dtype)?;
    Some(match (dtype, fold) {
        (DType::Float64, Fold::Maximum) => extremes::double::<true>(plain),
        (DType::Float64, Fold::Minimum) => extremes::double::<false>(plain),
        (DType::Float32, Fold::Maximum) => extremes::single::<true>(plain),
        (DType::Float32, Fold::Minimum) => extremes::single::<false>(plain),
        _ => plain,
    })
}

/// As [`reducer`], as the compiler makes them of the rules.
pub(super) fn reducer_plain(fold: Fold, dtype: DType) -> Option<Reducer> {
    Some(match dtype {
        DType::Bool => match fold {
            Fold::Sum | Fold::Or | Fold::Maximum | Fold::Fmax => make(|x: u8, y: u8| ((x | y) != 0) as u8),
            Fold::Product | Fold::And | Fold::Minimum | Fold::Fmin => make(|x: u8, y: u8| ((x != 0) & (y != 0)) as u8),
            Fold::Xor => make(|x: u8, y: u8| ((x != 0) ^ (y != 0)) as u8),
        },
        DType::Int8 => integer_folds!(fold, i8, plain),
        DType::Int16 => integer_folds!(fold, i16, plain),
        DType::Int32 => integer_folds!(fold, i32, make),
        DType::Int64 => integer_folds!(fold, i64, make),
        DType::UInt8 => integer_folds!(fold, u8, make),
        DType::UInt16 => integer_folds!(fold, u16, plain),
        DType::UInt32 => integer_folds!(fold, u32, plain),
        DType::UInt64 => integer_folds!(fold, u64, make),
        DType::Float16 => return None,
        DType::Float32 => float_folds!(fold, f32),
        DType::Float64 => float_folds!(fold, f64),
        DType::Complex64 => complex_folds!(fold, C64),
        DType::Complex128 => complex_folds!(fold, C128),
    })
}
