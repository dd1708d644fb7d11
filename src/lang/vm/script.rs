//! Running texts: cells, files, expressions; syntax errors as exceptions.

use std::rc::Rc;

use super::Vm;
use super::calls::Running;
use crate::display::units;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::code::{Code, Source};
use crate::lang::compile::{LastExpression, compile};
use crate::lang::frame::Return;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ExceptionObject, ModuleObject};
use crate::lang::parse::{Dialect, SyntaxErrorKind, SyntaxProblem, parse};
use crate::lang::raise::{Fallible, Raised, memory_error};
use crate::lang::tree::Module;
use crate::lang::value::Value;

/// Reserves host memory for a growth, through the limit that all host allocations share.
pub(super) fn reserve_host_bytes(bytes: usize) -> Fallible<()> {
    // Untouched pages count, because the system overcommits; an allocation the limit refuses must fail here.
    let available = crate::lang::host_memory::available_bytes();
    match available {
        Some(available) if bytes as u64 > available => Err(memory_error(format!(
            "{} of host memory asked for, {} available",
            units::bytes(bytes as u64),
            units::bytes(available)
        ))),
        _ => Ok(()),
    }
}

impl Vm {
    /// Parses, compiles and runs a text in a module.
    pub fn run_source(
        &mut self,
        source: &Rc<Source>,
        dialect: Dialect,
        last: LastExpression,
        module: &Ref<ModuleObject>,
    ) -> Fallible<Value> {
        let code = self.compile(source, dialect, last, module)?;
        self.run_code(&code, module)
    }

    /// Parses and compiles a text for a module.
    pub fn compile(
        &mut self,
        source: &Rc<Source>,
        dialect: Dialect,
        last: LastExpression,
        module: &Ref<ModuleObject>,
    ) -> Fallible<Rc<Code>> {
        let tree = self.parse(source, dialect)?;
        compile(&tree, source, module, last).map_err(|problem| syntax_error(source, &problem))
    }

    /// The syntax tree of a text, with its errors as a program sees them.
    pub fn parse(&self, source: &Source, dialect: Dialect) -> Fallible<Module> {
        parse(&source.text, dialect).map_err(|problem| syntax_error(source, &problem))
    }

    /// Runs compiled code of a module.
    pub fn run_code(&mut self, code: &Rc<Code>, module: &Ref<ModuleObject>) -> Fallible<Value> {
        let base = self.top;
        self.ensure(base + code.register_count + 8);
        for slot in base..base + code.locals.len() {
            self.stack[slot] = Value::Unset;
        }
        self.push_frame(Running::Module(code.clone(), module.clone()), base, Return::ToNative)?;
        let result = self.run_pushed();
        self.top = base;
        if let Err(error) = self.safe_point()
            && result.is_ok()
        {
            return Err(error);
        }
        result
    }
}

/// The exception for a text that does not parse, with the attributes CPython gives it.
pub fn syntax_error(source: &Source, problem: &SyntaxProblem) -> Raised {
    let class = match problem.kind {
        SyntaxErrorKind::Syntax => Builtin::SyntaxError,
        SyntaxErrorKind::Indentation => Builtin::IndentationError,
        SyntaxErrorKind::Tab => Builtin::TabError,
    };
    let clamp = |at: u32| at.min(source.text.len() as u32);
    let start = clamp(problem.span.start);
    let end = clamp(problem.span.end).max(start);
    let line = source.line(start);
    let column = |line: usize, at: u32| {
        let from = source.line_starts.get(line - 1).copied().unwrap_or(0) as usize;
        source.text.get(from..at as usize).map_or(0, |text| text.chars().count()) as i64 + 1
    };
    let end_line = source.line(end);
    let place = [
        ("filename", Value::str(&*source.name)),
        ("lineno", Value::from(line)),
        ("offset", Value::Int(column(line, start))),
        ("text", Value::str(format!("{}\n", source.line_text(line)))),
        ("end_lineno", Value::from(end_line)),
        ("end_offset", Value::Int(column(end_line, end))),
    ];
    let details = Value::tuple(place.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
    let message = Value::str(&*problem.message);
    let exception = ExceptionObject::new(builtin_class(class), vec![message, details]);
    for (name, value) in place {
        exception.set_attribute(Name::new(name), value);
    }
    Raised(Ref::new(exception))
}
