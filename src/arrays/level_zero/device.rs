//! One opened device: a context, its memory, its programs and its health.
//!
//! Every session opens a device for itself, in a context of its own. A lost device stays lost: each later request is refused with
//! the first reason, and nothing waits for it any more.

use super::facts::{Found, QueueGroup};
use super::loader::{Driver, Failure, Handle, Runtime, ze};
use super::memory::Memory;
use super::program::Programs;
use super::queue;
use super::sysman;
use crate::arrays::backend::{
    Affinity, BackendError, Block, Device, DeviceInfo, Partition, ProgramLimits, ProgramText, Queue, QueueProperties,
    UsmKind,
};
use crate::arrays::readings::{Amount, MemoryReading};
use level_zero_sys::*;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

/// What the parts of one opened device share.
pub(super) struct Shared {
    pub(super) runtime: &'static Runtime,
    pub(super) found: &'static Found,
    /// Where programs go.
    pub(super) group: QueueGroup,
    /// The name in messages: `level_zero:gpu:0`.
    pub(super) name: Box<str>,
    pub(super) context: Handle<_ze_context_handle_t>,
    pub(super) memory: Memory,
    pub(super) programs: Programs,
    lost: OnceLock<Box<str>>,
}

impl Shared {
    pub(super) fn api(&self) -> &'static Loader {
        self.runtime.api
    }

    pub(super) fn driver(&self) -> &'static Driver {
        &self.runtime.drivers[self.found.driver]
    }

    /// An error when the device has failed for good.
    pub(super) fn check(&self) -> Result<(), BackendError> {
        match self.lost.get() {
            Some(reason) => Err(BackendError::Lost { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// A refused call as an error; remembers when it says that the device is lost.
    pub(super) fn refused(&self, failure: Failure) -> BackendError {
        if failure.is_loss() { self.lose(failure) } else { failure.into() }
    }

    /// The device can no longer be relied on, after this.
    pub(super) fn lose(&self, failure: Failure) -> BackendError {
        let reason = self.lost.get_or_init(|| failure.to_string().into());
        BackendError::Lost { reason: reason.clone() }
    }

    /// Asks the driver whether the device still works. Some drivers never end a wait for a hung device.
    pub(super) fn check_driver(&self) -> Result<(), BackendError> {
        self.check()?;
        let api = self.api();
        // SAFETY: the device is live.
        match unsafe { ze!(api.zeDeviceGetStatus(self.found.handle.0)) } {
            Err(failure) if failure.is_loss() => Err(self.refused(failure)),
            // A driver that does not answer the question says nothing about the device.
            _ => Ok(()),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.programs.clear();
        let api = self.api();
        // SAFETY: queues and blocks hold this structure or have been returned, so nothing lives in the context any more.
        // A refusal leaves nothing to do.
        let _ = unsafe { ze!(api.zeContextDestroy(self.context.0)) };
    }
}

/// An opened Level Zero device.
pub(super) struct LevelZeroDevice(Arc<Shared>);

impl LevelZeroDevice {
    pub(super) fn open(
        runtime: &'static Runtime,
        found: &'static Found,
        name: Box<str>,
    ) -> Result<LevelZeroDevice, BackendError> {
        let Some(group) = found.group else {
            return Err(BackendError::Unsupported { what: "device programs in SPIR-V".into() });
        };
        let api = runtime.api;
        let description =
            ze_context_desc_t { stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_CONTEXT_DESC, ..Default::default() };
        let mut context = null_mut();
        // SAFETY: the driver is live; the description and the result outlive the call.
        unsafe { ze!(api.zeContextCreate(runtime.drivers[found.driver].handle.0, &description, &mut context)) }?;
        Ok(LevelZeroDevice(Arc::new(Shared {
            runtime,
            found,
            group,
            name,
            context: Handle(context),
            memory: Memory::default(),
            programs: Programs::new(),
            lost: OnceLock::new(),
        })))
    }
}

impl Device for LevelZeroDevice {
    fn info(&self) -> &DeviceInfo {
        &self.0.found.info
    }

    fn allocate(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        self.0.check()?;
        Memory::allocate(&self.0, usm, bytes)
    }

    fn release(&self, usm: UsmKind, block: Block) {
        Memory::release(&self.0, usm, block);
    }

    fn bytes_mapped(&self, usm: UsmKind) -> u64 {
        self.0.memory.bytes_mapped(usm)
    }

    fn bytes_of_runtime(&self) -> u64 {
        self.0.memory.bytes_pinned()
    }

    fn memory(&self) -> MemoryReading {
        match self.0.check() {
            Ok(()) => sysman::read(self.0.runtime, self.0.found, self.0.memory.bytes_mapped(UsmKind::Device)),
            Err(_) => {
                MemoryReading { total: self.0.found.info.total.clone(), free: Amount::unknown("the device is lost") }
            }
        }
    }

    fn host_access(&self, usm: UsmKind) -> bool {
        usm != UsmKind::Device
    }

    fn runs_programs(&self) -> Option<&ProgramLimits> {
        Some(&self.0.found.limits)
    }

    fn prepare(&self, program: &Arc<ProgramText>) -> Result<(), BackendError> {
        self.0.check()?;
        Programs::get(&self.0, program, program.needs.large_buffers).map(drop)
    }

    fn sub_devices(&self, partition: &Partition, first: usize) -> Result<Vec<Arc<dyn Device>>, BackendError> {
        self.0.check()?;
        // The driver has cut the device already, along its memories.
        if !matches!(partition, Partition::By(Affinity::Numa | Affinity::Next)) {
            return Ok(Vec::new());
        }
        let open = |(number, part): (usize, &'static Found)| -> Result<Arc<dyn Device>, BackendError> {
            let name = format!("{}.{}", self.0.name, first + number);
            Ok(Arc::new(LevelZeroDevice::open(self.0.runtime, part, name.into())?))
        };
        self.0.found.parts.iter().enumerate().map(open).collect()
    }

    fn status(&self) -> Result<(), BackendError> {
        self.0.check()
    }

    fn open_queue(&self, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError> {
        self.0.check()?;
        queue::open(self.0.clone(), properties)
    }
}
