//! `x.flags`: how an array lies in memory.

use crate::arrays::array::Array;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The flags of an array at one moment.
#[derive(Debug)]
struct Flags {
    c_contiguous: bool,
    f_contiguous: bool,
    writable: bool,
}

impl NativeData for Flags {
    fn class(&self) -> ClassRef {
        thread_local! {
            static CLASS: ClassRef =
                define_class("Flags", "dpnp.tensor._flags", &builtin_class(Builtin::Object), PayloadKind::Sealed, METHODS);
        }
        CLASS.with(Clone::clone)
    }
}

/// The flags of an array as a value.
pub fn flags_value(array: &Array, readonly: bool) -> Value {
    Value::object(Flags {
        c_contiguous: array.is_c_contiguous(),
        f_contiguous: array.layout().is_f_contiguous(),
        writable: !readonly,
    })
}

const METHODS: &[Method] = &[
    getter("c_contiguous", "Whether elements lie in C order.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.c_contiguous))
    }),
    getter("f_contiguous", "Whether elements lie in Fortran order.", |vm, args| {
        Ok(Value::Bool(this(vm, args)?.f_contiguous))
    }),
    getter("contiguous", "Whether elements lie in either order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.c_contiguous || flags.f_contiguous))
    }),
    getter("fc", "Whether elements lie in both orders.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.c_contiguous && flags.f_contiguous))
    }),
    getter("forc", "Whether elements lie in either order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.c_contiguous || flags.f_contiguous))
    }),
    getter("fnc", "Whether elements lie in Fortran order and not in C order.", |vm, args| {
        let flags = this(vm, args)?;
        Ok(Value::Bool(flags.f_contiguous && !flags.c_contiguous))
    }),
    getter("writable", "Whether the array may be written.", |vm, args| Ok(Value::Bool(this(vm, args)?.writable))),
    getter("writeable", "Whether the array may be written.", |vm, args| Ok(Value::Bool(this(vm, args)?.writable))),
    method("__getitem__", "(self, key, /)", "A flag by its name.", |vm, args| {
        let key = args.text(vm, 1, "key")?;
        let flags = this(vm, args)?;
        match &*key {
            "C_CONTIGUOUS" | "C" => Ok(Value::Bool(flags.c_contiguous)),
            "F_CONTIGUOUS" | "F" => Ok(Value::Bool(flags.f_contiguous)),
            "FC" => Ok(Value::Bool(flags.c_contiguous && flags.f_contiguous)),
            "FNC" => Ok(Value::Bool(flags.f_contiguous && !flags.c_contiguous)),
            "FORC" | "CONTIGUOUS" => Ok(Value::Bool(flags.c_contiguous || flags.f_contiguous)),
            "WRITABLE" | "WRITEABLE" | "W" => Ok(Value::Bool(flags.writable)),
            _ => Err(raise::key_error(Value::str("Unknown flag"))),
        }
    }),
    method("__repr__", "(self)", "One flag a line.", |vm, args| {
        let flags = this(vm, args)?;
        let word = |truth| if truth { "True" } else { "False" };
        Ok(Value::str(format!(
            "  C_CONTIGUOUS : {}\n  F_CONTIGUOUS : {}\n  WRITABLE : {}",
            word(flags.c_contiguous),
            word(flags.f_contiguous),
            word(flags.writable)
        )))
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<&Flags> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Flags>(),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected an array's flags"))
}
