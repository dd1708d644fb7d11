//! Kernels over float32 and float64.

use super::super::kernel::{
    Function1, Kernels, Repaired1, Repaired2, long1, map1, map2, map3, plain1, plain2, repaired1, repaired2,
};
use super::super::vecmath::{double, hyperbolic, inverse, power, single, special, trig};
use crate::arrays::op::Op;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// What the kernels need of a real type.
pub(super) trait Real:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    const ZERO: Self;
    const ONE: Self;
    const HALF: Self;
    const NAN: Self;
    const INFINITY: Self;
    const DEGREE: Self;
    const RADIAN: Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn copysign(self, sign: Self) -> Self;
    fn is_negative(self) -> bool;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;
    fn rint(self) -> Self;
    fn cbrt(self) -> Self;
    fn hypot(self, other: Self) -> Self;
    fn arctan2(self, other: Self) -> Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn nextafter(self, other: Self) -> Self;
    fn spacing(self) -> Self;
    fn exp(self) -> Self;
    fn exp2(self) -> Self;
    fn expm1(self) -> Self;
    fn log(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn log1p(self) -> Self;
    fn arcsin(self) -> Self;
    fn arccos(self) -> Self;
    fn arctan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn arcsinh(self) -> Self;
    fn arccosh(self) -> Self;
    fn arctanh(self) -> Self;
    fn is_large(self) -> bool;
    fn sin_fast(self) -> Self;
    fn cos_fast(self) -> Self;
    fn tan_fast(self) -> Self;
    fn sin_large(self) -> Self;
    fn cos_large(self) -> Self;
    fn tan_large(self) -> Self;
    fn pow_fast(self, other: Self) -> Self;
    fn pow_is_special(self, other: Self) -> bool;
    fn pow_special(self, other: Self) -> Self;
}

macro_rules! forward {
    ($t:ty, $($name:ident = $path:path),+) => {
        $(#[inline(always)] fn $name(self) -> $t { $path(self) })+
    };
}

macro_rules! real_basics {
    ($t:ident) => {
        const ZERO: Self = 0.0;
        const ONE: Self = 1.0;
        const HALF: Self = 0.5;
        const NAN: Self = $t::NAN;
        const INFINITY: Self = $t::INFINITY;
        const DEGREE: Self = (std::f64::consts::PI / 180.0) as $t;
        const RADIAN: Self = (180.0 / std::f64::consts::PI) as $t;
        #[inline(always)]
        fn is_negative(self) -> bool {
            self.is_sign_negative()
        }
        #[inline(always)]
        fn copysign(self, sign: Self) -> Self {
            $t::copysign(self, sign)
        }
        #[inline(always)]
        fn hypot(self, other: Self) -> Self {
            $t::hypot(self, other)
        }
        #[inline(always)]
        fn arctan2(self, other: Self) -> Self {
            $t::atan2(self, other)
        }
        #[inline(always)]
        fn from_f64(value: f64) -> Self {
            value as $t
        }
        #[inline(always)]
        fn to_f64(self) -> f64 {
            self as f64
        }
        forward!($t, abs = $t::abs, sqrt = $t::sqrt, floor = $t::floor, ceil = $t::ceil, trunc = $t::trunc);
        forward!($t, rint = $t::round_ties_even, cbrt = $t::cbrt);
    };
}

impl Real for f64 {
    real_basics!(f64);
    forward!(f64, exp = double::exp, exp2 = double::exp2, expm1 = double::expm1, log = double::log);
    forward!(f64, log2 = double::log2, log10 = double::log10, log1p = double::log1p);
    forward!(f64, arcsin = inverse::arcsin, arccos = inverse::arccos, arctan = inverse::arctan);
    forward!(f64, sinh = hyperbolic::sinh, cosh = hyperbolic::cosh, tanh = hyperbolic::tanh);
    forward!(f64, arcsinh = hyperbolic::arcsinh, arccosh = hyperbolic::arccosh, arctanh = hyperbolic::arctanh);
    forward!(f64, sin_fast = trig::sin_fast, cos_fast = trig::cos_fast, tan_fast = trig::tan_fast);
    forward!(f64, sin_large = trig::sin_large, cos_large = trig::cos_large, tan_large = trig::tan_large);
    forward!(f64, spacing = special::spacing);
    #[inline(always)]
    fn nextafter(self, other: Self) -> Self {
        special::nextafter(self, other)
    }
    #[inline(always)]
    fn is_large(self) -> bool {
        trig::is_large(self)
    }
    #[inline(always)]
    fn pow_fast(self, other: Self) -> Self {
        power::pow_fast(self, other)
    }
    #[inline(always)]
    fn pow_is_special(self, other: Self) -> bool {
        power::is_special(self, other)
    }
    #[inline(always)]
    fn pow_special(self, other: Self) -> Self {
        power::pow_special(self, other)
    }
}

impl Real for f32 {
    real_basics!(f32);
    forward!(f32, exp = single::exp, exp2 = single::exp2, expm1 = single::expm1, log = single::log);
    forward!(f32, log2 = single::log2, log10 = single::log10, log1p = single::log1p);
    forward!(f32, arcsin = single::arcsin, arccos = single::arccos, arctan = single::arctan);
    forward!(f32, sinh = single::sinh, cosh = single::cosh, tanh = single::tanh);
    forward!(f32, arcsinh = single::arcsinh, arccosh = single::arccosh, arctanh = single::arctanh);
    forward!(f32, sin_fast = single::sin_fast, cos_fast = single::cos_fast, tan_fast = single::tan_fast);
    forward!(f32, sin_large = single::sin_large, cos_large = single::cos_large, tan_large = single::tan_large);
    forward!(f32, spacing = special::spacing_single);
    #[inline(always)]
    fn nextafter(self, other: Self) -> Self {
        special::nextafter_single(self, other)
    }
    #[inline(always)]
    fn is_large(self) -> bool {
        single::is_large(self)
    }
    #[inline(always)]
    fn pow_fast(self, other: Self) -> Self {
        single::pow_fast(self, other)
    }
    #[inline(always)]
    fn pow_is_special(self, other: Self) -> bool {
        single::pow_is_special(self, other)
    }
    #[inline(always)]
    fn pow_special(self, other: Self) -> Self {
        single::pow_special(self, other)
    }
}

#[inline(always)]
fn is_nan<T: Real>(x: T) -> bool {
    x != x
}

fn floor_divide<T: Real>(x: T, y: T) -> T {
    if y == T::ZERO {
        return x / y;
    }
    let rest = x % y;
    if is_nan(rest) {
        return rest;
    }
    let mut quotient = (x - rest) / y;
    if rest != T::ZERO && (y < T::ZERO) != (rest < T::ZERO) {
        quotient = quotient - T::ONE;
    }
    if quotient == T::ZERO {
        return T::ZERO.copysign(x / y);
    }
    let floor = quotient.floor();
    if quotient - floor > T::HALF { floor + T::ONE } else { floor }
}

fn remainder<T: Real>(x: T, y: T) -> T {
    let rest = x % y;
    if y == T::ZERO || is_nan(rest) {
        return rest;
    }
    if rest == T::ZERO {
        return T::ZERO.copysign(y);
    }
    if (y < T::ZERO) != (rest < T::ZERO) { rest + y } else { rest }
}

fn modf_fraction<T: Real>(x: T) -> T {
    if x.abs() == T::INFINITY { T::ZERO.copysign(x) } else { (x - x.trunc()).copysign(x) }
}

macro_rules! functions {
    ($($name:ident = $method:ident),+) => {$(
        struct $name;
        impl<T: Real> Function1<T, T> for $name {
            #[inline(always)]
            fn call(x: T) -> T { x.$method() }
        }
    )+};
}

functions!(Exp = exp, Exp2 = exp2, Expm1 = expm1, Log = log, Log2 = log2, Log10 = log10, Log1p = log1p);
functions!(Arcsin = arcsin, Arccos = arccos, Arctan = arctan, Sinh = sinh, Cosh = cosh, Tanh = tanh);
functions!(Arcsinh = arcsinh, Arccosh = arccosh, Arctanh = arctanh);

macro_rules! trigonometric {
    ($($name:ident = $fast:ident, $large:ident);+) => {$(
        struct $name;
        impl<T: Real> Repaired1<T> for $name {
            #[inline(always)]
            fn fast(x: T) -> T { x.$fast() }
            #[inline(always)]
            fn is_special(x: T) -> bool { x.is_large() }
            fn slow(x: T) -> T { x.$large() }
        }
    )+};
}

trigonometric!(Sin = sin_fast, sin_large; Cos = cos_fast, cos_large; Tan = tan_fast, tan_large);

struct Pow;

impl<T: Real> Repaired2<T> for Pow {
    #[inline(always)]
    fn fast(x: T, y: T) -> T {
        x.pow_fast(y)
    }
    #[inline(always)]
    fn is_special(x: T, y: T) -> bool {
        x.pow_is_special(y)
    }
    fn slow(x: T, y: T) -> T {
        x.pow_special(y)
    }
}

pub(super) fn find<T: Real>(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Add => map2(|x: T, y: T| x + y),
        Op::Subtract => map2(|x: T, y: T| x - y),
        Op::Multiply => map2(|x: T, y: T| x * y),
        Op::Divide => map2(|x: T, y: T| x / y),
        Op::FloorDivide => plain2(floor_divide::<T>),
        Op::Remainder => plain2(remainder::<T>),
        Op::Fmod => plain2(|x: T, y: T| x % y),
        Op::Power | Op::FloatPower => repaired2::<T, Pow>(),
        Op::Hypot => plain2(T::hypot),
        Op::Arctan2 => plain2(T::arctan2),
        Op::Copysign => map2(T::copysign),
        Op::Nextafter => plain2(T::nextafter),
        Op::Logaddexp => plain2(|x: T, y: T| T::from_f64(special::logaddexp(x.to_f64(), y.to_f64()))),
        Op::Logaddexp2 => plain2(|x: T, y: T| T::from_f64(special::logaddexp2(x.to_f64(), y.to_f64()))),
        Op::Heaviside => map2(|x: T, at_zero: T| {
            let step = if x > T::ZERO { T::ONE } else { T::ZERO };
            let step = if x == T::ZERO { at_zero } else { step };
            if is_nan(x) { x } else { step }
        }),
        Op::Maximum => map2(|x: T, y: T| if (x > y) | is_nan(x) { x } else { y }),
        Op::Minimum => map2(|x: T, y: T| if (x < y) | is_nan(x) { x } else { y }),
        Op::Fmax => map2(|x: T, y: T| if (x > y) | is_nan(y) { x } else { y }),
        Op::Fmin => map2(|x: T, y: T| if (x < y) | is_nan(y) { x } else { y }),
        Op::LogicalAnd => map2(|x: T, y: T| (x != T::ZERO) & (y != T::ZERO)),
        Op::LogicalOr => map2(|x: T, y: T| (x != T::ZERO) | (y != T::ZERO)),
        Op::LogicalXor => map2(|x: T, y: T| (x != T::ZERO) ^ (y != T::ZERO)),
        Op::Equal => map2(|x: T, y: T| x == y),
        Op::NotEqual => map2(|x: T, y: T| x != y),
        Op::Less => map2(|x: T, y: T| x < y),
        Op::LessEqual => map2(|x: T, y: T| x <= y),
        Op::Greater => map2(|x: T, y: T| x > y),
        Op::GreaterEqual => map2(|x: T, y: T| x >= y),
        Op::Ldexp => plain2(|x: T, exponent: i64| T::from_f64(special::ldexp(x.to_f64(), exponent))),
        Op::Negative => map1(|x: T| -x),
        Op::Positive | Op::Real | Op::Conjugate => map1(|x: T| x),
        Op::Absolute | Op::Fabs => map1(T::abs),
        Op::Sign => map1(|x: T| {
            let sign = if x > T::ZERO { T::ONE } else { T::ZERO };
            let sign = if x < T::ZERO { -T::ONE } else { sign };
            if is_nan(x) { x } else { sign }
        }),
        Op::Signbit => map1(T::is_negative),
        Op::Square => map1(|x: T| x * x),
        Op::Sqrt => map1(T::sqrt),
        Op::Rsqrt => map1(|x: T| T::ONE / x.sqrt()),
        Op::Cbrt => plain1(T::cbrt),
        Op::Reciprocal => map1(|x: T| T::ONE / x),
        Op::Exp => long1::<T, T, Exp>(),
        Op::Exp2 => long1::<T, T, Exp2>(),
        Op::Expm1 => long1::<T, T, Expm1>(),
        Op::Log => long1::<T, T, Log>(),
        Op::Log2 => long1::<T, T, Log2>(),
        Op::Log10 => long1::<T, T, Log10>(),
        Op::Log1p => long1::<T, T, Log1p>(),
        Op::Sin => repaired1::<T, Sin>(),
        Op::Cos => repaired1::<T, Cos>(),
        Op::Tan => repaired1::<T, Tan>(),
        Op::Arcsin => long1::<T, T, Arcsin>(),
        Op::Arccos => long1::<T, T, Arccos>(),
        Op::Arctan => long1::<T, T, Arctan>(),
        Op::Sinh => long1::<T, T, Sinh>(),
        Op::Cosh => long1::<T, T, Cosh>(),
        Op::Tanh => long1::<T, T, Tanh>(),
        Op::Arcsinh => long1::<T, T, Arcsinh>(),
        Op::Arccosh => long1::<T, T, Arccosh>(),
        Op::Arctanh => long1::<T, T, Arctanh>(),
        Op::Floor => map1(T::floor),
        Op::Ceil => map1(T::ceil),
        Op::Trunc => map1(T::trunc),
        Op::Rint => map1(T::rint),
        Op::Isnan => map1(|x: T| is_nan(x)),
        Op::Isinf => map1(|x: T| x.abs() == T::INFINITY),
        Op::Isfinite => map1(|x: T| x.abs() < T::INFINITY),
        Op::Imag => map1(|_: T| T::ZERO),
        // As arctan2(0, x): pi for negative numbers, and NaN stays.
        Op::Angle => plain1(|x: T| T::ZERO.arctan2(x)),
        Op::LogicalNot => map1(|x: T| x == T::ZERO),
        Op::Deg2rad => map1(|x: T| x * T::DEGREE),
        Op::Rad2deg => map1(|x: T| x * T::RADIAN),
        Op::Spacing => plain1(T::spacing),
        Op::ModfFraction => map1(modf_fraction::<T>),
        Op::ModfInteger => map1(T::trunc),
        Op::FrexpMantissa => plain1(|x: T| T::from_f64(special::frexp(x.to_f64()).0)),
        Op::FrexpExponent => plain1(|x: T| special::frexp(x.to_f64()).1),
        Op::I0 => plain1(|x: T| T::from_f64(special::bessel_i0(x.to_f64()))),
        Op::Sinc => plain1(|x: T| T::from_f64(special::sinc(x.to_f64()))),
        Op::Erf => plain1(|x: T| T::from_f64(special::error_function(x.to_f64()))),
        Op::Erfc => plain1(|x: T| T::from_f64(special::error_function_complement(x.to_f64()))),
        Op::Erfcx => plain1(|x: T| T::from_f64(special::error_function_scaled(x.to_f64()))),
        Op::Erfinv => plain1(|x: T| T::from_f64(special::error_function_inverse(x.to_f64()))),
        Op::Erfcinv => plain1(|x: T| T::from_f64(special::error_function_complement_inverse(x.to_f64()))),
        Op::Clip => map3(|x: T, low: T, high: T| {
            let raised = if (x < low) | is_nan(low) { low } else { x };
            if (raised > high) | is_nan(high) { high } else { raised }
        }),
        Op::Gcd
        | Op::Lcm
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::LeftShift
        | Op::RightShift
        | Op::Invert
        | Op::BitwiseCount
        | Op::Proj
        | Op::Where => return None,
    })
}
