//! What the kernel asks of the engine behind it, in the session's own words. [`Session`] is the engine; the wire tests
//! put a scripted one in its place, so that they fail for reasons of the wire only.

use crate::display::MimeBundle;
use crate::session::{
    CellError, Completeness, Completions, Frontend, HistoryEntry, HistoryQuery, Outcome, Request, Session,
};
use std::rc::Rc;

/// The engine that runs cells, on the executor's thread.
pub trait Engine {
    /// The number that the next stored cell will have.
    fn next_number(&self) -> u32;
    /// Runs a cell, telling `frontend` what it shows.
    fn run(&mut self, cell: &Request, frontend: Rc<dyn Frontend>) -> Outcome;
    /// The cell that calls what the program wants called at its end; nothing when there is none.
    fn last_cell(&self) -> Option<Request> {
        None
    }
    /// Does the frees that were asked for from the control channel while nothing runs.
    fn grant_frees(&mut self) {}
    /// Evaluates an expression for a front end: nothing is counted or kept.
    fn evaluate(&mut self, expression: &str, frontend: Rc<dyn Frontend>) -> Result<MimeBundle, CellError>;
    /// What may stand at byte `cursor` of `source`.
    fn complete(&mut self, source: &str, cursor: usize) -> Completions;
    /// What is known about the name at byte `cursor` of `source`; more of it with a higher `detail`.
    fn inspect(&mut self, source: &str, cursor: usize, detail: u8) -> Option<MimeBundle>;
    /// Whether `source` can run as it stands.
    fn is_complete(&self, source: &str) -> Completeness;
    /// Past cells, oldest first.
    fn history(&self, query: &HistoryQuery) -> Vec<HistoryEntry>;
}

impl Engine for Session {
    fn next_number(&self) -> u32 {
        Session::next_number(self)
    }
    fn run(&mut self, cell: &Request, frontend: Rc<dyn Frontend>) -> Outcome {
        Session::run(self, cell, frontend)
    }
    fn last_cell(&self) -> Option<Request> {
        Session::last_cell(self)
    }
    fn grant_frees(&mut self) {
        Session::grant_frees(self);
    }
    fn evaluate(&mut self, expression: &str, frontend: Rc<dyn Frontend>) -> Result<MimeBundle, CellError> {
        Session::evaluate(self, expression, frontend)
    }
    fn complete(&mut self, source: &str, cursor: usize) -> Completions {
        Session::complete(self, source, cursor)
    }
    fn inspect(&mut self, source: &str, cursor: usize, detail: u8) -> Option<MimeBundle> {
        Session::inspect(self, source, cursor, detail)
    }
    fn is_complete(&self, source: &str) -> Completeness {
        Session::is_complete(self, source)
    }
    fn history(&self, query: &HistoryQuery) -> Vec<HistoryEntry> {
        Session::history(self, query)
    }
}
