//! Arrays in files: `load`, `save`, `savez`, text files, raw bytes.

use std::cell::RefCell;
use std::path::PathBuf;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::creation;
use crate::arrays::functions::io::npz::NpzFile;
use crate::arrays::functions::io::text::{SaveTextOptions, TextOptions};
use crate::arrays::functions::io::{npy, npz, raw, text};
use crate::arrays::patience;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::{array_value, python_value};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::builtins::codecs;
use crate::lang::modules::file_system::{os_error, path_value};
use crate::lang::name::names;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ArrayFlavour, ClassRef, NativeData, PayloadKind};
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "load",
        "(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding='ASCII', *, device=None, usm_type='device', \
         sycl_queue=None)",
        "Arrays of an .npy or .npz file. With mmap_mode an .npy file is read as it is needed, and computed with in pieces.",
        load,
    ),
    method("save", "(file, arr, allow_pickle=True)", "Writes an array to an .npy file.", |vm, args| {
        let call = Call::of(args);
        let path = path(vm, call, 0, Some("npy"))?;
        let array = any_array(vm, call, 1)?;
        call.run(vm, || npy::save(&path, &array))?;
        Ok(Value::None)
    }),
    method("savez", "(file, *args, **kwds)", "Writes arrays to an .npz file.", |vm, args| {
        save_archive(vm, args, false)
    }),
    method("savez_compressed", "(file, *args, **kwds)", "Writes arrays to a compressed .npz file.", |vm, args| {
        save_archive(vm, args, true)
    }),
    method(
        "loadtxt",
        "(fname, dtype=float, comments='#', delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0, \
         encoding=None, max_rows=None, *, quotechar=None, like=None, device=None, usm_type='device', sycl_queue=None)",
        "The numbers of a text file.",
        load_text,
    ),
    method(
        "genfromtxt",
        "(fname, dtype=float, comments='#', delimiter=None, skip_header=0, skip_footer=0, filling_values=None, usecols=None, \
         unpack=False, max_rows=None)",
        "The numbers of a text file, unreadable fields filled.",
        generate_from_text,
    ),
    method(
        "savetxt",
        "(fname, X, fmt='%.18e', delimiter=' ', newline='\\n', header='', footer='', comments='# ', encoding=None)",
        "Writes an array as text.",
        save_text,
    ),
    method(
        "fromfile",
        "(file, dtype=float, count=-1, sep='', offset=0, *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "An array from a file's raw bytes.",
        from_file,
    ),
    method(
        "frombuffer",
        "(buffer, dtype=float, count=-1, offset=0, *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "An array from an object's bytes; a copy.",
        from_buffer,
    ),
    method(
        "fromstring",
        "(string, dtype=float, count=-1, *, sep='', like=None, device=None, usm_type='device', sycl_queue=None)",
        "An array from numbers in a text.",
        from_string,
    ),
];

/// The methods of this family.
pub const METHODS: &[Method] =
    &[method("tofile", "(self, fid, sep='', format='')", "Writes the raw bytes to a file.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = call.array(vm, 0)?;
        let path = path(vm, call, 1, None)?;
        let separator = call.text_or(vm, 2, "")?;
        if !separator.is_empty() {
            return Err(raise::not_implemented_error("tofile writes raw bytes only; use savetxt for text"));
        }
        call.run(vm, || raw::to_file(&array, &path))?;
        Ok(Value::None)
    })];

/// A path: text, bytes, or an object with `__fspath__`. `suffix` is added when the name has none, as `save` does.
fn path(vm: &mut Vm, call: Call, index: usize, suffix: Option<&str>) -> Fallible<PathBuf> {
    let value = call.args.get(vm, index);
    let text = match &value {
        Value::Str(text) => text.as_str().to_owned(),
        other => match vm.find_special(other, names::FSPATH) {
            Some(method) => {
                let text = vm.call(&method, &[])?;
                vm.str(&text)?.to_string()
            }
            None => {
                return Err(raise::type_error(format!(
                    "expected str, bytes or os.PathLike object, not {}",
                    other.type_name()
                )));
            }
        },
    };
    let path = PathBuf::from(&text);
    Ok(match suffix {
        Some(suffix) if !text.ends_with(&format!(".{suffix}")) => PathBuf::from(format!("{text}.{suffix}")),
        _ => path,
    })
}

/// An array of whichever library, or what becomes one on the host.
fn any_array(vm: &mut Vm, call: Call, index: usize) -> Fallible<Array> {
    match call.args.get(vm, index) {
        Value::Array(array) => pending::compute(vm, &array),
        other => nested::host_array(vm, &other),
    }
}

fn load(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let path = path(vm, call, 0, None)?;
    let mode = match args.not_none(vm, 1) {
        Some(mode) => Some(vm.str(&mode)?.to_string()),
        None => None,
    };
    match mode.as_deref() {
        None | Some("r" | "c" | "readonly" | "copyonwrite") => {}
        Some("r+") => {
            return Err(raise::not_implemented_error(
                "load(mmap_mode='r+') is not supported: changes would not reach the file",
            ));
        }
        Some(mode) => return Err(raise::value_error(format!("mode must be one of ['r', 'c', 'r+'] (got '{mode}')"))),
    }
    let alloc = call.alloc(vm, 5, 6, 7)?;
    let is_archive = {
        use std::io::Read as _;
        let mut magic = [0u8; 4];
        let mut file = npy::open(&path).map_err(raised)?;
        file.read_exact(&mut magic).is_ok() && &magic[..2] == b"PK"
    };
    if is_archive {
        let archive = NpzFile::open(&path).map_err(raised)?;
        return Ok(Value::object(ArchiveObject { flavour: call.flavour, alloc, archive: RefCell::new(Some(archive)) }));
    }
    if let Some(mode) = mode
        && let Some(array) = npy::map(&path, &alloc.place).map_err(raised)?
    {
        let value = call.give(array);
        if let Value::Array(object) = &value {
            object.readonly.set(matches!(mode.as_str(), "r" | "readonly"));
        }
        return Ok(value);
    }
    call.array_from(vm, || npy::load(&path, &alloc))
}

fn save_archive(vm: &mut Vm, args: Args, compressed: bool) -> Fallible<Value> {
    let call = Call::of(args);
    let path = path(vm, call, 0, Some("npz"))?;
    let mut arrays: Vec<(String, Array)> = Vec::new();
    let to_array = |vm: &mut Vm, value: &Value| match value {
        Value::Array(array) => pending::compute(vm, array),
        other => nested::host_array(vm, other),
    };
    if let Value::Tuple(positional) = args.get(vm, 1) {
        for (index, value) in positional.items().iter().enumerate() {
            arrays.push((format!("arr_{index}"), to_array(vm, value)?));
        }
    }
    if let Value::Dict(keywords) = args.get(vm, 2) {
        let entries: Vec<(Value, Value)> =
            keywords.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
        for (key, value) in entries {
            let name = vm.str(&key)?.to_string();
            if arrays.iter().any(|(known, _)| *known == name) {
                return Err(raise::value_error(format!("Cannot use un-named variables and keyword {name}")));
            }
            arrays.push((name, to_array(vm, &value)?));
        }
    }
    call.run(vm, || npz::save(&path, &arrays, compressed))?;
    Ok(Value::None)
}

/// What `load` gives for an .npz file: arrays by name, read when asked for.
struct ArchiveObject {
    flavour: ArrayFlavour,
    alloc: Alloc,
    archive: RefCell<Option<NpzFile>>,
}

impl std::fmt::Debug for ArchiveObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an opened .npz file")
    }
}

impl NativeData for ArchiveObject {
    fn class(&self) -> ClassRef {
        thread_local! {
            static CLASS: ClassRef = define_class(
                "NpzFile",
                "numpy.lib.npyio",
                &builtin_class(Builtin::Object),
                PayloadKind::Sealed,
                ARCHIVE_METHODS,
            );
        }
        CLASS.with(Clone::clone)
    }
}

const ARCHIVE_METHODS: &[Method] = &[
    getter("files", "The names of the arrays.", |vm, args| Ok(Value::list(archive_names(vm, args)?))),
    method("keys", "(self)", "The names of the arrays.", |vm, args| Ok(Value::list(archive_names(vm, args)?))),
    method("__iter__", "(self)", "Over the names of the arrays.", |vm, args| {
        let names = Value::list(archive_names(vm, args)?);
        vm.iter(&names)
    }),
    method("__len__", "(self)", "How many arrays there are.", |vm, args| {
        Ok(Value::from(archive_names(vm, args)?.len()))
    }),
    method("__contains__", "(self, key, /)", "Whether there is an array of this name.", |vm, args| {
        let key = args.get(vm, 1);
        let names = archive_names(vm, args)?;
        Ok(Value::Bool(key.as_str().is_some_and(|key| names.iter().any(|name| name.as_str() == Some(key)))))
    }),
    method("__getitem__", "(self, key, /)", "Reads an array.", |vm, args| {
        let key = args.get(vm, 1);
        read_member(vm, args, &key)
    }),
    method("items", "(self)", "Names with arrays.", |vm, args| {
        let mut pairs = Vec::new();
        for name in archive_names(vm, args)? {
            let array = read_member(vm, args, &name)?;
            pairs.push(Value::tuple(vec![name, array]));
        }
        Ok(Value::list(pairs))
    }),
    method("close", "(self)", "Closes the file.", |vm, args| {
        archive(vm, args)?.archive.replace(None);
        Ok(Value::None)
    }),
    method("__enter__", "(self)", "Itself.", |vm, args| Ok(args.get(vm, 0))),
    method("__exit__", "(self, *args)", "Closes the file.", |vm, args| {
        archive(vm, args)?.archive.replace(None);
        Ok(Value::None)
    }),
    method("__repr__", "(self)", "The file and the names in it.", |vm, args| {
        let archive = archive(vm, args)?;
        let shown = archive.archive.borrow().as_ref().map_or_else(
            || "NpzFile (closed)".to_owned(),
            |file| format!("NpzFile '{}' with keys: {}", file.path().display(), file.names().join(", ")),
        );
        Ok(Value::str(shown))
    }),
];

fn archive(vm: &Vm, args: Args) -> Fallible<&ArchiveObject> {
    match args.peek(vm, 0) {
        Value::Object(object) => object.downcast::<ArchiveObject>(),
        _ => None,
    }
    .ok_or_else(|| raise::type_error("expected an opened .npz file"))
}

fn archive_names(vm: &Vm, args: Args) -> Fallible<Vec<Value>> {
    let archive = archive(vm, args)?.archive.borrow();
    let Some(file) = &*archive else { return Err(raise::value_error("the .npz file is closed")) };
    Ok(file.names().into_iter().map(Value::str).collect())
}

fn read_member(vm: &mut Vm, args: Args, key: &Value) -> Fallible<Value> {
    let Some(name) = key.as_str().map(str::to_owned) else { return Err(raise::key_error(key.clone())) };
    let known = archive_names(vm, args)?.iter().any(|known| known.as_str() == Some(&name));
    if !known {
        return Err(raise::key_error(Value::str(format!("{name} is not a file in the archive"))));
    }
    let this = args.get(vm, 0);
    let Value::Object(object) = &this else { return Err(raise::type_error("expected an opened .npz file")) };
    let Some(archive) = object.downcast::<ArchiveObject>() else {
        return Err(raise::type_error("expected an opened .npz file"));
    };
    let array = pending::with_relief(vm, |_| match &mut *archive.archive.borrow_mut() {
        Some(file) => file.read(&name, &archive.alloc),
        None => Err(ArrayError::value("the .npz file is closed")),
    })?;
    Ok(array_value(archive.flavour, array))
}

/// The text of a file, or of an iterable of lines.
fn text_of(vm: &mut Vm, call: Call, index: usize) -> Fallible<String> {
    let value = call.args.get(vm, index);
    if matches!(value, Value::Str(_)) || vm.find_special(&value, names::FSPATH).is_some() {
        let path = path(vm, call, index, None)?;
        let bytes = patience::read(&path).map_err(|error| os_error(&error, Some(&path_value(&path))))?;
        return codecs::decode(&bytes, "utf-8", "strict");
    }
    let mut text = String::new();
    for line in vm.collect(&value)? {
        let line = vm.str(&line)?;
        text.push_str(line.trim_end_matches('\n'));
        text.push('\n');
    }
    Ok(text)
}

fn columns(vm: &mut Vm, call: Call, index: usize) -> Fallible<Option<Vec<i64>>> {
    match call.args.not_none(vm, index) {
        None => Ok(None),
        Some(_) => call.ints(vm, index).map(Some),
    }
}

fn comments(vm: &mut Vm, call: Call, index: usize) -> Fallible<Vec<String>> {
    match call.args.get(vm, index) {
        Value::Unset => Ok(vec!["#".to_owned()]),
        Value::None => Ok(vec![]),
        Value::Str(text) => Ok(vec![text.as_str().to_owned()]),
        other => {
            let mut marks = Vec::new();
            for mark in vm.collect(&other)? {
                marks.push(vm.str(&mark)?.to_string());
            }
            Ok(marks)
        }
    }
}

fn optional_text(vm: &mut Vm, call: Call, index: usize) -> Fallible<Option<String>> {
    match call.args.not_none(vm, index) {
        None => Ok(None),
        Some(value) => Ok(Some(vm.str(&value)?.to_string())),
    }
}

fn optional_count(vm: &mut Vm, call: Call, index: usize) -> Fallible<Option<usize>> {
    Ok(usize::try_from(call.int_or(vm, index, -1)?).ok())
}

fn load_text(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    if args.not_none(vm, 4).is_some() {
        return Err(raise::not_implemented_error("loadtxt(converters=...) is not supported"));
    }
    let text = text_of(vm, call, 0)?;
    let alloc = call.alloc(vm, 13, 14, 15)?;
    let options = TextOptions {
        dtype: call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64())),
        comments: comments(vm, call, 2)?,
        delimiter: optional_text(vm, call, 3)?,
        skip_lines: usize::try_from(call.int_or(vm, 5, 0)?).unwrap_or(0),
        columns: columns(vm, call, 6)?,
        unpack: call.truth_or(vm, 7, false)?,
        rank_min: usize::try_from(call.int_or(vm, 8, 0)?).unwrap_or(0),
        rows_max: match args.not_none(vm, 10) {
            Some(_) => optional_count(vm, call, 10)?,
            None => None,
        },
        ..TextOptions::default()
    };
    call.array_from(vm, || text::load(&text, &options, &alloc))
}

fn generate_from_text(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let text = text_of(vm, call, 0)?;
    let alloc = if call.is_numpy() { Alloc::HOST } else { Alloc::default_device().map_err(raised)? };
    let options = TextOptions {
        dtype: call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64())),
        comments: comments(vm, call, 2)?,
        delimiter: optional_text(vm, call, 3)?,
        skip_lines: usize::try_from(call.int_or(vm, 4, 0)?).unwrap_or(0),
        skip_footer: usize::try_from(call.int_or(vm, 5, 0)?).unwrap_or(0),
        filling: Some(match args.not_none(vm, 6) {
            Some(value) => vm.float(&value)?,
            None => f64::NAN,
        }),
        columns: columns(vm, call, 7)?,
        unpack: call.truth_or(vm, 8, false)?,
        rows_max: match args.not_none(vm, 9) {
            Some(_) => optional_count(vm, call, 9)?,
            None => None,
        },
        ..TextOptions::default()
    };
    call.array_from(vm, || text::load(&text, &options, &alloc))
}

fn save_text(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let array = any_array(vm, call, 1)?;
    let formats: Option<Vec<Value>> = match args.get(vm, 2) {
        Value::Unset => None,
        one @ Value::Str(_) => Some(vec![one]),
        many => Some(vm.collect(&many)?),
    };
    let options = SaveTextOptions {
        delimiter: call.text_or(vm, 3, " ")?,
        newline: call.text_or(vm, 4, "\n")?,
        header: call.text_or(vm, 5, "")?,
        footer: call.text_or(vm, 6, "")?,
        comments: call.text_or(vm, 7, "# ")?,
    };
    let mut failure = None;
    let rendered = text::save(&array, &options, |scalar, column| match &formats {
        None => Ok(text::default_format(scalar)),
        Some(formats) => {
            let format = &formats[column % formats.len()];
            let shown = vm.binary(BinaryOperator::Modulo, format, &python_value(scalar)).and_then(|text| vm.str(&text));
            shown.map(|text| text.to_string()).map_err(|error| {
                failure = Some(error);
                ArrayError::value("the format does not fit")
            })
        }
    });
    let rendered = match (rendered, failure) {
        (_, Some(error)) => return Err(error),
        (rendered, None) => rendered.map_err(raised)?,
    };
    let target = args.get(vm, 0);
    if let Some(write) = vm.find_attribute(&target, names::WRITE)? {
        vm.call(&write, &[Value::str(rendered)])?;
        return Ok(Value::None);
    }
    let path = path(vm, call, 0, None)?;
    std::fs::write(&path, rendered).map_err(|error| raised(ArrayError::from(error)))?;
    Ok(Value::None)
}

fn from_file(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let path = path(vm, call, 0, None)?;
    let alloc = call.alloc(vm, 6, 7, 8)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    let count = optional_count(vm, call, 2)?;
    let separator = call.text_or(vm, 3, "")?;
    let offset = u64::try_from(call.int_or(vm, 4, 0)?).unwrap_or(0);
    if separator.is_empty() {
        return call.array_from(vm, || raw::from_file(&path, dtype, count, offset, &alloc));
    }
    let content = text_of(vm, call, 0)?;
    call.array_from(vm, || text::from_string(&content, dtype, count, &separator, &alloc))
}

fn from_buffer(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let alloc = call.alloc(vm, 5, 6, 7)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    let (count, offset) = (optional_count(vm, call, 2)?, call.int_or(vm, 3, 0)?);
    let buffer = args.get(vm, 0);
    let bytes = match &buffer {
        Value::Bytes(bytes) => bytes.as_bytes().to_vec(),
        Value::ByteArray(bytes) => bytes.data.borrow().clone(),
        other => {
            let bytes = vm.call(&Value::Class(builtin_class(Builtin::Bytes)), std::slice::from_ref(other))?;
            match bytes {
                Value::Bytes(bytes) => bytes.as_bytes().to_vec(),
                _ => return Err(raise::type_error("a bytes-like object is required")),
            }
        }
    };
    let value = call.array_from(vm, || creation::from_bytes(&bytes, dtype, count, offset, &alloc))?;
    if let (Value::Array(array), Value::Bytes(_), true) = (&value, &buffer, call.is_numpy()) {
        array.readonly.set(true);
    }
    Ok(value)
}

fn from_string(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let content = call.text_or(vm, 0, "")?;
    let alloc = call.alloc(vm, 5, 6, 7)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    let count = optional_count(vm, call, 2)?;
    let separator = call.text_or(vm, 3, "")?;
    if separator.is_empty() {
        return Err(raise::value_error("The binary mode of fromstring is removed, use frombuffer instead"));
    }
    call.array_from(vm, || text::from_string(&content, dtype, count, &separator, &alloc))
}
