//! `float`: construction and methods.

use num_bigint::BigInt;
use num_traits::Zero;

use super::classes::{Builtin, attach, builtin_class};
use super::functions::numeric;
use super::{bytes, convert, dunders, hash, number_text, receiver};
use crate::lang::native::{Args, Method, class_method, getter, method, static_method};
use crate::lang::operators::integer;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

const METHODS: &[Method] = &[
    static_method("__new__", "(cls, x=0, /)", "Convert a number or text to a floating point number.", new),
    class_method("fromhex", "(cls, string, /)", "A float from a hexadecimal text.", fromhex),
    method("hex", "(self, /)", "A hexadecimal representation.", |vm, args| Ok(Value::str(to_hex(number(vm, args)?)))),
    method("is_integer", "(self, /)", "Return True if the float is an integer.", |vm, args| {
        let value = number(vm, args)?;
        Ok(Value::Bool(value.is_finite() && value.fract() == 0.0))
    }),
    method("as_integer_ratio", "(self, /)", "A pair of integers whose ratio it exactly is.", ratio),
    method("conjugate", "(self, /)", "Returns self.", plain),
    method("__float__", "(self, /)", "float(self)", plain),
    method("__int__", "(self, /)", "int(self)", |vm, args| numeric::whole(number(vm, args)?.trunc())),
    method("__trunc__", "(self, /)", "The integer towards zero.", |vm, args| numeric::whole(number(vm, args)?.trunc())),
    method("__floor__", "(self, /)", "The greatest integer that is not greater.", |vm, args| {
        numeric::whole(number(vm, args)?.floor())
    }),
    method("__ceil__", "(self, /)", "The smallest integer that is not smaller.", |vm, args| {
        numeric::whole(number(vm, args)?.ceil())
    }),
    method("__round__", "(self, ndigits=None, /)", "The nearest integer, or rounded to digits.", |vm, args| {
        let value = Value::Float(number(vm, args)?);
        let digits = args.not_none(vm, 1);
        Ok(numeric::rounded(vm, &value, digits.as_ref())?.unwrap_or(value))
    }),
    getter("real", "the real part of a complex number", plain),
    getter("imag", "the imaginary part of a complex number", |_, _| Ok(Value::Float(0.0))),
];

/// Attaches the methods.
pub fn install() {
    let class = builtin_class(Builtin::Float);
    attach(&class, METHODS);
    dunders::attach_number(&class, Builtin::Float);
}

fn number(vm: &Vm, args: Args) -> Fallible<f64> {
    match receiver::number(vm, args, "float")? {
        Value::Float(f) => Ok(f),
        other => Err(receiver::wrong(args, &other, "float")),
    }
}

fn plain(vm: &mut Vm, args: Args) -> Fallible<Value> {
    number(vm, args).map(Value::Float)
}

fn new(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = match args.optional(vm, 1) {
        None => 0.0,
        Some(source) => from_object(vm, &source)?,
    };
    receiver::derive(vm, args, Builtin::Float, Value::Float(value))
}

/// `float(object)`
pub fn from_object(vm: &mut Vm, source: &Value) -> Fallible<f64> {
    let inner = receiver::payload(source);
    let text = match &inner {
        Value::Str(text) => Some(text.as_str().to_owned()),
        Value::Bytes(_) | Value::ByteArray(_) | Value::Object(_) => {
            bytes::view(&inner).map(|view| String::from_utf8_lossy(view.as_slice()).into_owned())
        }
        _ => None,
    };
    match text {
        Some(text) => match number_text::parse_float(&text) {
            Some(number) if number.is_nan() => Ok(number_text::distinct_nan(number.is_sign_negative())),
            Some(number) => Ok(number),
            None => {
                let shown = vm.repr(source)?;
                Err(raise::value_error(format!("could not convert string to float: {shown}")))
            }
        },
        None => {
            convert::float_or(vm, source, "float() argument must be a string or a real number, not").map_err(|error| {
                // The message names the type in quotes here.
                let quoted =
                    format!("float() argument must be a string or a real number, not '{}'", source.type_name());
                let is_ours = error.is(Builtin::TypeError)
                    && error.0.args.borrow().first().and_then(Value::as_str).is_some_and(|message| {
                        message.starts_with("float() argument must be a string or a real number")
                    });
                if is_ours { raise::type_error(quoted) } else { error }
            })
        }
    }
}

fn ratio(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = number(vm, args)?;
    if value.is_nan() {
        return Err(raise::value_error("cannot convert NaN to integer ratio"));
    }
    if value.is_infinite() {
        return Err(raise::overflow_error("cannot convert Infinity to integer ratio"));
    }
    let (fraction, exponent) = hash::fraction_and_exponent(value.abs());
    let mut mantissa = integer::from_f64(fraction * 2f64.powi(53)).unwrap_or_default();
    let mut exponent = exponent - 53;
    if mantissa.is_zero() {
        return Ok(Value::tuple([Value::Int(0), Value::Int(1)]));
    }
    let twos = mantissa.trailing_zeros().unwrap_or(0).min(i32::MAX as u64) as i32;
    mantissa >>= twos;
    exponent += twos;
    if value < 0.0 {
        mantissa = -mantissa;
    }
    let (numerator, denominator) = if exponent >= 0 {
        (mantissa << exponent, BigInt::from(1))
    } else {
        (mantissa, BigInt::from(1) << exponent.unsigned_abs())
    };
    Ok(Value::tuple([Value::int(numerator), Value::int(denominator)]))
}

/// `float.hex`
fn to_hex(value: f64) -> String {
    if let Some(text) = number_text::not_finite(value) {
        return text.to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0x0.0p+0");
    }
    let bits = value.to_bits();
    let mantissa = bits & ((1 << 52) - 1);
    let exponent = (bits >> 52 & 0x7FF) as i32;
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    format!("{sign}0x{lead}.{mantissa:013x}p{exponent:+}")
}

fn fromhex(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let text = args.text(vm, 1, "fromhex() argument")?;
    let value = from_hex(&text)?;
    let class = args.get(vm, 0);
    if matches!(&class, Value::Class(class) if *class == builtin_class(Builtin::Float)) {
        return Ok(Value::Float(value));
    }
    vm.call(&class, &[Value::Float(value)])
}

fn from_hex(text: &str) -> Fallible<f64> {
    let invalid = || raise::value_error("invalid hexadecimal floating-point string");
    let trimmed = text.trim_matches(super::unicode::is_space).to_ascii_lowercase();
    let (negative, rest) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, &trimmed[..]),
    };
    let signed = |value: f64| if negative { -value } else { value };
    match rest {
        "inf" | "infinity" => return Ok(signed(f64::INFINITY)),
        "nan" => return Ok(f64::NAN),
        _ => {}
    }
    let rest = rest.strip_prefix("0x").unwrap_or(rest);
    let (digits, exponent) = match rest.split_once('p') {
        Some((digits, exponent)) => (digits, exponent.parse::<i64>().map_err(|_| invalid())?),
        None => (rest, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all: String = [whole, fraction].concat();
    if all.is_empty() || !all.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(invalid());
    }
    let mantissa = BigInt::parse_bytes(all.as_bytes(), 16).ok_or_else(invalid)?;
    let exponent = exponent.saturating_sub(4 * fraction.len() as i64);
    if mantissa.is_zero() {
        return Ok(signed(0.0));
    }
    let top = exponent.saturating_add(mantissa.bits() as i64);
    let too_large = || raise::overflow_error("hexadecimal value too large to represent as a float");
    if top > 1025 {
        return Err(too_large());
    }
    if top < -1100 {
        return Ok(signed(0.0));
    }
    let one = BigInt::from(1);
    let value = if exponent >= 0 {
        integer::true_divide(&(mantissa << exponent), &one)
    } else {
        integer::true_divide(&mantissa, &(one << exponent.unsigned_abs()))
    };
    value.map(signed).ok_or_else(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_texts_are_pythons() {
        assert_eq!(to_hex(0.1), "0x1.999999999999ap-4");
        assert_eq!(to_hex(-5e-324), "-0x0.0000000000001p-1022");
        assert_eq!(to_hex(1.0), "0x1.0000000000000p+0");
        assert_eq!(to_hex(-0.0), "-0x0.0p+0");
        for value in [0.1, 1e300, 5e-324, -2.5, 1.7976931348623157e308] {
            assert_eq!(from_hex(&to_hex(value)).unwrap(), value);
        }
        assert_eq!(from_hex("0x1.fffffffffffff8p0").unwrap(), 2.0);
        assert_eq!(from_hex(" 0xA ").unwrap(), 10.0);
        assert_eq!(from_hex("1.8").unwrap(), 1.5);
        assert!(from_hex("x").is_err() && from_hex("0x1p2000").is_err() && from_hex("0x1 p1").is_err());
    }
}
