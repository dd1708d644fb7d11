//! `linalg`: systems, factors, eigenvalues and norms of stacks of matrices.
//!
//! The algorithms are written out here, in double precision, one matrix at a time: elimination with pivots, Householder reflections,
//! Jacobi rotations, and a shifted QR iteration for general eigenvalues. They run on the host's processor over the array's own memory.

mod eigen;
mod factor;
mod field;
mod jacobi;
mod lu;
mod norm;
mod solve;
mod stacks;

pub use eigen::{eig, eigh, eigvals, eigvalsh};
pub use norm::{NormOrder, cond, matrix_rank, norm};
pub use solve::{
    LeastSquares, QrMode, Svd, cholesky, det, inv, lstsq, matrix_power, pinv, qr, slogdet, solve, svd, svdvals,
    tensorinv, tensorsolve,
};

pub use super::products::multi_dot;

#[cfg(test)]
mod tests {
    use num_complex::Complex64;

    use super::field::{Field, Matrix};
    use super::{factor, jacobi};
    use crate::arrays::array::{Alloc, Array};
    use crate::arrays::functions::random::{Generator, RealDistribution};
    use crate::arrays::op::Flavour::NumPy;

    fn numbers(seed: i128, count: usize) -> Vec<f64> {
        let normal = RealDistribution::Normal { mean: 0.0, deviation: 1.0 };
        let drawn =
            Generator::legacy(seed).unwrap().real(normal, &[count], crate::arrays::DType::Float64, &Alloc::HOST);
        drawn.unwrap().to_vec().unwrap()
    }

    fn complex(seed: i128, rows: usize, columns: usize) -> Matrix<Complex64> {
        let parts = numbers(seed, 2 * rows * columns);
        let elements = parts.chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).collect();
        Matrix { rows, columns, elements }
    }

    fn product<F: Field>(left: &Matrix<F>, right: &Matrix<F>) -> Matrix<F> {
        let mut result = Matrix::zeros(left.rows, right.columns);
        for row in 0..left.rows {
            for column in 0..right.columns {
                let sum = (0..left.columns).fold(F::ZERO, |sum, k| sum + left.at(row, k) * right.at(k, column));
                result.set(row, column, sum);
            }
        }
        result
    }

    fn assert_close<F: Field>(left: &Matrix<F>, right: &Matrix<F>) {
        assert_eq!((left.rows, left.columns), (right.rows, right.columns));
        let far = left
            .elements
            .iter()
            .zip(&right.elements)
            .map(|(left, right)| (*left - *right).modulus())
            .fold(0.0, f64::max);
        assert!(far < 1e-12, "{far}");
    }

    #[test]
    fn singular_vectors_rebuild_the_matrix() {
        for (rows, columns) in [(6, 4), (4, 6), (5, 5), (3, 1)] {
            let matrix = complex(1, rows, columns);
            let (u, values, vh) = jacobi::svd(&matrix).unwrap();
            let mut scaled = u.clone();
            for row in 0..u.rows {
                scaled
                    .row_mut(row)
                    .iter_mut()
                    .zip(&values)
                    .for_each(|(element, value)| *element = element.scaled(*value));
            }
            assert_close(&product(&scaled, &vh), &matrix);
            assert_close(&product(&u.adjoint(), &u), &Matrix::identity(u.columns));
            assert_close(&product(&vh, &vh.adjoint()), &Matrix::identity(vh.rows));
            assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }

    #[test]
    fn hermitian_eigenvectors_rebuild_the_matrix() {
        let half = complex(2, 6, 6);
        let matrix = product(&half, &half.adjoint());
        let (values, vectors) = jacobi::eigh(&matrix).unwrap();
        let mut scaled = vectors.clone();
        for row in 0..6 {
            scaled.row_mut(row).iter_mut().zip(&values).for_each(|(element, value)| *element = element.scaled(*value));
        }
        assert_close(&product(&scaled, &vectors.adjoint()), &matrix);
    }

    #[test]
    fn householder_factors_rebuild_the_matrix() {
        for (rows, columns) in [(5, 3), (3, 5), (4, 4)] {
            let matrix = complex(3, rows, columns);
            let (q, r) = factor::qr(&matrix).unwrap();
            assert_close(&product(&q, &r), &matrix);
            assert_close(&product(&q.adjoint(), &q), &Matrix::identity(rows));
        }
    }

    #[test]
    fn general_eigenvectors_satisfy_their_equation() {
        for seed in 0..20 {
            let side = 1 + seed as usize % 7;
            let array = Array::from_slice(&numbers(seed, side * side), &[side, side], &Alloc::HOST).unwrap();
            let (values, vectors) = super::eig(&array, NumPy).unwrap();
            let read = |array: &Array| super::stacks::matrices::<Complex64>(array).unwrap().remove(0);
            let vectors = read(&vectors);
            let values = crate::arrays::functions::support::scalars(&values).unwrap();
            let mut scaled = vectors.clone();
            for row in 0..side {
                let pairs = scaled.row_mut(row).iter_mut().zip(&values);
                pairs.for_each(|(element, value)| *element *= value.complex());
            }
            assert_close(&product(&read(&array), &vectors), &scaled);
        }
    }
}
