//! `range`: arithmetic progressions of integers of any width, and the class's methods.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::classes::{Builtin, attach, builtin_class};
use super::slice;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{IteratorObject, IteratorState, RangeObject};
use crate::lang::operators::number;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A range with the 64-bit short cut where bounds and length fit; `step` is not zero.
pub fn make(start: BigInt, stop: BigInt, step: BigInt) -> RangeObject {
    let small = match (start.to_i64(), stop.to_i64(), step.to_i64()) {
        (Some(a), Some(b), Some(c)) if c != i64::MIN && i64::try_from(len_small(a, b, c)).is_ok() => Some((a, b, c)),
        _ => None,
    };
    RangeObject { start, stop, step, small }
}

/// How many values a 64-bit progression has.
#[inline]
pub fn len_small(start: i64, stop: i64, step: i64) -> u64 {
    if step > 0 && start < stop {
        (stop.wrapping_sub(start) as u64 - 1) / step as u64 + 1
    } else if step < 0 && start > stop {
        (start.wrapping_sub(stop) as u64 - 1) / step.unsigned_abs() + 1
    } else {
        0
    }
}

/// How many values a range has.
pub fn len_big(range: &RangeObject) -> BigInt {
    if let Some((start, stop, step)) = range.small {
        return len_small(start, stop, step).into();
    }
    let span = if range.step.is_positive() { &range.stop - &range.start } else { &range.start - &range.stop };
    if span.is_positive() { (span - 1u32).div_floor(&range.step.abs()) + 1u32 } else { BigInt::zero() }
}

/// `len()`, or CPython's OverflowError.
pub fn len(range: &RangeObject) -> Fallible<usize> {
    len_big(range)
        .to_i64()
        .and_then(|len| usize::try_from(len).ok())
        .ok_or_else(|| raise::overflow_error("Python int too large to convert to C ssize_t"))
}

/// Whether two ranges yield the same values.
pub fn equal(a: &RangeObject, b: &RangeObject) -> bool {
    let len = len_big(a);
    len == len_big(b) && (len.is_zero() || (a.start == b.start && (len.is_one() || a.step == b.step)))
}

/// Whether an integer is among the values.
pub fn contains(range: &RangeObject, value: &BigInt) -> bool {
    position(range, value).is_some()
}

fn position(range: &RangeObject, value: &BigInt) -> Option<BigInt> {
    let (index, rest) = (value - &range.start).div_mod_floor(&range.step);
    (rest.is_zero() && !index.is_negative() && index < len_big(range)).then_some(index)
}

/// `range[index]`
pub fn item(range: &RangeObject, index: &BigInt) -> Fallible<Value> {
    if let (Some((start, stop, step)), Some(index)) = (range.small, index.to_i64()) {
        let len = len_small(start, stop, step) as i64;
        let at = if index < 0 { index + len } else { index };
        if (0..len).contains(&at) {
            return Ok(Value::Int(start + at * step));
        }
    }
    let len = len_big(range);
    let at = if index.is_negative() { index + &len } else { index.clone() };
    if at.is_negative() || at >= len {
        return Err(raise::index_error("range object index out of range"));
    }
    Ok(Value::int(&range.start + at * &range.step))
}

/// `range[slice]`
pub fn sliced(vm: &mut Vm, range: &RangeObject, slice: &Value) -> Fallible<Value> {
    let len = len_big(range);
    let bounds = slice::indices_big(vm, slice, &len)?;
    let start = &range.start + &bounds.0 * &range.step;
    let stop = &range.start + &bounds.1 * &range.step;
    Ok(Value::Range(Ref::new(make(start, stop, &range.step * bounds.2))))
}

/// `iter(range)`
pub fn iterator(range: &RangeObject) -> IteratorState {
    match range.small {
        Some((start, stop, step)) => IteratorState::Range(start, step, len_small(start, stop, step)),
        None => IteratorState::BigRange(Box::new((range.start.clone(), range.step.clone(), len_big(range)))),
    }
}

/// `reversed(range)`
pub fn reversed(range: &RangeObject) -> IteratorState {
    let len = len_big(range);
    let last = &range.start + (&len - 1u32) * &range.step;
    let step = -&range.step;
    match (last.to_i64(), step.to_i64(), len.to_u64(), range.small) {
        (Some(last), Some(step), Some(len), Some(_)) => IteratorState::Range(last, step, len),
        _ => IteratorState::BigRange(Box::new((last, step, len))),
    }
}

/// `repr(range)`
pub fn repr(range: &RangeObject) -> String {
    if range.step.is_one() {
        format!("range({}, {})", range.start, range.stop)
    } else {
        format!("range({}, {}, {})", range.start, range.stop, range.step)
    }
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, start, stop=None, step=None, /)",
        "range(stop) or range(start, stop[, step]): an arithmetic progression of integers.",
        new,
    ),
    method("index", "(self, value, /)", "Return the position of value, or raise ValueError.", index),
    method("count", "(self, value, /)", "Return how often value occurs: 0 or 1.", count),
    method("__reversed__", "(self, /)", "Return a reverse iterator.", reversed_method),
    getter("start", "First value.", |vm, args| Ok(Value::int(receiver(vm, args)?.start.clone()))),
    getter("stop", "Exclusive end.", |vm, args| Ok(Value::int(receiver(vm, args)?.stop.clone()))),
    getter("step", "Step.", |vm, args| Ok(Value::int(receiver(vm, args)?.step.clone()))),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Range);
    attach(&class, METHODS);
    super::dunders::attach_sequence(&class);
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Ref<RangeObject>> {
    match args.peek(vm, 0) {
        Value::Range(range) => Ok(range.clone()),
        other => Err(super::receiver::wrong(args, other, "range")),
    }
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let first = args.get(vm, 1);
    let Some(second) = args.optional(vm, 2) else {
        return match first {
            Value::Int(stop) => Ok(Value::Range(Ref::new(RangeObject::small(0, stop, 1)))),
            _ => {
                let stop = super::convert::index_big(vm, &first)?;
                Ok(Value::Range(Ref::new(make(BigInt::zero(), stop, BigInt::one()))))
            }
        };
    };
    let third = args.optional(vm, 3).unwrap_or(Value::Int(1));
    let start = super::convert::index_big(vm, &first)?;
    let stop = super::convert::index_big(vm, &second)?;
    let step = super::convert::index_big(vm, &third)?;
    if step.is_zero() {
        return Err(raise::value_error("range() arg 3 must not be zero"));
    }
    Ok(Value::Range(Ref::new(make(start, stop, step))))
}

fn index(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let range = receiver(vm, args)?;
    let value = args.get(vm, 1);
    if let Some(number) = number::as_big(&value) {
        if let Some(found) = position(&range, &number) {
            return Ok(Value::int(found));
        }
        return Err(raise::value_error(format!("{number} is not in range")));
    }
    let mut at = 0usize;
    let iterator = Value::Iterator(Ref::new(IteratorObject::new(iterator(&range))));
    while let Some(item) = vm.next(&iterator)? {
        if vm.equals(&item, &value)? {
            return Ok(Value::from(at));
        }
        at += 1;
    }
    Err(raise::value_error("sequence.index(x): x not in sequence"))
}

fn count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let range = receiver(vm, args)?;
    let value = args.get(vm, 1);
    if let Some(number) = number::as_big(&value) {
        return Ok(Value::Int(i64::from(contains(&range, &number))));
    }
    let mut found = 0;
    let iterator = Value::Iterator(Ref::new(IteratorObject::new(iterator(&range))));
    while let Some(item) = vm.next(&iterator)? {
        found += i64::from(vm.equals(&item, &value)?);
    }
    Ok(Value::Int(found))
}

fn reversed_method(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let range = receiver(vm, args)?;
    Ok(Value::Iterator(Ref::new(IteratorObject::new(reversed(&range)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_every_value() {
        assert_eq!(len_small(0, 10, 3), 4);
        assert_eq!(len_small(10, 0, -3), 4);
        assert_eq!(len_small(0, 0, 1), 0);
        assert_eq!(len_small(i64::MIN, i64::MAX, 1), u64::MAX);
        let wide = make(BigInt::zero(), BigInt::from(10).pow(30), BigInt::from(10).pow(29));
        assert_eq!(len_big(&wide), BigInt::from(10));
        assert!(wide.small.is_none());
    }

    #[test]
    fn ranges_are_equal_by_their_values() {
        let range = |a: i64, b: i64, c: i64| make(a.into(), b.into(), c.into());
        assert!(equal(&range(0, 3, 2), &range(0, 4, 2)));
        assert!(equal(&range(5, 5, 1), &range(9, 0, 1)));
        assert!(equal(&range(1, 2, 5), &range(1, 2, 9)));
        assert!(!equal(&range(0, 3, 1), &range(0, 4, 1)));
        assert!(contains(&range(0, 10, 3), &9.into()) && !contains(&range(0, 10, 3), &10.into()));
        assert!(contains(&range(10, 0, -3), &1.into()) && !contains(&range(10, 0, -3), &11.into()));
    }
}
