//! The completion pop-up: matches with what they are, and what is known about the chosen one.

use crate::session::{Completions, Match};

/// Matches to choose from.
pub(super) struct Popup {
    found: Completions,
    chosen: usize,
    /// What is known about the chosen match.
    pub(super) doc: Option<String>,
}

impl Popup {
    /// A pop-up, unless there is nothing to choose.
    pub(super) fn new(found: Completions) -> Option<Popup> {
        (!found.matches.is_empty()).then_some(Popup { found, chosen: 0, doc: None })
    }

    /// Chooses another match, round the ends.
    pub(super) fn choose(&mut self, by: isize) {
        let len = self.found.matches.len() as isize;
        self.chosen = (self.chosen as isize + by).rem_euclid(len) as usize;
        self.doc = None;
    }

    /// The matches, and which is chosen.
    pub(super) fn matches(&self) -> (&[Match], usize) {
        (&self.found.matches, self.chosen)
    }

    /// What the chosen match puts in.
    pub(super) fn text(&self) -> Option<&str> {
        self.found.matches.get(self.chosen).map(|found| found.text.as_str())
    }

    /// First byte that a match replaces.
    pub(super) fn start(&self) -> usize {
        self.found.start
    }

    /// One past the last byte that a match replaces.
    pub(super) fn end(&self) -> usize {
        self.found.end
    }

    /// The text with the chosen match put in, and the byte behind it.
    pub(super) fn applied(&self, text: &str) -> Option<(String, usize)> {
        let put = self.text()?;
        let (before, after) = (text.get(..self.start())?, text.get(self.end()..)?);
        Some((format!("{before}{put}{after}"), before.len() + put.len()))
    }
}
