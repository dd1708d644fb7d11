//! Copies between the device and memory that the driver does not know, through two pinned pieces of host memory in turn: while the
//! device copies one, the host fills or empties the other.

use super::commands::{Commands, Events};
use super::memory::Pinned;
use crate::arrays::backend::BackendError;

/// Bytes of one pinned piece; a multiple of every pattern of a fill.
const PIECE: usize = 1 << 20;

/// The pinned pieces of one queue, each with its event.
pub(super) struct Transfer {
    pieces: [Pinned; 2],
    events: Events,
}

impl Transfer {
    pub(super) fn create(commands: &Commands) -> Result<Transfer, BackendError> {
        let device = commands.device();
        let pieces = [Pinned::allocate(device.clone(), PIECE)?, Pinned::allocate(device.clone(), PIECE)?];
        Ok(Transfer { pieces, events: Events::create(device.clone(), 2, false)? })
    }

    /// Copies host memory to the device.
    pub(super) fn upload(
        &mut self,
        commands: &Commands,
        from: usize,
        to: usize,
        bytes: usize,
    ) -> Result<(), BackendError> {
        let from: *const u8 = std::ptr::with_exposed_provenance(from);
        // SAFETY: the step keeps `bytes` live bytes there, which nobody writes meanwhile; `start` and the piece's length lie within
        // them, and the piece is memory of its own.
        self.feed(commands, to, bytes, |start, piece| unsafe {
            std::ptr::copy_nonoverlapping(from.add(start), piece.as_mut_ptr(), piece.len());
        })
    }

    /// Writes a pattern over and over, where the device has no fill of its length.
    pub(super) fn fill(
        &mut self,
        commands: &Commands,
        to: usize,
        bytes: usize,
        pattern: &[u8],
    ) -> Result<(), BackendError> {
        self.feed(commands, to, bytes, |_, piece| {
            for part in piece.chunks_mut(pattern.len()) {
                part.copy_from_slice(&pattern[..part.len()]);
            }
        })
    }

    /// Copies device memory to the host.
    pub(super) fn download(
        &mut self,
        commands: &Commands,
        from: usize,
        to: usize,
        bytes: usize,
    ) -> Result<(), BackendError> {
        let to: *mut u8 = std::ptr::with_exposed_provenance_mut(to);
        // SAFETY: the step keeps `bytes` live bytes there, which nobody else uses meanwhile; `start` and the piece's length lie
        // within them, and the piece is memory of its own.
        self.drain(commands, from, bytes, |start, piece| unsafe {
            std::ptr::copy_nonoverlapping(piece.as_ptr(), to.add(start), piece.len());
        })
    }

    /// Writes `bytes` at `to`, piece by piece, as `produce` gives them.
    fn feed(
        &mut self,
        commands: &Commands,
        to: usize,
        bytes: usize,
        mut produce: impl FnMut(usize, &mut [u8]),
    ) -> Result<(), BackendError> {
        let mut outcome = Ok(());
        let mut busy = [false; 2];
        for (turn, start) in (0..bytes).step_by(PIECE).enumerate() {
            let (slot, length) = (turn % 2, PIECE.min(bytes - start));
            outcome = self.await_piece(commands, slot, &mut busy).and_then(|()| {
                produce(start, &mut self.pieces[slot].bytes()[..length]);
                let event = self.events.event(slot);
                self.events.reset(event)?;
                commands.copy(self.pieces[slot].address(), to + start, length, event, None)
            });
            if outcome.is_err() {
                break;
            }
            busy[slot] = true;
        }
        // Whatever happened, the pieces are not touched again before the device has let go of them.
        (0..2).map(|slot| self.await_piece(commands, slot, &mut busy)).fold(outcome, Result::and)
    }

    fn await_piece(&self, commands: &Commands, slot: usize, busy: &mut [bool; 2]) -> Result<(), BackendError> {
        if std::mem::take(&mut busy[slot]) { commands.wait(self.events.event(slot)) } else { Ok(()) }
    }

    /// Reads `bytes` at `from`, piece by piece, into what `consume` does with them.
    fn drain(
        &mut self,
        commands: &Commands,
        from: usize,
        bytes: usize,
        mut consume: impl FnMut(usize, &[u8]),
    ) -> Result<(), BackendError> {
        let mut under_way: [Option<(usize, usize)>; 2] = [None; 2];
        let mut starts = (0..bytes).step_by(PIECE);
        let mut outcome = Ok(());
        // Both pieces are asked for; then, whenever one is there, it is emptied and asked for again.
        for turn in 0.. {
            let slot = turn % 2;
            let event = self.events.event(slot);
            if let Some((start, length)) = under_way[slot].take() {
                let ended = commands.wait(event);
                if ended.is_ok() && outcome.is_ok() {
                    consume(start, &self.pieces[slot].bytes()[..length]);
                }
                outcome = outcome.and(ended);
            }
            if outcome.is_ok()
                && let Some(start) = starts.next()
            {
                let length = PIECE.min(bytes - start);
                outcome = self
                    .events
                    .reset(event)
                    .and_then(|()| commands.copy(from + start, self.pieces[slot].address(), length, event, None));
                under_way[slot] = outcome.is_ok().then_some((start, length));
            }
            if under_way == [None; 2] {
                break;
            }
        }
        outcome
    }
}
