//! `_warnings`: where the caller of a warning stands. The rest of `warnings` is written in the language itself (`py/warnings.py`).

use super::support::new_module;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ModuleObject;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const FUNCTIONS: &[Method] = &[
    method("caller", "(stacklevel)", "File, line number, module name and source line of a caller of warn().", caller),
    method(
        "source_line",
        "(filename, lineno)",
        "A line of a file, or of running code of that name; empty when there is none.",
        source_line,
    ),
];

/// Builds `_warnings`.
pub fn build(_vm: &mut Vm) -> Fallible<Ref<ModuleObject>> {
    Ok(new_module("_warnings", "Where the caller of a warning stands.", FUNCTIONS))
}

fn caller(vm: &mut Vm, args: Args) -> Fallible<Value> {
    // Level 0 is `warn` itself.
    let level = usize::try_from(args.index_or(vm, 0, 1)?.max(1)).unwrap_or(1);
    let Some((code, span, module)) = vm.call_site(level) else {
        return Ok(Value::tuple(["sys".into(), Value::Int(1), "sys".into(), Value::None]));
    };
    let line = code.source.line(span.start);
    let text = code.source.line_text(line).to_owned();
    Ok(Value::tuple([code.source.name.as_ref().into(), line.into(), module.name.text().into(), text.into()]))
}

fn source_line(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let name = args.text(vm, 0, "filename")?;
    let number = args.index_or(vm, 1, 1)?;
    let Ok(number) = usize::try_from(number) else { return Ok("".into()) };
    if number == 0 {
        return Ok("".into());
    }
    let running = vm.running_code().find(|code| code.source.name == name).cloned();
    if let Some(code) = running {
        let exists = number <= code.source.line_starts.len();
        return Ok(if exists { code.source.line_text(number).into() } else { "".into() });
    }
    let text = std::fs::read_to_string(name.as_ref()).unwrap_or_default();
    Ok(text.lines().nth(number - 1).unwrap_or_default().into())
}
