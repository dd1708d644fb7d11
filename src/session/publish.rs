//! What other threads and the live view see of a session: its memory and names at one moment.

use std::time::SystemTime;

use super::core::Core;
use super::frontend::CellEvent;
use super::holders::reach_within;
use super::lookup;
use super::memory::{Page, Report, Selection, overview, report_json};
use super::snapshot::{Snapshot, SnapshotName};
use crate::display::{Markup, MimeBundle, Role, to_html, to_plain};
use crate::lang::vm::Vm;

/// Allocations listed in a snapshot; the totals are complete in any case.
const SNAPSHOT_ALLOCATIONS: usize = 100;

/// Objects that are looked at to say which memory each name keeps alive, for who asks while a cell runs.
const NAMES_OBJECTS_MAX: usize = 20_000;

/// Allocations that the live view lists.
const LIVE_ROWS: usize = 10;

impl Core {
    /// What the live view shows.
    pub(super) fn live_bundle(&self, report: &Report, is_running: bool) -> MimeBundle {
        let shown = Selection::of_all(report, Page::first(LIVE_ROWS));
        let state = match is_running {
            true => Markup::of(Role::Strong, format!("cell {} runs", self.number())),
            false => Markup::of(Role::Dim, format!("after cell {}", self.number())),
        };
        let markup = state.line().then(overview(report, &shown, "%mem"));
        let mut bundle = MimeBundle::plain(to_plain(&markup.clone().flowing(), self.width()));
        bundle.insert("text/html", to_html(&markup));
        bundle
    }

    /// Publishes what other threads may read. At the end of a cell a walk that is known to be long is left out unless
    /// somebody asked. `look` is one that was made just now.
    pub(super) fn publish(&self, vm: &Vm, is_at_end: bool, look: Option<Report>) {
        let is_wanted = self.snapshots.is_wanted() || self.live.is_open();
        let skips_walk = look.is_none() && is_at_end && !is_wanted && !self.walks_quickly();
        let report = match look {
            Some(report) => report,
            None if skips_walk => Report::totals(self.number()),
            None => self.report(vm),
        };
        let memory = report_json(&report, SNAPSHOT_ALLOCATIONS);
        let looked = self.last_walk();
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
            names: snapshot_names(vm, if skips_walk { 0 } else { NAMES_OBJECTS_MAX }),
            memory,
        });
    }
}

/// The names with what they keep alive, as far as looking at so many objects tells.
fn snapshot_names(vm: &Vm, mut objects: usize) -> Vec<SnapshotName> {
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
            reaches: reach_within(value, &mut objects).map(|all| all.iter().map(|one| one.id).collect()),
        })
        .collect()
}
