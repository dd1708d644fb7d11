//! Functions that put arrays together, take them apart, and treat them as sets.

use crate::arrays::array::Array;
use crate::arrays::dtype::Casting;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::joining::{self, Blocks, JoinOptions, Places};
use crate::arrays::functions::sets::{self, UniqueOptions};
use crate::arrays::functions::splitting::{self, Sections};
use crate::lang::arrays::call::{Call, not_an_array};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::manipulation::refs;
use crate::lang::arrays::{operators, pending};
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "concatenate",
        "(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')",
        "Arrays joined along an axis.",
        concatenate,
    ),
    method(
        "concat",
        "(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')",
        "Arrays joined along an axis.",
        concatenate,
    ),
    method(
        "stack",
        "(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')",
        "Arrays joined along a new axis.",
        |vm, args| {
            let call = Call::of(args);
            let axis = call.axis_or(vm, 1, 0)?;
            join(vm, call, 2, 3, 4, |arrays, options| joining::stack(arrays, axis, options))
        },
    ),
    method("vstack", "(tup, *, dtype=None, casting='same_kind')", "Arrays joined row by row.", |vm, args| {
        join(vm, Call::of(args), NO_OUT, 1, 2, joining::vstack)
    }),
    method("row_stack", "(tup, *, dtype=None, casting='same_kind')", "Arrays joined row by row.", |vm, args| {
        join(vm, Call::of(args), NO_OUT, 1, 2, joining::vstack)
    }),
    method("hstack", "(tup, *, dtype=None, casting='same_kind')", "Arrays joined column by column.", |vm, args| {
        join(vm, Call::of(args), NO_OUT, 1, 2, joining::hstack)
    }),
    method("dstack", "(tup)", "Arrays joined along the third axis.", |vm, args| {
        join(vm, Call::of(args), NO_OUT, NO_OUT, NO_OUT, joining::dstack)
    }),
    method("column_stack", "(tup)", "One-dimensional arrays as columns.", |vm, args| {
        join(vm, Call::of(args), NO_OUT, NO_OUT, NO_OUT, joining::column_stack)
    }),
    method("block", "(arrays)", "Nested lists of arrays as one array.", |vm, args| {
        let call = Call::of(args);
        let nested = args.get(vm, 0);
        let blocks = blocks(vm, call, &nested)?;
        call.array_from(vm, || joining::block(&blocks, call.rules()))
    }),
    method("append", "(arr, values, axis=None)", "Values behind an array.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (values, axis) = (call.array_like(vm, 1, &array)?, call.axis(vm, 2)?);
        call.array_from(vm, || joining::append(&array, &values, axis, call.rules()))
    }),
    method("insert", "(arr, obj, values, axis=None)", "Values before given places.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (mut places, values) = (places(vm, call, 1, &array)?, call.array_like(vm, 2, &array)?);
        if let Places::Array(mask) = &places
            && mask.dtype().is_bool()
            && mask.rank() == 1
        {
            places = Places::Array(call.run(vm, || crate::arrays::functions::indexing::flatnonzero(mask))?);
        }
        let axis = call.axis(vm, 3)?;
        call.array_from(vm, || joining::insert(&array, &places, &values, axis))
    }),
    method("delete", "(arr, obj, axis=None)", "The array without given places.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        let (places, axis) = (places(vm, call, 1, &array)?, call.axis(vm, 2)?);
        call.array_from(vm, || joining::delete(&array, &places, axis))
    }),
    method("split", "(ary, indices_or_sections, axis=0)", "Equal parts along an axis; views.", |vm, args| {
        let call = Call::of(args);
        let (array, sections, axis) = (call.array(vm, 0)?, sections(vm, call, 1)?, call.axis_or(vm, 2, 0)?);
        splitting::split(&array, &sections, axis, call.rules()).map(|parts| call.give_list(parts)).map_err(raised)
    }),
    method(
        "array_split",
        "(ary, indices_or_sections, axis=0)",
        "Nearly equal parts along an axis; views.",
        |vm, args| {
            let call = Call::of(args);
            let (array, sections, axis) = (call.array(vm, 0)?, sections(vm, call, 1)?, call.axis_or(vm, 2, 0)?);
            splitting::array_split(&array, &sections, axis).map(|parts| call.give_list(parts)).map_err(raised)
        },
    ),
    method("hsplit", "(ary, indices_or_sections)", "Parts column by column; views.", |vm, args| {
        let call = Call::of(args);
        let (array, sections) = (call.array(vm, 0)?, sections(vm, call, 1)?);
        splitting::hsplit(&array, &sections, call.rules()).map(|parts| call.give_list(parts)).map_err(raised)
    }),
    method("vsplit", "(ary, indices_or_sections)", "Parts row by row; views.", |vm, args| {
        let call = Call::of(args);
        let (array, sections) = (call.array(vm, 0)?, sections(vm, call, 1)?);
        splitting::vsplit(&array, &sections, call.rules()).map(|parts| call.give_list(parts)).map_err(raised)
    }),
    method("dsplit", "(ary, indices_or_sections)", "Parts along the third axis; views.", |vm, args| {
        let call = Call::of(args);
        let (array, sections) = (call.array(vm, 0)?, sections(vm, call, 1)?);
        splitting::dsplit(&array, &sections, call.rules()).map(|parts| call.give_list(parts)).map_err(raised)
    }),
    method(
        "unique",
        "(ar, /, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True)",
        "The distinct elements, rising.",
        unique,
    ),
    method("unique_values", "(x)", "The distinct elements, rising.", |vm, args| {
        let call = Call::of(args);
        let array = call.array(vm, 0)?;
        call.array_from(vm, || sets::unique_values(&array))
    }),
    method(
        "isin",
        "(element, test_elements, assume_unique=False, invert=False, *, kind=None)",
        "Whether elements are among others.",
        |vm, args| {
            let call = Call::of(args);
            let elements = call.array(vm, 0)?;
            let (tests, invert) = (call.array_like(vm, 1, &elements)?, call.truth_or(vm, 3, false)?);
            call.array_from(vm, || sets::isin(&elements, &tests, invert))
        },
    ),
    method("intersect1d", "(ar1, ar2, assume_unique=False, return_indices=False)", "Elements of both.", |vm, args| {
        let call = Call::of(args);
        let left = call.array(vm, 0)?;
        let right = call.array_like(vm, 1, &left)?;
        let (assume, indices) = (call.truth_or(vm, 2, false)?, call.truth_or(vm, 3, false)?);
        let (values, first, second) = call.run(vm, || sets::intersect1d(&left, &right, assume))?;
        Ok(if indices { call.give_tuple(vec![values, first, second]) } else { call.give(values) })
    }),
    method("union1d", "(ar1, ar2)", "Elements of either.", |vm, args| {
        let call = Call::of(args);
        let left = call.array(vm, 0)?;
        let right = call.array_like(vm, 1, &left)?;
        call.array_from(vm, || sets::union1d(&left, &right))
    }),
    method("setdiff1d", "(ar1, ar2, assume_unique=False)", "Elements of the first only.", |vm, args| {
        let call = Call::of(args);
        let left = call.array(vm, 0)?;
        let (right, assume) = (call.array_like(vm, 1, &left)?, call.truth_or(vm, 2, false)?);
        call.array_from(vm, || sets::setdiff1d(&left, &right, assume))
    }),
    method("setxor1d", "(ar1, ar2, assume_unique=False)", "Elements of exactly one.", |vm, args| {
        let call = Call::of(args);
        let left = call.array(vm, 0)?;
        let (right, assume) = (call.array_like(vm, 1, &left)?, call.truth_or(vm, 2, false)?);
        call.array_from(vm, || sets::setxor1d(&left, &right, assume))
    }),
];

/// The place of a parameter that a function does not have.
const NO_OUT: usize = usize::MAX;

fn concatenate(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let axis = match args.get(vm, 1) {
        Value::Unset => Some(0),
        Value::None => None,
        other => Some(vm.index(&other)?),
    };
    join(vm, call, 2, 3, 4, |arrays, options| joining::concatenate(arrays, axis, options))
}

fn join(
    vm: &mut Vm,
    call: Call,
    out: usize,
    dtype: usize,
    casting: usize,
    work: impl Fn(&[&Array], JoinOptions<'_>) -> Result<Array, ArrayError>,
) -> Fallible<Value> {
    let inputs = call.arrays(vm, 0)?;
    let given = |place: usize| place != NO_OUT;
    let dtype = if given(dtype) { call.dtype(vm, dtype)? } else { None };
    let casting = match given(casting) {
        true => Casting::parse(&call.text_or(vm, casting, "same_kind")?).map_err(raised)?,
        false => Casting::SameKind,
    };
    let target = if given(out) { call.args.not_none(vm, out) } else { None };
    let target = match target {
        None => None,
        Some(Value::Array(target)) => {
            operators::check_writable(&target)?;
            Some(target)
        }
        Some(other) => return Err(not_an_array(&other)),
    };
    let array = match &target {
        Some(target) => {
            pending::settle(vm)?;
            Some(pending::compute(vm, target)?)
        }
        None => None,
    };
    let options = JoinOptions { out: array.as_ref(), dtype, casting, flavour: call.rules() };
    let result = call.run(vm, || work(&refs(&inputs), options))?;
    Ok(match target {
        Some(target) => Value::Array(target),
        None => call.give(result),
    })
}

fn blocks(vm: &mut Vm, call: Call, value: &Value) -> Fallible<Blocks> {
    Ok(match value {
        Value::List(list) => {
            let items = list.items.borrow().clone();
            let mut parts = Vec::with_capacity(items.len());
            for item in &items {
                parts.push(blocks(vm, call, item)?);
            }
            Blocks::List(parts)
        }
        other => Blocks::Array(call.to_array(vm, other)?),
    })
}

fn places(vm: &mut Vm, call: Call, index: usize, array: &Array) -> Fallible<Places> {
    match call.args.get(vm, index) {
        Value::Slice(slice) => {
            let mut part = |value: &Value| if value.is_none() { Ok(None) } else { vm.index(value).map(Some) };
            Ok(Places::Slice(part(&slice.start)?, part(&slice.stop)?, part(&slice.step)?))
        }
        Value::Int(place) => Ok(Places::At(place)),
        given => {
            let places = call.array_like(vm, index, array)?;
            if places.len_elements() > 0 || matches!(given, Value::Array(_)) {
                return Ok(Places::Array(places));
            }
            let whole = crate::arrays::dtype::DType::Int64;
            call.run(vm, || crate::arrays::functions::support::cast(&places, whole)).map(Places::Array)
        }
    }
}

fn sections(vm: &mut Vm, call: Call, index: usize) -> Fallible<Sections> {
    match call.args.get(vm, index) {
        Value::Int(count) => Ok(Sections::Count(count)),
        _ => call.ints(vm, index).map(Sections::Indices),
    }
}

fn unique(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let array = call.array(vm, 0)?;
    let options = UniqueOptions {
        index: call.truth_or(vm, 1, false)?,
        inverse: call.truth_or(vm, 2, false)?,
        counts: call.truth_or(vm, 3, false)?,
        equal_nan: call.truth_or(vm, 5, true)?,
    };
    let found = match call.axis(vm, 4)? {
        None => call.run(vm, || sets::unique(&array, options))?,
        Some(axis) => call.run(vm, || sets::unique_axis(&array, axis, options))?,
    };
    let mut results = vec![found.values];
    results.extend([found.indices, found.inverse, found.counts].into_iter().flatten());
    match results.len() {
        1 => Ok(call.give(results.remove(0))),
        0 => Err(raise::system_error("unique gives its values")),
        _ => Ok(call.give_tuple(results)),
    }
}
