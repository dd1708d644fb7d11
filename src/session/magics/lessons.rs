//! `%lessons`: the notebooks that teach what holds memory.

use std::path::Path;

use super::files::{os_error, path_of};
use super::{Context, Magic, line, usage_error};
use crate::display::{Markup, Role, Table};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::session::lessons::{LESSONS, copied_text, copy_lessons};

pub(super) const MAGICS: &[Magic] = &[line(
    "lessons",
    "[copy FOLDER]",
    "Eleven notebooks on what holds memory: each asks for a guess, shows what happens and explains it. copy writes them to a \
     folder.",
    lessons,
)];

fn lessons(context: &mut Context<'_>) -> Fallible<Value> {
    if context.line.is_empty() {
        let mut table = Table { has_heading: false, ..Table::new() }.right("").left("").left("");
        for lesson in LESSONS {
            table.row(vec![
                Markup::text(lesson.number.to_string()),
                match lesson.needs {
                    Some(needs) => Markup::text(lesson.title).push(Role::Dim, format!(" (needs {needs})")),
                    None => Markup::text(lesson.title),
                },
                Markup::of(Role::Code, lesson.file),
            ]);
        }
        let hint = "%lessons copy FOLDER writes them, to be opened with the kernel Cellhold";
        return context.show_markup(Markup::new().table(table).push(Role::Dim, hint));
    }
    let folder = match context.line.split_once(char::is_whitespace) {
        Some(("copy", folder)) => path_of(folder.trim()),
        _ => return Err(usage_error(format!("%lessons takes copy FOLDER or nothing, not {}", context.line))),
    };
    let (written, left) = copy_lessons(Path::new(&folder)).map_err(|error| os_error(&folder, &error))?;
    context.print(&copied_text(Path::new(&folder), &written, &left))
}
