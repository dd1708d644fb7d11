//! Subscripts of arrays, and the functions that pick, place and find elements.
//!
//! A subscript of integers, slices, `...` and `None` is a view. With index arrays or masks it is a gather (`get`) or a scatter (`set`); the
//! rules for the shape of the result are NumPy's and live in `selection`.

mod choose;
mod mask;
mod on_device;
mod positions;
mod search;
mod selection;
mod take;
mod truths;

pub use choose::{choose, compress, copyto_where, extract, place, putmask, select};
pub use positions::{BoundsMode, argwhere, count_nonzero, flatnonzero, nonzero, ravel_multi_index, unravel_index};
pub use search::{digitize, searchsorted};
pub use take::{fill_diagonal, put, put_along_axis, take, take_along_axis};

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::{ArrayError, shape_text_dense};
use crate::arrays::layout::BasicIndex;
use crate::arrays::scalar::{Operand, Scalar};

use super::support;
use selection::Selection;

/// One item of a subscript.
#[derive(Clone, Debug)]
pub enum Index {
    /// An integer, a slice, `None` or `...`.
    Basic(BasicIndex),
    /// An array of integers.
    Integers(Array),
    /// An array of booleans; it stands for as many axes as it has.
    Mask(Array),
}

impl Index {
    /// The item that an array means in a subscript, or NumPy's error for a dtype that cannot index.
    pub fn from_array(array: Array) -> Result<Index, ArrayError> {
        match array.dtype() {
            DType::Bool => Ok(Index::Mask(array)),
            dtype if dtype.is_integer() => Ok(Index::Integers(array)),
            _ => Err(ArrayError::index("arrays used as indices must be of integer (or boolean) type")),
        }
    }
}

/// What is assigned to a subscript.
#[derive(Clone, Debug)]
pub enum Assigned<'a> {
    /// A number; a Python number must fit the dtype.
    Scalar(Operand),
    /// An array on the same device, broadcast and cast.
    Array(&'a Array),
}

/// `array[items]`: a view if the subscript is basic, else a copy of the selected elements.
pub fn get(array: &Array, items: &[Index]) -> Result<Array, ArrayError> {
    if let Some(basic) = basic_items(items) {
        return array.index(&basic);
    }
    if let [Index::Mask(mask)] = items
        && mask.rank() > 0
    {
        return mask::get(array, mask);
    }
    Selection::new(array, items)?.gather(array)
}

/// `array[items] = value`.
pub fn set(array: &Array, items: &[Index], value: &Assigned<'_>) -> Result<(), ArrayError> {
    if let Some(basic) = basic_items(items) {
        return assign(&array.index(&basic)?, value);
    }
    if let [Index::Mask(mask)] = items
        && mask.rank() > 0
    {
        return mask::set(array, mask, value);
    }
    let selection = Selection::new(array, items)?;
    match value {
        Assigned::Scalar(operand) => selection.fill(array, converted(*operand, array.dtype())?),
        Assigned::Array(source) => {
            let source = without_leading_ones(source, selection.shape.len());
            let source = source.broadcast_to(&selection.shape).map_err(|_| {
                ArrayError::value(format!(
                    "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
                    shape_text_dense(source.shape()),
                    shape_text_dense(&selection.shape)
                ))
            })?;
            let source = support::cast(&source, array.dtype())?;
            let source = support::detached(&source, array)?;
            selection.scatter(array, &source)
        }
    }
}

/// Assigns to all elements of a view.
pub fn assign(target: &Array, value: &Assigned<'_>) -> Result<(), ArrayError> {
    match value {
        Assigned::Scalar(operand) => support::fill(target, converted(*operand, target.dtype())?),
        Assigned::Array(source) => {
            let source = without_leading_ones(source, target.rank());
            if target.rank() == 0 && source.rank() > 0 {
                return Err(ArrayError::value("setting an array element with a sequence."));
            }
            support::copy_into(target, &source)
        }
    }
}

/// The value as an element of `dtype`: Python numbers must fit, NumPy scalars are cast.
fn converted(operand: Operand, dtype: DType) -> Result<Scalar, ArrayError> {
    match operand {
        Operand::Weak(value) => value.convert(dtype),
        Operand::Typed(value, _) => Ok(value),
    }
}

/// NumPy lets a value of higher rank be assigned if the extra axes have length one.
fn without_leading_ones(source: &Array, rank: usize) -> Array {
    let mut layout = source.layout().clone();
    while layout.rank() > rank && layout.shape[0] == 1 {
        layout = layout.remove_axis(0);
    }
    source.view(layout)
}

fn basic_items(items: &[Index]) -> Option<Vec<BasicIndex>> {
    items
        .iter()
        .map(|item| match item {
            Index::Basic(basic) => Some(*basic),
            Index::Integers(_) | Index::Mask(_) => None,
        })
        .collect()
}
