//! `property`, `classmethod` and `staticmethod`: what stands in a class and decides what looking it up gives.

use std::cell::RefCell;

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::name::names;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{Attributes, BoundMethod, ClassRef, NativeData};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A `property`.
#[derive(Debug)]
pub struct PropertyObject {
    /// Reads; unset when it cannot be read.
    pub fget: Value,
    /// Writes; unset when it cannot be written.
    pub fset: Value,
    /// Deletes; unset when it cannot be deleted.
    pub fdel: Value,
    /// `__doc__`
    pub doc: RefCell<Value>,
    /// The name it stands under in its class, for messages.
    pub name: RefCell<Value>,
}

impl NativeData for PropertyObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Property)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        for function in [&self.fget, &self.fset, &self.fdel] {
            visit(Edge::Callable, function);
        }
        visit(Edge::Attribute(names::DOC), &self.doc.borrow());
        visit(Edge::Attribute(names::NAME), &self.name.borrow());
    }
}

/// A `classmethod`.
#[derive(Debug)]
pub struct ClassMethodObject {
    /// What is bound to the class.
    pub function: Value,
    attributes: RefCell<Attributes>,
}

impl ClassMethodObject {
    /// Wraps a function.
    pub fn new(function: Value) -> Self {
        Self { function, attributes: RefCell::default() }
    }
}

impl NativeData for ClassMethodObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::ClassMethod)
    }
    fn attributes(&self) -> Option<&RefCell<Attributes>> {
        Some(&self.attributes)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.function);
    }
}

/// A `staticmethod`.
#[derive(Debug)]
pub struct StaticMethodObject {
    /// What is given as it is.
    pub function: Value,
    attributes: RefCell<Attributes>,
}

impl StaticMethodObject {
    /// Wraps a function.
    pub fn new(function: Value) -> Self {
        Self { function, attributes: RefCell::default() }
    }
}

impl NativeData for StaticMethodObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::StaticMethod)
    }
    fn attributes(&self) -> Option<&RefCell<Attributes>> {
        Some(&self.attributes)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.function);
    }
}

macro_rules! downcast {
    ($function:ident, $type:ty, $doc:literal) => {
        #[doc = $doc]
        #[inline]
        pub fn $function(value: &Value) -> Option<&$type> {
            match value {
                Value::Object(object) => object.downcast::<$type>(),
                _ => None,
            }
        }
    };
}
downcast!(as_property, PropertyObject, "The property a value is.");
downcast!(as_class_method, ClassMethodObject, "The class method a value is.");
downcast!(as_static_method, StaticMethodObject, "The static method a value is.");

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Property), PROPERTY_METHODS);
    attach(&builtin_class(Builtin::ClassMethod), CLASS_METHOD_METHODS);
    attach(&builtin_class(Builtin::StaticMethod), STATIC_METHOD_METHODS);
}

const PROPERTY_METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, fget=None, fset=None, fdel=None, doc=None)",
        "An attribute that functions compute, write and delete.",
        new_property,
    ),
    getter("fget", "The function that reads.", |vm, args| Ok(or_none(&property(vm, args)?.fget))),
    getter("fset", "The function that writes.", |vm, args| Ok(or_none(&property(vm, args)?.fset))),
    getter("fdel", "The function that deletes.", |vm, args| Ok(or_none(&property(vm, args)?.fdel))),
    getter("__doc__", "What it is for.", |vm, args| Ok(or_none(&property(vm, args)?.doc.borrow()))),
    method("getter", "(self, function, /)", "The same property with another function that reads.", |vm, args| {
        copy(vm, args, 0)
    }),
    method("setter", "(self, function, /)", "The same property with another function that writes.", |vm, args| {
        copy(vm, args, 1)
    }),
    method("deleter", "(self, function, /)", "The same property with another function that deletes.", |vm, args| {
        copy(vm, args, 2)
    }),
    method("__set_name__", "(self, owner, name, /)", "Learns the name it stands under.", |vm, args| {
        let name = args.get(vm, 2);
        let old = property(vm, args)?.name.replace(name);
        drop(old);
        Ok(Value::None)
    }),
    method("__get__", "(self, instance, owner=None, /)", "The attribute's value; itself on the class.", |vm, args| {
        let instance = args.get(vm, 1);
        if instance.is_none() {
            return Ok(args.get(vm, 0));
        }
        let descriptor = args.get(vm, 0);
        read(vm, &descriptor, &instance)
    }),
    method("__set__", "(self, instance, value, /)", "Writes the attribute.", |vm, args| {
        let (descriptor, instance, value) = (args.get(vm, 0), args.get(vm, 1), args.take(vm, 2));
        write(vm, &descriptor, &instance, value)?;
        Ok(Value::None)
    }),
    method("__delete__", "(self, instance, /)", "Deletes the attribute.", |vm, args| {
        let (descriptor, instance) = (args.get(vm, 0), args.get(vm, 1));
        delete(vm, &descriptor, &instance)?;
        Ok(Value::None)
    }),
];

const CLASS_METHOD_METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, function, /)",
        "A method that gets the class instead of an instance.",
        |vm, args| Ok(Value::object(ClassMethodObject::new(args.get(vm, 1)))),
    ),
    getter("__func__", "The function.", |vm, args| wrapped(vm, args)),
    getter("__wrapped__", "The function.", |vm, args| wrapped(vm, args)),
    method("__get__", "(self, instance, owner=None, /)", "The function bound to the class.", |vm, args| {
        let owner = match args.not_none(vm, 2) {
            Some(owner) => owner,
            None => Value::Class(args.get(vm, 1).class()),
        };
        let function = wrapped(vm, args)?;
        Ok(bind(function, owner))
    }),
];

const STATIC_METHOD_METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, function, /)",
        "A function in a class that gets neither class nor instance.",
        |vm, args| Ok(Value::object(StaticMethodObject::new(args.get(vm, 1)))),
    ),
    getter("__func__", "The function.", |vm, args| wrapped(vm, args)),
    getter("__wrapped__", "The function.", |vm, args| wrapped(vm, args)),
    method("__get__", "(self, instance, owner=None, /)", "The function as it is.", |vm, args| wrapped(vm, args)),
    method("__call__", "(self, /, *args, **kwargs)", "Calls the function.", |vm, args| {
        let function = wrapped(vm, args)?;
        let (Value::Tuple(positional), Value::Dict(keywords)) = (args.get(vm, 1), args.get(vm, 2)) else {
            return vm.call(&function, &[]);
        };
        let keywords: Vec<_> = keywords
            .table
            .borrow()
            .iter()
            .filter_map(|(_, entry)| Some((crate::lang::name::Name::new(entry.key.as_str()?), entry.value.clone())))
            .collect();
        vm.call_with(&function, positional.items(), &keywords)
    }),
];

fn or_none(value: &Value) -> Value {
    if value.is_unset() { Value::None } else { value.clone() }
}

fn property(vm: &Vm, args: Args) -> Fallible<&PropertyObject> {
    as_property(args.peek(vm, 0)).ok_or_else(|| raise::type_error("expected a property"))
}

fn wrapped(vm: &Vm, args: Args) -> Fallible<Value> {
    let value = args.peek(vm, 0);
    match (as_class_method(value), as_static_method(value)) {
        (Some(object), _) => Ok(object.function.clone()),
        (_, Some(object)) => Ok(object.function.clone()),
        _ => Err(raise::type_error("expected a classmethod or staticmethod")),
    }
}

/// A callable bound to an object.
pub fn bind(function: Value, receiver: Value) -> Value {
    Value::Method(crate::lang::heap::Ref::new(BoundMethod { function, receiver }))
}

fn new_property(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let given = |index| args.not_none(vm, index).unwrap_or_default();
    let (fget, fset, fdel) = (given(1), given(2), given(3));
    let doc = match args.not_none(vm, 4) {
        Some(doc) => doc,
        None if fget.is_unset() => Value::None,
        None => vm.find_attribute(&fget, names::DOC)?.unwrap_or(Value::None),
    };
    Ok(Value::object(PropertyObject { fget, fset, fdel, doc: RefCell::new(doc), name: RefCell::default() }))
}

fn copy(vm: &mut Vm, args: Args, replaced: usize) -> Fallible<Value> {
    let function = args.get(vm, 1);
    let old = property(vm, args)?;
    let mut functions = [old.fget.clone(), old.fset.clone(), old.fdel.clone()];
    functions[replaced] = function;
    let [fget, fset, fdel] = functions;
    let doc = RefCell::new(old.doc.borrow().clone());
    Ok(Value::object(PropertyObject { fget, fset, fdel, doc, name: RefCell::new(old.name.borrow().clone()) }))
}

/// The message for a property that lacks a function, in CPython's words.
#[cold]
fn lacks(property: &PropertyObject, instance: &Value, what: &str) -> raise::Raised {
    let class = instance.type_name();
    match property.name.borrow().as_str() {
        Some(name) => raise::attribute_error(format!("property '{name}' of '{class}' object has no {what}")),
        None => raise::attribute_error(format!("property of '{class}' object has no {what}")),
    }
}

/// Reads a property of an instance.
pub fn read(vm: &mut Vm, descriptor: &Value, instance: &Value) -> Fallible<Value> {
    let property = as_property(descriptor).ok_or_else(|| raise::type_error("expected a property"))?;
    if property.fget.is_unset() {
        return Err(lacks(property, instance, "getter"));
    }
    vm.call(&property.fget.clone(), std::slice::from_ref(instance))
}

/// Writes a property of an instance.
pub fn write(vm: &mut Vm, descriptor: &Value, instance: &Value, value: Value) -> Fallible<()> {
    let property = as_property(descriptor).ok_or_else(|| raise::type_error("expected a property"))?;
    if property.fset.is_unset() {
        return Err(lacks(property, instance, "setter"));
    }
    vm.call(&property.fset.clone(), &[instance.clone(), value]).map(drop)
}

/// Deletes a property of an instance.
pub fn delete(vm: &mut Vm, descriptor: &Value, instance: &Value) -> Fallible<()> {
    let property = as_property(descriptor).ok_or_else(|| raise::type_error("expected a property"))?;
    if property.fdel.is_unset() {
        return Err(lacks(property, instance, "deleter"));
    }
    vm.call(&property.fdel.clone(), std::slice::from_ref(instance)).map(drop)
}
