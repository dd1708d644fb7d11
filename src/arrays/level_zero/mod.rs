//! Intel GPUs through Level Zero.
//!
//! The library is found at run time; a machine without it, without a driver or without permission gets a reason with the remedy
//! and nothing printed. What is computed is known elsewhere: this part moves bytes, builds programs it is given and launches them.
//! It must not know expressions, the ledger or the language.
//!
//! `loader` loads and initialises once per process, `facts` says what devices are, `device` is one opened device with its
//! `memory`, its `program`s and its `queue`s, `sysman` and `fdinfo` know how much memory is free, `diagnosis` why nothing is there.

mod commands;
mod device;
mod diagnosis;
mod facts;
mod fdinfo;
mod loader;
mod memory;
mod program;
mod queue;
mod sysman;
mod transfer;

use super::backend::{Backend, BackendError, BackendKind, Device, DeviceInfo, Unusable};
use device::LevelZeroDevice;
use facts::Found;
use loader::Runtime;
use std::sync::Arc;

/// The variable that a loader without `zesInit` wants set before anything else, and its value.
pub const SYSMAN_VARIABLE: (&str, &str) = ("ZES_ENABLE_SYSMAN", "1");

/// Whether the loader of this machine can tell about memory only if [`SYSMAN_VARIABLE`] is set before its first use. Loads
/// the library and calls nothing in it. A program asks before it starts threads; with a newer loader the variable would do harm.
pub fn wants_sysman_variable() -> bool {
    loader::library().is_ok_and(|library| library.zesInit.is_none())
}

/// Finds the devices of the Level Zero drivers.
pub struct LevelZeroBackend;

/// The devices that run programs.
fn usable(runtime: &'static Runtime) -> impl Iterator<Item = &'static Found> {
    runtime.devices.iter().filter(|found| found.group.is_some())
}

impl Backend for LevelZeroBackend {
    fn devices(&self) -> Result<Vec<DeviceInfo>, Box<str>> {
        let devices: Vec<DeviceInfo> = usable(Runtime::get()?).map(|found| found.info.clone()).collect();
        if devices.is_empty() {
            Err("no device of the Level Zero drivers runs SPIR-V programs".into())
        } else {
            Ok(devices)
        }
    }

    fn unusable(&self) -> Vec<Unusable> {
        let Ok(runtime) = Runtime::get() else { return Vec::new() };
        let unusable = runtime.devices.iter().filter(|found| found.group.is_none());
        let reason = "its driver runs no SPIR-V programs";
        unusable.map(|found| Unusable { name: found.info.name.clone(), reason: reason.into() }).collect()
    }

    fn open(&self, index: usize) -> Result<Arc<dyn Device>, BackendError> {
        let runtime = Runtime::get().map_err(|reason| BackendError::Unsupported { what: reason })?;
        let found = usable(runtime)
            .nth(index)
            .ok_or_else(|| BackendError::Unsupported { what: format!("a device of number {index}").into() })?;
        let device_type = found.info.device_type;
        let same_type = usable(runtime).take(index).filter(|other| other.info.device_type == device_type).count();
        let name = format!("{}:{}:{same_type}", BackendKind::LevelZero.name(), device_type.name());
        Ok(Arc::new(LevelZeroDevice::open(runtime, found, name.into())?))
    }
}

#[cfg(test)]
mod tests;
