//! The backend on Intel's runtime for processors, each test in a process of its own: a runtime is configured by variables
//! that count from its first use, and ends the process when it is given what it should never see.

use super::device::OpenClDevice;
use super::loader::{self, Api, Handle};
use super::{Backend, OpenClBackend};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::backend::{
    Argument, BackendKind, Device, Keep, Launch, ProgramText, QueueProperties, Step, UsmKind, Work,
};
use crate::arrays::error::{ErrorKind, Shortage};
use crate::arrays::spirv::sample::scale;
use crate::arrays::{DType, DeviceHandle, Event, QueueHandle, ledger, pool, registry};
use smallvec::smallvec;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// Tells a test that it is the child.
const MARK: &str = "CELLHOLD_TEST_CHILD";

/// Runs the body of the test in a child with these variables; skips aloud where there is no runtime to run it on.
pub(in crate::arrays) fn in_child(test: &str, variables: &[(&str, &Path)], body: impl FnOnce()) {
    let test = if test.contains("::") { test.to_owned() } else { format!("arrays::opencl::tests::{test}") };
    if std::env::var(MARK).is_ok_and(|mark| mark == test) {
        return body();
    }
    let Some(runtime) = runtime() else {
        return testdriver::harness::skip(
            "there is no libOpenCL.so.1 (Debian: ocl-icd-libopencl1), or no libintelocl.so under target/venv \
             (`cargo xtask test` installs it)",
        );
    };
    let mut command = Command::new(std::env::current_exe().expect("a test binary has a path"));
    command.args(["--exact", &test, "--nocapture", "--test-threads=1"]);
    command.env(MARK, &test).env("OCL_ICD_VENDORS", runtime).env("CELLHOLD_PROGRAM_CACHE", "off");
    command.envs(variables.iter().copied());
    let output = command.output().expect("a child starts");
    assert!(output.status.success(), "the child failed ({}):\n{}", output.status, said(&output));
    assert!(said(&output).contains("1 passed"), "{test} is no test of this binary:\n{}", said(&output));
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Intel's runtime for processors, where the loader is there too: named by `OCL_ICD_VENDORS`, or where xtask puts it.
fn runtime() -> Option<PathBuf> {
    loader::library_is_there().then_some(())?;
    let named = std::env::var_os("OCL_ICD_VENDORS").map(PathBuf::from);
    let binary = std::env::current_exe().expect("a test binary has a path");
    let made = binary.ancestors().map(|folder| folder.join("venv/lib/libintelocl.so")).find(|file| file.exists());
    named.filter(|file| file.ends_with("libintelocl.so") && file.exists()).or(made)
}

/// Intel's processor device, as a session finds it.
fn device() -> DeviceHandle {
    registry::look_for(&[BackendKind::OpenCl], "not asked");
    registry::select("opencl:cpu:0").unwrap_or_else(|error| panic!("{error}; {:?}", registry::absent()))
}

fn on(device: &DeviceHandle) -> (QueueHandle, Alloc) {
    let queue = registry::cached_queue(device).expect("a queue opens");
    (queue.clone(), Alloc::queue(queue, UsmKind::Device))
}

fn launch(program: &Arc<ProgramText>, array: &Array, factor: f64) -> Work {
    let address = array.device_address().expect("live");
    Work::Launch(Launch {
        program: program.clone(),
        arguments: smallvec![Argument::Pointer(address), Argument::scalar(&factor.to_le_bytes())],
        groups: [array.len_elements() as u32 / 4, 1, 1],
        local: [4, 1, 1],
    })
}

#[test]
fn facts_are_the_drivers_and_nothing_is_made_up() {
    in_child("facts_are_the_drivers_and_nothing_is_made_up", &[], || {
        let cpu = device();
        let info = cpu.info();
        assert!(info.name.contains("Intel") || info.name.contains("AMD"), "{info:?}");
        assert!(info.fp64 && info.integrated && info.silicon.host_processor, "{info:?}");
        assert!(info.driver.contains("OpenCL"), "{info:?}");
        let limits = cpu.runs_programs().expect("it runs programs");
        assert!(limits.max_group >= 256 && limits.local_bytes >= 16 << 10 && limits.spirv >= (1, 0), "{limits:?}");
        assert_eq!(cpu.filter_string(), "opencl:cpu:0");
        assert!(UsmKind::ALL.into_iter().all(|usm| cpu.host_access(usm)));
        // This host's memory, so its free figure is known.
        assert!(cpu.device().memory().free.bytes().is_some());
        // The default is no processor behind a driver, and `cpu` is this processor itself.
        assert_eq!(registry::default_device().ledger_name(), "native:cpu:0");
        assert_eq!(registry::select("cpu").expect("there").ledger_name(), "native:cpu:0");
        assert!(info.silicon.is_same(&registry::select("cpu").expect("there").info().silicon));
    });
}

#[test]
fn memory_is_counted_and_too_much_is_refused() {
    in_child("memory_is_counted_and_too_much_is_refused", &[], || {
        let cpu = device();
        let (queue, _) = on(&cpu);
        for usm in UsmKind::ALL {
            let array = Array::zeros(&[1 << 20], DType::Float64, &Alloc::queue(queue.clone(), usm)).expect("8 MiB");
            assert!(cpu.device().bytes_mapped(usm) >= 8 << 20);
            assert!(array.with_slice(|x: &[f64]| x.iter().all(|&x| x == 0.0)).expect("readable"));
            ledger::assert_balanced();
        }
        let single = cpu.info().max_single.bytes().expect("the driver says") as usize;
        let error = Array::zeros(&[single + 1], DType::UInt8, &Alloc::queue(queue, UsmKind::Device)).expect_err("more");
        assert_eq!(error.out_of_memory().expect("out of memory").shortage, Shortage::SingleAllocation);
        registry::finish_all().expect("all is well");
        pool::trim(&cpu);
        ledger::assert_empty();
        assert!(UsmKind::ALL.into_iter().all(|usm| cpu.device().bytes_mapped(usm) == 0));
    });
}

#[test]
fn programs_copies_and_fills_run_in_order_and_are_timed() {
    in_child("programs_copies_and_fills_run_in_order_and_are_timed", &[], || {
        let cpu = device();
        let context = registry::default_context(&cpu);
        let profiling = crate::arrays::backend::QueueProperties { in_order: true, profiling: true };
        let queue = QueueHandle::open(&context, profiling).expect("opens");
        let alloc = Alloc::queue(queue.clone(), UsmKind::Device);
        let program = scale(None);
        cpu.device().prepare(&program).expect("builds");
        let x = Array::from_slice(&(0..1024).map(f64::from).collect::<Vec<_>>(), &[1024], &alloc).expect("small");
        let y = Array::for_overwrite(&[1024], DType::Float64, &alloc).expect("small");
        let (xb, yb) = (x.buffer(), y.buffer());
        let one = smallvec::SmallVec::from_slice(&1.0f64.to_le_bytes());
        let fill = Work::Fill { to: y.device_address().expect("live"), bytes: 8192, pattern: one };
        queue.submit_work("fill", &[], &[yb], fill).expect("submitted");
        let event = queue.submit_work("scale", &[xb], &[xb], launch(&program, &x, 2.0)).expect("submitted");
        let (from, to) = (x.device_address().expect("live"), y.device_address().expect("live"));
        queue.submit_work("copy", &[xb], &[yb], Work::Copy { from, to, bytes: 4096 }).expect("submitted");
        let y = y.to_vec::<f64>().expect("readable");
        assert_eq!((y[1], y[511], y[512], y[1023]), (2.0, 1022.0, 1.0, 1.0));
        event.wait().expect("well");
        let times = event.times();
        assert!(0 < times.submit_ns && times.submit_ns <= times.start_ns && times.start_ns < times.end_ns, "{times:?}");
    });
}

#[test]
fn what_the_driver_does_not_build_is_an_error_with_its_log() {
    in_child("what_the_driver_does_not_build_is_an_error_with_its_log", &[], || {
        let cpu = device();
        let (queue, alloc) = on(&cpu);
        let x = Array::from_slice(&[1.0f64; 4], &[4], &alloc).expect("small");
        let bad = scale(Some("nowhere_to_be_found"));
        queue.submit_work("scale", &[x.buffer()], &[x.buffer()], launch(&bad, &x, 2.0)).expect("submitted");
        let message = x.to_vec::<f64>().expect_err("not built").to_string();
        assert!(message.contains("opencl:cpu:0") && message.contains("nowhere_to_be_found"), "{message}");
        // A module that is cut off never reaches the driver, which would end the process.
        let mut cut = (*scale(None)).clone();
        cut.words = cut.words[..cut.words.len() - 3].into();
        cut.key = 77;
        let error = cpu.device().prepare(&Arc::new(cut)).expect_err("no module");
        assert!(error.describe("x").to_string().contains("not a valid module"));
        // What has failed does not stand in the way of what comes next.
        let z = Array::from_slice(&[1.0f64; 4], &[4], &alloc).expect("small");
        queue.submit_work("scale", &[z.buffer()], &[z.buffer()], launch(&scale(None), &z, 3.0)).expect("submitted");
        assert_eq!(z.to_vec::<f64>(), Ok(vec![3.0; 4]));
        let _ = queue.finish();
        drop((x, z));
        ledger::settle();
        ledger::assert_balanced();
    });
}

#[test]
fn a_refusal_names_the_function_and_the_code() {
    in_child("a_refusal_names_the_function_and_the_code", &[], || {
        let cpu = device();
        let (queue, alloc) = on(&cpu);
        let x = Array::from_slice(&[1.0f64; 4], &[4], &alloc).expect("small");
        let Work::Launch(mut wrong) = launch(&scale(None), &x, 2.0) else { unreachable!("a launch was made") };
        wrong.arguments.pop();
        queue.submit_work("scale", &[], &[x.buffer()], Work::Launch(wrong)).expect("submitted");
        let error = x.to_vec::<f64>().expect_err("an argument is missing");
        assert_eq!(error.kind(), ErrorKind::Runtime);
        let message = error.to_string();
        assert!(
            message.contains("clEnqueueNDRangeKernel") && message.contains("CL_INVALID_KERNEL_ARGS (-52)"),
            "{message}"
        );
        let _ = queue.finish();
    });
}

#[test]
fn compiled_programs_are_found_again_and_damaged_ones_are_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = [("XDG_CACHE_HOME", folder.path()), ("CELLHOLD_PROGRAM_CACHE", Path::new("on"))];
    let test = "compiled_programs_are_found_again_and_damaged_ones_are_made_anew";
    let scaled = || {
        let (queue, alloc) = on(&device());
        let x = Array::from_slice(&[1.5f64; 8], &[8], &alloc).expect("small");
        queue.submit_work("scale", &[x.buffer()], &[x.buffer()], launch(&scale(None), &x, 2.0)).expect("submitted");
        assert_eq!(x.to_vec::<f64>(), Ok(vec![3.0; 8]));
    };
    in_child(test, &variables, scaled);
    let programs = folder.path().join("cellhold/programs");
    if !programs.exists() {
        // Skipped, or this is the child, whose folder is the parent's business.
        return;
    }
    let entries: Vec<PathBuf> =
        std::fs::read_dir(&programs).expect("readable").map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(std::fs::metadata(&programs).expect("there").permissions().mode() & 0o777, 0o700);
    let whole = std::fs::read(&entries[0]).expect("readable");
    in_child(test, &variables, scaled);
    assert_eq!(std::fs::read(&entries[0]).expect("readable"), whole);
    for damaged in [&whole[..whole.len() / 2], &[]] {
        std::fs::write(&entries[0], damaged).expect("writable");
        in_child(test, &variables, scaled);
        assert_eq!(std::fs::read(&entries[0]).expect("made anew").len(), whole.len());
    }
}

#[test]
fn a_broken_vendor_file_is_a_reason_and_not_a_noise() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("broken.icd"), "/nowhere/libnothing.so\n").expect("writable");
    std::fs::write(folder.path().join("garbage.icd"), [0xff, 0, 0xfe]).expect("writable");
    let test = "a_broken_vendor_file_is_a_reason_and_not_a_noise";
    let vendors = folder.path().join("");
    in_child(test, &[("OCL_ICD_VENDORS", &vendors)], || {
        registry::look_for(&[BackendKind::OpenCl], "not asked");
        assert!(registry::select("opencl:cpu:0").is_err());
        let absent = registry::absent();
        let reason = &absent.iter().find(|absent| absent.backend == BackendKind::OpenCl).expect("a reason").reason;
        assert!(reason.contains("no OpenCL platform is installed: install"), "{reason}");
    });
}

#[test]
fn a_platform_without_spirv_is_listed_with_the_reason() {
    let test = "a_platform_without_spirv_is_listed_with_the_reason";
    in_child(test, &[("OCL_ICD_VENDORS", &testdriver::harness::driver_file())], || {
        registry::look_for(&[BackendKind::OpenCl], "not asked");
        assert!(registry::select("opencl:cpu:0").is_err());
        let unusable = OpenClBackend::discover().unusable();
        assert_eq!(unusable.len(), 1, "{unusable:?}");
        assert!(unusable[0].name.contains("pthread-of-tests (Platform without SPIR-V, OpenCL 3.0"), "{unusable:?}");
        assert!(unusable[0].reason.contains("does not take SPIR-V"), "{unusable:?}");
        let reasons: Vec<Box<str>> = registry::absent().into_iter().map(|absent| absent.reason).collect();
        assert!(reasons.iter().any(|reason| reason.contains("Intel's runtimes have")), "{reasons:?}");
    });
}

#[test]
fn a_driver_that_never_answers_is_absent_after_a_while() {
    let test = "a_driver_that_never_answers_is_absent_after_a_while";
    let driver = testdriver::harness::driver_file();
    in_child(test, &[("OCL_ICD_VENDORS", &driver), ("TESTDRIVER_PLATFORM", Path::new("silent"))], || {
        registry::look_for(&[BackendKind::OpenCl], "not asked");
        let start = Instant::now();
        registry::begin_discovery();
        assert_eq!(registry::devices_so_far().len(), 1, "the processor is there at once");
        assert!(start.elapsed() < Duration::from_secs(5), "nobody waits who does not ask");
        assert!(registry::select("opencl:cpu:0").is_err());
        assert!(start.elapsed() >= Duration::from_secs(19));
        let reasons: Vec<Box<str>> = registry::absent().into_iter().map(|absent| absent.reason).collect();
        assert!(reasons.iter().any(|reason| reason.contains("did not answer within 20 seconds")), "{reasons:?}");
    });
}

/// What the driver answers instead of doing as it is told; zero lets it do so.
static ENQUEUED: AtomicI32 = AtomicI32::new(0);
static EXECUTED: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn enqueue_kernel(
    queue: Handle,
    kernel: Handle,
    rank: u32,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: u32,
    events: *const Handle,
    event: *mut Handle,
) -> i32 {
    match ENQUEUED.load(Ordering::Relaxed) {
        0 => {
            let api = loader::api().expect("loaded");
            // SAFETY: passed on to the caller.
            unsafe { (api.enqueue_kernel)(queue, kernel, rank, offset, global, local, count, events, event) }
        }
        code => code,
    }
}

unsafe extern "C" fn event_info(
    event: Handle,
    what: u32,
    room: usize,
    buffer: *mut std::ffi::c_void,
    length: *mut usize,
) -> i32 {
    let api = loader::api().expect("loaded");
    // SAFETY: passed on to the caller.
    let code = unsafe { (api.get_event_info)(event, what, room, buffer, length) };
    let status = EXECUTED.load(Ordering::Relaxed);
    if status != 0 && room >= 4 {
        // SAFETY: the caller has room for a status.
        unsafe { buffer.cast::<i32>().write(status) };
    }
    code
}

/// Intel's device behind a driver that fails on demand.
fn failing() -> OpenClDevice {
    let backend = OpenClBackend::discover();
    let mut origin = backend.found.as_ref().expect("there").first().expect("one").clone();
    origin.api = Box::leak(Box::new(Api { enqueue_kernel, get_event_info: event_info, ..*origin.api }));
    OpenClDevice::open(&origin, "opencl:cpu:0").expect("opens")
}

/// Scales a number by two on a device.
fn doubled(device: &OpenClDevice) -> Result<f64, crate::arrays::ArrayError> {
    let describe = |error: crate::arrays::backend::BackendError| error.describe("opencl:cpu:0");
    let queue = device.open_queue(QueueProperties::default()).map_err(describe)?;
    let block = device.allocate(UsmKind::Device, 32).map_err(describe)?;
    let submit = |work: Work, inputs: &[Event]| {
        let step = Step { label: "test", holds: Box::default(), keep: Keep::new(), inputs: inputs.into(), work };
        queue.submit(step, inputs)
    };
    let numbers = [1.5f64; 4];
    let mut back = [0.0f64; 4];
    let (from, to) = (numbers.as_ptr().expose_provenance(), back.as_mut_ptr().expose_provenance());
    let at = block.address();
    let scaled = Launch {
        program: scale(None),
        arguments: smallvec![Argument::Pointer(at), Argument::scalar(&2.0f64.to_le_bytes())],
        groups: [1, 1, 1],
        local: [4, 1, 1],
    };
    let written = submit(Work::Copy { from, to: at, bytes: 32 }, &[]);
    let scaled = submit(Work::Launch(scaled), &[written]);
    let outcome = submit(Work::Copy { from: at, to, bytes: 32 }, &[scaled]).wait();
    device.release(UsmKind::Device, block);
    outcome.map(|()| back[3])
}

#[test]
fn a_lost_device_stays_lost_and_others_go_on() {
    in_child("a_lost_device_stays_lost_and_others_go_on", &[], || {
        type Fault = (&'static AtomicI32, i32, &'static str);
        let faults: [Fault; 2] = [
            (&ENQUEUED, loader::DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE (-2)"),
            (&EXECUTED, loader::OUT_OF_RESOURCES, "failed on the device with CL_OUT_OF_RESOURCES (-5)"),
        ];
        for (fault, code, told) in faults {
            let device = failing();
            assert_eq!(doubled(&device), Ok(3.0));
            fault.store(code, Ordering::Relaxed);
            let error = doubled(&device).expect_err("lost");
            assert_eq!(error.kind(), ErrorKind::DeviceLost);
            assert!(error.to_string().contains(told), "{error}");
            fault.store(0, Ordering::Relaxed);
            assert!(device.status().is_err(), "the loss is final even when the driver recovers");
            assert_eq!(doubled(&device).expect_err("still lost").kind(), ErrorKind::DeviceLost);
            assert!(device.open_queue(QueueProperties::default()).is_err());
            // The session goes on: another device, and the arrays of the embedded one.
            assert_eq!(doubled(&failing()), Ok(3.0));
        }
        // A refusal that says nothing of the device is an error of its step.
        let device = failing();
        ENQUEUED.store(loader::OUT_OF_RESOURCES, Ordering::Relaxed);
        let error = doubled(&device).expect_err("refused");
        assert!(error.to_string().contains("CL_OUT_OF_RESOURCES (-5) to clEnqueueNDRangeKernel"), "{error}");
        ENQUEUED.store(0, Ordering::Relaxed);
        assert_eq!(doubled(&device), Ok(3.0));
    });
}

#[test]
fn a_process_may_end_while_work_is_queued() {
    in_child("a_process_may_end_while_work_is_queued", &[], || {
        let (queue, alloc) = on(&device());
        let x = Array::from_slice(&vec![1.0f64; 1 << 22], &[1 << 22], &alloc).expect("32 MiB");
        for _ in 0..20 {
            queue.submit_work("scale", &[x.buffer()], &[x.buffer()], launch(&scale(None), &x, 1.5)).expect("submitted");
        }
        assert!(!queue.pending().is_empty(), "nothing is waited for");
    });
}
