//! `set` and `frozenset`: the dictionary's table without values.

use std::cell::{Cell, RefCell};

use super::dict::Dict;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// A `set` or `frozenset`.
#[derive(Debug)]
pub struct SetObject {
    /// Elements as keys; the value is the element's slot in the table that iteration shows, unset before it has one. Never
    /// borrowed while user code can run.
    pub table: RefCell<Dict>,
    /// Whether it is a `frozenset`.
    pub frozen: bool,
    /// Raised by every insertion and removal, so that iteration notices changes.
    pub changes: Cell<u64>,
    /// One more than the value of `changes` at which the elements were last put into the order iteration shows; 0 is never.
    pub arranged: Cell<u64>,
    /// Slots of the table that iteration shows: CPython's table for the same insertions.
    pub len_slots: Cell<usize>,
}

impl Default for SetObject {
    fn default() -> Self {
        Self::new(Dict::default(), false)
    }
}

impl SetObject {
    /// Wraps a table.
    pub fn new(table: Dict, frozen: bool) -> Self {
        Self {
            table: RefCell::new(table),
            frozen,
            changes: Cell::new(0),
            arranged: Cell::new(0),
            len_slots: Cell::new(8),
        }
    }
}

impl HeapObject for SetObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (_, entry) in self.table.borrow().iter() {
            visit(Edge::Key, &entry.key);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.extend(self.table.borrow_mut().take_all().into_iter().map(|entry| entry.key));
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Set(this.clone())
    }
}
