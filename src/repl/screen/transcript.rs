//! What the session has shown so far: cells with their outputs, as rows for any width, and where one looks in them.

use std::collections::VecDeque;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::theme::Theme;
use super::wrap::{markup_rows, settled, text_rows, wrap};
use crate::display::units::bytes;
use crate::display::{Markup, Role, to_lines};
use crate::repl::highlight;

/// Entries kept; the oldest go.
const ENTRIES_MAX: usize = 4_000;

/// Characters of one output kept: a screen is no place to read more.
const TEXT_MAX: usize = 400_000;

/// One thing that was shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    /// A cell; the memory it changed stands in the margin once it has ended.
    Input {
        /// Its number.
        number: u32,
        /// Its text.
        source: String,
        /// Bytes it added to (or took from) live device memory.
        delta: Option<i64>,
    },
    /// Text of the program, not ended while more of the same stream comes.
    Text {
        /// Whether it went to the error stream.
        is_error: bool,
        /// The text.
        text: String,
    },
    /// The value of a cell.
    Result {
        /// The number in `Out`.
        number: u32,
        /// The text.
        text: String,
    },
    /// What `display()`, magics, errors and notices show.
    Shown {
        /// The name under which it can be replaced.
        id: Option<String>,
        /// What it looks like.
        markup: Markup,
    },
}

struct Kept {
    entry: Entry,
    /// Rows for the width they were made for.
    rows: Option<(u16, Vec<Line<'static>>)>,
}

/// The scrolled session.
#[derive(Default)]
pub(super) struct Transcript {
    entries: VecDeque<Kept>,
    /// Rows between the end and the last row in sight; zero follows what comes.
    back: usize,
    /// Where the running cell's entries begin, counted from the first ever.
    cell_start: usize,
    dropped: usize,
    /// Whether the next output replaces those of the cell.
    clear_next: bool,
}

impl Transcript {
    /// Shows a cell that begins to run.
    pub(super) fn begin(&mut self, number: u32, source: &str) {
        self.push(Entry::Input { number, source: source.trim_end().to_owned(), delta: None });
        self.cell_start = self.dropped + self.entries.len();
        self.clear_next = false;
        self.back = 0;
    }

    /// Puts the bytes a cell added into its margin.
    pub(super) fn end(&mut self, bytes: i64) {
        let last_input = self.entries.iter_mut().rev().find(|kept| matches!(kept.entry, Entry::Input { .. }));
        if let Some(kept) = last_input
            && let Entry::Input { delta, .. } = &mut kept.entry
        {
            *delta = Some(bytes);
            kept.rows = None;
        }
    }

    /// Adds text of the program.
    pub(super) fn text(&mut self, is_error: bool, more: &str) {
        self.clear_if_asked();
        if let Some(kept) = self.entries.back_mut()
            && let Entry::Text { is_error: same, text } = &mut kept.entry
            && *same == is_error
        {
            text.push_str(more);
            trim(text);
            kept.rows = None;
            return;
        }
        self.push(Entry::Text { is_error, text: more.to_owned() });
    }

    /// Adds a cell's value.
    pub(super) fn result(&mut self, number: u32, text: &str) {
        self.clear_if_asked();
        let mut text = text.to_owned();
        trim(&mut text);
        self.push(Entry::Result { number, text });
    }

    /// Adds a display; with `replaces`, the one under the same name changes instead.
    pub(super) fn shown(&mut self, id: Option<String>, markup: Markup, replaces: bool) {
        self.clear_if_asked();
        if replaces && id.is_some() {
            let same = |kept: &&mut Kept| matches!(&kept.entry, Entry::Shown { id: known, .. } if *known == id);
            if let Some(kept) = self.entries.iter_mut().rev().find(same) {
                kept.entry = Entry::Shown { id, markup };
                kept.rows = None;
                return;
            }
        }
        self.push(Entry::Shown { id, markup });
    }

    /// Takes away what the running cell has shown, at once or with its next output.
    pub(super) fn clear_cell(&mut self, wait: bool) {
        self.clear_next = wait;
        if !wait {
            self.entries.truncate(self.cell_start.saturating_sub(self.dropped));
        }
    }

    fn clear_if_asked(&mut self) {
        if std::mem::take(&mut self.clear_next) {
            self.clear_cell(false);
        }
    }

    /// Forgets everything (Ctrl-L).
    pub(super) fn clear(&mut self) {
        self.dropped += self.entries.len();
        self.entries.clear();
        self.back = 0;
    }

    fn push(&mut self, entry: Entry) {
        self.entries.push_back(Kept { entry, rows: None });
        if self.entries.len() > ENTRIES_MAX {
            self.entries.pop_front();
            self.dropped += 1;
        }
    }

    /// Looks `rows` further back (or forward, negative).
    pub(super) fn scroll(&mut self, rows: isize) {
        self.back = self.back.saturating_add_signed(rows);
    }

    /// Looks at the end again.
    pub(super) fn follow(&mut self) {
        self.back = 0;
    }

    /// Rows hidden below what is in sight.
    pub(super) fn rows_below(&self) -> usize {
        self.back
    }

    /// The rows in sight for an area, and how many stand above them.
    pub(super) fn rows(&mut self, theme: Theme, width: u16, height: u16) -> Vec<Line<'static>> {
        let wanted = usize::from(height) + self.back;
        let mut taken: Vec<Line<'static>> = Vec::new();
        // From the end, only as far as is in sight: what stands above costs nothing.
        for kept in self.entries.iter_mut().rev() {
            if taken.len() >= wanted {
                break;
            }
            let fits = kept.rows.as_ref().is_some_and(|(made_for, _)| *made_for == width);
            if !fits {
                kept.rows = Some((width, entry_rows(&kept.entry, theme, usize::from(width))));
            }
            if let Some((_, rows)) = &kept.rows {
                taken.extend(rows.iter().rev().cloned());
            }
        }
        // Not further back than the first row.
        self.back = self.back.min(taken.len().saturating_sub(usize::from(height)));
        let mut rows: Vec<Line<'static>> = taken.into_iter().skip(self.back).take(usize::from(height)).collect();
        rows.reverse();
        rows
    }
}

fn trim(text: &mut String) {
    if text.len() <= TEXT_MAX {
        return;
    }
    let mut start = text.len() - TEXT_MAX / 2;
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let kept = format!("... {} characters left out ...\n{}", start, &text[start..]);
    *text = kept;
}

fn entry_rows(entry: &Entry, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let mut rows = match entry {
        Entry::Input { number, source, delta } => return input_rows(*number, source, *delta, theme, width),
        Entry::Text { is_error, text } => {
            let text = settled(text);
            let style = if *is_error { theme.role(Role::Error) } else { Style::new() };
            return text_rows(text.strip_suffix('\n').unwrap_or(&text), style, width);
        }
        Entry::Result { number, text } => {
            let label = format!("Out[{number}]: ");
            let mut lines = text.trim_end_matches('\n').split('\n');
            if text.contains('\n') {
                let mut rows = wrap(&[(theme.answer(), label.trim_end())], width);
                rows.extend(lines.flat_map(|line| wrap(&[(Style::new(), line)], width)));
                rows
            } else {
                wrap(&[(theme.answer(), &label), (Style::new(), lines.next().unwrap_or(""))], width)
            }
        }
        Entry::Shown { markup, .. } => {
            let mut rows = markup_rows(markup, theme, width);
            while rows.last().is_some_and(|row| row.width() == 0) {
                rows.pop();
            }
            rows
        }
    };
    rows.push(Line::default());
    rows
}

fn input_rows(number: u32, source: &str, delta: Option<i64>, theme: Theme, width: usize) -> Vec<Line<'static>> {
    let prompt = format!("In [{number}]: ");
    let indent = continuation(prompt.len());
    let mut rows = Vec::new();
    for (index, line) in to_lines(&highlight::markup(source), usize::MAX).iter().enumerate() {
        let lead =
            if index == 0 { (theme.prompt(), prompt.as_str()) } else { (theme.role(Role::Dim), indent.as_str()) };
        let mut runs = vec![lead];
        runs.extend(line.iter().map(|(role, text)| (theme.role(*role), text.as_str())));
        rows.extend(wrap(&runs, width));
    }
    if let (Some(text), Some(first)) = (delta.and_then(delta_text), rows.first_mut()) {
        let used = first.width() + text.chars().count() + 1;
        if used <= width {
            first.push_span(Span::raw(" ".repeat(width - used + 1)));
            first.push_span(Span::styled(text, theme.role(Role::Number)));
        }
    }
    rows
}

/// `   ...: `, as wide as a prompt.
pub(super) fn continuation(width: usize) -> String {
    format!("{:>width$}", "...: ")
}

/// What stands in a cell's margin: nothing when memory stayed as it was.
fn delta_text(delta: i64) -> Option<String> {
    (delta != 0).then(|| format!("{}{}", if delta > 0 { "+" } else { "-" }, bytes(delta.unsigned_abs())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(transcript: &mut Transcript, width: u16, height: u16) -> Vec<String> {
        transcript.rows(Theme::Plain, width, height).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_cell_its_outputs_and_its_memory_stand_in_order() {
        let mut transcript = Transcript::default();
        transcript.begin(1, "a = 1\nb = 2\n");
        transcript.text(false, "50%\r");
        transcript.text(false, "100%\n");
        transcript.result(1, "3");
        transcript.end(8 << 20);
        assert_eq!(
            sight(&mut transcript, 30, 10),
            ["In [1]: a = 1        +8.00 MiB", "   ...: b = 2", "100%", "Out[1]: 3", ""]
        );
    }

    #[test]
    fn looking_back_ends_at_the_first_row_and_new_cells_bring_the_end() {
        let mut transcript = Transcript::default();
        transcript.begin(1, "x");
        for line in 0..10 {
            transcript.text(false, &format!("{line}\n"));
        }
        assert_eq!(sight(&mut transcript, 20, 3), ["7", "8", "9"]);
        transcript.scroll(2);
        assert_eq!(sight(&mut transcript, 20, 3), ["5", "6", "7"]);
        transcript.scroll(100);
        assert_eq!(sight(&mut transcript, 20, 3)[0], "In [1]: x");
        transcript.begin(2, "y");
        assert_eq!(sight(&mut transcript, 20, 3).last().map(String::as_str), Some("In [2]: y"));
    }

    #[test]
    fn outputs_are_cleared_and_replaced_within_their_cell() {
        let mut transcript = Transcript::default();
        transcript.begin(1, "x");
        transcript.shown(Some("id".into()), "first".into(), false);
        transcript.shown(Some("id".into()), "second".into(), true);
        assert_eq!(sight(&mut transcript, 20, 5), ["In [1]: x", "second", ""]);
        transcript.clear_cell(true);
        assert_eq!(sight(&mut transcript, 20, 5).len(), 3, "it waits for what comes");
        transcript.text(false, "new\n");
        assert_eq!(sight(&mut transcript, 20, 5), ["In [1]: x", "new"]);
    }

    #[test]
    fn an_endless_output_keeps_its_end() {
        let mut text = "é".repeat(TEXT_MAX);
        trim(&mut text);
        assert!(text.len() < TEXT_MAX && text.ends_with('é') && text.starts_with("... "));
    }
}
