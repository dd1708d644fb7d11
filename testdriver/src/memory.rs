//! Allocations: a set capacity, the driver's rules for sizes, and pages that fault when the host touches device memory.

use crate::answer::{Answer, Chained, chain, place, read, refuse};
use crate::command::Command;
use crate::context::Context;
use crate::device::{Device, device};
use crate::driver::{Driver, call, work};
use crate::opencl::Kind;
use level_zero_sys::*;
use std::collections::{BTreeMap, HashMap};
use std::ffi::c_void;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Device memory is handed out in pages of this many bytes, as on discrete GPUs.
const DEVICE_PAGE_BYTES: usize = 64 << 10;

/// One allocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allocation {
    /// What was asked for.
    pub bytes: usize,
    kind: Kind,
    device: Option<Device>,
    id: u64,
    /// The driver's own pages, closed to the host unless a command runs.
    guarded: bool,
}

impl Allocation {
    /// What it takes from its device's capacity.
    fn charge(&self) -> u64 {
        match self.kind {
            Kind::Host => 0,
            Kind::Device | Kind::Shared => self.bytes.next_multiple_of(DEVICE_PAGE_BYTES) as u64,
        }
    }
}

/// All allocations.
pub(crate) struct Memory {
    guard: bool,
    state: Mutex<State>,
}

struct State {
    live: BTreeMap<usize, Allocation>,
    /// Bytes in use of each root device.
    used: Vec<u64>,
    last_id: u64,
    /// How many commands run that may reach device memory.
    open: usize,
    /// How many commands of each kind have run.
    ran: HashMap<&'static str, u64>,
}

impl Memory {
    /// No allocations on so many root devices.
    pub fn new(devices: u32, guard: bool) -> Memory {
        let state =
            State { live: BTreeMap::new(), used: vec![0; devices as usize], last_id: 0, open: 0, ran: HashMap::new() };
        Memory { guard, state: Mutex::new(state) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes in use of the device's root.
    pub fn used(&self, device: Device) -> u64 {
        self.state().used.get(device.root as usize).copied().unwrap_or_default()
    }

    /// How many allocations are live.
    pub fn count_live(&self) -> usize {
        self.state().live.len()
    }

    /// The allocation that holds this address, with its base.
    pub fn find(&self, address: usize) -> Option<(usize, Allocation)> {
        let state = self.state();
        let (base, allocation) = state.live.range(..=address).next_back()?;
        (address - base < allocation.bytes).then_some((*base, *allocation))
    }

    /// Refuses a range that begins in an allocation and ends outside it. Memory of the host that no driver knows is the
    /// client's affair.
    pub fn check_range(&self, range: &Range<usize>) -> Answer {
        match self.find(range.start) {
            Some((base, allocation)) if range.end > base + allocation.bytes => refuse(
                ze_result_t::ZE_RESULT_ERROR_INVALID_SIZE,
                format!("{} bytes at {:#x} leave the allocation", range.len(), range.start),
            ),
            _ => Ok(()),
        }
    }

    /// Counts a command that was run.
    pub fn count(&self, command: &Command) {
        if let Some(name) = command.name() {
            *self.state().ran.entry(name).or_default() += 1;
        }
    }

    /// How many commands of this kind have run.
    pub fn count_ran(&self, name: &str) -> u64 {
        self.state().ran.get(name).copied().unwrap_or_default()
    }

    /// Opens guarded memory for the time a command runs.
    pub fn open(&self) -> Open<'_> {
        if self.guard {
            let mut state = self.state();
            state.open += 1;
            if state.open == 1 {
                state.protect(libc::PROT_READ | libc::PROT_WRITE);
            }
        }
        Open { memory: self }
    }

    fn close(&self) {
        if self.guard {
            let mut state = self.state();
            state.open -= 1;
            if state.open == 0 {
                state.protect(libc::PROT_NONE);
            }
        }
    }

    fn allocate(
        &self,
        driver: &Driver,
        kind: Kind,
        owner: Option<Device>,
        bytes: usize,
        alignment: usize,
    ) -> Answer<usize> {
        let mut allocation =
            Allocation { bytes, kind, device: owner, id: 0, guarded: self.guard && kind == Kind::Device };
        let full = match kind {
            Kind::Host => ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
            Kind::Device | Kind::Shared => ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
        };
        let mut state = self.state();
        let root = owner.map_or(0, |device| device.root as usize);
        let used = state.used.get(root).copied().unwrap_or_default();
        if used + allocation.charge() > driver.config.capacity_bytes {
            return refuse(full, format!("{bytes} bytes asked, {used} of {} in use", driver.config.capacity_bytes));
        }
        let address = if allocation.guarded {
            map(bytes, state.open > 0)
        } else {
            driver.opencl.allocate(kind, bytes, alignment.max(64)).map(|pointer| pointer as usize)
        };
        let Some(address) = address else { return refuse(full, format!("the runtime has no {bytes} bytes")) };
        state.last_id += 1;
        allocation.id = state.last_id;
        if let Some(used) = state.used.get_mut(root) {
            *used += allocation.charge();
        }
        state.live.insert(address, allocation);
        Ok(address)
    }

    fn free(&self, driver: &Driver, address: usize) -> Answer {
        let mut state = self.state();
        let Some(allocation) = state.live.remove(&address) else {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "no allocation begins there");
        };
        let root = allocation.device.map_or(0, |device| device.root as usize);
        if let Some(used) = state.used.get_mut(root) {
            *used -= allocation.charge();
        }
        // SAFETY: the memory was made by `allocate` in the same way and is in the table no more; no submitted command uses it.
        unsafe {
            if allocation.guarded {
                libc::munmap(address as *mut c_void, allocation.bytes.next_multiple_of(DEVICE_PAGE_BYTES));
            } else {
                driver.opencl.free(address as *mut c_void);
            }
        }
        Ok(())
    }
}

impl State {
    fn protect(&self, protection: i32) {
        for (base, allocation) in self.live.iter().filter(|(_, allocation)| allocation.guarded) {
            // SAFETY: the pages are our own mapping, and whoever touches them while they are closed is meant to fault.
            unsafe {
                libc::mprotect(*base as *mut c_void, allocation.bytes.next_multiple_of(DEVICE_PAGE_BYTES), protection)
            };
        }
    }
}

/// Pages of our own, which only a running command may touch.
fn map(bytes: usize, open: bool) -> Option<usize> {
    let protection = if open { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new anonymous mapping where the system likes.
    let pages = unsafe {
        libc::mmap(std::ptr::null_mut(), bytes.next_multiple_of(DEVICE_PAGE_BYTES), protection, flags, -1, 0)
    };
    (pages != libc::MAP_FAILED).then_some(pages as usize)
}

/// While this lives, commands may reach device memory.
pub(crate) struct Open<'a> {
    memory: &'a Memory,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.memory.close();
    }
}

fn is_relaxed(element: *mut Chained) -> bool {
    // SAFETY: `chain` gives elements of a well-formed chain.
    unsafe { element.as_ref() }.is_some_and(|element| {
        element.stype == ze_structure_type_t::ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC
    })
}

/// The rules of sizes and alignments, in the order in which the real driver looks at them.
fn check_request(driver: &Driver, kind: Kind, bytes: usize, alignment: usize, relaxed: bool) -> Answer {
    if bytes == 0 {
        return refuse(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "0 bytes");
    }
    if alignment != 0 && !alignment.is_power_of_two() {
        return refuse(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, format!("alignment {alignment}"));
    }
    let limit = driver.config.max_allocation_bytes;
    if bytes as u64 > limit && !relaxed {
        return refuse(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE, format!("{bytes} bytes are more than {limit}"));
    }
    let capacity = driver.config.capacity_bytes;
    // Memory of the host takes nothing from the device's.
    if kind != Kind::Host && bytes as u64 > capacity {
        return refuse(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_SIZE, format!("{bytes} bytes of {capacity}"));
    }
    Ok(())
}

pub(crate) unsafe extern "C" fn zeMemAllocDevice(
    context: ze_context_handle_t,
    descriptor: *const ze_device_mem_alloc_desc_t,
    bytes: usize,
    alignment: usize,
    handle: ze_device_handle_t,
    memory: *mut *mut c_void,
) -> ze_result_t {
    work("zeMemAllocDevice", |driver| {
        driver.objects.get::<Context, _>(context)?;
        let owner = device(driver, handle)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (relaxed, memory) = unsafe { (chain(read(descriptor)?.pNext).any(is_relaxed), place(memory)?) };
        check_request(driver, Kind::Device, bytes, alignment, relaxed)?;
        *memory = driver.memory.allocate(driver, Kind::Device, Some(owner), bytes, alignment)? as *mut c_void;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeMemAllocHost(
    context: ze_context_handle_t,
    descriptor: *const ze_host_mem_alloc_desc_t,
    bytes: usize,
    alignment: usize,
    memory: *mut *mut c_void,
) -> ze_result_t {
    work("zeMemAllocHost", |driver| {
        driver.objects.get::<Context, _>(context)?;
        // The real driver looks at the first structure only.
        // SAFETY: the caller's structures are as the specification asks.
        let (relaxed, memory) = unsafe { (chain(read(descriptor)?.pNext).take(1).any(is_relaxed), place(memory)?) };
        check_request(driver, Kind::Host, bytes, alignment, relaxed)?;
        *memory = driver.memory.allocate(driver, Kind::Host, None, bytes, alignment)? as *mut c_void;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeMemAllocShared(
    context: ze_context_handle_t,
    on_device: *const ze_device_mem_alloc_desc_t,
    on_host: *const ze_host_mem_alloc_desc_t,
    bytes: usize,
    alignment: usize,
    handle: ze_device_handle_t,
    memory: *mut *mut c_void,
) -> ze_result_t {
    work("zeMemAllocShared", |driver| {
        driver.objects.get::<Context, _>(context)?;
        let owner = if handle.is_null() { Device::root(0) } else { device(driver, handle)? };
        // SAFETY: the caller's structures are as the specification asks.
        let (relaxed, _, memory) =
            unsafe { (chain(read(on_device)?.pNext).any(is_relaxed), read(on_host)?, place(memory)?) };
        check_request(driver, Kind::Shared, bytes, alignment, relaxed)?;
        *memory = driver.memory.allocate(driver, Kind::Shared, Some(owner), bytes, alignment)? as *mut c_void;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeMemFree(context: ze_context_handle_t, memory: *mut c_void) -> ze_result_t {
    call("zeMemFree", |driver| {
        driver.objects.get::<Context, _>(context)?;
        if let Some((base, allocation)) = driver.memory.find(memory as usize) {
            let range = base..base + allocation.bytes;
            driver
                .engine
                .refuse_use("a submitted command uses the memory", |recorded| recorded.command.touches(&range))?;
        }
        driver.memory.free(driver, memory as usize)
    })
}

pub(crate) unsafe extern "C" fn zeMemFreeExt(
    context: ze_context_handle_t,
    _descriptor: *const ze_memory_free_ext_desc_t,
    memory: *mut c_void,
) -> ze_result_t {
    call("zeMemFreeExt", |driver| {
        driver.objects.get::<Context, _>(context)?;
        // Both policies, to block and to defer, promise that what is submitted ends first.
        if let Some((base, allocation)) = driver.memory.find(memory as usize)
            && !driver.is_lost()
        {
            let range = base..base + allocation.bytes;
            driver.engine.wait(driver, u64::MAX, |state| !state.any(|recorded| recorded.command.touches(&range)))?;
        }
        driver.memory.free(driver, memory as usize)
    })
}

pub(crate) unsafe extern "C" fn zeMemGetAllocProperties(
    context: ze_context_handle_t,
    memory: *const c_void,
    properties: *mut ze_memory_allocation_properties_t,
    owner: *mut ze_device_handle_t,
) -> ze_result_t {
    call("zeMemGetAllocProperties", |driver| {
        driver.objects.get::<Context, _>(context)?;
        // SAFETY: the caller gives room for the structure, and may for the handle.
        let (properties, owner) = unsafe { (place(properties)?, owner.as_mut()) };
        let found = driver.memory.find(memory as usize).map(|(_, allocation)| allocation);
        properties.type_ = match found.map(|allocation| allocation.kind) {
            None => ze_memory_type_t::ZE_MEMORY_TYPE_UNKNOWN,
            Some(Kind::Device) => ze_memory_type_t::ZE_MEMORY_TYPE_DEVICE,
            Some(Kind::Shared) => ze_memory_type_t::ZE_MEMORY_TYPE_SHARED,
            Some(Kind::Host) => ze_memory_type_t::ZE_MEMORY_TYPE_HOST,
        };
        properties.id = found.map_or(0, |allocation| allocation.id);
        properties.pageSize = found.map_or(0, |allocation| match allocation.kind {
            Kind::Device => DEVICE_PAGE_BYTES as u64,
            Kind::Shared | Kind::Host => 4096,
        });
        if let Some(owner) = owner {
            let device = found.and_then(|allocation| allocation.device);
            *owner = device.map_or(std::ptr::null_mut(), |device| device.handle());
        }
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeMemGetAddressRange(
    context: ze_context_handle_t,
    memory: *const c_void,
    base: *mut *mut c_void,
    bytes: *mut usize,
) -> ze_result_t {
    call("zeMemGetAddressRange", |driver| {
        driver.objects.get::<Context, _>(context)?;
        let Some((start, allocation)) = driver.memory.find(memory as usize) else {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "no allocation holds the address");
        };
        // SAFETY: both places are optional, and the caller gives room where they are not null.
        let (base, bytes) = unsafe { (base.as_mut(), bytes.as_mut()) };
        if let Some(base) = base {
            *base = start as *mut c_void;
        }
        if let Some(bytes) = bytes {
            *bytes = allocation.bytes;
        }
        Ok(())
    })
}
