//! A queue whose steps run on a thread of their own, in order: what simulated devices and drivers' queues share.
//!
//! The thread waits for what a step depends on, has an [`Executor`] do the work, lets go of what the step held and ends its
//! event. Which work an executor can do, and how, is its own business.

use super::backend::{PendingStep, Queue, Step, Work};
use super::error::ArrayError;
use super::event::{self, Event, clock_ns};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// Does the work of one queue, on the queue's thread.
pub trait Executor: Send + 'static {
    /// Does one piece of work and returns when it has ended: how many nanoseconds the device worked, where its driver
    /// says. Closures for the host are given too, so that a lost device refuses them.
    fn execute(&mut self, label: &'static str, work: Work) -> Result<Option<u64>, ArrayError>;
}

/// Runs a closure for the host; a panic in it is an error of the step.
pub fn run_on_host(
    label: &'static str,
    work: Box<dyn FnOnce() -> Result<(), ArrayError> + Send>,
) -> Result<(), ArrayError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ArrayError::runtime(format!("internal error: the step {label} panicked"))))
}

struct Job {
    step: Step,
    wait_for: Vec<Event>,
    event: Event,
}

/// Steps in flight, and the way to the thread. The thread ends when the queue is dropped and its last step has run.
pub struct WorkerQueue {
    jobs: Mutex<Sender<Job>>,
    shared: Arc<Shared>,
    profiling: bool,
}

/// What the thread reports.
#[derive(Default)]
struct Shared {
    pending: Mutex<VecDeque<PendingStep>>,
    failures: Mutex<Vec<Event>>,
    device_ns: AtomicU64,
}

impl WorkerQueue {
    /// A queue whose work `executor` does, on a thread with this name.
    pub fn start(thread: &str, executor: impl Executor, profiling: bool) -> WorkerQueue {
        let (jobs, inbox) = channel();
        let shared = Arc::new(Shared::default());
        let reports = shared.clone();
        let worker = move || run(&inbox, executor, &reports);
        // A thread that cannot be started leaves a queue whose every submission fails.
        let _ = std::thread::Builder::new().name(thread.to_owned()).spawn(worker);
        WorkerQueue { jobs: Mutex::new(jobs), shared, profiling }
    }
}

impl Queue for WorkerQueue {
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
            event.finish(Err(ArrayError::runtime("the thread of the queue has ended")));
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

fn run(inbox: &Receiver<Job>, mut executor: impl Executor, shared: &Shared) {
    event::become_executor();
    while let Ok(Job { step, wait_for, event }) = inbox.recv() {
        let Step { label, holds: _, keep, inputs, work } = step;
        for earlier in wait_for {
            earlier.wait_end();
        }
        let ready = inputs.iter().try_for_each(Event::wait);
        event.start();
        let started = clock_ns();
        let outcome = match ready {
            Ok(()) => executor.execute(label, work),
            Err(error) => {
                drop(work);
                Err(error)
            }
        };
        let device_ns = match &outcome {
            Ok(Some(device_ns)) => {
                event.set_duration(*device_ns);
                *device_ns
            }
            Ok(None) | Err(_) => clock_ns() - started,
        };
        shared.device_ns.fetch_add(device_ns, Ordering::Relaxed);
        if outcome.is_err() {
            shared.failures.lock().unwrap_or_else(PoisonError::into_inner).push(event.clone());
        }
        // The step lets go of its arrays before its event, so that who waits finds them returned.
        drop(keep);
        event.finish(outcome.map(|_| ()));
        forget(shared, &event);
    }
}

fn forget(shared: &Shared, event: &Event) {
    let mut pending = shared.pending.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(position) = pending.iter().position(|step| step.event.is_same(event)) {
        pending.remove(position);
    }
}
