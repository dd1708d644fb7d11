//! What a walk found: objects, the references between them, and which of them keep memory alive.
//!
//! It is made for a million references: a reference is three numbers, and how its source holds its target (`[3]`, `.name`) is
//! asked of the source again, for the few that are shown. That works because nothing changes while a graph is there.

use std::cell::{OnceCell, RefCell};

use hashbrown::{HashMap, HashSet};

use super::roots::{Outside, RootKind, Step};
use super::walk::can_hold;
use crate::lang::value::Value;

/// The index of a node in a graph.
pub(super) type NodeId = u32;

/// The index of an edge in a graph.
pub(super) type EdgeId = u32;

/// No node: the far end of a root's edge.
pub(super) const NOWHERE: NodeId = u32::MAX;

/// No edge.
pub(super) const NO_EDGE: EdgeId = u32::MAX;

/// An object that was reached.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    /// The edge of the shortest path; its source is nearer to a root.
    pub(super) via: EdgeId,
    /// Whether the whole path can be typed.
    pub(super) has_expression: bool,
}

/// A reference that was seen. Those from one node stand together, in the order in which the node holds them.
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeSeen {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    /// Which of its source's values it is; of an edge from nowhere, which of the beginnings.
    pub(super) place: u32,
}

/// What an edge from nowhere stands for.
#[derive(Debug)]
pub(super) struct Beginning {
    root: Option<RootKind>,
    step: Step,
}

/// A node that keeps an allocation alive itself: an array, a view, a raw memory object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    pub(super) allocation: u64,
    pub(super) node: NodeId,
    /// Bytes of the allocation that it looks at, where known.
    pub(super) bytes_seen: Option<u64>,
}

/// The values that a node holds and that can hold others, each with its place.
type Steps = Vec<(u32, Step)>;

/// Everything reachable at one moment. It keeps the objects alive: drop it before letting go of anything.
#[derive(Debug, Default)]
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<EdgeSeen>,
    beginnings: Vec<Beginning>,
    /// By allocation.
    pub(super) handles: Vec<Handle>,
    /// What holds from outside the language, and which memory it holds directly.
    pub(super) outside: Vec<Outside>,
    outside_memory: HashMap<u64, Vec<usize>>,
    /// How nodes hold what they hold, of those that were asked.
    steps: RefCell<HashMap<NodeId, Steps>>,
    addresses: OnceCell<HashSet<usize>>,
    counts: OnceCell<Vec<u32>>,
    incoming: OnceCell<Vec<EdgeId>>,
}

impl Graph {
    /// Notes what holds memory past any value.
    pub(super) fn hold_outside(&mut self, outside: Vec<Outside>, memory: Vec<(u64, usize)>) {
        self.outside = outside;
        for (allocation, at) in memory {
            let known = self.outside_memory.entry(allocation).or_default();
            // Ten queued steps that read one block are one holder.
            if !known.iter().any(|&other| self.outside[other].path == self.outside[at].path) {
                known.push(at);
            }
        }
    }

    /// Makes room for an edge from nowhere; answers its place.
    pub(super) fn add_beginning(&mut self, root: Option<RootKind>, step: Step) -> u32 {
        self.beginnings.push(Beginning { root, step });
        (self.beginnings.len() - 1) as u32
    }

    /// The objects of each allocation.
    pub(super) fn by_allocation(&self) -> impl Iterator<Item = &[Handle]> {
        self.handles.chunk_by(|a, b| a.allocation == b.allocation)
    }

    /// How many objects were reached.
    pub fn len_objects(&self) -> usize {
        self.nodes.len()
    }

    /// Whether something keeps each of these allocations alive; they come by number.
    pub fn reaches_all(&self, allocations: impl Iterator<Item = u64>) -> bool {
        let mut reached = self.handles.iter().map(|handle| handle.allocation).peekable();
        for allocation in allocations {
            while reached.next_if(|&other| other < allocation).is_some() {}
            if reached.peek() != Some(&allocation) && !self.outside_memory.contains_key(&allocation) {
                return false;
            }
        }
        true
    }

    /// Whether the walk itself keeps a reference to the object at this address.
    pub(super) fn keeps(&self, address: usize) -> bool {
        let address_of = |node: &Node| node.value.heap_id().map(|id| id.address());
        self.addresses.get_or_init(|| self.nodes.iter().filter_map(address_of).collect()).contains(&address)
    }

    /// What holds an allocation from outside the language, past any value.
    pub fn is_held_outside(&self, allocation: u64) -> bool {
        self.outside_memory.contains_key(&allocation)
    }

    /// What is held from outside the language, by number, with what holds it.
    pub(super) fn held_outside(&self) -> impl Iterator<Item = (u64, &[usize])> {
        self.outside_memory.iter().map(|(allocation, holders)| (*allocation, holders.as_slice()))
    }

    /// Whether there are cycles that no root leads to.
    pub(super) fn has_cycles(&self) -> bool {
        self.beginnings.iter().any(|beginning| beginning.root.is_none())
    }

    /// What holds the allocation from outside the language.
    pub(super) fn outside_of(&self, allocation: u64) -> impl Iterator<Item = &Outside> {
        let known = self.outside_memory.get(&allocation).map_or(&[][..], Vec::as_slice);
        known.iter().map(|&at| &self.outside[at])
    }

    /// How many array and memory objects share an allocation.
    pub fn view_count(&self, allocation: u64) -> usize {
        self.handles(allocation).len()
    }

    /// Bytes of an allocation that its arrays look at, each counted; nothing where something looks at an unknown part.
    pub fn bytes_seen(&self, allocation: u64) -> Option<u64> {
        let handles = self.handles(allocation);
        (!handles.is_empty() && !self.is_held_outside(allocation))
            .then(|| handles.iter().map(|handle| handle.bytes_seen).sum::<Option<u64>>())?
    }

    pub(super) fn handles(&self, allocation: u64) -> &[Handle] {
        let start = self.handles.partition_point(|handle| handle.allocation < allocation);
        let after = &self.handles[start..];
        &after[..after.iter().take_while(|handle| handle.allocation == allocation).count()]
    }

    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn edge(&self, edge: EdgeId) -> &EdgeSeen {
        &self.edges[edge as usize]
    }

    /// The last edge of the shortest path to a node.
    pub(super) fn via(&self, node: NodeId) -> &EdgeSeen {
        self.edge(self.node(node).via)
    }

    /// Which root an edge comes from; nothing for edges from objects and for a cycle's beginning.
    pub(super) fn root(&self, edge: &EdgeSeen) -> Option<RootKind> {
        if edge.from == NOWHERE { self.beginnings[edge.place as usize].root } else { None }
    }

    /// The same by the edge's index, for a node that may have none yet.
    pub(super) fn root_at(&self, edge: EdgeId) -> Option<RootKind> {
        self.edges.get(edge as usize).and_then(|edge| self.root(edge))
    }

    /// How an edge's source holds its target.
    pub(super) fn step(&self, edge: &EdgeSeen) -> Step {
        if edge.from == NOWHERE {
            return self.beginnings[edge.place as usize].step.clone();
        }
        let source = &self.node(edge.from).value;
        if matches!(source, Value::List(_) | Value::Tuple(_)) {
            return Step::Item(edge.place as usize);
        }
        let mut known = self.steps.borrow_mut();
        let steps = known.entry(edge.from).or_insert_with(|| steps_of(source));
        match steps.binary_search_by_key(&edge.place, |(place, _)| *place) {
            Ok(at) => steps[at].1.clone(),
            // Nothing changes while a graph is there; should it have, the value is there all the same.
            Err(_) => Step::Other("value"),
        }
    }

    /// How many edges lead to the nodes before each, and at the end how many there are.
    pub(super) fn edges_before(&self) -> &[u32] {
        self.counts.get_or_init(|| {
            let mut counts = vec![0u32; self.nodes.len() + 1];
            for edge in &self.edges {
                counts[edge.to as usize + 1] += 1;
            }
            let mut sum = 0;
            for count in &mut counts {
                sum += *count;
                *count = sum;
            }
            counts
        })
    }

    /// The edges that lead to a node, in the order they were seen.
    pub(super) fn incoming(&self, node: NodeId) -> &[EdgeId] {
        let before = self.edges_before();
        let incoming = self.incoming.get_or_init(|| {
            let mut next = before.to_vec();
            let mut incoming = vec![0; self.edges.len()];
            for (index, edge) in self.edges.iter().enumerate() {
                let next = &mut next[edge.to as usize];
                incoming[*next as usize] = index as EdgeId;
                *next += 1;
            }
            incoming
        });
        &incoming[before[node as usize] as usize..before[node as usize + 1] as usize]
    }
}

fn steps_of(source: &Value) -> Steps {
    let mut steps = Vec::new();
    let mut places = 0..;
    source.visit_children(&mut |edge, child| {
        let place = places.next().unwrap_or(u32::MAX);
        if can_hold(child) {
            steps.push((place, Step::from(edge)));
        }
    });
    steps
}
