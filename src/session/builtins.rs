//! Names that an interactive session has besides the language's own: `display`, `get_ipython`, and the array
//! modules, which are imported when first asked for.

use super::holders::buffer_of;
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::host::MagicCall;
use crate::lang::modules::cellhold::MEMORY_SUMMARY;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The names, for completion.
pub(super) const NAMES: &[&str] = &[
    "In",
    "Out",
    "_",
    "__",
    "___",
    "_i",
    "_ii",
    "_iii",
    "_ih",
    "_oh",
    "budget",
    "display",
    "get_ipython",
    "memory_summary",
    "dpnp",
    "dpctl",
    "numpy",
    "np",
];

/// The array module that a built-in name stands for.
pub(super) fn module_named(name: &str) -> Option<&'static str> {
    match name {
        "dpnp" => Some("dpnp"),
        "dpctl" => Some("dpctl"),
        "numpy" | "np" => Some("numpy"),
        _ => None,
    }
}

const DISPLAY: Method = method(
    "display",
    "(*objs, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False, clear=False)",
    "Show values in the front end, each in the richest form it has. With display_id the output can be updated later.",
    display,
);
const GET_IPYTHON: Method = method(
    "get_ipython",
    "()",
    "The interactive session, with what notebooks use of IPython's shell object.",
    get_ipython,
);

thread_local! {
    static FUNCTIONS: [Value; 3] =
        [DISPLAY, GET_IPYTHON, MEMORY_SUMMARY].map(|function| Value::Native(function.build(None, None)));
    static SHELL: ClassRef =
        define_class("InteractiveShell", "cellhold", &builtin_class(Builtin::Object), PayloadKind::Sealed, SHELL_METHODS);
    static HANDLE: ClassRef =
        define_class("DisplayHandle", "cellhold", &builtin_class(Builtin::Object), PayloadKind::Sealed, HANDLE_METHODS);
    static STDIN: ClassRef = define_class(
        "StdinNotImplementedError",
        "cellhold",
        &builtin_class(Builtin::NotImplementedError),
        PayloadKind::Exception,
        &[],
    );
}

/// A derived name's value; array modules are imported here for the first time.
pub(super) fn find(vm: &mut Vm, name: &str) -> Fallible<Option<Value>> {
    Ok(Some(match name {
        "display" => FUNCTIONS.with(|functions| functions[0].clone()),
        "get_ipython" => FUNCTIONS.with(|functions| functions[1].clone()),
        "budget" => Value::Class(crate::lang::modules::budget::budget_class()),
        "memory_summary" => FUNCTIONS.with(|functions| functions[2].clone()),
        "dpnp" | "dpctl" | "numpy" => vm.import(name)?,
        "np" => vm.import("numpy")?,
        _ => return Ok(None),
    }))
}

/// The error of `input()` where nobody can answer.
pub(super) fn stdin_not_implemented() -> Raised {
    Raised::new(STDIN.with(Clone::clone), "raw_input was called, but this frontend does not support input requests.")
}

/// Whether a value is `exit` or `quit` itself, which people type without parentheses.
pub(super) fn is_exit(value: &Value) -> bool {
    matches!(value, Value::Object(_)) && value.type_name() == "Quitter"
}

/// What `display(display_id=...)` answers.
#[derive(Debug)]
struct Handle {
    id: String,
}

impl NativeData for Handle {
    fn class(&self) -> ClassRef {
        HANDLE.with(Clone::clone)
    }
}

const HANDLE_METHODS: &[Method] = &[
    getter("display_id", "The name of the output.", |vm, args| handle_id(vm, args).map(Value::str)),
    method("update", "(self, obj, **kwargs)", "Replace what the output shows.", |vm, args| {
        let id = handle_id(vm, args)?;
        let host = vm.host.clone();
        let value = args.get(vm, 1);
        host.display(vm, &value, Some(&id), true).map(|()| Value::None)
    }),
    method("display", "(self, obj, **kwargs)", "Show a value once more under the same name.", |vm, args| {
        let id = handle_id(vm, args)?;
        let host = vm.host.clone();
        let value = args.get(vm, 1);
        host.display(vm, &value, Some(&id), false).map(|()| Value::None)
    }),
    method("__repr__", "(self, /)", "The handle's name.", |vm, args| {
        Ok(Value::str(format!("<DisplayHandle display_id={}>", handle_id(vm, args)?)))
    }),
];

fn handle_id(vm: &Vm, args: Args) -> Fallible<String> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<Handle>().map(|handle| handle.id.clone()),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("a DisplayHandle is wanted"))
}

fn display(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (id, makes_handle) = match args.not_none(vm, 5) {
        None => (None, false),
        Some(Value::Bool(true)) => (Some(uuid::Uuid::new_v4().simple().to_string()), true),
        Some(Value::Str(text)) => (Some(text.as_str().to_owned()), true),
        Some(other) => {
            return Err(raise::type_error(format!("display_id must be str or True, not {}", other.type_name())));
        }
    };
    let host = vm.host.clone();
    if let Value::Tuple(values) = args.get(vm, 0) {
        for value in values.items() {
            host.display(vm, value, id.as_deref(), false)?;
        }
    }
    match id {
        Some(id) if makes_handle => Ok(Value::object(Handle { id })),
        _ => Ok(Value::None),
    }
}

/// What notebooks use of IPython's shell object.
#[derive(Debug)]
struct Shell;

impl NativeData for Shell {
    fn class(&self) -> ClassRef {
        SHELL.with(Clone::clone)
    }
}

fn get_ipython(_vm: &mut Vm, _args: Args) -> Fallible<Value> {
    Ok(Value::object(Shell))
}

const SHELL_METHODS: &[Method] = &[
    method("run_line_magic", "(self, magic_name, line, _stack_depth=1)", "Run a magic of one line.", |vm, args| {
        let name = args.text(vm, 1, "magic_name")?.to_string();
        let line = args.text(vm, 2, "line")?.to_string();
        let host = vm.host.clone();
        host.run_magic(vm, &MagicCall { name, line, body: None })
    }),
    method("magic", "(self, arg_s)", "Run a magic written with its arguments.", |vm, args| {
        let text = args.text(vm, 1, "arg_s")?.to_string();
        let text = text.trim_start_matches('%');
        let (name, line) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let host = vm.host.clone();
        host.run_magic(vm, &MagicCall { name: name.to_owned(), line: line.to_owned(), body: None })
    }),
    method("run_cell_magic", "(self, magic_name, line, cell)", "Run a magic of a whole cell.", |vm, args| {
        let name = args.text(vm, 1, "magic_name")?.to_string();
        let line = args.text(vm, 2, "line")?.to_string();
        let body = args.text(vm, 3, "cell")?.to_string();
        let host = vm.host.clone();
        host.run_magic(vm, &MagicCall { name, line, body: Some(body) })
    }),
    getter("user_ns", "The names of the session as a dict (a copy).", |vm, _| {
        let dict = crate::lang::heap::Ref::new(crate::lang::objects::DictObject::default());
        for (name, value) in super::lookup::members(&vm.main) {
            vm.dict_set(&dict, Value::str(name.text()), value)?;
        }
        Ok(Value::Dict(dict))
    }),
    method("__repr__", "(self, /)", "What this is.", |_, _| Ok(Value::str("<cellhold InteractiveShell>"))),
];

/// Facts about an array for inspection: bytes, device, kind.
pub(super) fn array_facts(value: &Value) -> Option<String> {
    let buffer = buffer_of(value)?;
    let usm = buffer.usm().map_or(String::new(), |usm| format!(", kind {}", usm.name()));
    Some(format!(
        "{} on {}{usm} (#{})",
        crate::display::units::bytes(buffer.bytes() as u64),
        buffer.device().ledger_name(),
        buffer.id()
    ))
}
