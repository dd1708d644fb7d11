//! What each holder keeps alone: the memory that goes when that one lets go.
//!
//! Every object gets the one reference through which all ways to it come: that of a name, or, below what several names
//! share (a class and its instances), that of an item or attribute there. That is what reference counts free: a cycle
//! belongs to nobody until the collector takes it apart.

use hashbrown::HashMap;

use super::cut::{COLLECT, HolderKind};
use super::graph::{EdgeId, EdgeSeen, Graph, NO_EDGE, NOWHERE, NodeId};
use super::roots::{RootKind, Step};
use crate::lang::value::Value;

/// Something to let go of, and what goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Where it is: `results`, `Out[3]`, `models['large']`.
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

/// Names that a walk looks into, at most, to find the part of one that keeps the memory.
const DEPTH_MAX: usize = 8;

/// Allocations of one holder beyond which its parts are not compared: a list of so many has no part that keeps it all.
const PARTS_MAX: usize = 10_000;

/// What a part has to free of the whole, in thousandths, to be named in its place.
const NEARLY_ALL: u128 = 900;

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
    /// What frees most by one statement, of what frees anything. Numbers are asked for in order.
    ///
    /// Where nearly all of it hangs from one part, and the rest of the name has other memory or is code, that part is named:
    /// `del models['large']` rather than `del models`.
    pub fn largest_owner(&self, bytes_of: impl Fn(u64) -> u64) -> Option<Owner> {
        let mut nodes = self.standings();
        let mut best = self.best_of(&nodes, None, &bytes_of);
        for _ in 0..DEPTH_MAX {
            let Some((edge, whole, count)) = best else { break };
            let EdgeSeen { from, to: node, .. } = *self.edge(edge);
            let is_code = self.is_code(node) || (from != NOWHERE && self.is_code(from));
            if count > PARTS_MAX || (count == 1 && !is_code) {
                break;
            }
            self.open(&mut nodes, node);
            let Some((part, freed, parts)) = self.best_of(&nodes, Some(node), &bytes_of) else { break };
            let spares = parts < count || is_code;
            if !spares || u128::from(freed) * 1000 < u128::from(whole) * NEARLY_ALL {
                break;
            }
            best = Some((part, freed, parts));
        }
        let of_edge = best.and_then(|(edge, bytes, count)| {
            let edge = self.edge(edge);
            Some(Owner { path: self.path_along(edge), let_go: self.let_go(edge, HolderKind::Name)?, bytes, count })
        });
        [of_edge, self.largest_outside(&bytes_of), self.cycles(&bytes_of)]
            .into_iter()
            .flatten()
            .filter(|owner| owner.bytes > 0)
            // The first of equals.
            .reduce(|best, other| if other.bytes > best.bytes { other } else { best })
    }

    /// Whether an object is a part of the program rather than its data: it is better kept.
    fn is_code(&self, node: NodeId) -> bool {
        match &self.node(node).value {
            Value::Class(_) | Value::Module(_) | Value::Function(_) => true,
            Value::Object(object) => object.data().class().name.get().text() == "_lru_cache_wrapper",
            _ => false,
        }
    }

    /// The reference that owns most, of all or of those out of one object, with its bytes and allocations.
    fn best_of(
        &self,
        nodes: &[Standing],
        below: Option<NodeId>,
        bytes_of: &impl Fn(u64) -> u64,
    ) -> Option<(EdgeId, u64, usize)> {
        let (best, (bytes, count)) = self
            .owned(nodes, bytes_of)
            .into_iter()
            .filter(|(edge, _)| below.is_none_or(|node| self.edge(*edge).from == node))
            .max_by_key(|(edge, (bytes, _))| (*bytes, std::cmp::Reverse(*edge)))?;
        Some((best, bytes, count))
    }

    /// What from outside the language keeps most by itself: a variable of a Rust cell.
    fn largest_outside(&self, bytes_of: &impl Fn(u64) -> u64) -> Option<Owner> {
        let mut sums: HashMap<usize, (u64, usize)> = HashMap::new();
        for (allocation, holders) in self.held_outside() {
            if let ([only], []) = (holders, self.handles(allocation)) {
                let sum = sums.entry(*only).or_default();
                *sum = (sum.0 + bytes_of(allocation), sum.1 + 1);
            }
        }
        let (at, (bytes, count)) = sums
            .into_iter()
            .filter(|(at, _)| self.outside[*at].let_go.is_some())
            .max_by_key(|(at, sum)| (sum.0, std::cmp::Reverse(*at)))?;
        let outside = &self.outside[at];
        Some(Owner { path: outside.path.clone(), let_go: outside.let_go.clone()?, bytes, count })
    }

    /// What only cycles keep, which go together.
    fn cycles(&self, bytes_of: &impl Fn(u64) -> u64) -> Option<Owner> {
        if !self.has_cycles() {
            return None;
        }
        let (mut bytes, mut count, mut path) = (0, 0, None);
        for handles in self.by_allocation() {
            let allocation = handles[0].allocation;
            if !self.is_held_outside(allocation) && handles.iter().all(|handle| self.is_in_cycle(handle.node)) {
                bytes += bytes_of(allocation);
                count += 1;
                path.get_or_insert_with(|| self.beginning_of(handles[0].node));
            }
        }
        Some(Owner { path: path?, let_go: COLLECT.to_owned(), bytes, count })
    }

    /// The edge from nowhere at which the path to a node begins.
    fn first_edge(&self, node: NodeId) -> &EdgeSeen {
        let mut edge = self.via(node);
        while edge.from != NOWHERE {
            edge = self.via(edge.from);
        }
        edge
    }

    /// Whether no root leads to a node, but a cycle does.
    fn is_in_cycle(&self, node: NodeId) -> bool {
        self.root(self.first_edge(node)).is_none()
    }

    fn beginning_of(&self, node: NodeId) -> String {
        self.path_along(self.first_edge(node))
    }

    /// Bytes and allocations by the edge that owns them.
    fn owned(&self, nodes: &[Standing], bytes_of: &impl Fn(u64) -> u64) -> HashMap<EdgeId, (u64, usize)> {
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
            if owner >= SOURCE {
                continue;
            }
            if owner != current.0 {
                if current.0 < SOURCE {
                    sums.insert(current.0, current.1);
                }
                current = (owner, sums.get(&owner).copied().unwrap_or_default());
            }
            current.1.0 += bytes_of(allocation);
            current.1.1 += 1;
        }
        if current.0 < SOURCE {
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
        self.settle(&mut nodes, &mut ready);
        // What is left hangs from cycles. Letting go of what leads to one frees nothing by counts, taking something out of it does.
        for node in 0..nodes.len() {
            if nodes[node].open > 0 && nodes[node].owner != NONE && nodes[node].owner != SOURCE {
                nodes[node].owner = SHARED;
                nodes[node].open = 0;
                ready.push(node as NodeId);
                self.settle(&mut nodes, &mut ready);
            }
        }
        nodes
    }

    /// Gives what one node owns to the references out of it. All references to what it owns come from there, so nothing else
    /// changes, and no cycle is among it.
    fn open(&self, nodes: &mut [Standing], opened: NodeId) {
        let owner = std::mem::replace(&mut nodes[opened as usize].owner, SOURCE);
        debug_assert!(owner < SOURCE, "what is opened is owned by one reference");
        for (node, before) in
            nodes.iter_mut().zip(self.edges_before().windows(2)).filter(|(node, _)| node.owner == owner)
        {
            (node.owner, node.open) = (NONE, before[1] - before[0]);
        }
        let mut ready = Vec::new();
        for (index, edge) in self.edges_of(nodes[opened as usize].first, opened) {
            refer(nodes, edge.to, if self.can_cut(edge) { index } else { SHARED }, &mut ready);
        }
        self.settle(nodes, &mut ready);
    }

    /// The edges out of a node, the first of which is known.
    fn edges_of(&self, first: EdgeId, node: NodeId) -> impl Iterator<Item = (EdgeId, &EdgeSeen)> {
        let edges = if first == NO_EDGE { &[] } else { &self.edges[first as usize..] };
        (first..=EdgeId::MAX).zip(edges).take_while(move |(_, edge)| edge.from == node)
    }

    /// Looks at what settled nodes hold until nothing more settles.
    fn settle(&self, nodes: &mut [Standing], ready: &mut Vec<NodeId>) {
        while let Some(node) = ready.pop() {
            let Standing { owner, first, .. } = nodes[node as usize];
            for (index, edge) in self.edges_of(first, node) {
                // What several share is let go of by none of them, but its parts can be taken out of it.
                let owner = if owner == SHARED && self.can_cut(edge) { index } else { owner };
                refer(nodes, edge.to, owner, ready);
            }
        }
    }

    /// Whether an edge leads to names themselves rather than to something named.
    fn is_namespace(&self, edge: &EdgeSeen) -> bool {
        matches!(self.root(edge), Some(RootKind::Names | RootKind::Outputs | RootKind::Inputs | RootKind::Module(_)))
    }
}

/// Looks at one reference to a node.
fn refer(nodes: &mut [Standing], to: NodeId, owner: EdgeId, ready: &mut Vec<NodeId>) {
    let node = &mut nodes[to as usize];
    if node.owner == SOURCE || node.open == 0 {
        return;
    }
    node.owner = merged(node.owner, owner);
    node.open -= 1;
    if node.open == 0 {
        ready.push(to);
    }
}
