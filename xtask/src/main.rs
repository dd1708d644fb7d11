//! Developer tasks of the workspace; `cargo xtask test` is exactly what continuous integration runs.
//!
//! Each part is one subcommand (`lint`, `rust`, `python`, `bench`), so what failed can be run alone. Everything is built
//! in the release profile: one set of compiled dependencies serves clippy, docs, tests and the measured binary. This
//! crate knows commands and paths only; it must not link the package it tests.

mod python;
mod steps;

use std::process::ExitCode;
use steps::{Outcome, Require, Runner};

const USAGE: &str = "\
Usage: cargo xtask <task> [--require all] [--seed SEED]

Tasks:
  test         everything that continuous integration runs: lint, rust, acceptance in part, python, cells
  lint         formatting, clippy and documentation, warnings denied
  rust         unit, integration and documentation tests
  acceptance   Intel's graphics compiler and Level Zero driver, neither of which needs a GPU, take all programs and calls
  python       the kernel under real Jupyter clients, in a virtual environment under target/
  cells        Rust cells: their helper, built here (minutes), its own tests, and kernels and terminals that use it
  bench        the benchmarks (never part of `test`)
  liveness N   N random programs here and in IPython: what lives, who holds it, whether predictions come true; the seed
               is printed, --seed SEED runs the same ones again, failures are shrunk and kept under target/tmp

  --require all   a part that cannot run here is a failure, not a skip (also: CELLHOLD_REQUIRE=all)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Arguments { task, require, count, seed } = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(problem) => {
            steps::say(&format!("xtask: {problem}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    let mut runner = Runner::new(require);
    let result = match task.as_str() {
        "test" => lint(&mut runner)
            .and_then(|()| rust(&mut runner))
            .and_then(|()| acceptance(&mut runner, Extent::Part))
            .and_then(|()| python_side(&mut runner))
            .and_then(|()| cells(&mut runner)),
        "lint" => lint(&mut runner),
        "rust" => rust(&mut runner),
        "acceptance" => acceptance(&mut runner, Extent::Full),
        "python" => python_side(&mut runner),
        "cells" => cells(&mut runner),
        "bench" => bench(&mut runner),
        "liveness" => liveness(&mut runner, count, seed),
        "help" | "--help" | "-h" => {
            steps::say(USAGE);
            return ExitCode::SUCCESS;
        }
        other => Err(format!("no task {other:?}\n\n{USAGE}")),
    };
    match result.and_then(|()| runner.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            steps::say(&format!("xtask: FAILED: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// What the command line says.
#[derive(Debug, PartialEq, Eq)]
struct Arguments {
    task: String,
    require: Require,
    /// How many programs; only for `liveness`.
    count: Option<u64>,
    /// The seed of the first program; only for `liveness`.
    seed: Option<u64>,
}

fn parse(arguments: &[String]) -> Result<Arguments, String> {
    let mut require = Require::from_environment();
    let (mut task, mut count, mut seed) = (None, None, None);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--require" => match rest.next().map(String::as_str) {
                Some("all") => require = Require::All,
                other => return Err(format!("--require takes `all`, not {:?}", other.unwrap_or("nothing"))),
            },
            "--require=all" => require = Require::All,
            "--seed" => seed = Some(number(rest.next().map_or("", String::as_str))?),
            _ if task.is_none() => task = Some(argument.clone()),
            _ if task.as_deref() == Some("liveness") && count.is_none() => count = Some(number(argument)?),
            _ => return Err(format!("unexpected argument {argument:?}")),
        }
    }
    let task = task.ok_or("a task is needed")?;
    if task != "liveness" && seed.is_some() {
        return Err(format!("--seed belongs to liveness, not to {task}"));
    }
    Ok(Arguments { task, require, count, seed })
}

fn number(text: &str) -> Result<u64, String> {
    text.replace('_', "").parse().map_err(|_| format!("a number is needed, not {text:?}"))
}

fn lint(runner: &mut Runner) -> Result<(), String> {
    runner.run("format", steps::cargo(&["fmt", "--all", "--check"]))?;
    let mut clippy = steps::cargo(&["clippy", "--all-targets", "--release", "--locked"]);
    clippy.args(WITHOUT_HELPER).args(["--", "-D", "warnings"]);
    runner.run("clippy", clippy)?;
    let mut docs = steps::cargo(&["doc", "--no-deps", "--document-private-items", "--release", "--locked"]);
    docs.args(WITHOUT_HELPER);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    runner.run("docs", docs)
}

/// Everything but the helper of Rust cells, whose dependencies cost minutes and which has a step of its own.
const WITHOUT_HELPER: [&str; 3] = ["--workspace", "--exclude", "cellhold-rust"];

fn rust(runner: &mut Runner) -> Result<(), String> {
    let mut tests = steps::cargo(&["test", "--release", "--locked"]);
    tests.args(WITHOUT_HELPER);
    match python::prepare() {
        Ok(environment) => {
            environment.offer(&mut tests);
            environment.offer_devices(&mut tests);
        }
        Err(reason) => runner.record("rust tests against CPython and dpnp", Outcome::Skipped(reason)),
    }
    // Those have a step of their own, which shows what they covered.
    tests.args(["--", "--skip", ACCEPTANCE]);
    runner.run("rust tests", tests)
}

/// The module of the integration tests that asks Intel's software.
const ACCEPTANCE: &str = "acceptance::";

/// How much of the acceptance by Intel's software is asked for.
enum Extent {
    /// Each program for one of the devices.
    Part,
    /// Each program for every device.
    Full,
}

fn acceptance(runner: &mut Runner, extent: Extent) -> Result<(), String> {
    let arguments = ["test", "--release", "--locked", "--test", "it", "--", "--nocapture", ACCEPTANCE];
    let mut tests = steps::cargo(&arguments);
    if let Extent::Full = extent {
        tests.env("CELLHOLD_ACCEPTANCE", "full");
    }
    runner.run("acceptance by Intel's compiler and driver", tests)
}

fn python_side(runner: &mut Runner) -> Result<(), String> {
    let environment = match python::prepare() {
        Ok(environment) => environment,
        Err(reason) => {
            runner.record("python side", Outcome::Skipped(reason));
            return Ok(());
        }
    };
    runner.run("binary", steps::cargo(&["build", "--release", "--locked"]))?;
    runner.run("python side", environment.pytest())
}

/// The helper's dependencies are compiled once: building it, linting it and testing it share them.
fn cells(runner: &mut Runner) -> Result<(), String> {
    let helper = ["-p", "cellhold-rust", "--release", "--locked"];
    let mut build = steps::cargo(&["build"]);
    // What `cargo clippy` does, but for the dependencies, which that would check once more.
    build
        .args(helper)
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
    runner.run("helper of Rust cells", build)?;
    let mut tests = steps::cargo(&["test"]);
    runner.run("tests of the helper", {
        tests.args(helper);
        tests
    })?;
    let environment = match python::prepare() {
        Ok(environment) => environment,
        Err(reason) => {
            runner.record("Rust cells", Outcome::Skipped(reason));
            return Ok(());
        }
    };
    runner.run("binary", steps::cargo(&["build", "--release", "--locked"]))?;
    runner.run("Rust cells", environment.pytest_of_cells())
}

fn liveness(runner: &mut Runner, count: Option<u64>, seed: Option<u64>) -> Result<(), String> {
    let count = count.unwrap_or(1000);
    let seed = seed.unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // Every program of a run has its own seed, so two runs a second apart share none.
        now.map_or(0, |now| now.as_secs()) * 1_000_000
    });
    let test = ["test", "--release", "--locked", "--test", "it", "random_programs", "--", "--nocapture"];
    let mut command = steps::cargo(&test);
    command.env("CELLHOLD_LIVENESS", count.to_string()).env("CELLHOLD_SEED", seed.to_string());
    match python::prepare() {
        Ok(environment) => environment.offer(&mut command),
        Err(reason) => runner.record("liveness against IPython", Outcome::Skipped(reason)),
    }
    runner.run(&format!("liveness of {count} programs from seed {seed}"), command)
}

fn bench(runner: &mut Runner) -> Result<(), String> {
    runner.run("rust benchmarks", steps::cargo(&["bench", "--locked"]))?;
    match python::prepare() {
        Ok(environment) => {
            runner.run("binary", steps::cargo(&["build", "--release", "--locked"]))?;
            runner.run("kernel benchmark", environment.script("tests/notebook/bench_kernel.py"))?;
            runner.run("terminal benchmark", environment.script("tests/notebook/bench_terminal.py"))?;
            runner.run(
                "helper of Rust cells",
                steps::cargo(&["build", "-p", "cellhold-rust", "--release", "--locked"]),
            )?;
            runner.run("benchmark of Rust cells", environment.script("tests/notebook/bench_rust.py"))
        }
        Err(reason) => {
            runner.record("kernel benchmark", Outcome::Skipped(reason));
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Arguments, String> {
        parse(&text.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn a_task_and_its_strictness_are_read_in_any_order() {
        for (text, task) in [("test --require all", "test"), ("--require=all lint", "lint")] {
            let arguments = parsed(text).unwrap();
            assert_eq!((arguments.task.as_str(), arguments.require), (task, Require::All));
        }
    }

    #[test]
    fn liveness_takes_a_count_and_a_seed() {
        let arguments = parsed("liveness 10_000 --seed 7").unwrap();
        assert_eq!((arguments.count, arguments.seed), (Some(10_000), Some(7)));
        assert_eq!(parsed("liveness").unwrap().count, None);
        assert!(parsed("liveness many").is_err_and(|problem| problem.contains("many")));
        assert!(parsed("lint --seed 7").is_err());
    }

    #[test]
    fn bad_arguments_are_named() {
        assert!(parsed("--require some test").is_err_and(|problem| problem.contains("some")));
        assert!(parsed("lint rust").is_err_and(|problem| problem.contains("rust")));
        assert!(parsed("").is_err());
    }
}
