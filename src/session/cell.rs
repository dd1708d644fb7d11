//! What is asked of a session for one cell and what it answers.

use std::path::PathBuf;

use super::frontend::CellError;
use crate::display::MimeBundle;

/// How a session behaves.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether a person is there: `Out`, notices, built-in array names and IPython syntax; otherwise plain Python in batch.
    pub is_interactive: bool,
    /// Where the history is kept; nothing for a session that leaves none.
    pub history: Option<PathBuf>,
    /// `sys.argv`
    pub argv: Vec<String>,
    /// Whether the drivers of this machine are asked for devices where `CELLHOLD_BACKENDS` does not say.
    pub asks_drivers: bool,
}

impl Config {
    /// A session with a person, without a history file.
    pub fn interactive() -> Self {
        Self { is_interactive: true, history: None, argv: vec![String::new()], asks_drivers: !cfg!(test) }
    }

    /// A session that runs a file, with this `sys.argv`.
    pub fn batch(argv: Vec<String>) -> Self {
        Self { is_interactive: false, history: None, argv, asks_drivers: !cfg!(test) }
    }
}

/// A cell to run.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Its text.
    pub source: String,
    /// Whether it shows no input and no result, and leaves no trace in `In`, `Out` and the history.
    pub is_silent: bool,
    /// Whether it takes a number and enters `In`, `Out` and the history. A silent cell never does.
    pub stores_history: bool,
}

impl Request {
    /// An ordinary cell.
    pub fn cell(source: impl Into<String>) -> Self {
        Self { source: source.into(), is_silent: false, stores_history: true }
    }

    /// A cell that leaves no trace.
    pub fn silent(source: impl Into<String>) -> Self {
        Self { source: source.into(), is_silent: true, stores_history: false }
    }
}

/// How a cell ended.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The number the cell ran under; unchanged by silent cells (`execution_count` on the wire).
    pub number: u32,
    /// The error, if it failed; it has been emitted already.
    pub error: Option<CellError>,
    /// Whether it was stopped by the interrupt.
    pub is_interrupted: bool,
    /// The result that was shown.
    pub result: Option<MimeBundle>,
    /// The cell's account as `%%mem --json` gives it, for `execute_reply.metadata.cellhold`.
    pub account: Option<serde_json::Value>,
    /// What the front end is asked to do besides.
    pub payloads: Vec<Payload>,
    /// The status with which the program asked to end (`exit()`, `sys.exit(3)`); the front end decides what that means.
    pub exit: Option<i32>,
}

impl Outcome {
    /// The exit status of the process if the program ends with this cell, as shells expect it.
    pub fn status(&self) -> Option<u8> {
        match (self.exit, self.is_interrupted, &self.error) {
            // As the system does it: the low eight bits.
            (Some(status), ..) => Some((status & 0xff) as u8),
            // 128 and the number of SIGINT.
            (None, true, _) => Some(130),
            (None, false, Some(_)) => Some(1),
            (None, false, None) => None,
        }
    }
}

/// What a front end is asked to do besides showing events.
#[derive(Clone, Debug, PartialEq)]
pub enum Payload {
    /// Show help in the pager.
    Page(MimeBundle),
    /// Put text into the next cell (`%load`), or into this one.
    NextInput {
        /// The text.
        text: String,
        /// Whether it replaces the cell that ran.
        replace: bool,
    },
}

/// Whether a text is a whole cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// It can run.
    Complete,
    /// It goes on; the next line starts with this indent.
    Incomplete {
        /// Blanks.
        indent: String,
    },
    /// It will not become right by going on.
    Invalid,
}

/// One completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// What is put in.
    pub text: String,
    /// What it is: `function`, `class`, `module`, `instance`, `keyword`, `magic`, `path`, `statement`, `property`.
    pub kind: &'static str,
    /// The signature of functions, else empty.
    pub signature: String,
}

/// Completions of a place in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// First byte that a match replaces.
    pub start: usize,
    /// One past the last byte that a match replaces.
    pub end: usize,
    /// The matches, best first.
    pub matches: Vec<Match>,
}

/// One line of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// Which session, counted from 1 in this history; 0 in a range request means this one.
    pub session: u32,
    /// The cell's number in it.
    pub number: u32,
    /// What was typed.
    pub source: String,
    /// What `Out` showed, where kept.
    pub output: Option<String>,
}

/// What of the history is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryQuery {
    /// The last `count` cells of all sessions.
    Tail {
        /// How many.
        count: usize,
    },
    /// Cells `start..stop` of a session: 0 this one, negative ones count back from it.
    Range {
        /// Which session.
        session: i64,
        /// First number.
        start: u32,
        /// One past the last number, to the end where not given.
        stop: Option<u32>,
    },
    /// Cells that match a pattern with `*` and `?`.
    Search {
        /// The pattern.
        pattern: String,
        /// At most so many, the last ones.
        count: Option<usize>,
        /// Whether the same text counts once.
        is_unique: bool,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Markup;

    #[test]
    fn the_status_is_what_shells_expect() {
        let error = CellError {
            class: "ValueError".into(),
            message: String::new(),
            text: String::new(),
            markup: Markup::new(),
        };
        let outcome = |exit, is_interrupted, error| Outcome { exit, is_interrupted, error, ..Outcome::default() };
        assert_eq!(outcome(None, false, None).status(), None);
        assert_eq!(outcome(Some(0), false, None).status(), Some(0));
        assert_eq!(outcome(Some(3), false, Some(error.clone())).status(), Some(3));
        assert_eq!(outcome(Some(-1), false, None).status(), Some(255));
        assert_eq!(outcome(None, true, Some(error.clone())).status(), Some(130));
        assert_eq!(outcome(None, false, Some(error)).status(), Some(1));
    }
}
