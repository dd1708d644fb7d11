//! Sums and products of single elements in their own dtype, for loops that carry a value from one element to the next.
//!
//! Integers wrap, booleans add as "or" and multiply as "and", float16 rounds after each operation. Whole arrays go through `expr`.

use half::f16;
use num_complex::Complex;

use super::sorting::SortKey;

/// Elements with the arithmetic of NumPy's loops.
pub trait Numeric: SortKey {
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product.
    fn times(self, other: Self) -> Self;
    /// The complex conjugate; other numbers are their own.
    fn conjugate(self) -> Self {
        self
    }
    /// Whether it is a NaN.
    fn is_not_a_number(self) -> bool {
        false
    }
}

macro_rules! numeric_integers {
    ($($ty:ty),*) => {$(
        impl Numeric for $ty {
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
    )*};
}
numeric_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Numeric for bool {
    fn plus(self, other: Self) -> Self {
        self | other
    }
    fn times(self, other: Self) -> Self {
        self & other
    }
}

macro_rules! numeric_floats {
    ($($ty:ty),*) => {$(
        impl Numeric for $ty {
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn is_not_a_number(self) -> bool {
                self.is_nan()
            }
        }
    )*};
}
numeric_floats!(f16, f32, f64);

macro_rules! numeric_complex {
    ($($ty:ty),*) => {$(
        impl Numeric for Complex<$ty> {
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn conjugate(self) -> Self {
                self.conj()
            }
            fn is_not_a_number(self) -> bool {
                self.re.is_nan() || self.im.is_nan()
            }
        }
    )*};
}
numeric_complex!(f32, f64);
