//! Programs kept on disk as the driver's binaries, and what compilers are told.

use super::child::{assert_nothing_left, child, counter, inject, named};
use super::*;
use crate::arrays::work::Needs;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

#[test]
fn compiled_programs_are_found_again_and_damaged_ones_are_made_anew() {
    let test = named!("programs::compiled_programs_are_found_again_and_damaged_ones_are_made_anew");
    let folder = tempfile::tempdir().expect("a folder");
    let round = |restored: &str| {
        let child = child(test).set("XDG_CACHE_HOME", folder.path().display()).set("CELLHOLD_PROGRAM_CACHE", "on");
        child.set("EXPECT_RESTORED", restored).run(|| {
            Client::open().assert_round();
            let restored = i64::from(std::env::var("EXPECT_RESTORED").is_ok_and(|value| value == "1"));
            assert_eq!((counter("compiled"), counter("restored")), (1 - restored, restored));
            assert_nothing_left();
        });
    };
    round("0");
    let programs = folder.path().join("cellhold/programs");
    if !programs.exists() {
        // Skipped, or this is the child, whose folder is the parent's business.
        return;
    }
    let entries: Vec<PathBuf> =
        fs::read_dir(&programs).expect("readable").map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(fs::metadata(&entries[0]).expect("there").permissions().mode() & 0o777, 0o600);
    round("1");
    let whole = fs::read(&entries[0]).expect("readable");
    for damaged in [&whole[..whole.len() / 2], &[]] {
        fs::write(&entries[0], damaged).expect("writable");
        round("0");
        assert_eq!(fs::read(&entries[0]).expect("made anew").len(), whole.len());
    }
}

#[test]
fn a_compiler_that_does_not_know_how_to_round_builds_all_the_same() {
    child(named!("programs::a_compiler_that_does_not_know_how_to_round_builds_all_the_same")).run(|| {
        let client = Client::open();
        let exact = |key| {
            let needs = Needs { exact_fp32: true, ..client.program.needs };
            Arc::new(ProgramText { key, needs, ..(*client.program).clone() })
        };
        inject("zeModuleCreate:1:MODULE_BUILD_FAILURE");
        client.device.prepare(&exact(901)).expect("built without the flag");
        client.device.prepare(&exact(902)).expect("built");
        assert_eq!(counter("compiled"), 2);
        // A program without divisions is told of the first failure.
        inject("zeModuleCreate:1:MODULE_BUILD_FAILURE");
        client.device.prepare(&client.program).expect_err("refused");
        drop(client);
        assert_nothing_left();
    });
}
