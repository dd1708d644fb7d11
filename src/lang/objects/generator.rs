//! Generators: a frame that the heap owns while it is suspended.

use std::cell::RefCell;

use crate::lang::frame::Frame;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// Where a generator is in its life.
#[derive(Debug)]
pub enum GeneratorState {
    /// Its frame waits: before the first step or at a `yield`. The registers travel with it.
    Suspended {
        /// The frame.
        frame: Frame,
        /// Its registers.
        registers: Vec<Value>,
    },
    /// Its frame is on the machine's stack.
    Running,
    /// It returned, raised or was closed.
    Finished,
}

/// A generator.
#[derive(Debug)]
pub struct GeneratorObject {
    /// `__name__`
    pub name: RefCell<std::rc::Rc<str>>,
    /// `__qualname__`
    pub qualname: RefCell<std::rc::Rc<str>>,
    /// The state; never borrowed while the generator runs.
    pub state: RefCell<GeneratorState>,
    /// Room for its registers while they are on the machine's stack, so that a step allocates nothing.
    pub emptied: RefCell<Vec<Value>>,
}

impl HeapObject for GeneratorObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if let GeneratorState::Suspended { frame, registers } = &*self.state.borrow() {
            frame.visit(registers, visit);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        if let GeneratorState::Suspended { mut frame, registers } = self.state.replace(GeneratorState::Finished) {
            frame.take(into);
            into.extend(registers);
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Generator(this.clone())
    }
    fn wants_finalizer(&self) -> bool {
        // A suspended body inside `try` or `with` must be closed, so that its `finally` runs.
        match &*self.state.borrow() {
            GeneratorState::Suspended { frame, .. } => frame.next > 0 && !frame.code.handlers.is_empty(),
            GeneratorState::Running | GeneratorState::Finished => false,
        }
    }
}
