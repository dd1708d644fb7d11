//! The lessons: notebooks on what holds memory, carried in the program so that whoever has it has them.

use std::io;
use std::path::{Path, PathBuf};

/// A lesson.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Its number, from 1.
    pub number: usize,
    /// What it is about.
    pub title: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// The notebook.
    pub notebook: &'static str,
    /// What has to be on the machine besides this program.
    pub needs: Option<&'static str>,
}

macro_rules! lessons {
    (@needs) => { None };
    (@needs $needs:literal) => { Some($needs) };
    ($($number:literal $title:literal $file:literal $(needs $needs:literal)?,)*) => {
        &[$(Lesson {
            number: $number,
            title: $title,
            file: $file,
            notebook: include_str!(concat!("../../lessons/", $file)),
            needs: lessons!(@needs $($needs)?),
        },)*]
    };
}

/// Every lesson, in order.
pub const LESSONS: &[Lesson] = lessons![
    1 "The output that holds" "01-the-output-that-holds.ipynb",
    2 "_ and friends" "02-underscore-and-friends.ipynb",
    3 "A small view of a big base" "03-a-small-view-of-a-big-base.ipynb",
    4 "Loops and out=" "04-loops-and-out.ipynb",
    5 "Exceptions that keep frames" "05-errors-that-keep-frames.ipynb",
    6 "Closures, defaults and caches" "06-closures-defaults-and-caches.ipynb",
    7 "Cycles and gc.collect()" "07-cycles-and-gc.ipynb",
    8 "Transfers from host to device" "08-transfers.ipynb",
    9 "The pool that looks like a leak, and data larger than the device" "09-the-pool-and-large-data.ipynb",
    10 "The wrong device" "10-the-wrong-device.ipynb",
    11 "Rust ownership and the ledger" "11-rust-ownership.ipynb" needs "cargo",
];

/// Writes every lesson into a folder, made if it is not there. A file that exists and differs is left alone; answers the
/// files written and those left.
pub fn copy_lessons(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    std::fs::create_dir_all(folder)?;
    let (mut written, mut left) = (Vec::new(), Vec::new());
    for lesson in LESSONS {
        let path = folder.join(lesson.file);
        match std::fs::read(&path) {
            Ok(there) if there == lesson.notebook.as_bytes() => written.push(path),
            // A reader's own guesses and notes are in it.
            Ok(_) => left.push(path),
            Err(_) => {
                std::fs::write(&path, lesson.notebook)?;
                written.push(path);
            }
        }
    }
    Ok((written, left))
}

/// What copying did, in a sentence or two.
pub fn copied_text(folder: &Path, written: &[PathBuf], left: &[PathBuf]) -> String {
    let mut text =
        format!("{} lessons are in {}. Open them with the kernel Cellhold.", written.len(), folder.display());
    for path in left {
        text.push_str(&format!("\n{} was changed and is left as it is.", path.display()));
    }
    text
}
