//! `__code__`: what a program may ask of compiled code. Code holds constants only, so a code object keeps nothing alive.

use std::rc::Rc;

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::code::{Code, CodeKind};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, NativeData};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Bits of `co_flags`, as `inspect` names them.
mod flags {
    pub const OPTIMIZED: i64 = 1;
    pub const NEW_LOCALS: i64 = 2;
    pub const VAR_ARGS: i64 = 4;
    pub const VAR_KEYWORDS: i64 = 8;
    pub const NESTED: i64 = 16;
    pub const GENERATOR: i64 = 32;
}

/// A code object.
#[derive(Debug)]
struct CodeObject {
    code: Rc<Code>,
}

impl NativeData for CodeObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Code)
    }
}

/// Code as a value.
pub fn value(code: Rc<Code>) -> Value {
    Value::object(CodeObject { code })
}

/// The code that a code object stands for.
pub fn code_of(value: &Value) -> Option<Rc<Code>> {
    match value {
        Value::Object(object) => object.downcast::<CodeObject>().map(|object| object.code.clone()),
        _ => None,
    }
}

/// Attaches the attributes; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::Code), METHODS);
}

const METHODS: &[Method] = &[
    getter("co_name", "The function's name.", |vm, args| Ok(Value::str(this(vm, args)?.name.text()))),
    getter("co_qualname", "The function's name with those around it.", |vm, args| {
        Ok(Value::str(&*this(vm, args)?.qualname))
    }),
    getter("co_argcount", "How many positional parameters there are.", |vm, args| {
        Ok(Value::from(this(vm, args)?.positional_count))
    }),
    getter("co_posonlyargcount", "How many of them are positional-only.", |vm, args| {
        Ok(Value::from(this(vm, args)?.positional_only_count))
    }),
    getter("co_kwonlyargcount", "How many keyword-only parameters there are.", |vm, args| {
        Ok(Value::from(this(vm, args)?.keyword_only_count))
    }),
    getter("co_nlocals", "How many parameters and locals there are.", |vm, args| {
        Ok(Value::from(this(vm, args)?.locals.len()))
    }),
    getter("co_varnames", "Names of parameters and locals.", |vm, args| Ok(names(&this(vm, args)?.locals))),
    getter("co_freevars", "Names captured from enclosing functions.", |vm, args| Ok(names(&this(vm, args)?.captured))),
    getter("co_flags", "What kind of code it is, in bits.", |vm, args| {
        let code = this(vm, args)?;
        let mut bits = match code.kind {
            CodeKind::Module | CodeKind::Class => 0,
            CodeKind::Function => flags::OPTIMIZED | flags::NEW_LOCALS,
            CodeKind::Generator => flags::OPTIMIZED | flags::NEW_LOCALS | flags::GENERATOR,
        };
        for (holds, bit) in [
            (code.has_var_positional, flags::VAR_ARGS),
            (code.has_var_keyword, flags::VAR_KEYWORDS),
            (code.qualname.contains("<locals>"), flags::NESTED),
        ] {
            if holds {
                bits |= bit;
            }
        }
        Ok(Value::Int(bits))
    }),
    getter("co_filename", "Where it was compiled from.", |vm, args| Ok(Value::str(&*this(vm, args)?.source.name))),
    getter("co_firstlineno", "The line of its `def`.", |vm, args| {
        Ok(Value::Int(i64::from(this(vm, args)?.first_line)))
    }),
    method("__eq__", "(self, value, /)", "Return self==value.", |vm, args| {
        Ok(match code_of(args.peek(vm, 1)) {
            Some(other) => Value::Bool(Rc::ptr_eq(&this(vm, args)?, &other)),
            None => Value::NotImplemented,
        })
    }),
    method("__hash__", "(self, /)", "Return hash(self).", |vm, args| {
        Ok(Value::Int(super::hash::of_identity(Rc::as_ptr(&this(vm, args)?).addr())))
    }),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let code = this(vm, args)?;
        let address = Rc::as_ptr(&code).addr();
        Ok(Value::str(format!(
            "<code object {} at {address:#x}, file \"{}\", line {}>",
            code.name.text(),
            code.source.name,
            code.first_line
        )))
    }),
];

fn this(vm: &Vm, args: Args) -> Fallible<Rc<Code>> {
    code_of(args.peek(vm, 0)).ok_or_else(|| type_error("expected a code object"))
}

fn names(names: &[Name]) -> Value {
    Value::tuple(names.iter().map(|name| Value::str(name.text())).collect::<Vec<_>>())
}
