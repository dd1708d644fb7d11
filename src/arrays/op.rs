//! The table of element-wise primitives: one row each, with name, arity, dtype rule and doc line.
//!
//! Every element-wise function that a person can call is a row here or an expression over rows. The rules give the
//! dtypes of NumPy 2 and, where it differs, of dpnp; they are checked against tables recorded from both libraries.
//! How a row is computed is the business of `cpu` (and of other device code generators).

mod rules;

use Family::*;
pub use rules::{Loop, resolve};

/// Whose rules apply where NumPy and dpnp differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flavour {
    /// `numpy`: arrays in host memory, warnings for floating-point exceptions.
    NumPy,
    /// `dpnp`: arrays on a device, no warnings.
    Dpnp,
}

/// Which input dtypes an operation has loops for, and what they answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Every dtype to itself.
    Any,
    /// Every dtype but bool to itself.
    Number,
    /// Every dtype to itself, bool becoming int8.
    NumberWidened,
    /// Bool and integers to themselves.
    Bits,
    /// Integers to themselves, bool becoming int8.
    BitsWidened,
    /// Integers to themselves; bool is refused unless the other operand widens it.
    IntegerOnly,
    /// Bool, integers and real floats to themselves.
    Real,
    /// Integers and real floats to themselves, bool becoming int8.
    RealWidened,
    /// Floats and complex; integers become the float that holds them.
    Inexact,
    /// Real floats; integers become the float that holds them.
    Floating,
    /// Floats and complex to themselves, integers to float64.
    TrueDivide,
    /// float64 and complex128 only (dpnp: float32 and complex64 too).
    FloatPower,
    /// Every dtype to bool.
    ToBool,
    /// Bool, integers and real floats to bool.
    RealToBool,
    /// Every dtype to itself, complex to its real part's dtype.
    RealPart,
    /// Integers and bool to uint8.
    BitCount,
    /// Floats to themselves, complex to their real part's dtype; bool becomes float64 in NumPy and float32 in dpnp.
    Angle,
    /// Floats and complex to themselves, other dtypes to float64 in NumPy; in dpnp to the float that holds them.
    SincLike,
    /// Real floats to themselves, other dtypes to float64 in NumPy; in dpnp to the float that holds them.
    BesselLike,
    /// As `Inexact` in NumPy; in dpnp integers keep their dtype.
    RintLike,
    /// As `NumberWidened` in NumPy; as `Inexact` in dpnp.
    ReciprocalLike,
    /// Real floats to int32.
    FloatingToInt32,
    /// A float and an integer to the float.
    FloatAndInteger,
    /// A condition and two operands of one dtype.
    Select,
    /// Every dtype to the complex dtype that holds it.
    ToComplex,
}

macro_rules! operations {
    ($($name:ident $text:literal $arity:literal $family:ident $doc:literal;)+) => {
        /// An element-wise primitive.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = $doc] $name,)+
        }

        impl Op {
            /// Every primitive, in the order of the table.
            pub const ALL: &[Op] = &[$(Op::$name),+];

            /// The name under which NumPy and dpnp know it (or our own for the pieces of pairs).
            pub const fn name(self) -> &'static str {
                match self { $(Op::$name => $text),+ }
            }

            /// How many operands it takes.
            pub const fn arity(self) -> usize {
                match self { $(Op::$name => $arity),+ }
            }

            /// Which dtypes it accepts and gives.
            pub const fn family(self) -> Family {
                match self { $(Op::$name => $family),+ }
            }

            /// One line of documentation.
            pub const fn doc(self) -> &'static str {
                match self { $(Op::$name => $doc),+ }
            }
        }
    };
}

operations! {
    Add "add" 2 Any "Sum of two arrays; logical or for bool.";
    Subtract "subtract" 2 Number "Difference of two arrays.";
    Multiply "multiply" 2 Any "Product of two arrays; logical and for bool.";
    Divide "divide" 2 TrueDivide "Quotient of two arrays, always inexact.";
    FloorDivide "floor_divide" 2 RealWidened "Largest integer not above the quotient.";
    Remainder "remainder" 2 RealWidened "Remainder with the sign of the divisor.";
    Fmod "fmod" 2 RealWidened "Remainder with the sign of the dividend.";
    Power "power" 2 NumberWidened "First operand to the power of the second.";
    FloatPower "float_power" 2 FloatPower "Power computed in double precision.";
    Hypot "hypot" 2 Floating "Length of the hypotenuse.";
    Arctan2 "arctan2" 2 Floating "Angle of the point (x2, x1), choosing the quadrant.";
    Copysign "copysign" 2 Floating "Magnitude of the first operand with the sign of the second.";
    Nextafter "nextafter" 2 Floating "Next representable number towards the second operand.";
    Logaddexp "logaddexp" 2 Floating "Logarithm of the sum of exponentials.";
    Logaddexp2 "logaddexp2" 2 Floating "Logarithm of the sum of exponentials, base 2.";
    Heaviside "heaviside" 2 Floating "Step function; the second operand is its value at zero.";
    Maximum "maximum" 2 Any "Larger of two elements; NaN wins.";
    Minimum "minimum" 2 Any "Smaller of two elements; NaN wins.";
    Fmax "fmax" 2 Any "Larger of two elements; NaN loses.";
    Fmin "fmin" 2 Any "Smaller of two elements; NaN loses.";
    Gcd "gcd" 2 IntegerOnly "Greatest common divisor.";
    Lcm "lcm" 2 IntegerOnly "Least common multiple.";
    BitwiseAnd "bitwise_and" 2 Bits "Bit-wise and.";
    BitwiseOr "bitwise_or" 2 Bits "Bit-wise or.";
    BitwiseXor "bitwise_xor" 2 Bits "Bit-wise exclusive or.";
    LeftShift "left_shift" 2 BitsWidened "Bits shifted left.";
    RightShift "right_shift" 2 BitsWidened "Bits shifted right, keeping the sign.";
    LogicalAnd "logical_and" 2 ToBool "Whether both operands are true.";
    LogicalOr "logical_or" 2 ToBool "Whether any operand is true.";
    LogicalXor "logical_xor" 2 ToBool "Whether exactly one operand is true.";
    Equal "equal" 2 ToBool "Whether the operands are equal.";
    NotEqual "not_equal" 2 ToBool "Whether the operands differ.";
    Less "less" 2 ToBool "Whether the first operand is smaller.";
    LessEqual "less_equal" 2 ToBool "Whether the first operand is smaller or equal.";
    Greater "greater" 2 ToBool "Whether the first operand is larger.";
    GreaterEqual "greater_equal" 2 ToBool "Whether the first operand is larger or equal.";
    Ldexp "ldexp" 2 FloatAndInteger "First operand times two to the power of the second.";

    Negative "negative" 1 Number "Numerical negative.";
    Positive "positive" 1 Number "The operand itself.";
    Absolute "absolute" 1 RealPart "Absolute value; the modulus for complex.";
    Fabs "fabs" 1 Floating "Absolute value as a float.";
    Sign "sign" 1 Number "Sign; z / |z| for complex.";
    Signbit "signbit" 1 RealToBool "Whether the sign bit is set.";
    Square "square" 1 NumberWidened "The operand times itself.";
    Sqrt "sqrt" 1 Inexact "Square root.";
    Rsqrt "rsqrt" 1 Floating "Reciprocal of the square root.";
    Cbrt "cbrt" 1 Floating "Cube root.";
    Reciprocal "reciprocal" 1 ReciprocalLike "One divided by the operand.";
    Exp "exp" 1 Inexact "Exponential.";
    Exp2 "exp2" 1 Inexact "Two to the power of the operand.";
    Expm1 "expm1" 1 Inexact "Exponential minus one, accurate near zero.";
    Log "log" 1 Inexact "Natural logarithm.";
    Log2 "log2" 1 Inexact "Logarithm to base 2.";
    Log10 "log10" 1 Inexact "Logarithm to base 10.";
    Log1p "log1p" 1 Inexact "Logarithm of one plus the operand, accurate near zero.";
    Sin "sin" 1 Inexact "Sine.";
    Cos "cos" 1 Inexact "Cosine.";
    Tan "tan" 1 Inexact "Tangent.";
    Arcsin "arcsin" 1 Inexact "Inverse sine.";
    Arccos "arccos" 1 Inexact "Inverse cosine.";
    Arctan "arctan" 1 Inexact "Inverse tangent.";
    Sinh "sinh" 1 Inexact "Hyperbolic sine.";
    Cosh "cosh" 1 Inexact "Hyperbolic cosine.";
    Tanh "tanh" 1 Inexact "Hyperbolic tangent.";
    Arcsinh "arcsinh" 1 Inexact "Inverse hyperbolic sine.";
    Arccosh "arccosh" 1 Inexact "Inverse hyperbolic cosine.";
    Arctanh "arctanh" 1 Inexact "Inverse hyperbolic tangent.";
    Floor "floor" 1 Real "Largest integer not above the operand.";
    Ceil "ceil" 1 Real "Smallest integer not below the operand.";
    Trunc "trunc" 1 Real "The operand without its fraction.";
    Rint "rint" 1 RintLike "Nearest integer, ties to even.";
    Isnan "isnan" 1 ToBool "Whether the operand is not a number.";
    Isinf "isinf" 1 ToBool "Whether the operand is infinite.";
    Isfinite "isfinite" 1 ToBool "Whether the operand is finite.";
    Conjugate "conjugate" 1 NumberWidened "Complex conjugate.";
    Real "real" 1 RealPart "Real part.";
    Imag "imag" 1 RealPart "Imaginary part.";
    Angle "angle" 1 Angle "Argument of a complex number, in radians.";
    Proj "proj" 1 ToComplex "Projection onto the Riemann sphere.";
    Invert "invert" 1 Bits "Bits inverted; logical not for bool.";
    LogicalNot "logical_not" 1 ToBool "Whether the operand is false.";
    BitwiseCount "bitwise_count" 1 BitCount "How many bits of the magnitude are set.";
    Deg2rad "deg2rad" 1 Floating "Degrees to radians.";
    Rad2deg "rad2deg" 1 Floating "Radians to degrees.";
    Spacing "spacing" 1 Floating "Distance to the next representable number.";
    ModfFraction "modf_fraction" 1 Floating "Fractional part, first of the pair modf.";
    ModfInteger "modf_integer" 1 Floating "Integral part, second of the pair modf.";
    FrexpMantissa "frexp_mantissa" 1 Floating "Mantissa in [0.5, 1), first of the pair frexp.";
    FrexpExponent "frexp_exponent" 1 FloatingToInt32 "Exponent of two, second of the pair frexp.";
    I0 "i0" 1 BesselLike "Modified Bessel function of the first kind, order 0.";
    Sinc "sinc" 1 SincLike "sin(pi x) / (pi x).";
    Erf "erf" 1 Floating "Error function.";
    Erfc "erfc" 1 Floating "One minus the error function.";
    Erfcx "erfcx" 1 Floating "Scaled complement of the error function.";
    Erfinv "erfinv" 1 Floating "Inverse of the error function.";
    Erfcinv "erfcinv" 1 Floating "Inverse of the complement of the error function.";

    Where "where" 3 Select "Second operand where the first is true, third elsewhere.";
    Clip "clip" 3 Any "First operand kept between the second and the third.";
}
