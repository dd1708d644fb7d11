//! Generators: a frame that the heap owns while it is suspended.

use std::cell::RefCell;

use crate::lang::frame::Frame;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// Where a generator is in its life.
#[derive(Debug)]
pub enum GeneratorState {
    /// Its frame waits, before the first step or at a `yield`; its registers are the generator's.
    Suspended(Frame),
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
    /// Its frame's registers while it is suspended. While it runs they have changed places with as many unset slots of the
    /// machine's stack, so that a step neither allocates nor copies one by one.
    pub registers: RefCell<Vec<Value>>,
}

impl GeneratorObject {
    /// Ends it; gives back what it held, to be dropped when no borrow is left.
    pub fn finish(&self) -> (GeneratorState, Vec<Value>) {
        (self.state.replace(GeneratorState::Finished), self.registers.take())
    }
}

impl HeapObject for GeneratorObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if let GeneratorState::Suspended(frame) = &*self.state.borrow() {
            frame.visit(&self.registers.borrow(), visit);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        if let GeneratorState::Suspended(mut frame) = self.state.replace(GeneratorState::Finished) {
            frame.take(into);
            into.append(&mut self.registers.borrow_mut());
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Generator(this.clone())
    }
    fn wants_finalizer(&self) -> bool {
        // A suspended body inside `try` or `with` must be closed, so that its `finally` runs.
        match &*self.state.borrow() {
            GeneratorState::Suspended(frame) => frame.next > 0 && !frame.code.handlers.is_empty(),
            GeneratorState::Running | GeneratorState::Finished => false,
        }
    }
}
