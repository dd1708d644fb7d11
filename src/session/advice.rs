//! Hints: when a cell does what fills memory, it is told in one line, with the command that helps.
//!
//! At most one a cell and each kind once a session, unless asked (`%advice all`). What looks the same and is meant is left
//! alone: a list made in one expression, a scalar read once a pass, a view beside its living base, a device that was chosen.

use std::cell::OnceCell;

use hashbrown::{HashMap, HashSet};

use super::core::Core;
use super::holders::HolderKind;
use super::memory::{Report, reading_order};
use crate::arrays::account::CellAccount;
use crate::arrays::backend::DeviceType;
use crate::arrays::ledger::{self, Origin};
use crate::arrays::registry;
use crate::display::units::bytes;
use crate::display::{Markup, Role};
use crate::lang::vm::Vm;

/// Allocations below this are nobody's problem.
const LARGE: u64 = 1 << 20;

/// A view that sees less than this part of what it keeps is small.
const SMALL_PART: u64 = 8;

/// Passes that must have kept as much each, and what they must have kept together.
const PASSES: usize = 5;
const KEPT_TOGETHER: u64 = 4 << 20;

/// Copies by one line that make a loop: so many, or fewer that are large together.
const COPIES: u64 = 32;
const LARGE_COPIES: u64 = 8;

/// Allocations whose holders are looked at after a cell.
const LOOKED_AT: usize = 200;

/// What a hint is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Every pass of a loop kept as much.
    LoopKeeps,
    /// A loop copies between host and device.
    LoopMoves,
    /// A small view keeps a large base.
    SmallView,
    /// An output became the last holder.
    LastOutput,
    /// Arrays go to a processor while a GPU is there.
    WrongDevice,
}

/// How often hints are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Each kind once.
    #[default]
    Once,
    /// Whenever it applies.
    Always,
    /// Never.
    Off,
}

/// One hint.
#[derive(Clone, Debug, PartialEq)]
struct Hint {
    kind: Kind,
    text: String,
    command: Option<String>,
}

impl Hint {
    fn markup(&self) -> Markup {
        let markup = Markup::of(Role::Dim, "hint: ").push(Role::Dim, self.text.clone());
        match &self.command {
            Some(command) => markup.gap().push(Role::Code, command.clone()),
            None => markup,
        }
    }
}

/// What was said, and what has to be remembered to say something.
#[derive(Debug, Default)]
pub(super) struct Advice {
    mode: Mode,
    said: HashSet<Kind>,
    /// Large allocations that an output and something else held when a cell ended.
    shared: HashSet<u64>,
    /// The account of the last cell.
    last: CellAccount,
}

impl Advice {
    /// Changes how often; asking for it again makes every kind news again.
    pub(super) fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
        self.said.clear();
    }

    /// Whether nothing is said at all.
    pub(super) fn is_off(&self) -> bool {
        self.mode == Mode::Off
    }

    fn may_say(&self, kind: Kind) -> bool {
        match self.mode {
            Mode::Once => !self.said.contains(&kind),
            Mode::Always => true,
            Mode::Off => false,
        }
    }
}

impl Core {
    /// After a cell: at most one hint about what it did.
    pub(super) fn advise(&self, vm: &Vm, figures: &CellAccount, has_told: bool, look: &OnceCell<Report>) {
        self.advice.borrow_mut().last = figures.clone();
        if self.advice.borrow().is_off() {
            return;
        }
        let hint = self.hints(vm, figures, look, |kind| self.advice.borrow().may_say(kind)).into_iter().next();
        // What `del` left alive was told by now: one line a cell is enough.
        let Some(hint) = hint.filter(|_| !has_told) else { return };
        self.advice.borrow_mut().said.insert(hint.kind);
        self.notice_markup(hint.markup().push(Role::Dim, "   %advice off"));
    }

    /// Everything that could be said now, said before or not.
    pub(super) fn advice_now(&self, vm: &Vm) -> Markup {
        let last = self.advice.borrow().last.clone();
        let hints = self.hints(vm, &last, &OnceCell::new(), |_| true);
        if hints.is_empty() {
            return Markup::text("There is nothing to advise.");
        }
        let mut markup = Markup::new();
        for (at, hint) in hints.iter().enumerate() {
            markup = if at > 0 { markup.line() } else { markup }.then(hint.markup());
        }
        markup
    }

    fn hints(
        &self,
        vm: &Vm,
        figures: &CellAccount,
        look: &OnceCell<Report>,
        wanted: impl Fn(Kind) -> bool,
    ) -> Vec<Hint> {
        let mut hints = Vec::new();
        if wanted(Kind::LoopKeeps) {
            hints.extend(self.loop_that_keeps(vm, figures, look));
        }
        if wanted(Kind::LoopMoves) {
            hints.extend(self.loop_that_moves(figures));
        }
        if wanted(Kind::WrongDevice) {
            hints.extend(wrong_device(figures));
        }
        if ledger::live_everywhere() >= LARGE && self.walks_quickly() {
            let report = look.get_or_init(|| self.report(vm));
            let outputs = self.last_output(report);
            hints.extend(outputs.filter(|_| wanted(Kind::LastOutput)));
            if wanted(Kind::SmallView) {
                hints.extend(small_view(report));
            }
        }
        hints
    }

    /// A line that allocated the same in pass after pass, all of it still there.
    fn loop_that_keeps(&self, vm: &Vm, figures: &CellAccount, look: &OnceCell<Report>) -> Option<Hint> {
        let has_repeats = figures.by_origin.iter().any(|line| line.allocations >= PASSES as u64);
        if !has_repeats || figures.kept < KEPT_TOGETHER as i64 {
            return None;
        }
        let mut kept: HashMap<(Origin, u64), Vec<u64>> = HashMap::new();
        for entry in ledger::entries().iter().filter(|entry| entry.cell == figures.cell && entry.bytes > 0) {
            kept.entry((entry.origin, entry.bytes)).or_default().push(entry.id);
        }
        let is_much = |(_, bytes): &(Origin, u64), count: usize| {
            count >= PASSES && bytes.saturating_mul(count as u64) >= KEPT_TOGETHER
        };
        let (&(origin, each), ids) = kept
            .iter()
            .filter(|(key, ids)| is_much(key, ids.len()))
            .max_by_key(|((origin, bytes), ids)| (bytes * ids.len() as u64, std::cmp::Reverse(origin.span)))?;
        let (line, text) = self.line_text(origin);
        if is_made_at_once(&text) {
            return None;
        }
        let report = look.get_or_init(|| self.report(vm));
        let grows = report.allocation(*ids.last()?).and_then(|entry| {
            let holders = reading_order(report.holders(&entry));
            let holder = holders.into_iter().find(|holder| holder.kind != HolderKind::Output)?;
            Some(holder.path.split(['[', '<']).next()?.trim_end_matches('.').to_owned()).filter(|name| !name.is_empty())
        });
        let place = line.map_or_else(|| "one line".to_owned(), |line| format!("line {line}"));
        let grows = grows.map_or_else(String::new, |name| format!(" ({name} grows)"));
        Some(Hint {
            kind: Kind::LoopKeeps,
            text: format!(
                "{place} kept {} more in each pass of its loop{grows}. Keep a number, or write into one array with out=.",
                bytes(each)
            ),
            command: Some("%mem --by holder".to_owned()),
        })
    }

    /// A line that copied between host and device in pass after pass.
    fn loop_that_moves(&self, figures: &CellAccount) -> Option<Hint> {
        let mut moved: HashMap<(Origin, &str, &str), (u64, u64)> = HashMap::new();
        for transfer in figures.transfers.iter().filter(|transfer| !figures.in_pieces.contains(&transfer.origin)) {
            let sum = moved.entry((transfer.origin, &transfer.from, &transfer.to)).or_default();
            sum.0 += 1;
            sum.1 += transfer.bytes;
        }
        let is_much = |count: u64, sum: u64| count >= COPIES || (count >= LARGE_COPIES && sum >= LARGE);
        let (&(origin, from, to), &(count, sum)) = moved
            .iter()
            .filter(|(_, (count, sum))| is_much(*count, *sum))
            .max_by_key(|((origin, ..), (count, sum))| (*count, *sum, std::cmp::Reverse(origin.span)))?;
        let (line, _) = self.line_text(origin);
        let place = line.map_or_else(|| "one line".to_owned(), |line| format!("line {line}"));
        let remedy = if to == "host" {
            "Collect on the device and copy once after the loop."
        } else {
            "Copy once before the loop."
        };
        let unlisted = if figures.transfers_unlisted > 0 { " or more" } else { "" };
        Some(Hint {
            kind: Kind::LoopMoves,
            text: format!("{place} copied from {from} to {to} {count} times{unlisted}, {}. {remedy}", bytes(sum)),
            command: Some(format!("%mem --cell {}", figures.cell)),
        })
    }

    /// An output that alone keeps what others held with it before.
    fn last_output(&self, report: &Report) -> Option<Hint> {
        let mut found = None;
        let mut advice = self.advice.borrow_mut();
        for entry in report.largest(LOOKED_AT).iter().take_while(|entry| entry.bytes >= LARGE) {
            let holders = report.holders(entry);
            let is_output = |kind: HolderKind| kind == HolderKind::Output;
            match holders.as_slice() {
                [only] if is_output(only.kind) => {
                    let was_shared = advice.shared.remove(&entry.id);
                    if was_shared && found.is_none() && !self.deleted.was_told(entry.id) {
                        found = Some(Hint {
                            kind: Kind::LastOutput,
                            text: format!("{} is the last that holds {}.", only.path, bytes(entry.bytes)),
                            command: only.let_go.clone(),
                        });
                    }
                }
                several if several.iter().any(|holder| is_output(holder.kind)) => {
                    advice.shared.insert(entry.id);
                }
                _ => {}
            }
        }
        found
    }
}

/// Whether a line makes all its arrays in one expression, which whoever wrote it meant to keep.
fn is_made_at_once(line: &str) -> bool {
    let line = line.trim_start();
    let is_loop = ["for ", "while ", "async for "].iter().any(|word| line.starts_with(word));
    !is_loop && line.contains(" for ") && line.contains(['[', '(', '{'])
}

/// A view that is all there is of a large base.
fn small_view(report: &Report) -> Option<Hint> {
    let large = report.largest(LOOKED_AT).iter().take_while(|entry| entry.bytes >= LARGE);
    for entry in large {
        let Some(seen) = report.graph.bytes_seen(entry.id) else { continue };
        if seen.saturating_mul(SMALL_PART) > entry.bytes {
            continue;
        }
        let holders = reading_order(report.holders(entry));
        let Some(holder) = holders.iter().find(|holder| holder.view_bytes.is_some()) else { continue };
        if holders.iter().any(|holder| matches!(holder.kind, HolderKind::Frame | HolderKind::Queued)) {
            continue;
        }
        let name = holder.path.split(['[', '.', '<']).next().unwrap_or(&holder.path);
        let name = if name == "Out" { holder.path.as_str() } else { name };
        let (who, sees, keeps) = match holders.len() {
            1 => (holder.path.clone(), "sees", "keeps"),
            count => (format!("{} and {} more", holder.path, count - 1), "see", "keep"),
        };
        let (seen, kept) = (bytes(seen), bytes(entry.bytes));
        return Some(Hint {
            kind: Kind::SmallView,
            text: format!("{who} {sees} {seen} and {keeps} {kept}, which nothing else uses."),
            command: Some(format!("%free --compact {name}")),
        });
    }
    None
}

/// Arrays that go to the processor by the rule, although a GPU is there.
fn wrong_device(figures: &CellAccount) -> Option<Hint> {
    if figures.allocated < LARGE || registry::is_default_chosen() {
        return None;
    }
    let default = registry::default_device();
    if default.info().device_type != DeviceType::Cpu {
        return None;
    }
    let here = ledger::entries().iter().any(|entry| entry.cell == figures.cell && entry.device == default);
    let gpu = registry::devices().into_iter().find(|device| device.info().device_type == DeviceType::Gpu)?;
    here.then(|| Hint {
        kind: Kind::WrongDevice,
        text: format!("new arrays go to {}, although {} is there.", default.ledger_name(), gpu.ledger_name()),
        command: Some(format!("%device {}", gpu.ledger_name())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_made_in_one_expression_is_meant() {
        assert!(is_made_at_once("layers = [np.ones(8) for _ in range(9)]"));
        assert!(!is_made_at_once("for i in range(9): results.append(np.ones(8))"));
        assert!(!is_made_at_once("    results.append(a * i)"));
    }
}
