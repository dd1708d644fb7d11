//! `bisect`: where an item belongs in a sequence that is in order.

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const SIGNATURE: &str = "(a, x, lo=0, hi=None, *, key=None)";

/// On which side of the items that equal it an item belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

const FUNCTIONS: &[Method] = &[
    method(
        "bisect_left",
        SIGNATURE,
        "The first index at which x can be inserted so that a stays in order.",
        |vm, args| {
            let item = args.get(vm, 1);
            find(vm, args, Side::Left, &item).map(Value::from)
        },
    ),
    method(
        "bisect_right",
        SIGNATURE,
        "The last index at which x can be inserted so that a stays in order.",
        bisect_right,
    ),
    method("bisect", SIGNATURE, "The last index at which x can be inserted so that a stays in order.", bisect_right),
    method("insort_left", SIGNATURE, "Insert x in a, before items that equal it.", |vm, args| {
        insert(vm, args, Side::Left)
    }),
    method("insort_right", SIGNATURE, "Insert x in a, behind items that equal it.", insort_right),
    method("insort", SIGNATURE, "Insert x in a, behind items that equal it.", insort_right),
];

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module("bisect", "Bisection algorithms.", FUNCTIONS))
}

fn bisect_right(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let item = args.get(vm, 1);
    find(vm, args, Side::Right, &item).map(Value::from)
}

fn insort_right(vm: &mut Vm, args: Args) -> Fallible<Value> {
    insert(vm, args, Side::Right)
}

/// Inserts `x` itself where the key of `x` belongs.
fn insert(vm: &mut Vm, args: Args, side: Side) -> Fallible<Value> {
    let (sequence, item) = (args.get(vm, 0), args.get(vm, 1));
    let sought = match args.not_none(vm, 4) {
        Some(key) => vm.call(&key, std::slice::from_ref(&item))?,
        None => item.clone(),
    };
    let place = find(vm, args, side, &sought)?;
    vm.call_method(&sequence, Name::new("insert"), &[place.into(), item])
}

/// The index at which `sought` belongs. With a key, `sought` is compared with the items' keys.
fn find(vm: &mut Vm, args: Args, side: Side, sought: &Value) -> Fallible<usize> {
    let (sequence, key) = (args.get(vm, 0), args.not_none(vm, 4));
    let low = args.index_or(vm, 2, 0)?;
    let Ok(mut low) = usize::try_from(low) else {
        return Err(value_error("lo must be non-negative"));
    };
    // -1 stands for the end, as nothing does; what is below is in front of everything.
    let high = if args.not_none(vm, 3).is_some() { args.index_or(vm, 3, -1)? } else { -1 };
    let mut high = if high == -1 { vm.len(&sequence)? } else { usize::try_from(high).unwrap_or(0) };
    while low < high {
        let middle = low + (high - low) / 2;
        let mut item = vm.get_item(&sequence, &middle.into())?;
        if let Some(key) = &key {
            item = vm.call(key, &[item])?;
        }
        let is_behind = match side {
            Side::Left => !vm.less(&item, sought)?,
            Side::Right => vm.less(sought, &item)?,
        };
        if is_behind {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}
