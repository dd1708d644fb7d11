//! Exact functions of whole numbers. Loops poll and ask the budget, because `factorial(10**8)` is one short line.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::lang::modules::support::{integer, items_of};
use crate::lang::native::Args;
use crate::lang::operators::integer::{RESULT_BYTES_MAX, multiply, multiply_magnitudes, too_large};
use crate::lang::operators::wide;
use crate::lang::raise::{Fallible, overflow_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Mantissa in [0.5, 1) and exponent of a positive integer, the mantissa rounded half to even.
pub(super) fn split(number: &BigInt) -> (f64, f64) {
    let bits = number.bits();
    if bits <= 53 {
        let (mantissa, exponent) = libm::frexp(number.to_f64().unwrap_or(0.0));
        return (mantissa, exponent.into());
    }
    // 55 bits with the last one sticky round to the same float as all of them.
    let shift = bits - 55;
    let mut top: BigInt = number >> shift;
    if (&top << shift) != *number {
        top |= BigInt::one();
    }
    let rounded = top.to_f64().unwrap_or(0.0);
    let (mantissa, exponent) = libm::frexp(rounded);
    (mantissa, f64::from(exponent) + shift as f64)
}

/// The product of `low..=high`, halves first so that the factors stay of one size.
fn product(vm: &mut Vm, low: u64, high: u64) -> Fallible<BigUint> {
    if low > high {
        return Ok(BigUint::one());
    }
    if high - low < 16 {
        return Ok((low..=high).fold(BigUint::one(), |total, factor| total * factor));
    }
    vm.poll()?;
    let middle = low + (high - low) / 2;
    let (below, above) = (product(vm, low, middle)?, product(vm, middle + 1, high)?);
    multiply_magnitudes(vm, &below, &above)
}

pub(super) fn factorial(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let number = integer(vm, &args.get(vm, 0))?;
    if number.is_negative() {
        return Err(value_error("factorial() not defined for negative values"));
    }
    let Some(n) = number.to_i64() else {
        return Err(overflow_error(format!("factorial() argument should not exceed {}", i64::MAX)));
    };
    let n = n.unsigned_abs();
    let bits = n as f64 * (n.max(2) as f64).log2();
    let bytes = (bits / 8.0) as usize;
    vm.reserve(bytes)?;
    if bytes > RESULT_BYTES_MAX {
        return Err(too_large(bytes));
    }
    Ok(Value::int(BigInt::from(product(vm, 2, n)?)))
}

pub(super) fn gcd(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut result = BigInt::zero();
    for value in items_of(&args.get(vm, 0)) {
        let number = integer(vm, &value)?;
        result = wide::greatest_common_divisor(vm, &result, &number)?;
        vm.poll()?;
    }
    Ok(Value::int(result))
}

pub(super) fn lcm(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut result = BigInt::one();
    for value in items_of(&args.get(vm, 0)) {
        let number = integer(vm, &value)?;
        if number.is_zero() || result.is_zero() {
            result = BigInt::zero();
            continue;
        }
        let common = wide::greatest_common_divisor(vm, &result, &number)?;
        let factor = wide::divide_floor(vm, &number, &common)?.0.abs();
        result = multiply(vm, &result, &factor)?;
        vm.poll()?;
    }
    Ok(Value::int(result))
}

/// `n * (n - 1) * ... * (n - k + 1)`, halves first.
fn falling(vm: &mut Vm, n: &BigInt, k: u64) -> Fallible<BigInt> {
    if k <= 16 {
        return Ok((0..k).fold(BigInt::one(), |total, step| total * (n - step)));
    }
    vm.poll()?;
    let half = k / 2;
    let (above, below) = (falling(vm, n, half)?, falling(vm, &(n - half), k - half)?);
    multiply(vm, &above, &below)
}

fn arguments(vm: &mut Vm, args: Args) -> Fallible<(BigInt, Option<BigInt>)> {
    let n = integer(vm, &args.get(vm, 0))?;
    let k = match args.not_none(vm, 1) {
        Some(k) => Some(integer(vm, &k)?),
        None => None,
    };
    if n.is_negative() {
        return Err(value_error("n must be a non-negative integer"));
    }
    if k.as_ref().is_some_and(Signed::is_negative) {
        return Err(value_error("k must be a non-negative integer"));
    }
    Ok((n, k))
}

pub(super) fn perm(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (n, k) = arguments(vm, args)?;
    let Some(k) = k else {
        return factorial(vm, args);
    };
    if k > n {
        return Ok(Value::Int(0));
    }
    let Some(k) = k.to_i64() else {
        return Err(overflow_error(format!("k must not exceed {}", i64::MAX)));
    };
    let k = k.unsigned_abs();
    vm.reserve(k.saturating_mul(n.bits() / 8 + 1) as usize)?;
    Ok(Value::int(falling(vm, &n, k)?))
}

pub(super) fn comb(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (n, k) = arguments(vm, args)?;
    let k = k.unwrap_or_default();
    if k > n {
        return Ok(Value::Int(0));
    }
    let k = k.clone().min(&n - k);
    let Some(k) = k.to_i64() else {
        return Err(overflow_error(format!("min(n - k, k) must not exceed {}", i64::MAX)));
    };
    let k = k.unsigned_abs();
    vm.reserve(k.saturating_mul(n.bits() / 8 + 1) as usize)?;
    let choices = falling(vm, &n, k)?;
    let orders = BigInt::from(product(vm, 2, k)?);
    Ok(Value::int(wide::divide_floor(vm, &choices, &orders)?.0))
}

pub(super) fn isqrt(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let number = integer(vm, &args.get(vm, 0))?;
    if number.is_negative() {
        return Err(value_error("isqrt() argument must be nonnegative"));
    }
    Ok(Value::int(wide::square_root(vm, &number)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_integers_split_into_mantissa_and_exponent() {
        let (mantissa, exponent) = split(&(BigInt::one() << 2000_u32));
        assert_eq!((mantissa, exponent), (0.5, 2001.0));
        let (mantissa, exponent) = split(&BigInt::from(6));
        assert_eq!((mantissa, exponent), (0.75, 3.0));
    }
}
