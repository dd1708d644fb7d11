//! Words for what the parser only calls invalid: literals of numbers, `print` as a statement, fields of f-strings.

use super::SyntaxProblem;
use crate::lang::code::Span;

/// Whether an expression is missing between the braces of an f-string's field.
pub(super) fn is_empty_field(text: &str, at: Span) -> bool {
    let at = at.start as usize;
    text[..at].trim_end().ends_with('{') && text[at..].trim_start().starts_with(['}', '!', ':'])
}

/// What is wrong with a field of an f-string.
pub(super) fn field(inner: &str) -> String {
    let words = match inner {
        "expecting `}`" => "expecting '}'",
        "single `}` is not allowed" => "single '}' is not allowed",
        "invalid conversion character" => "invalid conversion character: expected 's', 'r', or 'a'",
        other => other,
    };
    format!("f-string: {words}")
}

/// Says more about an error that was only called invalid, where its place tells more.
pub(super) fn refine(text: &str, problem: &mut SyntaxProblem) {
    if !matches!(problem.message.as_str(), "invalid syntax" | "invalid decimal integer literal") {
        return;
    }
    let at = problem.span.start as usize;
    if let Some((start, message)) = number(text, at) {
        problem.message = message;
        problem.span.start = start as u32;
    } else if let Some((start, name)) = call_without_parentheses(text, at) {
        problem.message = format!("Missing parentheses in call to '{name}'. Did you mean {name}(...)?");
        problem.span.start = start as u32;
    }
}

/// The word around a place, letters, digits and underscores, and where it begins.
fn word_at(text: &str, at: usize) -> (usize, &str) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = text[..at].rfind(|c| !is_part(c)).map_or(0, |before| before + 1);
    // What stood before may be longer than one byte.
    let start = (start..=at).find(|start| text.is_char_boundary(*start)).unwrap_or(at);
    let end = text[at..].find(|c| !is_part(c)).map_or(text.len(), |length| at + length);
    (start, &text[start..end])
}

/// What is wrong with the number at a place, and where it begins; nothing where no number is.
fn number(text: &str, at: usize) -> Option<(usize, String)> {
    let (start, word) = word_at(text, at);
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    for (prefix, radix, name) in [("0b", 2, "binary"), ("0o", 8, "octal"), ("0x", 16, "hexadecimal")] {
        let Some(digits) = lower.strip_prefix(prefix) else { continue };
        let wrong = digits.chars().find(|c| !c.is_digit(radix) && *c != '_');
        return Some((
            start,
            match wrong {
                Some(digit) if digit.is_ascii_digit() => format!("invalid digit '{digit}' in {name} literal"),
                _ => format!("invalid {name} literal"),
            },
        ));
    }
    let is_padded = lower.len() > 1 && lower.starts_with('0') && lower.bytes().all(|byte| byte.is_ascii_digit());
    let message = if is_padded {
        "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers"
    } else if lower.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    } else {
        "invalid decimal literal"
    };
    Some((start, message.to_owned()))
}

/// `print` or `exec` before something that is no argument list, at the start of a statement.
fn call_without_parentheses(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let line = before.rsplit(['\n', ';', ':']).next()?.trim_start_matches([' ', '\t']);
    let name = ["print", "exec"].into_iter().find(|name| *name == line)?;
    let follows = text[at..].chars().next()?;
    let is_operand = follows.is_alphanumeric() || matches!(follows, '_' | '"' | '\'');
    (is_operand && before.len() < at).then(|| (before.len() - name.len(), name))
}
