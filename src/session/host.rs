//! What the language asks of the session while code runs: where text goes, what a result becomes, what a magic does.

use super::builtins;
use super::core::Core;
use super::frontend::{CellEvent, ReadLineError, Stream};
use super::memory::{Page, Selection, overview};
use super::{magics, show};
use crate::arrays::error::OutOfMemory;
use crate::arrays::ledger::Entry;
use crate::display::to_plain;
use crate::lang::host::{Host, MagicCall};
use crate::lang::name::Name;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Allocations that `memory_summary()` lists, and the columns of its text.
const SUMMARY_ROWS: usize = 40;
const SUMMARY_COLUMNS: usize = 100;

impl Host for Core {
    fn write(&self, stream: Stream, text: &str) {
        self.emit_text(stream, text);
    }

    fn read_line(&self, prompt: &str, hidden: bool) -> Fallible<Option<String>> {
        match self.read_answer(prompt, hidden) {
            Ok(line) => Ok(Some(line)),
            Err(ReadLineError::End) => Ok(None),
            Err(ReadLineError::Interrupted) => Err(raise::keyboard_interrupt()),
            Err(ReadLineError::NotSupported) => Err(builtins::stdin_not_implemented()),
        }
    }

    fn show_result(&self, vm: &mut Vm, value: Value) -> Fallible<()> {
        if value.is_none() || self.cell.borrow().is_silent {
            return Ok(());
        }
        if builtins::is_exit(&value) {
            self.ask_exit(0);
            return Ok(());
        }
        let bundle = show::bundle_of(vm, &value)?;
        let (number, stores, recipe) = {
            let cell = self.cell.borrow();
            (cell.number, cell.stores, recipe(&cell.source))
        };
        // What a magic answered is shown and never kept.
        let is_of_magic = self.is_of_magic(&value);
        if stores && !is_of_magic {
            self.outputs.store(number, value, &recipe);
        }
        self.answer(number, bundle);
        Ok(())
    }

    fn display(&self, vm: &mut Vm, value: &Value, display_id: Option<&str>, update: bool) -> Fallible<()> {
        let bundle = show::bundle_of(vm, value)?;
        self.emit(CellEvent::Display { bundle, id: display_id.map(str::to_owned), is_update: update });
        Ok(())
    }

    fn run_magic(&self, vm: &mut Vm, call: &MagicCall) -> Fallible<Value> {
        let answer = magics::run(self, vm, call)?;
        self.note_magic_answer(&answer);
        Ok(answer)
    }

    fn publish_snapshot(&self, vm: &Vm) {
        self.publish(vm, false, None);
    }

    fn find_name(&self, vm: &mut Vm, name: Name) -> Fallible<Option<Value>> {
        if !self.config.is_interactive {
            return Ok(None);
        }
        if let Some(value) = self.outputs.find(name.text()) {
            return Ok(Some(value));
        }
        builtins::find(vm, name.text())
    }

    fn name_deleted(&self, name: Name, value: &Value) {
        if self.config.is_interactive {
            self.deleted.note(name, value);
        }
    }

    fn memory_summary(&self, vm: &mut Vm, device: Option<&str>) -> String {
        let report = self.report(vm);
        let page = Page::first(SUMMARY_ROWS);
        let text = |shown: &Selection<'_>| to_plain(&overview(&report, shown, "%mem --page 2"), SUMMARY_COLUMNS);
        let Some(device) = device else { return text(&Selection::of_all(&report, page)) };
        let is_there = |entry: &&Entry| entry.device.ledger_name() == device;
        let there: Vec<Entry> = report.entries().iter().filter(is_there).cloned().collect();
        text(&Selection::of(&there, page))
    }

    fn dry_run_allocates(&self) {
        if let Some(watch) = &mut *self.plan_watch.borrow_mut() {
            watch.look();
        }
    }

    fn explain_out_of_memory(&self, vm: &mut Vm, shortage: &OutOfMemory) -> String {
        super::memory::shortage_text(shortage, &self.report(vm))
    }
}

/// What an output can be computed with again: the cell's last line.
fn recipe(source: &str) -> String {
    let last = source.lines().rev().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    last.unwrap_or("").chars().take(80).collect()
}
