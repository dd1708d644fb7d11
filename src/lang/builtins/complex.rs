//! `complex`: construction and methods.

use super::classes::{Builtin, attach, builtin_class};
use super::{convert, dunders, number_text, receiver};
use crate::lang::name::names;
use crate::lang::native::{Args, Method, getter, method, static_method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, real=0, imag=0)", "Create a complex number from its parts or a text.", new),
    method("conjugate", "(self, /)", "Return the complex conjugate.", |vm, args| {
        let (re, im) = parts(vm, args)?;
        Ok(Value::complex(re, -im))
    }),
    method("__complex__", "(self, /)", "Convert to a complex number.", |vm, args| {
        let (re, im) = parts(vm, args)?;
        Ok(Value::complex(re, im))
    }),
    getter("real", "the real part of a complex number", |vm, args| Ok(Value::Float(parts(vm, args)?.0))),
    getter("imag", "the imaginary part of a complex number", |vm, args| Ok(Value::Float(parts(vm, args)?.1))),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Complex);
    attach(&class, METHODS);
    dunders::attach_number(&class, Builtin::Complex);
}

fn parts(vm: &Vm, args: Args) -> Fallible<(f64, f64)> {
    match receiver::number(vm, args, "complex")? {
        Value::Complex(c) => Ok((c.re, c.im)),
        other => Err(receiver::wrong(args, &other, "complex")),
    }
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (real, imag) = (args.optional(vm, 1), args.optional(vm, 2));
    if let Some(Value::Str(text)) = real.as_ref().map(receiver::payload) {
        if imag.is_some() {
            return Err(raise::type_error("complex() can't take second arg if first is a string"));
        }
        let (re, im) = number_text::parse_complex(text.as_str())
            .ok_or_else(|| raise::value_error("complex() arg is a malformed string"))?;
        return receiver::derive(vm, args, Builtin::Complex, Value::complex(re, im));
    }
    if let Some(Value::Str(_)) = imag.as_ref().map(receiver::payload) {
        return Err(raise::type_error("complex() second arg can't be a string"));
    }
    let part = |vm: &mut Vm, value: Option<Value>, which: &str| -> Fallible<(f64, f64)> {
        let Some(value) = value else { return Ok((0.0, 0.0)) };
        let is_number = crate::lang::operators::number::Number::of(&receiver::payload(&value)).is_some()
            || [names::COMPLEX, names::FLOAT, names::INDEX]
                .into_iter()
                .any(|name| vm.find_special(&value, name).is_some());
        if !is_number {
            return Err(raise::type_error(format!("complex() {which}, not '{}'", value.type_name())));
        }
        convert::complex(vm, &value)
    };
    let real = part(vm, real, "first argument must be a string or a number")?;
    let (re, im) = match imag {
        None => real,
        Some(imag) => {
            let imag = part(vm, Some(imag), "second argument must be a number")?;
            // Without the sum where there is nothing to add, so that a zero keeps its sign.
            let sum = |a: f64, b: f64| if b == 0.0 { a } else { a + b };
            (sum(real.0, -imag.1), sum(imag.0, real.1))
        }
    };
    receiver::derive(vm, args, Builtin::Complex, Value::complex(re, im))
}
