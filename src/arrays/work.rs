//! What a queue is asked to do, as data: programs with their arguments, copies, fills, and closures for the host.
//!
//! Addresses are those of live allocations that the step keeps alive. What a program computes is known to who made it;
//! a backend only compiles and launches it.

use super::error::ArrayError;
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// The work of a step.
#[expect(clippy::large_enum_variant, reason = "launches are what queues mostly get; a box for each would cost more")]
pub enum Work {
    /// A closure that runs on the host, after earlier work of the queue; it must not allocate buffers.
    Host(Box<dyn FnOnce() -> Result<(), ArrayError> + Send>),
    /// A device program over a range of work items.
    Launch(Launch),
    /// A copy of bytes that do not overlap. One side may be ordinary host memory; the other belongs to the queue's device.
    Copy {
        /// Address of the first byte read.
        from: usize,
        /// Address of the first byte written.
        to: usize,
        /// How many.
        bytes: usize,
    },
    /// A pattern written over and over.
    Fill {
        /// Address of the first byte written.
        to: usize,
        /// How many bytes, a multiple of the pattern's.
        bytes: usize,
        /// The pattern: 1, 2, 4, 8 or 16 bytes.
        pattern: SmallVec<[u8; 16]>,
    },
    /// Nothing; its times and its end mark what came before.
    Marker,
}

impl Work {
    /// A closure for the host.
    pub fn host(work: impl FnOnce() -> Result<(), ArrayError> + Send + 'static) -> Work {
        Work::Host(Box::new(work))
    }

    /// The word for it in messages about what a device cannot do.
    pub const fn name(&self) -> &'static str {
        match self {
            Work::Host(_) => "host work",
            Work::Launch(_) => "device programs",
            Work::Copy { .. } => "copies",
            Work::Fill { .. } => "fills",
            Work::Marker => "markers",
        }
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Work::Launch(launch) => launch.fmt(f),
            other => f.write_str(other.name()),
        }
    }
}

/// One run of a device program.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What runs.
    pub program: Arc<ProgramText>,
    /// Its arguments, in order.
    pub arguments: SmallVec<[Argument; 12]>,
    /// Work groups along each dimension; at least one.
    pub groups: [u32; 3],
    /// Work items of a group along each dimension; at least one.
    pub local: [u32; 3],
}

/// An argument of a device program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An address inside a live allocation of the device's context; the step keeps the allocation.
    Pointer(usize),
    /// A number, little-endian, in the first `len` bytes.
    Scalar {
        /// The bytes, then zeros.
        bytes: [u8; 16],
        /// How many count.
        len: u8,
    },
}

impl Argument {
    /// A number from its little-endian bytes, at most sixteen.
    pub fn scalar(value: &[u8]) -> Argument {
        let mut bytes = [0; 16];
        bytes[..value.len()].copy_from_slice(value);
        Argument::Scalar { bytes, len: value.len() as u8 }
    }
}

/// A device program: SPIR-V made by this crate's own generator, never anything else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramText {
    /// Identifies what the program does: equal keys mean equal words. Backends keep compiled programs by it.
    pub key: u128,
    /// The name of its one entry point.
    pub entry: Box<str>,
    /// The module.
    pub words: Box<[u32]>,
    /// What it computes, for messages.
    pub label: &'static str,
    /// What a device must have.
    pub needs: Needs,
}

/// What a program needs of a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Needs {
    /// Double precision.
    pub fp64: bool,
    /// Half precision arithmetic.
    pub fp16: bool,
    /// Memory per work group.
    pub local_bytes: usize,
    /// Buffers above 4 GiB among the arguments, which some devices must be told at compilation.
    pub large_buffers: bool,
    /// Division or square roots in single precision, which compilers for GPUs round correctly only when told to.
    pub exact_fp32: bool,
}

/// What programs a device runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramLimits {
    /// Whether it computes in double precision.
    pub fp64: bool,
    /// Whether it computes in half precision.
    pub fp16: bool,
    /// Most work items in a group.
    pub max_group: u32,
    /// Most work items of a group along each dimension.
    pub max_local: [u32; 3],
    /// Most groups along each dimension.
    pub max_groups: [u32; 3],
    /// Widths of the sub-groups it forms, ascending; empty when it does not say.
    pub sub_groups: Box<[u32]>,
    /// Memory per work group, in bytes.
    pub local_bytes: usize,
    /// Bits of an address: 64 or 32.
    pub address_bits: u32,
    /// The newest SPIR-V version it takes, as (major, minor).
    pub spirv: (u8, u8),
}

impl ProgramLimits {
    /// What a program needs and this device does not have, for the message; nothing when it runs here.
    pub fn missing(&self, needs: &Needs) -> Option<&'static str> {
        if needs.fp64 && !self.fp64 {
            Some("double precision")
        } else if needs.fp16 && !self.fp16 {
            Some("half precision")
        } else if needs.local_bytes > self.local_bytes {
            Some("that much memory per work group")
        } else {
            None
        }
    }
}
