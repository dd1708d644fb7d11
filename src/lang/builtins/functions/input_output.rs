//! `print`, `input`, `open`, `help`, `quit` and `exit`.

use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::text;
use crate::lang::host::Stream;
use crate::lang::modules::io;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use crate::lang::vm::imports::module_names;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method("print", "(*args, sep=' ', end='\\n', file=None, flush=False)", "Prints the values to a stream.", print),
    method("input", "(prompt='', /)", "Read a line from standard input; the newline is stripped.", input),
    io::OPEN,
    method("help", "(object=None, /)", "Shows what an object says of itself.", help),
    method("breakpoint", "(*args, **kwargs)", "There is no debugger in this kernel.", |_, _| {
        Err(raise::not_implemented_error("breakpoint(): there is no debugger in this kernel"))
    }),
];

/// What `sys.stdout` is, where a program replaced it; the host's own stream is written to directly.
fn replaced_output(vm: &Vm) -> Option<Value> {
    let sys = Name::new("sys");
    let module = vm.modules.iter().find(|(name, _)| *name == sys).map(|(_, module)| module.clone())?;
    let stream = module.get(Name::new("stdout"))?;
    match &stream {
        Value::Object(object) => match object.downcast::<io::StandardStream>() {
            Some(standard) if standard.output == Some(Stream::Stdout) => None,
            _ => Some(stream),
        },
        _ => Some(stream),
    }
}

fn separator(vm: &Vm, args: Args, index: usize, name: &str, default: &'static str) -> Fallible<std::rc::Rc<str>> {
    match args.not_none(vm, index) {
        None => Ok(default.into()),
        Some(value) => match crate::lang::builtins::receiver::payload(&value) {
            Value::Str(text) => Ok(text.as_str().into()),
            _ => Err(raise::type_error(format!("{name} must be None or a string, not {}", value.type_name()))),
        },
    }
}

/// Longest text that is gathered before it is written.
const CHUNK_BYTES: usize = 1 << 16;

fn print(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let separator_text = separator(vm, args, 1, "sep", " ")?;
    let end = separator(vm, args, 2, "end", "\n")?;
    let file = match args.not_none(vm, 3) {
        Some(file) => Some(file),
        None => replaced_output(vm),
    };
    if let Some(file) = &file
        && file.is_none()
    {
        return Ok(Value::None);
    }
    let Value::Tuple(values) = args.get(vm, 0) else { return Ok(Value::None) };
    let mut line = String::new();
    for (index, value) in values.items().iter().enumerate() {
        if index > 0 {
            line.push_str(&separator_text);
        }
        match value {
            Value::Str(text) => line.push_str(text.as_str()),
            other => line.push_str(&vm.str(other)?),
        }
        if line.len() > CHUNK_BYTES && file.is_none() {
            write(vm, file.as_ref(), &std::mem::take(&mut line))?;
        }
    }
    line.push_str(&end);
    write(vm, file.as_ref(), &line)?;
    if let Some(file) = &file
        && args.truth_or(vm, 4, false)?
    {
        vm.call_method(file, names::FLUSH, &[])?;
    }
    Ok(Value::None)
}

fn write(vm: &mut Vm, file: Option<&Value>, line: &str) -> Fallible<()> {
    match file {
        None => {
            let host = vm.host.clone();
            host.write(Stream::Stdout, line);
            vm.poll()
        }
        Some(file) => vm.call_method(file, names::WRITE, &[text::value(line)]).map(drop),
    }
}

fn input(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let prompt = match args.optional(vm, 0) {
        Some(prompt) => vm.str(&prompt)?,
        None => "".into(),
    };
    let host = vm.host.clone();
    match host.read_line(&prompt, false)? {
        Some(line) => Ok(text::value(line.strip_suffix('\n').unwrap_or(&line))),
        None => Err(raise::eof_error("EOF when reading a line")),
    }
}

fn help(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(object) = args.optional(vm, 0) else {
        write(vm, None, "Type help(object) for what an object says of itself, or %help for this kernel's commands.\n")?;
        return Ok(Value::None);
    };
    let mut shown = String::new();
    let object = match &object {
        Value::Str(text) if text.as_str() == "modules" => {
            write(vm, None, &list_of_modules())?;
            return Ok(Value::None);
        }
        Value::Str(text) => match vm.import(text.as_str()) {
            Ok(module) => module,
            Err(_) => {
                let name = vm.repr(&object)?;
                write(vm, None, &format!("No Python documentation found for {name}.\n"))?;
                return Ok(Value::None);
            }
        },
        _ => object,
    };
    match &object {
        Value::Native(function) => {
            shown = format!("{}{}\n", function.definition.name, function.definition.signature.text);
        }
        Value::Class(class) => shown = format!("class {}\n", class.qualname.borrow()),
        Value::Module(module) => shown = format!("module {}\n", module.name),
        _ => {
            if let Some(name) = vm.find_attribute(&object, names::NAME)? {
                shown = format!("{}\n", vm.str(&name)?);
            }
        }
    }
    if let Some(doc) = vm.find_attribute(&object, names::DOC)?.filter(|doc| !doc.is_none()) {
        let doc = vm.str(&doc)?;
        for line in doc.lines() {
            shown.push_str("    ");
            shown.push_str(line.trim());
            shown.push('\n');
        }
    }
    write(vm, None, &shown)?;
    Ok(Value::None)
}

/// All modules in columns, read downwards as in Python's own list.
fn list_of_modules() -> String {
    const COLUMNS: usize = 4;
    let names = module_names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0) + 2;
    let rows = names.len().div_ceil(COLUMNS);
    let mut text = String::from("Modules of this kernel:\n\n");
    for row in 0..rows {
        let line: String = names.iter().skip(row).step_by(rows).map(|name| format!("{name:width$}")).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// `quit` or `exit`: called, it ends the program.
#[derive(Debug)]
struct Quitter(&'static str);

impl NativeData for Quitter {
    fn class(&self) -> ClassRef {
        QUITTER.with(Clone::clone)
    }
}

thread_local! {
    static QUITTER: ClassRef =
        define_class("Quitter", "_sitebuiltins", &builtin_class(Builtin::Object), PayloadKind::Sealed, QUITTER_METHODS);
}

const QUITTER_METHODS: &[Method] = &[
    method("__call__", "(self, code=None)", "Ends the program.", |vm, args| {
        let code = args.optional(vm, 1).unwrap_or(Value::None);
        Err(Raised::with_args(Builtin::SystemExit, vec![code]))
    }),
    method("__repr__", "(self, /)", "How to leave.", |vm, args| {
        let name = match args.peek(vm, 0) {
            Value::Object(object) => object.downcast::<Quitter>().map_or("exit", |quitter| quitter.0),
            _ => "exit",
        };
        Ok(Value::str(format!("Use {name}() or Ctrl-D (i.e. EOF) to exit")))
    }),
];

/// The value of the name `quit` or `exit`.
pub fn quitter(name: &'static str) -> Value {
    Value::object(Quitter(name))
}
