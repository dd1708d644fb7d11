//! Built-in types and functions: one file a type with its table of methods, one for the free functions.

pub mod array_classes;
pub mod classes;
pub mod exception;
pub mod property;
