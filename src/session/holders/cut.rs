//! The holders of an allocation: the edges that a statement can remove, such that without all of them it is free.
//!
//! From each array on the allocation the search goes back through what cannot be changed (tuples, closures, generators,
//! iterators) to edges that can: a name, an item of a list, an entry of a dict, an attribute. Those are the holders.

use std::cmp::Ordering;
use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};

use super::graph::{EdgeId, EdgeSeen, Graph, NOWHERE, NodeId};
use super::path::key_text;
use super::release::foretell_in;
use super::roots::{RootKind, Step};
use crate::lang::value::Value;

/// What sort of thing holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HolderKind {
    /// A name of the session.
    Name,
    /// An entry of `Out`.
    Output,
    /// A list, tuple, dict, set, deque or iterator.
    Container,
    /// A closure, default, partial or bound method.
    Closure,
    /// An attribute of an instance or class.
    Instance,
    /// A suspended generator.
    Generator,
    /// A running activation.
    Frame,
    /// An exception.
    Error,
    /// A module.
    Module,
    /// A raw memory object.
    Usm,
    /// A variable of a Rust cell.
    Rust,
    /// Work that a device has not finished.
    Queued,
    /// The engine itself.
    Runtime,
    /// A cycle that waits for the collector.
    Cycle,
}

impl HolderKind {
    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Output => "output",
            Self::Container => "container",
            Self::Closure => "closure",
            Self::Instance => "instance",
            Self::Generator => "generator",
            Self::Frame => "frame",
            Self::Error => "error",
            Self::Module => "module",
            Self::Usm => "usm",
            Self::Rust => "rust",
            Self::Queued => "queued",
            Self::Runtime => "runtime",
            Self::Cycle => "cycle",
        }
    }
}

/// One holder of an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Where it is: `results[2]`, `fit.<closure>.buf`.
    pub path: String,
    /// What it is.
    pub kind: HolderKind,
    /// What to type to let go: a statement or a magic; nothing where only time helps.
    pub let_go: Option<String>,
    /// Bytes it looks at, when that is less than the allocation.
    pub view_bytes: Option<u64>,
    /// What there is to know besides: `captured by fit (defined in cell 4)`.
    pub chain: Vec<String>,
    /// Bytes that go when this holder alone lets go, other allocations included; where that was asked for.
    pub frees: Option<u64>,
    /// Where it stands among the things to let go of one after the other.
    pub turn: Turn,
}

/// When a holder is let go of: deeper and higher items first, so that no deletion moves what a later one names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn(Vec<Rank>);

impl Turn {
    /// Whether this comes before another.
    pub fn order(&self, other: &Self) -> Ordering {
        // What only the collector takes apart has no place of its own and comes last.
        other.0.is_empty().cmp(&self.0.is_empty()).reverse().then_with(|| compare(&self.0, &other.0).reverse())
    }
}

/// A holder before its text is made.
struct Cut {
    /// The edge to remove.
    edge: EdgeId,
    /// The way from that edge's target down to the array, the last edge first; empty when the edge leads to the array.
    below: Vec<EdgeId>,
    handle: NodeId,
    bytes_seen: Option<u64>,
}

impl Graph {
    /// The holders of an allocation of `bytes`, in an order in which their `let_go`s can be run one after the other.
    pub fn holders(&self, allocation: u64, bytes: u64) -> Vec<Holder> {
        self.holders_asked(allocation, bytes, false)
    }

    /// The same with what letting go of each alone frees.
    pub fn holders_in_full(&self, allocation: u64, bytes: u64) -> Vec<Holder> {
        self.holders_asked(allocation, bytes, true)
    }

    fn holders_asked(&self, allocation: u64, bytes: u64, in_full: bool) -> Vec<Holder> {
        let (cuts, cycle) = self.cuts(allocation);
        let mut cuts: Vec<(Vec<Rank>, Cut)> = cuts.into_iter().map(|cut| (self.rank(&cut), cut)).collect();
        // Deeper and higher first: `del a[1][2]` before `del a[1]` before `del a[0]`.
        cuts.sort_by(|(a, _), (b, _)| compare(a, b).reverse());
        let mut holders: Vec<Holder> = cuts.iter().map(|(_, cut)| self.holder(cut, bytes)).collect();
        if in_full {
            for (holder, (_, cut)) in holders.iter_mut().zip(&cuts) {
                holder.frees = Some(self.frees(cut));
            }
        }
        for (holder, (turn, _)) in holders.iter_mut().zip(cuts) {
            holder.turn = Turn(turn);
        }
        if let Some(node) = cycle
            && !holders.iter().any(|holder| holder.kind == HolderKind::Cycle)
        {
            // Letting go of the rest leaves a cycle, which only the collector takes apart.
            holders.push(Holder {
                path: self.cycle_name(node),
                kind: HolderKind::Cycle,
                let_go: Some(COLLECT.to_owned()),
                view_bytes: None,
                chain: Vec::new(),
                frees: in_full.then_some(0),
                turn: Turn::default(),
            });
        }
        let is_alone = holders.is_empty() && self.outside_of(allocation).count() == 1;
        holders.extend(self.outside_of(allocation).map(|outside| Holder {
            path: outside.path.clone(),
            kind: outside.kind,
            let_go: outside.let_go.clone(),
            view_bytes: None,
            chain: Vec::new(),
            frees: in_full.then_some(if is_alone { bytes } else { 0 }),
            turn: Turn::default(),
        }));
        holders
    }

    /// Bytes that go when a cut's edge alone goes, by the counts of the heap.
    fn frees(&self, cut: &Cut) -> u64 {
        foretell_in(self.released(self.edge(cut.edge)), Vec::new(), Some(self)).bytes
    }

    /// The references that go when the holder of an allocation at this path lets go; none where only a collection helps.
    pub fn released_by(&self, allocation: u64, path: &str) -> Vec<Value> {
        let (cuts, _) = self.cuts(allocation);
        let Some(cut) = cuts.iter().find(|cut| self.path_of(cut) == path) else { return Vec::new() };
        let edge = self.edge(cut.edge);
        if edge.from == NOWHERE {
            return Vec::new();
        }
        self.released(edge)
    }

    fn released(&self, edge: &EdgeSeen) -> Vec<Value> {
        if !matches!(self.step(edge), Step::Key) {
            return vec![self.node(edge.to).value.clone()];
        }
        // Clearing the container is what lets go.
        let mut all = Vec::new();
        self.node(edge.from).value.visit_children(&mut |_, child| all.push(child.clone()));
        all
    }

    fn cuts(&self, allocation: u64) -> (Vec<Cut>, Option<NodeId>) {
        let mut cuts: Vec<Cut> = Vec::new();
        let mut taken: HashSet<EdgeId> = HashSet::new();
        // The edge by which each node was left downwards; its keys are the nodes that cannot be changed.
        let mut below: HashMap<NodeId, Vec<EdgeId>> = HashMap::new();
        let mut waiting = VecDeque::new();
        for handle in self.handles(allocation) {
            below.insert(handle.node, Vec::new());
            waiting.push_back((handle.node, *handle));
        }
        let mut inner: Vec<(NodeId, NodeId)> = Vec::new();
        while let Some((node, handle)) = waiting.pop_front() {
            let way = below.get(&node).cloned().unwrap_or_default();
            for &index in self.incoming(node) {
                let edge = self.edge(index);
                if self.can_cut(edge) {
                    if taken.insert(index) {
                        let cut =
                            Cut { edge: index, below: way.clone(), handle: handle.node, bytes_seen: handle.bytes_seen };
                        cuts.push(cut);
                    }
                } else {
                    inner.push((edge.from, node));
                    if !below.contains_key(&edge.from) {
                        let mut longer = vec![index];
                        longer.splice(0..0, way.iter().copied());
                        below.insert(edge.from, longer);
                        waiting.push_back((edge.from, handle));
                    }
                }
            }
        }
        (cuts, on_cycle(&inner))
    }

    /// Whether a statement can remove just this edge (or, from a root, whether nothing lies above it).
    pub(super) fn can_cut(&self, edge: &EdgeSeen) -> bool {
        if edge.from == NOWHERE {
            return true;
        }
        let from = self.node(edge.from);
        if !from.has_expression {
            return false;
        }
        match (&from.value, &self.step(edge)) {
            (Value::Module(_), Step::Global(_))
            | (Value::List(_), Step::Item(_))
            | (Value::Instance(_) | Value::Class(_) | Value::Function(_), Step::Attribute(_)) => true,
            (Value::Object(object), Step::Item(_)) => object.data().class().name.get().text() == "deque",
            (Value::Object(_), Step::Other(CACHED)) => true,
            (Value::Dict(_), Step::Entry(_) | Step::Key) => true,
            (Value::Set(set), Step::Key) => !set.frozen,
            _ => false,
        }
    }

    fn holder(&self, cut: &Cut, bytes: u64) -> Holder {
        let edge = self.edge(cut.edge);
        let path = self.path_of(cut);
        let last = cut.below.first().map_or(edge, |&below| self.edge(below));
        let kind = self.kind(cut, edge, last);
        let view_bytes = cut.bytes_seen.filter(|seen| *seen < bytes);
        Holder {
            path,
            kind,
            let_go: self.let_go(edge, kind),
            view_bytes,
            chain: self.chain(cut),
            frees: None,
            turn: Turn::default(),
        }
    }

    /// Where a holder is, as a person reads it.
    fn path_of(&self, cut: &Cut) -> String {
        let mut path = self.path_along(self.edge(cut.edge));
        for &below in cut.below.iter().rev() {
            self.append(self.edge(below), &mut path);
        }
        path
    }

    fn kind(&self, cut: &Cut, edge: &EdgeSeen, last: &EdgeSeen) -> HolderKind {
        if matches!(self.node(cut.handle).value, Value::Object(_)) && edge.from != NOWHERE {
            return HolderKind::Usm;
        }
        if edge.from == NOWHERE {
            return match self.root(edge) {
                Some(RootKind::Frame { .. }) => HolderKind::Frame,
                Some(RootKind::Error) => HolderKind::Error,
                Some(RootKind::Module(_)) => HolderKind::Module,
                Some(RootKind::Names) => HolderKind::Name,
                Some(RootKind::Outputs) => HolderKind::Output,
                Some(RootKind::Inputs) => HolderKind::Container,
                Some(RootKind::Runtime(_)) => HolderKind::Runtime,
                None => HolderKind::Cycle,
            };
        }
        let source = self.node(last.from);
        match &self.step(last) {
            Step::Captured(_)
            | Step::Default(_)
            | Step::Bound
            | Step::Callable
            | Step::Argument(_)
            | Step::Contents => HolderKind::Closure,
            Step::Local(_) if matches!(source.value, Value::Object(_)) => HolderKind::Error,
            Step::Local(_) | Step::Temporary => HolderKind::Generator,
            Step::Cause | Step::ExceptionArgument(_) => HolderKind::Error,
            Step::Attribute(_) => match source.value {
                Value::Exception(_) => HolderKind::Error,
                Value::Function(_) => HolderKind::Closure,
                _ => HolderKind::Instance,
            },
            Step::Class | Step::BaseClass => HolderKind::Instance,
            Step::Global(_) => match self.root_at(source.via) {
                Some(RootKind::Names) => HolderKind::Name,
                _ => HolderKind::Module,
            },
            Step::Entry(_) if self.is_outputs(last.from) => HolderKind::Output,
            Step::Item(_)
            | Step::Entry(_)
            | Step::OddEntry(_)
            | Step::Key
            | Step::Iterated
            | Step::Base
            | Step::Other(_)
            | Step::Root => HolderKind::Container,
        }
    }

    fn is_outputs(&self, node: NodeId) -> bool {
        self.root_at(self.node(node).via) == Some(RootKind::Outputs)
    }

    pub(super) fn let_go(&self, edge: &EdgeSeen, kind: HolderKind) -> Option<String> {
        if edge.from == NOWHERE {
            return match (kind, self.root(edge)) {
                (HolderKind::Cycle, _) => Some(COLLECT.to_owned()),
                (_, Some(RootKind::Error)) => Some("%free error".to_owned()),
                _ => None,
            };
        }
        let owner = self.expression(edge.from)?;
        let statement = match &self.step(edge) {
            Step::Global(name) if owner.is_empty() => format!("del {}", name.text()),
            Step::Global(name) | Step::Attribute(name) => format!("del {owner}.{}", name.text()),
            Step::Entry(key) if self.is_outputs(edge.from) => format!("%free Out[{}]", key_text(key)),
            // A statement: the value of `pop(2)` would only become an output.
            Step::Item(index) => format!("del {owner}[{index}]"),
            Step::Entry(key) => format!("del {owner}[{}]", key_text(key)),
            Step::Key => format!("{owner}.clear()"),
            // The function stays, without what it remembers.
            Step::Other(CACHED) => format!("{owner}.cache_clear()"),
            _ => return None,
        };
        Some(match self.module_of(edge.from) {
            Some(module) => format!("import {module}; {statement}"),
            None => statement,
        })
    }

    /// The way from the array to the root in words, nearest first.
    fn chain(&self, cut: &Cut) -> Vec<String> {
        let mut edges = cut.below.clone();
        edges.push(cut.edge);
        let mut from = self.edge(cut.edge).from;
        while from != NOWHERE {
            let via = self.node(from).via;
            edges.push(via);
            from = self.edge(via).from;
        }
        edges.iter().filter_map(|&edge| self.link(self.edge(edge))).collect()
    }

    fn link(&self, edge: &EdgeSeen) -> Option<String> {
        if edge.from == NOWHERE {
            return match self.root(edge) {
                Some(RootKind::Names | RootKind::Outputs | RootKind::Inputs | RootKind::Module(_)) => None,
                _ => Some(self.path_along(edge)),
            };
        }
        let source = self.node(edge.from);
        let what = |value: &Value| match value {
            Value::Function(function) => format!(
                "{}{}",
                function.name.borrow(),
                function.code.source.cell.map_or(String::new(), |cell| format!(" (defined in cell {cell})"))
            ),
            Value::Class(class) => format!("class {}", class.name.get().text()),
            other => other.type_name().to_owned(),
        };
        Some(match &self.step(edge) {
            Step::Contents | Step::Root => return None,
            Step::Global(name) => match self.root_at(source.via) {
                Some(RootKind::Names) => format!("name {}", name.text()),
                _ => format!("name {} of module {}", name.text(), self.path(edge.from)),
            },
            Step::Entry(key) if self.is_outputs(edge.from) => format!("Out[{}]", key_text(key)),
            Step::Item(index) => format!("element {index} of {}", what(&source.value)),
            Step::Entry(key) => format!("entry {} of {}", key_text(key), what(&source.value)),
            Step::OddEntry(key) => format!("entry {key} of {}", what(&source.value)),
            Step::Key => format!("a key or element of {}", what(&source.value)),
            Step::Attribute(name) => format!("attribute {} of {}", name.text(), what(&source.value)),
            Step::Captured(name) => format!("{}, captured by {}", name.text(), what(&source.value)),
            Step::Default(name) => format!("{}, a default of {}", name.text(), what(&source.value)),
            Step::Local(name) if name.text().starts_with('.') => format!("what {} walks", what(&source.value)),
            Step::Local(name) => format!("{}, a local of {}", name.text(), what(&source.value)),
            Step::Temporary => format!("a value computed in {}", what(&source.value)),
            Step::Base if matches!(source.value, Value::Instance(_)) => return None,
            Step::Base => format!("base of {}", what(&source.value)),
            Step::Bound => "bound to a method".to_owned(),
            Step::Callable => format!("the function of {}", what(&source.value)),
            Step::Argument(index) => format!("argument {index} of {}", what(&source.value)),
            Step::Class => format!("the class of {}", what(&source.value)),
            Step::BaseClass => format!("a base of {}", what(&source.value)),
            Step::Iterated => format!("walked by {}", what(&source.value)),
            Step::Cause => format!("context of {}", what(&source.value)),
            Step::ExceptionArgument(index) => format!("argument {index} of {}", what(&source.value)),
            Step::Other(word) => format!("{word} of {}", what(&source.value)),
        })
    }

    /// The path of a cut's owner as something that sorts.
    fn rank(&self, cut: &Cut) -> Vec<Rank> {
        let mut ranks = Vec::new();
        let mut edge = self.edge(cut.edge);
        loop {
            ranks.push(match &self.step(edge) {
                Step::Item(index) => Rank::Index(*index as i64),
                Step::Entry(Value::Int(index)) => Rank::Index(*index),
                Step::Global(name) | Step::Attribute(name) => Rank::Text(name.text().to_owned()),
                Step::Entry(key) => Rank::Text(key_text(key)),
                _ => Rank::Text(String::new()),
            });
            if edge.from == NOWHERE {
                break;
            }
            edge = self.via(edge.from);
        }
        ranks.reverse();
        ranks
    }
}

/// How a cache holds what its function gave.
const CACHED: &str = "cached results";

/// Breaks cycles; `gc` need not be a name of the session.
pub(super) const COLLECT: &str = "import gc; gc.collect()";

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rank {
    Index(i64),
    Text(String),
}

fn compare(a: &[Rank], b: &[Rank]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = match (a, b) {
            (Rank::Index(a), Rank::Index(b)) => a.cmp(b),
            // Names in reverse, because the whole order is reversed and names read better from a to z.
            (Rank::Text(a), Rank::Text(b)) => b.cmp(a),
            (Rank::Index(_), Rank::Text(_)) => Ordering::Less,
            (Rank::Text(_), Rank::Index(_)) => Ordering::Greater,
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// A node of a cycle that edges form which no statement can remove; for the same edges always the same.
fn on_cycle(edges: &[(NodeId, NodeId)]) -> Option<NodeId> {
    let mut below: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for &(from, to) in edges {
        below.entry(from).or_default().push(to);
    }
    let mut state: HashMap<NodeId, bool> = HashMap::new();
    for &(start, _) in edges {
        if state.contains_key(&start) {
            continue;
        }
        let mut stack = vec![(start, 0usize)];
        state.insert(start, false);
        while let Some((node, next)) = stack.last_mut() {
            let child = below.get(node).and_then(|children| children.get(*next)).copied();
            *next += 1;
            match child {
                Some(child) => match state.get(&child) {
                    Some(false) => return Some(child),
                    Some(true) => {}
                    None => {
                        state.insert(child, false);
                        stack.push((child, 0));
                    }
                },
                None => {
                    state.insert(*node, true);
                    stack.pop();
                }
            }
        }
    }
    None
}
