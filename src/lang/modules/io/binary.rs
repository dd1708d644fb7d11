//! Binary streams: buffered and raw files, and `BytesIO`.

use std::cell::RefCell;
use std::os::fd::AsRawFd;

use super::stream::{ByteStream, LineEnd};
use super::{
    Stopped, buffered_base, closed_error, enter, raw_base, seek_target, size_argument, unsupported, watch, with_open,
    write_lines,
};
use crate::lang::builtins::classes::{attach, define_class};
use crate::lang::heap::Ref;
use crate::lang::modules::file_system::os_error;
use crate::lang::modules::support::{Typed, attach_iterator, bytes_of, instantiate};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{BytesObject, ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// Which class a binary stream shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Reader,
    Writer,
    Random,
    Raw,
    Memory,
}

/// A binary stream.
#[derive(Debug)]
pub(super) struct Binary {
    kind: Kind,
    stream: RefCell<Option<ByteStream>>,
    name: Value,
    mode: String,
    can_read: bool,
    can_write: bool,
    is_appending: bool,
}

thread_local! {
    static CLASSES: [ClassRef; 5] = [
        ("BufferedReader", Kind::Reader), ("BufferedWriter", Kind::Writer), ("BufferedRandom", Kind::Random), ("FileIO", Kind::Raw), ("BytesIO", Kind::Memory),
    ]
    .map(|(name, kind)| {
        let base = if kind == Kind::Raw { raw_base() } else { buffered_base() };
        let payload = if kind == Kind::Memory { PayloadKind::Value } else { PayloadKind::Sealed };
        let class = define_class(name, "_io", &base, payload, METHODS);
        attach_iterator(&class);
        attach(&class, if kind == Kind::Memory { MEMORY } else { FILE });
        class
    });
}

/// The class of a kind.
pub(super) fn class_of(kind: Kind) -> ClassRef {
    CLASSES.with(|classes| classes[kind as usize].clone())
}

impl Binary {
    /// A stream over a file.
    pub(super) fn file(
        kind: Kind,
        stream: ByteStream,
        name: Value,
        mode: &str,
        can_read: bool,
        can_write: bool,
    ) -> Self {
        Self {
            kind,
            stream: RefCell::new(Some(stream)),
            name,
            mode: mode.to_owned(),
            can_read,
            can_write,
            is_appending: mode.starts_with('a'),
        }
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut ByteStream) -> std::io::Result<T>) -> Fallible<T> {
        with_open(&self.stream, use_it)
    }

    fn read_with<T>(&self, use_it: impl FnOnce(&mut ByteStream) -> Result<T, Stopped>) -> Fallible<T> {
        with_open(&self.stream, use_it)
    }

    fn check_readable(&self) -> Fallible<()> {
        if self.stream.borrow().is_none() {
            return Err(if self.kind == Kind::Memory { closed_error() } else { value_error("read of closed file") });
        }
        if self.can_read {
            Ok(())
        } else {
            Err(unsupported(if self.kind == Kind::Raw { "File not open for reading" } else { "read" }))
        }
    }
}

impl NativeData for Binary {
    fn class(&self) -> ClassRef {
        class_of(self.kind)
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        if !self.name.is_unset() {
            visit(Edge::Other("name"), &self.name);
        }
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        self.check_readable()?;
        let line = self.read_with(|stream| stream.read_line(LineEnd::Feed, usize::MAX, &mut watch(vm)))?;
        Ok(if line.is_empty() { None } else { Some(bytes(line)) })
    }
}

fn bytes(data: Vec<u8>) -> Value {
    Value::Bytes(Ref::new(BytesObject::new(data)))
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Binary>> {
    Typed::receiver(vm, args, "_io._IOBase")
}

const METHODS: &[Method] = &[
    method("read", "(self, size=-1, /)", "Read and return up to size bytes.", read),
    method("read1", "(self, size=-1, /)", "Read and return up to size bytes.", read),
    method("readline", "(self, size=-1, /)", "Read and return a line from the stream.", read_line),
    method("readlines", "(self, hint=-1, /)", "Return a list of lines from the stream.", read_lines),
    method("readinto", "(self, buffer, /)", "Read bytes into a pre-allocated, writable bytearray.", read_into),
    method("peek", "(self, size=0, /)", "Return bytes from the stream without advancing the position.", |vm, args| {
        let binary = receiver(vm, args)?;
        binary.check_readable()?;
        let ahead = binary.with(|stream| Ok(stream.peek(1)?.to_vec()))?;
        Ok(bytes(ahead))
    }),
    method("write", "(self, buffer, /)", "Write buffer to the stream and return the number of bytes.", write),
    method("writelines", "(self, lines, /)", "Write a list of lines to stream.", write_lines),
    method(
        "seek",
        "(self, offset, whence=0, /)",
        "Change the stream position to the given byte offset.",
        |vm, args| {
            let target = seek_target(vm, args)?;
            let place = receiver(vm, args)?.with(|stream| stream.seek(target))?;
            Ok(Value::int(place))
        },
    ),
    method("tell", "(self, /)", "Return current stream position.", |vm, args| {
        let place = receiver(vm, args)?.with(ByteStream::tell)?;
        Ok(Value::int(place))
    }),
    method("truncate", "(self, size=None, /)", "Truncate file to size bytes.", truncate),
    method("flush", "(self, /)", "Flush write buffers, if applicable.", |vm, args| {
        receiver(vm, args)?.with(ByteStream::flush)?;
        Ok(Value::None)
    }),
    method("close", "(self, /)", "Flush and close the IO object.", close),
    method("readable", "(self, /)", "Return whether object was opened for reading.", |vm, args| {
        let binary = receiver(vm, args)?;
        binary.with(|_| Ok(()))?;
        Ok(binary.can_read.into())
    }),
    method("writable", "(self, /)", "Return whether object was opened for writing.", |vm, args| {
        let binary = receiver(vm, args)?;
        binary.with(|_| Ok(()))?;
        Ok(binary.can_write.into())
    }),
    method("seekable", "(self, /)", "Return whether object supports random access.", |vm, args| {
        receiver(vm, args)?.with(|_| Ok(()))?;
        Ok(true.into())
    }),
    method("isatty", "(self, /)", "Return whether this is an 'interactive' stream.", |vm, args| {
        receiver(vm, args)?.with(|_| Ok(()))?;
        Ok(false.into())
    }),
    method("fileno", "(self, /)", "Return underlying file descriptor if one exists.", |vm, args| {
        let binary = receiver(vm, args)?;
        let number = binary.with(|stream| Ok(stream.as_file().map(AsRawFd::as_raw_fd)))?;
        number.map(|number| Value::Int(number.into())).ok_or_else(|| unsupported("fileno"))
    }),
    method("__enter__", "(self, /)", "Enter the stream's context.", |vm, args| {
        receiver(vm, args)?.with(|_| Ok(()))?;
        enter(vm, args)
    }),
    method("__exit__", "(self, kind=None, value=None, traceback=None, /)", "Close the stream.", close),
    getter("closed", "Whether the stream is closed.", |vm, args| {
        Ok(receiver(vm, args)?.stream.borrow().is_none().into())
    }),
];

const FILE: &[Method] = &[
    getter("name", "The file's name as it was given.", |vm, args| Ok(receiver(vm, args)?.name.clone())),
    getter("mode", "The mode it was opened with.", |vm, args| Ok(receiver(vm, args)?.mode.clone().into())),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let binary = receiver(vm, args)?;
        let name = vm.repr(&binary.name)?;
        let class = class_of(binary.kind).name.get();
        let mode =
            if binary.kind == Kind::Raw { format!(" mode='{}' closefd=True", binary.mode) } else { String::new() };
        Ok(format!("<_io.{class} name={name}{mode}>").into())
    }),
];

const MEMORY: &[Method] = &[
    static_method(
        "__new__",
        "(cls, initial_bytes=b'')",
        "Buffered I/O implementation using an in-memory bytes buffer.",
        |vm, args| {
            let data = match args.not_none(vm, 1) {
                None => Vec::new(),
                Some(initial) => bytes_of(&initial).ok_or_else(|| {
                    type_error(format!("a bytes-like object is required, not '{}'", initial.type_name()))
                })?,
            };
            let binary = Binary {
                kind: Kind::Memory,
                stream: RefCell::new(Some(ByteStream::memory(data))),
                name: Value::Unset,
                mode: String::new(),
                can_read: true,
                can_write: true,
                is_appending: false,
            };
            instantiate(&args.get(vm, 0), &class_of(Kind::Memory), Value::object(binary))
        },
    ),
    method("getvalue", "(self, /)", "Retrieve the entire contents of the BytesIO object.", |vm, args| {
        let data = receiver(vm, args)?.with(|stream| Ok(stream.contents().to_vec()))?;
        Ok(bytes(data))
    }),
    method("getbuffer", "(self, /)", "Get a view over the contents of the BytesIO object.", |_, _| {
        Err(crate::lang::raise::not_implemented_error("BytesIO.getbuffer() is not here; use getvalue()"))
    }),
];

fn read(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let size = size_argument(vm, args, 1)?;
    let binary = receiver(vm, args)?;
    binary.check_readable()?;
    let left = binary.with(|stream| Ok(stream.bytes_left()))?;
    vm.reserve(size.map_or(left, |size| size.min(left)))?;
    let data = binary.read_with(|stream| match size {
        Some(size) => stream.read(size, &mut watch(vm)),
        None => stream.read_all(&mut watch(vm)),
    })?;
    Ok(bytes(data))
}

fn read_line(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let size = size_argument(vm, args, 1)?.unwrap_or(usize::MAX);
    let binary = receiver(vm, args)?;
    binary.check_readable()?;
    binary.read_with(|stream| stream.read_line(LineEnd::Feed, size, &mut watch(vm))).map(bytes)
}

fn read_lines(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let hint = size_argument(vm, args, 1)?.filter(|hint| *hint > 0).unwrap_or(usize::MAX);
    let binary = receiver(vm, args)?;
    binary.check_readable()?;
    let (mut lines, mut total) = (Vec::new(), 0);
    while total < hint {
        vm.poll()?;
        let line = binary.read_with(|stream| stream.read_line(LineEnd::Feed, usize::MAX, &mut watch(vm)))?;
        if line.is_empty() {
            break;
        }
        crate::lang::builtins::iterators::reserve_growth(vm, &lines)?;
        total += line.len();
        lines.push(bytes(line));
    }
    Ok(Value::list(lines))
}

fn read_into(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let binary = receiver(vm, args)?;
    binary.check_readable()?;
    let Value::ByteArray(target) = args.get(vm, 1) else {
        return Err(type_error(format!(
            "readinto() argument must be read-write bytes-like object, not {}",
            args.peek(vm, 1).type_name()
        )));
    };
    let len = target.data.borrow().len();
    let data = binary.read_with(|stream| stream.read(len, &mut watch(vm)))?;
    target.data.borrow_mut()[..data.len()].copy_from_slice(&data);
    Ok(data.len().into())
}

fn write(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let binary = receiver(vm, args)?;
    if binary.stream.borrow().is_none() {
        return Err(if binary.kind == Kind::Memory { closed_error() } else { value_error("write to closed file") });
    }
    if !binary.can_write {
        return Err(unsupported(if binary.kind == Kind::Raw { "File not open for writing" } else { "write" }));
    }
    let value = args.get(vm, 1);
    let data = match bytes_of(&value) {
        Some(data) => data,
        None if matches!(value, Value::Str(_) | Value::Int(_) | Value::Float(_) | Value::List(_) | Value::None) => {
            return Err(type_error(format!("a bytes-like object is required, not '{}'", value.type_name())));
        }
        // A memoryview or an array gives its bytes.
        None => {
            let copied = vm.call_method(&value, crate::lang::name::Name::new("tobytes"), &[])?;
            bytes_of(&copied)
                .ok_or_else(|| type_error(format!("a bytes-like object is required, not '{}'", value.type_name())))?
        }
    };
    if binary.kind == Kind::Memory {
        // Writing beyond the end fills what lies between.
        let gap = binary.with(|stream| Ok(stream.tell()?.saturating_sub(stream.contents().len() as u64)))?;
        vm.reserve(usize::try_from(gap).unwrap_or(usize::MAX).saturating_add(data.len()))?;
    }
    if binary.is_appending {
        binary.with(|stream| stream.seek(std::io::SeekFrom::End(0)))?;
    }
    binary.with(|stream| stream.write(&data))?;
    Ok(data.len().into())
}

fn truncate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let binary = receiver(vm, args)?;
    let size = match args.not_none(vm, 1) {
        Some(size) => vm.index(&size)?,
        None => binary.with(ByteStream::tell)? as i64,
    };
    let Ok(len) = u64::try_from(size) else {
        return Err(value_error(format!("negative size value {size}")));
    };
    if !binary.can_write {
        return Err(unsupported("truncate"));
    }
    binary.with(|stream| stream.truncate(len))?;
    Ok(Value::Int(size))
}

fn close(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let binary = receiver(vm, args)?;
    let closing = binary.stream.borrow_mut().take();
    if let Some(mut stream) = closing {
        stream.flush().map_err(|error| os_error(&error, None))?;
    }
    Ok(Value::None)
}
