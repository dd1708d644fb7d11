//! Texts as values: single characters, slices, `repr` quoting.

use super::slice::Selection;
use super::unicode;
use crate::lang::heap::Ref;
use crate::lang::objects::StrObject;
use crate::lang::value::Value;

thread_local! {
    static ASCII: Vec<Value> = (0..128u8).map(|byte| Value::str(char::from(byte).to_string())).collect();
    static EMPTY: Value = Value::str("");
}

/// The shared text of one ASCII character.
#[inline]
pub fn ascii_char(byte: u8) -> Value {
    ASCII.with(|texts| texts[usize::from(byte & 0x7F)].clone())
}

/// The shared empty text.
#[inline]
pub fn empty() -> Value {
    EMPTY.with(Value::clone)
}

/// The text of one character.
#[inline]
pub fn char_value(c: char) -> Value {
    if c.is_ascii() {
        return ascii_char(c as u8);
    }
    let mut buffer = [0; 4];
    Value::str(&*c.encode_utf8(&mut buffer))
}

/// A text value, shared where it is empty or one ASCII character.
#[inline]
pub fn value(text: &str) -> Value {
    match text.as_bytes() {
        [] => empty(),
        [byte] => ascii_char(*byte),
        _ => Value::str(text),
    }
}

/// The text of an integer.
pub fn of_int(int: i64) -> Value {
    match u8::try_from(int) {
        Ok(digit @ 0..=9) => ascii_char(b'0' + digit),
        _ => Value::Str(Ref::new(StrObject::of_int(int))),
    }
}

/// As [`value`], for a text that nobody else needs.
pub fn owned(text: String) -> Value {
    if text.len() < 2 { value(&text) } else { Value::str(text) }
}

/// The byte positions where a needle stands, from the left and without overlaps; an empty one stands before every character and at
/// the end.
pub fn positions<'a>(text: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let everywhere = needle.is_empty().then(|| text.char_indices().map(|(at, _)| at).chain([text.len()]));
    let found = (!needle.is_empty()).then(|| memchr::memmem::find_iter(text.as_bytes(), needle));
    everywhere.into_iter().flatten().chain(found.into_iter().flatten())
}

/// The parts between the places of a separator, which is not empty.
pub fn split<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    let ends = positions(text, separator).chain([text.len()]);
    let mut from = 0;
    ends.map(move |end| {
        let part = &text[from..end];
        from = end + separator.len();
        part
    })
}

/// Appends a character `count` times, in one copy where there are many.
pub fn push_fill(into: &mut String, c: char, count: usize) {
    if count < 32 {
        into.extend(std::iter::repeat_n(c, count));
    } else {
        into.push_str(&c.encode_utf8(&mut [0; 4]).repeat(count));
    }
}

/// The selected characters.
pub fn sliced(text: &StrObject, selection: Selection) -> Value {
    if selection.count == 0 {
        return empty();
    }
    let string = text.as_str();
    if selection.step == 1 {
        let start = selection.start as usize;
        if text.is_ascii() {
            return value(&string[start..start + selection.count]);
        }
        let from = text.byte_offset(start);
        let rest = &string[from..];
        let to = rest.char_indices().nth(selection.count).map_or(rest.len(), |(at, _)| at);
        return value(&rest[..to]);
    }
    if text.is_ascii() {
        let bytes = string.as_bytes();
        return Value::str(selection.positions().map(|at| char::from(bytes[at])).collect::<String>());
    }
    let chars: Vec<char> = string.chars().collect();
    Value::str(selection.positions().map(|at| chars[at]).collect::<String>())
}

/// The text between two character positions.
pub fn between(text: &StrObject, start: usize, end: usize) -> &str {
    let string = text.as_str();
    if text.is_ascii() {
        let end = end.min(string.len());
        return &string[start.min(end)..end];
    }
    let from = text.byte_offset(start);
    let to = if end >= text.len_chars() { string.len() } else { text.byte_offset(end) };
    &string[from.min(to)..to]
}

/// Appends `repr(text)`.
pub fn write_repr(into: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    into.reserve(text.len() + 2);
    into.push(quote);
    for c in text.chars() {
        match c {
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            '\\' => into.push_str("\\\\"),
            _ if c == quote => {
                into.push('\\');
                into.push(c);
            }
            _ if unicode::is_printable(c) => into.push(c),
            _ => write_escape(into, c),
        }
    }
    into.push(quote);
}

/// Appends `\xNN`, `\uNNNN` or `\UNNNNNNNN`.
pub fn write_escape(into: &mut String, c: char) {
    use std::fmt::Write as _;
    let code = u32::from(c);
    // Writing to a String does not fail.
    let _ = match code {
        0..=0xFF => write!(into, "\\x{code:02x}"),
        0x100..=0xFFFF => write!(into, "\\u{code:04x}"),
        _ => write!(into, "\\U{code:08x}"),
    };
}

/// `ascii()`: a representation with everything beyond ASCII escaped.
pub fn to_ascii(repr: &str) -> String {
    let mut into = String::with_capacity(repr.len());
    for c in repr.chars() {
        if c.is_ascii() { into.push(c) } else { write_escape(&mut into, c) }
    }
    into
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::builtins::slice::Bounds;

    fn repr(text: &str) -> String {
        let mut into = String::new();
        write_repr(&mut into, text);
        into
    }

    #[test]
    fn quoting_prefers_single_quotes() {
        assert_eq!(repr("a"), "'a'");
        assert_eq!(repr("it's"), "\"it's\"");
        assert_eq!(repr("it's \"x\""), "'it\\'s \"x\"'");
        assert_eq!(repr("\n\t\\\x00\x7f"), "'\\n\\t\\\\\\x00\\x7f'");
        assert_eq!(repr("é漢\u{200b}\u{a0}\u{10ffff}"), "'é漢\\u200b\\xa0\\U0010ffff'");
        assert_eq!(to_ascii("'é漢😀'"), "'\\xe9\\u6f22\\U0001f600'");
    }

    #[test]
    fn slices_count_characters() {
        let text = StrObject::new("héllo漢😀");
        let slice = |start, stop, step| {
            let selection = Bounds { start, stop, step }.select(text.len_chars());
            sliced(&text, selection).as_str().unwrap().to_owned()
        };
        assert_eq!(slice(Some(1), Some(6), 1), "éllo漢");
        assert_eq!(slice(None, None, -1), "😀漢olléh");
        assert_eq!(slice(Some(-2), None, 1), "漢😀");
        assert_eq!(between(&text, 5, 7), "漢😀");
    }
}
