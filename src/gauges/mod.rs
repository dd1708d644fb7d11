//! Gauges: what a device's memory looks like at one moment, as markup for text, terminals and notebooks.
//!
//! A figure that the system does not give stays unknown, with its reason; a figure that contradicts what the session
//! itself holds is shown as unreliable.

use crate::arrays::UsmKind;
use crate::arrays::readings::{Amount, DeviceReading, Holdings};
use crate::display::units::{Fraction, bytes};
use crate::display::{Markup, RichDisplay, Role};

/// One device's reading, as people see it.
#[derive(Clone, Debug)]
pub struct Gauge {
    /// The figures.
    pub reading: DeviceReading,
}

/// Why a free figure cannot be trusted, if it cannot.
pub fn contradiction(reading: &DeviceReading) -> Option<&'static str> {
    let free = reading.memory.free.bytes()?;
    let total = reading.memory.total.bytes()?;
    if free > total {
        return Some("the driver reports more free than there is");
    }
    let on_host = on_host(reading);
    let here = reading.here.live_blocks + reading.here.cached - on_host.live_blocks - on_host.cached;
    // Below one block's rounding a difference means nothing.
    if free == total && here > 1 << 20 {
        return Some("the driver reports all of it free although this session holds some");
    }
    None
}

/// What a device's arrays occupy of the host's memory rather than its own; of the processor nothing, since they are the same.
pub fn on_host(reading: &DeviceReading) -> Holdings {
    let of_host = reading.by_kind.iter().find(|(kind, _)| *kind == Some(UsmKind::Host));
    let is_processor = reading.filter.starts_with("native:");
    of_host.filter(|_| !is_processor).map(|(_, holdings)| *holdings).unwrap_or_default()
}

/// A free figure with its source, or why there is none.
pub fn free_text(reading: &DeviceReading) -> String {
    match (&reading.memory.free, contradiction(reading)) {
        (Amount::Known { bytes: free, .. }, Some(_)) => format!("{}?", bytes(*free)),
        (Amount::Known { bytes: free, .. }, None) => bytes(*free),
        (Amount::Unknown { .. }, _) => "unknown".to_owned(),
    }
}

/// An amount, or the word that it is unknown.
pub fn amount_text(amount: &Amount) -> String {
    match amount {
        Amount::Known { bytes: known, .. } => bytes(*known),
        Amount::Unknown { .. } => "unknown".to_owned(),
    }
}

impl Gauge {
    /// One line: what is here, what is cached, what the backend keeps for copies, what is free, the peak.
    pub fn line(&self) -> Markup {
        let reading = &self.reading;
        let mut line = Markup::of(Role::Strong, reading.filter.as_ref()).gap().push(Role::Dim, "here ");
        let on_host = on_host(reading);
        let blocks = reading.here.live_blocks - on_host.live_blocks;
        let share = reading.memory.total.bytes().and_then(|total| Fraction::new(blocks, total));
        if let Some(share) = share {
            line = line.bar(share).plain(" ");
        }
        line = line.push(Role::Number, bytes(reading.here.live));
        if on_host.live > 0 {
            line = line.plain(format!(", {} of it in host memory", bytes(on_host.live)));
        }
        let blocks = bytes(reading.here.live_blocks);
        if blocks != bytes(reading.here.live) {
            // What is free is less what blocks occupy, not what was asked for.
            line = line.gap().push(Role::Dim, "in blocks of ").plain(blocks);
        }
        line = line.gap().push(Role::Dim, "cached ").plain(bytes(reading.here.cached));
        if reading.copies > 0 {
            line = line.gap().push(Role::Dim, "for copies ").plain(bytes(reading.copies));
        }
        line = line.gap().push(Role::Dim, "free ").plain(free_text(reading));
        if let Some(total) = reading.memory.total.bytes() {
            line = line.push(Role::Dim, " of ").plain(bytes(total));
        }
        line.gap().push(Role::Dim, "peak ").plain(bytes(reading.here.peak))
    }

    /// Why a figure of the line is missing or doubtful, for a note below it.
    pub fn note(&self) -> Option<String> {
        if let Some(reason) = contradiction(&self.reading) {
            return Some(format!("free is not to be trusted: {reason}. What this session holds is exact."));
        }
        match &self.reading.memory.free {
            Amount::Unknown { reason } => Some(format!("free is unknown: {reason}")),
            Amount::Known { .. } => None,
        }
    }
}

impl RichDisplay for Gauge {
    fn markup(&self) -> Markup {
        let line = self.line();
        match self.note() {
            Some(note) => line.line().push(Role::Dim, note),
            None => line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::readings::MemoryReading;
    use crate::display::to_plain;

    fn gauge(total: Amount, free: Amount, live: u64) -> Gauge {
        let here = Holdings { live, live_blocks: live, peak: live, count: 1, ..Holdings::default() };
        let reading = DeviceReading {
            filter: "sim:gpu:0".into(),
            memory: MemoryReading { total, free },
            here,
            copies: 0,
            by_kind: Vec::new(),
        };
        Gauge { reading }
    }

    #[test]
    fn unknown_is_not_zero_and_says_why() {
        let gauge = gauge(Amount::known(64 << 20, "simulated"), Amount::unknown("no Sysman"), 16 << 20);
        let text = to_plain(&gauge.markup(), 120);
        assert!(text.contains("free unknown of 64.0 MiB"), "{text}");
        assert!(text.contains("no Sysman"), "{text}");
        assert!(text.contains("██████░░"), "a quarter of the bar: {text}");
    }

    #[test]
    fn a_figure_that_contradicts_the_ledger_is_doubted() {
        let total = Amount::known(64 << 20, "driver");
        let doubted = gauge(total.clone(), total.clone(), 16 << 20);
        assert!(to_plain(&doubted.markup(), 120).contains("not to be trusted"));
        let idle = gauge(total.clone(), total, 0);
        assert!(idle.note().is_none());
    }

    #[test]
    fn what_is_kept_in_host_memory_fills_no_device() {
        let mut gauge = gauge(Amount::known(64 << 20, "simulated"), Amount::known(64 << 20, "simulated"), 80 << 20);
        gauge.reading.by_kind = vec![(Some(UsmKind::Host), gauge.reading.here)];
        let text = to_plain(&gauge.line(), 200);
        assert!(text.contains("here ░░░░░░░░"), "{text}");
        assert!(text.contains("80.0 MiB, 80.0 MiB of it in host memory"), "{text}");
        assert!(gauge.note().is_none(), "all of the device is free: {text}");
        gauge.reading.filter = "native:cpu:0".into();
        assert!(!to_plain(&gauge.line(), 200).contains("host memory"), "that is the processor's own");
    }

    #[test]
    fn blocks_are_told_where_they_are_larger_than_what_was_asked_for() {
        let mut gauge = gauge(Amount::known(64 << 20, "simulated"), Amount::known(56 << 20, "simulated"), 8_000_000);
        gauge.reading.here.live_blocks = 8 << 20;
        let text = to_plain(&gauge.line(), 200);
        assert!(text.contains("7.63 MiB   in blocks of 8.00 MiB   cached 0 B   free 56.0 MiB of 64.0 MiB"), "{text}");
    }

    #[test]
    fn an_unknown_capacity_has_no_bar() {
        let text = to_plain(&gauge(Amount::unknown("x"), Amount::unknown("y"), 5).line(), 120);
        assert!(!text.contains('░') && text.contains("here 5 B"), "{text}");
    }
}
