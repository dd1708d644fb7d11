//! Contexts.

use crate::answer::{place, read};
use crate::device::device;
use crate::driver::{call, check_driver, work};
use level_zero_sys::*;
use std::ffi::c_void;

/// A context: only its being live matters.
pub(crate) struct Context;

pub(crate) unsafe extern "C" fn zeContextCreate(
    handle: ze_driver_handle_t,
    descriptor: *const ze_context_desc_t,
    context: *mut ze_context_handle_t,
) -> ze_result_t {
    work("zeContextCreate", |driver| {
        check_driver(handle)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (_, context) = unsafe { (read(descriptor)?, place(context)?) };
        *context = driver.objects.insert(Context);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeContextCreateEx(
    handle: ze_driver_handle_t,
    descriptor: *const ze_context_desc_t,
    _device_count: u32,
    _devices: *mut ze_device_handle_t,
    context: *mut ze_context_handle_t,
) -> ze_result_t {
    work("zeContextCreateEx", |driver| {
        check_driver(handle)?;
        // SAFETY: the caller's structures are as the specification asks.
        let (_, context) = unsafe { (read(descriptor)?, place(context)?) };
        *context = driver.objects.insert(Context);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeContextDestroy(context: ze_context_handle_t) -> ze_result_t {
    call("zeContextDestroy", |driver| driver.objects.remove::<Context, _>(context).map(drop))
}

pub(crate) unsafe extern "C" fn zeContextGetStatus(context: ze_context_handle_t) -> ze_result_t {
    work("zeContextGetStatus", |driver| driver.objects.get::<Context, _>(context).map(drop))
}

pub(crate) unsafe extern "C" fn zeContextMakeMemoryResident(
    context: ze_context_handle_t,
    handle: ze_device_handle_t,
    _memory: *mut c_void,
    _bytes: usize,
) -> ze_result_t {
    work("zeContextMakeMemoryResident", |driver| {
        driver.objects.get::<Context, _>(context)?;
        device(driver, handle).map(drop)
    })
}

pub(crate) unsafe extern "C" fn zeContextEvictMemory(
    context: ze_context_handle_t,
    handle: ze_device_handle_t,
    _memory: *mut c_void,
    _bytes: usize,
) -> ze_result_t {
    work("zeContextEvictMemory", |driver| {
        driver.objects.get::<Context, _>(context)?;
        device(driver, handle).map(drop)
    })
}
