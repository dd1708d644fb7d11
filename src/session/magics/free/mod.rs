//! `%free`: lets go and says what that did: bytes released by the ledger, bytes cached, bytes returned to devices, and
//! what still holds the rest. With `-n` it says what would happen, by the rules by which it then happens.
//!
//! `wish` reads what is wanted and knows which references that is, `grant` does it, `figures` compares before and after,
//! `compact` copies views out of their bases, `need` finds what to let go of for an amount.

mod compact;
mod figures;
mod grant;
mod need;
mod wish;

use super::arguments::Words;
use super::{Context, Magic, Shown, line, usage_error};
use crate::arrays::ledger;
use crate::display::Markup;
use crate::display::units::parse_bytes;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::Core;
use crate::session::rust;
use wish::Wish;

/// The MIME type of what `%free` did or would do.
pub const FREE_MIME: &str = "application/vnd.cellhold.free+json";

pub(super) const MAGICS: &[Magic] = &[line(
    "free",
    "NAME | PATH | Out[N] | #ID | out | error | cached | all | rust: VARIABLE | --compact VIEW | --need SIZE [--on DEVICE]   [-n] [-y]",
    "Lets go: of a name, of a holder by its path as %mem shows it (d['k'], f.<closure>.x), of an output under all its names, of an allocation whoever holds it (#ID: using it later raises \
     ReleasedArrayError), of all outputs, of the last error, of cached blocks, of what a Rust variable keeps, or of everything. --compact copies a small view \
     out of its large base, --need 2GiB finds the fewest holders to let go of so that so much is free. Says what was released \
     and what still holds the rest. -n only says what would happen; -y does not ask.",
    free,
)];

/// How a `%free` is to be carried out.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// Only say what would happen.
    is_dry: bool,
    /// Do not ask.
    is_sure: bool,
}

fn free(context: &mut Context<'_>) -> Fallible<Value> {
    rust::settle_names(context.core, context.vm)?;
    let shown = carry_out(context)?;
    context.show(&shown)
}

/// Carries out a `%free` that was asked for from elsewhere; it cannot ask back.
pub(in crate::session) fn free_line(core: &Core, vm: &mut crate::lang::vm::Vm, line: &str) -> Fallible<Markup> {
    core.asks_nobody.set(true);
    let shown = carry_out(&mut Context { core, vm, line: line.trim(), body: None });
    core.asks_nobody.set(false);
    shown.map(|shown| shown.markup)
}

fn carry_out(context: &mut Context<'_>) -> Fallible<Shown> {
    let mut words = Words::split(context.line);
    let manner = Manner { is_dry: words.flag(&["-n", "--dry-run"]), is_sure: words.flag(&["-y", "--yes"]) };
    let is_compact = words.flag(&["--compact"]);
    let needed = words.value(&["--need"])?;
    let device = words.value(&["--on"])?;
    let mut words = words.rest()?;
    if let Some(needed) = needed {
        let Some(bytes) = parse_bytes(&needed) else {
            return Err(usage_error(format!("--need takes an amount such as 2GiB or 500MB, not {needed}")));
        };
        if let Some(word) = words.first() {
            return Err(usage_error(format!("--need finds out itself what to let go of; {word} is too much")));
        }
        return need::need(context, bytes, device.as_deref(), manner);
    }
    if device.is_some() {
        return Err(usage_error("--on belongs to --need"));
    }
    if is_compact {
        return compact::compact(context, &words, manner);
    }
    if words.is_empty() {
        return Err(usage_error(
            "%free takes a name, Out[n], #id, out, error, cached, all, rust: v, --compact v or --need SIZE",
        ));
    }
    let mut wishes = wish::rust_wishes(context, &mut words)?;
    for word in &words {
        wishes.push(wish::wish(context, word)?);
    }
    if manner.is_dry {
        return grant::foresee(context, &wishes);
    }
    if wishes.iter().any(|wish| matches!(wish, Wish::All)) && !manner.is_sure {
        let count = ledger::entries().len();
        let question = format!("Let go of all outputs and revoke {count} allocations, whoever uses them? (y/[n]) ");
        if !context.core.confirm(&question, "-y")? {
            return Ok(Shown { markup: Markup::text("Nothing done."), extra: Vec::new() });
        }
    }
    grant::grant(context, &wishes)
}
