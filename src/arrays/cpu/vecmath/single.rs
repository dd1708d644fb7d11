//! Single precision: computed in double precision with polynomials just long enough, then rounded once.

use super::double::{LN2_HI, ROUNDER, clamp, fma};

/// `exp(r)` for |r| <= 0.35 to 2^-27.
#[inline(always)]
fn exp_short(r: f64) -> f64 {
    let r2 = r * r;
    let low = fma(r, 1.0, 1.0);
    let a = fma(r, 1.0 / 6.0, 0.5);
    let b = fma(r, 1.0 / 120.0, 1.0 / 24.0);
    let c = fma(r, 1.0 / 5040.0, 1.0 / 720.0);
    fma(fma(fma(c, r2, b), r2, a), r2, low)
}

#[inline(always)]
fn scale_near(value: f64, bits: u64) -> f64 {
    value * f64::from_bits(bits.wrapping_add(1023) << 52)
}

/// `exp(x)`.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let x = clamp(x as f64, -110.0, 90.0);
    let shifted = x * std::f64::consts::LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    scale_near(exp_short(fma(-k, LN2_HI, x)), shifted.to_bits().wrapping_sub(ROUNDER.to_bits())) as f32
}

/// `2^x`.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let x = clamp(x as f64, -160.0, 130.0);
    let shifted = x + ROUNDER;
    let k = shifted - ROUNDER;
    scale_near(exp_short((x - k) * LN2_HI), shifted.to_bits().wrapping_sub(ROUNDER.to_bits())) as f32
}

macro_rules! through_double {
    ($($(#[$doc:meta])* $name:ident = $path:path;)+) => {
        $($(#[$doc])* #[inline(always)] pub fn $name(x: f32) -> f32 { $path(x as f64) as f32 })+
    };
}

through_double! {
    /// `exp(x) - 1`.
    expm1 = super::double::expm1;
    /// The natural logarithm.
    log = super::double::log;
    /// The logarithm to base 2.
    log2 = super::double::log2;
    /// The logarithm to base 10.
    log10 = super::double::log10;
    /// `log(1 + x)`.
    log1p = super::double::log1p;
    /// `sin(x)` below the limit of the fast reduction.
    sin_fast = super::trig::sin_fast;
    /// `cos(x)` below the limit of the fast reduction.
    cos_fast = super::trig::cos_fast;
    /// `tan(x)` below the limit of the fast reduction.
    tan_fast = super::trig::tan_fast;
    /// `sin(x)` above the limit of the fast reduction.
    sin_large = super::trig::sin_large;
    /// `cos(x)` above the limit of the fast reduction.
    cos_large = super::trig::cos_large;
    /// `tan(x)` above the limit of the fast reduction.
    tan_large = super::trig::tan_large;
    /// `arcsin(x)`.
    arcsin = super::inverse::arcsin;
    /// `arccos(x)`.
    arccos = super::inverse::arccos;
    /// `arctan(x)`.
    arctan = super::inverse::arctan;
    /// `sinh(x)`.
    sinh = super::hyperbolic::sinh;
    /// `cosh(x)`.
    cosh = super::hyperbolic::cosh;
    /// `tanh(x)`.
    tanh = super::hyperbolic::tanh;
    /// `arcsinh(x)`.
    arcsinh = super::hyperbolic::arcsinh;
    /// `arccosh(x)`.
    arccosh = super::hyperbolic::arccosh;
    /// `arctanh(x)`.
    arctanh = super::hyperbolic::arctanh;
}

/// Whether the fast trigonometric functions do not apply.
#[inline(always)]
pub fn is_large(x: f32) -> bool {
    super::trig::is_large(x as f64)
}

/// `x^y` for a positive finite base and a finite exponent.
#[inline(always)]
pub fn pow_fast(x: f32, y: f32) -> f32 {
    let product = y as f64 * super::double::log(x as f64);
    let p = clamp(product, -110.0, 90.0);
    let shifted = p * std::f64::consts::LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    let r = fma(-k, LN2_HI, p);
    scale_near(exp_short(r), shifted.to_bits().wrapping_sub(ROUNDER.to_bits())) as f32
}

/// Whether [`pow_fast`] does not apply.
#[inline(always)]
pub fn pow_is_special(x: f32, y: f32) -> bool {
    super::power::is_special(x as f64, y as f64)
}

/// `x^y` where [`pow_is_special`].
#[cold]
pub fn pow_special(x: f32, y: f32) -> f32 {
    let (x, y) = (x as f64, y as f64);
    if x < 0.0 && x.is_finite() && y.is_finite() && y != 0.0 {
        if y.trunc() != y {
            return f32::NAN;
        }
        let magnitude = pow_fast(-x as f32, y as f32);
        let odd = y.abs() < 9007199254740992.0 && (y as i64) & 1 == 1;
        return if odd { -magnitude } else { magnitude };
    }
    x.powf(y) as f32
}
