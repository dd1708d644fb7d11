//! The stable JSON of `%mem`. Fields are added, never changed.

use serde_json::{Value, json};

use super::report::Report;
use crate::arrays::DeviceHandle;
use crate::arrays::ledger::Entry;
use crate::arrays::readings::{Amount, DeviceReading};
use crate::session::holders::Holder;

/// The whole report with at most `limit` allocations, largest first; `omitted` counts the others.
pub fn report_json(report: &Report, limit: usize) -> Value {
    let largest = report.largest(limit);
    let one = |entry: &Entry| allocation_json(report, entry, report.asked.contains(&entry.id));
    let mut allocations: Vec<Value> = largest.iter().map(one).collect();
    let is_below = |id: &&u64| !largest.iter().any(|entry| entry.id == **id);
    if largest.len() < report.count() {
        let below = report.asked.iter().filter(is_below).filter_map(|id| report.allocation(*id));
        allocations.extend(below.map(|entry| one(&entry)));
    }
    let live: u64 = report.devices.iter().map(|(_, reading)| reading.here.count).sum();
    let omitted = live.saturating_sub(allocations.len() as u64);
    let devices: Vec<Value> =
        report.devices.iter().map(|(device, reading)| device_json(device, reading, &report.default_device)).collect();
    json!({
        "schema": 1,
        "cell": report.cell,
        "time": timestamp(report.time),
        "devices": devices,
        "allocations": allocations,
        "omitted": omitted,
        "cells": report.past.json(),
    })
}

fn holder_json(holder: Holder) -> Value {
    let mut json = json!({"path": holder.path, "kind": holder.kind.word(), "let_go": holder.let_go});
    // Computed only for what was asked about.
    if let Some(alone) = holder.frees {
        json["frees"] = alone.into();
        json["chain"] = holder.chain.into();
    }
    json
}

fn timestamp(time: std::time::SystemTime) -> String {
    jiff::Timestamp::try_from(time).map_or_else(|_| String::new(), |time| format!("{time:.0}"))
}

fn device_json(device: &DeviceHandle, reading: &DeviceReading, default: &str) -> Value {
    json!({
        "filter": reading.filter,
        "name": device.info().name,
        "total": match &reading.memory.total {
            Amount::Known { bytes, .. } => json!(bytes),
            Amount::Unknown { reason } => json!({"unknown": reason}),
        },
        "free": amount_json(&reading.memory.free),
        "live": reading.here.live,
        "live_blocks": reading.here.live_blocks,
        "cached": reading.here.cached,
        "copies": reading.copies,
        "peak": reading.here.peak,
        "count": reading.here.count,
        "default": &*reading.filter == default,
    })
}

fn amount_json(amount: &Amount) -> Value {
    match amount {
        Amount::Known { bytes, source } => json!({"bytes": bytes, "source": source}),
        Amount::Unknown { reason } => json!({"unknown": reason}),
    }
}

fn allocation_json(report: &Report, entry: &Entry, is_asked: bool) -> Value {
    let born = report.born(entry);
    let holders = if is_asked { report.holders_in_full(entry) } else { report.holders(entry) };
    let holders: Vec<Value> = holders.into_iter().map(holder_json).collect();
    json!({
        "id": entry.id,
        "bytes": entry.bytes,
        "shape": entry.shape.as_ref().map(|shape| shape.to_vec()),
        "dtype": entry.dtype.map(|dtype| dtype.name()),
        "device": entry.device.ledger_name(),
        "usm": entry.usm.map(|usm| usm.name()),
        "cell": born.cell,
        "line": born.line,
        "line_of": born.line_of,
        "op": born.op,
        "age_s": (entry.age_s() * 1000.0).round() / 1000.0,
        "block_bytes": entry.block_bytes,
        "holders": holders,
        "views": report.graph.view_count(entry.id),
    })
}
