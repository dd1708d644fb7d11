//! The description of a simulated device: `gpu mem=256MiB fp64=no max_alloc=64MiB latency=2ms as=level_zero`.

use crate::arrays::backend::{BackendKind, DeviceType};
use crate::arrays::error::ArrayError;
use std::time::Duration;

/// What a simulated device has and how it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimSpec {
    /// What it claims to be.
    pub device_type: DeviceType,
    /// Bytes of memory.
    pub capacity: u64,
    /// Bytes of the largest single allocation.
    pub max_single: u64,
    /// Whether it has double precision.
    pub fp64: bool,
    /// Whether it has half precision.
    pub fp16: bool,
    /// Whether it shares the host's memory.
    pub integrated: bool,
    /// Time each step takes before it computes.
    pub latency: Duration,
    /// Which of its allocations fails, counted from one.
    pub fail_nth: Option<u64>,
    /// After how many steps it fails for good.
    pub lost_after: Option<u64>,
    /// Whether the host can touch its device memory; where not, it is reached by copies, as on a discrete GPU.
    pub host_access: bool,
    /// Another backend whose filter string it answers to.
    pub answers_to: Option<BackendKind>,
}

const OPTIONS: &str = "mem=SIZE max_alloc=SIZE fp64=yes|no fp16=yes|no integrated latency=TIME fail_alloc=nth:N lost=after:N \
                       host_access=yes|no as=level_zero|opencl";

impl SimSpec {
    /// A device of a type with this much memory and nothing special.
    pub fn new(device_type: DeviceType, capacity: u64) -> SimSpec {
        SimSpec {
            device_type,
            capacity,
            max_single: capacity,
            fp64: true,
            fp16: true,
            integrated: false,
            latency: Duration::ZERO,
            fail_nth: None,
            lost_after: None,
            host_access: true,
            answers_to: None,
        }
    }

    /// Reads one description; the error names the word that is wrong and what may stand there.
    pub fn parse(text: &str) -> Result<SimSpec, ArrayError> {
        let mut words = text.split_whitespace();
        let first = words.next().ok_or_else(|| refuse("a simulated device needs a type: gpu, cpu or accelerator"))?;
        let device_type = DeviceType::parse(first)
            .ok_or_else(|| refuse(&format!("'{first}' is no device type; it is gpu, cpu or accelerator")))?;
        let mut spec = SimSpec::new(device_type, 1 << 30);
        let mut max_single = None;
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, "yes"));
            match key {
                "mem" => spec.capacity = size(key, value)?,
                "max_alloc" => max_single = Some(size(key, value)?),
                "fp64" => spec.fp64 = yes_or_no(key, value)?,
                "fp16" => spec.fp16 = yes_or_no(key, value)?,
                "integrated" => spec.integrated = yes_or_no(key, value)?,
                "latency" => spec.latency = time(value)?,
                "fail_alloc" => spec.fail_nth = Some(count(key, "nth", value)?.max(1)),
                "lost" => spec.lost_after = Some(count(key, "after", value)?),
                "host_access" => spec.host_access = yes_or_no(key, value)?,
                "as" => spec.answers_to = Some(answers_to(value)?),
                _ => return Err(refuse(&format!("'{key}' is no option of a simulated device; they are {OPTIONS}"))),
            }
        }
        spec.max_single = max_single.unwrap_or(spec.capacity).min(spec.capacity);
        Ok(spec)
    }

    /// Reads descriptions separated by semicolons, as `CELLHOLD_SIM` holds them.
    pub fn parse_list(text: &str) -> Result<Vec<SimSpec>, ArrayError> {
        text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(SimSpec::parse).collect()
    }
}

fn refuse(message: &str) -> ArrayError {
    ArrayError::value(message)
}

fn size(key: &str, value: &str) -> Result<u64, ArrayError> {
    parse_size(value)
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| refuse(&format!("{key}={value} is no size; write {key}=64MiB, {key}=2GiB or {key}=1000000")))
}

/// A number of bytes with an optional unit: `64MiB`, `2GB`, `512k`, `1000`.
pub fn parse_size(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "kb" => 1_000,
        "m" | "mib" => 1 << 20,
        "mb" => 1_000_000,
        "g" | "gib" => 1 << 30,
        "gb" => 1_000_000_000,
        "t" | "tib" => 1 << 40,
        "tb" => 1_000_000_000_000,
        _ => return None,
    };
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(scale);
    }
    let fraction: f64 = number.parse().ok()?;
    let bytes = fraction * scale as f64;
    (bytes < u64::MAX as f64).then_some(bytes as u64)
}

fn yes_or_no(key: &str, value: &str) -> Result<bool, ArrayError> {
    match value {
        "yes" | "true" | "on" | "1" => Ok(true),
        "no" | "false" | "off" | "0" => Ok(false),
        _ => Err(refuse(&format!("{key}={value}: write {key}=yes or {key}=no"))),
    }
}

fn time(value: &str) -> Result<Duration, ArrayError> {
    let bad = || refuse(&format!("latency={value} is no time; write latency=2ms, latency=500us or latency=1s"));
    let digits = value.find(|c: char| !c.is_ascii_digit()).ok_or_else(bad)?;
    let (number, unit) = value.split_at(digits);
    let number: u64 = number.parse().map_err(|_| bad())?;
    let latency = match unit {
        "us" => Duration::from_micros(number),
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        _ => return Err(bad()),
    };
    if latency > Duration::from_secs(60) { Err(refuse("latency is at most 60s")) } else { Ok(latency) }
}

fn count(key: &str, word: &str, value: &str) -> Result<u64, ArrayError> {
    value
        .strip_prefix(word)
        .and_then(|rest| rest.strip_prefix(':'))
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| refuse(&format!("{key}={value}: write {key}={word}:3")))
}

fn answers_to(value: &str) -> Result<BackendKind, ArrayError> {
    match BackendKind::parse(value) {
        Some(backend @ (BackendKind::LevelZero | BackendKind::OpenCl)) => Ok(backend),
        _ => Err(refuse(&format!("as={value}: a simulated device answers to as=level_zero or as=opencl"))),
    }
}
