//! The Jupyter kernel: the messaging protocol 5.5 over libzmq, in front of the one session.
//!
//! Only this folder knows sockets and wire JSON. It runs the session on a thread of its own and never reaches into the
//! language or the arrays.

mod connection;
pub mod install;
mod signer;
