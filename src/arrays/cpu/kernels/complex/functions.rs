//! Elementary functions of a complex number in double precision, with the branch cuts and special values of C99
//! (Annex G), which are NumPy's.

use super::super::super::vecmath::{double, hyperbolic, trig};
use num_complex::Complex;

type Z = Complex<f64>;

const LN2: f64 = std::f64::consts::LN_2;

#[inline(always)]
fn z(re: f64, im: f64) -> Z {
    Z { re, im }
}

/// Multiplication by i.
fn times_i(w: Z) -> Z {
    z(-w.im, w.re)
}

/// Multiplication by -i.
fn over_i(w: Z) -> Z {
    z(w.im, -w.re)
}

/// `r * (cos t + i sin t)`, without turning `0 * inf` into NaN for t = 0.
fn polar(r: f64, t: f64) -> Z {
    if t == 0.0 { z(r, if r == f64::INFINITY { t } else { r * t }) } else { z(r * trig::cos(t), r * trig::sin(t)) }
}

/// `exp(w)`.
pub fn exp(w: Z) -> Z {
    if !w.re.is_finite() {
        if w.re == f64::INFINITY {
            return if w.im == 0.0 {
                w
            } else if w.im.is_finite() {
                z(f64::INFINITY.copysign(trig::cos(w.im)), f64::INFINITY.copysign(trig::sin(w.im)))
            } else {
                z(f64::INFINITY, f64::NAN)
            };
        }
        if w.re == f64::NEG_INFINITY {
            return if w.im.is_finite() {
                z(0.0f64.copysign(trig::cos(w.im)), 0.0f64.copysign(trig::sin(w.im)))
            } else {
                z(0.0, 0.0)
            };
        }
        return z(f64::NAN, if w.im == 0.0 { w.im } else { f64::NAN });
    }
    if w.re > 709.0 && w.re < 1460.0 {
        // The modulus alone would overflow before its product with a small sine does.
        let part = polar(double::exp(w.re - 709.0), w.im);
        let scale = double::exp(709.0);
        return z(part.re * scale, part.im * scale);
    }
    let r = double::exp(w.re);
    if w.im == 0.0 { z(r, w.im) } else { z(r * trig::cos(w.im), r * trig::sin(w.im)) }
}

/// `2^w`.
pub fn exp2(w: Z) -> Z {
    exp(z(w.re * LN2, w.im * LN2))
}

/// `exp(w) - 1`.
pub fn expm1(w: Z) -> Z {
    let half = trig::sin(w.im / 2.0);
    z(double::expm1(w.re) * trig::cos(w.im) - 2.0 * half * half, double::exp(w.re) * trig::sin(w.im))
}

/// The logarithm of the modulus, without overflow, and without cancellation near modulus one.
fn log_modulus(w: Z) -> f64 {
    let (a, b) = if w.re.abs() >= w.im.abs() { (w.re.abs(), w.im.abs()) } else { (w.im.abs(), w.re.abs()) };
    if a.is_infinite() || b.is_infinite() {
        return f64::INFINITY;
    }
    if a.is_nan() || b.is_nan() {
        return f64::NAN;
    }
    if a > 1e150 {
        return double::log((a / 4.0).hypot(b / 4.0)) + 2.0 * LN2;
    }
    if a < 1e-150 {
        if a == 0.0 {
            return f64::NEG_INFINITY;
        }
        let scale = 2f64.powi(200);
        return double::log((a * scale).hypot(b * scale)) - 200.0 * LN2;
    }
    if (0.5..=2.0).contains(&a) && b < 2.0 {
        // log(a^2 + b^2) / 2 through what is above one, with the squares' rounding errors.
        let above = (a - 1.0) * (a + 1.0);
        let square = b * b;
        let rest = b.mul_add(b, -square) + (a - 1.0).mul_add(a + 1.0, -above);
        let sum = above + square;
        if sum.abs() < 0.5 {
            return 0.5 * double::log1p(sum + rest);
        }
    }
    double::log(a.hypot(b))
}

/// The natural logarithm; the cut runs along the negative real axis.
pub fn log(w: Z) -> Z {
    z(log_modulus(w), w.im.atan2(w.re))
}

/// The logarithm to base 2.
pub fn log2(w: Z) -> Z {
    let l = log(w);
    z(l.re * std::f64::consts::LOG2_E, l.im * std::f64::consts::LOG2_E)
}

/// The logarithm to base 10.
pub fn log10(w: Z) -> Z {
    let l = log(w);
    z(l.re * std::f64::consts::LOG10_E, l.im * std::f64::consts::LOG10_E)
}

/// `log(1 + w)`.
pub fn log1p(w: Z) -> Z {
    if w.re.abs() < 0.5 && w.im.abs() < 0.5 {
        let sum = w.re * (2.0 + w.re) + w.im * w.im;
        return z(0.5 * double::log1p(sum), w.im.atan2(1.0 + w.re));
    }
    log(z(1.0 + w.re, w.im))
}

/// The square root; the cut runs along the negative real axis.
pub fn sqrt(w: Z) -> Z {
    if w.re == 0.0 && w.im == 0.0 {
        return z(0.0, w.im);
    }
    if w.im.is_infinite() {
        return z(f64::INFINITY, w.im);
    }
    if w.re.is_nan() {
        return z(w.re, f64::NAN);
    }
    if w.re.is_infinite() {
        let rest = w.im - w.im;
        return if w.re < 0.0 {
            z(rest.abs(), f64::INFINITY.copysign(w.im))
        } else {
            z(f64::INFINITY, if w.im.is_nan() { f64::NAN } else { 0.0f64.copysign(w.im) })
        };
    }
    let large = w.re.abs().max(w.im.abs());
    let (scale, back) = if large > 1e300 {
        (0.25, 2.0)
    } else if large < 1e-290 {
        (2f64.powi(108), 2f64.powi(-54))
    } else {
        (1.0, 1.0)
    };
    let (a, b) = (w.re * scale, w.im * scale);
    let result = if a >= 0.0 {
        let t = ((a + a.hypot(b)) * 0.5).sqrt();
        z(t, b / (2.0 * t))
    } else {
        let t = ((-a + a.hypot(b)) * 0.5).sqrt();
        z(b.abs() / (2.0 * t), t.copysign(b))
    };
    z(result.re * back, result.im * back)
}

/// `cosh(w)`.
pub fn cosh(w: Z) -> Z {
    let (x, y) = (w.re, w.im);
    if x.is_finite() && y.is_finite() {
        if y == 0.0 {
            return z(hyperbolic::cosh(x), x * y);
        }
        if x.abs() < 22.0 {
            return z(hyperbolic::cosh(x) * trig::cos(y), hyperbolic::sinh(x) * trig::sin(y));
        }
        let half = exp(z(x.abs() - LN2, y));
        return z(half.re, if x < 0.0 { -half.im } else { half.im });
    }
    if x == 0.0 {
        return z(y - y, 0.0f64.copysign(x * if y.is_nan() { 1.0 } else { y }));
    }
    if y == 0.0 {
        return z(x * x, 0.0f64.copysign(x) * y);
    }
    if x.is_infinite() {
        if y.is_finite() {
            return z(x * x * trig::cos(y), x * trig::sin(y));
        }
        return z(f64::INFINITY, f64::NAN);
    }
    z(f64::NAN, f64::NAN)
}

/// `sinh(w)`.
pub fn sinh(w: Z) -> Z {
    let (x, y) = (w.re, w.im);
    if x.is_finite() && y.is_finite() {
        if y == 0.0 {
            return z(hyperbolic::sinh(x), y);
        }
        if x.abs() < 22.0 {
            return z(hyperbolic::sinh(x) * trig::cos(y), hyperbolic::cosh(x) * trig::sin(y));
        }
        let half = exp(z(x.abs() - LN2, y));
        return z(if x < 0.0 { -half.re } else { half.re }, half.im);
    }
    if x == 0.0 {
        return z(x, y - y);
    }
    if y == 0.0 {
        return z(x, y);
    }
    if x.is_infinite() {
        if y.is_finite() {
            return z(x * trig::cos(y), f64::INFINITY * trig::sin(y));
        }
        return z(x, f64::NAN);
    }
    z(f64::NAN, f64::NAN)
}

/// `tanh(w)`.
pub fn tanh(w: Z) -> Z {
    let (x, y) = (w.re, w.im);
    if !x.is_finite() {
        if x.is_nan() {
            return z(x, if y == 0.0 { y } else { f64::NAN });
        }
        let t = if y.is_finite() { trig::sin(y) * trig::cos(y) } else { y };
        return z(1f64.copysign(x), 0f64.copysign(t));
    }
    if !y.is_finite() {
        return z(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    if x.abs() >= 22.0 {
        let e = double::exp(-x.abs());
        return z(1f64.copysign(x), 4.0 * trig::sin(y) * trig::cos(y) * e * e);
    }
    // Kahan's form.
    let t = trig::tan(y);
    let beta = 1.0 + t * t;
    let s = hyperbolic::sinh(x);
    let rho = (1.0 + s * s).sqrt();
    if t.is_infinite() {
        return z(rho / s, 1.0 / t);
    }
    let denominator = 1.0 + beta * s * s;
    z(beta * rho * s / denominator, t / denominator)
}

/// `sin(w)`.
pub fn sin(w: Z) -> Z {
    over_i(sinh(times_i(w)))
}

/// `cos(w)`.
pub fn cos(w: Z) -> Z {
    cosh(times_i(w))
}

/// `tan(w)`.
pub fn tan(w: Z) -> Z {
    over_i(tanh(times_i(w)))
}

/// Beyond this magnitude the squares in the inverse functions would overflow.
const LARGE: f64 = f64::MAX / 4.0;

/// `arccos(w)`, after Kahan.
pub fn arccos(w: Z) -> Z {
    if !w.re.is_finite() || !w.im.is_finite() {
        return arccos_special(w);
    }
    if w.re.abs() > LARGE || w.im.abs() > LARGE {
        let modulus = double::log((w.re / 2.0).hypot(w.im / 2.0)) + LN2 * 2.0;
        return z(w.im.abs().atan2(w.re), if w.im.is_sign_negative() { modulus } else { -modulus });
    }
    let s1 = sqrt(z(1.0 - w.re, -w.im));
    let s2 = sqrt(z(1.0 + w.re, w.im));
    z(2.0 * s1.re.atan2(s2.re), hyperbolic::arcsinh(s2.re * s1.im - s2.im * s1.re))
}

fn arccos_special(w: Z) -> Z {
    let (x, y) = (w.re, w.im);
    let pi = std::f64::consts::PI;
    if y.is_infinite() {
        let re = if x.is_nan() {
            f64::NAN
        } else if x == f64::INFINITY {
            pi / 4.0
        } else if x == f64::NEG_INFINITY {
            3.0 * pi / 4.0
        } else {
            pi / 2.0
        };
        return z(re, -y);
    }
    if x.is_infinite() {
        if y.is_nan() {
            return z(f64::NAN, f64::INFINITY);
        }
        return z(if x > 0.0 { 0.0 } else { pi }, f64::INFINITY.copysign(-y));
    }
    if x == 0.0 {
        return z(pi / 2.0, f64::NAN);
    }
    z(f64::NAN, f64::NAN)
}

/// `arcsinh(w)`, after Kahan.
pub fn arcsinh(w: Z) -> Z {
    if !w.re.is_finite() || !w.im.is_finite() {
        return arcsinh_special(w);
    }
    if w.re.abs() > LARGE || w.im.abs() > LARGE {
        let modulus = double::log((w.re / 2.0).hypot(w.im / 2.0)) + LN2 * 2.0;
        return z(modulus.copysign(w.re), w.im.atan2(w.re.abs()));
    }
    let s1 = sqrt(z(1.0 + w.im, -w.re));
    let s2 = sqrt(z(1.0 - w.im, w.re));
    z(hyperbolic::arcsinh(s1.re * s2.im - s2.re * s1.im), w.im.atan2(s1.re * s2.re - s1.im * s2.im))
}

fn arcsinh_special(w: Z) -> Z {
    let (x, y) = (w.re, w.im);
    let pi = std::f64::consts::PI;
    if x.is_infinite() {
        let im = if y.is_nan() {
            y
        } else if y.is_infinite() {
            (pi / 4.0).copysign(y)
        } else {
            0.0f64.copysign(y)
        };
        return z(x, im);
    }
    if y.is_infinite() {
        return z(f64::INFINITY.copysign(x), if x.is_nan() { f64::NAN } else { (pi / 2.0).copysign(y) });
    }
    z(f64::NAN, if y == 0.0 { y } else { f64::NAN })
}

/// `arccosh(w)`.
pub fn arccosh(w: Z) -> Z {
    let a = arccos(w);
    if a.re.is_nan() && a.im.is_nan() {
        return z(f64::NAN, f64::NAN);
    }
    if a.re.is_nan() {
        return z(a.im.abs(), a.re);
    }
    if a.im.is_nan() {
        return z(f64::NAN, if w.re == 0.0 { a.re } else { f64::NAN });
    }
    z(a.im.abs(), a.re.copysign(w.im))
}

/// `arcsin(w)`.
pub fn arcsin(w: Z) -> Z {
    over_i(arcsinh(times_i(w)))
}

/// `arctanh(w)`, after Kahan.
pub fn arctanh(w: Z) -> Z {
    let (x, y) = (w.re, w.im);
    let pi_half = std::f64::consts::FRAC_PI_2;
    if !x.is_finite() || !y.is_finite() {
        if y.is_infinite() {
            return z(0.0f64.copysign(x), pi_half.copysign(y));
        }
        if x.is_infinite() {
            return z(0.0f64.copysign(x), if y.is_nan() { y } else { pi_half.copysign(y) });
        }
        return z(if x == 0.0 { x } else { f64::NAN }, f64::NAN);
    }
    if x.is_sign_negative() {
        let r = arctanh(z(-x, -y));
        return z(-r.re, -r.im);
    }
    let ay = y.abs();
    if x > 1e150 || ay > 1e150 {
        let h = (x / 2.0).hypot(y / 2.0);
        return z(x / 4.0 / h / h, pi_half.copysign(y));
    }
    if x == 1.0 && ay < 1e-150 {
        if ay == 0.0 {
            return z(f64::INFINITY, y);
        }
        let modulus = ay.hypot(2.0);
        return z(-double::log(ay.sqrt() / modulus.sqrt()), (2.0f64.atan2(-ay) / 2.0).copysign(y));
    }
    let re = double::log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + ay * ay)) / 4.0;
    let im = -((-2.0 * y).atan2((1.0 - x) * (1.0 + x) - ay * ay)) / 2.0;
    z(re, im)
}

/// `arctan(w)`.
pub fn arctan(w: Z) -> Z {
    over_i(arctanh(times_i(w)))
}

/// `sin(pi w) / (pi w)`, one at zero.
pub fn sinc(w: Z) -> Z {
    let w = if w.re == 0.0 && w.im == 0.0 { z(1e-20, 0.0) } else { w };
    let pi = std::f64::consts::PI;
    let t = z(pi * w.re, pi * w.im);
    sin(t) / t
}

/// `base^exponent`; small integer exponents by multiplication, as NumPy does.
pub fn power(base: Z, exponent: Z) -> Z {
    if exponent.re == 0.0 && exponent.im == 0.0 {
        return z(1.0, 0.0);
    }
    if base.re == 0.0 && base.im == 0.0 {
        return if exponent.re > 0.0 { z(0.0, 0.0) } else { z(f64::NAN, f64::NAN) };
    }
    if exponent.im == 0.0 && exponent.re.trunc() == exponent.re && exponent.re.abs() < 100.0 {
        let mut left = exponent.re.abs() as u32;
        if left == 1 && exponent.re > 0.0 {
            return base;
        }
        let (mut result, mut square) = (z(1.0, 0.0), base);
        while left > 0 {
            if left & 1 == 1 {
                result *= square;
            }
            square *= square;
            left >>= 1;
        }
        return if exponent.re < 0.0 { z(1.0, 0.0) / result } else { result };
    }
    let l = log(base);
    exp(z(exponent.re * l.re - exponent.im * l.im, exponent.re * l.im + exponent.im * l.re))
}
