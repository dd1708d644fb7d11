//! `slice`: how three optional bounds select from a length, and the class's methods.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::SliceObject;
use crate::lang::operators::number;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The positions a slice selects: `start`, then every `step`, `count` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// First position.
    pub start: i64,
    /// Exclusive end, -1 when a backward slice reaches the beginning.
    pub stop: i64,
    /// Distance, never zero.
    pub step: i64,
    /// How many positions.
    pub count: usize,
}

impl Selection {
    /// The positions in order.
    pub fn positions(self) -> impl Iterator<Item = usize> {
        (0..self.count as i64).map(move |index| (self.start + index * self.step) as usize)
    }
}

/// A slice's bounds before a length is known.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lower bound.
    pub start: Option<i64>,
    /// Upper bound.
    pub stop: Option<i64>,
    /// Distance, never zero.
    pub step: i64,
}

impl Bounds {
    /// What the bounds select from `len` items, as `slice.indices`.
    pub fn select(self, len: usize) -> Selection {
        let len = len as i64;
        let step = self.step;
        let (low, high) = if step < 0 { (-1, len - 1) } else { (0, len) };
        let clamp = |bound: i64| {
            let at = if bound < 0 { bound.saturating_add(len) } else { bound };
            at.clamp(low, high)
        };
        let start = self.start.map_or(if step < 0 { high } else { low }, clamp);
        let stop = self.stop.map_or(if step < 0 { low } else { high }, clamp);
        let count = if step < 0 {
            if stop < start { ((start - stop - 1) as u64 / step.unsigned_abs() + 1) as usize } else { 0 }
        } else if start < stop {
            ((stop - start - 1) / step + 1) as usize
        } else {
            0
        };
        Selection { start, stop, step, count }
    }
}

/// Reads a slice's bounds; may run a user's `__index__`, so the length is taken after it.
pub fn bounds(vm: &mut Vm, slice: &SliceObject) -> Fallible<Bounds> {
    let step = match &slice.step {
        Value::None => 1,
        step => {
            let step = bound(vm, step)?;
            if step == 0 {
                return Err(raise::value_error("slice step cannot be zero"));
            }
            step.max(-i64::MAX)
        }
    };
    let start = if slice.start.is_none() { None } else { Some(bound(vm, &slice.start)?) };
    let stop = if slice.stop.is_none() { None } else { Some(bound(vm, &slice.stop)?) };
    Ok(Bounds { start, stop, step })
}

fn bound(vm: &mut Vm, value: &Value) -> Fallible<i64> {
    if let Some(number) = number::saturated(value) {
        return Ok(number);
    }
    match vm.find_special(value, names::INDEX) {
        Some(_) => {
            let number = super::convert::index_value(vm, value)?;
            Ok(number::saturated(&number).unwrap_or(0))
        }
        None => Err(raise::type_error("slice indices must be integers or None or have an __index__ method")),
    }
}

/// `slice.indices(len)` for lengths of any width.
pub fn indices_big(vm: &mut Vm, slice: &Value, len: &BigInt) -> Fallible<(BigInt, BigInt, BigInt)> {
    let Value::Slice(slice) = slice else { return Err(raise::type_error("a slice is expected")) };
    let mut read = |value: &Value| -> Fallible<Option<BigInt>> {
        if value.is_none() {
            return Ok(None);
        }
        if number::as_big(value).is_none() && vm.find_special(value, names::INDEX).is_none() {
            return Err(raise::type_error("slice indices must be integers or None or have an __index__ method"));
        }
        super::convert::index_big(vm, value).map(Some)
    };
    let step = read(&slice.step)?.unwrap_or_else(BigInt::one);
    if step.is_zero() {
        return Err(raise::value_error("slice step cannot be zero"));
    }
    let (low, high) = if step.is_negative() { (BigInt::from(-1), len - 1u32) } else { (BigInt::zero(), len.clone()) };
    let clamp = |bound: BigInt| {
        let at = if bound.is_negative() { bound + len } else { bound };
        at.clamp(low.clone(), high.clone())
    };
    let (first, last) = if step.is_negative() { (&high, &low) } else { (&low, &high) };
    let start = read(&slice.start)?.map_or_else(|| first.clone(), clamp);
    let stop = read(&slice.stop)?.map_or_else(|| last.clone(), clamp);
    Ok((start, stop, step))
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, start, stop=None, step=None, /)", "slice(stop) or slice(start, stop[, step])", new),
    method("indices", "(self, len, /)", "Return (start, stop, step) for a sequence of this length.", indices),
    getter("start", "Lower bound.", |vm, args| Ok(receiver(vm, args)?.start.clone())),
    getter("stop", "Upper bound.", |vm, args| Ok(receiver(vm, args)?.stop.clone())),
    getter("step", "Step.", |vm, args| Ok(receiver(vm, args)?.step.clone())),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Slice);
    attach(&class, METHODS);
    super::dunders::attach_value(&class);
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Ref<SliceObject>> {
    match args.peek(vm, 0) {
        Value::Slice(slice) => Ok(slice.clone()),
        other => Err(super::receiver::wrong(args, other, "slice")),
    }
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let first = args.get(vm, 1);
    let slice = match args.optional(vm, 2) {
        None => SliceObject { start: Value::None, stop: first, step: Value::None },
        Some(stop) => SliceObject { start: first, stop, step: args.optional(vm, 3).unwrap_or(Value::None) },
    };
    Ok(Value::Slice(Ref::new(slice)))
}

fn indices(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let slice = receiver(vm, args)?;
    let len = args.get(vm, 1);
    let len = super::convert::index_big(vm, &len)?;
    if len.is_negative() {
        return Err(raise::value_error("length should not be negative"));
    }
    let (start, stop, step) = indices_big(vm, &Value::Slice(slice), &len)?;
    Ok(Value::tuple([Value::int(start), Value::int(stop), Value::int(step)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(start: Option<i64>, stop: Option<i64>, step: i64, len: usize) -> Vec<usize> {
        Bounds { start, stop, step }.select(len).positions().collect()
    }

    #[test]
    fn bounds_select_as_python() {
        assert_eq!(select(None, None, 1, 4), [0, 1, 2, 3]);
        assert_eq!(select(None, None, -1, 4), [3, 2, 1, 0]);
        assert_eq!(select(Some(-2), None, 1, 4), [2, 3]);
        assert_eq!(select(Some(10), Some(-10), -2, 5), [4, 2, 0]);
        assert_eq!(select(Some(i64::MIN), Some(i64::MAX), i64::MAX, 3), [0]);
        assert_eq!(select(Some(i64::MAX), Some(i64::MIN), -i64::MAX, 3), [2]);
        assert_eq!(select(Some(2), Some(1), 1, 4), [0usize; 0]);
        assert_eq!(select(Some(-100), Some(-50), 1, 4), [0usize; 0]);
    }
}
