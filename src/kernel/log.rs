//! The kernel's own log: the standard error that the front end gave us, kept apart from what cells write.

use std::fs::File;
use std::io::Write;
use std::sync::OnceLock;

static SINK: OnceLock<File> = OnceLock::new();

/// Sends the log to `sink` from now on; the first call wins.
pub fn set_sink(sink: File) {
    let _ = SINK.set(sink);
}

/// Writes one line, in one piece. A log that nobody reads is no reason to stop.
pub fn log(line: &str) {
    let line = format!("[cellhold] {line}\n");
    let _ = match SINK.get() {
        Some(mut sink) => sink.write_all(line.as_bytes()),
        None => std::io::stderr().write_all(line.as_bytes()),
    };
}
