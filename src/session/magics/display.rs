//! `%clear`, `%%html`, `%%markdown`, `%%latex`, `%%svg`, `%%javascript`: the cell's text shown as what it is.

use super::{Context, Magic, cell, line, usage_error};
use crate::display::MimeBundle;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::CellEvent;

pub(super) const MAGICS: &[Magic] = &[
    line("clear", "[--wait]", "Takes away what the cell has shown; with --wait, when something new is shown.", clear),
    cell("html", "", "Shows the cell as HTML.", |context| show(context, "text/html")),
    cell("HTML", "", "Shows the cell as HTML.", |context| show(context, "text/html")),
    cell("markdown", "", "Shows the cell as Markdown.", |context| show(context, "text/markdown")),
    cell("latex", "", "Shows the cell as LaTeX.", |context| show(context, "text/latex")),
    cell("svg", "", "Shows the cell as an SVG picture.", |context| show(context, "image/svg+xml")),
    cell("javascript", "", "Sends the cell to the notebook as JavaScript.", |context| {
        show(context, "application/javascript")
    }),
];

fn clear(context: &mut Context<'_>) -> Fallible<Value> {
    match context.line {
        "" | "--wait" => context.core.emit(CellEvent::Clear { wait: context.line == "--wait" }),
        other => return Err(usage_error(format!("%clear takes --wait or nothing, not {other}"))),
    }
    Ok(Value::None)
}

fn show(context: &mut Context<'_>, mime: &str) -> Fallible<Value> {
    let body = context.body.unwrap_or("").to_owned();
    let bundle = MimeBundle::plain(body.clone()).with(mime, body);
    context.show_bundle(bundle)
}
