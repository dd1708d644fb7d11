//! What each name and output keeps alone: the memory that goes when that one lets go.
//!
//! Every object gets the one name through which all references to it come, or none where several do. That is what
//! reference counts free: a cycle belongs to nobody until the collector takes it apart.

use hashbrown::HashMap;

use super::cut::HolderKind;
use super::graph::{EdgeSeen, Graph, NOWHERE};
use super::roots::{RootKind, Step};

/// A name or an output, and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The name: `results`, `Out[3]`.
    pub path: String,
    /// What to type to let go.
    pub let_go: String,
    /// Bytes that go with it.
    pub bytes: u64,
    /// Allocations that go with it.
    pub count: usize,
}

/// No reference was seen yet.
const NONE: u32 = u32::MAX;

/// Several lead to it, or something that cannot be let go of does.
const SHARED: u32 = u32::MAX - 1;

fn merged(a: u32, b: u32) -> u32 {
    match (a, b) {
        (NONE, other) => other,
        (own, other) if own == other => own,
        _ => SHARED,
    }
}

impl Graph {
    /// The name or output whose letting go frees most, of those that free anything.
    pub fn largest_owner(&self, bytes_of: impl Fn(u64) -> u64) -> Option<Owner> {
        let sums = self.owned(bytes_of);
        let (&edge, &(bytes, count)) =
            sums.iter().max_by_key(|(edge, (bytes, _))| (*bytes, std::cmp::Reverse(**edge)))?;
        let edge = &self.edges[edge as usize];
        let let_go = self.let_go(edge, HolderKind::Name)?;
        (bytes > 0).then(|| Owner { path: self.path_along(edge), let_go, bytes, count })
    }

    /// Bytes and allocations by the edge of the name that owns them.
    fn owned(&self, bytes_of: impl Fn(u64) -> u64) -> HashMap<u32, (u64, usize)> {
        let owners = self.owner_edges();
        let mut sums: HashMap<u32, (u64, usize)> = HashMap::new();
        for allocation in self.allocations() {
            if self.outside_of(allocation).next().is_some() {
                continue;
            }
            let owner = self.handles(allocation).iter().fold(NONE, |owner, handle| {
                // An object that was never settled is part of a cycle or hangs from one.
                merged(owner, owners[handle.node as usize].unwrap_or(SHARED))
            });
            if owner < SHARED {
                let sum = sums.entry(owner).or_default();
                sum.0 += bytes_of(allocation);
                sum.1 += 1;
            }
        }
        sums
    }

    /// The owner of every node, settled once all references to it are; nothing for those that never are.
    fn owner_edges(&self) -> Vec<Option<u32>> {
        let count = self.nodes.len();
        let mut is_source = vec![false; count];
        for edge in self.edges.iter().filter(|edge| is_namespace(edge)) {
            is_source[edge.to as usize] = true;
        }
        let mut waiting_for = vec![0u32; count];
        let mut offsets = vec![0u32; count + 1];
        for edge in self.edges.iter().filter(|edge| !is_source[edge.to as usize]) {
            waiting_for[edge.to as usize] += 1;
            if edge.from != NOWHERE {
                offsets[edge.from as usize + 1] += 1;
            }
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut below = vec![0u32; *offsets.last().unwrap_or(&0) as usize];
        let mut owners = vec![NONE; count];
        let mut settled = vec![None; count];
        let mut ready = Vec::new();
        let mut see = |to: u32, owner: u32, ready: &mut Vec<u32>, owners: &mut Vec<u32>| {
            let at = to as usize;
            owners[at] = merged(owners[at], owner);
            waiting_for[at] -= 1;
            if waiting_for[at] == 0 {
                ready.push(to);
            }
        };
        for (index, edge) in self.edges.iter().enumerate().filter(|(_, edge)| !is_source[edge.to as usize]) {
            let index = index as u32;
            if edge.from == NOWHERE {
                let can_go = matches!(edge.root, Some(RootKind::Error));
                see(edge.to, if can_go { index } else { SHARED }, &mut ready, &mut owners);
            } else if is_source[edge.from as usize] {
                let can_go = matches!(edge.step, Step::Global(_) | Step::Entry(_));
                see(edge.to, if can_go { index } else { SHARED }, &mut ready, &mut owners);
            } else {
                below[next[edge.from as usize] as usize] = index;
                next[edge.from as usize] += 1;
            }
        }
        while let Some(node) = ready.pop() {
            let at = node as usize;
            let owner = owners[at];
            settled[at] = Some(owner);
            for &edge in &below[offsets[at] as usize..next[at] as usize] {
                see(self.edges[edge as usize].to, owner, &mut ready, &mut owners);
            }
        }
        settled
    }
}

/// Whether an edge leads to names themselves rather than to something named.
fn is_namespace(edge: &EdgeSeen) -> bool {
    edge.from == NOWHERE && matches!(edge.root, Some(RootKind::Names | RootKind::Outputs | RootKind::Module(_)))
}
