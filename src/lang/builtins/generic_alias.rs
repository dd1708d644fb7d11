//! `list[int]` and its like: values that annotations make and that print.

use super::classes::{attach, builtin_class, define_class};
use super::{classes::Builtin, receiver};
use crate::lang::native::{Args, Method, class_method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::Fallible;
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// A class with its type arguments.
#[derive(Debug)]
pub struct GenericAlias {
    /// `__origin__`
    pub origin: Value,
    /// `__args__`, a tuple.
    pub args: Value,
}

impl NativeData for GenericAlias {
    fn class(&self) -> ClassRef {
        CLASS.with(Clone::clone)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Other("origin"), &self.origin);
        visit(Edge::Other("args"), &self.args);
    }
}

thread_local! {
    static CLASS: ClassRef =
        define_class("GenericAlias", "types", &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, origin, args, /)", "A class with type arguments.", |vm, args| {
        Ok(make(args.get(vm, 1), args.get(vm, 2)))
    }),
    getter("__origin__", "The class.", |vm, args| Ok(alias(vm, args)?.0)),
    getter("__args__", "The type arguments.", |vm, args| Ok(alias(vm, args)?.1)),
    method("__repr__", "(self, /)", "Return repr(self).", repr),
    method("__call__", "(self, *args, **kwargs)", "Call the class.", call),
    method("__eq__", "(self, value, /)", "Return self==value.", equal),
    method("__hash__", "(self, /)", "Return hash(self).", hash),
];

const CLASS_GETITEM: &[Method] =
    &[class_method("__class_getitem__", "(cls, item, /)", "The class with these type arguments.", class_getitem)];

/// Gives a class `__class_getitem__`.
pub fn attach_to(class: &ClassRef) {
    attach(class, CLASS_GETITEM);
}

/// The alias `origin[item]`.
pub fn make(origin: Value, item: Value) -> Value {
    let args = if matches!(item, Value::Tuple(_)) { item } else { Value::tuple([item]) };
    Value::object(GenericAlias { origin, args })
}

fn class_getitem(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(make(args.get(vm, 0), args.get(vm, 1)))
}

fn alias(vm: &Vm, args: Args) -> Fallible<(Value, Value)> {
    match args.peek(vm, 0) {
        Value::Object(object) => match object.downcast::<GenericAlias>() {
            Some(alias) => Ok((alias.origin.clone(), alias.args.clone())),
            None => Err(receiver::wrong(args, args.peek(vm, 0), "types.GenericAlias")),
        },
        other => Err(receiver::wrong(args, other, "types.GenericAlias")),
    }
}

/// A type argument as the alias shows it: classes by their name.
fn shown(vm: &mut Vm, value: &Value) -> Fallible<String> {
    match value {
        Value::Class(class) => {
            let qualname = class.qualname.borrow().to_string();
            let module = class.module.get().text();
            Ok(if module == "builtins" { qualname } else { format!("{module}.{qualname}") })
        }
        Value::Ellipsis => Ok("...".to_owned()),
        other => vm.repr(other).map(|text| text.to_string()),
    }
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (origin, items) = alias(vm, args)?;
    let mut text = shown(vm, &origin)?;
    text.push('[');
    if let Value::Tuple(items) = &items {
        for (index, item) in items.items().iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            text.push_str(&shown(vm, item)?);
        }
        if items.items().is_empty() {
            text.push_str("()");
        }
    }
    text.push(']');
    Ok(Value::str(text))
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (origin, _) = alias(vm, args)?;
    let positional = match args.get(vm, 1) {
        Value::Tuple(items) => items.items().to_vec(),
        _ => vec![],
    };
    let keywords = super::dict::keyword_pairs(&args.get(vm, 2));
    vm.call_with(&origin, &positional, &keywords)
}

fn equal(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (origin, items) = alias(vm, args)?;
    let Value::Object(other) = args.get(vm, 1) else { return Ok(Value::NotImplemented) };
    let Some(other) = other.downcast::<GenericAlias>() else { return Ok(Value::NotImplemented) };
    Ok(Value::Bool(origin.is_same(&other.origin) && vm.equals(&items, &other.args)?))
}

fn hash(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (origin, items) = alias(vm, args)?;
    Ok(Value::Int(vm.hash(&origin)? ^ vm.hash(&items)?))
}
