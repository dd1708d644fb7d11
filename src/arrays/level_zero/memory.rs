//! USM memory of a context, and what lies where.
//!
//! Allocations above the device's largest single one need two things, or results are silently wrong: the relaxed limits here,
//! and programs built for large buffers. So large allocations are remembered, and a launch looks its pointers up.

use super::device::Shared;
use super::loader::{Failure, ze};
use super::sysman;
use crate::arrays::backend::{BackendError, Block, Content, UsmKind};
use crate::arrays::error::Shortage;
use crate::arrays::limit;
use level_zero_sys::*;
use std::collections::BTreeMap;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Every block starts on a cache line.
const ALIGNMENT: usize = 64;

/// A live allocation.
#[derive(Clone, Copy, Debug)]
struct Allocation {
    bytes: usize,
    is_large: bool,
}

/// The live allocations of one context.
#[derive(Default)]
pub(super) struct Memory {
    /// By address.
    live: Mutex<BTreeMap<usize, Allocation>>,
    mapped: [AtomicU64; 3],
    /// Bytes of [`Pinned`] memory.
    pinned: AtomicU64,
}

impl Memory {
    fn live(&self) -> MutexGuard<'_, BTreeMap<usize, Allocation>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn at(&self, address: usize) -> Option<Allocation> {
        let live = self.live();
        let (start, allocation) = live.range(..=address).next_back()?;
        (address - start < allocation.bytes).then_some(*allocation)
    }

    /// Whether the driver knows this address: an allocation of this context lies there.
    pub(super) fn owns(&self, address: usize) -> bool {
        self.at(address).is_some()
    }

    /// Whether programs that get this address must be built for large buffers.
    pub(super) fn is_large(&self, address: usize) -> bool {
        self.at(address).is_some_and(|allocation| allocation.is_large)
    }

    pub(super) fn bytes_mapped(&self, usm: UsmKind) -> u64 {
        self.mapped[usm as usize].load(Ordering::Relaxed)
    }

    pub(super) fn bytes_pinned(&self) -> u64 {
        self.pinned.load(Ordering::Relaxed)
    }

    pub(super) fn allocate(device: &Shared, usm: UsmKind, bytes: usize) -> Result<Block, BackendError> {
        let is_large = device.found.info.max_single.bytes().is_some_and(|most| bytes as u64 > most);
        if is_large {
            fits(device, usm, bytes)?;
        }
        let on_host = is_on_host(device, usm);
        if on_host && !limit::reserve_bytes(bytes) {
            return Err(BackendError::OutOfMemory(Shortage::Capacity));
        }
        match allocate(device, usm, bytes, is_large) {
            Ok(pointer) => {
                device.memory.live().insert(pointer.as_ptr().addr(), Allocation { bytes, is_large });
                device.memory.mapped[usm as usize].fetch_add(bytes as u64, Ordering::Relaxed);
                Ok(Block { pointer, bytes, content: Content::Unknown })
            }
            Err(error) => {
                if on_host {
                    limit::release_bytes(bytes);
                }
                Err(error)
            }
        }
    }

    pub(super) fn release(device: &Shared, usm: UsmKind, block: Block) {
        let known = device.memory.live().remove(&block.address());
        assert!(known.is_some_and(|known| known.bytes == block.bytes), "a block that this device did not give");
        free(device, block.pointer);
        device.memory.mapped[usm as usize].fetch_sub(block.bytes as u64, Ordering::Relaxed);
        if is_on_host(device, usm) {
            limit::release_bytes(block.bytes);
        }
    }
}

/// Whether memory of this kind comes from the host's.
fn is_on_host(device: &Shared, usm: UsmKind) -> bool {
    usm == UsmKind::Host || device.found.info.integrated
}

/// Refuses what is surely too large: a driver told to relax its limits may promise more than there is and fail later.
fn fits(device: &Shared, usm: UsmKind, bytes: usize) -> Result<(), BackendError> {
    if is_on_host(device, usm) {
        return Ok(());
    }
    let held = device.memory.bytes_mapped(UsmKind::Device);
    let reading = sysman::read(device.runtime, device.found, held);
    let room = reading.free.bytes().or_else(|| reading.total.bytes().map(|total| total.saturating_sub(held)));
    match room {
        Some(room) if bytes as u64 > room => Err(BackendError::OutOfMemory(Shortage::Capacity)),
        _ => Ok(()),
    }
}

/// Asks the driver for memory.
fn allocate(device: &Shared, usm: UsmKind, bytes: usize, is_large: bool) -> Result<NonNull<u8>, BackendError> {
    let api = device.api();
    let relaxed = ze_relaxed_allocation_limits_exp_desc_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC,
        flags: ze_relaxed_allocation_limits_exp_flag_t::ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE.0,
        ..Default::default()
    };
    let chain = if is_large { (&raw const relaxed).cast() } else { std::ptr::null() };
    let on_device = ze_device_mem_alloc_desc_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC,
        pNext: chain,
        ..Default::default()
    };
    let on_host = ze_host_mem_alloc_desc_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC,
        pNext: chain,
        ..Default::default()
    };
    let (context, owner) = (device.context.0, device.found.handle.0);
    let mut pointer = null_mut();
    // SAFETY: context and device are live; the descriptions, the chain and the result outlive the call.
    let asked = unsafe {
        match usm {
            UsmKind::Device => ze!(api.zeMemAllocDevice(context, &on_device, bytes, ALIGNMENT, owner, &mut pointer)),
            UsmKind::Host => ze!(api.zeMemAllocHost(context, &on_host, bytes, ALIGNMENT, &mut pointer)),
            UsmKind::Shared => {
                ze!(api.zeMemAllocShared(context, &on_device, &on_host, bytes, ALIGNMENT, owner, &mut pointer))
            }
        }
    };
    asked.map_err(|failure| refused(device, failure, bytes))?;
    NonNull::new(pointer.cast()).ok_or(BackendError::OutOfMemory(Shortage::Backend))
}

/// A refused allocation, told apart by what was asked for.
fn refused(device: &Shared, failure: Failure, bytes: usize) -> BackendError {
    if failure.result == ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE {
        let whole = device.found.info.total.bytes().is_some_and(|total| bytes as u64 > total);
        return BackendError::OutOfMemory(if whole { Shortage::Capacity } else { Shortage::SingleAllocation });
    }
    device.refused(failure)
}

/// Gives memory back to the driver.
fn free(device: &Shared, pointer: NonNull<u8>) {
    let api = device.api();
    // SAFETY: the pointer came from an allocation in this context, and nothing that is queued uses it any more. A lost device
    // may refuse; its memory goes with the context.
    if let Err(failure) = unsafe { ze!(api.zeMemFree(device.context.0, pointer.as_ptr().cast())) } {
        device.refused(failure);
    }
}

/// Host memory that the device reads and writes at full speed; for the queue's own copies, nobody's allocation.
pub(super) struct Pinned {
    device: Arc<Shared>,
    pointer: NonNull<u8>,
    bytes: usize,
}

// SAFETY: exclusive ownership of plain memory, which any thread may access.
unsafe impl Send for Pinned {}

impl Pinned {
    pub(super) fn allocate(device: Arc<Shared>, bytes: usize) -> Result<Pinned, BackendError> {
        let pointer = allocate(&device, UsmKind::Host, bytes, false)?;
        device.memory.pinned.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(Pinned { device, pointer, bytes })
    }

    pub(super) fn address(&self) -> usize {
        self.pointer.as_ptr().expose_provenance()
    }

    /// The memory. The device does not use it now.
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the allocation has this length, is ours alone, and its bytes have a value: any bytes will do.
        unsafe { std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.bytes) }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        free(&self.device, self.pointer);
        self.device.memory.pinned.fetch_sub(self.bytes as u64, Ordering::Relaxed);
    }
}
