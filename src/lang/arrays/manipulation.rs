//! Functions that rearrange arrays: shapes, axes, order, joining, splitting, repeating.

use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{rearrange, shapes};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::ndarray::shape_value;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "reshape",
        "(a, /, shape, order='C', *, copy=None)",
        "The elements under another shape; a view when possible.",
        |vm, args| {
            let shape = args.get(vm, 1);
            reshape(vm, Call::of(args), &shape, 2, 3)
        },
    ),
    method("ravel", "(a, order='C')", "The elements in one dimension; a view when possible.", |vm, args| {
        ravel(vm, Call::of(args))
    }),
    method("transpose", "(a, axes=None)", "The axes permuted; a view.", |vm, args| {
        let call = Call::of(args);
        let axes = call.axes(vm, 1)?;
        view(vm, call, |array| shapes::transpose(array, axes.as_deref()))
    }),
    method("permute_dims", "(a, axes=None)", "The axes permuted; a view.", |vm, args| {
        let call = Call::of(args);
        let axes = call.axes(vm, 1)?;
        view(vm, call, |array| shapes::transpose(array, axes.as_deref()))
    }),
    method("matrix_transpose", "(x, /)", "The last two axes swapped; a view.", |vm, args| {
        view(vm, Call::of(args), shapes::matrix_transpose)
    }),
    method("swapaxes", "(a, axis1, axis2)", "Two axes exchanged; a view.", |vm, args| swapaxes(vm, Call::of(args))),
    method("moveaxis", "(a, source, destination)", "Axes moved to new positions; a view.", |vm, args| {
        let call = Call::of(args);
        let (source, destination) = (call.ints(vm, 1)?, call.ints(vm, 2)?);
        view(vm, call, |array| shapes::moveaxis(array, &source, &destination))
    }),
    method("rollaxis", "(x, axis, start=0)", "An axis rolled backwards; a view.", |vm, args| {
        let call = Call::of(args);
        let (axis, start) = (call.axis_or(vm, 1, 0)?, call.int_or(vm, 2, 0)?);
        view(vm, call, |array| shapes::rollaxis(array, axis, start))
    }),
    method("squeeze", "(a, /, axis=None)", "Axes of length one removed; a view.", |vm, args| {
        squeeze(vm, Call::of(args))
    }),
    method("expand_dims", "(a, axis)", "New axes of length one; a view.", |vm, args| {
        let call = Call::of(args);
        let axes = call.ints(vm, 1)?;
        view(vm, call, |array| shapes::expand_dims(array, &axes))
    }),
    method(
        "broadcast_to",
        "(array, /, shape, subok=False)",
        "The array repeated to a shape; a read-only view.",
        |vm, args| {
            let call = Call::of(args);
            let shape = call.shape(vm, 1)?;
            let value = view(vm, call, |array| shapes::broadcast_to(array, &shape))?;
            if let Value::Array(view) = &value {
                view.readonly.set(true);
            }
            Ok(value)
        },
    ),
    method("broadcast_arrays", "(*args, subok=False)", "Arrays repeated to their common shape; views.", |vm, args| {
        let call = Call::of(args);
        let inputs = call.arrays(vm, 0)?;
        let views = shapes::broadcast_arrays(&refs(&inputs)).map_err(raised)?;
        Ok(if call.is_numpy() { call.give_tuple(views) } else { call.give_list(views) })
    }),
    method("broadcast_shapes", "(*args)", "The shape that shapes broadcast to.", |vm, args| {
        let given = args.get(vm, 0);
        let mut lengths = Vec::new();
        for shape in vm.collect(&given)? {
            lengths.push(crate::lang::arrays::convert::shape_argument(vm, &shape)?);
        }
        let borrowed: Vec<&[usize]> = lengths.iter().map(Vec::as_slice).collect();
        shapes::common_shape(&borrowed).map(|shape| shape_value(&shape)).map_err(raised)
    }),
    method("atleast_1d", "(*arys)", "Arrays of rank one or more.", |vm, args| at_least(vm, args, shapes::atleast_1d)),
    method("atleast_2d", "(*arys)", "Arrays of rank two or more.", |vm, args| at_least(vm, args, shapes::atleast_2d)),
    method("atleast_3d", "(*arys)", "Arrays of rank three or more.", |vm, args| at_least(vm, args, shapes::atleast_3d)),
    method("diagonal", "(a, offset=0, axis1=0, axis2=1)", "A diagonal; a view.", |vm, args| {
        diagonal(vm, Call::of(args))
    }),
    method("flip", "(m, axis=None)", "The order of elements reversed along axes; a view.", |vm, args| {
        let call = Call::of(args);
        let axes = call.axes(vm, 1)?;
        view(vm, call, |array| rearrange::flip(array, axes.as_deref()))
    }),
    method("flipud", "(m)", "Rows in reverse; a view.", |vm, args| {
        let call = Call::of(args);
        view(vm, call, |array| rearrange::flipud(array, call.rules()))
    }),
    method("fliplr", "(m)", "Columns in reverse; a view.", |vm, args| {
        let call = Call::of(args);
        view(vm, call, |array| rearrange::fliplr(array, call.rules()))
    }),
    method("rot90", "(m, k=1, axes=(0, 1))", "A rotation by quarter turns; a view.", |vm, args| {
        let call = Call::of(args);
        let k = call.int_or(vm, 1, 1)?;
        let axes = call.axes(vm, 2)?.unwrap_or(vec![0, 1]);
        let [first, second] = axes.as_slice() else { return Err(raise::value_error("len(axes) must be 2.")) };
        let axes = (*first, *second);
        view(vm, call, |array| rearrange::rot90(array, k, axes, call.rules()))
    }),
    method(
        "roll",
        "(a, shift, axis=None)",
        "Elements shifted along axes, the last ones coming in first.",
        |vm, args| {
            let call = Call::of(args);
            let (array, shifts, axes) = (call.array(vm, 0)?, call.ints(vm, 1)?, call.axes(vm, 2)?);
            call.array_from(vm, || rearrange::roll(&array, &shifts, axes.as_deref()))
        },
    ),
    method("tile", "(A, reps)", "Copies of the array side by side.", |vm, args| {
        let call = Call::of(args);
        let (array, repetitions) = (call.array(vm, 0)?, call.ints(vm, 1)?);
        call.array_from(vm, || rearrange::tile(&array, &repetitions))
    }),
    method("repeat", "(a, repeats, axis=None)", "Each element several times.", |vm, args| repeat(vm, Call::of(args))),
    method("resize", "(a, new_shape)", "The elements under a shape of any size, repeated as needed.", |vm, args| {
        let call = Call::of(args);
        let (array, shape) = (call.array(vm, 0)?, call.ints(vm, 1)?);
        call.array_from(vm, || rearrange::resize(&array, &shape))
    }),
    method("trim_zeros", "(filt, trim='fb')", "Without leading and trailing zeros.", |vm, args| {
        let call = Call::of(args);
        let (array, trim) = (call.array(vm, 0)?, call.text_or(vm, 1, "fb")?.to_lowercase());
        let (front, back) = (trim.contains('f'), trim.contains('b'));
        call.array_from(vm, || rearrange::trim_zeros(&array, front, back))
    }),
];

/// The methods of this family.
pub const METHODS: &[Method] = &[
    method(
        "reshape",
        "(self, *shape, order='C', copy=None)",
        "The elements under another shape; a view when possible.",
        |vm, args| {
            let Value::Tuple(given) = args.get(vm, 1) else {
                return Err(raise::system_error("variadic arguments arrive as a tuple"));
            };
            let shape = match given.items() {
                [one] => one.clone(),
                _ => Value::Tuple(given),
            };
            let call = Call::of_method(vm, args)?;
            reshape(vm, call, &shape, 2, 3)
        },
    ),
    method("ravel", "(self, order='C')", "The elements in one dimension; a view when possible.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        ravel(vm, call)
    }),
    method("flatten", "(self, order='C')", "A copy of the elements in one dimension.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = call.array(vm, 0)?;
        let order = memory_order(vm, call, 1)?.resolve(array.layout());
        call.array_from(vm, || shapes::flatten(&array, order))
    }),
    method("transpose", "(self, *axes)", "The axes permuted; a view.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let Value::Tuple(given) = args.get(vm, 1) else {
            return Err(raise::system_error("variadic arguments arrive as a tuple"));
        };
        let axes = match given.items() {
            [] => None,
            [Value::None] => None,
            [one] => Some(crate::lang::arrays::convert::ints_argument(vm, one)?),
            _ => Some(crate::lang::arrays::convert::ints_argument(vm, &Value::Tuple(given))?),
        };
        view(vm, call, |array| shapes::transpose(array, axes.as_deref()))
    }),
    method("swapaxes", "(self, axis1, axis2)", "Two axes exchanged; a view.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        swapaxes(vm, call)
    }),
    method("squeeze", "(self, axis=None)", "Axes of length one removed; a view.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        squeeze(vm, call)
    }),
    method("diagonal", "(self, offset=0, axis1=0, axis2=1)", "A diagonal; a view.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        diagonal(vm, call)
    }),
    method("repeat", "(self, repeats, axis=None)", "Each element several times.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        repeat(vm, call)
    }),
];

/// References to arrays, as the array layer takes them.
pub fn refs(arrays: &[Array]) -> Vec<&Array> {
    arrays.iter().collect()
}

/// A view of the first argument, read-only when that is.
fn view(vm: &mut Vm, call: Call, make: impl Fn(&Array) -> Result<Array, ArrayError>) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let value = call.give(make(&array).map_err(raised)?);
    if let (Value::Array(view), Value::Array(source)) = (&value, call.args.peek(vm, 0)) {
        view.readonly.set(source.readonly.get());
    }
    Ok(value)
}

fn memory_order(vm: &mut Vm, call: Call, index: usize) -> Fallible<MemoryOrder> {
    MemoryOrder::parse(&call.text_or(vm, index, "C")?).map_err(raised)
}

fn reshape(vm: &mut Vm, call: Call, shape: &Value, order: usize, copy: usize) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let shape = crate::lang::arrays::convert::ints_argument(vm, shape)?;
    let order = memory_order(vm, call, order)?;
    let copy = match call.args.not_none(vm, copy) {
        Some(value) => Some(vm.truth(&value)?),
        None => None,
    };
    call.array_from(vm, || shapes::reshape(&array, &shape, order, copy, call.rules()))
}

fn ravel(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let order = memory_order(vm, call, 1)?;
    call.array_from(vm, || shapes::ravel(&array, order))
}

fn swapaxes(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let (first, second) = (call.axis_or(vm, 1, 0)?, call.axis_or(vm, 2, 0)?);
    view(vm, call, |array| shapes::swapaxes(array, first, second))
}

fn squeeze(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let axes = call.axes(vm, 1)?;
    view(vm, call, |array| shapes::squeeze(array, axes.as_deref(), call.rules()))
}

fn diagonal(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let (offset, axis1, axis2) = (call.int_or(vm, 1, 0)?, call.axis_or(vm, 2, 0)?, call.axis_or(vm, 3, 1)?);
    view(vm, call, |array| shapes::diagonal(array, offset, axis1, axis2))
}

fn repeat(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let (array, repeats, axis) = (call.array(vm, 0)?, call.ints(vm, 1)?, call.axis(vm, 2)?);
    call.array_from(vm, || rearrange::repeat(&array, &repeats, axis, call.rules()))
}

fn at_least(vm: &mut Vm, args: Args, make: fn(&Array) -> Result<Array, ArrayError>) -> Fallible<Value> {
    let call = Call::of(args);
    let given = args.get(vm, 0);
    let inputs = call.arrays(vm, 0)?;
    let mut results = Vec::with_capacity(inputs.len());
    for (input, value) in inputs.iter().zip(vm.collect(&given)?) {
        let made = make(input).map_err(raised)?;
        // What has axes enough already is given back itself.
        let unchanged = made.rank() == input.rank() && matches!(value, Value::Array(_));
        results.push(if unchanged { value } else { call.give(made) });
    }
    if results.len() == 1 {
        return Ok(results.remove(0));
    }
    Ok(if call.is_numpy() { Value::tuple(results) } else { Value::list(results) })
}
