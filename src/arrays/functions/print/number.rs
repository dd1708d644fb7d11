//! Formats for the numbers of one array, so that they align: widths, fixed or scientific, as NumPy chooses them.
//!
//! A format is built from all the values that will be shown and then applied to each. It knows nothing of brackets, lines or arrays.

use super::digits::{DigitStyle, FloatWidth, Trim, positional, scientific};
use super::options::{FloatMode, PrintOptions, SignMode};

/// The values that a print shows, in reading order.
#[derive(Clone, Debug)]
pub enum PrintedValues {
    /// Booleans.
    Bool(Vec<bool>),
    /// Integers of any width.
    Int(Vec<i128>),
    /// Real numbers.
    Float(Vec<f64>, FloatWidth),
    /// Complex numbers as pairs of parts.
    Complex(Vec<(f64, f64)>, FloatWidth),
}

/// Turns the values into aligned words. `zero_rank` says that they are the one element of a 0-d array.
pub fn words(values: &PrintedValues, zero_rank: bool, options: &PrintOptions) -> Vec<String> {
    match values {
        PrintedValues::Bool(values) => {
            let truth = if zero_rank { "True" } else { " True" };
            values.iter().map(|value| if *value { truth } else { "False" }.to_owned()).collect()
        }
        PrintedValues::Int(values) => int_words(values, options.sign),
        PrintedValues::Float(values, width) => {
            let format = FloatFormat::new(values, *width, options.sign, options);
            values.iter().map(|value| format.word(*value)).collect()
        }
        PrintedValues::Complex(values, width) => {
            let (real, imaginary): (Vec<f64>, Vec<f64>) = values.iter().copied().unzip();
            let real_format = FloatFormat::new(&real, *width, options.sign, options);
            let imaginary_format = FloatFormat::new(&imaginary, *width, SignMode::Plus, options);
            values
                .iter()
                .map(|(real, imaginary)| complex_word(&real_format, &imaginary_format, *real, *imaginary))
                .collect()
        }
    }
}

/// The `j` goes before the blanks that pad the imaginary part.
fn complex_word(real_format: &FloatFormat, imaginary_format: &FloatFormat, real: f64, imaginary: f64) -> String {
    let mut word = real_format.word(real);
    let imaginary = imaginary_format.word(imaginary);
    let trimmed = imaginary.trim_end();
    word.push_str(trimmed);
    word.push('j');
    word.push_str(&imaginary[trimmed.len()..]);
    word
}

fn int_words(values: &[i128], sign: SignMode) -> Vec<String> {
    let largest = values.iter().copied().max().unwrap_or(0);
    let smallest = values.iter().copied().min().unwrap_or(0);
    let sign = if sign == SignMode::Space && smallest < 0 { SignMode::Minus } else { sign };
    let spelled = |value: i128| match sign {
        SignMode::Plus if value >= 0 => format!("+{value}"),
        SignMode::Space if value >= 0 => format!(" {value}"),
        SignMode::Plus | SignMode::Space | SignMode::Minus => value.to_string(),
    };
    let width = spelled(largest).len().max(smallest.to_string().len());
    values.iter().map(|value| format!("{:>width$}", spelled(*value))).collect()
}

/// How all the real numbers of one print are written.
#[derive(Debug)]
struct FloatFormat {
    width: FloatWidth,
    style: DigitStyle,
    scientific: bool,
    nan: String,
    inf: String,
}

impl FloatFormat {
    fn new(values: &[f64], width: FloatWidth, sign: SignMode, options: &PrintOptions) -> Self {
        let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
        let precision = if options.floatmode == FloatMode::Unique { None } else { Some(options.precision) };
        let mut format = FloatFormat {
            width,
            style: DigitStyle {
                precision,
                min_digits: None,
                unique: true,
                trim: Trim::KeepPoint,
                plus: sign == SignMode::Plus,
                pad_left: 0,
                pad_right: 0,
                exponent_digits: 2,
            },
            scientific: wants_scientific(&finite, width, options.suppress),
            nan: options.nanstr.clone(),
            inf: options.infstr.clone(),
        };
        if finite.is_empty() {
            // NumPy forgets the precision's padding here: only the words `nan` and `inf` set the width.
        } else if format.scientific {
            format.fit_scientific(&finite, options.floatmode);
        } else {
            format.fit_positional(&finite, options.floatmode);
        }
        if sign == SignMode::Space && !finite.iter().any(|value| value.is_sign_negative()) {
            format.style.pad_left += 1;
        }
        if finite.len() != values.len() {
            format.fit_not_finite(values, sign);
        }
        format
    }

    fn fit_scientific(&mut self, finite: &[f64], mode: FloatMode) {
        if mode == FloatMode::Fixed {
            self.style.trim = Trim::Keep;
            self.style.unique = false;
        }
        let (mut places, mut whole_len, mut exponent_len) = (0, 0, 0);
        for value in finite {
            let text = scientific(*value, self.width, &self.style);
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, ""));
            let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
            places = places.max(fraction.len());
            whole_len = whole_len.max(whole.len());
            exponent_len = exponent_len.max(exponent.len().saturating_sub(1));
        }
        self.style.trim = Trim::Keep;
        self.style.precision = Some(places);
        self.style.min_digits = Some(places);
        self.style.exponent_digits = exponent_len;
        self.style.pad_left = whole_len;
        self.style.pad_right = exponent_len + 2 + places;
    }

    fn fit_positional(&mut self, finite: &[f64], mode: FloatMode) {
        if mode == FloatMode::Fixed {
            self.style.trim = Trim::Keep;
            self.style.unique = false;
        }
        let (mut places, mut whole_len) = (0, 0);
        for value in finite {
            let text = positional(*value, self.width, &self.style);
            let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
            places = places.max(fraction.len());
            whole_len = whole_len.max(whole.len());
        }
        self.style.pad_left = whole_len;
        self.style.pad_right = places;
        match mode {
            FloatMode::Fixed | FloatMode::MaxprecEqual => {
                self.style.precision = Some(places);
                self.style.min_digits = Some(places);
                self.style.trim = Trim::Keep;
            }
            FloatMode::Maxprec | FloatMode::Unique => {
                self.style.trim = Trim::KeepPoint;
                self.style.min_digits = Some(0);
            }
        }
    }

    fn fit_not_finite(&mut self, values: &[f64], sign: SignMode) {
        let signed_inf = sign != SignMode::Minus || values.contains(&f64::NEG_INFINITY);
        let right = self.style.pad_right + 1;
        self.style.pad_left = self
            .style
            .pad_left
            .max(self.nan.len().saturating_sub(right))
            .max((self.inf.len() + usize::from(signed_inf)).saturating_sub(right));
    }

    fn word(&self, value: f64) -> String {
        if !value.is_finite() {
            let (sign, name) = match (value.is_nan(), value < 0.0) {
                (true, _) => (if self.style.plus { "+" } else { "" }, &self.nan),
                (false, true) => ("-", &self.inf),
                (false, false) => (if self.style.plus { "+" } else { "" }, &self.inf),
            };
            let word = format!("{sign}{name}");
            let width = self.style.pad_left + self.style.pad_right + 1;
            return format!("{word:>width$}");
        }
        if self.scientific {
            scientific(value, self.width, &self.style)
        } else {
            positional(value, self.width, &self.style)
        }
    }
}

fn wants_scientific(finite: &[f64], width: FloatWidth, suppress: bool) -> bool {
    let magnitudes = finite.iter().map(|value| value.abs()).filter(|value| *value != 0.0);
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0_f64);
    for magnitude in magnitudes {
        smallest = smallest.min(magnitude);
        largest = largest.max(magnitude);
    }
    if largest == 0.0 {
        return false;
    }
    let cutoff = match width {
        FloatWidth::Half => 1e3,
        FloatWidth::Single => 1e6,
        FloatWidth::Double => 1e8,
    };
    // NumPy compares and divides in the array's own type, so 1e-4 as float32 is not below 1e-4.
    let below = match width {
        FloatWidth::Half => smallest < f64::from(half::f16::from_f64(1e-4)),
        FloatWidth::Single => smallest < f64::from(1e-4_f32),
        FloatWidth::Double => smallest < 1e-4,
    };
    let ratio = match width {
        FloatWidth::Half => f64::from(half::f16::from_f64(largest / smallest)),
        FloatWidth::Single => f64::from(largest as f32 / smallest as f32),
        FloatWidth::Double => largest / smallest,
    };
    largest >= cutoff || (!suppress && (below || ratio > 1000.0))
}

/// `str()` of one NumPy real scalar.
pub fn float_text(value: f64, width: FloatWidth) -> String {
    if !value.is_finite() {
        return not_finite_text(value, false);
    }
    scalar_digits(value, width, Trim::KeepOneZero, false)
}

/// `str()` of one NumPy complex scalar.
pub fn complex_text(real: f64, imaginary: f64, width: FloatWidth) -> String {
    let part = |value: f64, plus: bool| {
        if value.is_finite() { scalar_digits(value, width, Trim::All, plus) } else { not_finite_text(value, plus) }
    };
    if real == 0.0 && real.is_sign_positive() {
        format!("{}j", part(imaginary, false))
    } else {
        format!("({}{}j)", part(real, false), part(imaginary, true))
    }
}

fn scalar_digits(value: f64, width: FloatWidth, trim: Trim, plus: bool) -> String {
    let upper = match width {
        FloatWidth::Half => 1e3,
        FloatWidth::Single => 1e6,
        FloatWidth::Double => 1e16,
    };
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-4..upper).contains(&magnitude) {
        positional(value, width, &DigitStyle { plus, ..DigitStyle::shortest(trim) })
    } else {
        scientific(value, width, &DigitStyle { plus, ..DigitStyle::shortest(Trim::All) })
    }
}

fn not_finite_text(value: f64, plus: bool) -> String {
    let sign = match (value.is_nan(), value < 0.0) {
        (false, true) => "-",
        _ if plus => "+",
        _ => "",
    };
    format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" })
}
