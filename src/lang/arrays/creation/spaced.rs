//! Numbers between ends: `arange`, `linspace`, `logspace`, `geomspace`.

use super::{alloc_beside, check_dtype, refuse_like};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::functions::joining::{self, JoinOptions};
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{creation, support};
use crate::arrays::op::Op;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::scalar_of;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::nested;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method(
        "arange",
        "(start, /, stop=None, step=1, dtype=None, *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "Evenly spaced values of a half-open interval.",
        arange,
    ),
    method(
        "linspace",
        "(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None, usm_type=None, \
         sycl_queue=None)",
        "Evenly spaced numbers over an interval.",
        linspace,
    ),
    method(
        "logspace",
        "(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, *, device=None, usm_type=None, sycl_queue=None)",
        "Numbers evenly spaced on a logarithmic scale.",
        logspace,
    ),
    method(
        "geomspace",
        "(start, stop, num=50, endpoint=True, dtype=None, axis=0, *, device=None, usm_type=None, sycl_queue=None)",
        "Numbers in geometric progression.",
        geomspace,
    ),
];

/// A number as an operand, or the library's complaint.
fn number(vm: &mut Vm, call: Call, index: usize, what: &str) -> Fallible<Operand> {
    let value = call.args.get(vm, index);
    if let Some(operand) = scalar_of(&value)? {
        return Ok(operand);
    }
    if let Value::Array(array) = &value
        && call.is_numpy()
        && array.shape().is_empty()
    {
        let array = call.to_array(vm, &value)?;
        return Ok(Operand::Typed(array.read_scalar(&[]).map_err(raised)?, array.dtype()));
    }
    Err(raise::value_error(what))
}

fn arange(vm: &mut Vm, args: Args) -> Fallible<Value> {
    const NUMBERS: &str = "start, stop, and step must be Python scalars";
    let call = Call::of(args);
    refuse_like(vm, call, 4)?;
    let first = number(vm, call, 0, NUMBERS)?;
    let (start, stop) = match args.not_none(vm, 1) {
        Some(_) => (first, number(vm, call, 1, NUMBERS)?),
        None => (Operand::Weak(Scalar::Int(0)), first),
    };
    let step = match args.not_none(vm, 2) {
        Some(_) => number(vm, call, 2, NUMBERS)?,
        None => Operand::Weak(Scalar::Int(1)),
    };
    let dtype = call.dtype(vm, 3)?;
    let alloc = call.alloc(vm, 5, 6, 7)?;
    if let Some(dtype) = dtype {
        check_dtype(dtype, &alloc)?;
    }
    call.array_from(vm, || creation::arange(start, stop, step, dtype, &alloc, call.rules()))
}

fn linspace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let num = call.int_or(vm, 2, 50)?;
    let dtype = call.dtype(vm, 5)?;
    let (endpoint, want_step) = (call.truth_or(vm, 3, true)?, call.truth_or(vm, 4, false)?);
    let (start, stop) = (args.get(vm, 0), args.get(vm, 1));
    if let (Some(start), Some(stop)) = (scalar_of(&start)?, scalar_of(&stop)?) {
        let alloc = call.alloc(vm, 7, 8, 9)?;
        let (array, step) =
            call.run(vm, || creation::linspace(start, stop, num, endpoint, dtype, &alloc, call.rules()))?;
        let array = call.give(array);
        if !want_step {
            return Ok(array);
        }
        let kind = if let Scalar::Complex(_) = step { DType::Complex128 } else { DType::Float64 };
        let kind = kind.narrowed(alloc.place.fp64());
        let step = call.run(vm, || Array::from_scalar(step, kind, &alloc))?;
        return Ok(Value::tuple(vec![array, call.give_result(step)?]));
    }
    let (start, stop) = match (&start, &stop) {
        (Value::Array(_), _) => {
            let start = call.to_array(vm, &start)?;
            let stop = call.to_array_like(vm, &stop, &start)?;
            (start, stop)
        }
        _ => {
            let stop = call.to_array(vm, &stop)?;
            let start = call.to_array_like(vm, &start, &stop)?;
            (start, stop)
        }
    };
    let axis = call.axis_or(vm, 6, 0)?;
    let samples =
        call.array_from(vm, || creation::linspace_arrays(&start, &stop, num, endpoint, dtype, axis, call.rules()))?;
    if !want_step {
        return Ok(samples);
    }
    let gaps = Expr::scalar(Operand::Weak(Scalar::Float((num - i64::from(endpoint)) as f64)));
    let span = Expr::apply(Op::Subtract, &[Expr::array(&stop), Expr::array(&start)], call.rules()).map_err(raised)?;
    let step = Expr::apply(Op::Divide, &[span, gaps], call.rules()).map_err(raised)?;
    let step = call.run(vm, || step.evaluate())?;
    Ok(Value::tuple(vec![samples, call.give_result(step)?]))
}

fn logspace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let num = call.int_or(vm, 2, 50)?;
    let (endpoint, dtype) = (call.truth_or(vm, 3, true)?, call.dtype(vm, 5)?);
    let alloc = ends_alloc(vm, call, [7, 8, 9])?;
    let base = args.optional(vm, 4).unwrap_or(Value::Float(10.0));
    let ends = [args.get(vm, 0), args.get(vm, 1), base];
    let axis = call.axis_or(vm, 6, 0)?;
    lines(vm, call, &ends, &alloc, axis, &|ends, alloc| {
        let base = ends[2].scalar().real();
        creation::logspace(ends[0], ends[1], num, endpoint, base, dtype, alloc, call.rules())
    })
}

fn geomspace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let (num, dtype) = (call.int_or(vm, 2, 50)?, call.dtype(vm, 4)?);
    let alloc = ends_alloc(vm, call, [6, 7, 8])?;
    let (endpoint, axis) = (call.truth_or(vm, 3, true)?, call.axis_or(vm, 5, 0)?);
    let ends = [args.get(vm, 0), args.get(vm, 1)];
    lines(vm, call, &ends, &alloc, axis, &|ends, alloc| {
        creation::geomspace(ends[0], ends[1], num, endpoint, dtype, alloc, call.rules())
    })
}

/// Where samples between ends go: where an array among the ends is unless `device=` and its kin (`places`) say otherwise.
fn ends_alloc(vm: &mut Vm, call: Call, places: [usize; 3]) -> Fallible<Alloc> {
    let [device, usm_type, sycl_queue] = places;
    for index in 0..2 {
        if let Value::Array(array) = call.args.get(vm, index)
            && array.flavour == call.flavour
        {
            let array = crate::lang::arrays::pending::compute(vm, &array)?;
            return alloc_beside(vm, call, &array, device, usm_type, sycl_queue);
        }
    }
    call.alloc(vm, device, usm_type, sycl_queue)
}

/// Makes one line of samples between numbers.
type MakeLine<'a> = dyn Fn(&[Operand], &Alloc) -> Result<Array, ArrayError> + 'a;

/// Samples between numbers, or one line of samples for each set of elements of arrays, along `axis` of the result.
fn lines(vm: &mut Vm, call: Call, ends: &[Value], alloc: &Alloc, axis: i64, make: &MakeLine) -> Fallible<Value> {
    let numbers = ends.iter().map(scalar_of).collect::<Fallible<Option<Vec<Operand>>>>()?;
    if let Some(numbers) = numbers {
        return call.array_from(vm, || make(&numbers, alloc));
    }
    let mut sources = Vec::with_capacity(ends.len());
    for end in ends {
        sources.push(match end {
            Value::Array(_) => call.to_array(vm, end)?,
            other => nested::host_array(vm, other)?,
        });
    }
    let shapes: Vec<&[usize]> = sources.iter().map(Array::shape).collect();
    let shape = crate::arrays::functions::shapes::common_shape(&shapes).map_err(raised)?;
    let mut columns = Vec::with_capacity(sources.len());
    for source in &sources {
        let spread = crate::arrays::functions::shapes::broadcast_to(source, &shape).map_err(raised)?;
        columns.push((support::scalars(&spread).map_err(raised)?, source.dtype()));
    }
    let count: usize = shape.iter().product();
    call.array_from(vm, || {
        let mut parts = Vec::with_capacity(count);
        for at in 0..count {
            let set: Vec<Operand> =
                columns.iter().map(|(scalars, dtype)| Operand::Typed(scalars[at], *dtype)).collect();
            parts.push(make(&set, alloc)?);
        }
        let joined = joining::stack(&parts.iter().collect::<Vec<_>>(), 0, JoinOptions::plain(call.rules()))?;
        let mut lengths: Vec<i64> = shape.iter().map(|length| *length as i64).collect();
        lengths.push(-1);
        let shaped = crate::arrays::functions::shapes::reshape(&joined, &lengths, MemoryOrder::C, None, call.rules())?;
        crate::arrays::functions::shapes::moveaxis(&shaped, &[-1], &[axis])
    })
}
