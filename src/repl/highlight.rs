//! Colours for what is being typed: keywords, strings, numbers, comments, magics. It need not understand, only not flicker:
//! text that is not finished colours as what it looks like so far.

use crate::display::{Markup, Role, to_ansi};

const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The text with ANSI colours; its visible characters stay the same.
pub(super) fn coloured(text: &str) -> String {
    to_ansi(&markup(text), usize::MAX)
}

/// The text with roles; its visible characters stay the same.
pub(super) fn markup(text: &str) -> Markup {
    let mut markup = Markup::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (role, length) = token(rest, at == 0 || text[..at].ends_with('\n'));
        markup.add(role, &rest[..length]);
        at += length;
    }
    markup
}

/// The role of the first token and its length in bytes, at least one character.
fn token(text: &str, is_line_start: bool) -> (Role, usize) {
    let first = text.chars().next().unwrap_or(' ');
    if first == '#' {
        return (Role::Dim, text.find('\n').unwrap_or(text.len()));
    }
    if first == '%' && is_line_start {
        let length = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
        return (Role::Code, length);
    }
    if let Some(length) = string(text) {
        return (Role::Text, length);
    }
    if first.is_ascii_digit() {
        let length = text.find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_')).unwrap_or(text.len());
        return (Role::Number, length);
    }
    if first.is_alphabetic() || first == '_' {
        let length = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        let role = if KEYWORDS.contains(&&text[..length]) { Role::Keyword } else { Role::Plain };
        return (role, length);
    }
    (Role::Plain, first.len_utf8())
}

/// The length of a string literal at the start, prefix included; an open one reaches to the end of its line or text.
fn string(text: &str) -> Option<usize> {
    // A prefix has two characters at most; looking further would read the whole text at every token.
    let prefix = text.char_indices().take(3).find(|(_, c)| matches!(c, '"' | '\''))?.0;
    if !text[..prefix].chars().all(|c| "rRbBfFuU".contains(c)) {
        return None;
    }
    let is_raw = text[..prefix].contains(['r', 'R']);
    let body = &text[prefix..];
    let quote = body.chars().next()?;
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let is_triple = body.starts_with(&triple);
    let mut at = prefix + if is_triple { 3 } else { 1 };
    while at < text.len() {
        let rest = &text[at..];
        let c = rest.chars().next()?;
        if is_triple && rest.starts_with(&triple) {
            return Some(at + 3);
        }
        if !is_triple && (c == quote || c == '\n') {
            return Some(if c == '\n' { at } else { at + 1 });
        }
        at += c.len_utf8();
        if c == '\\' && !is_raw {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Piece;

    fn roles(text: &str) -> Vec<(Role, String)> {
        let piece = |piece: Piece| match piece {
            Piece::Text(role, text) => Some((role, text)),
            _ => None,
        };
        markup(text).pieces.into_iter().filter_map(piece).filter(|(role, _)| *role != Role::Plain).collect()
    }

    #[test]
    fn what_is_typed_keeps_every_character() {
        for text in ["def f(x):\n    return 'a\\'b' # c", "f\"{x}", "'''open", "r'\\", "é = 1.5e3", "%mem x", ""] {
            let all: String = markup(text)
                .pieces
                .into_iter()
                .map(|piece| match piece {
                    Piece::Text(_, text) => text,
                    _ => String::new(),
                })
                .collect();
            assert_eq!(all, text);
        }
    }

    #[test]
    fn a_long_paste_is_coloured_at_once() {
        let text: String = (0..60_000).map(|at| format!("v{at} = {at}\n")).collect();
        let began = std::time::Instant::now();
        assert_eq!(roles(&text).len(), 60_000);
        // Measured at 0.1 s without optimisation; a look through the rest at every token takes minutes.
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }

    #[test]
    fn tokens_have_their_roles() {
        assert_eq!(
            roles("if x == rb'a#b': y = 10  # done"),
            [
                (Role::Keyword, "if".to_owned()),
                (Role::Text, "rb'a#b'".to_owned()),
                (Role::Number, "10".to_owned()),
                (Role::Dim, "# done".to_owned())
            ]
        );
        assert_eq!(roles("%mem a"), [(Role::Code, "%mem".to_owned())]);
        assert_eq!(roles("a % b"), []);
    }
}
