//! Whether the text typed so far is a whole cell: what front ends ask before they run it or offer the next line.

use super::parse::{Dialect, Unfinished, parse};

/// What a text is so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// It can run.
    Complete,
    /// More must follow; the next line begins with this indentation.
    Incomplete {
        /// Spaces.
        indent: String,
    },
    /// No continuation makes it valid.
    Invalid,
}

/// Judges a cell's text. A block that is open ends with an empty line, as at Python's prompt.
pub fn completeness(text: &str) -> Completeness {
    if text.trim().is_empty() {
        return Completeness::Complete;
    }
    if text.trim_start().starts_with("%%") {
        // A cell magic takes lines until an empty one.
        let is_closed = text.ends_with("\n\n") || !text.contains('\n') && text.trim_end() != text;
        return if is_closed { Completeness::Complete } else { Completeness::Incomplete { indent: String::new() } };
    }
    match parse(text, Dialect::Cell) {
        Ok(module) => {
            let last_line = text.trim_end_matches('\n').rsplit('\n').next().unwrap_or_default();
            let opens = last_line.starts_with([' ', '\t']) && module.body.last().is_some_and(is_block);
            if opens && !text.ends_with("\n\n") && !text.ends_with("\n") {
                return Completeness::Incomplete { indent: leading(last_line).to_owned() };
            }
            let is_decorated_line = last_line.trim_end().ends_with('\\');
            if is_decorated_line {
                return Completeness::Incomplete { indent: String::new() };
            }
            // A compound statement on one line may still get more lines.
            if module.body.last().is_some_and(is_block) && !text.ends_with('\n') && last_line.trim_end().ends_with(':')
            {
                return Completeness::Incomplete { indent: format!("{}    ", leading(last_line)) };
            }
            Completeness::Complete
        }
        Err(problem) => match problem.unfinished {
            Unfinished::No => {
                if text.trim_end().ends_with('\\') {
                    return Completeness::Incomplete { indent: String::new() };
                }
                let last_line = text.trim_end().rsplit('\n').next().unwrap_or_default();
                if last_line.trim_start().starts_with('@') && !text.ends_with("\n\n") {
                    return Completeness::Incomplete { indent: leading(last_line).to_owned() };
                }
                Completeness::Invalid
            }
            Unfinished::Open => {
                let last_line = text.rsplit('\n').next().unwrap_or_default();
                Completeness::Incomplete { indent: leading(last_line).to_owned() }
            }
            Unfinished::Block => {
                let last_line = text.trim_end().rsplit('\n').next().unwrap_or_default();
                let deeper = if last_line.trim_end().ends_with(':') { "    " } else { "" };
                Completeness::Incomplete { indent: format!("{}{deeper}", leading(last_line)) }
            }
        },
    }
}

fn leading(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn is_block(statement: &super::tree::Stmt) -> bool {
    use super::tree::StmtKind;
    matches!(
        statement.kind,
        StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::For { .. }
            | StmtKind::Function(_)
            | StmtKind::Class(_)
            | StmtKind::Try { .. }
            | StmtKind::With { .. }
            | StmtKind::Match { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indent(text: &str) -> Option<String> {
        match completeness(text) {
            Completeness::Incomplete { indent } => Some(indent),
            Completeness::Complete | Completeness::Invalid => None,
        }
    }

    #[test]
    fn whole_statements_are_complete() {
        for text in
            ["x = 1", "print('hello, world')", "f(1,\n  2)", "", "for i in range(3):\n    f(i)\n\n", "%time f()"]
        {
            assert_eq!(completeness(text), Completeness::Complete, "{text:?}");
        }
    }

    #[test]
    fn open_texts_want_more() {
        assert_eq!(indent("print('''hello"), Some(String::new()));
        assert_eq!(indent("f(1,"), Some(String::new()));
        assert_eq!(indent("x = [1,\n     2,"), Some("     ".into()));
        assert_eq!(indent("for i in range(3):"), Some("    ".into()));
        assert_eq!(indent("for i in range(3):\n    f(i)"), Some("    ".into()));
        assert_eq!(indent("if x:\n    if y:"), Some("        ".into()));
        assert_eq!(indent("x = 1 + \\"), Some(String::new()));
        assert_eq!(indent("@f"), Some(String::new()));
    }

    #[test]
    fn errors_are_invalid() {
        for text in ["import = 7q", "x = = 1", "f(1))", "print('''hello'''')\n1 2"] {
            assert_eq!(completeness(text), Completeness::Invalid, "{text:?}");
        }
    }
}
