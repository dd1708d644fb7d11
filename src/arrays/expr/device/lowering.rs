//! From a graph to a description: values are numbered, equal ones merged, the iteration space folded.
//!
//! As `plan` does for the native engine, but over element strides, and without touching any address.

use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::expr::plan::element_bytes;
use crate::arrays::expr::{Expr, Kind, Node};
use crate::arrays::op::Loop;
use crate::arrays::scalar::Scalar;
use crate::arrays::spirv::{Action, Fused, Lane, Slot, Source, Space, Step};
use smallvec::SmallVec;
use std::sync::Arc;

/// Element strides along the axes of a space.
pub(in crate::arrays::expr) type Strides = SmallVec<[isize; 6]>;

/// A graph on its way to a description.
pub(super) struct Lowering {
    shape: SmallVec<[usize; 6]>,
    walk: SmallVec<[usize; 6]>,
    arrays: SmallVec<[Array; 4]>,
    strides: SmallVec<[Strides; 4]>,
    constants: SmallVec<[(DType, [u8; 16]); 4]>,
    steps: SmallVec<[Step; 8]>,
    known: SmallVec<[(*const Node, Slot); 16]>,
}

impl Lowering {
    pub(super) fn new(shape: &[usize], walk: &[usize]) -> Lowering {
        Lowering {
            shape: shape.into(),
            walk: walk.into(),
            arrays: SmallVec::new(),
            strides: SmallVec::new(),
            constants: SmallVec::new(),
            steps: SmallVec::new(),
            known: SmallVec::new(),
        }
    }

    /// Element strides of an array along the walked axes, zero where it is repeated.
    pub(super) fn strides_of(&self, array: &Array) -> Strides {
        let lead = self.shape.len() - array.rank();
        self.walk
            .iter()
            .map(
                |&axis| {
                    if axis < lead || array.shape()[axis - lead] == 1 { 0 } else { array.layout().strides[axis - lead] }
                },
            )
            .collect()
    }

    fn source(&mut self, array: &Array) -> Slot {
        let strides = self.strides_of(array);
        let same = self.arrays.iter().zip(&self.strides).position(|(known, known_strides)| {
            Arc::ptr_eq(known.buffer(), array.buffer())
                && known.layout().offset == array.layout().offset
                && known.dtype() == array.dtype()
                && *known_strides == strides
        });
        let index = same.unwrap_or_else(|| {
            self.arrays.push(array.clone());
            self.strides.push(strides);
            self.arrays.len() - 1
        });
        Slot::Source(index as u8)
    }

    fn constant(&mut self, value: Scalar, dtype: DType) -> Slot {
        let constant = (dtype, element_bytes(value, dtype));
        let index = self.constants.iter().position(|known| *known == constant).unwrap_or_else(|| {
            self.constants.push(constant);
            self.constants.len() - 1
        });
        Slot::Constant(index as u8)
    }

    fn step(&mut self, step: Step) -> Slot {
        let index = self.steps.iter().position(|known| *known == step).unwrap_or_else(|| {
            self.steps.push(step);
            self.steps.len() - 1
        });
        Slot::Step(index as u16)
    }

    /// The value of an expression as elements of `dtype`.
    fn operand(&mut self, expr: &Expr, dtype: DType) -> Slot {
        if let Kind::Scalar { value, .. } = expr.0.kind {
            return self.constant(value, dtype);
        }
        let slot = self.value(expr);
        if expr.dtype() == dtype {
            return slot;
        }
        let operands = [slot, Slot::Nothing, Slot::Nothing];
        self.step(Step { action: Action::Cast, operands, inputs: [expr.dtype(); 3], output: dtype })
    }

    /// The value of an expression in its own dtype. Reductions below have been replaced by arrays.
    fn value(&mut self, expr: &Expr) -> Slot {
        let address = std::rc::Rc::as_ptr(&expr.0);
        if let Some(&(_, slot)) = self.known.iter().find(|(known, _)| *known == address) {
            return slot;
        }
        let slot = match &expr.0.kind {
            Kind::Array(array) => self.source(array),
            Kind::Scalar { value, .. } => self.constant(*value, expr.dtype()),
            Kind::Cast { input } | Kind::Broadcast { input } => self.operand(input, expr.dtype()),
            Kind::Apply { op, found, inputs } => {
                let Loop { inputs: dtypes, compute, output } = *found;
                let mut operands = [Slot::Nothing; 3];
                for (index, input) in inputs.iter().enumerate() {
                    operands[index] = self.operand(input, dtypes[index]);
                }
                self.step(Step { action: Action::Apply(*op, compute), operands, inputs: dtypes, output })
            }
            Kind::Reduce { op, .. } => unreachable!("the reduction {} was not computed first", op.name()),
        };
        self.known.push((address, slot));
        slot
    }

    /// The description of an expression whose result has this dtype, over a space of these groups of walked axes; the
    /// strides of a target, if there is one, are folded along.
    pub(super) fn finish(mut self, expr: &Expr, dtype: DType, groups: &[usize], target: Option<Strides>) -> Lowered {
        let result = self.operand(expr, dtype);
        let lengths: SmallVec<[usize; 6]> = self.walk.iter().map(|&axis| self.shape[axis]).collect();
        let has_target = target.is_some();
        let mut rows = self.strides;
        rows.extend(target);
        let mut folded = fold_groups(&lengths, groups, &mut rows);
        if has_target {
            folded = spread(folded, rows.as_mut_slice());
        }
        let Folded { lengths, groups } = folded;
        let lane = |strides: &Strides| strides.last().map_or(Lane::Zero, |&stride| Lane::of(stride));
        let target = if has_target { rows.pop() } else { None };
        let sources =
            self.arrays.iter().zip(&rows).map(|(array, strides)| Source { dtype: array.dtype(), lane: lane(strides) });
        let fused = Fused {
            sources: sources.collect(),
            constants: self.constants.iter().map(|&(dtype, _)| dtype).collect(),
            steps: self.steps,
            result,
            dtype,
        };
        let reach = |strides: &Strides| {
            lengths
                .iter()
                .zip(strides)
                .map(|(&len, stride)| len.saturating_sub(1) * stride.unsigned_abs())
                .sum::<usize>()
        };
        let total: usize = lengths.iter().product();
        let farthest = rows.iter().chain(&target).map(reach).fold(total, usize::max);
        let space = Space::new(&groups, farthest);
        Lowered { fused, space, lengths, arrays: self.arrays, strides: rows, constants: self.constants, target }
    }
}

/// A description with what its arguments are made of.
pub(super) struct Lowered {
    pub(super) fused: Fused,
    pub(super) space: Space,
    pub(super) lengths: SmallVec<[usize; 6]>,
    pub(super) arrays: SmallVec<[Array; 4]>,
    pub(super) strides: SmallVec<[Strides; 4]>,
    pub(super) constants: SmallVec<[(DType, [u8; 16]); 4]>,
    pub(super) target: Option<Strides>,
}

impl Lowered {
    /// What the steps are called, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fused.steps.iter().map(|step| match step.action {
            Action::Apply(op, _) => op.name(),
            Action::Cast => "cast",
        })
    }
}

/// An iteration space with as few axes as it takes.
pub(in crate::arrays::expr) struct Folded {
    pub(in crate::arrays::expr) lengths: SmallVec<[usize; 6]>,
    pub(in crate::arrays::expr) groups: SmallVec<[usize; 4]>,
}

/// Drops axes of length one and merges neighbours of a group that every operand walks as one. `rows` are the operands'
/// strides.
pub(in crate::arrays::expr) fn fold_groups(lengths: &[usize], groups: &[usize], rows: &mut [Strides]) -> Folded {
    let mut lengths: SmallVec<[usize; 6]> = lengths.into();
    let mut groups: SmallVec<[usize; 4]> = groups.into();
    let mut end = lengths.len();
    for group in groups.iter_mut().rev() {
        let start = end - *group;
        let mut last = end;
        let mut axis = end;
        while axis > start {
            axis -= 1;
            let merges = axis + 1 < last
                && rows.iter().all(|strides| strides[axis] == strides[axis + 1] * lengths[axis + 1] as isize);
            let removed = if lengths[axis] == 1 {
                axis
            } else if merges {
                lengths[axis] *= lengths[axis + 1];
                // The inner stride is the one that stays.
                rows.iter_mut().for_each(|strides| strides[axis] = strides[axis + 1]);
                axis + 1
            } else {
                continue;
            };
            lengths.remove(removed);
            rows.iter_mut().for_each(|strides| {
                strides.remove(removed);
            });
            last -= 1;
            *group -= 1;
        }
        end = start;
    }
    Folded { lengths, groups }
}

/// The one group of an element-wise expression as the axes of a launch: the last two axes by themselves, all others
/// together. There is at least one axis.
fn spread(folded: Folded, rows: &mut [Strides]) -> Folded {
    let Folded { mut lengths, .. } = folded;
    if lengths.is_empty() {
        lengths.push(1);
        rows.iter_mut().for_each(|strides| strides.push(0));
    }
    let groups = match lengths.len() {
        1 => SmallVec::from_slice(&[1]),
        2 => SmallVec::from_slice(&[1, 1]),
        rank => SmallVec::from_slice(&[rank - 2, 1, 1]),
    };
    Folded { lengths, groups }
}
