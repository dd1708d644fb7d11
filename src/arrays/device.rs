//! Handles to devices, contexts and queues, with the identities dpctl gives them.
//!
//! Devices compare by what they are, contexts and queues by who they are: two queues opened on one device are different.

use super::backend::{
    BackendError, BackendKind, Device, DeviceInfo, Keep, PendingStep, ProgramLimits, Queue, QueueProperties, Step,
    UsmKind, Work,
};
use super::buffer::Buffer;
use super::error::ArrayError;
use super::event::{Event, clock_ns};
use super::ledger::{Accounts, Returns};
use super::{account, attention, ledger, plan};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An opened device, as one evaluator thread knows it.
#[derive(Clone)]
pub struct DeviceHandle(Arc<DeviceEntry>);

pub(super) struct DeviceEntry {
    /// Position in the ledger's and the pool's tables.
    pub(super) key: u16,
    /// The name in the ledger, in `%mem` and in JSON: `native:cpu:0`, `sim:gpu:0`, `host`.
    pub(super) ledger_name: Box<str>,
    /// The backend the device answers to, which for a simulated one may be another than its own.
    pub(super) answers_to: BackendKind,
    /// Index within the backend and type it answers to.
    pub(super) index: usize,
    pub(super) device: Arc<dyn Device>,
    pub(super) accounts: Arc<Accounts>,
    pub(super) returns: Arc<Returns>,
    /// Whether the device's health must be asked before its memory is read.
    pub(super) can_be_lost: bool,
    /// Whether the host reaches memory of every kind; saves asking the device at each access.
    pub(super) all_reachable: bool,
    /// Whether it computes itself, by programs or out of the host's reach.
    pub(super) computes: bool,
    /// The device that this one is a part of.
    pub(super) parent: Option<DeviceHandle>,
}

impl DeviceHandle {
    pub(super) fn new(entry: DeviceEntry) -> DeviceHandle {
        DeviceHandle(Arc::new(entry))
    }

    pub(super) fn entry(&self) -> &DeviceEntry {
        &self.0
    }

    /// The unchanging facts about the device.
    pub fn info(&self) -> &DeviceInfo {
        self.0.device.info()
    }

    /// The driver-side device.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.0.device
    }

    /// The name in the ledger, in `%mem` and in JSON; a simulated device always shows as `sim`.
    pub fn ledger_name(&self) -> &str {
        &self.0.ledger_name
    }

    /// The backend the device answers to.
    pub fn backend(&self) -> BackendKind {
        self.0.answers_to
    }

    /// Whether this is NumPy's host memory rather than a device.
    pub fn is_host(&self) -> bool {
        self.0.key == ledger::HOST_KEY
    }

    /// Whether the device is simulated, whatever it answers to.
    pub fn is_simulated(&self) -> bool {
        self.info().backend == BackendKind::Sim
    }

    /// Whether float64 is the default float.
    pub fn fp64(&self) -> bool {
        self.info().fp64
    }

    /// `backend:type:index`, as dpctl prints it; for a part, which no filter selects, its name in the ledger.
    pub fn filter_string(&self) -> String {
        self.filter_string_with(true, true)
    }

    /// The filter string with parts left out, as `SyclDevice.get_filter_string` does.
    pub fn filter_string_with(&self, include_backend: bool, include_device_type: bool) -> String {
        if self.parent().is_some() {
            return self.ledger_name().to_owned();
        }
        let mut parts = Vec::with_capacity(3);
        if include_backend {
            parts.push(self.backend().name().to_owned());
        }
        if include_device_type {
            parts.push(self.info().device_type.name().to_owned());
        }
        parts.push(super::registry::index_among(self, include_backend, include_device_type).to_string());
        parts.join(":")
    }

    /// The device that this one is a part of; nothing for a whole one.
    pub fn parent(&self) -> Option<&DeviceHandle> {
        self.0.parent.as_ref()
    }

    /// Index within the backend and type the device answers to.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// The totals of this session on the device, readable from any thread.
    pub fn accounts(&self) -> &Arc<Accounts> {
        &self.0.accounts
    }

    /// An error when the device has failed for good.
    pub fn check_alive(&self) -> Result<(), ArrayError> {
        if !self.0.can_be_lost {
            return Ok(());
        }
        self.0.device.status().map_err(|error| self.describe(error))
    }

    /// A backend's refusal as an error that names this device. Out of memory is described by the buffer, which knows more.
    pub(super) fn describe(&self, error: BackendError) -> ArrayError {
        error.describe(self.ledger_name())
    }

    /// Whether the host reaches memory of this kind through its address.
    pub fn host_access(&self, usm: UsmKind) -> bool {
        self.0.all_reachable || self.0.device.host_access(usm)
    }

    /// Whether the host reaches memory of every kind.
    pub(super) fn all_reachable(&self) -> bool {
        self.0.all_reachable
    }

    /// Whether work on its arrays is the device's, so that what the host does instead is to be told.
    pub(super) fn computes(&self) -> bool {
        self.0.computes
    }

    /// What device programs run here; nothing where the engine computes on the host.
    pub fn runs_programs(&self) -> Option<&ProgramLimits> {
        self.0.device.runs_programs()
    }
}

impl PartialEq for DeviceHandle {
    fn eq(&self, other: &DeviceHandle) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for DeviceHandle {}

impl Hash for DeviceHandle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).addr().hash(state);
    }
}

impl fmt::Debug for DeviceHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ledger_name())
    }
}

/// A SYCL context: memory is visible to the queues of the context it was allocated in.
#[derive(Clone)]
pub struct ContextHandle(Arc<DeviceHandle>);

impl ContextHandle {
    /// A context of its own, different from every other, the default one of the device included.
    pub fn new(device: DeviceHandle) -> ContextHandle {
        ContextHandle(Arc::new(device))
    }

    /// The device the context belongs to.
    pub fn device(&self) -> &DeviceHandle {
        &self.0
    }
}

impl PartialEq for ContextHandle {
    fn eq(&self, other: &ContextHandle) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for ContextHandle {}

impl Hash for ContextHandle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).addr().hash(state);
    }
}

impl fmt::Debug for ContextHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "context on {}", self.device().ledger_name())
    }
}

/// A queue; clones are the same queue, and equality is identity.
#[derive(Clone)]
pub struct QueueHandle(Arc<QueueEntry>);

struct QueueEntry {
    id: u64,
    device: DeviceHandle,
    context: ContextHandle,
    properties: QueueProperties,
    queue: Box<dyn Queue>,
}

impl QueueHandle {
    /// Opens a new queue in a context, different from every other queue.
    pub fn open(context: &ContextHandle, properties: QueueProperties) -> Result<QueueHandle, ArrayError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let device = context.device().clone();
        let queue = device.device().open_queue(properties).map_err(|error| match error {
            BackendError::Lost { .. } => device.describe(error),
            other => ArrayError::Queue {
                message: format!("SYCL Queue failed to be created: {}.", device.describe(other)).into(),
            },
        })?;
        let handle = QueueHandle(Arc::new(QueueEntry {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            device,
            context: context.clone(),
            properties,
            queue,
        }));
        super::registry::remember_queue(&handle);
        Ok(handle)
    }

    /// A number that no other queue of the process has.
    pub fn id(&self) -> u64 {
        self.0.id
    }

    /// The device the queue feeds.
    pub fn device(&self) -> &DeviceHandle {
        &self.0.device
    }

    /// The context the queue lives in.
    pub fn context(&self) -> &ContextHandle {
        &self.0.context
    }

    /// Whether in-order execution was asked for.
    pub fn in_order(&self) -> bool {
        self.0.properties.in_order
    }

    /// Whether events carry times.
    pub fn profiling(&self) -> bool {
        self.0.properties.profiling
    }

    /// Whether work runs on the calling thread before `submit` returns; then callers may compute directly.
    pub fn is_immediate(&self) -> bool {
        self.0.queue.is_immediate()
    }

    /// Steps submitted and not ended, oldest first.
    pub fn pending(&self) -> Vec<PendingStep> {
        self.0.queue.pending()
    }

    /// Waits for everything submitted; returns the first failure. An interrupt leaves the work queued.
    pub fn finish(&self) -> Result<(), ArrayError> {
        let attention = attention::handle();
        for step in self.pending() {
            step.event.wait_end_interruptible(&attention)?;
        }
        ledger::settle();
        let device_ns = self.0.queue.take_device_ns();
        if device_ns > 0 {
            account::note_device_time(device_ns as f64 / 1e9);
        }
        self.0.queue.take_failure().map_or(Ok(()), Err)
    }

    /// Whether anyone besides the caller holds the queue.
    pub(super) fn is_held_elsewhere(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// An empty step after everything submitted so far; its times bracket what lies between two of them.
    pub fn barrier(&self) -> Result<Event, ArrayError> {
        self.submit_work("barrier", &[], &[], Work::Marker)
    }

    /// Submits work that reads and writes these buffers, after all earlier work on any queue that concerns them.
    ///
    /// On an immediate queue the work runs here and its error is returned here; otherwise the error is the event's
    /// outcome, and whoever reads a written buffer gets it too. The work must not allocate buffers.
    pub fn submit<F>(
        &self,
        label: &'static str,
        reads: &[&Arc<Buffer>],
        writes: &[&Arc<Buffer>],
        work: F,
    ) -> Result<Event, ArrayError>
    where
        F: FnOnce() -> Result<(), ArrayError> + Send + 'static,
    {
        if plan::is_on() {
            writes.iter().for_each(|buffer| plan::note_written(buffer.id()));
            return Ok(Event::completed());
        }
        let (inputs, wait_for) = self.dependencies(reads, writes);
        if !self.device().all_reachable() && !reads.iter().chain(writes).all(|buffer| buffer.host_access()) {
            // Host work on memory that the host cannot touch needs copies, which only this thread may allocate.
            let attention = attention::handle();
            wait_for.iter().try_for_each(|event| event.wait_end_interruptible(&attention))?;
            inputs.iter().try_for_each(Event::wait)?;
            self.device().check_alive()?;
            return work().map(|()| Event::completed());
        }
        if self.is_immediate() {
            let attention = attention::handle();
            wait_for.iter().try_for_each(|event| event.wait_end_interruptible(&attention))?;
            inputs.iter().try_for_each(Event::wait)?;
            let started = clock_ns();
            let outcome = if self.profiling() {
                self.0.queue.submit(step(label, Work::host(work)), &[]).ended()
            } else {
                // The common case: no box, no event.
                work().map(|()| Event::completed())
            };
            account::note_device_time((clock_ns() - started) as f64 / 1e9);
            return outcome;
        }
        // Closures own the arrays they touch.
        self.enqueue(Step { inputs: inputs.into(), ..step(label, Work::host(work)) }, &wait_for, reads, writes)
    }

    /// Submits work that is data: a launch, a copy, a fill or a marker. The buffers are kept until it has ended; their
    /// addresses in the work come from [`Buffer::device_address`]. Order and errors are those of [`QueueHandle::submit`].
    pub fn submit_work(
        &self,
        label: &'static str,
        reads: &[&Arc<Buffer>],
        writes: &[&Arc<Buffer>],
        work: Work,
    ) -> Result<Event, ArrayError> {
        if plan::is_on() {
            writes.iter().for_each(|buffer| plan::note_written(buffer.id()));
            return Ok(Event::completed());
        }
        let (inputs, wait_for) = self.dependencies(reads, writes);
        let keep = reads.iter().chain(writes).map(|buffer| (*buffer).clone() as Arc<dyn Send + Sync>).collect();
        let step = Step { inputs: inputs.into(), keep, ..step(label, work) };
        if self.is_immediate() {
            let attention = attention::handle();
            wait_for.iter().try_for_each(|event| event.wait_end_interruptible(&attention))?;
            return self.0.queue.submit(step, &[]).ended();
        }
        self.enqueue(step, &wait_for, reads, writes)
    }

    /// Events of earlier work: what writes the inputs, and everything there is to wait for.
    fn dependencies(&self, reads: &[&Arc<Buffer>], writes: &[&Arc<Buffer>]) -> (Vec<Event>, Vec<Event>) {
        let mut inputs = Vec::new();
        for buffer in reads {
            buffer.collect_writes(&mut inputs);
        }
        let mut wait_for = inputs.clone();
        for buffer in writes {
            buffer.collect_all(&mut wait_for);
        }
        (inputs, wait_for)
    }

    fn enqueue(
        &self,
        mut step: Step,
        wait_for: &[Event],
        reads: &[&Arc<Buffer>],
        writes: &[&Arc<Buffer>],
    ) -> Result<Event, ArrayError> {
        self.device().check_alive()?;
        step.holds = reads.iter().chain(writes).map(|buffer| buffer.id()).collect();
        let event = self.0.queue.submit(step, wait_for);
        for buffer in reads {
            buffer.note_read(&event);
        }
        for buffer in writes {
            buffer.note_write(&event);
        }
        Ok(event)
    }
}

fn step(label: &'static str, work: Work) -> Step {
    Step { label, holds: Box::default(), keep: Keep::new(), inputs: Box::default(), work }
}

impl PartialEq for QueueHandle {
    fn eq(&self, other: &QueueHandle) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for QueueHandle {}

impl Hash for QueueHandle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Debug for QueueHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "queue {} on {}", self.0.id, self.device().ledger_name())
    }
}

/// Where an array lives: NumPy's host memory, or a device reached through a queue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Ordinary host memory, for NumPy arrays.
    Host,
    /// A device, and the queue that work on the array goes to.
    Queue(QueueHandle),
}

impl Place {
    /// The queue, unless this is host memory.
    pub fn queue(&self) -> Option<&QueueHandle> {
        match self {
            Place::Host => None,
            Place::Queue(queue) => Some(queue),
        }
    }

    /// The device whose ledger account memory here goes to.
    pub fn device(&self) -> DeviceHandle {
        match self {
            Place::Host => super::registry::host(),
            Place::Queue(queue) => queue.device().clone(),
        }
    }

    /// Whether work here runs at once on the calling thread.
    pub fn is_immediate(&self) -> bool {
        self.queue().is_none_or(QueueHandle::is_immediate)
    }

    /// Whether float64 is the default float here.
    pub fn fp64(&self) -> bool {
        self.queue().is_none_or(|queue| queue.device().fp64())
    }
}
