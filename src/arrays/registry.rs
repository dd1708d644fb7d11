//! The devices one session has, found by filter string, and the queues it opened.
//!
//! The registry belongs to the evaluator thread. Native is always there; simulated devices are added while running; those
//! of real drivers join at the first use of any device. A backend without devices is kept with its reason.

use super::backend::{BackendKind, Device, DeviceType, QueueProperties, UsmKind};
use super::device::{ContextHandle, DeviceEntry, DeviceHandle, QueueHandle};
use super::discovery;
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
        let host = admit(Arc::new(NativeDevice::new()), "host".into(), BackendKind::Native, 0);
        let native = admit(Arc::new(NativeDevice::new()), "native:cpu:0".into(), BackendKind::Native, 0);
        Registry {
            host: ContextHandle::new(host),
            known: vec![Known { context: ContextHandle::new(native.clone()), device: native, queue: None }],
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

    fn know(&mut self, device: DeviceHandle) {
        self.known.push(Known { context: ContextHandle::new(device.clone()), device, queue: None });
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
                    .filter(|other| other.info().backend == backend && other.info().device_type == device_type)
                    .count()
            });
            let name = format!("{}:{}:{index}", backend.name(), device_type.name());
            let device = admit(device, name.into(), backend, index);
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

/// Adds a simulated device.
pub fn add_sim(spec: &SimSpec) -> DeviceHandle {
    let answers_to = spec.answers_to.unwrap_or(BackendKind::Sim);
    if answers_to != BackendKind::Sim {
        // Real devices keep their index; simulated ones follow.
        admit_found(true);
    }
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
    REGISTRY.with_borrow_mut(|registry| registry.know(device.clone()));
    device
}

/// Adds the simulated devices that a text describes, separated by semicolons, as `CELLHOLD_SIM` holds them.
pub fn add_simulated(text: &str) -> Result<Vec<DeviceHandle>, ArrayError> {
    Ok(SimSpec::parse_list(text)?.iter().map(add_sim).collect())
}

/// Does what `CELLHOLD_BACKENDS`, `CELLHOLD_SIM` and `ONEAPI_DEVICE_SELECTOR` say; answers what is wrong with them. Called
/// once by a session as it starts, on the evaluator's thread. Without `CELLHOLD_BACKENDS`, drivers are asked for devices if
/// `by_default`.
pub fn apply_environment(by_default: bool, variable: impl Fn(&str) -> Option<String>) -> Vec<ArrayError> {
    let mut errors = Vec::new();
    let selector =
        variable("ONEAPI_DEVICE_SELECTOR").filter(|text| !text.is_empty()).map(|text| Selector::parse(&text));
    match variable("CELLHOLD_BACKENDS").filter(|text| !text.is_empty()).map(|text| parse_backends(&text)) {
        Some(Ok(backends)) => look_for(&backends, "kept out by CELLHOLD_BACKENDS"),
        Some(Err(error)) => errors.push(error),
        None if by_default => {
            let mut backends = vec![BackendKind::LevelZero, BackendKind::OpenCl];
            if let Some(Ok(selector)) = &selector {
                backends.retain(|backend| selector.may_allow(*backend));
            }
            look_for(&backends, "kept out by ONEAPI_DEVICE_SELECTOR");
        }
        None => look_for(&[], "its drivers are not asked in this session"),
    }
    if let Some(text) = variable("CELLHOLD_SIM")
        && let Err(error) = add_simulated(&text)
    {
        errors.push(ArrayError::value(format!("CELLHOLD_SIM: {error}")));
    }
    match selector {
        Some(Ok(selector)) => select_visible(Some(selector)),
        Some(Err(error)) => errors.push(error),
        None => {}
    }
    errors
}

fn parse_backends(text: &str) -> Result<Vec<BackendKind>, ArrayError> {
    let backend = |word: &str| {
        BackendKind::parse(word).ok_or_else(|| {
            ArrayError::value(format!(
                "CELLHOLD_BACKENDS: '{word}' is no backend; write native, or some of level_zero and opencl, with commas"
            ))
        })
    };
    text.split(',').map(str::trim).filter(|word| !word.is_empty()).map(backend).collect()
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
