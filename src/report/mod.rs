//! `cellhold report FILE`: what a trace says in one page: where memory was asked for, when it was most, what never came
//! back, what was copied.
//!
//! Two kinds of trace are read: the JSON lines that `%trace save` writes, and the log that a dpnp script writes to the
//! error stream under `SYCL_UR_TRACE=2`. It knows files and texts; it never starts a session.

mod summary;
mod sycl;
mod trace;

use crate::display::{Markup, Role, to_plain};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a file cannot be summarised.
#[derive(Debug)]
pub enum ReportError {
    /// It cannot be read.
    Unreadable(PathBuf, io::Error),
    /// It is neither kind of trace; the text says what was looked for.
    NotATrace(PathBuf, String),
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReportError::Unreadable(path, error) => write!(f, "can't open file '{}': {error}", path.display()),
            ReportError::NotATrace(path, problem) => write!(f, "{}: {problem}", path.display()),
        }
    }
}

impl std::error::Error for ReportError {}

/// The report on a trace as text for a medium of so many columns.
pub fn report(path: &Path, width: usize) -> Result<String, ReportError> {
    let bytes = std::fs::read(path).map_err(|error| ReportError::Unreadable(path.to_path_buf(), error))?;
    // A log may hold what the program itself printed, in any encoding.
    let text = String::from_utf8_lossy(&bytes);
    let markup = read(&text).map_err(|problem| ReportError::NotATrace(path.to_path_buf(), problem))?;
    Ok(to_plain(&markup, width))
}

fn read(text: &str) -> Result<Markup, String> {
    if trace::is_trace(text) {
        return trace::summarise(text);
    }
    if sycl::is_log(text) {
        return Ok(sycl::summarise(text));
    }
    Err("neither a trace of Cellhold (%trace save FILE) nor a log of SYCL calls \
         (SYCL_UR_TRACE=2 python script.py 2> FILE; level 1 shows no memory)"
        .to_owned())
}

fn heading(text: &str) -> Markup {
    Markup::of(Role::Strong, text)
}
