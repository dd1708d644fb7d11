//! The virtual environment of the Python side: made once under `target/`, remade when its pinned list changes.

use crate::steps::{root, say, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pinned packages: the Jupyter clients that drive the kernel, and the libraries whose answers ours are compared with.
const REQUIREMENTS: &str = "tests/notebook/requirements.txt";

/// How pytest is called.
const PYTEST: [&str; 6] = ["-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"];

/// A ready virtual environment.
pub struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Runs the Python tests against the release binary.
    pub fn pytest(&self) -> Command {
        let mut command = self.python();
        command.args(PYTEST).args(["tests/notebook", "--ignore-glob=*/test_rust_*"]);
        command
    }

    /// Runs the Python tests of Rust cells, which need the helper.
    pub fn pytest_of_cells(&self) -> Command {
        let mut command = self.python();
        command
            .args(PYTEST)
            .args(["cells", "ends", "notebooks", "lesson"].map(|part| format!("tests/notebook/test_rust_{part}.py")));
        // A cell is compiled in seconds, on a busy machine in many.
        command.env("CELLHOLD_PATIENCE", "300").env("CELLHOLD_RUST", target().join("release/cellhold-rust"));
        command
    }

    /// Runs one script against the release binary.
    pub fn script(&self, path: &str) -> Command {
        let mut command = self.python();
        command.arg(path);
        command
    }

    /// Tells a command where this Python is (`CELLHOLD_PYTHON`), so that its tests can ask CPython, NumPy and dpnp.
    pub fn offer(&self, command: &mut Command) {
        command.env("CELLHOLD_PYTHON", self.interpreter()).env("PYTHONDONTWRITEBYTECODE", "1");
        if let Some(runtime) = self.opencl_runtime() {
            // Intel's CPU runtime, which pip puts where no system file points to: for the loader in the environment, and for
            // Debian's.
            command.env("OCL_ICD_FILENAMES", &runtime).env("OCL_ICD_VENDORS", &runtime);
        }
    }

    /// Tells a command where Intel's OpenCL CPU runtime is: Debian's loader, and the Level Zero driver for tests, which
    /// computes on it.
    pub fn offer_devices(&self, command: &mut Command) {
        if let Some(runtime) = self.opencl_runtime() {
            command.env("OCL_ICD_VENDORS", &runtime).env("TESTDRIVER_OPENCL", runtime);
        }
    }

    fn opencl_runtime(&self) -> Option<PathBuf> {
        let runtime = self.folder.join("lib/libintelocl.so");
        runtime.exists().then_some(runtime)
    }

    fn python(&self) -> Command {
        let mut command = Command::new(self.interpreter());
        command.current_dir(root()).env("CELLHOLD_BIN", target().join("release/cellhold"));
        command.env("PYDEVD_DISABLE_FILE_VALIDATION", "1");
        self.offer(&mut command);
        command
    }

    fn interpreter(&self) -> PathBuf {
        self.folder.join("bin/python")
    }
}

/// A CPython with `venv`: 3.11 where there is one, since it is the reference, else what `python3` is.
fn interpreter() -> Result<PathBuf, String> {
    let mut reasons = Vec::new();
    for name in ["python3.11", "python3"] {
        match Command::new(name).args(["-c", "import sys, venv, ensurepip; print(sys.executable)"]).output() {
            Ok(answer) if answer.status.success() => {
                return Ok(PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim()));
            }
            Ok(answer) => {
                let text = String::from_utf8_lossy(&answer.stderr).into_owned();
                reasons.push(format!("{name}: {}", text.lines().last().unwrap_or("failed")));
            }
            Err(error) => reasons.push(format!("{name}: {error}")),
        }
    }
    Err(format!("no Python 3 with venv ({}); on Debian: apt-get install python3-venv", reasons.join("; ")))
}

/// Makes the environment, or finds it already made from the same list.
pub fn prepare() -> Result<Environment, String> {
    let list = root().join(REQUIREMENTS);
    let wanted = std::fs::read_to_string(&list).map_err(|error| format!("{REQUIREMENTS}: {error}"))?;
    let folder = target().join("venv");
    let stamp = folder.join("requirements.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
        return Ok(Environment { folder });
    }
    let interpreter = interpreter()?;
    say(&format!("\n== python environment: {}", folder.display()));
    step(Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(&folder), "python -m venv")?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "5", "-r"];
    step(Command::new(folder.join("bin/python")).args(pip).arg(&list), "pip install")?;
    write_stamp(&stamp, &wanted)?;
    Ok(Environment { folder })
}

fn step(command: &mut Command, name: &str) -> Result<(), String> {
    let status = command.stdin(Stdio::null()).status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed ({status})")) }
}

/// Written last, so that an interrupted installation is not taken for a whole one.
fn write_stamp(stamp: &Path, wanted: &str) -> Result<(), String> {
    std::fs::write(stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}
