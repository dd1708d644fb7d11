//! Running a test in a process of its own, where the real loader finds the test driver.
//!
//! The loader and the driver read the environment once and keep their state until the process ends, so each device a test
//! describes needs a child. The child is this binary again, told to run the one test.

use level_zero_sys::{LoadError, Loader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Set in the child, to the name of its test.
const MARK: &str = "CELLHOLD_TEST_CHILD";

/// A test that runs in a child with settings of its own.
pub struct Child {
    test: &'static str,
    settings: Vec<(&'static str, String)>,
}

impl Child {
    /// For the test of this name: its path from the root of the binary.
    pub fn new(test: &'static str) -> Child {
        Child { test, settings: Vec::new() }
    }

    /// Sets an environment variable of the child.
    pub fn set(mut self, variable: &'static str, value: impl ToString) -> Child {
        self.settings.push((variable, value.to_string()));
        self
    }

    /// Runs the body in the child; the test fails as the child does.
    pub fn run(self, body: impl FnOnce()) {
        if let Some(output) = self.spawn_or(body) {
            let said = said(&output);
            assert!(output.status.success(), "the child failed ({}):\n{said}", output.status);
            assert!(said.contains("1 passed"), "{} is no test of this binary:\n{said}", self.test);
        }
    }

    /// Runs the body in the child, which must end by a segmentation fault after it printed `last`.
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
        let opencl = match what_is_missing() {
            Ok(opencl) => opencl,
            Err(reason) => {
                let required = std::env::var("CELLHOLD_REQUIRE").is_ok_and(|value| value == "all");
                assert!(!required, "everything is required, but {reason}");
                println!("SKIPPED: {reason}");
                return None;
            }
        };
        let mut command = Command::new(std::env::current_exe().expect("a test binary has a path"));
        command.args(["--exact", self.test, "--nocapture", "--test-threads=1"]);
        command.env(MARK, self.test).env("ZE_ENABLE_ALT_DRIVERS", driver_file()).env("TESTDRIVER_OPENCL", opencl);
        for variable in ["ZES_ENABLE_SYSMAN", "ZE_ENABLE_VALIDATION_LAYER", "RUST_BACKTRACE"] {
            command.env_remove(variable);
        }
        command.envs(self.settings.iter().map(|(variable, value)| (variable, value)));
        Some(command.output().expect("a child starts"))
    }
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The shared library that cargo built beside this binary.
pub fn driver_file() -> PathBuf {
    let binary = std::env::current_exe().expect("a test binary has a path");
    binary.with_file_name("libtestdriver.so")
}

/// The OpenCL runtime to use, or what this machine lacks.
fn what_is_missing() -> Result<PathBuf, String> {
    // SAFETY: the library of this name is the Level Zero loader; none of its functions is called.
    match unsafe { Loader::load() } {
        Err(LoadError::Library(error)) => return Err(format!("there is no Level Zero loader ({error})")),
        Err(error) => panic!("{error}"),
        Ok(_) => {}
    }
    let Some(named) = std::env::var_os("TESTDRIVER_OPENCL") else {
        // Where `cargo xtask` puts it.
        let made = driver_file().ancestors().find_map(|folder| {
            let file = folder.join("venv/lib/libintelocl.so");
            file.exists().then_some(file)
        });
        return made.ok_or_else(|| {
            "there is no OpenCL CPU runtime (`cargo xtask test` installs Intel's; or name one by TESTDRIVER_OPENCL)"
                .to_owned()
        });
    };
    let file = PathBuf::from(named);
    let missing = file.is_absolute() && !Path::new(&file).exists();
    if missing { Err(format!("TESTDRIVER_OPENCL names no file: {}", file.display())) } else { Ok(file) }
}
