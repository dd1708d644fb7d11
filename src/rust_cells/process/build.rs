//! Building the helper, once, where it is not there: cargo runs on a thread's behalf, its lines become progress.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::find::Surroundings;
use super::group::Group;

/// How long a build that is given up may take to end what it runs.
const ENDING: Duration = Duration::from_secs(3);

/// Lines of cargo that are kept to explain a failure.
const LINES_KEPT: usize = 30;

/// How far a build has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Crates that were compiled or are being compiled.
    pub crates: usize,
    /// The last of them, or what else cargo does.
    pub what: String,
    /// Since the beginning.
    pub time: Duration,
}

/// A build that goes on; shared with whoever may give it up.
#[derive(Debug, Default)]
pub struct Build {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    is_given_up: bool,
    group: Option<Arc<Group>>,
}

impl Build {
    /// Gives the build up. It has ended when this returns, with all that it started.
    pub fn cancel(&self, time: Duration) {
        let group = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.is_given_up = true;
            state.group.clone()
        };
        if let Some(group) = group {
            group.sweep(time);
        }
    }

    /// Whether it was given up.
    pub fn is_given_up(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_given_up
    }

    /// Builds, on this thread; answers where the helper is now.
    pub fn run(&self, here: &Surroundings, cargo: &Path, mut tell: impl FnMut(Progress)) -> Result<PathBuf, String> {
        let (arguments, folder) = here.recipe();
        let line = format!("cargo {}", arguments.join(" "));
        let mut command = Command::new(cargo);
        command.args(&arguments).env("PATH", here.path_with(cargo)).env("CARGO_TERM_COLOR", "never");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        if let Some(folder) = &folder {
            command.current_dir(folder);
        }
        let began = Instant::now();
        let (group, errors) = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.is_given_up {
                return Err("given up".to_owned());
            }
            let (group, taken) = Group::spawn(command).map_err(|error| format!("{line}: {error}"))?;
            let group = Arc::new(group);
            state.group = Some(Arc::clone(&group));
            (group, taken.errors)
        };
        let mut last: Vec<String> = Vec::new();
        let mut crates = 0;
        for text in errors.into_iter().flat_map(|errors| BufReader::new(errors).lines()).map_while(Result::ok) {
            let text = text.trim().to_owned();
            if let Some(what) = text.strip_prefix("Compiling ") {
                crates += 1;
                tell(Progress { crates, what: what.to_owned(), time: began.elapsed() });
            } else if ["Updating", "Downloading", "Downloaded", "Blocking"].iter().any(|word| text.starts_with(word)) {
                tell(Progress { crates, what: text.clone(), time: began.elapsed() });
            }
            if last.len() == LINES_KEPT {
                last.remove(0);
            }
            last.push(text);
        }
        group.ends_within(ENDING);
        let status = group.finish();
        if self.is_given_up() {
            return Err("given up".to_owned());
        }
        if !status.is_some_and(|status| status.success()) {
            let why = last.iter().position(|text| text.starts_with("error")).map_or(&last[..], |at| &last[at..]);
            return Err(format!("{line} failed:\n{}", why.join("\n")));
        }
        match here.helper()? {
            Some(helper) => Ok(helper),
            None => Err(format!("{line} ended well, but the helper is nowhere to be found")),
        }
    }
}
