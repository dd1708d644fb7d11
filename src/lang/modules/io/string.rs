//! `StringIO`: text in memory, with positions in characters.

use std::cell::RefCell;

use super::{enter, size_argument, text_base, unsupported, write_lines};
use crate::lang::builtins::classes::define_class;
use crate::lang::modules::support::{Typed, attach_iterator, instantiate, text_of, thread_class};
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, os_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

#[derive(Debug, Default)]
struct Buffer {
    chars: Vec<char>,
    at: usize,
    /// Whether `\r\n` and `\r` become `\n` when written.
    translate: bool,
}

#[derive(Debug)]
struct Text {
    /// Nothing once closed.
    buffer: RefCell<Option<Buffer>>,
}

thread_class! {
    /// `io.StringIO`
    pub(super) fn string_class() = {
        let class = define_class("StringIO", "_io", &text_base(), PayloadKind::Value, METHODS);
        attach_iterator(&class);
        class
    };
}

impl Buffer {
    fn write(&mut self, text: &str) {
        let translated = if self.translate { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() };
        if self.at > self.chars.len() {
            self.chars.resize(self.at, '\0');
        }
        for c in translated.chars() {
            match self.chars.get_mut(self.at) {
                Some(place) => *place = c,
                None => self.chars.push(c),
            }
            self.at += 1;
        }
    }

    fn take(&mut self, count: usize) -> String {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let taken = &rest[..rest.len().min(count)];
        self.at += taken.len();
        taken.iter().collect()
    }

    fn line(&mut self, limit: usize) -> String {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|c| *c == '\n').map_or(rest.len(), |at| at + 1);
        self.take(len.min(limit))
    }
}

impl Text {
    fn with<T>(&self, use_it: impl FnOnce(&mut Buffer) -> T) -> Fallible<T> {
        match &mut *self.buffer.borrow_mut() {
            Some(buffer) => Ok(use_it(buffer)),
            None => Err(value_error("I/O operation on closed file")),
        }
    }
}

impl NativeData for Text {
    fn class(&self) -> ClassRef {
        string_class()
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, _vm: &mut Vm) -> Fallible<Option<Value>> {
        let line = self.with(|buffer| buffer.line(usize::MAX))?;
        Ok(if line.is_empty() { None } else { Some(line.into()) })
    }
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<Text>> {
    Typed::receiver(vm, args, "_io.StringIO")
}

fn yes(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver(vm, args)?.with(|_| true.into())
}

const METHODS: &[Method] = &[
    static_method(
        "__new__",
        "(cls, initial_value='', newline='\\n')",
        "Text I/O implementation using an in-memory buffer.",
        new,
    ),
    method("getvalue", "(self, /)", "Retrieve the entire contents of the object.", |vm, args| {
        receiver(vm, args)?.with(|buffer| buffer.chars.iter().collect::<String>().into())
    }),
    method("read", "(self, size=-1, /)", "Read at most size characters, returned as a string.", |vm, args| {
        let size = size_argument(vm, args, 1)?.unwrap_or(usize::MAX);
        receiver(vm, args)?.with(|buffer| buffer.take(size).into())
    }),
    method("readline", "(self, size=-1, /)", "Read until newline or EOF.", |vm, args| {
        let size = size_argument(vm, args, 1)?.unwrap_or(usize::MAX);
        receiver(vm, args)?.with(|buffer| buffer.line(size).into())
    }),
    method("readlines", "(self, hint=-1, /)", "Return a list of lines from the stream.", |vm, args| {
        let hint = size_argument(vm, args, 1)?.filter(|hint| *hint > 0).unwrap_or(usize::MAX);
        receiver(vm, args)?.with(|buffer| {
            let (mut lines, mut total) = (Vec::new(), 0);
            while total < hint {
                let line = buffer.line(usize::MAX);
                if line.is_empty() {
                    break;
                }
                total += line.chars().count();
                lines.push(line.into());
            }
            Value::list(lines)
        })
    }),
    method("write", "(self, s, /)", "Write string to file and return the number of characters written.", |vm, args| {
        let value = args.get(vm, 1);
        let Some(text) = text_of(&value) else {
            return Err(type_error(format!("string argument expected, got '{}'", value.type_name())));
        };
        // Writing beyond the end fills what lies between.
        let gap = receiver(vm, args)?.with(|buffer| buffer.at.saturating_sub(buffer.chars.len()))?;
        vm.reserve(gap.saturating_add(text.len()).saturating_mul(size_of::<char>()))?;
        receiver(vm, args)?.with(|buffer| buffer.write(&text))?;
        Ok(text.chars().count().into())
    }),
    method("writelines", "(self, lines, /)", "Write a list of lines to stream.", write_lines),
    method("seek", "(self, pos, whence=0, /)", "Change stream position.", seek),
    method("tell", "(self, /)", "Tell the current file position.", |vm, args| {
        receiver(vm, args)?.with(|buffer| buffer.at.into())
    }),
    method("truncate", "(self, pos=None, /)", "Truncate size to pos.", |vm, args| {
        let size = match args.not_none(vm, 1) {
            Some(size) => vm.index(&size)?,
            None => receiver(vm, args)?.with(|buffer| buffer.at as i64)?,
        };
        let Ok(len) = usize::try_from(size) else { return Err(value_error(format!("Negative size value {size}"))) };
        receiver(vm, args)?.with(|buffer| buffer.chars.truncate(len))?;
        Ok(Value::Int(size))
    }),
    method("close", "(self, /)", "Close the IO object.", close),
    method("flush", "(self, /)", "Does nothing: there are no write buffers.", |vm, args| {
        receiver(vm, args)?.with(|_| Value::None)
    }),
    method("readable", "(self, /)", "Returns True if the IO object can be read.", yes),
    method("writable", "(self, /)", "Returns True if the IO object can be written.", yes),
    method("seekable", "(self, /)", "Returns True if the IO object can be seeked.", yes),
    method("isatty", "(self, /)", "Return whether this is an 'interactive' stream.", |vm, args| {
        receiver(vm, args)?.with(|_| false.into())
    }),
    method("fileno", "(self, /)", "There is no file descriptor.", |_, _| Err(unsupported("fileno"))),
    method("__enter__", "(self, /)", "Enter the stream's context.", |vm, args| {
        receiver(vm, args)?.with(|_| ())?;
        enter(vm, args)
    }),
    method("__exit__", "(self, kind=None, value=None, traceback=None, /)", "Close the stream.", close),
    getter("closed", "Whether the stream is closed.", |vm, args| {
        Ok(receiver(vm, args)?.buffer.borrow().is_none().into())
    }),
    getter("line_buffering", "Whether lines are flushed.", |_, _| Ok(false.into())),
    getter("encoding", "None: there is none.", |_, _| Ok(Value::None)),
    getter("errors", "None: there is no encoding.", |_, _| Ok(Value::None)),
    getter("newlines", "None: line ends are not recorded.", |_, _| Ok(Value::None)),
];

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let translate = args.get(vm, 2).is_none();
    let mut buffer = Buffer { translate, ..Buffer::default() };
    if let Some(initial) = args.not_none(vm, 1) {
        let Some(text) = text_of(&initial) else {
            return Err(type_error(format!("initial_value must be str or None, not {}", initial.type_name())));
        };
        vm.reserve(text.len().saturating_mul(size_of::<char>()))?;
        buffer.write(&text);
        buffer.at = 0;
    }
    instantiate(&args.get(vm, 0), &string_class(), Value::object(Text { buffer: RefCell::new(Some(buffer)) }))
}

fn seek(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let place = args.get(vm, 1);
    let place = vm.index(&place)?;
    let whence = args.index_or(vm, 2, 0)?;
    let target = receiver(vm, args)?.with(|buffer| match whence {
        0 => usize::try_from(place).map_err(|_| value_error(format!("Negative seek position {place}"))),
        1 | 2 if place != 0 => Err(os_error("Can't do nonzero cur-relative seeks")),
        1 => Ok(buffer.at),
        2 => Ok(buffer.chars.len()),
        _ => Err(value_error(format!("Invalid whence ({whence}, should be 0, 1 or 2)"))),
    })??;
    receiver(vm, args)?.with(|buffer| buffer.at = target)?;
    Ok(target.into())
}

fn close(vm: &mut Vm, args: Args) -> Fallible<Value> {
    receiver(vm, args)?.buffer.borrow_mut().take();
    Ok(Value::None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_goes_over_and_beyond() {
        let mut buffer = Buffer { chars: "héllo".chars().collect(), ..Buffer::default() };
        buffer.at = 1;
        buffer.write("E");
        buffer.at = 7;
        buffer.write("!");
        assert_eq!(buffer.chars.iter().collect::<String>(), "hEllo\0\0!");
    }
}
