//! What an allocation that does not fit says: how much was asked of what, what is free, who holds the most, and one
//! command that is safe to type.

use super::report::{Report, is_unknown};
use super::text::reading_order;
use crate::arrays::error::{OutOfMemory, Shortage};
use crate::arrays::ledger::Entry;
use crate::arrays::readings::Amount;
use crate::display::units::bytes;

/// Where a line of the message ends at the latest.
const LINE_COLUMNS: usize = 96;

/// Holders named in the message.
const HOLDERS_SHOWN: usize = 5;

/// The text of the error, without the class's name.
pub fn shortage_text(shortage: &OutOfMemory, report: &Report) -> String {
    if let Shortage::Budget { limit, left } = shortage.shortage {
        return budget_text(shortage, report, limit, left);
    }
    let mut text = head(shortage);
    let is_here = |entry: &&Entry| entry.device.ledger_name() == &*shortage.device;
    let here: Vec<&Entry> = report.entries().iter().filter(is_here).collect();
    let held: u64 = here.iter().map(|entry| entry.bytes).sum();
    text.push_str(&format!("\n  held here: {}.", bytes(held)));
    text.push_str(&largest_text(report, &here));
    text.push_str("\n  Queued work was finished and the cache returned before giving up. Nothing was lost.");
    text.push_str(&format!("\n  {}", remedy(shortage, report, held)));
    text
}

/// A budget counts everything that was made since it began, wherever it is, so all of it is named.
fn budget_text(shortage: &OutOfMemory, report: &Report, limit: u64, left: u64) -> String {
    let asked = shortage.bytes as u64;
    let everywhere: Vec<&Entry> = report.largest(HOLDERS_SHOWN).iter().collect();
    let mut text = format!(
        "{} asked for on {}; the budget of {} has {} left ({} in use since it began).",
        bytes(asked),
        shortage.device,
        bytes(limit),
        bytes(left),
        bytes(limit - left)
    );
    text.push_str(&largest_text(report, &everywhere));
    text.push_str("\n  The device was not asked. Nothing was lost.");
    text.push_str(&match asked > limit {
        true => "\n  The request alone exceeds the budget: raise it, or compute in pieces with %chunk auto.".to_owned(),
        false => format!(
            "\n  {} more are needed: let go of something made within it (%mem), use out= or fewer temporaries, or raise the budget.",
            bytes(asked - left)
        ),
    });
    text
}

/// Who holds the most, each with its first holder.
fn largest_text(report: &Report, here: &[&Entry]) -> String {
    let largest: Vec<String> = here
        .iter()
        .take(HOLDERS_SHOWN)
        .map(|entry| {
            let holders = reading_order(report.holders(entry));
            let path = holders.first().map_or("?", |holder| holder.path.as_str());
            let more = if holders.len() > 1 { format!(" and {} more", holders.len() - 1) } else { String::new() };
            let cell = match entry.cell {
                0 => String::new(),
                cell => format!(" (cell {cell})"),
            };
            format!("{path}{more} {}{cell}", bytes(entry.bytes))
        })
        .collect();
    // Notebooks part the lines of an error anywhere, so that short ones are made here.
    let mut text = String::new();
    for (at, one) in largest.iter().enumerate() {
        let column = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
        match at {
            0 => text.push_str("\n  Largest: "),
            _ if column + one.len() > LINE_COLUMNS => text.push_str(",\n    "),
            _ => text.push_str(", "),
        }
        text.push_str(one);
    }
    text
}

fn head(shortage: &OutOfMemory) -> String {
    let kind = shortage.usm.map_or("host memory of NumPy".to_owned(), |usm| format!("kind {}", usm.name()));
    let free = match &shortage.free {
        Amount::Known { bytes: free, .. } => format!("{} free", bytes(*free)),
        Amount::Unknown { reason } => format!("free unknown ({reason})"),
    };
    let total = match &shortage.total {
        Amount::Known { bytes: total, .. } => format!(" of {}", bytes(*total)),
        Amount::Unknown { .. } => String::new(),
    };
    let single = match &shortage.max_single {
        Amount::Known { bytes: single, .. } => format!(", largest single allocation {}", bytes(*single)),
        Amount::Unknown { .. } => String::new(),
    };
    let reason = match shortage.shortage {
        Shortage::SingleAllocation => {
            "\n  That is more than one allocation may have on this device, however much is free."
        }
        Shortage::Scripted => "\n  The simulated device's script refuses it.",
        Shortage::Capacity | Shortage::Backend | Shortage::Budget { .. } => "",
    };
    format!(
        "{} asked for, {kind}, on {}.\n  {free}{total}{single}.{reason}",
        bytes(shortage.bytes as u64),
        shortage.device
    )
}

/// One thing to do that exists and is safe: what would be enough, or that nothing would.
fn remedy(shortage: &OutOfMemory, report: &Report, held: u64) -> String {
    let asked = shortage.bytes as u64;
    if let (Shortage::SingleAllocation, Some(single)) = (shortage.shortage, shortage.max_single.bytes()) {
        let parts = asked.div_ceil(single.max(1));
        return format!("Letting go of memory would not help. Split it into at least {parts} arrays.");
    }
    let Some(free) = shortage.free.bytes() else {
        return "%mem lists what is held; %free out lets go of all outputs.".to_owned();
    };
    if free + held < asked {
        return format!(
            "Letting go of everything would not be enough.\n  dtype=dpnp.float32 would take {} instead of float64; a loop over \
             rows would take less.",
            bytes(asked / 2)
        );
    }
    let missing = asked.saturating_sub(free);
    let enough = report
        .entries()
        .iter()
        .rev()
        .filter(|entry| entry.device.ledger_name() == &*shortage.device)
        .filter(|entry| entry.bytes >= missing)
        .find_map(|entry| {
            let holders = report.holders(entry);
            match holders.as_slice() {
                [only] if !is_unknown(only) => only.let_go.clone().map(|let_go| (let_go, entry.bytes)),
                _ => None,
            }
        });
    match enough {
        Some((let_go, freed)) => format!("{let_go}  would free {}, which is enough.", bytes(freed)),
        None => format!("{} more are needed: %mem lists what is held and how to let go of it.", bytes(missing)),
    }
}
