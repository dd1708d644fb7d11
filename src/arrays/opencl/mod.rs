//! Devices behind an OpenCL runtime: Intel's for GPUs and for processors, found and loaded at run time.
//!
//! A device is usable here when its platform takes SPIR-V and has unified shared memory; others are named with the reason.
//! What a program computes is not known here, and no number about memory is made up.

mod device;
mod loader;
mod memory;
mod program;
mod queue;

use super::backend::{Backend, BackendError, Device, DeviceInfo, Unusable};
use device::{OpenClDevice, Origin};
use loader::{Api, Handle};
use std::ptr::null_mut;
use std::sync::Arc;

/// The devices of all OpenCL platforms.
pub struct OpenClBackend {
    found: Result<Vec<Origin>, Box<str>>,
    unusable: Vec<Unusable>,
}

impl OpenClBackend {
    /// Loads the library and asks every platform; takes as long as the drivers need to start.
    pub fn discover() -> OpenClBackend {
        let mut unusable = Vec::new();
        let found = loader::api().and_then(|api| find(api, &mut unusable));
        OpenClBackend { found, unusable }
    }
}

fn find(api: &'static Api, unusable: &mut Vec<Unusable>) -> Result<Vec<Origin>, Box<str>> {
    let platforms = platforms(api)?;
    let mut devices = Vec::new();
    for platform in platforms {
        let name = loader::text(api.get_platform_info, platform, loader::PLATFORM_NAME);
        let version = loader::text(api.get_platform_info, platform, loader::PLATFORM_VERSION);
        let of_platform = device_ids(api, platform);
        if of_platform.is_empty() {
            unusable.push(Unusable { name: name.into(), reason: "the platform has no devices".into() });
            continue;
        }
        for id in of_platform {
            match Origin::examine(api, platform, &name, id) {
                Ok(origin) => devices.push(origin),
                Err(reason) => {
                    let device = loader::text(api.get_device_info, id, loader::DEVICE_NAME);
                    unusable.push(Unusable { name: format!("{device} ({name}, {version})").into(), reason });
                }
            }
        }
    }
    if devices.is_empty() {
        return Err(if unusable.is_empty() {
            no_platform()
        } else {
            "no OpenCL platform here has both SPIR-V and unified shared memory; Intel's runtimes have".into()
        });
    }
    Ok(devices)
}

fn no_platform() -> Box<str> {
    format!("no OpenCL platform is installed: install {}", loader::RUNTIMES).into()
}

fn platforms(api: &Api) -> Result<Vec<Handle>, Box<str>> {
    let mut count = 0;
    // SAFETY: no handles are asked for, only how many there are.
    let code = unsafe { (api.get_platform_ids)(0, null_mut(), &raw mut count) };
    if code == loader::PLATFORM_NOT_FOUND || (code == loader::SUCCESS && count == 0) {
        return Err(no_platform());
    }
    let refused = |code| format!("clGetPlatformIDs answered {} ({code})", loader::code_name(code)).into();
    if code != loader::SUCCESS {
        return Err(refused(code));
    }
    let mut platforms = vec![null_mut(); count as usize];
    // SAFETY: `count` handles are writable.
    let code = unsafe { (api.get_platform_ids)(count, platforms.as_mut_ptr(), null_mut()) };
    if code == loader::SUCCESS { Ok(platforms) } else { Err(refused(code)) }
}

fn device_ids(api: &Api, platform: Handle) -> Vec<Handle> {
    let mut count = 0;
    // SAFETY: the platform is live; no handles are asked for, only how many there are.
    let code = unsafe { (api.get_device_ids)(platform, loader::DEVICE_TYPE_ALL, 0, null_mut(), &raw mut count) };
    if code != loader::SUCCESS {
        return Vec::new();
    }
    let mut devices = vec![null_mut(); count as usize];
    // SAFETY: `count` handles are writable.
    let code =
        unsafe { (api.get_device_ids)(platform, loader::DEVICE_TYPE_ALL, count, devices.as_mut_ptr(), null_mut()) };
    if code == loader::SUCCESS { devices } else { Vec::new() }
}

impl Backend for OpenClBackend {
    fn devices(&self) -> Result<Vec<DeviceInfo>, Box<str>> {
        let found = self.found.as_ref().map_err(Clone::clone)?;
        Ok(found.iter().map(|origin| origin.info.clone()).collect())
    }

    fn unusable(&self) -> Vec<Unusable> {
        self.unusable.clone()
    }

    fn open(&self, index: usize) -> Result<Arc<dyn Device>, BackendError> {
        let origin = self.found.as_ref().ok().and_then(|found| found.get(index));
        let origin = origin.ok_or_else(|| BackendError::Unsupported { what: "a device of this number".into() })?;
        let of_type = |other: &&Origin| other.info.device_type == origin.info.device_type;
        let before = self.found.iter().flatten().take(index).filter(of_type).count();
        let name = format!("opencl:{}:{before}", origin.info.device_type.name());
        Ok(Arc::new(OpenClDevice::open(origin, &name)?))
    }
}

#[cfg(test)]
pub(in crate::arrays) mod tests;
