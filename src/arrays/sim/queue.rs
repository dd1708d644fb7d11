//! The queue of a simulated device: one worker thread that runs steps in order, each after its latency.

use super::Health;
use crate::arrays::backend::{BackendError, Queue, Step};
use crate::arrays::error::ArrayError;
use crate::arrays::event::{self, Event};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

struct Job {
    step: Step,
    wait_for: Vec<Event>,
    event: Event,
}

type PendingSteps = Arc<Mutex<VecDeque<(&'static str, Event)>>>;
type Failures = Arc<Mutex<Vec<Event>>>;

/// Steps in flight, and the way to the worker. The worker ends when the queue is dropped and its last step has run.
pub(super) struct SimQueue {
    jobs: Mutex<Sender<Job>>,
    pending: PendingSteps,
    failures: Failures,
}

impl SimQueue {
    pub(super) fn start(health: Arc<Health>, latency: Duration, device: &str) -> SimQueue {
        let (jobs, inbox) = channel();
        let pending = PendingSteps::default();
        let device: Box<str> = device.into();
        let failures = Failures::default();
        let (worker_pending, worker_failures) = (pending.clone(), failures.clone());
        let worker = move || run(&inbox, &health, latency, &device, &worker_pending, &worker_failures);
        // A thread that cannot be started leaves a queue whose every submission reports the device as lost.
        let _ = std::thread::Builder::new().name("cellhold-sim".to_owned()).spawn(worker);
        SimQueue { jobs: Mutex::new(jobs), pending, failures }
    }
}

impl Queue for SimQueue {
    fn is_immediate(&self) -> bool {
        false
    }

    fn submit(&self, step: Step, wait_for: &[Event]) -> Event {
        let event = Event::submitted();
        let label = step.label;
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).push_back((label, event.clone()));
        let job = Job { step, wait_for: wait_for.to_vec(), event: event.clone() };
        let sent = self.jobs.lock().unwrap_or_else(PoisonError::into_inner).send(job);
        if let Err(refused) = sent {
            forget(&self.pending, &event);
            drop(refused.0.step);
            event.finish(Err(ArrayError::runtime("the worker of the simulated device has ended")));
        }
        event
    }

    fn take_failure(&self) -> Option<ArrayError> {
        let failures = std::mem::take(&mut *self.failures.lock().unwrap_or_else(PoisonError::into_inner));
        failures.iter().find(|event| event.failed_unreported()).and_then(|event| event.wait().err())
    }

    fn pending(&self) -> Vec<(&'static str, Event)> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

fn run(
    inbox: &Receiver<Job>,
    health: &Health,
    latency: Duration,
    device: &str,
    pending: &PendingSteps,
    failures: &Failures,
) {
    event::become_executor();
    while let Ok(Job { step, wait_for, event }) = inbox.recv() {
        for earlier in wait_for {
            earlier.wait_end();
        }
        event.start();
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
        if outcome.is_err() {
            failures.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        }
        event.finish(outcome);
        forget(pending, &event);
    }
}

fn forget(pending: &PendingSteps, event: &Event) {
    let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(position) = pending.iter().position(|(_, other)| other.is_same(event)) {
        pending.remove(position);
    }
}

fn describe(device: &str, error: BackendError) -> ArrayError {
    match error {
        BackendError::Lost { reason } => ArrayError::DeviceLost { device: device.into(), reason },
        other => ArrayError::runtime(format!("{device}: {other:?}")),
    }
}
