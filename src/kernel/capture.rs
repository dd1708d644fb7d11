//! What native code writes to the standard descriptors (drivers, math libraries) becomes output of the running cell.
//!
//! Descriptors 1 and 2 point into pipes; a thread moves what arrives to iopub under the current parent. The executor
//! drains them once more before a cell is called idle, so such text belongs to its cell.

use super::iopub::Iopub;
use super::log;
use super::message::Parent;
use crate::session::Stream;
use rustix::event::{self, PollFd, PollFlags};
use rustix::pipe::PipeFlags;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};

/// The request that output belongs to; it stays current until the next one, for output that comes late.
pub struct CurrentParent(Mutex<Parent>);

impl CurrentParent {
    /// No request yet.
    pub fn new() -> CurrentParent {
        CurrentParent(Mutex::new(Parent::none()))
    }

    /// From now on output belongs to `parent`.
    pub fn set(&self, parent: &Parent) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = parent.clone();
    }

    fn get(&self) -> Parent {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Both captured descriptors.
pub struct Capture {
    iopub: Arc<Iopub>,
    current: Arc<CurrentParent>,
    pipes: Mutex<[Pipe; 2]>,
}

struct Pipe {
    stream: Stream,
    reader: OwnedFd,
    /// The first bytes of a character whose end has not arrived yet.
    incomplete: Vec<u8>,
}

impl Capture {
    /// Redirects descriptors 1 and 2 and sends the log to the old descriptor 2.
    pub fn start(iopub: Arc<Iopub>, current: Arc<CurrentParent>) -> io::Result<Arc<Capture>> {
        log::set_sink(File::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?));
        let (out, into_out) = pipe()?;
        let (err, into_err) = pipe()?;
        rustix::stdio::dup2_stdout(&into_out)?;
        rustix::stdio::dup2_stderr(&into_err)?;
        let polled = [out.try_clone()?, err.try_clone()?];
        let pipe = |stream, reader| Pipe { stream, reader, incomplete: Vec::new() };
        let pipes = Mutex::new([pipe(Stream::Stdout, out), pipe(Stream::Stderr, err)]);
        let capture = Arc::new(Capture { iopub, current, pipes });
        let moving = Arc::clone(&capture);
        std::thread::Builder::new().name("capture".into()).spawn(move || {
            loop {
                let mut items = polled.each_ref().map(|reader| PollFd::new(reader, PollFlags::IN));
                let polled = event::poll(&mut items, None);
                moving.drain();
                if polled.is_err_and(|error| error != rustix::io::Errno::INTR) {
                    return;
                }
            }
        })?;
        Ok(capture)
    }

    /// Moves what has been written so far to iopub.
    pub fn drain(&self) {
        let mut chunk = [0u8; 8192];
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        for pipe in pipes.iter_mut() {
            while let Ok(count @ 1..) = rustix::io::read(&pipe.reader, &mut chunk[..]) {
                pipe.incomplete.extend_from_slice(&chunk[..count]);
                let text = take_text(&mut pipe.incomplete);
                self.iopub.text(&self.current.get(), pipe.stream, &text);
            }
        }
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
    // Only the reading end: what native code expects of its standard output is that writing waits.
    rustix::io::ioctl_fionbio(&reader, true)?;
    Ok((reader, writer))
}

/// Takes the text out of `bytes`, leaving an incomplete last character; invalid bytes become replacement characters.
fn take_text(bytes: &mut Vec<u8>) -> String {
    let mut text = String::new();
    let mut rest = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        rest += chunk.valid().len();
        let invalid = chunk.invalid();
        let is_cut = rest + invalid.len() == bytes.len() && std::str::from_utf8(invalid).is_err_and(is_cut_short);
        if !invalid.is_empty() && !is_cut {
            text.push('\u{fffd}');
            rest += invalid.len();
        }
    }
    bytes.drain(..rest);
    text
}

fn is_cut_short(error: std::str::Utf8Error) -> bool {
    error.error_len().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_split_between_reads_are_joined() {
        let whole = "aé𝛑b".as_bytes();
        for cut in 0..=whole.len() {
            let mut pending = whole[..cut].to_vec();
            let mut text = take_text(&mut pending);
            pending.extend_from_slice(&whole[cut..]);
            text.push_str(&take_text(&mut pending));
            assert_eq!((text.as_str(), pending.len()), ("aé𝛑b", 0), "cut at {cut}");
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_and_not_kept() {
        let mut pending = b"a\xff\xfeb\xc3".to_vec();
        assert_eq!(take_text(&mut pending), "a\u{fffd}\u{fffd}b");
        assert_eq!(pending, b"\xc3");
    }
}
