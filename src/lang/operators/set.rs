//! Operators of sets, set-like views and dicts.

use super::BinaryOperator;
use crate::lang::builtins::{dict, set};
use crate::lang::heap::Ref;
use crate::lang::objects::{DictObject, SetObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `a op b`; nothing when it is no set operation.
pub fn binary(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    if !matches!(op, BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor | BinaryOperator::Subtract) {
        return Ok(None);
    }
    match (a, b) {
        (Value::Set(x), Value::Set(y)) => combine(vm, op, x, y, x.frozen),
        (Value::Dict(x), Value::Dict(y)) if op == BinaryOperator::Or => {
            let merged = Ref::new(DictObject::new(x.table.borrow().clone()));
            dict::merge(vm, &merged, y)?;
            Ok(Some(Value::Dict(merged)))
        }
        // A view takes any iterable on the other side.
        _ => {
            if let Some(x) = dict::view_as_set(vm, a)? {
                if !is_iterable(b) {
                    return Ok(None);
                }
                let y = set::as_set(vm, b)?;
                return combine(vm, op, &x, &y, false);
            }
            if let Some(y) = dict::view_as_set(vm, b)? {
                if !is_iterable(a) {
                    return Ok(None);
                }
                let x = set::as_set(vm, a)?;
                return combine(vm, op, &x, &y, false);
            }
            Ok(None)
        }
    }
}

fn is_iterable(value: &Value) -> bool {
    matches!(value, Value::Set(_) | Value::Instance(_)) || crate::lang::builtins::iterators::iter(value).is_some()
}

fn combine(
    vm: &mut Vm,
    op: BinaryOperator,
    a: &Ref<SetObject>,
    b: &Ref<SetObject>,
    frozen: bool,
) -> Fallible<Option<Value>> {
    let result = match op {
        BinaryOperator::And => set::intersection(vm, a, b, frozen)?,
        BinaryOperator::Or => set::union(vm, a, b, frozen)?,
        BinaryOperator::Xor => set::symmetric_difference(vm, a, b, frozen)?,
        BinaryOperator::Subtract => set::difference(vm, a, b, frozen)?,
        _ => return Ok(None),
    };
    Ok(Some(Value::Set(result)))
}

/// `a op= b` of sets and dicts; nothing when `a` is a frozenset or the operator does not apply.
pub fn in_place(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    match (a, b) {
        (Value::Dict(x), _) if op == BinaryOperator::Or => {
            dict::update(vm, x, b)?;
            Ok(Some(a.clone()))
        }
        (Value::Set(x), Value::Set(y)) if !x.frozen => {
            match op {
                BinaryOperator::Or => set::update(vm, x, b)?,
                BinaryOperator::Subtract => set::subtract(vm, x, y)?,
                BinaryOperator::Xor => set::toggle(vm, x, y)?,
                BinaryOperator::And => {
                    let common = set::intersection(vm, x, y, false)?;
                    set::replace_with(x, &common);
                }
                _ => return Ok(None),
            }
            Ok(Some(a.clone()))
        }
        _ => Ok(None),
    }
}
