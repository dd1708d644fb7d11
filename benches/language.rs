//! How fast is the evaluator beside CPython 3.11? Scalar loops, calls, attribute access, list, dict and text work.
//!
//! Each program in `benches/language/` times its own work with `time.perf_counter()` and prints seconds. Both sides run it in turn; the
//! smallest of the runs counts. `python3.11` (or `PYTHON`) is the peer; without it the rows say so.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark prints its table")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a side; the machine is noisy and the minimum of a few is what repeats.
const RUNS: usize = 7;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/language");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the programs' folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    found.sort();
    found
}

/// Seconds that a program says its work took, nothing when it did not run.
fn seconds(command: &mut Command) -> Option<f64> {
    let output = command.output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    text.trim().lines().last()?.parse().ok()
}

fn is_python_311(python: &str) -> bool {
    Command::new(python)
        .args(["-c", "import sys; sys.exit(sys.version_info[:2] != (3, 11))"])
        .status()
        .is_ok_and(|status| status.success())
}

fn main() {
    let peer = std::env::var("PYTHON").unwrap_or_else(|_| "python3.11".to_owned());
    let peer = [peer, "python3".to_owned()].into_iter().find(|python| is_python_311(python));
    println!("{:<16} {:>12} {:>12} {:>8}", "program", "CPython 3.11", "Cellhold", "ratio");
    for program in programs() {
        let name = program.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let (mut theirs, mut ours) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..RUNS {
            if let Some(python) = &peer {
                theirs = theirs.min(seconds(Command::new(python).arg(&program)).unwrap_or(f64::INFINITY));
            }
            let mut command = Command::new(env!("CARGO_BIN_EXE_cellhold"));
            ours = ours.min(seconds(command.arg("run").arg(&program)).unwrap_or(f64::INFINITY));
        }
        let shown =
            |seconds: f64| if seconds.is_finite() { format!("{:.1} ms", seconds * 1e3) } else { "-".to_owned() };
        let ratio =
            if theirs.is_finite() && ours.is_finite() { format!("{:.2}", theirs / ours) } else { "-".to_owned() };
        println!("{name:<16} {:>12} {:>12} {ratio:>8}", shown(theirs), shown(ours));
    }
    println!("ratio above 1: Cellhold is faster");
}
