//! Numbers that do not fit a value: wide integers and complex numbers.

use num_bigint::BigInt;

use super::leaf_object;

/// An `int` outside 64 bits.
#[derive(Debug)]
pub struct IntObject {
    value: BigInt,
}

impl IntObject {
    /// Wraps a value; callers normalise through [`crate::lang::value::Value::int`].
    pub fn new(value: BigInt) -> Self {
        Self { value }
    }

    /// The number.
    pub fn value(&self) -> &BigInt {
        &self.value
    }
}
leaf_object!(IntObject, Big);

/// A `complex`.
#[derive(Debug)]
pub struct ComplexObject {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

impl ComplexObject {
    /// `re + im j`.
    pub fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }
}
leaf_object!(ComplexObject, Complex);
