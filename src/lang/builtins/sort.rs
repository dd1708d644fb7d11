//! Stable sorting for `list.sort` and `sorted`: fast paths for items of one built-in type, a merge sort that may be
//! interrupted and whose comparison may raise for the rest.

use crate::lang::heap::Ref;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Sorts `items`, by `key` where it is given. On an error the items are all still there, in some order.
pub fn sort(vm: &mut Vm, items: &mut Vec<Value>, key: Option<&Value>, reverse: bool) -> Fallible<()> {
    if let Some(key) = key {
        // While user code runs, a holder walk must still see the items that the list has lent out.
        vm.protect(Value::list(items.clone()));
        let mut keys = Vec::with_capacity(items.len());
        for item in items.iter() {
            let value = vm.call(key, std::slice::from_ref(item))?;
            vm.protect(value.clone());
            keys.push(value);
        }
        return sort_by_keys(vm, keys, items, reverse);
    }
    if reverse {
        // Reversing before and after keeps equal items in their order.
        items.reverse();
    }
    let result = sort_plain(vm, items);
    if reverse {
        items.reverse();
    }
    result
}

fn sort_by_keys(vm: &mut Vm, mut keys: Vec<Value>, items: &mut Vec<Value>, reverse: bool) -> Fallible<()> {
    let mut pairs: Vec<(Value, Value)> = keys.drain(..).zip(items.drain(..)).collect();
    if reverse {
        pairs.reverse();
    }
    let result = sort_with(vm, &mut pairs, |pair| &pair.0);
    if reverse {
        pairs.reverse();
    }
    items.extend(pairs.into_iter().map(|(_, item)| item));
    result
}

fn sort_plain(vm: &mut Vm, items: &mut [Value]) -> Fallible<()> {
    if items.iter().any(|item| matches!(item, Value::Instance(_) | Value::Array(_) | Value::Object(_))) {
        vm.protect(Value::list(items.to_vec()));
    }
    sort_with(vm, items, |item| item)
}

/// What all keys are, where they are all the same simple thing.
#[derive(Clone, Copy, PartialEq)]
enum Uniform {
    Int,
    Float,
    Text,
    Mixed,
}

fn sort_with<T: Clone>(vm: &mut Vm, items: &mut [T], key: impl Fn(&T) -> &Value) -> Fallible<()> {
    let kind_of = |item: &T| match key(item) {
        Value::Int(_) => Uniform::Int,
        Value::Float(f) if !f.is_nan() => Uniform::Float,
        Value::Str(_) => Uniform::Text,
        _ => Uniform::Mixed,
    };
    let Some(first) = items.first() else { return Ok(()) };
    let kind = kind_of(first);
    if kind != Uniform::Mixed && items.iter().all(|item| kind_of(item) == kind) {
        let compare = |a: &T, b: &T| match (key(a), key(b)) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal),
            (Value::Str(a), Value::Str(b)) if Ref::ptr_eq(a, b) => std::cmp::Ordering::Equal,
            (Value::Str(a), Value::Str(b)) => a.as_str().cmp(b.as_str()),
            _ => std::cmp::Ordering::Equal,
        };
        return sort_in_pieces(vm, items, compare);
    }
    merge_sort(vm, items, &key)
}

/// How many items are sorted between polls.
const PIECE: usize = 1 << 17;

/// Sorts pieces, then merges neighbours: the standard sort finds the two runs and merges them in one pass.
fn sort_in_pieces<T>(vm: &mut Vm, items: &mut [T], compare: impl Fn(&T, &T) -> std::cmp::Ordering) -> Fallible<()> {
    let mut width = PIECE;
    while width < items.len().saturating_mul(2).max(PIECE + 1) {
        for piece in items.chunks_mut(width) {
            piece.sort_by(&compare);
            vm.poll()?;
        }
        width *= 2;
    }
    Ok(())
}

/// How many items binary insertion sorts before merging begins.
const RUN: usize = 16;

/// A merge sort on positions, so that an error in a comparison leaves the items as they were.
fn merge_sort<T: Clone>(vm: &mut Vm, items: &mut [T], key: &impl Fn(&T) -> &Value) -> Fallible<()> {
    let len = items.len();
    let mut order: Vec<usize> = (0..len).collect();
    let mut start = 0;
    while start < len {
        let end = (start + RUN).min(len);
        insertion_sort(vm, items, &mut order[start..end], key)?;
        start = end;
    }
    let mut spare = order.clone();
    let mut width = RUN;
    while width < len {
        let mut start = 0;
        while start < len {
            let middle = (start + width).min(len);
            let end = (start + 2 * width).min(len);
            merge(vm, items, &order[start..middle], &order[middle..end], &mut spare[start..end], key)?;
            start = end;
        }
        std::mem::swap(&mut order, &mut spare);
        width *= 2;
        vm.poll()?;
    }
    let sorted: Vec<T> = order.iter().map(|&at| items[at].clone()).collect();
    items.clone_from_slice(&sorted);
    Ok(())
}

fn insertion_sort<T>(vm: &mut Vm, items: &[T], order: &mut [usize], key: &impl Fn(&T) -> &Value) -> Fallible<()> {
    for index in 1..order.len() {
        let pivot = order[index];
        let (mut low, mut high) = (0, index);
        // In order already is the common case; else find the place after all items that are not greater.
        if !vm.less(key(&items[pivot]), key(&items[order[index - 1]]))? {
            continue;
        }
        high -= 1;
        while low < high {
            let middle = low + (high - low) / 2;
            if vm.less(key(&items[pivot]), key(&items[order[middle]]))? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        order.copy_within(low..index, low + 1);
        order[low] = pivot;
    }
    Ok(())
}

fn merge<T>(
    vm: &mut Vm,
    items: &[T],
    left: &[usize],
    right: &[usize],
    into: &mut [usize],
    key: &impl Fn(&T) -> &Value,
) -> Fallible<()> {
    // Runs that are in order already cost one comparison.
    if let (Some(&last), Some(&first)) = (left.last(), right.first())
        && !vm.less(key(&items[first]), key(&items[last]))?
    {
        into[..left.len()].copy_from_slice(left);
        into[left.len()..].copy_from_slice(right);
        return Ok(());
    }
    let (mut l, mut r) = (0, 0);
    for slot in into.iter_mut() {
        let take_right = match (left.get(l), right.get(r)) {
            (Some(&a), Some(&b)) => vm.less(key(&items[b]), key(&items[a]))?,
            (None, _) => true,
            (_, None) => false,
        };
        if take_right {
            *slot = right[r];
            r += 1;
        } else {
            *slot = left[l];
            l += 1;
        }
    }
    Ok(())
}
