//! Functions, bound methods, functions of the engine, and the boxes closures share.

use std::cell::RefCell;
use std::rc::Rc;

use super::class::{Attributes, ClassRef, with_class_value};
use super::module::ModuleObject;
use crate::lang::builtins::classes::Builtin;
use crate::lang::code::Code;
use crate::lang::heap::{HeapObject, Ref};
use crate::lang::name::Name;
use crate::lang::native::{Binding, Definition};
use crate::lang::value::{Edge, Value};

/// A function defined by `def` or `lambda`.
#[derive(Debug)]
pub struct FunctionObject {
    /// What it runs.
    pub code: Rc<Code>,
    /// `__name__`
    pub name: RefCell<Rc<str>>,
    /// `__qualname__`
    pub qualname: RefCell<Rc<str>>,
    /// The module whose globals it sees.
    pub module: Ref<ModuleObject>,
    /// Values of the last positional parameters' defaults, in order.
    pub defaults: RefCell<Vec<Value>>,
    /// Defaults of keyword-only parameters.
    pub keyword_defaults: RefCell<Attributes>,
    /// Boxes of captured variables, in the order of the code's captured names.
    pub closure: RefCell<Vec<Ref<CellObject>>>,
    /// `__dict__`, `__doc__` and `__annotations__`.
    pub attributes: RefCell<Attributes>,
}

impl HeapObject for FunctionObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Other("globals"), &Value::Module(self.module.clone()));
        let defaults = self.defaults.borrow();
        let first = self.code.positional_count.saturating_sub(defaults.len());
        for (offset, value) in defaults.iter().enumerate() {
            visit(Edge::Default(self.code.parameter_name(first + offset)), value);
        }
        for (name, value) in self.keyword_defaults.borrow().iter() {
            visit(Edge::Default(*name), value);
        }
        for (index, cell) in self.closure.borrow().iter().enumerate() {
            visit(Edge::Captured(self.code.captured_name(index)), &Value::Cell(cell.clone()));
        }
        for (name, value) in self.attributes.borrow().iter() {
            visit(Edge::Attribute(*name), value);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.append(&mut self.defaults.borrow_mut());
        into.extend(std::mem::take(&mut *self.keyword_defaults.borrow_mut()).into_values());
        into.extend(std::mem::take(&mut *self.closure.borrow_mut()).into_iter().map(Value::Cell));
        into.extend(std::mem::take(&mut *self.attributes.borrow_mut()).into_values());
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Function(this.clone())
    }
}

/// A callable bound to an object: `obj.method`.
#[derive(Debug)]
pub struct BoundMethod {
    /// The function.
    pub function: Value,
    /// `__self__`
    pub receiver: Value,
}

impl HeapObject for BoundMethod {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.function);
        visit(Edge::Bound, &self.receiver);
    }
    fn take_children(&self, _into: &mut Vec<Value>) {}
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Method(this.clone())
    }
}

/// A function of the engine, free-standing or a method of a built-in class.
#[derive(Debug)]
pub struct NativeFunction {
    /// Name, signature, documentation and the Rust function.
    pub definition: Rc<Definition>,
    /// The class whose method it is; binds like a function when looked up on an instance.
    pub class: Option<ClassRef>,
    /// The module that offers it, for `__module__` and `repr`.
    pub module: Option<Name>,
}

impl NativeFunction {
    /// What `type()` answers for it: a function, or one of the kinds of descriptors in a class.
    pub fn descriptor_class(&self) -> Builtin {
        if self.class.is_none() {
            return Builtin::BuiltinFunction;
        }
        let name = self.definition.name;
        let is_slot = name.starts_with("__") && name.ends_with("__") && !NO_SLOTS.contains(&name);
        match self.definition.binding {
            Binding::Getter => Builtin::GetSetDescriptor,
            Binding::Class => Builtin::ClassMethodDescriptor,
            Binding::Static => Builtin::BuiltinFunction,
            Binding::Plain if is_slot => Builtin::WrapperDescriptor,
            Binding::Plain => Builtin::MethodDescriptor,
        }
    }
}

/// Dunders that are ordinary methods in CPython.
const NO_SLOTS: &[&str] = &[
    "__format__",
    "__sizeof__",
    "__dir__",
    "__reduce__",
    "__reduce_ex__",
    "__getnewargs__",
    "__getstate__",
    "__setstate__",
    "__enter__",
    "__exit__",
    "__copy__",
    "__deepcopy__",
    "__reversed__",
    "__subclasses__",
    "__instancecheck__",
    "__subclasscheck__",
    "__length_hint__",
    "__round__",
    "__trunc__",
    "__floor__",
    "__ceil__",
];

impl HeapObject for NativeFunction {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if let Some(class) = &self.class {
            with_class_value(class, |value| visit(Edge::Class, value));
        }
    }
    fn take_children(&self, _into: &mut Vec<Value>) {}
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Native(this.clone())
    }
}

/// The box of a variable that closures share.
#[derive(Debug, Default)]
pub struct CellObject {
    /// The variable's value, unset before assignment and after `del`.
    pub value: RefCell<Value>,
}

impl CellObject {
    /// A box with a value.
    pub fn new(value: Value) -> Self {
        Self { value: RefCell::new(value) }
    }
}

impl HeapObject for CellObject {
    const IS_CONTAINER: bool = true;
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let value = self.value.borrow();
        if !value.is_unset() {
            visit(Edge::Contents, &value);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(std::mem::take(&mut *self.value.borrow_mut()));
    }
    fn as_value(this: &Ref<Self>) -> Value {
        Value::Cell(this.clone())
    }
}
