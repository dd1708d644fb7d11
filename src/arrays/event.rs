//! Completion of submitted work.
//!
//! An event is cheap: work that ended before `submit` returned is an event without any shared state.

use super::attention::Attention;
use super::error::ArrayError;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How far a piece of work has come; the numbers are dpctl's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    /// In a queue.
    Submitted = 2,
    /// Being executed.
    Running = 3,
    /// Ended, well or not.
    Complete = 4,
}

/// A handle to submitted work.
#[derive(Clone, Debug, Default)]
pub struct Event(Option<Arc<EventState>>);

#[derive(Debug)]
struct EventState {
    stage: Mutex<Stage>,
    changed: Condvar,
    submitted_ns: AtomicU64,
    started_ns: AtomicU64,
    ended_ns: AtomicU64,
    /// Whether somebody who waited was told of the failure.
    reported: AtomicBool,
}

#[derive(Debug)]
struct Stage {
    status: EventStatus,
    outcome: Result<(), ArrayError>,
}

/// When a piece of work was submitted, started and ended, in nanoseconds of the process clock; zeros when not profiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProfilingTimes {
    /// When it entered the queue.
    pub submit_ns: u64,
    /// When execution began.
    pub start_ns: u64,
    /// When execution ended.
    pub end_ns: u64,
}

impl Event {
    /// Work that has already ended well.
    pub const fn completed() -> Event {
        Event(None)
    }

    /// Work that has already ended well, with its times.
    pub fn completed_with(times: ProfilingTimes) -> Event {
        Event::with_state(EventStatus::Complete, times)
    }

    fn with_state(status: EventStatus, times: ProfilingTimes) -> Event {
        Event(Some(Arc::new(EventState {
            stage: Mutex::new(Stage { status, outcome: Ok(()) }),
            changed: Condvar::new(),
            submitted_ns: AtomicU64::new(times.submit_ns),
            started_ns: AtomicU64::new(times.start_ns),
            ended_ns: AtomicU64::new(times.end_ns),
            reported: AtomicBool::new(false),
        })))
    }

    /// As [`Event::submitted`], with no times to be asked for later: the queue does not profile.
    pub fn submitted_unprofiled() -> Event {
        Event::with_state(EventStatus::Submitted, ProfilingTimes::default())
    }

    /// Work that was just submitted; the executor reports on it through [`Event::start`] and [`Event::finish`].
    pub fn submitted() -> Event {
        Event::with_state(EventStatus::Submitted, ProfilingTimes { submit_ns: clock_ns(), ..ProfilingTimes::default() })
    }

    /// Marks the work as running; called by the executor.
    pub fn start(&self) {
        if let Some(state) = &self.0 {
            state.note_time(&state.started_ns);
            state.stage.lock().unwrap_or_else(PoisonError::into_inner).status = EventStatus::Running;
        }
    }

    /// Sets how long the device says the running work took, counted back from now; called by the executor.
    pub fn set_duration(&self, nanoseconds: u64) {
        if let Some(state) = &self.0 {
            state.note_time(&state.started_ns);
            let started = state.started_ns.load(Ordering::Relaxed).saturating_sub(nanoseconds);
            let earliest = state.submitted_ns.load(Ordering::Relaxed);
            state.started_ns.store(started.max(earliest), Ordering::Relaxed);
        }
    }

    /// Marks the work as ended and wakes who waits; called by the executor.
    pub fn finish(&self, outcome: Result<(), ArrayError>) {
        if let Some(state) = &self.0 {
            state.note_time(&state.ended_ns);
            let mut stage = state.stage.lock().unwrap_or_else(PoisonError::into_inner);
            stage.status = EventStatus::Complete;
            stage.outcome = outcome;
            state.changed.notify_all();
        }
    }

    /// How far the work has come.
    pub fn status(&self) -> EventStatus {
        self.0
            .as_ref()
            .map_or(EventStatus::Complete, |state| state.stage.lock().unwrap_or_else(PoisonError::into_inner).status)
    }

    /// Whether the work has ended.
    pub fn is_complete(&self) -> bool {
        self.status() == EventStatus::Complete
    }

    /// Waits for the end, whatever happens, and returns the outcome.
    pub fn wait(&self) -> Result<(), ArrayError> {
        self.wait_end();
        self.outcome()
    }

    /// As [`Event::wait`] for a later step of a device that reads what this one makes. The later step fails with the same
    /// error and tells it, so this one need not. The loss of a device ends all later steps, and waiting for each other has
    /// told nobody of it.
    pub fn wait_as_input(&self) -> Result<(), ArrayError> {
        self.wait_end();
        let Some(state) = &self.0 else { return Ok(()) };
        let outcome = state.stage.lock().unwrap_or_else(PoisonError::into_inner).outcome.clone();
        if outcome.as_ref().is_err_and(|error| !matches!(error, ArrayError::DeviceLost { .. })) {
            state.reported.store(true, Ordering::Relaxed);
        }
        outcome
    }

    /// The event after it ended well, or its failure; waits as [`Event::wait`] does.
    pub fn ended(self) -> Result<Event, ArrayError> {
        self.wait().map(|()| self)
    }

    /// Waits in slices of ten milliseconds and gives up with [`ArrayError::Interrupted`] when asked to; the work goes on.
    pub fn wait_interruptible(&self, attention: &Attention) -> Result<(), ArrayError> {
        self.wait_end_interruptible(attention)?;
        self.outcome()
    }

    /// Waits for the end without asking how it went.
    pub fn wait_end(&self) {
        let Some(state) = &self.0 else { return };
        let mut stage = state.stage.lock().unwrap_or_else(PoisonError::into_inner);
        while stage.status != EventStatus::Complete {
            stage = state.changed.wait(stage).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// As [`Event::wait_interruptible`] without asking how it went: the only error is the interrupt.
    pub fn wait_end_interruptible(&self, attention: &Attention) -> Result<(), ArrayError> {
        let Some(state) = &self.0 else { return Ok(()) };
        let mut stage = state.stage.lock().unwrap_or_else(PoisonError::into_inner);
        while stage.status != EventStatus::Complete {
            attention.check()?;
            let slice = Duration::from_millis(10);
            stage = state.changed.wait_timeout(stage, slice).unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(())
    }

    /// How ended work went; a failure counts as told from here on.
    fn outcome(&self) -> Result<(), ArrayError> {
        let Some(state) = &self.0 else { return Ok(()) };
        let stage = state.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if stage.outcome.is_err() {
            state.reported.store(true, Ordering::Relaxed);
        }
        stage.outcome.clone()
    }

    /// Whether the work failed and nobody who waited for it was told.
    pub fn failed_unreported(&self) -> bool {
        self.0.as_ref().is_some_and(|state| {
            let stage = state.stage.lock().unwrap_or_else(PoisonError::into_inner);
            stage.outcome.is_err() && !state.reported.load(Ordering::Relaxed)
        })
    }

    /// Whether the loss of its device ended the work, and somebody who waited was told.
    pub fn told_of_loss(&self) -> bool {
        self.0.as_ref().is_some_and(|state| {
            let stage = state.stage.lock().unwrap_or_else(PoisonError::into_inner);
            let is_loss = matches!(stage.outcome, Err(ArrayError::DeviceLost { .. }));
            is_loss && state.reported.load(Ordering::Relaxed)
        })
    }

    /// The times of the work so far.
    pub fn times(&self) -> ProfilingTimes {
        self.0.as_ref().map_or(ProfilingTimes::default(), |state| ProfilingTimes {
            submit_ns: state.submitted_ns.load(Ordering::Relaxed),
            start_ns: state.started_ns.load(Ordering::Relaxed),
            end_ns: state.ended_ns.load(Ordering::Relaxed),
        })
    }

    /// Whether two handles name the same work; completed work without state is equal to itself.
    pub fn is_same(&self, other: &Event) -> bool {
        match (&self.0, &other.0) {
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

impl EventState {
    fn note_time(&self, field: &AtomicU64) {
        if self.submitted_ns.load(Ordering::Relaxed) != 0 {
            field.store(clock_ns(), Ordering::Relaxed);
        }
    }
}

thread_local! {
    static IN_STEP: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread executes queued steps. Their order is the queue's business, so accesses there wait for nothing:
/// a step that waited for the event of a buffer it writes would wait for itself.
pub fn in_step() -> bool {
    IN_STEP.get()
}

/// Marks this thread as an executor of queued steps.
pub(super) fn become_executor() {
    IN_STEP.set(true);
}

/// Nanoseconds on the process's monotonic clock.
pub fn clock_ns() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    // The first reading is not zero, so that zero can mean "not measured".
    START.get_or_init(|| Instant::now() - Duration::from_nanos(1)).elapsed().as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiter_gets_the_outcome_and_the_times_are_in_order() {
        let event = Event::submitted();
        assert_eq!(event.status(), EventStatus::Submitted);
        let executor = event.clone();
        let worker = std::thread::spawn(move || {
            executor.start();
            executor.finish(Err(ArrayError::value("wrong")));
        });
        assert_eq!(event.wait(), Err(ArrayError::value("wrong")));
        worker.join().expect("no panic");
        let times = event.times();
        assert!(0 < times.submit_ns && times.submit_ns <= times.start_ns && times.start_ns <= times.end_ns);
        assert!(!event.failed_unreported());
    }

    #[test]
    fn waiting_can_be_interrupted_and_the_work_goes_on() {
        let event = Event::submitted();
        let attention = Attention::default();
        attention.interrupt();
        assert_eq!(event.wait_interruptible(&attention), Err(ArrayError::Interrupted));
        assert!(!event.is_complete());
        event.finish(Ok(()));
        assert_eq!(event.wait_interruptible(&attention), Ok(()));
    }

    #[test]
    fn completed_events_are_free_and_equal() {
        assert!(Event::completed().is_complete());
        assert!(Event::default().is_same(&Event::completed()));
        assert!(!Event::submitted().is_same(&Event::submitted()));
        assert_eq!(Event::completed().times(), ProfilingTimes::default());
    }
}
