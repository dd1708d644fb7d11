//! Equality of arrays, exact and within tolerances, as expressions: who asks decides when they are computed.

use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::functions::calculus::{add, multiply, number, subtract};
use crate::arrays::layout::broadcast_shapes;
use crate::arrays::op::{Flavour, Op};

/// `isclose`: |a - b| <= atol + rtol |b|, or equal; NaN with NaN if asked.
pub fn isclose(
    a: &Expr,
    b: &Expr,
    rtol: f64,
    atol: f64,
    equal_nan: bool,
    flavour: Flavour,
) -> Result<Expr, ArrayError> {
    let apply = |op: Op, inputs: &[Expr]| Expr::apply(op, inputs, flavour);
    // Differences of unsigned integers and booleans would wrap, so everything is compared in floats.
    let (a, b) = if a.dtype().is_inexact() || b.dtype().is_inexact() {
        (a.clone(), b.clone())
    } else {
        let fp64 = a.place().or(b.place()).is_none_or(|place| place.fp64());
        let float = DType::default_float(fp64);
        (a.cast(float), b.cast(float))
    };
    let distance = apply(Op::Absolute, &[subtract(&a, &b, flavour)?])?;
    let magnitude = apply(Op::Absolute, std::slice::from_ref(&b))?;
    let allowed = add(&multiply(&magnitude, &number(rtol), flavour)?, &number(atol), flavour)?;
    let near = apply(Op::LessEqual, &[distance, allowed])?;
    let finite = apply(Op::Isfinite, std::slice::from_ref(&b))?;
    let near = apply(Op::LogicalAnd, &[near, finite])?;
    let close = apply(Op::LogicalOr, &[near, apply(Op::Equal, &[a.clone(), b.clone()])?])?;
    if equal_nan { or_both_nan(close, a, b, flavour) } else { Ok(close) }
}

/// `allclose`.
pub fn allclose(
    a: &Expr,
    b: &Expr,
    rtol: f64,
    atol: f64,
    equal_nan: bool,
    flavour: Flavour,
) -> Result<Expr, ArrayError> {
    all(&isclose(a, b, rtol, atol, equal_nan, flavour)?, flavour)
}

/// `array_equal`: whether all elements are equal, NaN with NaN if asked; nothing where the shapes differ.
pub fn array_equal(a: &Expr, b: &Expr, equal_nan: bool, flavour: Flavour) -> Result<Option<Expr>, ArrayError> {
    if a.shape() != b.shape() {
        return Ok(None);
    }
    let mut equal = Expr::apply(Op::Equal, &[a.clone(), b.clone()], flavour)?;
    if equal_nan {
        equal = or_both_nan(equal, a.clone(), b.clone(), flavour)?;
    }
    all(&equal, flavour).map(Some)
}

/// `array_equiv`: whether all elements are equal after broadcasting; nothing where the shapes do not fit.
pub fn array_equiv(a: &Expr, b: &Expr, flavour: Flavour) -> Result<Option<Expr>, ArrayError> {
    if broadcast_shapes(&[a.shape(), b.shape()]).is_err() {
        return Ok(None);
    }
    all(&Expr::apply(Op::Equal, &[a.clone(), b.clone()], flavour)?, flavour).map(Some)
}

fn or_both_nan(truth: Expr, a: Expr, b: Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    let nan = |input: Expr| Expr::apply(Op::Isnan, &[input], flavour);
    let both = Expr::apply(Op::LogicalAnd, &[nan(a)?, nan(b)?], flavour)?;
    Expr::apply(Op::LogicalOr, &[truth, both], flavour)
}

fn all(truth: &Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    truth.reduce(ReduceOp::All, None, false, None, flavour)
}
