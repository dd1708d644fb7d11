//! Operations on float32 and float64, by the native engine's rules for zeros, infinities and NaN; float16 comes as
//! float32 and is rounded by the caller.

use super::emit::{Reg, Std, Type};
use super::number::number;
use crate::arrays::cpu::vecmath::special::{I0_FAR, I0_NEAR};
use crate::arrays::op::Op;
use std::f64::consts::{LN_2, LOG2_E, PI};

/// What a lowering may use besides the dtype's own precision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Precision {
    /// Whether double precision may serve inside float32 functions.
    pub(super) fp64: bool,
    /// Whether elements are float16 held as float32.
    pub(super) half: bool,
}

fn floor_divide<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let zero = x.like(0.0);
    let rest = x % y;
    let quotient = (x - rest) / y;
    let crossed = rest.ne(zero) & (y.lt(zero) ^ rest.lt(zero));
    let quotient = crossed.select(quotient - x.like(1.0), quotient);
    let floor = quotient.std1(Std::floor);
    let rounded = (quotient - floor).gt(x.like(0.5)).select(floor + x.like(1.0), floor);
    let exact = x / y;
    let result = quotient.eq(zero).select(zero.copysign(exact), rounded);
    y.eq(zero).select(exact, rest.is_nan().select(rest, result))
}

fn remainder<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let zero = x.like(0.0);
    let rest = x % y;
    let crossed = y.lt(zero) ^ rest.lt(zero);
    let result = crossed.select(rest + y, rest);
    let result = rest.eq(zero).select(zero.copysign(y), result);
    (y.eq(zero) | rest.is_nan()).select(rest, result)
}

/// Runs a function in double precision where that is allowed, and rounds its result.
fn through_double<'e>(x: Reg<'e>, precision: Precision, f: impl FnOnce(Reg<'e>) -> Reg<'e>) -> Reg<'e> {
    if precision.fp64 { f(x.convert(Type::F64)).convert(x.ty) } else { f(x) }
}

fn logaddexp<'e>(x: Reg<'e>, y: Reg<'e>, base_two: bool) -> Reg<'e> {
    let difference = x - y;
    let upper = difference.gt(x.like(0.0));
    let distance = -difference.abs();
    let tail = if base_two {
        distance.std1(Std::exp2).std1(Std::log1p) * x.like(LOG2_E)
    } else {
        distance.std1(Std::exp).std1(Std::log1p)
    };
    let sum = upper.select(x, y) + tail;
    let same = x + x.like(if base_two { 1.0 } else { LN_2 });
    x.eq(y).select(same, difference.is_nan().select(difference, sum))
}

/// The bits of a float as they are in memory, and how they come back.
fn to_bits(x: Reg<'_>, half: bool) -> Reg<'_> {
    if half { x.convert(Type::F16).reinterpret(Type::U16) } else { x.reinterpret(x.ty.unsigned()) }
}

fn from_bits<'e>(bits: Reg<'e>, half: bool) -> Reg<'e> {
    match (half, bits.ty) {
        (true, _) => bits.reinterpret(Type::F16).convert(Type::F32),
        (false, Type::U32) => bits.reinterpret(Type::F32),
        (false, _) => bits.reinterpret(Type::F64),
    }
}

fn smallest(x: Reg<'_>, half: bool) -> Reg<'_> {
    from_bits(to_bits(x, half).like(1.0), half)
}

/// The neighbour above or below a number that is neither NaN nor zero.
fn step<'e>(x: Reg<'e>, up: Reg<'e>, half: bool) -> Reg<'e> {
    let bits = to_bits(x, half);
    let away = up.eq(x.gt(x.like(0.0)));
    from_bits(away.select(bits + bits.like(1.0), bits - bits.like(1.0)), half)
}

fn nextafter<'e>(x: Reg<'e>, y: Reg<'e>, half: bool) -> Reg<'e> {
    let zero = x.like(0.0);
    let moved = x.eq(zero).select(smallest(x, half).copysign(y), step(x, y.gt(x), half));
    let unequal = x.eq(y).select(if half { x } else { y }, moved);
    (x.is_nan() | y.is_nan()).select(x + y, unequal)
}

fn spacing(x: Reg<'_>, half: bool) -> Reg<'_> {
    let emitter = x.emitter();
    let zero = x.like(0.0);
    // NumPy measures float16 towards positive infinity, unlike the longer floats.
    let up = if half { emitter.truth(true) } else { x.ge(zero) };
    let next = x.eq(zero).select(smallest(x, half), step(x, up, half));
    x.is_finite().select(next - x, x.like(f64::NAN))
}

fn heaviside<'e>(x: Reg<'e>, at_zero: Reg<'e>) -> Reg<'e> {
    let zero = x.like(0.0);
    let above = x.gt(zero).select(x.like(1.0), zero);
    x.is_nan().select(x, x.eq(zero).select(at_zero, above))
}

fn sign(x: Reg<'_>) -> Reg<'_> {
    let zero = x.like(0.0);
    let above = x.gt(zero).select(x.like(1.0), zero);
    x.is_nan().select(x, x.lt(zero).select(x.like(-1.0), above))
}

fn modf_fraction(x: Reg<'_>) -> Reg<'_> {
    let zero = x.like(0.0);
    let fraction = (x - x.std1(Std::trunc)).copysign(x);
    x.abs().eq(x.like(f64::INFINITY)).select(zero.copysign(x), fraction)
}

/// Mantissa in [0.5, 1) and exponent, by the bits of a double or a single.
fn frexp(x: Reg<'_>) -> (Reg<'_>, Reg<'_>) {
    let (mantissa_bits, bias, least, scale, shift) = if x.ty == Type::F64 {
        (52, 1022, f64::MIN_POSITIVE, 54, 0x7ff)
    } else {
        (23, 126, f64::from(f32::MIN_POSITIVE), 25, 0xff)
    };
    let subnormal = x.abs().lt(x.like(least));
    let scaled = subnormal.select(x * x.like(2f64.powi(scale)), x);
    let bits = scaled.reinterpret(x.ty.unsigned());
    let width = bits.like(f64::from(mantissa_bits));
    let field = x.emitter().constant(bits.ty, (shift as u64) << mantissa_bits);
    let own = x.emitter().constant(bits.ty, (bias as u64) << mantissa_bits);
    let raw = (bits & field).shift_right(width).convert(Type::I32);
    let exponent = raw - raw.like(f64::from(bias));
    let exponent = subnormal.select(exponent - exponent.like(f64::from(scale)), exponent);
    let mantissa = ((bits & !field) | own).reinterpret(x.ty);
    let plain = x.eq(x.like(0.0)) | !x.is_finite();
    (plain.select(x, mantissa), plain.select(exponent.like(0.0), exponent))
}

fn ldexp<'e>(x: Reg<'e>, exponent: Reg<'e>) -> Reg<'e> {
    let (low, high) = (exponent.like(-2200.0), exponent.like(2200.0));
    let bounded = exponent.lt(low).select(low, exponent.gt(high).select(high, exponent)).convert(Type::I32);
    x.scaled(bounded)
}

fn chebyshev<'e>(x: Reg<'e>, coefficients: &[f64]) -> Reg<'e> {
    let zero = x.like(0.0);
    let (mut b0, mut b1, mut b2) = (x.like(coefficients[0]), zero, zero);
    for &coefficient in &coefficients[1..] {
        b2 = b1;
        b1 = b0;
        b0 = x * b1 - b2 + x.like(coefficient);
    }
    (b0 - b2) * x.like(0.5)
}

fn bessel_i0(x: Reg<'_>) -> Reg<'_> {
    let a = x.abs();
    let near = chebyshev(a * x.like(0.5) - x.like(2.0), &I0_NEAR);
    let far = chebyshev(x.like(32.0) / a - x.like(2.0), &I0_FAR) / a.sqrt();
    a.std1(Std::exp) * a.le(x.like(8.0)).select(near, far)
}

/// By `expm1`, as the native engine: a library's own takes half as long again on processors.
fn tanh(x: Reg<'_>) -> Reg<'_> {
    let a = x.abs();
    // Beyond, the answer is one. NaN is beyond nothing.
    let bounded = a.gt(x.like(30.0)).select(x.like(30.0), a);
    let e = (bounded * x.like(-2.0)).std1(Std::expm1);
    (-e / (e + x.like(2.0))).copysign(x)
}

fn sinc(x: Reg<'_>) -> Reg<'_> {
    let t = x.eq(x.like(0.0)).select(x.like(1.0e-20), x) * x.like(PI);
    t.std1(Std::sin) / t
}

/// `exp(x * x) * erfc(x)` in double precision.
fn erfcx(x: Reg<'_>) -> Reg<'_> {
    let mask = x.emitter().constant(Type::U64, 0xffff_ffff_f800_0000);
    // Split the square so that its rounding error does not reach the exponent.
    let high = (x.reinterpret(Type::U64) & mask).reinterpret(Type::F64);
    let rest = (x - high) * (x + high);
    let near = (high * high).std1(Std::exp) * rest.std1(Std::exp) * x.std1(Std::erfc);
    let z = x.like(1.0) / (x.like(2.0) * x * x);
    let mut series = x.like(1.0);
    for factor in [9.0, 7.0, 5.0, 3.0, 1.0] {
        series = x.like(1.0) - x.like(factor) * z * series;
    }
    let far = series / (x * x.like(PI.sqrt()));
    x.lt(x.like(25.0)).select(near, far)
}

/// One operation on floats; nothing where it has no lowering.
pub(super) fn real<'e>(op: Op, [x, y, z]: [Reg<'e>; 3], precision: Precision) -> Option<Reg<'e>> {
    let (zero, one) = (x.like(0.0), x.like(1.0));
    Some(match op {
        Op::Divide => x / y,
        Op::FloorDivide => floor_divide(x, y),
        Op::Remainder => remainder(x, y),
        Op::Fmod => x % y,
        Op::Power | Op::FloatPower => x.std2(Std::pow, y),
        Op::Hypot => x.std2(Std::hypot, y),
        Op::Arctan2 => x.std2(Std::atan2, y),
        Op::Copysign => x.copysign(y),
        Op::Nextafter => nextafter(x, y, precision.half),
        Op::Logaddexp | Op::Logaddexp2 => {
            let two = op == Op::Logaddexp2;
            if precision.fp64 {
                logaddexp(x.convert(Type::F64), y.convert(Type::F64), two).convert(x.ty)
            } else {
                logaddexp(x, y, two)
            }
        }
        Op::Heaviside => heaviside(x, y),
        Op::Maximum => (x.gt(y) | x.is_nan()).select(x, y),
        Op::Minimum => (x.lt(y) | x.is_nan()).select(x, y),
        Op::Fmax => (x.gt(y) | y.is_nan()).select(x, y),
        Op::Fmin => (x.lt(y) | y.is_nan()).select(x, y),
        Op::Ldexp => ldexp(x, y),
        Op::Absolute | Op::Fabs => x.abs(),
        Op::Sign => sign(x),
        Op::Signbit => x.sign_bit(),
        Op::Sqrt => x.sqrt(),
        Op::Rsqrt => one / x.sqrt(),
        Op::Cbrt => x.std1(Std::cbrt),
        Op::Reciprocal => one / x,
        Op::Exp => x.std1(Std::exp),
        Op::Exp2 => x.std1(Std::exp2),
        Op::Expm1 => x.std1(Std::expm1),
        Op::Log => x.std1(Std::log),
        Op::Log2 => x.std1(Std::log2),
        Op::Log10 => x.std1(Std::log10),
        Op::Log1p => x.std1(Std::log1p),
        Op::Sin => x.std1(Std::sin),
        Op::Cos => x.std1(Std::cos),
        Op::Tan => x.std1(Std::tan),
        Op::Arcsin => x.std1(Std::asin),
        Op::Arccos => x.std1(Std::acos),
        Op::Arctan => x.std1(Std::atan),
        Op::Sinh => x.std1(Std::sinh),
        Op::Cosh => x.std1(Std::cosh),
        Op::Tanh if x.ty == Type::F64 => tanh(x),
        Op::Tanh => x.std1(Std::tanh),
        Op::Arcsinh => x.std1(Std::asinh),
        Op::Arccosh => x.std1(Std::acosh),
        Op::Arctanh => x.std1(Std::atanh),
        Op::Floor => x.std1(Std::floor),
        Op::Ceil => x.std1(Std::ceil),
        Op::Trunc | Op::ModfInteger => x.std1(Std::trunc),
        Op::Rint => x.std1(Std::rint),
        Op::Isnan => x.is_nan(),
        Op::Isinf => x.abs().eq(x.like(f64::INFINITY)),
        Op::Isfinite => x.is_finite(),
        // As arctan2(0, x): pi for negative numbers, and NaN stays.
        Op::Angle => zero.std2(Std::atan2, x),
        Op::Deg2rad => x * x.like(PI / 180.0),
        Op::Rad2deg => x * x.like(180.0 / PI),
        Op::Spacing => spacing(x, precision.half),
        Op::ModfFraction => modf_fraction(x),
        Op::FrexpMantissa => frexp(x).0,
        Op::FrexpExponent => frexp(x).1,
        Op::I0 => through_double(x, precision, bessel_i0),
        Op::Sinc => through_double(x, precision, sinc),
        Op::Erf => through_double(x, precision, |x| x.std1(Std::erf)),
        Op::Erfc => through_double(x, precision, |x| x.std1(Std::erfc)),
        Op::Erfcx if precision.fp64 => erfcx(x.convert(Type::F64)).convert(x.ty),
        Op::Clip => {
            let raised = (x.lt(y) | y.is_nan()).select(y, x);
            (raised.gt(z) | z.is_nan()).select(z, raised)
        }
        // Iterations to convergence, the operations of other classes, and what needs doubles on a device without, have none.
        _ => return number(op, x, y),
    })
}
