//! Eigenvalues: of Hermitian matrices by Jacobi rotations, of general ones by a shifted QR iteration on their Hessenberg form.

use num_complex::Complex64;

use super::field::Matrix;
use super::jacobi;
use super::stacks::{batch, check_square, inexact_dtype, matrices, pack, with_field};
use crate::arrays::array::Array;
use crate::arrays::attention;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::Dims;
use crate::arrays::op::Flavour;

/// Iterations per eigenvalue before giving up, as many as LAPACK allows.
const ITERATIONS_MAX: usize = 30;

/// `eigh`: eigenvalues, rising, and eigenvectors in columns. `upper` says which triangle is read.
pub fn eigh(array: &Array, upper: bool, flavour: Flavour) -> Result<(Array, Array), ArrayError> {
    let side = check_square(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    let shape: Dims = batch(array).into_iter().chain([side]).collect();
    with_field!(dtype, F => {
        let mut values: Vec<f64> = Vec::new();
        let mut vectors: Vec<F> = Vec::new();
        for matrix in matrices::<F>(array)? {
            let matrix = if upper { matrix.adjoint() } else { matrix };
            let (found, columns) = jacobi::eigh(&matrix)?;
            values.extend(found);
            vectors.extend(columns.elements);
        }
        let alloc = array.alloc();
        Ok((pack(values, &shape, dtype.real_part(), &alloc)?, pack(vectors, array.shape(), dtype, &alloc)?))
    })
}

/// `eigvalsh`.
pub fn eigvalsh(array: &Array, upper: bool, flavour: Flavour) -> Result<Array, ArrayError> {
    Ok(eigh(array, upper, flavour)?.0)
}

/// `eig`: eigenvalues and eigenvectors in columns; real dtypes if all of them are real.
pub fn eig(array: &Array, flavour: Flavour) -> Result<(Array, Array), ArrayError> {
    let side = check_square(array, flavour)?;
    let dtype = inexact_dtype(array)?;
    let (mut values, mut vectors) = (Vec::new(), Vec::new());
    for matrix in matrices::<Complex64>(array)? {
        if matrix.elements.iter().any(|element| !element.re.is_finite() || !element.im.is_finite()) {
            return Err(ArrayError::linalg("Array must not contain infs or NaNs"));
        }
        let (found, columns) = general(matrix, !dtype.is_complex())?;
        values.extend(found);
        vectors.extend(columns.elements);
    }
    let real = !dtype.is_complex() && values.iter().all(|value: &Complex64| value.im == 0.0);
    let complex = match dtype.real_part() {
        DType::Float32 => DType::Complex64,
        _ => DType::Complex128,
    };
    let result = if real { dtype } else { complex };
    let shape: Dims = batch(array).into_iter().chain([side]).collect();
    let alloc = array.alloc();
    Ok((pack(values, &shape, result, &alloc)?, pack(vectors, array.shape(), result, &alloc)?))
}

/// `eigvals`.
pub fn eigvals(array: &Array, flavour: Flavour) -> Result<Array, ArrayError> {
    Ok(eig(array, flavour)?.0)
}

/// Eigenvalues and unit eigenvectors of a general matrix through its complex Schur form.
fn general(matrix: Matrix<Complex64>, real_input: bool) -> Result<(Vec<Complex64>, Matrix<Complex64>), ArrayError> {
    let side = matrix.rows;
    let scale = matrix.elements.iter().map(|element| element.norm()).fold(0.0, f64::max);
    let (mut h, mut z) = hessenberg(matrix)?;
    let mut end = side;
    let mut iterations = 0;
    while end > 1 {
        attention::check()?;
        let mut start = end - 1;
        while start > 0 {
            let neighbours = h.at(start - 1, start - 1).norm() + h.at(start, start).norm();
            let small = if neighbours == 0.0 { scale } else { neighbours };
            if h.at(start, start - 1).norm() <= f64::EPSILON * small {
                h.set(start, start - 1, Complex64::ZERO);
                break;
            }
            start -= 1;
        }
        if start == end - 1 {
            end -= 1;
            iterations = 0;
            continue;
        }
        iterations += 1;
        if iterations > ITERATIONS_MAX * 10 {
            return Err(ArrayError::linalg("Eigenvalues did not converge"));
        }
        let shift = if iterations % 10 == 0 {
            // An exceptional shift breaks cycles.
            h.at(end - 1, end - 2).norm().into()
        } else {
            wilkinson(&h, end)
        };
        qr_step(&mut h, &mut z, start, end, shift);
    }
    let values: Vec<Complex64> = (0..side).map(|place| h.at(place, place)).collect();
    let vectors = eigenvectors(&h, &z, scale);
    Ok(tidied(values, vectors, real_input, scale))
}

/// The eigenvalue of the last 2 x 2 block that is nearer to its corner.
fn wilkinson(h: &Matrix<Complex64>, end: usize) -> Complex64 {
    let (a, b, c, d) = (h.at(end - 2, end - 2), h.at(end - 2, end - 1), h.at(end - 1, end - 2), h.at(end - 1, end - 1));
    let half = (a + d) * 0.5;
    let root = (((a - d) * 0.5).powi(2) + b * c).sqrt();
    let (first, second) = (half + root, half - root);
    if (first - d).norm() < (second - d).norm() { first } else { second }
}

/// One step of the shifted QR iteration on the rows and columns from `start` to `end`, by plane rotations.
fn qr_step(h: &mut Matrix<Complex64>, z: &mut Matrix<Complex64>, start: usize, end: usize, shift: Complex64) {
    let side = h.rows;
    (start..end).for_each(|place| h.set(place, place, h.at(place, place) - shift));
    let mut rotations = Vec::with_capacity(end - start);
    for place in start..end - 1 {
        let (x, y) = (h.at(place, place), h.at(place + 1, place));
        let length = x.norm().hypot(y.norm());
        let (cosine, sine) = if length == 0.0 { (Complex64::ONE, Complex64::ZERO) } else { (x / length, y / length) };
        for column in place..side {
            let (upper, lower) = (h.at(place, column), h.at(place + 1, column));
            h.set(place, column, cosine.conj() * upper + sine.conj() * lower);
            h.set(place + 1, column, cosine * lower - sine * upper);
        }
        rotations.push((cosine, sine));
    }
    for (offset, (cosine, sine)) in rotations.into_iter().enumerate() {
        let place = start + offset;
        let turn = |matrix: &mut Matrix<Complex64>, rows: usize| {
            for row in 0..rows {
                let (left, right) = (matrix.at(row, place), matrix.at(row, place + 1));
                matrix.set(row, place, left * cosine + right * sine);
                matrix.set(row, place + 1, right * cosine.conj() - left * sine.conj());
            }
        };
        turn(h, (place + 2).min(end));
        turn(z, side);
    }
    (start..end).for_each(|place| h.set(place, place, h.at(place, place) + shift));
}

/// H = Z* A Z with zeros below the first subdiagonal.
fn hessenberg(mut h: Matrix<Complex64>) -> Result<(Matrix<Complex64>, Matrix<Complex64>), ArrayError> {
    let side = h.rows;
    let mut z = Matrix::identity(side);
    for step in 0..side.saturating_sub(2) {
        attention::check()?;
        let mut reflector: Vec<Complex64> = (step + 1..side).map(|row| h.at(row, step)).collect();
        let length = reflector.iter().map(|element| element.norm_sqr()).sum::<f64>().sqrt();
        if reflector[1..].iter().all(|element| *element == Complex64::ZERO) {
            continue;
        }
        let first = reflector[0];
        let phase = if first.norm() == 0.0 { Complex64::ONE } else { first / first.norm() };
        reflector[0] += phase * length;
        let size = reflector.iter().map(|element| element.norm_sqr()).sum::<f64>();
        for column in 0..side {
            let sum: Complex64 = reflector
                .iter()
                .enumerate()
                .map(|(offset, weight)| weight.conj() * h.at(step + 1 + offset, column))
                .sum();
            for (offset, weight) in reflector.iter().enumerate() {
                let row = step + 1 + offset;
                h.set(row, column, h.at(row, column) - weight * sum * (2.0 / size));
            }
        }
        for matrix in [&mut h, &mut z] {
            for row in 0..side {
                let sum: Complex64 = reflector
                    .iter()
                    .enumerate()
                    .map(|(offset, weight)| matrix.at(row, step + 1 + offset) * weight)
                    .sum();
                for (offset, weight) in reflector.iter().enumerate() {
                    let column = step + 1 + offset;
                    matrix.set(row, column, matrix.at(row, column) - sum * weight.conj() * (2.0 / size));
                }
            }
        }
        (step + 2..side).for_each(|row| h.set(row, step, Complex64::ZERO));
    }
    Ok((h, z))
}

/// Eigenvectors of the upper triangle by substitution, carried back by Z, each of length one.
fn eigenvectors(h: &Matrix<Complex64>, z: &Matrix<Complex64>, scale: f64) -> Matrix<Complex64> {
    let side = h.rows;
    let tiny = (f64::EPSILON * scale).max(f64::MIN_POSITIVE);
    let mut vectors = Matrix::zeros(side, side);
    for number in 0..side {
        let value = h.at(number, number);
        let mut local = vec![Complex64::ZERO; side];
        local[number] = Complex64::ONE;
        for row in (0..number).rev() {
            let sum: Complex64 = (row + 1..=number).map(|column| h.at(row, column) * local[column]).sum();
            let gap = h.at(row, row) - value;
            // Equal eigenvalues: the smallest gap that still gives a finite vector.
            let gap = if gap.norm() < tiny { tiny.into() } else { gap };
            local[row] = -sum / gap;
        }
        let full: Vec<Complex64> =
            (0..side).map(|row| (0..=number).map(|column| z.at(row, column) * local[column]).sum()).collect();
        let length = full.iter().map(|element| element.norm_sqr()).sum::<f64>().sqrt();
        full.iter().enumerate().for_each(|(row, element)| vectors.set(row, number, element / length));
    }
    vectors
}

/// For real matrices: values that are real up to rounding become real, pairs become exact conjugates, and vectors are turned as LAPACK does.
fn tidied(
    mut values: Vec<Complex64>,
    mut vectors: Matrix<Complex64>,
    real_input: bool,
    scale: f64,
) -> (Vec<Complex64>, Matrix<Complex64>) {
    let side = values.len();
    if !real_input {
        return (values, vectors);
    }
    let tolerance = scale.max(f64::MIN_POSITIVE) * f64::EPSILON * 16.0 * side as f64;
    for (number, value) in values.iter_mut().enumerate() {
        let real = value.im.abs() <= tolerance;
        if real {
            value.im = 0.0;
        }
        // Turn the vector so that its largest component is real.
        let largest = (0..side)
            .map(|row| vectors.at(row, number))
            .fold(Complex64::ZERO, |largest, element| if element.norm() > largest.norm() { element } else { largest });
        let phase = if largest.norm() == 0.0 { Complex64::ONE } else { largest.conj() / largest.norm() };
        for row in 0..side {
            let turned = vectors.at(row, number) * phase;
            vectors.set(row, number, if real { turned.re.into() } else { turned });
        }
    }
    (values, vectors)
}
