//! `%out`, `%errors`, `%pool`, `%advice`: how much is kept of outputs, errors and freed blocks, and what is said about it.

use super::{Context, Magic, line, usage_error};
use crate::arrays::{ledger, pool};
use crate::display::units::{bytes, parse_bytes};
use crate::display::{Markup, Role, Table};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::OutputLimit;
use crate::session::advice::Mode;

pub(super) const MAGICS: &[Magic] = &[
    line(
        "out",
        "[N | SIZE | all | off]",
        "How many outputs Out keeps: the last N, as many as hold SIZE (2GB) of array memory together, all, or none.",
        out,
    ),
    line(
        "errors",
        "[keep-frames | text]",
        "Whether an error keeps the frames it came through (and with them their arrays), as in Python, or only its text.",
        errors,
    ),
    line(
        "advice",
        "[on | off | all]",
        "Hints about what fills memory, each kind once a session; all gives them every time, off never. Alone it lists what \
         could be said now.",
        advice,
    ),
    line("pool", "[trim]", "Freed blocks kept for reuse, by device; trim returns them to the device.", pool_magic),
];

fn out(context: &mut Context<'_>) -> Fallible<Value> {
    let outputs = &context.core.outputs;
    match context.line {
        "" => {}
        "off" => {
            outputs.set_limit(OutputLimit::Off);
            let gone = outputs.clear();
            drop(gone);
            return context.print("Out keeps nothing from here on; what it held was let go of.");
        }
        "all" | "on" => outputs.set_limit(OutputLimit::Everything),
        text => match (text.parse::<usize>(), parse_bytes(text)) {
            (Ok(0), _) => return Err(usage_error("%out 0 would keep nothing: that is %out off")),
            (Ok(count), _) => outputs.set_limit(OutputLimit::Count(count)),
            (Err(_), Some(limit)) => outputs.set_limit(OutputLimit::Bytes(limit)),
            (Err(_), None) => {
                return Err(usage_error(format!("%out takes a number, a size such as 2GB, all or off, not {text}")));
            }
        },
    }
    let mut text = match outputs.limit() {
        OutputLimit::Everything => "Out keeps every output.".to_owned(),
        OutputLimit::Count(1) => "Out keeps the last output.".to_owned(),
        OutputLimit::Count(count) => format!("Out keeps the last {count} outputs."),
        OutputLimit::Bytes(limit) => format!("Out keeps outputs that hold up to {} together.", bytes(limit)),
        OutputLimit::Off => "Out keeps nothing.".to_owned(),
    };
    let evicted = context.core.enforce_output_limit(false);
    if !evicted.is_empty() {
        let names: Vec<String> = evicted.iter().map(|number| format!("Out[{number}]")).collect();
        text += &format!(" Let go of {}.", names.join(", "));
    }
    context.print(&text)
}

fn advice(context: &mut Context<'_>) -> Fallible<Value> {
    let mode = match context.line {
        "" => {
            let markup = context.core.advice_now(context.vm);
            return context.show_markup(markup);
        }
        "on" => Mode::Once,
        "all" => Mode::Always,
        "off" => Mode::Off,
        other => return Err(usage_error(format!("%advice takes on, off or all, not {other}"))),
    };
    let text = match mode {
        Mode::Once => "Each kind of hint comes once a session.",
        Mode::Always => "Hints come every time.",
        Mode::Off => "No hints from here on.",
    };
    context.core.advice.borrow_mut().set_mode(mode);
    context.print(text)
}

fn errors(context: &mut Context<'_>) -> Fallible<Value> {
    match context.line {
        "" => {}
        "keep-frames" => context.core.last_error.set_keeps_frames(context.vm, true),
        "text" | "off" => context.core.last_error.set_keeps_frames(context.vm, false),
        other => return Err(usage_error(format!("%errors takes keep-frames or text, not {other}"))),
    }
    context.print(if context.core.last_error.keeps_frames() {
        "Errors keep frames: the last error holds what its functions held. %errors text, %free error"
    } else {
        "Errors keep text, not frames."
    })
}

fn pool_magic(context: &mut Context<'_>) -> Fallible<Value> {
    match context.line {
        "" => {
            let mut table = Table::new().left("device").left("kind").right("live").right("in blocks").right("cached");
            for reading in ledger::readings() {
                for (usm, held) in &reading.by_kind {
                    table.row(vec![
                        Markup::of(Role::Code, reading.filter.as_ref()),
                        Markup::text(usm.map_or("numpy", |usm| usm.name())),
                        Markup::text(bytes(held.live)),
                        Markup::text(bytes(held.live_blocks)),
                        Markup::of(Role::Number, bytes(held.cached)),
                    ]);
                }
            }
            if table.rows.is_empty() {
                return context.print("Nothing is allocated and nothing is cached.");
            }
            context.show_markup(Markup::new().table(table))
        }
        "trim" => {
            let returned = pool::trim_all();
            context.print(&format!("Returned {} to the devices.", bytes(returned)))
        }
        other => Err(usage_error(format!("%pool takes trim or nothing, not {other}"))),
    }
}
