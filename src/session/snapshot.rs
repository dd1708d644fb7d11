//! The published state that control, completion and gauges read while a cell runs, without waiting for the evaluator.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use super::asked::{AskedFree, AskedFrees, frees_json};
use super::explain::{Explained, explain};
use crate::lang::vm::attention;

/// A name of the session as the last snapshot saw it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SnapshotName {
    /// The name.
    pub name: String,
    /// The class of its value.
    pub type_name: String,
    /// A short text of the value: numbers and strings themselves, arrays their facts.
    pub summary: String,
    /// Bytes of array memory it reaches first.
    pub bytes: u64,
    /// Numbers of the allocations it keeps alive; nothing where that was too much to look at.
    pub reaches: Option<Vec<u64>>,
}

/// The session at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// When it was taken.
    pub time: SystemTime,
    /// The number of the cell that ran then, nothing between cells.
    pub running: Option<u32>,
    /// Raised by every snapshot, so that a reader knows whether anything changed.
    pub version: u64,
    /// The session's names, sorted.
    pub names: Vec<SnapshotName>,
    /// The object of `%mem --json`.
    pub memory: serde_json::Value,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self {
            time: SystemTime::UNIX_EPOCH,
            running: None,
            version: 0,
            names: Vec::new(),
            memory: serde_json::Value::Null,
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    latest: Mutex<Arc<Snapshot>>,
    is_wanted: AtomicBool,
    /// What the machine polls; there once the session has a machine.
    machine: OnceLock<Arc<AtomicU32>>,
    frees: AskedFrees,
}

/// Reads snapshots from any thread.
#[derive(Clone, Debug, Default)]
pub struct Snapshots(Arc<Shared>);

impl Snapshots {
    /// The last one published. The lock is held for one pointer copy.
    pub fn latest(&self) -> Arc<Snapshot> {
        self.0.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the evaluator for a fresh one at its next safe point; returns at once.
    pub fn request(&self) {
        self.0.is_wanted.store(true, Ordering::Relaxed);
        if let Some(word) = self.0.machine.get() {
            word.fetch_or(attention::SNAPSHOT, Ordering::Relaxed);
        }
    }

    /// Whether one was asked for since the last was published.
    pub fn is_wanted(&self) -> bool {
        self.0.is_wanted.load(Ordering::Relaxed)
    }

    /// Asks for a `%free`, in the words that follow it. While a cell runs it waits for the cell's end; between cells, for
    /// whoever runs them to call [`super::Session::grant_frees`]. Answers its number in [`Snapshots::frees`].
    pub fn ask_free(&self, line: &str) -> u64 {
        self.0.frees.ask(line)
    }

    /// The frees that were asked for, with how far they have come, oldest first.
    pub fn frees(&self) -> Vec<AskedFree> {
        self.0.frees.all()
    }

    /// The object of `%mem --json` as last published, with the frees that were asked for since.
    pub fn memory(&self) -> serde_json::Value {
        let mut memory = self.latest().memory.clone();
        if memory.is_object() {
            memory["frees"] = frees_json(&self.frees());
        }
        memory
    }

    /// Answers `%mem` with what follows it from what was published last, at once, and asks for something fresher.
    pub fn explain(&self, line: &str) -> Result<Explained, String> {
        let answer = explain(&self.latest(), line, SystemTime::now());
        self.request();
        answer
    }

    /// What waits and what comes of it, for the evaluator.
    pub(super) fn asked(&self) -> &AskedFrees {
        &self.0.frees
    }

    /// Connects the machine's word.
    pub(super) fn attach(&self, word: Arc<AtomicU32>) {
        let _ = self.0.machine.set(word);
    }

    /// Publishes a snapshot under the next version.
    pub(super) fn publish(&self, mut snapshot: Snapshot) {
        self.0.is_wanted.store(false, Ordering::Relaxed);
        let mut latest = self.0.latest.lock().unwrap_or_else(PoisonError::into_inner);
        snapshot.version = latest.version + 1;
        *latest = Arc::new(snapshot);
    }
}
