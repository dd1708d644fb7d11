//! What the process that runs the compiled cells does before evcxr takes it over: it must end with the worker, ignore the
//! interrupts of a terminal, and write where the relay reads.
//!
//! evcxr speaks to this process over its standard streams, which the program's own output shares. So each stream is
//! exchanged for a pipe to the relay, which gets evcxr's ends too and parts what belongs to whom. Nothing here may start a
//! thread: evcxr loads the cells into this process.

use std::io::IoSlice;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, IntoRawFd, OwnedFd};
use std::path::PathBuf;

use rustix::io::{FdFlags, fcntl_dupfd_cloexec, fcntl_setfd};
use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType,
    connect, sendmsg, socket_with,
};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Signal, getppid, set_parent_process_death_signal};

use crate::messages::FOLDER_VARIABLE;
use crate::supervisor::complain;

/// Set by evcxr in the process that runs cells.
const IS_RUNTIME: &str = "EVCXR_IS_RUNTIME";

/// The worker's process, without which this one has nothing to do.
pub const WORKER_VARIABLE: &str = "CELLHOLD_RUST_WORKER";

/// The descriptor over which the relay and the first evaluated text speak.
pub const TALK_VARIABLE: &str = "CELLHOLD_RUST_TALK";

/// How many descriptors go to the relay.
pub const DESCRIPTORS: usize = 5;

/// The socket in the private folder on which the relay waits for a new process.
pub fn relay_socket() -> Option<PathBuf> {
    std::env::var_os(FOLDER_VARIABLE).map(|folder| PathBuf::from(folder).join("runtime.sock"))
}

/// Whether this process was started by evcxr to run cells.
pub fn is_runtime() -> bool {
    std::env::var_os(IS_RUNTIME).is_some()
}

/// Makes the process ready; leaves it when that fails, which evcxr reports.
pub fn prepare() {
    if let Err(error) = try_prepare() {
        complain(&format!("the process for cells cannot start: {error}"));
        std::process::exit(97);
    }
}

fn try_prepare() -> std::io::Result<()> {
    // The thread that started us is the worker's first one, which lives as long as the worker.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let worker = std::env::var(WORKER_VARIABLE).ok().and_then(|text| text.parse::<i32>().ok());
    if getppid().map(|parent| parent.as_raw_nonzero().get()) != worker {
        return Err(std::io::Error::other("the worker has ended"));
    }
    // SAFETY: ignoring a signal installs no code, and there is no other thread.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
    let path = relay_socket().ok_or_else(|| std::io::Error::other(format!("{FOLDER_VARIABLE} is not set")))?;
    let talk = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    connect(&talk, &SocketAddrUnix::new(&path)?)?;
    let standard = (std::io::stdin(), std::io::stdout(), std::io::stderr());
    let evcxr_input = fcntl_dupfd_cloexec(standard.0.as_fd(), 3)?;
    let evcxr_output = fcntl_dupfd_cloexec(standard.1.as_fd(), 3)?;
    let (input, to_input) = pipe_with(PipeFlags::CLOEXEC)?;
    let (from_output, output) = pipe_with(PipeFlags::CLOEXEC)?;
    let (from_errors, errors) = pipe_with(PipeFlags::CLOEXEC)?;
    rustix::stdio::dup2_stdin(&input)?;
    rustix::stdio::dup2_stdout(&output)?;
    rustix::stdio::dup2_stderr(&errors)?;
    send(&talk, &[evcxr_input, evcxr_output, to_input, from_output, from_errors])?;
    fcntl_setfd(&talk, FdFlags::CLOEXEC)?;
    let variables = [(TALK_VARIABLE, talk.as_raw_fd().to_string()), ("RUST_BACKTRACE", "0".to_owned())];
    // Held until the process ends.
    let _ = talk.into_raw_fd();
    for (name, value) in variables {
        // SAFETY: there is no other thread in this process yet.
        unsafe { std::env::set_var(name, value) };
    }
    Ok(())
}

fn send(talk: &OwnedFd, descriptors: &[OwnedFd; DESCRIPTORS]) -> std::io::Result<()> {
    let borrowed = descriptors.each_ref().map(AsFd::as_fd);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut rights = SendAncillaryBuffer::new(&mut space);
    if !rights.push(SendAncillaryMessage::ScmRights(&borrowed)) {
        return Err(std::io::Error::other("too many descriptors for one message"));
    }
    let number = std::process::id().to_string();
    sendmsg(talk, &[IoSlice::new(number.as_bytes())], &mut rights, SendFlags::empty())?;
    Ok(())
}
