//! Device programs: OpenCL-flavoured SPIR-V built from a description of what is computed.
//!
//! A description ([`Program`]) holds structure only: operations, dtypes, how many axes, which strides are one. Addresses,
//! scalars, lengths and strides are arguments, so an expression in a loop is built once. The same description always
//! gives the same words. Nothing here knows arrays, devices or drivers; from expressions to descriptions leads
//! `expr::device`. Modules are SPIR-V 1.0 with contraction off, and are parsed once more before anyone else may see
//! them: drivers end the process over a malformed one.

mod apply;
mod cast;
mod complex;
mod complex_functions;
mod emit;
mod fold;
mod fused;
mod integer;
mod map;
mod moves;
mod number;
mod panels;
mod product;
mod program;
mod real;
mod scan;
mod search;
mod sort;
mod space;
mod value;

pub use emit::is_well_formed;
pub use fold::{CHUNK, GROUP, Keep, LANES};
pub use fused::{Action, Fused, NotLowered, Slot, Source, Step};
pub use map::SIDE_BY_SIDE;
pub use moves::Move;
pub use panels::{ROWS_OF_PANEL, columns_of_panel};
pub use product::{ROWS_OF_ITEM, TILE};
pub use program::{Kind, Program, text};
pub use scan::Pass;
pub use sort::{BLOCK, Stage};
pub use space::{Lane, Space};

#[cfg(test)]
pub(super) mod sample;
#[cfg(test)]
mod tests;
