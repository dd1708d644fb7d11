//! Queues that may have work in them, and waiting for it.

use super::{REGISTRY, Registry};
use crate::arrays::device::QueueHandle;
use crate::arrays::error::ArrayError;
use crate::arrays::ledger;

/// Keeps asynchronous queues in sight as long as they have work.
pub(in crate::arrays) fn remember_queue(queue: &QueueHandle) {
    if !queue.is_immediate() {
        REGISTRY.with_borrow_mut(|registry| {
            registry.forget_idle_queues();
            registry.busy.push(queue.clone());
        });
    }
}

/// Asynchronous queues with unfinished work, with the labels of the steps, oldest first.
pub fn queued_work() -> Vec<(QueueHandle, Vec<&'static str>)> {
    let queues = REGISTRY.with_borrow(|registry| registry.busy.clone());
    queues
        .into_iter()
        .map(|queue| {
            let labels = queue.pending().into_iter().map(|step| step.label).collect::<Vec<_>>();
            (queue, labels)
        })
        .filter(|(_, labels)| !labels.is_empty())
        .collect()
}

/// Which queued steps hold which allocations: the queue, the step's label, and the numbers.
pub fn queued_holds() -> Vec<(QueueHandle, &'static str, Box<[u64]>)> {
    let queues = REGISTRY.with_borrow(|registry| registry.busy.clone());
    let steps = |queue: QueueHandle| {
        queue.pending().into_iter().map(move |step| (queue.clone(), step.label, step.holds)).collect::<Vec<_>>()
    };
    queues.into_iter().flat_map(steps).collect()
}

/// Waits for all queued work on all devices; returns the first failure. An interrupt leaves the work queued.
pub fn finish_all() -> Result<(), ArrayError> {
    let queues = REGISTRY.with_borrow(|registry| registry.busy.clone());
    let mut outcome = Ok(());
    for queue in queues {
        match queue.finish() {
            Err(ArrayError::Interrupted) => return Err(ArrayError::Interrupted),
            Err(error) if outcome.is_ok() => outcome = Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    REGISTRY.with_borrow_mut(Registry::forget_idle_queues);
    ledger::settle();
    outcome
}
