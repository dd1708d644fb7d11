//! Programs on a Level Zero device, from the outside: the binary runs a script under the real loader, on the test driver, and says
//! what it says on the embedded processor.

use crate::devices::ARRAYS;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use testdriver::harness;

/// Runs cells or a script with these settings of the device; nothing when this machine cannot, which is said.
fn cellhold(arguments: &[&str], input: &str, settings: &[(&str, &str)]) -> Option<Output> {
    let environment = match harness::environment() {
        Ok(environment) => environment,
        Err(reason) => {
            harness::skip(&reason);
            return None;
        }
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_cellhold"));
    command.args(arguments).env_remove("CELLHOLD_SIM").env_remove("ZES_ENABLE_SYSMAN");
    command.env("CELLHOLD_BACKENDS", "level_zero").envs(environment).envs(settings.iter().copied());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("stdin is piped").write_all(input.as_bytes()).expect("the program reads");
    Some(child.wait_with_output().expect("the binary ends"))
}

/// What a script prints, once it succeeded without a word on stderr.
fn printed(script: &str, settings: &[(&str, &str)]) -> Option<String> {
    let output = cellhold(&["run", "-"], script, settings)?;
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stderr.is_empty(), "{settings:?}: {}\n{stdout}\n{stderr}", output.status);
    Some(stdout.into_owned())
}

#[test]
fn arrays_are_the_same_on_level_zero_as_on_the_embedded_processor() {
    let Some(native) = printed(&ARRAYS.replace("DEVICE", "native:cpu:0"), &[]) else { return };
    assert!(native.lines().count() > 25, "{native}");
    // A new driver and an old one; the second and third run in random order what is not ordered. The host cannot touch device memory.
    for settings in [
        &[("TESTDRIVER_GUARD", "1")][..],
        &[("TESTDRIVER_GUARD", "1"), ("TESTDRIVER_SHUFFLE", "1")],
        &[("TESTDRIVER_GUARD", "1"), ("TESTDRIVER_SHUFFLE", "2"), ("TESTDRIVER_API", "1.3")],
    ] {
        let device = printed(&ARRAYS.replace("DEVICE", "level_zero:gpu:0"), settings).expect("not skipped before");
        let differing: Vec<_> = native.lines().zip(device.lines()).filter(|(left, right)| left != right).collect();
        assert!(differing.is_empty(), "{settings:?}: native, level_zero: {differing:#?}");
        assert_eq!(native.lines().count(), device.lines().count());
    }
}

const FAILING: &str = r#"
import dpnp
kept = dpnp.ones(8, device="native:cpu:0")

def work():
    a = dpnp.arange(1000, dtype="float64", device="level_zero:gpu:0")
    return float((a * 2 + 1).sum())

for attempt in range(4):
    try:
        print(work())
    except Exception as error:
        print(type(error).__name__, error)
print(kept.sum())
"#;

#[test]
fn a_failure_is_an_error_of_its_cell_and_the_next_works() {
    let faults = [
        ("zeModuleCreate:1:MODULE_BUILD_FAILURE", "did not build the program"),
        ("zeKernelCreate:1:INVALID_KERNEL_NAME", "to zeKernelCreate"),
        ("zeCommandListAppendLaunchKernel:1:UNKNOWN", "to zeCommandListAppendLaunchKernel"),
    ];
    for (fault, told) in faults {
        let Some(said) = printed(FAILING, &[("TESTDRIVER_FAIL", fault)]) else { return };
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(lines.len(), 5, "{fault}: {said}");
        assert!(said.contains(told) && said.contains("level_zero:gpu:0"), "{fault}: {said}");
        assert_eq!(&lines[2..], ["1000000.0", "1000000.0", "8."], "{fault}: {said}");
    }
}

#[test]
fn a_lost_device_leaves_the_session_and_its_other_arrays() {
    let Some(said) = printed(FAILING, &[("TESTDRIVER_FAIL", "execute:2:DEVICE_LOST")]) else { return };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.last(), Some(&"8."), "{said}");
    assert!(lines[..4].iter().all(|line| line.contains("device level_zero:gpu:0 is lost")), "{said}");
}

#[test]
fn a_full_device_says_what_was_asked_and_what_is_there() {
    let script = r#"
import dpnp
small = dpnp.ones(1000, device="level_zero:gpu:0")
try:
    dpnp.zeros(100_000_000, device="level_zero:gpu:0")
except MemoryError as error:
    print(type(error).__name__, error)
print(small.sum())
"#;
    let Some(said) = printed(script, &[("TESTDRIVER_CAPACITY", "67108864")]) else { return };
    assert!(said.starts_with("USMAllocationError") && said.contains("763 MiB asked for"), "{said}");
    assert!(said.contains("on level_zero:gpu:0") && said.ends_with("1000.\n"), "{said}");
}

#[test]
fn devices_show_what_is_free_and_what_cannot_be_used() {
    let cells = "x = dpnp.ones(1_000_000, device='level_zero:gpu:0')\n%devices\n";
    let Some(output) = cellhold(&["repl"], cells, &[]) else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("level_zero:gpu:0") && said.contains("(sysman)"), "{said}");
    let output = cellhold(&["repl"], "%devices\n", &[("TESTDRIVER_TYPE", "npu")]).expect("not skipped before");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("SPIR-V") && output.stderr.is_empty(), "{said}");
}

#[test]
fn without_a_driver_the_reason_and_the_remedy_are_shown_and_nothing_else() {
    let settings = [("ZE_ENABLE_ALT_DRIVERS", "/nonexistent/libdriver.so")];
    let Some(output) = cellhold(&["repl"], "dpnp.ones(3).sum()\n%devices\n", &settings) else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("no usable driver") && said.contains("/dev/dri"), "{said}");
}
