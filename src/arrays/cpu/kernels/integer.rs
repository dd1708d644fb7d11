//! Kernels over the integer dtypes, with NumPy's wrapping, division by zero and shift rules.

use super::super::kernel::{Kernels, map1, map2, map3, plain1, plain2, plain3};
use crate::arrays::op::Op;

/// What the kernels need of an integer type.
pub(super) trait Integer: Copy + Ord + Eq + 'static {
    const ZERO: Self;
    const ONE: Self;
    /// Whether the loops are worth a version for every instruction set; the others are vectorised for the baseline.
    const HOT: bool;
    /// The smallest value from 32 bits on, as the hardware conversion answers that NumPy leans on.
    const RECIPROCAL_OF_ZERO: Self;
    fn add(self, other: Self) -> Self;
    fn subtract(self, other: Self) -> Self;
    fn multiply(self, other: Self) -> Self;
    fn floor_divide(self, other: Self) -> Self;
    fn remainder(self, other: Self) -> Self;
    fn fmod(self, other: Self) -> Self;
    fn power(self, other: Self) -> Self;
    fn shift_left(self, other: Self) -> Self;
    fn shift_right(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    fn negative(self) -> Self;
    fn count_ones_of_magnitude(self) -> u8;
    fn gcd(self, other: Self) -> Self;
    fn to_f64(self) -> f64;
}

macro_rules! integer {
    ($($t:ty, $unsigned:ty, $magnitude:expr, $floor:expr, $modulo:expr, $negative_exponent:expr;)+) => {$(
        impl Integer for $t {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            const HOT: bool = <$t>::BITS >= 32 || <$t>::BITS == 8 && <$t>::MIN == 0;
            const RECIPROCAL_OF_ZERO: Self = if <$t>::BITS >= 32 { <$t>::MIN } else { 0 };
            #[inline(always)]
            fn add(self, other: Self) -> Self { self.wrapping_add(other) }
            #[inline(always)]
            fn subtract(self, other: Self) -> Self { self.wrapping_sub(other) }
            #[inline(always)]
            fn multiply(self, other: Self) -> Self { self.wrapping_mul(other) }
            #[inline(always)]
            fn floor_divide(self, other: Self) -> Self {
                if other == 0 { 0 } else { $floor(self, other) }
            }
            #[inline(always)]
            fn remainder(self, other: Self) -> Self {
                if other == 0 { 0 } else { $modulo(self, other) }
            }
            #[inline(always)]
            fn fmod(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }
            #[inline(always)]
            fn power(self, other: Self) -> Self {
                if $negative_exponent(other) {
                    // What an integer can hold of 1 / self^n.
                    return match self {
                        1 => 1,
                        x if x.wrapping_add(1) == 0 && <$t>::MIN != 0 => if other & 1 == 0 { 1 } else { x },
                        _ => 0,
                    };
                }
                let (mut base, mut exponent, mut result) = (self, other, 1 as $t);
                while exponent != 0 {
                    if exponent & 1 == 1 { result = result.wrapping_mul(base); }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                result
            }
            #[inline(always)]
            fn shift_left(self, other: Self) -> Self {
                if (other as $unsigned) < <$t>::BITS as $unsigned { self << other } else { 0 }
            }
            #[inline(always)]
            fn shift_right(self, other: Self) -> Self {
                let most = (<$t>::BITS - 1) as $unsigned;
                if other as $unsigned <= most { self >> other } else if self < Self::ZERO { self.not() ^ self } else { 0 }
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self { self & other }
            #[inline(always)]
            fn or(self, other: Self) -> Self { self | other }
            #[inline(always)]
            fn xor(self, other: Self) -> Self { self ^ other }
            #[inline(always)]
            fn not(self) -> Self { !self }
            #[inline(always)]
            fn negative(self) -> Self { self.wrapping_neg() }
            #[inline(always)]
            fn count_ones_of_magnitude(self) -> u8 { $magnitude(self).count_ones() as u8 }
            #[inline(always)]
            fn gcd(self, other: Self) -> Self {
                let (mut a, mut b) = ($magnitude(self), $magnitude(other));
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                a as $t
            }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
        }
    )+};
}

macro_rules! signed_integer {
    ($($t:ident $unsigned:ident),+) => {
        integer! {$(
            $t, $unsigned,
            |x: $t| x.unsigned_abs(),
            |x: $t, y: $t| {
                let quotient = x.wrapping_div(y);
                if (x ^ y) < 0 && quotient.wrapping_mul(y) != x { quotient - 1 } else { quotient }
            },
            |x: $t, y: $t| {
                let rest = x.wrapping_rem(y);
                if rest != 0 && (rest ^ y) < 0 { rest + y } else { rest }
            },
            |x: $t| x < 0;
        )+}
    };
}

macro_rules! unsigned_integer {
    ($($t:ident),+) => {
        integer! {$($t, $t, |x: $t| x, |x: $t, y: $t| x / y, |x: $t, y: $t| x % y, |_: $t| false;)+}
    };
}

signed_integer!(i8 u8, i16 u16, i32 u32, i64 u64);
unsigned_integer!(u8, u16, u32, u64);

fn loop1<T: Integer, R: 'static, F: Fn(T) -> R + Copy + 'static>(f: F) -> Kernels {
    if const { T::HOT } { map1(f) } else { plain1(f) }
}

fn loop2<T: Integer, R: 'static, F: Fn(T, T) -> R + Copy + 'static>(f: F) -> Kernels {
    if const { T::HOT } { map2(f) } else { plain2(f) }
}

fn loop3<T: Integer, F: Fn(T, T, T) -> T + Copy + 'static>(f: F) -> Kernels {
    if const { T::HOT } { map3(f) } else { plain3(f) }
}

fn common<T: Integer>(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Add => loop2::<T, _, _>(T::add),
        Op::Subtract => loop2::<T, _, _>(T::subtract),
        Op::Multiply => loop2::<T, _, _>(T::multiply),
        Op::Divide => loop2::<T, _, _>(|x: T, y: T| x.to_f64() / y.to_f64()),
        Op::FloorDivide => plain2(T::floor_divide),
        Op::Remainder => plain2(T::remainder),
        Op::Fmod => plain2(T::fmod),
        Op::Power => plain2(T::power),
        Op::Maximum | Op::Fmax => loop2::<T, _, _>(|x: T, y: T| if x > y { x } else { y }),
        Op::Minimum | Op::Fmin => loop2::<T, _, _>(|x: T, y: T| if x < y { x } else { y }),
        Op::Gcd => plain2(T::gcd),
        // Of the magnitudes; the product wraps, as NumPy's does.
        Op::Lcm => plain2(|x: T, y: T| {
            let magnitude = |value: T| if value < T::ZERO { value.negative() } else { value };
            let divisor = x.gcd(y);
            if divisor == T::ZERO { T::ZERO } else { magnitude(x).floor_divide(divisor).multiply(magnitude(y)) }
        }),
        Op::BitwiseAnd => loop2::<T, _, _>(T::and),
        Op::BitwiseOr => loop2::<T, _, _>(T::or),
        Op::BitwiseXor => loop2::<T, _, _>(T::xor),
        Op::LeftShift => loop2::<T, _, _>(T::shift_left),
        Op::RightShift => loop2::<T, _, _>(T::shift_right),
        Op::LogicalAnd => loop2::<T, _, _>(|x: T, y: T| (x != T::ZERO) & (y != T::ZERO)),
        Op::LogicalOr => loop2::<T, _, _>(|x: T, y: T| (x != T::ZERO) | (y != T::ZERO)),
        Op::LogicalXor => loop2::<T, _, _>(|x: T, y: T| (x != T::ZERO) ^ (y != T::ZERO)),
        Op::Equal => loop2::<T, _, _>(|x: T, y: T| x == y),
        Op::NotEqual => loop2::<T, _, _>(|x: T, y: T| x != y),
        Op::Less => loop2::<T, _, _>(|x: T, y: T| x < y),
        Op::LessEqual => loop2::<T, _, _>(|x: T, y: T| x <= y),
        Op::Greater => loop2::<T, _, _>(|x: T, y: T| x > y),
        Op::GreaterEqual => loop2::<T, _, _>(|x: T, y: T| x >= y),
        Op::Negative => loop1::<T, _, _>(T::negative),
        Op::Positive | Op::Real | Op::Conjugate | Op::Floor | Op::Ceil | Op::Trunc | Op::Rint => {
            loop1::<T, _, _>(|x: T| x)
        }
        Op::Square => loop1::<T, _, _>(|x: T| x.multiply(x)),
        Op::Imag => loop1::<T, _, _>(|_: T| T::ZERO),
        Op::Invert => loop1::<T, _, _>(T::not),
        Op::LogicalNot => loop1::<T, _, _>(|x: T| x == T::ZERO),
        Op::Isnan | Op::Isinf => loop1::<T, _, _>(|_: T| false),
        Op::Isfinite => loop1::<T, _, _>(|_: T| true),
        Op::BitwiseCount => plain1(T::count_ones_of_magnitude),
        Op::Clip => loop3::<T, _>(|x: T, low: T, high: T| {
            let raised = if x < low { low } else { x };
            if raised > high { high } else { raised }
        }),
        _ => return None,
    })
}

pub(super) fn signed<T: Integer>(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Absolute => loop1::<T, _, _>(|x: T| if x < T::ZERO { x.negative() } else { x }),
        Op::Sign => loop1::<T, _, _>(|x: T| {
            if x > T::ZERO {
                T::ONE
            } else if x < T::ZERO {
                T::ONE.negative()
            } else {
                T::ZERO
            }
        }),
        Op::Signbit => loop1::<T, _, _>(|x: T| x < T::ZERO),
        Op::Reciprocal => plain1(|x: T| match x {
            x if x == T::ZERO => T::RECIPROCAL_OF_ZERO,
            x if x == T::ONE || x == T::ONE.negative() => x,
            _ => T::ZERO,
        }),
        other => return common::<T>(other),
    })
}

pub(super) fn unsigned<T: Integer>(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Absolute => loop1::<T, _, _>(|x: T| x),
        Op::Sign => loop1::<T, _, _>(|x: T| if x > T::ZERO { T::ONE } else { T::ZERO }),
        Op::Signbit => loop1::<T, _, _>(|_: T| false),
        Op::Reciprocal => plain1(|x: T| if x == T::ONE { T::ONE } else { T::ZERO }),
        other => return common::<T>(other),
    })
}
