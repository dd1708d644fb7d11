//! Real and complex numbers behind one set of algorithms, and small dense matrices of them.
//!
//! Everything computes in double precision; results are rounded to the dtype of the input at the end.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use num_complex::Complex64;

/// A number that linear algebra computes with.
pub(super) trait Field:
    Copy
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    const ZERO: Self;
    const ONE: Self;
    fn from_real(value: f64) -> Self;
    fn from_complex(value: Complex64) -> Self;
    fn to_complex(self) -> Complex64;
    fn conjugate(self) -> Self;
    fn modulus(self) -> f64;
    fn real(self) -> f64;

    fn modulus_squared(self) -> f64 {
        (self * self.conjugate()).real()
    }

    fn scaled(self, factor: f64) -> Self {
        self * Self::from_real(factor)
    }
}

impl Field for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn from_real(value: f64) -> Self {
        value
    }
    fn from_complex(value: Complex64) -> Self {
        value.re
    }
    fn to_complex(self) -> Complex64 {
        self.into()
    }
    fn conjugate(self) -> Self {
        self
    }
    fn modulus(self) -> f64 {
        self.abs()
    }
    fn real(self) -> f64 {
        self
    }
}

impl Field for Complex64 {
    const ZERO: Self = Complex64::ZERO;
    const ONE: Self = Complex64::ONE;
    fn from_real(value: f64) -> Self {
        value.into()
    }
    fn from_complex(value: Complex64) -> Self {
        value
    }
    fn to_complex(self) -> Complex64 {
        self
    }
    fn conjugate(self) -> Self {
        self.conj()
    }
    fn modulus(self) -> f64 {
        self.norm()
    }
    fn real(self) -> f64 {
        self.re
    }
}

/// A dense matrix, rows one after another.
#[derive(Clone, Debug)]
pub(super) struct Matrix<F> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) elements: Vec<F>,
}

impl<F: Field> Matrix<F> {
    pub(super) fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, elements: vec![F::ZERO; rows * columns] }
    }

    pub(super) fn identity(side: usize) -> Self {
        let mut matrix = Self::zeros(side, side);
        (0..side).for_each(|place| matrix.set(place, place, F::ONE));
        matrix
    }

    pub(super) fn at(&self, row: usize, column: usize) -> F {
        self.elements[row * self.columns + column]
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: F) {
        self.elements[row * self.columns + column] = value;
    }

    pub(super) fn row(&self, row: usize) -> &[F] {
        &self.elements[row * self.columns..(row + 1) * self.columns]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [F] {
        &mut self.elements[row * self.columns..(row + 1) * self.columns]
    }

    /// Two different rows at once.
    pub(super) fn two_rows(&mut self, first: usize, second: usize) -> (&mut [F], &mut [F]) {
        let columns = self.columns;
        if first < second {
            let (head, tail) = self.elements.split_at_mut(second * columns);
            (&mut head[first * columns..(first + 1) * columns], &mut tail[..columns])
        } else {
            let (head, tail) = self.elements.split_at_mut(first * columns);
            (&mut tail[..columns], &mut head[second * columns..(second + 1) * columns])
        }
    }

    pub(super) fn swap_rows(&mut self, first: usize, second: usize) {
        if first != second {
            let (first, second) = self.two_rows(first, second);
            first.swap_with_slice(second);
        }
    }

    /// The conjugate transpose.
    pub(super) fn adjoint(&self) -> Self {
        let mut adjoint = Self::zeros(self.columns, self.rows);
        for row in 0..self.rows {
            for column in 0..self.columns {
                adjoint.set(column, row, self.at(row, column).conjugate());
            }
        }
        adjoint
    }

    /// The first rows and columns.
    pub(super) fn corner(&self, rows: usize, columns: usize) -> Self {
        let elements = (0..rows).flat_map(|row| self.row(row)[..columns].iter().copied()).collect();
        Matrix { rows, columns, elements }
    }
}
