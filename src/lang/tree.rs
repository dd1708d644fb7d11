//! Our own syntax tree: what `parse` makes of a text and `compile` reads. Plain data with spans, no behaviour; it knows
//! neither the parser's types nor the machine.
#![expect(missing_docs, reason = "fields of variants are named after what Python calls them")]

use num_bigint::BigInt;

use super::code::Span;
use super::host::MagicCall;
use super::name::Name;
use super::operators::{BinaryOperator, CompareOperator, UnaryOperator};

/// Statements in order.
pub type Body = Vec<Stmt>;

/// A parsed text.
#[derive(Debug)]
pub struct Module {
    /// Its statements.
    pub body: Body,
    /// Whether the text ends with `;`, which keeps and shows nothing.
    pub ends_with_semicolon: bool,
}

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Debug)]
pub enum StmtKind {
    /// An expression whose value is discarded or shown.
    Expression(Expr),
    /// `a = b = value`
    Assign { targets: Vec<Expr>, value: Expr },
    /// `target op= value`
    AugmentedAssign { target: Expr, op: BinaryOperator, value: Expr },
    /// `target: annotation = value`; `simple` when the target is a bare name.
    AnnotatedAssign { target: Expr, annotation: Expr, value: Option<Expr>, simple: bool },
    /// `return value`
    Return(Option<Expr>),
    /// `del a, b[0]`
    Delete(Vec<Expr>),
    /// `pass`
    Pass,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `if`; an `elif` is an `if` alone in `orelse`.
    If { test: Expr, body: Body, orelse: Body },
    /// `while`
    While { test: Expr, body: Body, orelse: Body },
    /// `for`
    For { target: Expr, iterable: Expr, body: Body, orelse: Body },
    /// `def`
    Function(Box<Function>),
    /// `class`
    Class(Box<Class>),
    /// `try`; `is_star` when its handlers are `except*`.
    Try { body: Body, handlers: Vec<Handler>, is_star: bool, orelse: Body, finalbody: Body },
    /// `with`
    With { items: Vec<WithItem>, body: Body },
    /// `raise exception from cause`
    Raise { exception: Option<Expr>, cause: Option<Expr> },
    /// `assert test, message`
    Assert { test: Expr, message: Option<Expr> },
    /// `import a.b as c`
    Import(Vec<Alias>),
    /// `from module import names`; `level` counts leading dots.
    ImportFrom { module: Option<Name>, level: u32, names: Vec<Alias> },
    /// `global`
    Global(Vec<Name>),
    /// `nonlocal`
    Nonlocal(Vec<Name>),
    /// `match`
    Match { subject: Expr, cases: Vec<Case> },
}

/// `name as bound` of an import.
#[derive(Debug)]
pub struct Alias {
    /// What is imported, dotted for `import`.
    pub name: Name,
    /// The name it is bound to, when given.
    pub bound: Option<Name>,
}

/// An `except` clause.
#[derive(Debug)]
pub struct Handler {
    /// Where the clause stands.
    pub span: Span,
    /// The classes it catches; everything when absent.
    pub class: Option<Expr>,
    /// The name the exception is bound to.
    pub name: Option<Name>,
    /// What it does.
    pub body: Body,
}

/// One context manager of a `with`.
#[derive(Debug)]
pub struct WithItem {
    /// The manager.
    pub context: Expr,
    /// What its `__enter__` result is bound to.
    pub target: Option<Expr>,
}

/// A `case` of a `match`.
#[derive(Debug)]
pub struct Case {
    /// The pattern.
    pub pattern: Pattern,
    /// `if guard`
    pub guard: Option<Expr>,
    /// What it does.
    pub body: Body,
}

/// A pattern.
#[derive(Debug)]
pub struct Pattern {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: PatternKind,
}

/// The kinds of patterns.
#[derive(Debug)]
pub enum PatternKind {
    /// Compares with `==`.
    Value(Expr),
    /// `None`, `True`, `False`, compared by identity.
    Singleton(Constant),
    /// `[a, *rest, b]`
    Sequence(Vec<Pattern>),
    /// `{key: pattern, **rest}`
    Mapping { keys: Vec<Expr>, patterns: Vec<Pattern>, rest: Option<Name> },
    /// `C(a, b, x=c)`
    Class { class: Expr, positional: Vec<Pattern>, keywords: Vec<(Name, Pattern)> },
    /// `*rest` in a sequence; `*_` without a name.
    Star(Option<Name>),
    /// `pattern as name`; a capture without a pattern, a wildcard without both.
    As { pattern: Option<Box<Pattern>>, name: Option<Name> },
    /// `a | b`
    Or(Vec<Pattern>),
}

/// A `def` or `lambda`.
#[derive(Debug)]
pub struct Function {
    /// Its name, `<lambda>` for a lambda.
    pub name: Name,
    /// Its parameters.
    pub parameters: Parameters,
    /// Decorators, outermost first.
    pub decorators: Vec<Expr>,
    /// `-> annotation`
    pub returns: Option<Expr>,
    /// What it does.
    pub body: FunctionBody,
}

/// What a function runs.
#[derive(Debug)]
pub enum FunctionBody {
    /// `def`
    Statements(Body),
    /// `lambda`
    Expression(Expr),
}

/// Parameters of a function.
#[derive(Debug, Default)]
pub struct Parameters {
    /// Before `/`.
    pub positional_only: Vec<Parameter>,
    /// Positional or keyword.
    pub positional: Vec<Parameter>,
    /// `*args`
    pub var_positional: Option<Parameter>,
    /// After `*`.
    pub keyword_only: Vec<Parameter>,
    /// `**kwargs`
    pub var_keyword: Option<Parameter>,
}

impl Parameters {
    /// Every parameter, in the order of a frame's registers.
    pub fn iter(&self) -> impl Iterator<Item = &Parameter> {
        self.positional_only
            .iter()
            .chain(&self.positional)
            .chain(&self.keyword_only)
            .chain(&self.var_positional)
            .chain(&self.var_keyword)
    }
}

/// One parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
    /// Its annotation.
    pub annotation: Option<Expr>,
    /// Its default.
    pub default: Option<Expr>,
}

/// A `class`.
#[derive(Debug)]
pub struct Class {
    /// Its name.
    pub name: Name,
    /// Decorators, outermost first.
    pub decorators: Vec<Expr>,
    /// Bases and keyword arguments.
    pub arguments: Vec<Argument>,
    /// Its body.
    pub body: Body,
}

/// An argument of a call.
#[derive(Debug)]
pub enum Argument {
    /// `x`
    Positional(Expr),
    /// `*x`
    Star(Expr),
    /// `name=x`
    Keyword(Name, Expr),
    /// `**x`
    DoubleStar(Expr),
}

impl Argument {
    /// The argument's expression.
    pub fn value(&self) -> &Expr {
        match self {
            Self::Positional(value) | Self::Star(value) | Self::Keyword(_, value) | Self::DoubleStar(value) => value,
        }
    }
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `None`
    None,
    /// `True`, `False`
    Bool(bool),
    /// `...`
    Ellipsis,
    /// An int of 64 bits.
    Int(i64),
    /// A wider int.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// An imaginary number.
    Imaginary(f64),
    /// A `str`.
    Str(Box<str>),
    /// A `bytes`.
    Bytes(Box<[u8]>),
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// Where it stands, without parentheses around it.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// How two values of a comparison are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`, `<`, ...
    Rich(CompareOperator),
    /// `is`
    Is,
    /// `is not`
    IsNot,
    /// `in`
    In,
    /// `not in`
    NotIn,
}

/// The kinds of expressions.
#[derive(Debug)]
pub enum ExprKind {
    /// A literal.
    Constant(Constant),
    /// A name.
    Name(Name),
    /// `-a`, `+a`, `~a`
    Unary(UnaryOperator, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a + b`
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `a and b and c`
    And(Vec<Expr>),
    /// `a or b or c`
    Or(Vec<Expr>),
    /// `a < b <= c`
    Compare(Box<Expr>, Vec<(Comparison, Expr)>),
    /// `f(x)`
    Call(Box<Expr>, Vec<Argument>),
    /// `a.name`; the span of the name alone comes with it.
    Attribute(Box<Expr>, Name),
    /// `a[key]`
    Subscript(Box<Expr>, Box<Expr>),
    /// `lower:upper:step` inside a subscript.
    Slice(Option<Box<Expr>>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `body if test else orelse`
    Conditional { test: Box<Expr>, body: Box<Expr>, orelse: Box<Expr> },
    /// `lambda`
    Lambda(Box<Function>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b]`
    List(Vec<Expr>),
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `{key: value, **mapping}`; a mapping has no key.
    Dict(Vec<(Option<Expr>, Expr)>),
    /// A comprehension or generator expression.
    Comprehension(Box<Comprehension>),
    /// `*a`
    Starred(Box<Expr>),
    /// `name := value`
    Named(Name, Box<Expr>),
    /// `yield value`
    Yield(Option<Box<Expr>>),
    /// `yield from value`
    YieldFrom(Box<Expr>),
    /// An f-string.
    Formatted(Vec<FormatPart>),
    /// `%magic`
    Magic(Box<MagicCall>),
}

/// A part of an f-string.
#[derive(Debug)]
pub enum FormatPart {
    /// Text as it stands.
    Literal(Box<str>),
    /// `{value!r:spec}`
    Field {
        /// The expression.
        value: Expr,
        /// `s`, `r` or `a`.
        conversion: Option<char>,
        /// The format specification.
        spec: Option<Vec<FormatPart>>,
    },
}

/// What a comprehension makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComprehensionKind {
    /// `[...]`
    List,
    /// `{...}`
    Set,
    /// `{k: v ...}`
    Dict,
    /// `(...)`
    Generator,
}

/// A comprehension or generator expression.
#[derive(Debug)]
pub struct Comprehension {
    /// What it makes.
    pub kind: ComprehensionKind,
    /// The element, or the key of a dict's.
    pub element: Expr,
    /// The value of a dict's.
    pub value: Option<Expr>,
    /// Its `for` clauses, at least one.
    pub clauses: Vec<Clause>,
}

/// `for target in iterable if conditions`
#[derive(Debug)]
pub struct Clause {
    /// What each item is bound to.
    pub target: Expr,
    /// What is iterated.
    pub iterable: Expr,
    /// Conditions, all of which must hold.
    pub conditions: Vec<Expr>,
}
