//! Decimal digits of one floating-point number: the shortest that identify it, or correctly rounded ones up to a cutoff.
//!
//! This is what NumPy calls Dragon4; here the standard library's exact formatting does the arithmetic. It knows nothing of arrays.

use half::f16;

/// Which floating-point type a value printed as `f64` came from; it decides how many digits identify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatWidth {
    /// A float16.
    Half,
    /// A float32.
    Single,
    /// A float64.
    Double,
}

/// What happens to trailing zeros and to the decimal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trim {
    /// Keep zeros up to the asked number of digits.
    Keep,
    /// Remove zeros, keep the point.
    KeepPoint,
    /// Remove zeros except one after the point.
    KeepOneZero,
    /// Remove zeros and the point.
    All,
}

/// How to write one number; the fields are the arguments of `numpy.format_float_positional` and `..._scientific`.
#[derive(Clone, Copy, Debug)]
pub struct DigitStyle {
    /// Most digits after the point.
    pub precision: Option<usize>,
    /// Fewest digits after the point (with `unique`).
    pub min_digits: Option<usize>,
    /// Stop at the shortest digits that identify the value.
    pub unique: bool,
    /// What happens to trailing zeros.
    pub trim: Trim,
    /// Write `+` before positive numbers.
    pub plus: bool,
    /// Pad with blanks to this many characters left of the point.
    pub pad_left: usize,
    /// Pad with blanks to this many characters right of the point (positional only).
    pub pad_right: usize,
    /// Pad the exponent with zeros to this many digits.
    pub exponent_digits: usize,
}

impl DigitStyle {
    /// The style in which a lone scalar prints.
    pub fn shortest(trim: Trim) -> Self {
        DigitStyle {
            precision: None,
            min_digits: None,
            unique: true,
            trim,
            plus: false,
            pad_left: 0,
            pad_right: 0,
            exponent_digits: 2,
        }
    }
}

/// The shortest digits of a finite non-negative value and the exponent of the first one: `digits[0].digits[1..] * 10^exponent`.
fn shortest_digits(magnitude: f64, width: FloatWidth) -> (Vec<u8>, i32) {
    let text = match width {
        FloatWidth::Double => format!("{magnitude:e}"),
        FloatWidth::Single => format!("{:e}", magnitude as f32),
        FloatWidth::Half => shortest_half(magnitude),
    };
    // Where two shortest texts are equally near, the standard library takes the larger, NumPy the even one.
    let shortest = split_scientific(&text);
    let places = shortest.0.len() - 1;
    let rounded = format!("{magnitude:.places$e}");
    let identifies = match width {
        FloatWidth::Double => rounded.parse() == Ok(magnitude),
        FloatWidth::Single => rounded.parse() == Ok(magnitude as f32),
        FloatWidth::Half => false,
    };
    if identifies { split_scientific(&rounded) } else { shortest }
}

/// Takes `1.25e-7` apart.
fn split_scientific(text: &str) -> (Vec<u8>, i32) {
    let (mantissa, exponent) = text.split_once('e').expect("the `e` format always writes an exponent");
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    (digits, exponent.parse().expect("the `e` format writes a decimal exponent"))
}

/// The standard library has no shortest digits for float16: try one digit more until the text reads back as the same value.
fn shortest_half(magnitude: f64) -> String {
    let target = f16::from_f64(magnitude);
    let reads_back = |text: &str| text.parse::<f64>().is_ok_and(|value| f16::from_f64(value) == target);
    for places in 0..8 {
        let nearest = format!("{magnitude:.places$e}");
        if reads_back(&nearest) {
            return nearest;
        }
        // Below a power of two the lower neighbour is nearer, so the next number up may identify the value where the nearest does not.
        let (mut digits, exponent) = split_scientific(&nearest);
        if let Some(last) = digits.last_mut().filter(|last| **last < b'9') {
            *last += 1;
            let digits = String::from_utf8_lossy(&digits).into_owned();
            let above = format!("{}.{}e{exponent}", &digits[..1], &digits[1..]);
            if reads_back(&above) {
                return above;
            }
        }
    }
    format!("{magnitude:e}")
}

/// Writes a finite number in positional notation.
pub fn positional(value: f64, width: FloatWidth, style: &DigitStyle) -> String {
    let magnitude = value.abs();
    let (whole, mut fraction) = positional_parts(magnitude, width, style);
    let keep = match style.trim {
        Trim::Keep => style.if_unique(style.min_digits, style.precision).unwrap_or(0).max(fraction.len()),
        Trim::KeepPoint | Trim::KeepOneZero | Trim::All => 0,
    };
    trim_fraction(&mut fraction, keep, style.trim);
    let mut text = String::new();
    push_sign(&mut text, value, style.plus);
    text.push_str(&whole);
    let padding_left = style.pad_left.saturating_sub(text.len());
    let point = !(style.trim == Trim::All && fraction.is_empty());
    if point {
        text.push('.');
    }
    text.push_str(&fraction);
    if style.pad_right >= fraction.len() {
        if !point && style.pad_right > 0 {
            text.push(' ');
        }
        text.extend(std::iter::repeat_n(' ', style.pad_right - fraction.len()));
    }
    " ".repeat(padding_left) + &text
}

/// Writes a finite number in scientific notation.
pub fn scientific(value: f64, width: FloatWidth, style: &DigitStyle) -> String {
    let magnitude = value.abs();
    let (mut digits, mut exponent) = shortest_digits(magnitude, width);
    let places = digits.len() - 1;
    let rounded = if !style.unique {
        Some(style.precision.unwrap_or(places))
    } else if style.precision.is_some_and(|precision| places > precision) {
        style.precision
    } else {
        style.min_digits.filter(|min_digits| places < *min_digits)
    };
    if let Some(places) = rounded {
        (digits, exponent) = split_scientific(&format!("{magnitude:.places$e}"));
    }
    let digits: String = digits.into_iter().map(char::from).collect();
    let (whole, fraction) = digits.split_at(1);
    let mut fraction = fraction.to_owned();
    let keep = match style.trim {
        Trim::Keep => style.if_unique(style.min_digits, style.precision).unwrap_or(0).max(fraction.len()),
        Trim::KeepPoint | Trim::KeepOneZero | Trim::All => 0,
    };
    trim_fraction(&mut fraction, keep, style.trim);
    let mut text = String::new();
    push_sign(&mut text, value, style.plus);
    text.push_str(whole);
    let padding_left = style.pad_left.saturating_sub(text.len());
    if !(style.trim == Trim::All && fraction.is_empty()) {
        text.push('.');
    }
    text.push_str(&fraction);
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:0width$}", exponent.abs(), width = style.exponent_digits));
    " ".repeat(padding_left) + &text
}

impl DigitStyle {
    fn if_unique<T>(&self, unique: T, other: T) -> T {
        if self.unique { unique } else { other }
    }
}

/// The digits before and after the point, rounded where the style cuts off.
fn positional_parts(magnitude: f64, width: FloatWidth, style: &DigitStyle) -> (String, String) {
    let (digits, exponent) = shortest_digits(magnitude, width);
    let places = usize::try_from(digits.len() as i32 - 1 - exponent).unwrap_or(0);
    let rounded = if !style.unique {
        Some(style.precision.unwrap_or(places))
    } else if style.precision.is_some_and(|precision| places > precision) {
        style.precision
    } else {
        style.min_digits.filter(|min_digits| places < *min_digits)
    };
    if let Some(places) = rounded {
        let text = format!("{magnitude:.places$}");
        return match text.split_once('.') {
            Some((whole, fraction)) => (whole.to_owned(), fraction.to_owned()),
            None => (text, String::new()),
        };
    }
    let digits: String = digits.into_iter().map(char::from).collect();
    let Ok(exponent_up) = usize::try_from(exponent) else {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return ("0".to_owned(), zeros + &digits);
    };
    if magnitude == 0.0 {
        return ("0".to_owned(), String::new());
    }
    let whole_len = exponent_up + 1;
    if digits.len() <= whole_len {
        let zeros = "0".repeat(whole_len - digits.len());
        (digits + &zeros, String::new())
    } else {
        let (whole, fraction) = digits.split_at(whole_len);
        (whole.to_owned(), fraction.to_owned())
    }
}

fn push_sign(text: &mut String, value: f64, plus: bool) {
    if value.is_sign_negative() {
        text.push('-');
    } else if plus {
        text.push('+');
    }
}

/// Pads with zeros to `keep` digits, or removes the zeros at the end as `trim` says.
fn trim_fraction(fraction: &mut String, keep: usize, trim: Trim) {
    match trim {
        Trim::Keep => fraction.extend(std::iter::repeat_n('0', keep.saturating_sub(fraction.len()))),
        Trim::KeepPoint | Trim::All => fraction.truncate(fraction.trim_end_matches('0').len()),
        Trim::KeepOneZero => {
            fraction.truncate(fraction.trim_end_matches('0').len());
            if fraction.is_empty() {
                fraction.push('0');
            }
        }
    }
}
