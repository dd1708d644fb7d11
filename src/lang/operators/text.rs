//! Operators of `str`: concatenation, repetition and `%`.

use super::{BinaryOperator, sequence};
use crate::lang::builtins::format_percent;
use crate::lang::heap::Ref;
use crate::lang::objects::StrObject;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `a op b` where `a` is a `str`; nothing when the operator is none of its.
pub fn binary(vm: &mut Vm, op: BinaryOperator, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    let Value::Str(left) = a else { return Ok(None) };
    match (op, b) {
        (BinaryOperator::Add, Value::Str(right)) => concatenate(vm, left, right).map(Some),
        (BinaryOperator::Modulo, _) => format_percent::format(vm, left.as_str(), b).map(Some),
        _ => sequence::binary(vm, op, a, b),
    }
}

/// `a + b`
#[inline]
pub fn concatenate(vm: &mut Vm, a: &Ref<StrObject>, b: &Ref<StrObject>) -> Fallible<Value> {
    let (x, y) = (a.as_str(), b.as_str());
    if y.is_empty() {
        return Ok(Value::Str(a.clone()));
    }
    if x.is_empty() {
        return Ok(Value::Str(b.clone()));
    }
    let bytes = x.len() + y.len();
    if bytes > 1 << 20 {
        vm.reserve(bytes)?;
    }
    let mut text = String::with_capacity(bytes);
    text.push_str(x);
    text.push_str(y);
    Ok(Value::str(text))
}
