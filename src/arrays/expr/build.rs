//! Making nodes: shapes, dtypes and places are inferred and checked here.

use super::{Expr, Kind, ReduceOp};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::cpu::kernels::compare_mixed;
use crate::arrays::device::Place;
use crate::arrays::dtype::DType;
use crate::arrays::error::{ArrayError, shape_text};
use crate::arrays::layout::{Dims, broadcast_shapes, normalize_axis};
use crate::arrays::op::{Family, Flavour, Loop, Op, resolve};
use crate::arrays::scalar::{Operand, Scalar, integer_range};
use smallvec::SmallVec;

/// The most operations in one program.
pub(super) const MOST_NODES: usize = 64;
/// The most arrays in one program.
pub(super) const MOST_SOURCES: usize = 16;

/// The common place and memory kind of operands, or why they do not go together.
pub(super) fn common_alloc(inputs: &[Expr]) -> Result<Option<Alloc>, ArrayError> {
    let mut common: Option<&Alloc> = None;
    let mut usm = None;
    for alloc in inputs.iter().filter_map(|input| input.0.alloc.as_ref()) {
        match common {
            None => common = Some(alloc),
            Some(first) if first.place == alloc.place => {}
            Some(first) => return Err(placement_error(&first.place, &alloc.place)),
        }
        usm = Some(usm.map_or(alloc.usm, |kind: crate::arrays::UsmKind| kind.coerce(alloc.usm)));
    }
    Ok(common.map(|alloc| Alloc { place: alloc.place.clone(), usm: usm.unwrap_or(alloc.usm) }))
}

fn placement_error(first: &Place, second: &Place) -> ArrayError {
    match (first, second) {
        (Place::Queue(a), Place::Queue(b)) => ArrayError::Placement {
            message: format!(
                "Execution placement can not be unambiguously inferred from input arguments: one is on {}, another on \
                 {}{}. Move one with `y.to_device(x.sycl_queue)`.",
                a.device().filter_string(),
                b.device().filter_string(),
                if a.device().filter_string() == b.device().filter_string() { " through another queue" } else { "" }
            )
            .into(),
        },
        _ => ArrayError::type_error(
            "An array must be any of supported type, but got <class 'numpy.ndarray'>. Copy it to the device with \
             `dpnp.asarray(x)`, or the other operand to the host with `y.asnumpy()`.",
        ),
    }
}

fn in_words(error: ArrayError, flavour: Flavour) -> ArrayError {
    // dpnp writes the shapes as Python prints tuples, joined with "and".
    match (error, flavour) {
        (ArrayError::Broadcast { shapes }, Flavour::Dpnp) => {
            let texts: Vec<String> = shapes.iter().map(|shape| shape_text(shape)).collect();
            let list = match texts.as_slice() {
                [first, second] => format!("{first} and {second}"),
                [rest @ .., last] => format!("{}, and {last}", rest.join(", ")),
                [] => String::new(),
            };
            ArrayError::value(format!("operands could not be broadcast together with shapes {list}"))
        }
        (error, _) => error,
    }
}

impl From<&Array> for Expr {
    fn from(array: &Array) -> Expr {
        Expr::array(array)
    }
}

impl Expr {
    /// An array as an operand.
    pub fn array(array: &Array) -> Expr {
        let shape = array.shape().into();
        Expr::new(Kind::Array(array.clone()), shape, array.dtype(), Some(array.alloc()), &[])
    }

    /// A scalar as an operand: a Python number, or a typed NumPy scalar.
    pub fn scalar(operand: Operand) -> Expr {
        let (value, weak) = (operand.scalar(), matches!(operand, Operand::Weak(_)));
        // NumPy and dpnp treat a Python bool as a typed one.
        let weak = weak && !matches!(value, Scalar::Bool(_));
        Expr::new(Kind::Scalar { value, weak }, Dims::new(), operand.dtype(true), None, &[])
    }

    /// A typed scalar.
    pub fn constant(value: Scalar, dtype: DType) -> Expr {
        Expr::scalar(Operand::Typed(value, dtype))
    }

    pub(super) fn as_weak(&self) -> Option<Scalar> {
        match self.0.kind {
            Kind::Scalar { value, weak: true } => Some(value),
            _ => None,
        }
    }

    /// Applies an operation.
    pub fn apply(op: Op, inputs: &[Expr], flavour: Flavour) -> Result<Expr, ArrayError> {
        Expr::apply_as(op, inputs, None, flavour)
    }

    /// Applies an operation in the loop of a given dtype, as the argument `dtype=` of a ufunc asks.
    pub fn apply_as(op: Op, inputs: &[Expr], dtype: Option<DType>, flavour: Flavour) -> Result<Expr, ArrayError> {
        assert_eq!(inputs.len(), op.arity(), "{} takes {} operands", op.name(), op.arity());
        // Of a Python number in a logical operation only the truth matters, whatever dtype would hold it.
        let truths: SmallVec<[Expr; 3]>;
        let inputs = if matches!(op, Op::LogicalAnd | Op::LogicalOr | Op::LogicalXor)
            && inputs.iter().any(|input| matches!(input.as_weak(), Some(Scalar::Int(_))))
        {
            let truth = |input: &Expr| match input.as_weak() {
                Some(number @ Scalar::Int(_)) => Expr::scalar(Operand::Weak(Scalar::Bool(number.truth()))),
                _ => input.clone(),
            };
            truths = inputs.iter().map(truth).collect();
            &truths
        } else {
            inputs
        };
        let shapes: SmallVec<[&[usize]; 3]> = inputs.iter().map(|input| input.shape()).collect();
        let shape = if shapes.iter().all(|shape| *shape == shapes[0]) {
            Dims::from_slice(shapes[0])
        } else {
            broadcast_shapes(&shapes).map_err(|error| {
                // NumPy looks for a loop before it looks at shapes, and names that mistake first.
                let loops = if flavour == Flavour::NumPy {
                    resolve(op, &operand_dtypes(op, inputs, true), flavour).err()
                } else {
                    None
                };
                loops.unwrap_or_else(|| in_words(error, flavour))
            })?
        };
        let alloc = common_alloc(inputs)?;
        let fp64 = alloc.as_ref().is_none_or(|alloc| alloc.place.fp64());
        if let Some(simpler) = simplify(op, inputs, dtype, flavour)? {
            return Ok(simpler);
        }
        let dtypes = operand_dtypes(op, inputs, fp64);
        if let Some(constant) = compare_out_of_range(op, inputs, &dtypes, flavour)? {
            return Ok(constant);
        }
        let mut found = resolve(op, &dtypes, flavour)?;
        if let Some(asked) = dtype {
            found = loop_for(op, asked, found, &dtypes, flavour)?;
        }
        if found.output == DType::Bool && compare_mixed(op, true).is_some() {
            // No common dtype holds int64 and uint64, so such comparisons have loops of their own.
            match (dtypes[0], dtypes[1]) {
                (first, DType::UInt64) if first.is_signed() => {
                    found.inputs[..2].copy_from_slice(&[DType::Int64, DType::UInt64])
                }
                (DType::UInt64, second) if second.is_signed() => {
                    found.inputs[..2].copy_from_slice(&[DType::UInt64, DType::Int64])
                }
                _ => {}
            }
        }
        if !fp64 {
            found.inputs.iter_mut().for_each(|dtype| *dtype = dtype.narrowed(false));
            found.compute = found.compute.narrowed(false);
            found.output = found.output.narrowed(false);
        }
        for (index, input) in inputs.iter().enumerate() {
            if let Some(value) = input.as_weak() {
                value.check_fits(found.inputs[index])?;
            }
        }
        if !shape.contains(&0) {
            refuse_negative_powers(op, inputs, &found, flavour)?;
        }
        let inputs = within_limits(inputs)?;
        Ok(Expr::new(Kind::Apply { op, found, inputs: inputs.clone() }, shape, found.output, alloc, &inputs))
    }

    /// The value converted to another dtype, with C's rules.
    pub fn cast(&self, dtype: DType) -> Expr {
        if self.dtype() == dtype && self.as_weak().is_none() {
            return self.clone();
        }
        if let Kind::Scalar { value, .. } = self.0.kind {
            return Expr::constant(value.cast(dtype), dtype);
        }
        Expr::new(
            Kind::Cast { input: self.clone() },
            self.0.shape.clone(),
            dtype,
            self.0.alloc.clone(),
            std::slice::from_ref(self),
        )
    }

    /// The value repeated to fill a shape.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Expr, ArrayError> {
        if self.shape() == shape {
            return Ok(self.clone());
        }
        let together = broadcast_shapes(&[self.shape(), shape])
            .ok()
            .filter(|together| together.as_slice() == shape)
            .ok_or_else(|| ArrayError::BroadcastTo { from: self.shape().to_vec(), to: shape.to_vec() })?;
        Ok(Expr::new(
            Kind::Broadcast { input: self.clone() },
            together,
            self.dtype(),
            self.0.alloc.clone(),
            std::slice::from_ref(self),
        ))
    }

    /// Reduces over axes (all of them for `None`). `dtype` is the argument of that name.
    pub fn reduce(
        &self,
        op: ReduceOp,
        axes: Option<&[i64]>,
        keepdims: bool,
        dtype: Option<DType>,
        flavour: Flavour,
    ) -> Result<Expr, ArrayError> {
        let rank = self.rank();
        let axes: SmallVec<[usize; 6]> = match axes {
            None => (0..rank).collect(),
            Some(given) => {
                let mut axes: SmallVec<[usize; 6]> = SmallVec::new();
                for &axis in given {
                    let axis = normalize_axis(axis, rank)?;
                    if axes.contains(&axis) {
                        return Err(ArrayError::value(match flavour {
                            Flavour::NumPy => "duplicate value in 'axis'",
                            Flavour::Dpnp => "repeated axis in `axis` argument",
                        }));
                    }
                    axes.push(axis);
                }
                axes.sort_unstable();
                axes
            }
        };
        let shape: Dims = self
            .shape()
            .iter()
            .enumerate()
            .filter_map(|(axis, &len)| match (axes.contains(&axis), keepdims) {
                (false, _) => Some(len),
                (true, true) => Some(1),
                (true, false) => None,
            })
            .collect();
        let reduced: usize = axes.iter().map(|&axis| self.shape()[axis]).product();
        if reduced == 0 && shape.iter().all(|&len| len != 0) && !op.has_identity() {
            return Err(ArrayError::value(match flavour {
                Flavour::Dpnp => "reduction cannot be performed over zero-size axes".to_string(),
                Flavour::NumPy if op.is_arg() => format!("attempt to get {} of an empty sequence", op.name()),
                Flavour::NumPy => {
                    format!("zero-size array to reduction operation {} which has no identity", op.name())
                }
            }));
        }
        let fp64 = self.place().is_none_or(Place::fp64);
        let (compute, output) = op.dtypes(self.dtype(), dtype, fp64);
        Ok(Expr::new(
            Kind::Reduce { op, input: self.clone(), axes, compute },
            shape,
            output,
            self.0.alloc.clone(),
            std::slice::from_ref(self),
        ))
    }
}

/// The dtypes that take part in the choice of a loop: weak scalars take theirs from the others.
fn operand_dtypes(op: Op, inputs: &[Expr], fp64: bool) -> SmallVec<[DType; 3]> {
    let select = op.family() == Family::Select;
    let together = |index: usize| !select || index > 0;
    let strong = inputs
        .iter()
        .enumerate()
        .filter(|(index, input)| together(*index) && input.as_weak().is_none())
        .map(|(_, input)| input.dtype())
        .reduce(DType::promote);
    inputs
        .iter()
        .enumerate()
        .map(|(index, input)| match (input.as_weak(), strong) {
            (Some(Scalar::Int(_)), _) if op.family() == Family::FloatAndInteger && index == 1 => DType::Int64,
            (Some(value), Some(strong)) if together(index) => strong.promote_weak(value.kind(), fp64),
            (Some(value), _) => value.default_dtype(fp64),
            (None, _) => input.dtype(),
        })
        .collect()
}

/// The loop that `dtype=` names: its answer has that dtype, and operands must go there within their kind.
fn loop_for(op: Op, asked: DType, found: Loop, dtypes: &[DType], flavour: Flavour) -> Result<Loop, ArrayError> {
    if found.output == asked {
        return Ok(found);
    }
    let wanted: SmallVec<[DType; 3]> = (0..dtypes.len())
        .map(|index| if op.family() == Family::Select && index == 0 { DType::Bool } else { asked })
        .collect();
    let candidate = resolve(op, &wanted, flavour).ok().filter(|candidate| candidate.output == asked);
    let Some(candidate) = candidate else {
        return match flavour {
            // dpnp computes and then casts.
            Flavour::Dpnp => Ok(found),
            Flavour::NumPy => Err(ArrayError::type_error(format!(
                "No loop matching the specified signature and casting was found for ufunc {}",
                op.name()
            ))),
        };
    };
    if flavour == Flavour::NumPy {
        for (index, &dtype) in dtypes.iter().enumerate() {
            if !dtype.can_cast(candidate.inputs[index], crate::arrays::dtype::Casting::SameKind) {
                return Err(ArrayError::type_error(format!(
                    "Cannot cast ufunc '{}' input {index} from dtype('{}') to dtype('{}') with casting rule 'same_kind'",
                    op.name(),
                    dtype.name(),
                    candidate.inputs[index].name()
                )));
            }
        }
    }
    Ok(candidate)
}

/// The powers that NumPy computes by simpler operations: `x**2`, `x**0.5`, `x**1`, `x**-1`.
fn simplify(op: Op, inputs: &[Expr], dtype: Option<DType>, flavour: Flavour) -> Result<Option<Expr>, ArrayError> {
    if op != Op::Power || dtype.is_some() || inputs[0].as_weak().is_some() {
        return Ok(None);
    }
    let base = inputs[0].dtype();
    let exponent = match inputs[1].as_weak() {
        Some(Scalar::Int(value)) => value as f64,
        Some(Scalar::Float(value)) if base.is_inexact() => value,
        _ => return Ok(None),
    };
    let simpler = match exponent {
        2.0 if !base.is_bool() => Op::Square,
        1.0 if !base.is_bool() => Op::Positive,
        0.5 if base.is_inexact() => Op::Sqrt,
        -1.0 if base.is_inexact() => Op::Reciprocal,
        _ => return Ok(None),
    };
    Expr::apply(simpler, &inputs[..1], flavour).map(Some)
}

/// In NumPy a comparison with a Python integer that the dtype cannot hold has an answer; dpnp refuses it.
fn compare_out_of_range(
    op: Op,
    inputs: &[Expr],
    dtypes: &[DType],
    flavour: Flavour,
) -> Result<Option<Expr>, ArrayError> {
    use Op::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    if flavour != Flavour::NumPy || !matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual) {
        return Ok(None);
    }
    for (index, other) in [(0, 1), (1, 0)] {
        let (Some(Scalar::Int(value)), Some((low, high))) = (inputs[index].as_weak(), integer_range(dtypes[index]))
        else {
            continue;
        };
        if (low..=high).contains(&value) {
            continue;
        }
        // Whether the scalar, put on the right, lies above everything.
        let above = value > high;
        let answer = match op {
            Equal => false,
            NotEqual => true,
            Less | LessEqual => above == (index == 1),
            _ => above != (index == 1),
        };
        // Every element is at least the smallest one.
        let always = if answer { GreaterEqual } else { Less };
        let bound = Expr::scalar(Operand::Weak(Scalar::Int(low)));
        return Expr::apply(always, &[inputs[other].clone(), bound], flavour).map(Some);
    }
    Ok(None)
}

fn refuse_negative_powers(op: Op, inputs: &[Expr], found: &Loop, flavour: Flavour) -> Result<(), ArrayError> {
    if op != Op::Power || flavour != Flavour::NumPy || !found.compute.is_signed() {
        return Ok(());
    }
    let negative = match &inputs[1].0.kind {
        Kind::Scalar { value, .. } => value.real() < 0.0,
        _ if inputs[1].dtype().is_signed() => {
            let zero = Expr::scalar(Operand::Weak(Scalar::Int(0)));
            let below = Expr::apply(Op::Less, &[inputs[1].clone(), zero], flavour)?;
            let any = below.reduce(ReduceOp::Any, None, false, None, flavour)?.evaluate()?;
            any.read_scalar(&[])? == Scalar::Bool(true)
        }
        _ => false,
    };
    if negative { Err(ArrayError::value("Integers to negative integer powers are not allowed.")) } else { Ok(()) }
}

/// Computes the heaviest operands now, until what remains fits one program.
fn within_limits(inputs: &[Expr]) -> Result<SmallVec<[Expr; 3]>, ArrayError> {
    let mut inputs: SmallVec<[Expr; 3]> = inputs.into();
    loop {
        let weight = inputs.iter().fold(1usize, |sum, input| sum.saturating_add(input.0.weight));
        let sources = inputs.iter().fold(0usize, |sum, input| sum.saturating_add(input.0.sources));
        if weight <= MOST_NODES && sources <= MOST_SOURCES {
            return Ok(inputs);
        }
        let Some(heaviest) = (0..inputs.len()).max_by_key(|&index| inputs[index].0.weight) else { return Ok(inputs) };
        if inputs[heaviest].0.weight <= 1 {
            return Ok(inputs);
        }
        let computed = Expr::array(&inputs[heaviest].evaluate()?);
        let shared = inputs[heaviest].clone();
        for input in &mut inputs {
            if std::rc::Rc::ptr_eq(&input.0, &shared.0) {
                *input = computed.clone();
            }
        }
    }
}
