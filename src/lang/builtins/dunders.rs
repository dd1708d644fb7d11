//! The special methods of built-in classes (`int.__add__`, `list.__len__`): one function a kind over the value that `self` is or
//! carries, so that `super().__getitem__`, `hasattr(x, "__len__")` and classes derived from built-in ones work.

use super::classes::{Builtin, attach};
use super::receiver::payload;
use super::{equality, format, hash, item, iterators, repr};
use crate::lang::name::names;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ClassRef, IteratorState};
use crate::lang::operators::{BinaryOperator, CompareOperator, UnaryOperator, builtin, number};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const BINARY: [BinaryOperator; 13] = [
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::TrueDivide,
    BinaryOperator::FloorDivide,
    BinaryOperator::Modulo,
    BinaryOperator::Power,
    BinaryOperator::MatrixMultiply,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
    BinaryOperator::And,
    BinaryOperator::Or,
    BinaryOperator::Xor,
];

const COMPARE: [CompareOperator; 6] = [
    CompareOperator::Equal,
    CompareOperator::NotEqual,
    CompareOperator::Less,
    CompareOperator::LessEqual,
    CompareOperator::Greater,
    CompareOperator::GreaterEqual,
];

const UNARY: [UnaryOperator; 3] = [UnaryOperator::Negative, UnaryOperator::Positive, UnaryOperator::Invert];

macro_rules! binary_rows {
    ($($name:literal, $reflected:literal, $sign:literal, $operator:ident;)*) => {
        &[$(
            method($name, "(self, value, /)", concat!("Return self", $sign, "value."), binary)
                .with_row(BinaryOperator::$operator as usize),
            method($reflected, "(self, value, /)", concat!("Return value", $sign, "self."), reflected)
                .with_row(BinaryOperator::$operator as usize),
        )*]
    };
}

const ARITHMETIC: &[Method] = binary_rows! {
    "__add__", "__radd__", "+", Add;
    "__sub__", "__rsub__", "-", Subtract;
    "__mul__", "__rmul__", "*", Multiply;
    "__truediv__", "__rtruediv__", "/", TrueDivide;
};

const REAL: &[Method] = binary_rows! {
    "__floordiv__", "__rfloordiv__", "//", FloorDivide;
    "__mod__", "__rmod__", "%", Modulo;
};

const BITS: &[Method] = binary_rows! {
    "__lshift__", "__rlshift__", "<<", ShiftLeft;
    "__rshift__", "__rrshift__", ">>", ShiftRight;
    "__and__", "__rand__", "&", And;
    "__or__", "__ror__", "|", Or;
    "__xor__", "__rxor__", "^", Xor;
};

const SET_OPERATORS: &[Method] = binary_rows! {
    "__sub__", "__rsub__", "-", Subtract;
    "__and__", "__rand__", "&", And;
    "__or__", "__ror__", "|", Or;
    "__xor__", "__rxor__", "^", Xor;
};

const MERGE: &[Method] = binary_rows! { "__or__", "__ror__", "|", Or; };

const NUMERIC: &[Method] = &[
    method("__pow__", "(self, value, mod=None, /)", "Return pow(self, value, mod).", power),
    method("__rpow__", "(self, value, mod=None, /)", "Return pow(value, self, mod).", reflected_power),
    method("__neg__", "(self, /)", "-self", unary).with_row(0),
    method("__pos__", "(self, /)", "+self", unary).with_row(1),
    method("__bool__", "(self, /)", "True if self else False", truth),
    method("__abs__", "(self, /)", "abs(self)", |vm, args| {
        let value = payload(args.peek(vm, 0));
        super::functions::numeric::absolute(vm, &value)
    }),
];

const DIVMOD: &[Method] = &[
    method("__divmod__", "(self, value, /)", "Return divmod(self, value).", |vm, args| {
        divide_modulo(vm, &payload(args.peek(vm, 0)), &payload(args.peek(vm, 1)))
    }),
    method("__rdivmod__", "(self, value, /)", "Return divmod(value, self).", |vm, args| {
        divide_modulo(vm, &payload(args.peek(vm, 1)), &payload(args.peek(vm, 0)))
    }),
];

const INVERT: &[Method] = &[method("__invert__", "(self, /)", "~self", unary).with_row(2)];

const CONCATENATION: &[Method] = &[
    method("__add__", "(self, value, /)", "Return self+value.", binary).with_row(BinaryOperator::Add as usize),
    method("__mul__", "(self, value, /)", "Return self*value.", binary).with_row(BinaryOperator::Multiply as usize),
    method("__rmul__", "(self, value, /)", "Return value*self.", reflected).with_row(BinaryOperator::Multiply as usize),
];

const COMPARISONS: &[Method] = &[
    method("__eq__", "(self, value, /)", "Return self==value.", compare).with_row(0),
    method("__ne__", "(self, value, /)", "Return self!=value.", compare).with_row(1),
    method("__lt__", "(self, value, /)", "Return self<value.", compare).with_row(2),
    method("__le__", "(self, value, /)", "Return self<=value.", compare).with_row(3),
    method("__gt__", "(self, value, /)", "Return self>value.", compare).with_row(4),
    method("__ge__", "(self, value, /)", "Return self>=value.", compare).with_row(5),
];

const BASICS: &[Method] = &[
    method("__hash__", "(self, /)", "Return hash(self).", |vm, args| {
        let value = payload(args.peek(vm, 0));
        match hash::of_value(vm, &value)? {
            Some(hash) => Ok(Value::Int(hash)),
            None => Err(hash::unhashable(&value)),
        }
    }),
    method("__repr__", "(self, /)", "Return repr(self).", show),
    method("__format__", "(self, format_spec, /)", "Default object formatter.", format_method),
];

const CONTAINER: &[Method] = &[
    method("__len__", "(self, /)", "Return len(self).", |vm, args| {
        let value = payload(args.peek(vm, 0));
        match item::len(&value)? {
            Some(len) => Ok(Value::from(len)),
            None => Err(raise::type_error(format!("object of type '{}' has no len()", value.type_name()))),
        }
    }),
    method("__iter__", "(self, /)", "Implement iter(self).", |vm, args| {
        let value = payload(args.peek(vm, 0));
        iterators::iter(&value)
            .ok_or_else(|| raise::type_error(format!("'{}' object is not iterable", value.type_name())))
    }),
    method("__contains__", "(self, key, /)", "Return key in self.", |vm, args| {
        let (container, key) = (payload(args.peek(vm, 0)), args.get(vm, 1));
        let found = match item::contains(vm, &container, &key)? {
            Some(found) => found,
            None => vm.contains_by_iteration(&container, &key)?,
        };
        Ok(Value::Bool(found))
    }),
];

const GETITEM: &[Method] = &[method("__getitem__", "(self, key, /)", "Return self[key].", |vm, args| {
    let (container, key) = (payload(args.peek(vm, 0)), args.get(vm, 1));
    // A dict's own class may say what stands for a missing key.
    if let (Value::Instance(_), Value::Dict(dict)) = (args.peek(vm, 0).clone(), &container) {
        if let Some(value) = super::table::dict_get(vm, dict, &key)? {
            return Ok(value);
        }
        let object = args.get(vm, 0);
        return match vm.find_special(&object, names::MISSING) {
            Some(missing) => vm.call(&missing, &[key]),
            None => Err(raise::key_error(key)),
        };
    }
    match item::get(vm, &container, &key)? {
        Some(value) => Ok(value),
        None => Err(raise::type_error(format!("'{}' object is not subscriptable", container.type_name()))),
    }
})];

const MUTABLE: &[Method] = &[
    method("__setitem__", "(self, key, value, /)", "Set self[key] to value.", |vm, args| {
        let (container, key, value) = (payload(args.peek(vm, 0)), args.get(vm, 1), args.get(vm, 2));
        match item::set(vm, &container, &key, value)? {
            Some(()) => Ok(Value::None),
            None => {
                Err(raise::type_error(format!("'{}' object does not support item assignment", container.type_name())))
            }
        }
    }),
    method("__delitem__", "(self, key, /)", "Delete self[key].", |vm, args| {
        let (container, key) = (payload(args.peek(vm, 0)), args.get(vm, 1));
        match item::delete(vm, &container, &key)? {
            Some(()) => Ok(Value::None),
            None => Err(raise::type_error(format!("'{}' object doesn't support item deletion", container.type_name()))),
        }
    }),
];

const IN_PLACE_SEQUENCE: &[Method] = &[
    method("__iadd__", "(self, value, /)", "Implement self+=value.", in_place).with_row(BinaryOperator::Add as usize),
    method("__imul__", "(self, value, /)", "Implement self*=value.", in_place)
        .with_row(BinaryOperator::Multiply as usize),
];

const IN_PLACE_SET: &[Method] = &[
    method("__ior__", "(self, value, /)", "Return self|=value.", in_place).with_row(BinaryOperator::Or as usize),
    method("__iand__", "(self, value, /)", "Return self&=value.", in_place).with_row(BinaryOperator::And as usize),
    method("__isub__", "(self, value, /)", "Return self-=value.", in_place).with_row(BinaryOperator::Subtract as usize),
    method("__ixor__", "(self, value, /)", "Return self^=value.", in_place).with_row(BinaryOperator::Xor as usize),
];

const IN_PLACE_DICT: &[Method] =
    &[method("__ior__", "(self, value, /)", "Return self|=value.", in_place).with_row(BinaryOperator::Or as usize)];

/// Comparison, hash, repr and format: what every built-in value has.
pub fn attach_value(class: &ClassRef) {
    attach(class, COMPARISONS);
    attach(class, BASICS);
}

/// Operators of a numeric class.
pub fn attach_number(class: &ClassRef, builtin: Builtin) {
    attach_value(class);
    attach(class, ARITHMETIC);
    attach(class, NUMERIC);
    if builtin != Builtin::Complex {
        attach(class, REAL);
        attach(class, DIVMOD);
    }
    if builtin == Builtin::Int {
        attach(class, BITS);
        attach(class, INVERT);
    }
}

/// `len`, `iter` and `in`, with what every value has.
pub fn attach_container(class: &ClassRef) {
    attach_value(class);
    attach(class, CONTAINER);
}

/// Items of a view into memory that says itself how it compares and shows.
pub fn attach_items(class: &ClassRef) {
    attach(class, CONTAINER);
    attach(class, GETITEM);
    attach(class, MUTABLE);
}

/// A sequence: items, and concatenation except for ranges.
pub fn attach_sequence(class: &ClassRef) {
    attach_container(class);
    attach(class, GETITEM);
    if class.name.get().text() != "range" {
        attach(class, CONCATENATION);
    }
}

/// A sequence that can change: item assignment and in-place operators; it has no hash.
pub fn attach_mutable(class: &ClassRef) {
    attach(class, MUTABLE);
    attach(class, IN_PLACE_SEQUENCE);
    mark_unhashable(class);
}

/// A dict's special methods.
pub fn attach_mapping(class: &ClassRef) {
    attach_container(class);
    attach(class, GETITEM);
    attach(class, MUTABLE);
    attach(class, MERGE);
    attach(class, IN_PLACE_DICT);
    mark_unhashable(class);
}

/// Operators of sets and set-like views.
pub fn attach_set(class: &ClassRef) {
    attach_container(class);
    attach(class, SET_OPERATORS);
    if class.name.get().text() == "set" {
        attach(class, IN_PLACE_SET);
    }
}

/// `%` of texts.
pub fn attach_modulo(class: &ClassRef) {
    attach(
        class,
        &[method("__mod__", "(self, value, /)", "Return self%value.", binary)
            .with_row(BinaryOperator::Modulo as usize)],
    );
}

/// `__hash__ = None`
pub fn mark_unhashable(class: &ClassRef) {
    let old = class.set(names::HASH, Value::None);
    drop(old);
}

fn binary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (payload(args.peek(vm, 0)), payload(args.peek(vm, 1)));
    Ok(builtin::binary(vm, BINARY[args.row], &a, &b)?.unwrap_or(Value::NotImplemented))
}

fn reflected(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (payload(args.peek(vm, 1)), payload(args.peek(vm, 0)));
    Ok(builtin::binary(vm, BINARY[args.row], &a, &b)?.unwrap_or(Value::NotImplemented))
}

fn in_place(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (payload(args.peek(vm, 0)), payload(args.peek(vm, 1)));
    match builtin::binary_in_place(vm, BINARY[args.row], &a, &b)? {
        Some(_) => Ok(args.get(vm, 0)),
        None => Ok(Value::NotImplemented),
    }
}

fn power_of(vm: &mut Vm, a: Value, b: Value, modulus: Option<Value>) -> Fallible<Value> {
    let result = match modulus {
        Some(modulus) => number::power_modulo(vm, &a, &b, &payload(&modulus))?,
        None => number::binary(vm, BinaryOperator::Power, &a, &b)?,
    };
    Ok(result.unwrap_or(Value::NotImplemented))
}

fn power(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (payload(args.peek(vm, 0)), payload(args.peek(vm, 1)));
    let modulus = args.not_none(vm, 2);
    power_of(vm, a, b, modulus)
}

fn reflected_power(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (payload(args.peek(vm, 1)), payload(args.peek(vm, 0)));
    let modulus = args.not_none(vm, 2);
    power_of(vm, a, b, modulus)
}

fn divide_modulo(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<Value> {
    Ok(match number::divide_modulo(vm, a, b)? {
        Some((quotient, rest)) => Value::tuple([quotient, rest]),
        None => Value::NotImplemented,
    })
}

fn unary(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = payload(args.peek(vm, 0));
    Ok(number::unary(UNARY[args.row], &value).unwrap_or(Value::NotImplemented))
}

fn truth(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(Value::Bool(number::truth(&payload(args.peek(vm, 0))).unwrap_or(true)))
}

fn compare(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (payload(args.peek(vm, 0)), payload(args.peek(vm, 1)));
    Ok(equality::compare(vm, COMPARE[args.row], &a, &b)?.map_or(Value::NotImplemented, Value::Bool))
}

fn show(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let object = args.get(vm, 0);
    let value = payload(&object);
    if let (Value::Instance(_), Value::Set(_)) = (&object, &value) {
        let mut into = String::new();
        repr::write_container(vm, &mut into, &value, Some(object.type_name()))?;
        return Ok(Value::str(into));
    }
    match repr::of_value(vm, &value)? {
        Some(text) => Ok(Value::str(text)),
        None => vm.repr(&value).map(|text| Value::str(&*text)),
    }
}

fn format_method(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let object = args.get(vm, 0);
    let Value::Str(spec) = args.get(vm, 1) else {
        return Err(raise::type_error(format!(
            "__format__() argument must be str, not {}",
            args.peek(vm, 1).type_name()
        )));
    };
    format::object(vm, &object, spec.as_str()).map(Value::str)
}

/// `reversed(sequence)` for what has no `__reversed__` of its own.
pub fn reversed_sequence(value: Value, len: usize) -> Value {
    iterators::make(IteratorState::SequenceReversed(value, len as i64 - 1))
}
