//! Cholesky and QR factors.

use super::field::{Field, Matrix};
use crate::arrays::attention;
use crate::arrays::error::ArrayError;

/// The lower triangle L with A = L L*, or nothing if A is not positive definite. Only the lower triangle of A is read.
pub(super) fn cholesky<F: Field>(matrix: &Matrix<F>) -> Result<Option<Matrix<F>>, ArrayError> {
    let side = matrix.rows;
    let mut lower = Matrix::<F>::zeros(side, side);
    for row in 0..side {
        attention::check()?;
        for column in 0..=row {
            let known: F = lower.row(row)[..column]
                .iter()
                .zip(&lower.row(column)[..column])
                .fold(F::ZERO, |sum, (left, right)| sum + *left * right.conjugate());
            let rest = matrix.at(row, column) - known;
            if row == column {
                let squared = rest.real();
                if squared.is_nan() || squared <= 0.0 {
                    return Ok(None);
                }
                lower.set(row, row, F::from_real(squared.sqrt()));
            } else {
                let value = rest / lower.at(column, column);
                lower.set(row, column, value);
            }
        }
    }
    Ok(Some(lower))
}

/// Householder QR: Q square, R of the shape of the matrix; signs as LAPACK chooses them.
pub(super) fn qr<F: Field>(matrix: &Matrix<F>) -> Result<(Matrix<F>, Matrix<F>), ArrayError> {
    let (rows, columns) = (matrix.rows, matrix.columns);
    let mut r = matrix.clone();
    // Q* is built by the same reflections, so that its rows can be worked on in place.
    let mut q_adjoint = Matrix::identity(rows);
    for step in 0..rows.min(columns) {
        attention::check()?;
        let below: f64 = (step + 1..rows).map(|row| r.at(row, step).modulus_squared()).sum();
        let alpha = r.at(step, step);
        if below == 0.0 && alpha.to_complex().im == 0.0 {
            continue;
        }
        let length = (alpha.modulus_squared() + below).sqrt();
        // LAPACK makes the new diagonal element real, with the sign opposite to the real part of the old one.
        let beta = if alpha.real() > 0.0 || (alpha.real() == 0.0 && alpha.real().is_sign_positive()) {
            -length
        } else {
            length
        };
        let tau = (F::from_real(beta) - alpha) / F::from_real(beta);
        let scale = F::ONE / (alpha - F::from_real(beta));
        let mut reflector: Vec<F> = vec![F::ONE];
        reflector.extend((step + 1..rows).map(|row| r.at(row, step) * scale));
        reflect(&mut r, &reflector, tau, step);
        reflect(&mut q_adjoint, &reflector, tau, step);
        r.set(step, step, F::from_real(beta));
        (step + 1..rows).for_each(|row| r.set(row, step, F::ZERO));
    }
    Ok((q_adjoint.adjoint(), r))
}

/// Applies (1 - tau v v*)* to the rows from `step` on.
fn reflect<F: Field>(target: &mut Matrix<F>, reflector: &[F], tau: F, step: usize) {
    let mut projection = vec![F::ZERO; target.columns];
    for (offset, factor) in reflector.iter().enumerate() {
        let row = target.row(step + offset);
        projection.iter_mut().zip(row).for_each(|(sum, element)| *sum += factor.conjugate() * *element);
    }
    let tau = tau.conjugate();
    for (offset, factor) in reflector.iter().enumerate() {
        let weight = tau * *factor;
        let row = target.row_mut(step + offset);
        row.iter_mut().zip(&projection).for_each(|(element, sum)| *element -= weight * *sum);
    }
}
