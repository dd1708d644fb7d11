//! How much memory the machine may still use, for growths that a program asks for.

use crate::arrays::limit;

/// Bytes that can be allocated without driving the system into its killer or a limit on this process into an abort: what the
/// limit that arrays share says is free, less a margin for what allocates without asking. Nothing when the system does not say.
pub fn available_bytes() -> Option<u64> {
    const MARGIN_BYTES_MAX: u64 = 256 << 20;
    limit::free_now().bytes().map(|bytes| bytes - (bytes / 8).min(MARGIN_BYTES_MAX))
}
