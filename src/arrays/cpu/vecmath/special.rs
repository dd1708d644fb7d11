//! Functions that stay scalar: rare ones, and those whose cost is in bits rather than arithmetic.

use super::double::{exp, log1p};
use super::trig::sin;

unsafe extern "C" {
    fn erf(x: f64) -> f64;
    fn erfc(x: f64) -> f64;
}

/// The error function.
pub fn error_function(x: f64) -> f64 {
    // SAFETY: a pure function of the C library.
    unsafe { erf(x) }
}

/// One minus the error function.
pub fn error_function_complement(x: f64) -> f64 {
    // SAFETY: a pure function of the C library.
    unsafe { erfc(x) }
}

/// `exp(x * x) * erfc(x)`, scaled so that it does not underflow.
pub fn error_function_scaled(x: f64) -> f64 {
    if x < 25.0 {
        // Split the square so that its rounding error does not reach the exponent.
        let high = f64::from_bits(x.to_bits() & 0xffff_ffff_f800_0000);
        let rest = (x - high) * (x + high);
        return exp(high * high) * exp(rest) * error_function_complement(x);
    }
    // The asymptotic series; at 25 its fifth term is below one ULP.
    let z = 1.0 / (2.0 * x * x);
    let series = 1.0 - z * (1.0 - 3.0 * z * (1.0 - 5.0 * z * (1.0 - 7.0 * z * (1.0 - 9.0 * z))));
    series / (x * std::f64::consts::PI.sqrt())
}

/// The inverse of the error function: a rational start and two Halley steps.
pub fn error_function_inverse(y: f64) -> f64 {
    if !(y.abs() < 1.0) {
        return if y == 1.0 {
            f64::INFINITY
        } else if y == -1.0 {
            f64::NEG_INFINITY
        } else {
            f64::NAN
        };
    }
    if y == 0.0 {
        return y;
    }
    if y.abs() > 0.5 {
        return error_function_complement_inverse(1.0 - y.abs()).copysign(y);
    }
    let w = -log1p(-y * y);
    let a = 0.147;
    let t = 2.0 / (std::f64::consts::PI * a) - w / 2.0;
    let mut x = ((t * t + w / a).sqrt() - t).sqrt().copysign(y);
    for _ in 0..3 {
        let error = error_function(x) - y;
        let slope = std::f64::consts::FRAC_2_SQRT_PI * exp(-x * x);
        let step = error / slope;
        x -= step / (1.0 + x * step);
    }
    x
}

/// The inverse of one minus the error function.
pub fn error_function_complement_inverse(y: f64) -> f64 {
    if !(y > 0.0 && y < 2.0) {
        return if y == 0.0 {
            f64::INFINITY
        } else if y == 2.0 {
            f64::NEG_INFINITY
        } else {
            f64::NAN
        };
    }
    if y > 1.5 {
        return -error_function_complement_inverse(2.0 - y);
    }
    if y > 0.5 {
        return error_function_inverse(1.0 - y);
    }
    // erfc(x) is about exp(-x^2) / (x sqrt(pi)); Newton on its logarithm converges from there.
    let mut x = (-(y * std::f64::consts::PI.sqrt() * (-y.ln()).sqrt()).ln()).max(0.1).sqrt();
    for _ in 0..4 {
        let value = error_function_complement(x);
        if value == 0.0 {
            x *= 0.999;
            continue;
        }
        let slope = std::f64::consts::FRAC_2_SQRT_PI * exp(-x * x);
        let step = (value - y) / slope;
        x += step / (1.0 + x * step);
    }
    x
}

/// The next representable number after `x` towards `y`.
#[inline(always)]
pub fn nextafter(x: f64, y: f64) -> f64 {
    if x != x || y != y {
        return x + y;
    }
    if x == y {
        return y;
    }
    if x == 0.0 {
        return f64::from_bits(1).copysign(y);
    }
    let up = (y > x) == (x > 0.0);
    f64::from_bits(if up { x.to_bits() + 1 } else { x.to_bits() - 1 })
}

/// As [`nextafter`], in single precision.
#[inline(always)]
pub fn nextafter_single(x: f32, y: f32) -> f32 {
    if x != x || y != y {
        return x + y;
    }
    if x == y {
        return y;
    }
    if x == 0.0 {
        return f32::from_bits(1).copysign(y);
    }
    let up = (y > x) == (x > 0.0);
    f32::from_bits(if up { x.to_bits() + 1 } else { x.to_bits() - 1 })
}

/// The distance to the next larger magnitude, with the sign of x.
pub fn spacing(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    nextafter(x, if x < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY }) - x
}

/// As [`spacing`], in single precision.
pub fn spacing_single(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    nextafter_single(x, if x < 0.0 { f32::NEG_INFINITY } else { f32::INFINITY }) - x
}

/// `x = mantissa * 2^exponent` with the mantissa in [0.5, 1).
pub fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (scaled, bias) = if x.abs() < f64::MIN_POSITIVE { (x * 18014398509481984.0, 54) } else { (x, 0) };
    let bits = scaled.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022 - bias;
    (f64::from_bits((bits & !(0x7ff << 52)) | (1022 << 52)), exponent)
}

/// `x * 2^exponent` with one rounding.
pub fn ldexp(x: f64, exponent: i64) -> f64 {
    if !x.is_finite() {
        return x;
    }
    let mut result = x;
    let mut left = exponent.clamp(-2200, 2200);
    while left > 1000 {
        result *= f64::from_bits((1000 + 1023) << 52);
        left -= 1000;
    }
    if left >= -1000 {
        // The last factor is the only one that can round.
        return if left < -1022 { result } else { result * f64::from_bits(((left + 1023) as u64) << 52) };
    }
    // Going down: keep 54 bits of room so that only the last multiplication reaches the subnormals.
    let (mantissa, own) = frexp(result);
    let target = own as i64 + left;
    if target < -1080 {
        return 0.0f64.copysign(x);
    }
    mantissa * f64::from_bits(((target + 1000 + 1023) as u64) << 52) * f64::from_bits((1023 - 1000) << 52)
}

/// `log(exp(x) + exp(y))`.
#[inline(always)]
pub fn logaddexp(x: f64, y: f64) -> f64 {
    if x == y {
        return x + std::f64::consts::LN_2;
    }
    let difference = x - y;
    if difference > 0.0 {
        x + log1p(exp(-difference))
    } else if difference <= 0.0 {
        y + log1p(exp(difference))
    } else {
        difference
    }
}

/// `log2(2^x + 2^y)`.
#[inline(always)]
pub fn logaddexp2(x: f64, y: f64) -> f64 {
    if x == y {
        return x + 1.0;
    }
    let difference = x - y;
    let tail = |d: f64| std::f64::consts::LOG2_E * log1p(super::double::exp2(d));
    if difference > 0.0 {
        x + tail(-difference)
    } else if difference <= 0.0 {
        y + tail(difference)
    } else {
        difference
    }
}

/// `sin(pi x) / (pi x)`, one at zero.
pub fn sinc(x: f64) -> f64 {
    let t = std::f64::consts::PI * if x == 0.0 { 1.0e-20 } else { x };
    sin(t) / t
}

fn chebyshev(x: f64, coefficients: &[f64]) -> f64 {
    let (mut b0, mut b1, mut b2) = (coefficients[0], 0.0, 0.0);
    for &c in &coefficients[1..] {
        b2 = b1;
        b1 = b0;
        b0 = x * b1 - b2 + c;
    }
    0.5 * (b0 - b2)
}

/// The modified Bessel function of the first kind, order zero.
pub fn bessel_i0(x: f64) -> f64 {
    let a = x.abs();
    if a <= 8.0 {
        exp(a) * chebyshev(a / 2.0 - 2.0, &I0_NEAR)
    } else {
        exp(a) * chebyshev(32.0 / a - 2.0, &I0_FAR) / a.sqrt()
    }
}

/// Chebyshev coefficients of `exp(-x) * i0(x)` up to eight.
pub(crate) const I0_NEAR: [f64; 30] = [
    -4.4153416464793395e-18,
    3.3307945188222384e-17,
    -2.431279846547955e-16,
    1.715391285555133e-15,
    -1.1685332877993451e-14,
    7.676185498604936e-14,
    -4.856446783111929e-13,
    2.95505266312964e-12,
    -1.726826291441556e-11,
    9.675809035373237e-11,
    -5.189795601635263e-10,
    2.6598237246823866e-09,
    -1.300025009986248e-08,
    6.046995022541919e-08,
    -2.670793853940612e-07,
    1.1173875391201037e-06,
    -4.4167383584587505e-06,
    1.6448448070728896e-05,
    -5.754195010082104e-05,
    0.00018850288509584165,
    -0.0005763755745385824,
    0.0016394756169413357,
    -0.004324309995050576,
    0.010546460394594998,
    -0.02373741480589947,
    0.04930528423967071,
    -0.09490109704804764,
    0.17162090152220877,
    -0.3046826723431984,
    0.6767952744094761,
];

/// Chebyshev coefficients of `exp(-x) * sqrt(x) * i0(x)` beyond eight.
pub(crate) const I0_FAR: [f64; 25] = [
    -7.233180487874754e-18,
    -4.830504485944182e-18,
    4.46562142029676e-17,
    3.461222867697461e-17,
    -2.8276239805165836e-16,
    -3.425485619677219e-16,
    1.7725601330565263e-15,
    3.8116806693526224e-15,
    -9.554846698828307e-15,
    -4.150569347287222e-14,
    1.54008621752141e-14,
    3.8527783827421426e-13,
    7.180124451383666e-13,
    -1.7941785315068062e-12,
    -1.3215811840447713e-11,
    -3.1499165279632416e-11,
    1.1889147107846439e-11,
    4.94060238822497e-10,
    3.3962320257083865e-09,
    2.266668990498178e-08,
    2.0489185894690638e-07,
    2.8913705208347567e-06,
    6.889758346916825e-05,
    0.0033691164782556943,
    0.8044904110141088,
];
