//! Running files: a script, a notebook's cells, or what comes through a pipe, to its end and an exit status.
//!
//! The same session as in a notebook, with a front end that has nobody to talk to: output goes to the standard streams,
//! and notices go nowhere. It knows nothing of terminals beyond whether there is one.

mod front;
mod notebook;

use crate::session::{Config, Interrupt, Outcome, Request, Session, Snapshots};
use front::BatchFrontend;
use signal_hook::consts::SIGINT;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The status of a program that failed.
const FAILED: u8 = 1;
/// The status of a program that was interrupted, as shells count signals.
const INTERRUPTED: u8 = 130;
/// The status of a program whose output nobody reads any more.
const BROKEN_PIPE: u8 = 141;

/// Why a file cannot be run at all.
#[derive(Debug)]
pub enum BatchError {
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is not a notebook, or not one whose cells can be run here.
    NotANotebook(PathBuf, String),
    /// No thread or signal handler can be had.
    System(io::Error),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Unreadable(path, error) => write!(f, "can't open file '{}': {error}", path.display()),
            BatchError::NotANotebook(path, problem) => write!(f, "{}: {problem}", path.display()),
            BatchError::System(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for BatchError {}

/// Runs a script, a notebook (`.ipynb`) or the standard input (`-`), and answers the exit status.
pub fn run(file: &Path, arguments: Vec<String>) -> Result<u8, BatchError> {
    let unreadable = |error| BatchError::Unreadable(file.to_path_buf(), error);
    let argv = [vec![file.to_string_lossy().into_owned()], arguments].concat();
    if file.extension().is_some_and(|extension| extension == "ipynb") {
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        let cells =
            notebook::code_cells(&text).map_err(|problem| BatchError::NotANotebook(file.to_path_buf(), problem))?;
        return run_cells(Config { argv, ..Config::interactive() }, cells);
    }
    let source = if file == Path::new("-") { from_stdin() } else { std::fs::read_to_string(file) };
    run_cells(Config::batch(argv), vec![source.map_err(unreadable)?])
}

/// Prints the devices of this machine as `%devices` does.
pub fn print_devices() -> Result<u8, BatchError> {
    run_cells(Config::interactive(), vec!["%devices".to_owned()])
}

fn from_stdin() -> io::Result<String> {
    let mut source = String::new();
    io::stdin().read_to_string(&mut source)?;
    Ok(source)
}

/// Runs cells until one fails, on a thread with the stack that a session needs.
fn run_cells(config: Config, cells: Vec<String>) -> Result<u8, BatchError> {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let mut signals = signal_hook::iterator::Signals::new([SIGINT]).map_err(BatchError::System)?;
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(move || signals.forever().for_each(|_| raised.raise()))
        .map_err(BatchError::System)?;
    let front = BatchFrontend::new(interrupt.clone()).map_err(BatchError::System)?;
    let running =
        std::thread::Builder::new().name("session".into()).stack_size(Session::STACK_BYTES).spawn(move || {
            let front = Rc::new(front);
            let mut session = Session::new(config, interrupt, Snapshots::default());
            let mut ends = cells.into_iter().map(|cell| end_of(&session.run(&Request::cell(cell), front.clone())));
            let status = ends.find_map(|end| end).unwrap_or(0);
            drop(ends);
            drop(session);
            front.flush();
            if front.is_closed() { BROKEN_PIPE } else { status }
        });
    // A panic outside a cell is our own bug and has been reported; nothing is left to run.
    Ok(running.map_err(BatchError::System)?.join().unwrap_or(FAILED))
}

/// The exit status if the program ends with this cell.
fn end_of(outcome: &Outcome) -> Option<u8> {
    match (outcome.exit, outcome.is_interrupted, &outcome.error) {
        // As the system does it: the low eight bits.
        (Some(status), ..) => Some(u8::try_from(status & 0xff).unwrap_or(FAILED)),
        (None, true, _) => Some(INTERRUPTED),
        (None, false, Some(_)) => Some(FAILED),
        (None, false, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Markup;
    use crate::session::CellError;

    #[test]
    fn the_status_is_what_shells_expect() {
        let error = CellError {
            class: "ValueError".into(),
            message: String::new(),
            text: String::new(),
            markup: Markup::new(),
        };
        let outcome = |exit, is_interrupted, error| Outcome { exit, is_interrupted, error, ..Outcome::default() };
        assert_eq!(end_of(&outcome(None, false, None)), None);
        assert_eq!(end_of(&outcome(Some(0), false, None)), Some(0));
        assert_eq!(end_of(&outcome(Some(3), false, Some(error.clone()))), Some(3));
        assert_eq!(end_of(&outcome(Some(-1), false, None)), Some(255));
        assert_eq!(end_of(&outcome(None, true, Some(error.clone()))), Some(130));
        assert_eq!(end_of(&outcome(None, false, Some(error))), Some(1));
    }

    #[test]
    fn an_absent_file_is_named() {
        let problem = run(Path::new("/no/such/file.py"), Vec::new()).unwrap_err().to_string();
        assert!(problem.contains("can't open file '/no/such/file.py'"), "{problem}");
    }
}
