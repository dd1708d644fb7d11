//! The short way for small arrays: one operation on arrays that are ready, without a graph, a plan or threads.

use super::plan::element_bytes;
use super::{Expr, device};
use crate::arrays::array::Array;
use crate::arrays::cpu::flags::{self, Watch};
use crate::arrays::cpu::kernel::Kernel;
use crate::arrays::cpu::kernels;
use crate::arrays::cpu::memory::fill_tile;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::op::{Family, Flavour, Op};
use crate::arrays::scalar::Operand;
use crate::arrays::trace;

/// Arrays below this many elements take the short way.
const MOST_ELEMENTS: usize = 4096;
/// Elements of a repeated scalar that fit the stack at once.
const CHUNK: usize = 256;

/// Calls a kernel; for NumPy arrays its floating-point events are kept.
fn caller(op: Op, dtype: DType, kernel: Kernel, array: &Array) -> impl Fn(*const u8, *const u8, *mut u8, usize) {
    let watch = if array.queue().is_none() { flags::watch(op, dtype) } else { Watch::Nothing };
    move |a, b, out, n| {
        // SAFETY: the callers pass contiguous operands and results of n elements each.
        let met = unsafe { flags::observed(watch, kernel, [a, b, std::ptr::dangling()], out, n) };
        super::warnings::note(met, op.name());
    }
}

/// An operand of [`binary`]: an array that is ready, or a scalar.
#[derive(Clone, Copy, Debug)]
pub enum Ready<'a> {
    /// An array.
    Array(&'a Array),
    /// A scalar.
    Scalar(Operand),
}

/// Whether the families compute and answer in the one dtype of their operands, when they support it at all.
fn keeps_dtype(op: Op, dtype: DType) -> bool {
    match op.family() {
        Family::Any => true,
        Family::Number | Family::NumberWidened => !dtype.is_bool(),
        Family::Inexact | Family::TrueDivide => dtype.is_inexact(),
        Family::Floating => dtype.is_float(),
        Family::RealWidened => !dtype.is_bool() && !dtype.is_complex(),
        Family::Bits => dtype.is_integer(),
        Family::ToBool => true,
        _ => false,
    }
}

/// Computes a binary operation at once where the short way applies; `None` where a graph is needed.
fn short_binary(op: Op, left: &Ready<'_>, right: &Ready<'_>) -> Result<Option<Array>, ArrayError> {
    let lead = match (left, right) {
        (Ready::Array(array), _) | (_, Ready::Array(array)) => *array,
        _ => return Ok(None),
    };
    let dtype = lead.dtype();
    let len = lead.len_elements();
    // A trace and a plan want every program.
    if trace::is_active() || len > MOST_ELEMENTS || len == 0 || dtype == DType::Float16 || !keeps_dtype(op, dtype) {
        return Ok(None);
    }
    if !lead.place().is_immediate()
        || device::runs_programs(lead.place())
        || lead.queue().is_some_and(|queue| queue.profiling())
    {
        return Ok(None);
    }
    for side in [left, right] {
        match side {
            Ready::Array(array) => {
                let alike = array.dtype() == dtype
                    && array.shape() == lead.shape()
                    && array.is_c_contiguous()
                    && array.place() == lead.place()
                    && array.usm() == lead.usm();
                if !alike {
                    return Ok(None);
                }
            }
            Ready::Scalar(Operand::Weak(value)) => {
                let simple = match value.kind() {
                    crate::arrays::dtype::WeakKind::Int => !dtype.is_bool(),
                    crate::arrays::dtype::WeakKind::Float => dtype.is_inexact(),
                    crate::arrays::dtype::WeakKind::Bool | crate::arrays::dtype::WeakKind::Complex => false,
                };
                if !simple || op == Op::Power || value.check_fits(dtype).is_err() {
                    return Ok(None);
                }
            }
            Ready::Scalar(Operand::Typed(_, typed)) => {
                if *typed != dtype || op == Op::Power {
                    return Ok(None);
                }
            }
        }
    }
    if op == Op::Power && dtype.is_integer() {
        return Ok(None);
    }
    let Some(found) = kernels::find(op, dtype) else { return Ok(None) };
    let kernel = found.get();
    let answer = if op.family() == Family::ToBool { DType::Bool } else { dtype };
    let result = Array::for_overwrite(lead.shape(), answer, &lead.alloc())?;
    let address = |array: &Array| -> Result<*mut u8, ArrayError> {
        array.buffer().wait_written()?;
        let base = array.buffer().pointer()?.as_ptr();
        Ok(base.wrapping_add(array.layout().offset * array.dtype().bytes()))
    };
    let out = address(&result)?;
    let width = dtype.bytes();
    let call = caller(op, dtype, kernel, lead);
    match (left, right) {
        (Ready::Array(a), Ready::Array(b)) => {
            let (a, b) = (address(a)?, address(b)?);
            call(a, b, out, len);
        }
        (Ready::Array(array), Ready::Scalar(scalar)) | (Ready::Scalar(scalar), Ready::Array(array)) => {
            let bits = element_bytes(scalar.scalar(), dtype);
            let mut repeated = [[0u64; 2]; CHUNK];
            let repeated = repeated.as_mut_ptr().cast::<u8>();
            // SAFETY: the buffer holds CHUNK elements of any width.
            unsafe { fill_tile(repeated, bits.as_ptr(), width, CHUNK.min(len)) };
            let values = address(array)?;
            let scalar_first = matches!(left, Ready::Scalar(_));
            for start in (0..len).step_by(CHUNK) {
                let n = CHUNK.min(len - start);
                // SAFETY: the chunk lies inside both arrays.
                unsafe {
                    let chunk = values.add(start * width).cast_const();
                    let (a, b) =
                        if scalar_first { (repeated.cast_const(), chunk) } else { (chunk, repeated.cast_const()) };
                    call(a, b, out.add(start * answer.bytes()), n);
                }
            }
        }
        (Ready::Scalar(_), Ready::Scalar(_)) => return Ok(None),
    }
    Ok(Some(result))
}

impl Ready<'_> {
    fn expr(self) -> Expr {
        match self {
            Ready::Array(array) => Expr::array(array),
            Ready::Scalar(operand) => Expr::scalar(operand),
        }
    }
}

/// Computes a binary operation on ready operands, the short way where it applies.
pub fn binary(op: Op, left: Ready<'_>, right: Ready<'_>, flavour: Flavour) -> Result<Array, ArrayError> {
    match short_binary(op, &left, &right)? {
        Some(result) => Ok(result),
        None => Expr::apply(op, &[left.expr(), right.expr()], flavour)?.evaluate(),
    }
}
