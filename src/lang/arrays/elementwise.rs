//! Element-wise functions that are not universal functions: choices, limits, rounding, tests with tolerances.

use crate::arrays::array::Array;
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::functions::{convert, statistics, support};
use crate::arrays::op::{Flavour, Op};
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::expression_of;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::operators::{finish, operand_expression};
use crate::lang::arrays::{nested, pending};
use crate::lang::modules::support::keywords_of;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "where",
        "(condition, x=None, y=None, /, *, order='K', out=None)",
        "Elements of one of two arrays by a condition.",
        select,
    )
    .taking_pending(),
    method(
        "clip",
        "(a, min=None, max=None, out=None, *, order='K', a_min=None, a_max=None, **kwargs)",
        "Elements kept between limits.",
        |vm, args| {
            let limits = [limit(vm, args, 1, 5)?, limit(vm, args, 2, 6)?];
            no_more_keywords(vm, args, 7)?;
            clip(vm, Call::of(args), limits, 3)
        },
    ),
    method("round", "(x, decimals=0, out=None)", "Elements rounded, ties to even.", |vm, args| {
        round(vm, Call::of(args), 2)
    }),
    method("around", "(x, /, decimals=0, out=None)", "Elements rounded, ties to even.", |vm, args| {
        round(vm, Call::of(args), 2)
    }),
    method("real_if_close", "(a, tol=100)", "The real part when all imaginary parts are near zero.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let tolerance = call.float_or(vm, 1, 100.0)?;
        if !array.dtype().is_complex() {
            return Ok(call.give(array));
        }
        let bits = if array.dtype() == DType::Complex64 { 23 } else { 52 };
        let tolerance = if tolerance > 1.0 { tolerance * 2f64.powi(-bits) } else { tolerance };
        let imaginary = convert::imag_view(&array).map_err(raised)?;
        let size = apply(call, Op::Absolute, &[Expr::array(&imaginary)])?;
        let near = apply(call, Op::Less, &[size, number(tolerance)])?;
        let all = near.reduce(crate::arrays::expr::ReduceOp::All, None, false, None, call.rules()).map_err(raised)?;
        let all = pending::with_relief(vm, |_| all.evaluate())?;
        if !all.read_scalar(&[]).map_err(raised)?.truth() {
            return Ok(call.give(array));
        }
        Ok(call.give(convert::real_view(&array).map_err(raised)?))
    }),
    method("isposinf", "(x, out=None)", "Whether elements are positive infinity.", |vm, args| {
        is_signed_inf(vm, args, false)
    }),
    method("isneginf", "(x, out=None)", "Whether elements are negative infinity.", |vm, args| {
        is_signed_inf(vm, args, true)
    }),
    method("iscomplexobj", "(x)", "Whether the dtype is complex.", |vm, args| {
        let call = Call::of(args);
        Ok(Value::Bool(is_complex(vm, call)?))
    }),
    method("isrealobj", "(x)", "Whether the dtype is not complex.", |vm, args| {
        let call = Call::of(args);
        Ok(Value::Bool(!is_complex(vm, call)?))
    }),
    method("isscalar", "(element)", "Whether the value is a scalar.", |vm, args| {
        Ok(Value::Bool(super::convert::scalar_of(&args.get(vm, 0))?.is_some() || args.peek(vm, 0).as_str().is_some()))
    }),
    method(
        "isclose",
        "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
        "Whether elements are equal within a tolerance.",
        |vm, args| {
            let call = Call::of(args);
            let close = is_close(vm, call, statistics::isclose)?;
            finish(vm, call.flavour, close, &[args.get(vm, 0), args.get(vm, 1)])
        },
    ),
    method(
        "allclose",
        "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)",
        "Whether all elements are equal within a tolerance.",
        |vm, args| {
            let call = Call::of(args);
            let all = is_close(vm, call, statistics::allclose)?;
            let result = pending::with_relief(vm, |_| all.evaluate())?;
            give_truth(call, result)
        },
    ),
    method("array_equal", "(a1, a2, equal_nan=False)", "Whether shapes and elements are equal.", array_equal),
    method("array_equiv", "(a1, a2)", "Whether arrays are equal after broadcasting.", array_equiv),
    method(
        "nan_to_num",
        "(x, copy=True, nan=0.0, posinf=None, neginf=None)",
        "NaN and infinities replaced by numbers.",
        nan_to_num,
    ),
];

/// The methods of this family.
pub const METHODS: &[Method] = &[
    method("clip", "(self, /, min=None, max=None, out=None, **kwargs)", "Elements kept between limits.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        no_more_keywords(vm, args, 4)?;
        clip(vm, call, [1, 2], 3)
    }),
    method("round", "(self, /, decimals=0, *, out=None)", "Elements rounded, ties to even.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        round(vm, call, 2)
    }),
    method("conj", "(self)", "The complex conjugates.", |vm, args| {
        let array = args.get(vm, 0);
        super::operators::elementwise(vm, Op::Conjugate, &[array], None)
    }),
    method("conjugate", "(self)", "The complex conjugates.", |vm, args| {
        let array = args.get(vm, 0);
        super::operators::elementwise(vm, Op::Conjugate, &[array], None)
    }),
];

/// Whether the dtype is complex that a value has or would have as an array.
fn is_complex(vm: &mut Vm, call: Call) -> Fallible<bool> {
    if call.args.peek(vm, 0).as_str().is_some() {
        return Ok(false);
    }
    Ok(super::conversion::anything(vm, call)?.dtype().is_complex())
}

fn apply(call: Call, op: Op, inputs: &[Expr]) -> Fallible<Expr> {
    Expr::apply(op, inputs, call.rules()).map_err(raised)
}

fn number(value: f64) -> Expr {
    Expr::scalar(Operand::Weak(Scalar::Float(value)))
}

/// A test of elements within `rtol` and `atol`, with NaN equal to NaN or not.
type Closeness = fn(&Expr, &Expr, f64, f64, bool, Flavour) -> Result<Expr, ArrayError>;

/// A parameter as an expression: arrays, scalars, and for NumPy whatever becomes an array.
fn expression(vm: &mut Vm, call: Call, index: usize) -> Fallible<Expr> {
    let value = call.args.get(vm, index);
    operand_expression(vm, &value, call.flavour)
}

/// The value of an expression, written into `out=` when that was given.
fn give(vm: &mut Vm, call: Call, expression: Expr, out: usize, operands: &[Value]) -> Fallible<Value> {
    if call.args.not_none(vm, out).is_none() {
        return finish(vm, call.flavour, expression, operands);
    }
    let result = pending::with_relief(vm, |_| expression.evaluate())?;
    call.give_into(vm, result, out)
}

fn select(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let given = |index| !matches!(args.peek(vm, index), Value::Unset);
    match (given(1), given(2)) {
        (false, false) => {
            let array = call.array(vm, 0)?;
            let positions = call.run(vm, || crate::arrays::functions::indexing::nonzero(&array))?;
            Ok(call.give_tuple(positions))
        }
        (true, true) => {
            let operands = [args.get(vm, 0), args.get(vm, 1), args.get(vm, 2)];
            let condition = expression(vm, call, 0)?;
            let condition = if condition.dtype().is_bool() {
                condition
            } else {
                apply(call, Op::NotEqual, &[condition, Expr::scalar(Operand::Weak(Scalar::Int(0)))])?
            };
            let (x, y) = (choice(vm, call, 1, 2)?, choice(vm, call, 2, 1)?);
            let chosen = apply(call, Op::Where, &[condition, x, y])?;
            give(vm, call, chosen, 4, &operands)
        }
        _ => Err(raise::value_error("either both or neither of x and y should be given")),
    }
}

/// One choice of `where`. NumPy wraps a Python int that the other choice's dtype does not hold.
fn choice(vm: &mut Vm, call: Call, index: usize, other: usize) -> Fallible<Expr> {
    if let (Value::Int(number), Value::Array(array)) = (call.args.get(vm, index), call.args.get(vm, other))
        && call.is_numpy()
        && array.dtype().is_integer()
    {
        let wrapped = Scalar::Int(i128::from(number)).cast(array.dtype());
        return Ok(Expr::scalar(Operand::Typed(wrapped, array.dtype())));
    }
    expression(vm, call, index)
}

/// Whether a Python int lies so far outside an integer dtype that it limits nothing.
fn is_no_limit(value: &Value, dtype: DType, op: Op) -> bool {
    match (value, crate::arrays::scalar::integer_range(dtype)) {
        (Value::Int(number), Some((low, _))) if op == Op::Maximum => i128::from(*number) < low,
        (Value::Int(number), Some((_, high))) => i128::from(*number) > high,
        _ => false,
    }
}

/// Where a limit stands: NumPy also calls `min` and `max` by their older names.
fn limit(vm: &Vm, args: Args, index: usize, older: usize) -> Fallible<usize> {
    match (args.not_none(vm, index), args.not_none(vm, older)) {
        (Some(_), Some(_)) => Err(raise::value_error(
            "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.",
        )),
        (None, Some(_)) => Ok(older),
        _ => Ok(index),
    }
}

/// Refuses the keywords of universal functions that `clip` does not take here, rather than to leave them out.
fn no_more_keywords(vm: &Vm, args: Args, index: usize) -> Fallible<()> {
    match keywords_of(args.peek(vm, index)).first() {
        None => Ok(()),
        Some((name, _)) if matches!(name.text(), "where" | "dtype" | "casting" | "subok" | "signature") => {
            Err(raise::not_implemented_error(format!(
                "clip({name}=...) is not supported; numpy.where and astype do it in a step of its own"
            )))
        }
        Some((name, _)) => Err(raise::type_error(format!("clip() got an unexpected keyword argument '{name}'"))),
    }
}

fn clip(vm: &mut Vm, call: Call, limit_at: [usize; 2], out: usize) -> Fallible<Value> {
    let operands = [call.args.get(vm, 0)];
    let mut result = expression(vm, call, 0)?;
    let mut limits: Vec<(Op, Expr)> = Vec::with_capacity(2);
    for (index, op) in limit_at.into_iter().zip([Op::Maximum, Op::Minimum]) {
        if let Some(value) = call.args.not_none(vm, index)
            && !is_no_limit(&value, result.dtype(), op)
        {
            limits.push((op, expression(vm, call, index)?));
        }
    }
    if let [(_, low), (_, high)] = limits.as_slice() {
        // Both limits together decide the dtype, so that the first does not widen it alone.
        let joint = apply(call, Op::Clip, &[result.clone(), low.clone(), high.clone()])?;
        result = result.cast(joint.dtype());
    }
    let limited = !limits.is_empty();
    for (op, limit) in limits {
        result = apply(call, op, &[result, limit])?;
    }
    if !limited {
        result = apply(call, Op::Positive, &[result])?;
    }
    check_out(vm, call, "clip", result.dtype(), out)?;
    give(vm, call, result, out, &operands)
}

/// `out=` of a function that stands for a universal one: NumPy casts by the same kind, dpnp takes the dtype itself.
pub(super) fn check_out(vm: &Vm, call: Call, name: &str, dtype: DType, out: usize) -> Fallible<()> {
    let Value::Array(target) = call.args.peek(vm, out) else { return Ok(()) };
    let (from, to) = (dtype.name(), target.dtype().name());
    match call.is_numpy() {
        true if !dtype.can_cast(target.dtype(), Casting::SameKind) => Err(raise::type_error(format!(
            "Cannot cast ufunc '{name}' output from dtype('{from}') to dtype('{to}') with casting rule 'same_kind'"
        ))),
        false if dtype != target.dtype() => {
            Err(raise::value_error(format!("Output array of type {from} is needed, got {to}")))
        }
        _ => Ok(()),
    }
}

fn round(vm: &mut Vm, call: Call, out: usize) -> Fallible<Value> {
    let operands = [call.args.get(vm, 0)];
    let decimals = call.int_or(vm, 1, 0)?;
    let input = expression(vm, call, 0)?;
    let dtype = input.dtype();
    let rounded = if dtype.is_integer() && decimals >= 0 {
        apply(call, Op::Positive, &[input])?
    } else if decimals == 0 {
        apply(call, Op::Rint, &[input])?
    } else {
        // As NumPy: scale, round, scale back; negative decimals divide first.
        let factor = number(10f64.powi(decimals.unsigned_abs().min(400) as i32));
        let (first, second) = if decimals > 0 { (Op::Multiply, Op::Divide) } else { (Op::Divide, Op::Multiply) };
        let scaled = apply(call, first, &[input, factor.clone()])?;
        let rounded = apply(call, Op::Rint, &[scaled])?;
        let result = apply(call, second, &[rounded, factor])?;
        if dtype.is_integer() { result.cast(dtype) } else { result }
    };
    check_out(vm, call, "rint", rounded.dtype(), out)?;
    give(vm, call, rounded, out, &operands)
}

fn is_signed_inf(vm: &mut Vm, args: Args, negative: bool) -> Fallible<Value> {
    let call = Call::of(args);
    let operands = [args.get(vm, 0)];
    let input = expression(vm, call, 0)?;
    let limit = if negative { f64::NEG_INFINITY } else { f64::INFINITY };
    let result = apply(call, Op::Equal, &[input, number(limit)])?;
    give(vm, call, result, 1, &operands)
}

fn is_close(vm: &mut Vm, call: Call, test: Closeness) -> Fallible<Expr> {
    let (a, b) = (expression(vm, call, 0)?, expression(vm, call, 1)?);
    let (rtol, atol) = (call.float_or(vm, 2, 1e-5)?, call.float_or(vm, 3, 1e-8)?);
    let equal_nan = call.truth_or(vm, 4, false)?;
    test(&a, &b, rtol, atol, equal_nan, call.rules()).map_err(raised)
}

/// Whether two arrays are equal; without `equal`, because their shapes do not fit, they are not.
fn give_equality(vm: &mut Vm, call: Call, equal: Option<Expr>, beside: &Array) -> Fallible<Value> {
    let result = match equal {
        Some(equal) => pending::with_relief(vm, |_| equal.evaluate())?,
        None => call.run(vm, || Array::from_scalar(Scalar::Bool(false), DType::Bool, &beside.alloc()))?,
    };
    give_truth(call, result)
}

/// The answer of a test of whole arrays: a Python bool from NumPy's functions, an array from dpnp's.
fn give_truth(call: Call, result: Array) -> Fallible<Value> {
    if call.is_numpy() {
        return Ok(Value::Bool(result.read_scalar(&[]).map_err(raised)?.truth()));
    }
    Ok(call.give(result))
}

fn array_equal(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    if call.is_numpy() && [0, 1].iter().any(|side| matches!(args.peek(vm, *side), Value::None)) {
        return Ok(Value::Bool(false));
    }
    let a = call.array(vm, 0)?;
    let b = call.array_like(vm, 1, &a)?;
    let equal_nan = call.truth_or(vm, 2, false)?;
    let equal = statistics::array_equal(&Expr::array(&a), &Expr::array(&b), equal_nan, call.rules()).map_err(raised)?;
    give_equality(vm, call, equal, &a)
}

fn array_equiv(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let a = call.array(vm, 0)?;
    let b = call.array_like(vm, 1, &a)?;
    let equal = statistics::array_equiv(&Expr::array(&a), &Expr::array(&b), call.rules()).map_err(raised)?;
    give_equality(vm, call, equal, &a)
}

fn nan_to_num(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let input = match args.get(vm, 0) {
        Value::Array(array) if array.flavour == call.flavour => expression_of(&array),
        other if call.is_numpy() => Expr::array(&nested::host_array(vm, &other)?),
        other => Expr::array(&call.to_array(vm, &other)?),
    };
    let operands = [args.get(vm, 0)];
    let dtype = input.dtype();
    if !dtype.is_inexact() {
        let whole = pending::with_relief(vm, |_| input.evaluate())?;
        return call.array_from(vm, || convert::copy(&whole, support::MemoryOrder::K));
    }
    let largest = match dtype.real_part() {
        DType::Float16 => 65504.0,
        DType::Float32 => f64::from(f32::MAX),
        _ => f64::MAX,
    };
    let nan = replacement(vm, call, 2, 0.0)?;
    let (high, low) = (replacement(vm, call, 3, largest)?, replacement(vm, call, 4, -largest)?);
    if !dtype.is_complex() {
        let result = with_numbers(call, input, [nan, high, low])?;
        return finish(vm, call.flavour, result.cast(dtype), &operands);
    }
    // Real and imaginary parts each for itself.
    let source = pending::with_relief(vm, |_| input.evaluate())?;
    let result = call.run(vm, || convert::copy(&source, support::MemoryOrder::K))?;
    for part in [convert::real_view, convert::imag_view] {
        let (from, into) = (part(&source).map_err(raised)?, part(&result).map_err(raised)?);
        let replaced = with_numbers(call, Expr::array(&from), [nan.clone(), high.clone(), low.clone()])?;
        let replaced = pending::with_relief(vm, |_| replaced.cast(dtype.real_part()).evaluate())?;
        call.run(vm, || support::copy_into(&into, &replaced))?;
    }
    Ok(call.give(result))
}

/// An expression with its NaNs, positive and negative infinities replaced, in this order.
fn with_numbers(call: Call, input: Expr, [nan, high, low]: [Expr; 3]) -> Fallible<Expr> {
    let tests = [
        (apply(call, Op::Isnan, std::slice::from_ref(&input))?, nan),
        (apply(call, Op::Equal, &[input.clone(), number(f64::INFINITY)])?, high),
        (apply(call, Op::Equal, &[input.clone(), number(f64::NEG_INFINITY)])?, low),
    ];
    let mut result = input;
    for (test, replacement) in tests {
        result = apply(call, Op::Where, &[test, replacement, result])?;
    }
    Ok(result)
}

/// What stands in for a value that is no number: a number or an array of them.
fn replacement(vm: &mut Vm, call: Call, index: usize, default: f64) -> Fallible<Expr> {
    match call.args.not_none(vm, index) {
        Some(value @ (Value::Array(_) | Value::List(_) | Value::Tuple(_))) => {
            operand_expression(vm, &value, call.flavour)
        }
        Some(value) => Ok(number(vm.float(&value)?)),
        None => Ok(number(default)),
    }
}
