//! `a[i]`, `a[i] = v`, `del a[i]` of built-in containers, and `len`, `in` and truth of built-in values.

use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::{ListObject, RangeObject, StrObject};
use crate::lang::operators::number;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

use super::slice::Selection;
use super::{bytes, convert, dict, memoryview, range, set, slice, table, text};

/// `object[key]`; nothing when a built-in value has no items (the machine words the error) or its class decides.
#[inline]
pub fn get(vm: &mut Vm, object: &Value, key: &Value) -> Fallible<Option<Value>> {
    match (object, key) {
        (Value::List(list), Value::Int(index)) => {
            let items = list.items.borrow();
            match position(*index, items.len()) {
                Some(at) => Ok(Some(items[at].clone())),
                None => Err(raise::index_error("list index out of range")),
            }
        }
        (Value::Tuple(tuple), Value::Int(index)) => match position(*index, tuple.items().len()) {
            Some(at) => Ok(Some(tuple.items()[at].clone())),
            None => Err(raise::index_error("tuple index out of range")),
        },
        (Value::Dict(dict), _) => match table::dict_get(vm, dict, key)? {
            Some(value) => Ok(Some(value)),
            None => Err(raise::key_error(key.clone())),
        },
        (Value::Str(text), Value::Int(index)) => character(text, *index).map(Some),
        _ => get_slowly(vm, object, key),
    }
}

fn get_slowly(vm: &mut Vm, object: &Value, key: &Value) -> Fallible<Option<Value>> {
    if let Value::Slice(bounds) = key {
        return match object {
            Value::List(list) => {
                let bounds = slice::bounds(vm, bounds)?;
                let len = list.items.borrow().len();
                let selection = bounds.select(len);
                vm.reserve(selection.count.saturating_mul(16))?;
                Ok(Some(Value::list(selected(&list.items.borrow(), selection))))
            }
            Value::Tuple(tuple) => {
                let selection = slice::bounds(vm, bounds)?.select(tuple.items().len());
                if selection.count == tuple.items().len() && selection.step == 1 {
                    return Ok(Some(object.clone()));
                }
                Ok(Some(Value::tuple(selected(tuple.items(), selection))))
            }
            Value::Str(text) => {
                let selection = slice::bounds(vm, bounds)?.select(text.len_chars());
                Ok(Some(text::sliced(text, selection)))
            }
            Value::Range(range) => range::sliced(vm, range, key).map(Some),
            Value::Bytes(_) | Value::ByteArray(_) => {
                let bounds = slice::bounds(vm, bounds)?;
                Ok(Some(bytes::sliced(object, bounds)))
            }
            _ => memoryview::get(vm, object, key),
        };
    }
    match object {
        Value::List(list) => {
            let index = index_of(vm, key, "list indices must be integers or slices")?;
            let items = list.items.borrow();
            match position(index, items.len()) {
                Some(at) => Ok(Some(items[at].clone())),
                None => Err(raise::index_error("list index out of range")),
            }
        }
        Value::Tuple(tuple) => {
            let index = index_of(vm, key, "tuple indices must be integers or slices")?;
            match position(index, tuple.items().len()) {
                Some(at) => Ok(Some(tuple.items()[at].clone())),
                None => Err(raise::index_error("tuple index out of range")),
            }
        }
        Value::Str(text) => {
            if !is_index(vm, key) {
                return Err(raise::type_error(format!("string indices must be integers, not '{}'", key.type_name())));
            }
            let index = convert::index_position(vm, key)?;
            character(text, index).map(Some)
        }
        Value::Range(range) => {
            if !is_index(vm, key) {
                return Err(not_index("range indices must be integers or slices", key));
            }
            let index = convert::index_big(vm, key)?;
            range::item(range, &index).map(Some)
        }
        Value::Bytes(data) => {
            let index = index_of(vm, key, "byte indices must be integers or slices")?;
            match position(index, data.as_bytes().len()) {
                Some(at) => Ok(Some(Value::Int(data.as_bytes()[at].into()))),
                None => Err(raise::index_error("index out of range")),
            }
        }
        Value::ByteArray(array) => {
            let index = index_of(vm, key, "bytearray indices must be integers or slices")?;
            let data = array.data.borrow();
            match position(index, data.len()) {
                Some(at) => Ok(Some(Value::Int(data[at].into()))),
                None => Err(raise::index_error("bytearray index out of range")),
            }
        }
        _ => memoryview::get(vm, object, key),
    }
}

/// `object[key] = value`; nothing when the type does not take items.
#[inline]
pub fn set(vm: &mut Vm, object: &Value, key: &Value, value: Value) -> Fallible<Option<()>> {
    match (object, key) {
        (Value::List(list), Value::Int(index)) => set_list_item(list, *index, value).map(Some),
        (Value::Dict(dict), _) => table::dict_set(vm, dict, key.clone(), value).map(Some),
        (Value::List(list), Value::Slice(bounds)) => super::list::assign_slice(vm, list, bounds, &value).map(Some),
        (Value::List(list), _) => {
            let index = index_of(vm, key, "list indices must be integers or slices")?;
            set_list_item(list, index, value).map(Some)
        }
        (Value::ByteArray(array), _) => super::bytearray::set_item(vm, array, key, &value).map(Some),
        _ => memoryview::set(vm, object, key, &value),
    }
}

fn set_list_item(list: &Ref<ListObject>, index: i64, value: Value) -> Fallible<()> {
    let old = {
        let mut items = list.items.borrow_mut();
        match position(index, items.len()) {
            Some(at) => std::mem::replace(&mut items[at], value),
            None => return Err(raise::index_error("list assignment index out of range")),
        }
    };
    drop(old);
    Ok(())
}

/// `del object[key]`; nothing when the type does not let items go.
pub fn delete(vm: &mut Vm, object: &Value, key: &Value) -> Fallible<Option<()>> {
    match object {
        Value::Dict(dict) => match table::dict_remove(vm, dict, key)? {
            Some(entry) => {
                drop(entry);
                Ok(Some(()))
            }
            None => Err(raise::key_error(key.clone())),
        },
        Value::List(list) => {
            if let Value::Slice(bounds) = key {
                return super::list::delete_slice(vm, list, bounds).map(Some);
            }
            let index = index_of(vm, key, "list indices must be integers or slices")?;
            let old = {
                let mut items = list.items.borrow_mut();
                match position(index, items.len()) {
                    Some(at) => items.remove(at),
                    None => return Err(raise::index_error("list assignment index out of range")),
                }
            };
            drop(old);
            Ok(Some(()))
        }
        Value::ByteArray(array) => super::bytearray::delete_item(vm, array, key).map(Some),
        _ => memoryview::delete(object),
    }
}

/// The position an index means among `len` items.
#[inline]
pub fn position(index: i64, len: usize) -> Option<usize> {
    let at = if index < 0 { index.wrapping_add(len as i64) } else { index };
    usize::try_from(at).ok().filter(|&at| at < len)
}

/// The selected items, cloned.
pub fn selected(items: &[Value], selection: Selection) -> Vec<Value> {
    if selection.step == 1 {
        let start = selection.start as usize;
        return items[start..start + selection.count].to_vec();
    }
    selection.positions().map(|at| items[at].clone()).collect()
}

fn character(text: &StrObject, index: i64) -> Fallible<Value> {
    let at = position(index, text.len_chars()).ok_or_else(|| raise::index_error("string index out of range"))?;
    if text.is_ascii() {
        return Ok(text::ascii_char(text.as_str().as_bytes()[at]));
    }
    let start = text.byte_offset(at);
    let c = text.as_str()[start..].chars().next().unwrap_or_default();
    Ok(text::char_value(c))
}

fn is_index(vm: &mut Vm, key: &Value) -> bool {
    matches!(key, Value::Int(_) | Value::Bool(_) | Value::Big(_)) || vm.find_special(key, names::INDEX).is_some()
}

fn not_index(message: &str, key: &Value) -> raise::Raised {
    raise::type_error(format!("{message}, not {}", key.type_name()))
}

/// An index, or `TypeError: {message}, not str`.
pub fn index_of(vm: &mut Vm, key: &Value, message: &str) -> Fallible<i64> {
    if !is_index(vm, key) {
        return Err(not_index(message, key));
    }
    convert::index_position(vm, key)
}

/// `len(value)` of a built-in value; nothing when it has none or its class decides.
#[inline]
pub fn len(value: &Value) -> Fallible<Option<usize>> {
    Ok(Some(match value {
        Value::List(list) => list.items.borrow().len(),
        Value::Tuple(tuple) => tuple.items().len(),
        Value::Str(text) => text.len_chars(),
        Value::Dict(dict) => dict.table.borrow().len(),
        Value::Set(set) => set.table.borrow().len(),
        Value::Range(range) => range::len(range)?,
        Value::Bytes(data) => data.as_bytes().len(),
        Value::ByteArray(array) => array.data.borrow().len(),
        Value::Object(object) => match dict::view_len(object) {
            Some(len) => len,
            None => return memoryview::len(object),
        },
        _ => return Ok(None),
    }))
}

/// `bool(value)` of a built-in value; nothing when its class decides. What has no length and no say is true.
#[inline]
pub fn truth(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Bool(b) => *b,
        Value::None | Value::Unset => false,
        Value::Int(i) => *i != 0,
        Value::Range(range) => range::len_big(range) != num_bigint::BigInt::ZERO,
        Value::Instance(_) | Value::Exception(_) | Value::Array(_) | Value::Scalar(_) => return None,
        Value::Object(object) => match dict::view_len(object) {
            Some(len) => len != 0,
            None => return memoryview::len(object).ok().flatten().map(|len| len != 0),
        },
        _ => match number::truth(value) {
            Some(truth) => truth,
            None => len(value).ok().flatten() != Some(0),
        },
    })
}

/// `item in container` of a built-in container; nothing when it is none or its class decides.
pub fn contains(vm: &mut Vm, container: &Value, item: &Value) -> Fallible<Option<bool>> {
    Ok(Some(match container {
        Value::Str(text) => match item {
            Value::Str(part) => text.as_str().contains(part.as_str()),
            other => match super::receiver::payload(other) {
                Value::Str(part) => text.as_str().contains(part.as_str()),
                _ => {
                    return Err(raise::type_error(format!(
                        "'in <string>' requires string as left operand, not {}",
                        other.type_name()
                    )));
                }
            },
        },
        Value::Dict(dict) => {
            let hash = table::key_hash(vm, item)?;
            table::find(vm, &dict.table, &dict.changes, hash, item)?.is_some()
        }
        Value::Set(found) => set::contains_item(vm, found, item)?,
        Value::List(list) => super::list::find(vm, list, item, 0, usize::MAX)?.is_some(),
        Value::Tuple(tuple) => super::tuple::find(vm, tuple.items(), item)?.is_some(),
        Value::Range(range) => range_contains(vm, range, item)?,
        Value::Bytes(_) | Value::ByteArray(_) => bytes::contains(vm, container, item)?,
        Value::Object(object) => return dict::view_contains(vm, object, item),
        _ => return Ok(None),
    }))
}

fn range_contains(vm: &mut Vm, range: &Ref<RangeObject>, item: &Value) -> Fallible<bool> {
    if let (Some((start, stop, step)), Value::Int(value)) = (range.small, item) {
        let inside = if step > 0 { (start..stop).contains(value) } else { *value <= start && *value > stop };
        return Ok(inside && (i128::from(*value) - i128::from(start)) % i128::from(step) == 0);
    }
    if let Some(value) = number::as_big(item) {
        return Ok(range::contains(range, &value));
    }
    if let Value::Float(value) = item {
        return Ok(value.fract() == 0.0
            && crate::lang::operators::integer::from_f64(*value).is_some_and(|value| range::contains(range, &value)));
    }
    if super::equality::quick(item, &Value::Int(0)).is_some() {
        return Ok(false);
    }
    let iterator = Value::Iterator(Ref::new(crate::lang::objects::IteratorObject::new(range::iterator(range))));
    while let Some(value) = vm.next(&iterator)? {
        if vm.equals(&value, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}
