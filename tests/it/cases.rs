//! Runs every `tests/it/cases/**/*.py` through `cellhold run` and compares with what the reference implementation printed.
//!
//! The reference output stands beside each case: `NAME.out` is stdout, `NAME.err` stderr of a case that fails (absent for
//! those that succeed). `tests/it/record_cases.py` writes them; nothing here needs Python.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A case that runs longer than this hangs; the slowest takes well under a second.
const WATCHDOG: Duration = Duration::from_secs(60);

fn cases_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cases")
}

fn find_cases(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the cases' folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            find_cases(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            into.push(path);
        }
    }
}

struct Outcome {
    stdout: String,
    stderr: String,
    code: Option<i32>,
}

fn run(case: &Path) -> Outcome {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cellhold"))
        .arg("run")
        .arg(case.file_name().expect("a case is a file"))
        .current_dir(case.parent().expect("a case stands in a folder"))
        .env_remove("CELLHOLD_SIM")
        .env("CELLHOLD_BACKENDS", "native")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdout = child.stdout.take().expect("stdout is piped");
    let mut stderr = child.stderr.take().expect("stderr is piped");
    let read = |stream: &mut dyn std::io::Read| {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("a pipe reads");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (stdout, stderr) = std::thread::scope(|scope| {
        let out = scope.spawn(|| read(&mut stdout));
        let err = scope.spawn(|| read(&mut stderr));
        let started = Instant::now();
        while child.try_wait().expect("the child is ours").is_none() {
            if started.elapsed() > WATCHDOG {
                child.kill().expect("the child is ours");
            }
            std::thread::yield_now();
            std::thread::park_timeout(Duration::from_millis(2));
        }
        (out.join().expect("a reader"), err.join().expect("a reader"))
    });
    Outcome { stdout, stderr, code: child.wait().expect("the child is ours").code() }
}

/// Compares one case; the answer is a readable difference.
fn check(case: &Path) -> Result<(), String> {
    let expected_out = std::fs::read_to_string(case.with_extension("out"))
        .map_err(|_| "has no recorded output; run tests/it/record_cases.py".to_owned())?;
    let expected_err = std::fs::read_to_string(case.with_extension("err")).ok();
    let outcome = run(case);
    let mut differences = Vec::new();
    if outcome.stdout != expected_out {
        differences.push(first_difference("stdout", &expected_out, &outcome.stdout));
    }
    match expected_err {
        Some(expected) if outcome.stderr != expected => {
            differences.push(first_difference("stderr", &expected, &outcome.stderr));
        }
        None if outcome.code != Some(0) => {
            differences.push(format!("status {:?} instead of 0, stderr:\n{}", outcome.code, outcome.stderr));
        }
        _ => {}
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

fn first_difference(what: &str, expected: &str, actual: &str) -> String {
    let (expected_lines, actual_lines): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let at = expected_lines.iter().zip(&actual_lines).position(|(a, b)| a != b);
    let at = at.unwrap_or(expected_lines.len().min(actual_lines.len()));
    let line = |lines: &[&str]| lines.get(at).map_or("<end>".to_owned(), |line| (*line).to_owned());
    format!("{what} line {}:\n  expected: {}\n  actual:   {}", at + 1, line(&expected_lines), line(&actual_lines))
}

#[test]
fn cases_behave_as_the_reference() {
    let mut cases = Vec::new();
    find_cases(&cases_root(), &mut cases);
    if let Ok(filter) = std::env::var("CELLHOLD_CASE") {
        cases.retain(|case| case.to_string_lossy().contains(&filter));
    }
    assert!(!cases.is_empty(), "there are case files");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(difference) = check(case) {
                        let name = case.strip_prefix(cases_root()).unwrap_or(case).display().to_string();
                        failures.lock().expect("no worker panics").push(format!("{name}: {difference}"));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no worker panics");
    failures.sort();
    assert!(failures.is_empty(), "{} of {} cases differ:\n{}", failures.len(), cases.len(), failures.join("\n\n"));
}

#[test]
fn a_program_that_cannot_be_opened_leaves_with_pythons_status() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cellhold"));
    let output = command.args(["run", "/no/such/program.py"]).output().expect("cellhold starts");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("cellhold: can't open file '/no/such/program.py': No such file"), "{said}");
}

#[test]
fn what_a_program_wants_at_its_end_is_called_when_its_pipe_ends() {
    use std::io::Write;

    for (program, shown, code) in [
        ("import atexit\n_ = atexit.register(print, 'bye')\nprint('hi')\n", "hi\nbye\n", 0),
        ("import atexit\n_ = atexit.register(print, 'bye')\nraise SystemExit(4)\n", "bye\n", 4),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cellhold"))
            .arg("repl")
            .env("CELLHOLD_BACKENDS", "native")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        child.stdin.take().expect("stdin is piped").write_all(program.as_bytes()).expect("it reads");
        let done = child.wait_with_output().expect("it ends");
        assert_eq!((&*String::from_utf8_lossy(&done.stdout), done.status.code()), (shown, Some(code)));
    }
}
