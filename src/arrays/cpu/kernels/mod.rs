//! The kernels themselves: for an operation and the dtype of its operands, the loop that computes it.
//!
//! One file per class of element. float16 has only the kernels whose answer depends on its own bits; everything else
//! is computed in float32 and rounded after each operation by whoever plans the program.

mod boolean;
mod cast;
mod complex;
mod float;
mod half;
mod integer;
mod mixed;
mod select;
pub mod streaming;

pub use cast::cast;
pub use mixed::compare_mixed;

use super::kernel::Kernels;
use crate::arrays::dtype::DType;
use crate::arrays::op::Op;
use ::half::f16;
use num_complex::Complex;

/// The loop of an operation over operands of one dtype; `None` where the dtype has no loop of its own.
///
/// `Where` takes its condition as bool and is found under the dtype of the other two; `Ldexp` takes int64 second.
pub fn find(op: Op, dtype: DType) -> Option<Kernels> {
    if op == Op::Where {
        return Some(select::by_width(dtype.bytes()));
    }
    match dtype {
        DType::Bool => boolean::find(op),
        DType::Int8 => integer::signed::<i8>(op),
        DType::Int16 => integer::signed::<i16>(op),
        DType::Int32 => integer::signed::<i32>(op),
        DType::Int64 => integer::signed::<i64>(op),
        DType::UInt8 => integer::unsigned::<u8>(op),
        DType::UInt16 => integer::unsigned::<u16>(op),
        DType::UInt32 => integer::unsigned::<u32>(op),
        DType::UInt64 => integer::unsigned::<u64>(op),
        DType::Float16 => half::find(op),
        DType::Float32 => float::find::<f32>(op),
        DType::Float64 => float::find::<f64>(op),
        DType::Complex64 => complex::find::<f32>(op),
        DType::Complex128 => complex::find::<f64>(op),
    }
}

/// The element types by dtype, for code that is generic over them.
pub(crate) type C64 = Complex<f32>;
pub(crate) type C128 = Complex<f64>;
pub(crate) type F16 = f16;
