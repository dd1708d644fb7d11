//! Byte strings as values: what any bytes-like object shows, slices, searching, `repr`.

use std::cell::Ref as Borrowed;

use super::slice::Bounds;
use super::{convert, list, memoryview};
use crate::arrays::functions::io::raw::to_bytes;
use crate::arrays::layout::Order;
use crate::lang::heap::Ref;
use crate::lang::objects::{ArrayFlavour, ByteArrayObject, BytesObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The bytes of a bytes-like object, for a short look.
pub enum View<'a> {
    /// Of a `bytes`.
    Shared(&'a [u8]),
    /// Of a `bytearray`.
    Borrowed(Borrowed<'a, Vec<u8>>),
    /// Copied out of a memoryview.
    Owned(Vec<u8>),
}

impl View<'_> {
    /// The bytes.
    pub fn as_slice(&self) -> &[u8] {
        match self {
            Self::Shared(data) => data,
            Self::Borrowed(data) => data,
            Self::Owned(data) => data,
        }
    }
}

/// The bytes of a bytes-like object; nothing for other values.
pub fn view(value: &Value) -> Option<View<'_>> {
    match value {
        Value::Bytes(data) => Some(View::Shared(data.as_bytes())),
        Value::ByteArray(array) => Some(View::Borrowed(array.data.borrow())),
        Value::Object(object) => match object.data().bytes_source(value) {
            Some(source) => {
                let mut data = vec![0; source.len_bytes()];
                source.read(0, &mut data).ok().map(|()| View::Owned(data))
            }
            None => memoryview::contents(object).map(View::Owned),
        },
        // NumPy's arrays are buffers; a device's memory is not, as in dpnp.
        Value::Array(object) if object.flavour == ArrayFlavour::NumPy => {
            to_bytes(&object.computed()?, Order::C).ok().map(View::Owned)
        }
        _ => None,
    }
}

/// The bytes of a bytes-like object, or `TypeError: a bytes-like object is required, not 'str'`.
pub fn required(value: &Value) -> Fallible<Vec<u8>> {
    match view(&super::receiver::payload(value)) {
        Some(view) => Ok(view.as_slice().to_vec()),
        None => Err(raise::type_error(format!("a bytes-like object is required, not '{}'", value.type_name()))),
    }
}

/// A `bytes` value.
pub fn value(data: impl Into<Box<[u8]>>) -> Value {
    Value::Bytes(Ref::new(BytesObject::new(data)))
}

/// A value of the same type as `like`: `bytes` or `bytearray`.
pub fn like(like: &Value, data: Vec<u8>) -> Value {
    match like {
        Value::ByteArray(_) => Value::ByteArray(Ref::new(ByteArrayObject::new(data))),
        _ => value(data),
    }
}

/// `value[slice]`
pub fn sliced(value: &Value, bounds: Bounds) -> Value {
    let Some(data) = view(value) else { return Value::None };
    let data = data.as_slice();
    let selection = bounds.select(data.len());
    let picked = if selection.step == 1 {
        data[selection.start as usize..selection.start as usize + selection.count].to_vec()
    } else {
        selection.positions().map(|at| data[at]).collect()
    };
    like(value, picked)
}

/// The bytes that `in`, `find` and `count` look for: a byte's number or a bytes-like object.
pub fn needle(vm: &mut Vm, value: &Value) -> Fallible<Vec<u8>> {
    if let Some(view) = view(value) {
        return Ok(view.as_slice().to_vec());
    }
    if matches!(value, Value::Int(_) | Value::Bool(_) | Value::Big(_))
        || vm.find_special(value, crate::lang::name::names::INDEX).is_some()
    {
        return byte(vm, value, "byte must be in range(0, 256)").map(|byte| vec![byte]);
    }
    Err(raise::type_error(format!("argument should be integer or bytes-like object, not '{}'", value.type_name())))
}

/// A byte's number, or the error with this message.
pub fn byte(vm: &mut Vm, value: &Value, message: &str) -> Fallible<u8> {
    let index = convert::index_value(vm, value)?;
    match index {
        Value::Int(number) => u8::try_from(number).map_err(|_| raise::value_error(message)),
        _ => Err(raise::value_error(message)),
    }
}

/// `item in data`
pub fn contains(vm: &mut Vm, container: &Value, item: &Value) -> Fallible<bool> {
    if view(item).is_none()
        && !matches!(item, Value::Int(_) | Value::Bool(_) | Value::Big(_))
        && vm.find_special(item, crate::lang::name::names::INDEX).is_none()
    {
        return Err(raise::type_error(format!("a bytes-like object is required, not '{}'", item.type_name())));
    }
    let needle = needle(vm, item)?;
    Ok(view(container).is_some_and(|data| find(data.as_slice(), &needle, 0).is_some()))
}

/// The first position at or after `from` where `needle` stands.
pub fn find(data: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    if from > data.len() {
        return None;
    }
    if needle.is_empty() {
        return Some(from);
    }
    let first = needle[0];
    let mut at = from;
    while at + needle.len() <= data.len() {
        let last = data.len() - needle.len();
        let found = data[at..=last].iter().position(|&byte| byte == first)?;
        at += found;
        if &data[at..at + needle.len()] == needle {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The last position where `needle` stands.
pub fn find_last(data: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(data.len());
    }
    data.windows(needle.len()).rposition(|window| window == needle)
}

/// Appends `b'...'`.
pub fn write_repr(into: &mut String, data: &[u8]) {
    use std::fmt::Write as _;
    let quote = if data.contains(&b'\'') && !data.contains(&b'"') { '"' } else { '\'' };
    into.push('b');
    into.push(quote);
    for &byte in data {
        match byte {
            b'\n' => into.push_str("\\n"),
            b'\r' => into.push_str("\\r"),
            b'\t' => into.push_str("\\t"),
            b'\\' => into.push_str("\\\\"),
            _ if char::from(byte) == quote => {
                into.push('\\');
                into.push(quote);
            }
            b' '..=b'~' => into.push(char::from(byte)),
            _ => {
                let _ = write!(into, "\\x{byte:02x}");
            }
        }
    }
    into.push(quote);
}

/// What `bytes(source)` holds: a count of zeros, a bytes-like object or numbers of bytes.
pub fn from_source(vm: &mut Vm, source: &Value, class: &str) -> Fallible<Vec<u8>> {
    if let Some(view) = view(&super::receiver::payload(source)) {
        return Ok(view.as_slice().to_vec());
    }
    if matches!(source, Value::Int(_) | Value::Bool(_) | Value::Big(_))
        || (!matches!(source, Value::Str(_)) && vm.find_special(source, crate::lang::name::names::INDEX).is_some())
    {
        let count = match convert::index_value(vm, source)? {
            Value::Int(count) => count,
            _ => return Err(raise::overflow_error("cannot fit 'int' into an index-sized integer")),
        };
        let count = usize::try_from(count).map_err(|_| raise::value_error("negative count"))?;
        vm.reserve(count)?;
        return Ok(vec![0; count]);
    }
    if matches!(source, Value::Str(_)) {
        return Err(raise::type_error("string argument without an encoding"));
    }
    if super::iterators::iter(source).is_none()
        && vm.find_special(source, crate::lang::name::names::ITER).is_none()
        && vm.find_special(source, crate::lang::name::names::GETITEM).is_none()
    {
        return Err(raise::type_error(format!("cannot convert '{}' object to {class}", source.type_name())));
    }
    let items = vm.collect(source)?;
    let message = if class == "bytes" { "bytes must be in range(0, 256)" } else { "byte must be in range(0, 256)" };
    items.iter().map(|item| byte(vm, item, message)).collect()
}

/// Removes the selected bytes; used by `del data[i:j]`.
pub fn remove_selected(data: &mut Vec<u8>, selection: super::slice::Selection) {
    list::remove_selected(data, selection);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searching_finds_first_and_last() {
        assert_eq!(find(b"abcabc", b"bc", 0), Some(1));
        assert_eq!(find(b"abcabc", b"bc", 2), Some(4));
        assert_eq!(find(b"abc", b"", 3), Some(3));
        assert_eq!(find(b"abc", b"", 4), None);
        assert_eq!(find(b"ab", b"abc", 0), None);
        assert_eq!(find_last(b"abcabc", b"bc"), Some(4));
        assert_eq!(find_last(b"aaa", b"aa"), Some(1));
    }

    #[test]
    fn repr_escapes_what_does_not_print() {
        let repr = |data: &[u8]| {
            let mut into = String::new();
            write_repr(&mut into, data);
            into
        };
        assert_eq!(repr(b"a'\n\x00\xff"), "b\"a'\\n\\x00\\xff\"");
        assert_eq!(repr(b"'\""), "b'\\'\"'");
    }
}
