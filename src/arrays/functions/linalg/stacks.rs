//! Stacks of matrices in arrays, taken apart for the algorithms and put together again.

use num_complex::Complex64;

use super::field::{Field, Matrix};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::support;
use crate::arrays::layout::Dims;
use crate::arrays::op::Flavour;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// The dtype results have: the input's if inexact, else the default float; float16 is refused.
pub(super) fn inexact_dtype(array: &Array) -> Result<DType, ArrayError> {
    match array.dtype() {
        DType::Float16 => Err(ArrayError::type_error("array type float16 is unsupported in linalg")),
        dtype if dtype.is_inexact() => Ok(dtype),
        _ => Ok(DType::default_float(array.place().fp64())),
    }
}

/// NumPy's check that there is at least one matrix.
pub(super) fn check_stacked(array: &Array, flavour: Flavour) -> Result<(), ArrayError> {
    if array.rank() >= 2 {
        return Ok(());
    }
    let subject = match flavour {
        Flavour::NumPy => "Array",
        Flavour::Dpnp => "The input array",
    };
    Err(ArrayError::linalg(format!(
        "{}-dimensional array given. {subject} must be at least two-dimensional",
        array.rank()
    )))
}

/// As [`check_stacked`], and the matrices are square; answers their side.
pub(super) fn check_square(array: &Array, flavour: Flavour) -> Result<usize, ArrayError> {
    check_stacked(array, flavour)?;
    let [rows, columns] = core(array);
    if rows != columns {
        return Err(ArrayError::linalg(match flavour {
            Flavour::NumPy => "Last 2 dimensions of the array must be square",
            Flavour::Dpnp => "Last 2 dimensions of the input array must be square",
        }));
    }
    Ok(rows)
}

/// The last two lengths.
pub(super) fn core(array: &Array) -> [usize; 2] {
    let shape = array.shape();
    [shape[shape.len() - 2], shape[shape.len() - 1]]
}

/// The lengths before the last two.
pub(super) fn batch(array: &Array) -> Dims {
    array.shape()[..array.rank() - 2].into()
}

/// All matrices of a stack.
pub(super) fn matrices<F: Field>(array: &Array) -> Result<Vec<Matrix<F>>, ArrayError> {
    let [rows, columns] = core(array);
    let count: usize = batch(array).iter().product();
    let elements: Vec<F> = dispatch!(array.dtype(), T => support::read::<T, _>(array, |elements, layout| {
        layout.positions().map(|position| F::from_complex(elements[position].to_scalar().complex())).collect()
    }))?;
    let width = rows * columns;
    Ok((0..count)
        .map(|number| Matrix { rows, columns, elements: elements[number * width..(number + 1) * width].to_vec() })
        .collect())
}

/// An array of these numbers, rounded to `dtype`.
pub(super) fn pack<F: Field>(
    numbers: impl IntoIterator<Item = F>,
    shape: &[usize],
    dtype: DType,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let result = support::allocate(shape, dtype, alloc)?;
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        for (element, number) in elements.iter_mut().zip(numbers) {
            let value: Complex64 = number.to_complex();
            *element = <T as Element>::from_scalar(Scalar::Complex(value));
        }
        Ok(())
    }))?;
    Ok(result)
}

/// Runs `$body` with `$F` as f64 or Complex64, as the dtype needs.
macro_rules! with_field {
    ($dtype:expr, $F:ident => $body:expr) => {
        if $dtype.is_complex() {
            type $F = num_complex::Complex64;
            $body
        } else {
            type $F = f64;
            $body
        }
    };
}
pub(super) use with_field;
