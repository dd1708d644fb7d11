//! Conversions between all pairs of dtypes, with C's rules as NumPy's `astype` applies them.

use super::super::kernel::{Kernels, map1, plain1};
use super::{C64, C128, F16};
use crate::arrays::dtype::DType;

/// A lossless carrier between element types, so that 14 types need 28 conversions and the optimiser does the rest.
trait Castable: Copy + 'static {
    const DTYPE: DType;
    fn to_bool(self) -> bool;
    fn to_i32(self) -> i32;
    fn to_i64(self) -> i64;
    fn to_u64(self) -> u64;
    fn to_f64(self) -> f64;
    fn to_f32(self) -> f32;
    fn to_f16(self) -> F16;
    fn to_c64(self) -> C64;
    fn to_c128(self) -> C128;
}

macro_rules! castable_integer {
    ($($t:ty = $dtype:ident),+) => {$(
        impl Castable for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn to_bool(self) -> bool { self != 0 }
            #[inline(always)]
            fn to_i32(self) -> i32 { self as i32 }
            #[inline(always)]
            fn to_i64(self) -> i64 { self as i64 }
            #[inline(always)]
            fn to_u64(self) -> u64 { self as u64 }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f16(self) -> F16 { F16::from_f32(self as f32) }
            #[inline(always)]
            fn to_c64(self) -> C64 { C64::new(self as f32, 0.0) }
            #[inline(always)]
            fn to_c128(self) -> C128 { C128::new(self as f64, 0.0) }
        }
    )+};
}

castable_integer!(i8 = Int8, i16 = Int16, i32 = Int32, i64 = Int64);
castable_integer!(u8 = UInt8, u16 = UInt16, u32 = UInt32, u64 = UInt64);

/// What the hardware answers for a float that no int64 holds.
const INDEFINITE: i64 = i64::MIN;

#[inline(always)]
fn float_to_i64(x: f64) -> i64 {
    if x.abs() < 9223372036854775808.0 {
        // SAFETY: the magnitude is below 2^63 and x is not NaN.
        unsafe { x.to_int_unchecked() }
    } else {
        INDEFINITE
    }
}

#[inline(always)]
fn float_to_i32(x: f64) -> i32 {
    if x > -2147483649.0 && x < 2147483648.0 {
        // SAFETY: the integral part fits an i32 and x is not NaN.
        unsafe { x.to_int_unchecked() }
    } else {
        i32::MIN
    }
}

#[inline(always)]
fn float_to_u64(x: f64) -> u64 {
    if x >= 9223372036854775808.0 {
        if x < 18446744073709551616.0 { x as u64 } else { 0 }
    } else {
        float_to_i64(x) as u64
    }
}

macro_rules! castable_float {
    ($($t:ty = $dtype:ident),+) => {$(
        impl Castable for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn to_bool(self) -> bool { self != 0.0 }
            #[inline(always)]
            fn to_i32(self) -> i32 { float_to_i32(self as f64) }
            #[inline(always)]
            fn to_i64(self) -> i64 { float_to_i64(self as f64) }
            #[inline(always)]
            fn to_u64(self) -> u64 { float_to_u64(self as f64) }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { self as f32 }
            #[inline(always)]
            fn to_f16(self) -> F16 { F16::from_f64(self as f64) }
            #[inline(always)]
            fn to_c64(self) -> C64 { C64::new(self as f32, 0.0) }
            #[inline(always)]
            fn to_c128(self) -> C128 { C128::new(self as f64, 0.0) }
        }
    )+};
}

castable_float!(f32 = Float32, f64 = Float64);

/// A byte that stands for a truth value.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(u8);

impl Castable for Truth {
    const DTYPE: DType = DType::Bool;
    #[inline(always)]
    fn to_bool(self) -> bool {
        self.0 != 0
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        (self.0 != 0) as i32
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        (self.0 != 0) as i64
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        (self.0 != 0) as u64
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        (self.0 != 0) as u8 as f64
    }
    #[inline(always)]
    fn to_f32(self) -> f32 {
        (self.0 != 0) as u8 as f32
    }
    #[inline(always)]
    fn to_f16(self) -> F16 {
        F16::from_bits(if self.0 != 0 { 0x3c00 } else { 0 })
    }
    #[inline(always)]
    fn to_c64(self) -> C64 {
        C64::new(self.to_f32(), 0.0)
    }
    #[inline(always)]
    fn to_c128(self) -> C128 {
        C128::new(self.to_f64(), 0.0)
    }
}

/// Widening by bits, which the compiler can vectorise where the crate's own conversion calls a function.
#[inline(always)]
fn widen(half: F16) -> f32 {
    let bits = half.to_bits() as u32;
    let sign = (bits & 0x8000) << 16;
    let magnitude = bits & 0x7fff;
    // Subnormals become exact through a multiplication; infinities and NaN get the long exponent.
    let scaled = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
    let special = f32::from_bits((magnitude << 13) | 0x7f80_0000);
    let value = if magnitude >= 0x7c00 { special } else { scaled };
    f32::from_bits(value.to_bits() | sign)
}

impl Castable for F16 {
    const DTYPE: DType = DType::Float16;
    #[inline(always)]
    fn to_bool(self) -> bool {
        self.to_bits() & 0x7fff != 0
    }
    #[inline(always)]
    fn to_i32(self) -> i32 {
        float_to_i32(widen(self) as f64)
    }
    #[inline(always)]
    fn to_i64(self) -> i64 {
        float_to_i64(widen(self) as f64)
    }
    #[inline(always)]
    fn to_u64(self) -> u64 {
        float_to_u64(widen(self) as f64)
    }
    #[inline(always)]
    fn to_f64(self) -> f64 {
        widen(self) as f64
    }
    #[inline(always)]
    fn to_f32(self) -> f32 {
        widen(self)
    }
    #[inline(always)]
    fn to_f16(self) -> F16 {
        self
    }
    #[inline(always)]
    fn to_c64(self) -> C64 {
        C64::new(widen(self), 0.0)
    }
    #[inline(always)]
    fn to_c128(self) -> C128 {
        C128::new(widen(self) as f64, 0.0)
    }
}

macro_rules! castable_complex {
    ($($t:ty = $dtype:ident),+) => {$(
        impl Castable for $t {
            const DTYPE: DType = DType::$dtype;
            #[inline(always)]
            fn to_bool(self) -> bool { self.re != 0.0 || self.im != 0.0 }
            #[inline(always)]
            fn to_i32(self) -> i32 { self.re.to_i32() }
            #[inline(always)]
            fn to_i64(self) -> i64 { self.re.to_i64() }
            #[inline(always)]
            fn to_u64(self) -> u64 { self.re.to_u64() }
            #[inline(always)]
            fn to_f64(self) -> f64 { self.re as f64 }
            #[inline(always)]
            fn to_f32(self) -> f32 { self.re as f32 }
            #[inline(always)]
            fn to_f16(self) -> F16 { self.re.to_f16() }
            #[inline(always)]
            fn to_c64(self) -> C64 { C64::new(self.re as f32, self.im as f32) }
            #[inline(always)]
            fn to_c128(self) -> C128 { C128::new(self.re as f64, self.im as f64) }
        }
    )+};
}

castable_complex!(C64 = Complex64, C128 = Complex128);

/// Conversions among these are worth a version for every instruction set; the others are rare or bound by memory.
const fn is_hot(dtype: DType) -> bool {
    matches!(
        dtype,
        DType::Bool | DType::UInt8 | DType::Int32 | DType::Int64 | DType::Float16 | DType::Float32 | DType::Float64
    )
}

fn loop1<T: Castable, R: 'static, F: Fn(T) -> R + Copy + 'static>(to: DType, f: F) -> Kernels {
    if const { is_hot(T::DTYPE) } && is_hot(to) { map1(f) } else { plain1(f) }
}

fn from<T: Castable>(to: DType) -> Kernels {
    match to {
        DType::Bool => loop1::<T, _, _>(to, T::to_bool),
        DType::Int8 => loop1::<T, _, _>(to, |x: T| x.to_i32() as i8),
        DType::Int16 => loop1::<T, _, _>(to, |x: T| x.to_i32() as i16),
        DType::Int32 => loop1::<T, _, _>(to, T::to_i32),
        DType::Int64 => loop1::<T, _, _>(to, T::to_i64),
        DType::UInt8 => loop1::<T, _, _>(to, |x: T| x.to_i32() as u8),
        DType::UInt16 => loop1::<T, _, _>(to, |x: T| x.to_i32() as u16),
        DType::UInt32 => loop1::<T, _, _>(to, |x: T| x.to_i64() as u32),
        DType::UInt64 => loop1::<T, _, _>(to, T::to_u64),
        DType::Float16 => loop1::<T, _, _>(to, T::to_f16),
        DType::Float32 => loop1::<T, _, _>(to, T::to_f32),
        DType::Float64 => loop1::<T, _, _>(to, T::to_f64),
        DType::Complex64 => loop1::<T, _, _>(to, T::to_c64),
        DType::Complex128 => loop1::<T, _, _>(to, T::to_c128),
    }
}

/// The loop that converts elements of one dtype to another.
pub fn cast(from_dtype: DType, to: DType) -> Kernels {
    match from_dtype {
        DType::Bool => from::<Truth>(to),
        DType::Int8 => from::<i8>(to),
        DType::Int16 => from::<i16>(to),
        DType::Int32 => from::<i32>(to),
        DType::Int64 => from::<i64>(to),
        DType::UInt8 => from::<u8>(to),
        DType::UInt16 => from::<u16>(to),
        DType::UInt32 => from::<u32>(to),
        DType::UInt64 => from::<u64>(to),
        DType::Float16 => from::<F16>(to),
        DType::Float32 => from::<f32>(to),
        DType::Float64 => from::<f64>(to),
        DType::Complex64 => from::<C64>(to),
        DType::Complex128 => from::<C128>(to),
    }
}
