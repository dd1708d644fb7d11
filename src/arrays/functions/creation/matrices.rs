//! The named matrices, diagonals and triangles, and grids of coordinates.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::arithmetic::Numeric;
use crate::arrays::functions::{shapes, support};
use crate::arrays::layout::{BasicIndex, Layout, Order};
use crate::arrays::op::Flavour;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// `eye`: ones on the k-th diagonal.
pub fn eye(
    rows: usize,
    columns: Option<usize>,
    k: i64,
    dtype: DType,
    order: Order,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let columns = columns.unwrap_or(rows);
    let result = super::zeros(&[rows, columns], dtype, order, alloc)?;
    support::fill(&shapes::diagonal(&result, k, 0, 1)?, Scalar::Int(1))?;
    Ok(result)
}

/// `identity`.
pub fn identity(n: usize, dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    eye(n, None, 0, dtype, Order::C, alloc)
}

/// `diag`: the k-th diagonal of a matrix, or a matrix with this diagonal. NumPy gives a view of the diagonal, dpnp a copy.
pub fn diag(array: &Array, k: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    match array.rank() {
        1 => {
            let side = support::add_lengths(array.len_elements(), k.unsigned_abs() as usize)?;
            let result = super::zeros(&[side, side], array.dtype(), Order::C, &support::alloc_of(array))?;
            support::copy_into(&shapes::diagonal(&result, k, 0, 1)?, array)?;
            Ok(result)
        }
        2 => {
            let view = shapes::diagonal(array, k, 0, 1)?;
            match flavour {
                Flavour::NumPy => Ok(view),
                Flavour::Dpnp => support::copy(&view, Order::C),
            }
        }
        _ => Err(ArrayError::value(match flavour {
            Flavour::NumPy => "Input must be 1- or 2-d.",
            Flavour::Dpnp => "Input must be a 1-D or 2-D array.",
        })),
    }
}

/// `diagflat`: a matrix with the flattened input on its k-th diagonal.
pub fn diagflat(array: &Array, k: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    diag(&shapes::ravel(array, support::MemoryOrder::C)?, k, flavour)
}

/// `tri`: ones at and below the k-th diagonal.
pub fn tri(rows: usize, columns: Option<usize>, k: i64, dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    let ones = super::ones(&[rows, columns.unwrap_or(rows)], dtype, Order::C, alloc)?;
    clear_triangle(&ones, |row, column| column - row > k)?;
    Ok(ones)
}

/// `tril`: a copy with zeros above the k-th diagonal.
pub fn tril(array: &Array, k: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    triangle(array, flavour, |row, column| column - row > k)
}

/// `triu`: a copy with zeros below the k-th diagonal.
pub fn triu(array: &Array, k: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    triangle(array, flavour, |row, column| column - row < k)
}

fn triangle(array: &Array, flavour: Flavour, cleared: impl Fn(i64, i64) -> bool) -> Result<Array, ArrayError> {
    let source = match array.rank() {
        0 => {
            return Err(ArrayError::value(match flavour {
                Flavour::NumPy => "diag requires an array of at least two dimensions",
                Flavour::Dpnp => "Input must be an array with at least one dimension",
            }));
        }
        // A vector stands for the square matrix with that row repeated.
        1 => shapes::broadcast_to(array, &[array.len_elements(), array.len_elements()])?,
        _ => array.clone(),
    };
    let result = support::copy(&source, Order::C)?;
    clear_triangle(&result, cleared)?;
    Ok(result)
}

/// Sets to zero the elements of a fresh C-ordered array whose row and column (of the last two axes) are `cleared`.
fn clear_triangle(result: &Array, cleared: impl Fn(i64, i64) -> bool) -> Result<(), ArrayError> {
    let shape = result.shape();
    let (rows, columns) = (shape[shape.len() - 2], shape[shape.len() - 1]);
    dispatch!(result.dtype(), T => support::write::<T, _>(result, |elements| {
        if rows * columns == 0 {
            return Ok(());
        }
        for matrix in elements.chunks_exact_mut(rows * columns) {
            for (row, line) in matrix.chunks_exact_mut(columns).enumerate() {
                for (column, element) in line.iter_mut().enumerate() {
                    if cleared(row as i64, column as i64) {
                        *element = T::ZERO;
                    }
                }
            }
            crate::arrays::attention::check()?;
        }
        Ok(())
    }))
}

/// `meshgrid`: one array of coordinates per input. `copy = false` gives broadcast views, `sparse` leaves the other axes at one.
pub fn meshgrid(inputs: &[&Array], matrix_indexing: bool, sparse: bool, copy: bool) -> Result<Vec<Array>, ArrayError> {
    let rank = inputs.len();
    // With Cartesian indexing the first two axes are exchanged: x varies along columns.
    let axis_of = |input: usize| match input {
        0 | 1 if !matrix_indexing && rank > 1 => 1 - input,
        other => other,
    };
    let mut full = vec![1; rank];
    for (input, array) in inputs.iter().enumerate() {
        full[axis_of(input)] = array.len_elements();
    }
    inputs
        .iter()
        .enumerate()
        .map(|(input, array)| {
            let mut shape = vec![1; rank];
            shape[axis_of(input)] = array.len_elements() as i64;
            let line = shapes::reshape(array, &shape, support::MemoryOrder::C, None, Flavour::NumPy)?;
            let grid = if sparse { line } else { shapes::broadcast_to(&line, &full)? };
            if copy { support::copy(&grid, Order::C) } else { Ok(grid) }
        })
        .collect()
}

/// `indices`: for every axis of `shape`, the index along it at every position. Dense form; stacked along a new first axis.
pub fn indices(shape: &[usize], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    let full: Vec<usize> = std::iter::once(shape.len()).chain(shape.iter().copied()).collect();
    let result = support::allocate(&full, dtype, alloc)?;
    for (axis, len) in shape.iter().enumerate() {
        let grid = result.index(&[BasicIndex::At(axis as i64)])?;
        let line = index_line(*len, shape.len(), axis, dtype, alloc)?;
        support::copy_into(&grid, &line)?;
    }
    Ok(result)
}

/// `0..len` along one axis of a rank, other axes of length one: what `indices(sparse=True)` gives for that axis.
pub fn index_line(len: usize, rank: usize, axis: usize, dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    let line = support::allocate(&[len], dtype, alloc)?;
    dispatch!(dtype, T => support::write::<T, _>(&line, |elements| {
        for (position, element) in elements.iter_mut().enumerate() {
            *element = T::from_scalar(Scalar::Int(position as i128));
        }
        Ok(())
    }))?;
    let mut shape = vec![1; rank];
    shape[axis] = len;
    Ok(line.view(Layout { offset: line.layout().offset, ..Layout::contiguous(&shape) }))
}

/// `vander`: powers of the input in columns, the highest first unless `increasing`.
pub fn vander(x: &Array, columns: Option<usize>, increasing: bool, flavour: Flavour) -> Result<Array, ArrayError> {
    if x.rank() != 1 {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "x must be a one-dimensional array or sequence.",
            Flavour::Dpnp => "`x` must be a one-dimensional array or sequence.",
        }));
    }
    let len = x.len_elements();
    let columns = columns.unwrap_or(len);
    let dtype = x.dtype().promote(DType::Int64);
    let base = support::cast(x, dtype)?;
    let result = super::ones(&[len, columns], dtype, Order::C, &support::alloc_of(x))?;
    let base = support::contiguous(&base)?;
    dispatch!(dtype, T => base.with_slice::<T, _>(|base| support::write::<T, _>(&result, |elements| {
        for (row, base) in elements.chunks_exact_mut(columns.max(1)).zip(base) {
            // Each power is the one before times the base: NumPy accumulates the products in this order.
            let mut power = T::ONE;
            for column in 0..row.len() {
                if column > 0 {
                    power = power.times(*base);
                }
                let place = if increasing { column } else { row.len() - 1 - column };
                row[place] = power;
            }
        }
        Ok(())
    }))?)?;
    Ok(result)
}
