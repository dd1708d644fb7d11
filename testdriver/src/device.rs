//! Devices, sub-devices and their properties: those of an Arc A770 where nothing else was asked for.

use crate::answer::{Answer, Chained, chain, enumerate, place, refuse, write_text};
use crate::config::{Hierarchy, MAX_COUNT, UsableMemory};
use crate::driver::{Driver, call, check_driver, work};
use crate::event::{KERNEL_TIMESTAMP_BITS, TICK_NS};
use level_zero_sys::*;

/// A root device or a part of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Device {
    /// Which root device.
    pub root: u32,
    /// Which part of it.
    pub part: Option<u32>,
}

/// Handles of devices, by root and part.
const FIRST_HANDLE: usize = 0x2000;

impl Device {
    /// A root device.
    pub fn root(root: u32) -> Device {
        Device { root, part: None }
    }

    /// Its place among all devices and parts, which handles are made of.
    fn number(self) -> usize {
        (self.root * MAX_COUNT * 2 + self.part.map_or(0, |part| part + 1)) as usize
    }

    /// Its handle.
    pub fn handle<H>(self) -> *mut H {
        (FIRST_HANDLE + 16 * self.number()) as *mut H
    }

    /// What makes it recognisable: the same for the core interface and sysman.
    pub fn uuid(self) -> [u8; 16] {
        let mut uuid = *b"cellhold-dev-0-0";
        uuid[13] += self.root as u8;
        uuid[15] += self.part.map_or(0, |part| part + 1) as u8;
        uuid
    }

    /// The bus of its PCI address.
    pub fn bus(self) -> u32 {
        3 + self.root
    }

    /// Bytes of its memory.
    pub fn capacity(self, driver: &Driver) -> u64 {
        match self.part {
            None => driver.config.capacity_bytes,
            Some(_) => driver.config.capacity_bytes / u64::from(driver.config.subdevices.max(1)),
        }
    }

    /// Bytes of its memory that are not in use.
    pub fn free(self, driver: &Driver) -> u64 {
        self.capacity(driver).saturating_sub(driver.memory.used(self))
    }
}

/// All root devices.
pub(crate) fn roots(driver: &Driver) -> impl Iterator<Item = Device> {
    (0..driver.config.devices).map(Device::root)
}

/// The parts of a root device.
fn parts(driver: &Driver, device: Device) -> impl Iterator<Item = Device> {
    let count = if device.part.is_none() { driver.config.subdevices } else { 0 };
    (0..count).map(move |part| Device { root: device.root, part: Some(part) })
}

/// The device of a handle.
pub(crate) fn device(driver: &Driver, handle: ze_device_handle_t) -> Answer<Device> {
    if handle.is_null() {
        return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "a null handle, not a device");
    }
    roots(driver)
        .flat_map(|root| std::iter::once(root).chain(parts(driver, root)))
        .find(|device| device.handle::<_>() == handle)
        .map_or_else(|| refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "no handle of a device"), Ok)
}

/// Work-items of the largest group.
pub(crate) fn max_group_items(driver: &Driver) -> u32 {
    driver.opencl.max_group_items.min(1024) as u32
}

/// Bytes of local memory of a group.
pub(crate) fn local_bytes(driver: &Driver) -> u32 {
    driver.opencl.local_bytes.min(64 << 10) as u32
}

/// Whether the affinity mask lets a whole device be seen, or a part of one that is seen.
fn is_unmasked(driver: &Driver, device: Device) -> bool {
    let Some(mask) = &driver.config.mask else { return true };
    mask.iter()
        .any(|&(root, part)| root == device.root && (part.is_none() || device.part.is_none() || part == device.part))
}

/// The devices that are listed. In the flat and the combined hierarchy these are the parts, by numbers that the mask counts, and entries for parts
/// of parts are ignored.
fn listed(driver: &Driver) -> Vec<Device> {
    let flat: Vec<Device> = roots(driver).flat_map(|root| parts(driver, root)).collect();
    if driver.config.hierarchy != Hierarchy::Composite && !flat.is_empty() {
        let seen = |number: u32| driver.config.mask.as_ref().is_none_or(|mask| mask.contains(&(number, None)));
        return (0..).zip(flat).filter(|(number, _)| seen(*number)).map(|(_, device)| device).collect();
    }
    roots(driver).filter(|device| is_unmasked(driver, *device)).collect()
}

pub(crate) unsafe extern "C" fn zeDeviceGet(
    handle: ze_driver_handle_t,
    count: *mut u32,
    devices: *mut ze_device_handle_t,
) -> ze_result_t {
    call("zeDeviceGet", |driver| {
        check_driver(handle)?;
        let listed: Vec<_> = listed(driver).into_iter().map(Device::handle).collect();
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, devices, &listed) }
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetSubDevices(
    handle: ze_device_handle_t,
    count: *mut u32,
    devices: *mut ze_device_handle_t,
) -> ze_result_t {
    call("zeDeviceGetSubDevices", |driver| {
        let parts = parts(driver, device(driver, handle)?).filter(|part| is_unmasked(driver, *part));
        let listed: Vec<_> = parts.map(Device::handle).collect();
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, devices, &listed) }
    })
}

/// Fills the properties of a device, as both interfaces give them.
pub(crate) fn fill_properties(driver: &Driver, device: Device, properties: &mut ze_device_properties_t) {
    let config = &driver.config;
    // The newer structure counts cycles in a second, the older nanoseconds in a cycle.
    let cycles = properties.stype == ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2;
    properties.type_ =
        if config.npu { ze_device_type_t::ZE_DEVICE_TYPE_VPU } else { ze_device_type_t::ZE_DEVICE_TYPE_GPU };
    properties.vendorId = 0x8086;
    properties.deviceId = 0x56a0;
    properties.flags = 0;
    if config.integrated {
        properties.flags |= ze_device_property_flag_t::ZE_DEVICE_PROPERTY_FLAG_INTEGRATED.0;
    }
    if device.part.is_some() && config.hierarchy != Hierarchy::Flat {
        properties.flags |= ze_device_property_flag_t::ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE.0;
    }
    properties.subdeviceId = device.part.unwrap_or_default();
    properties.coreClockRate = 2400;
    properties.maxMemAllocSize = config.max_allocation_bytes;
    properties.maxHardwareContexts = 64 << 10;
    properties.maxCommandQueuePriority = 0;
    properties.numThreadsPerEU = 8;
    properties.physicalEUSimdWidth = 8;
    properties.numEUsPerSubslice = 16;
    properties.numSubslicesPerSlice = driver.opencl.compute_units;
    properties.numSlices = 1;
    properties.timerResolution = if cycles { 1_000_000_000 / TICK_NS } else { TICK_NS };
    properties.timestampValidBits = 36;
    properties.kernelTimestampValidBits = KERNEL_TIMESTAMP_BITS;
    properties.uuid.id = device.uuid();
    write_text(&mut properties.name, &config.name);
}

/// Fills the extensions that hang on the device properties.
fn fill_chained(driver: &Driver, device: Device, element: *mut Chained) {
    // SAFETY: `chain` gives elements of a well-formed chain.
    let Some(head) = (unsafe { element.as_ref() }) else { return };
    if head.stype == ZE_STRUCTURE_TYPE_DEVICE_USABLEMEM_SIZE_EXT_PROPERTIES {
        // SAFETY: the structure type says which structure this is the head of.
        let usable = unsafe { &mut *element.cast::<ze_device_usablemem_size_ext_properties_t>() };
        match driver.config.usable_memory {
            UsableMemory::Free => usable.currUsableMemSize = device.free(driver),
            UsableMemory::Fixed(bytes) => usable.currUsableMemSize = bytes,
            UsableMemory::Absent => {}
        }
    }
}

pub(crate) unsafe extern "C" fn zeDeviceGetProperties(
    handle: ze_device_handle_t,
    properties: *mut ze_device_properties_t,
) -> ze_result_t {
    call("zeDeviceGetProperties", |driver| {
        let device = device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        fill_properties(driver, device, properties);
        // SAFETY: the chain is as the specification asks.
        unsafe { chain(properties.pNext) }.for_each(|element| fill_chained(driver, device, element));
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetComputeProperties(
    handle: ze_device_handle_t,
    properties: *mut ze_device_compute_properties_t,
) -> ze_result_t {
    call("zeDeviceGetComputeProperties", |driver| {
        device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        let items = max_group_items(driver);
        properties.maxTotalGroupSize = items;
        (properties.maxGroupSizeX, properties.maxGroupSizeY, properties.maxGroupSizeZ) = (items, items, items);
        properties.maxGroupCountX = u32::MAX;
        properties.maxGroupCountY = u32::MAX;
        properties.maxGroupCountZ = u32::MAX;
        properties.maxSharedLocalMemory = local_bytes(driver);
        properties.numSubGroupSizes = 3;
        properties.subGroupSizes = [8, 16, 32, 0, 0, 0, 0, 0];
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetModuleProperties(
    handle: ze_device_handle_t,
    properties: *mut ze_device_module_properties_t,
) -> ze_result_t {
    call("zeDeviceGetModuleProperties", |driver| {
        device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        let float = ze_device_fp_flag_t::ZE_DEVICE_FP_FLAG_DENORM.0
            | ze_device_fp_flag_t::ZE_DEVICE_FP_FLAG_INF_NAN.0
            | ze_device_fp_flag_t::ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST.0
            | ze_device_fp_flag_t::ZE_DEVICE_FP_FLAG_FMA.0
            | ze_device_fp_flag_t::ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT.0;
        let (fp16, fp64) = (driver.opencl.fp16, driver.config.fp64);
        let when = |condition: bool, flags: u32| if condition { flags } else { 0 };
        properties.spirvVersionSupported = 0x1_0002;
        properties.flags = ze_device_module_flag_t::ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS.0
            | when(fp16, ze_device_module_flag_t::ZE_DEVICE_MODULE_FLAG_FP16.0)
            | when(fp64, ze_device_module_flag_t::ZE_DEVICE_MODULE_FLAG_FP64.0);
        properties.fp16flags = when(fp16, float);
        properties.fp32flags = float;
        properties.fp64flags = when(fp64, float);
        properties.maxArgumentsSize = 2048;
        properties.printfBufferSize = 4 << 20;
        Ok(())
    })
}

/// Kinds of work that the groups of queues take, in the order of their ordinals.
pub(crate) const QUEUE_GROUPS: [u32; 2] = [
    ze_command_queue_group_property_flag_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE.0
        | ze_command_queue_group_property_flag_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY.0,
    ze_command_queue_group_property_flag_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY.0,
];

pub(crate) unsafe extern "C" fn zeDeviceGetCommandQueueGroupProperties(
    handle: ze_device_handle_t,
    count: *mut u32,
    properties: *mut ze_command_queue_group_properties_t,
) -> ze_result_t {
    call("zeDeviceGetCommandQueueGroupProperties", |driver| {
        device(driver, handle)?;
        let groups = QUEUE_GROUPS.map(|flags| ze_command_queue_group_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES,
            flags,
            maxMemoryFillPatternSize: 16,
            numQueues: 1,
            ..Default::default()
        });
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, properties, &groups) }
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetMemoryProperties(
    handle: ze_device_handle_t,
    count: *mut u32,
    properties: *mut ze_device_memory_properties_t,
) -> ze_result_t {
    call("zeDeviceGetMemoryProperties", |driver| {
        let device = device(driver, handle)?;
        let mut memory = ze_device_memory_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES,
            totalSize: device.capacity(driver),
            maxClockRate: 0,
            maxBusWidth: 64,
            ..Default::default()
        };
        write_text(&mut memory.name, "GDDR");
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, properties, &[memory]) }
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetMemoryAccessProperties(
    handle: ze_device_handle_t,
    properties: *mut ze_device_memory_access_properties_t,
) -> ze_result_t {
    call("zeDeviceGetMemoryAccessProperties", |driver| {
        device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        let reachable = ze_memory_access_cap_flag_t::ZE_MEMORY_ACCESS_CAP_FLAG_RW.0
            | ze_memory_access_cap_flag_t::ZE_MEMORY_ACCESS_CAP_FLAG_ATOMIC.0;
        properties.hostAllocCapabilities = reachable;
        properties.deviceAllocCapabilities = reachable;
        properties.sharedSingleDeviceAllocCapabilities = reachable;
        properties.sharedCrossDeviceAllocCapabilities = 0;
        properties.sharedSystemAllocCapabilities = 0;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetCacheProperties(
    handle: ze_device_handle_t,
    count: *mut u32,
    properties: *mut ze_device_cache_properties_t,
) -> ze_result_t {
    call("zeDeviceGetCacheProperties", |driver| {
        device(driver, handle)?;
        let cache = ze_device_cache_properties_t { cacheSize: 16 << 20, ..Default::default() };
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, properties, &[cache]) }
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetStatus(handle: ze_device_handle_t) -> ze_result_t {
    work("zeDeviceGetStatus", |driver| device(driver, handle).map(drop))
}

pub(crate) unsafe extern "C" fn zeDeviceCanAccessPeer(
    handle: ze_device_handle_t,
    peer: ze_device_handle_t,
    answer: *mut ze_bool_t,
) -> ze_result_t {
    call("zeDeviceCanAccessPeer", |driver| {
        let same = device(driver, handle)?.root == device(driver, peer)?.root;
        // SAFETY: the caller gives room for the answer.
        *unsafe { place(answer) }? = same.into();
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDeviceGetGlobalTimestamps(
    handle: ze_device_handle_t,
    host: *mut u64,
    on_device: *mut u64,
) -> ze_result_t {
    work("zeDeviceGetGlobalTimestamps", |driver| {
        device(driver, handle)?;
        // SAFETY: the caller gives room for both.
        let (host, on_device) = unsafe { (place(host)?, place(on_device)?) };
        *host = driver.now();
        *on_device = *host / TICK_NS;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDevicePciGetPropertiesExt(
    handle: ze_device_handle_t,
    properties: *mut ze_pci_ext_properties_t,
) -> ze_result_t {
    call("zeDevicePciGetPropertiesExt", |driver| {
        let device = device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let address = &mut unsafe { place(properties) }?.address;
        (address.domain, address.bus, address.device, address.function) = (0, device.bus(), 0, 0);
        Ok(())
    })
}
