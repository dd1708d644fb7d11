//! Completion in `%%rust` cells: evcxr's, when the helper is ready; nothing is started for it.

use crate::session::cell::{Completions, Match};
use crate::session::core::Core;

/// Matches offered at most; more help nobody.
const MATCHES_MAX: usize = 500;

/// The text of a `%%rust` cell and where it begins; nothing for other cells.
pub(in crate::session) fn is_rust_cell(source: &str) -> Option<(usize, &str)> {
    let start = source.len() - source.trim_start().len();
    let (first, _) = source[start..].split_once('\n')?;
    if first.split_whitespace().next() != Some("%%rust") {
        return None;
    }
    let body = start + first.len() + 1;
    Some((body, &source[body..]))
}

/// Completions at a byte of a cell whose Rust text begins at `body`.
pub(in crate::session) fn complete(core: &Core, code: &str, body: usize, cursor: usize) -> Completions {
    let nothing = Completions { start: cursor, end: cursor, matches: Vec::new() };
    let Ok(mut process) = core.rust.process.try_borrow_mut() else { return nothing };
    let mut position = cursor.saturating_sub(body).min(code.len());
    while !code.is_char_boundary(position) {
        position -= 1;
    }
    let Some(found) = process.complete(code, position) else { return nothing };
    let is_good = |at: usize| at <= code.len() && code.is_char_boundary(at);
    if !(found.start <= found.end && is_good(found.start) && is_good(found.end)) {
        return nothing;
    }
    let typed = &code[found.start..position.max(found.start)];
    // What begins as it was typed comes first; the analyser also offers what merely contains it.
    let (first, rest): (Vec<_>, Vec<_>) = found.matches.iter().partition(|one| one.text.starts_with(typed));
    let matches = first.into_iter().chain(rest).take(MATCHES_MAX).map(|one| Match {
        text: one.text.clone(),
        kind: kind(&one.kind),
        signature: if one.label == one.text { String::new() } else { one.label.clone() },
    });
    Completions { start: body + found.start, end: body + found.end, matches: matches.collect() }
}

/// Jupyter's words for kinds, as far as evcxr uses them.
fn kind(text: &str) -> &'static str {
    const KINDS: [&str; 9] =
        ["function", "class", "module", "instance", "keyword", "magic", "path", "statement", "property"];
    KINDS.into_iter().find(|kind| *kind == text).unwrap_or("instance")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_cells_are_known_by_their_first_line() {
        assert_eq!(is_rust_cell("%%rust\nlet a"), Some((7, "let a")));
        assert_eq!(is_rust_cell("\n %%rust \nx"), Some((10, "x")));
        for other in ["%%rust", "%%rusty\nx", "a\n%%rust\nx", "%%time\nx"] {
            assert_eq!(is_rust_cell(other), None, "{other:?}");
        }
    }
}
