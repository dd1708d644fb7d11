//! `strftime`, as the C library of Linux writes it in the C locale.

use super::calendar::Fields;

/// How a number is padded: the directive's own way, or what a flag asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Padding {
    Own,
    None,
    Blank,
    Zero,
}

/// Writes a time by a format. What is not a directive stays as it is.
pub(super) fn format(format: &str, fields: &Fields) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let directive = &rest[at..];
        let mut chars = directive[1..].char_indices();
        let (mut padding, mut upper, mut width) = (Padding::Own, false, 0_usize);
        let mut last = chars.next();
        while let Some((_, flag @ ('-' | '_' | '0' | '^' | '#'))) = last {
            match flag {
                '-' => padding = Padding::None,
                '_' => padding = Padding::Blank,
                '0' => padding = Padding::Zero,
                _ => upper = true,
            }
            last = chars.next();
        }
        while let Some((_, digit)) = last
            && let Some(digit) = digit.to_digit(10)
        {
            width = (width * 10 + digit as usize).min(1024);
            last = chars.next();
        }
        let Some((offset, c)) = last else {
            out.push_str(directive);
            return out;
        };
        let end = 1 + offset + c.len_utf8();
        match directive_text(c, fields, padding) {
            Some(text) => {
                let text = if upper { text.to_uppercase() } else { text };
                let fill = if padding == Padding::Zero { "0" } else { " " };
                out.push_str(&fill.repeat(width.saturating_sub(text.chars().count())));
                out.push_str(&text);
            }
            None => out.push_str(&directive[..end]),
        }
        rest = &directive[end..];
    }
    out.push_str(rest);
    out
}

fn number(value: i64, width: usize, fill: char, padding: Padding) -> String {
    match padding {
        Padding::None => value.to_string(),
        Padding::Blank => format!("{value:>width$}"),
        Padding::Zero => format!("{value:0width$}"),
        Padding::Own if fill == ' ' => format!("{value:>width$}"),
        Padding::Own => format!("{value:0width$}"),
    }
}

fn directive_text(directive: char, fields: &Fields, padding: Padding) -> Option<String> {
    let zeros = |value: i64, width: usize| Some(number(value, width, '0', padding));
    let blanks = |value: i64, width: usize| Some(number(value, width, ' ', padding));
    let twelve = (fields.hour + 11).rem_euclid(12) + 1;
    let half = if fields.hour < 12 { "AM" } else { "PM" };
    let inner = |text: &str| Some(format(text, fields));
    match directive {
        'a' => Some(fields.weekday_name()[..3].to_owned()),
        'A' => Some(fields.weekday_name().to_owned()),
        'b' | 'h' => Some(fields.month_name()[..3].to_owned()),
        'B' => Some(fields.month_name().to_owned()),
        'c' => inner("%a %b %e %H:%M:%S %Y"),
        'C' => zeros(fields.year.div_euclid(100), 2),
        'd' => zeros(fields.day.max(1), 2),
        'D' | 'x' => inner("%m/%d/%y"),
        'e' => blanks(fields.day.max(1), 2),
        'F' => inner("%Y-%m-%d"),
        'G' => Some(iso_week(fields).0.to_string()),
        'g' => zeros(iso_week(fields).0.rem_euclid(100), 2),
        'H' => zeros(fields.hour, 2),
        'I' => zeros(twelve, 2),
        'j' => zeros(fields.year_day.max(1), 3),
        'k' => blanks(fields.hour, 2),
        'l' => blanks(twelve, 2),
        'm' => zeros(fields.month.max(1), 2),
        'M' => zeros(fields.minute, 2),
        'n' => Some("\n".to_owned()),
        'p' => Some(half.to_owned()),
        'P' => Some(half.to_lowercase()),
        'r' => inner("%I:%M:%S %p"),
        'R' => inner("%H:%M"),
        's' => Some(fields.to_epoch().unwrap_or(0).to_string()),
        'S' => zeros(fields.second, 2),
        't' => Some("\t".to_owned()),
        'T' | 'X' => inner("%H:%M:%S"),
        'u' => Some((fields.weekday.rem_euclid(7) + 1).to_string()),
        // The week that a first Sunday or Monday starts is week 1.
        'U' => zeros((fields.year_day.max(1) - 1 + 7 - (fields.weekday + 1).rem_euclid(7)).div_euclid(7), 2),
        'V' => zeros(iso_week(fields).1, 2),
        'w' => Some(((fields.weekday + 1).rem_euclid(7)).to_string()),
        'W' => zeros((fields.year_day.max(1) - 1 + 7 - fields.weekday.rem_euclid(7)).div_euclid(7), 2),
        'y' => zeros(fields.year.rem_euclid(100), 2),
        'Y' => Some(fields.year.to_string()),
        'z' => Some(fields.offset_seconds.map_or_else(|| "+0000".to_owned(), offset_text)),
        'Z' => Some(fields.zone.clone().unwrap_or_else(|| super::calendar::zone_names().standard)),
        '%' => Some("%".to_owned()),
        _ => None,
    }
}

fn offset_text(seconds: i64) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}{:02}", minutes / 60, minutes % 60)
}

/// The year and week of ISO 8601, from weekday and day of the year.
fn iso_week(fields: &Fields) -> (i64, i64) {
    match fields.date() {
        Some(date) => {
            let week = date.iso_week_date();
            (week.year().into(), week.week().into())
        }
        None => (fields.year, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::super::calendar::{Fields, Zone};
    use super::*;

    // The expected text is printed by CPython 3.11 on Linux.
    #[test]
    fn directives_are_the_c_librarys() {
        let fields = Fields::at(1_000_000_000, Zone::Utc).expect("in range");
        let written =
            format("%a %A %b %B %d %H %I %j %m %M %p %S %U %w %W %x %X %y %Y %% %e|%C %G %V %u %k %l %P %r", &fields);
        let expected = "Sun Sunday Sep September 09 01 01 252 09 46 AM 40 36 0 36 09/09/01 01:46:40 01 2001 %  9|20 2001 36 7  1  1 am 01:46:40 AM";
        assert_eq!(written, expected);
        assert_eq!(format("%-d %_m %^b %Q %", &fields), "9  9 SEP %Q %");
    }
}
