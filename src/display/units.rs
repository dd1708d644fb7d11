//! Figures as people read them: bytes in binary units with three digits, ages, durations, shares.

use std::fmt;
use std::time::Duration;

const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Bytes in binary units with three digits: `7.63 MiB`, `512 B`, `1.00 GiB`.
pub fn bytes(count: u64) -> String {
    let mut unit = 0;
    let mut value = count as f64;
    // 999.5 and more would round to four digits.
    while unit + 1 < UNITS.len() && (value >= 999.5 && unit > 0 || value >= 1000.0) {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        return format!("{count} B");
    }
    format!("{} {}", three_digits(value), UNITS[unit])
}

/// Bytes that may be less than nothing: `-8.00 MiB`.
pub fn signed_bytes(count: i64) -> String {
    let sign = if count < 0 { "-" } else { "" };
    format!("{sign}{}", bytes(count.unsigned_abs()))
}

/// A number of things with its thousands apart: `10,000`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 allocation`, `10,000 allocations`.
pub fn plural(number: u64, word: &str) -> String {
    format!("{} {word}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Levels as one line of eighths, the highest full; nothing is the lowest step, something always a higher one.
pub fn spark(levels: &[u64]) -> String {
    const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let top = levels.iter().copied().max().unwrap_or(0).max(1);
    let step = |level: &u64| STEPS[(u128::from(*level) * 7).div_ceil(u128::from(top)) as usize];
    levels.iter().map(step).collect()
}

fn three_digits(value: f64) -> String {
    if value < 9.995 {
        format!("{value:.2}")
    } else if value < 99.95 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// Reads an amount of memory as people write it: `2GB`, `1.5 GiB`, `500k`, `4096`. Powers of 1000 for `kB`, `MB`, of 1024 for `KiB`, `MiB`.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_').unwrap_or(text.len());
    let number: f64 = text[..digits].replace('_', "").parse().ok()?;
    let factor: f64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        "gib" => 1_073_741_824.0,
        "tib" => 1_099_511_627_776.0,
        _ => return None,
    };
    let value = number * factor;
    (value.is_finite() && value < 9.2e18).then_some(value as u64)
}

/// How long ago: `now`, `41 s`, `7 min`, `3 h`, `2 d`.
pub fn age(since: Duration) -> String {
    let seconds = since.as_secs();
    match seconds {
        0 => "now".to_owned(),
        1..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A duration with three digits and the unit that fits, as IPython's `%timeit` writes it: `1.23 ms`, `45.6 µs`.
pub fn duration(seconds: f64) -> String {
    if seconds >= 60.0 {
        let whole = seconds as u64;
        return if whole >= 3600 {
            format!("{}h {}min {}s", whole / 3600, whole / 60 % 60, whole % 60)
        } else {
            format!("{}min {}s", whole / 60, whole % 60)
        };
    }
    let (scale, unit) = match seconds {
        s if s >= 1.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        s if s >= 1e-6 => (1e6, "µs"),
        _ => (1e9, "ns"),
    };
    let value = seconds * scale;
    let text = if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

/// A share between 0 and 1 of a total that is known and not zero; it cannot be NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fraction(f64);

impl Fraction {
    /// `part` of `total`; nothing when the total is zero. More than the whole counts as the whole.
    pub fn new(part: u64, total: u64) -> Option<Self> {
        (total > 0).then(|| Self((part as f64 / total as f64).clamp(0.0, 1.0)))
    }

    /// The share, 0 to 1.
    pub fn get(self) -> f64 {
        self.0
    }

    /// How many of `cells` are full; a share above nothing shows at least one.
    pub fn cells(self, cells: usize) -> usize {
        let full = (self.0 * cells as f64).round() as usize;
        full.max(usize::from(self.0 > 0.0)).min(cells)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} %", self.0 * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_three_digits_and_never_four() {
        let cases: [(u64, &str); 9] = [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "0.98 KiB"),
            (1024, "1.00 KiB"),
            (8_000_000, "7.63 MiB"),
            (8 << 20, "8.00 MiB"),
            (1023 << 10, "1.00 MiB"),
            (23 << 30, "23.0 GiB"),
            (u64::MAX, "16.0 EiB"),
        ];
        for (count, text) in cases {
            assert_eq!(bytes(count), text, "{count}");
        }
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn levels_are_drawn_from_nothing_to_the_highest() {
        assert_eq!(spark(&[0, 1, 50, 100]), "▁▂▅█");
        assert_eq!(spark(&[0, 0]), "▁▁");
        assert_eq!(spark(&[u64::MAX]), "█");
        assert_eq!((signed_bytes(-1024), signed_bytes(0)), ("-1.00 KiB".to_owned(), "0 B".to_owned()));
    }

    #[test]
    fn amounts_are_read_as_people_write_them() {
        assert_eq!(parse_bytes("2GB"), Some(2_000_000_000));
        assert_eq!(parse_bytes("1.5 GiB"), Some(1_610_612_736));
        assert_eq!(parse_bytes("64MiB"), Some(64 << 20));
        assert_eq!(parse_bytes("4096"), Some(4096));
        for bad in ["", "GB", "2 apples", "-1", "1e9", "nan"] {
            assert_eq!(parse_bytes(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_fraction_of_nothing_does_not_exist() {
        assert_eq!(Fraction::new(3, 0), None);
        assert_eq!(Fraction::new(5, 2).map(Fraction::get), Some(1.0));
        assert_eq!(Fraction::new(1, 1_000_000).map(|share| share.cells(24)), Some(1));
        assert_eq!(Fraction::new(0, 10).map(|share| share.cells(24)), Some(0));
    }

    #[test]
    fn durations_choose_their_unit() {
        assert_eq!(duration(0.001_234), "1.23 ms");
        assert_eq!(duration(4.56e-5), "45.6 µs");
        assert_eq!(duration(2e-9), "2 ns");
        assert_eq!(duration(61.0), "1min 1s");
        assert_eq!(age(Duration::from_secs(41)), "41 s");
        assert_eq!(age(Duration::from_secs(600)), "10 min");
    }
}
