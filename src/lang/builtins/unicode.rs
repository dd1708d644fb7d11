//! What Unicode says of a character, as `str`'s methods ask it. The standard library knows letters, case and white space;
//! the tables here are what it lacks.

/// First characters of the runs of ten decimal digits (general category Nd).
const DECIMAL_ZEROS: &[u32] = &[
    0x0030, 0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40,
    0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0,
    0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50,
    0x11DA0, 0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0, 0x1E950,
    0x1FBF0,
];

/// Digits that are not decimal: superscripts, circled and the like.
const OTHER_DIGITS: &[(u32, u32)] = &[
    (0x00B2, 0x00B3),
    (0x00B9, 0x00B9),
    (0x1369, 0x1371),
    (0x19DA, 0x19DA),
    (0x2070, 0x2070),
    (0x2074, 0x2079),
    (0x2080, 0x2089),
    (0x2460, 0x2468),
    (0x2474, 0x247C),
    (0x2488, 0x2490),
    (0x24EA, 0x24EA),
    (0x24F5, 0x24FD),
    (0x24FF, 0x24FF),
    (0x2776, 0x277E),
    (0x2780, 0x2788),
    (0x278A, 0x2792),
    (0x10A40, 0x10A43),
    (0x10E60, 0x10E68),
    (0x11052, 0x1105A),
    (0x1F100, 0x1F10A),
];

/// Ideographs that mean a number without being of a number category.
const NUMERIC_LETTERS: &[(u32, u32)] = &[
    (0x3405, 0x3405),
    (0x3483, 0x3483),
    (0x382A, 0x382A),
    (0x3B4D, 0x3B4D),
    (0x4E00, 0x4E00),
    (0x4E03, 0x4E03),
    (0x4E07, 0x4E07),
    (0x4E09, 0x4E09),
    (0x4E5D, 0x4E5D),
    (0x4E8C, 0x4E8C),
    (0x4E94, 0x4E94),
    (0x4E96, 0x4E96),
    (0x4EBF, 0x4EC0),
    (0x4EDF, 0x4EDF),
    (0x4EE8, 0x4EE8),
    (0x4F0D, 0x4F0D),
    (0x4F70, 0x4F70),
    (0x5104, 0x5104),
    (0x5146, 0x5146),
    (0x5169, 0x5169),
    (0x516B, 0x516B),
    (0x516D, 0x516D),
    (0x5341, 0x5341),
    (0x5343, 0x5345),
    (0x534C, 0x534C),
    (0x53C1, 0x53C4),
    (0x56DB, 0x56DB),
    (0x58F1, 0x58F1),
    (0x58F9, 0x58F9),
    (0x5E7A, 0x5E7A),
    (0x5EFE, 0x5EFF),
    (0x5F0C, 0x5F0E),
    (0x5F10, 0x5F10),
    (0x62FE, 0x62FE),
    (0x634C, 0x634C),
    (0x67D2, 0x67D2),
    (0x6F06, 0x6F06),
    (0x7396, 0x7396),
    (0x767E, 0x767E),
    (0x8086, 0x8086),
    (0x842C, 0x842C),
    (0x8CAE, 0x8CAE),
    (0x8CB3, 0x8CB3),
    (0x8D30, 0x8D30),
    (0x9621, 0x9621),
    (0x9646, 0x9646),
    (0x964C, 0x964C),
    (0x9678, 0x9678),
    (0x96F6, 0x96F6),
    (0xF96B, 0xF96B),
    (0xF973, 0xF973),
    (0xF978, 0xF978),
    (0xF9B2, 0xF9B2),
    (0xF9D1, 0xF9D1),
    (0xF9D3, 0xF9D3),
    (0xF9FD, 0xF9FD),
    (0x20001, 0x20001),
    (0x20064, 0x20064),
    (0x200E2, 0x200E2),
    (0x20121, 0x20121),
    (0x2092A, 0x2092A),
    (0x20983, 0x20983),
    (0x2098C, 0x2098C),
    (0x2099C, 0x2099C),
    (0x20AEA, 0x20AEA),
    (0x20AFD, 0x20AFD),
    (0x20B19, 0x20B19),
    (0x22390, 0x22390),
    (0x22998, 0x22998),
    (0x23B1B, 0x23B1B),
    (0x2626D, 0x2626D),
    (0x2F890, 0x2F890),
];

fn in_ranges(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    ranges
        .binary_search_by(|&(first, last)| {
            if last < code {
                std::cmp::Ordering::Less
            } else if first > code {
                std::cmp::Ordering::Greater
            } else {
                std::cmp::Ordering::Equal
            }
        })
        .is_ok()
}

/// The value of a decimal digit of any script.
pub fn decimal_digit(c: char) -> Option<u32> {
    let code = u32::from(c);
    let zero = DECIMAL_ZEROS[..DECIMAL_ZEROS.partition_point(|&zero| zero <= code)].last()?;
    (code - zero < 10).then_some(code - zero)
}

/// `str.isdigit` of one character.
pub fn is_digit(c: char) -> bool {
    decimal_digit(c).is_some() || in_ranges(OTHER_DIGITS, c)
}

/// `str.isnumeric` of one character.
pub fn is_numeric(c: char) -> bool {
    c.is_numeric() || in_ranges(NUMERIC_LETTERS, c)
}

/// `str.isalpha` of one character: letters, without the marks and number letters that Unicode calls alphabetic too.
pub fn is_alpha(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    c.is_alphabetic() && !c.is_numeric() && !is_mark(c)
}

/// Combining marks are what an escaped debug text escapes although it prints them.
fn is_mark(c: char) -> bool {
    c.escape_debug().next() == Some('\\') && is_printable(c)
}

/// `str.isspace` of one character.
#[inline]
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.isprintable` of one character.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    // Behind another character a text escapes only what does not print.
    let mut buffer = [0; 8];
    buffer[0] = b'a';
    let end = 1 + c.encode_utf8(&mut buffer[1..]).len();
    std::str::from_utf8(&buffer[..end]).is_ok_and(|text| text.escape_debug().nth(1) != Some('\\'))
}

/// The upper-case form for the start of a word.
pub fn push_title(c: char, into: &mut String) {
    match c {
        'ß' => into.push_str("Ss"),
        'Ǆ'..='ǆ' => into.push('ǅ'),
        'Ǉ'..='ǉ' => into.push('ǈ'),
        'Ǌ'..='ǌ' => into.push('ǋ'),
        'Ǳ'..='ǳ' => into.push('ǲ'),
        'ა'..='ჿ' => into.push(c),
        _ => {
            // Ligatures become a capital followed by small letters.
            for (index, upper) in c.to_uppercase().enumerate() {
                if index == 0 || !upper.is_alphabetic() {
                    into.push(upper);
                } else {
                    into.extend(upper.to_lowercase());
                }
            }
        }
    }
}

/// The form for comparison without case.
pub fn push_folded(c: char, into: &mut String) {
    if c.is_ascii() {
        into.push(c.to_ascii_lowercase());
        return;
    }
    if matches!(c, 'ı' | 'ʻ') {
        into.push(c);
        return;
    }
    for lower in c.to_lowercase() {
        for upper in lower.to_uppercase() {
            into.extend(upper.to_lowercase());
        }
    }
}

/// Whether a character has case at all.
pub fn is_cased(c: char) -> bool {
    c.is_uppercase() || c.is_lowercase() || is_title(c)
}

/// Whether a character is a title-case letter.
pub fn is_title(c: char) -> bool {
    matches!(c, 'ǅ' | 'ǈ' | 'ǋ' | 'ǲ' | '\u{1f88}'..='\u{1f8f}' | '\u{1f98}'..='\u{1f9f}' | '\u{1fa8}'..='\u{1faf}' | 'ᾼ' | 'ῌ' | 'ῼ')
}

/// Whether a character ends a line for `splitlines`.
pub fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_classified_as_python_does() {
        assert!(is_printable('é') && is_printable('漢') && !is_printable('\u{a0}') && !is_printable('\u{200b}'));
        assert!(is_printable('\u{301}') && !is_printable('\u{e000}') && !is_printable('\u{378}'));
        assert!(is_alpha('é') && is_alpha('漢') && !is_alpha('Ⅳ') && !is_alpha('\u{345}') && !is_alpha('1'));
        assert!(is_digit('²') && decimal_digit('²').is_none() && decimal_digit('٣') == Some(3));
        assert!(is_numeric('½') && is_numeric('五') && !is_digit('½'));
        assert!(is_space('\u{1f}') && is_space('\u{3000}') && !is_space('\u{200b}'));
    }

    #[test]
    fn case_forms_may_be_longer() {
        let mut text = String::new();
        push_title('ß', &mut text);
        push_title('ﬁ', &mut text);
        push_title('ǆ', &mut text);
        push_folded('ß', &mut text);
        push_folded('ς', &mut text);
        push_folded('ẞ', &mut text);
        assert_eq!(text, "SsFiǅssσss");
    }
}
