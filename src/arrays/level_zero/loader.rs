//! The one Level Zero of this process: the loaded library, its initialisation, and what every call of it needs.
//!
//! The library is loaded and initialised once and never unloaded: drivers do not survive it. Nothing here prints, and a machine
//! without Level Zero gets a reason with a remedy.

use super::diagnosis::{self, Failed};
use super::facts::Found;
use super::sysman::Sysman;
use crate::arrays::backend::BackendError;
use crate::arrays::error::Shortage;
use level_zero_sys::*;
use std::collections::BTreeSet;
use std::ffi::CStr;
use std::fmt;
use std::ptr::null_mut;
use std::sync::OnceLock;

/// A call that the loader or the driver refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The function.
    pub(super) call: &'static str,
    /// What it answered.
    pub(super) result: ze_result_t,
}

impl Failure {
    /// Whether the device is gone for good.
    pub(super) fn is_loss(self) -> bool {
        matches!(
            self.result,
            ze_result_t::ZE_RESULT_ERROR_DEVICE_LOST | ze_result_t::ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET
        )
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} answered {}", self.call, self.result)
    }
}

impl From<Failure> for BackendError {
    fn from(failure: Failure) -> BackendError {
        match failure.result {
            _ if failure.is_loss() => BackendError::Lost { reason: failure.to_string().into() },
            ze_result_t::ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY | ze_result_t::ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY => {
                BackendError::OutOfMemory(Shortage::Capacity)
            }
            ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE => BackendError::Unsupported { what: failure.call.into() },
            result => BackendError::Driver {
                call: failure.call,
                code: i64::from(result.0),
                name: result.name().map_or_else(|| result.to_string().into(), Into::into),
            },
        }
    }
}

/// The answer of a function as a result that names it.
pub(super) fn check(call: &'static str, result: ze_result_t) -> Result<(), Failure> {
    if result == ze_result_t::ZE_RESULT_SUCCESS { Ok(()) } else { Err(Failure { call, result }) }
}

/// Calls a function of the API: `unsafe { ze!(api.zeMemFree(context, pointer)) }?`.
macro_rules! ze {
    ($api:ident.$function:ident($($argument:expr),* $(,)?)) => {
        $crate::arrays::level_zero::loader::check(stringify!($function), ($api.$function)($($argument),*))
    };
}
pub(super) use ze;

/// What a function of the form (count, array) lists. The first call asks for the number, the second for the items.
pub(super) fn list<T: Clone>(
    empty: T,
    mut call: impl FnMut(*mut u32, *mut T) -> Result<(), Failure>,
) -> Result<Vec<T>, Failure> {
    let mut count = 0;
    call(&mut count, null_mut())?;
    let mut items = vec![empty; count as usize];
    if count > 0 {
        call(&mut count, items.as_mut_ptr())?;
        items.truncate(count as usize);
    }
    Ok(items)
}

/// A handle of the API, which any thread may use. What must not run at the same time on one handle is under a lock of its
/// owner.
#[derive(Debug)]
pub(super) struct Handle<T>(pub(super) *mut T);

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Handle<T> {}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: the specification lets every thread use a handle; the pointer is never followed here.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: as above; functions that are not safe to call at the same time are called under a lock of the handle's owner.
unsafe impl<T> Sync for Handle<T> {}

/// The text of a fixed array of characters.
pub(super) fn text(characters: &[std::ffi::c_char]) -> Box<str> {
    let bytes: Vec<u8> = characters.iter().map(|&c| c as u8).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).trim().into()
}

/// A driver with what it says about itself.
pub(super) struct Driver {
    /// Its handle.
    pub(super) handle: Handle<_ze_driver_handle_t>,
    /// The version of the specification it implements, as (major, minor).
    pub(super) api: (u32, u32),
    /// Its own version, as it encodes it.
    pub(super) version: u32,
    /// The extensions it has.
    pub(super) extensions: BTreeSet<Box<str>>,
}

/// The initialised Level Zero of this process.
pub(super) struct Runtime {
    /// Its functions.
    pub(super) api: &'static Loader,
    /// Its drivers.
    pub(super) drivers: Vec<Driver>,
    /// Its devices, in the order of the drivers and of each driver.
    pub(super) devices: Vec<Found>,
    /// Whether handles are the driver's own. A loader with several drivers wraps them, and forgets to wrap the log of a module
    /// that failed to build.
    pub(super) passes_through: bool,
    sysman: OnceLock<Sysman>,
}

/// The loaded library, or the system's words why not. Loading calls no function of it.
pub(super) fn library() -> Result<&'static Loader, Box<str>> {
    static LIBRARY: OnceLock<Result<Loader, Box<str>>> = OnceLock::new();
    let library = LIBRARY.get_or_init(|| {
        // SAFETY: the library of this name is the Level Zero loader.
        unsafe { Loader::load() }.map_err(|error| error.to_string().into())
    });
    library.as_ref().map_err(Clone::clone)
}

impl Runtime {
    /// The runtime, initialised at the first call; or why there is none, with the remedy.
    pub(super) fn get() -> Result<&'static Runtime, Box<str>> {
        static RUNTIME: OnceLock<Result<Runtime, Box<str>>> = OnceLock::new();
        let runtime = RUNTIME.get_or_init(|| {
            let api = library().map_err(|why| diagnosis::explain(&Failed::Load(why)))?;
            Runtime::start(api).map_err(|failed| diagnosis::explain(&failed))
        });
        runtime.as_ref().map_err(Clone::clone)
    }

    fn start(api: &'static Loader) -> Result<Runtime, Failed> {
        let initialise = |failure: Failure| Failed::Initialise(failure.to_string().into());
        let handles = drivers(api).map_err(initialise)?;
        let mut devices = Vec::new();
        let mut drivers = Vec::new();
        for handle in handles {
            // A driver that cannot even describe itself is passed over; the others may be well.
            let Ok(driver) = Driver::read(api, handle) else { continue };
            for device in device_handles(api, handle).unwrap_or_default() {
                if let Ok(found) = Found::read(api, drivers.len(), &driver, device) {
                    devices.push(found);
                }
            }
            drivers.push(driver);
        }
        if devices.is_empty() {
            return Err(Failed::NoDevice);
        }
        let passes_through = drivers.len() == 1 && !wraps_handles();
        Ok(Runtime { api, drivers, devices, passes_through, sysman: OnceLock::new() })
    }

    /// The management interface, started at the first call: on a real machine that reads many files.
    pub(super) fn sysman(&self) -> &Sysman {
        self.sysman.get_or_init(|| Sysman::start(self.api))
    }
}

impl Driver {
    fn read(api: &Loader, handle: Handle<_ze_driver_handle_t>) -> Result<Driver, Failure> {
        let mut version = ze_api_version_t(0);
        let mut properties = ze_driver_properties_t {
            stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES,
            ..Default::default()
        };
        // SAFETY: the handle is live, and both results are the structures the functions fill.
        unsafe {
            ze!(api.zeDriverGetApiVersion(handle.0, &mut version))?;
            ze!(api.zeDriverGetProperties(handle.0, &mut properties))?;
        }
        let extensions = list(ze_driver_extension_properties_t::default(), |count, items| {
            // SAFETY: the array has room for `count` items, or is null to ask for their number.
            unsafe { ze!(api.zeDriverGetExtensionProperties(handle.0, count, items)) }
        });
        Ok(Driver {
            handle,
            api: (version.0 >> 16, version.0 & 0xffff),
            version: properties.driverVersion,
            // Old drivers refuse the question.
            extensions: extensions.unwrap_or_default().iter().map(|item| text(&item.name)).collect(),
        })
    }

    /// The driver's version as people write it.
    pub(super) fn version_text(&self) -> String {
        let (major, minor, build) = (self.version >> 24, (self.version >> 16) & 0xff, self.version & 0xffff);
        format!("Level Zero {}.{}, driver {major}.{minor}.{build}", self.api.0, self.api.1)
    }

    /// Whether the driver has the extension.
    pub(super) fn has(&self, extension: &CStr) -> bool {
        extension.to_str().is_ok_and(|name| self.extensions.contains(name))
    }
}

/// Initialises the loader and lists the drivers of every kind of device.
fn drivers(api: &Loader) -> Result<Vec<Handle<_ze_driver_handle_t>>, Failure> {
    let handles = match api.zeInitDrivers {
        Some(init) => {
            let mut kinds = ze_init_driver_type_desc_t {
                stype: ze_structure_type_t::ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC,
                flags: u32::MAX,
                ..Default::default()
            };
            list(null_mut(), |count, items| {
                // SAFETY: the array has room for `count` handles, or is null to ask for their number.
                check("zeInitDrivers", unsafe { init(count, items, &mut kinds) })
            })?
        }
        None => {
            // SAFETY: the first call to the library, with no flags.
            unsafe { ze!(api.zeInit(0)) }?;
            list(null_mut(), |count, items| {
                // SAFETY: as above.
                unsafe { ze!(api.zeDriverGet(count, items)) }
            })?
        }
    };
    Ok(handles.into_iter().map(Handle).collect())
}

fn device_handles(
    api: &Loader,
    driver: Handle<_ze_driver_handle_t>,
) -> Result<Vec<Handle<_ze_device_handle_t>>, Failure> {
    let handles = list(null_mut(), |count, items| {
        // SAFETY: the driver is live; the array has room for `count` handles, or is null to ask for their number.
        unsafe { ze!(api.zeDeviceGet(driver.0, count, items)) }
    })?;
    Ok(handles.into_iter().map(Handle).collect())
}

/// Whether the loader may have several drivers, or was told to wrap handles. It does not say; a driver without a device is not
/// listed and still counts.
fn wraps_handles() -> bool {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let asked = variable("ZE_ENABLE_LOADER_INTERCEPT");
    if !asked.is_empty() && asked != "0" {
        return true;
    }
    let given = variable("ZE_ENABLE_ALT_DRIVERS");
    if !given.is_empty() {
        return given.split(',').filter(|path| !path.is_empty()).count() > 1;
    }
    // The libraries in this process, by the names the loader looks for.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let libraries: BTreeSet<&str> = maps
        .lines()
        .filter_map(|line| line.rsplit('/').next())
        .filter(|file| file.starts_with("libze_intel_"))
        .collect();
    libraries.len() > 1
}
