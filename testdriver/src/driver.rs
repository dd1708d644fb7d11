//! The driver itself: its one state, the way into every function, and the functions about the driver.

use crate::answer::{Answer, Refusal, enumerate, place, read, refuse, write_text};
use crate::config::{Config, UsableMemory};
use crate::engine::Engine;
use crate::faults::{Effect, Faults};
use crate::memory::Memory;
use crate::object::Objects;
use crate::opencl::OpenCl;
use level_zero_sys::*;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Everything the driver knows.
pub(crate) struct Driver {
    /// The device that is played.
    pub config: Config,
    /// What computes.
    pub opencl: OpenCl,
    /// Injected failures.
    pub faults: Faults,
    /// What clients own.
    pub objects: Objects,
    /// Allocations.
    pub memory: Memory,
    /// Submitted commands.
    pub engine: Engine,
    /// Whether `ZES_ENABLE_SYSMAN=1` stood in the environment at the first call.
    pub sysman_by_variable: bool,
    /// Whether `zesInit` was called.
    pub sysman_by_call: AtomicBool,
    lost: AtomicBool,
    started: Instant,
}

static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();

/// The driver, made by the first call; without an OpenCL runtime there is none, as without hardware.
pub(crate) fn driver() -> Answer<&'static Driver> {
    DRIVER
        .get_or_init(Driver::new)
        .as_ref()
        .or_else(|why| refuse(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED, why.clone()))
}

impl Driver {
    fn new() -> Result<Driver, String> {
        let made = Config::read(|name| std::env::var(name).ok()).and_then(|config| {
            Ok(Driver {
                opencl: OpenCl::open(&config.opencl_library)?,
                faults: Faults::new(config.faults.clone()),
                objects: Objects::default(),
                memory: Memory::new(config.devices, config.guard),
                engine: Engine::new(config.shuffle, config.hold),
                sysman_by_variable: std::env::var("ZES_ENABLE_SYSMAN").is_ok_and(|value| value == "1"),
                sysman_by_call: AtomicBool::new(false),
                lost: AtomicBool::new(false),
                started: Instant::now(),
                config,
            })
        });
        if let Err(why) = &made {
            complain(why);
        }
        made
    }

    /// Nanoseconds since the driver was made.
    pub fn now(&self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }

    /// Whether the device is lost.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::SeqCst)
    }

    /// Marks the device as lost, for good, or as back.
    pub fn set_lost(&self, lost: bool) {
        self.lost.store(lost, Ordering::SeqCst);
    }

    /// Refuses while the device is lost.
    pub fn check_lost(&self) -> Answer {
        if self.is_lost() { refuse(ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST, "the device is lost") } else { Ok(()) }
    }
}

/// A call that needs the device: refused once it is lost.
pub(crate) fn work(function: &'static str, body: impl FnOnce(&'static Driver) -> Answer) -> ze_result_t {
    call(function, |driver| {
        driver.check_lost()?;
        body(driver)
    })
}

/// A call that works whatever the device's state: questions, destruction, waits (which see the loss themselves).
pub(crate) fn call(function: &'static str, body: impl FnOnce(&'static Driver) -> Answer) -> ze_result_t {
    let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let driver = driver()?;
        match driver.faults.strike(function) {
            None | Some(Effect::Hang) => body(driver),
            Some(Effect::Answer(result)) => {
                if result == ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST {
                    driver.engine.lose(driver);
                }
                refuse(result, format!("{function}: injected"))
            }
        }
    }))
    .unwrap_or_else(|_| refuse(ze_result_t::ZE_RESULT_ERROR_UNKNOWN, format!("{function}: the test driver panicked")));
    let result = match answer {
        Ok(()) => ze_result_t::ZE_RESULT_SUCCESS,
        Err(Refusal { result, why }) => {
            describe(&why);
            result
        }
    };
    if let Some(Ok(driver)) = DRIVER.get()
        && driver.config.trace
    {
        complain(&format!("{function} = {result}"));
    }
    result
}

#[expect(clippy::print_stderr, reason = "a test driver's only way to be heard when nothing else works")]
fn complain(text: &str) {
    eprintln!("testdriver: {text}");
}

thread_local! {
    static DESCRIPTION: RefCell<CString> = RefCell::default();
}

fn describe(why: &str) {
    if !why.is_empty() {
        let text = CString::new(why.replace('\0', " ")).unwrap_or_default();
        DESCRIPTION.with(|description| description.replace(text));
    }
}

/// The handle of the one driver.
const HANDLE: usize = 0x1000;

/// Refuses any handle but the driver's.
pub(crate) fn check_driver<H>(handle: *mut H) -> Answer {
    match handle as usize {
        0 => refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "a null handle, not a driver"),
        HANDLE => Ok(()),
        _ => refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "no handle of the driver"),
    }
}

/// The driver's handle, for any of the interfaces.
pub(crate) fn driver_handle<H>() -> *mut H {
    HANDLE as *mut H
}

/// Whether the device is of a kind that these flags (1 GPU, 2 NPU) ask for.
fn wanted(driver: &Driver, flags: u32) -> bool {
    flags == 0 || flags & if driver.config.npu { 2 } else { 1 } != 0
}

pub(crate) unsafe extern "C" fn zeInit(flags: ze_init_flags_t) -> ze_result_t {
    call(
        "zeInit",
        |driver| {
            if wanted(driver, flags) { Ok(()) } else { Err(ze_result_t::ZE_RESULT_ERROR_UNINITIALIZED.into()) }
        },
    )
}

pub(crate) unsafe extern "C" fn zeInitDrivers(
    count: *mut u32,
    drivers: *mut ze_driver_handle_t,
    descriptor: *mut ze_init_driver_type_desc_t,
) -> ze_result_t {
    call("zeInitDrivers", |driver| {
        // SAFETY: the caller's structure and array are as the specification asks.
        unsafe {
            let all = [driver_handle()];
            let listed: &[_] = if wanted(driver, read(descriptor)?.flags) { &all } else { &[] };
            enumerate(count, drivers, listed)
        }
    })
}

pub(crate) unsafe extern "C" fn zeDriverGet(count: *mut u32, drivers: *mut ze_driver_handle_t) -> ze_result_t {
    // SAFETY: the caller's array is as the specification asks.
    call("zeDriverGet", |_| unsafe { enumerate(count, drivers, &[driver_handle()]) })
}

pub(crate) unsafe extern "C" fn zeDriverGetApiVersion(
    handle: ze_driver_handle_t,
    version: *mut ze_api_version_t,
) -> ze_result_t {
    call("zeDriverGetApiVersion", |driver| {
        check_driver(handle)?;
        let (major, minor) = driver.config.api;
        // SAFETY: the caller gives room for the version.
        *unsafe { place(version) }? = ze_api_version_t(major << 16 | minor);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDriverGetProperties(
    handle: ze_driver_handle_t,
    properties: *mut ze_driver_properties_t,
) -> ze_result_t {
    call("zeDriverGetProperties", |_| {
        check_driver(handle)?;
        // SAFETY: the caller gives room for the structure.
        let properties = unsafe { place(properties) }?;
        properties.driverVersion = 0x0103_0000;
        properties.uuid.id = *b"cellhold-testdrv";
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDriverGetIpcProperties(
    handle: ze_driver_handle_t,
    properties: *mut ze_driver_ipc_properties_t,
) -> ze_result_t {
    call("zeDriverGetIpcProperties", |_| {
        check_driver(handle)?;
        // SAFETY: the caller gives room for the structure.
        unsafe { place(properties) }?.flags = 0;
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn zeDriverGetExtensionProperties(
    handle: ze_driver_handle_t,
    count: *mut u32,
    extensions: *mut ze_driver_extension_properties_t,
) -> ze_result_t {
    call("zeDriverGetExtensionProperties", |driver| {
        check_driver(handle)?;
        let mut names = vec!["ZE_experimental_relaxed_allocation_limits", "ZE_extension_memory_free_policies"];
        if driver.config.usable_memory != UsableMemory::Absent {
            names.push("ZE_extension_device_usablemem_size_properties");
        }
        let listed: Vec<ze_driver_extension_properties_t> = names
            .iter()
            .map(|name| {
                let mut extension = ze_driver_extension_properties_t { version: 0x1_0000, ..Default::default() };
                write_text(&mut extension.name, name);
                extension
            })
            .collect();
        // SAFETY: the caller's array is as the specification asks.
        unsafe { enumerate(count, extensions, &listed) }
    })
}

pub(crate) unsafe extern "C" fn zeDriverGetExtensionFunctionAddress(
    handle: ze_driver_handle_t,
    _name: *const c_char,
    address: *mut *mut c_void,
) -> ze_result_t {
    call("zeDriverGetExtensionFunctionAddress", |_| {
        check_driver(handle)?;
        // SAFETY: the caller gives room for the address.
        *unsafe { place(address) }? = std::ptr::null_mut();
        refuse(ze_result_t::ZE_RESULT_ERROR_INVALID_ARGUMENT, "there are no functions beyond the tables")
    })
}

pub(crate) unsafe extern "C" fn zeDriverGetLastErrorDescription(
    handle: ze_driver_handle_t,
    text: *mut *const c_char,
) -> ze_result_t {
    call("zeDriverGetLastErrorDescription", |_| {
        check_driver(handle)?;
        // The text stays until the thread's next error, as the specification has it.
        // SAFETY: the caller gives room for the pointer.
        *unsafe { place(text) }? = DESCRIPTION.with(|description| description.borrow().as_ptr());
        Ok(())
    })
}
