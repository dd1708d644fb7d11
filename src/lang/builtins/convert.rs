//! Conversions between values and the numbers native code works with, through `__index__`, `__float__` and `__int__`.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::classes::{Builtin, builtin_class};
use super::receiver::payload;
use super::text;
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::ClassRef;
use crate::lang::operators::number::{self, Number};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// What `str`, `int` or `float` makes of a plain value of these classes, which is nobody else's to say; nothing for other classes and
/// values.
pub fn plain(class: &ClassRef, value: &Value) -> Option<Value> {
    let is = |builtin| Ref::ptr_eq(class, &builtin_class(builtin));
    match value {
        Value::Int(int) if is(Builtin::Str) => Some(text::of_int(*int)),
        Value::Str(_) if is(Builtin::Str) => Some(value.clone()),
        Value::Int(_) if is(Builtin::Int) => Some(value.clone()),
        Value::Float(float) if float.abs() < 1e18 && is(Builtin::Int) => Some(Value::Int(*float as i64)),
        Value::Int(int) if is(Builtin::Float) => Some(Value::Float(*int as f64)),
        Value::Float(_) if is(Builtin::Float) => Some(value.clone()),
        _ => None,
    }
}

/// The integer a value is or gives through `__index__`, as a value.
pub fn index_value(vm: &mut Vm, value: &Value) -> Fallible<Value> {
    match value {
        Value::Int(_) | Value::Big(_) => return Ok(value.clone()),
        Value::Bool(b) => return Ok(Value::Int(i64::from(*b))),
        _ => {}
    }
    if let inner @ (Value::Int(_) | Value::Big(_)) = payload(value) {
        return Ok(inner);
    }
    let Some(special) = vm.find_special(value, names::INDEX) else {
        return Err(raise::type_error(format!("'{}' object cannot be interpreted as an integer", value.type_name())));
    };
    let result = vm.call(&special, &[])?;
    match payload(&result) {
        inner @ (Value::Int(_) | Value::Big(_)) => Ok(inner),
        Value::Bool(b) => Ok(Value::Int(i64::from(b))),
        _ => Err(raise::type_error(format!("__index__ returned non-int (type {})", result.type_name()))),
    }
}

/// The integer of any width a value is or gives through `__index__`.
pub fn index_big(vm: &mut Vm, value: &Value) -> Fallible<BigInt> {
    let index = index_value(vm, value)?;
    Ok(number::as_big(&index).unwrap_or_default())
}

/// As an index of a sequence: `IndexError: cannot fit 'int' into an index-sized integer` beyond 64 bits.
pub fn index_position(vm: &mut Vm, value: &Value) -> Fallible<i64> {
    match index_value(vm, value)? {
        Value::Int(index) => Ok(index),
        _ => Err(raise::index_error(format!("cannot fit '{}' into an index-sized integer", value.type_name()))),
    }
}

/// As a count or size: `OverflowError` beyond 64 bits.
pub fn index_size(vm: &mut Vm, value: &Value) -> Fallible<i64> {
    match index_value(vm, value)? {
        Value::Int(index) => Ok(index),
        _ => Err(raise::overflow_error("Python int too large to convert to C ssize_t")),
    }
}

/// As a C int, for counts that CPython keeps in one.
pub fn index_c_int(vm: &mut Vm, value: &Value) -> Fallible<i32> {
    let index = index_value(vm, value)?;
    number::as_big(&index)
        .and_then(|number| number.to_i32())
        .ok_or_else(|| raise::overflow_error("Python int too large to convert to C int"))
}

/// The double a value is or gives through `__float__` or `__index__`.
pub fn float(vm: &mut Vm, value: &Value) -> Fallible<f64> {
    float_or(vm, value, "must be real number, not")
}

/// As [`float`], with the start of the message for what is no number.
pub fn float_or(vm: &mut Vm, value: &Value, otherwise: &str) -> Fallible<f64> {
    match Number::of(value) {
        Some(Number::Float(f)) => return Ok(f),
        Some(Number::Int(i)) => return Ok(i as f64),
        Some(Number::Big(big)) => {
            return crate::lang::operators::integer::to_f64(big).ok_or_else(number::too_large_for_float);
        }
        _ => {}
    }
    if let Some(special) = vm.find_special(value, names::FLOAT) {
        let result = vm.call(&special, &[])?;
        return match payload(&result) {
            Value::Float(f) => Ok(f),
            _ => Err(raise::type_error(format!(
                "{}.__float__ returned non-float (type {})",
                value.type_name(),
                result.type_name()
            ))),
        };
    }
    if let inner @ (Value::Float(_) | Value::Int(_) | Value::Big(_)) = payload(value)
        && !matches!(value, Value::Float(_))
    {
        return float_or(vm, &inner, otherwise);
    }
    if vm.find_special(value, names::INDEX).is_some() {
        let index = index_value(vm, value)?;
        return float_or(vm, &index, otherwise);
    }
    Err(raise::type_error(format!("{otherwise} {}", value.type_name())))
}

/// The complex number a value is or gives through `__complex__`, `__float__` or `__index__`.
pub fn complex(vm: &mut Vm, value: &Value) -> Fallible<(f64, f64)> {
    if let Value::Complex(c) = payload(value) {
        return Ok((c.re, c.im));
    }
    if !matches!(value, Value::Float(_) | Value::Int(_) | Value::Bool(_) | Value::Big(_))
        && let Some(special) = vm.find_special(value, names::COMPLEX)
    {
        let result = vm.call(&special, &[])?;
        return match payload(&result) {
            Value::Complex(c) => Ok((c.re, c.im)),
            _ => Err(raise::type_error(format!(
                "{}.__complex__ returned non-complex (type {})",
                value.type_name(),
                result.type_name()
            ))),
        };
    }
    Ok((float(vm, value)?, 0.0))
}
