//! `usage_request`: what the resource-usage panel shows, plus the session's own memory figures.
//!
//! The panel breaks on an absent figure, so each one it reads is there; what this system does not tell is `null`.

use serde_json::{Map, Value, json};
use std::fs;
use std::time::Instant;

/// Reads the process and the machine; remembers the last reading, since load is a difference of two.
pub struct UsageReader {
    last: Option<Ticks>,
}

#[derive(Clone, Copy)]
struct Ticks {
    at: Instant,
    process: f64,
    host_busy: f64,
    host_all: f64,
}

impl UsageReader {
    /// A reader whose first answer is the load since now.
    pub fn new() -> UsageReader {
        UsageReader { last: ticks() }
    }

    /// The content of `usage_reply`.
    pub fn read(&mut self, cellhold: Value) -> Value {
        let now = ticks();
        let (process_percent, host_percent) = match (self.last, now) {
            (Some(before), Some(now)) => load(before, now),
            _ => (None, None),
        };
        self.last = now.or(self.last);
        json!({
            "hostname": fs::read_to_string("/proc/sys/kernel/hostname").map_or(Value::Null, |name| name.trim().into()),
            "pid": std::process::id(),
            // Jupyter's server says in the environment what the kernel was started for.
            "notebook": std::env::var("JPY_SESSION_NAME").ok(),
            "kernel_cpu": process_percent,
            "kernel_memory": resident_bytes(),
            "cpu_count": std::thread::available_parallelism().map_or(1, usize::from),
            "host_cpu_percent": host_percent,
            "host_virtual_memory": host_memory(&fs::read_to_string("/proc/meminfo").unwrap_or_default()),
            "cellhold": cellhold,
        })
    }
}

/// Percent of one processor used by us, and percent of the whole machine in use.
fn load(before: Ticks, now: Ticks) -> (Option<f64>, Option<f64>) {
    let seconds = now.at.duration_since(before.at).as_secs_f64();
    let percent = |part: f64, whole: f64| (whole > 0.0).then(|| (1000.0 * part / whole).round() / 10.0);
    let per_second = rustix::param::clock_ticks_per_second() as f64;
    let process = percent((now.process - before.process) / per_second, seconds);
    (process, percent(now.host_busy - before.host_busy, now.host_all - before.host_all))
}

fn ticks() -> Option<Ticks> {
    let own = fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in brackets and may hold anything, so fields are counted behind it.
    let fields: Vec<&str> = own.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |text: &&str| text.parse::<f64>().ok();
    let process = fields.get(11).and_then(number)? + fields.get(12).and_then(number)?;
    let machine = fs::read_to_string("/proc/stat").ok()?;
    let times: Vec<f64> = machine.lines().next()?.split_whitespace().skip(1).filter_map(|text| number(&text)).collect();
    let all: f64 = times.iter().take(8).sum();
    let idle: f64 = times.iter().skip(3).take(2).sum();
    Some(Ticks { at: Instant::now(), process, host_busy: all - idle, host_all: all })
}

fn resident_bytes() -> Option<u64> {
    let pages = fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(pages * u64::try_from(rustix::param::page_size()).ok()?)
}

/// The machine's memory from the text of `/proc/meminfo`, under the names the panel reads.
fn host_memory(meminfo: &str) -> Value {
    let bytes = |name: &str| -> Option<u64> {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
    };
    let (total, available) = (bytes("MemTotal"), bytes("MemAvailable"));
    let used = total.zip(available).map(|(total, available)| total.saturating_sub(available));
    let percent = total.zip(used).filter(|(total, _)| *total > 0).map(|(total, used)| {
        let tenths = (1000.0 * used as f64 / total as f64).round();
        tenths / 10.0
    });
    let mut figures = Map::new();
    figures.insert("total".into(), json!(total));
    figures.insert("available".into(), json!(available));
    figures.insert("used".into(), json!(used));
    figures.insert("percent".into(), json!(percent));
    for (name, source) in [
        ("free", "MemFree"),
        ("active", "Active"),
        ("inactive", "Inactive"),
        ("buffers", "Buffers"),
        ("wired", "Mlocked"),
    ] {
        figures.insert(name.into(), json!(bytes(source)));
    }
    Value::Object(figures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meminfo_is_read_in_bytes() {
        let text = "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    250 kB\nBuffers:           1 kB\n\
                    Active:          300 kB\nActive(anon):      7 kB\nInactive:        200 kB\nMlocked:           0 kB\n";
        let memory = host_memory(text);
        assert_eq!(memory["total"], 1_024_000);
        assert_eq!(memory["used"], 768_000);
        assert_eq!(memory["percent"], 75.0);
        assert_eq!(memory["active"], 307_200);
        assert_eq!(memory["wired"], 0);
    }

    #[test]
    fn a_figure_that_is_not_told_is_null_and_present() {
        let memory = host_memory("MemTotal: 10 kB\n");
        for name in ["active", "available", "free", "inactive", "percent", "total", "used", "wired"] {
            assert!(memory.get(name).is_some(), "{name}");
        }
        assert_eq!(memory["available"], Value::Null);
        assert_eq!(memory["percent"], Value::Null);
    }

    #[test]
    fn load_is_the_difference_of_two_readings() {
        let before = Ticks { at: Instant::now(), process: 0.0, host_busy: 10.0, host_all: 100.0 };
        let second = std::time::Duration::from_secs(1);
        let half = rustix::param::clock_ticks_per_second() as f64 / 2.0;
        let now = Ticks { at: before.at + second, process: half, host_busy: 60.0, host_all: 300.0 };
        assert_eq!(load(before, now), (Some(50.0), Some(25.0)));
        assert!(UsageReader::new().read(json!({"live": 1}))["kernel_memory"].as_u64().is_some_and(|bytes| bytes > 0));
    }
}
