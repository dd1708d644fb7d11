//! Steps on a Level Zero device: each becomes commands of the queue's list, and ends when its event does.
//!
//! Memory that the driver does not know is reached through two pinned pieces of host memory in turn: while the device copies
//! one, the host fills or empties the other.

use super::commands::{Commands, Events, Signal};
use super::device::Shared;
use super::memory::Pinned;
use super::program::Programs;
use crate::arrays::backend::{Argument, BackendError, Launch, Queue, QueueProperties, Work};
use crate::arrays::error::ArrayError;
use crate::arrays::worker::{Executor, WorkerQueue, run_on_host};
use std::sync::Arc;

/// Bytes of one pinned piece.
const PIECE: usize = 1 << 20;

/// Opens a queue on a device.
pub(super) fn open(device: Arc<Shared>, properties: QueueProperties) -> Result<Box<dyn Queue>, BackendError> {
    let events = Events::create(device.clone(), 3, properties.profiling)?;
    let commands = Commands::open(device)?;
    Ok(Box::new(WorkerQueue::start(
        "cellhold-ze",
        LevelZeroExecutor { commands, events, staging: None },
        properties.profiling,
    )))
}

/// Does the work of one queue.
struct LevelZeroExecutor {
    commands: Commands,
    events: Events,
    /// Made at the first copy that needs it.
    staging: Option<[Pinned; 2]>,
}

impl LevelZeroExecutor {
    fn run(&mut self, work: Work) -> Result<Option<u64>, BackendError> {
        match work {
            Work::Launch(launch) => self.launch(&launch),
            Work::Copy { from, to, bytes } => self.copy(from, to, bytes),
            Work::Fill { to, bytes, pattern } => self.fill(to, bytes, &pattern),
            // Everything before it has ended.
            Work::Marker | Work::Host(_) => Ok(None),
        }
    }

    /// Appends a command that signals the first event, and waits for it.
    fn command(&self, append: impl FnOnce(Signal) -> Result<(), BackendError>) -> Result<Option<u64>, BackendError> {
        let event = self.events.event(0);
        self.events.reset(event)?;
        append(event)?;
        self.commands.wait(event)?;
        Ok(self.events.duration(event))
    }

    fn launch(&self, launch: &Launch) -> Result<Option<u64>, BackendError> {
        let device = self.commands.device();
        let is_large = |argument: &Argument| match argument {
            Argument::Pointer(address) => device.memory.is_large(*address),
            Argument::Scalar { .. } | Argument::Local { .. } => false,
        };
        let large = launch.program.needs.large_buffers || launch.arguments.iter().any(is_large);
        let program = Programs::get(device, &launch.program, large)?;
        self.command(|event| {
            program.append(self.commands.list(), launch, event, &mut []).map_err(|failure| device.refused(failure))
        })
    }

    fn fill(&mut self, to: usize, bytes: usize, pattern: &[u8]) -> Result<Option<u64>, BackendError> {
        if bytes == 0 {
            return Ok(None);
        }
        if pattern.len() <= self.commands.device().group.max_fill {
            return self.command(|event| self.commands.fill(to, bytes, pattern, event, None));
        }
        // A piece is a multiple of every pattern, so each starts with a whole one.
        let produce = |_, piece: &mut [u8]| {
            for part in piece.chunks_mut(pattern.len()) {
                part.copy_from_slice(&pattern[..part.len()]);
            }
        };
        self.feed(to, bytes, produce).map(|()| None)
    }

    fn copy(&mut self, from: usize, to: usize, bytes: usize) -> Result<Option<u64>, BackendError> {
        if bytes == 0 {
            return Ok(None);
        }
        let memory = &self.commands.device().memory;
        match (memory.owns(from), memory.owns(to)) {
            (true, true) => self.command(|event| self.commands.copy(from, to, bytes, event, None)),
            (false, true) => {
                let from: *const u8 = std::ptr::with_exposed_provenance(from);
                // SAFETY: the step keeps `bytes` live bytes there, which nobody writes meanwhile; `start` and the piece's length lie
                // within them, and the piece is memory of its own.
                self.feed(to, bytes, |start, piece| unsafe {
                    std::ptr::copy_nonoverlapping(from.add(start), piece.as_mut_ptr(), piece.len());
                })?;
                Ok(None)
            }
            (true, false) => {
                let to: *mut u8 = std::ptr::with_exposed_provenance_mut(to);
                // SAFETY: as above, with the roles exchanged; nobody else uses the bytes written.
                self.drain(from, bytes, |start, piece| unsafe {
                    std::ptr::copy_nonoverlapping(piece.as_ptr(), to.add(start), piece.len());
                })?;
                Ok(None)
            }
            (false, false) => {
                Err(BackendError::Unsupported { what: "copies between two ranges that are not its own".into() })
            }
        }
    }

    fn staging(&mut self) -> Result<(), BackendError> {
        if self.staging.is_none() {
            let device = self.commands.device();
            self.staging = Some([Pinned::allocate(device.clone(), PIECE)?, Pinned::allocate(device.clone(), PIECE)?]);
        }
        Ok(())
    }

    /// Writes `bytes` at `to`, piece by piece, as `produce` gives them.
    fn feed(&mut self, to: usize, bytes: usize, mut produce: impl FnMut(usize, &mut [u8])) -> Result<(), BackendError> {
        self.staging()?;
        let (commands, events) = (&self.commands, &self.events);
        let pieces = self.staging.as_mut().expect("made above");
        let mut busy = [false; 2];
        let mut run = |busy: &mut [bool; 2]| {
            for (turn, start) in (0..bytes).step_by(PIECE).enumerate() {
                let (slot, length) = (turn % 2, PIECE.min(bytes - start));
                let event = events.event(1 + slot);
                if busy[slot] {
                    commands.wait(event)?;
                    busy[slot] = false;
                }
                produce(start, &mut pieces[slot].bytes()[..length]);
                events.reset(event)?;
                commands.copy(pieces[slot].address(), to + start, length, event, None)?;
                busy[slot] = true;
            }
            Ok(())
        };
        let outcome = run(&mut busy);
        // Whatever happened, the pieces are not touched again before the device has let go of them.
        let ends = (0..2).filter(|&slot| busy[slot]).map(|slot| commands.wait(events.event(1 + slot)));
        ends.fold(outcome, Result::and)
    }

    /// Reads `bytes` at `from`, piece by piece, into what `consume` does with them.
    fn drain(&mut self, from: usize, bytes: usize, mut consume: impl FnMut(usize, &[u8])) -> Result<(), BackendError> {
        self.staging()?;
        let (commands, events) = (&self.commands, &self.events);
        let pieces = self.staging.as_mut().expect("made above");
        let mut under_way: [Option<(usize, usize)>; 2] = [None; 2];
        let mut starts = (0..bytes).step_by(PIECE);
        let mut outcome = Ok(());
        // Both pieces are asked for; then, whenever one is there, it is emptied and asked for again.
        for turn in 0.. {
            let slot = turn % 2;
            let event = events.event(1 + slot);
            if let Some((start, length)) = under_way[slot].take() {
                match commands.wait(event) {
                    Ok(()) if outcome.is_ok() => consume(start, &pieces[slot].bytes()[..length]),
                    ended => outcome = outcome.and(ended),
                }
            }
            if outcome.is_ok()
                && let Some(start) = starts.next()
            {
                let length = PIECE.min(bytes - start);
                let asked = events
                    .reset(event)
                    .and_then(|()| commands.copy(from + start, pieces[slot].address(), length, event, None));
                match asked {
                    Ok(()) => under_way[slot] = Some((start, length)),
                    refused => outcome = refused,
                }
            }
            if under_way == [None; 2] {
                break;
            }
        }
        outcome
    }
}

impl Executor for LevelZeroExecutor {
    fn execute(&mut self, label: &'static str, work: Work) -> Result<Option<u64>, ArrayError> {
        let device = self.commands.device().clone();
        let outcome = device.check().and_then(|()| match work {
            Work::Host(work) => Ok(Err(work)),
            other => self.run(other).map(Ok),
        });
        match outcome {
            Ok(Ok(device_ns)) => Ok(device_ns),
            Ok(Err(work)) => run_on_host(label, work).map(|()| None),
            Err(error) => Err(error.describe(&device.name)),
        }
    }
}
