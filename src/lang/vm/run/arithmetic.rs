//! Operators: the slow halves of what the loop does in place for plain numbers.

use super::At;
use crate::lang::builtins::table;
use crate::lang::code::Register;
use crate::lang::heap::Ref;
use crate::lang::objects::StrObject;
use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Texts longer than this ask the budget for host memory before they are made.
const RESERVED_FROM: usize = 1 << 20;

/// The truth of a value that needs no code to say it, except texts and containers.
#[inline(always)]
pub(super) fn truth_quickly(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(*truth),
        Value::Int(int) => Some(*int != 0),
        Value::None => Some(false),
        _ => None,
    }
}

impl Vm {
    #[inline(never)]
    pub(super) fn binary_at(
        &mut self,
        at: At<'_>,
        op: BinaryOperator,
        destination: Register,
        a: Register,
        b: Register,
    ) -> Fallible<()> {
        let (a, b) = (self.operand(at, a)?, self.operand(at, b)?);
        if let (BinaryOperator::Add, Value::Str(left), Value::Str(right)) = (op, &a, &b)
            && left.as_str().len() + right.as_str().len() < RESERVED_FROM
        {
            let joined = Value::Str(Ref::new(StrObject::joined(left, right)));
            a.discard();
            b.discard();
            self.register(at, destination).put(joined);
            return Ok(());
        }
        let result = self.binary(op, &a, &b)?;
        a.discard();
        b.discard();
        self.finish(at, destination, result)
    }

    #[inline(never)]
    pub(super) fn binary_in_place_at(
        &mut self,
        at: At<'_>,
        op: BinaryOperator,
        destination: Register,
        a: Register,
        b: Register,
    ) -> Fallible<()> {
        if self.dry_run.is_some() {
            self.refuse_growth(&self.stack[at.base + usize::from(a)])?;
        }
        if op == BinaryOperator::Add && a == destination && a != b && self.append_text(at, a, b)? {
            return Ok(());
        }
        let b = self.operand(at, b)?;
        let a = self.operand(at, a)?;
        let result = self.binary_in_place(op, a, &b)?;
        b.discard();
        self.finish(at, destination, result)
    }

    /// `text += more` grows the text where it is when nothing else refers to it.
    fn append_text(&mut self, at: At<'_>, text: Register, more: Register) -> Fallible<bool> {
        let Value::Str(more) = &self.stack[at.base + usize::from(more)] else { return Ok(false) };
        let more = more.clone();
        let len = self.register(at, text).as_str().map_or(0, str::len);
        if len > RESERVED_FROM {
            self.reserve(len + more.as_str().len())?;
        }
        if let Value::Str(text) = self.register(at, text)
            && let Some(text) = Ref::get_mut(text)
        {
            text.push(&more);
            return Ok(true);
        }
        Ok(false)
    }

    #[inline(never)]
    pub(super) fn binary_immediate_at(
        &mut self,
        at: At<'_>,
        op: BinaryOperator,
        destination: Register,
        a: Register,
        small: i16,
    ) -> Fallible<()> {
        let a = self.operand(at, a)?;
        let result = self.binary(op, &a, &Value::Int(i64::from(small)))?;
        a.discard();
        self.finish(at, destination, result)
    }

    #[inline(never)]
    pub(super) fn binary_in_place_immediate_at(
        &mut self,
        at: At<'_>,
        op: BinaryOperator,
        destination: Register,
        a: Register,
        small: i16,
    ) -> Fallible<()> {
        let a = self.operand(at, a)?;
        let result = self.binary_in_place(op, a, &Value::Int(i64::from(small)))?;
        self.finish(at, destination, result)
    }

    #[inline(never)]
    pub(super) fn unary_at(
        &mut self,
        at: At<'_>,
        op: UnaryOperator,
        destination: Register,
        a: Register,
    ) -> Fallible<()> {
        let a = self.operand(at, a)?;
        let result = self.unary(op, &a)?;
        a.discard();
        self.finish(at, destination, result)
    }

    #[inline(never)]
    pub(super) fn not_at(&mut self, at: At<'_>, destination: Register, a: Register) -> Fallible<()> {
        let a = self.operand(at, a)?;
        let truth = self.truth(&a)?;
        a.discard();
        self.register(at, destination).put(Value::Bool(!truth));
        Ok(())
    }

    #[inline(never)]
    pub(super) fn compare_at(
        &mut self,
        at: At<'_>,
        op: CompareOperator,
        destination: Register,
        a: Register,
        b: Register,
    ) -> Fallible<()> {
        let (a, b) = (self.operand(at, a)?, self.operand(at, b)?);
        let result = self.compare(op, &a, &b)?;
        a.discard();
        b.discard();
        self.finish(at, destination, result)
    }

    /// Whether a comparison holds, for a branch.
    #[inline(never)]
    pub(super) fn holds(&mut self, at: At<'_>, op: CompareOperator, a: Register, b: Register) -> Fallible<bool> {
        let (a, b) = (self.operand(at, a)?, self.operand(at, b)?);
        let result = self.compare(op, &a, &b)?;
        self.truth(&result)
    }

    /// As [`Vm::holds`] with a small int.
    #[inline(never)]
    pub(super) fn holds_immediate(
        &mut self,
        at: At<'_>,
        op: CompareOperator,
        a: Register,
        small: i16,
    ) -> Fallible<bool> {
        let a = self.operand(at, a)?;
        let result = self.compare(op, &a, &Value::Int(i64::from(small)))?;
        self.truth(&result)
    }

    /// The truth of a register, which is read as an operand.
    #[inline(never)]
    pub(super) fn truth_at(&mut self, at: At<'_>, register: Register) -> Fallible<bool> {
        let value = self.operand(at, register)?;
        self.truth(&value)
    }

    /// The truth of a register that a short-circuiting operator may keep.
    #[inline(never)]
    pub(super) fn truth_kept(&mut self, at: At<'_>, register: Register) -> Fallible<bool> {
        let value = self.register(at, register).clone();
        self.truth(&value)
    }

    #[inline(never)]
    pub(super) fn contains_at(
        &mut self,
        at: At<'_>,
        negated: bool,
        destination: Register,
        item: Register,
        container: Register,
    ) -> Fallible<()> {
        let (item, container) = (self.operand(at, item)?, self.operand(at, container)?);
        let quick = match (&container, &item) {
            (Value::Dict(dict), key @ (Value::Str(_) | Value::Int(_))) => table::contains_quickly(&dict.table, key),
            (Value::Set(set), key @ (Value::Str(_) | Value::Int(_))) => table::contains_quickly(&set.table, key),
            _ => None,
        };
        let found = match quick {
            Some(found) => found,
            None => self.contains(&container, &item)?,
        };
        self.register(at, destination).put(Value::Bool(found != negated));
        Ok(())
    }
}
