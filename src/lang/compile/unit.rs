//! The code object under construction: instructions, tables without duplicates, temporaries, open blocks.

use std::cell::Cell;
use std::rc::Rc;

use hashbrown::HashMap;

use super::Compiling;
use super::scopes::ScopeId;
use crate::lang::code::{
    AttributeCache, Capture, Code, CodeKind, HandlerRange, Instruction, Register, Site, Source, Span,
};
use crate::lang::host::MagicCall;
use crate::lang::name::Name;
use crate::lang::parse::SyntaxProblem;
use crate::lang::tree::Body;
use crate::lang::value::Value;

/// A statement that must be unwound when control leaves it early.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// Which one.
    pub kind: BlockKind<'a>,
    /// Its protected stretches so far, for kinds that protect.
    pub ranges: Vec<(u32, u32)>,
    /// Where the open stretch began.
    pub start: u32,
}

/// The kinds of blocks.
#[derive(Debug)]
pub(super) enum BlockKind<'a> {
    /// A loop: jumps out of it and to its next pass.
    Loop { breaks: Vec<usize>, continues: Vec<usize> },
    /// The body of a `try` with handlers.
    Try,
    /// What a `finally` protects.
    Finally(&'a Body),
    /// The body of a `with`; the first register of its window.
    With(Register),
    /// An `except` body: the register of the exception, the name it is bound to.
    Handler(Register, Option<Name>),
    /// An `except*` body: the register of its part of the group, the name it is bound to.
    GroupHandler(Register, Option<Name>),
    /// The exceptional copy of a `finally` body: the register of the exception.
    FinallyHandler(Register),
}

/// A code object under construction.
pub(super) struct Unit<'a> {
    pub kind: CodeKind,
    pub name: Name,
    pub qualname: Rc<str>,
    pub scope: ScopeId,
    pub first_line: u32,
    pub locals: Vec<Name>,
    pub free: Vec<Name>,
    pub blocks: Vec<Block<'a>>,
    pub span: Span,
    pub codes: Vec<Rc<Code>>,
    pub magics: Vec<MagicCall>,
    pub doc: Option<Rc<str>>,
    pub counts: ParameterCounts,
    registers: HashMap<Name, Register>,
    instructions: Vec<Instruction>,
    spans: Vec<Span>,
    constants: Vec<Value>,
    constant_index: HashMap<ConstantKey, u32>,
    names: Vec<Name>,
    keyword_names: Vec<Box<[Name]>>,
    sites: Vec<Site>,
    handlers: Vec<(usize, HandlerRange)>,
    next_temporary: usize,
    most_registers: usize,
}

/// How many parameters of each kind there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ParameterCounts {
    pub positional: usize,
    pub positional_only: usize,
    pub keyword_only: usize,
    pub has_var_positional: bool,
    pub has_var_keyword: bool,
}

#[derive(PartialEq, Eq, Hash)]
enum ConstantKey {
    None,
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(Box<str>),
}

impl<'a> Unit<'a> {
    pub fn new(
        kind: CodeKind,
        name: Name,
        qualname: Rc<str>,
        scope: ScopeId,
        first_line: u32,
        locals: Vec<Name>,
        free: Vec<Name>,
    ) -> Self {
        let registers = locals.iter().enumerate().map(|(index, name)| (*name, index as Register)).collect();
        Self {
            kind,
            name,
            qualname,
            scope,
            first_line,
            next_temporary: locals.len(),
            most_registers: locals.len(),
            locals,
            free,
            blocks: Vec::new(),
            span: Span::default(),
            codes: Vec::new(),
            magics: Vec::new(),
            doc: None,
            counts: ParameterCounts::default(),
            registers,
            instructions: Vec::new(),
            spans: Vec::new(),
            constants: Vec::new(),
            constant_index: HashMap::new(),
            names: Vec::new(),
            keyword_names: Vec::new(),
            sites: Vec::new(),
            handlers: Vec::new(),
        }
    }

    pub fn register_of(&self, name: Name) -> Option<Register> {
        self.registers.get(&name).copied()
    }

    pub fn free_index(&self, name: Name) -> u16 {
        self.free.iter().position(|free| *free == name).expect("a captured name is listed") as u16
    }

    pub fn is_temporary(&self, register: Register) -> bool {
        usize::from(register) >= self.locals.len()
    }

    fn too_large(&self, what: &str) -> Box<SyntaxProblem> {
        Box::new(SyntaxProblem::new(format!("this code is too large: more than 65,000 {what}"), self.span))
    }

    /// A fresh temporary above all others.
    pub fn temporary(&mut self) -> Compiling<Register> {
        let register = self.next_temporary;
        if register >= 65_000 {
            return Err(self.too_large("temporaries in one function"));
        }
        self.next_temporary += 1;
        self.most_registers = self.most_registers.max(self.next_temporary);
        Ok(register as Register)
    }

    /// `count` temporaries side by side; the first is returned.
    pub fn temporaries(&mut self, count: usize) -> Compiling<Register> {
        let first = self.next_temporary as Register;
        for _ in 0..count {
            self.temporary()?;
        }
        Ok(first)
    }

    /// Where temporaries begin that [`Unit::release`] gives back.
    pub fn mark(&self) -> usize {
        self.next_temporary
    }

    pub fn release(&mut self, mark: usize) {
        self.next_temporary = mark;
    }

    pub fn release_all(&mut self) {
        self.next_temporary = self.locals.len();
    }

    /// Begins to watch how many registers a stretch uses; returns the old maximum for [`Unit::high_water`].
    pub fn begin_high_water(&mut self) -> usize {
        std::mem::replace(&mut self.most_registers, self.next_temporary)
    }

    /// The most registers used since [`Unit::begin_high_water`].
    pub fn high_water(&mut self, before: usize) -> usize {
        let high = self.most_registers;
        self.most_registers = high.max(before);
        high
    }

    pub fn emit(&mut self, instruction: Instruction) -> usize {
        self.instructions.push(instruction);
        self.spans.push(self.span);
        self.instructions.len() - 1
    }

    pub fn here(&self) -> u32 {
        self.instructions.len() as u32
    }

    pub fn patch(&mut self, at: usize, target: u32) {
        match &mut self.instructions[at] {
            Instruction::Jump(to)
            | Instruction::JumpBack(to)
            | Instruction::JumpIfFalse(_, to)
            | Instruction::JumpIfTrue(_, to)
            | Instruction::JumpIfFalseOrDrop(_, to)
            | Instruction::JumpIfTrueOrDrop(_, to) => *to = target,
            other => unreachable!("only jumps are patched, not {other:?}"),
        }
    }

    pub fn constant(&mut self, value: Value) -> u32 {
        let key = match &value {
            Value::None => Some(ConstantKey::None),
            Value::Bool(b) => Some(ConstantKey::Bool(*b)),
            Value::Int(i) => Some(ConstantKey::Int(*i)),
            Value::Float(f) => Some(ConstantKey::Float(f.to_bits())),
            Value::Str(s) => Some(ConstantKey::Str(s.as_str().into())),
            _ => None,
        };
        let constants = &mut self.constants;
        let mut add = || {
            constants.push(value.clone());
            constants.len() as u32 - 1
        };
        match key {
            Some(key) => *self.constant_index.entry(key).or_insert_with(add),
            None => add(),
        }
    }

    pub fn name(&mut self, name: Name) -> Compiling<u16> {
        if let Some(at) = self.names.iter().position(|known| *known == name) {
            return Ok(at as u16);
        }
        self.names.push(name);
        u16::try_from(self.names.len() - 1).map_err(|_| self.too_large("names in one function"))
    }

    pub fn keyword_names(&mut self, names: Vec<Name>) -> u32 {
        self.keyword_names.push(names.into());
        self.keyword_names.len() as u32 - 1
    }

    pub fn site(&mut self, name: Name) -> Compiling<u16> {
        self.sites.push(Site { name, cache: Cell::new(AttributeCache::Empty) });
        u16::try_from(self.sites.len() - 1).map_err(|_| self.too_large("attributes in one function"))
    }

    pub fn code(&mut self, code: Rc<Code>) -> Compiling<u16> {
        self.codes.push(code);
        u16::try_from(self.codes.len() - 1).map_err(|_| self.too_large("functions in one function"))
    }

    /// How many exceptions are being handled at this place.
    pub fn handled_depth(&self) -> u16 {
        let handles = |block: &&Block<'_>| {
            matches!(block.kind, BlockKind::Handler(..) | BlockKind::GroupHandler(..) | BlockKind::FinallyHandler(_))
        };
        self.blocks.iter().filter(handles).count() as u16
    }

    pub fn push_block(&mut self, kind: BlockKind<'a>) {
        let start = self.here();
        self.blocks.push(Block { kind, ranges: Vec::new(), start });
    }

    /// Ends a block; its protected stretches get a handler here, where the exception will be in `register`.
    pub fn pop_protecting(&mut self) -> Vec<(u32, u32)> {
        let mut block = self.blocks.pop().expect("a block was pushed");
        let here = self.here();
        if block.start < here {
            block.ranges.push((block.start, here));
        }
        block.ranges
    }

    pub fn pop_block(&mut self) -> Block<'a> {
        self.blocks.pop().expect("a block was pushed")
    }

    /// Installs the handler that begins here for stretches that [`Unit::pop_protecting`] gave.
    pub fn handle(&mut self, ranges: Vec<(u32, u32)>, register: Register) {
        let (target, handled) = (self.here(), self.handled_depth());
        let depth = self.blocks.len();
        for (start, end) in ranges {
            self.handlers.push((depth, HandlerRange { start, end, target, register, handled }));
        }
    }

    pub fn finish(self, source: Rc<Source>, captures: Box<[Capture]>) -> Compiling<Code> {
        let mut handlers = self.handlers;
        handlers.sort_by_key(|(depth, _)| std::cmp::Reverse(*depth));
        let counts = self.counts;
        let binds_nothing = counts.keyword_only == 0 && !counts.has_var_positional && !counts.has_var_keyword;
        let is_plain = self.kind == CodeKind::Function && binds_nothing;
        Ok(Code {
            plain_arity: is_plain.then_some(counts.positional),
            name: self.name,
            qualname: self.qualname,
            kind: self.kind,
            source,
            first_line: self.first_line,
            positional_count: self.counts.positional,
            positional_only_count: self.counts.positional_only,
            keyword_only_count: self.counts.keyword_only,
            has_var_positional: self.counts.has_var_positional,
            has_var_keyword: self.counts.has_var_keyword,
            locals: self.locals.into(),
            register_count: self.most_registers,
            captured: self.free.into(),
            captures,
            constants: self.constants.into(),
            instructions: self.instructions.into(),
            spans: self.spans.into(),
            names: self.names.into(),
            keyword_names: self.keyword_names.into(),
            sites: self.sites.into(),
            codes: self.codes.into(),
            handlers: handlers.into_iter().map(|(_, range)| range).collect(),
            magics: self.magics.into(),
            doc: self.doc,
        })
    }
}
