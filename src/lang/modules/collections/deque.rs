//! `deque`: a list with two ends and, if wanted, a greatest length.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::modules::support::{Typed, attach_iterator, instantiate, thread_class};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::operators::CompareOperator;
use crate::lang::raise::{Fallible, index_error, overflow_error, runtime_error, type_error, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A deque.
#[derive(Debug, Default)]
struct Deque {
    items: RefCell<VecDeque<Value>>,
    max: Cell<Option<usize>>,
    /// Raised by every change of the length, so that iteration notices.
    changes: Cell<u64>,
}

thread_class! {
    /// `collections.deque`
    pub(super) fn deque_class() = {
        let class = define_class("deque", "collections", &builtin_class(Builtin::Object), PayloadKind::Value, METHODS);
        class.set(Name::new("__hash__"), Value::None);
        class
    };
}

impl NativeData for Deque {
    fn class(&self) -> ClassRef {
        deque_class()
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        self.items.borrow().iter().enumerate().for_each(|(index, item)| visit(Edge::Item(index), item));
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.extend(self.items.take());
    }
}

impl Deque {
    /// Adds at an end; what falls off the other end is dropped after the borrow.
    fn push(&self, vm: &mut Vm, item: Value, at_left: bool) -> Fallible<()> {
        self.changes.set(self.changes.get() + 1);
        let len = self.items.borrow().len();
        if len.is_power_of_two() && len >= 1024 {
            vm.reserve(len * size_of::<Value>())?;
        }
        let over = {
            let mut items = self.items.borrow_mut();
            if at_left {
                items.push_front(item)
            } else {
                items.push_back(item)
            }
            match self.max.get() {
                Some(max) if items.len() > max => {
                    if at_left {
                        items.pop_back()
                    } else {
                        items.pop_front()
                    }
                }
                _ => None,
            }
        };
        drop(over);
        Ok(())
    }

    fn extend(&self, vm: &mut Vm, iterable: &Value, at_left: bool) -> Fallible<()> {
        // A deque may be extended by itself.
        let own = Typed::<Self>::of(iterable).is_some_and(|other| std::ptr::eq(&*other, self));
        let iterator = if own { vm.iter(&Value::list(self.snapshot()))? } else { vm.iter(iterable)? };
        while let Some(item) = vm.next(&iterator)? {
            self.push(vm, item, at_left)?;
        }
        Ok(())
    }

    fn snapshot(&self) -> Vec<Value> {
        self.items.borrow().iter().cloned().collect()
    }

    /// The place of an index, which may count from the end.
    fn place(&self, index: i64) -> Option<usize> {
        let len = self.items.borrow().len();
        let place = if index < 0 { index + len as i64 } else { index };
        usize::try_from(place).ok().filter(|place| *place < len)
    }

    fn changed(&self) {
        self.changes.set(self.changes.get() + 1);
    }
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Deque>> {
    Typed::receiver(vm, args, "collections.deque")
}

/// A new deque of the same greatest length.
fn like(deque: &Deque, items: VecDeque<Value>) -> Value {
    let mut items = items;
    if let Some(max) = deque.max.get() {
        let over = items.len().saturating_sub(max);
        items.drain(..over);
    }
    Value::object(Deque { items: RefCell::new(items), max: deque.max.clone(), changes: Cell::new(0) })
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, *args, **kwargs)", "Create an empty deque.", |vm, args| {
        instantiate(&args.get(vm, 0), &deque_class(), Value::object(Deque::default()))
    }),
    method(
        "__init__",
        "(self, iterable=(), maxlen=None)",
        "A list-like sequence optimized for data accesses near its endpoints.",
        init,
    ),
    method("append", "(self, item, /)", "Add an element to the right side of the deque.", |vm, args| {
        push(vm, args, false)
    }),
    method("appendleft", "(self, item, /)", "Add an element to the left side of the deque.", |vm, args| {
        push(vm, args, true)
    }),
    method(
        "extend",
        "(self, iterable, /)",
        "Extend the right side of the deque with elements from the iterable.",
        |vm, args| {
            let iterable = args.get(vm, 1);
            receiver(vm, args)?.extend(vm, &iterable, false)?;
            Ok(Value::None)
        },
    ),
    method(
        "extendleft",
        "(self, iterable, /)",
        "Extend the left side of the deque with elements from the iterable.",
        |vm, args| {
            let iterable = args.get(vm, 1);
            receiver(vm, args)?.extend(vm, &iterable, true)?;
            Ok(Value::None)
        },
    ),
    method("pop", "(self, /)", "Remove and return the rightmost element.", |vm, args| pop(vm, args, false)),
    method("popleft", "(self, /)", "Remove and return the leftmost element.", |vm, args| pop(vm, args, true)),
    method("clear", "(self, /)", "Remove all elements from the deque.", |vm, args| {
        let deque = receiver(vm, args)?;
        deque.changed();
        let old = deque.items.take();
        drop(old);
        Ok(Value::None)
    }),
    method("copy", "(self, /)", "Return a shallow copy of a deque.", copy),
    method("__copy__", "(self, /)", "Return a shallow copy of a deque.", copy),
    method("count", "(self, value, /)", "Return number of occurrences of value.", |vm, args| {
        let (deque, value) = (receiver(vm, args)?, args.get(vm, 1));
        let mut count = 0_usize;
        for item in deque.snapshot() {
            count += usize::from(vm.equals(&item, &value)?);
        }
        Ok(count.into())
    }),
    method("index", "(self, value, start=0, stop=None, /)", "Return first index of value.", index_of),
    method("insert", "(self, index, value, /)", "Insert value before index.", insert),
    method("remove", "(self, value, /)", "Remove first occurrence of value.", remove),
    method("reverse", "(self, /)", "Reverse *IN PLACE*.", |vm, args| {
        receiver(vm, args)?.items.borrow_mut().make_contiguous().reverse();
        Ok(Value::None)
    }),
    method(
        "rotate",
        "(self, n=1, /)",
        "Rotate the deque n steps to the right.  If n is negative, rotates left.",
        |vm, args| {
            let steps = args.index_or(vm, 1, 1)?;
            let deque = receiver(vm, args)?;
            let mut items = deque.items.borrow_mut();
            if !items.is_empty() {
                let len = items.len() as i64;
                items.rotate_right(steps.rem_euclid(len) as usize);
            }
            Ok(Value::None)
        },
    ),
    method("__len__", "(self, /)", "Return len(self).", |vm, args| Ok(receiver(vm, args)?.items.borrow().len().into())),
    method("__bool__", "(self, /)", "Whether there are elements.", |vm, args| {
        Ok((!receiver(vm, args)?.items.borrow().is_empty()).into())
    }),
    method("__getitem__", "(self, index, /)", "Return self[index].", |vm, args| {
        let (deque, index) = (receiver(vm, args)?, item_index(vm, args)?);
        let place = deque.place(index).ok_or_else(|| index_error("deque index out of range"))?;
        let item = deque.items.borrow()[place].clone();
        Ok(item)
    }),
    method("__setitem__", "(self, index, value, /)", "Set self[index] to value.", |vm, args| {
        let (deque, index, value) = (receiver(vm, args)?, item_index(vm, args)?, args.get(vm, 2));
        let place = deque.place(index).ok_or_else(|| index_error("deque index out of range"))?;
        let old = std::mem::replace(&mut deque.items.borrow_mut()[place], value);
        drop(old);
        Ok(Value::None)
    }),
    method("__delitem__", "(self, index, /)", "Delete self[index].", |vm, args| {
        let (deque, index) = (receiver(vm, args)?, item_index(vm, args)?);
        let place = deque.place(index).ok_or_else(|| index_error("deque index out of range"))?;
        deque.changed();
        let old = deque.items.borrow_mut().remove(place);
        drop(old);
        Ok(Value::None)
    }),
    method("__contains__", "(self, value, /)", "Return bool(value in self).", |vm, args| {
        let (deque, value) = (receiver(vm, args)?, args.get(vm, 1));
        let changes = deque.changes.get();
        for item in deque.snapshot() {
            let found = vm.equals(&item, &value)?;
            if deque.changes.get() != changes {
                return Err(runtime_error("deque mutated during iteration"));
            }
            if found {
                return Ok(true.into());
            }
        }
        Ok(false.into())
    }),
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| iterate(vm, args, false)),
    method("__reversed__", "(self, /)", "Return a reverse iterator over the deque.", |vm, args| {
        iterate(vm, args, true)
    }),
    method("__add__", "(self, other, /)", "Return self+value.", |vm, args| {
        let deque = receiver(vm, args)?;
        let Some(other) = Typed::<Deque>::of(args.peek(vm, 1)) else {
            return Err(type_error(format!(
                "can only concatenate deque (not \"{}\") to deque",
                args.peek(vm, 1).type_name()
            )));
        };
        let all: VecDeque<Value> = deque.snapshot().into_iter().chain(other.snapshot()).collect();
        Ok(like(&deque, all))
    }),
    method("__iadd__", "(self, other, /)", "Implement self+=value.", |vm, args| {
        let other = args.get(vm, 1);
        receiver(vm, args)?.extend(vm, &other, false)?;
        Ok(args.get(vm, 0))
    }),
    method("__mul__", "(self, count, /)", "Return self*value.", |vm, args| {
        let deque = receiver(vm, args)?;
        let all = repeated(vm, args, &deque)?;
        Ok(like(&deque, all))
    }),
    method("__rmul__", "(self, count, /)", "Return value*self.", |vm, args| {
        let deque = receiver(vm, args)?;
        let all = repeated(vm, args, &deque)?;
        Ok(like(&deque, all))
    }),
    method("__imul__", "(self, count, /)", "Implement self*=value.", |vm, args| {
        let deque = receiver(vm, args)?;
        let mut all = repeated(vm, args, &deque)?;
        if let Some(max) = deque.max.get() {
            let over = all.len().saturating_sub(max);
            all.drain(..over);
        }
        deque.changed();
        let old = deque.items.replace(all);
        drop(old);
        Ok(args.get(vm, 0))
    }),
    method("__eq__", "(self, other, /)", "Return self==value.", compare).with_row(0),
    method("__ne__", "(self, other, /)", "Return self!=value.", compare).with_row(1),
    method("__lt__", "(self, other, /)", "Return self<value.", compare).with_row(2),
    method("__le__", "(self, other, /)", "Return self<=value.", compare).with_row(3),
    method("__gt__", "(self, other, /)", "Return self>value.", compare).with_row(4),
    method("__ge__", "(self, other, /)", "Return self>=value.", compare).with_row(5),
    method("__repr__", "(self, /)", "Return repr(self).", repr),
    getter("maxlen", "maximum size of a deque or None if unbounded", |vm, args| {
        Ok(receiver(vm, args)?.max.get().map_or(Value::None, Value::from))
    }),
];

fn init(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let deque = receiver(vm, args)?;
    let max = match args.not_none(vm, 2) {
        None => None,
        Some(max) => {
            let Value::Int(number) = max else { return Err(type_error("an integer is required")) };
            Some(usize::try_from(number).map_err(|_| value_error("maxlen must be non-negative"))?)
        }
    };
    let old = deque.items.take();
    drop(old);
    deque.max.set(max);
    if let Some(iterable) = args.optional(vm, 1) {
        deque.extend(vm, &iterable, false)?;
    }
    Ok(Value::None)
}

fn push(vm: &mut Vm, args: Args, at_left: bool) -> Fallible<Value> {
    let item = args.get(vm, 1);
    receiver(vm, args)?.push(vm, item, at_left)?;
    Ok(Value::None)
}

fn pop(vm: &mut Vm, args: Args, at_left: bool) -> Fallible<Value> {
    let deque = receiver(vm, args)?;
    let item = if at_left { deque.items.borrow_mut().pop_front() } else { deque.items.borrow_mut().pop_back() };
    let item = item.ok_or_else(|| index_error("pop from an empty deque"))?;
    deque.changed();
    Ok(item)
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let deque = receiver(vm, args)?;
    if matches!(value, Value::Object(_)) {
        return Ok(like(&deque, deque.items.borrow().clone()));
    }
    let max = deque.max.get().map_or(Value::None, Value::from);
    vm.call(&Value::Class(value.class()), &[Value::list(deque.snapshot()), max])
}

fn item_index(vm: &mut Vm, args: Args) -> Fallible<i64> {
    let index = args.get(vm, 1);
    if let Value::Slice(_) | Value::Str(_) | Value::Float(_) = index {
        return Err(type_error(format!("sequence index must be integer, not '{}'", index.type_name())));
    }
    vm.index(&index)
}

fn index_of(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (deque, value) = (receiver(vm, args)?, args.get(vm, 1));
    let items = deque.snapshot();
    let len = items.len() as i64;
    let bound = |number: i64| if number < 0 { (number + len).max(0) } else { number.min(len) };
    let start = bound(args.index_or(vm, 2, 0)?);
    let stop = bound(args.index_or(vm, 3, len)?);
    let changes = deque.changes.get();
    for place in start..stop {
        if vm.equals(&items[place as usize], &value)? {
            return Ok(Value::Int(place));
        }
        if deque.changes.get() != changes {
            return Err(runtime_error("deque mutated during iteration"));
        }
    }
    Err(value_error(format!("{} is not in deque", vm.repr(&value)?)))
}

fn insert(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let index = item_index(vm, args)?;
    let (deque, value) = (receiver(vm, args)?, args.get(vm, 2));
    let len = deque.items.borrow().len();
    if deque.max.get().is_some_and(|max| len >= max) {
        return Err(index_error("deque already at its maximum size"));
    }
    let place = if index < 0 { (index + len as i64).max(0) as usize } else { (index as usize).min(len) };
    deque.changed();
    deque.items.borrow_mut().insert(place, value);
    Ok(Value::None)
}

fn remove(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (deque, value) = (receiver(vm, args)?, args.get(vm, 1));
    let changes = deque.changes.get();
    for (place, item) in deque.snapshot().into_iter().enumerate() {
        let found = vm.equals(&item, &value)?;
        if deque.changes.get() != changes {
            return Err(index_error("deque mutated during remove()."));
        }
        if found {
            deque.changed();
            let old = deque.items.borrow_mut().remove(place);
            drop(old);
            return Ok(Value::None);
        }
    }
    Err(value_error(format!("{} is not in deque", vm.repr(&value)?)))
}

fn repeated(vm: &mut Vm, args: Args, deque: &Deque) -> Fallible<VecDeque<Value>> {
    let count = args.get(vm, 1);
    if !matches!(count, Value::Int(_) | Value::Bool(_)) {
        return Err(type_error(format!("can't multiply sequence by non-int of type '{}'", count.type_name())));
    }
    let count = usize::try_from(vm.index(&count)?.max(0)).unwrap_or(0);
    let items = deque.snapshot();
    let len = items.len().checked_mul(count).ok_or_else(|| overflow_error("repeated deque is too long"))?;
    vm.reserve(len.saturating_mul(size_of::<Value>()))?;
    Ok(std::iter::repeat_n(items, count).flatten().collect())
}

fn compare(vm: &mut Vm, args: Args) -> Fallible<Value> {
    use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let deque = receiver(vm, args)?;
    let Some(other) = Typed::<Deque>::of(args.peek(vm, 1)) else { return Ok(Value::NotImplemented) };
    let (a, b) = (deque.snapshot(), other.snapshot());
    let operator = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual][args.row];
    if a.len() != b.len() && matches!(operator, Equal | NotEqual) {
        return Ok((operator == NotEqual).into());
    }
    for (x, y) in a.iter().zip(&b) {
        if !vm.equals(x, y)? {
            return match operator {
                Equal => Ok(false.into()),
                NotEqual => Ok(true.into()),
                _ => vm.compare(operator, x, y),
            };
        }
    }
    let (a, b) = (a.len(), b.len());
    Ok(match operator {
        Equal => a == b,
        NotEqual => a != b,
        Less => a < b,
        LessEqual => a <= b,
        Greater => a > b,
        GreaterEqual => a >= b,
    }
    .into())
}

thread_local! {
    /// Deques whose repr is under way, so that one that contains itself ends.
    static WRITING: RefCell<Vec<crate::lang::heap::ObjectId>> = const { RefCell::new(Vec::new()) };
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let deque = receiver(vm, args)?;
    let Some(id) = value.heap_id() else { return Ok("deque([])".into()) };
    if WRITING.with(|writing| writing.borrow().contains(&id)) {
        return Ok("[...]".into());
    }
    WRITING.with(|writing| writing.borrow_mut().push(id));
    let items = vm.repr(&Value::list(deque.snapshot()));
    WRITING.with(|writing| writing.borrow_mut().pop());
    let max = deque.max.get().map(|max| format!(", maxlen={max}")).unwrap_or_default();
    Ok(format!("{}({}{max})", value.class().name.get(), items?).into())
}

/// An iterator over a deque.
#[derive(Debug)]
struct DequeIterator {
    deque: RefCell<Value>,
    at: Cell<usize>,
    changes: u64,
    is_reversed: bool,
}

thread_class! {
    fn iterator_class() = iterator("_deque_iterator");
}
thread_class! {
    fn reverse_iterator_class() = iterator("_deque_reverse_iterator");
}

fn iterator(name: &str) -> ClassRef {
    let class =
        define_class(name, "_collections", &builtin_class(Builtin::Object), PayloadKind::Sealed, &[LENGTH_HINT]);
    attach_iterator(&class);
    class
}

const LENGTH_HINT: Method =
    method("__length_hint__", "(self, /)", "Private method returning an estimate of len(list(it)).", |vm, args| {
        let iterator = Typed::<DequeIterator>::receiver(vm, args, "_collections._deque_iterator")?;
        let deque = iterator.deque.borrow().clone();
        let len = Typed::<Deque>::of(&deque).map_or(0, |deque| deque.items.borrow().len());
        Ok(len.saturating_sub(iterator.at.get()).into())
    });

fn iterate(vm: &mut Vm, args: Args, is_reversed: bool) -> Fallible<Value> {
    let changes = receiver(vm, args)?.changes.get();
    let deque = RefCell::new(args.get(vm, 0));
    Ok(Value::object(DequeIterator { deque, at: Cell::new(0), changes, is_reversed }))
}

impl NativeData for DequeIterator {
    fn class(&self) -> ClassRef {
        if self.is_reversed { reverse_iterator_class() } else { iterator_class() }
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let deque = self.deque.borrow();
        if !deque.is_unset() {
            visit(Edge::Iterated, &deque);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.deque.take());
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, _vm: &mut Vm) -> Fallible<Option<Value>> {
        let value = self.deque.borrow().clone();
        let Some(deque) = Typed::<Deque>::of(&value) else { return Ok(None) };
        if deque.changes.get() != self.changes {
            self.at.set(usize::MAX);
            return Err(runtime_error("deque mutated during iteration"));
        }
        let (at, len) = (self.at.get(), deque.items.borrow().len());
        if at >= len {
            let old = self.deque.take();
            drop(old);
            return Ok(None);
        }
        self.at.set(at + 1);
        let item = deque.items.borrow()[if self.is_reversed { len - 1 - at } else { at }].clone();
        Ok(Some(item))
    }
}
