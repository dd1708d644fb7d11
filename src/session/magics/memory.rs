//! `%mem`, `%%mem`: what holds memory, and what a cell did to it.

use super::arguments::{Target, Words};
use super::{Context, Magic, Shown, both, usage_error};
use crate::arrays::ledger::Entry;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::holders::reach;
use crate::session::memory::{
    Account, Grouping, MEMORY_MIME, Report, allocation_detail, by_group, overview, report_json,
};

pub(super) const MAGICS: &[Magic] = &[both(
    "mem",
    "[NAME | Out[N] | #ID] [--by holder|cell|device] [--cell N] [--diff] [--json] [-n ROWS]",
    "Gauges of every device, then each live allocation with what holds it. With a name, an output or a number: why it is \
     alive and what to type to let go. %%mem runs the cell and shows its account, --json as JSON.",
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
    let mut words = Words::split(context.line);
    let is_json = words.flag(&["--json"]);
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
    let targets = words.rest()?;
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
    if is_difference {
        let markup = context.core.difference(&report);
        return context.show_markup(markup);
    }
    let mut shown: Vec<&Entry> = report.entries.iter().collect();
    if let Some(cell) = cell {
        shown.retain(|entry| entry.cell as usize == cell);
    }
    if !targets.is_empty() {
        shown.retain(|entry| wanted.binary_search(&entry.id).is_ok());
        if let [only] = shown.as_slice() {
            let markup = allocation_detail(&report, only);
            return show_with_json(context, markup, &report, rows);
        }
        if shown.is_empty() {
            let markup = crate::display::Markup::text(format!("{} holds no array memory.", targets.join(", ")));
            return context.show_markup(markup);
        }
    }
    let markup = match grouping {
        Some(grouping) => by_group(&report, &shown, grouping),
        None => overview(&report, &shown, rows),
    };
    show_with_json(context, markup, &report, rows)
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
        use crate::display::RichDisplay as _;
        let (mime, json) = account.extra().remove(0);
        let mut bundle = crate::display::MimeBundle::plain(serde_json::to_string_pretty(&json).unwrap_or_default());
        bundle.insert_json(&mime, json);
        context.show_bundle(bundle)?;
    } else {
        context.show(&account)?;
    }
    result.map(|()| Value::None)
}
