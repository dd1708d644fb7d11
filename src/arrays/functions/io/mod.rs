//! Arrays in files: `.npy` and `.npz`, text, and raw bytes.

pub mod npy;
mod npy_header;
pub mod npz;
pub mod raw;
pub mod text;
