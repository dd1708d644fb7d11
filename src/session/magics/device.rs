//! `%devices`, `%device`: what there is to compute on, and which one is meant when nothing is said.

use super::{Context, Magic, line, usage_error};
use crate::arrays::readings::Amount;
use crate::arrays::registry;
use crate::display::units::bytes;
use crate::display::{Markup, Role, Table};
use crate::gauges::{amount_text, contradiction, free_text};
use crate::lang::arrays::error::raised;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::memory::devices;

pub(super) const MAGICS: &[Magic] = &[
    line(
        "devices",
        "[add gpu mem=256MiB fp64=no max_alloc=64MiB ...]",
        "Every device with its memory and features, the default one marked; absent backends with the reason and the remedy. \
         add makes a simulated device: always shown as such, never the default unless named.",
        devices_magic,
    ),
    line(
        "device",
        "[FILTER]",
        "Chooses the device that is meant when none is named (native:cpu:0, gpu, sim:gpu:0), or says which it is.",
        device,
    ),
];

/// Features stand below a device where there would be less room than any of them may take.
const FEATURES_COLUMNS: usize = usize::MAX;

fn devices_magic(context: &mut Context<'_>) -> Fallible<Value> {
    if let Some(spec) = context.line.strip_prefix("add") {
        if spec.trim().is_empty() {
            return Err(usage_error("%devices add takes what to add: gpu mem=256MiB fp64=no"));
        }
        let added = registry::add_simulated(spec.trim()).map_err(raised)?;
        let names: Vec<String> = added.iter().map(|device| device.ledger_name().to_owned()).collect();
        return context.print(&format!("Added {} (simulated).", names.join(", ")));
    }
    if !context.line.is_empty() {
        return Err(usage_error(format!("%devices takes nothing or add ..., not {}", context.line)));
    }
    let markup = table_of_devices();
    context.show_markup(markup)
}

/// The table of devices with notes about figures that are missing or doubtful.
fn table_of_devices() -> Markup {
    // Waits for drivers that are still starting, so that all of them are in the table.
    let default = registry::default_device();
    let mut notes: Vec<String> = Vec::new();
    let mut table = Table::new()
        .left("")
        .left("device")
        .shrinking("name")
        .left("kind")
        .right("total")
        .right("free now")
        .right("here")
        .right("cached")
        .right("peak")
        .shrinking_late("")
        .stacking_below(FEATURES_COLUMNS)
        .naming_figures();
    for (device, reading) in devices() {
        let info = device.info();
        let reason = match (&reading.memory.free, contradiction(&reading)) {
            (Amount::Unknown { reason }, _) => Some(reason.to_string()),
            (_, Some(doubt)) => Some(format!("{doubt}. What this session holds is exact.")),
            (Amount::Known { .. }, None) => None,
        };
        let mut free = Markup::text(free_text(&reading));
        if let Some(reason) = reason {
            let number = match notes.iter().position(|note| *note == reason) {
                Some(at) => at + 1,
                None => {
                    notes.push(reason);
                    notes.len()
                }
            };
            free = free.plain(format!(" ({number})"));
        } else if let Amount::Known { source, .. } = &reading.memory.free {
            free = free.push(Role::Dim, format!(" ({source})"));
        }
        let is_default = device == default;
        let kind = match () {
            () if device.is_simulated() => "simulated",
            () if device.is_host() => "numpy",
            () if device.info().device_type == crate::arrays::backend::DeviceType::Cpu => "host",
            () if info.integrated => "integrated",
            () => "discrete",
        };
        let mut features = vec![
            format!("{} units", info.compute_units),
            format!("fp64 {}", yes(info.fp64)),
            format!("fp16 {}", yes(info.fp16)),
        ];
        if let (Amount::Known { bytes: single, .. }, Amount::Known { bytes: total, .. }) =
            (&info.max_single, &info.total)
            && single < total
        {
            features.push(format!("max one {}", bytes(*single)));
        }
        if reading.copies > 0 {
            features.push(format!("runtime {} for copies", bytes(reading.copies)));
        }
        if let Some(twin) = registry::same_silicon(&device).first() {
            let what = if info.device_type == crate::arrays::backend::DeviceType::Cpu { "processor" } else { "device" };
            features.push(format!("same {what} as {}", twin.ledger_name()));
        }
        if device.is_simulated() && device.filter_string() != device.ledger_name() {
            features.push(format!("answers to {}", device.filter_string()));
        }
        if is_default {
            features.push("default".to_owned());
        }
        table.row(vec![
            Markup::text(if is_default { "*" } else { "" }),
            Markup::of(Role::Code, device.ledger_name()),
            Markup::text(info.name.to_string()),
            Markup::text(kind),
            Markup::text(amount_text(&reading.memory.total)),
            free,
            Markup::of(Role::Number, bytes(reading.here.live)),
            Markup::text(bytes(reading.here.cached)),
            Markup::text(bytes(reading.here.peak)),
            Markup::of(Role::Dim, features.join(", ")),
        ]);
    }
    let mut markup = Markup::new().table(table);
    // Lines of their own: a remedy that is cut off helps nobody.
    for backend in registry::absent() {
        markup = markup
            .push(Role::Code, format!("  {:<10}", backend.backend.name()))
            .push(Role::Dim, format!("   absent: {}", backend.reason))
            .line();
    }
    for (index, note) in notes.iter().enumerate() {
        markup = markup.push(Role::Dim, format!("({}) {note}", index + 1)).line();
    }
    markup
}

fn yes(has: bool) -> &'static str {
    if has { "yes" } else { "no" }
}

fn device(context: &mut Context<'_>) -> Fallible<Value> {
    if !context.line.is_empty() {
        let device = registry::select(context.line).map_err(|error| {
            let there: Vec<String> = registry::devices().iter().map(|device| device.ledger_name().to_owned()).collect();
            usage_error(format!("{error}. There is {}; %devices says more.", there.join(", ")))
        })?;
        let queue = registry::cached_queue(&device).map_err(raised)?;
        registry::choose_default(Some(queue));
    }
    let default = registry::default_device();
    context.print(&format!("{} ({})", default.ledger_name(), default.info().name))
}
