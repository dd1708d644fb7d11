//! A value in every form it has: its repr, and what its class offers by IPython's `_repr_*_` methods.

use super::pretty::pretty;
use crate::display::MimeBundle;
use crate::lang::name::Name;
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// IPython's methods and the types they answer.
const METHODS: [(&str, &str); 8] = [
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_latex_", "text/latex"),
    ("_repr_javascript_", "application/javascript"),
    ("_repr_png_", "image/png"),
    ("_repr_jpeg_", "image/jpeg"),
    ("_repr_json_", "application/json"),
];

/// Every form of a value; `text/plain` is always among them.
pub(super) fn bundle_of(vm: &mut Vm, value: &Value) -> Fallible<MimeBundle> {
    let mut bundle = MimeBundle::plain(pretty(vm, value)?);
    if !matches!(value, Value::Instance(_) | Value::Object(_)) {
        return Ok(bundle);
    }
    if let Some(method) = vm.find_special(value, Name::new("_repr_mimebundle_")) {
        let answer = vm.call(&method, &[])?;
        add_bundle(vm, &answer, &mut bundle)?;
    }
    for (method, mime) in METHODS {
        let Some(method) = vm.find_special(value, Name::new(method)) else { continue };
        let answer = vm.call(&method, &[])?;
        add(vm, mime, &answer, &mut bundle)?;
    }
    Ok(bundle)
}

/// `{mime: data}`, or `({mime: data}, {mime: metadata})`.
fn add_bundle(vm: &mut Vm, answer: &Value, bundle: &mut MimeBundle) -> Fallible<()> {
    let data = match answer {
        Value::Tuple(pair) => match pair.items() {
            [data, _metadata] => data.clone(),
            _ => return Ok(()),
        },
        other => other.clone(),
    };
    let Value::Dict(dict) = &data else { return Ok(()) };
    let entries: Vec<(Value, Value)> =
        dict.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
    for (key, value) in entries {
        if let Some(mime) = key.as_str() {
            add(vm, mime, &value, bundle)?;
        }
    }
    Ok(())
}

fn add(vm: &mut Vm, mime: &str, value: &Value, bundle: &mut MimeBundle) -> Fallible<()> {
    match value {
        Value::None => {}
        Value::Str(text) => bundle.insert(mime, text.as_str()),
        Value::Bytes(data) => bundle.insert(mime, STANDARD.encode(data.as_bytes())),
        // Metadata that some classes answer along with the data is not shown anywhere.
        Value::Tuple(pair) if pair.items().len() == 2 => return add(vm, mime, &pair.items()[0].clone(), bundle),
        other if mime.ends_with("json") => bundle.insert_json(mime, json(vm, other, 0)?),
        _ => {}
    }
    Ok(())
}

fn json(vm: &mut Vm, value: &Value, depth: usize) -> Fallible<serde_json::Value> {
    use serde_json::Value as Json;
    if depth > 100 {
        return Err(crate::lang::raise::recursion_error("maximum depth exceeded while showing JSON"));
    }
    Ok(match value {
        Value::None => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Int(number) => (*number).into(),
        Value::Float(number) => serde_json::Number::from_f64(*number).map_or(Json::Null, Json::Number),
        Value::Str(text) => text.as_str().into(),
        Value::List(list) => {
            let items = list.items.borrow().clone();
            Json::Array(items.iter().map(|item| json(vm, item, depth + 1)).collect::<Fallible<_>>()?)
        }
        Value::Tuple(items) => {
            Json::Array(items.items().iter().map(|item| json(vm, item, depth + 1)).collect::<Fallible<_>>()?)
        }
        Value::Dict(dict) => {
            let entries: Vec<(Value, Value)> =
                dict.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
            let mut map = serde_json::Map::new();
            for (key, value) in entries {
                let key = vm.str(&key)?.to_string();
                map.insert(key, json(vm, &value, depth + 1)?);
            }
            Json::Object(map)
        }
        other => vm.repr(other)?.to_string().into(),
    })
}
