//! Frames that errors keep under `%errors keep-frames`: the code, where it stood, and what its locals held.
//!
//! Without that setting nothing makes them, and an error holds no memory.

use std::cell::RefCell;
use std::rc::Rc;

use super::classes::{Builtin, builtin_class, define_class};
use crate::lang::code::{Code, Span};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, DictObject, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A frame that has ended with an error.
#[derive(Debug)]
pub struct FrameObject {
    code: Rc<Code>,
    span: Span,
    locals: RefCell<Vec<(Name, Value)>>,
}

impl FrameObject {
    /// A frame as a value.
    pub fn value(code: Rc<Code>, span: Span, locals: Vec<(Name, Value)>) -> Value {
        Value::object(Self { code, span, locals: RefCell::new(locals) })
    }
}

thread_local! {
    static CLASS: ClassRef =
        define_class("frame", "builtins", &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
}

const METHODS: &[Method] = &[
    getter("f_locals", "What the locals held, by name.", |vm, args| {
        let locals = frame(vm, args, |frame| frame.locals.borrow().clone())?;
        let dict = Value::Dict(Ref::new(DictObject::default()));
        for (name, value) in locals {
            vm.set_item(&dict, &Value::str(name.text()), value)?;
        }
        Ok(dict)
    }),
    getter("f_lineno", "The line.", |vm, args| {
        frame(vm, args, |frame| Value::from(frame.code.source.line(frame.span.start)))
    }),
    method("__repr__", "(self, /)", "Where it stood.", |vm, args| {
        frame(vm, args, |frame| {
            let (source, line) = (&frame.code.source, frame.code.source.line(frame.span.start));
            Value::str(format!("<frame, file '{}', line {line}, code {}>", source.name, frame.code.name.text()))
        })
    }),
];

fn frame<R>(vm: &Vm, args: Args, look: impl FnOnce(&FrameObject) -> R) -> Fallible<R> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<FrameObject>().map(look),
        _ => None,
    }
    .ok_or_else(|| type_error("expected a frame"))
}

impl NativeData for FrameObject {
    fn class(&self) -> ClassRef {
        CLASS.with(Clone::clone)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for (name, value) in &*self.locals.borrow() {
            visit(Edge::Local(*name), value);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.extend(self.locals.take().into_iter().map(|(_, value)| value));
    }
}
