//! How much output a notebook can take in, and the count of what is left out beyond that.
//!
//! Jupyter's server measures each kernel over a window of three seconds and drops everything above 1 MB of stream
//! text or 1000 messages a second, without saying what. The budgets here stay below both, so that what is dropped is
//! dropped by us, and counted. Pure arithmetic: the time is passed in.

use std::time::{Duration, Instant};

/// The budgets of one kernel's output.
pub struct Governor {
    text: Bucket,
    messages: Bucket,
    eliding: bool,
}

/// Text that was not sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Elision {
    /// UTF-8 bytes left out.
    pub bytes: usize,
    /// Line ends among them.
    pub lines: usize,
}

/// Beyond a full bucket, three seconds bring 2.4 MB of text and 1500 messages: below the server's 3 MB and 3000.
const TEXT_BURST: f64 = 500_000.0;
const TEXT_PER_SECOND: f64 = 800_000.0;
const MESSAGE_BURST: f64 = 800.0;
const MESSAGES_PER_SECOND: f64 = 500.0;

/// What a message weighs apart from its text: identities, signature, headers and JSON around it.
const ENVELOPE_BYTES: f64 = 800.0;

impl Governor {
    /// Full budgets.
    pub fn new(now: Instant) -> Governor {
        Governor {
            text: Bucket::new(TEXT_BURST, TEXT_PER_SECOND, now),
            messages: Bucket::new(MESSAGE_BURST, MESSAGES_PER_SECOND, now),
            eliding: false,
        }
    }

    /// How many bytes of `text` may be sent as one message now; the rest is to be left out.
    ///
    /// Once something is left out, nothing more is sent until the budget is whole again, so that a flood shows as a few
    /// long stretches of text and not as scraps.
    pub fn admit(&mut self, text: &str, now: Instant) -> usize {
        if text.is_empty() || self.resumes(now).is_some() {
            return 0;
        }
        let level = self.text.level(now);
        let mut room = level - ENVELOPE_BYTES;
        let end = text.char_indices().find(|(_, c)| {
            room -= weight(*c);
            room < 0.0
        });
        let admitted = end.map_or(text.len(), |(position, _)| position);
        self.eliding = admitted < text.len();
        if admitted > 0 {
            self.text.take(level.min(ENVELOPE_BYTES + text[..admitted].chars().map(weight).sum::<f64>()), now);
            self.messages.take(1.0, now);
        }
        admitted
    }

    /// When text will be admitted again; `None` if it would be at once.
    pub fn resumes(&mut self, now: Instant) -> Option<Duration> {
        if !self.eliding {
            return None;
        }
        let missing = TEXT_BURST - self.text.level(now);
        self.eliding = missing > 0.0;
        self.eliding.then(|| Duration::from_secs_f64(missing / TEXT_PER_SECOND))
    }

    /// Lets a notice through whatever the budget, and ends the gap that it names; what it weighs is paid back later.
    pub fn pay(&mut self, text: &str, now: Instant) {
        self.eliding = false;
        self.text.take(ENVELOPE_BYTES + text.chars().map(weight).sum::<f64>(), now);
        self.messages.take(1.0, now);
    }

    /// Takes a message other than stream text from the budget, and says how long to wait before it is sent.
    pub fn pace(&mut self, now: Instant) -> Duration {
        let debt = 1.0 - self.messages.level(now);
        self.messages.take(1.0, now);
        Duration::from_secs_f64(debt.max(0.0) / MESSAGES_PER_SECOND)
    }

    /// Whether messages have become scarce, so that small texts had better be joined.
    pub fn is_pressed(&mut self, now: Instant) -> bool {
        self.messages.level(now) < MESSAGE_BURST / 2.0
    }
}

impl Elision {
    /// Counts text that is left out.
    pub fn add(&mut self, text: &str) {
        self.bytes += text.len();
        self.lines += text.bytes().filter(|&byte| byte == b'\n').count();
    }

    /// Counts what somebody else left out.
    pub fn merge(&mut self, other: Elision) {
        self.bytes += other.bytes;
        self.lines += other.lines;
    }

    /// The line that stands where the text would have been.
    pub fn notice(self) -> String {
        let (bytes, lines) = (grouped(self.bytes), grouped(self.lines));
        format!("[{bytes} bytes with {lines} line ends left out here: more output than a notebook can take in]\n")
    }
}

/// How many bytes a character takes inside a JSON string.
fn weight(c: char) -> f64 {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2.0,
        c if u32::from(c) < 0x20 => 6.0,
        c if c.is_ascii() => 1.0,
        c if u32::from(c) < 0x800 => 2.0,
        c if u32::from(c) < 0x1_0000 => 3.0,
        _ => 4.0,
    }
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// An amount that is refilled steadily up to a limit. It may be overdrawn.
struct Bucket {
    capacity: f64,
    per_second: f64,
    level: f64,
    measured: Instant,
}

impl Bucket {
    fn new(capacity: f64, per_second: f64, now: Instant) -> Bucket {
        Bucket { capacity, per_second, level: capacity, measured: now }
    }

    fn level(&mut self, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.measured).as_secs_f64();
        self.level = (self.level + passed * self.per_second).min(self.capacity);
        self.measured = now;
        self.level
    }

    fn take(&mut self, amount: f64, now: Instant) {
        self.level(now);
        self.level -= amount;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the server counts: JSON text plus envelope, over any window of three seconds.
    #[test]
    fn a_flood_stays_below_the_servers_limits() {
        let start = Instant::now();
        let mut governor = Governor::new(start);
        let text = "line of output \u{1b}[0m é\n".repeat(2000);
        let mut sent: Vec<(f64, f64)> = Vec::new();
        for step in 0..2000 {
            let time = f64::from(step) * 0.005;
            let admitted = governor.admit(&text, start + Duration::from_secs_f64(time));
            if admitted > 0 {
                let json = serde_json::Value::from(&text[..admitted]).to_string();
                sent.push((time, json.len() as f64 + ENVELOPE_BYTES));
            }
        }
        let worst = |amount: fn(&(f64, f64)) -> f64| {
            let window =
                |from: f64| sent.iter().filter(|(time, _)| (from..from + 3.0).contains(time)).map(amount).sum();
            sent.iter().map(|(time, _)| window(*time)).fold(0.0f64, f64::max)
        };
        assert!(worst(|(_, bytes)| *bytes) < 3_000_000.0);
        assert!(worst(|_| 1.0) < 3_000.0);
        let total: f64 = sent.iter().map(|(_, bytes)| bytes).sum();
        assert!(total > 4_000_000.0, "in ten seconds more than the first burst is sent: {total}");
    }

    #[test]
    fn small_output_is_never_touched() {
        let start = Instant::now();
        let mut governor = Governor::new(start);
        for line in 0..300u64 {
            let now = start + Duration::from_millis(line * 50);
            assert_eq!(governor.admit("epoch 12: loss 0.125\n", now), 21);
            assert_eq!(governor.resumes(now), None);
        }
    }

    #[test]
    fn text_is_cut_between_characters_and_resumes_when_the_budget_is_whole() {
        let start = Instant::now();
        let mut governor = Governor::new(start);
        let text = "é".repeat(400_000);
        let admitted = governor.admit(&text, start);
        assert!(admitted > 400_000 && admitted < text.len() && text.is_char_boundary(admitted), "{admitted}");
        assert_eq!(governor.admit("more", start + Duration::from_millis(100)), 0);
        let wait = governor.resumes(start + Duration::from_millis(100)).unwrap();
        assert!(wait < Duration::from_millis(900), "a flood is named within a second: {wait:?}");
        assert_eq!(governor.admit("more", start + Duration::from_millis(101) + wait), 4);
    }

    #[test]
    fn displays_are_spaced_and_not_lost() {
        let start = Instant::now();
        let mut governor = Governor::new(start);
        let mut now = start;
        for _ in 0..4000 {
            now += governor.pace(now);
        }
        let seconds = (now - start).as_secs_f64();
        assert!((6.0..7.0).contains(&seconds), "3200 messages beyond the burst at 500 a second: {seconds}");
        assert!(governor.is_pressed(now));
    }

    #[test]
    fn the_notice_names_exact_counts() {
        let mut elision = Elision::default();
        elision.add("ab\né\n");
        elision.merge(Elision { bytes: 1_234_560, lines: 998 });
        assert_eq!(elision, Elision { bytes: 1_234_566, lines: 1000 });
        assert!(elision.notice().starts_with("[1,234,566 bytes with 1,000 line ends left out"));
    }
}
