//! Iteration: `iter`, `next`, `len`, `all`, `any`, `sorted`, and the classes `enumerate`, `zip`, `map`, `filter`, `reversed`.

use crate::lang::builtins::classes::{Builtin, attach, builtin_class};
use crate::lang::builtins::{convert, dict, dunders, iterators, receiver, sort};
use crate::lang::name::names;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::objects::IteratorState;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::{Step, Vm};

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method("iter", "(iterable, sentinel=..., /)", "iter(iterable) or iter(callable, sentinel): get an iterator.", iter)
        .apart_from_arrays(),
    method("next", "(iterator, default=..., /)", "next(iterator[, default]): the next item.", next).apart_from_arrays(),
    method("len", "(obj, /)", "Return the number of items in a container.", len),
    method("all", "(iterable, /)", "Return True if bool(x) is True for all values x in the iterable.", |vm, args| {
        truths(vm, args, false)
    }),
    method("any", "(iterable, /)", "Return True if bool(x) is True for any x in the iterable.", |vm, args| {
        truths(vm, args, true)
    }),
    method(
        "sorted",
        "(iterable, /, *, key=None, reverse=False)",
        "Return a new list containing all items from the iterable in ascending order.",
        sorted,
    ),
];

const ENUMERATE: &[Method] =
    &[static_method("__new__", "(cls, iterable, start=0)", "Pairs of a count and an item.", enumerate)];
const ZIP: &[Method] = &[static_method("__new__", "(cls, *iterables, strict=False)", "Tuples of one item each.", zip)];
const MAP: &[Method] =
    &[static_method("__new__", "(cls, *args)", "map(func, *iterables): what func answers for each item.", map)];
const FILTER: &[Method] =
    &[static_method("__new__", "(cls, *args)", "filter(function or None, iterable): the items it accepts.", filter)];
const REVERSED: &[Method] =
    &[static_method("__new__", "(cls, sequence, /)", "A reverse iterator over a sequence.", reversed)];

/// Attaches the constructors of the lazy classes.
pub fn install() {
    for (class, methods) in [
        (Builtin::Enumerate, ENUMERATE),
        (Builtin::Zip, ZIP),
        (Builtin::Map, MAP),
        (Builtin::Filter, FILTER),
        (Builtin::Reversed, REVERSED),
    ] {
        attach(&builtin_class(class), methods);
    }
}

fn positional(vm: &Vm, args: Args, index: usize) -> Vec<Value> {
    match args.peek(vm, index) {
        Value::Tuple(items) => items.items().to_vec(),
        _ => vec![],
    }
}

fn iter(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = args.get(vm, 0);
    let Some(sentinel) = args.optional(vm, 1) else { return vm.iter(&source) };
    if !super::objects::is_callable(&source) {
        return Err(raise::type_error("iter(v, w): v must be callable"));
    }
    Ok(iterators::make(IteratorState::Sentinel(source, sentinel)))
}

fn next(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = args.get(vm, 0);
    // An iterator of a class raises its own StopIteration, with its value, and that is what the caller gets.
    let result = match &iterator {
        Value::Instance(_) => match vm.find_special(&iterator, names::NEXT) {
            Some(special) => vm.call(&special, &[]).map(Step::Yielded),
            None => vm.next_or_result(&iterator),
        },
        _ => vm.next_or_result(&iterator),
    };
    match result {
        Ok(Step::Yielded(item)) => Ok(item),
        Ok(Step::Returned(value)) => args.optional(vm, 1).ok_or_else(|| raise::stop_iteration(value)),
        Err(error) if error.is(Builtin::StopIteration) => args.optional(vm, 1).ok_or(error),
        Err(error) => Err(error),
    }
}

fn len(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    vm.len(&value).map(Value::from)
}

fn truths(vm: &mut Vm, args: Args, wanted: bool) -> Fallible<Value> {
    let iterable = args.get(vm, 0);
    let iterator = vm.iter(&iterable)?;
    vm.protect(iterator.clone());
    let mut steps = 0u32;
    while let Some(item) = iterators::next_of(vm, &iterator)? {
        if vm.truth(&item)? == wanted {
            return Ok(Value::Bool(wanted));
        }
        steps = steps.wrapping_add(1);
        if steps.is_multiple_of(8192) {
            vm.poll()?;
        }
    }
    Ok(Value::Bool(!wanted))
}

fn sorted(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterable = args.get(vm, 0);
    let mut items = vm.collect(&iterable)?;
    let key = args.not_none(vm, 1);
    let reverse = match args.optional(vm, 2) {
        Some(value) => convert::index_c_int(vm, &value)? != 0,
        None => false,
    };
    sort::sort(vm, &mut items, key.as_ref(), reverse)?;
    Ok(Value::list(items))
}

fn enumerate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterable = args.get(vm, 1);
    let start = match args.optional(vm, 2) {
        Some(start) => convert::index_value(vm, &start)?,
        None => Value::Int(0),
    };
    let iterator = vm.iter(&iterable)?;
    Ok(iterators::make(IteratorState::Enumerate(iterator, start)))
}

fn zip(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let strict = args.truth_or(vm, 2, false)?;
    let mut sources = Vec::new();
    for iterable in &positional(vm, args, 1) {
        sources.push(vm.iter(iterable)?);
    }
    Ok(iterators::make(IteratorState::Zip(sources, strict)))
}

fn map(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let given = positional(vm, args, 1);
    let Some((function, iterables)) = given.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Err(raise::type_error("map() must have at least two arguments."));
    };
    let mut sources = Vec::new();
    for iterable in iterables {
        sources.push(vm.iter(iterable)?);
    }
    Ok(iterators::make(IteratorState::Map(function.clone(), sources)))
}

fn filter(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let given = positional(vm, args, 1);
    let [function, iterable] = given.as_slice() else {
        return Err(raise::type_error(format!("filter expected 2 arguments, got {}", given.len())));
    };
    let source = vm.iter(iterable)?;
    Ok(iterators::make(IteratorState::Filter(function.clone(), source)))
}

fn reversed(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let sequence = args.get(vm, 1);
    let not_reversible = || raise::type_error(format!("'{}' object is not reversible", sequence.type_name()));
    match &sequence {
        Value::Tuple(_) | Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_) => {
            let len = vm.len(&sequence)?;
            return Ok(dunders::reversed_sequence(sequence, len));
        }
        Value::Object(object) if dict::view_len(object).is_some() => {
            return dict::view_iter(object, true).ok_or_else(not_reversible);
        }
        _ => {}
    }
    if let Some(special) = sequence.class().lookup(names::REVERSED) {
        if special.is_none() {
            return Err(not_reversible());
        }
        return match vm.find_special(&sequence, names::REVERSED) {
            Some(special) => vm.call(&special, &[]),
            None => Err(not_reversible()),
        };
    }
    let inner = receiver::payload(&sequence);
    let is_sequence = matches!(inner, Value::Tuple(_) | Value::Str(_) | Value::Bytes(_) | Value::Array(_))
        || (!matches!(inner, Value::Set(_) | Value::Dict(_))
            && sequence.class().lookup(names::GETITEM).is_some()
            && sequence.class().lookup(names::LEN).is_some());
    if !is_sequence {
        return Err(not_reversible());
    }
    let len = vm.len(&sequence)?;
    Ok(dunders::reversed_sequence(sequence, len))
}
