/// The client's files by their paths inside its package, for whoever writes it out. To be included where this folder is reachable
/// as `client/` beside the including file's folder.
pub const FILES: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("Cargo.toml")),
    ("src/lib.rs", include_str!("src/lib.rs")),
    ("src/array.rs", include_str!("src/array.rs")),
    ("src/calls.rs", include_str!("src/calls.rs")),
    ("src/element.rs", include_str!("src/element.rs")),
    ("src/functions.rs", include_str!("src/functions.rs")),
    ("src/holds.rs", include_str!("src/holds.rs")),
    ("src/link.rs", include_str!("src/link.rs")),
    ("src/operators.rs", include_str!("src/operators.rs")),
    ("src/pool.rs", include_str!("src/pool.rs")),
    ("src/wire.rs", include_str!("src/wire.rs")),
];
