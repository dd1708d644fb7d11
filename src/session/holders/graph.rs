//! The walk: every object reachable from the session's roots, once, with the shortest path to it.
//!
//! Paths that a person can type are preferred: the walk first follows edges that have an expression (`a`, `d['k']`,
//! `model.weights[0]`) and then the others (closures, generators, iterators). No text is built here.

use std::collections::VecDeque;
use std::hash::{BuildHasherDefault, Hasher};

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::memory::visit_buffers;
use super::roots::{Outside, RootKind, Roots, Step, Without};
use crate::arrays::registry;
use crate::lang::heap;
use crate::lang::value::{Edge, Value};

/// The index of a node in a graph.
pub(super) type NodeId = u32;

/// No node: the far end of a root's edge.
pub(super) const NOWHERE: NodeId = u32::MAX;

/// An object that was reached.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    /// The edge of the shortest path; its source is nearer to a root.
    pub(super) via: u32,
    /// Whether the whole path can be typed.
    pub(super) has_expression: bool,
}

/// A reference that was seen.
#[derive(Debug)]
pub(super) struct EdgeSeen {
    pub(super) from: NodeId,
    pub(super) to: NodeId,
    pub(super) step: Step,
    /// Which root, for edges from nowhere.
    pub(super) root: Option<RootKind>,
}

/// A node that keeps an allocation alive itself: an array, a view, a raw memory object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    pub(super) node: NodeId,
    /// Bytes of the allocation that it looks at, where known.
    pub(super) bytes_seen: Option<u64>,
}

/// Everything reachable at one moment. It keeps the objects alive: drop it before letting go of anything.
#[derive(Debug, Default)]
pub struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<EdgeSeen>,
    by_address: HashMap<usize, NodeId, BuildHasherDefault<AddressHasher>>,
    /// Nearly every allocation has one array.
    handles: HashMap<u64, SmallVec<[Handle; 1]>, BuildHasherDefault<AddressHasher>>,
    /// What holds from outside the language, and which memory it holds directly.
    pub(super) outside: Vec<Outside>,
    outside_memory: HashMap<u64, Vec<usize>, BuildHasherDefault<AddressHasher>>,
    /// Positions in `edges` by target node: offsets and the list they point into.
    incoming: std::cell::OnceCell<(Vec<u32>, Vec<u32>)>,
}

/// Addresses and allocation numbers are nearly random already once multiplied.
#[derive(Clone, Copy, Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = (number ^ (number >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}

impl Graph {
    /// Walks from the roots, then over what no root reaches: cycles that wait for the collector.
    pub fn walk(roots: Roots) -> Self {
        let mut graph = Self { outside: roots.outside, ..Self::default() };
        for (allocation, at) in roots.memory {
            let known = graph.outside_memory.entry(allocation).or_default();
            // Ten queued steps that read one block are one holder.
            if !known.iter().any(|&other| graph.outside[other].path == graph.outside[at].path) {
                known.push(at);
            }
        }
        let mut walk = Walk { without: roots.without, ..Walk::default() };
        graph.reserve();
        // A module is best reached by the name the session gave it, so those of no name come second.
        let (modules, others): (Vec<_>, Vec<_>) =
            roots.list.into_iter().partition(|(kind, ..)| matches!(kind, RootKind::Module(_)));
        for (kind, step, value) in others {
            if kind == RootKind::Error && walk.without.error {
                continue;
            }
            let has_expression = matches!(kind, RootKind::Names | RootKind::Outputs);
            graph.see(NOWHERE, step, &value, Some(kind), has_expression, &mut walk);
        }
        graph.run_typed(&mut walk);
        for (kind, step, value) in modules {
            graph.see(NOWHERE, step, &value, Some(kind), true, &mut walk);
        }
        graph.run(&mut walk);
        graph.walk_unreachable(&mut walk);
        graph
    }

    /// Room for what there may be, so that a walk over much does not move what it has found again and again.
    fn reserve(&mut self) {
        let (objects, allocations) = (heap::container_count(), live_allocations());
        self.nodes.reserve(objects + allocations);
        self.edges.reserve(objects + allocations);
        self.by_address.reserve(objects + allocations);
        self.handles.reserve(allocations);
    }

    /// Allocations that some object keeps alive.
    pub fn allocations(&self) -> impl Iterator<Item = u64> {
        self.handles.keys().copied()
    }

    /// How many objects were reached.
    pub fn len_objects(&self) -> usize {
        self.nodes.len()
    }

    /// Whether any object keeps the allocation alive.
    pub fn is_reached(&self, allocation: u64) -> bool {
        self.handles.contains_key(&allocation) || self.outside_memory.contains_key(&allocation)
    }

    /// Whether the walk itself keeps a reference to the object at this address.
    pub(super) fn keeps(&self, address: usize) -> bool {
        self.by_address.contains_key(&address)
    }

    /// What holds an allocation from outside the language, past any value.
    pub fn is_held_outside(&self, allocation: u64) -> bool {
        self.outside_of(allocation).next().is_some()
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
        (!handles.is_empty() && self.is_only_of_values(allocation))
            .then(|| handles.iter().map(|handle| handle.bytes_seen).sum::<Option<u64>>())?
    }

    /// Whether nothing outside the language holds the allocation.
    pub fn is_only_of_values(&self, allocation: u64) -> bool {
        !self.outside_memory.contains_key(&allocation)
    }

    /// An array or memory object of an allocation, if any was reached.
    pub fn any_handle(&self, allocation: u64) -> Option<&Value> {
        self.handles(allocation).first().map(|handle| &self.nodes[handle.node as usize].value)
    }

    pub(super) fn handles(&self, allocation: u64) -> &[Handle] {
        self.handles.get(&allocation).map_or(&[], SmallVec::as_slice)
    }

    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    /// The edges that lead to a node.
    pub(super) fn incoming(&self, node: NodeId) -> impl Iterator<Item = (usize, &EdgeSeen)> {
        let (offsets, list) = self.incoming.get_or_init(|| self.index_incoming());
        let range = offsets[node as usize] as usize..offsets[node as usize + 1] as usize;
        list[range].iter().map(|&edge| (edge as usize, &self.edges[edge as usize]))
    }

    fn index_incoming(&self) -> (Vec<u32>, Vec<u32>) {
        let mut offsets = vec![0u32; self.nodes.len() + 1];
        for edge in &self.edges {
            offsets[edge.to as usize + 1] += 1;
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut list = vec![0u32; self.edges.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            list[next[edge.to as usize] as usize] = index as u32;
            next[edge.to as usize] += 1;
        }
        (offsets, list)
    }

    fn run_typed(&mut self, walk: &mut Walk) {
        while let Some(from) = walk.typed.pop_front() {
            self.expand(from, walk);
        }
    }

    /// Whatever has an expression goes first, so that no longer path takes its place; nothing reached from a path without
    /// an expression has one, so no node is expanded twice.
    fn run(&mut self, walk: &mut Walk) {
        self.run_typed(walk);
        while let Some(from) = walk.untyped.pop_front() {
            if !self.nodes[from as usize].has_expression {
                self.expand(from, walk);
            }
        }
    }

    fn expand(&mut self, from: NodeId, walk: &mut Walk) {
        let value = self.nodes[from as usize].value.clone();
        let is_typed = self.nodes[from as usize].has_expression;
        // Only namespaces that a walk starts from have edges to leave out.
        let via = self.nodes[from as usize].via as usize;
        let root = self.edges.get(via).and_then(|edge| edge.root).filter(|_| !walk.without.is_nothing());
        let this = &mut *self;
        value.visit_children(&mut |edge, child| {
            if can_hold(child) && !root.is_some_and(|root| walk.without.leaves_out(root, &edge)) {
                let has_expression = is_typed && edge_has_expression(&value, &edge);
                this.see(from, Step::from(edge), child, None, has_expression, walk);
            }
        });
    }

    fn see(
        &mut self,
        from: NodeId,
        step: Step,
        value: &Value,
        root: Option<RootKind>,
        has_expression: bool,
        walk: &mut Walk,
    ) {
        let Some(id) = value.heap_id() else { return };
        let edge = self.edges.len() as u32;
        let to = match self.by_address.get(&id.address()) {
            Some(&known) => {
                // Seen first along a path that cannot be typed and not expanded yet: the better path replaces it.
                let node = &mut self.nodes[known as usize];
                if has_expression && !node.has_expression {
                    node.has_expression = true;
                    node.via = edge;
                    if !matches!(value, Value::Array(_)) {
                        walk.typed.push_back(known);
                    }
                }
                known
            }
            None => {
                let node = self.add_node(value, id.address(), edge, has_expression);
                if !matches!(value, Value::Array(_)) {
                    if has_expression { walk.typed.push_back(node) } else { walk.untyped.push_back(node) }
                }
                node
            }
        };
        self.edges.push(EdgeSeen { from, to, step, root });
    }

    /// Adds what no root reaches. Each part of it gets one beginning: an object that nothing else leads to, which the engine
    /// itself must be holding, or some member of a cycle.
    fn walk_unreachable(&mut self, walk: &mut Walk) {
        let first = self.nodes.len();
        for object in heap::containers() {
            if self.by_address.contains_key(&object.id().address()) {
                continue;
            }
            let value = object.value();
            if can_hold(&value) && !matches!(value, Value::Module(_)) {
                self.add_node(&value, object.id().address(), NOWHERE, false);
            }
        }
        let mut at = first;
        while at < self.nodes.len() {
            self.expand(at as NodeId, walk);
            at += 1;
        }
        // Everything was expanded above, in whatever order it was found.
        walk.untyped.clear();
        self.give_beginnings(first as NodeId);
    }

    fn add_node(&mut self, value: &Value, address: usize, via: u32, has_expression: bool) -> NodeId {
        let node = self.nodes.len() as NodeId;
        self.nodes.push(Node { value: value.clone(), via, has_expression });
        self.by_address.insert(address, node);
        let handles = &mut self.handles;
        visit_buffers(value, &mut |buffer, bytes_seen| {
            handles.entry(buffer.id()).or_default().push(Handle { node, bytes_seen });
        });
        node
    }

    /// Gives nodes from `first` on a way from nowhere. Visiting them in the reverse order in which a depth-first search
    /// leaves them makes every beginning a member of a component that no other leads to.
    fn give_beginnings(&mut self, first: NodeId) {
        let count = self.nodes.len() - first as usize;
        let mut below: Vec<Vec<(NodeId, u32)>> = vec![Vec::new(); count];
        let mut has_above = vec![false; count];
        for (index, edge) in self.edges.iter().enumerate() {
            if edge.from != NOWHERE && edge.from >= first && edge.to >= first {
                below[(edge.from - first) as usize].push((edge.to, index as u32));
                has_above[(edge.to - first) as usize] = true;
            }
        }
        let mut order = Vec::with_capacity(count);
        let mut is_seen = vec![false; count];
        for start in 0..count {
            if is_seen[start] {
                continue;
            }
            is_seen[start] = true;
            let mut stack = vec![(start, 0)];
            while let Some((node, next)) = stack.last_mut() {
                match below[*node].get(*next) {
                    Some((child, _)) => {
                        *next += 1;
                        let child = (child - first) as usize;
                        if !is_seen[child] {
                            is_seen[child] = true;
                            stack.push((child, 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        stack.pop();
                    }
                }
            }
        }
        let mut is_reached = vec![false; count];
        for &start in order.iter().rev() {
            if is_reached[start] {
                continue;
            }
            is_reached[start] = true;
            let root = (!has_above[start]).then_some(RootKind::Runtime("in use by the engine"));
            let node = first + start as NodeId;
            self.nodes[node as usize].via = self.edges.len() as u32;
            self.edges.push(EdgeSeen { from: NOWHERE, to: node, step: Step::Root, root });
            let mut waiting = VecDeque::from([start]);
            while let Some(node) = waiting.pop_front() {
                for &(child, edge) in &below[node] {
                    let at = (child - first) as usize;
                    if !is_reached[at] {
                        is_reached[at] = true;
                        self.nodes[child as usize].via = edge;
                        waiting.push_back(at);
                    }
                }
            }
        }
    }
}

/// Live allocations of all devices, from the totals.
fn live_allocations() -> usize {
    registry::devices().iter().chain([&registry::host()]).map(|device| device.accounts().all().count as usize).sum()
}

/// Nodes to expand, in the order they were reached.
#[derive(Default)]
struct Walk {
    typed: VecDeque<NodeId>,
    untyped: VecDeque<NodeId>,
    without: Without,
}

/// Whether a value can keep others alive or is memory itself; numbers and texts cannot.
fn can_hold(value: &Value) -> bool {
    match value {
        Value::Unset
        | Value::None
        | Value::NotImplemented
        | Value::Ellipsis
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Big(_)
        | Value::Complex(_)
        | Value::Str(_)
        | Value::Bytes(_)
        | Value::ByteArray(_)
        | Value::Range(_)
        | Value::Scalar(_)
        | Value::Native(_) => false,
        Value::Class(class) => class.is_user_defined,
        Value::List(_)
        | Value::Tuple(_)
        | Value::Dict(_)
        | Value::Set(_)
        | Value::Slice(_)
        | Value::Function(_)
        | Value::Method(_)
        | Value::Instance(_)
        | Value::Exception(_)
        | Value::Generator(_)
        | Value::Module(_)
        | Value::Iterator(_)
        | Value::Cell(_)
        | Value::Array(_)
        | Value::Object(_) => true,
    }
}

/// Whether a step can be typed after the path of the object it starts from.
fn edge_has_expression(from: &Value, edge: &Edge<'_>) -> bool {
    match edge {
        Edge::Global(name) => is_identifier(name.text()),
        Edge::Attribute(name) => {
            is_identifier(name.text())
                && matches!(from, Value::Instance(_) | Value::Class(_) | Value::Function(_) | Value::Exception(_))
        }
        Edge::Item(_) => match from {
            Value::List(_) | Value::Tuple(_) => true,
            // Of the library's containers only this one is asked by position; iterators have items nobody can name.
            Value::Object(object) => object.data().class().name.get().text() == "deque",
            _ => false,
        },
        Edge::Entry(key) => super::path::key_has_literal(key),
        Edge::Base => matches!(from, Value::Instance(_)),
        Edge::Bound => matches!(from, Value::Method(_)),
        Edge::ExceptionArgument(_) => true,
        Edge::Key
        | Edge::Captured(_)
        | Edge::Default(_)
        | Edge::Local(_)
        | Edge::Temporary
        | Edge::Callable
        | Edge::Argument(_)
        | Edge::Class
        | Edge::BaseClass(_)
        | Edge::Iterated
        | Edge::Cause
        | Edge::Contents
        | Edge::Other(_) => false,
    }
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_')
}
