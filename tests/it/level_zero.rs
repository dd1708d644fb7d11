//! Programs on a Level Zero device, from the outside: the binary runs a script under the real loader, on the test driver, and says
//! what it says on the embedded processor.

use crate::devices::{ARRAYS, PIECES, assert_pieces_are_the_whole};
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

#[test]
fn a_file_larger_than_the_device_is_computed_in_pieces_on_level_zero() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.npy");
    let cells = PIECES.replace("FILE", &file.display().to_string()).replace("DEVICE", "level_zero:gpu:0");
    let settings = [("TESTDRIVER_CAPACITY", "67108864"), ("TESTDRIVER_GUARD", "1"), ("TESTDRIVER_SHUFFLE", "3")];
    let Some(output) = cellhold(&["repl"], &cells.replace("CHUNK", "auto"), &settings) else { return };
    assert_pieces_are_the_whole(&output);
}

const PARTS: &str = r#"
import dpctl, dpnp
print([d.filter_string for d in dpctl.get_devices() if d.backend == dpctl.backend_type.level_zero])
device = dpctl.SyclDevice("level_zero:gpu:0")
try:
    parts = device.create_sub_devices(partition="numa")
except dpctl.SyclSubDeviceCreationError as error:
    print(error)
else:
    print(len(parts), parts[0].parent_device == device, parts[1].get_unpartitioned_parent_device() == device)
    print([part.global_mem_size for part in parts], device.parent_device)
    print(parts == device.create_sub_devices(partition="numa"), len(dpctl.get_devices()))
    queues = [dpctl.SyclQueue(part) for part in parts]
    here, there = (dpnp.arange(10, dtype="float64", sycl_queue=queue) for queue in queues)
    print((here * 2).sum(), (there + 1).sum(), here.sycl_device == parts[0])
    for attempt in (lambda: here + there, lambda: dpnp.ones(3, device=parts[0]), lambda: parts[0].filter_string,
                    lambda: device.create_sub_devices(partition="foo"), lambda: device.create_sub_devices(partition=4)):
        try:
            print(attempt())
        except Exception as error:
            print(type(error).__name__)
    moved = there.to_device(queues[0])
    print((here + moved)[-1], moved.sycl_device == parts[0])
"#;

#[test]
fn parts_of_a_device_are_devices_with_queues_of_their_own() {
    let part = 4_u64 << 30;
    let Some(said) = printed(PARTS, &[("TESTDRIVER_SUBDEVICES", "2"), ("TESTDRIVER_GUARD", "1")]) else { return };
    assert_eq!(
        said,
        format!(
            "['level_zero:gpu:0']\n2 True True\n[{part}, {part}] None\nTrue 2\n90. 55. True\nExecutionPlacementError\n\
             ValueError\nValueError\nValueError\nSyclSubDeviceCreationError\n18. True\n"
        )
    );
    let said = printed(PARTS, &[]).expect("not skipped before");
    assert_eq!(said, "['level_zero:gpu:0']\nSub-devices were not created.\n");
}

#[test]
fn the_hierarchy_and_the_mask_decide_what_is_listed() {
    let listed = "import dpctl\nprint([d.filter_string for d in dpctl.get_devices() if d.is_gpu])\n\
                  d = dpctl.SyclDevice('level_zero:gpu')\n\
                  try:\n    print(len(d.create_sub_devices(partition='next_partitionable')))\n\
                  except dpctl.SyclSubDeviceCreationError:\n    print('whole')\n";
    let two = [("TESTDRIVER_DEVICES", "2"), ("TESTDRIVER_SUBDEVICES", "2")];
    let with = |more: &[(&str, &str)]| printed(listed, &[&two[..], more].concat());
    let Some(said) = with(&[]) else { return };
    assert_eq!(said, "['level_zero:gpu:0', 'level_zero:gpu:1']\n2\n");
    for (settings, expected) in [
        (&[("ZE_AFFINITY_MASK", "1")][..], "['level_zero:gpu:0']\n2\n"),
        (&[("ZE_AFFINITY_MASK", "1.0")], "['level_zero:gpu:0']\n1\n"),
        (
            &[("ZE_FLAT_DEVICE_HIERARCHY", "FLAT"), ("ZE_AFFINITY_MASK", "0,2,3")],
            "['level_zero:gpu:0', 'level_zero:gpu:1', 'level_zero:gpu:2']\nwhole\n",
        ),
        (
            &[("ZE_FLAT_DEVICE_HIERARCHY", "COMBINED"), ("ZE_AFFINITY_MASK", "1,3")],
            "['level_zero:gpu:0', 'level_zero:gpu:1']\nwhole\n",
        ),
    ] {
        assert_eq!(with(settings).as_deref(), Some(expected), "{settings:?}");
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
    let output = cellhold(
        &["repl"],
        "x = dpnp.arange(9., device='level_zero:gpu:0')\ny = x.to_device('native:cpu:0')\n%devices\n%mem\n%mem --json\n",
        &[],
    );
    let said = String::from_utf8_lossy(&output.expect("not skipped before").stdout).into_owned();
    assert!(said.contains("runtime 2.00 MiB for copies"), "{said}");
    assert!(said.contains("for copies 2.00 MiB"), "{said}");
    assert!(said.contains("\"copies\": 2097152") || said.contains("\"copies\":2097152"), "{said}");
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
