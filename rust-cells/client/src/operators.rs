//! Arithmetic on arrays: every operator and method builds the session's own expressions, which are computed in one pass.

use std::ops::{
    Add, AddAssign, BitAnd, BitOr, BitXor, Div, DivAssign, Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, Shr, Sub,
    SubAssign,
};

use crate::array::Array;
use crate::element::Number;
use crate::or_panic;
use crate::wire::Writer;

/// An operand: an array, owned or borrowed, or a number.
pub trait Term {
    #[doc(hidden)]
    fn write(&self, writer: Writer) -> Writer;
}

impl Term for Array {
    fn write(&self, writer: Writer) -> Writer {
        writer.u8(0).u64(self.handle())
    }
}

impl Term for &Array {
    fn write(&self, writer: Writer) -> Writer {
        (**self).write(writer)
    }
}

impl Term for Number {
    fn write(&self, writer: Writer) -> Writer {
        writer.u8(1).number(*self)
    }
}

#[track_caller]
fn binary(operation: &str, left: &dyn Term, right: &dyn Term) -> Array {
    or_panic(Array::try_apply(operation, &[left, right]))
}

/// A number as an operand. What it meets is an array in any case, so that a literal's own type need not be known.
pub trait Scalar: Copy + Into<Number> {}

macro_rules! numbers {
    ($($type:ty, |$value:ident| $number:expr;)*) => {
        $(
            impl From<$type> for Number {
                fn from($value: $type) -> Number {
                    $number
                }
            }
            impl Scalar for $type {}
            impl Term for $type {
                fn write(&self, writer: Writer) -> Writer {
                    Number::from(*self).write(writer)
                }
            }
        )*
    };
}
numbers! {
    f64, |value| Number::Float(value);
    f32, |value| Number::Float(value.into());
    i32, |value| Number::Int(value.into());
    i64, |value| Number::Int(value.into());
    u8, |value| Number::Int(value.into());
    u32, |value| Number::Int(value.into());
    u64, |value| Number::Int(value.into());
    usize, |value| Number::Int(value as i128);
}

macro_rules! operators {
    ($($trait:ident $method:ident $name:literal),*) => {
        $(
            operators! { @between &Array, &Array, $trait $method $name }
            operators! { @between &Array, Array, $trait $method $name }
            operators! { @between Array, &Array, $trait $method $name }
            operators! { @between Array, Array, $trait $method $name }
            operators! { @number &Array, $trait $method $name }
            operators! { @number Array, $trait $method $name }
            // One type of each kind stands on the left, so that a literal there is of that type.
            operators! { @between f64, &Array, $trait $method $name }
            operators! { @between f64, Array, $trait $method $name }
            operators! { @between i64, &Array, $trait $method $name }
            operators! { @between i64, Array, $trait $method $name }
        )*
    };
    (@between $left:ty, $right:ty, $trait:ident $method:ident $name:literal) => {
        impl $trait<$right> for $left {
            type Output = Array;
            #[track_caller]
            fn $method(self, other: $right) -> Array {
                binary($name, &self, &other)
            }
        }
    };
    (@number $left:ty, $trait:ident $method:ident $name:literal) => {
        impl<S: Scalar> $trait<S> for $left {
            type Output = Array;
            #[track_caller]
            fn $method(self, other: S) -> Array {
                binary($name, &self, &other.into())
            }
        }
    };
}
operators! {
    Add add "add", Sub sub "subtract", Mul mul "multiply", Div div "divide", Rem rem "remainder",
    BitAnd bitand "bitwise_and", BitOr bitor "bitwise_or", BitXor bitxor "bitwise_xor",
    Shl shl "left_shift", Shr shr "right_shift"
}

macro_rules! in_place {
    ($($trait:ident $method:ident $name:literal),*) => {
        $(
            impl $trait<&Array> for Array {
                /// Writes into the array's memory, for everyone who holds it.
                #[track_caller]
                fn $method(&mut self, other: &Array) {
                    or_panic(self.try_update($name, other));
                }
            }
            impl $trait<Array> for Array {
                /// Writes into the array's memory, for everyone who holds it.
                #[track_caller]
                fn $method(&mut self, other: Array) {
                    or_panic(self.try_update($name, &other));
                }
            }
            impl<S: Scalar> $trait<S> for Array {
                /// Writes into the array's memory, for everyone who holds it.
                #[track_caller]
                fn $method(&mut self, other: S) {
                    or_panic(self.try_update($name, &other.into()));
                }
            }
        )*
    };
}
in_place! {
    AddAssign add_assign "add", SubAssign sub_assign "subtract", MulAssign mul_assign "multiply",
    DivAssign div_assign "divide", RemAssign rem_assign "remainder"
}

impl From<bool> for Number {
    fn from(value: bool) -> Number {
        Number::Bool(value)
    }
}

impl Term for bool {
    fn write(&self, writer: Writer) -> Writer {
        writer.u8(1).number(Number::Bool(*self))
    }
}

macro_rules! prefix {
    ($($trait:ident $method:ident $name:literal),*) => {
        $(
            impl $trait for &Array {
                type Output = Array;
                #[track_caller]
                fn $method(self) -> Array {
                    or_panic(Array::try_apply($name, &[self]))
                }
            }
            impl $trait for Array {
                type Output = Array;
                #[track_caller]
                fn $method(self) -> Array {
                    or_panic(Array::try_apply($name, &[&self]))
                }
            }
        )*
    };
}
prefix! { Neg neg "negative", Not not "invert" }

macro_rules! unary {
    ($($method:ident $name:literal $doc:literal;)*) => {
        impl Array {
            $(
                #[doc = $doc]
                #[track_caller]
                pub fn $method(&self) -> Array {
                    or_panic(Array::try_apply($name, &[self]))
                }
            )*
        }
    };
}
unary! {
    abs "absolute" "Absolute value; the modulus for complex.";
    sign "sign" "Sign.";
    square "square" "The array times itself.";
    sqrt "sqrt" "Square root.";
    rsqrt "rsqrt" "Reciprocal of the square root.";
    cbrt "cbrt" "Cube root.";
    recip "reciprocal" "One divided by the array.";
    exp "exp" "Exponential.";
    exp2 "exp2" "Two to the power of the array.";
    exp_m1 "expm1" "Exponential minus one, accurate near zero.";
    ln "log" "Natural logarithm.";
    log "log" "Natural logarithm, by NumPy's name.";
    log2 "log2" "Logarithm to base 2.";
    log10 "log10" "Logarithm to base 10.";
    ln_1p "log1p" "Logarithm of one plus the array, accurate near zero.";
    sin "sin" "Sine.";
    cos "cos" "Cosine.";
    tan "tan" "Tangent.";
    asin "arcsin" "Inverse sine.";
    acos "arccos" "Inverse cosine.";
    atan "arctan" "Inverse tangent.";
    sinh "sinh" "Hyperbolic sine.";
    cosh "cosh" "Hyperbolic cosine.";
    tanh "tanh" "Hyperbolic tangent.";
    asinh "arcsinh" "Inverse hyperbolic sine.";
    acosh "arccosh" "Inverse hyperbolic cosine.";
    atanh "arctanh" "Inverse hyperbolic tangent.";
    floor "floor" "Largest integers not above.";
    ceil "ceil" "Smallest integers not below.";
    trunc "trunc" "Without the fractions.";
    round "rint" "Nearest integers, ties to even.";
    to_radians "deg2rad" "Degrees to radians.";
    to_degrees "rad2deg" "Radians to degrees.";
    is_nan "isnan" "Where it is not a number.";
    is_infinite "isinf" "Where it is infinite.";
    is_finite "isfinite" "Where it is finite.";
    conj "conjugate" "Complex conjugate.";
    real "real" "Real part.";
    imag "imag" "Imaginary part.";
    angle "angle" "Argument of complex numbers.";
    logical_not "logical_not" "Where it is false.";
    erf "erf" "Error function.";
}

macro_rules! with_term {
    ($($method:ident $name:literal $doc:literal;)*) => {
        impl Array {
            $(
                #[doc = $doc]
                #[track_caller]
                pub fn $method(&self, other: impl Term) -> Array {
                    binary($name, self, &other)
                }
            )*
        }
    };
}
with_term! {
    pow "power" "To a power.";
    floor_divide "floor_divide" "Largest integers not above the quotients.";
    fmod "fmod" "Remainder with the sign of the array, as Rust's `%`.";
    hypot "hypot" "Length of the hypotenuse.";
    atan2 "arctan2" "Angle of the point (other, self), choosing the quadrant.";
    copysign "copysign" "Magnitudes with the signs of the other.";
    maximum "maximum" "Larger of both.";
    minimum "minimum" "Smaller of both.";
    eq "equal" "Where both are equal.";
    ne "not_equal" "Where they differ.";
    lt "less" "Where it is smaller.";
    le "less_equal" "Where it is smaller or equal.";
    gt "greater" "Where it is larger.";
    ge "greater_equal" "Where it is larger or equal.";
    logical_and "logical_and" "Where both are true.";
    logical_or "logical_or" "Where any is true.";
}

macro_rules! reductions {
    ($($method:ident $along:ident $name:literal $doc:literal;)*) => {
        impl Array {
            $(
                #[doc = concat!($doc, " of all elements, an array without axes: `item()` gives the number.")]
                #[track_caller]
                pub fn $method(&self) -> Array {
                    or_panic(self.try_reduce($name, None, false))
                }
                #[doc = concat!($doc, " along an axis.")]
                #[track_caller]
                pub fn $along(&self, axis: i64) -> Array {
                    or_panic(self.try_reduce($name, Some(&[axis]), false))
                }
            )*
        }
    };
}
reductions! {
    sum sum_axis "sum" "Sum";
    prod prod_axis "prod" "Product";
    mean mean_axis "mean" "Mean";
    var var_axis "var" "Variance";
    std std_axis "std" "Standard deviation";
    max max_axis "max" "Largest";
    min min_axis "min" "Smallest";
    argmax argmax_axis "argmax" "Position of the largest";
    argmin argmin_axis "argmin" "Position of the smallest";
    all all_axis "all" "Whether all are true";
    any any_axis "any" "Whether any is true";
    norm norm_axis "norm" "Euclidean length";
}

impl Array {
    /// Kept between two bounds.
    #[track_caller]
    pub fn clip(&self, low: impl Term, high: impl Term) -> Array {
        or_panic(Array::try_apply("clip", &[self, &low, &high]))
    }

    /// `yes` where the array is true, `no` elsewhere.
    #[track_caller]
    pub fn select(&self, yes: impl Term, no: impl Term) -> Array {
        or_panic(Array::try_apply("where", &[self, &yes, &no]))
    }
}
