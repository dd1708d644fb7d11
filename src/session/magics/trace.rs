//! `%trace`: every allocation, release, transfer and program as it happens, and the JSON lines that `cellhold report` reads.

use std::io::{BufWriter, Write};

use serde_json::{Value as Json, json};

use super::files::{os_error, path_of};
use super::{Context, Magic, line, usage_error};
use crate::arrays::trace::{self, Event, Operand, Recording, What};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::core::Core;

pub(super) const MAGICS: &[Magic] = &[line(
    "trace",
    "[on | off | save FILE]",
    "Records every allocation, release, transfer and program with its cell, line and time; save writes them as JSON lines, \
     which cellhold report FILE summarises. on begins anew.",
    trace_magic,
)];

fn trace_magic(context: &mut Context<'_>) -> Fallible<Value> {
    let (word, rest) = context.line.split_once(char::is_whitespace).unwrap_or((context.line, ""));
    match (word, rest.trim()) {
        ("", "") => {
            let state = if trace::is_active() { "on" } else { "off" };
            let (kept, left_out) = trace::with_recording(|recording| (recording.events.len(), recording.left_out));
            let more = if left_out == 0 { String::new() } else { format!(", {left_out} more were too many to keep") };
            context.print(&format!("The trace is {state}; {kept} events recorded{more}."))
        }
        ("on", "") => {
            trace::begin();
            context.print("Recording. %trace save FILE writes it, %trace off ends it.")
        }
        ("off", "") => {
            trace::end();
            let kept = trace::with_recording(|recording| recording.events.len());
            context.print(&format!("The trace is off; {kept} events recorded. %trace save FILE writes them."))
        }
        ("save", "") => Err(usage_error("%trace save takes a file")),
        ("save", path) => {
            let path = path_of(path);
            let lines = trace::with_recording(|recording| json_lines(context.core, recording));
            let count = lines.len().saturating_sub(1);
            let written = std::fs::File::create(&path).and_then(|file| {
                let mut file = BufWriter::new(file);
                lines.iter().try_for_each(|line| writeln!(file, "{line}"))?;
                file.flush()
            });
            written.map_err(|error| os_error(&path, &error))?;
            context.print(&format!("{count} events written to {path}. In a terminal: cellhold report {path}"))
        }
        _ => Err(usage_error(format!("%trace takes on, off or save FILE, not {}", context.line))),
    }
}

/// The recording as JSON: a line about itself, what was held when it began, then one line an event.
fn json_lines(core: &Core, recording: &Recording) -> Vec<Json> {
    let mut lines = vec![json!({
        "event": "trace", "schema": 1, "version": env!("CARGO_PKG_VERSION"),
        "events": recording.events.len(), "left_out": recording.left_out,
    })];
    lines.extend(recording.held.iter().map(|entry| {
        let (line, op) = core.place(entry.origin);
        json!({
            "event": "held", "time_s": 0.0, "cell": entry.cell, "line": line, "op": op, "id": entry.id,
            "bytes": entry.bytes, "block_bytes": entry.block_bytes, "device": entry.device.ledger_name(),
        })
    }));
    lines.extend(recording.events.iter().map(|event| event_json(core, recording, event)));
    lines
}

fn event_json(core: &Core, recording: &Recording, event: &Event) -> Json {
    let mut object = match &event.what {
        What::Allocated { id, bytes, block_bytes, device, usm, shape, dtype } => json!({
            "event": "alloc", "id": id, "bytes": bytes, "block_bytes": block_bytes, "device": device.ledger_name(),
            "usm": usm.map(|usm| usm.name()), "shape": shape.as_ref().map(|shape| shape.as_slice()),
            "dtype": dtype.map(|dtype| dtype.name()),
        }),
        What::Released { id, bytes, device } => {
            json!({"event": "free", "id": id, "bytes": bytes, "device": device.ledger_name()})
        }
        What::Transferred { bytes, from, to } => json!({"event": "transfer", "bytes": bytes, "from": from, "to": to}),
        What::Ran { label, operations, device, inputs, outputs, took_ns } => json!({
            "event": "program", "program": label, "operations": &**operations, "device": device.ledger_name(),
            "inputs": operands(inputs), "outputs": operands(outputs),
            "took_s": took_ns.map(|took| took as f64 / 1e9),
        }),
    };
    let (line, op) = core.place(event.stamp.origin);
    object["time_s"] = json!(event.stamp.time_ns.saturating_sub(recording.began_ns) as f64 / 1e9);
    object["cell"] = json!(event.stamp.cell);
    object["line"] = json!(line);
    object["op"] = json!(op);
    object
}

fn operands(operands: &[Operand]) -> Json {
    let operand =
        |operand: &Operand| json!({"id": operand.id, "shape": operand.shape.as_slice(), "dtype": operand.dtype.name()});
    operands.iter().map(operand).collect()
}
