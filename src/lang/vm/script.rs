//! Running texts: cells, files, expressions; syntax errors as exceptions; the thread that evaluators need.

use std::rc::Rc;

use super::Vm;
use super::calls::Running;
use crate::display::units;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::code::{Code, Source};
use crate::lang::compile::{LastExpression, compile};
use crate::lang::frame::Return;
use crate::lang::heap::Ref;
use crate::lang::host::Stream;
use crate::lang::name::Name;
use crate::lang::objects::{ExceptionObject, ModuleObject};
use crate::lang::parse::{Dialect, SyntaxErrorKind, SyntaxProblem, parse};
use crate::lang::raise::{Fallible, Raised, memory_error};
use crate::lang::traceback;
use crate::lang::value::Value;

/// The stack that the parser's tree and nested native calls need.
pub const EVALUATOR_STACK_BYTES: usize = 256 << 20;

/// Runs work on a thread with the stack an evaluator needs, and gives its result.
pub fn run_on_evaluator_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new()
        .name("evaluator".into())
        .stack_size(EVALUATOR_STACK_BYTES)
        .spawn(work)
        .expect("the system starts a thread");
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

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
        let tree = parse(&source.text, dialect).map_err(|problem| syntax_error(source, &problem))?;
        compile(&tree, source, module, last).map_err(|problem| syntax_error(source, &problem))
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

    /// Runs a cell in the main module, showing the value of its last expression.
    pub fn run_cell(&mut self, text: &str, number: u32) -> Fallible<()> {
        let source = self.new_source(format!("Cell {number}"), text, Some(number));
        let main = self.main.clone();
        self.run_source(&source, Dialect::Cell, LastExpression::Show, &main).map(drop)
    }

    /// Runs a file's text as the main module; the answer is the exit status, errors are written to the host's stderr.
    pub fn run_script(&mut self, name: &str, text: &str) -> i32 {
        let source = self.new_source(name, text, None);
        let main = self.main.clone();
        main.set(Name::new("__file__"), Value::str(name));
        let result = self.run_source(&source, Dialect::File, LastExpression::Discard, &main).map(drop);
        self.exit_status(result)
    }

    /// The exit status that a program's end means; an error's traceback is written to the host's stderr.
    pub fn exit_status(&mut self, result: Fallible<()>) -> i32 {
        let Err(error) = result else { return 0 };
        let host = self.host.clone();
        if error.is(Builtin::SystemExit) {
            let argument = error.0.args.borrow().first().cloned().unwrap_or(Value::None);
            return match argument {
                Value::None => 0,
                Value::Int(status) => status as i32 & 0xff,
                Value::Bool(status) => i32::from(status),
                other => {
                    if let Ok(text) = self.str(&other) {
                        host.write(Stream::Stderr, &format!("{text}\n"));
                    }
                    1
                }
            };
        }
        let markup = traceback::render(self, &error.0);
        host.write(Stream::Stderr, &crate::display::to_plain(&markup, usize::MAX));
        if error.is(Builtin::KeyboardInterrupt) { 130 } else { 1 }
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
