//! Dry runs: the same code makes arrays that have a shape, a dtype and a place but no memory, and no program runs.
//!
//! While a plan is made, every allocation of this thread is counted and none is asked of a device, every program is noted
//! and none runs, and nothing that existed before is written. What needs a value that was not computed stops the plan
//! with [`ArrayError::Unplanned`]. The figures are those of the ledger: the same allocations in the same order, and
//! released when the last reference goes.

use super::backend::UsmKind;
use super::device::DeviceHandle;
use super::error::ArrayError;
use super::ledger::{self, Entry};
use super::trace::{self, Recording};
use super::{account, pool};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

/// What a device would have to give.
#[derive(Clone, Debug)]
pub struct Need {
    /// The device.
    pub device: DeviceHandle,
    /// The kind of memory.
    pub usm: UsmKind,
    /// The highest bytes over what is live now.
    pub peak: u64,
    /// The highest bytes over what is live now, counted in blocks as the device counts them.
    pub peak_blocks: u64,
    /// The largest single allocation.
    pub largest: u64,
    /// Bytes allocated in all.
    pub allocated: u64,
    live: i64,
    live_blocks: i64,
}

/// What a plan found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What would happen, in order.
    pub recording: Recording,
    /// Bytes allocated in all.
    pub allocated: u64,
    /// Allocations in all.
    pub allocations: u64,
    /// The highest live bytes over those at the start, all devices and the host together.
    pub peak_over_base: u64,
    /// By device and kind.
    pub needs: Vec<Need>,
    /// Why the plan stopped and where, if it did: the figures are those up to there.
    pub stopped: Option<(Box<str>, ledger::Origin)>,
}

#[derive(Default)]
struct State {
    outcome: Outcome,
    live: i64,
    next_id: u64,
    next_address: usize,
    /// Memory that the program would have written: what is in it is not what the program would find.
    written: HashSet<u64>,
    /// Memory that the program would have let go of.
    let_go: HashSet<u64>,
}

thread_local! {
    static ON: Cell<bool> = const { Cell::new(false) };
    static STATE: RefCell<State> = RefCell::new(State::default());
    static ASIDE: RefCell<Option<(bool, Recording)>> = const { RefCell::new(None) };
}

/// Whether this thread makes a plan.
#[inline]
pub fn is_on() -> bool {
    ON.get()
}

/// Begins a plan; nothing computes until [`end`].
pub fn begin() {
    let state = State { next_id: ledger::next_id(), next_address: 1 << 20, ..State::default() };
    STATE.with_borrow_mut(|old| *old = state);
    ASIDE.with_borrow_mut(|aside| *aside = Some(trace::put_aside()));
    account::pause(true);
    ON.set(true);
}

/// Ends the plan and answers what it found.
pub fn end() -> Outcome {
    ON.set(false);
    account::pause(false);
    let mut outcome = STATE.take().outcome;
    if let Some(aside) = ASIDE.take() {
        outcome.recording = trace::restore(aside);
    }
    outcome
}

/// A number and an address for memory that is not there.
pub(super) fn allocate(device: &DeviceHandle, usm: UsmKind, bytes: usize) -> (u64, usize) {
    STATE.with_borrow_mut(|state| {
        let blocks = pool::block_bytes(bytes) as i64;
        let id = state.next_id;
        let address = state.next_address;
        state.next_id += 1;
        // Apart from each other, as memory would be, and aligned for any element.
        state.next_address = address.saturating_add(bytes.saturating_add(1).next_multiple_of(4096));
        state.live += bytes as i64;
        let over = state.live.max(0) as u64;
        state.outcome.allocated += bytes as u64;
        state.outcome.allocations += 1;
        state.outcome.peak_over_base = state.outcome.peak_over_base.max(over);
        let need = need_of(&mut state.outcome.needs, device, usm);
        need.allocated += bytes as u64;
        need.largest = need.largest.max(bytes as u64);
        need.live += bytes as i64;
        need.peak = need.peak.max(need.live.max(0) as u64);
        // Where the rounded block does not fit, the pool asks for the bytes alone.
        need.peak_blocks = need.peak_blocks.max((need.live_blocks + bytes as i64).max(0) as u64);
        need.live_blocks += blocks;
        (id, address)
    })
}

/// Device memory that the program would have taken by now, in blocks as the device counts them; nothing where no plan is made.
pub(super) fn blocks_taken(device: &DeviceHandle) -> u64 {
    if !is_on() {
        return 0;
    }
    STATE.with_borrow(|state| {
        let of_device = state.outcome.needs.iter().filter(|need| need.device == *device && need.usm == UsmKind::Device);
        of_device.map(|need| need.live_blocks).sum::<i64>().max(0) as u64
    })
}

fn need_of<'a>(needs: &'a mut Vec<Need>, device: &DeviceHandle, usm: UsmKind) -> &'a mut Need {
    let position = needs.iter().position(|need| need.device == *device && need.usm == usm);
    let position = position.unwrap_or_else(|| {
        needs.push(Need {
            device: device.clone(),
            usm,
            peak: 0,
            peak_blocks: 0,
            largest: 0,
            allocated: 0,
            live: 0,
            live_blocks: 0,
        });
        needs.len() - 1
    });
    &mut needs[position]
}

/// Memory that is not there is let go of.
pub(super) fn released(id: u64, device: &DeviceHandle, usm: UsmKind, bytes: usize) {
    if !is_on() {
        return;
    }
    let _ = STATE.try_with(|state| {
        let Ok(mut state) = state.try_borrow_mut() else { return };
        state.live -= bytes as i64;
        let need = need_of(&mut state.outcome.needs, device, usm);
        need.live -= bytes as i64;
        need.live_blocks -= pool::block_bytes(bytes) as i64;
    });
    trace::released(id, bytes as u64, device);
}

/// The program would have let go of memory that exists: from here on it counts as free.
pub fn let_go(entry: &Entry) {
    STATE.with_borrow_mut(|state| {
        if state.let_go.insert(entry.id) {
            state.live -= entry.bytes as i64;
            let usm = entry.usm.unwrap_or(UsmKind::Host);
            let need = need_of(&mut state.outcome.needs, &entry.device, usm);
            need.live -= entry.bytes as i64;
            need.live_blocks -= entry.block_bytes as i64;
        }
    });
    trace::released(entry.id, entry.bytes, &entry.device);
}

/// The program would have written this memory.
pub(super) fn note_written(id: u64) {
    STATE.with_borrow_mut(|state| state.written.insert(id));
}

/// Whether the program would have written this memory.
pub(super) fn would_have_written(id: u64) -> bool {
    STATE.with_borrow(|state| state.written.contains(&id))
}

/// Stops the plan: what comes next needs something that only running gives.
pub fn stop(reason: impl Into<Box<str>>) -> ArrayError {
    let reason = reason.into();
    STATE.with_borrow_mut(|state| {
        state.outcome.stopped.get_or_insert_with(|| (reason.clone(), ledger::origin()));
    });
    ArrayError::Unplanned { message: reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::expr::{Expr, ReduceOp};
    use crate::arrays::op::{Flavour, Op};
    use crate::arrays::{Alloc, Array, DType, ErrorKind, registry};

    #[test]
    fn nothing_is_allocated_and_the_figures_are_those_of_running() {
        let alloc = Alloc::queue(registry::default_queue().expect("native"), UsmKind::Device);
        let a = Array::zeros(&[1000, 1000], DType::Float64, &alloc).expect("8 MB");
        let program = || {
            let b = Expr::apply(Op::Sin, &[Expr::array(&a)], Flavour::Dpnp)?.evaluate()?;
            let c = Array::zeros(&[500, 1000], DType::Float32, &alloc)?;
            drop(b);
            let sum = Expr::array(&c).reduce(ReduceOp::Sum, Some(&[0]), false, None, Flavour::Dpnp)?.evaluate()?;
            c.write_scalar(&[0, 0], crate::arrays::Scalar::Int(1))?;
            a.copy_to(&Alloc::HOST)?;
            Ok::<_, ArrayError>((c, sum))
        };
        let live = ledger::live_everywhere();
        begin();
        let planned = program().expect("plans");
        let read = planned.1.read_flat(0);
        let outcome = end();
        assert_eq!(ledger::live_everywhere(), live);
        assert_eq!(read.map_err(|error| error.kind()), Err(ErrorKind::Unplanned));
        assert!(outcome.stopped.is_some());
        drop(planned);
        account::begin_cell(1);
        let kept = program().expect("runs");
        let account = account::end_cell();
        assert_eq!(
            (outcome.allocated, outcome.allocations, outcome.peak_over_base),
            (account.allocated, account.allocations, account.peak_over_base)
        );
        drop((kept, a));
        ledger::assert_empty();
    }
}
