//! Interrupts, from the control channel or a signal, to whatever the executor is doing.
//!
//! An interrupt ends the running cell and nothing else: with no cell running it is ignored, since front ends send one
//! before every shutdown.

use super::mailbox::Wake;
use crate::session::Interrupt;
use std::io;
use std::os::fd::RawFd;
use std::sync::{Mutex, PoisonError};

/// The way from a signal or a message to the running cell.
pub struct Interrupter {
    session: Interrupt,
    is_running: Mutex<bool>,
    wake: Wake,
}

impl Interrupter {
    /// An interrupter with no cell running, which raises `session`.
    pub fn new(session: Interrupt) -> io::Result<Interrupter> {
        Ok(Interrupter { session, is_running: Mutex::new(false), wake: Wake::new()? })
    }

    /// Interrupts the running cell; says whether there was one.
    pub fn interrupt(&self) -> bool {
        let is_running = self.is_running.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_running {
            self.session.raise();
            self.wake.set();
        }
        *is_running
    }

    /// A cell begins; an older interrupt is forgotten.
    pub fn begin(&self) {
        let mut is_running = self.is_running.lock().unwrap_or_else(PoisonError::into_inner);
        self.session.clear();
        self.wake.clear();
        *is_running = true;
    }

    /// The cell has ended.
    pub fn end(&self) {
        *self.is_running.lock().unwrap_or_else(PoisonError::into_inner) = false;
    }

    /// Whether the running cell has been interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.session.is_raised()
    }

    /// Readable once the running cell has been interrupted; waits for input poll it.
    pub fn descriptor(&self) -> RawFd {
        self.wake.descriptor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_set(interrupter: &Interrupter) -> bool {
        let mut items = [zmq::PollItem::from_fd(interrupter.descriptor(), zmq::POLLIN)];
        zmq::poll(&mut items, 0).unwrap() == 1
    }

    #[test]
    fn only_a_running_cell_is_interrupted() {
        let session = Interrupt::new();
        let interrupter = Interrupter::new(session.clone()).unwrap();
        assert!(!interrupter.interrupt() && !session.is_raised());
        interrupter.begin();
        assert!(!is_set(&interrupter), "the interrupt before the cell is forgotten");
        assert!(interrupter.interrupt() && is_set(&interrupter) && session.is_raised());
        interrupter.end();
        assert!(!interrupter.interrupt());
        interrupter.begin();
        assert!(!is_set(&interrupter) && !session.is_raised());
    }
}
