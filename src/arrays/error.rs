//! What can go wrong in the array layer, with the words that NumPy and dpnp users know.
//!
//! The message is made when it is shown. The language maps [`ErrorKind`] to an exception class; it never parses text.

use super::backend::UsmKind;
use super::dtype::DType;
use super::readings::Amount;
use std::fmt;

/// The class of an error, one to one with exception classes of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// `ValueError`.
    Value,
    /// `TypeError`.
    Type,
    /// `IndexError`.
    Index,
    /// `OverflowError`.
    Overflow,
    /// `ZeroDivisionError`.
    ZeroDivision,
    /// `AttributeError`.
    Attribute,
    /// `BufferError`.
    Buffer,
    /// `RuntimeError`.
    Runtime,
    /// `USMAllocationError`, or plain `MemoryError` for host memory.
    Memory,
    /// `ExecutionPlacementError`.
    Placement,
    /// `numpy.exceptions.AxisError`.
    Axis,
    /// `LinAlgError`.
    LinAlg,
    /// `SyclDeviceCreationError`.
    Device,
    /// `SyclQueueCreationError`.
    Queue,
    /// `SyclContextCreationError`.
    Context,
    /// A device that has failed for good.
    DeviceLost,
    /// `NotImplementedError`.
    NotSupported,
    /// `OSError` and its subclasses.
    Io,
    /// `ReleasedArrayError`.
    Released,
    /// `KeyboardInterrupt`.
    Interrupted,
    /// A plan that cannot go on.
    Unplanned,
}

/// Why an allocation was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortage {
    /// The device, or the host limit, has not that much left.
    Capacity,
    /// The request exceeds the device's largest single allocation, however much is free.
    SingleAllocation,
    /// A budget set by the user caps this block or cell.
    Budget {
        /// What it allows in all, in bytes.
        limit: u64,
        /// What it left when the request came, in bytes.
        left: u64,
    },
    /// A fault asked for by a test or by a simulated device's script.
    Scripted,
    /// The backend refused for a reason of its own.
    Backend,
}

/// The facts of a refused allocation.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfMemory {
    /// Bytes asked for.
    pub bytes: usize,
    /// Where, as the ledger names it (`native:cpu:0`, `host`).
    pub device: Box<str>,
    /// The kind of memory; nothing for NumPy's host memory.
    pub usm: Option<UsmKind>,
    /// Free at that moment, or why that is unknown.
    pub free: Amount,
    /// The device's capacity.
    pub total: Amount,
    /// The largest single allocation the device gives.
    pub max_single: Amount,
    /// Why it was refused.
    pub shortage: Shortage,
}

/// Every failure of the array layer.
#[expect(missing_docs, reason = "the fields are named after what the variant's sentence says")]
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayError {
    /// A wrong value; the message says which.
    Value { message: Box<str> },
    /// A wrong type.
    Type { message: Box<str> },
    /// An index out of range or of the wrong form.
    Index { message: Box<str> },
    /// An arithmetic overflow.
    Overflow { message: Box<str> },
    /// A division by zero that raises.
    ZeroDivision { message: Box<str> },
    /// A missing attribute.
    Attribute { message: Box<str> },
    /// A buffer-protocol refusal.
    BufferProtocol { message: Box<str> },
    /// A failure without a better class.
    Runtime { message: Box<str> },
    /// A numerical failure of linear algebra.
    LinAlg { message: Box<str> },
    /// A dry run needs what only running gives.
    Unplanned { message: Box<str> },
    /// Something that is not implemented, by name.
    NotSupported { message: Box<str> },
    /// A Python integer that the dtype cannot hold.
    IntegerOutOfBounds { value: Box<str>, dtype: DType },
    /// Shapes that do not broadcast together.
    Broadcast { shapes: Vec<Vec<usize>> },
    /// A shape that cannot be broadcast to another.
    BroadcastTo { from: Vec<usize>, to: Vec<usize> },
    /// An axis outside the rank.
    AxisOutOfBounds { axis: i64, rank: usize },
    /// An axis outside the rank, given as a named argument.
    NamedAxisOutOfBounds { argument: Box<str>, axis: i64, rank: usize },
    /// An element index outside an axis.
    IndexOutOfBounds { index: i64, axis: usize, len: usize },
    /// An allocation that does not fit.
    OutOfMemory(Box<OutOfMemory>),
    /// Operands on different queues.
    Placement { message: Box<str> },
    /// A device that could not be selected or created.
    Device { message: Box<str> },
    /// A queue that could not be created.
    Queue { message: Box<str> },
    /// A context that could not be created.
    Context { message: Box<str> },
    /// A device that has failed for good; what it held is gone, the session lives.
    DeviceLost { device: Box<str>, reason: Box<str> },
    /// A file could not be read or written.
    Io { kind: std::io::ErrorKind, message: Box<str> },
    /// Memory that was revoked by `%free #id`.
    Released { id: u64, freed_by: Box<str> },
    /// The user asked to stop.
    Interrupted,
}

impl ArrayError {
    /// A `ValueError` with this message.
    pub fn value(message: impl Into<Box<str>>) -> ArrayError {
        ArrayError::Value { message: message.into() }
    }

    /// A `TypeError` with this message.
    pub fn type_error(message: impl Into<Box<str>>) -> ArrayError {
        ArrayError::Type { message: message.into() }
    }

    /// An `IndexError` with this message.
    pub fn index(message: impl Into<Box<str>>) -> ArrayError {
        ArrayError::Index { message: message.into() }
    }

    /// A `NotImplementedError` with this message.
    pub fn not_supported(message: impl Into<Box<str>>) -> ArrayError {
        ArrayError::NotSupported { message: message.into() }
    }

    /// A `RuntimeError` with this message.
    pub fn runtime(message: impl Into<Box<str>>) -> ArrayError {
        ArrayError::Runtime { message: message.into() }
    }

    /// A `LinAlgError` with this message.
    pub fn linalg(message: impl Into<Box<str>>) -> ArrayError {
        ArrayError::LinAlg { message: message.into() }
    }

    /// The class the error belongs to.
    pub fn kind(&self) -> ErrorKind {
        match self {
            ArrayError::Value { .. } | ArrayError::Broadcast { .. } | ArrayError::BroadcastTo { .. } => {
                ErrorKind::Value
            }
            ArrayError::Type { .. } => ErrorKind::Type,
            ArrayError::Index { .. } | ArrayError::IndexOutOfBounds { .. } => ErrorKind::Index,
            ArrayError::Overflow { .. } | ArrayError::IntegerOutOfBounds { .. } => ErrorKind::Overflow,
            ArrayError::ZeroDivision { .. } => ErrorKind::ZeroDivision,
            ArrayError::Attribute { .. } => ErrorKind::Attribute,
            ArrayError::BufferProtocol { .. } => ErrorKind::Buffer,
            ArrayError::Runtime { .. } => ErrorKind::Runtime,
            ArrayError::LinAlg { .. } => ErrorKind::LinAlg,
            ArrayError::NotSupported { .. } => ErrorKind::NotSupported,
            ArrayError::AxisOutOfBounds { .. } | ArrayError::NamedAxisOutOfBounds { .. } => ErrorKind::Axis,
            ArrayError::OutOfMemory(_) => ErrorKind::Memory,
            ArrayError::Placement { .. } => ErrorKind::Placement,
            ArrayError::Device { .. } => ErrorKind::Device,
            ArrayError::Queue { .. } => ErrorKind::Queue,
            ArrayError::Context { .. } => ErrorKind::Context,
            ArrayError::DeviceLost { .. } => ErrorKind::DeviceLost,
            ArrayError::Io { .. } => ErrorKind::Io,
            ArrayError::Released { .. } => ErrorKind::Released,
            ArrayError::Interrupted => ErrorKind::Interrupted,
            ArrayError::Unplanned { .. } => ErrorKind::Unplanned,
        }
    }

    /// The facts of a refused allocation, if that is what this is.
    pub fn out_of_memory(&self) -> Option<&OutOfMemory> {
        match self {
            ArrayError::OutOfMemory(facts) => Some(facts),
            _ => None,
        }
    }
}

impl From<std::io::Error> for ArrayError {
    fn from(error: std::io::Error) -> ArrayError {
        if super::patience::is_stop(&error) {
            return ArrayError::Interrupted;
        }
        ArrayError::Io { kind: error.kind(), message: error.to_string().into() }
    }
}

/// A shape as Python prints a tuple: `()`, `(3,)`, `(3, 4)`.
pub fn shape_text(shape: &[usize]) -> String {
    tuple_text(shape, ", ")
}

/// A shape as NumPy's broadcast errors print it: `(3,)`, `(3,4)`.
pub fn shape_text_dense(shape: &[usize]) -> String {
    tuple_text(shape, ",")
}

fn tuple_text(shape: &[usize], separator: &str) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(usize::to_string).collect::<Vec<_>>().join(separator)),
    }
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayError::Value { message }
            | ArrayError::Type { message }
            | ArrayError::Index { message }
            | ArrayError::Overflow { message }
            | ArrayError::ZeroDivision { message }
            | ArrayError::Attribute { message }
            | ArrayError::BufferProtocol { message }
            | ArrayError::Runtime { message }
            | ArrayError::Unplanned { message }
            | ArrayError::LinAlg { message }
            | ArrayError::NotSupported { message }
            | ArrayError::Placement { message }
            | ArrayError::Device { message }
            | ArrayError::Queue { message }
            | ArrayError::Context { message }
            | ArrayError::Io { message, .. } => f.write_str(message),
            ArrayError::IntegerOutOfBounds { value, dtype } => {
                write!(f, "Python integer {value} out of bounds for {dtype}")
            }
            ArrayError::Broadcast { shapes } => {
                f.write_str("operands could not be broadcast together with shapes ")?;
                for shape in shapes {
                    write!(f, "{} ", shape_text_dense(shape))?;
                }
                Ok(())
            }
            ArrayError::BroadcastTo { from, to } => write!(
                f,
                "could not broadcast input array from shape {} into shape {}",
                shape_text_dense(from),
                shape_text_dense(to)
            ),
            ArrayError::AxisOutOfBounds { axis, rank } => {
                write!(f, "axis {axis} is out of bounds for array of dimension {rank}")
            }
            ArrayError::NamedAxisOutOfBounds { argument, axis, rank } => {
                write!(f, "{argument}: axis {axis} is out of bounds for array of dimension {rank}")
            }
            ArrayError::IndexOutOfBounds { index, axis, len } => {
                write!(f, "index {index} is out of bounds for axis {axis} with size {len}")
            }
            ArrayError::OutOfMemory(facts) => facts.fmt(f),
            ArrayError::DeviceLost { device, reason } => {
                write!(
                    f,
                    "device {device} is lost: {reason}. Arrays on it can no longer be used; the session and arrays elsewhere are unharmed"
                )
            }
            ArrayError::Released { id, freed_by } => write!(f, "the memory of #{id} was released by {freed_by}"),
            ArrayError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for ArrayError {}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} asked for", bytes_text(self.bytes))?;
        if let Some(usm) = self.usm {
            write!(f, ", kind {}", usm.name())?;
        }
        write!(f, ", on {}", self.device)?;
        match &self.free {
            Amount::Known { bytes, .. } => write!(f, "; {} free", bytes_text(*bytes as usize))?,
            Amount::Unknown { reason } => write!(f, "; free memory unknown ({reason})")?,
        }
        if let Amount::Known { bytes, .. } = &self.max_single {
            write!(f, ", largest single allocation {}", bytes_text(*bytes as usize))?;
        }
        match self.shortage {
            Shortage::Capacity => Ok(()),
            Shortage::SingleAllocation => f.write_str("; the request is larger than the device gives in one piece"),
            Shortage::Budget { limit, left } => {
                write!(f, "; the budget of {} has {} left", bytes_text(limit as usize), bytes_text(left as usize))
            }
            Shortage::Scripted => f.write_str("; refused by a scripted fault"),
            Shortage::Backend => f.write_str("; refused by the backend"),
        }
    }
}

/// Bytes in binary units with three digits, as error messages show them (`7.63 MiB`).
pub fn bytes_text(bytes: usize) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    let decimals = if value < 9.995 {
        2
    } else if value < 99.95 {
        1
    } else {
        0
    };
    format!("{value:.decimals$} {}", UNITS[unit])
}
