//! `numpy.random` and `dpnp.random`: seeded streams, distributions, and the arrays filled from them.

mod bounded;
mod check;
mod discrete;
mod distributions;
mod generator;
mod permuting;
mod streams;
mod twister;
mod vectors;
mod ziggurat_tables;

pub use discrete::WholeDistribution;
pub use distributions::{Family, RealDistribution};
pub use generator::{Generator, LegacyState, ModernState, seed_words};
pub use twister::Twister;
