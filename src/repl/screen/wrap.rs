//! Lines of any length as rows of a screen: parted by display width, wide characters whole, combining marks with what they
//! stand on, control characters made harmless.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthChar;

use super::theme::Theme;
use crate::display::{Markup, to_lines};

/// Columns between two tab stops.
const TAB: usize = 8;

/// Rows of at most `width` columns for runs of styled text that are one line.
pub(super) fn wrap(runs: &[(Style, &str)], width: usize) -> Vec<Line<'static>> {
    let width = width.max(2);
    let mut rows: Vec<Vec<Span<'static>>> = vec![Vec::new()];
    let mut column = 0;
    for (style, text) in runs {
        let mut part = String::new();
        for character in text.chars() {
            let columns = character.width().unwrap_or(0);
            let blanks = if character == '\t' { TAB - column % TAB } else { 0 };
            if column + columns.max(blanks) > width {
                push(&mut rows, *style, &mut part);
                rows.push(Vec::new());
                column = 0;
            }
            if character == '\t' {
                let blanks = blanks.min(width - column);
                part.extend(std::iter::repeat_n(' ', blanks));
                column += blanks;
            } else if !character.is_control() {
                part.push(character);
                column += columns;
            }
        }
        push(&mut rows, *style, &mut part);
    }
    rows.into_iter().map(Line::from).collect()
}

fn push(rows: &mut [Vec<Span<'static>>], style: Style, part: &mut String) {
    if let Some(row) = rows.last_mut().filter(|_| !part.is_empty()) {
        row.push(Span::styled(std::mem::take(part), style));
    }
}

/// Rows of markup.
pub(super) fn markup_rows(markup: &Markup, theme: Theme, width: usize) -> Vec<Line<'static>> {
    to_lines(markup, width)
        .iter()
        .flat_map(|line| {
            let runs: Vec<(Style, &str)> = line.iter().map(|(role, text)| (theme.role(*role), text.as_str())).collect();
            wrap(&runs, width)
        })
        .collect()
}

/// Rows of plain text in one style.
pub(super) fn text_rows(text: &str, style: Style, width: usize) -> Vec<Line<'static>> {
    text.split('\n').flat_map(|line| wrap(&[(style, line)], width)).collect()
}

/// What a terminal would show of a program's text: escape sequences dropped, a carriage return going back to the line's
/// start, a backspace one character back.
pub(super) fn settled(text: &str) -> String {
    let mut lines = String::with_capacity(text.len());
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            lines.push('\n');
        }
        lines.push_str(&settled_line(line));
    }
    lines
}

fn settled_line(line: &str) -> String {
    if !line.contains(['\x1b', '\r', '\x08']) {
        return line.to_owned();
    }
    let mut cells: Vec<char> = Vec::new();
    let mut at = 0usize;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => at = 0,
            '\x08' => at = at.saturating_sub(1),
            '\x1b' => {
                if characters.next_if_eq(&'[').is_some() {
                    // Parameters, then one final character.
                    let last = characters.by_ref().find(|character| ('@'..='~').contains(character));
                    if last == Some('K') {
                        cells.truncate(at);
                    }
                } else if characters.next_if_eq(&']').is_some() {
                    // A title or a link, up to the bell or the string terminator.
                    while let Some(character) = characters.next() {
                        if character == '\x07' || (character == '\x1b' && characters.next_if_eq(&'\\').is_some()) {
                            break;
                        }
                    }
                } else {
                    characters.next();
                }
            }
            _ if at < cells.len() => {
                cells[at] = character;
                at += 1;
            }
            _ => {
                cells.push(character);
                at += 1;
            }
        }
    }
    cells.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, width: usize) -> Vec<String> {
        wrap(&[(Style::new(), text)], width).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn rows_hold_whole_characters() {
        assert_eq!(rows("abcdef", 4), ["abcd", "ef"]);
        assert_eq!(rows("漢字漢", 5), ["漢字", "漢"], "a wide character is never halved");
        assert_eq!(rows("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(rows("", 4), [""]);
        assert_eq!(rows("a\tb", 20), ["a       b"]);
        assert_eq!(rows("a\x07b", 20), ["ab"]);
    }

    #[test]
    fn program_text_settles_as_on_a_terminal() {
        assert_eq!(settled("50%\r100%\nx"), "100%\nx");
        assert_eq!(settled("long\rab"), "abng");
        assert_eq!(settled("long\r\x1b[Kab"), "ab");
        assert_eq!(settled("\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x07"), "red link");
        assert_eq!(settled("abc\x08d"), "abd");
    }
}
