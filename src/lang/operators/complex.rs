//! Arithmetic of complex numbers as CPython's `complexobject.c` defines it.

use crate::lang::raise::{self, Fallible};

/// Real and imaginary part.
pub type Pair = (f64, f64);

/// `a * b`.
pub fn multiply((a, b): Pair, (c, d): Pair) -> Pair {
    (a * c - b * d, a * d + b * c)
}

/// `a / b` by Smith's method.
pub fn divide((a, b): Pair, (c, d): Pair) -> Fallible<Pair> {
    if c == 0.0 && d == 0.0 {
        return Err(raise::zero_division_error("complex division by zero"));
    }
    Ok(if c.abs() >= d.abs() {
        let ratio = d / c;
        let denominator = c + d * ratio;
        ((a + b * ratio) / denominator, (b - a * ratio) / denominator)
    } else if d.abs() >= c.abs() {
        let ratio = c / d;
        let denominator = c * ratio + d;
        ((a * ratio + b) / denominator, (b * ratio - a) / denominator)
    } else {
        (f64::NAN, f64::NAN)
    })
}

/// `a ** b`.
pub fn power(a: Pair, b: Pair) -> Fallible<Pair> {
    let result = if b.1 == 0.0 && b.0 == b.0.floor() && b.0.abs() <= 100.0 {
        power_integer(a, b.0 as i32)?
    } else {
        power_general(a, b)?
    };
    if (result.0.is_infinite() || result.1.is_infinite()) && is_finite(a) && is_finite(b) {
        return Err(raise::overflow_error("complex exponentiation"));
    }
    Ok(result)
}

fn is_finite(value: Pair) -> bool {
    value.0.is_finite() && value.1.is_finite()
}

fn power_integer(base: Pair, exponent: i32) -> Fallible<Pair> {
    let mut result = (1.0, 0.0);
    let mut square = base;
    let mut rest = exponent.unsigned_abs();
    while rest > 0 {
        if rest & 1 == 1 {
            result = multiply(result, square);
        }
        square = multiply(square, square);
        rest >>= 1;
    }
    if exponent >= 0 {
        return Ok(result);
    }
    divide((1.0, 0.0), result).map_err(|_| negative_power())
}

fn negative_power() -> raise::Raised {
    raise::zero_division_error("0.0 to a negative or complex power")
}

fn power_general(a: Pair, b: Pair) -> Fallible<Pair> {
    if b == (0.0, 0.0) {
        return Ok((1.0, 0.0));
    }
    if a == (0.0, 0.0) {
        return if b.1 != 0.0 || b.0 < 0.0 { Err(negative_power()) } else { Ok((0.0, 0.0)) };
    }
    let absolute = a.0.hypot(a.1);
    let mut length = absolute.powf(b.0);
    let angle = a.1.atan2(a.0);
    let mut phase = angle * b.0;
    if b.1 != 0.0 {
        length *= (-angle * b.1).exp();
        phase += b.1 * absolute.ln();
    }
    Ok((length * phase.cos(), length * phase.sin()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_matches_cpython() {
        assert_eq!(multiply((1.0, 2.0), (3.0, -1.0)), (5.0, 5.0));
        assert_eq!(divide((5.0, 5.0), (3.0, -1.0)).unwrap(), (1.0, 1.999_999_999_999_999_8));
        assert_eq!(power((0.0, 1.0), (2.0, 0.0)).unwrap(), (-1.0, 0.0));
        assert_eq!(power((1.0, 2.0), (-1.0, 0.0)).unwrap(), (0.2, -0.4));
        let root = power((-1.0, 0.0), (0.5, 0.0)).unwrap();
        assert!(root.0.abs() < 1e-15 && (root.1 - 1.0).abs() < 1e-15);
        assert!(power((0.0, 0.0), (0.0, 1.0)).is_err());
        assert!(divide((1.0, 0.0), (0.0, 0.0)).is_err());
    }
}
