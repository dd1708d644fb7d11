//! `format(value, spec)` of built-in values: which part of the mini-language applies to which type, and `str.format`.

use super::format_spec::{SMALL_WIDTH, Spec};
use super::receiver::payload;
use crate::lang::operators::number;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// `type(object).__format__(object, spec)` of a built-in type or an instance that carries one. An empty specification is `str()`.
pub fn object(vm: &mut Vm, object: &Value, spec: &str) -> Fallible<String> {
    if spec.is_empty() {
        return vm.str(object).map(|text| text.to_string());
    }
    let value = payload(object);
    let class = value.type_name();
    let default = match value {
        Value::Int(_) | Value::Big(_) | Value::Bool(_) => 'd',
        Value::Float(_) | Value::Complex(_) => '\0',
        Value::Str(_) => 's',
        _ => {
            return Err(raise::type_error(format!(
                "unsupported format string passed to {}.__format__",
                object.type_name()
            )));
        }
    };
    let parsed = Spec::parse(spec, class, default)?;
    let growth = parsed.width().max(parsed.precision().unwrap_or(0));
    if growth > SMALL_WIDTH {
        // A precision only grows floats; a text is cut by it.
        let bytes = if default == 's' { parsed.width() } else { growth };
        vm.reserve(bytes)?;
        if default != 's' && parsed.precision().is_some_and(|precision| precision > i32::MAX as usize - 2) {
            return Err(raise::value_error("precision too big"));
        }
    }
    match &value {
        Value::Str(text) => parsed.text(text.as_str()),
        Value::Float(f) => parsed.float(*f, class),
        Value::Complex(c) => parsed.complex(c.re, c.im),
        other => parsed.integer(vm, &number::as_big(other).unwrap_or_default(), class),
    }
}
