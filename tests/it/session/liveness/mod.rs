//! Random programs: after each cell every live allocation has a path of the right kind, what `%free -n` foretells is what
//! happens, running what the holders say frees everything, the ledger balances; and nothing lives that IPython lets go of.
//!
//! `CELLHOLD_LIVENESS` is the number of programs (200 unless it says otherwise), `CELLHOLD_SEED` the seed of the first:
//! program `n` of a run is made from `seed + n`, so a failure is run again by its own seed with one program.

mod oracle;
pub(super) mod programs;

use std::collections::BTreeMap;

use cellhold::arrays::ledger;

use super::{Bench, live};
use cellhold::session::{CellEvent, FREE_MIME, Session};
use oracle::{After, Oracle};
use programs::{Dice, NAMES};

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Everything goes by what its holders say.
    LetGo,
    /// Names, outputs and errors are freed in some order, and each dry run is compared with what then happens.
    Foretold,
    /// Nothing: only the cells count.
    Open,
}

/// Kinds that fit the last step of a path.
fn kinds_of(path: &str) -> &'static [&'static str] {
    if path.starts_with("<cycle") {
        return &["cycle"];
    }
    let last = path.rsplit('.').next().unwrap_or(path);
    let is_output = path.starts_with("Out[") && path.matches('[').count() == 1 && !path.contains('.');
    match last {
        _ if is_output && path.ends_with(']') => &["output"],
        _ if last.starts_with("args[") && last.matches('[').count() == 1 => &["error"],
        _ if path.ends_with("__context__") || path.ends_with("__cause__") => &["error"],
        _ if path.ends_with(']') => &["container"],
        "__self__" | "<function>" | "__wrapped__" => &["closure"],
        "<iterated>" | "<element>" | "<key>" | "<base>" => &["container"],
        "<generator>" => &["generator", "container"],
        _ if last.starts_with("<argument") => &["closure"],
        _ if path.ends_with(&format!("<closure>.{last}")) || path.ends_with(&format!("<default>.{last}")) => {
            &["closure"]
        }
        _ if path.ends_with(&format!("<generator>.{last}")) => &["generator"],
        _ if last.starts_with('<') => &["container", "closure"],
        _ if path.contains('.') => &["instance", "closure", "error", "module"],
        _ => &["name"],
    }
}

/// Every allocation has holders, none unknown, each of the kind its path says.
pub(super) fn explained(bench: &Bench) -> Result<(), String> {
    for holders in bench.holders() {
        if holders.is_empty() {
            return Err("an allocation without a holder".to_owned());
        }
        for (path, kind, let_go) in &holders {
            if path.contains("unknown") || path.contains("in use by the engine") {
                return Err(format!("nobody knows who holds: {holders:?}"));
            }
            if !kinds_of(path).contains(&kind.as_str()) {
                return Err(format!("{path} is no {kind}: {holders:?}"));
            }
            if let_go.is_none() {
                return Err(format!("{path} does not say how to let go: {holders:?}"));
            }
        }
    }
    Ok(())
}

fn numbers_live() -> Vec<u64> {
    let mut numbers: Vec<u64> = ledger::entries().iter().map(|entry| entry.id).collect();
    numbers.sort_unstable();
    numbers
}

/// Lets go of allocations one after the other, each by running what its holders say.
fn let_go_of_all(bench: &mut Bench) -> Result<(), String> {
    loop {
        let memory = bench.session.memory(usize::MAX);
        let Some(first) = memory["allocations"].as_array().and_then(|all| all.first()) else { break };
        let id = first["id"].as_u64().unwrap();
        for holder in first["holders"].as_array().unwrap() {
            let statement = holder["let_go"].as_str().ok_or_else(|| format!("{holder} cannot be let go of"))?;
            if let Some(error) = bench.run(statement).error {
                return Err(format!("{statement} failed: {}\nfor {first}", error.text));
            }
        }
        if ledger::entry(id).is_some() {
            let now = bench.session.memory(usize::MAX);
            return Err(format!("#{id} lives on after {first}\nnow: {now}"));
        }
    }
    if live() > 0 { Err(format!("{} bytes live in no allocation", live())) } else { Ok(()) }
}

/// What the `%free` of the last cell did or foretold: allocations, bytes released, bytes returned to devices.
fn told(bench: &Bench) -> Result<(Vec<u64>, u64, u64), String> {
    let shown = bench.front.events().into_iter().find_map(|event| match event {
        CellEvent::Display { bundle, .. } => bundle.data.get(FREE_MIME).cloned(),
        _ => None,
    });
    let told = shown.as_ref().and_then(|shown| {
        let numbers = shown["allocations"].as_array()?.iter().filter_map(serde_json::Value::as_u64);
        Some((numbers.collect(), shown["released"].as_u64()?, shown["returned"].as_u64()?))
    });
    let (mut numbers, released, returned): (Vec<u64>, u64, u64) =
        told.ok_or_else(|| format!("no account of a free: {}", bench.output()))?;
    numbers.sort_unstable();
    Ok((numbers, released, returned))
}

/// Frees targets in a random order, one, two or three at once, each time after asking what that would do.
fn free_as_foretold(bench: &mut Bench, dice: &mut Dice, cells: usize) -> Result<(), String> {
    let mut targets: Vec<String> = NAMES.iter().map(|name| (*name).to_owned()).collect();
    targets.extend(["stack", "cache", "first", "rest", "get", "put", "Node", "err", "memo"].map(str::to_owned));
    targets.extend((2..=cells).map(|number| format!("Out[{number}]")));
    targets.extend((0..2).filter_map(|_| numbers_live().get(dice.below(8)).map(|id| format!("#{id}"))));
    targets.extend(["out", "error", "cached"].map(str::to_owned));
    while !targets.is_empty() {
        let count = (1 + dice.below(3)).min(targets.len());
        let words: Vec<String> = (0..count).map(|_| targets.swap_remove(dice.below(targets.len()))).collect();
        free_once(bench, &words.join(" "))?;
        explained(bench)?;
    }
    Ok(())
}

/// Asks what a `%free` would do, does it, compares, and does it once more, which must do nothing.
pub(super) fn free_once(bench: &mut Bench, words: &str) -> Result<(), String> {
    if bench.run(&format!("%free -n {words}")).error.is_some() {
        // A name that never was is a mistake, foretold or not.
        return match bench.run(&format!("%free {words}")).error {
            Some(_) => Ok(()),
            None => Err(format!("%free {words} works although its dry run is refused")),
        };
    }
    let foretold = told(bench)?;
    let (before, bytes_before) = (numbers_live(), live());
    if let Some(error) = bench.run(&format!("%free {words}")).error {
        return Err(format!("%free {words}: {}", error.text));
    }
    let done = told(bench)?;
    let after = numbers_live();
    let gone: Vec<u64> = before.into_iter().filter(|id| !after.contains(id)).collect();
    if gone != foretold.0 || gone != done.0 {
        return Err(format!("%free {words} foretold {:?}, said {:?}, gone are {gone:?}", foretold.0, done.0));
    }
    let released = bytes_before - live();
    if released != foretold.1 || released != done.1 {
        return Err(format!("%free {words} foretold {} bytes, said {}, gone are {released}", foretold.1, done.1));
    }
    // Where the cache is emptied last, the dry run knows all that is in it.
    if words.ends_with("cached") && foretold.2 != done.2 {
        return Err(format!("%free {words} foretold {} bytes returned, said {}", foretold.2, done.2));
    }
    if let Some(error) = bench.run(&format!("%free {words}")).error {
        return Err(format!("%free {words}, again: {}", error.text));
    }
    match told(bench)?.1 {
        0 => Ok(()),
        again => Err(format!("%free {words}, again, released {again} more")),
    }
}

/// Runs a program here and checks what needs no reference; a panic is a failure like others.
fn run_here(cells: &[String], ending: Ending, seed: u64) -> Result<Vec<After>, String> {
    let cells = cells.to_vec();
    let run = move || {
        let mut bench = Bench::new();
        let mut states = Vec::new();
        for (index, cell) in cells.iter().enumerate() {
            let error = bench.run(cell).error;
            if index == 0 && error.is_some() {
                return Err(format!("the setup fails: {}", error.map(|error| error.text).unwrap_or_default()));
            }
            explained(&bench).map_err(|problem| format!("after cell {}: {problem}", index + 1))?;
            ledger::assert_balanced();
            let mut live = BTreeMap::new();
            for entry in ledger::entries() {
                *live.entry(entry.bytes / 8).or_default() += 1;
            }
            states.push(After { error: error.map(|error| error.class), live });
        }
        let mut dice = Dice::new(seed ^ 0x5EED);
        match ending {
            Ending::Open => {}
            Ending::LetGo => let_go_of_all(&mut bench)?,
            Ending::Foretold => {
                free_as_foretold(&mut bench, &mut dice, cells.len())?;
                let_go_of_all(&mut bench)?;
            }
        }
        ledger::assert_balanced();
        Ok(states)
    };
    let thread = std::thread::Builder::new().stack_size(Session::STACK_BYTES).spawn(run).expect("a thread starts");
    thread.join().unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default())
    })
}

/// Runs a program on both sides and compares.
fn check(cells: &[String], ending: Ending, seed: u64, oracle: Option<&mut Oracle>) -> Result<Seen, String> {
    let here = run_here(cells, ending, seed)?;
    let seen = Seen {
        cells: here.len(),
        errors: here.iter().filter(|after| after.error.is_some()).count(),
        arrays: here.iter().map(|after| after.live.values().sum::<u64>()).sum(),
    };
    let Some(oracle) = oracle else { return Ok(seen) };
    let there = oracle.run(cells);
    for (index, (here, there)) in here.iter().zip(&there).enumerate() {
        let cell = index + 1;
        if here.error != there.error {
            return Err(format!("cell {cell} ended with {:?}, in IPython with {:?}", here.error, there.error));
        }
        for (length, count) in &here.live {
            let kept = there.live.get(length).copied().unwrap_or(0);
            if *count > kept {
                return Err(format!("after cell {cell} {count} arrays of {length} live, in IPython {kept}"));
            }
        }
    }
    Ok(seen)
}

/// What programs did, to see that they did something.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    cells: usize,
    errors: usize,
    arrays: u64,
}

impl std::ops::AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.cells += other.cells;
        self.errors += other.errors;
        self.arrays += other.arrays;
    }
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cells, errors, arrays } = self;
        write!(f, "{cells} cells, {errors} of them failed as they should, {arrays} live arrays looked at")
    }
}

/// Leaves out cells as long as the program still fails, and answers what is left with its failure.
fn shrunk(mut cells: Vec<String>, mut fails: impl FnMut(&[String]) -> Option<String>) -> (Vec<String>, String) {
    let mut problem = fails(&cells).unwrap_or_else(|| "it did not fail when run again".to_owned());
    let mut at = cells.len() - 1;
    while at >= 1 {
        let mut fewer = cells.clone();
        fewer.remove(at);
        if let Some(other) = fails(&fewer) {
            (cells, problem) = (fewer, other);
        }
        at -= 1;
    }
    (cells, problem)
}

/// The number that an environment variable says.
pub(super) fn number_of(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

#[test]
fn random_programs_keep_what_ipython_keeps_and_no_more() {
    let count = number_of("CELLHOLD_LIVENESS").unwrap_or(200);
    let first = number_of("CELLHOLD_SEED").unwrap_or(20_261_129);
    let mut oracle = Oracle::start();
    let mut failures = Vec::new();
    let mut seen = Seen::default();
    for seed in first..first + count {
        let cells = programs::program(&mut Dice::new(seed));
        let ending = match (programs::hands_on(&cells), seed % 2) {
            (true, _) => Ending::Open,
            (false, 0) => Ending::LetGo,
            (false, _) => Ending::Foretold,
        };
        let outcome = check(&cells, ending, seed, oracle.as_mut());
        seen += outcome.as_ref().copied().unwrap_or_default();
        if outcome.is_err() {
            let (cells, problem) = shrunk(cells, |cells| check(cells, ending, seed, oracle.as_mut()).err());
            let shown: Vec<String> = cells[1..].iter().map(|cell| format!("# cell\n{cell}")).collect();
            failures.push(format!("seed {seed} ({ending:?}): {problem}\n{}", shown.join("\n")));
            if failures.len() == 10 {
                break;
            }
        }
    }
    let report = failures.join("\n\n");
    if !failures.is_empty() {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("liveness-failures.txt");
        std::fs::write(&file, &report).expect("the target folder is ours");
        panic!(
            "{} programs failed (CELLHOLD_SEED=<seed> CELLHOLD_LIVENESS=1 runs one again; kept in {}):\n{report}",
            failures.len(),
            file.display()
        );
    }
    match oracle {
        Some(_) => eprintln!("{count} programs from seed {first}: {seen}; IPython keeps no less"),
        None => eprintln!("{count} programs from seed {first}: {seen}; no IPython to compare with (CELLHOLD_PYTHON)"),
    }
}
