//! The interrupt flag that long loops poll.
//!
//! One flag belongs to one session: the session installs its [`Attention`] on the evaluator thread and keeps a clone to
//! raise from a signal or a control message. Worker threads (rayon, simulated devices) have no flag of their own: code
//! that fans out takes [`handle`] first and polls the clone.

use super::error::ArrayError;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A shareable interrupt flag.
#[derive(Clone, Debug, Default)]
pub struct Attention(Arc<AtomicBool>);

thread_local! {
    static CURRENT: RefCell<Attention> = RefCell::new(Attention::default());
}

impl Attention {
    /// Asks the computation that polls this flag to stop.
    pub fn interrupt(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Lowers the flag; the session does so when a cell starts and when the interrupt was delivered.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether a stop was asked for: one relaxed load.
    pub fn interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error when a stop was asked for, for use with `?` at tile boundaries.
    pub fn check(&self) -> Result<(), ArrayError> {
        if self.interrupted() { Err(ArrayError::Interrupted) } else { Ok(()) }
    }
}

/// Makes `attention` the flag of this thread.
pub fn install(attention: Attention) {
    CURRENT.with(|current| *current.borrow_mut() = attention);
}

/// This thread's flag, to be polled by workers.
pub fn handle() -> Attention {
    CURRENT.with(|current| current.borrow().clone())
}

/// Whether a stop was asked of this thread.
pub fn interrupted() -> bool {
    CURRENT.with(|current| current.borrow().interrupted())
}

/// An error when a stop was asked of this thread.
pub fn check() -> Result<(), ArrayError> {
    if interrupted() { Err(ArrayError::Interrupted) } else { Ok(()) }
}
