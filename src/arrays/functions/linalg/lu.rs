//! Elimination with row exchanges: determinants, linear systems, inverses.

use super::field::{Field, Matrix};
use crate::arrays::attention;
use crate::arrays::error::ArrayError;

/// P A = L U in one matrix: the unit lower triangle below, the upper triangle on and above the diagonal.
pub(super) struct Lu<F> {
    pub(super) factors: Matrix<F>,
    /// The row of A that became each row.
    pub(super) order: Vec<usize>,
    /// Whether the number of exchanges is odd.
    pub(super) odd: bool,
    /// Whether a pivot is exactly zero.
    pub(super) singular: bool,
}

impl<F: Field> Lu<F> {
    pub(super) fn new(mut matrix: Matrix<F>) -> Result<Self, ArrayError> {
        let side = matrix.rows;
        let mut order: Vec<usize> = (0..side).collect();
        let (mut odd, mut singular) = (false, false);
        for column in 0..side {
            attention::check()?;
            // Like LAPACK, the first of the largest; NaN is never chosen over a number.
            let mut pivot = column;
            for row in column + 1..side {
                if matrix.at(row, column).modulus() > matrix.at(pivot, column).modulus() {
                    pivot = row;
                }
            }
            if matrix.at(pivot, column) == F::ZERO {
                singular = true;
                continue;
            }
            if pivot != column {
                matrix.swap_rows(pivot, column);
                order.swap(pivot, column);
                odd = !odd;
            }
            let inverse = F::ONE / matrix.at(column, column);
            for row in column + 1..side {
                let factor = matrix.at(row, column) * inverse;
                if factor == F::ZERO {
                    continue;
                }
                let (upper, lower) = matrix.two_rows(column, row);
                lower[column] = factor;
                for (lower, upper) in lower[column + 1..].iter_mut().zip(&upper[column + 1..]) {
                    *lower -= factor * *upper;
                }
            }
        }
        Ok(Lu { factors: matrix, order, odd, singular })
    }

    /// The sign (or phase) of the determinant and the logarithm of its modulus.
    pub(super) fn sign_and_log(&self) -> (F, f64) {
        let mut sign = if self.odd { -F::ONE } else { F::ONE };
        let mut log = 0.0;
        for place in 0..self.factors.rows {
            let pivot = self.factors.at(place, place);
            let modulus = pivot.modulus();
            if modulus == 0.0 {
                return (F::ZERO, f64::NEG_INFINITY);
            }
            sign = sign * pivot.scaled(1.0 / modulus);
            log += modulus.ln();
        }
        (sign, log)
    }

    /// The determinant, as the product of the pivots.
    pub(super) fn determinant(&self) -> F {
        let sign = if self.odd { -F::ONE } else { F::ONE };
        (0..self.factors.rows).fold(sign, |product, place| product * self.factors.at(place, place))
    }

    /// Solves A X = B.
    pub(super) fn solve(&self, right: &Matrix<F>) -> Result<Matrix<F>, ArrayError> {
        let mut solution = Matrix::zeros(right.rows, right.columns);
        for (row, source) in self.order.iter().enumerate() {
            solution.row_mut(row).copy_from_slice(right.row(*source));
        }
        let side = self.factors.rows;
        for row in 0..side {
            attention::check()?;
            for before in 0..row {
                let factor = self.factors.at(row, before);
                let (done, current) = solution.two_rows(before, row);
                current.iter_mut().zip(done).for_each(|(current, done)| *current -= factor * *done);
            }
        }
        for row in (0..side).rev() {
            attention::check()?;
            for after in row + 1..side {
                let factor = self.factors.at(row, after);
                let (done, current) = solution.two_rows(after, row);
                current.iter_mut().zip(done).for_each(|(current, done)| *current -= factor * *done);
            }
            let pivot = self.factors.at(row, row);
            solution.row_mut(row).iter_mut().for_each(|element| *element = *element / pivot);
        }
        Ok(solution)
    }
}
