//! Equality of arrays, exact and within tolerances.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::functions::calculus::{add, multiply, number, subtract};
use crate::arrays::layout::broadcast_shapes;
use crate::arrays::op::{Flavour, Op};

/// `isclose`: |a - b| <= atol + rtol |b|, or equal; NaN with NaN if asked.
pub fn isclose(
    left: &Array,
    right: &Array,
    rtol: f64,
    atol: f64,
    equal_nan: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let apply = |op: Op, inputs: &[Expr]| Expr::apply(op, inputs, flavour);
    let (a, b) = (Expr::array(left), Expr::array(right));
    // As NumPy, so that the subtraction is not done in integers.
    let b_float = b.cast(right.dtype().promote(DType::default_float(right.place().fp64())));
    let distance = apply(Op::Absolute, &[subtract(&a, &b_float, flavour)?])?;
    let allowed = add(
        &number(atol),
        &multiply(&number(rtol), &apply(Op::Absolute, std::slice::from_ref(&b_float))?, flavour)?,
        flavour,
    )?;
    let near = apply(Op::LessEqual, &[distance, allowed])?;
    let finite = apply(Op::Isfinite, &[b_float])?;
    let equal = apply(Op::Equal, &[a.clone(), b.clone()])?;
    let mut close = apply(Op::LogicalOr, &[apply(Op::LogicalAnd, &[near, finite])?, equal])?;
    if equal_nan {
        let both = apply(Op::LogicalAnd, &[apply(Op::Isnan, &[a])?, apply(Op::Isnan, &[b])?])?;
        close = apply(Op::LogicalOr, &[close, both])?;
    }
    close.evaluate()
}

/// `allclose`.
pub fn allclose(
    left: &Array,
    right: &Array,
    rtol: f64,
    atol: f64,
    equal_nan: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let close = isclose(left, right, rtol, atol, equal_nan, flavour)?;
    Expr::array(&close).reduce(ReduceOp::All, None, false, None, flavour)?.evaluate()
}

/// `array_equal`: same shape and elements.
pub fn array_equal(left: &Array, right: &Array, equal_nan: bool, flavour: Flavour) -> Result<bool, ArrayError> {
    if left.shape() != right.shape() {
        return Ok(false);
    }
    let (a, b) = (Expr::array(left), Expr::array(right));
    let mut equal = Expr::apply(Op::Equal, &[a.clone(), b.clone()], flavour)?;
    if equal_nan {
        let both = [Expr::apply(Op::Isnan, &[a], flavour)?, Expr::apply(Op::Isnan, &[b], flavour)?];
        equal = Expr::apply(Op::LogicalOr, &[equal, Expr::apply(Op::LogicalAnd, &both, flavour)?], flavour)?;
    }
    Ok(equal.reduce(ReduceOp::All, None, false, None, flavour)?.evaluate()?.read_flat(0)?.truth())
}

/// `array_equiv`: equal after broadcasting.
pub fn array_equiv(left: &Array, right: &Array, flavour: Flavour) -> Result<bool, ArrayError> {
    if broadcast_shapes(&[left.shape(), right.shape()]).is_err() {
        return Ok(false);
    }
    let equal = Expr::apply(Op::Equal, &[Expr::array(left), Expr::array(right)], flavour)?;
    Ok(equal.reduce(ReduceOp::All, None, false, None, flavour)?.evaluate()?.read_flat(0)?.truth())
}
