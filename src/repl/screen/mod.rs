//! The full-screen terminal: the session scrolls, the cell is written below it, the memory panel lives beside both.
//!
//! `app` holds the state and turns inputs into effects, `draw` shows it, `engine` runs the session on its own thread; this file
//! owns the terminal itself and carries inputs and effects between them.

mod app;
mod burst;
mod draw;
mod editor;
mod engine;
mod panel;
mod popup;
mod theme;
pub mod top;
mod transcript;
mod wrap;

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use base64::Engine as _;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyEventKind};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear as EraseScreen, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
    size,
};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use self::app::{App, Effect, Input, Report};
use self::engine::Command;
use self::theme::Theme;
use super::Options;
use crate::session::{Config, Interrupt, Snapshots};

/// How often the memory of a running cell is looked at.
const LOOK: Duration = Duration::from_millis(400);

/// At most this many inputs are taken before the screen is drawn again.
const INPUTS_PER_FRAME: usize = 4_096;

/// How long the rest of a paste may take to come.
const PACKET_GAP: Duration = Duration::from_millis(10);

/// How long leaving waits for a session that is in the middle of something.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs the full-screen terminal until the person leaves; answers the exit status.
pub(super) fn run(options: Options) -> io::Result<u8> {
    let interrupt = Interrupt::new();
    let snapshots = Snapshots::default();
    let (inputs, inbox) = channel();
    let (commands, for_session) = channel();
    let (answers, for_questions) = channel();
    let config = Config { history: options.history, ..Config::interactive() };
    let session =
        engine::start(config, interrupt.clone(), snapshots.clone(), for_session, for_questions, inputs.clone())?;
    let screen = Screen::enter()?;
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let told = inputs.clone();
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let input = if signal == SIGINT { Input::InterruptSignal } else { Input::Hangup(128 + signal as u8) };
            if told.send(input).is_err() {
                return;
            }
        }
    })?;
    let keys = inputs.clone();
    std::thread::Builder::new().name("keys".into()).spawn(move || read_keys(&keys))?;
    let mut app = App::new();
    if !options.is_quiet {
        app.transcript.text(false, &welcome());
    }
    let links = Links { commands, answers, interrupt: interrupt.clone(), snapshots };
    let status = converse(&mut app, screen, &inbox, links);
    // The links are gone: a session that waits ends; one that computes is interrupted and given a moment.
    interrupt.raise();
    let until = Instant::now() + PATIENCE;
    while !session.is_finished() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    status
}

/// Short enough for a narrow screen beside the panel.
fn welcome() -> String {
    format!(
        "Cellhold {}   dpnp, dpctl and np are there\n%mem: what holds memory   F1: keys   %help: magics\n\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// The ways to the session.
struct Links {
    commands: Sender<Command>,
    answers: Sender<Option<String>>,
    interrupt: Interrupt,
    snapshots: Snapshots,
}

fn converse(app: &mut App, mut screen: Screen, inbox: &Receiver<Input>, links: Links) -> io::Result<u8> {
    let theme = Theme::of(|name| std::env::var(name).ok());
    let mut seen = 0;
    // An idle screen sends nothing: over a slow connection every frame counts.
    let mut is_stale = true;
    loop {
        let memory = links.snapshots.latest();
        if memory.version != seen {
            seen = memory.version;
            is_stale = true;
            for effect in app.on(Input::Report(Report::Memory(memory.memory.clone()))) {
                perform(effect, app, &mut screen, &links)?;
            }
        }
        if std::mem::take(&mut is_stale) {
            screen.terminal.draw(|frame| draw::draw(app, theme, frame))?;
        }
        let first = match inbox.recv_timeout(LOOK) {
            Ok(input) => input,
            Err(RecvTimeoutError::Timeout) => {
                if app.is_running {
                    links.snapshots.request();
                }
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(1),
        };
        is_stale = true;
        let more = std::iter::from_fn(|| inbox.try_recv().ok()).take(INPUTS_PER_FRAME);
        for input in std::iter::once(first).chain(more) {
            if matches!(input, Input::Resize) {
                screen.fit()?;
            }
            for effect in app.on(input) {
                if let Some(status) = perform(effect, app, &mut screen, &links)? {
                    return Ok(status);
                }
            }
        }
    }
}

/// Does what the state asks for; a status ends the conversation.
fn perform(effect: Effect, app: &mut App, screen: &mut Screen, links: &Links) -> io::Result<Option<u8>> {
    let sent = match effect {
        Effect::Run(source) => {
            let size = screen.terminal.size()?;
            let width = draw::session_width(app, Rect::new(0, 0, size.width, size.height));
            links.commands.send(Command::Run(source, usize::from(width)))
        }
        Effect::Complete { ticket, source, cursor } => links.commands.send(Command::Complete(ticket, source, cursor)),
        Effect::Inspect { ticket, source, cursor } => links.commands.send(Command::Inspect(ticket, source, cursor)),
        Effect::LookAtMemory => links.commands.send(Command::Memory),
        Effect::Explain(line) => {
            let answer = links.snapshots.explain(&line).map(|answer| answer.markup);
            app.on(Input::Report(Report::Explanation(answer)));
            Ok(())
        }
        Effect::Interrupt => {
            links.interrupt.raise();
            Ok(())
        }
        Effect::Answer(line) => {
            // Nobody waits for it any more when the cell was interrupted meanwhile.
            let _ = links.answers.send(line);
            Ok(())
        }
        Effect::Copy(text) => {
            // OSC 52: the terminal itself puts it on the clipboard, over ssh too.
            let encoded = base64::engine::general_purpose::STANDARD.encode(text);
            let mut out = io::stdout();
            write!(out, "\x1b]52;c;{encoded}\x07")?;
            out.flush()?;
            Ok(())
        }
        Effect::Suspend => {
            screen.suspend()?;
            Ok(())
        }
        Effect::Leave(status) => return Ok(Some(status)),
    };
    if sent.is_err() {
        // The session's thread has ended, which only our own bug makes it do.
        app.is_running = false;
        app.message = Some("the session has ended; Ctrl-D leaves".into());
    }
    Ok(None)
}

fn read_keys(inputs: &Sender<Input>) {
    let mut burst = Vec::new();
    loop {
        // Between two packets of a long paste there may be a moment.
        let gap = if burst.len() < burst::LONG { Duration::ZERO } else { PACKET_GAP };
        if !burst.is_empty() && !matches!(event::poll(gap), Ok(true)) {
            if !send(inputs, burst::inputs(std::mem::take(&mut burst))) {
                return;
            }
            continue;
        }
        let input = match event::read() {
            Ok(Event::Key(key)) if key.kind == KeyEventKind::Release => continue,
            Ok(Event::Key(key)) if burst::is_text(&key) => {
                burst.push(key);
                continue;
            }
            Ok(Event::Key(key)) => Input::Key(key),
            Ok(Event::Paste(text)) => Input::Paste(text),
            // The next frame takes the new measures.
            Ok(Event::Resize(..)) => Input::Resize,
            Ok(_) => continue,
            Err(_) => return,
        };
        let before = burst::inputs(std::mem::take(&mut burst));
        if !send(inputs, before.into_iter().chain([input])) {
            return;
        }
    }
}

/// Hands inputs over; whether anybody takes them still.
fn send(to: &Sender<Input>, inputs: impl IntoIterator<Item = Input>) -> bool {
    inputs.into_iter().all(|input| to.send(input).is_ok())
}

/// The terminal in full screen; dropping it gives the terminal back, a panic does so before its message.
struct Screen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
}

impl Screen {
    fn enter() -> io::Result<Screen> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // A panic inside a cell is caught by the session and does not end the screen.
            if std::thread::current().name() != Some("session") {
                let _ = give_back();
                before(panic);
            }
        }));
        take_over()?;
        Ok(Screen { terminal: fitting()? })
    }

    /// Takes the measures the terminal has now and draws everything anew.
    fn fit(&mut self) -> io::Result<()> {
        self.terminal = fitting()?;
        execute!(io::stdout(), EraseScreen(ClearType::All))
    }

    /// Gives the terminal back, stops the process, and takes the terminal again when the shell resumes it.
    fn suspend(&mut self) -> io::Result<()> {
        give_back()?;
        let own = rustix::process::getpid();
        rustix::process::kill_process(own, rustix::process::Signal::TSTP)?;
        take_over()?;
        self.fit()
    }
}

/// A drawing surface as large as the terminal is now. It is fixed, because one that follows the terminal by itself asks it where
/// the cursor is, and the answer would come in among the keys that another thread waits for.
fn fitting() -> io::Result<Terminal<CrosstermBackend<io::Stdout>>> {
    let (width, height) = size()?;
    let viewport = Viewport::Fixed(Rect::new(0, 0, width, height));
    Terminal::with_options(CrosstermBackend::new(io::stdout()), TerminalOptions { viewport })
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = give_back();
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste)
}

fn give_back() -> io::Result<()> {
    disable_raw_mode()?;
    execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, ratatui::crossterm::cursor::Show)
}
