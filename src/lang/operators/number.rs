//! Operators of the numeric types: int, float, complex, bool. What a pair of numbers means and how wide the result is.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use super::complex::{self, Pair};
use super::{BinaryOperator, CompareOperator, UnaryOperator, integer, real, wide};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A number of the language, as the operators see it.
#[derive(Clone, Copy, Debug)]
pub enum Number<'a> {
    /// Fits 64 bits (`bool` included).
    Int(i64),
    /// Wider.
    Big(&'a BigInt),
    /// `float`
    Float(f64),
    /// `complex`
    Complex(Pair),
}

impl<'a> Number<'a> {
    /// The number a value is, if it is a built-in one.
    #[inline]
    pub fn of(value: &'a Value) -> Option<Self> {
        Some(match value {
            Value::Int(i) => Self::Int(*i),
            Value::Bool(b) => Self::Int(i64::from(*b)),
            Value::Float(f) => Self::Float(*f),
            Value::Big(big) => Self::Big(big.value()),
            Value::Complex(c) => Self::Complex((c.re, c.im)),
            _ => return None,
        })
    }

    fn wide(self) -> Option<BigInt> {
        match self {
            Self::Int(i) => Some(i.into()),
            Self::Big(big) => Some(big.clone()),
            _ => None,
        }
    }

    fn float(self) -> Fallible<f64> {
        match self {
            Self::Int(i) => Ok(i as f64),
            Self::Float(f) => Ok(f),
            Self::Big(big) => integer::to_f64(big).ok_or_else(too_large_for_float),
            Self::Complex(_) => Err(raise::type_error("float() argument must be a real number, not 'complex'")),
        }
    }

    fn complex(self) -> Fallible<Pair> {
        match self {
            Self::Complex(pair) => Ok(pair),
            other => Ok((other.float()?, 0.0)),
        }
    }
}

/// `OverflowError: int too large to convert to float`.
#[cold]
pub fn too_large_for_float() -> raise::Raised {
    raise::overflow_error("int too large to convert to float")
}

/// `a op b` for built-in numbers; nothing when one of them is not a number or the operator does not apply to them.
#[inline]
pub fn binary(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => binary_small(vm, op, *x, *y),
        (Value::Float(x), Value::Float(y)) => binary_float(op, *x, *y),
        (Value::Bool(x), Value::Bool(y)) => match op {
            BinaryOperator::And => Ok(Some(Value::Bool(x & y))),
            BinaryOperator::Or => Ok(Some(Value::Bool(x | y))),
            BinaryOperator::Xor => Ok(Some(Value::Bool(x ^ y))),
            _ => binary_small(vm, op, i64::from(*x), i64::from(*y)),
        },
        _ => binary_mixed(vm, op, a, b),
    }
}

fn binary_mixed(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    let (Some(x), Some(y)) = (Number::of(a), Number::of(b)) else { return Ok(None) };
    match (x, y) {
        (Number::Int(x), Number::Int(y)) => binary_small(vm, op, x, y),
        (Number::Complex(_), _) | (_, Number::Complex(_)) => match op {
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::TrueDivide
            | BinaryOperator::Power => binary_complex(op, x.complex()?, y.complex()?),
            _ => Ok(None),
        },
        (Number::Float(_), _) | (_, Number::Float(_)) => match op {
            BinaryOperator::And
            | BinaryOperator::Or
            | BinaryOperator::Xor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
            | BinaryOperator::MatrixMultiply => Ok(None),
            _ => binary_float(op, x.float()?, y.float()?),
        },
        _ => match (x.wide(), y.wide()) {
            (Some(x), Some(y)) => binary_big(vm, op, &x, &y),
            _ => Ok(None),
        },
    }
}

#[inline]
fn binary_small(vm: &mut Vm, op: BinaryOperator, a: i64, b: i64) -> Fallible<Option<Value>> {
    let small = match op {
        BinaryOperator::Add => a.checked_add(b),
        BinaryOperator::Subtract => a.checked_sub(b),
        BinaryOperator::Multiply => a.checked_mul(b),
        BinaryOperator::FloorDivide if b != 0 => integer::floor_divide_small(a, b),
        BinaryOperator::Modulo if b != 0 => Some(integer::modulo_small(a, b)),
        BinaryOperator::And => Some(a & b),
        BinaryOperator::Or => Some(a | b),
        BinaryOperator::Xor => Some(a ^ b),
        BinaryOperator::ShiftRight if b >= 0 => Some(a >> b.min(63)),
        BinaryOperator::ShiftLeft if (0..63).contains(&b) && (a << b) >> b == a => Some(a << b),
        BinaryOperator::Power if b >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        BinaryOperator::TrueDivide if b != 0 && a.unsigned_abs() <= 1 << 53 && b.unsigned_abs() <= 1 << 53 => {
            return Ok(Some(Value::Float(a as f64 / b as f64)));
        }
        BinaryOperator::MatrixMultiply => return Ok(None),
        _ => None,
    };
    match small {
        Some(result) => Ok(Some(Value::Int(result))),
        None => binary_big(vm, op, &a.into(), &b.into()),
    }
}

fn binary_big(vm: &mut Vm, op: BinaryOperator, a: &BigInt, b: &BigInt) -> Fallible<Option<Value>> {
    let result = match op {
        BinaryOperator::Add => a + b,
        BinaryOperator::Subtract => a - b,
        BinaryOperator::Multiply => integer::multiply(vm, a, b)?,
        BinaryOperator::TrueDivide => {
            if b.is_zero() {
                return Err(raise::zero_division_error("division by zero"));
            }
            let quotient = integer::true_divide(a, b)
                .ok_or_else(|| raise::overflow_error("integer division result too large for a float"))?;
            return Ok(Some(Value::Float(quotient)));
        }
        BinaryOperator::FloorDivide => {
            if b.is_zero() {
                return Err(raise::zero_division_error("integer division or modulo by zero"));
            }
            wide::divide_floor(vm, a, b)?.0
        }
        BinaryOperator::Modulo => {
            if b.is_zero() {
                return Err(raise::zero_division_error("integer modulo by zero"));
            }
            wide::divide_floor(vm, a, b)?.1
        }
        BinaryOperator::Power => {
            if b.is_negative() {
                return binary_float(op, Number::Big(a).float()?, Number::Big(b).float()?);
            }
            integer::power(vm, a, b)?
        }
        BinaryOperator::ShiftLeft => integer::shift_left(vm, a, b)?,
        BinaryOperator::ShiftRight => integer::shift_right(a, b)?,
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::MatrixMultiply => return Ok(None),
    };
    Ok(Some(Value::int(result)))
}

#[inline]
fn binary_float(op: BinaryOperator, a: f64, b: f64) -> Fallible<Option<Value>> {
    let result = match op {
        BinaryOperator::Add => a + b,
        BinaryOperator::Subtract => a - b,
        BinaryOperator::Multiply => a * b,
        BinaryOperator::TrueDivide => {
            if b == 0.0 {
                return Err(raise::zero_division_error("float division by zero"));
            }
            a / b
        }
        BinaryOperator::FloorDivide => {
            if b == 0.0 {
                return Err(raise::zero_division_error("float floor division by zero"));
            }
            real::divide_floor_modulo(a, b).0
        }
        BinaryOperator::Modulo => {
            if b == 0.0 {
                return Err(raise::zero_division_error("float modulo"));
            }
            real::modulo(a, b)
        }
        BinaryOperator::Power => match real::power(a, b)? {
            real::Power::Real(result) => result,
            real::Power::Complex => return binary_complex(op, (a, 0.0), (b, 0.0)),
        },
        _ => return Ok(None),
    };
    Ok(Some(Value::Float(result)))
}

fn binary_complex(op: BinaryOperator, a: Pair, b: Pair) -> Fallible<Option<Value>> {
    let (re, im) = match op {
        BinaryOperator::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOperator::Subtract => (a.0 - b.0, a.1 - b.1),
        BinaryOperator::Multiply => complex::multiply(a, b),
        BinaryOperator::TrueDivide => complex::divide(a, b)?,
        BinaryOperator::Power => complex::power(a, b)?,
        _ => return Ok(None),
    };
    Ok(Some(Value::complex(re, im)))
}

/// `divmod(a, b)` for built-in real numbers; nothing when it does not apply.
pub fn divide_modulo(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<Option<(Value, Value)>> {
    let (Some(x), Some(y)) = (Number::of(a), Number::of(b)) else { return Ok(None) };
    match (x, y) {
        (Number::Complex(_), _) | (_, Number::Complex(_)) => Ok(None),
        (Number::Float(_), _) | (_, Number::Float(_)) => {
            let (x, y) = (x.float()?, y.float()?);
            if y == 0.0 {
                return Err(raise::zero_division_error("float divmod()"));
            }
            let (quotient, rest) = real::divide_floor_modulo(x, y);
            Ok(Some((Value::Float(quotient), Value::Float(rest))))
        }
        _ => {
            let quotient = binary(vm, BinaryOperator::FloorDivide, a, b)?;
            let rest = binary(vm, BinaryOperator::Modulo, a, b)?;
            Ok(quotient.zip(rest))
        }
    }
}

/// `pow(base, exponent, modulus)` for integers; nothing when one of them is not an integer.
pub fn power_modulo(vm: &mut Vm, base: &Value, exponent: &Value, modulus: &Value) -> Fallible<Option<Value>> {
    let integers = [base, exponent, modulus].map(|value| Number::of(value).and_then(Number::wide));
    let [Some(base), Some(exponent), Some(modulus)] = integers else { return Ok(None) };
    if modulus.is_zero() {
        return Err(raise::value_error("pow() 3rd argument cannot be 0"));
    }
    integer::power_modulo(vm, &base, &exponent, &modulus).map(|result| Some(Value::int(result)))
}

/// `op a` for built-in numbers; nothing when it does not apply.
pub fn unary(op: UnaryOperator, a: &Value) -> Option<Value> {
    Some(match (op, Number::of(a)?) {
        (UnaryOperator::Negative, Number::Int(i)) => {
            i.checked_neg().map_or_else(|| Value::int(-BigInt::from(i)), Value::Int)
        }
        (UnaryOperator::Negative, Number::Big(big)) => Value::int(-big),
        (UnaryOperator::Negative, Number::Float(f)) => Value::Float(-f),
        (UnaryOperator::Negative, Number::Complex((re, im))) => Value::complex(-re, -im),
        (UnaryOperator::Positive, Number::Int(i)) => Value::Int(i),
        (UnaryOperator::Positive, _) => a.clone(),
        (UnaryOperator::Invert, Number::Int(i)) => Value::Int(!i),
        (UnaryOperator::Invert, Number::Big(big)) => Value::int(-(big + 1u32)),
        (UnaryOperator::Invert, _) => return None,
    })
}

/// `a op b` as a truth for built-in numbers; nothing when one is not a number, or complex numbers would be ordered.
#[inline]
pub fn compare(op: CompareOperator, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => return Some(holds(op, x.cmp(y))),
        (Value::Float(x), Value::Float(y)) => return Some(holds_partial(op, x.partial_cmp(y))),
        _ => {}
    }
    let (x, y) = (Number::of(a)?, Number::of(b)?);
    if let (Number::Complex(_), _) | (_, Number::Complex(_)) = (x, y) {
        let equal = equal_complex(x, y);
        return match op {
            CompareOperator::Equal => Some(equal),
            CompareOperator::NotEqual => Some(!equal),
            _ => None,
        };
    }
    Some(holds_partial(op, order(x, y)))
}

fn equal_complex(x: Number, y: Number) -> bool {
    match (x, y) {
        (Number::Complex(x), Number::Complex(y)) => x.0 == y.0 && x.1 == y.1,
        (Number::Complex((re, im)), real) | (real, Number::Complex((re, im))) => {
            im == 0.0 && order(Number::Float(re), real) == Some(Ordering::Equal)
        }
        _ => false,
    }
}

/// The exact order of two real numbers of any mix; nothing for NaN.
pub fn order(x: Number, y: Number) -> Option<Ordering> {
    match (x, y) {
        (Number::Int(x), Number::Int(y)) => Some(x.cmp(&y)),
        (Number::Float(x), Number::Float(y)) => x.partial_cmp(&y),
        (Number::Big(x), Number::Big(y)) => Some(x.cmp(y)),
        (Number::Int(x), Number::Big(y)) => Some(BigInt::from(x).cmp(y)),
        (Number::Big(x), Number::Int(y)) => Some(x.cmp(&BigInt::from(y))),
        (Number::Float(x), y) => order_float(y, x).map(Ordering::reverse),
        (x, Number::Float(y)) => order_float(x, y),
        (Number::Complex(_), _) | (_, Number::Complex(_)) => None,
    }
}

/// Compares an integer with a double exactly: the whole parts as integers, then the fraction.
fn order_float(integer: Number, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    if let Number::Int(i) = integer
        && i.unsigned_abs() <= 1 << 53
    {
        return (i as f64).partial_cmp(&float);
    }
    let whole = integer::from_f64(float)?;
    let by_whole = match integer {
        Number::Int(i) => BigInt::from(i).cmp(&whole),
        Number::Big(big) => big.cmp(&whole),
        _ => return None,
    };
    Some(by_whole.then_with(|| 0.0.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)))
}

/// Whether a comparison holds for an order.
#[inline]
pub fn holds(op: CompareOperator, order: Ordering) -> bool {
    match op {
        CompareOperator::Equal => order.is_eq(),
        CompareOperator::NotEqual => order.is_ne(),
        CompareOperator::Less => order.is_lt(),
        CompareOperator::LessEqual => order.is_le(),
        CompareOperator::Greater => order.is_gt(),
        CompareOperator::GreaterEqual => order.is_ge(),
    }
}

#[inline]
fn holds_partial(op: CompareOperator, order: Option<Ordering>) -> bool {
    order.map_or(op == CompareOperator::NotEqual, |order| holds(op, order))
}

/// Whether a number is true; nothing when the value is not a number.
#[inline]
pub fn truth(value: &Value) -> Option<bool> {
    Some(match Number::of(value)? {
        Number::Int(i) => i != 0,
        Number::Big(_) => true,
        Number::Float(f) => f != 0.0,
        Number::Complex((re, im)) => re != 0.0 || im != 0.0,
    })
}

/// The integer a value is, without asking `__index__`.
pub fn as_big(value: &Value) -> Option<BigInt> {
    Number::of(value).and_then(Number::wide)
}

/// The machine integer a value is or, being wider, the nearest one: what slice bounds need.
pub fn saturated(value: &Value) -> Option<i64> {
    match Number::of(value)? {
        Number::Int(i) => Some(i),
        Number::Big(big) => Some(big.to_i64().unwrap_or(if big.is_negative() { i64::MIN } else { i64::MAX })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_floats_compare_exactly() {
        let f = |x: f64| Value::Float(x);
        let less = |a: &Value, b: &Value| compare(CompareOperator::Less, a, b).unwrap();
        let equal = |a: &Value, b: &Value| compare(CompareOperator::Equal, a, b).unwrap();
        assert!(equal(&Value::Int(1 << 53), &f(9007199254740992.0)));
        assert!(!equal(&Value::Int((1 << 53) + 1), &f(9007199254740992.0)));
        assert!(less(&f(9007199254740992.0), &Value::Int((1 << 53) + 1)));
        let big = Value::int(BigInt::from(10).pow(30));
        assert!(!equal(&big, &f(1e30)));
        assert!(less(&big, &f(f64::INFINITY)));
        assert!(less(&f(f64::NEG_INFINITY), &big));
        assert!(!less(&big, &f(f64::NAN)) && !less(&f(f64::NAN), &big));
        assert!(less(&Value::Int(i64::MAX), &f(9.3e18)));
        assert!(compare(CompareOperator::NotEqual, &f(f64::NAN), &f(f64::NAN)).unwrap());
        assert!(equal(&Value::complex(1.0, 0.0), &Value::Bool(true)));
        assert_eq!(compare(CompareOperator::Less, &Value::complex(1.0, 0.0), &f(2.0)), None);
    }

    #[test]
    fn negation_leaves_64_bits() {
        let negated = unary(UnaryOperator::Negative, &Value::Int(i64::MIN)).unwrap();
        assert_eq!(as_big(&negated), Some(BigInt::from(i64::MAX) + 1));
        assert!(matches!(unary(UnaryOperator::Negative, &negated), Some(Value::Int(i64::MIN))));
        assert!(matches!(unary(UnaryOperator::Invert, &Value::Bool(true)), Some(Value::Int(-2))));
        assert!(unary(UnaryOperator::Invert, &Value::Float(1.0)).is_none());
    }
}
