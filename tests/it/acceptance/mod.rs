//! Intel's own software takes what this program makes: its graphics compiler the device programs, its Level Zero driver the
//! calls. Neither needs a GPU.
//!
//! By default each program is compiled for one target, the targets taking turns; with `CELLHOLD_ACCEPTANCE=full`
//! (`cargo xtask acceptance`) each is compiled for every target.

mod catalogue;
mod compiler;
mod recording;

use catalogue::{Entry, MOST, catalogue};
use compiler::{TARGETS, Target, compile};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[test]
fn the_catalogue_is_small_and_leaves_nothing_out() {
    for fp64 in [false, true] {
        let entries = catalogue(fp64);
        assert!((200..=MOST).contains(&entries.len()), "{} programs with fp64 {fp64}", entries.len());
        let needing = entries.iter().filter(|entry| text(entry).needs.fp64).map(|entry| &entry.name);
        let needing: Vec<&String> = needing.collect();
        assert_eq!(!needing.is_empty(), fp64, "need doubles: {needing:?}");
        let families = count(entries.iter());
        assert!(families["element-wise"] > 100, "{families:?}");
    }
}

fn text(entry: &Entry) -> cellhold::arrays::work::ProgramText {
    entry
        .program
        .generate("acceptance")
        .unwrap_or_else(|missing| panic!("{}: no lowering of {}", entry.name, missing.0))
}

fn count<'a>(entries: impl Iterator<Item = &'a Entry>) -> BTreeMap<&'static str, usize> {
    let mut families = BTreeMap::new();
    entries.for_each(|entry| *families.entry(entry.family).or_default() += 1);
    families
}

/// The part of the catalogue that is compiled for a target: all of it, or every third program of each family.
fn share(target: Target, index: usize, full: bool) -> Vec<Entry> {
    let mut seen = BTreeMap::<&str, usize>::new();
    let mut entries = catalogue(target.fp64);
    entries.retain(|entry| {
        let turn = seen.entry(entry.family).or_default();
        *turn += 1;
        full || *turn % TARGETS.len() == index
    });
    entries
}

#[test]
fn intels_graphics_compiler_takes_the_programs() {
    if let Some(reason) = compiler::is_missing() {
        testdriver::harness::skip(&reason);
        return;
    }
    let full = std::env::var("CELLHOLD_ACCEPTANCE").is_ok_and(|value| value == "full");
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let mut refused = Vec::new();
    for (index, target) in TARGETS.into_iter().enumerate() {
        let started = Instant::now();
        let entries = share(target, index, full);
        let folder = tempfile::tempdir().unwrap();
        let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(entry) = entries.get(number) else { break };
                        if let Err(said) = compile(&text(entry), target, folder.path(), number) {
                            wrong
                                .lock()
                                .unwrap()
                                .push(format!("{}: {}: {}: {said}", target.name, entry.family, entry.name));
                        }
                    }
                });
            }
        });
        let families: Vec<String> =
            count(entries.iter()).iter().map(|(family, count)| format!("{count} {family}")).collect();
        let doubles = if target.fp64 { "with fp64" } else { "without fp64" };
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "ocloc for {} {doubles}: {} programs ({}) in {seconds:.0} s",
            target.name,
            entries.len(),
            families.join(", ")
        );
        refused.extend(wrong.into_inner().unwrap());
    }
    assert!(refused.is_empty(), "{} programs are refused:\n{}", refused.len(), refused.join("\n"));
}
