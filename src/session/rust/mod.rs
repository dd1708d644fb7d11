//! Rust cells in a session: the helper's process, the server of its array requests, and how what they say is shown.
//!
//! A Rust value that ends a cell is shown as the cell's result, but does not enter `Out`: it lives in the Rust process, and
//! what holds memory there is a Rust variable, never an output. Errors of Rust are shown in Rust's words.

mod complete;
mod error;
mod function;
mod names;
mod root;
mod text;

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use super::core::Core;
use super::frontend::Stream;
use crate::arrays::attention;
use crate::display::MimeBundle;
use crate::lang::raise::{Fallible, Raised};
use crate::lang::vm::Vm;
use crate::rust_cells::process::{Answer, Front, Phase, Process, Trouble, lost_text};
use crate::rust_cells::protocol::{Request, Variable, Why};
use crate::rust_cells::{Handles, Incoming, Quiet, Server};
use names::SessionNames;
use root::RustRoot;

pub(super) use complete::{complete, is_rust_cell};
pub(super) use error::error_markup;
pub(super) use root::path_of;
pub(super) use text::completeness;

/// How long a look at memory waits until the names of Rust's holders are known.
const NAMES_PATIENCE: Duration = Duration::from_secs(8);

/// How long the end of a cell waits at most for what its values have sent, and how often it looks.
const QUIET_PATIENCE: Duration = Duration::from_millis(100);
const QUIET_LOOK: Duration = Duration::from_millis(1);
/// How long a command that names a Rust variable waits until the names are known.
const ASKED_PATIENCE: Duration = Duration::from_secs(30);

/// The variables, and the arrays that they may keep.
type Kept = (Vec<Variable>, Vec<(u64, u64)>);

/// The Rust side of a session. Nothing is started before it is asked for.
#[derive(Debug, Default)]
pub(super) struct RustCells {
    process: RefCell<Process>,
    server: RefCell<Option<Server>>,
    /// Whether anything was ever started.
    is_used: Cell<bool>,
    /// The variables and the arrays they may keep, as they were when holders were named last.
    named: RefCell<Kept>,
    /// Tells whether array requests are on their way, once there is a server.
    quiet: RefCell<Option<Quiet>>,
    /// What Rust values keep, once there is a server.
    pub(super) handles: RefCell<Option<Rc<RefCell<Handles>>>>,
    /// The session, for functions of Rust that its values call.
    pub(super) session: RefCell<Weak<Core>>,
}

/// Whoever waits for Rust on the evaluator's thread.
struct Waiting<'a> {
    core: &'a Core,
    vm: &'a mut Vm,
    server: Option<Server>,
}

impl Front for Waiting<'_> {
    fn is_interrupted(&self) -> bool {
        attention::interrupted()
    }

    fn tell(&mut self, line: &str) {
        self.core.notice_text(line);
    }

    fn text(&mut self, is_error: bool, text: &str) {
        self.core.emit_text(if is_error { Stream::Stderr } else { Stream::Stdout }, text);
    }

    fn array(&mut self, request: Incoming) {
        if let Some(server) = &mut self.server {
            server.answer(request, &mut SessionNames { core: self.core, vm: self.vm });
        }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        // Also when the cell panics: the server keeps what Rust values hold. Where there was none, one may have been made meanwhile.
        if let Some(server) = self.server.take() {
            self.core.rust.server.replace(Some(server));
        }
    }
}

/// Does something with the process, while array requests are served.
fn with<T>(core: &Core, vm: &mut Vm, act: impl FnOnce(&mut Process, &mut dyn Front) -> T) -> Fallible<T> {
    let Ok(mut process) = core.rust.process.try_borrow_mut() else {
        return Err(error::rust_error("Rust is busy: a Rust cell cannot use Rust cells again"));
    };
    let server = core.rust.server.take();
    Ok(act(&mut process, &mut Waiting { core, vm, server }))
}

/// The same, for what may start Rust.
fn started<T>(
    core: &Core,
    vm: &mut Vm,
    act: impl FnOnce(&mut Process, &mut dyn Front) -> Result<T, Trouble>,
) -> Fallible<T> {
    core.rust.is_used.set(true);
    if core.rust.server.borrow().is_none() {
        with(core, vm, |process, _| bind(core, process))??;
    }
    with(core, vm, act)?.map_err(raised)
}

/// Makes the server of array requests.
fn bind(core: &Core, process: &mut Process) -> Fallible<()> {
    let trouble = |error: std::io::Error| error::rust_error(format!("Rust cannot start: {error}"));
    let events = process.sender();
    let folder = process.folder().map_err(trouble)?.to_path_buf();
    let server = Server::bind(&folder, events).map_err(trouble)?;
    process.set_arrays(server.path());
    core.add_root(Rc::new(RustRoot(server.handles())));
    core.rust.handles.replace(Some(server.handles()));
    core.rust.quiet.replace(Some(server.quiet()));
    core.rust.server.replace(Some(server));
    Ok(())
}

/// Listens for array requests without starting the helper; answers where.
pub(super) fn listen(core: &Core, vm: &mut Vm) -> Fallible<PathBuf> {
    core.rust.is_used.set(true);
    if core.rust.server.borrow().is_none() {
        with(core, vm, |process, _| bind(core, process))??;
    }
    let path = core.rust.server.borrow().as_ref().map(|server| server.path().to_path_buf());
    path.ok_or_else(|| error::rust_error("array requests are being answered at this moment"))
}

/// Waits so long at most for array requests, and answers those that come.
pub(super) fn attend(core: &Core, vm: &mut Vm, time: Duration) -> Fallible<()> {
    with(core, vm, |process, front| process.attend(front, time))?;
    compute_pending(core, vm)
}

/// Computes what Rust has asked for and not needed yet, so that its memory and its errors belong to this cell.
fn compute_pending(core: &Core, vm: &mut Vm) -> Fallible<()> {
    let Some(mut server) = core.rust.server.take() else { return Ok(()) };
    let computed = server.settle(&mut SessionNames { core, vm });
    core.rust.server.replace(Some(server));
    computed.map_err(|failure| error::rust_error(format!("{}: {}", failure.class, failure.message)))
}

/// Evaluates the text of a `%%rust` cell.
pub(super) fn evaluate(core: &Core, vm: &mut Vm, code: &str) -> Fallible<()> {
    let (cell, line) = {
        let cell = core.cell.borrow();
        let first = cell.source.lines().position(|line| line.trim_start().starts_with("%%")).unwrap_or(0);
        (cell.number, first + 2)
    };
    let request = Request::Evaluate { code: code.to_owned(), cell, line };
    let answer = started(core, vm, |process, front| process.ask(&request, front));
    let settled = settle(core, vm, Duration::ZERO);
    name_holders(core, vm)?;
    show(core, answer?);
    settled
}

/// Has the variables that keep arrays named, in the background, when they or the arrays are others than the last time.
fn name_holders(core: &Core, vm: &mut Vm) -> Fallible<()> {
    let handles = core.rust.handles.borrow().as_ref().map(|handles| handles.borrow().ids()).unwrap_or_default();
    with(core, vm, |process, _| {
        let kept = (process.variables().to_vec(), handles);
        if !kept.1.is_empty() && *core.rust.named.borrow() != kept {
            process.name_holders();
            // Until the names are known anew, none that is wrong is shown.
            if let Some(handles) = &*core.rust.handles.borrow() {
                let is_there = |variable: &str| kept.0.iter().any(|known| known.name == variable);
                handles.borrow_mut().keep_names(is_there);
            }
            core.rust.named.replace(kept);
        }
    })
}

/// Shows a Rust value as the result of the cell, without keeping anything of it.
fn show(core: &Core, answer: Answer) {
    if answer.outputs.is_empty() || core.cell.borrow().is_silent {
        return;
    }
    let mut bundle = MimeBundle::default();
    for (mime, text) in answer.outputs {
        let text = text.trim_end_matches('\n');
        match serde_json::from_str(text) {
            Ok(value) if mime.ends_with("json") => bundle.insert_json(&mime, value),
            _ => bundle.insert(&mime, text),
        }
    }
    core.answer(core.number(), bundle);
}

/// Begins to build and start Rust in the background; answers what there is to say.
pub(super) fn warm(core: &Core, vm: &mut Vm) -> Fallible<&'static str> {
    started(core, vm, |process, front| {
        process.catch_up(front);
        if process.is_ready() {
            return Ok("Rust is ready");
        }
        process.warm()?;
        Ok("Rust is being made ready in the background; the first %%rust waits for what is left of it")
    })
}

/// What `%rust` says.
pub(super) fn status(core: &Core, vm: &mut Vm) -> Fallible<String> {
    with(core, vm, |process, front| {
        process.catch_up(front);
        match (process.is_ready(), process.leader()) {
            (true, Some(leader)) => {
                let count = process.variables().len();
                format!("Rust is ready: process {leader}, {count} variable{}", if count == 1 { "" } else { "s" })
            }
            _ if process.is_absent() => {
                "Rust is not started; the first %%rust starts it, %rust warm does now".to_owned()
            }
            _ => "Rust is being made ready in the background".to_owned(),
        }
    })
}

/// The variables, by name.
pub(super) fn variables(core: &Core, vm: &mut Vm) -> Fallible<Vec<Variable>> {
    with(core, vm, |process, front| {
        process.catch_up(front);
        process.variables().to_vec()
    })
}

/// Drops a variable of the Rust side.
pub(super) fn drop_variable(core: &Core, vm: &mut Vm, name: &str) -> Fallible<()> {
    let request = Request::Drop(name.to_owned());
    with(core, vm, |process, front| process.ask(&request, front))?.map_err(raised)?;
    settle(core, vm, Duration::ZERO)
}

/// Forgets the variables, functions and crates of the Rust side; answers the variables there were.
pub(super) fn reset(core: &Core, vm: &mut Vm) -> Fallible<Vec<String>> {
    let names = variables(core, vm)?.into_iter().map(|variable| variable.name).collect();
    if with(core, vm, |process, _| !process.is_absent())? {
        with(core, vm, |process, front| process.ask(&Request::Reset, front))?.map_err(raised)?;
        settle(core, vm, Duration::ZERO)?;
    }
    Ok(names)
}

/// Ends the Rust side; answers the variables that went with it.
pub(super) fn stop(core: &Core, vm: &mut Vm) -> Fallible<Vec<String>> {
    let lost = with(core, vm, |process, front| {
        let lost = process.end();
        process.catch_up(front);
        lost
    })?;
    settle(core, vm, Duration::ZERO)?;
    Ok(lost)
}

/// Ends the process that runs Rust code, whatever it does; answers a sentence on what was lost.
pub(in crate::session) fn end_runtime(core: &Core, vm: &mut Vm) -> String {
    let lost = with(core, vm, |process, _| process.end_process()).unwrap_or_default();
    lost_text(&lost, false)
}

/// Takes what arrived while no Rust cell ran, and waits so long at most until the names of Rust's holders are known. Called
/// at the beginning and end of cells and before memory is looked at.
pub(super) fn settle(core: &Core, vm: &mut Vm, patience: Duration) -> Fallible<()> {
    if !core.rust.is_used.get() || core.rust.process.try_borrow_mut().is_err() {
        return Ok(());
    }
    let quiet = core.rust.quiet.borrow().clone();
    with(core, vm, |process, front| {
        process.catch_up(front);
        // A value that the cell dropped is told over another connection than the cell's end: it may still be on its way.
        let until = Instant::now() + QUIET_PATIENCE;
        while quiet.as_ref().is_some_and(|quiet| !quiet.is_quiet()) && Instant::now() < until {
            process.attend(front, QUIET_LOOK);
        }
        process.catch_up(front);
        process.wait_names(front, patience);
    })?;
    compute_pending(core, vm)
}

/// The same before memory is looked at.
pub(super) fn settle_names(core: &Core, vm: &mut Vm) -> Fallible<()> {
    settle(core, vm, NAMES_PATIENCE)
}

/// The same for a command that names one of them.
pub(super) fn settle_asked_names(core: &Core, vm: &mut Vm) -> Fallible<()> {
    settle(core, vm, ASKED_PATIENCE)
}

/// The message of an error.
pub(super) fn text_of(raised: &Raised) -> String {
    names::failure_of(raised).message
}

/// Trouble as the error of the cell.
fn raised(trouble: Trouble) -> Raised {
    match trouble {
        Trouble::Unable(text) => error::rust_error(text),
        Trouble::Failed { why: Why::Died, text, lost, lost_all } => {
            let lost = lost_text(&lost, lost_all);
            error::rust_error(format!("the Rust process has ended: {text}{lost}; the next %%rust starts a new one"))
        }
        Trouble::Failed { text, lost, .. } if lost.is_empty() => error::rust_error(text),
        Trouble::Failed { text, lost, .. } => {
            error::rust_error(format!("{text}\n{}", lost_text(&lost, false).trim_start_matches("; ")))
        }
        Trouble::Interrupted { phase, lost, lost_all } => error::interrupted(match phase {
            Phase::Build => "the build of the Rust helper was given up; the next %%rust goes on with it".to_owned(),
            Phase::Start => "the start of Rust was given up".to_owned(),
            Phase::Compile if !lost_all => format!("while the Rust cell was compiled{}", lost_text(&lost, false)),
            Phase::Compile => format!("while the Rust cell was compiled{}", lost_text(&lost, true)),
            Phase::Run => format!("while the Rust cell ran{}", lost_text(&lost, lost_all)),
        }),
    }
}
