//! `cumsum`, `cumprod`, `cumulative_sum`, `nancumsum` and kin over the engine's scans.

use super::joining::{JoinOptions, concatenate};
use super::support;
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, Scan, cumulate};
use crate::arrays::layout::{Dims, normalize_axis};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

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
    fn kind(self) -> Scan {
        match self {
            ScanOp::Sum | ScanOp::NanSum => Scan::Sum,
            ScanOp::Product | ScanOp::NanProduct => Scan::Product,
            ScanOp::Logsumexp => Scan::Logsumexp,
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
    let scanned = cumulate(op.kind(), &prepared(op, array, flavour)?, axis, dtype)?;
    if !initial {
        return Ok(scanned);
    }
    let axis = normalize_axis(axis.unwrap_or(0), scanned.rank())?;
    let mut shape: Dims = scanned.shape().into();
    shape[axis] = 1;
    let first = support::allocate(&shape, scanned.dtype(), &scanned.alloc())?;
    support::fill(&first, op.neutral())?;
    concatenate(&[&first, &scanned], Some(axis as i64), JoinOptions::plain(flavour))
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
