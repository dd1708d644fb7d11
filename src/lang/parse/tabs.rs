//! Indentation that means different things with different widths of a tab: `TabError`, asked for only where a text's
//! indentation was refused already.

use std::cmp::Ordering;

use super::{Ranged, SyntaxErrorKind, SyntaxProblem, TokenKind, Tokens};
use crate::lang::code::Span;

/// Columns of an indentation with tabs to multiples of eight, and with tabs as wide as a space.
fn columns(indentation: &str) -> (usize, usize) {
    indentation.chars().fold((0, 0), |(wide, narrow), c| match c {
        '\t' => ((wide / 8 + 1) * 8, narrow + 1),
        '\x0c' => (0, 0),
        _ => (wide + 1, narrow + 1),
    })
}

/// Byte offsets where lines of statements begin: no empty lines, no comments, no lines within brackets or texts.
fn statement_lines(text: &str, tokens: &Tokens) -> Vec<usize> {
    let mut lines = Vec::new();
    let (mut depth, mut is_at_start) = (0_usize, true);
    for token in tokens.iter() {
        match token.kind() {
            TokenKind::EndOfFile => break,
            TokenKind::Newline => is_at_start = true,
            TokenKind::NonLogicalNewline | TokenKind::Comment | TokenKind::Indent | TokenKind::Dedent => {}
            _ => {
                if is_at_start && depth == 0 {
                    let at = token.range().start().to_usize();
                    lines.push(text[..at].rfind('\n').map_or(0, |newline| newline + 1));
                }
                is_at_start = false;
                match token.kind() {
                    TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
                    TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
    }
    lines
}

/// The first line whose indentation is consistent with one width of tabs only.
pub(super) fn inconsistency(text: &str, tokens: &Tokens) -> Option<SyntaxProblem> {
    if !text.contains('\t') {
        return None;
    }
    let mut levels = vec![(0, 0)];
    for start in statement_lines(text, tokens) {
        let line = text[start..].lines().next().unwrap_or_default();
        let body = line.trim_start_matches([' ', '\t', '\x0c']);
        let (wide, narrow) = columns(&line[..line.len() - body.len()]);
        let mut is_dedent = false;
        if levels.last().is_some_and(|&(top, _)| wide < top) {
            levels.retain(|&(level, _)| level <= wide);
            is_dedent = true;
        }
        let &(top_wide, top_narrow) = levels.last()?;
        let refused = match wide.cmp(&top_wide) {
            // After a dedent every indentation that is none of the levels around is wrong.
            Ordering::Greater if is_dedent => Some(SyntaxErrorKind::Indentation),
            Ordering::Equal if narrow != top_narrow => Some(SyntaxErrorKind::Tab),
            Ordering::Greater if narrow <= top_narrow => Some(SyntaxErrorKind::Tab),
            _ => None,
        };
        if let Some(kind) = refused {
            let message = match kind {
                SyntaxErrorKind::Tab => "inconsistent use of tabs and spaces in indentation",
                _ => "unindent does not match any outer indentation level",
            };
            let span = Span { start: start as u32, end: (start + line.len()) as u32 };
            return Some(SyntaxProblem { kind, ..SyntaxProblem::new(message, span) });
        }
        if wide > top_wide {
            levels.push((wide, narrow));
        }
    }
    None
}
