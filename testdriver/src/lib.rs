//! A Level Zero driver for tests, on top of an OpenCL CPU runtime.
//!
//! The real loader loads it (`ZE_ENABLE_ALT_DRIVERS=.../libtestdriver.so`), so a test goes through everything but the
//! silicon: discovery, memory, modules, kernels, lists, queues, events and sysman are those of an Intel GPU, and results are
//! computed. Beyond that it is stricter than any hardware: it refuses what real drivers let pass until it crashes, fails on
//! demand, closes device memory to the host, and runs in random order what its client did not order.
//!
//! | part | what lives there |
//! | --- | --- |
//! | [`config`], [`faults`] | the device that the environment asks for, and what fails |
//! | [`driver`], [`device`], [`context`] | who is there |
//! | [`memory`] | allocations, capacity, the guard |
//! | [`module`], [`kernel`], [`reflect`] | programs and their arguments |
//! | [`command_list`], [`queue`], [`event`] | what is asked for |
//! | [`engine`], [`command`] | what runs when |
//! | [`sysman`] | memory figures |
//! | [`opencl`] | what computes |
//! | [`ddi`], [`control`] | what the loader and tests call |
//! | [`answer`], [`object`] | results, callers' pointers, handles |
//! | [`fake_platform`] | an OpenCL platform that cannot be used |
//! | [`harness`] | for tests: a child process with such a driver |
//!
//! By hand, after `cargo build -p testdriver` and with Intel's runtime from `cargo xtask python`:
//!
//! ```sh
//! export ZE_ENABLE_ALT_DRIVERS=$PWD/target/debug/libtestdriver.so TESTDRIVER_OPENCL=$PWD/target/venv/lib/libintelocl.so
//! export ZES_ENABLE_SYSMAN=1 TESTDRIVER_CAPACITY=67108864 TESTDRIVER_GUARD=1 TESTDRIVER_SHUFFLE=1
//! ```
//!
//! Not there: images, IPC, virtual memory, cooperative and indirect launches, metrics.

#![allow(non_snake_case, reason = "functions have the names of the specification")]

mod answer;
mod command;
mod command_list;
mod config;
mod context;
mod control;
mod ddi;
mod device;
mod driver;
mod engine;
mod event;
mod fake_platform;
mod faults;
pub mod harness;
mod kernel;
mod memory;
mod module;
mod object;
mod opencl;
mod queue;
mod reflect;
mod sysman;
