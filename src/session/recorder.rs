//! A front end that keeps every event and answers `input()` from a list: what the tests of a session look at.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::frontend::{CellEvent, Frontend, FrontendGone, ReadLineError, Stream};
use crate::display::to_plain;

/// A front end that records.
#[derive(Debug, Default)]
pub struct Recorder {
    events: RefCell<Vec<CellEvent>>,
    answers: RefCell<VecDeque<String>>,
    prompts: RefCell<Vec<String>>,
    is_gone: Cell<bool>,
    columns: Cell<Option<usize>>,
}

impl Recorder {
    /// A recorder without answers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A recorder that answers `input()` with these lines, then ends.
    pub fn with_answers<'a>(answers: impl IntoIterator<Item = &'a str>) -> Self {
        Self { answers: RefCell::new(answers.into_iter().map(str::to_owned).collect()), ..Self::default() }
    }

    /// From here on text may take so many columns.
    pub fn set_width(&self, columns: usize) {
        self.columns.set(Some(columns));
    }

    /// From here on the front end has gone.
    pub fn leave(&self) {
        self.is_gone.set(true);
    }

    /// Takes the events seen so far.
    pub fn take(&self) -> Vec<CellEvent> {
        std::mem::take(&mut *self.events.borrow_mut())
    }

    /// The events seen since they were last taken.
    pub fn events(&self) -> Vec<CellEvent> {
        self.events.borrow().clone()
    }

    /// Prompts that `input()` showed.
    pub fn prompts(&self) -> Vec<String> {
        self.prompts.borrow().clone()
    }

    /// All text on one stream so far.
    pub fn text(&self, stream: Stream) -> String {
        let mut all = String::new();
        for event in self.events.borrow().iter() {
            if let CellEvent::Text { stream: on, text } = event
                && *on == stream
            {
                all.push_str(text);
            }
        }
        all
    }

    /// The notices so far, one line each.
    pub fn notices(&self) -> Vec<String> {
        let notice = |event: &CellEvent| match event {
            CellEvent::Notice(markup) => Some(to_plain(markup, usize::MAX)),
            _ => None,
        };
        self.events.borrow().iter().filter_map(notice).collect()
    }

    /// The plain text of results and displays so far.
    pub fn shown(&self) -> Vec<String> {
        let shown = |event: &CellEvent| match event {
            CellEvent::Result { bundle, .. } | CellEvent::Display { bundle, .. } => {
                Some(bundle.plain_text().to_owned())
            }
            _ => None,
        };
        self.events.borrow().iter().filter_map(shown).collect()
    }
}

impl Frontend for Recorder {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        if self.is_gone.get() {
            return Err(FrontendGone);
        }
        self.events.borrow_mut().push(event);
        Ok(())
    }

    fn width(&self) -> usize {
        self.columns.get().unwrap_or(100)
    }

    fn read_line(&self, prompt: &str, _hidden: bool) -> Result<String, ReadLineError> {
        self.prompts.borrow_mut().push(prompt.to_owned());
        self.answers.borrow_mut().pop_front().ok_or(ReadLineError::End)
    }
}
