//! Division, greatest common divisors, inverses and roots of integers with millions of bits, in steps between which an interrupt is
//! seen. It knows no values of the language. Narrow integers go to the library at once.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::lang::raise::Fallible;
use crate::lang::vm::Vm;

/// Words of the quotient times words of the divisor that one call of the library may take: some milliseconds.
const DIVISION_STEP_WORKS: u64 = 1 << 22;

/// Bits up to which the library's greatest common divisor, whose time grows with their square, takes some milliseconds.
const DIVISOR_STEP_BITS: u64 = 1 << 13;

/// `a // b` and `a % b` as Python has them; `b` is not zero.
pub fn divide_floor(vm: &mut Vm, a: &BigInt, b: &BigInt) -> Fallible<(BigInt, BigInt)> {
    let words = |bits: u64| bits / 64 + 1;
    if words(a.bits().saturating_sub(b.bits())).saturating_mul(words(b.bits())) <= DIVISION_STEP_WORKS {
        return Ok(a.div_mod_floor(b));
    }
    let (quotient, rest) = divide_magnitudes(vm, a.magnitude(), b.magnitude())?;
    let sign = if a.sign() == b.sign() { Sign::Plus } else { Sign::Minus };
    let quotient = BigInt::from_biguint(sign, quotient);
    let rest = BigInt::from_biguint(a.sign(), rest);
    // The library's pair has the sign of `a`; Python's has that of `b`.
    if !rest.is_zero() && rest.is_negative() != b.is_negative() {
        return Ok((quotient - 1, rest + b));
    }
    Ok((quotient, rest))
}

/// Long division, as many words of the quotient at a time as a step may take.
fn divide_magnitudes(vm: &mut Vm, a: &BigUint, b: &BigUint) -> Fallible<(BigUint, BigUint)> {
    let step_bits = 64 * (DIVISION_STEP_WORKS / (b.bits() / 64 + 1)).max(16);
    let quotient_bits = (a.bits() + 1).saturating_sub(b.bits());
    vm.reserve(usize::try_from((a.bits() + quotient_bits) / 8).unwrap_or(usize::MAX))?;
    let mut position = quotient_bits.next_multiple_of(step_bits);
    let mut rest: BigUint = a >> position;
    let mut digits: Vec<u32> = vec![0; usize::try_from(position / 32).unwrap_or(usize::MAX)];
    while position > 0 {
        vm.poll()?;
        position -= step_bits;
        let piece = bits_of(a, position, step_bits);
        let (digit, left) = ((rest << step_bits) | piece).div_rem(b);
        let first = usize::try_from(position / 32).unwrap_or(usize::MAX);
        for (place, word) in digits[first..].iter_mut().zip(digit.iter_u32_digits()) {
            *place = word;
        }
        rest = left;
    }
    Ok((BigUint::new(digits), rest))
}

/// The bits `from..from + count` of a number, both multiples of 32.
fn bits_of(number: &BigUint, from: u64, count: u64) -> BigUint {
    let index = |bits: u64| usize::try_from(bits / 32).unwrap_or(usize::MAX);
    BigUint::new(number.iter_u32_digits().skip(index(from)).take(index(count)).collect())
}

/// The greatest common divisor, never negative: Lehmer's way while both are wide.
pub fn greatest_common_divisor(vm: &mut Vm, a: &BigInt, b: &BigInt) -> Fallible<BigInt> {
    let (mut a, mut b) = (a.abs(), b.abs());
    if a < b {
        std::mem::swap(&mut a, &mut b);
    }
    while b.bits() > DIVISOR_STEP_BITS {
        vm.poll()?;
        let Some([[p, q], [r, s]]) = leading_steps(&a, &b) else {
            let rest = divide_floor(vm, &a, &b)?.1;
            a = std::mem::replace(&mut b, rest);
            continue;
        };
        let next = (&a * p + &b * q, &a * r + &b * s);
        (a, b) = next;
    }
    if b.is_zero() {
        return Ok(a);
    }
    // The library's way takes a step for each bit by which the two differ in length.
    let rest = divide_floor(vm, &a, &b)?.1;
    Ok(b.gcd(&rest))
}

/// What Euclid's steps do to two numbers as far as their first 62 bits decide it; nothing when they decide no step.
fn leading_steps(a: &BigInt, b: &BigInt) -> Option<[[i64; 2]; 2]> {
    let shift = a.bits() - 62;
    let mut x = (a >> shift).to_i64()?;
    let mut y = (b >> shift).to_i64()?;
    let (mut p, mut q, mut r, mut s) = (1_i64, 0_i64, 0_i64, 1_i64);
    loop {
        if y + r == 0 || y + s == 0 {
            break;
        }
        let quotient = (x + p) / (y + r);
        if quotient != (x + q) / (y + s) {
            break;
        }
        let step = |large: i64, small: i64| quotient.checked_mul(small).and_then(|product| large.checked_sub(product));
        // Factors beyond 62 bits would say nothing more.
        let (Some(next_r), Some(next_s)) = (step(p, r), step(q, s)) else { break };
        (p, r) = (r, next_r);
        (q, s) = (s, next_s);
        (x, y) = (y, x - quotient * y);
    }
    (q != 0).then_some([[p, q], [r, s]])
}

/// The number whose product with `value` is 1 modulo `modulus`, which is positive; nothing when there is none.
pub fn invert_modulo(vm: &mut Vm, value: &BigInt, modulus: &BigInt) -> Fallible<Option<BigInt>> {
    let (mut above, mut below) = (modulus.clone(), divide_floor(vm, value, modulus)?.1);
    let (mut factor_above, mut factor_below) = (BigInt::zero(), BigInt::one());
    while !below.is_zero() {
        vm.poll()?;
        let (quotient, rest) = divide_floor(vm, &above, &below)?;
        above = std::mem::replace(&mut below, rest);
        let next = factor_above - quotient * &factor_below;
        factor_above = std::mem::replace(&mut factor_below, next);
    }
    Ok(if above.is_one() { Some(factor_above.mod_floor(modulus)) } else { None })
}

/// The largest integer whose square is not above `number`, which is not negative: each round doubles the bits that are right.
pub fn square_root(vm: &mut Vm, number: &BigInt) -> Fallible<BigInt> {
    const NARROW_BITS: u64 = 1 << 14;
    if number.bits() <= NARROW_BITS {
        return Ok(number.sqrt());
    }
    let half = (number.bits() - 1) / 2;
    let mut root = BigInt::one();
    let mut known = 0_u64;
    for shift in (0..64 - half.leading_zeros()).rev() {
        let before = known;
        known = half >> shift;
        let top: BigInt = number >> (2 * half - before - known + 1);
        let correction = divide_floor(vm, &top, &root)?.0;
        root = (root << (known - before - 1)) + correction;
    }
    let square = super::integer::multiply(vm, &root, &root.clone())?;
    Ok(if square > *number { root - 1 } else { root })
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::lang::host::SilentHost;

    fn machine() -> Vm {
        Vm::new(Rc::new(SilentHost)).unwrap()
    }

    #[test]
    fn division_in_steps_is_division() {
        let mut vm = machine();
        let (three, seven) = (BigInt::from(3).pow(900_000), BigInt::from(7).pow(200_000));
        for (a, b) in
            [(three.clone(), seven.clone()), (-&three, seven.clone()), (three.clone(), -&seven), (-&three, -&seven)]
        {
            let (quotient, rest) = divide_floor(&mut vm, &a, &b).unwrap();
            assert_eq!(&quotient * &b + &rest, a);
            assert!(rest.is_negative() == b.is_negative() && rest.magnitude() < b.magnitude());
        }
        let exact = &three * &seven;
        assert_eq!(divide_floor(&mut vm, &-&exact, &seven).unwrap(), (-three, BigInt::zero()));
    }

    #[test]
    fn wide_divisors_are_found() {
        let mut vm = machine();
        let common = BigInt::from(11).pow(6_000);
        let (a, b) = (&common * BigInt::from(3).pow(20_000), &common * BigInt::from(7).pow(9_000));
        assert_eq!(greatest_common_divisor(&mut vm, &a, &b).unwrap(), common);
        assert_eq!(greatest_common_divisor(&mut vm, &-&b, &a).unwrap(), common);
        assert_eq!(greatest_common_divisor(&mut vm, &a, &BigInt::zero()).unwrap(), a);
        assert_eq!(greatest_common_divisor(&mut vm, &a, &a).unwrap(), a);
        assert_eq!(greatest_common_divisor(&mut vm, &a, &BigInt::from(22)).unwrap(), BigInt::from(11));
        // Consecutive Fibonacci numbers take the most steps.
        let mut pair = (BigInt::one(), BigInt::one());
        for _ in 0..40_000 {
            pair = (pair.1.clone(), pair.0 + pair.1);
        }
        assert_eq!(greatest_common_divisor(&mut vm, &pair.0, &pair.1).unwrap(), BigInt::one());
    }

    #[test]
    fn inverses_and_roots_are_exact() {
        let mut vm = machine();
        let modulus = BigInt::from(10).pow(500) + 9;
        let value = BigInt::from(7).pow(900);
        let inverse = invert_modulo(&mut vm, &value, &modulus).unwrap().unwrap();
        assert!((value * inverse).mod_floor(&modulus).is_one());
        assert_eq!(invert_modulo(&mut vm, &BigInt::from(4), &BigInt::from(6)).unwrap(), None);
        assert_eq!(invert_modulo(&mut vm, &BigInt::from(5), &BigInt::one()).unwrap(), Some(BigInt::zero()));
        for number in
            [BigInt::from(3).pow(40_001), (BigInt::from(3).pow(30_000) - 1) << 1_u32, BigInt::from(10).pow(20_000)]
        {
            for number in [number.clone() - 1, number.clone(), number + 1] {
                assert_eq!(square_root(&mut vm, &number).unwrap(), number.sqrt());
            }
        }
    }

    #[test]
    fn an_interrupt_ends_each_of_them() {
        let mut vm = machine();
        let (three, seven) = (BigInt::from(3).pow(900_000), BigInt::from(7).pow(200_000));
        let interrupt = |vm: &mut Vm| {
            crate::arrays::attention::handle().interrupt();
            vm.attention().fetch_or(crate::lang::vm::attention::INTERRUPT, std::sync::atomic::Ordering::Relaxed);
        };
        interrupt(&mut vm);
        assert!(divide_floor(&mut vm, &three, &seven).is_err());
        interrupt(&mut vm);
        assert!(greatest_common_divisor(&mut vm, &three, &seven).is_err());
        interrupt(&mut vm);
        assert!(invert_modulo(&mut vm, &three, &seven).is_err());
        interrupt(&mut vm);
        assert!(square_root(&mut vm, &three).is_err());
    }
}
