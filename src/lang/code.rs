//! Compiled code: instructions, constants, names, and where each instruction stands in the source.

use std::rc::Rc;

use super::name::Name;
use super::value::Value;

/// A stretch of a source text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A text that code was compiled from: a cell, a file, a magic's argument.
#[derive(Debug)]
pub struct Source {
    /// Identity for origins in the ledger; unique on this thread.
    pub id: u32,
    /// As tracebacks name it: `Cell 3`, `/path/file.py`, `<string>`.
    pub name: Rc<str>,
    /// The text.
    pub text: Rc<str>,
    /// Byte offset of each line's start.
    pub line_starts: Box<[u32]>,
    /// The cell number, for cells.
    pub cell: Option<u32>,
}

impl Source {
    /// Wraps a text.
    pub fn new(id: u32, name: impl Into<Rc<str>>, text: impl Into<Rc<str>>, cell: Option<u32>) -> Self {
        let text: Rc<str> = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1));
        Self { id, name: name.into(), text, line_starts: line_starts.into(), cell }
    }

    /// The line, from 1, that a byte stands in.
    pub fn line(&self, byte: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= byte)
    }

    /// The text of a line, from 1, without its end.
    pub fn line_text(&self, line: usize) -> &str {
        let start = self.line_starts.get(line - 1).map_or(self.text.len(), |start| *start as usize);
        let end = self.line_starts.get(line).map_or(self.text.len(), |start| *start as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }
}

/// Compiled code of a cell, module, class body or function.
#[derive(Debug)]
pub struct Code {
    /// As tracebacks name it: `<module>`, `f`, `<lambda>`, `<listcomp>`.
    pub name: Name,
    /// Where it was compiled from.
    pub source: Rc<Source>,
    /// Positional parameters, those without defaults first.
    pub positional_count: usize,
    /// Names of parameters and locals, parameters first.
    pub locals: Box<[Name]>,
    /// Names captured from enclosing functions, in the order of the closure's boxes.
    pub captured: Box<[Name]>,
    /// Constants.
    pub constants: Box<[Value]>,
}

impl Code {
    /// The name of parameter `index`.
    pub fn parameter_name(&self, index: usize) -> Name {
        self.locals[index]
    }

    /// The name of captured variable `index`.
    pub fn captured_name(&self, index: usize) -> Name {
        self.captured[index]
    }
}
