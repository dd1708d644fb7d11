//! The rules of the source tree that no compiler checks: who may depend on whom, where `unsafe` may stand, which file may
//! name a foreign library.

use std::path::{Path, PathBuf};

/// Parts from the top down; a part may use those to its right and itself, never back or sideways.
const ORDER: &[&[&str]] =
    &[&["kernel", "repl", "batch"], &["session"], &["lang", "rust_cells", "gauges", "report"], &["arrays", "display"]];

/// Files and folders that may contain `unsafe`, each with its reason.
const UNSAFE_ALLOWED: &[(&str, &str)] = &[
    ("src/lang/heap.rs", "object headers and reference counts"),
    ("src/lang/heap/weak.rs", "references that keep nothing alive"),
    ("src/arrays/buffer.rs", "memory that moves between threads"),
    ("src/arrays/buffer/access.rs", "slices of a block's memory"),
    ("src/arrays/array/access.rs", "typed slices of a block's memory"),
    ("src/arrays/backend.rs", "blocks may move between threads"),
    ("src/arrays/native/", "mapping of memory"),
    ("src/arrays/opencl/", "calls of the driver"),
    ("src/arrays/level_zero/", "calls of a driver"),
    ("src/main.rs", "one environment variable, before there are threads"),
    ("src/arrays/cpu/", "SIMD"),
    ("src/arrays/expr/", "element pointers handed to the engine's kernels"),
    ("src/rust_cells/shared.rs", "mapping of shared memory and copies into it"),
    ("src/kernel/process.rs", "leaving without running destructors"),
];

/// Foreign crates that only these places may name.
const CONFINED: &[(&str, &[&str])] = &[
    ("ruff_python_", &["src/lang/parse/mod.rs"]),
    ("zmq::", &["src/kernel/"]),
    ("rustyline", &["src/repl/"]),
    ("ratatui", &["src/repl/"]),
    ("level_zero_sys", &["src/arrays/level_zero/"]),
    ("rspirv", &["src/arrays/spirv/"]),
    ("libloading", &["src/arrays/opencl/loader.rs"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a source folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Every source file under `src` by its path from the root, with its text.
fn sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a source file reads");
            (path.strip_prefix(root()).expect("under the root").to_string_lossy().into_owned(), text)
        })
        .collect()
}

/// The lines of a file that are code, with their numbers.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn layer(part: &str) -> Option<usize> {
    ORDER.iter().position(|parts| parts.contains(&part))
}

#[test]
fn maps_name_every_part() {
    let read = |file: &str| std::fs::read_to_string(root().join(file)).expect("a file of the tree");
    let (crate_text, architecture) = (read("src/lib.rs"), read("ARCHITECTURE.md"));
    for part in crate_text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
        assert!(layer(part).is_some(), "{part} has no place in ORDER");
        assert!(crate_text.contains(&format!("[`{part}`]")), "the map in src/lib.rs lacks {part}");
        assert!(architecture.contains(&format!("\nsrc/{part}/ ")), "the map in ARCHITECTURE.md lacks src/{part}/");
    }
}

#[test]
fn parts_depend_only_downwards() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let Some(part) = path.strip_prefix("src/").and_then(|rest| rest.split('/').next()) else { continue };
        let Some(own) = layer(part) else { continue };
        for (number, line) in code_lines(&text) {
            for other in ORDER.iter().copied().flatten().copied() {
                let named = line.contains(&format!("crate::{other}::")) || line.contains(&format!("crate::{other};"));
                let allowed = part == other || layer(other).is_some_and(|layer| layer > own);
                if named && !allowed {
                    wrong.push(format!("{path}:{number}: {part} must not use {other}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unsafe_stands_only_where_it_may() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        if UNSAFE_ALLOWED.iter().any(|(allowed, _)| path.starts_with(allowed)) {
            continue;
        }
        for (number, line) in code_lines(&text) {
            // The word alone also names a casting mode; only the keyword opens something.
            if ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"].iter().any(|opening| line.contains(opening)) {
                wrong.push(format!("{path}:{number}: unsafe outside the allowed files"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn allowed_places_are_still_needed() {
    let sources = sources();
    let is_used = |place: &str, word: &str| {
        let mut there = sources.iter().filter(|(path, _)| path.starts_with(place));
        there.any(|(_, text)| code_lines(text).any(|(_, line)| line.contains(word)))
    };
    for (place, reason) in UNSAFE_ALLOWED {
        assert!(is_used(place, "unsafe"), "{place} needs no unsafe any more ({reason})");
    }
    for (name, places) in CONFINED {
        for place in *places {
            assert!(is_used(place, name), "{place} does not name {name} any more");
        }
    }
}

#[test]
fn foreign_libraries_stay_where_they_belong() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (name, allowed) in CONFINED {
            if allowed.iter().any(|place| path.starts_with(place)) {
                continue;
            }
            for (number, line) in code_lines(&text) {
                if line.contains(name) {
                    wrong.push(format!("{path}:{number}: {name} belongs to {}", allowed.join(", ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_source_file_opens_with_its_purpose() {
    let missing: Vec<String> =
        sources().into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(path, _)| path).collect();
    assert!(missing.is_empty(), "no opening //! in: {}", missing.join(", "));
}
