//! Arrays made from nothing or from scalars: filled, spaced, and the named matrices.

mod filled;
mod matrices;
mod nested;
mod spaced;

pub use filled::{empty, empty_like, full, full_from_array, full_like, ones, ones_like, zeros, zeros_like};
pub use matrices::{diag, diagflat, eye, identity, index_line, indices, meshgrid, tri, tril, triu, vander};
pub use nested::{NestedData, asarray, from_bytes};
pub use spaced::{arange, geomspace, linspace, linspace_arrays, logspace};
