//! A queue whose steps run on a thread of their own, in order: what simulated devices and drivers' queues share.
//!
//! The thread waits for what a step depends on, has an [`Executor`] do the work, lets go of what the step held and ends its
//! event. Brief work on an idle queue is done by who submits it: to wake the thread and to be woken by it would take longer.
//! Which work an executor can do, and how, is its own business.

use super::backend::{PendingStep, Queue, Step, Work};
use super::error::ArrayError;
use super::event::{self, Event, clock_ns};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// Does the work of one queue, one piece after the other.
pub trait Executor: Send + 'static {
    /// Does one piece of work and returns when it has ended: how many nanoseconds the device worked, where its driver
    /// says. Closures for the host are given too, so that a lost device refuses them.
    fn execute(&mut self, label: &'static str, work: Work) -> Result<Option<u64>, ArrayError>;

    /// Whether the work is so short that handing it to another thread would cost more than waiting for it. Never so for
    /// closures, which expect to run on the queue's thread.
    fn is_brief(&self, work: &Work) -> bool {
        let _ = work;
        false
    }

    /// Whether a driver is at work inside [`Executor::execute`]: then a queue that is dropped waits for its thread, since a
    /// process that ends unloads its drivers, and nobody may be inside one then.
    fn calls_a_driver(&self) -> bool {
        false
    }
}

/// How many work items, or bytes of a copy or fill, are brief work for a driver.
pub const BRIEF: usize = 1 << 16;

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

/// How long a dropped queue waits for its thread. A driver may never come back; then the thread is left behind.
const FAREWELL: Duration = Duration::from_secs(1);

/// Steps in flight, and the way to the thread. The thread ends when the queue is dropped and its last step has run.
pub struct WorkerQueue {
    /// Nothing once the queue is being dropped.
    jobs: Mutex<Option<Sender<Job>>>,
    executor: Arc<Mutex<dyn Executor>>,
    /// Steps that were given to the thread and have not ended.
    unfinished: Arc<AtomicUsize>,
    reports: Arc<Reports>,
    profiling: bool,
    /// The thread, and what is disconnected when it ends; nothing where nobody waits for it.
    farewell: Option<(ThreadId, Mutex<Receiver<()>>)>,
}

/// What the thread of a queue reports to those who ask the queue.
#[derive(Default)]
pub struct Reports {
    pending: Mutex<VecDeque<PendingStep>>,
    failures: Mutex<Vec<Event>>,
    device_ns: AtomicU64,
}

impl Reports {
    /// A step was submitted; its event.
    pub fn submitted(&self, step: &Step, profiling: bool) -> Event {
        let event = if profiling { Event::submitted() } else { Event::submitted_unprofiled() };
        let pending = PendingStep { label: step.label, holds: step.holds.clone(), event: event.clone() };
        lock(&self.pending).push_back(pending);
        event
    }

    /// A step has ended and let go of what it held, after the device worked on it for `device_ns`.
    pub fn ended(&self, event: &Event, outcome: Result<(), ArrayError>, device_ns: u64) {
        self.device_ns.fetch_add(device_ns, Ordering::Relaxed);
        if outcome.is_err() {
            lock(&self.failures).push(event.clone());
        }
        event.finish(outcome);
        let mut pending = lock(&self.pending);
        if let Some(position) = pending.iter().position(|step| step.event.is_same(event)) {
            pending.remove(position);
        }
    }

    /// Has a step done whose turn it is, and ends its event.
    fn run(&self, executor: &mut dyn Executor, step: Step, event: &Event) {
        let Step { label, holds: _, keep, inputs, work } = step;
        let ready = inputs.iter().try_for_each(Event::wait_as_input);
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
        // The step lets go of its arrays before its event, so that who waits finds them returned.
        drop(keep);
        self.ended(event, outcome.map(|_| ()), device_ns);
    }

    /// As [`Queue::take_failure`].
    pub fn take_failure(&self) -> Option<ArrayError> {
        let failures = std::mem::take(&mut *lock(&self.failures));
        // The loss of a device is told once, however many steps it ended.
        if failures.iter().any(Event::told_of_loss) {
            return None;
        }
        failures.iter().find(|event| event.failed_unreported()).and_then(|event| event.wait().err())
    }

    /// As [`Queue::take_device_ns`].
    pub fn take_device_ns(&self) -> u64 {
        self.device_ns.swap(0, Ordering::Relaxed)
    }

    /// As [`Queue::pending`].
    pub fn pending(&self) -> Vec<PendingStep> {
        // The thread strikes a step off just after its event, so the last one may have ended.
        lock(&self.pending).iter().filter(|step| !step.event.is_complete()).cloned().collect()
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerQueue {
    /// A queue whose work `executor` does, on a thread with this name.
    pub fn start(name: &str, executor: impl Executor, profiling: bool) -> WorkerQueue {
        let (jobs, inbox) = channel();
        let (farewell, ended) = channel::<()>();
        let calls_a_driver = executor.calls_a_driver();
        let executor: Arc<Mutex<dyn Executor>> = Arc::new(Mutex::new(executor));
        let (reports, unfinished) = (Arc::new(Reports::default()), Arc::new(AtomicUsize::new(0)));
        let of_thread = (executor.clone(), reports.clone(), unfinished.clone());
        let worker = move || {
            let (executor, reports, unfinished) = of_thread;
            run(&inbox, &executor, &reports, &unfinished);
            drop((executor, farewell));
        };
        // A thread that cannot be started leaves a queue whose every submission fails.
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(worker).ok();
        let farewell = thread.filter(|_| calls_a_driver).map(|thread| (thread.thread().id(), Mutex::new(ended)));
        WorkerQueue { jobs: Mutex::new(Some(jobs)), executor, unfinished, reports, profiling, farewell }
    }

    /// What does a step at once on this thread: the executor, where the queue is idle and the step brief and ready.
    fn executor_now(&self, step: &Step, wait_for: &[Event]) -> Option<MutexGuard<'_, dyn Executor + 'static>> {
        let is_idle = self.unfinished.load(Ordering::Acquire) == 0;
        if !is_idle || !wait_for.iter().chain(&step.inputs).all(Event::is_complete) {
            return None;
        }
        self.executor.try_lock().ok().filter(|executor| executor.is_brief(&step.work))
    }
}

impl Drop for WorkerQueue {
    fn drop(&mut self) {
        *self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        // The last handle may lie in a step, and be dropped by the thread itself.
        if let Some((thread, ended)) = &mut self.farewell
            && std::thread::current().id() != *thread
        {
            let _ = ended.get_mut().unwrap_or_else(PoisonError::into_inner).recv_timeout(FAREWELL);
        }
    }
}

impl Queue for WorkerQueue {
    fn is_immediate(&self) -> bool {
        false
    }

    fn submit(&self, step: Step, wait_for: &[Event]) -> Event {
        if let Some(mut executor) = self.executor_now(&step, wait_for) {
            let event = if self.profiling { Event::submitted() } else { Event::submitted_unprofiled() };
            self.reports.run(&mut *executor, step, &event);
            return event;
        }
        let event = self.reports.submitted(&step, self.profiling);
        self.unfinished.fetch_add(1, Ordering::AcqRel);
        let job = Job { step, wait_for: wait_for.to_vec(), event: event.clone() };
        let refused = match &*lock(&self.jobs) {
            Some(jobs) => jobs.send(job).err().map(|refused| refused.0),
            None => Some(job),
        };
        if let Some(Job { step, .. }) = refused {
            drop(step);
            self.unfinished.fetch_sub(1, Ordering::AcqRel);
            self.reports.ended(&event, Err(ArrayError::runtime("the thread of the queue has ended")), 0);
        }
        event
    }

    fn take_failure(&self) -> Option<ArrayError> {
        self.reports.take_failure()
    }

    fn take_device_ns(&self) -> u64 {
        self.reports.take_device_ns()
    }

    fn pending(&self) -> Vec<PendingStep> {
        self.reports.pending()
    }
}

fn run(inbox: &Receiver<Job>, executor: &Mutex<dyn Executor>, reports: &Reports, unfinished: &AtomicUsize) {
    event::become_executor();
    while let Ok(Job { step, wait_for, event }) = inbox.recv() {
        for earlier in wait_for {
            earlier.wait_end();
        }
        reports.run(&mut *lock(executor), step, &event);
        unfinished.fetch_sub(1, Ordering::AcqRel);
    }
}
