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
mod connection;
mod control;
mod engine;
mod executor;
mod governor;
mod history;
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
