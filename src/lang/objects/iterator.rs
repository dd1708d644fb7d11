//! Built-in iterators over built-in containers and the lazy built-in functions.

use std::cell::RefCell;

use num_bigint::BigInt;

use super::{ByteArrayObject, BytesObject, DictObject, ListObject, SetObject, StrObject, TupleObject};
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// What an iterator walks and where it stands.
#[derive(Debug)]
pub enum IteratorState {
    /// Nothing left; keeps nothing alive.
    Exhausted,
    /// A list, forwards.
    List(Ref<ListObject>, usize),
    /// A list, backwards; the position counts down.
    ListReversed(Ref<ListObject>, usize),
    /// A tuple.
    Tuple(Ref<TupleObject>, usize),
    /// A `str`, at a byte position.
    Str(Ref<StrObject>, usize),
    /// A `bytes`.
    Bytes(Ref<BytesObject>, usize),
    /// A `bytearray`.
    ByteArray(Ref<ByteArrayObject>, usize),
    /// A range in 64 bits: next value, step, how many are left.
    Range(i64, i64, u64),
    /// A range beyond 64 bits: next value, step, how many are left.
    BigRange(Box<(BigInt, BigInt, BigInt)>),
    /// A dict: position, changes when it began, what to yield, direction.
    Dict(Ref<DictObject>, usize, u64, DictPart, bool),
    /// A set: position, changes when it began.
    Set(Ref<SetObject>, usize, u64),
    /// `__getitem__` from 0 on.
    Sequence(Value, i64),
    /// `__getitem__` from the end down.
    SequenceReversed(Value, i64),
    /// `iter(callable, sentinel)`
    Sentinel(Value, Value),
    /// `enumerate`: iterator, next index.
    Enumerate(Value, Value),
    /// `zip`: iterators, strict.
    Zip(Vec<Value>, bool),
    /// `map`: function, iterators.
    Map(Value, Vec<Value>),
    /// `filter`: function or `None`, iterator.
    Filter(Value, Value),
}

/// What a dict iterator yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictPart {
    /// Keys.
    Keys,
    /// Values.
    Values,
    /// `(key, value)` pairs.
    Items,
}

/// A built-in iterator.
#[derive(Debug)]
pub struct IteratorObject {
    /// The state; never borrowed while user code can run.
    pub state: RefCell<IteratorState>,
}

impl IteratorObject {
    /// An iterator in a state.
    pub fn new(state: IteratorState) -> Self {
        Self { state: RefCell::new(state) }
    }
}

impl HeapObject for IteratorObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let mut over = |value: &Value| visit(Edge::Iterated, value);
        match &*self.state.borrow() {
            IteratorState::Exhausted | IteratorState::Range(..) | IteratorState::BigRange(_) => {}
            IteratorState::List(list, _) | IteratorState::ListReversed(list, _) => over(&Value::List(list.clone())),
            IteratorState::Tuple(tuple, _) => over(&Value::Tuple(tuple.clone())),
            IteratorState::Str(text, _) => over(&Value::Str(text.clone())),
            IteratorState::Bytes(bytes, _) => over(&Value::Bytes(bytes.clone())),
            IteratorState::ByteArray(bytes, _) => over(&Value::ByteArray(bytes.clone())),
            IteratorState::Dict(dict, ..) => over(&Value::Dict(dict.clone())),
            IteratorState::Set(set, ..) => over(&Value::Set(set.clone())),
            IteratorState::Sequence(value, _) | IteratorState::SequenceReversed(value, _) => over(value),
            IteratorState::Sentinel(function, sentinel) => {
                visit(Edge::Callable, function);
                visit(Edge::Other("sentinel"), sentinel);
            }
            IteratorState::Enumerate(iterator, index) => {
                visit(Edge::Iterated, iterator);
                visit(Edge::Other("index"), index);
            }
            IteratorState::Zip(iterators, _) => iterators.iter().for_each(over),
            IteratorState::Map(function, iterators) => {
                visit(Edge::Callable, function);
                iterators.iter().for_each(|iterator| visit(Edge::Iterated, iterator));
            }
            IteratorState::Filter(function, iterator) => {
                visit(Edge::Callable, function);
                visit(Edge::Iterated, iterator);
            }
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        // The state is dropped here; what it held goes through the heap's own work list.
        let state = self.state.replace(IteratorState::Exhausted);
        if let IteratorState::Zip(iterators, _) | IteratorState::Map(_, iterators) = state {
            into.extend(iterators);
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Iterator(this.clone())
    }
}
