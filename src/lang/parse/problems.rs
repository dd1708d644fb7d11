//! Errors of the parser in CPython's words.

use super::wording;
use super::{
    InterpolatedStringErrorType, LexicalErrorType, Mode, ParseError, ParseErrorType, ParseOptions, Parsed, Ranged,
    SyntaxErrorKind, SyntaxProblem, TokenKind, Unfinished, UnsupportedSyntaxErrorKind, ast, parse_unchecked, span,
};
use crate::lang::code::Span;

/// Newer syntax by name; forms that read the same with a newer grammar are accepted.
pub(super) fn unsupported(kind: UnsupportedSyntaxErrorKind) -> Option<&'static str> {
    use UnsupportedSyntaxErrorKind as Kind;
    match kind {
        Kind::TypeAliasStatement => Some("the `type` statement needs Python 3.12; this is Python 3.11 syntax"),
        Kind::TypeParameterList | Kind::TypeParamDefault => {
            Some("type parameter lists need Python 3.12; this is Python 3.11 syntax")
        }
        Kind::TemplateStrings => Some("template strings need Python 3.14; this is Python 3.11 syntax"),
        Kind::LazyImportStatement => Some("`lazy import` needs Python 3.15; this is Python 3.11 syntax"),
        Kind::UnparenthesizedExceptionTypes => Some("multiple exception types must be parenthesized"),
        Kind::UnpackingInComprehension(_) => Some("iterable unpacking cannot be used in comprehension"),
        Kind::ParenthesizedKeywordArgumentName => {
            Some("expression cannot contain assignment, perhaps you meant \"==\"?")
        }
        Kind::Match
        | Kind::Walrus
        | Kind::ExceptStar
        | Kind::UnparenthesizedNamedExpr(_)
        | Kind::StarTuple(_)
        | Kind::RelaxedDecorator(_)
        | Kind::PositionalOnlyParameter
        | Kind::Pep701FString(_)
        | Kind::ParenthesizedContextManager
        | Kind::StarExpressionInIndex
        | Kind::StarAnnotation
        | Kind::UnparenthesizedUnpackInFor => None,
    }
}

/// The first error in CPython's words.
pub(super) fn problem_of(text: &str, error: &ParseError, parsed: &Parsed<ast::Mod>) -> SyntaxProblem {
    let at = span(error.location);
    let mut problem = SyntaxProblem::new("invalid syntax", at);
    let ends_here = text[at.start.min(text.len() as u32) as usize..].trim().is_empty();
    match &error.error {
        ParseErrorType::Lexical(lexical) => lexical_problem(text, lexical, at, &mut problem),
        ParseErrorType::UnexpectedIndentation => {
            problem.kind = SyntaxErrorKind::Indentation;
            problem.message = "unexpected indent".into();
        }
        ParseErrorType::OtherError(message) => {
            if message.starts_with("Expected an indented block after") {
                problem.kind = SyntaxErrorKind::Indentation;
                problem.message = indented_block_message(text, message, at);
                if ends_here {
                    problem.unfinished = Unfinished::Block;
                }
            } else if message.starts_with("Expected `except` or `finally`") {
                problem.message = "expected 'except' or 'finally' block".into();
                if ends_here {
                    problem.unfinished = Unfinished::Block;
                }
            } else if message.contains("Missing open") || message.contains("unmatched") {
                problem.message = "invalid syntax".into();
            } else {
                problem.message = known_message(message);
            }
        }
        ParseErrorType::SimpleStatementsOnSameLine
        | ParseErrorType::SimpleAndCompoundStatementOnSameLine
        | ParseErrorType::UnexpectedExpressionToken => {}
        ParseErrorType::ExpectedExpression if wording::is_empty_field(text, at) => {
            problem.message = "f-string: empty expression not allowed".into();
        }
        ParseErrorType::ExpectedExpression => {
            if ends_here && text.trim_end().ends_with('\\') {
                problem.unfinished = Unfinished::Open;
            }
        }
        ParseErrorType::ExpectedToken { expected, .. } => match expected {
            TokenKind::Colon if text[at.start as usize..].starts_with(['}', ',']) => {
                problem.message = "':' expected after dictionary key".into();
            }
            TokenKind::Colon => problem.message = "expected ':'".into(),
            TokenKind::Lpar => problem.message = "expected '('".into(),
            TokenKind::Indent => {
                problem.kind = SyntaxErrorKind::Indentation;
                problem.message = indented_block_message(text, "", at);
                if ends_here {
                    problem.unfinished = Unfinished::Block;
                }
            }
            _ => {}
        },
        ParseErrorType::InvalidAssignmentTarget => {
            problem.message = assignment_message(text, at);
        }
        ParseErrorType::InvalidAugmentedAssignmentTarget => {
            let what = describe(text, at);
            problem.message = format!("'{what}' is an illegal expression for augmented assignment");
        }
        ParseErrorType::InvalidAnnotatedAssignmentTarget => {
            problem.message = match describe(text, at).as_str() {
                "list" => "only single target (not list) can be annotated".into(),
                "tuple" => "only single target (not tuple) can be annotated".into(),
                _ => "illegal target for annotation".into(),
            };
        }
        ParseErrorType::InvalidDeleteTarget => problem.message = format!("cannot delete {}", describe(text, at)),
        ParseErrorType::InvalidNamedAssignmentTarget => {
            problem.message = format!("cannot use assignment expressions with {}", describe(text, at));
        }
        ParseErrorType::PositionalAfterKeywordArgument => {
            problem.message = "positional argument follows keyword argument".into();
        }
        ParseErrorType::PositionalAfterKeywordUnpacking => {
            problem.message = "positional argument follows keyword argument unpacking".into();
        }
        ParseErrorType::InvalidArgumentUnpackingOrder => {
            problem.message = "iterable argument unpacking follows keyword argument unpacking".into();
        }
        ParseErrorType::UnparenthesizedGeneratorExpression => {
            problem.message = "Generator expression must be parenthesized".into();
        }
        ParseErrorType::NonDefaultParamAfterDefaultParam => {
            problem.message = "non-default argument follows default argument".into();
        }
        ParseErrorType::VarParameterWithDefault => {
            problem.message = "var-positional argument cannot have default value".into();
        }
        ParseErrorType::ParamAfterVarKeywordParam => {
            problem.message = "arguments cannot follow var-keyword argument".into();
        }
        ParseErrorType::ExpectedKeywordParam => problem.message = "named arguments must follow bare *".into(),
        ParseErrorType::IterableUnpackingInComprehension => {
            problem.message = "iterable unpacking cannot be used in comprehension".into();
        }
        ParseErrorType::InvalidStarredExpressionUsage => {
            problem.message = "can't use starred expression here".into();
        }
        ParseErrorType::EmptyImportNames => {
            problem.message = "invalid syntax".into();
        }
        ParseErrorType::FStringError(inner) => problem.message = wording::field(&inner.to_string()),
        ParseErrorType::TStringError(inner) => problem.message = format!("t-string: {inner}"),
        ParseErrorType::UnexpectedIpythonEscapeCommand => problem.message = "invalid syntax".into(),
        ParseErrorType::InvalidMatchPatternTarget => problem.message = "cannot use '_' as a target".into(),
        ParseErrorType::UnexpectedTokenAfterAsync(_)
        | ParseErrorType::StringAnnotationError(_)
        | ParseErrorType::EmptySlice
        | ParseErrorType::EmptyGlobalNames
        | ParseErrorType::EmptyNonlocalNames
        | ParseErrorType::EmptyDeleteTargets
        | ParseErrorType::EmptyTypeParams
        | ParseErrorType::UnparenthesizedNamedExpression
        | ParseErrorType::UnparenthesizedTupleExpression
        | ParseErrorType::InvalidLambdaExpressionUsage
        | ParseErrorType::InvalidYieldExpressionUsage
        | ParseErrorType::InvalidStarPatternUsage
        | ParseErrorType::ExpectedRealNumber
        | ParseErrorType::ExpectedImaginaryNumber => {}
    }
    bracket_problem(text, parsed, &mut problem);
    if problem.message == "invalid syntax" {
        maybe_comma(text, parsed, &mut problem);
    }
    wording::refine(text, &mut problem);
    problem
}

fn known_message(message: &str) -> String {
    if message == "Expected one or more exception types" {
        return "expected one or more exception types".into();
    }
    if message.contains("parenthesized")
        || message.contains('`')
        || message.contains("ParseIntError")
        || message.starts_with("Expected")
    {
        return "invalid syntax".into();
    }
    if message == "Only one '*' parameter allowed" {
        return "* argument may appear only once".into();
    }
    let mut text = message.to_owned();
    if let Some(first) = text.get_mut(0..1) {
        first.make_ascii_lowercase();
    }
    text
}

fn lexical_problem(text: &str, lexical: &LexicalErrorType, at: Span, problem: &mut SyntaxProblem) {
    match lexical {
        LexicalErrorType::UnclosedStringError => {
            let piece = &text[at.start as usize..];
            let quotes = piece.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            let line = text[..at.start as usize].matches('\n').count() + 1;
            problem.span.end = at.start + 1;
            if quotes.starts_with("\"\"\"") || quotes.starts_with("'''") {
                let last = text.trim_end_matches('\n').matches('\n').count() + 1;
                problem.message = format!("unterminated triple-quoted string literal (detected at line {last})");
                problem.unfinished = Unfinished::Open;
            } else {
                problem.message = format!("unterminated string literal (detected at line {line})");
            }
        }
        LexicalErrorType::FStringError(InterpolatedStringErrorType::UnterminatedString) => {
            let line = text[..at.start as usize].matches('\n').count() + 1;
            problem.message = format!("unterminated string literal (detected at line {line})");
        }
        LexicalErrorType::FStringError(InterpolatedStringErrorType::UnterminatedTripleQuotedString) => {
            let last = text.trim_end_matches('\n').matches('\n').count() + 1;
            problem.message = format!("unterminated triple-quoted string literal (detected at line {last})");
            problem.unfinished = Unfinished::Open;
        }
        LexicalErrorType::IndentationError => {
            problem.kind = SyntaxErrorKind::Indentation;
            problem.message = "unindent does not match any outer indentation level".into();
        }
        LexicalErrorType::UnrecognizedToken { tok } if !tok.is_ascii() => {
            problem.message = format!("invalid character '{tok}' (U+{:04X})", u32::from(*tok));
        }
        LexicalErrorType::UnrecognizedToken { .. } => {}
        LexicalErrorType::LineContinuationError => {
            problem.message = "unexpected character after line continuation character".into();
        }
        LexicalErrorType::Eof => {
            problem.message = "unexpected EOF while parsing".into();
            problem.unfinished = Unfinished::Open;
        }
        LexicalErrorType::InvalidByteLiteral => {
            problem.message = "bytes can only contain ASCII literal characters".into();
        }
        LexicalErrorType::UnicodeError
        | LexicalErrorType::MissingUnicodeLbrace
        | LexicalErrorType::MissingUnicodeRbrace => {
            problem.message = "(unicode error) 'unicodeescape' codec can't decode bytes: malformed escape".into();
        }
        LexicalErrorType::OtherError(message) => problem.message = known_message(message),
        LexicalErrorType::FStringError(inner) => problem.message = wording::field(&inner.to_string()),
        LexicalErrorType::StringError | LexicalErrorType::TStringError(_) => {
            problem.message = lexical.to_string();
        }
    }
}

/// An unclosed or unmatched bracket explains an error better than what it led to.
fn bracket_problem(text: &str, parsed: &Parsed<ast::Mod>, problem: &mut SyntaxProblem) {
    let mut open: Vec<(char, Span)> = Vec::new();
    for token in parsed.tokens() {
        let at = span(token.range());
        let kind = token.kind();
        match kind {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                open.push((text[at.start as usize..].chars().next().unwrap_or('('), at));
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                let close = text[at.start as usize..].chars().next().unwrap_or(')');
                match open.pop() {
                    None => {
                        if problem.span.start >= at.start {
                            problem.message = format!("unmatched '{close}'");
                            problem.span = at;
                            problem.unfinished = Unfinished::No;
                        }
                        return;
                    }
                    Some((opened, where_)) if matching(opened) != close => {
                        problem.message = format!(
                            "closing parenthesis '{close}' does not match opening parenthesis '{opened}'{}",
                            on_line(text, where_, at)
                        );
                        problem.span = at;
                        problem.unfinished = Unfinished::No;
                        return;
                    }
                    Some(_) => {}
                }
            }
            _ => {}
        }
    }
    if let Some((bracket, at)) = open.last() {
        let is_generic = matches!(problem.message.as_str(), "invalid syntax" | "unexpected EOF while parsing");
        // Text after the bracket may be wrong in itself; then that is the error, as in CPython.
        let reaches_end = text[problem.span.start.min(text.len() as u32) as usize..].trim().is_empty();
        if is_generic && reaches_end {
            problem.message = format!("'{bracket}' was never closed");
            problem.span = *at;
            problem.unfinished = Unfinished::Open;
        }
    }
}

fn matching(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

fn on_line(text: &str, open: Span, close: Span) -> String {
    let line = |at: u32| text[..at as usize].matches('\n').count() + 1;
    if line(open.start) == line(close.start) { String::new() } else { format!(" on line {}", line(open.start)) }
}

/// `invalid syntax. Perhaps you forgot a comma?` where two expressions stand side by side in brackets.
fn maybe_comma(text: &str, parsed: &Parsed<ast::Mod>, problem: &mut SyntaxProblem) {
    let tokens: Vec<_> = parsed.tokens().iter().copied().collect();
    let Some(at) = tokens.iter().position(|token| token.range().start().to_u32() >= problem.span.start) else { return };
    let ends_operand = |kind: TokenKind| {
        matches!(
            kind,
            TokenKind::Name
                | TokenKind::Int
                | TokenKind::Float
                | TokenKind::Complex
                | TokenKind::String
                | TokenKind::Rpar
                | TokenKind::Rsqb
                | TokenKind::Rbrace
        )
    };
    let starts_operand = |kind: TokenKind| {
        matches!(kind, TokenKind::Name | TokenKind::Int | TokenKind::Float | TokenKind::Complex | TokenKind::String)
    };
    let Some(before) = tokens[..at].iter().rposition(|token| token.kind() != TokenKind::NonLogicalNewline) else {
        return;
    };
    if !(ends_operand(tokens[before].kind()) && starts_operand(tokens[at].kind())) {
        return;
    }
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens[..at].iter().enumerate() {
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => open.push(index),
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => drop(open.pop()),
            _ => {}
        }
    }
    // Parameters of a `def` are no expressions.
    let is_expression = open.last().is_some_and(|&index| index < 2 || tokens[index - 2].kind() != TokenKind::Def);
    if is_expression && !text.is_empty() {
        problem.message = "invalid syntax. Perhaps you forgot a comma?".into();
        problem.span = Span { start: tokens[before].range().start().to_u32(), end: tokens[at].range().end().to_u32() };
    }
}

fn indented_block_message(text: &str, ruffs: &str, at: Span) -> String {
    let what = ruffs.strip_prefix("Expected an indented block after ").unwrap_or("a statement");
    let what = match what {
        "function definition" | "class definition" => what.to_owned(),
        other => other
            .replace("`if` statement", "'if' statement")
            .replace('`', "'")
            .replace("'elif' clause", "'elif' statement")
            .replace("'else' clause", "'else' statement")
            .replace("'try' clause", "'try' statement")
            .replace("'finally' clause", "'finally' statement")
            .replace("'except' clause", "'except' statement"),
    };
    let before = text[..(at.start as usize).min(text.len())].trim_end();
    let line = before.matches('\n').count() + 1;
    format!("expected an indented block after {what} on line {line}")
}

/// CPython's name for the kind of expression that stands where a target must.
fn describe(text: &str, at: Span) -> String {
    let piece = &text[at.start as usize..at.end as usize];
    let parsed = parse_unchecked(piece, ParseOptions::from(Mode::Expression));
    let ast::Mod::Expression(module) = parsed.into_syntax() else { return "expression".into() };
    match &*module.body {
        ast::Expr::Call(_) => "function call",
        ast::Expr::NoneLiteral(_) => "None",
        ast::Expr::BooleanLiteral(literal) => {
            if literal.value {
                "True"
            } else {
                "False"
            }
        }
        ast::Expr::EllipsisLiteral(_) => "ellipsis",
        ast::Expr::NumberLiteral(_) | ast::Expr::StringLiteral(_) | ast::Expr::BytesLiteral(_) => "literal",
        ast::Expr::FString(_) => "f-string expression",
        ast::Expr::Compare(_) => "comparison",
        ast::Expr::Lambda(_) => "lambda",
        ast::Expr::If(_) => "conditional expression",
        ast::Expr::Dict(_) => "dict literal",
        ast::Expr::Set(_) => "set display",
        ast::Expr::ListComp(_) => "list comprehension",
        ast::Expr::SetComp(_) => "set comprehension",
        ast::Expr::DictComp(_) => "dict comprehension",
        ast::Expr::Generator(_) => "generator expression",
        ast::Expr::Yield(_) | ast::Expr::YieldFrom(_) => "yield expression",
        ast::Expr::Await(_) => "await expression",
        ast::Expr::Named(_) => "named expression",
        ast::Expr::List(_) => "list",
        ast::Expr::Tuple(_) => "tuple",
        ast::Expr::Attribute(_) => "attribute",
        ast::Expr::Subscript(_) => "subscript",
        ast::Expr::Name(_) => "name",
        ast::Expr::Starred(_) => "starred",
        _ => "expression",
    }
    .into()
}

fn assignment_message(text: &str, at: Span) -> String {
    let what = describe(text, at);
    let after = text[at.end as usize..].trim_start_matches([' ', ')']);
    let before = text[..at.start as usize].trim_end_matches([' ', '(']);
    match what.as_str() {
        // In a chain of assignments nobody meant to compare.
        _ if before.ends_with('=') => format!("cannot assign to {what}"),
        "None" | "True" | "False" => format!("cannot assign to {what}"),
        _ if after.starts_with('=') && !after.starts_with("==") => {
            format!("cannot assign to {what} here. Maybe you meant '==' instead of '='?")
        }
        _ => format!("cannot assign to {what}"),
    }
}
