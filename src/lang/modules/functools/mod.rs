//! `functools`: what must be fast or seen by the holder walk is here (`partial`, `lru_cache`, `reduce`, `cmp_to_key`); the rest is
//! written in the language itself (`py/functools.py`) on top of this module, `_functools`.

mod cache;
mod partial;

pub use partial::partial_class;

use std::cell::RefCell;

use super::support::{Typed, new_module, thread_class};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, ModuleObject, NativeData, PayloadKind};
use crate::lang::operators::CompareOperator;
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// Builds `_functools`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module(
        "_functools",
        "Tools that operate on functions.",
        &[
            method(
                "reduce",
                "(function, iterable, initial=None, /)",
                "Apply a function of two arguments cumulatively to the items of an iterable, from left to right, so as to reduce the iterable to a single value.",
                reduce,
            ),
            method("cmp_to_key", "(mycmp)", "Convert a cmp= function into a key= function.", cmp_to_key),
            method(
                "_lru_cache_wrapper",
                "(user_function, maxsize, typed, cache_info_type)",
                "Wraps a function with a cache of its results.",
                cache::wrap,
            ),
        ],
    );
    module.set(Name::new("partial"), Value::Class(partial_class()));
    Ok(module)
}

fn reduce(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let function = args.get(vm, 0);
    let iterable = args.get(vm, 1);
    let iterator = vm.iter(&iterable)?;
    let mut result = args.get(vm, 2);
    while let Some(item) = vm.next(&iterator)? {
        result = if result.is_unset() { item } else { vm.call(&function, &[result, item])? };
    }
    result.given().ok_or_else(|| type_error("reduce() of empty iterable with no initial value"))
}

/// A value that compares as an old-style comparison function says.
#[derive(Debug)]
struct Key {
    compare: Value,
    object: RefCell<Value>,
}

thread_class! {
    fn key_class() = define_class("KeyWrapper", "functools", &builtin_class(Builtin::Object), PayloadKind::Sealed, KEY);
}

const KEY: &[Method] = &[
    method("__call__", "(self, obj)", "Wraps obj.", |vm, args| {
        let compare = Typed::<Key>::receiver(vm, args, "KeyWrapper")?.compare.clone();
        Ok(Value::object(Key { compare, object: RefCell::new(args.get(vm, 1)) }))
    }),
    getter("obj", "Value wrapped by a key function.", |vm, args| {
        let key = Typed::<Key>::receiver(vm, args, "KeyWrapper")?;
        let object = key.object.borrow().clone();
        Ok(object.given().unwrap_or(Value::None))
    }),
    method("__lt__", "(self, other, /)", "Return self<value.", compare_keys).with_row(CompareOperator::Less as usize),
    method("__le__", "(self, other, /)", "Return self<=value.", compare_keys)
        .with_row(CompareOperator::LessEqual as usize),
    method("__gt__", "(self, other, /)", "Return self>value.", compare_keys)
        .with_row(CompareOperator::Greater as usize),
    method("__ge__", "(self, other, /)", "Return self>=value.", compare_keys)
        .with_row(CompareOperator::GreaterEqual as usize),
    method("__eq__", "(self, other, /)", "Return self==value.", compare_keys).with_row(CompareOperator::Equal as usize),
    method("__ne__", "(self, other, /)", "Return self!=value.", compare_keys)
        .with_row(CompareOperator::NotEqual as usize),
];

impl NativeData for Key {
    fn class(&self) -> ClassRef {
        key_class()
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Callable, &self.compare);
        let object = self.object.borrow();
        if !object.is_unset() {
            visit(Edge::Base, &object);
        }
    }
    fn take_children(&self, into: &mut Vec<Value>) {
        into.push(self.object.take());
    }
}

fn compare_keys(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let left = Typed::<Key>::receiver(vm, args, "KeyWrapper")?;
    let Some(right) = Typed::<Key>::of(args.peek(vm, 1)) else {
        return Err(type_error("other argument must be K instance"));
    };
    let (a, b) = (left.object.borrow().clone(), right.object.borrow().clone());
    let order = vm.call(&left.compare, &[a, b])?;
    let operator = [
        CompareOperator::Equal,
        CompareOperator::NotEqual,
        CompareOperator::Less,
        CompareOperator::LessEqual,
        CompareOperator::Greater,
        CompareOperator::GreaterEqual,
    ][args.row];
    vm.compare(operator, &order, &Value::Int(0))
}

fn cmp_to_key(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(Value::object(Key { compare: args.get(vm, 0), object: RefCell::default() }))
}

/// Copies what a wrapper shows of the function it wraps.
fn copy_identity(vm: &mut Vm, from: &Value, names_of: &[Name]) -> Vec<(Name, Value)> {
    names_of.iter().filter_map(|name| Some((*name, vm.find_attribute(from, *name).ok()??))).collect()
}

const IDENTITY: [Name; 4] = [names::NAME, names::QUALNAME, names::MODULE, names::DOC];
