//! Which queued work last wrote and read a buffer, and waiting for it.

use super::Buffer;
use crate::arrays::attention;
use crate::arrays::error::ArrayError;
use crate::arrays::event::{self, Event};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Buffer {
    /// Events of queued work that writes this buffer.
    pub(in crate::arrays) fn collect_writes(&self, events: &mut Vec<Event>) {
        self.collect(events, false);
    }

    /// Events of queued work that reads or writes this buffer.
    pub(in crate::arrays) fn collect_all(&self, events: &mut Vec<Event>) {
        self.collect(events, true);
    }

    fn collect(&self, events: &mut Vec<Event>, reads_too: bool) {
        if !self.has_pending.load(Ordering::Acquire) {
            return;
        }
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let reads = if reads_too { pending.reads.as_slice() } else { &[] };
        for event in pending.write.iter().chain(reads) {
            if !events.iter().any(|known| known.is_same(event)) {
                events.push(event.clone());
            }
        }
    }

    pub(in crate::arrays) fn note_read(&self, event: &Event) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.reads.retain(|earlier| !earlier.is_complete());
        pending.reads.push(event.clone());
        self.has_pending.store(true, Ordering::Release);
    }

    pub(in crate::arrays) fn note_write(&self, event: &Event) {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        pending.write = Some(event.clone());
        self.blank.store(false, Ordering::Relaxed);
        self.has_pending.store(true, Ordering::Release);
    }

    /// Waits until what was queued to write the buffer has ended, so that the host may read it. The error of that work,
    /// if it failed, is returned here, and again at each later read: the content is not what the program asked for.
    pub fn wait_written(&self) -> Result<(), ArrayError> {
        self.check()?;
        if !self.has_pending.load(Ordering::Acquire) || event::in_step() {
            return Ok(());
        }
        let write = self.pending.lock().unwrap_or_else(PoisonError::into_inner).write.clone();
        write.map_or(Ok(()), |event| event.wait_interruptible(&attention::handle()))
    }

    /// Waits until no queued work reads or writes the buffer, so that the host may write it. Failures do not matter to
    /// who writes it anew.
    pub fn wait_idle(&self) -> Result<(), ArrayError> {
        let mut events = Vec::new();
        if !event::in_step() {
            self.collect_all(&mut events);
        }
        if events.is_empty() {
            return Ok(());
        }
        let attention = attention::handle();
        events.iter().try_for_each(|event| event.wait_end_interruptible(&attention))
    }
}
