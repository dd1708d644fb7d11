//! Generators: what is left of a frame while it is suspended.

use std::cell::{Cell, RefCell};

use super::FunctionObject;
use crate::lang::code::Register;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::value::{Edge, Value};

/// Where a generator is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratorState {
    /// It waits, before the first step or at a `yield`.
    Suspended,
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
    /// The function it is a call of, until it is finished.
    pub function: RefCell<Option<Ref<FunctionObject>>>,
    /// Where it is in its life.
    pub state: Cell<GeneratorState>,
    /// The instruction it continues with; 0 before its first step.
    pub next: Cell<usize>,
    /// Where a sent value goes when it goes on after a `yield`.
    pub resume_into: Cell<Option<Register>>,
    /// Exceptions it was handling when it was suspended, innermost last.
    pub handled: RefCell<Vec<Value>>,
    /// Its frame's registers while it is suspended. While it runs they have changed places with as many unset slots of the
    /// machine's stack, so that a step neither allocates nor copies one by one.
    pub registers: RefCell<Vec<Value>>,
}

impl GeneratorObject {
    /// A call of a function that has not begun, with its registers.
    pub fn new(function: Ref<FunctionObject>, registers: Vec<Value>) -> Self {
        let (name, qualname) = (function.name.borrow().clone(), function.qualname.borrow().clone());
        Self {
            name: RefCell::new(name),
            qualname: RefCell::new(qualname),
            function: RefCell::new(Some(function)),
            state: Cell::new(GeneratorState::Suspended),
            next: Cell::new(0),
            resume_into: Cell::new(None),
            handled: RefCell::default(),
            registers: RefCell::new(registers),
        }
    }

    /// Whether it has begun and waits at a `yield`.
    pub fn is_at_yield(&self) -> bool {
        self.state.get() == GeneratorState::Suspended && self.next.get() > 0
    }

    /// Ends it; gives back what it held, to be dropped when no borrow is left.
    pub fn finish(&self) -> (Option<Ref<FunctionObject>>, Vec<Value>, Vec<Value>) {
        self.state.set(GeneratorState::Finished);
        (self.function.take(), self.registers.take(), self.handled.take())
    }
}

impl HeapObject for GeneratorObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let function = self.function.borrow();
        let Some(function) = function.as_ref() else { return };
        for (index, value) in self.registers.borrow().iter().enumerate() {
            let edge = function.code.locals.get(index).map_or(Edge::Temporary, |name| Edge::Local(*name));
            if !value.is_unset() {
                visit(edge, value);
            }
        }
        visit(Edge::Callable, &Value::Function(function.clone()));
        for exception in self.handled.borrow().iter() {
            visit(Edge::Other("handled exception"), exception);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        if self.state.get() == GeneratorState::Suspended {
            let (function, mut registers, mut handled) = self.finish();
            into.extend(function.map(Value::Function));
            into.append(&mut handled);
            into.append(&mut registers);
        }
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Generator(this.clone())
    }
    fn wants_finalizer(&self) -> bool {
        // A suspended body inside `try` or `with` must be closed, so that its `finally` runs.
        self.is_at_yield() && self.function.borrow().as_ref().is_some_and(|function| !function.code.handlers.is_empty())
    }
}
