//! The handle by which other threads and signal handlers stop a running cell.

use crate::arrays::attention::Attention;

/// Stops a running cell; cheap to clone, safe to raise from any thread and from a signal handler.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Attention);

impl Interrupt {
    /// A handle that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the running cell to end with `KeyboardInterrupt`. Between cells it does nothing: a cell starts with the
    /// handle lowered.
    pub fn raise(&self) {
        self.0.interrupt();
    }

    /// Whether it is raised and not delivered yet.
    pub fn is_raised(&self) -> bool {
        self.0.interrupted()
    }

    /// Lowers it.
    pub fn clear(&self) {
        self.0.clear();
    }

    /// The flag that the machine and the arrays poll.
    pub(super) fn attention(&self) -> Attention {
        self.0.clone()
    }
}
