//! The handle by which other threads and signal handlers stop a running cell.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use crate::arrays::attention::Attention;
use crate::lang::vm::attention;

/// Stops a running cell; cheap to clone, safe to raise from any thread and from a signal handler.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// What loops over elements poll.
    arrays: Attention,
    /// What the machine polls; there once the session has a machine.
    machine: OnceLock<Arc<AtomicU32>>,
}

impl Interrupt {
    /// A handle that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the running cell to end with `KeyboardInterrupt`. Stays raised until it is delivered or lowered: whoever runs
    /// cells lowers it when an interrupt can no longer be meant for the next one.
    pub fn raise(&self) {
        self.0.arrays.interrupt();
        if let Some(word) = self.0.machine.get() {
            word.fetch_or(attention::INTERRUPT, Ordering::Relaxed);
        }
    }

    /// Whether it is raised and not delivered yet.
    pub fn is_raised(&self) -> bool {
        self.0.arrays.interrupted()
    }

    /// Lowers it.
    pub fn clear(&self) {
        self.0.arrays.clear();
        if let Some(word) = self.0.machine.get() {
            word.fetch_and(!attention::INTERRUPT, Ordering::Relaxed);
        }
    }

    /// The flag that the arrays poll.
    pub(super) fn attention(&self) -> Attention {
        self.0.arrays.clone()
    }

    /// Connects the machine's word; one that was raised before is raised there too.
    pub(super) fn attach(&self, word: Arc<AtomicU32>) {
        let _ = self.0.machine.set(word);
        if self.is_raised() {
            self.raise();
        }
    }
}
