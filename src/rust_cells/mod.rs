//! Rust cells: the helper process that evaluates them, and the array requests of the Rust values in it.
//!
//! `process` finds, builds, starts and ends the helper and speaks with it in the words of `protocol`. `serve` listens for what
//! Rust asks about arrays, `answer` answers it (on the evaluator's thread, one request at a time), `handles` is the table of
//! arrays that Rust values keep, `shared` moves their bytes through shared memory, `functions` calls Rust functions on arrays,
//! `wire` is the form of all of it in bytes. Values live in the engine; the helper has numbers for them and copies of bytes,
//! never an address of a block.
//!
//! It knows arrays and how they are shown; it never knows names, cells or the language: those come through [`Names`].

mod answer;
mod functions;
mod handles;
pub mod process;
pub mod protocol;
mod serve;
mod shared;
mod wire;

pub use functions::{Argument, CallError, Function};
pub use handles::{Handles, Kept};
pub use process::end_all;
pub use serve::{Failure, Found, Incoming, Names, Quiet, Server};
pub use wire::{FunctionInfo, FunctionKind, Named};

/// What the evaluator's thread waits for while a Rust cell runs. Everything arrives in one channel, in order.
#[derive(Debug)]
pub enum Event {
    /// A request about arrays, for [`Server::answer`].
    Array(Incoming),
    /// Something of the helper's process, for [`process::Process`].
    Control(process::Control),
}

/// The name of the environment variable that tells the helper where [`Server::path`] is.
pub const ARRAYS_VARIABLE: &str = "CELLHOLD_RUST_ARRAYS";
