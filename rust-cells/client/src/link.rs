//! The connection to the session: requests and answers over a socket, large elements through shared memory.
//!
//! One process has one connection for requests, whichever cell's code asks; every cell is a library of its own with statics of its
//! own, so the connection's address goes through the environment of the process.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::functions::Functions;
use crate::wire::{Answer, GREETING, VERSION, Writer};
use crate::{Error, Result};

/// Where the session listens.
const ARRAYS: &str = "CELLHOLD_RUST_ARRAYS";
/// Where this process keeps its state: its number and an address.
const STATE: &str = "CELLHOLD_RUST_STATE";
/// The longest answer.
const FRAME_BYTES_MAX: usize = 16 << 20;

// What the standard library does not offer; the layouts are those of Linux on 64 bits.
#[repr(C)]
struct IoVec {
    base: *mut c_void,
    len: usize,
}

#[repr(C)]
struct MessageHeader {
    name: *mut c_void,
    name_len: u32,
    parts: *mut IoVec,
    parts_len: usize,
    control: *mut c_void,
    control_len: usize,
    flags: c_int,
}

#[repr(C)]
#[derive(Default)]
struct ControlMessage {
    len: usize,
    level: c_int,
    kind: c_int,
    file: c_int,
    _padding: c_int,
}

unsafe extern "C" {
    fn recvmsg(socket: c_int, message: *mut MessageHeader, flags: c_int) -> isize;
    fn mmap(at: *mut c_void, len: usize, access: c_int, flags: c_int, file: c_int, offset: i64) -> *mut c_void;
    fn munmap(at: *mut c_void, len: usize) -> c_int;
}

const SOL_SOCKET: c_int = 1;
const SCM_RIGHTS: c_int = 1;
const MSG_CMSG_CLOEXEC: c_int = 0x4000_0000;
const PROT_READ_WRITE: c_int = 1 | 2;
const MAP_SHARED: c_int = 1;

/// Memory shared with the session: arrays go through its slots in pieces.
pub(crate) struct Window {
    start: *mut u8,
    pub slots: usize,
    pub slot_bytes: usize,
}

// SAFETY: the mapping belongs to this value and stays where it is; who uses which slot is agreed over the socket.
unsafe impl Send for Window {}
// SAFETY: as above.
unsafe impl Sync for Window {}

impl Window {
    /// The address of a byte of the window.
    pub fn at(&self, at: usize) -> *mut u8 {
        assert!(at < self.slots * self.slot_bytes, "a piece beyond the window");
        // SAFETY: the address lies in the mapping.
        unsafe { self.start.add(at) }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: the mapping was made by `connect`, and nothing refers into it after its owner.
        unsafe { munmap(self.start.cast(), self.slots * self.slot_bytes) };
    }
}

fn lost(error: std::io::Error) -> Error {
    Error::new("ConnectionError", format!("the session does not answer any more: {error}"))
}

/// Opens a connection of a role: 0 asks, 1 serves functions.
pub(crate) fn connect(role: u8) -> Result<(UnixStream, Window)> {
    let path = std::env::var_os(ARRAYS)
        .ok_or_else(|| Error::new("ConnectionError", format!("there is no session here: {ARRAYS} is not set")))?;
    let mut stream = UnixStream::connect(path).map_err(lost)?;
    let mut greeting = GREETING.to_vec();
    greeting.extend(VERSION.to_le_bytes());
    greeting.push(role);
    stream.write_all(&greeting).map_err(lost)?;
    let mut answer = [0u8; 9];
    let mut part = IoVec { base: answer.as_mut_ptr().cast(), len: answer.len() };
    let mut control = ControlMessage::default();
    let mut message = MessageHeader {
        name: std::ptr::null_mut(),
        name_len: 0,
        parts: &mut part,
        parts_len: 1,
        control: (&raw mut control).cast(),
        control_len: size_of::<ControlMessage>(),
        flags: 0,
    };
    // SAFETY: every pointer in the message leads to a live value of the length said beside it.
    let received = unsafe { recvmsg(stream.as_raw_fd(), &mut message, MSG_CMSG_CLOEXEC) };
    if received <= 0 {
        return Err(lost(std::io::ErrorKind::UnexpectedEof.into()));
    }
    let has_file = message.control_len >= 20 && control.level == SOL_SOCKET && control.kind == SCM_RIGHTS;
    // SAFETY: the descriptor has just been received and nobody else has it.
    let file = has_file.then(|| unsafe { OwnedFd::from_raw_fd(control.file) });
    stream.read_exact(&mut answer[received as usize..]).map_err(lost)?;
    let (1, Some(file)) = (answer[0], file) else {
        return Err(Error::new("ConnectionError", "the session and its Rust helper are of different versions"));
    };
    let number = |at: usize| u32::from_le_bytes([answer[at], answer[at + 1], answer[at + 2], answer[at + 3]]) as usize;
    let (slots, slot_bytes) = (number(1), number(5));
    // SAFETY: a new mapping of a file whose length is sealed replaces nothing.
    let start =
        unsafe { mmap(std::ptr::null_mut(), slots * slot_bytes, PROT_READ_WRITE, MAP_SHARED, file.as_raw_fd(), 0) };
    if start as isize == -1 {
        return Err(lost(std::io::Error::last_os_error()));
    }
    Ok((stream, Window { start: start.cast(), slots, slot_bytes }))
}

/// The connection for requests.
pub(crate) struct Link {
    stream: UnixStream,
    window: Window,
}

impl Link {
    fn send(&mut self, frame: &[u8]) -> Result<()> {
        self.stream.write_all(frame).map_err(lost)
    }

    fn receive(&mut self) -> Result<Answer> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).map_err(lost)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > FRAME_BYTES_MAX {
            return Err(crate::wire::malformed());
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).map_err(lost)?;
        Answer::parse(&bytes)
    }

    /// Takes `bytes` bytes from the window to `into`, piece by piece as they come.
    ///
    /// # Safety
    /// `into` leads to that many bytes that are the caller's alone.
    unsafe fn take(&mut self, bytes: usize, into: *mut u8) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe { take_pieces(&self.stream, &self.window, bytes, into) }
    }
}

/// As [`Link::take`], over any connection with a window.
///
/// # Safety
/// `into` leads to `bytes` bytes that are the caller's alone.
pub(crate) unsafe fn take_pieces(mut stream: &UnixStream, window: &Window, bytes: usize, into: *mut u8) -> Result<()> {
    for (piece, start) in (0..bytes).step_by(window.slot_bytes).enumerate() {
        let mut ready = [0];
        stream.read_exact(&mut ready).map_err(lost)?;
        let len = window.slot_bytes.min(bytes - start);
        let from = window.at(piece % window.slots * window.slot_bytes);
        // SAFETY: the slot is full and ours until it is answered; the target has room by the caller's promise.
        unsafe { from.copy_to_nonoverlapping(into.add(start), len) };
        stream.write_all(&[1]).map_err(lost)?;
    }
    Ok(())
}

/// Puts `bytes` through the window.
pub(crate) fn give_pieces(mut stream: &UnixStream, window: &Window, bytes: &[u8]) -> Result<()> {
    let count = bytes.len().div_ceil(window.slot_bytes);
    let mut answered = 0;
    let mut answers = vec![0; window.slots];
    for (piece, part) in bytes.chunks(window.slot_bytes).enumerate() {
        while piece - answered >= window.slots {
            answered += some(stream, &mut answers[..piece - answered])?;
        }
        let into = window.at(piece % window.slots * window.slot_bytes);
        // SAFETY: the slot is empty and ours until it is announced; a piece is no longer than a slot.
        unsafe { into.copy_from_nonoverlapping(part.as_ptr(), part.len()) };
        stream.write_all(&[1]).map_err(lost)?;
    }
    // No byte beyond the answers is taken: what comes after them is the next word.
    while answered < count {
        answered += some(stream, &mut answers[..count - answered])?;
    }
    Ok(())
}

fn some(mut stream: &UnixStream, answers: &mut [u8]) -> Result<usize> {
    match stream.read(answers) {
        Ok(0) => Err(lost(std::io::ErrorKind::UnexpectedEof.into())),
        Ok(count) => Ok(count),
        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => Ok(0),
        Err(error) => Err(lost(error)),
    }
}

/// What a process has of the session.
pub(crate) struct State {
    /// Nothing once it is lost: then every request fails.
    link: Mutex<Option<Link>>,
    /// Handles of dropped arrays that were not told yet.
    released: Mutex<Vec<u64>>,
    last_handle: AtomicU64,
    pub functions: Functions,
}

thread_local! {
    /// Whether this thread runs a registered function, for which the session waits.
    static COMPUTES: Cell<bool> = const { Cell::new(false) };
}

/// Runs a registered function, during which the session answers nothing.
pub(crate) fn computing<R>(run: impl FnOnce() -> R) -> R {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            COMPUTES.set(self.0);
        }
    }
    let _restore = Restore(COMPUTES.replace(true));
    run()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of this process.
pub(crate) fn state() -> Result<&'static State> {
    static KNOWN: OnceLock<&'static State> = OnceLock::new();
    if let Some(state) = KNOWN.get() {
        return Ok(state);
    }
    let state = match from_environment() {
        Some(state) => state,
        None => begin()?,
    };
    Ok(KNOWN.get_or_init(|| state))
}

/// Connects, and lets the code of every later cell find the connection. Called once, before there are other threads.
pub(crate) fn start() -> Result<()> {
    let state = state()?;
    let text = format!("{}:{}", std::process::id(), std::ptr::from_ref(state).expose_provenance());
    // SAFETY: no other thread runs yet that might read the environment at this moment.
    unsafe { std::env::set_var(STATE, text) };
    Ok(())
}

fn from_environment() -> Option<&'static State> {
    let text = std::env::var(STATE).ok()?;
    let (process, address) = text.split_once(':')?;
    // A process started from here inherits the text and not the memory.
    if process.parse() != Ok(std::process::id()) {
        return None;
    }
    let address: usize = address.parse().ok()?;
    // SAFETY: `start` wrote the address of a state that is never dropped, in this process; the type is the same because
    // all cells link one build of this package.
    Some(unsafe { &*std::ptr::with_exposed_provenance::<State>(address) })
}

fn begin() -> Result<&'static State> {
    static BEGINNING: Mutex<Option<&'static State>> = Mutex::new(None);
    let mut begun = locked(&BEGINNING);
    if let Some(state) = *begun {
        return Ok(state);
    }
    let (stream, window) = connect(0)?;
    let state: &'static State = Box::leak(Box::new(State {
        link: Mutex::new(Some(Link { stream, window })),
        released: Mutex::default(),
        last_handle: AtomicU64::new(0),
        functions: Functions::default(),
    }));
    *begun = Some(state);
    Ok(state)
}

impl State {
    /// A number for a new handle.
    pub fn new_handle(&self) -> u64 {
        self.last_handle.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Asks, and hands the connection on for what follows the answer.
    fn with_link<T>(&self, run: impl FnOnce(&mut Link) -> Result<T>) -> Result<T> {
        if COMPUTES.get() {
            return Err(Error::new(
                "RuntimeError",
                "the session waits for this function and answers nothing meanwhile: pass arrays as arguments",
            ));
        }
        let answer = {
            let mut link = locked(&self.link);
            let Some(open) = link.as_mut() else {
                return Err(Error::new("ConnectionError", "the session has closed the connection of this process"));
            };
            let answer = self.tell_released(open).and_then(|()| run(open));
            if matches!(&answer, Err(error) if error.class() == "ConnectionError") {
                *link = None;
            }
            answer
        };
        self.flush();
        answer
    }

    /// A request and its answer.
    pub fn ask(&self, request: Writer) -> Result<Answer> {
        let frame = request.finish();
        self.with_link(|link| {
            link.send(&frame)?;
            link.receive()
        })
    }

    /// A request whose answer is elements; `take` is given room for them.
    ///
    /// # Safety
    /// `room` answers the address of as many bytes as it is asked for, which are the caller's alone.
    pub unsafe fn ask_elements(
        &self,
        request: Writer,
        room: impl FnOnce(&crate::wire::Facts, usize) -> Result<*mut u8>,
    ) -> Result<()> {
        let frame = request.finish();
        self.with_link(|link| {
            link.send(&frame)?;
            match link.receive()? {
                Answer::Inline(facts, bytes) => {
                    let into = room(&facts, bytes.len())?;
                    // SAFETY: the caller's promise.
                    unsafe { into.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
                    Ok(())
                }
                Answer::Window(facts, bytes) => {
                    // Without room here both ends are out of step, and the connection ends.
                    let into = room(&facts, bytes).map_err(|error| Error::new("ConnectionError", error.message()))?;
                    // SAFETY: the caller's promise.
                    unsafe { link.take(bytes, into)? };
                    link.receive().map(|_| ())
                }
                _ => Err(crate::wire::malformed()),
            }
        })
    }

    /// A request that is followed by elements through the window.
    pub fn ask_giving(&self, request: Writer, bytes: &[u8]) -> Result<Answer> {
        let frame = request.finish();
        self.with_link(|link| {
            link.send(&frame)?;
            link.receive()?;
            give_pieces(&link.stream, &link.window, bytes)?;
            link.receive()
        })
    }

    /// Lets go of a handle. It never waits: while another thread asks, that one tells it afterwards.
    pub fn release(&self, handle: u64) {
        locked(&self.released).push(handle);
        self.flush();
    }

    fn flush(&self) {
        // Whoever has the connection looks again after giving it back, so nothing stays untold.
        while !locked(&self.released).is_empty() {
            let Ok(mut link) = self.link.try_lock() else { return };
            let Some(open) = link.as_mut() else {
                locked(&self.released).clear();
                return;
            };
            if self.tell_released(open).is_err() {
                *link = None;
            }
        }
    }

    fn tell_released(&self, link: &mut Link) -> Result<()> {
        let released = std::mem::take(&mut *locked(&self.released));
        for some in released.chunks(10_000) {
            let request = some.iter().fold(Writer::new(3).u32(some.len() as u32), |writer, &handle| writer.u64(handle));
            link.send(&request.finish())?;
        }
        Ok(())
    }
}
