//! The walk: every object reachable from the session's roots, once, with the shortest path to it.
//!
//! Paths that a person can type are preferred: the walk first follows edges that have an expression (`a`, `d['k']`,
//! `model.weights[0]`) and then the others (closures, generators, iterators). While it runs, an object's mark is its node,
//! so that nothing is looked up; no text is built. Each object that was found is kept alive, once.

use std::collections::VecDeque;

use super::graph::{EdgeId, EdgeSeen, Graph, Handle, NO_EDGE, NOWHERE, Node, NodeId};
use super::memory::visit_buffers;
use super::path::key_has_literal;
use super::roots::{RootKind, Roots, Step, Without};
use crate::arrays::registry;
use crate::lang::heap;
use crate::lang::value::{Edge, Value};

/// How many objects ahead of the one being looked at are fetched.
const PREFETCHED: usize = 8;

/// How many of a list's items are fetched ahead: with each of them there is less to do.
const ITEMS_PREFETCHED: usize = 32;

/// A walk that goes on. Whatever ends it takes the marks back, since the collector counts on there being none.
#[derive(Default)]
struct Walk {
    graph: Graph,
    /// Nodes to expand, in the order they were reached: along paths that can be typed, and along others.
    typed: VecDeque<NodeId>,
    untyped: VecDeque<NodeId>,
    without: Without,
}

impl Drop for Walk {
    fn drop(&mut self) {
        for node in &self.graph.nodes {
            node.value.set_mark(0);
        }
    }
}

impl Graph {
    /// Walks from the roots, then over what no root reaches: cycles that wait for the collector.
    pub fn walk(roots: Roots) -> Self {
        let mut walk = Walk::default();
        walk.without = roots.without;
        walk.graph.hold_outside(roots.outside, roots.memory);
        walk.reserve();
        // A module is best reached by the name the session gave it, so those of no name come second.
        let (modules, others): (Vec<_>, Vec<_>) =
            roots.list.into_iter().partition(|(kind, ..)| matches!(kind, RootKind::Module(_)));
        for (kind, step, value) in others {
            if kind == RootKind::Error && walk.without.error {
                continue;
            }
            walk.begin(kind, step, &value, matches!(kind, RootKind::Names | RootKind::Outputs | RootKind::Inputs));
        }
        walk.run_typed();
        for (kind, step, value) in modules {
            walk.begin(kind, step, &value, true);
        }
        walk.run();
        walk.walk_unreachable();
        walk.finish()
    }
}

impl Walk {
    /// Room for what there may be, so that a walk over much does not move what it has found again and again.
    fn reserve(&mut self) {
        let (objects, allocations) = (heap::container_count(), live_allocations());
        self.graph.nodes.reserve(objects + allocations);
        self.graph.edges.reserve(objects + allocations);
        self.graph.handles.reserve(allocations);
    }

    /// What was found, without the marks.
    fn finish(mut self) -> Graph {
        let Graph { nodes, handles, .. } = &mut self.graph;
        for (node, found) in nodes.iter().enumerate() {
            if let Some(later) = nodes.get(node + PREFETCHED) {
                later.value.prefetch();
            }
            found.value.set_mark(0);
            visit_buffers(&found.value, &mut |buffer, bytes_seen| {
                handles.push(Handle { allocation: buffer.id(), node: node as NodeId, bytes_seen });
            });
        }
        // Arrays are mostly met in the order they were made, which costs nothing to sort.
        handles.sort_by_key(|handle| handle.allocation);
        std::mem::take(&mut self.graph)
    }

    fn begin(&mut self, kind: RootKind, step: Step, value: &Value, has_expression: bool) {
        let place = self.graph.add_beginning(Some(kind), step);
        self.see(NOWHERE, place, value, has_expression);
    }

    fn run_typed(&mut self) {
        while let Some(from) = self.typed.pop_front() {
            self.fetch_ahead();
            self.expand(from);
        }
    }

    /// Whatever has an expression goes first, so that no longer path takes its place; nothing reached from a path without
    /// an expression has one, so no node is expanded twice.
    fn run(&mut self) {
        self.run_typed();
        while let Some(from) = self.untyped.pop_front() {
            if !self.graph.node(from).has_expression {
                self.expand(from);
            }
        }
    }

    /// Has what is expanded soon fetched, and of the pairs that come sooner what they hold.
    fn fetch_ahead(&self) {
        let later = |by: usize| self.typed.get(by).map(|&node| &self.graph.node(node).value);
        if let Some(value) = later(2 * PREFETCHED) {
            value.prefetch();
        }
        if let Some(Value::Tuple(tuple)) = later(PREFETCHED) {
            tuple.items().iter().take(2).for_each(Value::prefetch);
        }
    }

    fn expand(&mut self, from: NodeId) {
        let node = self.graph.node(from);
        let (value, is_typed) = (node.value.clone(), node.has_expression);
        // Only namespaces that a walk starts from have edges to leave out.
        let root = if self.without.is_nothing() { None } else { self.graph.root_at(node.via) };
        if let Value::List(list) = &value {
            return self.expand_items(from, &list.items.borrow(), is_typed);
        }
        let mut places = 0..;
        value.visit_children(&mut |edge, child| {
            let place = places.next().unwrap_or(u32::MAX);
            if can_hold(child) && !root.is_some_and(|root| self.without.leaves_out(root, &edge)) {
                self.see(from, place, child, is_typed && edge_has_expression(&value, &edge));
            }
        });
    }

    /// A list may have a million items that lie anywhere: those ahead are fetched while one is looked at.
    fn expand_items(&mut self, from: NodeId, items: &[Value], is_typed: bool) {
        for (place, child) in items.iter().enumerate() {
            if let Some(later) = items.get(place + ITEMS_PREFETCHED) {
                later.prefetch();
            }
            if can_hold(child) {
                self.see(from, u32::try_from(place).unwrap_or(u32::MAX), child, is_typed);
            }
        }
    }

    fn see(&mut self, from: NodeId, place: u32, value: &Value, has_expression: bool) {
        let Some(mark) = value.mark() else { return };
        let edge = self.graph.edges.len() as EdgeId;
        // Arrays lead nowhere.
        let leads_on = !matches!(value, Value::Array(_));
        let to = match node_of(mark) {
            None => {
                let node = self.add_node(value, edge, has_expression);
                if leads_on {
                    if has_expression { self.typed.push_back(node) } else { self.untyped.push_back(node) }
                }
                node
            }
            Some((known, is_typed)) => {
                // Seen first along a path that cannot be typed and not expanded yet: the better path replaces it.
                if has_expression && !is_typed {
                    let node = &mut self.graph.nodes[known as usize];
                    node.has_expression = true;
                    node.via = edge;
                    value.set_mark(mark_of(known, true));
                    if leads_on {
                        self.typed.push_back(known);
                    }
                }
                known
            }
        };
        self.graph.edges.push(EdgeSeen { from, to, place });
    }

    fn add_node(&mut self, value: &Value, via: EdgeId, has_expression: bool) -> NodeId {
        let node = self.graph.nodes.len() as NodeId;
        value.set_mark(mark_of(node, has_expression));
        self.graph.nodes.push(Node { value: value.clone(), via, has_expression });
        node
    }

    /// Adds what no root reaches. Each part of it gets one beginning: an object that nothing else leads to, which the engine
    /// itself must be holding, or some member of a cycle.
    fn walk_unreachable(&mut self) {
        let (first_node, first_edge) = (self.graph.nodes.len(), self.graph.edges.len());
        for object in heap::containers_without_mark() {
            let value = object.value();
            if can_hold(&value) && !matches!(value, Value::Module(_)) {
                self.add_node(&value, NO_EDGE, false);
            }
        }
        let mut at = first_node;
        while at < self.graph.nodes.len() {
            self.expand(at as NodeId);
            at += 1;
        }
        self.give_beginnings(first_node as NodeId, first_edge);
    }

    /// Gives nodes from `first` on a way from nowhere; only edges from `first_edge` on lead from them. Visiting them in the
    /// reverse order in which a depth-first search leaves them makes every beginning a member of a component that no other
    /// leads to.
    fn give_beginnings(&mut self, first: NodeId, first_edge: usize) {
        let count = self.graph.nodes.len() - first as usize;
        let mut below: Vec<Vec<(NodeId, EdgeId)>> = vec![Vec::new(); count];
        let mut has_above = vec![false; count];
        for (index, edge) in self.graph.edges.iter().enumerate().skip(first_edge) {
            if edge.to >= first {
                below[(edge.from - first) as usize].push((edge.to, index as EdgeId));
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
            let place = self.graph.add_beginning(root, Step::Root);
            self.graph.nodes[node as usize].via = self.graph.edges.len() as EdgeId;
            let value = self.graph.node(node).value.clone();
            self.see(NOWHERE, place, &value, false);
            let mut waiting = VecDeque::from([start]);
            while let Some(node) = waiting.pop_front() {
                for &(child, edge) in &below[node] {
                    let at = (child - first) as usize;
                    if !is_reached[at] {
                        is_reached[at] = true;
                        self.graph.nodes[child as usize].via = edge;
                        waiting.push_back(at);
                    }
                }
            }
        }
    }
}

/// The mark of an object that is a node: its number, and whether the whole path to it can be typed. Never zero.
fn mark_of(node: NodeId, has_expression: bool) -> u32 {
    (node + 1) << 1 | u32::from(has_expression)
}

/// The node that a mark stands for.
fn node_of(mark: u32) -> Option<(NodeId, bool)> {
    Some(((mark >> 1).checked_sub(1)?, mark & 1 == 1))
}

/// Live allocations of all devices, from the totals.
fn live_allocations() -> usize {
    registry::devices().iter().chain([&registry::host()]).map(|device| device.accounts().all().count as usize).sum()
}

/// Whether a value can keep others alive or is memory itself; numbers and texts cannot.
pub(super) fn can_hold(value: &Value) -> bool {
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
        Edge::Entry(key) => key_has_literal(key),
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
