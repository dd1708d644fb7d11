//! `set` and `frozenset`: operations between them, and the order in which elements show.

use super::table::{self, set_add_hashed, set_contains_hashed};
use crate::lang::heap::Ref;
use crate::lang::objects::{Dict, SetObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How many elements a growing set takes before the budget is asked again.
const GROWTH_STEPS: usize = 1 << 16;

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

/// A copy with the same elements, in the order CPython's copy would have.
pub fn copied(set: &SetObject, frozen: bool) -> Ref<SetObject> {
    arrange(set);
    let copy = SetObject::new(set.table.borrow().clone(), frozen);
    merge_layout(&copy, set.len_slots.get());
    Ref::new(copy)
}

/// The layout a table gets when it is filled at once from another of `len_slots` slots, instead of element by element.
fn merge_layout(set: &SetObject, len_slots: usize) {
    let len = set.table.borrow().len();
    let merged = if len * 5 >= 7 * 3 { slots_above(len * 2) } else { 8 };
    set.len_slots.set(merged);
    if merged == len_slots {
        set.arranged.set(set.changes.get().wrapping_add(1));
    } else {
        forget_slots(set);
    }
}

/// What a display of constants gives: CPython builds it when it compiles, builds it again from the result when it merges
/// constants, and copies that at each run.
pub fn settle_constant(set: &SetObject) {
    arrange(set);
    set.len_slots.set(8);
    forget_slots(set);
    arrange(set);
    merge_layout(set, set.len_slots.get());
}

fn slots_above(wanted: usize) -> usize {
    (wanted + 1).next_power_of_two().max(8)
}

fn forget_slots(set: &SetObject) {
    let mut table = set.table.borrow_mut();
    for position in 0..table.end() {
        if let Some(entry) = table.at_mut(position) {
            entry.value = Value::Unset;
        }
    }
    set.arranged.set(0);
}

/// Makes room for another set's elements at once, as CPython does before it merges.
fn presize(set: &SetObject, more: usize) {
    let used = set.table.borrow().len();
    if (used + more) * 5 >= (set.len_slots.get() - 1) * 3 {
        arrange(set);
        set.len_slots.set(slots_above((used + more) * 2));
        forget_slots(set);
    }
}

/// Adds every item of an iterable.
pub fn update(vm: &mut Vm, set: &Ref<SetObject>, iterable: &Value) -> Fallible<()> {
    match iterable {
        Value::Set(other) => merge(vm, set, other),
        Value::Dict(other) => add_hashed(vm, set, &other.table),
        _ => {
            let iterator = vm.iter(iterable)?;
            vm.protect(Value::Set(set.clone()));
            let mut steps = 0usize;
            while let Some(item) = super::iterators::next_of(vm, &iterator)? {
                table::set_add(vm, set, item)?;
                steps += 1;
                if steps.is_multiple_of(4096) {
                    vm.poll()?;
                    if steps.is_multiple_of(GROWTH_STEPS) {
                        vm.reserve(GROWTH_STEPS * 64)?;
                    }
                }
            }
            Ok(())
        }
    }
}

fn merge(vm: &mut Vm, set: &Ref<SetObject>, other: &Ref<SetObject>) -> Fallible<()> {
    arrange(other);
    presize(set, other.table.borrow().len());
    add_hashed(vm, set, &other.table)
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
    merge(vm, &result, b)?;
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

/// `a -= b`
pub fn subtract(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>) -> Fallible<()> {
    if Ref::ptr_eq(a, b) {
        table::set_clear(a);
        return Ok(());
    }
    arrange(a);
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&b.table, position) {
        table::set_remove_hashed(vm, a, entry.hash, &entry.key)?;
        position = at + 1;
    }
    Ok(())
}

/// `a ^= b`
pub fn toggle(vm: &mut Vm, a: &Ref<SetObject>, b: &Ref<SetObject>) -> Fallible<()> {
    if Ref::ptr_eq(a, b) {
        table::set_clear(a);
        return Ok(());
    }
    arrange(a);
    arrange(b);
    let mut position = 0;
    while let Some((at, entry)) = table::entry_from(&b.table, position) {
        if !table::set_remove_hashed(vm, a, entry.hash, &entry.key)? {
            set_add_hashed(vm, a, entry.hash, entry.key)?;
        }
        position = at + 1;
    }
    Ok(())
}

/// `a ^ b`
pub fn symmetric_difference(
    vm: &mut Vm,
    a: &Ref<SetObject>,
    b: &Ref<SetObject>,
    frozen: bool,
) -> Fallible<Ref<SetObject>> {
    let result = copied(b, frozen);
    toggle(vm, &result, a)?;
    Ok(result)
}

/// Gives `set` the elements of another one.
pub fn replace_with(set: &SetObject, other: &SetObject) {
    let table = other.table.borrow().clone();
    let old = set.table.replace(table);
    set.changes.set(set.changes.get().wrapping_add(1));
    set.len_slots.set(other.len_slots.get());
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
    let (positions, layout) = {
        let table = set.table.borrow();
        if !table.iter().all(|(_, entry)| has_fixed_hash(&entry.key)) {
            return;
        }
        let positions: Vec<usize> = table.iter().map(|(position, _)| position).collect();
        let elements: Vec<(i64, Option<usize>)> = table
            .iter()
            .map(|(_, entry)| {
                let slot = match entry.value {
                    Value::Int(slot) => usize::try_from(slot).ok(),
                    _ => None,
                };
                (entry.hash, slot)
            })
            .collect();
        (positions, probe(&elements, set.len_slots.get()))
    };
    set.len_slots.set(layout.len());
    let mut table = set.table.borrow_mut();
    let mut order = Vec::with_capacity(positions.len());
    for (slot, index) in layout.into_iter().enumerate() {
        let Some(position) = index.and_then(|index| positions.get(index).copied()) else { continue };
        if let Some(entry) = table.at_mut(position) {
            entry.value = Value::from(slot);
        }
        order.push(position);
    }
    if !order.is_sorted() {
        table.reorder(&order);
    }
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

/// Which element stands in which slot: those that have a slot keep it, the others come in one after the other and make the
/// table grow as CPython's `setobject.c` does.
fn probe(elements: &[(i64, Option<usize>)], len_slots: usize) -> Vec<Option<usize>> {
    let mut slots: Vec<Option<usize>> = vec![None; len_slots];
    let mut used = 0usize;
    let mut newcomers = Vec::new();
    for (index, (_, slot)) in elements.iter().enumerate() {
        match slot.and_then(|slot| slots.get_mut(slot)) {
            Some(free @ None) => {
                *free = Some(index);
                used += 1;
            }
            _ => newcomers.push(index),
        }
    }
    for index in newcomers {
        place(&mut slots, elements, index);
        used += 1;
        if used * 5 >= (slots.len() - 1) * 3 {
            let wanted = if used > 50_000 { used * 2 } else { used * 4 };
            let old = std::mem::replace(&mut slots, vec![None; slots_above(wanted)]);
            for index in old.into_iter().flatten() {
                place(&mut slots, elements, index);
            }
        }
    }
    slots
}

fn place(slots: &mut [Option<usize>], elements: &[(i64, Option<usize>)], index: usize) {
    let mask = slots.len() - 1;
    let mut perturb = elements[index].0 as u64;
    let mut at = perturb as usize & mask;
    loop {
        let probes = if at + LINEAR_PROBES <= mask { LINEAR_PROBES } else { 0 };
        if let Some(free) = slots[at..=at + probes].iter_mut().find(|slot| slot.is_none()) {
            *free = Some(index);
            return;
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
            let elements: Vec<(i64, Option<usize>)> = values.iter().map(|&value| (of_int(value), None)).collect();
            probe(&elements, 8).into_iter().flatten().map(|index| values[index]).collect()
        };
        // python3: list({...}) with these insertions.
        assert_eq!(order(&[3, 1, 2]), [1, 2, 3]);
        assert_eq!(order(&[10, 5, 8, 3]), [8, 10, 3, 5]);
        assert_eq!(order(&[100, 7, 55, 23, 1, 0, 9]), [0, 1, 100, 7, 9, 55, 23]);
        assert_eq!(order(&[-1, -2, 5]), [5, -1, -2]);
    }
}
