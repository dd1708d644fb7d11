//! `numpy.random` and `dpnp.random`: seeded streams, distributions, and the arrays filled from them.

mod bounded;
mod discrete;
mod distributions;
mod streams;
mod ziggurat_tables;
