//! Who holds which memory: the walk from everything that can hold a value, one shortest path per holder, and what to
//! type to let go.
//!
//! `graph` walks, `cut` finds the edges that have to go for an allocation to be freed, `path` turns steps into text (only
//! for what is shown), `release` foretells what letting go frees. None of it runs code of the program.

mod cut;
mod graph;
mod memory;
mod path;
mod release;
#[cfg(test)]
mod tests;

pub use cut::{Holder, HolderKind};
pub use graph::{Graph, RootKind, Roots};
pub use memory::{buffer_of, visit_buffers};
pub use release::{Foretold, foretell};
