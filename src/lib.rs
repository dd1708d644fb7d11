//! Cellhold: a Jupyter kernel and terminal REPL for arrays on Intel devices that shows what holds device memory.
//!
//! The parts, from the front ends down. Each may use those below it, never those above or beside it; `tests/it/tidy.rs` sees to
//! that.
//!
//! - [`kernel`] (Jupyter over ZeroMQ), [`repl`] (the terminal) and [`batch`] (`cellhold run`) are front ends of a session. They
//!   know nothing of each other.
//! - [`session`] runs cells, keeps `In` and `Out`, knows what holds which memory, and offers the magics.
//! - [`lang`] is Python syntax on a machine of its own, [`rust_cells`] serves the session's arrays to cells in Rust, [`gauges`]
//!   shows readings of memory, [`report`] adds up traces.
//! - [`arrays`] has dtypes, buffers, the ledger, devices and the engines that compute; [`display`] has values as people see them.
//!
//! `ARCHITECTURE.md` says what stands in which folder, what must stay true, and why it is so.

pub mod arrays;
pub mod batch;
pub mod display;
pub mod gauges;
pub mod kernel;
pub mod lang;
pub mod repl;
pub mod report;
pub mod rust_cells;
pub mod session;
