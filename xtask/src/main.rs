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
Usage: cargo xtask <task> [--require all]

Tasks:
  test     everything that continuous integration runs: lint, rust, python
  lint     formatting, clippy and documentation, warnings denied
  rust     unit, integration and documentation tests
  python   the kernel under real Jupyter clients, in a virtual environment under target/
  bench    the benchmarks (never part of `test`)

  --require all   a part that cannot run here is a failure, not a skip (also: CELLHOLD_REQUIRE=all)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (task, require) = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(problem) => {
            steps::say(&format!("xtask: {problem}\n\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    let mut runner = Runner::new(require);
    let result = match task.as_str() {
        "test" => lint(&mut runner).and_then(|()| rust(&mut runner)).and_then(|()| python_side(&mut runner)),
        "lint" => lint(&mut runner),
        "rust" => rust(&mut runner),
        "python" => python_side(&mut runner),
        "bench" => bench(&mut runner),
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

fn parse(arguments: &[String]) -> Result<(String, Require), String> {
    let mut require = Require::from_environment();
    let mut task = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--require" => match rest.next().map(String::as_str) {
                Some("all") => require = Require::All,
                other => return Err(format!("--require takes `all`, not {:?}", other.unwrap_or("nothing"))),
            },
            "--require=all" => require = Require::All,
            _ if task.is_none() => task = Some(argument.clone()),
            _ => return Err(format!("unexpected argument {argument:?}")),
        }
    }
    Ok((task.ok_or("a task is needed")?, require))
}

fn lint(runner: &mut Runner) -> Result<(), String> {
    runner.run("format", steps::cargo(&["fmt", "--all", "--check"]))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--release", "--locked", "--", "-D", "warnings"];
    runner.run("clippy", steps::cargo(&clippy))?;
    let mut docs =
        steps::cargo(&["doc", "--workspace", "--no-deps", "--document-private-items", "--release", "--locked"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    runner.run("docs", docs)
}

fn rust(runner: &mut Runner) -> Result<(), String> {
    let mut tests = steps::cargo(&["test", "--workspace", "--release", "--locked"]);
    match python::prepare() {
        Ok(environment) => {
            environment.offer(&mut tests);
            environment.offer_devices(&mut tests);
        }
        Err(reason) => runner.record("rust tests against CPython and dpnp", Outcome::Skipped(reason)),
    }
    runner.run("rust tests", tests)
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

fn bench(runner: &mut Runner) -> Result<(), String> {
    runner.run("rust benchmarks", steps::cargo(&["bench", "--locked"]))?;
    match python::prepare() {
        Ok(environment) => {
            runner.run("binary", steps::cargo(&["build", "--release", "--locked"]))?;
            runner.run("kernel benchmark", environment.script("tests/notebook/bench_kernel.py"))
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

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn a_task_and_its_strictness_are_read_in_any_order() {
        assert_eq!(parse(&words("test --require all")), Ok(("test".into(), Require::All)));
        assert_eq!(parse(&words("--require=all lint")), Ok(("lint".into(), Require::All)));
    }

    #[test]
    fn bad_arguments_are_named() {
        assert!(parse(&words("--require some test")).is_err_and(|problem| problem.contains("some")));
        assert!(parse(&words("lint rust")).is_err_and(|problem| problem.contains("rust")));
        assert!(parse(&[]).is_err());
    }
}
