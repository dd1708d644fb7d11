//! Results as text the way IPython writes them: the repr, except that lists, tuples, dicts and sets too long for a line
//! stand with one item on each.

use crate::lang::heap::ObjectId;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Columns a line may take.
const WIDTH: usize = 79;

/// Items shown of one container.
const ITEMS_MAX: usize = 1000;

/// How deep containers are opened; below stands the plain repr.
const DEPTH_MAX: usize = 20;

/// A value as parts that may stand on lines of their own.
enum Part {
    Text(String),
    Group { open: String, items: Vec<Vec<Part>>, close: String },
}

/// The text of a result.
pub(super) fn pretty(vm: &mut Vm, value: &Value) -> Fallible<String> {
    let part = build(vm, value, &mut Vec::new())?;
    let mut out = String::new();
    write(&part, 0, 0, &mut out);
    Ok(out)
}

/// `inside` are the containers that are being written, outermost first.
fn build(vm: &mut Vm, value: &Value, inside: &mut Vec<ObjectId>) -> Fallible<Part> {
    let id = value.heap_id();
    if id.is_some_and(|id| inside.contains(&id)) {
        return Ok(Part::Text(
            match value {
                Value::List(_) => "[...]",
                Value::Tuple(_) => "(...)",
                _ => "{...}",
            }
            .to_owned(),
        ));
    }
    let whole = vm.repr(value)?;
    let opens = matches!(value, Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_));
    if !opens || inside.len() >= DEPTH_MAX || (whole.chars().count() <= WIDTH && !whole.contains('\n')) {
        return Ok(Part::Text(whole.to_string()));
    }
    vm.poll()?;
    inside.extend(id);
    let (open, close, items): (String, String, Vec<Vec<Value>>) = match value {
        Value::List(list) => {
            ("[".into(), "]".into(), list.items.borrow().iter().map(|item| vec![item.clone()]).collect())
        }
        Value::Tuple(tuple) => {
            let close = if tuple.items().len() == 1 { ",)" } else { ")" };
            ("(".into(), close.into(), tuple.items().iter().map(|item| vec![item.clone()]).collect())
        }
        Value::Dict(dict) => {
            let pairs =
                dict.table.borrow().iter().map(|(_, entry)| vec![entry.key.clone(), entry.value.clone()]).collect();
            ("{".into(), "}".into(), pairs)
        }
        Value::Set(set) => {
            let items = set.table.borrow().iter().map(|(_, entry)| vec![entry.key.clone()]).collect();
            if set.frozen { ("frozenset({".into(), "})".into(), items) } else { ("{".into(), "}".into(), items) }
        }
        _ => {
            inside.pop();
            return Ok(Part::Text(whole.to_string()));
        }
    };
    let is_cut = items.len() > ITEMS_MAX;
    let mut parts = Vec::new();
    for item in items.into_iter().take(ITEMS_MAX) {
        let mut row = Vec::new();
        for (index, value) in item.iter().enumerate() {
            if index > 0 {
                row.push(Part::Text(": ".to_owned()));
            }
            row.push(build(vm, value, inside)?);
        }
        parts.push(row);
    }
    if is_cut {
        parts.push(vec![Part::Text("...".to_owned())]);
    }
    inside.pop();
    Ok(Part::Group { open, items: parts, close })
}

fn flat(part: &Part, out: &mut String) {
    match part {
        Part::Text(text) => out.push_str(text),
        Part::Group { open, items, close } => {
            out.push_str(open);
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                item.iter().for_each(|part| flat(part, out));
            }
            out.push_str(close);
        }
    }
}

/// Writes a part at `column`; `after` columns follow it on its last line. Answers the column it ends in.
fn write(part: &Part, column: usize, after: usize, out: &mut String) -> usize {
    let mut line = String::new();
    flat(part, &mut line);
    let Part::Group { open, items, close } = part else {
        out.push_str(&line);
        return match line.rfind('\n') {
            Some(at) => line[at + 1..].chars().count(),
            None => column + line.chars().count(),
        };
    };
    let width = line.chars().count();
    if column + width + after <= WIDTH && !line.contains('\n') {
        out.push_str(&line);
        return column + width;
    }
    out.push_str(open);
    let indent = column + open.chars().count();
    let mut end = indent;
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(",\n");
            out.push_str(&" ".repeat(indent));
            end = indent;
        }
        let last = item.len() - 1;
        for (at, part) in item.iter().enumerate() {
            end = write(part, end, usize::from(at == last), out);
        }
    }
    out.push_str(close);
    end + close.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    fn list(items: Vec<Part>) -> Part {
        Part::Group { open: "[".into(), items: items.into_iter().map(|item| vec![item]).collect(), close: "]".into() }
    }

    fn laid_out(part: &Part) -> String {
        let mut out = String::new();
        write(part, 0, 0, &mut out);
        out
    }

    #[test]
    fn what_fits_stands_on_one_line() {
        assert_eq!(laid_out(&list(vec![text("1"), list(vec![text("2"), text("3")])])), "[1, [2, 3]]");
    }

    #[test]
    fn the_outer_container_breaks_first() {
        let long = "x".repeat(40);
        let inner = list(vec![text("1"), text("2")]);
        let part = list(vec![text(&long), text(&long), inner]);
        assert_eq!(laid_out(&part), format!("[{long},\n {long},\n [1, 2]]"));
    }

    #[test]
    fn inner_containers_break_where_they_stand() {
        let long = "y".repeat(45);
        let part = list(vec![list(vec![text(&long), text(&long)]), text("z")]);
        assert_eq!(laid_out(&part), format!("[[{long},\n  {long}],\n z]"));
    }
}
