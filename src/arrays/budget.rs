//! Caps that a program puts on itself: `with budget("512MB"):` and `%%budget`.
//!
//! A budget counts what is live beyond what was live when it began, on all devices and the host together. It is checked
//! before the device is asked, so that a lesson about memory ends in an error and not in a full machine.

use std::cell::RefCell;

#[derive(Clone, Copy, Debug)]
struct Budget {
    bytes: u64,
    base: u64,
}

thread_local! {
    static BUDGETS: RefCell<Vec<Budget>> = const { RefCell::new(Vec::new()) };
}

/// Begins a budget of this many bytes; it ends with [`unwind`] to the depth before.
pub fn push(bytes: u64) {
    let base = super::ledger::live_everywhere();
    BUDGETS.with_borrow_mut(|budgets| budgets.push(Budget { bytes, base }));
}

/// How many budgets are in force; a cell that ends in an error is unwound to what it started with.
pub fn depth() -> usize {
    BUDGETS.with_borrow(Vec::len)
}

/// Ends budgets until `depth` are left.
pub fn unwind(depth: usize) {
    BUDGETS.with_borrow_mut(|budgets| budgets.truncate(depth));
}

/// The tightest budget in force: what it allows in all, and what it leaves now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tightest {
    /// Bytes it allows.
    pub limit: u64,
    /// Bytes it leaves.
    pub left: u64,
}

/// The budget in force that leaves the least, or nothing when there is none.
pub fn tightest() -> Option<Tightest> {
    BUDGETS.with_borrow(|budgets| {
        if budgets.is_empty() {
            return None;
        }
        let live = super::ledger::live_everywhere();
        let state = |budget: &Budget| Tightest {
            limit: budget.bytes,
            left: budget.bytes.saturating_sub(live.saturating_sub(budget.base)),
        };
        budgets.iter().map(state).min_by_key(|tightest| tightest.left)
    })
}

/// What the tightest budget in force leaves, or nothing when there is none.
pub fn left() -> Option<u64> {
    tightest().map(|tightest| tightest.left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::error::Shortage;
    use crate::arrays::{Alloc, Array, DType, ErrorKind};

    #[test]
    fn a_budget_counts_from_where_it_began_and_refuses_before_the_device() {
        let before = Array::zeros(&[1000], DType::Float64, &Alloc::HOST).expect("8 KB");
        push(10_000);
        let inside = Array::zeros(&[1000], DType::Float64, &Alloc::HOST).expect("8 KB of 10 KB");
        assert_eq!(left(), Some(2000));
        let error = Array::zeros(&[1000], DType::Float64, &Alloc::HOST).expect_err("8 KB more do not fit");
        assert_eq!(error.kind(), ErrorKind::Memory);
        assert_eq!(
            error.out_of_memory().map(|facts| facts.shortage),
            Some(Shortage::Budget { limit: 10_000, left: 2000 })
        );
        drop(inside);
        Array::zeros(&[1000], DType::Float64, &Alloc::HOST).expect("what was freed can be used again");
        unwind(0);
        assert_eq!(left(), None);
        drop(before);
        crate::arrays::ledger::assert_empty();
    }
}
