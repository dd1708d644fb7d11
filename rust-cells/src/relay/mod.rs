//! Between evcxr and the process that runs the cells: parts evcxr's lines from the program's output, passes the latter on at
//! once, knows whether a cell runs, and sees to it that everything a cell wrote arrives before its end is reported.
//!
//! Each process that runs cells announces itself here (`runtime.rs`) and gets a thread of its own, which ends with it.

mod shared;
mod splitter;
mod texts;

use std::io::{IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags,
    SocketType, accept_with, bind, listen, recv, recvmsg, send, socket_with,
};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::json;

use crate::messages::Stream;
use crate::processes::Number;
use crate::runtime::DESCRIPTORS;
pub use shared::{Panic, Shared};
use splitter::{Piece, Splitter};
use texts::Texts;

/// How often a line without its end is looked for while a cell runs.
const PARTIAL: Duration = Duration::from_millis(100);
/// How long the end of a cell waits for what the program's standard library still holds back.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// What evcxr sends to run a compiled cell.
const RUN: &[u8] = b"LOAD_AND_RUN ";
/// What evcxr is told in place of a cell that was interrupted before it ran.
const NOT_RUN: &[u8] = b"EVCXR_PANIC_NOTIFICATION\nEVCXR_EXECUTION_COMPLETE\n";
const COMPLETE: &[u8] = b"EVCXR_EXECUTION_COMPLETE\n";

/// Waits for processes on a socket, from here on.
pub fn start(path: &Path, shared: Arc<Shared>) -> std::io::Result<()> {
    let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrUnix::new(path)?)?;
    listen(&socket, 4)?;
    thread::Builder::new().name("relays".into()).spawn(move || {
        while let Ok(talk) = accept_with(&socket, SocketFlags::CLOEXEC) {
            let shared = Arc::clone(&shared);
            // A process that cannot be served is ended: its pipes close, which evcxr reports.
            let _ = thread::Builder::new().name("relay".into()).spawn(move || {
                if let Some(relay) = Relay::receive(talk, shared) {
                    relay.run();
                }
            });
        }
    })?;
    Ok(())
}

/// One process that runs cells.
struct Relay {
    shared: Arc<Shared>,
    process: Number,
    /// Readable once the process has ended.
    ended: OwnedFd,
    /// The first evaluated text, once it has said that it is there.
    talk: OwnedFd,
    has_client: bool,
    asked_at: Option<Instant>,
    from_evcxr: Option<std::fs::File>,
    commands: Vec<u8>,
    to_evcxr: std::fs::File,
    to_process: Option<std::fs::File>,
    output: Option<std::fs::File>,
    errors: Option<std::fs::File>,
    splitter: Splitter,
    texts: [Texts; 2],
}

/// How a read went.
enum Got {
    Something,
    NothingYet,
    End,
}

impl Relay {
    fn receive(talk: OwnedFd, shared: Arc<Shared>) -> Option<Self> {
        let mut bytes = [0; 32];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut rights = RecvAncillaryBuffer::new(&mut space);
        let received = recvmsg(&talk, &mut [IoSliceMut::new(&mut bytes)], &mut rights, RecvFlags::CMSG_CLOEXEC).ok()?;
        let mut descriptors: Vec<OwnedFd> = Vec::new();
        for message in rights.drain() {
            if let RecvAncillaryMessage::ScmRights(passed) = message {
                descriptors.extend(passed);
            }
        }
        let [from_evcxr, to_evcxr, to_process, output, errors] =
            <[OwnedFd; DESCRIPTORS]>::try_from(descriptors).ok()?;
        let process: Number = std::str::from_utf8(&bytes[..received.bytes]).ok()?.parse().ok()?;
        let ended = pidfd_open(Pid::from_raw(process)?, PidfdFlags::empty()).ok()?;
        for waits in [&from_evcxr, &output, &errors] {
            rustix::fs::fcntl_setfl(waits, OFlags::NONBLOCK).ok()?;
        }
        shared.begin_process(process);
        Some(Self {
            shared,
            process,
            ended,
            talk,
            has_client: false,
            asked_at: None,
            from_evcxr: Some(from_evcxr.into()),
            commands: Vec::new(),
            to_evcxr: to_evcxr.into(),
            to_process: Some(to_process.into()),
            output: Some(output.into()),
            errors: Some(errors.into()),
            splitter: Splitter::default(),
            texts: [Texts::default(), Texts::default()],
        })
    }

    fn run(mut self) {
        loop {
            let timeout = self.shared.is_running().then_some(PARTIAL);
            let (has_ended, is_quiet) = self.wait(timeout, true);
            self.hear();
            self.take_commands();
            self.take_errors();
            self.take_output();
            if has_ended {
                break;
            }
            if is_quiet {
                self.ask_for_partial_lines();
            }
        }
        // What was written before the end is in the pipes; others that hold them open say no more for us.
        self.hear();
        self.take_errors();
        self.take_output();
        self.shared.tell_panic_as_text();
        self.finish_texts();
        self.shared.end_process(self.process);
    }

    /// Waits for anything; answers whether the process has ended, and whether nothing came in time.
    fn wait(&self, timeout: Option<Duration>, hears_commands: bool) -> (bool, bool) {
        let mut waits = vec![PollFd::new(&self.ended, PollFlags::IN), PollFd::new(&self.talk, PollFlags::IN)];
        let commands = self.from_evcxr.as_ref().filter(|_| hears_commands);
        for file in [commands, self.output.as_ref(), self.errors.as_ref()].into_iter().flatten() {
            waits.push(PollFd::from_borrowed_fd(file.as_fd(), PollFlags::IN));
        }
        let timeout = timeout.map(|time| Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(time.subsec_nanos()),
        });
        match poll(&mut waits, timeout.as_ref()) {
            Ok(count) => (!waits[0].revents().is_empty(), count == 0),
            Err(_) => (false, false),
        }
    }

    /// What evcxr tells the process to do.
    fn take_commands(&mut self) {
        let mut got = Vec::new();
        if let Got::End = read_into(&mut self.from_evcxr, &mut got) {
            // evcxr closed its end: the process shall end by itself.
            self.from_evcxr = None;
            self.to_process = None;
        }
        self.commands.extend(got);
        while let Some(end) = self.commands.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.commands.drain(..=end).collect();
            if line.starts_with(RUN) {
                if self.shared.is_interrupted() {
                    let _ = self.to_evcxr.write_all(NOT_RUN);
                    continue;
                }
                self.shared.set_running(true);
            }
            if let Some(process) = &mut self.to_process {
                // One that has ended is noticed by its descriptor.
                let _ = process.write_all(&line);
            }
        }
    }

    fn take_output(&mut self) {
        let mut got = Vec::new();
        while let Got::Something = self.read_output(&mut got) {
            // What the program said of a panic came before the panic's mark did.
            self.hear();
            self.pass_on(&got);
            got.clear();
        }
    }

    fn read_output(&mut self, into: &mut Vec<u8>) -> Got {
        let got = read_into(&mut self.output, into);
        if let Got::End = got {
            self.output = None;
        }
        got
    }

    fn pass_on(&mut self, bytes: &[u8]) {
        for piece in self.splitter.feed(bytes) {
            match piece {
                Piece::Text(text) => self.say(Stream::Stdout, &text),
                Piece::Protocol(line) if line == COMPLETE => self.complete(),
                Piece::Protocol(line) => {
                    if line.starts_with(b"EVCXR_PANIC_NOTIFICATION") {
                        self.shared.note_panic();
                    }
                    let _ = self.to_evcxr.write_all(&line);
                }
            }
        }
    }

    fn take_errors(&mut self) {
        let mut got = Vec::new();
        loop {
            match read_into(&mut self.errors, &mut got) {
                Got::Something => self.say(Stream::Stderr, &std::mem::take(&mut got)),
                Got::NothingYet => return,
                Got::End => {
                    self.errors = None;
                    return;
                }
            }
        }
    }

    fn say(&mut self, stream: Stream, bytes: &[u8]) {
        let texts = &mut self.texts[usize::from(stream == Stream::Stderr)];
        let text = texts.whole(bytes);
        self.shared.say(stream, &text);
    }

    fn finish_texts(&mut self) {
        let rest = self.splitter.rest();
        self.say(Stream::Stdout, &rest);
        for (stream, texts) in [Stream::Stdout, Stream::Stderr].into_iter().zip(&mut self.texts) {
            self.shared.say(stream, &texts.rest());
        }
    }

    /// The cell has ended: everything it wrote goes out before evcxr hears of it.
    fn complete(&mut self) {
        let until = Instant::now() + LAST_WORDS;
        if self.has_client && self.ask() {
            let mut got = Vec::new();
            while self.asked_at.is_some() {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() || self.wait(Some(left), false).0 {
                    break;
                }
                self.hear();
                self.take_errors();
                if let Got::Something = self.read_output(&mut got) {
                    self.say_late(&std::mem::take(&mut got));
                }
            }
            while let Got::Something = self.read_output(&mut got) {
                self.say_late(&std::mem::take(&mut got));
            }
        }
        self.take_errors();
        if !self.shared.has_panicked() {
            self.shared.tell_panic_as_text();
        }
        self.finish_texts();
        self.shared.set_running(false);
        let _ = self.to_evcxr.write_all(COMPLETE);
    }

    /// Text that came after the mark of the cell's end; another mark cannot follow before evcxr asks for more.
    fn say_late(&mut self, bytes: &[u8]) {
        for piece in self.splitter.feed(bytes) {
            match piece {
                Piece::Text(text) | Piece::Protocol(text) => self.say(Stream::Stdout, &text),
            }
        }
    }

    fn ask_for_partial_lines(&mut self) {
        if self.has_client && self.asked_at.is_none() && self.shared.is_running() {
            self.ask();
        }
    }

    /// Asks the program's standard library for what it holds back.
    fn ask(&mut self) -> bool {
        if self.asked_at.is_none() {
            if send(&self.talk, b"flush", SendFlags::NOSIGNAL | SendFlags::DONTWAIT).is_err() {
                return false;
            }
            self.asked_at = Some(Instant::now());
        }
        true
    }

    /// Hears what the first evaluated text has to say.
    fn hear(&mut self) {
        let mut packet = vec![0; 64 << 10];
        loop {
            let bytes = match recv(&self.talk, &mut packet[..], RecvFlags::DONTWAIT) {
                Ok((0, _)) | Err(Errno::AGAIN) => return,
                Ok((_, bytes)) => bytes.min(packet.len()),
                Err(Errno::INTR) => continue,
                Err(_) => return,
            };
            let text = String::from_utf8_lossy(&packet[..bytes]).into_owned();
            match text.split_once('\n') {
                None if text == "hello" => self.has_client = true,
                None if text == "flushed" => self.asked_at = None,
                Some(("panic", rest)) => {
                    if let Some(panic) = Panic::parse(rest) {
                        self.shared.add_panic(panic);
                    }
                }
                _ => {}
            }
        }
    }
}

fn read_into(file: &mut Option<std::fs::File>, into: &mut Vec<u8>) -> Got {
    let Some(open) = file else { return Got::NothingYet };
    let mut bytes = [0; 64 << 10];
    loop {
        return match open.read(&mut bytes) {
            Ok(0) => Got::End,
            Ok(count) => {
                into.extend_from_slice(&bytes[..count]);
                Got::Something
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Got::NothingYet,
            Err(_) => Got::End,
        };
    }
}

impl Shared {
    /// Tells the kernel in which phase a cell is.
    fn tell_phase(&self, phase: &str) {
        self.sink().send(&json!({"id": self.request(), "event": "phase", "phase": phase}));
    }
}
