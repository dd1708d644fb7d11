//! Operations on complex numbers as pairs of reals, in the order of operations that NumPy uses.

use super::complex_functions as functions;
use super::emit::{Reg, Std, Type};
use super::real::Precision;
use super::value::Value;
use crate::arrays::op::Op;

fn has_nan(z: Value<'_>) -> Reg<'_> {
    z.re.is_nan() | z.im.is_nan()
}

/// Lexicographic order, as NumPy sorts and compares complex numbers.
pub(super) fn greater<'e>(x: Value<'e>, y: Value<'e>) -> Reg<'e> {
    let ordered = !(x.im.is_nan() | y.im.is_nan());
    (x.re.gt(y.re) & ordered) | (x.re.eq(y.re) & x.im.gt(y.im))
}

fn greater_equal<'e>(x: Value<'e>, y: Value<'e>) -> Reg<'e> {
    let ordered = !(x.im.is_nan() | y.im.is_nan());
    (x.re.gt(y.re) & ordered) | (x.re.eq(y.re) & x.im.ge(y.im))
}

pub(super) fn multiply<'e>(x: Value<'e>, y: Value<'e>) -> Value<'e> {
    Value::complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re)
}

fn pick<'e>(condition: Reg<'e>, yes: Value<'e>, no: Value<'e>) -> Value<'e> {
    Value::complex(condition.select(yes.re, no.re), condition.select(yes.im, no.im))
}

/// Smith's division.
pub(super) fn divide<'e>(x: Value<'e>, y: Value<'e>) -> Value<'e> {
    let (re_abs, im_abs) = (y.re.abs(), y.im.abs());
    let (zero, one) = (y.re.like(0.0), y.re.like(1.0));
    let wide = re_abs.ge(im_abs);
    let (large, small) = (wide.select(y.re, y.im), wide.select(y.im, y.re));
    let ratio = small / large;
    let scale = one / (large + small * ratio);
    let wide_result = Value::complex((x.re + x.im * ratio) * scale, (x.im - x.re * ratio) * scale);
    let tall_result = Value::complex((x.re * ratio + x.im) * scale, (x.im * ratio - x.re) * scale);
    let by_zero = re_abs.eq(zero) & im_abs.eq(zero);
    let infinite = Value::complex(x.re / re_abs, x.im / re_abs);
    pick(by_zero, infinite, pick(wide, wide_result, tall_result))
}

fn reciprocal(z: Value<'_>) -> Value<'_> {
    let one = z.re.like(1.0);
    let wide = z.im.abs().le(z.re.abs());
    let (wide_ratio, tall_ratio) = (z.im / z.re, z.re / z.im);
    let wide_scale = z.re + z.im * wide_ratio;
    let tall_scale = z.re * tall_ratio + z.im;
    let wide_result = Value::complex(one / wide_scale, -wide_ratio / wide_scale);
    let tall_result = Value::complex(tall_ratio / tall_scale, -one / tall_scale);
    pick(wide, wide_result, tall_result)
}

fn sign(z: Value<'_>) -> Value<'_> {
    let (zero, one) = (z.re.like(0.0), z.re.like(1.0));
    let (nan, infinity) = (z.re.like(f64::NAN), z.re.like(f64::INFINITY));
    let modulus = z.re.std2(Std::hypot, z.im);
    let (re_infinite, im_infinite) = (z.re.abs().eq(infinity), z.im.abs().eq(infinity));
    let direction =
        Value::complex(re_infinite.select(one.copysign(z.re), zero), im_infinite.select(one.copysign(z.im), zero));
    let both = Value::complex(nan, nan);
    let at_infinity = pick(re_infinite & im_infinite, both, direction);
    let ordinary = Value::complex(z.re / modulus, z.im / modulus);
    let ordinary = pick(modulus.eq(zero), Value::complex(zero, zero), ordinary);
    let result = pick(modulus.eq(infinity), at_infinity, ordinary);
    pick(modulus.is_nan(), both, result)
}

fn projection(z: Value<'_>) -> Value<'_> {
    let infinity = z.re.like(f64::INFINITY);
    let infinite = z.re.abs().eq(infinity) | z.im.abs().eq(infinity);
    pick(infinite, Value::complex(infinity, z.re.like(0.0).copysign(z.im)), z)
}

/// Runs a function in double precision where that is allowed, as the native engine does.
fn through<'e>(z: Value<'e>, precision: Precision, f: impl FnOnce(Value<'e>) -> Value<'e>) -> Value<'e> {
    let own = z.re.ty;
    let wide = if precision.fp64 { Type::F64 } else { own };
    f(z.map(|part| part.convert(wide))).map(|part| part.convert(own))
}

/// One operation on complex numbers; nothing where it has no lowering. Answers that are real or true are in `re`.
pub(super) fn complex<'e>(op: Op, [x, y, z]: [Value<'e>; 3], precision: Precision) -> Option<Value<'e>> {
    let zero = x.re.like(0.0);
    let truth = |value: Value<'e>| value.re.ne(zero) | value.im.ne(zero);
    let infinity = x.re.like(f64::INFINITY);
    if let Some(function) = functions::find(op) {
        return Some(through(x, precision, function));
    }
    Some(match op {
        Op::Add => Value::complex(x.re + y.re, x.im + y.im),
        Op::Subtract => Value::complex(x.re - y.re, x.im - y.im),
        Op::Multiply => multiply(x, y),
        Op::Divide => divide(x, y),
        Op::Maximum => pick(greater(x, y) | has_nan(x), x, y),
        Op::Minimum => pick(greater(y, x) | has_nan(x), x, y),
        Op::Fmax => pick(greater(x, y) | has_nan(y), x, y),
        Op::Fmin => pick(greater(y, x) | has_nan(y), x, y),
        Op::LogicalAnd => Value::real(truth(x) & truth(y)),
        Op::LogicalOr => Value::real(truth(x) | truth(y)),
        Op::LogicalXor => Value::real(truth(x) ^ truth(y)),
        Op::Equal => Value::real(x.re.eq(y.re) & x.im.eq(y.im)),
        Op::NotEqual => Value::real(x.re.ne(y.re) | x.im.ne(y.im)),
        Op::Less => Value::real(greater(y, x)),
        Op::LessEqual => Value::real(greater_equal(y, x)),
        Op::Greater => Value::real(greater(x, y)),
        Op::GreaterEqual => Value::real(greater_equal(x, y)),
        Op::Negative => Value::complex(-x.re, -x.im),
        Op::Positive => x,
        Op::Absolute => Value::real(x.re.std2(Std::hypot, x.im)),
        Op::Sign => sign(x),
        Op::Square => multiply(x, x),
        Op::Reciprocal => reciprocal(x),
        Op::Conjugate => Value::complex(x.re, -x.im),
        Op::Real => Value::real(x.re),
        Op::Imag => Value::real(x.im),
        Op::Angle => Value::real(x.im.std2(Std::atan2, x.re)),
        Op::Proj => projection(x),
        Op::LogicalNot => Value::real(!truth(x)),
        Op::Isnan => Value::real(has_nan(x)),
        Op::Isinf => Value::real(x.re.abs().eq(infinity) | x.im.abs().eq(infinity)),
        Op::Isfinite => Value::real(x.re.is_finite() & x.im.is_finite()),
        Op::Rint => Value::complex(x.re.std1(Std::rint), x.im.std1(Std::rint)),
        Op::Power | Op::FloatPower => {
            let wide = if precision.fp64 { Type::F64 } else { x.re.ty };
            let exponent = y.map(|part| part.convert(wide));
            through(x, precision, |base| functions::power(base, exponent))
        }
        Op::Clip => {
            let raised = pick(greater(x, y) | has_nan(x), x, y);
            pick(greater(z, raised) | has_nan(raised), raised, z)
        }
        _ => return None,
    })
}
