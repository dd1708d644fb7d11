//! The fourteen element types, their NumPy names, and NumPy 2's promotion and casting rules.
//!
//! Everything here is a pure function of the types: devices, memory and values are unknown to this file. The tests
//! compare every pair with tables printed by the real NumPy.

use super::error::ArrayError;
use std::fmt;

pub use super::element::{Element, dispatch};

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

#[cfg(test)]
mod tests;
