//! The magics: one file a family, one table that names them. A magic gets the rest of its line (and the cell's other lines
//! for `%%name`), may run code of the program, and shows what it has to say; it never enters `Out`.

mod arguments;
mod device;
mod display;
mod files;
mod free;
mod help;
mod history;
mod lessons;
mod limits;
mod memory;
mod names;
mod out;
mod plan;
mod rust;
mod shell;
mod time;
mod trace;

pub use free::FREE_MIME;
pub(in crate::session) use free::free_line;

use super::core::Core;
use super::suggest::closest;
use crate::display::{Markup, MimeBundle, RichDisplay};
use crate::lang::builtins::classes::{Builtin, builtin_class, define_class};
use crate::lang::host::{MagicCall, Stream};
use crate::lang::objects::{ClassRef, PayloadKind};
use crate::lang::raise::{Fallible, Raised};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// In which forms a magic exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `%name`
    Line,
    /// `%%name`
    Cell,
    /// Both.
    Both,
}

/// One line of the table of magics.
pub(super) struct Magic {
    /// Its name without `%`.
    name: &'static str,
    /// What may follow the name.
    usage: &'static str,
    /// One sentence or a few.
    doc: &'static str,
    form: Form,
    run: fn(&mut Context<'_>) -> Fallible<Value>,
}

const fn line(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    run: fn(&mut Context<'_>) -> Fallible<Value>,
) -> Magic {
    Magic { name, usage, doc, form: Form::Line, run }
}

const fn cell(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    run: fn(&mut Context<'_>) -> Fallible<Value>,
) -> Magic {
    Magic { name, usage, doc, form: Form::Cell, run }
}

const fn both(
    name: &'static str,
    usage: &'static str,
    doc: &'static str,
    run: fn(&mut Context<'_>) -> Fallible<Value>,
) -> Magic {
    Magic { name, usage, doc, form: Form::Both, run }
}

const TABLES: &[&[Magic]] = &[
    memory::MAGICS,
    free::MAGICS,
    limits::MAGICS,
    plan::MAGICS,
    rust::MAGICS,
    lessons::MAGICS,
    trace::MAGICS,
    device::MAGICS,
    out::MAGICS,
    time::MAGICS,
    names::MAGICS,
    history::MAGICS,
    files::MAGICS,
    shell::MAGICS,
    display::MAGICS,
    help::MAGICS,
];

fn table() -> impl Iterator<Item = &'static Magic> {
    TABLES.iter().flat_map(|table| table.iter())
}

/// Names of the magics, those of whole cells with `is_cell`.
pub(super) fn names(is_cell: bool) -> impl Iterator<Item = &'static str> {
    let unwanted = if is_cell { Form::Line } else { Form::Cell };
    table().filter(move |magic| magic.form != unwanted).map(|magic| magic.name)
}

/// What a running magic has.
pub(super) struct Context<'a> {
    /// The session.
    pub(super) core: &'a Core,
    /// The machine.
    pub(super) vm: &'a mut Vm,
    /// The rest of the magic's line.
    pub(super) line: &'a str,
    /// The cell's other lines, for `%%name`.
    pub(super) body: Option<&'a str>,
}

impl Context<'_> {
    /// Shows something in every form it has.
    fn show(&mut self, shown: &dyn RichDisplay) -> Fallible<Value> {
        let bundle = shown.bundle(self.core.width());
        self.core.emit_display(bundle);
        Ok(Value::None)
    }

    /// Shows markup.
    fn show_markup(&mut self, markup: Markup) -> Fallible<Value> {
        self.show(&Shown { markup, extra: Vec::new() })
    }

    /// Shows a bundle as it is.
    fn show_bundle(&mut self, bundle: MimeBundle) -> Fallible<Value> {
        self.core.emit_display(bundle);
        Ok(Value::None)
    }

    /// Prints lines as the program would.
    fn print(&mut self, text: &str) -> Fallible<Value> {
        self.core.emit_text(Stream::Stdout, &format!("{text}\n"));
        Ok(Value::None)
    }
}

/// Markup with further forms.
struct Shown {
    markup: Markup,
    extra: Vec<(String, serde_json::Value)>,
}

impl RichDisplay for Shown {
    fn markup(&self) -> Markup {
        self.markup.clone()
    }
    fn extra(&self) -> Vec<(String, serde_json::Value)> {
        self.extra.clone()
    }
}

thread_local! {
    static USAGE_ERROR: ClassRef =
        define_class("UsageError", "cellhold", &builtin_class(Builtin::Exception), PayloadKind::Exception, &[]);
}

/// An error about how a magic was written.
pub(super) fn usage_error(message: impl Into<String>) -> Raised {
    Raised::new(USAGE_ERROR.with(Clone::clone), message)
}

/// Runs a magic.
pub(super) fn run(core: &Core, vm: &mut Vm, call: &MagicCall) -> Fallible<Value> {
    let is_cell = call.body.is_some();
    let named = table().find(|magic| magic.name == call.name);
    let Some(magic) = named else { return Err(unknown(&call.name, is_cell)) };
    match (magic.form, is_cell) {
        (Form::Line, true) => {
            return Err(usage_error(format!("%%{0} is not there; %{0} is a magic of one line", call.name)));
        }
        (Form::Cell, false) => {
            return Err(usage_error(format!("%{0} is not there; %%{0} stands in the first line of a cell", call.name)));
        }
        _ => {}
    }
    vm.refuse_planned_magic(call)?;
    (magic.run)(&mut Context { core, vm, line: call.line.trim(), body: call.body.as_deref() })
}

/// Magics of IPython that people type and that are not here, with what does the like.
const ELSEWHERE: &[(&[&str], &str)] = &[
    (
        &["bash", "sh", "script", "system", "sx", "ls", "cat", "mkdir", "rm", "cp", "mv", "perl", "ruby"],
        "this kernel runs no other programs; os, shutil, glob and pathlib see to files",
    ),
    (
        &["debug", "pdb"],
        "there is no debugger; after %errors keep-frames an exception keeps the locals of its frames in \
         e.__traceback__.tb_frame.f_locals",
    ),
    (&["prun", "lprun"], "%time and %timeit measure, and %%mem counts memory by line"),
    (&["memit", "mprun"], "%%mem counts the memory of a cell by line, %mem says what is held"),
    (&["capture"], "contextlib.redirect_stdout(io.StringIO()) catches what is printed"),
];

fn unknown(name: &str, is_cell: bool) -> Raised {
    let sign = if is_cell { "%%" } else { "%" };
    let all: Vec<&str> = table().map(|magic| magic.name).collect();
    if let Some((_, instead)) = ELSEWHERE.iter().find(|(names, _)| names.contains(&name)) {
        return usage_error(format!("Magic `{sign}{name}` is IPython's and not here: {instead}"));
    }
    let hint = match closest(name, &all) {
        Some(near) => format!(" Did you mean {sign}{near}?"),
        None => " %lsmagic lists the magics there are.".to_owned(),
    };
    usage_error(format!("Magic `{sign}{name}` not found.{hint}"))
}

/// What is known about a magic, for `%name?` and inspection.
pub(super) fn describe(name: &str) -> Option<Markup> {
    let magic = table().find(|magic| magic.name == name)?;
    let sign = if magic.form == Form::Cell { "%%" } else { "%" };
    let mut head = format!("{sign}{}", magic.name);
    if !magic.usage.is_empty() {
        head = format!("{head} {}", magic.usage);
    }
    Some(Markup::of(crate::display::Role::Code, head).line().plain(magic.doc))
}
