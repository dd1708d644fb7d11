//! Operations on scalars alone: no array, no memory, no ledger entry.

use super::plan::element_bytes;
use super::{Expr, warnings};
use crate::arrays::array::Array;
use crate::arrays::cpu::flags;
use crate::arrays::cpu::kernels;
use crate::arrays::dtype::{DType, Element, dispatch};
use crate::arrays::error::ArrayError;
use crate::arrays::op::{Family, Flavour, Op, resolve};
use crate::arrays::scalar::{Operand, Scalar};

/// Applies an operation to scalars and answers the value and its dtype, by the rules that arrays follow.
pub fn scalars(op: Op, operands: &[Operand], flavour: Flavour) -> Result<(Scalar, DType), ArrayError> {
    let typed: Option<DType> = operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Typed(_, dtype) => Some(*dtype),
            Operand::Weak(_) => None,
        })
        .reduce(DType::promote);
    let mut dtypes = [DType::Bool; 3];
    for (slot, operand) in dtypes.iter_mut().zip(operands) {
        *slot = match (operand, typed) {
            (Operand::Typed(_, dtype), _) => *dtype,
            (Operand::Weak(value), Some(typed)) => typed.promote_weak(value.kind(), true),
            (Operand::Weak(value), None) => value.default_dtype(true),
        };
    }
    let dtypes = &dtypes[..operands.len()];
    // The square root is exact where the general power is only near, and arrays take it too.
    if op == Op::Power
        && let [base, exponent] = operands
        && exponent.scalar() == Scalar::Float(0.5)
        && dtypes[0].is_float()
        && base.scalar().real() > 0.0
    {
        let (root, _) = scalars(Op::Sqrt, std::slice::from_ref(base), flavour)?;
        let dtype = DType::promote(dtypes[0], dtypes[1]);
        return Ok((root.cast(dtype), dtype));
    }
    // What needs more than one loop goes the long way: float16, comparisons of int64 with uint64, exponents that may be
    // negative, and comparisons with integers out of range.
    let mixed = |dtype: DType| dtype == DType::UInt64 && dtypes.iter().any(|other| other.is_signed());
    let plain = dtypes.iter().all(|&dtype| dtype != DType::Float16 && !mixed(dtype))
        && !matches!(op.family(), Family::Select | Family::FloatAndInteger)
        && !(op == Op::Power && dtypes.iter().all(|dtype| dtype.is_integer()));
    let fits = operands.iter().zip(dtypes).all(|(operand, &dtype)| operand.scalar().check_fits(dtype).is_ok());
    if !plain || !fits {
        return through_array(op, operands, flavour);
    }
    let found = resolve(op, dtypes, flavour)?;
    let Some(kernel) = kernels::find(op, found.compute) else { return through_array(op, operands, flavour) };
    let mut inputs = [Aligned([0; 16]); 3];
    for (index, operand) in operands.iter().enumerate() {
        let value = operand.scalar().cast(dtypes[index]);
        inputs[index] = Aligned(element_bytes(value, found.inputs[index]));
    }
    let mut out = Aligned([0; 16]);
    let pointers = [inputs[0].0.as_ptr(), inputs[1].0.as_ptr(), inputs[2].0.as_ptr()];
    // SAFETY: each cell holds one element of any dtype, aligned for it; the result has a cell of its own.
    let met =
        unsafe { flags::observed(flags::watch(op, found.compute), kernel.get(), pointers, out.0.as_mut_ptr(), 1) };
    let value = dispatch!(found.output, T => {
        // SAFETY: the kernel wrote one element of this dtype; bool kernels write zero or one.
        unsafe { out.0.as_ptr().cast::<T>().read() }.to_scalar()
    });
    if flavour == Flavour::NumPy {
        let wrapped = found.output.is_integer() && exact(op, operands).is_some_and(|exact| Scalar::Int(exact) != value);
        warnings::note_scalar(if wrapped { met | flags::OVERFLOW } else { met }, op.name());
    }
    Ok((value, found.output))
}

/// The mathematical result of an operation on integers, to tell whether theirs wrapped; arrays wrap silently.
fn exact(op: Op, operands: &[Operand]) -> Option<i128> {
    let whole = |operand: &Operand| match operand.scalar() {
        Scalar::Int(value) => Some(value),
        Scalar::Bool(value) => Some(i128::from(value)),
        Scalar::Float(_) | Scalar::Complex(_) => None,
    };
    let first = whole(operands.first()?)?;
    match (op, operands.get(1).map(whole)) {
        (Op::Add, Some(second)) => first.checked_add(second?),
        (Op::Subtract, Some(second)) => first.checked_sub(second?),
        (Op::Multiply, Some(second)) => first.checked_mul(second?),
        (Op::Negative, None) => first.checked_neg(),
        _ => None,
    }
}

/// One element of any dtype.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Aligned([u8; 16]);

#[cold]
fn through_array(op: Op, operands: &[Operand], flavour: Flavour) -> Result<(Scalar, DType), ArrayError> {
    let inputs: Vec<Expr> = operands.iter().map(|&operand| Expr::scalar(operand)).collect();
    let result: Array = Expr::apply(op, &inputs, flavour)?.evaluate()?;
    Ok((result.read_scalar(&[])?, result.dtype()))
}
