//! Arrays on their way: to other queues and places, and work on them that queues do.

use super::{Alloc, Array};
use crate::arrays::backend::{UsmKind, Work};
use crate::arrays::buffer::Buffer;
use crate::arrays::device::{Place, QueueHandle};
use crate::arrays::dtype::{Element, dispatch};
use crate::arrays::error::ArrayError;
use crate::arrays::event::{Event, clock_ns};
use crate::arrays::layout::Layout;
use crate::arrays::{account, attention, plan, trace};
use std::sync::Arc;

impl Array {
    /// The same memory reached through another queue of the same context.
    pub fn with_queue(&self, queue: QueueHandle) -> Result<Array, ArrayError> {
        if self.buffer.context() != Some(queue.context()) {
            return Err(ArrayError::value("the memory belongs to another context than the queue"));
        }
        Ok(Array { place: Place::Queue(queue), ..self.clone() })
    }

    /// The array on another queue: the same memory within a context, else a compact copy through the host.
    pub fn to_queue(&self, queue: &QueueHandle) -> Result<Array, ArrayError> {
        if self.buffer.context() == Some(queue.context()) {
            return self.with_queue(queue.clone());
        }
        let usm = self.usm().unwrap_or(UsmKind::Device);
        self.copy_to(&Alloc::queue(queue.clone(), usm))
    }

    /// A C-ordered copy elsewhere, made through the host; a copy between places is in the cell's account.
    pub fn copy_to(&self, alloc: &Alloc) -> Result<Array, ArrayError> {
        let narrowed = self.dtype.narrowed(alloc.place.fp64());
        if narrowed != self.dtype {
            return Err(ArrayError::value(format!(
                "Requested dtype '{}' is not supported by the target device",
                self.dtype
            )));
        }
        let target_reachable = alloc.place.device().host_access(alloc.usm);
        if !self.buffer.host_access() && !target_reachable && *self.device() != alloc.place.device() {
            // Neither driver knows the other's memory.
            return self.copy_to(&Alloc::HOST)?.copy_to(alloc);
        }
        let copy = Array::for_overwrite(self.shape(), self.dtype, alloc)?;
        if self.is_c_contiguous() && self.copy_by_queue(&copy)? {
            return Ok(copy);
        }
        if copy.is_only_noted() {
            return Ok(copy);
        }
        let (from, to) = (self.clone(), copy.clone());
        let work = move || dispatch!(from.dtype, T => from.copy_elements::<T>(&to));
        if !self.buffer.host_access() || !target_reachable {
            // Copies for the host are made on the way, and are in the account.
            work()?;
            return Ok(copy);
        }
        self.note_transfer_to(&copy);
        if !copy.place.is_immediate() {
            copy.submit("upload", &[self], &[&copy], work)?;
        } else if !self.place.is_immediate() {
            let event = self.submit("download", &[self], &[&copy], work)?;
            event.wait_interruptible(&attention::handle())?;
        } else {
            work()?;
        }
        Ok(copy)
    }

    fn note_transfer_to(&self, copy: &Array) {
        if copy.device() != self.device() {
            account::note_transfer(self.bytes() as u64, self.device().ledger_name(), copy.device().ledger_name());
        }
    }

    /// Copies contiguous elements as work of the queue that knows the memory on either side; answers whether there is one.
    fn copy_by_queue(&self, copy: &Array) -> Result<bool, ArrayError> {
        let asynchronous = |array: &Array| array.place.queue().filter(|queue| !queue.is_immediate()).cloned();
        let to_host_only = copy.place.is_immediate();
        let queue = if self.buffer.host_access() && !to_host_only { asynchronous(copy) } else { asynchronous(self) };
        let Some(queue) = queue else { return Ok(false) };
        // Bytes that are no boolean are made one by the host where it can, so that no reader needs to.
        if self.dtype.is_bool() && self.buffer.host_access() && copy.buffer.host_access() {
            return Ok(false);
        }
        self.note_transfer_to(copy);
        if self.bytes() == 0 {
            return Ok(true);
        }
        let work = Work::Copy { from: self.device_address()?, to: copy.device_address()?, bytes: self.bytes() };
        let label = if to_host_only { "download" } else { "upload" };
        let event = queue.submit_work(label, &[&self.buffer], &[&copy.buffer], work)?;
        if to_host_only {
            event.wait_interruptible(&attention::handle())?;
        }
        Ok(true)
    }

    /// Copies the elements into another array of the same shape and dtype in other memory, whatever either's layout; the
    /// host does it, and what it cannot touch is brought to it and back.
    pub(in crate::arrays) fn copy_into(&self, target: &Array) -> Result<(), ArrayError> {
        debug_assert_eq!(self.shape(), target.shape());
        dispatch!(self.dtype, T => self.copy_elements::<T>(target))
    }

    fn copy_elements<T: Element>(&self, target: &Array) -> Result<(), ArrayError> {
        if self.is_c_contiguous() && target.is_c_contiguous() {
            return self.with_slice(|from: &[T]| target.with_slice_mut(|to: &mut [T]| to.copy_from_slice(from)))?;
        }
        let (Some((source, low)), Some((stretch, start))) = (self.stretch(), target.stretch()) else { return Ok(()) };
        source.with_slice(|from: &[T]| {
            stretch.with_slice_mut(|to: &mut [T]| {
                for (position, place) in self.layout.positions().zip(target.layout.positions()) {
                    to[place - start] = from[position - low];
                }
            })
        })?
    }

    /// What lies between the first and the last element in memory, and where that begins; nothing without elements.
    fn stretch(&self) -> Option<(Array, usize)> {
        let (low, high) = self.layout.bounds()?;
        Some((self.view(Layout { offset: low, ..Layout::contiguous(&[high + 1 - low]) }), low))
    }

    /// Submits work on arrays to this array's queue; on the host, and on immediate queues, it runs here and now.
    pub fn submit<F>(
        &self,
        label: &'static str,
        reads: &[&Array],
        writes: &[&Array],
        work: F,
    ) -> Result<Event, ArrayError>
    where
        F: FnOnce() -> Result<(), ArrayError> + Send + 'static,
    {
        if trace::is_active() {
            if plan::is_on() {
                writes.iter().for_each(|array| plan::note_written(array.buffer.id()));
                trace::ran(label, self.device().clone(), reads, writes, None);
                return Ok(Event::completed());
            }
            let began = clock_ns();
            let outcome = self.submit_quietly(label, reads, writes, work);
            let took_ns = self.place.is_immediate().then(|| clock_ns() - began);
            trace::ran(label, self.device().clone(), reads, writes, took_ns);
            return outcome;
        }
        self.submit_quietly(label, reads, writes, work)
    }

    fn submit_quietly<F>(
        &self,
        label: &'static str,
        reads: &[&Array],
        writes: &[&Array],
        work: F,
    ) -> Result<Event, ArrayError>
    where
        F: FnOnce() -> Result<(), ArrayError> + Send + 'static,
    {
        let read_buffers: smallvec::SmallVec<[&Arc<Buffer>; 8]> = reads.iter().map(|array| &array.buffer).collect();
        let write_buffers: smallvec::SmallVec<[&Arc<Buffer>; 2]> = writes.iter().map(|array| &array.buffer).collect();
        match &self.place {
            Place::Queue(queue) => queue.submit(label, &read_buffers, &write_buffers, work),
            Place::Host => {
                read_buffers.iter().try_for_each(|buffer| buffer.wait_written())?;
                write_buffers.iter().try_for_each(|buffer| buffer.wait_idle())?;
                work().map(|()| Event::completed())
            }
        }
    }

    /// Whether a plan is made, in which writing this array is noted and not done.
    pub(in crate::arrays) fn is_only_noted(&self) -> bool {
        if plan::is_on() {
            plan::note_written(self.buffer.id());
        }
        plan::is_on()
    }
}
