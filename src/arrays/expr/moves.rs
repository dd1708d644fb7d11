//! Elements moved by positions or by a mask, and sorted, on devices that run programs.
//!
//! Each function answers whether the device did it; where it did not, the caller does it on the host. Positions and
//! running counts come as arrays, so that nothing of them has to visit the host.

use super::device::{self, Arguments, Outcome, Strides, Target, fold_groups};
use crate::arrays::array::Array;
use crate::arrays::buffer::Buffer;
use crate::arrays::device::Place;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::Layout;
use crate::arrays::spirv::{self, Kind, Lane, Move, Space, Stage};
use smallvec::SmallVec;
use std::sync::Arc;

/// Whether a place's device runs programs, so that these functions are worth preparing for.
pub fn runs_programs(place: &Place) -> bool {
    device::runs_programs(place)
}

/// The elements that a list of points selects.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a> {
    /// Axes of the selection before those of the points; its offset is the array's, in elements of the buffer.
    pub before: &'a Layout,
    /// Axes after those of the points; its offset is zero.
    pub after: &'a Layout,
    /// The offset of each point, a contiguous int64 array of one axis.
    pub offsets: &'a Array,
}

/// Which points select the same elements.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'a> {
    /// A number for each point, a contiguous int64 array of one axis: the same for the same elements.
    pub numbers: &'a Array,
    /// All numbers are below this.
    pub len: usize,
}

/// The elements that a mask selects.
#[derive(Clone, Copy, Debug)]
pub struct Masked<'a> {
    /// The axes that the mask stands for, in the array; its offset is the array's.
    pub outer: &'a Layout,
    /// The other axes; its offset is zero.
    pub inner: &'a Layout,
    /// The mask, of the shape of `outer`.
    pub mask: &'a Array,
    /// How many are true up to and including each element, a contiguous int64 array of one axis.
    pub count: &'a Array,
}

/// Copies the selected elements of `from` into `into`, a new contiguous array.
pub fn gather(from: &Array, points: Points<'_>, into: &Array) -> Result<bool, ArrayError> {
    let len = points.offsets.len_elements();
    let lengths: SmallVec<[usize; 6]> =
        points.before.shape.iter().chain(&[len]).chain(&points.after.shape).copied().collect();
    let strides = Strides::from_slice(&Layout::contiguous(&lengths).strides);
    by_points(Move::Gather, from, points, &[len], into, strides, &[])
}

/// Writes the one element of `value` to the selected ones of `into`, however often one is selected.
pub fn fill(into: &Array, points: Points<'_>, value: &Array) -> Result<bool, ArrayError> {
    let nothing = Strides::from_elem(0, points.before.rank() + 1 + points.after.rank());
    by_points(Move::Scatter, into, points, &[points.offsets.len_elements()], value, nothing, &[])
}

/// Writes the elements of `from` to the selected ones of `into`; of those written to one element, the last in C order of the
/// points stays. `from` has the axes of the selection, those of the points being `shape`.
pub fn scatter(
    into: &Array,
    points: Points<'_>,
    shape: &[usize],
    slots: Slots<'_>,
    from: &Array,
) -> Result<bool, ArrayError> {
    let count = points.offsets.len_elements();
    let strides = Strides::from_slice(&from.layout().strides);
    if count <= 1 {
        return by_points(Move::Scatter, into, points, shape, from, strides, &[]);
    }
    // A claim is a point's number in 32 bits.
    let Some((queue, limits)) = device::programs(into.place()).filter(|_| count < i32::MAX as usize) else {
        return Ok(false);
    };
    let winners = Array::zeros(&[slots.len], DType::Int32, &into.alloc())?;
    let to = Target { queue, limits, label: "put" };
    let space = Space::new(&[1], count.max(slots.len));
    let mut arguments = Arguments::new();
    arguments.address(&winners)?;
    arguments.address(slots.numbers)?;
    arguments.number(count as i64, space.wide);
    let program = to.program(Kind::Move { kind: Move::Claim, bytes: 4 }, space);
    let claimed =
        to.launch(&program, arguments, [count, 1, 1], None, &[slots.numbers.buffer()], &[winners.buffer()])?;
    if matches!(claimed, Outcome::OnHost(_)) {
        return Ok(false);
    }
    by_points(Move::ScatterLast, into, points, shape, from, strides, &[slots.numbers, &winners])
}

/// Writes where each element of a layout lies, counted from its first, into a new contiguous int64 array of one axis.
pub fn number(layout: &Layout, into: &Array) -> Result<bool, ArrayError> {
    let mut rows = [Strides::from_slice(&layout.strides)];
    let folded = fold_groups(&layout.shape, &[layout.rank()], &mut rows);
    let reach: usize = folded.lengths.iter().zip(&rows[0]).map(|(&len, step)| len * step.unsigned_abs()).sum();
    let space = Space::new(&folded.groups, reach.max(into.len_elements()));
    let Some((queue, limits)) = device::programs(into.place()) else { return Ok(false) };
    let to = Target { queue, limits, label: "indices" };
    let mut arguments = Arguments::new();
    arguments.address(into)?;
    space.shape_arguments(&folded.lengths, &mut |value| arguments.number(value, space.wide));
    space.stride_arguments(Lane::Any, &rows[0], &mut |value| arguments.number(value, space.wide));
    let program = to.program(Kind::Move { kind: Move::Number, bytes: 8 }, space);
    let outcome = to.launch(&program, arguments, [into.len_elements(), 1, 1], None, &[], &[into.buffer()])?;
    Ok(matches!(outcome, Outcome::Submitted))
}

/// Writes where the elements under `outer` lie, counted from its first, for which the mask is true, into an int64 array of one
/// axis.
pub fn find(masked: Masked<'_>, into: &Array) -> Result<bool, ArrayError> {
    by_mask(Move::Find, into, masked, into, into.layout())
}

/// Copies the elements of `from` where the mask is true into `into`, a new contiguous array.
pub fn compress(from: &Array, masked: Masked<'_>, into: &Array) -> Result<bool, ArrayError> {
    let own = Layout::contiguous(into.shape());
    by_mask(Move::Compress, from, masked, into, &own)
}

/// Writes the elements of `from`, one row for each true element of the mask, to where the mask is true in `into`.
pub fn expand(into: &Array, masked: Masked<'_>, from: &Array) -> Result<bool, ArrayError> {
    by_mask(Move::Expand, into, masked, from, from.layout())
}

/// `old` is the array that is selected from or into; `new` the other, which has these strides along the axes before, those of
/// the points, which are `shape`, and the axes after. `claims` are the arrays that tell which of several values stays.
fn by_points(
    kind: Move,
    old: &Array,
    points: Points<'_>,
    shape: &[usize],
    new: &Array,
    new_strides: Strides,
    claims: &[&Array],
) -> Result<bool, ArrayError> {
    let Points { before, after, offsets } = points;
    let lengths: SmallVec<[usize; 6]> = before.shape.iter().chain(shape).chain(&after.shape).copied().collect();
    let total: usize = lengths.iter().product();
    let along = std::iter::repeat_n(&0, shape.len());
    let mut rows =
        [new_strides, before.strides.iter().chain(along).chain(&after.strides).copied().collect::<Strides>()];
    let folded = fold_groups(&lengths, &[before.rank(), shape.len(), after.rank()], &mut rows);
    // An offset reaches anywhere in the buffer.
    let reach = [old, new].map(|array| array.buffer().bytes() / array.dtype().bytes());
    let space = Space::new(&folded.groups, reach.into_iter().fold(total, usize::max));
    let mut arguments = Arguments::new();
    arguments.address(new)?;
    arguments.address_at(old, before.offset)?;
    arguments.address(offsets)?;
    claims.iter().try_for_each(|claim| arguments.address(claim))?;
    space.shape_arguments(&folded.lengths, &mut |value| arguments.number(value, space.wide));
    for strides in &rows {
        space.stride_arguments(Lane::Any, strides, &mut |value| arguments.number(value, space.wide));
    }
    let places: SmallVec<[&Array; 4]> = std::iter::once(offsets).chain(claims.iter().copied()).collect();
    launch(kind, old, new, &places, space, arguments, total)
}

fn by_mask(kind: Move, old: &Array, masked: Masked<'_>, new: &Array, new_layout: &Layout) -> Result<bool, ArrayError> {
    let Masked { outer, inner, mask, count } = masked;
    let lengths: SmallVec<[usize; 6]> = outer.shape.iter().chain(&inner.shape).copied().collect();
    let total: usize = lengths.iter().product();
    let nothing = |rank: usize| std::iter::repeat_n(0isize, rank);
    let mut rows: [Strides; 3] = [
        nothing(outer.rank()).chain(new_layout.strides[1..].iter().copied()).collect(),
        outer.strides.iter().chain(&inner.strides).copied().collect(),
        mask.layout().strides.iter().copied().chain(nothing(inner.rank())).collect(),
    ];
    let folded = fold_groups(&lengths, &[outer.rank(), inner.rank()], &mut rows);
    let reach = [old, new, mask].map(|array| array.buffer().bytes() / array.dtype().bytes());
    let space = Space::new(&folded.groups, reach.into_iter().fold(total, usize::max));
    let mut arguments = Arguments::new();
    arguments.address(new)?;
    arguments.address_at(old, outer.offset)?;
    arguments.address(count)?;
    arguments.address(mask)?;
    space.shape_arguments(&folded.lengths, &mut |value| arguments.number(value, space.wide));
    for strides in &rows {
        space.stride_arguments(Lane::Any, strides, &mut |value| arguments.number(value, space.wide));
    }
    arguments.number(new_layout.strides[0] as i64, space.wide);
    launch(kind, old, new, &[count, mask], space, arguments, total)
}

fn launch(
    kind: Move,
    old: &Array,
    new: &Array,
    places: &[&Array],
    space: Space,
    arguments: Arguments,
    items: usize,
) -> Result<bool, ArrayError> {
    let (label, from, into) = match kind {
        Move::Gather | Move::Compress => ("take", old, new),
        Move::Find | Move::Number => ("nonzero", old, new),
        Move::Scatter | Move::ScatterLast | Move::Claim | Move::Expand => ("put", new, old),
    };
    let Some((queue, limits)) = device::programs(into.place()) else { return Ok(false) };
    let to = Target { queue, limits, label };
    let program = to.program(Kind::Move { kind, bytes: old.dtype().bytes() }, space);
    let mut reads: SmallVec<[&Arc<Buffer>; 4]> = places.iter().map(|array| array.buffer()).collect();
    if kind != Move::Find {
        reads.push(from.buffer());
    }
    let outcome = to.launch(&program, arguments, [items, 1, 1], None, &reads, &[into.buffer()])?;
    Ok(matches!(outcome, Outcome::Submitted))
}

/// Sorts the lines of `len` elements that make up a contiguous array, in place and stably, NaN last; `positions`, int64 and
/// as long, gets where in its line each element was.
pub fn sort(lines: &Array, len: usize, descending: bool, positions: &Array) -> Result<bool, ArrayError> {
    let Some((queue, limits)) = device::programs(lines.place()) else { return Ok(false) };
    let to = Target { queue, limits, label: "sort" };
    let total = lines.len_elements();
    let (count, block) = (total / len.max(1), spirv::BLOCK as usize);
    let space = Space::new(&[1], total);
    let run = |stage: Stage, half: usize| -> Result<bool, ArrayError> {
        let mut arguments = Arguments::new();
        arguments.address(lines)?;
        arguments.address(positions)?;
        [count, len, half].iter().for_each(|&number| arguments.number(number as i64, space.wide));
        let (items, local) = match stage {
            Stage::Blocks | Stage::Within => (len.div_ceil(block) * block / 2, Some([spirv::BLOCK / 2, 1, 1])),
            Stage::Mirror | Stage::Half => (len.div_ceil(2 * half) * half, None),
        };
        let program = to.program(Kind::Sort { dtype: lines.dtype(), descending, stage }, space.clone());
        let buffers = [lines.buffer(), positions.buffer()];
        let outcome = to.launch(&program, arguments, [items, count, 1], local, &[], &buffers)?;
        Ok(matches!(outcome, Outcome::Submitted))
    };
    if !run(Stage::Blocks, 0)? {
        return Ok(false);
    }
    let mut half = block;
    while half < len {
        let mut done = run(Stage::Mirror, half)?;
        let mut distance = half / 2;
        while distance >= block {
            done &= run(Stage::Half, distance)?;
            distance /= 2;
        }
        done &= run(Stage::Within, 0)?;
        if !done {
            return Err(ArrayError::not_supported("the device took only a part of a sort"));
        }
        half *= 2;
    }
    Ok(true)
}

/// Where each of `values` has to be inserted in a `sorted` line, both contiguous and of one dtype, into `places`, a new array of
/// int64.
pub fn search(sorted: &Array, values: &Array, right: bool, places: &Array) -> Result<bool, ArrayError> {
    let Some((queue, limits)) = device::programs(places.place()) else { return Ok(false) };
    let to = Target { queue, limits, label: "searchsorted" };
    let (len, count) = (sorted.len_elements(), values.len_elements());
    let space = Space::new(&[1], len.max(count));
    let mut arguments = Arguments::new();
    [places, sorted, values].iter().try_for_each(|array| arguments.address(array))?;
    [len, count].iter().for_each(|&number| arguments.number(number as i64, space.wide));
    let program = to.program(Kind::Search { dtype: values.dtype(), right }, space);
    let reads = [sorted.buffer(), values.buffer()];
    let outcome = to.launch(&program, arguments, [count, 1, 1], None, &reads, &[places.buffer()])?;
    Ok(matches!(outcome, Outcome::Submitted))
}
