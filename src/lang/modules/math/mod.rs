//! `math`: the functions of real numbers, with CPython's results and errors.
//!
//! `integers` has the exact functions of whole numbers, `sums` the accurately rounded sums and lengths, `gamma` the gamma functions;
//! this file has the rest and the table.

mod gamma;
mod integers;
mod sums;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed, ToPrimitive};

use super::support::{exact_int, new_module, set, unwrap_payload};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::{Fallible, Raised, overflow_error, type_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `math domain error`
pub(super) fn domain_error() -> Raised {
    value_error("math domain error")
}

/// `math range error`
pub(super) fn range_error() -> Raised {
    overflow_error("math range error")
}

/// Builds the module.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    let module = new_module(
        "math",
        "This module provides access to the mathematical functions\ndefined by the C standard.",
        FUNCTIONS,
    );
    for (row, (name, doc, ..)) in UNARY.iter().enumerate() {
        let function = method(name, "(x, /)", doc, unary).with_row(row).build(None, Some(module.name));
        set(&module, name, Value::Native(function));
    }
    set(&module, "pi", std::f64::consts::PI);
    set(&module, "e", std::f64::consts::E);
    set(&module, "tau", std::f64::consts::TAU);
    set(&module, "inf", f64::INFINITY);
    set(&module, "nan", f64::NAN);
    Ok(module)
}

/// A function of one float: name, documentation, what computes it, whether an infinite result is an overflow.
type UnaryRow = (&'static str, &'static str, fn(f64) -> f64, bool);

const UNARY: &[UnaryRow] = &[
    ("acos", "Return the arc cosine (measured in radians) of x.\n\nThe result is between 0 and pi.", f64::acos, false),
    ("acosh", "Return the inverse hyperbolic cosine of x.", libm::acosh, false),
    (
        "asin",
        "Return the arc sine (measured in radians) of x.\n\nThe result is between -pi/2 and pi/2.",
        f64::asin,
        false,
    ),
    ("asinh", "Return the inverse hyperbolic sine of x.", libm::asinh, false),
    (
        "atan",
        "Return the arc tangent (measured in radians) of x.\n\nThe result is between -pi/2 and pi/2.",
        f64::atan,
        false,
    ),
    ("atanh", "Return the inverse hyperbolic tangent of x.", libm::atanh, false),
    ("cbrt", "Return the cube root of x.", f64::cbrt, false),
    ("cos", "Return the cosine of x (measured in radians).", f64::cos, false),
    ("cosh", "Return the hyperbolic cosine of x.", f64::cosh, true),
    ("degrees", "Convert angle x from radians to degrees.", |x| x * (180.0 / std::f64::consts::PI), true),
    ("erf", "Error function at x.", libm::erf, false),
    ("erfc", "Complementary error function at x.", libm::erfc, false),
    ("exp", "Return e raised to the power of x.", f64::exp, true),
    ("exp2", "Return 2 raised to the power of x.", f64::exp2, true),
    (
        "expm1",
        "Return exp(x)-1.\n\nThis function avoids the loss of precision involved in the direct evaluation of exp(x)-1 for small x.",
        f64::exp_m1,
        true,
    ),
    ("fabs", "Return the absolute value of the float x.", f64::abs, false),
    ("gamma", "Gamma function at x.", gamma::gamma, true),
    ("lgamma", "Natural logarithm of absolute value of Gamma function at x.", gamma::ln_gamma, true),
    (
        "log1p",
        "Return the natural logarithm of 1+x (base e).\n\nThe result is computed in a way which is accurate for x near zero.",
        f64::ln_1p,
        false,
    ),
    ("radians", "Convert angle x from degrees to radians.", |x| x * (std::f64::consts::PI / 180.0), false),
    ("sin", "Return the sine of x (measured in radians).", f64::sin, false),
    ("sinh", "Return the hyperbolic sine of x.", f64::sinh, true),
    ("sqrt", "Return the square root of x.", f64::sqrt, false),
    ("tan", "Return the tangent of x (measured in radians).", f64::tan, false),
    ("tanh", "Return the hyperbolic tangent of x.", f64::tanh, false),
];

fn unary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let x = match args.peek(vm, 0) {
        Value::Float(x) => *x,
        _ => {
            let value = args.get(vm, 0);
            vm.float(&value)?
        }
    };
    let (name, _, function, may_overflow) = UNARY[args.row];
    let result = function(x);
    if result.is_nan() && !x.is_nan() {
        return Err(domain_error());
    }
    if result.is_infinite() && x.is_finite() {
        // A pole of the gamma functions is outside their domain, not beyond their range.
        let is_pole = matches!(name, "gamma" | "lgamma") && x == x.floor() && x <= 0.0;
        return Err(if may_overflow && !is_pole { range_error() } else { domain_error() });
    }
    Ok(Value::Float(result))
}

const FUNCTIONS: &[Method] = &[
    method("atan2", "(y, x, /)", "Return the arc tangent (measured in radians) of y/x.\n\nUnlike atan(y/x), the signs of both x and y are considered.", binary).with_row(0),
    method("copysign", "(x, y, /)", "Return a float with the magnitude (absolute value) of x but the sign of y.", binary).with_row(1),
    method("fmod", "(x, y, /)", "Return fmod(x, y), according to platform C.\n\nx % y may differ.", binary).with_row(2),
    method("pow", "(x, y, /)", "Return x**y (x to the power of y).", binary).with_row(3),
    method("remainder", "(x, y, /)", "Difference between x and the closest integer multiple of y.", binary).with_row(4),
    method("nextafter", "(x, y, /)", "Return the next floating-point value after x towards y.", binary).with_row(5),
    method("ulp", "(x, /)", "Return the value of the least significant bit of the float x.", ulp),
    method("isfinite", "(x, /)", "Return True if x is neither an infinity nor a NaN, and False otherwise.", is_finite),
    method("isinf", "(x, /)", "Return True if x is a positive or negative infinity, and False otherwise.", is_infinite),
    method("isnan", "(x, /)", "Return True if x is a NaN (not a number), and False otherwise.", is_nan),
    method("isclose", "(a, b, *, rel_tol=1e-09, abs_tol=0.0)", "Determine whether two floating point numbers are close in value.", is_close),
    method("floor", "(x, /)", "Return the floor of x as an Integral.\n\nThis is the largest integer <= x.", round_to_int).with_row(0),
    method("ceil", "(x, /)", "Return the ceiling of x as an Integral.\n\nThis is the smallest integer >= x.", round_to_int).with_row(1),
    method("trunc", "(x, /)", "Truncates the Real x to the nearest Integral toward 0.", round_to_int).with_row(2),
    method("frexp", "(x, /)", "Return the mantissa and exponent of x, as pair (m, e).", frexp),
    method("ldexp", "(x, i, /)", "Return x * (2**i).\n\nThis is essentially the inverse of frexp().", ldexp),
    method("modf", "(x, /)", "Return the fractional and integer parts of x.", modf),
    method("log", "(x, base=None, /)", "Return the logarithm of x to the given base.\n\nIf the base is not specified, returns the natural logarithm (base e) of x.", log),
    method("log2", "(x, /)", "Return the base 2 logarithm of x.", |vm, args| log_of(vm, &args.get(vm, 0), f64::log2).map(Value::Float)),
    method("log10", "(x, /)", "Return the base 10 logarithm of x.", |vm, args| log_of(vm, &args.get(vm, 0), f64::log10).map(Value::Float)),
    method("factorial", "(n, /)", "Find n!.\n\nRaise a ValueError if x is negative or non-integral.", integers::factorial),
    method("gcd", "(*integers)", "Greatest Common Divisor.", integers::gcd),
    method("lcm", "(*integers)", "Least Common Multiple.", integers::lcm),
    method("comb", "(n, k, /)", "Number of ways to choose k items from n items without repetition and without order.", integers::comb),
    method("perm", "(n, k=None, /)", "Number of ways to choose k items from n items without repetition and with order.", integers::perm),
    method("isqrt", "(n, /)", "Return the integer part of the square root of the input.", integers::isqrt),
    method("fsum", "(seq, /)", "Return an accurate floating point sum of values in the iterable seq.\n\nAssumes IEEE-754 floating point arithmetic.", sums::fsum),
    method("prod", "(iterable, /, *, start=1)", "Calculate the product of all the elements in the input iterable.", sums::prod),
    method("hypot", "(*coordinates)", "Multidimensional Euclidean distance from the origin to a point.", sums::hypot),
    method("dist", "(p, q, /)", "Return the Euclidean distance between two points p and q.", sums::dist),
];

/// Parameter `index` as a float, or `must be real number, not str`.
pub(super) fn float_argument(vm: &mut Vm, args: Args, index: usize) -> Fallible<f64> {
    let value = args.get(vm, index);
    vm.float(&value)
}

fn binary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (x, y) = (float_argument(vm, args, 0)?, float_argument(vm, args, 1)?);
    let result = match args.row {
        0 => x.atan2(y),
        1 => x.copysign(y),
        2 => x % y,
        3 => return power(x, y).map(Value::Float),
        4 => remainder(x, y),
        _ => next_after(x, y),
    };
    if result.is_nan() && !x.is_nan() && !y.is_nan() {
        return Err(domain_error());
    }
    Ok(Value::Float(result))
}

fn power(x: f64, y: f64) -> Fallible<f64> {
    let result = x.powf(y);
    if x.is_finite() && y.is_finite() {
        if result.is_nan() || (result.is_infinite() && x == 0.0) {
            return Err(domain_error());
        }
        if result.is_infinite() {
            return Err(range_error());
        }
    }
    Ok(result)
}

/// IEEE 754 remainder: the quotient is rounded to the nearest integer, ties to even.
pub(super) fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return x + y;
    }
    if x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let (magnitude, divisor) = (x.abs(), y.abs());
    let rest = magnitude % divisor;
    let other = divisor - rest;
    let result = if rest < other {
        rest
    } else if rest > other {
        -other
    } else {
        // Half way: `rest` when the quotient that truncation gave is even, else its negative.
        rest - 2.0 * ((0.5 * (magnitude - rest)) % divisor)
    };
    1.0_f64.copysign(x) * result
}

fn next_after(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        x + y
    } else if x == y {
        y
    } else if x < y {
        x.next_up()
    } else {
        x.next_down()
    }
}

fn ulp(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let x = float_argument(vm, args, 0)?.abs();
    if !x.is_finite() {
        return Ok(Value::Float(x));
    }
    let next = x.next_up();
    Ok(Value::Float(if next.is_infinite() { x - x.next_down() } else { next - x }))
}

fn is_finite(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(float_argument(vm, args, 0)?.is_finite().into())
}

fn is_infinite(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(float_argument(vm, args, 0)?.is_infinite().into())
}

fn is_nan(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(float_argument(vm, args, 0)?.is_nan().into())
}

fn is_close(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (float_argument(vm, args, 0)?, float_argument(vm, args, 1)?);
    let relative = if args.peek(vm, 2).is_unset() { 1e-9 } else { float_argument(vm, args, 2)? };
    let absolute = if args.peek(vm, 3).is_unset() { 0.0 } else { float_argument(vm, args, 3)? };
    close(a, b, relative, absolute, (a - b).abs(), a.is_infinite() || b.is_infinite(), a.abs(), b.abs())
}

/// The rule of `isclose`, for real and complex numbers alike.
#[allow(clippy::too_many_arguments, clippy::float_cmp)]
pub(super) fn close<T: PartialEq>(
    a: T,
    b: T,
    relative: f64,
    absolute: f64,
    difference: f64,
    any_infinite: bool,
    a_size: f64,
    b_size: f64,
) -> Fallible<Value> {
    if relative < 0.0 || absolute < 0.0 {
        return Err(value_error("tolerances must be non-negative"));
    }
    if a == b {
        return Ok(true.into());
    }
    if any_infinite {
        return Ok(false.into());
    }
    Ok((difference <= relative * b_size || difference <= relative * a_size || difference <= absolute).into())
}

/// The integer nearest below, above or towards zero of a float.
pub(super) fn float_to_int(x: f64) -> Fallible<Value> {
    if x.is_nan() {
        return Err(value_error("cannot convert float NaN to integer"));
    }
    match BigInt::from_f64(x) {
        Some(number) => Ok(Value::int(number)),
        None => Err(overflow_error("cannot convert float infinity to integer")),
    }
}

fn round_to_int(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let round: fn(f64) -> f64 = [f64::floor, f64::ceil, f64::trunc][args.row];
    match &value {
        Value::Int(_) | Value::Big(_) => return Ok(value),
        Value::Bool(truth) => return Ok(Value::Int((*truth).into())),
        Value::Float(x) => return float_to_int(round(*x)),
        _ => {}
    }
    let special = [names::FLOOR, names::CEIL, names::TRUNC][args.row];
    if let Some(method) = vm.find_special(&value, special) {
        return vm.call(&method, &[]);
    }
    match (unwrap_payload(&value), args.row) {
        (Value::Float(x), _) => float_to_int(round(x)),
        (number @ (Value::Int(_) | Value::Big(_)), _) => Ok(number),
        (_, 2) => Err(type_error(format!("type {} doesn't define __trunc__ method", value.type_name()))),
        _ => float_to_int(round(vm.float(&value)?)),
    }
}

fn frexp(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let x = float_argument(vm, args, 0)?;
    let (mantissa, exponent) = if x.is_finite() && x != 0.0 { libm::frexp(x) } else { (x, 0) };
    Ok(Value::tuple([Value::Float(mantissa), Value::Int(exponent.into())]))
}

fn ldexp(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let x = float_argument(vm, args, 0)?;
    let Some(exponent) = exact_int(&unwrap_payload(args.peek(vm, 1))) else {
        return Err(type_error("Expected an int as second argument to ldexp."));
    };
    if x == 0.0 || !x.is_finite() {
        return Ok(Value::Float(x));
    }
    let clamped = exponent.to_i32().unwrap_or(if exponent.is_negative() { i32::MIN } else { i32::MAX });
    let result = if clamped < -3000 { 0.0_f64.copysign(x) } else { libm::ldexp(x, clamped.min(3000)) };
    if result.is_infinite() { Err(range_error()) } else { Ok(Value::Float(result)) }
}

fn modf(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let x = float_argument(vm, args, 0)?;
    let whole = x.trunc();
    let fraction = if x.is_infinite() { 0.0_f64.copysign(x) } else { (x - whole).copysign(x) };
    Ok(Value::tuple([Value::Float(if x.is_nan() { x } else { fraction }), Value::Float(whole)]))
}

/// A logarithm of a number of any size: an int too large for a float is split into mantissa and exponent.
fn log_of(vm: &mut Vm, value: &Value, function: fn(f64) -> f64) -> Fallible<f64> {
    let value = unwrap_payload(value);
    if let Some(number) = exact_int(&value) {
        if !number.is_positive() {
            return Err(domain_error());
        }
        return Ok(match number.to_f64() {
            Some(x) if x.is_finite() => function(x),
            _ => {
                let (mantissa, exponent) = integers::split(&number);
                function(mantissa) + function(2.0) * exponent
            }
        });
    }
    let x = vm.float(&value)?;
    if x <= 0.0 { Err(domain_error()) } else { Ok(function(x)) }
}

fn log(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let numerator = log_of(vm, &args.get(vm, 0), f64::ln)?;
    let Some(base) = args.optional(vm, 1) else {
        return Ok(Value::Float(numerator));
    };
    let denominator = log_of(vm, &base, f64::ln)?;
    if denominator == 0.0 {
        return Err(crate::lang::raise::zero_division_error("float division by zero"));
    }
    Ok(Value::Float(numerator / denominator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remainder_rounds_the_quotient_to_even() {
        assert_eq!(remainder(5.0, 2.0), 1.0);
        assert_eq!(remainder(7.0, 2.0), -1.0);
        assert_eq!(remainder(-5.0, 2.0), -1.0);
        assert_eq!(remainder(3.5, f64::INFINITY), 3.5);
        assert!(remainder(1.0, 0.0).is_nan());
    }

    #[test]
    fn powers_outside_the_domain_or_range_raise() {
        assert!(power(-8.0, 1.0 / 3.0).is_err());
        assert!(power(0.0, -1.0).is_err());
        assert!(power(1e200, 2.0).is_err());
        assert_eq!(power(f64::INFINITY, -1.0).expect("in range"), 0.0);
    }

    #[test]
    fn floats_convert_to_integers_exactly() {
        assert!(matches!(float_to_int(-3.0), Ok(Value::Int(-3))));
        assert!(matches!(float_to_int(1e300), Ok(Value::Big(_))));
        assert!(float_to_int(f64::NAN).is_err());
        assert!(float_to_int(f64::INFINITY).is_err());
    }
}
