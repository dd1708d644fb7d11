//! From Python's pattern syntax to that of the engine, with CPython's errors and positions.
//!
//! What differs between the two is decided here once: `$` before a last newline, `\Z`, sets, octal escapes, named groups
//! (which become numbered ones), verbose mode, and scoped flags.

use super::set::{Atom, push_literal};
use super::{ASCII, DOT_ALL, IGNORE_CASE, LOCALE, MULTILINE, UNICODE, VERBOSE};

/// How deep groups may nest: the engine's own parser is recursive.
const DEPTH_MAX: usize = 200;

/// A translated pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The pattern for the engine, without the flags that hold everywhere.
    pub(super) text: String,
    /// The flags given and those the pattern sets itself.
    pub(super) flags: i64,
    /// How many groups capture.
    pub(super) groups: usize,
    /// Names of groups, in order.
    pub(super) names: Vec<(String, usize)>,
    /// Groups in the order in which they close.
    pub(super) closing: Vec<usize>,
}

/// What is wrong with a pattern, and where, in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatternError {
    pub(super) message: String,
    pub(super) position: Option<usize>,
}

impl PatternError {
    pub(super) fn at(message: impl Into<String>, position: usize) -> PatternError {
        PatternError { message: message.into(), position: Some(position) }
    }
}

/// What stands before a quantifier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing that can be repeated.
    Nothing,
    /// An item.
    Item,
    /// An item with its quantifier.
    Repeated,
}

struct Open {
    /// Where the parenthesis stands.
    at: usize,
    /// The number of the group, if it captures.
    group: Option<usize>,
    /// The flags to return to.
    flags: i64,
    /// Alternatives left in a conditional group; nothing for others.
    branches: Option<usize>,
}

/// A pattern being read.
pub(super) struct Translator {
    pattern: Vec<char>,
    at: usize,
    pub(super) flags: i64,
    global_flags: i64,
    pub(super) out: String,
    groups: usize,
    names: Vec<(String, usize)>,
    closing: Vec<usize>,
    open: Vec<Open>,
    before: Before,
    bytes: bool,
}

/// Translates a pattern.
pub(super) fn translate(pattern: &str, flags: i64, bytes: bool) -> Result<Pattern, PatternError> {
    let mut translator = Translator {
        pattern: pattern.chars().collect(),
        at: 0,
        flags,
        global_flags: flags,
        out: String::new(),
        groups: 0,
        names: Vec::new(),
        closing: Vec::new(),
        open: Vec::new(),
        before: Before::Nothing,
        bytes,
    };
    while translator.step()? {}
    if let Some(open) = translator.open.last() {
        return Err(PatternError::at("missing ), unterminated subpattern", open.at));
    }
    Ok(Pattern {
        text: translator.out,
        flags: translator.global_flags,
        groups: translator.groups,
        names: translator.names,
        closing: translator.closing,
    })
}

impl Translator {
    pub(super) fn peek(&self) -> Option<char> {
        self.pattern.get(self.at).copied()
    }

    pub(super) fn peek_second(&self) -> Option<char> {
        self.pattern.get(self.at + 1).copied()
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    pub(super) fn next_char(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.advance();
        Some(character)
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn text_between(&self, from: usize, to: usize) -> String {
        self.pattern[from..to].iter().collect()
    }

    pub(super) fn is_bytes(&self) -> bool {
        self.bytes
    }

    fn has(&self, flag: i64) -> bool {
        self.flags & flag != 0
    }

    /// Reads one item; false at the end.
    fn step(&mut self) -> Result<bool, PatternError> {
        let start = self.at;
        let Some(character) = self.next_char() else { return Ok(false) };
        if self.has(VERBOSE) && (character.is_whitespace() || character == '#') {
            if character == '#' {
                while self.next_char().is_some_and(|character| character != '\n') {}
            }
            return Ok(true);
        }
        match character {
            '\\' => self.escape(start)?,
            '[' => {
                self.set(start)?;
                self.before = Before::Item;
            }
            '(' => self.open_group(start)?,
            ')' => self.close_group(start)?,
            '|' => {
                if let Some(branches) = self.open.last_mut().and_then(|open| open.branches.as_mut()) {
                    if *branches == 0 {
                        return Err(PatternError::at("conditional backref with more than two branches", self.at));
                    }
                    *branches -= 1;
                }
                self.out.push('|');
                self.before = Before::Nothing;
            }
            '^' => self.anchor(if self.has(MULTILINE) { "(?m:^)" } else { r"\A" }),
            '$' => self.anchor(if self.has(MULTILINE) { "(?m:$)" } else { r"(?=\n?\z)" }),
            '.' => {
                self.out.push_str(if self.has(DOT_ALL) { "(?s:.)" } else { r"[^\n]" });
                self.before = Before::Item;
            }
            '*' | '+' | '?' => self.quantifier(start, character.to_string())?,
            '{' => match self.counts(start)? {
                Some(text) => self.quantifier(start, text)?,
                None => self.literal('{'),
            },
            other => self.literal(other),
        }
        Ok(true)
    }

    fn literal(&mut self, character: char) {
        push_literal(&mut self.out, character);
        self.before = Before::Item;
    }

    fn anchor(&mut self, text: &str) {
        self.out.push_str(text);
        self.before = Before::Nothing;
    }

    fn escape(&mut self, start: usize) -> Result<(), PatternError> {
        let letter = self.next_char().ok_or_else(|| PatternError::at("bad escape (end of pattern)", start))?;
        match letter {
            'A' => self.anchor(r"\A"),
            'Z' => self.anchor(r"\z"),
            'b' if self.has(ASCII) => {
                self.anchor("(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))")
            }
            'B' if self.has(ASCII) => {
                self.anchor("(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))")
            }
            'b' => self.anchor(r"\b"),
            'B' => self.anchor(r"\B"),
            '0' => {
                let character = self.octal(start, letter, 2)?;
                self.literal(character);
            }
            '1'..='9' => self.numeric_escape(start, letter)?,
            _ => match self.plain_escape(start, letter)? {
                Atom::Literal(character) => self.literal(character),
                Atom::Category(text) => {
                    self.out.push('[');
                    self.out.push_str(text);
                    self.out.push(']');
                    self.before = Before::Item;
                }
            },
        }
        Ok(())
    }

    /// `\12` is a group, `\123` with octal digits a character.
    fn numeric_escape(&mut self, start: usize, first: char) -> Result<(), PatternError> {
        let is_octal = |digit: &char| ('0'..='7').contains(digit);
        if is_octal(&first)
            && self.peek().is_some_and(|digit| is_octal(&digit))
            && self.peek_second().is_some_and(|digit| is_octal(&digit))
        {
            let character = self.octal(start, first, 2)?;
            self.literal(character);
            return Ok(());
        }
        let mut number = first.to_string();
        if let Some(digit) = self.peek().filter(char::is_ascii_digit) {
            number.push(digit);
            self.advance();
        }
        let group = number.parse().unwrap_or(usize::MAX);
        self.reference(group, start + 1, |number| format!("invalid group reference {number}"))
    }

    fn reference(&mut self, group: usize, at: usize, unknown: impl Fn(usize) -> String) -> Result<(), PatternError> {
        if group > self.groups {
            return Err(PatternError::at(unknown(group), at));
        }
        if self.open.iter().any(|open| open.group == Some(group)) {
            return Err(PatternError::at("cannot refer to an open group", at.saturating_sub(1)));
        }
        self.out.push_str(&format!("(?:\\{group})"));
        self.before = Before::Item;
        Ok(())
    }

    /// The text of `{m,n}` when a quantifier stands here; the brace has been read.
    fn counts(&mut self, start: usize) -> Result<Option<String>, PatternError> {
        let begin = self.at;
        let low = self.digits();
        let (high, has_comma) = if self.peek() == Some(',') {
            self.advance();
            (self.digits(), true)
        } else {
            (low.clone(), false)
        };
        if self.peek() != Some('}') || (low.is_empty() && !has_comma) {
            self.at = begin;
            return Ok(None);
        }
        self.advance();
        let number = |text: &str| -> Result<Option<u32>, PatternError> {
            if text.is_empty() {
                return Ok(None);
            }
            let value = text.parse::<u32>().ok().filter(|&value| value < u32::MAX);
            value
                .map(Some)
                .ok_or_else(|| PatternError { message: "the repetition number is too large".into(), position: None })
        };
        let (low, high) = (number(&low)?.unwrap_or(0), number(&high)?);
        if high.is_some_and(|high| high < low) {
            return Err(PatternError::at("min repeat greater than max repeat", start + 1));
        }
        Ok(Some(match high {
            Some(high) if high == low && !has_comma => format!("{{{low}}}"),
            Some(high) => format!("{{{low},{high}}}"),
            None => format!("{{{low},}}"),
        }))
    }

    fn digits(&mut self) -> String {
        let begin = self.at;
        while self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
            self.advance();
        }
        self.text_between(begin, self.at)
    }

    fn quantifier(&mut self, start: usize, mut text: String) -> Result<(), PatternError> {
        match self.before {
            Before::Nothing => return Err(PatternError::at("nothing to repeat", start)),
            Before::Repeated => return Err(PatternError::at("multiple repeat", start)),
            Before::Item => {}
        }
        if let Some(suffix @ ('?' | '+')) = self.peek() {
            self.advance();
            text.push(suffix);
        }
        self.out.push_str(&text);
        self.before = Before::Repeated;
        Ok(())
    }

    fn open_group(&mut self, start: usize) -> Result<(), PatternError> {
        if self.open.len() >= DEPTH_MAX {
            return Err(PatternError::at(format!("more than {DEPTH_MAX} groups inside each other"), start));
        }
        if self.peek() != Some('?') {
            return self.capture(start, None);
        }
        self.advance();
        let kind = self.next_char().ok_or_else(|| PatternError::at("unexpected end of pattern", self.at))?;
        match kind {
            ':' => self.push_group(start, "(?:", self.flags, None),
            '=' => self.push_group(start, "(?=", self.flags, None),
            '!' => self.push_group(start, "(?!", self.flags, None),
            '>' => self.push_group(start, "(?>", self.flags, None),
            '<' => match self.next_char() {
                Some('=') => self.push_group(start, "(?<=", self.flags, None),
                Some('!') => self.push_group(start, "(?<!", self.flags, None),
                Some(other) => return Err(PatternError::at(format!("unknown extension ?<{other}"), start + 1)),
                None => return Err(PatternError::at("unexpected end of pattern", self.at)),
            },
            '#' => {
                if !std::iter::from_fn(|| self.next_char()).any(|character| character == ')') {
                    return Err(PatternError::at("missing ), unterminated comment", start));
                }
            }
            'P' => match self.next_char() {
                Some('<') => {
                    let at = self.at;
                    let name = self.name('>')?;
                    self.capture(start, Some((name, at)))?;
                }
                Some('=') => {
                    let at = self.at;
                    let name = self.name(')')?;
                    let group = self.named(&name, at)?;
                    self.reference(group, at, |_| format!("unknown group name '{name}'"))?;
                }
                Some(other) => return Err(PatternError::at(format!("unknown extension ?P{other}"), start + 1)),
                None => return Err(PatternError::at("unexpected end of pattern", self.at)),
            },
            '(' => self.conditional(start)?,
            other if "aiLmsux-".contains(other) => self.flag_group(start, other)?,
            other => return Err(PatternError::at(format!("unknown extension ?{other}"), start + 1)),
        }
        Ok(())
    }

    fn capture(&mut self, start: usize, name: Option<(String, usize)>) -> Result<(), PatternError> {
        self.groups += 1;
        if let Some((name, at)) = name {
            if let Some((_, group)) = self.names.iter().find(|(known, _)| *known == name) {
                let message =
                    format!("redefinition of group name '{name}' as group {}; was group {group}", self.groups);
                return Err(PatternError::at(message, at));
            }
            self.names.push((name, self.groups));
        }
        self.push_group(start, "(", self.flags, Some(self.groups));
        Ok(())
    }

    fn push_group(&mut self, at: usize, text: &str, inner_flags: i64, group: Option<usize>) {
        self.out.push_str(text);
        self.open.push(Open { at, group, flags: self.flags, branches: None });
        self.flags = inner_flags;
        self.before = Before::Nothing;
    }

    fn close_group(&mut self, start: usize) -> Result<(), PatternError> {
        let open = self.open.pop().ok_or_else(|| PatternError::at("unbalanced parenthesis", start))?;
        self.out.push(')');
        self.flags = open.flags;
        self.closing.extend(open.group);
        self.before = Before::Item;
        Ok(())
    }

    /// A name up to its terminator.
    fn name(&mut self, terminator: char) -> Result<String, PatternError> {
        let begin = self.at;
        loop {
            match self.next_char() {
                None if begin == self.at => return Err(PatternError::at("missing group name", begin)),
                None => {
                    return Err(PatternError::at(format!("missing {terminator}, unterminated name"), begin));
                }
                Some(character) if character == terminator => break,
                Some(_) => {}
            }
        }
        let name = self.text_between(begin, self.at - 1);
        if name.is_empty() {
            return Err(PatternError::at("missing group name", begin));
        }
        let mut characters = name.chars();
        let starts = characters.next().is_some_and(|first| first == '_' || first.is_alphabetic());
        if !starts || !characters.all(|character| character == '_' || character.is_alphanumeric()) {
            return Err(PatternError::at(format!("bad character in group name '{name}'"), begin));
        }
        Ok(name)
    }

    fn named(&self, name: &str, at: usize) -> Result<usize, PatternError> {
        let known = self.names.iter().find(|(known, _)| known == name).map(|(_, group)| *group);
        known.ok_or_else(|| PatternError::at(format!("unknown group name '{name}'"), at))
    }

    /// `(?(1)yes|no)` and `(?(name)yes|no)`.
    fn conditional(&mut self, start: usize) -> Result<(), PatternError> {
        let at = self.at;
        let digits = self.digits();
        let group = if !digits.is_empty() && self.peek() == Some(')') {
            self.advance();
            digits.parse().unwrap_or(usize::MAX)
        } else {
            self.at = at;
            let name = self.name(')')?;
            self.named(&name, at)?
        };
        if group == 0 {
            return Err(PatternError::at("bad group number", at));
        }
        if group > self.groups {
            return Err(PatternError::at(format!("invalid group reference {group}"), at));
        }
        self.push_group(start, &format!("(?({group})"), self.flags, None);
        if let Some(open) = self.open.last_mut() {
            open.branches = Some(1);
        }
        Ok(())
    }

    /// `(?i)` for the whole pattern, `(?i-s:...)` for a part.
    fn flag_group(&mut self, start: usize, first: char) -> Result<(), PatternError> {
        let (mut on, mut off) = (0i64, 0i64);
        let mut negative = false;
        let mut letter = first;
        loop {
            match letter {
                '-' if !negative => negative = true,
                ':' => break,
                ')' if !negative => return self.global_flags_end(start, on),
                _ => {
                    let flag = match letter {
                        'i' => IGNORE_CASE,
                        'L' => LOCALE,
                        'm' => MULTILINE,
                        's' => DOT_ALL,
                        'u' => UNICODE,
                        'x' => VERBOSE,
                        'a' => ASCII,
                        _ => return Err(PatternError::at("unknown flag", self.at - 1)),
                    };
                    if flag == UNICODE && self.bytes {
                        return Err(PatternError::at(
                            "bad inline flags: cannot use 'u' flag with a bytes pattern",
                            self.at,
                        ));
                    }
                    if flag == LOCALE && !self.bytes {
                        return Err(PatternError::at(
                            "bad inline flags: cannot use 'L' flag with a str pattern",
                            self.at,
                        ));
                    }
                    if negative {
                        off |= flag;
                    } else {
                        on |= flag;
                    }
                }
            }
            letter = self.next_char().ok_or_else(|| PatternError::at("missing -, : or )", self.at))?;
        }
        let flags = (self.flags | on) & !off & if on & UNICODE != 0 { !ASCII } else { -1 };
        let text = match (on & IGNORE_CASE != 0, off & IGNORE_CASE != 0) {
            (true, _) => "(?i:",
            (_, true) => "(?-i:",
            _ => "(?:",
        };
        self.push_group(start, text, flags, None);
        Ok(())
    }

    fn global_flags_end(&mut self, start: usize, on: i64) -> Result<(), PatternError> {
        if !self.out.is_empty() || !self.open.is_empty() {
            return Err(PatternError::at("global flags not at the start of the expression", start));
        }
        self.flags |= on;
        self.global_flags |= on;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_written_anew() {
        let text = |pattern: &str, flags: i64| translate(pattern, flags, false).map(|found| found.text);
        assert_eq!(text(r"a$", 0), Ok(r"a(?=\n?\z)".into()));
        assert_eq!(text(r"^a$", MULTILINE), Ok("(?m:^)a(?m:$)".into()));
        assert_eq!(text(r"(?P<x>a)(?P=x)", 0), Ok(r"(a)(?:\1)".into()));
        assert_eq!(text(r"[]a-c&&]", 0), Ok(r"[\x5da-c\x26\x26]".into()));
        assert_eq!(text(r"a{,2}{x}", 0), Ok(r"a{0,2}\x7bx\x7d".into()));
        assert_eq!(text("a b # c\n d", VERBOSE), Ok("abd".into()));
        assert_eq!(text(r"(?x) a b", 0), Ok("ab".into()));
        assert_eq!(text(r"\12", 0).map_err(|error| error.message), Err("invalid group reference 12".into()));
        assert_eq!(text(r"\112", 0), Ok("J".into()));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let error = |pattern: &str| {
            translate(pattern, 0, false).map_err(|error| (error.message, error.position)).expect_err("a mistake")
        };
        assert_eq!(error("(a"), ("missing ), unterminated subpattern".into(), Some(0)));
        assert_eq!(error("a)"), ("unbalanced parenthesis".into(), Some(1)));
        assert_eq!(error("*a"), ("nothing to repeat".into(), Some(0)));
        assert_eq!(error("a**"), ("multiple repeat".into(), Some(2)));
        assert_eq!(error("[a"), ("unterminated character set".into(), Some(0)));
        assert_eq!(error("[z-a]"), ("bad character range z-a".into(), Some(1)));
        assert_eq!(error(r"\y"), (r"bad escape \y".into(), Some(0)));
        assert_eq!(error("a{3,1}"), ("min repeat greater than max repeat".into(), Some(2)));
        assert_eq!(error("a(?i)"), ("global flags not at the start of the expression".into(), Some(1)));
    }
}
