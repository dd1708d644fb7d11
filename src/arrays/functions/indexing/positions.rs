//! Where elements are: nonzero and its kin, and indices of diagonals, triangles and flattened positions.

use super::{on_device, truths};
use crate::arrays::array::Array;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp, moves};
use crate::arrays::functions::support;
use crate::arrays::layout::{BasicIndex, Dims, Layout, Order, checked_len};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

/// `nonzero`: per axis, the indices of the elements that are not zero. The arrays are columns of one block of memory.
pub fn nonzero(array: &Array) -> Result<Vec<Array>, ArrayError> {
    let found = argwhere(array)?;
    (0..array.rank())
        .map(|axis| {
            let all = BasicIndex::Slice { start: None, stop: None, step: None };
            found.index(&[all, BasicIndex::At(axis as i64)])
        })
        .collect()
}

/// `argwhere`: one row of indices per element that is not zero.
pub fn argwhere(array: &Array) -> Result<Array, ArrayError> {
    if array.rank() > 0
        && array.len_elements() > 0
        && on_device::is_for_programs(&[array])
        && let Some(found) = on_device::argwhere(array)?
    {
        return Ok(found);
    }
    let count = count_nonzero(array)?;
    let rank = array.rank();
    let result = support::allocate(&[count, rank], DType::Int64, &array.alloc())?;
    if count == 0 || rank == 0 {
        return Ok(result);
    }
    dispatch!(array.dtype(), T => support::read::<T, _>(array, |elements, layout| support::write::<i64, _>(&result, |rows| {
        let mut rows = rows.chunks_exact_mut(rank);
        let mut index: Dims = smallvec::smallvec![0; rank];
        let mut line_of_index = 0;
        truths::for_each(elements, layout, is_nonzero, |line, at| {
            while line_of_index < line {
                advance(&mut index[..rank - 1], &layout.shape);
                line_of_index += 1;
            }
            index[rank - 1] = at;
            if let Some(row) = rows.next() {
                row.iter_mut().zip(&index).for_each(|(slot, index)| *slot = *index as i64);
            }
        })
    }))?)?;
    Ok(result)
}

/// `flatnonzero`: positions in the flattened array.
pub fn flatnonzero(array: &Array) -> Result<Array, ArrayError> {
    let flat = crate::arrays::functions::shapes::ravel(array, support::MemoryOrder::C)?;
    let found = argwhere(&flat)?;
    Ok(found.view(Layout::contiguous(&[found.shape()[0]])))
}

/// `count_nonzero` over all elements.
pub fn count_nonzero(array: &Array) -> Result<usize, ArrayError> {
    if on_device::is_for_programs(&[array]) && array.len_elements() > 0 {
        return on_device::count_nonzero(array);
    }
    dispatch!(array.dtype(), T => support::read::<T, _>(array, |elements, layout| {
        let mut count = 0;
        support::for_each_run(layout, |offset, len, stride| {
            count += if stride == 1 {
                elements[offset..offset + len].iter().filter(|element| is_nonzero(**element)).count()
            } else {
                support::step_positions(offset, len, stride).filter(|position| is_nonzero(elements[*position])).count()
            };
        })?;
        Ok(count)
    })?)
}

fn is_nonzero<T: Element>(element: T) -> bool {
    element != T::ZERO
}

/// To the next line: `index` lacks the last axis of `shape`.
fn advance(index: &mut [usize], shape: &[usize]) {
    for axis in (0..index.len()).rev() {
        index[axis] += 1;
        if index[axis] < shape[axis] {
            return;
        }
        index[axis] = 0;
    }
}

/// `unravel_index` of an array of flat positions.
pub fn unravel_index(positions: &Array, shape: &[usize], order: Order) -> Result<Vec<Array>, ArrayError> {
    if !positions.dtype().is_integer() {
        return Err(ArrayError::type_error("only int indices permitted"));
    }
    let len = checked_len(shape).ok_or_else(|| {
        ArrayError::value(
            "dimensions are too large; arrays and shapes with a total size greater than 'intp' are not supported.",
        )
    })?;
    let outside = |position| ArrayError::value(format!("index {position} is out of bounds for array with size {len}"));
    let strides = Layout::ordered(shape, order).strides;
    if on_device::is_for_programs(&[positions]) && positions.len_elements() > 0 {
        return match on_device::first_outside(positions, len)? {
            Some(position) => Err(outside(position)),
            None => on_device::unravelled(positions, shape, &strides),
        };
    }
    let flat = support::integers(positions)?;
    if let Some(position) = flat.iter().find(|position| **position < 0 || **position >= len as i64) {
        return Err(outside(*position));
    }
    shape
        .iter()
        .zip(strides)
        .map(|(len, stride)| {
            let indices: Vec<i64> =
                flat.iter().map(|position| position / stride as i64 % (*len as i64).max(1)).collect();
            Array::from_slice(&indices, positions.shape(), &positions.alloc())
        })
        .collect()
}

/// What an index outside its axis means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundsMode {
    /// An error.
    Raise,
    /// Counted modulo the length: NumPy's `wrap`.
    Wrap,
    /// The nearest of `-len..len`, negative ones counted from the end: dpnp's `wrap`.
    Negative,
    /// The nearest valid index.
    Clip,
}

/// `ravel_multi_index`: flat positions of rows of indices.
pub fn ravel_multi_index(
    indices: &[&Array],
    shape: &[usize],
    modes: &[BoundsMode],
    order: Order,
) -> Result<Array, ArrayError> {
    if indices.len() != shape.len() {
        return Err(ArrayError::value(format!("parameter multi_index must be a sequence of length {}", shape.len())));
    }
    checked_len(shape).ok_or_else(|| {
        ArrayError::value("invalid dims: array size defined by dims is larger than the maximum possible size.")
    })?;
    let parts = crate::arrays::functions::shapes::broadcast_arrays(indices)?;
    let alloc = support::common_alloc(indices)?;
    let result_shape: Dims = parts.first().map_or_else(Dims::new, |part| part.shape().into());
    let strides = Layout::ordered(shape, order).strides;
    let on_device = moves::runs_programs(&alloc.place) && !parts.is_empty();
    if on_device && parts.iter().all(|part| part.dtype().is_integer() && part.len_elements() > 0) {
        return ravel_on_device(&parts, shape, modes, &strides);
    }
    let mut flat = vec![0_i64; checked_len(&result_shape).ok_or_else(support::too_big)?];
    for (axis, part) in parts.iter().enumerate() {
        if !part.dtype().is_integer() {
            return Err(ArrayError::type_error("only int indices permitted"));
        }
        let mode = modes.get(axis).or(modes.first()).copied().unwrap_or(BoundsMode::Raise);
        let len = shape[axis] as i64;
        for (sum, index) in flat.iter_mut().zip(support::integers(part)?) {
            let index = match mode {
                BoundsMode::Wrap if len > 0 => index.rem_euclid(len),
                BoundsMode::Clip if len > 0 => index.clamp(0, len - 1),
                BoundsMode::Negative if len > 0 => index.clamp(-len, len - 1).rem_euclid(len),
                _ if (0..len).contains(&index) => index,
                BoundsMode::Raise | BoundsMode::Wrap | BoundsMode::Clip | BoundsMode::Negative => {
                    return Err(ArrayError::value("invalid entry in coordinates array"));
                }
            };
            *sum += index * strides[axis] as i64;
        }
    }
    Array::from_slice(&flat, &result_shape, &alloc)
}

/// The same as an expression, of integers; only where an index outside is an error, something is read back.
fn ravel_on_device(
    parts: &[Array],
    shape: &[usize],
    modes: &[BoundsMode],
    strides: &[isize],
) -> Result<Array, ArrayError> {
    let number = |value: isize| Expr::scalar(Operand::Weak(Scalar::Int(value as i128)));
    let apply = |op, inputs: &[Expr]| Expr::apply(op, inputs, Flavour::Dpnp);
    let mut flat: Option<Expr> = None;
    for (axis, (part, &len)) in parts.iter().zip(shape).enumerate() {
        let mode = if len == 0 {
            BoundsMode::Raise
        } else {
            modes.get(axis).or(modes.first()).copied().unwrap_or(BoundsMode::Raise)
        };
        let len = len as isize;
        let index = Expr::array(part).cast(DType::Int64);
        let index = match mode {
            BoundsMode::Wrap => apply(Op::Remainder, &[index, number(len)])?,
            BoundsMode::Clip => apply(Op::Clip, &[index, number(0), number(len - 1)])?,
            BoundsMode::Negative => {
                let inside = apply(Op::Clip, &[index, number(-len), number(len - 1)])?;
                apply(Op::Remainder, &[inside, number(len)])?
            }
            BoundsMode::Raise => {
                let below = apply(Op::Less, &[index.clone(), number(0)])?;
                let beyond = apply(Op::GreaterEqual, &[index.clone(), number(len)])?;
                let outside =
                    apply(Op::LogicalOr, &[below, beyond])?.reduce(ReduceOp::Any, None, false, None, Flavour::Dpnp)?;
                if outside.evaluate()?.read_flat(0)?.truth() {
                    return Err(ArrayError::value("invalid entry in coordinates array"));
                }
                index
            }
        };
        let along = apply(Op::Multiply, &[index, number(strides[axis])])?;
        flat = Some(match flat {
            Some(sum) => apply(Op::Add, &[sum, along])?,
            None => along,
        });
    }
    flat.expect("a position has an axis").evaluate()
}
