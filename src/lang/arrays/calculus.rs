//! Running sums and products, differences, integrals, convolutions, interpolation.

use crate::arrays::functions::calculus::{self, OverlapMode, Spacing};
use crate::arrays::functions::scans::{self, ScanOp};
use crate::arrays::functions::shapes;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::scalar::Operand;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::scalar_of;
use crate::lang::arrays::error::raised;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method("cumsum", "(a, axis=None, dtype=None, out=None)", "Running sums.", |vm, args| {
        scan(vm, Call::of(args), ScanOp::Sum)
    }),
    method("cumprod", "(a, axis=None, dtype=None, out=None)", "Running products.", |vm, args| {
        scan(vm, Call::of(args), ScanOp::Product)
    }),
    method("nancumsum", "(a, axis=None, dtype=None, out=None)", "Running sums, NaN counting as zero.", |vm, args| {
        scan(vm, Call::of(args), ScanOp::NanSum)
    }),
    method(
        "nancumprod",
        "(a, axis=None, dtype=None, out=None)",
        "Running products, NaN counting as one.",
        |vm, args| scan(vm, Call::of(args), ScanOp::NanProduct),
    ),
    method(
        "cumulative_sum",
        "(x, /, *, axis=None, dtype=None, out=None, include_initial=False)",
        "Running sums.",
        |vm, args| cumulative(vm, args, ScanOp::Sum),
    ),
    method(
        "cumulative_prod",
        "(x, /, *, axis=None, dtype=None, out=None, include_initial=False)",
        "Running products.",
        |vm, args| cumulative(vm, args, ScanOp::Product),
    ),
    method(
        "cumlogsumexp",
        "(x, /, *, axis=None, dtype=None, include_initial=False, out=None)",
        "Running logarithms of sums of exponentials.",
        |vm, args| {
            let call = Call::of(args);
            let (array, axis, dtype) = (call.array(vm, 0)?, call.axis(vm, 1)?, call.dtype(vm, 2)?);
            let initial = call.truth_or(vm, 3, false)?;
            let result = call.run(vm, || scans::scan(ScanOp::Logsumexp, &array, axis, dtype, initial, call.rules()))?;
            call.give_into(vm, result, 4)
        },
    ),
    method("diff", "(a, n=1, axis=-1, prepend=None, append=None)", "Differences of neighbours.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (n, axis) = (call.int_or(vm, 1, 1)?, call.axis_or(vm, 2, -1)?);
        let mut end = |index| match call.args.not_none(vm, index) {
            // A number is an array of its own dtype to NumPy, and takes the array's in dpnp.
            Some(value) if call.is_numpy() => crate::lang::arrays::nested::host_array(vm, &value).map(Some),
            _ => call.array_beside(vm, index, &array),
        };
        let (prepend, append) = (end(3)?, end(4)?);
        call.array_from(vm, || calculus::diff(&array, n, axis, prepend.as_ref(), append.as_ref(), call.rules()))
    }),
    method(
        "ediff1d",
        "(ary, to_end=None, to_begin=None)",
        "Differences of neighbours of the flattened array.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (end, begin) = (call.array_beside(vm, 1, &array)?, call.array_beside(vm, 2, &array)?);
            call.array_from(vm, || calculus::ediff1d(&array, begin.as_ref(), end.as_ref(), call.rules()))
        },
    ),
    method("gradient", "(f, *varargs, axis=None, edge_order=1)", "Central differences.", gradient),
    method("trapezoid", "(y, x=None, dx=1.0, axis=-1)", "Integral by the trapezoidal rule.", |vm, args| {
        let call = Call::of(args);
        let y = call.array(vm, 0)?;
        let x = call.array_beside(vm, 1, &y)?;
        let (dx, axis) = (call.float_or(vm, 2, 1.0)?, call.axis_or(vm, 3, -1)?);
        let result = call.run(vm, || calculus::trapezoid(&y, x.as_ref(), dx, axis, call.rules()))?;
        call.give_result(result)
    }),
    method("convolve", "(a, v, mode='full', method='auto')", "Discrete convolution.", |vm, args| {
        let call = Call::of(args);
        let left = call.array(vm, 0)?;
        let right = call.array_like(vm, 1, &left)?;
        let mode = OverlapMode::parse(&call.text_or(vm, 2, "full")?).map_err(raised)?;
        call.array_from(vm, || calculus::convolve(&left, &right, mode))
    }),
    method("correlate", "(a, v, mode='valid', method='auto')", "Discrete correlation.", |vm, args| {
        let call = Call::of(args);
        let left = call.array(vm, 0)?;
        let right = call.array_like(vm, 1, &left)?;
        let mode = OverlapMode::parse(&call.text_or(vm, 2, "valid")?).map_err(raised)?;
        call.array_from(vm, || calculus::correlate(&left, &right, mode))
    }),
    method("interp", "(x, xp, fp, left=None, right=None, period=None)", "Linear interpolation.", |vm, args| {
        let call = Call::of(args);
        let x = call.array(vm, 0)?;
        let (xp, fp) = (call.array_like(vm, 1, &x)?, call.array_like(vm, 2, &x)?);
        let end = |index| match args.not_none(vm, index) {
            Some(value) => Ok(scalar_of(&value)?.map(Operand::scalar)),
            None => Ok(None),
        };
        let (left, right) = (end(3)?, end(4)?);
        let period = match args.not_none(vm, 5) {
            Some(period) => Some(vm.float(&period)?),
            None => None,
        };
        let result = call.run(vm, || calculus::interp(&x, &xp, &fp, left, right, period))?;
        call.give_result(result)
    }),
];

/// The methods of this family.
pub const METHODS: &[Method] = &[
    method("cumsum", "(self, axis=None, dtype=None, out=None)", "Running sums.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        scan(vm, call, ScanOp::Sum)
    }),
    method("cumprod", "(self, axis=None, dtype=None, out=None)", "Running products.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        scan(vm, call, ScanOp::Product)
    }),
];

fn scan(vm: &mut Vm, call: Call, op: ScanOp) -> Fallible<Value> {
    let (array, axis, dtype) = (call.array(vm, 0)?, call.axis(vm, 1)?, call.dtype(vm, 2)?);
    let result = call.run(vm, || scans::scan(op, &array, axis, dtype, false, call.rules()))?;
    // NumPy's running sum of a 0-d array has one dimension, dpnp's none.
    let result = if array.rank() == 0 && !call.is_numpy() {
        shapes::reshape(&result, &[], MemoryOrder::C, None, call.rules()).map_err(raised)?
    } else {
        result
    };
    call.give_into(vm, result, 3)
}

fn cumulative(vm: &mut Vm, args: Args, op: ScanOp) -> Fallible<Value> {
    let call = Call::of(args);
    let (array, axis, dtype) = (call.array(vm, 0)?, call.axis(vm, 1)?, call.dtype(vm, 2)?);
    if axis.is_none() && array.rank() > 1 {
        return Err(raise::value_error("For arrays which have more than one dimension ``axis`` argument is required."));
    }
    let initial = call.truth_or(vm, 4, false)?;
    let axis = axis.or(Some(0));
    let mut result = call.run(vm, || scans::scan(op, &array, axis, dtype, initial, call.rules()))?;
    if !call.is_numpy() && array.rank() == 0 && !initial {
        // dpnp gives no axis to what has none.
        result = crate::arrays::functions::shapes::squeeze(&result, None, call.rules()).map_err(raised)?;
    }
    call.give_into(vm, result, 3)
}

fn gradient(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    let axes = match call.axes(vm, 2)? {
        Some(axes) => axes,
        None => (0..array.rank() as i64).collect(),
    };
    let edge_order = call.int_or(vm, 3, 1)?;
    let Value::Tuple(given) = args.get(vm, 1) else {
        return Err(raise::system_error("variadic arguments arrive as a tuple"));
    };
    let mut spacings = Vec::with_capacity(axes.len());
    for value in given.items() {
        spacings.push(match scalar_of(value)? {
            Some(operand) => Spacing::Uniform(operand.scalar().real()),
            None => Spacing::Coordinates(call.to_array_like(vm, value, &array)?),
        });
    }
    match spacings.len() {
        0 => spacings.resize(axes.len(), Spacing::Uniform(1.0)),
        1 => spacings.resize(axes.len(), spacings[0].clone()),
        len if len == axes.len() => {}
        _ => return Err(raise::type_error("invalid number of arguments")),
    }
    let mut results = Vec::with_capacity(axes.len());
    for (axis, spacing) in axes.iter().zip(&spacings) {
        results.push(call.run(vm, || calculus::gradient(&array, spacing, *axis, edge_order, call.rules()))?);
    }
    Ok(match results.len() {
        1 => call.give(results.remove(0)),
        _ => call.give_tuple(results),
    })
}
