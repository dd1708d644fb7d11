//! Elementary functions of a complex number with the branch cuts and special values of C99 (Annex G), which are NumPy's.
//!
//! The formulas are those of the native engine. A device evaluates all branches and selects, so that neighbouring
//! elements stay together.

use super::complex::{divide, multiply};
use super::emit::{Reg, Std, Type};
use super::value::Value;
use crate::arrays::op::Op;
use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_E, PI};

type Z<'e> = Value<'e>;

fn z<'e>(re: Reg<'e>, im: Reg<'e>) -> Z<'e> {
    Value::complex(re, im)
}

fn pick<'e>(condition: Reg<'e>, yes: Z<'e>, no: Z<'e>) -> Z<'e> {
    z(condition.select(yes.re, no.re), condition.select(yes.im, no.im))
}

/// Multiplication by i.
fn times_i(w: Z<'_>) -> Z<'_> {
    z(-w.im, w.re)
}

/// Multiplication by -i.
fn over_i(w: Z<'_>) -> Z<'_> {
    z(w.im, -w.re)
}

fn sin_of(x: Reg<'_>) -> Reg<'_> {
    x.std1(Std::sin)
}

fn cos_of(x: Reg<'_>) -> Reg<'_> {
    x.std1(Std::cos)
}

fn exp_of(x: Reg<'_>) -> Reg<'_> {
    x.std1(Std::exp)
}

fn log_of(x: Reg<'_>) -> Reg<'_> {
    x.std1(Std::log)
}

fn hypot<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    x.std2(Std::hypot, y)
}

fn atan2<'e>(y: Reg<'e>, x: Reg<'e>) -> Reg<'e> {
    y.std2(Std::atan2, x)
}

fn is_infinite(x: Reg<'_>) -> Reg<'_> {
    x.abs().eq(x.like(f64::INFINITY))
}

/// Zero for a finite number, NaN for any other: what is left of it without itself.
fn zero_or_nan(x: Reg<'_>) -> Reg<'_> {
    let itself = x;
    x - itself
}

/// Magnitudes at which a precision needs another formula.
struct Limits {
    /// Where `exp` is about to overflow, and where its square does.
    exp: f64,
    exp_twice: f64,
    /// Squares stay finite and normal between these.
    large: f64,
    small: f64,
    /// Brings something small into the middle, and the logarithm of that to base 2.
    raise: i32,
    /// The square root's own bounds.
    root_large: f64,
    root_small: f64,
    /// Beyond this, `exp(-x)` adds nothing to `exp(x)`.
    one_sided: f64,
    /// A quarter of the largest number.
    quarter: f64,
}

fn limits(ty: Type) -> Limits {
    if ty == Type::F64 {
        Limits {
            exp: 709.0,
            exp_twice: 1460.0,
            large: 1e150,
            small: 1e-150,
            raise: 200,
            root_large: 1e300,
            root_small: 1e-290,
            one_sided: 22.0,
            quarter: f64::MAX / 4.0,
        }
    } else {
        Limits {
            exp: 88.0,
            exp_twice: 192.0,
            large: 1e18,
            small: 1e-18,
            raise: 40,
            root_large: 1e37,
            root_small: 1e-30,
            one_sided: 10.0,
            quarter: f64::from(f32::MAX / 4.0),
        }
    }
}

/// `exp(w)`.
fn exp(w: Z<'_>) -> Z<'_> {
    let bound = limits(w.re.ty);
    let (zero, infinity, nan) = (w.re.like(0.0), w.re.like(f64::INFINITY), w.re.like(f64::NAN));
    let real_axis = w.im.eq(zero);
    let (sine, cosine) = (sin_of(w.im), cos_of(w.im));
    // The modulus alone would overflow before its product with a small sine does.
    let close = w.re.gt(w.re.like(bound.exp)) & w.re.lt(w.re.like(bound.exp_twice));
    let reduced = exp_of(close.select(w.re - w.re.like(bound.exp), w.re));
    let scale = close.select(w.re.like(bound.exp.exp()), w.re.like(1.0));
    let finite =
        z(real_axis.select(reduced * scale, reduced * cosine * scale), real_axis.select(w.im, reduced * sine * scale));
    let turned = w.im.is_finite();
    let upward = pick(turned, z(infinity.copysign(cosine), infinity.copysign(sine)), z(infinity, nan));
    let upward = pick(real_axis, w, upward);
    let downward = pick(turned, z(zero.copysign(cosine), zero.copysign(sine)), z(zero, zero));
    let neither = z(nan, real_axis.select(w.im, nan));
    let special = pick(w.re.eq(infinity), upward, pick(w.re.eq(-infinity), downward, neither));
    pick(w.re.is_finite(), finite, special)
}

fn exp2(w: Z<'_>) -> Z<'_> {
    exp(w.map(|part| part * part.like(LN_2)))
}

fn expm1(w: Z<'_>) -> Z<'_> {
    let half = sin_of(w.im * w.im.like(0.5));
    z(w.re.std1(Std::expm1) * cos_of(w.im) - w.re.like(2.0) * half * half, exp_of(w.re) * sin_of(w.im))
}

/// The logarithm of the modulus, without overflow, and without cancellation near modulus one.
fn log_modulus(w: Z<'_>) -> Reg<'_> {
    let bound = limits(w.re.ty);
    let (re, im) = (w.re.abs(), w.im.abs());
    let wide = re.ge(im);
    let (a, b) = (wide.select(re, im), wide.select(im, re));
    let one = a.like(1.0);
    let (large, small) = (a.gt(a.like(bound.large)), a.lt(a.like(bound.small)));
    let factor = large.select(a.like(0.25), small.select(a.like(2f64.powi(bound.raise)), one));
    let back = large.select(a.like(2.0 * LN_2), small.select(a.like(-f64::from(bound.raise) * LN_2), a.like(0.0)));
    let plain = log_of(hypot(a * factor, b * factor)) + back;
    // log(a^2 + b^2) / 2 through what is above one, with the squares' rounding errors.
    let (less, more) = (a - one, a + one);
    let above = less * more;
    let square = b * b;
    let rest = b.std3(Std::fma, b, -square) + less.std3(Std::fma, more, -above);
    let sum = above + square;
    let near = a.ge(a.like(0.5)) & a.le(a.like(2.0)) & b.lt(b.like(2.0)) & sum.abs().lt(a.like(0.5));
    let result = near.select((sum + rest).std1(Std::log1p) * a.like(0.5), plain);
    let result = a.eq(a.like(0.0)).select(a.like(f64::NEG_INFINITY), result);
    let result = (re.is_nan() | im.is_nan()).select(a.like(f64::NAN), result);
    (is_infinite(re) | is_infinite(im)).select(a.like(f64::INFINITY), result)
}

fn log(w: Z<'_>) -> Z<'_> {
    z(log_modulus(w), atan2(w.im, w.re))
}

fn log2(w: Z<'_>) -> Z<'_> {
    log(w).map(|part| part * part.like(LOG2_E))
}

fn log10(w: Z<'_>) -> Z<'_> {
    log(w).map(|part| part * part.like(LOG10_E))
}

fn log1p(w: Z<'_>) -> Z<'_> {
    let (half, one) = (w.re.like(0.5), w.re.like(1.0));
    let near = w.re.abs().lt(half) & w.im.abs().lt(half);
    let sum = w.re * (w.re.like(2.0) + w.re) + w.im * w.im;
    let close = z(sum.std1(Std::log1p) * half, atan2(w.im, one + w.re));
    pick(near, close, log(z(one + w.re, w.im)))
}

/// The square root; the cut runs along the negative real axis.
fn sqrt(w: Z<'_>) -> Z<'_> {
    let bound = limits(w.re.ty);
    let (a, b) = (w.re, w.im);
    let (zero, infinity, nan, half) = (a.like(0.0), a.like(f64::INFINITY), a.like(f64::NAN), a.like(0.5));
    let greatest = {
        let (re, im) = (a.abs(), b.abs());
        re.gt(im).select(re, im)
    };
    let (large, small) = (greatest.gt(a.like(bound.root_large)), greatest.lt(a.like(bound.root_small)));
    let (up, down) = if a.ty == Type::F64 { (108, -54) } else { (48, -24) };
    let scale = large.select(a.like(0.25), small.select(a.like(2f64.powi(up)), a.like(1.0)));
    let back = large.select(a.like(2.0), small.select(a.like(2f64.powi(down)), a.like(1.0)));
    let (sa, sb) = (a * scale, b * scale);
    let t = ((sa.abs() + hypot(sa, sb)) * half).sqrt();
    let part = sb / (t * a.like(2.0));
    let right = sa.ge(zero);
    let ordinary = z(right.select(t, part.abs()) * back, right.select(part, t.copysign(sb)) * back);
    let left_end = z(zero_or_nan(b).abs(), infinity.copysign(b));
    let right_end = z(infinity, b.is_nan().select(nan, zero.copysign(b)));
    let ends = pick(a.lt(zero), left_end, right_end);
    let result = pick(is_infinite(a), ends, ordinary);
    let result = pick(a.is_nan(), z(a, nan), result);
    let result = pick(is_infinite(b), z(infinity, b), result);
    pick(a.eq(zero) & b.eq(zero), z(zero, b), result)
}

/// `cosh(w)` and `sinh(w)` share everything but which part takes which factor.
fn hyperbolic(w: Z<'_>, cosine: bool) -> Z<'_> {
    let bound = limits(w.re.ty);
    let (x, y) = (w.re, w.im);
    let (zero, infinity, nan) = (x.like(0.0), x.like(f64::INFINITY), x.like(f64::NAN));
    let real_axis = y.eq(zero);
    let (sine_y, cosine_y) = (sin_of(y), cos_of(y));
    let (sinh_x, cosh_x) = (x.std1(Std::sinh), x.std1(Std::cosh));
    let negative = x.lt(zero);
    let half = exp(z(x.abs() - x.like(LN_2), y));
    let one_sided = x.abs().ge(x.like(bound.one_sided));
    let not = (x.is_finite(), y.is_finite());
    if cosine {
        let two_sided = z(cosh_x * cosine_y, sinh_x * sine_y);
        let far = z(half.re, negative.select(-half.im, half.im));
        let finite = pick(real_axis, z(cosh_x, x * y), pick(one_sided, far, two_sided));
        let sign = x * y.is_nan().select(x.like(1.0), y);
        let on_imaginary = z(zero_or_nan(y), zero.copysign(sign));
        let on_real = z(x * x, zero.copysign(x) * y);
        let ends = pick(not.1, z(x * x * cosine_y, x * sine_y), z(infinity, nan));
        let special = pick(is_infinite(x), ends, z(nan, nan));
        let special = pick(real_axis, on_real, special);
        let special = pick(x.eq(zero), on_imaginary, special);
        return pick(not.0 & not.1, finite, special);
    }
    let two_sided = z(sinh_x * cosine_y, cosh_x * sine_y);
    let far = z(negative.select(-half.re, half.re), half.im);
    let finite = pick(real_axis, z(sinh_x, y), pick(one_sided, far, two_sided));
    let ends = pick(not.1, z(x * cosine_y, infinity * sine_y), z(x, nan));
    let special = pick(is_infinite(x), ends, z(nan, nan));
    let special = pick(real_axis, z(x, y), special);
    let special = pick(x.eq(zero), z(x, zero_or_nan(y)), special);
    pick(not.0 & not.1, finite, special)
}

fn cosh(w: Z<'_>) -> Z<'_> {
    hyperbolic(w, true)
}

fn sinh(w: Z<'_>) -> Z<'_> {
    hyperbolic(w, false)
}

fn tanh(w: Z<'_>) -> Z<'_> {
    let bound = limits(w.re.ty);
    let (x, y) = (w.re, w.im);
    let (zero, one, nan) = (x.like(0.0), x.like(1.0), x.like(f64::NAN));
    let (sine, cosine) = (sin_of(y), cos_of(y));
    // Kahan's form.
    let t = y.std1(Std::tan);
    let beta = one + t * t;
    let s = x.std1(Std::sinh);
    let rho = (one + s * s).sqrt();
    let denominator = one + beta * s * s;
    let kahan = z(beta * rho * s / denominator, t / denominator);
    let kahan = pick(is_infinite(t), z(rho / s, one / t), kahan);
    let e = exp_of(-x.abs());
    let saturated = z(one.copysign(x), x.like(4.0) * sine * cosine * e * e);
    let finite = pick(x.abs().ge(x.like(bound.one_sided)), saturated, kahan);
    let without_angle = z(x.eq(zero).select(x, nan), nan);
    let result = pick(y.is_finite(), finite, without_angle);
    let end = z(one.copysign(x), zero.copysign(y.is_finite().select(sine * cosine, y)));
    let special = pick(x.is_nan(), z(x, y.eq(zero).select(y, nan)), end);
    pick(x.is_finite(), result, special)
}

fn sin(w: Z<'_>) -> Z<'_> {
    over_i(sinh(times_i(w)))
}

fn cos(w: Z<'_>) -> Z<'_> {
    cosh(times_i(w))
}

fn tan(w: Z<'_>) -> Z<'_> {
    over_i(tanh(times_i(w)))
}

/// `arccos(w)`, after Kahan.
fn arccos(w: Z<'_>) -> Z<'_> {
    let bound = limits(w.re.ty);
    let (x, y) = (w.re, w.im);
    let (zero, one, infinity, nan) = (x.like(0.0), x.like(1.0), x.like(f64::INFINITY), x.like(f64::NAN));
    let s1 = sqrt(z(one - x, -y));
    let s2 = sqrt(z(one + x, y));
    let re = atan2(s1.re, s2.re) * x.like(2.0);
    let im = (s2.re * s1.im - s2.im * s1.re).std1(Std::asinh);
    let modulus = log_of(hypot(x * x.like(0.5), y * y.like(0.5))) + x.like(2.0 * LN_2);
    let quarter = x.like(bound.quarter);
    let huge = x.abs().gt(quarter) | y.abs().gt(quarter);
    let far = z(atan2(y.abs(), x), y.sign_bit().select(modulus, -modulus));
    let finite = pick(huge, far, z(re, im));
    let at_y =
        x.eq(infinity).select(x.like(PI / 4.0), x.eq(-infinity).select(x.like(3.0 * PI / 4.0), x.like(FRAC_PI_2)));
    let at_y = z(x.is_nan().select(nan, at_y), -y);
    let at_x = z(x.gt(zero).select(zero, x.like(PI)), infinity.copysign(-y));
    let at_x = pick(y.is_nan(), z(nan, infinity), at_x);
    let neither = pick(x.eq(zero), z(x.like(FRAC_PI_2), nan), z(nan, nan));
    let special = pick(is_infinite(y), at_y, pick(is_infinite(x), at_x, neither));
    pick(x.is_finite() & y.is_finite(), finite, special)
}

/// `arcsinh(w)`, after Kahan.
fn arcsinh(w: Z<'_>) -> Z<'_> {
    let bound = limits(w.re.ty);
    let (x, y) = (w.re, w.im);
    let (zero, one, infinity, nan) = (x.like(0.0), x.like(1.0), x.like(f64::INFINITY), x.like(f64::NAN));
    let s1 = sqrt(z(one + y, -x));
    let s2 = sqrt(z(one - y, x));
    let re = (s1.re * s2.im - s2.re * s1.im).std1(Std::asinh);
    let im = atan2(y, s1.re * s2.re - s1.im * s2.im);
    let modulus = log_of(hypot(x * x.like(0.5), y * y.like(0.5))) + x.like(2.0 * LN_2);
    let quarter = x.like(bound.quarter);
    let huge = x.abs().gt(quarter) | y.abs().gt(quarter);
    let finite = pick(huge, z(modulus.copysign(x), atan2(y, x.abs())), z(re, im));
    let along_x = is_infinite(y).select(x.like(PI / 4.0).copysign(y), zero.copysign(y));
    let at_x = z(x, y.is_nan().select(y, along_x));
    let at_y = z(infinity.copysign(x), x.is_nan().select(nan, x.like(FRAC_PI_2).copysign(y)));
    let neither = z(nan, y.eq(zero).select(y, nan));
    let special = pick(is_infinite(x), at_x, pick(is_infinite(y), at_y, neither));
    pick(x.is_finite() & y.is_finite(), finite, special)
}

fn arccosh(w: Z<'_>) -> Z<'_> {
    let a = arccos(w);
    let (zero, nan) = (w.re.like(0.0), w.re.like(f64::NAN));
    let (re_nan, im_nan) = (a.re.is_nan(), a.im.is_nan());
    let result = z(a.im.abs(), a.re.copysign(w.im));
    let result = pick(im_nan, z(nan, w.re.eq(zero).select(a.re, nan)), result);
    let result = pick(re_nan, z(a.im.abs(), a.re), result);
    pick(re_nan & im_nan, z(nan, nan), result)
}

fn arcsin(w: Z<'_>) -> Z<'_> {
    over_i(arcsinh(times_i(w)))
}

/// `arctanh(w)`, after Kahan; odd, so computed for non-negative real parts.
fn arctanh(w: Z<'_>) -> Z<'_> {
    let bound = limits(w.re.ty);
    let mirrored = w.re.sign_bit();
    let (x, y) = (w.re.abs(), mirrored.select(-w.im, w.im));
    let (zero, one, infinity, nan) = (x.like(0.0), x.like(1.0), x.like(f64::INFINITY), x.like(f64::NAN));
    let pi_half = x.like(FRAC_PI_2);
    let ay = y.abs();
    let less = one - x;
    let re = ((x * x.like(4.0)) / (less * less + ay * ay)).std1(Std::log1p) * x.like(0.25);
    let im = -(atan2(y * y.like(-2.0), less * (one + x) - ay * ay) * y.like(0.5));
    let h = hypot(x * x.like(0.5), y * y.like(0.5));
    let large = x.like(bound.large);
    let far = z(x * x.like(0.25) / h / h, pi_half.copysign(y));
    let modulus = hypot(ay, x.like(2.0));
    let close_re = -log_of(ay.sqrt() / modulus.sqrt());
    let close_im = (atan2(x.like(2.0), -ay) * x.like(0.5)).copysign(y);
    let close = pick(ay.eq(zero), z(infinity, y), z(close_re, close_im));
    let result = pick(x.eq(one) & ay.lt(x.like(bound.small)), close, z(re, im));
    let result = pick(x.gt(large) | ay.gt(large), far, result);
    let result = pick(mirrored, z(-result.re, -result.im), result);
    let (x, y) = (w.re, w.im);
    let at_y = z(zero.copysign(x), pi_half.copysign(y));
    let at_x = z(zero.copysign(x), y.is_nan().select(y, pi_half.copysign(y)));
    let neither = z(x.eq(zero).select(x, nan), nan);
    let special = pick(is_infinite(y), at_y, pick(is_infinite(x), at_x, neither));
    pick(x.is_finite() & y.is_finite(), result, special)
}

fn arctan(w: Z<'_>) -> Z<'_> {
    over_i(arctanh(times_i(w)))
}

fn sinc(w: Z<'_>) -> Z<'_> {
    let zero = w.re.like(0.0);
    let origin = w.re.eq(zero) & w.im.eq(zero);
    let w = pick(origin, z(w.re.like(1e-20), zero), w);
    let t = w.map(|part| part * part.like(PI));
    divide(sin(t), t)
}

/// `base^exponent`; small integer exponents by multiplication, as NumPy does.
pub(super) fn power<'e>(base: Z<'e>, exponent: Z<'e>) -> Z<'e> {
    let emitter = base.re.emitter();
    let (zero, one, nan) = (base.re.like(0.0), base.re.like(1.0), base.re.like(f64::NAN));
    let l = log(base);
    let general = exp(z(exponent.re * l.re - exponent.im * l.im, exponent.re * l.im + exponent.im * l.re));
    let magnitude = exponent.re.abs();
    let whole =
        exponent.im.eq(zero) & exponent.re.std1(Std::trunc).eq(exponent.re) & magnitude.lt(magnitude.like(100.0));
    let count = whole.select(magnitude, zero).convert(Type::U32);
    let (none, single) = (count.like(0.0), count.like(1.0));
    let [_, _, _, re, im] = emitter.repeat(
        [count, base.re, base.im, one, zero],
        |[left, ..]| left.ne(none),
        |&[left, square_re, square_im, re, im]| {
            let (square, result) = (z(square_re, square_im), z(re, im));
            let product = multiply(result, square);
            let odd = (left & single).ne(none);
            let next = pick(odd, product, result);
            let squared = multiply(square, square);
            [left.shift_right(single), squared.re, squared.im, next.re, next.im]
        },
    );
    let product = z(re, im);
    let product = pick(count.eq(single), base, product);
    let inverted = divide(z(one, zero), product);
    let integral = pick(exponent.re.lt(zero), inverted, product);
    let result = pick(whole, integral, general);
    let positive = exponent.re.gt(zero);
    let of_zero = z(positive.select(zero, nan), positive.select(zero, nan));
    let result = pick(base.re.eq(zero) & base.im.eq(zero), of_zero, result);
    pick(exponent.re.eq(zero) & exponent.im.eq(zero), z(one, zero), result)
}

/// The function of one complex number that an operation is.
pub(super) fn find(op: Op) -> Option<fn(Z<'_>) -> Z<'_>> {
    let function: fn(Z<'_>) -> Z<'_> = match op {
        Op::Sqrt => sqrt,
        Op::Exp => exp,
        Op::Exp2 => exp2,
        Op::Expm1 => expm1,
        Op::Log => log,
        Op::Log2 => log2,
        Op::Log10 => log10,
        Op::Log1p => log1p,
        Op::Sin => sin,
        Op::Cos => cos,
        Op::Tan => tan,
        Op::Sinh => sinh,
        Op::Cosh => cosh,
        Op::Tanh => tanh,
        Op::Arcsin => arcsin,
        Op::Arccos => arccos,
        Op::Arctan => arctan,
        Op::Arcsinh => arcsinh,
        Op::Arccosh => arccosh,
        Op::Arctanh => arctanh,
        Op::Sinc => sinc,
        _ => return None,
    };
    Some(function)
}
