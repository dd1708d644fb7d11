//! Unified shared memory of one OpenCL device, counted.
//!
//! What is this host's memory comes out of the process's one limit, as native memory does: an operating system that
//! overcommits would answer too much with an end of the process, not with an error.

use super::device::Context;
use super::loader;
use crate::arrays::backend::{BackendError, Block, Content, DeviceInfo, UsmKind};
use crate::arrays::error::Shortage;
use crate::arrays::limit;
use std::ptr::{NonNull, null};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Every block starts on a cache line.
const ALIGNMENT: u32 = 64;
/// Bytes of a huge page.
const HUGE_PAGE: usize = 2 << 20;

/// Asks for huge pages for what of a block covers any: programs that stream through ordinary pages wait for addresses to be
/// translated. Without them the block works as well.
fn advise_huge_pages(block: &Block) {
    let start = block.pointer.as_ptr();
    let head = start.align_offset(HUGE_PAGE);
    let whole = block.bytes.saturating_sub(head) / HUGE_PAGE * HUGE_PAGE;
    if whole > 0 {
        // SAFETY: the range lies inside a block that the driver allocated in this process; it is advice, and changes no content.
        unsafe { libc::madvise(start.wrapping_add(head).cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

pub(super) struct Memory {
    context: Arc<Context>,
    /// Whether device memory is the host's.
    integrated: bool,
    /// Whether the device is this host's processor, so that its addresses are the host's.
    is_processor: bool,
    max_single: u64,
    mapped: [AtomicU64; 3],
}

impl Memory {
    pub(super) fn new(context: Arc<Context>, info: &DeviceInfo) -> Memory {
        Memory {
            context,
            integrated: info.integrated,
            is_processor: info.silicon.host_processor,
            max_single: info.max_single.bytes().unwrap_or(u64::MAX),
            mapped: Default::default(),
        }
    }

    /// Whether memory of this kind takes from the host's.
    pub(super) fn is_host_memory(&self, usm: UsmKind) -> bool {
        self.integrated || usm != UsmKind::Device
    }

    pub(super) fn allocate(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        if bytes as u64 > self.max_single {
            return Err(BackendError::OutOfMemory(Shortage::SingleAllocation));
        }
        let reserved = self.is_host_memory(usm);
        if reserved && !limit::reserve_bytes(bytes) {
            return Err(BackendError::OutOfMemory(Shortage::Capacity));
        }
        let outcome = self.ask(usm, bytes);
        match &outcome {
            Ok(block) => {
                if self.is_processor {
                    advise_huge_pages(block);
                }
                self.mapped[usm as usize].fetch_add(bytes as u64, Ordering::Relaxed);
            }
            Err(_) if reserved => limit::release_bytes(bytes),
            Err(_) => {}
        }
        outcome
    }

    fn ask(&self, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        let Context { usm: api, device, handle, .. } = &*self.context;
        let mut code = 0;
        // SAFETY: context and device are live, no properties are given, and the code is writable.
        let (call, pointer) = unsafe {
            match usm {
                UsmKind::Device => (
                    "clDeviceMemAllocINTEL",
                    (api.device_alloc)(*handle, *device, null(), bytes, ALIGNMENT, &raw mut code),
                ),
                UsmKind::Host => {
                    ("clHostMemAllocINTEL", (api.host_alloc)(*handle, null(), bytes, ALIGNMENT, &raw mut code))
                }
                UsmKind::Shared => (
                    "clSharedMemAllocINTEL",
                    (api.shared_alloc)(*handle, *device, null(), bytes, ALIGNMENT, &raw mut code),
                ),
            }
        };
        match (code, NonNull::new(pointer.cast::<u8>())) {
            (loader::SUCCESS, Some(pointer)) => Ok(Block { pointer, bytes, content: Content::Unknown }),
            (loader::INVALID_BUFFER_SIZE, _) => Err(BackendError::OutOfMemory(Shortage::SingleAllocation)),
            (
                loader::SUCCESS
                | loader::MEM_OBJECT_ALLOCATION_FAILURE
                | loader::OUT_OF_RESOURCES
                | loader::OUT_OF_HOST_MEMORY,
                _,
            ) => Err(BackendError::OutOfMemory(Shortage::Capacity)),
            (code, _) => Err(loader::refused(call, code)),
        }
    }

    pub(super) fn release(&self, usm: UsmKind, block: Block) {
        let bytes = block.bytes;
        // SAFETY: the block came from `ask` in this context, no work on it is pending, and it is consumed here.
        let code = unsafe { (self.context.usm.free)(self.context.handle, block.pointer.as_ptr().cast()) };
        debug_assert_eq!(code, loader::SUCCESS, "clMemFreeINTEL of a block refused");
        let before = self.mapped[usm as usize].fetch_sub(bytes as u64, Ordering::Relaxed);
        assert!(before >= bytes as u64, "more OpenCL memory released than allocated");
        if self.is_host_memory(usm) {
            limit::release_bytes(bytes);
        }
    }

    pub(super) fn bytes_mapped(&self, usm: UsmKind) -> u64 {
        self.mapped[usm as usize].load(Ordering::Relaxed)
    }
}
