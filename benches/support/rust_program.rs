//! Builds a Rust program against the client of Rust cells with rustc alone, as tests and benchmarks need it: no evcxr, no cargo.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

fn rustc(arguments: &[&OsStr]) {
    let common = ["--edition", "2024", "-O", "-D", "warnings", "-A", "unused-macros"];
    let out = Command::new("rustc").args(common).args(arguments).output().expect("rustc runs");
    assert!(out.status.success(), "rustc failed:\n{}", String::from_utf8_lossy(&out.stderr));
}

/// Builds the client and a program (a path from the root of this tree) into a folder; answers the program's path.
pub fn build(folder: &Path, program: &str) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder for what is built");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (client, library) = (root.join("rust-cells/client/src/lib.rs"), folder.join("libcellhold.rlib"));
    rustc(&[
        "--crate-name".as_ref(),
        "cellhold".as_ref(),
        "--crate-type".as_ref(),
        "rlib".as_ref(),
        client.as_ref(),
        "-o".as_ref(),
        library.as_ref(),
    ]);
    let (source, built) = (root.join(program), folder.join("program"));
    let dependency = format!("cellhold={}", library.display());
    rustc(&[source.as_ref(), "--extern".as_ref(), dependency.as_ref(), "-o".as_ref(), built.as_ref()]);
    built
}
