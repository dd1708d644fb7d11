//! Lookup in the table that dicts and sets share: candidates of equal hash are compared without user code where that is
//! possible, else through the machine, with the table released meanwhile.

use std::cell::{Cell, RefCell};

use super::{equality, hash};
use crate::lang::heap::Ref;
use crate::lang::objects::{Dict, DictObject, Entry, SetObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `hash(key)`, quickly for the usual keys.
#[inline]
pub fn key_hash(vm: &mut Vm, key: &Value) -> Fallible<i64> {
    match hash::quick(key) {
        Some(hash) => Ok(hash),
        None => vm.hash(key),
    }
}

/// The position of a key, by its hash.
#[inline]
pub fn find(
    vm: &mut Vm,
    table: &RefCell<Dict>,
    changes: &Cell<u64>,
    hash: i64,
    key: &Value,
) -> Fallible<Option<usize>> {
    let mut unsure = false;
    let found = table.borrow().find(hash, |candidate| match equality::quick(candidate, key) {
        Some(same) => same,
        None => {
            unsure = true;
            false
        }
    });
    if !unsure || found.is_some() {
        return Ok(found);
    }
    find_slowly(vm, table, changes, hash, key)
}

/// As [`find`], when a candidate's `__eq__` may be user code that changes the table: then the search starts again.
#[cold]
fn find_slowly(
    vm: &mut Vm,
    table: &RefCell<Dict>,
    changes: &Cell<u64>,
    hash: i64,
    key: &Value,
) -> Fallible<Option<usize>> {
    'again: loop {
        let before = changes.get();
        let candidates = table.borrow().candidates(hash);
        for position in candidates {
            let Some(candidate) = table.borrow().at(position).map(|entry| entry.key.clone()) else { continue };
            let same = vm.equals(&candidate, key)?;
            if changes.get() != before {
                vm.poll()?;
                continue 'again;
            }
            if same {
                return Ok(Some(position));
            }
        }
        return Ok(None);
    }
}

fn note_change(changes: &Cell<u64>) {
    changes.set(changes.get().wrapping_add(1));
}

/// The value of a key.
#[inline]
pub fn dict_get(vm: &mut Vm, dict: &Ref<DictObject>, key: &Value) -> Fallible<Option<Value>> {
    let hash = key_hash(vm, key)?;
    let found = find(vm, &dict.table, &dict.changes, hash, key)?;
    Ok(found.and_then(|position| dict.table.borrow().at(position).map(|entry| entry.value.clone())))
}

/// The value of a text or integer key, if it is there; nothing when the key is another or a key's class must be asked.
#[inline]
pub fn dict_look_up_quickly(dict: &DictObject, key: &Value) -> Option<Option<Value>> {
    let (Value::Str(_) | Value::Int(_)) = key else { return None };
    let hash = hash::quick(key)?;
    let table = dict.table.borrow();
    let found = find_quickly(&table, hash, key)?;
    Some(found.and_then(|position| table.at(position)).map(|entry| entry.value.clone()))
}

/// The value of a text or integer key, where no user code is needed to find it; nothing also when it is absent.
#[inline]
pub fn dict_get_quickly(dict: &DictObject, key: &Value) -> Option<Value> {
    let hash = hash::quick(key)?;
    let table = dict.table.borrow();
    let found = find_quickly(&table, hash, key)??;
    table.at(found).map(|entry| entry.value.clone())
}

/// The position of a text or integer key and whether it is sure: a key of a class of the program may be equal too.
#[inline(always)]
fn find_quickly(table: &Dict, hash: i64, key: &Value) -> Option<Option<usize>> {
    let mut is_sure = true;
    let found = table.find(hash, |candidate| match (candidate, key) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Str(a), Value::Str(b)) => Ref::ptr_eq(a, b) || a.as_str() == b.as_str(),
        _ => match equality::quick(candidate, key) {
            Some(same) => same,
            None => {
                is_sure = false;
                false
            }
        },
    });
    (is_sure || found.is_some()).then_some(found)
}

/// Whether a text or integer key is there; nothing when a key's class must be asked.
#[inline]
pub fn contains_quickly(table: &RefCell<Dict>, key: &Value) -> Option<bool> {
    let hash = hash::quick(key)?;
    find_quickly(&table.borrow(), hash, key).map(|found| found.is_some())
}

/// `dict[key] = value` for a text or integer key, with the old value, to be dropped; the value back when a key's class must be asked.
#[inline]
pub fn dict_set_quickly(dict: &DictObject, key: &Value, value: Value) -> Result<Value, Value> {
    let Some(hash) = hash::quick(key) else { return Err(value) };
    let mut table = dict.table.borrow_mut();
    let Some(found) = find_quickly(&table, hash, key) else { return Err(value) };
    if let Some(entry) = found.and_then(|position| table.at_mut(position)) {
        return Ok(std::mem::replace(&mut entry.value, value));
    }
    if table.growth_bytes() > 0 {
        // Whoever grows a large table asks for the memory first.
        return Err(value);
    }
    table.insert_new(hash, key.clone(), value);
    note_change(&dict.changes);
    Ok(Value::Unset)
}

/// `dict[key] = value`
#[inline]
pub fn dict_set(vm: &mut Vm, dict: &Ref<DictObject>, key: Value, value: Value) -> Fallible<()> {
    let hash = key_hash(vm, &key)?;
    dict_set_hashed(vm, dict, hash, key, value)
}

/// `dict[key] = value` for a key whose hash is known.
#[inline]
pub fn dict_set_hashed(vm: &mut Vm, dict: &Ref<DictObject>, hash: i64, key: Value, value: Value) -> Fallible<()> {
    let found = find(vm, &dict.table, &dict.changes, hash, &key)?;
    let mut table = dict.table.borrow_mut();
    let old = match found.and_then(|position| table.at_mut(position)) {
        Some(entry) => std::mem::replace(&mut entry.value, value),
        None => {
            vm.reserve(table.growth_bytes())?;
            table.insert_new(hash, key, value);
            note_change(&dict.changes);
            return Ok(());
        }
    };
    drop(table);
    drop(old);
    Ok(())
}

/// Removes a key and returns its entry.
pub fn dict_remove(vm: &mut Vm, dict: &Ref<DictObject>, key: &Value) -> Fallible<Option<Entry>> {
    let hash = key_hash(vm, key)?;
    let Some(position) = find(vm, &dict.table, &dict.changes, hash, key)? else { return Ok(None) };
    Ok(dict_remove_at(dict, position))
}

/// Removes the entry at a position.
pub fn dict_remove_at(dict: &DictObject, position: usize) -> Option<Entry> {
    let entry = dict.table.borrow_mut().remove(position);
    note_change(&dict.changes);
    entry
}

/// Removes everything; the entries are dropped after the borrow.
pub fn dict_clear(dict: &DictObject) {
    let entries = dict.table.borrow_mut().take_all();
    note_change(&dict.changes);
    drop(entries);
}

/// Adds an element; says whether it was new.
#[inline]
pub fn set_add(vm: &mut Vm, set: &Ref<SetObject>, item: Value) -> Fallible<bool> {
    let hash = key_hash(vm, &item)?;
    set_add_hashed(vm, set, hash, item)
}

/// Adds an element whose hash is known; says whether it was new.
#[inline]
pub fn set_add_hashed(vm: &mut Vm, set: &Ref<SetObject>, hash: i64, item: Value) -> Fallible<bool> {
    if find(vm, &set.table, &set.changes, hash, &item)?.is_some() {
        return Ok(false);
    }
    let growth = set.table.borrow().growth_bytes();
    vm.reserve(growth)?;
    set.table.borrow_mut().insert_new(hash, item, Value::Unset);
    note_change(&set.changes);
    Ok(true)
}

/// Whether an element is there.
#[inline]
pub fn set_contains(vm: &mut Vm, set: &Ref<SetObject>, item: &Value) -> Fallible<bool> {
    let hash = key_hash(vm, item)?;
    set_contains_hashed(vm, set, hash, item)
}

/// Whether an element whose hash is known is there.
#[inline]
pub fn set_contains_hashed(vm: &mut Vm, set: &Ref<SetObject>, hash: i64, item: &Value) -> Fallible<bool> {
    Ok(find(vm, &set.table, &set.changes, hash, item)?.is_some())
}

/// Removes an element; says whether it was there.
pub fn set_remove(vm: &mut Vm, set: &Ref<SetObject>, item: &Value) -> Fallible<bool> {
    let hash = key_hash(vm, item)?;
    set_remove_hashed(vm, set, hash, item)
}

/// Removes an element whose hash is known; says whether it was there.
pub fn set_remove_hashed(vm: &mut Vm, set: &Ref<SetObject>, hash: i64, item: &Value) -> Fallible<bool> {
    let Some(position) = find(vm, &set.table, &set.changes, hash, item)? else { return Ok(false) };
    let entry = set_remove_at(set, position);
    Ok(entry.is_some())
}

/// Removes the element at a position; what is left stays in the order iteration shows.
pub fn set_remove_at(set: &SetObject, position: usize) -> Option<Entry> {
    let entry = set.table.borrow_mut().remove(position);
    let was_arranged = set.arranged.get() == set.changes.get().wrapping_add(1);
    note_change(&set.changes);
    if was_arranged {
        set.arranged.set(set.changes.get().wrapping_add(1));
    }
    entry
}

/// Removes everything; the elements are dropped after the borrow.
pub fn set_clear(set: &SetObject) {
    let entries = set.table.borrow_mut().take_all();
    note_change(&set.changes);
    drop(entries);
}

/// The next entry at or after a position, without keeping the table borrowed.
pub fn entry_from(table: &RefCell<Dict>, position: usize) -> Option<(usize, Entry)> {
    let table = table.borrow();
    (position.max(table.begin())..table.end()).find_map(|at| table.at(at).map(|entry| (at, entry.clone())))
}
