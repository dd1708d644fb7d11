//! The queue of a simulated device: one worker thread that runs steps in order, each after its latency.

use super::Health;
use crate::arrays::backend::{BackendError, PendingStep, Queue, Step};
use crate::arrays::error::ArrayError;
use crate::arrays::event::{self, Event, clock_ns};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

struct Job {
    step: Step,
    wait_for: Vec<Event>,
    event: Event,
}

/// Steps in flight, and the way to the worker. The worker ends when the queue is dropped and its last step has run.
pub(super) struct SimQueue {
    jobs: Mutex<Sender<Job>>,
    shared: Arc<Shared>,
    profiling: bool,
}

/// What the worker reports.
#[derive(Default)]
struct Shared {
    pending: Mutex<VecDeque<PendingStep>>,
    failures: Mutex<Vec<Event>>,
    device_ns: AtomicU64,
}

impl SimQueue {
    pub(super) fn start(health: Arc<Health>, latency: Duration, device: &str, profiling: bool) -> SimQueue {
        let (jobs, inbox) = channel();
        let shared = Arc::new(Shared::default());
        let device: Box<str> = device.into();
        let reports = shared.clone();
        let worker = move || run(&inbox, &health, latency, &device, &reports);
        // A thread that cannot be started leaves a queue whose every submission fails.
        let _ = std::thread::Builder::new().name("cellhold-sim".to_owned()).spawn(worker);
        SimQueue { jobs: Mutex::new(jobs), shared, profiling }
    }
}

impl Queue for SimQueue {
    fn is_immediate(&self) -> bool {
        false
    }

    fn submit(&self, step: Step, wait_for: &[Event]) -> Event {
        let event = if self.profiling { Event::submitted() } else { Event::submitted_unprofiled() };
        let pending = PendingStep { label: step.label, holds: step.holds.clone(), event: event.clone() };
        self.shared.pending.lock().unwrap_or_else(PoisonError::into_inner).push_back(pending);
        let job = Job { step, wait_for: wait_for.to_vec(), event: event.clone() };
        let sent = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).send(job);
        if let Err(refused) = sent {
            forget(&self.shared, &event);
            drop(refused.0.step);
            event.finish(Err(ArrayError::runtime("the worker of the simulated device has ended")));
        }
        event
    }

    fn take_failure(&self) -> Option<ArrayError> {
        let failures = std::mem::take(&mut *self.shared.failures.lock().unwrap_or_else(PoisonError::into_inner));
        failures.iter().find(|event| event.failed_unreported()).and_then(|event| event.wait().err())
    }

    fn take_device_ns(&self) -> u64 {
        self.shared.device_ns.swap(0, Ordering::Relaxed)
    }

    fn pending(&self) -> Vec<PendingStep> {
        let pending = self.shared.pending.lock().unwrap_or_else(PoisonError::into_inner);
        // The worker strikes a step off just after its event, so the last one may have ended.
        pending.iter().filter(|step| !step.event.is_complete()).cloned().collect()
    }
}

fn run(inbox: &Receiver<Job>, health: &Health, latency: Duration, device: &str, shared: &Shared) {
    event::become_executor();
    while let Ok(Job { step, wait_for, event }) = inbox.recv() {
        for earlier in wait_for {
            earlier.wait_end();
        }
        event.start();
        let started = clock_ns();
        if !latency.is_zero() {
            std::thread::sleep(latency);
        }
        let label = step.label;
        let work = step.work;
        let outcome = match health.step() {
            Ok(()) => catch_unwind(AssertUnwindSafe(work))
                .unwrap_or_else(|_| Err(ArrayError::runtime(format!("internal error: the step {label} panicked")))),
            Err(error) => {
                // The step lets go of its arrays before its event, so that who waits finds them returned.
                drop(work);
                Err(describe(device, error))
            }
        };
        shared.device_ns.fetch_add(clock_ns() - started, Ordering::Relaxed);
        if outcome.is_err() {
            shared.failures.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        }
        event.finish(outcome);
        forget(shared, &event);
    }
}

fn forget(shared: &Shared, event: &Event) {
    let mut pending = shared.pending.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(position) = pending.iter().position(|step| step.event.is_same(event)) {
        pending.remove(position);
    }
}

fn describe(device: &str, error: BackendError) -> ArrayError {
    match error {
        BackendError::Lost { reason } => ArrayError::DeviceLost { device: device.into(), reason },
        other => ArrayError::runtime(format!("{device}: {other:?}")),
    }
}
