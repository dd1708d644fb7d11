//! A cell's account: what it allocated, freed, kept and moved; as `%%mem` shows it and as JSON.

use serde_json::{Value, json};

use crate::arrays::account::CellAccount;
use crate::arrays::ledger::Origin;
use crate::display::units::{bytes, duration, plural, signed_bytes};
use crate::display::{Markup, RichDisplay, Role, Table};

/// The share of one line of a program.
#[derive(Clone, Debug, Default, PartialEq)]
struct LineShare {
    line: Option<u32>,
    text: String,
    allocated: u64,
    allocations: u64,
    avoided: u64,
    peak_over_base: u64,
}

/// Copies that one line caused in one direction.
#[derive(Clone, Debug, PartialEq)]
struct Moved {
    line: Option<u32>,
    text: String,
    from: Box<str>,
    to: Box<str>,
    count: u64,
    bytes: u64,
}

/// Work of one line that the host did.
#[derive(Clone, Debug, PartialEq)]
struct OnHost {
    line: Option<u32>,
    op: &'static str,
    count: u64,
    bytes: u64,
}

/// An account with its places resolved to lines.
pub struct Account {
    /// The figures.
    pub figures: CellAccount,
    shares: Vec<LineShare>,
    moved: Vec<Moved>,
    on_host: Vec<OnHost>,
    json: Value,
}

impl Account {
    /// Resolves the places of an account: `resolve` answers the line of a place and the text of that line.
    pub fn new(figures: CellAccount, resolve: impl Fn(Origin) -> (Option<u32>, String)) -> Self {
        let mut shares: Vec<LineShare> = Vec::new();
        for share in &figures.by_origin {
            let (line, text) = resolve(share.origin);
            let at = shares.iter().position(|known| known.line == line && known.text == text).unwrap_or_else(|| {
                shares.push(LineShare { line, text, ..LineShare::default() });
                shares.len() - 1
            });
            let of_line = &mut shares[at];
            of_line.allocated += share.allocated;
            of_line.allocations += share.allocations;
            of_line.avoided += share.temporaries_avoided;
            of_line.peak_over_base = of_line.peak_over_base.max(share.peak_over_base);
        }
        shares.sort_by_key(|share| share.line);
        let mut moved: Vec<Moved> = Vec::new();
        for transfer in &figures.transfers {
            let (line, text) = resolve(transfer.origin);
            let known = moved.iter_mut().find(|known| {
                known.line == line && known.text == text && known.from == transfer.from && known.to == transfer.to
            });
            match known {
                Some(known) => {
                    known.count += 1;
                    known.bytes += transfer.bytes;
                }
                None => {
                    let (from, to) = (transfer.from.clone(), transfer.to.clone());
                    moved.push(Moved { line, text, from, to, count: 1, bytes: transfer.bytes });
                }
            }
        }
        let mut on_host: Vec<OnHost> = Vec::new();
        for fallback in &figures.host_fallbacks {
            let line = resolve(fallback.origin).0;
            match on_host.iter_mut().find(|known| known.line == line && known.op == fallback.op) {
                Some(known) => {
                    known.count += 1;
                    known.bytes += fallback.bytes;
                }
                None => on_host.push(OnHost { line, op: fallback.op, count: 1, bytes: fallback.bytes }),
            }
        }
        let json = account_json(&figures, |origin| resolve(origin).0);
        Self { figures, shares, moved, on_host, json }
    }

    fn head(&self) -> Markup {
        let figures = &self.figures;
        let count = plural(figures.allocations, "allocation");
        let mut markup = Markup::of(Role::Strong, format!("cell {}", figures.cell))
            .gap()
            .plain(format!("allocated {} in {count}, freed {},", bytes(figures.allocated), bytes(figures.freed)))
            .plain(format!(" kept {}", signed_bytes(figures.kept)))
            .gap()
            .plain(format!("peak {} over what was there before", bytes(figures.peak_over_base)))
            .gap()
            .plain(format!(
                "{} temporar{} avoided",
                figures.temporaries_avoided,
                if figures.temporaries_avoided == 1 { "y" } else { "ies" }
            ));
        if figures.device_time_s > 0.0 {
            markup = markup.gap().plain(format!("device time {}", duration(figures.device_time_s)));
        }
        markup
    }

    fn transfers(&self) -> Markup {
        let count = self.figures.transfers.len() as u64 + self.figures.transfers_unlisted;
        if count == 0 {
            return Markup::new();
        }
        let moved: u64 = self.moved.iter().map(|moved| moved.bytes).sum();
        let unlisted = match self.figures.transfers_unlisted {
            0 => String::new(),
            unlisted => format!(" and what {unlisted} more moved, which are only counted"),
        };
        let mut markup =
            Markup::new().line().plain(format!("{}, {}{unlisted}", plural(count, "transfer"), bytes(moved)));
        let mut table =
            Table { has_heading: false, ..Table::new() }.left("").right("").right("").left("").shrinking("");
        for moved in &self.moved {
            table.row(vec![
                Markup::of(Role::Dim, format!("  {}", line_text(moved.line))),
                Markup::text(format!("{}x", moved.count)),
                Markup::of(Role::Number, bytes(moved.bytes)),
                Markup::text(format!("{} -> {}", moved.from, moved.to)),
                Markup::of(Role::Code, moved.text.trim()),
            ]);
        }
        markup = markup.line().table(table);
        markup
    }
}

fn line_text(line: Option<u32>) -> String {
    line.map_or_else(|| "line ?".to_owned(), |line| format!("line {line}"))
}

/// The stable JSON of an account.
pub fn account_json(figures: &CellAccount, line_of: impl Fn(Origin) -> Option<u32>) -> Value {
    let transfers: Vec<Value> = figures
        .transfers
        .iter()
        .map(|transfer| {
            json!({"bytes": transfer.bytes, "from": transfer.from, "to": transfer.to, "line": line_of(transfer.origin)})
        })
        .collect();
    let fallbacks: Vec<Value> = figures
        .host_fallbacks
        .iter()
        .map(|fallback| json!({"op": fallback.op, "bytes": fallback.bytes, "line": line_of(fallback.origin)}))
        .collect();
    json!({
        "schema": 1,
        "cell": figures.cell,
        "allocated": figures.allocated,
        "freed": figures.freed,
        "kept": figures.kept,
        "peak_over_base": figures.peak_over_base,
        "allocations": figures.allocations,
        "temporaries_avoided": figures.temporaries_avoided,
        "device_time_s": figures.device_time_s,
        "transfers": transfers,
        "transfers_unlisted": figures.transfers_unlisted,
        "host_fallbacks": fallbacks,
    })
}

impl RichDisplay for Account {
    fn markup(&self) -> Markup {
        let mut markup = self.head();
        let shown: Vec<&LineShare> =
            self.shares.iter().filter(|share| share.allocations > 0 || share.avoided > 0).collect();
        if !shown.is_empty() {
            let mut table = Table::new()
                .right("line")
                .right("allocated")
                .right("count")
                .right("peak")
                .right("avoided")
                .shrinking("");
            for share in shown {
                table.row(vec![
                    Markup::text(share.line.map_or_else(|| "?".to_owned(), |line| line.to_string())),
                    Markup::of(Role::Number, bytes(share.allocated)),
                    Markup::text(share.allocations.to_string()),
                    Markup::text(bytes(share.peak_over_base)),
                    Markup::text(share.avoided.to_string()),
                    Markup::of(Role::Code, share.text.trim()),
                ]);
            }
            markup = markup.line().table(table);
        }
        markup = markup.then(self.transfers());
        for on_host in &self.on_host {
            let times = if on_host.count > 1 { format!(" {} times", on_host.count) } else { String::new() };
            let text = format!("{}: {} on host{times}, {}", line_text(on_host.line), on_host.op, bytes(on_host.bytes));
            markup = markup.line().push(Role::Warning, text);
        }
        markup
    }

    fn extra(&self) -> Vec<(String, Value)> {
        vec![(super::CELL_MIME.to_owned(), self.json.clone())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::account::{HostFallback, LineAccount, Transfer};
    use crate::display::to_plain;

    #[test]
    fn a_cell_that_let_go_of_more_than_it_made_kept_less_than_nothing() {
        let figures = CellAccount { cell: 3, kept: -(8 << 20), freed: 8 << 20, ..CellAccount::default() };
        let account = Account::new(figures, |_| (None, String::new()));
        let text = to_plain(&account.markup(), 200);
        assert!(text.contains("kept -8.00 MiB") && text.contains("in 0 allocations"), "{text}");
        assert_eq!(account.extra()[0].1["kept"], json!(-(8 << 20)));
    }

    #[test]
    fn places_in_one_line_are_one_row_and_copies_name_their_line() {
        let at = |span| Origin { code: 1, span };
        let share = |span, allocated| LineAccount {
            origin: at(span),
            allocated,
            allocations: 1,
            temporaries_avoided: 1,
            peak_over_base: allocated,
        };
        let transfer = Transfer { bytes: 8, from: "host".into(), to: "sim:gpu:0".into(), origin: at(20) };
        let figures = CellAccount {
            cell: 4,
            by_origin: vec![share(20, 1024), share(10, 2048), share(11, 4096)],
            transfers: vec![transfer.clone(), transfer],
            host_fallbacks: vec![HostFallback { op: "linalg.svd", bytes: 16, origin: at(20) }],
            ..CellAccount::default()
        };
        let resolve = |origin: Origin| (Some(origin.span / 10), format!("text {}", origin.span / 10));
        let text = to_plain(&Account::new(figures, resolve).markup(), 200);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1..],
            [
                "line   allocated   count       peak   avoided",
                "   1    6.00 KiB       2   4.00 KiB         2   text 1",
                "   2    1.00 KiB       1   1.00 KiB         1   text 2",
                "",
                "2 transfers, 16 B",
                "  line 2   2x   16 B   host -> sim:gpu:0   text 2",
                "",
                "line 2: linalg.svd on host, 16 B",
            ]
        );
    }
}
