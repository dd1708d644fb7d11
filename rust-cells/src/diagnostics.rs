//! Errors as rustc prints them (without colours, which are the front end's affair), on the cell that was written instead of the file that evcxr made of it.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use evcxr::CompilationError;
use serde_json::Value;

use crate::source::{Cell, Place};

/// What is said about a stretch of the cell.
#[derive(Clone, Debug)]
struct Remark {
    range: Range<usize>,
    label: String,
    is_primary: bool,
}

/// One error, free of evcxr's types.
#[derive(Clone, Debug, Default)]
struct Report {
    code: Option<String>,
    message: String,
    remarks: Vec<Remark>,
    /// Further words: whether they are help, and what they are about.
    notes: Vec<(bool, String, Option<Range<usize>>)>,
}

/// Renders the errors of a cell.
pub fn compile_errors(errors: &[CompilationError], cell: &Cell) -> String {
    let reports: Vec<Report> = errors.iter().map(|error| report(error, &cell.text)).collect();
    let rendered = render(&reports, cell);
    if !rendered.is_empty() {
        return rendered;
    }
    "error: the cell does not compile, and the compiler does not say why".to_owned()
}

/// Renders a panic at a place of a cell.
pub fn panic(message: &str, place: Option<(&Place, &Cell, usize)>, elsewhere: &str) -> String {
    let mut report = Report { message: format!("panicked: {message}"), ..Report::default() };
    let Some((place, cell, column)) = place else {
        report.message = format!("{}\n  at {elsewhere}", report.message);
        return render(&[report], &Cell { number: 0, line: 1, text: String::new() });
    };
    let start = offset(&cell.text, place.index + 1, column);
    let end = cell.text[start..].find('\n').map_or(cell.text.len(), |at| start + at);
    // rustc points at the whole expression; all that a panic names is where it begins.
    let first = cell.text[start..end].chars().next().map_or(0, char::len_utf8);
    report.remarks.push(Remark { range: start..start + first, label: String::new(), is_primary: true });
    render(&[report], cell)
}

fn report(error: &CompilationError, text: &str) -> Report {
    let message = error.message();
    let mut remarks = Vec::new();
    for remark in error.spanned_messages() {
        let Some(span) = &remark.span else { continue };
        let range = offset(text, span.start_line, span.start_column)..offset(text, span.end_line, span.end_column);
        // As evcxr does for messages: what follows the cell is not the person's.
        let label = remark.label.replace("`evcxr_variable_store`", "<end of input>");
        let label = if label == format!("error: {message}") { String::new() } else { label };
        remarks.push(Remark { range: range.start..range.end.max(range.start), label, is_primary: remark.is_primary });
    }
    if !remarks.iter().any(|remark| remark.is_primary)
        && let Some(first) = remarks.first_mut()
    {
        first.is_primary = true;
    }
    let mut notes: Vec<(bool, String, Option<Range<usize>>)> = Vec::new();
    for help in error.help_spanned() {
        let Some(span) = &help.span else { continue };
        let range = offset(text, span.start_line, span.start_column)..offset(text, span.end_line, span.end_column);
        let (is_help, words) = match help.label.split_once(": ") {
            Some(("help", words)) => (true, words),
            Some(("note", words)) => (false, words),
            _ => (true, help.label.as_str()),
        };
        notes.push((is_help, words.to_owned(), Some(range.start..range.end.max(range.start))));
    }
    for child in error.json["children"].as_array().map_or(&[][..], Vec::as_slice) {
        let words = child["message"].as_str().unwrap_or_default();
        let is_told = notes.iter().any(|(_, told, _)| told.starts_with(words));
        let is_help = match child["level"].as_str() {
            Some("help") => true,
            Some("note") => false,
            _ => continue,
        };
        // evcxr's own settings are no affair of the person.
        let is_ours = words.contains("`#[warn(") || words.contains("`#[deny(");
        if !words.is_empty() && !is_told && !is_ours {
            let words = match suggestion(child) {
                Some(replacement) => format!("{words}: `{replacement}`"),
                None => words.to_owned(),
            };
            notes.push((is_help, words, None));
        }
    }
    if let Some(hint) = error.evcxr_extra_hint() {
        notes.push((false, hint.replace("Evcxr", "Rust cells"), None));
    }
    if matches!(error.code(), Some("E0384" | "E0596")) {
        notes.push((true, "a variable of an earlier cell becomes mutable with `let mut x = x;`".to_owned(), None));
    }
    if !matches!(error.level(), "error" | "") {
        // evcxr found only a hint of the compiler's in the cell; the error itself is in the code around it.
        let words = "the code that keeps the cell's variables does not compile: their types may have to be written in full, or the \
                     cell put into { }";
        notes.push((false, words.to_owned(), None));
    }
    if remarks.is_empty() && notes.is_empty() && error.is_from_generated_code() {
        notes.push((false, format!("in the code around the cell:\n{}", error.rendered()), None));
    }
    Report { code: error.code().map(str::to_owned), message, remarks, notes }
}

fn suggestion(child: &Value) -> Option<&str> {
    child["spans"][0]["suggested_replacement"].as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// The byte of a line and a column in characters, both from 1; the nearest one where there is none.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for (index, whole) in text.split_inclusive('\n').enumerate() {
        if index + 1 == line {
            let inner = whole.trim_end_matches(['\n', '\r']);
            let within = inner.char_indices().nth(column.saturating_sub(1)).map_or(inner.len(), |(at, _)| at);
            return start + within;
        }
        start += whole.len();
    }
    text.len()
}

fn render(reports: &[Report], cell: &Cell) -> String {
    let path = format!("cell {}", cell.number);
    let renderer = Renderer::plain();
    let texts = reports.iter().map(|report| renderer.render(&groups(report, cell, &path)));
    texts.collect::<Vec<_>>().join("\n\n")
}

fn groups<'a>(report: &'a Report, cell: &'a Cell, path: &'a str) -> Vec<Group<'a>> {
    let snippet = || Snippet::source(cell.text.as_str()).line_start(cell.line).path(path);
    let mut title = Level::ERROR.primary_title(report.message.as_str());
    if let Some(code) = &report.code {
        title = title.id(code.as_str());
    }
    let mut first: Vec<Element<'a>> = Vec::new();
    if !report.remarks.is_empty() {
        let annotations = report.remarks.iter().map(|remark| {
            let kind = if remark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(remark.range.clone());
            if remark.label.is_empty() { annotation } else { annotation.label(remark.label.as_str()) }
        });
        first.push(snippet().annotations(annotations).into());
    }
    let level = |is_help: bool| if is_help { Level::HELP } else { Level::NOTE };
    let plain_notes = report.notes.iter().filter(|(_, _, range)| range.is_none());
    first.extend(plain_notes.map(|(is_help, words, _)| level(*is_help).message(words.as_str()).into()));
    let mut groups = vec![title.elements(first)];
    for (is_help, words, range) in &report.notes {
        if let Some(range) = range {
            let annotation = AnnotationKind::Primary.span(range.clone());
            groups.push(level(*is_help).secondary_title(words.as_str()).element(snippet().annotation(annotation)));
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Cell {
        Cell { number: 7, line: 2, text: text.to_owned() }
    }

    #[test]
    fn places_are_counted_in_characters() {
        let text = "let ä = 1;\nlet b = ä;\n";
        assert_eq!(&text[offset(text, 1, 5)..offset(text, 1, 6)], "ä");
        assert_eq!(&text[offset(text, 2, 9)..offset(text, 2, 10)], "ä");
        assert_eq!(offset(text, 2, 99), text.len() - 1, "the end of the line");
        assert_eq!(offset(text, 9, 1), text.len());
    }

    #[test]
    fn an_error_points_into_the_cell_as_rustc_does() {
        let cell = cell("let a = 1;\nlet b: i32 = \"x\";\n");
        let report = Report {
            code: Some("E0308".into()),
            message: "mismatched types".into(),
            remarks: vec![
                Remark { range: 24..27, label: "expected `i32`, found `&str`".into(), is_primary: true },
                Remark { range: 18..21, label: "expected due to this".into(), is_primary: false },
            ],
            notes: vec![(false, "a word more".into(), None)],
        };
        let rendered = render(&[report], &cell);
        let wanted = "\
error[E0308]: mismatched types
 --> cell 7:3:14
  |
3 | let b: i32 = \"x\";
  |        ---   ^^^ expected `i32`, found `&str`
  |        |
  |        expected due to this
  |
  = note: a word more";
        assert_eq!(rendered, wanted);
    }

    #[test]
    fn a_panic_points_at_its_place() {
        let cell = cell("let v = vec![1];\nv[7];");
        let place = Place { cell: 7, line: 3, index: 1 };
        let rendered = panic("index out of bounds", Some((&place, &cell, 1)), "");
        assert_eq!(rendered, "error: panicked: index out of bounds\n --> cell 7:3:1\n  |\n3 | v[7];\n  | ^");
        assert!(panic("no", None, "lib.rs:3").contains("lib.rs:3"));
    }
}
