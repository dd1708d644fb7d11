//! The terminal, in three forms in front of the one session: full screen with a live memory panel (`screen`), a line REPL with
//! history, completion and multi-line editing, and, in a pipe, what comes in run cell by cell without prompts.
//!
//! Only this folder knows rustyline and ratatui's events. It never reaches below the session.

mod editor;
mod front;
mod highlight;
mod piped;
mod screen;

pub use screen::top;

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::rc::Rc;

use rustyline::error::ReadlineError;
use signal_hook::consts::SIGINT;

use crate::display::{Markup, to_ansi};
use crate::session::{Config, Frontend, Interrupt, Request, Session, Snapshots};
use editor::Prompt;
use front::TerminalFrontend;

/// How the REPL is started.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the history is kept; nothing for none.
    pub history: Option<PathBuf>,
    /// Whether to start without the first line that says where one is.
    pub is_quiet: bool,
    /// Whether a terminal is used as a full screen; a pipe never is.
    pub is_full_screen: bool,
}

/// What the terminal can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Whether colours are wanted.
    pub has_colour: bool,
    /// Whether the cursor can be moved, to bring what is shown up to date in its place.
    pub can_move: bool,
}

impl Look {
    fn of_this_process() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let can_move = io::stdout().is_terminal() && !is_dumb;
        Self { has_colour: can_move && !is_set("NO_COLOR"), can_move }
    }
}

/// Runs the REPL on this process's standard streams and answers the exit status.
pub fn run(options: Options) -> io::Result<u8> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if is_terminal && options.is_full_screen && std::env::var_os("TERM").is_none_or(|term| term != "dumb") {
        return screen::run(options);
    }
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let mut signals = signal_hook::iterator::Signals::new([SIGINT])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || signals.forever().for_each(|_| raised.raise()))?;
    let session =
        std::thread::Builder::new().name("session".into()).stack_size(Session::STACK_BYTES).spawn(move || {
            if is_terminal { talk(options, interrupt) } else { piped::run(io::stdin().lock(), interrupt) }
        });
    // A panic outside a cell is our own bug and has been reported; nothing is left to run.
    Ok(session.map_err(Session::no_thread)?.join().unwrap_or(1))
}

/// Talks to a person until they leave, then calls what the program wants called at its end (`atexit`).
fn talk(options: Options, interrupt: Interrupt) -> u8 {
    let config = Config { history: options.history.clone(), ..Config::interactive() };
    let session = Rc::new(RefCell::new(Session::new(config, interrupt.clone(), Snapshots::default())));
    let status = converse(&options, &interrupt, &session);
    interrupt.clear();
    piped::finish(&mut session.borrow_mut());
    status
}

fn converse(options: &Options, interrupt: &Interrupt, session: &Rc<RefCell<Session>>) -> u8 {
    let look = Look::of_this_process();
    crate::arrays::registry::begin_discovery();
    let front = Rc::new(TerminalFrontend::new(look, interrupt.clone()));
    let mut editor = match editor::Editor::new(session, look) {
        Ok(editor) => editor,
        Err(error) => {
            front.complain(&format!("cellhold: no line editor on this terminal: {error}"));
            return 1;
        }
    };
    if !options.is_quiet {
        front.say(&render(&Markup::text(welcome()).flowing(), look, front.width()));
    }
    loop {
        let number = session.borrow().next_number();
        match editor.read(&Prompt::input(number, look)) {
            Ok(source) if source.trim().is_empty() => {}
            Ok(source) => {
                // What was raised at the prompt was not meant for this cell.
                interrupt.clear();
                let before = front::live_bytes();
                let outcome = session.borrow_mut().run(&Request::cell(source), front.clone());
                front.finish_cell(before);
                if let Some(status) = outcome.exit {
                    return u8::try_from(status & 0xff).unwrap_or(1);
                }
                for payload in outcome.payloads {
                    match payload {
                        crate::session::Payload::NextInput { text, .. } => editor.set_next(text),
                        crate::session::Payload::Page(bundle) => front.say(bundle.plain_text().trim_end_matches('\n')),
                    }
                }
            }
            // Ctrl-C at the prompt clears the line and nothing else.
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => return 0,
            Err(error) => {
                front.complain(&format!("cellhold: {error}"));
                return 1;
            }
        }
    }
}

fn welcome() -> String {
    format!(
        "Cellhold {}: dpnp, dpctl and np are there. %mem shows what holds memory, %help the rest.\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Text of markup for this terminal.
pub(crate) fn render(markup: &Markup, look: Look, width: usize) -> String {
    if look.has_colour { to_ansi(markup, width) } else { crate::display::to_plain(markup, width) }
}
