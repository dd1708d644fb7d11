//! One activation of code: where it stands, its registers' window, what it handles.

use std::rc::Rc;

use super::code::{Code, Register};
use super::heap::Ref;
use super::objects::{FunctionObject, GeneratorObject, ModuleObject};
use super::value::{Edge, Value};

/// What happens with the value a frame returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Return {
    /// It goes back to the Rust code that started the frame.
    ToNative,
    /// Into a register of the frame below.
    Into(Register),
    /// It must be `None`; the new instance goes into the register, from the slot before the frame's window.
    Instance(Register),
    /// The class whose body this is goes into the register.
    Class(Register),
    /// Like [`Return::Class`], for Rust code.
    ClassToNative,
    /// A generator's step in a `for` of the frame below: a yielded value goes into the register and the loop's jump is
    /// skipped; the end lets go of the iterator in the second register.
    Item(Register, Register),
}

/// One activation of code.
#[derive(Debug)]
pub struct Frame {
    /// The code.
    pub code: Rc<Code>,
    /// The module whose globals it sees.
    pub module: Ref<ModuleObject>,
    /// The function it is a call of; modules have none.
    pub function: Option<Ref<FunctionObject>>,
    /// The generator whose frame it is.
    pub generator: Option<Ref<GeneratorObject>>,
    /// The instruction it continues with.
    pub next: usize,
    /// Where its registers begin on the machine's stack.
    pub base: usize,
    /// What happens with its value.
    pub returns: Return,
    /// Exceptions being handled, innermost last.
    pub handled: Vec<Value>,
    /// Where a sent value goes when the frame goes on after a `yield`.
    pub resume_into: Option<Register>,
}

impl Frame {
    /// Calls `visit` with every value the frame and its registers hold.
    pub fn visit(&self, registers: &[Value], visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (index, value) in registers.iter().enumerate() {
            let edge = self.code.locals.get(index).map_or(Edge::Temporary, |name| Edge::Local(*name));
            if !value.is_unset() {
                visit(edge, value);
            }
        }
        if let Some(function) = &self.function {
            visit(Edge::Callable, &Value::Function(function.clone()));
        }
        visit(Edge::Other("globals"), &Value::Module(self.module.clone()));
        for exception in &self.handled {
            visit(Edge::Other("handled exception"), exception);
        }
    }

    /// Moves what the frame itself holds into `into`.
    pub fn take(&mut self, into: &mut Vec<Value>) {
        into.extend(self.function.take().map(Value::Function));
        into.append(&mut self.handled);
    }
}
