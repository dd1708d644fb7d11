//! For tests: a process of its own in which the real loader finds the test driver.
//!
//! The loader and the driver read the environment once and keep their state until the process ends, so each device that a
//! test describes needs a child. The child is the test's binary again, told to run the one test. Cargo builds the shared
//! library beside every test binary whose package has this one among its dependencies.

use level_zero_sys::{LoadError, Loader};
use std::ffi::{CString, OsString, c_char};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// Set in the child, to the name of its test.
const MARK: &str = "CELLHOLD_TEST_CHILD";

/// A test that runs in a child with settings of its own.
///
/// ```no_run
/// use testdriver::harness::Child;
///
/// // In `#[test] fn memory_runs_out()` of the module `device`:
/// Child::new("device::memory_runs_out").set("TESTDRIVER_CAPACITY", 1 << 20).run(|| {
///     // Runs in the child, where there is such a device.
/// });
/// ```
#[must_use = "nothing runs before `run`"]
pub struct Child {
    test: &'static str,
    driver: Driver,
    settings: Vec<(&'static str, String)>,
}

/// Which driver the loader finds in the child.
enum Driver {
    /// The test driver.
    Test,
    /// Intel's own, for a GPU of this product family, recording what it is asked for instead of doing it.
    Recording(&'static str),
}

impl Child {
    /// For the test of this name: its path from the root of the test binary, as `cargo test` prints it.
    pub fn new(test: &'static str) -> Child {
        Child { test, driver: Driver::Test, settings: Vec::new() }
    }

    /// As [`Child::new`], with Intel's own driver, which needs no GPU to record commands for one of this product family
    /// (`dg2`, `pvc`, `tgllp`) in a file. The child works in an empty folder that is removed afterwards. The driver takes or
    /// refuses every call as it would with the GPU, but no command is run: memory stays as it was, and waits end at once.
    pub fn recording(test: &'static str, product: &'static str) -> Child {
        Child { test, driver: Driver::Recording(product), settings: Vec::new() }
    }

    /// Sets an environment variable of the child.
    pub fn set(mut self, variable: &'static str, value: impl ToString) -> Child {
        self.settings.push((variable, value.to_string()));
        self
    }

    /// Runs the body in the child; the test fails as the child does. Lines that begin with `covered: ` are printed again here.
    ///
    /// # Panics
    /// When the child fails.
    pub fn run(self, body: impl FnOnce()) {
        if let Some(output) = self.spawn_or(body) {
            let said = said(&output);
            assert!(output.status.success(), "the child failed ({}):\n{said}", output.status);
            assert!(said.contains("1 passed"), "{} is no test of this binary:\n{said}", self.test);
            said.lines().filter(|line| line.starts_with("covered: ")).for_each(tell);
        }
    }

    /// Runs the body in the child, which must end by a segmentation fault after it printed `last`.
    ///
    /// # Panics
    /// When the child ends otherwise.
    pub fn run_into_fault(self, last: &str, body: impl FnOnce()) {
        if let Some(output) = self.spawn_or(body) {
            let said = said(&output);
            assert_eq!(output.status.signal(), Some(libc::SIGSEGV), "{}:\n{said}", output.status);
            assert!(said.contains(last), "no {last:?} before the fault:\n{said}");
        }
    }

    /// In the child runs the body, in the parent the child; `None` in the child, or when this machine cannot run it.
    fn spawn_or(&self, body: impl FnOnce()) -> Option<Output> {
        if std::env::var(MARK).is_ok_and(|test| test == self.test) {
            body();
            return None;
        }
        let environment = match &self.driver {
            Driver::Test => environment(),
            Driver::Recording(product) => recording_environment(product),
        };
        let environment = match environment {
            Ok(environment) => environment,
            Err(reason) => {
                skip(&reason);
                return None;
            }
        };
        let scratch = Scratch::new();
        let mut command = Command::new(std::env::current_exe().expect("a test binary has a path"));
        command.args(["--exact", self.test, "--nocapture", "--test-threads=1"]).env(MARK, self.test);
        if matches!(self.driver, Driver::Recording(_)) {
            command.current_dir(&scratch.folder);
        }
        for variable in ["ZES_ENABLE_SYSMAN", "ZE_ENABLE_VALIDATION_LAYER", "RUST_BACKTRACE"] {
            command.env_remove(variable);
        }
        command.envs(environment);
        command.envs(self.settings.iter().map(|(variable, value)| (variable, value)));
        Some(command.output().expect("a child starts"))
    }
}

/// Says that a test cannot run here, and why: to the test's output, which is shown for failures only, and as a line of the file
/// that `CELLHOLD_SKIPPED` names, from which `cargo xtask test` tells it.
///
/// # Panics
/// When everything is required (`CELLHOLD_REQUIRE=all`), or the file cannot be written.
pub fn skip(reason: &str) {
    let required = std::env::var("CELLHOLD_REQUIRE").is_ok_and(|value| value == "all");
    assert!(!required, "everything is required, but {reason}");
    tell(&format!("SKIPPED: {reason}"));
    if let Some(file) = std::env::var_os("CELLHOLD_SKIPPED") {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
        // One write, so that tests at the same time do not mix their lines.
        file.and_then(|mut file| file.write_all(format!("{reason}\n").as_bytes()))
            .expect("the list of skips is writable");
    }
}

#[expect(clippy::print_stdout, reason = "what was skipped or covered is for the reader of the test")]
fn tell(line: &str) {
    println!("{line}");
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The shared library that cargo built beside this test binary.
pub fn driver_file() -> PathBuf {
    std::env::current_exe().expect("a test binary has a path").with_file_name("libtestdriver.so")
}

/// A folder of the child's own, for what it writes.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new() -> Scratch {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("cellhold-test-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).expect("a new folder");
        Scratch { folder }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is a test's leftover in the folder for such, and no reason to fail.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn check_loader() -> Result<(), String> {
    // SAFETY: the library of this name is the Level Zero loader; none of its functions is called.
    match unsafe { Loader::load() } {
        Ok(_) => Ok(()),
        Err(error @ LoadError::Library(_)) => {
            Err(format!("there is no Level Zero loader ({error}); on Debian: apt-get install libze1"))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// Intel's driver, where distributions put it.
const INTEL_DRIVER_FOLDERS: &[&str] = &["/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"];

/// The build of Intel's driver 22.43, the one whose recording mode is known to work; others crash in it.
const RECORDING_BUILD: &str = "24595";

/// What a process needs in its environment so that Intel's driver records for a GPU that is not there, or what this machine
/// lacks.
pub fn recording_environment(product: &str) -> Result<Vec<(&'static str, OsString)>, String> {
    check_loader()?;
    let candidates = INTEL_DRIVER_FOLDERS.iter().map(|folder| Path::new(folder).join("libze_intel_gpu.so.1"));
    let Some(file) = candidates.filter_map(|file| file.canonicalize().ok()).next() else {
        return Err("there is no libze_intel_gpu.so.1; on Debian 12: apt-get install intel-opencl-icd".to_owned());
    };
    if !file.to_string_lossy().contains(RECORDING_BUILD) {
        return Err(format!("{} is not 22.43, whose recording mode is known to work", file.display()));
    }
    let settings = [
        ("NEOReadDebugKeys", "1"),
        ("SetCommandStreamReceiver", "1"),
        ("ProductFamilyOverride", product),
        // Without the first the driver divides by zero, without the second it refuses every kernel. Tiger Lake knows two
        // configurations only.
        ("HardwareInfoOverride", if product == "tgllp" { "1x6x16" } else { "1x4x8" }),
        ("OverrideMaxWorkgroupSize", "1024"),
    ];
    let settings = settings.into_iter().map(|(variable, value)| (variable, value.into()));
    Ok(settings.chain([("ZE_ENABLE_ALT_DRIVERS", file.into())]).collect())
}

/// What a process needs in its environment so that the loader finds the test driver, or what this machine lacks.
pub fn environment() -> Result<Vec<(&'static str, OsString)>, String> {
    check_loader()?;
    let driver = driver_file();
    if !driver.exists() {
        return Err(format!("{} was not built", driver.display()));
    }
    Ok(vec![
        ("ZE_ENABLE_ALT_DRIVERS", driver.into()),
        ("TESTDRIVER_OPENCL", opencl_runtime()?.into()),
        // What a test of compiling meets was not compiled by another.
        ("CELLHOLD_PROGRAM_CACHE", "off".into()),
    ])
}

/// Intel's OpenCL CPU runtime: where `TESTDRIVER_OPENCL` says, else where `cargo xtask` installs it.
pub fn opencl_runtime() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("TESTDRIVER_OPENCL") {
        let file = PathBuf::from(named);
        let missing = file.is_absolute() && !file.exists();
        return if missing { Err(format!("TESTDRIVER_OPENCL names no file: {}", file.display())) } else { Ok(file) };
    }
    let installed =
        driver_file().ancestors().map(|folder| folder.join("venv/lib/libintelocl.so")).find(|file| file.exists());
    installed.ok_or_else(|| {
        "there is no OpenCL CPU runtime; `cargo xtask test` installs Intel's, TESTDRIVER_OPENCL names another"
            .to_owned()
    })
}

/// The driver's counters and faults, in a process in which the loader has loaded it.
pub struct Control {
    library: libloading::Library,
}

impl Control {
    /// Of the driver that the loader has loaded in this process.
    ///
    /// # Panics
    /// When the library is not there.
    pub fn open() -> Control {
        // SAFETY: the loader has loaded this library before; the system answers the same.
        let library = unsafe { libloading::Library::new(driver_file()) }.expect("the driver's library");
        Control { library }
    }

    /// A counter, see [`cellhold_testdriver_counter`](crate::control::cellhold_testdriver_counter); -1 if there is none.
    ///
    /// # Panics
    /// When the name holds a null byte.
    pub fn counter(&self, name: &str) -> i64 {
        let name = CString::new(name).expect("a name");
        // SAFETY: the type is the function's, the name a C string.
        unsafe {
            self.function::<unsafe extern "C" fn(*const c_char) -> i64>("cellhold_testdriver_counter")(name.as_ptr())
        }
    }

    /// Puts other faults in force, lets hanging commands go on and a lost device come back.
    ///
    /// # Panics
    /// When the text makes no sense.
    pub fn inject(&self, faults: &str) {
        let text = CString::new(faults).expect("a text");
        // SAFETY: the type is the function's, the text a C string.
        let result = unsafe {
            self.function::<unsafe extern "C" fn(*const c_char) -> u32>("cellhold_testdriver_faults")(text.as_ptr())
        };
        assert_eq!(result, 0, "faults {faults:?}");
    }

    /// # Safety
    /// `F` is the type of the function of this name.
    unsafe fn function<F: Copy>(&self, name: &str) -> F {
        // SAFETY: passed on to the caller.
        *unsafe { self.library.get::<F>(name) }.expect("a function of the test driver")
    }
}
