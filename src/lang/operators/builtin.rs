//! The operators of built-in values in one place: numbers, then texts, sequences, sets and dicts. The machine comes here after
//! user-defined special methods of both sides were asked, with instances replaced by the built-in value they carry.

use super::{BinaryOperator, number, sequence, set, text};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `a op b`; nothing when no built-in operation applies, and the machine words the TypeError. Errors that belong to one
/// operation (`can only concatenate list (not "int") to list`) are raised here.
#[inline]
pub fn binary(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    if let Some(result) = number::binary(vm, op, a, b)? {
        return Ok(Some(result));
    }
    match a {
        Value::Str(_) => {
            if let Some(result) = text::binary(vm, op, a, b)? {
                return Ok(Some(result));
            }
        }
        Value::Set(_) | Value::Dict(_) | Value::Object(_) => {
            if let Some(result) = set::binary(vm, op, a, b)? {
                return Ok(Some(result));
            }
        }
        _ => {}
    }
    if let Value::Object(_) = b
        && let Some(result) = set::binary(vm, op, a, b)?
    {
        return Ok(Some(result));
    }
    sequence::binary(vm, op, a, b)
}

/// `a op= b` for values that change in place; nothing when `a` does not, and `a = a op b` follows.
pub fn binary_in_place(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    match a {
        Value::List(_) | Value::ByteArray(_) => sequence::in_place(vm, op, a, b),
        Value::Set(_) | Value::Dict(_) => set::in_place(vm, op, a, b),
        _ => Ok(None),
    }
}
