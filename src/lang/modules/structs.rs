//! `_struct`: values as C lays them out, behind `struct`, whose face is written in the language itself (`py/struct.py`).

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::support::{bytes_of, integer, items_of, new_module};
use crate::lang::builtins::number_text::plain_nan;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, method};
use crate::lang::objects::{BytesObject, ModuleObject};
use crate::lang::raise::{Fallible, Raised, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// What one letter of a format stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pad,
    Char,
    Bool,
    Signed,
    Unsigned,
    Half,
    Single,
    Double,
    /// `s`: the count is the length.
    Text,
    /// `p`: a length byte, then text.
    Pascal,
}

/// A run of equal fields and where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    kind: Kind,
    letter: char,
    count: usize,
    /// Bytes of one field.
    width: usize,
    start: usize,
}

/// A parsed format.
#[derive(Debug, PartialEq, Eq)]
struct Format {
    fields: Vec<Field>,
    big_endian: bool,
    bytes: usize,
}

/// Builds `_struct`. Mistakes in a format or a value are `ValueError`s here; `py/struct.py` raises its own class.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module(
        "_struct",
        "Values as C lays them out.",
        &[
            method("calcsize", "(format)", "Bytes that a format takes.", |vm, args| {
                Ok(Value::Int(format_of(vm, args)?.bytes as i64))
            }),
            method("pack", "(format, values)", "The bytes of a tuple of values.", pack),
            method("unpack", "(format, buffer, offset)", "A tuple of the values at an offset.", unpack),
        ],
    ))
}

fn format_of(vm: &Vm, args: Args) -> Fallible<Format> {
    let text = args.text(vm, 0, "format")?;
    parse(&text).map_err(value_error)
}

fn parse(text: &str) -> Result<Format, String> {
    let (native, big_endian, rest) = match text.chars().next() {
        Some('<') => (false, false, &text[1..]),
        Some('>' | '!') => (false, true, &text[1..]),
        Some('=') => (false, cfg!(target_endian = "big"), &text[1..]),
        Some('@') => (true, cfg!(target_endian = "big"), &text[1..]),
        _ => (true, cfg!(target_endian = "big"), text),
    };
    let too_long = || "total struct size too long".to_owned();
    let (mut fields, mut bytes, mut count) = (Vec::new(), 0usize, None::<usize>);
    for letter in rest.chars() {
        if let Some(digit) = letter.to_digit(10) {
            let so_far = count.unwrap_or(0).checked_mul(10).and_then(|count| count.checked_add(digit as usize));
            count = Some(so_far.filter(|&count| count <= isize::MAX as usize).ok_or_else(too_long)?);
            continue;
        }
        if letter.is_ascii_whitespace() {
            if count.is_some() {
                return Err("bad char in struct format".into());
            }
            continue;
        }
        let (kind, width) = match letter {
            'x' => (Kind::Pad, 1),
            'c' => (Kind::Char, 1),
            '?' => (Kind::Bool, 1),
            'b' => (Kind::Signed, 1),
            'B' => (Kind::Unsigned, 1),
            'h' => (Kind::Signed, 2),
            'H' => (Kind::Unsigned, 2),
            'i' => (Kind::Signed, 4),
            'I' => (Kind::Unsigned, 4),
            'l' => (Kind::Signed, if native { 8 } else { 4 }),
            'L' => (Kind::Unsigned, if native { 8 } else { 4 }),
            'q' => (Kind::Signed, 8),
            'Q' => (Kind::Unsigned, 8),
            'n' if native => (Kind::Signed, 8),
            'N' | 'P' if native => (Kind::Unsigned, 8),
            'e' => (Kind::Half, 2),
            'f' => (Kind::Single, 4),
            'd' => (Kind::Double, 8),
            's' => (Kind::Text, 1),
            'p' => (Kind::Pascal, 1),
            _ => return Err("bad char in struct format".into()),
        };
        if native {
            bytes = bytes.checked_next_multiple_of(width).ok_or_else(too_long)?;
        }
        let repeated = count.take().unwrap_or(1);
        fields.push(Field { kind, letter, count: repeated, width, start: bytes });
        let taken = repeated.checked_mul(width).and_then(|taken| bytes.checked_add(taken));
        bytes = taken.filter(|&bytes| bytes <= isize::MAX as usize).ok_or_else(too_long)?;
    }
    if count.is_some() {
        return Err("repeat count given without format specifier".into());
    }
    Ok(Format { fields, big_endian, bytes })
}

/// How many values a run of fields takes.
fn values_of(field: &Field) -> usize {
    match field.kind {
        Kind::Pad => 0,
        Kind::Text | Kind::Pascal => 1,
        _ => field.count,
    }
}

fn pack(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let format = format_of(vm, args)?;
    let values = items_of(args.peek(vm, 1));
    let wanted: usize = format.fields.iter().map(values_of).sum();
    if wanted != values.len() {
        return Err(value_error(format!("pack expected {wanted} items for packing (got {})", values.len())));
    }
    vm.reserve(format.bytes)?;
    let mut out = vec![0u8; format.bytes];
    let mut values = values.into_iter();
    for field in &format.fields {
        match field.kind {
            Kind::Pad => {}
            Kind::Text | Kind::Pascal => {
                let value = values.next().unwrap_or(Value::None);
                let Some(text) = bytes_of(&value) else {
                    return Err(value_error(format!("argument for '{}' must be a bytes object", field.letter)));
                };
                let place = &mut out[field.start..field.start + field.count];
                let (length, place) = match (field.kind, place) {
                    (Kind::Pascal, [length, rest @ ..]) => (Some(length), rest),
                    (_, place) => (None, place),
                };
                let taken = text.len().min(place.len()).min(if length.is_some() { 255 } else { usize::MAX });
                place[..taken].copy_from_slice(&text[..taken]);
                if let Some(length) = length {
                    *length = taken as u8;
                }
            }
            _ => {
                for index in 0..field.count {
                    vm.poll()?;
                    let value = values.next().unwrap_or(Value::None);
                    let start = field.start + index * field.width;
                    let bytes = encode(vm, field, &value)?;
                    let place = &mut out[start..start + field.width];
                    place.copy_from_slice(&bytes[..field.width]);
                    if format.big_endian {
                        place.reverse();
                    }
                }
            }
        }
    }
    Ok(Value::Bytes(Ref::new(BytesObject::new(out))))
}

/// The little-endian bytes of a value, in as many of eight as the field is wide.
fn encode(vm: &mut Vm, field: &Field, value: &Value) -> Fallible<[u8; 8]> {
    let mut out = [0u8; 8];
    match field.kind {
        Kind::Char => match bytes_of(value).as_deref() {
            Some([byte]) => out[0] = *byte,
            _ => return Err(value_error("char format requires a bytes object of length 1")),
        },
        Kind::Bool => out[0] = u8::from(vm.truth(value)?),
        Kind::Signed | Kind::Unsigned => {
            let number = integer(vm, value).map_err(|_| value_error("required argument is not an integer"))?;
            out = integer_bytes(field, &number)?;
        }
        Kind::Half | Kind::Single | Kind::Double => {
            let number = vm.float(value).map_err(|_| value_error("required argument is not a float"))?;
            let number = plain_nan(number);
            let too_large = |letter: char| {
                Raised::builtin(
                    crate::lang::builtins::classes::Builtin::OverflowError,
                    format!("float too large to pack with {letter} format"),
                )
            };
            match field.kind {
                Kind::Half => {
                    let half = half::f16::from_f64(number);
                    if half.is_infinite() && number.is_finite() {
                        return Err(too_large('e'));
                    }
                    out[..2].copy_from_slice(&half.to_le_bytes());
                }
                Kind::Single => {
                    let single = number as f32;
                    if single.is_infinite() && number.is_finite() {
                        return Err(too_large('f'));
                    }
                    out[..4].copy_from_slice(&single.to_le_bytes());
                }
                _ => out = number.to_le_bytes(),
            }
        }
        Kind::Pad | Kind::Text | Kind::Pascal => {}
    }
    Ok(out)
}

fn integer_bytes(field: &Field, number: &BigInt) -> Fallible<[u8; 8]> {
    let bits = field.width as u32 * 8;
    let (low, high) = match field.kind {
        Kind::Signed => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (0, (1i128 << bits) - 1),
    };
    if let Some(number) = number.to_i128().filter(|number| (low..=high).contains(number)) {
        return Ok((number as u64).to_le_bytes());
    }
    // CPython goes through a C long (an unsigned one for wide unsigned fields) and names the bounds only of what fits there.
    let wide_unsigned = field.kind == Kind::Unsigned && field.width >= 4;
    let through_long = if wide_unsigned { number.to_u64().is_some() } else { number.to_i64().is_some() };
    let name = match field.letter {
        _ if !through_long || field.width == 8 => return Err(value_error("argument out of range")),
        'b' => "byte",
        'B' => "ubyte",
        'h' => "short",
        'H' => "ushort",
        letter => return Err(value_error(format!("'{letter}' format requires {low} <= number <= {high}"))),
    };
    Err(value_error(format!("{name} format requires {low} <= number <= {high}")))
}

fn unpack(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let format = format_of(vm, args)?;
    let Some(data) = bytes_of(args.peek(vm, 1)) else {
        return Err(value_error("a bytes-like object is required"));
    };
    let offset = args.get(vm, 2);
    let offset = usize::try_from(vm.index(&offset)?).unwrap_or(usize::MAX);
    let end = offset.checked_add(format.bytes);
    let Some(data) = end.and_then(|end| data.get(offset..end)) else {
        return Err(value_error(format!("{} bytes are needed at offset {offset}", format.bytes)));
    };
    let mut values = Vec::new();
    for field in &format.fields {
        match field.kind {
            Kind::Pad => {}
            Kind::Text | Kind::Pascal => {
                let place = &data[field.start..field.start + field.count];
                let text = match (field.kind, place) {
                    (Kind::Pascal, [length, rest @ ..]) => &rest[..rest.len().min(*length as usize)],
                    (_, place) => place,
                };
                values.push(Value::Bytes(Ref::new(BytesObject::new(text))));
            }
            _ => {
                for index in 0..field.count {
                    vm.poll()?;
                    let start = field.start + index * field.width;
                    let mut bytes = [0u8; 8];
                    bytes[..field.width].copy_from_slice(&data[start..start + field.width]);
                    if format.big_endian {
                        bytes[..field.width].reverse();
                    }
                    values.push(decode(field, bytes));
                }
            }
        }
    }
    Ok(Value::tuple(values))
}

fn decode(field: &Field, bytes: [u8; 8]) -> Value {
    let unsigned = u64::from_le_bytes(bytes);
    match field.kind {
        Kind::Char => Value::Bytes(Ref::new(BytesObject::new([bytes[0]]))),
        Kind::Bool => Value::Bool(bytes[0] != 0),
        Kind::Unsigned => Value::int(unsigned),
        Kind::Signed => {
            let unused = 64 - field.width as u32 * 8;
            Value::Int(((unsigned << unused) as i64) >> unused)
        }
        Kind::Half => Value::Float(half::f16::from_le_bytes([bytes[0], bytes[1]]).to_f64()),
        Kind::Single => Value::Float(f64::from(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))),
        Kind::Double => Value::Float(f64::from_le_bytes(bytes)),
        Kind::Pad | Kind::Text | Kind::Pascal => Value::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_formats_are_aligned_and_standard_ones_are_not() {
        let starts = |text: &str| {
            parse(text).map(|format| (format.fields.iter().map(|field| field.start).collect::<Vec<_>>(), format.bytes))
        };
        assert_eq!(starts("bhlq"), Ok((vec![0, 2, 8, 16], 24)));
        assert_eq!(starts("<bhlq"), Ok((vec![0, 1, 3, 7], 15)));
        assert_eq!(starts("3s0q"), Ok((vec![0, 8], 8)));
        assert_eq!(starts("y"), Err("bad char in struct format".into()));
        assert_eq!(starts("3"), Err("repeat count given without format specifier".into()));
    }
}
