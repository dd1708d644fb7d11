//! The kernel's own log: the standard error that the front end gave us, kept apart from what cells write.
//!
//! A sender of garbage could fill the log faster than its reader empties it, and then hold up the kernel; so lines are
//! limited, and what is left out is counted.

use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

static SINK: OnceLock<File> = OnceLock::new();
static LIMIT: Mutex<Limit> = Mutex::new(Limit { began: None, written: 0, left_out: 0 });

const WINDOW: Duration = Duration::from_secs(10);
const LINES_PER_WINDOW: usize = 50;

/// Sends the log to `sink` from now on; the first call wins.
pub fn set_sink(sink: File) {
    let _ = SINK.set(sink);
}

/// Writes one line, in one piece. A log that nobody reads is no reason to stop.
pub fn log(line: &str) {
    let admitted = LIMIT.lock().unwrap_or_else(PoisonError::into_inner).admit(Instant::now());
    let text = match admitted {
        Some(0) => format!("[cellhold] {line}\n"),
        Some(left_out) => format!("[cellhold] ({left_out} lines left out)\n[cellhold] {line}\n"),
        None => return,
    };
    let _ = match SINK.get() {
        Some(mut sink) => sink.write_all(text.as_bytes()),
        None => std::io::stderr().write_all(text.as_bytes()),
    };
}

struct Limit {
    began: Option<Instant>,
    written: usize,
    left_out: usize,
}

impl Limit {
    /// Whether one more line may be written, and how many were left out before it.
    fn admit(&mut self, now: Instant) -> Option<usize> {
        if self.began.is_none_or(|began| now.saturating_duration_since(began) >= WINDOW) {
            self.began = Some(now);
            self.written = 0;
        }
        if self.written == LINES_PER_WINDOW {
            self.left_out += 1;
            return None;
        }
        self.written += 1;
        Some(std::mem::take(&mut self.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_lines_is_cut_and_counted() {
        let mut limit = Limit { began: None, written: 0, left_out: 0 };
        let start = Instant::now();
        let written = (0..1000).filter(|_| limit.admit(start) == Some(0)).count();
        assert_eq!(written, LINES_PER_WINDOW);
        assert_eq!(limit.admit(start + WINDOW), Some(1000 - LINES_PER_WINDOW));
        assert_eq!(limit.admit(start + WINDOW), Some(0));
    }
}
