//! The `cellhold` binary: arguments only.
fn main() {}
