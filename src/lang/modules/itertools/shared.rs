//! Iterators that share one source: the groups of `groupby`, the copies of `tee`.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::{Kind, class_of};
use crate::lang::modules::support::{Typed, instantiate};
use crate::lang::native::Args;
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{Fallible, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// `groupby`: the source, and the item that was read ahead.
#[derive(Debug)]
struct GroupBy {
    held: RefCell<GroupByHeld>,
    /// Raised by every group given out: an older group yields nothing more.
    group: Cell<u64>,
}

#[derive(Debug, Default)]
struct GroupByHeld {
    iterator: Value,
    function: Value,
    item: Value,
    key: Value,
    target: Value,
}

impl GroupBy {
    /// Reads one item ahead and its key; false at the end.
    fn advance(&self, vm: &mut Vm) -> Fallible<bool> {
        let (iterator, function) = {
            let held = self.held.borrow();
            (held.iterator.clone(), held.function.clone())
        };
        if iterator.is_unset() {
            return Ok(false);
        }
        let Some(item) = vm.next(&iterator)? else { return Ok(false) };
        let key = if function.is_unset() { item.clone() } else { vm.call(&function, std::slice::from_ref(&item))? };
        let old = {
            let mut held = self.held.borrow_mut();
            (std::mem::replace(&mut held.item, item), std::mem::replace(&mut held.key, key))
        };
        drop(old);
        Ok(true)
    }
}

impl NativeData for GroupBy {
    fn class(&self) -> ClassRef {
        class_of(Kind::GroupBy)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let held = self.held.borrow();
        let parts = [
            (Edge::Iterated, &held.iterator),
            (Edge::Callable, &held.function),
            (Edge::Other("item"), &held.item),
            (Edge::Other("key"), &held.key),
            (Edge::Other("key"), &held.target),
        ];
        for (edge, value) in parts {
            if !value.is_unset() {
                visit(edge, value);
            }
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        let held = self.held.take();
        into.extend([held.iterator, held.function, held.item, held.key, held.target]);
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        self.group.set(self.group.get() + 1);
        // Skips what is left of the group before.
        loop {
            let (key, target) = {
                let held = self.held.borrow();
                (held.key.clone(), held.target.clone())
            };
            if !key.is_unset() && (target.is_unset() || !vm.equals(&target, &key)?) {
                break;
            }
            if !self.advance(vm)? {
                return Ok(None);
            }
        }
        let key = self.held.borrow().key.clone();
        let old = std::mem::replace(&mut self.held.borrow_mut().target, key.clone());
        drop(old);
        Ok(Some(key))
    }
}

/// The object a program sees as `groupby`: it adds the group iterator to each key.
#[derive(Debug)]
struct GroupByObject {
    source: RefCell<Value>,
}

impl NativeData for GroupByObject {
    fn class(&self) -> ClassRef {
        class_of(Kind::GroupBy)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let source = self.source.borrow();
        if !source.is_unset() {
            visit(Edge::Iterated, &source);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.source.take());
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let source = self.source.borrow().clone();
        let Some(groups) = Typed::<GroupBy>::of(&source) else { return Ok(None) };
        let Some(key) = groups.next(vm)? else { return Ok(None) };
        let group = Value::object(Grouper {
            source: RefCell::new(source),
            group: groups.group.get(),
            key: RefCell::new(key.clone()),
        });
        Ok(Some(Value::tuple([key, group])))
    }
}

/// One group.
#[derive(Debug)]
struct Grouper {
    source: RefCell<Value>,
    group: u64,
    key: RefCell<Value>,
}

impl NativeData for Grouper {
    fn class(&self) -> ClassRef {
        class_of(Kind::Grouper)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (edge, value) in [(Edge::Iterated, &self.source), (Edge::Other("key"), &self.key)] {
            let value = value.borrow();
            if !value.is_unset() {
                visit(edge, &value);
            }
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.extend([self.source.take(), self.key.take()]);
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let (source, own) = (self.source.borrow().clone(), self.key.borrow().clone());
        let Some(groups) = Typed::<GroupBy>::of(&source) else { return Ok(None) };
        if groups.group.get() != self.group {
            return Ok(None);
        }
        if groups.held.borrow().item.is_unset() && !groups.advance(vm)? {
            return Ok(None);
        }
        let key = groups.held.borrow().key.clone();
        if !vm.equals(&own, &key)? {
            return Ok(None);
        }
        let item = std::mem::take(&mut groups.held.borrow_mut().item);
        Ok(item.given())
    }
}

pub(super) fn group_by(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 1))?;
    let function = args.not_none(vm, 2).unwrap_or_default();
    let held = GroupByHeld { iterator, function, ..GroupByHeld::default() };
    let source = Value::object(GroupBy { held: RefCell::new(held), group: Cell::new(0) });
    let object = Value::object(GroupByObject { source: RefCell::new(source) });
    instantiate(&args.get(vm, 0), &class_of(Kind::GroupBy), object)
}

/// What the copies of one `tee` share: the source and the items that some copy has still to see.
#[derive(Debug)]
struct TeeSource {
    iterator: RefCell<Value>,
    items: RefCell<VecDeque<Value>>,
    /// The number of the first item in `items`.
    first: Cell<u64>,
    /// The position of each living copy.
    positions: RefCell<Vec<(u64, u64)>>,
    next_copy: Cell<u64>,
}

impl TeeSource {
    fn add_copy(&self, position: u64) -> u64 {
        let copy = self.next_copy.get();
        self.next_copy.set(copy + 1);
        self.positions.borrow_mut().push((copy, position));
        copy
    }

    fn position(&self, copy: u64) -> u64 {
        self.positions.borrow().iter().find(|(id, _)| *id == copy).map_or(0, |(_, position)| *position)
    }

    /// Moves a copy on, or drops it, and lets go of what all have seen.
    fn set_position(&self, copy: u64, position: Option<u64>) {
        let slowest = {
            let mut positions = self.positions.borrow_mut();
            match position {
                Some(position) => positions.iter_mut().filter(|(id, _)| *id == copy).for_each(|at| at.1 = position),
                None => positions.retain(|(id, _)| *id != copy),
            }
            positions.iter().map(|(_, position)| *position).min()
        };
        let seen: Vec<Value> = {
            let mut items = self.items.borrow_mut();
            let count = slowest.map_or(items.len() as u64, |slowest| slowest - self.first.get());
            self.first.set(self.first.get() + count);
            let end = (count as usize).min(items.len());
            items.drain(..end).collect()
        };
        drop(seen);
    }
}

impl NativeData for TeeSource {
    fn class(&self) -> ClassRef {
        class_of(Kind::TeeSource)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let iterator = self.iterator.borrow();
        if !iterator.is_unset() {
            visit(Edge::Iterated, &iterator);
        }
        self.items.borrow().iter().for_each(|item| visit(Edge::Iterated, item));
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.iterator.take());
        into.extend(self.items.take());
    }
}

/// One copy of a `tee`.
#[derive(Debug)]
struct Tee {
    source: RefCell<Value>,
    copy: u64,
}

impl NativeData for Tee {
    fn class(&self) -> ClassRef {
        class_of(Kind::Tee)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let source = self.source.borrow();
        if !source.is_unset() {
            visit(Edge::Iterated, &source);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.source.take());
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let value = self.source.borrow().clone();
        let Some(source) = Typed::<TeeSource>::of(&value) else { return Ok(None) };
        let position = source.position(self.copy);
        let known = source.items.borrow().get((position - source.first.get()) as usize).cloned();
        let item = if let Some(item) = known {
            item
        } else {
            let iterator = source.iterator.borrow().clone();
            if iterator.is_unset() {
                return Ok(None);
            }
            let Some(item) = vm.next(&iterator)? else { return Ok(None) };
            vm.reserve(size_of::<Value>())?;
            source.items.borrow_mut().push_back(item.clone());
            item
        };
        source.set_position(self.copy, Some(position + 1));
        Ok(Some(item))
    }
}

impl Drop for Tee {
    fn drop(&mut self) {
        if let Some(source) = Typed::<TeeSource>::of(&self.source.borrow()) {
            source.set_position(self.copy, None);
        }
    }
}

fn copy_of(source: &Value, position: u64) -> Fallible<Value> {
    let shared = Typed::<TeeSource>::of(source).ok_or_else(|| value_error("the source of this tee is gone"))?;
    let copy = shared.add_copy(position);
    Ok(Value::object(Tee { source: RefCell::new(source.clone()), copy }))
}

pub(super) fn tee(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let copies = args.index_or(vm, 1, 2)?;
    let Ok(copies) = usize::try_from(copies) else {
        return Err(value_error("n must be >= 0"));
    };
    if copies == 0 {
        return Ok(Value::tuple([]));
    }
    vm.reserve(copies.saturating_mul(128))?;
    let iterator = vm.iter(&args.get(vm, 0))?;
    let first = match Typed::<Tee>::of(&iterator) {
        Some(_) => iterator,
        None => {
            let source = Value::object(TeeSource {
                iterator: RefCell::new(iterator),
                items: RefCell::default(),
                first: Cell::new(0),
                positions: RefCell::default(),
                next_copy: Cell::new(0),
            });
            copy_of(&source, 0)?
        }
    };
    let mut all = vec![first.clone()];
    for _ in 1..copies {
        all.push(copy_value(&first)?);
    }
    Ok(Value::tuple(all))
}

fn copy_value(tee: &Value) -> Fallible<Value> {
    let tee = Typed::<Tee>::of(tee).ok_or_else(|| value_error("not a tee"))?;
    let source = tee.source.borrow().clone();
    let position = Typed::<TeeSource>::of(&source).map_or(0, |shared| shared.position(tee.copy));
    copy_of(&source, position)
}

pub(super) fn tee_copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    copy_value(&args.get(vm, 0))
}
