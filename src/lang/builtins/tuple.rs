//! `tuple`: its methods.

use super::classes::{Builtin, attach, builtin_class};
use super::{dunders, equality, receiver};
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, iterable=(), /)", "Create a tuple of the items of iterable.", new),
    method("index", "(self, value, start=0, stop=9223372036854775807, /)", "Return first index of value.", index),
    method("count", "(self, value, /)", "Return number of occurrences of value.", count),
    method("__getnewargs__", "(self, /)", "Arguments for a copy.", |vm, args| {
        Ok(Value::tuple([Value::Tuple(receiver::tuple(vm, args)?)]))
    }),
];

thread_local! {
    static EMPTY: Value = Value::tuple([]);
}

/// The shared empty tuple.
pub fn empty() -> Value {
    EMPTY.with(Value::clone)
}

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Tuple);
    attach(&class, METHODS);
    dunders::attach_sequence(&class);
    super::generic_alias::attach_to(&class);
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let tuple = match args.optional(vm, 1) {
        None => empty(),
        Some(tuple @ Value::Tuple(_)) => tuple,
        Some(iterable) => {
            let items = vm.collect(&iterable)?;
            if items.is_empty() { empty() } else { Value::tuple(items) }
        }
    };
    receiver::derive(vm, args, Builtin::Tuple, tuple)
}

/// The position of the first item equal to `value`.
pub fn find(vm: &mut Vm, items: &[Value], value: &Value) -> Fallible<Option<usize>> {
    for (index, item) in items.iter().enumerate() {
        let same = match equality::quick(item, value) {
            Some(same) => same,
            None => vm.equals(item, value)?,
        };
        if same {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

fn index(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let tuple = receiver::tuple(vm, args)?;
    let value = args.get(vm, 1);
    let len = tuple.items().len();
    let (start, stop) = super::list::search_bounds(vm, args, 2, len)?;
    let stop = stop.min(len);
    let start = start.min(stop);
    match find(vm, &tuple.items()[start..stop], &value)? {
        Some(at) => Ok(Value::from(start + at)),
        None => Err(raise::value_error("tuple.index(x): x not in tuple")),
    }
}

fn count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let tuple = receiver::tuple(vm, args)?;
    let value = args.get(vm, 1);
    let (mut found, mut rest) = (0, tuple.items());
    while let Some(at) = find(vm, rest, &value)? {
        found += 1;
        rest = &rest[at + 1..];
    }
    Ok(Value::Int(found))
}
