//! The device that is always there: this processor, `native:cpu:0`, and the host memory of NumPy arrays.
//!
//! It hands out mapped memory against the process's one limit and runs steps at once on the calling thread. What a step
//! computes it does not know.

mod far;
mod file;
mod memory;
mod processor;

pub use far::FarMemory;
pub use file::MappedFile;

use super::backend::{
    BackendError, BackendKind, Block, Device, DeviceInfo, DeviceType, PendingStep, Queue, QueueProperties, Silicon,
    Step, UsmKind, Work,
};
use super::error::{ArrayError, Shortage};
use super::event::{Event, ProfilingTimes, clock_ns};
use super::limit;
use super::readings::{Amount, MemoryReading};
use std::sync::atomic::{AtomicU64, Ordering};

/// This processor and its memory.
pub struct NativeDevice {
    info: DeviceInfo,
    mapped: [AtomicU64; 3],
}

impl NativeDevice {
    /// The device, with nothing mapped yet.
    pub fn new() -> NativeDevice {
        NativeDevice { info: native_info(), mapped: Default::default() }
    }
}

impl Default for NativeDevice {
    fn default() -> NativeDevice {
        NativeDevice::new()
    }
}

fn native_info() -> DeviceInfo {
    let processor = processor::describe();
    let limit = limit::total();
    DeviceInfo {
        name: processor.name.into(),
        vendor: processor.vendor.into(),
        driver: concat!("cellhold ", env!("CARGO_PKG_VERSION")).into(),
        backend: BackendKind::Native,
        device_type: DeviceType::Cpu,
        compute_units: processor.threads,
        fp64: true,
        fp16: true,
        integrated: true,
        total: limit::capacity(),
        max_single: Amount::known(limit.bytes as u64, limit.source),
        silicon: Silicon::HOST,
    }
}

impl Device for NativeDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn allocate(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        if !limit::reserve_bytes(bytes) {
            return Err(BackendError::OutOfMemory(Shortage::Capacity));
        }
        let Some(block) = memory::map(bytes) else {
            limit::release_bytes(bytes);
            return Err(BackendError::OutOfMemory(Shortage::Backend));
        };
        self.mapped[usm as usize].fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(block)
    }

    fn release(&self, usm: UsmKind, block: Block) {
        let bytes = block.bytes;
        memory::unmap(block);
        let before = self.mapped[usm as usize].fetch_sub(bytes as u64, Ordering::Relaxed);
        assert!(before >= bytes as u64, "more native memory released than mapped");
        limit::release_bytes(bytes);
    }

    fn bytes_mapped(&self, usm: UsmKind) -> u64 {
        self.mapped[usm as usize].load(Ordering::Relaxed)
    }

    fn memory(&self) -> MemoryReading {
        MemoryReading { total: self.info.total.clone(), free: limit::free_now() }
    }

    fn status(&self) -> Result<(), BackendError> {
        Ok(())
    }

    fn open_queue(&self, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError> {
        Ok(Box::new(NativeQueue { profiling: properties.profiling }))
    }
}

/// Runs each step at once on the calling thread.
pub struct NativeQueue {
    profiling: bool,
}

fn execute(work: Work) -> Result<(), ArrayError> {
    match work {
        Work::Host(work) => work(),
        Work::Copy { from, to, bytes } => {
            FarMemory::default().copy(from, to, bytes);
            Ok(())
        }
        Work::Fill { to, bytes, pattern } => {
            FarMemory::default().fill(to, bytes, &pattern);
            Ok(())
        }
        Work::Marker => Ok(()),
        Work::Launch(_) => Err(BackendError::Unsupported { what: work.name().into() }.describe("native:cpu:0")),
    }
}

impl Queue for NativeQueue {
    fn is_immediate(&self) -> bool {
        true
    }

    fn submit(&self, step: Step, wait_for: &[Event]) -> Event {
        let submit_ns = if self.profiling { clock_ns() } else { 0 };
        for event in wait_for {
            event.wait_end();
        }
        let start_ns = if self.profiling { clock_ns() } else { 0 };
        let ready = step.inputs.iter().try_for_each(Event::wait);
        match ready.and_then(|()| execute(step.work)) {
            Ok(()) if self.profiling => {
                Event::completed_with(ProfilingTimes { submit_ns, start_ns, end_ns: clock_ns() })
            }
            Ok(()) => Event::completed(),
            Err(error) => {
                let event = Event::submitted();
                event.finish(Err(error));
                event
            }
        }
    }

    fn take_failure(&self) -> Option<ArrayError> {
        // Failures are returned by `submit` itself.
        None
    }

    fn take_device_ns(&self) -> u64 {
        0
    }

    fn pending(&self) -> Vec<PendingStep> {
        Vec::new()
    }
}
