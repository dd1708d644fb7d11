//! `io` and `open`: text and binary files, `StringIO`, `BytesIO`, and the program's standard streams.
//!
//! `stream` has the bytes, `binary` and `text` the objects over them, `string` the text in memory, `standard` the streams that write through the
//! host, `opening` what `open` decides.

mod binary;
mod opening;
mod standard;
mod stream;
mod string;
mod text;

pub use opening::open;
pub use standard::{StandardStream, standard_stream};

use std::cell::RefCell;

use self::stream::ByteStream;
use super::support::{new_module, thread_class};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassObject, ModuleObject, PayloadKind};
use crate::lang::raise::{Fallible, Raised, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

thread_class! {
    /// `io.IOBase`
    pub fn io_base() = define_class("IOBase", "io", &builtin_class(Builtin::Object), PayloadKind::Attributes, &[]);
}
thread_class! {
    fn text_base() = define_class("TextIOBase", "io", &io_base(), PayloadKind::Attributes, &[]);
}
thread_class! {
    fn buffered_base() = define_class("BufferedIOBase", "io", &io_base(), PayloadKind::Attributes, &[]);
}
thread_class! {
    fn raw_base() = define_class("RawIOBase", "io", &io_base(), PayloadKind::Attributes, &[]);
}
thread_class! {
    /// `io.UnsupportedOperation`, an `OSError` and a `ValueError`.
    pub fn unsupported_operation() = {
        let (os, value) = (builtin_class(Builtin::OSError), builtin_class(Builtin::ValueError));
        let mut order = vec![os.clone(), value.clone()];
        order.extend([Builtin::Exception, Builtin::BaseException, Builtin::Object].map(builtin_class));
        let module = Name::new("io");
        Ref::new(ClassObject::new(Name::new("UnsupportedOperation"), module, vec![os, value], order, PayloadKind::Exception, false))
    };
}

/// `io.UnsupportedOperation` with the operation's name.
fn unsupported(operation: &str) -> Raised {
    Raised::new(unsupported_operation(), operation)
}

/// `I/O operation on closed file.`
fn closed_error() -> Raised {
    value_error("I/O operation on closed file.")
}

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module("io", "The io module provides the Python interfaces to stream handling.", &[OPEN]);
    let classes = [
        io_base(),
        text_base(),
        buffered_base(),
        raw_base(),
        unsupported_operation(),
        text::text_class(),
        string::string_class(),
        binary::class_of(binary::Kind::Memory),
        binary::class_of(binary::Kind::Reader),
        binary::class_of(binary::Kind::Writer),
        binary::class_of(binary::Kind::Random),
        binary::class_of(binary::Kind::Raw),
    ];
    for class in classes {
        module.set(class.name.get(), Value::Class(class));
    }
    for (name, number) in [("DEFAULT_BUFFER_SIZE", 8192), ("SEEK_SET", 0), ("SEEK_CUR", 1), ("SEEK_END", 2)] {
        module.set(Name::new(name), Value::Int(number));
    }
    module.set(Name::new("BlockingIOError"), Value::Class(builtin_class(Builtin::BlockingIOError)));
    Ok(module)
}

/// The built-in `open`, also `io.open`.
pub const OPEN: Method = method(
    "open",
    "(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None)",
    "Open file and return a stream.  Raise OSError upon failure.",
    open,
);

/// What ends a read before its end.
enum Stopped {
    /// The system's error.
    System(std::io::Error),
    /// An interrupt, or memory that there is not.
    Raised(Raised),
}

impl From<std::io::Error> for Stopped {
    fn from(error: std::io::Error) -> Self {
        Self::System(error)
    }
}

impl Stopped {
    fn raised(self) -> Raised {
        match self {
            Self::System(error) => crate::lang::modules::file_system::os_error(&error, None),
            Self::Raised(error) => error,
        }
    }
}

/// Uses the bytes of a file that is still open.
fn with_open<T, E: Into<Stopped>>(
    stream: &RefCell<Option<ByteStream>>,
    use_it: impl FnOnce(&mut ByteStream) -> Result<T, E>,
) -> Fallible<T> {
    match &mut *stream.borrow_mut() {
        Some(stream) => use_it(stream).map_err(|stopped| stopped.into().raised()),
        None => Err(closed_error()),
    }
}

/// What long reads ask now and then: whether an interrupt waits, and whether there is memory for so many bytes more.
fn watch(vm: &mut Vm) -> impl FnMut(usize) -> Result<(), Stopped> {
    |bytes| vm.poll().and_then(|()| vm.reserve(bytes)).map_err(Stopped::Raised)
}

/// `__enter__`: the stream itself.
fn enter(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(args.get(vm, 0))
}

/// A size argument: `None` and negative mean everything.
fn size_argument(vm: &mut Vm, args: Args, index: usize) -> Fallible<Option<usize>> {
    match args.not_none(vm, index) {
        None => Ok(None),
        Some(value) => {
            let size = vm.index(&value).map_err(|error| {
                if error.is(Builtin::TypeError) {
                    crate::lang::raise::type_error(format!(
                        "argument should be integer or None, not '{}'",
                        value.type_name()
                    ))
                } else {
                    error
                }
            })?;
            Ok(usize::try_from(size).ok())
        }
    }
}

/// `seek(offset, whence)` for byte streams.
fn seek_target(vm: &mut Vm, args: Args) -> Fallible<std::io::SeekFrom> {
    let offset = args.get(vm, 1);
    let offset = vm.index(&offset)?;
    match args.index_or(vm, 2, 0)? {
        0 => match u64::try_from(offset) {
            Ok(offset) => Ok(std::io::SeekFrom::Start(offset)),
            Err(_) => Err(value_error(format!("negative seek value {offset}"))),
        },
        1 => Ok(std::io::SeekFrom::Current(offset)),
        2 => Ok(std::io::SeekFrom::End(offset)),
        whence => Err(value_error(format!("invalid whence ({whence}, should be 0, 1 or 2)"))),
    }
}

/// Calls `write` for each item of an iterable.
fn write_lines(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (stream, lines) = (args.get(vm, 0), args.get(vm, 1));
    let iterator = vm.iter(&lines)?;
    while let Some(line) = vm.next(&iterator)? {
        vm.call_method(&stream, crate::lang::name::names::WRITE, &[line])?;
    }
    Ok(Value::None)
}
