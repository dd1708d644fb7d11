//! Sine, cosine and tangent in double precision.
//!
//! The fast functions reduce the argument with pi/2 in three parts and are right below [`FAST_LIMIT`]; larger (and
//! non-finite) arguments go through the exact reduction with 2/pi to 1280 bits. Kernels run the fast version over a
//! tile and repair the few large elements afterwards, so an element's result depends on its value alone.

use super::double::{fma, round_to_int};

/// Below this magnitude the three-part reduction is exact to well under one ULP.
pub const FAST_LIMIT: f64 = 1073741824.0;

const PIO2_1: f64 = std::f64::consts::FRAC_PI_2;
const PIO2_2: f64 = 6.123233995736766e-17;
const PIO2_3: f64 = -1.4973849048591698e-33;

/// Whether the fast functions do not apply.
#[inline(always)]
pub fn is_large(x: f64) -> bool {
    // Written so that NaN counts as large.
    !(x.abs() < FAST_LIMIT)
}

/// The remainder of a division by pi/2 as a sum of two floats, and the quotient modulo 4 in its low bits.
struct Reduced {
    high: f64,
    low: f64,
    quadrant: u64,
}

#[inline(always)]
fn reduce(x: f64) -> Reduced {
    let (k, quadrant) = round_to_int(x * std::f64::consts::FRAC_2_PI);
    let first = fma(-k, PIO2_1, x);
    // Near a multiple of pi/2 the second part cancels most of the first again, so the product keeps its rounding error.
    let second = k * PIO2_2;
    let second_low = fma(k, PIO2_2, -second);
    let high = first - second;
    let taken = first - high;
    let rounding = (first - (high + taken)) + (taken - second);
    let low = fma(-k, PIO2_3, rounding - second_low);
    Reduced { high, low, quadrant }
}

#[inline(always)]
fn kernel_sin(x: f64, y: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let r = fma(z, fma(z, 2.75573137070700676789e-06, -1.98412698298579493134e-04), 8.33333333332248946124e-03)
        + z * w * fma(z, 1.58969099521155010221e-10, -2.50507602534068634195e-08);
    let v = z * x;
    x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01)
}

#[inline(always)]
fn kernel_cos(x: f64, y: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let r = z * fma(z, fma(z, 2.48015872894767294178e-05, -1.38888888888741095749e-03), 4.16666666666666019037e-02)
        + w * w * fma(z, fma(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09), -2.75573143513906633035e-07);
    let half = 0.5 * z;
    let rest = 1.0 - half;
    rest + (((1.0 - rest) - half) + (z * r - x * y))
}

#[inline(always)]
fn flip(value: f64, sign: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ (sign << 63))
}

#[inline(always)]
fn sin_of(r: &Reduced) -> f64 {
    let sine = kernel_sin(r.high, r.low);
    let cosine = kernel_cos(r.high, r.low);
    flip(if r.quadrant & 1 == 0 { sine } else { cosine }, (r.quadrant >> 1) & 1)
}

#[inline(always)]
fn cos_of(r: &Reduced) -> f64 {
    let sine = kernel_sin(r.high, r.low);
    let cosine = kernel_cos(r.high, r.low);
    flip(if r.quadrant & 1 == 0 { cosine } else { sine }, (r.quadrant.wrapping_add(1) >> 1) & 1)
}

#[inline(always)]
fn tan_of(r: &Reduced) -> f64 {
    let sine = kernel_sin(r.high, r.low);
    let cosine = kernel_cos(r.high, r.low);
    let odd = r.quadrant & 1;
    let over = if odd == 0 { sine } else { cosine };
    let under = if odd == 0 { cosine } else { sine };
    flip(over / under, odd)
}

/// `sin(x)` for |x| below [`FAST_LIMIT`].
#[inline(always)]
pub fn sin_fast(x: f64) -> f64 {
    sin_of(&reduce(x))
}

/// `cos(x)` for |x| below [`FAST_LIMIT`].
#[inline(always)]
pub fn cos_fast(x: f64) -> f64 {
    cos_of(&reduce(x))
}

/// `tan(x)` for |x| below [`FAST_LIMIT`].
#[inline(always)]
pub fn tan_fast(x: f64) -> f64 {
    tan_of(&reduce(x))
}

/// `sin(x)` for every x.
pub fn sin(x: f64) -> f64 {
    if is_large(x) { sin_large(x) } else { sin_fast(x) }
}

/// `cos(x)` for every x.
pub fn cos(x: f64) -> f64 {
    if is_large(x) { cos_large(x) } else { cos_fast(x) }
}

/// `tan(x)` for every x.
pub fn tan(x: f64) -> f64 {
    if is_large(x) { tan_large(x) } else { tan_fast(x) }
}

/// `sin(x)` for |x| of at least [`FAST_LIMIT`], infinities and NaN.
#[cold]
pub fn sin_large(x: f64) -> f64 {
    reduce_large(x).map_or(f64::NAN, |r| sin_of(&r))
}

/// `cos(x)` for |x| of at least [`FAST_LIMIT`], infinities and NaN.
#[cold]
pub fn cos_large(x: f64) -> f64 {
    reduce_large(x).map_or(f64::NAN, |r| cos_of(&r))
}

/// `tan(x)` for |x| of at least [`FAST_LIMIT`], infinities and NaN.
#[cold]
pub fn tan_large(x: f64) -> f64 {
    reduce_large(x).map_or(f64::NAN, |r| tan_of(&r))
}

/// The bits of 2/pi after the binary point, behind one word of zeros.
const TWO_OVER_PI: [u64; 21] = [
    0,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];

/// Payne and Hanek: only the bits of 2/pi that matter for the quotient modulo 4 and the remainder are multiplied.
fn reduce_large(x: f64) -> Option<Reduced> {
    if !x.is_finite() {
        return None;
    }
    let bits = x.to_bits();
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    // x = mantissa * 2^exponent; bits of 2/pi up to `exponent - 2` only add multiples of 4. The table starts 64
    // bits before the binary point, and exponent is at least 30 - 52.
    let start = (exponent - 2 + 64) as usize;
    let word = |index: usize| -> u64 {
        let (at, shift) = (start / 64 + index, start % 64);
        let this = TWO_OVER_PI[at] << shift;
        if shift == 0 { this } else { this | (TWO_OVER_PI[at + 1] >> (64 - shift)) }
    };
    // The low 192 bits of mantissa * (three words), which stand for the quotient modulo 4.
    let wide = mantissa as u128;
    let product_low = wide * word(2) as u128;
    let product_middle = wide * word(1) as u128 + (product_low >> 64);
    let product_high = mantissa.wrapping_mul(word(0)).wrapping_add((product_middle >> 64) as u64);
    let (w2, w1, w0) = (product_high, product_middle as u64, product_low as u64);
    let mut fraction = [(w2 << 2) | (w1 >> 62), (w1 << 2) | (w0 >> 62), w0 << 2];
    // A fraction of a half or more counts from the next quadrant, backwards.
    let backwards = fraction[0] >> 63 == 1;
    let quadrant = (w2 >> 62).wrapping_add(backwards as u64);
    if backwards {
        let (f0, carry0) = (!fraction[2]).overflowing_add(1);
        let (f1, carry1) = (!fraction[1]).overflowing_add(carry0 as u64);
        fraction = [(!fraction[0]).wrapping_add(carry1 as u64), f1, f0];
    }
    // Doubles come within 2^-62 of a multiple of pi/2, so the leading zeros stay inside the first word.
    let zeros = fraction[0].leading_zeros().min(63);
    let top = (fraction[0] as u128) << 64 | fraction[1] as u128;
    let mut digits = top << zeros;
    if zeros > 0 {
        digits |= (fraction[2] >> (64 - zeros)) as u128;
    }
    // One bit less, so that the difference below stays in range.
    let signed = (digits >> 1) as i128;
    let head = signed as f64;
    let tail = (signed - head as i128) as f64;
    let unit = f64::from_bits(((1023 - 127 - zeros as u64) << 52) | ((backwards as u64) << 63));
    let product = head * PIO2_1;
    let rest = fma(head, PIO2_1, -product) + head * PIO2_2 + tail * PIO2_1;
    let high = product + rest;
    let low = (product - high) + rest;
    let (high, low) = (high * unit, low * unit);
    Some(if x < 0.0 {
        Reduced { high: -high, low: -low, quadrant: quadrant.wrapping_neg() }
    } else {
        Reduced { high, low, quadrant }
    })
}
