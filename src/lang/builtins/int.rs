//! `int` and `bool`: construction and methods.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};

use super::classes::{Builtin, attach, builtin_class};
use super::functions::numeric;
use super::{bytes, convert, dunders, number_text, receiver, repr};
use crate::lang::heap::Ref;
use crate::lang::name::names;
use crate::lang::native::{Args, Method, class_method, getter, method, static_method};
use crate::lang::operators::number;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, x=0, /, base=10)", "Convert a number or text to an integer.", new),
    class_method(
        "from_bytes",
        "(cls, bytes, byteorder='big', *, signed=False)",
        "The integer that bytes represent.",
        from_bytes,
    ),
    method("to_bytes", "(self, length=1, byteorder='big', *, signed=False)", "Bytes that represent it.", to_bytes),
    method("bit_length", "(self, /)", "Number of bits necessary to represent it in binary.", |vm, args| {
        let value = big(vm, args)?;
        Ok(Value::int(value.bits()))
    }),
    method(
        "bit_count",
        "(self, /)",
        "Number of ones in the binary representation of its absolute value.",
        |vm, args| {
            let value = big(vm, args)?;
            Ok(Value::int(value.magnitude().count_ones()))
        },
    ),
    method("as_integer_ratio", "(self, /)", "A pair of integers whose ratio it is.", |vm, args| {
        Ok(Value::tuple([plain(vm, args)?, Value::Int(1)]))
    }),
    method("is_integer", "(self, /)", "Returns True.", |_, _| Ok(Value::Bool(true))),
    method("conjugate", "(self, /)", "Returns self.", plain_of),
    method("__int__", "(self, /)", "int(self)", plain_of),
    method("__index__", "(self, /)", "self as an integer for slicing and counting.", plain_of),
    method("__trunc__", "(self, /)", "Truncating an integer returns itself.", plain_of),
    method("__floor__", "(self, /)", "The floor of an integer is itself.", plain_of),
    method("__ceil__", "(self, /)", "The ceiling of an integer is itself.", plain_of),
    method("__float__", "(self, /)", "float(self)", |vm, args| {
        let value = plain(vm, args)?;
        convert::float(vm, &value).map(Value::Float)
    }),
    method("__round__", "(self, ndigits=None, /)", "Rounding keeps an integer.", |vm, args| {
        let value = plain(vm, args)?;
        let digits = args.not_none(vm, 1);
        Ok(numeric::rounded(vm, &value, digits.as_ref())?.unwrap_or(value))
    }),
    getter("real", "the real part of a complex number", plain_of),
    getter("imag", "the imaginary part of a complex number", |_, _| Ok(Value::Int(0))),
    getter("numerator", "the numerator of a rational number in lowest terms", plain_of),
    getter("denominator", "the denominator of a rational number in lowest terms", |_, _| Ok(Value::Int(1))),
];

const BOOL: &[Method] = &[
    static_method("__new__", "(cls, x=False, /)", "True when the argument x is true, False otherwise.", new_bool),
    method("__repr__", "(self, /)", "Return repr(self).", |vm, args| {
        let value = args.get(vm, 0);
        Ok(repr::of_value(vm, &value)?.map_or(Value::NotImplemented, Value::str))
    }),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Int);
    attach(&class, METHODS);
    dunders::attach_number(&class, Builtin::Int);
    attach(&builtin_class(Builtin::Bool), BOOL);
}

/// `self` as a plain integer: `True` becomes 1.
fn plain(vm: &Vm, args: Args) -> Fallible<Value> {
    Ok(match receiver::number(vm, args, "int")? {
        Value::Bool(b) => Value::Int(b.into()),
        other => other,
    })
}

fn plain_of(vm: &mut Vm, args: Args) -> Fallible<Value> {
    plain(vm, args)
}

fn big(vm: &Vm, args: Args) -> Fallible<BigInt> {
    Ok(number::as_big(&plain(vm, args)?).unwrap_or_default())
}

fn new_bool(vm: &mut Vm, args: Args) -> Fallible<Value> {
    Ok(Value::Bool(args.truth_or(vm, 1, false)?))
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let Some(source) = args.optional(vm, 1) else {
        if args.optional(vm, 2).is_some() {
            return Err(raise::type_error("int() missing string argument"));
        }
        return receiver::derive(vm, args, Builtin::Int, Value::Int(0));
    };
    let value = match args.optional(vm, 2) {
        None => from_object(vm, &source)?,
        Some(base) => {
            let base = convert::index_value(vm, &base)?;
            let base = match base {
                Value::Int(base @ (0 | 2..=36)) => base as u32,
                _ => return Err(raise::value_error("int() base must be >= 2 and <= 36, or 0")),
            };
            let source = receiver::payload(&source);
            if !matches!(source, Value::Str(_) | Value::Bytes(_) | Value::ByteArray(_)) {
                return Err(raise::type_error("int() can't convert non-string with explicit base"));
            }
            from_text(vm, &source, base)?
        }
    };
    receiver::derive(vm, args, Builtin::Int, value)
}

/// `int(object)`
pub fn from_object(vm: &mut Vm, source: &Value) -> Fallible<Value> {
    match source {
        Value::Int(_) | Value::Big(_) => return Ok(source.clone()),
        Value::Bool(b) => return Ok(Value::Int((*b).into())),
        Value::Float(f) => return numeric::whole(f.trunc()),
        Value::Str(_) => return from_text(vm, source, 10),
        _ => {}
    }
    for special in [names::INT, names::INDEX, names::TRUNC] {
        // A complex number has none of them, and arrays answer through their class.
        if let Some(special) = vm.find_special(source, special) {
            let result = vm.call(&special, &[])?;
            return match receiver::payload(&result) {
                plain @ (Value::Int(_) | Value::Big(_)) => Ok(plain),
                Value::Bool(b) => Ok(Value::Int(b.into())),
                _ => Err(raise::type_error(format!("__int__ returned non-int (type {})", result.type_name()))),
            };
        }
    }
    let inner = receiver::payload(source);
    if bytes::view(&inner).is_some() || matches!(inner, Value::Str(_)) {
        return from_text(vm, &inner, 10);
    }
    Err(raise::type_error(format!(
        "int() argument must be a string, a bytes-like object or a real number, not '{}'",
        source.type_name()
    )))
}

fn from_text(vm: &mut Vm, source: &Value, base: u32) -> Fallible<Value> {
    let text = match source {
        Value::Str(text) => Some(text.as_str().to_owned()),
        other => bytes::view(other).and_then(|view| String::from_utf8(view.as_slice().to_vec()).ok()),
    };
    if let Some(text) = text
        && let Some(number) = number_text::parse_int(vm, &text, base)?
    {
        return Ok(Value::int(number));
    }
    let shown: String = vm.repr(source)?.chars().take(200).collect();
    Err(raise::value_error(format!("invalid literal for int() with base {base}: {shown}")))
}

/// Whether the byte order argument says big.
fn is_big_endian(vm: &Vm, args: Args, index: usize, function: &str) -> Fallible<bool> {
    if args.optional(vm, index).is_none() {
        return Ok(true);
    }
    match &*args.text(vm, index, &format!("{function}() argument 'byteorder'"))? {
        "big" => Ok(true),
        "little" => Ok(false),
        _ => Err(raise::value_error("byteorder must be either 'little' or 'big'")),
    }
}

fn to_bytes(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = big(vm, args)?;
    let len = args.index_or(vm, 1, 1)?;
    let is_big = is_big_endian(vm, args, 2, "to_bytes")?;
    let signed = args.truth_or(vm, 3, false)?;
    let len = usize::try_from(len).map_err(|_| raise::value_error("length argument must be non-negative"))?;
    if value.is_negative() && !signed {
        return Err(raise::overflow_error("can't convert negative int to unsigned"));
    }
    let mut data = if signed { value.to_signed_bytes_le() } else { value.magnitude().to_bytes_le() };
    if value.is_zero() {
        data.clear();
    }
    let fill = if value.is_negative() { 0xFF } else { 0 };
    if data.len() > len {
        return Err(raise::overflow_error("int too big to convert"));
    }
    vm.reserve(len)?;
    data.resize(len, fill);
    if is_big {
        data.reverse();
    }
    Ok(bytes::value(data))
}

fn from_bytes(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let source = args.get(vm, 1);
    if let Value::Str(_) = source {
        return Err(raise::type_error("cannot convert 'str' object to bytes"));
    }
    let mut data = bytes::from_source(vm, &source, "bytes")?;
    if !is_big_endian(vm, args, 2, "from_bytes")? {
        data.reverse();
    }
    let signed = args.truth_or(vm, 3, false)?;
    let number = if signed { BigInt::from_signed_bytes_be(&data) } else { BigInt::from_bytes_be(Sign::Plus, &data) };
    let class = args.get(vm, 0);
    let value = Value::int(number);
    match &class {
        Value::Class(class) if Ref::ptr_eq(class, &builtin_class(Builtin::Int)) => Ok(value),
        _ => vm.call(&class, &[value]),
    }
}
