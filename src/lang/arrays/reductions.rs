//! Reductions: sums, extrema, means, truths and positions along axes, as functions and as methods.

use crate::arrays::array::Array;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::op::Op;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::expression_of;
use crate::lang::arrays::restricted::{self, Folding};
use crate::lang::arrays::{nested, pending};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The places of a reduction's parameters in its signature; `usize::MAX` for one it does not have.
#[derive(Clone, Copy)]
struct Places {
    axis: usize,
    dtype: usize,
    out: usize,
    keepdims: usize,
    initial: usize,
    mask: usize,
    ddof: usize,
}

const ABSENT: usize = usize::MAX;

/// How far behind `ddof` the parameters `mean` and `correction` stand.
const MEAN_AFTER: usize = 3;
const CORRECTION_AFTER: usize = 4;

const SUM: Places = Places { axis: 1, dtype: 2, out: 3, keepdims: 4, initial: 5, mask: 6, ddof: ABSENT };
const MEAN: Places = Places { axis: 1, dtype: 2, out: 3, keepdims: 4, initial: ABSENT, mask: 5, ddof: ABSENT };
const SPREAD: Places = Places { axis: 1, dtype: 2, out: 3, keepdims: 5, initial: ABSENT, mask: 6, ddof: 4 };
const EXTREME: Places = Places { axis: 1, dtype: ABSENT, out: 2, keepdims: 3, initial: 4, mask: 5, ddof: ABSENT };
const TRUTH: Places = Places { axis: 1, dtype: ABSENT, out: 2, keepdims: 3, initial: ABSENT, mask: 4, ddof: ABSENT };
const POSITION: Places =
    Places { axis: 1, dtype: ABSENT, out: 2, keepdims: 3, initial: ABSENT, mask: ABSENT, ddof: ABSENT };
const COUNT: Places =
    Places { axis: 1, dtype: ABSENT, out: 3, keepdims: 2, initial: ABSENT, mask: ABSENT, ddof: ABSENT };

/// Declares a function and, when asked, the method of the same name.
macro_rules! reduction {
    (function $name:literal, $signature:literal, $doc:literal, $places:expr, $op:expr) => {
        method($name, $signature, $doc, |vm, args| reduce(vm, Call::of(args), $places, $op)).taking_pending()
    };
    (method $name:literal, $signature:literal, $doc:literal, $places:expr, $op:expr) => {
        method($name, $signature, $doc, |vm, args| {
            let call = Call::of_method(vm, args)?;
            reduce(vm, call, $places, $op)
        })
        .taking_pending()
    };
}

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    reduction!(function "sum", "(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", "Sum of elements.", SUM, |_| ReduceOp::Sum),
    reduction!(function "prod", "(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", "Product of elements.", SUM, |_| ReduceOp::Product),
    reduction!(function "nansum", "(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", "Sum of elements, NaN counting as zero.", SUM, |_| ReduceOp::NanSum),
    reduction!(function "nanprod", "(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", "Product of elements, NaN counting as one.", SUM, |_| ReduceOp::NanProduct),
    reduction!(function "logsumexp", "(x, axis=None, dtype=None, out=None, keepdims=False)", "Logarithm of the sum of exponentials.", MEAN_PLAIN, |_| ReduceOp::Logsumexp),
    reduction!(function "reduce_hypot", "(x, axis=None, dtype=None, out=None, keepdims=False)", "Square root of the sum of squares.", MEAN_PLAIN, |_| ReduceOp::Norm),
    reduction!(function "mean", "(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)", "Arithmetic mean.", MEAN, |_| ReduceOp::Mean),
    reduction!(function "nanmean", "(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)", "Arithmetic mean of what is not NaN.", MEAN, |_| ReduceOp::NanMean),
    reduction!(function "var", "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", "Variance.", SPREAD, |ddof| ReduceOp::Variance { ddof }),
    reduction!(function "std", "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", "Standard deviation.", SPREAD, |ddof| ReduceOp::Deviation { ddof }),
    reduction!(function "nanvar", "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", "Variance of what is not NaN.", SPREAD, |ddof| ReduceOp::NanVariance { ddof }),
    reduction!(function "nanstd", "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", "Standard deviation of what is not NaN.", SPREAD, |ddof| ReduceOp::NanDeviation { ddof }),
    reduction!(function "max", "(a, axis=None, out=None, keepdims=False, initial=None, where=True)", "Largest element.", EXTREME, |_| ReduceOp::Maximum),
    reduction!(function "min", "(a, axis=None, out=None, keepdims=False, initial=None, where=True)", "Smallest element.", EXTREME, |_| ReduceOp::Minimum),
    reduction!(function "amax", "(a, axis=None, out=None, keepdims=False, initial=None, where=True)", "Largest element.", EXTREME, |_| ReduceOp::Maximum),
    reduction!(function "amin", "(a, axis=None, out=None, keepdims=False, initial=None, where=True)", "Smallest element.", EXTREME, |_| ReduceOp::Minimum),
    reduction!(function "nanmax", "(a, axis=None, out=None, keepdims=False, initial=None, where=True)", "Largest element that is not NaN.", EXTREME, |_| ReduceOp::NanMaximum),
    reduction!(function "nanmin", "(a, axis=None, out=None, keepdims=False, initial=None, where=True)", "Smallest element that is not NaN.", EXTREME, |_| ReduceOp::NanMinimum),
    reduction!(function "all", "(a, /, axis=None, out=None, keepdims=False, *, where=True)", "Whether all elements are true.", TRUTH, |_| ReduceOp::All),
    reduction!(function "any", "(a, /, axis=None, out=None, keepdims=False, *, where=True)", "Whether any element is true.", TRUTH, |_| ReduceOp::Any),
    reduction!(function "argmax", "(a, axis=None, out=None, *, keepdims=False)", "Position of the first largest element.", POSITION, |_| ReduceOp::Argmax),
    reduction!(function "argmin", "(a, axis=None, out=None, *, keepdims=False)", "Position of the first smallest element.", POSITION, |_| ReduceOp::Argmin),
    reduction!(function "count_nonzero", "(a, axis=None, keepdims=False, out=None)", "How many elements are not zero.", COUNT, |_| ReduceOp::CountNonzero),
];

const MEAN_PLAIN: Places = Places { mask: ABSENT, ..MEAN };

/// The methods of this family.
pub const METHODS: &[Method] = &[
    reduction!(method "sum", "(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", "Sum of elements.", SUM, |_| ReduceOp::Sum),
    reduction!(method "prod", "(self, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)", "Product of elements.", SUM, |_| ReduceOp::Product),
    reduction!(method "mean", "(self, axis=None, dtype=None, out=None, keepdims=False, *, where=True)", "Arithmetic mean.", MEAN, |_| ReduceOp::Mean),
    reduction!(method "var", "(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", "Variance.", SPREAD, |ddof| ReduceOp::Variance { ddof }),
    reduction!(method "std", "(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None)", "Standard deviation.", SPREAD, |ddof| ReduceOp::Deviation { ddof }),
    reduction!(method "max", "(self, axis=None, out=None, keepdims=False, initial=None, where=True)", "Largest element.", EXTREME, |_| ReduceOp::Maximum),
    reduction!(method "min", "(self, axis=None, out=None, keepdims=False, initial=None, where=True)", "Smallest element.", EXTREME, |_| ReduceOp::Minimum),
    reduction!(method "all", "(self, axis=None, out=None, keepdims=False, *, where=True)", "Whether all elements are true.", TRUTH, |_| ReduceOp::All),
    reduction!(method "any", "(self, axis=None, out=None, keepdims=False, *, where=True)", "Whether any element is true.", TRUTH, |_| ReduceOp::Any),
    reduction!(method "argmax", "(self, axis=None, out=None, *, keepdims=False)", "Position of the first largest element.", POSITION, |_| ReduceOp::Argmax),
    reduction!(method "argmin", "(self, axis=None, out=None, *, keepdims=False)", "Position of the first smallest element.", POSITION, |_| ReduceOp::Argmin),
];

/// The input of a reduction as an expression, so that `sum(x**2)` needs no memory for the squares.
fn input(vm: &mut Vm, call: Call, index: usize) -> Fallible<Expr> {
    match call.args.get(vm, index) {
        Value::Array(array) if array.flavour == call.flavour => Ok(expression_of(&array)),
        Value::Array(array) if !call.is_numpy() && array.flavour != ArrayFlavour::NumPy => Ok(expression_of(&array)),
        other if call.is_numpy() && !matches!(other, Value::Array(_)) => {
            nested::host_array(vm, &other).map(|array| Expr::array(&array))
        }
        other => call.to_array(vm, &other).map(|array| Expr::array(&array)),
    }
}

fn reduce(vm: &mut Vm, call: Call, places: Places, op: fn(f64) -> ReduceOp) -> Fallible<Value> {
    let input = input(vm, call, 0)?;
    let mut axes = call.axes(vm, places.axis)?;
    let given = |place: usize| place != ABSENT;
    let dtype = if given(places.dtype) { call.dtype(vm, places.dtype)? } else { None };
    let keepdims = call.truth_or(vm, places.keepdims, false)?;
    let ddof = if given(places.ddof) { ddof(vm, call, places.ddof)? } else { 0.0 };
    let op = op(ddof);
    if call.is_numpy() && input.shape().is_empty() && takes_first_axis(op) {
        // NumPy's folds and positions take axis 0 of an array that has none.
        if let Value::Int(0 | -1) = call.args.get(vm, places.axis) {
            axes = Some(vec![]);
        }
    }
    let mask = if given(places.mask) { restricted::mask(vm, call, places.mask, &input)? } else { None };
    let folding = Folding { op, axes: axes.as_deref(), keepdims, dtype };
    let mean = if given(places.ddof) { call.args.not_none(vm, places.ddof + MEAN_AFTER) } else { None };
    if restricted::is_moment(op) && (mask.is_some() || mean.is_some()) {
        let result = restricted::moment(vm, call, &input, folding, mask, mean)?;
        return call.give_into(vm, result, places.out);
    }
    let initial = if given(places.initial) { call.args.not_none(vm, places.initial) } else { None };
    let expression = restricted::fold(vm, call, input, folding, mask, initial)?;
    let result = pending::with_relief(vm, |_| expression.evaluate())?;
    call.give_into(vm, result, places.out)
}

/// `ddof=`, or `correction=`, which is another name of it.
fn ddof(vm: &mut Vm, call: Call, place: usize) -> Fallible<f64> {
    let ddof = call.float_or(vm, place, 0.0)?;
    match call.args.not_none(vm, place + CORRECTION_AFTER) {
        None => Ok(ddof),
        Some(_) if ddof != 0.0 => Err(raise::value_error("ddof and correction can't be provided simultaneously.")),
        Some(correction) => vm.float(&correction),
    }
}

fn takes_first_axis(op: ReduceOp) -> bool {
    use ReduceOp::*;
    matches!(op, Sum | NanSum | Product | NanProduct | Maximum | Minimum | All | Any | Argmax | Argmin | CountNonzero)
}

/// The reduction that folding with a binary operation is.
fn reduction_of(op: Op) -> Fallible<ReduceOp> {
    Ok(match op {
        Op::Add => ReduceOp::Sum,
        Op::Multiply => ReduceOp::Product,
        Op::Maximum => ReduceOp::Maximum,
        Op::Minimum => ReduceOp::Minimum,
        Op::Fmax => ReduceOp::NanMaximum,
        Op::Fmin => ReduceOp::NanMinimum,
        Op::LogicalAnd => ReduceOp::All,
        Op::LogicalOr => ReduceOp::Any,
        Op::Logaddexp => ReduceOp::Logsumexp,
        Op::Hypot => ReduceOp::Norm,
        Op::BitwiseAnd => ReduceOp::BitwiseAnd,
        Op::BitwiseOr => ReduceOp::BitwiseOr,
        Op::BitwiseXor => ReduceOp::BitwiseXor,
        other => {
            return Err(raise::not_implemented_error(format!("{}.reduce is not supported", other.name())));
        }
    })
}

/// `ufunc.reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)`
pub fn ufunc_reduce(vm: &mut Vm, op: Op, flavour: ArrayFlavour, args: Args) -> Fallible<Value> {
    let call = Call { args, flavour };
    let input = input(vm, call, 1)?;
    let axes = match args.get(vm, 2) {
        Value::Unset => Some(vec![0]),
        Value::None => None,
        other => Some(crate::lang::arrays::convert::ints_argument(vm, &other)?),
    };
    // An array without axes is folded along axis 0 as if it had one.
    let axes = axes.filter(|axes| !(input.rank() == 0 && matches!(axes[..], [0 | -1])));
    let (dtype, keepdims) = (call.dtype(vm, 3)?, call.truth_or(vm, 5, false)?);
    let (mask, initial) = (restricted::mask(vm, call, 7, &input)?, args.not_none(vm, 6));
    restricted::check_fold(op, input.dtype())?;
    if restricted::folds_in_order(op) {
        if mask.is_some() {
            return Err(restricted::no_identity(op.name()));
        }
        let folding = Folding { op: ReduceOp::Sum, axes: axes.as_deref(), keepdims, dtype };
        let result = restricted::fold_in_order(vm, call, op, &input, folding, initial)?;
        return call.give_into(vm, result, 4);
    }
    let reduction = reduction_of(op)?;
    let folding = Folding { op: reduction, axes: axes.as_deref(), keepdims, dtype };
    let expression = restricted::fold(vm, call, input, folding, mask, initial)?;
    let result: Array = pending::with_relief(vm, |_| expression.evaluate())?;
    call.give_into(vm, result, 4)
}
