//! Compiled code: instructions, constants, names, and where each instruction stands in the source.
#![expect(missing_docs, reason = "fields of variants are named after what Python calls them")]

use std::cell::Cell;
use std::rc::Rc;

use super::host::MagicCall;
use super::name::Name;
use super::operators::{BinaryOperator, CompareOperator, UnaryOperator};
use super::value::Value;

/// A stretch of a source text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// Bits of a packed span that hold its length.
const PACKED_LENGTH_BITS: u32 = 10;

impl Span {
    /// The span in 32 bits, for the ledger's origins: long expressions lose their end, texts beyond 4 MiB their place.
    pub fn packed(self) -> u32 {
        let length = self.end.saturating_sub(self.start).min((1 << PACKED_LENGTH_BITS) - 1);
        if self.start >= 1 << (32 - PACKED_LENGTH_BITS) {
            return u32::MAX;
        }
        self.start << PACKED_LENGTH_BITS | length
    }

    /// The span that was packed; nothing for one that did not fit.
    pub fn unpacked(packed: u32) -> Option<Self> {
        let start = packed >> PACKED_LENGTH_BITS;
        (packed != u32::MAX).then(|| Self { start, end: start + (packed & ((1 << PACKED_LENGTH_BITS) - 1)) })
    }
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
    /// Whether it is Python text of the engine itself, to which no allocation is attributed.
    pub is_builtin: bool,
}

impl Source {
    /// Wraps a text.
    pub fn new(id: u32, name: impl Into<Rc<str>>, text: impl Into<Rc<str>>, cell: Option<u32>) -> Self {
        let text: Rc<str> = text.into();
        let mut line_starts = vec![0];
        line_starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1));
        let name: Rc<str> = name.into();
        let is_builtin = cell.is_none() && name.starts_with("<built-in module");
        Self { id, name, text, line_starts: line_starts.into(), cell, is_builtin }
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

/// A register of a frame's window.
pub type Register = u16;

/// One instruction, 8 bytes: opcode, a small operand beside it, three 16-bit operands or one of 32 bits. The first register is
/// the destination where there is one. A register above the code's locals is a temporary: reading it as an operand moves
/// the value out (heap values at least), so that nothing lives longer than the expression needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `dst = constants[index]`
    LoadConstant(Register, u32),
    /// `dst = int`
    LoadInt(Register, i32),
    /// `dst = copy of src`; raises when `src` is an unbound local.
    Copy(Register, Register),
    /// `dst = src`, which is left unset.
    Move(Register, Register),
    /// Raises when the local is unbound.
    CheckBound(Register),
    /// Unsets a register.
    Clear(Register),
    /// `del local`
    DeleteLocal(Register),
    /// `dst = globals[slot]`, else the built-in of that name.
    LoadGlobal(Register, u32),
    /// `globals[slot] = src`
    StoreGlobal(Register, u32),
    /// `del` of a global.
    DeleteGlobal(u32),
    /// A name of a class body: its namespace, globals, built-ins.
    LoadName(Register, u16),
    /// A name of a class body that an enclosing function binds.
    LoadNameOrFree(Register, u16, u16),
    /// Binds a name of a class body.
    StoreName(Register, u16),
    /// `del` of a name of a class body.
    DeleteName(u16),
    /// Puts a parameter into a box of its own, for closures to share.
    MakeCell(Register),
    /// `dst = box in register`
    LoadCell(Register, Register),
    /// `box in register = src`: `(box, src)`
    StoreCell(Register, Register),
    /// `del` of a boxed local.
    DeleteCell(Register),
    /// `dst = closure[index]`
    LoadFree(Register, u16),
    /// `closure[index] = src`: `(src, index)`
    StoreFree(Register, u16),
    /// `del` of a captured variable.
    DeleteFree(u16),
    /// `dst = object.name`: `(dst, object, site)`
    GetAttribute(Register, Register, u16),
    /// `object.name = src`: `(object, site, src)`
    SetAttribute(Register, u16, Register),
    /// `del object.name`
    DeleteAttribute(Register, u16),
    /// `window[0], window[1] = method, receiver` or `attribute, unset`: `(window, object, site)`
    LoadMethod(Register, Register, u16),
    /// `dst = object[key]`
    GetItem(Register, Register, Register),
    /// `object[key] = src`
    SetItem(Register, Register, Register),
    /// `del object[key]`
    DeleteItem(Register, Register),
    /// `dst = slice(first, first + 1, first + 2)`
    BuildSlice(Register, Register),
    /// `dst = tuple of count registers`
    BuildTuple(Register, Register, u16),
    /// `dst = list of count registers`
    BuildList(Register, Register, u16),
    /// `dst = {}` with nothing in it; with a count of 1 the set in `dst` is a display of constants and complete.
    BuildSet(Register, Register, u16),
    /// `dst = dict of count pairs of registers`
    BuildDict(Register, Register, u16),
    /// `dst = the texts of count registers joined`
    BuildString(Register, Register, u16),
    /// `list.append(src)`: `(list, src)`
    ListAppend(Register, Register),
    /// `list.extend(src)`
    ListExtend(Register, Register),
    /// `set.add(src)`
    SetAdd(Register, Register),
    /// `set.update(src)`
    SetUpdate(Register, Register),
    /// `dict[key] = value`: `(dict, key, value)`
    DictInsert(Register, Register, Register),
    /// `dict.update(src)`
    DictUpdate(Register, Register),
    /// `dict.update(src)` for `**src` of a call, whose callee is in the third register and names the error.
    DictMerge(Register, Register, Register),
    /// `dst = tuple(list)`
    ListToTuple(Register, Register),
    /// `dst = format(src, spec)`: the conversion beside the opcode (0 or a letter), the spec in the third register.
    Format(u8, Register, Register, Register),
    /// Like [`Instruction::Format`] without a spec.
    FormatPlain(u8, Register, Register),
    /// `first.. = exactly count items of src`
    Unpack(Register, Register, u16),
    /// `first.. = items of src with a list in the middle`: count before beside the opcode, count after last.
    UnpackStarred(u8, Register, Register, u16),
    /// `dst = a op b`
    Binary(BinaryOperator, Register, Register, Register),
    /// `dst = a op= b`
    BinaryInPlace(BinaryOperator, Register, Register, Register),
    /// `dst = a + b`
    Add(Register, Register, Register),
    /// `dst = a - b`
    Subtract(Register, Register, Register),
    /// `dst = a * b`
    Multiply(Register, Register, Register),
    /// `dst = a op small int`; in place when the operator beside says so.
    BinaryImmediate(BinaryOperator, Register, Register, i16),
    /// `dst = a op= small int`
    BinaryInPlaceImmediate(BinaryOperator, Register, Register, i16),
    /// `dst = op a`
    Unary(UnaryOperator, Register, Register),
    /// `dst = not a`
    Not(Register, Register),
    /// `dst = a op b`
    Compare(CompareOperator, Register, Register, Register),
    /// `dst = a is b`, negated when the flag is set.
    Is(bool, Register, Register, Register),
    /// `dst = a in b`, negated when the flag is set.
    Contains(bool, Register, Register, Register),
    /// Goes on two further when `a op b` holds, else to the jump that follows.
    BranchCompare(CompareOperator, Register, Register),
    /// Like [`Instruction::BranchCompare`] with a small int.
    BranchCompareImmediate(CompareOperator, Register, i16),
    /// Continues elsewhere.
    Jump(u32),
    /// Continues at the head of a loop; polls.
    JumpBack(u32),
    /// Jumps when the register is false.
    JumpIfFalse(Register, u32),
    /// Jumps when the register is true.
    JumpIfTrue(Register, u32),
    /// Jumps keeping the register when it is false, else unsets it.
    JumpIfFalseOrDrop(Register, u32),
    /// Jumps keeping the register when it is true, else unsets it.
    JumpIfTrueOrDrop(Register, u32),
    /// `dst = iter(src)`
    GetIterator(Register, Register),
    /// `dst = next(iterator)` and goes on two further; at the end the iterator is dropped and the jump that follows is taken.
    ForNext(Register, Register),
    /// Calls: `(dst, window, count)`; `window` holds the callee, a place for the receiver, the arguments. Without the flag there
    /// is no receiver and its place is emptied first.
    Call(bool, Register, Register, u16),
    /// Calls with keyword arguments last, whose names stand in the data word that follows.
    CallKeywords(bool, Register, Register, u16),
    /// Calls with a list and a dict of arguments: `(dst, window)`.
    CallUnpacked(Register, Register),
    /// An operand of the instruction before.
    Data(u32),
    /// `dst = function of codes[index]` with defaults, keyword defaults and annotations in `first..first + 3`.
    MakeFunction(Register, Register, u16),
    /// Defines a class: `(dst, window)`; the window holds the body, a tuple of bases, a dict of keywords; the name is the body's.
    BuildClass(Register, Register),
    /// Leaves the frame with a value.
    Return(Register),
    /// Leaves the frame with `None`.
    ReturnNone,
    /// Suspends the generator with a value: `(dst, src)`; `dst` gets what is sent.
    Yield(Register, Register),
    /// Delegates to the iterator in the register: `(dst, iterator, scratch)`; `scratch` holds what is sent.
    YieldFrom(Register, Register, Register),
    /// `raise src`
    Raise(Register),
    /// `raise src from cause`
    RaiseFrom(Register, Register),
    /// `raise` alone.
    RaiseAgain,
    /// Raises the exception that the handler's register holds, as it came: the end of `finally` and of unmatched handlers.
    Reraise(Register),
    /// Ends the handling of the innermost exception.
    PopHandled,
    /// `dst = exception matches class`: `(dst, exception, class)`
    MatchException(Register, Register, Register),
    /// A step of `except*`, with three registers as the step says.
    Group(GroupStep, Register, Register, Register),
    /// `raise AssertionError`, with the message in the register.
    RaiseAssertion(Register),
    /// `raise AssertionError` alone.
    RaiseAssertionPlain,
    /// `window[0] = exit method, window[1] = receiver`, `dst = enter()`: `(dst, window, manager)`
    WithEnter(Register, Register, Register),
    /// `dst = exit(type, exception, traceback)`: `(dst, window, exception)`
    WithExit(Register, Register, Register),
    /// `dst = import names[index]`: the top package, or the module itself when the flag is set.
    Import(bool, Register, u16),
    /// `dst = from module import names[index]`: `(dst, module, name)`
    ImportFrom(Register, Register, u16),
    /// `from module import *`
    ImportStar(Register),
    /// `__annotations__[name] = src`: `(src, name)`
    StoreAnnotation(Register, u16),
    /// `dst = whether src is a sequence (false) or mapping (true) for patterns`
    MatchKind(bool, Register, Register),
    /// `dst = len(src) compared with count`: exactly, or at least when the flag is set.
    MatchLength(bool, Register, Register, u16),
    /// `dst = tuple of the values of keys, or None`: `(dst, subject, keys)`
    MatchKeys(Register, Register, Register),
    /// `dst = tuple of attributes, or None`: `(dst, window, positional count)`; window: subject, class, tuple of names.
    MatchClass(Register, Register, u16),
    /// `dst = dict of src without keys`: `(dst, subject, keys)`
    MatchRest(Register, Register, Register),
    /// Runs a magic: `(dst, magics index)`
    RunMagic(Register, u16),
    /// Shows the value of an interactive cell's last expression.
    ShowResult(Register),
    /// Ends an expression statement: computes what is pending and drops the value.
    Discard(Register),
}

/// The steps of a `try` with `except*`. Three registers stand side by side: what is left of the exception, the part that a
/// handler takes, and the list of what handlers raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupStep {
    /// Parts what is left by a class: `(dst whether there is a part, rest, class)`.
    Split,
    /// Begins the handling of the part, in the first register.
    Handle,
    /// Puts what remains to be raised into the register that held the exception: `(dst whether there is any, rest, exception)`.
    Collect,
}

const _: () = assert!(size_of::<Instruction>() == 8);

/// Where an inline cache of an attribute finds it again.
#[derive(Clone, Copy, Debug, Default)]
pub enum AttributeCache {
    /// Nothing known yet.
    #[default]
    Empty,
    /// In the instance, at a position, for objects of one class version.
    Instance { version: u32, position: u32 },
    /// A value of the class, for objects of one class version: which class of the order has it, at which position. The
    /// value itself is not kept, so that a cache never holds anything alive.
    Class { version: u32, owner: u16, position: u16 },
}

/// The place of an attribute access, with its cache.
#[derive(Debug)]
pub struct Site {
    /// The attribute.
    pub name: Name,
    /// Where it was found last time.
    pub cache: Cell<AttributeCache>,
}

/// A variable that a new function captures from the frame that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// A boxed local.
    Local(Register),
    /// A variable the frame captured itself.
    Free(u16),
}

/// A stretch of instructions whose exceptions go to a handler.
#[derive(Clone, Copy, Debug)]
pub struct HandlerRange {
    /// First instruction.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Where the handler begins.
    pub target: u32,
    /// The register that gets the exception; it and those above are emptied first.
    pub register: Register,
    /// How many exceptions are being handled outside.
    pub handled: u16,
}

/// What kind of code it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// A cell, file or expression.
    Module,
    /// The body of a class.
    Class,
    /// A function whose call runs it.
    Function,
    /// A function whose call makes a generator.
    Generator,
}

/// Compiled code of a cell, module, class body or function.
#[derive(Debug)]
pub struct Code {
    /// As tracebacks name it: `<module>`, `f`, `<lambda>`, `<listcomp>`.
    pub name: Name,
    /// `Outer.method`, `f.<locals>.g`
    pub qualname: Rc<str>,
    /// What kind of code it is.
    pub kind: CodeKind,
    /// Where it was compiled from.
    pub source: Rc<Source>,
    /// The line of its `def` or `class`.
    pub first_line: u32,
    /// Positional parameters, those without defaults first.
    pub positional_count: usize,
    /// How many of them are positional-only.
    pub positional_only_count: usize,
    /// Keyword-only parameters, which follow the positional ones.
    pub keyword_only_count: usize,
    /// Whether `*args` follows those.
    pub has_var_positional: bool,
    /// Whether `**kwargs` comes last.
    pub has_var_keyword: bool,
    /// How many arguments a call gives that needs no binding: all parameters are positional, and calling runs the code. Nothing
    /// for other codes.
    pub plain_arity: Option<usize>,
    /// Names of parameters and locals, parameters first.
    pub locals: Box<[Name]>,
    /// How many registers a frame has, temporaries included.
    pub register_count: usize,
    /// Names captured from enclosing functions, in the order of the closure's boxes.
    pub captured: Box<[Name]>,
    /// Where those come from when a function of this code is made.
    pub captures: Box<[Capture]>,
    /// Constants.
    pub constants: Box<[Value]>,
    /// What runs.
    pub instructions: Box<[Instruction]>,
    /// Where each instruction stands in the source.
    pub spans: Box<[Span]>,
    /// Names of class bodies, imports and keyword arguments.
    pub names: Box<[Name]>,
    /// Names of the keyword arguments of calls.
    pub keyword_names: Box<[Box<[Name]>]>,
    /// Attribute accesses.
    pub sites: Box<[Site]>,
    /// Code of functions and classes inside.
    pub codes: Box<[Rc<Code>]>,
    /// Exception handlers, innermost first.
    pub handlers: Box<[HandlerRange]>,
    /// Magics.
    pub magics: Box<[MagicCall]>,
    /// `__doc__`
    pub doc: Option<Rc<str>>,
}

impl Code {
    /// How many parameters there are, `*args` and `**kwargs` included.
    pub fn parameter_count(&self) -> usize {
        self.positional_count
            + self.keyword_only_count
            + usize::from(self.has_var_positional)
            + usize::from(self.has_var_keyword)
    }

    /// The name of parameter `index`.
    pub fn parameter_name(&self, index: usize) -> Name {
        self.locals[index]
    }

    /// The name of captured variable `index`.
    pub fn captured_name(&self, index: usize) -> Name {
        self.captured[index]
    }
}
