//! The front end of a program nobody watches: text to the standard streams, results as text, no questions shown.

use crate::session::{CellEvent, Frontend, FrontendGone, Interrupt, ReadLineError, Stream, is_live_view};
use std::io::{self, BufRead, BufWriter, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long text may stay in the buffer: short enough for whoever reads the other end of a pipe.
const DELAY: Duration = Duration::from_millis(30);

/// Writes to the process's standard streams, joining small texts for a moment.
pub struct BatchFrontend {
    out: Arc<Out>,
    /// Ends a program that nobody reads any more, as a broken pipe ends others.
    interrupt: Interrupt,
}

struct Out {
    buffer: Mutex<Buffer>,
    filled: Condvar,
}

struct Buffer {
    writer: BufWriter<io::Stdout>,
    is_dirty: bool,
    /// Why nothing can be written any more: nobody reads, or the file is full.
    failure: Option<io::Error>,
}

impl BatchFrontend {
    /// A front end on this process's streams, which raises `interrupt` when nobody reads its output any more.
    pub fn new(interrupt: Interrupt) -> io::Result<BatchFrontend> {
        let writer = BufWriter::with_capacity(64 * 1024, io::stdout());
        let buffer = Mutex::new(Buffer { writer, is_dirty: false, failure: None });
        let out = Arc::new(Out { buffer, filled: Condvar::new() });
        let flushing = Arc::clone(&out);
        std::thread::Builder::new().name("output".into()).spawn(move || flushing.flush_now_and_then())?;
        Ok(BatchFrontend { out, interrupt })
    }

    /// Writes out what waits. Whether anybody reads it is not the program's concern any more.
    pub fn flush(&self) {
        self.out.lock().flush();
    }

    /// Why the output ended early, if it did.
    pub fn failure(&self) -> Option<io::Error> {
        self.out.lock().failure.take()
    }

    fn out(&self, text: &str) -> Result<(), FrontendGone> {
        let mut buffer = self.out.lock();
        if buffer.failure.is_none() {
            buffer.failure = buffer.writer.write_all(text.as_bytes()).err();
        }
        if buffer.failure.is_some() {
            self.interrupt.raise();
            return Err(FrontendGone);
        }
        if !buffer.is_dirty {
            buffer.is_dirty = true;
            self.out.filled.notify_one();
        }
        Ok(())
    }

    fn err(&self, text: &str) -> Result<(), FrontendGone> {
        self.flush();
        if self.out.lock().failure.is_some() {
            return Err(FrontendGone);
        }
        io::stderr().write_all(text.as_bytes()).map_err(|_| FrontendGone)
    }
}

impl Out {
    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thread's body: text that has waited for [`DELAY`] goes out, with or without a flush of the program's.
    fn flush_now_and_then(&self) {
        loop {
            let mut buffer = self.lock();
            while !buffer.is_dirty {
                buffer = self.filled.wait(buffer).unwrap_or_else(PoisonError::into_inner);
            }
            drop(buffer);
            std::thread::sleep(DELAY);
            self.lock().flush();
        }
    }
}

impl Buffer {
    fn flush(&mut self) {
        self.is_dirty = false;
        if let Err(error) = self.writer.flush() {
            self.failure.get_or_insert(error);
        }
    }
}

impl Frontend for BatchFrontend {
    fn emit(&self, event: CellEvent) -> Result<(), FrontendGone> {
        match event {
            CellEvent::Text { stream: Stream::Stdout, text } => self.out(&text),
            CellEvent::Text { stream: Stream::Stderr, text } => self.err(&text),
            // What a pipe has taken cannot be brought up to date.
            CellEvent::Display { id: Some(id), is_update: true, .. } if is_live_view(&id) => Ok(()),
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
