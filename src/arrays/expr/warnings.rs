//! Floating-point events of evaluated expressions, kept for the language layer until it asks.
//!
//! Only NumPy arrays are observed; dpnp does not warn.

use crate::arrays::cpu::flags::{DIVIDE, INVALID, OVERFLOW};
use std::cell::RefCell;

/// What NumPy's error state knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatEvent {
    /// `divide`
    DivideByZero,
    /// `over`
    Overflow,
    /// `invalid`
    Invalid,
}

/// An event and the operation that met it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatWarning {
    /// What happened.
    pub event: FloatEvent,
    /// The name NumPy gives the operation.
    pub operation: &'static str,
    /// Whether the operands were scalars, which NumPy says.
    pub scalar: bool,
}

impl FloatWarning {
    /// The text of NumPy's `RuntimeWarning`.
    pub fn message(&self) -> String {
        let event = match self.event {
            FloatEvent::DivideByZero => "divide by zero",
            FloatEvent::Overflow => "overflow",
            FloatEvent::Invalid => "invalid value",
        };
        let scalar = if self.scalar { "scalar " } else { "" };
        format!("{event} encountered in {scalar}{}", self.operation)
    }
}

thread_local! {
    static MET: RefCell<Vec<FloatWarning>> = const { RefCell::new(Vec::new()) };
}

/// What was met on this thread since the last call, each event once per operation, in order.
pub fn take() -> Vec<FloatWarning> {
    MET.with_borrow_mut(std::mem::take)
}

/// Whether [`take`] would answer anything: one load.
pub fn any() -> bool {
    MET.with_borrow(|met| !met.is_empty())
}

/// Runs something whose events concern nobody, as when dpnp's arrays are computed on the host.
pub(super) fn unobserved<R>(run: impl FnOnce() -> R) -> R {
    let before = take();
    let result = run();
    MET.set(before);
    result
}

pub(super) fn note(flags: u8, operation: &'static str) {
    keep(flags, operation, false);
}

pub(super) fn note_scalar(flags: u8, operation: &'static str) {
    keep(flags, operation, true);
}

fn keep(flags: u8, operation: &'static str, scalar: bool) {
    if flags == 0 {
        return;
    }
    MET.with_borrow_mut(|met| {
        let events =
            [(DIVIDE, FloatEvent::DivideByZero), (OVERFLOW, FloatEvent::Overflow), (INVALID, FloatEvent::Invalid)];
        for (flag, event) in events {
            let warning = FloatWarning { event, operation, scalar };
            if flags & flag != 0 && !met.contains(&warning) {
                met.push(warning);
            }
        }
    });
}
