//! Products of whole arrays, brought down to the matrix product: `dot`, `inner`, `outer`, `tensordot`, `kron`, `cross`, `trace` and kin.

use super::calculus::{multiply, subtract};
use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::{ArrayError, shape_text_dense};
use crate::arrays::expr::{Expr, ReduceOp, matmul};
use crate::arrays::layout::{BasicIndex, Dims};
use crate::arrays::op::{Flavour, Op};

/// The array as a matrix of the given shape; the number of elements is the same.
fn as_matrix(array: &Array, rows: usize, columns: usize) -> Result<Array, ArrayError> {
    support::with_shape(array, &[rows, columns])
}

/// `dot`: the sum over the last axis of the first array and the last but one of the second.
pub fn dot(left: &Array, right: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    if left.rank() == 0 || right.rank() == 0 {
        return multiply(&Expr::array(left), &Expr::array(right), flavour)?.evaluate();
    }
    let left_axis = left.rank() - 1;
    let right_axis = right.rank().saturating_sub(2);
    let (ours, theirs) = (left.shape()[left_axis], right.shape()[right_axis]);
    if ours != theirs {
        let vectors = left.rank() == 1 && right.rank() == 1;
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!(
                "shapes {} and {} not aligned: {ours} (dim {left_axis}) != {theirs} (dim {right_axis})",
                shape_text_dense(left.shape()),
                shape_text_dense(right.shape())
            ),
            Flavour::Dpnp if vectors => {
                format!("Input arrays have a mismatch in their size. (size {ours} is different from {theirs})")
            }
            Flavour::Dpnp => format!(
                "matmul: Input arrays have a mismatch in their core dimensions. The core dimensions should follow this signature: (n?,k),(k,m?)->(n?,m?) (size {ours} is different from {theirs})"
            ),
        }));
    }
    if left.rank() <= 2 && right.rank() <= 2 {
        return matmul(left, right, None, flavour);
    }
    contract(left, &[left_axis], right, &[right_axis], flavour)
}

/// `vdot`: the sum of products of the flattened arrays, the first conjugated.
pub fn vdot(left: &Array, right: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let (ours, theirs) = (left.len_elements(), right.len_elements());
    if ours != theirs {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!("cannot reshape array of size {theirs} into shape ({ours},)"),
            Flavour::Dpnp => {
                format!("Input arrays have a mismatch in their size. (size {ours} is different from {theirs})")
            }
        }));
    }
    let left = shapes::ravel(left, MemoryOrder::C)?;
    dot(&conjugated(&left, flavour)?, &shapes::ravel(right, MemoryOrder::C)?, flavour)
}

fn conjugated(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    if !array.dtype().is_complex() {
        return Ok(array.clone());
    }
    Expr::apply(Op::Conjugate, &[Expr::array(array)], flavour)?.evaluate()
}

/// `vecdot`: sums of products along an axis, the first conjugated, other axes broadcast.
pub fn vecdot(left: &Array, right: &Array, axis: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    for (number, array) in [left, right].into_iter().enumerate() {
        if array.rank() == 0 {
            return Err(ArrayError::value(match flavour {
                Flavour::NumPy => format!(
                    "vecdot: Input operand {number} does not have enough dimensions (has 0, gufunc core with signature (n),(n)->() requires 1)"
                ),
                Flavour::Dpnp => format!(
                    "The {} input array does not have enough dimensions (has 0, but requires at least 1)",
                    if number == 0 { "first" } else { "second" }
                ),
            }));
        }
    }
    let left = shapes::moveaxis(left, &[axis], &[-1])?;
    let right = shapes::moveaxis(right, &[axis], &[-1])?;
    let (ours, theirs) = (left.shape()[left.rank() - 1], right.shape()[right.rank() - 1]);
    if ours != theirs {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!(
                "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() (size {theirs} is different from {ours})"
            ),
            Flavour::Dpnp => format!(
                "vecdot: Input arrays have a mismatch in their core dimensions. The core dimensions should follow this signature: (n?,),(n?,)->() (size {ours} is different from {theirs})"
            ),
        }));
    }
    let dtype = left.dtype().promote(right.dtype());
    let product = multiply(&Expr::array(&conjugated(&left, flavour)?), &Expr::array(&right), flavour)?;
    let op = if dtype.is_bool() { ReduceOp::Any } else { ReduceOp::Sum };
    product.reduce(op, Some(&[-1]), false, (!dtype.is_bool()).then_some(dtype), flavour)?.evaluate()
}

/// `inner`: sums of products over the last axes.
pub fn inner(left: &Array, right: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    if left.rank() == 0 || right.rank() == 0 {
        return multiply(&Expr::array(left), &Expr::array(right), flavour)?.evaluate();
    }
    let (left_axis, right_axis) = (left.rank() - 1, right.rank() - 1);
    let (ours, theirs) = (left.shape()[left_axis], right.shape()[right_axis]);
    if ours != theirs {
        // NumPy describes the second array with its last axis brought forward.
        let mut shown: Dims = right.shape().into();
        let shown_axis = right_axis.saturating_sub(1);
        shown.swap(right_axis, shown_axis);
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!(
                "shapes {} and {} not aligned: {ours} (dim {left_axis}) != {theirs} (dim {shown_axis})",
                shape_text_dense(left.shape()),
                shape_text_dense(&shown)
            ),
            Flavour::Dpnp => "shape of input arrays is not similar at the last axis.".to_owned(),
        }));
    }
    contract(left, &[left_axis], right, &[right_axis], flavour)
}

/// `outer` of the flattened arrays.
pub fn outer(left: &Array, right: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let column = support::with_shape(left, &[left.len_elements(), 1])?;
    let row = support::with_shape(right, &[1, right.len_elements()])?;
    multiply(&Expr::array(&column), &Expr::array(&row), flavour)?.evaluate()
}

/// Which axes `tensordot` sums over.
#[derive(Clone, Debug)]
pub enum TensorAxes {
    /// The last of the first array and as many first ones of the second.
    Count(i64),
    /// These of the first, those of the second.
    Pairs(Vec<i64>, Vec<i64>),
}

/// `tensordot`.
pub fn tensordot(left: &Array, right: &Array, axes: &TensorAxes, flavour: Flavour) -> Result<Array, ArrayError> {
    let mismatch = || {
        ArrayError::value(match flavour {
            Flavour::NumPy => "shape-mismatch for sum",
            Flavour::Dpnp => "shape of input arrays is not similar at requested axes.",
        })
    };
    let (left_axes, right_axes) = match axes {
        TensorAxes::Count(count) => {
            for pair in 0..*count {
                let ours =
                    (left.rank() as i64 - count + pair).try_into().ok().and_then(|axis: usize| left.shape().get(axis));
                match (ours, right.shape().get(pair as usize)) {
                    (Some(ours), Some(theirs)) if ours == theirs => {}
                    (Some(_), Some(_)) => return Err(mismatch()),
                    _ => return Err(ArrayError::index("tuple index out of range")),
                }
            }
            ((-count..0).collect::<Vec<i64>>(), (0..*count).collect())
        }
        TensorAxes::Pairs(left, right) => (left.clone(), right.clone()),
    };
    if left_axes.len() != right_axes.len() {
        return Err(mismatch());
    }
    let left_axes = support::axes_set(&left_axes, left.rank())?;
    let right_axes = support::axes_set(&right_axes, right.rank())?;
    if left_axes.iter().zip(&right_axes).any(|(ours, theirs)| left.shape()[*ours] != right.shape()[*theirs]) {
        return Err(mismatch());
    }
    contract(left, &left_axes, right, &right_axes, flavour)
}

/// Sums over pairs of axes by one matrix product; the free axes of the first come before those of the second.
pub(super) fn contract(
    left: &Array,
    left_axes: &[usize],
    right: &Array,
    right_axes: &[usize],
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let free = |array: &Array, axes: &[usize]| -> Vec<usize> {
        (0..array.rank()).filter(|axis| !axes.contains(axis)).collect()
    };
    let lengths = |array: &Array, axes: &[usize]| -> Dims { axes.iter().map(|axis| array.shape()[*axis]).collect() };
    let permuted = |array: &Array, order: &mut dyn Iterator<Item = usize>| {
        shapes::transpose(array, Some(&order.map(|axis| axis as i64).collect::<Vec<_>>()))
    };
    let (left_free, right_free) = (free(left, left_axes), free(right, right_axes));
    let (rows, columns) = (lengths(left, &left_free), lengths(right, &right_free));
    let summed: usize = lengths(left, left_axes).iter().product();
    let left = permuted(left, &mut left_free.iter().chain(left_axes).copied())?;
    let right = permuted(right, &mut right_axes.iter().chain(&right_free).copied())?;
    let left = as_matrix(&left, rows.iter().product(), summed)?;
    let right = as_matrix(&right, summed, columns.iter().product())?;
    let product = matmul(&left, &right, None, flavour)?;
    let shape: Dims = rows.into_iter().chain(columns).collect();
    support::with_shape(&product, &shape)
}

/// `kron`: every element of the first array times the whole second one.
pub fn kron(left: &Array, right: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let rank = left.rank().max(right.rank());
    let padded = |array: &Array| -> Dims {
        std::iter::repeat_n(1, rank - array.rank()).chain(array.shape().iter().copied()).collect()
    };
    let (left_shape, right_shape) = (padded(left), padded(right));
    let spread: Dims = left_shape.iter().flat_map(|len| [*len, 1]).collect();
    let inner: Dims = right_shape.iter().flat_map(|len| [1, *len]).collect();
    let product = multiply(
        &Expr::array(&support::with_shape(left, &spread)?),
        &Expr::array(&support::with_shape(right, &inner)?),
        flavour,
    )?
    .evaluate()?;
    let shape = left_shape
        .iter()
        .zip(&right_shape)
        .map(|(left, right)| left.checked_mul(*right).ok_or_else(support::too_big))
        .collect::<Result<Dims, _>>()?;
    support::with_shape(&product, &shape)
}

/// `cross`: vectors of two or three components along axes.
pub fn cross(
    left: &Array,
    right: &Array,
    left_axis: i64,
    right_axis: i64,
    result_axis: i64,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let left = shapes::moveaxis(left, &[left_axis], &[-1])?;
    let right = shapes::moveaxis(right, &[right_axis], &[-1])?;
    let (ours, theirs) = (left.shape()[left.rank() - 1], right.shape()[right.rank() - 1]);
    if !(2..=3).contains(&ours) || !(2..=3).contains(&theirs) {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "incompatible dimensions for cross product\n(dimension must be 2 or 3)",
            Flavour::Dpnp => {
                "Incompatible vector dimensions for cross product\n(the dimension of vector used in cross product must be 2 or 3)"
            }
        }));
    }
    let component = |array: &Array, number: usize| -> Result<Option<Expr>, ArrayError> {
        if number >= array.shape()[array.rank() - 1] {
            return Ok(None);
        }
        Ok(Some(Expr::array(&array.index(&[BasicIndex::Ellipsis, BasicIndex::At(number as i64)])?)))
    };
    // left[i] * right[j] - left[j] * right[i]; a missing third component counts as zero.
    let minor = |i: usize, j: usize| -> Result<Expr, ArrayError> {
        let product = |a: usize, b: usize| -> Result<Option<Expr>, ArrayError> {
            match (component(&left, a)?, component(&right, b)?) {
                (Some(left), Some(right)) => multiply(&left, &right, flavour).map(Some),
                _ => Ok(None),
            }
        };
        match (product(i, j)?, product(j, i)?) {
            (Some(first), Some(second)) => subtract(&first, &second, flavour),
            (Some(first), None) => Ok(first),
            (None, Some(second)) => Expr::apply(Op::Negative, &[second], flavour),
            (None, None) => Err(ArrayError::runtime("two planar vectors have one component only")),
        }
    };
    if ours == 2 && theirs == 2 {
        return minor(0, 1)?.evaluate();
    }
    let parts = [minor(1, 2)?, minor(2, 0)?, minor(0, 1)?];
    let mut shape: Dims = parts[2].shape().into();
    shape.push(3);
    let alloc = support::common_alloc(&[&left, &right])?;
    let result = support::allocate(&shape, left.dtype().promote(right.dtype()), &alloc)?;
    for (number, part) in parts.iter().enumerate() {
        part.evaluate_into(&result.index(&[BasicIndex::Ellipsis, BasicIndex::At(number as i64)])?, None)?;
    }
    shapes::moveaxis(&result, &[-1], &[result_axis])
}

/// `trace`: the sum along a diagonal.
pub fn trace(
    array: &Array,
    offset: i64,
    axis1: i64,
    axis2: i64,
    dtype: Option<DType>,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let diagonal = shapes::diagonal(array, offset, axis1, axis2)?;
    Expr::array(&diagonal).reduce(ReduceOp::Sum, Some(&[-1]), false, dtype, flavour)?.evaluate()
}

/// `matvec`: matrices times vectors, stacks broadcast.
pub fn matvec(matrices: &Array, vectors: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let columns = shapes::expand_dims(vectors, &[-1])?;
    shapes::squeeze(&matmul(matrices, &columns, None, flavour)?, Some(&[-1]), flavour)
}

/// `vecmat`: conjugated vectors times matrices, stacks broadcast.
pub fn vecmat(vectors: &Array, matrices: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let rows = shapes::expand_dims(&conjugated(vectors, flavour)?, &[-2])?;
    shapes::squeeze(&matmul(&rows, matrices, None, flavour)?, Some(&[-2]), flavour)
}

/// The product of several matrices in the order that needs the fewest multiplications: `linalg.multi_dot`.
pub fn multi_dot(arrays: &[&Array], flavour: Flavour) -> Result<Array, ArrayError> {
    if arrays.len() < 2 {
        return Err(ArrayError::value("Expecting at least two arrays."));
    }
    let lengths: Vec<f64> = arrays
        .iter()
        .map(|array| array.shape().first().copied())
        .chain([arrays[arrays.len() - 1].shape().last().copied()])
        .map(|len| len.unwrap_or(1) as f64)
        .collect();
    if arrays[1..arrays.len() - 1].iter().any(|array| array.rank() != 2) {
        return Err(ArrayError::linalg("All arrays but the first and the last must be two-dimensional"));
    }
    // A vector at the front is a row, at the back a column.
    let mut lengths = lengths;
    if arrays[0].rank() == 1 {
        lengths.insert(0, 1.0);
        lengths.remove(1);
        lengths[1] = arrays[0].len_elements() as f64;
    }
    let count = arrays.len();
    let mut cost = vec![vec![0.0; count]; count];
    let mut split = vec![vec![0; count]; count];
    for width in 1..count {
        for start in 0..count - width {
            let end = start + width;
            cost[start][end] = f64::INFINITY;
            for middle in start..end {
                let here = cost[start][middle]
                    + cost[middle + 1][end]
                    + lengths[start] * lengths[middle + 1] * lengths[end + 1];
                if here < cost[start][end] {
                    cost[start][end] = here;
                    split[start][end] = middle;
                }
            }
        }
    }
    multiply_chain(arrays, &split, 0, count - 1, flavour)
}

fn multiply_chain(
    arrays: &[&Array],
    split: &[Vec<usize>],
    start: usize,
    end: usize,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    if start == end {
        return Ok(arrays[start].clone());
    }
    let middle = split[start][end];
    let left = multiply_chain(arrays, split, start, middle, flavour)?;
    dot(&left, &multiply_chain(arrays, split, middle + 1, end, flavour)?, flavour)
}
