//! What the language calls back into, and what the magics stand on: the session's state apart from the machine.
//!
//! It is shared by the session and the machine (`Rc`), so everything that changes is in a cell of its own, and none is
//! borrowed while code of the program can run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime};

use hashbrown::{HashMap, HashSet};

use super::advice::Advice;
use super::asked::Progress;
use super::cell::{Config, Payload};
use super::frontend::{CellEvent, Frontend, NoFrontend, ReadLineError, Stream};
use super::history::History;
use super::holders::{Graph, QueuedWork, Root, RootKind, Roots, Without, reach};
use super::live::Live;
use super::lookup;
use super::magics::usage_error;
use super::memory::{Account, Past, Report, bytes_live, difference, overview, report_json};
use super::outputs::Outputs;
use super::plan::PlanWatch;
use super::snapshot::{Snapshot, SnapshotName, Snapshots};
use super::{builtins, magics, show};
use crate::arrays::account;
use crate::arrays::chunk;
use crate::arrays::error::OutOfMemory;
use crate::arrays::ledger::{self, Entry, Origin};
use crate::display::units::bytes;
use crate::display::{Markup, MimeBundle, Role, to_html, to_plain};
use crate::lang::code::{Code, Source};
use crate::lang::heap::ObjectId;
use crate::lang::host::{Host, MagicCall};
use crate::lang::name::Name;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Allocations listed in a snapshot; the totals are complete in any case.
const SNAPSHOT_ALLOCATIONS: usize = 100;

/// Allocations of a deleted name whose holders are looked at.
const HELD_LOOKED_AT: usize = 32;

/// Allocations that the live view lists.
const LIVE_ROWS: usize = 10;

/// Allocations that `memory_summary()` lists, and the columns of its text.
const SUMMARY_ROWS: usize = 40;
const SUMMARY_COLUMNS: usize = 100;

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
    deleted: RefCell<Vec<(Name, Vec<u64>)>>,
    told: RefCell<HashSet<u64>>,
    /// The error that ended a cell last, kept while errors keep frames.
    error: RefCell<Option<Value>>,
    keeps_frames: Cell<bool>,
    /// The object that the cell's last magic answered, told apart from values of the program by its identity only.
    magic_answer: Cell<Option<ObjectId>>,
    walk_seconds: Cell<f64>,
    walk_objects: Cell<usize>,
    /// What hints were given.
    pub(super) advice: RefCell<Advice>,
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
            deleted: RefCell::default(),
            told: RefCell::default(),
            error: RefCell::default(),
            keeps_frames: Cell::new(false),
            magic_answer: Cell::default(),
            walk_seconds: Cell::new(0.0),
            walk_objects: Cell::new(0),
            advice: RefCell::default(),
            live: Live::default(),
            past: RefCell::default(),
            freed_names: RefCell::default(),
            asks_nobody: Cell::new(false),
            plan_watch: RefCell::default(),
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
                core.notice_text(&super::progress::text(progress));
            }
        }));
    }

    /// Columns that text may take.
    pub(super) fn width(&self) -> usize {
        self.frontend.borrow().width()
    }

    /// Asks a person yes or no. Where nobody can answer, the option that answers in advance is named.
    pub(super) fn confirm(&self, question: &str, option: &str) -> Fallible<bool> {
        if self.asks_nobody.get() {
            return Err(usage_error(format!("what is asked for while a cell runs cannot ask back; add {option}")));
        }
        let frontend = self.frontend.borrow().clone();
        match frontend.read_line(question, false) {
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
        let mut held = self.error_values();
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
        if let Some(error) = &*self.error.borrow() {
            roots.add(RootKind::Error, error.clone());
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

    /// The state of memory now.
    pub(super) fn report(&self, vm: &Vm) -> Report {
        let pending = self.snapshots.frees().into_iter().filter(|free| free.progress == Progress::Pending);
        Report {
            pending: pending.map(|free| free.line).collect(),
            past: self.past.borrow().clone(),
            ..Report::new(self.number(), self.graph(vm), self.sources.borrow().clone())
        }
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

    // Errors that keep frames

    pub(super) fn keeps_frames(&self) -> bool {
        self.keeps_frames.get()
    }

    pub(super) fn set_keeps_frames(&self, vm: &mut Vm, keeps: bool) {
        self.keeps_frames.set(keeps);
        vm.keeps_frames = keeps;
        if !keeps {
            self.clear_error();
        }
    }

    /// Lets go of the last error; answers whether there was one.
    pub(super) fn clear_error(&self) -> bool {
        let old = self.error.take();
        old.is_some()
    }

    /// What the last error holds.
    pub(super) fn error_values(&self) -> Vec<Value> {
        let error = self.error.borrow();
        error.iter().cloned().collect()
    }

    /// Keeps the error that ended a cell in place of the one before it.
    pub(super) fn keep_error(&self, exception: Value) {
        let old = self.error.replace(Some(exception));
        drop(old);
    }

    // Names

    /// A value by a path, without running anything.
    pub(super) fn find_path(&self, vm: &Vm, path: &str) -> Option<Value> {
        let path = lookup::Path::parse(path)?;
        lookup::find(vm, &path, |name| self.outputs.find(name))
    }

    /// After a cell: what `del` took a name from and did not free is told once. Answers whether anything was.
    pub(super) fn tell_deleted(&self, vm: &Vm) -> bool {
        let deleted = self.deleted.take();
        if deleted.is_empty() || self.advice.borrow().is_off() {
            return false;
        }
        let live: HashMap<u64, u64> = ledger::entries().iter().map(|entry| (entry.id, entry.bytes)).collect();
        let is_news = |(name, ids): &(Name, Vec<u64>)| {
            vm.main.get(*name).is_none()
                && ids.iter().any(|id| live.contains_key(id) && !self.told.borrow().contains(id))
        };
        let news: Vec<(Name, Vec<u64>)> = deleted.into_iter().filter(is_news).collect();
        if news.is_empty() {
            return false;
        }
        let report = self.report(vm);
        for (name, ids) in news {
            let left: Vec<u64> = ids.into_iter().filter(|id| live.contains_key(id)).collect();
            self.told.borrow_mut().extend(&left);
            self.notice_markup(still_held(&report, name, &left, &live));
        }
        true
    }

    /// Whether what an allocation is held by was told already.
    pub(super) fn was_told(&self, id: u64) -> bool {
        self.told.borrow().contains(&id)
    }

    // Snapshots

    /// What the live view shows.
    pub(super) fn live_bundle(&self, report: &Report, is_running: bool) -> MimeBundle {
        let shown: Vec<_> = report.entries.iter().collect();
        let state = match is_running {
            true => Markup::of(Role::Strong, format!("cell {} runs", self.number())),
            false => Markup::of(Role::Dim, format!("after cell {}", self.number())),
        };
        let markup = state.line().then(overview(report, &shown, LIVE_ROWS));
        let mut bundle = MimeBundle::plain(to_plain(&markup, self.width()));
        bundle.insert("text/html", to_html(&markup));
        bundle
    }

    /// Publishes what other threads may read. At the end of a cell a walk that is known to be long is left out unless
    /// somebody asked.
    pub(super) fn publish(&self, vm: &Vm, is_at_end: bool) {
        let is_wanted = self.snapshots.is_wanted() || self.live.is_open();
        let skips_walk = is_at_end && !is_wanted && !self.walks_quickly();
        let report = if skips_walk { Report::totals(self.number()) } else { self.report(vm) };
        let memory = report_json(&report, SNAPSHOT_ALLOCATIONS);
        let looked = Duration::from_secs_f64(self.walk_seconds.get());
        if !skips_walk && let Some(id) = self.live.due(is_at_end, looked) {
            self.emit(CellEvent::Display {
                bundle: self.live_bundle(&report, !is_at_end),
                id: Some(id),
                is_update: true,
            });
        }
        let running = (!is_at_end).then(|| self.number());
        self.snapshots.publish(Snapshot {
            time: SystemTime::now(),
            running,
            version: 0,
            names: snapshot_names(vm),
            memory,
        });
    }
}

fn snapshot_names(vm: &Vm) -> Vec<SnapshotName> {
    let mut names = lookup::members(&vm.main);
    names.retain(|(name, _)| !name.text().starts_with('_'));
    names.sort_by_key(|(name, _)| name.text());
    names
        .iter()
        .map(|(name, value)| SnapshotName {
            name: name.text().to_owned(),
            type_name: value.type_name().to_owned(),
            summary: lookup::short(value),
            bytes: super::holders::buffer_of(value).map_or(0, |buffer| buffer.bytes() as u64),
        })
        .collect()
}

/// `a is gone, its 7.63 MiB are not: Out[2] still holds them.  %free Out[2]`
fn still_held(report: &Report, name: Name, left: &[u64], live: &HashMap<u64, u64>) -> Markup {
    let sum: u64 = left.iter().filter_map(|id| live.get(id)).sum();
    let mut holders = Vec::new();
    // A name that held thousands is told by the first of them.
    for id in left.iter().take(HELD_LOOKED_AT) {
        if let Some(entry) = report.allocation(*id) {
            holders.extend(report.holders(entry));
        }
    }
    let mut seen = HashSet::new();
    holders.retain(|holder| seen.insert(holder.path.clone()));
    let paths: Vec<&str> = holders.iter().take(3).map(|holder| holder.path.as_str()).collect();
    let more = if holders.len() > 3 { format!(" and {} more", holders.len() - 3) } else { String::new() };
    let verb = if holders.len() == 1 { "holds" } else { "hold" };
    let markup = Markup::of(Role::Code, name.text()).plain(format!(
        " is gone, its {} are not: {}{more} still {verb} them.",
        bytes(sum),
        paths.join(", ")
    ));
    match holders.as_slice() {
        [only] => match &only.let_go {
            Some(let_go) => markup.plain("  ").push(Role::Code, let_go.clone()),
            None => markup,
        },
        _ => markup,
    }
}

impl Host for Core {
    fn write(&self, stream: Stream, text: &str) {
        self.emit_text(stream, text);
    }

    fn read_line(&self, prompt: &str, hidden: bool) -> Fallible<Option<String>> {
        let frontend = self.frontend.borrow().clone();
        match frontend.read_line(prompt, hidden) {
            Ok(line) => Ok(Some(line)),
            Err(ReadLineError::End) => Ok(None),
            Err(ReadLineError::Interrupted) => Err(raise::keyboard_interrupt()),
            Err(ReadLineError::NotSupported) => Err(builtins::stdin_not_implemented()),
        }
    }

    fn show_result(&self, vm: &mut Vm, value: Value) -> Fallible<()> {
        if value.is_none() || self.cell.borrow().is_silent {
            return Ok(());
        }
        if builtins::is_exit(&value) {
            self.ask_exit(0);
            return Ok(());
        }
        let bundle = show::bundle_of(vm, &value)?;
        let (number, stores, recipe) = {
            let cell = self.cell.borrow();
            (cell.number, cell.stores, recipe(&cell.source))
        };
        // What a magic answered is shown and never kept.
        let is_of_magic = value.heap_id().is_some_and(|id| self.magic_answer.take() == Some(id));
        if stores && !is_of_magic {
            self.outputs.store(number, value, &recipe);
        }
        *self.result.borrow_mut() = Some(bundle.clone());
        self.emit(CellEvent::Result { number, bundle });
        Ok(())
    }

    fn display(&self, vm: &mut Vm, value: &Value, display_id: Option<&str>, update: bool) -> Fallible<()> {
        let bundle = show::bundle_of(vm, value)?;
        self.emit(CellEvent::Display { bundle, id: display_id.map(str::to_owned), is_update: update });
        Ok(())
    }

    fn run_magic(&self, vm: &mut Vm, call: &MagicCall) -> Fallible<Value> {
        let answer = magics::run(self, vm, call)?;
        self.magic_answer.set(answer.heap_id());
        Ok(answer)
    }

    fn notice(&self, text: &str) {
        self.notice_text(text);
    }

    fn publish_snapshot(&self, vm: &Vm) {
        self.publish(vm, false);
    }

    fn find_name(&self, vm: &mut Vm, name: Name) -> Fallible<Option<Value>> {
        if !self.config.is_interactive {
            return Ok(None);
        }
        if let Some(value) = self.outputs.find(name.text()) {
            return Ok(Some(value));
        }
        builtins::find(vm, name.text())
    }

    fn session_names(&self) -> Vec<&'static str> {
        if self.config.is_interactive { builtins::NAMES.to_vec() } else { Vec::new() }
    }

    fn name_deleted(&self, name: Name, value: &Value) {
        if self.config.is_interactive {
            let ids: Vec<u64> = reach(value).iter().map(|reached| reached.id).collect();
            if !ids.is_empty() {
                self.deleted.borrow_mut().push((name, ids));
            }
        }
    }

    fn memory_summary(&self, vm: &mut Vm, device: Option<&str>) -> String {
        let report = self.report(vm);
        let is_wanted = |entry: &&Entry| device.is_none_or(|device| entry.device.ledger_name() == device);
        let shown: Vec<_> = report.entries.iter().filter(is_wanted).collect();
        to_plain(&overview(&report, &shown, SUMMARY_ROWS), SUMMARY_COLUMNS)
    }

    fn dry_run_allocates(&self, vm: &Vm) {
        if let Some(watch) = &mut *self.plan_watch.borrow_mut() {
            watch.look(vm);
        }
    }

    fn explain_out_of_memory(&self, vm: &mut Vm, shortage: &OutOfMemory) -> String {
        super::memory::shortage_text(shortage, &self.report(vm))
    }
}

/// What an output can be computed with again: the cell's last line.
fn recipe(source: &str) -> String {
    let last = source.lines().rev().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    last.unwrap_or("").chars().take(80).collect()
}
