//! A cell's account: what it allocated, freed, kept and moved; as `%%mem` shows it and as JSON.

use serde_json::{Value, json};

use crate::arrays::account::CellAccount;
use crate::arrays::ledger::Origin;
use crate::display::units::bytes;
use crate::display::{Markup, RichDisplay, Role, Table};

/// An account with its places resolved to lines.
pub struct Account {
    /// The figures.
    pub figures: CellAccount,
    /// The line and its text of each place in `figures.by_origin`, in the same order.
    pub lines: Vec<(Option<u32>, String)>,
}

impl Account {
    /// Resolves the places of an account.
    pub fn new(figures: CellAccount, resolve: impl Fn(Origin) -> (Option<u32>, String)) -> Self {
        let lines = figures.by_origin.iter().map(|line| resolve(line.origin)).collect();
        Self { figures, lines }
    }
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
        let figures = &self.figures;
        let kept = match figures.kept {
            kept if kept < 0 => format!("-{}", bytes(kept.unsigned_abs())),
            kept => bytes(kept.unsigned_abs()),
        };
        let mut markup = Markup::of(Role::Strong, format!("cell {}", figures.cell)).plain(format!(
            "   allocated {} in {}, freed {}, kept {kept}, peak {} over what was there before, {} temporaries avoided",
            bytes(figures.allocated),
            plural(figures.allocations, "allocation"),
            bytes(figures.freed),
            bytes(figures.peak_over_base),
            figures.temporaries_avoided,
        ));
        if figures.device_time_s > 0.0 {
            markup = markup.plain(format!(", device time {}", crate::display::units::duration(figures.device_time_s)));
        }
        if !figures.by_origin.is_empty() {
            let mut table = Table::new().right("line").right("allocated").right("count").right("peak").shrinking("");
            for (share, (line, text)) in figures.by_origin.iter().zip(&self.lines) {
                table.row(vec![
                    Markup::text(line.map_or_else(|| "?".to_owned(), |line| line.to_string())),
                    Markup::of(Role::Number, bytes(share.allocated)),
                    Markup::text(share.allocations.to_string()),
                    Markup::text(bytes(share.peak_over_base)),
                    Markup::of(Role::Code, text.trim()),
                ]);
            }
            markup = markup.line().table(table);
        }
        let moved: u64 = figures.transfers.iter().map(|transfer| transfer.bytes).sum();
        let transfers = figures.transfers.len() as u64 + figures.transfers_unlisted;
        if transfers > 0 {
            markup = markup.line().plain(format!("{}, {}", plural(transfers, "transfer"), bytes(moved)));
        }
        for fallback in &figures.host_fallbacks {
            markup = markup.line().push(Role::Warning, format!("{}: on host, {}", fallback.op, bytes(fallback.bytes)));
        }
        markup
    }

    fn extra(&self) -> Vec<(String, Value)> {
        let line_of = |origin: Origin| {
            let at = self.figures.by_origin.iter().position(|line| line.origin == origin)?;
            self.lines.get(at)?.0
        };
        vec![(super::CELL_MIME.to_owned(), account_json(&self.figures, line_of))]
    }
}

fn plural(count: u64, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::to_plain;

    #[test]
    fn a_cell_that_let_go_of_more_than_it_made_kept_less_than_nothing() {
        let figures = CellAccount { cell: 3, kept: -(8 << 20), freed: 8 << 20, ..CellAccount::default() };
        let account = Account::new(figures, |_| (None, String::new()));
        let text = to_plain(&account.markup(), 200);
        assert!(text.contains("kept -8.00 MiB") && text.contains("in 0 allocations"), "{text}");
        assert_eq!(account.extra()[0].1["kept"], json!(-(8 << 20)));
    }
}
