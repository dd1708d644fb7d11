//! What a session says to whoever shows it, and what it may ask: the one trait notebook, terminal, batch and tests implement.
//!
//! The session pushes events and never prints. Events of a cell arrive on the evaluator thread, in order, between the
//! call of `run` and its return.

use std::fmt;

use crate::display::{Markup, MimeBundle};

pub use crate::lang::host::Stream;

/// A front end as the session sees it during a cell. Methods take `&self`, because the machine may call the session back
/// in the middle of anything; implementations keep what changes in cells of their own.
pub trait Frontend {
    /// Shows an event. A front end that has gone answers `Err`; the session then goes on without output.
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone>;

    /// Reads a line for `input()` (`hidden` for passwords) without its end. Waits; returns early with
    /// [`ReadLineError::Interrupted`] when the session's interrupt is raised meanwhile.
    fn read_line(&self, prompt: &str, hidden: bool) -> Result<String, ReadLineError>;

    /// Columns that text output may take.
    fn width(&self) -> usize {
        100
    }
}

/// Something a running cell shows.
#[derive(Clone, Debug, PartialEq)]
pub enum CellEvent {
    /// The cell begins to run under this number (`execute_input`); not for silent cells.
    Started {
        /// Its number.
        number: u32,
        /// Its text.
        source: String,
    },
    /// Text of the program. Whoever shows it may join adjacent ones of one stream.
    Text {
        /// Which stream.
        stream: Stream,
        /// The text.
        text: String,
    },
    /// The value of the cell's last expression (`execute_result`).
    Result {
        /// The number in `Out[number]`.
        number: u32,
        /// The value in its forms.
        bundle: MimeBundle,
    },
    /// What `display()` or a magic shows.
    Display {
        /// The forms.
        bundle: MimeBundle,
        /// The name under which it can be replaced.
        id: Option<String>,
        /// Whether it replaces what was shown under `id`.
        is_update: bool,
    },
    /// What was shown by this cell goes (`clear_output`).
    Clear {
        /// Whether to wait for the next output.
        wait: bool,
    },
    /// The cell failed; the last event of a cell that does.
    Error(CellError),
    /// One line to the person that is not output of the program: advice, what `del` did not free. Never sent in batch.
    Notice(Markup),
}

/// How a cell failed.
#[derive(Clone, Debug, PartialEq)]
pub struct CellError {
    /// The exception class's name, `ename` on the wire.
    pub class: String,
    /// The exception's message, `evalue` on the wire.
    pub message: String,
    /// The whole traceback as Python prints it, without a final line end.
    pub text: String,
    /// The same with roles, for terminals and notebooks.
    pub markup: Markup,
}

/// The front end has gone; nobody sees what the cell shows from here on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrontendGone;

impl fmt::Display for FrontendGone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the front end has gone")
    }
}
impl std::error::Error for FrontendGone {}

/// Why `read_line` has no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadLineError {
    /// The input has ended (`EOFError`).
    End,
    /// The interrupt was raised while waiting (`KeyboardInterrupt`).
    Interrupted,
    /// This front end cannot ask (`StdinNotImplementedError`).
    NotSupported,
}

/// A front end that shows nothing and has no input: for cells nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFrontend;

impl Frontend for NoFrontend {
    fn emit(&self, _event: CellEvent) -> Result<(), FrontendGone> {
        Ok(())
    }
    fn read_line(&self, _prompt: &str, _hidden: bool) -> Result<String, ReadLineError> {
        Err(ReadLineError::NotSupported)
    }
}
