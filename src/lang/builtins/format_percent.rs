//! `%` formatting of texts and bytes.

use num_bigint::{BigInt, Sign};

use super::format_spec::{SMALL_WIDTH, digits_of};
use super::{bytes, convert, text};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::TupleObject;
use crate::lang::operators::number;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Where the values come from: a tuple in order, one value, or a mapping by key.
struct Source {
    values: Value,
    tuple: Option<Ref<TupleObject>>,
    next: usize,
    used_mapping: bool,
}

impl Source {
    fn new(values: &Value) -> Self {
        let tuple = match super::receiver::payload(values) {
            Value::Tuple(tuple) => Some(tuple),
            _ => None,
        };
        Self { values: values.clone(), tuple, next: 0, used_mapping: false }
    }

    fn take(&mut self) -> Fallible<Value> {
        let index = self.next;
        self.next += 1;
        let value = match &self.tuple {
            Some(tuple) => tuple.items().get(index).cloned(),
            None if index == 0 => Some(self.values.clone()),
            None => None,
        };
        value.ok_or_else(|| raise::type_error("not enough arguments for format string"))
    }

    /// Whether every value was used; a mapping may have more.
    fn check_all_used(&self, kind: &str) -> Fallible<()> {
        let left_over = match &self.tuple {
            Some(tuple) => self.next < tuple.items().len(),
            None => self.next == 0 && !self.used_mapping && !is_mapping(&self.values),
        };
        if left_over {
            return Err(raise::type_error(format!("not all arguments converted during {kind} formatting")));
        }
        Ok(())
    }
}

fn is_mapping(value: &Value) -> bool {
    match value {
        Value::Tuple(_) | Value::Str(_) => false,
        Value::Dict(_) | Value::List(_) | Value::Array(_) | Value::Range(_) | Value::Bytes(_) | Value::ByteArray(_) => {
            true
        }
        Value::Instance(_) | Value::Object(_) => value.class().lookup(names::GETITEM).is_some(),
        _ => false,
    }
}

/// Flags, width and precision of one conversion.
#[derive(Default)]
struct Field {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `template % values`
pub fn format(vm: &mut Vm, template: &str, values: &Value) -> Fallible<Value> {
    let mut out = String::with_capacity(template.len() + 16);
    run(vm, template, values, false, &mut out)?;
    Ok(text::value(&out))
}

/// `template % values` of bytes or bytearray.
pub fn format_bytes(vm: &mut Vm, template: &Value, values: &Value) -> Fallible<Value> {
    let Some(data) = bytes::view(template).map(|view| view.as_slice().to_vec()) else { return Ok(Value::None) };
    // Latin-1 keeps each byte one character on the way through.
    let as_text: String = data.iter().map(|&byte| char::from(byte)).collect();
    let mut out = String::new();
    run(vm, &as_text, values, true, &mut out)?;
    let data = out.chars().map(|c| c as u8).collect();
    Ok(bytes::like(template, data))
}

fn run(vm: &mut Vm, template: &str, values: &Value, is_bytes: bool, out: &mut String) -> Fallible<()> {
    let chars: Vec<char> = template.chars().collect();
    let mut source = Source::new(values);
    let mut at = 0;
    while at < chars.len() {
        if chars[at] != '%' {
            out.push(chars[at]);
            at += 1;
            continue;
        }
        at += 1;
        if chars.get(at) == Some(&'%') {
            out.push('%');
            at += 1;
            continue;
        }
        let mut mapped = None;
        if chars.get(at) == Some(&'(') {
            mapped = Some(mapped_value(vm, &chars, &mut at, &mut source, is_bytes)?);
        }
        let field = parse_field(vm, &chars, &mut at, &mut source)?;
        while matches!(chars.get(at), Some('h' | 'l' | 'L')) {
            at += 1;
        }
        let Some(&conversion) = chars.get(at) else { return Err(raise::value_error("incomplete format")) };
        at += 1;
        if field.width.max(field.precision.unwrap_or(0)) > SMALL_WIDTH {
            let numeric = !matches!(conversion, 's' | 'r' | 'a' | 'b');
            vm.reserve(if numeric { field.width.max(field.precision.unwrap_or(0)) } else { field.width })?;
        }
        let value = match mapped {
            Some(value) => value,
            None => source.take()?,
        };
        convert_one(vm, &field, conversion, at - 1, &value, is_bytes, out)?;
    }
    source.check_all_used(if is_bytes { "bytes" } else { "string" })
}

fn mapped_value(vm: &mut Vm, chars: &[char], at: &mut usize, source: &mut Source, is_bytes: bool) -> Fallible<Value> {
    if !is_mapping(&source.values) {
        return Err(raise::type_error("format requires a mapping"));
    }
    *at += 1;
    let start = *at;
    let mut depth = 1;
    while depth > 0 {
        match chars.get(*at) {
            Some('(') => depth += 1,
            Some(')') => depth -= 1,
            Some(_) => {}
            None => return Err(raise::value_error("incomplete format key")),
        }
        *at += 1;
    }
    let key: String = chars[start..*at - 1].iter().collect();
    let key = if is_bytes { bytes::value(key.chars().map(|c| c as u8).collect::<Vec<_>>()) } else { text::value(&key) };
    source.used_mapping = true;
    let values = source.values.clone();
    vm.get_item(&values, &key)
}

fn parse_field(vm: &mut Vm, chars: &[char], at: &mut usize, source: &mut Source) -> Fallible<Field> {
    let mut field = Field::default();
    while let Some(flag) = chars.get(*at) {
        match flag {
            '-' => field.left = true,
            '+' => field.plus = true,
            ' ' => field.space = true,
            '#' => field.alternate = true,
            '0' => field.zero = true,
            _ => break,
        }
        *at += 1;
    }
    if chars.get(*at) == Some(&'*') {
        *at += 1;
        let width = starred(vm, source)?;
        field.left |= width < 0;
        field.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
    } else {
        field.width = number_at(chars, at, "width")?;
    }
    if chars.get(*at) == Some(&'.') {
        *at += 1;
        field.precision = Some(if chars.get(*at) == Some(&'*') {
            *at += 1;
            usize::try_from(starred(vm, source)?).unwrap_or(0)
        } else {
            number_at(chars, at, "precision")?
        });
    }
    Ok(field)
}

fn starred(vm: &mut Vm, source: &mut Source) -> Fallible<i64> {
    match source.take()? {
        Value::Int(number) => Ok(number),
        Value::Bool(b) => Ok(i64::from(b)),
        other => match super::receiver::payload(&other) {
            Value::Big(_) => convert::index_size(vm, &other),
            Value::Int(number) => Ok(number),
            _ => Err(raise::type_error("* wants int")),
        },
    }
}

fn number_at(chars: &[char], at: &mut usize, what: &str) -> Fallible<usize> {
    let mut number: usize = 0;
    while let Some(digit) = chars.get(*at).and_then(|c| c.to_digit(10)) {
        number = number
            .checked_mul(10)
            .and_then(|number| number.checked_add(digit as usize))
            .filter(|&number| number <= isize::MAX as usize)
            .ok_or_else(|| raise::value_error(format!("{what} too big")))?;
        *at += 1;
    }
    Ok(number)
}

fn convert_one(
    vm: &mut Vm,
    field: &Field,
    conversion: char,
    at: usize,
    value: &Value,
    is_bytes: bool,
    out: &mut String,
) -> Fallible<()> {
    match conversion {
        's' | 'b' if is_bytes => {
            let data = match bytes::view(&super::receiver::payload(value)) {
                Some(view) => view.as_slice().to_vec(),
                None => match vm.find_special(value, names::BYTES) {
                    Some(special) => bytes::required(&vm.call(&special, &[])?)?,
                    None => {
                        return Err(raise::type_error(format!(
                            "%b requires a bytes-like object, or an object that implements __bytes__, not '{}'",
                            value.type_name()
                        )));
                    }
                },
            };
            let shown: String = data.iter().map(|&byte| char::from(byte)).collect();
            pad_text(field, &shown, out);
        }
        's' => {
            let shown = vm.str(value)?;
            pad_text(field, &shown, out);
        }
        'r' | 'a' => {
            let mut shown = vm.repr(value)?.to_string();
            if conversion == 'a' || is_bytes {
                shown = text::to_ascii(&shown);
            }
            pad_text(field, &shown, out);
        }
        'd' | 'i' | 'u' | 'o' | 'x' | 'X' => integer(vm, field, conversion, value, out)?,
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' => {
            let number = convert::float(vm, value)?;
            let body = digits_of(number.abs(), Some(conversion), field.precision, field.alternate);
            pad_number(field, number.is_sign_negative() && !number.is_nan(), "", &body, out);
        }
        'c' => {
            let shown = character(vm, value, is_bytes)?;
            pad_text(&Field { precision: None, ..*field }, &shown, out);
        }
        other => {
            let shown = if (' '..='~').contains(&other) { other } else { '?' };
            return Err(raise::value_error(format!(
                "unsupported format character '{shown}' ({:#x}) at index {at}",
                u32::from(other)
            )));
        }
    }
    Ok(())
}

fn character(vm: &mut Vm, value: &Value, is_bytes: bool) -> Fallible<String> {
    if is_bytes {
        let message = "%c requires an integer in range(256) or a single byte";
        return match bytes::view(value).map(|view| view.as_slice().to_vec()) {
            Some(data) if data.len() == 1 => Ok(char::from(data[0]).to_string()),
            Some(_) => Err(raise::type_error(message)),
            None => match convert::index_value(vm, value) {
                Ok(Value::Int(code)) => u8::try_from(code)
                    .map(|byte| char::from(byte).to_string())
                    .map_err(|_| raise::overflow_error("%c arg not in range(256)")),
                _ => Err(raise::type_error(message)),
            },
        };
    }
    if let Value::Str(text) = super::receiver::payload(value) {
        if text.len_chars() == 1 {
            return Ok(text.as_str().to_owned());
        }
        return Err(raise::type_error("%c requires int or char"));
    }
    let Ok(code) = convert::index_big(vm, value) else { return Err(raise::type_error("%c requires int or char")) };
    let code = u32::try_from(&code)
        .ok()
        .filter(|&code| code < 0x11_0000)
        .ok_or_else(|| raise::overflow_error("%c arg not in range(0x110000)"))?;
    char::from_u32(code)
        .map(String::from)
        .ok_or_else(|| raise::not_implemented_error("surrogate characters are not in this kernel's str"))
}

fn integer(vm: &mut Vm, field: &Field, conversion: char, value: &Value, out: &mut String) -> Fallible<()> {
    let wrong =
        |kind: &str| raise::type_error(format!("%{conversion} format: {kind} is required, not {}", value.type_name()));
    let number: BigInt = if matches!(conversion, 'd' | 'i' | 'u') {
        match super::receiver::payload(value) {
            Value::Float(f) => {
                if f.is_nan() {
                    return Err(raise::value_error("cannot convert float NaN to integer"));
                }
                crate::lang::operators::integer::from_f64(f)
                    .ok_or_else(|| raise::overflow_error("cannot convert float infinity to integer"))?
            }
            plain => match number::as_big(&plain) {
                Some(number) => number,
                None => {
                    let special = match vm.find_special(value, names::INT) {
                        Some(special) => Some(special),
                        None => vm.find_special(value, names::INDEX),
                    };
                    match special {
                        Some(special) => {
                            let result = vm.call(&special, &[])?;
                            number::as_big(&super::receiver::payload(&result)).ok_or_else(|| wrong("a real number"))?
                        }
                        None => return Err(wrong("a real number")),
                    }
                }
            },
        }
    } else {
        match convert::index_big(vm, value) {
            Ok(number) => number,
            Err(error) if error.is(super::classes::Builtin::TypeError) => return Err(wrong("an integer")),
            Err(error) => return Err(error),
        }
    };
    let magnitude = number.magnitude();
    let (digits, prefix) = match conversion {
        'o' => (magnitude.to_str_radix(8), "0o"),
        'x' => (magnitude.to_str_radix(16), "0x"),
        'X' => (magnitude.to_str_radix(16).to_uppercase(), "0X"),
        _ => (super::number_text::big_to_text(vm, &BigInt::from(magnitude.clone()))?, ""),
    };
    let missing = field.precision.unwrap_or(0).saturating_sub(digits.len());
    let digits = "0".repeat(missing) + &digits;
    pad_number(field, number.sign() == Sign::Minus, if field.alternate { prefix } else { "" }, &digits, out);
    Ok(())
}

fn pad_text(field: &Field, text: &str, out: &mut String) {
    let cut = match field.precision {
        Some(precision) => text.char_indices().nth(precision).map_or(text, |(at, _)| &text[..at]),
        None => text,
    };
    let missing = field.width.saturating_sub(cut.chars().count());
    if !field.left {
        text::push_fill(out, ' ', missing);
    }
    out.push_str(cut);
    if field.left {
        text::push_fill(out, ' ', missing);
    }
}

fn pad_number(field: &Field, negative: bool, prefix: &str, digits: &str, out: &mut String) {
    let sign = if negative {
        "-"
    } else if field.plus {
        "+"
    } else if field.space {
        " "
    } else {
        ""
    };
    let missing = field.width.saturating_sub(sign.len() + prefix.len() + digits.len());
    let zeros = field.zero && !field.left;
    if !field.left && !zeros {
        text::push_fill(out, ' ', missing);
    }
    out.push_str(sign);
    out.push_str(prefix);
    if zeros {
        text::push_fill(out, '0', missing);
    }
    out.push_str(digits);
    if field.left {
        text::push_fill(out, ' ', missing);
    }
}
