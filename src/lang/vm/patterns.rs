//! What `match` asks about a subject.

use super::Vm;
use super::classes::attributes_of;
use crate::lang::builtins::classes::{Builtin, builtin_class};
use crate::lang::heap::Ref;
use crate::lang::name::{Name, names};
use crate::lang::objects::{ClassObject, DictObject};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;

impl Vm {
    /// Whether a value is a sequence or (for `mapping`) a mapping in the sense of patterns.
    pub(super) fn matches_kind(&self, value: &Value, mapping: bool) -> bool {
        let value = crate::lang::builtins::receiver::payload(value);
        match &value {
            Value::List(_) | Value::Tuple(_) | Value::Range(_) => !mapping,
            Value::Dict(_) => mapping,
            Value::Object(object) => {
                let class = object.data().class();
                let name = class.name.get();
                if mapping {
                    matches!(name.text(), "mappingproxy")
                } else {
                    matches!(name.text(), "deque" | "array" | "memoryview")
                }
            }
            _ => false,
        }
    }

    /// The values of all keys as a tuple, or `None` when one is missing.
    pub(super) fn match_keys(&mut self, subject: &Value, keys: &Value) -> Fallible<Value> {
        let Value::Tuple(keys) = keys else { return Ok(Value::None) };
        let payload = crate::lang::builtins::receiver::payload(subject);
        let mut values = Vec::with_capacity(keys.items().len());
        for key in keys.items() {
            let found = match &payload {
                Value::Dict(dict) => self.dict_get(dict, key)?,
                _ => match self.contains(subject, key)? {
                    true => Some(self.get_item(subject, key)?),
                    false => None,
                },
            };
            match found {
                Some(value) => values.push(value),
                None => return Ok(Value::None),
            }
        }
        Ok(Value::tuple(values))
    }

    /// The entries of a mapping without the keys that the pattern named.
    pub(super) fn match_rest(&mut self, subject: &Value, keys: &Value) -> Fallible<Value> {
        let rest = Ref::new(DictObject::default());
        self.update_dict(&rest, subject)?;
        if let Value::Tuple(keys) = keys {
            for key in keys.items() {
                self.dict_remove(&rest, key)?;
            }
        }
        Ok(Value::Dict(rest))
    }

    /// The attributes a class pattern asks for as a tuple, or `None` when the subject does not fit.
    pub(super) fn match_class(
        &mut self,
        subject: &Value,
        class: &Value,
        positional: usize,
        keyword_names: &Value,
    ) -> Fallible<Value> {
        let Value::Class(class_ref) = class else {
            return Err(type_error("called match pattern must be a class"));
        };
        if !self.is_instance_of(subject, class)? {
            return Ok(Value::None);
        }
        let mut values = Vec::new();
        if positional > 0 {
            const SELF_MATCHING: [Builtin; 11] = [
                Builtin::Bool,
                Builtin::ByteArray,
                Builtin::Bytes,
                Builtin::Dict,
                Builtin::Float,
                Builtin::FrozenSet,
                Builtin::Int,
                Builtin::List,
                Builtin::Set,
                Builtin::Str,
                Builtin::Tuple,
            ];
            let match_args = class_ref.lookup(names::MATCH_ARGS);
            let is_self_matching = match_args.is_none()
                && SELF_MATCHING.iter().any(|own| ClassObject::is_subclass_of(class_ref, &builtin_class(*own)));
            let allowed: Vec<Name> = match &match_args {
                Some(Value::Tuple(items)) => {
                    let mut allowed = Vec::new();
                    for item in items.items() {
                        match item {
                            Value::Str(text) => allowed.push(Name::new(text.as_str())),
                            other => {
                                return Err(type_error(format!(
                                    "__match_args__ elements must be strings (got {})",
                                    other.type_name()
                                )));
                            }
                        }
                    }
                    allowed
                }
                Some(other) => {
                    return Err(type_error(format!(
                        "{}.__match_args__ must be a tuple (got {})",
                        class_ref.name.get(),
                        other.type_name()
                    )));
                }
                None => Vec::new(),
            };
            let most = if is_self_matching { 1 } else { allowed.len() };
            if positional > most {
                let plural = if most == 1 { "" } else { "s" };
                return Err(type_error(format!(
                    "{}() accepts {most} positional sub-pattern{plural} ({positional} given)",
                    class_ref.name.get()
                )));
            }
            if is_self_matching {
                values.push(subject.clone());
            } else {
                for name in &allowed[..positional] {
                    match self.find_attribute(subject, *name)? {
                        Some(value) => values.push(value),
                        None => return Ok(Value::None),
                    }
                }
            }
        }
        if let Value::Tuple(keywords) = keyword_names {
            for name in keywords.items() {
                let name = Name::new(name.as_str().unwrap_or_default());
                match self.find_attribute(subject, name)? {
                    Some(value) => values.push(value),
                    None => return Ok(Value::None),
                }
            }
        }
        Ok(Value::tuple(values))
    }

    /// `__annotations__[name] = value` in a namespace.
    pub(super) fn store_annotation(
        &mut self,
        namespace: &Ref<crate::lang::objects::ModuleObject>,
        name: Name,
        value: Value,
    ) -> Fallible<()> {
        let dict = match namespace.get(names::ANNOTATIONS) {
            Some(Value::Dict(dict)) => dict,
            _ => {
                let dict = Ref::new(DictObject::default());
                namespace.set(names::ANNOTATIONS, Value::Dict(dict.clone()));
                dict
            }
        };
        self.dict_set(&dict, Value::str(name.text()), value)
    }

    /// Adds the entries of `**source` in a call, refusing keywords given twice.
    pub(super) fn merge_keywords(&mut self, dict: &Ref<DictObject>, source: &Value, callee: &Value) -> Fallible<()> {
        let added = match crate::lang::builtins::receiver::payload(source) {
            Value::Dict(added) => added,
            _ => {
                if self.find_attribute(source, names::KEYS)?.is_none() {
                    return Err(type_error(format!(
                        "{} argument after ** must be a mapping, not {}",
                        callee_name(callee),
                        source.type_name()
                    )));
                }
                let copy = Ref::new(DictObject::default());
                self.update_dict(&copy, source)?;
                copy
            }
        };
        let entries: Vec<(Value, Value)> =
            added.table.borrow().iter().map(|(_, entry)| (entry.key.clone(), entry.value.clone())).collect();
        for (key, value) in entries {
            if key.as_str().is_none() {
                return Err(type_error("keywords must be strings"));
            }
            if self.dict_get(dict, &key)?.is_some() {
                return Err(type_error(format!(
                    "{} got multiple values for keyword argument '{}'",
                    callee_name(callee),
                    key.as_str().unwrap_or_default()
                )));
            }
            self.dict_set(dict, key, value)?;
        }
        Ok(())
    }

    /// Calls with a list and a dict of arguments.
    pub(super) fn call_unpacked(&mut self, window: usize) -> Fallible<Value> {
        let mut args = match std::mem::take(&mut self.stack[window + 2]) {
            Value::List(list) => std::mem::take(&mut *list.items.borrow_mut()),
            _ => Vec::new(),
        };
        let mut keywords = Vec::new();
        if let Value::Dict(dict) = std::mem::take(&mut self.stack[window + 3]) {
            for (name, value) in attributes_of(&dict) {
                keywords.push(name);
                args.push(value);
            }
        }
        let callee = std::mem::take(&mut self.stack[window]);
        self.call_apart(&callee, args, &keywords)
    }
}

/// `__main__.f()`, `dict()`: the callee in messages about its arguments.
fn callee_name(callee: &Value) -> String {
    match callee {
        Value::Function(function) => format!("{}.{}()", function.module.name, function.qualname.borrow()),
        Value::Native(native) => format!("{}()", super::arguments::native_qualname(native)),
        Value::Class(class) if class.module.get().text() != "builtins" => {
            format!("{}.{}()", class.module.get(), class.qualname.borrow())
        }
        Value::Class(class) => format!("{}()", class.name.get()),
        Value::Method(method) => callee_name(&method.function),
        other => format!("'{}' object", other.type_name()),
    }
}
