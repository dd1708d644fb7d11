//! `%free --compact v`: copies what a view sees out of its large base, so that the base can go.
//!
//! The array object itself gets the new memory, so every name, item and closure that holds this view follows at once.
//! What cannot follow are other views of the base, and they are named.

use hashbrown::HashSet;
use serde_json::json;

use super::super::arguments::Target;
use super::super::{Context, Shown, usage_error};
use super::figures::{Figures, comparison, comparison_json};
use super::grant::remainder;
use super::{FREE_MIME, Manner};
use crate::arrays::functions::convert;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::{Array, ledger, registry};
use crate::display::Markup;
use crate::display::units::bytes;
use crate::lang::arrays::error::raised;
use crate::lang::heap::Ref;
use crate::lang::objects::{ArrayObject, ArrayState};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::holders::Without;

/// A view that is smaller than its base.
struct View {
    object: Ref<ArrayObject>,
    array: Array,
    /// What was typed for it.
    path: String,
}

pub(super) fn compact(context: &mut Context<'_>, words: &[String], manner: Manner) -> Fallible<Shown> {
    if words.is_empty() {
        return Err(usage_error("%free --compact takes the name of a view, or of what holds views"));
    }
    let mut views = Vec::new();
    for word in words {
        views.extend(views_of(context, word)?);
    }
    let mut seen = HashSet::new();
    views.retain(|view| seen.insert(Ref::address(&view.object)));
    if views.is_empty() {
        return Ok(said(Markup::text(format!(
            "{} has no view smaller than its base: nothing to do.",
            words.join(", ")
        ))));
    }
    let copied: u64 = views.iter().map(|view| view.array.bytes() as u64).sum();
    let mut bases: Vec<u64> = views.iter().map(|view| view.array.buffer().id()).collect();
    bases.sort_unstable();
    bases.dedup();
    let going = going(context, &views, &bases);
    let freed: u64 = going.iter().filter_map(|id| ledger::entry(*id)).map(|entry| entry.bytes).sum();
    let what = match views.as_slice() {
        [only] => format!("{} ({} of {})", only.path, bytes(copied), bytes(only.array.buffer().bytes() as u64)),
        several => format!("{} views ({} together)", several.len(), bytes(copied)),
    };
    if manner.is_dry {
        let markup = Markup::text(format!(
            "Would copy {what} and release {} in {} allocation{}. Nothing was done.",
            bytes(freed),
            going.len(),
            if going.len() == 1 { "" } else { "s" }
        ));
        let json = json!({
            "schema": 1, "dry_run": true, "released": freed, "allocated": copied, "allocations": going,
        });
        return Ok(Shown { markup, extra: vec![(FREE_MIME.to_owned(), json)] });
    }
    let before = Figures::now();
    registry::finish_all().map_err(raised)?;
    // All copies first: when one does not fit, nothing has changed.
    let mut copies = Vec::with_capacity(views.len());
    for view in &views {
        let copy = ledger::with_op("compact", || convert::copy(&view.array, MemoryOrder::K)).map_err(raised)?;
        copies.push(copy);
    }
    registry::finish_all().map_err(raised)?;
    for (view, copy) in views.iter().zip(copies) {
        let old = view.object.state.replace(ArrayState::Ready(copy));
        view.object.owns.set(true);
        drop(old);
    }
    drop(views);
    let after = Figures::now();
    let gone: Vec<u64> = bases.iter().copied().filter(|id| ledger::entry(*id).is_none()).collect();
    let released = (before.live() + copied).saturating_sub(after.live());
    let markup =
        Markup::text(format!("Copied {what}; whatever held it has the copy. Released: {} (ledger).", bytes(released)));
    let markup = markup.then(comparison(&before, &after));
    let (rest, held) = remainder(context, &bases, Without::default());
    let json = json!({
        "schema": 1, "dry_run": false, "released": released, "allocated": copied, "allocations": gone,
        "still_held": held, "devices": comparison_json(&before, &after),
    });
    Ok(Shown { markup: markup.then(rest), extra: vec![(FREE_MIME.to_owned(), json)] })
}

fn said(markup: Markup) -> Shown {
    Shown { markup, extra: Vec::new() }
}

/// Bases that go when the views have memory of their own: no array or memory object beside them is on it.
fn going(context: &Context<'_>, views: &[View], bases: &[u64]) -> Vec<u64> {
    let graph = context.core.graph(context.vm);
    let goes = |base: &u64| {
        let ours = views.iter().filter(|view| view.array.buffer().id() == *base).count();
        graph.view_count(*base) == ours && !graph.is_held_outside(*base)
    };
    bases.iter().copied().filter(goes).collect()
}

/// The views that a name, output or number leads to.
fn views_of(context: &Context<'_>, word: &str) -> Fallible<Vec<View>> {
    let start = match Target::parse(word)? {
        Target::Id(id) => {
            return Err(usage_error(format!("--compact takes a view, not a block: %mem #{id} names the views of it")));
        }
        Target::Output(number) => context.core.outputs.get(number),
        Target::Path(path) => context.core.find_path(context.vm, &path),
    };
    let Some(start) = start else { return Err(usage_error(format!("there is no {word}"))) };
    let mut views = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting = vec![start];
    while let Some(value) = waiting.pop() {
        if value.heap_id().is_none_or(|id| !seen.insert(id)) {
            continue;
        }
        if let Value::Array(object) = &value
            && let Some(array) = object.computed()
            && !array.buffer().is_revoked()
            && array.bytes() < array.buffer().bytes()
        {
            views.push(View { object: object.clone(), array, path: word.to_owned() });
        }
        value.visit_children(&mut |_, child| {
            let is_outside =
                matches!(child, Value::Module(_)) || matches!(child, Value::Class(class) if !class.is_user_defined);
            if !is_outside {
                waiting.push(child.clone());
            }
        });
    }
    Ok(views)
}
