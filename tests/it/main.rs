//! Integration tests, one binary: each module below says what it proves.

#![allow(clippy::unwrap_used, reason = "a test that unwraps nothing has failed, and says where")]

/// Intel's graphics compiler and its Level Zero driver, which need no GPU, take our programs and calls.
mod acceptance;
/// Case files behave as under CPython (or, for arrays, as under dpnp and NumPy): same output, same traceback, same status.
mod cases;
/// Programs on real devices, as far as a machine without a GPU has them.
mod devices;
/// Programs on a Level Zero device that computes without a GPU: results, failures, what is shown.
mod level_zero;
/// The cases of arrays on such a device, also in random order with memory closed to the host; each call of the driver fails once.
mod level_zero_cases;
/// Array requests of Rust programs, without the helper: the client of Rust cells is built and plays against a session.
mod rust_arrays;
/// The session against the recording front end: outputs, holders, magics, shortage, random programs.
mod session;
/// The rules of the source tree that no compiler checks: who may depend on whom, where `unsafe` may stand.
mod tidy;
