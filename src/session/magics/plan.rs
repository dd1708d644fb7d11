//! `%plan`, `%%plan`: what a program would run and how much memory it would take, without running it.

use super::{Context, Magic, both, usage_error};
use crate::arrays::{budget, registry};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::session::plan::{Plan, Watching};

pub(super) const MAGICS: &[Magic] = &[both(
    "plan",
    "[--run] EXPRESSION",
    "What an expression or a cell would run, the bytes it would take and the peak, without running it: no memory is asked for, \
     no name changes. Says when it does not fit. --run runs what fits and refuses the rest.",
    plan,
)];

fn plan(context: &mut Context<'_>) -> Fallible<Value> {
    let (runs, line) = match context.line.strip_prefix("--run") {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => (true, rest.trim()),
        _ => (false, context.line),
    };
    let text = match context.body {
        Some(body) if line.is_empty() => body.to_owned(),
        Some(_) => return Err(usage_error(format!("%%plan takes --run or nothing, not {line}"))),
        None => line.to_owned(),
    };
    if text.trim().is_empty() {
        return Err(usage_error("%plan takes an expression, %%plan a cell"));
    }
    let core = context.core;
    let code = core.compile(context.vm, &text, "<plan>")?;
    let watching = Watching::begin(core, context.vm);
    let (defaults, budgets) = (registry::default_depth(), budget::depth());
    context.vm.begin_dry_run(&core.held_values());
    let result = core.run_compiled(context.vm, &code).map(drop);
    // What the run ended in the middle of still waits; it is not to be computed afterwards.
    while context.vm.take_pending().is_some() {}
    registry::unwind_defaults(defaults);
    budget::unwind(budgets);
    let outcome = context.vm.end_dry_run();
    drop(watching);
    if outcome.stopped.is_none() {
        // An error of the program itself is what running it would end in.
        result?;
    }
    let plan = Plan::new(core, outcome);
    if !runs {
        return context.show(&plan);
    }
    if let Some(verdict) = plan.verdicts.iter().find(|verdict| !verdict.fits()) {
        return Err(raise::memory_error(format!("{}. Nothing ran.", verdict.text())));
    }
    if let Some(stopped) = plan.stopped() {
        return Err(usage_error(format!("cannot be planned to its end ({stopped}); run it without %plan --run")));
    }
    context.core.run_body(context.vm, &text).map(|()| Value::None)
}
