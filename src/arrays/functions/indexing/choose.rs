//! Picking by condition: `choose`, `select`, `compress`, `extract`, and writing by condition: `place`, `putmask`, `copyto`.

use super::on_device;
use super::positions::BoundsMode;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::layout::Layout;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// `copyto(target, source, where=mask)`: assigns where the mask is true.
pub fn copyto_where(target: &Array, source: &Array, mask: &Array) -> Result<(), ArrayError> {
    let source = support::cast(&source.broadcast_to(target.shape())?, target.dtype())?;
    let source = support::detached(&source, target)?;
    let mask = support::detached(&support::cast(mask, DType::Bool)?.broadcast_to(target.shape())?, target)?;
    if on_device::is_for_programs(&[target, &source, &mask]) {
        return Expr::array(&source).evaluate_into(target, Some(&mask));
    }
    dispatch!(target.dtype(), T => support::read::<bool, _>(&mask, |truths, mask_layout| {
        support::read::<T, _>(&source, |from, from_layout| support::write_strided::<T>(target, |to, to_layout| {
            let places = to_layout.positions().zip(from_layout.positions());
            for ((to_position, from_position), truth) in places.zip(mask_layout.positions()) {
                if truths[truth] {
                    to[to_position] = from[from_position];
                }
            }
            Ok(())
        }))?
    })?)
}

/// `choose`: element by element, from the array that the selector names.
pub fn choose(selector: &Array, choices: &[&Array], mode: BoundsMode) -> Result<Array, ArrayError> {
    if choices.is_empty() {
        return Err(ArrayError::value("must provide at least one choice array"));
    }
    let dtype = common_dtype(choices);
    let mut inputs = vec![selector];
    inputs.extend(choices);
    let alloc = support::common_alloc(&inputs)?;
    let mut parts = shapes::broadcast_arrays(&inputs)?;
    let selector = parts.remove(0);
    let count = choices.len() as i64;
    if on_device::is_for_programs(&[&selector]) && selector.dtype().is_integer() && selector.len_elements() > 0 {
        if mode == BoundsMode::Raise && on_device::first_outside(&selector, choices.len())?.is_some() {
            return Err(ArrayError::value("invalid entry in choice array"));
        }
        let picked = on_device::checked(&selector, 0, choices.len(), mode)?;
        let result = support::allocate(selector.shape(), dtype, &alloc)?;
        for (number, part) in parts.iter().enumerate() {
            copyto_where(&result, part, &on_device::equal_to(&picked, number as i64)?)?;
        }
        return Ok(result);
    }
    let picked = support::integers(&selector)?
        .into_iter()
        .map(|choice| match mode {
            BoundsMode::Wrap => Ok(choice.rem_euclid(count)),
            BoundsMode::Negative => Ok(choice.clamp(-count, count - 1).rem_euclid(count)),
            BoundsMode::Clip => Ok(choice.clamp(0, count - 1)),
            BoundsMode::Raise if (0..count).contains(&choice) => Ok(choice),
            BoundsMode::Raise => Err(ArrayError::value("invalid entry in choice array")),
        })
        .collect::<Result<Vec<i64>, _>>()?;
    let result = support::allocate(selector.shape(), dtype, &alloc)?;
    for (number, part) in parts.iter().enumerate() {
        let mask: Vec<bool> = picked.iter().map(|choice| *choice == number as i64).collect();
        let mask = Array::from_slice(&mask, selector.shape(), &alloc)?;
        copyto_where(&result, part, &mask)?;
    }
    Ok(result)
}

/// `select`: element by element, from the first choice whose condition holds, else the default.
pub fn select(conditions: &[&Array], choices: &[&Array], default: Scalar) -> Result<Array, ArrayError> {
    if conditions.len() != choices.len() {
        return Err(ArrayError::value("list of cases must be same length as list of conditions"));
    }
    if conditions.is_empty() {
        return Err(ArrayError::value("select with an empty condition list is not possible"));
    }
    if let Some((number, _)) = conditions.iter().enumerate().find(|(_, condition)| condition.dtype() != DType::Bool) {
        return Err(ArrayError::type_error(format!("invalid entry {number} in condlist: should be boolean ndarray")));
    }
    let inputs: Vec<&Array> = conditions.iter().chain(choices).copied().collect();
    let alloc = support::common_alloc(&inputs)?;
    let dtype = common_dtype(choices).promote_weak(default.kind(), alloc.place.fp64());
    let parts = shapes::broadcast_arrays(&inputs)?;
    let (conditions, choices) = parts.split_at(conditions.len());
    let result = support::allocate(conditions[0].shape(), dtype, &alloc)?;
    support::fill(&result, default)?;
    // The first condition wins, so it is written last.
    for (condition, choice) in conditions.iter().zip(choices).rev() {
        copyto_where(&result, choice, condition)?;
    }
    Ok(result)
}

fn common_dtype(arrays: &[&Array]) -> DType {
    arrays.iter().map(|array| array.dtype()).reduce(DType::promote).unwrap_or(DType::Float64)
}

/// `compress`: slices along an axis (or of the flattened array) where a vector of conditions holds.
pub fn compress(condition: &Array, array: &Array, axis: Option<i64>) -> Result<Array, ArrayError> {
    if condition.rank() != 1 {
        return Err(ArrayError::value("condition must be a 1-d array"));
    }
    let kept = super::flatnonzero(condition)?;
    super::take(array, &kept, axis, BoundsMode::Raise)
}

/// `extract`: the flattened elements where the flattened condition holds.
pub fn extract(condition: &Array, array: &Array) -> Result<Array, ArrayError> {
    compress(&shapes::ravel(condition, MemoryOrder::C)?, &shapes::ravel(array, MemoryOrder::C)?, None)
}

/// `place`: writes the values, repeated as needed, one after another where the mask is true.
pub fn place(array: &Array, mask: &Array, values: &Array) -> Result<(), ArrayError> {
    if mask.len_elements() != array.len_elements() {
        return Err(ArrayError::value("place: mask and data must be the same size"));
    }
    let chosen = super::flatnonzero(&support::cast(mask, DType::Bool)?)?;
    if chosen.len_elements() == 0 {
        return Ok(());
    }
    if values.len_elements() == 0 {
        return Err(ArrayError::value("Cannot insert from an empty array!"));
    }
    super::put(array, &chosen, values, None, BoundsMode::Raise)
}

/// `putmask`: like `place`, but a value's place counts every element, not only the true ones.
pub fn putmask(array: &Array, mask: &Array, values: &Array) -> Result<(), ArrayError> {
    if mask.len_elements() != array.len_elements() {
        return Err(ArrayError::value("putmask: mask and data must be the same size"));
    }
    if values.len_elements() == 0 {
        return Ok(());
    }
    let alloc: Alloc = array.alloc();
    let full = super::super::rearrange::resize(values, &[array.len_elements() as i64])?;
    debug_assert_eq!(full.alloc().place, alloc.place);
    let full = full.view(Layout::contiguous(array.shape()));
    let mask = super::super::shapes::reshape(
        mask,
        &array.shape().iter().map(|length| *length as i64).collect::<Vec<_>>(),
        MemoryOrder::C,
        None,
        crate::arrays::op::Flavour::NumPy,
    )?;
    copyto_where(array, &full, &mask)
}
