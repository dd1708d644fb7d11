//! Sysman: memory figures, addresses, processes.
//!
//! Two ways lead in, as with the real driver: `zesInit`, after which devices have handles of their own, or
//! `ZES_ENABLE_SYSMAN=1` in the environment of the first call, after which a device's core handle serves.

use crate::answer::{Answer, enumerate, place, refusal, refuse, write_text};
use crate::config::MAX_COUNT;
use crate::device::{Device, fill_properties, roots};
use crate::driver::{Driver, call, check_driver, driver_handle};
use level_zero_sys::*;
use std::sync::atomic::Ordering;

/// Sysman's own handles of devices and memory modules.
const FIRST_DEVICE: usize = 0x8000;
const FIRST_MODULE: usize = 0xa000;

fn is_open(driver: &Driver) -> bool {
    driver.sysman_by_variable || driver.sysman_by_call.load(Ordering::SeqCst)
}

fn check_open(driver: &Driver) -> Answer {
    if is_open(driver) {
        return Ok(());
    }
    let why = "neither zesInit was called nor ZES_ENABLE_SYSMAN=1 set before the first call";
    refuse(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, why)
}

fn own_handle<H>(device: Device) -> *mut H {
    (FIRST_DEVICE + 16 * device.root as usize) as *mut H
}

/// The device of a handle that is valid in the way sysman was opened.
fn sysman_device(driver: &Driver, handle: zes_device_handle_t) -> Answer<Device> {
    check_open(driver)?;
    if handle.is_null() {
        return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "a null handle, not a device");
    }
    let by_call = driver.sysman_by_call.load(Ordering::SeqCst);
    roots(driver)
        .find(|device| handle == if by_call { own_handle(*device) } else { device.handle() })
        .ok_or_else(|| refusal(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED, "no sysman handle of a device"))
}

/// The device of a memory module's handle.
fn module_device(driver: &Driver, handle: zes_mem_handle_t) -> Answer<Device> {
    check_open(driver)?;
    let number = (handle as usize).checked_sub(FIRST_MODULE).map(|offset| (offset / 16) as u32);
    roots(driver)
        .find(|device| (0..driver.config.memory_modules).any(|module| number == Some(device.root * MAX_COUNT + module)))
        .ok_or_else(|| refusal(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "no handle of a memory module"))
}

pub(crate) unsafe extern "C" fn zesInit(_flags: zes_init_flags_t) -> ze_result_t {
    call("zesInit", |driver| {
        driver.sysman_by_call.store(true, Ordering::SeqCst);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zesDriverGet(count: *mut u32, drivers: *mut zes_driver_handle_t) -> ze_result_t {
    call("zesDriverGet", |driver| {
        check_open(driver)?;
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, drivers, &[driver_handle()]) }
    })
}

pub(crate) unsafe extern "C" fn zesDeviceGet(
    handle: zes_driver_handle_t,
    count: *mut u32,
    devices: *mut zes_device_handle_t,
) -> ze_result_t {
    call("zesDeviceGet", |driver| {
        check_open(driver)?;
        check_driver(handle)?;
        let listed: Vec<_> = roots(driver).map(own_handle).collect();
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, devices, &listed) }
    })
}

pub(crate) unsafe extern "C" fn zesDriverGetDeviceByUuidExp(
    handle: zes_driver_handle_t,
    uuid: zes_uuid_t,
    found: *mut zes_device_handle_t,
    on_part: *mut ze_bool_t,
    part: *mut u32,
) -> ze_result_t {
    call("zesDriverGetDeviceByUuidExp", |driver| {
        check_open(driver)?;
        check_driver(handle)?;
        // SAFETY: the caller gives room for the answers.
        let (found, on_part, part) = unsafe { (place(found)?, place(on_part)?, place(part)?) };
        let Some(device) = roots(driver).find(|device| device.uuid() == uuid.id) else {
            return refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "no device has this UUID");
        };
        (*found, *on_part, *part) = (own_handle(device), 0, 0);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zesDeviceGetProperties(
    handle: zes_device_handle_t,
    properties: *mut zes_device_properties_t,
) -> ze_result_t {
    call("zesDeviceGetProperties", |driver| {
        let device = sysman_device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        fill_properties(driver, device, &mut properties.core);
        properties.numSubdevices = driver.config.subdevices;
        write_text(&mut properties.serialNumber, "unknown");
        write_text(&mut properties.boardNumber, "unknown");
        write_text(&mut properties.brandName, "Cellhold");
        write_text(&mut properties.modelName, &driver.config.name);
        write_text(&mut properties.vendorName, "Cellhold");
        write_text(&mut properties.driverVersion, "1.3.0");
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zesDevicePciGetProperties(
    handle: zes_device_handle_t,
    properties: *mut zes_pci_properties_t,
) -> ze_result_t {
    call("zesDevicePciGetProperties", |driver| {
        let device = sysman_device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let address = &mut unsafe { place(properties) }?.address;
        (address.domain, address.bus, address.device, address.function) = (0, device.bus(), 0, 0);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zesDeviceEnumMemoryModules(
    handle: zes_device_handle_t,
    count: *mut u32,
    modules: *mut zes_mem_handle_t,
) -> ze_result_t {
    call("zesDeviceEnumMemoryModules", |driver| {
        let device = sysman_device(driver, handle)?;
        let listed: Vec<zes_mem_handle_t> = (0..driver.config.memory_modules)
            .map(|module| (FIRST_MODULE + 16 * (device.root * MAX_COUNT + module) as usize) as zes_mem_handle_t)
            .collect();
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, modules, &listed) }
    })
}

pub(crate) unsafe extern "C" fn zesMemoryGetProperties(
    handle: zes_mem_handle_t,
    properties: *mut zes_mem_properties_t,
) -> ze_result_t {
    call("zesMemoryGetProperties", |driver| {
        let device = module_device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        (properties.onSubdevice, properties.subdeviceId) = (0, 0);
        (properties.type_, properties.location) = if driver.config.integrated {
            (zes_mem_type_t::ZES_MEM_TYPE_DDR4, zes_mem_loc_t::ZES_MEM_LOC_SYSTEM)
        } else {
            (zes_mem_type_t::ZES_MEM_TYPE_GDDR6, zes_mem_loc_t::ZES_MEM_LOC_DEVICE)
        };
        properties.physicalSize = device.capacity(driver) / u64::from(driver.config.memory_modules.max(1));
        (properties.busWidth, properties.numChannels) = (256, 8);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zesMemoryGetState(
    handle: zes_mem_handle_t,
    memory: *mut zes_mem_state_t,
) -> ze_result_t {
    call("zesMemoryGetState", |driver| {
        driver.check_lost()?;
        let device = module_device(driver, handle)?;
        // SAFETY: the caller gives room for the structure.
        let memory = unsafe { place(memory) }?;
        let modules = u64::from(driver.config.memory_modules.max(1));
        memory.health = zes_mem_health_t::ZES_MEM_HEALTH_OK;
        memory.size = device.capacity(driver) / modules;
        memory.free = if driver.config.no_perfmon { memory.size } else { device.free(driver) / modules };
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zesDeviceProcessesGetState(
    handle: zes_device_handle_t,
    count: *mut u32,
    processes: *mut zes_process_state_t,
) -> ze_result_t {
    call("zesDeviceProcessesGetState", |driver| {
        let device = sysman_device(driver, handle)?;
        let state = zes_process_state_t {
            processId: std::process::id(),
            memSize: driver.memory.used(device),
            engines: zes_engine_type_flag_t::ZES_ENGINE_TYPE_FLAG_COMPUTE.0,
            ..Default::default()
        };
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, processes, &[state]) }
    })
}
