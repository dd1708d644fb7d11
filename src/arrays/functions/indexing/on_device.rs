//! Subscripts by index arrays and masks that never visit the host: positions are computed by expressions, elements moved
//! by programs. Where the device cannot, nothing is answered and the host does it.

use super::positions::BoundsMode;
use crate::arrays::account;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::moves::{self, Masked, Points};
use crate::arrays::expr::{Expr, ReduceOp, Scan, cumulate};
use crate::arrays::functions::support;
use crate::arrays::layout::{Dims, Layout, Strides};
use crate::arrays::ledger;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};

fn number(value: i64) -> Expr {
    Expr::constant(Scalar::Int(value.into()), DType::Int64)
}

fn apply(op: Op, inputs: &[Expr]) -> Result<Expr, ArrayError> {
    Expr::apply(op, inputs, Flavour::NumPy)
}

/// The account says that the host selects elements of a device that computes itself; a function that does so by its name says it
/// where it touches them.
pub(super) fn note_on_host(array: &Array) {
    let computes = array.place().queue().is_some_and(|queue| queue.device().computes());
    if computes && ledger::op().is_empty() {
        account::note_host_fallback("subscript", array.bytes() as u64);
    }
}

/// Whether all arrays are where programs run.
pub(super) fn is_for_programs(arrays: &[&Array]) -> bool {
    arrays.first().is_some_and(|first| {
        moves::runs_programs(first.place()) && arrays.iter().all(|array| array.place() == first.place())
    })
}

/// The first of the indices for which a condition holds; nothing when it holds for none.
fn first_where(indices: &Array, condition: &Expr) -> Result<Option<i64>, ArrayError> {
    let condition = Expr::array(&condition.evaluate()?);
    let any = condition.reduce(ReduceOp::Any, None, false, None, Flavour::NumPy)?.evaluate()?;
    if any.read_scalar(&[])? != Scalar::Bool(true) {
        return Ok(None);
    }
    let first = condition.reduce(ReduceOp::Argmax, None, false, None, Flavour::NumPy)?.evaluate()?;
    let first = first.read_scalar(&[])?.wrapping_int() as usize;
    Ok(Some(indices.read_flat(first)?.wrapping_int() as i64))
}

/// Whether indices are outside `0..len`.
fn outside(index: &Expr, len: usize) -> Result<Expr, ArrayError> {
    let below = apply(Op::Less, &[index.clone(), number(0)])?;
    apply(Op::LogicalOr, &[below, apply(Op::GreaterEqual, &[index.clone(), number(len as i64)])?])
}

/// The first index outside `0..len`, as it stands in the array.
pub(super) fn first_outside(indices: &Array, len: usize) -> Result<Option<i64>, ArrayError> {
    first_where(indices, &outside(&Expr::array(indices).cast(DType::Int64), len)?)
}

/// Indices along an axis of `len`, resolved to `0..len` as the mode says; one that cannot be is an error.
pub(super) fn checked(indices: &Array, axis: usize, len: usize, mode: BoundsMode) -> Result<Array, ArrayError> {
    let index = Expr::array(indices).cast(DType::Int64);
    let end = number(len as i64);
    match mode {
        BoundsMode::Wrap if len > 0 => apply(Op::Remainder, &[index, end])?.evaluate(),
        BoundsMode::Clip if len > 0 => {
            let least = apply(Op::Maximum, &[index, number(0)])?;
            apply(Op::Minimum, &[least, number(len as i64 - 1)])?.evaluate()
        }
        BoundsMode::Negative if len > 0 => {
            let least = apply(Op::Maximum, &[index, number(-(len as i64))])?;
            let limited = apply(Op::Minimum, &[least, number(len as i64 - 1)])?;
            apply(Op::Remainder, &[limited, end])?.evaluate()
        }
        BoundsMode::Raise | BoundsMode::Wrap | BoundsMode::Clip | BoundsMode::Negative => {
            let negative = apply(Op::Less, &[index.clone(), number(0)])?;
            let from_end = apply(Op::Add, &[index.clone(), end])?;
            let resolved = apply(Op::Where, &[negative, from_end, index])?.evaluate()?;
            match first_where(indices, &outside(&Expr::array(&resolved), len)?)? {
                Some(index) => Err(ArrayError::IndexOutOfBounds { index, axis, len }),
                None => Ok(resolved),
            }
        }
    }
}

/// The offsets of points: the sum, over index arrays that have been checked, of index times stride. One axis.
pub(super) fn offsets(checked: &[(Array, isize)], shape: &[usize]) -> Result<Option<Array>, ArrayError> {
    let mut sum: Option<Expr> = None;
    for (indices, stride) in checked {
        let along = apply(Op::Multiply, &[Expr::array(indices), number(*stride as i64)])?.broadcast_to(shape)?;
        sum = Some(match sum {
            Some(sum) => apply(Op::Add, &[sum, along])?,
            None => along,
        });
    }
    let Some(sum) = sum else { return Ok(None) };
    let len = shape.iter().product();
    let offsets = Array::for_overwrite(shape, DType::Int64, &checked[0].0.alloc())?;
    sum.evaluate_into(&offsets, None)?;
    Ok(Some(offsets.view(Layout::contiguous(&[len]))))
}

/// Which elements are a number.
pub(super) fn equal_to(array: &Array, value: i64) -> Result<Array, ArrayError> {
    apply(Op::Equal, &[Expr::array(array), number(value)])?.evaluate()
}

/// Where each element of a layout lies, counted from its first, in C order.
pub(super) fn offsets_of(layout: &Layout, alloc: &Alloc) -> Result<Option<Array>, ArrayError> {
    let into = Array::for_overwrite(&[layout.len_elements()], DType::Int64, alloc)?;
    let done = into.len_elements() == 0 || moves::number(layout, &into)?;
    Ok(done.then_some(into))
}

/// What is needed to write by index arrays that have been checked, each with the length of its axis: a number for each point,
/// the same for the same elements.
pub(super) fn slots(checked: &[(Array, usize)], shape: &[usize]) -> Result<Option<(Array, usize)>, ArrayError> {
    let mut len = 1usize;
    let mut steps = Vec::with_capacity(checked.len());
    for (indices, axis_len) in checked.iter().rev() {
        steps.push((indices.clone(), len as isize));
        let Some(longer) = len.checked_mul(*axis_len) else { return Ok(None) };
        len = longer;
    }
    Ok(offsets(&steps, shape)?.map(|numbers| (numbers, len)))
}

/// Elements repeated one after the other, or cut, to make so many; nothing where the device cannot.
pub(super) fn cycled(values: &Array, len: usize) -> Result<Option<Array>, ArrayError> {
    let values = support::contiguous(values)?;
    let have = values.len_elements();
    let flat = values.view(Layout { offset: values.layout().offset, ..Layout::contiguous(&[have]) });
    if have >= len {
        return Ok(Some(flat.view(flat.layout().slice_axis(0, 0, len))));
    }
    let Some(counted) = offsets_of(&Layout::contiguous(&[len]), &values.alloc())? else { return Ok(None) };
    let turns = apply(Op::Remainder, &[Expr::array(&counted), number(have as i64)])?.evaluate()?;
    let all = Layout { shape: Dims::new(), strides: Strides::new(), offset: flat.layout().offset };
    let rest = Layout { offset: 0, ..all.clone() };
    let into = Array::for_overwrite(&[len], values.dtype(), &values.alloc())?;
    let done = moves::gather(&flat, Points { before: &all, after: &rest, offsets: &turns }, &into)?;
    Ok(done.then_some(into))
}

/// How many elements are not zero.
pub(super) fn count_nonzero(array: &Array) -> Result<usize, ArrayError> {
    let truths = Expr::array(array).cast(DType::Bool).cast(DType::Int64);
    let count = truths.reduce(ReduceOp::Sum, None, false, None, Flavour::NumPy)?.evaluate()?;
    Ok(count.read_scalar(&[])?.wrapping_int() as usize)
}

/// One row of indices per element that is not zero; nothing where the device cannot.
pub(super) fn argwhere(array: &Array) -> Result<Option<Array>, ArrayError> {
    let mask = Expr::array(array).cast(DType::Bool).evaluate()?;
    let (running, count) = running_count(&mask)?;
    let rank = array.rank();
    let result = Array::for_overwrite(&[count, rank], DType::Int64, &array.alloc())?;
    let inner = Layout { shape: Dims::new(), strides: Strides::new(), offset: 0 };
    for axis in 0..rank {
        // Under these strides an element lies as far as its index along the axis.
        let strides = (0..rank).map(|other| isize::from(other == axis)).collect();
        let outer = Layout { shape: array.shape().into(), strides, offset: 0 };
        let column =
            Layout { shape: Dims::from_slice(&[count]), strides: Strides::from_slice(&[rank as isize]), offset: axis };
        let column = result.view(column);
        let masked = Masked { outer: &outer, inner: &inner, mask: &mask, count: &running };
        if count > 0 && !moves::find(masked, &column)? {
            return Ok(None);
        }
    }
    Ok(Some(result))
}

/// Flat positions taken apart into one index array for each axis; the positions are inside.
pub(super) fn unravelled(positions: &Array, shape: &[usize], strides: &[isize]) -> Result<Vec<Array>, ArrayError> {
    let flat = Expr::array(positions).cast(DType::Int64);
    let along = |(&len, &stride): (&usize, &isize)| {
        let steps = apply(Op::FloorDivide, &[flat.clone(), number(stride as i64)])?;
        apply(Op::Remainder, &[steps, number(len.max(1) as i64)])?.evaluate()
    };
    shape.iter().zip(strides).map(along).collect()
}

/// How many elements of a mask are true up to and including each, in C order, and how many in all.
pub(super) fn running_count(mask: &Array) -> Result<(Array, usize), ArrayError> {
    let count = cumulate(Scan::Sum, &Expr::array(mask), None, Some(DType::Int64))?;
    let total = match count.len_elements() {
        0 => 0,
        len => count.read_flat(len - 1)?.wrapping_int() as usize,
    };
    Ok((count, total))
}

/// A value where a mask is true, which stands for the first axes.
pub(super) fn fill(array: &Array, mask: &Array, value: Scalar) -> Result<(), ArrayError> {
    let mut layout = mask.layout().clone();
    for axis in mask.rank()..array.rank() {
        layout = layout.expand(axis);
    }
    let mask = mask.view(layout).broadcast_to(array.shape())?;
    let value = Expr::scalar(Operand::Typed(value, array.dtype()));
    value.evaluate_into(array, Some(&mask))
}
