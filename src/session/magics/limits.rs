//! `%%budget`: a cap on what a cell may hold; `%chunk`: what is done with arrays that do not fit.

use super::{Context, Magic, cell, line, usage_error};
use crate::arrays::budget;
use crate::arrays::chunk::{self, Mode};
use crate::display::units::{bytes, parse_bytes};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;

pub(super) const MAGICS: &[Magic] = &[
    cell(
        "budget",
        "SIZE",
        "Runs the cell with at most SIZE (512MB) more array memory than when it began, all devices and the host together; an \
     allocation beyond it fails before the device is asked. For a block: with budget('512MB'):",
        budget_magic,
    ),
    line(
        "chunk",
        "[auto | off | SIZE]",
        "With auto, an array that does not fit its device is kept in host memory, and expressions and reductions over it run \
         in pieces, with the result as if whole; SIZE (64MiB) says how large the pieces are. Memory-mapped files always run in \
         pieces.",
        chunk_magic,
    ),
];

fn chunk_magic(context: &mut Context<'_>) -> Fallible<Value> {
    let mode = match context.line {
        "" => chunk::mode(),
        "auto" | "on" => Mode::Auto,
        "off" => Mode::Off,
        size => match parse_bytes(size) {
            Some(size) if size > 0 => Mode::Bytes(size),
            _ => return Err(usage_error(format!("%chunk takes auto, off or a size such as 64MiB, not {size}"))),
        },
    };
    chunk::set_mode(mode);
    context.print(&match mode {
        Mode::Off => "Arrays that do not fit are refused; memory-mapped files are computed in pieces.".to_owned(),
        Mode::Auto => "Arrays that do not fit their device stay in host memory and are computed in pieces.".to_owned(),
        Mode::Bytes(size) => format!(
            "Arrays that do not fit their device stay in host memory and are computed in pieces of {}.",
            bytes(size)
        ),
    })
}

fn budget_magic(context: &mut Context<'_>) -> Fallible<Value> {
    let Some(limit) = parse_bytes(context.line) else {
        return Err(usage_error(format!(
            "%%budget takes an amount of memory such as 512MB or 2GiB{}",
            if context.line.is_empty() { String::new() } else { format!(", not {}", context.line) }
        )));
    };
    let depth = budget::depth();
    budget::push(limit);
    let result = context.core.run_body(context.vm, context.body.unwrap_or(""));
    budget::unwind(depth);
    result.map(|()| Value::None)
}
