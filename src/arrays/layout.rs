//! Shape, strides and offset: how the elements of an array lie in its buffer, and the views that cost nothing.
//!
//! Strides and offsets count elements, never bytes. This file knows neither memory nor element types.

use super::error::ArrayError;
use smallvec::{SmallVec, smallvec};

/// A shape; six axes or fewer need no allocation.
pub type Dims = SmallVec<[usize; 6]>;
/// Steps between neighbours along each axis, in elements.
pub type Strides = SmallVec<[isize; 6]>;

/// The largest rank NumPy allows.
pub const RANK_MAX: usize = 64;

/// How elements lie in a buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Elements along each axis.
    pub shape: Dims,
    /// Steps along each axis, in elements; zero where an axis is broadcast.
    pub strides: Strides,
    /// Position of the element at index zero, in elements from the start of the buffer.
    pub offset: usize,
}

/// The order of elements in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Last axis fastest.
    C,
    /// First axis fastest.
    F,
}

/// One item of a basic index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BasicIndex {
    /// An integer: the axis disappears.
    At(i64),
    /// `start:stop:step`, each part optional.
    Slice {
        /// First index, or from the end when negative.
        start: Option<i64>,
        /// Bound, excluded.
        stop: Option<i64>,
        /// Step; never zero.
        step: Option<i64>,
    },
    /// `None` / `newaxis`: a new axis of length one.
    NewAxis,
    /// `...`: as many full slices as are missing.
    Ellipsis,
}

/// What a slice selects along an axis of known length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceRange {
    /// First index; meaningful when `len` is not zero.
    pub start: usize,
    /// Step, not zero.
    pub step: isize,
    /// How many indices.
    pub len: usize,
}

/// Python's slice arithmetic: clamps `start` and `stop` to an axis of length `len`.
pub fn slice_range(
    start: Option<i64>,
    stop: Option<i64>,
    step: Option<i64>,
    len: usize,
) -> Result<SliceRange, ArrayError> {
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(ArrayError::value("slice step cannot be zero"));
    }
    let (len, step) = (len as i128, i128::from(step));
    let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let clamp = |value: Option<i64>, missing: i128| match value {
        None => missing,
        Some(value) => {
            let value = i128::from(value);
            (if value < 0 { value + len } else { value }).clamp(low, high)
        }
    };
    let (first, last) =
        if step > 0 { (clamp(start, low), clamp(stop, high)) } else { (clamp(start, high), clamp(stop, low)) };
    let distance = if step > 0 { last - first } else { first - last };
    let count = if distance <= 0 { 0 } else { (distance - 1) / step.abs() + 1 };
    Ok(SliceRange { start: if count == 0 { 0 } else { first as usize }, step: step as isize, len: count as usize })
}

/// The number of elements of a shape, or nothing when it overflows.
pub fn checked_len(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1usize, |len, &dim| len.checked_mul(dim))
}

/// `axis` counted from the end when negative, or NumPy's `AxisError`.
pub fn normalize_axis(axis: i64, rank: usize) -> Result<usize, ArrayError> {
    let positive = if axis < 0 { axis + rank as i64 } else { axis };
    if positive < 0 || positive >= rank as i64 {
        return Err(ArrayError::AxisOutOfBounds { axis, rank });
    }
    Ok(positive as usize)
}

/// The shape all broadcast to, or NumPy's error with every shape in it.
pub fn broadcast_shapes(shapes: &[&[usize]]) -> Result<Dims, ArrayError> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut result: Dims = smallvec![1; rank];
    for shape in shapes {
        let lead = rank - shape.len();
        for (axis, &dim) in shape.iter().enumerate() {
            let out = &mut result[lead + axis];
            if *out == dim || dim == 1 {
                continue;
            }
            if *out != 1 {
                return Err(ArrayError::Broadcast { shapes: shapes.iter().map(|shape| shape.to_vec()).collect() });
            }
            *out = dim;
        }
    }
    Ok(result)
}

impl Layout {
    /// A C-ordered layout from the start of a buffer.
    pub fn contiguous(shape: &[usize]) -> Layout {
        Layout { shape: Dims::from_slice(shape), strides: c_strides(shape), offset: 0 }
    }

    /// An F-ordered layout from the start of a buffer.
    pub fn fortran(shape: &[usize]) -> Layout {
        let mut strides: Strides = smallvec![0; shape.len()];
        let mut step = 1isize;
        for (axis, &dim) in shape.iter().enumerate() {
            strides[axis] = step;
            step = step.saturating_mul(dim.max(1) as isize);
        }
        Layout { shape: Dims::from_slice(shape), strides, offset: 0 }
    }

    /// A layout in the given order from the start of a buffer.
    pub fn ordered(shape: &[usize], order: Order) -> Layout {
        match order {
            Order::C => Layout::contiguous(shape),
            Order::F => Layout::fortran(shape),
        }
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    pub fn len_elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Whether the elements follow each other in C order without gaps; axes of length one do not matter.
    pub fn is_c_contiguous(&self) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut expected = 1isize;
        for (&dim, &stride) in self.shape.iter().zip(&self.strides).rev() {
            if dim != 1 {
                if stride != expected {
                    return false;
                }
                expected *= dim as isize;
            }
        }
        true
    }

    /// Whether the elements follow each other in F order without gaps.
    pub fn is_f_contiguous(&self) -> bool {
        if self.is_empty() {
            return true;
        }
        let mut expected = 1isize;
        for (&dim, &stride) in self.shape.iter().zip(&self.strides) {
            if dim != 1 {
                if stride != expected {
                    return false;
                }
                expected *= dim as isize;
            }
        }
        true
    }

    /// Strides in bytes, as `ndarray.strides`.
    pub fn strides_bytes(&self, element_bytes: usize) -> Strides {
        self.strides.iter().map(|stride| stride * element_bytes as isize).collect()
    }

    /// The lowest and the highest element position used, or nothing for an empty layout.
    pub fn bounds(&self) -> Option<(usize, usize)> {
        if self.is_empty() {
            return None;
        }
        let (mut low, mut high) = (self.offset as isize, self.offset as isize);
        for (&dim, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = (dim as isize - 1) * stride;
            if reach < 0 {
                low += reach;
            } else {
                high += reach;
            }
        }
        Some((low as usize, high as usize))
    }

    /// Whether every element lies inside a buffer of this many elements.
    pub fn fits(&self, buffer_elements: usize) -> bool {
        self.bounds().is_none_or(|(_, high)| high < buffer_elements)
    }

    /// The position of one element; the caller has checked the index against the shape.
    pub fn position(&self, index: &[usize]) -> usize {
        debug_assert_eq!(index.len(), self.rank());
        let steps: isize = index.iter().zip(&self.strides).map(|(&i, &stride)| i as isize * stride).sum();
        (self.offset as isize + steps) as usize
    }

    /// The index, in C order, of the `flat`-th element.
    pub fn unravel(&self, mut flat: usize) -> Dims {
        let mut index: Dims = smallvec![0; self.rank()];
        for axis in (0..self.rank()).rev() {
            let dim = self.shape[axis].max(1);
            index[axis] = flat % dim;
            flat /= dim;
        }
        index
    }

    /// The position of the `flat`-th element in C order.
    pub fn position_flat(&self, mut flat: usize) -> usize {
        let mut position = self.offset as isize;
        for axis in (0..self.rank()).rev() {
            let dim = self.shape[axis].max(1);
            position += (flat % dim) as isize * self.strides[axis];
            flat /= dim;
        }
        position as usize
    }

    /// The positions of all elements, in C order.
    pub fn positions(&self) -> Positions {
        Positions {
            shape: self.shape.clone(),
            strides: self.strides.clone(),
            index: smallvec![0; self.rank()],
            position: self.offset as isize,
            left: self.len_elements(),
        }
    }

    /// The view a basic index selects.
    pub fn index(&self, items: &[BasicIndex]) -> Result<Layout, ArrayError> {
        let used = items.iter().filter(|item| matches!(item, BasicIndex::At(_) | BasicIndex::Slice { .. })).count();
        let ellipses = items.iter().filter(|item| matches!(item, BasicIndex::Ellipsis)).count();
        if ellipses > 1 {
            return Err(ArrayError::index("an index can only have a single ellipsis ('...')"));
        }
        if used > self.rank() {
            return Err(ArrayError::index(format!(
                "too many indices for array: array is {}-dimensional, but {used} were indexed",
                self.rank()
            )));
        }
        let mut view = Layout { shape: Dims::new(), strides: Strides::new(), offset: self.offset };
        let mut axis = 0;
        for item in items {
            match *item {
                BasicIndex::At(index) => {
                    let len = self.shape[axis];
                    let positive = if index < 0 { index + len as i64 } else { index };
                    if positive < 0 || positive >= len as i64 {
                        return Err(ArrayError::IndexOutOfBounds { index, axis, len });
                    }
                    view.offset = (view.offset as isize + positive as isize * self.strides[axis]) as usize;
                    axis += 1;
                }
                BasicIndex::Slice { start, stop, step } => {
                    let range = slice_range(start, stop, step, self.shape[axis])?;
                    view.push_range(range, self.strides[axis]);
                    axis += 1;
                }
                BasicIndex::NewAxis => {
                    view.shape.push(1);
                    view.strides.push(0);
                }
                BasicIndex::Ellipsis => {
                    let missing = self.rank() - used;
                    view.shape.extend_from_slice(&self.shape[axis..axis + missing]);
                    view.strides.extend_from_slice(&self.strides[axis..axis + missing]);
                    axis += missing;
                }
            }
        }
        view.shape.extend_from_slice(&self.shape[axis..]);
        view.strides.extend_from_slice(&self.strides[axis..]);
        Ok(view)
    }

    fn push_range(&mut self, range: SliceRange, stride: isize) {
        self.offset = (self.offset as isize + range.start as isize * stride) as usize;
        self.shape.push(range.len);
        self.strides.push(stride.saturating_mul(range.step));
    }

    /// The view of one axis narrowed to a range of indices (already checked).
    pub fn slice_axis(&self, axis: usize, start: usize, len: usize) -> Layout {
        let mut view = self.clone();
        view.offset = (view.offset as isize + start as isize * view.strides[axis]) as usize;
        view.shape[axis] = len;
        view
    }

    /// All axes reversed.
    pub fn transposed(&self) -> Layout {
        Layout {
            shape: self.shape.iter().rev().copied().collect(),
            strides: self.strides.iter().rev().copied().collect(),
            offset: self.offset,
        }
    }

    /// Axes in the given order; negative axes count from the end.
    pub fn permuted(&self, axes: &[i64]) -> Result<Layout, ArrayError> {
        if axes.len() != self.rank() {
            return Err(ArrayError::value("axes don't match array"));
        }
        let mut seen: SmallVec<[bool; 6]> = smallvec![false; self.rank()];
        let mut view = Layout { shape: Dims::new(), strides: Strides::new(), offset: self.offset };
        for &axis in axes {
            let axis = normalize_axis(axis, self.rank())?;
            if std::mem::replace(&mut seen[axis], true) {
                return Err(ArrayError::value("repeated axis in transpose"));
            }
            view.shape.push(self.shape[axis]);
            view.strides.push(self.strides[axis]);
        }
        Ok(view)
    }

    /// A new axis of length one before `axis` (at most the rank).
    pub fn expand(&self, axis: usize) -> Layout {
        let mut view = self.clone();
        view.shape.insert(axis, 1);
        view.strides.insert(axis, 0);
        view
    }

    /// Without one axis, whose index is zero.
    pub fn remove_axis(&self, axis: usize) -> Layout {
        let mut view = self.clone();
        view.shape.remove(axis);
        view.strides.remove(axis);
        view
    }

    /// The same elements repeated to fill `shape`, with zero strides; NumPy's error when they cannot.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Layout, ArrayError> {
        let refuse = || ArrayError::BroadcastTo { from: self.shape.to_vec(), to: shape.to_vec() };
        if shape.len() < self.rank() {
            return Err(refuse());
        }
        let lead = shape.len() - self.rank();
        let mut strides: Strides = smallvec![0; shape.len()];
        for axis in 0..self.rank() {
            let (have, want) = (self.shape[axis], shape[lead + axis]);
            if have == want {
                strides[lead + axis] = self.strides[axis];
            } else if have != 1 {
                return Err(refuse());
            }
        }
        Ok(Layout { shape: Dims::from_slice(shape), strides, offset: self.offset })
    }

    /// The same elements under another shape without moving any, or nothing when that needs a copy.
    ///
    /// The caller has checked that the number of elements is the same.
    pub fn reshaped(&self, shape: &[usize], order: Order) -> Option<Layout> {
        debug_assert_eq!(self.len_elements(), shape.iter().product::<usize>());
        if self.is_empty() {
            return Some(Layout { offset: self.offset, ..Layout::ordered(shape, order) });
        }
        match order {
            Order::C => self.reshaped_c(shape),
            // The F order of an array is the C order of its transpose.
            Order::F => {
                let reversed: Dims = shape.iter().rev().copied().collect();
                Some(self.transposed().reshaped_c(&reversed)?.transposed())
            }
        }
    }

    fn reshaped_c(&self, shape: &[usize]) -> Option<Layout> {
        let merged = self.without_unit_axes();
        let mut strides: Strides = smallvec![0; shape.len()];
        let (mut old, mut new) = (0, 0);
        while old < merged.shape.len() && new < shape.len() {
            // Grow both groups until they hold the same number of elements.
            let (mut old_end, mut new_end) = (old + 1, new + 1);
            let (mut old_len, mut new_len) = (merged.shape[old], shape[new]);
            while old_len != new_len {
                if old_len < new_len {
                    old_len *= merged.shape[old_end];
                    old_end += 1;
                } else {
                    new_len *= shape[new_end];
                    new_end += 1;
                }
            }
            let chained = (old..old_end - 1)
                .all(|axis| merged.strides[axis] == merged.strides[axis + 1] * merged.shape[axis + 1] as isize);
            if !chained {
                return None;
            }
            let mut step = merged.strides[old_end - 1];
            for axis in (new..new_end).rev() {
                strides[axis] = step;
                step *= shape[axis] as isize;
            }
            (old, new) = (old_end, new_end);
        }
        // What is left of the new shape are axes of length one.
        for axis in new..shape.len() {
            strides[axis] = if axis == 0 { 1 } else { strides[axis - 1] };
        }
        Some(Layout { shape: Dims::from_slice(shape), strides, offset: self.offset })
    }

    fn without_unit_axes(&self) -> Layout {
        let kept = || (0..self.rank()).filter(|&axis| self.shape[axis] != 1);
        Layout {
            shape: kept().map(|axis| self.shape[axis]).collect(),
            strides: kept().map(|axis| self.strides[axis]).collect(),
            offset: self.offset,
        }
    }

    /// The same elements visited in the same order with as few axes as possible.
    pub fn coalesced(&self) -> Layout {
        let source = self.without_unit_axes();
        let mut merged = Layout { shape: Dims::new(), strides: Strides::new(), offset: self.offset };
        for axis in 0..source.rank() {
            let (dim, stride) = (source.shape[axis], source.strides[axis]);
            match (merged.shape.last_mut(), merged.strides.last_mut()) {
                (Some(last_dim), Some(last_stride)) if *last_stride == stride * dim as isize => {
                    *last_dim *= dim;
                    *last_stride = stride;
                }
                _ => {
                    merged.shape.push(dim);
                    merged.strides.push(stride);
                }
            }
        }
        merged
    }

    /// Whether two different indices may name the same element (a broadcast view, or overlapping windows).
    pub fn overlaps_itself(&self) -> bool {
        if self.is_empty() {
            return false;
        }
        let mut axes: SmallVec<[(usize, usize); 6]> = (0..self.rank())
            .filter(|&axis| self.shape[axis] > 1)
            .map(|axis| (self.strides[axis].unsigned_abs(), self.shape[axis]))
            .collect();
        axes.sort_unstable();
        let mut reach = 0usize;
        for (stride, dim) in axes {
            if stride <= reach {
                return true;
            }
            reach += stride * (dim - 1);
        }
        false
    }

    /// Whether two layouts of elements of the same width in one buffer may share an element.
    ///
    /// Ranges that do not meet and interleaved combs (`a[::2]`, `a[1::2]`) are told apart; the rest counts as sharing.
    pub fn may_overlap(&self, other: &Layout) -> bool {
        let (Some((low, high)), Some((other_low, other_high))) = (self.bounds(), other.bounds()) else { return false };
        if high < other_low || other_high < low {
            return false;
        }
        // All positions of both are congruent to their first one modulo the common divisor of all strides.
        let divisor = self.steps().chain(other.steps()).fold(0usize, num_integer::gcd);
        if divisor > 1 {
            return low.abs_diff(other_low).is_multiple_of(divisor);
        }
        true
    }

    /// Whether two layouts of elements of the same width in one buffer share an element, exactly.
    ///
    /// Looks for indices of both that name one position, so it costs no memory, and little time for strides that nest in each
    /// other as those of views do.
    pub fn shares_element(&self, other: &Layout) -> bool {
        if !self.may_overlap(other) {
            return false;
        }
        let (Some((low, _)), Some((_, other_high))) = (self.bounds(), other.bounds()) else { return false };
        // Counted up from the one's first position and down from the other's last, all steps point the same way.
        let mut steps: SmallVec<[(usize, usize); 12]> = SmallVec::new();
        for layout in [self, other] {
            let axes = layout.shape.iter().zip(&layout.strides).filter(|(dim, stride)| **dim > 1 && **stride != 0);
            steps.extend(axes.map(|(dim, stride)| (stride.unsigned_abs(), dim - 1)));
        }
        steps.sort_unstable_by(|one, other| other.cmp(one));
        steps.dedup_by(|step, before| {
            let is_same = step.0 == before.0;
            before.1 += if is_same { step.1 } else { 0 };
            is_same
        });
        other_high >= low && adds_up(other_high - low, &steps)
    }

    /// The same memory as elements of one byte.
    pub fn in_bytes(&self, width: usize) -> Layout {
        let mut bytes = Layout { offset: self.offset * width, ..self.clone() };
        bytes.strides.iter_mut().for_each(|stride| *stride *= width as isize);
        bytes.shape.push(width);
        bytes.strides.push(1);
        bytes
    }

    fn steps(&self) -> impl Iterator<Item = usize> + '_ {
        self.shape.iter().zip(&self.strides).filter(|(dim, _)| **dim > 1).map(|(_, stride)| stride.unsigned_abs())
    }
}

/// Whether a distance is a sum of steps, each taken so many times at most; the longest steps come first.
fn adds_up(distance: usize, steps: &[(usize, usize)]) -> bool {
    let Some((&(step, times_max), rest)) = steps.split_first() else { return distance == 0 };
    let (divisor, reach) = rest.iter().fold((0, 0usize), |(divisor, reach), &(step, times)| {
        (num_integer::gcd(divisor, step), reach.saturating_add(step.saturating_mul(times)))
    });
    let least = distance.saturating_sub(reach).div_ceil(step);
    (least..=times_max.min(distance / step)).any(|times| {
        let left = distance - times * step;
        left.checked_rem(divisor).is_none_or(|rest| rest == 0) && adds_up(left, rest)
    })
}

fn c_strides(shape: &[usize]) -> Strides {
    let mut strides: Strides = smallvec![0; shape.len()];
    let mut step = 1isize;
    for axis in (0..shape.len()).rev() {
        strides[axis] = step;
        step = step.saturating_mul(shape[axis].max(1) as isize);
    }
    strides
}

/// Iterator over element positions in C order.
#[derive(Clone, Debug)]
pub struct Positions {
    shape: Dims,
    strides: Strides,
    index: Dims,
    position: isize,
    left: usize,
}

impl Iterator for Positions {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let current = self.position as usize;
        for axis in (0..self.shape.len()).rev() {
            self.index[axis] += 1;
            self.position += self.strides[axis];
            if self.index[axis] < self.shape[axis] {
                break;
            }
            self.position -= self.strides[axis] * self.shape[axis] as isize;
            self.index[axis] = 0;
        }
        Some(current)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Positions {}

#[cfg(test)]
mod tests;
