//! Whole-array functions by family.

pub mod io;
pub mod print;
pub mod random;
