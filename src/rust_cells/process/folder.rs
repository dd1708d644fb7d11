//! The session's private folder for Rust cells: sockets, and a folder for each helper.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// A socket's path may have so many bytes, and what stands in the folder needs some of them.
const PATH_BYTES_MAX: usize = 70;

/// The folder; it goes when this is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes a folder that only this user can enter.
    pub fn new() -> std::io::Result<Self> {
        let name = format!("cellhold-rust-{}", &Uuid::new_v4().simple().to_string()[..12]);
        let mut path = std::env::temp_dir().join(&name);
        if path.as_os_str().len() > PATH_BYTES_MAX {
            path = Path::new("/tmp").join(name);
        }
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
