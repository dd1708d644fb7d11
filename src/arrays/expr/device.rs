//! Expressions on devices that run programs: from a graph to a description, from a description to a launch.
//!
//! Values are numbered and merged as for the native engine, but over element strides and addresses that only the device
//! understands. What has no lowering, or needs what the device lacks, answers [`Outcome::OnHost`] with the operation's
//! name; the caller then computes on the host and the account says so.

mod launch;
mod lowering;
mod panels;
mod product;
mod stream;

use super::{Expr, warnings};
use crate::arrays::account;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::buffer::Buffer;
use crate::arrays::cpu::fold::Fold;
use crate::arrays::cpu::reduce;
use crate::arrays::cpu::scan::{Lines, Scan};
use crate::arrays::device::{Place, QueueHandle};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::spirv::{self, Fused, Keep, Kind as ProgramKind, Lane, Pass, Space};
use crate::arrays::trace;
use crate::arrays::work::ProgramLimits;
pub(super) use launch::{Arguments, Target};
use lowering::{Lowered, Lowering};
pub(super) use lowering::{Strides, fold_groups};
pub(super) use product::{Factor, multiply};
use smallvec::SmallVec;
use std::sync::Arc;

/// What came of an attempt to compute on the device.
pub(super) enum Outcome {
    /// The device does it.
    Submitted,
    /// The device cannot: the operation that the host has to do.
    OnHost(&'static str),
}

/// The queue of a place whose device runs programs, and what it runs.
pub(super) fn programs(place: &Place) -> Option<(&QueueHandle, &ProgramLimits)> {
    let queue = place.queue()?;
    Some((queue, queue.device().runs_programs()?))
}

/// Whether work at a place is not for the engine's loops over addresses: its device runs programs, or the host does not
/// reach its memory.
pub(super) fn runs_programs(place: &Place) -> bool {
    place.queue().is_some_and(|queue| queue.device().computes())
}

/// The account says that the host does this, and how many bytes its result has.
pub(super) fn note_on_host(operation: &'static str, result: &Array) {
    account::note_host_fallback(operation, result.bytes() as u64);
}

/// Whether the host reaches an array's elements through their address.
pub(super) fn is_reachable(array: &Array) -> bool {
    array.usm().is_none_or(|usm| array.device().host_access(usm))
}

/// Runs on copies in host memory, and brings the result back.
fn through_host(alloc: &Alloc, run: impl FnOnce() -> Result<Array, ArrayError>) -> Result<Array, ArrayError> {
    warnings::unobserved(run)?.copy_to(alloc)
}

/// Computes an expression on the host and copies the result into `target`.
pub(super) fn store_from_host(expr: &Expr, target: &Array, walk: &[usize]) -> Result<(), ArrayError> {
    let expr = expr.cast(target.dtype());
    let result = warnings::unobserved(|| expr.on_host()?.broadcast_to(target.shape())?.evaluate())?;
    if programs(target.place()).is_none() {
        return result.copy_into(target);
    }
    done(store(&Expr::array(&result.copy_to(&target.alloc())?), target, walk)?)
}

/// Computes something by `run` on the host over a copy of an expression, and answers an array where `like` is.
pub(super) fn from_host(
    input: &Expr,
    like: &Array,
    run: impl FnOnce(&Expr) -> Result<Array, ArrayError>,
) -> Result<Array, ArrayError> {
    through_host(&like.alloc(), || run(&input.on_host()?))
}

fn done(outcome: Outcome) -> Result<(), ArrayError> {
    match outcome {
        Outcome::Submitted => Ok(()),
        Outcome::OnHost(operation) => {
            Err(ArrayError::not_supported(format!("the device cannot take the result of {operation} back")))
        }
    }
}

fn buffers(arrays: &[Array]) -> SmallVec<[&Arc<Buffer>; 4]> {
    arrays.iter().map(Array::buffer).collect()
}

/// Stores the value of an expression in `target`, whose shape is the expression's, axes walked in the order `walk`.
/// Sources that overlap the target lie in it element for element.
pub(super) fn store(expr: &Expr, target: &Array, walk: &[usize]) -> Result<Outcome, ArrayError> {
    let Some((queue, limits)) = programs(target.place()) else { return Ok(Outcome::OnHost(expr.label())) };
    let lowering = Lowering::new(target.shape(), walk);
    let strides = lowering.strides_of(target);
    let lowered = lowering.finish(expr, target.dtype(), &[walk.len()], Some(strides));
    let to = Target { queue, limits, label: expr.label() };
    let outcome = match stream::store(&to, &lowered, target)? {
        Some(outcome) => outcome,
        None => store_by_elements(&to, &lowered, target)?,
    };
    if matches!(outcome, Outcome::Submitted) {
        account::note_temporaries_avoided(lowered.fused.steps.len().saturating_sub(1) as u64);
    }
    Ok(outcome)
}

/// A work item for each element of the result.
fn store_by_elements(to: &Target<'_>, lowered: &Lowered, target: &Array) -> Result<Outcome, ArrayError> {
    let strides = lowered.target.clone().unwrap_or_default();
    let lane = strides.last().map_or(Lane::Zero, |&stride| Lane::of(stride));
    let mut arguments = Arguments::new();
    arguments.address(target)?;
    arguments.body(lowered)?;
    let wide = lowered.space.wide;
    lowered.space.stride_arguments(lane, &strides, &mut |value| arguments.number(value, wide));
    let mut items = [1usize; 3];
    let mut axis = lowered.lengths.len();
    for (item, &axes) in items.iter_mut().zip(lowered.space.groups.iter().rev()) {
        let first = axis - usize::from(axes);
        *item = lowered.lengths[first..axis].iter().product();
        axis = first;
    }
    trace::fusing(lowered.names());
    let reads = buffers(&lowered.arrays);
    let program = to.program(ProgramKind::Map { fused: lowered.fused.clone(), target: lane }, lowered.space.clone());
    to.launch(&program, arguments, items, None, &reads, &[target.buffer()])
}

/// Rows that one work item folds: all of few, a stretch of many.
const FEW_ROWS: usize = 1024;
const ROWS: usize = 512;
/// A result over fewer elements that lie one after the other is one work item's.
const SHORT: usize = 64;
/// On processors, one over fewer elements than this.
const SHORT_ON_PROCESSORS: usize = 16 * spirv::LANES as usize;

/// How a program folds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Work items by themselves, so many rows each.
    Rows(usize),
    /// Work-groups, so many elements each.
    Groups(usize),
    /// Work items side by side, in so many pieces.
    Lanes(usize),
}

/// A reduction on its way: an expression over outer, reduced and inner axes.
struct Round<'a> {
    to: &'a Target<'a>,
    alloc: &'a Alloc,
    shape: reduce::Shape,
    keep: Keep,
    /// Positions of the elements, where an earlier round found them.
    carried: Option<Array>,
}

impl Round<'_> {
    fn way(&self) -> Way {
        let reduced = self.shape.reduced;
        let lie_in_line = self.shape.inner == 1;
        if lie_in_line && self.to.is_processor() && reduced > SHORT_ON_PROCESSORS {
            Way::Lanes(reduced.div_ceil(ROWS * spirv::LANES as usize))
        } else if lie_in_line && !self.to.is_processor() && reduced > SHORT && self.to.limits.max_group >= spirv::GROUP
        {
            Way::Groups(spirv::CHUNK)
        } else if reduced <= FEW_ROWS {
            Way::Rows(reduced)
        } else {
            Way::Rows(ROWS)
        }
    }

    /// Folds as far as one program goes: into `out` when that is all, else into partial results that a further round
    /// folds. `out` has the values, or the positions, of the results.
    fn run(mut self, mut lowered: Lowered, out: &Array) -> Result<Outcome, ArrayError> {
        let dtype = lowered.fused.dtype;
        loop {
            let reduce::Shape { outer, reduced, inner } = self.shape;
            let way = self.way();
            let (pieces, stretch, lanes) = match way {
                Way::Rows(stretch) | Way::Groups(stretch) => (reduced.div_ceil(stretch), stretch, 1),
                Way::Lanes(pieces) => (pieces, reduced.div_ceil(pieces), spirv::LANES as usize),
            };
            let left = pieces * lanes;
            let results = outer * left * inner;
            let last = left == 1;
            let positions = matches!(self.keep, Keep::Position { .. });
            let scratch = |dtype| Array::for_overwrite(&[results], dtype, self.alloc);
            let values = if last && !positions { out.clone() } else { scratch(dtype)? };
            let places = match (positions, last) {
                (false, _) => None,
                (true, true) => Some(out.clone()),
                (true, false) => Some(scratch(DType::Int64)?),
            };
            if !matches!(way, Way::Rows(_)) {
                lowered.space.groups.truncate(2);
            }
            let wide = lowered.space.wide;
            let mut arguments = Arguments::new();
            arguments.address(&values)?;
            places.iter().chain(&self.carried).try_for_each(|array| arguments.address(array))?;
            arguments.body(&lowered)?;
            arguments.number(stretch as i64, wide);
            arguments.number(pieces as i64, wide);
            let mut reads = buffers(&lowered.arrays);
            reads.extend(self.carried.iter().map(Array::buffer));
            let mut writes: SmallVec<[&Arc<Buffer>; 2]> = SmallVec::from_slice(&[values.buffer()]);
            writes.extend(places.iter().map(Array::buffer));
            let fused = lowered.fused.clone();
            let keep = self.keep;
            let (kind, items, local) = match way {
                Way::Groups(_) => {
                    let items = [pieces * spirv::GROUP as usize, outer, 1];
                    (ProgramKind::Chunks { fused, keep }, items, Some([spirv::GROUP, 1, 1]))
                }
                Way::Lanes(_) => (ProgramKind::Rows { fused, keep }, [lanes, pieces, outer], None),
                Way::Rows(_) if lowered.space.groups[2] == 0 => {
                    (ProgramKind::Rows { fused, keep }, [outer, pieces, 1], None)
                }
                Way::Rows(_) => (ProgramKind::Rows { fused, keep }, [inner, pieces, outer], None),
            };
            let program = self.to.program(kind, lowered.space.clone());
            match self.to.launch(&program, arguments, items, local, &reads, &writes)? {
                Outcome::Submitted if last => return Ok(Outcome::Submitted),
                Outcome::Submitted => {}
                refused => return Ok(refused),
            }
            drop((reads, writes));
            self.shape.reduced = left;
            if let Keep::Position { carried, .. } = &mut self.keep {
                *carried = true;
            }
            self.carried = places;
            lowered = dense(values, [outer, left, inner]);
        }
    }
}

/// A new array as an expression over outer, reduced and inner.
fn dense(array: Array, [outer, reduced, inner]: [usize; 3]) -> Lowered {
    let lengths = [outer, reduced, inner];
    let mut rows = [Strides::from_slice(&[(reduced * inner) as isize, inner as isize, 1])];
    let folded = fold_groups(&lengths, &[1, 1, 1], &mut rows);
    let [strides] = rows;
    let lane = strides.last().map_or(Lane::Zero, |&stride| Lane::of(stride));
    Lowered {
        fused: Fused::identity(array.dtype(), lane),
        space: Space::new(&folded.groups, outer * reduced * inner),
        lengths: folded.lengths,
        arrays: SmallVec::from_iter([array]),
        strides: SmallVec::from_iter([strides]),
        constants: SmallVec::new(),
        target: None,
    }
}

/// A reduction's axes in the order outer, reduced, inner.
pub(super) struct Arranged<'a> {
    /// All axes.
    pub(super) walk: &'a [usize],
    /// How many are outer and how many reduced.
    pub(super) outer: usize,
    /// See `outer`.
    pub(super) reduced: usize,
    /// The elements of the three.
    pub(super) shape: reduce::Shape,
}

fn reduction(
    input: &Expr,
    dtype: DType,
    arranged: &Arranged<'_>,
    keep: Keep,
    out: &Array,
    label: &'static str,
) -> Result<Outcome, ArrayError> {
    let Some((queue, limits)) = programs(out.place()) else { return Ok(Outcome::OnHost(label)) };
    let groups = [arranged.outer, arranged.reduced, arranged.walk.len() - arranged.outer - arranged.reduced];
    let lowered = Lowering::new(input.shape(), arranged.walk).finish(input, dtype, &groups, None);
    let steps = lowered.fused.steps.len();
    trace::fusing(lowered.names().chain([label]));
    let to = Target { queue, limits, label };
    let round = Round { to: &to, alloc: &out.alloc(), shape: arranged.shape, keep, carried: None };
    let outcome = round.run(lowered, out)?;
    if matches!(outcome, Outcome::Submitted) {
        account::note_temporaries_avoided(steps as u64);
    }
    Ok(outcome)
}

/// Folds an expression whose elements are taken as `dtype` into `out`, a new array of `outer * inner` elements.
pub(super) fn fold(
    fold: Fold,
    input: &Expr,
    dtype: DType,
    arranged: &Arranged<'_>,
    out: &Array,
) -> Result<Outcome, ArrayError> {
    reduction(input, dtype, arranged, Keep::Fold(fold), out, fold.name())
}

/// The positions of the largest (or smallest) elements, into `out`, a new array of `outer * inner` int64.
pub(super) fn position(
    input: &Expr,
    dtype: DType,
    arranged: &Arranged<'_>,
    largest: bool,
    out: &Array,
) -> Result<Outcome, ArrayError> {
    let label = if largest { "argmax" } else { "argmin" };
    reduction(input, dtype, arranged, Keep::Position { largest, carried: false }, out, label)
}

/// A line is run along in stretches when there are not lines enough to keep a device busy.
const MANY_LINES: usize = 4096;
const SHORTEST_STRETCH: usize = 256;

/// A running operation along the lines of a new contiguous array, in place.
pub(super) fn cumulate(kind: Scan, array: &Array, lines: Lines) -> Result<Outcome, ArrayError> {
    let Some((queue, limits)) = programs(array.place()) else { return Ok(Outcome::OnHost("cumulate")) };
    let to = Target { queue, limits, label: "cumulate" };
    let Lines { outer, len, inner } = lines;
    let dtype = array.dtype();
    let stretch = if outer * inner >= MANY_LINES {
        len
    } else {
        ((len as f64).sqrt() as usize).next_power_of_two().max(SHORTEST_STRETCH).min(len)
    };
    let pieces = len.div_ceil(stretch);
    let totals = if pieces > 1 {
        Array::for_overwrite(&[outer * pieces * inner], dtype, &array.alloc())?
    } else {
        array.clone()
    };
    let space = Space::new(&[1], outer * len * inner);
    let wide = space.wide;
    let passes: &[(Pass, usize)] =
        &[(Pass::Stretches, outer * pieces * inner), (Pass::Totals, outer * inner), (Pass::Carry, outer * len * inner)];
    for &(pass, items) in if pieces > 1 { passes } else { &passes[..1] } {
        let mut arguments = Arguments::new();
        arguments.address(array)?;
        arguments.address(&totals)?;
        [outer, len, inner, stretch, pieces].iter().for_each(|&number| arguments.number(number as i64, wide));
        let program = to.program(ProgramKind::Scan { kind, dtype, pass }, space.clone());
        let (reads, writes): (&[&Arc<Buffer>], &[&Arc<Buffer>]) = match pass {
            Pass::Stretches => (&[], &[array.buffer()]),
            Pass::Totals => (&[array.buffer()], &[totals.buffer()]),
            Pass::Carry => (&[totals.buffer()], &[array.buffer()]),
        };
        match to.launch(&program, arguments, [items, 1, 1], None, reads, writes)? {
            Outcome::Submitted => {}
            refused => return Ok(refused),
        }
    }
    Ok(Outcome::Submitted)
}

#[cfg(test)]
mod tests;
