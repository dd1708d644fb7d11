//! Iteration over built-in values: `iter`, `next`, and the methods of the iterator classes.

use num_traits::Zero;

use super::classes::{Builtin, attach, builtin_class};
use super::{depth, dict, memoryview, range, set, text};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{DictPart, Entry, IteratorObject, IteratorState};
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// An iterator value in a state.
#[inline]
pub fn make(state: IteratorState) -> Value {
    Value::Iterator(Ref::new(IteratorObject::new(state)))
}

/// `iter(value)` of a built-in value; nothing when it is not iterable or its class decides.
#[inline]
pub fn iter(value: &Value) -> Option<Value> {
    Some(make(match value {
        Value::List(list) => IteratorState::List(list.clone(), 0),
        Value::Range(range) => range::iterator(range),
        Value::Tuple(tuple) => IteratorState::Tuple(tuple.clone(), 0),
        Value::Str(text) => IteratorState::Str(text.clone(), 0),
        Value::Dict(dict) => IteratorState::Dict(dict.clone(), 0, dict.changes.get(), DictPart::Keys, false),
        Value::Set(found) => {
            set::arrange(found);
            IteratorState::Set(found.clone(), 0, found.changes.get())
        }
        Value::Bytes(bytes) => IteratorState::Bytes(bytes.clone(), 0),
        Value::ByteArray(bytes) => IteratorState::ByteArray(bytes.clone(), 0),
        Value::Iterator(_) | Value::Generator(_) => return Some(value.clone()),
        Value::Object(object) => return dict::view_iter(object, false).or_else(|| memoryview::iter(value, object)),
        _ => return None,
    }))
}

/// The next item of a built-in iterator.
#[inline]
pub fn next(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Option<Value>> {
    let mut state = iterator.state.borrow_mut();
    let item = match &mut *state {
        IteratorState::List(list, index) => {
            let item = list.items.borrow().get(*index).cloned();
            *index += usize::from(item.is_some());
            item
        }
        IteratorState::Range(value, step, left) => {
            if *left == 0 {
                None
            } else {
                let item = *value;
                *left -= 1;
                *value = value.wrapping_add(*step);
                return Ok(Some(Value::Int(item)));
            }
        }
        IteratorState::Tuple(tuple, index) => {
            let item = tuple.items().get(*index).cloned();
            *index += usize::from(item.is_some());
            item
        }
        IteratorState::Str(string, at) => match string.as_str().as_bytes().get(*at) {
            Some(byte) if byte.is_ascii() => {
                let item = text::ascii_char(*byte);
                *at += 1;
                Some(item)
            }
            Some(_) => string.as_str()[*at..].chars().next().map(|c| {
                *at += c.len_utf8();
                text::char_value(c)
            }),
            None => None,
        },
        IteratorState::Dict(..) | IteratorState::Set(..) => next_entry(&mut state)?,
        IteratorState::Enumerate(..) => {
            drop(state);
            let _level = deeper()?;
            return next_enumerated(vm, iterator);
        }
        IteratorState::Zip(..) => {
            drop(state);
            let _level = deeper()?;
            return next_zipped(vm, iterator);
        }
        IteratorState::Map(..) => {
            drop(state);
            let _level = deeper()?;
            return next_mapped(vm, iterator);
        }
        IteratorState::Filter(..) => {
            drop(state);
            let _level = deeper()?;
            return next_filtered(vm, iterator);
        }
        IteratorState::Sequence(..) | IteratorState::SequenceReversed(..) | IteratorState::Sentinel(..) => {
            drop(state);
            return next_through_class(vm, iterator);
        }
        other => next_plain(other),
    };
    if item.is_none() {
        let finished = std::mem::replace(&mut *state, IteratorState::Exhausted);
        drop(state);
        drop(finished);
    }
    Ok(item)
}

/// One level of an iterator that asks another one.
pub fn deeper() -> Fallible<depth::Level> {
    depth::Level::enter(depth::ITERATORS_MAX, "in iterators over iterators")
}

fn next_plain(state: &mut IteratorState) -> Option<Value> {
    match state {
        IteratorState::ListReversed(list, left) => {
            let at = left.checked_sub(1)?;
            let item = list.items.borrow().get(at).cloned()?;
            *left = at;
            Some(item)
        }
        IteratorState::Bytes(bytes, at) => {
            let item = *bytes.as_bytes().get(*at)?;
            *at += 1;
            Some(Value::Int(item.into()))
        }
        IteratorState::ByteArray(bytes, at) => {
            let item = *bytes.data.borrow().get(*at)?;
            *at += 1;
            Some(Value::Int(item.into()))
        }
        IteratorState::BigRange(parts) => {
            let (value, step, left) = &mut **parts;
            if left.is_zero() {
                return None;
            }
            let item = value.clone();
            *value += &*step;
            *left -= 1u32;
            Some(Value::int(item))
        }
        _ => None,
    }
}

fn part_of(entry: &Entry, part: DictPart) -> Value {
    match part {
        DictPart::Keys => entry.key.clone(),
        DictPart::Values => entry.value.clone(),
        DictPart::Items => Value::pair(entry.key.clone(), entry.value.clone()),
    }
}

/// The next entry of a dict or set. Reversed dict iterators keep their position as the distance walked from the end.
fn next_entry(state: &mut IteratorState) -> Fallible<Option<Value>> {
    match state {
        IteratorState::Dict(dict, position, changes, part, is_reversed) => {
            let (table, part) = (dict.table.borrow(), *part);
            if dict.changes.get() != *changes {
                return Err(raise::runtime_error("dictionary changed size during iteration"));
            }
            let end = table.end();
            while *position < end {
                let at = if *is_reversed { end - 1 - *position } else { *position };
                *position += 1;
                if let Some(entry) = table.at(at) {
                    return Ok(Some(part_of(entry, part)));
                }
            }
            Ok(None)
        }
        IteratorState::Set(set, position, changes) => {
            let table = set.table.borrow();
            if set.changes.get() != *changes {
                return Err(raise::runtime_error("Set changed size during iteration"));
            }
            while *position < table.end() {
                *position += 1;
                if let Some(entry) = table.at(*position - 1) {
                    return Ok(Some(entry.key.clone()));
                }
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Asks an iterator held by a lazy one, without the machine where it is built in.
#[inline]
pub fn next_of(vm: &mut Vm, iterator: &Value) -> Fallible<Option<Value>> {
    vm.next(iterator)
}

fn next_enumerated(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Option<Value>> {
    let source = match &*iterator.state.borrow() {
        IteratorState::Enumerate(source, _) => source.clone(),
        _ => return Ok(None),
    };
    let Some(item) = next_of(vm, &source)? else { return Ok(None) };
    let index = match &mut *iterator.state.borrow_mut() {
        IteratorState::Enumerate(_, index) => {
            let following = match &*index {
                Value::Int(i) if *i < i64::MAX => Value::Int(i + 1),
                other => {
                    let one = Value::Int(1);
                    let sum = crate::lang::operators::number::binary(vm, BinaryOperator::Add, other, &one)?;
                    sum.unwrap_or(Value::None)
                }
            };
            std::mem::replace(index, following)
        }
        _ => return Ok(None),
    };
    Ok(Some(Value::pair(index, item)))
}

fn zip_source(iterator: &IteratorObject, index: usize) -> Option<Value> {
    match &*iterator.state.borrow() {
        IteratorState::Zip(iterators, _) | IteratorState::Map(_, iterators) => iterators.get(index).cloned(),
        _ => None,
    }
}

/// One item from each source; the index of the source that ended instead, where one did.
fn next_of_each(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Result<Vec<Value>, usize>> {
    let count = match &*iterator.state.borrow() {
        IteratorState::Zip(sources, _) | IteratorState::Map(_, sources) => sources.len(),
        _ => 0,
    };
    let mut items = Vec::with_capacity(count);
    // How many of them a holder walk sees: needed only while a source runs code of the program.
    let mut seen = 0;
    let mut outcome = Ok(None);
    while let Some(source) = zip_source(iterator, items.len()) {
        if may_run_code(&source) {
            while seen < items.len() {
                vm.protect(Value::clone(&items[seen]));
                seen += 1;
            }
        }
        match next_of(vm, &source) {
            Ok(Some(item)) => items.push(item),
            Ok(None) => {
                outcome = Ok(Some(items.len()));
                break;
            }
            Err(error) => {
                outcome = Err(error);
                break;
            }
        }
    }
    vm.unprotect(seen);
    Ok(match outcome? {
        Some(ended) => Err(ended),
        None => Ok(items),
    })
}

/// Whether asking an iterator for an item can run code of the program, which may look at memory.
fn may_run_code(iterator: &Value) -> bool {
    match iterator {
        Value::Iterator(inner) => matches!(
            &*inner.state.borrow(),
            IteratorState::Enumerate(..)
                | IteratorState::Zip(..)
                | IteratorState::Map(..)
                | IteratorState::Filter(..)
                | IteratorState::Sequence(..)
                | IteratorState::SequenceReversed(..)
                | IteratorState::Sentinel(..)
        ),
        _ => true,
    }
}

/// One item from each of two sources; the index of the source that ended instead, where one did.
fn next_pair(vm: &mut Vm, first: &Value, second: &Value) -> Fallible<Result<Value, usize>> {
    let Some(left) = next_of(vm, first)? else { return Ok(Err(0)) };
    // A holder walk sees the first item while the second source runs code of the program.
    let is_shown = may_run_code(second);
    if is_shown {
        vm.protect(left.clone());
    }
    let right = next_of(vm, second);
    if is_shown {
        vm.unprotect(1);
    }
    Ok(match right? {
        Some(right) => Ok(Value::pair(left, right)),
        None => Err(1),
    })
}

fn next_zipped(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Option<Value>> {
    let pair = match &*iterator.state.borrow() {
        IteratorState::Zip(sources, _) => match &sources[..] {
            [] => return Ok(None),
            [first, second] => Some((first.clone(), second.clone())),
            _ => None,
        },
        _ => return Ok(None),
    };
    let outcome = match pair {
        Some((first, second)) => next_pair(vm, &first, &second)?,
        None => next_of_each(vm, iterator)?.map(Value::tuple),
    };
    match outcome {
        Ok(items) => Ok(Some(items)),
        Err(ended) => {
            let strict = matches!(&*iterator.state.borrow(), IteratorState::Zip(_, true));
            if strict { check_strict(vm, iterator, ended) } else { Ok(None) }
        }
    }
}

/// `zip(..., strict=True)`: the source that ended must be the first, and then all must end.
fn check_strict(vm: &mut Vm, iterator: &Ref<IteratorObject>, ended: usize) -> Fallible<Option<Value>> {
    let others = |index: usize| if index == 1 { " 1".to_owned() } else { format!("s 1-{index}") };
    if ended > 0 {
        let message = format!("zip() argument {} is shorter than argument{}", ended + 1, others(ended));
        return Err(raise::value_error(message));
    }
    let mut index = 1;
    while let Some(source) = zip_source(iterator, index) {
        if next_of(vm, &source)?.is_some() {
            let message = format!("zip() argument {} is longer than argument{}", index + 1, others(index));
            return Err(raise::value_error(message));
        }
        index += 1;
    }
    Ok(None)
}

fn next_mapped(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Option<Value>> {
    let function = match &*iterator.state.borrow() {
        IteratorState::Map(function, _) => function.clone(),
        _ => return Ok(None),
    };
    match next_of_each(vm, iterator)? {
        Ok(items) => vm.call_apart(&function, items, &[]).map(Some),
        Err(_) => Ok(None),
    }
}

fn next_filtered(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Option<Value>> {
    let (function, source) = match &*iterator.state.borrow() {
        IteratorState::Filter(function, source) => (function.clone(), source.clone()),
        _ => return Ok(None),
    };
    let mut steps = 0u32;
    while let Some(item) = next_of(vm, &source)? {
        let keep = if function.is_none() {
            vm.truth(&item)?
        } else {
            let result = vm.call(&function, std::slice::from_ref(&item))?;
            if let Value::Bool(keep) = result {
                keep
            } else {
                vm.protect(item.clone());
                let keep = vm.truth(&result);
                vm.unprotect(1);
                keep?
            }
        };
        if keep {
            return Ok(Some(item));
        }
        steps += 1;
        if steps.is_multiple_of(4096) {
            vm.poll()?;
        }
    }
    Ok(None)
}

/// Iterators that ask a class: `__getitem__` with rising or falling index, and a callable with a sentinel.
fn next_through_class(vm: &mut Vm, iterator: &Ref<IteratorObject>) -> Fallible<Option<Value>> {
    enum Step {
        Item(Value, i64),
        Call(Value, Value),
    }
    let step = match &*iterator.state.borrow() {
        IteratorState::Sequence(value, index) | IteratorState::SequenceReversed(value, index) => {
            Step::Item(value.clone(), *index)
        }
        IteratorState::Sentinel(function, sentinel) => Step::Call(function.clone(), sentinel.clone()),
        _ => return Ok(None),
    };
    let item = match step {
        Step::Item(_, index) if index < 0 => None,
        Step::Item(value, index) => match vm.get_item(&value, &Value::Int(index)) {
            Ok(item) => {
                match &mut *iterator.state.borrow_mut() {
                    IteratorState::Sequence(_, at) => *at = index + 1,
                    IteratorState::SequenceReversed(_, at) => *at = index - 1,
                    _ => {}
                }
                Some(item)
            }
            Err(error) if error.is(Builtin::IndexError) || error.is(Builtin::StopIteration) => None,
            Err(error) => return Err(error),
        },
        Step::Call(function, sentinel) => {
            let item = match vm.call(&function, &[]) {
                Ok(item) => Some(item),
                Err(error) if error.is(Builtin::StopIteration) => None,
                Err(error) => return Err(error),
            };
            match item {
                Some(item) if vm.equals(&item, &sentinel)? => None,
                other => other,
            }
        }
    };
    if item.is_none() {
        let finished = iterator.state.replace(IteratorState::Exhausted);
        drop(finished);
    }
    Ok(item)
}

/// How many items are left, where that is known without running code.
pub fn length_hint(iterator: &IteratorObject) -> Option<usize> {
    Some(match &*iterator.state.borrow() {
        IteratorState::Exhausted => 0,
        IteratorState::List(list, at) => list.items.borrow().len().saturating_sub(*at),
        IteratorState::ListReversed(_, left) => *left,
        IteratorState::Tuple(tuple, at) => tuple.items().len().saturating_sub(*at),
        IteratorState::Str(text, at) => text.as_str()[*at..].chars().count(),
        IteratorState::Bytes(bytes, at) => bytes.as_bytes().len().saturating_sub(*at),
        IteratorState::ByteArray(bytes, at) => bytes.data.borrow().len().saturating_sub(*at),
        IteratorState::Range(_, _, left) => usize::try_from(*left).ok()?,
        IteratorState::BigRange(parts) => usize::try_from(&parts.2).ok()?,
        IteratorState::Dict(dict, at, ..) => dict.table.borrow().len().saturating_sub(*at),
        IteratorState::Set(set, at, _) => set.table.borrow().len().saturating_sub(*at),
        _ => return None,
    })
}

/// Every item of a built-in container whose iteration runs no user code; nothing for other values. Sizes that the program chose
/// are asked of the budget before anything grows.
pub fn collect_quickly(vm: &mut Vm, value: &Value) -> Fallible<Option<Vec<Value>>> {
    Ok(Some(match value {
        Value::List(list) => list.items.borrow().clone(),
        Value::Tuple(tuple) => tuple.items().to_vec(),
        Value::Range(range) => {
            let len = range::len_big(range);
            let bytes = usize::try_from(&len).unwrap_or(usize::MAX).saturating_mul(size_of::<Value>());
            if bytes > isize::MAX as usize {
                return Err(raise::memory_error("a list of that many items has more bytes than can be addressed"));
            }
            vm.reserve(bytes)?;
            let Some((start, _, step)) = range.small else { return Ok(None) };
            let len = bytes / size_of::<Value>();
            let mut items = Vec::with_capacity(len);
            let mut value = start;
            while items.len() < len {
                let end = len.min(items.len() + (1 << 16));
                while items.len() < end {
                    items.push(Value::Int(value));
                    value = value.wrapping_add(step);
                }
                vm.poll()?;
            }
            items
        }
        Value::Str(string) => string.as_str().chars().map(text::char_value).collect(),
        Value::Bytes(bytes) => bytes.as_bytes().iter().map(|&byte| Value::Int(byte.into())).collect(),
        Value::Dict(dict) => dict.table.borrow().iter().map(|(_, entry)| entry.key.clone()).collect(),
        Value::Set(found) => {
            set::arrange(found);
            found.table.borrow().iter().map(|(_, entry)| entry.key.clone()).collect()
        }
        _ => return Ok(None),
    }))
}

/// Asks the budget before a vector of values doubles; free until it is large.
#[inline]
pub fn reserve_growth(vm: &mut Vm, items: &Vec<Value>) -> Fallible<()> {
    if is_large_and_full(items) {
        return vm.reserve(items.len().saturating_mul(2 * size_of::<Value>()));
    }
    Ok(())
}

/// Whether one more value would make a large vector double.
#[inline]
pub fn is_large_and_full(items: &Vec<Value>) -> bool {
    const LARGE: usize = 1 << 15;
    items.len() >= LARGE && items.len() == items.capacity()
}

const METHODS: &[Method] = &[
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| Ok(args.get(vm, 0))),
    method("__next__", "(self, /)", "Implement next(self).", next_method),
];

const HINTED: &[Method] =
    &[method("__length_hint__", "(self, /)", "Return an estimate of how many items are left.", hint)];

/// Attaches the methods to every iterator class.
pub fn install() {
    use Builtin as B;
    let plain = [B::CallableIterator, B::Reversed, B::Enumerate, B::Zip, B::Map, B::Filter];
    let hinted = [
        B::SequenceIterator,
        B::ListIterator,
        B::ListReverseIterator,
        B::TupleIterator,
        B::StrIterator,
        B::StrAsciiIterator,
        B::BytesIterator,
        B::ByteArrayIterator,
        B::RangeIterator,
        B::LongRangeIterator,
        B::DictKeyIterator,
        B::DictValueIterator,
        B::DictItemIterator,
        B::DictReverseKeyIterator,
        B::SetIterator,
    ];
    for class in plain {
        attach(&builtin_class(class), METHODS);
    }
    for class in hinted {
        attach(&builtin_class(class), METHODS);
        attach(&builtin_class(class), HINTED);
    }
}

fn next_method(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = args.get(vm, 0);
    match next_of(vm, &iterator)? {
        Some(item) => Ok(item),
        None => Err(raise::stop_iteration(Value::None)),
    }
}

fn hint(vm: &mut Vm, args: Args) -> Fallible<Value> {
    match args.peek(vm, 0) {
        Value::Iterator(iterator) => Ok(length_hint(iterator).map_or(Value::NotImplemented, Value::from)),
        other => Err(super::receiver::wrong(args, other, "iterator")),
    }
}
