//! Pending arrays: expressions that wait for the end of their statement so that they run as one program.
//!
//! An operator on large arrays makes a pending array. The machine settles all of them before anyone could tell: at every
//! store, call of user code, return, yield and write to memory. What nobody holds by then was only a step of a larger
//! expression and is never computed on its own.

use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::ledger::{self, Origin};
use crate::arrays::{chunk, pool, registry};
use crate::lang::arrays::error::{ArrayException, array_exception, raised};
use crate::lang::heap::Ref;
use crate::lang::objects::{ArrayFlavour, ArrayObject, ArrayState};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// An expression as a value that the machine will compute.
pub fn defer(vm: &mut Vm, flavour: ArrayFlavour, expression: Expr) -> Value {
    // The whole expression is deferred last, so its memory is marked as asked for by the whole.
    mark_origin(vm);
    let array = Ref::new(ArrayObject::pending(flavour, expression));
    vm.add_pending(array.clone());
    Value::Array(array)
}

/// Computes every pending array that something besides the list still holds.
pub fn settle(vm: &mut Vm) -> Fallible<()> {
    while let Some(array) = vm.take_pending() {
        // One count is ours: nobody else can see this array any more.
        if Ref::count(&array) > 1 {
            compute(vm, &array)?;
        }
    }
    Ok(())
}

/// The computed array; computes it now if it was pending.
pub fn compute(vm: &mut Vm, array: &Ref<ArrayObject>) -> Fallible<Array> {
    let expression = match &*array.state.borrow() {
        ArrayState::Ready(ready) => return Ok(ready.clone()),
        ArrayState::Pending(expression) => expression.clone(),
    };
    let computed = relieved(vm, |_| expression.evaluate())?;
    let old = array.state.replace(ArrayState::Ready(computed.clone()));
    drop(old);
    Ok(computed)
}

/// Runs work that allocates; when memory runs out, lets the machine relieve it (finish queued work, return the cache,
/// break garbage cycles) and tries once more before the error is raised.
pub fn with_relief<T>(vm: &mut Vm, work: impl FnMut(&mut Vm) -> Result<T, ArrayError>) -> Fallible<T> {
    mark_origin(vm);
    relieved(vm, work)
}

/// Marks allocations from here on as asked for by the code that runs now.
pub fn mark_origin(vm: &Vm) {
    if let Some((code, span)) = vm.origin() {
        ledger::set_origin(Origin { code, span: span.packed() });
    }
}

fn relieved<T>(vm: &mut Vm, mut work: impl FnMut(&mut Vm) -> Result<T, ArrayError>) -> Fallible<T> {
    if vm.is_dry_run() {
        vm.host.dry_run_allocates();
    }
    match work(vm) {
        Err(error) if error.out_of_memory().is_some() => {
            relieve(vm)?;
            chunk::giving_way(|| work(vm)).map_err(|error| explained(vm, error))
        }
        other => {
            let value = other.map_err(raised)?;
            super::float_errors::report(vm)?;
            Ok(value)
        }
    }
}

/// Makes room: queued work may hold temporaries, cycles may hold arrays, and the cache holds blocks nobody uses.
fn relieve(vm: &mut Vm) -> Fallible<()> {
    registry::finish_all().map_err(raised)?;
    vm.relieve_memory();
    pool::trim_all();
    Ok(())
}

/// The error of an allocation that did not fit, in the words of the session, which knows who holds what.
fn explained(vm: &mut Vm, error: ArrayError) -> Raised {
    let Some(shortage) = error.out_of_memory().cloned() else { return raised(error) };
    let host = vm.host.clone();
    let message = host.explain_out_of_memory(vm, &shortage);
    match shortage.usm {
        None => raise::memory_error(message),
        Some(_) => Raised::new(array_exception(ArrayException::UsmAllocation), message),
    }
}
