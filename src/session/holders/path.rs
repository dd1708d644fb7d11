//! Steps as text: the path a person reads and, where there is one, the expression a person can type.

use super::graph::{EdgeSeen, Graph, NOWHERE, NodeId};
use super::roots::{RootKind, Step};
use crate::lang::name::Name;
use crate::lang::value::Value;

/// Longest key shown in a path.
const KEY_CHARS_MAX: usize = 40;

/// Whether a key can be written back as a literal that finds the same entry.
pub(super) fn key_has_literal(key: &Value) -> bool {
    match key {
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Ellipsis => true,
        Value::Float(number) => number.is_finite(),
        Value::Str(text) => text.as_str().chars().count() <= 200,
        Value::Tuple(items) => items.items().iter().all(key_has_literal),
        _ => false,
    }
}

/// A key as a literal; anything without one is named by its type.
pub(super) fn key_text(key: &Value) -> String {
    match key {
        Value::None => "None".to_owned(),
        Value::Ellipsis => "...".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Str(text) => quoted(text.as_str()),
        Value::Tuple(items) => match items.items() {
            [only] => format!("({},)", key_text(only)),
            items => format!("({})", items.iter().map(key_text).collect::<Vec<_>>().join(", ")),
        },
        other => format!("<{}>", other.type_name()),
    }
}

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Whether the compiler gave the name, not the program: `.0` is what a comprehension walks.
fn is_hidden(name: Name) -> bool {
    name.text().starts_with('.')
}

impl Graph {
    /// The shortest path to a node, as a person reads it.
    pub(super) fn path(&self, node: NodeId) -> String {
        self.path_along(self.via(node))
    }

    /// The path that ends with this edge.
    pub(super) fn path_along(&self, edge: &EdgeSeen) -> String {
        let mut steps = vec![edge];
        while let Some(last) = steps.last()
            && last.from != NOWHERE
        {
            steps.push(self.via(last.from));
        }
        let mut text = String::new();
        for edge in steps.iter().rev() {
            self.append(edge, &mut text);
        }
        text
    }

    /// Adds one step to a path.
    pub(super) fn append(&self, edge: &EdgeSeen, text: &mut String) {
        if edge.from == NOWHERE {
            text.push_str(&self.beginning(edge));
            return;
        }
        match &self.step(edge) {
            // The names of the session begin a path; those of another module follow its name.
            Step::Global(name) if text.is_empty() => text.push_str(name.text()),
            Step::Global(name) | Step::Attribute(name) => {
                text.push('.');
                text.push_str(name.text());
            }
            Step::Item(index) => text.push_str(&format!("[{index}]")),
            Step::Entry(key) => {
                let mut key = key_text(key);
                if key.chars().count() > KEY_CHARS_MAX {
                    key = key.chars().take(KEY_CHARS_MAX).collect::<String>() + "…";
                }
                text.push_str(&format!("[{key}]"));
            }
            Step::OddEntry(key) => text.push_str(&format!("[{key}]")),
            Step::Key => text.push_str(match self.node(edge.from).value {
                Value::Set(_) => ".<element>",
                _ => ".<key>",
            }),
            Step::Captured(name) => text.push_str(&format!(".<closure>.{name}", name = name.text())),
            Step::Default(name) => text.push_str(&format!(".<default>.{name}", name = name.text())),
            // A frame that an error keeps; the step before has said so.
            Step::Local(name) if matches!(self.node(edge.from).value, Value::Object(_)) => {
                text.push('.');
                text.push_str(name.text());
            }
            // What a generator expression walks has no name that a person gave: it is the generator's.
            Step::Local(name) if is_hidden(*name) => text.push_str(".<generator>"),
            Step::Local(name) => text.push_str(&format!(".<generator>.{name}", name = name.text())),
            Step::Iterated if text.ends_with(".<generator>") => {}
            Step::Temporary => text.push_str(".<temporary>"),
            // A subclass of a built-in type shows as the value it carries; a closure's box as its contents.
            Step::Base if matches!(self.node(edge.from).value, Value::Instance(_)) => {}
            Step::Contents | Step::Root => {}
            Step::Base => text.push_str(".<base>"),
            Step::Bound => text.push_str(".__self__"),
            Step::Callable => text.push_str(".<function>"),
            Step::Argument(index) => text.push_str(&format!(".<argument {index}>")),
            Step::Class => text.push_str(".<class>"),
            Step::BaseClass => text.push_str(".<base class>"),
            Step::Iterated => text.push_str(".<iterated>"),
            Step::Cause => text.push_str(".__context__"),
            Step::ExceptionArgument(index) => text.push_str(&format!(".args[{index}]")),
            Step::Other(word) => text.push_str(&format!(".<{word}>")),
        }
    }

    fn beginning(&self, edge: &EdgeSeen) -> String {
        match self.root(edge) {
            Some(RootKind::Names) => String::new(),
            Some(RootKind::Outputs) => "Out".to_owned(),
            Some(RootKind::Inputs) => "In".to_owned(),
            Some(RootKind::Module(name)) => name.text().to_owned(),
            Some(RootKind::Error) => "<last error>".to_owned(),
            Some(RootKind::Frame { code, .. }) => match &self.step(edge) {
                Step::Local(name) if is_hidden(*name) => format!("{}.<frame>.<walked>", code.text()),
                Step::Local(name) => format!("{}.<frame>.{}", code.text(), name.text()),
                _ => format!("{}.<frame>.<value>", code.text()),
            },
            Some(RootKind::Runtime(what)) => format!("<{what}>"),
            None => self.cycle_name(edge.to),
        }
    }

    /// A cycle by the kind of one value in it.
    pub(super) fn cycle_name(&self, node: NodeId) -> String {
        format!("<cycle of {}>", self.node(node).value.type_name())
    }

    /// The expression that a person can type for a node, where there is one; `None` for paths that only explain.
    pub(super) fn expression(&self, node: NodeId) -> Option<String> {
        if !self.node(node).has_expression {
            return None;
        }
        let edge = self.via(node);
        let mut steps = vec![edge];
        while let Some(last) = steps.last()
            && last.from != NOWHERE
        {
            steps.push(self.via(last.from));
        }
        let mut text = String::new();
        for edge in steps.iter().rev() {
            match &self.step(edge) {
                // Paths cut long keys for reading; an expression keeps them.
                Step::Entry(key) if edge.from != NOWHERE => text.push_str(&format!("[{}]", key_text(key))),
                _ => self.append(edge, &mut text),
            }
        }
        Some(text)
    }

    /// The module that an expression needs imported first, for paths that start in a module without a name in the session.
    pub(super) fn module_of(&self, node: NodeId) -> Option<&'static str> {
        let mut edge = self.via(node);
        while edge.from != NOWHERE {
            edge = self.via(edge.from);
        }
        match self.root(edge) {
            Some(RootKind::Module(name)) => Some(name.text()),
            _ => None,
        }
    }
}
