//! `pad`: an array with borders filled by one of NumPy's rules.

use super::indexing::{self, BoundsMode};
use super::statistics;
use super::support;
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::layout::Dims;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

/// What fills the borders. Pairs are for the front and the back of each axis.
#[derive(Clone, Debug)]
pub enum PadMode {
    /// These values.
    Constant(Vec<(Operand, Operand)>),
    /// The outermost elements.
    Edge,
    /// A line from the outermost element to these values.
    LinearRamp(Vec<(Operand, Operand)>),
    /// The largest of so many outermost elements (none: of all).
    Maximum(Option<Vec<(usize, usize)>>),
    /// Their mean.
    Mean(Option<Vec<(usize, usize)>>),
    /// Their median.
    Median(Option<Vec<(usize, usize)>>),
    /// The smallest of them.
    Minimum(Option<Vec<(usize, usize)>>),
    /// Mirrored at the outermost element; odd: turned around it.
    Reflect {
        /// `reflect_type="odd"`.
        odd: bool,
    },
    /// Mirrored at the edge of the outermost element; odd: turned around it.
    Symmetric {
        /// `reflect_type="odd"`.
        odd: bool,
    },
    /// The array repeated.
    Wrap,
    /// Nothing in particular.
    Empty,
}

/// `pad` with the number of elements before and after along each axis.
pub fn pad(array: &Array, widths: &[(i64, i64)], mode: &PadMode, flavour: Flavour) -> Result<Array, ArrayError> {
    if widths.len() != array.rank() {
        return Err(ArrayError::value(format!(
            "operands could not be broadcast together with remapped shapes [original->remapped]: ({},2)  and requested shape ({},2)",
            widths.len(),
            array.rank()
        )));
    }
    let widths: Vec<(usize, usize)> = widths
        .iter()
        .map(|(before, after)| {
            let length = |width: i64| {
                usize::try_from(width).map_err(|_| ArrayError::value("index can't contain negative values"))
            };
            Ok((length(*before)?, length(*after)?))
        })
        .collect::<Result<_, ArrayError>>()?;
    let needs_elements = !matches!(mode, PadMode::Constant(_) | PadMode::Empty);
    for (axis, (before, after)) in widths.iter().enumerate() {
        if needs_elements && array.shape()[axis] == 0 && before + after > 0 {
            return Err(ArrayError::value(format!(
                "can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            )));
        }
    }
    if let PadMode::Edge | PadMode::Wrap | PadMode::Reflect { odd: false } | PadMode::Symmetric { odd: false } = mode {
        return by_index(array, &widths, mode);
    }
    if let PadMode::Reflect { odd: true } | PadMode::Symmetric { odd: true } = mode {
        return turned(array, &widths, mode, flavour);
    }
    let mut shape = Dims::new();
    for (len, (before, after)) in array.shape().iter().zip(&widths) {
        shape.push(support::add_lengths(support::add_lengths(*len, *before)?, *after)?);
    }
    let result = match mode {
        PadMode::Empty => Array::empty(&shape, array.dtype(), &array.alloc())?,
        _ => support::allocate(&shape, array.dtype(), &array.alloc())?,
    };
    let mut inside = result.layout().clone();
    for (axis, (before, _)) in widths.iter().enumerate() {
        inside = inside.slice_axis(axis, *before, array.shape()[axis]);
    }
    support::copy_into(&result.view(inside.clone()), array)?;
    // Axis by axis; each works on what the earlier ones have filled already.
    let mut filled = inside;
    for (axis, (before, after)) in widths.iter().enumerate() {
        let len = array.shape()[axis];
        let mut across = filled.clone();
        across.offset = (across.offset as isize - *before as isize * across.strides[axis]) as usize;
        across.shape[axis] = shape[axis];
        let region = result.view(across.clone());
        fill_ends(&region, axis, (*before, len, *after), mode, flavour)?;
        filled = across;
    }
    Ok(result)
}

fn fill_ends(
    region: &Array,
    axis: usize,
    (before, len, after): (usize, usize, usize),
    mode: &PadMode,
    flavour: Flavour,
) -> Result<(), ArrayError> {
    let part = |start: usize, count: usize| region.view(region.layout().slice_axis(axis, start, count));
    let (front, back) = (part(0, before), part(before + len, after));
    let inside = part(before, len);
    let edge = |back: bool, count: usize| {
        let count = count.min(len);
        inside.view(inside.layout().slice_axis(axis, if back { len - count } else { 0 }, count))
    };
    match mode {
        PadMode::Constant(values) => {
            let (first, last) = values[axis.min(values.len() - 1)];
            for (border, value) in [(front, first), (back, last)] {
                let value = match value {
                    Operand::Weak(value) => value.convert(region.dtype())?,
                    Operand::Typed(value, _) => value,
                };
                support::fill(&border, value)?;
            }
            Ok(())
        }
        PadMode::LinearRamp(values) => {
            let (first, last) = values[axis.min(values.len() - 1)];
            for (border, end, is_back) in [(front, first, false), (back, last, true)] {
                let count = border.shape()[axis];
                let ramp = edge(is_back, 1);
                for step in 0..count {
                    // The end value itself is reached at the outermost place.
                    let from_end = if is_back { count - 1 - step } else { step };
                    let weight = from_end as f64 / count as f64;
                    let place = border.view(border.layout().slice_axis(axis, step, 1));
                    ramp_step(&ramp, end, weight, flavour)?.evaluate_into(&place, None)?;
                }
            }
            Ok(())
        }
        PadMode::Maximum(lengths) | PadMode::Minimum(lengths) | PadMode::Mean(lengths) | PadMode::Median(lengths) => {
            let (first, last) = match lengths {
                None => (len, len),
                Some(lengths) => lengths[axis.min(lengths.len() - 1)],
            };
            if (first == 0 || last == 0) && matches!(mode, PadMode::Maximum(_) | PadMode::Minimum(_)) {
                return Err(ArrayError::value("stat_length of 0 yields no value for padding"));
            }
            for (border, count, is_back) in [(front, first, false), (back, last, true)] {
                let value = border_statistic(&edge(is_back, count), axis as i64, mode, flavour)?;
                value.evaluate_into(&border, None)?;
            }
            Ok(())
        }
        PadMode::Empty | PadMode::Edge | PadMode::Wrap | PadMode::Reflect { .. } | PadMode::Symmetric { .. } => Ok(()),
    }
}

/// A point between the end value (weight 0) and the edge (weight 1), as `numpy.linspace` rounds it.
fn ramp_step(edge: &Array, end: Operand, weight: f64, flavour: Flavour) -> Result<Expr, ArrayError> {
    let real = edge.dtype().promote(DType::Float64);
    let edge_value = Expr::array(edge).cast(real);
    let end_value = Expr::scalar(Operand::Weak(Scalar::Float(end.scalar().real())));
    let weight = Expr::scalar(Operand::Weak(Scalar::Float(weight)));
    let run = Expr::apply(Op::Subtract, &[edge_value, end_value.clone()], flavour)?;
    let offset = Expr::apply(Op::Multiply, &[run, weight], flavour)?;
    let value = Expr::apply(Op::Add, &[offset, end_value], flavour)?;
    if edge.dtype().is_integer() { Expr::apply(Op::Floor, &[value], flavour) } else { Ok(value) }
}

fn border_statistic(edge: &Array, axis: i64, mode: &PadMode, flavour: Flavour) -> Result<Expr, ArrayError> {
    let reduced = |op: ReduceOp| Expr::array(edge).reduce(op, Some(&[axis]), true, None, flavour);
    let value = match mode {
        PadMode::Maximum(_) => return Ok(Expr::array(&reduced(ReduceOp::Maximum)?.evaluate()?)),
        PadMode::Minimum(_) => return Ok(Expr::array(&reduced(ReduceOp::Minimum)?.evaluate()?)),
        PadMode::Median(_) => Expr::array(&statistics::median(edge, Some(&[axis]), true, false)?),
        _ => Expr::array(&reduced(ReduceOp::Mean)?.evaluate()?),
    };
    if edge.dtype().is_integer() { Expr::apply(Op::Rint, &[value], flavour) } else { Ok(value) }
}

/// Modes that only repeat elements: each axis is taken by index.
fn by_index(array: &Array, widths: &[(usize, usize)], mode: &PadMode) -> Result<Array, ArrayError> {
    let mut result = support::copy(array, crate::arrays::layout::Order::C)?;
    for (axis, (before, after)) in widths.iter().enumerate() {
        if before + after == 0 {
            continue;
        }
        let len = array.shape()[axis] as i64;
        let places: Vec<i64> =
            (-(*before as i64)..len + *after as i64).map(|place| source_of(place, len, mode)).collect();
        let indices = Array::from_slice(&places, &[places.len()], &crate::arrays::array::Alloc::HOST)?;
        result = indexing::take(&result, &indices, Some(axis as i64), BoundsMode::Raise)?;
    }
    Ok(result)
}

/// Which element stands at a place that may lie outside `0..len`.
fn source_of(place: i64, len: i64, mode: &PadMode) -> i64 {
    match mode {
        PadMode::Wrap => place.rem_euclid(len),
        PadMode::Symmetric { .. } => {
            let folded = place.rem_euclid(2 * len);
            if folded < len { folded } else { 2 * len - 1 - folded }
        }
        PadMode::Reflect { .. } if len > 1 => {
            let period = 2 * (len - 1);
            let folded = place.rem_euclid(period);
            if folded < len { folded } else { period - folded }
        }
        _ => place.clamp(0, len - 1),
    }
}

/// Odd reflections: 2 * edge - mirrored, grown outwards until the border is full.
fn turned(array: &Array, widths: &[(usize, usize)], mode: &PadMode, flavour: Flavour) -> Result<Array, ArrayError> {
    let skip = usize::from(matches!(mode, PadMode::Reflect { .. }));
    let mut result = array.clone();
    for (axis, (before, after)) in widths.iter().enumerate() {
        let (mut left, mut right) = (*before, *after);
        while left + right > 0 {
            let len = result.shape()[axis];
            let reach = len.saturating_sub(skip);
            let (front, back) = (left.min(reach), right.min(reach));
            if front + back == 0 {
                // A single element has nothing to mirror: it is repeated.
                let mut edges = vec![(0, 0); array.rank()];
                edges[axis] = (left, right);
                result = by_index(&result, &edges, &PadMode::Edge)?;
                break;
            }
            let part = |start: usize, count: usize| result.view(result.layout().slice_axis(axis, start, count));
            let turn = |mirrored: Array, edge: Array| -> Result<Array, ArrayError> {
                let mirrored = super::rearrange::flip(&mirrored, Some(&[axis as i64]))?;
                let twice = Expr::apply(
                    Op::Multiply,
                    &[Expr::array(&edge), Expr::scalar(Operand::Weak(Scalar::Int(2)))],
                    flavour,
                )?;
                Expr::apply(Op::Subtract, &[twice, Expr::array(&mirrored)], flavour)?.evaluate()
            };
            let first = turn(part(skip, front), part(0, 1))?;
            let last = turn(part(len - skip - back, back), part(len - 1, 1))?;
            let pieces = [&first, &result, &last];
            result =
                super::joining::concatenate(&pieces, Some(axis as i64), super::joining::JoinOptions::plain(flavour))?;
            left -= front;
            right -= back;
        }
    }
    support::cast(&result, array.dtype())
}
