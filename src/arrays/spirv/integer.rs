//! Operations on integers and bool, with NumPy's wrapping, division by zero and shift rules.

use super::emit::{Reg, Std, Type};
use super::number::number;
use crate::arrays::op::Op;

fn magnitude(x: Reg<'_>) -> Reg<'_> {
    if x.ty.is_signed() { x.abs().reinterpret(x.ty.unsigned()) } else { x }
}

/// A divisor that has an answer, and whether the true one was zero or (for signed integers) minus one.
struct Divisor<'e> {
    safe: Reg<'e>,
    zero: Reg<'e>,
    minus_one: Option<Reg<'e>>,
}

fn divisor(y: Reg<'_>) -> Divisor<'_> {
    let zero = y.eq(y.like(0.0));
    let minus_one = y.ty.is_signed().then(|| y.eq(y.like(-1.0)));
    let unsafe_one = minus_one.map_or(zero, |minus_one| zero | minus_one);
    Divisor { safe: unsafe_one.select(y.like(1.0), y), zero, minus_one }
}

fn floor_divide<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let by = divisor(y);
    let none = x.like(0.0);
    let quotient = x / by.safe;
    let Some(minus_one) = by.minus_one else { return by.zero.select(none, quotient) };
    let inexact = (quotient * by.safe).ne(x);
    let below = (x ^ by.safe).lt(none) & inexact;
    let floor = below.select(quotient - x.like(1.0), quotient);
    by.zero.select(none, minus_one.select(-x, floor))
}

fn rest_of<'e>(x: Reg<'e>, y: Reg<'e>) -> (Reg<'e>, Reg<'e>) {
    let by = divisor(y);
    let none = by.minus_one.map_or(by.zero, |minus_one| by.zero | minus_one);
    (none.select(x.like(0.0), x % by.safe), by.safe)
}

fn remainder<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let (rest, by) = rest_of(x, y);
    if !x.ty.is_signed() {
        return rest;
    }
    let zero = x.like(0.0);
    (rest.ne(zero) & (rest ^ by).lt(zero)).select(rest + by, rest)
}

fn power<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let negative = y.ty.is_signed().then(|| y.lt(zero));
    let exponent = negative.map_or(y, |negative| negative.select(zero, y));
    let [_, _, result] = x.emitter().repeat(
        [x, exponent, one],
        |[_, exponent, _]| exponent.ne(zero),
        |&[base, exponent, result]| {
            let odd = (exponent & one).ne(zero);
            let halved = exponent.reinterpret(exponent.ty.unsigned()).shift_right(one.reinterpret(x.ty.unsigned()));
            [base * base, halved.reinterpret(x.ty), odd.select(result * base, result)]
        },
    );
    let Some(negative) = negative else { return result };
    // What an integer can hold of 1 / x^n.
    let alternating = (y & one).eq(zero).select(one, x);
    let held = x.eq(one).select(one, x.eq(x.like(-1.0)).select(alternating, zero));
    negative.select(held, result)
}

/// Of magnitudes, by Euclid.
fn gcd<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let (a, b) = (magnitude(x), magnitude(y));
    let zero = b.like(0.0);
    let [a, _] = x.emitter().repeat([a, b], |[_, b]| b.ne(zero), |&[a, b]| [b, a % b]);
    a.reinterpret(x.ty)
}

fn lcm<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let zero = x.like(0.0);
    let common = gcd(x, y);
    let none = common.eq(zero);
    let absolute = |value: Reg<'e>| if value.ty.is_signed() { value.abs() } else { value };
    let quotient = floor_divide(absolute(x), none.select(x.like(1.0), common));
    none.select(zero, quotient * absolute(y))
}

/// The amount of a shift that has an answer, and whether the true one goes beyond the width.
fn shift_amount<'e>(y: Reg<'e>) -> (Reg<'e>, Reg<'e>) {
    let amount = y.reinterpret(y.ty.unsigned());
    let beyond = amount.ge(amount.like(f64::from(y.ty.bits())));
    (beyond.select(amount.like(0.0), amount).reinterpret(y.ty), beyond)
}

fn shift_left<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let (amount, beyond) = shift_amount(y);
    beyond.select(x.like(0.0), x.shift_left(amount))
}

fn shift_right<'e>(x: Reg<'e>, y: Reg<'e>) -> Reg<'e> {
    let (amount, beyond) = shift_amount(y);
    let zero = x.like(0.0);
    let all = if x.ty.is_signed() { x.lt(zero).select(x.like(-1.0), zero) } else { zero };
    beyond.select(all, x.shift_right(amount))
}

fn reciprocal(x: Reg<'_>) -> Reg<'_> {
    let (zero, one) = (x.like(0.0), x.like(1.0));
    let held = x.eq(one).select(one, zero);
    if !x.ty.is_signed() {
        return held;
    }
    let of_zero = match x.ty {
        Type::I32 => x.like(i32::MIN as f64),
        Type::I64 => x.like(i64::MIN as f64),
        _ => zero,
    };
    x.eq(zero).select(of_zero, x.eq(x.like(-1.0)).select(x, held))
}

/// One operation on integers; nothing where it has no meaning for them.
pub(super) fn integer<'e>(op: Op, [x, y, z]: [Reg<'e>; 3]) -> Option<Reg<'e>> {
    let emitter = x.emitter();
    let zero = x.like(0.0);
    let signed = x.ty.is_signed();
    Some(match op {
        Op::FloorDivide => floor_divide(x, y),
        Op::Remainder => remainder(x, y),
        Op::Fmod => rest_of(x, y).0,
        Op::Power => power(x, y),
        Op::Maximum | Op::Fmax => x.gt(y).select(x, y),
        Op::Minimum | Op::Fmin => x.lt(y).select(x, y),
        Op::Gcd => gcd(x, y),
        Op::Lcm => lcm(x, y),
        Op::BitwiseAnd => x & y,
        Op::BitwiseOr => x | y,
        Op::BitwiseXor => x ^ y,
        Op::LeftShift => shift_left(x, y),
        Op::RightShift => shift_right(x, y),
        Op::Floor | Op::Ceil | Op::Trunc | Op::Rint => x,
        Op::Absolute if signed => x.abs(),
        Op::Absolute => x,
        Op::Sign => {
            let positive = x.gt(zero).select(x.like(1.0), zero);
            if signed { x.lt(zero).select(x.like(-1.0), positive) } else { positive }
        }
        Op::Signbit if signed => x.lt(zero),
        Op::Signbit | Op::Isnan | Op::Isinf => emitter.truth(false),
        Op::Isfinite => emitter.truth(true),
        Op::Reciprocal => reciprocal(x),
        Op::Invert => !x,
        Op::BitwiseCount => magnitude(x).std1(Std::popcount).convert(Type::U8),
        Op::Clip => {
            let raised = x.lt(y).select(y, x);
            raised.gt(z).select(z, raised)
        }
        _ => return number(op, x, y),
    })
}

/// One operation on truth values.
pub(super) fn boolean<'e>(op: Op, [x, y, z]: [Reg<'e>; 3]) -> Option<Reg<'e>> {
    let emitter = x.emitter();
    Some(match op {
        Op::Add | Op::LogicalOr | Op::BitwiseOr | Op::Maximum | Op::Fmax => x | y,
        Op::Multiply | Op::LogicalAnd | Op::BitwiseAnd | Op::Minimum | Op::Fmin => x & y,
        Op::LogicalXor | Op::BitwiseXor | Op::NotEqual => x ^ y,
        Op::Equal => x.eq(y),
        Op::Less => !x & y,
        Op::LessEqual => !x | y,
        Op::Greater => x & !y,
        Op::GreaterEqual => x | !y,
        Op::LogicalNot | Op::Invert => !x,
        Op::Absolute | Op::Positive | Op::Real | Op::Floor | Op::Ceil | Op::Trunc => x,
        Op::Imag | Op::Isnan | Op::Isinf | Op::Signbit => emitter.truth(false),
        Op::Isfinite => emitter.truth(true),
        Op::BitwiseCount => x.convert(Type::U8),
        Op::Clip => (x | y) & z,
        _ => return None,
    })
}

/// A comparison of int64 with uint64 (or the other way round), which no common dtype holds exactly.
pub(super) fn mixed<'e>(op: Op, x: Reg<'e>, y: Reg<'e>) -> Option<Reg<'e>> {
    let emitter = x.emitter();
    let x_negative = if x.ty.is_signed() { x.lt(x.like(0.0)) } else { emitter.truth(false) };
    let y_negative = if y.ty.is_signed() { y.lt(y.like(0.0)) } else { emitter.truth(false) };
    let (a, b) = (x.reinterpret(Type::U64), y.reinterpret(Type::U64));
    let either = x_negative | y_negative;
    let less = x_negative | (!y_negative & a.lt(b));
    let equal = !either & a.eq(b);
    Some(match op {
        Op::Equal => equal,
        Op::NotEqual => !equal,
        Op::Less => less,
        Op::LessEqual => less | equal,
        Op::Greater => !(less | equal),
        Op::GreaterEqual => !less,
        _ => return None,
    })
}
