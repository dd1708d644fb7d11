//! `%free --need 2GiB`: the fewest holders to let go of so that so much is free on a device.
//!
//! An allocation goes when all its holders have let go, so each is a set of statements, and what is looked for is a set of
//! statements that contains enough of those sets. Up to [`EXACT`] statements every choice is compared: fewest statements
//! first, then the least memory lost. Beyond, the allocation that gives most for each further statement is taken in turn,
//! and what proves needless is put back.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use serde_json::json;

use super::super::{Context, Shown, usage_error};
use super::figures::{Figures, comparison, comparison_json};
use super::{FREE_MIME, Manner};
use crate::arrays::readings::Amount;
use crate::arrays::{DeviceHandle, ledger, pool, registry};
use crate::display::units::bytes;
use crate::display::{Markup, Role, Table};
use crate::gauges::on_host;
use crate::lang::arrays::error::raised;
use crate::lang::raise::Fallible;
use crate::session::holders::Turn;
use crate::session::memory::{is_apart, is_unknown};

/// Statements of which every choice is compared.
const EXACT: usize = 16;

/// Allocations looked at, largest first.
const CONSIDERED: usize = 4096;

/// Something to let go of.
#[derive(Clone, Debug)]
struct Candidate {
    statement: String,
    path: String,
    turn: Turn,
}

/// Allocations that go with the same statements.
#[derive(Clone, Debug)]
struct Group {
    /// Positions of the statements, ascending.
    needs: Vec<usize>,
    /// Bytes their blocks occupy.
    bytes: u64,
    /// Their numbers.
    ids: Vec<u64>,
}

pub(super) fn need(context: &mut Context<'_>, wanted: u64, device: Option<&str>, manner: Manner) -> Fallible<Shown> {
    let device = match device {
        Some(filter) => registry::select(filter).map_err(raised)?,
        None => registry::default_device(),
    };
    registry::finish_all().map_err(raised)?;
    let reading = ledger::reading(&device);
    let name = device.ledger_name().to_owned();
    let (free, unknown) = match &reading.memory.free {
        Amount::Known { bytes, .. } => (*bytes, None),
        Amount::Unknown { reason } => (0, Some(reason.to_string())),
    };
    if free >= wanted {
        let text =
            format!("{} are free on {name} already, {} were asked for. Nothing was done.", bytes(free), bytes(wanted));
        return Ok(said(&text, 0));
    }
    let cached = reading.here.cached - on_host(&reading).cached;
    let missing = wanted.saturating_sub(free).saturating_sub(cached);
    let (candidates, groups, beyond) = candidates(context, &device);
    let chosen = if missing == 0 { Vec::new() } else { choose(candidates.len(), &groups, missing) };
    let all: u64 = groups.iter().map(|group| group.bytes).sum();
    if missing > 0 && chosen.is_empty() {
        return Err(usage_error(format!(
            "{} cannot be had on {name}: {} free, {} cached, {} could be let go of{beyond}",
            bytes(wanted),
            if unknown.is_some() { "an unknown amount".to_owned() } else { bytes(free) },
            bytes(cached),
            bytes(all)
        )));
    }
    let freed = freed_by(&groups, &chosen);
    let mut chosen: Vec<&Candidate> = chosen.iter().map(|at| &candidates[*at]).collect();
    chosen.sort_by(|a, b| a.turn.order(&b.turn));
    let proposal = proposal(wanted, &name, free, unknown.as_deref(), cached, &chosen, freed);
    let statements: Vec<&str> = chosen.iter().map(|candidate| candidate.statement.as_str()).collect();
    let ids = gone_with(&groups, &candidates, &statements);
    let mut json = json!({
        "schema": 1, "dry_run": manner.is_dry, "need": wanted, "device": name, "statements": statements,
        "allocations": ids, "blocks": freed,
    });
    if manner.is_dry {
        let markup = proposal.line().plain("Nothing was done.");
        return Ok(Shown { markup, extra: vec![(FREE_MIME.to_owned(), json)] });
    }
    if !manner.is_sure {
        let question = format!("{}\nLet go of these? (y/[n]) ", proposal.plain_text());
        if !context.core.confirm(&question, "-y")? {
            return Ok(said("Nothing done.", 0));
        }
    }
    let before = Figures::now();
    for statement in &statements {
        context.core.run_text(context.vm, statement, "<free>")?;
    }
    context.vm.run_finalizers();
    let apart = on_host(&ledger::reading(&device)).cached;
    let returned = pool::trim(&device).saturating_sub(apart);
    let after = Figures::now();
    let released = before.live().saturating_sub(after.live());
    json["released"] = released.into();
    json["returned"] = returned.into();
    json["devices"] = comparison_json(&before, &after);
    let markup = proposal.line().plain(format!(
        "Done. Released: {} (ledger), {} returned to {name}.",
        bytes(released),
        bytes(returned)
    ));
    Ok(Shown { markup: markup.then(comparison(&before, &after)), extra: vec![(FREE_MIME.to_owned(), json)] })
}

fn said(text: &str, released: u64) -> Shown {
    let json = json!({"schema": 1, "dry_run": true, "released": released, "allocations": [], "statements": []});
    Shown { markup: Markup::text(text), extra: vec![(FREE_MIME.to_owned(), json)] }
}

fn proposal(
    wanted: u64,
    name: &str,
    free: u64,
    unknown: Option<&str>,
    cached: u64,
    chosen: &[&Candidate],
    freed: u64,
) -> Markup {
    let free = unknown.map_or_else(|| bytes(free), |reason| format!("unknown ({reason})"));
    let markup = Markup::text(format!("{} wanted on {name}: free {free}, cached {}.", bytes(wanted), bytes(cached)));
    if chosen.is_empty() {
        return markup.gap().plain("Returning the cache is enough.");
    }
    let count = if chosen.len() == 1 { "one holder".to_owned() } else { format!("{} holders", chosen.len()) };
    let markup = markup.gap().plain(format!("Letting go of {count} gives {} more:", bytes(freed))).line();
    let mut table = Table { has_heading: false, ..Table::new() }.left("").shrinking("");
    for candidate in chosen {
        table.row(vec![
            Markup::of(Role::Code, format!("  {}", candidate.statement)),
            Markup::of(Role::Dim, candidate.path.clone()),
        ]);
    }
    markup.table(table)
}

/// What can be let go of on a device, and which allocations go with what. The text says what was left out.
fn candidates(context: &mut Context<'_>, device: &DeviceHandle) -> (Vec<Candidate>, Vec<Group>, &'static str) {
    let report = context.core.report(context.vm);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut groups: BTreeMap<Vec<usize>, (u64, Vec<u64>)> = BTreeMap::new();
    // What `%chunk` keeps in host memory for a device takes nothing of it.
    let here = report.entries().iter().filter(|entry| entry.device == *device && !is_apart(entry));
    let mut left_out = false;
    for (position, entry) in here.enumerate() {
        if position >= CONSIDERED {
            left_out = true;
            break;
        }
        let holders = report.holders(entry);
        let mut needs = Vec::with_capacity(holders.len());
        for holder in &holders {
            let Some(statement) = holder.let_go.as_ref().filter(|_| !is_unknown(holder)) else {
                needs.clear();
                break;
            };
            let at = *known.entry(statement.clone()).or_insert_with(|| {
                candidates.push(Candidate {
                    statement: statement.clone(),
                    path: holder.path.clone(),
                    turn: holder.turn.clone(),
                });
                candidates.len() - 1
            });
            needs.push(at);
        }
        needs.sort_unstable();
        needs.dedup();
        if !needs.is_empty() {
            let group = groups.entry(needs).or_default();
            group.0 += entry.block_bytes;
            group.1.push(entry.id);
        }
    }
    let groups = groups.into_iter().map(|(needs, (bytes, ids))| Group { needs, bytes, ids }).collect();
    (candidates, groups, if left_out { " (of the 4096 largest allocations)" } else { "" })
}

/// Positions of the statements to run so that `missing` bytes go; empty where all together are not enough.
fn choose(count: usize, groups: &[Group], missing: u64) -> Vec<usize> {
    if groups.iter().map(|group| group.bytes).sum::<u64>() < missing {
        Vec::new()
    } else if count <= EXACT {
        choose_exactly(count, groups, missing)
    } else {
        choose_greedily(groups, missing)
    }
}

/// Every choice compared: what each set of statements frees is summed over its subsets.
fn choose_exactly(count: usize, groups: &[Group], missing: u64) -> Vec<usize> {
    let mut freed = vec![0u64; 1 << count];
    for group in groups {
        freed[group.needs.iter().fold(0, |mask, at| mask | 1 << at)] += group.bytes;
    }
    for bit in 0..count {
        for mask in 0..freed.len() {
            if mask & 1 << bit != 0 {
                freed[mask] += freed[mask ^ 1 << bit];
            }
        }
    }
    let best = (0..freed.len())
        .filter(|mask| freed[*mask] >= missing)
        .min_by_key(|mask| (mask.count_ones(), freed[*mask], *mask))
        .unwrap_or(0);
    (0..count).filter(|bit| best & 1 << bit != 0).collect()
}

fn choose_greedily(groups: &[Group], missing: u64) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    while freed_by(groups, &chosen) < missing {
        let further = |group: &Group| group.needs.iter().filter(|at| !chosen.contains(at)).count() as u64;
        let still = missing - freed_by(groups, &chosen);
        // One that is enough alone goes before a larger one: no more is lost than has to be.
        let best = groups.iter().filter(|group| further(group) > 0).max_by(|a, b| {
            let worth = |group: &Group| (group.bytes.min(still) / further(group), std::cmp::Reverse(group.bytes));
            worth(a).cmp(&worth(b))
        });
        let Some(best) = best else { return Vec::new() };
        chosen.extend(best.needs.iter().copied());
        chosen.sort_unstable();
        chosen.dedup();
    }
    for at in chosen.clone() {
        let without: Vec<usize> = chosen.iter().copied().filter(|other| *other != at).collect();
        if freed_by(groups, &without) >= missing {
            chosen = without;
        }
    }
    chosen
}

fn freed_by(groups: &[Group], chosen: &[usize]) -> u64 {
    groups.iter().filter(|group| group.needs.iter().all(|at| chosen.contains(at))).map(|group| group.bytes).sum()
}

fn gone_with(groups: &[Group], candidates: &[Candidate], statements: &[&str]) -> Vec<u64> {
    let is_run = |at: &usize| statements.contains(&candidates[*at].statement.as_str());
    let mut ids: Vec<u64> =
        groups.iter().filter(|group| group.needs.iter().all(is_run)).flat_map(|group| group.ids.clone()).collect();
    ids.sort_unstable();
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(needs: &[usize], bytes: u64) -> Group {
        Group { needs: needs.to_vec(), bytes, ids: Vec::new() }
    }

    #[test]
    fn the_fewest_go_and_of_equals_the_smallest() {
        let groups = [group(&[0], 10), group(&[1], 6), group(&[2], 5), group(&[3, 4], 100)];
        assert_eq!(choose(5, &groups, 5), [2], "5 are enough");
        assert_eq!(choose(5, &groups, 6), [1]);
        assert_eq!(choose(5, &groups, 11), [1, 2], "as few, and less lost than with the first");
        assert_eq!(choose(5, &groups, 22), [3, 4]);
        assert!(choose(5, &groups, 1000).is_empty(), "all of it is not enough");
    }

    #[test]
    fn what_several_hold_goes_only_with_all_of_them() {
        let groups = [group(&[0, 1, 2], 10), group(&[0], 1)];
        assert_eq!(choose(3, &groups, 1), [0]);
        assert_eq!(choose(3, &groups, 2), [0, 1, 2]);
    }

    #[test]
    fn many_holders_are_chosen_greedily_and_nothing_needless_stays() {
        let mut groups: Vec<Group> = (0..40).map(|at| group(&[at], 1 + at as u64)).collect();
        groups.push(group(&[40, 41], 100));
        assert_eq!(choose(42, &groups, 90), [40, 41], "two that go together free more each than any alone");
        assert_eq!(choose(42, &groups, 50), [9, 39], "as few, and less lost than with those two");
        let chosen = choose(42, &groups, 39);
        assert_eq!(chosen, [38], "the smallest that is enough alone");
        for at in 0..chosen.len() {
            let mut fewer = chosen.clone();
            fewer.remove(at);
            assert!(freed_by(&groups, &fewer) < 39);
        }
    }

    #[test]
    fn the_exact_choice_is_never_larger_than_the_greedy_one() {
        // Masks of small numbers stand for groups; every case is checked against all subsets.
        for seed in 0..200u64 {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
            let mut next = |below: u64| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state % below
            };
            let groups: Vec<Group> = (0..1 + next(10))
                .map(|_| {
                    let mask = 1 + next(63);
                    let needs: Vec<usize> = (0..6).filter(|bit| mask & 1 << bit != 0).collect();
                    Group { needs, bytes: 1 + next(50), ids: Vec::new() }
                })
                .collect();
            let all: u64 = groups.iter().map(|group| group.bytes).sum();
            let missing = 1 + next(all);
            let exact = choose_exactly(6, &groups, missing);
            let greedy = choose_greedily(&groups, missing);
            assert!(freed_by(&groups, &exact) >= missing && freed_by(&groups, &greedy) >= missing);
            assert!(exact.len() <= greedy.len(), "{groups:?} {missing}");
        }
    }
}
