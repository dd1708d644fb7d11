//! Exceptions as objects: construction, attributes, text. Which class derives from which stands in `classes`.

use super::classes::{Builtin, attach, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassObject, ExceptionObject};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Attaches the methods; once per thread.
pub fn install() {
    attach(&builtin_class(Builtin::BaseException), BASE_METHODS);
    attach(&builtin_class(Builtin::KeyError), KEY_ERROR_METHODS);
    attach(&builtin_class(Builtin::OSError), OS_ERROR_METHODS);
    attach(&builtin_class(Builtin::StopIteration), STOP_ITERATION_METHODS);
    attach(&builtin_class(Builtin::SystemExit), SYSTEM_EXIT_METHODS);
    attach(&builtin_class(Builtin::ImportError), IMPORT_ERROR_METHODS);
    attach(&builtin_class(Builtin::SyntaxError), SYNTAX_ERROR_METHODS);
    for class in [Builtin::UnicodeDecodeError, Builtin::UnicodeEncodeError] {
        attach(&builtin_class(class), UNICODE_ERROR_METHODS);
    }
}

const BASE_METHODS: &[Method] = &[
    static_method("__new__", "(cls, /, *args, **kwargs)", "A new exception.", new),
    method("__init__", "(self, /, *args)", "Keeps the arguments.", |vm, args| {
        let exception = this(vm, args)?;
        if let Value::Tuple(given) = args.get(vm, 1) {
            let old = exception.args.replace(given.items().to_vec());
            drop(old);
        }
        Ok(Value::None)
    }),
    method("__str__", "(self)", "The message.", str),
    method("__repr__", "(self)", "As `ValueError('text')`.", repr),
    method("with_traceback", "(self, tb, /)", "The exception itself.", |vm, args| {
        let exception = this(vm, args)?;
        let traceback = args.peek(vm, 1);
        if traceback.is_none() {
            exception.traceback.borrow_mut().clear();
        } else if traceback.type_name() != "traceback" {
            return Err(raise::type_error("__traceback__ must be a traceback or None"));
        }
        Ok(args.get(vm, 0))
    }),
    method("add_note", "(self, note, /)", "Adds a line that tracebacks show after the message.", add_note),
];

const KEY_ERROR_METHODS: &[Method] = &[method("__str__", "(self)", "The key as repr shows it.", |vm, args| {
    let exception = this(vm, args)?;
    let given = exception.args.borrow().clone();
    match given.as_slice() {
        [key] => Ok(Value::str(&*vm.repr(key)?)),
        _ => str(vm, args),
    }
})];

const STOP_ITERATION_METHODS: &[Method] =
    &[getter("value", "What the generator returned.", |vm, args| first_argument(vm, args))];

const SYSTEM_EXIT_METHODS: &[Method] = &[getter("code", "The exit status.", |vm, args| {
    let exception = this(vm, args)?;
    let given = exception.args.borrow().clone();
    Ok(match given.len() {
        0 => Value::None,
        1 => given[0].clone(),
        _ => Value::tuple(given),
    })
})];

const IMPORT_ERROR_METHODS: &[Method] = &[
    method(
        "__init__",
        "(self, /, *args, name=None, path=None)",
        "Keeps the message, the module's name and its path.",
        |vm, args| {
            let exception = this(vm, args)?;
            if let Value::Tuple(given) = args.get(vm, 1) {
                let old = exception.args.replace(given.items().to_vec());
                drop(old);
            }
            for (index, name) in [(2, "name"), (3, "path")] {
                if let Some(value) = args.not_none(vm, index) {
                    exception.set_attribute(Name::new(name), value);
                }
            }
            Ok(Value::None)
        },
    ),
    getter("name", "The module's name.", |vm, args| attribute_or_none(vm, args, "name")),
    getter("path", "The file that was tried.", |vm, args| attribute_or_none(vm, args, "path")),
    getter("msg", "The message.", |vm, args| first_argument(vm, args)),
];

const SYNTAX_ERROR_METHODS: &[Method] = &[
    method("__init__", "(self, /, *args)", "Keeps the message and where the error is.", |vm, args| {
        let exception = this(vm, args)?;
        if let Value::Tuple(given) = args.get(vm, 1) {
            if let [_, Value::Tuple(place)] = given.items() {
                const FIELDS: [&str; 6] = ["filename", "lineno", "offset", "text", "end_lineno", "end_offset"];
                for (name, value) in FIELDS.iter().zip(place.items()) {
                    exception.set_attribute(Name::new(name), value.clone());
                }
            }
            let old = exception.args.replace(given.items().to_vec());
            drop(old);
        }
        Ok(Value::None)
    }),
    method("__str__", "(self)", "Message, file and line.", |vm, args| {
        let exception = this(vm, args)?;
        let message = first_argument(vm, args)?;
        let message = vm.str(&message)?;
        let attribute = |name: &str| exception.attributes.borrow().get(&Name::new(name)).cloned();
        let (file, line) = (attribute("filename"), attribute("lineno"));
        let file = file.as_ref().and_then(Value::as_str).map(|path| path.rsplit('/').next().unwrap_or(path).to_owned());
        Ok(Value::str(match (file, line) {
            (Some(file), Some(Value::Int(line))) => format!("{message} ({file}, line {line})"),
            (None, Some(Value::Int(line))) => format!("{message} (line {line})"),
            (Some(file), _) => format!("{message} ({file})"),
            _ => message.to_string(),
        }))
    }),
    getter("msg", "The message.", |vm, args| first_argument(vm, args)),
    getter("filename", "The file.", |vm, args| attribute_or_none(vm, args, "filename")),
    getter("lineno", "The line.", |vm, args| attribute_or_none(vm, args, "lineno")),
    getter("offset", "The column, from 1.", |vm, args| attribute_or_none(vm, args, "offset")),
    getter("text", "The source line.", |vm, args| attribute_or_none(vm, args, "text")),
];

const OS_ERROR_METHODS: &[Method] = &[
    method("__init__", "(self, /, *args)", "Nothing more than `__new__` kept.", |_, _| Ok(Value::None)),
    method("__str__", "(self)", "As `[Errno 2] No such file or directory: 'x'`.", |vm, args| {
        let (number, text, file) = (
            attribute_or_none(vm, args, "errno")?,
            attribute_or_none(vm, args, "strerror")?,
            attribute_or_none(vm, args, "filename")?,
        );
        if number.is_none() {
            return str(vm, args);
        }
        let (number, text) = (vm.str(&number)?, vm.str(&text)?);
        if file.is_none() {
            return Ok(Value::str(format!("[Errno {number}] {text}")));
        }
        let mut shown = format!("[Errno {number}] {text}: {}", vm.repr(&file)?);
        let second = attribute_or_none(vm, args, "filename2")?;
        if !second.is_none() {
            shown.push_str(&format!(" -> {}", vm.repr(&second)?));
        }
        Ok(Value::str(shown))
    }),
    getter("errno", "The system's number.", |vm, args| attribute_or_none(vm, args, "errno")),
    getter("strerror", "The system's text.", |vm, args| attribute_or_none(vm, args, "strerror")),
    getter("filename", "The file.", |vm, args| attribute_or_none(vm, args, "filename")),
    getter("filename2", "The second file.", |vm, args| attribute_or_none(vm, args, "filename2")),
];

const UNICODE_ERROR_METHODS: &[Method] = &[
    method("__str__", "(self)", "Codec, position and reason.", |vm, args| {
        let exception = this(vm, args)?;
        let given = exception.args.borrow().clone();
        let [encoding, object, Value::Int(start), Value::Int(end), reason] = given.as_slice() else {
            return str(vm, args);
        };
        let (encoding, reason) = (vm.str(encoding)?, vm.str(reason)?);
        let (start, end) = (*start, *end);
        Ok(Value::str(match object {
            Value::Bytes(bytes) if end == start + 1 => {
                let byte = bytes.as_bytes().get(start as usize).copied().unwrap_or(0);
                format!("'{encoding}' codec can't decode byte {byte:#04x} in position {start}: {reason}")
            }
            Value::Bytes(_) => {
                format!("'{encoding}' codec can't decode bytes in position {start}-{}: {reason}", end - 1)
            }
            Value::Str(text) if end == start + 1 => {
                let character = text.as_str().chars().nth(start as usize).unwrap_or('?');
                let shown = match u32::from(character) {
                    code @ ..=0xff => format!("\\x{code:02x}"),
                    code @ ..=0xffff => format!("\\u{code:04x}"),
                    code => format!("\\U{code:08x}"),
                };
                format!("'{encoding}' codec can't encode character '{shown}' in position {start}: {reason}")
            }
            _ => format!("'{encoding}' codec can't encode characters in position {start}-{}: {reason}", end - 1),
        }))
    }),
    getter("encoding", "The codec.", |vm, args| argument(vm, args, 0)),
    getter("object", "What was converted.", |vm, args| argument(vm, args, 1)),
    getter("start", "Where the trouble begins.", |vm, args| argument(vm, args, 2)),
    getter("end", "One past where it ends.", |vm, args| argument(vm, args, 3)),
    getter("reason", "What is wrong.", |vm, args| argument(vm, args, 4)),
];

fn this(vm: &Vm, args: Args) -> Fallible<Ref<ExceptionObject>> {
    match args.peek(vm, 0) {
        Value::Exception(exception) => Ok(exception.clone()),
        other => Err(raise::type_error(format!("expected an exception, got {}", other.type_name()))),
    }
}

fn argument(vm: &Vm, args: Args, index: usize) -> Fallible<Value> {
    Ok(this(vm, args)?.args.borrow().get(index).cloned().unwrap_or(Value::None))
}

fn first_argument(vm: &Vm, args: Args) -> Fallible<Value> {
    argument(vm, args, 0)
}

fn attribute_or_none(vm: &Vm, args: Args, name: &str) -> Fallible<Value> {
    Ok(this(vm, args)?.attributes.borrow().get(&Name::new(name)).cloned().unwrap_or(Value::None))
}

/// Subclasses of `OSError` by the system's number (PEP 3151).
pub fn os_error_class(number: i64) -> Option<Builtin> {
    let number = i32::try_from(number).ok()?;
    Some(match number {
        libc::EAGAIN | libc::EALREADY | libc::EINPROGRESS => Builtin::BlockingIOError,
        libc::ECHILD => Builtin::ChildProcessError,
        libc::EPIPE | libc::ESHUTDOWN => Builtin::BrokenPipeError,
        libc::ECONNABORTED => Builtin::ConnectionAbortedError,
        libc::ECONNREFUSED => Builtin::ConnectionRefusedError,
        libc::ECONNRESET => Builtin::ConnectionResetError,
        libc::EEXIST => Builtin::FileExistsError,
        libc::ENOENT => Builtin::FileNotFoundError,
        libc::EINTR => Builtin::InterruptedError,
        libc::EISDIR => Builtin::IsADirectoryError,
        libc::ENOTDIR => Builtin::NotADirectoryError,
        libc::EACCES | libc::EPERM => Builtin::PermissionError,
        libc::ESRCH => Builtin::ProcessLookupError,
        libc::ETIMEDOUT => Builtin::TimeoutError,
        _ => return None,
    })
}

/// An `OSError`, of the subclass its number means, about a file.
pub fn os_error(number: i32, text: &str, file: Option<&str>) -> Raised {
    let class = os_error_class(i64::from(number)).unwrap_or(Builtin::OSError);
    let error = Raised::with_args(class, vec![Value::Int(i64::from(number)), Value::str(text)]);
    let exception = &error.0;
    exception.set_attribute(Name::new("errno"), Value::Int(i64::from(number)));
    exception.set_attribute(Name::new("strerror"), Value::str(text));
    if let Some(file) = file {
        exception.set_attribute(Name::new("filename"), Value::str(file));
    }
    error
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Value::Class(class) = args.get(vm, 0) else {
        return Err(raise::type_error("exceptions must derive from BaseException"));
    };
    let given = match args.get(vm, 1) {
        Value::Tuple(given) => given.items().to_vec(),
        _ => vec![],
    };
    let is_os_error = ClassObject::is_subclass_of(&class, &builtin_class(Builtin::OSError));
    let by_number = match given.first() {
        Some(Value::Int(number)) if given.len() >= 2 && Ref::ptr_eq(&class, &builtin_class(Builtin::OSError)) => {
            os_error_class(*number)
        }
        _ => None,
    };
    let class = by_number.map_or(class, builtin_class);
    let kept = if is_os_error && given.len() > 2 { given[..2].to_vec() } else { given.clone() };
    let exception = Ref::new(ExceptionObject::new(class, kept));
    if is_os_error && (2..=5).contains(&given.len()) {
        const FIELDS: [&str; 5] = ["errno", "strerror", "filename", "winerror", "filename2"];
        for (name, value) in FIELDS.iter().zip(&given) {
            exception.set_attribute(Name::new(name), value.clone());
        }
    }
    Ok(Value::Exception(exception))
}

fn str(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let given = this(vm, args)?.args.borrow().clone();
    Ok(match given.as_slice() {
        [] => Value::str(""),
        [one] => Value::str(&*vm.str(one)?),
        _ => Value::str(&*vm.repr(&Value::tuple(given))?),
    })
}

fn repr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let exception = this(vm, args)?;
    let name = exception.class.borrow().name.get();
    let given = exception.args.borrow().clone();
    Ok(Value::str(match given.as_slice() {
        [one] => format!("{name}({})", vm.repr(one)?),
        _ => format!("{name}{}", vm.repr(&Value::tuple(given))?),
    }))
}

fn add_note(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let note = args.get(vm, 1);
    if note.as_str().is_none() {
        return Err(raise::type_error(format!("note must be a str, not '{}'", note.type_name())));
    }
    let exception = this(vm, args)?;
    let notes = exception.attributes.borrow().get(&names::NOTES).cloned();
    match notes {
        Some(Value::List(notes)) => notes.items.borrow_mut().push(note),
        Some(_) => return Err(raise::type_error("Cannot add note: __notes__ is not a list")),
        None => exception.set_attribute(names::NOTES, Value::list(vec![note])),
    }
    Ok(Value::None)
}
