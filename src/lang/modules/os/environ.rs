//! `os.environ`: a mapping of the environment as it was at the first import. Changes are seen by the program, not by the process: other
//! threads read the process's environment, so it must not change under them.

use std::cell::RefCell;

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::support::{text_of, thread_class, unwrap_payload};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{Dict, DictObject, InstanceObject, PayloadKind};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

thread_class! {
    fn environ_class() = define_class("_Environ", "os", &builtin_class(Builtin::Dict), PayloadKind::Value, METHODS);
}

thread_local! {
    static TABLE: RefCell<Option<Ref<DictObject>>> = const { RefCell::new(None) };
}

const METHODS: &[Method] = &[
    method("__setitem__", "(self, key, value, /)", "Set a variable, for this program.", |vm, args| {
        let (key, value) = (checked(&args.get(vm, 1))?, checked(&args.get(vm, 2))?);
        let table = table(vm)?;
        vm.dict_set(&table, key, value)?;
        Ok(Value::None)
    }),
    method("setdefault", "(self, key, value, /)", "Set a variable that is not set.", |vm, args| {
        let (key, value) = (checked(&args.get(vm, 1))?, checked(&args.get(vm, 2))?);
        let table = table(vm)?;
        if let Some(found) = vm.dict_get(&table, &key)? {
            return Ok(found);
        }
        vm.dict_set(&table, key, value.clone())?;
        Ok(value)
    }),
    method("copy", "(self, /)", "A plain dict of the variables.", |vm, _| {
        let table = table(vm)?;
        let copy = table.table.borrow().clone();
        Ok(Value::Dict(Ref::new(DictObject::new(copy))))
    }),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let table = unwrap_payload(args.peek(vm, 0));
        Ok(format!("environ({})", vm.repr(&table)?).into())
    }),
];

fn checked(value: &Value) -> Fallible<Value> {
    match text_of(value) {
        Some(text) => Ok(Value::str(text.as_ref())),
        None => Err(type_error(format!("str expected, not {}", value.type_name()))),
    }
}

/// The table of this thread, filled from the process's environment the first time.
fn table(vm: &mut Vm) -> Fallible<Ref<DictObject>> {
    if let Some(table) = TABLE.with(|table| table.borrow().clone()) {
        return Ok(table);
    }
    let table = Ref::new(DictObject::new(Dict::default()));
    for (name, value) in std::env::vars_os() {
        vm.dict_set(&table, Value::str(name.to_string_lossy()), Value::str(value.to_string_lossy()))?;
    }
    TABLE.with(|slot| *slot.borrow_mut() = Some(table.clone()));
    Ok(table)
}

/// The mapping.
pub(super) fn environ(vm: &mut Vm) -> Fallible<Value> {
    let table = table(vm)?;
    Ok(Value::Instance(Ref::new(InstanceObject::new(environ_class(), Value::Dict(table)))))
}

/// A variable as the program sees it.
pub(super) fn get(vm: &mut Vm, name: &str) -> Option<String> {
    let table = table(vm).ok()?;
    let value = vm.dict_get(&table, &name.into()).ok()??;
    value.as_str().map(str::to_owned)
}

/// `os.getenv`
pub(super) fn getenv(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let key = checked(&args.get(vm, 0))?;
    let table = table(vm)?;
    let found = vm.dict_get(&table, &key)?;
    Ok(found.unwrap_or_else(|| args.optional(vm, 1).unwrap_or(Value::None)))
}

/// `os.putenv`
pub(super) fn putenv(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (key, value) = (checked(&args.get(vm, 0))?, checked(&args.get(vm, 1))?);
    let table = table(vm)?;
    vm.dict_set(&table, key, value)?;
    Ok(Value::None)
}

/// `os.unsetenv`
pub(super) fn unsetenv(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let key = checked(&args.get(vm, 0))?;
    let table = table(vm)?;
    let old = vm.dict_remove(&table, &key)?;
    drop(old);
    Ok(Value::None)
}
