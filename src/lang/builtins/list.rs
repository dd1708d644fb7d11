//! `list`: its methods. Sorting and slice assignment keep the list consistent whatever user code does meanwhile.

use super::classes::{Builtin, attach, builtin_class};
use super::slice::{self, Selection};
use super::{dunders, equality, item, receiver};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{IteratorState, ListObject, SliceObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, *args, **kwargs)", "Create an empty list.", new),
    method("__init__", "(self, iterable=(), /)", "Initialize self from the items of iterable.", init),
    method("append", "(self, object, /)", "Append object to the end of the list.", append).apart_from_arrays(),
    method("extend", "(self, iterable, /)", "Extend list by appending elements from the iterable.", extend),
    method("insert", "(self, index, object, /)", "Insert object before index.", insert).apart_from_arrays(),
    method("pop", "(self, index=-1, /)", "Remove and return item at index (default last).", pop),
    method("remove", "(self, value, /)", "Remove first occurrence of value.", remove),
    method("clear", "(self, /)", "Remove all items from list.", clear),
    method("copy", "(self, /)", "Return a shallow copy of the list.", copy),
    method("index", "(self, value, start=0, stop=9223372036854775807, /)", "Return first index of value.", index),
    method("count", "(self, value, /)", "Return number of occurrences of value.", count),
    method("reverse", "(self, /)", "Reverse *IN PLACE*.", reverse),
    method("sort", "(self, *, key=None, reverse=False)", "Sort the list in ascending order and return None.", sort),
    method("__reversed__", "(self, /)", "Return a reverse iterator over the list.", reversed),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::List);
    attach(&class, METHODS);
    dunders::attach_sequence(&class);
    dunders::attach_mutable(&class);
    super::generic_alias::attach_to(&class);
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver::derive(vm, args, Builtin::List, Value::list(vec![]))
}

fn init(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let items = match args.optional(vm, 1) {
        Some(iterable) => vm.collect(&iterable)?,
        None => vec![],
    };
    let old = list.items.replace(items);
    drop(old);
    Ok(Value::None)
}

fn append(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.take(vm, 1);
    let list = receiver::list(vm, args)?;
    super::iterators::reserve_growth(vm, &list.items.borrow())?;
    list.items.borrow_mut().push(value);
    Ok(Value::None)
}

fn extend(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let iterable = args.get(vm, 1);
    extend_with(vm, &list, &iterable)?;
    Ok(Value::None)
}

/// `list += iterable`: items appear as they are produced, as in CPython.
pub fn extend_with(vm: &mut Vm, list: &Ref<ListObject>, iterable: &Value) -> Fallible<()> {
    match iterable {
        Value::List(other) => {
            let copied = other.items.borrow().clone();
            list.items.borrow_mut().extend(copied);
            return Ok(());
        }
        Value::Tuple(other) => {
            list.items.borrow_mut().extend_from_slice(other.items());
            return Ok(());
        }
        Value::Range(_) | Value::Str(_) | Value::Dict(_) | Value::Set(_) => {
            let items = vm.collect(iterable)?;
            list.items.borrow_mut().extend(items);
            return Ok(());
        }
        _ => {}
    }
    let iterator = vm.iter(iterable)?;
    vm.protect(iterator.clone());
    let mut steps = 0usize;
    while let Some(value) = super::iterators::next_of(vm, &iterator)? {
        super::iterators::reserve_growth(vm, &list.items.borrow())?;
        list.items.borrow_mut().push(value);
        steps += 1;
        if steps.is_multiple_of(4096) {
            vm.poll()?;
        }
    }
    Ok(())
}

fn insert(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let at = args.get(vm, 1);
    let at = super::convert::index_size(vm, &at)?;
    let value = args.take(vm, 2);
    let mut items = list.items.borrow_mut();
    let len = items.len() as i64;
    let at = if at < 0 { at.saturating_add(len).max(0) } else { at.min(len) };
    items.insert(at as usize, value);
    Ok(Value::None)
}

fn pop(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let at = match args.optional(vm, 1) {
        Some(Value::Int(at)) => at,
        Some(value) => super::convert::index_size(vm, &value)?,
        None => -1,
    };
    let mut items = list.items.borrow_mut();
    if items.is_empty() {
        return Err(raise::index_error("pop from empty list"));
    }
    match item::position(at, items.len()) {
        Some(at) if at + 1 == items.len() => Ok(items.pop().unwrap_or_default()),
        Some(at) => Ok(items.remove(at)),
        None => Err(raise::index_error("pop index out of range")),
    }
}

/// The position of the first item equal to `value` in `[start, stop)`.
pub fn find(vm: &mut Vm, list: &Ref<ListObject>, value: &Value, start: usize, stop: usize) -> Fallible<Option<usize>> {
    let mut index = start;
    loop {
        let unsure = {
            let items = list.items.borrow();
            let mut unsure = None;
            while index < items.len().min(stop) {
                match equality::quick(&items[index], value) {
                    Some(true) => return Ok(Some(index)),
                    Some(false) => index += 1,
                    None => {
                        unsure = Some(items[index].clone());
                        break;
                    }
                }
            }
            unsure
        };
        let Some(unsure) = unsure else { return Ok(None) };
        if vm.equals(&unsure, value)? {
            return Ok(Some(index));
        }
        index += 1;
    }
}

fn remove(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let value = args.get(vm, 1);
    let Some(at) = find(vm, &list, &value, 0, usize::MAX)? else {
        return Err(raise::value_error("list.remove(x): x not in list"));
    };
    let old = {
        let mut items = list.items.borrow_mut();
        if at < items.len() { Some(items.remove(at)) } else { None }
    };
    drop(old);
    Ok(Value::None)
}

fn clear(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let mut old = list.items.take();
    // The last item goes first, as in CPython.
    while let Some(item) = old.pop() {
        item.discard();
    }
    Ok(Value::None)
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let items = list.items.borrow().clone();
    Ok(Value::list(items))
}

/// Start and stop of `index` and its like: negative ones count from the end.
pub fn search_bounds(vm: &mut Vm, args: Args, first: usize, len: usize) -> Fallible<(usize, usize)> {
    let mut bound = |slot: usize, default: i64| -> Fallible<usize> {
        let at = match args.optional(vm, slot) {
            Some(value) => {
                let index = super::convert::index_value(vm, &value)?;
                crate::lang::operators::number::saturated(&index).unwrap_or(default)
            }
            None => default,
        };
        Ok(if at < 0 { at.saturating_add(len as i64).max(0) as usize } else { at as usize })
    };
    Ok((bound(first, 0)?, bound(first + 1, i64::MAX)?))
}

fn index(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let value = args.get(vm, 1);
    let len = list.items.borrow().len();
    let (start, stop) = search_bounds(vm, args, 2, len)?;
    match find(vm, &list, &value, start, stop)? {
        Some(at) => Ok(Value::from(at)),
        None => {
            let shown = vm.repr(&value)?;
            Err(raise::value_error(format!("{shown} is not in list")))
        }
    }
}

fn count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let value = args.get(vm, 1);
    let (mut found, mut start) = (0, 0);
    while let Some(at) = find(vm, &list, &value, start, usize::MAX)? {
        found += 1;
        start = at + 1;
    }
    Ok(Value::Int(found))
}

fn reverse(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver::list(vm, args)?.items.borrow_mut().reverse();
    Ok(Value::None)
}

fn reversed(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let len = list.items.borrow().len();
    Ok(super::iterators::make(IteratorState::ListReversed(list, len)))
}

fn sort(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let list = receiver::list(vm, args)?;
    let key = args.not_none(vm, 1);
    let reverse = match args.optional(vm, 2) {
        Some(value) => super::convert::index_c_int(vm, &value)? != 0,
        None => false,
    };
    // The list is empty while it is sorted, so that user code cannot see it half done; what it puts there is an error.
    let mut items = list.items.take();
    let result = super::sort::sort(vm, &mut items, key.as_ref(), reverse);
    let intruders = list.items.replace(items);
    let was_modified = !intruders.is_empty() || intruders.capacity() > 0;
    drop(intruders);
    result?;
    if was_modified {
        return Err(raise::value_error("list modified during sort"));
    }
    Ok(Value::None)
}

/// `list[slice] = iterable`
pub fn assign_slice(vm: &mut Vm, list: &Ref<ListObject>, bounds: &SliceObject, value: &Value) -> Fallible<()> {
    let bounds = slice::bounds(vm, bounds)?;
    let new = match value {
        Value::List(other) => other.items.borrow().clone(),
        Value::Tuple(other) => other.items().to_vec(),
        other => {
            if bounds.step == 1 && !is_iterable(vm, other) {
                return Err(raise::type_error("can only assign an iterable"));
            }
            if bounds.step != 1 && !is_iterable(vm, other) {
                return Err(raise::type_error("must assign iterable to extended slice"));
            }
            vm.collect(other)?
        }
    };
    let len = list.items.borrow().len();
    let selection = bounds.select(len);
    let old: Vec<Value> = if selection.step == 1 {
        let start = selection.start as usize;
        let end = start.max(selection.stop.max(0) as usize);
        let mut items = list.items.borrow_mut();
        let end = end.min(items.len());
        let start = start.min(end);
        items.splice(start..end, new).collect()
    } else {
        if new.len() != selection.count {
            return Err(raise::value_error(format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                new.len(),
                selection.count
            )));
        }
        let mut items = list.items.borrow_mut();
        selection.positions().zip(new).map(|(at, value)| std::mem::replace(&mut items[at], value)).collect()
    };
    drop(old);
    Ok(())
}

fn is_iterable(vm: &mut Vm, value: &Value) -> bool {
    super::iterators::iter(value).is_some()
        || vm.find_special(value, crate::lang::name::names::ITER).is_some()
        || vm.find_special(value, crate::lang::name::names::GETITEM).is_some()
        || matches!(value, Value::Array(_))
}

/// `del list[slice]`
pub fn delete_slice(vm: &mut Vm, list: &Ref<ListObject>, bounds: &SliceObject) -> Fallible<()> {
    let bounds = slice::bounds(vm, bounds)?;
    let len = list.items.borrow().len();
    let selection = bounds.select(len);
    let old = remove_selected(&mut list.items.borrow_mut(), selection);
    drop(old);
    Ok(())
}

/// Removes the selected items and returns them.
pub fn remove_selected<T: Clone>(items: &mut Vec<T>, selection: Selection) -> Vec<T> {
    if selection.count == 0 {
        return vec![];
    }
    if selection.step == 1 {
        let start = selection.start as usize;
        return items.drain(start..start + selection.count).collect();
    }
    let mut gone: Vec<usize> = selection.positions().collect();
    gone.sort_unstable();
    let mut removed = Vec::with_capacity(gone.len());
    let mut next = gone.iter().peekable();
    let mut index = 0;
    items.retain(|item| {
        let goes = next.next_if(|at| **at == index).is_some();
        if goes {
            removed.push(item.clone());
        }
        index += 1;
        !goes
    });
    removed
}
