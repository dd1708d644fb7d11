//! Text encodings: UTF-8, ASCII, Latin-1, UTF-16 and UTF-32, with Python's error handlers and messages.

use super::classes::Builtin;
use super::{bytes, text};
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8,
    Utf8Sig,
    Ascii,
    Latin1,
    Utf16(Order),
    Utf32(Order),
}

/// Byte order of the wide encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// With a mark; native where there is none.
    Marked,
    Little,
    Big,
}

/// What happens to what cannot be encoded or decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Handler {
    Strict,
    Ignore,
    Replace,
    Backslash,
    Xml,
}

impl Encoding {
    fn find(name: &str) -> Fallible<Self> {
        let key: String =
            name.chars().map(|c| if matches!(c, '_' | ' ') { '-' } else { c.to_ascii_lowercase() }).collect();
        Ok(match key.as_str() {
            "utf-8" | "utf8" | "u8" | "cp65001" => Self::Utf8,
            "utf-8-sig" | "utf8-sig" => Self::Utf8Sig,
            "ascii" | "us-ascii" | "646" | "ansi-x3.4-1968" => Self::Ascii,
            "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "iso8859" | "8859" | "cp819" | "l1" | "latin" => {
                Self::Latin1
            }
            "utf-16" | "utf16" | "u16" => Self::Utf16(Order::Marked),
            "utf-16-le" | "utf-16le" => Self::Utf16(Order::Little),
            "utf-16-be" | "utf-16be" => Self::Utf16(Order::Big),
            "utf-32" | "utf32" | "u32" => Self::Utf32(Order::Marked),
            "utf-32-le" | "utf-32le" => Self::Utf32(Order::Little),
            "utf-32-be" | "utf-32be" => Self::Utf32(Order::Big),
            _ => return Err(raise::lookup_error(format!("unknown encoding: {name}"))),
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Utf8 | Self::Utf8Sig => "utf-8",
            Self::Ascii => "ascii",
            Self::Latin1 => "latin-1",
            Self::Utf16(Order::Marked) => "utf-16",
            Self::Utf16(Order::Little) => "utf-16-le",
            Self::Utf16(Order::Big) => "utf-16-be",
            Self::Utf32(Order::Marked) => "utf-32",
            Self::Utf32(Order::Little) => "utf-32-le",
            Self::Utf32(Order::Big) => "utf-32-be",
        }
    }
}

impl Handler {
    fn find(name: &str) -> Fallible<Self> {
        Ok(match name {
            "strict" => Self::Strict,
            "ignore" => Self::Ignore,
            "replace" => Self::Replace,
            "backslashreplace" => Self::Backslash,
            "xmlcharrefreplace" => Self::Xml,
            "surrogateescape" | "surrogatepass" | "namereplace" => {
                return Err(raise::not_implemented_error(format!("error handler '{name}' is not in this kernel")));
            }
            _ => return Err(raise::lookup_error(format!("unknown error handler name '{name}'"))),
        })
    }
}

/// `text.encode(encoding, errors)`
pub fn encode(source: &str, encoding: &str, errors: &str) -> Fallible<Vec<u8>> {
    let encoding = Encoding::find(encoding)?;
    let limit = match encoding {
        Encoding::Utf8 => return Ok(source.as_bytes().to_vec()),
        Encoding::Utf8Sig => return Ok([b"\xef\xbb\xbf", source.as_bytes()].concat()),
        Encoding::Utf16(order) => {
            let units = (order == Order::Marked).then_some(0xFEFF).into_iter().chain(source.encode_utf16());
            return Ok(units
                .flat_map(|unit: u16| if order == Order::Big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect());
        }
        Encoding::Utf32(order) => {
            let units = (order == Order::Marked).then_some(0xFEFF).into_iter().chain(source.chars().map(u32::from));
            return Ok(units
                .flat_map(|unit: u32| if order == Order::Big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect());
        }
        Encoding::Ascii => 128,
        Encoding::Latin1 => 256,
    };
    if source.is_ascii() {
        return Ok(source.as_bytes().to_vec());
    }
    let mut data = Vec::with_capacity(source.len());
    let chars: Vec<char> = source.chars().collect();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        if u32::from(c) < limit {
            data.push(c as u8);
            at += 1;
            continue;
        }
        let end = at + chars[at..].iter().take_while(|&&c| u32::from(c) >= limit).count();
        match Handler::find(errors)? {
            Handler::Strict => return Err(encode_error(encoding, source, at, end, limit)),
            Handler::Ignore => {}
            Handler::Replace => data.extend(std::iter::repeat_n(b'?', end - at)),
            Handler::Backslash => {
                let mut escaped = String::new();
                chars[at..end].iter().for_each(|&c| text::write_escape(&mut escaped, c));
                data.extend_from_slice(escaped.as_bytes());
            }
            Handler::Xml => {
                chars[at..end].iter().for_each(|&c| data.extend_from_slice(format!("&#{};", u32::from(c)).as_bytes()));
            }
        }
        at = end;
    }
    Ok(data)
}

fn encode_error(encoding: Encoding, source: &str, start: usize, end: usize, limit: u32) -> Raised {
    Raised::with_args(
        Builtin::UnicodeEncodeError,
        vec![
            Value::str(encoding.name()),
            Value::str(source),
            Value::from(start),
            Value::from(end),
            Value::str(format!("ordinal not in range({limit})")),
        ],
    )
}

/// Bytes that are no text: where, how many, and why.
struct Flaw {
    start: usize,
    end: usize,
    reason: &'static str,
}

/// `data.decode(encoding, errors)`
pub fn decode(data: &[u8], encoding: &str, errors: &str) -> Fallible<String> {
    let encoding = Encoding::find(encoding)?;
    match encoding {
        Encoding::Latin1 => Ok(data.iter().map(|&byte| char::from(byte)).collect()),
        Encoding::Utf8 => decode_utf8(data, errors),
        Encoding::Utf8Sig => decode_utf8(data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data), errors),
        Encoding::Ascii => {
            let mut out = String::with_capacity(data.len());
            for (at, &byte) in data.iter().enumerate() {
                if byte.is_ascii() {
                    out.push(char::from(byte));
                } else {
                    let flaw = Flaw { start: at, end: at + 1, reason: "ordinal not in range(128)" };
                    handle(encoding, data, &flaw, errors, &mut out)?;
                }
            }
            Ok(out)
        }
        Encoding::Utf16(order) => decode_wide(data, encoding, order, 2, errors),
        Encoding::Utf32(order) => decode_wide(data, encoding, order, 4, errors),
    }
}

fn decode_utf8(data: &[u8], errors: &str) -> Fallible<String> {
    let mut out = String::new();
    let mut at = 0;
    loop {
        match std::str::from_utf8(&data[at..]) {
            Ok(rest) if at == 0 => return Ok(rest.to_owned()),
            Ok(rest) => {
                out.push_str(rest);
                return Ok(out);
            }
            Err(error) => {
                let valid = at + error.valid_up_to();
                out.push_str(std::str::from_utf8(&data[at..valid]).unwrap_or_default());
                let flaw = utf8_flaw(data, valid, error.error_len());
                at = flaw.end;
                handle(Encoding::Utf8, data, &flaw, errors, &mut out)?;
            }
        }
    }
}

fn utf8_flaw(data: &[u8], start: usize, len: Option<usize>) -> Flaw {
    let Some(len) = len else { return Flaw { start, end: data.len(), reason: "unexpected end of data" } };
    let lead = data[start];
    let is_lead = (0xC2..=0xF4).contains(&lead);
    Flaw { start, end: start + len, reason: if is_lead { "invalid continuation byte" } else { "invalid start byte" } }
}

fn handle(encoding: Encoding, data: &[u8], flaw: &Flaw, errors: &str, out: &mut String) -> Fallible<()> {
    match Handler::find(errors)? {
        Handler::Strict => Err(Raised::with_args(
            Builtin::UnicodeDecodeError,
            vec![
                Value::str(encoding.name()),
                bytes::value(data),
                Value::from(flaw.start),
                Value::from(flaw.end),
                Value::str(flaw.reason),
            ],
        )),
        Handler::Ignore => Ok(()),
        Handler::Replace => {
            out.push('\u{fffd}');
            Ok(())
        }
        Handler::Backslash => {
            use std::fmt::Write as _;
            for byte in &data[flaw.start..flaw.end] {
                let _ = write!(out, "\\x{byte:02x}");
            }
            Ok(())
        }
        Handler::Xml => Err(raise::type_error("don't know how to handle UnicodeDecodeError in error callback")),
    }
}

fn decode_wide(data: &[u8], encoding: Encoding, order: Order, width: usize, errors: &str) -> Fallible<String> {
    let (mut encoding, mut big, mut at) = (encoding, order == Order::Big, 0);
    let named = |order| if width == 2 { Encoding::Utf16(order) } else { Encoding::Utf32(order) };
    if order == Order::Marked {
        let little_mark: &[u8] = if width == 2 { b"\xff\xfe" } else { b"\xff\xfe\x00\x00" };
        let big_mark: &[u8] = if width == 2 { b"\xfe\xff" } else { b"\x00\x00\xfe\xff" };
        if data.starts_with(little_mark) {
            at = width;
            encoding = named(Order::Little);
        } else if data.starts_with(big_mark) {
            at = width;
            big = true;
            encoding = named(Order::Big);
        }
    }
    let unit = |at: usize| -> Option<u32> {
        let chunk = data.get(at..at + width)?;
        let fold = |code: u32, byte: &u8| code << 8 | u32::from(*byte);
        Some(if big { chunk.iter().fold(0, fold) } else { chunk.iter().rev().fold(0, fold) })
    };
    let mut out = String::with_capacity(data.len());
    while at < data.len() {
        let (c, used, reason) = match unit(at) {
            None => (None, data.len() - at, "truncated data"),
            Some(code) if width == 2 && (0xD800..0xDC00).contains(&code) => match unit(at + 2) {
                Some(low) if (0xDC00..0xE000).contains(&low) => {
                    (char::from_u32(0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00)), 4, "")
                }
                Some(_) => (None, 2, "illegal UTF-16 surrogate"),
                None => (None, data.len() - at, "unexpected end of data"),
            },
            Some(code) => match char::from_u32(code) {
                Some(c) => (Some(c), width, ""),
                None if width == 2 => (None, 2, "illegal encoding"),
                None if code < 0x1_0000 => (None, 4, "code point in surrogate code point range(0xd800, 0xe000)"),
                None => (None, 4, "code point not in range(0x110000)"),
            },
        };
        match c {
            Some(c) => out.push(c),
            None => handle(encoding, data, &Flaw { start: at, end: at + used, reason }, errors, &mut out)?,
        }
        at += used;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(error: &Raised) -> String {
        error.0.args.borrow()[4].as_str().unwrap().to_owned()
    }

    fn place(error: &Raised) -> (i64, i64) {
        match (&error.0.args.borrow()[2], &error.0.args.borrow()[3]) {
            (Value::Int(start), Value::Int(end)) => (*start, *end),
            _ => panic!("positions are numbers"),
        }
    }

    #[test]
    fn texts_survive_every_encoding() {
        for encoding in ["utf-8", "UTF_16", "utf-16-be", "utf-32", "utf-32-le", "utf-8-sig"] {
            let data = encode("aé漢😀", encoding, "strict").unwrap();
            assert_eq!(decode(&data, encoding, "strict").unwrap(), "aé漢😀", "{encoding}");
        }
        assert_eq!(encode("aé😀", "utf-16", "strict").unwrap(), b"\xff\xfea\x00\xe9\x00=\xd8\x00\xde");
        assert_eq!(decode(b"\xe9", "latin-1", "strict").unwrap(), "é");
    }

    #[test]
    fn handlers_and_errors_are_pythons() {
        assert_eq!(decode(b"\xffa\xe6\xbcb", "utf-8", "replace").unwrap(), "\u{fffd}a\u{fffd}b");
        assert_eq!(decode(b"\xffa\xe6\xbcb", "utf-8", "backslashreplace").unwrap(), "\\xffa\\xe6\\xbcb");
        assert_eq!(encode("é漢😀", "ascii", "backslashreplace").unwrap(), b"\\xe9\\u6f22\\U0001f600");
        assert_eq!(encode("é漢", "ascii", "xmlcharrefreplace").unwrap(), b"&#233;&#28450;");
        let error = encode("aéü", "ascii", "strict").unwrap_err();
        assert_eq!((place(&error), reason(&error)), ((1, 3), "ordinal not in range(128)".to_owned()));
        let cases: [(&[u8], (i64, i64), &str); 5] = [
            (b"\xff", (0, 1), "invalid start byte"),
            (b"\xe6\xbc", (0, 2), "unexpected end of data"),
            (b"\xed\xa0\x80", (0, 1), "invalid continuation byte"),
            (b"a\xc0\x80", (1, 2), "invalid start byte"),
            (b"\xf4\x90\x80\x80", (0, 1), "invalid continuation byte"),
        ];
        for (data, at, why) in cases {
            let error = decode(data, "utf-8", "strict").unwrap_err();
            assert_eq!((place(&error), reason(&error).as_str()), (at, why), "{data:?}");
        }
        assert!(encode("é", "foo", "strict").unwrap_err().is(Builtin::LookupError));
        assert!(encode("é", "ascii", "bar").unwrap_err().is(Builtin::LookupError));
    }
}
