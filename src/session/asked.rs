//! What is asked of the session from other threads while a cell runs: frees, which wait for the cell's end.
//!
//! Only the evaluator changes holders, so a free asked for from elsewhere is written down, shown as pending, and done by the
//! evaluator when the cell has ended; what came of it stays readable for a while.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

/// Answers that are kept for whoever asks what came of them.
const KEPT: usize = 32;

/// How far a free that was asked for has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits for the end of the running cell.
    Pending,
    /// It was done, and what that said.
    Done(String),
    /// It could not be done, and why.
    Failed(String),
}

/// A free that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedFree {
    /// Its number, counted from 1.
    pub id: u64,
    /// What follows `%free`.
    pub line: String,
    /// How far it has come.
    pub progress: Progress,
}

/// The frees that were asked for, oldest first.
#[derive(Debug, Default)]
pub(super) struct AskedFrees(Mutex<Asked>);

#[derive(Debug, Default)]
struct Asked {
    last: u64,
    list: VecDeque<AskedFree>,
}

impl AskedFrees {
    fn with<R>(&self, work: impl FnOnce(&mut Asked) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Writes one down; answers its number.
    pub(super) fn ask(&self, line: &str) -> u64 {
        self.with(|asked| {
            asked.last += 1;
            let id = asked.last;
            asked.list.push_back(AskedFree { id, line: line.trim().to_owned(), progress: Progress::Pending });
            // Those that wait are never forgotten.
            while asked.list.len() > KEPT
                && let Some(at) = asked.list.iter().position(|free| free.progress != Progress::Pending)
            {
                asked.list.remove(at);
            }
            id
        })
    }

    /// All that are remembered.
    pub(super) fn all(&self) -> Vec<AskedFree> {
        self.with(|asked| asked.list.iter().cloned().collect())
    }

    /// The first one that waits.
    pub(super) fn next_pending(&self) -> Option<AskedFree> {
        self.with(|asked| asked.list.iter().find(|free| free.progress == Progress::Pending).cloned())
    }

    /// Notes what came of one.
    pub(super) fn finish(&self, id: u64, progress: Progress) {
        self.with(|asked| {
            if let Some(free) = asked.list.iter_mut().find(|free| free.id == id) {
                free.progress = progress;
            }
        });
    }
}

/// The frees as they stand in JSON beside the memory.
pub fn frees_json(frees: &[AskedFree]) -> Value {
    let one = |free: &AskedFree| match &free.progress {
        Progress::Pending => json!({"id": free.id, "line": free.line, "state": "pending"}),
        Progress::Done(text) => json!({"id": free.id, "line": free.line, "state": "done", "text": text}),
        Progress::Failed(text) => json!({"id": free.id, "line": free.line, "state": "failed", "text": text}),
    };
    frees.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_forgotten_before_questions() {
        let asked = AskedFrees::default();
        let first = asked.ask(" x ");
        for _ in 0..KEPT {
            let id = asked.ask("y");
            asked.finish(id, Progress::Done(String::new()));
        }
        let all = asked.all();
        assert_eq!(all.len(), KEPT);
        assert_eq!((all[0].id, all[0].line.as_str(), &all[0].progress), (first, "x", &Progress::Pending));
        assert_eq!(asked.next_pending().map(|free| free.id), Some(first));
        asked.finish(first, Progress::Failed("no".into()));
        assert!(asked.next_pending().is_none());
        assert_eq!(frees_json(&asked.all()[..1])[0]["state"], "failed");
    }
}
