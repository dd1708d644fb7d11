//! Takes out of an array what a print shows of it; nothing else of the array is read.

use super::digits::FloatWidth;
use super::lines::Corners;
use super::number::PrintedValues;
use super::options::PrintOptions;
use super::text::Printed;
use crate::arrays::array::Array;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::support;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// `repr(array)`.
pub fn repr(array: &Array, options: &PrintOptions) -> Result<String, ArrayError> {
    repr_as("array", array, options, None)
}

/// `repr(array)` of a class that does not print as `array(...)`, with words for the elements of [`shown`] that were made
/// elsewhere.
pub fn repr_as(
    class: &str,
    array: &Array,
    options: &PrintOptions,
    words: Option<Vec<String>>,
) -> Result<String, ArrayError> {
    Ok(Printed { words, ..printed(array, options)? }.repr(class, options))
}

/// `str(array)`, with words as for [`repr_as`].
pub fn str(array: &Array, options: &PrintOptions, words: Option<Vec<String>>) -> Result<String, ArrayError> {
    Ok(Printed { words, ..printed(array, options)? }.str(options))
}

/// `array2string(array, separator=..., prefix=...)`, with words as for [`repr_as`].
pub fn array2string(
    array: &Array,
    options: &PrintOptions,
    separator: &str,
    prefix: &str,
    suffix: &str,
    words: Option<Vec<String>>,
) -> Result<String, ArrayError> {
    Ok(Printed { words, ..printed(array, options)? }.with_separator(
        options,
        separator,
        prefix.chars().count(),
        suffix.chars().count(),
    ))
}

/// `repr()` of a NumPy scalar: `np.float64(1.0)`.
pub fn scalar_repr(value: Scalar, dtype: DType) -> String {
    scalar(value, dtype).scalar_repr()
}

/// `str()` of a NumPy scalar: `1.0`.
pub fn scalar_str(value: Scalar, dtype: DType) -> String {
    scalar(value, dtype).scalar_text()
}

fn scalar(value: Scalar, dtype: DType) -> Printed<'static> {
    Printed {
        shape: &[],
        dtype_name: dtype.name(),
        values: dispatch!(dtype, T => values_of(&[<T as Element>::from_scalar(value)], [0].into_iter())),
        corners: Corners::of(&[], &PrintOptions::default()),
        words: None,
    }
}

fn printed<'a>(array: &'a Array, options: &PrintOptions) -> Result<Printed<'a>, ArrayError> {
    let corners = Corners::of(array.shape(), options);
    let positions = shown_positions(array, &corners);
    let values = dispatch!(array.dtype(), T => support::read_buffer::<T, _>(array, |elements| {
        values_of(elements, positions.into_iter())
    }))?;
    Ok(Printed { shape: array.shape(), dtype_name: array.dtype().name(), values, corners, words: None })
}

/// The elements that a print shows, in reading order.
pub fn shown(array: &Array, options: &PrintOptions) -> Result<Vec<Scalar>, ArrayError> {
    let positions = shown_positions(array, &Corners::of(array.shape(), options));
    dispatch!(array.dtype(), T => support::read_buffer::<T, _>(array, |elements| {
        positions.iter().map(|position| elements[*position].to_scalar()).collect()
    }))
}

/// Positions in the buffer of the elements that are shown, in reading order.
fn shown_positions(array: &Array, corners: &Corners) -> Vec<usize> {
    let layout = array.layout();
    let mut positions = vec![layout.offset as isize];
    for (axis, shown) in corners.shown.iter().enumerate() {
        let skipped = layout.shape[axis] - shown;
        let index_of = |place: usize| match corners.leading[axis] {
            Some(leading) if place >= leading => place + skipped,
            _ => place,
        };
        positions = positions
            .iter()
            .flat_map(|start| (0..*shown).map(move |place| start + index_of(place) as isize * layout.strides[axis]))
            .collect();
    }
    positions.into_iter().map(|position| position as usize).collect()
}

fn values_of<T: Element>(elements: &[T], positions: impl Iterator<Item = usize>) -> PrintedValues {
    let scalars = positions.map(|position| elements[position].to_scalar());
    match T::DTYPE {
        DType::Bool => PrintedValues::Bool(scalars.map(Scalar::truth).collect()),
        DType::Float16 => PrintedValues::Float(scalars.map(Scalar::real).collect(), FloatWidth::Half),
        DType::Float32 => PrintedValues::Float(scalars.map(Scalar::real).collect(), FloatWidth::Single),
        DType::Float64 => PrintedValues::Float(scalars.map(Scalar::real).collect(), FloatWidth::Double),
        DType::Complex64 | DType::Complex128 => {
            let width = if T::DTYPE == DType::Complex64 { FloatWidth::Single } else { FloatWidth::Double };
            PrintedValues::Complex(scalars.map(Scalar::complex).map(|value| (value.re, value.im)).collect(), width)
        }
        DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64 => PrintedValues::Int(scalars.map(Scalar::wrapping_int).collect()),
    }
}
