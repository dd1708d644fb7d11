//! The Rust types of array elements, and the way from a dtype to its type.

use super::dtype::DType;
use super::scalar::Scalar;
use half::f16;
use num_complex::Complex;
use std::fmt;

mod sealed {
    pub trait Sealed {}
}

/// The Rust types an array's elements have in memory.
pub trait Element: sealed::Sealed + Copy + Send + Sync + PartialEq + fmt::Debug + 'static {
    /// The dtype this type stores.
    const DTYPE: DType;
    /// The additive identity (`false` for bool).
    const ZERO: Self;
    /// The multiplicative identity (`true` for bool).
    const ONE: Self;

    /// The value as a scalar of its kind; nothing is lost.
    fn to_scalar(self) -> Scalar;

    /// The scalar cast as C casts it: integers wrap, floats truncate and saturate, complex values lose the imaginary part.
    fn from_scalar(scalar: Scalar) -> Self;
}

macro_rules! integer_elements {
    ($($ty:ty => $dtype:ident),*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn to_scalar(self) -> Scalar {
                Scalar::Int(self as i128)
            }
            fn from_scalar(scalar: Scalar) -> Self {
                scalar.wrapping_int_for(Self::DTYPE) as $ty
            }
        }
    )*};
}
integer_elements!(i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64);

impl sealed::Sealed for bool {}
impl Element for bool {
    const DTYPE: DType = DType::Bool;
    const ZERO: Self = false;
    const ONE: Self = true;
    fn to_scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
    fn from_scalar(scalar: Scalar) -> Self {
        scalar.truth()
    }
}

impl sealed::Sealed for f16 {}
impl Element for f16 {
    const DTYPE: DType = DType::Float16;
    const ZERO: Self = f16::ZERO;
    const ONE: Self = f16::ONE;
    fn to_scalar(self) -> Scalar {
        Scalar::Float(self.to_f64())
    }
    fn from_scalar(scalar: Scalar) -> Self {
        f16::from_f64(scalar.real())
    }
}

impl sealed::Sealed for f32 {}
impl Element for f32 {
    const DTYPE: DType = DType::Float32;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn to_scalar(self) -> Scalar {
        Scalar::Float(self as f64)
    }
    fn from_scalar(scalar: Scalar) -> Self {
        match scalar {
            // One rounding only: an integer must not go through float64.
            Scalar::Int(value) => value as f32,
            other => other.real() as f32,
        }
    }
}

impl sealed::Sealed for f64 {}
impl Element for f64 {
    const DTYPE: DType = DType::Float64;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn to_scalar(self) -> Scalar {
        Scalar::Float(self)
    }
    fn from_scalar(scalar: Scalar) -> Self {
        scalar.real()
    }
}

impl sealed::Sealed for Complex<f32> {}
impl Element for Complex<f32> {
    const DTYPE: DType = DType::Complex64;
    const ZERO: Self = Complex::new(0.0, 0.0);
    const ONE: Self = Complex::new(1.0, 0.0);
    fn to_scalar(self) -> Scalar {
        Scalar::Complex(Complex::new(self.re as f64, self.im as f64))
    }
    fn from_scalar(scalar: Scalar) -> Self {
        let value = scalar.complex();
        Complex::new(value.re as f32, value.im as f32)
    }
}

impl sealed::Sealed for Complex<f64> {}
impl Element for Complex<f64> {
    const DTYPE: DType = DType::Complex128;
    const ZERO: Self = Complex::new(0.0, 0.0);
    const ONE: Self = Complex::new(1.0, 0.0);
    fn to_scalar(self) -> Scalar {
        Scalar::Complex(self)
    }
    fn from_scalar(scalar: Scalar) -> Self {
        scalar.complex()
    }
}

/// Runs an expression with `$T` bound to the Rust type of a dtype: `dispatch!(dtype, T => f::<T>())`.
///
/// With a class after the dtype (`real`, `integer`, `float`, `complex`, `inexact`, `numeric`), only the types of that
/// class are instantiated and the `else` arm answers for the others:
/// `dispatch!(dtype, float T => f::<T>(), else => error())`.
#[macro_export]
macro_rules! dispatch {
    (@arm $T:ident, $ty:ty, $body:expr) => {{
        #[allow(dead_code, reason = "the body need not name the type")]
        type $T = $ty;
        $body
    }};
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::arrays::dtype::DType::Bool => $crate::dispatch!(@arm $T, bool, $body),
            $crate::arrays::dtype::DType::Int8 => $crate::dispatch!(@arm $T, i8, $body),
            $crate::arrays::dtype::DType::Int16 => $crate::dispatch!(@arm $T, i16, $body),
            $crate::arrays::dtype::DType::Int32 => $crate::dispatch!(@arm $T, i32, $body),
            $crate::arrays::dtype::DType::Int64 => $crate::dispatch!(@arm $T, i64, $body),
            $crate::arrays::dtype::DType::UInt8 => $crate::dispatch!(@arm $T, u8, $body),
            $crate::arrays::dtype::DType::UInt16 => $crate::dispatch!(@arm $T, u16, $body),
            $crate::arrays::dtype::DType::UInt32 => $crate::dispatch!(@arm $T, u32, $body),
            $crate::arrays::dtype::DType::UInt64 => $crate::dispatch!(@arm $T, u64, $body),
            $crate::arrays::dtype::DType::Float16 => $crate::dispatch!(@arm $T, ::half::f16, $body),
            $crate::arrays::dtype::DType::Float32 => $crate::dispatch!(@arm $T, f32, $body),
            $crate::arrays::dtype::DType::Float64 => $crate::dispatch!(@arm $T, f64, $body),
            $crate::arrays::dtype::DType::Complex64 => $crate::dispatch!(@arm $T, ::num_complex::Complex<f32>, $body),
            $crate::arrays::dtype::DType::Complex128 => $crate::dispatch!(@arm $T, ::num_complex::Complex<f64>, $body),
        }
    };
    ($dtype:expr, integer $T:ident => $body:expr, else => $other:expr) => {
        match $dtype {
            $crate::arrays::dtype::DType::Int8 => $crate::dispatch!(@arm $T, i8, $body),
            $crate::arrays::dtype::DType::Int16 => $crate::dispatch!(@arm $T, i16, $body),
            $crate::arrays::dtype::DType::Int32 => $crate::dispatch!(@arm $T, i32, $body),
            $crate::arrays::dtype::DType::Int64 => $crate::dispatch!(@arm $T, i64, $body),
            $crate::arrays::dtype::DType::UInt8 => $crate::dispatch!(@arm $T, u8, $body),
            $crate::arrays::dtype::DType::UInt16 => $crate::dispatch!(@arm $T, u16, $body),
            $crate::arrays::dtype::DType::UInt32 => $crate::dispatch!(@arm $T, u32, $body),
            $crate::arrays::dtype::DType::UInt64 => $crate::dispatch!(@arm $T, u64, $body),
            _ => $other,
        }
    };
    ($dtype:expr, float $T:ident => $body:expr, else => $other:expr) => {
        match $dtype {
            $crate::arrays::dtype::DType::Float16 => $crate::dispatch!(@arm $T, ::half::f16, $body),
            $crate::arrays::dtype::DType::Float32 => $crate::dispatch!(@arm $T, f32, $body),
            $crate::arrays::dtype::DType::Float64 => $crate::dispatch!(@arm $T, f64, $body),
            _ => $other,
        }
    };
    ($dtype:expr, complex $T:ident => $body:expr, else => $other:expr) => {
        match $dtype {
            $crate::arrays::dtype::DType::Complex64 => $crate::dispatch!(@arm $T, ::num_complex::Complex<f32>, $body),
            $crate::arrays::dtype::DType::Complex128 => $crate::dispatch!(@arm $T, ::num_complex::Complex<f64>, $body),
            _ => $other,
        }
    };
    ($dtype:expr, inexact $T:ident => $body:expr, else => $other:expr) => {
        $crate::dispatch!($dtype, float $T => $body, else => $crate::dispatch!($dtype, complex $T => $body, else => $other))
    };
    ($dtype:expr, real $T:ident => $body:expr, else => $other:expr) => {
        $crate::dispatch!($dtype, integer $T => $body, else => $crate::dispatch!($dtype, float $T => $body, else => $other))
    };
    ($dtype:expr, numeric $T:ident => $body:expr, else => $other:expr) => {
        $crate::dispatch!($dtype, real $T => $body, else => $crate::dispatch!($dtype, complex $T => $body, else => $other))
    };
}
pub use crate::dispatch;
