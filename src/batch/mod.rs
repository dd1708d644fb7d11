//! Running files: a script, a notebook's cells, or what comes through a pipe, to its end and an exit status.
//!
//! The same session as in a notebook, with a front end that has nobody to talk to: output goes to the standard streams,
//! and notices go nowhere. It knows nothing of terminals beyond whether there is one.

mod front;
mod notebook;
mod outputs;
mod parameters;
mod source;

use crate::display::units::bytes;
use crate::session::{Config, Frontend, Interrupt, Request, Session, Snapshots};
use front::BatchFrontend;
use notebook::Notebook;
use outputs::KeptOutputs;
use serde_json::Value;
use signal_hook::consts::SIGINT;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What is run and what is wanted of it.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A script, a notebook (`.ipynb`) or the standard input (`-`).
    pub file: PathBuf,
    /// `sys.argv[1:]`
    pub arguments: Vec<String>,
    /// `name=value`: names that are set before it runs.
    pub parameters: Vec<String>,
    /// Where to write the object of `%mem --json` as it is at the end.
    pub memory_report: Option<PathBuf>,
    /// Whether device memory that is still held at the end is a failure.
    pub fails_on_leak: bool,
    /// Where to write the notebook with the outputs of this run.
    pub output: Option<PathBuf>,
}

/// Largest holders named when a program leaks.
const LEAKS_NAMED: usize = 10;

/// The status of a program that ended well but still held device memory.
const LEAKED: u8 = 3;
/// The status of a program that failed.
const FAILED: u8 = 1;
/// The status of a program whose output nobody reads any more.
const BROKEN_PIPE: u8 = 141;

/// Why a file cannot be run at all.
#[derive(Debug)]
pub enum BatchError {
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is no text of a program.
    NotText(PathBuf, String),
    /// It is not a notebook, or not one whose cells can be run here.
    NotANotebook(PathBuf, String),
    /// What was asked for makes no sense.
    Usage(String),
    /// No thread or signal handler can be had.
    System(io::Error),
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Unreadable(path, error) => write!(f, "can't open file '{}': {error}", path.display()),
            BatchError::NotText(path, problem) => write!(f, "can't read file '{}', {problem}", path.display()),
            BatchError::NotANotebook(path, problem) => write!(f, "{}: {problem}", path.display()),
            BatchError::Usage(problem) => f.write_str(problem),
            BatchError::System(error) => write!(f, "cannot start: {error}"),
        }
    }
}

impl std::error::Error for BatchError {}

/// Runs a program and answers the exit status.
pub fn run(options: Options) -> Result<u8, BatchError> {
    let file = &options.file;
    let unreadable = |error| BatchError::Unreadable(file.clone(), error);
    let argv = [vec![file.to_string_lossy().into_owned()], options.arguments.clone()].concat();
    let parameters = options.parameters.iter().map(|parameter| parameters::assignment(parameter));
    let parameters = parameters.collect::<Result<Vec<_>, _>>().map_err(BatchError::Usage)?.join("\n");
    if file.extension().is_some_and(|extension| extension == "ipynb") {
        let text = std::fs::read_to_string(file).map_err(unreadable)?;
        let mut notebook = Notebook::read(&text).map_err(|problem| BatchError::NotANotebook(file.clone(), problem))?;
        if !parameters.is_empty() {
            notebook.set_parameters(&parameters);
        }
        return run_program(Config { argv, ..Config::interactive() }, Program::Notebook(notebook), options);
    }
    if options.output.is_some() {
        return Err(BatchError::Usage("--output writes a notebook, so FILE must be one (.ipynb)".into()));
    }
    let bytes = if file == Path::new("-") { from_stdin() } else { std::fs::read(file) };
    let text = source::decode(bytes.map_err(unreadable)?);
    let mut cells = vec![Request::cell(text.map_err(|problem| BatchError::NotText(file.clone(), problem))?)];
    if !parameters.is_empty() {
        cells.insert(0, Request::silent(parameters));
    }
    run_program(Config::batch(argv), Program::Cells(cells), options)
}

/// Prints the devices of this machine as `%devices` does.
pub fn print_devices() -> Result<u8, BatchError> {
    run_program(Config::interactive(), Program::Cells(vec![Request::cell("%devices")]), Options::default())
}

/// Checks a device: facts, memory figures, every family of programs against the native result, bandwidth.
pub fn doctor(device: &str) -> Result<u8, BatchError> {
    let config = Config::batch(vec!["cellhold doctor".to_owned(), device.to_owned()]);
    run_program(config, Program::Cells(vec![Request::cell(include_str!("doctor.py"))]), Options::default())
}

fn from_stdin() -> io::Result<Vec<u8>> {
    let mut source = Vec::new();
    io::stdin().read_to_end(&mut source)?;
    Ok(source)
}

/// What is run, piece by piece, until a piece fails.
enum Program {
    Cells(Vec<Request>),
    Notebook(Notebook),
}

/// Runs a program on a thread with the stack that a session needs.
fn run_program(config: Config, program: Program, options: Options) -> Result<u8, BatchError> {
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
            let status = match program {
                Program::Cells(cells) => {
                    let mut ends = cells.iter().map(|cell| session.run(cell, front.clone()).status());
                    ends.find_map(|end| end).unwrap_or(0)
                }
                Program::Notebook(notebook) => run_notebook(&mut session, notebook, &front, options.output.as_deref()),
            };
            if let Some(last) = session.last_cell() {
                session.run(&last, front.clone());
            }
            let status = report_memory(&session, &options, status);
            drop(session);
            front.flush();
            match front.failure() {
                None => status,
                Some(error) if error.kind() == io::ErrorKind::BrokenPipe => BROKEN_PIPE,
                Some(error) => {
                    complain(&format!("can't write to the standard output: {error}"));
                    FAILED
                }
            }
        });
    // A panic outside a cell is our own bug and has been reported; nothing is left to run.
    Ok(running.map_err(|error| BatchError::System(Session::no_thread(error)))?.join().unwrap_or(FAILED))
}

/// Runs a notebook's cells and writes it with what they showed, as far as they came.
fn run_notebook(session: &mut Session, mut notebook: Notebook, front: &Rc<BatchFrontend>, output: Option<&Path>) -> u8 {
    let kept = Rc::new(KeptOutputs::new(front.clone() as Rc<dyn Frontend>));
    let mut status = 0;
    for cell in notebook.code_cells() {
        let outcome = session.run(&Request::cell(cell.source), kept.clone());
        let (count, outputs) = kept.take();
        notebook.set_outputs(cell.position, count, outputs);
        let is_expected = cell.may_fail && outcome.error.is_some() && !outcome.is_interrupted;
        if let Some(end) = outcome.status().filter(|_| !is_expected) {
            status = end;
            break;
        }
    }
    match output {
        Some(path) => written(path, &notebook.text(), status),
        None => status,
    }
}

/// Does what was asked about memory at the end; answers the exit status.
fn report_memory(session: &Session, options: &Options, mut status: u8) -> u8 {
    if let Some(path) = &options.memory_report {
        status = written(path, &format!("{:#}\n", session.memory(usize::MAX)), status);
    }
    if options.fails_on_leak {
        let leaks = leaks(&session.memory(LEAKS_NAMED));
        if !leaks.is_empty() {
            complain(&leaks);
            status = if status == 0 { LEAKED } else { status };
        }
    }
    status
}

/// What device memory is still held, from the object of `%mem --json`; empty for none.
fn leaks(memory: &Value) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let of_devices = |key: &str| list(&memory["devices"]).iter().filter_map(|device| device[key].as_u64()).sum::<u64>();
    let (count, live) = (of_devices("count"), of_devices("live"));
    if count == 0 {
        return String::new();
    }
    let plural = if count == 1 { "" } else { "s" };
    let mut text = format!("device memory is still held at the end: {} in {count} allocation{plural}", bytes(live));
    for allocation in list(&memory["allocations"]).iter().filter(|allocation| allocation["device"] != "host") {
        let holders = list(&allocation["holders"]);
        let paths: Vec<&str> = holders.iter().filter_map(|holder| holder["path"].as_str()).collect();
        let size = bytes(allocation["bytes"].as_u64().unwrap_or(0));
        text.push_str(&format!("\n  #{} {size}, held by {}", allocation["id"], paths.join(", ")));
    }
    text
}

/// Writes a file that was asked for; a failure is told and ends in a failing status.
fn written(path: &Path, text: &str, status: u8) -> u8 {
    match std::fs::write(path, text) {
        Ok(()) => status,
        Err(error) => {
            complain(&format!("can't write '{}': {error}", path.display()));
            if status == 0 { FAILED } else { status }
        }
    }
}

#[expect(clippy::print_stderr, reason = "what whoever started the program must know")]
fn complain(text: &str) {
    eprintln!("cellhold: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_file_is_named() {
        let problem = run(Options { file: "/no/such/file.py".into(), ..Options::default() }).unwrap_err().to_string();
        assert!(problem.contains("can't open file '/no/such/file.py'"), "{problem}");
    }

    #[test]
    fn what_is_held_at_the_end_is_named_and_the_host_is_not_counted() {
        let device = |count: u64, live: u64| serde_json::json!({"count": count, "live": live});
        let none =
            serde_json::json!({"devices": [device(0, 0)], "allocations": [{"device": "host", "id": 1, "bytes": 8}]});
        assert_eq!(leaks(&none), "");
        let some = serde_json::json!({"devices": [device(1, 2048)], "allocations": [
            {"device": "host", "id": 1, "bytes": 8, "holders": []},
            {"device": "native:cpu:0", "id": 2, "bytes": 2048, "holders": [{"path": "a"}, {"path": "b[0]"}]},
        ]});
        assert_eq!(
            leaks(&some),
            "device memory is still held at the end: 2.00 KiB in 1 allocation\n  #2 2.00 KiB, held by a, b[0]"
        );
    }
}
