//! `asarray` of nested sequences, scalars and arrays, and `frombuffer`.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::{ArrayError, shape_text};
use crate::arrays::functions::support;
use crate::arrays::layout::{BasicIndex, Dims, Order};
use crate::arrays::op::Flavour;
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

/// Nested sequences of numbers and arrays, as a caller has unpacked them from lists, tuples and ranges.
#[derive(Clone, Debug)]
pub enum NestedData {
    /// A Python number or a NumPy scalar.
    Scalar(Operand),
    /// A sequence.
    List(Vec<NestedData>),
    /// An array, wherever it lives.
    Array(Array),
}

impl NestedData {
    /// The shape, or the error of NumPy or dpnp for a ragged one.
    pub fn shape(&self, flavour: Flavour) -> Result<Dims, ArrayError> {
        self.shape_found().map_err(|ragged| ragged.error(flavour))
    }

    fn shape_found(&self) -> Result<Dims, Box<Ragged>> {
        match self {
            NestedData::Scalar(_) => Ok(Dims::new()),
            NestedData::Array(array) => Ok(array.shape().into()),
            NestedData::List(items) => {
                let mut shape = Dims::new();
                shape.push(items.len());
                let mut inner: Option<Dims> = None;
                for item in items {
                    let found = item.shape_found().map_err(|ragged| ragged.below(items.len()))?;
                    match &inner {
                        None => inner = Some(found),
                        Some(expected) if *expected == found => {}
                        Some(expected) => return Err(Ragged::between(items.len(), expected, &found)),
                    }
                }
                shape.extend(inner.unwrap_or_default());
                Ok(shape)
            }
        }
    }

    /// The dtype that holds every element; a list without elements is of the default float.
    pub fn dtype(&self, fp64: bool) -> DType {
        self.dtype_found(fp64).unwrap_or(DType::default_float(fp64))
    }

    fn dtype_found(&self, fp64: bool) -> Option<DType> {
        match self {
            NestedData::Scalar(operand) => Some(operand.dtype(fp64)),
            NestedData::Array(array) => Some(array.dtype()),
            NestedData::List(items) => items.iter().filter_map(|item| item.dtype_found(fp64)).reduce(DType::promote),
        }
    }

    /// A Python int that no integer dtype holds, when there is one.
    fn wide_int(&self) -> Option<i128> {
        match self {
            NestedData::Scalar(Operand::Weak(Scalar::Int(number))) => {
                (*number < i128::from(i64::MIN) || *number > i128::from(u64::MAX)).then_some(*number)
            }
            NestedData::Scalar(_) | NestedData::Array(_) => None,
            NestedData::List(items) => items.iter().find_map(NestedData::wide_int),
        }
    }

    /// Calls `visit` with every array in it.
    pub fn for_each_array<'a>(&'a self, visit: &mut impl FnMut(&'a Array)) {
        match self {
            NestedData::Scalar(_) => {}
            NestedData::Array(array) => visit(array),
            NestedData::List(items) => items.iter().for_each(|item| item.for_each_array(visit)),
        }
    }
}

/// Two neighbours of different shape, and the lengths around them.
struct Ragged {
    outer: Dims,
    expected: Dims,
    found: Dims,
    common: usize,
}

impl Ragged {
    fn between(len: usize, expected: &Dims, found: &Dims) -> Box<Self> {
        let common = expected.iter().zip(found).take_while(|(left, right)| left == right).count();
        Box::new(Ragged { outer: Dims::from_slice(&[len]), expected: expected.clone(), found: found.clone(), common })
    }

    fn below(mut self: Box<Self>, len: usize) -> Box<Self> {
        self.outer.insert(0, len);
        self
    }

    fn error(self, flavour: Flavour) -> ArrayError {
        match flavour {
            Flavour::NumPy => {
                let mut detected = self.outer;
                detected.extend(self.expected.iter().take(self.common).copied());
                ArrayError::value(format!(
                    "setting an array element with a sequence. The requested array has an inhomogeneous shape after {} dimensions. The detected shape was {} + inhomogeneous part.",
                    detected.len(),
                    shape_text(&detected)
                ))
            }
            Flavour::Dpnp => ArrayError::value(format!(
                "Inconsistent dimensions, {} and {}",
                shape_text(&self.expected),
                shape_text(&self.found)
            )),
        }
    }
}

/// `asarray` of nested data, always into new memory. Arrays elsewhere come through the host, accounted as transfers.
pub fn asarray(
    data: &NestedData,
    dtype: Option<DType>,
    order: Order,
    alloc: &Alloc,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let fp64 = alloc.place.fp64();
    let shape = data.shape(flavour)?;
    if dtype.is_none()
        && let Some(number) = data.wide_int()
    {
        return Err(ArrayError::type_error(format!(
            "Numpy array of data type object is not supported. Please convert the input to an array with numeric data \
             type. ({number} fits no integer type; dtype=float takes it)"
        )));
    }
    let dtype = dtype.unwrap_or_else(|| data.dtype(fp64).narrowed(fp64));
    let result = support::allocate_ordered(&shape, dtype, Order::C, alloc)?;
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        let mut rest = elements.iter_mut();
        write_scalars::<T>(data, &mut rest)
    }))?;
    copy_arrays(data, &result)?;
    match order {
        Order::C => Ok(result),
        Order::F => support::copy(&result, Order::F),
    }
}

/// Writes the scalars in reading order; the places of arrays are skipped.
fn write_scalars<T: Element>(data: &NestedData, rest: &mut std::slice::IterMut<'_, T>) -> Result<(), ArrayError> {
    match data {
        NestedData::Scalar(operand) => {
            let value = match operand {
                Operand::Weak(value) => value.convert(T::DTYPE)?,
                Operand::Typed(value, _) => *value,
            };
            if let Some(element) = rest.next() {
                *element = T::from_scalar(value);
            }
        }
        NestedData::List(items) => {
            for item in items {
                write_scalars(item, rest)?;
            }
        }
        NestedData::Array(array) => {
            let skipped = array.len_elements();
            if skipped > 0 {
                rest.nth(skipped - 1);
            }
        }
    }
    Ok(())
}

fn copy_arrays(data: &NestedData, target: &Array) -> Result<(), ArrayError> {
    match data {
        NestedData::Scalar(_) => Ok(()),
        NestedData::Array(array) => support::transfer_into(target, array),
        NestedData::List(items) => {
            // Most lists hold numbers only: do not make a view per number.
            if items.iter().all(|item| matches!(item, NestedData::Scalar(_))) {
                return Ok(());
            }
            for (position, item) in items.iter().enumerate() {
                let part = target.index(&[BasicIndex::At(position as i64)])?;
                copy_arrays(item, &part)?;
            }
            Ok(())
        }
    }
}

/// `frombuffer`: a copy of raw bytes as elements of a dtype.
pub fn from_bytes(
    bytes: &[u8],
    dtype: DType,
    count: Option<usize>,
    offset: i64,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let start = usize::try_from(offset).ok().filter(|start| *start <= bytes.len()).ok_or_else(|| {
        ArrayError::value(format!("offset must be non-negative and no greater than buffer length ({})", bytes.len()))
    })?;
    let available = &bytes[start..];
    let item = dtype.bytes();
    let len = match count {
        None if !available.len().is_multiple_of(item) => {
            return Err(ArrayError::value("buffer size must be a multiple of element size"));
        }
        None => available.len() / item,
        Some(count) if count.checked_mul(item).is_none_or(|needed| needed > available.len()) => {
            return Err(ArrayError::value("buffer is smaller than requested size"));
        }
        Some(count) => count,
    };
    let result = support::allocate(&[len], dtype, alloc)?;
    support::write_bytes(&result, &available[..len * item])?;
    Ok(result)
}
