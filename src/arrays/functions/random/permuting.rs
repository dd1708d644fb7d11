//! Shuffling: whole slices along an axis, or the elements of each line by themselves.

use super::bounded::interval;
use super::generator::Generator;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::creation::index_line;
use crate::arrays::functions::indexing::{self, BoundsMode};
use crate::arrays::functions::support::{self, MemoryOrder};
use crate::arrays::functions::{convert, shapes};
use crate::arrays::layout::normalize_axis;

impl Generator {
    /// `shuffle` in place along an axis.
    pub fn shuffle(&mut self, array: &Array, axis: i64) -> Result<(), ArrayError> {
        if array.rank() == 0 {
            return Err(ArrayError::type_error("object of type 'numpy.ndarray' of rank 0 has no len()"));
        }
        let axis = normalize_axis(axis, array.rank())?;
        if array.len_elements() == 0 {
            return Ok(());
        }
        let order = self.shuffled_indices(array.shape()[axis], &Alloc::HOST)?;
        let shuffled = indexing::take(array, &order, Some(axis as i64), BoundsMode::Raise)?;
        support::copy_into(array, &shuffled)
    }

    /// `permutation` of an array: a copy shuffled along an axis.
    pub fn permutation(&mut self, array: &Array, axis: i64) -> Result<Array, ArrayError> {
        if array.rank() == 0 {
            return Err(ArrayError::index("x must be an integer or at least 1-dimensional"));
        }
        let axis = normalize_axis(axis, array.rank())?;
        let order = self.shuffled_indices(array.shape()[axis], &Alloc::HOST)?;
        indexing::take(array, &order, Some(axis as i64), BoundsMode::Raise)
    }

    /// `permutation(n)`: the numbers below `n`, shuffled.
    pub fn shuffled_indices(&mut self, n: usize, alloc: &Alloc) -> Result<Array, ArrayError> {
        let order = index_line(n, 1, 0, DType::Int64, alloc)?;
        support::write::<i64, _>(&order, |order| {
            self.swap_about(order);
            Ok(())
        })?;
        Ok(order)
    }

    fn swap_about(&mut self, order: &mut [i64]) {
        let stream = &mut self.source_mut().stream;
        for last in (1..order.len()).rev() {
            order.swap(last, interval(stream, last as u64) as usize);
        }
    }

    /// `permuted`: a copy with the elements of every line along an axis shuffled by themselves, of the whole array without one.
    pub fn permuted(&mut self, array: &Array, axis: Option<i64>) -> Result<Array, ArrayError> {
        if array.rank() == 0 {
            return Err(ArrayError::type_error("len() of unsized object"));
        }
        let Some(axis) = axis else {
            // Elements change places in memory, whichever way that is indexed.
            let copy = convert::copy(array, MemoryOrder::K)?;
            let line = if copy.is_c_contiguous() { copy.clone() } else { copy.transposed() };
            let line = shapes::ravel(&line, MemoryOrder::C)?;
            let order = self.shuffled_indices(line.len_elements(), &Alloc::HOST)?;
            let shuffled = indexing::take(&line, &order, Some(0), BoundsMode::Raise)?;
            support::copy_into(&line, &shuffled)?;
            return Ok(copy);
        };
        let axis = normalize_axis(axis, array.rank())? as i64;
        let lines = shapes::moveaxis(array, &[axis], &[-1])?;
        let len = lines.shape()[lines.rank() - 1];
        let order = Array::for_overwrite(lines.shape(), DType::Int64, &Alloc::HOST)?;
        support::write::<i64, _>(&order, |order| {
            for line in order.chunks_exact_mut(len.max(1)) {
                line.iter_mut().enumerate().for_each(|(place, slot)| *slot = place as i64);
                self.swap_about(line);
            }
            Ok(())
        })?;
        let shuffled = indexing::take_along_axis(&lines, &order, Some(-1), BoundsMode::Raise)?;
        shapes::moveaxis(&shuffled, &[-1], &[axis])
    }
}
