//! `gc`: the cycle collector's switches and its view of the heap.

use super::support::{items_of, new_module, set};
use crate::lang::collector::{self, THRESHOLDS};
use crate::lang::heap::{self, Ref};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{Dict, DictObject, ModuleObject};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const FUNCTIONS: &[Method] = &[
    method(
        "collect",
        "(generation=2)",
        "Run the garbage collector and answer how many unreachable objects were found.",
        collect,
    ),
    method("enable", "()", "Enable automatic garbage collection.", |vm, _| {
        vm.collector.enabled = true;
        Ok(Value::None)
    }),
    method("disable", "()", "Disable automatic garbage collection.", |vm, _| {
        vm.collector.enabled = false;
        Ok(Value::None)
    }),
    method("isenabled", "()", "Returns true if automatic garbage collection is enabled.", |vm, _| {
        Ok(vm.collector.enabled.into())
    }),
    method("get_count", "()", "Return a three-tuple of the current collection counts.", |vm, _| {
        Ok(Value::tuple(vm.collector.counts().map(Value::Int)))
    }),
    method("get_threshold", "()", "Return the current collection thresholds.", |vm, _| {
        Ok(Value::tuple(vm.collector.thresholds.map(Value::Int)))
    }),
    method(
        "set_threshold",
        "(threshold0, *thresholds)",
        "Set the collection thresholds (the collection frequency). Setting the first to zero disables collection.",
        set_threshold,
    ),
    method("get_stats", "()", "Return a list of dictionaries containing per-generation statistics.", stats),
    method(
        "get_objects",
        "(generation=None)",
        "Return a list of objects tracked by the collector (excluding the list returned).",
        objects,
    ),
    method("get_referrers", "(*objs)", "Return the list of objects that directly refer to any of objs.", referrers),
    method("get_referents", "(*objs)", "Return the list of objects that are directly referred to by objs.", referents),
    method("is_tracked", "(obj, /)", "Returns true if the object is tracked by the garbage collector.", |vm, args| {
        Ok(is_tracked(args.peek(vm, 0)).into())
    }),
    method(
        "is_finalized",
        "(obj, /)",
        "Returns true if the object has been already finalized by the GC.",
        |vm, args| {
            let id = args.peek(vm, 0).heap_id();
            let found = heap::containers().into_iter().find(|object| Some(object.id()) == id);
            Ok(found.is_some_and(|object| object.is_finalized()).into())
        },
    ),
];

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module =
        new_module("gc", "This module provides access to the garbage collector for reference cycles.", FUNCTIONS);
    set(&module, "garbage", Value::list(Vec::new()));
    set(&module, "callbacks", Value::list(Vec::new()));
    Ok(module)
}

fn collect(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let generation = args.index_or(vm, 0, 2)?;
    let Some(generation) = usize::try_from(generation).ok().filter(|generation| *generation < THRESHOLDS.len()) else {
        return Err(value_error("invalid generation"));
    };
    Ok(collector::collect(vm, generation).into())
}

fn set_threshold(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut given = vec![args.get(vm, 0)];
    given.extend(items_of(args.peek(vm, 1)));
    if given.len() > THRESHOLDS.len() {
        return Err(type_error(format!("gc.set_threshold requires 1 to 3 arguments, got {}", given.len())));
    }
    let mut thresholds = vm.collector.thresholds;
    for (threshold, value) in thresholds.iter_mut().zip(&given) {
        *threshold = vm.index(value)?;
    }
    vm.collector.thresholds = thresholds;
    Ok(Value::None)
}

fn stats(vm: &mut Vm, _args: Args) -> Fallible<Value> {
    let mut all = Vec::new();
    for generation in vm.collector.statistics() {
        let dict = Ref::new(DictObject::new(Dict::default()));
        for (name, count) in
            [("collections", generation.collections), ("collected", generation.collected), ("uncollectable", 0)]
        {
            vm.dict_set(&dict, name.into(), count.into())?;
        }
        all.push(Value::Dict(dict));
    }
    Ok(Value::list(all))
}

/// Whether a program may be shown the object: closure boxes and the like are the machine's own.
fn is_visible(value: &Value) -> bool {
    !matches!(value, Value::Unset | Value::Cell(_))
}

fn objects(vm: &mut Vm, _args: Args) -> Fallible<Value> {
    vm.reserve(heap::container_count().saturating_mul(2 * size_of::<Value>()))?;
    let all = heap::containers();
    Ok(Value::list(all.iter().map(heap::LiveObject::value).filter(is_visible).collect()))
}

fn referrers(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let arguments = args.get(vm, 0);
    let wanted: Vec<_> = items_of(&arguments).iter().filter_map(Value::heap_id).collect();
    let own = arguments.heap_id();
    let mut found = Vec::new();
    for (index, object) in heap::containers().iter().enumerate() {
        if index % 4096 == 0 {
            vm.poll()?;
        }
        let mut refers = false;
        object.visit_children(&mut |_, child| refers |= child.heap_id().is_some_and(|id| wanted.contains(&id)));
        if refers && Some(object.id()) != own {
            found.push(object.value());
        }
    }
    found.retain(is_visible);
    Ok(Value::list(found))
}

fn referents(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut found = Vec::new();
    for value in items_of(&args.get(vm, 0)) {
        value.visit_children(&mut |_, child| {
            if is_visible(child) {
                found.push(child.clone());
            }
        });
    }
    Ok(Value::list(found))
}

fn is_tracked(value: &Value) -> bool {
    match value {
        Value::Dict(dict) => {
            dict.table.borrow().iter().any(|(_, entry)| is_tracked(&entry.key) || is_tracked(&entry.value))
        }
        Value::Tuple(tuple) => tuple.items().iter().any(is_tracked),
        Value::List(_) | Value::Set(_) | Value::Slice(_) | Value::Function(_) | Value::Method(_) | Value::Class(_) => {
            true
        }
        Value::Instance(_) | Value::Exception(_) | Value::Generator(_) | Value::Module(_) | Value::Iterator(_) => true,
        Value::Native(_) | Value::Cell(_) | Value::Object(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_in_a_cycle_is_tracked() {
        assert!(is_tracked(&Value::list(vec![])));
        assert!(!is_tracked(&Value::tuple([Value::Int(1)])));
        assert!(is_tracked(&Value::tuple([Value::list(vec![])])));
        assert!(!is_tracked(&Value::str("a")));
    }
}
