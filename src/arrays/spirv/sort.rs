//! Sorting lines of a contiguous array together with the positions their elements came from.
//!
//! A bitonic network in which every comparison leaves the smaller element at the lower place: what would lie beyond a
//! line's end counts as larger than everything and never moves. Equal elements are told apart by their positions, so the
//! order is stable, and with it which of two zeros or NaNs comes first.

use super::emit::{Emitter, Module, Parameter, Pointer, Reg};
use super::space::{Space, numbers};
use super::value::{self, Value};
use crate::arrays::dtype::DType;
use rspirv::spirv::BuiltIn;

/// Elements that a group sorts in its own memory; two for each of its work items.
pub const BLOCK: u32 = 512;

/// What one program of the network does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Sorts every block, and writes the positions.
    Blocks,
    /// Compares each element of the lower half of a stretch with its mirror image in the upper half.
    Mirror,
    /// Compares each element with the one half a stretch further.
    Half,
    /// All comparisons at distances below a block.
    Within,
}

/// Whether an element comes before another, NaN last, whatever their positions.
pub(super) fn precedes<'e>(a: Value<'e>, b: Value<'e>, dtype: DType, descending: bool) -> Reg<'e> {
    if dtype.is_bool() {
        return if descending { a.re & !b.re } else { !a.re & b.re };
    }
    let less = |a: Reg<'e>, b: Reg<'e>| if descending { a.gt(b) } else { a.lt(b) };
    if dtype.is_integer() {
        return less(a.re, b.re);
    }
    if !dtype.is_complex() {
        return less(a.re, b.re) | (!a.re.is_nan() & b.re.is_nan());
    }
    let both = |a: Reg<'e>, b: Reg<'e>| a.eq(b) | (a.is_nan() & b.is_nan());
    let by_parts = less(a.re, b.re) | (both(a.re, b.re) & less(a.im, b.im));
    if descending {
        let nan = |z: Value<'e>| z.re.is_nan() | z.im.is_nan();
        return (!nan(a) & nan(b)) | (!nan(a) & !nan(b) & by_parts);
    }
    // NumPy sorts [R + Rj, R + nanj, nan + Rj, nan + nanj].
    let (re_a, re_b, im_a, im_b) = (a.re.is_nan(), b.re.is_nan(), a.im.is_nan(), b.im.is_nan());
    let same_re = re_a.eq(re_b);
    let sooner = (!re_a & re_b) | (same_re & !im_a & im_b);
    sooner | (same_re & im_a.eq(im_b) & by_parts)
}

/// Elements with their positions, in memory of any kind.
#[derive(Clone, Copy)]
struct Line<'e> {
    values: Pointer<'e>,
    positions: Pointer<'e>,
    dtype: DType,
    descending: bool,
}

impl<'e> Line<'e> {
    fn get(self, at: Reg<'e>) -> (Value<'e>, Reg<'e>) {
        (value::load(self.values, at, self.dtype), self.positions.load(at)[0])
    }

    fn put(self, at: Reg<'e>, (element, position): (Value<'e>, Reg<'e>)) {
        value::store(self.values, at, element, self.dtype);
        self.positions.store(at, [position; 2]);
    }

    /// Leaves the one that comes first at `low`.
    fn order(self, emitter: &'e Emitter, low: Reg<'e>, high: Reg<'e>) {
        let (a, b) = (self.get(low), self.get(high));
        let before = precedes(b.0, a.0, self.dtype, self.descending);
        let after = precedes(a.0, b.0, self.dtype, self.descending);
        let swapped = before | (!after & b.1.lt(a.1));
        emitter.when(swapped, || {
            self.put(low, b);
            self.put(high, a);
        });
    }
}

/// Parameters: the elements, their positions (int64), the number of lines, the length of a line, half the length of a
/// stretch. Blocks and Within are launched with `BLOCK / 2` items for each block of a line along x, the others with an item
/// for each pair of a line along x; the lines along y.
pub(super) fn sort(dtype: DType, descending: bool, stage: Stage, wide: bool) -> Module {
    let emitter = Emitter::new();
    write(&emitter, dtype, descending, stage, wide);
    emitter.finish()
}

fn write<'e>(emitter: &'e Emitter, dtype: DType, descending: bool, stage: Stage, wide: bool) {
    let space = Space { groups: [1u8].into_iter().collect(), wide };
    let index = space.index();
    let (memory, int64) = (value::memory(dtype), value::memory(DType::Int64));
    let in_groups = matches!(stage, Stage::Blocks | Stage::Within);
    let tile = in_groups.then(|| {
        emitter.set_local_size([BLOCK / 2, 1, 1]);
        let values = emitter.local(memory, BLOCK);
        Line { values, positions: emitter.local(int64, BLOCK), dtype, descending }
    });
    let mut parameters = vec![Parameter::Pointer(memory), Parameter::Pointer(int64)];
    parameters.extend(numbers(&space, 3));
    let built_ins = [BuiltIn::GlobalInvocationId, BuiltIn::LocalInvocationId, BuiltIn::WorkgroupId];
    let mut ids = emitter.begin(&parameters, &built_ins).into_iter();
    let mut next = || ids.next().expect("a declared parameter");
    let (values, positions) = (emitter.pointer(next(), memory), emitter.pointer(next(), int64));
    let array = Line { values, positions, dtype, descending };
    let [lines, len, half] = [(); 3].map(|()| emitter.wrap(next(), index));
    let line = emitter.built_in(BuiltIn::GlobalInvocationId, 1).convert(index);
    let start = line * len;
    let Some(tile) = tile else {
        let item = emitter.built_in(BuiltIn::GlobalInvocationId, 0).convert(index);
        let stretch = item / half;
        let within = item - stretch * half;
        let first = stretch * (half + half);
        let low = first + within;
        let high = match stage {
            Stage::Mirror => first + half + half - within.like(1.0) - within,
            _ => low + half,
        };
        emitter.when(line.lt(lines) & high.lt(len), || array.order(emitter, start + low, start + high));
        return;
    };
    let item = emitter.built_in(BuiltIn::LocalInvocationId, 0).convert(index);
    let block = emitter.built_in(BuiltIn::WorkgroupId, 0).convert(index);
    let first = block * block.like(f64::from(BLOCK));
    let each = |work: &dyn Fn(Reg<'e>, Reg<'e>)| {
        for half in [0, BLOCK / 2] {
            let at = item + item.like(f64::from(half));
            emitter.when((first + at).lt(len), || work(at, first + at));
        }
    };
    each(&|at, place| {
        let (element, position) = array.get(start + place);
        let position = if stage == Stage::Blocks { place.convert(position.ty) } else { position };
        tile.put(at, (element, position));
    });
    emitter.barrier();
    let compare = |low: Reg<'e>, high: Reg<'e>| {
        emitter.when((first + high).lt(len), || tile.order(emitter, low, high));
        emitter.barrier();
    };
    let halves = |from: u32| std::iter::successors(Some(from), |half| Some(half / 2)).take_while(|&half| half > 0);
    let at_distance = |half: u32| {
        let distance = item.like(f64::from(half));
        let stretch = item / distance;
        let low = stretch * (distance + distance) + (item - stretch * distance);
        compare(low, low + distance);
    };
    if stage == Stage::Blocks {
        let mut half = 1;
        while half < BLOCK {
            let distance = item.like(f64::from(half));
            let stretch = item / distance;
            let within = item - stretch * distance;
            let begin = stretch * (distance + distance);
            compare(begin + within, begin + distance + distance - within.like(1.0) - within);
            halves(half / 2).for_each(at_distance);
            half *= 2;
        }
    } else {
        halves(BLOCK / 2).for_each(at_distance);
    }
    each(&|at, place| array.put(start + place, tile.get(at)));
}
