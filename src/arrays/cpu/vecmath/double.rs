//! Exponentials and logarithms in double precision.

/// 1.5 * 2^52: adding it rounds to an integer, which then stands in the low bits.
pub(super) const ROUNDER: f64 = 6755399441055744.0;
pub(super) const LN2_HI: f64 = std::f64::consts::LN_2;
pub(super) const LN2_LO: f64 = 2.3190468138462996e-17;
/// The upper 42 bits of ln 2, so that its product with an exponent is exact.
pub(super) const LN2_SHORT: f64 = 0.6931471805598903;
pub(super) const LN2_SHORT_LO: f64 = 5.497923018708371e-14;

/// Fused multiply-add, `a * b + c` with one rounding.
#[inline(always)]
pub(super) fn fma(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// The nearest integer as a float, and its low bits; only for magnitudes below 2^51.
#[inline(always)]
pub(super) fn round_to_int(scaled: f64) -> (f64, u64) {
    let shifted = scaled + ROUNDER;
    (shifted - ROUNDER, shifted.to_bits().wrapping_sub(ROUNDER.to_bits()))
}

/// `value * 2^k` with one rounding, for k in -2100..=2100.
#[inline(always)]
pub(super) fn scale(value: f64, k: u64) -> f64 {
    let half = (k.wrapping_add(4096) >> 1).wrapping_sub(2048);
    let rest = k.wrapping_sub(half);
    let first = f64::from_bits(half.wrapping_add(1023) << 52);
    let second = f64::from_bits(rest.wrapping_add(1023) << 52);
    value * first * second
}

/// `exp(r) - 1 - r` for |r| <= 0.35, by its series to the 13th power.
#[inline(always)]
pub(super) fn exp_tail(r: f64) -> f64 {
    let r2 = r * r;
    let r4 = r2 * r2;
    let a = fma(r, 1.0 / 6.0, 0.5);
    let b = fma(r, 1.0 / 120.0, 1.0 / 24.0);
    let c = fma(r, 1.0 / 5040.0, 1.0 / 720.0);
    let d = fma(r, 1.0 / 362880.0, 1.0 / 40320.0);
    let e = fma(r, 1.0 / 39916800.0, 1.0 / 3628800.0);
    let f = fma(r, 1.0 / 6227020800.0, 1.0 / 479001600.0);
    let low = fma(b, r2, a);
    let middle = fma(d, r2, c);
    let high = fma(f, r2, e);
    r2 * fma(fma(high, r4, middle), r4, low)
}

/// Clamps but lets NaN through.
#[inline(always)]
pub(super) fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `exp(x)`.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let x = clamp(x, -746.0, 710.0);
    let (k, bits) = round_to_int(x * std::f64::consts::LOG2_E);
    let r = fma(-k, LN2_LO, fma(-k, LN2_HI, x));
    scale(1.0 + (r + exp_tail(r)), bits)
}

/// `2^x`.
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let x = clamp(x, -1076.0, 1025.0);
    let (k, bits) = round_to_int(x);
    let fraction = x - k;
    let r = fraction * LN2_HI;
    let r_low = fma(fraction, LN2_HI, -r) + fraction * LN2_LO;
    scale(1.0 + (r + (exp_tail(r) + r_low)), bits)
}

/// `exp(x) - 1`, accurate near zero.
#[inline(always)]
pub fn expm1(x: f64) -> f64 {
    let clamped = clamp(x, -64.0, 710.0);
    let (k, bits) = round_to_int(clamped * std::f64::consts::LOG2_E);
    let r_high = fma(-k, LN2_HI, clamped);
    let r = fma(-k, LN2_LO, r_high);
    let r_low = fma(-k, LN2_LO, r_high - r);
    let q = (r + exp_tail(r)) + r_low;
    // Half the power keeps 2^1024 finite; doubling at the end overflows where the true result does.
    let power = f64::from_bits(bits.wrapping_add(1022) << 52);
    let result = 2.0 * fma(power, q, power - 0.5);
    // Zero keeps its sign, and for tiny arguments the argument is the answer.
    if x.abs() < 1e-300 { x } else { result }
}

/// What the logarithms share: `x = m * 2^e` with m in [sqrt(1/2), sqrt(2)), and the series of `log(m)`.
struct LogParts {
    exponent: f64,
    f: f64,
    half_square: f64,
    /// `s * (f^2/2 + R)`, so that `log(m) = f - half_square + tail`.
    tail: f64,
}

#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE: u64 = 1023 << 52;
    let small = x < f64::MIN_POSITIVE;
    let scaled = if small { x * 18014398509481984.0 } else { x };
    let bias = if small { 4503599627370496.0 + 1023.0 + 54.0 } else { 4503599627370496.0 + 1023.0 };
    let bits = scaled.to_bits();
    let shifted = bits.wrapping_sub(SQRT_HALF).wrapping_add(ONE);
    let exponent = f64::from_bits((shifted >> 52) | 0x4330_0000_0000_0000) - bias;
    let mantissa = f64::from_bits(bits.wrapping_sub((shifted & 0xfff0_0000_0000_0000).wrapping_sub(ONE)));
    (mantissa, exponent)
}

/// The even series of `log(1 + f)` in `s = f / (2 + f)`.
#[inline(always)]
fn log_tail(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * fma(w, fma(w, 1.531383769920937332e-01, 2.222219843214978396e-01), 3.999999999940941908e-01);
    let t2 = z * fma(
        w,
        fma(w, fma(w, 1.479819860510658591e-01, 1.818357216161805012e-01), 2.857142874366239149e-01),
        6.666666666666735130e-01,
    );
    let half_square = 0.5 * f * f;
    (half_square, s * (half_square + (t1 + t2)))
}

#[inline(always)]
fn log_parts(x: f64) -> LogParts {
    let (mantissa, exponent) = split(x);
    let f = mantissa - 1.0;
    let (half_square, tail) = log_tail(f);
    LogParts { exponent, f, half_square, tail }
}

/// Puts the values at the edge of the domain in place.
#[inline(always)]
fn log_edges(x: f64, result: f64) -> f64 {
    let result = if x == 0.0 { f64::NEG_INFINITY } else { result };
    let result = if x < 0.0 { f64::NAN } else { result };
    // Infinity and NaN answer themselves.
    if x < f64::INFINITY { result } else { x }
}

/// The natural logarithm.
#[inline(always)]
pub fn log(x: f64) -> f64 {
    let p = log_parts(x);
    let result = p.exponent * LN2_SHORT - ((p.half_square - (p.tail + p.exponent * LN2_SHORT_LO)) - p.f);
    log_edges(x, result)
}

/// `log(m)` as an unevaluated sum whose first part has 21 free low bits.
#[inline(always)]
fn log_mantissa_pair(p: &LogParts) -> (f64, f64) {
    let high = f64::from_bits((p.f - p.half_square).to_bits() & 0xffff_ffff_0000_0000);
    let low = (p.f - high) - p.half_square + p.tail;
    (high, low)
}

/// The logarithm to base 2; exact for powers of two.
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    const INV_LN2_HI: f64 = 1.44269504072144627571e+00;
    const INV_LN2_LO: f64 = 1.67517131648865118353e-10;
    let p = log_parts(x);
    let (high, low) = log_mantissa_pair(&p);
    let value_high = high * INV_LN2_HI;
    let value_low = (low + high) * INV_LN2_LO + low * INV_LN2_HI;
    let sum = p.exponent + value_high;
    let carried = value_low + ((p.exponent - sum) + value_high);
    log_edges(x, carried + sum)
}

/// The logarithm to base 10.
#[inline(always)]
pub fn log10(x: f64) -> f64 {
    const INV_LN10_HI: f64 = 4.34294481878168880939e-01;
    const INV_LN10_LO: f64 = 2.50829467116452752298e-11;
    const LOG10_2_HI: f64 = 3.01029995663611771306e-01;
    const LOG10_2_LO: f64 = 3.69423907715893078616e-13;
    let p = log_parts(x);
    let (high, low) = log_mantissa_pair(&p);
    let value_high = high * INV_LN10_HI;
    let scaled = p.exponent * LOG10_2_HI;
    let value_low = p.exponent * LOG10_2_LO + (low + high) * INV_LN10_LO + low * INV_LN10_HI;
    let sum = scaled + value_high;
    let carried = value_low + ((scaled - sum) + value_high);
    log_edges(x, carried + sum)
}

/// `log(1 + x)`, accurate near zero.
#[inline(always)]
pub fn log1p(x: f64) -> f64 {
    let u = 1.0 + x;
    let (mantissa, exponent) = split(u);
    let direct = exponent == 0.0;
    // What rounding `1 + x` lost, relative to u.
    let lost = if x >= 1.0 { 1.0 - (u - x) } else { x - (u - 1.0) };
    let correction = if direct { 0.0 } else { lost / u };
    let f = if direct { x } else { mantissa - 1.0 };
    let (half_square, tail) = log_tail(f);
    let result = exponent * LN2_SHORT - ((half_square - (tail + (exponent * LN2_SHORT_LO + correction))) - f);
    let result = if x.abs() < 1e-300 { x } else { result };
    let result = if x == -1.0 { f64::NEG_INFINITY } else { result };
    let result = if x < -1.0 { f64::NAN } else { result };
    if x < f64::INFINITY { result } else { x }
}
