//! What a test in the same process asks of the driver beside Level Zero.
//!
//! The functions are found by name in the library that the loader has loaded: `dlopen` of the same file gives the same library.

use crate::driver::driver;
use crate::faults::parse_faults;
use crate::object::KINDS;
use std::ffi::{CStr, c_char};

/// Puts other faults in force (the text of `TESTDRIVER_FAIL`), counts calls from 1 again, lets hanging commands go on, and a
/// lost device be there again. Answers 0, or 1 if the text makes no sense or there is no driver.
///
/// # Safety
/// The text is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cellhold_testdriver_faults(text: *const c_char) -> u32 {
    // SAFETY: passed on to the caller.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    match (driver(), parse_faults(&text)) {
        (Ok(driver), Ok(faults)) => {
            driver.faults.replace(faults);
            driver.engine.recover(driver);
            0
        }
        _ => 1,
    }
}

/// A counter by its name; -1 if there is none of this name. `contexts`, `modules`, `build_logs`, `kernels`, `queues`, `lists`,
/// `event_pools`, `events`, `fences` and `allocations` are live objects, `live` is their sum; `device_bytes` are bytes in use
/// of all devices; `launches`, `copies` and `fills` count commands that were run, `compiled` and `restored` modules that were built
/// from SPIR-V and from their native form.
///
/// # Safety
/// The name is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cellhold_testdriver_counter(name: *const c_char) -> i64 {
    // SAFETY: passed on to the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let Ok(driver) = driver() else { return -1 };
    let count = match name.as_ref() {
        "allocations" => driver.memory.count_live() as u64,
        "live" => {
            let objects: usize = KINDS.iter().map(|kind| driver.objects.count(kind)).sum();
            (objects + driver.memory.count_live()) as u64
        }
        "device_bytes" => crate::device::roots(driver).map(|device| driver.memory.used(device)).sum(),
        "launches" | "copies" | "fills" => driver.memory.count_ran(&name),
        "compiled" => crate::module::count_built(false),
        "restored" => crate::module::count_built(true),
        kind if KINDS.contains(&kind) => driver.objects.count(kind) as u64,
        _ => return -1,
    };
    i64::try_from(count).unwrap_or(i64::MAX)
}
