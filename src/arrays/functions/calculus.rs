//! Differences, derivatives, integrals and interpolation of sampled functions; convolution.

use num_complex::Complex64;

use super::arithmetic::Numeric;
use super::joining::{JoinOptions, concatenate};
use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::layout::normalize_axis;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

pub(super) fn number(value: f64) -> Expr {
    Expr::scalar(Operand::Weak(Scalar::Float(value)))
}

pub(super) fn add(left: &Expr, right: &Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    Expr::apply(Op::Add, &[left.clone(), right.clone()], flavour)
}

pub(super) fn subtract(left: &Expr, right: &Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    Expr::apply(Op::Subtract, &[left.clone(), right.clone()], flavour)
}

pub(super) fn multiply(left: &Expr, right: &Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    Expr::apply(Op::Multiply, &[left.clone(), right.clone()], flavour)
}

pub(super) fn divide(left: &Expr, right: &Expr, flavour: Flavour) -> Result<Expr, ArrayError> {
    Expr::apply(Op::Divide, &[left.clone(), right.clone()], flavour)
}

/// The part of an array from `start`, `len` long, along an axis.
fn part(array: &Array, axis: usize, start: usize, len: usize) -> Array {
    array.view(array.layout().slice_axis(axis, start, len))
}

/// `diff`: the n-th differences along an axis, after joining what is prepended and appended.
pub fn diff(
    array: &Array,
    n: i64,
    axis: i64,
    prepend: Option<&Array>,
    append: Option<&Array>,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    if n == 0 {
        return Ok(array.clone());
    }
    if n < 0 {
        return Err(ArrayError::value(format!("order must be non-negative but got {n}")));
    }
    if array.rank() == 0 {
        return Err(ArrayError::value("diff requires input that is at least one dimensional"));
    }
    let axis = normalize_axis(axis, array.rank())?;
    let widened = |end: &Array| -> Result<Array, ArrayError> {
        if end.rank() > 0 {
            return Ok(end.clone());
        }
        let mut shape = array.shape().to_vec();
        shape[axis] = 1;
        shapes::broadcast_to(end, &shape)
    };
    let ends = [prepend.map(widened).transpose()?, append.map(widened).transpose()?];
    let mut current = match &ends {
        [None, None] => array.clone(),
        [before, after] => {
            let pieces: Vec<&Array> = before.iter().chain([array]).chain(after).collect();
            concatenate(&pieces, Some(axis as i64), JoinOptions::plain(flavour))?
        }
    };
    for _ in 0..n {
        let len = current.shape()[axis].saturating_sub(1);
        let (high, low) = (part(&current, axis, current.shape()[axis] - len, len), part(&current, axis, 0, len));
        let op = if array.dtype().is_bool() { Op::NotEqual } else { Op::Subtract };
        current = Expr::apply(op, &[Expr::array(&high), Expr::array(&low)], flavour)?.evaluate()?;
        if len == 0 {
            break;
        }
    }
    Ok(current)
}

/// `ediff1d`: differences of the flattened array, with values put before and behind.
pub fn ediff1d(
    array: &Array,
    to_begin: Option<&Array>,
    to_end: Option<&Array>,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let flat = shapes::ravel(array, MemoryOrder::C)?;
    let len = flat.len_elements().saturating_sub(1);
    let (high, low) = (part(&flat, 0, flat.len_elements() - len, len), part(&flat, 0, 0, len));
    // Unlike `diff`, this refuses booleans.
    let differences = subtract(&Expr::array(&high), &Expr::array(&low), flavour)?.evaluate()?;
    let flattened = |end: &Array| -> Result<Array, ArrayError> {
        support::cast(&shapes::ravel(end, MemoryOrder::C)?, differences.dtype())
    };
    let (begin, end) = (to_begin.map(flattened).transpose()?, to_end.map(flattened).transpose()?);
    let pieces: Vec<&Array> = begin.iter().chain([&differences]).chain(&end).collect();
    match pieces.len() {
        1 => Ok(differences.clone()),
        _ => concatenate(&pieces, Some(0), JoinOptions::plain(flavour)),
    }
}

/// Where the samples of one axis of `gradient` are.
#[derive(Clone, Debug)]
pub enum Spacing {
    /// Equally far apart.
    Uniform(f64),
    /// At these coordinates.
    Coordinates(Array),
}

/// `gradient` along one axis: central differences inside, one-sided ones of the given order at the ends.
pub fn gradient(
    array: &Array,
    spacing: &Spacing,
    axis: i64,
    edge_order: i64,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let axis = normalize_axis(axis, array.rank())?;
    if !(1..=2).contains(&edge_order) {
        return Err(ArrayError::value("'edge_order' greater than 2 not supported"));
    }
    let len = array.shape()[axis];
    if len < edge_order as usize + 1 {
        return Err(ArrayError::value(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.",
        ));
    }
    let dtype = if array.dtype().is_inexact() { array.dtype() } else { DType::default_float(array.place().fp64()) };
    let samples = support::cast(array, dtype)?;
    let steps = steps_of(spacing, len)?;
    let result = support::allocate(array.shape(), dtype, &array.alloc())?;
    let at = |start: usize, len: usize| Expr::array(&part(&samples, axis, start, len));
    // Distances taken from coordinates are float64 values, which widen the arithmetic; a Python number does not.
    let typed = matches!(spacing, Spacing::Coordinates(_)) && array.place().fp64();
    let factor = |value: f64| if typed { Expr::constant(Scalar::Float(value), DType::Float64) } else { number(value) };
    if len > 2 {
        let inside = match &steps {
            Steps::Uniform(step) => {
                divide(&subtract(&at(2, len - 2), &at(0, len - 2), flavour)?, &factor(2.0 * step), flavour)?
            }
            Steps::Each(steps) => {
                let shaped = |values: Vec<f64>| -> Result<Expr, ArrayError> {
                    let mut shape = vec![1; array.rank()];
                    shape[axis] = values.len();
                    let column = Array::from_slice(&values, &shape, &Alloc::HOST)?;
                    Ok(Expr::array(&super::convert::copy_to(&column, None, &array.alloc())?))
                };
                let weights = |of: &dyn Fn(f64, f64) -> f64| -> Vec<f64> {
                    steps.windows(2).map(|pair| of(pair[0], pair[1])).collect()
                };
                let before = shaped(weights(&|left, right| -right / (left * (left + right))))?;
                let here = shaped(weights(&|left, right| (right - left) / (left * right)))?;
                let after = shaped(weights(&|left, right| left / (right * (left + right))))?;
                let first = multiply(&before, &at(0, len - 2), flavour)?;
                let second = multiply(&here, &at(1, len - 2), flavour)?;
                let third = multiply(&after, &at(2, len - 2), flavour)?;
                add(&add(&first, &second, flavour)?, &third, flavour)?
            }
        };
        inside.evaluate_into(&part(&result, axis, 1, len - 2), None)?;
    }
    if edge_order == 1 {
        for (start, target, step) in [(0, 0, steps.at(0)), (len - 2, len - 1, steps.at(len - 2))] {
            let edge = divide(&subtract(&at(start + 1, 1), &at(start, 1), flavour)?, &factor(step), flavour)?;
            edge.evaluate_into(&part(&result, axis, target, 1), None)?;
        }
        return Ok(result);
    }
    let combine = |start: usize, weights: [f64; 3]| -> Result<Expr, ArrayError> {
        let term = |offset: usize| multiply(&factor(weights[offset]), &at(start + offset, 1), flavour);
        add(&add(&term(0)?, &term(1)?, flavour)?, &term(2)?, flavour)
    };
    combine(0, steps.first_weights())?.evaluate_into(&part(&result, axis, 0, 1), None)?;
    combine(len - 3, steps.last_weights(len))?.evaluate_into(&part(&result, axis, len - 1, 1), None)?;
    Ok(result)
}

enum Steps {
    Uniform(f64),
    Each(Vec<f64>),
}

impl Steps {
    fn at(&self, position: usize) -> f64 {
        match self {
            Steps::Uniform(step) => *step,
            Steps::Each(steps) => steps[position],
        }
    }

    fn first_weights(&self) -> [f64; 3] {
        match self {
            Steps::Uniform(step) => [-1.5 / step, 2.0 / step, -0.5 / step],
            Steps::Each(steps) => {
                let (first, second) = (steps[0], steps[1]);
                let both = first + second;
                [-(2.0 * first + second) / (first * both), both / (first * second), -first / (second * both)]
            }
        }
    }

    fn last_weights(&self, len: usize) -> [f64; 3] {
        match self {
            Steps::Uniform(step) => [0.5 / step, -2.0 / step, 1.5 / step],
            Steps::Each(steps) => {
                let (first, second) = (steps[len - 3], steps[len - 2]);
                let both = first + second;
                [second / (first * both), -both / (first * second), (2.0 * second + first) / (second * both)]
            }
        }
    }
}

fn steps_of(spacing: &Spacing, len: usize) -> Result<Steps, ArrayError> {
    match spacing {
        Spacing::Uniform(step) => Ok(Steps::Uniform(*step)),
        Spacing::Coordinates(places) => {
            if places.rank() != 1 {
                return Err(ArrayError::value("distances must be either scalars or 1d"));
            }
            if places.len_elements() != len {
                return Err(ArrayError::value(
                    "when 1d, distances must match the length of the corresponding dimension",
                ));
            }
            let steps: Vec<f64> = support::reals(places)?.windows(2).map(|pair| pair[1] - pair[0]).collect();
            // Equal steps take the simpler formula, as in NumPy: the rounding differs.
            match steps.first() {
                Some(first) if steps.iter().all(|step| step == first) => Ok(Steps::Uniform(*first)),
                _ => Ok(Steps::Each(steps)),
            }
        }
    }
}

/// `trapezoid`: the integral by the trapezoidal rule along an axis.
pub fn trapezoid(y: &Array, x: Option<&Array>, dx: f64, axis: i64, flavour: Flavour) -> Result<Array, ArrayError> {
    let axis = normalize_axis(axis, y.rank())?;
    let widths = match x {
        None => number(dx),
        Some(x) if x.rank() == 1 => {
            let mut shape = vec![1; y.rank()];
            let steps = diff(x, 1, 0, None, None, flavour)?;
            shape[axis] = steps.len_elements() as i64;
            Expr::array(&shapes::reshape(&steps, &shape, MemoryOrder::C, None, flavour)?)
        }
        Some(x) => Expr::array(&diff(x, 1, axis as i64 - y.rank() as i64, None, None, flavour)?),
    };
    let len = y.shape()[axis].saturating_sub(1);
    let high = Expr::array(&part(y, axis, y.shape()[axis] - len, len));
    let low = Expr::array(&part(y, axis, 0, len));
    let doubled = multiply(&widths, &add(&high, &low, flavour)?, flavour)?;
    divide(&doubled, &number(2.0), flavour)?
        .reduce(ReduceOp::Sum, Some(&[axis as i64]), false, None, flavour)?
        .evaluate()
}

/// How far `convolve` and `correlate` let the inputs hang over each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlapMode {
    /// Wherever they touch.
    Full,
    /// As long as the longer input, centred.
    Same,
    /// Where they overlap completely.
    Valid,
}

impl OverlapMode {
    /// Reads NumPy's name, or gives its error.
    pub fn parse(name: &str) -> Result<Self, ArrayError> {
        match name {
            "full" => Ok(OverlapMode::Full),
            "same" => Ok(OverlapMode::Same),
            "valid" => Ok(OverlapMode::Valid),
            other => Err(ArrayError::value(format!("mode must be one of 'full', 'same', or 'valid' (got '{other}')"))),
        }
    }
}

/// `convolve`.
pub fn convolve(left: &Array, right: &Array, mode: OverlapMode) -> Result<Array, ArrayError> {
    let (left, right) = vectors(left, right, "a")?;
    let (longer, shorter) = if right.len_elements() > left.len_elements() { (right, left) } else { (left, right) };
    let full = slide(&longer, &super::rearrange::flip(&shorter, None)?, false)?;
    Ok(trimmed(&full, longer.len_elements(), shorter.len_elements(), mode))
}

/// `correlate`: the second input is conjugated.
pub fn correlate(left: &Array, right: &Array, mode: OverlapMode) -> Result<Array, ArrayError> {
    let (left, right) = vectors(left, right, "first array argument")?;
    let (first, second) = (left.len_elements(), right.len_elements());
    let full = slide(&left, &right, true)?;
    if second > first && mode == OverlapMode::Same {
        // The result is as long as the longer input; NumPy exchanges the inputs and reverses.
        let start = (first - 1) - (first - 1) / 2;
        return Ok(part(&full, 0, start, second));
    }
    if second > first && mode == OverlapMode::Valid {
        return Ok(part(&full, 0, first - 1, second - first + 1));
    }
    Ok(trimmed(&full, first, second, mode))
}

fn vectors(left: &Array, right: &Array, name: &str) -> Result<(Array, Array), ArrayError> {
    let (left, right) = (shapes::atleast_1d(left)?, shapes::atleast_1d(right)?);
    if left.rank() > 1 || right.rank() > 1 {
        return Err(ArrayError::value("object too deep for desired array"));
    }
    if left.len_elements() == 0 {
        return Err(ArrayError::value(format!("{name} cannot be empty")));
    }
    if right.len_elements() == 0 {
        let second = if name == "a" { "v" } else { "second array argument" };
        return Err(ArrayError::value(format!("{second} cannot be empty")));
    }
    Ok((left, right))
}

fn trimmed(full: &Array, longer: usize, shorter: usize, mode: OverlapMode) -> Array {
    match mode {
        OverlapMode::Full => full.clone(),
        OverlapMode::Same => part(full, 0, (shorter - 1) / 2, longer),
        OverlapMode::Valid => part(full, 0, shorter - 1, longer - shorter + 1),
    }
}

/// All sums of products of `left` with `right` sliding along it.
fn slide(left: &Array, right: &Array, conjugate: bool) -> Result<Array, ArrayError> {
    let alloc = support::common_alloc(&[left, right])?;
    let dtype = left.dtype().promote(right.dtype());
    let left = support::contiguous(&support::cast(left, dtype)?)?;
    let right = support::contiguous(&support::cast(right, dtype)?)?;
    let (n, m) = (left.len_elements(), right.len_elements());
    let full = support::allocate(&[support::add_lengths(n, m - 1)?], dtype, &alloc)?;
    dispatch!(dtype, T => left.with_slice::<T, _>(|left| right.with_slice::<T, _>(|right| {
        support::write::<T, _>(&full, |sums| {
            for (place, sum) in sums.iter_mut().enumerate() {
                if place % 256 == 0 {
                    crate::arrays::attention::check()?;
                }
                // Element `place` meets right[k] with left[place - (m - 1) + k].
                let first = (m - 1).saturating_sub(place);
                let last = m.min(n + m - 1 - place);
                let start = place + first + 1 - m;
                let pairs = left[start..].iter().zip(&right[first..last]);
                *sum = pairs.fold(T::ZERO, |sum, (left, right)| {
                    sum.plus(left.times(if conjugate { right.conjugate() } else { *right }))
                });
            }
            Ok(())
        })
    })?)?)?;
    Ok(full)
}

/// `interp`: piecewise linear through the points (xp, fp).
pub fn interp(
    x: &Array,
    xp: &Array,
    fp: &Array,
    left: Option<Scalar>,
    right: Option<Scalar>,
    period: Option<f64>,
) -> Result<Array, ArrayError> {
    if xp.rank() != 1 || fp.rank() != 1 {
        return Err(ArrayError::value("Data points must be 1-D sequences"));
    }
    if xp.len_elements() != fp.len_elements() {
        return Err(ArrayError::value("fp and xp are not of the same length."));
    }
    let alloc = support::common_alloc(&[x, xp, fp])?;
    let fp64 = alloc.place.fp64();
    let complex = fp.dtype().is_complex();
    let dtype = if complex { DType::default_complex(fp64) } else { DType::default_float(fp64) };
    let mut knots = support::reals(xp)?.to_vec();
    let mut values: Vec<Complex64> = support::scalars(fp)?.into_iter().map(Scalar::complex).collect();
    let mut places = support::reals(x)?;
    if let Some(period) = period {
        if period == 0.0 {
            return Err(ArrayError::value("period must be a non-zero value"));
        }
        let period = period.abs();
        places.iter_mut().for_each(|place| *place = place.rem_euclid(period));
        let mut points: Vec<(f64, Complex64)> = knots.iter().map(|knot| knot.rem_euclid(period)).zip(values).collect();
        points.sort_by(|left, right| left.0.total_cmp(&right.0));
        if let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) {
            points.insert(0, (last.0 - period, last.1));
            points.push((first.0 + period, first.1));
        }
        (knots, values) = points.into_iter().unzip();
    }
    let (Some(first), Some(last)) = (values.first().copied(), values.last().copied()) else {
        return Err(ArrayError::value("array of sample points is empty"));
    };
    let below = left.map_or(first, Scalar::complex);
    let above = right.map_or(last, Scalar::complex);
    let at = |place: f64| -> Complex64 {
        if place.is_nan() {
            return Complex64::new(place, 0.0);
        }
        let after = knots.partition_point(|knot| *knot <= place);
        if after == 0 {
            return below;
        }
        let here = after - 1;
        if after == knots.len() {
            return if place > knots[here] { above } else { values[here] };
        }
        if knots[here] == place {
            return values[here];
        }
        let run = knots[after] - knots[here];
        Complex64::new(
            between(place, (knots[here], knots[after]), run, (values[here].re, values[after].re)),
            if complex {
                between(place, (knots[here], knots[after]), run, (values[here].im, values[after].im))
            } else {
                0.0
            },
        )
    };
    let result = support::allocate(x.shape(), dtype, &alloc)?;
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        support::in_tiles(elements, |base, tile| {
            for (element, place) in tile.iter_mut().zip(&places[base..]) {
                *element = <T as Element>::from_scalar(Scalar::Complex(at(*place)));
            }
        })
    }))?;
    Ok(result)
}

/// A line through two points; where infinities make it NaN, from the other end, as NumPy tries.
fn between(place: f64, ends: (f64, f64), run: f64, values: (f64, f64)) -> f64 {
    let slope = (values.1 - values.0) / run;
    let from_left = slope * (place - ends.0) + values.0;
    if !from_left.is_nan() {
        return from_left;
    }
    let from_right = slope * (place - ends.1) + values.1;
    if from_right.is_nan() && values.0 == values.1 { values.0 } else { from_right }
}
