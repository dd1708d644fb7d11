//! The methods that `bytes` and `bytearray` share, and the class `bytes`.

use super::classes::{Builtin, attach, builtin_class};
use super::{bytes, codecs, convert, dunders, receiver, text};
use crate::lang::name::names;
use crate::lang::native::{Args, Method, class_method, method, static_method};
use crate::lang::objects::ClassRef;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const COMMON: &[Method] = &[
    class_method("fromhex", "(cls, string, /)", "Create from a string of hexadecimal numbers.", fromhex),
    static_method("maketrans", "(frm, to, /)", "Return a translation table.", maketrans),
    method("decode", "(self, encoding='utf-8', errors='strict')", "Decode to text.", decode),
    method("hex", "(self, sep=None, bytes_per_sep=1)", "Hexadecimal digits of the data.", hex),
    method("find", "(self, sub, start=None, end=None, /)", "Lowest index of sub, or -1.", find),
    method("rfind", "(self, sub, start=None, end=None, /)", "Highest index of sub, or -1.", find).with_row(1),
    method("index", "(self, sub, start=None, end=None, /)", "As find, but raises.", find).with_row(2),
    method("rindex", "(self, sub, start=None, end=None, /)", "As rfind, but raises.", find).with_row(3),
    method("count", "(self, sub, start=None, end=None, /)", "How often sub occurs without overlap.", count),
    method("startswith", "(self, prefix, start=None, end=None, /)", "Whether it starts with prefix.", starts),
    method("endswith", "(self, suffix, start=None, end=None, /)", "Whether it ends with suffix.", starts).with_row(1),
    method("split", "(self, sep=None, maxsplit=-1)", "Sections between sep.", split),
    method("rsplit", "(self, sep=None, maxsplit=-1)", "Sections between sep, from the end.", split).with_row(1),
    method("splitlines", "(self, keepends=False)", "The lines.", splitlines),
    method("partition", "(self, sep, /)", "What stands before, sep, and what stands after.", partition),
    method("rpartition", "(self, sep, /)", "As partition, from the end.", partition).with_row(1),
    method("join", "(self, iterable_of_bytes, /)", "The items with this between them.", join),
    method("replace", "(self, old, new, count=-1, /)", "A copy with old replaced by new.", replace),
    method("strip", "(self, bytes=None, /)", "Without leading and trailing bytes.", strip),
    method("lstrip", "(self, bytes=None, /)", "Without leading bytes.", strip).with_row(1),
    method("rstrip", "(self, bytes=None, /)", "Without trailing bytes.", strip).with_row(2),
    method("removeprefix", "(self, prefix, /)", "Without the prefix.", remove_affix),
    method("removesuffix", "(self, suffix, /)", "Without the suffix.", remove_affix).with_row(1),
    method("translate", "(self, table, /, delete=b'')", "With each byte mapped by the table.", translate),
    method("expandtabs", "(self, tabsize=8)", "With tabs expanded.", expandtabs),
    method("center", "(self, width, fillchar=b' ', /)", "Centered in width.", justify),
    method("ljust", "(self, width, fillchar=b' ', /)", "Left-justified in width.", justify).with_row(1),
    method("rjust", "(self, width, fillchar=b' ', /)", "Right-justified in width.", justify).with_row(2),
    method("zfill", "(self, width, /)", "With zeros in front, behind a sign.", zfill),
    method("upper", "(self, /)", "ASCII letters in upper case.", map_case).with_row(0),
    method("lower", "(self, /)", "ASCII letters in lower case.", map_case).with_row(1),
    method("swapcase", "(self, /)", "ASCII letters with case swapped.", map_case).with_row(2),
    method("capitalize", "(self, /)", "First letter upper, the rest lower case.", map_case).with_row(3),
    method("title", "(self, /)", "Words start in upper case.", map_case).with_row(4),
    method("isalnum", "(self, /)", "Whether all bytes are ASCII letters or digits.", classify).with_row(0),
    method("isalpha", "(self, /)", "Whether all bytes are ASCII letters.", classify).with_row(1),
    method("isdigit", "(self, /)", "Whether all bytes are ASCII digits.", classify).with_row(2),
    method("isspace", "(self, /)", "Whether all bytes are ASCII white space.", classify).with_row(3),
    method("isascii", "(self, /)", "Whether all bytes are ASCII.", classify).with_row(4),
    method("islower", "(self, /)", "Whether all cased bytes are lower case.", classify).with_row(5),
    method("isupper", "(self, /)", "Whether all cased bytes are upper case.", classify).with_row(6),
    method("istitle", "(self, /)", "Whether words start in upper case.", classify).with_row(7),
];

const BYTES: &[Method] = &[
    static_method("__new__", "(cls, source=b'', encoding=None, errors=None)", "Create bytes from source.", new),
    method("__bytes__", "(self, /)", "Convert to bytes.", |vm, args| Ok(bytes::value(data(vm, args)?))),
];

/// Attaches what `bytes` and `bytearray` share.
pub fn attach_common(class: &ClassRef) {
    attach(class, COMMON);
}

/// Attaches the methods of `bytes`.
pub fn install() {
    let class = builtin_class(Builtin::Bytes);
    attach_common(&class);
    attach(&class, BYTES);
    dunders::attach_sequence(&class);
    dunders::attach_modulo(&class);
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    if args.optional(vm, 2).is_none()
        && args.optional(vm, 3).is_none()
        && let Some(source) = args.optional(vm, 1)
        && let Some(special) = vm.find_special(&source, names::BYTES)
    {
        let result = vm.call(&special, &[])?;
        return match receiver::payload(&result) {
            Value::Bytes(_) => receiver::derive(vm, args, Builtin::Bytes, result),
            _ => Err(raise::type_error(format!("__bytes__ returned non-bytes (type {})", result.type_name()))),
        };
    }
    let data = from_arguments(vm, args, "bytes")?;
    receiver::derive(vm, args, Builtin::Bytes, bytes::value(data))
}

/// The data that `(self, source, encoding, errors)` ask for.
pub fn from_arguments(vm: &mut Vm, args: Args, class: &str) -> Fallible<Vec<u8>> {
    let (encoding, errors) = (args.optional(vm, 2), args.optional(vm, 3));
    let Some(source) = args.optional(vm, 1) else {
        return match (encoding, errors) {
            (None, None) => Ok(vec![]),
            (Some(_), _) => Err(raise::type_error("encoding without a string argument")),
            _ => Err(raise::type_error("errors without a string argument")),
        };
    };
    if encoding.is_none() && errors.is_none() {
        return bytes::from_source(vm, &source, class);
    }
    let Value::Str(string) = receiver::payload(&source) else {
        return Err(raise::type_error(if encoding.is_some() {
            "encoding without a string argument"
        } else {
            "errors without a string argument"
        }));
    };
    if encoding.is_none() {
        return Err(raise::type_error("string argument without an encoding"));
    }
    let encoding = args.text(vm, 2, &format!("{class}() argument 'encoding'"))?;
    let errors = errors.map_or(Ok("strict".into()), |_| args.text(vm, 3, &format!("{class}() argument 'errors'")))?;
    codecs::encode(string.as_str(), &encoding, &errors)
}

fn data(vm: &Vm, args: Args) -> Fallible<Vec<u8>> {
    let value = receiver::payload(args.peek(vm, 0));
    match (&value, bytes::view(&value)) {
        (Value::Bytes(_) | Value::ByteArray(_), Some(view)) => Ok(view.as_slice().to_vec()),
        _ => Err(receiver::wrong(args, args.peek(vm, 0), "bytes")),
    }
}

/// A result of the receiver's type.
fn answer(vm: &Vm, args: Args, data: Vec<u8>) -> Value {
    bytes::like(&receiver::payload(args.peek(vm, 0)), data)
}

fn required(vm: &Vm, args: Args, index: usize) -> Fallible<Vec<u8>> {
    bytes::required(args.peek(vm, index))
}

/// The section that optional start and end arguments select.
fn section(vm: &mut Vm, args: Args, first: usize, len: usize) -> Fallible<(usize, usize)> {
    let mut bound = |index: usize, default: i64| -> Fallible<i64> {
        match args.not_none(vm, index) {
            Some(value) => {
                let number = convert::index_value(vm, &value).map_err(|_| {
                    raise::type_error("slice indices must be integers or None or have an __index__ method")
                })?;
                let at = crate::lang::operators::number::saturated(&number).unwrap_or(default);
                Ok(if at < 0 { at.saturating_add(len as i64).max(0) } else { at })
            }
            None => Ok(default),
        }
    };
    let start = bound(first, 0)?;
    let end = bound(first + 1, len as i64)?.min(len as i64);
    Ok((start as usize, end as usize))
}

fn find(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let needle = args.get(vm, 1);
    let needle = bytes::needle(vm, &needle)?;
    let (start, end) = section(vm, args, 2, data.len())?;
    let found = if start > end {
        None
    } else if args.row & 1 == 0 {
        bytes::find(&data[start..end], &needle, 0)
    } else {
        bytes::find_last(&data[start..end], &needle)
    };
    match found {
        Some(at) => Ok(Value::from(start + at)),
        None if args.row < 2 => Ok(Value::Int(-1)),
        None => Err(raise::value_error("subsection not found")),
    }
}

fn count(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let needle = args.get(vm, 1);
    let needle = bytes::needle(vm, &needle)?;
    let (start, end) = section(vm, args, 2, data.len())?;
    if start > end {
        return Ok(Value::Int(0));
    }
    let data = &data[start..end];
    if needle.is_empty() {
        return Ok(Value::from(data.len() + 1));
    }
    let (mut found, mut at) = (0, 0);
    while let Some(next) = bytes::find(data, &needle, at) {
        found += 1;
        at = next + needle.len();
    }
    Ok(Value::Int(found))
}

fn starts(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let (start, end) = section(vm, args, 2, data.len())?;
    let affix = args.get(vm, 1);
    let function = if args.row == 0 { "startswith" } else { "endswith" };
    let affixes = match &affix {
        Value::Tuple(items) => items.items().to_vec(),
        single if bytes::view(single).is_some() => vec![single.clone()],
        other => {
            return Err(raise::type_error(format!(
                "{function} first arg must be bytes or a tuple of bytes, not {}",
                other.type_name()
            )));
        }
    };
    for affix in affixes {
        let affix = bytes::required(&affix)?;
        let fits = start <= end
            && if args.row == 0 { data[start..end].starts_with(&affix) } else { data[start..end].ends_with(&affix) };
        if fits {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn split(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let limit = args.index_or(vm, 2, -1)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let from_end = args.row == 1;
    let parts: Vec<Vec<u8>> = match args.not_none(vm, 1) {
        None => split_space(&data, limit, from_end),
        Some(separator) => {
            let separator = bytes::required(&separator)?;
            if separator.is_empty() {
                return Err(raise::value_error("empty separator"));
            }
            split_at(&data, &separator, limit, from_end)
        }
    };
    Ok(Value::list(parts.into_iter().map(|part| answer(vm, args, part)).collect()))
}

fn split_space(data: &[u8], limit: usize, from_end: bool) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let mut rest = trim(data, is_space, !from_end, from_end);
    while !rest.is_empty() {
        if parts.len() == limit {
            parts.push(rest.to_vec());
            break;
        }
        if from_end {
            let at = rest.iter().rposition(is_space).map_or(0, |at| at + 1);
            parts.push(rest[at..].to_vec());
            rest = trim(&rest[..at], is_space, false, true);
        } else {
            let at = rest.iter().position(is_space).unwrap_or(rest.len());
            parts.push(rest[..at].to_vec());
            rest = trim(&rest[at..], is_space, true, false);
        }
    }
    if from_end {
        parts.reverse();
    }
    parts
}

fn split_at(data: &[u8], separator: &[u8], limit: usize, from_end: bool) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let mut rest = data;
    while parts.len() < limit {
        let found = if from_end { bytes::find_last(rest, separator) } else { bytes::find(rest, separator, 0) };
        let Some(at) = found else { break };
        if from_end {
            parts.push(rest[at + separator.len()..].to_vec());
            rest = &rest[..at];
        } else {
            parts.push(rest[..at].to_vec());
            rest = &rest[at + separator.len()..];
        }
    }
    parts.push(rest.to_vec());
    if from_end {
        parts.reverse();
    }
    parts
}

fn trim(data: &[u8], gone: impl Fn(&u8) -> bool, left: bool, right: bool) -> &[u8] {
    let start = if left { data.iter().position(|byte| !gone(byte)).unwrap_or(data.len()) } else { 0 };
    let end = if right { data.iter().rposition(|byte| !gone(byte)).map_or(start, |at| at + 1) } else { data.len() };
    &data[start..end.max(start)]
}

fn splitlines(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let keep = args.truth_or(vm, 1, false)?;
    let mut lines = Vec::new();
    let mut start = 0;
    while start < data.len() {
        let end = data[start..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(data.len(), |at| start + at);
        let next = match &data[end..] {
            [b'\r', b'\n', ..] => end + 2,
            [] => end,
            _ => end + 1,
        };
        lines.push(answer(vm, args, data[start..if keep { next } else { end }].to_vec()));
        start = next;
    }
    Ok(Value::list(lines))
}

fn partition(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let separator = required(vm, args, 1)?;
    if separator.is_empty() {
        return Err(raise::value_error("empty separator"));
    }
    let from_end = args.row == 1;
    let found = if from_end { bytes::find_last(&data, &separator) } else { bytes::find(&data, &separator, 0) };
    let parts = match found {
        Some(at) => [data[..at].to_vec(), separator.clone(), data[at + separator.len()..].to_vec()],
        None if from_end => [vec![], vec![], data],
        None => [data, vec![], vec![]],
    };
    Ok(Value::tuple(parts.map(|part| answer(vm, args, part))))
}

fn join(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let separator = data(vm, args)?;
    let iterable = args.get(vm, 1);
    let items = vm.collect(&iterable)?;
    let mut total = separator.len().saturating_mul(items.len());
    for (index, item) in items.iter().enumerate() {
        match bytes::view(&receiver::payload(item)) {
            Some(view) => total = total.saturating_add(view.as_slice().len()),
            None => {
                return Err(raise::type_error(format!(
                    "sequence item {index}: expected a bytes-like object, {} found",
                    item.type_name()
                )));
            }
        }
    }
    vm.reserve(total)?;
    let mut joined = Vec::with_capacity(total);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            joined.extend_from_slice(&separator);
        }
        joined.extend_from_slice(&bytes::required(item)?);
    }
    Ok(answer(vm, args, joined))
}

fn replace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let (old, new) = (required(vm, args, 1)?, required(vm, args, 2)?);
    let limit = args.index_or(vm, 3, -1)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut places = Vec::new();
    let mut at = 0;
    while places.len() < limit
        && let Some(next) = bytes::find(&data, &old, at)
    {
        places.push(next);
        at = next + old.len().max(1);
    }
    vm.reserve(data.len().saturating_add(places.len().saturating_mul(new.len())))?;
    let mut out = Vec::new();
    let mut from = 0;
    for place in places {
        out.extend_from_slice(&data[from..place]);
        out.extend_from_slice(&new);
        from = place + old.len();
    }
    out.extend_from_slice(&data[from..]);
    Ok(answer(vm, args, out))
}

fn strip(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let (left, right) = (args.row != 2, args.row != 1);
    let kept = match args.not_none(vm, 1) {
        None => trim(&data, is_space, left, right),
        Some(set) => {
            let set = bytes::required(&set)?;
            trim(&data, |byte| set.contains(byte), left, right)
        }
    };
    Ok(answer(vm, args, kept.to_vec()))
}

fn remove_affix(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let affix = required(vm, args, 1)?;
    let kept = if args.row == 0 { data.strip_prefix(&*affix) } else { data.strip_suffix(&*affix) };
    Ok(answer(vm, args, kept.unwrap_or(&data).to_vec()))
}

fn translate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let table = match args.not_none(vm, 1) {
        Some(table) => Some(bytes::required(&table)?),
        None => None,
    };
    if table.as_ref().is_some_and(|table| table.len() != 256) {
        return Err(raise::value_error("translation table must be 256 characters long"));
    }
    let delete = match args.optional(vm, 2) {
        Some(delete) => bytes::required(&delete)?,
        None => vec![],
    };
    let mapped = data
        .iter()
        .filter(|byte| !delete.contains(byte))
        .map(|&byte| table.as_ref().map_or(byte, |table| table[usize::from(byte)]))
        .collect();
    Ok(answer(vm, args, mapped))
}

fn maketrans(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (from, to) = (required(vm, args, 0)?, required(vm, args, 1)?);
    if from.len() != to.len() {
        return Err(raise::value_error("maketrans arguments must have same length"));
    }
    let mut table: Vec<u8> = (0..=255).collect();
    from.iter().zip(&to).for_each(|(&from, &to)| table[usize::from(from)] = to);
    Ok(bytes::value(table))
}

fn expandtabs(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let size = args.index_or(vm, 1, 8)?;
    let mut out = Vec::with_capacity(data.len());
    let mut column = 0i64;
    for byte in data {
        match byte {
            b'\t' => {
                if size > 0 {
                    let spaces = size - column % size;
                    column += spaces;
                    vm.reserve(spaces as usize)?;
                    out.resize(out.len() + spaces as usize, b' ');
                }
            }
            b'\n' | b'\r' => {
                column = 0;
                out.push(byte);
            }
            _ => {
                column += 1;
                out.push(byte);
            }
        }
    }
    Ok(answer(vm, args, out))
}

fn justify(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let width = args.index_or(vm, 1, 0)?;
    let function = ["center", "ljust", "rjust"][args.row];
    let fill = match args.optional(vm, 2) {
        None => b' ',
        Some(value) => match bytes::view(&value).as_ref().map(bytes::View::as_slice) {
            Some([fill]) => *fill,
            _ => {
                return Err(raise::type_error(format!(
                    "{function}() argument 2 must be a byte string of length 1, not {}",
                    value.type_name()
                )));
            }
        },
    };
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(data.len());
    vm.reserve(missing)?;
    let left = match args.row {
        0 => super::str_layout::center_left(missing, width),
        1 => 0,
        _ => missing,
    };
    let mut out = vec![fill; left];
    out.extend_from_slice(&data);
    out.resize(out.len() + missing - left, fill);
    Ok(answer(vm, args, out))
}

fn zfill(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let width = args.index_or(vm, 1, 0)?;
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(data.len());
    vm.reserve(missing)?;
    let sign_len = usize::from(matches!(data.first(), Some(b'+' | b'-')));
    let mut out = data[..sign_len].to_vec();
    out.resize(sign_len + missing, b'0');
    out.extend_from_slice(&data[sign_len..]);
    Ok(answer(vm, args, out))
}

fn map_case(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut data = data(vm, args)?;
    let mut in_word = false;
    for (index, byte) in data.iter_mut().enumerate() {
        *byte = match args.row {
            0 => byte.to_ascii_uppercase(),
            1 => byte.to_ascii_lowercase(),
            2 if byte.is_ascii_lowercase() => byte.to_ascii_uppercase(),
            2 => byte.to_ascii_lowercase(),
            3 if index == 0 => byte.to_ascii_uppercase(),
            4 if !in_word => byte.to_ascii_uppercase(),
            _ => byte.to_ascii_lowercase(),
        };
        in_word = byte.is_ascii_alphabetic();
    }
    Ok(answer(vm, args, data))
}

fn classify(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let all = |test: fn(&u8) -> bool| !data.is_empty() && data.iter().all(test);
    let has_cased = data.iter().any(u8::is_ascii_alphabetic);
    Ok(Value::Bool(match args.row {
        0 => all(u8::is_ascii_alphanumeric),
        1 => all(u8::is_ascii_alphabetic),
        2 => all(u8::is_ascii_digit),
        3 => all(is_space),
        4 => data.is_ascii(),
        5 => has_cased && !data.iter().any(u8::is_ascii_uppercase),
        6 => has_cased && !data.iter().any(u8::is_ascii_lowercase),
        _ => {
            let mut in_word = false;
            has_cased
                && data.iter().all(|byte| {
                    let fits = if byte.is_ascii_uppercase() { !in_word } else { !byte.is_ascii_lowercase() || in_word };
                    in_word = byte.is_ascii_alphabetic();
                    fits
                })
        }
    }))
}

fn decode(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let encoding = match args.optional(vm, 1) {
        Some(_) => args.text(vm, 1, "decode() argument 'encoding'")?,
        None => "utf-8".into(),
    };
    let errors = match args.optional(vm, 2) {
        Some(_) => args.text(vm, 2, "decode() argument 'errors'")?,
        None => "strict".into(),
    };
    codecs::decode(&data, &encoding, &errors).map(|decoded| text::value(&decoded))
}

/// Hexadecimal digits in groups, as `bytes.hex(sep, bytes_per_sep)`.
fn hex(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let data = data(vm, args)?;
    let group = args.index_or(vm, 2, 1)?;
    let separator = match args.not_none(vm, 1) {
        None => None,
        Some(Value::Str(text)) if text.len_chars() == 1 => text.as_str().chars().next(),
        Some(Value::Bytes(data)) if data.as_bytes().len() == 1 => Some(char::from(data.as_bytes()[0])),
        Some(Value::Str(_) | Value::Bytes(_)) => return Err(raise::value_error("sep must be length 1.")),
        Some(_) => return Err(raise::type_error("sep must be str or bytes.")),
    };
    vm.reserve(data.len().saturating_mul(3))?;
    let size = usize::try_from(group.unsigned_abs()).unwrap_or(usize::MAX);
    let mut out = String::with_capacity(data.len() * 2);
    for (index, byte) in data.iter().enumerate() {
        if let Some(separator) = separator.filter(|_| size > 0 && index > 0) {
            // Groups are counted from the right, from the left where the size is negative.
            let boundary = if group > 0 { data.len() - index } else { index };
            if boundary % size == 0 {
                out.push(separator);
            }
        }
        use std::fmt::Write as _;
        let _ = write!(out, "{byte:02x}");
    }
    Ok(Value::str(out))
}

fn fromhex(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let text = args.text(vm, 1, "fromhex() argument")?;
    let chars: Vec<char> = text.chars().collect();
    let wrong =
        |at: usize| raise::value_error(format!("non-hexadecimal number found in fromhex() arg at position {at}"));
    let digit = |at: usize| chars.get(at).and_then(|c| c.to_digit(16)).ok_or_else(|| wrong(at));
    let mut data = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_ascii() && is_space(&(chars[at] as u8)) {
            at += 1;
            continue;
        }
        data.push((digit(at)? * 16 + digit(at + 1)?) as u8);
        at += 2;
    }
    let class = args.get(vm, 0);
    let value = bytes::value(data);
    if matches!(&class, Value::Class(class) if *class == builtin_class(Builtin::Bytes)) {
        return Ok(value);
    }
    vm.call(&class, &[value])
}
