//! How much memory the machine may still use, for growths that a program asks for.

/// Bytes that can be allocated without driving the system into its killer: the smaller of what the control group leaves and
/// what the system says is available, less a margin. Nothing when the system does not say.
pub fn available_bytes() -> Option<u64> {
    const MARGIN_BYTES: u64 = 256 << 20;
    let meminfo = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kib: u64 =
        meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.split_whitespace().next()?.parse().ok()?;
    let read = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = match (read("/sys/fs/cgroup/memory.max"), read("/sys/fs/cgroup/memory.current")) {
        (Some(limit), Some(used)) => Some(limit.saturating_sub(used)),
        _ => None,
    };
    let available = (kib << 10).min(group.unwrap_or(u64::MAX));
    Some(available.saturating_sub(MARGIN_BYTES))
}
