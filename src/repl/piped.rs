//! What comes through a pipe: cells one after the other, results as plain text, the first error ends it with status 1.

use std::io::{self, BufRead, Write};
use std::rc::Rc;

use crate::session::{
    CellEvent, Completeness, Config, Frontend, FrontendGone, Interrupt, Payload, ReadLineError, Request, Session,
    Snapshots, Stream, completeness, is_live_view,
};

/// Runs the cells of a stream to its end or the first failure.
pub(super) fn run(input: impl BufRead, interrupt: Interrupt) -> u8 {
    let mut session = Session::new(Config::interactive(), interrupt, Snapshots::default());
    let status = run_cells(&mut session, input);
    finish(&mut session);
    status
}

/// Calls what the program wants called at its end (`atexit`).
pub(super) fn finish(session: &mut Session) {
    if let Some(last) = session.last_cell() {
        session.run(&last, Rc::new(PipeFrontend));
    }
}

fn run_cells(session: &mut Session, mut input: impl BufRead) -> u8 {
    let front = Rc::new(PipeFrontend);
    let mut line = 0;
    loop {
        let cell = match next_cell(&mut input, &mut line) {
            Ok(Some(cell)) => cell,
            Ok(None) => return 0,
            Err(error) => {
                complain(&format!("standard input, line {line}: {error}"));
                return 1;
            }
        };
        let outcome = session.run(&Request::cell(cell), front.clone());
        for payload in &outcome.payloads {
            if let Payload::Page(bundle) = payload {
                let shown = format!("{}\n", bundle.plain_text().trim_end_matches('\n'));
                let _ = front.emit(CellEvent::Text { stream: Stream::Stdout, text: shown });
            }
        }
        if let Some(status) = outcome.status() {
            return status;
        }
    }
}

#[expect(clippy::print_stderr, reason = "what whoever wrote to the pipe must know")]
fn complain(text: &str) {
    eprintln!("cellhold: {text}");
}

/// Lines until they make a whole cell: a simple statement is one, a block goes on until a line that is not part of it. `number`
/// counts the lines that were read.
fn next_cell(input: &mut impl BufRead, number: &mut usize) -> io::Result<Option<String>> {
    let mut cell = String::new();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok((!cell.trim().is_empty()).then_some(cell));
        }
        *number += 1;
        let line = String::from_utf8(line).map_err(|error| {
            let byte = error.as_bytes()[error.utf8_error().valid_up_to()];
            io::Error::new(io::ErrorKind::InvalidData, format!("the byte 0x{byte:02x} is not UTF-8; send UTF-8 text"))
        })?;
        cell.push_str(&line);
        if cell.trim().is_empty() {
            cell.clear();
        } else if !matches!(completeness(cell.strip_suffix('\n').unwrap_or(&cell)), Completeness::Incomplete { .. })
            && !is_followed_by_more(input)
        {
            return Ok(Some(cell));
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
        std::iter::from_fn(|| next_cell(&mut input, &mut 0).expect("text")).collect()
    }

    #[test]
    fn bytes_that_are_no_text_are_named_with_their_line() {
        let mut input = &b"a = 1\nb = '\xe9'\n"[..];
        let mut line = 0;
        assert_eq!(next_cell(&mut input, &mut line).unwrap().as_deref(), Some("a = 1\n"));
        let error = next_cell(&mut input, &mut line).unwrap_err();
        assert_eq!((line, error.to_string().as_str()), (2, "the byte 0xe9 is not UTF-8; send UTF-8 text"));
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
