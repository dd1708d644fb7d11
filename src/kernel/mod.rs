//! The Jupyter kernel: the messaging protocol 5.5 over libzmq, in front of the one session.
//!
//! Only this folder knows sockets and wire JSON. It runs the session on a thread of its own and never reaches into the
//! language or the arrays.
//!
//! | thread | owns | does |
//! |---|---|---|
//! | main | nothing | waits for the reason to end, then ends everything in less than two seconds |
//! | [`executor`] | the session, stdin ROUTER | answers shell requests in order |
//! | [`shell`] | shell ROUTER | checks and queues requests, sends replies, marks the fence after a failure |
//! | [`control`] | control ROUTER | answers while a cell runs: interrupt, shutdown, usage |
//! | [`iopub`] | XPUB | sends one ordered queue of output, joined and within the front end's limits |
//! | heartbeat, [`capture`], [`process`] | ROUTER, pipes, signals | echo; native output; signals and the parent's life |
//!
//! Threads reach each other through [`mailbox`]es only. `ZMQ_FD` is edge-triggered, so each thread sleeps in `zmq_poll`
//! over its socket and its mailbox, and never in an event loop of another library.

mod capture;
pub mod client;
mod connection;
mod control;
mod engine;
mod executor;
mod governor;
mod info;
pub mod install;
mod interrupt;
mod iopub;
mod lifecycle;
mod log;
mod mailbox;
mod message;
mod output;
mod process;
mod shell;
mod signer;
mod stdin;
#[cfg(test)]
mod tests;
mod text;
mod usage;

pub use process::leave;

use crate::session::{Config, History, Interrupt, Session, Snapshots};
use std::error::Error;
use std::path::Path;

/// Runs a kernel on the endpoints of a connection file; when it ends, so does the process.
pub fn serve(connection_file: &Path) -> Result<std::convert::Infallible, Box<dyn Error>> {
    let connection = connection::Connection::read(connection_file)?;
    let (interrupt, snapshots) = (Interrupt::new(), Snapshots::default());
    let options =
        lifecycle::Options { interrupt: interrupt.clone(), snapshots: snapshots.clone(), captures_descriptors: true };
    let config = Config { history: History::default_path(), ..Config::interactive() };
    let kernel = lifecycle::Kernel::start(&connection, options, move || Session::new(config, interrupt, snapshots))?;
    process::watch_signals(kernel.interrupter().clone(), kernel.stop().clone())?;
    process::watch_parent(kernel.stop().clone())?;
    // A panic is our own bug: it ends its cell with a message of the session's, and is told in full to the log.
    std::panic::set_hook(Box::new(|panic| log::log(&panic.to_string())));
    let reason = kernel.stop().wait();
    if !kernel.end() {
        log::log("left while a cell was still busy");
    }
    process::leave(if reason == control::Stop::Broken { 1 } else { 0 })
}
