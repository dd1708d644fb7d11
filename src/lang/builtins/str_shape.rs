//! The methods of `str` that lay out, change case and classify.

use super::{receiver, str_layout, text, unicode};
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The methods of this file.
pub const METHODS: &[Method] = &[
    method("center", "(self, width, fillchar=' ', /)", "Centered in width.", justify),
    method("ljust", "(self, width, fillchar=' ', /)", "Left-justified in width.", justify).with_row(1),
    method("rjust", "(self, width, fillchar=' ', /)", "Right-justified in width.", justify).with_row(2),
    method("zfill", "(self, width, /)", "With zeros in front, behind a sign.", zfill),
    method("expandtabs", "(self, tabsize=8)", "With tabs expanded.", expandtabs),
    method("upper", "(self, /)", "In upper case.", change_case).with_row(0),
    method("lower", "(self, /)", "In lower case.", change_case).with_row(1),
    method("casefold", "(self, /)", "For comparison without case.", change_case).with_row(2),
    method("swapcase", "(self, /)", "With case swapped.", change_case).with_row(3),
    method("capitalize", "(self, /)", "First character upper, the rest lower case.", change_case).with_row(4),
    method("title", "(self, /)", "Words start in upper case.", change_case).with_row(5),
    method("isalnum", "(self, /)", "Whether all characters are alphanumeric.", classify).with_row(0),
    method("isalpha", "(self, /)", "Whether all characters are letters.", classify).with_row(1),
    method("isascii", "(self, /)", "Whether all characters are ASCII.", classify).with_row(2),
    method("isdecimal", "(self, /)", "Whether all characters are decimal digits.", classify).with_row(3),
    method("isdigit", "(self, /)", "Whether all characters are digits.", classify).with_row(4),
    method("isnumeric", "(self, /)", "Whether all characters are numeric.", classify).with_row(5),
    method("isspace", "(self, /)", "Whether all characters are white space.", classify).with_row(6),
    method("isprintable", "(self, /)", "Whether all characters print.", classify).with_row(7),
    method("isidentifier", "(self, /)", "Whether it is an identifier.", classify).with_row(8),
    method("islower", "(self, /)", "Whether all cased characters are lower case.", classify).with_row(9),
    method("isupper", "(self, /)", "Whether all cased characters are upper case.", classify).with_row(10),
    method("istitle", "(self, /)", "Whether words start in upper case.", classify).with_row(11),
];

fn justify(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let width = args.index_or(vm, 1, 0)?;
    let fill = match args.optional(vm, 2).map(|fill| receiver::payload(&fill)) {
        None => ' ',
        Some(Value::Str(fill)) if fill.len_chars() == 1 => fill.as_str().chars().next().unwrap_or(' '),
        Some(Value::Str(_)) => {
            return Err(raise::type_error("The fill character must be exactly one character long"));
        }
        Some(other) => {
            return Err(raise::type_error(format!(
                "The fill character must be a unicode character, not {}",
                other.type_name()
            )));
        }
    };
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(source.len_chars());
    if missing == 0 {
        return Ok(Value::Str(source));
    }
    vm.reserve(missing.saturating_mul(fill.len_utf8()))?;
    let left = match args.row {
        0 => str_layout::center_left(missing, width),
        1 => 0,
        _ => missing,
    };
    let mut out = String::with_capacity(source.as_str().len() + missing * fill.len_utf8());
    text::push_fill(&mut out, fill, left);
    out.push_str(source.as_str());
    text::push_fill(&mut out, fill, missing - left);
    Ok(Value::str(out))
}

fn zfill(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let width = args.index_or(vm, 1, 0)?;
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(source.len_chars());
    if missing == 0 {
        return Ok(Value::Str(source));
    }
    vm.reserve(missing)?;
    let (sign, rest) = source.as_str().split_at(usize::from(source.as_str().starts_with(['+', '-'])));
    Ok(Value::str(format!("{sign}{}{rest}", "0".repeat(missing))))
}

fn expandtabs(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let size = match args.optional(vm, 1) {
        Some(size) => i64::from(super::convert::index_c_int(vm, &size)?),
        None => 8,
    };
    let mut out = String::with_capacity(source.as_str().len());
    let mut column = 0i64;
    for c in source.as_str().chars() {
        match c {
            '\t' if size > 0 => {
                let spaces = size - column % size;
                column += spaces;
                vm.reserve(spaces as usize)?;
                text::push_fill(&mut out, ' ', spaces as usize);
            }
            '\t' => {}
            _ => {
                column = if matches!(c, '\n' | '\r') { 0 } else { column + 1 };
                out.push(c);
            }
        }
    }
    Ok(text::value(&out))
}

fn change_case(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let string = source.as_str();
    Ok(text::owned(match args.row {
        0 => string.to_uppercase(),
        // The standard library knows the final sigma too.
        1 => string.to_lowercase(),
        2 => {
            let mut out = String::with_capacity(string.len());
            string.chars().for_each(|c| unicode::push_folded(c, &mut out));
            out
        }
        3 => string.chars().fold(String::with_capacity(string.len()), |mut out, c| {
            if c.is_uppercase() {
                out.extend(c.to_lowercase())
            } else {
                out.extend(c.to_uppercase())
            }
            out
        }),
        4 => {
            let mut out = String::with_capacity(string.len());
            let mut chars = string.chars();
            if let Some(first) = chars.next() {
                unicode::push_title(first, &mut out);
                out.push_str(&chars.as_str().to_lowercase());
            }
            out
        }
        _ => title(string),
    }))
}

fn title(string: &str) -> String {
    let mut out = String::with_capacity(string.len());
    let mut in_word = false;
    for c in string.chars() {
        if in_word {
            out.extend(c.to_lowercase());
        } else {
            unicode::push_title(c, &mut out);
        }
        in_word = unicode::is_cased(c);
    }
    out
}

/// Whether a text is an identifier.
pub fn is_identifier(text: &str) -> bool {
    let starts = |c: char| c == '_' || unicode::is_alpha(c) || (c.is_numeric() && c.is_alphabetic());
    let mut chars = text.chars();
    chars.next().is_some_and(starts) && chars.all(|c| starts(c) || c.is_alphanumeric() || is_continuing(c))
}

/// Combining marks and connectors may stand inside an identifier.
fn is_continuing(c: char) -> bool {
    unicode::decimal_digit(c).is_some()
        || matches!(c, '·' | '‿' | '⁀')
        || (c.is_alphabetic() && !c.is_ascii())
        || is_mark(c)
}

fn is_mark(c: char) -> bool {
    !c.is_ascii() && unicode::is_printable(c) && c.escape_debug().next() == Some('\\')
}

fn classify(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = receiver::text(vm, args)?;
    let string = source.as_str();
    let all = |test: fn(char) -> bool| !string.is_empty() && string.chars().all(test);
    let has_cased = || string.chars().any(unicode::is_cased);
    Ok(Value::Bool(match args.row {
        0 => all(|c| unicode::is_alpha(c) || unicode::is_numeric(c) || unicode::is_digit(c)),
        1 => all(unicode::is_alpha),
        2 => string.is_ascii(),
        3 => all(|c| unicode::decimal_digit(c).is_some()),
        4 => all(unicode::is_digit),
        5 => all(unicode::is_numeric),
        6 => all(unicode::is_space),
        7 => string.chars().all(unicode::is_printable),
        8 => is_identifier(string),
        9 => has_cased() && !string.chars().any(|c| c.is_uppercase() || unicode::is_title(c)),
        10 => has_cased() && !string.chars().any(|c| c.is_lowercase() || unicode::is_title(c)),
        _ => is_titled(string),
    }))
}

fn is_titled(string: &str) -> bool {
    let (mut in_word, mut has_cased) = (false, false);
    for c in string.chars() {
        if c.is_uppercase() || unicode::is_title(c) {
            if in_word {
                return false;
            }
            in_word = true;
            has_cased = true;
        } else if c.is_lowercase() {
            if !in_word {
                return false;
            }
            has_cased = true;
        } else {
            in_word = false;
        }
    }
    has_cased
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_identifiers_are_pythons() {
        assert_eq!(title("hello wORLD's 3rd ßa"), "Hello World'S 3Rd Ssa");
        assert!(is_titled("Hello World") && !is_titled("Hello world") && !is_titled("HELLO") && !is_titled(""));
        for text in ["a", "_1", "é", "漢字", "a٣", "x\u{301}", "ℵ"] {
            assert!(is_identifier(text), "{text}");
        }
        for text in ["", "1a", "a b", "a-b", "²"] {
            assert!(!is_identifier(text), "{text}");
        }
    }
}
