//! `_json`: the reader and writer behind `json`, whose face is written in the language itself (`py/json.py`).

mod decode;
mod encode;

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::native::method;
use crate::lang::objects::ModuleObject;
use crate::lang::raise::Fallible;
use crate::lang::vm::Vm;

/// How deep values may nest, as in CPython with its default recursion limit.
const DEPTH_MAX: usize = 990;

/// Builds `_json`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_json",
        "The reader and writer of JSON.",
        &[
            method(
                "encode",
                "(obj, default, skipkeys, ensure_ascii, check_circular, allow_nan, indent, item_separator, key_separator, sort_keys)",
                "The JSON text of an object.",
                encode::encode,
            ),
            method(
                "scan",
                "(string, index, error, object_hook, parse_float, parse_int, parse_constant, strict, object_pairs_hook)",
                "Reads one value; answers it and where it ends.",
                decode::scan,
            ),
        ],
    ))
}
