//! Equality and order of built-in values.

use std::cmp::Ordering;

use super::depth::{CONTAINERS_MAX, Level};
use crate::lang::heap::Ref;
use crate::lang::objects::{DictObject, SetObject};
use crate::lang::operators::{CompareOperator, number};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How deep tuples are compared without asking the machine.
const QUICK_DEPTH: u32 = 4;

/// `a == b` as containers see it (identity first), when no user code is needed to say so.
#[inline(always)]
pub fn quick(a: &Value, b: &Value) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Str(a), Value::Str(b)) => Some(Ref::ptr_eq(a, b) || a.as_str() == b.as_str()),
        _ => quick_nested(a, b, QUICK_DEPTH),
    }
}

fn quick_nested(a: &Value, b: &Value, depth: u32) -> Option<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Str(a), Value::Str(b)) => Some(Ref::ptr_eq(a, b) || a.as_str() == b.as_str()),
        _ if a.is_same(b) => Some(true),
        (Value::Tuple(a), Value::Tuple(b)) if depth > 0 => {
            if a.items().len() != b.items().len() {
                return Some(false);
            }
            for (a, b) in a.items().iter().zip(b.items()) {
                match quick_nested(a, b, depth - 1) {
                    Some(true) => {}
                    other => return other,
                }
            }
            Some(true)
        }
        (Value::Bytes(a), Value::Bytes(b)) => Some(a.as_bytes() == b.as_bytes()),
        _ if is_plain(a) && is_plain(b) => Some(number::compare(CompareOperator::Equal, a, b).unwrap_or(false)),
        _ => None,
    }
}

/// Values that compare without user code and equal nothing of another family.
fn is_plain(value: &Value) -> bool {
    matches!(
        value,
        Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Big(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Ellipsis
            | Value::NotImplemented
            | Value::Function(_)
            | Value::Native(_)
            | Value::Class(_)
            | Value::Module(_)
            | Value::Generator(_)
    )
}

/// The order of two built-in sequences or texts after their items were compared, or what else a comparison says.
enum Outcome {
    Order(Ordering),
    Equality(bool),
    /// The first items that differ decide.
    Differ(Value, Value),
}

/// `a op b` for built-in values other than arrays; nothing when the types do not compare this way (`==` is then identity, `<` a
/// TypeError). Instances are looked through to their built-in value by the caller.
pub fn compare(vm: &mut Vm, op: CompareOperator, a: &Value, b: &Value) -> Fallible<Option<bool>> {
    if let Some(result) = number::compare(op, a, b) {
        return Ok(Some(result));
    }
    let is_equality = matches!(op, CompareOperator::Equal | CompareOperator::NotEqual);
    let is_container = matches!(a, Value::Tuple(_) | Value::List(_) | Value::Dict(_));
    let level = if is_container {
        vm.poll()?;
        Some(Level::enter(CONTAINERS_MAX, "in comparison")?)
    } else {
        None
    };
    let outcome = match (a, b) {
        (Value::Str(a), Value::Str(b)) => {
            // UTF-8 keeps the order of code points.
            if is_equality {
                Outcome::Equality(Ref::ptr_eq(a, b) || a.as_str() == b.as_str())
            } else {
                Outcome::Order(a.as_str().cmp(b.as_str()))
            }
        }
        (Value::Tuple(x), Value::Tuple(y)) => {
            if is_equality && x.items().len() != y.items().len() {
                Outcome::Equality(false)
            } else {
                compare_items(vm, x.items(), y.items())?
            }
        }
        (Value::List(x), Value::List(y)) => {
            if is_equality && x.items.borrow().len() != y.items.borrow().len() {
                Outcome::Equality(false)
            } else {
                compare_lists(vm, a, b)?
            }
        }
        (Value::Dict(a), Value::Dict(b)) if is_equality => Outcome::Equality(dicts_equal(vm, a, b)?),
        (Value::Set(a), Value::Set(b)) => return compare_sets(vm, op, a, b).map(Some),
        (Value::Range(a), Value::Range(b)) if is_equality => Outcome::Equality(super::range::equal(a, b)),
        (Value::Slice(x), Value::Slice(y)) => {
            let x = [x.start.clone(), x.stop.clone(), x.step.clone()];
            let y = [y.start.clone(), y.stop.clone(), y.step.clone()];
            compare_items(vm, &x, &y)?
        }
        (Value::Method(a), Value::Method(b)) if is_equality => {
            Outcome::Equality(a.receiver.is_same(&b.receiver) && a.function.is_same(&b.function))
        }
        _ => return compare_views(vm, op, a, b),
    };
    let result = match outcome {
        Outcome::Order(order) => number::holds(op, order),
        Outcome::Equality(equal) => equal == (op == CompareOperator::Equal),
        Outcome::Differ(a, b) => match op {
            CompareOperator::Equal => false,
            CompareOperator::NotEqual => true,
            _ => {
                let result = vm.compare(op, &a, &b)?;
                vm.truth(&result)?
            }
        },
    };
    drop(level);
    Ok(Some(result))
}

/// Views of dicts compare as sets, bytes-like objects as bytes.
fn compare_views(vm: &mut Vm, op: CompareOperator, a: &Value, b: &Value) -> Fallible<Option<bool>> {
    if let (Value::Object(_) | Value::Set(_), Value::Object(_) | Value::Set(_)) = (a, b) {
        let as_set = |vm: &mut Vm, value: &Value| match value {
            Value::Set(set) => Ok(Some(set.clone())),
            other => super::dict::view_as_set(vm, other),
        };
        if let (Some(a), Some(b)) = (as_set(vm, a)?, as_set(vm, b)?) {
            return compare_sets(vm, op, &a, &b).map(Some);
        }
    }
    Ok(match (super::bytes::view(a), super::bytes::view(b)) {
        (Some(a), Some(b)) => Some(number::holds(op, a.as_slice().cmp(b.as_slice()))),
        _ => None,
    })
}

fn compare_items(vm: &mut Vm, a: &[Value], b: &[Value]) -> Fallible<Outcome> {
    for (x, y) in a.iter().zip(b) {
        let same = match quick(x, y) {
            Some(same) => same,
            None => vm.equals(x, y)?,
        };
        if !same {
            return Ok(Outcome::Differ(x.clone(), y.clone()));
        }
    }
    Ok(Outcome::Order(a.len().cmp(&b.len())))
}

/// Lists may change while their items are compared, so each pair is taken anew.
fn compare_lists(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<Outcome> {
    let (Value::List(a), Value::List(b)) = (a, b) else { return Ok(Outcome::Equality(false)) };
    let mut index = 0;
    loop {
        let pair = {
            let (a, b) = (a.items.borrow(), b.items.borrow());
            let mut found = None;
            while let (Some(x), Some(y)) = (a.get(index), b.get(index)) {
                match quick(x, y) {
                    Some(true) => index += 1,
                    Some(false) => return Ok(Outcome::Differ(x.clone(), y.clone())),
                    None => {
                        found = Some((x.clone(), y.clone()));
                        break;
                    }
                }
            }
            match found {
                Some(pair) => pair,
                None => return Ok(Outcome::Order(a.len().cmp(&b.len()))),
            }
        };
        if !vm.equals(&pair.0, &pair.1)? {
            return Ok(Outcome::Differ(pair.0, pair.1));
        }
        index += 1;
    }
}

fn dicts_equal(vm: &mut Vm, a: &Ref<DictObject>, b: &Ref<DictObject>) -> Fallible<bool> {
    if a.table.borrow().len() != b.table.borrow().len() {
        return Ok(false);
    }
    let mut position = 0;
    loop {
        let (hash, key, value) = {
            let table = a.table.borrow();
            while position < table.end() && table.at(position).is_none() {
                position += 1;
            }
            match table.at(position) {
                Some(entry) => (entry.hash, entry.key.clone(), entry.value.clone()),
                None => return Ok(true),
            }
        };
        position += 1;
        let Some(found) = super::table::find(vm, &b.table, &b.changes, hash, &key)? else { return Ok(false) };
        let other = b.table.borrow().at(found).map(|entry| entry.value.clone());
        let Some(other) = other else { return Ok(false) };
        let same = match quick(&value, &other) {
            Some(same) => same,
            None => vm.equals(&value, &other)?,
        };
        if !same {
            return Ok(false);
        }
    }
}

fn compare_sets(vm: &mut Vm, op: CompareOperator, a: &Ref<SetObject>, b: &Ref<SetObject>) -> Fallible<bool> {
    let (len_a, len_b) = (a.table.borrow().len(), b.table.borrow().len());
    Ok(match op {
        CompareOperator::Equal => len_a == len_b && super::set::is_subset(vm, a, b)?,
        CompareOperator::NotEqual => len_a != len_b || !super::set::is_subset(vm, a, b)?,
        CompareOperator::LessEqual => len_a <= len_b && super::set::is_subset(vm, a, b)?,
        CompareOperator::Less => len_a < len_b && super::set::is_subset(vm, a, b)?,
        CompareOperator::GreaterEqual => len_b <= len_a && super::set::is_subset(vm, b, a)?,
        CompareOperator::Greater => len_b < len_a && super::set::is_subset(vm, b, a)?,
    })
}
