//! The line editor: completion from the session, colours, hints from the history, and an Enter key that knows whether the
//! cell is whole.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::{Hinter, HistoryHinter};
use rustyline::history::{History as _, MemHistory};
use rustyline::{
    Cmd, CompletionType, ConditionalEventHandler, Context, Event, EventContext, EventHandler, Helper, KeyCode,
    KeyEvent, Modifiers, RepeatCount, Validator,
};

use super::{Look, highlight};
use crate::session::{Completeness, HistoryQuery, Session, completeness};

/// Cells of earlier sessions that the arrow keys reach.
const RECALLED: usize = 1000;

/// A prompt in its plain and coloured form; both are equally wide.
pub(super) struct Prompt {
    plain: String,
    coloured: String,
}

impl Prompt {
    /// `In [7]: `
    pub(super) fn input(number: u32, look: Look) -> Self {
        let plain = format!("In [{number}]: ");
        let coloured = if look.has_colour {
            format!("\x1b[32mIn [\x1b[1m{number}\x1b[0m\x1b[32m]: \x1b[0m")
        } else {
            plain.clone()
        };
        Self { plain, coloured }
    }
}

/// The editor of cells.
pub(super) struct Editor {
    lines: rustyline::Editor<CellHelper, MemHistory>,
    next: Option<String>,
}

impl Editor {
    pub(super) fn new(session: &Rc<RefCell<Session>>, look: Look) -> Result<Self, ReadlineError> {
        let config = rustyline::Config::builder()
            .history_ignore_dups(true)?
            .completion_type(CompletionType::List)
            .auto_add_history(false)
            .tab_stop(4)
            .build();
        let mut lines = rustyline::Editor::with_history(config, MemHistory::with_config(&config_of_history()?))?;
        lines.set_helper(Some(CellHelper { session: session.clone(), look, hinter: HistoryHinter::new() }));
        lines.bind_sequence(
            Event::KeySeq(vec![KeyEvent(KeyCode::Enter, Modifiers::NONE)]),
            EventHandler::Conditional(Box::new(EnterKey)),
        );
        lines.bind_sequence(
            Event::KeySeq(vec![KeyEvent(KeyCode::Enter, Modifiers::ALT)]),
            EventHandler::Simple(Cmd::Newline),
        );
        lines.bind_sequence(
            Event::KeySeq(vec![KeyEvent(KeyCode::Tab, Modifiers::NONE)]),
            EventHandler::Conditional(Box::new(TabKey)),
        );
        for entry in session.borrow().history(&HistoryQuery::Tail { count: RECALLED }) {
            lines.history_mut().add(&entry.source)?;
        }
        Ok(Self { lines, next: None })
    }

    /// Puts a text into the next prompt.
    pub(super) fn set_next(&mut self, text: String) {
        self.next = Some(text);
    }

    /// Reads one cell.
    pub(super) fn read(&mut self, prompt: &Prompt) -> Result<String, ReadlineError> {
        let shown = (prompt.plain.as_str(), prompt.coloured.as_str());
        let cell = match self.next.take() {
            Some(text) => self.lines.readline_with_initial(&shown, (&text, ""))?,
            None => self.lines.readline(&shown)?,
        };
        if !cell.trim().is_empty() {
            self.lines.add_history_entry(cell.trim_end())?;
        }
        Ok(cell)
    }
}

fn config_of_history() -> Result<rustyline::Config, ReadlineError> {
    Ok(rustyline::Config::builder().history_ignore_dups(true)?.max_history_size(10_000)?.build())
}

/// Enter runs a whole cell and otherwise goes on with the indent that fits.
struct EnterKey;

impl ConditionalEventHandler for EnterKey {
    fn handle(&self, _event: &Event, _n: RepeatCount, _positive: bool, context: &EventContext) -> Option<Cmd> {
        let (text, cursor) = (context.line(), context.pos());
        Some(match on_enter(text, cursor) {
            Some(indent) => Cmd::Insert(1, format!("\n{indent}")),
            None => Cmd::AcceptLine,
        })
    }
}

/// The indent with which the cell goes on, nothing when it is to run.
pub(super) fn on_enter(text: &str, cursor: usize) -> Option<String> {
    if text[cursor..].contains('\n') {
        // In the middle of a cell Enter opens a line, indented as the one the cursor is in.
        let line = text[..cursor].rsplit('\n').next().unwrap_or("");
        return Some(line.chars().take_while(|c| c.is_whitespace()).collect());
    }
    match completeness(text) {
        Completeness::Incomplete { indent } => Some(indent),
        Completeness::Complete | Completeness::Invalid => None,
    }
}

/// Tab indents where there is nothing to complete.
struct TabKey;

impl ConditionalEventHandler for TabKey {
    fn handle(&self, _event: &Event, _n: RepeatCount, _positive: bool, context: &EventContext) -> Option<Cmd> {
        let line = context.line()[..context.pos()].rsplit('\n').next().unwrap_or("");
        let is_blank = line.chars().all(char::is_whitespace);
        is_blank.then(|| Cmd::Insert(1, " ".repeat(4 - line.len() % 4)))
    }
}

#[derive(Helper, Validator)]
struct CellHelper {
    session: Rc<RefCell<Session>>,
    look: Look,
    hinter: HistoryHinter,
}

impl Completer for CellHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, pos: usize, _context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        // The session is borrowed only while a cell runs, and then nobody types.
        let Ok(mut session) = self.session.try_borrow_mut() else { return Ok((pos, Vec::new())) };
        let found = session.complete(line, pos);
        let pair = |text: String| Pair { display: text.clone(), replacement: text };
        Ok((found.start, found.matches.into_iter().map(|found| pair(found.text)).collect()))
    }
}

impl Hinter for CellHelper {
    type Hint = String;

    fn hint(&self, line: &str, pos: usize, context: &Context<'_>) -> Option<String> {
        // A hint of several lines would move the screen at each key.
        self.hinter.hint(line, pos, context).filter(|hint| !hint.contains('\n') && !line.is_empty())
    }
}

impl Highlighter for CellHelper {
    fn highlight<'l>(&self, line: &'l str, _pos: usize) -> Cow<'l, str> {
        if self.look.has_colour { highlight::coloured(line).into() } else { line.into() }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _default: bool) -> Cow<'b, str> {
        prompt.into()
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        if self.look.has_colour { format!("\x1b[2m{hint}\x1b[0m").into() } else { hint.into() }
    }

    fn highlight_char(&self, _line: &str, _pos: usize, _kind: CmdKind) -> bool {
        self.look.has_colour
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enter_runs_whole_cells_and_goes_on_with_the_others() {
        assert_eq!(on_enter("a = 1", 5), None);
        assert_eq!(on_enter("def f():", 8), Some("    ".to_owned()));
        assert_eq!(on_enter("def f():\n    return 1\n", 22), None);
        assert_eq!(on_enter("f(1,", 4).map(|indent| indent.trim().to_owned()), Some(String::new()));
        assert_eq!(on_enter("a b", 3), None, "what cannot become right runs and shows its error");
    }

    #[test]
    fn enter_within_a_cell_opens_a_line_at_its_depth() {
        let text = "def f():\n    x = 1\n    y = 2";
        assert_eq!(on_enter(text, 18), Some("    ".to_owned()));
        assert_eq!(on_enter(text, 8), Some(String::new()));
    }
}
