//! The gamma function and its logarithm by Lanczos' approximation (g = 6.0246..., 13 terms), the one CPython uses, so that the last
//! bits agree. An infinite or not-a-number result means a pole or an overflow; the caller raises.

use std::f64::consts::PI;

#[allow(clippy::excessive_precision)]
const G: f64 = 6.024_680_040_776_729_583_740_234_375;
#[allow(clippy::excessive_precision)]
const G_MINUS_HALF: f64 = 5.524_680_040_776_729_583_740_234_375;
const LN_PI: f64 = 1.144_729_885_849_400_174_143_427_351_353_058_711_647;

#[allow(clippy::excessive_precision)]
const NUMERATOR: [f64; 13] = [
    23531376880.410759688572007674451636754734846804940,
    42919803642.649098768957899047001988850926355848959,
    35711959237.355668049440185451547166705960488635843,
    17921034426.037209699919755754458931112671403265390,
    6039542586.3520280050642916443072979210699388420708,
    1439720407.3117216736632230727949123939715485786372,
    248874557.86205415651146038641322942321632125127801,
    31426415.585400194380614231628318205362874684987640,
    2876370.6289353724412254090516208496135991145378768,
    186056.26539522349504029498971604569928220784236328,
    8071.6720023658162106380029022722506138218516325024,
    210.82427775157934587250973392071336271166969580291,
    2.5066282746310002701649081771338373386264310793408,
];

const DENOMINATOR: [f64; 13] = [
    0.0,
    39916800.0,
    120543840.0,
    150917976.0,
    105258076.0,
    45995730.0,
    13339535.0,
    2637558.0,
    357423.0,
    32670.0,
    1925.0,
    66.0,
    1.0,
];

fn lanczos_sum(x: f64) -> f64 {
    let (mut numerator, mut denominator) = (0.0, 0.0);
    if x < 5.0 {
        for (n, d) in NUMERATOR.iter().zip(&DENOMINATOR).rev() {
            numerator = numerator * x + n;
            denominator = denominator * x + d;
        }
    } else {
        // From the other end in powers of 1/x, so that nothing overflows.
        for (n, d) in NUMERATOR.iter().zip(&DENOMINATOR) {
            numerator = numerator / x + n;
            denominator = denominator / x + d;
        }
    }
    numerator / denominator
}

/// `sin(pi * x)` without the rounding of `pi * x` for large x.
fn sin_pi(x: f64) -> f64 {
    let y = x.abs() % 2.0;
    let quadrant = (2.0 * y).round() as i32;
    let result = match quadrant {
        0 => (PI * y).sin(),
        1 => (PI * (y - 0.5)).cos(),
        2 => (PI * (1.0 - y)).sin(),
        3 => -(PI * (y - 1.5)).cos(),
        _ => (PI * (y - 2.0)).sin(),
    };
    1.0_f64.copysign(x) * result
}

/// Γ(x)
pub(super) fn gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return if x == f64::NEG_INFINITY { f64::NAN } else { x };
    }
    if x == 0.0 {
        return f64::INFINITY.copysign(x);
    }
    if x == x.floor() {
        if x < 0.0 {
            return f64::NAN;
        }
        if x <= 23.0 {
            return (1..x as u64).fold(1.0, |product, factor| product * factor as f64);
        }
    }
    let size = x.abs();
    if size < 1e-20 {
        return 1.0 / x;
    }
    if size > 200.0 {
        return if x < 0.0 { 0.0 / sin_pi(x) } else { f64::INFINITY };
    }
    let y = size + G_MINUS_HALF;
    // The rounding error of y, which the power below would magnify.
    let error = if size > G_MINUS_HALF { (y - size) - G_MINUS_HALF } else { (y - G_MINUS_HALF) - size };
    let correction = error * G / y;
    if x < 0.0 {
        let mut result = -PI / sin_pi(size) / size * y.exp() / lanczos_sum(size);
        result -= correction * result;
        if size < 140.0 {
            result / y.powf(size - 0.5)
        } else {
            let root = y.powf(size / 2.0 - 0.25);
            result / root / root
        }
    } else {
        let mut result = lanczos_sum(size) / y.exp();
        result += correction * result;
        if size < 140.0 {
            result * y.powf(size - 0.5)
        } else {
            let root = y.powf(size / 2.0 - 0.25);
            result * root * root
        }
    }
}

/// ln |Γ(x)|
pub(super) fn ln_gamma(x: f64) -> f64 {
    if !x.is_finite() {
        return if x.is_nan() { x } else { f64::INFINITY };
    }
    if x == x.floor() && x <= 2.0 {
        return if x <= 0.0 { f64::INFINITY } else { 0.0 };
    }
    let size = x.abs();
    if size < 1e-20 {
        return -size.ln();
    }
    let mut result = lanczos_sum(size).ln() - G;
    result += (size - 0.5) * ((size + G - 0.5).ln() - 1.0);
    if x < 0.0 {
        result = LN_PI - sin_pi(size).abs().ln() - size.ln() - result;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values are printed by CPython 3.11.
    #[test]
    fn values_are_cpythons_to_the_last_bit() {
        assert_eq!(gamma(0.5), 1.7724538509055159);
        assert_eq!(gamma(5.0), 24.0);
        assert_eq!(gamma(-1.5), 2.3632718012073544);
        assert_eq!(gamma(170.6), 9.295995953500918e+305);
        assert_eq!(ln_gamma(0.5), 0.5723649429247004);
        assert_eq!(ln_gamma(100.5), 361.4355404677776);
    }

    #[test]
    fn poles_and_overflow_are_not_finite() {
        assert!(gamma(-3.0).is_nan());
        assert!(gamma(0.0).is_infinite());
        assert!(gamma(500.0).is_infinite());
        assert!(ln_gamma(-2.0).is_infinite());
    }
}
