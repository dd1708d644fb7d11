//! Programs on Intel's OpenCL runtime for processors, from the outside: the binary runs a script, on that device and on the
//! embedded one, and says the same.
//!
//! The runtime is where `cargo xtask test` installs it, or what `OCL_ICD_VENDORS` names. Without it the tests are skipped
//! aloud, and fail where `CELLHOLD_REQUIRE=all` asks for everything.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Intel's runtime for processors, or why it cannot be used.
fn runtime() -> Result<PathBuf, String> {
    let loader = ["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"];
    if !loader.iter().any(|folder| Path::new(folder).join("libOpenCL.so.1").exists()) {
        return Err("there is no libOpenCL.so.1 (Debian: ocl-icd-libopencl1)".to_owned());
    }
    let named = std::env::var_os("OCL_ICD_VENDORS").map(PathBuf::from);
    if let Some(named) = named.filter(|file| file.ends_with("libintelocl.so") && file.exists()) {
        return Ok(named);
    }
    let made = Path::new(env!("CARGO_BIN_EXE_cellhold"))
        .ancestors()
        .map(|folder| folder.join("venv/lib/libintelocl.so"))
        .find(|file| file.exists());
    made.ok_or_else(|| "there is no libintelocl.so under target/venv (`cargo xtask test` installs it)".to_owned())
}

/// The runtime; nothing when the test is skipped, which is said.
fn runtime_or_skip() -> Option<PathBuf> {
    match runtime() {
        Ok(runtime) => Some(runtime),
        Err(reason) => {
            testdriver::harness::skip(&reason);
            None
        }
    }
}

fn cellhold(arguments: &[&str], input: &str, variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cellhold"));
    command.args(arguments).env_remove("CELLHOLD_SIM").env("CELLHOLD_PROGRAM_CACHE", "off");
    command.envs(variables.iter().copied());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("stdin is piped").write_all(input.as_bytes()).expect("the program reads");
    child.wait_with_output().expect("the binary ends")
}

/// Runs a script on one device; its output, once it succeeded without a word on stderr.
fn run(runtime: &Path, device: &str, script: &str) -> String {
    let script = script.replace("DEVICE", device);
    let variables = [("OCL_ICD_VENDORS", runtime), ("CELLHOLD_BACKENDS", Path::new("opencl"))];
    let output = cellhold(&["run", "-"], &script, &variables);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stderr.is_empty(), "on {device}: {}\n{stdout}\n{stderr}", output.status);
    stdout.into_owned()
}

/// What dpnp notebooks do with arrays, each line printed.
pub const ARRAYS: &str = r#"
import dpnp
import numpy as np

a = dpnp.array([[1.5, -2.0, 3.25], [4.0, 5.5, -6.0]], device="DEVICE")
b = dpnp.arange(6, dtype="float64", device="DEVICE").reshape(2, 3)
print(a + b * 2, (a > b).any(), a.dtype, a.shape)
print(dpnp.sin(a) * dpnp.exp(-dpnp.square(b)))
print(a[1, ::-1], a.T[1], a[:, 1:] - b[:, :2])
print(a.sum(), a.mean(axis=0), a.max(axis=1), dpnp.argmin(a), dpnp.cumsum(b, axis=1))
out = dpnp.empty_like(a)
result = dpnp.add(a, b, out=out)
print(result is out, out)
a[0] = 7
a[1, 1:] += b[1, 1:]
print(a)
print(a @ b.T)
print(dpnp.sort(a, axis=None), dpnp.where(a > 5, a, -1), dpnp.concatenate([a, b], axis=1).shape)
print(a[a > 5], dpnp.nonzero(a > 5)[0], dpnp.unique(dpnp.floor(a)))
v = dpnp.arange(6, dtype="float64", device="DEVICE")
v[dpnp.array([0, 2, 0], device="DEVICE")] = dpnp.array([10.0, 20.0, 30.0], device="DEVICE")
v.put(dpnp.array([1, -1], device="DEVICE"), dpnp.array([5.0], device="DEVICE"))
print(v, dpnp.take(v, dpnp.array([7, -2], device="DEVICE"), mode="wrap"), dpnp.argwhere(v > 4).T, dpnp.count_nonzero(v))
order = dpnp.argsort(a, axis=1)
print(dpnp.take_along_axis(a, order, axis=1), dpnp.choose(dpnp.array([1, 0, 1], device="DEVICE"), [v[:3], v[3:]]))
print(dpnp.linalg.det(a[:, :2]), dpnp.linspace(0, 1, 5, device="DEVICE"))
c = dpnp.array([1 + 2j, 3 - 4j], device="DEVICE")
print(c * c.conj(), dpnp.abs(c), c.real, c.imag)
print(dpnp.array([True, False, True], device="DEVICE") & True, dpnp.ones(4, dtype="int8", device="DEVICE") << 3)
print(dpnp.asnumpy(a), a.item(1), float(a[0, 0]), a.tolist()[1])
for usm in ("device", "shared", "host"):
    print(dpnp.full(3, 2.5, usm_type=usm, device="DEVICE").usm_type, (dpnp.ones(2, usm_type=usm, device="DEVICE") * 2))
native = a.to_device("native:cpu:0")
back = native.to_device("DEVICE")
print(native.sycl_device.filter_string, bool((back == a).all()), back.sycl_device.filter_string == a.sycl_device.filter_string)
print(dpnp.random.default_rng if hasattr(dpnp.random, "default_rng") else None)
large = dpnp.arange(300_000, dtype="float32", device="DEVICE")
print(abs(float(large[::3].sum()) / 14999850000 - 1) < 1e-6, float(dpnp.sqrt(large)[-1]), int(large.argmax()))
"#;

#[test]
fn arrays_are_the_same_on_intels_runtime_as_on_the_embedded_processor() {
    let Some(runtime) = runtime_or_skip() else { return };
    let native = run(&runtime, "native:cpu:0", ARRAYS);
    let opencl = run(&runtime, "opencl:cpu:0", ARRAYS);
    assert!(native.lines().count() > 25, "{native}");
    let differing: Vec<_> = native.lines().zip(opencl.lines()).filter(|(left, right)| left != right).collect();
    assert!(differing.is_empty() && native.lines().count() == opencl.lines().count(), "native, opencl: {differing:#?}");
}

#[test]
fn devices_are_found_chosen_and_refused_as_in_dpctl() {
    let Some(runtime) = runtime_or_skip() else { return };
    let script = r#"
import dpctl, dpnp
device = dpctl.SyclDevice("opencl:cpu")
print(device.filter_string, device.is_cpu, device.is_gpu, device.has_aspect_fp64, device.global_mem_size > 1 << 28)
print(dpctl.SyclDevice("cpu").filter_string, dpctl.SyclDevice().filter_string)
print([d.filter_string for d in dpctl.get_devices()])
print(dpnp.zeros(2).sycl_device.filter_string)
queue = dpctl.SyclQueue("opencl:cpu:0", property="enable_profiling")
x = dpnp.ones(1000, sycl_queue=queue)
event = queue.submit_barrier()
event.wait()
print(x.sum(), event.profiling_info_submit > 0)
try:
    x + dpnp.ones(1000, device="native:cpu:0")
except Exception as error:
    print(type(error).__name__)
try:
    dpctl.SyclDevice("opencl:gpu:7")
except Exception as error:
    print(type(error).__name__, error)
try:
    dpnp.zeros(device.global_mem_size, dtype="float64", sycl_queue=queue)
except MemoryError as error:
    print(type(error).__name__, "opencl:cpu:0" in str(error))
print(x.sum())
"#;
    let said = run(&runtime, "opencl:cpu:0", script);
    assert_eq!(
        said,
        "opencl:cpu:0 True False True True\n\
         native:cpu:0 native:cpu:0\n\
         ['opencl:cpu:0', 'native:cpu:0']\n\
         native:cpu:0\n\
         1000. True\n\
         ExecutionPlacementError\n\
         SyclDeviceCreationError Could not create a SyclDevice with the selector string 'opencl:gpu:7'\n\
         USMAllocationError True\n\
         1000.\n"
    );
}

/// Cells that compute over a file in pieces; `CHUNK` is what `%chunk` is told.
pub const PIECES: &str = r#"import numpy, dpnp
whole = numpy.sin(numpy.arange(10 * 2**20, dtype='f8')).reshape(-1, 1024)
numpy.save('FILE', whole)
%chunk CHUNK
x = dpnp.load('FILE', mmap_mode='r', device='DEVICE')
print('total', abs(float(x.sum()) - float(whole.sum())) < 1e-6)
print('spread', abs(float((x * 2 - 1).std()) - float((whole * 2 - 1).std())) < 1e-12)
print('columns', bool((x.max(axis=0).asnumpy() == whole.max(axis=0)).all()))
y = x * 2
print('doubled', bool((y.asnumpy() == whole * 2).all()))
print('again', abs(float(y.sum()) - float((whole * 2).sum())) < 1e-6)
"#;

/// What [`PIECES`] printed is as if the whole had been there.
pub fn assert_pieces_are_the_whole(output: &Output) {
    let said = String::from_utf8_lossy(&output.stdout);
    for line in ["total True", "spread True", "columns True", "doubled True", "again True"] {
        assert!(said.contains(line), "no {line:?}: {said}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(said.contains("pieces"), "the pieces are told of: {said}");
}

#[test]
fn a_file_is_computed_in_pieces_on_opencl() {
    let Some(runtime) = runtime_or_skip() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("x.npy");
    let cells = PIECES.replace("FILE", &file.display().to_string()).replace("DEVICE", "opencl:cpu:0");
    let variables = [("OCL_ICD_VENDORS", &*runtime), ("CELLHOLD_BACKENDS", Path::new("opencl"))];
    assert_pieces_are_the_whole(&cellhold(&["repl"], &cells.replace("CHUNK", "8MiB"), &variables));
}

#[test]
fn a_processor_is_cut_into_parts_as_in_dpctl() {
    let Some(runtime) = runtime_or_skip() else { return };
    let script = r#"
import dpctl, dpnp
device = dpctl.SyclDevice("opencl:cpu")
units = device.max_compute_units
parts = device.create_sub_devices(partition=1)
print(len(parts) == units, parts[0].max_compute_units, parts[0].parent_device == device)
x = dpnp.arange(100000, dtype="float64", sycl_queue=dpctl.SyclQueue(parts[0]))
print(float((x * 2).sum()), x.sycl_device == parts[0])
for partition in (0, 10 * units, "numa", "foo", None, [], [1]):
    try:
        print(len(device.create_sub_devices(partition=partition)))
    except Exception as error:
        print(type(error).__name__, error)
try:
    device.create_sub_devices(parts=1)
except TypeError as error:
    print(error)
"#;
    assert_eq!(
        run(&runtime, "opencl:cpu:0", script),
        "True 1 True\n\
         9999900000.0 True\n\
         SyclSubDeviceCreationError Sub-devices were not created, requested compute units count was zero.\n\
         SyclSubDeviceCreationError Sub-devices were not created.\n\
         SyclSubDeviceCreationError Sub-devices were not created.\n\
         ValueError Partition affinity domain foo is not understood.\n\
         TypeError Unsupported type of sub-device argument\n\
         SyclSubDeviceCreationError Sub-devices were not created.\n\
         1\n\
         create_sub_devices(partition=parition_spec) is expected.\n"
    );
}

#[test]
fn memory_on_the_device_is_shown_and_returned() {
    let Some(runtime) = runtime_or_skip() else { return };
    let cells = "\
x = dpnp.zeros((1000, 1000), device='opencl:cpu:0')
%mem x
%devices
del x
%free cached
%mem
";
    let variables = [("OCL_ICD_VENDORS", &*runtime), ("CELLHOLD_BACKENDS", Path::new("opencl"))];
    let output = cellhold(&["repl"], cells, &variables);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("opencl:cpu:0") && said.contains("same processor as native:cpu:0"), "{said}");
    assert!(said.contains("kept out by CELLHOLD_BACKENDS"), "{said}");
    assert!(said.contains("7.63 MiB") || said.contains("7.6 MiB"), "{said}");
}

#[test]
fn without_a_runtime_the_reason_and_the_remedy_are_shown_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("broken.icd"), "/nowhere/libnothing.so\n").expect("writable");
    let vendors = folder.path().join("");
    let variables = [("OCL_ICD_VENDORS", &*vendors), ("CELLHOLD_BACKENDS", Path::new("opencl"))];
    let output = cellhold(&["repl"], "dpnp.ones(3).sum()\n%devices\n", &variables);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("install"), "{said}");
    assert!(said.contains("3.0") || said.contains("3."), "{said}");
}

#[test]
fn the_doctor_says_which_devices_there_are_where_the_asked_one_is_not() {
    let command = |device: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cellhold"));
        command.arg("doctor").args(device).env("CELLHOLD_BACKENDS", "native").env_remove("CELLHOLD_SIM");
        command.output().expect("the binary runs")
    };
    for device in [&[][..], &["--device", "level_zero:gpu:3"]] {
        let answer = command(device);
        let said = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{said}");
        assert!(
            said.contains("there is no device level_zero:gpu:") && said.contains("There is native:cpu:0"),
            "{said}"
        );
        assert!(!said.contains("Traceback"), "{said}");
    }
}
