//! `list`, `tuple`, `range` and `slice`.

use std::cell::RefCell;

use num_bigint::BigInt;
use smallvec::SmallVec;

use super::leaf_object;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// A `list`.
#[derive(Debug, Default)]
pub struct ListObject {
    /// The items; never borrowed while user code can run, and old values are dropped after the borrow ends.
    pub items: RefCell<Vec<Value>>,
}

impl ListObject {
    /// Wraps the items.
    pub fn new(items: Vec<Value>) -> Self {
        Self { items: RefCell::new(items) }
    }
}

impl Drop for ListObject {
    /// The last item goes first, as in CPython.
    fn drop(&mut self) {
        while let Some(item) = self.items.get_mut().pop() {
            item.discard();
        }
    }
}

/// How many items ahead of the one being visited are fetched.
const PREFETCHED: usize = 8;

impl HeapObject for ListObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let items = self.items.borrow();
        for (index, item) in items.iter().enumerate() {
            // A long list's items lie anywhere: waiting for one after the other is most of what a walk or a collection costs.
            if let Some(later) = items.get(index + PREFETCHED) {
                later.prefetch();
            }
            visit(Edge::Item(index), item);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.append(&mut self.items.borrow_mut());
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::List(this.clone())
    }
}

/// A `tuple`. Its items change only when the collector breaks a cycle through it.
#[derive(Debug)]
pub struct TupleObject {
    // Pairs are what iteration makes most; they need no allocation beside the object.
    items: SmallVec<[Value; 2]>,
}

impl TupleObject {
    /// Wraps the items.
    pub fn new(items: impl Into<Box<[Value]>>) -> Self {
        Self { items: SmallVec::from_vec(items.into().into_vec()) }
    }

    /// A tuple of two.
    #[inline]
    pub fn pair(first: Value, second: Value) -> Self {
        Self { items: SmallVec::from_buf([first, second]) }
    }

    /// The items.
    #[inline]
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// The items, for the owner of the only reference to move them out.
    #[inline]
    pub fn items_mut(&mut self) -> &mut [Value] {
        &mut self.items
    }
}

impl Drop for TupleObject {
    /// The last item goes first, as in CPython.
    fn drop(&mut self) {
        for item in self.items.iter_mut().rev() {
            std::mem::take(item).discard();
        }
    }
}

impl HeapObject for TupleObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (index, item) in self.items.iter().enumerate() {
            visit(Edge::Item(index), item);
        }
    }
    // A tuple in a cycle always has a mutable member elsewhere in it (CPython's tuples have no clear either).
    fn take_children(&self, _into: &mut Vec<Value>) {}
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Tuple(this.clone())
    }
}

/// A `range`; bounds are 64 bits where they fit, which is nearly always.
#[derive(Debug)]
pub struct RangeObject {
    /// First value.
    pub start: BigInt,
    /// Exclusive end.
    pub stop: BigInt,
    /// Step, never zero.
    pub step: BigInt,
    /// The same three as 64-bit integers when they and the length fit.
    pub small: Option<(i64, i64, i64)>,
}

impl RangeObject {
    /// A range over 64-bit integers.
    pub fn small(start: i64, stop: i64, step: i64) -> Self {
        Self { start: start.into(), stop: stop.into(), step: step.into(), small: Some((start, stop, step)) }
    }
}
leaf_object!(RangeObject, Range);

/// A `slice`.
#[derive(Debug)]
pub struct SliceObject {
    /// Lower bound or `None`.
    pub start: Value,
    /// Upper bound or `None`.
    pub stop: Value,
    /// Step or `None`.
    pub step: Value,
}

impl HeapObject for SliceObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Other("start"), &self.start);
        visit(Edge::Other("stop"), &self.stop);
        visit(Edge::Other("step"), &self.step);
    }
    fn take_children(&self, _into: &mut Vec<Value>) {}
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Slice(this.clone())
    }
}
