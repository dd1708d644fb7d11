//! `defaultdict`: a dict that makes missing values. The factory is an attribute, so that a holder path names it.

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::support::{items_of, keywords_of, thread_class, unwrap_payload};
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{Dict, DictObject, InstanceObject, PayloadKind};
use crate::lang::raise::{Fallible, key_error, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

thread_class! {
    /// `collections.defaultdict`
    pub(super) fn default_dict_class() = define_class("defaultdict", "collections", &builtin_class(Builtin::Dict), PayloadKind::Value, METHODS);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, *args, **kwargs)", "Create an empty defaultdict.", |vm, args| {
        empty(&args.get(vm, 0))
    }),
    method(
        "__init__",
        "(self, default_factory=None, /, *args, **kwargs)",
        "The default factory is called without arguments to produce a new value when a key is not present.",
        init,
    ),
    method(
        "__missing__",
        "(self, key, /)",
        "Called by __getitem__ for missing key; pseudo-code:\n  if self.default_factory is None: raise KeyError((key,))\n  self[key] = value = self.default_factory()\n  return value",
        missing,
    ),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let value = args.get(vm, 0);
        let factory = vm.repr(&factory(&value))?;
        let name = value.class().name.get();
        let table = vm.repr(&unwrap_payload(&value))?;
        Ok(format!("{name}({factory}, {table})").into())
    }),
    method("copy", "(self, /)", "D.copy() -> a shallow copy of D.", copy),
    method("__copy__", "(self, /)", "D.copy() -> a shallow copy of D.", copy),
];

fn empty(class: &Value) -> Fallible<Value> {
    let Value::Class(class) = class else {
        return Err(type_error("defaultdict.__new__(X): X is not a type object"));
    };
    let table = Value::Dict(Ref::new(DictObject::new(Dict::default())));
    let instance = InstanceObject::new(class.clone(), table);
    instance.attributes.borrow_mut().insert(Name::new("default_factory"), Value::None);
    Ok(Value::Instance(Ref::new(instance)))
}

fn factory(value: &Value) -> Value {
    match value {
        Value::Instance(instance) => {
            instance.attributes.borrow().get(&Name::new("default_factory")).cloned().unwrap_or(Value::None)
        }
        _ => Value::None,
    }
}

fn init(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (value, factory) = (args.get(vm, 0), args.not_none(vm, 1).unwrap_or(Value::None));
    let is_callable = factory.is_none()
        || matches!(factory, Value::Class(_) | Value::Function(_) | Value::Native(_) | Value::Method(_))
        || vm.find_special(&factory, names::CALL).is_some();
    if !is_callable {
        return Err(type_error("first argument must be callable or None"));
    }
    vm.set_attribute(&value, Name::new("default_factory"), factory)?;
    let (positional, keywords) = (items_of(args.peek(vm, 2)), keywords_of(args.peek(vm, 3)));
    if !positional.is_empty() || !keywords.is_empty() {
        let update = vm.get_attribute(&value, Name::new("update"))?;
        vm.call_with(&update, &positional, &keywords)?;
    }
    Ok(Value::None)
}

fn missing(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (value, key) = (args.get(vm, 0), args.get(vm, 1));
    let factory = factory(&value);
    if factory.is_none() {
        return Err(key_error(key));
    }
    let made = vm.call(&factory, &[])?;
    vm.set_item(&value, &key, made.clone())?;
    Ok(made)
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    vm.call(&Value::Class(value.class()), &[factory(&value), unwrap_payload(&value)])
}
