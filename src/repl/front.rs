//! The terminal as a front end: results behind `Out[n]:`, errors and notices in colour, `input()` from the keyboard.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::{Completer, Helper, Hinter, Validator};
use unicode_width::UnicodeWidthStr;

use super::{Look, render};
use crate::arrays::ledger;
use crate::display::{Markup, Role};
use crate::gauges::Gauge;
use crate::session::{CellEvent, Frontend, FrontendGone, Interrupt, ReadLineError, Stream};

/// Columns assumed where the terminal does not say.
const WIDTH_UNKNOWN: usize = 80;

/// A person's terminal.
pub(super) struct TerminalFrontend {
    look: Look,
    interrupt: Interrupt,
    /// Whether the last text ended within a line, so that what follows starts a new one.
    is_within_line: Cell<bool>,
    out: RefCell<io::Stdout>,
    /// The display shown last, by its name, and the lines it takes, as long as nothing stands below it.
    last_display: RefCell<Option<(String, usize)>>,
}

impl TerminalFrontend {
    pub(super) fn new(look: Look, interrupt: Interrupt) -> Self {
        Self {
            look,
            interrupt,
            is_within_line: Cell::new(false),
            out: RefCell::new(io::stdout()),
            last_display: RefCell::default(),
        }
    }

    /// Writes a line of the REPL's own.
    pub(super) fn say(&self, text: &str) {
        let _ = self.write(text);
    }

    /// Writes a line of the REPL's own to the error stream.
    pub(super) fn complain(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }

    /// Ends what a cell has shown: a line end where one is missing, and a gauge where device memory changed.
    pub(super) fn finish_cell(&self, before: Vec<u64>) {
        let _ = self.new_line();
        for (reading, before) in ledger::readings().into_iter().zip(before.into_iter().chain(std::iter::repeat(0))) {
            if reading.here.live != before {
                let line = Markup::of(Role::Dim, "").then(Gauge { reading }.line());
                let _ = self.write(&format!("{}\n", render(&line, self.look, self.width())));
            }
        }
        let _ = self.write("\n");
    }

    fn write(&self, text: &str) -> Result<(), FrontendGone> {
        if text.is_empty() {
            return Ok(());
        }
        self.last_display.take();
        let mut out = self.out.borrow_mut();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|_| FrontendGone)?;
        self.is_within_line.set(!text.ends_with('\n'));
        Ok(())
    }

    fn new_line(&self) -> Result<(), FrontendGone> {
        if self.is_within_line.get() { self.write("\n") } else { Ok(()) }
    }

    fn block(&self, markup: &Markup) -> Result<(), FrontendGone> {
        self.new_line()?;
        let text = render(markup, self.look, self.width());
        self.write(&format!("{}\n", text.trim_end_matches('\n')))
    }
}

impl TerminalFrontend {
    /// Shows text; an update takes the place of what it updates where that still stands last, else it stands anew.
    fn display(&self, text: &str, id: Option<String>, is_update: bool) -> Result<(), FrontendGone> {
        let last = self.last_display.take();
        if let (Some((shown, lines)), Some(id), true, true) = (last, &id, is_update, self.look.can_move)
            && shown == *id
        {
            // Up to its first line, and everything below goes.
            self.write(&format!("\x1b[{lines}F\x1b[J"))?;
        }
        self.block(&Markup::text(text))?;
        if let Some(id) = id {
            let columns = self.width().max(1);
            let lines = text.trim_end_matches('\n').lines().map(|line| line.width().div_ceil(columns).max(1)).sum();
            *self.last_display.borrow_mut() = Some((id, lines));
        }
        Ok(())
    }
}

/// Live bytes of each device, to be compared after a cell.
pub(super) fn live_bytes() -> Vec<u64> {
    ledger::readings().iter().map(|reading| reading.here.live).collect()
}

impl Frontend for TerminalFrontend {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        match event {
            CellEvent::Started { .. } => Ok(()),
            CellEvent::Text { stream: Stream::Stdout, text } => self.write(&text),
            CellEvent::Text { stream: Stream::Stderr, text } => {
                let text = if self.look.has_colour { format!("\x1b[31m{text}\x1b[0m") } else { text };
                self.write(&text)
            }
            CellEvent::Result { number, bundle } => {
                let text = bundle.plain_text();
                let gap = if text.contains('\n') { "\n" } else { "" };
                self.block(&Markup::of(Role::Error, format!("Out[{number}]: ")).plain(format!("{gap}{text}")))
            }
            CellEvent::Display { bundle, id, is_update } => self.display(bundle.plain_text(), id, is_update),
            CellEvent::Clear { .. } => {
                // Only what a terminal can do: the line the cursor stands in.
                if self.is_within_line.get() { self.write("\r\x1b[K") } else { Ok(()) }
            }
            CellEvent::Error(error) => self.block(&error.markup.flowing()),
            CellEvent::Notice(markup) => self.block(&markup.flowing()),
        }
    }

    fn read_line(&self, prompt: &str, hidden: bool) -> Result<String, ReadLineError> {
        let config = rustyline::Config::builder().auto_add_history(false).build();
        let mut editor = rustyline::Editor::<Answer, rustyline::history::MemHistory>::with_history(
            config,
            rustyline::history::MemHistory::new(),
        )
        .map_err(|_| ReadLineError::NotSupported)?;
        editor.set_helper(Some(Answer { is_hidden: hidden }));
        // The editor draws the prompt itself; only the part before its last line end is printed here.
        let (before, last) = prompt.rsplit_once('\n').map_or(("", prompt), |(before, last)| (before, last));
        if !before.is_empty() {
            let _ = self.write(&format!("{before}\n"));
        }
        let line = editor.readline(last);
        self.is_within_line.set(false);
        match line {
            Ok(line) => Ok(line),
            Err(ReadlineError::Interrupted) => {
                self.interrupt.clear();
                Err(ReadLineError::Interrupted)
            }
            Err(_) => Err(ReadLineError::End),
        }
    }

    fn width(&self) -> usize {
        rustix::termios::tcgetwinsize(io::stdout())
            .ok()
            .map(|size| usize::from(size.ws_col))
            .filter(|columns| *columns > 0)
            .unwrap_or(WIDTH_UNKNOWN)
    }
}

/// The editor's helper for answers to `input()`: nothing, or blanks where the answer is secret.
#[derive(Helper, Completer, Hinter, Validator)]
struct Answer {
    is_hidden: bool,
}

impl Highlighter for Answer {
    fn highlight<'l>(&self, line: &'l str, _pos: usize) -> std::borrow::Cow<'l, str> {
        if self.is_hidden { " ".repeat(line.chars().count()).into() } else { line.into() }
    }

    fn highlight_char(&self, _line: &str, _pos: usize, _kind: CmdKind) -> bool {
        self.is_hidden
    }
}
