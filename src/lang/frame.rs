//! One activation of code: where it stands, its registers' window, what it handles.

use std::ops::{Deref, DerefMut};
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
    /// A generator's step in a `yield from` of the frame below: a yielded value is what that frame yields; what it returned goes
    /// into the register, and the end lets go of the iterator in the second one.
    Delegate(Register, Register),
}

/// One activation of code.
#[derive(Debug)]
pub struct Frame {
    /// The code.
    pub code: Rc<Code>,
    /// The module that code outside functions runs in; a function has its own.
    own_module: Option<Ref<ModuleObject>>,
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
}

/// The frames of a machine, outermost first.
///
/// A frame that was left keeps its place, empty but for its code, and the next one at its depth is filled in there: a frame is
/// never built elsewhere and copied.
#[derive(Debug, Default)]
pub struct Frames {
    places: Vec<Frame>,
    live: usize,
}

impl Frames {
    /// Adds the frame of a function.
    #[inline(always)]
    pub fn push(&mut self, function: Ref<FunctionObject>, base: usize, returns: Return) -> &mut Frame {
        let frame = self.fill(&function.code, base, returns);
        frame.function = Some(function);
        frame
    }

    /// Adds the frame of code outside functions, or of a function whose module is told apart.
    pub fn push_module(
        &mut self,
        code: Rc<Code>,
        module: Ref<ModuleObject>,
        base: usize,
        returns: Return,
    ) -> &mut Frame {
        let frame = self.fill(&code, base, returns);
        frame.own_module = Some(module);
        frame
    }

    #[inline(always)]
    fn fill(&mut self, code: &Rc<Code>, base: usize, returns: Return) -> &mut Frame {
        if self.live == self.places.len() {
            self.add_place(code);
        }
        let frame = &mut self.places[self.live];
        self.live += 1;
        if !Rc::ptr_eq(&frame.code, code) {
            frame.code = code.clone();
        }
        frame.next = 0;
        frame.base = base;
        frame.returns = returns;
        frame
    }

    #[cold]
    #[inline(never)]
    fn add_place(&mut self, code: &Rc<Code>) {
        self.places.push(Frame {
            code: code.clone(),
            own_module: None,
            function: None,
            generator: None,
            next: 0,
            base: 0,
            returns: Return::ToNative,
            handled: Vec::new(),
        });
    }

    /// Leaves the innermost frame, a generator's, whose function and generator were taken out.
    #[inline(always)]
    pub fn pop_generator(&mut self) {
        let Some(last) = self.live.checked_sub(1) else { return };
        self.live = last;
        let frame = &self.places[last];
        debug_assert!(frame.function.is_none() && frame.generator.is_none() && frame.own_module.is_none());
        debug_assert!(frame.handled.is_empty());
    }

    /// Leaves the innermost frame: what it held is dropped.
    #[inline(always)]
    pub fn pop(&mut self) {
        let Some(last) = self.live.checked_sub(1) else { return };
        self.live = last;
        let frame = &mut self.places[last];
        let (function, module, generator) = (frame.function.take(), frame.own_module.take(), frame.generator.take());
        if !frame.handled.is_empty() {
            drop(std::mem::take(&mut frame.handled));
        }
        drop((function, module, generator));
    }
}

impl Deref for Frames {
    type Target = [Frame];

    #[inline(always)]
    fn deref(&self) -> &[Frame] {
        &self.places[..self.live]
    }
}

impl DerefMut for Frames {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Frame] {
        &mut self.places[..self.live]
    }
}

impl Frame {
    /// The module whose globals it sees.
    #[inline(always)]
    pub fn module(&self) -> &Ref<ModuleObject> {
        match (&self.own_module, &self.function) {
            (None, Some(function)) => &function.module,
            (module, _) => module.as_ref().expect("a frame without a function has a module"),
        }
    }

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
        if let Some(module) = &self.own_module {
            visit(Edge::Other("globals"), &Value::Module(module.clone()));
        }
        for exception in &self.handled {
            visit(Edge::Other("handled exception"), exception);
        }
    }
}
