//! `%help`, `%lsmagic`, `%magic`, `%pinfo`: what there is.

use super::{Context, Form, Magic, describe, line, table, usage_error};
use crate::display::{Markup, Role, Table};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::Payload;
use crate::session::inspect::inspect;

pub(super) const MAGICS: &[Magic] = &[
    line("help", "[MAGIC]", "The magics with one line about each, or all about one.", help),
    line("magic", "", "The magics with one line about each.", help),
    line("quickref", "", "The magics with one line about each.", help),
    line("pinfo", "NAME", "What is known about a name, in the pager: what NAME? means.", |context| about(context, 0)),
    line("pinfo2", "NAME", "The same with the source: what NAME?? means.", |context| about(context, 1)),
    line("lsmagic", "", "The names of the magics.", lsmagic),
];

fn help(context: &mut Context<'_>) -> Fallible<Value> {
    let name = context.line.trim_start_matches('%');
    if !name.is_empty() {
        return match describe(name) {
            Some(markup) => context.show_markup(markup),
            None => Err(usage_error(format!("there is no magic {name}; %lsmagic lists them"))),
        };
    }
    let mut rows = Table { has_heading: false, ..Table::new() }.left("").shrinking("");
    for magic in table() {
        let sign = if magic.form == Form::Cell { "%%" } else { "%" };
        let sentence = magic.doc.split_inclusive(['.', ';']).next().unwrap_or(magic.doc);
        rows.row(vec![
            Markup::of(Role::Code, format!("{sign}{}", magic.name)),
            Markup::text(sentence.trim_end_matches(';').trim()),
        ]);
    }
    context.show_markup(Markup::new().table(rows))
}

fn lsmagic(context: &mut Context<'_>) -> Fallible<Value> {
    let list = |unwanted: Form, sign: &str| {
        let mut names: Vec<String> =
            table().filter(|magic| magic.form != unwanted).map(|magic| format!("{sign}{}", magic.name)).collect();
        names.sort();
        names.join("  ")
    };
    let text = format!(
        "Available line magics:\n{}\n\nAvailable cell magics:\n{}",
        list(Form::Cell, "%"),
        list(Form::Line, "%%")
    );
    context.print(&text)
}

fn about(context: &mut Context<'_>, detail: u8) -> Fallible<Value> {
    let name = context.line.trim_matches('?').trim();
    match inspect(context.core, context.vm, name, name.len(), detail) {
        Some(bundle) => context.core.add_payload(Payload::Page(bundle)),
        None => return context.print(&format!("Object `{name}` not found.")),
    }
    Ok(Value::None)
}
