//! Programs that move elements to or from places that are only known on the device: by a list of positions, or by a mask
//! and its running count; and those that tell such positions.
//!
//! Elements are moved as they are, whatever their dtype, by width.

use super::emit::{Emitter, Memory, Module, Parameter, Reg, Type};
use super::space::{Lane, Space, Strides, Walk, numbers};
use super::value;
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// How elements move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// `new[b, p, a] = old[b + points[p] + a]`: `new` is walked in C order, `points` are offsets in elements.
    Gather,
    /// `old[b + points[p] + a] = new[b, p, a]`; of places that are met twice, any of the values stays.
    Scatter,
    /// As [`Move::Scatter`], but only where `winners[slots[p]]` is `p + 1`, so that one value stays: which, [`Move::Claim`] says.
    ScatterLast,
    /// `winners[slots[p]] = max(winners[slots[p]], p + 1)`: of points with the same slot, the last. `winners` are int32.
    Claim,
    /// `new[count[o] - 1, i] = old[o, i]` where the mask is true; `count` is the mask's running sum.
    Compress,
    /// `old[o, i] = new[count[o] - 1, i]` where the mask is true.
    Expand,
    /// `new[count[o] - 1] = o` where the mask is true, `o` as an offset under the strides of `old`, which there is none of.
    Find,
    /// `new[o] = o`, as [`Move::Find`] for all elements of the one group there is.
    Number,
}

/// The type that moves elements of so many bytes.
fn carrier(bytes: usize) -> Memory {
    match bytes {
        1 => Memory { component: Type::U8, lanes: 1 },
        2 => Memory { component: Type::U16, lanes: 1 },
        4 => Memory { component: Type::U32, lanes: 1 },
        8 => Memory { component: Type::U64, lanes: 1 },
        _ => Memory { component: Type::U64, lanes: 2 },
    }
}

/// Parameters: the array that holds `new`, the array that holds `old`, the points or the running count (int64), for masks
/// the mask (bytes), for the last of several values slots (int64) and winners (int32), the space, the strides of `new` and of
/// `old`, for masks those of the mask and the elements from one row of `new` to the next. The groups of the space are before,
/// points, after; for masks outer, inner, and `new` does not move along outer. Launched along x over all elements of the space.
///
/// Claims take winners, slots and the space, which is one axis; numbers take `new`, the space, which is one group, and strides.
pub(super) fn moves(kind: Move, bytes: usize, space: &Space) -> Module {
    let emitter = Emitter::new();
    match kind {
        Move::Claim => claim(&emitter, space),
        Move::Number => number(&emitter, space),
        _ => write(&emitter, kind, carrier(bytes), space),
    }
    emitter.finish()
}

const INT32: Memory = Memory { component: Type::I32, lanes: 1 };

/// What [`Move::Claim`] leaves for a point.
fn claim_of(point: Reg<'_>) -> Reg<'_> {
    let point = point.convert(Type::I32);
    point + point.like(1.0)
}

fn claim(emitter: &Emitter, space: &Space) {
    let mut parameters = vec![Parameter::Pointer(INT32), Parameter::Pointer(value::memory(DType::Int64))];
    parameters.extend(numbers(space, space.parameters(std::iter::empty())));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let mut pointer = |memory| emitter.pointer(ids.next().expect("a declared parameter"), memory);
    let (winners, slots) = (pointer(INT32), pointer(value::memory(DType::Int64)));
    let walk = Walk::new(emitter, space, &mut ids);
    let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(space.index());
    emitter.when(item.lt(walk.counts[0]), || winners.raise(slots.load(item)[0], claim_of(item)));
}

fn number(emitter: &Emitter, space: &Space) {
    let new = value::memory(DType::Int64);
    let mut parameters = vec![Parameter::Pointer(new)];
    parameters.extend(numbers(space, space.parameters(std::iter::once(Lane::Any))));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let new = emitter.pointer(ids.next().expect("a declared parameter"), new);
    let walk = Walk::new(emitter, space, &mut ids);
    let strides = walk.strides(emitter, Lane::Any, &mut ids);
    let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(space.index());
    emitter.when(item.lt(walk.counts[0]), || {
        let at = walk.offset(emitter, &walk.coordinates(&[item]), &strides);
        new.store(item, [at; 2]);
    });
}

fn write<'e>(emitter: &'e Emitter, kind: Move, memory: Memory, space: &Space) {
    let masked = matches!(kind, Move::Compress | Move::Expand | Move::Find);
    let index = space.index();
    let int64 = value::memory(DType::Int64);
    let memory = if kind == Move::Find { int64 } else { memory };
    let mut parameters = vec![Parameter::Pointer(memory), Parameter::Pointer(memory), Parameter::Pointer(int64)];
    if masked {
        parameters.push(Parameter::Pointer(value::memory(DType::Bool)));
    }
    if kind == Move::ScatterLast {
        parameters.extend([Parameter::Pointer(int64), Parameter::Pointer(INT32)]);
    }
    let operands = if masked { 3 } else { 2 };
    let count = space.parameters(std::iter::repeat_n(Lane::Any, operands)) + usize::from(masked);
    parameters.extend(numbers(space, count));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let mut pointer = |memory| emitter.pointer(ids.next().expect("a declared parameter"), memory);
    let (new, old, places) = (pointer(memory), pointer(memory), pointer(int64));
    let mask = masked.then(|| pointer(value::memory(DType::Bool)));
    let claims = (kind == Move::ScatterLast).then(|| (pointer(int64), pointer(INT32)));
    let walk = Walk::new(emitter, space, &mut ids);
    let new_strides = walk.strides(emitter, Lane::Any, &mut ids);
    let old_strides = walk.strides(emitter, Lane::Any, &mut ids);
    let mask = mask.map(|mask| {
        let strides = walk.strides(emitter, Lane::Any, &mut ids);
        (mask, strides, emitter.wrap(ids.next().expect("a declared parameter"), index))
    });
    let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(index);
    let total = walk.counts.iter().copied().reduce(|all, count| all * count).expect("a space has a group");
    emitter.when(item.lt(total), || {
        let indices = one_for_each_group(item, &walk.counts);
        let coordinates = walk.coordinates(&indices);
        let at = |strides: &Strides<'e>| walk.offset(emitter, &coordinates, strides);
        let copy = |new_at: Reg<'e>, old_at: Reg<'e>| match kind {
            Move::Find => new.store(new_at, [old_at; 2]),
            Move::Gather | Move::Compress => new.store(new_at, old.load(old_at)),
            _ => old.store(old_at, new.load(new_at)),
        };
        let by_point = || copy(at(&new_strides), at(&old_strides) + places.load(indices[1])[0]);
        match (&mask, &claims) {
            (Some((mask, mask_strides, row)), _) => {
                emitter.when(value::load(*mask, at(mask_strides), DType::Bool).re, || {
                    let count = places.load(indices[0])[0];
                    let before = count - count.like(1.0);
                    copy(at(&new_strides) + before * row.convert(Type::I64), at(&old_strides));
                });
            }
            (None, Some((slots, winners))) => {
                let winner = winners.load(slots.load(indices[1])[0])[0];
                emitter.when(winner.eq(claim_of(indices[1])), by_point);
            }
            (None, None) => by_point(),
        }
    });
}

/// The index within each group of an item that counts all elements of the space in C order.
fn one_for_each_group<'e>(item: Reg<'e>, counts: &[Reg<'e>]) -> Vec<Reg<'e>> {
    let mut indices = Vec::with_capacity(counts.len());
    let mut left = item;
    for &count in counts.iter().skip(1).rev() {
        let above = left / count;
        indices.push(left - above * count);
        left = above;
    }
    indices.push(left);
    indices.reverse();
    indices
}
