//! Hashes of built-in values, equal for equal values across types, with CPython's numbers where those are fixed.

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use smallvec::SmallVec;

use super::depth;
use crate::lang::objects::StrObject;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Numbers hash modulo this prime, 2^61 - 1.
const MODULUS: u64 = (1 << 61) - 1;
const HASH_INFINITY: i64 = 314_159;
const IMAGINARY: i64 = 1_000_003;

/// Hash of an integer of 64 bits.
#[inline]
pub fn of_int(value: i64) -> i64 {
    if value.unsigned_abs() < MODULUS {
        return if value == -1 { -2 } else { value };
    }
    let rest = (value.unsigned_abs() % MODULUS) as i64;
    not_minus_one(if value < 0 { -rest } else { rest })
}

/// Hash of an integer of any width.
pub fn of_big(value: &BigInt) -> i64 {
    let rest = (value.magnitude() % MODULUS).to_i64().unwrap_or(0);
    not_minus_one(if value.sign() == Sign::Minus { -rest } else { rest })
}

/// Hash of a float: that of the equal integer, where there is one. NaN hashes by identity in CPython; here it is 0.
pub fn of_float(value: f64) -> i64 {
    if value.is_infinite() {
        return if value > 0.0 { HASH_INFINITY } else { -HASH_INFINITY };
    }
    if value.is_nan() {
        // Each NaN has bits of its own.
        return of_identity((value.to_bits() as usize) << 4);
    }
    if value == 0.0 {
        return 0;
    }
    let (mut mantissa, mut exponent) = fraction_and_exponent(value.abs());
    let mut hash: u64 = 0;
    while mantissa != 0.0 {
        hash = ((hash << 28) & MODULUS) | (hash >> (61 - 28));
        mantissa *= 268_435_456.0;
        exponent -= 28;
        let digit = mantissa.trunc();
        mantissa -= digit;
        hash += digit as u64;
        if hash >= MODULUS {
            hash -= MODULUS;
        }
    }
    let turn = exponent.rem_euclid(61) as u32;
    if turn > 0 {
        hash = ((hash << turn) & MODULUS) | (hash >> (61 - turn));
    }
    not_minus_one(if value < 0.0 { -(hash as i64) } else { hash as i64 })
}

/// `frexp` of a positive finite number: a fraction in [0.5, 1) and the power of two.
pub fn fraction_and_exponent(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32;
    if exponent == 0 {
        let (fraction, exponent) = fraction_and_exponent(value * 2f64.powi(54));
        return (fraction, exponent - 54);
    }
    (f64::from_bits(bits & !(0x7FF << 52) | 1022 << 52), exponent - 1022)
}

/// Hash of a complex number.
pub fn of_complex(re: f64, im: f64) -> i64 {
    not_minus_one(of_float(re).wrapping_add(IMAGINARY.wrapping_mul(of_float(im))))
}

/// Hash of bytes and, over UTF-8, of text. Stable within a process, as programs expect.
pub fn of_bytes(data: &[u8]) -> i64 {
    const KEY: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |a: u64, b: u64| {
        let wide = u128::from(a) * u128::from(b);
        (wide as u64) ^ (wide >> 64) as u64
    };
    let mut state = KEY ^ data.len() as u64;
    let (words, rest) = data.as_chunks::<8>();
    for word in words {
        state = fold(state ^ u64::from_le_bytes(*word), KEY);
    }
    let mut last = [0u8; 8];
    last[..rest.len()].copy_from_slice(rest);
    state = fold(state ^ u64::from_le_bytes(last), 0xD6E8_FEB8_6659_FD93);
    if data.is_empty() { 0 } else { not_minus_one(state as i64) }
}

/// Hash of a text, remembered in the object.
#[inline]
pub fn of_str(text: &StrObject) -> i64 {
    if let Some(hash) = text.cached_hash().get() {
        return hash;
    }
    let hash = of_bytes(text.as_str().as_bytes());
    text.cached_hash().set(Some(hash));
    hash
}

/// Combines the hashes of a tuple's items as CPython (xxHash's rounds).
pub fn of_tuple(items: impl ExactSizeIterator<Item = i64>) -> i64 {
    const PRIME_1: u64 = 11_400_714_785_074_694_791;
    const PRIME_2: u64 = 14_029_467_366_897_019_727;
    const PRIME_5: u64 = 2_870_177_450_012_600_261;
    let count = items.len() as u64;
    let mut state = PRIME_5;
    for lane in items {
        state = state.wrapping_add((lane as u64).wrapping_mul(PRIME_2)).rotate_left(31).wrapping_mul(PRIME_1);
    }
    state = state.wrapping_add(count ^ (PRIME_5 ^ 3_527_539));
    if state == u64::MAX { 1_546_275_796 } else { state as i64 }
}

/// Combines the hashes of a frozenset's elements, in whatever order they come, as CPython.
pub fn of_set(elements: impl Iterator<Item = i64>) -> i64 {
    let mut count = 0u64;
    let mut hash = 0u64;
    for element in elements {
        let element = element as u64;
        hash ^= ((element ^ 89_869_747) ^ (element << 16)).wrapping_mul(3_644_798_167);
        count += 1;
    }
    hash ^= count.wrapping_add(1).wrapping_mul(1_927_868_237);
    hash ^= (hash >> 11) ^ (hash >> 25);
    hash = hash.wrapping_mul(69_069).wrapping_add(907_133_923);
    if hash == u64::MAX { 590_923_713 } else { hash as i64 }
}

/// Hash of an identity, as objects without `__hash__` have it.
#[inline]
pub fn of_identity(address: usize) -> i64 {
    not_minus_one(address.rotate_right(4) as i64)
}

#[inline]
fn not_minus_one(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

/// Hash of a value whose class is built in, without user code; nothing when the machine must ask (instances, tuples of them,
/// arrays, module objects).
#[inline(always)]
pub fn quick(value: &Value) -> Option<i64> {
    match value {
        Value::Str(text) => Some(of_str(text)),
        Value::Int(i) => Some(of_int(*i)),
        other => quick_other(other),
    }
}

#[inline(never)]
fn quick_other(value: &Value) -> Option<i64> {
    Some(match value {
        Value::Str(text) => of_str(text),
        Value::Int(i) => of_int(*i),
        Value::Bool(b) => i64::from(*b),
        Value::None => 0x_FCA8_6420,
        Value::Float(f) => of_float(*f),
        Value::Big(big) => of_big(big.value()),
        Value::Complex(c) => of_complex(c.re, c.im),
        Value::Bytes(bytes) => of_bytes(bytes.as_bytes()),
        _ => return None,
    })
}

/// `hash(value)` for built-in types; nothing for values whose class decides (instances, exceptions with `__hash__`, arrays, module
/// objects).
pub fn of_value(vm: &mut Vm, value: &Value) -> Fallible<Option<i64>> {
    if let Some(hash) = quick(value) {
        return Ok(Some(hash));
    }
    Ok(Some(match value {
        Value::Tuple(tuple) => {
            // Tuples that share parts have far more paths than objects.
            vm.poll()?;
            let level = depth::Level::enter(depth::TUPLES_MAX, "while hashing a tuple")?;
            let mut hashes = SmallVec::<[i64; 4]>::with_capacity(tuple.items().len());
            for item in tuple.items() {
                hashes.push(match quick(item) {
                    Some(hash) => hash,
                    None => vm.hash(item)?,
                });
            }
            drop(level);
            of_tuple(hashes.into_iter())
        }
        Value::Set(set) if set.frozen => of_set(set.table.borrow().iter().map(|(_, entry)| entry.hash)),
        Value::Range(range) => {
            let len = super::range::len_big(range);
            let none = Value::None;
            let (start, step) = if len == BigInt::ZERO {
                (none.clone(), none)
            } else if len == BigInt::from(1) {
                (Value::int(range.start.clone()), none)
            } else {
                (Value::int(range.start.clone()), Value::int(range.step.clone()))
            };
            let parts = [Value::int(len), start, step].map(|part| quick(&part).unwrap_or(0));
            of_tuple(parts.into_iter())
        }
        Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::ByteArray(_) | Value::Slice(_) => {
            return Err(unhashable(value));
        }
        Value::Method(method) => {
            let receiver = method.receiver.heap_id().map_or(0, |id| of_identity(id.address()));
            let function = method.function.heap_id().map_or(0, |id| of_identity(id.address()));
            not_minus_one(receiver ^ function)
        }
        Value::Ellipsis => 0x_E111_9515,
        Value::NotImplemented => 0x_2071_3317,
        Value::Instance(_) | Value::Exception(_) | Value::Array(_) | Value::Scalar(_) | Value::Object(_) => {
            return Ok(None);
        }
        _ => value.heap_id().map_or(0, |id| of_identity(id.address())),
    }))
}

/// `TypeError: unhashable type: 'list'`
#[cold]
pub fn unhashable(value: &Value) -> raise::Raised {
    raise::type_error(format!("unhashable type: '{}'", value.type_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_hash_as_cpython() {
        // python3 -c 'print(hash(0.5), hash(1e300), ...)'
        assert_eq!(of_float(0.5), 1_152_921_504_606_846_976);
        assert_eq!(of_float(1e300), 1_224_995_262_755_759_164);
        assert_eq!(of_float(-2.0), -2);
        assert_eq!(of_float(-1.0), -2);
        assert_eq!(of_float(1.0), of_int(1));
        assert_eq!(of_float(5e-324), 16_777_216);
        assert_eq!(of_int((1 << 61) - 1), 0);
        assert_eq!(of_int(i64::MAX), 3);
        assert_eq!(of_int(i64::MIN), -4);
        assert_eq!(of_big(&BigInt::from(2).pow(61)), 1);
        assert_eq!(of_float(2f64.powi(100)), of_big(&BigInt::from(2).pow(100)));
        assert_eq!(of_complex(1.0, 2.0), 2_000_007);
    }

    #[test]
    fn tuples_and_sets_hash_as_cpython() {
        assert_eq!(of_tuple([].into_iter()), 5_740_354_900_026_072_187);
        assert_eq!(of_tuple([1, 2, 3].into_iter()), 529_344_067_295_497_451);
        assert_eq!(of_set([1, 2, 3].into_iter()), -272_375_401_224_217_160);
        assert_eq!(of_set([3, 1, 2].into_iter()), -272_375_401_224_217_160);
    }
}
