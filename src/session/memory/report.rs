//! One look at all memory: devices, live allocations, who holds them. Text is made later and only for what is shown.

use std::cell::OnceCell;
use std::rc::Rc;
use std::time::SystemTime;

use hashbrown::HashMap;

use super::past::Past;
use crate::arrays::ledger::{self, Brief, Entry};
use crate::arrays::readings::DeviceReading;
use crate::arrays::{DeviceHandle, registry};
use crate::lang::code::Source;
use crate::lang::value::Value;
use crate::session::holders::{Graph, Holder, HolderKind, Owner, Turn};
use crate::session::machine;

/// Where an allocation was asked for, as people say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Born {
    /// The cell; zero outside cells.
    pub cell: u32,
    /// The line, where known: of the cell, or of what the cell called.
    pub line: Option<u32>,
    /// What the line is a line of when it is not the cell itself: `cell 3`, `util.py`.
    pub line_of: Option<String>,
    /// The expression's text or the operation's name.
    pub op: String,
}

/// Allocations that are looked up when the largest are asked for, which is all that a page shows.
const TOP: usize = 256;

/// One look at all memory.
pub struct Report {
    /// The last cell that ran.
    pub cell: u32,
    /// When.
    pub time: SystemTime,
    /// Devices with something to say: all, and the host when it holds something.
    pub devices: Vec<(DeviceHandle, DeviceReading)>,
    /// The ledger's name of the default device.
    pub default_device: String,
    /// Live allocations, by number.
    live: Vec<Brief>,
    /// The largest of them in full, and all of them, once somebody asked.
    top: OnceCell<Vec<Entry>>,
    all: OnceCell<Vec<Entry>>,
    /// Texts that origins point into.
    pub sources: HashMap<u32, Rc<Source>>,
    /// Who holds them.
    pub graph: Graph,
    /// Numbers of the allocations that were asked about: what each of their holders keeps alone is worth computing.
    pub asked: Vec<u64>,
    /// Frees that wait for the end of the running cell, as they were written.
    pub pending: Vec<String>,
    /// The cells so far.
    pub past: Rc<Past>,
}

/// A source as a line of it is told: `cell 3`, the file's name without its folder, else as tracebacks name it.
fn source_name(source: &Rc<Source>) -> String {
    match source.cell {
        Some(cell) => format!("cell {cell}"),
        None => source.name.rsplit('/').next().unwrap_or(&source.name).to_owned(),
    }
}

impl Born {
    /// `cell 4 line 2`, or `cell 4, line 2 of cell 3` when the cell called what is written there; nothing outside cells.
    pub fn place(&self) -> Option<String> {
        match (self.cell, self.line, &self.line_of) {
            (0, ..) => None,
            (cell, None, _) => Some(format!("cell {cell}")),
            (cell, Some(line), None) => Some(format!("cell {cell} line {line}")),
            (cell, Some(line), Some(source)) => Some(format!("cell {cell}, line {line} of {source}")),
        }
    }
}

impl Report {
    /// Looks at the ledger; `graph` was walked just now, `sources` are the texts that origins point into.
    pub fn new(cell: u32, graph: Graph, sources: HashMap<u32, Rc<Source>>) -> Self {
        Self { graph, live: ledger::briefs(), sources, ..Self::totals(cell) }
    }

    /// Devices and totals only, which cost the same however much lives.
    pub fn totals(cell: u32) -> Self {
        Self {
            cell,
            time: SystemTime::now(),
            devices: devices(),
            default_device: registry::default_device_so_far().ledger_name().to_owned(),
            live: Vec::new(),
            top: OnceCell::new(),
            all: OnceCell::new(),
            sources: HashMap::new(),
            graph: Graph::default(),
            asked: Vec::new(),
            pending: Vec::new(),
            past: Rc::default(),
        }
    }

    /// The holders of an allocation; never none: what nothing leads to is shown as our bug.
    pub fn holders(&self, entry: &Entry) -> Vec<Holder> {
        self.or_unknown(entry, self.graph.holders(entry.id, entry.bytes))
    }

    /// The same with what letting go of each alone frees, for an allocation that was asked about.
    pub fn holders_in_full(&self, entry: &Entry) -> Vec<Holder> {
        self.or_unknown(entry, self.graph.holders_in_full(entry.id, entry.bytes))
    }

    /// The references that go when the holder of an allocation at this path lets go.
    pub fn released_by(&self, allocation: u64, path: &str) -> Vec<Value> {
        self.graph.released_by(allocation, path)
    }

    fn or_unknown(&self, entry: &Entry, mut holders: Vec<Holder>) -> Vec<Holder> {
        if holders.is_empty() {
            holders.push(unknown(entry));
        }
        holders
    }

    /// What frees most by one statement.
    pub fn largest_owner(&self) -> Option<Owner> {
        self.graph.largest_owner(|id| {
            let at = self.live.binary_search_by_key(&id, |brief| brief.id);
            at.map_or(0, |at| self.live[at].bytes)
        })
    }

    /// Where an allocation was asked for, in words.
    pub fn born(&self, entry: &Entry) -> Born {
        let source = self.sources.get(&entry.origin.code);
        let (line, text) = source.map(|source| machine::place(source, entry.origin)).unwrap_or_default();
        let line_of = source.filter(|source| line.is_some() && source.cell != Some(entry.cell)).map(source_name);
        Born { cell: entry.cell, line, line_of, op: if text.is_empty() { entry.op.to_owned() } else { text } }
    }

    /// The allocation with this number.
    pub fn allocation(&self, id: u64) -> Option<Entry> {
        let at = self.live.binary_search_by_key(&id, |brief| brief.id).ok()?;
        self.live[at].entry()
    }

    /// How many allocations live.
    pub fn count(&self) -> usize {
        self.live.len()
    }

    /// Their bytes together.
    pub fn bytes(&self) -> u64 {
        self.live.iter().map(|brief| brief.bytes).sum()
    }

    /// All live allocations, largest first and of equal ones the oldest.
    pub fn entries(&self) -> &[Entry] {
        self.all.get_or_init(|| in_full(self.live.clone(), self.live.len()))
    }

    /// The first so many of them.
    pub fn largest(&self, count: usize) -> &[Entry] {
        let entries =
            if count > TOP { self.entries() } else { self.top.get_or_init(|| in_full(self.live.clone(), TOP)) };
        &entries[..count.min(entries.len())]
    }

    /// Whether every allocation is reached from something with a name.
    pub fn is_explained(&self) -> bool {
        self.graph.reaches_all(self.live.iter().map(|brief| brief.id))
    }
}

/// The `count` largest in full.
fn in_full(mut briefs: Vec<Brief>, count: usize) -> Vec<Entry> {
    let order = |brief: &Brief| (std::cmp::Reverse(brief.bytes), brief.id);
    if count < briefs.len() {
        briefs.select_nth_unstable_by_key(count, order);
        briefs.truncate(count);
    }
    briefs.sort_unstable_by_key(order);
    briefs.iter().filter_map(Brief::entry).collect()
}

/// Devices in the order people list them, the host last and only when it holds something. Does not wait for drivers.
pub fn devices() -> Vec<(DeviceHandle, DeviceReading)> {
    let mut handles = registry::devices_so_far();
    let host = registry::host();
    let reading = ledger::reading(&host);
    let shows_host = reading.here.count > 0 || reading.here.cached > 0;
    let mut devices: Vec<_> = handles.drain(..).map(|device| (device.clone(), ledger::reading(&device))).collect();
    if shows_host {
        devices.push((host, reading));
    }
    devices
}

/// Live bytes of all devices, from the totals.
pub fn bytes_live() -> u64 {
    registry::devices_so_far().iter().chain([&registry::host()]).map(|device| device.accounts().all().live).sum()
}

/// What no root and no queued work leads to. That is a bug of ours and is shown as one.
fn unknown(entry: &Entry) -> Holder {
    Holder {
        path: UNKNOWN.to_owned(),
        kind: HolderKind::Runtime,
        let_go: Some(format!("%free #{}", entry.id)),
        view_bytes: None,
        chain: Vec::new(),
        frees: None,
        turn: Turn::default(),
    }
}

const UNKNOWN: &str = "unknown holder (a bug of Cellhold: please report it)";

pub fn is_unknown(holder: &Holder) -> bool {
    holder.path == UNKNOWN
}
