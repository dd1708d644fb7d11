//! The built-in functions about numbers: abs, divmod, pow, round, bin, oct, hex, sum, min, max, chr, ord.

use num_bigint::{BigInt, Sign};

use crate::arrays::op::Op;
use crate::lang::arrays::operators as arrays;
use crate::lang::builtins::receiver::payload;
use crate::lang::builtins::{bytes, convert, iterators, text};
use crate::lang::name::{Name, names};
use crate::lang::native::{Args, Method, method};
use crate::lang::operators::number::{self, Number};
use crate::lang::operators::{BinaryOperator, CompareOperator, real};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method("abs", "(x, /)", "Return the absolute value of the argument.", abs),
    method("divmod", "(x, y, /)", "Return the tuple (x//y, x%y).", divmod),
    method("pow", "(base, exp, mod=None)", "Equivalent to base**exp, or base**exp % mod for integers.", pow),
    method("round", "(number, ndigits=None)", "Round a number to a given precision in decimal digits.", round),
    method("bin", "(number, /)", "Return the binary representation of an integer.", |vm, args| {
        radix(vm, args, 2, "0b")
    }),
    method("oct", "(number, /)", "Return the octal representation of an integer.", |vm, args| radix(vm, args, 8, "0o")),
    method("hex", "(number, /)", "Return the hexadecimal representation of an integer.", |vm, args| {
        radix(vm, args, 16, "0x")
    }),
    method("sum", "(iterable, /, start=0)", "Return the sum of a start value and the items of an iterable.", sum),
    method("min", "(*args, **kwargs)", "With a single iterable argument, return its smallest item.", |vm, args| {
        extreme(vm, args, false)
    }),
    method("max", "(*args, **kwargs)", "With a single iterable argument, return its biggest item.", |vm, args| {
        extreme(vm, args, true)
    }),
    method("chr", "(i, /)", "Return the text of one character of this code point.", chr),
    method("ord", "(c, /)", "Return the code point of a one-character text.", ord),
];

/// `abs(value)` of a built-in number.
pub fn absolute(vm: &mut Vm, value: &Value) -> Fallible<Value> {
    let _ = vm;
    match Number::of(value) {
        Some(Number::Int(i)) => Ok(i.checked_abs().map_or_else(|| Value::int(-BigInt::from(i)), Value::Int)),
        Some(Number::Big(big)) => Ok(Value::int(BigInt::from_biguint(Sign::Plus, big.magnitude().clone()))),
        Some(Number::Float(f)) => Ok(Value::Float(f.abs())),
        Some(Number::Complex((re, im))) => {
            let length = re.hypot(im);
            if length.is_infinite() && re.is_finite() && im.is_finite() {
                return Err(raise::overflow_error("absolute value too large"));
            }
            Ok(Value::Float(length))
        }
        None => Err(raise::type_error(format!("bad operand type for abs(): '{}'", value.type_name()))),
    }
}

fn abs(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    if Number::of(&value).is_some() {
        return absolute(vm, &value);
    }
    if matches!(value, Value::Array(_)) {
        return arrays::elementwise(vm, Op::Absolute, &[value], None);
    }
    match vm.find_special(&value, names::ABS) {
        Some(special) => vm.call(&special, &[]),
        None => absolute(vm, &payload(&value)),
    }
}

/// Calls `a.name(b)` and `b.reflected(a)` as an operator would; nothing when neither answers.
fn through_classes(vm: &mut Vm, a: &Value, b: &Value, name: Name, reflected: Name) -> Fallible<Option<Value>> {
    for (object, name, other) in [(a, name, b), (b, reflected, a)] {
        if let Some(special) = vm.find_special(object, name) {
            let result = vm.call(&special, std::slice::from_ref(other))?;
            if !matches!(result, Value::NotImplemented) {
                return Ok(Some(result));
            }
        }
    }
    Ok(None)
}

fn divmod(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (a, b) = (args.get(vm, 0), args.get(vm, 1));
    if let Some((quotient, rest)) = number::divide_modulo(vm, &a, &b)? {
        return Ok(Value::tuple([quotient, rest]));
    }
    if matches!(a, Value::Array(_)) || matches!(b, Value::Array(_)) {
        let quotient = vm.binary(BinaryOperator::FloorDivide, &a, &b)?;
        let rest = vm.binary(BinaryOperator::Modulo, &a, &b)?;
        return Ok(Value::tuple([quotient, rest]));
    }
    match through_classes(vm, &a, &b, names::DIVMOD, names::RDIVMOD)? {
        Some(result) => Ok(result),
        None => Err(raise::type_error(format!(
            "unsupported operand type(s) for divmod(): '{}' and '{}'",
            a.type_name(),
            b.type_name()
        ))),
    }
}

fn pow(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (base, exponent) = (args.get(vm, 0), args.get(vm, 1));
    let Some(modulus) = args.not_none(vm, 2) else { return vm.binary(BinaryOperator::Power, &base, &exponent) };
    if let Some(result) = number::power_modulo(vm, &payload(&base), &payload(&exponent), &payload(&modulus))? {
        return Ok(result);
    }
    if let Some(special) = vm.find_special(&base, names::POW).filter(|_| Number::of(&base).is_none()) {
        return vm.call(&special, &[exponent, modulus]);
    }
    let is_float = |value: &Value| matches!(value, Value::Float(_));
    if is_float(&base) || is_float(&exponent) || is_float(&modulus) {
        return Err(raise::type_error("pow() 3rd argument not allowed unless all arguments are integers"));
    }
    if matches!(base, Value::Complex(_)) {
        return Err(raise::value_error("complex modulo"));
    }
    Err(raise::type_error(format!(
        "unsupported operand type(s) for ** or pow(): '{}', '{}', '{}'",
        base.type_name(),
        exponent.type_name(),
        modulus.type_name()
    )))
}

/// `int.__round__` and `float.__round__`; nothing for other values.
pub fn rounded(vm: &mut Vm, value: &Value, digits: Option<&Value>) -> Fallible<Option<Value>> {
    Ok(match Number::of(value) {
        Some(Number::Float(f)) => Some(match digits {
            None => whole(real::round_half_even(f))?,
            Some(digits) => {
                let digits = convert::index_size(vm, digits)?;
                let result = real::round_to_digits(f, digits);
                if result.is_infinite() && f.is_finite() {
                    return Err(raise::overflow_error("rounded value too large to represent"));
                }
                Value::Float(result)
            }
        }),
        Some(Number::Int(_) | Number::Big(_)) => {
            let integer = number::as_big(value).unwrap_or_default();
            Some(match digits {
                None => Value::int(integer),
                Some(digits) => match convert::index_size(vm, digits)? {
                    digits @ ..0 => {
                        // A unit with more digits than the number rounds to zero.
                        let most = integer.bits() as f64 * std::f64::consts::LOG10_2 + 2.0;
                        if digits.unsigned_abs() as f64 > most {
                            Value::Int(0)
                        } else {
                            Value::int(crate::lang::operators::integer::round_to_tens(
                                &integer,
                                digits.unsigned_abs() as u32,
                            ))
                        }
                    }
                    _ => Value::int(integer),
                },
            })
        }
        _ => None,
    })
}

/// The integer of a whole double, or the error for infinity and NaN.
pub fn whole(value: f64) -> Fallible<Value> {
    if value.abs() < 9.0e18 {
        return Ok(Value::Int(value as i64));
    }
    if value.is_nan() {
        return Err(raise::value_error("cannot convert float NaN to integer"));
    }
    crate::lang::operators::integer::from_f64(value)
        .map(Value::int)
        .ok_or_else(|| raise::overflow_error("cannot convert float infinity to integer"))
}

fn round(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let digits = args.not_none(vm, 1);
    if let Some(result) = rounded(vm, &value, digits.as_ref())? {
        return Ok(result);
    }
    match vm.find_special(&value, names::ROUND) {
        Some(special) => vm.call(&special, digits.as_slice()),
        None => Err(raise::type_error(format!("type {} doesn't define __round__ method", value.type_name()))),
    }
}

fn radix(vm: &mut Vm, args: Args, radix: u32, prefix: &str) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let number = convert::index_big(vm, &value)?;
    let sign = if number.sign() == Sign::Minus { "-" } else { "" };
    Ok(Value::str(format!("{sign}{prefix}{}", number.magnitude().to_str_radix(radix))))
}

fn sum(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterable = args.get(vm, 0);
    let start = args.optional(vm, 1).unwrap_or(Value::Int(0));
    match payload(&start) {
        Value::Str(_) => return Err(raise::type_error("sum() can't sum strings [use ''.join(seq) instead]")),
        Value::Bytes(_) => return Err(raise::type_error("sum() can't sum bytes [use b''.join(seq) instead]")),
        Value::ByteArray(_) => return Err(raise::type_error("sum() can't sum bytearray [use b''.join(seq) instead]")),
        _ => {}
    }
    let iterator = vm.iter(&iterable)?;
    vm.protect(iterator.clone());
    // While the next item is drawn, a holder walk finds the sum so far here.
    vm.protect(start.clone());
    let mut total = start;
    let mut steps = 0u32;
    while let Some(item) = iterators::next_of(vm, &iterator)? {
        total = match (&total, &item) {
            (Value::Int(a), Value::Int(b)) => match a.checked_add(*b) {
                Some(sum) => Value::Int(sum),
                None => Value::int(BigInt::from(*a) + *b),
            },
            (Value::Float(a), Value::Float(b)) => Value::Float(a + b),
            _ => {
                let sum = vm.binary(BinaryOperator::Add, &total, &item)?;
                vm.replace_protected(0, sum.clone());
                sum
            }
        };
        steps = steps.wrapping_add(1);
        if steps.is_multiple_of(8192) {
            vm.poll()?;
        }
    }
    Ok(total)
}

/// `a < b`, without the machine for the usual pairs.
#[inline]
fn less(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a < b),
        (Value::Float(a), Value::Float(b)) => Ok(a < b),
        _ => vm.less(a, b),
    }
}

/// `a > b`, without the machine for the usual pairs.
#[inline]
fn greater(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<bool> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a > b),
        (Value::Float(a), Value::Float(b)) => Ok(a > b),
        _ => {
            let result = vm.compare(CompareOperator::Greater, a, b)?;
            vm.truth(&result)
        }
    }
}

fn extreme(vm: &mut Vm, args: Args, greatest: bool) -> Fallible<Value> {
    let name = if greatest { "max" } else { "min" };
    let mut key = None;
    let mut default = None;
    for (keyword, value) in crate::lang::builtins::dict::keyword_pairs(args.peek(vm, 1)) {
        match keyword.text() {
            "key" if value.is_none() => {}
            "key" => key = Some(value),
            "default" => default = Some(value),
            other => {
                return Err(raise::type_error(format!("'{other}' is an invalid keyword argument for {name}()")));
            }
        }
    }
    let Value::Tuple(positional) = args.get(vm, 0) else { return Ok(Value::None) };
    let iterable = match positional.items() {
        [] => return Err(raise::type_error(format!("{name} expected at least 1 argument, got 0"))),
        [iterable] => iterable.clone(),
        _ if default.is_some() => {
            return Err(raise::type_error(format!(
                "Cannot specify a default for {name}() with multiple positional arguments"
            )));
        }
        _ => Value::Tuple(positional.clone()),
    };
    let iterator = vm.iter(&iterable)?;
    vm.protect(iterator.clone());
    // The best so far and its key, where a holder walk finds them while code of the program runs.
    vm.protect(Value::None);
    vm.protect(Value::None);
    let mut best: Option<(Value, Value)> = None;
    let mut steps = 0u32;
    while let Some(item) = iterators::next_of(vm, &iterator)? {
        let weight = match &key {
            Some(key) => vm.call(key, std::slice::from_ref(&item))?,
            None => item.clone(),
        };
        let better = match &best {
            None => true,
            Some((current, _)) if greatest => greater(vm, &weight, current)?,
            Some((current, _)) => less(vm, &weight, current)?,
        };
        if better {
            vm.replace_protected(1, weight.clone());
            vm.replace_protected(0, item.clone());
            best = Some((weight, item));
        }
        steps = steps.wrapping_add(1);
        if steps.is_multiple_of(8192) {
            vm.poll()?;
        }
    }
    match (best, default) {
        (Some((_, item)), _) => Ok(item),
        (None, Some(default)) => Ok(default),
        (None, None) => Err(raise::value_error(format!("{name}() arg is an empty sequence"))),
    }
}

fn chr(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = args.get(vm, 0);
    let code = match convert::index_value(vm, &value)? {
        Value::Int(code) => code,
        _ => return Err(raise::overflow_error("Python int too large to convert to C int")),
    };
    let code = u32::try_from(code)
        .ok()
        .filter(|&code| code < 0x11_0000)
        .ok_or_else(|| raise::value_error("chr() arg not in range(0x110000)"))?;
    char::from_u32(code)
        .map(text::char_value)
        .ok_or_else(|| raise::not_implemented_error("surrogate characters are not in this kernel's str"))
}

fn ord(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let value = payload(args.peek(vm, 0));
    let expected = |found: String| raise::type_error(format!("ord() expected a character, but {found} found"));
    match &value {
        Value::Str(text) => {
            let mut chars = text.as_str().chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) => Ok(Value::Int(u32::from(c).into())),
                _ => Err(expected(format!("string of length {}", text.len_chars()))),
            }
        }
        other => match bytes::view(other) {
            Some(view) => match view.as_slice() {
                [byte] => Ok(Value::Int((*byte).into())),
                data => Err(expected(format!("string of length {}", data.len()))),
            },
            None => Err(raise::type_error(format!(
                "ord() expected string of length 1, but {} found",
                args.peek(vm, 0).type_name()
            ))),
        },
    }
}
