//! `str.format`: replacement fields with attributes, indexes, conversions and nested specifications.

use super::text;
use crate::lang::name::Name;
use crate::lang::native::Args;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Where fields find their values.
struct Fields<'a> {
    positional: &'a [Value],
    keywords: Value,
    /// Automatic numbering's next index; nothing once fields are numbered by hand.
    next: Option<usize>,
    is_manual: bool,
}

/// `text.format(*args, **kwargs)`
pub fn format(vm: &mut Vm, template: &str, args: Args) -> Fallible<Value> {
    let positional = match args.get(vm, 1) {
        Value::Tuple(items) => items,
        _ => return Ok(Value::None),
    };
    let keywords = args.get(vm, 2);
    run(vm, template, positional.items(), keywords)
}

/// `text.format_map(mapping)`
pub fn format_map(vm: &mut Vm, template: &str, mapping: Value) -> Fallible<Value> {
    run(vm, template, &[], mapping)
}

fn run(vm: &mut Vm, template: &str, positional: &[Value], keywords: Value) -> Fallible<Value> {
    let chars: Vec<char> = template.chars().collect();
    let mut fields = Fields { positional, keywords, next: Some(0), is_manual: false };
    let mut out = String::with_capacity(template.len());
    expand(vm, &chars, &mut fields, 2, &mut out)?;
    Ok(text::value(&out))
}

fn expand(vm: &mut Vm, chars: &[char], fields: &mut Fields, depth: u32, out: &mut String) -> Fallible<()> {
    if depth == 0 {
        return Err(raise::value_error("Max string recursion exceeded"));
    }
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '{' | '}' if chars.get(at) == Some(&c) => {
                out.push(c);
                at += 1;
            }
            '}' => return Err(raise::value_error("Single '}' encountered in format string")),
            '{' => {
                if at >= chars.len() {
                    return Err(raise::value_error("Single '{' encountered in format string"));
                }
                let end = field_end(chars, at)?;
                field(vm, &chars[at..end], fields, depth, out)?;
                at = end + 1;
            }
            _ => out.push(c),
        }
    }
    Ok(())
}

/// Where the field that starts at `at` is closed; brackets of an index may hold braces.
fn field_end(chars: &[char], at: usize) -> Fallible<usize> {
    let mut depth = 1;
    let mut in_index = false;
    let mut in_spec = false;
    for (index, &c) in chars.iter().enumerate().skip(at) {
        match c {
            '[' if !in_spec => in_index = true,
            ']' if in_index => in_index = false,
            _ if in_index => {}
            ':' | '!' => in_spec = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(index);
                }
            }
            _ => {}
        }
    }
    let before_spec = chars[at..].iter().position(|c| matches!(c, ':' | '!'));
    Err(raise::value_error(match before_spec {
        Some(offset) if chars[at + offset] == ':' => "unmatched '{' in format spec",
        Some(offset) if chars.len() > at + offset + 1 => "unmatched '{' in format spec",
        _ => "expected '}' before end of string",
    }))
}

fn field(vm: &mut Vm, chars: &[char], fields: &mut Fields, depth: u32, out: &mut String) -> Fallible<()> {
    let mut in_index = false;
    let split = chars
        .iter()
        .position(|&c| {
            match c {
                '[' => in_index = true,
                ']' => in_index = false,
                '{' if !in_index => return true,
                _ => {}
            }
            !in_index && matches!(c, ':' | '!')
        })
        .unwrap_or(chars.len());
    let (name, rest) = chars.split_at(split);
    if rest.first() == Some(&'{') {
        return Err(raise::value_error("unexpected '{' in field name"));
    }
    let value = lookup(vm, name, fields)?;
    let (conversion, spec) = match rest {
        ['!', conversion, ':', spec @ ..] => (Some(*conversion), spec),
        ['!', conversion] => (Some(*conversion), &[][..]),
        ['!'] => return Err(raise::value_error("unmatched '{' in format spec")),
        ['!', ..] => return Err(raise::value_error("expected ':' after conversion specifier")),
        [':', spec @ ..] => (None, spec),
        _ => (None, &[][..]),
    };
    let value = match conversion {
        None => value,
        Some('r') => vm.repr(&value).map(|shown| text::value(&shown))?,
        Some('s') => vm.str(&value).map(|shown| text::value(&shown))?,
        Some('a') => vm.repr(&value).map(|shown| text::value(&text::to_ascii(&shown)))?,
        Some(other) => return Err(raise::value_error(format!("Unknown conversion specifier {other}"))),
    };
    let mut expanded = String::new();
    if spec.contains(&'{') || spec.contains(&'}') {
        expand(vm, spec, fields, depth - 1, &mut expanded)?;
    } else {
        expanded.extend(spec);
    }
    let shown = vm.format(&value, &expanded)?;
    out.push_str(&shown);
    Ok(())
}

fn lookup(vm: &mut Vm, name: &[char], fields: &mut Fields) -> Fallible<Value> {
    let first_end = name.iter().position(|c| matches!(c, '.' | '[')).unwrap_or(name.len());
    let first: String = name[..first_end].iter().collect();
    let mut value = first_value(vm, &first, fields)?;
    let mut at = first_end;
    while let Some(&c) = name.get(at) {
        at += 1;
        if c == '.' {
            let end = name[at..].iter().position(|c| matches!(c, '.' | '[')).map_or(name.len(), |offset| at + offset);
            if end == at {
                return Err(raise::value_error("Empty attribute in format string"));
            }
            let attribute: String = name[at..end].iter().collect();
            value = vm.get_attribute(&value, Name::new(&attribute))?;
            at = end;
        } else if c == '[' {
            let Some(offset) = name[at..].iter().position(|&c| c == ']') else {
                return Err(raise::value_error("expected '}' before end of string"));
            };
            if offset == 0 {
                return Err(raise::value_error("Empty attribute in format string"));
            }
            let key: String = name[at..at + offset].iter().collect();
            let key = match index(&key)? {
                Some(index) => Value::from(index),
                None => text::value(&key),
            };
            value = vm.get_item(&value, &key)?;
            at += offset + 1;
        } else {
            return Err(raise::value_error("Only '.' or '[' may follow ']' in format field specifier"));
        }
    }
    Ok(value)
}

fn index(text: &str) -> Fallible<Option<usize>> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| raise::value_error("Too many decimal digits in format string"))
}

fn first_value(vm: &mut Vm, name: &str, fields: &mut Fields) -> Fallible<Value> {
    let position = if name.is_empty() {
        if fields.is_manual {
            return Err(raise::value_error(
                "cannot switch from manual field specification to automatic field numbering",
            ));
        }
        let next = fields.next.unwrap_or(0);
        fields.next = Some(next + 1);
        Some(next)
    } else {
        let position = index(name)?;
        if position.is_some() {
            if fields.next.is_some_and(|next| next > 0) {
                return Err(raise::value_error(
                    "cannot switch from automatic field numbering to manual field specification",
                ));
            }
            fields.is_manual = true;
        }
        position
    };
    match position {
        Some(position) => match fields.positional.get(position) {
            Some(value) => Ok(value.clone()),
            None if fields.positional.is_empty() && !matches!(fields.keywords, Value::Dict(_)) => {
                Err(raise::value_error("Format string contains positional fields"))
            }
            None => {
                Err(raise::index_error(format!("Replacement index {position} out of range for positional args tuple")))
            }
        },
        None => {
            let keywords = fields.keywords.clone();
            vm.get_item(&keywords, &text::value(name))
        }
    }
}
