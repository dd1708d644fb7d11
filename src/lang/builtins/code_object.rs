//! `__code__`: what a program may ask of compiled code. Code holds constants only, so a code object keeps nothing alive.

use std::rc::Rc;

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::code::{Code, CodeKind, Instruction};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, FunctionObject, NativeData};
use crate::lang::raise::{Fallible, attribute_error, type_error};
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
    /// Names of the slots of the module whose globals it uses, where that is known.
    globals: Option<Rc<[Name]>>,
}

impl NativeData for CodeObject {
    fn class(&self) -> ClassRef {
        builtin_class(Builtin::Code)
    }
}

/// Code as a value.
pub fn value(code: Rc<Code>) -> Value {
    Value::object(CodeObject { code, globals: None })
}

/// Code of a function as a value: it can name the globals it uses.
pub fn of_function(function: &FunctionObject) -> Value {
    let globals = Some(function.module.globals.borrow().slot_names().collect());
    Value::object(CodeObject { code: function.code.clone(), globals })
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
    getter("co_cellvars", "Locals that functions inside capture.", |vm, args| {
        let code = this(vm, args)?;
        let boxed = code.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::MakeCell(register) => code.locals.get(usize::from(*register)).copied(),
            _ => None,
        });
        Ok(names(&boxed.collect::<Vec<_>>()))
    }),
    getter(
        "co_names",
        "Globals, attributes and imported names that it uses, in the order of their first use.",
        |vm, args| {
            let Value::Object(object) = args.get(vm, 0) else { return Ok(Value::None) };
            match object.downcast::<CodeObject>() {
                Some(CodeObject { code, globals: Some(globals) }) => Ok(names(&used_names(code, globals))),
                _ => Err(attribute_error(
                    "code without its function does not know its names: ask the function's __code__",
                )),
            }
        },
    ),
    getter("co_consts", "The documentation or None, then constants and code inside.", |vm, args| {
        let code = this(vm, args)?;
        let is_function = !matches!(code.kind, CodeKind::Module | CodeKind::Class);
        let doc = is_function.then(|| code.doc.as_ref().map_or(Value::None, |doc| Value::str(&**doc)));
        let globals = match args.peek(vm, 0) {
            Value::Object(object) => object.downcast::<CodeObject>().and_then(|object| object.globals.clone()),
            _ => None,
        };
        let inside =
            code.codes.iter().map(|code| Value::object(CodeObject { code: code.clone(), globals: globals.clone() }));
        Ok(Value::tuple(doc.into_iter().chain(constants(&code)).chain(inside).collect::<Vec<_>>()))
    }),
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

/// Globals, attributes and imported names in the order of their first use.
fn used_names(code: &Code, globals: &[Name]) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for instruction in &code.instructions {
        let name = match *instruction {
            Instruction::LoadGlobal(_, slot) | Instruction::StoreGlobal(_, slot) | Instruction::DeleteGlobal(slot) => {
                globals.get(slot as usize).copied()
            }
            Instruction::GetAttribute(_, _, site)
            | Instruction::SetAttribute(_, site, _)
            | Instruction::DeleteAttribute(_, site)
            | Instruction::LoadMethod(_, _, site) => code.sites.get(usize::from(site)).map(|site| site.name),
            Instruction::LoadName(_, name)
            | Instruction::LoadNameOrFree(_, name, _)
            | Instruction::StoreName(_, name)
            | Instruction::DeleteName(name)
            | Instruction::Import(_, _, name)
            | Instruction::ImportFrom(_, _, name) => code.names.get(usize::from(name)).copied(),
            _ => None,
        };
        found.extend(name.filter(|name| !found.contains(name)));
    }
    found
}

/// Constants in the order of their first use; small ints stand in their instructions.
fn constants(code: &Code) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for instruction in &code.instructions {
        let constant = match instruction {
            Instruction::LoadConstant(_, index) => code.constants.get(*index as usize).cloned(),
            Instruction::LoadInt(_, int) => Some(Value::Int(i64::from(*int))),
            Instruction::BinaryImmediate(.., small) | Instruction::BinaryInPlaceImmediate(.., small) => {
                Some(Value::Int(i64::from(*small)))
            }
            Instruction::BranchCompareImmediate(.., small) => Some(Value::Int(i64::from(*small))),
            _ => None,
        };
        found.extend(constant.filter(|value| !value.is_none() && !found.iter().any(|known| known.is_same(value))));
    }
    found
}

fn names(names: &[Name]) -> Value {
    Value::tuple(names.iter().map(|name| Value::str(name.text())).collect::<Vec<_>>())
}
