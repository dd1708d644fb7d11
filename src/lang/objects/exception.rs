//! Exceptions. They keep text and lines of where they passed, and frames only where `%errors keep-frames` wants them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::class::{Attributes, ClassRef, with_class_value};
use crate::lang::code::{Code, Span};
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::name::Name;
use crate::lang::value::{Edge, Value};

/// One line of a traceback: which code, where in it.
#[derive(Clone, Debug)]
pub struct TracebackEntry {
    /// The code that was running.
    pub code: Rc<Code>,
    /// The expression or statement it was at.
    pub span: Span,
}

/// An exception.
#[derive(Debug)]
pub struct ExceptionObject {
    /// Its class.
    pub class: RefCell<ClassRef>,
    /// `args`
    pub args: RefCell<Vec<Value>>,
    /// Other attributes, those of user-defined classes included.
    pub attributes: RefCell<Attributes>,
    /// Where it passed, innermost last (as a traceback prints).
    pub traceback: RefCell<VecDeque<TracebackEntry>>,
    /// Frames that ended on its way, innermost last; empty unless `%errors keep-frames` is on.
    pub frames: RefCell<VecDeque<Value>>,
    /// `__cause__`, `None` when not given.
    pub cause: RefCell<Value>,
    /// `__context__`, `None` when not given.
    pub context: RefCell<Value>,
    /// `__suppress_context__`
    pub suppress_context: Cell<bool>,
    /// The name that was probably meant, found when a `NameError` or `AttributeError` was raised; text, not an object.
    pub suggestion: RefCell<Option<Rc<str>>>,
}

impl ExceptionObject {
    /// An exception that has not been raised yet.
    pub fn new(class: ClassRef, args: Vec<Value>) -> Self {
        Self {
            class: RefCell::new(class),
            args: RefCell::new(args),
            attributes: RefCell::default(),
            traceback: RefCell::default(),
            frames: RefCell::default(),
            cause: RefCell::new(Value::None),
            context: RefCell::new(Value::None),
            suppress_context: Cell::new(false),
            suggestion: RefCell::new(None),
        }
    }

    /// Sets an attribute, dropping the old value after the borrow.
    pub fn set_attribute(&self, name: Name, value: Value) {
        let old = self.attributes.borrow_mut().insert(name, value);
        drop(old);
    }
}

impl HeapObject for ExceptionObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        with_class_value(&self.class.borrow(), |value| visit(Edge::Class, value));
        for (index, value) in self.args.borrow().iter().enumerate() {
            visit(Edge::ExceptionArgument(index), value);
        }
        for (name, value) in self.attributes.borrow().iter() {
            visit(Edge::Attribute(*name), value);
        }
        for frame in self.frames.borrow().iter() {
            visit(Edge::Other("frame"), frame);
        }
        visit(Edge::Cause, &self.cause.borrow());
        visit(Edge::Cause, &self.context.borrow());
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.append(&mut self.args.borrow_mut());
        into.extend(std::mem::take(&mut *self.attributes.borrow_mut()).into_values());
        into.extend(self.frames.borrow_mut().drain(..));
        into.push(self.cause.replace(Value::None));
        into.push(self.context.replace(Value::None));
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Exception(this.clone())
    }
}
