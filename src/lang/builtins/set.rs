//! `set` and `frozenset`: operations between them, and the order in which elements show.

use super::table::{self, set_add_hashed, set_contains_hashed};
use crate::lang::heap::Ref;
use crate::lang::objects::{Dict, SetObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// An empty set.
pub fn empty(frozen: bool) -> Ref<SetObject> {
    Ref::new(SetObject::new(Dict::default(), frozen))
}

/// A set of the items of an iterable.
pub fn from_iterable(vm: &mut Vm, iterable: &Value, frozen: bool) -> Fallible<Ref<SetObject>> {
    let set = empty(frozen);
    update(vm, &set, iterable)?;
    Ok(set)
}

/// The set that `value` is, without a copy, or a new one of its items.
pub fn as_set(vm: &mut Vm, value: &Value) -> Fallible<Ref<SetObject>> {
    match super::receiver::payload(value) {
        Value::Set(set) => Ok(set),
        _ => from_iterable(vm, value, false),
    }
}

/// A copy with the same elements.
pub fn copied(set: &SetObject, frozen: bool) -> Ref<SetObject> {
    arrange(set);
    Ref::new(SetObject::new(set.table.borrow().clone(), frozen))
}

/// Adds every item of an iterable.
pub fn update(vm: &mut Vm, set: &Ref<SetObject>, iterable: &Value) -> Fallible<()> {
    match iterable {
        Value::Set(other) => {
            arrange(other);
            add_hashed(vm, set, &other.table)
        }
        Value::Dict(other) => add_hashed(vm, set, &other.table),
        _ => {
            let iterator = vm.iter(iterable)?;
            vm.protect(Value::Set(set.clone()));
            let mut steps = 0usize;
            while let Some(item) = super::iterators::next_of(vm, &iterator)? {
                table::set_add(vm, set, item)?;
                steps += 1;
                if steps % 4096 == 0 {
                    vm.poll()?;
                    vm.reserve(4096 * 48)?;
                }
            }
            Ok(())
        }
    }
}

fn add_hashed(vm: &mut Vm, set: &Ref<SetObject>, table: &std::cell::RefCell<Dict>) -> Fallible<()> {
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(table, position) {
        set_add_hashed(vm, set, entry.hash, entry.key)?;
        position = at + 1;
    }
    Ok(())
}

/// Whether an element is there; a set as an element of a set is looked up as the frozenset it equals.
pub fn contains_item(vm: &mut Vm, set: &Ref<SetObject>, item: &Value) -> Fallible<bool> {
    if let Value::Set(inner) = item
        && !inner.frozen
    {
        let frozen = Value::Set(copied(inner, true));
        return table::set_contains(vm, set, &frozen);
    }
    table::set_contains(vm, set, item)
}

/// Whether every element of `a` is in `b`.
pub fn is_subset(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>) -> Fallible<bool> {
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&a.table, position) {
        if !set_contains_hashed(vm, b, entry.hash, &entry.key)? {
            return Ok(false);
        }
        position = at + 1;
    }
    Ok(true)
}

/// Whether no element of `a` is in `b`.
pub fn is_disjoint(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>) -> Fallible<bool> {
    let (small, large) = if a.table.borrow().len() <= b.table.borrow().len() { (a, b) } else { (b, a) };
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&small.table, position) {
        if set_contains_hashed(vm, large, entry.hash, &entry.key)? {
            return Ok(false);
        }
        position = at + 1;
    }
    Ok(true)
}

/// `a | b`
pub fn union(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>, frozen: bool) -> Fallible<Ref<SetObject>> {
    let result = copied(a, frozen);
    arrange(b);
    add_hashed(vm, &result, &b.table)?;
    Ok(result)
}

/// `a & b`
pub fn intersection(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>, frozen: bool) -> Fallible<Ref<SetObject>> {
    let (small, large) = if b.table.borrow().len() <= a.table.borrow().len() { (b, a) } else { (a, b) };
    arrange(small);
    filtered(vm, small, large, frozen, true)
}

/// `a - b`
pub fn difference(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>, frozen: bool) -> Fallible<Ref<SetObject>> {
    arrange(a);
    filtered(vm, a, b, frozen, false)
}

fn filtered(
    vm: &mut Vm,
    from: &Ref<SetObject>,
    by: &Ref<SetObject>,
    frozen: bool,
    keep_common: bool,
) -> Fallible<Ref<SetObject>> {
    let result = empty(frozen);
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&from.table, position) {
        if set_contains_hashed(vm, by, entry.hash, &entry.key)? == keep_common {
            set_add_hashed(vm, &result, entry.hash, entry.key)?;
        }
        position = at + 1;
    }
    Ok(result)
}

/// `a ^ b`
pub fn symmetric_difference(
    vm: &mut Vm,
    a: &Ref<SetObject>,
    b: &Ref<SetObject>,
    frozen: bool,
) -> Fallible<Ref<SetObject>> {
    let result = difference(vm, a, b, frozen)?;
    let other = difference(vm, b, a, frozen)?;
    add_hashed(vm, &result, &other.table)?;
    Ok(result)
}

/// Gives `set` the elements of another one.
pub fn replace_with(set: &SetObject, other: &SetObject) {
    let table = other.table.borrow().clone();
    let old = set.table.replace(table);
    set.changes.set(set.changes.get().wrapping_add(1));
    drop(old);
}

/// Puts the elements into the order in which CPython's hash table would show them, where their hashes are the same there
/// (numbers and tuples of numbers); other sets show in the order of insertion.
pub fn arrange(set: &SetObject) {
    let now = set.changes.get().wrapping_add(1);
    if set.arranged.get() == now {
        return;
    }
    set.arranged.set(now);
    let order = {
        let table = set.table.borrow();
        if table.len() < 2 || !table.iter().all(|(_, entry)| has_fixed_hash(&entry.key)) {
            return;
        }
        let positions: Vec<usize> = table.iter().map(|(position, _)| position).collect();
        let hashes: Vec<i64> = table.iter().map(|(_, entry)| entry.hash).collect();
        let order = probe_order(&hashes);
        if order.is_sorted() {
            return;
        }
        order.into_iter().map(|index| positions[index]).collect::<Vec<_>>()
    };
    set.table.borrow_mut().reorder(&order);
}

fn has_fixed_hash(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Big(_) | Value::Complex(_) => true,
        Value::Tuple(tuple) => tuple.items().iter().all(has_fixed_hash),
        _ => false,
    }
}

/// Entries that CPython's set looks at one after the other before it jumps.
const LINEAR_PROBES: usize = 9;

/// The order in which a table filled in this order of hashes shows them: CPython's `setobject.c`.
fn probe_order(hashes: &[i64]) -> Vec<usize> {
    let mut slots: Vec<Option<usize>> = vec![None; 8];
    let mut used = 0usize;
    for index in 0..hashes.len() {
        place(&mut slots, hashes, index);
        used += 1;
        if used * 5 >= (slots.len() - 1) * 3 {
            let wanted = if used > 50_000 { used * 2 } else { used * 4 };
            let mut len = 8;
            while len <= wanted {
                len *= 2;
            }
            let old = std::mem::replace(&mut slots, vec![None; len]);
            for index in old.into_iter().flatten() {
                place(&mut slots, hashes, index);
            }
        }
    }
    slots.into_iter().flatten().collect()
}

fn place(slots: &mut [Option<usize>], hashes: &[i64], index: usize) {
    let mask = slots.len() - 1;
    let mut perturb = hashes[index] as u64;
    let mut at = perturb as usize & mask;
    loop {
        let probes = if at + LINEAR_PROBES <= mask { LINEAR_PROBES } else { 0 };
        for slot in at..=at + probes {
            if slots[slot].is_none() {
                slots[slot] = Some(index);
                return;
            }
        }
        perturb >>= 5;
        at = at.wrapping_mul(5).wrapping_add(1).wrapping_add(perturb as usize) & mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::builtins::hash::of_int;

    #[test]
    fn small_integers_show_as_in_cpython() {
        let order = |values: &[i64]| -> Vec<i64> {
            let hashes: Vec<i64> = values.iter().map(|&value| of_int(value)).collect();
            probe_order(&hashes).into_iter().map(|index| values[index]).collect()
        };
        // python3: list({...}) with these insertions.
        assert_eq!(order(&[3, 1, 2]), [1, 2, 3]);
        assert_eq!(order(&[10, 5, 8, 3]), [8, 10, 3, 5]);
        assert_eq!(order(&[100, 7, 55, 23, 1, 0, 9]), [0, 1, 100, 7, 9, 55, 23]);
        assert_eq!(order(&[-1, -2, 5]), [5, -1, -2]);
    }
}
