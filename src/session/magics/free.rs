//! `%free`: lets go and says what that did: bytes released by the ledger, bytes cached, bytes returned to devices, and
//! what still holds the rest. With `-n` it says what would happen, by the rules by which it then happens.

use super::arguments::{Target, Words};
use super::memory::reachable;
use super::{Context, Magic, line, usage_error};
use crate::arrays::{ledger, pool, registry};
use crate::display::units::bytes;
use crate::display::{Markup, Role};
use crate::lang::arrays::error::raised;
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::holders::{buffer_of, foretell};

pub(super) const MAGICS: &[Magic] = &[line(
    "free",
    "NAME | Out[N] | #ID | out | error | cached | all   [-n] [-y]",
    "Lets go: of a name, of an output under all its names, of an allocation whoever holds it (#ID: using it later raises \
     ReleasedArrayError), of all outputs, of the last error, of cached blocks, or of everything. Says what was released and \
     what still holds the rest. -n only says what would happen; -y does not ask.",
    free,
)];

/// What is let go of.
#[derive(Debug)]
enum Wish {
    Name(String),
    Output(u32),
    Id(u64),
    Outputs,
    Error,
    Cached,
    All,
}

fn free(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = Words::split(context.line);
    let is_dry = words.flag(&["-n", "--dry-run"]);
    let is_sure = words.flag(&["-y", "--yes"]);
    let words = words.rest()?;
    if words.is_empty() {
        return Err(usage_error("%free takes a name, Out[n], #id, out, error, cached or all"));
    }
    let mut wishes = Vec::new();
    for word in &words {
        wishes.push(wish(context, word)?);
    }
    if is_dry {
        return foresee(context, &wishes);
    }
    let asks = wishes.iter().any(|wish| matches!(wish, Wish::All));
    if asks && !is_sure {
        let count = ledger::entries().len();
        let question = format!("Let go of all outputs and revoke {count} allocations, whoever uses them? (y/[n]) ");
        if !context.core.confirm(&question, "-y")? {
            return context.print("Nothing done.");
        }
    }
    let mut lines = Vec::new();
    for wish in &wishes {
        lines.push(grant(context, wish)?);
    }
    let mut markup = Markup::new();
    for (index, text) in lines.into_iter().enumerate() {
        markup = if index > 0 { markup.line().then(text) } else { text };
    }
    context.show_markup(markup)
}

fn wish(context: &mut Context<'_>, word: &str) -> Fallible<Wish> {
    // A name of the program goes before a word of ours, unless it is only a word.
    let is_bound = context.vm.main.get(Name::new(word)).is_some();
    match word {
        _ if is_bound => return Ok(Wish::Name(word.to_owned())),
        "out" => return Ok(Wish::Outputs),
        "error" => return Ok(Wish::Error),
        "cached" => return Ok(Wish::Cached),
        "all" => return Ok(Wish::All),
        "_" | "__" | "___" => {
            return match context.core.outputs.recent_number(word.len() - 1) {
                Some(number) => Ok(Wish::Output(number)),
                None => Err(usage_error(format!("{word} shows nothing"))),
            };
        }
        _ => {}
    }
    match Target::parse(word)? {
        Target::Id(id) => match ledger::entry(id) {
            Some(_) => Ok(Wish::Id(id)),
            None => Err(usage_error(format!("there is no live allocation #{id}"))),
        },
        Target::Output(number) => match context.core.outputs.get(number) {
            Some(_) => Ok(Wish::Output(number)),
            None => Err(usage_error(format!("there is no Out[{number}]"))),
        },
        Target::Path(path) => {
            let hint = match context.core.find_path(context.vm, &path) {
                Some(_) if path.contains(['.', '[']) => format!("%free takes a name, not a path: del {path}"),
                Some(_) => format!("{path} is not a name of the session"),
                None => format!("name '{path}' is not defined"),
            };
            Err(usage_error(hint))
        }
    }
}

/// Sums of all devices at one moment.
#[derive(Clone, Copy, Default)]
struct Figures {
    live: u64,
    cached: u64,
    mapped: u64,
}

impl Figures {
    fn now() -> Self {
        let mut figures = Self::default();
        for reading in ledger::readings() {
            figures.live += reading.here.live;
            figures.cached += reading.here.cached;
            figures.mapped += reading.here.live_blocks + reading.here.cached;
        }
        figures
    }
}

fn grant(context: &mut Context<'_>, wish: &Wish) -> Fallible<Markup> {
    let before = Figures::now();
    let (what, watched) = match wish {
        Wish::Name(name) => {
            let old = context.vm.main.globals.borrow_mut().set(Name::new(name), Value::Unset);
            let watched = reachable(&old);
            drop(old);
            (format!("{name} is gone."), watched)
        }
        Wish::Output(number) => {
            let watched = context.core.outputs.get(*number).map(|value| reachable(&value)).unwrap_or_default();
            drop(context.core.outputs.remove(*number));
            (format!("Out[{number}] let go."), watched)
        }
        Wish::Outputs => {
            let old = context.core.outputs.clear();
            let watched = old.iter().flat_map(reachable).collect();
            let count = old.len();
            drop(old);
            (format!("{count} output{} let go.", if count == 1 { "" } else { "s" }), watched)
        }
        Wish::Error => {
            let watched = context.core.error_values().iter().flat_map(reachable).collect();
            let had = context.core.clear_error();
            (if had { "The last error is let go." } else { "No error was kept." }.to_owned(), watched)
        }
        Wish::Cached => {
            registry::finish_all().map_err(raised)?;
            let returned = pool::trim_all();
            return Ok(Markup::text(format!("{} returned to the devices.", bytes(returned))));
        }
        Wish::Id(id) => {
            revoke(context, *id)?;
            (format!("#{id} revoked."), Vec::new())
        }
        Wish::All => return free_all(context, before),
    };
    context.vm.run_finalizers();
    Ok(told(context, &what, before, &watched))
}

/// What was released, where it is now, and what holds the rest of what was watched.
fn told(context: &mut Context<'_>, what: &str, before: Figures, watched: &[u64]) -> Markup {
    let after = Figures::now();
    let released = before.live.saturating_sub(after.live);
    let cached = after.cached.saturating_sub(before.cached);
    let returned = before.mapped.saturating_sub(after.mapped);
    let mut markup = Markup::text(format!("{what} Released: {} (ledger)", bytes(released)));
    if cached > 0 {
        markup = markup.plain(format!(", {} now cached; on the device after ", bytes(cached)));
        markup = markup.push(Role::Code, "%free cached").plain(format!(": {}", bytes(after.cached)));
    }
    if returned > 0 {
        markup = markup.plain(format!(", {} returned to the device", bytes(returned)));
    }
    markup = markup.plain(".");
    markup.then(remainder(context, watched))
}

/// The watched allocations that live on, with what holds them.
fn remainder(context: &mut Context<'_>, watched: &[u64]) -> Markup {
    let mut left: Vec<u64> = watched.iter().copied().filter(|id| ledger::entry(*id).is_some()).collect();
    left.sort_unstable();
    left.dedup();
    if left.is_empty() {
        return Markup::new();
    }
    let report = context.core.report(context.vm);
    let mut markup = Markup::new();
    for id in left.iter().take(5) {
        let Some(entry) = report.allocation(*id) else { continue };
        let holders = report.holders(entry);
        let paths: Vec<&str> = holders.iter().take(4).map(|holder| holder.path.as_str()).collect();
        let verb = if holders.len() == 1 { "holds" } else { "hold" };
        let more = if holders.len() > 4 { format!(" and {} more", holders.len() - 4) } else { String::new() };
        markup = markup.line().plain(format!("  {}{more} still {verb} ", paths.join(", ")));
        markup = markup.push(Role::Number, bytes(entry.bytes)).plain(format!(" (#{id})."));
        if let [only] = holders.as_slice()
            && let Some(let_go) = &only.let_go
        {
            markup = markup.plain("  ").push(Role::Code, let_go.clone());
        }
    }
    if left.len() > 5 {
        markup = markup.line().plain(format!("  and {} more: %mem", left.len() - 5));
    }
    markup
}

/// Takes an allocation away from whoever holds it, once queued work on it has ended.
fn revoke(context: &mut Context<'_>, id: u64) -> Fallible<()> {
    registry::finish_all().map_err(raised)?;
    let buffer = {
        let graph = context.core.graph(context.vm);
        graph.any_handle(id).and_then(buffer_of)
    };
    let Some(buffer) = buffer else {
        return match ledger::entry(id) {
            // It went when the queued work did.
            None => Ok(()),
            Some(_) => Err(usage_error(format!("#{id} is held by the engine itself and cannot be revoked now"))),
        };
    };
    let by = format!("%free #{id} in cell {}", context.core.number());
    buffer.revoke(&by).map_err(raised)?;
    Ok(())
}

fn free_all(context: &mut Context<'_>, before: Figures) -> Fallible<Markup> {
    let outputs = context.core.outputs.clear();
    let count = outputs.len();
    drop(outputs);
    context.core.clear_error();
    context.vm.run_finalizers();
    crate::lang::collector::collect(context.vm, 2);
    registry::finish_all().map_err(raised)?;
    let mut revoked = 0;
    for entry in ledger::entries() {
        if ledger::entry(entry.id).is_some() {
            revoke(context, entry.id)?;
            revoked += 1;
        }
    }
    pool::trim_all();
    let after = Figures::now();
    Ok(Markup::text(format!(
        "{count} outputs let go, {revoked} allocations revoked. Released: {} (ledger), {} returned to the devices; {} left.",
        bytes(before.live.saturating_sub(after.live)),
        bytes(before.mapped.saturating_sub(after.mapped)),
        bytes(after.live),
    )))
}

/// What the wishes would do.
fn foresee(context: &mut Context<'_>, wishes: &[Wish]) -> Fallible<Value> {
    let mut released: Vec<Value> = Vec::new();
    let mut revoked: Vec<u64> = Vec::new();
    let mut cached = 0;
    let mut watched = Vec::new();
    for wish in wishes {
        match wish {
            Wish::Name(name) => released.extend(context.vm.main.get(Name::new(name))),
            Wish::Output(number) => released.extend(context.core.outputs.get(*number)),
            Wish::Outputs => {
                let numbers = context.core.outputs.numbers();
                released.extend(numbers.into_iter().filter_map(|number| context.core.outputs.get(number)));
            }
            Wish::Error => released.extend(context.core.error_values()),
            Wish::Id(id) => revoked.push(*id),
            Wish::Cached => cached += Figures::now().cached,
            Wish::All => revoked.extend(ledger::entries().iter().map(|entry| entry.id)),
        }
    }
    watched.extend(released.iter().flat_map(reachable));
    let foretold = foretell(released);
    let mut gone = foretold.allocations;
    gone.extend(&revoked);
    gone.sort_unstable();
    gone.dedup();
    let sum: u64 = gone.iter().filter_map(|id| ledger::entry(*id)).map(|entry| entry.bytes).sum();
    let mut markup = Markup::text(format!(
        "Would release {} in {} allocation{}",
        bytes(sum),
        gone.len(),
        if gone.len() == 1 { "" } else { "s" }
    ));
    if cached > 0 {
        markup = markup.plain(format!(" and return {} of cached blocks", bytes(cached)));
    }
    markup = markup.plain(". Nothing was done.");
    for id in gone.iter().take(10) {
        if let Some(entry) = ledger::entry(*id) {
            markup = markup.line().plain(format!("  #{id}  {}", bytes(entry.bytes)));
        }
    }
    watched.retain(|id| !gone.contains(id));
    let rest = remainder(context, &watched);
    let markup = markup.then(rest);
    context.show_markup(markup)
}
