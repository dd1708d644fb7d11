//! `cell`: the boxes of variables that closures share, as `__closure__` shows them.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::CellObject;
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Cell), METHODS);
}

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, contents=None, /)", "A box, empty without contents.", |vm, args| {
        let cell = Ref::new(CellObject::default());
        if let Some(value) = args.optional(vm, 1) {
            drop(cell.value.replace(value));
        }
        Ok(Value::Cell(cell))
    }),
    getter("cell_contents", "The variable's value.", |vm, args| {
        let held = this(vm, args)?.value.borrow().clone();
        if held.is_unset() { Err(value_error("Cell is empty")) } else { Ok(held) }
    }),
    method("cell_contents.setter", "(self, value, /)", "Sets the variable.", |vm, args| {
        let value = args.get(vm, 1);
        let old = this(vm, args)?.value.replace(value);
        drop(old);
        Ok(Value::None)
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<Ref<CellObject>> {
    match args.peek(vm, 0) {
        Value::Cell(cell) => Ok(cell.clone()),
        other => Err(type_error(format!("expected a cell, not '{}'", other.type_name()))),
    }
}
