//! An array: a shared buffer, a layout in it, a dtype and a place. Cloning makes another view of the same memory.
//!
//! This file makes arrays, views and typed access; what is computed with them lives elsewhere.

mod access;
mod moving;

use super::backend::UsmKind;
use super::buffer::{Buffer, Request};
use super::chunk;
use super::device::{DeviceHandle, Place, QueueHandle};
use super::dtype::{DType, Element, dispatch};
use super::error::{ArrayError, Shortage};
use super::layout::{BasicIndex, Layout, Order, checked_len};
use super::plan;
use super::scalar::Scalar;
use std::sync::Arc;

/// Where new arrays go and which kind of memory they take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alloc {
    /// Host, or a queue.
    pub place: Place,
    /// The USM kind; ignored on the host.
    pub usm: UsmKind,
}

impl Alloc {
    /// NumPy's host memory.
    pub const HOST: Alloc = Alloc { place: Place::Host, usm: UsmKind::Host };

    /// Device memory reached through a queue.
    pub fn queue(queue: QueueHandle, usm: UsmKind) -> Alloc {
        Alloc { place: Place::Queue(queue), usm }
    }

    /// Device memory on the default queue.
    pub fn default_device() -> Result<Alloc, ArrayError> {
        Ok(Alloc::queue(super::registry::default_queue()?, UsmKind::Device))
    }
}

/// Elements of one dtype in a shared buffer.
#[derive(Clone, Debug)]
pub struct Array {
    buffer: Arc<Buffer>,
    layout: Layout,
    dtype: DType,
    place: Place,
}

impl Array {
    /// An array of unspecified content; booleans are all false, so that every element is a valid value.
    pub fn empty(shape: &[usize], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
        Array::allocate(shape, dtype, alloc, Order::C, dtype.is_bool())
    }

    /// An array whose every element the caller writes before anyone reads it; nothing is cleared.
    pub fn for_overwrite(shape: &[usize], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
        Array::allocate(shape, dtype, alloc, Order::C, false)
    }

    /// As [`Array::for_overwrite`] in the given memory order.
    pub fn for_overwrite_ordered(
        shape: &[usize],
        dtype: DType,
        alloc: &Alloc,
        order: Order,
    ) -> Result<Array, ArrayError> {
        Array::allocate(shape, dtype, alloc, order, false)
    }

    /// An array of zeros; fresh memory from the system is not touched.
    pub fn zeros(shape: &[usize], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
        Array::allocate(shape, dtype, alloc, Order::C, true)
    }

    fn allocate(shape: &[usize], dtype: DType, alloc: &Alloc, order: Order, zeroed: bool) -> Result<Array, ArrayError> {
        check_dtype_on(dtype, &alloc.place)?;
        let bytes = bytes_of(shape, dtype)?;
        let request = Request {
            place: &alloc.place,
            usm: alloc.usm,
            bytes,
            zeroed,
            alignment: 0,
            shape: Some(shape),
            dtype: Some(dtype),
        };
        let buffer = match Buffer::allocate(&request) {
            Err(error) if chunk::may_spill() && is_beyond_the_device(&error, alloc) => {
                let buffer = Buffer::allocate(&Request { usm: UsmKind::Host, ..request })?;
                let device = alloc.place.device().ledger_name().into();
                chunk::report(&chunk::Progress::Spilled { bytes: bytes as u64, device });
                buffer
            }
            other => other?,
        };
        Ok(Array { buffer, layout: Layout::ordered(shape, order), dtype, place: alloc.place.clone() })
    }

    /// A C-ordered array of these values, copied from the host.
    pub fn from_slice<T: Element>(values: &[T], shape: &[usize], alloc: &Alloc) -> Result<Array, ArrayError> {
        if checked_len(shape) != Some(values.len()) {
            return Err(ArrayError::value(format!(
                "cannot reshape array of size {} into shape {}",
                values.len(),
                super::error::shape_text_dense(shape)
            )));
        }
        let array = Array::for_overwrite(shape, T::DTYPE, alloc)?;
        if plan::is_on() {
            return Ok(array);
        }
        array.with_slice_mut(|elements: &mut [T]| elements.copy_from_slice(values))?;
        Ok(array)
    }

    /// A 0-d array of one value.
    pub fn from_scalar(value: Scalar, dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
        dispatch!(dtype, T => Array::from_slice(&[T::from_scalar(value)], &[], alloc))
    }

    /// A view of a buffer, whatever it was allocated for; refused when the layout reaches outside.
    pub fn over_buffer(buffer: Arc<Buffer>, dtype: DType, layout: Layout, place: Place) -> Result<Array, ArrayError> {
        if !layout.fits(buffer.bytes() / dtype.bytes()) {
            return Err(ArrayError::value(format!(
                "the layout reaches beyond the {} bytes of #{}",
                buffer.bytes(),
                buffer.id()
            )));
        }
        Ok(Array { buffer, layout, dtype, place })
    }

    /// The memory.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// How the elements lie in it.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Where the array lives.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The queue, unless this is a host array.
    pub fn queue(&self) -> Option<&QueueHandle> {
        self.place.queue()
    }

    /// The device whose memory this is; the host counts as one.
    pub fn device(&self) -> &DeviceHandle {
        self.buffer.device()
    }

    /// The kind of memory; nothing on the host.
    pub fn usm(&self) -> Option<UsmKind> {
        // A mapped file stands for the device's own memory, where its parts are brought when they are needed.
        let stands_for = self.queue().filter(|_| self.buffer.is_mapped()).map(|_| UsmKind::Device);
        self.buffer.usm().or(stands_for)
    }

    /// Where results computed from this array alone go.
    pub fn alloc(&self) -> Alloc {
        Alloc { place: self.place.clone(), usm: self.usm().unwrap_or(UsmKind::Host) }
    }

    /// Elements along each axis.
    pub fn shape(&self) -> &[usize] {
        &self.layout.shape
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.layout.rank()
    }

    /// The number of elements.
    pub fn len_elements(&self) -> usize {
        self.layout.len_elements()
    }

    /// The number of elements times their width.
    pub fn bytes(&self) -> usize {
        self.len_elements() * self.dtype.bytes()
    }

    /// Whether the elements lie in C order without gaps.
    pub fn is_c_contiguous(&self) -> bool {
        self.layout.is_c_contiguous()
    }

    /// Another view of the same memory and dtype; the layout must lie inside the buffer.
    pub fn view(&self, layout: Layout) -> Array {
        assert!(layout.fits(self.buffer.bytes() / self.dtype.bytes()), "a view reaches beyond its buffer");
        Array { buffer: self.buffer.clone(), layout, dtype: self.dtype, place: self.place.clone() }
    }

    /// The view a basic index selects.
    pub fn index(&self, items: &[BasicIndex]) -> Result<Array, ArrayError> {
        Ok(self.view(self.layout.index(items)?))
    }

    /// The view under another shape, or nothing when the elements would have to move.
    pub fn reshaped_view(&self, shape: &[usize], order: Order) -> Option<Array> {
        self.layout.reshaped(shape, order).map(|layout| self.view(layout))
    }

    /// The view repeated to fill a shape.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Array, ArrayError> {
        Ok(self.view(self.layout.broadcast_to(shape)?))
    }

    /// All axes reversed.
    pub fn transposed(&self) -> Array {
        self.view(self.layout.transposed())
    }

    /// The same memory read as another dtype of the same or of a divisible width, as `ndarray.view(dtype)`.
    pub fn view_as(&self, dtype: DType) -> Result<Array, ArrayError> {
        let (old, new) = (self.dtype.bytes(), dtype.bytes());
        if old == new {
            return Ok(Array { dtype, ..self.clone() });
        }
        let Some(&last_stride) = self.layout.strides.last() else {
            return Err(ArrayError::value(
                "Changing the dtype of a 0d array is only supported if the itemsize is unchanged",
            ));
        };
        let axis = self.rank() - 1;
        if last_stride != 1 && self.layout.shape[axis] != 1 {
            return Err(ArrayError::value(
                "To change to a dtype of a different size, the last axis must be contiguous",
            ));
        }
        let mut layout = self.layout.clone();
        let (grow, shrink) = (old / new, new / old);
        if grow > 0 {
            layout.shape[axis] *= grow;
            layout.offset *= grow;
            layout.strides.iter_mut().for_each(|stride| *stride *= grow as isize);
        } else {
            let uneven = !layout.shape[axis].is_multiple_of(shrink)
                || !layout.offset.is_multiple_of(shrink)
                || layout.strides[..axis].iter().any(|stride| stride % shrink as isize != 0);
            if uneven {
                return Err(ArrayError::value(
                    "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array.",
                ));
            }
            layout.shape[axis] /= shrink;
            layout.offset /= shrink;
            layout.strides.iter_mut().for_each(|stride| *stride /= shrink as isize);
        }
        layout.strides[axis] = 1;
        Ok(Array { layout, dtype, ..self.clone() })
    }

    /// Whether two arrays may share an element.
    pub fn may_overlap(&self, other: &Array) -> bool {
        if !Arc::ptr_eq(&self.buffer, &other.buffer) {
            return false;
        }
        if self.dtype.bytes() == other.dtype.bytes() {
            return self.layout.may_overlap(&other.layout);
        }
        let bytes = |array: &Array| {
            let width = array.dtype.bytes();
            array.layout.bounds().map(|(low, high)| (low * width, (high + 1) * width))
        };
        match (bytes(self), bytes(other)) {
            (Some((low, high)), Some((other_low, other_high))) => low < other_high && other_low < high,
            _ => false,
        }
    }

    /// Whether two arrays have a byte in common.
    pub fn shares_memory(&self, other: &Array) -> bool {
        if !Arc::ptr_eq(&self.buffer, &other.buffer) {
            return false;
        }
        let (width, other_width) = (self.dtype.bytes(), other.dtype.bytes());
        if width == other_width {
            return self.layout.shares_element(&other.layout);
        }
        self.layout.in_bytes(width).shares_element(&other.layout.in_bytes(other_width))
    }
}

/// Whether memory of the device itself was refused and host memory that it reads may do instead.
fn is_beyond_the_device(error: &ArrayError, alloc: &Alloc) -> bool {
    let is_full = error.out_of_memory().is_some_and(|facts| {
        matches!(facts.shortage, Shortage::Capacity | Shortage::SingleAllocation | Shortage::Backend)
    });
    is_full && alloc.usm == UsmKind::Device && !alloc.place.is_immediate()
}

/// dpnp's error for a dtype that the device cannot compute with.
pub fn check_dtype_on(dtype: DType, place: &Place) -> Result<(), ArrayError> {
    let Some(queue) = place.queue() else { return Ok(()) };
    let info = queue.device().info();
    let missing = if dtype.needs_fp64() && !info.fp64 {
        "double-precision"
    } else if dtype == DType::Float16 && !info.fp16 {
        "half-precision"
    } else {
        return Ok(());
    };
    Err(ArrayError::value(format!(
        "Device {} does not provide native support for {missing} floating point type.",
        info.name
    )))
}

fn bytes_of(shape: &[usize], dtype: DType) -> Result<usize, ArrayError> {
    if shape.len() > super::layout::RANK_MAX {
        return Err(ArrayError::value(format!(
            "maximum supported dimension for an ndarray is currently {}, found {}",
            super::layout::RANK_MAX,
            shape.len()
        )));
    }
    checked_len(shape)
        .and_then(|len| len.checked_mul(dtype.bytes()))
        .filter(|&bytes| bytes <= isize::MAX as usize)
        .ok_or_else(|| {
            ArrayError::value(
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers() -> Array {
        Array::from_slice(&[0i32, 1, 2, 3, 4, 5], &[2, 3], &Alloc::HOST).expect("small")
    }

    #[test]
    fn views_read_and_write_the_same_memory() {
        let array = numbers();
        let column = array.index(&[BasicIndex::Ellipsis, BasicIndex::At(1)]).expect("valid");
        assert_eq!(column.to_vec::<i32>(), Ok(vec![1, 4]));
        column.write_scalar(&[1], Scalar::Int(40)).expect("writable");
        assert_eq!(array.to_vec::<i32>(), Ok(vec![0, 1, 2, 3, 40, 5]));
        assert_eq!(array.transposed().to_vec::<i32>(), Ok(vec![0, 3, 1, 40, 2, 5]));
        assert_eq!(column.read_flat(1), Ok(Scalar::Int(40)));
        assert!(column.may_overlap(&array));
        assert!(!column.may_overlap(&array.index(&[BasicIndex::Ellipsis, BasicIndex::At(0)]).expect("valid")));
    }

    #[test]
    fn another_dtype_over_the_same_bytes() {
        let array = numbers();
        assert_eq!(array.view_as(DType::UInt8).expect("splits").shape(), [2, 12]);
        let pairs = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2], &Alloc::HOST).expect("small");
        let complex = pairs.view_as(DType::Complex64).expect("joins");
        assert_eq!(complex.shape(), [2, 1]);
        assert_eq!(complex.read_flat(1), Ok(Scalar::Complex(num_complex::Complex64::new(3.0, 4.0))));
        assert!(array.view_as(DType::Int64).is_err(), "three do not make pairs");
        assert!(array.transposed().view_as(DType::UInt8).is_err());
    }

    #[test]
    fn any_byte_but_zero_is_true() {
        let bytes = Array::from_slice(&[0u8, 1, 2, 255], &[4], &Alloc::HOST).expect("small");
        let bools = bytes.view_as(DType::Bool).expect("the same width");
        assert_eq!(bools.read_flat(3), Ok(Scalar::Bool(true)));
        assert_eq!(bools.to_vec::<bool>(), Ok(vec![false, true, true, true]));
    }

    #[test]
    fn a_layout_beyond_the_buffer_is_refused() {
        let array = numbers();
        let far = Layout { offset: 1, ..Layout::contiguous(&[6]) };
        assert!(Array::over_buffer(array.buffer().clone(), DType::Int32, far, Place::Host).is_err());
        assert!(
            Array::over_buffer(array.buffer().clone(), DType::Int64, Layout::contiguous(&[3]), Place::Host).is_ok()
        );
        let many = vec![1; 65];
        assert!(Array::zeros(&many, DType::Int8, &Alloc::HOST).is_err());
    }
}
