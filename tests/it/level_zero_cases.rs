//! Programs on a Level Zero device, from the outside: the binary runs scripts on the test driver, which the real loader
//! loads, and says what it says on the embedded processor.
//!
//! The driver computes on Intel's OpenCL runtime. In its strict mode device memory faults when the host touches it, and
//! commands run in random order unless something orders them, so a copy or a barrier that is missing is a failing test.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use testdriver::harness::{environment, skip};

/// What the driver needs in the environment; nothing when the test is skipped, which is said.
fn driver() -> Option<Vec<(&'static str, OsString)>> {
    environment().map_err(|reason| skip(&reason)).ok()
}

/// Cases that differ on such a device, each with the reason.
const KNOWN_GAPS: &[(&str, &str)] = &[];

/// Device memory closed to the host, and random order wherever nothing orders commands.
const STRICT: &[(&str, &str)] =
    &[("TESTDRIVER_GUARD", "1"), ("TESTDRIVER_SHUFFLE", "20"), ("TESTDRIVER_HOLD_US", "50")];

fn run(script: &Path, driver: &[(&'static str, OsString)], settings: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cellhold"));
    command.arg("run").arg(script.file_name().expect("a script is a file"));
    command.current_dir(script.parent().expect("a script stands in a folder"));
    command.env_remove("CELLHOLD_SIM").env_remove("ZES_ENABLE_SYSMAN");
    command.env("CELLHOLD_BACKENDS", "level_zero").env("CELLHOLD_PROGRAM_CACHE", "off");
    command.envs(driver.iter().map(|(variable, value)| (variable, value)));
    command.envs(settings.iter().copied()).output().expect("the binary runs")
}

fn array_cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cases/arrays");
    let entries = std::fs::read_dir(folder).expect("the cases of arrays");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    cases.retain(|case| case.extension().is_some_and(|extension| extension == "py"));
    cases.sort();
    cases
}

/// Runs every case of arrays, for which a GPU is the default device, and compares with what it prints on the embedded
/// processor; whether that is what dpnp and NumPy print is tested elsewhere.
fn compare_cases(settings: &[(&str, &str)]) {
    let Some(driver) = driver() else { return };
    let cases = array_cases();
    assert!(cases.len() > 4, "{cases:?}");
    let mut different = Vec::new();
    for case in cases {
        let name = case.file_stem().expect("a name").to_string_lossy().into_owned();
        if KNOWN_GAPS.iter().any(|(gap, _)| *gap == name) {
            continue;
        }
        let embedded = run(&case, &driver, &[("CELLHOLD_BACKENDS", "native")]);
        let expected = String::from_utf8_lossy(&embedded.stdout);
        let output = run(&case, &driver, settings);
        let said = String::from_utf8_lossy(&output.stdout);
        let (said, expected): (Vec<&str>, Vec<&str>) = (said.lines().collect(), expected.lines().collect());
        assert!(!expected.is_empty(), "{name} prints something");
        if said != expected {
            let at = said.iter().zip(&expected).position(|(a, b)| a != b).unwrap_or(said.len().min(expected.len()));
            let stderr = String::from_utf8_lossy(&output.stderr);
            different.push(format!(
                "{name}, line {}: {:?}, not {:?}\n{stderr}",
                at + 1,
                said.get(at),
                expected.get(at)
            ));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn array_cases_are_the_same_as_on_the_embedded_processor() {
    compare_cases(&[]);
}

#[test]
fn array_cases_are_the_same_in_random_order_with_closed_memory() {
    compare_cases(STRICT);
}

/// Computes on the device, on the embedded processor, and on the device again.
const ATTEMPTS: &str = r#"
import dpnp

def attempt():
    a = dpnp.ones(1000, dtype="float32", device="level_zero:gpu:0")
    return float((a * 2).sum())

def describe():
    try:
        return attempt()
    except Exception as error:
        return f"{type(error).__name__} {error}"

print("first", describe())
print("native", dpnp.ones(3, device="native:cpu:0").sum())
print("again", describe())
"#;

/// What is injected, the error it becomes, and whether the next attempt succeeds.
const FAULTS: &[(&str, &str, bool)] = &[
    ("zeMemAllocDevice:1+:OUT_OF_DEVICE_MEMORY", "USMAllocationError", false),
    ("zeModuleCreate:1:MODULE_BUILD_FAILURE", "RuntimeError", true),
    ("zeKernelCreate:1:OUT_OF_HOST_MEMORY", "RuntimeError", true),
    ("zeCommandListAppendLaunchKernel:1:OUT_OF_DEVICE_MEMORY", "RuntimeError", true),
    ("zeCommandListCreateImmediate:1:OUT_OF_HOST_MEMORY", "SyclQueueCreationError", true),
    ("zeEventCreate:1:OUT_OF_HOST_MEMORY", "SyclQueueCreationError", true),
    ("execute:1:DEVICE_LOST", "DeviceLostError", false),
    ("execute:2:DEVICE_LOST", "DeviceLostError", false),
    ("zeContextCreate:1+:OUT_OF_HOST_MEMORY", "SyclDeviceCreationError", false),
    ("zeInit:1+:UNINITIALIZED", "SyclDeviceCreationError", false),
];

#[test]
fn every_injected_failure_is_an_error_and_the_session_goes_on() {
    let Some(driver) = driver() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("attempts.py");
    std::fs::write(&script, ATTEMPTS).expect("writable");
    for (fault, error, recovers) in FAULTS {
        let output = run(&script, &driver, &[("TESTDRIVER_FAIL", fault)]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let all = format!("{fault}\n{said}{}", String::from_utf8_lossy(&output.stderr));
        assert!(said.contains(&format!("first {error} ")), "no {error}: {all}");
        assert!(said.contains("native 3."), "the session ended: {all}");
        let again = if *recovers { "again 2000.0".to_owned() } else { format!("again {error} ") };
        assert!(said.contains(&again), "no {again:?}: {all}");
        assert!(!all.contains("panicked"), "{all}");
    }
}

#[test]
fn one_failed_allocation_is_tried_again() {
    let Some(driver) = driver() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("attempts.py");
    std::fs::write(&script, ATTEMPTS).expect("writable");
    let output = run(&script, &driver, &[("TESTDRIVER_FAIL", "zeMemAllocDevice:1:OUT_OF_DEVICE_MEMORY")]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        said.contains("first 2000.0") && output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
