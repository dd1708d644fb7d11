//! The session: one engine for notebook, terminal and batch. It runs cells, keeps `In` and `Out`, knows what holds which
//! memory, and offers the magics.
//!
//! It knows the language, the arrays and how things are displayed; it never knows sockets, terminals or wire messages:
//! those implement [`Frontend`].

mod cell;
mod frontend;
mod history;
pub mod holders;
mod interrupt;
mod outputs;
mod recorder;
mod snapshot;

use std::rc::Rc;

pub use cell::{Completeness, Completions, Config, HistoryEntry, HistoryQuery, Match, Outcome, Payload, Request};
pub use frontend::{CellError, CellEvent, Frontend, FrontendGone, NoFrontend, ReadLineError, Stream};
pub use history::History;
pub use interrupt::Interrupt;
pub use outputs::{OutputLimit, Outputs};
pub use recorder::Recorder;
pub use snapshot::{Snapshot, SnapshotName, Snapshots};

use crate::display::MimeBundle;

/// The engine's state. It lives on one thread (see [`Session::STACK_BYTES`]); other threads hold [`Interrupt`] and
/// [`Snapshots`] handles.
pub struct Session {
    config: Config,
    number: u32,
    interrupt: Interrupt,
    snapshots: Snapshots,
}

impl Session {
    /// Stack that the thread of a session needs: the parser recurses on what people write.
    pub const STACK_BYTES: usize = 256 << 20;

    /// A session on this thread; one per thread and process. `interrupt` is the handle others raise.
    pub fn new(config: Config, interrupt: Interrupt, snapshots: Snapshots) -> Self {
        Self { config, number: 1, interrupt, snapshots }
    }

    /// Runs a cell. Errors, panics of the engine, out-of-memory and interrupts end the cell, never the session.
    pub fn run(&mut self, request: &Request, frontend: Rc<dyn Frontend>) -> Outcome {
        let _ = (request, frontend, &self.config, &self.interrupt, &self.snapshots);
        Outcome { number: self.number, ..Outcome::default() }
    }

    /// The number the next cell that stores history will take.
    pub fn next_number(&self) -> u32 {
        self.number
    }

    /// Computes an expression for `user_expressions`; leaves no trace in `Out`.
    pub fn evaluate(&mut self, expression: &str, frontend: Rc<dyn Frontend>) -> Result<MimeBundle, CellError> {
        let _ = frontend;
        Ok(MimeBundle::plain(expression))
    }

    /// Completions at a byte of a text; runs nothing of the program.
    pub fn complete(&self, source: &str, cursor: usize) -> Completions {
        let _ = source;
        Completions { start: cursor, end: cursor, matches: Vec::new() }
    }

    /// What is known about the name at a byte of a text; runs nothing of the program. `detail` 1 adds the source.
    pub fn inspect(&self, source: &str, cursor: usize, detail: u8) -> Option<MimeBundle> {
        let _ = (source, cursor, detail);
        None
    }

    /// Whether a text is a whole cell.
    pub fn is_complete(&self, source: &str) -> Completeness {
        let _ = source;
        Completeness::Complete
    }

    /// Lines of the history, oldest first.
    pub fn history(&self, query: &HistoryQuery) -> Vec<HistoryEntry> {
        let _ = query;
        Vec::new()
    }
}
