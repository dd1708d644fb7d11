//! The JSON lines of `%trace save`, added up by cell and line.

use serde_json::Value;

use super::heading;
use super::summary::{Sums, Where};
use crate::display::units::{bytes, duration, plural};
use crate::display::{Markup, Role, Table};

/// Places and leftovers listed.
const ROWS: usize = 30;

/// Whether a text begins as a trace does.
pub(super) fn is_trace(text: &str) -> bool {
    text.lines()
        .next()
        .and_then(|line| serde_json::from_str::<Value>(line).ok())
        .is_some_and(|first| first["event"] == "trace")
}

/// The summary of a trace, or which line cannot be read.
pub(super) fn summarise(text: &str) -> Result<Markup, String> {
    let mut sums: Sums<u64> = Sums::new();
    let (mut last_s, mut left_out, mut programs) = (0.0, 0, 0u64);
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let event: Value =
            serde_json::from_str(line).map_err(|error| format!("line {} is not JSON: {error}", index + 1))?;
        let number = |name: &str| event[name].as_u64();
        let text = |name: &str| event[name].as_str().unwrap_or("");
        let at = Where { cell: number("cell").unwrap_or(0), line: number("line"), text: text("op").to_owned() };
        let wanted = |name: &str| number(name).ok_or_else(|| format!("line {} has no {name}", index + 1));
        last_s = event["time_s"].as_f64().unwrap_or(last_s).max(last_s);
        match text("event") {
            "trace" => match number("schema") {
                Some(1) => left_out = number("left_out").unwrap_or(0),
                other => return Err(format!("schema {other:?} is not known here; 1 is")),
            },
            "held" => sums.hold(wanted("id")?, wanted("bytes")?, text("device"), at),
            "alloc" => sums.allocate(wanted("id")?, wanted("bytes")?, text("device"), at),
            "free" => drop(sums.release(&wanted("id")?)),
            "transfer" => sums.transfer(wanted("bytes")?, text("from"), text("to"), &at),
            "program" => {
                programs += 1;
                sums.ran(&at, event["took_s"].as_f64());
            }
            // A later version may say more.
            _ => {}
        }
    }
    Ok(page(&sums, last_s, left_out, programs))
}

fn place(at: &Where) -> String {
    match (at.cell, at.line) {
        (0, None) => "outside cells".to_owned(),
        (0, Some(line)) => format!("line {line}"),
        (cell, None) => format!("cell {cell}"),
        (cell, Some(line)) => format!("cell {cell} line {line}"),
    }
}

fn page(sums: &Sums<u64>, last_s: f64, left_out: u64, programs: u64) -> Markup {
    let mut markup = heading("Trace of Cellhold: ").plain(format!(
        "{}; {} of {} in all; {}",
        duration(last_s),
        plural(sums.allocations, "allocation"),
        bytes(sums.allocated),
        plural(programs, "program")
    ));
    if left_out > 0 {
        markup = markup.push(Role::Warning, format!("; {left_out} later events were not kept: the sums are too low"));
    }
    markup = markup.line();
    let mut devices: Vec<_> = sums.peaks.iter().collect();
    devices.sort_by_key(|(device, _)| *device);
    for (device, peak) in devices {
        markup = markup.plain(format!(
            "{device}: peak {} at {} `{}`, {} at the end",
            bytes(peak.bytes),
            place(&peak.at),
            peak.at.text,
            bytes(peak.live)
        ));
        markup = markup.line();
    }
    let mut directions: Vec<_> = sums.transfers.iter().collect();
    directions.sort();
    for ((from, to), (count, moved)) in directions {
        markup = markup.plain(format!("{from} -> {to}: {} in {}", bytes(*moved), plural(*count, "transfer"))).line();
    }
    let mut shares: Vec<_> = sums.shares.iter().collect();
    shares.sort_by(|(a, x), (b, y)| y.allocated.cmp(&x.allocated).then_with(|| a.cmp(b)));
    let mut table = Table::new()
        .left("where")
        .right("allocated")
        .right("times")
        .right("kept")
        .right("programs")
        .right("took")
        .right("copied")
        .shrinking("operation");
    for (at, share) in shares.iter().take(ROWS) {
        let some = |amount: u64| if amount == 0 { String::new() } else { bytes(amount) };
        let took = if share.seconds > 0.0 { duration(share.seconds) } else { String::new() };
        let count = |count: u64| if count == 0 { String::new() } else { count.to_string() };
        table.row(vec![
            Markup::text(place(at)),
            Markup::text(some(share.allocated)),
            Markup::text(count(share.allocations)),
            Markup::text(some(share.kept)),
            Markup::text(count(share.programs)),
            Markup::text(took),
            Markup::text(some(share.transferred)),
            Markup::of(Role::Code, at.text.clone()),
        ]);
    }
    markup = markup.line().table(table);
    if shares.len() > ROWS {
        markup = markup.plain(format!("and {} more places", shares.len() - ROWS)).line();
    }
    let left = sums.left();
    if left.is_empty() {
        return markup.line().push(Role::Good, "Everything came back.").line();
    }
    let sum: u64 = left.iter().map(|live| live.bytes).sum();
    let mut table = Table::new().right("id").right("bytes").left("device").left("born").shrinking("operation");
    let mut largest = left.clone();
    largest.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.order.cmp(&b.order)));
    for live in largest.iter().take(ROWS) {
        table.row(vec![
            Markup::text(format!("#{}", live.id)),
            Markup::of(Role::Number, bytes(live.bytes)),
            Markup::text(live.device.clone()),
            Markup::text(place(&live.born)),
            Markup::of(Role::Code, live.born.text.clone()),
        ]);
    }
    markup = markup
        .line()
        .plain(format!("Never released: {}, {}", plural(left.len() as u64, "allocation"), bytes(sum)))
        .line();
    markup.table(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::to_plain;

    #[test]
    fn a_trace_is_added_up_by_line_and_what_is_left_is_listed() {
        let text = r#"{"event":"trace","schema":1,"left_out":0}
{"event":"held","id":1,"bytes":1024,"device":"native:cpu:0","cell":1,"line":1,"op":"ones(128)"}
{"event":"alloc","id":2,"bytes":8388608,"device":"native:cpu:0","cell":2,"line":3,"op":"a * 2","time_s":0.5}
{"event":"program","program":"multiply","took_s":0.25,"cell":2,"line":3,"op":"a * 2","time_s":0.75}
{"event":"transfer","bytes":8388608,"from":"native:cpu:0","to":"host","cell":2,"line":4,"op":"b.asnumpy()","time_s":0.8}
{"event":"free","id":1,"bytes":1024,"device":"native:cpu:0","cell":3,"line":1,"op":"","time_s":1.5}
"#;
        let page = to_plain(&summarise(text).unwrap(), 200);
        for part in [
            "1 allocation of 8.00 MiB",
            "peak 8.00 MiB at cell 2 line 3",
            "native:cpu:0 -> host: 8.00 MiB in 1 transfer",
            "Never released: 1 allocation, 8.00 MiB",
            "250 ms",
        ] {
            assert!(page.contains(part), "{part} is not in:\n{page}");
        }
        assert!(!page.contains("#1 "), "{page}");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let first = r#"{"event":"trace","schema":1}"#;
        assert!(summarise(&format!("{first}\nnothing")).is_err_and(|problem| problem.contains("line 2")));
        assert!(summarise(&format!("{first}\n{{\"event\":\"alloc\"}}")).is_err_and(|it| it.contains("no id")));
        assert!(summarise(r#"{"event":"trace","schema":7}"#).is_err_and(|problem| problem.contains("schema")));
    }
}
