//! Text to [`tree`](super::tree): the only place that names the parser's crates. Everything they offer is turned into our own
//! types here: nodes and spans in `reader`, errors in CPython's words in `problems`. What the language does not have is
//! refused here by name.

mod problems;
mod reader;
mod tabs;
mod wording;

use ruff_python_ast as ast;
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{
    InterpolatedStringErrorType, LexicalErrorType, Mode, ParseError, ParseErrorType, ParseOptions, Parsed,
    UnsupportedSyntaxErrorKind, parse_unchecked,
};
use ruff_text_size::{Ranged, TextRange};

use self::problems::{problem_of, unsupported};
use self::reader::Reader;
use super::code::Span;
use super::host::MagicCall;
use super::tree::{Expr, ExprKind, Module, Stmt, StmtKind};

/// Nesting of brackets beyond which CPython's tokenizer gives up.
const BRACKETS_MAX: usize = 200;

/// Which class of the syntax errors it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// `SyntaxError`
    Syntax,
    /// `IndentationError`
    Indentation,
    /// `TabError`
    Tab,
}

/// Why a text that does not parse might still be the beginning of one that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// More text cannot repair it.
    No,
    /// The text ends inside brackets, a triple-quoted string or after a backslash.
    Open,
    /// The text ends where an indented block must follow.
    Block,
}

/// A text that does not parse.
#[derive(Clone, Debug)]
pub struct SyntaxProblem {
    /// Its class.
    pub kind: SyntaxErrorKind,
    /// The message.
    pub message: String,
    /// Where it stands.
    pub span: Span,
    /// Whether more text could repair it.
    pub unfinished: Unfinished,
}

impl SyntaxProblem {
    /// A `SyntaxError` at a span.
    pub fn new(message: impl Into<String>, span: Span) -> Self {
        Self { kind: SyntaxErrorKind::Syntax, message: message.into(), span, unfinished: Unfinished::No }
    }
}

type Parsing<T> = Result<T, Box<SyntaxProblem>>;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// A cell: magics may stand wherever a statement may.
    Cell,
    /// Plain Python.
    File,
    /// A single expression, for `eval`.
    Expression,
}

/// Parses a text.
pub fn parse(text: &str, dialect: Dialect) -> Parsing<Module> {
    if dialect == Dialect::Cell
        && let Some(module) = cell_magic(text)
    {
        return Ok(module);
    }
    if let Some(problem) = too_many_brackets(text) {
        return Err(Box::new(problem));
    }
    let mode = match dialect {
        Dialect::Cell => Mode::Ipython,
        Dialect::File => Mode::Module,
        Dialect::Expression => Mode::Expression,
    };
    let options = ParseOptions::from(mode).with_target_version(ast::PythonVersion::PY311);
    let parsed = parse_unchecked(text, options);
    if let Some(error) = parsed.errors().first() {
        let problem = problem_of(text, error, &parsed);
        let is_indentation = problem.kind == SyntaxErrorKind::Indentation;
        return Err(Box::new(
            is_indentation.then(|| tabs::inconsistency(text, parsed.tokens())).flatten().unwrap_or(problem),
        ));
    }
    for error in parsed.unsupported_syntax_errors() {
        if let Some(message) = unsupported(error.kind) {
            return Err(Box::new(SyntaxProblem::new(message, span(error.range))));
        }
    }
    let ends_with_semicolon = parsed
        .tokens()
        .iter()
        .rev()
        .map(|token| token.kind())
        .find(|kind| {
            !matches!(
                kind,
                TokenKind::Newline | TokenKind::NonLogicalNewline | TokenKind::Comment | TokenKind::EndOfFile
            )
        })
        .is_some_and(|kind| kind == TokenKind::Semi);
    let mut reader = Reader::default();
    let body = match parsed.into_syntax() {
        ast::Mod::Module(module) => reader.body(&module.body)?,
        ast::Mod::Expression(module) => {
            let value = reader.expr(&module.body)?;
            vec![Stmt { span: value.span, kind: StmtKind::Expression(value) }]
        }
    };
    Ok(Module { body, ends_with_semicolon })
}

/// Where the operator or the bracket of a failed binary operation or subscription stands in a piece of source, for
/// the `~~^~~` of tracebacks: byte offsets into `segment`.
pub fn anchors(segment: &str) -> Option<(usize, usize)> {
    // The segment may span lines, so it is read as if parenthesised; offsets shift by the one added bracket.
    let text = format!("({segment})");
    let options = ParseOptions::from(Mode::Expression).with_target_version(ast::PythonVersion::PY311);
    let parsed = parse_unchecked(&text, options);
    if !parsed.errors().is_empty() {
        return None;
    }
    let ast::Mod::Expression(module) = parsed.into_syntax() else { return None };
    match &*module.body {
        ast::Expr::BinOp(binary) => {
            let from = binary.left.range().end().to_usize();
            let to = binary.right.range().start().to_usize();
            let between = &text[from..to];
            let at = between.find(|c: char| !c.is_whitespace() && c != ')' && c != '\\')?;
            let rest = &between[at..];
            let is_double = rest.len() > 1 && rest.as_bytes()[0] == rest.as_bytes()[1];
            let start = from + at - 1;
            Some((start, start + if is_double { 2 } else { 1 }))
        }
        ast::Expr::Subscript(subscript) => {
            let from = subscript.value.range().end().to_usize();
            let to = subscript.range().end().to_usize();
            let open = from + text[from..to].find('[')?;
            Some((open - 1, to - 1))
        }
        _ => None,
    }
}

fn span(range: TextRange) -> Span {
    Span { start: range.start().to_u32(), end: range.end().to_u32() }
}

/// `%%name line` at the top makes the whole cell one magic.
fn cell_magic(text: &str) -> Option<Module> {
    let start = text.len() - text.trim_start().len();
    let rest = text[start..].strip_prefix("%%")?;
    let (first, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let first = first.trim_end();
    let end = first.find(char::is_whitespace).unwrap_or(first.len());
    let magic =
        MagicCall { name: first[..end].to_owned(), line: first[end..].trim().to_owned(), body: Some(body.to_owned()) };
    let span = Span { start: start as u32, end: (start + 2 + first.len()) as u32 };
    let value = Expr { span, kind: ExprKind::Magic(Box::new(magic)) };
    Some(Module { body: vec![Stmt { span, kind: StmtKind::Expression(value) }], ends_with_semicolon: false })
}

/// Refuses deeply nested brackets before the recursive parser sees them.
fn too_many_brackets(text: &str) -> Option<SyntaxProblem> {
    let mut depth = 0_usize;
    let deepest = text.bytes().position(|byte| {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > BRACKETS_MAX
    })?;
    // The count above also saw brackets in strings and comments; the lexer decides.
    let mut lexer = ruff_python_parser::lexer::lex(text, Mode::Module);
    let mut depth = 0_usize;
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return None,
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                depth += 1;
                if depth > BRACKETS_MAX {
                    return Some(SyntaxProblem::new(
                        "too many nested parentheses",
                        Span { start: deepest as u32, end: deepest as u32 + 1 },
                    ));
                }
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
}
