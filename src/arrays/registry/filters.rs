//! Filter strings such as `level_zero:gpu:0`, and the devices they select.

use super::devices;
use crate::arrays::backend::{BackendKind, DeviceType};
use crate::arrays::device::DeviceHandle;
use crate::arrays::error::ArrayError;

/// One alternative of a filter: what each given part says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Filter {
    backend: Option<BackendKind>,
    device_type: Option<DeviceType>,
    index: Option<usize>,
}

/// Reads a filter string; nothing when it is not one.
fn parse_filter(text: &str) -> Option<Vec<Filter>> {
    text.split(',').map(parse_alternative).collect()
}

fn parse_alternative(text: &str) -> Option<Filter> {
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 || parts.iter().all(|part| part.is_empty()) {
        return None;
    }
    let mut filter = Filter::default();
    for part in parts.into_iter().filter(|part| !part.is_empty()) {
        if let Some(backend) = BackendKind::parse(part) {
            if filter.backend.replace(backend).is_some() {
                return None;
            }
        } else if let Some(device_type) = DeviceType::parse(part) {
            if filter.device_type.replace(device_type).is_some() {
                return None;
            }
        } else if part.bytes().all(|byte| byte.is_ascii_digit()) {
            if filter.index.replace(part.parse().ok()?).is_some() {
                return None;
            }
        } else {
            return None;
        }
    }
    Some(filter)
}

fn find(filters: &[Filter]) -> Option<DeviceHandle> {
    let devices = devices();
    filters.iter().find_map(|filter| {
        let of_type = |device: &&DeviceHandle| filter.device_type.is_none_or(|kind| kind == device.info().device_type);
        // A simulated device that answers to another backend is still found under its own name.
        let disguised = |device: &&DeviceHandle| {
            filter.backend == Some(BackendKind::Sim) && device.is_simulated() && device.backend() != BackendKind::Sim
        };
        let index = filter.index.unwrap_or(0);
        let mut by_backend: Vec<&DeviceHandle> = devices
            .iter()
            .filter(of_type)
            .filter(|device| filter.backend.is_none_or(|backend| backend == device.backend()) || disguised(device))
            .collect();
        if filter.backend == Some(BackendKind::Sim) {
            by_backend.sort_by(|a, b| a.ledger_name().cmp(b.ledger_name()));
        }
        if filter.backend.is_none() && filter.device_type == Some(DeviceType::Cpu) {
            // `cpu` means this processor before any runtime on it.
            by_backend.sort_by_key(|device| device.backend() != BackendKind::Native);
        }
        by_backend.get(index).map(|device| (*device).clone())
    })
}

/// The device a filter string selects, or dpctl's `SyclDeviceCreationError`.
pub fn select(filter: &str) -> Result<DeviceHandle, ArrayError> {
    parse_filter(filter).and_then(|filters| find(&filters)).ok_or_else(|| ArrayError::Device {
        message: format!("Could not create a SyclDevice with the selector string '{filter}'").into(),
    })
}

/// The device a filter string selects for a queue, or dpctl's `SyclQueueCreationError`.
pub fn select_for_queue(filter: &str) -> Result<DeviceHandle, ArrayError> {
    let Some(filters) = parse_filter(filter) else {
        return Err(ArrayError::Queue {
            message: format!("Device filter selector string '{filter}' is not understood.").into(),
        });
    };
    find(&filters)
        .ok_or_else(|| ArrayError::Queue { message: format!("SYCL Device '{filter}' could not be created.").into() })
}
