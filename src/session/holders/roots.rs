//! Where walks begin: the session's own roots, and the trait through which anything outside the language says what it holds.

use std::sync::Arc;

use super::cut::HolderKind;
use super::path::{key_has_literal, key_text};
use crate::arrays::{Buffer, registry};
use crate::lang::name::Name;
use crate::lang::value::{Edge, Value};

/// Something outside the language that holds memory: Rust variables, queued work, a front end's own arrays.
///
/// It is asked at every walk, on the evaluator's thread, and runs no code of the program.
pub trait Root {
    /// Calls `visit` with everything held now.
    fn visit(&self, visit: &mut dyn FnMut(Hold<'_>));
}

/// One thing that a [`Root`] holds.
#[derive(Debug)]
pub struct Hold<'a> {
    /// How people read it: `rust: v`, `queued work on sim:gpu:0`.
    pub path: String,
    /// What it is.
    pub kind: HolderKind,
    /// What to type to let go; nothing where only time helps.
    pub let_go: Option<String>,
    /// What is held.
    pub held: Held<'a>,
}

/// What memory is held from outside.
#[derive(Clone, Copy, Debug)]
pub enum Held<'a> {
    /// The buffer itself.
    Buffer(&'a Arc<Buffer>),
    /// An allocation by its number, where the holder knows no more.
    Allocation(u64),
}

/// Work that devices have not finished: each step keeps the memory it reads and writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueuedWork;

impl Root for QueuedWork {
    fn visit(&self, visit: &mut dyn FnMut(Hold<'_>)) {
        for (queue, _, ids) in registry::queued_holds() {
            for id in &ids {
                visit(Hold {
                    path: format!("queued work on {}", queue.device().ledger_name()),
                    kind: HolderKind::Queued,
                    // Waiting is what lets go of it; the values it feeds stay.
                    let_go: Some("import cellhold; cellhold.synchronize()".to_owned()),
                    held: Held::Allocation(*id),
                });
            }
        }
    }
}

/// Something values hang from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootKind {
    /// The names of the session: the module that cells run in.
    Names,
    /// `Out`.
    Outputs,
    /// `In`, where a program put more than texts into it.
    Inputs,
    /// A running activation, outermost 0.
    Frame {
        /// Which one.
        index: usize,
        /// The name of its code.
        code: Name,
    },
    /// The exception kept by `%errors keep-frames`, or being handled now.
    Error,
    /// An imported module.
    Module(Name),
    /// The engine itself: values it computes with at this moment.
    Runtime(&'static str),
}

/// A list of roots, in the order of preference for equally short paths.
#[derive(Debug, Default)]
pub struct Roots {
    /// Each root's kind, how it holds the value, and the value.
    pub(super) list: Vec<(RootKind, Step, Value)>,
    /// What the roots outside the language named.
    pub(super) outside: Vec<Outside>,
    /// Memory that is held from outside directly: its number and the place in `outside`.
    pub(super) memory: Vec<(u64, usize)>,
    /// What the walk leaves out.
    pub(super) without: Without,
}

/// References that a walk does not follow, to see what would hold without them.
#[derive(Clone, Debug, Default)]
pub struct Without {
    /// Names of the session.
    pub names: Vec<Name>,
    /// Numbers of outputs.
    pub outputs: Vec<i64>,
    /// Whether the last error is left out.
    pub error: bool,
    /// Paths of what holds from outside the language.
    pub outside: Vec<String>,
    /// Paths of holders that let go by themselves; the walk follows them, what names holders leaves them out.
    pub paths: Vec<String>,
}

impl Without {
    /// Whether an edge out of a namespace of this kind is left out.
    pub(super) fn leaves_out(&self, root: RootKind, edge: &Edge<'_>) -> bool {
        match (root, edge) {
            (RootKind::Names, Edge::Global(name)) => self.names.contains(name),
            (RootKind::Outputs, Edge::Entry(Value::Int(number))) => self.outputs.contains(number),
            _ => false,
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.names.is_empty() && self.outputs.is_empty() && !self.error && self.outside.is_empty()
    }
}

/// How people read something held from outside.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    pub(super) path: String,
    pub(super) kind: HolderKind,
    pub(super) let_go: Option<String>,
}

impl Roots {
    /// No roots yet, for a walk that leaves something out.
    pub fn without(without: Without) -> Self {
        Self { without, ..Self::default() }
    }

    /// Adds a value that is itself what the kind names: a module, `Out`.
    pub fn add(&mut self, kind: RootKind, value: Value) {
        self.list.push((kind, Step::Root, value));
    }

    /// Adds a value that the kind's thing holds along an edge: a frame's local.
    pub fn add_edge(&mut self, kind: RootKind, edge: Edge<'_>, value: Value) {
        self.list.push((kind, Step::from(edge), value));
    }

    /// Adds everything that something outside the language holds now.
    pub fn add_root(&mut self, root: &dyn Root) {
        root.visit(&mut |hold| {
            if self.without.outside.contains(&hold.path) {
                return;
            }
            let at = self.outside.len();
            self.outside.push(Outside { path: hold.path, kind: hold.kind, let_go: hold.let_go });
            match hold.held {
                Held::Buffer(buffer) => self.memory.push((buffer.id(), at)),
                Held::Allocation(id) => self.memory.push((id, at)),
            }
        });
    }
}

/// One step of a path: [`Edge`], which owns what it names. It keeps no object alive that could hold memory.
#[derive(Clone, Debug)]
pub enum Step {
    /// From nowhere: the object is what its root's kind names.
    Root,
    /// `[n]`
    Item(usize),
    /// `[key]`, the key such as can be typed
    Entry(Value),
    /// An entry under a key that no literal finds, by what is shown of it.
    OddEntry(String),
    /// A dict's key or a set's element.
    Key,
    /// `.name`
    Attribute(Name),
    /// A captured variable.
    Captured(Name),
    /// A parameter's default.
    Default(Name),
    /// A local of a generator or a frame.
    Local(Name),
    /// An intermediate of a frame.
    Temporary,
    /// What a wrapper wraps.
    Base,
    /// `__self__`
    Bound,
    /// The function of a method, partial or property.
    Callable,
    /// An argument kept by a partial.
    Argument(usize),
    /// An instance's class.
    Class,
    /// A base class.
    BaseClass,
    /// What an iterator walks.
    Iterated,
    /// `__cause__` or `__context__`
    Cause,
    /// `args[n]`
    ExceptionArgument(usize),
    /// The contents of a closure's box.
    Contents,
    /// A module's global.
    Global(Name),
    /// Anything else, by its word.
    Other(&'static str),
}

impl From<Edge<'_>> for Step {
    fn from(edge: Edge<'_>) -> Self {
        match edge {
            Edge::Item(index) => Self::Item(index),
            Edge::Entry(key) if key_has_literal(key) => Self::Entry(key.clone()),
            Edge::Entry(key) => Self::OddEntry(key_text(key)),
            Edge::Key => Self::Key,
            Edge::Attribute(name) => Self::Attribute(name),
            Edge::Captured(name) => Self::Captured(name),
            Edge::Default(name) => Self::Default(name),
            Edge::Local(name) => Self::Local(name),
            Edge::Temporary => Self::Temporary,
            Edge::Base => Self::Base,
            Edge::Bound => Self::Bound,
            Edge::Callable => Self::Callable,
            Edge::Argument(index) => Self::Argument(index),
            Edge::Class => Self::Class,
            Edge::BaseClass(_) => Self::BaseClass,
            Edge::Iterated => Self::Iterated,
            Edge::Cause => Self::Cause,
            Edge::ExceptionArgument(index) => Self::ExceptionArgument(index),
            Edge::Contents => Self::Contents,
            Edge::Global(name) => Self::Global(name),
            Edge::Other(word) => Self::Other(word),
        }
    }
}
