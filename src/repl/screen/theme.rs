//! How roles look on this terminal: no colour, the sixteen colours of its own palette (which suit light and dark grounds), or
//! the palette with true colour where a gradient helps.

use ratatui::style::{Color, Modifier, Style};

use crate::display::Role;

/// What the terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    /// Bold, dim and reverse only (`NO_COLOR`, `TERM=dumb`).
    Plain,
    /// The sixteen colours of the terminal's palette.
    Sixteen,
    /// The palette, and true colour for bars.
    True,
}

impl Theme {
    /// What the environment says.
    pub(super) fn of(variable: impl Fn(&str) -> Option<String>) -> Theme {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        if is_set("NO_COLOR") || variable("TERM").is_some_and(|term| term == "dumb") {
            return Theme::Plain;
        }
        match variable("COLORTERM").as_deref() {
            Some("truecolor" | "24bit") => Theme::True,
            _ => Theme::Sixteen,
        }
    }

    /// The style of a role.
    pub(super) fn role(self, role: Role) -> Style {
        let style = Style::new();
        if self == Theme::Plain {
            return match role {
                Role::Strong | Role::Error | Role::Keyword => style.add_modifier(Modifier::BOLD),
                Role::Dim => style.add_modifier(Modifier::DIM),
                _ => style,
            };
        }
        match role {
            Role::Plain => style,
            Role::Strong => style.add_modifier(Modifier::BOLD),
            Role::Dim => style.add_modifier(Modifier::DIM),
            Role::Code => style.fg(Color::Cyan),
            Role::Number => style.fg(Color::Blue),
            Role::Error => style.fg(Color::Red),
            Role::Warning => style.fg(Color::Yellow),
            Role::Good | Role::Text => style.fg(Color::Green),
            Role::Keyword => style.fg(Color::Magenta),
        }
    }

    /// `In [n]:`
    pub(super) fn prompt(self) -> Style {
        self.role(Role::Good).add_modifier(Modifier::BOLD)
    }

    /// `Out[n]:`
    pub(super) fn answer(self) -> Style {
        self.role(Role::Error).add_modifier(Modifier::BOLD)
    }

    /// What is chosen in a list.
    pub(super) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// A bracket and its partner.
    pub(super) fn bracket(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// The part of a bar that live memory takes; `share` of the whole in 0..=1 warms the colour.
    pub(super) fn live(self, share: f64) -> Style {
        match self {
            Theme::Plain => Style::new(),
            Theme::Sixteen if share > 0.9 => Style::new().fg(Color::Red),
            Theme::Sixteen if share > 0.7 => Style::new().fg(Color::Yellow),
            Theme::Sixteen => Style::new().fg(Color::Blue),
            Theme::True => {
                let warm = (share.clamp(0.0, 1.0) * 255.0) as u8;
                Style::new().fg(Color::Rgb(60 + warm / 4 * 3, 130, 230 - warm / 4 * 3))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides() {
        let theme = |pairs: &'static [(&str, &str)]| {
            Theme::of(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert_eq!(theme(&[]), Theme::Sixteen);
        assert_eq!(theme(&[("COLORTERM", "truecolor")]), Theme::True);
        assert_eq!(theme(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Theme::Plain);
        assert_eq!(theme(&[("NO_COLOR", "")]), Theme::Sixteen);
        assert_eq!(theme(&[("TERM", "dumb")]), Theme::Plain);
    }
}
