//! Instructions and how they are executed: `dispatch` is the loop, one file a family has what it does not do in place, and here
//! is what all of them share: registers, operands, results.

mod access;
mod arithmetic;
mod calls;
mod containers;
mod dispatch;
mod flow;
mod groups;
mod names;
mod statements;

use super::Vm;
use super::unwind::Arrival;
use crate::lang::code::{Code, Register};
use crate::lang::name::Name;
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;

/// An exception and how it arrived.
type Failure = (Raised, Arrival);

/// What every instruction needs besides its operands: the running code and where its registers begin.
#[derive(Clone, Copy)]
struct At<'a> {
    code: &'a Code,
    base: usize,
}

impl At<'_> {
    /// Whether a register is a temporary, which an operand moves out of, rather than a local.
    #[inline(always)]
    fn is_temporary(self, register: Register) -> bool {
        usize::from(register) >= self.code.locals.len()
    }
}

impl Vm {
    /// Runs the innermost frame, which Rust code started, until it returns or yields.
    pub(super) fn execute(&mut self) -> Fallible<Value> {
        let entry = self.frames.len();
        loop {
            let failure = match self.execute_frame(entry) {
                Ok(value) => return Ok(value),
                Err(failure) => failure,
            };
            let (raised, arrival) = failure;
            self.unwind(raised, arrival, entry)?;
        }
    }

    /// A register of the running frame.
    #[inline(always)]
    fn register(&mut self, at: At<'_>, register: Register) -> &mut Value {
        &mut self.stack[at.base + usize::from(register)]
    }

    /// A register as an operand: a temporary is moved out, a local copied.
    #[inline(always)]
    fn operand(&mut self, at: At<'_>, register: Register) -> Fallible<Value> {
        let slot = &mut self.stack[at.base + usize::from(register)];
        if at.is_temporary(register) {
            return Ok(std::mem::take(slot));
        }
        if slot.is_unset() { Err(unbound_local(at.code, register)) } else { Ok(slot.clone()) }
    }

    /// Writes a result; one that is bound to a local must not be pending.
    #[inline(always)]
    fn finish(&mut self, at: At<'_>, register: Register, value: Value) -> Fallible<()> {
        self.register(at, register).put(value);
        if !self.pending.is_empty() && !at.is_temporary(register) {
            self.settle_pending()?;
        }
        Ok(())
    }
}

/// A name bound in the namespace of a class being defined.
pub(super) fn class_namespace(namespace: &Value, name: Name) -> Option<Value> {
    match namespace {
        Value::Module(namespace) => namespace.get(name),
        _ => None,
    }
}

#[cold]
#[inline(never)]
fn unbound_local(code: &Code, register: Register) -> Raised {
    let name = code.locals.get(usize::from(register)).copied().unwrap_or_else(|| Name::new("?"));
    raise::unbound_local_error(format!("cannot access local variable '{name}' where it is not associated with a value"))
}

#[cold]
#[inline(never)]
fn unbound_free(name: Name) -> Raised {
    raise::name_error(format!(
        "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
    ))
}
