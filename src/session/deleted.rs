//! `del` that freed nothing: the names it took away during a cell, and the notice at its end of who still holds the memory.

use std::cell::{OnceCell, RefCell};

use hashbrown::{HashMap, HashSet};

use super::core::Core;
use super::holders::reach;
use super::memory::{Report, reading_order};
use crate::arrays::ledger;
use crate::display::units::bytes;
use crate::display::{Markup, Role};
use crate::lang::name::Name;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Allocations of a deleted name whose holders are looked at.
const HELD_LOOKED_AT: usize = 32;

/// The names deleted since the last notice, with the allocations they reached, and the allocations told about before.
#[derive(Debug, Default)]
pub(super) struct Deleted {
    names: RefCell<Vec<(Name, Vec<u64>)>>,
    told: RefCell<HashSet<u64>>,
}

impl Deleted {
    /// Notes that a name lost its value.
    pub(super) fn note(&self, name: Name, value: &Value) {
        let ids: Vec<u64> = reach(value).iter().map(|reached| reached.id).collect();
        if !ids.is_empty() {
            self.names.borrow_mut().push((name, ids));
        }
    }

    /// After a cell: what `del` took a name from and did not free is told once. Answers whether anything was.
    pub(super) fn tell(&self, core: &Core, vm: &Vm, look: &OnceCell<Report>) -> bool {
        let deleted = self.names.take();
        if deleted.is_empty() || core.advice.borrow().is_off() {
            return false;
        }
        let live: HashMap<u64, u64> = ledger::briefs().iter().map(|brief| (brief.id, brief.bytes)).collect();
        let is_news = |(name, ids): &(Name, Vec<u64>)| {
            vm.main.get(*name).is_none()
                && ids.iter().any(|id| live.contains_key(id) && !self.told.borrow().contains(id))
        };
        let news: Vec<(Name, Vec<u64>)> = deleted.into_iter().filter(is_news).collect();
        if news.is_empty() {
            return false;
        }
        let report = look.get_or_init(|| core.report(vm));
        // Names that reached the same, as those of a cycle do, are told in one line.
        let mut told: Vec<(Vec<Name>, Vec<u64>)> = Vec::new();
        for (name, ids) in news {
            let mut left: Vec<u64> = ids.into_iter().filter(|id| live.contains_key(id)).collect();
            left.sort_unstable();
            match told.iter_mut().find(|(_, others)| *others == left) {
                Some((names, _)) => names.push(name),
                None => told.push((vec![name], left)),
            }
        }
        for (names, left) in told {
            self.told.borrow_mut().extend(&left);
            core.notice_markup(still_held(report, &names, &left, &live));
        }
        true
    }

    /// Whether what an allocation is held by was told already.
    pub(super) fn was_told(&self, id: u64) -> bool {
        self.told.borrow().contains(&id)
    }
}

/// `a is gone, its 7.63 MiB are not: Out[2] still holds them.  %free Out[2]`
fn still_held(report: &Report, names: &[Name], left: &[u64], live: &HashMap<u64, u64>) -> Markup {
    let sum: u64 = left.iter().filter_map(|id| live.get(id)).sum();
    let mut holders = Vec::new();
    // A name that held thousands is told by the first of them.
    for id in left.iter().take(HELD_LOOKED_AT) {
        if let Some(entry) = report.allocation(*id) {
            holders.extend(reading_order(report.holders(&entry)));
        }
    }
    let mut seen = HashSet::new();
    holders.retain(|holder| seen.insert(holder.path.clone()));
    let paths: Vec<&str> = holders.iter().take(3).map(|holder| holder.path.as_str()).collect();
    let more = if holders.len() > 3 { format!(" and {} more", holders.len() - 3) } else { String::new() };
    let verb = if holders.len() == 1 { "holds" } else { "hold" };
    let mut gone = Markup::new();
    for (at, name) in names.iter().enumerate() {
        let before = if at == 0 {
            ""
        } else if at + 1 == names.len() {
            " and "
        } else {
            ", "
        };
        gone = gone.plain(before).push(Role::Code, name.text());
    }
    let are_gone = if names.len() == 1 { "is gone, its" } else { "are gone, their" };
    let markup =
        gone.plain(format!(" {are_gone} {} are not: {}{more} still {verb} them.", bytes(sum), paths.join(", ")));
    // One statement that helps is said; where each holder has one of its own, `%mem` says them.
    match holders.first().and_then(|holder| holder.let_go.as_ref()) {
        Some(let_go) if holders.iter().all(|holder| holder.let_go.as_ref() == Some(let_go)) => {
            markup.plain("  ").push(Role::Code, let_go.clone())
        }
        _ => markup,
    }
}
