//! The window: shared memory through which arrays go to the helper and come back, in pieces.
//!
//! A window is a sealed memory file that both ends map. Pieces go through its slots in turn, so that one end copies in while
//! the other copies out: no memory of the size of the array is needed, and what goes through is a copy; no block of an array is
//! ever mapped elsewhere. The file has no name and goes with the last process that has it, however that ends. Sealed, it cannot
//! be shortened under the feet of whoever reads it.

use std::fmt;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::ptr::NonNull;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags};

use crate::arrays::attention::Attention;

/// Bytes of one piece: it passes from one processor to the other while it is in their caches.
pub const SLOT_BYTES: usize = 1 << 20;
/// Pieces under way at a time.
pub const SLOTS: usize = 8;

/// How often a wait looks whether it was interrupted.
const LOOK: Duration = Duration::from_millis(20);
/// How long the other end of a transfer may do nothing before it counts as gone.
const STALLED: Duration = Duration::from_secs(10);

/// Why a connection is of no more use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// The other end closed it, or the process ended.
    Gone,
    /// It did not say anything for too long.
    Stalled,
    /// The user interrupted.
    Interrupted,
    /// It said what makes no sense.
    Malformed,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkError::Gone => "the Rust process has ended",
            LinkError::Stalled => "the Rust process has stopped answering",
            LinkError::Interrupted => "it was interrupted",
            LinkError::Malformed => "the Rust process sent what makes no sense",
        })
    }
}

/// Memory shared with the helper.
#[derive(Debug)]
pub struct Window {
    file: OwnedFd,
    start: NonNull<u8>,
}

// SAFETY: the mapping belongs to this value alone and is reached only through its methods; it is tied to no thread.
unsafe impl Send for Window {}

impl Window {
    /// The bytes of every window.
    pub const BYTES: usize = SLOT_BYTES * SLOTS;

    /// New shared memory, with all seals.
    pub fn new() -> io::Result<Window> {
        let file = rustix::fs::memfd_create("cellhold-window", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        rustix::fs::ftruncate(&file, Self::BYTES as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        // SAFETY: a new mapping at an address of the system's choice replaces nothing; the file has that length and keeps it.
        let start = unsafe {
            rustix::mm::mmap(
                std::ptr::null_mut(),
                Self::BYTES,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED,
                &file,
                0,
            )?
        };
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Window { file, start })
    }

    /// Sends the memory file to the other end of a connection, along with `greeting`.
    pub fn send(&self, stream: &UnixStream, greeting: &[u8]) -> io::Result<()> {
        let files = [self.file.as_fd()];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = SendAncillaryBuffer::new(&mut space);
        if !ancillary.push(SendAncillaryMessage::ScmRights(&files)) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let sent = rustix::net::sendmsg(stream, &[IoSlice::new(greeting)], &mut ancillary, SendFlags::NOSIGNAL)?;
        if sent == greeting.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
    }

    /// Copies bytes to a place in the window; the place lies inside it.
    pub fn write(&self, at: usize, bytes: &[u8]) {
        assert!(at <= Self::BYTES && bytes.len() <= Self::BYTES - at, "a piece beyond the window");
        // SAFETY: the range lies in the mapping (asserted), which lives as long as `self` and cannot shrink (sealed). No
        // reference into the window exists anywhere, and what the helper does to it meanwhile changes numbers at most.
        unsafe { self.start.as_ptr().add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) }
    }

    /// Copies bytes out of the window.
    pub fn read(&self, at: usize, into: &mut [u8]) {
        assert!(at <= Self::BYTES && into.len() <= Self::BYTES - at, "a piece beyond the window");
        // SAFETY: as in `write`; every byte is a valid `u8`.
        unsafe { self.start.as_ptr().add(at).copy_to_nonoverlapping(into.as_mut_ptr(), into.len()) }
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // SAFETY: the mapping was made in `new`, is this value's own, and nothing refers into it.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), Self::BYTES) };
    }
}

/// A connection as the evaluator uses it: every wait ends when the user interrupts or the other end goes.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    stream: &'a UnixStream,
    attention: &'a Attention,
    /// How long nothing may come; for ever where a Rust function computes.
    patience: Option<Duration>,
}

impl<'a> Link<'a> {
    /// A link for transfers, which the other end keeps going.
    pub fn new(stream: &'a UnixStream, attention: &'a Attention) -> Self {
        Self { stream, attention, patience: Some(STALLED) }
    }

    /// A link to a computation, which takes as long as it takes.
    pub fn patient(stream: &'a UnixStream, attention: &'a Attention) -> Self {
        Self { stream, attention, patience: None }
    }

    fn wait(&self, wanted: PollFlags) -> Result<(), LinkError> {
        let began = Instant::now();
        let look = Timespec { tv_sec: 0, tv_nsec: LOOK.as_nanos() as i64 };
        loop {
            if self.attention.interrupted() {
                return Err(LinkError::Interrupted);
            }
            match poll(&mut [PollFd::new(self.stream, wanted)], Some(&look)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(_) => return Err(LinkError::Gone),
            }
            if self.patience.is_some_and(|patience| began.elapsed() > patience) {
                return Err(LinkError::Stalled);
            }
        }
    }

    /// Sends all bytes.
    pub fn send(&self, mut bytes: &[u8]) -> Result<(), LinkError> {
        while !bytes.is_empty() {
            match rustix::net::send(self.stream, bytes, SendFlags::NOSIGNAL | SendFlags::DONTWAIT) {
                Ok(sent) => bytes = &bytes[sent..],
                Err(rustix::io::Errno::AGAIN) => self.wait(PollFlags::OUT)?,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Err(LinkError::Gone),
            }
        }
        Ok(())
    }

    /// Receives at least one byte; answers how many.
    pub fn receive_some(&self, into: &mut [u8]) -> Result<usize, LinkError> {
        loop {
            match rustix::net::recv(self.stream, &mut *into, RecvFlags::DONTWAIT) {
                Ok((_, 0)) => return Err(LinkError::Gone),
                Ok((_, received)) => return Ok(received),
                Err(rustix::io::Errno::AGAIN) => self.wait(PollFlags::IN)?,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Err(LinkError::Gone),
            }
        }
    }

    /// Fills `into`.
    pub fn receive(&self, into: &mut [u8]) -> Result<(), LinkError> {
        let mut filled = 0;
        while filled < into.len() {
            filled += self.receive_some(&mut into[filled..])?;
        }
        Ok(())
    }
}

/// Where the pieces of `bytes` bytes begin and how long they are.
fn pieces(bytes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..bytes.div_ceil(SLOT_BYTES)).map(move |piece| {
        let start = piece * SLOT_BYTES;
        (start, SLOT_BYTES.min(bytes - start))
    })
}

/// Sends `bytes` bytes through the window; `copy` is given each piece's range and its place in the window. The other end
/// answers each piece with a byte when it has copied it out.
pub fn send_pieces<E: From<LinkError>>(
    link: Link<'_>,
    bytes: usize,
    mut copy: impl FnMut(std::ops::Range<usize>, usize) -> Result<(), E>,
) -> Result<(), E> {
    let mut answered = 0;
    let mut answers = [0; SLOTS];
    for (piece, (start, len)) in pieces(bytes).enumerate() {
        while piece - answered >= SLOTS {
            answered += link.receive_some(&mut answers[..piece - answered])?;
        }
        copy(start..start + len, piece % SLOTS * SLOT_BYTES)?;
        link.send(&[1])?;
    }
    // Every answer belongs to this transfer: none may be left for what comes next, and no byte beyond them be taken.
    let count = bytes.div_ceil(SLOT_BYTES);
    while answered < count {
        answered += link.receive_some(&mut answers[..count - answered])?;
    }
    Ok(())
}

/// Receives `bytes` bytes through the window; as for [`send_pieces`] in the other direction.
pub fn receive_pieces<E: From<LinkError>>(
    link: Link<'_>,
    bytes: usize,
    mut copy: impl FnMut(std::ops::Range<usize>, usize) -> Result<(), E>,
) -> Result<(), E> {
    for (piece, (start, len)) in pieces(bytes).enumerate() {
        link.receive(&mut [0])?;
        copy(start..start + len, piece % SLOTS * SLOT_BYTES)?;
        link.send(&[1])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let window = Window::new().unwrap();
        let bytes: Vec<u8> = (0..SLOT_BYTES).map(|at| (at * 7 % 251) as u8).collect();
        window.write(Window::BYTES - SLOT_BYTES, &bytes);
        let mut back = vec![0; SLOT_BYTES];
        window.read(Window::BYTES - SLOT_BYTES, &mut back);
        assert!(bytes == back);
    }

    #[test]
    fn a_window_keeps_its_length() {
        let window = Window::new().unwrap();
        assert!(rustix::fs::ftruncate(&window.file, 0).is_err());
        assert!(rustix::fs::ftruncate(&window.file, 1 << 30).is_err());
    }

    #[test]
    #[should_panic(expected = "a piece beyond the window")]
    fn nothing_goes_beyond_it() {
        Window::new().unwrap().write(Window::BYTES - 1, &[1, 2]);
    }

    #[test]
    fn an_end_that_goes_is_noticed() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let attention = Attention::default();
        drop(theirs);
        let link = Link::new(&ours, &attention);
        let sent = send_pieces(link, 3 * Window::BYTES, |_, _| Ok::<_, LinkError>(()));
        assert_eq!(sent, Err(LinkError::Gone));
    }

    #[test]
    fn a_wait_can_be_interrupted() {
        let (ours, _theirs) = UnixStream::pair().unwrap();
        let attention = Attention::default();
        attention.interrupt();
        assert_eq!(Link::patient(&ours, &attention).receive(&mut [0]), Err(LinkError::Interrupted));
    }

    #[test]
    fn pieces_go_round_the_slots_and_all_are_answered() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let bytes = 2 * Window::BYTES + 5;
        let other = std::thread::spawn(move || {
            use std::io::Write;
            let attention = Attention::default();
            let mut seen = 0;
            receive_pieces(Link::new(&theirs, &attention), bytes, |range, at| {
                assert_eq!((range.start, at), (seen, seen % Window::BYTES));
                seen = range.end;
                Ok::<_, LinkError>(())
            })
            .unwrap();
            (&theirs).write_all(b"next").unwrap();
            seen
        });
        let attention = Attention::default();
        send_pieces(Link::new(&ours, &attention), bytes, |_, _| Ok::<_, LinkError>(())).unwrap();
        assert_eq!(other.join().unwrap(), bytes);
        let mut next = [0; 4];
        Link::new(&ours, &attention).receive(&mut next).unwrap();
        assert_eq!(&next, b"next");
    }
}
