//! Adding up events: what is live, when it was most, by where it was asked for, what never came back.

use std::collections::HashMap;

/// A place that memory is charged to: a cell and line, or a kind of call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Where {
    /// The cell; zero outside cells.
    pub cell: u64,
    /// The line in it, where known.
    pub line: Option<u64>,
    /// The text there, or the name of the call.
    pub text: String,
}

/// The share of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Share {
    /// Bytes allocated there.
    pub allocated: u64,
    /// Allocations made there.
    pub allocations: u64,
    /// Bytes of these that were live at the end.
    pub kept: u64,
    /// Programs that ran there.
    pub programs: u64,
    /// Seconds they took, as far as known.
    pub seconds: f64,
    /// Bytes copied between places there.
    pub transferred: u64,
}

/// The most that was live at once on a device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Peak {
    /// Live now.
    pub live: u64,
    /// The most so far.
    pub bytes: u64,
    /// Where the allocation that reached it was asked for.
    pub at: Where,
}

/// A live allocation.
#[derive(Clone, Debug, PartialEq)]
pub struct Live<K> {
    /// What tells it apart.
    pub id: K,
    /// Bytes asked for.
    pub bytes: u64,
    /// Where.
    pub device: String,
    /// Who asked.
    pub born: Where,
    /// The position of its event, for the order of birth.
    pub order: usize,
}

/// Everything added up; `K` tells allocations apart (a number, an address).
#[derive(Debug)]
pub struct Sums<K> {
    live: HashMap<K, Live<K>>,
    /// Shares by place.
    pub shares: HashMap<Where, Share>,
    /// Peaks by device.
    pub peaks: HashMap<String, Peak>,
    /// Copies by direction: count and bytes.
    pub transfers: HashMap<(String, String), (u64, u64)>,
    /// Bytes allocated in all.
    pub allocated: u64,
    /// Allocations in all.
    pub allocations: u64,
    /// Releases of what was never seen to be allocated.
    pub strangers: u64,
    order: usize,
}

impl<K: Eq + std::hash::Hash + Clone> Sums<K> {
    pub fn new() -> Self {
        Self {
            live: HashMap::new(),
            shares: HashMap::new(),
            peaks: HashMap::new(),
            transfers: HashMap::new(),
            allocated: 0,
            allocations: 0,
            strangers: 0,
            order: 0,
        }
    }

    /// Memory that was there before: it counts as live, and to nobody's share.
    pub fn hold(&mut self, id: K, bytes: u64, device: &str, born: Where) {
        let peak = self.peaks.entry(device.to_owned()).or_default();
        peak.live += bytes;
        if peak.live > peak.bytes {
            peak.bytes = peak.live;
            peak.at = born.clone();
        }
        self.order += 1;
        let live = Live { id: id.clone(), bytes, device: device.to_owned(), born, order: self.order };
        self.live.insert(id, live);
    }

    /// An allocation.
    pub fn allocate(&mut self, id: K, bytes: u64, device: &str, born: Where) {
        let share = self.shares.entry(born.clone()).or_default();
        share.allocated += bytes;
        share.allocations += 1;
        share.kept += bytes;
        self.allocated += bytes;
        self.allocations += 1;
        self.hold(id, bytes, device, born);
    }

    /// A release; answers the bytes.
    pub fn release(&mut self, id: &K) -> Option<u64> {
        let Some(live) = self.live.remove(id) else {
            self.strangers += 1;
            return None;
        };
        if let Some(peak) = self.peaks.get_mut(&live.device) {
            peak.live -= live.bytes;
        }
        if let Some(share) = self.shares.get_mut(&live.born) {
            share.kept = share.kept.saturating_sub(live.bytes);
        }
        Some(live.bytes)
    }

    /// A copy.
    pub fn transfer(&mut self, bytes: u64, from: &str, to: &str, at: &Where) {
        let sum = self.transfers.entry((from.to_owned(), to.to_owned())).or_default();
        sum.0 += 1;
        sum.1 += bytes;
        self.shares.entry(at.clone()).or_default().transferred += bytes;
    }

    /// A program.
    pub fn ran(&mut self, at: &Where, seconds: Option<f64>) {
        let share = self.shares.entry(at.clone()).or_default();
        share.programs += 1;
        share.seconds += seconds.unwrap_or(0.0);
    }

    /// What is live, in the order of birth.
    pub fn left(&self) -> Vec<&Live<K>> {
        let mut left: Vec<&Live<K>> = self.live.values().collect();
        left.sort_by_key(|live| live.order);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_where_most_was_live_and_what_is_left_is_charged() {
        let at = |line| Where { cell: 1, line: Some(line), text: String::new() };
        let mut sums = Sums::new();
        sums.hold(1, 100, "d", at(0));
        sums.allocate(2, 50, "d", at(1));
        sums.allocate(3, 70, "d", at(2));
        assert_eq!(sums.release(&2), Some(50));
        sums.allocate(4, 10, "d", at(3));
        assert_eq!(sums.release(&9), None);
        assert_eq!(sums.peaks["d"], Peak { live: 180, bytes: 220, at: at(2) });
        assert_eq!(sums.shares[&at(1)].kept, 0);
        assert_eq!(sums.shares[&at(2)].kept, 70);
        assert_eq!((sums.allocated, sums.allocations, sums.strangers), (130, 3, 1));
        assert_eq!(sums.left().iter().map(|live| live.id).collect::<Vec<_>>(), [1, 3, 4]);
    }
}
