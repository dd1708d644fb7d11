//! Where elements lie: iteration spaces as programs see them, and the parameters that describe one.
//!
//! A space is a list of groups of axes, outermost first. A group is walked by one index, which is split into the
//! coordinates of its axes; lengths and strides are arguments, so one program serves every shape of the same structure.
//! The last axis of all is the lane: neighbouring work items walk it, so whether its stride is one or zero is part of the
//! structure.

use super::emit::{Emitter, Parameter, Reg, Type};
use rspirv::spirv::Word;
use smallvec::SmallVec;

/// The stride of an operand along the last axis of its space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// One element.
    Unit,
    /// The same element throughout.
    Zero,
    /// An argument.
    Any,
}

impl Lane {
    /// The class of a stride, in elements.
    pub fn of(stride: isize) -> Lane {
        match stride {
            0 => Lane::Zero,
            1 => Lane::Unit,
            _ => Lane::Any,
        }
    }
}

/// The structure of an iteration space.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Space {
    /// How many axes each group has, outermost group first.
    pub groups: SmallVec<[u8; 4]>,
    /// Whether indices need 64 bits.
    pub wide: bool,
}

/// Elements that 32-bit indices are used for. They would reach further, but from here on the widest elements take more
/// than 4 GiB, of which some devices must be told, and one flag says both.
const NARROW: usize = (1 << 28) - (1 << 16);

impl Space {
    /// A space of groups of so many axes, in which no index or offset goes beyond `farthest`.
    pub fn new(groups: &[usize], farthest: usize) -> Space {
        Space { groups: groups.iter().map(|&axes| axes as u8).collect(), wide: farthest > NARROW }
    }

    /// The axes of all groups together.
    pub fn rank(&self) -> usize {
        self.groups.iter().map(|&axes| usize::from(axes)).sum()
    }

    /// The type of indices.
    pub(super) fn index(&self) -> Type {
        if self.wide { Type::I64 } else { Type::I32 }
    }

    /// One count for each group, and the lengths of every axis but the first of its group.
    pub(super) fn shape_parameters(&self) -> usize {
        self.groups.len() + self.groups.iter().map(|&axes| usize::from(axes.saturating_sub(1))).sum::<usize>()
    }

    /// One stride for each axis; none for a lane whose stride is part of the structure.
    pub(super) fn stride_parameters(&self, lane: Lane) -> usize {
        let rank = self.rank();
        if rank == 0 || lane == Lane::Any { rank } else { rank - 1 }
    }

    pub(super) fn parameters(&self, lanes: impl Iterator<Item = Lane>) -> usize {
        self.shape_parameters() + lanes.map(|lane| self.stride_parameters(lane)).sum::<usize>()
    }

    /// The arguments for a space of these lengths, group by group.
    pub fn shape_arguments(&self, lengths: &[usize], put: &mut impl FnMut(i64)) {
        debug_assert_eq!(lengths.len(), self.rank());
        let mut axis = 0;
        for &axes in &self.groups {
            let group = &lengths[axis..axis + usize::from(axes)];
            put(group.iter().product::<usize>() as i64);
            axis += usize::from(axes);
        }
        let mut axis = 0;
        for &axes in &self.groups {
            lengths[axis..axis + usize::from(axes)].iter().skip(1).for_each(|&length| put(length as i64));
            axis += usize::from(axes);
        }
    }

    /// The arguments for an operand's strides, in elements.
    pub fn stride_arguments(&self, lane: Lane, strides: &[isize], put: &mut impl FnMut(i64)) {
        strides[..self.stride_parameters(lane)].iter().for_each(|&stride| put(stride as i64));
    }
}

/// A space inside a program.
pub(super) struct Walk<'e> {
    space: Space,
    /// The elements of each group.
    pub(super) counts: SmallVec<[Reg<'e>; 4]>,
    lengths: SmallVec<[Reg<'e>; 8]>,
}

/// An operand's strides inside a program.
pub(super) struct Strides<'e> {
    lane: Lane,
    strides: SmallVec<[Reg<'e>; 6]>,
}

fn take<'e>(emitter: &'e Emitter, ids: &mut impl Iterator<Item = Word>, ty: Type) -> Reg<'e> {
    emitter.wrap(ids.next().expect("a parameter for each number of the space"), ty)
}

impl<'e> Walk<'e> {
    pub(super) fn new(emitter: &'e Emitter, space: &Space, ids: &mut impl Iterator<Item = Word>) -> Walk<'e> {
        let ty = space.index();
        let counts: SmallVec<[Reg<'e>; 4]> = space.groups.iter().map(|_| take(emitter, ids, ty)).collect();
        let lengths = (counts.len()..space.shape_parameters()).map(|_| take(emitter, ids, ty)).collect();
        Walk { space: space.clone(), counts, lengths }
    }

    pub(super) fn strides(
        &self,
        emitter: &'e Emitter,
        lane: Lane,
        ids: &mut impl Iterator<Item = Word>,
    ) -> Strides<'e> {
        let ty = self.space.index();
        let strides = (0..self.space.stride_parameters(lane)).map(|_| take(emitter, ids, ty)).collect();
        Strides { lane, strides }
    }

    /// The coordinates of one 64-bit index for each group. Where a group has several axes theirs are as wide as the space's
    /// numbers, because splitting an index means division.
    pub(super) fn coordinates(&self, indices: &[Reg<'e>]) -> SmallVec<[Reg<'e>; 8]> {
        let mut coordinates = SmallVec::new();
        let mut known = 0;
        let number = self.space.index();
        for (&axes, &index) in self.space.groups.iter().zip(indices) {
            let axes = usize::from(axes);
            if axes < 2 {
                coordinates.extend((axes == 1).then_some(index));
                continue;
            }
            let inner = &self.lengths[known..known + axes - 1];
            known += axes - 1;
            let mut own: SmallVec<[Reg<'e>; 8]> = SmallVec::new();
            // Unsigned division is the cheaper one, and no index is negative.
            let mut left = index.convert(number).reinterpret(number.unsigned());
            for length in inner.iter().rev() {
                let length = length.reinterpret(number.unsigned());
                let quotient = left / length;
                own.push((left - quotient * length).reinterpret(number));
                left = quotient;
            }
            own.push(left.reinterpret(number));
            coordinates.extend(own.into_iter().rev());
        }
        coordinates
    }

    /// Where an operand's element at these coordinates lies, counted in elements from its first, with 64 bits.
    ///
    /// A unit lane is added last and never narrowed: compilers for processors see that neighbouring work items touch
    /// neighbouring elements only when no arithmetic between could wrap.
    pub(super) fn offset(&self, emitter: &'e Emitter, coordinates: &[Reg<'e>], operand: &Strides<'e>) -> Reg<'e> {
        let strided = coordinates
            .iter()
            .zip(&operand.strides)
            .map(|(coordinate, &stride)| coordinate.convert(self.space.index()) * stride)
            .reduce(|sum, term| sum + term)
            .map(|sum| sum.convert(Type::I64));
        let lane = match (operand.lane, coordinates.last()) {
            (Lane::Unit, Some(lane)) => Some(lane.convert(Type::I64)),
            _ => None,
        };
        match (strided, lane) {
            (Some(sum), Some(lane)) => sum + lane,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => emitter.int(Type::I64, 0),
        }
    }
}

/// The parameters that numbers of a space are.
pub(super) fn numbers(space: &Space, count: usize) -> impl Iterator<Item = Parameter> {
    std::iter::repeat_n(Parameter::Value(space.index()), count)
}
