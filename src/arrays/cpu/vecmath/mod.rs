//! Elementary functions written so that the compiler turns a loop over them into vector code.
//!
//! Each function is branch-free scalar Rust (selections instead of jumps), with explicit fused multiply-adds where
//! the error analysis needs them. Since every instruction set runs the same operations in the same order, results do
//! not depend on the processor, on the position in the array or on the number of threads. The error bound is 4 ULP;
//! most functions stay below 1.5. Single precision goes through double precision with shorter polynomials.
//! Nothing here knows of arrays, dtypes or tiles.

pub mod double;
pub mod hyperbolic;
pub mod inverse;
pub mod power;
pub mod single;
pub mod special;
pub mod trig;

#[cfg(test)]
mod tests;
