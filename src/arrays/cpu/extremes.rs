//! Largest and smallest of floating-point numbers with explicit vector instructions.
//!
//! The rule that NaN wins makes the compiler fall back to masks and shuffles that halve the speed. Here a block is folded with the
//! processor's plain maximum while NaN is only looked out for; a block that has one is folded again by the rule. The tree
//! and the answers are those of `fold`, down to the sign of zero and the bits of a NaN.

use super::fold::{Reducer, block_body};
use super::reduce::LANES;
use std::arch::x86_64::*;

/// A vector register of floats.
trait Vector: Copy {
    type Element: Copy + PartialOrd + 'static;
    /// Where NaN was met.
    type Flag: Copy;
    const WIDTH: usize;
    const CLEAR: Self::Flag;
    unsafe fn load(from: *const Self::Element) -> Self;
    unsafe fn store(self, to: *mut Self::Element);
    /// `x > y ? x : y`: the later one where they are equal or not ordered.
    unsafe fn larger(self, later: Self) -> Self;
    unsafe fn smaller(self, later: Self) -> Self;
    /// `folded`, but this value where it is NaN.
    unsafe fn unless_nan(self, folded: Self) -> Self;
    unsafe fn look_out(self, other: Self, flag: Self::Flag) -> Self::Flag;
    unsafe fn is_raised(flag: Self::Flag) -> bool;
}

macro_rules! vector_512 {
    ($vector:ty, $element:ty, $mask:ty, $width:expr, $load:ident, $store:ident, $max:ident, $min:ident, $compare:ident, $blend:ident) => {
        impl Vector for $vector {
            type Element = $element;
            type Flag = $mask;
            const WIDTH: usize = $width;
            const CLEAR: $mask = 0;
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: the callers' contract: a vector lies there, and the processor has AVX-512.
                unsafe { $load(from) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: as above.
                unsafe { $store(to, self) }
            }
            #[inline(always)]
            unsafe fn larger(self, later: Self) -> Self {
                // SAFETY: as above.
                unsafe { $max(self, later) }
            }
            #[inline(always)]
            unsafe fn smaller(self, later: Self) -> Self {
                // SAFETY: as above.
                unsafe { $min(self, later) }
            }
            #[inline(always)]
            unsafe fn unless_nan(self, folded: Self) -> Self {
                // SAFETY: as above.
                unsafe { $blend($compare::<_CMP_UNORD_Q>(self, self), folded, self) }
            }
            #[inline(always)]
            unsafe fn look_out(self, other: Self, flag: $mask) -> $mask {
                // SAFETY: as above.
                flag | unsafe { $compare::<_CMP_UNORD_Q>(self, other) }
            }
            #[inline(always)]
            unsafe fn is_raised(flag: $mask) -> bool {
                flag != 0
            }
        }
    };
}

macro_rules! vector_256 {
    ($vector:ty, $element:ty, $width:expr, $load:ident, $store:ident, $max:ident, $min:ident, $compare:ident, $blend:ident, $or:ident,
     $bits:ident) => {
        impl Vector for $vector {
            type Element = $element;
            type Flag = $vector;
            const WIDTH: usize = $width;
            // SAFETY: every bit pattern is a vector.
            const CLEAR: $vector = unsafe { std::mem::zeroed() };
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                // SAFETY: the callers' contract: a vector lies there, and the processor has AVX2.
                unsafe { $load(from) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                // SAFETY: as above.
                unsafe { $store(to, self) }
            }
            #[inline(always)]
            unsafe fn larger(self, later: Self) -> Self {
                // SAFETY: as above.
                unsafe { $max(self, later) }
            }
            #[inline(always)]
            unsafe fn smaller(self, later: Self) -> Self {
                // SAFETY: as above.
                unsafe { $min(self, later) }
            }
            #[inline(always)]
            unsafe fn unless_nan(self, folded: Self) -> Self {
                // SAFETY: as above.
                unsafe { $blend(folded, self, $compare::<_CMP_UNORD_Q>(self, self)) }
            }
            #[inline(always)]
            unsafe fn look_out(self, other: Self, flag: $vector) -> $vector {
                // SAFETY: as above.
                unsafe { $or(flag, $compare::<_CMP_UNORD_Q>(self, other)) }
            }
            #[inline(always)]
            unsafe fn is_raised(flag: $vector) -> bool {
                // SAFETY: as above.
                unsafe { $bits(flag) != 0 }
            }
        }
    };
}

vector_512!(
    __m512d,
    f64,
    __mmask8,
    8,
    _mm512_loadu_pd,
    _mm512_storeu_pd,
    _mm512_max_pd,
    _mm512_min_pd,
    _mm512_cmp_pd_mask,
    _mm512_mask_blend_pd
);
vector_512!(
    __m512,
    f32,
    __mmask16,
    16,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_max_ps,
    _mm512_min_ps,
    _mm512_cmp_ps_mask,
    _mm512_mask_blend_ps
);
vector_256!(
    __m256d,
    f64,
    4,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_max_pd,
    _mm256_min_pd,
    _mm256_cmp_pd,
    _mm256_blendv_pd,
    _mm256_or_pd,
    _mm256_movemask_pd
);
vector_256!(
    __m256,
    f32,
    8,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_max_ps,
    _mm256_min_ps,
    _mm256_cmp_ps,
    _mm256_blendv_ps,
    _mm256_or_ps,
    _mm256_movemask_ps
);

#[inline(always)]
unsafe fn plain<V: Vector, const LARGEST: bool>(x: V, y: V) -> V {
    // SAFETY: passed on.
    unsafe { if LARGEST { x.larger(y) } else { x.smaller(y) } }
}

#[inline(always)]
fn plain_scalar<T: PartialOrd, const LARGEST: bool>(x: T, y: T) -> T {
    let wins = if LARGEST { x > y } else { x < y };
    if wins { x } else { y }
}

/// The rule: NaN wins, the earlier one of two.
#[inline(always)]
fn by_rule<T: Copy + PartialOrd, const LARGEST: bool>(x: T, y: T) -> T {
    if x.partial_cmp(&x).is_none() { x } else { plain_scalar::<T, LARGEST>(x, y) }
}

/// As `fold`'s loop over a block; `N` registers hold its lanes.
#[inline(always)]
unsafe fn block<V: Vector, const N: usize, const LARGEST: bool>(values: *const u8, n: usize, out: *mut u8) {
    const { assert!(N * V::WIDTH == LANES) };
    let from = values.cast::<V::Element>();
    // SAFETY: the caller gives n elements and room for one result; chunks and the rest lie among them.
    unsafe {
        if n < LANES {
            return block_body(values, n, out, by_rule::<V::Element, LARGEST>);
        }
        let mut lanes: [V; N] = std::array::from_fn(|register| V::load(from.add(register * V::WIDTH)));
        let mut flag = V::CLEAR;
        for pair in lanes.chunks_exact(2) {
            flag = pair[0].look_out(pair[1], flag);
        }
        let whole = n / LANES;
        for chunk in 1..whole {
            let next: [V; N] = std::array::from_fn(|register| V::load(from.add(chunk * LANES + register * V::WIDTH)));
            for (lane, next) in lanes.iter_mut().zip(next) {
                *lane = plain::<V, LARGEST>(*lane, next);
            }
            for pair in next.chunks_exact(2) {
                flag = pair[0].look_out(pair[1], flag);
            }
        }
        let rest = std::slice::from_raw_parts(from.add(whole * LANES), n % LANES);
        if V::is_raised(flag) || rest.iter().any(|value| value.partial_cmp(value).is_none()) {
            return block_body(values, n, out, by_rule::<V::Element, LARGEST>);
        }
        if !rest.is_empty() {
            let mut spread = [rest[0]; LANES];
            for (register, lane) in lanes.iter().enumerate() {
                lane.store(spread.as_mut_ptr().add(register * V::WIDTH));
            }
            for (lane, &value) in spread.iter_mut().zip(rest) {
                *lane = plain_scalar::<_, LARGEST>(*lane, value);
            }
            lanes = std::array::from_fn(|register| V::load(spread.as_ptr().add(register * V::WIDTH)));
        }
        let mut half = N / 2;
        while half > 0 {
            for register in 0..half {
                lanes[register] = plain::<V, LARGEST>(lanes[register], lanes[register + half]);
            }
            half /= 2;
        }
        let mut last = [from.read(); 16];
        lanes[0].store(last.as_mut_ptr());
        let mut half = V::WIDTH / 2;
        while half > 0 {
            for lane in 0..half {
                last[lane] = plain_scalar::<_, LARGEST>(last[lane], last[lane + half]);
            }
            half /= 2;
        }
        out.cast::<V::Element>().write(last[0]);
    }
}

/// As `fold`'s loop over rows.
#[inline(always)]
unsafe fn rows<V: Vector, const LARGEST: bool>(
    sum: *mut u8,
    first: *const u8,
    step: usize,
    rows: usize,
    n: usize,
    is_fresh: bool,
) {
    let sum = sum.cast::<V::Element>();
    let whole = n / V::WIDTH * V::WIDTH;
    let mut done = 0;
    // SAFETY: the caller gives rows of n elements, disjoint from the accumulating one.
    unsafe {
        let row = |index: usize| first.add(index * step).cast::<V::Element>();
        let fold = |x: V, y: V| x.unless_nan(plain::<V, LARGEST>(x, y));
        while done < rows {
            let begins = is_fresh && done == 0;
            let group = if rows - done >= 4 { 4 } else { 1 };
            if group == 4 {
                let (a, b, c, d) = (row(done), row(done + 1), row(done + 2), row(done + 3));
                for i in (0..whole).step_by(V::WIDTH) {
                    let start = if begins { V::load(a.add(i)) } else { fold(V::load(sum.add(i)), V::load(a.add(i))) };
                    let folded = fold(fold(start, V::load(b.add(i))), V::load(c.add(i)));
                    fold(folded, V::load(d.add(i))).store(sum.add(i));
                }
            } else {
                let a = row(done);
                for i in (0..whole).step_by(V::WIDTH) {
                    let next = V::load(a.add(i));
                    if begins { next } else { fold(V::load(sum.add(i)), next) }.store(sum.add(i));
                }
            }
            for i in whole..n {
                for index in done..done + group {
                    let next = row(index).add(i).read();
                    let start = begins && index == done;
                    sum.add(i).write(if start { next } else { by_rule::<_, LARGEST>(sum.add(i).read(), next) });
                }
            }
            done += group;
        }
    }
}

macro_rules! versions {
    ($($name:ident: $vector:ty, $registers:literal, $features:literal;)+) => {$(
        mod $name {
            use super::*;

            #[target_feature(enable = $features)]
            pub(super) unsafe fn block<const LARGEST: bool>(values: *const u8, n: usize, out: *mut u8) {
                // SAFETY: passed on unchanged.
                unsafe { super::block::<$vector, $registers, LARGEST>(values, n, out) }
            }

            #[target_feature(enable = $features)]
            pub(super) unsafe fn rows<const LARGEST: bool>(
                sum: *mut u8, first: *const u8, step: usize, rows: usize, n: usize, is_fresh: bool,
            ) {
                // SAFETY: passed on unchanged.
                unsafe { super::rows::<$vector, LARGEST>(sum, first, step, rows, n, is_fresh) }
            }
        }
    )+};
}

versions! {
    double_256: __m256d, 8, "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c";
    single_256: __m256, 4, "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c";
    double_512: __m512d, 4, "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c";
    single_512: __m512, 2, "avx512f,avx512dq,avx512bw,avx512vl,avx512cd,avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c";
}

/// The same reducer of float64, faster.
pub(super) fn double<const LARGEST: bool>(plain: Reducer) -> Reducer {
    plain.with_vectors(
        [double_256::block::<LARGEST>, double_512::block::<LARGEST>],
        [double_256::rows::<LARGEST>, double_512::rows::<LARGEST>],
    )
}

/// The same reducer of float32, faster.
pub(super) fn single<const LARGEST: bool>(plain: Reducer) -> Reducer {
    plain.with_vectors(
        [single_256::block::<LARGEST>, single_512::block::<LARGEST>],
        [single_256::rows::<LARGEST>, single_512::rows::<LARGEST>],
    )
}

#[cfg(test)]
mod tests {
    use crate::arrays::cpu::fold::{Fold, reducer, reducer_plain};
    use crate::arrays::cpu::isa::best_available;
    use crate::arrays::dtype::DType;

    /// Numbers with equal neighbours, both zeros, infinities and, where asked for, NaNs of different bits.
    fn values(n: usize, seed: u64, nans: bool) -> Vec<f64> {
        let mut state = seed;
        (0..n)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                match state >> 60 {
                    0 => 0.0,
                    1 => -0.0,
                    2 if nans => f64::from_bits(0x7ff8_0000_0000_0000 | (state >> 20 & 0xffff)),
                    3 => f64::INFINITY,
                    4 => f64::NEG_INFINITY,
                    _ => ((state >> 33) % 100) as f64 - 50.0,
                }
            })
            .collect()
    }

    #[test]
    fn vectors_answer_what_the_plain_loops_answer_bit_for_bit() {
        for fold in [Fold::Maximum, Fold::Minimum] {
            for n in [1, 2, 31, 32, 33, 63, 64, 96, 100, 1000, 1024] {
                for nans in [false, true] {
                    let wide = values(n * 7, n as u64, nans);
                    let narrow: Vec<f32> = wide.iter().map(|&value| value as f32).collect();
                    check(fold, DType::Float64, &wide, n, |value| value.to_bits());
                    check(fold, DType::Float32, &narrow, n, |value| u64::from(value.to_bits()));
                }
            }
        }
    }

    fn check<T: Copy + Default>(fold: Fold, dtype: DType, values: &[T], n: usize, bits: impl Fn(T) -> u64) {
        let fast = reducer(fold, dtype).expect("floats have extremes");
        let plain = reducer_plain(fold, dtype).expect("floats have extremes");
        let width = size_of::<T>();
        let from = values.as_ptr().cast::<u8>();
        for isa in 0..=best_available() as usize {
            let (mut expected, mut found) = (T::default(), T::default());
            // SAFETY: n elements, and room for one result.
            unsafe {
                plain.block_for(0)(from, n, (&raw mut expected).cast());
                fast.block_for(isa)(from, n, (&raw mut found).cast());
            }
            assert_eq!(bits(expected), bits(found), "{fold:?} of a block of {n}, level {isa}");
            for rows in 1..=7 {
                for is_fresh in [true, false] {
                    let (mut expected, mut found) = (values[..n].to_vec(), values[..n].to_vec());
                    // SAFETY: seven rows of n elements, and an accumulating row apart from them.
                    unsafe {
                        plain.rows_for(0)(expected.as_mut_ptr().cast(), from, n * width, rows, n, is_fresh);
                        fast.rows_for(isa)(found.as_mut_ptr().cast(), from, n * width, rows, n, is_fresh);
                    }
                    let (expected, found) = (
                        expected.into_iter().map(&bits).collect::<Vec<_>>(),
                        found.into_iter().map(&bits).collect::<Vec<_>>(),
                    );
                    assert_eq!(expected, found, "{fold:?} of {rows} rows of {n}, level {isa}");
                }
            }
        }
    }
}
