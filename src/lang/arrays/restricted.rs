//! What restricts a reduction: `where=`, the elements that count, `initial=`, what it begins with, and `mean=`.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::functions::convert;
use crate::arrays::functions::creation::full;
use crate::arrays::functions::statistics::{self, Part};
use crate::arrays::layout::{Order, normalize_axis};
use crate::arrays::op::Op;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::expression_of;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A reduction and how its result looks.
#[derive(Clone, Copy)]
pub struct Folding<'a> {
    /// What is done.
    pub op: ReduceOp,
    /// The axes that go; nothing: all.
    pub axes: Option<&'a [i64]>,
    /// Whether they stay with length one.
    pub keepdims: bool,
    /// The dtype asked for.
    pub dtype: Option<DType>,
}

/// `where=`: nothing where all elements count.
pub fn mask(vm: &mut Vm, call: Call, index: usize, input: &Expr) -> Fallible<Option<Expr>> {
    let mask = match call.args.get(vm, index) {
        Value::Unset | Value::Bool(true) => return Ok(None),
        Value::Array(array) => expression_of(&array),
        other => {
            let truths = call.to_array_like(vm, &other, &beside(input)?)?;
            Expr::array(&truths).cast(DType::Bool)
        }
    };
    if call.is_numpy() {
        if !mask.dtype().can_cast(DType::Bool, Casting::Safe) {
            return Err(raise::type_error(format!(
                "Cannot cast array data from dtype('{}') to dtype('bool') according to the rule 'safe'",
                mask.dtype().name()
            )));
        }
        if mask.rank() > input.rank() {
            return Err(raise::value_error("input operand has more dimensions than allowed by the axis remapping"));
        }
    }
    Ok(Some(mask))
}

/// An empty array where an expression's memory is, which tells others where theirs belongs.
fn beside(input: &Expr) -> Fallible<Array> {
    Array::empty(&[0], DType::Bool, &alloc_of(input)).map_err(raised)
}

fn alloc_of(input: &Expr) -> Alloc {
    match (input.place(), input.usm()) {
        (Some(place), Some(usm)) => Alloc { place: place.clone(), usm },
        _ => Alloc::HOST,
    }
}

/// The reduction of the elements that count, begun with `initial`.
pub fn fold(
    vm: &mut Vm,
    call: Call,
    input: Expr,
    folding: Folding<'_>,
    mask: Option<Expr>,
    initial: Option<Value>,
) -> Fallible<Expr> {
    let Folding { op, axes, keepdims, dtype } = folding;
    let reduce = |input: &Expr, op| input.reduce(op, axes, keepdims, dtype, call.rules()).map_err(raised);
    let Some(initial) = initial else {
        return match mask {
            Some(mask) => reduce(&masked(call, &input, &mask, op, None)?, op),
            None => reduce(&input, op),
        };
    };
    let combine = match op {
        ReduceOp::Sum | ReduceOp::NanSum => Op::Add,
        ReduceOp::Product | ReduceOp::NanProduct => Op::Multiply,
        ReduceOp::Maximum => Op::Maximum,
        ReduceOp::NanMaximum => Op::Fmax,
        ReduceOp::Minimum => Op::Minimum,
        ReduceOp::NanMinimum => Op::Fmin,
        ReduceOp::All => Op::LogicalAnd,
        ReduceOp::Any => Op::LogicalOr,
        ReduceOp::Logsumexp => Op::Logaddexp,
        ReduceOp::Norm => Op::Hypot,
        ReduceOp::BitwiseAnd => Op::BitwiseAnd,
        ReduceOp::BitwiseOr => Op::BitwiseOr,
        ReduceOp::BitwiseXor => Op::BitwiseXor,
        _ => return Err(raise::type_error("initial= has no meaning for this reduction")),
    };
    // The truth of folding nothing has the shape of the result, whatever the reduction says to no elements.
    let shape = input.reduce(ReduceOp::Any, axes, keepdims, None, call.rules()).map_err(raised)?.shape().to_vec();
    if op.has_identity() {
        let input = match mask {
            Some(mask) => masked(call, &input, &mask, op, None)?,
            None => input,
        };
        let reduced = reduce(&input, op)?;
        let start = Expr::scalar(start(vm, &initial, reduced.dtype())?);
        // The reduction is computed first: an expression has its reduction at the root.
        let reduced = pending::with_relief(vm, |_| reduced.evaluate())?;
        return Expr::apply(combine, &[Expr::array(&reduced), start], call.rules()).map_err(raised);
    }
    let start = start(vm, &initial, dtype.unwrap_or(input.dtype()))?;
    if input.len_elements() == 0 {
        let alloc = alloc_of(&input);
        return pending::with_relief(vm, |_| full(&shape, start, None, Order::C, &alloc)).map(|all| Expr::array(&all));
    }
    let start = Expr::scalar(start);
    let input = match mask {
        Some(mask) => masked(call, &input, &mask, op, Some(&start))?,
        None => input,
    };
    let reduced = reduce(&input, op)?;
    let reduced = pending::with_relief(vm, |_| reduced.evaluate())?;
    Expr::apply(combine, &[Expr::array(&reduced), start], call.rules()).map_err(raised)
}

/// `initial=` as a number of the result's dtype, converted as an element of a new array is.
fn start(vm: &mut Vm, initial: &Value, dtype: DType) -> Fallible<Operand> {
    if let Value::List(_) | Value::Tuple(_) = initial {
        return Err(raise::type_error(format!(
            "int() argument must be a string, a bytes-like object or a real number, not '{}'",
            initial.type_name()
        )));
    }
    let host = match initial {
        Value::Array(array) => pending::compute(vm, array)?,
        other => nested::host_array_of(vm, other, Some(dtype))?,
    };
    if host.rank() != 0 {
        return Err(raise::value_error("initial must be a number"));
    }
    Ok(Operand::Typed(host.read_scalar(&[]).map_err(raised)?.cast(dtype), dtype))
}

/// The error for a mask where nothing says what an element that is left out counts as.
pub fn no_identity(name: &str) -> raise::Raised {
    raise::value_error(format!(
        "reduction operation '{name}' does not have an identity, so to use a where mask one has to specify 'initial'"
    ))
}

/// What a mask leaves out counts as the reduction's neutral element, or as what it begins with.
fn masked(call: Call, input: &Expr, mask: &Expr, op: ReduceOp, start: Option<&Expr>) -> Fallible<Expr> {
    let mask = mask.broadcast_to(input.shape()).map_err(raised)?;
    let neutral = match op {
        ReduceOp::Sum | ReduceOp::NanSum | ReduceOp::Any | ReduceOp::Norm => Scalar::Int(0),
        ReduceOp::BitwiseOr | ReduceOp::BitwiseXor => Scalar::Int(0),
        ReduceOp::Product | ReduceOp::NanProduct | ReduceOp::All => Scalar::Int(1),
        ReduceOp::BitwiseAnd if input.dtype().is_bool() => Scalar::Bool(true),
        ReduceOp::BitwiseAnd => Scalar::Int(-1),
        ReduceOp::Logsumexp if input.dtype().is_inexact() => Scalar::Float(f64::NEG_INFINITY),
        _ => match start {
            Some(start) => return choose(call, mask, input.clone(), start.cast(input.dtype())),
            None => return Err(no_identity(op.name())),
        },
    };
    choose(call, mask, input.clone(), Expr::constant(neutral.cast(input.dtype()), input.dtype()))
}

fn choose(call: Call, mask: Expr, input: Expr, otherwise: Expr) -> Fallible<Expr> {
    Expr::apply(Op::Where, &[mask, input, otherwise], call.rules()).map_err(raised)
}

/// Whether folding with an operation is no reduction of its own: the elements of an axis meet one after the other.
pub fn folds_in_order(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Subtract
            | Divide
            | FloorDivide
            | Remainder
            | Fmod
            | Power
            | FloatPower
            | Arctan2
            | Copysign
            | Gcd
            | Lcm
            | LeftShift
            | RightShift
            | Nextafter
            | Heaviside
            | LogicalXor
            | Logaddexp2
            | Equal
            | NotEqual
            | Less
            | LessEqual
            | Greater
            | GreaterEqual
    )
}

/// An error where folding has no loop of NumPy's: comparisons fold truths, logarithms and lengths real numbers.
pub fn check_fold(op: Op, dtype: DType) -> Fallible<()> {
    use Op::*;
    let is_there = match op {
        Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => dtype.is_bool(),
        Logaddexp | Hypot => !dtype.is_complex(),
        Ldexp => false,
        BitwiseAnd | BitwiseOr | BitwiseXor => !dtype.is_inexact(),
        _ => true,
    };
    match is_there {
        true => Ok(()),
        false => Err(raise::type_error(format!(
            "No loop matching the specified signature and casting was found for ufunc {}",
            op.name()
        ))),
    }
}

/// `((a[0] op a[1]) op a[2]) ...` along axes, begun with `initial` where that is given. Only what does not depend on the order of
/// the axes may fold several.
pub fn fold_in_order(
    vm: &mut Vm,
    call: Call,
    op: Op,
    input: &Expr,
    folding: Folding<'_>,
    initial: Option<Value>,
) -> Fallible<Array> {
    let array = Expr::array(&pending::with_relief(vm, |_| input.evaluate())?);
    // The dtype of one step is that of the result, also where there is no step.
    let step = Expr::apply(op, &[array.clone(), array.clone()], call.rules()).map_err(raised)?;
    let array = array.cast(folding.dtype.unwrap_or(step.dtype()));
    let mut array = pending::with_relief(vm, |_| array.evaluate())?;
    let identity = match op {
        Op::Gcd | Op::LogicalXor => Some(Operand::Typed(Scalar::Int(0).cast(array.dtype()), array.dtype())),
        _ => None,
    };
    let mut axes = Vec::new();
    for axis in folding.axes.map_or_else(|| (0..array.rank() as i64).collect(), <[i64]>::to_vec) {
        // An array without axes is what folding its axis 0 gives.
        if array.rank() > 0 || !matches!(axis, 0 | -1) {
            axes.push(normalize_axis(axis, array.rank()).map_err(raised)?);
        }
    }
    if axes.len() > 1 && identity.is_none() {
        return Err(raise::value_error(format!(
            "reduction operation '{}' is not reorderable, so at most one axis may be specified",
            op.name()
        )));
    }
    let mut first = match initial {
        Some(initial) => Some(start(vm, &initial, array.dtype())?),
        None => None,
    };
    axes.sort_unstable();
    for axis in axes.iter().rev() {
        array = fold_axis(vm, call, op, &array, *axis, first.take(), identity)?;
    }
    match folding.keepdims {
        true => {
            let axes: Vec<i64> = axes.iter().map(|axis| *axis as i64).collect();
            crate::arrays::functions::shapes::expand_dims(&array, &axes).map_err(raised)
        }
        false => Ok(array),
    }
}

fn fold_axis(
    vm: &mut Vm,
    call: Call,
    op: Op,
    array: &Array,
    axis: usize,
    first: Option<Operand>,
    identity: Option<Operand>,
) -> Fallible<Array> {
    let mut parts = convert::unstack(array, axis as i64).map_err(raised)?.into_iter();
    let shape: Vec<usize> =
        array.shape().iter().enumerate().filter(|(at, _)| *at != axis).map(|(_, len)| *len).collect();
    let mut fill = |value: Operand| pending::with_relief(vm, |_| full(&shape, value, None, Order::C, &array.alloc()));
    let mut folded = match (first, parts.len()) {
        (Some(first), _) => fill(first)?,
        (None, 0) => match identity {
            Some(identity) => fill(identity)?,
            None => {
                return Err(raise::value_error(format!(
                    "zero-size array to reduction operation {} which has no identity",
                    op.name()
                )));
            }
        },
        (None, _) => parts.next().expect("there is one"),
    };
    for (place, part) in parts.enumerate() {
        if place % 256 == 255 {
            vm.poll()?;
        }
        let next = Expr::apply(op, &[Expr::array(&folded), Expr::array(&part)], call.rules()).map_err(raised)?;
        folded = pending::with_relief(vm, |_| next.evaluate())?;
    }
    Ok(folded)
}

/// Whether a reduction is a mean or a measure of spread.
pub fn is_moment(op: ReduceOp) -> bool {
    use ReduceOp::*;
    matches!(op, Mean | NanMean | Variance { .. } | NanVariance { .. } | Deviation { .. } | NanDeviation { .. })
}

/// A mean or a measure of spread over the elements that count, about `mean` when that is given.
pub fn moment(
    vm: &mut Vm,
    call: Call,
    input: &Expr,
    folding: Folding<'_>,
    mask: Option<Expr>,
    mean: Option<Value>,
) -> Fallible<Array> {
    let Folding { op, axes, keepdims, dtype } = folding;
    let part = Part { mask, axes, keepdims, dtype, flavour: call.rules() };
    let mean = match mean {
        Some(value) => Some(Expr::array(&call.to_array_like(vm, &value, &beside(input)?)?)),
        None => None,
    };
    let mean = mean.as_ref();
    let skip_nan = matches!(op, ReduceOp::NanMean | ReduceOp::NanVariance { .. } | ReduceOp::NanDeviation { .. });
    pending::with_relief(vm, |_| match op {
        ReduceOp::Variance { ddof } | ReduceOp::NanVariance { ddof } => {
            statistics::variance(input, &part, mean, ddof, skip_nan)?.evaluate()
        }
        ReduceOp::Deviation { ddof } | ReduceOp::NanDeviation { ddof } => {
            let variance = statistics::variance(input, &part, mean, ddof, skip_nan)?;
            Expr::apply(Op::Sqrt, &[variance], call.rules())?.evaluate()
        }
        _ => statistics::mean(input, &part, skip_nan),
    })
}
