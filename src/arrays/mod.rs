//! Arrays on devices: dtypes, layouts, buffers, the ledger of who holds what, and the engines that compute.
//!
//! A leaf of the crate: it knows nothing of the language, the session or the front ends, and never calls upward. What it
//! reports goes out as values: errors, readings, entries, accounts.
//!
//! One evaluator thread owns the registry of devices, the ledger and the pool; they are per thread, so that sessions in
//! one process do not meet. Buffers may be held and dropped anywhere.

pub mod account;
pub mod array;
pub mod attention;
pub mod backend;
pub mod budget;
pub mod buffer;
pub mod chunk;
pub mod cpu;
pub mod device;
mod discovery;
pub mod dtype;
pub mod element;
pub mod error;
pub mod event;
pub mod expr;
pub mod functions;
pub mod layout;
pub mod ledger;
pub mod level_zero;
pub mod limit;
mod mirror;
pub mod native;
pub mod op;
pub mod opencl;
pub mod patience;
pub mod plan;
pub mod pool;
pub mod program_cache;
pub mod readings;
pub mod registry;
pub mod scalar;
pub mod selector;
pub mod sim;
pub mod spirv;
pub mod totals;
pub mod trace;
pub mod usm;
pub mod work;
pub mod worker;

pub use array::{Alloc, Array};
pub use backend::UsmKind;
pub use buffer::Buffer;
pub use device::{ContextHandle, DeviceHandle, Place, QueueHandle};
pub use dtype::{Casting, DType, Element, WeakKind};
pub use error::{ArrayError, ErrorKind};
pub use event::Event;
pub use layout::{Dims, Layout, Order};
pub use scalar::{Operand, Scalar};
