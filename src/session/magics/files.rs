//! `%load`, `%save`, `%run`, `%%writefile`: cells from and to files.

use std::path::Path;

use super::arguments::Words;
use super::history::numbers;
use super::{Context, Magic, cell, line, usage_error};
use crate::arrays::patience;
use crate::lang::builtins::codecs;
use crate::lang::modules::file_system;
use crate::lang::raise::{self, Fallible, Raised};
use crate::lang::value::Value;
use crate::session::Payload;
use crate::session::cell::HistoryQuery;

pub(super) const MAGICS: &[Magic] = &[
    line("load", "FILE", "Puts a file's text into the next cell.", load),
    line("save", "[-f] FILE [3 | 2-5 ...]", "Writes cells of this session to a file, all where none are given.", save),
    line("run", "FILE.py [ARGUMENTS ...]", "Runs a file as a program and keeps its names.", run),
    cell("writefile", "[-a] FILE", "Writes the cell to a file, or behind what is there with -a.", writefile),
];

/// Largest file put into a cell.
const LOAD_MAX: u64 = 1 << 20;

pub(super) fn os_error(path: &str, error: &std::io::Error) -> Raised {
    if error.raw_os_error().is_none() && !patience::is_stop(error) {
        return raise::os_error(format!("{path}: {error}"));
    }
    file_system::os_error(error, Some(&Value::str(path)))
}

/// The text of a file.
fn text_of(path: &str) -> Fallible<String> {
    let bytes = patience::read(path.as_ref()).map_err(|error| os_error(path, &error))?;
    codecs::decode(&bytes, "utf-8", "strict")
}

/// A path as people write it: quotes taken off, `~` opened.
pub(super) fn path_of(text: &str) -> String {
    let quoted = |quote| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    let text = quoted('"').or_else(|| quoted('\'')).unwrap_or(text);
    match (text.strip_prefix('~'), std::env::var("HOME")) {
        (Some(rest), Ok(home)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => text.to_owned(),
    }
}

fn load(context: &mut Context<'_>) -> Fallible<Value> {
    if context.line.is_empty() {
        return Err(usage_error("%load takes a file"));
    }
    let mut path = path_of(context.line);
    // `%save foo` wrote foo.py.
    let saved = format!("{path}.py");
    if !Path::new(&path).exists() && Path::new(&saved).is_file() {
        path = saved;
    }
    let size = std::fs::metadata(&path).map_err(|error| os_error(&path, &error))?.len();
    if size > LOAD_MAX {
        return Err(usage_error(format!("{path} is {} long, too much for a cell", crate::display::units::bytes(size))));
    }
    let text = text_of(&path)?;
    context.core.add_payload(Payload::NextInput { text: format!("# %load {path}\n{text}"), replace: true });
    Ok(Value::None)
}

fn save(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = Words::split(context.line);
    let is_forced = words.flag(&["-f"]);
    let mut rest = words.rest()?;
    if rest.is_empty() {
        return Err(usage_error("%save takes a file"));
    }
    let mut path = path_of(&rest.remove(0));
    if Path::new(&path).extension().is_none() {
        path.push_str(".py");
    }
    let all = HistoryQuery::Range { session: 0, start: 1, stop: None };
    let mut entries = context.core.history.borrow().query(&all);
    match rest.as_slice() {
        [] => {}
        ranges => {
            let wanted = numbers(ranges)?;
            entries.retain(|entry| wanted.contains(&entry.number));
        }
    }
    if std::path::Path::new(&path).exists()
        && !is_forced
        && !context.core.confirm(&format!("File `{path}` exists. Overwrite (y/[N])?  "), "-f")?
    {
        return context.print("Operation cancelled.");
    }
    let text: Vec<String> = entries.into_iter().map(|entry| format!("{}\n", entry.source.trim_end())).collect();
    std::fs::write(&path, text.concat()).map_err(|error| os_error(&path, &error))?;
    context.print(&format!("The following commands were written to file `{path}`:\n{}", text.concat().trim_end()))
}

fn run(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = Words::split(context.line).rest()?;
    if words.is_empty() {
        return Err(usage_error("%run takes a file"));
    }
    let path = path_of(&words.remove(0));
    let text = text_of(&path)?;
    context.core.run_file(context.vm, &path, &text)?;
    Ok(Value::None)
}

fn writefile(context: &mut Context<'_>) -> Fallible<Value> {
    let mut words = Words::split(context.line);
    let appends = words.flag(&["-a", "--append"]);
    let rest = words.rest()?;
    let [path] = rest.as_slice() else { return Err(usage_error("%%writefile takes one file")) };
    let path = path_of(path);
    let exists = std::path::Path::new(&path).exists();
    let body = context.body.unwrap_or("");
    let mut options = std::fs::OpenOptions::new();
    options.create(true).write(true).append(appends).truncate(!appends);
    let written = options.open(&path).and_then(|mut file| std::io::Write::write_all(&mut file, body.as_bytes()));
    written.map_err(|error| os_error(&path, &error))?;
    let verb = match (appends, exists) {
        (true, true) => "Appending to",
        (false, true) => "Overwriting",
        (_, false) => "Writing",
    };
    context.print(&format!("{verb} {path}"))
}
