//! What the language needs from above: output, input, magics, notices. Implemented by the session.

use super::name::Name;
use super::raise::Fallible;
use super::value::Value;
use super::vm::Vm;
use crate::arrays::error::OutOfMemory;

/// A text stream of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// `sys.stdout`
    Stdout,
    /// `sys.stderr`
    Stderr,
}

/// A magic as the parser found it.
#[derive(Clone, Debug)]
pub struct MagicCall {
    /// Its name without `%`.
    pub name: String,
    /// The rest of its line.
    pub line: String,
    /// The cell's other lines, for `%%name`.
    pub body: Option<String>,
}

/// The session as the language sees it. Methods take `&self`: the machine may be in the middle of a call that the host
/// calls back into.
pub trait Host {
    /// Writes text of the program.
    fn write(&self, stream: Stream, text: &str);

    /// Reads a line for `input()`; `None` is the end of input. Raises where the front end has no input.
    fn read_line(&self, prompt: &str, hidden: bool) -> Fallible<Option<String>>;

    /// Shows the value of a cell's last expression and keeps it in `Out`; called for interactive cells only.
    fn show_result(&self, vm: &mut Vm, value: Value) -> Fallible<()>;

    /// Shows a value as `display()` does; `update` names the display to replace.
    fn display(&self, vm: &mut Vm, value: &Value, display_id: Option<&str>, update: bool) -> Fallible<()>;

    /// Runs a magic and answers its value (`None` when it has none).
    fn run_magic(&self, vm: &mut Vm, call: &MagicCall) -> Fallible<Value>;

    /// Called at safe points when the attention word asks for a snapshot of the session.
    fn publish_snapshot(&self, vm: &Vm);

    /// A name that neither the module nor the built-ins have: `Out`, `_`, `_3`, `In`, `np` of an interactive session.
    /// Asked last, so that anything a program binds hides it.
    fn find_name(&self, _vm: &mut Vm, _name: Name) -> Fallible<Option<Value>> {
        Ok(None)
    }

    /// A name of the cell's module was deleted by `del`; `value` is what it was bound to.
    fn name_deleted(&self, _name: Name, _value: &Value) {}

    /// The text of `memory_summary()`: what is allocated, on one device or all, and what holds it.
    fn memory_summary(&self, _vm: &mut Vm, _device: Option<&str>) -> String {
        String::new()
    }

    /// Called in a dry run before something allocates, so that what the program would have let go of can be counted.
    fn dry_run_allocates(&self) {}

    /// The text of the error for an allocation that does not fit even after waiting, trimming and collecting.
    fn explain_out_of_memory(&self, _vm: &mut Vm, shortage: &OutOfMemory) -> String {
        shortage.to_string()
    }
}

/// A host for code that runs without a session: writes nowhere, refuses input and magics.
#[derive(Debug, Default)]
pub struct SilentHost;

impl Host for SilentHost {
    fn write(&self, _stream: Stream, _text: &str) {}
    fn read_line(&self, _prompt: &str, _hidden: bool) -> Fallible<Option<String>> {
        Ok(None)
    }
    fn show_result(&self, _vm: &mut Vm, _value: Value) -> Fallible<()> {
        Ok(())
    }
    fn display(&self, _vm: &mut Vm, _value: &Value, _display_id: Option<&str>, _update: bool) -> Fallible<()> {
        Ok(())
    }
    fn run_magic(&self, _vm: &mut Vm, call: &MagicCall) -> Fallible<Value> {
        Err(super::raise::name_error(format!("magic %{} needs a session", call.name)))
    }
    fn publish_snapshot(&self, _vm: &Vm) {}
}
