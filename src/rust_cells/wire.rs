//! Array requests and their answers as bytes: a frame is a length and what it counts, numbers are little-endian.
//!
//! What arrives was written by any program that found the socket, so every count is checked against the bytes that are there
//! before anything is made of it, and nothing here can panic. The other end is `rust-cells/client/src/wire.rs`. Here stand the words; `read` takes
//! them apart and `write` puts them together.

mod read;
mod write;

pub use read::Reader;
pub use write::Writer;

use std::fmt;

use crate::arrays::expr::ReduceOp;
use crate::arrays::layout::BasicIndex;
use crate::arrays::op::Op;
use crate::arrays::scalar::Scalar;
use crate::arrays::{DType, Operand};

/// The version of the protocol, which both ends name first.
pub const VERSION: u16 = 1;
/// What a connection begins with.
pub const GREETING: &[u8; 4] = b"CHRA";
/// The longest frame. Larger data goes through the window.
pub const FRAME_BYTES_MAX: usize = 1 << 20;
/// Data up to this stands in the frame itself.
pub const INLINE_BYTES_MAX: usize = 32 << 10;
/// The most axes an array has.
const RANK_MAX: usize = 64;
/// The most arguments of a registered function.
const ARGUMENTS_MAX: usize = 16;

/// Bytes that are no request, and which part was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a request about arrays is malformed: {}", self.0)
    }
}

/// The number of a handle, chosen by the client and valid within its connection.
pub type HandleId = u64;

/// What an operation works on.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// An array.
    Handle(HandleId),
    /// A number.
    Scalar(Operand),
}

/// Where the bytes of an array are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// In the frame.
    Inline(Vec<u8>),
    /// In pieces through the window, after the answer that lets them come.
    Window,
}

/// How a Rust function takes arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// Element by element, or in pieces of any length at any place: `|x: f64| ...`, `|x: &[f64], out: &mut [f64]|`.
    Pieces,
    /// All arrays at once, in one call.
    Whole,
}

/// What is known of a Rust function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionInfo {
    /// Its number in the client.
    pub number: u32,
    /// The name in array cells.
    pub name: String,
    /// How it takes arrays.
    pub kind: FunctionKind,
    /// The dtypes of its arguments.
    pub inputs: Vec<DType>,
    /// The dtype of what it answers.
    pub output: DType,
}

/// A variable's part that keeps a handle: `v`, `v[2]`, `model.weights`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its path as Rust writes it.
    pub path: String,
    /// The handle.
    pub handle: HandleId,
}

/// A request. `into` is the number under which the resulting array is known from then on.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The array of a name.
    Get { name: String, into: HandleId },
    /// Binds a name.
    Put { name: String, from: HandleId },
    /// Lets go of handles; not answered.
    Release { handles: Vec<HandleId> },
    /// A second handle on the same memory.
    Clone { from: HandleId, into: HandleId },
    /// A copy in memory of its own.
    Copy { from: HandleId, into: HandleId },
    /// An element-wise operation.
    Apply { op: Op, operands: Vec<Term>, into: HandleId },
    /// A reduction; over all axes without `axes`.
    Reduce { op: ReduceOp, from: HandleId, axes: Option<Vec<i64>>, keepdims: bool, into: HandleId },
    /// A product of matrices.
    Matmul { left: HandleId, right: HandleId, into: HandleId },
    /// Another shape of the same elements; one length may be -1.
    Reshape { from: HandleId, shape: Vec<i64>, into: HandleId },
    /// Axes in reverse order.
    Transpose { from: HandleId, into: HandleId },
    /// Basic indexing.
    Index { from: HandleId, items: Vec<BasicIndex>, into: HandleId },
    /// Another dtype.
    Cast { from: HandleId, dtype: DType, into: HandleId },
    /// A copy on another device, by filter string.
    Move { from: HandleId, device: String, into: HandleId },
    /// An array of one value; the value's own dtype without `dtype`.
    Fill { shape: Vec<u64>, value: Scalar, dtype: Option<DType>, into: HandleId },
    /// `start, start + step, ...` below `stop`.
    Range { start: Scalar, stop: Scalar, step: Scalar, into: HandleId },
    /// An array of given elements.
    Create { dtype: DType, shape: Vec<u64>, data: Data, into: HandleId },
    /// The elements, in C order.
    Read { from: HandleId },
    /// Writes into the memory of `target`: `target = value` or `target op= value` for its elements.
    Assign { target: HandleId, op: Option<Op>, value: Term },
    /// The array as people read it.
    Show { from: HandleId },
    /// Computes it now.
    Compute { from: HandleId },
    /// Which variables keep which handles: all that are known.
    Name { named: Vec<Named> },
    /// A function for array cells.
    Register { function: FunctionInfo },
}

/// What an array is known by at the other end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The type of its elements.
    pub dtype: DType,
    /// Its shape.
    pub shape: Vec<u64>,
    /// The device, as `x.device` writes it; `host` for NumPy's arrays.
    pub device: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Done.
    Done,
    /// The array is known under the number asked for.
    Array(Facts),
    /// Elements; of [`Data::Window`] the bytes that will come.
    Elements {
        /// What they are.
        facts: Facts,
        /// Where they are.
        data: Data,
        /// How many bytes.
        bytes: u64,
    },
    /// The array as text.
    Shown(String),
    /// It was refused.
    Failed {
        /// The class of the error.
        class: String,
        /// What went wrong and what helps.
        message: String,
    },
}
