//! Attributes of functions, native functions and bound methods.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Method, method, static_method};
use crate::lang::objects::{BoundMethod, ClassRef, DictObject, FunctionObject, NativeData, NativeFunction};
use crate::lang::raise::{Fallible, Raised, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `__code__`: what a program may ask of it.
#[derive(Debug)]
struct CodeObject {
    code: std::rc::Rc<crate::lang::code::Code>,
}

impl NativeData for CodeObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Code)
    }
}

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

const FUNCTION: &[Method] =
    &[method("__get__", "(self, instance, owner=None, /)", "The function bound to an object.", |vm, args| {
        let function = args.get(vm, 0);
        Ok(match args.not_none(vm, 1) {
            Some(receiver) => Value::Method(Ref::new(BoundMethod { function, receiver })),
            None => function,
        })
    })];

/// Attaches what `__code__` answers, how methods are made, and what functions do as descriptors; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Method), METHOD);
    attach(&builtin_class(Builtin::Function), FUNCTION);
    use crate::lang::native::getter;
    const CODE: &[Method] = &[
        getter("co_name", "The function's name.", |vm, args| {
            Ok(code_of(args.peek(vm, 0)).map_or(Value::None, |code| Value::str(code.name.text())))
        }),
        getter("co_argcount", "How many positional parameters there are.", |vm, args| {
            Ok(code_of(args.peek(vm, 0)).map_or(Value::None, |code| Value::from(code.positional_count)))
        }),
        getter("co_varnames", "Names of parameters and locals.", |vm, args| {
            Ok(code_of(args.peek(vm, 0)).map_or(Value::None, |code| {
                Value::tuple(code.locals.iter().map(|name| Value::str(name.text())).collect::<Vec<_>>())
            }))
        }),
        getter("co_filename", "Where it was compiled from.", |vm, args| {
            Ok(code_of(args.peek(vm, 0)).map_or(Value::None, |code| Value::str(&*code.source.name)))
        }),
        getter("co_firstlineno", "The line of its `def`.", |vm, args| {
            Ok(code_of(args.peek(vm, 0)).map_or(Value::None, |code| Value::Int(i64::from(code.first_line))))
        }),
    ];
    attach(&builtin_class(Builtin::Code), CODE);
}

fn code_of(value: &Value) -> Option<std::rc::Rc<crate::lang::code::Code>> {
    match value {
        Value::Object(object) => object.downcast::<CodeObject>().map(|object| object.code.clone()),
        _ => None,
    }
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
        names::CODE => Value::object(CodeObject { code: function.code.clone() }),
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
