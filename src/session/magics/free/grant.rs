//! Doing what was wished, or foretelling it: both go by the same list of references and the same order.

use serde_json::{Value as Json, json};

use super::super::{Context, Shown, usage_error};
use super::FREE_MIME;
use super::figures::{Figures, comparison, comparison_json};
use super::wish::{Wish, references, rust_memory, without};
use crate::arrays::ledger::Entry;
use crate::arrays::{ledger, pool, registry};
use crate::display::units::bytes;
use crate::display::{Markup, Role};
use crate::lang::arrays::error::raised;
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::holders::{Holder, HolderKind, Without, foretell_with, reach};
use crate::session::memory::Report;

/// Allocations listed one by one in what would go.
const LISTED: usize = 10;

/// Allocations whose remaining holders are named.
const EXPLAINED: usize = 5;

/// Grants the wishes in order.
pub(super) fn grant(context: &mut Context<'_>, wishes: &[Wish]) -> Fallible<Shown> {
    let before = Figures::now();
    let lived: Vec<u64> = ledger::entries().iter().map(|entry| entry.id).collect();
    let mut watched = Vec::new();
    let mut said = Vec::new();
    for wish in wishes {
        watched.extend(references(context, wish).iter().flat_map(reach).map(|reached| reached.id));
        watched.extend(rust_memory(context, std::slice::from_ref(wish)).iter().map(|buffer| buffer.id()));
        said.push(grant_one(context, wish)?);
        context.vm.run_finalizers();
    }
    let after = Figures::now();
    let living = Living::now();
    let gone: Vec<u64> = lived.into_iter().filter(|id| living.entry(*id).is_none()).collect();
    let released = before.live().saturating_sub(after.live());
    let returned = before.mapped().saturating_sub(after.mapped());
    let mut markup = Markup::text(format!("{} Released: {} (ledger)", said.join(" "), bytes(released)));
    let cached = after.cached().saturating_sub(before.cached());
    if cached > 0 {
        markup = markup.plain(format!(", {} now cached; ", bytes(cached)));
        markup =
            markup.push(Role::Code, "%free cached").plain(format!(" returns {} to the device", bytes(after.cached())));
    }
    if returned > 0 {
        markup = markup.plain(format!(", {} returned to the device", bytes(returned)));
    }
    markup = markup.plain(".").then(comparison(&before, &after));
    let (rest, held) = remainder(context, &watched, Without::default());
    let json = json!({
        "schema": 1,
        "dry_run": false,
        "released": released,
        "returned": returned,
        "allocations": gone,
        "still_held": held,
        "devices": comparison_json(&before, &after),
    });
    Ok(Shown { markup: markup.then(rest), extra: vec![(FREE_MIME.to_owned(), json)] })
}

/// Every live allocation, found by its number.
struct Living(Vec<Entry>);

impl Living {
    fn now() -> Self {
        Self(ledger::entries())
    }

    fn entry(&self, id: u64) -> Option<&Entry> {
        self.0.binary_search_by_key(&id, |entry| entry.id).ok().map(|at| &self.0[at])
    }
}

fn grant_one(context: &mut Context<'_>, wish: &Wish) -> Fallible<String> {
    let core = context.core;
    Ok(match wish {
        Wish::Name(name) => {
            let old = context.vm.main.globals.borrow_mut().set(Name::new(name), Value::Unset);
            core.freed_names.borrow_mut().insert(name.clone());
            drop(old);
            format!("{name} is gone.")
        }
        Wish::Output(number) => {
            drop(core.outputs.remove(*number));
            format!("Out[{number}] let go.")
        }
        Wish::Holder(held) if held.is_cycle => {
            let count = crate::lang::collector::collect(context.vm, 2);
            format!("Cycles collected, {count} objects.")
        }
        Wish::Holder(held) => {
            core.run_text(context.vm, &held.statement, "<free>")?;
            format!("{} let go by {}.", held.path, held.statement.trim_end_matches(';'))
        }
        Wish::Outputs => {
            let old = core.outputs.clear();
            let count = old.len();
            drop(old);
            format!("{count} output{} let go.", if count == 1 { "" } else { "s" })
        }
        Wish::Error => {
            let had = core.last_error.clear();
            if had { "The last error is let go." } else { "No error was kept." }.to_owned()
        }
        Wish::Cached => {
            registry::finish_all().map_err(raised)?;
            let returned = pool::trim_all();
            format!("{} returned to the devices.", bytes(returned))
        }
        Wish::Id(id) => {
            revoke(context, *id)?;
            format!("#{id} taken from whoever held it: using it raises ReleasedArrayError.")
        }
        Wish::All => free_all(context)?,
        Wish::Rust(path) => {
            let by = format!("%free rust: {path} in cell {}", core.number());
            let handles = core.rust.handles.borrow();
            let count = handles.as_ref().map_or(0, |handles| handles.borrow_mut().free(path, &by));
            let arrays = if count == 1 { "its array".to_owned() } else { format!("{count} arrays") };
            format!("rust: {path} let go of {arrays}.")
        }
        Wish::Gone(text) => text.clone(),
    })
}

/// Takes an allocation away from whoever holds it, once queued work on it has ended.
fn revoke(context: &mut Context<'_>, id: u64) -> Fallible<()> {
    registry::finish_all().map_err(raised)?;
    match ledger::buffer(id) {
        Some(buffer) => {
            buffer.revoke(&format!("%free #{id} in cell {}", context.core.number())).map_err(raised)?;
            Ok(())
        }
        // It went when the queued work did.
        None if ledger::entry(id).is_none() => Ok(()),
        None => Err(usage_error(format!("#{id} is held by the engine itself and cannot be revoked now"))),
    }
}

fn free_all(context: &mut Context<'_>) -> Fallible<String> {
    let outputs = context.core.outputs.clear();
    let count = outputs.len();
    drop(outputs);
    context.core.last_error.clear();
    context.vm.run_finalizers();
    crate::lang::collector::collect(context.vm, 2);
    registry::finish_all().map_err(raised)?;
    let mut revoked = 0;
    for buffer in ledger::buffers() {
        let by = format!("%free all in cell {}", context.core.number());
        buffer.revoke(&by).map_err(raised)?;
        revoked += 1;
    }
    pool::trim_all();
    let outputs = if count == 1 { "1 output".to_owned() } else { format!("{count} outputs") };
    let allocations = if revoked == 1 { "1 allocation".to_owned() } else { format!("{revoked} allocations") };
    let them = if revoked == 1 { "it" } else { "them" };
    Ok(format!("{outputs} let go, {allocations} taken from whoever held {them}."))
}

/// What the wishes would do.
pub(super) fn foresee(context: &mut Context<'_>, wishes: &[Wish]) -> Fallible<Shown> {
    let mut gone: Vec<u64> = Vec::new();
    let mut returned = 0;
    let living = Living::now();
    for (at, wish) in wishes.iter().enumerate() {
        match wish {
            Wish::Id(id) => gone.push(*id),
            Wish::Holder(held) if held.is_cycle => gone.extend(only_cycles(context)),
            Wish::All => gone.extend(living.0.iter().map(|entry| entry.id)),
            Wish::Name(_)
            | Wish::Output(_)
            | Wish::Holder(_)
            | Wish::Outputs
            | Wish::Error
            | Wish::Cached
            | Wish::Rust(_)
            | Wish::Gone(_) => {}
        }
        if matches!(wish, Wish::Cached | Wish::All) {
            // What went before it has come into the cache by then.
            let mut by_then = gone.clone();
            by_then.extend(foretold(context, &wishes[..at]));
            by_then.sort_unstable();
            by_then.dedup();
            let blocks: u64 = by_then.iter().filter_map(|id| living.entry(*id)).map(|entry| entry.block_bytes).sum();
            returned = Figures::now().cached() + blocks;
        }
    }
    let mut watched: Vec<u64> = dropped(context, wishes).iter().flat_map(reach).map(|reached| reached.id).collect();
    watched.extend(rust_memory(context, wishes).iter().map(|buffer| buffer.id()));
    gone.extend(foretold(context, wishes));
    gone.sort_unstable();
    gone.dedup();
    let sum: u64 = gone.iter().filter_map(|id| living.entry(*id)).map(|entry| entry.bytes).sum();
    let mut markup = Markup::text(format!(
        "Would release {} in {} allocation{}",
        bytes(sum),
        gone.len(),
        if gone.len() == 1 { "" } else { "s" }
    ));
    if returned > 0 {
        markup = markup.plain(format!(" and return {} to the devices", bytes(returned)));
    }
    markup = markup.plain(". Nothing was done.");
    // The largest say most of what would be lost.
    gone.sort_by_key(|id| (std::cmp::Reverse(living.entry(*id).map_or(0, |entry| entry.bytes)), *id));
    let report = (!gone.is_empty()).then(|| context.core.report(context.vm));
    for id in gone.iter().take(LISTED) {
        if let Some(entry) = living.entry(*id) {
            markup = markup.line().plain(format!("  #{id}  {}", bytes(entry.bytes)));
            if let Some(holder) = report.as_ref().and_then(|report| report.holders(entry).into_iter().next()) {
                markup = markup.plain("  ").push(Role::Code, holder.path);
            }
        }
    }
    if gone.len() > LISTED {
        markup = markup.line().plain(format!("  and {} more", gone.len() - LISTED));
    }
    drop(report);
    gone.sort_unstable();
    watched.retain(|id| gone.binary_search(id).is_err());
    let (rest, held) = remainder(context, &watched, without(context, wishes));
    let json = json!({
        "schema": 1,
        "dry_run": true,
        "released": sum,
        "returned": returned,
        "allocations": gone,
        "still_held": held,
    });
    Ok(Shown { markup: markup.then(rest), extra: vec![(FREE_MIME.to_owned(), json)] })
}

/// The allocations that nothing but cycles holds.
fn only_cycles(context: &Context<'_>) -> Vec<u64> {
    let report = context.core.report(context.vm);
    let is_cycle = |holder: &Holder| holder.kind == HolderKind::Cycle;
    let entries = report.entries().iter().filter(|entry| report.holders(entry).iter().all(is_cycle));
    entries.map(|entry| entry.id).collect()
}

/// The allocations that go when wishes are granted together.
fn foretold(context: &Context<'_>, wishes: &[Wish]) -> Vec<u64> {
    foretell_with(dropped(context, wishes), rust_memory(context, wishes)).allocations
}

/// The references that wishes drop together; one wished for twice goes once. Nobody else may keep them when they are
/// handed to [`foretell_with`].
fn dropped(context: &Context<'_>, wishes: &[Wish]) -> Vec<Value> {
    let mut all = Vec::new();
    for (at, wish) in wishes.iter().enumerate() {
        let before = &wishes[..at];
        let is_covered = before.contains(wish) || (matches!(wish, Wish::Output(_)) && before.contains(&Wish::Outputs));
        if matches!(wish, Wish::Outputs) {
            let numbers = context.core.outputs.numbers();
            let rest = numbers.into_iter().filter(|number| !before.contains(&Wish::Output(*number)));
            all.extend(rest.filter_map(|number| context.core.outputs.get(number)));
        } else if !is_covered {
            all.extend(references(context, wish));
        }
    }
    all
}

/// The watched allocations that live on, with what holds them beside what is let go of.
pub(super) fn remainder(context: &mut Context<'_>, watched: &[u64], without: Without) -> (Markup, Vec<Json>) {
    let living = Living::now();
    let mut left: Vec<u64> = watched.iter().copied().filter(|id| living.entry(*id).is_some()).collect();
    left.sort_unstable();
    left.dedup();
    if left.is_empty() {
        return (Markup::new(), Vec::new());
    }
    let paths_left_out = without.paths.clone();
    let report: Report = context.core.report_without(context.vm, without);
    let mut markup = Markup::new();
    let mut json = Vec::new();
    for id in left.iter().take(EXPLAINED) {
        let Some(entry) = report.allocation(*id) else { continue };
        let mut holders = report.holders(&entry);
        holders.retain(|holder| !paths_left_out.contains(&holder.path));
        let paths: Vec<&str> = holders.iter().take(4).map(|holder| holder.path.as_str()).collect();
        json.push(json!({"id": id, "bytes": entry.bytes, "holders": paths}));
        let verb = if holders.len() == 1 { "holds" } else { "hold" };
        let more = if holders.len() > 4 { format!(" and {} more", holders.len() - 4) } else { String::new() };
        markup = markup.line().plain(format!("  {}{more} still {verb} ", paths.join(", ")));
        markup = markup.push(Role::Number, bytes(entry.bytes)).plain(format!(" (#{id})."));
        if let [only] = holders.as_slice()
            && let Some(let_go) = &only.let_go
        {
            markup = markup.gap().push(Role::Code, let_go.clone());
        }
    }
    if left.len() > EXPLAINED {
        markup = markup.line().plain(format!("  and {} more: %mem", left.len() - EXPLAINED));
    }
    (markup, json)
}
