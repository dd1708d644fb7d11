//! The session on its own thread: commands go in, reports come out. The screen never waits for it.

use std::io;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::app::{Finished, Input, Report};
use super::wrap::settled;
use crate::arrays::ledger;
use crate::repl::piped;
use crate::session::{
    CellEvent, Config, Frontend, FrontendGone, HistoryQuery, Interrupt, Payload, ReadLineError, Request, Session,
    Snapshots,
};

/// Cells of earlier sessions that the arrow keys reach.
const RECALLED: usize = 1_000;

/// The largest allocations that the panel can show.
const ALLOCATIONS_SHOWN: usize = 200;

/// How long the session waits for an answer before it looks at the interrupt.
const SLICE: Duration = Duration::from_millis(20);

/// How long the end waits to be told that it is one.
const PATIENCE: Duration = Duration::from_secs(1);

/// What the screen asks of the session.
pub(super) enum Command {
    /// Run a cell in an area so many columns wide.
    Run(String, usize),
    /// Complete at a byte of a text.
    Complete(u64, String, usize),
    /// Inspect the name at a byte of a text.
    Inspect(u64, String, usize),
    /// Look at the memory.
    Memory,
}

/// Starts the session; it ends when `commands` closes.
pub(super) fn start(
    config: Config,
    interrupt: Interrupt,
    snapshots: Snapshots,
    commands: Receiver<Command>,
    answers: Receiver<Option<String>>,
    reports: Sender<Input>,
) -> io::Result<std::thread::JoinHandle<()>> {
    let builder = std::thread::Builder::new().name("session".into()).stack_size(Session::STACK_BYTES);
    let session = builder.spawn(move || {
        let front = Rc::new(ScreenFrontend { reports, answers, interrupt: interrupt.clone(), width: 80.into() });
        let mut session = Session::new(config, interrupt.clone(), snapshots);
        let history = session.history(&HistoryQuery::Tail { count: RECALLED });
        let history = history.into_iter().map(|entry| entry.source).collect();
        front.report(Report::Ready { next_number: session.next_number(), history });
        while let Ok(command) = commands.recv() {
            match command {
                Command::Run(source, width) => {
                    front.width.set(width);
                    // What was raised before was not meant for this cell.
                    interrupt.clear();
                    front.report(Report::Finished(run(&mut session, source, &front)));
                }
                Command::Complete(ticket, source, cursor) => {
                    front.report(Report::Completions { ticket, found: session.complete(&source, cursor) });
                }
                Command::Memory => front.report(Report::Memory(session.memory(ALLOCATIONS_SHOWN))),
                Command::Inspect(ticket, source, cursor) => {
                    let found = session.inspect(&source, cursor, 0);
                    // Plain text of an inspection comes with colours, as Jupyter's pagers want it.
                    let text = found.map(|bundle| settled(bundle.plain_text().trim_end()));
                    front.report(Report::Inspection { ticket, text });
                }
            }
        }
        // Whoever leaves raises the interrupt, for a cell that still runs: it is not meant for what comes now.
        let until = Instant::now() + PATIENCE;
        while !interrupt.is_raised() && Instant::now() < until {
            std::thread::sleep(SLICE / 10);
        }
        interrupt.clear();
        piped::finish(&mut session);
    });
    session.map_err(Session::no_thread)
}

fn run(session: &mut Session, source: String, front: &Rc<ScreenFrontend>) -> Finished {
    let live = || ledger::readings().iter().map(|reading| reading.here.live).sum::<u64>();
    let before = live();
    let outcome = session.run(&Request::cell(source), front.clone());
    let mut finished = Finished {
        next_number: session.next_number(),
        delta: live() as i64 - before as i64,
        has_failed: outcome.error.is_some() || outcome.is_interrupted,
        exit: outcome.exit.map(|status| u8::try_from(status & 0xff).unwrap_or(1)),
        next_input: None,
        pages: Vec::new(),
    };
    for payload in outcome.payloads {
        match payload {
            Payload::NextInput { text, .. } => finished.next_input = Some(text),
            Payload::Page(bundle) => finished.pages.push(bundle.plain_text().to_owned()),
        }
    }
    finished
}

struct ScreenFrontend {
    reports: Sender<Input>,
    answers: Receiver<Option<String>>,
    interrupt: Interrupt,
    width: std::cell::Cell<usize>,
}

impl ScreenFrontend {
    fn report(&self, report: Report) {
        // The screen outlives the session unless the process is ending.
        let _ = self.reports.send(Input::Report(report));
    }
}

impl Frontend for ScreenFrontend {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        self.reports.send(Input::Report(Report::Cell(event))).map_err(|_| FrontendGone)
    }

    fn read_line(&self, prompt: &str, hidden: bool) -> Result<String, ReadLineError> {
        // An answer to an earlier question that was interrupted is nobody's.
        while self.answers.try_recv().is_ok() {}
        self.report(Report::Question { prompt: prompt.to_owned(), is_hidden: hidden });
        loop {
            match self.answers.recv_timeout(SLICE) {
                Ok(Some(line)) => return Ok(line),
                Ok(None) => return Err(ReadLineError::End),
                Err(RecvTimeoutError::Disconnected) => return Err(ReadLineError::End),
                Err(RecvTimeoutError::Timeout) if self.interrupt.is_raised() => {
                    self.interrupt.clear();
                    return Err(ReadLineError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn width(&self) -> usize {
        self.width.get()
    }
}
