//! Expressions in pieces: what is not on the device is brought there a slab at a time, and the result is as if whole.
//!
//! An expression is cut along an axis by cutting every array below it. Element-wise results are independent of each
//! other. A reduction is cut where its fixed tree has whole subtrees, and the subtrees' results are combined as the
//! tree does it, so that every bit is the same. A slab's copies are let go of before the next slab's are made.

use super::{Expr, Kind, Node};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::chunk::{self, Meter, Mode};
use crate::arrays::cpu::fold::Fold;
use crate::arrays::cpu::reduce::ROWS_IN_BLOCK;
use crate::arrays::cpu::tile::TILE;
use crate::arrays::error::ArrayError;
use crate::arrays::layout::{Dims, Order};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::{UsmKind, attention};
use smallvec::SmallVec;
use std::ops::Range;
use std::rc::Rc;

/// Arrays below an expression whose copies on the device stand for them, by what tells them apart.
type Staged = Vec<(Array, Array)>;

/// Whether an array lies where the device should not work on it directly.
fn is_elsewhere(array: &Array) -> bool {
    match array.queue() {
        None => array.buffer().is_mapped(),
        Some(_) => array.buffer().is_mapped() || (chunk::mode() != Mode::Off && is_spilled(array)),
    }
}

fn is_spilled(array: &Array) -> bool {
    array.usm() == Some(UsmKind::Host) && !array.place().is_immediate()
}

/// Whether an array must be copied to its device before a program there reads it; what the host computes reads it as it
/// lies.
fn needs_copy(array: &Array) -> bool {
    is_elsewhere(array) && !array.place().is_immediate()
}

impl Expr {
    /// Bytes of the arrays below that lie elsewhere, each counted once.
    fn bytes_elsewhere(&self) -> u64 {
        let mut seen: SmallVec<[Array; 4]> = SmallVec::new();
        let mut bytes = 0;
        self.for_each_array(&mut |array| {
            if is_elsewhere(array) && !seen.iter().any(|known| is_same(known, array)) {
                bytes += array.bytes() as u64;
                seen.push(array.clone());
            }
        });
        bytes
    }

    /// How large pieces are, when this is to be computed in pieces: when something below lies elsewhere, and is more than
    /// one piece or has to be copied.
    pub(super) fn piece_bytes(&self) -> Option<u64> {
        let mut elsewhere = false;
        let mut copies = false;
        self.for_each_array(&mut |array| {
            elsewhere |= is_elsewhere(array);
            copies |= needs_copy(array);
        });
        if !elsewhere {
            return None;
        }
        let piece = chunk::piece_bytes(self.place()?);
        (copies || self.bytes_elsewhere() > piece).then_some(piece)
    }

    /// The part of the value along an axis. `from_end` counts axes from the last one, because operands of lower rank are
    /// aligned there.
    fn cut(
        &self,
        from_end: usize,
        range: &Range<usize>,
        done: &mut Vec<(*const Node, Expr)>,
    ) -> Result<Expr, ArrayError> {
        let rank = self.rank();
        if from_end >= rank || self.shape()[rank - 1 - from_end] == 1 {
            return Ok(self.clone());
        }
        let address = Rc::as_ptr(&self.0);
        if let Some((_, known)) = done.iter().find(|(known, _)| *known == address) {
            return Ok(known.clone());
        }
        let axis = rank - 1 - from_end;
        let cut = match &self.0.kind {
            Kind::Array(array) => Expr::array(&array.view(array.layout().slice_axis(axis, range.start, range.len()))),
            Kind::Scalar { .. } => self.clone(),
            kind => {
                let mut shape = self.0.shape.clone();
                shape[axis] = range.len();
                let kind = match kind {
                    Kind::Cast { input } => Kind::Cast { input: input.cut(from_end, range, done)? },
                    Kind::Broadcast { input } => Kind::Broadcast { input: input.cut(from_end, range, done)? },
                    Kind::Apply { op, found, inputs } => {
                        let inputs =
                            inputs.iter().map(|input| input.cut(from_end, range, done)).collect::<Result<_, _>>()?;
                        Kind::Apply { op: *op, found: *found, inputs }
                    }
                    Kind::Array(_) | Kind::Scalar { .. } | Kind::Reduce { .. } => {
                        return Err(ArrayError::runtime("internal error: a reduction was not computed before cutting"));
                    }
                };
                self.with_shape(kind, shape)
            }
        };
        done.push((address, cut.clone()));
        Ok(cut)
    }

    fn along(&self, axis: usize, range: &Range<usize>) -> Result<Expr, ArrayError> {
        self.cut(self.rank() - 1 - axis, range, &mut Vec::new())
    }

    fn with_shape(&self, kind: Kind, shape: Dims) -> Expr {
        Expr(Rc::new(Node {
            kind,
            shape,
            dtype: self.0.dtype,
            alloc: self.0.alloc.clone(),
            weight: self.0.weight,
            sources: self.0.sources,
            reduces: self.0.reduces,
        }))
    }

    /// The same value with the leading axes `..count` as one, where every array below allows it without moving anything.
    fn joined(&self, count: usize, rank: usize, done: &mut Vec<(*const Node, Expr)>) -> Option<Expr> {
        let address = Rc::as_ptr(&self.0);
        if let Some((_, known)) = done.iter().find(|(known, _)| *known == address) {
            return Some(known.clone());
        }
        let tail = rank - count;
        let joined = |shape: &[usize]| -> Dims {
            let product = shape[..count].iter().product();
            std::iter::once(product).chain(shape[count..].iter().copied()).collect()
        };
        if self.rank() <= tail {
            return Some(self.clone());
        }
        if self.rank() != rank {
            return None;
        }
        let node = match &self.0.kind {
            Kind::Scalar { .. } => self.clone(),
            Kind::Array(array) => {
                // Repeated leading axes would have to be stepped through; those of length one are as good as absent.
                Expr::array(&array.reshaped_view(&joined(array.shape()), Order::C)?)
            }
            Kind::Cast { input } => {
                self.with_shape(Kind::Cast { input: input.joined(count, rank, done)? }, joined(self.shape()))
            }
            Kind::Apply { op, found, inputs } => {
                // An operand that is shorter along some of these axes only cannot be joined.
                let whole: usize = self.shape()[..count].iter().product();
                let fits = |input: &Expr| {
                    let own: usize = input.shape().iter().take(input.rank().saturating_sub(tail)).product();
                    own == 1 || own == whole
                };
                if !inputs.iter().all(fits) {
                    return None;
                }
                let inputs = inputs.iter().map(|input| input.joined(count, rank, done)).collect::<Option<_>>()?;
                self.with_shape(Kind::Apply { op: *op, found: *found, inputs }, joined(self.shape()))
            }
            Kind::Broadcast { .. } | Kind::Reduce { .. } => return None,
        };
        done.push((address, node.clone()));
        Some(node)
    }

    /// The same graph with copies on the device in place of arrays that lie elsewhere.
    fn staged(&self, staged: &mut Staged) -> Result<Expr, ArrayError> {
        Ok(match &self.0.kind {
            Kind::Array(array) if needs_copy(array) => {
                if let Some((_, copy)) = staged.iter().find(|(known, _)| is_same(known, array)) {
                    return Ok(Expr::array(copy));
                }
                let copy = array.copy_to(&Alloc { place: array.place().clone(), usm: UsmKind::Device })?;
                staged.push((array.clone(), copy.clone()));
                Expr::array(&copy)
            }
            Kind::Array(_) | Kind::Scalar { .. } => self.clone(),
            Kind::Cast { input } => self.with_shape(Kind::Cast { input: input.staged(staged)? }, self.0.shape.clone()),
            Kind::Broadcast { input } => {
                self.with_shape(Kind::Broadcast { input: input.staged(staged)? }, self.0.shape.clone())
            }
            Kind::Apply { op, found, inputs } => {
                let inputs = inputs.iter().map(|input| input.staged(staged)).collect::<Result<_, _>>()?;
                self.with_shape(Kind::Apply { op: *op, found: *found, inputs }, self.0.shape.clone())
            }
            Kind::Reduce { .. } => {
                return Err(ArrayError::runtime("internal error: a reduction was not computed before copying"));
            }
        })
    }

    /// The same graph with everything it reads on the device, for what cannot be done in pieces.
    pub(super) fn brought_whole(&self) -> Result<Expr, ArrayError> {
        self.staged(&mut Staged::new())
    }

    /// Stores the value in pieces; `store` computes one piece, whose operands are where they should be, into its part of
    /// the target.
    pub(super) fn store_in_pieces(
        &self,
        target: &Array,
        piece: u64,
        store: &mut dyn FnMut(&Expr, &Array) -> Result<(), ArrayError>,
    ) -> Result<(), ArrayError> {
        let mut meter = Meter::new(self.label(), self.bytes_elsewhere());
        self.store_part(target, 0, piece, store, &mut meter)?;
        meter.end();
        Ok(())
    }

    fn store_part(
        &self,
        target: &Array,
        axis: usize,
        piece: u64,
        store: &mut dyn FnMut(&Expr, &Array) -> Result<(), ArrayError>,
        meter: &mut Meter,
    ) -> Result<(), ArrayError> {
        let bytes = self.bytes_elsewhere();
        if bytes <= piece || axis >= self.rank() {
            attention::check()?;
            let mut staged = Staged::new();
            store(&self.staged(&mut staged)?, target)?;
            // The copies go when the piece is done, not when the queue comes to it.
            target.buffer().wait_written()?;
            meter.piece(bytes);
            return Ok(());
        }
        let len = self.shape()[axis];
        if len <= 1 {
            return self.store_part(target, axis + 1, piece, store, meter);
        }
        let step = step_of(len, bytes, piece);
        for start in (0..len).step_by(step) {
            let range = start..(start + step).min(len);
            let part = target.view(target.layout().slice_axis(axis, range.start, range.len()));
            self.along(axis, &range)?.store_part(&part, axis, piece, store, meter)?;
        }
        Ok(())
    }
}

fn is_same(a: &Array, b: &Array) -> bool {
    std::sync::Arc::ptr_eq(a.buffer(), b.buffer()) && a.layout() == b.layout() && a.dtype() == b.dtype()
}

/// Indices along an axis that together bring at most a piece.
fn step_of(len: usize, bytes: u64, piece: u64) -> usize {
    let parts = bytes.div_ceil(piece.max(1)) as usize;
    (len / parts.max(1)).clamp(1, len)
}

/// Folds an expression over axes into an array.
type ComputeOf<'a> = dyn Fn(&Expr, &[usize], &Array) -> Result<(), ArrayError> + 'a;

/// A fold in pieces. The axes of the expression are: kept ones, `reduced`, kept ones; `compute` folds a piece whose
/// operands are where they should be over its given axes into an array of that many results.
pub(super) struct FoldInPieces<'a> {
    pub(super) fold: Fold,
    pub(super) piece: u64,
    pub(super) compute: &'a ComputeOf<'a>,
}

impl FoldInPieces<'_> {
    /// Folds over `axes` into `out`, a contiguous array of one axis.
    pub(super) fn run(&self, input: &Expr, axes: &[usize], out: &Array) -> Result<(), ArrayError> {
        let mut meter = Meter::new(self.fold.name(), input.bytes_elsewhere());
        self.part(input, axes, out, &mut meter)?;
        meter.end();
        Ok(())
    }

    /// One piece as a whole.
    fn whole(&self, input: &Expr, axes: &[usize], out: &Array, meter: &mut Meter) -> Result<(), ArrayError> {
        attention::check()?;
        let mut staged = Staged::new();
        (self.compute)(&input.staged(&mut staged)?, axes, out)?;
        out.buffer().wait_written()?;
        meter.piece(input.bytes_elsewhere());
        Ok(())
    }

    fn part(&self, input: &Expr, axes: &[usize], out: &Array, meter: &mut Meter) -> Result<(), ArrayError> {
        let bytes = input.bytes_elsewhere();
        if bytes <= self.piece {
            return self.whole(input, axes, out, meter);
        }
        let shape: Dims = input.shape().into();
        let is_reduced = |axis: usize| axes.contains(&axis);
        let last_reduced = (0..shape.len()).rev().find(|&axis| is_reduced(axis) && shape[axis] != 1);
        let Some(last_reduced) = last_reduced else { return self.whole(input, axes, out, meter) };
        // Results along the first kept axis before the reduced ones lie one behind the other.
        let outer = (0..last_reduced).find(|&axis| !is_reduced(axis) && shape[axis] > 1);
        if let Some(axis) = outer {
            return self.independent(input, axes, axis, 1, out, meter);
        }
        let inner = (last_reduced + 1..shape.len()).find(|&axis| shape[axis] > 1);
        let reduced: usize = shape[..=last_reduced].iter().product();
        let columns = out.len_elements();
        let unit = if columns == 1 { TILE } else { ROWS_IN_BLOCK };
        let bytes_per_unit = (bytes / (reduced as u64).max(1)).max(1) * unit as u64;
        if bytes_per_unit > self.piece
            && let Some(axis) = inner
        {
            // One column alone would be folded as a row is, with another tree.
            let at_least = if columns == shape[axis] { 2 } else { 1 };
            if shape[axis] >= 2 * at_least {
                return self.independent(input, axes, axis, at_least, out, meter);
            }
        }
        let units = (self.piece / bytes_per_unit).max(1);
        let rows = unit << units.ilog2();
        if rows >= reduced {
            return self.whole(input, axes, out, meter);
        }
        self.subtrees(input, axes, last_reduced, rows, out, meter)
    }

    /// Cuts along an axis that is kept and whose results lie one behind the other.
    fn independent(
        &self,
        input: &Expr,
        axes: &[usize],
        axis: usize,
        at_least: usize,
        out: &Array,
        meter: &mut Meter,
    ) -> Result<(), ArrayError> {
        let len = input.shape()[axis];
        let width = out.len_elements() / len;
        let step = step_of(len, input.bytes_elsewhere(), self.piece).max(at_least);
        let mut start = 0;
        while start < len {
            let end = if len - start < step + at_least { len } else { start + step };
            let range = start..end;
            start = end;
            let part = out.view(out.layout().slice_axis(0, range.start * width, range.len() * width));
            self.part(&input.along(axis, &range)?, axes, &part, meter)?;
        }
        Ok(())
    }

    /// Cuts the reduced axes, taken as one, every `rows` indices, and combines the results as the tree does.
    fn subtrees(
        &self,
        input: &Expr,
        axes: &[usize],
        last_reduced: usize,
        rows: usize,
        out: &Array,
        meter: &mut Meter,
    ) -> Result<(), ArrayError> {
        let count = last_reduced + 1;
        let reduced: usize = input.shape()[..count].iter().product();
        let single = (0..count).filter(|&axis| input.shape()[axis] > 1).count() == 1;
        let joined = input.joined(count, input.rank(), &mut Vec::new());
        let mut tree = Tree { fold: self.fold, levels: Vec::new() };
        for start in (0..reduced).step_by(rows) {
            let range = start..(start + rows).min(reduced);
            let result = Array::for_overwrite(&[out.len_elements()], out.dtype(), &out.alloc())?;
            if single {
                self.whole(&input.along(last_reduced, &range)?, axes, &result, meter)?;
            } else if let Some(joined) = &joined {
                self.whole(&joined.along(0, &range)?, &[0], &result, meter)?;
            } else {
                self.gathered(input, count, &range, &result, meter)?;
            }
            tree.push(result)?;
        }
        let combined = tree.finish()?;
        Expr::array(&combined).evaluate_into(out, None)
    }

    /// A piece that begins or ends within an index of the first axis, where the axes cannot be taken as one: the rows it
    /// touches are computed first.
    fn gathered(
        &self,
        input: &Expr,
        count: usize,
        range: &Range<usize>,
        result: &Array,
        meter: &mut Meter,
    ) -> Result<(), ArrayError> {
        let shape = input.shape();
        let first = (0..count).find(|&axis| shape[axis] > 1).unwrap_or(0);
        let inside: usize = shape[first + 1..count].iter().product();
        let touched = range.start / inside..range.end.div_ceil(inside);
        let rows = input.along(first, &touched)?;
        let mut staged = Staged::new();
        let values = rows.staged(&mut staged)?.without_pieces()?;
        let lead: usize = values.shape()[..count].iter().product();
        let flat: Dims = std::iter::once(lead).chain(shape[count..].iter().copied()).collect();
        let flat = values
            .reshaped_view(&flat, Order::C)
            .ok_or_else(|| ArrayError::runtime("internal error: a new array does not lie in order"))?;
        let offset = range.start - touched.start * inside;
        let part = flat.view(flat.layout().slice_axis(0, offset, range.len()));
        (self.compute)(&Expr::array(&part), &[0], result)?;
        result.buffer().wait_written()?;
        meter.piece(rows.bytes_elsewhere());
        Ok(())
    }
}

/// Pairwise combination of parts in order of arrival, as a binary counter does it; see `cpu::reduce`.
struct Tree {
    fold: Fold,
    levels: Vec<Option<Array>>,
}

impl Tree {
    fn push(&mut self, mut part: Array) -> Result<(), ArrayError> {
        for level in 0.. {
            if self.levels.len() == level {
                self.levels.push(None);
            }
            match self.levels[level].take() {
                Some(earlier) => part = self.combined(&earlier, &part)?,
                None => {
                    self.levels[level] = Some(part);
                    break;
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Array, ArrayError> {
        let mut result: Option<Array> = None;
        for earlier in std::mem::take(&mut self.levels).into_iter().flatten() {
            result = Some(match result {
                Some(later) => self.combined(&earlier, &later)?,
                None => earlier,
            });
        }
        result.ok_or_else(|| ArrayError::runtime("internal error: a reduction of nothing was cut"))
    }

    fn combined(&self, earlier: &Array, later: &Array) -> Result<Array, ArrayError> {
        let is_bool = earlier.dtype().is_bool();
        let op = match self.fold {
            Fold::Sum => Op::Add,
            Fold::Product => Op::Multiply,
            Fold::Maximum => Op::Maximum,
            Fold::Minimum => Op::Minimum,
            Fold::Fmax => Op::Fmax,
            Fold::Fmin => Op::Fmin,
            Fold::And if is_bool => Op::LogicalAnd,
            Fold::Or if is_bool => Op::LogicalOr,
            Fold::And => Op::BitwiseAnd,
            Fold::Or => Op::BitwiseOr,
            Fold::Xor => Op::BitwiseXor,
        };
        let sum = Expr::apply(op, &[Expr::array(earlier), Expr::array(later)], Flavour::NumPy)?;
        sum.evaluate_into(earlier, None)?;
        Ok(earlier.clone())
    }
}

#[cfg(test)]
mod tests;
