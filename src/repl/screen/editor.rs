//! The cell being written: text and cursor (the model is `ratatui-textarea`), the history under the arrow keys, indent,
//! brackets, and its rows on the screen.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui_textarea::{CursorMove, DataCursor, TextArea};
use unicode_width::UnicodeWidthChar;

use super::theme::Theme;
use super::transcript::continuation;
use crate::display::{Role, to_lines};
use crate::repl::highlight;

/// The editor of one cell.
pub(super) struct Editor {
    area: TextArea<'static>,
    /// Cells typed before, oldest first.
    history: Vec<String>,
    /// Where in the history one looks, and what was being written before.
    recalled: Option<(usize, String)>,
}

/// Rows of the cell and where the cursor stands in them.
pub(super) struct Rows {
    pub(super) rows: Vec<Line<'static>>,
    /// Row and column.
    pub(super) cursor: (u16, u16),
}

impl Editor {
    /// An empty cell over a history.
    pub(super) fn new(history: Vec<String>) -> Editor {
        Editor { area: fresh(""), history, recalled: None }
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether nothing is written.
    pub(super) fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// The byte in the text before which the cursor stands.
    pub(super) fn cursor(&self) -> usize {
        let DataCursor(row, column) = self.area.cursor();
        let before: usize = self.area.lines()[..row].iter().map(|line| line.len() + 1).sum();
        before + byte_of(&self.area.lines()[row], column)
    }

    /// Replaces the text, the cursor at its end.
    pub(super) fn set(&mut self, text: &str) {
        self.area = fresh(text);
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
    }

    /// Takes the text as a cell to run and starts a new one.
    pub(super) fn take(&mut self) -> String {
        let text = self.text();
        if !text.trim().is_empty() && self.history.last() != Some(&text) {
            self.history.push(text.clone());
        }
        self.recalled = None;
        self.area = fresh("");
        text
    }

    /// Throws the text away.
    pub(super) fn clear(&mut self) {
        self.recalled = None;
        self.area = fresh("");
    }

    /// Puts pasted text in, with line ends as ours.
    pub(super) fn paste(&mut self, text: &str) {
        self.area.insert_str(text.replace("\r\n", "\n").replace('\r', "\n"));
    }

    /// Opens a line with an indent.
    pub(super) fn open_line(&mut self, indent: &str) {
        self.area.insert_newline();
        self.area.insert_str(indent);
    }

    /// Replaces the bytes `start..end` of the text.
    pub(super) fn replace(&mut self, start: usize, end: usize, with: &str) {
        let text = self.text();
        let Some(part) = text.get(start..end) else { return };
        let before = &text[..start];
        let row = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap_or("").chars().count();
        let (Ok(row), Ok(column)) = (u16::try_from(row), u16::try_from(column)) else { return };
        self.area.move_cursor(CursorMove::Jump(row, column));
        self.area.delete_str(part.chars().count());
        self.area.insert_str(with);
    }

    /// Whether only blanks stand before the cursor in its line.
    pub(super) fn is_in_indent(&self) -> bool {
        let DataCursor(row, column) = self.area.cursor();
        self.area.lines()[row].chars().take(column).all(char::is_whitespace)
    }

    /// Indents the line by blanks up to the next multiple of four.
    pub(super) fn indent(&mut self) {
        let DataCursor(_, column) = self.area.cursor();
        self.area.insert_str(" ".repeat(4 - column % 4));
    }

    /// Takes up to four blanks from the start of the line.
    pub(super) fn dedent(&mut self) {
        let DataCursor(row, column) = self.area.cursor();
        let blanks = self.area.lines()[row].chars().take(4).take_while(|character| *character == ' ').count();
        if blanks == 0 {
            return;
        }
        let (Ok(line), Ok(back)) = (u16::try_from(row), u16::try_from(column.saturating_sub(blanks))) else { return };
        self.area.move_cursor(CursorMove::Jump(line, 0));
        self.area.delete_str(blanks);
        self.area.move_cursor(CursorMove::Jump(line, back));
    }

    /// What a key does to the text; false when it means nothing here.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Up if !control && !alt => self.up(),
            KeyCode::Down if !control && !alt => self.down(),
            KeyCode::Backspace if !control && !alt && self.is_in_indent() => self.backspace_in_indent(),
            // As shells have it, not as the library: to the line's start, undo, redo.
            KeyCode::Char('u') if control => self.area.delete_line_by_head(),
            KeyCode::Char('_' | '/' | '7') if control => self.area.undo(),
            KeyCode::Char('_' | '/') if alt => self.area.redo(),
            KeyCode::Left if control => self.moved(CursorMove::WordBack),
            KeyCode::Right if control => self.moved(CursorMove::WordForward),
            _ => {
                self.area.input(key);
                true
            }
        }
    }

    fn moved(&mut self, to: CursorMove) -> bool {
        self.area.move_cursor(to);
        true
    }

    fn backspace_in_indent(&mut self) -> bool {
        let DataCursor(_, column) = self.area.cursor();
        let blanks = if column == 0 { 1 } else { (column - 1) % 4 + 1 };
        for _ in 0..blanks {
            self.area.delete_char();
        }
        true
    }

    fn up(&mut self) -> bool {
        if self.area.cursor().0 > 0 {
            return self.moved(CursorMove::Up);
        }
        let from = self.recalled.as_ref().map_or(self.history.len(), |(at, _)| *at);
        if let Some(at) = from.checked_sub(1) {
            self.recall(at);
        }
        true
    }

    fn down(&mut self) -> bool {
        if self.area.cursor().0 + 1 < self.area.lines().len() {
            return self.moved(CursorMove::Down);
        }
        match self.recalled.take() {
            Some((at, written)) if at + 1 < self.history.len() => {
                self.recalled = Some((at, written));
                self.recall(at + 1);
            }
            Some((_, written)) => self.set(&written),
            None => {}
        }
        true
    }

    fn recall(&mut self, at: usize) {
        let written = self.recalled.take().map_or_else(|| self.text(), |(_, written)| written);
        let text = self.history[at].clone();
        self.set(&text);
        self.recalled = Some((at, written));
    }

    /// The newest cell before `before` (counted from the oldest) that contains a text.
    pub(super) fn search(&self, needle: &str, before: usize) -> Option<(usize, &str)> {
        let until = before.min(self.history.len());
        let found = self.history[..until].iter().rposition(|cell| cell.contains(needle))?;
        Some((found, &self.history[found]))
    }

    /// How many cells the history has.
    pub(super) fn history_len(&self) -> usize {
        self.history.len()
    }

    /// The rows of the cell under a prompt.
    pub(super) fn rows(&self, prompt: &str, theme: Theme, width: usize) -> Rows {
        let text = self.text();
        let partner = partners(&text, self.cursor());
        let indent = continuation(prompt.len());
        let (mut rows, mut cursor) = (Vec::new(), (0, 0));
        let DataCursor(cursor_row, cursor_column) = self.area.cursor();
        let mut byte = 0;
        for (number, line) in to_lines(&highlight::markup(&text), usize::MAX).iter().enumerate() {
            let lead = if number == 0 {
                Span::styled(prompt.to_owned(), theme.prompt())
            } else {
                Span::styled(indent.clone(), theme.role(Role::Dim))
            };
            let mut layout = Layout {
                width: width.max(prompt.len() + 2),
                margin: prompt.len(),
                rows: vec![vec![lead]],
                column: prompt.len(),
            };
            let mut column = 0;
            for (role, part) in line {
                for character in part.chars() {
                    if (number, column) == (cursor_row, cursor_column) {
                        cursor = layout.here(rows.len(), character);
                    }
                    let style = match partner {
                        Some(pair) if pair.contains(&byte) => theme.role(*role).patch(theme.bracket()),
                        _ => theme.role(*role),
                    };
                    layout.put(character, style);
                    byte += character.len_utf8();
                    column += 1;
                }
            }
            if (number, column) == (cursor_row, cursor_column) {
                cursor = layout.here(rows.len(), ' ');
            }
            byte += 1;
            rows.extend(layout.rows.into_iter().map(Line::from));
        }
        Rows { rows, cursor }
    }
}

/// One line of the cell on its way to rows.
struct Layout {
    width: usize,
    margin: usize,
    rows: Vec<Vec<Span<'static>>>,
    column: usize,
}

impl Layout {
    fn put(&mut self, character: char, style: Style) {
        let columns = character.width().unwrap_or(0);
        if self.column + columns > self.width {
            self.rows.push(vec![Span::raw(" ".repeat(self.margin))]);
            self.column = self.margin;
        }
        self.column += columns;
        let Some(row) = self.rows.last_mut() else { return };
        match row.last_mut() {
            Some(span) if span.style == style && row_is_text(span, self.margin) => {
                span.content.to_mut().push(character)
            }
            _ => row.push(Span::styled(character.to_string(), style)),
        }
    }

    /// Where a cursor before `character` stands, given the rows above this line.
    fn here(&self, above: usize, character: char) -> (u16, u16) {
        let wraps = self.column + character.width().unwrap_or(0).max(1) > self.width;
        let (row, column) = if wraps { (self.rows.len(), self.margin) } else { (self.rows.len() - 1, self.column) };
        (u16::try_from(above + row).unwrap_or(u16::MAX), u16::try_from(column).unwrap_or(u16::MAX))
    }
}

/// Whether a span is text of the cell: prompts have a style or are the margin's blanks.
fn row_is_text(span: &Span<'_>, margin: usize) -> bool {
    span.content.chars().count() != margin || !span.content.trim().is_empty()
}

fn fresh(text: &str) -> TextArea<'static> {
    let lines = if text.is_empty() { vec![String::new()] } else { text.split('\n').map(String::from).collect() };
    let mut area = TextArea::new(lines);
    area.set_tab_length(4);
    area.set_max_histories(1_000);
    area
}

fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}

/// The bytes of the bracket at the cursor (or just before it) and of its partner; brackets in strings and comments do not
/// count.
fn partners(text: &str, cursor: usize) -> Option<[usize; 2]> {
    let mut brackets: Vec<(usize, char)> = Vec::new();
    let mut byte = 0;
    for piece in highlight::markup(text).pieces {
        let crate::display::Piece::Text(role, part) = piece else { continue };
        if role == Role::Plain {
            brackets.extend(part.char_indices().filter(|(_, c)| "()[]{}".contains(*c)).map(|(at, c)| (byte + at, c)));
        }
        byte += part.len();
    }
    let at = brackets
        .iter()
        .position(|(at, _)| *at == cursor)
        .or_else(|| brackets.iter().position(|(at, _)| Some(*at) == cursor.checked_sub(1)))?;
    let is_opening = "([{".contains(brackets[at].1);
    let mut depth = 0isize;
    let mut partner = |(_, bracket): &&(usize, char)| {
        depth += if "([{".contains(*bracket) == is_opening { 1 } else { -1 };
        depth == 0
    };
    let found = if is_opening {
        brackets[at..].iter().find(&mut partner)
    } else {
        brackets[..=at].iter().rev().find(&mut partner)
    };
    found.map(|(other, _)| [brackets[at].0, *other])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(editor: &mut Editor, code: KeyCode) {
        editor.key(KeyEvent::new(code, KeyModifiers::NONE));
    }

    fn control(editor: &mut Editor, letter: char) {
        editor.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    }

    #[test]
    fn arrows_reach_the_history_from_the_first_and_last_line() {
        let mut editor = Editor::new(vec!["one".into(), "two\nlines".into()]);
        editor.set("new");
        press(&mut editor, KeyCode::Up);
        assert_eq!(editor.text(), "two\nlines");
        press(&mut editor, KeyCode::Up);
        assert_eq!(editor.text(), "two\nlines", "it only moves within the cell");
        press(&mut editor, KeyCode::Up);
        assert_eq!(editor.text(), "one");
        press(&mut editor, KeyCode::Up);
        assert_eq!(editor.text(), "one");
        press(&mut editor, KeyCode::Down);
        press(&mut editor, KeyCode::Down);
        assert_eq!(editor.text(), "new", "what was being written comes back");
    }

    #[test]
    fn edits_can_be_undone_and_indents_taken_back() {
        let mut editor = Editor::new(Vec::new());
        editor.set("    x");
        control(&mut editor, 'a');
        press(&mut editor, KeyCode::End);
        control(&mut editor, 'u');
        assert_eq!(editor.text(), "");
        control(&mut editor, '_');
        assert_eq!(editor.text(), "    x");
        editor.dedent();
        assert_eq!(editor.text(), "x");
        editor.clear();
        editor.indent();
        assert_eq!((editor.text().as_str(), editor.cursor()), ("    ", 4));
        press(&mut editor, KeyCode::Backspace);
        assert_eq!(editor.text(), "");
    }

    #[test]
    fn a_part_is_replaced_where_it_stands() {
        let mut editor = Editor::new(Vec::new());
        editor.set("é = dp\ndpnp.ze");
        editor.replace(8, 15, "dpnp.zeros");
        assert_eq!(editor.text(), "é = dp\ndpnp.zeros");
        assert_eq!(editor.cursor(), "é = dp\ndpnp.zeros".len());
    }

    #[test]
    fn the_cursor_stands_where_the_text_is_shown() {
        let mut editor = Editor::new(Vec::new());
        editor.set("漢字 = 1\nabcdefgh");
        let shown = editor.rows("In [1]: ", Theme::Plain, 12);
        let rows: Vec<String> = shown.rows.iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["In [1]: 漢字", "         = 1", "   ...: abcd", "        efgh"]);
        assert_eq!(shown.cursor, (4, 8), "past a full row the cursor stands in the next");
    }

    #[test]
    fn brackets_find_their_partners_outside_of_strings() {
        assert_eq!(partners("f(a[1], ')')", 1), Some([1, 11]));
        assert_eq!(partners("f(a[1], ')')", 12), Some([11, 1]));
        assert_eq!(partners("f(a[1])", 3), Some([3, 5]));
        assert_eq!(partners("f(a", 1), None);
        assert_eq!(partners("abc", 1), None);
    }
}
