//! Integers of millions of digits as decimal text and back, in pieces between which an interrupt is seen. It knows no values of the
//! language. Narrow integers go to the library at once.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Num;

use super::integer::multiply_magnitudes;
use super::wide::divide_floor;
use crate::lang::raise::Fallible;
use crate::lang::vm::Vm;

/// Digits that the library, whose time grows with their square, converts in some milliseconds.
const PIECE_DIGITS: usize = 1 << 14;

/// The digits of a magnitude.
pub fn to_text(vm: &mut Vm, magnitude: &BigUint) -> Fallible<String> {
    let digits = digits_at_most(magnitude);
    if digits <= PIECE_DIGITS {
        return Ok(magnitude.to_string());
    }
    vm.reserve(2 * digits)?;
    let mut powers = vec![BigUint::from(10_u32).pow(PIECE_DIGITS as u32)];
    while powers.last().is_some_and(|power| 2 * power.bits() <= magnitude.bits() + 1) {
        let last = powers[powers.len() - 1].clone();
        powers.push(multiply_magnitudes(vm, &last, &last)?);
    }
    let mut text = String::with_capacity(digits);
    write(vm, magnitude, &powers, &mut text)?;
    let leading = text.len() - text.trim_start_matches('0').len();
    text.drain(..leading.min(text.len() - 1));
    Ok(text)
}

fn digits_at_most(magnitude: &BigUint) -> usize {
    (magnitude.bits() as f64 * std::f64::consts::LOG10_2) as usize + 1
}

/// Appends the digits of a number below the square of the last power, with leading zeros.
fn write(vm: &mut Vm, number: &BigUint, powers: &[BigUint], text: &mut String) -> Fallible<()> {
    vm.poll()?;
    let Some((power, smaller)) = powers.split_last() else {
        let digits = number.to_string();
        text.extend(std::iter::repeat_n('0', PIECE_DIGITS.saturating_sub(digits.len())));
        text.push_str(&digits);
        return Ok(());
    };
    let (whole, power) = (BigInt::from(number.clone()), BigInt::from(power.clone()));
    let (high, low) = divide_floor(vm, &whole, &power)?;
    drop((whole, power));
    write(vm, high.magnitude(), smaller, text)?;
    write(vm, low.magnitude(), smaller, text)
}

/// The number that digits stand for, which must all be below ten.
pub fn from_text(vm: &mut Vm, digits: &str) -> Fallible<Option<BigInt>> {
    if digits.len() <= PIECE_DIGITS {
        return Ok(BigInt::from_str_radix(digits, 10).ok());
    }
    // Pieces of equal length from the right, joined two by two.
    let first = match digits.len() % PIECE_DIGITS {
        0 => PIECE_DIGITS,
        left => left,
    };
    let mut pieces = Vec::with_capacity(digits.len() / PIECE_DIGITS + 1);
    let (head, tail) = digits.split_at(first);
    for piece in std::iter::once(head.as_bytes()).chain(tail.as_bytes().chunks(PIECE_DIGITS)) {
        vm.poll()?;
        let Some(number) = BigUint::parse_bytes(piece, 10) else { return Ok(None) };
        pieces.push(number);
    }
    let mut power = BigUint::from(10_u32).pow(PIECE_DIGITS as u32);
    while pieces.len() > 1 {
        let mut joined = Vec::with_capacity(pieces.len().div_ceil(2));
        let odd = pieces.len() % 2;
        joined.extend(pieces.drain(..odd));
        let mut rest = pieces.into_iter();
        while let (Some(high), Some(low)) = (rest.next(), rest.next()) {
            joined.push(multiply_magnitudes(vm, &high, &power)? + low);
        }
        pieces = joined;
        if pieces.len() > 1 {
            power = multiply_magnitudes(vm, &power, &power.clone())?;
        }
    }
    Ok(pieces.pop().map(|number| BigInt::from_biguint(Sign::Plus, number)))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::lang::host::SilentHost;

    #[test]
    fn pieces_give_what_the_library_gives() {
        let mut vm = Vm::new(Rc::new(SilentHost)).unwrap();
        for number in [
            BigUint::from(3_u32).pow(90_000),
            BigUint::from(10_u32).pow(50_000),
            BigUint::from(10_u32).pow(1 << 15) - 1_u32,
            BigUint::from(7_u32).pow(200_001),
        ] {
            let text = to_text(&mut vm, &number).unwrap();
            assert!(text == number.to_string());
            assert!(from_text(&mut vm, &text).unwrap() == Some(BigInt::from(number)));
        }
    }

    #[test]
    fn an_interrupt_ends_both_ways() {
        let mut vm = Vm::new(Rc::new(SilentHost)).unwrap();
        let number = BigUint::from(3_u32).pow(90_000);
        let text = number.to_string();
        let interrupt = |vm: &mut Vm| {
            crate::arrays::attention::handle().interrupt();
            vm.attention().fetch_or(crate::lang::vm::attention::INTERRUPT, std::sync::atomic::Ordering::Relaxed);
        };
        interrupt(&mut vm);
        assert!(to_text(&mut vm, &number).is_err());
        interrupt(&mut vm);
        assert!(from_text(&mut vm, &text).is_err());
    }
}
