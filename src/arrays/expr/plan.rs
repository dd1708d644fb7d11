//! From a graph to a program: values are numbered, equal ones merged, temporaries assigned, the iteration space folded.

use super::{Expr, Kind, Node};
use crate::arrays::array::Array;
use crate::arrays::cpu::flags::{self, Watch};
use crate::arrays::cpu::kernel::Kernel;
use crate::arrays::cpu::kernels;
use crate::arrays::cpu::tile::{Constant, Program, Slot, Source, Step, Streaming};
use crate::arrays::dtype::{DType, Element, dispatch};
use crate::arrays::error::ArrayError;
use crate::arrays::op::{Family, Loop, Op};
use crate::arrays::scalar::Scalar;
use smallvec::SmallVec;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A value before temporaries are assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Source(u8),
    Constant(u8),
    Computed(u16),
    Nothing,
}

struct Instruction {
    kernel: Kernel,
    /// The operation and the dtype it computes in; nothing for conversions.
    op: Option<(Op, DType)>,
    inputs: [Value; 3],
    watch: Watch,
    name: &'static str,
}

/// A program in the making, over a given iteration space.
pub(super) struct Planner {
    /// The logical shape of the result, and the order in which its axes are walked.
    shape: SmallVec<[usize; 6]>,
    walk: SmallVec<[usize; 6]>,
    arrays: SmallVec<[Array; 4]>,
    sources: SmallVec<[Source; 4]>,
    constants: SmallVec<[Constant; 4]>,
    instructions: SmallVec<[Instruction; 8]>,
    known: SmallVec<[(*const Node, Value); 16]>,
}

/// A finished program and what it needs.
pub(super) struct Plan {
    /// What runs.
    pub(super) program: Program,
    /// The arrays it reads.
    pub(super) arrays: SmallVec<[Array; 4]>,
    /// The floating-point events it will have met.
    pub(super) events: Events,
}

/// The events of a program, by the operation that met them.
pub(super) struct Events {
    flags: Option<Arc<[AtomicU8]>>,
    names: SmallVec<[&'static str; 8]>,
}

impl Events {
    /// What the program's steps are called, in the order they run.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied()
    }

    /// Keeps the events for the language layer, once the program has run.
    pub(super) fn note(&self) {
        for (flags, name) in self.flags.iter().flat_map(|flags| flags.iter()).zip(&self.names) {
            super::warnings::note(flags.load(Ordering::Relaxed), name);
        }
    }
}

/// The bytes of a scalar as an element of a dtype.
pub(super) fn element_bytes(value: Scalar, dtype: DType) -> [u8; 16] {
    let mut bytes = [0u8; 16];
    dispatch!(dtype, T => {
        let element = T::from_scalar(value);
        // SAFETY: an element has at most 16 bytes and no padding.
        unsafe { std::ptr::copy_nonoverlapping((&raw const element).cast::<u8>(), bytes.as_mut_ptr(), size_of::<T>()) };
    });
    bytes
}

impl Planner {
    /// A planner for results of `shape` whose axes are walked in the order `walk`, outermost first.
    pub(super) fn new(shape: &[usize], walk: &[usize]) -> Planner {
        Planner {
            shape: shape.into(),
            walk: walk.into(),
            arrays: SmallVec::new(),
            sources: SmallVec::new(),
            constants: SmallVec::new(),
            instructions: SmallVec::new(),
            known: SmallVec::new(),
        }
    }

    /// Byte strides of an array along the walked axes, zero where it is repeated.
    pub(super) fn strides(&self, array: &Array) -> SmallVec<[isize; 6]> {
        let width = array.dtype().bytes() as isize;
        let lead = self.shape.len() - array.rank();
        self.walk
            .iter()
            .map(|&axis| {
                if axis < lead || array.shape()[axis - lead] == 1 {
                    0
                } else {
                    array.layout().strides[axis - lead] * width
                }
            })
            .collect()
    }

    fn source(&mut self, array: &Array) -> Result<Value, ArrayError> {
        let base = array.buffer().pointer()?.as_ptr();
        let width = array.dtype().bytes();
        // Within the buffer, since the layout lies inside it; wrapping, because a dry run has only the address.
        let base = base.wrapping_add(if array.len_elements() == 0 { 0 } else { array.layout().offset * width });
        let strides = self.strides(array);
        let same =
            |source: &Source| source.base == base.cast_const() && source.strides == strides && source.width == width;
        if let Some(index) = self.sources.iter().position(same) {
            return Ok(Value::Source(index as u8));
        }
        self.sources.push(Source { base, strides, width });
        self.arrays.push(array.clone());
        Ok(Value::Source(self.sources.len() as u8 - 1))
    }

    fn constant(&mut self, value: Scalar, dtype: DType) -> Value {
        let constant = Constant { bits: element_bytes(value, dtype), width: dtype.bytes() };
        let same = |known: &Constant| known.bits == constant.bits && known.width == constant.width;
        let index = self.constants.iter().position(same).unwrap_or_else(|| {
            self.constants.push(constant);
            self.constants.len() - 1
        });
        Value::Constant(index as u8)
    }

    fn emit(&mut self, kernel: Kernel, inputs: [Value; 3], watch: Watch, name: &'static str) -> Value {
        let same = |known: &Instruction| std::ptr::fn_addr_eq(known.kernel, kernel) && known.inputs == inputs;
        let index = self.instructions.iter().position(same).unwrap_or_else(|| {
            self.instructions.push(Instruction { kernel, op: None, inputs, watch, name });
            self.instructions.len() - 1
        });
        Value::Computed(index as u16)
    }

    fn convert(&mut self, value: Value, from: DType, to: DType) -> Value {
        if from == to {
            return value;
        }
        let watch = if from.is_inexact() { Watch::Flags } else { Watch::Nothing };
        self.emit(kernels::cast(from, to).get(), [value, Value::Nothing, Value::Nothing], watch, "cast")
    }

    /// The value of an expression as elements of `dtype`.
    fn operand(&mut self, expr: &Expr, dtype: DType) -> Result<Value, ArrayError> {
        if let Kind::Scalar { value, .. } = expr.0.kind {
            return Ok(self.constant(value, dtype));
        }
        let value = self.value(expr)?;
        Ok(self.convert(value, expr.dtype(), dtype))
    }

    /// The value of an expression in its own dtype. Reductions below have been replaced by arrays.
    fn value(&mut self, expr: &Expr) -> Result<Value, ArrayError> {
        let address = std::rc::Rc::as_ptr(&expr.0);
        if let Some(&(_, value)) = self.known.iter().find(|(known, _)| *known == address) {
            return Ok(value);
        }
        let value = match &expr.0.kind {
            Kind::Array(array) => self.source(array)?,
            Kind::Scalar { value, .. } => self.constant(*value, expr.dtype()),
            Kind::Cast { input } => {
                let dtype = expr.dtype();
                self.operand(input, dtype)?
            }
            Kind::Broadcast { input } => self.operand(input, expr.dtype())?,
            Kind::Apply { op, found, inputs } => self.apply(*op, found, inputs)?,
            Kind::Reduce { op, .. } => unreachable!("the reduction {} was not computed first", op.name()),
        };
        self.known.push((address, value));
        Ok(value)
    }

    fn apply(&mut self, op: Op, found: &Loop, inputs: &[Expr]) -> Result<Value, ArrayError> {
        let mut values = [Value::Nothing; 3];
        let mut compute = found.compute;
        let own = match found.inputs {
            [DType::Int64, DType::UInt64, _] => kernels::compare_mixed(op, true),
            [DType::UInt64, DType::Int64, _] => kernels::compare_mixed(op, false),
            _ => kernels::find(op, compute),
        };
        // float16 computes in float32 where it has no loop of its own.
        let widened = own.is_none() && compute == DType::Float16;
        for (index, input) in inputs.iter().enumerate() {
            let dtype = found.inputs[index];
            let value = self.operand(input, dtype)?;
            values[index] =
                if widened && dtype == DType::Float16 { self.convert(value, dtype, DType::Float32) } else { value };
        }
        if widened {
            compute = DType::Float32;
        }
        let Some(kernel) = own.or_else(|| kernels::find(op, compute)) else {
            return Err(ArrayError::not_supported(format!("{} has no loop for {}", op.name(), compute.name())));
        };
        let result = self.emit(kernel.get(), values, flags::watch(op, compute), op.name());
        if let Value::Computed(index) = result {
            self.instructions[index as usize].op = Some((op, compute));
        }
        let same_class = !matches!(op.family(), Family::ToBool | Family::RealToBool | Family::FloatingToInt32);
        Ok(if widened && same_class { self.convert(result, DType::Float32, DType::Float16) } else { result })
    }

    /// The finished program that leaves the expression's value as elements of `dtype`, the arrays it reads, and the
    /// strides of `targets` folded along.
    pub(super) fn finish(
        mut self,
        expr: &Expr,
        dtype: DType,
        target: Option<&mut SmallVec<[isize; 6]>>,
    ) -> Result<Plan, ArrayError> {
        let result = self.operand(expr, dtype)?;
        let mut space: SmallVec<[usize; 6]> = self.walk.iter().map(|&axis| self.shape[axis]).collect();
        fold_axes(&mut space, &mut self.sources, target);
        let (steps, temporaries, result) = assign(&self.instructions, result);
        // Only NumPy arrays, which live on the host, are observed.
        let host = self.arrays.iter().all(|array| array.queue().is_none());
        let watched = host && steps.iter().any(|step| step.watch != Watch::Nothing);
        let events = watched.then(|| steps.iter().map(|_| AtomicU8::new(0)).collect::<Arc<[AtomicU8]>>());
        let streaming = streaming(&self.instructions, &steps, watched);
        let names = self.instructions.iter().map(|instruction| instruction.name).collect();
        let program = Program {
            shape: space,
            sources: self.sources,
            constants: self.constants,
            steps,
            temporaries,
            result,
            result_width: dtype.bytes(),
            streaming,
            events: events.clone(),
        };
        Ok(Plan { program, arrays: self.arrays, events: Events { flags: events, names } })
    }
}

/// Drops axes of length one and merges neighbours that every operand walks as one.
fn fold_axes(
    space: &mut SmallVec<[usize; 6]>,
    sources: &mut SmallVec<[Source; 4]>,
    target: Option<&mut SmallVec<[isize; 6]>>,
) {
    let mut rows: SmallVec<[&mut SmallVec<[isize; 6]>; 8]> =
        sources.iter_mut().map(|source| &mut source.strides).chain(target).collect();
    let mut axis = space.len();
    while axis > 0 {
        axis -= 1;
        if space[axis] == 1 {
            space.remove(axis);
            rows.iter_mut().for_each(|strides| {
                strides.remove(axis);
            });
        } else if axis + 1 < space.len()
            && rows.iter().all(|strides| strides[axis] == strides[axis + 1] * space[axis + 1] as isize)
        {
            space[axis] *= space[axis + 1];
            space.remove(axis + 1);
            rows.iter_mut().for_each(|strides| {
                strides.remove(axis);
            });
        }
    }
}

/// What may stand for the last steps of a program where its result goes around the cache; events are looked for step by step.
fn streaming(instructions: &[Instruction], steps: &[Step], watched: bool) -> Option<Streaming> {
    let (last, before) = instructions.split_last()?;
    let (op, dtype) = last.op?;
    if let Some((first, first_dtype)) = before.last().and_then(|instruction| instruction.op)
        && first_dtype == dtype
        && !watched
    {
        let product = Value::Computed(before.len() as u16 - 1);
        let [a, b, _] = steps[before.len() - 1].inputs;
        let [left, right, _] = steps[before.len()].inputs;
        let operands = match last.inputs {
            [x, y, _] if x == product && y != product => Some(([a, b, right], false)),
            [x, y, _] if y == product && x != product => Some(([a, b, left], true)),
            _ => None,
        };
        if let Some((operands, turned)) = operands
            && let Some(kernel) = kernels::streaming::find_pair(first, op, turned, dtype)
        {
            return Some(Streaming::LastTwo(kernel, operands));
        }
    }
    kernels::streaming::find(op, dtype).map(Streaming::Last)
}

/// Gives every computed value a temporary, reusing those whose value is no longer needed.
fn assign(instructions: &[Instruction], result: Value) -> (SmallVec<[Step; 8]>, usize, Slot) {
    let mut last_use: SmallVec<[usize; 16]> = SmallVec::from_elem(0, instructions.len());
    for (index, instruction) in instructions.iter().enumerate() {
        for input in instruction.inputs {
            if let Value::Computed(value) = input {
                last_use[value as usize] = index;
            }
        }
    }
    if let Value::Computed(value) = result {
        last_use[value as usize] = usize::MAX;
    }
    let mut places: SmallVec<[u8; 16]> = SmallVec::from_elem(0, instructions.len());
    let mut free: SmallVec<[u8; 16]> = SmallVec::new();
    let mut temporaries = 0u8;
    let slot = |value: Value, places: &[u8]| match value {
        Value::Source(index) => Slot::Source(index),
        Value::Constant(index) => Slot::Constant(index),
        Value::Computed(index) => Slot::Temporary(places[index as usize]),
        Value::Nothing => Slot::Nothing,
    };
    let mut steps = SmallVec::new();
    for (index, instruction) in instructions.iter().enumerate() {
        // Taken before the inputs' temporaries are returned: a step never writes what it reads.
        let output = free.pop().unwrap_or_else(|| {
            temporaries += 1;
            temporaries - 1
        });
        places[index] = output;
        steps.push(Step {
            kernel: instruction.kernel,
            inputs: instruction.inputs.map(|value| slot(value, &places)),
            output,
            watch: instruction.watch,
        });
        let mut returned: SmallVec<[u16; 3]> = SmallVec::new();
        for input in instruction.inputs {
            if let Value::Computed(value) = input
                && last_use[value as usize] == index
                && !returned.contains(&value)
            {
                returned.push(value);
                free.push(places[value as usize]);
            }
        }
    }
    (steps, temporaries as usize, slot(result, &places))
}
