//! Generators: their frames move between the heap and the machine's stack.

use super::Vm;
use super::unwind::Arrival;
use crate::lang::builtins::classes::Builtin;
use crate::lang::code::{Instruction, Register};
use crate::lang::frame::Return;
use crate::lang::heap::{self, Ref};
use crate::lang::name::names;
use crate::lang::objects::{GeneratorObject, GeneratorState};
use crate::lang::raise::{self, Fallible, Raised, type_error, value_error};
use crate::lang::value::Value;

/// What one step of a generator gave.
#[derive(Debug)]
pub enum Step {
    /// It yielded.
    Yielded(Value),
    /// It returned.
    Returned(Value),
}

impl Step {
    /// The item, nothing at the end.
    #[inline]
    pub fn yielded(self) -> Option<Value> {
        match self {
            Self::Yielded(value) => Some(value),
            Self::Returned(_) => None,
        }
    }
}

/// How a generator is resumed.
#[derive(Debug)]
pub enum Resume {
    /// With a value for its `yield`.
    Send(Value),
    /// With an exception at its `yield`.
    Throw(Raised),
}

impl Vm {
    /// Puts a generator's frame on the stack; false when it is finished.
    #[inline]
    pub(super) fn push_generator(&mut self, generator: Ref<GeneratorObject>, returns: Return) -> Fallible<bool> {
        if self.frames.len() >= self.depth_granted {
            self.deepen()?;
        }
        match generator.state.get() {
            GeneratorState::Suspended => {}
            GeneratorState::Running => return Err(value_error("generator already executing")),
            GeneratorState::Finished => return Ok(false),
        }
        // The frame has the function while it runs, as it has the registers: nothing is counted up and down at a step.
        let Some(function) = generator.function.take() else { return Ok(false) };
        generator.state.set(GeneratorState::Running);
        let base = self.top;
        let mut registers = generator.registers.borrow_mut();
        self.top = base + registers.len();
        self.ensure(self.top + 8);
        // Above the top every slot is unset, so the generator holds nothing while it runs.
        heap::move_values(&mut registers, &mut self.stack[base..]);
        drop(registers);
        if let Some(register) = generator.resume_into.take() {
            self.stack[base + usize::from(register)].put(Value::None);
        }
        let frame = self.frames.push(function, base, returns);
        frame.next = generator.next.get();
        if !generator.handled.borrow().is_empty() {
            frame.handled = generator.handled.take();
        }
        frame.generator = Some(generator);
        Ok(true)
    }

    /// Takes the innermost frame, a generator's, off the stack; answers what was to happen with its value.
    #[inline]
    pub(super) fn detach_generator(&mut self, resume_into: Option<Register>) -> Return {
        let Some(frame) = self.frames.last_mut() else { return Return::ToNative };
        let (base, returns) = (frame.base, frame.returns);
        if let Some(generator) = frame.generator.take() {
            generator.function.replace(frame.function.take());
            generator.next.set(frame.next);
            generator.resume_into.set(resume_into);
            if !frame.handled.is_empty() {
                generator.handled.replace(std::mem::take(&mut frame.handled));
            }
            let mut registers = generator.registers.borrow_mut();
            heap::move_values(&mut self.stack[base..base + registers.len()], &mut registers);
            generator.state.set(GeneratorState::Suspended);
        }
        self.frames.pop_generator();
        self.top = match (self.frames.last(), returns) {
            (Some(below), Return::Item(..) | Return::Delegate(..)) => below.base + below.code.register_count,
            _ => base,
        };
        returns
    }

    /// The next item of a generator, or what it returned.
    #[inline]
    pub(super) fn resume_next(&mut self, generator: &Ref<GeneratorObject>) -> Fallible<Step> {
        if self.push_generator(generator.clone(), Return::ToNative)? {
            self.step_result()
        } else {
            Ok(Step::Returned(Value::None))
        }
    }

    /// Resumes a generator until it yields or returns.
    pub fn resume(&mut self, generator: &Ref<GeneratorObject>, how: Resume) -> Fallible<Step> {
        let is_suspended = generator.state.get() == GeneratorState::Suspended;
        let is_fresh = is_suspended && generator.next.get() == 0;
        let into = if is_suspended { generator.resume_into.get() } else { None };
        let delegate = if into.is_some() { delegate_of(generator) } else { None };
        if let (Resume::Throw(raised), Some((destination, iterator, source))) = (&how, delegate) {
            return self.throw_into_delegate(generator, raised.clone(), destination, iterator, &source);
        }
        if let Resume::Send(value) = &how
            && is_fresh
            && !value.is_none()
        {
            return Err(type_error("can't send non-None value to a just-started generator"));
        }
        if !self.push_generator(generator.clone(), Return::ToNative)? {
            return match how {
                Resume::Send(_) => Ok(Step::Returned(Value::None)),
                Resume::Throw(raised) => Err(raised),
            };
        }
        match how {
            Resume::Send(value) => {
                if let Some(register) = into {
                    let base = self.frames.last().map_or(0, |frame| frame.base);
                    self.stack[base + usize::from(register)] = value;
                }
            }
            Resume::Throw(raised) => {
                let entry = self.frames.len();
                if is_fresh && let Some(frame) = self.frames.last_mut() {
                    // Nothing of the body is protected yet; the entry names the line of the `def`.
                    frame.next = 0;
                }
                self.unwind(raised, Arrival::Raised, entry)?;
            }
        }
        self.step_result()
    }

    fn step_result(&mut self) -> Fallible<Step> {
        let value = self.run_pushed()?;
        Ok(if self.yielded { Step::Yielded(value) } else { Step::Returned(value) })
    }

    /// Gives an exception to the iterator a generator delegates to by `yield from`.
    fn throw_into_delegate(
        &mut self,
        generator: &Ref<GeneratorObject>,
        raised: Raised,
        destination: Register,
        iterator: Register,
        source: &Value,
    ) -> Fallible<Step> {
        let outcome = if raised.is(Builtin::GeneratorExit) {
            match self.close_iterator(source) {
                Ok(()) => Err(raised),
                Err(error) => Err(error),
            }
        } else if let Value::Generator(inner) = source {
            self.resume(inner, Resume::Throw(raised))
        } else if let Some(throw) = self.find_attribute(source, names::THROW)? {
            match self.call(&throw, &[Value::Exception(raised.0)]) {
                Ok(value) => Ok(Step::Yielded(value)),
                Err(error) => stop_value(&error).map(Step::Returned).ok_or(error),
            }
        } else {
            Err(raised)
        };
        match outcome {
            Ok(Step::Yielded(value)) => Ok(Step::Yielded(value)),
            Ok(Step::Returned(value)) => {
                self.push_generator(generator.clone(), Return::ToNative)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.next += 1;
                    let base = frame.base;
                    self.stack[base + usize::from(iterator)] = Value::Unset;
                    self.stack[base + usize::from(destination)] = value;
                }
                self.step_result()
            }
            Err(raised) => {
                self.push_generator(generator.clone(), Return::ToNative)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.next += 1;
                    let base = frame.base;
                    self.stack[base + usize::from(iterator)] = Value::Unset;
                }
                let entry = self.frames.len();
                self.unwind(raised, Arrival::Raised, entry)?;
                self.step_result()
            }
        }
    }

    fn close_iterator(&mut self, source: &Value) -> Fallible<()> {
        if let Value::Generator(inner) = source {
            return self.close_generator(inner);
        }
        if let Some(close) = self.find_attribute(source, names::CLOSE)? {
            self.call(&close, &[])?;
        }
        Ok(())
    }

    /// `generator.close()`
    pub fn close_generator(&mut self, generator: &Ref<GeneratorObject>) -> Fallible<()> {
        if generator.state.get() == GeneratorState::Finished {
            return Ok(());
        }
        let is_unstarted = generator.state.get() == GeneratorState::Suspended && generator.next.get() == 0;
        if is_unstarted {
            drop(generator.finish());
            return Ok(());
        }
        let exit = Raised::with_args(Builtin::GeneratorExit, vec![]);
        match self.resume(generator, Resume::Throw(exit)) {
            Ok(Step::Yielded(_)) => Err(raise::runtime_error("generator ignored GeneratorExit")),
            Ok(Step::Returned(_)) => Ok(()),
            Err(error) if error.is(Builtin::GeneratorExit) || error.is(Builtin::StopIteration) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// One step of `yield from`.
    pub(super) fn step_delegate(&mut self, source: &Value, sent: Value) -> Fallible<Step> {
        match source {
            _ if sent.is_none() => self.next_or_result(source),
            Value::Generator(generator) => self.resume(generator, Resume::Send(sent)),
            _ => match self.call_method(source, names::SEND, &[sent]) {
                Ok(value) => Ok(Step::Yielded(value)),
                Err(error) => stop_value(&error).map(Step::Returned).ok_or(error),
            },
        }
    }
}

/// Where a suspended generator delegates by `yield from`: the registers of the result and of the iterator, and the iterator.
fn delegate_of(generator: &GeneratorObject) -> Option<(Register, Register, Value)> {
    let function = generator.function.borrow();
    match function.as_ref()?.code.instructions.get(generator.next.get())? {
        Instruction::YieldFrom(destination, iterator, _) => {
            let source = generator.registers.borrow().get(usize::from(*iterator))?.clone();
            Some((*destination, *iterator, source))
        }
        _ => None,
    }
}

/// The value of a `StopIteration`.
pub(super) fn stop_value(raised: &Raised) -> Option<Value> {
    raised.is(Builtin::StopIteration).then(|| raised.0.args.borrow().first().cloned().unwrap_or(Value::None))
}
