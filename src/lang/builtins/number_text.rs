//! Numbers as text and back: shortest float digits, integers in any base, the digit limit, complex parentheses.

use std::cell::Cell;

use num_bigint::{BigInt, Sign};
use num_traits::{Num, Zero};

use crate::lang::operators::decimal_text;
use crate::lang::raise::{self, Fallible};
use crate::lang::vm::Vm;

thread_local! {
    static DIGIT_LIMIT: Cell<usize> = const { Cell::new(4300) };
}

/// The most decimal digits a conversion between int and str may have; 0 is no limit (`sys.get_int_max_str_digits`).
pub fn digit_limit() -> usize {
    DIGIT_LIMIT.with(Cell::get)
}

/// Sets the limit (`sys.set_int_max_str_digits`).
pub fn set_digit_limit(limit: usize) {
    DIGIT_LIMIT.with(|cell| cell.set(limit));
}

/// What is said of a text with more decimal digits than the limit.
pub fn too_many_digits(limit: usize, digits: usize) -> String {
    format!(
        "Exceeds the limit ({limit} digits) for integer string conversion: value has {digits} digits; use sys.set_int_max_str_digits() to increase the limit"
    )
}

/// Decimal text of a wide integer, within the digit limit.
pub fn big_to_text(vm: &mut Vm, value: &BigInt) -> Fallible<String> {
    let limit = digit_limit();
    let message = || {
        raise::value_error(format!(
            "Exceeds the limit ({limit} digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit"
        ))
    };
    // log10(2) bounds the digits from below, so that a number far beyond the limit is never converted.
    if limit > 0 && (value.bits() as f64 * std::f64::consts::LOG10_2) as usize > limit + 1 {
        return Err(message());
    }
    let digits = decimal_text::to_text(vm, value.magnitude())?;
    if limit > 0 && digits.len() > limit {
        return Err(message());
    }
    Ok(if value.sign() == Sign::Minus { format!("-{digits}") } else { digits })
}

/// `repr(float)`: the shortest digits that read back the same.
pub fn float_repr(value: f64) -> String {
    if let Some(text) = not_finite(value) {
        return text.to_owned();
    }
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-4..1e16).contains(&magnitude) {
        let mut text = format!("{value}");
        if !text.contains('.') {
            text.push_str(".0");
        }
        return text;
    }
    exponent_form(&format!("{value:e}"))
}

/// `nan`, `inf` or `-inf`.
pub fn not_finite(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("nan")
    } else if value.is_infinite() {
        Some(if value > 0.0 { "inf" } else { "-inf" })
    } else {
        None
    }
}

/// Rust's `1e5`, `1.5e-7` as C's `1e+05`, `1.5e-07`.
pub fn exponent_form(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// `repr(complex)`.
pub fn complex_repr(re: f64, im: f64) -> String {
    let part = |value: f64| {
        let text = float_repr(value);
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    };
    if re == 0.0 && re.is_sign_positive() {
        return format!("{}j", part(im));
    }
    let imaginary = part(im);
    let sign = if imaginary.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{imaginary}j)", part(re))
}

/// `int(text, base)`: whitespace, sign, prefix and underscores as Python allows; nothing for what is no such number.
pub fn parse_int(vm: &mut Vm, text: &str, base: u32) -> Fallible<Option<BigInt>> {
    let trimmed = trim(text);
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let prefix_base = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => Some(16),
        Some("0o") => Some(8),
        Some("0b") => Some(2),
        _ => None,
    };
    let (base, digits, after_prefix) = match prefix_base {
        Some(found) if base == 0 || base == found => (found, &digits[2..], true),
        _ if base == 0 => {
            // `0` and `00` are numbers, `012` is not.
            if digits.starts_with('0') && digits.bytes().any(|b| b != b'0' && b != b'_') {
                return Ok(None);
            }
            (10, digits, false)
        }
        _ => (base, digits, false),
    };
    let digits = if after_prefix { digits.strip_prefix('_').unwrap_or(digits) } else { digits };
    let mut clean = String::with_capacity(digits.len() + 1);
    let mut previous_is_digit = false;
    for c in digits.chars() {
        if c == '_' {
            if !previous_is_digit {
                return Ok(None);
            }
            previous_is_digit = false;
        } else {
            let digit = if c.is_ascii() { c.to_digit(36) } else { super::unicode::decimal_digit(c) };
            match digit.filter(|digit| *digit < base) {
                Some(digit) => clean.push(char::from_digit(digit, 36).unwrap_or('0')),
                None => return Ok(None),
            }
            previous_is_digit = true;
        }
    }
    if !previous_is_digit {
        return Ok(None);
    }
    let limit = digit_limit();
    if limit > 0 && !base.is_power_of_two() && clean.len() > limit {
        return Err(raise::value_error(too_many_digits(limit, clean.len())));
    }
    let magnitude = match i64::from_str_radix(&clean, base) {
        Ok(small) => BigInt::from(small),
        Err(_) if base == 10 => match decimal_text::from_text(vm, &clean)? {
            Some(big) => big,
            None => return Ok(None),
        },
        Err(_) => match BigInt::from_str_radix(&clean, base) {
            Ok(big) => big,
            Err(_) => return Ok(None),
        },
    };
    Ok(Some(if negative && !magnitude.is_zero() { -magnitude } else { magnitude }))
}

/// Removes what Python counts as white space around a number.
fn trim(text: &str) -> &str {
    text.trim_matches(super::unicode::is_space)
}

/// `float(text)`; nothing for what is no float.
pub fn parse_float(text: &str) -> Option<f64> {
    let trimmed = trim(text);
    let mut clean = String::with_capacity(trimmed.len());
    let mut previous = ' ';
    let mut chars = trimmed.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '_' {
            // Underscores stand between digits only.
            if !previous.is_ascii_digit() || !chars.peek().is_some_and(char::is_ascii_digit) {
                return None;
            }
        } else if c.is_ascii() {
            clean.push(c);
        } else {
            clean.push(char::from_digit(super::unicode::decimal_digit(c)?, 10)?);
        }
        previous = c;
    }
    let unsigned = clean.trim_start_matches(['+', '-']);
    if clean.len() - unsigned.len() > 1 {
        return None;
    }
    let lower = unsigned.to_ascii_lowercase();
    let is_word = matches!(lower.as_str(), "inf" | "infinity" | "nan");
    if !is_word && !lower.bytes().next().is_some_and(|b| b.is_ascii_digit() || b == b'.') {
        return None;
    }
    if !is_word && !lower.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'+' | b'-')) {
        return None;
    }
    clean.parse().ok()
}

/// A NaN of its own: two that a program makes are two keys of a dict, as two objects are in CPython. What tells them apart is in
/// the bits that nothing else looks at; [`plain_nan`] takes it away where bits are written.
pub fn distinct_nan(negative: bool) -> f64 {
    thread_local! {
        static MADE: Cell<u32> = const { Cell::new(0) };
    }
    let number = MADE.with(|made| {
        made.set(made.get().wrapping_add(1));
        made.get()
    });
    let nan = f64::from_bits(f64::NAN.to_bits() | u64::from(number));
    if negative { -nan } else { nan }
}

/// The same number, without what tells one NaN from another.
pub fn plain_nan(number: f64) -> f64 {
    if number.is_nan() { f64::NAN.copysign(number) } else { number }
}

/// `complex(text)`; nothing for what is no complex number.
pub fn parse_complex(text: &str) -> Option<(f64, f64)> {
    let mut trimmed = trim(text);
    if let Some(inner) = trimmed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        trimmed = trim(inner);
    }
    let number = |part: &str| if part.chars().any(char::is_whitespace) { None } else { parse_float(part) };
    let Some(body) = trimmed.strip_suffix(['j', 'J']) else { return Some((number(trimmed)?, 0.0)) };
    // The imaginary part begins at the last sign that does not belong to an exponent.
    let bytes = body.as_bytes();
    let split = (1..bytes.len())
        .rev()
        .find(|&at| matches!(bytes[at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E'))
        .unwrap_or(0);
    let imaginary = match &body[split..] {
        "" | "+" => 1.0,
        "-" => -1.0,
        part => number(part)?,
    };
    let real = if split == 0 { 0.0 } else { number(&body[..split])? };
    Some((real, imaginary))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Vm {
        Vm::new(std::rc::Rc::new(crate::lang::host::SilentHost)).unwrap()
    }

    #[test]
    fn nans_that_are_made_differ_in_bits_only() {
        let (a, b) = (distinct_nan(false), distinct_nan(false));
        assert!(a.is_nan() && a.to_bits() != b.to_bits() && distinct_nan(true).is_sign_negative());
        assert_eq!(plain_nan(a).to_bits(), f64::NAN.to_bits());
    }

    #[test]
    fn floats_print_as_python_prints_them() {
        let cases = [
            (0.1, "0.1"),
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e16, "1e+16"),
            (9999999999999998.0, "9999999999999998.0"),
            (1e-4, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e100, "1e+100"),
            (123456789.125, "123456789.125"),
            (5e-324, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(float_repr(value), text);
        }
    }

    #[test]
    fn complex_numbers_print_as_python_prints_them() {
        assert_eq!(complex_repr(0.0, 1.0), "1j");
        assert_eq!(complex_repr(1.5, -2.0), "(1.5-2j)");
        assert_eq!(complex_repr(-0.0, 1.0), "(-0+1j)");
        assert_eq!(complex_repr(f64::NAN, f64::INFINITY), "(nan+infj)");
        assert_eq!(complex_repr(1e20, -0.0), "(1e+20-0j)");
    }

    #[test]
    fn integers_are_read_in_every_base() {
        let mut vm = machine();
        let mut read = |text: &str, base| parse_int(&mut vm, text, base).unwrap().map(|number| number.to_string());
        assert_eq!(read(" -12_3 ", 10).as_deref(), Some("-123"));
        assert_eq!(read("0x_ff", 0).as_deref(), Some("255"));
        assert_eq!(read("0b101", 2).as_deref(), Some("5"));
        assert_eq!(read("zz", 36).as_deref(), Some("1295"));
        assert_eq!(read("٣", 10).as_deref(), Some("3"));
        for (text, base) in
            [("", 10), ("1__2", 10), ("_1", 10), ("1_", 10), ("0x", 16), ("012", 0), ("9", 8), ("- 1", 10)]
        {
            assert_eq!(read(text, base), None, "{text:?} in base {base}");
        }
        assert!(parse_int(&mut machine(), &"1".repeat(4301), 10).is_err());
        assert!(big_to_text(&mut machine(), &BigInt::from(10).pow(4300)).is_err());
        assert!(big_to_text(&mut machine(), &BigInt::from(10).pow(4299)).is_ok());
    }

    #[test]
    fn floats_and_complex_numbers_are_read() {
        assert_eq!(parse_float(" 1_0.5e-1 "), Some(1.05));
        assert_eq!(parse_float("-Infinity"), Some(f64::NEG_INFINITY));
        assert_eq!(parse_float(".5"), Some(0.5));
        assert_eq!(parse_float("5."), Some(5.0));
        for text in ["", "1__0", "e5", "0x1", "--1", "1 2", "infx", "."] {
            assert_eq!(parse_float(text), None, "{text:?}");
        }
        assert_eq!(parse_complex("1+2j"), Some((1.0, 2.0)));
        assert_eq!(parse_complex("(-1e-3-j)"), Some((-1e-3, -1.0)));
        assert_eq!(parse_complex("3"), Some((3.0, 0.0)));
        assert_eq!(parse_complex("1 + 2j"), None);
    }
}
