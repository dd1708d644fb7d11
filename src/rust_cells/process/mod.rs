//! The process side of Rust cells: finding (`find`), building (`build`), starting and ending (`helper`, `group`, `folder`) the
//! helper, and what is awaited of it (`state`). `living` ends everything when the program leaves without a word.

mod build;
mod find;
mod folder;
mod group;
mod helper;
mod living;
mod state;
#[cfg(test)]
mod tests;

use std::process::ExitStatus;
use std::sync::Arc;

pub use self::build::Progress;
use self::helper::Helper;
pub use self::living::end_all;
pub use self::state::Process;
use super::Incoming;
use super::protocol::{Reply, Why};

/// What is said where cargo is not.
pub const NO_CARGO: &str =
    "Rust cells need cargo, the build tool of Rust, which is not on this machine: https://rustup.rs installs it";

/// Something that the helper, or the thread that prepares it, said.
#[derive(Debug)]
pub struct Control {
    number: u64,
    said: Said,
}

#[derive(Debug)]
enum Said {
    Building(String),
    Progress(Progress),
    Started(Result<Arc<Helper>, Trouble>),
    Reply(Reply),
    Gone,
}

/// Whoever waits for Rust: hears what is said meanwhile, and may want to stop.
pub trait Front {
    /// Whether the wait is to end.
    fn is_interrupted(&self) -> bool;
    /// A line to the person about what is waited for.
    fn tell(&mut self, line: &str);
    /// Text that the Rust program wrote.
    fn text(&mut self, is_error: bool, text: &str);
    /// A request about arrays.
    fn array(&mut self, request: Incoming);
}

/// In which phase something was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// While the helper was built.
    Build,
    /// While it started.
    Start,
    /// While a cell was compiled.
    Compile,
    /// While a cell ran.
    Run,
}

/// Why something did not come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Rust cells cannot work here, for this reason.
    Unable(String),
    /// It was interrupted; these variables were lost.
    Interrupted {
        /// When.
        phase: Phase,
        /// What went.
        lost: Vec<String>,
        /// Whether functions and crates went too.
        lost_all: bool,
    },
    /// Rust refused, or ended.
    Failed {
        /// Why.
        why: Why,
        /// For people.
        text: String,
        /// Variables that went with it.
        lost: Vec<String>,
        /// Whether functions and crates went too.
        lost_all: bool,
    },
}

/// What a request gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Forms of the last value, by MIME type.
    pub outputs: Vec<(String, String)>,
    /// Variables that went, as when one was moved.
    pub lost: Vec<String>,
}

fn status_text(status: &ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    let signal = status.signal().or_else(|| status.code().filter(|code| *code > 128).map(|code| code - 128));
    match (signal, status.code()) {
        (Some(signal), _) => format!("killed by signal {signal}"),
        (None, Some(code)) => format!("exit status {code}"),
        (None, None) => status.to_string(),
    }
}

/// What was lost, to be put behind another sentence.
pub fn lost_text(lost: &[String], with_functions: bool) -> String {
    match (lost, with_functions) {
        ([], false) => "; no Rust variable was lost".to_owned(),
        ([], true) => "; Rust had no variables; its functions and crates are gone".to_owned(),
        (lost, _) => {
            let names = lost.join(", ");
            let word = if lost.len() == 1 { "variable" } else { "variables" };
            let rest = if with_functions { "; functions and crates too" } else { "" };
            format!("; lost with it: the Rust {word} {names}{rest}")
        }
    }
}
