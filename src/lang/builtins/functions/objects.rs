//! Functions about objects: attributes, identity, hash, classes, representation.

use crate::lang::builtins::text;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{Dict, DictObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method("callable", "(obj, /)", "Return whether the object is callable.", |vm, args| {
        Ok(Value::Bool(is_callable(args.peek(vm, 0))))
    }),
    method("getattr", "(*args)", "getattr(object, name[, default]): an attribute.", getattr),
    method("hasattr", "(obj, name, /)", "Return whether the object has an attribute with the given name.", hasattr),
    method("setattr", "(obj, name, value, /)", "Sets the named attribute on the given object.", |vm, args| {
        let (object, name, value) = (args.get(vm, 0), args.get(vm, 1), args.get(vm, 2));
        let name = attribute_name(&name)?;
        vm.set_attribute(&object, name, value)?;
        Ok(Value::None)
    }),
    method("delattr", "(obj, name, /)", "Deletes the named attribute from the given object.", |vm, args| {
        let (object, name) = (args.get(vm, 0), args.get(vm, 1));
        let name = attribute_name(&name)?;
        vm.delete_attribute(&object, name)?;
        Ok(Value::None)
    }),
    method("hash", "(obj, /)", "Return the hash value for the given object.", |vm, args| {
        let value = args.get(vm, 0);
        vm.hash(&value).map(Value::Int)
    }),
    method("id", "(obj, /)", "Return the identity of an object.", |vm, args| {
        Ok(Value::Int(identity(args.peek(vm, 0))))
    }),
    method(
        "isinstance",
        "(obj, class_or_tuple, /)",
        "Return whether an object is an instance of a class.",
        |vm, args| {
            let (object, classes) = (args.get(vm, 0), args.get(vm, 1));
            vm.is_instance_of(&object, &classes).map(Value::Bool)
        },
    ),
    method("issubclass", "(cls, class_or_tuple, /)", "Return whether a class is derived from another.", |vm, args| {
        let (class, classes) = (args.get(vm, 0), args.get(vm, 1));
        vm.is_subclass_of(&class, &classes).map(Value::Bool)
    }),
    method("repr", "(obj, /)", "Return the canonical string representation of the object.", |vm, args| {
        let value = args.get(vm, 0);
        vm.repr(&value).map(|shown| text::value(&shown))
    }),
    method("ascii", "(obj, /)", "Return an ASCII-only representation of an object.", |vm, args| {
        let value = args.get(vm, 0);
        vm.repr(&value).map(|shown| text::value(&text::to_ascii(&shown)))
    }),
    method("format", "(value, format_spec='', /)", "Return value.__format__(format_spec).", |vm, args| {
        let value = args.get(vm, 0);
        let spec = match args.optional(vm, 1) {
            None => text::empty(),
            Some(spec @ Value::Str(_)) => spec,
            Some(other) => {
                return Err(raise::type_error(format!("format() argument 2 must be str, not {}", other.type_name())));
            }
        };
        vm.format(&value, spec.as_str().unwrap_or_default()).map(|shown| text::value(&shown))
    }),
    method("dir", "(*args)", "Names in the current scope, or of an object's attributes.", dir),
    method("vars", "(*args)", "The attributes of an object, or the local names.", vars),
];

/// Whether a value can be called.
pub fn is_callable(value: &Value) -> bool {
    match value {
        Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_) => true,
        other => other.class().lookup(names::CALL).is_some_and(|call| !call.is_none()),
    }
}

/// `id()`: the address, or a number that the value itself gives where it has none.
pub fn identity(value: &Value) -> i64 {
    match value {
        Value::Int(i) => i.wrapping_mul(32).wrapping_add(0x5500_0000_0000),
        Value::Float(f) => (f.to_bits() >> 2) as i64,
        Value::Bool(b) => 0x5600_0000_0000 + i64::from(*b) * 32,
        Value::None | Value::Unset => 0x5600_0000_1000,
        Value::NotImplemented => 0x5600_0000_2000,
        Value::Ellipsis => 0x5600_0000_3000,
        other => other.heap_id().map_or(0, |id| id.address() as i64),
    }
}

fn attribute_name(value: &Value) -> Fallible<Name> {
    match crate::lang::builtins::receiver::payload(value) {
        Value::Str(text) => Ok(Name::new(text.as_str())),
        _ => Err(raise::type_error(format!("attribute name must be string, not '{}'", value.type_name()))),
    }
}

fn getattr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Tuple(given) = args.get(vm, 0) else { return Ok(Value::None) };
    match given.items() {
        [object, name] => {
            let name = attribute_name(name)?;
            vm.get_attribute(object, name)
        }
        [object, name, default] => {
            let name = attribute_name(name)?;
            Ok(vm.find_attribute(object, name)?.unwrap_or_else(|| default.clone()))
        }
        few if few.len() < 2 => {
            Err(raise::type_error(format!("getattr expected at least 2 arguments, got {}", few.len())))
        }
        many => Err(raise::type_error(format!("getattr expected at most 3 arguments, got {}", many.len()))),
    }
}

fn hasattr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (object, name) = (args.get(vm, 0), args.get(vm, 1));
    let name = attribute_name(&name)?;
    Ok(Value::Bool(vm.find_attribute(&object, name)?.is_some()))
}

fn sorted_names(mut names: Vec<Name>) -> Value {
    names.sort_unstable_by_key(|name| name.text());
    names.dedup();
    Value::list(names.into_iter().map(|name| text::value(name.text())).collect())
}

fn dir(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Tuple(given) = args.get(vm, 0) else { return Ok(Value::None) };
    match given.items() {
        [] => {
            let names = vm.local_variables().into_iter().map(|(name, _)| name).collect();
            Ok(sorted_names(names))
        }
        [object] => {
            if let Some(special) = vm.find_special(object, names::DIR)
                && !matches!(&special, Value::Method(method) if matches!(method.function, Value::Native(_)))
            {
                let listed = vm.call(&special, &[])?;
                let mut items = vm.collect(&listed)?;
                crate::lang::builtins::sort::sort(vm, &mut items, None, false)?;
                return Ok(Value::list(items));
            }
            Ok(sorted_names(vm.attribute_names(object)))
        }
        more => Err(raise::type_error(format!("dir expected at most 1 argument, got {}", more.len()))),
    }
}

/// A dict of names and values.
pub fn dict_of(vm: &mut Vm, pairs: Vec<(Name, Value)>) -> Fallible<Value> {
    let dict = Ref::new(DictObject::new(Dict::default()));
    for (name, value) in pairs {
        vm.dict_set(&dict, text::value(name.text()), value)?;
    }
    Ok(Value::Dict(dict))
}

fn vars(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Tuple(given) = args.get(vm, 0) else { return Ok(Value::None) };
    match given.items() {
        [] => super::evaluation::local_names(vm),
        [Value::Module(module)] => Ok(super::namespace::view(module.clone())),
        [object] => match vm.find_attribute(object, names::DICT)? {
            Some(dict) => Ok(dict),
            None => Err(raise::type_error("vars() argument must have __dict__ attribute")),
        },
        more => Err(raise::type_error(format!("vars expected at most 1 argument, got {}", more.len()))),
    }
}
