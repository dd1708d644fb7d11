//! What these tests ask of the test driver and of the process it is loaded in.

use crate::arrays::level_zero;
use std::time::{Duration, Instant};
use testdriver::harness::{Child, Control};

/// The path of a test below `tests`, from the root of the test binary.
macro_rules! named {
    ($test:literal) => {
        concat!("arrays::level_zero::tests::", $test)
    };
}
pub(super) use named;

/// A process for the test of this path, with what `main` sets for a loader without `zesInit`.
pub(super) fn child(test: &'static str) -> Child {
    let (variable, value) = level_zero::SYSMAN_VARIABLE;
    let child = Child::new(test);
    if level_zero::wants_sysman_variable() { child.set(variable, value) } else { child }
}

/// Puts faults in force and counts calls from 1 again; a lost device is there again, hanging commands go on.
pub(super) fn inject(faults: &str) {
    Control::open().inject(faults);
}

/// A counter of the driver.
pub(super) fn counter(name: &str) -> i64 {
    Control::open().counter(name)
}

/// Asserts that nothing is left in the driver. The thread of a dropped queue lets go of the last things a moment later.
pub(super) fn assert_nothing_left() {
    let deadline = Instant::now() + Duration::from_secs(20);
    while counter("live") != 0 {
        let kinds = ["contexts", "modules", "build_logs", "kernels", "lists", "event_pools", "events", "allocations"];
        let left: Vec<_> = kinds.into_iter().map(|kind| (kind, counter(kind))).collect();
        assert!(Instant::now() < deadline, "left in the driver: {left:?}");
        std::thread::yield_now();
    }
}
