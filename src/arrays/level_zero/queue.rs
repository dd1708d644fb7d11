//! Steps on a Level Zero device. The queue's thread appends each to an immediate list as soon as what it depends on has ended,
//! without waiting for the steps before it, and ends steps in order as the driver signals their events.
//!
//! Work that the host does, or that goes through the queue's pinned memory, waits until the list is empty.

use super::commands::{Commands, Events, Signal};
use super::device::Shared;
use super::program::{Program, Programs};
use super::transfer::Transfer;
use crate::arrays::backend::{Argument, BackendError, Keep, Launch, PendingStep, Queue, QueueProperties, Step, Work};
use crate::arrays::error::ArrayError;
use crate::arrays::event::{self, Event, clock_ns};
use crate::arrays::worker::{Reports, run_on_host};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::Duration;

/// Steps in the list at once. One event more is held back for each step that waits for the one before it.
const DEPTH: usize = 64;

/// How long the thread looks at one event before it looks for new steps. A step that comes meanwhile is appended this much later
/// at most, while the device is busy anyway.
const GLANCE: Duration = Duration::from_millis(1);

struct Job {
    step: Step,
    wait_for: Vec<Event>,
    event: Event,
}

/// How long a dropped queue waits for its thread. Work in the list may never end on a hung device; then the thread is left behind.
const FAREWELL: Duration = Duration::from_secs(1);

/// The way to the thread of a queue, which ends when the queue is dropped and its last step has run.
struct LevelZeroQueue {
    /// Nothing once the queue is being dropped.
    jobs: Mutex<Option<Sender<Job>>>,
    thread: ThreadId,
    /// Disconnected when the thread has let go of everything.
    ended: Mutex<Receiver<()>>,
    reports: Arc<Reports>,
    profiling: bool,
}

/// Opens a queue on a device.
pub(super) fn open(device: Arc<Shared>, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError> {
    let events = Events::create(device.clone(), 2 * DEPTH as u32, properties.profiling)?;
    let (jobs, inbox) = channel();
    let reports = Arc::new(Reports::default());
    let stream = Stream {
        commands: Commands::open(device)?,
        idle: events.all().collect(),
        events,
        transfer: None,
        flight: VecDeque::new(),
        last_end_ns: 0,
        reports: reports.clone(),
    };
    let (farewell, ended) = channel();
    let serve = move || {
        stream.serve(&inbox);
        drop(farewell);
    };
    let thread = std::thread::Builder::new().name("cellhold-ze".to_owned()).spawn(serve).map_err(|error| {
        BackendError::Unsupported { what: format!("another queue: its thread cannot be started ({error})").into() }
    })?;
    Ok(Box::new(LevelZeroQueue {
        jobs: Mutex::new(Some(jobs)),
        thread: thread.thread().id(),
        ended: Mutex::new(ended),
        reports,
        profiling: properties.profiling,
    }))
}

impl Drop for LevelZeroQueue {
    /// Waits for the thread: a process that ends unloads drivers, and nobody may be inside one then.
    fn drop(&mut self) {
        *self.jobs.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        // The last handle may lie in a step, and be dropped by the thread itself.
        if std::thread::current().id() != self.thread {
            let ended = self.ended.get_mut().unwrap_or_else(PoisonError::into_inner);
            let _ = ended.recv_timeout(FAREWELL);
        }
    }
}

impl Queue for LevelZeroQueue {
    fn is_immediate(&self) -> bool {
        false
    }

    fn submit(&self, step: Step, wait_for: &[Event]) -> Event {
        let event = self.reports.submitted(&step, self.profiling);
        let job = Job { step, wait_for: wait_for.to_vec(), event: event.clone() };
        let refused = match &*self.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(jobs) => jobs.send(job).err().map(|refused| refused.0),
            None => Some(job),
        };
        if let Some(Job { step, .. }) = refused {
            drop(step);
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

/// A command that was put into the list.
struct Appended {
    /// What it signals when it has ended.
    signal: Signal,
    /// What it runs.
    program: Option<Arc<Program>>,
}

/// A step whose command is in the list.
struct Flying {
    event: Event,
    signal: Signal,
    /// The signal of the step before, which this command waits for: it may be used again when this one has ended.
    waits_for: Option<Signal>,
    /// Work of this queue whose failure is this step's.
    inputs: Box<[Event]>,
    keep: Keep,
    /// Built programs live until nothing runs them.
    _program: Option<Arc<Program>>,
    started_ns: u64,
}

/// What the thread of a queue owns.
struct Stream {
    commands: Commands,
    events: Events,
    /// Events that nothing signals or waits for.
    idle: Vec<Signal>,
    /// Made at the first copy that needs it.
    transfer: Option<Transfer>,
    /// Oldest first.
    flight: VecDeque<Flying>,
    last_end_ns: u64,
    reports: Arc<Reports>,
}

impl Stream {
    fn serve(mut self, inbox: &Receiver<Job>) {
        event::become_executor();
        loop {
            let next = if self.flight.is_empty() {
                inbox.recv().map_err(|_| TryRecvError::Disconnected)
            } else {
                inbox.try_recv()
            };
            match next {
                Ok(job) => self.take_up(job),
                Err(_) if !self.flight.is_empty() => self.glance(),
                Err(_) => return,
            }
        }
    }

    /// Appends a step to the list, or does it at once when the list is empty.
    fn take_up(&mut self, Job { step, wait_for, event }: Job) {
        let Step { label, holds: _, keep, inputs, work } = step;
        for earlier in wait_for.iter().chain(&inputs) {
            // What is in this list comes first anyway.
            if !earlier.is_complete() && !self.flight.iter().any(|flying| flying.event.is_same(earlier)) {
                self.land_all();
                earlier.wait_end();
            }
        }
        let failed = inputs.iter().filter(|input| input.is_complete()).find_map(|input| input.wait().err());
        let appended = match failed {
            Some(error) => Err(error),
            None => self.append(&work).map_err(|error| error.describe(&self.commands.device().name)),
        };
        match appended {
            Ok(Some(Appended { signal, program })) => {
                event.start();
                let waits_for =
                    self.flight.back().and_then(|back| self.commands.after(Some(back.signal)).map(|_| back.signal));
                self.flight.push_back(Flying {
                    event,
                    signal,
                    waits_for,
                    inputs,
                    keep,
                    _program: program,
                    started_ns: clock_ns(),
                });
            }
            Ok(None) => {
                self.land_all();
                event.start();
                let started = clock_ns();
                // What was in the list before may have failed meanwhile.
                let ready = inputs.iter().try_for_each(Event::wait_as_input);
                let outcome = ready.and_then(|()| self.execute(label, work));
                drop(keep);
                self.reports.ended(&event, outcome, clock_ns() - started);
            }
            Err(error) => {
                self.land_all();
                drop((work, keep));
                self.reports.ended(&event, Err(error), 0);
            }
        }
    }

    /// Appends the command of this work behind those in the list; nothing when the work is not one command.
    fn append(&mut self, work: &Work) -> Result<Option<Appended>, BackendError> {
        let device = self.commands.device().clone();
        device.check()?;
        let is_command = match work {
            Work::Launch(_) => true,
            Work::Copy { from, to, bytes } => *bytes > 0 && device.memory.owns(*from) && device.memory.owns(*to),
            Work::Fill { bytes, pattern, .. } => *bytes > 0 && pattern.len() <= device.group.max_fill,
            Work::Host(_) | Work::Marker => false,
        };
        if !is_command {
            return Ok(None);
        }
        // A program is built before an event is taken for it.
        let program = match work {
            Work::Launch(launch) => Some((launch, self.program(launch)?)),
            _ => None,
        };
        while self.flight.len() >= DEPTH {
            self.glance();
        }
        device.check()?;
        let signal = self.idle.pop().expect("twice as many events as steps in the list");
        let after = self.flight.back().map(|back| back.signal);
        let appended = self.events.reset(signal).and_then(|()| match (work, &program) {
            (Work::Copy { from, to, bytes }, _) => self.commands.copy(*from, *to, *bytes, signal, after),
            (Work::Fill { to, bytes, pattern }, _) => self.commands.fill(*to, *bytes, pattern, signal, after),
            (_, Some((launch, program))) => program
                .append(self.commands.list(), launch, signal, self.commands.after(after).as_mut_slice())
                .map_err(|failure| device.refused(failure)),
            _ => Err(BackendError::Unsupported { what: work.name().into() }),
        });
        match appended {
            Ok(()) => Ok(Some(Appended { signal, program: program.map(|(_, program)| program) })),
            Err(error) => {
                self.idle.push(signal);
                Err(error)
            }
        }
    }

    fn program(&self, launch: &Launch) -> Result<Arc<Program>, BackendError> {
        let device = self.commands.device();
        let is_large = |argument: &Argument| match argument {
            Argument::Pointer(address) => device.memory.is_large(*address),
            Argument::Scalar { .. } => false,
        };
        let large = launch.program.needs.large_buffers || launch.arguments.iter().any(is_large);
        Programs::get(device, &launch.program, large)
    }

    /// Does work that is not one command; the list is empty.
    fn execute(&mut self, label: &'static str, work: Work) -> Result<(), ArrayError> {
        let device = self.commands.device().clone();
        let describe = |error: BackendError| error.describe(&device.name);
        device.check().map_err(describe)?;
        match work {
            Work::Host(work) => run_on_host(label, work),
            Work::Copy { bytes, .. } | Work::Fill { bytes, .. } if bytes == 0 => Ok(()),
            Work::Copy { from, to, bytes } => self.copy(from, to, bytes).map_err(describe),
            Work::Fill { to, bytes, pattern } => self
                .transfer()
                .and_then(|(transfer, commands)| transfer.fill(commands, to, bytes, &pattern))
                .map_err(describe),
            Work::Marker | Work::Launch(_) => Ok(()),
        }
    }

    fn copy(&mut self, from: usize, to: usize, bytes: usize) -> Result<(), BackendError> {
        let memory = &self.commands.device().memory;
        let (from_device, to_device) = (memory.owns(from), memory.owns(to));
        let (transfer, commands) = self.transfer()?;
        match (from_device, to_device) {
            (false, true) => transfer.upload(commands, from, to, bytes),
            (true, false) => transfer.download(commands, from, to, bytes),
            _ => Err(BackendError::Unsupported { what: "copies between two ranges that are not its own".into() }),
        }
    }

    fn transfer(&mut self) -> Result<(&mut Transfer, &Commands), BackendError> {
        if self.transfer.is_none() {
            self.transfer = Some(Transfer::create(&self.commands)?);
        }
        Ok((self.transfer.as_mut().expect("made above"), &self.commands))
    }

    /// Waits until the list is empty.
    fn land_all(&mut self) {
        while !self.flight.is_empty() {
            self.glance();
        }
    }

    /// Looks at the oldest step for a moment, and ends it when its event was signalled or the device failed.
    fn glance(&mut self) {
        let Some(front) = self.flight.front() else { return };
        let outcome = match self.commands.poll(front.signal, GLANCE) {
            Ok(false) => return,
            Ok(true) => Ok(()),
            Err(error) => Err(error.describe(&self.commands.device().name)),
        };
        let Some(landed) = self.flight.pop_front() else { return };
        let Flying { event, signal, waits_for, inputs, keep, _program, started_ns } = landed;
        let now = clock_ns();
        let device_ns = match self.events.duration(signal) {
            Some(device_ns) if outcome.is_ok() => {
                event.set_duration(device_ns);
                device_ns
            }
            // The device began with it when the one before had ended.
            _ => now - started_ns.max(self.last_end_ns),
        };
        self.last_end_ns = now;
        self.idle.extend(waits_for);
        match self.flight.front_mut() {
            Some(next) if next.waits_for == Some(signal) => {}
            _ => self.idle.push(signal),
        }
        let outcome = outcome.and_then(|()| inputs.iter().try_for_each(Event::wait_as_input));
        // The step lets go of its arrays before its event, so that who waits finds them returned.
        drop((keep, _program));
        self.reports.ended(&event, outcome, device_ns);
    }
}
