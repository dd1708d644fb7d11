//! Arrays in the language: how values become arrays and back, pending expressions, operators, and the methods of array
//! classes. The modules `dpnp`, `numpy`, `dpctl` and `cunumpy` are tables over this.

pub mod call;
pub mod convert;
pub mod device;
pub mod dtype;
pub mod error;
pub mod nested;
pub mod operators;
pub mod pending;
pub mod products;
pub mod reductions;
pub mod ufunc;
