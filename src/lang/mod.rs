//! The language: Python syntax, evaluated by a register machine that knows every root that can hold an array.
//!
//! `parse` turns text into our `tree`, `compile` the tree into [`code`], [`vm`] runs it. [`value`] and [`heap`] are what it
//! computes with, [`objects`] the data of each kind, `builtins` and `modules` their behaviour. What the language needs from
//! above is [`host::Host`]. It knows nothing of sessions, front ends and the Jupyter wire.

pub mod arrays;
pub mod builtins;
pub mod code;
pub mod collector;
pub mod compile;
pub mod frame;
pub mod heap;
pub mod host;
pub mod host_memory;
pub mod modules;
pub mod name;
pub mod native;
pub mod objects;
pub mod operators;
pub mod parse;
pub mod raise;
pub mod traceback;
pub mod tree;
pub mod value;
pub mod vm;
