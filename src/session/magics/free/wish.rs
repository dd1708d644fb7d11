//! What a `%free` can be asked for, and the references that each wish drops.

use std::sync::Arc;

use super::super::arguments::Target;
use super::super::{Context, usage_error};
use crate::arrays::{Buffer, ledger};
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::holders::HolderKind;
use crate::session::memory::is_unknown;
use crate::session::rust;

/// What is let go of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// A name of the session.
    Name(String),
    /// An output under all its names.
    Output(u32),
    /// A holder by its path, as `%mem` shows it.
    Holder(Held),
    /// An allocation, whoever holds it.
    Id(u64),
    /// All outputs.
    Outputs,
    /// The last error.
    Error,
    /// Cached blocks.
    Cached,
    /// Everything.
    All,
    /// What a Rust variable, or a part of one, keeps: by its path without `rust: `.
    Rust(String),
    /// Something that was let go of before: nothing to do, and no mistake.
    Gone(String),
}

/// A holder with a path and a statement by which it lets go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// `models['large'].weights`, `smooth.<closure>.table`.
    pub(super) path: String,
    /// `del models['large'].weights`, `del smooth`.
    pub(super) statement: String,
    /// An allocation that it holds, where one was met.
    allocation: Option<u64>,
    /// Whether it is a cycle, which only a collection lets go of, with all others.
    pub(super) is_cycle: bool,
}

/// Allocations among which a holder is looked for, largest first.
const CONSIDERED: usize = 4096;

/// Takes the words of Rust holders out of a list, as they are shown: `rust: v`, `rust: cell 4`.
pub(super) fn rust_wishes(context: &mut Context<'_>, words: &mut Vec<String>) -> Fallible<Vec<Wish>> {
    let mut wishes = Vec::new();
    while let Some(at) = words.iter().position(|word| word == "rust:") {
        let is_cell = words.get(at + 1).is_some_and(|word| word == "cell")
            && words.get(at + 2).is_some_and(|word| word.bytes().all(|digit| digit.is_ascii_digit()));
        let end = (at + if is_cell { 3 } else { 2 }).min(words.len());
        let path = words.drain(at..end).skip(1).collect::<Vec<_>>().join(" ");
        let is_held = |context: &Context<'_>| {
            let handles = context.core.rust.handles.borrow();
            handles.as_ref().is_some_and(|handles| !handles.borrow().paths_of(&path).is_empty())
        };
        if !is_held(context) {
            rust::settle_asked_names(context.core, context.vm)?;
        }
        if !is_held(context) {
            return Err(usage_error(match path.as_str() {
                "" => "rust: is followed by a variable of Rust cells".to_owned(),
                path => format!("rust: {path} holds no array"),
            }));
        }
        wishes.push(Wish::Rust(path));
    }
    Ok(wishes)
}

/// The memory to which Rust values drop their references by these wishes, once for each reference.
pub(super) fn rust_memory(context: &Context<'_>, wishes: &[Wish]) -> Vec<Arc<Buffer>> {
    let paths: Vec<&str> =
        wishes.iter().filter_map(|wish| if let Wish::Rust(path) = wish { Some(&**path) } else { None }).collect();
    context.core.rust.handles.borrow().as_ref().map_or_else(Vec::new, |handles| handles.borrow().memory_of(&paths))
}

/// Reads one word.
pub(super) fn wish(context: &mut Context<'_>, word: &str) -> Fallible<Wish> {
    // A name of the program goes before a word of ours.
    let is_bound = context.vm.main.get(Name::new(word)).is_some();
    match word {
        _ if is_bound => return Ok(Wish::Name(word.to_owned())),
        "out" => return Ok(Wish::Outputs),
        "error" => return Ok(Wish::Error),
        "cached" => return Ok(Wish::Cached),
        "all" => return Ok(Wish::All),
        "_" | "__" | "___" => {
            return Ok(match context.core.outputs.recent_number(word.len() - 1) {
                Some(number) => Wish::Output(number),
                None => Wish::Gone(format!("{word} shows nothing.")),
            });
        }
        _ => {}
    }
    match Target::parse(word)? {
        Target::Id(id) => match ledger::entry(id) {
            Some(_) => Ok(Wish::Id(id)),
            None if (1..ledger::next_id()).contains(&id) => Ok(Wish::Gone(format!("#{id} is gone already."))),
            None => Err(usage_error(format!("there never was an allocation #{id}"))),
        },
        Target::Output(number) => match context.core.outputs.get(number) {
            Some(_) => Ok(Wish::Output(number)),
            None if (1..=context.core.number()).contains(&number) => {
                Ok(Wish::Gone(format!("Out[{number}] holds nothing.")))
            }
            None => Err(usage_error(format!("there is no Out[{number}] yet"))),
        },
        Target::Path(path) => {
            if context.core.freed_names.borrow().contains(&path) {
                return Ok(Wish::Gone(format!("{path} is gone already.")));
            }
            held(context, &path)
        }
    }
}

/// The holder that has this path.
fn held(context: &mut Context<'_>, path: &str) -> Fallible<Wish> {
    let found = context.core.find_path(context.vm, path);
    if !path.contains(['.', '[', '<']) {
        return Err(usage_error(match found {
            Some(_) => format!("{path} is not a name of the session"),
            None => format!("name '{path}' is not defined"),
        }));
    }
    let report = context.core.report(context.vm);
    // A part of a path names what cannot be typed, as `%mem` does: `load.<cached results>`, `step.<closure>.seen`.
    let is_part = |whole: &str| whole.strip_prefix(path).is_some_and(|rest| rest.starts_with(['.', '[']));
    for entry in report.largest(CONSIDERED) {
        let mut holders = report.holders(entry).into_iter().filter(|holder| !is_unknown(holder));
        let holder = holders.find(|holder| holder.path == path || found.is_none() && is_part(&holder.path));
        let Some(holder) = holder else { continue };
        let is_cycle = holder.kind == HolderKind::Cycle;
        let Some(statement) = holder.let_go else { continue };
        // What has a wish of its own is that wish.
        return match statement.strip_prefix("%free ") {
            Some(word) => {
                let word = word.to_owned();
                drop(report);
                wish(context, &word)
            }
            None => Ok(Wish::Holder(Held { path: holder.path, statement, allocation: Some(entry.id), is_cycle })),
        };
    }
    match found {
        Some(_) => {
            let statement = format!("del {path}");
            Ok(Wish::Holder(Held { path: path.to_owned(), statement, allocation: None, is_cycle: false }))
        }
        None => Err(usage_error(format!("nothing called {path} holds array memory: %mem lists what does"))),
    }
}

/// The references that a wish drops; nothing for those that revoke or return memory.
pub(super) fn references(context: &Context<'_>, wish: &Wish) -> Vec<Value> {
    let outputs = &context.core.outputs;
    match wish {
        Wish::Name(name) => context.vm.main.get(Name::new(name)).into_iter().collect(),
        Wish::Output(number) => outputs.get(*number).into_iter().collect(),
        Wish::Holder(held) => match held.allocation {
            Some(id) => context.core.report(context.vm).released_by(id, &held.path),
            None => context.core.find_path(context.vm, &held.path).into_iter().collect(),
        },
        Wish::Outputs => outputs.values(),
        Wish::Error => context.core.last_error.value().into_iter().collect(),
        Wish::Id(_) | Wish::Cached | Wish::All | Wish::Rust(_) | Wish::Gone(_) => Vec::new(),
    }
}

/// What the session would no longer hold by itself if the wishes were granted, for a walk that leaves it out.
pub(super) fn without(context: &Context<'_>, wishes: &[Wish]) -> crate::session::holders::Without {
    let mut without = crate::session::holders::Without::default();
    for wish in wishes {
        match wish {
            Wish::Name(name) => without.names.push(Name::new(name)),
            Wish::Output(number) => without.outputs.push(i64::from(*number)),
            Wish::Outputs => without.outputs.extend(context.core.outputs.numbers().into_iter().map(i64::from)),
            Wish::Error => without.error = true,
            Wish::Holder(held) => without.paths.push(held.path.clone()),
            Wish::Rust(path) => {
                let handles = context.core.rust.handles.borrow();
                let paths = handles.as_ref().map_or_else(Vec::new, |handles| handles.borrow().paths_of(path));
                without.outside.extend(paths.iter().map(|path| rust::path_of(path)));
            }
            Wish::Id(_) | Wish::Cached | Wish::All | Wish::Gone(_) => {}
        }
    }
    without
}
