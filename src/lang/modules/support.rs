//! What the modules share: building a module object, reading arguments as Rust data, classes of native objects.
//!
//! It knows the machine's interface only, no module in particular.

use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;

use num_bigint::BigInt;

use crate::lang::builtins::classes::attach;
use crate::lang::builtins::receiver::wrong;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassRef, InstanceObject, ModuleObject, NativeData, NativeObject};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A module with its documentation and a table of functions.
pub fn new_module(name: &str, doc: &str, functions: &[Method]) -> Ref<ModuleObject> {
    let module_name = Name::new(name);
    let module = Ref::new(ModuleObject::new(module_name));
    module.set(names::NAME, Value::str(name));
    module.set(names::DOC, Value::str(doc));
    for function in functions {
        module.set(Name::new(function.name), Value::Native(function.build(None, Some(module_name))));
    }
    module
}

/// Binds a name in a module.
pub fn set(module: &Ref<ModuleObject>, name: &str, value: impl Into<Value>) {
    module.set(Name::new(name), value.into());
}

/// The built-in value inside an instance of a class that derives from a built-in one; any other value as it is.
pub fn unwrap_payload(value: &Value) -> Value {
    if let Value::Instance(instance) = value {
        let payload = instance.payload.borrow();
        if !payload.is_unset() {
            return payload.clone();
        }
    }
    value.clone()
}

/// The text of a `str` or of an instance of a class that derives from it.
pub fn text_of(value: &Value) -> Option<Rc<str>> {
    match value {
        Value::Str(text) => Some(text.as_str().into()),
        Value::Instance(_) => unwrap_payload(value).as_str().map(Into::into),
        _ => None,
    }
}

/// The bytes of a `bytes` or `bytearray`.
pub fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    match unwrap_payload(value) {
        Value::Bytes(bytes) => Some(bytes.as_bytes().to_vec()),
        Value::ByteArray(bytes) => Some(bytes.data.borrow().clone()),
        _ => None,
    }
}

/// An integer of any width from a value with `__index__`.
pub fn integer(vm: &mut Vm, value: &Value) -> Fallible<BigInt> {
    match unwrap_payload(value) {
        Value::Int(number) => Ok(number.into()),
        Value::Bool(truth) => Ok(i64::from(truth).into()),
        Value::Big(number) => Ok(number.value().clone()),
        other => match vm.find_special(&other, names::INDEX) {
            Some(method) => match vm.call(&method, &[])? {
                Value::Int(number) => Ok(number.into()),
                Value::Bool(truth) => Ok(i64::from(truth).into()),
                Value::Big(number) => Ok(number.value().clone()),
                wrong => Err(type_error(format!("__index__ returned non-int (type {})", wrong.type_name()))),
            },
            None => Err(type_error(format!("'{}' object cannot be interpreted as an integer", other.type_name()))),
        },
    }
}

/// The exact integer when the value is an `int` (or `bool`), without calling anything.
pub fn exact_int(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some((*number).into()),
        Value::Bool(truth) => Some(i64::from(*truth).into()),
        Value::Big(number) => Some(number.value().clone()),
        _ => None,
    }
}

/// The items of a `*args` parameter.
pub fn items_of(value: &Value) -> Vec<Value> {
    match value {
        Value::Tuple(tuple) => tuple.items().to_vec(),
        Value::List(list) => list.items.borrow().clone(),
        _ => Vec::new(),
    }
}

/// The pairs of a `**kwargs` parameter.
pub fn keywords_of(value: &Value) -> Vec<(Name, Value)> {
    match value {
        Value::Dict(dict) => dict
            .table
            .borrow()
            .iter()
            .filter_map(|(_, entry)| Some((Name::new(entry.key.as_str()?), entry.value.clone())))
            .collect(),
        _ => Vec::new(),
    }
}

/// A native object seen as its data type; it keeps the object alive.
pub struct Typed<T> {
    object: Ref<NativeObject>,
    data: PhantomData<T>,
}

impl<T: NativeData> Typed<T> {
    /// The object's data, when it is of this type; looks through instances of deriving classes.
    pub fn of(value: &Value) -> Option<Self> {
        match unwrap_payload(value) {
            Value::Object(object) if object.downcast::<T>().is_some() => Some(Self { object, data: PhantomData }),
            _ => None,
        }
    }

    /// Parameter 0 as the receiver of a method of `class`.
    pub fn receiver(vm: &Vm, args: Args, class: &str) -> Fallible<Self> {
        let value = args.peek(vm, 0);
        Self::of(value).ok_or_else(|| wrong(args, value, class))
    }
}

impl<T: NativeData> Deref for Typed<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.object.downcast().expect("checked when it was made")
    }
}

/// The object that `__new__` answers: the native object itself, or an instance of a deriving class around it.
pub fn instantiate(class: &Value, own: &ClassRef, data: Value) -> Fallible<Value> {
    match class {
        Value::Class(class) if Ref::ptr_eq(class, own) => Ok(data),
        Value::Class(class) => Ok(Value::Instance(Ref::new(InstanceObject::new(class.clone(), data)))),
        other => {
            Err(type_error(format!("{}.__new__(X): X is not a type object ({})", own.name.get(), other.type_name())))
        }
    }
}

/// Attaches `__iter__` and `__next__` to the class of a native iterator.
pub fn attach_iterator(class: &ClassRef) {
    attach(class, ITERATOR);
}

const ITERATOR: &[Method] = &[
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| Ok(args.get(vm, 0))),
    method("__next__", "(self, /)", "Implement next(self).", |vm, args| {
        let Value::Object(object) = unwrap_payload(args.peek(vm, 0)) else {
            return Err(type_error(format!("'{}' object is not an iterator", args.peek(vm, 0).type_name())));
        };
        match object.data().next(vm)? {
            Some(item) => Ok(item),
            None => Err(crate::lang::raise::stop_iteration(Value::None)),
        }
    }),
];

/// Declares a function that answers a class made once a thread: `thread_class!(pub fn deque_class() = define_class(...));`
macro_rules! thread_class {
    ($(#[$doc:meta])* $visibility:vis fn $function:ident() = $build:expr;) => {
        $(#[$doc])*
        $visibility fn $function() -> crate::lang::objects::ClassRef {
            thread_local! {
                static CLASS: crate::lang::objects::ClassRef = $build;
            }
            CLASS.with(Clone::clone)
        }
    };
}
pub(crate) use thread_class;
