//! What a session holds on one device, in numbers that any thread may read.
//!
//! The evaluator's ledger and pool write them; a reader gets each number as it is at that moment, not all of one moment.

use super::backend::UsmKind;
use super::readings::Holdings;
use std::sync::atomic::{AtomicU64, Ordering};

/// Totals of one device and kind, written by the evaluator thread and readable by all.
#[derive(Debug, Default)]
struct KindTotals {
    live: AtomicU64,
    live_blocks: AtomicU64,
    cached: AtomicU64,
    peak: AtomicU64,
    count: AtomicU64,
}

/// Totals of one device.
#[derive(Debug, Default)]
pub struct Accounts {
    kinds: [KindTotals; 3],
    live: AtomicU64,
    peak: AtomicU64,
}

impl Accounts {
    /// The totals of one kind.
    pub fn kind(&self, usm: UsmKind) -> Holdings {
        let totals = &self.kinds[usm as usize];
        Holdings {
            live: totals.live.load(Ordering::Relaxed),
            live_blocks: totals.live_blocks.load(Ordering::Relaxed),
            cached: totals.cached.load(Ordering::Relaxed),
            peak: totals.peak.load(Ordering::Relaxed),
            count: totals.count.load(Ordering::Relaxed),
        }
    }

    /// All kinds together; the peak is that of the sum, not the sum of the peaks.
    pub fn all(&self) -> Holdings {
        let mut sum = Holdings::default();
        for usm in UsmKind::ALL {
            let kind = self.kind(usm);
            sum.live += kind.live;
            sum.live_blocks += kind.live_blocks;
            sum.cached += kind.cached;
            sum.count += kind.count;
        }
        sum.peak = self.peak.load(Ordering::Relaxed);
        sum
    }

    pub(super) fn add(&self, usm: UsmKind, bytes: u64, block_bytes: u64) {
        let kind = &self.kinds[usm as usize];
        let live = raise(&kind.live, bytes);
        raise(&kind.live_blocks, block_bytes);
        raise(&kind.count, 1);
        if live > kind.peak.load(Ordering::Relaxed) {
            kind.peak.store(live, Ordering::Relaxed);
        }
        let live = raise(&self.live, bytes);
        if live > self.peak.load(Ordering::Relaxed) {
            self.peak.store(live, Ordering::Relaxed);
        }
    }

    pub(super) fn remove(&self, usm: UsmKind, bytes: u64, block_bytes: u64) {
        let kind = &self.kinds[usm as usize];
        lower(&kind.live, bytes);
        lower(&kind.live_blocks, block_bytes);
        lower(&kind.count, 1);
        lower(&self.live, bytes);
    }

    pub(super) fn cache(&self, usm: UsmKind, block_bytes: u64) {
        raise(&self.kinds[usm as usize].cached, block_bytes);
    }

    pub(super) fn uncache(&self, usm: UsmKind, block_bytes: u64) {
        lower(&self.kinds[usm as usize].cached, block_bytes);
    }
}

/// Only the owner thread writes, so a load and a store do, without a locked instruction.
fn raise(total: &AtomicU64, by: u64) -> u64 {
    let after = total.load(Ordering::Relaxed) + by;
    total.store(after, Ordering::Relaxed);
    after
}

fn lower(total: &AtomicU64, by: u64) {
    let before = total.load(Ordering::Relaxed);
    assert!(before >= by, "a ledger total would go below zero");
    total.store(before - by, Ordering::Relaxed);
}
