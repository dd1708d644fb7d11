//! Markup for terminals: the plain layout with colours that are readable on dark and light grounds.

use super::markup::{Markup, Role};
use super::plain::render;

/// Renders markup with ANSI colours for a terminal `width` columns wide.
pub fn to_ansi(markup: &Markup, width: usize) -> String {
    let mut out = String::new();
    render(markup, width, &mut |role, text| match code(role) {
        Some(code) if !text.trim().is_empty() => {
            // A colour ends before each line end, so that a cut or scrolled line never bleeds.
            for (index, line) in text.split('\n').enumerate() {
                if index > 0 {
                    out.push('\n');
                }
                if !line.is_empty() {
                    out.push_str(code);
                    out.push_str(line);
                    out.push_str("\x1b[0m");
                }
            }
        }
        _ => out.push_str(text),
    });
    out
}

fn code(role: Role) -> Option<&'static str> {
    match role {
        Role::Plain => None,
        Role::Strong => Some("\x1b[1m"),
        Role::Dim => Some("\x1b[2m"),
        Role::Code => Some("\x1b[36m"),
        Role::Number => Some("\x1b[34m"),
        Role::Error => Some("\x1b[31m"),
        Role::Warning => Some("\x1b[33m"),
        Role::Good | Role::Text => Some("\x1b[32m"),
        Role::Keyword => Some("\x1b[35m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_end_before_line_ends() {
        let text = to_ansi(&Markup::of(Role::Error, "a\nb"), 80);
        assert_eq!(text, "\x1b[31ma\x1b[0m\n\x1b[31mb\x1b[0m");
    }

    #[test]
    fn plain_text_carries_no_codes() {
        assert_eq!(to_ansi(&Markup::text("a b"), 80), "a b");
    }
}
