//! Whole-array functions by family, for `dpnp.*` and `numpy.*` alike; `Flavour` says which where the two differ.
//!
//! The binding parses Python arguments; here they are plain values. Everything returns new arrays or views, or writes into arrays given to it.
//!
//! Families of dpnp's and NumPy's documentation are modules of the same name. Beside them stand `support` (allocating, copying and
//! filling for all of them) and `arithmetic` (single elements, for loops that carry a value along).

pub mod arithmetic;
pub mod calculus;
pub mod convert;
pub mod creation;
pub mod einsum;
pub mod fft;
pub mod indexing;
pub mod io;
pub mod joining;
pub mod linalg;
pub mod padding;
pub mod print;
pub mod products;
pub mod random;
pub mod rearrange;
pub mod scans;
pub mod sets;
pub mod shapes;
pub mod sorting;
pub mod splitting;
pub mod statistics;
pub mod support;
pub mod windows;

#[cfg(test)]
mod tests;
