//! The session against the recording front end: what it keeps, who holds memory, what the magics say and do.

mod accounts;
mod advice;
mod bombs;
mod budgets;
mod chunks;
mod figures;
mod free;
mod holders;
mod input_output;
mod lessons;
mod letting_go;
mod liveness;
mod looks;
mod magics;
mod memory;
mod plans;
mod shortage;
mod trace;
mod weak;

use std::rc::Rc;

use cellhold::arrays::ledger;
use cellhold::session::{CellEvent, Config, Interrupt, Outcome, Recorder, Request, Session, Snapshots, Stream};

/// One MiB.
const MIB: u64 = 1 << 20;

/// A session with its front end.
pub struct Bench {
    pub session: Session,
    pub front: Rc<Recorder>,
    pub interrupt: Interrupt,
    pub snapshots: Snapshots,
}

impl Bench {
    fn new() -> Self {
        let (interrupt, snapshots) = (Interrupt::new(), Snapshots::default());
        // What is tested here does not depend on the drivers of the machine.
        let config = Config { asks_drivers: false, ..Config::interactive() };
        let session = Session::new(config, interrupt.clone(), snapshots.clone());
        Self { session, front: Rc::new(Recorder::new()), interrupt, snapshots }
    }

    /// Runs a cell; what was recorded before it is dropped.
    pub fn run(&mut self, source: &str) -> Outcome {
        self.front.take();
        self.session.run(&Request::cell(source), self.front.clone())
    }

    /// Runs a cell that must not fail.
    pub fn ok(&mut self, source: &str) -> Outcome {
        let outcome = self.run(source);
        if let Some(error) = &outcome.error {
            panic!("the cell failed: {source}\n{}", error.text);
        }
        outcome
    }

    /// Runs a cell that must fail, and answers the error's class and message.
    pub fn fails(&mut self, source: &str) -> (String, String) {
        let error = self.run(source).error.unwrap_or_else(|| panic!("the cell did not fail: {source}"));
        (error.class, error.message)
    }

    /// Everything the last cell showed as text: streams, results, displays.
    pub fn output(&self) -> String {
        let mut all = String::new();
        for event in self.front.events() {
            match event {
                CellEvent::Text { text, .. } => all.push_str(&text),
                CellEvent::Result { bundle, .. } | CellEvent::Display { bundle, .. } => {
                    all.push_str(bundle.plain_text());
                    all.push('\n');
                }
                _ => {}
            }
        }
        all
    }

    /// What a cell prints.
    pub fn printed(&mut self, source: &str) -> String {
        self.ok(source);
        self.front.text(Stream::Stdout)
    }

    /// The plain text of a cell's result.
    pub fn result(&mut self, source: &str) -> Option<String> {
        self.ok(source).result.map(|bundle| bundle.plain_text().to_owned())
    }

    /// Every live allocation with its holders: path, kind, what to type.
    pub fn holders(&self) -> Vec<Vec<(String, String, Option<String>)>> {
        let memory = self.session.memory(usize::MAX);
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        let holder = |holder: &serde_json::Value| {
            (text(&holder["path"]).unwrap(), text(&holder["kind"]).unwrap(), text(&holder["let_go"]))
        };
        let allocations = memory["allocations"].as_array().unwrap();
        allocations.iter().map(|one| one["holders"].as_array().unwrap().iter().map(holder).collect()).collect()
    }

    /// The paths of all holders, sorted.
    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = self.holders().into_iter().flatten().map(|(path, ..)| path).collect();
        paths.sort();
        paths
    }
}

/// Bytes that live on all devices.
pub fn live() -> u64 {
    ledger::entries().iter().map(|entry| entry.bytes).sum()
}

/// Runs a test on a thread of its own with the stack a session needs; ledgers are per thread, so tests do not meet.
pub fn with_session(test: impl FnOnce(&mut Bench) + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(Session::STACK_BYTES).spawn(|| {
        let mut bench = Bench::new();
        test(&mut bench);
        ledger::assert_balanced();
    });
    if let Err(panic) = thread.expect("a thread starts").join() {
        std::panic::resume_unwind(panic);
    }
}
