//! Arrays as sets: `unique` with its companions, `isin`, intersections, unions and differences.

use std::cmp::Ordering;

use super::arithmetic::Numeric;
use super::indexing::{self, BoundsMode, Index};
use super::joining::{JoinOptions, concatenate};
use super::shapes;
use super::sorting::{self, SortKey};
use super::support::{self, MemoryOrder};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::{Layout, Order, normalize_axis};
use crate::arrays::op::Flavour;
use crate::dispatch;

/// What `unique` found; the companions are made only if asked for.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The distinct elements (or slices), rising.
    pub values: Array,
    /// Where each first occurs.
    pub indices: Option<Array>,
    /// Which of them each element is.
    pub inverse: Option<Array>,
    /// How often each occurs.
    pub counts: Option<Array>,
}

/// What to return beside the values.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniqueOptions {
    /// `return_index`.
    pub index: bool,
    /// `return_inverse`.
    pub inverse: bool,
    /// `return_counts`.
    pub counts: bool,
    /// All NaNs are one value.
    pub equal_nan: bool,
}

/// `unique` of the flattened array. The inverse has the shape of the array.
pub fn unique(array: &Array, options: UniqueOptions) -> Result<Unique, ArrayError> {
    let (sorted, origin) = sorting::sorted_with_origin(array)?;
    let starts = dispatch!(sorted.dtype(), T => sorted.with_slice::<T, _>(|elements| {
        run_starts(elements.len(), |left, right| same(&elements[left], &elements[right], options.equal_nan))
    }))?;
    let starts_array = Array::from_slice(&starts, &[starts.len()], &array.alloc())?;
    let values = indexing::take(&sorted, &starts_array, None, BoundsMode::Raise)?;
    let companions = Companions::new(&origin, &starts, array.len_elements())?;
    companions.finish(values, array.shape(), options)
}

/// `unique(axis=...)`: distinct slices along an axis, in the order of their elements.
pub fn unique_axis(array: &Array, axis: i64, options: UniqueOptions) -> Result<Unique, ArrayError> {
    let axis = normalize_axis(axis, array.rank())? as i64;
    let moved = support::copy(&shapes::moveaxis(array, &[axis], &[0])?, Order::C)?;
    let count = moved.shape()[0];
    let width: usize = moved.shape()[1..].iter().product();
    let (origin, starts) = dispatch!(moved.dtype(), T => moved.with_slice::<T, _>(|elements| {
        let slice = |index: i64| &elements[index as usize * width..(index as usize + 1) * width];
        let mut origin: Vec<i64> = (0..count as i64).collect();
        origin.sort_by(|left, right| {
            let pairs = slice(*left).iter().zip(slice(*right));
            pairs.map(|(left, right)| left.order(right)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        let starts = run_starts(count, |left, right| {
            slice(origin[left]).iter().zip(slice(origin[right])).all(|(left, right)| same(left, right, options.equal_nan))
        });
        (origin, starts)
    }))?;
    let firsts: Vec<i64> = starts.iter().map(|start| origin[*start as usize]).collect();
    let firsts = Array::from_slice(&firsts, &[firsts.len()], &array.alloc())?;
    let values = indexing::take(array, &firsts, Some(axis), BoundsMode::Raise)?;
    let origin = Array::from_slice(&origin, &[count], &array.alloc())?;
    Companions::new(&origin, &starts, count)?.finish(values, &[count], options)
}

fn same<T: Numeric>(left: &T, right: &T, equal_nan: bool) -> bool {
    left == right || (equal_nan && left.is_not_a_number() && right.is_not_a_number())
}

/// Where runs of equal neighbours start.
fn run_starts(len: usize, equal: impl Fn(usize, usize) -> bool) -> Vec<i64> {
    (0..len).filter(|position| *position == 0 || !equal(position - 1, *position)).map(|start| start as i64).collect()
}

/// What `unique` returns beside the values, from the sorted order and the starts of its runs.
struct Companions<'a> {
    origin: support::HostValues<i64>,
    starts: &'a [i64],
    len: usize,
    place: &'a Array,
}

impl<'a> Companions<'a> {
    fn new(origin: &'a Array, starts: &'a [i64], len: usize) -> Result<Self, ArrayError> {
        Ok(Companions { origin: support::integers(origin)?, starts, len, place: origin })
    }

    fn finish(self, values: Array, inverse_shape: &[usize], options: UniqueOptions) -> Result<Unique, ArrayError> {
        let alloc = self.place.alloc();
        let make = |numbers: Vec<i64>, shape: &[usize]| Array::from_slice(&numbers, shape, &alloc);
        let ends = self.starts.iter().skip(1).copied().chain([self.len as i64]);
        let runs: Vec<(i64, i64)> = self.starts.iter().copied().zip(ends).collect();
        let indices = options
            .index
            .then(|| make(runs.iter().map(|(start, _)| self.origin[*start as usize]).collect(), &[runs.len()]))
            .transpose()?;
        let counts = options
            .counts
            .then(|| make(runs.iter().map(|(start, end)| end - start).collect(), &[runs.len()]))
            .transpose()?;
        let inverse = options
            .inverse
            .then(|| {
                let mut inverse = vec![0; self.len];
                for (number, (start, end)) in runs.iter().enumerate() {
                    for position in &self.origin[*start as usize..*end as usize] {
                        inverse[*position as usize] = number as i64;
                    }
                }
                make(inverse, inverse_shape)
            })
            .transpose()?;
        Ok(Unique { values, indices, inverse, counts })
    }
}

/// The distinct elements alone.
pub fn unique_values(array: &Array) -> Result<Array, ArrayError> {
    Ok(unique(array, UniqueOptions { equal_nan: true, ..UniqueOptions::default() })?.values)
}

/// `isin`: for each element, whether it is among the test elements.
pub fn isin(elements: &Array, tests: &Array, invert: bool) -> Result<Array, ArrayError> {
    let alloc = support::common_alloc(&[elements, tests])?;
    let dtype = elements.dtype().promote(tests.dtype());
    let elements = support::cast(elements, dtype)?;
    let sorted = sorting::sort(&support::cast(tests, dtype)?, None, false)?;
    let result = support::allocate(elements.shape(), DType::Bool, &alloc)?;
    dispatch!(dtype, T => sorted.with_slice::<T, _>(|sorted| support::read::<T, _>(&elements, |elements, layout| {
        support::write::<bool, _>(&result, |found| {
            let mut positions = layout.positions();
            support::in_tiles(found, |_, tile| {
                for (slot, position) in tile.iter_mut().zip(&mut positions) {
                    let value = elements[position];
                    let place = sorted.partition_point(|element| element.order(&value).is_lt());
                    // NaN equals nothing, not even itself.
                    *slot = sorted.get(place).is_some_and(|element| *element == value) != invert;
                }
            })
        })
    })?)?)?;
    Ok(result)
}

/// `intersect1d` with the first places of the common values in both inputs.
pub fn intersect1d(left: &Array, right: &Array, assume_unique: bool) -> Result<(Array, Array, Array), ArrayError> {
    let options = UniqueOptions { index: true, equal_nan: true, ..UniqueOptions::default() };
    let dtype = left.dtype().promote(right.dtype());
    let part = |array: &Array| -> Result<(Array, Array), ArrayError> {
        let array = support::cast(&shapes::ravel(array, MemoryOrder::C)?, dtype)?;
        if assume_unique {
            let (sorted, origin) = sorting::sorted_with_origin(&array)?;
            return Ok((sorted, origin));
        }
        let found = unique(&array, options)?;
        let indices = found.indices.ok_or_else(|| ArrayError::runtime("the indices were asked for"))?;
        Ok((found.values, indices))
    };
    let (left_values, left_places) = part(left)?;
    let (right_values, right_places) = part(right)?;
    let common = Index::Mask(isin(&left_values, &right_values, false)?);
    let values = indexing::get(&left_values, std::slice::from_ref(&common))?;
    let left_places = indexing::get(&left_places, &[common])?;
    let back = Index::Mask(isin(&right_values, &left_values, false)?);
    Ok((values, left_places, indexing::get(&right_places, &[back])?))
}

/// `union1d`.
pub fn union1d(left: &Array, right: &Array) -> Result<Array, ArrayError> {
    unique_values(&concatenate(&[left, right], None, JoinOptions::plain(Flavour::NumPy))?)
}

/// `setdiff1d`: what the left has and the right has not.
pub fn setdiff1d(left: &Array, right: &Array, assume_unique: bool) -> Result<Array, ArrayError> {
    let left = if assume_unique { shapes::ravel(left, MemoryOrder::C)? } else { unique_values(left)? };
    let kept = Index::Mask(isin(&left, right, true)?);
    indexing::get(&left, &[kept])
}

/// `setxor1d`: what only one of them has.
pub fn setxor1d(left: &Array, right: &Array, assume_unique: bool) -> Result<Array, ArrayError> {
    let (left, right) = if assume_unique {
        (shapes::ravel(left, MemoryOrder::C)?, shapes::ravel(right, MemoryOrder::C)?)
    } else {
        (unique_values(left)?, unique_values(right)?)
    };
    let only_left = setdiff1d(&left, &right, true)?;
    let only_right = setdiff1d(&right, &left, true)?;
    let both = concatenate(&[&only_left, &only_right], None, JoinOptions::plain(Flavour::NumPy))?;
    sorting::sort(
        &both.view(Layout { offset: both.layout().offset, ..Layout::contiguous(&[both.len_elements()]) }),
        Some(0),
        false,
    )
}
