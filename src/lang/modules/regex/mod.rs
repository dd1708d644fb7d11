//! `_re`: patterns behind `re`, whose face is written in the language itself (`py/re.py`).
//!
//! A pattern in Python's syntax is translated to that of the crate `fancy-regex` (`translate`), compiled once a thread and
//! run by `search`. Bytes patterns arrive as text with one character a byte.

mod search;
mod set;
mod translate;

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, method};
use crate::lang::objects::{ModuleObject, TupleObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `re.IGNORECASE`
pub(super) const IGNORE_CASE: i64 = 2;
/// `re.LOCALE`
pub(super) const LOCALE: i64 = 4;
/// `re.MULTILINE`
pub(super) const MULTILINE: i64 = 8;
/// `re.DOTALL`
pub(super) const DOT_ALL: i64 = 16;
/// `re.UNICODE`
pub(super) const UNICODE: i64 = 32;
/// `re.VERBOSE`
pub(super) const VERBOSE: i64 = 64;
/// `re.ASCII`
pub(super) const ASCII: i64 = 256;

/// Builds `_re`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_re",
        "Patterns behind re.",
        &[
            method(
                "prepare",
                "(pattern, flags)",
                "Flags, number of groups, names with their groups, and groups in the order they close; or None, a message and its position.",
                prepare,
            ),
            method(
                "find",
                "(pattern, flags, string, pos, endpos, mode, limit)",
                "Up to limit matches (0: all), each a tuple of starts and ends with -1 for groups that took no part.",
                search::find,
            ),
        ],
    ))
}

fn prepare(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let pattern = args.text(vm, 0, "pattern")?;
    let flags = args.get(vm, 1);
    let flags = vm.index(&flags)?;
    let tuple = |items: Vec<Value>| Value::Tuple(Ref::new(TupleObject::new(items)));
    let refused = |message: String, at: Option<usize>| {
        Ok(tuple(vec![Value::None, Value::str(message), at.map_or(Value::None, |at| Value::Int(at as i64))]))
    };
    match search::compiled(&pattern, flags, search::Mode::Search) {
        Err(error) => refused(error.message, error.position),
        Ok(compiled) => {
            let pattern = &compiled.pattern;
            let names = pattern
                .names
                .iter()
                .map(|(name, group)| tuple(vec![Value::str(name.as_str()), Value::Int(*group as i64)]));
            let closing = pattern.closing.iter().map(|&group| Value::Int(group as i64));
            Ok(tuple(vec![
                Value::Int(pattern.flags),
                Value::Int(pattern.groups as i64),
                tuple(names.collect()),
                tuple(closing.collect()),
            ]))
        }
    }
}
