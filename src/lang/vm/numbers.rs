//! Comparison and arithmetic of plain numbers where they stand, for the loop that executes instructions. What may overflow,
//! raise or run other code is left to the operators of the machine.

use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use crate::lang::value::Value;

/// The comparison of two ints or two floats.
#[inline]
pub(super) fn compare<T: PartialOrd>(op: CompareOperator, a: T, b: T) -> bool {
    match op {
        CompareOperator::Equal => a == b,
        CompareOperator::NotEqual => a != b,
        CompareOperator::Less => a < b,
        CompareOperator::LessEqual => a <= b,
        CompareOperator::Greater => a > b,
        CompareOperator::GreaterEqual => a >= b,
    }
}

/// The comparison of two plain numbers, where both are.
#[inline]
pub(super) fn compare_numbers(op: CompareOperator, a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(compare(op, *a, *b)),
        (Value::Float(a), Value::Float(b)) => Some(compare(op, *a, *b)),
        _ => None,
    }
}

/// Operations on one plain number that do not overflow.
#[inline(always)]
pub(super) fn operate_number(op: UnaryOperator, a: &Value) -> Option<Value> {
    match (op, a) {
        (UnaryOperator::Negative, Value::Int(a)) => a.checked_neg().map(Value::Int),
        (UnaryOperator::Negative, Value::Float(a)) => Some(Value::Float(-a)),
        (UnaryOperator::Invert, Value::Int(a)) => Some(Value::Int(!a)),
        _ => None,
    }
}

/// Operations on plain numbers that neither overflow nor raise.
#[inline]
pub(super) fn operate_numbers(op: BinaryOperator, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => {
            let (a, b) = (*a, *b);
            match op {
                BinaryOperator::Add => a.checked_add(b),
                BinaryOperator::Subtract => a.checked_sub(b),
                BinaryOperator::Multiply => a.checked_mul(b),
                BinaryOperator::FloorDivide if b > 0 => Some(a.div_euclid(b)),
                BinaryOperator::Modulo if b > 0 => Some(a.rem_euclid(b)),
                BinaryOperator::And => Some(a & b),
                BinaryOperator::Or => Some(a | b),
                BinaryOperator::Xor => Some(a ^ b),
                BinaryOperator::ShiftRight if (0..64).contains(&b) => Some(a >> b),
                BinaryOperator::TrueDivide if b != 0 && is_exact(a) && is_exact(b) => {
                    return Some(Value::Float(a as f64 / b as f64));
                }
                _ => None,
            }
            .map(Value::Int)
        }
        (Value::Float(a), Value::Float(b)) => operate_floats(op, *a, *b),
        (Value::Float(a), Value::Int(b)) => operate_floats(op, *a, *b as f64),
        (Value::Int(a), Value::Float(b)) => operate_floats(op, *a as f64, *b),
        _ => None,
    }
}

/// Whether an int is a float without rounding, so that dividing the floats rounds once.
#[inline]
fn is_exact(value: i64) -> bool {
    value.unsigned_abs() <= 1 << 53
}

#[inline]
fn operate_floats(op: BinaryOperator, a: f64, b: f64) -> Option<Value> {
    match op {
        BinaryOperator::Add => Some(a + b),
        BinaryOperator::Subtract => Some(a - b),
        BinaryOperator::Multiply => Some(a * b),
        BinaryOperator::TrueDivide if b != 0.0 => Some(a / b),
        _ => None,
    }
    .map(Value::Float)
}
