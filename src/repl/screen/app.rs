//! The state of the full-screen terminal and what each input does to it. Nothing here draws or waits: inputs come in,
//! effects go out, so that key sequences are tested without a terminal.

use std::collections::VecDeque;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::Value;

use super::editor::Editor;
use super::panel::Panel;
use super::popup::Popup;
use super::transcript::Transcript;
use crate::display::{Markup, Role};
use crate::repl::editor::on_enter;
use crate::session::{CellEvent, Completions, Stream};

/// Something that happened.
#[derive(Clone, Debug)]
pub(super) enum Input {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted in one piece.
    Paste(String),
    /// The session has something to say.
    Report(Report),
    /// Someone outside sent the interrupt signal.
    InterruptSignal,
    /// The terminal has gone or the system wants the process to end; with the exit status.
    Hangup(u8),
    /// The terminal has other measures.
    Resize,
}

/// What the session says.
#[derive(Clone, Debug)]
pub(super) enum Report {
    /// It is ready: the next cell's number and the history, oldest first.
    Ready {
        /// The number the first cell takes.
        next_number: u32,
        /// Cells of earlier sessions.
        history: Vec<String>,
    },
    /// An event of the running cell.
    Cell(CellEvent),
    /// The cell has ended.
    Finished(Finished),
    /// `input()` wants a line.
    Question {
        /// What it asks.
        prompt: String,
        /// Whether the answer is secret.
        is_hidden: bool,
    },
    /// Completions that were asked for under a ticket.
    Completions {
        /// Whose answer this is.
        ticket: u64,
        /// The answer.
        found: Completions,
    },
    /// What is known about a name.
    Inspection {
        /// Whose answer this is.
        ticket: u64,
        /// The text; nothing for unknown names.
        text: Option<String>,
    },
    /// A newer state of memory (the object of `%mem --json`).
    Memory(Value),
    /// What `%mem` says while a cell runs, or why it says nothing.
    Explanation(Result<Markup, String>),
}

/// How a cell ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Finished {
    /// The number the next cell takes.
    pub(super) next_number: u32,
    /// Bytes of live device memory it added.
    pub(super) delta: i64,
    /// Whether cells that wait must not run.
    pub(super) has_failed: bool,
    /// The status with which the program asked to end.
    pub(super) exit: Option<u8>,
    /// Text for the next cell.
    pub(super) next_input: Option<String>,
    /// Help to read.
    pub(super) pages: Vec<String>,
}

/// Something the terminal must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// Run a cell.
    Run(String),
    /// Interrupt the running cell.
    Interrupt,
    /// Ask for completions.
    Complete {
        /// The ticket.
        ticket: u64,
        /// The text.
        source: String,
        /// The byte in it.
        cursor: usize,
    },
    /// Ask what is known about the name at a place.
    Inspect {
        /// The ticket.
        ticket: u64,
        /// The text.
        source: String,
        /// The byte in it.
        cursor: usize,
    },
    /// Look at the memory between two cells.
    LookAtMemory,
    /// Answer `%mem` with what follows it, while a cell runs.
    Explain(String),
    /// Answer `input()`; nothing ends the input.
    Answer(Option<String>),
    /// Put text on the clipboard.
    Copy(String),
    /// Stop the process until the shell resumes it.
    Suspend,
    /// Leave with a status.
    Leave(u8),
}

/// Who has the keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// The editor.
    Edit,
    /// The memory panel.
    Panel,
    /// The panel's filter is being typed.
    Filter,
    /// The history is searched: what for, what was found, and what was being written.
    Search {
        /// What the cell must contain.
        needle: String,
        /// The cell's place in the history.
        found: Option<usize>,
        /// The text before the search.
        written: String,
    },
    /// Something is let go of after a yes.
    Confirm {
        /// What would run.
        statements: Vec<String>,
    },
    /// `input()` is answered.
    Ask {
        /// What it asks.
        prompt: String,
        /// Whether the answer is secret.
        is_hidden: bool,
        /// The answer so far.
        answer: String,
    },
    /// The keys are explained, or a page is read.
    Page {
        /// The text.
        text: String,
        /// The first line in sight.
        top: usize,
    },
}

/// The keys, for F1.
pub(super) const HELP: &str = "\
Enter         run the cell, or go on where it is not whole
Alt-Enter     always a new line
Tab           complete; in front of a line, indent
Shift-Tab     what the name is; in front of a line, dedent
Up, Down      within the cell, then through the history
Ctrl-R        search the history
Ctrl-C        interrupt the running cell; else clear the text
Ctrl-D        leave, in an empty cell         Ctrl-Z  suspend
Ctrl-/ Alt-/  undo, redo     Ctrl-W  delete word     Ctrl-U  to the start
PageUp/Down   look back in the session        Ctrl-L  clear the screen

F2            memory: the keys go to the panel (F3 hides or shows it)
  Up, Down    choose an allocation or one of its holders
  Enter       why is it alive        f  let go (asks first)
  s           other order            /  filter
  y           copy what lets go      Esc  back to the cell

%mem  what holds memory, in mid-cell too   %free  let go   %help  more

Esc or F1 closes this.";

/// Everything the screen shows.
pub(super) struct App {
    pub(super) transcript: Transcript,
    pub(super) editor: Editor,
    pub(super) panel: Panel,
    pub(super) popup: Option<Popup>,
    pub(super) mode: Mode,
    /// Whether the panel has been put away.
    pub(super) is_panel_hidden: bool,
    /// The number the next cell takes; nothing until the session is ready.
    pub(super) next_number: Option<u32>,
    /// Whether a cell runs.
    pub(super) is_running: bool,
    /// Cells that wait for the running one.
    pub(super) waiting: VecDeque<String>,
    /// One line to the person, until the next key.
    pub(super) message: Option<String>,
    ticket: u64,
}

impl App {
    /// An empty session.
    pub(super) fn new() -> App {
        App {
            transcript: Transcript::default(),
            editor: Editor::new(Vec::new()),
            panel: Panel::default(),
            popup: None,
            mode: Mode::Edit,
            is_panel_hidden: false,
            next_number: None,
            is_running: false,
            waiting: VecDeque::new(),
            message: None,
            ticket: 0,
        }
    }

    /// What an input does.
    pub(super) fn on(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) => self.on_key(key),
            Input::Paste(text) => {
                match &mut self.mode {
                    Mode::Ask { answer, .. } => answer.push_str(text.lines().next().unwrap_or("")),
                    Mode::Filter => self.panel.filter.push_str(&text),
                    Mode::Edit => {
                        self.popup = None;
                        self.editor.paste(&text);
                    }
                    Mode::Panel | Mode::Search { .. } | Mode::Confirm { .. } | Mode::Page { .. } => {}
                }
                Vec::new()
            }
            Input::Report(report) => self.on_report(report),
            Input::InterruptSignal => vec![Effect::Interrupt],
            Input::Hangup(status) => vec![Effect::Leave(status)],
            Input::Resize => Vec::new(),
        }
    }

    fn on_report(&mut self, report: Report) -> Vec<Effect> {
        match report {
            Report::Ready { next_number, history } => {
                self.next_number = Some(next_number);
                let written = self.editor.text();
                self.editor = Editor::new(history);
                self.editor.set(&written);
                return self.run_next();
            }
            Report::Cell(event) => self.on_cell_event(event),
            Report::Finished(finished) => return self.on_finished(finished),
            Report::Question { prompt, is_hidden } => {
                let (before, last) = prompt.rsplit_once('\n').map_or(("", &*prompt), |(before, last)| (before, last));
                if !before.is_empty() {
                    self.transcript.text(false, &format!("{before}\n"));
                }
                self.mode = Mode::Ask { prompt: last.to_owned(), is_hidden, answer: String::new() };
            }
            Report::Completions { ticket, found } if ticket == self.ticket => {
                let single = found.matches.len() == 1;
                let is_asked_again = self.popup.is_some();
                self.popup = Popup::new(found);
                if single && !is_asked_again {
                    self.accept();
                }
                return self.ask_about_match();
            }
            Report::Inspection { ticket, text } if ticket == self.ticket => match (&mut self.popup, text) {
                (Some(popup), text) => popup.doc = text,
                (None, Some(text)) => self.mode = Mode::Page { text, top: 0 },
                (None, None) => self.message = Some("nothing is known about this name".into()),
            },
            Report::Explanation(Ok(markup)) => self.mode = Mode::Page { text: markup.plain_text(), top: 0 },
            Report::Explanation(Err(fault)) => self.message = Some(fault),
            Report::Completions { .. } | Report::Inspection { .. } => {}
            Report::Memory(memory) => {
                // Where looking at everything takes long, a cell's end publishes totals only; between cells there is time.
                let is_partial = memory["omitted"].as_u64().is_some_and(|omitted| omitted > 0)
                    && memory["allocations"].as_array().is_none_or(Vec::is_empty);
                if is_partial && !self.is_running {
                    return vec![Effect::LookAtMemory];
                }
                self.panel.update(memory);
            }
        }
        Vec::new()
    }

    fn on_cell_event(&mut self, event: CellEvent) {
        match event {
            CellEvent::Started { number, source } => self.transcript.begin(number, &source),
            CellEvent::Text { stream, text } => self.transcript.text(stream == Stream::Stderr, &text),
            CellEvent::Result { number, bundle } => self.transcript.result(number, bundle.plain_text()),
            CellEvent::Display { bundle, id, is_update } => {
                self.transcript.shown(id, Markup::text(bundle.plain_text()), is_update);
            }
            CellEvent::Clear { wait } => self.transcript.clear_cell(wait),
            CellEvent::Error(error) => self.transcript.shown(None, error.markup.flowing(), false),
            CellEvent::Notice(markup) => {
                self.transcript.shown(None, Markup::of(Role::Dim, "").then(markup.flowing()), false)
            }
        }
    }

    fn on_finished(&mut self, finished: Finished) -> Vec<Effect> {
        self.is_running = false;
        self.next_number = Some(finished.next_number);
        self.transcript.end(finished.delta);
        if matches!(self.mode, Mode::Ask { .. }) {
            self.mode = Mode::Edit;
        }
        if let Some(status) = finished.exit {
            return vec![Effect::Leave(status)];
        }
        if let Some(text) = finished.next_input {
            self.editor.set(&text);
        }
        if let Some(text) = finished.pages.into_iter().next_back() {
            self.mode = Mode::Page { text, top: 0 };
        }
        if finished.has_failed && !self.waiting.is_empty() {
            let count = std::mem::take(&mut self.waiting).len();
            self.message = Some(format!("{count} waiting cell{} not run", if count == 1 { " was" } else { "s were" }));
        }
        self.run_next()
    }

    fn run_next(&mut self) -> Vec<Effect> {
        if self.is_running || self.next_number.is_none() {
            return Vec::new();
        }
        let Some(source) = self.waiting.pop_front() else { return Vec::new() };
        self.is_running = true;
        vec![Effect::Run(source)]
    }

    fn run(&mut self, source: String) -> Vec<Effect> {
        self.transcript.follow();
        self.waiting.push_back(source);
        self.run_next()
    }

    fn on_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.message = None;
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        // What means the same everywhere.
        match key.code {
            KeyCode::Char('c') if control && self.is_running => {
                self.popup = None;
                return vec![Effect::Interrupt];
            }
            KeyCode::Char('z') if control => return vec![Effect::Suspend],
            KeyCode::F(3) => {
                self.is_panel_hidden = !self.is_panel_hidden;
                if self.mode == Mode::Panel {
                    self.mode = Mode::Edit;
                }
                return Vec::new();
            }
            _ => {}
        }
        match &self.mode {
            Mode::Edit => self.on_edit_key(key, control),
            Mode::Panel => self.on_panel_key(key, control),
            Mode::Filter => self.on_filter_key(key, control),
            Mode::Search { .. } => self.on_search_key(key, control),
            Mode::Confirm { .. } => self.on_confirm_key(key),
            Mode::Ask { .. } => self.on_ask_key(key, control),
            Mode::Page { .. } => self.on_page_key(key, control),
        }
    }

    fn on_edit_key(&mut self, key: KeyEvent, control: bool) -> Vec<Effect> {
        if self.popup.is_some()
            && let Some(effects) = self.on_popup_key(key, control)
        {
            return effects;
        }
        match key.code {
            KeyCode::F(1) => self.mode = Mode::Page { text: HELP.into(), top: 0 },
            KeyCode::F(2) => {
                self.is_panel_hidden = false;
                self.mode = Mode::Panel;
            }
            KeyCode::Char('c') if control => self.editor.clear(),
            KeyCode::Char('d') if control && self.editor.is_empty() => {
                if self.is_running {
                    self.message = Some("a cell runs; Ctrl-C interrupts it".into());
                } else {
                    return vec![Effect::Leave(0)];
                }
            }
            KeyCode::Char('l') if control => self.transcript.clear(),
            KeyCode::Char('r') if control => {
                self.mode = Mode::Search { needle: String::new(), found: None, written: self.editor.text() };
            }
            KeyCode::PageUp => self.transcript.scroll(10),
            KeyCode::PageDown => self.transcript.scroll(-10),
            KeyCode::Up if control => self.transcript.scroll(1),
            KeyCode::Down if control => self.transcript.scroll(-1),
            KeyCode::Enter if key.modifiers.intersects(KeyModifiers::ALT | KeyModifiers::SHIFT) => {
                self.editor.open_line("")
            }
            KeyCode::Enter => return self.on_enter(),
            KeyCode::Tab if self.editor.is_in_indent() => self.editor.indent(),
            KeyCode::Tab => return self.complete(),
            KeyCode::BackTab if self.editor.is_in_indent() => self.editor.dedent(),
            KeyCode::BackTab => return self.inspect(self.editor.text(), self.editor.cursor()),
            KeyCode::Esc => {}
            _ => {
                self.editor.key(key);
                self.transcript.follow();
            }
        }
        Vec::new()
    }

    fn on_enter(&mut self) -> Vec<Effect> {
        let text = self.editor.text();
        if text.trim().is_empty() {
            return Vec::new();
        }
        match on_enter(&text, self.editor.cursor()) {
            Some(indent) => {
                self.editor.open_line(&indent);
                Vec::new()
            }
            None => {
                let source = self.editor.take();
                match line_of_mem(&source).filter(|_| self.is_running) {
                    Some(line) => vec![Effect::Explain(line.to_owned())],
                    None => self.run(source),
                }
            }
        }
    }

    fn complete(&mut self) -> Vec<Effect> {
        if self.is_running {
            self.message = Some("completion waits for the running cell".into());
            return Vec::new();
        }
        self.ticket += 1;
        vec![Effect::Complete { ticket: self.ticket, source: self.editor.text(), cursor: self.editor.cursor() }]
    }

    fn inspect(&mut self, source: String, cursor: usize) -> Vec<Effect> {
        if self.is_running {
            self.message = Some("inspection waits for the running cell".into());
            return Vec::new();
        }
        self.ticket += 1;
        vec![Effect::Inspect { ticket: self.ticket, source, cursor }]
    }

    /// Asks what the chosen match is, so that the pop-up can say it.
    fn ask_about_match(&mut self) -> Vec<Effect> {
        let Some(popup) = &self.popup else { return Vec::new() };
        let Some((source, cursor)) = popup.applied(&self.editor.text()) else { return Vec::new() };
        self.inspect(source, cursor)
    }

    /// What a key does to the pop-up; nothing when it is the editor's.
    fn on_popup_key(&mut self, key: KeyEvent, control: bool) -> Option<Vec<Effect>> {
        let popup = self.popup.as_mut()?;
        match key.code {
            KeyCode::Tab | KeyCode::Down => popup.choose(1),
            KeyCode::BackTab | KeyCode::Up => popup.choose(-1),
            KeyCode::PageDown => popup.choose(8),
            KeyCode::PageUp => popup.choose(-8),
            KeyCode::Enter => {
                self.accept();
                return Some(Vec::new());
            }
            KeyCode::Esc => {
                self.popup = None;
                return Some(Vec::new());
            }
            KeyCode::Char(character) if !control && (character.is_alphanumeric() || character == '_') => {
                self.editor.key(key);
                return Some(self.complete());
            }
            KeyCode::Backspace => {
                self.editor.key(key);
                return Some(self.complete());
            }
            _ => {
                self.popup = None;
                return None;
            }
        }
        Some(self.ask_about_match())
    }

    fn accept(&mut self) {
        if let Some(popup) = self.popup.take()
            && let Some(text) = popup.text()
        {
            self.editor.replace(popup.start(), popup.end(), text);
        }
    }

    fn on_panel_key(&mut self, key: KeyEvent, control: bool) -> Vec<Effect> {
        match key.code {
            KeyCode::Esc | KeyCode::F(2) | KeyCode::Char('q') => self.mode = Mode::Edit,
            KeyCode::Char('c' | 'd') if control => self.mode = Mode::Edit,
            KeyCode::F(1) => self.mode = Mode::Page { text: HELP.into(), top: 0 },
            KeyCode::Up | KeyCode::Char('k') => self.panel.choose(-1),
            KeyCode::Down | KeyCode::Char('j') => self.panel.choose(1),
            KeyCode::PageUp => self.panel.choose(-10),
            KeyCode::PageDown => self.panel.choose(10),
            KeyCode::Home => self.panel.choose(isize::MIN),
            KeyCode::Char('s') => self.panel.sort(),
            KeyCode::Char('/') => self.mode = Mode::Filter,
            KeyCode::Enter | KeyCode::Char('i') => {
                if let Some(row) = self.panel.chosen() {
                    self.mode = Mode::Edit;
                    return self.run(format!("%mem #{}", row.id));
                }
            }
            KeyCode::Char('y') => {
                if let Some(row) = self.panel.chosen() {
                    let text = row.let_go.join("\n");
                    self.message = Some(format!("copied: {}", row.let_go.join("; ")));
                    return vec![Effect::Copy(text)];
                }
            }
            KeyCode::Char('f') => match self.panel.chosen() {
                Some(row) if !row.let_go.is_empty() => self.mode = Mode::Confirm { statements: row.let_go },
                Some(_) => self.message = Some("nothing can let go of this one yet; Enter says why".into()),
                None => {}
            },
            _ => {}
        }
        Vec::new()
    }

    fn on_filter_key(&mut self, key: KeyEvent, control: bool) -> Vec<Effect> {
        match key.code {
            KeyCode::Enter => self.mode = Mode::Panel,
            KeyCode::Esc => {
                self.panel.filter.clear();
                self.mode = Mode::Panel;
            }
            KeyCode::Backspace => {
                self.panel.filter.pop();
            }
            KeyCode::Char('u') if control => self.panel.filter.clear(),
            KeyCode::Char(character) if !control => self.panel.filter.push(character),
            _ => {}
        }
        self.panel.choose(0);
        Vec::new()
    }

    fn on_confirm_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        let Mode::Confirm { statements } = std::mem::replace(&mut self.mode, Mode::Panel) else { return Vec::new() };
        if matches!(key.code, KeyCode::Char('y' | 'Y') | KeyCode::Enter) {
            if self.is_running {
                self.message = Some("it is let go of when the running cell has ended".into());
            }
            return self.run(statements.join("\n"));
        }
        Vec::new()
    }

    fn on_search_key(&mut self, key: KeyEvent, control: bool) -> Vec<Effect> {
        let Mode::Search { needle, found, written } = &mut self.mode else { return Vec::new() };
        let newest = self.editor.history_len();
        let mut before = newest;
        match key.code {
            KeyCode::Enter | KeyCode::Tab | KeyCode::Right | KeyCode::Left => {
                self.mode = Mode::Edit;
                return Vec::new();
            }
            KeyCode::Esc => {
                let written = std::mem::take(written);
                self.editor.set(&written);
                self.mode = Mode::Edit;
                return Vec::new();
            }
            KeyCode::Char('c' | 'g') if control => {
                let written = std::mem::take(written);
                self.editor.set(&written);
                self.mode = Mode::Edit;
                return Vec::new();
            }
            // Again: the one before.
            KeyCode::Char('r') if control => before = found.unwrap_or(newest),
            KeyCode::Up => before = found.unwrap_or(newest),
            KeyCode::Backspace => {
                needle.pop();
            }
            KeyCode::Char(character) if !control => {
                needle.push(character);
                // What is found may stay found.
                before = found.map_or(newest, |found| found + 1);
            }
            _ => return Vec::new(),
        }
        let hit = if needle.is_empty() { None } else { self.editor.search(needle, before) };
        match hit.map(|(at, text)| (at, text.to_owned())) {
            Some((at, text)) => {
                *found = Some(at);
                self.editor.set(&text);
            }
            None if needle.is_empty() => *found = None,
            None => self.message = Some(format!("no earlier cell with {needle:?}")),
        }
        Vec::new()
    }

    fn on_ask_key(&mut self, key: KeyEvent, control: bool) -> Vec<Effect> {
        let Mode::Ask { prompt, is_hidden, answer } = &mut self.mode else { return Vec::new() };
        match key.code {
            KeyCode::Enter => {
                let shown = if *is_hidden { String::new() } else { answer.clone() };
                self.transcript.text(false, &format!("{prompt}{shown}\n"));
                let answer = std::mem::take(answer);
                self.mode = Mode::Edit;
                return vec![Effect::Answer(Some(answer))];
            }
            KeyCode::Char('d') if control && answer.is_empty() => {
                self.mode = Mode::Edit;
                return vec![Effect::Answer(None)];
            }
            KeyCode::Char('u') if control => answer.clear(),
            KeyCode::Char(character) if !control => answer.push(character),
            KeyCode::Backspace => {
                answer.pop();
            }
            _ => {}
        }
        Vec::new()
    }

    fn on_page_key(&mut self, key: KeyEvent, control: bool) -> Vec<Effect> {
        let Mode::Page { text, top } = &mut self.mode else { return Vec::new() };
        let last = text.lines().count().saturating_sub(1);
        match key.code {
            KeyCode::Up | KeyCode::Char('k') => *top = top.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => *top = (*top + 1).min(last),
            KeyCode::PageUp => *top = top.saturating_sub(10),
            KeyCode::PageDown | KeyCode::Char(' ') => *top = (*top + 10).min(last),
            KeyCode::Esc | KeyCode::F(1) | KeyCode::Enter | KeyCode::Char('q') => self.mode = Mode::Edit,
            KeyCode::Char('c' | 'd') if control => self.mode = Mode::Edit,
            // Who types on writes the next cell: not a key of it is lost.
            KeyCode::Char(_) if !control => {
                self.mode = Mode::Edit;
                return self.on_edit_key(key, control);
            }
            _ => {}
        }
        Vec::new()
    }
}

/// What follows `%mem` where a text is nothing else and asks for no more than a snapshot tells.
fn line_of_mem(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("%mem")?;
    let is_whole_word = rest.is_empty() || rest.starts_with(' ');
    let is_plain = !rest.contains('\n') && !rest.split_whitespace().any(|word| word.starts_with('-'));
    (is_whole_word && is_plain).then(|| rest.trim())
}

#[cfg(test)]
mod tests;
