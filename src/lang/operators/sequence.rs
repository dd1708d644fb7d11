//! Concatenation and repetition of lists, tuples and bytes.

use super::BinaryOperator;
use crate::lang::builtins::{bytearray, bytes, convert, list};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::{ByteArrayObject, BytesObject};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `a + b` and `a * n` of sequences; nothing when neither is one.
pub fn binary(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    match op {
        BinaryOperator::Add => concatenate(vm, a, b),
        BinaryOperator::Multiply if is_sequence(a) => repeat_by(vm, a, b),
        BinaryOperator::Multiply if is_sequence(b) => repeat_by(vm, b, a),
        BinaryOperator::Modulo if matches!(a, Value::Bytes(_) | Value::ByteArray(_)) => {
            crate::lang::builtins::format_percent::format_bytes(vm, a, b).map(Some)
        }
        _ => Ok(None),
    }
}

fn is_sequence(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_))
}

#[cold]
fn cannot_concatenate(kind: &str, other: &Value) -> Raised {
    raise::type_error(format!("can only concatenate {kind} (not \"{}\") to {kind}", other.type_name()))
}

fn concatenate(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    Ok(Some(match (a, b) {
        (Value::List(x), Value::List(y)) => {
            let (x, y) = (x.items.borrow(), y.items.borrow());
            vm.reserve((x.len() + y.len()) * size_of::<Value>())?;
            let mut items = Vec::with_capacity(x.len() + y.len());
            items.extend_from_slice(&x);
            items.extend_from_slice(&y);
            Value::list(items)
        }
        (Value::List(_), other) => return Err(cannot_concatenate("list", other)),
        (Value::Tuple(x), Value::Tuple(y)) => {
            if y.items().is_empty() {
                return Ok(Some(a.clone()));
            }
            if x.items().is_empty() {
                return Ok(Some(b.clone()));
            }
            Value::tuple([x.items(), y.items()].concat())
        }
        (Value::Tuple(_), other) => return Err(cannot_concatenate("tuple", other)),
        (Value::Bytes(_) | Value::ByteArray(_), _) => {
            let Some(right) = bytes::view(b) else {
                return Err(raise::type_error(format!("can't concat {} to {}", b.type_name(), a.type_name())));
            };
            let Some(left) = bytes::view(a) else { return Ok(None) };
            let (left, right) = (left.as_slice(), right.as_slice());
            vm.reserve(left.len() + right.len())?;
            let data = [left, right].concat();
            match a {
                Value::Bytes(_) => Value::Bytes(Ref::new(BytesObject::new(data))),
                _ => Value::ByteArray(Ref::new(ByteArrayObject::new(data))),
            }
        }
        (Value::Str(_), other) => return Err(cannot_concatenate("str", other)),
        _ => return Ok(None),
    }))
}

fn repeat_by(vm: &mut Vm, sequence: &Value, count: &Value) -> Fallible<Option<Value>> {
    if !matches!(count, Value::Int(_) | Value::Bool(_) | Value::Big(_))
        && vm.find_special(count, names::INDEX).is_none()
    {
        return Err(raise::type_error(format!("can't multiply sequence by non-int of type '{}'", count.type_name())));
    }
    let count = repeat_count(vm, count)?;
    repeat(vm, sequence, count).map(Some)
}

fn repeat_count(vm: &mut Vm, count: &Value) -> Fallible<usize> {
    match convert::index_value(vm, count)? {
        Value::Int(count) => Ok(usize::try_from(count).unwrap_or(0)),
        _ => Err(raise::overflow_error(format!("cannot fit '{}' into an index-sized integer", count.type_name()))),
    }
}

fn repeated_bytes(vm: &mut Vm, len: usize, count: usize) -> Fallible<usize> {
    match len.checked_mul(count).filter(|&bytes| bytes <= isize::MAX as usize) {
        Some(bytes) => {
            if bytes > 1 << 12 {
                vm.reserve(bytes)?;
            }
            Ok(bytes)
        }
        None => Err(raise::memory_error("the result has more bytes than can be addressed")),
    }
}

/// `sequence * count`
pub fn repeat(vm: &mut Vm, sequence: &Value, count: usize) -> Fallible<Value> {
    match sequence {
        Value::List(list) => {
            let items = list.items.borrow();
            repeated_bytes(vm, items.len() * size_of::<Value>(), count)?;
            Ok(Value::list(repeated(vm, &items, count)?))
        }
        Value::Tuple(tuple) => {
            if count == 1 {
                return Ok(sequence.clone());
            }
            repeated_bytes(vm, size_of_val(tuple.items()), count)?;
            Ok(Value::tuple(repeated(vm, tuple.items(), count)?))
        }
        Value::Str(text) => {
            if count == 1 {
                return Ok(sequence.clone());
            }
            repeated_bytes(vm, text.as_str().len(), count)?;
            Ok(Value::str(text.as_str().repeat(count)))
        }
        Value::Bytes(data) => {
            repeated_bytes(vm, data.as_bytes().len(), count)?;
            Ok(Value::Bytes(Ref::new(BytesObject::new(data.as_bytes().repeat(count)))))
        }
        Value::ByteArray(array) => {
            let data = array.data.borrow();
            repeated_bytes(vm, data.len(), count)?;
            Ok(Value::ByteArray(Ref::new(ByteArrayObject::new(data.repeat(count)))))
        }
        other => Err(raise::type_error(format!("'{}' object can't be repeated", other.type_name()))),
    }
}

/// The items `count` times, filled in blocks between polls.
fn repeated(vm: &mut Vm, items: &[Value], count: usize) -> Fallible<Vec<Value>> {
    const BLOCK: usize = 1 << 20;
    let total = items.len() * count;
    let mut result: Vec<Value> = Vec::with_capacity(total);
    if let [only] = items {
        while result.len() < total {
            let step = BLOCK.min(total - result.len());
            result.resize(result.len() + step, only.clone());
            vm.poll()?;
        }
        return Ok(result);
    }
    for round in 0..count {
        result.extend_from_slice(items);
        if round % 4096 == 4095 || items.len() > BLOCK {
            vm.poll()?;
        }
    }
    Ok(result)
}

/// `list += iterable`, `list *= n` and the same of bytearrays.
pub fn in_place(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    match (op, a) {
        (BinaryOperator::Add, Value::List(list)) => {
            list::extend_with(vm, list, b)?;
            Ok(Some(a.clone()))
        }
        (BinaryOperator::Multiply, Value::List(list)) => {
            let Some(Value::List(repeated)) = repeat_by(vm, a, b)? else { return Ok(None) };
            let items = repeated.items.take();
            let old = list.items.replace(items);
            drop(old);
            Ok(Some(a.clone()))
        }
        (BinaryOperator::Add, Value::ByteArray(array)) => {
            let Some(added) = bytes::view(b).map(|view| view.as_slice().to_vec()) else {
                return Err(raise::type_error(format!("can't concat {} to bytearray", b.type_name())));
            };
            bytearray::check_resizable(array)?;
            vm.reserve(added.len())?;
            array.data.borrow_mut().extend_from_slice(&added);
            Ok(Some(a.clone()))
        }
        (BinaryOperator::Multiply, Value::ByteArray(array)) => {
            bytearray::check_resizable(array)?;
            let Some(Value::ByteArray(repeated)) = repeat_by(vm, a, b)? else { return Ok(None) };
            array.data.replace(repeated.data.take());
            Ok(Some(a.clone()))
        }
        _ => Ok(None),
    }
}
