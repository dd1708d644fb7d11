//! `%mem` as markup: the overview, one allocation in detail, groups, and what changed since the last cell.

use std::collections::BTreeMap;
use std::time::Duration;

use super::page::{Page, Selection};
use super::report::{Report, is_unknown};
use crate::arrays::UsmKind;
use crate::arrays::functions::print::shape_repr;
use crate::arrays::ledger::Entry;
use crate::display::units::{age, bytes, count as counted, plural};
use crate::display::{Markup, Role, Table};
use crate::gauges::Gauge;
use crate::session::holders::{Holder, HolderKind};

/// Holders named in one line of the overview.
const HOLDERS_SHOWN: usize = 4;

/// Allocations listed of what changed.
pub(super) const DIFFERENCE_ROWS: usize = 50;

/// What is left of holders at least where they stand beside the rest.
const HOLDERS_COLUMNS: usize = 24;

/// What is left of where something was born: `cell 12 line 3` at least.
const BORN_COLUMNS: usize = 16;

/// What allocations are summed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// What holds them.
    Holder,
    /// The cell they were born in.
    Cell,
    /// The device they are on.
    Device,
}

/// Gauges, then a page of allocations, then one line about all of them. `next` is what to type for more.
pub fn overview(report: &Report, shown: &Selection<'_>, next: &str) -> Markup {
    let mut markup = Markup::new();
    for (_, reading) in report.devices.iter().filter(|(_, reading)| is_worth_a_line(report, reading)) {
        let gauge = Gauge { reading: reading.clone() };
        markup = markup.then(gauge.line()).line();
        if let Some(note) = gauge.note() {
            markup = markup.push(Role::Dim, format!("  {note}")).line();
        }
    }
    markup = markup.then(report.past.spark());
    for line in &report.pending {
        markup = markup
            .push(Role::Code, format!("  %free {line}"))
            .push(Role::Dim, "  is pending until the cell ends")
            .line();
    }
    if shown.count == 0 {
        return markup.plain("No array memory is held here.");
    }
    if !shown.rows.is_empty() {
        markup = markup.table(allocations_table(report, shown.rows));
    }
    markup.then(shown.rest(next)).then(closing(report, shown.count))
}

/// What a cell allocated that still lives, without the gauges of the whole.
pub fn of_cell(report: &Report, shown: &Selection<'_>, next: &str) -> Markup {
    if shown.count == 0 {
        return Markup::text("Nothing that it allocated still lives.");
    }
    let markup = Markup::text("Still alive of it:").line().table(allocations_table(report, shown.rows));
    let count = plural(shown.count as u64, "allocation");
    markup.then(shown.rest(next)).plain(format!("{count}, {}.", bytes(shown.bytes)))
}

fn is_worth_a_line(report: &Report, reading: &crate::arrays::readings::DeviceReading) -> bool {
    reading.here.count > 0 || reading.here.cached > 0 || &*reading.filter == report.default_device.as_str()
}

/// Allocations with where they were born and what holds them.
pub(super) fn allocations_table(report: &Report, rows: &[Entry]) -> Table {
    let mut table = Table::new()
        .right("id")
        .right("bytes")
        .left("what")
        .shrinking("born")
        .keeping(BORN_COLUMNS)
        .shrinking_late("held by")
        .stacking_below(HOLDERS_COLUMNS);
    for entry in rows {
        table.row(row(report, entry));
    }
    table
}

fn row(report: &Report, entry: &Entry) -> Vec<Markup> {
    let holders = reading_order(report.holders(entry));
    vec![
        Markup::of(Role::Strong, format!("#{}", entry.id)),
        Markup::of(Role::Number, bytes(entry.bytes)),
        Markup::text(what(entry)),
        born(report, entry),
        holders_line(&holders),
    ]
}

/// Whether an allocation of a device lies in host memory and takes nothing of the device's own.
pub(in crate::session) fn is_apart(entry: &Entry) -> bool {
    entry.usm == Some(UsmKind::Host) && !entry.device.ledger_name().starts_with("native:")
}

/// `(1000, 1000) float64`; raw memory by its kind.
pub(super) fn what(entry: &Entry) -> String {
    let device = match entry.device.is_host() {
        true => " (numpy)",
        false if is_apart(entry) => " (in host memory)",
        false => "",
    };
    match (&entry.shape, entry.dtype) {
        (Some(shape), Some(dtype)) => format!("{} {}{device}", shape_repr(shape), dtype.name()),
        _ => format!("raw memory{}", entry.usm.map_or(String::new(), |usm| format!(", kind {}", usm.name()))),
    }
}

fn born(report: &Report, entry: &Entry) -> Markup {
    let born = report.born(entry);
    let mut markup = Markup::text(born.place().unwrap_or_else(|| "outside cells".to_owned()));
    if !born.op.is_empty() {
        markup = markup.plain("  ").push(Role::Code, born.op.clone());
    }
    markup
}

/// Holders as people read them: names first, then by path with the lowest index first.
pub(in crate::session) fn reading_order(mut holders: Vec<Holder>) -> Vec<Holder> {
    holders.reverse();
    holders.sort_by_key(|holder| match holder.kind {
        HolderKind::Name => 0,
        HolderKind::Container | HolderKind::Closure | HolderKind::Instance | HolderKind::Generator => 1,
        HolderKind::Output => 2,
        HolderKind::Frame
        | HolderKind::Error
        | HolderKind::Module
        | HolderKind::Usm
        | HolderKind::Rust
        | HolderKind::Queued
        | HolderKind::Runtime
        | HolderKind::Cycle => 3,
    });
    holders
}

fn holders_line(holders: &[Holder]) -> Markup {
    let mut markup = Markup::new();
    for (index, holder) in holders.iter().take(HOLDERS_SHOWN).enumerate() {
        if index > 0 {
            markup = markup.plain(", ");
        }
        let role = if is_unknown(holder) { Role::Error } else { Role::Code };
        markup = markup.push(role, holder.path.clone());
        if holder.view_bytes.is_some() {
            markup = markup.push(Role::Dim, " (view)");
        }
    }
    if holders.len() > HOLDERS_SHOWN {
        markup = markup.push(Role::Dim, format!(", +{} more", holders.len() - HOLDERS_SHOWN));
    }
    markup
}

fn closing(report: &Report, count: usize) -> Markup {
    let mut markup = Markup::text(plural(count as u64, "allocation"));
    markup = if report.is_explained() {
        markup.plain(",").space().plain("every byte explained.")
    } else {
        markup.push(Role::Error, ", not every byte explained: that is a bug of Cellhold.")
    };
    if let Some(owner) = report.largest_owner() {
        markup = markup.gap().plain("Largest you can let go of at once:").space().push(Role::Code, owner.path);
        markup = markup.plain(format!(", {}", bytes(owner.bytes)));
        if owner.count > 1 {
            markup = markup.space().plain(format!("in {} allocations", counted(owner.count as u64)));
        }
        markup = markup.plain(",").space().plain("by ").push(Role::Code, owner.let_go).plain(".");
    }
    markup
}

/// One allocation: every holder with its chain and what to type.
pub fn allocation_detail(report: &Report, entry: &Entry) -> Markup {
    let born = report.born(entry);
    let holders = reading_order(report.holders_in_full(entry));
    let mut markup = Markup::of(Role::Strong, format!("#{}", entry.id)).plain(format!(
        "   {}, {} on {}",
        bytes(entry.bytes),
        what(entry),
        entry.device.ledger_name()
    ));
    if let Some(place) = born.place() {
        markup = markup.plain(format!(", born in {place}"));
    }
    if !born.op.is_empty() {
        markup = markup.plain(" by ").push(Role::Code, format!("`{}`", born.op));
    }
    markup = markup.plain(match age(Duration::from_secs_f64(entry.age_s().max(0.0))).as_str() {
        "now" => ", just now.".to_owned(),
        age => format!(", {age} ago."),
    });
    markup = markup.plain(match holders.len() {
        1 => "  One holder:".to_owned(),
        count => format!("  {} holders:", number_word(count)),
    });
    // The end of a chain is what tells most: nothing of it is cut.
    let mut table = Table { has_heading: false, ..Table::new() }.shrinking_late("").shrinking_late("");
    table = table.stacking_below(usize::MAX);
    for holder in &holders {
        table.row(vec![chain(holder), let_go(holder)]);
    }
    markup = markup.line().table(table);
    markup.then(together(entry, &holders))
}

/// What letting go of one holder and of all of them frees.
fn together(entry: &Entry, holders: &[Holder]) -> Markup {
    let whole = bytes(entry.bytes);
    match holders {
        [only] => {
            // A list that goes takes its other arrays along.
            let more = only.frees.unwrap_or(0).saturating_sub(entry.bytes);
            let more = if more > 0 { format!(", and {} more with it", bytes(more)) } else { String::new() };
            Markup::text(format!("Letting go of it frees {whole}{more}."))
        }
        several => {
            // One of them may keep other allocations alone.
            let nothing = if several.iter().any(|holder| holder.frees > Some(0)) { "none of it" } else { "nothing" };
            let all = if several.len() == 2 { "both" } else { "all" };
            Markup::text(format!("Letting go of one of them frees {nothing}; {all} together free {whole}."))
        }
    }
}

fn number_word(count: usize) -> String {
    const WORDS: [&str; 10] = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

fn chain(holder: &Holder) -> Markup {
    let mut markup = Markup::text("  <- ");
    if let Some(seen) = holder.view_bytes {
        markup = markup.push(Role::Dim, format!("a view of {} <- ", bytes(seen)));
    }
    if holder.chain.is_empty() {
        return markup.push(if is_unknown(holder) { Role::Error } else { Role::Code }, holder.path.clone());
    }
    markup.plain(holder.chain.join("   <- "))
}

fn let_go(holder: &Holder) -> Markup {
    match &holder.let_go {
        Some(statement) => {
            let markup = Markup::of(Role::Dim, "let go: ").push(Role::Code, statement.clone());
            match holder.frees {
                Some(alone) if alone > 0 => markup.push(Role::Dim, format!("   frees {}", bytes(alone))),
                Some(_) | None => markup,
            }
        }
        None => Markup::of(Role::Dim, "goes when the cell ends"),
    }
}

/// Sums by holder, cell or device, largest first.
pub fn by_group(report: &Report, shown: &[Entry], grouping: Grouping) -> Markup {
    let mut sums: BTreeMap<String, (u64, usize)> = BTreeMap::new();
    for entry in shown {
        let keys = match grouping {
            Grouping::Cell => vec![match entry.cell {
                0 => "outside cells".to_owned(),
                cell => format!("cell {cell}"),
            }],
            Grouping::Device => vec![entry.device.ledger_name().to_owned()],
            Grouping::Holder => {
                let mut owners: Vec<String> = report.holders(entry).iter().map(|holder| owner(&holder.path)).collect();
                owners.sort();
                owners.dedup();
                owners
            }
        };
        for key in keys {
            let sum = sums.entry(key).or_default();
            sum.0 += entry.bytes;
            sum.1 += 1;
        }
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by_key(|(key, (sum, _))| (std::cmp::Reverse(*sum), key.clone()));
    let title = match grouping {
        Grouping::Holder => "held by",
        Grouping::Cell => "born in",
        Grouping::Device => "device",
    };
    let mut table = Table::new().shrinking(title).right("bytes").right("allocations");
    for (key, (sum, count)) in rows {
        table.row(vec![
            Markup::of(Role::Code, key),
            Markup::of(Role::Number, bytes(sum)),
            Markup::text(counted(count as u64)),
        ]);
    }
    let markup = Markup::new().table(table);
    match grouping {
        Grouping::Holder => markup.push(Role::Dim, "What several hold is counted under each."),
        Grouping::Cell | Grouping::Device => markup,
    }
}

/// The name or output that a path starts with.
fn owner(path: &str) -> String {
    let end = if path.starts_with("Out[") {
        path.find(']').map_or(path.len(), |at| at + 1)
    } else if path.starts_with('<') {
        path.find('>').map_or(path.len(), |at| at + 1)
    } else {
        path.find(['.', '[']).unwrap_or(path.len())
    };
    path[..end].to_owned()
}

/// What came and what went since an earlier look, at which `next_id` was the next allocation's number and `bytes_live`
/// lived.
pub fn difference(report: &Report, next_id: u64, bytes_live: u64, since: &str) -> Markup {
    let come: Vec<Entry> = report.entries().iter().filter(|entry| entry.id >= next_id).cloned().collect();
    let sum_come: u64 = come.iter().map(|entry| entry.bytes).sum();
    let sum_stayed = report.bytes() - sum_come;
    let mut markup = Markup::text(format!(
        "Since {since}: {} came in {}, {} of what was there before went.",
        bytes(sum_come),
        plural(come.len() as u64, "allocation"),
        bytes(bytes_live.saturating_sub(sum_stayed)),
    ));
    if !come.is_empty() {
        let come = Selection::of(&come, Page::first(DIFFERENCE_ROWS));
        markup = markup.line().table(allocations_table(report, come.rows)).then(come.rest("%mem"));
    }
    markup
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_the_first_word_of_a_path() {
        for (path, expected) in [
            ("a", "a"),
            ("Out[3]", "Out[3]"),
            ("Out[3][0].x", "Out[3]"),
            ("fit.<closure>.buf", "fit"),
            ("d['a.b'][0]", "d"),
            ("<cycle of list>", "<cycle of list>"),
            ("<last error>.<frame>.a", "<last error>"),
        ] {
            assert_eq!(owner(path), expected);
        }
    }

    #[test]
    fn shapes_read_as_tuples() {
        assert_eq!(shape_repr(&[]), "()");
        assert_eq!(shape_repr(&[3]), "(3,)");
        assert_eq!(shape_repr(&[2, 3]), "(2, 3)");
    }
}
