//! Tracebacks as CPython 3.11 prints them: frames with source and carets, causes and contexts, notes, suggestions.
//!
//! Exceptions keep which code they passed and where in it, never frames; everything here is made when it is shown.

mod groups;
mod suggest;

use hashbrown::HashSet;

use super::builtins::classes::{Builtin, builtin_class};
use super::code::Span;
use super::heap::{ObjectId, Ref};
use super::name::{Name, names};
use super::objects::{ClassObject, ExceptionObject, TracebackEntry};
use super::parse;
use super::value::Value;
use super::vm::Vm;
use crate::display::{Markup, Role};

pub use suggest::suggest;

/// CPython prints a frame this often before it only counts repetitions.
const REPEATS_SHOWN: usize = 3;

const CAUSE: &str = "\nThe above exception was the direct cause of the following exception:\n\n";
const CONTEXT: &str = "\nDuring handling of the above exception, another exception occurred:\n\n";

/// An exception with everything that leads to it, ending with a line end.
pub fn render(vm: &mut Vm, exception: &Ref<ExceptionObject>) -> Markup {
    let mut out = Markup::new();
    groups::render_chain(vm, exception, &mut groups::Nesting::default(), &mut out);
    out
}

/// An exception and, from there on, what it was raised because of or while handling, as far as it was not seen yet; with the
/// words that stand between.
fn chain_of(
    exception: &Ref<ExceptionObject>,
    seen: &mut HashSet<ObjectId>,
) -> Vec<(Ref<ExceptionObject>, Option<&'static str>)> {
    let mut chain = vec![(exception.clone(), None)];
    seen.insert(Ref::erased(exception));
    // The chain is walked from the last exception back and printed from the first on.
    while let Some((last, _)) = chain.last() {
        let (cause, context) = (last.cause.borrow().clone(), last.context.borrow().clone());
        let next = match (cause, context) {
            (Value::Exception(cause), _) => Some((cause, CAUSE)),
            (_, Value::Exception(context)) if !last.suppress_context.get() => Some((context, CONTEXT)),
            _ => None,
        };
        let Some((next, link)) = next.filter(|(next, _)| !seen.contains(&Ref::erased(next))) else { break };
        seen.insert(Ref::erased(&next));
        chain.push((next, Some(link)));
    }
    chain
}

/// The last line alone: class and message.
pub fn summary(vm: &mut Vm, exception: &Ref<ExceptionObject>) -> (String, String) {
    let class = exception.class.borrow().clone();
    let module = class.module.get();
    let name = class.qualname.borrow().clone();
    let full =
        if matches!(module.text(), "builtins" | "__main__") { name.to_string() } else { format!("{module}.{name}") };
    let message = match vm.str(&Value::Exception(exception.clone())) {
        Ok(text) => text.to_string(),
        Err(_) => "<exception str() failed>".to_owned(),
    };
    (full, message)
}

fn render_one(vm: &mut Vm, exception: &Ref<ExceptionObject>, out: &mut Markup) {
    let entries = Vec::from(exception.traceback.borrow().clone());
    if !entries.is_empty() {
        out.add(Role::Plain, "Traceback (most recent call last):\n");
        render_entries(&entries, out);
    }
    render_last(vm, exception, out);
}

/// The class and the message, with the place of a syntax error before and the notes after them.
fn render_last(vm: &mut Vm, exception: &Ref<ExceptionObject>, out: &mut Markup) {
    let is_syntax_error = ClassObject::is_subclass_of(&exception.class.borrow(), &builtin_class(Builtin::SyntaxError));
    if is_syntax_error && let Some(place) = SyntaxPlace::of(exception) {
        place.render(out);
        let (class, _) = summary(vm, exception);
        let message = exception.args.borrow().first().and_then(|text| text.as_str().map(str::to_owned));
        out.add(Role::Error, class);
        out.add(Role::Plain, format!(": {}\n", message.unwrap_or_else(|| "<no detail available>".to_owned())));
        render_notes(vm, exception, out);
        return;
    }
    let (class, message) = summary(vm, exception);
    out.add(Role::Error, class);
    let suggestion = exception.suggestion.borrow().clone();
    let suggestion = suggestion.map(|name| format!(". Did you mean: '{name}'?")).unwrap_or_default();
    if message.is_empty() && suggestion.is_empty() {
        out.add(Role::Plain, "\n");
    } else {
        out.add(Role::Plain, format!(": {message}{suggestion}\n"));
    }
    render_notes(vm, exception, out);
}

fn render_notes(vm: &mut Vm, exception: &Ref<ExceptionObject>, out: &mut Markup) {
    let notes = exception.attributes.borrow().get(&names::NOTES).cloned();
    let Some(Value::List(notes)) = notes else { return };
    let notes = notes.items.borrow().clone();
    for note in notes {
        if let Ok(text) = vm.str(&note) {
            for line in text.split('\n') {
                out.add(Role::Plain, format!("{line}\n"));
            }
        }
    }
}

fn render_entries(entries: &[TracebackEntry], out: &mut Markup) {
    let mut previous: Option<(u32, usize, Name)> = None;
    let mut repeats = 0;
    for entry in entries {
        let here = (entry.code.source.id, entry.code.source.line(entry.span.start), entry.code.name);
        if previous == Some(here) {
            repeats += 1;
        } else {
            render_repeats(repeats, out);
            repeats = 0;
            previous = Some(here);
        }
        if repeats < REPEATS_SHOWN {
            render_entry(entry, out);
        }
    }
    render_repeats(repeats, out);
}

fn render_repeats(repeats: usize, out: &mut Markup) {
    if repeats >= REPEATS_SHOWN {
        let more = repeats + 1 - REPEATS_SHOWN;
        let times = if more == 1 { "time" } else { "times" };
        out.add(Role::Dim, format!("  [Previous line repeated {more} more {times}]\n"));
    }
}

/// Where a frame stands, in the words of its source: a file with its path, a cell with its number.
fn render_entry(entry: &TracebackEntry, out: &mut Markup) {
    let source = &entry.code.source;
    let line = source.line(entry.span.start);
    let function = entry.code.name.text();
    match source.cell {
        Some(cell) => {
            out.add(Role::Dim, "  Cell ");
            out.add(Role::Strong, cell.to_string());
            out.add(Role::Dim, ", line ");
            out.add(Role::Strong, line.to_string());
            if function != "<module>" {
                out.add(Role::Dim, format!(", in {function}"));
            }
            out.add(Role::Plain, "\n");
        }
        None => out.add(Role::Dim, format!("  File \"{}\", line {line}, in {function}\n", source.name)),
    }
    let text = source.line_text(line);
    let stripped = text.trim();
    if stripped.is_empty() {
        return;
    }
    let is_long = stripped.chars().count() > LINE_CHARS_MAX;
    let shown: String = stripped.chars().take(LINE_CHARS_MAX).collect();
    out.add(Role::Plain, format!("    {shown}{}\n", if is_long { "…" } else { "" }));
    let line_start = source.line_starts.get(line - 1).copied().unwrap_or(0);
    if let Some(carets) = carets(text, line_start, entry.span) {
        let carets: String = carets.chars().take(LINE_CHARS_MAX).collect();
        if carets.trim().is_empty() {
            return;
        }
        out.add(Role::Error, format!("    {carets}\n"));
    }
}

/// Characters shown of a source line; a line of a megabyte is one that a program wrote.
const LINE_CHARS_MAX: usize = 500;

/// The marks under a line, nothing when the whole line is meant (PEP 657 as CPython 3.11 prints it).
fn carets(line: &str, line_start: u32, span: Span) -> Option<String> {
    let indent = line.len() - line.trim_start().len();
    let stripped_end = line.trim_end().len();
    let start = (span.start.checked_sub(line_start)? as usize).max(indent);
    let end = (span.end.checked_sub(line_start)? as usize).min(stripped_end);
    if start >= end || !line.is_char_boundary(start) || !line.is_char_boundary(end) {
        return None;
    }
    let segment = &line[start..end];
    let continues = span.end as usize > line_start as usize + line.len();
    let anchors = if continues { None } else { parse::anchors(segment) };
    if anchors.is_none() && start == indent && end == stripped_end {
        return None;
    }
    let width = |text: &str| text.chars().count();
    let mut marks = " ".repeat(width(&line[indent..start]));
    match anchors {
        Some((left, right)) if left < right && right <= segment.len() => {
            marks.push_str(&"~".repeat(width(&segment[..left])));
            marks.push_str(&"^".repeat(width(&segment[left..right])));
            marks.push_str(&"~".repeat(width(&segment[right..])));
        }
        _ => marks.push_str(&"^".repeat(width(segment))),
    }
    Some(marks)
}

/// Where a `SyntaxError` says it found the error.
struct SyntaxPlace {
    filename: String,
    line: i64,
    text: Option<String>,
    offset: Option<i64>,
    end_offset: Option<i64>,
}

impl SyntaxPlace {
    fn of(exception: &ExceptionObject) -> Option<Self> {
        let attributes = exception.attributes.borrow();
        let text = |name: &str| attributes.get(&Name::new(name)).and_then(|value| value.as_str().map(str::to_owned));
        let int = |name: &str| match attributes.get(&Name::new(name)) {
            Some(Value::Int(number)) => Some(*number),
            _ => None,
        };
        Some(Self {
            filename: text("filename").unwrap_or_else(|| "<string>".to_owned()),
            line: int("lineno")?,
            text: text("text"),
            offset: int("offset"),
            end_offset: int("end_offset"),
        })
    }

    fn render(&self, out: &mut Markup) {
        let cell =
            self.filename.strip_prefix("Cell ").filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
        match cell {
            Some(_) => out.add(Role::Dim, format!("  {}, line {}\n", self.filename, self.line)),
            None => out.add(Role::Dim, format!("  File \"{}\", line {}\n", self.filename, self.line)),
        }
        let Some(text) = &self.text else { return };
        let line = text.trim_end_matches(['\n', '\r', '\x0c']);
        let stripped = line.trim_start_matches([' ', '\t', '\n', '\x0c']);
        let stripped = stripped.trim_end();
        let Some(offset) = self.offset else {
            let shown: String = stripped.chars().take(LINE_CHARS_MAX).collect();
            out.add(Role::Plain, format!("    {shown}\n"));
            return;
        };
        let removed = (line.chars().count() - stripped.chars().count()) as i64;
        let start = offset - 1 - removed;
        let end = self.end_offset.filter(|end| *end > offset).map_or(start + 1, |end| end - 1 - removed);
        // Of a very long line the part around the place is shown.
        let len = stripped.chars().count();
        let first = if len > LINE_CHARS_MAX { (start.max(0) as usize).saturating_sub(LINE_CHARS_MAX / 2) } else { 0 };
        let shown: String = stripped.chars().skip(first).take(LINE_CHARS_MAX).collect();
        let (before, after) = (if first > 0 { "…" } else { "" }, if first + LINE_CHARS_MAX < len { "…" } else { "" });
        out.add(Role::Plain, format!("    {before}{shown}{after}\n"));
        if start < 0 {
            return;
        }
        let blanks = start as usize - first.min(start as usize) + before.chars().count();
        let width = ((end - start).max(1) as usize).min(LINE_CHARS_MAX);
        out.add(Role::Error, format!("    {}{}\n", " ".repeat(blanks), "^".repeat(width)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(line: &str, from: usize, to: usize) -> Option<String> {
        carets(line, 0, Span { start: from as u32, end: to as u32 })
    }

    #[test]
    fn a_whole_line_has_no_marks() {
        assert_eq!(marks("    foo(1)", 4, 10), None);
    }

    #[test]
    fn part_of_a_line_is_underlined() {
        assert_eq!(marks("    x = foo(1)", 8, 14).as_deref(), Some("    ^^^^^^"));
    }

    #[test]
    fn operators_and_subscripts_are_anchored() {
        assert_eq!(marks("x = a / 0", 4, 9).as_deref(), Some("    ~~^~~"));
        assert_eq!(marks("x = a // 0", 4, 10).as_deref(), Some("    ~~^^~~"));
        assert_eq!(marks("d['k']", 0, 6).as_deref(), Some("~^^^^^"));
    }
}
