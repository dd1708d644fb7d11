//! The devices one session has, found by filter string, and the queues it opened.
//!
//! The registry belongs to the evaluator thread. Native is always there; simulated devices are added while running; those
//! of real drivers join at the first use of any device. A backend without devices is kept with its reason.

mod defaults;
mod filters;
mod setup;
mod work;

pub use defaults::*;
pub use filters::{select, select_for_queue};
pub use setup::{add_sim, add_simulated, apply_environment, select_visible};
pub(in crate::arrays) use work::remember_queue;
pub use work::{finish_all, queued_holds, queued_work};

use super::backend::{BackendKind, Device, Partition, QueueProperties, UsmKind};
use super::device::{ContextHandle, DeviceEntry, DeviceHandle, QueueHandle};
use super::discovery;
use super::error::ArrayError;
use super::ledger::{self, Accounts};
use super::native::NativeDevice;
use super::selector::Selector;
use std::cell::RefCell;
use std::sync::Arc;

struct Known {
    device: DeviceHandle,
    /// How its parent was cut, for a part.
    cut: Option<Partition>,
    context: ContextHandle,
    queue: Option<QueueHandle>,
}

/// A backend without devices here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// Which backend.
    pub backend: BackendKind,
    /// Why, and the remedy.
    pub reason: Box<str>,
}

struct Registry {
    host: ContextHandle,
    known: Vec<Known>,
    absent: Vec<Absent>,
    /// Backends whose drivers have not been asked yet.
    awaited: Vec<BackendKind>,
    selector: Option<Selector>,
    defaults: Vec<QueueHandle>,
    /// What `%device` chose.
    chosen: Option<QueueHandle>,
    /// Asynchronous queues that may have work in them.
    busy: Vec<QueueHandle>,
}

thread_local! {
    static REGISTRY: RefCell<Registry> = RefCell::new(Registry::new());
}

impl Registry {
    fn new() -> Registry {
        let host = admit(Arc::new(NativeDevice::new()), "host".into(), BackendKind::Native, 0, None);
        let native = admit(Arc::new(NativeDevice::new()), "native:cpu:0".into(), BackendKind::Native, 0, None);
        Registry {
            host: ContextHandle::new(host),
            known: vec![Known { context: ContextHandle::new(native.clone()), device: native, cut: None, queue: None }],
            absent: Vec::new(),
            awaited: Vec::new(),
            selector: None,
            defaults: Vec::new(),
            chosen: None,
            busy: Vec::new(),
        }
    }

    /// Devices in the order that filters without a backend see them: by backend, then as found. A selector that leaves
    /// nothing leaves the native device, so that there always is a default.
    fn ordered(&self) -> Vec<DeviceHandle> {
        let whole = |known: &&Known| known.device.parent().is_none();
        let mut devices: Vec<DeviceHandle> =
            self.known.iter().filter(whole).map(|known| known.device.clone()).collect();
        devices.sort_by_key(|device| (device.backend(), device.info().device_type, device.index()));
        let Some(selector) = &self.selector else { return devices };
        let allowed = |device: &DeviceHandle| {
            let of_backend = devices.iter().filter(|other| other.backend() == device.backend());
            let index = of_backend.clone().position(|other| other == device).unwrap_or(0);
            selector.allows(device.backend(), device.info().device_type, index)
        };
        let seen: Vec<DeviceHandle> = devices.iter().filter(|device| allowed(device)).cloned().collect();
        if seen.is_empty() {
            devices.retain(|device| device.backend() == BackendKind::Native);
            return devices;
        }
        seen
    }

    fn know(&mut self, device: DeviceHandle) {
        self.known.push(Known { context: ContextHandle::new(device.clone()), device, cut: None, queue: None });
    }

    /// Lets go of queues that nobody else holds and that have nothing to do.
    fn forget_idle_queues(&mut self) {
        self.busy.retain(|queue| queue.is_held_elsewhere() || !queue.pending().is_empty());
    }

    fn known(&self, device: &DeviceHandle) -> Option<usize> {
        self.known.iter().position(|known| known.device == *device)
    }
}

fn admit(
    device: Arc<dyn Device>,
    ledger_name: Box<str>,
    answers_to: BackendKind,
    index: usize,
    parent: Option<DeviceHandle>,
) -> DeviceHandle {
    ledger::admit_device(|key, returns| {
        let can_be_lost = device.info().backend != BackendKind::Native;
        let all_reachable = UsmKind::ALL.into_iter().all(|usm| device.host_access(usm));
        let computes = !all_reachable || device.runs_programs().is_some();
        DeviceHandle::new(DeviceEntry {
            key,
            ledger_name,
            answers_to,
            index,
            device,
            accounts: Arc::new(Accounts::default()),
            returns,
            can_be_lost,
            all_reachable,
            computes,
            parent,
        })
    })
}

/// The parts of a device, each with a context of its own; the same ones whenever it is cut the same way. None where it cannot be
/// cut so.
pub fn sub_devices(device: &DeviceHandle, partition: &Partition) -> Result<Vec<DeviceHandle>, ArrayError> {
    let parts = |cut: Option<&Partition>| -> Vec<DeviceHandle> {
        REGISTRY.with_borrow(|registry| {
            let of_device = registry.known.iter().filter(|known| known.device.parent() == Some(device));
            of_device
                .filter(|known| cut.is_none() || known.cut.as_ref() == cut)
                .map(|known| known.device.clone())
                .collect()
        })
    };
    let known = parts(Some(partition));
    if !known.is_empty() {
        return Ok(known);
    }
    let first = parts(None).len();
    let opened = device.device().sub_devices(partition, first).map_err(|error| device.describe(error))?;
    for (number, part) in opened.into_iter().enumerate() {
        let name = format!("{}.{}", device.ledger_name(), first + number);
        let part = admit(part, name.into(), device.backend(), device.index(), Some(device.clone()));
        REGISTRY.with_borrow_mut(|registry| {
            registry.know(part);
            if let Some(known) = registry.known.last_mut() {
                known.cut = Some(partition.clone());
            }
        });
    }
    Ok(parts(Some(partition)))
}

/// NumPy's host memory.
pub fn host() -> DeviceHandle {
    REGISTRY.with_borrow(|registry| registry.host.device().clone())
}

/// What host memory has in place of a context.
pub(super) fn host_context() -> ContextHandle {
    REGISTRY.with_borrow(|registry| registry.host.clone())
}

/// Every device, in the order dpctl lists them: by backend in order of preference, then by type and index. Waits for
/// drivers that are still starting.
pub fn devices() -> Vec<DeviceHandle> {
    admit_found(true);
    REGISTRY.with_borrow(Registry::ordered)
}

/// The devices known without waiting for any driver.
pub fn devices_so_far() -> Vec<DeviceHandle> {
    admit_found(false);
    REGISTRY.with_borrow(Registry::ordered)
}

/// Other devices that are the same silicon behind another backend. Their free memory is one and the same.
pub fn same_silicon(device: &DeviceHandle) -> Vec<DeviceHandle> {
    let mut others = devices_so_far();
    others.retain(|other| other != device && other.info().silicon.is_same(&device.info().silicon));
    others
}

/// Has the drivers of these backends asked when a device is used first; the others are kept out for `reason`.
pub fn look_for(backends: &[BackendKind], reason: &str) {
    REGISTRY.with_borrow_mut(|registry| {
        for backend in [BackendKind::LevelZero, BackendKind::OpenCl] {
            if backends.contains(&backend) {
                registry.awaited.push(backend);
            } else {
                registry.absent.push(Absent { backend, reason: reason.into() });
            }
        }
    });
}

/// Begins to ask the drivers, beside this thread, so that the first use of a device need not wait for all of it.
pub fn begin_discovery() {
    let awaited = REGISTRY.with_borrow(|registry| registry.awaited.clone());
    awaited.into_iter().for_each(discovery::begin);
}

/// Takes in what the drivers answered; waits for those that did not if `may_wait`.
fn admit_found(may_wait: bool) {
    let awaited = REGISTRY.with_borrow(|registry| registry.awaited.clone());
    if awaited.is_empty() {
        return;
    }
    if may_wait {
        awaited.iter().copied().for_each(discovery::begin);
    }
    for backend in awaited {
        let Some(answer) = discovery::answer(backend, may_wait) else { continue };
        REGISTRY.with_borrow_mut(|registry| registry.awaited.retain(|other| *other != backend));
        let (devices, absent) = match answer {
            Ok(answer) => opened(backend, &answer),
            Err(reason) => (Vec::new(), vec![Absent { backend, reason }]),
        };
        for device in devices {
            let device_type = device.info().device_type;
            let index = REGISTRY.with_borrow(|registry| {
                let devices = registry.known.iter().map(|known| &known.device);
                devices
                    .filter(|other| other.parent().is_none())
                    .filter(|other| other.info().backend == backend && other.info().device_type == device_type)
                    .count()
            });
            let name = format!("{}:{}:{index}", backend.name(), device_type.name());
            let device = admit(device, name.into(), backend, index, None);
            REGISTRY.with_borrow_mut(|registry| registry.know(device));
        }
        REGISTRY.with_borrow_mut(|registry| registry.absent.extend(absent));
    }
}

/// The devices of a backend, opened, and what cannot be used.
fn opened(backend: BackendKind, answer: &discovery::Answer) -> (Vec<Arc<dyn Device>>, Vec<Absent>) {
    let mut absent: Vec<Absent> = answer
        .unusable
        .iter()
        .map(|found| Absent { backend, reason: format!("{}: {}", found.name, found.reason).into() })
        .collect();
    let mut devices = Vec::new();
    match &answer.devices {
        Err(reason) => absent.insert(0, Absent { backend, reason: reason.clone() }),
        Ok(found) => {
            for (index, info) in found.iter().enumerate() {
                match answer.backend.open(index) {
                    Ok(device) => devices.push(device),
                    Err(error) => {
                        absent.push(Absent { backend, reason: error.describe(&info.name).to_string().into() });
                    }
                }
            }
        }
    }
    (devices, absent)
}

pub(super) fn with_host() -> Vec<DeviceHandle> {
    REGISTRY
        .try_with(|registry| {
            let registry = registry.borrow();
            std::iter::once(registry.host.device().clone())
                .chain(registry.known.iter().map(|known| known.device.clone()))
                .collect()
        })
        .unwrap_or_default()
}

/// Backends without devices, and what backends found and cannot use, with reasons.
pub fn absent() -> Vec<Absent> {
    admit_found(true);
    REGISTRY.with_borrow(|registry| registry.absent.clone())
}

/// The number a device has among those that share the included parts of its filter string.
pub(super) fn index_among(device: &DeviceHandle, include_backend: bool, include_device_type: bool) -> usize {
    devices()
        .iter()
        .filter(|other| !include_backend || other.backend() == device.backend())
        .filter(|other| !include_device_type || other.info().device_type == device.info().device_type)
        .position(|other| other == device)
        .unwrap_or(device.index())
}

/// The context that queues on a device share by default.
pub fn default_context(device: &DeviceHandle) -> ContextHandle {
    REGISTRY.with_borrow(|registry| match registry.known(device) {
        Some(position) => registry.known[position].context.clone(),
        None => ContextHandle::new(device.clone()),
    })
}

/// The one queue that default allocations on a device use; opened at first use.
pub fn cached_queue(device: &DeviceHandle) -> Result<QueueHandle, ArrayError> {
    let known = REGISTRY.with_borrow(|registry| {
        registry
            .known(device)
            .map(|position| (registry.known[position].context.clone(), registry.known[position].queue.clone()))
    });
    match known {
        Some((_, Some(queue))) => Ok(queue),
        Some((context, None)) => {
            let queue = QueueHandle::open(&context, QueueProperties { in_order: true, profiling: false })?;
            REGISTRY.with_borrow_mut(|registry| {
                if let Some(position) = registry.known(device) {
                    registry.known[position].queue = Some(queue.clone());
                }
            });
            Ok(queue)
        }
        None => QueueHandle::open(&ContextHandle::new(device.clone()), QueueProperties::default()),
    }
}

#[cfg(test)]
mod tests;
