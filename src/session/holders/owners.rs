//! What each name and output keeps alone: the memory that goes when that one lets go.
//!
//! Every object gets the one name through which all references to it come, or none where several do. That is what
//! reference counts free: a cycle belongs to nobody until the collector takes it apart.

use hashbrown::HashMap;

use super::cut::HolderKind;
use super::graph::{EdgeId, EdgeSeen, Graph, NO_EDGE, NOWHERE, NodeId};
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
const NONE: EdgeId = u32::MAX;

/// Several lead to it, or something that cannot be let go of does.
const SHARED: EdgeId = u32::MAX - 1;

/// It is names itself.
const SOURCE: EdgeId = u32::MAX - 2;

fn merged(a: EdgeId, b: EdgeId) -> EdgeId {
    match (a, b) {
        (NONE, other) => other,
        (own, other) if own == other => own,
        _ => SHARED,
    }
}

/// What is known of a node: the edge of the name that owns it, and how many references are still to be looked at.
#[derive(Clone, Copy)]
struct Standing {
    owner: EdgeId,
    open: u32,
    /// The first of the edges that start here.
    first: EdgeId,
}

impl Graph {
    /// The name or output whose letting go frees most, of those that free anything. Numbers are asked for in order.
    pub fn largest_owner(&self, bytes_of: impl FnMut(u64) -> u64) -> Option<Owner> {
        let sums = self.owned(bytes_of);
        let (&edge, &(bytes, count)) =
            sums.iter().max_by_key(|(edge, (bytes, _))| (*bytes, std::cmp::Reverse(**edge)))?;
        let edge = self.edge(edge);
        let let_go = self.let_go(edge, HolderKind::Name)?;
        (bytes > 0).then(|| Owner { path: self.path_along(edge), let_go, bytes, count })
    }

    /// Bytes and allocations by the edge of the name that owns them.
    fn owned(&self, mut bytes_of: impl FnMut(u64) -> u64) -> HashMap<EdgeId, (u64, usize)> {
        let nodes = self.standings();
        let mut sums: HashMap<EdgeId, (u64, usize)> = HashMap::new();
        // Neighbours mostly belong to the same name, whose sum is then at hand.
        let mut current = (NONE, (0, 0));
        for handles in self.by_allocation() {
            let allocation = handles[0].allocation;
            if self.is_held_outside(allocation) {
                continue;
            }
            let owner = handles.iter().map(|handle| &nodes[handle.node as usize]).fold(NONE, |owner, node| {
                // An object that was never settled is part of a cycle or hangs from one.
                merged(owner, if node.open == 0 { node.owner } else { SHARED })
            });
            if owner >= SHARED {
                continue;
            }
            if owner != current.0 {
                if current.0 < SHARED {
                    sums.insert(current.0, current.1);
                }
                current = (owner, sums.get(&owner).copied().unwrap_or_default());
            }
            current.1.0 += bytes_of(allocation);
            current.1.1 += 1;
        }
        if current.0 < SHARED {
            sums.insert(current.0, current.1);
        }
        sums
    }

    /// Every node's owner, settled once all references to it are.
    fn standings(&self) -> Vec<Standing> {
        let standing = |before: &[u32]| Standing { owner: NONE, open: before[1] - before[0], first: NO_EDGE };
        let mut nodes: Vec<Standing> = self.edges_before().windows(2).map(standing).collect();
        for edge in self.edges.iter().filter(|edge| self.is_namespace(edge)) {
            nodes[edge.to as usize].owner = SOURCE;
        }
        let mut ready = Vec::new();
        let mut last = NOWHERE;
        for (index, edge) in self.edges.iter().enumerate() {
            let index = index as EdgeId;
            let is_source = edge.from != NOWHERE && nodes[edge.from as usize].owner == SOURCE;
            if edge.from != NOWHERE && !is_source {
                if edge.from != last {
                    nodes[edge.from as usize].first = index;
                }
            } else {
                let can_go = match edge.from {
                    NOWHERE => matches!(self.root(edge), Some(RootKind::Error)),
                    _ => matches!(self.step(edge), Step::Global(_) | Step::Entry(_)),
                };
                refer(&mut nodes, edge.to, if can_go { index } else { SHARED }, &mut ready);
            }
            last = edge.from;
        }
        while let Some(node) = ready.pop() {
            let Standing { owner, first, .. } = nodes[node as usize];
            if first == NO_EDGE {
                continue;
            }
            for edge in self.edges[first as usize..].iter().take_while(|edge| edge.from == node) {
                refer(&mut nodes, edge.to, owner, &mut ready);
            }
        }
        nodes
    }

    /// Whether an edge leads to names themselves rather than to something named.
    fn is_namespace(&self, edge: &EdgeSeen) -> bool {
        matches!(self.root(edge), Some(RootKind::Names | RootKind::Outputs | RootKind::Module(_)))
    }
}

/// Looks at one reference to a node.
fn refer(nodes: &mut [Standing], to: NodeId, owner: EdgeId, ready: &mut Vec<NodeId>) {
    let node = &mut nodes[to as usize];
    if node.owner == SOURCE {
        return;
    }
    node.owner = merged(node.owner, owner);
    node.open -= 1;
    if node.open == 0 {
        ready.push(to);
    }
}
