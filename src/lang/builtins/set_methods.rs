//! The methods of `set` and `frozenset`.

use super::classes::{Builtin, attach, builtin_class};
use super::{dunders, receiver, set, table};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::{SetObject, TupleObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const COMMON: &[Method] = &[
    method("copy", "(self, /)", "Return a shallow copy of a set.", copy),
    method("union", "(self, *others)", "Return the union of sets as a new set.", union),
    method("intersection", "(self, *others)", "Return the intersection of sets as a new set.", intersection),
    method("difference", "(self, *others)", "Return the difference of sets as a new set.", difference),
    method(
        "symmetric_difference",
        "(self, other, /)",
        "Return the elements that are in exactly one of the sets.",
        symmetric_difference,
    ),
    method("isdisjoint", "(self, other, /)", "Return True if two sets have a null intersection.", is_disjoint),
    method("issubset", "(self, other, /)", "Report whether another set contains this set.", is_subset),
    method("issuperset", "(self, other, /)", "Report whether this set contains another set.", is_superset),
];

const MUTABLE: &[Method] = &[
    static_method("__new__", "(cls, *args, **kwargs)", "Create an empty set.", new_set),
    method("__init__", "(self, iterable=(), /)", "Initialize self from the items of iterable.", init),
    method("add", "(self, item, /)", "Add an element to a set.", add),
    method("remove", "(self, item, /)", "Remove an element, which must be a member.", remove),
    method("discard", "(self, item, /)", "Remove an element if it is a member.", discard),
    method("pop", "(self, /)", "Remove and return an arbitrary element.", pop),
    method("clear", "(self, /)", "Remove all elements.", clear),
    method("update", "(self, *others)", "Update a set with the union of itself and others.", update),
    method(
        "intersection_update",
        "(self, *others)",
        "Update a set with the intersection of itself and others.",
        intersection_update,
    ),
    method("difference_update", "(self, *others)", "Remove all elements of other sets.", difference_update),
    method(
        "symmetric_difference_update",
        "(self, other, /)",
        "Update a set with the symmetric difference of itself and another.",
        symmetric_difference_update,
    ),
];

const FROZEN: &[Method] =
    &[static_method("__new__", "(cls, iterable=(), /)", "Create a frozenset of the items of iterable.", new_frozen)];

/// Attaches the methods.
pub fn install() {
    for (builtin, own) in [(Builtin::Set, MUTABLE), (Builtin::FrozenSet, FROZEN)] {
        let class = builtin_class(builtin);
        attach(&class, COMMON);
        attach(&class, own);
        dunders::attach_set(&class);
        super::generic_alias::attach_to(&class);
    }
    dunders::mark_unhashable(&builtin_class(Builtin::Set));
}

fn new_set(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver::derive(vm, args, Builtin::Set, Value::Set(set::empty(false)))
}

fn new_frozen(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = match args.optional(vm, 1) {
        None => set::empty(true),
        Some(Value::Set(same)) if same.frozen => same,
        Some(iterable) => set::from_iterable(vm, &iterable, true)?,
    };
    receiver::derive(vm, args, Builtin::FrozenSet, Value::Set(value))
}

fn init(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    table::set_clear(&set);
    if let Some(iterable) = args.optional(vm, 1) {
        set::update(vm, &set, &iterable)?;
    }
    Ok(Value::None)
}

fn others(vm: &Vm, args: Args) -> Option<Ref<TupleObject>> {
    match args.peek(vm, 1) {
        Value::Tuple(others) => Some(others.clone()),
        _ => None,
    }
}

fn each_other(vm: &mut Vm, args: Args, mut step: impl FnMut(&mut Vm, &Value) -> Fallible<()>) -> Fallible<()> {
    if let Some(others) = others(vm, args) {
        for other in others.items() {
            step(vm, other)?;
        }
    }
    Ok(())
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    if set.frozen {
        return Ok(Value::Set(set));
    }
    Ok(Value::Set(set::copied(&set, false)))
}

fn add(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    let item = args.get(vm, 1);
    table::set_add(vm, &set, item)?;
    Ok(Value::None)
}

/// Removes an item; a set as the item is looked up as the frozenset it equals.
fn remove_item(vm: &mut Vm, set: &Ref<SetObject>, item: &Value) -> Fallible<bool> {
    if let Value::Set(inner) = item
        && !inner.frozen
    {
        let frozen = Value::Set(set::copied(inner, true));
        return table::set_remove(vm, set, &frozen);
    }
    table::set_remove(vm, set, item)
}

fn remove(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    let item = args.get(vm, 1);
    if remove_item(vm, &set, &item)? { Ok(Value::None) } else { Err(raise::key_error(item)) }
}

fn discard(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    let item = args.get(vm, 1);
    remove_item(vm, &set, &item)?;
    Ok(Value::None)
}

fn pop(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    set::arrange(&set);
    let first = table::entry_from(&set.table, 0).map(|(position, _)| position);
    match first.and_then(|position| table::set_remove_at(&set, position)) {
        Some(entry) => Ok(entry.key),
        None => Err(raise::key_error(Value::str("pop from an empty set"))),
    }
}

fn clear(vm: &mut Vm, args: Args) -> Fallible<Value> {
    table::set_clear(&*receiver::set(vm, args)?);
    Ok(Value::None)
}

fn update(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    each_other(vm, args, |vm, other| set::update(vm, &set, &receiver::payload(other)))?;
    Ok(Value::None)
}

fn union(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    let result = set::copied(&set, set.frozen);
    each_other(vm, args, |vm, other| set::update(vm, &result, &receiver::payload(other)))?;
    Ok(Value::Set(result))
}

/// An operation of two sets; the truth says whether the result is frozen.
type Operation = fn(&mut Vm, &Ref<SetObject>, &Ref<SetObject>, bool) -> Fallible<Ref<SetObject>>;

fn folded(vm: &mut Vm, args: Args, step: Operation) -> Fallible<Ref<SetObject>> {
    let set = receiver::set(vm, args)?;
    let mut result = set::copied(&set, set.frozen);
    each_other(vm, args, |vm, other| {
        let other = set::as_set(vm, other)?;
        result = step(vm, &result, &other, set.frozen)?;
        Ok(())
    })?;
    Ok(result)
}

fn intersection(vm: &mut Vm, args: Args) -> Fallible<Value> {
    folded(vm, args, set::intersection).map(Value::Set)
}

fn difference(vm: &mut Vm, args: Args) -> Fallible<Value> {
    folded(vm, args, set::difference).map(Value::Set)
}

fn intersection_update(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let result = folded(vm, args, set::intersection)?;
    set::replace_with(&*receiver::set(vm, args)?, &result);
    Ok(Value::None)
}

fn difference_update(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let set = receiver::set(vm, args)?;
    each_other(vm, args, |vm, other| {
        let other = set::as_set(vm, other)?;
        set::subtract(vm, &set, &other)
    })?;
    Ok(Value::None)
}

fn with_other(vm: &mut Vm, args: Args) -> Fallible<(Ref<SetObject>, Ref<SetObject>)> {
    let set = receiver::set(vm, args)?;
    let other = args.get(vm, 1);
    let other = set::as_set(vm, &other)?;
    Ok((set, other))
}

fn symmetric_difference(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (set, other) = with_other(vm, args)?;
    set::symmetric_difference(vm, &set, &other, set.frozen).map(Value::Set)
}

fn symmetric_difference_update(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (set, other) = with_other(vm, args)?;
    set::toggle(vm, &set, &other)?;
    Ok(Value::None)
}

fn is_disjoint(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (set, other) = with_other(vm, args)?;
    set::is_disjoint(vm, &set, &other).map(Value::Bool)
}

fn is_subset(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (set, other) = with_other(vm, args)?;
    set::is_subset(vm, &set, &other).map(Value::Bool)
}

fn is_superset(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (set, other) = with_other(vm, args)?;
    set::is_subset(vm, &other, &set).map(Value::Bool)
}
