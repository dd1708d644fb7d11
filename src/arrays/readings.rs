//! Figures about memory, each either known with its source or unknown with the reason. Unknown is never zero.

use super::backend::UsmKind;

/// A number of bytes that a system may or may not give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Known, and who said so (`cgroup`, `MemAvailable`, `simulated`).
    Known {
        /// The figure.
        bytes: u64,
        /// Its source.
        source: &'static str,
    },
    /// Not given, with the reason and, where there is one, the remedy.
    Unknown {
        /// Why there is no figure.
        reason: Box<str>,
    },
}

impl Amount {
    /// A known figure.
    pub const fn known(bytes: u64, source: &'static str) -> Amount {
        Amount::Known { bytes, source }
    }

    /// No figure, and why.
    pub fn unknown(reason: impl Into<Box<str>>) -> Amount {
        Amount::Unknown { reason: reason.into() }
    }

    /// The figure, if there is one.
    pub const fn bytes(&self) -> Option<u64> {
        match self {
            Amount::Known { bytes, .. } => Some(*bytes),
            Amount::Unknown { .. } => None,
        }
    }
}

/// What a device says about its memory at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryReading {
    /// Capacity.
    pub total: Amount,
    /// Free now, for everyone on the machine.
    pub free: Amount,
}

/// What this session has on one device, from its ledger and pool: exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Bytes asked for by live allocations.
    pub live: u64,
    /// Bytes those occupy.
    pub live_blocks: u64,
    /// Bytes of freed blocks kept for reuse.
    pub cached: u64,
    /// The highest `live` so far.
    pub peak: u64,
    /// Live allocations.
    pub count: u64,
}

/// Everything `%devices` and gauges show about one device's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceReading {
    /// The ledger's name of the device (`native:cpu:0`, `sim:gpu:0`, `host`).
    pub filter: Box<str>,
    /// What the device says of itself.
    pub memory: MemoryReading,
    /// What this session has there, all kinds together.
    pub here: Holdings,
    /// Bytes that the backend keeps for copies of its own, beside what the session has there.
    pub copies: u64,
    /// The same per kind of memory, for kinds in use.
    pub by_kind: Vec<(Option<UsmKind>, Holdings)>,
}
