//! Arithmetic of doubles with Python's rules for signs, zero and overflow.

use crate::lang::builtins::classes::Builtin;
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;

/// `divmod(a, b)` of doubles; `b` is not zero.
pub fn divide_floor_modulo(a: f64, b: f64) -> (f64, f64) {
    let mut rest = a % b;
    let mut quotient = (a - rest) / b;
    if rest == 0.0 {
        rest = 0f64.copysign(b);
    } else if (b < 0.0) != (rest < 0.0) {
        rest += b;
        quotient -= 1.0;
    }
    let floor = if quotient == 0.0 {
        0f64.copysign(a / b)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    };
    (floor, rest)
}

/// `a % b`; `b` is not zero.
#[inline]
pub fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 {
        0f64.copysign(b)
    } else if (b < 0.0) != (rest < 0.0) {
        rest + b
    } else {
        rest
    }
}

/// The result of a real power: a negative base with a fractional exponent leaves the real line.
#[derive(Debug, PartialEq)]
pub enum Power {
    /// A real result.
    Real(f64),
    /// The caller computes it in the complex plane.
    Complex,
}

/// `a ** b`.
pub fn power(a: f64, b: f64) -> Fallible<Power> {
    if a == 0.0 && b < 0.0 {
        return Err(raise::zero_division_error("0.0 cannot be raised to a negative power"));
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b != b.floor() {
        return Ok(Power::Complex);
    }
    let result = a.powf(b);
    if result.is_infinite() && a.is_finite() && b.is_finite() {
        return Err(out_of_range());
    }
    Ok(Power::Real(result))
}

/// `OverflowError: (34, 'Numerical result out of range')`.
#[cold]
pub fn out_of_range() -> Raised {
    Raised::with_args(Builtin::OverflowError, vec![Value::Int(34), Value::str("Numerical result out of range")])
}

/// `round(value)` to the nearest integer, ties to even.
pub fn round_half_even(value: f64) -> f64 {
    value.round_ties_even()
}

/// `round(value, digits)`: correctly rounded in decimal, as CPython does with its own conversions.
pub fn round_to_digits(value: f64, digits: i64) -> f64 {
    if !value.is_finite() || value == 0.0 || digits > 323 {
        return value;
    }
    if digits >= 0 {
        let text = format!("{value:.*}", digits as usize);
        return text.parse().unwrap_or(value);
    }
    if digits < -309 {
        return 0f64.copysign(value);
    }
    // Digits before the point: the whole part is exact; a fraction only breaks ties.
    let whole = super::integer::from_f64(value.abs()).unwrap_or_default();
    let unit = num_bigint::BigInt::from(10).pow(digits.unsigned_abs() as u32);
    let doubled = &whole * 2 % (&unit * 2);
    let tie_broken = doubled == unit && value.abs().fract() != 0.0;
    let rounded = if tie_broken {
        (&whole / &unit + 1) * &unit
    } else {
        super::integer::round_to_tens(&whole, digits.unsigned_abs() as u32)
    };
    super::integer::to_f64(&rounded).unwrap_or(f64::INFINITY).copysign(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_keeps_the_sign_of_zero() {
        assert_eq!(divide_floor_modulo(7.5, 2.0), (3.0, 1.5));
        assert_eq!(divide_floor_modulo(-7.5, 2.0), (-4.0, 0.5));
        assert_eq!(divide_floor_modulo(7.5, -2.0), (-4.0, -0.5));
        let (quotient, rest) = divide_floor_modulo(-0.0, 3.0);
        assert!(quotient == 0.0 && quotient.is_sign_negative() && rest == 0.0 && rest.is_sign_positive());
        assert_eq!(divide_floor_modulo(1.0, f64::INFINITY), (0.0, 1.0));
        assert_eq!(divide_floor_modulo(-1.0, f64::INFINITY), (-1.0, f64::INFINITY));
    }

    #[test]
    fn rounding_is_decimal_and_half_even() {
        assert_eq!(round_to_digits(2.675, 2), 2.67);
        assert_eq!(round_to_digits(0.125, 2), 0.12);
        assert_eq!(round_to_digits(0.375, 2), 0.38);
        assert_eq!(round_to_digits(1250.0, -2), 1200.0);
        assert_eq!(round_to_digits(1250.5, -2), 1300.0);
        assert_eq!(round_to_digits(-1350.0, -2), -1400.0);
        assert_eq!(round_to_digits(5e300, -301), 1e301);
        assert_eq!(round_half_even(2.5), 2.0);
        assert_eq!(round_half_even(-1.5), -2.0);
    }

    #[test]
    fn powers_leave_the_real_line_or_overflow() {
        assert_eq!(power(-8.0, 1.0 / 3.0).unwrap(), Power::Complex);
        assert_eq!(power(-2.0, 3.0).unwrap(), Power::Real(-8.0));
        assert!(power(10.0, 400.0).is_err());
        assert!(power(0.0, -1.0).is_err());
        assert_eq!(power(f64::INFINITY, -1.0).unwrap(), Power::Real(0.0));
    }
}
