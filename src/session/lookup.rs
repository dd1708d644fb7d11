//! Finding values without running anything of the program: names, attributes and constant subscripts, read from the
//! objects themselves. What completion and inspection stand on.

use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ClassObject, ModuleObject};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A part of a path: `.name` or `[constant]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathStep {
    /// `.name`
    Attribute(String),
    /// `[3]`
    Index(i64),
    /// `['key']`
    Key(String),
}

/// A path that can be followed without running anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) name: String,
    pub(super) steps: Vec<PathStep>,
}

impl Path {
    /// Reads `name.attribute[0]['key']`; nothing for anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        let name = text[..end].to_owned();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let mut rest = &text[end..];
        let mut steps = Vec::new();
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('.') {
                let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(after.len());
                if end == 0 {
                    return None;
                }
                steps.push(PathStep::Attribute(after[..end].to_owned()));
                rest = &after[end..];
            } else {
                let after = rest.strip_prefix('[')?;
                let end = after.find(']')?;
                steps.push(subscript(after[..end].trim())?);
                rest = &after[end + 1..];
            }
        }
        Some(Self { name, steps })
    }
}

fn subscript(text: &str) -> Option<PathStep> {
    if let Ok(index) = text.parse() {
        return Some(PathStep::Index(index));
    }
    let quote = text.chars().next().filter(|c| *c == '\'' || *c == '"')?;
    let inner = text[1..].strip_suffix(quote)?;
    (!inner.contains([quote, '\\'])).then(|| PathStep::Key(inner.to_owned()))
}

/// Follows a path from the session's names, the built-in ones and `also`, which knows the derived ones.
pub(super) fn find(vm: &Vm, path: &Path, also: impl Fn(&str) -> Option<Value>) -> Option<Value> {
    let name = Name::new(&path.name);
    let start = vm.main.get(name).or_else(|| vm.builtins.get(name)).or_else(|| also(&path.name))?;
    path.steps.iter().try_fold(start, |value, step| follow(&value, step))
}

fn follow(value: &Value, step: &PathStep) -> Option<Value> {
    match step {
        PathStep::Attribute(name) => attribute(value, Name::new(name)),
        PathStep::Index(index) => {
            let at = |len: usize| {
                let at = if *index < 0 { *index + len as i64 } else { *index };
                usize::try_from(at).ok().filter(|at| *at < len)
            };
            match value {
                Value::List(list) => {
                    let items = list.items.borrow();
                    at(items.len()).map(|at| items[at].clone())
                }
                Value::Tuple(tuple) => at(tuple.items().len()).map(|at| tuple.items()[at].clone()),
                Value::Dict(dict) => entry(dict, |key| matches!(key, Value::Int(number) if number == index)),
                _ => None,
            }
        }
        PathStep::Key(text) => match value {
            Value::Dict(dict) => entry(dict, |key| key.as_str() == Some(text)),
            _ => None,
        },
    }
}

fn entry(dict: &Ref<crate::lang::objects::DictObject>, is_key: impl Fn(&Value) -> bool) -> Option<Value> {
    dict.table.borrow().iter().find(|(_, entry)| is_key(&entry.key)).map(|(_, entry)| entry.value.clone())
}

/// An attribute as it is stored; properties are not computed, they answer themselves.
pub(super) fn attribute(value: &Value, name: Name) -> Option<Value> {
    let own = match value {
        Value::Module(module) => return module.get(name),
        Value::Class(class) => return class.lookup(name),
        Value::Instance(instance) => instance.attributes.borrow().get(&name).cloned(),
        Value::Exception(exception) => exception.attributes.borrow().get(&name).cloned(),
        Value::Function(function) => function.attributes.borrow().get(&name).cloned(),
        _ => None,
    };
    own.or_else(|| value.class().lookup(name))
}

/// Names of attributes with their values, own ones first, each once.
pub(super) fn attributes(value: &Value) -> Vec<(Name, Value)> {
    let mut found: Vec<(Name, Value)> = Vec::new();
    let mut add = |name: Name, value: &Value| {
        if !found.iter().any(|(known, _)| *known == name) {
            found.push((name, value.clone()));
        }
    };
    match value {
        Value::Module(module) => {
            members(module).into_iter().for_each(|(name, value)| add(name, &value));
            return found;
        }
        Value::Class(class) => {
            class_attributes(class, &mut add);
            return found;
        }
        Value::Instance(instance) => {
            instance.attributes.borrow().iter().for_each(|(name, value)| add(*name, value));
        }
        Value::Exception(exception) => {
            exception.attributes.borrow().iter().for_each(|(name, value)| add(*name, value));
        }
        Value::Function(function) => {
            function.attributes.borrow().iter().for_each(|(name, value)| add(*name, value));
        }
        _ => {}
    }
    class_attributes(&value.class(), &mut add);
    found
}

/// The bound names of a module.
pub(super) fn members(module: &ModuleObject) -> Vec<(Name, Value)> {
    module.globals.borrow().iter().map(|(name, value)| (name, value.clone())).collect()
}

fn class_attributes(class: &Ref<ClassObject>, add: &mut impl FnMut(Name, &Value)) {
    for (name, value) in class.attributes.borrow().iter() {
        add(*name, value);
    }
    for base in class.mro_tail.borrow().iter() {
        for (name, value) in base.attributes.borrow().iter() {
            add(*name, value);
        }
    }
}

/// What a value is, in the words of completion.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Function(_) | Value::Native(_) | Value::Method(_) => "function",
        Value::Class(_) => "class",
        Value::Module(_) => "module",
        Value::Object(object) if object.data().class().name.get().text() == "property" => "property",
        _ => "instance",
    }
}

/// How a callable is called, empty for anything else.
pub(super) fn signature(value: &Value) -> String {
    match value {
        Value::Native(function) => {
            let text = function.definition.signature.text;
            text.replacen("(self, /)", "()", 1)
                .replacen("(self, /, ", "(", 1)
                .replacen("(self, ", "(", 1)
                .replacen("(self)", "()", 1)
        }
        Value::Function(function) => function_signature(function),
        Value::Method(method) => signature(&method.function),
        _ => String::new(),
    }
}

fn function_signature(function: &crate::lang::objects::FunctionObject) -> String {
    let code = &function.code;
    let defaults = function.defaults.borrow();
    let first_default = code.positional_count - defaults.len().min(code.positional_count);
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    for index in 0..code.positional_count {
        let mut part = code.parameter_name(at).text().to_owned();
        if index >= first_default {
            part.push('=');
            part.push_str(&short(&defaults[index - first_default]));
        }
        parts.push(part);
        at += 1;
        if index + 1 == code.positional_only_count {
            parts.push("/".to_owned());
        }
    }
    let keyword_only: Vec<Name> = (0..code.keyword_only_count).map(|index| code.parameter_name(at + index)).collect();
    at += code.keyword_only_count;
    if code.has_var_positional {
        parts.push(format!("*{}", code.parameter_name(at).text()));
        at += 1;
    } else if !keyword_only.is_empty() {
        parts.push("*".to_owned());
    }
    for name in keyword_only {
        let default = function.keyword_defaults.borrow().get(&name).map(short);
        parts.push(match default {
            Some(default) => format!("{}={default}", name.text()),
            None => name.text().to_owned(),
        });
    }
    if code.has_var_keyword {
        parts.push(format!("**{}", code.parameter_name(at).text()));
    }
    format!("({})", parts.join(", "))
}

/// A value in few characters without running its `__repr__`.
pub(super) fn short(value: &Value) -> String {
    let text = match value {
        Value::None => "None".to_owned(),
        Value::Ellipsis => "...".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Str(text) => format!("{:?}", text.as_str()).replace('"', "'"),
        Value::List(list) => format!("list of {}", list.items.borrow().len()),
        Value::Tuple(tuple) => format!("tuple of {}", tuple.items().len()),
        Value::Dict(dict) => format!("dict of {}", dict.table.borrow().len()),
        Value::Set(set) => format!("set of {}", set.table.borrow().len()),
        Value::Array(array) => {
            let shape = array.shape();
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("{} {}", if shape.is_empty() { "0-d".to_owned() } else { shape.join(" x ") }, array.dtype().name())
        }
        other => format!("<{}>", other.type_name()),
    };
    if text.chars().count() > 60 { text.chars().take(59).collect::<String>() + "…" } else { text }
}

/// `__doc__`, where there is one.
pub(super) fn doc(value: &Value) -> Option<String> {
    match value {
        Value::Native(function) => Some(function.definition.doc.to_owned()),
        Value::Function(function) => {
            let own = function
                .attributes
                .borrow()
                .get(&crate::lang::name::names::DOC)
                .and_then(|doc| doc.as_str().map(str::to_owned));
            own.or_else(|| function.code.doc.as_ref().map(|doc| doc.to_string()))
        }
        Value::Method(method) => doc(&method.function),
        Value::Class(class) => {
            class.attributes.borrow().get(&crate::lang::name::names::DOC)?.as_str().map(str::to_owned)
        }
        Value::Module(module) => module.get(crate::lang::name::names::DOC)?.as_str().map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_names_attributes_and_constants() {
        let path = Path::parse("a.b[0]['k'].c").unwrap();
        assert_eq!(path.name, "a");
        assert_eq!(
            path.steps,
            [
                PathStep::Attribute("b".into()),
                PathStep::Index(0),
                PathStep::Key("k".into()),
                PathStep::Attribute("c".into())
            ]
        );
        assert_eq!(Path::parse("Out[-1]").unwrap().steps, [PathStep::Index(-1)]);
        for bad in ["", "1a", "f(x)", "a[i]", "a..b", "a['\\n']", "a['x]", "'s'.join"] {
            assert_eq!(Path::parse(bad), None, "{bad}");
        }
    }
}
