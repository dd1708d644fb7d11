//! What the kernel and the helper say to each other: JSON objects, one a line, over the socket that is the helper's standard
//! input. `src/rust_cells/protocol.rs` is the other end; the two change together.
//!
//! The kernel asks (`{"id": 3, "do": "evaluate", ...}`), the helper answers with events of that number
//! (`{"id": 3, "event": "stdout", "text": ...}`), the last of which is `done`, `failed` or the answer itself.

use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

/// The version of the messages; a kernel that finds another one builds the helper anew.
pub const PROTOCOL: u64 = 1;

/// Names the private folder of this helper: sockets, evcxr's files. The kernel makes it, whoever is last removes it.
pub const FOLDER_VARIABLE: &str = "CELLHOLD_RUST_FOLDER";

/// Names the kernel's process.
pub const KERNEL_VARIABLE: &str = "CELLHOLD_RUST_KERNEL";

/// How the name of the folder of a session begins, in which private folders are.
pub const SESSION_FOLDER: &[u8] = b"cellhold-rust-";

/// What the kernel asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Evaluates a cell. `line` is the line of the notebook's cell on which `code` begins, counted from 1.
    Evaluate { id: u64, code: String, cell: u32, line: usize },
    /// Completions at a byte of a text.
    Complete { id: u64, code: String, position: usize },
    /// Drops a variable.
    Drop { id: u64, name: String },
    /// Tells the array side which variable holds which arrays.
    Name { id: u64 },
    /// Forgets everything but what was compiled.
    Reset { id: u64 },
    /// Ends what is evaluated; has no answer of its own.
    Interrupt,
    /// Ends the process that runs cells, whatever it does; has no answer of its own.
    EndProcess,
}

impl Request {
    /// Reads a line.
    pub fn parse(line: &str) -> Result<Self, String> {
        let message: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |key: &str| {
            message[key].as_str().map(str::to_owned).ok_or_else(|| format!("no text {key:?} in a message: {line}"))
        };
        let number = |key: &str| message[key].as_u64().ok_or_else(|| format!("no number {key:?} in a message: {line}"));
        let position = |key: &str| number(key).map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        Ok(match text("do")?.as_str() {
            "evaluate" => Self::Evaluate {
                id: number("id")?,
                code: text("code")?,
                cell: u32::try_from(number("cell")?).unwrap_or(u32::MAX),
                line: position("line")?,
            },
            "complete" => Self::Complete { id: number("id")?, code: text("code")?, position: position("position")? },
            "drop" => Self::Drop { id: number("id")?, name: text("name")? },
            "name" => Self::Name { id: number("id")? },
            "reset" => Self::Reset { id: number("id")? },
            "interrupt" => Self::Interrupt,
            "end_process" => Self::EndProcess,
            other => return Err(format!("no such request: {other}")),
        })
    }
}

/// Why a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The text does not compile.
    Compile,
    /// The text panicked.
    Panic,
    /// The process that runs the cells has ended.
    Died,
    /// It was interrupted.
    Interrupted,
    /// Anything else that evcxr says.
    Other,
}

impl Failure {
    fn name(self) -> &'static str {
        match self {
            Self::Compile => "compile",
            Self::Panic => "panic",
            Self::Died => "died",
            Self::Interrupted => "interrupted",
            Self::Other => "other",
        }
    }
}

/// Which stream a text was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// The sending end, shared by the threads.
#[derive(Clone)]
pub struct Sink(Arc<Mutex<UnixStream>>);

impl Sink {
    /// Sends over this socket.
    pub fn new(socket: UnixStream) -> Self {
        Self(Arc::new(Mutex::new(socket)))
    }

    /// Sends one message. A kernel that has gone is noticed where its requests are read.
    pub fn send(&self, message: &Value) {
        let line = format!("{message}\n");
        let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = socket.write_all(line.as_bytes());
    }

    /// Sends text of the program.
    pub fn text(&self, id: u64, stream: Stream, text: &str) {
        if text.is_empty() {
            return;
        }
        let event = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        self.send(&json!({"id": id, "event": event, "text": text}));
    }

    /// Sends how a request failed: a text for people, the variables that are left and those lost.
    pub fn failed(&self, id: u64, failure: Failure, text: &str, state: Value) {
        self.send(&json!({"id": id, "event": "failed", "why": failure.name(), "text": text, "state": state}));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_what_is_missing_is_named() {
        let line = r#"{"id": 3, "do": "evaluate", "code": "1 + 1", "cell": 7, "line": 2}"#;
        let wanted = Request::Evaluate { id: 3, code: "1 + 1".into(), cell: 7, line: 2 };
        assert_eq!(Request::parse(line), Ok(wanted));
        assert_eq!(Request::parse(r#"{"do": "interrupt"}"#), Ok(Request::Interrupt));
        assert!(Request::parse(r#"{"id": 3, "do": "evaluate"}"#).is_err_and(|text| text.contains("\"code\"")));
        assert!(Request::parse("{").is_err());
        assert!(Request::parse(r#"{"id": 3, "do": "fly"}"#).is_err_and(|text| text.contains("fly")));
    }
}
