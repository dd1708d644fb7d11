//! Arrays put together: `concatenate`, `stack` and its kin, `block`, `append`, `insert`, `delete`.

use super::indexing::{self, Index};
use super::shapes;
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::error::ArrayError;
use crate::arrays::layout::{BasicIndex, Dims, normalize_axis, slice_range};
use crate::arrays::op::Flavour;

/// Where the result of a join goes and in which dtype.
#[derive(Clone, Copy, Debug)]
pub struct JoinOptions<'a> {
    /// Write here; cast into it.
    pub out: Option<&'a Array>,
    /// The dtype of a new result.
    pub dtype: Option<DType>,
    /// Which casts are allowed.
    pub casting: Casting,
    /// Whose messages.
    pub flavour: Flavour,
}

impl JoinOptions<'_> {
    /// No `out`, the common dtype.
    pub fn plain(flavour: Flavour) -> Self {
        JoinOptions { out: None, dtype: None, casting: Casting::SameKind, flavour }
    }
}

/// `concatenate` along an axis (none: the flattened arrays).
pub fn concatenate(arrays: &[&Array], axis: Option<i64>, options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    let Some(axis) = axis else {
        let flat: Vec<Array> =
            arrays.iter().map(|array| shapes::ravel(array, MemoryOrder::C)).collect::<Result<_, _>>()?;
        check_some(arrays, "concatenate", options.flavour)?;
        return concatenate(&flat.iter().collect::<Vec<_>>(), Some(0), options);
    };
    check_some(arrays, "concatenate", options.flavour)?;
    let first = arrays[0];
    if first.rank() == 0 && options.flavour == Flavour::NumPy {
        return Err(ArrayError::value("zero-dimensional arrays cannot be concatenated"));
    }
    let axis = normalize_axis(axis, first.rank())?;
    let mut shape: Dims = first.shape().into();
    for (number, array) in arrays.iter().enumerate().skip(1) {
        check_join(first, number, array, axis, options.flavour)?;
        shape[axis] = support::add_lengths(shape[axis], array.shape()[axis])?;
    }
    let result = destination(arrays, &shape, options)?;
    if options.out.is_some() && arrays.iter().any(|array| array.may_overlap(&result)) {
        // Every input must be read before any of them is overwritten.
        let apart = JoinOptions { out: None, dtype: Some(result.dtype()), casting: Casting::Unsafe, ..options };
        support::copy_into(&result, &concatenate(arrays, Some(axis as i64), apart)?)?;
        return Ok(result);
    }
    let mut start = 0;
    for array in arrays {
        let len = array.shape()[axis];
        support::copy_into(&result.view(result.layout().slice_axis(axis, start, len)), array)?;
        start += len;
    }
    Ok(result)
}

fn check_some(arrays: &[&Array], function: &str, flavour: Flavour) -> Result<(), ArrayError> {
    if !arrays.is_empty() {
        return Ok(());
    }
    Err(match flavour {
        Flavour::NumPy => ArrayError::value(format!("need at least one array to {function}")),
        Flavour::Dpnp => ArrayError::type_error("Missing 1 required positional argument: 'arrays'."),
    })
}

fn check_join(first: &Array, number: usize, other: &Array, axis: usize, flavour: Flavour) -> Result<(), ArrayError> {
    let (ours, theirs) = (first.rank(), other.rank());
    if ours != theirs {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => format!(
                "all the input arrays must have same number of dimensions, but the array at index 0 has {ours} dimension(s) and the array at index {number} has {theirs} dimension(s)"
            ),
            Flavour::Dpnp => format!(
                "All the input arrays must have same number of dimensions, but the array at index 0 has {ours} dimension(s) and the array at index {number} has {theirs} dimension(s)."
            ),
        }));
    }
    for (along, (ours, theirs)) in first.shape().iter().zip(other.shape()).enumerate() {
        if along != axis && ours != theirs {
            return Err(ArrayError::value(match flavour {
                Flavour::NumPy => format!(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along dimension {along}, the array at index 0 has size {ours} and the array at index {number} has size {theirs}"
                ),
                Flavour::Dpnp => format!(
                    "All the input array dimensions for the concatenation axis must match exactly, but along dimension {along}, the array at index 0 has size {ours} and the array at index {number} has size {theirs}."
                ),
            }));
        }
    }
    Ok(())
}

/// The array to write into: `out` after its checks, or a new one.
fn destination(arrays: &[&Array], shape: &[usize], options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    if options.out.is_some() && options.dtype.is_some() {
        return Err(ArrayError::type_error(
            "concatenate() only takes `out` or `dtype` as an argument, but both were provided.",
        ));
    }
    let alloc = support::common_alloc(arrays)?;
    let common = arrays.iter().map(|array| array.dtype()).reduce(DType::promote).unwrap_or(DType::Float64);
    let dtype = options.out.map(Array::dtype).or(options.dtype).unwrap_or(common);
    if let Some(array) = arrays.iter().find(|array| !array.dtype().can_cast(dtype, options.casting)) {
        let (from, rule) = (array.dtype(), options.casting.name());
        return Err(ArrayError::type_error(match options.flavour {
            Flavour::NumPy => {
                format!(
                    "Cannot cast array data from dtype('{from}') to dtype('{dtype}') according to the rule '{rule}'"
                )
            }
            Flavour::Dpnp => format!("Can not cast from {from} to {dtype} according to rule {rule}."),
        }));
    }
    let Some(out) = options.out else { return support::allocate(shape, dtype, &alloc) };
    if out.shape() != shape {
        return Err(ArrayError::value(match options.flavour {
            Flavour::NumPy => "Output array is the wrong shape",
            Flavour::Dpnp => "Shapes of two arrays are not compatible",
        }));
    }
    if out.place() != &alloc.place {
        return Err(ArrayError::Placement { message: "Input and output allocation queues are not compatible".into() });
    }
    Ok(out.clone())
}

/// `stack` along a new axis.
pub fn stack(arrays: &[&Array], axis: i64, options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    check_some(arrays, "stack", options.flavour)?;
    if let Some((number, other)) = arrays.iter().enumerate().find(|(_, array)| array.shape() != arrays[0].shape()) {
        if options.flavour == Flavour::NumPy {
            return Err(ArrayError::value("all input arrays must have the same shape"));
        }
        check_join(arrays[0], number, other, usize::MAX, options.flavour)?;
    }
    let axis = normalize_axis(axis, arrays[0].rank() + 1)? as i64;
    join_prepared(arrays, axis, options, |array| shapes::expand_dims(array, &[axis]))
}

fn join_prepared(
    arrays: &[&Array],
    axis: i64,
    options: JoinOptions<'_>,
    prepare: impl Fn(&Array) -> Result<Array, ArrayError>,
) -> Result<Array, ArrayError> {
    let prepared: Vec<Array> = arrays.iter().map(|array| prepare(array)).collect::<Result<_, _>>()?;
    concatenate(&prepared.iter().collect::<Vec<_>>(), Some(axis), options)
}

/// `vstack`.
pub fn vstack(arrays: &[&Array], options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    join_prepared(arrays, 0, options, shapes::atleast_2d)
}

/// `hstack`.
pub fn hstack(arrays: &[&Array], options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    let axis = if arrays.first().is_some_and(|first| first.rank() > 1) { 1 } else { 0 };
    join_prepared(arrays, axis, options, shapes::atleast_1d)
}

/// `dstack`.
pub fn dstack(arrays: &[&Array], options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    join_prepared(arrays, 2, options, shapes::atleast_3d)
}

/// `column_stack`.
pub fn column_stack(arrays: &[&Array], options: JoinOptions<'_>) -> Result<Array, ArrayError> {
    join_prepared(arrays, 1, options, |array| match array.rank() {
        0 => shapes::expand_dims(array, &[0, 1]),
        1 => shapes::expand_dims(array, &[1]),
        _ => Ok(array.clone()),
    })
}

/// The nested lists of `block`.
#[derive(Clone, Debug)]
pub enum Blocks {
    /// An array.
    Array(Array),
    /// A list, joined along one axis.
    List(Vec<Blocks>),
}

/// `block`: the innermost lists are joined along the last axis, the next outer ones along the one before.
pub fn block(blocks: &Blocks, flavour: Flavour) -> Result<Array, ArrayError> {
    let depth = block_depth(blocks, "arrays")?;
    check_depth(blocks, 0, depth, "arrays")?;
    let rank = block_rank(blocks).max(depth);
    join_blocks(blocks, rank, depth, flavour)
}

fn block_depth(blocks: &Blocks, path: &str) -> Result<usize, ArrayError> {
    match blocks {
        Blocks::Array(_) => Ok(0),
        Blocks::List(items) => match items.first() {
            None => Err(ArrayError::value(format!("List at {path} cannot be empty"))),
            Some(first) => Ok(1 + block_depth(first, &format!("{path}[0]"))?),
        },
    }
}

fn check_depth(blocks: &Blocks, at: usize, depth: usize, path: &str) -> Result<(), ArrayError> {
    match blocks {
        Blocks::Array(_) if at == depth => Ok(()),
        Blocks::Array(_) => Err(ArrayError::value(format!(
            "List depths are mismatched. First element was at depth {depth}, but there is an element at depth {at} ({path})"
        ))),
        Blocks::List(items) if items.is_empty() => Err(ArrayError::value(format!("List at {path} cannot be empty"))),
        Blocks::List(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(number, item)| check_depth(item, at + 1, depth, &format!("{path}[{number}]"))),
    }
}

fn block_rank(blocks: &Blocks) -> usize {
    match blocks {
        Blocks::Array(array) => array.rank(),
        Blocks::List(items) => items.iter().map(block_rank).max().unwrap_or(0),
    }
}

fn join_blocks(blocks: &Blocks, rank: usize, depth: usize, flavour: Flavour) -> Result<Array, ArrayError> {
    match blocks {
        Blocks::Array(array) => {
            let missing: Vec<i64> = (0..(rank - array.rank()) as i64).collect();
            shapes::expand_dims(array, &missing)
        }
        Blocks::List(items) => {
            let parts: Vec<Array> =
                items.iter().map(|item| join_blocks(item, rank, depth - 1, flavour)).collect::<Result<_, _>>()?;
            concatenate(&parts.iter().collect::<Vec<_>>(), Some(-(depth as i64)), JoinOptions::plain(flavour))
        }
    }
}

/// `append`: values behind the array along an axis (none: both flattened).
pub fn append(array: &Array, values: &Array, axis: Option<i64>, flavour: Flavour) -> Result<Array, ArrayError> {
    concatenate(&[array, values], axis, JoinOptions::plain(flavour))
}

/// Which places `insert` and `delete` mean.
#[derive(Clone, Debug)]
pub enum Places {
    /// One index.
    At(i64),
    /// A slice.
    Slice(Option<i64>, Option<i64>, Option<i64>),
    /// Several indices, or a mask as long as the axis.
    Array(Array),
}

/// `delete`: without the elements at these places along an axis (none: of the flattened array).
pub fn delete(array: &Array, places: &Places, axis: Option<i64>) -> Result<Array, ArrayError> {
    let (array, axis) = flattened(array, axis)?;
    let len = array.shape()[axis];
    let mut kept = vec![true; len];
    match places {
        Places::Array(mask) if mask.dtype() == DType::Bool => {
            if mask.shape() != [len] {
                return Err(ArrayError::value(format!(
                    "boolean array argument `obj` to delete must be one-dimensional and match the axis length of {len}"
                )));
            }
            support::scalars(mask)?.iter().zip(&mut kept).for_each(|(drop, keep)| *keep = !drop.truth());
        }
        _ => {
            for place in resolved_places(places, len, axis, 0)? {
                kept[place as usize] = false;
            }
        }
    }
    let mask = Array::from_slice(&kept, &[len], &array.alloc())?;
    let full = Index::Basic(BasicIndex::Slice { start: None, stop: None, step: None });
    let items: Vec<Index> = std::iter::repeat_n(full, axis).chain([Index::Mask(mask)]).collect();
    indexing::get(&array, &items)
}

/// `insert`: values before these places along an axis (none: of the flattened array).
pub fn insert(array: &Array, places: &Places, values: &Array, axis: Option<i64>) -> Result<Array, ArrayError> {
    let (array, axis) = flattened(array, axis)?;
    let len = array.shape()[axis];
    support::common_alloc(&[&array, values])?;
    let places_sorted = match places {
        Places::Array(mask) if mask.dtype() == DType::Bool => {
            support::integers(&indexing::flatnonzero(mask)?)?.to_vec()
        }
        _ => resolved_places(places, len, axis, 1)?,
    };
    let single = match places {
        Places::At(_) => true,
        Places::Array(array) => array.rank() == 0 || array.len_elements() == 1,
        Places::Slice(..) => places_sorted.len() == 1,
    };
    let mut values = support::cast(values, array.dtype())?;
    // A single place takes all values along the axis; a plain index even takes a vector across the other axes.
    if let Places::At(_) = places {
        let missing = array.rank().saturating_sub(values.rank());
        values = shapes::expand_dims(&values, &(0..missing as i64).collect::<Vec<_>>())?;
        values = shapes::moveaxis(&values, &[0], &[axis as i64])?;
    }
    let along = match values.rank() {
        _ if !single => places_sorted.len(),
        rank if rank == array.rank() => values.shape()[axis],
        _ => values.shape().get((axis + values.rank()).wrapping_sub(array.rank())).copied().unwrap_or(1),
    };
    let mut inserted_shape: Dims = array.shape().into();
    inserted_shape[axis] = along;
    let mut shape = inserted_shape.clone();
    shape[axis] = support::add_lengths(len, along)?;
    let values = values.broadcast_to(&inserted_shape)?;
    let result = support::allocate(&shape, array.dtype(), &array.alloc())?;
    // In the order of their places; equal places keep the order of their values.
    let mut order: Vec<(i64, usize)> = if single {
        (0..along).map(|value| (places_sorted[0], value)).collect()
    } else {
        places_sorted.iter().copied().zip(0..).collect()
    };
    order.sort_by_key(|(place, _)| *place);
    let mut to = 0;
    let mut from = 0;
    for (place, value) in order {
        let run = place as usize - from;
        copy_slices(&result, axis, to, &array, from, run)?;
        to += run;
        from += run;
        copy_slices(&result, axis, to, &values, value, 1)?;
        to += 1;
    }
    copy_slices(&result, axis, to, &array, from, len - from)?;
    Ok(result)
}

fn copy_slices(
    target: &Array,
    axis: usize,
    to: usize,
    source: &Array,
    from: usize,
    len: usize,
) -> Result<(), ArrayError> {
    let target = target.view(target.layout().slice_axis(axis, to, len));
    support::copy_into(&target, &source.view(source.layout().slice_axis(axis, from, len)))
}

fn flattened(array: &Array, axis: Option<i64>) -> Result<(Array, usize), ArrayError> {
    match axis {
        None => Ok((shapes::ravel(array, MemoryOrder::C)?, 0)),
        Some(axis) => Ok((array.clone(), normalize_axis(axis, array.rank())?)),
    }
}

/// Places counted from the start; `beyond` is 1 if the end itself is a place.
fn resolved_places(places: &Places, len: usize, axis: usize, beyond: i64) -> Result<Vec<i64>, ArrayError> {
    let listed = match places {
        Places::At(index) => vec![*index],
        Places::Slice(start, stop, step) => {
            let range = slice_range(*start, *stop, *step, len)?;
            (0..range.len as i64).map(|number| range.start as i64 + number * range.step as i64).collect()
        }
        Places::Array(array) => support::integers(array)?.to_vec(),
    };
    let end = len as i64;
    listed
        .into_iter()
        .map(|index| {
            let positive = if index < 0 { index + end } else { index };
            if (0..end + beyond).contains(&positive) {
                Ok(positive)
            } else {
                Err(ArrayError::IndexOutOfBounds { index, axis, len })
            }
        })
        .collect()
}
