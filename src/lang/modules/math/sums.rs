//! Sums and lengths that are rounded once, at the end.

use crate::lang::modules::support::items_of;
use crate::lang::native::Args;
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::{Fallible, overflow_error, value_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Shewchuk's exact sum: `parts` are non-overlapping partial sums whose total is exact.
#[derive(Debug, Default)]
struct ExactSum {
    parts: Vec<f64>,
    special: f64,
    infinities: f64,
}

impl ExactSum {
    fn add(&mut self, value: f64) -> Fallible<()> {
        let mut x = value;
        let mut kept = 0;
        for index in 0..self.parts.len() {
            let mut y = self.parts[index];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                self.parts[kept] = low;
                kept += 1;
            }
            x = high;
        }
        self.parts.truncate(kept);
        if x == 0.0 {
            return Ok(());
        }
        if x.is_finite() {
            self.parts.push(x);
            return Ok(());
        }
        if value.is_finite() {
            return Err(overflow_error("intermediate overflow in fsum"));
        }
        if value.is_infinite() {
            self.infinities += value;
        }
        self.special += value;
        self.parts.clear();
        Ok(())
    }

    fn total(&self) -> Fallible<f64> {
        if self.special != 0.0 {
            return if self.infinities.is_nan() { Err(value_error("-inf + inf in fsum")) } else { Ok(self.special) };
        }
        let mut rest = self.parts.iter().copied().rev();
        let mut high = rest.next().unwrap_or(0.0);
        let mut low = 0.0;
        for y in rest.by_ref() {
            let x = high;
            high = x + y;
            low = y - (high - x);
            if low != 0.0 {
                break;
            }
        }
        // Half-way cases round correctly only when what follows agrees in sign.
        if let Some(next) = rest.next()
            && ((low < 0.0 && next < 0.0) || (low > 0.0 && next > 0.0))
        {
            let y = low * 2.0;
            let x = high + y;
            if y == x - high {
                high = x;
            }
        }
        Ok(high)
    }
}

pub(super) fn fsum(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 0))?;
    let mut sum = ExactSum::default();
    while let Some(item) = vm.next(&iterator)? {
        let number = vm.float(&item)?;
        sum.add(number)?;
    }
    sum.total().map(Value::Float)
}

pub(super) fn prod(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let iterator = vm.iter(&args.get(vm, 0))?;
    let mut product = args.optional(vm, 1).unwrap_or(Value::Int(1));
    while let Some(item) = vm.next(&iterator)? {
        product = vm.binary(BinaryOperator::Multiply, &product, &item)?;
    }
    Ok(product)
}

/// Splits a float into two halves of 26 bits (Veltkamp).
fn halves(x: f64) -> (f64, f64) {
    let t = x * 134_217_729.0;
    let high = t - (t - x);
    (high, x - high)
}

/// The square root of the sum of squares with the squares' low bits carried along, then corrected once.
fn norm(values: &[f64], largest: f64, has_nan: bool) -> f64 {
    if largest.is_infinite() {
        return largest;
    }
    if has_nan {
        return f64::NAN;
    }
    if largest == 0.0 || values.len() <= 1 {
        return largest;
    }
    let (_, exponent) = libm::frexp(largest);
    let (mut sum, mut first, mut second, mut third) = (1.0, 0.0, 0.0, 0.0);
    let add = |sum: &mut f64, lost: &mut f64, x: f64| {
        let before = *sum;
        *sum += x;
        *lost += (before - *sum) + x;
    };
    if exponent < -1023 {
        // The scale itself would overflow; such tiny values lose nothing by plain division.
        for value in values {
            let x = value / largest;
            add(&mut sum, &mut first, x * x);
        }
        return largest * (sum - 1.0 + first).sqrt();
    }
    let scale = libm::ldexp(1.0, -exponent);
    for value in values {
        let (high, low) = halves(value * scale);
        add(&mut sum, &mut first, high * high);
        add(&mut sum, &mut second, 2.0 * high * low);
        third += low * low;
    }
    let root = (sum - 1.0 + (first + second + third)).sqrt();
    let (high, low) = halves(root);
    add(&mut sum, &mut first, -high * high);
    add(&mut sum, &mut second, -2.0 * high * low);
    add(&mut sum, &mut third, -low * low);
    let rest = sum - 1.0 + (first + second + third);
    (root + rest / (2.0 * root)) / scale
}

fn norm_of(values: &[f64]) -> f64 {
    let sizes: Vec<f64> = values.iter().map(|x| x.abs()).collect();
    let largest = sizes.iter().copied().fold(0.0, |a: f64, b| if b > a { b } else { a });
    norm(&sizes, largest, sizes.iter().any(|x| x.is_nan()))
}

pub(super) fn hypot(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let mut values = Vec::new();
    for value in items_of(&args.get(vm, 0)) {
        values.push(vm.float(&value)?);
    }
    Ok(Value::Float(norm_of(&values)))
}

pub(super) fn dist(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (p, q) = (args.get(vm, 0), args.get(vm, 1));
    let (p, q) = (vm.collect(&p)?, vm.collect(&q)?);
    if p.len() != q.len() {
        return Err(value_error("both points must have the same number of dimensions"));
    }
    let mut values = Vec::with_capacity(p.len());
    for (a, b) in p.iter().zip(&q) {
        let a = vm.float(a)?;
        values.push((a - vm.float(b)?).abs());
    }
    Ok(Value::Float(norm_of(&values)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(values: &[f64]) -> Fallible<f64> {
        let mut sum = ExactSum::default();
        for value in values {
            sum.add(*value)?;
        }
        sum.total()
    }

    #[test]
    fn sums_are_exact() {
        assert_eq!(sum(&[0.1; 10]).expect("finite"), 1.0);
        assert_eq!(sum(&[1e100, 1.0, -1e100, 1e-100, 1e50, -1e50]).expect("finite"), 1.0);
        assert_eq!(sum(&[1e16, 1.0, 1e-16]).expect("finite"), 10_000_000_000_000_002.0);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_err());
        assert!(sum(&[1e308, 1e308, -1e308]).is_err());
    }

    #[test]
    fn lengths_are_rounded_once() {
        assert_eq!(norm_of(&[3.0, 4.0]), 5.0);
        assert_eq!(norm_of(&[1e-320, 0.0]), 1e-320);
        assert_eq!(norm_of(&[f64::NAN, f64::INFINITY]), f64::INFINITY);
        assert_eq!(norm_of(&[1.0, 1.0, 1.0]), 1.7320508075688772);
    }
}
