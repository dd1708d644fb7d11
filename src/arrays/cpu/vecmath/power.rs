//! `pow` in double precision: the logarithm as a sum of two floats, times y, through the exponential.

use super::double::{LN2_HI, LN2_LO, LN2_SHORT, LN2_SHORT_LO, clamp, exp_tail, fma, round_to_int, scale};

/// Whether [`pow_fast`] does not apply: anything but a positive finite base and a finite exponent.
#[inline(always)]
pub fn is_special(x: f64, y: f64) -> bool {
    !(x > 0.0 && x < f64::INFINITY && y.abs() < f64::INFINITY)
}

/// The natural logarithm of a positive finite number as an unevaluated sum of two floats.
#[inline(always)]
fn log_pair(x: f64) -> (f64, f64) {
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE: u64 = 1023 << 52;
    let small = x < f64::MIN_POSITIVE;
    let scaled = if small { x * 18014398509481984.0 } else { x };
    let bias = if small { 4503599627370496.0 + 1023.0 + 54.0 } else { 4503599627370496.0 + 1023.0 };
    let bits = scaled.to_bits();
    let shifted = bits.wrapping_sub(SQRT_HALF).wrapping_add(ONE);
    let e = f64::from_bits((shifted >> 52) | 0x4330_0000_0000_0000) - bias;
    let m = f64::from_bits(bits.wrapping_sub((shifted & 0xfff0_0000_0000_0000).wrapping_sub(ONE)));

    // s = (m - 1) / (m + 1), log(m) = 2 s (1 + s^2/3 + s^4/5 + ...); the first two terms carry a low part.
    let over = m - 1.0;
    let under = m + 1.0;
    let under_low = m - (under - 1.0);
    let s = over / under;
    let s_low = (fma(-s, under, over) - s * under_low) / under;
    let z = s * s;
    let z_low = fma(s, s, -z) + 2.0 * s * s_low;
    let series = fma(
        z,
        fma(
            z,
            fma(
                z,
                fma(
                    z,
                    fma(
                        z,
                        fma(
                            z,
                            fma(z, fma(z, fma(z, fma(z, 1.0 / 25.0, 1.0 / 23.0), 1.0 / 21.0), 1.0 / 19.0), 1.0 / 17.0),
                            1.0 / 15.0,
                        ),
                        1.0 / 13.0,
                    ),
                    1.0 / 11.0,
                ),
                1.0 / 9.0,
            ),
            1.0 / 7.0,
        ),
        0.2,
    );
    const THIRD: f64 = 1.0 / 3.0;
    const THIRD_LOW: f64 = 1.850371707708594e-17;
    let t = z * THIRD;
    let t_low = fma(z, THIRD, -t) + z * THIRD_LOW + z_low * THIRD;
    let rest = fma(z * z, series, t_low);
    let w = t + rest;
    let w_low = rest - (w - t);
    let a = s * w;
    let a_low = fma(s, w, -a) + s * w_low + s_low * w;
    let l = s + a;
    let l_low = (s - l) + a + (a_low + s_low);

    let base = e * LN2_SHORT;
    let high = base + 2.0 * l;
    let low = (2.0 * l - (high - base)) + (e * LN2_SHORT_LO + 2.0 * l_low);
    (high, low)
}

/// `x^y` for a positive finite base and a finite exponent.
#[inline(always)]
pub fn pow_fast(x: f64, y: f64) -> f64 {
    let (log_high, log_low) = log_pair(x);
    let product = y * log_high;
    let product_low = fma(y, log_high, -product) + y * log_low;
    let inside = product.abs() < 800.0;
    let product_low = if inside { product_low } else { 0.0 };
    let p = clamp(product, -746.0, 710.0);
    let (k, bits) = round_to_int(p * std::f64::consts::LOG2_E);
    let r = fma(-k, LN2_LO, fma(-k, LN2_HI, p));
    let tail = exp_tail(r);
    let power = 1.0 + (r + tail);
    scale(1.0 + (r + fma(product_low, power, tail)), bits)
}

/// `x^y` where [`is_special`]: signs, zeros, infinities and NaN, as C and NumPy define them.
#[cold]
pub fn pow_special(x: f64, y: f64) -> f64 {
    if x < 0.0 && x.is_finite() && y.is_finite() && y != 0.0 {
        if y.trunc() != y {
            return f64::NAN;
        }
        let magnitude = pow_fast(-x, y);
        // Above 2^53 every float is even.
        let odd = y.abs() < 9007199254740992.0 && (y as i64) & 1 == 1;
        return if odd { -magnitude } else { magnitude };
    }
    // What is left has exact answers: zeros, ones, infinities and NaN.
    x.powf(y)
}
