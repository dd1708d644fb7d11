//! The session: one engine for notebook, terminal and batch. It runs cells, keeps `In` and `Out`, knows what holds which
//! memory, and offers the magics.
//!
//! It knows the language, the arrays and how things are displayed; it never knows sockets, terminals or wire messages:
//! those implement [`Frontend`].

mod advice;
mod asked;
mod builtins;
mod cell;
mod complete;
mod completeness;
mod core;
mod deleted;
mod explain;
mod frontend;
mod history;
pub mod holders;
mod host;
mod inspect;
mod interrupt;
mod last_error;
pub mod lessons;
mod live;
mod lookup;
mod machine;
mod magics;
mod memory;
mod outputs;
mod plan;
mod pretty;
mod progress;
mod publish;
mod recorder;
mod run;
mod rust;
mod show;
mod snapshot;
mod suggest;

use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

pub use asked::{AskedFree, Progress};
pub use cell::{Completeness, Completions, Config, HistoryEntry, HistoryQuery, Match, Outcome, Payload, Request};
pub use completeness::completeness;
pub use explain::Explained;
pub use frontend::{CellError, CellEvent, Frontend, FrontendGone, NoFrontend, ReadLineError, Stream};
pub use history::History;
pub use interrupt::Interrupt;
pub use live::is_live_view;
pub use magics::FREE_MIME;
pub use memory::{CELL_MIME, MEMORY_MIME};
pub use outputs::{OutputLimit, Outputs};
pub use recorder::Recorder;
pub use snapshot::{Snapshot, SnapshotName, Snapshots};

use self::core::Core;
use crate::display::MimeBundle;
use crate::lang::name::Name;
use crate::lang::vm::Vm;

/// The engine's state. It lives on one thread (see [`Session::STACK_BYTES`]); other threads hold [`Interrupt`] and
/// [`Snapshots`] handles.
pub struct Session {
    core: Rc<Core>,
    vm: Vm,
    last_number: u32,
    interrupt: Interrupt,
    /// What is wrong with the environment, told with the first cell.
    complaints: Vec<String>,
}

impl Session {
    /// Stack that the thread of a session needs: the parser recurses on what people write.
    pub const STACK_BYTES: usize = 256 << 20;

    /// What a refused thread of a session means, and what to do.
    pub fn no_thread(error: std::io::Error) -> std::io::Error {
        let text = format!(
            "no thread with a stack of 256 MiB for the session: {error}; raise the limits on memory (ulimit -v) and processes (ulimit -u)"
        );
        std::io::Error::new(error.kind(), text)
    }

    /// A session on this thread; one per thread and process. `interrupt` is the handle others raise.
    pub fn new(config: Config, interrupt: Interrupt, snapshots: Snapshots) -> Self {
        let history = History::new(config.history.clone());
        crate::arrays::attention::install(interrupt.attention());
        let variable = |name: &str| std::env::var(name).ok();
        let complaints = crate::arrays::registry::apply_environment(config.asks_drivers, variable);
        let complaints = complaints.iter().map(ToString::to_string).collect();
        let core = Rc::new(Core::new(config, history, snapshots.clone()));
        core.rust.session.replace(Rc::downgrade(&core));
        core.listen_to_progress();
        let mut vm = Vm::new(core.clone()).expect("the built-in names install on a new thread");
        machine::prepare(&mut vm, &core.config);
        interrupt.attach(vm.attention());
        snapshots.attach(vm.attention());
        Self { core, vm, last_number: 0, interrupt, complaints }
    }

    /// The number the next cell that stores history will take.
    pub fn next_number(&self) -> u32 {
        self.last_number + 1
    }

    /// Completions at a byte of a text; runs nothing of the program.
    pub fn complete(&mut self, source: &str, cursor: usize) -> Completions {
        if let Some((body, code)) = rust::is_rust_cell(source)
            && cursor >= body
        {
            return rust::complete(&self.core, code, body, cursor);
        }
        self.bring_module(complete::owner_at(source, cursor));
        let derived = if self.core.config.is_interactive { builtins::NAMES } else { &[] };
        let known = |name: &str| self.core.outputs.find(name).or_else(|| inspect::module_of(&self.vm, name));
        complete::complete(&self.vm, source, cursor, derived, known)
    }

    /// What is known about the name at a byte of a text; runs nothing of the program. `detail` 1 adds the source.
    pub fn inspect(&mut self, source: &str, cursor: usize, detail: u8) -> Option<MimeBundle> {
        if rust::is_rust_cell(source).is_some_and(|(body, _)| cursor >= body) {
            return None;
        }
        self.bring_module(inspect::owner_at(source, cursor));
        inspect::inspect(&self.core, &self.vm, source, cursor, detail)
    }

    /// Imports the array module that a name stands for, where nothing has yet: a person asks about it before the first cell uses it.
    fn bring_module(&mut self, name: Option<String>) {
        let Some(name) = name.filter(|_| self.core.config.is_interactive) else { return };
        let own = Name::new(&name);
        if self.vm.main.get(own).is_some() || self.vm.builtins.get(own).is_some() {
            return;
        }
        if let Some(module) = builtins::module_named(&name) {
            // A module of the engine that cannot be made says why when a cell asks for it.
            let _ = self.vm.import(module);
        }
    }

    /// Whether a text is a whole cell.
    pub fn is_complete(&self, source: &str) -> Completeness {
        completeness(source)
    }

    /// Lines of the history, oldest first.
    pub fn history(&self, query: &HistoryQuery) -> Vec<HistoryEntry> {
        self.core.history.borrow().query(query)
    }

    /// Lets something outside the language (Rust variables, a front end's own arrays) say what memory it holds.
    pub fn add_root(&mut self, root: Rc<dyn holders::Root>) {
        self.core.add_root(root);
    }

    /// Listens for programs that work on the session's arrays from outside, as the helper of Rust cells does: answers the path of
    /// the socket, which the program finds in [`rust_cells::ARRAYS_VARIABLE`](crate::rust_cells::ARRAYS_VARIABLE).
    pub fn listen_for_arrays(&mut self) -> Result<PathBuf, String> {
        rust::listen(&self.core, &mut self.vm).map_err(|raised| rust::text_of(&raised))
    }

    /// Waits so long at most for requests of such programs, and answers those that come. While cells run or wait for their end it is
    /// done without this.
    pub fn attend_arrays(&mut self, time: Duration) -> Result<(), String> {
        rust::attend(&self.core, &mut self.vm, time).map_err(|raised| rust::text_of(&raised))
    }

    /// Does the frees that were asked for from other threads, when no cell runs; answers how many.
    pub fn grant_frees(&mut self) -> usize {
        let core = self.core.clone();
        let granted = core.grant_frees(&mut self.vm);
        if granted > 0 {
            core.publish(&self.vm, true, None);
        }
        granted
    }

    /// The cell that calls what a program wants called at its end (`atexit`); nothing when there is none.
    pub fn last_cell(&self) -> Option<Request> {
        let wants = self.vm.modules.iter().any(|(name, _)| name.text() == "atexit");
        wants.then(|| Request { is_silent: true, ..Request::cell("__import__('atexit')._run_exitfuncs()") })
    }

    /// The object of `%mem --json`, with at most `limit` allocations.
    pub fn memory(&self, limit: usize) -> serde_json::Value {
        memory::report_json(&self.core.report(&self.vm), limit)
    }
}
