//! The reference: a process that runs the same cells in a real IPython and says how many arrays of which length live.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// What is true after a cell: the class of its error, and how many arrays of which length live.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct After {
    pub error: Option<String>,
    pub live: BTreeMap<u64, u64>,
}

/// IPython, running.
pub struct Oracle {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts the interpreter that `CELLHOLD_PYTHON` names; `None` without one (`cargo xtask` makes it, and fails where a
    /// skip is not allowed).
    pub fn start() -> Option<Self> {
        let interpreter = std::env::var_os("CELLHOLD_PYTHON")?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/session/liveness/ipython.py");
        let mut child = Command::new(interpreter)
            .arg(script)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("IPYTHONDIR", std::env::temp_dir().join("cellhold-liveness-ipython"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("CELLHOLD_PYTHON names an interpreter");
        let to = child.stdin.take().expect("stdin is piped");
        let from = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Some(Self { child, to, from })
    }

    /// Runs one program.
    pub fn run(&mut self, cells: &[String]) -> Vec<After> {
        let line = serde_json::to_string(cells).expect("texts are JSON");
        writeln!(self.to, "{line}").and_then(|()| self.to.flush()).expect("IPython reads programs");
        let mut answer = String::new();
        self.from.read_line(&mut answer).expect("IPython answers");
        let answer: Vec<(Option<String>, BTreeMap<String, u64>)> =
            serde_json::from_str(&answer).unwrap_or_else(|error| panic!("IPython ended ({error}) over {cells:#?}"));
        let after = |(error, lengths): (Option<String>, BTreeMap<String, u64>)| After {
            error,
            live: lengths.into_iter().map(|(length, count)| (length.parse().expect("a length"), count)).collect(),
        };
        answer.into_iter().map(after).collect()
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // Its end of input; `kill` covers an interpreter that hangs.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
