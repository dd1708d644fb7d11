//! `strptime`: reads a time by a format, with CPython's rules and errors.

use super::calendar::{DAYS, Fields, MONTHS};

/// What was read; fields that the format does not have keep their defaults.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    pub(super) microsecond: i64,
    weekday: Option<i64>,
    year_day: Option<i64>,
    twelve_hour: Option<i64>,
    is_afternoon: Option<bool>,
    week: Option<(bool, i64)>,
    pub(super) offset_seconds: Option<i64>,
    zone: Option<String>,
}

/// The text that is left to read.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    /// A number of up to `digits` digits that is at most `max`: as many digits as fit, as the alternatives of CPython's patterns take them.
    fn number(&mut self, digits: usize, max: i64) -> Option<i64> {
        let available = self.0.bytes().take(digits).take_while(u8::is_ascii_digit).count();
        for count in (1..=available).rev() {
            let value: i64 = self.0[..count].parse().ok()?;
            if value <= max {
                self.0 = &self.0[count..];
                return Some(value);
            }
        }
        None
    }

    fn exactly(&mut self, digits: usize) -> Option<i64> {
        let text = self.0.get(..digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
        self.0 = &self.0[digits..];
        text.parse().ok()
    }

    /// One of several words, case ignored, the longest that fits; answers its place.
    fn word(&mut self, words: impl Iterator<Item = &'static str>) -> Option<i64> {
        let fits = |word: &&str| self.0.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        let (place, word) = words.enumerate().filter(|(_, word)| fits(word)).max_by_key(|(_, word)| word.len())?;
        self.0 = &self.0[word.len()..];
        Some(place as i64)
    }

    fn literal(&mut self, c: char) -> Option<()> {
        let first = self.0.chars().next()?;
        if !first.to_lowercase().eq(c.to_lowercase()) {
            return None;
        }
        self.0 = &self.0[first.len_utf8()..];
        Some(())
    }

    fn blanks(&mut self) -> bool {
        let trimmed = self.0.trim_start();
        let any = trimmed.len() < self.0.len();
        self.0 = trimmed;
        any
    }
}

/// Reads `text` by `format`; the error is the message of a `ValueError`.
pub(super) fn parse(text: &str, format: &str) -> Result<Parsed, String> {
    let mut parsed = Parsed::default();
    let mut rest = Rest(text);
    let mismatch = || format!("time data {} does not match format {}", quoted(text), quoted(format));
    read(&mut parsed, &mut rest, format, format)?.ok_or_else(mismatch)?;
    if !rest.0.is_empty() {
        return Err(format!("unconverted data remains: {}", rest.0));
    }
    parsed.check()?;
    Ok(parsed)
}

/// A text as `repr` writes it, for the short ones that stand in these messages.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Reads by a format that may stand inside another. The outer error is a bad format, the inner nothing a mismatch.
fn read(parsed: &mut Parsed, rest: &mut Rest<'_>, format: &str, whole: &str) -> Result<Option<()>, String> {
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            while chars.peek().is_some_and(|next| next.is_whitespace()) {
                chars.next();
            }
            if !rest.blanks() {
                return Ok(None);
            }
            continue;
        }
        let done = if c == '%' {
            match chars.next() {
                None => return Err(format!("stray % in format {}", quoted(whole))),
                Some('%') => rest.literal('%'),
                Some(directive) => {
                    let inner = match directive {
                        'c' => "%a %b %d %H:%M:%S %Y",
                        'x' | 'D' => "%m/%d/%y",
                        'X' | 'T' => "%H:%M:%S",
                        'R' => "%H:%M",
                        'F' => "%Y-%m-%d",
                        _ => "",
                    };
                    // CPython knows the C library's shorthands for writing only.
                    if matches!(directive, 'D' | 'T' | 'R' | 'F') || !"aAbBcdfHIjmMpSUwWxXyYzZ".contains(directive) {
                        return Err(format!("'{directive}' is a bad directive in format {}", quoted(whole)));
                    }
                    if inner.is_empty() { parsed.directive(rest, directive) } else { read(parsed, rest, inner, whole)? }
                }
            }
        } else {
            rest.literal(c)
        };
        if done.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(()))
}

impl Parsed {
    fn directive(&mut self, rest: &mut Rest<'_>, directive: char) -> Option<()> {
        let short = |names: &'static [&'static str]| names.iter().map(|name| &name[..3]);
        match directive {
            'a' => self.weekday = Some(rest.word(short(&DAYS))?),
            'A' => self.weekday = Some(rest.word(DAYS.iter().copied())?),
            'b' => self.month = Some(rest.word(short(&MONTHS))? + 1),
            'B' => self.month = Some(rest.word(MONTHS.iter().copied())? + 1),
            'd' => {
                // A day may be written with a blank before it.
                rest.blanks();
                self.day = Some(rest.number(2, 31).filter(|day| *day > 0)?);
            }
            'f' => {
                let digits = rest.0.bytes().take(6).take_while(u8::is_ascii_digit).count();
                let fraction: i64 = rest.0[..digits].parse().ok()?;
                rest.0 = &rest.0[digits..];
                self.microsecond = fraction * 10_i64.pow(6 - digits as u32);
            }
            'H' => self.hour = rest.number(2, 23)?,
            'I' => self.twelve_hour = Some(rest.number(2, 12).filter(|hour| *hour > 0)?),
            'j' => self.year_day = Some(rest.number(3, 366).filter(|day| *day > 0)?),
            'm' => self.month = Some(rest.number(2, 12).filter(|month| *month > 0)?),
            'M' => self.minute = rest.number(2, 59)?,
            'p' => self.is_afternoon = Some(rest.word(["AM", "PM"].into_iter())? == 1),
            'S' => self.second = rest.number(2, 61)?,
            'U' => self.week = Some((true, rest.number(2, 53)?)),
            'W' => self.week = Some((false, rest.number(2, 53)?)),
            'w' => self.weekday = Some((rest.number(1, 6)? + 6) % 7),
            'y' => {
                let year = rest.exactly(2)?;
                self.year = Some(if year <= 68 { 2000 + year } else { 1900 + year });
            }
            'Y' => self.year = Some(rest.exactly(4)?),
            'z' => self.offset_seconds = Some(offset(rest)?),
            _ => self.zone = Some(zone(rest)?),
        }
        Some(())
    }

    /// Checks what single numbers cannot show.
    fn check(&mut self) -> Result<(), String> {
        if let Some(hour) = self.twelve_hour {
            self.hour = match self.is_afternoon {
                Some(true) => hour % 12 + 12,
                Some(false) => hour % 12,
                None => hour % 12,
            };
        }
        if self.week.is_some() && (self.year.is_none() || self.weekday.is_none()) {
            // CPython ignores a week without year and weekday.
            self.week = None;
        }
        let fields = Fields {
            year: self.year.unwrap_or(1900),
            month: self.month.unwrap_or(1),
            day: self.day.unwrap_or(1),
            ..Fields::default()
        };
        // 29 February without a year is taken as one of a leap year.
        let is_leap_day = self.year.is_none() && fields.month == 2 && fields.day == 29;
        if fields.date().is_none() && !is_leap_day {
            return Err("day is out of range for month".to_owned());
        }
        Ok(())
    }

    /// The fields, with weekday and day of the year worked out.
    pub(super) fn fields(&self) -> Fields {
        let mut fields = Fields {
            year: self.year.unwrap_or(1900),
            month: self.month.unwrap_or(1),
            day: self.day.unwrap_or(1),
            hour: self.hour,
            minute: self.minute,
            second: self.second,
            is_summer: -1,
            zone: self.zone.clone(),
            offset_seconds: self.offset_seconds,
            ..Fields::default()
        };
        let first = Fields { month: 1, day: 1, ..fields.clone() }.date();
        let by_day = match (self.year_day, self.week, self.weekday, first) {
            (Some(day), ..) if self.month.is_none() => Some(day - 1),
            (None, Some((from_sunday, week)), Some(weekday), Some(first)) => {
                let start = i64::from(first.weekday().to_monday_zero_offset());
                let (start, weekday) =
                    if from_sunday { ((start + 1) % 7, (weekday + 1) % 7) } else { (start, weekday) };
                let to_week_one = (7 - start) % 7;
                Some(if week == 0 { weekday - start } else { to_week_one + 7 * (week - 1) + weekday })
            }
            _ => None,
        };
        if let (Some(days), Some(first)) = (by_day, first)
            && let Ok(date) = first.checked_add(jiff::Span::new().days(days))
        {
            (fields.year, fields.month, fields.day) = (date.year().into(), date.month().into(), date.day().into());
        }
        if let Some(date) = fields.date() {
            fields.weekday = date.weekday().to_monday_zero_offset().into();
            fields.year_day = date.day_of_year().into();
        }
        fields
    }
}

/// `+hh:mm`, `+hhmm`, with seconds, or `Z`.
fn offset(rest: &mut Rest<'_>) -> Option<i64> {
    if let Some(after) = rest.0.strip_prefix('Z') {
        rest.0 = after;
        return Some(0);
    }
    let sign = match rest.0.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    rest.0 = &rest.0[1..];
    let hours = rest.exactly(2)?;
    let has_colon = rest.0.starts_with(':');
    let part = |rest: &mut Rest<'_>| {
        if has_colon {
            rest.literal(':')?;
        }
        rest.exactly(2)
    };
    let minutes = part(rest)?;
    let before = rest.0;
    let seconds = part(rest).unwrap_or_else(|| {
        rest.0 = before;
        0
    });
    Some(sign * (hours * 3600 + minutes * 60 + seconds))
}

fn zone(rest: &mut Rest<'_>) -> Option<String> {
    let names = super::calendar::zone_names();
    for name in ["UTC", "GMT", &names.standard, &names.summer] {
        if rest.0.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
            rest.0 = &rest.0[name.len()..];
            return Some(name.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &str, format: &str) -> Result<[i64; 8], String> {
        parse(text, format).map(|parsed| {
            let f = parsed.fields();
            [f.year, f.month, f.day, f.hour, f.minute, f.second, f.weekday, f.year_day]
        })
    }

    #[test]
    fn times_are_read_as_cpython_reads_them() {
        assert_eq!(items("2020-01-02 03:04:05", "%Y-%m-%d %H:%M:%S"), Ok([2020, 1, 2, 3, 4, 5, 3, 2]));
        assert_eq!(items("12:30 PM", "%I:%M %p"), Ok([1900, 1, 1, 12, 30, 0, 0, 1]));
        assert_eq!(items("20240229", "%Y%m%d"), Ok([2024, 2, 29, 0, 0, 0, 3, 60]));
        assert_eq!(items("2024 060", "%Y %j"), Ok([2024, 2, 29, 0, 0, 0, 3, 60]));
    }

    #[test]
    fn errors_name_text_and_format() {
        assert_eq!(items("x", "%Y"), Err("time data 'x' does not match format '%Y'".to_owned()));
        assert_eq!(items("2020 a", "%Y"), Err("unconverted data remains:  a".to_owned()));
        assert_eq!(items("1", "%q"), Err("'q' is a bad directive in format '%q'".to_owned()));
        assert_eq!(items("2023-02-30", "%Y-%m-%d"), Err("day is out of range for month".to_owned()));
    }
}
