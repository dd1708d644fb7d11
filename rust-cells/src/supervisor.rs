//! The process that the kernel starts. It starts the worker and waits; when the kernel goes, when it is told to, or when the
//! worker ends, everything below it is killed and waited for, and the private folder is removed.
//!
//! It is the reaper of all its descendants, so that neither a zombie nor a process that left its group remains, and it does
//! nothing else, so that nothing can hold it up. It has no thread but this one, whose life the worker's own depends on.

use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitOptions, getpid, getppid, set_child_subreaper, waitpid};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};

use crate::messages::{FOLDER_VARIABLE, KERNEL_VARIABLE, SESSION_FOLDER};
use crate::{WORKER, processes};

/// How long the dead may take to be reported before the search for the living is made again.
const SWEEP: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };

/// Runs until nothing below is left.
pub fn run() -> ExitCode {
    match supervise() {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            complain(&format!("cannot start: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn supervise() -> std::io::Result<u8> {
    set_child_subreaper(Some(getpid()))?;
    let (mut woken, wake) = UnixStream::pair()?;
    woken.set_nonblocking(true)?;
    let ends = Arc::new(AtomicBool::new(false));
    // The flags first: whoever is woken finds them set.
    for signal in [SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&ends))?;
    }
    for signal in [SIGCHLD, SIGTERM, SIGHUP, SIGINT] {
        signal_hook::low_level::pipe::register(signal, wake.try_clone()?)?;
    }
    let worker = Command::new(std::env::current_exe()?)
        .arg(WORKER)
        .arg(std::process::id().to_string())
        .stdout(Stdio::null())
        .spawn()?;
    let worker = i32::try_from(worker.id()).ok().and_then(Pid::from_raw);
    let socket = std::io::stdin();
    let mut status = None;
    while status.is_none() && !ends.load(Ordering::SeqCst) {
        let mut waits = [
            // Only the end of the connection; the worker reads what is said.
            PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::RDHUP),
            PollFd::new(&woken, PollFlags::IN),
        ];
        match poll(&mut waits, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let has_gone = !waits[0].revents().is_empty();
        drain(&mut woken);
        if has_gone {
            break;
        }
        while let Reaped::One(number, ended) = reap() {
            if Some(number) == worker {
                status = Some(ended);
            }
        }
    }
    end(&mut woken);
    clear_away();
    Ok(status.unwrap_or(0))
}

/// Removes the private folder, and the session's folder around it when nobody else is left to do that.
fn clear_away() {
    let Some(folder) = std::env::var_os(FOLDER_VARIABLE).map(PathBuf::from) else { return };
    // The kernel does the same; whoever comes second finds nothing.
    let _ = std::fs::remove_dir_all(&folder);
    let kernel = std::env::var(KERNEL_VARIABLE).ok().and_then(|text| text.parse::<i32>().ok());
    let is_orphan = kernel.is_some() && getppid().map(|parent| parent.as_raw_nonzero().get()) != kernel;
    let around = folder.parent().filter(|_| is_orphan);
    let is_ours =
        |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(SESSION_FOLDER));
    if let Some(around) = around.filter(|path| is_ours(path)) {
        let _ = std::fs::remove_dir_all(around);
    }
}

/// Kills what is below until nothing is: what a process started while it was found is found the next time.
fn end(woken: &mut UnixStream) {
    let own = getpid().as_raw_nonzero().get();
    loop {
        processes::kill(&processes::below(own, None));
        loop {
            match reap() {
                Reaped::One(..) => {}
                Reaped::NoneYet => break,
                Reaped::Nobody => return,
            }
        }
        let _ = poll(&mut [PollFd::new(&*woken, PollFlags::IN)], Some(&SWEEP));
        drain(woken);
    }
}

enum Reaped {
    /// This process, with the status that stands for how it ended.
    One(Pid, u8),
    /// All children live.
    NoneYet,
    /// There are no children.
    Nobody,
}

fn reap() -> Reaped {
    loop {
        match waitpid(None, WaitOptions::NOHANG) {
            Ok(Some((number, ended))) => {
                let code = ended.exit_status().or_else(|| ended.terminating_signal().map(|signal| 128 + signal));
                return Reaped::One(number, code.and_then(|code| u8::try_from(code).ok()).unwrap_or(u8::MAX));
            }
            Ok(None) => return Reaped::NoneYet,
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return Reaped::Nobody,
        }
    }
}

fn drain(woken: &mut UnixStream) {
    let mut bytes = [0; 64];
    while woken.read(&mut bytes).is_ok_and(|count| count > 0) {}
}

/// The kernel reads our standard error and shows it when the helper ends unasked.
#[expect(clippy::print_stderr, reason = "the only way to say why there is no helper")]
pub fn complain(text: &str) {
    eprintln!("cellhold-rust: {text}");
}
