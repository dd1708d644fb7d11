//! One running helper: its socket, the threads that read it, and its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::find::Surroundings;
use super::group::Group;
use super::{Control, Said};
use crate::rust_cells::protocol::{Reply, Request, end_process, interrupt};
use crate::rust_cells::{ARRAYS_VARIABLE, Event};

/// Tells the helper its private folder.
const FOLDER_VARIABLE: &str = "CELLHOLD_RUST_FOLDER";
/// Tells the helper who its kernel is, so that it can clear away the session's folder when that was killed.
const KERNEL_VARIABLE: &str = "CELLHOLD_RUST_KERNEL";

/// Bytes of output that may wait for the evaluator before the helper's program has to.
const BACKLOG_BYTES: usize = 8 << 20;

/// Bytes of the helper's own complaints that are kept.
const COMPLAINTS_BYTES: usize = 4096;

/// How cargo's lines about its progress begin, which evcxr lets through.
const CARGO_WORDS: [&str; 9] =
    ["Compiling", "Checking", "Finished", "Updating", "Locking", "Adding", "Downloading", "Downloaded", "Blocking"];

/// A running helper; shared with what ends it when the program leaves.
#[derive(Debug)]
pub struct Helper {
    group: Group,
    socket: UnixStream,
    folder: PathBuf,
    backlog: Arc<Backlog>,
    complaints: Arc<Mutex<Vec<u8>>>,
}

impl Helper {
    /// Starts a helper that works in `folder`; what it says goes to `events` under this number.
    pub fn start(
        program: &Path,
        here: &Surroundings,
        cargo: &Path,
        folder: PathBuf,
        arrays: Option<&Path>,
        number: u64,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        std::fs::create_dir(&folder)?;
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(program);
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::piped());
        command.env(FOLDER_VARIABLE, &folder).env(KERNEL_VARIABLE, std::process::id().to_string());
        command.env("PATH", here.path_with(cargo));
        if let Some(arrays) = arrays {
            command.env(ARRAYS_VARIABLE, arrays);
        }
        let (group, taken) = Group::spawn(command)?;
        let helper = Self { group, socket: ours, folder, backlog: Arc::default(), complaints: Arc::default() };
        let (complaints, backlog) = (Arc::clone(&helper.complaints), Arc::clone(&helper.backlog));
        if let Some(errors) = taken.errors {
            thread::Builder::new().name("rust complaints".into()).spawn(move || keep(errors, &complaints))?;
        }
        let socket = helper.socket.try_clone()?;
        thread::Builder::new().name("rust control".into()).spawn(move || {
            let tell = |said| events.send(Event::Control(Control { number, said })).is_ok();
            read(socket, &backlog, &tell);
            tell(Said::Gone);
        })?;
        Ok(helper)
    }

    /// Sends a request. A helper that has gone is noticed where its answers are read.
    pub fn ask(&self, request: &Request, id: u64) {
        self.send(&request.message(id).to_string());
    }

    /// Asks for the end of what is evaluated.
    pub fn interrupt(&self) {
        self.send(&interrupt().to_string());
    }

    /// Ends the process that runs cells.
    pub fn end_process(&self) {
        self.send(&end_process().to_string());
    }

    fn send(&self, message: &str) {
        let _ = (&self.socket).write_all(format!("{message}\n").as_bytes());
    }

    /// Says that text of this length was shown, so that more may come.
    pub fn shown(&self, bytes: usize) {
        self.backlog.lower(bytes);
    }

    /// What the helper itself wrote last.
    pub fn complaints(&self) -> String {
        let complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&complaints);
        let is_of_cargo = |line: &&str| CARGO_WORDS.contains(&line.split_whitespace().next().unwrap_or_default());
        text.lines().filter(|line| !is_of_cargo(line)).collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// Whether its first process has ended.
    pub fn has_ended(&self) -> bool {
        self.group.ends_within(Duration::ZERO)
    }

    /// The process that leads the helper's group.
    pub fn leader(&self) -> i32 {
        self.group.leader()
    }

    /// Ends the helper with all below it, and its folder; how it ended. It is asked to, and killed when it does not in time.
    pub fn end(&self, time: Duration) -> Option<ExitStatus> {
        self.backlog.close();
        let _ = self.socket.shutdown(Shutdown::Both);
        let status = if self.group.ends_within(time) { self.group.finish() } else { self.group.sweep(time) };
        let _ = std::fs::remove_dir_all(&self.folder);
        status
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.end(Duration::from_secs(3));
    }
}

fn read(socket: UnixStream, backlog: &Backlog, tell: &dyn Fn(Said) -> bool) {
    for line in BufReader::new(socket).lines() {
        let Ok(line) = line else { return };
        let said = match Reply::parse(&line) {
            Ok(Some(reply)) => Said::Reply(reply),
            Ok(None) => continue,
            Err(error) => Said::Reply(Reply::Unable(format!("the Rust helper does not speak our language: {error}"))),
        };
        if let Said::Reply(Reply::Text { text, .. }) = &said {
            backlog.raise(text.len());
        }
        if !tell(said) {
            return;
        }
    }
}

fn keep(mut errors: std::process::ChildStderr, complaints: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 1024];
    while let Ok(count) = errors.read(&mut bytes) {
        if count == 0 {
            return;
        }
        let mut kept = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&bytes[..count]);
        let surplus = kept.len().saturating_sub(COMPLAINTS_BYTES);
        kept.drain(..surplus);
    }
}

/// How much output waits to be shown. A program that writes faster than it is read waits, as at a terminal.
#[derive(Debug, Default)]
struct Backlog {
    bytes: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Backlog {
    fn raise(&self, more: usize) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        while bytes.0 > BACKLOG_BYTES && !bytes.1 {
            bytes = self.changed.wait(bytes).unwrap_or_else(PoisonError::into_inner);
        }
        bytes.0 += more;
    }

    fn lower(&self, less: usize) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.0 = bytes.0.saturating_sub(less);
        self.changed.notify_all();
    }

    fn close(&self) {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner).1 = true;
        self.changed.notify_all();
    }
}
