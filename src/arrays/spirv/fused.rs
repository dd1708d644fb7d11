//! A fused element-wise expression, neutral of devices: what a program reads, what it does to each element, what comes
//! out.
//!
//! Equal descriptions give equal programs; scalars, lengths, strides and addresses are arguments.

use super::apply::apply;
use super::cast::cast;
use super::emit::{Emitter, Parameter, Pointer, Reg};
use super::space::{Lane, Space, Strides, Walk};
use super::value::{self, Value};
use crate::arrays::dtype::DType;
use crate::arrays::op::Op;
use rspirv::spirv::Word;
use smallvec::SmallVec;

/// An array that a program reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Source {
    /// The type of its elements.
    pub dtype: DType,
    /// Its stride along the lane.
    pub lane: Lane,
}

/// Where a step finds an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// An array.
    Source(u8),
    /// A scalar argument.
    Constant(u8),
    /// The result of an earlier step.
    Step(u16),
    /// Not taken.
    Nothing,
}

/// What a step does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Applies a primitive, whose loop computes in this dtype.
    Apply(Op, DType),
    /// Converts.
    Cast,
}

/// One step of the expression. Operands have the dtypes of `inputs` already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// The operands.
    pub operands: [Slot; 3],
    /// Their dtypes; repeated where there are fewer.
    pub inputs: [DType; 3],
    /// The dtype of the result.
    pub output: DType,
}

/// The whole expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fused {
    /// The arrays.
    pub sources: SmallVec<[Source; 4]>,
    /// The dtypes of the scalars.
    pub constants: SmallVec<[DType; 4]>,
    /// The steps, each after those it needs.
    pub steps: SmallVec<[Step; 8]>,
    /// The result.
    pub result: Slot,
    /// Its dtype.
    pub dtype: DType,
}

/// Why there is no program: an operation without a lowering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotLowered(
    /// The operation's name.
    pub &'static str,
);

impl Fused {
    /// One array, read as it is.
    pub fn identity(dtype: DType, lane: Lane) -> Fused {
        Fused {
            sources: [Source { dtype, lane }].into_iter().collect(),
            constants: SmallVec::new(),
            steps: SmallVec::new(),
            result: Slot::Source(0),
            dtype,
        }
    }

    /// Whether neighbouring elements can be computed side by side by the same instructions: every operation is the same
    /// formula for all of them, and every array is read element after element.
    pub fn is_straight(&self) -> bool {
        let formula = |step: &Step| match step.action {
            // Loops that end when an element is done.
            Action::Apply(Op::Power | Op::Gcd | Op::Lcm, compute) => !compute.is_integer(),
            Action::Apply(..) | Action::Cast => true,
        };
        let is_real = |step: &Step| !step.output.is_complex() && !step.inputs.iter().any(|input| input.is_complex());
        self.sources.iter().all(|source| source.lane != Lane::Any && !source.dtype.is_complex())
            && self.constants.iter().all(|constant| !constant.is_complex())
            && !self.dtype.is_complex()
            && self.steps.iter().all(|step| formula(step) && is_real(step))
    }

    /// The parameters of the arrays and the scalars.
    pub(super) fn operand_parameters(&self) -> impl Iterator<Item = Parameter> {
        let pointers = self.sources.iter().map(|source| Parameter::Pointer(value::memory(source.dtype)));
        pointers.chain(self.constants.iter().flat_map(|&dtype| value::scalar_parameters(dtype)))
    }
}

/// The expression inside a program, ready to be evaluated at coordinates.
pub(super) struct Body<'e, 'f> {
    emitter: &'e Emitter,
    fused: &'f Fused,
    fp64: bool,
    pointers: SmallVec<[Pointer<'e>; 4]>,
    constants: SmallVec<[Value<'e>; 4]>,
    pub(super) walk: Walk<'e>,
    strides: SmallVec<[Strides<'e>; 4]>,
}

/// The parameters of an expression over a space: arrays, scalars, the space, strides.
pub(super) fn body_parameters(fused: &Fused, space: &Space) -> impl Iterator<Item = Parameter> {
    let numbers = space.parameters(fused.sources.iter().map(|source| source.lane));
    fused.operand_parameters().chain(super::space::numbers(space, numbers))
}

impl<'e, 'f> Body<'e, 'f> {
    /// Takes the parameters that [`body_parameters`] declared.
    pub(super) fn new(
        emitter: &'e Emitter,
        fused: &'f Fused,
        space: &Space,
        fp64: bool,
        ids: &mut impl Iterator<Item = Word>,
    ) -> Body<'e, 'f> {
        let pointers = fused
            .sources
            .iter()
            .map(|source| emitter.pointer(ids.next().expect("a parameter for each array"), value::memory(source.dtype)))
            .collect();
        let constants = fused.constants.iter().map(|&dtype| value::scalar(emitter, ids, dtype)).collect();
        let walk = Walk::new(emitter, space, ids);
        let strides = fused.sources.iter().map(|source| walk.strides(emitter, source.lane, ids)).collect();
        Body { emitter, fused, fp64, pointers, constants, walk, strides }
    }

    /// The value at one index for each group of the space.
    pub(super) fn at(&self, indices: &[Reg<'e>]) -> Result<Value<'e>, NotLowered> {
        self.at_coordinates(&self.walk.coordinates(indices))
    }

    /// The value at one coordinate for each axis.
    pub(super) fn at_coordinates(&self, coordinates: &[Reg<'e>]) -> Result<Value<'e>, NotLowered> {
        self.side_by_side(coordinates, 1)
    }

    /// The values of so many elements along the lane, from these coordinates on; more than one only of what
    /// [`Fused::is_straight`].
    pub(super) fn side_by_side(&self, coordinates: &[Reg<'e>], width: u32) -> Result<Value<'e>, NotLowered> {
        let sources: SmallVec<[Value<'e>; 4]> = self
            .fused
            .sources
            .iter()
            .zip(&self.pointers)
            .zip(&self.strides)
            .map(|((source, &pointer), strides)| {
                let offset = self.walk.offset(self.emitter, coordinates, strides);
                if width == 1 || source.lane == Lane::Zero {
                    value::load(pointer, offset, source.dtype)
                } else {
                    value::load_wide(pointer, offset, source.dtype, width)
                }
            })
            .collect();
        let mut results: SmallVec<[Value<'e>; 8]> = SmallVec::new();
        let find = |slot: Slot, results: &[Value<'e>]| match slot {
            Slot::Source(index) => Some(sources[usize::from(index)]),
            Slot::Constant(index) => Some(self.constants[usize::from(index)]),
            Slot::Step(index) => Some(results[usize::from(index)]),
            Slot::Nothing => None,
        };
        for step in &self.fused.steps {
            let first = find(step.operands[0], &results).expect("every step has an operand");
            let values = step.operands.map(|slot| find(slot, &results).unwrap_or(first));
            results.push(match step.action {
                Action::Cast => cast(first, step.inputs[0], step.output),
                Action::Apply(op, compute) => {
                    apply(op, step.inputs, compute, step.output, values, self.fp64).ok_or(NotLowered(op.name()))?
                }
            });
        }
        Ok(find(self.fused.result, &results).expect("an expression has a result"))
    }
}
