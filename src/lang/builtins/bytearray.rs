//! `bytearray`: what changes it in place.

use super::classes::{Builtin, attach, builtin_class};
use super::{bytes, convert, item, receiver, slice};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::ByteArrayObject;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, *args, **kwargs)", "Create an empty bytearray.", new),
    method("__init__", "(self, source=b'', encoding=None, errors=None)", "Initialize self from source.", init),
    method("append", "(self, item, /)", "Append a single item to the end of the bytearray.", append),
    method("extend", "(self, iterable_of_ints, /)", "Append all the items from the iterator.", extend),
    method("insert", "(self, index, item, /)", "Insert a single item before the given index.", insert),
    method("pop", "(self, index=-1, /)", "Remove and return a single item.", pop),
    method("remove", "(self, value, /)", "Remove the first occurrence of a value.", remove),
    method("clear", "(self, /)", "Remove all items.", clear),
    method("reverse", "(self, /)", "Reverse the order of the values in place.", reverse),
    method("copy", "(self, /)", "Return a copy.", copy),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::ByteArray);
    super::bytes_methods::attach_common(&class);
    attach(&class, METHODS);
    super::dunders::attach_sequence(&class);
    super::dunders::attach_modulo(&class);
    super::dunders::attach_mutable(&class);
}

/// `BufferError` while a memoryview looks in.
pub fn check_resizable(array: &ByteArrayObject) -> Fallible<()> {
    if array.exports.get() > 0 {
        return Err(raise::buffer_error("Existing exports of data: object cannot be re-sized"));
    }
    Ok(())
}

/// `array[key] = value`
pub fn set_item(vm: &mut Vm, array: &Ref<ByteArrayObject>, key: &Value, value: &Value) -> Fallible<()> {
    if let Value::Slice(bounds) = key {
        let new = match bytes::view(value).map(|view| view.as_slice().to_vec()) {
            Some(data) => data,
            None if matches!(value, Value::Int(_) | Value::Str(_)) => {
                return Err(raise::type_error("can assign only bytes, buffers, or iterables of ints in range(0, 256)"));
            }
            None => bytes::from_source(vm, value, "bytearray")?,
        };
        let selection = slice::bounds(vm, bounds)?.select(array.data.borrow().len());
        if selection.step == 1 {
            if new.len() != selection.count {
                check_resizable(array)?;
            }
            let start = selection.start as usize;
            array.data.borrow_mut().splice(start..start + selection.count, new);
        } else {
            if new.len() != selection.count {
                return Err(raise::value_error(format!(
                    "attempt to assign bytes of size {} to extended slice of size {}",
                    new.len(),
                    selection.count
                )));
            }
            let mut data = array.data.borrow_mut();
            selection.positions().zip(new).for_each(|(at, byte)| data[at] = byte);
        }
        return Ok(());
    }
    let index = item::index_of(vm, key, "bytearray indices must be integers or slices")?;
    let at = item::position(index, array.data.borrow().len())
        .ok_or_else(|| raise::index_error("bytearray index out of range"))?;
    let byte = bytes::byte(vm, value, "byte must be in range(0, 256)")?;
    if let Some(slot) = array.data.borrow_mut().get_mut(at) {
        *slot = byte;
    }
    Ok(())
}

/// `del array[key]`
pub fn delete_item(vm: &mut Vm, array: &Ref<ByteArrayObject>, key: &Value) -> Fallible<()> {
    if let Value::Slice(bounds) = key {
        let selection = slice::bounds(vm, bounds)?.select(array.data.borrow().len());
        check_resizable(array)?;
        bytes::remove_selected(&mut array.data.borrow_mut(), selection);
        return Ok(());
    }
    let index = item::index_of(vm, key, "bytearray indices must be integers or slices")?;
    let at = item::position(index, array.data.borrow().len())
        .ok_or_else(|| raise::index_error("bytearray index out of range"))?;
    check_resizable(array)?;
    array.data.borrow_mut().remove(at);
    Ok(())
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver::derive(vm, args, Builtin::ByteArray, Value::ByteArray(Ref::new(ByteArrayObject::default())))
}

fn init(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    let data = super::bytes_methods::from_arguments(vm, args, "bytearray")?;
    check_resizable(&array)?;
    array.data.replace(data);
    Ok(Value::None)
}

fn append(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    let item = args.get(vm, 1);
    let byte = bytes::byte(vm, &item, "byte must be in range(0, 256)")?;
    check_resizable(&array)?;
    array.data.borrow_mut().push(byte);
    Ok(Value::None)
}

fn extend(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    let source = args.get(vm, 1);
    if let Value::Str(text) = &source {
        if text.as_str().is_empty() {
            return Ok(Value::None);
        }
        return Err(raise::type_error("'str' object cannot be interpreted as an integer"));
    }
    if let Value::Int(_) = source {
        return Err(raise::type_error("can't extend bytearray with int"));
    }
    let data = bytes::from_source(vm, &source, "bytearray")?;
    check_resizable(&array)?;
    array.data.borrow_mut().extend_from_slice(&data);
    Ok(Value::None)
}

fn insert(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    let (index, item) = (args.get(vm, 1), args.get(vm, 2));
    let index = convert::index_size(vm, &index)?;
    let byte = bytes::byte(vm, &item, "byte must be in range(0, 256)")?;
    check_resizable(&array)?;
    let mut data = array.data.borrow_mut();
    let len = data.len() as i64;
    let at = if index < 0 { index.saturating_add(len).max(0) } else { index.min(len) };
    data.insert(at as usize, byte);
    Ok(Value::None)
}

fn pop(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    let index = match args.optional(vm, 1) {
        Some(index) => convert::index_size(vm, &index)?,
        None => -1,
    };
    if array.data.borrow().is_empty() {
        return Err(raise::index_error("pop from empty bytearray"));
    }
    let at =
        item::position(index, array.data.borrow().len()).ok_or_else(|| raise::index_error("pop index out of range"))?;
    check_resizable(&array)?;
    let byte = array.data.borrow_mut().remove(at);
    Ok(Value::Int(byte.into()))
}

fn remove(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    let item = args.get(vm, 1);
    let byte = bytes::byte(vm, &item, "byte must be in range(0, 256)")?;
    let at = array.data.borrow().iter().position(|&other| other == byte);
    let at = at.ok_or_else(|| raise::value_error("value not found in bytearray"))?;
    check_resizable(&array)?;
    array.data.borrow_mut().remove(at);
    Ok(Value::None)
}

fn clear(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = receiver::bytearray(vm, args)?;
    check_resizable(&array)?;
    array.data.borrow_mut().clear();
    Ok(Value::None)
}

fn reverse(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver::bytearray(vm, args)?.data.borrow_mut().reverse();
    Ok(Value::None)
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = receiver::bytearray(vm, args)?.data.borrow().clone();
    Ok(Value::ByteArray(Ref::new(ByteArrayObject::new(data))))
}
