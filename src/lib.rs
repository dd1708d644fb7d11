//! Cellhold: a Jupyter kernel and terminal REPL for arrays on Intel devices that shows what holds device memory.
pub mod arrays;
pub mod batch;
pub mod display;
pub mod gauges;
pub mod kernel;
pub mod lang;
pub mod repl;
pub mod report;
pub mod rust_cells;
pub mod session;
