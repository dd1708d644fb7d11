//! Running operations along an axis of a contiguous array, in place.
//!
//! An item runs along a stretch of one line, element after element. Where a line has several stretches, a second program
//! runs along their last elements and a third adds what came before to each stretch.

use super::apply::apply;
use super::emit::{Emitter, Memory, Module, Parameter, Reg};
use super::fold::combine;
use super::fused::NotLowered;
use super::space::{Space, numbers};
use super::value::{self, Value};
use crate::arrays::cpu::fold::Fold;
use crate::arrays::cpu::scan::Scan;
use crate::arrays::dtype::DType;
use crate::arrays::op::Op;
use rspirv::spirv::BuiltIn;

/// What one of the three programs does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Runs along each stretch.
    Stretches,
    /// Runs along the last elements of stretches and leaves, for each, what came before it.
    Totals,
    /// Takes what came before into the elements of each stretch but the first.
    Carry,
}

fn step<'e>(kind: Scan, dtype: DType, x: Value<'e>, y: Value<'e>, fp64: bool) -> Option<Value<'e>> {
    let fold = match kind {
        Scan::Sum => Fold::Sum,
        Scan::Product => Fold::Product,
        Scan::Logsumexp if !dtype.is_float() => return None,
        Scan::Logsumexp => return apply(Op::Logaddexp, [dtype; 3], dtype, dtype, [x, y, x], fp64),
    };
    combine(fold, dtype, x, y).map(|value| value::rounded(value, dtype))
}

/// Parameters: the array, the totals (one for each stretch, as the array without its axis split), then outer, len, inner,
/// the length of a stretch and the number of stretches in a line. Launched along x: over all stretches, over all lines,
/// over all elements.
pub(super) fn scan(kind: Scan, dtype: DType, pass: Pass, wide: bool, fp64: bool) -> Result<Module, NotLowered> {
    let emitter = Emitter::new();
    if write(&emitter, kind, dtype, pass, wide, fp64) {
        Ok(emitter.finish())
    } else {
        Err(NotLowered("this running operation"))
    }
}

/// Whether it could be written.
fn write<'e>(emitter: &'e Emitter, kind: Scan, dtype: DType, pass: Pass, wide: bool, fp64: bool) -> bool {
    // bool is scanned as the bytes it is made of, as the native engine does.
    let dtype = if dtype.is_bool() { DType::UInt8 } else { dtype };
    let memory: Memory = value::memory(dtype);
    let space = Space { groups: [1u8; 1].into_iter().collect(), wide };
    let index = space.index();
    let mut parameters = vec![Parameter::Pointer(memory), Parameter::Pointer(memory)];
    parameters.extend(numbers(&space, 5));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let mut next = || ids.next().expect("a declared parameter");
    let (array, totals) = (emitter.pointer(next(), memory), emitter.pointer(next(), memory));
    let [outer, len, inner, stretch, pieces] = [(); 5].map(|()| emitter.wrap(next(), index));
    let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(index);
    let one = item.like(1.0);
    let items = match pass {
        Pass::Stretches => outer * pieces * inner,
        Pass::Totals => outer * inner,
        Pass::Carry => outer * len * inner,
    };
    let mut possible = true;
    let both = |x: Value<'e>, y: Value<'e>, possible: &mut bool| step_or(kind, dtype, x, y, fp64, possible);
    let least = |a: Reg<'e>, b: Reg<'e>| a.lt(b).select(a, b);
    emitter.when(item.lt(items), || {
        let line = item / inner;
        let i = item - line * inner;
        match pass {
            Pass::Stretches => {
                let o = line / pieces;
                let first = (line - o * pieces) * stretch;
                let end = least(first + stretch, len);
                let at = |row: Reg<'e>| (o * len + row) * inner + i;
                let start = value::load(array, at(first), dtype);
                emitter.repeat(
                    [first + one, start.re, start.im],
                    |[row, ..]| row.lt(end),
                    |&[row, re, im]| {
                        let sum = both(Value { re, im }, value::load(array, at(row), dtype), &mut possible);
                        value::store(array, at(row), sum, dtype);
                        [row + one, sum.re, sum.im]
                    },
                );
            }
            Pass::Totals => {
                let last_of = |piece: Reg<'e>| {
                    let row = least((piece + one) * stretch, len) - one;
                    value::load(array, (line * len + row) * inner + i, dtype)
                };
                let start = last_of(item.like(0.0));
                emitter.repeat(
                    [one, start.re, start.im],
                    |[piece, ..]| piece.lt(pieces),
                    |&[piece, re, im]| {
                        let before = Value { re, im };
                        value::store(totals, (line * pieces + piece) * inner + i, before, dtype);
                        let sum = both(before, last_of(piece), &mut possible);
                        [piece + one, sum.re, sum.im]
                    },
                );
            }
            Pass::Carry => {
                let o = line / len;
                let piece = (line - o * len) / stretch;
                emitter.when(piece.ge(one), || {
                    let before = value::load(totals, (o * pieces + piece) * inner + i, dtype);
                    let sum = both(before, value::load(array, item, dtype), &mut possible);
                    value::store(array, item, sum, dtype);
                });
            }
        }
    });
    possible
}

fn step_or<'e>(kind: Scan, dtype: DType, x: Value<'e>, y: Value<'e>, fp64: bool, possible: &mut bool) -> Value<'e> {
    step(kind, dtype, x, y, fp64).unwrap_or_else(|| {
        *possible = false;
        x
    })
}
