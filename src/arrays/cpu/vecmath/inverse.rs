//! Inverse trigonometric functions in double precision.

use super::double::fma;

const FRAC_PI_2_LO: f64 = 6.12323399573676603587e-17;

/// `(arcsin(x) - x) / x` as a function of x squared, up to x = 1/2.
#[inline(always)]
fn arcsin_ratio(z: f64) -> f64 {
    let p = z * fma(
        z,
        fma(
            z,
            fma(
                z,
                fma(z, fma(z, 3.47933107596021167570e-05, 7.91534994289814532176e-04), -4.00555345006794114027e-02),
                2.01212532134862925881e-01,
            ),
            -3.25565818622400915405e-01,
        ),
        1.66666666666666657415e-01,
    );
    let q = fma(
        z,
        fma(
            z,
            fma(z, fma(z, 7.70381505559019352791e-02, -6.88283971605453293030e-01), 2.02094576023350569471e+00),
            -2.40339491173441421878e+00,
        ),
        1.0,
    );
    p / q
}

/// `arcsin(x)`; NaN outside [-1, 1].
#[inline(always)]
pub fn arcsin(x: f64) -> f64 {
    let a = x.abs();
    let near = a < 0.5;
    let z = if near { a * a } else { (1.0 - a) * 0.5 };
    let root = z.sqrt();
    let ratio = arcsin_ratio(z);
    let near_result = fma(a, ratio, a);
    // Near 1 the square root is split so that pi/2 - 2 * root keeps its low bits.
    let root_high = f64::from_bits(root.to_bits() & 0xffff_ffff_0000_0000);
    let correction = fma(-root_high, root_high, z) / (root + root_high);
    let correction = if root == 0.0 { 0.0 } else { correction };
    let tail = 2.0 * root * ratio - (FRAC_PI_2_LO - 2.0 * correction);
    let far_result = std::f64::consts::FRAC_PI_4 - (tail - (std::f64::consts::FRAC_PI_4 - 2.0 * root_high));
    let result = if near { near_result } else { far_result };
    let result = if a < 1e-150 { a } else { result };
    if a <= 1.0 { result.copysign(x) } else { f64::NAN }
}

/// `arccos(x)`; NaN outside [-1, 1].
#[inline(always)]
pub fn arccos(x: f64) -> f64 {
    let a = x.abs();
    let near = a < 0.5;
    let z = if near { a * a } else { (1.0 - a) * 0.5 };
    let root = z.sqrt();
    let ratio = arcsin_ratio(z);
    let near_result = std::f64::consts::FRAC_PI_2 - (x - (FRAC_PI_2_LO - x * ratio));
    let root_high = f64::from_bits(root.to_bits() & 0xffff_ffff_0000_0000);
    let correction = fma(-root_high, root_high, z) / (root + root_high);
    let correction = if root == 0.0 { 0.0 } else { correction };
    let positive = 2.0 * (root_high + (ratio * root + correction));
    let negative = std::f64::consts::PI - 2.0 * (root + (ratio * root - FRAC_PI_2_LO));
    let far_result = if x < 0.0 { negative } else { positive };
    if a <= 1.0 { if near { near_result } else { far_result } } else { f64::NAN }
}

/// `arctan(x)`.
#[inline(always)]
pub fn arctan(x: f64) -> f64 {
    let a = x.abs();
    // Five intervals; in each the argument moves to t = over / under with |t| <= 7/16, and a constant is added.
    let (mut over, mut under, mut high, mut low) = (a, 1.0, 0.0, 0.0);
    if a >= 0.4375 {
        (over, under, high, low) = (2.0 * a - 1.0, 2.0 + a, 4.63647609000806093515e-01, 2.26987774529616870924e-17);
    }
    if a >= 0.6875 {
        (over, under, high, low) = (a - 1.0, a + 1.0, std::f64::consts::FRAC_PI_4, 3.06161699786838301793e-17);
    }
    if a >= 1.1875 {
        (over, under, high, low) = (a - 1.5, 1.0 + 1.5 * a, 9.82793723247329054082e-01, 1.39033110312309984516e-17);
    }
    if a >= 2.4375 {
        (over, under, high, low) = (-1.0, a, std::f64::consts::FRAC_PI_2, FRAC_PI_2_LO);
    }
    let t = over / under;
    let z = t * t;
    let w = z * z;
    let odd = z * fma(
        w,
        fma(
            w,
            fma(
                w,
                fma(w, fma(w, 1.62858201153657823623e-02, 4.97687799461593236017e-02), 6.66107313738753120669e-02),
                9.09088713343650656196e-02,
            ),
            1.42857142725034663711e-01,
        ),
        3.33333333333329318027e-01,
    );
    let even = w * fma(
        w,
        fma(
            w,
            fma(w, fma(w, -3.65315727442169155270e-02, -5.83357013379057348645e-02), -7.69187620504482999495e-02),
            -1.11111104054623557880e-01,
        ),
        -1.99999999998764832476e-01,
    );
    let result = high - ((t * (odd + even) - low) - t);
    let result = if a < 1e-150 { a } else { result };
    if x != x { x } else { result.copysign(x) }
}
