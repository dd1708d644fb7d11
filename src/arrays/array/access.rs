//! What the host reads and writes of an array's memory: typed slices, bytes, single elements.

use super::{Alloc, Array};
use crate::arrays::dtype::{Element, dispatch};
use crate::arrays::error::ArrayError;
use crate::arrays::layout::Layout;
use crate::arrays::scalar::Scalar;
use std::ops::Range;
use std::ptr::NonNull;

impl Array {
    /// The elements of a C- or F-contiguous array, in memory order, after pending writes.
    pub fn with_slice<T: Element, R>(&self, read: impl FnOnce(&[T]) -> R) -> Result<R, ArrayError> {
        self.buffer.wait_written()?;
        self.with_slice_now(read)
    }

    /// As [`Array::with_slice`] inside a step, whose order the queue guarantees.
    pub fn with_slice_now<T: Element, R>(&self, read: impl FnOnce(&[T]) -> R) -> Result<R, ArrayError> {
        let (range, len) = self.contiguous_range::<T>();
        if self.buffer.host_access() {
            self.normalize_bools(range.clone())?;
        }
        self.buffer.reach(range, |start| {
            if self.dtype.is_bool() && !self.buffer.host_access() {
                // SAFETY: `len` booleans are `len` bytes, and the bytes of a copy may be changed.
                normalize(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), len) });
            }
            // SAFETY: the range lies in live memory, is aligned because blocks are aligned to 64 and offsets count elements
            // (a copy starts on a block), holds valid values of `T` (memory is always initialised, every bit pattern is a
            // number, and booleans were normalised above), and writers are refused meanwhile.
            read(unsafe { std::slice::from_raw_parts(start.as_ptr().cast(), len) })
        })
    }

    /// The elements of a C- or F-contiguous array for writing, after pending reads and writes.
    pub fn with_slice_mut<T: Element, R>(&self, write: impl FnOnce(&mut [T]) -> R) -> Result<R, ArrayError> {
        self.buffer.wait_idle()?;
        self.with_slice_mut_now(write)
    }

    /// As [`Array::with_slice_mut`] inside a step, whose order the queue guarantees.
    pub fn with_slice_mut_now<T: Element, R>(&self, write: impl FnOnce(&mut [T]) -> R) -> Result<R, ArrayError> {
        let (range, len) = self.contiguous_range::<T>();
        self.buffer.reach_mut(range, |start| {
            if self.dtype.is_bool() {
                // SAFETY: `len` booleans are `len` bytes, and the range is ours alone.
                normalize(unsafe { std::slice::from_raw_parts_mut(start.as_ptr(), len) });
            }
            // SAFETY: as in `with_slice_now`; the range is exclusive.
            write(unsafe { std::slice::from_raw_parts_mut(start.as_ptr().cast(), len) })
        })
    }

    /// A part of the bytes of a C-contiguous array, after pending writes; `range` counts from its first element.
    pub fn with_bytes<R>(&self, range: Range<usize>, read: impl FnOnce(&[u8]) -> R) -> Result<R, ArrayError> {
        let range = self.range_of_bytes(range);
        self.buffer.wait_written()?;
        self.buffer.bytes_now(range, read)
    }

    /// A part of the bytes of a C-contiguous array for writing, after pending reads and writes.
    pub fn with_bytes_mut<R>(&self, range: Range<usize>, write: impl FnOnce(&mut [u8]) -> R) -> Result<R, ArrayError> {
        let range = self.range_of_bytes(range);
        self.buffer.check()?;
        self.buffer.wait_idle()?;
        self.buffer.bytes_now_mut(range, write)
    }

    fn range_of_bytes(&self, range: Range<usize>) -> Range<usize> {
        assert!(self.layout.is_c_contiguous(), "a strided array is accessed as bytes");
        assert!(range.end <= self.bytes(), "an array is accessed beyond its end");
        let start = if self.layout.is_empty() { 0 } else { self.layout.offset * self.dtype.bytes() };
        start + range.start..start + range.end
    }

    /// Raw memory and reused blocks may hold any byte, but a Rust `bool` is zero or one: others become one, which is what
    /// NumPy takes them for.
    fn normalize_bools(&self, range: Range<usize>) -> Result<(), ArrayError> {
        if !self.dtype.is_bool() {
            return Ok(());
        }
        if self.buffer.bytes_now(range.clone(), |bytes| bytes.iter().all(|&byte| byte <= 1))? {
            return Ok(());
        }
        self.buffer.bytes_now_mut(range, normalize)
    }

    /// The bytes of the elements in the buffer, and how many elements they are.
    fn contiguous_range<T: Element>(&self) -> (Range<usize>, usize) {
        assert_eq!(T::DTYPE, self.dtype, "an array is accessed as another dtype");
        assert!(
            self.layout.is_c_contiguous() || self.layout.is_f_contiguous(),
            "a strided array is accessed as a slice"
        );
        let (width, len) = (self.dtype.bytes(), self.len_elements());
        let start = if len == 0 { 0 } else { self.layout.offset * width };
        (start..start + len * width, len)
    }

    /// The element at index zero, for the engine, which proves its accesses itself (see
    /// [`Buffer::pointer`](crate::arrays::Buffer::pointer)).
    pub fn pointer<T: Element>(&self) -> Result<NonNull<T>, ArrayError> {
        debug_assert_eq!(T::DTYPE, self.dtype);
        let start = self.buffer.pointer()?.cast::<T>();
        if self.layout.is_empty() {
            return Ok(start);
        }
        // SAFETY: the layout fits the buffer (checked when the view was made), so the offset stays inside the block.
        Ok(unsafe { start.add(self.layout.offset) })
    }

    /// The address of the element at index zero, for the device's own work (see
    /// [`Buffer::device_address`](crate::arrays::Buffer::device_address)).
    pub fn device_address(&self) -> Result<usize, ArrayError> {
        let start = if self.layout.is_empty() { 0 } else { self.layout.offset * self.dtype.bytes() };
        self.buffer.device_address(start)
    }

    /// One element, after pending writes; the caller has checked the index.
    pub fn read_scalar(&self, index: &[usize]) -> Result<Scalar, ArrayError> {
        self.read_position(self.layout.position(index))
    }

    /// The `flat`-th element in C order, after pending writes.
    pub fn read_flat(&self, flat: usize) -> Result<Scalar, ArrayError> {
        self.read_position(self.layout.position_flat(flat))
    }

    fn read_position(&self, position: usize) -> Result<Scalar, ArrayError> {
        let one = self.view(Layout { offset: position, ..Layout::contiguous(&[]) });
        if self.dtype.is_bool() {
            // Raw memory may hold any byte; every one but zero is true, as in NumPy.
            return one.buffer.read_bytes(|bytes| Scalar::Bool(bytes[position] != 0));
        }
        dispatch!(self.dtype, T => one.with_slice(|elements: &[T]| elements[0].to_scalar()))
    }

    /// Writes one element, cast as C casts, after pending reads and writes; the caller has checked the index.
    pub fn write_scalar(&self, index: &[usize], value: Scalar) -> Result<(), ArrayError> {
        if self.is_only_noted() {
            return Ok(());
        }
        let one = self.view(Layout { offset: self.layout.position(index), ..Layout::contiguous(&[]) });
        dispatch!(self.dtype, T => one.with_slice_mut(|elements: &mut [T]| elements[0] = T::from_scalar(value)))
    }

    /// All elements in C order, copied to the host.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>, ArrayError> {
        if self.is_c_contiguous() {
            return self.with_slice(<[T]>::to_vec);
        }
        self.copy_to(&Alloc::HOST)?.with_slice(<[T]>::to_vec)
    }
}

/// Makes every byte that is not zero a one.
fn normalize(bytes: &mut [u8]) {
    if bytes.iter().any(|&byte| byte > 1) {
        bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
}
