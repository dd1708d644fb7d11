//! `%mem`, `%%mem`: what holds memory, and what a cell did to it.

use super::arguments::{Target, Words};
use super::{Context, Magic, Shown, both, usage_error};
use crate::arrays::ledger::Entry;
use crate::display::RichDisplay;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::CellEvent;
use crate::session::holders::reach;
use crate::session::memory::{
    Account, Grouping, MEMORY_MIME, Page, Report, Selection, allocation_detail, by_group, of_cell, overview,
    report_json,
};
use crate::session::rust;

pub(super) const MAGICS: &[Magic] = &[both(
    "mem",
    "[NAME | Out[N] | #ID] [--by holder|cell|device] [--cell N] [--diff [CELL [CELL]]] [--live [off]] [--json] [-n ROWS] \
     [--page N]",
    "Gauges of every device, then each live allocation with what holds it. With a name, an output or a number: why it is \
     alive and what to type to let go. --cell 4 is the account of a past cell, --diff 5 9 what changed between the ends of two, \
     -n is the rows of a page, --page 2 the second one. --live stays up to date while cells run. %%mem runs the cell and shows its account, --json as JSON.",
    mem,
)];

/// Rows shown when nothing is said.
const ROWS: usize = 40;

/// Allocations of which it is computed what each holder keeps alone, when a container with more was asked about.
const ASKED_IN_FULL: usize = 64;

fn mem(context: &mut Context<'_>) -> Fallible<Value> {
    if let Some(body) = context.body {
        return cell_account(context, body);
    }
    rust::settle_names(context.core, context.vm)?;
    let mut words = Words::split(context.line);
    let is_json = words.flag(&["--json"]);
    if words.flag(&["--live"]) {
        return live(context, words.rest()?);
    }
    let is_difference = words.flag(&["--diff"]);
    let grouping = match words.value(&["--by"])?.as_deref() {
        None => None,
        Some("holder") => Some(Grouping::Holder),
        Some("cell") => Some(Grouping::Cell),
        Some("device") => Some(Grouping::Device),
        Some(other) => return Err(usage_error(format!("--by takes holder, cell or device, not {other}"))),
    };
    let cell = words.number(&["--cell"])?;
    let rows = words.number(&["-n"])?.unwrap_or(ROWS);
    let page = Page { number: words.number(&["--page"])?.unwrap_or(1).max(1), rows };
    // What to type for the page after: the same but for its number.
    let mut others = Words::split(context.line);
    others.value(&["--page"])?;
    let next = format!("%mem {} --page {}", others.line(), page.number + 1).replace("  ", " ");
    let targets = words.rest()?;
    if is_difference {
        return difference(context, &targets);
    }
    let mut report = context.core.report(context.vm);
    let mut wanted = Vec::new();
    for target in &targets {
        wanted.extend(allocations_of(context, &report, &Target::parse(target)?)?);
    }
    wanted.sort_unstable();
    wanted.dedup();
    report.asked = wanted.iter().copied().take(ASKED_IN_FULL).collect();
    if is_json {
        let json = report_json(&report, usize::MAX);
        let mut bundle = crate::display::MimeBundle::plain(serde_json::to_string_pretty(&json).unwrap_or_default());
        bundle.insert_json(MEMORY_MIME, json);
        return context.show_bundle(bundle);
    }
    let account = cell.and_then(|cell| context.core.past_account(u32::try_from(cell).ok()?));
    let is_meant = |entry: &&Entry| {
        cell.is_none_or(|cell| entry.cell as usize == cell)
            && (targets.is_empty() || wanted.binary_search(&entry.id).is_ok())
    };
    let is_all = cell.is_none() && targets.is_empty() && grouping.is_none();
    let shown: Vec<Entry> =
        if is_all { Vec::new() } else { report.entries().iter().filter(is_meant).cloned().collect() };
    if let Some(cell) = cell
        && shown.is_empty()
        && account.is_none()
    {
        return Err(usage_error(format!("nothing is known about a cell {cell}")));
    }
    if !targets.is_empty() {
        if let [only] = shown.as_slice() {
            let markup = allocation_detail(&report, only);
            return show_with_json(context, markup, &report, rows);
        }
        if shown.is_empty() {
            let markup = crate::display::Markup::text(format!("{} holds no array memory.", targets.join(", ")));
            return context.show_markup(markup);
        }
    }
    let selection = if is_all { Selection::of_all(&report, page) } else { Selection::of(&shown, page) };
    let markup = match (grouping, &account) {
        (Some(grouping), _) => by_group(&report, &shown, grouping),
        (None, Some(_)) => of_cell(&report, &selection, &next),
        (None, None) => overview(&report, &selection, &next),
    };
    let Some(account) = account else { return show_with_json(context, markup, &report, rows) };
    let mut extra = account.extra();
    extra.push((MEMORY_MIME.to_owned(), report_json(&report, rows.max(ROWS))));
    context.show(&Shown { markup: account.markup().line().then(markup), extra })
}

/// `--diff`: since the last cell began, or between the ends of two cells.
fn difference(context: &mut Context<'_>, cells: &[String]) -> Fallible<Value> {
    let number = |text: &String| {
        text.parse::<u32>().map_err(|_| usage_error(format!("--diff takes numbers of cells, not {text}")))
    };
    let report = context.core.report(context.vm);
    let markup = match cells {
        [] => context.core.difference(&report),
        [from] => {
            let last = report.past.last().map_or(0, |cell| cell.figures.cell);
            report.past.between(&report, number(from)?, last).map_err(usage_error)?
        }
        [from, to] => report.past.between(&report, number(from)?, number(to)?).map_err(usage_error)?,
        _ => return Err(usage_error("--diff takes no cell, one or two")),
    };
    context.show_markup(markup)
}

/// `--live`: an overview that is brought up to date while cells run and after each.
fn live(context: &mut Context<'_>, words: Vec<String>) -> Fallible<Value> {
    match words.as_slice() {
        [] => {
            let bundle = context.core.live_bundle(&context.core.report(context.vm), true);
            let id = context.core.live.begin(&context.core.snapshots);
            context.core.emit(CellEvent::Display { bundle, id: Some(id), is_update: false });
            Ok(Value::None)
        }
        [off] if off == "off" => {
            let was_on = context.core.live.end();
            context.print(if was_on { "The live view stays as it is from here on." } else { "No live view is open." })
        }
        [other, ..] => Err(usage_error(format!("--live takes off or nothing, not {other}"))),
    }
}

fn show_with_json(
    context: &mut Context<'_>,
    markup: crate::display::Markup,
    report: &Report,
    rows: usize,
) -> Fallible<Value> {
    let extra = vec![(MEMORY_MIME.to_owned(), report_json(report, rows.max(ROWS)))];
    context.show(&Shown { markup, extra })
}

/// The allocations that a target is or reaches.
pub(super) fn allocations_of(context: &mut Context<'_>, report: &Report, target: &Target) -> Fallible<Vec<u64>> {
    match target {
        Target::Id(id) => match report.allocation(*id) {
            Some(_) => Ok(vec![*id]),
            None => Err(usage_error(format!("there is no live allocation #{id}"))),
        },
        Target::Output(number) => match context.core.outputs.get(*number) {
            Some(value) => Ok(reachable(&value)),
            None => Err(usage_error(format!("there is no Out[{number}]"))),
        },
        Target::Path(path) => match context.core.find_path(context.vm, path) {
            Some(value) => Ok(reachable(&value)),
            None => Err(usage_error(format!("there is no {path} (a name, Out[n] or #id is wanted)"))),
        },
    }
}

/// Numbers of the allocations that a value keeps alive.
pub(super) fn reachable(value: &Value) -> Vec<u64> {
    reach(value).into_iter().map(|reached| reached.id).collect()
}

fn cell_account(context: &mut Context<'_>, body: &str) -> Fallible<Value> {
    let mut words = Words::split(context.line);
    let is_json = words.flag(&["--json"]);
    words.rest()?;
    let result = context.core.run_body(context.vm, body);
    // The account is shown for a cell that failed too: that is when it is wanted most.
    let account: Account = context.core.current_account();
    if is_json {
        let (mime, json) = account.extra().remove(0);
        let mut bundle = crate::display::MimeBundle::plain(serde_json::to_string_pretty(&json).unwrap_or_default());
        bundle.insert_json(&mime, json);
        context.show_bundle(bundle)?;
    } else {
        context.show(&account)?;
    }
    result.map(|()| Value::None)
}
