//! `functools.partial`: a callable that keeps a function and arguments, and shows them to the holder walk as such.

use std::cell::RefCell;

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::support::{Typed, instantiate, items_of, keywords_of, thread_class};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{Attributes, ClassRef, Dict, DictObject, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

#[derive(Debug)]
struct Partial {
    held: RefCell<Held>,
    attributes: RefCell<Attributes>,
}

#[derive(Debug, Default, Clone)]
struct Held {
    function: Value,
    arguments: Vec<Value>,
    keywords: Vec<(Name, Value)>,
}

thread_class! {
    /// The class `partial`.
    pub fn partial_class() = define_class("partial", "functools", &builtin_class(Builtin::Object), PayloadKind::Value, METHODS);
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, /, *args, **keywords)",
        "partial(func, *args, **keywords) - new function with partial application\n    of the given arguments and keywords.",
        new,
    ),
    method("__call__", "(self, /, *args, **kwargs)", "Call self as a function.", call),
    method("__repr__", "(self, /)", "Return repr(self).", repr),
    getter("func", "function object to use in future partial calls", |vm, args| Ok(held(vm, args)?.function)),
    getter("args", "tuple of arguments to future partial calls", |vm, args| {
        Ok(Value::tuple(held(vm, args)?.arguments))
    }),
    getter("keywords", "dictionary of keyword arguments to future partial calls", |vm, args| {
        let keywords = held(vm, args)?.keywords;
        let dict = Ref::new(DictObject::new(Dict::default()));
        for (name, value) in keywords {
            vm.dict_set(&dict, Value::str(name.text()), value)?;
        }
        Ok(Value::Dict(dict))
    }),
];

impl NativeData for Partial {
    fn class(&self) -> ClassRef {
        partial_class()
    }
    fn attributes(&self) -> Option<&RefCell<Attributes>> {
        Some(&self.attributes)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        let held = self.held.borrow();
        if !held.function.is_unset() {
            visit(Edge::Callable, &held.function);
        }
        held.arguments.iter().enumerate().for_each(|(index, value)| visit(Edge::Argument(index), value));
        held.keywords.iter().for_each(|(name, value)| visit(Edge::Default(*name), value));
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        let held = self.held.take();
        into.push(held.function);
        into.extend(held.arguments);
        into.extend(held.keywords.into_iter().map(|(_, value)| value));
    }
}

fn held(vm: &Vm, args: Args) -> Fallible<Held> {
    Ok(Typed::<Partial>::receiver(vm, args, "partial")?.held.borrow().clone())
}

/// The keywords of `before` with those of `after` over them.
fn merged(before: Vec<(Name, Value)>, after: Vec<(Name, Value)>) -> Vec<(Name, Value)> {
    let mut all: Attributes = before.into_iter().collect();
    all.extend(after);
    all.into_iter().collect()
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut positional = items_of(args.peek(vm, 1)).into_iter();
    let Some(function) = positional.next() else {
        return Err(type_error("type 'partial' takes at least one argument"));
    };
    let is_callable = matches!(function, Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_))
        || vm.find_special(&function, crate::lang::name::names::CALL).is_some();
    if !is_callable {
        return Err(type_error("the first argument must be callable"));
    }
    let own = Held { function, arguments: positional.collect(), keywords: keywords_of(args.peek(vm, 2)) };
    // A partial of a partial is one partial.
    let flat = match Typed::<Partial>::of(&own.function) {
        Some(inner) => {
            let mut inner = inner.held.borrow().clone();
            inner.arguments.extend(own.arguments);
            inner.keywords = merged(inner.keywords, own.keywords);
            inner
        }
        None => own,
    };
    instantiate(
        &args.get(vm, 0),
        &partial_class(),
        Value::object(Partial { held: RefCell::new(flat), attributes: RefCell::default() }),
    )
}

fn call(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut held = held(vm, args)?;
    held.arguments.extend(items_of(args.peek(vm, 1)));
    let keywords = keywords_of(args.peek(vm, 2));
    if keywords.is_empty() && held.keywords.is_empty() {
        return vm.call(&held.function, &held.arguments);
    }
    let keywords = merged(held.keywords, keywords);
    vm.call_with(&held.function, &held.arguments, &keywords)
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let held = held(vm, args)?;
    let class = args.peek(vm, 0).class();
    let mut text = if Ref::ptr_eq(&class, &partial_class()) {
        "functools.partial(".to_owned()
    } else {
        format!("{}(", class.qualname.borrow())
    };
    text.push_str(&vm.repr(&held.function)?);
    for value in &held.arguments {
        text.push_str(", ");
        text.push_str(&vm.repr(value)?);
    }
    for (name, value) in &held.keywords {
        text.push_str(&format!(", {name}={}", vm.repr(value)?));
    }
    text.push(')');
    Ok(text.into())
}
