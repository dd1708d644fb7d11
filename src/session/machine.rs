//! The seam to the language's machine: compiling and running texts, roots for the walk, where an origin stands.

use std::rc::Rc;

use super::cell::Config;
use super::holders::{RootKind, Roots};
use crate::arrays::ledger::Origin;
use crate::lang::code::{Code, Source, Span};
use crate::lang::compile::LastExpression;
use crate::lang::parse::Dialect;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::{Root, Vm};

/// Adds everything the machine holds values by.
pub(super) fn add_roots(vm: &Vm, roots: &mut Roots) {
    vm.visit_roots(&mut |root, value| match root {
        // The session adds it itself, as its names.
        Root::Main => {}
        Root::Module(name) => {
            if name.text() != "__main__" {
                roots.add(RootKind::Module(name), value.clone());
            }
        }
        Root::Frame(index, code, edge) => roots.add_edge(RootKind::Frame { index, code }, edge, value.clone()),
        Root::Native => roots.add(RootKind::Runtime("a running call"), value.clone()),
    });
}

/// Characters of an expression that are shown as what asked for memory.
const EXPRESSION_MAX: usize = 40;

/// The line and the text of an origin in its source.
pub(super) fn place(source: &Source, origin: Origin) -> (Option<u32>, String) {
    let Some(span) = Span::unpacked(origin.span) else { return (None, String::new()) };
    let line = u32::try_from(source.line(span.start)).ok();
    let text = source.text.get(span.start as usize..span.end as usize).unwrap_or("");
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    let is_long = text.chars().count() > EXPRESSION_MAX;
    (line, if is_long { text.chars().take(EXPRESSION_MAX - 1).collect::<String>() + "…" } else { text })
}

/// Compiles a text in the names of the session.
pub(super) fn compile(
    vm: &mut Vm,
    text: &str,
    name: &str,
    cell: Option<u32>,
    dialect: Dialect,
    last: LastExpression,
) -> Fallible<Rc<Code>> {
    let source = vm.new_source(name, text, cell);
    let main = vm.main.clone();
    vm.compile(&source, dialect, last, &main)
}

/// Runs compiled code in the names of the session.
pub(super) fn run(vm: &mut Vm, code: &Rc<Code>) -> Fallible<Value> {
    let main = vm.main.clone();
    vm.run_code(code, &main)
}

/// Makes the machine ready for a session: where modules are found, and what `sys.argv` says.
pub(super) fn prepare(vm: &mut Vm, config: &Config) {
    crate::lang::modules::sys::set_argv(config.argv.clone());
    let script = config.argv.first().map(std::path::Path::new);
    // As Python: the folder of the script, or the current one where there is none.
    let folder = script.and_then(std::path::Path::parent).filter(|folder| !config.is_interactive && folder.is_dir());
    vm.import_path.insert(0, folder.map_or_else(|| std::path::PathBuf::from("."), std::path::Path::to_path_buf));
}
