//! Subscripts by index arrays and masks that never visit the host: positions are computed by expressions, elements moved
//! by programs. Where the device cannot, nothing is answered and the host does it.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp, Scan, cumulate, moves};
use crate::arrays::layout::Layout;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

fn number(value: i64) -> Expr {
    Expr::constant(Scalar::Int(value.into()), DType::Int64)
}

fn apply(op: Op, inputs: &[Expr]) -> Result<Expr, ArrayError> {
    Expr::apply(op, inputs, Flavour::NumPy)
}

/// Whether all arrays are where programs run.
pub(super) fn is_for_programs(arrays: &[&Array]) -> bool {
    arrays.first().is_some_and(|first| {
        moves::runs_programs(first.place()) && arrays.iter().all(|array| array.place() == first.place())
    })
}

/// Indices along an axis of `len`, negative ones counted from its end; the first that is outside is an error.
pub(super) fn checked(indices: &Array, axis: usize, len: usize) -> Result<Array, ArrayError> {
    let index = Expr::array(indices).cast(DType::Int64);
    let (zero, end) = (number(0), number(len as i64));
    let negative = apply(Op::Less, &[index.clone(), zero.clone()])?;
    let from_end = apply(Op::Add, &[index.clone(), end.clone()])?;
    let resolved = Expr::array(&apply(Op::Where, &[negative, from_end, index])?.evaluate()?);
    let outside = [apply(Op::Less, &[resolved.clone(), zero])?, apply(Op::GreaterEqual, &[resolved.clone(), end])?];
    let outside = Expr::array(&apply(Op::LogicalOr, &outside)?.evaluate()?);
    let any = outside.reduce(ReduceOp::Any, None, false, None, Flavour::NumPy)?.evaluate()?;
    if any.read_scalar(&[])? == Scalar::Bool(true) {
        let first = outside.reduce(ReduceOp::Argmax, None, false, None, Flavour::NumPy)?.evaluate()?;
        let first = first.read_scalar(&[])?.wrapping_int() as usize;
        let index = indices.read_flat(first)?.wrapping_int() as i64;
        return Err(ArrayError::IndexOutOfBounds { index, axis, len });
    }
    resolved.evaluate()
}

/// The offsets of points: the sum, over index arrays that have been checked, of index times stride. One axis.
pub(super) fn offsets(checked: &[(Array, isize)], shape: &[usize]) -> Result<Option<Array>, ArrayError> {
    let mut sum: Option<Expr> = None;
    for (indices, stride) in checked {
        let along = apply(Op::Multiply, &[Expr::array(indices), number(*stride as i64)])?.broadcast_to(shape)?;
        sum = Some(match sum {
            Some(sum) => apply(Op::Add, &[sum, along])?,
            None => along,
        });
    }
    let Some(sum) = sum else { return Ok(None) };
    let len = shape.iter().product();
    let offsets = Array::for_overwrite(shape, DType::Int64, &checked[0].0.alloc())?;
    sum.evaluate_into(&offsets, None)?;
    Ok(Some(offsets.view(Layout::contiguous(&[len]))))
}

/// How many elements of a mask are true up to and including each, in C order, and how many in all.
pub(super) fn running_count(mask: &Array) -> Result<(Array, usize), ArrayError> {
    let count = cumulate(Scan::Sum, &Expr::array(mask), None, Some(DType::Int64))?;
    let total = match count.len_elements() {
        0 => 0,
        len => count.read_flat(len - 1)?.wrapping_int() as usize,
    };
    Ok((count, total))
}

/// A value where a mask is true, which stands for the first axes.
pub(super) fn fill(array: &Array, mask: &Array, value: Scalar) -> Result<(), ArrayError> {
    let mut layout = mask.layout().clone();
    for axis in mask.rank()..array.rank() {
        layout = layout.expand(axis);
    }
    let mask = mask.view(layout).broadcast_to(array.shape())?;
    let value = Expr::scalar(Operand::Typed(value, array.dtype()));
    value.evaluate_into(array, Some(&mask))
}
