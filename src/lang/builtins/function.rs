//! Attributes of functions, native functions and bound methods.

use std::cell::RefCell;

use super::classes::{Builtin, attach, builtin_class};
use super::code_object;
use super::functions::namespace;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{Attributes, BoundMethod, DictObject, FunctionObject, NativeFunction};
use crate::lang::raise::{Fallible, Raised, not_implemented_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHOD: &[Method] =
    &[static_method("__new__", "(cls, function, instance, /)", "A method bound to an object.", |vm, args| {
        let (function, receiver) = (args.get(vm, 1), args.get(vm, 2));
        if !matches!(
            function,
            Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Instance(_) | Value::Object(_)
        ) {
            return Err(type_error("first argument must be callable"));
        }
        if receiver.is_none() {
            return Err(type_error("instance must not be None"));
        }
        Ok(Value::Method(Ref::new(BoundMethod { function, receiver })))
    })];

const FUNCTION: &[Method] = &[
    static_method(
        "__new__",
        "(cls, code, globals, name=None, argdefs=None, closure=None)",
        "A function of a code object; its names are those the code was compiled for.",
        new,
    ),
    method("__get__", "(self, instance, owner=None, /)", "The function bound to an object.", |vm, args| {
        let function = args.get(vm, 0);
        Ok(match args.not_none(vm, 1) {
            Some(receiver) => Value::Method(Ref::new(BoundMethod { function, receiver })),
            None => function,
        })
    }),
];

/// `types.FunctionType(code, globals)`
fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(code) = code_object::code_of(args.peek(vm, 1)) else {
        return Err(type_error(format!(
            "function() argument 'code' must be code, not {}",
            args.peek(vm, 1).type_name()
        )));
    };
    let Some(module) = namespace::module_of(args.peek(vm, 2)) else {
        return Err(not_implemented_error(
            "code reads the names of the module it was compiled for: give function() that module's globals(), or \
             exec() the text with other names",
        ));
    };
    let name = match args.not_none(vm, 3) {
        Some(Value::Str(name)) => name.as_str().into(),
        Some(_) => return Err(type_error("arg 3 (name) must be None or string")),
        None => code.name.text().into(),
    };
    let defaults = match args.not_none(vm, 4) {
        Some(Value::Tuple(items)) => items.items().to_vec(),
        Some(_) => return Err(type_error("arg 4 (defaults) must be None or tuple")),
        None => Vec::new(),
    };
    let cells = match args.not_none(vm, 5) {
        Some(Value::Tuple(items)) => items.items().to_vec(),
        Some(_) => return Err(type_error("arg 5 (closure) must be None or tuple")),
        None => Vec::new(),
    };
    if cells.len() != code.captured.len() {
        return Err(value_error(format!(
            "{} requires closure of length {}, not {}",
            code.name.text(),
            code.captured.len(),
            cells.len()
        )));
    }
    let mut closure = Vec::with_capacity(cells.len());
    for cell in cells {
        match cell {
            Value::Cell(cell) => closure.push(cell),
            other => return Err(type_error(format!("arg 5 (closure) expected cell, found {}", other.type_name()))),
        }
    }
    let mut attributes = Attributes::default();
    if let Some(doc) = &code.doc {
        attributes.insert(names::DOC, Value::str(&**doc));
    }
    Ok(Value::Function(Ref::new(FunctionObject {
        name: RefCell::new(name),
        qualname: RefCell::new(code.qualname.clone()),
        module,
        defaults: defaults.into(),
        keyword_defaults: RefCell::default(),
        closure: closure.into(),
        attributes: attributes.into(),
        code,
    })))
}

/// Attaches how functions and methods are made, and what they do as descriptors; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Method), METHOD);
    attach(&builtin_class(Builtin::Function), FUNCTION);
}

fn text(text: &str) -> Value {
    Value::str(text)
}

/// An attribute of a function defined by a program.
pub fn attribute(vm: &mut Vm, function: &Ref<FunctionObject>, name: Name) -> Option<Value> {
    Some(match name {
        names::NAME => text(&function.name.borrow()),
        names::QUALNAME => text(&function.qualname.borrow()),
        names::MODULE => {
            function.attributes.borrow().get(&name).cloned().unwrap_or_else(|| {
                function.module.get(names::NAME).unwrap_or_else(|| text(function.module.name.text()))
            })
        }
        names::DOC => function.attributes.borrow().get(&name).cloned().unwrap_or(Value::None),
        names::DEFAULTS => {
            let defaults = function.defaults.borrow();
            if defaults.is_empty() { Value::None } else { Value::tuple(defaults.clone()) }
        }
        names::KWDEFAULTS => {
            let pairs: Vec<(Name, Value)> =
                function.keyword_defaults.borrow().iter().map(|(name, value)| (*name, value.clone())).collect();
            if pairs.is_empty() {
                Value::None
            } else {
                let dict = Ref::new(DictObject::default());
                for (name, value) in pairs {
                    vm.dict_set(&dict, text(name.text()), value).ok()?;
                }
                Value::Dict(dict)
            }
        }
        names::CLOSURE => {
            let closure = function.closure.borrow();
            if closure.is_empty() {
                Value::None
            } else {
                Value::tuple(closure.iter().cloned().map(Value::Cell).collect::<Vec<_>>())
            }
        }
        names::CODE => code_object::of_function(function),
        _ if name.text() == "__globals__" => namespace::view(function.module.clone()),
        names::ANNOTATIONS => match function.attributes.borrow().get(&name) {
            Some(value) => value.clone(),
            None => Value::Dict(Ref::new(DictObject::default())),
        },
        names::DICT => {
            let dict = Ref::new(DictObject::default());
            let pairs: Vec<(Name, Value)> = function
                .attributes
                .borrow()
                .iter()
                .filter(|(name, _)| !matches!(**name, names::DOC | names::ANNOTATIONS | names::MODULE))
                .map(|(name, value)| (*name, value.clone()))
                .collect();
            for (name, value) in pairs {
                vm.dict_set(&dict, text(name.text()), value).ok()?;
            }
            Value::Dict(dict)
        }
        _ => return function.attributes.borrow().get(&name).cloned(),
    })
}

/// Sets or deletes an attribute of a function.
pub fn set_attribute(function: &Ref<FunctionObject>, name: Name, value: Option<Value>) -> Fallible<()> {
    match (name, value) {
        (names::NAME, Some(Value::Str(value))) => *function.name.borrow_mut() = value.as_str().into(),
        (names::QUALNAME, Some(Value::Str(value))) => *function.qualname.borrow_mut() = value.as_str().into(),
        (names::NAME | names::QUALNAME, _) => {
            return Err(type_error(format!("{name} must be set to a string object")));
        }
        (names::DEFAULTS, Some(Value::Tuple(items))) => {
            let old = function.defaults.replace(items.items().to_vec());
            drop(old);
        }
        (names::DEFAULTS, Some(Value::None)) => {
            let old = function.defaults.take();
            drop(old);
        }
        (_, Some(value)) => {
            let old = function.attributes.borrow_mut().insert(name, value);
            drop(old);
        }
        (_, None) => match function.attributes.borrow_mut().shift_remove(&name) {
            Some(_) => {}
            None => {
                return Err(Raised::builtin(
                    Builtin::AttributeError,
                    format!("'function' object has no attribute '{name}'"),
                ));
            }
        },
    }
    Ok(())
}

/// An attribute of a function of the engine.
pub fn native_attribute(function: &NativeFunction, name: Name) -> Option<Value> {
    Some(match name {
        names::NAME => text(function.definition.name),
        names::QUALNAME => match &function.class {
            Some(class) => text(&format!("{}.{}", class.name.get(), function.definition.name)),
            None => text(function.definition.name),
        },
        names::DOC => text(function.definition.doc),
        names::MODULE => match function.module {
            Some(module) => text(module.text()),
            None if function.class.is_none() => text("builtins"),
            None => return None,
        },
        _ if name.text() == "__text_signature__" => text(function.definition.signature.text),
        _ => return None,
    })
}

/// An attribute of a bound method that is not its function's.
pub fn method_attribute(method: &BoundMethod, name: Name) -> Option<Value> {
    Some(match name {
        names::SELF_DUNDER => method.receiver.clone(),
        names::FUNC => method.function.clone(),
        names::CLASS => return None,
        names::NAME | names::QUALNAME | names::DOC => match &method.function {
            Value::Native(native) => return native_attribute(native, name),
            Value::Function(function) => match name {
                names::NAME => text(&function.name.borrow()),
                names::QUALNAME => text(&function.qualname.borrow()),
                _ => function.attributes.borrow().get(&names::DOC).cloned().unwrap_or(Value::None),
            },
            _ => return None,
        },
        _ => return None,
    })
}
