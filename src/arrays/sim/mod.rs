//! Simulated devices: the native engine behind a capacity, a worker thread, latency and scripted faults.
//!
//! They exist for lessons and tests. They are always shown as simulated, whatever backend they answer to, and they fail
//! the way their description says.

mod queue;
mod spec;

pub use spec::SimSpec;

use super::backend::{BackendError, BackendKind, Block, Device, DeviceInfo, Queue, QueueProperties, Silicon, UsmKind};
use super::error::{Shortage, bytes_text};
use super::native::{FarMemory, NativeDevice};
use super::readings::{Amount, MemoryReading};
use super::worker::WorkerQueue;
use queue::SimExecutor;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A device that a [`SimSpec`] describes.
pub struct SimDevice {
    /// The name in the ledger, for errors of its worker.
    ledger_name: Box<str>,
    info: DeviceInfo,
    memory: NativeDevice,
    health: Arc<Health>,
    latency: std::time::Duration,
    capacity: u64,
    max_single: u64,
    used: Mutex<u64>,
    allocations: AtomicU64,
    fail_nth: Option<u64>,
    /// Whether the host reaches its device memory.
    host_access: bool,
    far: Arc<FarMemory>,
}

/// Whether the device has failed, and when it will.
pub(super) struct Health {
    lost: AtomicBool,
    steps: AtomicU64,
    lost_after: Option<u64>,
}

impl Health {
    /// Counts a step; an error when the device fails at it or has failed before.
    pub(super) fn step(&self) -> Result<(), BackendError> {
        let step = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if self.lost_after.is_some_and(|after| step > after) {
            self.lost.store(true, Ordering::Release);
        }
        self.check()
    }

    pub(super) fn check(&self) -> Result<(), BackendError> {
        if !self.lost.load(Ordering::Acquire) {
            return Ok(());
        }
        let after = self.lost_after.unwrap_or(0);
        Err(BackendError::Lost { reason: format!("simulated loss after {after} steps").into() })
    }
}

impl SimDevice {
    /// A device with nothing allocated; `name` is its name in the ledger.
    pub fn new(spec: &SimSpec, name: &str) -> SimDevice {
        let info = DeviceInfo {
            name: format!(
                "Simulated {} ({})",
                spec.device_type.name().to_uppercase(),
                bytes_text(spec.capacity as usize)
            )
            .into(),
            vendor: "Cellhold".into(),
            driver: concat!("simulated ", env!("CARGO_PKG_VERSION")).into(),
            backend: BackendKind::Sim,
            device_type: spec.device_type,
            compute_units: std::thread::available_parallelism().map_or(1, usize::from),
            fp64: spec.fp64,
            fp16: spec.fp16,
            integrated: spec.integrated,
            total: Amount::known(spec.capacity, "simulated"),
            max_single: Amount::known(spec.max_single, "simulated"),
            silicon: Silicon::default(),
        };
        SimDevice {
            ledger_name: name.into(),
            info,
            memory: NativeDevice::new(),
            health: Arc::new(Health {
                lost: AtomicBool::new(false),
                steps: AtomicU64::new(0),
                lost_after: spec.lost_after,
            }),
            latency: spec.latency,
            capacity: spec.capacity,
            max_single: spec.max_single,
            used: Mutex::new(0),
            allocations: AtomicU64::new(0),
            fail_nth: spec.fail_nth,
            host_access: spec.host_access,
            far: Arc::default(),
        }
    }
}

impl Device for SimDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn allocate(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        self.health.check()?;
        let attempt = self.allocations.fetch_add(1, Ordering::Relaxed) + 1;
        if self.fail_nth == Some(attempt) {
            return Err(BackendError::OutOfMemory(Shortage::Scripted));
        }
        // USM host memory is the host's: it does not take from the device unless the device shares it.
        let counted = usm != UsmKind::Host || self.info.integrated;
        if counted && bytes as u64 > self.max_single {
            return Err(BackendError::OutOfMemory(Shortage::SingleAllocation));
        }
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if counted && *used + bytes as u64 > self.capacity {
            return Err(BackendError::OutOfMemory(Shortage::Capacity));
        }
        let mut block = self.memory.allocate(usm, bytes)?;
        if !self.host_access(usm) {
            block = self.far.hide(block).map_err(|block| {
                self.memory.release(usm, block);
                BackendError::OutOfMemory(Shortage::Backend)
            })?;
        }
        if counted {
            *used += bytes as u64;
        }
        Ok(block)
    }

    fn release(&self, usm: UsmKind, block: Block) {
        if usm != UsmKind::Host || self.info.integrated {
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            assert!(*used >= block.bytes as u64, "more simulated memory released than allocated");
            *used -= block.bytes as u64;
        }
        self.memory.release(usm, self.far.reveal(block));
    }

    fn host_access(&self, usm: UsmKind) -> bool {
        self.host_access || usm != UsmKind::Device
    }

    fn bytes_mapped(&self, usm: UsmKind) -> u64 {
        self.memory.bytes_mapped(usm)
    }

    fn memory(&self) -> MemoryReading {
        let free = match self.health.check() {
            Ok(()) => {
                let used = *self.used.lock().unwrap_or_else(PoisonError::into_inner);
                Amount::known(self.capacity - used, "simulated")
            }
            Err(_) => Amount::unknown("the device is lost"),
        };
        MemoryReading { total: self.info.total.clone(), free }
    }

    fn status(&self) -> Result<(), BackendError> {
        self.health.check()
    }

    fn open_queue(&self, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError> {
        self.health.check()?;
        let executor = SimExecutor {
            health: self.health.clone(),
            latency: self.latency,
            device: self.ledger_name.clone(),
            far: self.far.clone(),
        };
        Ok(Box::new(WorkerQueue::start("cellhold-sim", executor, properties.profiling)))
    }
}

#[cfg(test)]
mod tests;
