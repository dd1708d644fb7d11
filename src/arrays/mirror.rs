//! The host's view of device memory that it cannot touch: a copy in memory that both reach.
//!
//! The copy is an allocation like any other, so that the ledger knows of it, and each way is a transfer in the cell's
//! account. It is host USM of the same device, which drivers copy to and from directly.

use super::backend::{UsmKind, Work};
use super::buffer::{Buffer, Request};
use super::device::{Place, QueueHandle};
use super::error::ArrayError;
use super::event;
use super::{account, attention, ledger, registry};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;

/// A range of a buffer, copied to where the host reaches it.
pub(super) struct Mirror {
    of: Arc<Buffer>,
    range: Range<usize>,
    copy: Arc<Buffer>,
    queue: QueueHandle,
}

impl Mirror {
    /// A copy of a range, after pending writes of it; of unspecified content if nobody ever wrote the buffer.
    pub(super) fn of(buffer: &Buffer, range: Range<usize>) -> Result<Mirror, ArrayError> {
        let outside = || ArrayError::runtime("internal error: a step reached for memory that the host cannot touch");
        if event::in_step() {
            return Err(outside());
        }
        let of =
            ledger::buffer(buffer.id()).filter(|found| std::ptr::eq(&raw const **found, buffer)).ok_or_else(outside)?;
        let queue = registry::cached_queue(of.device())?;
        let place = Place::Queue(queue.clone());
        let request = Request::new(&place, UsmKind::Host, range.len());
        let copy = ledger::with_op("staging", || Buffer::allocate(&request))?;
        let mirror = Mirror { of, range, copy, queue };
        if !mirror.of.is_blank() && !mirror.range.is_empty() {
            let (from, to) = (mirror.address()?, mirror.copy.device_address(0)?);
            let work = Work::Copy { from, to, bytes: mirror.range.len() };
            let event = mirror.queue.submit_work("download", &[&mirror.of], &[&mirror.copy], work)?;
            account::note_transfer(mirror.range.len() as u64, mirror.of.device().ledger_name(), "host");
            event.wait_interruptible(&attention::handle())?;
        }
        Ok(mirror)
    }

    /// The first byte of the copy, which lives as long as the mirror.
    pub(super) fn start(&self) -> Result<NonNull<u8>, ArrayError> {
        self.copy.pointer()
    }

    /// Copies everything back, as work that later work on the buffer waits for.
    pub(super) fn upload(self) -> Result<(), ArrayError> {
        if self.range.is_empty() {
            return Ok(());
        }
        let (from, to) = (self.copy.device_address(0)?, self.address()?);
        let work = Work::Copy { from, to, bytes: self.range.len() };
        self.queue.submit_work("upload", &[&self.copy], &[&self.of], work)?;
        account::note_transfer(self.range.len() as u64, "host", self.of.device().ledger_name());
        Ok(())
    }

    fn address(&self) -> Result<usize, ArrayError> {
        self.of.device_address(self.range.start)
    }
}
