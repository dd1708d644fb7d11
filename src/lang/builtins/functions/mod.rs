//! The built-in functions, one file a family.

pub mod numeric;
