//! The helper as the session sees it: absent, being prepared, starting, ready; what is asked of it and what it answers.
//!
//! Everything that arrives comes through one channel and is handled on the evaluator's thread, which looks at its interrupt
//! in between. A helper has a number; what an older one said last is passed over.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::build::{Build, Progress};
use super::find::Surroundings;
use super::folder::Folder;
use super::helper::Helper;
use super::{Answer, Control, Front, NO_CARGO, Phase, Said, Trouble, living, lost_text, status_text};
use crate::rust_cells::Event;
use crate::rust_cells::protocol::{Completions, PROTOCOL, Reply, Request, State as Variables, Variable, Why};

/// How often the interrupt is looked at while something is awaited.
const LOOK: Duration = Duration::from_millis(10);
/// How often an interrupt is repeated: what it was meant for may begin only after it.
const INSIST: Duration = Duration::from_millis(200);
/// How long a helper may take to end what it evaluates before it is ended as a whole.
const PATIENCE: Duration = Duration::from_millis(if cfg!(test) { 300 } else { 4000 });
/// How long completions are waited for.
const COMPLETION: Duration = Duration::from_secs(3);
/// How often a build says how far it has come.
const PROGRESS: Duration = Duration::from_secs(10);
/// How long a cell compiles before it is said that it does.
const LONG_COMPILE: Duration = Duration::from_secs(3);
/// How long a helper may take to end.
const ENDING: Duration = Duration::from_secs(2);

#[derive(Debug)]
enum State {
    Absent,
    Preparing(Arc<Build>),
    Starting(Arc<Helper>),
    Ready(Arc<Helper>),
}

/// The helper of a session, in whatever state it is.
#[derive(Debug)]
pub struct Process {
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// Events that came while something else was awaited.
    held: VecDeque<Event>,
    folder: Option<Folder>,
    arrays: Option<PathBuf>,
    number: u64,
    state: State,
    last_id: u64,
    /// The naming request that is not answered yet.
    naming: Option<u64>,
    variables: Vec<Variable>,
    /// How the helper ended between two cells, and which variables went with it.
    ended: Option<(String, Vec<String>)>,
    told_at: Option<Instant>,
    /// Whether anything of the last request ran.
    ran: bool,
    /// Where the helper is looked for; nothing for where this process is.
    here: Option<Surroundings>,
}

impl Default for Process {
    fn default() -> Self {
        let (sender, events) = mpsc::channel();
        Self {
            sender,
            events,
            held: VecDeque::new(),
            folder: None,
            arrays: None,
            number: 0,
            state: State::Absent,
            last_id: 0,
            naming: None,
            variables: Vec::new(),
            ended: None,
            told_at: None,
            ran: false,
            here: None,
        }
    }
}

impl Process {
    /// A process whose helper is looked for elsewhere.
    #[cfg(test)]
    pub(super) fn within(here: Surroundings) -> Self {
        let mut process = Self::default();
        process.here = Some(here);
        process
    }

    fn here(&self) -> Surroundings {
        self.here.clone().unwrap_or_else(Surroundings::of_process)
    }

    /// Where events are to be sent.
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// The session's private folder, made when it is asked for first.
    pub fn folder(&mut self) -> std::io::Result<&Path> {
        if self.folder.is_none() {
            let folder = Folder::new()?;
            living::add_folder(folder.path().to_path_buf());
            self.folder = Some(folder);
        }
        Ok(self.folder.as_ref().map(Folder::path).unwrap_or_else(|| Path::new("/")))
    }

    /// Says where requests about arrays go. Before the helper starts.
    pub fn set_arrays(&mut self, path: &Path) {
        self.arrays = Some(path.to_path_buf());
    }

    /// The variables, as they were when the helper last said.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Whether cells can be evaluated without waiting for a build or a start.
    pub fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready(_))
    }

    /// Whether there is no helper, and none is being prepared.
    pub fn is_absent(&self) -> bool {
        matches!(self.state, State::Absent)
    }

    /// The number of the helper's first process, for tests and curious people.
    pub fn leader(&self) -> Option<i32> {
        match &self.state {
            State::Starting(helper) | State::Ready(helper) => Some(helper.leader()),
            _ => None,
        }
    }

    /// Begins to build and start the helper in the background, unless that was done.
    pub fn warm(&mut self) -> Result<(), Trouble> {
        if !self.is_absent() {
            return Ok(());
        }
        let here = self.here();
        let cargo = here.cargo().ok_or_else(|| Trouble::Unable(NO_CARGO.to_owned()))?;
        let unable = |error: std::io::Error| Trouble::Unable(format!("the Rust helper cannot start: {error}"));
        let folder = self.folder().map_err(unable)?.to_path_buf();
        self.number += 1;
        let (number, arrays, events) = (self.number, self.arrays.clone(), self.sender.clone());
        let build = Arc::new(Build::default());
        living::add_build(&build);
        let of_thread = Arc::clone(&build);
        let prepare = move || {
            let folder = folder.join(number.to_string());
            let tell = |said| events.send(Event::Control(Control { number, said })).is_ok();
            let started = prepare(&here, &cargo, &of_thread, &tell).and_then(|program| {
                let helper = Helper::start(&program, &here, &cargo, folder, arrays.as_deref(), number, events.clone());
                helper.map(Arc::new).map_err(|error| format!("{} cannot be started: {error}", program.display()))
            });
            if let Ok(helper) = &started {
                living::add_helper(helper);
            }
            // One that was given up meanwhile ends here, as its last owner lets go.
            if !of_thread.is_given_up() {
                tell(Said::Started(started.map_err(Trouble::Unable)));
            }
        };
        thread::Builder::new().name("rust helper".into()).spawn(prepare).map_err(unable)?;
        self.state = State::Preparing(build);
        self.told_at = None;
        Ok(())
    }

    /// Takes what arrived while no cell ran. Called at the beginning and end of cells, and before memory is looked at.
    pub fn catch_up(&mut self, front: &mut dyn Front) {
        while let Some(event) = self.held.pop_front().or_else(|| self.events.try_recv().ok()) {
            // A failure to start is told by the request that needs it.
            if let Err(trouble) = self.handle(event, front)
                && let Trouble::Unable(text) = trouble
            {
                front.tell(&text);
            }
        }
    }

    /// Waits so long at most for something to arrive, and takes what has.
    pub fn attend(&mut self, front: &mut dyn Front, time: Duration) {
        if let Some(event) = self.next(time) {
            self.held.push_front(event);
        }
        self.catch_up(front);
    }

    /// Builds and starts the helper if need be, and waits until it is ready.
    pub fn wait_ready(&mut self, front: &mut dyn Front) -> Result<(), Trouble> {
        self.catch_up(front);
        if let State::Ready(helper) = &self.state
            && helper.has_ended()
        {
            self.notice_end()?;
        }
        if let Some((how, lost)) = self.ended.take() {
            front.tell(&format!("Rust starts anew: its process had ended ({how}){}", lost_text(&lost, true)));
        }
        let mut has_told = false;
        loop {
            match &self.state {
                State::Ready(_) => return Ok(()),
                State::Absent => self.warm()?,
                State::Preparing(_) => {}
                State::Starting(_) if !has_told => {
                    has_told = true;
                    front.tell("starting Rust: it compiles its first cell, which takes some seconds");
                }
                State::Starting(_) => {}
            }
            if front.is_interrupted() {
                let phase = if matches!(self.state, State::Preparing(_)) { Phase::Build } else { Phase::Start };
                self.end();
                return Err(Trouble::Interrupted { phase, lost: Vec::new(), lost_all: false });
            }
            if let Some(event) = self.next(LOOK) {
                self.handle(event, front)?;
            }
        }
    }

    /// Asks for something and waits for the answer. What had not run anything when Rust's process ended is asked again, once.
    pub fn ask(&mut self, request: &Request, front: &mut dyn Front) -> Result<Answer, Trouble> {
        match self.ask_once(request, front) {
            Err(Trouble::Failed { why: Why::Died, text, lost, lost_all }) if !self.ran => {
                if lost_all {
                    self.ended = Some((text, lost));
                } else {
                    front.tell(&replaced_text(&text, &lost));
                }
                self.ask_once(request, front)
            }
            answer => answer,
        }
    }

    fn ask_once(&mut self, request: &Request, front: &mut dyn Front) -> Result<Answer, Trouble> {
        self.ran = false;
        self.wait_ready(front)?;
        let State::Ready(helper) = &self.state else {
            return Err(Trouble::Unable("the Rust helper has ended".to_owned()));
        };
        let helper = Arc::clone(helper);
        self.last_id += 1;
        let id = self.last_id;
        helper.ask(request, id);
        let began = Instant::now();
        let (mut phase, mut has_told) = (Phase::Compile, false);
        let mut interrupted_at: Option<(Instant, Instant)> = None;
        loop {
            if let Some((first, last)) = interrupted_at {
                if first.elapsed() > PATIENCE {
                    let lost = self.end();
                    return Err(Trouble::Interrupted { phase, lost, lost_all: true });
                }
                if last.elapsed() > INSIST {
                    helper.interrupt();
                    interrupted_at = Some((first, Instant::now()));
                }
            } else if front.is_interrupted() {
                helper.interrupt();
                interrupted_at = Some((Instant::now(), Instant::now()));
            }
            if !has_told && phase == Phase::Compile && began.elapsed() > LONG_COMPILE {
                has_told = true;
                front.tell(match request {
                    Request::Evaluate { code, .. } if code.contains(":dep") => {
                        "compiling, with the crates that :dep names where they are new"
                    }
                    _ => "compiling",
                });
            }
            let Some(event) = self.next(LOOK) else { continue };
            match event {
                Event::Control(Control { number, said: Said::Reply(reply) }) if number == self.number => match reply {
                    Reply::Running => {
                        phase = Phase::Run;
                        self.ran = true;
                    }
                    Reply::Done { id: of, outputs, state } if of == id => {
                        let lost = state.lost.clone();
                        self.variables = state.variables;
                        return Ok(Answer { outputs, lost });
                    }
                    Reply::Failed { id: of, why, text, state } if of == id => {
                        let Variables { variables, lost } = state;
                        self.variables = variables;
                        return Err(match why {
                            Why::Interrupted => Trouble::Interrupted { phase, lost, lost_all: false },
                            why => Trouble::Failed { why, text, lost, lost_all: false },
                        });
                    }
                    reply => self.take(reply, front)?,
                },
                event => self.handle(event, front)?,
            }
            if let Some((how, lost)) = self.ended.take() {
                if interrupted_at.is_some() {
                    return Err(Trouble::Interrupted { phase, lost, lost_all: true });
                }
                return Err(Trouble::Failed { why: Why::Died, text: how, lost, lost_all: true });
            }
        }
    }

    /// Completions at a byte of a text: only what a helper that is ready says soon.
    pub fn complete(&mut self, code: &str, position: usize) -> Option<Completions> {
        let State::Ready(helper) = &self.state else { return None };
        self.last_id += 1;
        let id = self.last_id;
        helper.ask(&Request::Complete { code: code.to_owned(), position }, id);
        let until = Instant::now() + COMPLETION;
        while let Ok(event) = self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
            match event {
                Event::Control(Control { said: Said::Reply(Reply::Completions { id: of, found }), .. }) => {
                    if of == id {
                        return Some(found);
                    }
                }
                other => self.held.push_back(other),
            }
        }
        None
    }

    /// Has the array side told, in the background, which variable holds which arrays.
    pub fn name_holders(&mut self) {
        if let State::Ready(helper) = &self.state {
            self.last_id += 1;
            helper.ask(&Request::Name, self.last_id);
            self.naming = Some(self.last_id);
        }
    }

    /// Waits for the names of holders that were asked for, at most so long.
    pub fn wait_names(&mut self, front: &mut dyn Front, time: Duration) {
        let until = Instant::now() + time;
        while self.naming.is_some() && Instant::now() < until && !front.is_interrupted() {
            if let Some(event) = self.next(LOOK) {
                let _ = self.handle(event, front);
            }
        }
    }

    /// Ends the helper, or gives up building it; answers the variables that went with it.
    pub fn end(&mut self) -> Vec<String> {
        self.number += 1;
        self.naming = None;
        let lost = std::mem::take(&mut self.variables).into_iter().map(|variable| variable.name).collect();
        match std::mem::replace(&mut self.state, State::Absent) {
            State::Absent => {}
            State::Preparing(build) => build.cancel(ENDING),
            State::Starting(helper) | State::Ready(helper) => {
                helper.end(ENDING);
            }
        }
        lost
    }

    /// Ends the process that runs cells, whatever it does, and keeps functions and crates; answers the variables that are
    /// lost with it. A new one is made ready by the next request.
    pub fn end_process(&mut self) -> Vec<String> {
        let State::Ready(helper) = &self.state else { return Vec::new() };
        helper.end_process();
        self.naming = None;
        std::mem::take(&mut self.variables).into_iter().map(|variable| variable.name).collect()
    }

    fn next(&mut self, time: Duration) -> Option<Event> {
        self.held.pop_front().or_else(|| self.events.recv_timeout(time).ok())
    }

    fn handle(&mut self, event: Event, front: &mut dyn Front) -> Result<(), Trouble> {
        match event {
            Event::Array(request) => front.array(request),
            Event::Control(Control { number, .. }) if number != self.number => {}
            Event::Control(Control { said, .. }) => match said {
                Said::Building(line) => front.tell(&line),
                Said::Progress(progress) => self.tell_progress(&progress, front),
                Said::Started(Ok(helper)) => self.state = State::Starting(helper),
                Said::Started(Err(trouble)) => {
                    self.state = State::Absent;
                    return Err(trouble);
                }
                Said::Reply(reply) => self.take(reply, front)?,
                Said::Gone => return self.notice_end(),
            },
        }
        Ok(())
    }

    /// Something that is not the answer to the request that is awaited.
    fn take(&mut self, reply: Reply, front: &mut dyn Front) -> Result<(), Trouble> {
        match reply {
            Reply::Hello(PROTOCOL) | Reply::Running | Reply::Completions { .. } => {}
            Reply::Hello(_) => {
                self.end();
                let again = self.here().recipe().0.join(" ");
                return Err(Trouble::Unable(format!("the Rust helper is of another version: cargo {again}")));
            }
            Reply::Ready => {
                if let State::Starting(helper) = std::mem::replace(&mut self.state, State::Absent) {
                    self.state = State::Ready(helper);
                }
            }
            Reply::Unable(text) => {
                let was_ready = matches!(self.state, State::Ready(_));
                let lost = self.end();
                if !was_ready {
                    return Err(Trouble::Unable(format!("Rust cannot start: {text}")));
                }
                self.ended = Some((text, lost));
            }
            Reply::Text { is_error, text } => {
                front.text(is_error, &text);
                if let State::Starting(helper) | State::Ready(helper) = &self.state {
                    helper.shown(text.len());
                }
            }
            // Variables that were lost on purpose were told of then.
            Reply::Restarted { .. } if self.variables.is_empty() => {}
            Reply::Restarted { how, lost } => {
                front.tell(&replaced_text(&how, &lost));
            }
            Reply::Done { id, state, .. } | Reply::Failed { id, state, .. } => {
                if self.naming == Some(id) {
                    self.naming = None;
                    self.variables = state.variables;
                }
            }
        }
        Ok(())
    }

    fn notice_end(&mut self) -> Result<(), Trouble> {
        let was_starting = matches!(self.state, State::Starting(_));
        let lost = std::mem::take(&mut self.variables).into_iter().map(|variable| variable.name).collect();
        self.naming = None;
        self.number += 1;
        let (State::Starting(helper) | State::Ready(helper)) = std::mem::replace(&mut self.state, State::Absent) else {
            return Ok(());
        };
        let status = helper.end(ENDING);
        let status = status.map_or_else(|| "nobody knows how".to_owned(), |status| status_text(&status));
        let complaints = helper.complaints();
        let how = if complaints.is_empty() { status } else { format!("{status}: {complaints}") };
        if was_starting {
            return Err(Trouble::Unable(format!("the Rust helper ended while it started: {how}")));
        }
        self.ended = Some((how, lost));
        Ok(())
    }

    fn tell_progress(&mut self, progress: &Progress, front: &mut dyn Front) {
        if self.told_at.is_some_and(|at| at.elapsed() < PROGRESS) {
            return;
        }
        self.told_at = Some(Instant::now());
        let (crates, seconds) = (progress.crates, progress.time.as_secs());
        front.tell(&format!("building the Rust helper: {crates} crates in {seconds} s, now {}", progress.what));
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn prepare(here: &Surroundings, cargo: &Path, build: &Build, tell: &dyn Fn(Said) -> bool) -> Result<PathBuf, String> {
    if let Some(program) = here.helper()? {
        return Ok(program);
    }
    let line = here.recipe().0.join(" ");
    tell(Said::Building(format!(
        "building the Rust helper, which is done once and takes minutes: cargo {line}; an interrupt gives it up"
    )));
    build.run(here, cargo, |progress| {
        tell(Said::Progress(progress));
    })
}

/// Says that the process for cells is another one than before.
fn replaced_text(how: &str, lost: &[String]) -> String {
    format!("Rust runs in a new process: the one before had ended ({how}){}", lost_text(lost, false))
}
