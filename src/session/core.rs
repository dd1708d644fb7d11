//! What the language calls back into, and what the magics stand on: the session's state apart from the machine.
//!
//! It is shared by the session and the machine (`Rc`), so everything that changes is in a cell of its own, and none is
//! borrowed while code of the program can run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use hashbrown::{HashMap, HashSet};

use super::advice::Advice;
use super::asked::Progress;
use super::cell::{Config, Payload};
use super::deleted::Deleted;
use super::frontend::{CellEvent, Frontend, NoFrontend, ReadLineError, Stream};
use super::history::History;
use super::holders::{Graph, QueuedWork, Root, RootKind, Roots, Without, reach};
use super::last_error::LastError;
use super::live::Live;
use super::magics::usage_error;
use super::memory::{Account, Past, Report, bytes_live, difference};
use super::outputs::Outputs;
use super::plan::PlanWatch;
use super::progress::Told;
use super::rust::RustCells;
use super::snapshot::Snapshots;
use super::{lookup, show};
use crate::arrays::account;
use crate::arrays::chunk;
use crate::arrays::ledger::{self, Origin};
use crate::display::units::bytes;
use crate::display::{Markup, MimeBundle, Role};
use crate::lang::code::{Code, Source};
use crate::lang::heap::ObjectId;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Objects beyond which a walk is not made again at the end of each cell: a few milliseconds.
const WALK_OBJECTS_MAX: usize = 50_000;

/// The cell that runs, or ran last.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentCell {
    pub(super) number: u32,
    pub(super) is_running: bool,
    pub(super) is_silent: bool,
    pub(super) stores: bool,
    pub(super) source: Rc<str>,
}

/// The session's state apart from the machine.
pub(super) struct Core {
    pub(super) config: Config,
    pub(super) outputs: Outputs,
    pub(super) history: RefCell<History>,
    pub(super) snapshots: Snapshots,
    pub(super) previous_folder: Cell<Option<String>>,
    pub(super) cell: RefCell<CurrentCell>,
    frontend: RefCell<Rc<dyn Frontend>>,
    is_gone: Cell<bool>,
    result: RefCell<Option<MimeBundle>>,
    payloads: RefCell<Vec<Payload>>,
    exit: Cell<Option<i32>>,
    /// Texts that allocations may come from, by their identity in origins.
    sources: RefCell<HashMap<u32, Rc<Source>>>,
    /// Before the last cell: the next allocation's number, the live bytes, and that cell's own number.
    before: Cell<(u64, u64, u32)>,
    /// Names that `del` took away, until the cell's end.
    pub(super) deleted: Deleted,
    /// The error that ended a cell last.
    pub(super) last_error: LastError,
    /// The object that the cell's last magic answered, told apart from values of the program by its identity only.
    magic_answer: Cell<Option<ObjectId>>,
    walk_seconds: Cell<f64>,
    walk_objects: Cell<usize>,
    /// What hints were given.
    pub(super) advice: RefCell<Advice>,
    /// What was said of computing in pieces in the running cell.
    pieces: RefCell<Told>,
    /// The view of `%mem --live`.
    pub(super) live: Live,
    /// The accounts of past cells.
    pub(super) past: RefCell<Rc<Past>>,
    /// Names that `%free` unbound and nothing bound since.
    pub(super) freed_names: RefCell<HashSet<String>>,
    /// Whether nobody can be asked now, because what runs was asked for from elsewhere.
    pub(super) asks_nobody: Cell<bool>,
    /// What a dry run would have let go of, while one goes on.
    pub(super) plan_watch: RefCell<Option<PlanWatch>>,
    /// Cells in Rust.
    pub(super) rust: RustCells,
    /// What holds memory from outside the language.
    roots: RefCell<Vec<Rc<dyn Root>>>,
}

impl Core {
    pub(super) fn new(config: Config, history: History, snapshots: Snapshots) -> Self {
        Self {
            config,
            outputs: Outputs::default(),
            history: RefCell::new(history),
            snapshots,
            previous_folder: Cell::default(),
            cell: RefCell::default(),
            frontend: RefCell::new(Rc::new(NoFrontend)),
            is_gone: Cell::new(false),
            result: RefCell::default(),
            payloads: RefCell::default(),
            exit: Cell::default(),
            sources: RefCell::default(),
            before: Cell::default(),
            deleted: Deleted::default(),
            last_error: LastError::default(),
            magic_answer: Cell::default(),
            walk_seconds: Cell::new(0.0),
            walk_objects: Cell::new(0),
            advice: RefCell::default(),
            pieces: RefCell::default(),
            live: Live::default(),
            past: RefCell::default(),
            freed_names: RefCell::default(),
            asks_nobody: Cell::new(false),
            plan_watch: RefCell::default(),
            rust: RustCells::default(),
            roots: RefCell::default(),
        }
    }

    // The running cell

    /// Begins a cell: from here on events go to `frontend`.
    pub(super) fn begin(&self, cell: CurrentCell, frontend: Rc<dyn Frontend>) {
        *self.frontend.borrow_mut() = frontend;
        self.is_gone.set(false);
        self.result.borrow_mut().take();
        self.payloads.borrow_mut().clear();
        self.exit.set(None);
        self.magic_answer.set(None);
        self.before.set((ledger::next_id(), bytes_live(), cell.number));
        *self.cell.borrow_mut() = cell;
    }

    /// Ends the cell; the front end is let go of.
    pub(super) fn end(&self) -> (Option<MimeBundle>, Vec<Payload>, Option<i32>) {
        self.cell.borrow_mut().is_running = false;
        *self.frontend.borrow_mut() = Rc::new(NoFrontend);
        (self.result.take(), self.payloads.take(), self.exit.take())
    }

    /// The number of the running cell.
    pub(super) fn number(&self) -> u32 {
        self.cell.borrow().number
    }

    pub(super) fn add_payload(&self, payload: Payload) {
        self.payloads.borrow_mut().push(payload);
    }

    /// Notes that the program asked to end.
    pub(super) fn ask_exit(&self, status: i32) {
        self.exit.set(Some(status));
    }

    /// Remembers a text for the origins of allocations.
    pub(super) fn remember(&self, code: &Rc<Code>) {
        self.sources.borrow_mut().insert(code.source.id, code.source.clone());
    }

    // Events

    pub(super) fn emit(&self, event: CellEvent) {
        if self.is_gone.get() {
            return;
        }
        let frontend = self.frontend.borrow().clone();
        if frontend.emit(event).is_err() {
            self.is_gone.set(true);
        }
    }

    pub(super) fn emit_text(&self, stream: Stream, text: &str) {
        if !text.is_empty() {
            self.emit(CellEvent::Text { stream, text: text.to_owned() });
        }
    }

    pub(super) fn emit_display(&self, bundle: MimeBundle) {
        self.emit(CellEvent::Display { bundle, id: None, is_update: false });
    }

    /// Tells the person something, unless nobody is there.
    pub(super) fn notice_markup(&self, markup: Markup) {
        if self.config.is_interactive && !self.cell.borrow().is_silent {
            self.emit(CellEvent::Notice(markup));
        }
    }

    pub(super) fn notice_text(&self, text: &str) {
        self.notice_markup(Markup::of(Role::Dim, text));
    }

    /// Has what computes in pieces told to the person.
    pub(super) fn listen_to_progress(self: &Rc<Self>) {
        let core = Rc::downgrade(self);
        chunk::set_mode(chunk::Mode::Off);
        chunk::listen(Rc::new(move |progress| {
            if let Some(core) = core.upgrade() {
                let line = core.pieces.borrow_mut().line(progress);
                if let Some(line) = line {
                    core.notice_text(&line);
                }
            }
        }));
    }

    /// Says of the cell that ends what was computed in pieces beyond what was told.
    pub(super) fn tell_rest_of_progress(&self) {
        for line in self.pieces.take().rest() {
            self.notice_text(&line);
        }
    }

    /// Columns that text may take.
    pub(super) fn width(&self) -> usize {
        self.frontend.borrow().width()
    }

    /// Asks a person for a line.
    pub(super) fn read_answer(&self, prompt: &str, hidden: bool) -> Result<String, ReadLineError> {
        let frontend = self.frontend.borrow().clone();
        frontend.read_line(prompt, hidden)
    }

    /// The cell's result: told at once, and part of its outcome.
    pub(super) fn answer(&self, number: u32, bundle: MimeBundle) {
        *self.result.borrow_mut() = Some(bundle.clone());
        self.emit(CellEvent::Result { number, bundle });
    }

    pub(super) fn note_magic_answer(&self, answer: &Value) {
        self.magic_answer.set(answer.heap_id());
    }

    /// Whether a value is what the cell's last magic answered.
    pub(super) fn is_of_magic(&self, value: &Value) -> bool {
        value.heap_id().is_some_and(|id| self.magic_answer.take() == Some(id))
    }

    /// Asks a person yes or no. Where nobody can answer, the option that answers in advance is named.
    pub(super) fn confirm(&self, question: &str, option: &str) -> Fallible<bool> {
        if self.asks_nobody.get() {
            return Err(usage_error(format!("what is asked for while a cell runs cannot ask back; add {option}")));
        }
        match self.read_answer(question, false) {
            Ok(answer) => Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")),
            Err(ReadLineError::Interrupted) => Err(raise::keyboard_interrupt()),
            Err(ReadLineError::End) => Ok(false),
            Err(ReadLineError::NotSupported) => {
                Err(usage_error(format!("this front end cannot ask; add {option} to do it without asking")))
            }
        }
    }

    /// Shows a value as `display()` does.
    pub(super) fn show_value(&self, vm: &mut Vm, value: &Value) -> Fallible<()> {
        let bundle = show::bundle_of(vm, value)?;
        self.emit_display(bundle);
        Ok(())
    }

    // Memory

    /// Lets something outside the language say what it holds, from here on.
    pub(super) fn add_root(&self, root: Rc<dyn Root>) {
        self.roots.borrow_mut().push(root);
    }

    /// Whether a walk is quick enough to be made after each cell.
    pub(super) fn walks_quickly(&self) -> bool {
        self.walk_objects.get() <= WALK_OBJECTS_MAX
    }

    /// What the session holds besides names.
    pub(super) fn held_values(&self) -> Vec<Value> {
        let mut held: Vec<Value> = self.last_error.value().into_iter().collect();
        held.push(Value::Dict(self.outputs.dict.clone()));
        held
    }

    /// Everything that holds values now.
    pub(super) fn graph(&self, vm: &Vm) -> Graph {
        self.graph_without(vm, Without::default())
    }

    /// The same but for some names and outputs.
    pub(super) fn graph_without(&self, vm: &Vm, without: Without) -> Graph {
        let began = Instant::now();
        let mut roots = Roots::without(without);
        roots.add(RootKind::Names, Value::Module(vm.main.clone()));
        roots.add(RootKind::Outputs, Value::Dict(self.outputs.dict.clone()));
        if self.outputs.inputs_hold() {
            roots.add(RootKind::Inputs, Value::List(self.outputs.inputs.clone()));
        }
        if let Some(error) = self.last_error.value() {
            roots.add(RootKind::Error, error);
        }
        super::machine::add_roots(vm, &mut roots);
        roots.add_root(&QueuedWork);
        for root in &*self.roots.borrow() {
            roots.add_root(&**root);
        }
        let graph = Graph::walk(roots);
        self.walk_seconds.set(began.elapsed().as_secs_f64());
        self.walk_objects.set(graph.len_objects());
        graph
    }

    /// How long the last walk took.
    pub(super) fn last_walk(&self) -> Duration {
        Duration::from_secs_f64(self.walk_seconds.get())
    }

    /// The state of memory now.
    pub(super) fn report(&self, vm: &Vm) -> Report {
        let pending = self.snapshots.frees().into_iter().filter(|free| free.progress == Progress::Pending);
        let mut report = Report::new(self.number(), self.graph(vm), self.sources.borrow().clone());
        report.pending = pending.map(|free| free.line).collect();
        report.past = self.past.borrow().clone();
        report
    }

    /// The state of memory as it would be held without some names and outputs.
    pub(super) fn report_without(&self, vm: &Vm, without: Without) -> Report {
        Report::new(self.number(), self.graph_without(vm, without), self.sources.borrow().clone())
    }

    /// The line and the text of an origin, where its source is known.
    pub(super) fn place(&self, origin: Origin) -> (Option<u32>, String) {
        let sources = self.sources.borrow();
        let Some(source) = sources.get(&origin.code) else { return (None, String::new()) };
        super::machine::place(source, origin)
    }

    /// The account of the running cell so far.
    pub(super) fn current_account(&self) -> Account {
        Account::new(account::current(), |origin| self.line_text(origin))
    }

    /// The account of a past cell.
    pub(super) fn past_account(&self, number: u32) -> Option<Account> {
        let figures = self.past.borrow().cell(number)?.figures.clone();
        Some(Account::new(figures, |origin| self.line_text(origin)))
    }

    /// The line and its whole text of an origin.
    pub(super) fn line_text(&self, origin: Origin) -> (Option<u32>, String) {
        let line = self.place(origin).0;
        let text = line.and_then(|line| {
            let sources = self.sources.borrow();
            sources.get(&origin.code).map(|source| source.line_text(line as usize).to_owned())
        });
        (line, text.unwrap_or_default())
    }

    /// What changed since the last cell began.
    pub(super) fn difference(&self, report: &Report) -> Markup {
        let (next_id, bytes_live, cell) = self.before.get();
        difference(report, next_id, bytes_live, &format!("cell {cell} began"))
    }

    /// Lets go of outputs over the limit and answers their numbers; says which, unless whoever asked does.
    pub(super) fn enforce_output_limit(&self, tells: bool) -> Vec<u32> {
        let bytes_of = |value: &Value| reach(value).iter().map(|reached| reached.bytes).sum();
        let evicted = self.outputs.enforce(bytes_of);
        let numbers: Vec<u32> = evicted.iter().map(|gone| gone.number).collect();
        let told: Vec<String> = evicted
            .iter()
            .filter(|gone| gone.bytes > 0)
            .map(|gone| {
                let again = match gone.recipe.as_str() {
                    "" => String::new(),
                    recipe => format!(", recompute with: {recipe}"),
                };
                format!("Out[{}] evicted, {}{again}", gone.number, bytes(gone.bytes))
            })
            .collect();
        drop(evicted);
        if tells && !told.is_empty() {
            self.notice_text(&told.join("\n"));
        }
        numbers
    }

    // Names

    /// A value by a path, without running anything.
    pub(super) fn find_path(&self, vm: &Vm, path: &str) -> Option<Value> {
        let path = lookup::Path::parse(path)?;
        lookup::find(vm, &path, |name| self.outputs.find(name))
    }
}
