//! `%who`, `%whos`, `%reset`, `%xdel`: the names of the session.

use super::arguments::Words;
use super::{Context, Magic, line, usage_error};
use crate::display::units::bytes;
use crate::display::{Markup, Role, Table};
use crate::lang::name::Name;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::session::holders::reach;
use crate::session::lookup;

pub(super) const MAGICS: &[Magic] = &[
    line("who", "[TYPE ...]", "The names of the session, of these types only where some are given.", who),
    line("who_ls", "[TYPE ...]", "The names of the session as a list.", who_ls),
    line("whos", "[TYPE ...]", "The names of the session with their types, contents and array memory.", whos),
    line(
        "reset",
        "[-f] [out | in]",
        "Removes all names and outputs of the session, or only outputs or inputs. Asks, unless -f.",
        reset,
    ),
    line("xdel", "NAME", "Removes a name and every output that shows the same object.", xdel),
];

/// The names people made, with their values, in order.
fn user_names(context: &Context<'_>, types: &str) -> Vec<(Name, Value)> {
    let types: Vec<&str> = types.split_whitespace().collect();
    let mut names = lookup::members(&context.vm.main);
    names.retain(|(name, value)| {
        !name.text().starts_with('_') && (types.is_empty() || types.contains(&value.type_name()))
    });
    names.sort_by_key(|(name, _)| name.text());
    names
}

fn who(context: &mut Context<'_>) -> Fallible<Value> {
    let names = user_names(context, context.line);
    if names.is_empty() {
        return context.print(nothing(context.line));
    }
    let names: Vec<&str> = names.iter().map(|(name, _)| name.text()).collect();
    context.print(&names.join("\t "))
}

fn nothing(types: &str) -> &'static str {
    if types.is_empty() { "Interactive namespace is empty." } else { "No variables match your requested type." }
}

fn who_ls(context: &mut Context<'_>) -> Fallible<Value> {
    let names = user_names(context, context.line);
    Ok(Value::list(names.iter().map(|(name, _)| Value::str(name.text())).collect()))
}

fn whos(context: &mut Context<'_>) -> Fallible<Value> {
    let names = user_names(context, context.line);
    if names.is_empty() {
        return context.print(nothing(context.line));
    }
    let mut table = Table::new().left("Variable").left("Type").shrinking("Data/Info").right("memory");
    for (name, value) in names {
        let held: u64 = reach(&value).iter().map(|reached| reached.bytes).sum();
        table.row(vec![
            Markup::of(Role::Code, name.text()),
            Markup::text(value.type_name()),
            Markup::text(lookup::short(&value)),
            if held > 0 { Markup::of(Role::Number, bytes(held)) } else { Markup::new() },
        ]);
    }
    context.show_markup(Markup::new().table(table))
}

fn reset(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = Words::split(context.line);
    let is_forced = words.flag(&["-f"]);
    let _is_soft = words.flag(&["-s"]);
    let what = words.rest()?;
    for part in &what {
        match part.as_str() {
            "out" => drop(context.core.outputs.clear()),
            "in" => drop(context.core.outputs.inputs.items.borrow_mut().split_off(1)),
            "array" | "dhist" => {}
            other => return Err(usage_error(format!("%reset takes out and in, not {other}"))),
        }
    }
    if !what.is_empty() {
        return Ok(Value::None);
    }
    if !is_forced && !context.core.confirm("Once deleted, variables cannot be recovered. Proceed (y/[n])?  ", "-f")? {
        return context.print("Nothing done.");
    }
    let names: Vec<Name> =
        lookup::members(&context.vm.main).into_iter().map(|(name, _)| name).filter(|name| !name.is_dunder()).collect();
    for name in names {
        let old = context.vm.main.globals.borrow_mut().set(name, Value::Unset);
        drop(old);
    }
    drop(context.core.outputs.clear());
    context.core.last_error.clear();
    Ok(Value::None)
}

fn xdel(context: &mut Context<'_>) -> Fallible<Value> {
    let name = context.line;
    let bound = context.vm.main.get(Name::new(name));
    let Some(value) = bound else { return Err(raise::name_error(format!("name '{name}' is not defined"))) };
    let others: Vec<Name> = lookup::members(&context.vm.main)
        .into_iter()
        .filter(|(other, held)| held.is_same(&value) && other.text().starts_with('_') && !other.is_dunder())
        .map(|(other, _)| other)
        .collect();
    for name in others.into_iter().chain([Name::new(name)]) {
        let old = context.vm.main.globals.borrow_mut().set(name, Value::Unset);
        drop(old);
    }
    for number in context.core.outputs.numbers() {
        if context.core.outputs.get(number).is_some_and(|shown| shown.is_same(&value)) {
            drop(context.core.outputs.remove(number));
        }
    }
    Ok(Value::None)
}
