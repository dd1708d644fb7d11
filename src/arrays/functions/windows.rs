//! Window functions of signal processing, and `unwrap`.

use super::calculus::{self, add, number, subtract};
use super::support;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::layout::{Order, normalize_axis};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

/// Which window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Window {
    /// A triangle that reaches zero.
    Bartlett,
    /// Three cosines.
    Blackman,
    /// A raised cosine that does not reach zero.
    Hamming,
    /// A raised cosine.
    Hanning,
    /// A Bessel function with this shape parameter.
    Kaiser(f64),
}

/// A window of `count` points.
pub fn window(kind: Window, count: i64, alloc: &Alloc, flavour: Flavour) -> Result<Array, ArrayError> {
    let dtype = DType::default_float(alloc.place.fp64());
    let len = usize::try_from(count).unwrap_or(0);
    if len <= 1 {
        return super::creation::ones(&[len], dtype, Order::C, alloc);
    }
    let edge = (len - 1) as f64;
    if let Window::Kaiser(beta) = kind {
        return kaiser(len, beta, dtype, alloc, flavour);
    }
    let values = support::HostValues::collect(
        len,
        (0..len).map(|place| {
            // NumPy walks from 1 - M to M - 1 in steps of two, which keeps the window symmetric.
            let n = 2.0 * place as f64 - edge;
            let cosine = |turns: f64| (std::f64::consts::PI * turns * n / edge).cos();
            match kind {
                Window::Bartlett if n <= 0.0 => 1.0 + n / edge,
                Window::Bartlett => 1.0 - n / edge,
                Window::Blackman => 0.42 + 0.5 * cosine(1.0) + 0.08 * cosine(2.0),
                Window::Hamming => 0.54 + 0.46 * cosine(1.0),
                Window::Hanning | Window::Kaiser(_) => 0.5 + 0.5 * cosine(1.0),
            }
        }),
    )?;
    placed(&values, dtype, alloc)
}

fn placed(values: &[f64], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    let array = Array::from_slice(values, &[values.len()], &Alloc::HOST)?;
    super::convert::copy_to(&array, Some(dtype), alloc)
}

fn kaiser(len: usize, beta: f64, dtype: DType, alloc: &Alloc, flavour: Flavour) -> Result<Array, ArrayError> {
    let half = (len - 1) as f64 / 2.0;
    let inside = support::HostValues::collect(
        len,
        (0..len).map(|place| {
            let offset = (place as f64 - half) / half;
            beta * (1.0 - offset * offset).max(0.0).sqrt()
        }),
    )?;
    let bessel = |value: Expr| Expr::apply(Op::I0, &[value], flavour);
    let above = bessel(Expr::array(&placed(&inside, dtype, alloc)?))?;
    let below = bessel(Expr::scalar(Operand::Weak(Scalar::Float(beta))))?;
    calculus::divide(&above, &below, flavour)?.evaluate()
}

/// `unwrap`: jumps of more than half a period (or `discont`) between neighbours are taken out.
pub fn unwrap(
    array: &Array,
    discont: Option<f64>,
    axis: i64,
    period: f64,
    whole_period: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let axis = normalize_axis(axis, array.rank())?;
    let steps = calculus::diff(array, 1, axis as i64, None, None, flavour)?;
    let whole = whole_period && (array.dtype().is_integer() || array.dtype().is_bool());
    let weak =
        |value: f64| Expr::scalar(Operand::Weak(if whole { Scalar::Int(value as i128) } else { Scalar::Float(value) }));
    let half = if whole { (period as i64).div_euclid(2) as f64 } else { period / 2.0 };
    let ambiguous = !whole || (period as i64) % 2 == 0;
    let low = if whole { -((period as i64).div_euclid(2) as f64) } else { -period / 2.0 };
    let step = Expr::array(&steps);
    let shifted = Expr::apply(Op::Remainder, &[subtract(&step, &weak(low), flavour)?, weak(period)], flavour)?;
    let mut folded = add(&shifted, &weak(low), flavour)?;
    if ambiguous {
        // A step of exactly half a period keeps its direction.
        let at_low = Expr::apply(Op::Equal, &[folded.clone(), weak(low)], flavour)?;
        let rising = Expr::apply(Op::Greater, &[step.clone(), weak(0.0)], flavour)?;
        let both = Expr::apply(Op::LogicalAnd, &[at_low, rising], flavour)?;
        folded = Expr::apply(Op::Where, &[both, weak(half), folded], flavour)?;
    }
    let correction = subtract(&folded, &step, flavour)?;
    let small = Expr::apply(
        Op::Less,
        &[Expr::apply(Op::Absolute, &[step], flavour)?, number(discont.unwrap_or(period / 2.0))],
        flavour,
    )?;
    let zero = Expr::scalar(Operand::Weak(Scalar::Int(0)));
    let correction = Expr::apply(Op::Where, &[small, zero, correction], flavour)?.evaluate()?;
    let summed = super::scans::scan(super::scans::ScanOp::Sum, &correction, Some(axis as i64), None, false, flavour)?;
    let dtype = array.dtype().promote(summed.dtype());
    let result = support::allocate(array.shape(), dtype, &array.alloc())?;
    let part = |array: &Array, start: usize, len: usize| array.view(array.layout().slice_axis(axis, start, len));
    let len = array.shape()[axis];
    support::copy_into(&result, array)?;
    if len > 1 {
        let rest = part(&result, 1, len - 1);
        add(&Expr::array(&part(array, 1, len - 1)), &Expr::array(&summed), flavour)?.evaluate_into(&rest, None)?;
    }
    Ok(result)
}
