//! `--param name=value`: names a program finds set before it runs.

use serde_json::Value;

/// The assignment that sets a parameter: a JSON value, `True`, `False`, `None`, or else the text itself.
pub fn assignment(parameter: &str) -> Result<String, String> {
    let (name, value) =
        parameter.split_once('=').ok_or_else(|| format!("--param takes name=value, not {parameter:?}"))?;
    let name = name.trim();
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(|first| first == '_' || first.is_alphabetic());
    if !starts || !characters.all(|character| character == '_' || character.is_alphanumeric()) {
        return Err(format!("--param: {name:?} is not a name"));
    }
    Ok(format!("{name} = {}", literal(value)))
}

fn literal(value: &str) -> String {
    match value {
        "True" | "False" | "None" => value.to_owned(),
        _ => serde_json::from_str(value).map_or_else(|_| text(value), |json: Value| json_literal(&json)),
    }
}

fn json_literal(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => number.to_string(),
        Value::String(string) => text(string),
        Value::Array(items) => format!("[{}]", items.iter().map(json_literal).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) => {
            let pairs = entries.iter().map(|(key, value)| format!("{}: {}", text(key), json_literal(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A string literal of the language.
fn text(value: &str) -> String {
    let mut out = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            character if character.is_control() => out.push_str(&format!("\\U{:08x}", u32::from(character))),
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_what_they_look_like() {
        let set = |parameter: &str| assignment(parameter).expect("a parameter");
        assert_eq!(set("n=3"), "n = 3");
        assert_eq!(set("rate=1e-3"), "rate = 0.001");
        assert_eq!(set("on=True"), "on = True");
        assert_eq!(set("on=true"), "on = True");
        assert_eq!(set("name=a \"b\"=c\\"), "name = \"a \\\"b\\\"=c\\\\\"");
        assert_eq!(set("shape=[1, {\"k\": null}]"), "shape = [1, {\"k\": None}]");
        assert_eq!(set("empty="), "empty = \"\"");
        assert_eq!(set("line=a\nb"), "line = \"a\\U0000000ab\"");
    }

    #[test]
    fn what_is_no_parameter_is_refused_by_name() {
        assert!(assignment("n").is_err_and(|problem| problem.contains("name=value")));
        assert!(assignment("2n=3").is_err_and(|problem| problem.contains("2n")));
        assert!(assignment("a.b=3").is_err_and(|problem| problem.contains("a.b")));
    }
}
