//! The process around a kernel: signals, the life of the process that started us, and leaving.

use super::control::Stop;
use super::interrupt::Interrupter;
use super::log::log;
use super::mailbox::Mailbox;
use rustix::event::{self, PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::thread;

/// SIGINT interrupts the running cell and is otherwise ignored; SIGTERM ends the kernel.
pub fn watch_signals(interrupter: Arc<Interrupter>, stop: Arc<Mailbox<Stop>>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGINT => {
                    interrupter.interrupt();
                }
                _ => stop.post(Stop::Terminated),
            }
        }
    })?;
    Ok(())
}

/// Ends the kernel when the process named by `JPY_PARENT_PID` is gone, so that a killed server leaves nothing behind.
///
/// A process descriptor stays true under subreapers and in containers, where the parent's number says nothing.
pub fn watch_parent(stop: Arc<Mailbox<Stop>>) -> io::Result<()> {
    let named = std::env::var("JPY_PARENT_PID").ok().and_then(|text| text.trim().parse::<i32>().ok());
    let Some(parent) = named.and_then(Pid::from_raw) else {
        return Ok(());
    };
    match rustix::process::pidfd_open(parent, PidfdFlags::empty()) {
        Ok(descriptor) => {
            thread::Builder::new().name("parent".into()).spawn(move || {
                while let Err(rustix::io::Errno::INTR) =
                    event::poll(&mut [PollFd::new(&descriptor, PollFlags::IN)], None)
                {}
                stop.post(Stop::Orphaned);
            })?;
        }
        Err(rustix::io::Errno::SRCH) => stop.post(Stop::Orphaned),
        Err(error) => log(&format!("the process that started us cannot be watched: {error}")),
    }
    Ok(())
}

/// Leaves at once: no exit handlers of drivers, which may wait for work that will never end. Processes of Rust cells are ended.
pub fn leave(status: i32) -> ! {
    crate::rust_cells::end_all();
    // SAFETY: `_exit` takes an integer and does not return; what must reach a disk or a socket has been flushed.
    unsafe { libc::_exit(status) }
}
