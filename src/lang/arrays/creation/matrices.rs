//! Matrices and grids from a shape, a diagonal or their axes: `eye`, `tri`, `diag`, `vander`, `meshgrid`, `indices`.

use super::sources::Conversion;
use super::{check_dtype, refuse_like};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::functions::creation;
use crate::arrays::functions::support::MemoryOrder;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::shape_argument;
use crate::lang::arrays::error::raised;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
pub const FUNCTIONS: &[Method] = &[
    method(
        "eye",
        "(N, /, M=None, k=0, dtype=None, order='C', *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "Ones on a diagonal and zeros elsewhere.",
        eye,
    ),
    method(
        "identity",
        "(n, /, dtype=None, *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "The identity matrix.",
        identity,
    ),
    method(
        "tri",
        "(N, /, M=None, k=0, dtype=None, *, device=None, usm_type='device', sycl_queue=None, like=None)",
        "Ones at and below a diagonal.",
        tri,
    ),
    method("tril", "(m, /, k=0)", "The lower triangle; zeros above.", |vm, args| {
        let call = Call::of(args);
        let (array, k) = (call.array(vm, 0)?, call.int_or(vm, 1, 0)?);
        call.array_from(vm, || creation::tril(&array, k, call.rules()))
    }),
    method("triu", "(m, /, k=0)", "The upper triangle; zeros below.", |vm, args| {
        let call = Call::of(args);
        let (array, k) = (call.array(vm, 0)?, call.int_or(vm, 1, 0)?);
        call.array_from(vm, || creation::triu(&array, k, call.rules()))
    }),
    method(
        "diag",
        "(v, /, k=0, *, device=None, usm_type=None, sycl_queue=None)",
        "A diagonal of a matrix, or a matrix from its diagonal.",
        |vm, args| {
            let call = Call::of(args);
            let (array, k) = (placed(vm, call, [2, 3, 4])?, call.int_or(vm, 1, 0)?);
            call.array_from(vm, || creation::diag(&array, k, call.rules()))
        },
    ),
    method(
        "diagflat",
        "(v, /, k=0, *, device=None, usm_type=None, sycl_queue=None)",
        "A matrix with the flattened input as its diagonal.",
        |vm, args| {
            let call = Call::of(args);
            let (array, k) = (placed(vm, call, [2, 3, 4])?, call.int_or(vm, 1, 0)?);
            call.array_from(vm, || creation::diagflat(&array, k, call.rules()))
        },
    ),
    method(
        "vander",
        "(x, /, N=None, increasing=False, *, device=None, usm_type=None, sycl_queue=None)",
        "A Vandermonde matrix.",
        vander,
    ),
    method("meshgrid", "(*xi, copy=True, sparse=False, indexing='xy')", "Coordinate matrices from vectors.", meshgrid),
    method(
        "indices",
        "(dimensions, dtype=int, sparse=False, *, device=None, usm_type='device', sycl_queue=None)",
        "The indices of a grid.",
        indices,
    ),
];

/// A length that must not be negative.
fn length(vm: &mut Vm, call: Call, index: usize) -> Fallible<usize> {
    let value = vm.index(&call.args.get(vm, index))?;
    usize::try_from(value).map_err(|_| raise::value_error("negative dimensions are not allowed"))
}

fn optional_length(vm: &mut Vm, call: Call, index: usize) -> Fallible<Option<usize>> {
    match call.args.not_none(vm, index) {
        Some(_) => length(vm, call, index).map(Some),
        None => Ok(None),
    }
}

fn eye(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_like(vm, call, 5)?;
    let (rows, columns, k) = (length(vm, call, 0)?, optional_length(vm, call, 1)?, call.int_or(vm, 2, 0)?);
    let alloc = call.alloc(vm, 6, 7, 8)?;
    let dtype = call.dtype(vm, 3)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    let order = call.order(vm, 4)?;
    call.array_from(vm, || creation::eye(rows, columns, k, dtype, order, &alloc))
}

fn identity(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_like(vm, call, 2)?;
    let n = length(vm, call, 0)?;
    let alloc = call.alloc(vm, 3, 4, 5)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    call.array_from(vm, || creation::identity(n, dtype, &alloc))
}

fn tri(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_like(vm, call, 7)?;
    let (rows, columns, k) = (length(vm, call, 0)?, optional_length(vm, call, 1)?, call.int_or(vm, 2, 0)?);
    let alloc = call.alloc(vm, 4, 5, 6)?;
    let dtype = call.dtype(vm, 3)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    call.array_from(vm, || creation::tri(rows, columns, k, dtype, &alloc))
}

/// The first argument as an array where `places` (device, kind, queue) say; sequences become arrays.
fn placed(vm: &mut Vm, call: Call, places: [usize; 3]) -> Fallible<Array> {
    let [device, usm_type, sycl_queue] = places;
    let source = call.args.get(vm, 0);
    let request = Conversion { call, dtype: None, order: MemoryOrder::K, copy: None, device, usm_type, sycl_queue };
    let made = request.run(vm, &source)?;
    call.to_array(vm, &made)
}

fn vander(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let (x, columns, increasing) =
        (placed(vm, call, [3, 4, 5])?, optional_length(vm, call, 1)?, call.truth_or(vm, 2, false)?);
    call.array_from(vm, || creation::vander(&x, columns, increasing, call.rules()))
}

fn meshgrid(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let inputs = call.arrays(vm, 0)?;
    let (copy, sparse) = (call.truth_or(vm, 1, true)?, call.truth_or(vm, 2, false)?);
    let matrix = match call.text_or(vm, 3, "xy")?.as_str() {
        "xy" => false,
        "ij" => true,
        _ => return Err(raise::value_error("Unrecognized indexing keyword value, expecting 'xy' or 'ij'.")),
    };
    let inputs: Vec<&Array> = inputs.iter().collect();
    if !inputs.is_empty() {
        crate::arrays::functions::support::common_alloc(&inputs).map_err(raised)?;
    }
    let grids = call.run(vm, || creation::meshgrid(&inputs, matrix, sparse, copy))?;
    Ok(if call.is_numpy() { call.give_tuple(grids) } else { call.give_list(grids) })
}

fn indices(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    // Whatever gives lengths one after the other, generators too.
    let given = args.get(vm, 0);
    let shape = match vm.iter(&given) {
        Ok(_) => Value::list(vm.collect(&given)?),
        Err(_) => given,
    };
    let shape = shape_argument(vm, &shape)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::Int64);
    let alloc = call.alloc(vm, 3, 4, 5)?;
    if call.truth_or(vm, 2, false)? {
        let rank = shape.len();
        let mut lines = Vec::with_capacity(rank);
        for (axis, len) in shape.iter().enumerate() {
            lines.push(call.run(vm, || creation::index_line(*len, rank, axis, dtype, &alloc))?);
        }
        return Ok(call.give_tuple(lines));
    }
    call.array_from(vm, || creation::indices(&shape, dtype, &alloc))
}
