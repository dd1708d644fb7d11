//! What became of memory from cell to cell: the accounts of past cells, what lived after each, what came between two.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::page::{Page, Selection};
use super::report::Report;
use super::text::{DIFFERENCE_ROWS, allocations_table};
use crate::arrays::account::CellAccount;
use crate::arrays::ledger::{self, Entry};
use crate::display::units::{bytes, plural, signed_bytes, spark};
use crate::display::{Markup, Role, Table};

/// Cells remembered.
const CELLS: usize = 4096;

/// Newest cells whose accounts keep every line and transfer; older ones keep [`OLD_LINES`].
const IN_FULL: usize = 128;
const OLD_LINES: usize = 32;

/// Cells in a spark line.
const SPARK_CELLS: usize = 48;

/// A cell that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PastCell {
    /// Its account.
    pub figures: CellAccount,
    /// Live bytes of all devices when it had ended.
    pub live: u64,
    /// The number the next allocation had then.
    pub next_id: u64,
}

impl PastCell {
    /// The highest live bytes while it ran.
    fn peak(&self) -> u64 {
        self.live.saturating_add_signed(-self.figures.kept) + self.figures.peak_over_base
    }
}

/// The cells that have ended, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Past {
    cells: VecDeque<PastCell>,
}

impl Past {
    /// Adds the account of a cell that has just ended.
    pub fn push(&mut self, figures: CellAccount) {
        if self.cells.len() == CELLS {
            self.cells.pop_front();
        }
        self.cells.push_back(PastCell { figures, live: ledger::live_everywhere(), next_id: ledger::next_id() });
        if let Some(at) = self.cells.len().checked_sub(IN_FULL + 1) {
            let old = &mut self.cells[at].figures;
            old.by_origin.truncate(OLD_LINES);
            let dropped = old.transfers.len().saturating_sub(OLD_LINES) as u64;
            old.transfers_unlisted += dropped;
            old.transfers.truncate(OLD_LINES);
            old.host_fallbacks.truncate(OLD_LINES);
        }
    }

    /// The cell with this number.
    pub fn cell(&self, number: u32) -> Option<&PastCell> {
        self.cells.iter().rev().find(|cell| cell.figures.cell == number)
    }

    /// The last cell.
    pub fn last(&self) -> Option<&PastCell> {
        self.cells.back()
    }

    /// Numbers of the first and the last cell remembered.
    pub fn range(&self) -> Option<(u32, u32)> {
        Some((self.cells.front()?.figures.cell, self.cells.back()?.figures.cell))
    }

    /// One line about the session so far; nothing while there is little to see.
    pub fn spark(&self) -> Markup {
        let from = self.cells.len().saturating_sub(SPARK_CELLS);
        let shown: Vec<&PastCell> = self.cells.iter().skip(from).collect();
        let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return Markup::new() };
        // Of equal ones the first.
        let top = shown.iter().rev().max_by_key(|cell| cell.peak());
        let Some(top) = top.filter(|cell| shown.len() > 2 && cell.peak() > 0) else { return Markup::new() };
        let levels: Vec<u64> = shown.iter().map(|cell| cell.live).collect();
        Markup::of(Role::Dim, format!("cells {} to {}", first.figures.cell, last.figures.cell))
            .gap()
            .push(Role::Number, spark(&levels))
            .space()
            .push(Role::Dim, format!("live after each, now {}", bytes(ledger::live_everywhere())))
            .gap()
            .push(Role::Dim, format!("highest {} in cell {}", bytes(top.peak()), top.figures.cell))
            .line()
    }

    /// The last cells for JSON.
    pub fn json(&self) -> Value {
        let from = self.cells.len().saturating_sub(SPARK_CELLS);
        let one = |cell: &PastCell| json!({"cell": cell.figures.cell, "live": cell.live, "peak": cell.peak()});
        self.cells.iter().skip(from).map(one).collect()
    }

    /// What changed from the end of one cell to the end of another; the fault where one of them is not remembered.
    pub fn between(&self, report: &Report, from: u32, to: u32) -> Result<Markup, String> {
        let known = |number: u32| {
            self.cell(number).ok_or_else(|| match self.range() {
                Some((first, last)) => format!("cell {number} is not remembered; cells {first} to {last} are"),
                None => "no cell has ended yet".to_owned(),
            })
        };
        if from >= to {
            return Err(format!("--diff {from} {to}: the first cell must be the earlier one"));
        }
        let (before, after) = (known(from)?, known(to)?);
        let grown = after.live as i64 - before.live as i64;
        let mut markup = Markup::text(format!(
            "From the end of cell {from} ({}) to the end of cell {to} ({}): {}{}.",
            bytes(before.live),
            bytes(after.live),
            if grown > 0 { "+" } else { "" },
            signed_bytes(grown)
        ));
        let mut table = Table::new().right("cell").right("allocated").right("freed").right("kept").right("peak");
        let within = self.cells.iter().filter(|cell| (from + 1..=to).contains(&cell.figures.cell));
        for cell in within.filter(|cell| cell.figures.allocated > 0 || cell.figures.freed > 0) {
            table.row(vec![
                Markup::text(cell.figures.cell.to_string()),
                Markup::of(Role::Number, bytes(cell.figures.allocated)),
                Markup::text(bytes(cell.figures.freed)),
                Markup::text(signed_bytes(cell.figures.kept)),
                Markup::text(bytes(cell.peak())),
            ]);
        }
        if !table.rows.is_empty() {
            markup = markup.line().table(table);
        }
        let is_of_these = |entry: &&Entry| (before.next_id..after.next_id).contains(&entry.id);
        let left: Vec<Entry> = report.entries().iter().filter(is_of_these).cloned().collect();
        let left = Selection::of(&left, Page::first(DIFFERENCE_ROWS));
        let count = plural(left.count as u64, "allocation");
        markup =
            markup.line().plain(format!("Of what these cells allocated, {} in {count} still lives", bytes(left.bytes)));
        Ok(if left.count == 0 {
            markup.plain(".")
        } else {
            markup.plain(":").line().table(allocations_table(report, left.rows)).then(left.rest("%mem"))
        })
    }
}
