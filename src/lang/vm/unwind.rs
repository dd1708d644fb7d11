//! Exceptions on their way: context, traceback entries, the nearest handler.

use super::Vm;
use crate::lang::builtins::classes::Builtin;
use crate::lang::builtins::frame_object::FrameObject;
use crate::lang::code::Instruction;
use crate::lang::frame::Return;
use crate::lang::heap::Ref;
use crate::lang::objects::{ExceptionObject, TracebackEntry};
use crate::lang::raise::{Fallible, Raised};
use crate::lang::value::Value;

/// How an exception comes to the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// Raised just now: gets a context and an entry for this frame.
    Raised,
    /// Raised again as it was: this frame is in its traceback already.
    Again,
}

impl Vm {
    /// The innermost exception that is being handled.
    pub fn handled_exception(&self) -> Option<Ref<ExceptionObject>> {
        self.frames.iter().rev().find_map(|frame| match frame.handled.last() {
            Some(Value::Exception(exception)) => Some(exception.clone()),
            _ => None,
        })
    }

    /// Lets an exception know what was being handled when it was raised.
    pub(super) fn set_context(&self, raised: &Raised) {
        let Some(handled) = self.handled_exception() else { return };
        if Ref::ptr_eq(&handled, &raised.0) {
            return;
        }
        // The chain must not lead back to the exception itself.
        let mut link = handled.clone();
        loop {
            let next = link.context.borrow().clone();
            match next {
                Value::Exception(next) if Ref::ptr_eq(&next, &raised.0) => {
                    let old = link.context.replace(Value::None);
                    drop(old);
                    break;
                }
                Value::Exception(next) => link = next,
                _ => break,
            }
        }
        let old = raised.0.context.replace(Value::Exception(handled));
        drop(old);
    }

    /// Takes an exception to the nearest handler among the frames down to `entry`, dropping frames on the way; gives it
    /// back when the entry frame has none.
    pub(super) fn unwind(&mut self, raised: Raised, arrival: Arrival, entry: usize) -> Fallible<()> {
        let mut raised = raised;
        let mut adds_entry = arrival == Arrival::Raised;
        // An exception that came out of native code has its context from where it was raised.
        if adds_entry && (self.is_at_raise() || raised.0.traceback.borrow().is_empty()) {
            self.set_context(&raised);
        }
        loop {
            let Some(frame) = self.frames.last() else { return Err(raised) };
            let at = frame.next.saturating_sub(1);
            if adds_entry {
                let span = frame.code.spans.get(at).copied().unwrap_or_default();
                if raised.0.traceback.borrow().is_empty() {
                    self.name_what_is_apart(&raised, span);
                }
                let entry = TracebackEntry { code: frame.code.clone(), span };
                raised.0.traceback.borrow_mut().push_front(entry);
            }
            adds_entry = true;
            let at = at as u32;
            let found = frame.code.handlers.iter().find(|range| range.start <= at && at < range.end).copied();
            if let Some(range) = found {
                let (base, end) = (frame.base, frame.base + frame.code.register_count);
                self.clear_slots(base + usize::from(range.register), end);
                self.stack[base + usize::from(range.register)] = Value::Exception(raised.0.clone());
                let frame = self.frames.last_mut().expect("the frame was there");
                let dropped = frame.handled.split_off(usize::from(range.handled).min(frame.handled.len()));
                frame.handled.push(Value::Exception(raised.0));
                frame.next = range.target as usize;
                drop(dropped);
                return Ok(());
            }
            let is_entry = self.frames.len() == entry;
            if let Some(generator) = frame.generator.clone() {
                raised = self.leave_generator(&generator, raised);
            }
            if self.keeps_frames {
                self.keep_frame(&raised, at as usize);
            }
            let (base, returns) = (frame_base(self), self.frames.last().map(|frame| frame.returns));
            self.pop_frame();
            if let Some(Return::Instance(_)) = returns {
                // The new instance waited in the slot before the frame's window.
                self.clear_slots(base - 1, base);
            }
            if is_entry {
                return Err(raised);
            }
        }
    }

    /// Lets an exception keep what the innermost frame's locals hold, before the frame goes.
    fn keep_frame(&self, raised: &Raised, at: usize) {
        let Some(frame) = self.frames.last() else { return };
        let locals = frame.code.locals.iter().enumerate().filter_map(|(offset, name)| {
            let value = self.stack.get(frame.base + offset).filter(|value| !value.is_unset())?;
            Some((*name, value.clone()))
        });
        let span = frame.code.spans.get(at).copied().unwrap_or_default();
        let kept = FrameObject::value(frame.code.clone(), span, locals.collect());
        raised.0.frames.borrow_mut().push_front(kept);
    }

    /// Whether the innermost frame is at a `raise` statement.
    fn is_at_raise(&self) -> bool {
        let instruction =
            self.frames.last().and_then(|frame| frame.code.instructions.get(frame.next.saturating_sub(1)).copied());
        matches!(instruction, Some(Instruction::Raise(_) | Instruction::RaiseFrom(..)))
    }

    /// A `StopIteration` that leaves a generator would end its consumer's loop silently, so it becomes a `RuntimeError`.
    fn leave_generator(&mut self, generator: &Ref<crate::lang::objects::GeneratorObject>, raised: Raised) -> Raised {
        drop(generator.finish());
        if !raised.is(Builtin::StopIteration) {
            return raised;
        }
        let error = Raised::builtin(Builtin::RuntimeError, "generator raised StopIteration");
        let cause = Value::Exception(raised.0.clone());
        drop(error.0.cause.replace(cause.clone()));
        drop(error.0.context.replace(cause));
        error.0.suppress_context.set(true);
        error
    }
}

fn frame_base(vm: &Vm) -> usize {
    vm.frames.last().map_or(0, |frame| frame.base)
}
