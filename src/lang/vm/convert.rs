//! Conversions that every part of the language asks for: repr, str, format, hash, numbers, and what f-strings join.

use std::rc::Rc;

use super::Vm;
use crate::lang::builtins::{convert, format, format_spec, hash, receiver, repr, text};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::objects::{ClassObject, StrObject};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;

impl Vm {
    /// Whether the class of a value, rather than the built-in value it carries, says how it shows itself.
    fn user_method(&mut self, value: &Value, name: crate::lang::name::Name) -> Option<Value> {
        match value {
            Value::Instance(instance) => {
                let class = instance.class.borrow().clone();
                let found = class.lookup(name)?;
                // The method of the payload's own class works on the payload; that of a class between may show more.
                let payload = instance.payload.borrow().clone();
                if let Value::Native(function) = &found
                    && !payload.is_unset()
                    && !matches!(payload, Value::Object(_))
                    && function.class.as_ref().is_none_or(|owner| ClassObject::is_subclass_of(&payload.class(), owner))
                {
                    return None;
                }
                if found.is_none() {
                    return None;
                }
                self.bind_attribute(found, Some(value), &class).ok()
            }
            Value::Object(_) | Value::Exception(_) | Value::Array(_) | Value::Scalar(_) => {
                self.find_special(value, name)
            }
            _ => None,
        }
    }

    fn text_from(&mut self, method: &Value, what: &str) -> Fallible<Rc<str>> {
        match self.call(method, &[])? {
            Value::Str(text) => Ok(text.as_str().into()),
            other => match receiver::payload(&other) {
                Value::Str(text) => Ok(text.as_str().into()),
                _ => Err(type_error(format!("{what} returned non-string (type {})", other.type_name()))),
            },
        }
    }

    /// `repr(value)`
    pub fn repr(&mut self, value: &Value) -> Fallible<Rc<str>> {
        self.repr_for(value, "__repr__")
    }

    /// `repr(value)` for a function that an error names.
    fn repr_for(&mut self, value: &Value, asked: &str) -> Fallible<Rc<str>> {
        if self.native_depth > 900 {
            return Err(crate::lang::raise::recursion_error(
                "maximum recursion depth exceeded while getting the repr of an object",
            ));
        }
        if let Some(method) = self.user_method(value, names::REPR) {
            return self.text_from(&method, asked);
        }
        if let Value::Class(class) = value
            && class.is_user_defined
            && let Some(hook) = class.lookup(crate::lang::name::Name::new("__class_repr__"))
        {
            let method = self.bind_attribute(hook, None, class)?;
            return self.text_from(&method, "__class_repr__");
        }
        let carried = receiver::payload(value);
        if let (Value::Instance(_), Value::Set(_)) = (value, &carried) {
            // A class derived from a set shows its own name.
            let mut into = String::new();
            repr::write_container(self, &mut into, &carried, Some(value.type_name()))?;
            return Ok(into.into());
        }
        match repr::of_value(self, &carried)? {
            Some(text) => Ok(text.into()),
            None => Ok(crate::lang::builtins::object::default_repr(value).into()),
        }
    }

    /// `str(value)`
    pub fn str(&mut self, value: &Value) -> Fallible<Rc<str>> {
        if let Value::Str(text) = value {
            return Ok(text.as_str().into());
        }
        if let Some(method) = self.user_method(value, names::STR)
            && !crate::lang::builtins::object::is_default_str(&method)
        {
            return self.text_from(&method, "__str__");
        }
        match value {
            Value::Instance(_) => match receiver::payload(value) {
                Value::Str(text) => Ok(text.as_str().into()),
                _ => self.repr_for(value, "__str__"),
            },
            _ => self.repr_for(value, "__str__"),
        }
    }

    /// `format(value, spec)`
    pub fn format(&mut self, value: &Value, spec: &str) -> Fallible<Rc<str>> {
        if let Value::Str(text) = value
            && spec.is_empty()
        {
            return Ok(text.as_str().into());
        }
        if let Some(method) = self.user_method(value, names::FORMAT)
            && !crate::lang::builtins::object::is_default_format(&method)
        {
            return match self.call(&method, &[Value::str(spec)])? {
                Value::Str(text) => Ok(text.as_str().into()),
                other => Err(type_error(format!("__format__ must return a str, not {}", other.type_name()))),
            };
        }
        format::object(self, value, spec).map(Into::into)
    }

    /// `hash(value)`
    pub fn hash(&mut self, value: &Value) -> Fallible<i64> {
        if let Some(hash) = hash::quick(value) {
            return Ok(hash);
        }
        if let Value::Instance(_) | Value::Object(_) | Value::Exception(_) = value {
            let class = value.class();
            match class.lookup(names::HASH) {
                Some(Value::None) => return Err(hash::unhashable(value)),
                Some(method)
                    if !matches!((&method, value), (Value::Native(_), Value::Instance(_)))
                        || matches!(receiver::payload(value), Value::Object(_)) =>
                {
                    let method = self.bind_attribute(method, Some(value), &class)?;
                    return match self.call(&method, &[])? {
                        Value::Int(hash) => Ok(if hash == -1 { -2 } else { hash }),
                        wide @ (Value::Big(_) | Value::Bool(_)) => self.hash(&wide),
                        _ => Err(type_error("__hash__ method should return an integer")),
                    };
                }
                _ => {}
            }
            let payload = receiver::payload(value);
            if !payload.is_same(value)
                && let Some(hash) = hash::of_value(self, &payload)?
            {
                return Ok(hash);
            }
            return Ok(value.heap_id().map_or(0, |id| hash::of_identity(id.address())));
        }
        if let Some(hash) = hash::of_value(self, value)? {
            return Ok(hash);
        }
        match value {
            Value::Scalar(_) => match self.find_special(value, names::HASH) {
                Some(method) => match self.call(&method, &[])? {
                    Value::Int(hash) => Ok(hash),
                    _ => Err(hash::unhashable(value)),
                },
                None => Err(hash::unhashable(value)),
            },
            _ => Err(hash::unhashable(value)),
        }
    }

    /// `__index__` in 64 bits; OverflowError outside.
    pub fn index(&mut self, value: &Value) -> Fallible<i64> {
        match value {
            Value::Int(index) => Ok(*index),
            _ => convert::index_size(self, value),
        }
    }

    /// A float from int, float or `__float__`.
    pub fn float(&mut self, value: &Value) -> Fallible<f64> {
        match value {
            Value::Float(float) => Ok(*float),
            _ => convert::float(self, value),
        }
    }

    /// A field of an f-string.
    pub(super) fn format_field(&mut self, value: &Value, conversion: u8, spec: &str) -> Fallible<Value> {
        if let (Value::Int(int), 0 | b'r' | b's') = (value, conversion)
            && (conversion == 0 || spec.is_empty())
            && let Some(text) = format_spec::small_int(*int, spec)
        {
            let len_chars = text.len();
            return Ok(Value::Str(Ref::new(StrObject::counted(text, len_chars))));
        }
        let shown = match conversion {
            b'r' => Some(self.repr(value)?),
            b's' => Some(self.str(value)?),
            b'a' => Some(text::to_ascii(&self.repr(value)?).into()),
            _ => None,
        };
        match shown {
            Some(shown) if spec.is_empty() => Ok(Value::str(&*shown)),
            Some(shown) => Ok(Value::str(&*self.format(&Value::str(&*shown), spec)?)),
            None => {
                if let (Value::Str(_), true) = (value, spec.is_empty()) {
                    return Ok(value.clone());
                }
                Ok(Value::str(&*self.format(value, spec)?))
            }
        }
    }

    /// The texts in `count` slots joined; the slots are emptied.
    pub(super) fn build_string(&mut self, first: usize, count: usize) -> Fallible<Value> {
        if count == 1 {
            return Ok(std::mem::take(&mut self.stack[first]));
        }
        let bytes = self.stack[first..first + count].iter().filter_map(Value::as_str).map(str::len).sum();
        self.reserve(bytes)?;
        let mut joined = StrObject::with_capacity(bytes);
        for slot in &mut self.stack[first..first + count] {
            let part = std::mem::take(slot);
            if let Value::Str(part) = &part {
                joined.push(part);
            }
            part.discard();
        }
        Ok(Value::Str(Ref::new(joined)))
    }
}
