//! What comes through a pipe: cells one after the other, results as plain text, the first error ends it with status 1.

use std::io::{self, BufRead, Write};
use std::rc::Rc;

use crate::session::{
    CellEvent, Completeness, Config, Frontend, FrontendGone, Interrupt, Outcome, Payload, ReadLineError, Request,
    Session, Snapshots, Stream, completeness, is_live_view,
};

/// Status of a program that was interrupted, as shells count signals.
const INTERRUPTED: u8 = 130;

/// Runs the cells of a stream to its end or the first failure.
pub(super) fn run(mut input: impl BufRead, interrupt: Interrupt) -> u8 {
    let mut session = Session::new(Config::interactive(), interrupt, Snapshots::default());
    let front = Rc::new(PipeFrontend);
    while let Some(cell) = next_cell(&mut input) {
        let outcome = session.run(&Request::cell(cell), front.clone());
        for payload in &outcome.payloads {
            if let Payload::Page(bundle) = payload {
                let shown = format!("{}\n", bundle.plain_text().trim_end_matches('\n'));
                let _ = front.emit(CellEvent::Text { stream: Stream::Stdout, text: shown });
            }
        }
        if let Some(status) = status_of(&outcome) {
            return status;
        }
    }
    0
}

fn status_of(outcome: &Outcome) -> Option<u8> {
    match (outcome.exit, outcome.is_interrupted, &outcome.error) {
        (Some(status), ..) => Some(u8::try_from(status & 0xff).unwrap_or(1)),
        (None, true, _) => Some(INTERRUPTED),
        (None, false, Some(_)) => Some(1),
        (None, false, None) => None,
    }
}

/// Lines until they make a whole cell: a simple statement is one, a block goes on until a line that is not part of it.
fn next_cell(input: &mut impl BufRead) -> Option<String> {
    let mut cell = String::new();
    loop {
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) | Err(_) => return (!cell.trim().is_empty()).then_some(cell),
            Ok(_) => {}
        }
        cell.push_str(&line);
        if cell.trim().is_empty() {
            cell.clear();
        } else if !matches!(completeness(cell.strip_suffix('\n').unwrap_or(&cell)), Completeness::Incomplete { .. })
            && !is_followed_by_more(input)
        {
            return Some(cell);
        }
    }
}

/// Whether the next line belongs to the block before it: it is indented or continues the statement.
fn is_followed_by_more(input: &mut impl BufRead) -> bool {
    let Ok(waiting) = input.fill_buf() else { return false };
    let line = waiting.split(|byte| *byte == b'\n').next().unwrap_or(&[]);
    let starts_with = |word: &str| line.starts_with(word.as_bytes());
    matches!(line.first(), Some(b' ' | b'\t'))
        || ["else", "elif", "except", "finally"].iter().any(|word| starts_with(word))
}

/// Plain text to the standard streams.
struct PipeFrontend;

impl Frontend for PipeFrontend {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        let (text, is_error) = match event {
            CellEvent::Text { stream: Stream::Stdout, text } => (text, false),
            CellEvent::Text { stream: Stream::Stderr, text } => (text, true),
            // What a pipe has taken cannot be brought up to date.
            CellEvent::Display { id: Some(id), is_update: true, .. } if is_live_view(&id) => return Ok(()),
            CellEvent::Result { bundle, .. } | CellEvent::Display { bundle, .. } => {
                (format!("{}\n", bundle.plain_text().trim_end_matches('\n')), false)
            }
            CellEvent::Error(error) => (format!("{}\n", error.text), true),
            CellEvent::Started { .. } | CellEvent::Clear { .. } | CellEvent::Notice(_) => return Ok(()),
        };
        let written = if is_error {
            io::stderr().write_all(text.as_bytes())
        } else {
            let mut out = io::stdout();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        };
        written.map_err(|_| FrontendGone)
    }

    fn read_line(&self, _prompt: &str, _hidden: bool) -> Result<String, ReadLineError> {
        // The input is the program itself.
        Err(ReadLineError::NotSupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<String> {
        let mut input = text.as_bytes();
        std::iter::from_fn(|| next_cell(&mut input)).collect()
    }

    #[test]
    fn a_stream_splits_into_cells() {
        assert_eq!(cells("a = 1\na\n"), ["a = 1\n", "a\n"]);
        assert_eq!(cells("for i in x:\n    f(i)\n    g(i)\n\nb\n"), ["for i in x:\n    f(i)\n    g(i)\n\n", "b\n"]);
        assert_eq!(cells("\n\nx = (1,\n 2)\ny"), ["x = (1,\n 2)\n", "y"]);
        assert_eq!(cells("%%time\na = 1\n\na\n"), ["%%time\na = 1\n\n", "a\n"]);
        assert!(cells("\n  \n").is_empty());
    }
}
