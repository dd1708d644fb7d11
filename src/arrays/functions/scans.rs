//! Running sums and products along an axis.

use super::arithmetic::Numeric;
use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::layout::{Dims, Order, normalize_axis};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

/// What runs along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScanOp {
    /// `cumsum`.
    Sum,
    /// `cumprod`.
    Product,
    /// `nancumsum`: NaN counts as zero.
    NanSum,
    /// `nancumprod`: NaN counts as one.
    NanProduct,
    /// `cumlogsumexp` of dpnp.
    Logsumexp,
}

impl ScanOp {
    fn reduction(self) -> ReduceOp {
        match self {
            ScanOp::Sum | ScanOp::NanSum => ReduceOp::Sum,
            ScanOp::Product | ScanOp::NanProduct => ReduceOp::Product,
            ScanOp::Logsumexp => ReduceOp::Logsumexp,
        }
    }

    fn neutral(self) -> Scalar {
        match self {
            ScanOp::Sum | ScanOp::NanSum => Scalar::Int(0),
            ScanOp::Product | ScanOp::NanProduct => Scalar::Int(1),
            ScanOp::Logsumexp => Scalar::Float(f64::NEG_INFINITY),
        }
    }
}

/// A scan along an axis (none: of the flattened array). `initial` puts the neutral element first, as `include_initial` does.
pub fn scan(
    op: ScanOp,
    array: &Array,
    axis: Option<i64>,
    dtype: Option<DType>,
    initial: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let array = match axis {
        None => shapes::ravel(array, MemoryOrder::C)?,
        Some(_) => shapes::atleast_1d(array)?,
    };
    let axis = normalize_axis(axis.unwrap_or(0), array.rank())?;
    // The dtype is that of the reduction: narrow integers become int64 or uint64.
    let dtype = Expr::array(&array).reduce(op.reduction(), Some(&[axis as i64]), false, dtype, flavour)?.dtype();
    let mut shape: Dims = array.shape().into();
    shape[axis] += usize::from(initial);
    let result = support::allocate(&shape, dtype, &array.alloc())?;
    let start = usize::from(initial);
    if initial {
        support::fill(&result.view(result.layout().slice_axis(axis, 0, 1)), op.neutral())?;
    }
    let filled = result.view(result.layout().slice_axis(axis, start, array.shape()[axis]));
    prepared(op, &array, flavour)?.evaluate_into(&filled, None)?;
    let len = shape[axis];
    let inner: usize = shape[axis + 1..].iter().product();
    if result.len_elements() == 0 {
        return Ok(result);
    }
    if op == ScanOp::Logsumexp {
        return logsumexp(&result, len, inner);
    }
    let product = matches!(op, ScanOp::Product | ScanOp::NanProduct);
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        for block in elements.chunks_exact_mut(len * inner) {
            for step in 1..len {
                crate::arrays::attention::check()?;
                let (before, row) = block[(step - 1) * inner..].split_at_mut(inner);
                for (element, before) in row[..inner].iter_mut().zip(before) {
                    *element = if product { before.times(*element) } else { before.plus(*element) };
                }
            }
        }
        Ok(())
    }))?;
    Ok(result)
}

fn prepared(op: ScanOp, array: &Array, flavour: Flavour) -> Result<Expr, ArrayError> {
    let value = Expr::array(array);
    match op {
        ScanOp::NanSum | ScanOp::NanProduct if array.dtype().is_inexact() => {
            let missing = Expr::apply(Op::Isnan, std::slice::from_ref(&value), flavour)?;
            let neutral = Expr::scalar(Operand::Weak(op.neutral()));
            Ok(Expr::apply(Op::Where, &[missing, neutral, value], flavour)?.cast(array.dtype()))
        }
        ScanOp::Sum | ScanOp::Product | ScanOp::NanSum | ScanOp::NanProduct | ScanOp::Logsumexp => Ok(value),
    }
}

/// log(exp(a) + exp(b)) along the lines, each step from the larger of the two so that nothing overflows.
fn logsumexp(result: &Array, len: usize, inner: usize) -> Result<Array, ArrayError> {
    let wide = support::cast(result, DType::Float64)?;
    let wide = support::copy(&wide, Order::C)?;
    support::write::<f64, _>(&wide, |elements| {
        for block in elements.chunks_exact_mut(len * inner) {
            for step in 1..len {
                crate::arrays::attention::check()?;
                let (before, row) = block[(step - 1) * inner..].split_at_mut(inner);
                for (element, before) in row[..inner].iter_mut().zip(before) {
                    let (low, high) = if *element < *before { (*element, *before) } else { (*before, *element) };
                    *element = if high == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() };
                }
            }
        }
        Ok(())
    })?;
    support::cast(&wide, result.dtype())
}
