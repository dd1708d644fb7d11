//! Arrays.
pub mod functions;
