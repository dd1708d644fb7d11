//! `_host`: what modules written in the language ask of the session.

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::native::method;
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, eof_error};
use crate::lang::vm::Vm;

/// Builds `_host`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_host",
        "What modules ask of the session.",
        &[method("read_hidden", "(prompt)", "Reads a line that is not shown.", |vm, args| {
            let prompt = args.text(vm, 0, "prompt")?;
            let host = vm.host.clone();
            match host.read_line(&prompt, true)? {
                Some(line) => Ok(line.trim_end_matches('\n').into()),
                None => Err(eof_error("EOF when reading a line")),
            }
        })],
    ))
}
