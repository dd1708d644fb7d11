//! What `self` is in a method of a built-in type: the value itself, or the one that an instance of a derived class carries.

use super::classes::{Builtin, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::native::Args;
use crate::lang::objects::{
    ByteArrayObject, ClassObject, DictObject, InstanceObject, ListObject, SetObject, StrObject, TupleObject,
};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The built-in value behind `value`: what an instance of `class Stack(list)` carries, else the value itself.
#[inline]
pub fn payload(value: &Value) -> Value {
    if let Value::Instance(instance) = value {
        let inner = instance.payload.borrow();
        if !inner.is_unset() {
            return inner.clone();
        }
    }
    value.clone()
}

/// `TypeError: descriptor 'append' for 'list' objects doesn't apply to a 'int' object`
#[cold]
pub fn wrong(args: Args, value: &Value, class: &str) -> Raised {
    let (name, given) = (args.name, value.type_name());
    if name.starts_with("__") {
        return raise::type_error(format!("descriptor '{name}' requires a '{class}' object but received a '{given}'"));
    }
    raise::type_error(format!("descriptor '{name}' for '{class}' objects doesn't apply to a '{given}' object"))
}

macro_rules! receivers {
    ($($function:ident, $variant:ident, $object:ty, $name:literal;)*) => {
        $(
            #[doc = concat!("`self` of a method of `", $name, "`.")]
            #[inline]
            pub fn $function(vm: &Vm, args: Args) -> Fallible<Ref<$object>> {
                match args.peek(vm, 0) {
                    Value::$variant(object) => Ok(object.clone()),
                    other => match payload(other) {
                        Value::$variant(object) => Ok(object),
                        _ => Err(wrong(args, other, $name)),
                    },
                }
            }
        )*
    };
}

receivers! {
    list, List, ListObject, "list";
    tuple, Tuple, TupleObject, "tuple";
    dict, Dict, DictObject, "dict";
    set, Set, SetObject, "set";
    text, Str, StrObject, "str";
    bytearray, ByteArray, ByteArrayObject, "bytearray";
}

/// `self` of a numeric method, as the built-in number it is or carries.
pub fn number(vm: &Vm, args: Args, class: &str) -> Fallible<Value> {
    let value = payload(args.peek(vm, 0));
    let fits = match class {
        "int" => matches!(value, Value::Int(_) | Value::Big(_) | Value::Bool(_)),
        "float" => matches!(value, Value::Float(_)),
        "complex" => matches!(value, Value::Complex(_)),
        _ => false,
    };
    if fits { Ok(value) } else { Err(wrong(args, &value, class)) }
}

/// What `__new__` answers: the built-in value itself, or an instance of the derived class that was asked for, carrying it.
pub fn derive(vm: &Vm, args: Args, base: Builtin, value: Value) -> Fallible<Value> {
    let base = builtin_class(base);
    match args.peek(vm, 0) {
        Value::Class(class) if Ref::ptr_eq(class, &base) => Ok(value),
        Value::Class(class) if ClassObject::is_subclass_of(class, &base) => {
            Ok(Value::Instance(Ref::new(InstanceObject::new(class.clone(), value))))
        }
        Value::Class(class) => Err(raise::type_error(format!(
            "{0}.__new__({1}): {1} is not a subtype of {0}",
            base.name.get(),
            class.name.get()
        ))),
        other => Err(raise::type_error(format!(
            "{}.__new__(X): X is not a type object ({})",
            base.name.get(),
            other.type_name()
        ))),
    }
}
