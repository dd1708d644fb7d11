//! The queue of a simulated device: one worker thread that runs steps in order, each after its latency.

use super::Health;
use crate::arrays::backend::{BackendError, Queue, Step};
use crate::arrays::error::ArrayError;
use crate::arrays::event::Event;
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

/// Steps in flight, and the way to the worker. The worker ends when the queue is dropped and its last step has run.
pub(super) struct SimQueue {
    jobs: Mutex<Sender<Job>>,
    pending: PendingSteps,
}

impl SimQueue {
    pub(super) fn start(health: Arc<Health>, latency: Duration, device: &str) -> SimQueue {
        let (jobs, inbox) = channel();
        let pending = PendingSteps::default();
        let device: Box<str> = device.into();
        let worker_pending = pending.clone();
        let worker = move || run(&inbox, &health, latency, &device, &worker_pending);
        // A thread that cannot be started leaves a queue whose every submission reports the device as lost.
        let _ = std::thread::Builder::new().name("cellhold-sim".to_owned()).spawn(worker);
        SimQueue { jobs: Mutex::new(jobs), pending }
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

    fn pending(&self) -> Vec<(&'static str, Event)> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

fn run(inbox: &Receiver<Job>, health: &Health, latency: Duration, device: &str, pending: &PendingSteps) {
    while let Ok(Job { step, wait_for, event }) = inbox.recv() {
        // What this step waits for may have failed; then its inputs are wrong and it fails the same way.
        let ready = wait_for.iter().try_for_each(Event::wait);
        event.start();
        if !latency.is_zero() {
            std::thread::sleep(latency);
        }
        let outcome = ready.and_then(|()| health.step().map_err(|error| describe(device, error))).and_then(|()| {
            let work = step.work;
            catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                Err(ArrayError::runtime(format!("internal error: the step {} panicked", step.label)))
            })
        });
        // By now the step has let go of its arrays, so that who waits for the event finds them returned.
        forget(pending, &event);
        event.finish(outcome);
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
