//! `%%budget`: a cap on what a cell may hold.

use super::{Context, Magic, cell, usage_error};
use crate::arrays::budget;
use crate::display::units::parse_bytes;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;

pub(super) const MAGICS: &[Magic] = &[cell(
    "budget",
    "SIZE",
    "Runs the cell with at most SIZE (512MB) more array memory than when it began, all devices and the host together; an \
     allocation beyond it fails before the device is asked. For a block: with budget('512MB'):",
    budget_magic,
)];

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
