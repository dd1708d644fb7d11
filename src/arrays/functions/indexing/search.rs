//! Places in sorted arrays: `searchsorted` and `digitize`.

use std::cmp::Ordering;

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, moves};
use crate::arrays::functions::sorting::SortKey;
use crate::arrays::functions::support;
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

/// `searchsorted`: where the values would have to be inserted to keep the order; `right` means after equal elements.
pub fn searchsorted(sorted: &Array, values: &Array, right: bool, sorter: Option<&Array>) -> Result<Array, ArrayError> {
    if sorted.rank() != 1 {
        return Err(ArrayError::value("object of too small depth for desired array"));
    }
    let sorted = match sorter {
        None => sorted.clone(),
        Some(sorter) if sorter.len_elements() != sorted.len_elements() => {
            return Err(ArrayError::value("sorter.size must equal a.size"));
        }
        Some(sorter) => super::take(sorted, sorter, None, super::BoundsMode::Raise)?,
    };
    let alloc = support::common_alloc(&[&sorted, values])?;
    let dtype = sorted.dtype().promote(values.dtype());
    let sorted = support::contiguous(&support::cast(&sorted, dtype)?)?;
    let values = support::cast(values, dtype)?;
    let result = support::allocate(values.shape(), DType::Int64, &alloc)?;
    if moves::runs_programs(result.place())
        && result.len_elements() > 0
        && moves::search(&sorted, &support::contiguous(&values)?, right, &result)?
    {
        return Ok(result);
    }
    dispatch!(dtype, T => sorted.with_slice::<T, _>(|sorted| support::read::<T, _>(&values, |values, layout| {
        support::write::<i64, _>(&result, |places| {
            let mut positions = layout.positions();
            support::in_tiles(places, |_, tile| {
                for (place, position) in tile.iter_mut().zip(&mut positions) {
                    let value = values[position];
                    *place = sorted.partition_point(|element| match element.order(&value) {
                        Ordering::Less => true,
                        Ordering::Equal => right,
                        Ordering::Greater => false,
                    }) as i64;
                }
            })
        })
    })?)?)?;
    Ok(result)
}

/// `digitize`: the number of the bin of each value; bins may rise or fall.
pub fn digitize(values: &Array, bins: &Array, right: bool) -> Result<Array, ArrayError> {
    if values.dtype().is_complex() {
        return Err(ArrayError::type_error("x may not be complex"));
    }
    let edges = support::reals(bins)?;
    // NaN stands behind every number.
    let rising = edges.windows(2).all(|pair| pair[0] <= pair[1] || pair[1].is_nan());
    let falling = edges.windows(2).all(|pair| pair[0] >= pair[1] || pair[0].is_nan());
    // NumPy swaps the sides: its `right` closes the bins on the right.
    if rising {
        return searchsorted(bins, values, !right, None);
    }
    if !falling {
        return Err(ArrayError::value("bins must be monotonically increasing or decreasing"));
    }
    let reversed = crate::arrays::functions::rearrange::flip(bins, None)?;
    let from_end = searchsorted(&reversed, values, !right, None)?;
    let len = Expr::scalar(Operand::Weak(Scalar::Int(edges.len() as i128)));
    Expr::apply(Op::Subtract, &[len, Expr::array(&from_end)], Flavour::Dpnp)?.evaluate()
}
