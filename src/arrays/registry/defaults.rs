//! The device and queue that are used when none is named.

use super::{REGISTRY, cached_queue, devices, devices_so_far};
use crate::arrays::backend::{BackendKind, DeviceType};
use crate::arrays::device::{DeviceHandle, QueueHandle};
use crate::arrays::error::ArrayError;

/// The device used when none is named: the first GPU of Level Zero, else of OpenCL, else this processor. Where a selector
/// hides those, the first that is not simulated.
pub fn default_device() -> DeviceHandle {
    default_override().map_or_else(|| first_choice(&devices()), |queue| queue.device().clone())
}

/// What [`default_device`] is as far as known without waiting for any driver.
pub fn default_device_so_far() -> DeviceHandle {
    default_override().map_or_else(|| first_choice(&devices_so_far()), |queue| queue.device().clone())
}

fn first_choice(devices: &[DeviceHandle]) -> DeviceHandle {
    let preferred = |device: &&DeviceHandle| match device.info().backend {
        BackendKind::LevelZero | BackendKind::OpenCl => device.info().device_type == DeviceType::Gpu,
        BackendKind::Native => true,
        BackendKind::Sim => false,
    };
    let real = || devices.iter().find(|device| !device.is_simulated());
    let choice = devices.iter().find(preferred).or_else(real).or(devices.first());
    choice.cloned().expect("the native device is always registered")
}

/// The queue used when none is named: that of the innermost `with device(q)`, else what `%device` chose, else the cached
/// queue of the default device.
pub fn default_queue() -> Result<QueueHandle, ArrayError> {
    match default_override() {
        Some(queue) => Ok(queue),
        None => cached_queue(&default_device()),
    }
}

fn default_override() -> Option<QueueHandle> {
    REGISTRY.with_borrow(|registry| registry.defaults.last().or(registry.chosen.as_ref()).cloned())
}

/// Makes a queue the default until [`unwind_defaults`] to the depth before.
pub fn push_default(queue: QueueHandle) {
    REGISTRY.with_borrow_mut(|registry| registry.defaults.push(queue));
}

/// How many defaults are in force; a cell that ends in an error is unwound to what it started with.
pub fn default_depth() -> usize {
    REGISTRY.with_borrow(|registry| registry.defaults.len())
}

/// Ends defaults until `depth` are left.
pub fn unwind_defaults(depth: usize) {
    REGISTRY.with_borrow_mut(|registry| registry.defaults.truncate(depth));
}

/// Chooses the session's default queue (`%device`), or goes back to the rule with `None`.
pub fn choose_default(queue: Option<QueueHandle>) {
    REGISTRY.with_borrow_mut(|registry| registry.chosen = queue);
}

/// Whether a person chose the default device (`%device`, `set_default_device`) rather than the rule.
pub fn is_default_chosen() -> bool {
    REGISTRY.with_borrow(|registry| registry.chosen.is_some())
}
