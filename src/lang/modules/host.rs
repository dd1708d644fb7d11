//! `_host`: what modules written in the language ask of the session.

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::host::MagicCall;
use crate::lang::name::Name;
use crate::lang::native::method;
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, eof_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_host`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_host",
        "What modules ask of the session.",
        &[
            method("read_hidden", "(prompt)", "Reads a line that is not shown.", |vm, args| {
                let prompt = args.text(vm, 0, "prompt")?;
                let host = vm.host.clone();
                match host.read_line(&prompt, true)? {
                    Some(line) => Ok(line.trim_end_matches('\n').into()),
                    None => Err(eof_error("EOF when reading a line")),
                }
            }),
            method("run_magic", "(name, line)", "Runs a magic of one line.", |vm, args| {
                let name = args.text(vm, 0, "name")?.to_string();
                let line = args.text(vm, 1, "line")?.to_string();
                let host = vm.host.clone();
                host.run_magic(vm, &MagicCall { name, line, body: None })
            }),
            method("find_name", "(name)", "A name that the session has besides the program's own; None without.", {
                |vm, args| {
                    let name = Name::new(&args.text(vm, 0, "name")?);
                    let host = vm.host.clone();
                    Ok(host.find_name(vm, name)?.unwrap_or(Value::None))
                }
            }),
        ],
    ))
}
