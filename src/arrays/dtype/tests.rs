//! Promotion, casting and spellings against tables printed by the real NumPy.

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
const WEAK: [&str; 14] =
    ["?ldD", "bbdD", "hhdD", "iidD", "lldD", "BBdD", "HHdD", "IIdD", "LLdD", "eeeF", "fffF", "dddD", "FFFF", "DDDD"];

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
    for text in ["<float64", "<int", "<bool", "float_", "i3", "B1", "", " f8", "f8 ", "F8", "Float64", "u", "<<f8"] {
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
