//! Single values: Python scalars, which are weak in promotion, and typed NumPy scalars.
//!
//! A scalar is a value without memory. Python integers beyond 128 bits are the language's business; they never reach
//! an array.

use super::dtype::{DType, Element, WeakKind};
use super::error::ArrayError;
use num_complex::Complex64;

/// One value, of one of the four kinds that Python and NumPy scalars have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// True or false.
    Bool(bool),
    /// An integer; every NumPy integer fits.
    Int(i128),
    /// A real float.
    Float(f64),
    /// A complex number.
    Complex(Complex64),
}

/// A scalar as it takes part in an operation: weak when it was a Python number, typed when it was a NumPy scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A Python `bool`, `int`, `float` or `complex`: takes the width of what it meets (NEP 50).
    Weak(Scalar),
    /// A NumPy scalar or 0-d value with a dtype of its own.
    Typed(Scalar, DType),
}

impl Scalar {
    /// The kind the value has in promotion.
    pub const fn kind(self) -> WeakKind {
        match self {
            Scalar::Bool(_) => WeakKind::Bool,
            Scalar::Int(_) => WeakKind::Int,
            Scalar::Float(_) => WeakKind::Float,
            Scalar::Complex(_) => WeakKind::Complex,
        }
    }

    /// The dtype an array made of this value alone gets; an integer beyond int64 is uint64, as in NumPy.
    pub fn default_dtype(self, fp64: bool) -> DType {
        match self {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(value) if value > i64::MAX as i128 => DType::UInt64,
            Scalar::Int(_) => DType::Int64,
            Scalar::Float(_) => DType::default_float(fp64),
            Scalar::Complex(_) => DType::default_complex(fp64),
        }
    }

    /// The real part as a float.
    pub fn real(self) -> f64 {
        match self {
            Scalar::Bool(value) => f64::from(u8::from(value)),
            Scalar::Int(value) => value as f64,
            Scalar::Float(value) => value,
            Scalar::Complex(value) => value.re,
        }
    }

    /// The value as a complex number.
    pub fn complex(self) -> Complex64 {
        match self {
            Scalar::Complex(value) => value,
            other => Complex64::new(other.real(), 0.0),
        }
    }

    /// The value as an integer on its way into an int64; see [`Scalar::wrapping_int_for`].
    pub fn wrapping_int(self) -> i128 {
        self.wrapping_int_for(DType::Int64)
    }

    /// The value as an integer on its way into `dtype`, the way NumPy's C code converts on x86-64: floats are truncated
    /// through the instruction for that width, which answers the smallest integer for what it cannot hold.
    pub fn wrapping_int_for(self, dtype: DType) -> i128 {
        match self {
            Scalar::Bool(value) => i128::from(value),
            Scalar::Int(value) => value,
            Scalar::Float(value) => float_to_int(value, dtype),
            Scalar::Complex(value) => float_to_int(value.re, dtype),
        }
    }

    /// Python's truth of the value.
    pub fn truth(self) -> bool {
        match self {
            Scalar::Bool(value) => value,
            Scalar::Int(value) => value != 0,
            Scalar::Float(value) => value != 0.0,
            Scalar::Complex(value) => value.re != 0.0 || value.im != 0.0,
        }
    }

    /// The value after a cast to `dtype`, as an array of that dtype would hold it (C rules, integers wrap).
    pub fn cast(self, dtype: DType) -> Scalar {
        super::dtype::dispatch!(dtype, T => T::from_scalar(self).to_scalar())
    }

    /// Whether a Python integer fits an integer dtype, with NumPy's error when not; other values pass.
    pub fn check_fits(self, dtype: DType) -> Result<(), ArrayError> {
        let Scalar::Int(value) = self else { return Ok(()) };
        let Some((low, high)) = integer_range(dtype) else { return Ok(()) };
        if value < low || value > high {
            return Err(ArrayError::IntegerOutOfBounds { value: value.to_string().into(), dtype });
        }
        Ok(())
    }

    /// The value converted to `dtype` by assignment from Python (`a[0] = value`): floats are truncated, an integer that
    /// does not fit is an error, a complex value does not become real.
    pub fn convert(self, dtype: DType) -> Result<Scalar, ArrayError> {
        if dtype.is_integer() {
            return self.whole()?.checked_element(dtype);
        }
        if let Scalar::Complex(_) = self
            && dtype.is_float()
        {
            return Err(ArrayError::type_error("float() argument must be a string or a real number, not 'complex'"));
        }
        Ok(self.cast(dtype))
    }

    /// Python's `int(value)`.
    fn whole(self) -> Result<Scalar, ArrayError> {
        match self {
            Scalar::Bool(value) => Ok(Scalar::Int(value.into())),
            Scalar::Int(_) => Ok(self),
            Scalar::Float(value) if value.is_nan() => Err(ArrayError::value("cannot convert float NaN to integer")),
            Scalar::Float(value) if value.is_infinite() => {
                Err(ArrayError::Overflow { message: "cannot convert float infinity to integer".into() })
            }
            // A conversion to i128 saturates, which is beyond every dtype all the same.
            Scalar::Float(value) => Ok(Scalar::Int(value as i128)),
            Scalar::Complex(_) => Err(ArrayError::type_error(
                "int() argument must be a string, a bytes-like object or a real number, not 'complex'",
            )),
        }
    }

    /// An integer as an element: NumPy goes through a C long, or an unsigned one for the two widest unsigned dtypes.
    fn checked_element(self, dtype: DType) -> Result<Scalar, ArrayError> {
        let Scalar::Int(value) = self else { return Ok(self.cast(dtype)) };
        let highest = if matches!(dtype, DType::UInt32 | DType::UInt64) { u64::MAX as i128 } else { i64::MAX as i128 };
        if value < i64::MIN as i128 || value > highest {
            return Err(ArrayError::Overflow { message: "Python int too large to convert to C long".into() });
        }
        self.check_fits(dtype)?;
        Ok(self)
    }
}

fn float_to_int(value: f64, dtype: DType) -> i128 {
    const INT64_LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let within = |limit: f64| value > -limit - 1.0 && value < limit;
    match dtype {
        DType::UInt64 if value >= INT64_LIMIT => {
            if value < INT64_LIMIT * 2.0 {
                value as i128
            } else {
                0
            }
        }
        DType::Int64 | DType::UInt32 | DType::UInt64 => {
            if (-INT64_LIMIT..INT64_LIMIT).contains(&value) {
                value as i128
            } else {
                i128::from(i64::MIN)
            }
        }
        _ if within(2_147_483_648.0) => value as i128,
        _ => i128::from(i32::MIN),
    }
}

/// The smallest and largest value of an integer dtype; nothing for other dtypes.
pub fn integer_range(dtype: DType) -> Option<(i128, i128)> {
    Some(match dtype {
        DType::Int8 => (i8::MIN as i128, i8::MAX as i128),
        DType::Int16 => (i16::MIN as i128, i16::MAX as i128),
        DType::Int32 => (i32::MIN as i128, i32::MAX as i128),
        DType::Int64 => (i64::MIN as i128, i64::MAX as i128),
        DType::UInt8 => (0, u8::MAX as i128),
        DType::UInt16 => (0, u16::MAX as i128),
        DType::UInt32 => (0, u32::MAX as i128),
        DType::UInt64 => (0, u64::MAX as i128),
        _ => return None,
    })
}

impl Operand {
    /// The value, whatever its strength.
    pub const fn scalar(self) -> Scalar {
        match self {
            Operand::Weak(scalar) | Operand::Typed(scalar, _) => scalar,
        }
    }

    /// The dtype the operand has when it stands alone.
    pub fn dtype(self, fp64: bool) -> DType {
        match self {
            Operand::Weak(scalar) => scalar.default_dtype(fp64),
            Operand::Typed(_, dtype) => dtype,
        }
    }
}

/// `numpy.result_type` over typed and weak participants; weak ones alone give their defaults.
pub fn result_type(typed: &[DType], weak: &[WeakKind], fp64: bool) -> DType {
    let strongest_weak = weak.iter().copied().max();
    let Some(strong) = typed.iter().copied().reduce(DType::promote) else {
        return match strongest_weak {
            Some(WeakKind::Bool) => DType::Bool,
            Some(WeakKind::Int) => DType::Int64,
            Some(WeakKind::Complex) => DType::default_complex(fp64),
            Some(WeakKind::Float) | None => DType::default_float(fp64),
        };
    };
    strongest_weak.map_or(strong, |weak| strong.promote_weak(weak, fp64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_do_not_fit_are_refused_with_numpys_words() {
        let error = Scalar::Int(300).check_fits(DType::UInt8).expect_err("300 is no byte");
        assert_eq!(error.to_string(), "Python integer 300 out of bounds for uint8");
        assert_eq!(error.kind(), crate::arrays::ErrorKind::Overflow);
        assert!(Scalar::Int(-1).check_fits(DType::UInt64).is_err());
        assert!(Scalar::Int(u64::MAX as i128).check_fits(DType::UInt64).is_ok());
        assert!(Scalar::Int(300).check_fits(DType::Float16).is_ok());
        assert!(Scalar::Float(300.0).check_fits(DType::UInt8).is_ok());
    }

    #[test]
    fn casts_are_those_of_c() {
        assert_eq!(Scalar::Int(300).cast(DType::UInt8), Scalar::Int(44));
        assert_eq!(Scalar::Int(200).cast(DType::Int8), Scalar::Int(-56));
        assert_eq!(Scalar::Float(-1.9).cast(DType::Int32), Scalar::Int(-1));
        for (dtype, expected) in [
            (DType::Int8, [112, 0, 0, 0, 0, 0]),
            (DType::UInt16, [4464, 0, 0, 0, 0, 0]),
            (DType::Int32, [70000, -2147483648, -2147483648, -2147483648, -2147483648, -2147483648]),
            (DType::UInt32, [70000, 3000000000, 1410065408, 0, 0, 0]),
            (DType::Int64, [70000, 3000000000, 10000000000, i64::MIN as i128, i64::MIN as i128, i64::MIN as i128]),
            (DType::UInt64, [70000, 3000000000, 10000000000, 0, 1 << 63, 0]),
        ] {
            let values = [70000.5, 3e9, 1e10, 2e19, f64::NAN, f64::INFINITY];
            assert_eq!(values.map(|value| Scalar::Float(value).cast(dtype)), expected.map(Scalar::Int), "{dtype}");
        }
        assert_eq!(Scalar::Float(1e19).cast(DType::UInt64), Scalar::Int(10_000_000_000_000_000_000));
        assert_eq!(Scalar::Int(2).cast(DType::Bool), Scalar::Bool(true));
        assert_eq!(Scalar::Complex(Complex64::new(2.5, 1.0)).cast(DType::Float32), Scalar::Float(2.5));
        // 2^24 + 1 rounds once; through float64 the result would be the same, 2^60 + 2^35 + 1 would not.
        let value = (1i128 << 60) + (1 << 36) + 1;
        assert_eq!(Scalar::Int(value).cast(DType::Float32), Scalar::Float(value as f32 as f64));
    }

    #[test]
    fn assignment_from_python_refuses_what_numpy_refuses() {
        let message = |scalar: Scalar, dtype| scalar.convert(dtype).expect_err("refused").to_string();
        for (scalar, dtype, expected) in [
            (Scalar::Float(f64::NAN), DType::Int64, "cannot convert float NaN to integer"),
            (Scalar::Float(f64::INFINITY), DType::Int8, "cannot convert float infinity to integer"),
            (Scalar::Float(300.7), DType::Int8, "Python integer 300 out of bounds for int8"),
            (Scalar::Float(1e30), DType::Int8, "Python int too large to convert to C long"),
            (Scalar::Float(1.8e19), DType::Int64, "Python int too large to convert to C long"),
            (Scalar::Float(1.8e19), DType::UInt32, "Python integer 18000000000000000000 out of bounds for uint32"),
            (Scalar::Int(1 << 64), DType::UInt64, "Python int too large to convert to C long"),
            (Scalar::Int(-1), DType::UInt64, "Python integer -1 out of bounds for uint64"),
            (
                Scalar::Complex(Complex64::new(1.0, 0.0)),
                DType::Int8,
                "int() argument must be a string, a bytes-like object or a real number, not 'complex'",
            ),
            (
                Scalar::Complex(Complex64::new(1.0, 0.0)),
                DType::Float16,
                "float() argument must be a string or a real number, not 'complex'",
            ),
        ] {
            assert_eq!(message(scalar, dtype), expected, "{scalar:?} to {dtype}");
        }
        assert_eq!(Scalar::Float(2.7).convert(DType::Int16), Ok(Scalar::Int(2)));
        assert_eq!(Scalar::Float(1.8e19).convert(DType::UInt64), Ok(Scalar::Int(18_000_000_000_000_000_000)));
        assert_eq!(Scalar::Float(1e30).convert(DType::Bool), Ok(Scalar::Bool(true)));
    }

    #[test]
    fn result_type_mixes_strong_and_weak() {
        assert_eq!(result_type(&[DType::Int8, DType::UInt8], &[WeakKind::Int], true), DType::Int16);
        assert_eq!(result_type(&[DType::Float32], &[WeakKind::Complex, WeakKind::Int], true), DType::Complex64);
        assert_eq!(result_type(&[], &[WeakKind::Bool, WeakKind::Int], true), DType::Int64);
        assert_eq!(result_type(&[], &[WeakKind::Float], false), DType::Float32);
        assert_eq!(Scalar::Int(1 << 63).default_dtype(true), DType::UInt64);
    }
}
