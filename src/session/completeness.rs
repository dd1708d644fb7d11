//! Whether a text is a whole cell: asked by Enter at a prompt and by notebooks' consoles. The parser decides; what it calls
//! unfinished goes on, and a block goes on until a blank line.

use super::cell::Completeness;
use super::rust;
use crate::lang::parse::{self, Dialect, Unfinished};
use crate::lang::tree::StmtKind;

/// One step of indentation.
const STEP: usize = 4;

/// Whether a text is a whole cell.
pub fn completeness(source: &str) -> Completeness {
    let last_line = source.rsplit('\n').next().unwrap_or("");
    let ends_blank = last_line.trim().is_empty() && source.contains('\n');
    if let Some((_, code)) = rust::is_rust_cell(source) {
        return rust::completeness(code);
    }
    if source.trim_start().starts_with("%%") {
        // Only a blank line can end what may be any text at all.
        return if ends_blank { Completeness::Complete } else { incomplete(String::new()) };
    }
    match parse::parse(source, Dialect::Cell) {
        Ok(module) => {
            let is_open_block = module.body.last().is_some_and(|last| is_block(&last.kind)) && !ends_blank;
            // A block written on one line is whole at once: `if x: y`.
            let is_one_line = !source.trim_end().contains('\n') && !source.trim_end().ends_with(':');
            let last_is_within = last_line.starts_with([' ', '\t']);
            if is_open_block && !is_one_line && last_is_within {
                incomplete(next_indent(source))
            } else {
                Completeness::Complete
            }
        }
        Err(problem) => match problem.unfinished {
            // A line that a backslash continues, and a decorator that still has nothing to decorate.
            Unfinished::No if source.ends_with('\\') => incomplete(next_indent(source)),
            Unfinished::No if last_line.trim_start().starts_with('@') => incomplete(next_indent(source)),
            Unfinished::No => Completeness::Invalid,
            // A blank line where a block must stand will not become right.
            Unfinished::Block if ends_blank && source.ends_with("\n\n") => Completeness::Invalid,
            Unfinished::Block | Unfinished::Open => incomplete(next_indent(source)),
        },
    }
}

fn incomplete(indent: String) -> Completeness {
    Completeness::Incomplete { indent }
}

fn is_block(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Function(..)
            | StmtKind::Class(..)
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::With { .. }
            | StmtKind::Try { .. }
            | StmtKind::Match { .. }
    )
}

/// The indent of the line to come: deeper after a colon, back out after what ends a block.
fn next_indent(source: &str) -> String {
    let last = source.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
    let depth = last.len() - last.trim_start().len();
    let code = last.split('#').next().unwrap_or("").trim();
    let first_word = code.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let depth = if code.ends_with(':') {
        depth + STEP
    } else if matches!(first_word, "return" | "raise" | "pass" | "break" | "continue") {
        depth.saturating_sub(STEP)
    } else {
        depth
    };
    " ".repeat(depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_whole_unfinished_or_wrong() {
        let whole = [
            "",
            "a = 1",
            "print('x')",
            "for i in x: f(i)",
            "if x:\n    y\n",
            "def f():\n    return 1\n",
            "f(1,\n  2)",
            "a; b",
            "# only",
            "%mem",
            "x = '''a\nb'''",
            "%%rust\nlet a = vec![1];\n",
        ];
        for text in whole {
            assert_eq!(completeness(text), Completeness::Complete, "{text:?}");
        }
        let going_on = [
            ("def f():", 4),
            ("if x:\n    y", 4),
            ("class A:\n    def f(self):", 8),
            ("def f():\n    return 1", 0),
            ("f(1,", 0),
            ("x = [", 0),
            ("print('''hello", 0),
            ("a = \\", 0),
            ("%%time", 0),
            ("for i in x:\n    if i:\n        break", 4),
            ("try:\n    f()", 4),
            ("@decorated", 0),
            ("%%rust\nfn f() {\n\n", 4),
            ("%%rust\nlet a = 1;", 0),
        ];
        for (text, depth) in going_on {
            assert_eq!(completeness(text), Completeness::Incomplete { indent: " ".repeat(depth) }, "{text:?}");
        }
        for text in ["import = 7q", "a b", "f(]", "x = 'open", "return = 1"] {
            assert_eq!(completeness(text), Completeness::Invalid, "{text:?}");
        }
    }
}
