//! Generators: their frames move between the heap and the machine's stack.

use super::Vm;
use super::unwind::Arrival;
use crate::lang::builtins::classes::Builtin;
use crate::lang::code::{Instruction, Register};
use crate::lang::frame::Return;
use crate::lang::heap::Ref;
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
    pub(super) fn push_generator(&mut self, generator: &Ref<GeneratorObject>, returns: Return) -> Fallible<bool> {
        if self.frames.len() >= self.recursion_limit {
            return Err(raise::recursion_error("maximum recursion depth exceeded"));
        }
        match generator.state.replace(GeneratorState::Running) {
            GeneratorState::Suspended { mut frame, mut registers } => {
                let base = self.top;
                self.top = base + registers.len();
                self.ensure(self.top + 8);
                for (slot, value) in self.stack[base..].iter_mut().zip(registers.drain(..)) {
                    *slot = value;
                }
                generator.emptied.replace(registers);
                if let Some(register) = frame.resume_into.take() {
                    self.stack[base + usize::from(register)] = Value::None;
                }
                frame.base = base;
                frame.returns = returns;
                frame.generator = Some(generator.clone());
                self.frames.push(frame);
                Ok(true)
            }
            GeneratorState::Running => Err(value_error("generator already executing")),
            GeneratorState::Finished => {
                generator.state.replace(GeneratorState::Finished);
                Ok(false)
            }
        }
    }

    /// Takes the innermost frame, a generator's, off the stack; answers what was to happen with its value.
    pub(super) fn detach_generator(&mut self, resume_into: Option<Register>) -> Return {
        let Some(mut frame) = self.frames.pop() else { return Return::ToNative };
        let (base, count) = (frame.base, frame.code.register_count);
        let returns = frame.returns;
        self.top = match (self.frames.last(), returns) {
            (Some(below), Return::Item(..)) => below.base + below.code.register_count,
            _ => base,
        };
        frame.resume_into = resume_into;
        if let Some(generator) = frame.generator.take() {
            let mut registers = generator.emptied.take();
            registers.extend(self.stack[base..base + count].iter_mut().map(std::mem::take));
            let old = generator.state.replace(GeneratorState::Suspended { frame, registers });
            drop(old);
        }
        returns
    }

    /// Resumes a generator until it yields or returns.
    pub fn resume(&mut self, generator: &Ref<GeneratorObject>, how: Resume) -> Fallible<Step> {
        let (is_fresh, delegate) = match &*generator.state.borrow() {
            GeneratorState::Suspended { frame, registers } => {
                let delegate = match frame.code.instructions.get(frame.next) {
                    Some(Instruction::YieldFrom(destination, iterator, _)) if frame.resume_into.is_some() => {
                        Some((*destination, *iterator, registers[usize::from(*iterator)].clone()))
                    }
                    _ => None,
                };
                (frame.next == 0, delegate)
            }
            GeneratorState::Running | GeneratorState::Finished => (false, None),
        };
        if let (Resume::Throw(raised), Some((destination, iterator, source))) = (&how, delegate) {
            return self.throw_into_delegate(generator, raised.clone(), destination, iterator, &source);
        }
        if let Resume::Send(value) = &how
            && is_fresh
            && !value.is_none()
        {
            return Err(type_error("can't send non-None value to a just-started generator"));
        }
        let into = match &*generator.state.borrow() {
            GeneratorState::Suspended { frame, .. } => frame.resume_into,
            GeneratorState::Running | GeneratorState::Finished => None,
        };
        if !self.push_generator(generator, Return::ToNative)? {
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
                self.push_generator(generator, Return::ToNative)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.next += 1;
                    let base = frame.base;
                    self.stack[base + usize::from(iterator)] = Value::Unset;
                    self.stack[base + usize::from(destination)] = value;
                }
                self.step_result()
            }
            Err(raised) => {
                self.push_generator(generator, Return::ToNative)?;
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
        let is_unstarted = match &*generator.state.borrow() {
            GeneratorState::Finished => return Ok(()),
            GeneratorState::Suspended { frame, .. } => frame.next == 0,
            GeneratorState::Running => false,
        };
        if is_unstarted {
            let old = generator.state.replace(GeneratorState::Finished);
            drop(old);
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

    /// One step of `yield from`: an item to pass on, or (as the error) the delegate's result.
    pub(super) fn step_delegate(&mut self, source: &Value, sent: Value) -> Fallible<Result<Value, Value>> {
        if let Value::Generator(generator) = source {
            return Ok(match self.resume(generator, Resume::Send(sent))? {
                Step::Yielded(value) => Ok(value),
                Step::Returned(value) => Err(value),
            });
        }
        let outcome = if sent.is_none() {
            match self.next(source) {
                Ok(Some(item)) => return Ok(Ok(item)),
                Ok(None) => return Ok(Err(self.stop_result.take().unwrap_or(Value::None))),
                Err(error) => Err(error),
            }
        } else {
            self.call_method(source, names::SEND, &[sent])
        };
        match outcome {
            Ok(value) => Ok(Ok(value)),
            Err(error) => stop_value(&error).map(Err).ok_or(error),
        }
    }
}

/// The value of a `StopIteration`.
pub(super) fn stop_value(raised: &Raised) -> Option<Value> {
    raised.is(Builtin::StopIteration).then(|| raised.0.args.borrow().first().cloned().unwrap_or(Value::None))
}
