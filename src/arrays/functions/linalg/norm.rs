//! Norms of vectors and matrices of every order, condition numbers and ranks.

use super::solve::{epsilon, svdvals};
use super::stacks::{check_stacked, core, inexact_dtype};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::layout::{Dims, normalize_axis};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

/// The `ord` argument.
#[derive(Clone, Debug, PartialEq)]
pub enum NormOrder {
    /// A number, infinities included.
    Number(f64),
    /// `"fro"`.
    Frobenius,
    /// `"nuc"`: the sum of the singular values.
    Nuclear,
    /// Any other text, which is an error.
    Unknown(String),
}

/// `norm` over all elements, one axis (vectors) or two axes (matrices).
pub fn norm(
    array: &Array,
    order: Option<&NormOrder>,
    axes: Option<&[i64]>,
    keepdims: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let dtype = if array.dtype().is_inexact() { array.dtype() } else { DType::default_float(array.place().fp64()) };
    let value = Expr::array(array).cast(dtype);
    if axes.is_none() {
        let plain = match order {
            None => true,
            Some(NormOrder::Frobenius) => array.rank() == 2,
            Some(NormOrder::Number(order)) => *order == 2.0 && array.rank() == 1,
            Some(NormOrder::Nuclear | NormOrder::Unknown(_)) => false,
        };
        if plain {
            return value.reduce(ReduceOp::Norm, None, keepdims, None, flavour)?.evaluate();
        }
    }
    let axes: Vec<i64> = match axes {
        None => (0..array.rank() as i64).collect(),
        Some(axes) => axes.to_vec(),
    };
    match axes[..] {
        [axis] => vector_norm(&value, order, axis, keepdims, flavour)?.evaluate(),
        [rows, columns] => {
            let rank = array.rank();
            let (rows, columns) = (normalize_axis(rows, rank)?, normalize_axis(columns, rank)?);
            if rows == columns {
                return Err(ArrayError::value("Duplicate axes given."));
            }
            matrix_norm(&value, order, rows as i64, columns as i64, keepdims, flavour)
        }
        _ => Err(ArrayError::value("Improper number of dimensions to norm.")),
    }
}

fn magnitude(value: &Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    Expr::apply(Op::Absolute, std::slice::from_ref(value), flavour)
}

fn vector_norm(
    value: &Expr,
    order: Option<&NormOrder>,
    axis: i64,
    keepdims: bool,
    flavour: Flavour,
) -> Result<Expr, ArrayError> {
    let reduced = |value: &Expr, op: ReduceOp| value.reduce(op, Some(&[axis]), keepdims, None, flavour);
    let number = match order {
        None => 2.0,
        Some(NormOrder::Number(number)) => *number,
        Some(NormOrder::Frobenius) => return Err(ArrayError::value("Invalid norm order 'fro' for vectors")),
        Some(NormOrder::Nuclear) => return Err(ArrayError::value("Invalid norm order 'nuc' for vectors")),
        Some(NormOrder::Unknown(text)) => {
            return Err(ArrayError::value(format!("Invalid norm order '{text}' for vectors")));
        }
    };
    if number == f64::INFINITY {
        return reduced(&magnitude(value, flavour)?, ReduceOp::Maximum);
    }
    if number == f64::NEG_INFINITY {
        return reduced(&magnitude(value, flavour)?, ReduceOp::Minimum);
    }
    if number == 0.0 {
        return Ok(reduced(value, ReduceOp::CountNonzero)?.cast(value.dtype().real_part()));
    }
    if number == 1.0 {
        return reduced(&magnitude(value, flavour)?, ReduceOp::Sum);
    }
    if number == 2.0 {
        return reduced(value, ReduceOp::Norm);
    }
    let exponent = |number: f64| Expr::scalar(Operand::Weak(Scalar::Float(number)));
    let powers = Expr::apply(Op::Power, &[magnitude(value, flavour)?, exponent(number)], flavour)?;
    Expr::apply(Op::Power, &[reduced(&powers, ReduceOp::Sum)?, exponent(1.0 / number)], flavour)
}

fn matrix_norm(
    value: &Expr,
    order: Option<&NormOrder>,
    rows: i64,
    columns: i64,
    keepdims: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let invalid = || ArrayError::value("Invalid norm order for matrices.");
    let frobenius = || value.reduce(ReduceOp::Norm, Some(&[rows, columns]), keepdims, None, flavour)?.evaluate();
    // The largest or smallest sum of magnitudes along one axis.
    let sums = |summed: i64, other: i64, op: ReduceOp| -> Result<Array, ArrayError> {
        let along =
            magnitude(value, flavour)?.reduce(ReduceOp::Sum, Some(&[summed]), true, None, flavour)?.evaluate()?;
        let found = Expr::array(&along).reduce(op, Some(&[other]), true, None, flavour)?.evaluate()?;
        if keepdims { Ok(found) } else { shapes::squeeze(&found, Some(&[rows, columns]), flavour) }
    };
    let singular = |op: ReduceOp| -> Result<Array, ArrayError> {
        let matrices = shapes::moveaxis(&value.evaluate()?, &[rows, columns], &[-2, -1])?;
        let values = svdvals(&matrices, flavour)?;
        let found = Expr::array(&values).reduce(op, Some(&[-1]), false, None, flavour)?.evaluate()?;
        if !keepdims {
            return Ok(found);
        }
        let mut axes = [rows, columns];
        axes.sort_unstable();
        shapes::expand_dims(&found, &axes)
    };
    let number = match order {
        None | Some(NormOrder::Frobenius) => return frobenius(),
        Some(NormOrder::Nuclear) => return singular(ReduceOp::Sum),
        Some(NormOrder::Unknown(_)) => return Err(invalid()),
        Some(NormOrder::Number(number)) => *number,
    };
    if number == 2.0 {
        singular(ReduceOp::Maximum)
    } else if number == -2.0 {
        singular(ReduceOp::Minimum)
    } else if number == 1.0 {
        sums(rows, columns, ReduceOp::Maximum)
    } else if number == -1.0 {
        sums(rows, columns, ReduceOp::Minimum)
    } else if number == f64::INFINITY {
        sums(columns, rows, ReduceOp::Maximum)
    } else if number == f64::NEG_INFINITY {
        sums(columns, rows, ReduceOp::Minimum)
    } else {
        Err(invalid())
    }
}

/// `cond`: the norm of the matrix times the norm of its inverse.
pub fn cond(array: &Array, order: Option<&NormOrder>, flavour: Flavour) -> Result<Array, ArrayError> {
    check_stacked(array, flavour)?;
    let ratio = |above: &Array, below: &Array| {
        crate::arrays::functions::calculus::divide(&Expr::array(above), &Expr::array(below), flavour)?.evaluate()
    };
    match order {
        None => cond(array, Some(&NormOrder::Number(2.0)), flavour),
        Some(NormOrder::Number(number)) if number.abs() == 2.0 => {
            let values = svdvals(array, flavour)?;
            let last = values.shape()[values.rank() - 1].saturating_sub(1);
            let at = |place: usize| -> Result<Array, ArrayError> {
                let one = values.view(values.layout().slice_axis(values.rank() - 1, place, 1));
                shapes::squeeze(&one, Some(&[-1]), flavour)
            };
            let found = if *number > 0.0 { ratio(&at(0)?, &at(last)?) } else { ratio(&at(last)?, &at(0)?) }?;
            // A matrix of zeros is as ill-conditioned as can be.
            let missing = Expr::apply(Op::Isnan, &[Expr::array(&found)], flavour)?;
            let infinite = Expr::constant(Scalar::Float(f64::INFINITY), found.dtype());
            Expr::apply(Op::Where, &[missing, infinite, Expr::array(&found)], flavour)?.evaluate()
        }
        Some(order) => {
            let inverse = super::solve::inv(array, flavour)?;
            let own = norm(array, Some(order), Some(&[-2, -1]), false, flavour)?;
            let other = norm(&inverse, Some(order), Some(&[-2, -1]), false, flavour)?;
            crate::arrays::functions::calculus::multiply(&Expr::array(&own), &Expr::array(&other), flavour)?.evaluate()
        }
    }
}

/// `matrix_rank`: singular values above the tolerance.
pub fn matrix_rank(array: &Array, tolerance: Option<f64>, flavour: Flavour) -> Result<Array, ArrayError> {
    if array.rank() < 2 {
        let any = super::super::indexing::count_nonzero(array)? > 0;
        return Array::from_scalar(Scalar::Int(any.into()), DType::Int64, &array.alloc());
    }
    let dtype = inexact_dtype(array)?;
    let [rows, columns] = core(array);
    let values = svdvals(array, flavour)?;
    let inner = rows.min(columns).max(1);
    let lengths = support::reals(&values)?;
    let ranks: Vec<i64> = lengths
        .chunks(inner)
        .map(|values| {
            let largest = values.first().copied().unwrap_or(0.0);
            let cutoff = tolerance.unwrap_or(largest * rows.max(columns) as f64 * epsilon(dtype));
            values.iter().filter(|value| **value > cutoff).count() as i64
        })
        .collect();
    let shape: Dims = array.shape()[..array.rank() - 2].into();
    let ranks = Array::from_slice(&ranks, &[ranks.len()], &array.alloc())?;
    let shape: Vec<i64> = shape.iter().map(|len| *len as i64).collect();
    shapes::reshape(&ranks, &shape, MemoryOrder::C, None, flavour)
}
