//! `array`: numbers side by side in host memory, shared with memoryviews.

mod element;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use self::element::{CODES, Code};
use super::support::{Typed, bytes_of, instantiate, new_module, set, text_of, thread_class};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::memoryview::{BufferSource, SourceLayout};
use crate::lang::builtins::slice;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{
    BytesObject, ClassRef, IteratorObject, IteratorState, ModuleObject, NativeData, NativeObject, PayloadKind,
};
use crate::lang::operators::CompareOperator;
use crate::lang::raise::{Fallible, Raised, buffer_error, index_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// An array.
#[derive(Debug)]
struct Array {
    code: Code,
    data: RefCell<Vec<u8>>,
    /// How many memoryviews look in, which forbids resizing.
    exports: Cell<usize>,
}

thread_class! {
    fn array_class() = {
        let class = define_class("array", "array", &builtin_class(Builtin::Object), PayloadKind::Value, METHODS);
        class.set(names::HASH, Value::None);
        class
    };
}

impl NativeData for Array {
    fn class(&self) -> ClassRef {
        array_class()
    }
    fn bytes_source(&self, this: &Value) -> Option<Rc<dyn BufferSource>> {
        match this {
            Value::Object(object) => Some(Rc::new(Source(object.clone()))),
            _ => None,
        }
    }
}

/// An array as memory that a memoryview looks into.
#[derive(Debug)]
struct Source(Ref<NativeObject>);

impl Source {
    fn array(&self) -> Fallible<&Array> {
        self.0.downcast().ok_or_else(|| buffer_error("not an array"))
    }
}

impl BufferSource for Source {
    fn owner(&self) -> Value {
        Value::Object(self.0.clone())
    }
    fn len_bytes(&self) -> usize {
        self.array().map_or(0, |array| array.data.borrow().len())
    }
    fn is_readonly(&self) -> bool {
        false
    }
    fn read(&self, at: usize, into: &mut [u8]) -> Fallible<()> {
        let data = self.array()?.data.borrow();
        into.copy_from_slice(&data[at..at + into.len()]);
        Ok(())
    }
    fn write(&self, at: usize, from: &[u8]) -> Fallible<()> {
        self.array()?.data.borrow_mut()[at..at + from.len()].copy_from_slice(from);
        Ok(())
    }
    fn acquire(&self) {
        if let Ok(array) = self.array() {
            array.exports.set(array.exports.get() + 1);
        }
    }
    fn release(&self) {
        if let Ok(array) = self.array() {
            array.exports.set(array.exports.get().saturating_sub(1));
        }
    }
    fn layout(&self) -> SourceLayout {
        match self.array() {
            Ok(array) => {
                let letter = if array.code.letter() == 'u' { 'w' } else { array.code.letter() };
                SourceLayout::contiguous(letter.to_string(), array.code.itemsize(), vec![array.len()])
            }
            Err(_) => SourceLayout::contiguous("B", 1, vec![0]),
        }
    }
}

impl Array {
    fn value(code: Code, data: Vec<u8>) -> Value {
        Value::object(Self { code, data: RefCell::new(data), exports: Cell::new(0) })
    }

    fn len(&self) -> usize {
        self.data.borrow().len() / self.code.itemsize()
    }

    fn at(&self, index: usize) -> Fallible<Value> {
        let size = self.code.itemsize();
        self.code.unpack(&self.data.borrow()[index * size..(index + 1) * size])
    }

    fn items(&self) -> Fallible<Vec<Value>> {
        self.data.borrow().chunks_exact(self.code.itemsize()).map(|data| self.code.unpack(data)).collect()
    }

    fn check_resizable(&self) -> Fallible<()> {
        if self.exports.get() == 0 {
            Ok(())
        } else {
            Err(buffer_error("cannot resize an array that is exporting buffers"))
        }
    }

    /// The place of an index that may count from the end.
    fn place(&self, index: i64) -> Option<usize> {
        let len = self.len() as i64;
        usize::try_from(if index < 0 { index + len } else { index }).ok().filter(|place| *place < len as usize)
    }

    fn push(&self, vm: &mut Vm, value: &Value) -> Fallible<()> {
        let packed = self.code.pack(vm, value)?;
        self.check_resizable()?;
        let len = self.data.borrow().len();
        if len.is_power_of_two() {
            vm.reserve(len)?;
        }
        self.data.borrow_mut().extend_from_slice(&packed);
        Ok(())
    }

    fn extend(&self, vm: &mut Vm, value: &Value) -> Fallible<()> {
        if let Some(other) = Typed::<Self>::of(value) {
            if other.code != self.code {
                return Err(type_error("can only extend with array of same kind"));
            }
            self.check_resizable()?;
            let data = other.data.borrow().clone();
            vm.reserve(data.len())?;
            self.data.borrow_mut().extend_from_slice(&data);
            return Ok(());
        }
        let iterator = vm.iter(value)?;
        while let Some(item) = vm.next(&iterator)? {
            self.push(vm, &item)?;
        }
        Ok(())
    }
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Array>> {
    Typed::receiver(vm, args, "array.array")
}

fn out_of_range() -> Raised {
    index_error("array index out of range")
}

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module(
        "array",
        "This module defines an object type which can efficiently represent an array of basic values.",
        &[],
    );
    module.set(Name::new("array"), Value::Class(array_class()));
    module.set(Name::new("ArrayType"), Value::Class(array_class()));
    set(&module, "typecodes", CODES);
    Ok(module)
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, /, *args)", "array(typecode [, initializer]) -> array", new),
    method("append", "(self, v, /)", "Append new value v to the end of the array.", |vm, args| {
        let value = args.get(vm, 1);
        receiver(vm, args)?.push(vm, &value)?;
        Ok(Value::None)
    }),
    method("extend", "(self, bb, /)", "Append items to the end of the array.", |vm, args| {
        let value = args.get(vm, 1);
        receiver(vm, args)?.extend(vm, &value)?;
        Ok(Value::None)
    }),
    method("fromlist", "(self, list, /)", "Append items to array from list.", |vm, args| {
        let value = args.get(vm, 1);
        if !matches!(value, Value::List(_)) {
            return Err(type_error("arg must be list"));
        }
        receiver(vm, args)?.extend(vm, &value)?;
        Ok(Value::None)
    }),
    method("tolist", "(self, /)", "Convert array to an ordinary list with the same items.", |vm, args| {
        let array = receiver(vm, args)?;
        vm.reserve(array.len() * size_of::<Value>())?;
        Ok(Value::list(array.items()?))
    }),
    method(
        "tobytes",
        "(self, /)",
        "Convert the array to an array of machine values and return the bytes representation.",
        |vm, args| {
            let data = receiver(vm, args)?.data.borrow().clone();
            Ok(Value::Bytes(Ref::new(BytesObject::new(data))))
        },
    ),
    method(
        "frombytes",
        "(self, buffer, /)",
        "Appends items from the string, interpreting it as an array of machine values.",
        |vm, args| {
            let array = receiver(vm, args)?;
            let value = args.get(vm, 1);
            let data = bytes_of(&value)
                .ok_or_else(|| type_error(format!("a bytes-like object is required, not '{}'", value.type_name())))?;
            if !data.len().is_multiple_of(array.code.itemsize()) {
                return Err(value_error("bytes length not a multiple of item size"));
            }
            array.check_resizable()?;
            vm.reserve(data.len())?;
            array.data.borrow_mut().extend_from_slice(&data);
            Ok(Value::None)
        },
    ),
    method("tounicode", "(self, /)", "Extends this array with data from the unicode string ustr.", |vm, args| {
        let array = receiver(vm, args)?;
        if array.code.letter() != 'u' {
            return Err(value_error("tounicode() may only be called on unicode type arrays"));
        }
        Ok(array.items()?.iter().filter_map(Value::as_str).collect::<String>().into())
    }),
    method("pop", "(self, i=-1, /)", "Return the i-th element and delete it from the array.", |vm, args| {
        let index = args.index_or(vm, 1, -1)?;
        let array = receiver(vm, args)?;
        if array.len() == 0 {
            return Err(index_error("pop from empty array"));
        }
        let place = array.place(index).ok_or_else(|| index_error("pop index out of range"))?;
        array.check_resizable()?;
        let value = array.at(place)?;
        let size = array.code.itemsize();
        array.data.borrow_mut().drain(place * size..(place + 1) * size);
        Ok(value)
    }),
    method("insert", "(self, i, v, /)", "Insert a new item v into the array before position i.", |vm, args| {
        let index = args.index_or(vm, 1, 0)?;
        let value = args.get(vm, 2);
        let array = receiver(vm, args)?;
        let packed = array.code.pack(vm, &value)?;
        array.check_resizable()?;
        let len = array.len() as i64;
        let place = (if index < 0 { index + len } else { index }).clamp(0, len) as usize * packed.len();
        array.data.borrow_mut().splice(place..place, packed);
        Ok(Value::None)
    }),
    method("remove", "(self, v, /)", "Remove the first occurrence of v in the array.", |vm, args| {
        let array = receiver(vm, args)?;
        let place = find(vm, args, &array)?.ok_or_else(|| value_error("array.remove(x): x not in array"))?;
        array.check_resizable()?;
        let size = array.code.itemsize();
        array.data.borrow_mut().drain(place * size..(place + 1) * size);
        Ok(Value::None)
    }),
    method("index", "(self, v, /)", "Return index of first occurrence of v in the array.", |vm, args| {
        let array = receiver(vm, args)?;
        find(vm, args, &array)?.map(Value::from).ok_or_else(|| value_error("array.index(x): x not in array"))
    }),
    method("count", "(self, v, /)", "Return number of occurrences of v in the array.", |vm, args| {
        let (array, wanted) = (receiver(vm, args)?, args.get(vm, 1));
        let mut count = 0_usize;
        for item in array.items()? {
            count += usize::from(vm.equals(&item, &wanted)?);
        }
        Ok(count.into())
    }),
    method("reverse", "(self, /)", "Reverse the order of the items in the array.", |vm, args| {
        let array = receiver(vm, args)?;
        let reversed: Vec<u8> =
            array.data.borrow().chunks_exact(array.code.itemsize()).rev().flatten().copied().collect();
        *array.data.borrow_mut() = reversed;
        Ok(Value::None)
    }),
    method("byteswap", "(self, /)", "Byteswap all items of the array.", |vm, args| {
        let array = receiver(vm, args)?;
        let size = array.code.itemsize();
        array.data.borrow_mut().chunks_exact_mut(size).for_each(<[u8]>::reverse);
        Ok(Value::None)
    }),
    method("__copy__", "(self, /)", "Return a copy of the array.", |vm, args| {
        let array = receiver(vm, args)?;
        Ok(Array::value(array.code, array.data.borrow().clone()))
    }),
    method("__deepcopy__", "(self, memo, /)", "Return a copy of the array.", |vm, args| {
        let array = receiver(vm, args)?;
        Ok(Array::value(array.code, array.data.borrow().clone()))
    }),
    method("__len__", "(self, /)", "Return len(self).", |vm, args| Ok(receiver(vm, args)?.len().into())),
    method("__getitem__", "(self, key, /)", "Return self[key].", get_item),
    method("__setitem__", "(self, key, value, /)", "Set self[key] to value.", set_item),
    method("__delitem__", "(self, key, /)", "Delete self[key].", delete_item),
    method("__contains__", "(self, key, /)", "Return key in self.", |vm, args| {
        let array = receiver(vm, args)?;
        Ok(find(vm, args, &array)?.is_some().into())
    }),
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| {
        let state = IteratorState::Sequence(args.get(vm, 0), 0);
        Ok(Value::Iterator(Ref::new(IteratorObject::new(state))))
    }),
    method("__add__", "(self, value, /)", "Return self+value.", |vm, args| {
        let array = receiver(vm, args)?;
        let Some(other) = Typed::<Array>::of(args.peek(vm, 1)) else {
            return Err(type_error(format!(
                "can only append array (not \"{}\") to array",
                args.peek(vm, 1).type_name()
            )));
        };
        if other.code != array.code {
            return Err(type_error("bad argument type for built-in operation"));
        }
        let mut data = array.data.borrow().clone();
        vm.reserve(data.len() + other.data.borrow().len())?;
        data.extend_from_slice(&other.data.borrow());
        Ok(Array::value(array.code, data))
    }),
    method("__iadd__", "(self, value, /)", "Implement self+=value.", |vm, args| {
        let value = args.get(vm, 1);
        if Typed::<Array>::of(&value).is_none() {
            return Err(type_error(format!("can only extend with array (not \"{}\")", value.type_name())));
        }
        receiver(vm, args)?.extend(vm, &value)?;
        Ok(args.get(vm, 0))
    }),
    method("__mul__", "(self, value, /)", "Return self*value.", repeat),
    method("__rmul__", "(self, value, /)", "Return value*self.", repeat),
    method("__eq__", "(self, value, /)", "Return self==value.", compare).with_row(0),
    method("__ne__", "(self, value, /)", "Return self!=value.", compare).with_row(1),
    method("__lt__", "(self, value, /)", "Return self<value.", compare).with_row(2),
    method("__le__", "(self, value, /)", "Return self<=value.", compare).with_row(3),
    method("__gt__", "(self, value, /)", "Return self>value.", compare).with_row(4),
    method("__ge__", "(self, value, /)", "Return self>=value.", compare).with_row(5),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let array = receiver(vm, args)?;
        let letter = array.code.letter();
        if array.len() == 0 {
            return Ok(format!("array('{letter}')").into());
        }
        let items = array.items()?;
        let shown = if letter == 'u' {
            vm.repr(&items.iter().filter_map(Value::as_str).collect::<String>().into())?
        } else {
            vm.repr(&Value::list(items))?
        };
        Ok(format!("array('{letter}', {shown})").into())
    }),
    getter("typecode", "the typecode character used to create the array", |vm, args| {
        Ok(receiver(vm, args)?.code.letter().to_string().into())
    }),
    getter("itemsize", "the size, in bytes, of one array item", |vm, args| {
        Ok(receiver(vm, args)?.code.itemsize().into())
    }),
];

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let given = super::support::items_of(args.peek(vm, 1));
    let Some(letter) = given.first() else { return Err(type_error("array() takes at least 1 argument (0 given)")) };
    if given.len() > 2 {
        return Err(type_error(format!("array() takes at most 2 arguments ({} given)", given.len())));
    }
    let letter = match text_of(letter) {
        Some(text) if text.chars().count() == 1 => text.chars().next().unwrap_or('b'),
        _ => {
            let name = letter.type_name();
            return Err(type_error(format!("array() argument 1 must be a unicode character, not {name}")));
        }
    };
    let Some(code) = Code::of(letter) else {
        return Err(value_error("bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)"));
    };
    let made = Array::value(code, Vec::new());
    if let (Some(initial), Some(array)) = (given.get(1), Typed::<Array>::of(&made)) {
        match initial {
            Value::Str(text) if code.letter() == 'u' => {
                let data = text.as_str().chars().flat_map(|c| u32::from(c).to_ne_bytes()).collect();
                *array.data.borrow_mut() = data;
            }
            Value::Str(_) => {
                return Err(type_error(format!("cannot use a str to initialize an array with typecode '{letter}'")));
            }
            Value::Bytes(_) | Value::ByteArray(_) => {
                let data = bytes_of(initial).unwrap_or_default();
                if !data.len().is_multiple_of(code.itemsize()) {
                    return Err(value_error("bytes length not a multiple of item size"));
                }
                *array.data.borrow_mut() = data;
            }
            other => match Typed::<Array>::of(other) {
                Some(source) => {
                    for item in source.items()? {
                        array.push(vm, &item)?;
                    }
                }
                None => array.extend(vm, other)?,
            },
        }
    }
    instantiate(&args.get(vm, 0), &array_class(), made)
}

fn find(vm: &mut Vm, args: Args, array: &Array) -> Fallible<Option<usize>> {
    let wanted = args.get(vm, 1);
    for (place, item) in array.items()?.iter().enumerate() {
        if vm.equals(item, &wanted)? {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

fn index_of(vm: &mut Vm, array: &Array, key: &Value) -> Fallible<usize> {
    if vm.find_special(key, names::INDEX).is_none() {
        return Err(type_error("array indices must be integers"));
    }
    let index = vm.index(key)?;
    array.place(index).ok_or_else(out_of_range)
}

fn get_item(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (array, key) = (receiver(vm, args)?, args.get(vm, 1));
    if let Value::Slice(slice) = &key {
        let selection = slice::bounds(vm, slice)?.select(array.len());
        let size = array.code.itemsize();
        let data = array.data.borrow();
        let chosen = selection.positions().flat_map(|place| data[place * size..(place + 1) * size].to_vec()).collect();
        return Ok(Array::value(array.code, chosen));
    }
    let place = index_of(vm, &array, &key)?;
    array.at(place)
}

fn set_item(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (array, key, value) = (receiver(vm, args)?, args.get(vm, 1), args.get(vm, 2));
    let size = array.code.itemsize();
    let Value::Slice(slice) = &key else {
        let place = index_of(vm, &array, &key)?;
        let packed = array.code.pack(vm, &value)?;
        array.data.borrow_mut()[place * size..(place + 1) * size].copy_from_slice(&packed);
        return Ok(Value::None);
    };
    let Some(other) = Typed::<Array>::of(&value) else {
        return Err(type_error(format!("can only assign array (not \"{}\") to array slice", value.type_name())));
    };
    if other.code != array.code {
        return Err(type_error("bad argument type for built-in operation"));
    }
    let selection = slice::bounds(vm, slice)?.select(array.len());
    let positions: Vec<usize> = selection.positions().collect();
    let source = other.data.borrow().clone();
    let is_plain = slice.step.is_none() || matches!(slice.step, Value::Int(1));
    if positions.len() * size == source.len() {
        let mut data = array.data.borrow_mut();
        for (place, element) in positions.iter().zip(source.chunks_exact(size)) {
            data[place * size..(place + 1) * size].copy_from_slice(element);
        }
        return Ok(Value::None);
    }
    if !is_plain {
        let (have, want) = (source.len() / size, positions.len());
        return Err(value_error(format!("attempt to assign array of size {have} to extended slice of size {want}")));
    }
    array.check_resizable()?;
    let start = usize::try_from(selection.start).unwrap_or(0);
    array.data.borrow_mut().splice(start * size..(start + positions.len()) * size, source);
    Ok(Value::None)
}

fn delete_item(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (array, key) = (receiver(vm, args)?, args.get(vm, 1));
    let positions: Vec<usize> = match &key {
        Value::Slice(slice) => slice::bounds(vm, slice)?.select(array.len()).positions().collect(),
        _ => vec![index_of(vm, &array, &key)?],
    };
    array.check_resizable()?;
    let size = array.code.itemsize();
    let kept: Vec<u8> = array
        .data
        .borrow()
        .chunks_exact(size)
        .enumerate()
        .filter(|(place, _)| !positions.contains(place))
        .flat_map(|(_, element)| element.to_vec())
        .collect();
    *array.data.borrow_mut() = kept;
    Ok(Value::None)
}

fn repeat(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (array, count) = (receiver(vm, args)?, args.get(vm, 1));
    if !matches!(count, Value::Int(_) | Value::Bool(_)) {
        return Err(type_error(format!("can't multiply sequence by non-int of type '{}'", count.type_name())));
    }
    let count = usize::try_from(vm.index(&count)?.max(0)).unwrap_or(usize::MAX);
    vm.reserve(array.data.borrow().len().saturating_mul(count))?;
    let data = array.data.borrow().repeat(count);
    Ok(Array::value(array.code, data))
}

fn compare(vm: &mut Vm, args: Args) -> Fallible<Value> {
    use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let array = receiver(vm, args)?;
    let Some(other) = Typed::<Array>::of(args.peek(vm, 1)) else { return Ok(Value::NotImplemented) };
    let operator = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual][args.row];
    vm.compare(operator, &Value::list(array.items()?), &Value::list(other.items()?))
}
