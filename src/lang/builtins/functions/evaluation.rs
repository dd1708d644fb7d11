//! `compile`, `eval`, `exec`, `globals`, `locals` and `__import__`.
//!
//! Code belongs to the module it was compiled for, so a code object keeps its text and is compiled again for the names it is
//! run with; the names of a dict are bound in a module of their own while it runs, and written back afterwards.

use std::rc::Rc;

use super::{namespace, objects};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::{bytes, receiver};
use crate::lang::compile::LastExpression;
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, ModuleObject, NativeData, PayloadKind};
use crate::lang::parse::Dialect;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method("eval", "(source, globals=None, locals=None, /)", "Evaluate an expression.", |vm, args| run(vm, args, true)),
    method("exec", "(source, globals=None, locals=None, /)", "Execute statements.", |vm, args| run(vm, args, false)),
    method(
        "compile",
        "(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)",
        "Compile source into a code object that exec() or eval() run.",
        compile,
    ),
    method("globals", "()", "The names of the current module.", |vm, _| Ok(namespace::view(vm.running_module()))),
    method("locals", "()", "The names of the current scope.", |vm, _| local_names(vm)),
    method(
        "__import__",
        "(name, globals=None, locals=None, fromlist=(), level=0)",
        "Import a module; with an empty fromlist the top package.",
        import,
    ),
];

/// A text that parses, with how it is run.
#[derive(Debug)]
struct SourceCode {
    text: Rc<str>,
    file: Rc<str>,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Eval,
    Exec,
    Single,
}

impl NativeData for SourceCode {
    fn class(&self) -> ClassRef {
        CLASS.with(Clone::clone)
    }
}

thread_local! {
    static CLASS: ClassRef =
        define_class("code", "builtins", &builtin_class(Builtin::Object), PayloadKind::Sealed, CODE_METHODS);
}

const CODE_METHODS: &[Method] = &[
    getter("co_filename", "The file it was compiled from.", |vm, args| {
        Ok(source_of(args.peek(vm, 0)).map_or(Value::None, |code| Value::str(&*code.file)))
    }),
    getter("co_name", "The name of the code.", |_, _| Ok(Value::str("<module>"))),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let file = source_of(args.peek(vm, 0)).map_or_else(|| "?".into(), |code| code.file.clone());
        let address = args.peek(vm, 0).heap_id().map_or(0, |id| id.address());
        Ok(Value::str(format!("<code object <module> at {address:#x}, file \"{file}\", line 1>")))
    }),
];

fn source_of(value: &Value) -> Option<&SourceCode> {
    match value {
        Value::Object(object) => object.downcast::<SourceCode>(),
        _ => None,
    }
}

/// `locals()`: in a function its variables as they are, in a module its names.
pub fn local_names(vm: &mut Vm) -> Fallible<Value> {
    if vm.is_in_function() {
        let pairs = vm.local_variables();
        return objects::dict_of(vm, pairs);
    }
    Ok(namespace::view(vm.running_module()))
}

fn text_of(value: &Value, function: &str) -> Fallible<Rc<str>> {
    match receiver::payload(value) {
        Value::Str(text) => Ok(text.as_str().into()),
        other => match bytes::view(&other) {
            Some(view) => Ok(String::from_utf8_lossy(view.as_slice()).into()),
            None => Err(raise::type_error(format!("{function}() arg 1 must be a string, bytes or code object"))),
        },
    }
}

fn compile(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = args.get(vm, 0);
    let text = text_of(&source, "compile")?;
    let file = args.text(vm, 1, "compile() argument 'filename'")?;
    let mode = match &*args.text(vm, 2, "compile() argument 'mode'")? {
        "eval" => Mode::Eval,
        "exec" => Mode::Exec,
        "single" => Mode::Single,
        _ => return Err(raise::value_error("compile() mode must be 'exec', 'eval' or 'single'")),
    };
    // Compiled once here for its errors.
    let scratch = Ref::new(ModuleObject::new(names::MAIN));
    let source = vm.new_source(&*file, &*text, None);
    vm.compile(&source, dialect(mode), LastExpression::Discard, &scratch)?;
    Ok(Value::object(SourceCode { text, file, mode }))
}

fn dialect(mode: Mode) -> Dialect {
    if mode == Mode::Eval { Dialect::Expression } else { Dialect::File }
}

fn run(vm: &mut Vm, args: Args, is_eval: bool) -> Fallible<Value> {
    let given = args.get(vm, 0);
    let function = if is_eval { "eval" } else { "exec" };
    let (text, file, mode) = match source_of(&given) {
        Some(code) => (code.text.clone(), code.file.clone(), code.mode),
        None => {
            let text = text_of(&given, function)?;
            let text = if is_eval { text.trim_start_matches([' ', '\t']).into() } else { text };
            (text, "<string>".into(), if is_eval { Mode::Eval } else { Mode::Exec })
        }
    };
    let (globals, locals) = (args.not_none(vm, 1), args.not_none(vm, 2));
    if let Some(globals) = &globals
        && !matches!(receiver::payload(globals), Value::Dict(_))
        && namespace::module_of(globals).is_none()
    {
        return Err(raise::type_error(format!("{function}() globals must be a dict, not {}", globals.type_name())));
    }
    let last = match mode {
        Mode::Eval => LastExpression::Return,
        Mode::Exec => LastExpression::Discard,
        Mode::Single => LastExpression::Show,
    };
    let source = vm.new_source(&*file, &*text, None);
    // The names of a module itself, where nothing else is asked for.
    let direct = match (&globals, &locals) {
        (None, None) if !vm.is_in_function() => Some(vm.running_module()),
        (Some(globals), None) => namespace::module_of(globals),
        _ => None,
    };
    if let Some(module) = direct {
        return finish(vm.run_source(&source, dialect(mode), last, &module), is_eval && mode == Mode::Eval);
    }
    let module = Ref::new(ModuleObject::new(names::MAIN));
    let outer = match &globals {
        Some(globals) => namespace::pairs_of(globals),
        None => namespace::pairs_of(&namespace::view(vm.running_module())),
    };
    let inner = match &locals {
        Some(locals) => namespace::pairs_of(locals),
        None if globals.is_none() => vm.local_variables(),
        None => vec![],
    };
    for (name, value) in outer.into_iter().chain(inner) {
        module.set(name, value);
    }
    vm.protect(Value::Module(module.clone()));
    let result = vm.run_source(&source, dialect(mode), last, &module);
    let target = locals.or(globals);
    if let Some(target) = target {
        write_back(vm, &module, &target)?;
    }
    finish(result, is_eval && mode == Mode::Eval)
}

fn finish(result: Fallible<Value>, is_eval: bool) -> Fallible<Value> {
    result.map(|value| if is_eval { value } else { Value::None })
}

/// Binds in a mapping what the code bound or changed, and unbinds what it deleted.
fn write_back(vm: &mut Vm, module: &Ref<ModuleObject>, target: &Value) -> Fallible<()> {
    let before = namespace::pairs_of(target);
    let after: Vec<(Name, Value)> = module.globals.borrow().iter().map(|(name, value)| (name, value.clone())).collect();
    for (name, value) in &after {
        let is_same = before.iter().any(|(old, old_value)| old == name && old_value.is_same(value));
        if !is_same {
            vm.set_item(target, &namespace::name_value(*name), value.clone())?;
        }
    }
    for (name, _) in before {
        if !after.iter().any(|(bound, _)| *bound == name) {
            vm.delete_item(target, &namespace::name_value(name))?;
        }
    }
    Ok(())
}

fn import(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let name = args.text(vm, 0, "__import__() argument 1")?;
    let wants_leaf = match args.not_none(vm, 3) {
        Some(list) => vm.len(&list)? > 0,
        None => false,
    };
    let module = vm.import(&name)?;
    match name.split_once('.') {
        Some((top, _)) if !wants_leaf => vm.import(top),
        _ => Ok(module),
    }
}
