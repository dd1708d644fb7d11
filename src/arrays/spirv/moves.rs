//! Programs that move elements to or from places that are only known on the device: by a list of positions, or by a mask
//! and its running count.
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
    /// `new[count[o] - 1, i] = old[o, i]` where the mask is true; `count` is the mask's running sum.
    Compress,
    /// `old[o, i] = new[count[o] - 1, i]` where the mask is true.
    Expand,
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
/// the mask (bytes), the space, the strides of `new` and of `old`, for masks those of the mask and the elements from one
/// row of `new` to the next. The groups of the space are before, points, after; for masks outer, inner, and `new` does not
/// move along outer. Launched along x over all elements of the space.
pub(super) fn moves(kind: Move, bytes: usize, space: &Space) -> Module {
    let emitter = Emitter::new();
    write(&emitter, kind, carrier(bytes), space);
    emitter.finish()
}

fn write<'e>(emitter: &'e Emitter, kind: Move, memory: Memory, space: &Space) {
    let masked = matches!(kind, Move::Compress | Move::Expand);
    let index = space.index();
    let int64 = value::memory(DType::Int64);
    let mut parameters = vec![Parameter::Pointer(memory), Parameter::Pointer(memory), Parameter::Pointer(int64)];
    if masked {
        parameters.push(Parameter::Pointer(value::memory(DType::Bool)));
    }
    let operands = if masked { 3 } else { 2 };
    let count = space.parameters(std::iter::repeat_n(Lane::Any, operands)) + usize::from(masked);
    parameters.extend(numbers(space, count));
    let mut ids = emitter.begin(&parameters, &[BuiltIn::GlobalInvocationId]).into_iter();
    let mut pointer = |memory| emitter.pointer(ids.next().expect("a declared parameter"), memory);
    let (new, old, places) = (pointer(memory), pointer(memory), pointer(int64));
    let mask = masked.then(|| pointer(value::memory(DType::Bool)));
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
            Move::Gather | Move::Compress => new.store(new_at, old.load(old_at)),
            Move::Scatter | Move::Expand => old.store(old_at, new.load(new_at)),
        };
        match &mask {
            None => copy(at(&new_strides), at(&old_strides) + places.load(indices[1])[0]),
            Some((mask, mask_strides, row)) => {
                emitter.when(value::load(*mask, at(mask_strides), DType::Bool).re, || {
                    let count = places.load(indices[0])[0];
                    let before = count - count.like(1.0);
                    copy(at(&new_strides) + before * row.convert(Type::I64), at(&old_strides));
                });
            }
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
