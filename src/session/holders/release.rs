//! What letting go would free, told before it happens: counts are lowered in a table instead of in the heap.
//!
//! The rules are the heap's own (an object goes when its last reference goes), so what is foretold is what happens,
//! except for what a `__del__` of the program does.

use std::sync::Arc;

use hashbrown::HashMap;

use super::graph::Graph;
use super::memory::visit_buffers;
use crate::arrays::Buffer;
use crate::lang::value::Value;

/// What would go.
#[derive(Debug, Default)]
pub struct Foretold {
    /// Allocations that would be released, by their numbers.
    pub allocations: Vec<u64>,
    /// Their bytes together.
    pub bytes: u64,
    /// Objects of the language that would go.
    pub objects: usize,
}

struct Lowered {
    value: Value,
    by: u32,
    is_gone: bool,
}

/// What dropping one reference to each of `released`, and to memory from outside the language, would free. The references that
/// `released` itself consists of do not count: they are the foreteller's; `dropped` has one more of each.
pub fn foretell_with(released: Vec<Value>, dropped: Vec<Arc<Buffer>>) -> Foretold {
    foretell_in(released, dropped, None)
}

/// The same while a walk is there, which keeps one reference to each object it reached.
pub(super) fn foretell_in(released: Vec<Value>, dropped: Vec<Arc<Buffer>>, graph: Option<&Graph>) -> Foretold {
    Foretelling::new(released, dropped).go_on_in(graph)
}

/// What dropping some references would free as time goes on: what else holds may let go later.
#[derive(Default)]
pub struct Foretelling {
    lowered: HashMap<usize, Lowered>,
    buffers: HashMap<u64, (Arc<Buffer>, usize)>,
}

impl Foretelling {
    /// Follows what one reference to each of `released` and of `dropped` keeps. They are the foreteller's own, besides
    /// those that are to be dropped.
    pub fn new(released: Vec<Value>, dropped: Vec<Arc<Buffer>>) -> Self {
        let mut this = Self::default();
        // One clone of each distinct object is kept in the table; the others are dropped before any count is looked at.
        let mut touched = Vec::new();
        for value in released {
            touch(&mut this.lowered, &mut touched, value);
        }
        for buffer in dropped.into_iter().filter(|buffer| !buffer.is_revoked()) {
            this.buffers.entry(buffer.id()).or_insert_with(|| (buffer, 0)).1 += 1;
        }
        this
    }

    /// What would have gone since the last look.
    pub fn go_on(&mut self) -> Foretold {
        self.go_on_in(None)
    }

    fn go_on_in(&mut self, graph: Option<&Graph>) -> Foretold {
        let Self { lowered, buffers } = self;
        let mut touched: Vec<usize> =
            lowered.iter().filter(|(_, entry)| !entry.is_gone).map(|(&address, _)| address).collect();
        let mut going: Vec<usize> = Vec::new();
        settle(lowered, &mut touched, &mut going, graph);
        let mut foretold = Foretold::default();
        while let Some(address) = going.pop() {
            foretold.objects += 1;
            let Some(value) = lowered.get(&address).map(|entry| entry.value.clone()) else { continue };
            visit_buffers(&value, &mut |buffer, _| {
                // What was revoked has been released already, whoever still holds the empty shell.
                if buffer.is_revoked() {
                    return;
                }
                buffers.entry(buffer.id()).or_insert_with(|| (buffer.clone(), 0)).1 += 1;
            });
            value.visit_children(&mut |_, child| touch(lowered, &mut touched, child.clone()));
            drop(value);
            settle(lowered, &mut touched, &mut going, graph);
        }
        buffers.retain(|&id, (buffer, by)| {
            // One reference more than counted is the table's own.
            let goes = Arc::strong_count(buffer) == *by + 1;
            if goes {
                foretold.allocations.push(id);
                foretold.bytes += buffer.bytes() as u64;
            }
            !goes
        });
        foretold.allocations.sort_unstable();
        foretold
    }
}

fn touch(lowered: &mut HashMap<usize, Lowered>, touched: &mut Vec<usize>, value: Value) {
    let Some(id) = value.heap_id() else { return };
    let entry = lowered.entry(id.address()).or_insert_with(|| Lowered { value, by: 0, is_gone: false });
    entry.by += 1;
    touched.push(id.address());
}

fn settle(
    lowered: &mut HashMap<usize, Lowered>,
    touched: &mut Vec<usize>,
    going: &mut Vec<usize>,
    graph: Option<&Graph>,
) {
    for address in touched.drain(..) {
        let Some(entry) = lowered.get_mut(&address) else { continue };
        let count = entry.value.reference_count().unwrap_or(0);
        let of_walk = u32::from(graph.is_some_and(|graph| graph.keeps(address)));
        if !entry.is_gone && count.saturating_sub(1 + of_walk) <= entry.by {
            entry.is_gone = true;
            going.push(address);
        }
    }
}
