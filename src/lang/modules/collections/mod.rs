//! `_collections`: `deque` and `defaultdict`; the rest of `collections` is written in the language itself (`py/collections.py`).

mod default_dict;
mod deque;
mod tuple_getter;

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::objects::ModuleObject;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds `_collections`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("_collections", "High performance data structures.", &[]);
    for class in [deque::deque_class(), default_dict::default_dict_class(), tuple_getter::tuple_getter_class()] {
        module.set(class.name.get(), Value::Class(class));
    }
    Ok(module)
}
