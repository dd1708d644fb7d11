//! Running: cells to their end whatever happens in them, and texts on behalf of magics.

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use super::asked::Progress;
use super::cell::{Outcome, Request};
use super::core::{Core, CurrentCell};
use super::frontend::{CellError, CellEvent, Frontend, Stream};
use super::memory::account_json;
use super::{Session, machine, magics, rust};
use crate::arrays::ledger::{self, Origin};
use crate::arrays::{account, budget, registry};
use crate::display::{Markup, Role, to_plain};
use crate::lang::arrays::error::raised as array_error;
use crate::lang::builtins::classes::Builtin;
use crate::lang::code::Code;
use crate::lang::compile::LastExpression;
use crate::lang::name::names;
use crate::lang::parse::Dialect;
use crate::lang::raise::{Fallible, Raised};
use crate::lang::traceback;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How the code of a cell ended.
enum Ended {
    Well,
    Raised(Raised),
    Panicked(String),
}

impl Session {
    /// Runs a cell. Errors, panics of the engine, out-of-memory and interrupts end the cell, never the session.
    pub fn run(&mut self, request: &Request, frontend: Rc<dyn Frontend>) -> Outcome {
        let stores = request.stores_history && !request.is_silent;
        let number = self.next_number();
        let core = self.core.clone();
        core.begin(
            CurrentCell {
                number,
                is_running: true,
                is_silent: request.is_silent,
                stores,
                source: request.source.as_str().into(),
            },
            frontend,
        );
        if stores {
            self.last_number = number;
            core.outputs.push_input(number, &request.source);
        }
        if !request.is_silent {
            core.emit(CellEvent::Started { number, source: request.source.clone() });
        }
        for complaint in std::mem::take(&mut self.complaints) {
            self.vm.host.write(Stream::Stderr, &format!("cellhold: {complaint}\n"));
        }
        // What Rust threads asked for between two cells is no cell's account.
        let _ = rust::settle(&core, &mut self.vm, Duration::ZERO);
        account::begin_cell(number);
        let (defaults, budgets) = (registry::default_depth(), budget::depth());
        let ended = self.run_guarded(&core, &request.source, number);
        registry::unwind_defaults(defaults);
        budget::unwind(budgets);
        let mut outcome = Outcome { number, ..Outcome::default() };
        self.report(&core, ended, &mut outcome);
        core.tell_rest_of_progress();
        // What the error was the last to hold goes with it.
        self.vm.run_finalizers();
        core.enforce_output_limit(true);
        let figures = account::end_cell();
        if stores {
            Rc::make_mut(&mut core.past.borrow_mut()).push(figures.clone());
        }
        let _ = rust::settle(&core, &mut self.vm, Duration::ZERO);
        // All that is said at the end of a cell is said after one look.
        let look = OnceCell::new();
        if core.config.is_interactive {
            let has_told = core.deleted.tell(&core, &self.vm, &look);
            if !request.is_silent {
                core.advise(&self.vm, &figures, has_told, &look);
            }
        }
        outcome.account = Some(account_json(&figures, |origin| core.place(origin).0));
        if core.config.is_interactive {
            let mut look = look.into_inner();
            if core.snapshots.asked().next_pending().is_some() {
                // It keeps what it saw.
                look = None;
                core.grant_frees(&mut self.vm);
            }
            core.publish(&self.vm, true, look);
        }
        let (result, payloads, exit) = core.end();
        if stores {
            let output = result.as_ref().map(|bundle| bundle.plain_text());
            // A history that cannot be written goes on in memory; the cell has run all the same.
            let _ = core.history.borrow_mut().record(number, &request.source, output);
        }
        outcome.result = result;
        outcome.payloads = payloads;
        outcome.exit = outcome.exit.or(exit);
        outcome
    }

    /// Runs the cell's text and waits for the work it queued; a panic becomes a value.
    fn run_guarded(&mut self, core: &Rc<Core>, source: &str, number: u32) -> Ended {
        let vm = &mut self.vm;
        let run = AssertUnwindSafe(|| {
            let ended = run_cell(core, vm, source, number);
            // A cell ends when the work it queued has ended, so that errors and the account are its own. An interrupt
            // leaves it queued, named as a holder.
            let is_interrupted = matches!(&ended, Err(raised) if raised.is(Builtin::KeyboardInterrupt));
            let finished = if is_interrupted { Ok(()) } else { registry::finish_all() };
            match (ended, finished) {
                (Ok(()), Err(error)) => Err(array_error(error)),
                (ended, _) => ended,
            }
        });
        match catch_unwind(run) {
            Ok(Ok(())) => Ended::Well,
            Ok(Err(raised)) => Ended::Raised(raised),
            Err(panic) => {
                self.vm.recover();
                let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                Ended::Panicked(text.unwrap_or_else(|| "no message".to_owned()))
            }
        }
    }

    fn report(&mut self, core: &Rc<Core>, ended: Ended, outcome: &mut Outcome) {
        let raised = match ended {
            Ended::Well => return,
            Ended::Panicked(text) => {
                let message =
                    format!("{text} (a bug of Cellhold: please report it; your names and arrays are as they were)");
                let error = CellError {
                    class: "InternalError".to_owned(),
                    text: format!("InternalError: {message}"),
                    markup: Markup::of(Role::Error, "InternalError").plain(format!(": {message}")),
                    message,
                };
                core.emit(CellEvent::Error(error.clone()));
                outcome.error = Some(error);
                return;
            }
            Ended::Raised(raised) => raised,
        };
        if raised.is(Builtin::SystemExit) {
            outcome.exit = Some(exit_status(&mut self.vm, core, &raised));
            return;
        }
        if raised.is(Builtin::KeyboardInterrupt) {
            outcome.is_interrupted = true;
            self.interrupt.clear();
        }
        let error = cell_error(&mut self.vm, &raised);
        if core.last_error.keeps_frames() {
            core.last_error.keep(Value::Exception(raised.0.clone()));
        }
        drop(raised);
        core.emit(CellEvent::Error(error.clone()));
        outcome.error = Some(error);
    }

    /// Computes an expression for `user_expressions`; leaves no trace in `Out`.
    pub fn evaluate(
        &mut self,
        expression: &str,
        frontend: Rc<dyn Frontend>,
    ) -> Result<crate::display::MimeBundle, CellError> {
        let core = self.core.clone();
        let number = self.last_number;
        let cell = CurrentCell { number, is_running: true, is_silent: true, stores: false, source: expression.into() };
        core.begin(cell, frontend);
        let vm = &mut self.vm;
        let run = AssertUnwindSafe(|| {
            let code =
                machine::compile(vm, expression, "<expression>", None, Dialect::Expression, LastExpression::Return)?;
            core.remember(&code);
            let value = machine::run(vm, &code)?;
            super::show::bundle_of(vm, &value)
        });
        let ended = catch_unwind(run);
        core.end();
        match ended {
            Ok(Ok(bundle)) => Ok(bundle),
            Ok(Err(raised)) => Err(cell_error(&mut self.vm, &raised)),
            Err(_) => {
                self.vm.recover();
                let text = "InternalError: the engine failed".to_owned();
                Err(CellError {
                    class: "InternalError".into(),
                    message: text.clone(),
                    markup: Markup::text(&*text),
                    text,
                })
            }
        }
    }
}

fn run_cell(core: &Core, vm: &mut Vm, source: &str, number: u32) -> Fallible<()> {
    let code = if core.config.is_interactive {
        let name = format!("Cell {number}");
        machine::compile(vm, source, &name, Some(number), Dialect::Cell, LastExpression::Show)?
    } else {
        let name = core.config.argv.first().cloned().unwrap_or_else(|| "<string>".to_owned());
        let name = if name == "-" {
            "<stdin>".to_owned()
        } else {
            let file = std::path::absolute(&name).map_or(name.clone(), |path| path.to_string_lossy().into_owned());
            vm.main.set(names::FILE, Value::str(file));
            name
        };
        machine::compile(vm, source, &name, None, Dialect::File, LastExpression::Discard)?
    };
    core.remember(&code);
    // Until something says more, what is allocated belongs to the cell as a whole.
    ledger::set_origin(Origin { code: code.source.id, span: u32::MAX });
    machine::run(vm, &code).map(drop)
}

/// An error as front ends show it. Interactive tracebacks name cells, those of files are Python's own.
fn cell_error(vm: &mut Vm, raised: &Raised) -> CellError {
    if let Some((markup, message)) = rust::error_markup(raised) {
        let text = to_plain(&markup, usize::MAX).trim_end_matches('\n').to_owned();
        return CellError { class: "RustError".to_owned(), message, text, markup };
    }
    let markup = traceback::render(vm, &raised.0);
    let (_, message) = traceback::summary(vm, &raised.0);
    let class = raised.0.class.borrow().name.get().text().to_owned();
    let text = to_plain(&markup, usize::MAX).trim_end_matches('\n').to_owned();
    CellError { class, message, text, markup }
}

/// The status that `SystemExit` asks for; a text is said and means failure.
fn exit_status(vm: &mut Vm, core: &Core, raised: &Raised) -> i32 {
    let code = raised.0.args.borrow().first().cloned().unwrap_or(Value::None);
    match code {
        Value::None => 0,
        Value::Bool(flag) => i32::from(flag),
        Value::Int(status) => i32::try_from(status & 0xffff_ffff).unwrap_or(-1),
        other => {
            if let Ok(text) = vm.str(&other) {
                core.emit_text(Stream::Stderr, &format!("{text}\n"));
            }
            1
        }
    }
}

impl Core {
    /// Runs the cell below a `%%magic` as the cell it is: its last value is shown and kept.
    pub(super) fn run_body(&self, vm: &mut Vm, body: &str) -> Fallible<()> {
        let number = self.number();
        let name = format!("Cell {number}");
        let code = machine::compile(vm, body, &name, Some(number), Dialect::Cell, LastExpression::Show)?;
        self.remember(&code);
        machine::run(vm, &code).map(drop)
    }

    /// Does the frees that were asked for while the cell ran, and tells of each; answers how many.
    pub(super) fn grant_frees(&self, vm: &mut Vm) -> usize {
        let mut granted = 0;
        while let Some(free) = self.snapshots.asked().next_pending() {
            granted += 1;
            let line = &free.line;
            let progress = match magics::free_line(self, vm, line) {
                Ok(markup) => {
                    let head = Markup::of(Role::Dim, "asked for: ").push(Role::Code, format!("%free {line}")).line();
                    self.notice_markup(head.then(markup.clone()));
                    Progress::Done(to_plain(&markup, 100))
                }
                Err(raised) => {
                    let error = cell_error(vm, &raised);
                    let text = format!("{}: {}", error.class, error.message);
                    self.notice_markup(Markup::of(Role::Warning, format!("asked for: %free {line}: {text}")));
                    Progress::Failed(text)
                }
            };
            self.snapshots.asked().finish(free.id, progress);
        }
        granted
    }

    /// Runs statements on behalf of a magic.
    pub(super) fn run_text(&self, vm: &mut Vm, text: &str, name: &str) -> Fallible<()> {
        let code = machine::compile(vm, text, name, None, Dialect::Cell, LastExpression::Discard)?;
        self.remember(&code);
        machine::run(vm, &code).map(drop)
    }

    /// Runs a file in the names of the session.
    pub(super) fn run_file(&self, vm: &mut Vm, path: &str, text: &str) -> Fallible<()> {
        let code = machine::compile(vm, text, path, None, Dialect::File, LastExpression::Discard)?;
        self.remember(&code);
        machine::run(vm, &code).map(drop)
    }

    /// Compiles statements whose last expression is the answer, to be run once.
    pub(super) fn compile(&self, vm: &mut Vm, text: &str, name: &str) -> Fallible<Rc<Code>> {
        let code = machine::compile(vm, text, name, Some(self.number()), Dialect::Cell, LastExpression::Return)?;
        self.remember(&code);
        Ok(code)
    }

    /// Compiles statements whose values are dropped, to be run many times.
    pub(super) fn compile_timed(&self, vm: &mut Vm, text: &str) -> Fallible<Rc<Code>> {
        let code = machine::compile(vm, text, "<timed>", Some(self.number()), Dialect::Cell, LastExpression::Discard)?;
        self.remember(&code);
        Ok(code)
    }

    /// Runs what was compiled; the answer of its last expression, if it has one.
    pub(super) fn run_compiled(&self, vm: &mut Vm, code: &Rc<Code>) -> Fallible<Option<Value>> {
        machine::run(vm, code).map(Value::given)
    }
}
