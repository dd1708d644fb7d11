//! Completion: names, attributes, magics, keywords, modules, file paths in strings. It runs nothing of the program.

use super::cell::{Completions, Match};
use super::lookup::{self, Path};
use super::magics;
use crate::lang::modules;
use crate::lang::name::Name;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const KEYWORDS: [&str; 32] = [
    "False", "None", "True", "and", "as", "assert", "break", "class", "continue", "def", "del", "elif", "else",
    "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or",
    "pass", "raise", "return", "try", "while", "with",
];

/// Matches offered at most; more help nobody.
const MATCHES_MAX: usize = 500;

/// Completions at a byte of a text; `derived` knows the names of the session that are not bound (`Out`, `_`, `np`).
pub(super) fn complete(
    vm: &Vm,
    source: &str,
    cursor: usize,
    derived: &[&'static str],
    find_derived: impl Fn(&str) -> Option<Value>,
) -> Completions {
    let cursor = floor_boundary(source, cursor);
    let before = &source[..cursor];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = &before[line_start..];
    let mut found = match Place::of(before, line) {
        Place::Path { text } => paths(text),
        Place::Magic { text, is_cell } => magic_names(text, is_cell && line_start == 0),
        Place::Module { text } => module_names(vm, text),
        Place::Member { module, text } => module_members(vm, &module, text),
        Place::Attribute { path, text } => match lookup::find(vm, &path, &find_derived) {
            Some(value) => attributes(&value, text),
            None => Vec::new(),
        },
        Place::OfText { text } => attributes(&Value::str(""), text),
        Place::Name { text } => names(vm, text, derived),
        Place::Nothing => Vec::new(),
    };
    let length = Place::of(before, line).typed().len();
    found.truncate(MATCHES_MAX);
    Completions { start: cursor - length, end: cursor, matches: found }
}

/// The first name of the path whose attributes are asked for at a byte of a text.
pub(super) fn owner_at(source: &str, cursor: usize) -> Option<String> {
    let before = &source[..floor_boundary(source, cursor)];
    let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    match Place::of(before, line) {
        Place::Attribute { path, .. } => Some(path.name),
        _ => None,
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What stands at the cursor.
enum Place<'a> {
    Path { text: &'a str },
    Magic { text: &'a str, is_cell: bool },
    Module { text: &'a str },
    Member { module: String, text: &'a str },
    Attribute { path: Path, text: &'a str },
    OfText { text: &'a str },
    Name { text: &'a str },
    Nothing,
}

impl<'a> Place<'a> {
    fn of(before: &'a str, line: &'a str) -> Self {
        if let Some(open) = open_string(before) {
            return Place::Path { text: &before[open..] };
        }
        let trimmed = line.trim_start();
        if trimmed.starts_with('%') && !trimmed.contains(char::is_whitespace) {
            let text = trimmed.trim_start_matches('%');
            return Place::Magic { text, is_cell: trimmed.starts_with("%%") };
        }
        if line.contains('#') && in_comment(line) {
            return Place::Nothing;
        }
        let word_start = line
            .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
            .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
        let text = &line[word_start..];
        if let Some(place) = import_place(trimmed, text, line) {
            return place;
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return Place::Nothing;
        }
        match line[..word_start].strip_suffix('.') {
            Some(owner) => match owner_path(owner) {
                Some(path) => Place::Attribute { path, text },
                None if ends_in_text(owner) => Place::OfText { text },
                None => Place::Nothing,
            },
            None => Place::Name { text },
        }
    }

    fn typed(&self) -> &'a str {
        match self {
            Place::Path { text } => text.rsplit('/').next().unwrap_or(text),
            Place::Magic { text, .. }
            | Place::Module { text }
            | Place::Member { text, .. }
            | Place::Attribute { text, .. }
            | Place::OfText { text }
            | Place::Name { text } => text,
            Place::Nothing => "",
        }
    }
}

/// `import a.b` and `from a import b`.
fn import_place<'a>(trimmed: &'a str, text: &'a str, line: &'a str) -> Option<Place<'a>> {
    if let Some(rest) = trimmed.strip_prefix("from ") {
        if let Some((module, _)) = rest.split_once(" import ") {
            return Some(Place::Member { module: module.trim().to_owned(), text });
        }
        return (!rest.contains(' ')).then_some(Place::Module { text: rest });
    }
    let rest = trimmed.strip_prefix("import ")?;
    let last = rest.rsplit(',').next().unwrap_or(rest).trim_start();
    let is_module = !last.contains(' ') && line.ends_with(last);
    is_module.then_some(Place::Module { text: last })
}

/// The path that an expression before a dot ends with.
fn owner_path(owner: &str) -> Option<Path> {
    // Back over names, dots and subscripts with constants; whatever else stands there begins something new.
    let bytes: Vec<(usize, char)> = owner.char_indices().collect();
    let mut at = bytes.len();
    let mut depth = 0;
    while at > 0 {
        let c = bytes[at - 1].1;
        match c {
            ']' => depth += 1,
            '[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            c if c.is_alphanumeric() || c == '_' || c == '.' => {}
            _ => break,
        }
        at -= 1;
    }
    let start = bytes.get(at).map_or(owner.len(), |(start, _)| *start);
    Path::parse(&owner[start..])
}

/// Whether an expression ends in a string literal; of bytes, another class's methods would be meant.
fn ends_in_text(owner: &str) -> bool {
    let Some(quote) = owner.chars().next_back().filter(|c| matches!(c, '\'' | '"')) else { return false };
    let before = owner.trim_end_matches(quote);
    let opening = before.rfind(quote).map_or("", |open| before[..open].trim_end_matches(quote));
    !opening.ends_with(['b', 'B'])
}

fn in_comment(line: &str) -> bool {
    line.char_indices().any(|(at, c)| c == '#' && open_string(&line[..at]).is_none())
}

/// Where the contents of a string literal that is still open at the end begin.
fn open_string(text: &str) -> Option<usize> {
    let mut open: Option<(char, bool, usize)> = None;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let c = rest.chars().next()?;
        let triple = rest.starts_with("'''") || rest.starts_with("\"\"\"");
        match open {
            None if c == '\'' || c == '"' => {
                let length = if triple { 3 } else { 1 };
                open = Some((c, triple, at + length));
                at += length;
                continue;
            }
            None if c == '#' => at += rest.find('\n').unwrap_or(rest.len()),
            Some((quote, is_triple, _)) => {
                if c == '\\' {
                    at += 1 + rest.chars().nth(1).map_or(0, char::len_utf8);
                    continue;
                }
                if c == quote && (!is_triple || triple) {
                    at += if is_triple { 3 } else { 1 };
                    open = None;
                    continue;
                }
                if c == '\n' && !is_triple {
                    open = None;
                }
            }
            None => {}
        }
        at += text[at.min(text.len())..].chars().next().map_or(0, char::len_utf8);
    }
    open.map(|(_, _, start)| start)
}

fn fits(candidate: &str, typed: &str) -> bool {
    candidate.starts_with(typed) && (!candidate.starts_with('_') || typed.starts_with('_'))
}

fn of_value(name: &str, value: &Value) -> Match {
    Match { text: name.to_owned(), kind: lookup::kind(value), signature: lookup::signature(value) }
}

fn names(vm: &Vm, typed: &str, derived: &[&'static str]) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    let mut own = lookup::members(&vm.main);
    own.sort_by_key(|(name, _)| name.text());
    let mut builtins = lookup::members(&vm.builtins);
    builtins.sort_by_key(|(name, _)| name.text());
    for (name, value) in own.iter().chain(&builtins) {
        if fits(name.text(), typed) && !found.iter().any(|known| known.text == name.text()) {
            found.push(of_value(name.text(), value));
        }
    }
    for name in derived {
        if fits(name, typed) && !found.iter().any(|known| known.text == *name) {
            let kind = if name.starts_with('_') || *name == "In" || *name == "Out" { "instance" } else { "module" };
            found.push(Match { text: (*name).to_owned(), kind, signature: String::new() });
        }
    }
    if !typed.is_empty() {
        let keywords = KEYWORDS.iter().filter(|keyword| keyword.starts_with(typed));
        found.extend(keywords.map(|keyword| Match {
            text: (*keyword).to_owned(),
            kind: "keyword",
            signature: String::new(),
        }));
    }
    found
}

fn attributes(value: &Value, typed: &str) -> Vec<Match> {
    let mut found: Vec<(Name, Value)> = lookup::attributes(value);
    found.retain(|(name, _)| fits(name.text(), typed));
    found.sort_by_key(|(name, _)| (name.text().starts_with('_'), name.text()));
    found.iter().map(|(name, value)| of_value(name.text(), value)).collect()
}

fn magic_names(typed: &str, is_first: bool) -> Vec<Match> {
    magics::names(is_first)
        .filter(|name| name.starts_with(typed))
        .map(|name| Match { text: name.to_owned(), kind: "magic", signature: String::new() })
        .collect()
}

fn module_names(vm: &Vm, typed: &str) -> Vec<Match> {
    let mut names: Vec<String> = modules::NATIVE.iter().map(|(name, _)| (*name).to_owned()).collect();
    names.extend(modules::TEXTS.iter().map(|(name, _)| (*name).to_owned()));
    names.extend(vm.modules.iter().map(|(name, _)| name.text().to_owned()));
    for folder in vm.import_folders() {
        let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        names.extend(files.filter_map(|file| {
            let name = file.file_name().into_string().ok()?;
            let stem = name.strip_suffix(".py")?;
            (stem != "__init__").then(|| stem.to_owned())
        }));
    }
    names.sort();
    names.dedup();
    names
        .into_iter()
        .filter(|name| fits(name, typed) && !name.starts_with("__"))
        .map(|text| Match { text, kind: "module", signature: String::new() })
        .collect()
}

fn module_members(vm: &Vm, module: &str, typed: &str) -> Vec<Match> {
    let name = Name::new(module);
    match vm.modules.iter().find(|(known, _)| *known == name) {
        Some((_, module)) => attributes(&Value::Module(module.clone()), typed),
        None => Vec::new(),
    }
}

/// Files and folders that continue a path; nothing where the string does not look like one.
fn paths(typed: &str) -> Vec<Match> {
    let (folder, start) = typed.rsplit_once('/').map_or(("", typed), |(folder, start)| (folder, start));
    let place = if !typed.contains('/') {
        std::path::PathBuf::from(".")
    } else if let Some(rest) = folder.strip_prefix('~') {
        let Some(home) = std::env::var_os("HOME") else { return Vec::new() };
        std::path::PathBuf::from(home).join(rest.trim_start_matches('/'))
    } else {
        std::path::PathBuf::from(format!("{folder}/"))
    };
    let Ok(files) = std::fs::read_dir(place) else { return Vec::new() };
    let mut found: Vec<Match> = files
        .filter_map(Result::ok)
        .filter_map(|file| {
            let mut name = file.file_name().into_string().ok()?;
            if !name.starts_with(start) || (name.starts_with('.') && !start.starts_with('.')) {
                return None;
            }
            if file.path().is_dir() {
                name.push('/');
            }
            Some(Match { text: name, kind: "path", signature: String::new() })
        })
        .collect();
    found.sort_by(|a, b| a.text.cmp(&b.text));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_the_cursor_is_known() {
        let name = |before: &str| matches!(Place::of(before, before), Place::Name { .. });
        let string = |before: &str| matches!(Place::of(before, before), Place::Path { .. });
        let nothing = |before: &str| matches!(Place::of(before, before), Place::Nothing);
        assert!(name("x = pri") && name("f(a, b") && name(""));
        assert!(string("open('da") && string("x = \"") && string("'''a\n"));
        assert!(!string("'done' + x") && !string("'it\\'s' + x"));
        assert!(nothing("# comm") && nothing("12") && nothing("f(x).y"));
    }

    #[test]
    fn the_owner_of_an_attribute_is_read_backwards() {
        let text = |owner: &str| owner_path(owner).map(|path| (path.name, path.steps.len()));
        assert_eq!(text("x = a.b[0]"), Some(("a".to_owned(), 2)));
        assert_eq!(text("f(d['k']"), Some(("d".to_owned(), 1)));
        assert_eq!(text("f(x)"), None);
    }

    #[test]
    fn imports_complete_modules_and_members() {
        assert!(matches!(Place::of("import jso", "import jso"), Place::Module { text: "jso" }));
        assert!(matches!(Place::of("import os, jso", "import os, jso"), Place::Module { text: "jso" }));
        assert!(matches!(Place::of("from json import du", "from json import du"), Place::Member { text: "du", .. }));
    }
}
