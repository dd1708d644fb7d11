//! `average`, `cov` and `corrcoef`.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::functions::calculus::{divide, multiply, number, subtract};
use crate::arrays::functions::joining::{JoinOptions, concatenate};
use crate::arrays::functions::products::dot;
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

/// `average`: the weighted mean and the sum of the weights.
pub fn average(
    array: &Array,
    axes: Option<&[i64]>,
    weights: Option<&Array>,
    keepdims: bool,
    flavour: Flavour,
) -> Result<(Array, Array), ArrayError> {
    let value = Expr::array(array);
    let Some(weights) = weights else {
        let mean = value.reduce(ReduceOp::Mean, axes, keepdims, None, flavour)?.evaluate()?;
        let count = array.len_elements() as f64 / mean.len_elements().max(1) as f64;
        let sums = support::allocate(mean.shape(), mean.dtype(), &mean.alloc())?;
        support::fill(&sums, Scalar::Float(count))?;
        return Ok((mean, sums));
    };
    let weights = spread_weights(array, axes, weights, flavour)?;
    let common = array.dtype().promote(weights.dtype());
    let dtype = if common.is_inexact() { common } else { DType::default_float(array.place().fp64()) };
    let weight = Expr::array(&weights);
    let sums = weight
        .cast(dtype)
        .broadcast_to(array.shape())?
        .reduce(ReduceOp::Sum, axes, keepdims, None, flavour)?
        .evaluate()?;
    if support::scalars(&sums)?.iter().any(|sum| !sum.truth()) {
        return Err(ArrayError::ZeroDivision { message: "Weights sum to zero, can't be normalized".into() });
    }
    let product = multiply(&value.cast(dtype), &weight.cast(dtype), flavour)?;
    let total = product.reduce(ReduceOp::Sum, axes, keepdims, None, flavour)?;
    Ok((divide(&total, &Expr::array(&sums), flavour)?.evaluate()?, sums))
}

/// Weights of the shape of the array, or along its reduced axes.
fn spread_weights(array: &Array, axes: Option<&[i64]>, weights: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    if weights.shape() == array.shape() {
        return Ok(weights.clone());
    }
    let Some(axes) = axes else {
        return Err(ArrayError::type_error(match flavour {
            Flavour::NumPy => "Axis must be specified when shapes of a and weights differ.",
            Flavour::Dpnp => "Axis must be specified when shapes of input array and weights differ.",
        }));
    };
    let axes = support::axes_set(axes, array.rank())?;
    let expected: Vec<usize> = axes.iter().map(|axis| array.shape()[*axis]).collect();
    if weights.shape() != expected {
        return Err(ArrayError::value("Shape of weights must be consistent with shape of a along specified axis."));
    }
    let mut shape = vec![1; array.rank()];
    for (axis, len) in axes.iter().zip(expected) {
        shape[*axis] = len as i64;
    }
    // The weights' axes come in the order given; those of the array rise.
    let mut order: Vec<i64> = (0..axes.len() as i64).collect();
    order.sort_by_key(|place| axes[*place as usize]);
    shapes::reshape(&shapes::transpose(weights, Some(&order))?, &shape, MemoryOrder::C, None, flavour)
}

/// `cov`: the covariance matrix of variables in rows (or columns).
pub fn cov(
    m: &Array,
    y: Option<&Array>,
    rowvar: bool,
    ddof: f64,
    frequencies: Option<&Array>,
    weights: Option<&Array>,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    if m.rank() > 2 {
        return Err(ArrayError::value("m has more than 2 dimensions"));
    }
    let dtype = m.dtype().promote(DType::default_float(m.place().fp64()));
    let dtype = y.map_or(dtype, |y| dtype.promote(y.dtype()));
    let rows = |array: &Array| -> Result<Array, ArrayError> {
        let matrix = shapes::atleast_2d(&support::cast(array, dtype)?)?;
        Ok(if !rowvar && array.rank() != 1 { matrix.transposed() } else { matrix })
    };
    let mut samples = rows(m)?;
    if let Some(y) = y {
        samples = concatenate(&[&samples, &rows(y)?], Some(0), JoinOptions::plain(flavour))?;
    }
    let weight = combined_weights(&samples, frequencies, weights, flavour)?;
    let (mean, sums) = average(&samples, Some(&[1]), weight.as_ref(), true, flavour)?;
    let sum = support::reals(&sums)?.first().copied().unwrap_or(0.0);
    let factor = match (&weight, weights) {
        (None, _) => samples.shape()[1] as f64 - ddof,
        _ if ddof == 0.0 => sum,
        (Some(_), None) => sum - ddof,
        (Some(weight), Some(weights)) => {
            let squared = multiply(&Expr::array(weight), &Expr::array(weights), flavour)?
                .reduce(ReduceOp::Sum, None, false, None, flavour)?
                .evaluate()?;
            sum - ddof * squared.read_flat(0)?.real() / sum
        }
    };
    let factor = factor.max(0.0);
    let centred = subtract(&Expr::array(&samples), &Expr::array(&mean), flavour)?.evaluate()?;
    let right = match &weight {
        None => Expr::array(&centred),
        Some(weight) => multiply(&Expr::array(&centred), &Expr::array(weight), flavour)?,
    };
    let right = Expr::apply(Op::Conjugate, &[right], flavour)?.evaluate()?;
    let product = dot(&centred, &right.transposed(), flavour)?;
    let scaled = multiply(&Expr::array(&product), &number(1.0 / factor), flavour)?.evaluate()?;
    if scaled.dtype().is_complex() {
        // Variances are real; fused multiplication leaves a trace of rounding beside them.
        let variances = shapes::diagonal(&scaled, 0, 0, 1)?;
        support::fill(&super::super::convert::imag_view(&variances)?, Scalar::Float(0.0))?;
    }
    shapes::squeeze(&scaled, None, flavour)
}

fn combined_weights(
    samples: &Array,
    frequencies: Option<&Array>,
    weights: Option<&Array>,
    flavour: Flavour,
) -> Result<Option<Array>, ArrayError> {
    let check = |array: &Array, name: &str| -> Result<(), ArrayError> {
        if array.rank() > 1 {
            return Err(ArrayError::runtime(format!("cannot handle multidimensional {name}")));
        }
        if array.len_elements() != samples.shape()[1] {
            return Err(ArrayError::runtime(format!("incompatible numbers of samples and {name}")));
        }
        if support::reals(array)?.iter().any(|weight| *weight < 0.0) {
            return Err(ArrayError::value(format!("{name} cannot be negative")));
        }
        Ok(())
    };
    if let Some(frequencies) = frequencies {
        if !frequencies.dtype().is_integer() {
            return Err(ArrayError::type_error("fweights must be integer"));
        }
        check(frequencies, "fweights")?;
    }
    if let Some(weights) = weights {
        check(weights, "aweights")?;
    }
    match (frequencies, weights) {
        (None, None) => Ok(None),
        (Some(one), None) | (None, Some(one)) => Ok(Some(one.clone())),
        (Some(frequencies), Some(weights)) => {
            multiply(&Expr::array(frequencies), &Expr::array(weights), flavour)?.evaluate().map(Some)
        }
    }
}

/// `corrcoef`: covariances divided by both deviations, kept within [-1, 1].
pub fn corrcoef(m: &Array, y: Option<&Array>, rowvar: bool, flavour: Flavour) -> Result<Array, ArrayError> {
    let covariance = cov(m, y, rowvar, 1.0, None, None, flavour)?;
    let value = Expr::array(&covariance);
    if covariance.rank() == 0 {
        return divide(&value, &value, flavour)?.evaluate();
    }
    let variances = shapes::diagonal(&covariance, 0, 0, 1)?;
    let real = Expr::apply(Op::Real, &[Expr::array(&variances)], flavour)?;
    let deviations = Expr::apply(Op::Sqrt, &[real], flavour)?.evaluate()?;
    let column = Expr::array(&shapes::expand_dims(&deviations, &[1])?);
    let scaled = divide(&divide(&value, &column, flavour)?, &Expr::array(&deviations), flavour)?.evaluate()?;
    if scaled.dtype().is_complex() {
        for part in [super::super::convert::real_view(&scaled)?, super::super::convert::imag_view(&scaled)?] {
            clipped(&part, flavour)?.evaluate_into(&part, None)?;
        }
        return Ok(scaled);
    }
    clipped(&scaled, flavour)?.evaluate()
}

fn clipped(array: &Array, flavour: Flavour) -> Result<Expr, ArrayError> {
    let bound = |value: f64| Expr::scalar(Operand::Weak(Scalar::Float(value)));
    Expr::apply(Op::Clip, &[Expr::array(array), bound(-1.0), bound(1.0)], flavour)
}
