//! Calls and returns: frames of plain functions are entered and left here without a detour, everything else goes through
//! [`Vm::call_window`].

use std::sync::atomic::Ordering;

use super::{At, Failure};
use crate::lang::code::{Code, Instruction, Register};
use crate::lang::frame::{Frame, Return};
use crate::lang::heap;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use crate::lang::vm::calls::{Called, check_init_result};
use crate::lang::vm::unwind::Arrival;

/// Whether a callee makes an expression of arrays that are not computed yet.
fn takes_pending(callee: &Value) -> bool {
    match callee {
        Value::Native(function) => function.definition.takes_pending,
        Value::Object(_) => crate::lang::arrays::ufunc::as_ufunc(callee).is_some(),
        _ => false,
    }
}

impl Vm {
    /// Whether a safe point has something to do; the cheap half of [`Vm::safe_point`].
    #[inline(always)]
    pub(super) fn wants_attention(&mut self) -> bool {
        self.until_collection_check = self.until_collection_check.wrapping_sub(1);
        self.until_collection_check & 31 == 0 || self.attention.load(Ordering::Relaxed) != 0 || heap::has_finalizers()
    }

    /// Runs finalizers that wait; the rest of a safe point waits for a better place.
    #[inline(always)]
    pub(super) fn finalizers_only(&mut self) {
        if heap::has_finalizers() {
            self.run_finalizers();
        }
    }

    /// What has to happen before a call, where something may have to.
    #[cold]
    #[inline(never)]
    fn before_call(&mut self, window: usize, wants_attention: bool) -> Fallible<()> {
        let keeps_pending = self.has_pending() && takes_pending(&self.stack[window]);
        if wants_attention {
            let is_only_collection = !heap::has_finalizers() && self.attention.load(Ordering::Relaxed) == 0;
            if keeps_pending && is_only_collection {
                // A look whether to collect must not part a statement into programs: the next call looks again.
                self.until_collection_check = self.until_collection_check.wrapping_add(1);
                return Ok(());
            }
            // Code of the program may run here, whoever is called.
            self.settle_pending()?;
            return self.safe_point();
        }
        if keeps_pending { Ok(()) } else { self.settle_pending() }
    }

    /// Starts the call in a window, whose place for a receiver is emptied where there is none.
    #[inline(always)]
    pub(super) fn start_call(
        &mut self,
        window: usize,
        is_method: bool,
        count: u16,
        destination: Register,
    ) -> Fallible<Called> {
        if !is_method {
            self.stack[window + 1].put(Value::Unset);
        }
        let wants_attention = self.wants_attention();
        if wants_attention || !self.pending.is_empty() {
            self.before_call(window, wants_attention)?;
        }
        if let Value::Function(function) = &self.stack[window] {
            let given = usize::from(count) + usize::from(!self.stack[window + 1].is_unset());
            let is_plain = function.code.plain_arity == Some(given)
                && self.frames.len() < self.depth_granted
                && self.dry_run.is_none();
            if is_plain && let Value::Function(function) = std::mem::take(&mut self.stack[window]) {
                self.enter(function, window + 2 + usize::from(count) - given, Return::Into(destination));
                return Ok(Called::Pushed);
            }
        }
        self.call_window(window, usize::from(count), &[], Return::Into(destination))
    }

    #[inline(never)]
    pub(super) fn start_keyword_call(
        &mut self,
        at: At<'_>,
        window: Register,
        is_method: bool,
        count: u16,
        names: u32,
        destination: Register,
    ) -> Fallible<Called> {
        let window = at.base + usize::from(window);
        if !is_method {
            self.stack[window + 1].put(Value::Unset);
        }
        let wants_attention = self.wants_attention();
        if wants_attention || !self.pending.is_empty() {
            self.before_call(window, wants_attention)?;
        }
        let names = &at.code.keyword_names[names as usize];
        self.call_window(window, usize::from(count), names, Return::Into(destination))
    }

    #[inline(never)]
    pub(super) fn call_unpacked_at(&mut self, at: At<'_>, destination: Register, window: Register) -> Fallible<()> {
        let window = at.base + usize::from(window);
        let wants_attention = self.wants_attention();
        if wants_attention || !self.pending.is_empty() {
            self.before_call(window, wants_attention)?;
        }
        self.stack[window + 1].put(Value::Unset);
        let value = self.call_unpacked(window)?;
        self.finish(at, destination, value)
    }

    /// Leaves the innermost frame where another one called it, and puts its value there; gives the value back otherwise.
    #[inline(always)]
    pub(super) fn leave_called(&mut self, value: Value) -> Option<Value> {
        if let Some(Frame { returns: Return::Into(destination), generator: None, .. }) = self.frames.last() {
            let destination = *destination;
            self.pop_called();
            self.store_below(destination, value);
            return None;
        }
        Some(value)
    }

    /// Drops the innermost frame, which another one called, with its registers.
    #[inline(always)]
    fn pop_called(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        self.clear_slots(frame.base, frame.base + frame.code.register_count);
        self.frames.pop();
        if let Some(below) = self.frames.last() {
            self.top = below.base + below.code.register_count;
        }
    }

    /// Leaves the innermost frame with a value and puts it where it belongs; `Some` when Rust code waits for it. An error is the
    /// caller's, whose frame is the innermost one by then.
    #[inline(never)]
    pub(super) fn leave_frame(&mut self, value: Value) -> Result<Option<Value>, Failure> {
        let frame = self.frames.last().expect("a frame is running");
        let returns = frame.returns;
        let base = frame.base;
        if let Return::Class(_) | Return::ClassToNative = returns {
            let class = self.finish_class(base);
            self.pop_frame();
            let class = class.map_err(|raised| (raised, Arrival::Raised))?;
            return match returns {
                Return::Class(destination) => {
                    self.store_below(destination, class);
                    Ok(None)
                }
                _ => Ok(Some(class)),
            };
        }
        if let Some(generator) = &frame.generator {
            drop(generator.finish());
        }
        self.yielded = false;
        self.pop_frame();
        match returns {
            Return::ToNative | Return::ClassToNative => return Ok(Some(value)),
            Return::Into(destination) | Return::Class(destination) => self.store_below(destination, value),
            Return::Instance(destination) => {
                let instance = std::mem::take(&mut self.stack[base - 1]);
                check_init_result(&value).map_err(|raised| (raised, Arrival::Raised))?;
                self.store_below(destination, instance);
            }
            Return::Item(_, iterator) => {
                drop(value);
                self.store_below(iterator, Value::Unset);
            }
            Return::Delegate(destination, iterator) => {
                self.store_below(iterator, Value::Unset);
                self.store_below(destination, value);
            }
        }
        Ok(None)
    }

    #[inline(always)]
    fn store_below(&mut self, register: Register, value: Value) {
        let Some(below) = self.frames.last() else { return };
        let slot = below.base + usize::from(register);
        self.stack[slot].put(value);
    }

    /// Suspends the innermost frame, a generator's, with a value for its consumer.
    #[inline(always)]
    pub(super) fn suspend(&mut self, resume_into: Option<Register>, value: Value) -> Option<Value> {
        match self.detach_generator(resume_into) {
            Return::Item(destination, _) => {
                self.store_below(destination, value);
                if let Some(below) = self.frames.last_mut() {
                    below.next += 1;
                }
                None
            }
            Return::Delegate(..) => self.suspend_delegating(value),
            _ => {
                self.yielded = true;
                Some(value)
            }
        }
    }

    /// Suspends the innermost frame, a generator's, with a value that its delegate yielded.
    #[inline(never)]
    fn suspend_delegating(&mut self, value: Value) -> Option<Value> {
        let frame = self.frames.last_mut()?;
        // The same instruction goes on when the generator is resumed.
        frame.next -= 1;
        let scratch = match frame.code.instructions.get(frame.next) {
            Some(Instruction::YieldFrom(_, _, scratch)) => Some(*scratch),
            _ => None,
        };
        self.suspend(scratch, value)
    }
}

/// Where a branch goes on: two further when the comparison holds, else to the jump that follows.
#[inline(always)]
pub(super) fn branch(code: &Code, next: usize, holds: bool) -> usize {
    if holds {
        return next + 1;
    }
    match code.instructions[next] {
        Instruction::Jump(target) => target as usize,
        _ => next,
    }
}
