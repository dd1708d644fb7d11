//! The steps of `except*`: parting a group by class, handling a part, putting together what is left to raise.

use super::At;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::builtins::exception_group as group;
use crate::lang::code::{GroupStep, Register};
use crate::lang::objects::ClassObject;
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

impl Vm {
    #[cold]
    #[inline(never)]
    pub(super) fn group_step(
        &mut self,
        at: At<'_>,
        step: GroupStep,
        first: Register,
        rest: Register,
        third: Register,
    ) -> Fallible<()> {
        match step {
            GroupStep::Split => {
                let class = self.operand(at, third)?;
                self.check_group_class(&class)?;
                let left = std::mem::take(self.register(at, rest));
                let (matched, unmatched) = self.part_of_group(&left, &class)?;
                let is_matched = matched.is_some();
                self.register(at, rest).put(unmatched.unwrap_or(Value::None));
                self.register(at, rest + 1).put(matched.unwrap_or_default());
                self.register(at, first).put(Value::Bool(is_matched));
            }
            GroupStep::Handle => {
                let part = self.register(at, first).clone();
                if let Some(frame) = self.frames.last_mut() {
                    frame.handled.push(part);
                }
            }
            GroupStep::Collect => {
                let left = std::mem::take(self.register(at, rest));
                let raised = match std::mem::take(self.register(at, rest + 2)) {
                    Value::List(raised) => raised.items.take(),
                    _ => Vec::new(),
                };
                let original = self.register(at, third).clone();
                let result = group::to_raise(self, &original, raised, &left)?;
                self.register(at, first).put(Value::Bool(result.is_some()));
                self.register(at, third).put(result.unwrap_or(Value::None));
            }
        }
        Ok(())
    }

    /// What `except*` may name: exception classes that are no groups.
    fn check_group_class(&mut self, class: &Value) -> Fallible<()> {
        let classes = match class {
            Value::Tuple(items) => items.items().to_vec(),
            other => vec![other.clone()],
        };
        // Refuses what is no exception class.
        let probe = self.call(&Value::Class(builtin_class(Builtin::Exception)), &[])?;
        self.exception_matches(&probe, class)?;
        let groups = builtin_class(Builtin::BaseExceptionGroup);
        let is_group =
            |value: &Value| matches!(value, Value::Class(class) if ClassObject::is_subclass_of(class, &groups));
        if classes.iter().any(is_group) {
            return Err(type_error("catching ExceptionGroup with except* is not allowed. Use except instead."));
        }
        Ok(())
    }

    /// The part of an exception that a class takes, as a group, and the rest.
    fn part_of_group(&mut self, left: &Value, class: &Value) -> Fallible<(Option<Value>, Option<Value>)> {
        if left.is_none() {
            return Ok((None, None));
        }
        if self.exception_matches(left, class)? {
            if group::is_group(left) {
                return Ok((Some(left.clone()), None));
            }
            let wrapped = group::wrap(self, "", Value::tuple([left.clone()]))?;
            return Ok((Some(wrapped), None));
        }
        if group::is_group(left) {
            return group::split(self, left, class);
        }
        Ok((None, Some(left.clone())))
    }
}
