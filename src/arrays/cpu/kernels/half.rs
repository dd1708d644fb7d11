//! Kernels over float16: only what depends on its own representation; arithmetic goes through float32.

use super::super::kernel::{Kernels, map1, plain1, plain2};
use crate::arrays::op::Op;
use half::f16;

fn ordered_step(x: f16, up: bool) -> f16 {
    let bits = x.to_bits();
    if bits & 0x7fff == 0 {
        return f16::from_bits(if up { 1 } else { 0x8001 });
    }
    let away = up == (bits & 0x8000 == 0);
    f16::from_bits(if away { bits + 1 } else { bits - 1 })
}

fn nextafter(x: f16, y: f16) -> f16 {
    if x.is_nan() || y.is_nan() {
        f16::NAN
    } else if x == y {
        x
    } else {
        ordered_step(x, y > x)
    }
}

fn spacing(x: f16) -> f16 {
    if !x.is_finite() {
        return f16::NAN;
    }
    // NumPy measures towards positive infinity here, unlike for the longer floats.
    let next = ordered_step(x, true);
    f16::from_f32(next.to_f32() - x.to_f32())
}

pub(super) fn find(op: Op) -> Option<Kernels> {
    Some(match op {
        Op::Negative => map1(|x: u16| x ^ 0x8000),
        Op::Positive | Op::Real | Op::Conjugate => map1(|x: u16| x),
        Op::Absolute | Op::Fabs => map1(|x: u16| x & 0x7fff),
        Op::Imag => map1(|_: u16| 0u16),
        Op::Signbit => map1(|x: u16| x & 0x8000 != 0),
        Op::Isnan => map1(|x: u16| x & 0x7fff > 0x7c00),
        Op::Isinf => map1(|x: u16| x & 0x7fff == 0x7c00),
        Op::Isfinite => map1(|x: u16| x & 0x7fff < 0x7c00),
        Op::LogicalNot => map1(|x: u16| x & 0x7fff == 0),
        Op::Nextafter => plain2(nextafter),
        Op::Spacing => plain1(spacing),
        _ => return None,
    })
}
