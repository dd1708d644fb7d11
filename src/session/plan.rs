//! `%plan`'s bookkeeping: which memory that exists now a program would have let go of by rebinding names, and what a
//! finished plan says, as markup and as JSON.

use serde_json::{Value as Json, json};

use super::core::Core;
use super::holders::Foretelling;
use crate::arrays::backend::{BackendKind, UsmKind};
use crate::arrays::ledger::{self, Origin};
use crate::arrays::plan::{self, Need, Outcome};
use crate::arrays::readings::Amount;
use crate::arrays::trace::{Operand, What};
use crate::arrays::{budget, chunk};
use crate::display::units::bytes;
use crate::display::{Markup, RichDisplay, Role, Table};
use crate::lang::vm::Vm;

/// The MIME type of a plan's JSON.
pub(super) const PLAN_MIME: &str = "application/vnd.cellhold.plan+json";

/// What is left of what steps read at least where it stands beside the rest.
const READS_COLUMNS: usize = 24;

/// Steps listed.
const ROWS: usize = 40;

/// Watches during a dry run what the names of before, put aside for its time, hold alone: the program would have let go
/// of it.
pub(super) struct PlanWatch(Foretelling);

impl PlanWatch {
    /// Looks at what there is before the names are put aside.
    fn new(vm: &Vm) -> Self {
        let values = vm.main.globals.borrow().iter().map(|(_, value)| value.clone()).collect();
        Self(Foretelling::new(values, Vec::new()))
    }

    /// Counts as let go of what nothing but the names put aside holds by now.
    pub(super) fn look(&mut self) {
        for id in self.0.go_on().allocations {
            if let Some(entry) = ledger::entry(id) {
                plan::let_go(&entry);
            }
        }
    }
}

/// A watch that goes on. However the run ends, nothing is held for it afterwards.
pub(super) struct Watching<'a>(&'a Core);

impl<'a> Watching<'a> {
    /// Begins to watch.
    pub(super) fn begin(core: &'a Core, vm: &Vm) -> Self {
        *core.plan_watch.borrow_mut() = Some(PlanWatch::new(vm));
        Self(core)
    }
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.0.plan_watch.take();
    }
}

/// Whether a device can give what a plan needs.
pub(super) struct Verdict {
    device: String,
    needs: u64,
    free: Option<u64>,
    reason: Option<String>,
    /// Whether what does not fit goes to host memory instead.
    gives_way: bool,
}

impl Verdict {
    pub(super) fn fits(&self) -> bool {
        self.reason.is_none() || self.gives_way
    }

    /// `does not fit sim:gpu:0: needs 80.0 MiB, free 64.0 MiB`
    pub(super) fn text(&self) -> String {
        match (&self.reason, self.free) {
            (Some(reason), _) if self.gives_way => {
                format!("{}: {reason}; what does not fit is kept in host memory, as %chunk says", self.device)
            }
            (Some(reason), _) => format!("does not fit {}: {reason}", self.device),
            (None, Some(free)) => format!("fits {}: needs {}, free {}", self.device, bytes(self.needs), bytes(free)),
            (None, None) => format!("{}: needs {}, free unknown", self.device, bytes(self.needs)),
        }
    }
}

/// A plan to be shown.
pub(super) struct Plan<'a> {
    core: &'a Core,
    outcome: Outcome,
    pub(super) verdicts: Vec<Verdict>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(core: &'a Core, outcome: Outcome) -> Self {
        let verdicts = verdicts(&outcome);
        Self { core, outcome, verdicts }
    }

    /// Why it does not go to the program's end, if so.
    pub(super) fn stopped(&self) -> Option<String> {
        let (reason, origin) = self.outcome.stopped.as_ref()?;
        let place = self.core.place(*origin).0.map_or(String::new(), |line| format!("line {line}: "));
        Some(format!("{place}{reason}"))
    }
}

/// Devices whose memory is the same are judged together.
fn shares_host_memory(need: &Need) -> bool {
    need.device.is_host() || need.device.info().backend == BackendKind::Native
}

fn verdicts(outcome: &Outcome) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = Vec::new();
    let mut on_host = 0;
    for need in &outcome.needs {
        // USM host memory is the host's, unless the device shares it.
        if need.usm == UsmKind::Host && !need.device.is_host() && !need.device.info().integrated {
            continue;
        }
        let device = need.device.ledger_name().to_owned();
        let reading = ledger::reading(&need.device);
        let free = reading.memory.free.bytes().map(|free| free + reading.here.cached);
        let mut needs = need.peak_blocks;
        if shares_host_memory(need) {
            on_host += needs;
            needs = on_host;
        }
        let single = match &need.device.info().max_single {
            Amount::Known { bytes, .. } => Some(*bytes),
            Amount::Unknown { .. } => None,
        };
        let reason = match (free, single) {
            (Some(free), _) if needs > free => Some(format!("needs {}, free {}", bytes(needs), bytes(free))),
            (_, Some(single)) if need.largest > single => {
                Some(format!("needs {} in one piece, at most {} are given", bytes(need.largest), bytes(single)))
            }
            _ => None,
        };
        let gives_way = chunk::mode() != chunk::Mode::Off && need.usm == UsmKind::Device && !shares_host_memory(need);
        verdicts.push(Verdict { device, needs, free, reason, gives_way });
    }
    if let Some(tightest) = budget::tightest()
        && outcome.peak_over_base > tightest.left
    {
        verdicts.push(Verdict {
            device: format!("the budget of {}", bytes(tightest.limit)),
            needs: outcome.peak_over_base,
            free: Some(tightest.left),
            reason: Some(format!("needs {}, {} left", bytes(outcome.peak_over_base), bytes(tightest.left))),
            gives_way: false,
        });
    }
    verdicts
}

/// One line of the list of steps.
struct Step {
    origin: Origin,
    what: String,
    reads: String,
    makes: String,
    bytes: u64,
}

fn operand(operand: &Operand) -> String {
    format!("{} {}", shape_text(&operand.shape), operand.dtype.name())
}

fn shape_text(shape: &[usize]) -> String {
    crate::arrays::error::shape_text(shape)
}

fn steps(outcome: &Outcome) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    // Memory that no program has written yet, by number: the step that made it.
    let mut unwritten: Vec<(u64, usize)> = Vec::new();
    for event in &outcome.recording.events {
        let origin = event.stamp.origin;
        match &event.what {
            What::Allocated { id, bytes, shape, dtype, device, .. } => {
                let makes = match (shape, dtype) {
                    (Some(shape), Some(dtype)) => format!("#{id} {} {}", shape_text(shape), dtype.name()),
                    _ => format!("#{id}"),
                };
                unwritten.push((*id, steps.len()));
                let what = format!("memory on {}", device.ledger_name());
                steps.push(Step { origin, what, reads: String::new(), makes, bytes: *bytes });
            }
            What::Ran { label, operations, inputs, outputs, .. } => {
                let what = match &**operations {
                    [] => (*label).to_owned(),
                    fused => fused.join(", "),
                };
                let reads = inputs.iter().map(|input| format!("#{} {}", input.id, operand(input))).collect::<Vec<_>>();
                let made = outputs.first().and_then(|output| {
                    let at = unwritten.iter().position(|(id, _)| *id == output.id)?;
                    Some(unwritten.remove(at).1)
                });
                match made {
                    // The program that first writes new memory is one line with it.
                    Some(at) => {
                        steps[at].what = what;
                        steps[at].reads = reads.join(", ");
                        steps[at].origin = origin;
                    }
                    None => {
                        let makes = outputs.iter().map(|output| format!("into #{} {}", output.id, operand(output)));
                        let makes = makes.collect::<Vec<_>>().join(", ");
                        steps.push(Step { origin, what, reads: reads.join(", "), makes, bytes: 0 });
                    }
                }
            }
            What::Transferred { bytes, from, to } => steps.push(Step {
                origin,
                what: format!("copy {}", crate::display::units::bytes(*bytes)),
                reads: from.to_string(),
                makes: to.to_string(),
                bytes: 0,
            }),
            What::Released { .. } => {}
        }
    }
    steps
}

impl RichDisplay for Plan<'_> {
    fn markup(&self) -> Markup {
        let outcome = &self.outcome;
        let steps = steps(outcome);
        let mut markup = Markup::of(Role::Strong, "Nothing ran. ").plain(format!(
            "{} allocations of {} in all, at most {} at once.",
            outcome.allocations,
            bytes(outcome.allocated),
            bytes(outcome.peak_over_base)
        ));
        markup = markup.line();
        if !steps.is_empty() {
            let mut table = Table::new()
                .right("line")
                .left("step")
                .right("bytes")
                .left("makes")
                .shrinking_late("reads")
                .stacking_below(READS_COLUMNS);
            for step in steps.iter().take(ROWS) {
                table.row(vec![
                    Markup::text(self.core.place(step.origin).0.map_or(String::new(), |line| line.to_string())),
                    Markup::of(Role::Code, step.what.clone()),
                    Markup::of(Role::Number, if step.bytes == 0 { String::new() } else { bytes(step.bytes) }),
                    Markup::text(step.makes.clone()),
                    Markup::text(step.reads.clone()),
                ]);
            }
            markup = markup.table(table);
            if steps.len() > ROWS {
                markup = markup.push(Role::Dim, format!("and {} more steps", steps.len() - ROWS)).line();
            }
        }
        for need in outcome.needs.iter().filter(|need| !need.device.is_host() && !is_immediate(need)) {
            if need.allocated > need.peak {
                let text = format!(
                    "{} works beside the program: queued work may hold temporaries longer, up to {} at once.",
                    need.device.ledger_name(),
                    bytes(need.allocated)
                );
                markup = markup.push(Role::Dim, text).line();
            }
        }
        for verdict in &self.verdicts {
            let role = if verdict.fits() { Role::Good } else { Role::Error };
            markup = markup.push(role, verdict.text()).line();
        }
        if let Some(stopped) = self.stopped() {
            let text = format!("The plan stops here: {stopped}. The figures go as far as that.");
            markup = markup.push(Role::Warning, text).line();
        }
        markup
    }

    fn extra(&self) -> Vec<(String, Json)> {
        let outcome = &self.outcome;
        let programs: Vec<Json> = outcome
            .recording
            .events
            .iter()
            .filter_map(|event| match &event.what {
                What::Ran { label, operations, device, inputs, outputs, .. } => Some(json!({
                    "line": self.core.place(event.stamp.origin).0,
                    "program": label,
                    "operations": &**operations,
                    "device": device.ledger_name(),
                    "inputs": inputs.iter().map(operand_json).collect::<Vec<_>>(),
                    "outputs": outputs.iter().map(operand_json).collect::<Vec<_>>(),
                })),
                _ => None,
            })
            .collect();
        let needs: Vec<Json> = outcome
            .needs
            .iter()
            .map(|need| {
                let usm = (!need.device.is_host()).then(|| need.usm.name());
                json!({"device": need.device.ledger_name(), "usm": usm, "allocated": need.allocated, "peak": need.peak})
            })
            .collect();
        let json = json!({
            "schema": 1,
            "programs": programs,
            "allocations": outcome.allocations,
            "allocated": outcome.allocated,
            "peak_over_base": outcome.peak_over_base,
            "needs": needs,
            "fits": self.verdicts.iter().all(Verdict::fits),
            "stopped": self.stopped(),
        });
        vec![(PLAN_MIME.to_owned(), json)]
    }
}

fn is_immediate(need: &Need) -> bool {
    need.device.info().backend == BackendKind::Native
}

fn operand_json(operand: &Operand) -> Json {
    json!({"id": operand.id, "shape": operand.shape.as_slice(), "dtype": operand.dtype.name()})
}
