//! Who holds which memory: the walk from everything that can hold a value, one shortest path per holder, and what to
//! type to let go.
//!
//! `roots` names the beginnings (other parts add theirs through the trait [`Root`]), `walk` finds all they reach, `graph` is what it found, `cut` finds the edges that have to go for an allocation to be freed, `path` turns steps into text (only
//! for what is shown), `owners` sums by name, `release` foretells what letting go frees. None of it runs code of the program.

mod cut;
mod graph;
mod memory;
mod owners;
mod path;
mod release;
mod roots;
#[cfg(test)]
mod tests;
mod walk;

pub use cut::{Holder, HolderKind, Turn};
pub use graph::Graph;
pub use memory::{Reached, buffer_of, reach, reach_within, visit_buffers};
pub use owners::Owner;
pub use release::{Foretelling, Foretold, foretell_with};
pub use roots::{Held, Hold, QueuedWork, Root, RootKind, Roots, Without};
