//! Characters and sets of a pattern: escapes, `[...]`, and what `\d`, `\s`, `\w` stand for.

use super::ASCII;
use super::translate::{PatternError, Translator};

/// One thing inside a set, or one escape outside.
pub(super) enum Atom {
    /// A character, which may begin or end a range.
    Literal(char),
    /// A set of characters, as text for the engine to stand inside brackets.
    Category(&'static str),
}

/// What a category letter stands for, as text inside brackets.
pub(super) fn category(letter: char, flags: i64) -> Option<&'static str> {
    let ascii = flags & ASCII != 0;
    Some(match (letter, ascii) {
        ('d', false) => r"\d",
        ('D', false) => r"\D",
        ('w', false) => r"\p{L}\p{N}_",
        ('W', false) => r"[^\p{L}\p{N}_]",
        ('s', false) => r"\s\x1c-\x1f",
        ('S', false) => r"[^\s\x1c-\x1f]",
        ('d', true) => "0-9",
        ('D', true) => "[^0-9]",
        ('w', true) => "a-zA-Z0-9_",
        ('W', true) => "[^a-zA-Z0-9_]",
        ('s', true) => r" \t\n\r\f\v",
        ('S', true) => r"[^ \t\n\r\f\v]",
        _ => return None,
    })
}

/// Appends a character so that it stands for itself, inside brackets and outside.
pub(super) fn push_literal(out: &mut String, character: char) {
    match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => out.push(character),
        character if character.is_ascii() => out.push_str(&format!("\\x{:02x}", u32::from(character))),
        character => out.push(character),
    }
}

impl Translator {
    /// An escape whose backslash at `start` has been read and that means the same inside a set and outside.
    pub(super) fn plain_escape(&mut self, start: usize, letter: char) -> Result<Atom, PatternError> {
        if let Some(category) = category(letter, self.flags) {
            return Ok(Atom::Category(category));
        }
        Ok(Atom::Literal(match letter {
            'a' => '\x07',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            'x' => self.hexadecimal(start, letter, 2)?,
            'u' if !self.is_bytes() => self.hexadecimal(start, letter, 4)?,
            'U' if !self.is_bytes() => self.hexadecimal(start, letter, 8)?,
            letter if letter.is_ascii_alphabetic() => {
                return Err(PatternError::at(format!("bad escape \\{letter}"), start));
            }
            other => other,
        }))
    }

    fn hexadecimal(&mut self, start: usize, letter: char, digits: usize) -> Result<char, PatternError> {
        let mut text = String::new();
        while text.len() < digits
            && let Some(digit) = self.peek().filter(char::is_ascii_hexdigit)
        {
            text.push(digit);
            self.advance();
        }
        if text.len() < digits {
            return Err(PatternError::at(format!("incomplete escape \\{letter}{text}"), start));
        }
        u32::from_str_radix(&text, 16)
            .ok()
            .and_then(char::from_u32)
            .ok_or_else(|| PatternError::at(format!("bad escape \\{letter}{text}"), start))
    }

    /// The character of up to three octal digits, the first of which is given.
    pub(super) fn octal(&mut self, start: usize, first: char, more: usize) -> Result<char, PatternError> {
        let mut text = String::from(first);
        while text.len() <= more
            && let Some(digit) = self.peek().filter(|digit| ('0'..='7').contains(digit))
        {
            text.push(digit);
            self.advance();
        }
        let value = u32::from_str_radix(&text, 8).unwrap_or(u32::MAX);
        if value > 0o377 {
            let message = format!("octal escape value \\{text} outside of range 0-0o377");
            return Err(PatternError::at(message, start));
        }
        Ok(char::from_u32(value).expect("below 256"))
    }

    /// A set whose opening bracket at `start` has been read.
    pub(super) fn set(&mut self, start: usize) -> Result<(), PatternError> {
        let unterminated = || PatternError::at("unterminated character set", start);
        self.out.push('[');
        if self.peek() == Some('^') {
            self.advance();
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let at = self.position();
            let character = self.next_char().ok_or_else(unterminated)?;
            if character == ']' && !first {
                break;
            }
            first = false;
            let low = self.set_atom(at, character)?;
            // A hyphen makes a range unless the set ends behind it.
            if self.peek() != Some('-') || self.peek_second() == Some(']') {
                self.push_atom(&low);
                continue;
            }
            self.advance();
            let high_at = self.position();
            let character = self.next_char().ok_or_else(unterminated)?;
            let high = self.set_atom(high_at, character)?;
            let (Atom::Literal(low), Atom::Literal(high)) = (&low, &high) else {
                let text: String = self.text_between(at, self.position());
                return Err(PatternError::at(format!("bad character range {text}"), at));
            };
            if low > high {
                let text: String = self.text_between(at, self.position());
                return Err(PatternError::at(format!("bad character range {text}"), at));
            }
            push_literal(&mut self.out, *low);
            self.out.push('-');
            push_literal(&mut self.out, *high);
        }
        self.out.push(']');
        Ok(())
    }

    fn set_atom(&mut self, at: usize, character: char) -> Result<Atom, PatternError> {
        if character != '\\' {
            return Ok(Atom::Literal(character));
        }
        let letter = self.next_char().ok_or_else(|| PatternError::at("bad escape (end of pattern)", at))?;
        match letter {
            'b' => Ok(Atom::Literal('\x08')),
            '0'..='7' => Ok(Atom::Literal(self.octal(at, letter, 2)?)),
            '8' | '9' => Err(PatternError::at(format!("bad escape \\{letter}"), at)),
            _ => self.plain_escape(at, letter),
        }
    }

    fn push_atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Literal(character) => push_literal(&mut self.out, *character),
            Atom::Category(text) => self.out.push_str(text),
        }
    }
}
