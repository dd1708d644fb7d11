//! Element types: which Rust types are elements of arrays, and numbers on their way to and from the session.

/// The type of an array's elements, by NumPy's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs, reason = "each is what it is called")]
pub enum DType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
}

impl DType {
    pub(crate) const ALL: [DType; 14] = [
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

    /// NumPy's name: `float64`.
    pub fn name(self) -> &'static str {
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

    /// Bytes of one element.
    pub fn bytes(self) -> usize {
        match self {
            DType::Bool | DType::Int8 | DType::UInt8 => 1,
            DType::Int16 | DType::UInt16 | DType::Float16 => 2,
            DType::Int32 | DType::UInt32 | DType::Float32 => 4,
            DType::Int64 | DType::UInt64 | DType::Float64 | DType::Complex64 => 8,
            DType::Complex128 => 16,
        }
    }
}

impl std::fmt::Display for DType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A number without a width, as it meets arrays.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is what it is called")]
pub enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

/// A Rust type that arrays have elements of. Complex elements are pairs: `[f64; 2]`, `[f32; 2]`.
///
/// # Safety
/// Its bytes are exactly an element of `DTYPE`, and every bit pattern is a value of it (a `bool`'s bytes are checked).
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// The dtype of such elements.
    const DTYPE: DType;
    /// The number, where the type can hold it.
    fn from_number(number: Number) -> Option<Self>;
}

macro_rules! element {
    ($($type:ty, $dtype:ident, |$number:ident| $from:expr;)*) => {
        $(
            // SAFETY: the type is the one that NumPy calls by this name, and it has no invalid values but those of `bool`.
            unsafe impl Element for $type {
                const DTYPE: DType = DType::$dtype;
                fn from_number($number: Number) -> Option<Self> {
                    $from
                }
            }
        )*
    };
}

fn integer<T: TryFrom<i128>>(number: Number) -> Option<T> {
    match number {
        Number::Bool(value) => T::try_from(i128::from(value)).ok(),
        Number::Int(value) => T::try_from(value).ok(),
        Number::Float(_) | Number::Complex(..) => None,
    }
}

fn float(number: Number) -> Option<f64> {
    match number {
        Number::Bool(value) => Some(f64::from(u8::from(value))),
        Number::Int(value) => Some(value as f64),
        Number::Float(value) => Some(value),
        Number::Complex(..) => None,
    }
}

fn complex(number: Number) -> [f64; 2] {
    match number {
        Number::Complex(re, im) => [re, im],
        other => [float(other).unwrap_or(0.0), 0.0],
    }
}

element! {
    bool, Bool, |number| match number { Number::Bool(value) => Some(value), _ => None };
    i8, Int8, |number| integer(number);
    i16, Int16, |number| integer(number);
    i32, Int32, |number| integer(number);
    i64, Int64, |number| integer(number);
    u8, UInt8, |number| integer(number);
    u16, UInt16, |number| integer(number);
    u32, UInt32, |number| integer(number);
    u64, UInt64, |number| integer(number);
    f32, Float32, |number| float(number).map(|value| value as f32);
    f64, Float64, |number| float(number);
    [f32; 2], Complex64, |number| Some(complex(number).map(|part| part as f32));
    [f64; 2], Complex128, |number| Some(complex(number));
}

/// The number that the bytes of one element are; nothing for half precision, which Rust has no type for.
pub(crate) fn number_of(dtype: DType, bytes: &[u8]) -> Option<Number> {
    macro_rules! read {
        ($type:ty, $at:expr) => {
            <$type>::from_le_bytes(bytes.get($at..$at + size_of::<$type>())?.try_into().ok()?)
        };
    }
    Some(match dtype {
        DType::Bool => Number::Bool(read!(u8, 0) != 0),
        DType::Int8 => Number::Int(read!(i8, 0).into()),
        DType::Int16 => Number::Int(read!(i16, 0).into()),
        DType::Int32 => Number::Int(read!(i32, 0).into()),
        DType::Int64 => Number::Int(read!(i64, 0).into()),
        DType::UInt8 => Number::Int(read!(u8, 0).into()),
        DType::UInt16 => Number::Int(read!(u16, 0).into()),
        DType::UInt32 => Number::Int(read!(u32, 0).into()),
        DType::UInt64 => Number::Int(read!(u64, 0).into()),
        DType::Float16 => return None,
        DType::Float32 => Number::Float(read!(f32, 0).into()),
        DType::Float64 => Number::Float(read!(f64, 0)),
        DType::Complex64 => Number::Complex(read!(f32, 0).into(), read!(f32, 4).into()),
        DType::Complex128 => Number::Complex(read!(f64, 0), read!(f64, 8)),
    })
}
