//! Array requests of Rust programs against a session, without evcxr: the client of Rust cells is built with rustc, and so is a program around
//! it that plays one scenario after the other.

#[path = "../../../benches/support/rust_program.rs"]
mod rust_program;

mod functions;
mod holding;
mod requests;
mod wire;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use cellhold::arrays::ledger;
use cellhold::display::to_plain;
use cellhold::rust_cells::ARRAYS_VARIABLE;
use cellhold::session::{CellEvent, Config, Interrupt, Outcome, Recorder, Request, Session, Snapshots};

/// How long a step of the program may take before the test has failed.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program, built once.
fn program() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("rust-arrays-{}", std::process::id()));
        rust_program::build(&folder, "tests/it/rust_arrays/program.rs")
    })
}

/// A session, and a program that works on its arrays.
struct Bench {
    session: Session,
    front: Rc<Recorder>,
    interrupt: Interrupt,
    path: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let interrupt = Interrupt::new();
        let config = Config { asks_drivers: false, ..Config::interactive() };
        let mut session = Session::new(config, interrupt.clone(), Snapshots::default());
        let path = session.listen_for_arrays().unwrap();
        Self { session, front: Rc::new(Recorder::new()), interrupt, path }
    }

    fn run(&mut self, source: &str) -> Outcome {
        self.front.take();
        self.session.run(&Request::cell(source), self.front.clone())
    }

    /// Runs a cell that must not fail.
    fn ok(&mut self, source: &str) {
        if let Some(error) = self.run(source).error {
            panic!("the cell failed: {source}\n{}", error.text);
        }
    }

    /// Runs a cell that must fail, and answers the error's class and message.
    fn fails(&mut self, source: &str) -> (String, String) {
        let error = self.run(source).error.unwrap_or_else(|| panic!("the cell did not fail: {source}"));
        (error.class, error.message)
    }

    /// Everything the last cell showed, notices included.
    fn output(&self) -> String {
        let mut all = String::new();
        for event in self.front.events() {
            match event {
                CellEvent::Text { text, .. } => all.push_str(&text),
                CellEvent::Result { bundle, .. } | CellEvent::Display { bundle, .. } => {
                    all.push_str(bundle.plain_text());
                    all.push('\n');
                }
                CellEvent::Notice(markup) => {
                    all.push_str(&to_plain(&markup, usize::MAX));
                    all.push('\n');
                }
                _ => {}
            }
        }
        all
    }

    /// What a cell shows.
    fn shows(&mut self, source: &str) -> String {
        self.ok(source);
        self.output()
    }

    /// The holders of all live memory: paths by allocation, smallest number first.
    fn holders(&mut self) -> Vec<Vec<String>> {
        self.attend();
        let memory = self.session.memory(1000);
        let mut all: Vec<(u64, Vec<String>)> = memory["allocations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| {
                let holders = entry["holders"].as_array().unwrap().iter();
                let mut paths: Vec<String> =
                    holders.map(|holder| holder["path"].as_str().unwrap().to_owned()).collect();
                paths.sort();
                (entry["id"].as_u64().unwrap(), paths)
            })
            .collect();
        all.sort();
        all.into_iter().map(|(_, paths)| paths).collect()
    }

    /// Takes what has arrived.
    fn attend(&mut self) {
        self.session.attend_arrays(Duration::from_millis(1)).unwrap();
    }

    /// Answers requests until `is_done`.
    fn attend_until(&mut self, what: &str, mut is_done: impl FnMut(&mut Self) -> bool) {
        let began = Instant::now();
        while !is_done(self) {
            self.session.attend_arrays(Duration::from_millis(5)).unwrap();
            assert!(began.elapsed() < PATIENCE, "waited too long for {what}");
        }
    }

    fn start(&mut self, scenario: &[&str]) -> Playing {
        let mut child = Command::new(program())
            .args(scenario)
            .env(ARRAYS_VARIABLE, &self.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Playing { child, lines, said: Vec::new() }
    }

    /// Lets a scenario play to a step; answers what it said on the way.
    fn until(&mut self, playing: &mut Playing, step: &str) -> Vec<String> {
        let wanted = if step == "done" { "done".to_owned() } else { format!("at {step}") };
        self.attend_until(step, |_| match playing.lines.recv_timeout(Duration::from_millis(0)) {
            Ok(line) => {
                playing.said.push(line);
                playing.said.last() == Some(&wanted)
            }
            Err(mpsc::RecvTimeoutError::Timeout) => false,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                panic!("it ended before {step}: {:?} {:?}", playing.said, playing.child.wait())
            }
        });
        playing.said.pop();
        std::mem::take(&mut playing.said)
    }

    /// Lets it go on from a step to the next.
    fn go_on(&mut self, playing: &mut Playing, step: &str) -> Vec<String> {
        playing.child.stdin.as_mut().unwrap().write_all(b"\n").unwrap();
        self.until(playing, step)
    }

    /// Plays a scenario without steps.
    fn play(&mut self, scenario: &str) -> Vec<String> {
        let mut playing = self.start(&[scenario]);
        self.until(&mut playing, "done")
    }

    /// Waits until nothing of the program is left in the session, and checks that nothing else is either.
    fn ends_empty(mut self) {
        self.ok("%reset -f");
        self.attend_until("the end of its connections", |bench| {
            bench.session.memory(10)["allocations"].as_array().unwrap().is_empty()
        });
        ledger::assert_balanced();
    }
}

/// Runs a test on a thread of its own with the stack a session needs; ledgers are per thread, so tests do not meet.
fn in_session(test: impl FnOnce(Bench) + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(Session::STACK_BYTES).spawn(|| test(Bench::new()));
    if let Err(panic) = thread.expect("a thread starts").join() {
        std::panic::resume_unwind(panic);
    }
}

/// A program in the middle of its scenario.
struct Playing {
    child: Child,
    lines: Receiver<String>,
    said: Vec<String>,
}

impl Drop for Playing {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
