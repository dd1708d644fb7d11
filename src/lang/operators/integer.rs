//! Arithmetic of integers of any width: the parts that are more than one machine instruction. It knows no values of the
//! language except errors, so that every function can be tested by itself.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};

use super::wide;
use crate::display::units;
use crate::lang::raise::{self, Fallible};
use crate::lang::vm::Vm;

/// `a // b` of machine integers, nothing when it leaves 64 bits; `b` is not zero.
#[inline]
pub fn floor_divide_small(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// `a % b` of machine integers, with the sign of `b`, which is not zero.
#[inline]
pub fn modulo_small(a: i64, b: i64) -> i64 {
    let rest = a.wrapping_rem(b);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// The nearest double of an integer, ties to even; nothing when it is beyond the doubles.
pub fn to_f64(value: &BigInt) -> Option<f64> {
    if value.bits() > 1024 {
        return None;
    }
    value.to_f64().filter(|number| number.is_finite())
}

/// `a / b` rounded once, as Python's true division; nothing when the result is beyond the doubles. `b` is not zero.
pub fn true_divide(a: &BigInt, b: &BigInt) -> Option<f64> {
    if a.is_zero() {
        return Some(if b.is_negative() { -0.0 } else { 0.0 });
    }
    let negative = a.is_negative() != b.is_negative();
    let (a, b) = (a.magnitude(), b.magnitude());
    // Scale so that the quotient has at least 66 bits: more than a mantissa, with a sticky bit for what is cut off.
    let shift = b.bits() as i64 - a.bits() as i64 + 66;
    let (quotient, rest) =
        if shift >= 0 { (a << shift as u64).div_rem(b) } else { a.div_rem(&(b << shift.unsigned_abs())) };
    let mut mantissa = quotient;
    if !rest.is_zero() {
        mantissa |= BigUint::one();
    }
    let magnitude = scale(&mantissa, -shift)?;
    Some(if negative { -magnitude } else { magnitude })
}

/// `mantissa * 2**exponent` rounded once to the nearest double, ties to even; the mantissa's lowest bit is sticky.
fn scale(mantissa: &BigUint, exponent: i64) -> Option<f64> {
    let bits = mantissa.bits() as i64;
    let top = bits + exponent;
    if top > 1024 {
        return None;
    }
    if top < -1080 {
        return Some(0.0);
    }
    // A subnormal result keeps fewer bits than 53.
    let keep = (top + 1074).clamp(0, 53);
    let cut = bits - keep;
    if cut <= 0 {
        let whole = mantissa.to_u64()? as f64;
        return Some(whole * 2f64.powi(exponent as i32));
    }
    let mut kept = (mantissa >> cut as u64).to_u64()?;
    let half = BigUint::one() << (cut as u64 - 1);
    let rest = mantissa - (BigUint::from(kept) << cut as u64);
    if rest > half || (rest == half && kept & 1 == 1) {
        kept += 1;
    }
    let exponent = exponent + cut;
    // Two exact steps: the first product is exact, and the second is exact because `kept` already has the final width.
    let result = if exponent < -1000 {
        kept as f64 * 2f64.powi(-1000) * 2f64.powi((exponent + 1000) as i32)
    } else if exponent > 900 {
        kept as f64 * 2f64.powi(900) * 2f64.powi((exponent - 900) as i32)
    } else {
        kept as f64 * 2f64.powi(exponent as i32)
    };
    result.is_finite().then_some(result)
}

/// Bits per step of an interruptible product; one step stays well under the 50 ms that an interrupt may wait.
const PRODUCT_STEP_BITS: u64 = 1 << 19;

/// `a * b`, asked of the host budget first when it is large and computed in pieces between polls.
pub fn multiply(vm: &mut Vm, a: &BigInt, b: &BigInt) -> Fallible<BigInt> {
    let bits = a.bits() + b.bits();
    if bits < PRODUCT_STEP_BITS {
        return Ok(a * b);
    }
    vm.reserve(usize::try_from(bits / 8).unwrap_or(usize::MAX))?;
    let (wide, narrow) = if a.bits() >= b.bits() { (a, b) } else { (b, a) };
    let sign = if wide.sign() == narrow.sign() { Sign::Plus } else { Sign::Minus };
    let product = multiply_magnitudes(vm, wide.magnitude(), narrow.magnitude())?;
    Ok(BigInt::from_biguint(if product.is_zero() { Sign::NoSign } else { sign }, product))
}

/// Karatsuba's recursion down to pieces that one multiplication handles quickly.
pub fn multiply_magnitudes(vm: &mut Vm, a: &BigUint, b: &BigUint) -> Fallible<BigUint> {
    let (a, b) = if a.bits() >= b.bits() { (a, b) } else { (b, a) };
    if a.bits() <= PRODUCT_STEP_BITS {
        vm.poll()?;
        return Ok(a * b);
    }
    let half = a.bits().div_ceil(128) * 64;
    let (high_a, low_a) = split(a, half);
    if b.bits() <= half {
        let low = multiply_magnitudes(vm, &low_a, b)?;
        let high = multiply_magnitudes(vm, &high_a, b)?;
        return Ok((high << half) + low);
    }
    let (high_b, low_b) = split(b, half);
    let low = multiply_magnitudes(vm, &low_a, &low_b)?;
    let high = multiply_magnitudes(vm, &high_a, &high_b)?;
    let cross = multiply_magnitudes(vm, &(&low_a + &high_a), &(&low_b + &high_b))? - &low - &high;
    Ok((high << (2 * half)) + (cross << half) + low)
}

fn split(value: &BigUint, bits: u64) -> (BigUint, BigUint) {
    let high = value >> bits;
    let low = value - (&high << bits);
    (high, low)
}

/// The widest power or factorial that is computed: beyond it the time, not the memory, would never end.
pub const RESULT_BYTES_MAX: usize = 64 << 20;

/// `base ** exponent` for a non-negative exponent; asks the host budget for the result's bytes first.
pub fn power(vm: &mut Vm, base: &BigInt, exponent: &BigInt) -> Fallible<BigInt> {
    if exponent.is_zero() || base.is_one() {
        return Ok(BigInt::one());
    }
    if base.is_zero() {
        return Ok(BigInt::zero());
    }
    if base.magnitude().is_one() {
        return Ok(if exponent.is_odd() { base.clone() } else { BigInt::one() });
    }
    let Some(exponent) = exponent.to_u64() else { return Err(too_large(usize::MAX)) };
    // The result has at least (bits - 1) * exponent bits.
    let result_bits = u128::from(base.bits() - 1) * u128::from(exponent);
    let bytes = usize::try_from(result_bits / 8).map_err(|_| too_large(usize::MAX))?;
    if bytes > 1 << 16 {
        vm.reserve(bytes.saturating_mul(2))?;
    }
    let is_shift = base.magnitude().count_ones() == 1;
    if !is_shift && bytes > RESULT_BYTES_MAX {
        return Err(too_large(bytes));
    }
    if is_shift {
        // A power of two is one shift.
        let shift = base.magnitude().trailing_zeros().unwrap_or(0).saturating_mul(exponent);
        let magnitude = BigInt::one() << shift;
        return Ok(if base.is_negative() && exponent & 1 == 1 { -magnitude } else { magnitude });
    }
    let mut result = base.clone();
    for bit in (0..exponent.ilog2()).rev() {
        result = multiply(vm, &result, &result.clone())?;
        if exponent >> bit & 1 == 1 {
            result = multiply(vm, &result, base)?;
        }
    }
    Ok(result)
}

/// The error of a result that would have about `bytes` bytes.
pub fn too_large(bytes: usize) -> raise::Raised {
    let wanted =
        if bytes == usize::MAX { "more bytes than can be counted".to_owned() } else { units::bytes(bytes as u64) };
    raise::memory_error(format!(
        "an integer of {wanted} is asked for; powers and factorials end at {}",
        units::bytes(RESULT_BYTES_MAX as u64)
    ))
}

/// `pow(base, exponent, modulus)` with Python's sign rule; `modulus` is not zero.
pub fn power_modulo(vm: &mut Vm, base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> Fallible<BigInt> {
    let size = modulus.abs();
    let (base, exponent) = if exponent.is_negative() {
        let inverse = wide::invert_modulo(vm, base, &size)?
            .ok_or_else(|| raise::value_error("base is not invertible for the given modulus"))?;
        (inverse, -exponent)
    } else {
        (base.clone(), exponent.clone())
    };
    let result = if exponent.bits().saturating_mul(size.bits()).saturating_mul(size.bits()) < MODPOW_WORK_MAX {
        base.mod_floor(&size).modpow(&exponent, &size)
    } else {
        let base = wide::divide_floor(vm, &base, &size)?.1;
        power_modulo_in_steps(vm, &base, &exponent, &size)?
    };
    Ok(if modulus.is_negative() && !result.is_zero() { result + modulus } else { result })
}

/// Bits of the exponent times squared bits of the modulus that one call handles in a few milliseconds.
const MODPOW_WORK_MAX: u64 = 1 << 33;

/// Square and multiply with polls: slower than the library's way, but it can be interrupted.
fn power_modulo_in_steps(vm: &mut Vm, base: &BigInt, exponent: &BigInt, modulus: &BigInt) -> Fallible<BigInt> {
    let mut result = BigInt::one().mod_floor(modulus);
    for bit in (0..exponent.bits()).rev() {
        vm.poll()?;
        let square = multiply(vm, &result, &result.clone())?;
        result = wide::divide_floor(vm, &square, modulus)?.1;
        if exponent.bit(bit) {
            let product = multiply(vm, &result, base)?;
            result = wide::divide_floor(vm, &product, modulus)?.1;
        }
    }
    Ok(result)
}

/// `value << count`.
pub fn shift_left(vm: &mut Vm, value: &BigInt, count: &BigInt) -> Fallible<BigInt> {
    if count.is_negative() {
        return Err(raise::value_error("negative shift count"));
    }
    if value.is_zero() {
        return Ok(BigInt::zero());
    }
    let count = count.to_u64().ok_or_else(|| raise::overflow_error("too many digits in integer"))?;
    let bytes = usize::try_from((count + value.bits()) / 8).unwrap_or(usize::MAX);
    if bytes > 1 << 16 {
        vm.reserve(bytes)?;
    }
    Ok(value << count)
}

/// `value >> count`, rounding towards minus infinity.
pub fn shift_right(value: &BigInt, count: &BigInt) -> Fallible<BigInt> {
    if count.is_negative() {
        return Err(raise::value_error("negative shift count"));
    }
    Ok(match count.to_u64() {
        Some(count) if count < value.bits() => value >> count,
        _ if value.is_negative() => BigInt::from(-1),
        _ => BigInt::zero(),
    })
}

/// Rounds to a multiple of `10**digits`, ties to even.
pub fn round_to_tens(value: &BigInt, digits: u32) -> BigInt {
    let unit = BigInt::from(10).pow(digits);
    let (quotient, rest) = value.div_mod_floor(&unit);
    let twice = &rest * 2;
    let up = twice > unit || (twice == unit && quotient.is_odd());
    (quotient + i32::from(up)) * unit
}

/// The integer that a finite double truncates to.
pub fn from_f64(value: f64) -> Option<BigInt> {
    BigInt::from_f64(value.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floor_division_and_modulo_follow_the_divisor() {
        let cases = [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, 3, 2, 0), (-6, 3, -2, 0)];
        for (a, b, quotient, rest) in cases {
            assert_eq!(floor_divide_small(a, b), Some(quotient), "{a} // {b}");
            assert_eq!(modulo_small(a, b), rest, "{a} % {b}");
        }
        assert_eq!(floor_divide_small(i64::MIN, -1), None);
        assert_eq!(modulo_small(i64::MIN, -1), 0);
    }

    #[test]
    fn true_division_rounds_once() {
        let big = |text: &str| text.parse::<BigInt>().unwrap();
        // Values from CPython.
        assert_eq!(true_divide(&big("1"), &big("3")), Some(1.0 / 3.0));
        assert_eq!(true_divide(&big("9007199254740993"), &big("1")), Some(9007199254740992.0));
        assert_eq!(true_divide(&(big("10").pow(400)), &(big("10").pow(399) * 3)), Some(10.0 / 3.0));
        assert_eq!(true_divide(&big("1"), &(big("10").pow(320))), Some(1e-320));
        assert_eq!(true_divide(&big("1"), &(big("10").pow(400))), Some(0.0));
        assert_eq!(true_divide(&(big("10").pow(400)), &big("-3")), None);
        assert_eq!(true_divide(&big("-22"), &big("7")), Some(-22.0 / 7.0));
        let max = BigInt::from_f64(f64::MAX).unwrap();
        assert_eq!(true_divide(&max, &big("1")), Some(f64::MAX));
    }

    #[test]
    fn large_products_are_computed_in_pieces() {
        let mut vm = Vm::new(std::rc::Rc::new(crate::lang::host::SilentHost)).unwrap();
        let (a, b) = (BigInt::from(3).pow(700_000), -BigInt::from(7).pow(250_000));
        assert_eq!(multiply(&mut vm, &a, &b).unwrap(), &a * &b);
        assert_eq!(multiply(&mut vm, &a, &(&b >> 600_000)).unwrap(), &a * (&b >> 600_000));
        assert_eq!(power(&mut vm, &BigInt::from(-3), &BigInt::from(400_001)).unwrap(), BigInt::from(-3).pow(400_001));
        assert_eq!(power(&mut vm, &BigInt::from(-8), &BigInt::from(3)).unwrap(), BigInt::from(-512));
    }

    #[test]
    fn modular_power_takes_the_sign_of_the_modulus() {
        let mut vm = Vm::new(std::rc::Rc::new(crate::lang::host::SilentHost)).unwrap();
        let mut p =
            |a: i64, b: i64, c: i64| power_modulo(&mut vm, &a.into(), &b.into(), &c.into()).unwrap().to_i64().unwrap();
        assert_eq!(p(2, 10, 1000), 24);
        assert_eq!(p(3, -1, 7), 5);
        assert_eq!(p(-3, 3, 5), 3);
        assert_eq!(p(2, 3, -5), -2);
        assert_eq!(p(5, 0, 1), 0);
        assert!(power_modulo(&mut vm, &2.into(), &(-1).into(), &4.into()).is_err());
        let (base, exponent): (BigInt, BigInt) = (BigInt::from(3).pow(900), BigInt::from(7).pow(2000));
        let modulus = BigInt::from(10).pow(500) + 1;
        let stepped = power_modulo_in_steps(&mut vm, &base, &exponent, &modulus).unwrap();
        assert_eq!(stepped, base.modpow(&exponent, &modulus));
    }

    #[test]
    fn rounding_to_tens_is_half_even() {
        let r = |a: i64, digits| round_to_tens(&a.into(), digits).to_i64().unwrap();
        assert_eq!([r(15, 1), r(25, 1), r(-15, 1), r(-25, 1), r(26, 1), r(149, 2)], [20, 20, -20, -20, 30, 100]);
    }
}
