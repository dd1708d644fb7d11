//! Interrupts, from the control channel or a signal, to whatever the executor is doing.
//!
//! An interrupt ends the running cell and nothing else: with no cell running it is ignored, since front ends send one
//! before every shutdown.

use super::mailbox::Wake;
use std::io;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The way from a signal or a message to the running cell.
pub struct Interrupter {
    running: Mutex<Option<Trigger>>,
    interrupted: AtomicBool,
    wake: Wake,
}

/// How the session is told to stop.
pub type Trigger = Box<dyn Fn() + Send>;

impl Interrupter {
    /// An interrupter with no cell running.
    pub fn new() -> io::Result<Interrupter> {
        Ok(Interrupter { running: Mutex::new(None), interrupted: AtomicBool::new(false), wake: Wake::new()? })
    }

    /// Interrupts the running cell; says whether there was one.
    pub fn interrupt(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(trigger) = running.as_ref() else {
            return false;
        };
        self.interrupted.store(true, Ordering::Relaxed);
        trigger();
        self.wake.set();
        true
    }

    /// A cell begins, which `trigger` will interrupt; an older interrupt is forgotten.
    pub fn begin(&self, trigger: Trigger) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        self.interrupted.store(false, Ordering::Relaxed);
        self.wake.clear();
        *running = Some(trigger);
    }

    /// The cell has ended.
    pub fn end(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether the running cell has been interrupted.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Readable once the running cell has been interrupted; waits for input poll it.
    pub fn descriptor(&self) -> RawFd {
        self.wake.descriptor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn is_set(interrupter: &Interrupter) -> bool {
        let mut items = [zmq::PollItem::from_fd(interrupter.descriptor(), zmq::POLLIN)];
        zmq::poll(&mut items, 0).unwrap() == 1
    }

    #[test]
    fn only_a_running_cell_is_interrupted() {
        let interrupter = Interrupter::new().unwrap();
        let count = Arc::new(AtomicUsize::new(0));
        assert!(!interrupter.interrupt());
        let counted = Arc::clone(&count);
        interrupter.begin(Box::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        }));
        assert!(!is_set(&interrupter), "the interrupt before the cell is forgotten");
        assert!(interrupter.interrupt() && is_set(&interrupter));
        interrupter.end();
        assert!(!interrupter.interrupt());
        assert_eq!(count.load(Ordering::Relaxed), 1);
        interrupter.begin(Box::new(|| {}));
        assert!(!is_set(&interrupter));
    }
}
