//! Intel's Level Zero driver, recording for GPUs that are not there, through the backend.

use super::catalogue::catalogue;
use super::text;
use cellhold::arrays::backend::Backend;
use cellhold::arrays::level_zero::LevelZeroBackend;
use std::collections::BTreeMap;
use std::sync::Arc;
use testdriver::harness::Child;

/// Opens the device and has the driver build programs of every family, as many as a test has time for.
#[allow(clippy::print_stdout, reason = "what was covered is for the reader of the test")]
fn takes_programs(product: &str) {
    LevelZeroBackend.devices().unwrap();
    let device = LevelZeroBackend.open(0).unwrap_or_else(|error| panic!("{}", error.describe(product)));
    let limits = device.runs_programs().expect("it runs programs");
    let mut taken = BTreeMap::<&str, usize>::new();
    for entry in catalogue(limits.fp64) {
        let count = taken.entry(entry.family).or_default();
        if *count == 3 {
            continue;
        }
        *count += 1;
        let result = device.prepare(&Arc::new(text(&entry)));
        result.unwrap_or_else(|error| panic!("{}: {}", entry.name, error.describe(product)));
    }
    let families: Vec<String> = taken.iter().map(|(family, count)| format!("{count} {family}")).collect();
    println!(
        "covered: libze_intel_gpu for {product} built {} programs ({})",
        taken.values().sum::<usize>(),
        families.join(", ")
    );
}

fn recorded(test: &'static str, product: &'static str) {
    let child = Child::recording(test, product).set("ZE_ENABLE_VALIDATION_LAYER", 1);
    child.set("ZE_ENABLE_PARAMETER_VALIDATION", 1).run(|| takes_programs(product));
}

#[test]
fn intels_driver_for_dg2_takes_programs() {
    recorded("acceptance::recording::intels_driver_for_dg2_takes_programs", "dg2");
}

#[test]
fn intels_driver_for_ponte_vecchio_takes_programs() {
    recorded("acceptance::recording::intels_driver_for_ponte_vecchio_takes_programs", "pvc");
}

#[test]
fn intels_driver_for_tiger_lake_takes_programs() {
    recorded("acceptance::recording::intels_driver_for_tiger_lake_takes_programs", "tgllp");
}
