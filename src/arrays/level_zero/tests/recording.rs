//! Intel's own driver takes the whole call path of the backend, under the loader's validation, for GPUs that are not there. It runs
//! nothing, so nothing is waited for here.

use super::child::named;
use super::*;
use crate::arrays::DType;
use crate::arrays::event::EventStatus;
use crate::arrays::spirv::{Fused, Kind, Lane, Program, Space};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use testdriver::harness::Child;

fn takes_the_path() {
    let client = Client::open();
    let limits = client.device.runs_programs().expect("it runs programs");
    assert!(client.device.info().vendor.contains("Intel") && limits.spirv >= (1, 0), "{limits:?}");
    let blocks = UsmKind::ALL.map(|usm| client.block(usm, 4096).expect("memory"));
    let [device, host, shared] = blocks.each_ref().map(Block::address);
    let mut events = vec![
        client.submit(Work::Fill { to: device, bytes: 4096, pattern: smallvec![1, 0, 0, 0] }),
        client.submit(Work::Copy { from: device, to: host, bytes: 4096 }),
        client.submit(Work::Copy { from: host, to: shared, bytes: 4096 }),
    ];
    if client.device.info().fp64 {
        events.push(client.submit(client.scale(device, 64, 2.0)));
    } else {
        let error = client.device.prepare(&client.program).expect_err("float64 on a GPU without");
        assert!(error.describe("x").to_string().contains("double precision"));
    }
    // A step that the driver took is running; one that it refused has ended.
    let deadline = Instant::now() + Duration::from_secs(60);
    for event in &events {
        while event.status() == EventStatus::Submitted {
            assert!(Instant::now() < deadline, "a step was neither taken nor refused");
            std::thread::yield_now();
        }
        if event.is_complete() {
            event.wait().expect("taken by the driver");
        }
    }
    // The end of the process is the end of a queue whose work never ends.
    std::mem::forget(client);
}

/// What the driver built comes back from the disk as its own binary, which is then not written again.
fn takes_its_own_binaries() {
    let folder =
        PathBuf::from(std::env::var_os("XDG_CACHE_HOME").expect("set for the child")).join("cellhold/programs");
    let files = || -> Vec<(PathBuf, u64)> {
        let entries = std::fs::read_dir(&folder).expect("programs are kept");
        let mut files: Vec<_> = entries
            .map(|entry| entry.expect("an entry"))
            .map(|entry| (entry.path(), entry.metadata().expect("there").ino()))
            .collect();
        files.sort();
        files
    };
    let program = |dtype| {
        let fused = Fused::identity(dtype, Lane::Unit);
        let kind = Kind::Map { fused, target: Lane::Unit };
        let program = Program { kind, space: Space::new(&[1], 1), fp64: false };
        Arc::new(program.generate("copy").expect("lowered"))
    };
    LevelZeroBackend.devices().expect("the driver starts");
    let prepare = || {
        let device = LevelZeroBackend.open(0).unwrap_or_else(|error| panic!("{}", error.describe("x")));
        for dtype in [DType::Float32, DType::Int64] {
            device.prepare(&program(dtype)).unwrap_or_else(|error| panic!("{}", error.describe("x")));
        }
    };
    prepare();
    let built = files();
    assert_eq!(built.len(), 2);
    prepare();
    assert_eq!(files(), built, "a binary was refused and the program built again");
    // What is no binary is refused by the driver, and the program is made anew.
    let whole = std::fs::read(&built[0].0).expect("readable");
    std::fs::write(&built[0].0, &whole[..whole.len() / 2]).expect("writable");
    prepare();
    let anew = files();
    assert_eq!((anew[1].1, std::fs::read(&anew[0].0).expect("readable").len()), (built[1].1, whole.len()));
}

fn restored(test: &'static str, product: &'static str) {
    let folder = tempfile::tempdir().expect("a folder");
    let child = Child::recording(test, product).set("XDG_CACHE_HOME", folder.path().display());
    child.set("CELLHOLD_PROGRAM_CACHE", "on").set("ZE_ENABLE_VALIDATION_LAYER", 1).run(takes_its_own_binaries);
}

#[test]
fn the_driver_for_dg2_takes_its_own_binaries() {
    restored(named!("recording::the_driver_for_dg2_takes_its_own_binaries"), "dg2");
}

#[test]
fn the_driver_for_ponte_vecchio_takes_its_own_binaries() {
    restored(named!("recording::the_driver_for_ponte_vecchio_takes_its_own_binaries"), "pvc");
}

fn recorded(test: &'static str, product: &'static str) {
    let child = Child::recording(test, product);
    child.set("ZE_ENABLE_VALIDATION_LAYER", 1).set("ZE_ENABLE_PARAMETER_VALIDATION", 1).run(takes_the_path);
}

#[test]
fn the_driver_for_dg2_takes_the_path() {
    recorded(named!("recording::the_driver_for_dg2_takes_the_path"), "dg2");
}

#[test]
fn the_driver_for_ponte_vecchio_takes_the_path() {
    recorded(named!("recording::the_driver_for_ponte_vecchio_takes_the_path"), "pvc");
}
