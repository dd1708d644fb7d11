//! Arrays in files: `.npy` and `.npz`, text, and raw bytes.

pub mod npy_header;
