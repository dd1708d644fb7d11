//! What a device is: the unchanging properties the driver tells, in this crate's words.

use super::loader::{Driver, Failure, Handle, list, text, ze};
use crate::arrays::backend::{BackendKind, DeviceInfo, DeviceType, PciAddress, ProgramLimits, Silicon};
use crate::arrays::limit;
use crate::arrays::readings::Amount;
use level_zero_sys::*;

/// Where figures about integrated devices come from: they have no memory of their own.
pub(super) fn shared_with_host(amount: Amount) -> Amount {
    match amount {
        Amount::Known { bytes, source: "cgroup" } => Amount::known(bytes, "cgroup, shared with the host"),
        Amount::Known { bytes, source: "MemTotal" } => Amount::known(bytes, "MemTotal, shared with the host"),
        Amount::Known { bytes, .. } => Amount::known(bytes, "MemAvailable, shared with the host"),
        unknown => unknown,
    }
}

/// The group of queues that runs programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QueueGroup {
    /// Its number.
    pub(super) ordinal: u32,
    /// The longest pattern of a fill.
    pub(super) max_fill: usize,
}

/// A device as it was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Its handle.
    pub(super) handle: Handle<_ze_device_handle_t>,
    /// Position of its driver.
    pub(super) driver: usize,
    /// What it is.
    pub(super) info: DeviceInfo,
    /// What programs it runs.
    pub(super) limits: ProgramLimits,
    /// Where programs go; nothing on a device that runs none, such as an NPU.
    pub(super) group: Option<QueueGroup>,
    /// The identifier, which sysman uses too.
    pub(super) uuid: [u8; 16],
    /// Whether it is a part of another.
    pub(super) is_part: bool,
    /// Its parts, each with memory of its own.
    pub(super) parts: Vec<Found>,
    /// Nanoseconds of one tick of a kernel timestamp, and the mask of its valid bits.
    pub(super) timer: (f64, u64),
}

impl Found {
    pub(super) fn read(
        api: &Loader,
        position: usize,
        driver: &Driver,
        device: Handle<_ze_device_handle_t>,
    ) -> Result<Found, Failure> {
        let mut properties = ze_device_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
            ..Default::default()
        };
        let mut compute = ze_device_compute_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES,
            ..Default::default()
        };
        let mut module = ze_device_module_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES,
            ..Default::default()
        };
        // SAFETY: the device is live, and each result is the structure its function fills.
        unsafe {
            ze!(api.zeDeviceGetProperties(device.0, &mut properties))?;
            ze!(api.zeDeviceGetComputeProperties(device.0, &mut compute))?;
            ze!(api.zeDeviceGetModuleProperties(device.0, &mut module))?;
        }
        let device_type = match properties.type_ {
            ze_device_type_t::ZE_DEVICE_TYPE_GPU => DeviceType::Gpu,
            ze_device_type_t::ZE_DEVICE_TYPE_CPU => DeviceType::Cpu,
            _ => DeviceType::Accelerator,
        };
        let has = |flag: ze_device_property_flag_t| properties.flags & flag.0 != 0;
        let computes = |flag: ze_device_module_flag_t| module.flags & flag.0 != 0;
        let (fp64, fp16) = (
            computes(ze_device_module_flag_t::ZE_DEVICE_MODULE_FLAG_FP64),
            computes(ze_device_module_flag_t::ZE_DEVICE_MODULE_FLAG_FP16),
        );
        let integrated = has(ze_device_property_flag_t::ZE_DEVICE_PROPERTY_FLAG_INTEGRATED);
        let info = DeviceInfo {
            name: text(&properties.name),
            vendor: vendor(properties.vendorId),
            driver: driver.version_text().into(),
            backend: BackendKind::LevelZero,
            device_type,
            compute_units: [properties.numSlices, properties.numSubslicesPerSlice, properties.numEUsPerSubslice]
                .into_iter()
                .map(|count| count as usize)
                .product(),
            fp64,
            fp16,
            integrated,
            total: if integrated { shared_with_host(limit::capacity()) } else { total(api, device) },
            max_single: Amount::known(properties.maxMemAllocSize, "Level Zero"),
            silicon: Silicon { uuid: Some(properties.uuid.id), pci: pci(api, device), ..Silicon::default() },
        };
        let sub_groups = &compute.subGroupSizes[..compute.subGroupSizes.len().min(compute.numSubGroupSizes as usize)];
        let limits = ProgramLimits {
            fp64,
            fp16,
            max_group: compute.maxTotalGroupSize,
            max_local: [compute.maxGroupSizeX, compute.maxGroupSizeY, compute.maxGroupSizeZ],
            max_groups: [compute.maxGroupCountX, compute.maxGroupCountY, compute.maxGroupCountZ],
            sub_groups: sub_groups.into(),
            local_bytes: compute.maxSharedLocalMemory as usize,
            address_bits: 64,
            spirv: ((module.spirvVersionSupported >> 16) as u8, (module.spirvVersionSupported & 0xff) as u8),
        };
        let runs_programs = device_type != DeviceType::Accelerator && module.spirvVersionSupported != 0;
        let bits = properties.kernelTimestampValidBits;
        Ok(Found {
            handle: device,
            driver: position,
            info,
            limits,
            group: if runs_programs { queue_group(api, device)? } else { None },
            uuid: properties.uuid.id,
            is_part: has(ze_device_property_flag_t::ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE),
            parts: parts(api, position, driver, device),
            timer: (properties.timerResolution as f64, if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }),
        })
    }
}

/// The parts of a device. One that cannot be described is passed over.
fn parts(api: &Loader, position: usize, driver: &Driver, device: Handle<_ze_device_handle_t>) -> Vec<Found> {
    let handles = list(std::ptr::null_mut(), |count, items| {
        // SAFETY: the device is live; the array has room for `count` handles, or is null to ask for their number.
        unsafe { ze!(api.zeDeviceGetSubDevices(device.0, count, items)) }
    });
    handles
        .unwrap_or_default()
        .into_iter()
        .filter_map(|part| Found::read(api, position, driver, Handle(part)).ok())
        .collect()
}

fn vendor(id: u32) -> Box<str> {
    if id == 0x8086 { "Intel(R) Corporation".into() } else { format!("PCI vendor {id:#06x}").into() }
}

/// What programs can allocate in all: a little less than the device has.
fn total(api: &Loader, device: Handle<_ze_device_handle_t>) -> Amount {
    let empty = ze_device_memory_properties_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES,
        ..Default::default()
    };
    let memories = list(empty, |count, items| {
        // SAFETY: the device is live; the array has room for `count` structures, or is null to ask for their number.
        unsafe { ze!(api.zeDeviceGetMemoryProperties(device.0, count, items)) }
    });
    match memories {
        Ok(memories) if !memories.is_empty() => {
            Amount::known(memories.iter().map(|memory| memory.totalSize).sum(), "Level Zero")
        }
        Ok(_) => Amount::unknown("the driver lists no memory of the device"),
        Err(failure) => Amount::unknown(failure.to_string()),
    }
}

fn pci(api: &Loader, device: Handle<_ze_device_handle_t>) -> Option<PciAddress> {
    let mut properties = ze_pci_ext_properties_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES,
        ..Default::default()
    };
    // SAFETY: the device is live, and the structure is the one the function fills. Drivers without the extension refuse.
    unsafe { ze!(api.zeDevicePciGetPropertiesExt(device.0, &mut properties)) }.ok()?;
    let ze_pci_address_ext_t { domain, bus, device, function } = properties.address;
    Some(PciAddress { domain, bus, device, function })
}

fn queue_group(api: &Loader, device: Handle<_ze_device_handle_t>) -> Result<Option<QueueGroup>, Failure> {
    let empty = ze_command_queue_group_properties_t {
        stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES,
        ..Default::default()
    };
    let groups = list(empty, |count, items| {
        // SAFETY: the device is live; the array has room for `count` structures, or is null to ask for their number.
        unsafe { ze!(api.zeDeviceGetCommandQueueGroupProperties(device.0, count, items)) }
    })?;
    let computes = ze_command_queue_group_property_flag_t::ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE.0;
    Ok(groups
        .iter()
        .position(|group| group.flags & computes != 0)
        .map(|position| QueueGroup { ordinal: position as u32, max_fill: groups[position].maxMemoryFillPatternSize }))
}
