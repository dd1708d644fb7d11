//! Developer tasks of the workspace; `cargo xtask test` is exactly what continuous integration runs.
fn main() {}
