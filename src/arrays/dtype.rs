//! The fourteen element types, their NumPy names, and NumPy 2's promotion and casting rules.
//!
//! Everything here is a pure function of the types: devices, memory and values are unknown to this file. The tests
//! compare every pair with tables printed by the real NumPy.

use super::error::ArrayError;
use half::f16;
use num_complex::Complex;
use std::fmt;

/// The type of an array's elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DType {
    /// One byte, zero or one.
    Bool,
    /// Signed, one byte.
    Int8,
    /// Signed, two bytes.
    Int16,
    /// Signed, four bytes.
    Int32,
    /// Signed, eight bytes: the default integer.
    Int64,
    /// Unsigned, one byte.
    UInt8,
    /// Unsigned, two bytes.
    UInt16,
    /// Unsigned, four bytes.
    UInt32,
    /// Unsigned, eight bytes.
    UInt64,
    /// IEEE half precision.
    Float16,
    /// IEEE single precision.
    Float32,
    /// IEEE double precision: the default float where the device has it.
    Float64,
    /// Two single-precision parts, eight bytes together.
    Complex64,
    /// Two double-precision parts, sixteen bytes together.
    Complex128,
}

/// NumPy's casting modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Casting {
    /// Only equal types.
    No,
    /// Equal up to byte order, which for native arrays means equal.
    Equiv,
    /// No value changes.
    Safe,
    /// Safe, or within a kind.
    SameKind,
    /// Anything.
    Unsafe,
}

/// The kind of a Python scalar that takes part in promotion without a width of its own (NEP 50).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WeakKind {
    /// Python `bool`, which NumPy treats as a typed `bool`.
    Bool,
    /// Python `int`.
    Int,
    /// Python `float`.
    Float,
    /// Python `complex`.
    Complex,
}

impl DType {
    /// Every dtype, in the order of the enum.
    pub const ALL: [DType; 14] = [
        DType::Bool,
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::UInt8,
        DType::UInt16,
        DType::UInt32,
        DType::UInt64,
        DType::Float16,
        DType::Float32,
        DType::Float64,
        DType::Complex64,
        DType::Complex128,
    ];

    /// Bytes of one element.
    pub const fn bytes(self) -> usize {
        match self {
            DType::Bool | DType::Int8 | DType::UInt8 => 1,
            DType::Int16 | DType::UInt16 | DType::Float16 => 2,
            DType::Int32 | DType::UInt32 | DType::Float32 => 4,
            DType::Int64 | DType::UInt64 | DType::Float64 | DType::Complex64 => 8,
            DType::Complex128 => 16,
        }
    }

    /// NumPy's name, as in `dtype('float64')`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::Int8 => "int8",
            DType::Int16 => "int16",
            DType::Int32 => "int32",
            DType::Int64 => "int64",
            DType::UInt8 => "uint8",
            DType::UInt16 => "uint16",
            DType::UInt32 => "uint32",
            DType::UInt64 => "uint64",
            DType::Float16 => "float16",
            DType::Float32 => "float32",
            DType::Float64 => "float64",
            DType::Complex64 => "complex64",
            DType::Complex128 => "complex128",
        }
    }

    /// The array-interface spelling with byte order, as `dtype.str`.
    pub const fn typestr(self) -> &'static str {
        match self {
            DType::Bool => "|b1",
            DType::Int8 => "|i1",
            DType::Int16 => "<i2",
            DType::Int32 => "<i4",
            DType::Int64 => "<i8",
            DType::UInt8 => "|u1",
            DType::UInt16 => "<u2",
            DType::UInt32 => "<u4",
            DType::UInt64 => "<u8",
            DType::Float16 => "<f2",
            DType::Float32 => "<f4",
            DType::Float64 => "<f8",
            DType::Complex64 => "<c8",
            DType::Complex128 => "<c16",
        }
    }

    /// NumPy's one-letter code, as `dtype.char`.
    pub const fn char_code(self) -> char {
        match self {
            DType::Bool => '?',
            DType::Int8 => 'b',
            DType::Int16 => 'h',
            DType::Int32 => 'i',
            DType::Int64 => 'l',
            DType::UInt8 => 'B',
            DType::UInt16 => 'H',
            DType::UInt32 => 'I',
            DType::UInt64 => 'L',
            DType::Float16 => 'e',
            DType::Float32 => 'f',
            DType::Float64 => 'd',
            DType::Complex64 => 'F',
            DType::Complex128 => 'D',
        }
    }

    /// NumPy's type number, as `dtype.num`.
    pub const fn number(self) -> u32 {
        match self {
            DType::Bool => 0,
            DType::Int8 => 1,
            DType::UInt8 => 2,
            DType::Int16 => 3,
            DType::UInt16 => 4,
            DType::Int32 => 5,
            DType::UInt32 => 6,
            DType::Int64 => 7,
            DType::UInt64 => 8,
            DType::Float32 => 11,
            DType::Float64 => 12,
            DType::Complex64 => 14,
            DType::Complex128 => 15,
            DType::Float16 => 23,
        }
    }

    /// `'b'`, `'i'`, `'u'`, `'f'` or `'c'`, as `dtype.kind`.
    pub const fn kind(self) -> char {
        match self {
            DType::Bool => 'b',
            DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => 'i',
            DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => 'u',
            DType::Float16 | DType::Float32 | DType::Float64 => 'f',
            DType::Complex64 | DType::Complex128 => 'c',
        }
    }

    /// Whether the type is boolean.
    pub const fn is_bool(self) -> bool {
        matches!(self, DType::Bool)
    }

    /// Whether the type is a signed or unsigned integer (not bool).
    pub const fn is_integer(self) -> bool {
        matches!(self.kind(), 'i' | 'u')
    }

    /// Whether the type is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self.kind(), 'i')
    }

    /// Whether the type is an unsigned integer (not bool).
    pub const fn is_unsigned(self) -> bool {
        matches!(self.kind(), 'u')
    }

    /// Whether the type is a real floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self.kind(), 'f')
    }

    /// Whether the type is complex.
    pub const fn is_complex(self) -> bool {
        matches!(self.kind(), 'c')
    }

    /// Whether the type is floating or complex.
    pub const fn is_inexact(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// Whether a device needs double-precision arithmetic to hold this type.
    pub const fn needs_fp64(self) -> bool {
        matches!(self, DType::Float64 | DType::Complex128)
    }

    /// The type of the real part: itself, except for complex types.
    pub const fn real_part(self) -> DType {
        match self {
            DType::Complex64 => DType::Float32,
            DType::Complex128 => DType::Float64,
            other => other,
        }
    }

    /// The complex type that holds this one exactly where one does, as `numpy.result_type(self, complex64)`.
    pub fn to_complex(self) -> DType {
        self.promote(DType::Complex64)
    }

    /// The default float of a device: float64, or float32 where the device has no double precision.
    pub const fn default_float(fp64: bool) -> DType {
        if fp64 { DType::Float64 } else { DType::Float32 }
    }

    /// The default complex of a device: complex128, or complex64 where the device has no double precision.
    pub const fn default_complex(fp64: bool) -> DType {
        if fp64 { DType::Complex128 } else { DType::Complex64 }
    }

    /// The same kind at the precision a device without fp64 has: float64 becomes float32, complex128 complex64.
    pub const fn narrowed(self, fp64: bool) -> DType {
        match self {
            DType::Float64 if !fp64 => DType::Float32,
            DType::Complex128 if !fp64 => DType::Complex64,
            other => other,
        }
    }

    fn signed_of_bytes(bytes: usize) -> Option<DType> {
        match bytes {
            1 => Some(DType::Int8),
            2 => Some(DType::Int16),
            4 => Some(DType::Int32),
            8 => Some(DType::Int64),
            _ => None,
        }
    }

    /// The smallest float that NumPy promotes an integer or bool to when it meets a float16.
    fn float_for_integer(self) -> DType {
        match self.bytes() {
            1 => DType::Float16,
            2 => DType::Float32,
            _ => DType::Float64,
        }
    }

    /// The type both can be cast to safely: `numpy.promote_types`.
    pub fn promote(self, other: DType) -> DType {
        if self == other {
            return self;
        }
        let rank = |dtype: DType| match dtype.kind() {
            'b' => 0,
            'i' | 'u' => 1,
            'f' => 2,
            _ => 3,
        };
        let (low, high) = if rank(self) <= rank(other) { (self, other) } else { (other, self) };
        match (rank(low), rank(high)) {
            (0, _) => high,
            (1, 1) => promote_integers(low, high),
            (1, 2) => wider(low.float_for_integer(), high),
            (2, 2) | (3, 3) => wider(low, high),
            (1, _) => complex_of(wider(low.float_for_integer(), high.real_part())),
            _ => complex_of(wider(low, high.real_part())),
        }
    }

    /// The type of an operation between this type and a Python scalar (NEP 50).
    pub fn promote_weak(self, weak: WeakKind, fp64: bool) -> DType {
        match weak {
            WeakKind::Bool => self,
            WeakKind::Int => {
                if self.is_bool() {
                    DType::Int64
                } else {
                    self
                }
            }
            WeakKind::Float => {
                if self.is_inexact() {
                    self
                } else {
                    DType::default_float(fp64)
                }
            }
            WeakKind::Complex => match self {
                DType::Complex64 | DType::Float16 | DType::Float32 => DType::Complex64,
                DType::Complex128 | DType::Float64 => DType::Complex128,
                _ => DType::default_complex(fp64),
            },
        }
    }

    /// Whether NumPy allows the cast under the given mode: `numpy.can_cast`.
    pub fn can_cast(self, to: DType, casting: Casting) -> bool {
        match casting {
            Casting::No | Casting::Equiv => self == to,
            Casting::Safe => self.promote(to) == to,
            Casting::SameKind => {
                let rank = |dtype: DType| match dtype.kind() {
                    'b' => 0,
                    'u' => 1,
                    'i' => 2,
                    'f' => 3,
                    _ => 4,
                };
                self.promote(to) == to || rank(self) <= rank(to)
            }
            Casting::Unsafe => true,
        }
    }

    /// The dtype a NumPy spelling names (`float64`, `f8`, `<f8`, `d`, `double`, `float`...), or nothing.
    pub fn parse(text: &str) -> Option<DType> {
        let named = match text {
            "bool" | "bool_" | "?" | "b1" => DType::Bool,
            "int8" | "byte" | "b" | "i1" => DType::Int8,
            "int16" | "short" | "h" | "i2" => DType::Int16,
            "int32" | "intc" | "i" | "i4" => DType::Int32,
            "int64" | "int" | "int_" | "long" | "longlong" | "intp" | "l" | "q" | "p" | "n" | "i8" => DType::Int64,
            "uint8" | "ubyte" | "B" | "u1" => DType::UInt8,
            "uint16" | "ushort" | "H" | "u2" => DType::UInt16,
            "uint32" | "uintc" | "I" | "u4" => DType::UInt32,
            "uint64" | "uint" | "ulong" | "ulonglong" | "uintp" | "L" | "Q" | "P" | "N" | "u8" => DType::UInt64,
            "float16" | "half" | "e" | "f2" => DType::Float16,
            "float32" | "single" | "f" | "f4" => DType::Float32,
            "float64" | "float" | "double" | "d" | "f8" => DType::Float64,
            "complex64" | "csingle" | "F" | "c8" => DType::Complex64,
            "complex128" | "complex" | "cdouble" | "D" | "c16" => DType::Complex128,
            _ => {
                let rest = text.strip_prefix(['<', '=', '|'])?;
                // A byte-order mark stands before a type code only, never before a name.
                let code = rest.len() <= 3 && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '?');
                return if code && !matches!(rest, "int") { DType::parse(rest) } else { None };
            }
        };
        Some(named)
    }

    /// As [`DType::parse`], with NumPy's error for what is not a dtype and dpnp's for what it does not hold.
    pub fn parse_named(text: &str) -> Result<DType, ArrayError> {
        if let Some(dtype) = DType::parse(text) {
            return Ok(dtype);
        }
        if let Some(dtype) = text.strip_prefix('>').and_then(DType::parse) {
            if dtype.bytes() == 1 {
                return Ok(dtype);
            }
            return Err(ArrayError::value(format!("Data type '{text}' can only have native byteorder.")));
        }
        let known_elsewhere = matches!(text, "object" | "O" | "str" | "U" | "S" | "bytes" | "void" | "V")
            || matches!(text, "longdouble" | "g" | "float128" | "complex256" | "clongdouble" | "G" | "f16" | "c32")
            || text.starts_with("datetime64")
            || text.starts_with("timedelta64")
            || (text.len() > 1 && text[1..].bytes().all(|b| b.is_ascii_digit()) && text.starts_with(['U', 'S', 'V']));
        if known_elsewhere {
            Err(ArrayError::type_error(format!("dtype={text} is not supported.")))
        } else {
            Err(ArrayError::type_error(format!("data type '{text}' not understood")))
        }
    }
}

fn wider(a: DType, b: DType) -> DType {
    if a.bytes() >= b.bytes() { a } else { b }
}

fn complex_of(float: DType) -> DType {
    if float == DType::Float64 { DType::Complex128 } else { DType::Complex64 }
}

fn promote_integers(a: DType, b: DType) -> DType {
    if a.is_signed() == b.is_signed() {
        return wider(a, b);
    }
    let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
    if signed.bytes() > unsigned.bytes() {
        return signed;
    }
    // No integer holds both int64 and uint64; NumPy answers float64.
    DType::signed_of_bytes(unsigned.bytes() * 2).unwrap_or(DType::Float64)
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Casting {
    /// NumPy's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Casting::No => "no",
            Casting::Equiv => "equiv",
            Casting::Safe => "safe",
            Casting::SameKind => "same_kind",
            Casting::Unsafe => "unsafe",
        }
    }

    /// The mode a NumPy spelling names, or NumPy's error.
    pub fn parse(text: &str) -> Result<Casting, ArrayError> {
        Ok(match text {
            "no" => Casting::No,
            "equiv" => Casting::Equiv,
            "safe" => Casting::Safe,
            "same_kind" => Casting::SameKind,
            "unsafe" => Casting::Unsafe,
            _ => {
                return Err(ArrayError::value(format!(
                    "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', or 'same_value' (got '{text}')"
                )));
            }
        })
    }
}

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
    fn to_scalar(self) -> super::scalar::Scalar;

    /// The scalar cast as C casts it: integers wrap, floats truncate and saturate, complex values lose the imaginary part.
    fn from_scalar(scalar: super::scalar::Scalar) -> Self;
}

macro_rules! integer_elements {
    ($($ty:ty => $dtype:ident),*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn to_scalar(self) -> super::scalar::Scalar {
                super::scalar::Scalar::Int(self as i128)
            }
            fn from_scalar(scalar: super::scalar::Scalar) -> Self {
                scalar.wrapping_int() as $ty
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
    fn to_scalar(self) -> super::scalar::Scalar {
        super::scalar::Scalar::Bool(self)
    }
    fn from_scalar(scalar: super::scalar::Scalar) -> Self {
        scalar.truth()
    }
}

impl sealed::Sealed for f16 {}
impl Element for f16 {
    const DTYPE: DType = DType::Float16;
    const ZERO: Self = f16::ZERO;
    const ONE: Self = f16::ONE;
    fn to_scalar(self) -> super::scalar::Scalar {
        super::scalar::Scalar::Float(self.to_f64())
    }
    fn from_scalar(scalar: super::scalar::Scalar) -> Self {
        f16::from_f64(scalar.real())
    }
}

impl sealed::Sealed for f32 {}
impl Element for f32 {
    const DTYPE: DType = DType::Float32;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn to_scalar(self) -> super::scalar::Scalar {
        super::scalar::Scalar::Float(self as f64)
    }
    fn from_scalar(scalar: super::scalar::Scalar) -> Self {
        match scalar {
            // One rounding only: an integer must not go through float64.
            super::scalar::Scalar::Int(value) => value as f32,
            other => other.real() as f32,
        }
    }
}

impl sealed::Sealed for f64 {}
impl Element for f64 {
    const DTYPE: DType = DType::Float64;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn to_scalar(self) -> super::scalar::Scalar {
        super::scalar::Scalar::Float(self)
    }
    fn from_scalar(scalar: super::scalar::Scalar) -> Self {
        scalar.real()
    }
}

impl sealed::Sealed for Complex<f32> {}
impl Element for Complex<f32> {
    const DTYPE: DType = DType::Complex64;
    const ZERO: Self = Complex::new(0.0, 0.0);
    const ONE: Self = Complex::new(1.0, 0.0);
    fn to_scalar(self) -> super::scalar::Scalar {
        super::scalar::Scalar::Complex(Complex::new(self.re as f64, self.im as f64))
    }
    fn from_scalar(scalar: super::scalar::Scalar) -> Self {
        let value = scalar.complex();
        Complex::new(value.re as f32, value.im as f32)
    }
}

impl sealed::Sealed for Complex<f64> {}
impl Element for Complex<f64> {
    const DTYPE: DType = DType::Complex128;
    const ZERO: Self = Complex::new(0.0, 0.0);
    const ONE: Self = Complex::new(1.0, 0.0);
    fn to_scalar(self) -> super::scalar::Scalar {
        super::scalar::Scalar::Complex(self)
    }
    fn from_scalar(scalar: super::scalar::Scalar) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.result_type(row, column).char`, NumPy 2.4.6, rows and columns in the order of [`DType::ALL`].
    const PROMOTE: [&str; 14] = [
        "?bhilBHILefdFD",
        "bbhilhildefdFD",
        "hhhilhildffdFD",
        "iiiiliilddddDD",
        "llllllllddddDD",
        "BhhilBHILefdFD",
        "HiiilHHILffdFD",
        "IllllIIILdddDD",
        "LddddLLLLdddDD",
        "eefddefddefdFD",
        "fffddffddffdFD",
        "ddddddddddddDD",
        "FFFDDFFDDFFDFD",
        "DDDDDDDDDDDDDD",
    ];

    /// `numpy.can_cast(row, column, "safe")`.
    const SAFE: [&str; 14] = [
        "11111111111111",
        "01111000011111",
        "00111000001111",
        "00011000000101",
        "00001000000101",
        "00111111111111",
        "00011011101111",
        "00001001100101",
        "00000000100101",
        "00000000011111",
        "00000000001111",
        "00000000000101",
        "00000000000011",
        "00000000000001",
    ];

    /// `numpy.can_cast(row, column, "same_kind")`.
    const SAME_KIND: [&str; 14] = [
        "11111111111111",
        "01111000011111",
        "01111000011111",
        "01111000011111",
        "01111000011111",
        "01111111111111",
        "01111111111111",
        "01111111111111",
        "01111111111111",
        "00000000011111",
        "00000000011111",
        "00000000011111",
        "00000000000011",
        "00000000000011",
    ];

    /// `numpy.result_type(array of row, scalar).char` for `True`, `1`, `1.0`, `1j`.
    const WEAK: [&str; 14] = [
        "?ldD", "bbdD", "hhdD", "iidD", "lldD", "BBdD", "HHdD", "IIdD", "LLdD", "eeeF", "fffF", "dddD", "FFFF", "DDDD",
    ];

    #[test]
    fn all_196_promotions_are_numpys() {
        for (a, row) in DType::ALL.into_iter().zip(PROMOTE) {
            for (b, expected) in DType::ALL.into_iter().zip(row.chars()) {
                assert_eq!(a.promote(b).char_code(), expected, "{a} with {b}");
            }
        }
    }

    #[test]
    fn casting_modes_are_numpys() {
        for (mode, table) in [(Casting::Safe, SAFE), (Casting::SameKind, SAME_KIND)] {
            for (from, row) in DType::ALL.into_iter().zip(table) {
                for (to, expected) in DType::ALL.into_iter().zip(row.chars()) {
                    assert_eq!(from.can_cast(to, mode), expected == '1', "{from} to {to}, {}", mode.name());
                }
            }
        }
        assert!(!DType::Int32.can_cast(DType::Int64, Casting::Equiv));
        assert!(DType::Complex128.can_cast(DType::Bool, Casting::Unsafe));
    }

    #[test]
    fn weak_scalars_take_the_width_they_meet() {
        let kinds = [WeakKind::Bool, WeakKind::Int, WeakKind::Float, WeakKind::Complex];
        for (dtype, row) in DType::ALL.into_iter().zip(WEAK) {
            for (kind, expected) in kinds.into_iter().zip(row.chars()) {
                assert_eq!(dtype.promote_weak(kind, true).char_code(), expected, "{dtype} with {kind:?}");
            }
        }
        assert_eq!(DType::Int32.promote_weak(WeakKind::Float, false), DType::Float32);
    }

    #[test]
    fn spellings_are_numpys() {
        let known = [
            ("=i8", "int64"),
            ("|i1", "int8"),
            ("|i8", "int64"),
            ("<b1", "bool"),
            ("=?", "bool"),
            ("<d", "float64"),
            ("=f", "float32"),
            ("p", "int64"),
            ("N", "uint64"),
            ("<i", "int32"),
            ("|f8", "float64"),
            ("=c16", "complex128"),
            ("half", "float16"),
            ("uintc", "uint32"),
            ("byte", "int8"),
            ("csingle", "complex64"),
            ("int", "int64"),
        ];
        for (text, name) in known {
            assert_eq!(DType::parse(text).map(DType::name), Some(name), "{text}");
        }
        for text in ["<float64", "<int", "<bool", "float_", "i3", "B1", "", " f8", "f8 ", "F8", "Float64", "u", "<<f8"]
        {
            assert_eq!(DType::parse(text), None, "{text}");
        }
        for dtype in DType::ALL {
            assert_eq!(DType::parse(dtype.name()), Some(dtype));
            assert_eq!(DType::parse(dtype.typestr()), Some(dtype));
            assert_eq!(DType::parse(&dtype.char_code().to_string()), Some(dtype));
        }
    }

    #[test]
    fn what_is_no_dtype_says_so() {
        let message = |text| DType::parse_named(text).expect_err("not a dtype of ours").to_string();
        assert_eq!(message("float_"), "data type 'float_' not understood");
        assert_eq!(message(">f8"), "Data type '>f8' can only have native byteorder.");
        assert_eq!(message("object"), "dtype=object is not supported.");
        assert_eq!(message("U3"), "dtype=U3 is not supported.");
        assert_eq!(DType::parse_named(">i1"), Ok(DType::Int8));
    }

    #[test]
    fn dispatch_reaches_the_type_of_every_dtype() {
        for dtype in DType::ALL {
            assert_eq!(dispatch!(dtype, T => T::DTYPE), dtype);
            assert_eq!(dispatch!(dtype, T => std::mem::size_of::<T>()), dtype.bytes());
            assert_eq!(dispatch!(dtype, inexact T => Some(T::DTYPE), else => None).is_some(), dtype.is_inexact());
            assert_eq!(dispatch!(dtype, numeric T => Some(T::DTYPE), else => None).is_some(), !dtype.is_bool());
        }
    }
}
