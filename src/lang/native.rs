//! Functions of the engine: how they are declared, how their arguments are bound, how they read them.
//!
//! A native function declares a Python signature as text (`"(self, sep=None, maxsplit=-1, /)"`). The machine binds a call's
//! arguments to it before the function runs, with Python's own error messages: slot `i` of [`Args`] is parameter `i`; a
//! parameter that was not given is unset; `*args` is a tuple and `**kwargs` a dict. The arguments stay on the machine's stack while
//! the function runs, so that a holder walk in the middle of any call is complete.

use std::fmt::Debug;
use std::rc::Rc;

use super::heap::Ref;
use super::name::Name;
use super::objects::{ClassRef, NativeFunction};
use super::raise::{self, Fallible};
use super::value::Value;
use super::vm::Vm;

/// The Rust side of a function of the engine.
pub type NativeFn = fn(&mut Vm, Args) -> Fallible<Value>;

/// How a parameter takes arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Before `/`
    PositionalOnly,
    /// Positional or keyword
    Either,
    /// `*args`
    VarPositional,
    /// After `*`
    KeywordOnly,
    /// `**kwargs`
    VarKeyword,
}

/// One parameter of a signature.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// How it takes arguments.
    pub kind: ParameterKind,
    /// Whether a call may leave it out.
    pub is_optional: bool,
}

/// Parameters of a native function, parsed from its text.
#[derive(Debug)]
pub struct Signature {
    /// The text between and with the parentheses, as help shows it.
    pub text: &'static str,
    /// The parameters, in order.
    pub parameters: Box<[Parameter]>,
    /// How many are positional (positional-only ones included).
    pub positional_count: usize,
    /// How many positional ones have no default.
    pub required_count: usize,
    /// Where `*args` goes.
    pub var_positional: Option<usize>,
    /// Where `**kwargs` goes.
    pub var_keyword: Option<usize>,
}

impl Signature {
    /// Parses a signature. Texts are written by us, so a malformed one is a bug and panics when the table is built (a test builds all).
    pub fn parse(text: &'static str) -> Self {
        let inner =
            text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).expect("a signature stands in parentheses");
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut after_star = false;
        for part in split_top_level(inner) {
            let part = part.trim();
            match part {
                "" => {}
                "/" => parameters.iter_mut().for_each(|p| p.kind = ParameterKind::PositionalOnly),
                "*" => after_star = true,
                _ => {
                    let (name, default) = match part.split_once('=') {
                        Some((name, default)) => (name.trim(), Some(default)),
                        None => (part, None),
                    };
                    let (name, kind) = if let Some(name) = name.strip_prefix("**") {
                        (name, ParameterKind::VarKeyword)
                    } else if let Some(name) = name.strip_prefix('*') {
                        after_star = true;
                        (name, ParameterKind::VarPositional)
                    } else if after_star {
                        (name, ParameterKind::KeywordOnly)
                    } else {
                        (name, ParameterKind::Either)
                    };
                    let is_optional =
                        default.is_some() || matches!(kind, ParameterKind::VarKeyword | ParameterKind::VarPositional);
                    parameters.push(Parameter { name: Name::new(name), kind, is_optional });
                }
            }
        }
        let is_positional = |p: &&Parameter| matches!(p.kind, ParameterKind::PositionalOnly | ParameterKind::Either);
        Self {
            text,
            positional_count: parameters.iter().filter(is_positional).count(),
            required_count: parameters.iter().filter(is_positional).filter(|p| !p.is_optional).count(),
            var_positional: parameters.iter().position(|p| p.kind == ParameterKind::VarPositional),
            var_keyword: parameters.iter().position(|p| p.kind == ParameterKind::VarKeyword),
            parameters: parameters.into(),
        }
    }
}

fn split_top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut quote) = (Vec::new(), 0, 0, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A function of the engine: name, signature, documentation, Rust function.
#[derive(Debug)]
pub struct Definition {
    /// `__name__`
    pub name: &'static str,
    /// Parameters.
    pub signature: Signature,
    /// `__doc__`, one or more sentences.
    pub doc: &'static str,
    /// What runs.
    pub function: NativeFn,
    /// A number handed through to the function, so that one Rust function can serve a table's rows.
    pub row: usize,
    /// How it binds when it stands in a class.
    pub binding: Binding,
    /// See [`Method::taking_pending`].
    pub takes_pending: bool,
    /// See [`Method::apart_from_arrays`].
    pub is_apart: bool,
}

/// How a native function behaves as a class attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A function or an ordinary method.
    Plain,
    /// `classmethod`
    Class,
    /// `staticmethod` (and `__new__`)
    Static,
    /// A read-only attribute computed by the function, `(self)`.
    Getter,
}

/// One line of a table of functions or methods.
#[derive(Clone, Copy)]
pub struct Method {
    /// `__name__`
    pub name: &'static str,
    /// `"(self, x, /)"`
    pub signature: &'static str,
    /// One or more sentences.
    pub doc: &'static str,
    /// What runs.
    pub function: NativeFn,
    /// See [`Definition::row`].
    pub row: usize,
    /// How it binds.
    pub binding: Binding,
    /// See [`Method::taking_pending`].
    pub takes_pending: bool,
    /// See [`Method::apart_from_arrays`].
    pub is_apart: bool,
}

/// A function or an ordinary method for a table.
pub const fn method(name: &'static str, signature: &'static str, doc: &'static str, function: NativeFn) -> Method {
    Method { name, signature, doc, function, row: 0, binding: Binding::Plain, takes_pending: false, is_apart: false }
}

/// A read-only attribute computed by a function, for a class's table.
pub const fn getter(name: &'static str, doc: &'static str, function: NativeFn) -> Method {
    Method {
        name,
        signature: "(self)",
        doc,
        function,
        row: 0,
        binding: Binding::Getter,
        takes_pending: false,
        is_apart: false,
    }
}

/// A static method for a class's table; `__new__` is one, its first parameter the class.
pub const fn static_method(
    name: &'static str,
    signature: &'static str,
    doc: &'static str,
    function: NativeFn,
) -> Method {
    Method { name, signature, doc, function, row: 0, binding: Binding::Static, takes_pending: false, is_apart: false }
}

/// A class method for a class's table.
pub const fn class_method(
    name: &'static str,
    signature: &'static str,
    doc: &'static str,
    function: NativeFn,
) -> Method {
    Method { name, signature, doc, function, row: 0, binding: Binding::Class, takes_pending: false, is_apart: false }
}

impl Method {
    /// The same line with a number for the function.
    pub const fn with_row(mut self, row: usize) -> Self {
        self.row = row;
        self
    }

    /// The same line for a function that makes an expression of its arrays: it runs no code of the program and writes no
    /// memory, so that arrays not computed yet stay so until the statement needs them.
    pub const fn taking_pending(mut self) -> Self {
        self.takes_pending = true;
        self
    }

    /// The same line for a function that itself touches no memory of arrays, so that the ledger need not know of its call.
    pub const fn apart_from_arrays(mut self) -> Self {
        self.is_apart = true;
        self
    }

    /// The function object of this line.
    pub fn build(&self, class: Option<ClassRef>, module: Option<Name>) -> Ref<NativeFunction> {
        let definition = Definition {
            name: self.name,
            signature: Signature::parse(self.signature),
            doc: self.doc,
            function: self.function,
            row: self.row,
            binding: self.binding,
            takes_pending: self.takes_pending,
            is_apart: self.is_apart,
        };
        Ref::new(NativeFunction { definition: Rc::new(definition), class, module })
    }
}

/// The bound arguments of a running native call: a window of the machine's stack, one slot a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Args {
    /// First slot on the machine's stack.
    pub(super) base: usize,
    /// Slots, as many as the signature has parameters.
    pub(super) count: usize,
    /// [`Definition::row`] of the called function.
    pub row: usize,
    /// [`Definition::name`] of the called function, for its errors.
    pub name: &'static str,
}

impl Args {
    /// How many slots there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// Parameter `index`; unset when it was not given.
    #[inline]
    pub fn get(self, vm: &Vm, index: usize) -> Value {
        debug_assert!(index < self.count, "a native function reads only its own parameters");
        vm.stack_value(self.base + index).clone()
    }

    /// Parameter `index` without a count, for a short look.
    #[inline]
    pub fn peek(self, vm: &Vm, index: usize) -> &Value {
        vm.stack_value(self.base + index)
    }

    /// Moves parameter `index` out, so that the machine no longer holds it.
    #[inline]
    pub fn take(self, vm: &mut Vm, index: usize) -> Value {
        std::mem::take(vm.stack_value_mut(self.base + index))
    }

    /// Parameter `index`, nothing when it was not given.
    pub fn optional(self, vm: &Vm, index: usize) -> Option<Value> {
        self.get(vm, index).given()
    }

    /// Parameter `index`, nothing when it was not given or is `None`.
    pub fn not_none(self, vm: &Vm, index: usize) -> Option<Value> {
        self.get(vm, index).given().filter(|value| !value.is_none())
    }

    /// Parameter `index` as a truth value, `default` when it was not given.
    pub fn truth_or(self, vm: &mut Vm, index: usize, default: bool) -> Fallible<bool> {
        match self.optional(vm, index) {
            Some(value) => vm.truth(&value),
            None => Ok(default),
        }
    }

    /// Parameter `index` as an index (`__index__`), `default` when it was not given.
    pub fn index_or(self, vm: &mut Vm, index: usize, default: i64) -> Fallible<i64> {
        match self.optional(vm, index) {
            Some(value) => vm.index(&value),
            None => Ok(default),
        }
    }

    /// Parameter `index` as text, or `TypeError: {what} must be str, not int`.
    pub fn text(self, vm: &Vm, index: usize, what: &str) -> Fallible<std::rc::Rc<str>> {
        match self.peek(vm, index) {
            Value::Str(s) => Ok(s.as_str().into()),
            other => Err(raise::type_error(format!("{what} must be str, not {}", other.type_name()))),
        }
    }
}
