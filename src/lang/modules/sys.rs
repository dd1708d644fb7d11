//! `sys`: what a program asks about the machine it runs on. The versions are those of the language that is followed, CPython 3.11.

use std::cell::RefCell;

use super::io::standard_stream;
use super::struct_sequence;
use super::support::{new_module, set, thread_class, unwrap_payload};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::number_text::{digit_limit, set_digit_limit};
use crate::lang::heap::Ref;
use crate::lang::host::Stream;
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassRef, InstanceObject, ModuleObject, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, Raised, key_error, overflow_error, recursion_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The version of the language that is followed.
const VERSION: (i64, i64, i64) = (3, 11, 7);

/// The smallest limit on digits that a program may set.
const DIGIT_LIMIT_MIN: usize = 640;

thread_local! {
    static ARGV: RefCell<Vec<String>> = RefCell::new(vec![String::new()]);
}

/// Sets what `sys.argv` will be; called before the program starts.
pub fn set_argv(arguments: Vec<String>) {
    ARGV.with(|argv| *argv.borrow_mut() = arguments);
}

thread_class! {
    fn version_info() = struct_sequence::define("version_info", "sys", &["major", "minor", "micro", "releaselevel", "serial"]);
}
thread_class! {
    fn float_info() = struct_sequence::define("float_info", "sys", &["max", "max_exp", "max_10_exp", "min", "min_exp", "min_10_exp", "dig", "mant_dig", "epsilon", "radix", "rounds"]);
}
thread_class! {
    fn int_info() = struct_sequence::define("int_info", "sys", &["bits_per_digit", "sizeof_digit", "default_max_str_digits", "str_digits_check_threshold"]);
}
thread_class! {
    fn hash_info() = struct_sequence::define("hash_info", "sys", &["width", "modulus", "inf", "nan", "imag", "algorithm", "hash_bits", "seed_bits", "cutoff"]);
}
thread_class! {
    fn flags() = struct_sequence::define("flags", "sys", &["debug", "inspect", "interactive", "optimize", "dont_write_bytecode", "no_user_site", "no_site", "ignore_environment", "verbose", "bytes_warning", "quiet", "hash_randomization", "isolated", "dev_mode", "utf8_mode", "warn_default_encoding", "safe_path", "int_max_str_digits"]);
}
thread_class! {
    fn namespace() = define_class("SimpleNamespace", "types", &builtin_class(Builtin::Object), PayloadKind::Attributes, &[
        method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
            let Value::Instance(instance) = args.get(vm, 0) else { return Ok("namespace()".into()) };
            let pairs: Vec<(Name, Value)> = instance.attributes.borrow().iter().map(|(name, value)| (*name, value.clone())).collect();
            let mut shown = Vec::new();
            for (name, value) in pairs {
                shown.push(format!("{name}={}", vm.repr(&value)?));
            }
            Ok(format!("namespace({})", shown.join(", ")).into())
        }),
    ]);
}

const FUNCTIONS: &[Method] = &[
    method("exit", "(status=None, /)", "Exit the interpreter by raising SystemExit(status).", |vm, args| {
        let status: Vec<Value> = args.not_none(vm, 0).into_iter().collect();
        Err(Raised::with_args(Builtin::SystemExit, status))
    }),
    method("exc_info", "()", "Return current exception information: (type, value, traceback).", |vm, _| {
        let Some(exception) = vm.handled_exception() else {
            return Ok(Value::tuple([Value::None, Value::None, Value::None]));
        };
        let class = exception.class.borrow().clone();
        let value = Value::Exception(exception);
        let traceback = vm.find_attribute(&value, names::TRACEBACK)?.unwrap_or(Value::None);
        Ok(Value::tuple([Value::Class(class), value, traceback]))
    }),
    method("exception", "()", "Return the current exception.", |vm, _| {
        Ok(vm.handled_exception().map_or(Value::None, Value::Exception))
    }),
    method("getrecursionlimit", "()", "Return the current value of the recursion limit.", |vm, _| {
        Ok(vm.recursion_limit.into())
    }),
    method(
        "setrecursionlimit",
        "(limit, /)",
        "Set the maximum depth of the Python interpreter stack to n.",
        set_recursion_limit,
    ),
    method(
        "getsizeof",
        "(object, default=None)",
        "Return the bytes that the object itself takes, without what it refers to.",
        size_of_object,
    ),
    method(
        "getrefcount",
        "(object, /)",
        "Return the reference count of object, the argument's own included.",
        reference_count,
    ),
    method(
        "intern",
        "(string, /)",
        "Answers the string: equal strings need no interning to compare fast here.",
        |vm, args| match args.get(vm, 0) {
            text @ Value::Str(_) => Ok(text),
            other => Err(type_error(format!("intern() argument must be str, not {}", other.type_name()))),
        },
    ),
    method(
        "getdefaultencoding",
        "()",
        "Return the current default encoding used by the Unicode implementation.",
        |_, _| Ok("utf-8".into()),
    ),
    method(
        "getfilesystemencoding",
        "()",
        "Return the encoding used to convert Unicode filenames to OS filenames.",
        |_, _| Ok("utf-8".into()),
    ),
    method(
        "getfilesystemencodeerrors",
        "()",
        "Return the error mode used for Unicode to OS filename conversion.",
        |_, _| Ok("surrogateescape".into()),
    ),
    method(
        "get_int_max_str_digits",
        "()",
        "Return the maximum string digits limit for non-binary int<->str conversions.",
        |_, _| Ok(digit_limit().into()),
    ),
    method(
        "set_int_max_str_digits",
        "(maxdigits)",
        "Set the maximum string digits limit for non-binary int<->str conversions.",
        |vm, args| {
            let limit = args.get(vm, 0);
            let limit = vm.index(&limit)?;
            match usize::try_from(limit) {
                Ok(limit) if limit == 0 || limit >= DIGIT_LIMIT_MIN => set_digit_limit(limit),
                _ => return Err(value_error(format!("maxdigits must be 0 or larger than {DIGIT_LIMIT_MIN}"))),
            }
            Ok(Value::None)
        },
    ),
    method("getswitchinterval", "()", "Return the current thread switch interval; there is one thread.", |_, _| {
        Ok(Value::Float(0.005))
    }),
    method("is_finalizing", "()", "Return True if Python is exiting.", |_, _| Ok(false.into())),
    method("gettrace", "()", "Return the tracing function; there is none.", |_, _| Ok(Value::None)),
    method("getprofile", "()", "Return the profiling function; there is none.", |_, _| Ok(Value::None)),
];

/// Builds the module.
pub fn build(vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("sys", "What a program asks about the machine it runs on.", FUNCTIONS);
    let (major, minor, micro) = VERSION;
    set(&module, "version", format!("{major}.{minor}.{micro} (Cellhold {})", env!("CARGO_PKG_VERSION")));
    let version = vec![Value::Int(major), Value::Int(minor), Value::Int(micro), "final".into(), Value::Int(0)];
    let version = struct_sequence::make(&version_info(), version, &[]);
    set(&module, "version_info", version.clone());
    set(&module, "hexversion", major << 24 | minor << 16 | micro << 8 | 0xf0);
    set(&module, "api_version", 1013_i64);
    set(&module, "copyright", "Cellhold follows CPython 3.11; see its licence for both.");
    set(&module, "platform", "linux");
    set(&module, "byteorder", "little");
    set(&module, "maxsize", i64::MAX);
    set(&module, "maxunicode", 0x10_FFFF_i64);
    set(&module, "float_repr_style", "short");
    set(&module, "dont_write_bytecode", true);
    set(&module, "prefix", "/usr");
    set(&module, "exec_prefix", "/usr");
    set(&module, "base_prefix", "/usr");
    let executable = std::env::current_exe().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    set(&module, "executable", executable);
    let arguments = ARGV.with(|argv| argv.borrow().iter().map(|text| Value::str(text.as_str())).collect());
    set(&module, "argv", Value::list(arguments));
    set(&module, "orig_argv", Value::list(std::env::args().map(Value::from).collect()));
    let path = vm.import_path.iter().map(|path| Value::str(path.to_string_lossy())).collect();
    set(&module, "path", Value::list(path));
    set(&module, "modules", Value::object(Modules));
    set(
        &module,
        "builtin_module_names",
        Value::tuple(super::NATIVE.iter().map(|(name, _)| (*name).into()).collect::<Vec<_>>()),
    );
    for (name, output) in [("stdin", None), ("stdout", Some(Stream::Stdout)), ("stderr", Some(Stream::Stderr))] {
        let stream = standard_stream(output);
        set(&module, name, stream.clone());
        set(&module, &format!("__{name}__"), stream);
    }
    let float = |value: f64| Value::Float(value);
    let int = |value: i64| Value::Int(value);
    let limits = vec![
        float(f64::MAX),
        int(1024),
        int(308),
        float(f64::MIN_POSITIVE),
        int(-1021),
        int(-307),
        int(15),
        int(53),
        float(f64::EPSILON),
        int(2),
        int(1),
    ];
    set(&module, "float_info", struct_sequence::make(&float_info(), limits, &[]));
    set(&module, "int_info", struct_sequence::make(&int_info(), [30, 4, 4300, 640].map(int).to_vec(), &[]));
    let hashing = vec![
        int(64),
        int((1 << 61) - 1),
        int(314_159),
        int(0),
        int(1_000_003),
        "siphash13".into(),
        int(64),
        int(128),
        int(0),
    ];
    set(&module, "hash_info", struct_sequence::make(&hash_info(), hashing, &[]));
    let mut switches = vec![int(0); 18];
    switches[4] = int(1);
    switches[13] = false.into();
    switches[16] = false.into();
    switches[17] = int(-1);
    set(&module, "flags", struct_sequence::make(&flags(), switches, &[]));
    let implementation = InstanceObject::new(namespace(), Value::Unset);
    for (name, value) in [
        ("name", Value::str("cellhold")),
        ("cache_tag", Value::None),
        ("version", version),
        ("hexversion", int(major << 24 | minor << 16 | micro << 8 | 0xf0)),
    ] {
        implementation.attributes.borrow_mut().insert(Name::new(name), value);
    }
    set(&module, "implementation", Value::Instance(Ref::new(implementation)));
    Ok(module)
}

fn set_recursion_limit(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let limit = args.get(vm, 0);
    let limit = vm.index(&limit)?;
    if limit > i64::from(i32::MAX) {
        return Err(overflow_error("Python int too large to convert to C int"));
    }
    let Some(limit) = usize::try_from(limit).ok().filter(|limit| *limit > 0) else {
        return Err(value_error("recursion limit must be greater or equal than 1"));
    };
    let depth = vm.running_code().count();
    if depth >= limit {
        return Err(recursion_error(format!(
            "cannot set the recursion limit to {limit} at the recursion depth {depth}: the limit is too low"
        )));
    }
    vm.set_recursion_limit(limit);
    Ok(Value::None)
}

/// What the object takes on this machine's heap: its header, its data, and the memory only it uses for them.
fn size_of_object(vm: &mut Vm, args: Args) -> Fallible<Value> {
    use crate::lang::objects as kinds;
    let value = args.get(vm, 0);
    if let Some(method) = vm.find_special(&value, names::SIZEOF) {
        let size = vm.call(&method, &[])?;
        return Ok(size);
    }
    const HEADER: usize = 24;
    let slot = size_of::<Value>();
    let entry = size_of::<kinds::Entry>() + 2 * size_of::<usize>();
    let bytes = match unwrap_payload(&value) {
        Value::Unset
        | Value::None
        | Value::NotImplemented
        | Value::Ellipsis
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_) => slot,
        Value::Big(number) => {
            HEADER + size_of::<kinds::IntObject>() + (number.value().bits() as usize).div_ceil(64) * 8
        }
        Value::Str(text) => HEADER + size_of::<kinds::StrObject>() + text.as_str().len(),
        Value::Bytes(bytes) => HEADER + size_of::<kinds::BytesObject>() + bytes.as_bytes().len(),
        Value::ByteArray(bytes) => HEADER + size_of::<kinds::ByteArrayObject>() + bytes.data.borrow().capacity(),
        Value::List(list) => HEADER + size_of::<kinds::ListObject>() + list.items.borrow().capacity() * slot,
        Value::Tuple(tuple) => HEADER + size_of::<kinds::TupleObject>() + size_of_val(tuple.items()),
        Value::Dict(dict) => HEADER + size_of::<kinds::DictObject>() + dict.table.borrow().end() * entry,
        Value::Set(set) => HEADER + size_of::<kinds::SetObject>() + set.table.borrow().end() * entry,
        Value::Array(_) => HEADER + size_of::<kinds::ArrayObject>(),
        Value::Function(_) => HEADER + size_of::<kinds::FunctionObject>(),
        Value::Class(_) => HEADER + size_of::<kinds::ClassObject>(),
        Value::Instance(_) => HEADER + size_of::<kinds::InstanceObject>(),
        _ => HEADER + 64,
    };
    Ok(bytes.into())
}

fn reference_count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    Ok(match value.reference_count() {
        // This function's own copy is not the program's.
        Some(count) => Value::Int(i64::from(count) - 1),
        // Values without an object of their own are never freed: the count CPython gives to immortal objects.
        None => Value::Int(4_294_967_295),
    })
}

/// `sys.modules`: the modules that were imported, as a mapping.
#[derive(Debug)]
struct Modules;

thread_class! {
    fn modules_class() = define_class("modules", "sys", &builtin_class(Builtin::Object), PayloadKind::Sealed, MODULES);
}

impl NativeData for Modules {
    fn class(&self) -> ClassRef {
        modules_class()
    }
}

fn find_module(vm: &Vm, key: &Value) -> Option<Value> {
    let name = key.as_str()?;
    vm.modules.iter().find(|(known, _)| known.text() == name).map(|(_, module)| Value::Module(module.clone()))
}

fn names_of_modules(vm: &Vm) -> Vec<Value> {
    vm.modules.iter().map(|(name, _)| name.text().into()).collect()
}

const MODULES: &[Method] = &[
    method("__getitem__", "(self, key, /)", "The module of a name.", |vm, args| {
        let key = args.get(vm, 1);
        find_module(vm, &key).ok_or_else(|| key_error(key))
    }),
    method("__delitem__", "(self, key, /)", "Forgets a module, so that its next import runs it anew.", |vm, args| {
        let key = args.get(vm, 1);
        pop_module(vm, &key).map(|_| Value::None).ok_or_else(|| key_error(key))
    }),
    method("pop", "(self, key, default=None, /)", "Forgets a module and answers it.", |vm, args| {
        let key = args.get(vm, 1);
        let found = pop_module(vm, &key);
        found.or_else(|| args.optional(vm, 2)).ok_or_else(|| key_error(key))
    }),
    method("get", "(self, key, default=None, /)", "The module of a name, or the default.", |vm, args| {
        let key = args.get(vm, 1);
        Ok(find_module(vm, &key).or_else(|| args.optional(vm, 2)).unwrap_or(Value::None))
    }),
    method("__contains__", "(self, key, /)", "Whether a module was imported.", |vm, args| {
        let key = args.get(vm, 1);
        Ok(find_module(vm, &key).is_some().into())
    }),
    method("__len__", "(self, /)", "How many modules were imported.", |vm, _| Ok(vm.modules.len().into())),
    method("__iter__", "(self, /)", "The modules' names.", |vm, _| {
        let names = Value::list(names_of_modules(vm));
        vm.iter(&names)
    }),
    method("keys", "(self, /)", "The modules' names.", |vm, _| Ok(Value::list(names_of_modules(vm)))),
    method("values", "(self, /)", "The modules.", |vm, _| {
        Ok(Value::list(vm.modules.iter().map(|(_, module)| Value::Module(module.clone())).collect()))
    }),
    method("items", "(self, /)", "Names and modules.", |vm, _| {
        let pairs =
            vm.modules.iter().map(|(name, module)| Value::tuple([name.text().into(), Value::Module(module.clone())]));
        Ok(Value::list(pairs.collect()))
    }),
    method("copy", "(self, /)", "The names and modules as a dict.", |vm, args| {
        let items = args.get(vm, 0);
        let items = vm.call_method(&items, names::ITEMS, &[])?;
        vm.call(&Value::Class(builtin_class(Builtin::Dict)), &[items])
    }),
];

fn pop_module(vm: &mut Vm, key: &Value) -> Option<Value> {
    let name = key.as_str()?;
    let place = vm.modules.iter().position(|(known, _)| known.text() == name)?;
    let (_, module) = vm.modules.remove(place);
    Some(Value::Module(module))
}
