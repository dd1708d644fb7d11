//! Text files: decoding, line ends, positions.

use std::cell::{Cell, RefCell};
use std::io::SeekFrom;
use std::os::fd::AsRawFd;

use super::stream::{ByteStream, LineEnd};
use super::{Stopped, enter, size_argument, text_base, unsupported, watch, with_open, write_lines};
use crate::lang::builtins::classes::define_class;
use crate::lang::heap::Ref;
use crate::lang::modules::file_system::os_error;
use crate::lang::modules::support::{Typed, attach_iterator, bytes_of, text_of, thread_class};
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{BytesObject, ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, type_error, value_error};
use crate::lang::value::{Edge, Value};
use crate::lang::vm::Vm;

/// An encoding whose characters can be told apart byte by byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// `utf-8`
    Utf8,
    /// `utf-8-sig`: a mark at the start is skipped and written.
    Utf8Mark,
    /// One byte a character.
    Single,
}

impl Encoding {
    /// The encoding of a name; nothing when it is unknown or not one of these.
    pub(super) fn of(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
            "utf_8" | "utf8" | "u8" | "utf" | "cp65001" | "locale" => Some(Self::Utf8),
            "utf_8_sig" => Some(Self::Utf8Mark),
            "ascii" | "us_ascii" | "646" | "latin_1" | "latin1" | "latin" | "l1" | "iso_8859_1" | "iso8859_1"
            | "iso8859" | "8859" | "cp819" => Some(Self::Single),
            _ => None,
        }
    }
}

/// How line ends are read and written: the `newline` argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Newlines {
    /// What ends a line when reading.
    pub(super) end: LineEnd,
    /// Whether other ends become `\n` when reading.
    pub(super) translate: bool,
    /// What `\n` becomes when writing.
    pub(super) written: &'static str,
}

/// What `open` found out about a text file.
#[derive(Debug)]
pub(super) struct TextOptions {
    pub(super) name: Value,
    pub(super) mode: String,
    pub(super) encoding: Encoding,
    pub(super) encoding_name: String,
    pub(super) errors: String,
    pub(super) newlines: Newlines,
    pub(super) can_read: bool,
    pub(super) can_write: bool,
}

/// A text file.
#[derive(Debug)]
pub(super) struct Text {
    stream: RefCell<Option<ByteStream>>,
    options: TextOptions,
    at_start: Cell<bool>,
}

thread_class! {
    /// `io.TextIOWrapper`
    pub(super) fn text_class() = {
        let class = define_class("TextIOWrapper", "_io", &text_base(), PayloadKind::Sealed, METHODS);
        attach_iterator(&class);
        class
    };
}

impl Text {
    pub(super) fn new(stream: ByteStream, options: TextOptions) -> Self {
        Self { stream: RefCell::new(Some(stream)), options, at_start: Cell::new(true) }
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut ByteStream) -> std::io::Result<T>) -> Fallible<T> {
        with_open(&self.stream, use_it)
    }

    fn read_with<T>(&self, use_it: impl FnOnce(&mut ByteStream) -> Result<T, Stopped>) -> Fallible<T> {
        with_open(&self.stream, use_it)
    }

    /// Checks that it is open for reading, and skips a mark at the start.
    fn ready_to_read(&self) -> Fallible<()> {
        self.with(|_| Ok(()))?;
        if !self.options.can_read {
            return Err(unsupported("not readable"));
        }
        if self.at_start.replace(false) && self.options.encoding == Encoding::Utf8Mark {
            self.with(|stream| {
                if stream.tell()? == 0 && stream.peek(3)?.starts_with(b"\xef\xbb\xbf") {
                    stream.consume(3);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn decode(&self, vm: &mut Vm, data: Vec<u8>) -> Fallible<String> {
        let text = match self.options.encoding {
            Encoding::Utf8 | Encoding::Utf8Mark => {
                String::from_utf8(data).map_err(std::string::FromUtf8Error::into_bytes)
            }
            Encoding::Single if data.is_ascii() => {
                String::from_utf8(data).map_err(std::string::FromUtf8Error::into_bytes)
            }
            Encoding::Single => Err(data),
        };
        let text = match text {
            Ok(text) => text,
            Err(data) => {
                let name =
                    if self.options.encoding == Encoding::Utf8Mark { "utf-8" } else { &self.options.encoding_name };
                let bytes = Value::Bytes(Ref::new(BytesObject::new(data)));
                let arguments = [name.into(), self.options.errors.as_str().into()];
                let decoded = vm.call_method(&bytes, Name::new("decode"), &arguments)?;
                decoded.as_str().unwrap_or_default().to_owned()
            }
        };
        Ok(if self.options.newlines.translate && text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            text
        })
    }

    fn encode(&self, vm: &mut Vm, text: &str) -> Fallible<Vec<u8>> {
        let written = self.options.newlines.written;
        let text = if written == "\n" { text.to_owned() } else { text.replace('\n', written) };
        if text.is_ascii() || self.options.encoding != Encoding::Single {
            return Ok(text.into_bytes());
        }
        let arguments = [self.options.encoding_name.as_str().into(), self.options.errors.as_str().into()];
        let encoded = vm.call_method(&Value::str(text), Name::new("encode"), &arguments)?;
        bytes_of(&encoded).ok_or_else(|| type_error("encode() did not give bytes"))
    }

    fn read_line(&self, vm: &mut Vm, limit: Option<usize>) -> Fallible<String> {
        let Some(limit) = limit else {
            let end = self.options.newlines.end;
            let line = self.read_with(|stream| stream.read_line(end, usize::MAX, &mut watch(vm)))?;
            vm.reserve(line.len())?;
            return self.decode(vm, line);
        };
        // With a limit in characters, a line is taken character by character.
        let mut out = Vec::new();
        for step in 0..limit {
            watch_characters(vm, step, &out)?;
            let piece = self.character()?;
            let ends = match self.options.newlines.end {
                LineEnd::Feed => piece == b"\n",
                LineEnd::Return => piece == b"\r",
                LineEnd::Both => out.last() == Some(&b'\r') && piece == b"\n",
                LineEnd::Any => matches!(piece.as_slice(), b"\n" | b"\r" | b"\r\n"),
            };
            out.extend_from_slice(&piece);
            if ends || piece.is_empty() {
                break;
            }
        }
        self.decode(vm, out)
    }

    /// The bytes of the next character; `\r\n` is one where it is translated. Empty at the end.
    fn character(&self) -> Fallible<Vec<u8>> {
        let (is_single, translate) = (self.options.encoding == Encoding::Single, self.options.newlines.translate);
        self.with(|stream| {
            let ahead = stream.peek(4)?;
            let Some(first) = ahead.first() else { return Ok(Vec::new()) };
            let len = if translate && ahead.starts_with(b"\r\n") {
                2
            } else if is_single || *first < 0xC0 {
                1
            } else {
                // A sequence that is cut short or malformed ends where its continuation bytes do.
                let wanted = if *first >= 0xF0 { 4 } else { 2 + usize::from(*first >= 0xE0) };
                1 + ahead[1..].iter().take(wanted - 1).take_while(|byte| **byte & 0xC0 == 0x80).count()
            };
            let piece = ahead[..len].to_vec();
            stream.consume(len);
            Ok(piece)
        })
    }
}

impl NativeData for Text {
    fn class(&self) -> ClassRef {
        text_class()
    }
    fn visit_children(&self, visit: &mut dyn FnMut(Edge<'_>, &Value)) {
        visit(Edge::Other("name"), &self.options.name);
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        self.ready_to_read()?;
        let line = self.read_line(vm, None)?;
        Ok(if line.is_empty() { None } else { Some(line.into()) })
    }
}

/// Polls and asks the budget now and then while characters are read one by one.
fn watch_characters(vm: &mut Vm, step: usize, out: &Vec<u8>) -> Fallible<()> {
    if step % 4096 == 4095 {
        vm.poll()?;
        // At most four bytes a character come before the next look.
        if out.capacity() - out.len() < 4 * 4096 {
            vm.reserve(out.len())?;
        }
    }
    Ok(())
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Text>> {
    Typed::receiver(vm, args, "_io.TextIOWrapper")
}

fn open_or_raise(vm: &Vm, args: Args) -> Fallible<Typed<Text>> {
    let text = receiver(vm, args)?;
    text.with(|_| Ok(()))?;
    Ok(text)
}

const METHODS: &[Method] = &[
    method("read", "(self, size=-1, /)", "Read at most size characters from stream.", read),
    method("readline", "(self, size=-1, /)", "Read until newline or EOF.", |vm, args| {
        let limit = size_argument(vm, args, 1)?;
        let text = receiver(vm, args)?;
        text.ready_to_read()?;
        text.read_line(vm, limit).map(Value::from)
    }),
    method("readlines", "(self, hint=-1, /)", "Return a list of lines from the stream.", |vm, args| {
        let hint = size_argument(vm, args, 1)?.filter(|hint| *hint > 0).unwrap_or(usize::MAX);
        let text = receiver(vm, args)?;
        text.ready_to_read()?;
        let (mut lines, mut total) = (Vec::new(), 0);
        while total < hint {
            let line = text.read_line(vm, None)?;
            if line.is_empty() {
                break;
            }
            vm.poll()?;
            crate::lang::builtins::iterators::reserve_growth(vm, &lines)?;
            total += line.chars().count();
            lines.push(line.into());
        }
        Ok(Value::list(lines))
    }),
    method("write", "(self, text, /)", "Write string s to stream and return the number of characters.", write),
    method("writelines", "(self, lines, /)", "Write a list of lines to stream.", write_lines),
    method("seek", "(self, cookie, whence=0, /)", "Set the stream position, and return the new stream position.", seek),
    method("tell", "(self, /)", "Return the stream position as an opaque number.", |vm, args| {
        let place = receiver(vm, args)?.with(ByteStream::tell)?;
        Ok(Value::int(place))
    }),
    method("truncate", "(self, pos=None, /)", "Truncate file to size bytes.", |vm, args| {
        let text = open_or_raise(vm, args)?;
        let size = match args.not_none(vm, 1) {
            Some(size) => vm.index(&size)?,
            None => text.with(ByteStream::tell)? as i64,
        };
        let Ok(len) = u64::try_from(size) else { return Err(value_error(format!("negative size value {size}"))) };
        text.with(|stream| stream.truncate(len))?;
        Ok(Value::Int(size))
    }),
    method("flush", "(self, /)", "Flush write buffers.", |vm, args| {
        receiver(vm, args)?.with(ByteStream::flush)?;
        Ok(Value::None)
    }),
    method("close", "(self, /)", "Flush and close the IO object.", close),
    method("readable", "(self, /)", "Return whether object was opened for reading.", |vm, args| {
        Ok(open_or_raise(vm, args)?.options.can_read.into())
    }),
    method("writable", "(self, /)", "Return whether object was opened for writing.", |vm, args| {
        Ok(open_or_raise(vm, args)?.options.can_write.into())
    }),
    method("seekable", "(self, /)", "Return whether object supports random access.", |vm, args| {
        open_or_raise(vm, args)?;
        Ok(true.into())
    }),
    method("isatty", "(self, /)", "Return whether this is an 'interactive' stream.", |vm, args| {
        open_or_raise(vm, args)?;
        Ok(false.into())
    }),
    method("fileno", "(self, /)", "Return underlying file descriptor if one exists.", |vm, args| {
        let number = receiver(vm, args)?.with(|stream| Ok(stream.as_file().map(AsRawFd::as_raw_fd)))?;
        number.map(|number| Value::Int(number.into())).ok_or_else(|| unsupported("fileno"))
    }),
    method("__enter__", "(self, /)", "Enter the stream's context.", |vm, args| {
        open_or_raise(vm, args)?;
        enter(vm, args)
    }),
    method("__exit__", "(self, kind=None, value=None, traceback=None, /)", "Close the stream.", close),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let text = receiver(vm, args)?;
        let name = vm.repr(&text.options.name)?;
        let (mode, encoding) = (&text.options.mode, &text.options.encoding_name);
        Ok(format!("<_io.TextIOWrapper name={name} mode='{mode}' encoding='{encoding}'>").into())
    }),
    getter("closed", "Whether the stream is closed.", |vm, args| {
        Ok(receiver(vm, args)?.stream.borrow().is_none().into())
    }),
    getter("name", "The file's name as it was given.", |vm, args| Ok(receiver(vm, args)?.options.name.clone())),
    getter("mode", "The mode it was opened with.", |vm, args| Ok(receiver(vm, args)?.options.mode.clone().into())),
    getter("encoding", "The encoding's name.", |vm, args| Ok(receiver(vm, args)?.options.encoding_name.clone().into())),
    getter("errors", "How errors of the encoding are handled.", |vm, args| {
        Ok(receiver(vm, args)?.options.errors.clone().into())
    }),
    getter("line_buffering", "Whether lines are flushed.", |_, _| Ok(false.into())),
];

fn read(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let size = size_argument(vm, args, 1)?;
    let text = receiver(vm, args)?;
    text.ready_to_read()?;
    let left = text.with(|stream| Ok(stream.bytes_left()))?;
    let Some(size) = size else {
        vm.reserve(left.saturating_mul(2))?;
        let data = text.read_with(|stream| stream.read_all(&mut watch(vm)))?;
        return text.decode(vm, data).map(Value::from);
    };
    vm.reserve(size.min(left))?;
    let mut out = Vec::new();
    for step in 0..size {
        watch_characters(vm, step, &out)?;
        let piece = text.character()?;
        if piece.is_empty() {
            break;
        }
        out.extend_from_slice(&piece);
    }
    text.decode(vm, out).map(Value::from)
}

fn write(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 1);
    let Some(written) = text_of(&value) else {
        return Err(type_error(format!("write() argument must be str, not {}", value.type_name())));
    };
    let text = open_or_raise(vm, args)?;
    if !text.options.can_write {
        return Err(unsupported("not writable"));
    }
    let mut data = text.encode(vm, &written)?;
    if text.options.encoding == Encoding::Utf8Mark && text.at_start.replace(false) && text.with(ByteStream::tell)? == 0
    {
        data.splice(..0, *b"\xef\xbb\xbf");
    }
    text.with(|stream| stream.write(&data))?;
    Ok(written.chars().count().into())
}

fn seek(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let offset = args.get(vm, 1);
    let offset = vm.index(&offset)?;
    let text = open_or_raise(vm, args)?;
    let target = match args.index_or(vm, 2, 0)? {
        0 => {
            SeekFrom::Start(u64::try_from(offset).map_err(|_| value_error(format!("negative seek position {offset}")))?)
        }
        1 if offset != 0 => return Err(unsupported("can't do nonzero cur-relative seeks")),
        2 if offset != 0 => return Err(unsupported("can't do nonzero end-relative seeks")),
        1 => SeekFrom::Current(0),
        2 => SeekFrom::End(0),
        whence => return Err(value_error(format!("invalid whence ({whence}, should be 0, 1 or 2)"))),
    };
    text.at_start.set(true);
    let place = text.with(|stream| stream.seek(target))?;
    Ok(Value::int(place))
}

fn close(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let closing = receiver(vm, args)?.stream.borrow_mut().take();
    if let Some(mut stream) = closing {
        stream.flush().map_err(|error| os_error(&error, None))?;
    }
    Ok(Value::None)
}
