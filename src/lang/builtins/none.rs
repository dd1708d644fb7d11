//! `None`, `NotImplemented` and `...`: their classes answer themselves and show their names.

use super::classes::{Builtin, attach, builtin_class};
use super::repr;
use crate::lang::native::{Args, Method, method, static_method};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const NONE: &[Method] = &[
    static_method("__new__", "(cls)", "None", |_, _| Ok(Value::None)),
    method("__bool__", "(self, /)", "True if self else False", |_, _| Ok(Value::Bool(false))),
    method("__repr__", "(self, /)", "Return repr(self).", show),
];

const NOT_IMPLEMENTED: &[Method] = &[
    static_method("__new__", "(cls)", "NotImplemented", |_, _| Ok(Value::NotImplemented)),
    method("__repr__", "(self, /)", "Return repr(self).", show),
];

const ELLIPSIS: &[Method] = &[
    static_method("__new__", "(cls)", "Ellipsis", |_, _| Ok(Value::Ellipsis)),
    method("__repr__", "(self, /)", "Return repr(self).", show),
];

/// Attaches the methods.
pub fn install() {
    attach(&builtin_class(Builtin::NoneType), NONE);
    attach(&builtin_class(Builtin::NotImplementedType), NOT_IMPLEMENTED);
    attach(&builtin_class(Builtin::EllipsisType), ELLIPSIS);
}

fn show(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    Ok(repr::of_value(vm, &value)?.map_or(Value::NotImplemented, Value::str))
}
