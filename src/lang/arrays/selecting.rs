//! Functions that pick, place, search and sort elements.

use crate::arrays::array::Array;
use crate::arrays::dtype::{Casting, DType};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::indexing::{self, BoundsMode};
use crate::arrays::functions::sorting;
use crate::arrays::functions::support;
use crate::arrays::scalar::Scalar;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, operators, pending};
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "take",
        "(a, indices, axis=None, out=None, mode='wrap')",
        "Elements at positions along an axis.",
        |vm, args| take(vm, Call::of(args)),
    ),
    method("put", "(a, /, indices, vals, axis=None, mode='wrap')", "Writes values at flat positions.", |vm, args| {
        put(vm, Call::of(args))
    }),
    method(
        "take_along_axis",
        "(a, indices, axis=-1, mode='wrap')",
        "Elements at positions, one set a slice.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (indices, axis) = (call.array_like(vm, 1, &array)?, axis_default(vm, call, 2, -1)?);
            let mode = bounds(vm, call, 3)?;
            call.array_from(vm, || indexing::take_along_axis(&array, &indices, axis, mode))
        },
    ),
    method(
        "put_along_axis",
        "(a, ind, values, axis, mode='wrap')",
        "Writes values at positions, one set a slice.",
        |vm, args| {
            let call = Call::of(args);
            let array = writable(vm, call)?;
            let (indices, values) = (call.array_like(vm, 1, &array)?, call.array_like(vm, 2, &array)?);
            let (axis, mode) = (call.axis(vm, 3)?, bounds(vm, call, 4)?);
            call.run(vm, || indexing::put_along_axis(&array, &indices, &values, axis, mode))?;
            Ok(Value::None)
        },
    ),
    method("choose", "(x, choices, out=None, mode='wrap')", "Elements from choices by position.", |vm, args| {
        choose(vm, Call::of(args))
    }),
    method(
        "select",
        "(condlist, choicelist, default=0)",
        "Elements of the first choice whose condition holds.",
        |vm, args| {
            let call = Call::of(args);
            let (conditions, choices) = (call.arrays(vm, 0)?, call.arrays(vm, 1)?);
            let default = match args.optional(vm, 2) {
                Some(value) => match crate::lang::arrays::convert::scalar_of(&value)? {
                    Some(operand) => operand.scalar(),
                    None => return Err(raise::type_error("A default value must be any of scalar type")),
                },
                None => crate::arrays::scalar::Scalar::Int(0),
            };
            call.array_from(vm, || {
                indexing::select(&conditions.iter().collect::<Vec<_>>(), &choices.iter().collect::<Vec<_>>(), default)
            })
        },
    ),
    method("compress", "(condition, a, axis=None, out=None)", "Slices where the condition holds.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 1)?;
        let (condition, axis) = (call.array_like(vm, 0, &array)?, call.axis(vm, 2)?);
        let result = call.run(vm, || indexing::compress(&condition, &array, axis))?;
        call.give_into(vm, result, 3)
    }),
    method("extract", "(condition, a)", "Elements where the condition holds.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 1)?;
        let condition = call.array_like(vm, 0, &array)?;
        call.array_from(vm, || indexing::extract(&condition, &array))
    }),
    method("place", "(a, mask, vals)", "Writes values where the mask is true, repeated as needed.", |vm, args| {
        let call = Call::of(args);
        let array = writable(vm, call)?;
        let (mask, values) = (call.array_like(vm, 1, &array)?, call.array_like(vm, 2, &array)?);
        if matches!(args.peek(vm, 2), Value::Array(_)) {
            check_safe(call, values.dtype(), array.dtype())?;
        }
        call.run(vm, || indexing::place(&array, &mask, &values))?;
        Ok(Value::None)
    }),
    method("putmask", "(a, /, mask, values)", "Writes the values that stand where the mask is true.", |vm, args| {
        let call = Call::of(args);
        let array = writable(vm, call)?;
        let (mask, values) = (call.array_like(vm, 1, &array)?, call.array_like(vm, 2, &array)?);
        if call.is_numpy() && matches!(args.peek(vm, 2), Value::Array(_)) {
            check_safe(call, values.dtype(), array.dtype())?;
        }
        call.run(vm, || indexing::putmask(&array, &mask, &values))?;
        Ok(Value::None)
    }),
    method(
        "copyto",
        "(dst, src, casting='same_kind', where=True)",
        "Copies elements from one array to another.",
        copyto,
    ),
    method("fill_diagonal", "(a, val, wrap=False)", "Writes the main diagonal.", |vm, args| {
        let call = Call::of(args);
        let array = writable(vm, call)?;
        check_fits(vm, args, &array)?;
        let (values, wrap) = (call.array_like(vm, 1, &array)?, call.truth_or(vm, 2, false)?);
        call.run(vm, || indexing::fill_diagonal(&array, &values, wrap, call.rules()))?;
        Ok(Value::None)
    }),
    method("nonzero", "(a)", "Positions of elements that are not zero, one array an axis.", |vm, args| {
        nonzero(vm, Call::of(args))
    }),
    method("argwhere", "(a)", "Positions of elements that are not zero, one row each.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        call.array_from(vm, || indexing::argwhere(&array))
    }),
    method("flatnonzero", "(a)", "Flat positions of elements that are not zero.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        call.array_from(vm, || indexing::flatnonzero(&array))
    }),
    method(
        "searchsorted",
        "(a, v, side='left', sorter=None)",
        "Where values would be inserted in a sorted array.",
        |vm, args| searchsorted(vm, Call::of(args)),
    ),
    method("digitize", "(x, bins, right=False)", "The bin each value falls into.", |vm, args| {
        let call = Call::of(args);
        let values = call.array(vm, 0)?;
        let (bins, right) = (call.array_like(vm, 1, &values)?, call.truth_or(vm, 2, false)?);
        call.array_from(vm, || indexing::digitize(&values, &bins, right))
    }),
    method("unravel_index", "(indices, /, shape, order='C')", "Positions from flat positions.", |vm, args| {
        let call = Call::of(args);
        let (positions, shape, order) = (call.array(vm, 0)?, call.shape(vm, 1)?, call.order(vm, 2)?);
        let mut parts = call.run(vm, || indexing::unravel_index(&positions, &shape, order))?;
        if !call.is_numpy() {
            // dpnp's positions keep the dtype of the flat ones.
            let kept = |part: &Array| support::cast(part, positions.dtype());
            parts = call.run(vm, || parts.iter().map(kept).collect())?;
        }
        let parts = parts.into_iter().map(|part| call.give_result(part)).collect::<Fallible<Vec<_>>>()?;
        Ok(Value::tuple(parts))
    }),
    method(
        "ravel_multi_index",
        "(multi_index, dims, mode='raise', order='C')",
        "Flat positions from positions along each axis.",
        ravel_multi_index,
    ),
    method(
        "sort",
        "(a, axis=-1, kind=None, order=None, *, descending=False, stable=None)",
        "A sorted copy.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (axis, descending) = (axis_default(vm, call, 1, -1)?, call.truth_or(vm, 4, false)?);
            call.array_from(vm, || sorting::sort(&array, axis, descending))
        },
    ),
    method(
        "argsort",
        "(a, axis=-1, kind=None, order=None, *, descending=False, stable=None)",
        "Positions that would sort the array.",
        |vm, args| argsort(vm, Call::of(args)),
    ),
    method("lexsort", "(keys, axis=-1)", "Positions that sort by several keys, the last first.", |vm, args| {
        let call = Call::of(args);
        let (keys, axis) = (call.arrays(vm, 0)?, call.axis_or(vm, 1, -1)?);
        call.array_from(vm, || sorting::lexsort(&keys.iter().collect::<Vec<_>>(), axis))
    }),
    method(
        "partition",
        "(a, kth, axis=-1, kind='introselect', order=None)",
        "A copy with the k-th element in place.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (kths, axis) = (call.ints(vm, 1)?, axis_default(vm, call, 2, -1)?);
            call.array_from(vm, || sorting::partition(&array, &kths, axis))
        },
    ),
    method(
        "argpartition",
        "(a, kth, axis=-1, kind='introselect', order=None)",
        "Positions that would put the k-th element in place.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let (kths, axis) = (call.ints(vm, 1)?, axis_default(vm, call, 2, -1)?);
            call.array_from(vm, || sorting::argpartition(&array, &kths, axis))
        },
    ),
];

/// The methods of this family.
pub const METHODS: &[Method] = &[
    method(
        "take",
        "(self, indices, axis=None, out=None, mode='wrap')",
        "Elements at positions along an axis.",
        |vm, args| {
            let call = Call::of_method(vm, args)?;
            take(vm, call)
        },
    ),
    method("put", "(self, indices, vals, axis=None, mode='wrap')", "Writes values at flat positions.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        put(vm, call)
    }),
    method("choose", "(self, choices, out=None, mode='wrap')", "Elements from choices by position.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        choose(vm, call)
    }),
    method("compress", "(self, condition, axis=None, out=None)", "Slices where the condition holds.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = call.array(vm, 0)?;
        let (condition, axis) = (call.array_like(vm, 1, &array)?, call.axis(vm, 2)?);
        let result = call.run(vm, || indexing::compress(&condition, &array, axis))?;
        call.give_into(vm, result, 3)
    }),
    method("nonzero", "(self)", "Positions of elements that are not zero, one array an axis.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        nonzero(vm, call)
    }),
    method("searchsorted", "(self, v, side='left', sorter=None)", "Where values would be inserted.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        searchsorted(vm, call)
    }),
    method(
        "sort",
        "(self, axis=-1, kind=None, order=None, *, descending=False, stable=None)",
        "Sorts in place.",
        |vm, args| {
            let call = Call::of_method(vm, args)?;
            let array = writable(vm, call)?;
            let (axis, descending) = (call.axis_or(vm, 1, -1)?, call.truth_or(vm, 4, false)?);
            call.run(vm, || sorting::sort_in_place(&array, axis, descending))?;
            Ok(Value::None)
        },
    ),
    method(
        "argsort",
        "(self, axis=-1, kind=None, order=None, *, descending=False, stable=None)",
        "Positions that would sort the array.",
        |vm, args| {
            let call = Call::of_method(vm, args)?;
            argsort(vm, call)
        },
    ),
    method(
        "argpartition",
        "(self, kth, axis=-1, kind='introselect', order=None)",
        "Positions that would put the k-th element in place.",
        |vm, args| {
            let call = Call::of_method(vm, args)?;
            let array = call.array(vm, 0)?;
            let (kths, axis) = (call.ints(vm, 1)?, axis_default(vm, call, 2, -1)?);
            call.array_from(vm, || sorting::argpartition(&array, &kths, axis))
        },
    ),
    method("partition", "(self, kth, axis=-1, kind='introselect', order=None)", "Partitions in place.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = writable(vm, call)?;
        let (kths, axis) = (call.ints(vm, 1)?, axis_default(vm, call, 2, -1)?);
        let sorted = call.run(vm, || sorting::partition(&array, &kths, axis))?;
        call.run(vm, || support::copy_into(&array, &sorted))?;
        Ok(Value::None)
    }),
];

/// The first argument as an array that may be written, with everything pending computed before.
fn writable(vm: &mut Vm, call: Call) -> Fallible<Array> {
    let object = call.array_object(vm, 0)?;
    operators::check_writable(&object)?;
    pending::settle(vm)?;
    pending::compute(vm, &object)
}

fn bounds(vm: &mut Vm, call: Call, index: usize) -> Fallible<BoundsMode> {
    let default = if call.is_numpy() { "raise" } else { "wrap" };
    match call.text_or(vm, index, default)?.as_str() {
        "raise" => Ok(BoundsMode::Raise),
        "wrap" if call.is_numpy() => Ok(BoundsMode::Wrap),
        "wrap" => Ok(BoundsMode::Negative),
        "clip" => Ok(BoundsMode::Clip),
        other => Err(raise::value_error(format!("clipmode must be one of 'clip', 'raise', or 'wrap' (got '{other}')"))),
    }
}

/// An axis with a default where an explicit `None` means the flattened array.
fn axis_default(vm: &mut Vm, call: Call, index: usize, default: i64) -> Fallible<Option<i64>> {
    match call.args.get(vm, index) {
        Value::Unset => Ok(Some(default)),
        Value::None => Ok(None),
        other => vm.index(&other).map(Some),
    }
}

fn take(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let indices = call.positions_like(vm, 1, &array)?;
    let (axis, mode) = (call.axis(vm, 2)?, bounds(vm, call, 4)?);
    if indices.place() != array.place() {
        return Err(raised(ArrayError::Placement {
            message: "Input arrays must be allocated on the same SYCL queue".into(),
        }));
    }
    let result = call.run(vm, || indexing::take(&array, &indices, axis, mode))?;
    if let Value::Array(out) = call.args.peek(vm, 3)
        && out.shape() == result.shape()
    {
        let (needed, given) = (array.dtype(), out.dtype());
        if call.is_numpy() {
            check_safe(call, given, needed)?;
        } else if given != needed {
            return Err(raise::type_error(format!("Output array of type {needed} is needed, got {given}")));
        }
    }
    call.give_into(vm, result, 3)
}

fn put(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = writable(vm, call)?;
    let (indices, values) = (call.positions_like(vm, 1, &array)?, call.array_like(vm, 2, &array)?);
    let (axis, mode) = (call.axis(vm, 3)?, bounds(vm, call, 4)?);
    crate::arrays::functions::support::common_alloc(&[&array, &indices, &values]).map_err(raised)?;
    call.run(vm, || indexing::put(&array, &indices, &values, axis, mode))?;
    Ok(Value::None)
}

fn choose(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let (mut selector, choices) = (call.array(vm, 0)?, call.arrays(vm, 1)?);
    if selector.dtype().is_bool() {
        selector = call.run(vm, || support::cast(&selector, DType::Int64))?;
    }
    let mode = bounds(vm, call, 3)?;
    let result = call.run(vm, || indexing::choose(&selector, &choices.iter().collect::<Vec<_>>(), mode))?;
    call.give_into(vm, result, 2)
}

fn ravel_multi_index(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let rows = match args.get(vm, 0) {
        rows @ Value::Array(_) => vm.collect(&rows)?,
        rows => vm.collect(&rows)?,
    };
    let mut positions = Vec::with_capacity(rows.len());
    for row in &rows {
        let position = match row {
            Value::Scalar(_) if call.is_numpy() => nested::host_array(vm, row)?,
            row => call.to_array(vm, row)?,
        };
        // False and true are the first two places.
        positions.push(match position.dtype().is_bool() {
            true => call.run(vm, || support::cast(&position, DType::Int64))?,
            false => position,
        });
    }
    let shape = call.shape(vm, 1)?;
    let one = |text: Option<&str>| match text {
        Some("raise") => Ok(BoundsMode::Raise),
        Some("wrap") => Ok(BoundsMode::Wrap),
        Some("clip") => Ok(BoundsMode::Clip),
        other => Err(raise::value_error(format!("Unrecognized mode: {}", other.unwrap_or("not a str")))),
    };
    let modes = match args.get(vm, 2) {
        Value::Unset => vec![BoundsMode::Raise],
        Value::Tuple(modes) => modes.items().iter().map(|mode| one(mode.as_str())).collect::<Fallible<Vec<_>>>()?,
        mode => vec![one(mode.as_str())?],
    };
    let order = call.order(vm, 3)?;
    let refs: Vec<&Array> = positions.iter().collect();
    let flat = call.run(vm, || indexing::ravel_multi_index(&refs, &shape, &modes, order))?;
    call.give_result(flat)
}

/// A whole number, the second argument, has to be one that the first can hold.
fn check_fits(vm: &Vm, args: Args, target: &Array) -> Fallible<()> {
    match args.peek(vm, 1) {
        Value::Int(number) if target.dtype().is_integer() => {
            Scalar::Int(i128::from(*number)).check_fits(target.dtype()).map_err(raised)
        }
        _ => Ok(()),
    }
}

/// An error where a cast could lose something.
fn check_safe(call: Call, from: DType, to: DType) -> Fallible<()> {
    match from.can_cast(to, Casting::Safe) {
        true => Ok(()),
        false => Err(raise::type_error(match call.is_numpy() {
            true => {
                format!("Cannot cast array data from dtype('{from}') to dtype('{to}') according to the rule 'safe'")
            }
            false => format!("Can not cast from {from} to {to} according to rule safe."),
        })),
    }
}

fn copyto(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let target = writable(vm, call)?;
    check_fits(vm, args, &target)?;
    let source = call.array_like(vm, 1, &target)?;
    if source.place() != target.place() {
        return Err(raised(ArrayError::Placement {
            message: "Execution queue is not compatible with allocation queues".into(),
        }));
    }
    let casting = crate::arrays::dtype::Casting::parse(&call.text_or(vm, 2, "same_kind")?).map_err(raised)?;
    if !source.dtype().can_cast(target.dtype(), casting) {
        return Err(raise::type_error(format!(
            "Cannot cast from {} to {} according to the rule 'same_kind'",
            source.dtype().name(),
            target.dtype().name()
        )));
    }
    match args.get(vm, 3) {
        Value::Unset | Value::Bool(true) => call.run(vm, || support::copy_into(&target, &source))?,
        _ => {
            let mask = call.array_like(vm, 3, &target)?;
            call.run(vm, || indexing::copyto_where(&target, &source, &mask))?;
        }
    }
    Ok(Value::None)
}

fn nonzero(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    if array.rank() == 0 {
        return Err(raise::value_error(if call.is_numpy() {
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context of this \
             error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`."
        } else {
            "Array of positive rank is expected"
        }));
    }
    let positions = call.run(vm, || indexing::nonzero(&array))?;
    Ok(call.give_tuple(positions))
}

fn searchsorted(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let sorted = call.array(vm, 0)?;
    let values = call.array_like(vm, 1, &sorted)?;
    let right = match call.text_or(vm, 2, "left")?.as_str() {
        "left" => false,
        "right" => true,
        other => {
            return Err(raise::value_error(format!(
                "Unrecognized value of 'side' keyword argument. Expected either 'left' or 'right', got '{other}'"
            )));
        }
    };
    let sorter = call.optional_array(vm, 3)?;
    let result = call.run(vm, || indexing::searchsorted(&sorted, &values, right, sorter.as_ref()))?;
    call.give_result(result)
}

fn argsort(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let (axis, descending) = (axis_default(vm, call, 1, -1)?, call.truth_or(vm, 4, false)?);
    call.array_from(vm, || sorting::argsort(&array, axis, descending))
}
