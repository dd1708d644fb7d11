//! What memory looked like before and after: of each device what lives here, what is cached, and what the device says.

use serde_json::{Value as Json, json};

use crate::arrays::ledger;
use crate::arrays::readings::{Amount, DeviceReading};
use crate::display::units::bytes;
use crate::display::{Markup, Role};
use crate::gauges::free_text;

/// All devices at one moment.
#[derive(Clone, Debug, Default)]
pub(super) struct Figures {
    readings: Vec<DeviceReading>,
}

impl Figures {
    /// Reads them.
    pub(super) fn now() -> Self {
        Self { readings: ledger::readings() }
    }

    fn sum(&self, figure: impl Fn(&DeviceReading) -> u64) -> u64 {
        self.readings.iter().map(figure).sum()
    }

    /// Live bytes of all devices.
    pub(super) fn live(&self) -> u64 {
        self.sum(|reading| reading.here.live)
    }

    /// Bytes of cached blocks of all devices.
    pub(super) fn cached(&self) -> u64 {
        self.sum(|reading| reading.here.cached)
    }

    /// Bytes taken from all devices: blocks in use and cached ones.
    pub(super) fn mapped(&self) -> u64 {
        self.sum(|reading| reading.here.live_blocks + reading.here.cached)
    }
}

/// A line for each device whose figures changed.
pub(super) fn comparison(before: &Figures, after: &Figures) -> Markup {
    let mut markup = Markup::new();
    for (was, is) in changed(before, after) {
        let step = |from: String, to: String| if from == to { to } else { format!("{from} -> {to}") };
        markup = markup.line().push(Role::Dim, format!("  {}", is.filter)).gap();
        markup = markup.push(Role::Dim, "ledger ").plain(step(bytes(was.here.live), bytes(is.here.live))).gap();
        markup = markup.push(Role::Dim, "pool ").plain(step(bytes(was.here.cached), bytes(is.here.cached))).gap();
        markup = markup.push(Role::Dim, "device free ").plain(step(free_text(was), free_text(is)));
    }
    markup
}

/// The same as JSON.
pub(super) fn comparison_json(before: &Figures, after: &Figures) -> Json {
    let side = |reading: &DeviceReading| {
        let free = match &reading.memory.free {
            Amount::Known { bytes, source } => json!({"bytes": bytes, "source": source}),
            Amount::Unknown { reason } => json!({"unknown": reason}),
        };
        let here = &reading.here;
        json!({"live": here.live, "live_blocks": here.live_blocks, "cached": here.cached, "free": free})
    };
    changed(before, after)
        .map(|(was, is)| json!({"filter": is.filter, "before": side(was), "after": side(is)}))
        .collect()
}

/// Devices are only ever added, behind those that were there.
fn changed<'a>(
    before: &'a Figures,
    after: &'a Figures,
) -> impl Iterator<Item = (&'a DeviceReading, &'a DeviceReading)> {
    let pairs = before.readings.iter().zip(&after.readings);
    pairs.filter(|(was, is)| {
        was.here.live != is.here.live
            || was.here.cached != is.here.cached
            || was.here.live_blocks != is.here.live_blocks
    })
}
