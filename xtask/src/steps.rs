//! Running one step after another, saying what each did, and what a skipped step means for the whole.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Whether a part that cannot run here may be skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Require {
    /// A skip is printed with its reason and tolerated.
    Available,
    /// A skip fails the run.
    All,
}

impl Require {
    /// `CELLHOLD_REQUIRE=all` asks for everything.
    pub fn from_environment() -> Require {
        match std::env::var("CELLHOLD_REQUIRE") {
            Ok(value) if value == "all" => Require::All,
            _ => Require::Available,
        }
    }
}

/// How a part ended.
#[derive(Debug)]
pub enum Outcome {
    /// It ran and succeeded, in this many seconds.
    Passed(f64),
    /// It cannot run on this machine, for this reason.
    Skipped(String),
}

/// Runs steps, stops at the first failure, and keeps what is said at the end.
pub struct Runner {
    require: Require,
    outcomes: Vec<(String, Outcome)>,
}

impl Runner {
    /// A runner that has run nothing yet.
    pub fn new(require: Require) -> Runner {
        Runner { require, outcomes: Vec::new() }
    }

    /// Runs `command`, which shares our standard streams; a failure ends the run with the step's name.
    pub fn run(&mut self, name: &str, mut command: Command) -> Result<(), String> {
        say(&format!("\n== {name}: {}", shown(&command)));
        if self.require == Require::All {
            command.env("CELLHOLD_REQUIRE", "all");
        }
        // Test programs show what a test printed only when it failed, so tests write here what they skipped.
        let skipped = target().join(format!("skipped-{}", std::process::id()));
        command.env("CELLHOLD_SKIPPED", &skipped);
        let started = Instant::now();
        let status = command.status().map_err(|error| format!("{name}: cannot start: {error}"))?;
        let reasons = std::fs::read_to_string(&skipped).unwrap_or_default();
        let _ = std::fs::remove_file(&skipped);
        if !status.success() {
            return Err(format!("{name} ({status})"));
        }
        self.record(name, Outcome::Passed(started.elapsed().as_secs_f64()));
        for (reason, tests) in counted(&reasons) {
            let plural = if tests == 1 { "" } else { "s" };
            self.record(&format!("{tests} test{plural} of {name}"), Outcome::Skipped(reason.to_owned()));
        }
        Ok(())
    }

    /// Keeps an outcome for the closing summary; a skip is also said at once.
    pub fn record(&mut self, name: &str, outcome: Outcome) {
        if let Outcome::Skipped(reason) = &outcome {
            say(&format!("\n== {name}: SKIPPED: {reason}"));
        }
        self.outcomes.push((name.to_owned(), outcome));
    }

    /// Prints the summary; fails when something was skipped although everything is required.
    pub fn finish(self) -> Result<(), String> {
        say("\n== summary");
        let mut skipped = Vec::new();
        for (name, outcome) in &self.outcomes {
            match outcome {
                Outcome::Passed(seconds) => say(&format!("passed   {name} ({seconds:.0} s)")),
                Outcome::Skipped(reason) => {
                    say(&format!("SKIPPED  {name}: {reason}"));
                    skipped.push(name.as_str());
                }
            }
        }
        match (self.require, skipped.is_empty()) {
            (Require::All, false) => Err(format!("skipped although everything is required: {}", skipped.join(", "))),
            _ => Ok(()),
        }
    }
}

/// The different lines and how often each is there.
fn counted(lines: &str) -> BTreeMap<&str, usize> {
    lines.lines().fold(BTreeMap::new(), |mut counts, line| {
        *counts.entry(line).or_default() += 1;
        counts
    })
}

/// Prints one line; the only place of this crate that writes to the terminal.
#[expect(clippy::print_stdout, reason = "a developer's command talks to its terminal")]
pub fn say(text: &str) {
    println!("{text}");
}

/// The cargo that runs us, at the workspace's root.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// The workspace's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Cargo's output folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    command.get_args().fold(program, |line, argument| format!("{line} {}", argument.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_fails_only_when_everything_is_required() {
        for (require, fails) in [(Require::Available, false), (Require::All, true)] {
            let mut runner = Runner::new(require);
            runner.record("devices", Outcome::Skipped("no driver".into()));
            assert_eq!(runner.finish().is_err(), fails, "{require:?}");
        }
    }

    #[test]
    fn tests_that_were_skipped_are_told_by_reason() {
        let mut runner = Runner::new(Require::Available);
        let mut tests = Command::new("sh");
        tests.args(["-c", "printf 'no driver\\nno tool\\nno driver\\n' >> \"$CELLHOLD_SKIPPED\""]);
        runner.run("tests", tests).expect("the shell succeeds");
        let told: Vec<String> = runner.outcomes.iter().map(|(name, outcome)| format!("{name} {outcome:?}")).collect();
        assert!(told[0].starts_with("tests Passed"), "{told:?}");
        assert_eq!(told[1..], ["2 tests of tests Skipped(\"no driver\")", "1 test of tests Skipped(\"no tool\")"]);
        assert!(!target().join(format!("skipped-{}", std::process::id())).exists());
    }

    #[test]
    fn a_failing_command_is_named() {
        let problem = Runner::new(Require::Available).run("nothing", Command::new("false"));
        assert!(problem.is_err_and(|text| text.starts_with("nothing")));
    }
}
