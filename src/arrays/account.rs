//! What one cell did to memory: allocated, freed, kept, peak, transfers, and work that had to run on the host.
//!
//! The account counts all devices together. Positions are the evaluator's; turning them into lines is the session's.

use super::ledger::{self, Origin};
use std::cell::RefCell;

/// A copy between devices or between a device and the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// How much.
    pub bytes: u64,
    /// From where, as the ledger names it.
    pub from: Box<str>,
    /// To where.
    pub to: Box<str>,
    /// Who asked.
    pub origin: Origin,
}

/// An operation that the device could not do and the host did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFallback {
    /// Which.
    pub op: &'static str,
    /// Bytes it moved for that.
    pub bytes: u64,
    /// Who asked.
    pub origin: Origin,
}

/// The share of one place in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineAccount {
    /// The place.
    pub origin: Origin,
    /// Bytes allocated there.
    pub allocated: u64,
    /// Allocations made there.
    pub allocations: u64,
    /// Temporaries that fusion made unnecessary there.
    pub temporaries_avoided: u64,
    /// The highest live bytes over the cell's base right after an allocation there.
    pub peak_over_base: u64,
}

/// The account of one cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellAccount {
    /// Which cell.
    pub cell: u32,
    /// Bytes allocated.
    pub allocated: u64,
    /// Bytes freed, whoever had allocated them.
    pub freed: u64,
    /// Live bytes at the end less those at the start; negative when the cell let go of more than it made.
    pub kept: i64,
    /// The highest live bytes over those at the start.
    pub peak_over_base: u64,
    /// Allocations made.
    pub allocations: u64,
    /// Temporaries that fusion made unnecessary.
    pub temporaries_avoided: u64,
    /// Seconds that devices worked; small operations computed directly on ready arrays are not in it.
    pub device_time_s: f64,
    /// Copies, at most [`LIST_MAX`] of them one by one.
    pub transfers: Vec<Transfer>,
    /// Copies beyond those listed.
    pub transfers_unlisted: u64,
    /// Places that computed in pieces, whose copies are one reading of large data and no loop of the program.
    pub in_pieces: Vec<Origin>,
    /// Work done on the host instead.
    pub host_fallbacks: Vec<HostFallback>,
    /// Shares by place in the program, in the order they first allocated, at most [`LIST_MAX`].
    pub by_origin: Vec<LineAccount>,
}

/// Longest list kept in one account, so that a loop cannot make it grow without end.
pub const LIST_MAX: usize = 1024;

#[derive(Default)]
struct Open {
    running: bool,
    live_over_base: i64,
    account: CellAccount,
    /// Where in `by_origin` the last place was.
    last: usize,
}

thread_local! {
    static PAUSED: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    static OPEN: RefCell<Open> = RefCell::new(Open::default());
}

/// Opens the account of a cell; allocations are marked with its number from here on.
pub fn begin_cell(cell: u32) {
    ledger::settle();
    ledger::set_cell(cell);
    OPEN.with_borrow_mut(|open| {
        *open = Open { running: true, account: CellAccount { cell, ..CellAccount::default() }, ..Open::default() };
    });
}

/// Closes the account and returns it; allocations belong to no cell afterwards.
pub fn end_cell() -> CellAccount {
    ledger::settle();
    ledger::set_cell(0);
    OPEN.with_borrow_mut(|open| {
        open.running = false;
        std::mem::take(open).account
    })
}

/// The account of the running cell so far.
pub fn current() -> CellAccount {
    ledger::settle();
    OPEN.with_borrow(|open| open.account.clone())
}

/// Notes a copy of bytes from one place to another.
pub fn note_transfer(bytes: u64, from: &str, to: &str) {
    super::trace::transferred(bytes, from, to);
    note(|account| {
        if account.transfers.len() < LIST_MAX {
            account.transfers.push(Transfer { bytes, from: from.into(), to: to.into(), origin: ledger::origin() });
        } else {
            account.transfers_unlisted += 1;
        }
    });
}

/// Notes that the place that runs computed in pieces.
pub(super) fn note_pieces() {
    note(|account| {
        let origin = ledger::origin();
        if account.in_pieces.len() < LIST_MAX && !account.in_pieces.contains(&origin) {
            account.in_pieces.push(origin);
        }
    });
}

/// Notes work that ran on the host because the device cannot do it.
pub fn note_host_fallback(op: &'static str, bytes: u64) {
    note(|account| {
        if account.host_fallbacks.len() < LIST_MAX {
            account.host_fallbacks.push(HostFallback { op, bytes, origin: ledger::origin() });
        }
    });
}

/// Operations whose very purpose is to bring elements to the host or from it: no fallbacks, whatever does them.
const MOVES: &[&str] = &[
    "",
    "array",
    "asarray",
    "asnumpy",
    "copy_from_host",
    "copy_to_host",
    "format",
    "fromfile",
    "item",
    "load",
    "loadtxt",
    "print",
    "repr",
    "save",
    "savetxt",
    "savez",
    "str",
    "tobytes",
    "tofile",
    "tolist",
];

/// Notes that the running operation worked on elements of a device on the host; several accesses of one operation add up.
pub(super) fn note_elements_on_host(bytes: u64) {
    let op = ledger::op();
    if op.starts_with("__") || MOVES.contains(&op) {
        return;
    }
    let origin = ledger::origin();
    note(|account| {
        let listed = account.host_fallbacks.len();
        match account.host_fallbacks.last_mut() {
            Some(last) if last.op == op && last.origin == origin => last.bytes += bytes,
            Some(_) | None if listed < LIST_MAX => account.host_fallbacks.push(HostFallback { op, bytes, origin }),
            Some(_) | None => {}
        }
    });
}

/// Notes temporaries that fusion made unnecessary.
pub fn note_temporaries_avoided(count: u64) {
    OPEN.with_borrow_mut(|open| {
        if open.running && !PAUSED.get() {
            open.account.temporaries_avoided += count;
            if let Some(line) = open.line(ledger::origin()) {
                line.temporaries_avoided += count;
            }
        }
    });
}

/// Notes time a device worked.
pub fn note_device_time(seconds: f64) {
    note(|account| account.device_time_s += seconds);
}

fn note(change: impl FnOnce(&mut CellAccount)) {
    OPEN.with_borrow_mut(|open| {
        if open.running && !PAUSED.get() {
            change(&mut open.account);
        }
    });
}

/// Whether what is noted counts: while a plan is made, it does not.
pub(super) fn pause(is_paused: bool) {
    PAUSED.set(is_paused);
}

pub(super) fn entered(bytes: u64, origin: Origin) {
    OPEN.with_borrow_mut(|open| {
        if !open.running {
            return;
        }
        open.live_over_base += bytes as i64;
        open.account.kept = open.live_over_base;
        open.account.allocated += bytes;
        open.account.allocations += 1;
        let over = open.live_over_base.max(0) as u64;
        open.account.peak_over_base = open.account.peak_over_base.max(over);
        if let Some(line) = open.line(origin) {
            line.allocated += bytes;
            line.allocations += 1;
            line.peak_over_base = line.peak_over_base.max(over);
        }
    });
}

pub(super) fn released(bytes: u64) {
    // Buffers may be dropped while the thread ends, when its accounts have gone already.
    let _ = OPEN.try_with(|open| {
        let mut open = open.borrow_mut();
        if open.running {
            open.live_over_base -= bytes as i64;
            open.account.kept = open.live_over_base;
            open.account.freed += bytes;
        }
    });
}

impl Open {
    fn line(&mut self, origin: Origin) -> Option<&mut LineAccount> {
        let lines = &mut self.account.by_origin;
        if lines.get(self.last).is_none_or(|line| line.origin != origin) {
            self.last = match lines.iter().position(|line| line.origin == origin) {
                Some(position) => position,
                None if lines.len() < LIST_MAX => {
                    lines.push(LineAccount { origin, ..LineAccount::default() });
                    lines.len() - 1
                }
                None => return None,
            };
        }
        lines.get_mut(self.last)
    }
}
