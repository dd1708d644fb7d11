//! Linear systems, inverses, determinants, factors and least squares.

use super::factor;
use super::field::{Field, Matrix};
use super::jacobi;
use super::lu::Lu;
use super::stacks::{batch, check_square, check_stacked, core, inexact_dtype, matrices, pack, with_field};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::matmul;
use crate::arrays::functions::creation;
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::layout::{Dims, broadcast_shapes};
use crate::arrays::op::Flavour;

fn singular(flavour: Flavour) -> ArrayError {
    ArrayError::linalg(match flavour {
        Flavour::NumPy => "Singular matrix",
        Flavour::Dpnp => "The input coefficient matrix is singular.",
    })
}

/// `det`.
pub fn det(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    check_square(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    with_field!(dtype, F => {
        let found = matrices::<F>(array)?
            .into_iter()
            .map(|matrix| Ok(Lu::new(matrix)?.determinant()))
            .collect::<Result<Vec<F>, ArrayError>>()?;
        pack(found, &batch(array), dtype, &array.alloc())
    })
}

/// `slogdet`: the sign (or phase) of the determinant and the logarithm of its modulus.
pub fn slogdet(array: &Array, flavour: Flavour) -> Result<(Array, Array), ArrayError> {
    check_square(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    with_field!(dtype, F => {
        let mut signs: Vec<F> = Vec::new();
        let mut logs: Vec<f64> = Vec::new();
        for matrix in matrices::<F>(array)? {
            let (sign, log) = Lu::new(matrix)?.sign_and_log();
            signs.push(sign);
            logs.push(log);
        }
        let shape = batch(array);
        Ok((pack(signs, &shape, dtype, &array.alloc())?, pack(logs, &shape, dtype.real_part(), &array.alloc())?))
    })
}

/// `inv`.
pub fn inv(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let side = check_square(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    with_field!(dtype, F => {
        let mut inverses: Vec<F> = Vec::new();
        for matrix in matrices::<F>(array)? {
            let lu = Lu::new(matrix)?;
            if lu.singular {
                return Err(singular(flavour));
            }
            inverses.extend(lu.solve(&Matrix::identity(side))?.elements);
        }
        pack(inverses, array.shape(), dtype, &array.alloc())
    })
}

/// `solve`: A x = b; a vector `b` is one right side, anything else a stack of matrices.
pub fn solve(a: &Array, b: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let side = check_square(a, flavour)?;
    let vector = b.rank() == 1;
    let right = if vector { shapes::expand_dims(b, &[1])? } else { b.clone() };
    check_stacked(&right, flavour)?;
    if core(&right)[0] != side {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!(
                "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (m,m),(m{} (size {} is different from {side})",
                if vector { ")->(m)" } else { ",n)->(m,n)" },
                core(&right)[0]
            ),
            Flavour::Dpnp => "a must have (..., M, M) shape and b must have (..., M) or (..., M, K)".to_owned(),
        }));
    }
    let alloc = support::common_alloc(&[a, b])?;
    let dtype = inexact_dtype(a)?.promote(inexact_dtype(b)?);
    let stack = broadcast_shapes(&[&batch(a), &batch(&right)])?;
    let spread = |array: &Array| {
        let shape: Dims = stack.iter().copied().chain(core(array)).collect();
        array.broadcast_to(&shape)
    };
    let (lefts, rights) = (spread(a)?, spread(&right)?);
    let solved = with_field!(dtype, F => {
        let mut solutions: Vec<F> = Vec::new();
        for (matrix, right) in matrices::<F>(&lefts)?.into_iter().zip(matrices::<F>(&rights)?) {
            let lu = Lu::new(matrix)?;
            if lu.singular {
                return Err(singular(flavour));
            }
            solutions.extend(lu.solve(&right)?.elements);
        }
        pack(solutions, rights.shape(), dtype, &alloc)
    })?;
    if vector { shapes::squeeze(&solved, Some(&[-1]), flavour) } else { Ok(solved) }
}

/// `cholesky`: the lower factor, or the upper one, its adjoint.
pub fn cholesky(array: &Array, upper: bool, flavour: Flavour) -> Result<Array, ArrayError> {
    check_square(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    with_field!(dtype, F => {
        let mut factors: Vec<F> = Vec::new();
        for matrix in matrices::<F>(array)? {
            let matrix = if upper { matrix.adjoint() } else { matrix };
            let lower = factor::cholesky(&matrix)?.ok_or_else(|| ArrayError::linalg(match flavour {
                Flavour::NumPy => "Matrix is not positive definite",
                Flavour::Dpnp => "Matrix is not positive definite.",
            }))?;
            factors.extend(if upper { lower.adjoint().elements } else { lower.elements });
        }
        pack(factors, array.shape(), dtype, &array.alloc())
    })
}

/// What `qr` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QrMode {
    /// Q and R with the smaller side between them.
    Reduced,
    /// Q square, R of the shape of the matrix.
    Complete,
    /// R alone.
    R,
}

/// `qr`; Q is missing in mode `R`.
pub fn qr(array: &Array, mode: QrMode, flavour: Flavour) -> Result<(Option<Array>, Array), ArrayError> {
    check_stacked(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    let [rows, columns] = core(array);
    let inner = if mode == QrMode::Complete { rows } else { rows.min(columns) };
    let shape = |rows: usize, columns: usize| -> Dims { batch(array).into_iter().chain([rows, columns]).collect() };
    with_field!(dtype, F => {
        let (mut qs, mut rs): (Vec<F>, Vec<F>) = (Vec::new(), Vec::new());
        for matrix in matrices::<F>(array)? {
            let (q, r) = factor::qr(&matrix)?;
            qs.extend(q.corner(rows, inner).elements);
            rs.extend(r.corner(inner, columns).elements);
        }
        let q = (mode != QrMode::R).then(|| pack(qs, &shape(rows, inner), dtype, &array.alloc())).transpose()?;
        Ok((q, pack(rs, &shape(inner, columns), dtype, &array.alloc())?))
    })
}

/// Singular vectors and values of a stack.
#[derive(Clone, Debug)]
pub struct Svd {
    /// Left singular vectors in columns.
    pub u: Array,
    /// Singular values, falling.
    pub values: Array,
    /// Right singular vectors, conjugated, in rows.
    pub vh: Array,
}

/// `svd`; `full` completes U and V to square matrices.
pub fn svd(array: &Array, full: bool, flavour: Flavour) -> Result<Svd, ArrayError> {
    check_stacked(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    let [rows, columns] = core(array);
    let inner = rows.min(columns);
    let (left, right) = if full { (rows, columns) } else { (inner, inner) };
    let shape = |lengths: &[usize]| -> Dims { batch(array).iter().chain(lengths).copied().collect() };
    with_field!(dtype, F => {
        let (mut us, mut vhs): (Vec<F>, Vec<F>) = (Vec::new(), Vec::new());
        let mut values: Vec<f64> = Vec::new();
        for matrix in matrices::<F>(array)? {
            let (u, found, vh) = jacobi::svd(&matrix)?;
            us.extend(completed(&u.adjoint(), left).adjoint().elements);
            vhs.extend(completed(&vh, right).elements);
            values.extend(found);
        }
        let alloc = array.alloc();
        Ok(Svd {
            u: pack(us, &shape(&[rows, left]), dtype, &alloc)?,
            values: pack(values, &shape(&[inner]), dtype.real_part(), &alloc)?,
            vh: pack(vhs, &shape(&[right, columns]), dtype, &alloc)?,
        })
    })
}

/// The rows with more orthonormal ones below them, up to `count`.
fn completed<F: Field>(rows: &Matrix<F>, count: usize) -> Matrix<F> {
    let mut all = Matrix::zeros(count, rows.columns);
    all.elements[..rows.elements.len()].copy_from_slice(&rows.elements);
    jacobi::complete(&mut all, rows.rows);
    all
}

/// `svdvals`.
pub fn svdvals(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    Ok(svd(array, false, flavour)?.values)
}

/// `pinv`: singular values below `rcond` times the largest count as zero.
pub fn pinv(array: &Array, rcond: Option<f64>, flavour: Flavour) -> Result<Array, ArrayError> {
    check_stacked(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    let [rows, columns] = core(array);
    let rcond = rcond.unwrap_or_else(|| rows.max(columns) as f64 * epsilon(dtype));
    let shape: Dims = batch(array).into_iter().chain([columns, rows]).collect();
    with_field!(dtype, F => {
        let mut inverses: Vec<F> = Vec::new();
        for matrix in matrices::<F>(array)? {
            let (u, values, vh) = jacobi::svd(&matrix)?;
            let cutoff = rcond * values.first().copied().unwrap_or(0.0);
            let mut inverse = Matrix::<F>::zeros(columns, rows);
            for (number, value) in values.iter().enumerate().filter(|(_, value)| **value > cutoff) {
                for row in 0..columns {
                    let weight = vh.at(number, row).conjugate().scaled(1.0 / value);
                    for column in 0..rows {
                        let sum = inverse.at(row, column) + weight * u.at(column, number).conjugate();
                        inverse.set(row, column, sum);
                    }
                }
            }
            inverses.extend(inverse.elements);
        }
        pack(inverses, &shape, dtype, &array.alloc())
    })
}

pub(super) fn epsilon(dtype: DType) -> f64 {
    match dtype.real_part() {
        DType::Float32 => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    }
}

/// What `lstsq` found.
#[derive(Clone, Debug)]
pub struct LeastSquares {
    /// The solution with the smallest norm.
    pub solution: Array,
    /// Sums of squared residuals per right side; empty unless the system is overdetermined and of full rank.
    pub residuals: Array,
    /// The rank of the matrix.
    pub rank: usize,
    /// Its singular values.
    pub singular_values: Array,
}

/// `lstsq`.
pub fn lstsq(a: &Array, b: &Array, rcond: Option<f64>, flavour: Flavour) -> Result<LeastSquares, ArrayError> {
    if a.rank() != 2 || b.rank() == 0 || b.rank() > 2 {
        return Err(ArrayError::linalg(format!(
            "{}-dimensional array given. Array must be two-dimensional",
            if a.rank() == 2 { b.rank() } else { a.rank() }
        )));
    }
    let [rows, columns] = core(a);
    if b.shape()[0] != rows {
        return Err(ArrayError::linalg("Incompatible dimensions"));
    }
    let dtype = inexact_dtype(a)?.promote(inexact_dtype(b)?);
    let rcond = rcond.unwrap_or_else(|| epsilon(dtype) * rows.max(columns) as f64);
    let values = svdvals(&support::cast(a, dtype)?, flavour)?;
    let lengths = support::reals(&values)?;
    let cutoff = rcond * lengths.first().copied().unwrap_or(0.0);
    let rank = lengths.iter().filter(|value| **value > cutoff).count();
    let inverse = pinv(&support::cast(a, dtype)?, Some(rcond), flavour)?;
    let right = support::cast(b, dtype)?;
    let solution = matmul(&inverse, &right, None, flavour)?;
    let residuals = if rank == columns && rows > columns {
        use crate::arrays::expr::{Expr, ReduceOp};
        use crate::arrays::op::Op;
        let fitted = matmul(&support::cast(a, dtype)?, &solution, None, flavour)?;
        let missed =
            crate::arrays::functions::calculus::subtract(&Expr::array(&fitted), &Expr::array(&right), flavour)?;
        let size = Expr::apply(Op::Absolute, &[missed], flavour)?;
        let sums =
            Expr::apply(Op::Square, &[size], flavour)?.reduce(ReduceOp::Sum, Some(&[0]), false, None, flavour)?;
        shapes::atleast_1d(&sums.evaluate()?)?
    } else {
        Array::zeros(&[0], dtype.real_part(), &a.alloc())?
    };
    Ok(LeastSquares { solution, residuals, rank, singular_values: values })
}

/// `matrix_power` by repeated squaring; negative powers of the inverse.
pub fn matrix_power(array: &Array, power: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    let side = check_square(array, flavour)?;
    if power == 0 {
        let identity = creation::identity(side, array.dtype(), &array.alloc())?;
        return support::copy(&identity.broadcast_to(array.shape())?, crate::arrays::layout::Order::C);
    }
    let mut base = if power < 0 { inv(array, flavour)? } else { array.clone() };
    let mut left = power.unsigned_abs();
    let mut result: Option<Array> = None;
    while left > 0 {
        if left & 1 == 1 {
            result = Some(match result {
                None => base.clone(),
                Some(product) => matmul(&product, &base, None, flavour)?,
            });
        }
        left >>= 1;
        if left > 0 {
            base = matmul(&base, &base, None, flavour)?;
        }
    }
    // A power of one is still a copy.
    let result = result.unwrap_or(base);
    if power == 1 { support::copy(&result, crate::arrays::layout::Order::C) } else { Ok(result) }
}

/// `tensorinv`: the inverse for `tensordot` over the first `ind` axes.
pub fn tensorinv(array: &Array, ind: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    if ind <= 0 || ind as usize > array.rank() {
        return Err(ArrayError::value("Invalid ind argument."));
    }
    let (first, rest) = array.shape().split_at(ind as usize);
    let side: usize = rest.iter().product();
    let flat = shapes::reshape(array, &[-1, side as i64], MemoryOrder::C, None, flavour)?;
    let shape: Vec<i64> = rest.iter().chain(first).map(|len| *len as i64).collect();
    shapes::reshape(&inv(&flat, flavour)?, &shape, MemoryOrder::C, None, flavour)
}

/// `tensorsolve`: x with tensordot(a, x) = b.
pub fn tensorsolve(a: &Array, b: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    let shape: Vec<i64> = a.shape()[b.rank().min(a.rank())..].iter().map(|len| *len as i64).collect();
    let side: i64 = shape.iter().product();
    let square = shapes::reshape(a, &[-1, side], MemoryOrder::C, None, flavour)?;
    let right = shapes::ravel(b, MemoryOrder::C)?;
    let solved = solve(&square, &right, flavour)?;
    shapes::reshape(&solved, &shape, MemoryOrder::C, None, flavour)
}
