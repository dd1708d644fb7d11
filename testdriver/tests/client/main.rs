//! The test driver under the real Level Zero loader: what a client sees of it.

#![allow(clippy::unwrap_used, reason = "a test that unwraps nothing has failed, and says where")]
#![allow(
    clippy::print_stdout,
    reason = "a skip, or the last words before an expected fault, are for the reader of the test"
)]

mod client;
mod programs;

/// Launches, events, fences, queues and lists compute what they should.
mod execution;
/// Whatever fails says so: injected failures, lost devices, refused builds and arguments.
mod failures;
/// The host cannot reach device memory; capacity, limits and sysman figures hold; nothing is left behind.
mod memory;
/// Commands that nothing orders run in any order, so that a missing barrier is found.
mod order;
/// Intel's own driver takes the same calls, under the validation layer, without a GPU.
mod recording;
