//! `os`: files and directories, the environment, the process. What would start another program or end this one is refused by name.
//!
//! `path` is `os.path`, `environ` the environment, `directories` walks and entries, `files` what changes the file system; this file has the rest.

mod directories;
mod environ;
mod files;
pub mod path;

use rustix::system::uname;

use super::file_system::fspath;
use super::struct_sequence;
use super::support::{new_module, set, thread_class};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, class_method, method};
use crate::lang::objects::{BytesObject, ModuleObject, PayloadKind};
use crate::lang::raise::{Fallible, not_implemented_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Names of `os` and `os.path` alike.
const SEPARATORS: &[(&str, &str)] = &[
    ("sep", "/"),
    ("pathsep", ":"),
    ("curdir", "."),
    ("pardir", ".."),
    ("extsep", "."),
    ("devnull", "/dev/null"),
    ("defpath", "/bin:/usr/bin"),
];

thread_class! {
    fn terminal_size() = struct_sequence::define("terminal_size", "os", &["columns", "lines"]);
}
thread_class! {
    fn uname_result() = struct_sequence::define("uname_result", "posix", &["sysname", "nodename", "release", "version", "machine"]);
}
thread_class! {
    /// `os.PathLike`: every class with `__fspath__` counts as derived from it.
    fn path_like() = define_class("PathLike", "os", &builtin_class(Builtin::Object), PayloadKind::Attributes, &[
        class_method("__instancehook__", "(cls, instance, /)", "Whether the object has __fspath__().", |vm, args| {
            let value = args.get(vm, 1);
            Ok(vm.find_special(&value, names::FSPATH).is_some().into())
        }),
        class_method("__subclasshook__", "(cls, subclass, /)", "Whether the class has __fspath__().", |vm, args| {
            Ok(match args.peek(vm, 1) {
                Value::Class(class) => class.lookup(names::FSPATH).is_some().into(),
                _ => Value::NotImplemented,
            })
        }),
    ]);
}

const FUNCTIONS: &[Method] = &[
    method(
        "getenv",
        "(key, default=None)",
        "Get an environment variable, return None if it doesn't exist.",
        environ::getenv,
    ),
    method("putenv", "(name, value, /)", "Change or add an environment variable, for this program.", environ::putenv),
    method("unsetenv", "(name, /)", "Delete an environment variable, for this program.", environ::unsetenv),
    method("fspath", "(path)", "Return the file system path representation of the object.", |vm, args| {
        let path = args.get(vm, 0);
        fspath(vm, &path)
    }),
    method("fsencode", "(filename)", "Encode filename to the filesystem encoding.", |vm, args| {
        let path = args.get(vm, 0);
        Ok(match fspath(vm, &path)? {
            Value::Str(text) => Value::Bytes(Ref::new(BytesObject::new(text.as_str().as_bytes()))),
            bytes => bytes,
        })
    }),
    method("fsdecode", "(filename)", "Decode filename from the filesystem encoding.", |vm, args| {
        let path = args.get(vm, 0);
        Ok(match fspath(vm, &path)? {
            Value::Bytes(bytes) => Value::str(String::from_utf8_lossy(bytes.as_bytes())),
            text => text,
        })
    }),
    method("getpid", "()", "Return the current process id.", |_, _| Ok(Value::Int(std::process::id().into()))),
    method("getppid", "()", "Return the parent's process id.", |_, _| {
        Ok(Value::Int(std::os::unix::process::parent_id().into()))
    }),
    method("getuid", "()", "Return the current process's user id.", |_, _| {
        Ok(Value::Int(rustix::process::getuid().as_raw().into()))
    }),
    method("geteuid", "()", "Return the current process's effective user id.", |_, _| {
        Ok(Value::Int(rustix::process::geteuid().as_raw().into()))
    }),
    method("getgid", "()", "Return the current process's group id.", |_, _| {
        Ok(Value::Int(rustix::process::getgid().as_raw().into()))
    }),
    method("cpu_count", "()", "Return the number of CPUs in the system.", |_, _| {
        Ok(processors().map_or(Value::None, Value::from))
    }),
    method("sched_getaffinity", "(pid, /)", "Return the affinity of the process (0 is this one).", |vm, args| {
        let pid = args.get(vm, 0);
        if vm.index(&pid)? != 0 {
            return Err(not_implemented_error("os.sched_getaffinity() of another process is not here"));
        }
        let set = rustix::thread::sched_getaffinity(None)
            .map_err(|error| super::file_system::os_error(&error.into(), None))?;
        let places: Vec<Value> = (0..1024).filter(|place| set.is_set(*place)).map(Value::from).collect();
        vm.call(&Value::Class(builtin_class(Builtin::Set)), &[Value::list(places)])
    }),
    method("getloadavg", "()", "Return average recent system load information.", |_, _| {
        let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let loads: Vec<Value> =
            text.split(' ').take(3).filter_map(|word| word.parse().ok().map(Value::Float)).collect();
        if loads.len() == 3 {
            Ok(Value::tuple(loads))
        } else {
            Err(crate::lang::raise::os_error("Load averages are unobtainable"))
        }
    }),
    method(
        "urandom",
        "(size, /)",
        "Return a bytes object containing random bytes suitable for cryptographic use.",
        urandom,
    ),
    method("uname", "()", "Return an object identifying the current operating system.", |_, _| {
        let system = uname();
        let fields = [system.sysname(), system.nodename(), system.release(), system.version(), system.machine()];
        let fields = fields.map(|field| Value::str(field.to_string_lossy()));
        Ok(struct_sequence::make(&uname_result(), fields.to_vec(), &[]))
    }),
    method("get_terminal_size", "(fd=1, /)", "Return the size of the terminal window as (columns, lines).", |vm, _| {
        let number = |vm: &mut Vm, name: &str| environ::get(vm, name).and_then(|text| text.parse::<i64>().ok());
        let (columns, lines) = (number(vm, "COLUMNS"), number(vm, "LINES"));
        if let (Some(columns), Some(lines)) = (columns, lines) {
            return Ok(struct_sequence::make(&terminal_size(), vec![Value::Int(columns), Value::Int(lines)], &[]));
        }
        Err(super::file_system::errno_error(libc::ENOTTY, None, None))
    }),
    method("strerror", "(code, /)", "Translate an error code to a message string.", |vm, args| {
        let code = args.get(vm, 0);
        let code = i32::try_from(vm.index(&code)?).map_err(|_| value_error("strerror() argument out of range"))?;
        Ok(super::file_system::error_text(code).into())
    }),
];

/// What this kernel does not do: start programs, become another, end itself behind the session's back.
const REFUSED: &[&str] = &[
    "system",
    "popen",
    "fork",
    "execv",
    "execve",
    "execvp",
    "execl",
    "spawnv",
    "spawnl",
    "posix_spawn",
    "kill",
    "killpg",
    "_exit",
    "abort",
    "setuid",
    "setgid",
    "wait",
    "waitpid",
    "pipe",
    "dup",
    "dup2",
    "umask",
];

fn refuse(_vm: &mut Vm, args: Args) -> Fallible<Value> {
    let name = REFUSED.get(args.row).copied().unwrap_or("this");
    Err(not_implemented_error(format!("os.{name}() is not here: this kernel does not start, change or end processes")))
}

/// Builds the module.
pub fn build(vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("os", "OS routines for this kernel: files, directories, the environment.", FUNCTIONS);
    for table in [files::FUNCTIONS, directories::FUNCTIONS] {
        for row in table {
            set(&module, row.name, Value::Native(row.build(None, Some(module.name))));
        }
    }
    for (row, name) in REFUSED.iter().enumerate() {
        let function =
            method(name, "(*args, **kwargs)", "Refused: this kernel does not start, change or end processes.", refuse);
        set(&module, name, Value::Native(function.with_row(row).build(None, Some(module.name))));
    }
    for (name, value) in SEPARATORS {
        set(&module, name, *value);
    }
    set(&module, "name", "posix");
    set(&module, "linesep", "\n");
    set(&module, "altsep", Value::None);
    set(&module, "path", Value::Module(path::build(vm)?));
    let environ = environ::environ(vm)?;
    set(&module, "environ", environ);
    for (name, number) in
        [("F_OK", 0), ("R_OK", 4), ("W_OK", 2), ("X_OK", 1), ("SEEK_SET", 0), ("SEEK_CUR", 1), ("SEEK_END", 2)]
    {
        set(&module, name, Value::Int(number));
    }
    for class in [path_like(), terminal_size(), uname_result(), files::stat_result(), directories::entry_class()] {
        module.set(class.name.get(), Value::Class(class));
    }
    module.set(Name::new("error"), Value::Class(builtin_class(Builtin::OSError)));
    Ok(module)
}

/// The processors of the system, not only those this process may use; these where the system does not show its own.
fn processors() -> Option<usize> {
    let shown = std::fs::read_to_string("/sys/devices/system/cpu/online").ok();
    shown.and_then(|text| places(&text)).or_else(|| std::thread::available_parallelism().ok().map(usize::from))
}

/// How many places a list of the system's names: 5 in "0-3,8".
fn places(list: &str) -> Option<usize> {
    let ranges = list.trim().split(',').map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        (last.parse::<usize>().ok()? + 1).checked_sub(first.parse().ok()?)
    });
    ranges.sum()
}

fn urandom(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let size = args.get(vm, 0);
    let Ok(size) = usize::try_from(vm.index(&size)?) else {
        return Err(value_error("negative argument not allowed"));
    };
    vm.reserve(size)?;
    let mut data = vec![0; size];
    std::fs::File::open("/dev/urandom")
        .and_then(|mut file| std::io::Read::read_exact(&mut file, &mut data))
        .map_err(|error| super::file_system::os_error(&error, None))?;
    Ok(Value::Bytes(Ref::new(BytesObject::new(data))))
}

/// The integer of a file descriptor is no path here.
fn refuse_descriptor(value: &Value, function: &str) -> Fallible<()> {
    match value {
        Value::Int(_) => {
            Err(not_implemented_error(format!("os.{function}() of a file descriptor is not here; give a path")))
        }
        Value::Float(_) | Value::List(_) | Value::Tuple(_) | Value::Dict(_) => Err(type_error(format!(
            "{function}: path should be string, bytes, os.PathLike or integer, not {}",
            value.type_name()
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_counted_with_and_without_the_systems_list() {
        assert_eq!(places("0-3,8\n"), Some(5));
        assert_eq!(places("0\n"), Some(1));
        assert_eq!(places(""), None);
        assert!(processors().is_some_and(|count| count > 0));
    }
}
