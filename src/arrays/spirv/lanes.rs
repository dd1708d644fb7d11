//! Rows folded by processors: a work item folds a piece of one row in [`LANES`] lanes, [`SIDE_BY_SIDE`] of them in a register.
//!
//! Each lane folds every `LANES`-th element, as the lanes of `rows` do, so a result has the same bits whichever of the two made
//! it. Compilers make worse loops of work items side by side than of registers that are named: of extremes three times as long.

use super::emit::{Emitter, Module, Pointer, Reg, Type};
use super::fold::{Keep, Known, LANES, Opening, Reducer, open};
use super::fused::{Body, Fused, NotLowered};
use super::map::SIDE_BY_SIDE;
use super::space::Space;
use super::value::{self, Value};
use crate::arrays::cpu::fold::Fold;
use rspirv::spirv::BuiltIn;

/// Registers that hold the lanes.
const REGISTERS: usize = (LANES / SIDE_BY_SIDE) as usize;

/// Folds pieces of rows, of which each has more than [`LANES`] elements, into [`LANES`] results each. The groups of the space are
/// outer and reduced, the latter of one axis; the expression [`Fused::is_straight`]. Parameters as for `rows`; launched over
/// the pieces of all rows along x.
pub(super) fn lanes(fused: &Fused, space: &Space, keep: Keep, fp64: bool) -> Result<Module, NotLowered> {
    let emitter = Emitter::new();
    write(&emitter, fused, space, keep, fp64)?;
    Ok(emitter.finish())
}

/// The larger (or smaller) of two floats, or NaN where one is: two selections that differ only where there is NaN, joined bit
/// by bit. Comparisons for NaN would go through masks, which is what bounds the loop otherwise.
fn extreme<'e>(x: Reg<'e>, y: Reg<'e>, largest: bool) -> Reg<'e> {
    let ahead = |x: Reg<'e>, y: Reg<'e>| if largest { x.gt(y) } else { x.lt(y) };
    let bits = |value: Reg<'e>| value.reinterpret(value.ty.signed());
    let (one, other) = (ahead(x, y).select(x, y), ahead(y, x).select(y, x));
    (bits(one) | bits(other)).reinterpret(x.ty)
}

/// The earlier stretch with the later one, as [`Reducer::combine`].
fn combine<'e>(reducer: &Reducer, earlier: Known<'e>, later: Known<'e>) -> Result<Known<'e>, NotLowered> {
    match reducer.keep {
        Keep::Fold(fold @ (Fold::Maximum | Fold::Minimum)) if earlier.value.re.ty.is_float() => {
            let value = Value::real(extreme(earlier.value.re, later.value.re, fold == Fold::Maximum));
            Ok(Known { value, ..earlier })
        }
        _ => reducer.combine(earlier, later),
    }
}

/// The elements of an expression with their positions in a row.
struct Elements<'a, 'e, 'f> {
    body: &'a Body<'e, 'f>,
    positions: Option<Pointer<'e>>,
    /// Which row, and how many elements it has.
    row: [Reg<'e>; 2],
}

impl<'e> Elements<'_, 'e, '_> {
    /// So many, from one on.
    fn known(&self, r: Reg<'e>, width: u32) -> Result<Known<'e>, NotLowered> {
        let [row, len] = self.row;
        let position = match self.positions {
            Some(positions) if width == 1 => positions.load(row * len + r)[0],
            Some(positions) => positions.load_wide(row * len + r, width),
            None if width == 1 => r,
            None => r + r.emitter().counting(Type::I64, width),
        };
        let value = self.body.side_by_side(&self.body.walk.coordinates(&[row, r]), width)?;
        Ok(Known { value: Value::real(value.re.repeated(width)), position })
    }
}

fn write<'e>(emitter: &'e Emitter, fused: &Fused, space: &Space, keep: Keep, fp64: bool) -> Result<(), NotLowered> {
    let reducer = Reducer { keep, dtype: fused.dtype };
    let Opening { out, out_positions, in_positions, body, pieces, .. } =
        open(emitter, fused, space, &reducer, fp64, &[BuiltIn::GlobalInvocationId]);
    let count = |group: usize| body.walk.counts[group].convert(Type::I64);
    let (outer, reduced) = (count(0), count(1));
    let global = |axis| emitter.built_in(BuiltIn::GlobalInvocationId, axis).convert(Type::I64);
    // One after the other along x: compilers take that axis for the one to look at.
    let item = global(0);
    let row = item / pieces;
    let piece = item - row * pieces;
    let step = piece.like(f64::from(LANES));
    let elements = Elements { body: &body, positions: in_positions, row: [row, reduced] };
    let mut outcome = Ok(());
    let mut note = |result: Result<Known<'e>, NotLowered>| result.map_err(|missing| outcome = Err(missing)).ok();
    emitter.when(row.lt(outer), || {
        let first = piece * reduced / pieces;
        let end = (piece + piece.like(1.0)) * reduced / pieces;
        let place = item * step;
        let register = |base: Reg<'e>, which: usize| base + base.like((which * SIDE_BY_SIDE as usize) as f64);
        // Where the next elements begin, then each register's values and positions.
        let mut carried = [first + step; 1 + 2 * REGISTERS];
        for which in 0..REGISTERS {
            let Some(known) = note(elements.known(register(first, which), SIDE_BY_SIDE)) else { return };
            (carried[1 + 2 * which], carried[2 + 2 * which]) = (known.value.re, known.position);
        }
        let folded = emitter.repeat(
            carried,
            |carried| (carried[0] + step).le(end),
            |carried| {
                let mut next = *carried;
                for which in 0..REGISTERS {
                    let [value, position] = [carried[1 + 2 * which], carried[2 + 2 * which]];
                    let so_far = Known { value: Value::real(value), position };
                    let later = elements.known(register(carried[0], which), SIDE_BY_SIDE);
                    let both = note(later.and_then(|later| combine(&reducer, so_far, later))).unwrap_or(so_far);
                    (next[1 + 2 * which], next[2 + 2 * which]) = (both.value.re, both.position);
                }
                next[0] = carried[0] + step;
                next
            },
        );
        for which in 0..REGISTERS {
            let [value, position] = [folded[1 + 2 * which], folded[2 + 2 * which]];
            let place = register(place, which);
            value::store_wide(out, place, Value::real(value), fused.dtype, SIDE_BY_SIDE, false);
            if let Some(positions) = out_positions {
                positions.store_wide(place, position, false);
            }
        }
        // What is left over is fewer elements than lanes: each joins its lane's result.
        emitter.repeat(
            [folded[0]],
            |[r]| r.lt(end),
            |&[r]| {
                let place = place + (r - folded[0]);
                let value = value::load(out, place, fused.dtype);
                let position = out_positions.map_or(r, |positions| positions.load(place)[0]);
                let so_far = Known { value, position };
                let later = elements.known(r, 1);
                if let Some(both) = note(later.and_then(|later| combine(&reducer, so_far, later))) {
                    value::store(out, place, both.value, fused.dtype);
                    if let Some(positions) = out_positions {
                        positions.store(place, [both.position; 2]);
                    }
                }
                [r + r.like(1.0)]
            },
        );
    });
    outcome
}
