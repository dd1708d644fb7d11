//! Jacobi rotations: eigenvalues of Hermitian matrices and singular values, to full accuracy and without special cases.

use super::field::{Field, Matrix};
use crate::arrays::attention;
use crate::arrays::error::ArrayError;

/// More sweeps than any matrix needs; the method converges quadratically.
const SWEEPS_MAX: usize = 60;

/// Eigenvalues, rising, and eigenvectors in the columns. Only the lower triangle is read.
pub(super) fn eigh<F: Field>(matrix: &Matrix<F>) -> Result<(Vec<f64>, Matrix<F>), ArrayError> {
    let side = matrix.rows;
    let mut work = Matrix::zeros(side, side);
    for row in 0..side {
        for column in 0..row {
            work.set(row, column, matrix.at(row, column));
            work.set(column, row, matrix.at(row, column).conjugate());
        }
        work.set(row, row, F::from_real(matrix.at(row, row).real()));
    }
    // Rows of this are the conjugated eigenvectors: rotations then act on rows, which lie together.
    let mut vectors = Matrix::identity(side);
    if work.elements.iter().any(|element| !element.modulus().is_finite()) {
        return Err(ArrayError::linalg("Eigenvalues did not converge"));
    }
    let total: f64 = work.elements.iter().map(|element| element.modulus_squared()).sum::<f64>().sqrt();
    for sweep in 0.. {
        let off: f64 = (0..side)
            .flat_map(|row| (0..row).map(move |column| (row, column)))
            .map(|(row, column)| work.at(row, column).modulus_squared())
            .sum::<f64>()
            .sqrt();
        if off <= total * f64::EPSILON * f64::EPSILON || off == 0.0 {
            break;
        }
        if sweep == SWEEPS_MAX {
            // What is left is below the rounding of the diagonal.
            if off <= total * f64::EPSILON * side as f64 {
                break;
            }
            return Err(ArrayError::linalg("Eigenvalues did not converge"));
        }
        for p in 0..side {
            attention::check()?;
            for q in p + 1..side {
                rotate_hermitian(&mut work, &mut vectors, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..side).collect();
    order.sort_by(|left, right| work.at(*left, *left).real().total_cmp(&work.at(*right, *right).real()));
    let values = order.iter().map(|place| work.at(*place, *place).real()).collect();
    let mut columns = Matrix::zeros(side, side);
    for (column, place) in order.iter().enumerate() {
        for row in 0..side {
            columns.set(row, column, vectors.at(*place, row).conjugate());
        }
    }
    Ok((values, columns))
}

/// One rotation in the plane (p, q) that makes the element there zero.
fn rotate_hermitian<F: Field>(work: &mut Matrix<F>, vectors: &mut Matrix<F>, p: usize, q: usize) {
    let coupling = work.at(p, q);
    let size = coupling.modulus();
    if size == 0.0 {
        return;
    }
    let (low, high) = (work.at(p, p).real(), work.at(q, q).real());
    if size < f64::MIN_POSITIVE || size * size * 1e32 < (low * high).abs() && size < low.abs().min(high.abs()) * 1e-18 {
        work.set(p, q, F::ZERO);
        work.set(q, p, F::ZERO);
        return;
    }
    let phase = coupling.scaled(1.0 / size);
    let (cosine, sine) = rotation(low, high, size);
    let side = work.rows;
    // Rows, then columns: J* A J with J = [[c, s·phase], [-s·conj(phase), c]] in this plane.
    rotate_rows(work, p, q, cosine, sine, phase);
    for row in 0..side {
        let (left, right) = (work.at(row, p), work.at(row, q));
        work.set(row, p, left.scaled(cosine) - right * phase.conjugate().scaled(sine));
        work.set(row, q, left * phase.scaled(sine) + right.scaled(cosine));
    }
    work.set(p, q, F::ZERO);
    work.set(q, p, F::ZERO);
    rotate_rows(vectors, p, q, cosine, sine, phase);
}

fn rotate_rows<F: Field>(matrix: &mut Matrix<F>, p: usize, q: usize, cosine: f64, sine: f64, phase: F) {
    let (upper, lower) = matrix.two_rows(p, q);
    for (upper, lower) in upper.iter_mut().zip(lower) {
        let (left, right) = (*upper, *lower);
        *upper = left.scaled(cosine) - right * phase.scaled(sine);
        *lower = left * phase.conjugate().scaled(sine) + right.scaled(cosine);
    }
}

/// Cosine and sine of the angle that diagonalises [[low, size], [size, high]].
fn rotation(low: f64, high: f64, size: f64) -> (f64, f64) {
    let theta = (high - low) / (2.0 * size);
    let tangent = if theta.is_infinite() { 0.0 } else { theta.signum() / (theta.abs() + theta.hypot(1.0)) };
    let cosine = 1.0 / tangent.hypot(1.0);
    (cosine, tangent * cosine)
}

/// U, singular values and V*.
type SingularParts<F> = (Matrix<F>, Vec<f64>, Matrix<F>);

/// Singular values, falling, with U (rows x k) and V* (k x columns), k the smaller side.
pub(super) fn svd<F: Field>(matrix: &Matrix<F>) -> Result<SingularParts<F>, ArrayError> {
    if matrix.rows < matrix.columns {
        let (u, values, v_adjoint) = svd(&matrix.adjoint())?;
        return Ok((v_adjoint.adjoint(), values, u.adjoint()));
    }
    if matrix.elements.iter().any(|element| !element.modulus().is_finite()) {
        return Err(ArrayError::linalg("SVD did not converge"));
    }
    // One-sided Jacobi on the columns, kept as rows of the adjoint so that they lie together.
    let mut columns = matrix.adjoint();
    let count = columns.rows;
    let mut v_adjoint = Matrix::identity(count);
    for sweep in 0.. {
        let mut rotated = false;
        for p in 0..count {
            attention::check()?;
            for q in p + 1..count {
                rotated |= orthogonalise(&mut columns, &mut v_adjoint, p, q);
            }
        }
        if !rotated {
            break;
        }
        if sweep == SWEEPS_MAX {
            return Err(ArrayError::linalg("SVD did not converge"));
        }
    }
    let lengths: Vec<f64> = (0..count).map(|row| length(columns.row(row))).collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|left, right| lengths[*right].total_cmp(&lengths[*left]));
    let values: Vec<f64> = order.iter().map(|place| lengths[*place]).collect();
    let mut u_adjoint = Matrix::zeros(count, columns.columns);
    let mut sorted_v = Matrix::zeros(count, count);
    for (row, place) in order.iter().enumerate() {
        sorted_v.row_mut(row).copy_from_slice(v_adjoint.row(*place));
        if lengths[*place] > 0.0 {
            let inverse = 1.0 / lengths[*place];
            let scaled = columns.row(*place).iter().map(|element| element.scaled(inverse));
            u_adjoint.row_mut(row).iter_mut().zip(scaled).for_each(|(slot, value)| *slot = value);
        }
    }
    complete(&mut u_adjoint, values.iter().take_while(|value| **value > 0.0).count());
    Ok((u_adjoint.adjoint(), values, sorted_v))
}

fn length<F: Field>(row: &[F]) -> f64 {
    let largest = row.iter().map(|element| element.modulus()).fold(0.0, f64::max);
    if largest == 0.0 {
        return 0.0;
    }
    // Scaled first, so that squares neither overflow nor vanish.
    largest * row.iter().map(|element| element.scaled(1.0 / largest).modulus_squared()).sum::<f64>().sqrt()
}

/// Makes two columns orthogonal; answers whether they were not.
fn orthogonalise<F: Field>(columns: &mut Matrix<F>, v_adjoint: &mut Matrix<F>, p: usize, q: usize) -> bool {
    let (left, right) = (columns.row(p), columns.row(q));
    let low: f64 = left.iter().map(|element| element.modulus_squared()).sum();
    let high: f64 = right.iter().map(|element| element.modulus_squared()).sum();
    // Rows hold conjugated columns: this is column p* times column q.
    let coupling = left.iter().zip(right).fold(F::ZERO, |sum, (left, right)| sum + *left * right.conjugate());
    let size = coupling.modulus();
    if size <= f64::EPSILON * (low * high).sqrt() || size < f64::MIN_POSITIVE {
        return false;
    }
    let phase = coupling.scaled(1.0 / size);
    let (cosine, sine) = rotation(low, high, size);
    rotate_rows(columns, p, q, cosine, sine, phase);
    rotate_rows(v_adjoint, p, q, cosine, sine, phase);
    true
}

/// Fills rows from `known` on with unit vectors orthogonal to all rows before.
pub(super) fn complete<F: Field>(rows: &mut Matrix<F>, known: usize) {
    let mut candidate = 0;
    for row in known..rows.rows {
        while candidate < rows.columns {
            let mut vector = vec![F::ZERO; rows.columns];
            vector[candidate] = F::ONE;
            candidate += 1;
            // Twice is enough for full orthogonality.
            for _ in 0..2 {
                for before in 0..row {
                    let overlap = vector
                        .iter()
                        .zip(rows.row(before))
                        .fold(F::ZERO, |sum, (own, other)| sum + *own * other.conjugate());
                    vector.iter_mut().zip(rows.row(before)).for_each(|(own, other)| *own -= overlap * *other);
                }
            }
            let size = length(&vector);
            if size > 1e-8 {
                rows.row_mut(row).iter_mut().zip(&vector).for_each(|(slot, own)| *slot = own.scaled(1.0 / size));
                break;
            }
        }
    }
}
