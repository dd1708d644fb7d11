//! The format mini-language: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`, parsed and applied to texts,
//! integers, floats and complex numbers. It knows no values, so that all of it is tested here.

use compact_str::{CompactString, ToCompactString};
use num_bigint::{BigInt, Sign};

use super::number_text;
use crate::lang::raise::{self, Fallible};
use crate::lang::vm::Vm;

/// A parsed format specification.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    fill: char,
    align: Option<char>,
    sign: char,
    coerce_zero: bool,
    alternate: bool,
    zero_pad: bool,
    width: usize,
    grouping: Option<char>,
    precision: Option<usize>,
    kind: Option<char>,
}

/// The widest field that is not asked of the budget first; wider ones are the caller's to reserve.
pub const SMALL_WIDTH: usize = 1 << 16;

/// An integer by the specifications that programs write most: none, a width, zeros before it, the letter `d`. Nothing for any
/// other, which [`Spec`] understands.
pub fn small_int(value: i64, spec: &str) -> Option<CompactString> {
    let digits = value.to_compact_string();
    let spec = spec.strip_suffix('d').unwrap_or(spec);
    if spec.is_empty() {
        return Some(digits);
    }
    let (width, has_zeros) = match spec.strip_prefix('0') {
        Some(width) => (width, true),
        None => (spec, false),
    };
    if width.len() > 3 || !width.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let width: usize = width.parse().ok()?;
    let missing = width.saturating_sub(digits.len());
    if missing == 0 {
        return Some(digits);
    }
    let mut text = CompactString::with_capacity(width);
    let (sign, digits) = if has_zeros && value < 0 { digits.split_at(1) } else { ("", digits.as_str()) };
    text.push_str(sign);
    text.extend(std::iter::repeat_n(if has_zeros { '0' } else { ' ' }, missing));
    text.push_str(digits);
    Some(text)
}

impl Spec {
    /// Parses a specification; `class` is the formatted value's type, for messages, `default` the type it means by no letter.
    pub fn parse(text: &str, class: &str, default: char) -> Fallible<Self> {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let is_align = |c: Option<&char>| matches!(c, Some('<' | '>' | '=' | '^'));
        let mut spec = Self {
            fill: ' ',
            align: None,
            sign: '-',
            coerce_zero: false,
            alternate: false,
            zero_pad: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        };
        let mut has_fill = false;
        if is_align(chars.get(1)) {
            spec.fill = chars[0];
            spec.align = Some(chars[1]);
            has_fill = true;
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        if let Some(&c @ ('+' | '-' | ' ')) = chars.get(at) {
            spec.sign = c;
            at += 1;
        } else {
            // No sign given; '-' is the default and looks the same.
            spec.sign = '\0';
        }
        if chars.get(at) == Some(&'z') {
            spec.coerce_zero = true;
            at += 1;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if !has_fill && chars.get(at) == Some(&'0') {
            spec.fill = '0';
            spec.zero_pad = true;
            if spec.align.is_none() && default != 's' {
                spec.align = Some('=');
            }
            at += 1;
        }
        spec.width = digits(&chars, &mut at)?.unwrap_or(0);
        for group in [',', '_'] {
            if chars.get(at) == Some(&group) {
                if spec.grouping.is_some() {
                    return Err(raise::value_error("Cannot specify both ',' and '_'."));
                }
                spec.grouping = Some(group);
                at += 1;
            }
        }
        if spec.grouping == Some('_') && chars.get(at) == Some(&',') {
            return Err(raise::value_error("Cannot specify both ',' and '_'."));
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            let precision = digits(&chars, &mut at)?;
            spec.precision = Some(precision.ok_or_else(|| raise::value_error("Format specifier missing precision"))?);
        }
        if chars.len() > at + 1 {
            return Err(raise::value_error(format!("Invalid format specifier '{text}' for object of type '{class}'")));
        }
        spec.kind = chars.get(at).copied();
        if let Some(group) = spec.grouping {
            let kind = spec.kind.unwrap_or(default);
            let fits = matches!(kind, 'd' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F' | '\0')
                || (group == '_' && matches!(kind, 'b' | 'o' | 'x' | 'X'));
            if !fits {
                return Err(raise::value_error(format!("Cannot specify '{group}' with '{kind}'.")));
            }
        }
        Ok(spec)
    }

    /// The width asked for.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The precision asked for.
    pub fn precision(&self) -> Option<usize> {
        self.precision
    }

    fn pad(&self, prefix: &str, body: &str, default: char) -> String {
        let len = prefix.chars().count() + body.chars().count();
        let missing = self.width.saturating_sub(len);
        let mut text = String::with_capacity(prefix.len() + body.len() + missing * self.fill.len_utf8());
        let fill = |text: &mut String, count: usize| super::text::push_fill(text, self.fill, count);
        match self.align.unwrap_or(default) {
            '<' => {
                text.push_str(prefix);
                text.push_str(body);
                fill(&mut text, missing);
            }
            '^' => {
                fill(&mut text, missing / 2);
                text.push_str(prefix);
                text.push_str(body);
                fill(&mut text, missing - missing / 2);
            }
            '=' => {
                text.push_str(prefix);
                fill(&mut text, missing);
                text.push_str(body);
            }
            _ => {
                fill(&mut text, missing);
                text.push_str(prefix);
                text.push_str(body);
            }
        }
        text
    }

    fn sign_text(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, '+') => "+",
            (false, ' ') => " ",
            (false, _) => "",
        }
    }

    /// Digits with group separators, widened with zeros to the field's width where zeros pad it.
    fn grouped(&self, digits: &str, rest_len: usize, size: usize) -> String {
        let wanted = if self.fill == '0' && self.align == Some('=') { self.width.saturating_sub(rest_len) } else { 0 };
        let Some(separator) = self.grouping else {
            let missing = wanted.saturating_sub(digits.len());
            return "0".repeat(missing) + digits;
        };
        let mut groups = Vec::new();
        let mut produced = 0;
        let bytes = digits.as_bytes();
        let mut left = bytes.len();
        // From the right; zeros are added only until the width is filled, and a separator never leads.
        let mut in_group = 0;
        while left > 0 || produced < wanted {
            if in_group == size {
                groups.push(separator);
                produced += 1;
                in_group = 0;
                if left == 0 && produced >= wanted {
                    // A leading separator would stand alone: one more zero takes its place in front.
                    groups.push('0');
                    produced += 1;
                    in_group = 1;
                    continue;
                }
            }
            if left > 0 {
                left -= 1;
                groups.push(char::from(bytes[left]));
            } else {
                groups.push('0');
            }
            produced += 1;
            in_group += 1;
        }
        groups.iter().rev().collect()
    }

    /// Formats a text.
    pub fn text(&self, text: &str) -> Fallible<String> {
        if self.kind.is_some_and(|kind| kind != 's') {
            return Err(unknown(self.kind, "str"));
        }
        match self.sign {
            '\0' => {}
            ' ' => return Err(raise::value_error("Space not allowed in string format specifier")),
            _ => return Err(raise::value_error("Sign not allowed in string format specifier")),
        }
        if self.coerce_zero {
            return Err(raise::value_error("Negative zero coercion (z) not allowed in string format specifier"));
        }
        if self.alternate {
            return Err(raise::value_error("Alternate form (#) not allowed in string format specifier"));
        }
        if self.align == Some('=') {
            return Err(raise::value_error("'=' alignment not allowed in string format specifier"));
        }
        let cut = match self.precision {
            Some(precision) => text.char_indices().nth(precision).map_or(text, |(at, _)| &text[..at]),
            None => text,
        };
        Ok(self.pad("", cut, '<'))
    }

    /// Formats an integer; `class` is its type's name.
    pub fn integer(&self, vm: &mut Vm, value: &BigInt, class: &str) -> Fallible<String> {
        let kind = self.kind.unwrap_or('d');
        if matches!(kind, 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') {
            let number = crate::lang::operators::integer::to_f64(value)
                .ok_or_else(crate::lang::operators::number::too_large_for_float)?;
            return self.float(number, class);
        }
        if !matches!(kind, 'b' | 'c' | 'd' | 'o' | 'x' | 'X' | 'n') {
            return Err(unknown(self.kind, class));
        }
        if self.precision.is_some() {
            return Err(raise::value_error("Precision not allowed in integer format specifier"));
        }
        if self.coerce_zero {
            return Err(raise::value_error("Negative zero coercion (z) not allowed in integer format specifier"));
        }
        if kind == 'c' {
            return self.character(value);
        }
        let magnitude = value.magnitude();
        let (digits, prefix) = match kind {
            'b' => (magnitude.to_str_radix(2), "0b"),
            'o' => (magnitude.to_str_radix(8), "0o"),
            'x' => (magnitude.to_str_radix(16), "0x"),
            'X' => (magnitude.to_str_radix(16).to_uppercase(), "0X"),
            _ => (number_text::big_to_text(vm, &BigInt::from(magnitude.clone()))?, ""),
        };
        let sign = self.sign_text(value.sign() == Sign::Minus);
        let prefix = format!("{sign}{}", if self.alternate { prefix } else { "" });
        let size = if matches!(kind, 'b' | 'o' | 'x' | 'X') { 4 } else { 3 };
        let body = self.grouped(&digits, prefix.len(), size);
        Ok(self.pad(&prefix, &body, '>'))
    }

    fn character(&self, value: &BigInt) -> Fallible<String> {
        if self.sign != '\0' {
            return Err(raise::value_error("Sign not allowed with integer format specifier 'c'"));
        }
        if self.alternate {
            return Err(raise::value_error("Alternate form (#) not allowed with integer format specifier 'c'"));
        }
        let c = u32::try_from(value)
            .ok()
            .filter(|&code| code < 0x11_0000)
            .ok_or_else(|| raise::overflow_error("%c arg not in range(0x110000)"))?;
        let c = char::from_u32(c)
            .ok_or_else(|| raise::not_implemented_error("surrogate characters are not in this kernel's str"))?;
        Ok(self.pad("", &c.to_string(), '<'))
    }

    /// Formats a float; `class` is its type's name.
    pub fn float(&self, value: f64, class: &str) -> Fallible<String> {
        if !matches!(self.kind, None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n' | '%')) {
            return Err(unknown(self.kind, class));
        }
        let (negative, body) = self.float_body(value);
        let sign = self.sign_text(negative);
        let body = self.with_groups(&body, sign.len());
        Ok(self.pad(sign, &body, '>'))
    }

    /// Sign and digits of a float, without groups and padding.
    fn float_body(&self, value: f64) -> (bool, String) {
        let scaled = if self.kind == Some('%') { value * 100.0 } else { value };
        let mut body = digits_of(scaled.abs(), self.kind, self.precision, self.alternate);
        if self.kind == Some('%') {
            body.push('%');
        }
        let mut negative = scaled.is_sign_negative() && !scaled.is_nan();
        if self.coerce_zero && negative && !body.bytes().any(|b| (b'1'..=b'9').contains(&b)) && scaled.is_finite() {
            negative = false;
        }
        (negative, body)
    }

    fn with_groups(&self, body: &str, sign_len: usize) -> String {
        let whole_len = body.bytes().take_while(u8::is_ascii_digit).count();
        if whole_len == 0 {
            return body.to_owned();
        }
        let (whole, rest) = body.split_at(whole_len);
        self.grouped(whole, sign_len + rest.len(), 3) + rest
    }

    /// Formats a complex number.
    pub fn complex(&self, re: f64, im: f64) -> Fallible<String> {
        if !matches!(self.kind, None | Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'n')) {
            return Err(unknown(self.kind, "complex"));
        }
        if self.zero_pad || self.fill == '0' {
            return Err(raise::value_error("Zero padding is not allowed in complex format specifier"));
        }
        if self.align == Some('=') {
            return Err(raise::value_error("'=' alignment flag is not allowed in complex format specifier"));
        }
        let has_no_type = self.kind.is_none();
        let skips_real = has_no_type && re == 0.0 && re.is_sign_positive();
        // Without a type letter a part shows as str() shows it: `1`, not `1.0`.
        let part = |value: f64| {
            if has_no_type && self.precision.is_none() {
                let text = number_text::float_repr(value.abs());
                let text = text.strip_suffix(".0").unwrap_or(&text).to_owned();
                (value.is_sign_negative() && !value.is_nan(), text)
            } else if has_no_type {
                let as_general = Self { kind: Some('g'), ..self.clone() };
                as_general.float_body(value)
            } else {
                self.float_body(value)
            }
        };
        let (re_negative, re_body) = part(re);
        let (im_negative, im_body) = part(im);
        let im_body = self.with_groups(&im_body, 0);
        let mut body = String::new();
        if skips_real {
            body.push_str(self.sign_text(im_negative));
        } else {
            if has_no_type {
                body.push('(');
            }
            body.push_str(self.sign_text(re_negative));
            body.push_str(&self.with_groups(&re_body, 0));
            body.push(if im_negative { '-' } else { '+' });
        }
        body.push_str(&im_body);
        body.push('j');
        if has_no_type && !skips_real {
            body.push(')');
        }
        Ok(self.pad("", &body, '>'))
    }
}

fn unknown(kind: Option<char>, class: &str) -> raise::Raised {
    let kind = kind.unwrap_or('s');
    let shown = if kind > ' ' && kind.is_ascii() { kind.to_string() } else { format!("\\x{:x}", u32::from(kind)) };
    raise::value_error(format!("Unknown format code '{shown}' for object of type '{class}'"))
}

fn digits(chars: &[char], at: &mut usize) -> Fallible<Option<usize>> {
    let start = *at;
    let mut number: usize = 0;
    while let Some(digit) = chars.get(*at).and_then(|c| super::unicode::decimal_digit(*c)) {
        number = number
            .checked_mul(10)
            .and_then(|number| number.checked_add(digit as usize))
            .filter(|&number| number <= isize::MAX as usize)
            .ok_or_else(|| raise::value_error("Too many decimal digits in format string"))?;
        *at += 1;
    }
    Ok((*at > start).then_some(number))
}

/// The most digits after the point that a double can have that are not zero.
const PRECISION_MAX: usize = 1100;

fn fixed(value: f64, precision: usize) -> String {
    let mut text = format!("{value:.*}", precision.min(PRECISION_MAX));
    if precision > PRECISION_MAX {
        text.push_str(&"0".repeat(precision - PRECISION_MAX));
    }
    text
}

fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.*e}", precision.min(PRECISION_MAX));
    let text = number_text::exponent_form(&text);
    if precision > PRECISION_MAX {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{mantissa}{}e{exponent}", "0".repeat(precision - PRECISION_MAX));
    }
    text
}

fn with_point(text: String) -> String {
    if text.contains('.') {
        return text;
    }
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{mantissa}.e{exponent}"),
        None => text + ".",
    }
}

/// The digits of a non-negative float by a type letter, as C's printf and Python's `repr` write them.
pub fn digits_of(value: f64, kind: Option<char>, precision: Option<usize>, alternate: bool) -> String {
    let upper = matches!(kind, Some('E' | 'F' | 'G'));
    let text = if let Some(text) = number_text::not_finite(value) {
        text.to_owned()
    } else {
        match kind {
            Some('e' | 'E') => scientific(value, precision.unwrap_or(6)),
            Some('f' | 'F' | '%') => fixed(value, precision.unwrap_or(6)),
            None if precision.is_none() => number_text::float_repr(value),
            _ => general(value, precision.unwrap_or(6).max(1), alternate, kind.is_none()),
        }
    };
    let text = if alternate && value.is_finite() { with_point(text) } else { text };
    if upper { text.to_uppercase() } else { text }
}

/// `%g`: the shorter of fixed and scientific, without trailing zeros unless `alternate`. Without a type letter a whole number
/// keeps `.0` and turns scientific one digit earlier.
fn general(value: f64, precision: usize, alternate: bool, like_repr: bool) -> String {
    if value == 0.0 {
        return match (alternate, like_repr) {
            (true, true) if precision == 1 => "0e+00".to_owned(),
            (true, _) => format!("0.{}", "0".repeat(precision - 1)),
            (false, true) if precision == 1 => "0e+00".to_owned(),
            (false, true) => "0.0".to_owned(),
            (false, false) => "0".to_owned(),
        };
    }
    let text = scientific(value, precision - 1);
    let exponent: i64 = text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let limit = if like_repr { precision as i64 - 1 } else { precision as i64 };
    if exponent < -4 || exponent >= limit {
        let (mantissa, power) = text.split_once('e').unwrap_or((&text, "+00"));
        let mantissa = if alternate { mantissa.to_owned() } else { trim_zeros(mantissa) };
        return format!("{mantissa}e{power}");
    }
    let decimals = (precision as i64 - 1 - exponent).max(0) as usize;
    let text = fixed(value, decimals);
    let text = if alternate { text } else { trim_zeros(&text) };
    if like_repr && !text.contains('.') { text + ".0" } else { text }
}

fn trim_zeros(text: &str) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine() -> Vm {
        Vm::new(std::rc::Rc::new(crate::lang::host::SilentHost)).unwrap()
    }

    fn float(value: f64, spec: &str) -> String {
        Spec::parse(spec, "float", '\0').unwrap().float(value, "float").unwrap()
    }

    fn integer(value: i64, spec: &str) -> String {
        Spec::parse(spec, "int", 'd').unwrap().integer(&mut machine(), &value.into(), "int").unwrap()
    }

    fn text(value: &str, spec: &str) -> String {
        Spec::parse(spec, "str", 's').unwrap().text(value).unwrap()
    }

    // Every expected text is what python3.11's format() answers.
    #[test]
    fn floats_format_as_python() {
        let cases = [
            (1.5, ".0f", "2"),
            (0.5, ".0f", "0"),
            (2.5, ".0f", "2"),
            (0.125, ".2f", "0.12"),
            (12345.678, ",.2f", "12,345.68"),
            (1234.5, "_", "1_234.5"),
            (1e16, ",", "1e+16"),
            (f64::INFINITY, "010.2f", "0000000inf"),
            (f64::NAN, ",f", "nan"),
            (1.0, ".3", "1.0"),
            (100000.0, ".3", "1e+05"),
            (123.0, ".3", "1.23e+02"),
            (1.0, "#.3g", "1.00"),
            (1e-5, ".3g", "1e-05"),
            (100000.0, "g", "100000"),
            (1000000.0, "g", "1e+06"),
            (0.0001, "g", "0.0001"),
            (1.5, "%", "150.000000%"),
            (0.256, ".1%", "25.6%"),
            (-0.0, "z.1f", "0.0"),
            (-0.04, "z.1f", "0.0"),
            (0.1, ".20f", "0.10000000000000000555"),
            (3.13, "+010.1f", "+0000003.1"),
            (-3.13, "=8.1f", "-    3.1"),
            (1234567.891, "020,.2f", "0,000,001,234,567.89"),
            (1e22, "", "1e+22"),
            (1e-7, "E", "1.000000E-07"),
            (5.0, "#.0f", "5."),
            (0.0, ".3", "0.0"),
            (0.0, "g", "0"),
        ];
        for (value, spec, expected) in cases {
            assert_eq!(float(value, spec), expected, "{value} {spec}");
        }
    }

    #[test]
    fn integers_format_as_python() {
        let cases = [
            (1, "08_x", "000_0001"),
            (1_234_567, "020,", "0,000,000,001,234,567"),
            (-5, "*=8", "-******5"),
            (1, "=+6", "+    1"),
            (255, "#010x", "0x000000ff"),
            (255, "#X", "0XFF"),
            (10, "#_b", "0b1010"),
            (1, "<<5", "1<<<<"),
            (97, "c", "a"),
            (5, ".2f", "5.00"),
            (3, "%", "300.000000%"),
            (1234, ",", "1,234"),
            (123, ",", "123"),
            (0, "04", "0000"),
            (-42, "06d", "-00042"),
            (1_000_000, "^15,", "   1,000,000   "),
        ];
        for (value, spec, expected) in cases {
            assert_eq!(integer(value, spec), expected, "{value} {spec}");
        }
    }

    #[test]
    fn the_short_way_for_integers_says_the_same() {
        let mut taken = 0;
        for value in [0, 7, -7, 123_456, i64::MIN, i64::MAX] {
            for spec in ["", "d", "5", "05d", "020", "0", "00", "0d", "25", "07d", "+5", "<5", ",", "x", "5x", "1000"] {
                if let Some(text) = small_int(value, spec) {
                    assert_eq!(text, integer(value, spec), "{value} {spec}");
                    taken += 1;
                }
            }
        }
        assert!(taken >= 6 * 8, "only {taken} were short");
    }

    #[test]
    fn texts_and_complex_numbers_format_as_python() {
        assert_eq!(text("abc", "^7.2s"), "  ab   ");
        assert_eq!(text("a", "ü>3"), "üüa");
        assert_eq!(text("a", "010"), "a000000000");
        let complex = |re, im, spec: &str| Spec::parse(spec, "complex", '\0').unwrap().complex(re, im).unwrap();
        assert_eq!(complex(1.0, 2.0, ".2f"), "1.00+2.00j");
        assert_eq!(complex(1.0, 2.0, ">20.2f"), "          1.00+2.00j");
        assert_eq!(complex(0.0, 1.0, ""), "1j");
        assert_eq!(complex(1.5, -2.0, ""), "(1.5-2j)");
    }

    #[test]
    fn bad_specifications_say_what_is_wrong() {
        let message = |result: Fallible<String>| {
            let error = result.unwrap_err();
            error.0.args.borrow()[0].as_str().unwrap().to_owned()
        };
        let with = |spec: &str| {
            message(Spec::parse(spec, "int", 'd').and_then(|spec| spec.integer(&mut machine(), &1.into(), "int")))
        };
        assert_eq!(with("abc"), "Invalid format specifier 'abc' for object of type 'int'");
        assert_eq!(with("y"), "Unknown format code 'y' for object of type 'int'");
        assert_eq!(with(".3"), "Precision not allowed in integer format specifier");
        assert_eq!(with(",_"), "Cannot specify both ',' and '_'.");
        assert_eq!(with(",b"), "Cannot specify ',' with 'b'.");
        assert_eq!(with("."), "Format specifier missing precision");
        assert_eq!(with("99999999999999999999"), "Too many decimal digits in format string");
    }
}
