//! The text of a `%%rust` cell as far as it is looked at here: whether something in it is still open. rustc judges the rest.

use crate::session::cell::Completeness;

/// One step of indentation.
const STEP: usize = 4;

/// Whether the text below `%%rust` is a whole cell: a blank line ends it unless a bracket, a string or a comment is open.
pub(in crate::session) fn completeness(code: &str) -> Completeness {
    let ends_blank = code.rsplit('\n').next().unwrap_or("").trim().is_empty() && code.contains('\n');
    match open(code) {
        Open::Brackets(0) if ends_blank => Completeness::Complete,
        Open::Brackets(depth) => Completeness::Incomplete { indent: " ".repeat(STEP * depth) },
        Open::Within => Completeness::Incomplete { indent: String::new() },
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// So many brackets.
    Brackets(usize),
    /// A string or a comment.
    Within,
}

/// What is open at the end of a text.
fn open(code: &str) -> Open {
    let chars: Vec<char> = code.chars().collect();
    let mut depth = 0usize;
    let mut at = 0;
    while at < chars.len() {
        let here = &chars[at..];
        at += match here {
            ['/', '/', ..] => here.iter().position(|c| *c == '\n').unwrap_or(here.len()),
            ['/', '*', ..] => match comment(here) {
                Some(length) => length,
                None => return Open::Within,
            },
            ['"', ..] => match string(&here[1..], 0, true) {
                Some(length) => 1 + length,
                None => return Open::Within,
            },
            ['r', '#' | '"', ..] if at == 0 || !is_word(chars[at - 1]) || matches!(chars[at - 1], 'b' | 'c') => {
                let hashes = here[1..].iter().take_while(|c| **c == '#').count();
                match here.get(1 + hashes) {
                    Some('"') => match string(&here[2 + hashes..], hashes, false) {
                        Some(length) => 2 + hashes + length,
                        None => return Open::Within,
                    },
                    // A raw identifier.
                    _ => 1 + hashes,
                }
            }
            ['\'', ..] => character(here),
            ['(' | '[' | '{', ..] => {
                depth += 1;
                1
            }
            [')' | ']' | '}', ..] => {
                depth = depth.saturating_sub(1);
                1
            }
            _ => 1,
        };
    }
    Open::Brackets(depth)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Characters of a comment, which may have others inside.
fn comment(chars: &[char]) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    while at < chars.len() {
        match &chars[at..] {
            ['/', '*', ..] => {
                depth += 1;
                at += 2;
            }
            ['*', '/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// Characters of a string's rest with its end.
fn string(chars: &[char], hashes: usize, has_escapes: bool) -> Option<usize> {
    let mut at = 0;
    while at < chars.len() {
        match chars[at] {
            '\\' if has_escapes => at += 2,
            '"' if chars[at + 1..].iter().take_while(|c| **c == '#').count() >= hashes => return Some(at + 1 + hashes),
            _ => at += 1,
        }
    }
    None
}

/// Characters of a character literal, or of the quote of a lifetime.
fn character(chars: &[char]) -> usize {
    match chars {
        ['\'', '\\', _, rest @ ..] => match rest.iter().position(|c| *c == '\'') {
            Some(end) if end < 12 => 4 + end,
            _ => 1,
        },
        ['\'', _, '\'', ..] => 3,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_known() {
        let closed = [
            "",
            "let a = 1;",
            "fn f<'a>(x: &'a str) -> char { '{' }",
            "let s = \"{ // \\\" \";",
            "let s = r#\"a \" { \"#; let t = br\"\\\";",
            "/* { /* ( */ */ x // {",
            "let c = '\\''; let d = '\\u{7d}'; r#type",
            "}",
        ];
        for code in closed {
            assert_eq!(open(code), Open::Brackets(0), "{code}");
        }
        assert_eq!(open("fn f() {\n    g(\n"), Open::Brackets(2));
        for code in ["let s = \"x", "/* /* */", "r##\"a\"#"] {
            assert_eq!(open(code), Open::Within, "{code}");
        }
    }

    #[test]
    fn a_blank_line_ends_a_cell_in_which_nothing_is_open() {
        assert_eq!(completeness("let a = 1;\n"), Completeness::Complete);
        assert_eq!(completeness("let a = 1;"), Completeness::Incomplete { indent: String::new() });
        assert_eq!(completeness("fn f() {\n\n"), Completeness::Incomplete { indent: " ".repeat(4) });
    }
}
