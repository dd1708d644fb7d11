//! Errors of Rust cells: the class, and how Rust's own words are shown.

use crate::display::{Markup, Role};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::objects::{ClassObject, ClassRef, PayloadKind};
use crate::lang::raise::Raised;

thread_local! {
    static RUST_ERROR: ClassRef =
        define_class("RustError", "cellhold", &builtin_class(Builtin::Exception), PayloadKind::Exception, &[]);
}

/// An error in Rust's words, or about the Rust side.
pub(super) fn rust_error(message: impl Into<String>) -> Raised {
    Raised::new(RUST_ERROR.with(Clone::clone), message)
}

/// An interrupt, with what it did.
pub(super) fn interrupted(message: String) -> Raised {
    Raised::builtin(Builtin::KeyboardInterrupt, message)
}

/// How an error of Rust is shown, and its first line; nothing for other errors. A Python traceback would add nothing to it:
/// the only frame is the cell's.
pub(in crate::session) fn error_markup(raised: &Raised) -> Option<(Markup, String)> {
    if !RUST_ERROR.with(|class| ClassObject::is_subclass_of(&raised.0.class.borrow(), class)) {
        return None;
    }
    let text = raised.0.args.borrow().first()?.as_str()?.to_owned();
    let first = text.lines().next().unwrap_or_default().to_owned();
    let mut markup = Markup::new();
    // What does not come from the compiler begins like any other error.
    if !first.starts_with("error") {
        markup.add(Role::Error, "RustError");
        markup.add(Role::Plain, ": ");
    }
    for line in text.lines() {
        add_line(&mut markup, line);
        markup.add(Role::Plain, "\n");
    }
    Some((markup, first))
}

/// One line of rustc's: heads, places, the gutter with its code, carets and words.
fn add_line(markup: &mut Markup, line: &str) {
    let heads = [("error", Role::Error), ("help", Role::Good), ("note", Role::Strong)];
    for (head, role) in heads {
        if line.starts_with(head)
            && let Some((kind, rest)) = line.split_once(':')
            && kind.len() <= "error[E0000]".len()
        {
            markup.add(role, kind);
            markup.add(Role::Strong, format!(":{rest}"));
            return;
        }
    }
    if line.trim_start().starts_with("--> ") {
        markup.add(Role::Dim, line);
        return;
    }
    let Some((gutter, rest)) = line.split_once('|').filter(|(gutter, _)| is_gutter(gutter)) else {
        markup.add(Role::Plain, line);
        return;
    };
    markup.add(Role::Dim, format!("{gutter}|"));
    let is_code = !gutter.trim().is_empty();
    markup.add(if is_code { Role::Plain } else { Role::Error }, rest);
}

/// Whether what stands before a bar is the number of a line, or none.
fn is_gutter(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == ' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::to_plain;

    #[test]
    fn rust_is_shown_in_its_own_words() {
        let text = "error[E0308]: mismatched types\n --> cell 7:3:14\n  |\n3 | let b: i32 = \"x\";\n  |              ^^^ expected";
        let (markup, first) = error_markup(&rust_error(text)).unwrap();
        assert_eq!(to_plain(&markup, usize::MAX).trim_end(), text);
        assert_eq!(first, "error[E0308]: mismatched types");
        let (markup, _) = error_markup(&rust_error("no cargo")).unwrap();
        assert_eq!(to_plain(&markup, usize::MAX).trim_end(), "RustError: no cargo");
        assert!(error_markup(&interrupted(String::new())).is_none());
    }
}
