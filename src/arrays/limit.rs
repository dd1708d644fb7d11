//! The one limit on host memory that native arrays, NumPy arrays and the language's own growth share.
//!
//! Linux grants more memory than it has and kills later. So every large request is reserved here first, counted whole
//! even where pages are untouched, and a refused reservation is an error that a program can catch.

use super::readings::Amount;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is kept back for the interpreter itself and for the page tables: a sixteenth, at least 64 MiB.
const MARGIN_MIN: usize = 64 << 20;

/// The limit and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Bytes that may be reserved in all.
    pub bytes: usize,
    /// `cgroup`, `MemAvailable` or `ulimit -v`.
    pub source: &'static str,
}

/// Bytes reserved from the limit; gives them back when dropped.
#[derive(Debug)]
pub struct Reservation {
    bytes: usize,
}

/// A refused reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What was asked for.
    pub bytes: usize,
    /// What could have been had.
    pub free: usize,
    /// The whole limit.
    pub total: usize,
}

static RESERVED: AtomicUsize = AtomicUsize::new(0);

/// The limit of this process, fixed when first asked for.
pub fn total() -> Limit {
    static LIMIT: OnceLock<Limit> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let available = meminfo_bytes("MemAvailable:").unwrap_or(usize::MAX);
        let (mut bytes, mut source) = match cgroup() {
            Some(group) if group.limit.saturating_sub(group.usage) < available => {
                (group.limit.saturating_sub(group.usage), "cgroup")
            }
            _ => (available, "MemAvailable"),
        };
        if let Some(addresses) = free_addresses()
            && addresses < bytes
        {
            (bytes, source) = (addresses, ADDRESSES);
        }
        Limit { bytes: bytes.saturating_sub((bytes / 16).max(MARGIN_MIN)), source }
    })
}

/// What the machine, or the control group if that is smaller, has in all; nothing of it is in use yet in this figure.
pub fn capacity() -> Amount {
    let machine = meminfo_bytes("MemTotal:");
    match (machine, cgroup().map(|group| group.limit)) {
        (Some(machine), Some(group)) if group < machine => Amount::known(group as u64, "cgroup"),
        (Some(machine), _) => Amount::known(machine as u64, "MemTotal"),
        (None, Some(group)) => Amount::known(group as u64, "cgroup"),
        (None, None) => Amount::unknown("/proc/meminfo has no MemTotal line"),
    }
}

/// Bytes reserved by everyone now.
pub fn reserved() -> usize {
    RESERVED.load(Ordering::Relaxed)
}

/// Reserves bytes until the reservation is dropped.
pub fn reserve(bytes: usize) -> Result<Reservation, Refused> {
    if reserve_bytes(bytes) {
        Ok(Reservation { bytes })
    } else {
        let total = total().bytes;
        Err(Refused { bytes, free: total.saturating_sub(reserved()), total })
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        release_bytes(self.bytes);
    }
}

/// Counts bytes against the limit, or refuses and counts nothing.
pub(super) fn reserve_bytes(bytes: usize) -> bool {
    let limit = total().bytes;
    if bytes > limit {
        return false;
    }
    let before = RESERVED.fetch_add(bytes, Ordering::Relaxed);
    if before + bytes <= limit {
        return true;
    }
    RESERVED.fetch_sub(bytes, Ordering::Relaxed);
    false
}

/// Gives counted bytes back.
pub(super) fn release_bytes(bytes: usize) {
    let before = RESERVED.fetch_sub(bytes, Ordering::Relaxed);
    debug_assert!(before >= bytes, "more host memory released than reserved");
}

/// Host memory free now: what is left of the limit, or less when the machine or the cgroup has less.
pub fn free_now() -> Amount {
    let limit = total();
    let mut free = (limit.bytes.saturating_sub(reserved()), limit.source);
    if let Some(available) = meminfo_bytes("MemAvailable:")
        && available < free.0
    {
        free = (available, "MemAvailable");
    }
    if let Some(group) = cgroup()
        && group.limit.saturating_sub(group.usage) < free.0
    {
        free = (group.limit.saturating_sub(group.usage), "cgroup");
    }
    if let Some(addresses) = free_addresses()
        && addresses < free.0
    {
        free = (addresses, ADDRESSES);
    }
    if free.0 == usize::MAX {
        return Amount::unknown("/proc/meminfo has no MemAvailable line");
    }
    Amount::known(free.0 as u64, free.1)
}

/// Who says so when the limit on this process's addresses is what binds.
const ADDRESSES: &str = "ulimit -v";

/// Bytes of addresses that this process may still map, where it has such a limit.
fn free_addresses() -> Option<usize> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current?;
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = statm.split_whitespace().next()?.parse().ok()?;
    let mapped = pages.saturating_mul(rustix::param::page_size());
    Some(usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(mapped))
}

fn meminfo_bytes(field: &str) -> Option<usize> {
    meminfo_field(&std::fs::read_to_string("/proc/meminfo").ok()?, field)
}

fn meminfo_field(meminfo: &str, field: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix(field))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// What a control group allows and uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cgroup {
    limit: usize,
    usage: usize,
}

/// The tightest memory limit on the path from this process's control group to the root, in either version.
fn cgroup() -> Option<Cgroup> {
    let membership = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    cgroup_directories(&membership)
        .into_iter()
        .filter_map(|(directory, version)| read_cgroup(&directory, version))
        .min_by_key(|group| group.limit.saturating_sub(group.usage))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Every directory whose limit binds this process, from its own group up.
fn cgroup_directories(membership: &str) -> Vec<(PathBuf, Version)> {
    let mut directories = Vec::new();
    for line in membership.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let (root, version) = if controllers.is_empty() {
            ("/sys/fs/cgroup", Version::Two)
        } else if controllers.split(',').any(|controller| controller == "memory") {
            ("/sys/fs/cgroup/memory", Version::One)
        } else {
            continue;
        };
        let relative = Path::new(path.trim_start_matches('/'));
        for ancestor in relative.ancestors() {
            directories.push((Path::new(root).join(ancestor), version));
        }
    }
    directories
}

fn read_cgroup(directory: &Path, version: Version) -> Option<Cgroup> {
    let (limit_file, usage_file) = match version {
        Version::One => ("memory.limit_in_bytes", "memory.usage_in_bytes"),
        Version::Two => ("memory.max", "memory.current"),
    };
    let limit = std::fs::read_to_string(directory.join(limit_file)).ok()?;
    let usage = std::fs::read_to_string(directory.join(usage_file)).ok()?;
    parse_cgroup(&limit, &usage)
}

/// Nothing when the group sets no limit: `max`, or version one's number near the largest there is.
fn parse_cgroup(limit: &str, usage: &str) -> Option<Cgroup> {
    let limit: usize = limit.trim().parse().ok()?;
    if limit >= 1 << 60 {
        return None;
    }
    Some(Cgroup { limit, usage: usage.trim().parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_gives_available_not_free() {
        let text = "MemTotal:       24683520 kB\nMemFree:        1 kB\nMemAvailable:   24258560 kB\n";
        assert_eq!(meminfo_field(text, "MemAvailable:"), Some(24_258_560 * 1024));
        assert_eq!(meminfo_field(text, "MemTotal:"), Some(24_683_520 * 1024));
        assert_eq!(meminfo_field("MemFree: 1 kB\n", "MemAvailable:"), None);
    }

    #[test]
    fn an_unset_cgroup_limit_is_no_limit() {
        assert_eq!(parse_cgroup("max\n", "5\n"), None);
        assert_eq!(parse_cgroup("9223372036854771712\n", "5\n"), None);
        assert_eq!(parse_cgroup("1000\n", "250\n"), Some(Cgroup { limit: 1000, usage: 250 }));
    }

    #[test]
    fn both_cgroup_versions_are_searched_up_to_the_root() {
        let directories = cgroup_directories("9:name=systemd:/\n4:cpu,memory:/a/b\n0::/c\n");
        let paths: Vec<_> = directories.iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
        assert_eq!(
            paths,
            [
                "/sys/fs/cgroup/memory/a/b",
                "/sys/fs/cgroup/memory/a",
                "/sys/fs/cgroup/memory/",
                "/sys/fs/cgroup/c",
                "/sys/fs/cgroup/"
            ]
        );
    }

    #[test]
    fn the_limit_lies_within_the_machine() {
        assert!(capacity().bytes().is_some_and(|bytes| total().bytes as u64 <= bytes));
    }

    #[test]
    fn a_reservation_beyond_the_limit_is_refused_and_counts_nothing() {
        let refused = reserve(total().bytes + 1).expect_err("more than everything");
        assert_eq!(refused.total, total().bytes);
        assert!(reserve(usize::MAX).is_err());
    }
}
