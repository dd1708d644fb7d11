//! Iteration, generators, exceptions and context managers.

use super::{At, Failure};
use crate::lang::builtins::classes::Builtin;
use crate::lang::code::Register;
use crate::lang::frame::Return;
use crate::lang::objects::{IteratorObject, IteratorState};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::unwind::Arrival;
use crate::lang::vm::{Step, Vm};

/// What a step of `yield from` led to.
pub(super) enum Delegated {
    /// The delegate yielded a value to pass on.
    Yielded(Value),
    /// The delegate has ended, its result is in place.
    End,
    /// The frame of a generator was pushed, whose yield is this frame's.
    Pushed,
}

/// What a step of a loop led to.
pub(super) enum Stepped {
    /// There is an item.
    Item,
    /// The iterator is at its end and gone.
    End,
    /// The frame of a generator was pushed, whose yield goes on with the loop.
    Pushed,
}

/// The next item of a range, list or tuple; nothing also where the end, or another kind of iterator, needs more care.
#[inline(always)]
fn next_quickly(iterator: &IteratorObject) -> Option<Value> {
    match &mut *iterator.state.borrow_mut() {
        IteratorState::Range(value, step, left) if *left > 0 => {
            let item = *value;
            *value = value.wrapping_add(*step);
            *left -= 1;
            Some(Value::Int(item))
        }
        IteratorState::List(list, position) => {
            let item = list.items.borrow().get(*position)?.clone();
            *position += 1;
            Some(item)
        }
        IteratorState::Tuple(tuple, position) => {
            let item = tuple.items().get(*position)?.clone();
            *position += 1;
            Some(item)
        }
        _ => None,
    }
}

impl Vm {
    /// Steps a loop over a range, list or tuple; says whether there was an item.
    #[inline(always)]
    pub(super) fn step_quickly(&mut self, at: At<'_>, destination: Register, iterator: Register) -> bool {
        let Value::Iterator(iterator) = &self.stack[at.base + usize::from(iterator)] else { return false };
        let Some(item) = next_quickly(iterator) else { return false };
        self.register(at, destination).put(item);
        true
    }

    /// Steps a loop over anything.
    #[inline(never)]
    pub(super) fn step(&mut self, at: At<'_>, destination: Register, iterator: Register) -> Fallible<Stepped> {
        let source = self.register(at, iterator).clone();
        if let Value::Generator(generator) = source {
            if self.push_generator(generator, Return::Item(destination, iterator))? {
                return Ok(Stepped::Pushed);
            }
            self.register(at, iterator).put(Value::Unset);
            return Ok(Stepped::End);
        }
        match self.next(&source)? {
            Some(item) => {
                source.discard();
                self.finish(at, destination, item)?;
                Ok(Stepped::Item)
            }
            None => {
                source.discard();
                self.register(at, iterator).put(Value::Unset);
                Ok(Stepped::End)
            }
        }
    }

    #[inline(never)]
    pub(super) fn get_iterator(&mut self, at: At<'_>, destination: Register, source: Register) -> Fallible<()> {
        let value = self.operand(at, source)?;
        let iterator = self.iter(&value)?;
        value.discard();
        self.register(at, destination).put(iterator);
        Ok(())
    }

    /// One step of `yield from`.
    #[inline(never)]
    pub(super) fn yield_from(
        &mut self,
        at: At<'_>,
        destination: Register,
        iterator: Register,
        scratch: Register,
    ) -> Fallible<Delegated> {
        let sent = std::mem::take(self.register(at, scratch));
        let source = self.register(at, iterator).clone();
        if sent.is_none()
            && let Value::Generator(generator) = &source
            && self.push_generator(generator.clone(), Return::Delegate(destination, iterator))?
        {
            return Ok(Delegated::Pushed);
        }
        match self.step_delegate(&source, sent)? {
            Step::Yielded(item) => Ok(Delegated::Yielded(item)),
            Step::Returned(result) => {
                drop(source);
                self.register(at, iterator).put(Value::Unset);
                self.register(at, destination).put(result);
                Ok(Delegated::End)
            }
        }
    }

    #[inline(never)]
    pub(super) fn raise_at(&mut self, at: At<'_>, source: Register) -> Fallible<Raised> {
        self.settle_pending()?;
        let value = self.operand(at, source)?;
        self.exception_from(value)
    }

    #[inline(never)]
    pub(super) fn raise_from_at(&mut self, at: At<'_>, source: Register, cause: Register) -> Fallible<Raised> {
        self.settle_pending()?;
        let (value, cause) = (self.operand(at, source)?, self.operand(at, cause)?);
        self.exception_with_cause(value, cause)
    }

    /// `raise` alone.
    #[inline(never)]
    pub(super) fn raise_again(&self) -> Failure {
        match self.handled_exception() {
            Some(exception) => (Raised(exception), Arrival::Again),
            None => (raise::runtime_error("No active exception to reraise"), Arrival::Raised),
        }
    }

    #[inline(never)]
    pub(super) fn assertion_error(&mut self, at: At<'_>, message: Option<Register>) -> Fallible<()> {
        let args = match message {
            Some(message) => vec![self.operand(at, message)?],
            None => vec![],
        };
        Err(Raised::with_args(Builtin::AssertionError, args))
    }

    pub(super) fn pop_handled(&mut self) {
        let old = self.frames.last_mut().and_then(|frame| frame.handled.pop());
        drop(old);
    }

    #[inline(never)]
    pub(super) fn match_exception(
        &mut self,
        at: At<'_>,
        destination: Register,
        exception: Register,
        class: Register,
    ) -> Fallible<()> {
        let class = self.operand(at, class)?;
        let exception = self.register(at, exception).clone();
        let matches = self.exception_matches(&exception, &class)?;
        self.register(at, destination).put(Value::Bool(matches));
        Ok(())
    }

    #[inline(never)]
    pub(super) fn with_enter(
        &mut self,
        at: At<'_>,
        destination: Register,
        window: Register,
        manager: Register,
    ) -> Fallible<()> {
        self.settle_pending()?;
        let manager = self.operand(at, manager)?;
        let (exit, entered) = self.enter_context(&manager)?;
        self.register(at, window).put(exit);
        self.register(at, window + 1).put(Value::Unset);
        self.register(at, destination).put(entered);
        Ok(())
    }

    #[inline(never)]
    pub(super) fn with_exit(
        &mut self,
        at: At<'_>,
        destination: Register,
        window: Register,
        exception: Register,
    ) -> Fallible<()> {
        let exit = std::mem::take(self.register(at, window));
        self.register(at, window + 1).put(Value::Unset);
        let exception = self.register(at, exception).clone();
        let traceback = self.traceback_value(&exception);
        let class = Value::Class(exception.class());
        let result = self.call(&exit, &[class, exception, traceback])?;
        drop(exit);
        self.register(at, destination).put(result);
        Ok(())
    }
}
