//! The devices one session has, found by filter string, and the queues it opened.
//!
//! The registry belongs to the evaluator thread. Native is always there; simulated devices are added while running. A
//! backend without devices is kept with its reason.

use super::backend::{BackendKind, Device, DeviceType, QueueProperties, UsmKind};
use super::device::{ContextHandle, DeviceEntry, DeviceHandle, QueueHandle};
use super::error::ArrayError;
use super::ledger::{self, Accounts};
use super::native::NativeDevice;
use super::selector::Selector;
use super::sim::{SimDevice, SimSpec};
use std::cell::RefCell;
use std::sync::Arc;

struct Known {
    device: DeviceHandle,
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
        let host = admit(Arc::new(NativeDevice::new()), "host".into(), BackendKind::Native, 0);
        let native = admit(Arc::new(NativeDevice::new()), "native:cpu:0".into(), BackendKind::Native, 0);
        let reason = "this build drives the embedded processor and simulated devices only";
        let absent = [BackendKind::LevelZero, BackendKind::OpenCl]
            .map(|backend| Absent { backend, reason: reason.into() })
            .to_vec();
        Registry {
            host: ContextHandle::new(host),
            known: vec![Known { context: ContextHandle::new(native.clone()), device: native, queue: None }],
            absent,
            selector: None,
            defaults: Vec::new(),
            chosen: None,
            busy: Vec::new(),
        }
    }

    /// Devices in the order that filters without a backend see them: by backend, then as found. A selector that leaves
    /// nothing leaves the native device, so that there always is a default.
    fn ordered(&self) -> Vec<DeviceHandle> {
        let mut devices: Vec<DeviceHandle> = self.known.iter().map(|known| known.device.clone()).collect();
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

    /// Lets go of queues that nobody else holds and that have nothing to do.
    fn forget_idle_queues(&mut self) {
        self.busy.retain(|queue| queue.is_held_elsewhere() || !queue.pending().is_empty());
    }

    fn known(&self, device: &DeviceHandle) -> Option<usize> {
        self.known.iter().position(|known| known.device == *device)
    }
}

fn admit(device: Arc<dyn Device>, ledger_name: Box<str>, answers_to: BackendKind, index: usize) -> DeviceHandle {
    ledger::admit_device(|key, returns| {
        let can_be_lost = device.info().backend != BackendKind::Native;
        let all_reachable = UsmKind::ALL.into_iter().all(|usm| device.host_access(usm));
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
        })
    })
}

/// NumPy's host memory.
pub fn host() -> DeviceHandle {
    REGISTRY.with_borrow(|registry| registry.host.device().clone())
}

/// What host memory has in place of a context.
pub(super) fn host_context() -> ContextHandle {
    REGISTRY.with_borrow(|registry| registry.host.clone())
}

/// Every device, in the order dpctl lists them: by backend in order of preference, then by type and index.
pub fn devices() -> Vec<DeviceHandle> {
    REGISTRY.with_borrow(Registry::ordered)
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

/// Backends without devices, with reasons.
pub fn absent() -> Vec<Absent> {
    REGISTRY.with_borrow(|registry| registry.absent.clone())
}

/// Adds a simulated device.
pub fn add_sim(spec: &SimSpec) -> DeviceHandle {
    let answers_to = spec.answers_to.unwrap_or(BackendKind::Sim);
    let (own_index, index) = REGISTRY.with_borrow(|registry| {
        let devices = || registry.known.iter().map(|known| &known.device);
        let same_type = |device: &&DeviceHandle| device.info().device_type == spec.device_type;
        (
            devices().filter(same_type).filter(|device| device.is_simulated()).count(),
            devices().filter(same_type).filter(|device| device.backend() == answers_to).count(),
        )
    });
    let name = format!("sim:{}:{own_index}", spec.device_type.name());
    let device = admit(Arc::new(SimDevice::new(spec, &name)), name.into(), answers_to, index);
    REGISTRY.with_borrow_mut(|registry| {
        registry.known.push(Known { context: ContextHandle::new(device.clone()), device: device.clone(), queue: None });
    });
    device
}

/// Adds the simulated devices that a text describes, separated by semicolons, as `CELLHOLD_SIM` holds them.
pub fn add_simulated(text: &str) -> Result<Vec<DeviceHandle>, ArrayError> {
    Ok(SimSpec::parse_list(text)?.iter().map(add_sim).collect())
}

/// Does what `CELLHOLD_SIM` and `ONEAPI_DEVICE_SELECTOR` say; answers what is wrong with them. Called once by a session as
/// it starts, on the evaluator's thread.
pub fn apply_environment(variable: impl Fn(&str) -> Option<String>) -> Vec<ArrayError> {
    let mut errors = Vec::new();
    if let Some(text) = variable("CELLHOLD_SIM")
        && let Err(error) = add_simulated(&text)
    {
        errors.push(ArrayError::value(format!("CELLHOLD_SIM: {error}")));
    }
    if let Some(text) = variable("ONEAPI_DEVICE_SELECTOR").filter(|text| !text.is_empty()) {
        match Selector::parse(&text) {
            Ok(selector) => select_visible(Some(selector)),
            Err(error) => errors.push(error),
        }
    }
    errors
}

/// Shows only the devices that a selector (`ONEAPI_DEVICE_SELECTOR`) allows from here on; `None` shows all again.
pub fn select_visible(selector: Option<Selector>) {
    REGISTRY.with_borrow_mut(|registry| registry.selector = selector);
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

/// The device used when none is named: the first that is not simulated, by backend.
pub fn default_device() -> DeviceHandle {
    if let Some(queue) = default_override() {
        return queue.device().clone();
    }
    let devices = devices();
    let real = devices.iter().find(|device| !device.is_simulated());
    real.or(devices.first()).cloned().expect("the native device is always registered")
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

/// Makes a queue the default until the matching [`pop_default`].
pub fn push_default(queue: QueueHandle) {
    REGISTRY.with_borrow_mut(|registry| registry.defaults.push(queue));
}

/// Ends the innermost default.
pub fn pop_default() {
    REGISTRY.with_borrow_mut(|registry| registry.defaults.pop());
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

/// Keeps asynchronous queues in sight as long as they have work.
pub(super) fn remember_queue(queue: &QueueHandle) {
    if !queue.is_immediate() {
        REGISTRY.with_borrow_mut(|registry| {
            registry.forget_idle_queues();
            registry.busy.push(queue.clone());
        });
    }
}

/// Asynchronous queues with unfinished work, with the labels of the steps, oldest first.
pub fn queued_work() -> Vec<(QueueHandle, Vec<&'static str>)> {
    let queues = REGISTRY.with_borrow(|registry| registry.busy.clone());
    queues
        .into_iter()
        .map(|queue| {
            let labels = queue.pending().into_iter().map(|step| step.label).collect::<Vec<_>>();
            (queue, labels)
        })
        .filter(|(_, labels)| !labels.is_empty())
        .collect()
}

/// Which queued steps hold which allocations: the queue, the step's label, and the numbers.
pub fn queued_holds() -> Vec<(QueueHandle, &'static str, Box<[u64]>)> {
    let queues = REGISTRY.with_borrow(|registry| registry.busy.clone());
    let steps = |queue: QueueHandle| {
        queue.pending().into_iter().map(move |step| (queue.clone(), step.label, step.holds)).collect::<Vec<_>>()
    };
    queues.into_iter().flat_map(steps).collect()
}

/// Waits for all queued work on all devices; returns the first failure. An interrupt leaves the work queued.
pub fn finish_all() -> Result<(), ArrayError> {
    let queues = REGISTRY.with_borrow(|registry| registry.busy.clone());
    let mut outcome = Ok(());
    for queue in queues {
        match queue.finish() {
            Err(ArrayError::Interrupted) => return Err(ArrayError::Interrupted),
            Err(error) if outcome.is_ok() => outcome = Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    REGISTRY.with_borrow_mut(Registry::forget_idle_queues);
    ledger::settle();
    outcome
}

#[cfg(test)]
mod tests;
