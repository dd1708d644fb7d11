//! What the kernel asks of the engine behind it, in wire-neutral terms: the session implements it, and so does the
//! scripted fake that the wire tests run against.

use super::interrupt::Trigger;
use super::output::CellOutput;
use serde_json::{Map, Value};

/// Values by MIME type: text, or JSON for `*/json`.
pub type Bundle = Map<String, Value>;

/// A cell to run.
#[derive(Clone, Copy, Debug)]
pub struct Cell<'a> {
    /// The source text.
    pub source: &'a str,
    /// Whether it counts: a number, `Out`, `_`.
    pub is_stored: bool,
    /// Whether its last value is shown.
    pub is_silent: bool,
    /// The notebook's own name of the cell, the same at every run of it.
    pub cell_id: Option<&'a str>,
}

/// How a cell or an expression failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The exception's class.
    pub name: String,
    /// Its message.
    pub message: String,
    /// The traceback's lines, coloured as terminals understand.
    pub traceback: Vec<String>,
}

/// How a cell ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Nothing, or what went wrong.
    pub failure: Option<Failure>,
    /// The result as plain text, for the history.
    pub result_text: Option<String>,
    /// What the front end is told beside the reply, such as the cell's memory account.
    pub metadata: Map<String, Value>,
}

/// A completion at a place in a cell; positions are bytes of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// Where what is replaced begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What may stand there.
    pub items: Vec<CompletionItem>,
}

/// One thing that may stand at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    /// The text.
    pub text: String,
    /// `function`, `module`, `instance`, `magic`...
    pub kind: String,
    /// How it is called, where that is known.
    pub signature: String,
}

/// Whether a cell can run as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// It can.
    Complete,
    /// More lines must follow, the next one indented by this text.
    Incomplete(String),
    /// It never will.
    Invalid,
}

/// The engine that runs cells, on the executor's thread.
pub trait Engine {
    /// The number of the last stored cell; 0 before the first.
    fn cell_number(&self) -> u64;

    /// What interrupts the cell that runs next, from any thread. An interrupt of an earlier cell is forgotten now, and
    /// not when the cell begins: one may arrive in between.
    fn trigger(&self) -> Trigger;

    /// What answers `usage_request`, from any thread and while a cell runs.
    fn memory_report(&self) -> MemoryReport;

    /// Runs a cell, sending what it shows to `output`.
    fn execute(&mut self, cell: Cell<'_>, output: &mut CellOutput<'_>) -> Outcome;

    /// Evaluates an expression for a front end: nothing is shown, counted or kept.
    fn evaluate(&mut self, source: &str, output: &mut CellOutput<'_>) -> Result<Bundle, Failure>;

    /// What may stand at byte `cursor` of `source`.
    fn complete(&mut self, source: &str, cursor: usize) -> Completions;

    /// What is known about the name at byte `cursor` of `source`; more of it with `is_detailed`.
    fn inspect(&mut self, source: &str, cursor: usize, is_detailed: bool) -> Option<Bundle>;

    /// Whether `source` can run as it stands.
    fn completeness(&mut self, source: &str) -> Completeness;
}

/// The session's memory figures as JSON, from its last snapshot.
pub type MemoryReport = Box<dyn Fn() -> Value + Send + Sync>;
