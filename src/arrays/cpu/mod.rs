//! The native engine: kernels over tiles, reductions with one fixed tree, scans, products, sorting, casts.
//!
//! Works on addresses, widths and strides that the callers above have checked; it never allocates array memory and
//! knows neither places nor the ledger. Unsafe code of the array layer's computing part is confined to this folder.

#![expect(
    clippy::eq_op,
    clippy::neg_cmp_op_on_partial_ord,
    clippy::needless_range_loop,
    clippy::excessive_precision,
    reason = "numeric loops ask for NaN and count lanes in the form that vectorises; constants keep their published digits"
)]

pub mod arg;
pub mod elementwise;
mod extremes;
pub mod flags;
pub mod fold;
pub mod isa;
pub mod kernel;
pub mod kernels;
pub mod matmul;
pub mod memory;
pub mod parallel;
pub mod reduce;
pub mod scan;
pub mod tile;
pub mod vecmath;
