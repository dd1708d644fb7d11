//! The front end of a program nobody watches: text to the standard streams, results as text, no questions shown.

use crate::session::{CellEvent, Frontend, FrontendGone, ReadLineError, Stream};
use std::cell::RefCell;
use std::io::{self, BufRead, BufWriter, Write};

/// Writes to the process's standard streams.
pub struct BatchFrontend {
    out: RefCell<BufWriter<io::Stdout>>,
    /// To a terminal each line goes at once; into a pipe or file, in blocks.
    is_terminal: bool,
}

impl BatchFrontend {
    /// A front end on this process's streams.
    pub fn new(is_terminal: bool) -> BatchFrontend {
        BatchFrontend { out: RefCell::new(BufWriter::new(io::stdout())), is_terminal }
    }

    /// Writes out what waits. Whether anybody reads it is not the program's concern any more.
    pub fn flush(&self) {
        let _ = self.out.borrow_mut().flush();
    }

    fn out(&self, text: &str) -> Result<(), FrontendGone> {
        let mut out = self.out.borrow_mut();
        out.write_all(text.as_bytes()).map_err(|_| FrontendGone)?;
        if self.is_terminal && text.contains('\n') {
            out.flush().map_err(|_| FrontendGone)?;
        }
        Ok(())
    }

    fn err(&self, text: &str) -> Result<(), FrontendGone> {
        self.flush();
        io::stderr().write_all(text.as_bytes()).map_err(|_| FrontendGone)
    }
}

impl Frontend for BatchFrontend {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        match event {
            CellEvent::Text { stream: Stream::Stdout, text } => self.out(&text),
            CellEvent::Text { stream: Stream::Stderr, text } => self.err(&text),
            CellEvent::Result { bundle, .. } | CellEvent::Display { bundle, .. } => {
                self.out(&format!("{}\n", bundle.plain_text().trim_end_matches('\n')))
            }
            CellEvent::Error(error) => self.err(&format!("{}\n", error.text)),
            CellEvent::Started { .. } | CellEvent::Clear { .. } | CellEvent::Notice(_) => Ok(()),
        }
    }

    fn read_line(&self, prompt: &str, _hidden: bool) -> Result<String, ReadLineError> {
        // As Python does it, the prompt is output of the program even where nobody answers.
        let _ = self.out(prompt);
        self.flush();
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => Err(ReadLineError::End),
            Ok(_) => Ok(line.strip_suffix('\n').unwrap_or(&line).to_owned()),
        }
    }
}
