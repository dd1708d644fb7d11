//! Inspection: signature, documentation, and for arrays where they are and what holds them. It runs nothing of the program.

use super::core::Core;
use super::lookup::{self, Path};
use super::{builtins, magics};
use crate::display::{Markup, MimeBundle, Role, to_ansi, to_html};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Characters of source shown with details.
const SOURCE_MAX: usize = 20_000;

/// What is known about the name at a byte of a text.
pub(super) fn inspect(core: &Core, vm: &Vm, source: &str, cursor: usize, detail: u8) -> Option<MimeBundle> {
    let text = word_at(source, cursor)?;
    let markup = match text.strip_prefix('%') {
        Some(magic) => magics::describe(magic.trim_start_matches('%'))?,
        None => {
            let path = Path::parse(&text)?;
            let value = lookup::find(vm, &path, |name| core.outputs.find(name).or_else(|| module_of(vm, name)))?;
            describe(core, vm, &text, &value, detail)
        }
    };
    let plain = to_ansi(&markup, 100);
    Some(MimeBundle::plain(plain).with("text/html", to_html(&markup)))
}

/// The first name of what is asked about at a byte of a text.
pub(super) fn owner_at(source: &str, cursor: usize) -> Option<String> {
    let text = word_at(source, cursor)?;
    Path::parse(&text).map(|path| path.name)
}

/// The array modules by their built-in names, once something has imported them.
pub(super) fn module_of(vm: &Vm, name: &str) -> Option<Value> {
    let name = builtins::module_named(name).unwrap_or(name);
    let found = vm.modules.iter().find(|(known, _)| known.text() == name);
    found.map(|(_, module)| Value::Module(module.clone()))
}

fn describe(core: &Core, vm: &Vm, text: &str, value: &Value, detail: u8) -> Markup {
    let mut markup = Markup::new();
    let mut field = |name: &str, content: Markup| {
        markup = std::mem::take(&mut markup).push(Role::Strong, format!("{name}: ")).then(content).line();
    };
    let signature = lookup::signature(value);
    if !signature.is_empty() {
        let name = text.rsplit('.').next().unwrap_or(text);
        field("Signature", Markup::of(Role::Code, format!("{name}{signature}")));
    } else if let Value::Class(class) = value {
        let init =
            class.lookup(crate::lang::name::names::INIT).map(|init| lookup::signature(&init)).unwrap_or_default();
        if !init.is_empty() {
            let init = init.replacen("(self, ", "(", 1).replacen("(self)", "()", 1);
            field("Init signature", Markup::of(Role::Code, format!("{}{init}", class.name.get().text())));
        }
    }
    field("Type", Markup::text(value.type_name()));
    if !matches!(value, Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_) | Value::Module(_)) {
        field("Value", Markup::text(lookup::short(value)));
    }
    if let Some(facts) = builtins::array_facts(value) {
        field("Memory", Markup::text(facts));
        if let Some(buffer) = super::holders::buffer_of(value) {
            let report = core.report(vm);
            if let Some(entry) = report.allocation(buffer.id()) {
                let holders = report.holders(&entry);
                let paths: Vec<&str> = holders.iter().take(5).map(|holder| holder.path.as_str()).collect();
                let more = if holders.len() > 5 { format!(", +{} more", holders.len() - 5) } else { String::new() };
                field("Held by", Markup::of(Role::Code, paths.join(", ")).plain(more));
            }
        }
    }
    let source = function_source(value).filter(|_| detail > 0);
    match (source, lookup::doc(value)) {
        (Some(source), _) => field("Source", Markup::new().line().plain(source)),
        (None, Some(doc)) => field("Docstring", Markup::new().line().plain(doc.trim().to_owned())),
        (None, None) => {}
    }
    markup
}

/// The text of a function's definition: its first line and what is indented below it.
fn function_source(value: &Value) -> Option<String> {
    let function = match value {
        Value::Function(function) => function,
        Value::Method(method) => return function_source(&method.function),
        _ => return None,
    };
    let source = &function.code.source;
    let first = function.code.first_line as usize;
    let lines: Vec<&str> = source.text.lines().skip(first.saturating_sub(1)).collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(lines.first()?);
    let mut end = 1;
    for (index, line) in lines.iter().enumerate().skip(1) {
        let is_header = lines[..index].iter().all(|line| !line.trim_end().ends_with(':'));
        if !line.trim().is_empty() && depth(line) <= own && !is_header {
            break;
        }
        if !line.trim().is_empty() {
            end = index + 1;
        }
    }
    let text = lines[..end].join("\n");
    Some(text.chars().take(SOURCE_MAX).collect())
}

/// The path or magic at the cursor, or the name of the call that the cursor is in.
fn word_at(source: &str, cursor: usize) -> Option<String> {
    let mut at = cursor.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let after: String = source[at..].chars().take_while(|c| is_word(*c)).collect();
    let before = &source[..at];
    let touches = !after.is_empty() || before.chars().next_back().is_some_and(|c| is_word(c) || c == ']' || c == '?');
    if touches && let Some(path) = path_before(before) {
        return Some(path + &after);
    }
    // The innermost bracket that is still open.
    let mut depth = 0;
    for (index, c) in before.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' => return path_before(&before[..index]),
            _ => {}
        }
    }
    None
}

fn path_before(before: &str) -> Option<String> {
    let before = before.trim_end_matches('?');
    let mut start = before.len();
    let mut depth = 0;
    for (index, c) in before.char_indices().rev() {
        let belongs = match c {
            ']' => {
                depth += 1;
                true
            }
            '[' if depth > 0 => {
                depth -= 1;
                true
            }
            _ if depth > 0 => true,
            c => c.is_alphanumeric() || c == '_' || c == '.' || c == '%',
        };
        if !belongs {
            break;
        }
        start = index;
    }
    let text = before[start..].trim_start_matches('.');
    Some(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_at_the_cursor_is_a_path_or_the_call_around_it() {
        let at = |text: &str, cursor| word_at(text, cursor);
        assert_eq!(at("dpnp.zeros", 10).as_deref(), Some("dpnp.zeros"));
        assert_eq!(at("dpnp.zeros", 7).as_deref(), Some("dpnp.zeros"));
        assert_eq!(at("x = dpnp.zeros(", 15).as_deref(), Some("dpnp.zeros"));
        assert_eq!(at("f(g(1), ", 8).as_deref(), Some("f"));
        assert_eq!(at("d['k'].x", 8).as_deref(), Some("d['k'].x"));
        assert_eq!(at("%mem", 4).as_deref(), Some("%mem"));
        assert_eq!(at("a?", 2).as_deref(), Some("a"));
        assert_eq!(at("1 + ", 4), None);
    }
}
