//! Objects of the engine's modules (paths, queues, deques, properties, files, ...): one trait, so that a module can add a
//! type without touching the core.

use std::any::Any;
use std::cell::RefCell;
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use super::class::{Attributes, ClassRef};
use crate::arrays::Buffer;
use crate::lang::builtins::memoryview::BufferSource;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::raise::Fallible;
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// What an object of the engine offers to the machine. Methods, properties and dunder behaviour stand in its class's
/// attributes; only iteration has a short cut here.
pub trait NativeData: Any + Debug {
    /// The class, which `type()` answers and whose attributes are looked up.
    fn class(&self) -> ClassRef;

    /// Calls `visit` with every value the object holds, each once.
    fn visit_children(&self, _visit: &mut dyn FnMut(Edge<'_>, &Value)) {}

    /// Moves every held value into `into`.
    fn take_children(&self, _into: &mut Vec<Value>) {}

    /// Where attributes stand that a program sets on the object, for types that take them.
    fn attributes(&self) -> Option<&RefCell<Attributes>> {
        None
    }

    /// Whether the object is an iterator, so that `iter()` gives itself and `next()` calls [`NativeData::next`].
    fn is_iterator(&self) -> bool {
        false
    }

    /// The next item, for iterators; `None` ends the iteration.
    fn next(&self, _vm: &mut Vm) -> Fallible<Option<Value>> {
        Ok(None)
    }

    /// The object's bytes, for objects that `memoryview` can look into; `this` is the object as a value.
    fn bytes_source(&self, _this: &Value) -> Option<Rc<dyn BufferSource>> {
        None
    }

    /// Calls `visit` with every buffer the object itself keeps alive (memory objects, memoryviews), for the holder walk.
    fn visit_buffers(&self, _visit: &mut dyn FnMut(&Arc<Buffer>)) {}
}

/// An object of a module of the engine.
#[derive(Debug)]
pub struct NativeObject {
    data: Box<dyn NativeData>,
}

impl NativeObject {
    /// Wraps the data.
    pub fn new(data: impl NativeData) -> Self {
        Self { data: Box::new(data) }
    }

    /// The data.
    pub fn data(&self) -> &dyn NativeData {
        &*self.data
    }

    /// The data as its type.
    pub fn downcast<T: NativeData>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.data;
        any.downcast_ref()
    }
}

impl HeapObject for NativeObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        self.data.visit_children(visit);
        if let Some(attributes) = self.data.attributes() {
            attributes.borrow().iter().for_each(|(name, value)| visit(Edge::Attribute(*name), value));
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        self.data.take_children(into);
        if let Some(attributes) = self.data.attributes() {
            into.extend(attributes.take().into_values());
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Object(this.clone())
    }
}
