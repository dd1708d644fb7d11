//! Compiled device programs kept between runs: a folder private to the user, bounded, whose damaged entries are ignored.
//!
//! An entry is found by what it was made from: the program's words, the driver, the device and the build options. Nothing
//! here fails: without a cache every program is compiled anew.

use sha2::{Digest, Sha256};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// Raised when what an entry holds changes its meaning.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"CELLHOLD";
const HEADER: usize = 8 + 4 + 8 + 32;
/// Bytes all entries together may take.
const TOTAL_MAX: u64 = 256 << 20;
/// One entry may take this much.
const ENTRY_MAX: usize = 32 << 20;
/// How many entries are written between two looks at the total.
const LOOK_EVERY: u32 = 64;

/// The compiled programs of this user.
pub struct ProgramCache {
    folder: Option<PathBuf>,
    written: AtomicU32,
    total_max: u64,
}

impl ProgramCache {
    /// The cache in `$XDG_CACHE_HOME/cellhold/programs` or `~/.cache/cellhold/programs`; without either, or where the
    /// folder is not private to the user, a cache that keeps nothing. `CELLHOLD_PROGRAM_CACHE=off` keeps nothing either.
    pub fn of_user() -> ProgramCache {
        ProgramCache::in_folder(user_folder().and_then(private_folder), TOTAL_MAX)
    }

    const fn in_folder(folder: Option<PathBuf>, total_max: u64) -> ProgramCache {
        ProgramCache { folder, written: AtomicU32::new(0), total_max }
    }

    /// The name of the entry made from these words, for the device, driver and options that `circumstances` spell out.
    pub fn key(words: &[u32], circumstances: &[&str]) -> CacheKey {
        let mut hash = Sha256::new();
        hash.update(VERSION.to_le_bytes());
        for text in circumstances {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        for word in words {
            hash.update(word.to_le_bytes());
        }
        CacheKey(hash.finalize().into())
    }

    /// The compiled program of a key, if an entry is there and whole; a damaged one is removed.
    pub fn get(&self, key: &CacheKey) -> Option<Vec<u8>> {
        let path = self.path(key)?;
        let mut file = File::open(&path).ok()?;
        let length = file.metadata().ok()?.len();
        let mut entry = Vec::new();
        if length <= (HEADER + ENTRY_MAX) as u64 && file.read_to_end(&mut entry).is_ok() && is_whole(&entry) {
            // The time of the last use decides what is thrown out first.
            let _ = file.set_modified(SystemTime::now());
            return Some(entry.split_off(HEADER));
        }
        let _ = fs::remove_file(&path);
        None
    }

    /// Keeps a compiled program. Readers see it whole or not at all.
    pub fn put(&self, key: &CacheKey, program: &[u8]) {
        let Some(path) = self.path(key) else { return };
        if program.len() > ENTRY_MAX {
            return;
        }
        let mut entry = Vec::with_capacity(HEADER + program.len());
        entry.extend_from_slice(MAGIC);
        entry.extend_from_slice(&VERSION.to_le_bytes());
        entry.extend_from_slice(&(program.len() as u64).to_le_bytes());
        entry.extend_from_slice(&Sha256::digest(program));
        entry.extend_from_slice(program);
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let draft = path.with_extension(format!("{}-{number}", std::process::id()));
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&draft)
            .and_then(|mut file| file.write_all(&entry))
            .and_then(|()| fs::rename(&draft, &path));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        if number.is_multiple_of(LOOK_EVERY) {
            self.shrink();
        }
    }

    /// Forgets an entry that the driver did not take.
    pub fn forget(&self, key: &CacheKey) {
        if let Some(path) = self.path(key) {
            let _ = fs::remove_file(path);
        }
    }

    fn path(&self, key: &CacheKey) -> Option<PathBuf> {
        let name: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(self.folder.as_ref()?.join(name))
    }

    /// Removes what was unused longest until the total is in bounds; drafts of dead processes go that way too.
    fn shrink(&self) {
        let Some(folder) = &self.folder else { return };
        let Ok(listing) = fs::read_dir(folder) else { return };
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = listing
            .flatten()
            .filter_map(|entry| {
                let facts = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((facts.modified().ok()?, facts.len(), entry.path()))
            })
            .collect();
        let mut total: u64 = entries.iter().map(|entry| entry.1).sum();
        entries.sort();
        for (_, bytes, path) in entries {
            if total <= self.total_max {
                break;
            }
            if fs::remove_file(path).is_ok() {
                total -= bytes;
            }
        }
    }
}

/// Identifies a compiled program by all it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheKey([u8; 32]);

fn is_whole(entry: &[u8]) -> bool {
    let Some((header, program)) = entry.split_at_checked(HEADER) else { return false };
    header[..8] == *MAGIC
        && header[8..12] == VERSION.to_le_bytes()
        && header[12..20] == (program.len() as u64).to_le_bytes()
        && header[20..] == Sha256::digest(program)[..]
}

fn user_folder() -> Option<PathBuf> {
    if std::env::var_os("CELLHOLD_PROGRAM_CACHE").is_some_and(|value| value == "off") {
        return None;
    }
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(caches.join("cellhold").join("programs"))
}

/// Makes the folder, or finds that it is there and that nobody else may write into it or read it.
fn private_folder(folder: PathBuf) -> Option<PathBuf> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&folder).ok()?;
    is_private(&folder).then_some(folder)
}

fn is_private(folder: &Path) -> bool {
    let own = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(folder).is_ok_and(|facts| facts.is_dir() && facts.uid() == own && facts.mode() & 0o077 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn cache(folder: &Path, total_max: u64) -> ProgramCache {
        ProgramCache::in_folder(private_folder(folder.join("programs")), total_max)
    }

    #[test]
    fn entries_are_found_by_all_they_were_made_from_and_are_private() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path(), TOTAL_MAX);
        let key = ProgramCache::key(&[1, 2, 3], &["driver 1", "-O2"]);
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"machine code");
        assert_eq!(cache.get(&key).as_deref(), Some(&b"machine code"[..]));
        for other in [
            ProgramCache::key(&[1, 2, 4], &["driver 1", "-O2"]),
            ProgramCache::key(&[1, 2, 3], &["driver 2", "-O2"]),
            ProgramCache::key(&[1, 2, 3], &["driver 1-", "O2"]),
        ] {
            assert_eq!(cache.get(&other), None);
        }
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&folder.path().join("programs")), 0o700);
        assert_eq!(mode(&cache.path(&key).expect("a folder")), 0o600);
    }

    #[test]
    fn damaged_entries_are_ignored_and_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path(), TOTAL_MAX);
        let key = ProgramCache::key(&[7], &[]);
        cache.put(&key, &[5; 100]);
        let path = cache.path(&key).expect("a folder");
        let whole = fs::read(&path).expect("written");
        let mut flipped = whole.clone();
        flipped[HEADER + 50] ^= 1;
        for damaged in [&[][..], &whole[..20], &whole[..whole.len() - 1], &flipped] {
            fs::write(&path, damaged).expect("written");
            assert_eq!(cache.get(&key), None);
            assert!(!path.exists(), "a damaged entry of {} bytes stays", damaged.len());
        }
    }

    #[test]
    fn what_was_unused_longest_goes_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = cache(folder.path(), 3 * (HEADER as u64 + 100));
        let keys: Vec<CacheKey> = (0..4u32).map(|number| ProgramCache::key(&[number], &[])).collect();
        let start = SystemTime::UNIX_EPOCH;
        for (age, key) in keys.iter().enumerate() {
            cache.put(key, &[0; 100]);
            let file = File::open(cache.path(key).expect("a folder")).expect("written");
            file.set_modified(start + std::time::Duration::from_secs(age as u64)).expect("ours");
        }
        assert!(cache.get(&keys[0]).is_some(), "the use makes it the youngest");
        cache.shrink();
        let left: Vec<bool> = keys.iter().map(|key| cache.path(key).expect("a folder").exists()).collect();
        assert_eq!(left, [true, false, true, true]);
    }

    #[test]
    fn a_folder_that_others_may_enter_is_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = folder.path().join("programs");
        fs::create_dir(&open).expect("created");
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).expect("ours");
        assert_eq!(private_folder(open), None);
        let nothing = ProgramCache::in_folder(None, TOTAL_MAX);
        let key = ProgramCache::key(&[1], &[]);
        nothing.put(&key, b"x");
        assert_eq!(nothing.get(&key), None);
    }
}
