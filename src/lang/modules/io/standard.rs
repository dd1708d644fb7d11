//! `sys.stdin`, `sys.stdout` and `sys.stderr`: text streams whose other end is the host.

use super::{enter, text_base, unsupported, write_lines};
use crate::lang::builtins::classes::define_class;
use crate::lang::host::Stream;
use crate::lang::modules::support::{Typed, attach_iterator, text_of, thread_class};
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ClassRef, NativeData, PayloadKind};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A standard stream.
#[derive(Debug)]
pub struct StandardStream {
    /// Which output it is; nothing for the input.
    pub output: Option<Stream>,
}

thread_class! {
    fn standard_class() = {
        let class = define_class("TextIOWrapper", "_io", &text_base(), PayloadKind::Sealed, METHODS);
        attach_iterator(&class);
        class
    };
}

/// A standard stream as a value.
pub fn standard_stream(output: Option<Stream>) -> Value {
    Value::object(StandardStream { output })
}

impl NativeData for StandardStream {
    fn class(&self) -> ClassRef {
        standard_class()
    }
    fn is_iterator(&self) -> bool {
        true
    }
    fn next(&self, vm: &mut Vm) -> Fallible<Option<Value>> {
        let line = self.read_line(vm)?;
        Ok(if line.is_empty() { None } else { Some(line.into()) })
    }
}

impl StandardStream {
    fn name(&self) -> &'static str {
        match self.output {
            None => "<stdin>",
            Some(Stream::Stdout) => "<stdout>",
            Some(Stream::Stderr) => "<stderr>",
        }
    }

    fn read_line(&self, vm: &mut Vm) -> Fallible<String> {
        if self.output.is_some() {
            return Err(unsupported("not readable"));
        }
        let host = vm.host.clone();
        Ok(host.read_line("", false)?.map(|line| format!("{}\n", line.trim_end_matches('\n'))).unwrap_or_default())
    }
}

fn receiver(vm: &Vm, args: Args) -> Fallible<Typed<StandardStream>> {
    Typed::receiver(vm, args, "_io.TextIOWrapper")
}

const METHODS: &[Method] = &[
    method("write", "(self, text, /)", "Write string s to stream and return the number of characters.", write),
    method("writelines", "(self, lines, /)", "Write a list of lines to stream.", write_lines),
    method("flush", "(self, /)", "Nothing is kept back.", |_, _| Ok(Value::None)),
    method("close", "(self, /)", "The host keeps its streams open.", |_, _| Ok(Value::None)),
    method("read", "(self, size=-1, /)", "Read everything up to the end of the input.", |vm, args| {
        let stream = receiver(vm, args)?;
        let mut all = String::new();
        loop {
            let line = stream.read_line(vm)?;
            if line.is_empty() {
                return Ok(all.into());
            }
            vm.reserve(line.len())?;
            all.push_str(&line);
        }
    }),
    method("readline", "(self, size=-1, /)", "Read a line.", |vm, args| {
        receiver(vm, args)?.read_line(vm).map(Value::from)
    }),
    method("readlines", "(self, hint=-1, /)", "Read all lines.", |vm, args| {
        let stream = receiver(vm, args)?;
        let mut lines = Vec::new();
        loop {
            let line = stream.read_line(vm)?;
            if line.is_empty() {
                return Ok(Value::list(lines));
            }
            lines.push(line.into());
        }
    }),
    method("isatty", "(self, /)", "Return whether this is an 'interactive' stream.", |_, _| Ok(false.into())),
    method("readable", "(self, /)", "Whether it is the input.", |vm, args| {
        Ok(receiver(vm, args)?.output.is_none().into())
    }),
    method("writable", "(self, /)", "Whether it is an output.", |vm, args| {
        Ok(receiver(vm, args)?.output.is_some().into())
    }),
    method("seekable", "(self, /)", "It has no positions.", |_, _| Ok(false.into())),
    method("fileno", "(self, /)", "Its descriptor belongs to the host.", |_, _| Err(unsupported("fileno"))),
    method("__enter__", "(self, /)", "Enter the stream's context.", enter),
    method(
        "__exit__",
        "(self, kind=None, value=None, traceback=None, /)",
        "The host keeps its streams open.",
        |_, _| Ok(Value::None),
    ),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let stream = receiver(vm, args)?;
        let mode = if stream.output.is_some() { 'w' } else { 'r' };
        Ok(format!("<_io.TextIOWrapper name='{}' mode='{mode}' encoding='utf-8'>", stream.name()).into())
    }),
    getter("name", "The stream's name.", |vm, args| Ok(receiver(vm, args)?.name().into())),
    getter("mode", "How it was opened.", |vm, args| {
        Ok(if receiver(vm, args)?.output.is_some() { "w" } else { "r" }.into())
    }),
    getter("encoding", "The encoding's name.", |_, _| Ok("utf-8".into())),
    getter("errors", "How errors of the encoding are handled.", |_, _| Ok("strict".into())),
    getter("closed", "Never: the host keeps its streams open.", |_, _| Ok(false.into())),
    getter("line_buffering", "Whether lines are flushed.", |_, _| Ok(false.into())),
    getter("newlines", "None: line ends are not recorded.", |_, _| Ok(Value::None)),
];

fn write(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 1);
    let Some(text) = text_of(&value) else {
        return Err(type_error(format!("write() argument must be str, not {}", value.type_name())));
    };
    let Some(output) = receiver(vm, args)?.output else {
        return Err(unsupported("not writable"));
    };
    vm.host.clone().write(output, &text);
    Ok(text.chars().count().into())
}
