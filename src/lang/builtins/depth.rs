//! Counts how deep native recursion through containers goes, so that it ends in RecursionError instead of the stack's end.

use std::cell::Cell;

use crate::lang::raise::{self, Fallible};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// How deep comparisons and representations of containers may nest, as CPython's default.
pub const CONTAINERS_MAX: u32 = 990;

/// How deep hashes of tuples may nest; CPython has no limit of its own there.
pub const TUPLES_MAX: u32 = 20_000;

/// How many lazy iterators may stand one on another; CPython has no limit and crashes.
pub const ITERATORS_MAX: u32 = 20_000;

/// One level of native recursion, until it is dropped.
pub struct Level(());

impl Level {
    /// Enters a level, or raises with what was being done.
    pub fn enter(limit: u32, doing: &str) -> Fallible<Self> {
        DEPTH.with(|depth| {
            if depth.get() >= limit {
                return Err(raise::recursion_error(format!("maximum recursion depth exceeded {doing}")));
            }
            depth.set(depth.get() + 1);
            Ok(Self(()))
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::builtins::classes::Builtin;

    #[test]
    fn levels_end_and_come_back() {
        let levels: Vec<Level> = (0..5).map(|_| Level::enter(5, "in a test").unwrap()).collect();
        assert!(Level::enter(5, "in a test").err().is_some_and(|error| error.is(Builtin::RecursionError)));
        drop(levels);
        assert!(Level::enter(5, "in a test").is_ok());
    }
}
