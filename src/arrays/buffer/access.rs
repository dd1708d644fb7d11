//! Bytes of a buffer as the host reads, writes and copies them, in slices that never alias a writer's.

use super::{Borrowed, Buffer};
use crate::arrays::backend::Work;
use crate::arrays::error::ArrayError;
use crate::arrays::mirror::Mirror;
use crate::arrays::{account, attention, ledger, plan, registry, trace};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Buffer {
    /// Reads all bytes after pending writes.
    pub fn read_bytes<R>(&self, read: impl FnOnce(&[u8]) -> R) -> Result<R, ArrayError> {
        self.wait_written()?;
        self.bytes_now(0..self.bytes, read)
    }

    /// Writes bytes after pending reads and writes.
    pub fn write_bytes<R>(&self, write: impl FnOnce(&mut [u8]) -> R) -> Result<R, ArrayError> {
        self.check()?;
        self.wait_idle()?;
        self.bytes_now_mut(0..self.bytes, write)
    }

    /// Copies bytes from one place to another, after pending work on both; the same buffer may be both, and the ranges may
    /// overlap. A range outside either is an error.
    pub fn copy_bytes(
        from: &Buffer,
        from_start: usize,
        to: &Buffer,
        to_start: usize,
        bytes: usize,
    ) -> Result<(), ArrayError> {
        let inside = |buffer: &Buffer, start: usize| start.checked_add(bytes).is_some_and(|end| end <= buffer.bytes);
        if !inside(from, from_start) || !inside(to, to_start) {
            return Err(ArrayError::runtime(format!("{bytes} bytes reach beyond #{} or #{}", from.id, to.id)));
        }
        if plan::is_on() {
            plan::note_written(to.id);
            trace::transferred(bytes as u64, from.device().ledger_name(), to.device().ledger_name());
            return Ok(());
        }
        from.wait_written()?;
        to.check()?;
        to.wait_idle()?;
        let mirrored = !from.host_access() || !to.host_access();
        if from.device() != to.device() && !mirrored {
            account::note_transfer(bytes as u64, from.device().ledger_name(), to.device().ledger_name());
        }
        if from.id == to.id && from.ticket.owner == to.ticket.owner {
            let (low, high) = (from_start.min(to_start), from_start.max(to_start) + bytes);
            return to.bytes_now_mut(low..high, |both| {
                both.copy_within(from_start - low..from_start - low + bytes, to_start - low);
            });
        }
        if mirrored && from.device() == to.device() {
            return Buffer::copy_on_device(from, from_start, to, to_start, bytes);
        }
        from.bytes_now(from_start..from_start + bytes, |source| {
            to.bytes_now_mut(to_start..to_start + bytes, |target| target.copy_from_slice(source))
        })?
    }

    /// A copy between two buffers of one device, done by the device.
    fn copy_on_device(
        from: &Buffer,
        from_start: usize,
        to: &Buffer,
        to_start: usize,
        bytes: usize,
    ) -> Result<(), ArrayError> {
        let live = |buffer: &Buffer| {
            ledger::buffer(buffer.id).ok_or_else(|| {
                ArrayError::runtime("internal error: a copy was asked for outside the evaluator's thread")
            })
        };
        let (source, target) = (live(from)?, live(to)?);
        let work = Work::Copy { from: source.device_address(from_start)?, to: target.device_address(to_start)?, bytes };
        let event = registry::cached_queue(from.device())?.submit_work("copy", &[&source], &[&target], work)?;
        event.wait_interruptible(&attention::handle())
    }

    /// Reads a range without waiting: inside a step, or when the caller has waited.
    pub(in crate::arrays) fn bytes_now<R>(
        &self,
        range: Range<usize>,
        read: impl FnOnce(&[u8]) -> R,
    ) -> Result<R, ArrayError> {
        let len = range.len();
        // SAFETY: `reach` gives a pointer to `len` live bytes, every bit pattern is a valid byte, and writers are refused
        // meanwhile.
        self.reach(range, |start| read(unsafe { std::slice::from_raw_parts(start.as_ptr(), len) }))
    }

    /// Writes a range without waiting.
    pub(in crate::arrays) fn bytes_now_mut<R>(
        &self,
        range: Range<usize>,
        write: impl FnOnce(&mut [u8]) -> R,
    ) -> Result<R, ArrayError> {
        let len = range.len();
        // SAFETY: as in `bytes_now`; the borrow is exclusive, so this is the only reference to the range.
        self.reach_mut(range, |start| write(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), len) }))
    }

    /// Gives `read` the start of a range where the host reaches it: the memory itself, or a copy. Writers of the range are
    /// refused meanwhile, and the memory lives; the bytes of a copy are `read`'s own to change, and are not written back.
    pub(in crate::arrays) fn reach<R>(
        &self,
        range: Range<usize>,
        read: impl FnOnce(NonNull<u8>) -> R,
    ) -> Result<R, ArrayError> {
        self.check()?;
        let _borrow = self.borrow_range(range.start, range.end, false)?;
        if !self.host_access() {
            let mirror = Mirror::of(self, range)?;
            return Ok(read(mirror.start()?));
        }
        // SAFETY: the range lies inside the block (asserted by the borrow), which is alive (checked, and the borrow blocks
        // revocation).
        Ok(read(unsafe { self.start.add(range.start) }))
    }

    /// As [`Buffer::reach`] for writing: the range is the caller's alone, and a copy is written back.
    pub(in crate::arrays) fn reach_mut<R>(
        &self,
        range: Range<usize>,
        write: impl FnOnce(NonNull<u8>) -> R,
    ) -> Result<R, ArrayError> {
        self.check()?;
        let _borrow = self.borrow_range(range.start, range.end, true)?;
        if !self.host_access() {
            let mirror = Mirror::of(self, range)?;
            let answer = write(mirror.start()?);
            mirror.upload()?;
            return Ok(answer);
        }
        self.blank.store(false, Ordering::Relaxed);
        // SAFETY: as in `reach`.
        Ok(write(unsafe { self.start.add(range.start) }))
    }

    #[cold]
    fn check_readable_in_plan(&self, exclusive: bool) -> Result<(), ArrayError> {
        if !plan::is_on() {
            return Err(ArrayError::runtime(format!("#{} was planned and never computed", self.id)));
        }
        if exclusive {
            return Err(plan::stop("what comes next writes memory in a way that a plan does not follow"));
        }
        if self.is_planned || plan::would_have_written(self.id) {
            return Err(plan::stop("what comes next depends on values that only running gives"));
        }
        Ok(())
    }

    /// Registers a slice of the bytes `start..end`; refused when it would alias a writer's.
    pub(in crate::arrays) fn borrow_range(
        &self,
        start: usize,
        end: usize,
        exclusive: bool,
    ) -> Result<RangeBorrow<'_>, ArrayError> {
        assert!(start <= end && end <= self.bytes, "a view reaches beyond its buffer");
        if self.is_planned || plan::is_on() {
            self.check_readable_in_plan(exclusive)?;
        }
        let mut borrowed = self.borrowed.lock().unwrap_or_else(PoisonError::into_inner);
        let clash = |other: &Borrowed| (exclusive || other.exclusive) && start < other.end && other.start < end;
        if borrowed.iter().any(clash) {
            return Err(ArrayError::runtime(format!("overlapping parts of #{} are in use at the same time", self.id)));
        }
        let mine = Borrowed { start, end, exclusive };
        borrowed.push(mine);
        Ok(RangeBorrow { buffer: self, mine })
    }
}

/// A registered slice; ends when dropped.
pub(in crate::arrays) struct RangeBorrow<'a> {
    buffer: &'a Buffer,
    mine: Borrowed,
}

impl Drop for RangeBorrow<'_> {
    fn drop(&mut self) {
        let mut borrowed = self.buffer.borrowed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = borrowed.iter().position(|other| *other == self.mine) {
            borrowed.swap_remove(position);
        }
    }
}
