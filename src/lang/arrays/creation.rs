//! Functions that make arrays: from nothing, from numbers, from other arrays.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{creation, support};
use crate::arrays::layout::Order;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::scalar_of;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::nested;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "empty",
        "(shape, dtype=None, order='C', *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "A new array whose elements are unspecified.",
        empty,
    ),
    method(
        "zeros",
        "(shape, dtype=None, order='C', *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "A new array of zeros.",
        zeros,
    ),
    method(
        "ones",
        "(shape, dtype=None, order='C', *, like=None, device=None, usm_type='device', sycl_queue=None)",
        "A new array of ones.",
        ones,
    ),
    method(
        "full",
        "(shape, fill_value, dtype=None, order='C', *, like=None, device=None, usm_type=None, sycl_queue=None)",
        "A new array filled with a value; an array as the value decides queue, dtype and kind.",
        full,
    ),
    method("empty_like", LIKE_SIGNATURE, "An uninitialised array with the shape and dtype of another.", empty_like),
    method("zeros_like", LIKE_SIGNATURE, "An array of zeros with the shape and dtype of another.", zeros_like),
    method("ones_like", LIKE_SIGNATURE, "An array of ones with the shape and dtype of another.", ones_like),
    method(
        "full_like",
        "(a, /, fill_value, dtype=None, order='C', subok=False, shape=None, *, device=None, usm_type=None, sycl_queue=None)",
        "An array filled with a value, with the shape and dtype of another.",
        full_like,
    ),
    method(
        "arange",
        "(start, /, stop=None, step=1, *, dtype=None, like=None, device=None, usm_type='device', sycl_queue=None)",
        "Evenly spaced values of a half-open interval.",
        arange,
    ),
    method(
        "linspace",
        "(start, stop, /, num=50, *, dtype=None, device=None, usm_type=None, sycl_queue=None, endpoint=True, retstep=False, \
         axis=0)",
        "Evenly spaced numbers over an interval.",
        linspace,
    ),
    method(
        "logspace",
        "(start, stop, /, num=50, *, device=None, usm_type=None, sycl_queue=None, endpoint=True, base=10.0, dtype=None, axis=0)",
        "Numbers evenly spaced on a logarithmic scale.",
        logspace,
    ),
    method(
        "geomspace",
        "(start, stop, /, num=50, *, dtype=None, device=None, usm_type=None, sycl_queue=None, endpoint=True, axis=0)",
        "Numbers in geometric progression.",
        geomspace,
    ),
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
    method("diag", "(v, /, k=0)", "A diagonal of a matrix, or a matrix from its diagonal.", |vm, args| {
        let call = Call::of(args);
        let (array, k) = (call.array(vm, 0)?, call.int_or(vm, 1, 0)?);
        call.array_from(vm, || creation::diag(&array, k, call.rules()))
    }),
    method("diagflat", "(v, /, k=0)", "A matrix with the flattened input as its diagonal.", |vm, args| {
        let call = Call::of(args);
        let (array, k) = (call.array(vm, 0)?, call.int_or(vm, 1, 0)?);
        call.array_from(vm, || creation::diagflat(&array, k, call.rules()))
    }),
    method("vander", "(x, /, N=None, increasing=False)", "A Vandermonde matrix.", vander),
    method("meshgrid", "(*xi, copy=True, sparse=False, indexing='xy')", "Coordinate matrices from vectors.", meshgrid),
    method(
        "indices",
        "(dimensions, dtype=int, sparse=False, *, device=None, usm_type='device', sycl_queue=None)",
        "The indices of a grid.",
        indices,
    ),
    method(
        "array",
        "(a, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, like=None, device=None, usm_type=None, sycl_queue=None)",
        "A new array from numbers, sequences or another array.",
        array,
    ),
    method(
        "asarray",
        "(a, dtype=None, order=None, *, like=None, device=None, usm_type=None, sycl_queue=None, copy=None)",
        "The input as an array; itself when nothing has to change.",
        asarray,
    ),
    method(
        "asanyarray",
        "(a, dtype=None, order=None, *, like=None, device=None, usm_type=None, sycl_queue=None, copy=None)",
        "The input as an array; itself when nothing has to change.",
        asarray,
    ),
    method(
        "ascontiguousarray",
        "(a, dtype=None, *, like=None, device=None, usm_type=None, sycl_queue=None)",
        "The input as a C-ordered array of rank one or more.",
        ascontiguousarray,
    ),
    method(
        "copy",
        "(a, /, order='K', *, subok=False, device=None, usm_type=None, sycl_queue=None)",
        "A copy of the array.",
        copy,
    ),
];

const LIKE_SIGNATURE: &str =
    "(a, /, dtype=None, order='C', subok=False, shape=None, *, device=None, usm_type=None, sycl_queue=None)";

type Filler = fn(&[usize], DType, Order, &Alloc) -> Result<Array, crate::arrays::error::ArrayError>;

fn empty(vm: &mut Vm, args: Args) -> Fallible<Value> {
    filled(vm, args, creation::empty)
}

fn zeros(vm: &mut Vm, args: Args) -> Fallible<Value> {
    filled(vm, args, creation::zeros)
}

fn ones(vm: &mut Vm, args: Args) -> Fallible<Value> {
    filled(vm, args, creation::ones)
}

fn filled(vm: &mut Vm, args: Args, make: Filler) -> Fallible<Value> {
    let call = Call::of(args);
    let shape = new_shape(vm, call, 0)?;
    let alloc = call.alloc(vm, 4, 5, 6)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    let order = call.order(vm, 2)?;
    call.array_from(vm, || make(&shape, dtype, order, &alloc))
}

/// The shape of a new array; what is wrong with it is said in the library's own words.
fn new_shape(vm: &mut Vm, call: Call, index: usize) -> Fallible<Vec<usize>> {
    let value = call.args.get(vm, index);
    if !call.is_numpy() && matches!(value, Value::Float(_) | Value::Str(_) | Value::None | Value::Dict(_)) {
        return Err(raise::type_error("Argument shape must a non-negative integer, or a list/tuple of such integers."));
    }
    let lengths = call.ints(vm, index)?;
    if lengths.iter().any(|length| *length < 0) {
        return Err(raise::value_error(if call.is_numpy() {
            "negative dimensions are not allowed"
        } else {
            "Number of bytes of request allocation must be positive."
        }));
    }
    Ok(lengths.into_iter().map(|length| length as usize).collect())
}

/// An explicit dtype that the device cannot compute in is refused with dpnp's error.
pub fn check_dtype(dtype: DType, alloc: &Alloc) -> Fallible<()> {
    if dtype.narrowed(alloc.place.fp64()) == dtype {
        return Ok(());
    }
    Err(raise::value_error(format!(
        "Device {} does not provide native support for double-precision floating point type.",
        alloc.place.device().info().name
    )))
}

fn full(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let shape = new_shape(vm, call, 0)?;
    let (dtype, order) = (call.dtype(vm, 2)?, call.order(vm, 3)?);
    let fill = args.get(vm, 1);
    if let Value::Array(_) = &fill
        && !call.is_numpy()
    {
        let source = fill_array(vm, call, &fill)?;
        let alloc = alloc_beside(vm, call, &source, 5, 6, 7)?;
        let source = migrate(vm, call, source, &alloc)?;
        return call.array_from(vm, || creation::full_from_array(&shape, &source, dtype, order, &alloc, call.rules()));
    }
    let alloc = call.alloc(vm, 5, 6, 7)?;
    if let Some(dtype) = dtype {
        check_dtype(dtype, &alloc)?;
    }
    if let Some(operand) = scalar_of(&fill)? {
        return call.array_from(vm, || creation::full(&shape, operand, dtype, order, &alloc));
    }
    let host = nested::host_array(vm, &fill)?;
    let source = migrate(vm, call, host, &alloc)?;
    call.array_from(vm, || creation::full_from_array(&shape, &source, dtype, order, &alloc, call.rules()))
}

/// The fill value of `full`: an array of this library, or a NumPy array, which goes to the default queue.
fn fill_array(vm: &mut Vm, call: Call, fill: &Value) -> Fallible<Array> {
    match fill {
        Value::Array(array) if array.flavour == ArrayFlavour::NumPy => {
            let host = nested::host_array(vm, fill)?;
            let alloc = Alloc::default_device().map_err(raised)?;
            call.run(vm, || host.copy_to(&alloc))
        }
        other => call.to_array(vm, other),
    }
}

/// Where a result goes that follows an array unless `device=`, `usm_type=` or `sycl_queue=` say otherwise.
fn alloc_beside(
    vm: &mut Vm,
    call: Call,
    array: &Array,
    device: usize,
    usm_type: usize,
    sycl_queue: usize,
) -> Fallible<Alloc> {
    if call.is_numpy() {
        return Ok(Alloc::HOST);
    }
    let beside = array.alloc();
    let usm = call.usm_type(vm, usm_type)?.unwrap_or(beside.usm);
    Ok(match call.queue(vm, device, sycl_queue)? {
        Some(queue) => Alloc::queue(queue, usm),
        None => Alloc { place: beside.place, usm },
    })
}

/// The array where `alloc` says, itself when it is there.
fn migrate(vm: &mut Vm, call: Call, array: Array, alloc: &Alloc) -> Fallible<Array> {
    if array.alloc() == *alloc {
        return Ok(array);
    }
    if array.usm() == Some(alloc.usm)
        && let Some(queue) = alloc.place.queue()
        && array.buffer().context() == Some(queue.context())
    {
        return array.with_queue(queue.clone()).map_err(raised);
    }
    call.run(vm, || array.copy_to(alloc))
}

/// A function that makes an array like another: prototype, shape, dtype, order, place.
type LikeFiller =
    fn(&Array, Option<&[usize]>, Option<DType>, MemoryOrder, &Alloc) -> Result<Array, crate::arrays::error::ArrayError>;

fn like(vm: &mut Vm, args: Args, make: LikeFiller) -> Fallible<Value> {
    let call = Call::of(args);
    let prototype = call.array(vm, 0)?;
    let (dtype, order) = (call.dtype(vm, 1)?, memory_order(vm, call, 2)?);
    let shape = match args.not_none(vm, 4) {
        Some(_) => Some(new_shape(vm, call, 4)?),
        None => None,
    };
    let alloc = alloc_beside(vm, call, &prototype, 5, 6, 7)?;
    call.array_from(vm, || make(&prototype, shape.as_deref(), dtype, order, &alloc))
}

fn memory_order(vm: &mut Vm, call: Call, index: usize) -> Fallible<MemoryOrder> {
    let letter = call.text_or(vm, index, if call.is_numpy() { "K" } else { "C" })?;
    MemoryOrder::parse(&letter).map_err(raised)
}

fn empty_like(vm: &mut Vm, args: Args) -> Fallible<Value> {
    like(vm, args, creation::empty_like)
}

fn zeros_like(vm: &mut Vm, args: Args) -> Fallible<Value> {
    like(vm, args, creation::zeros_like)
}

fn ones_like(vm: &mut Vm, args: Args) -> Fallible<Value> {
    like(vm, args, creation::ones_like)
}

fn full_like(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let prototype = call.array(vm, 0)?;
    let fill = args.get(vm, 1);
    let (dtype, order) = (call.dtype(vm, 2)?, memory_order(vm, call, 3)?);
    let shape = match args.not_none(vm, 5) {
        Some(_) => Some(new_shape(vm, call, 5)?),
        None => None,
    };
    let alloc = alloc_beside(vm, call, &prototype, 6, 7, 8)?;
    if let Some(operand) = scalar_of(&fill)? {
        return call
            .array_from(vm, || creation::full_like(&prototype, shape.as_deref(), operand, dtype, order, &alloc));
    }
    let source = call.to_array_like(vm, &fill, &prototype)?;
    if source.place() != &alloc.place {
        return Err(raised(crate::arrays::error::ArrayError::Placement {
            message: "Execution queue is not compatible with allocation queues".into(),
        }));
    }
    let dtype = Some(dtype.unwrap_or(prototype.dtype()));
    let shape = shape.unwrap_or_else(|| prototype.shape().to_vec());
    let order = order.resolve(prototype.layout());
    call.array_from(vm, || creation::full_from_array(&shape, &source, dtype, order, &alloc, call.rules()))
}

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
    let dtype = call.dtype(vm, 3)?;
    let (endpoint, want_step) = (call.truth_or(vm, 7, true)?, call.truth_or(vm, 8, false)?);
    let (start, stop) = (args.get(vm, 0), args.get(vm, 1));
    if let (Some(start), Some(stop)) = (scalar_of(&start)?, scalar_of(&stop)?) {
        let alloc = call.alloc(vm, 4, 5, 6)?;
        let (array, step) =
            call.run(vm, || creation::linspace(start, stop, num, endpoint, dtype, &alloc, call.rules()))?;
        let array = call.give(array);
        if !want_step {
            return Ok(array);
        }
        let step = crate::lang::arrays::convert::python_value(step);
        return Ok(Value::tuple(vec![array, step]));
    }
    if want_step {
        return Err(raise::not_implemented_error("linspace(retstep=True) with array bounds is not supported"));
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
    let axis = call.axis_or(vm, 9, 0)?;
    call.array_from(vm, || creation::linspace_arrays(&start, &stop, num, endpoint, dtype, axis, call.rules()))
}

fn logspace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    const NUMBERS: &str = "start and stop must be numbers";
    let call = Call::of(args);
    let (start, stop) = (number(vm, call, 0, NUMBERS)?, number(vm, call, 1, NUMBERS)?);
    let num = call.int_or(vm, 2, 50)?;
    let alloc = call.alloc(vm, 3, 4, 5)?;
    let (endpoint, base, dtype) = (call.truth_or(vm, 6, true)?, call.float_or(vm, 7, 10.0)?, call.dtype(vm, 8)?);
    call.array_from(vm, || creation::logspace(start, stop, num, endpoint, base, dtype, &alloc, call.rules()))
}

fn geomspace(vm: &mut Vm, args: Args) -> Fallible<Value> {
    const NUMBERS: &str = "start and stop must be numbers";
    let call = Call::of(args);
    let (start, stop) = (number(vm, call, 0, NUMBERS)?, number(vm, call, 1, NUMBERS)?);
    let (num, dtype) = (call.int_or(vm, 2, 50)?, call.dtype(vm, 3)?);
    let alloc = call.alloc(vm, 4, 5, 6)?;
    let endpoint = call.truth_or(vm, 7, true)?;
    call.array_from(vm, || creation::geomspace(start, stop, num, endpoint, dtype, &alloc, call.rules()))
}

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
    let (rows, columns, k) = (length(vm, call, 0)?, optional_length(vm, call, 1)?, call.int_or(vm, 2, 0)?);
    let alloc = call.alloc(vm, 6, 7, 8)?;
    let dtype = call.dtype(vm, 3)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    let order = call.order(vm, 4)?;
    call.array_from(vm, || creation::eye(rows, columns, k, dtype, order, &alloc))
}

fn identity(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let n = length(vm, call, 0)?;
    let alloc = call.alloc(vm, 3, 4, 5)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    call.array_from(vm, || creation::identity(n, dtype, &alloc))
}

fn tri(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let (rows, columns, k) = (length(vm, call, 0)?, optional_length(vm, call, 1)?, call.int_or(vm, 2, 0)?);
    let alloc = call.alloc(vm, 4, 5, 6)?;
    let dtype = call.dtype(vm, 3)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    call.array_from(vm, || creation::tri(rows, columns, k, dtype, &alloc))
}

fn vander(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let (x, columns, increasing) = (call.array(vm, 0)?, optional_length(vm, call, 1)?, call.truth_or(vm, 2, false)?);
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
    let shape = call.shape(vm, 0)?;
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

fn array(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let source = args.get(vm, 0);
    let copy = match args.get(vm, 2) {
        Value::Unset => Some(true),
        Value::None => None,
        other => Some(vm.truth(&other)?),
    };
    let request = Conversion {
        call,
        dtype: call.dtype(vm, 1)?,
        order: order_or_keep(vm, call, 3)?,
        copy,
        device: 7,
        usm_type: 8,
        sycl_queue: 9,
    };
    let made = request.run(vm, &source)?;
    let minimum = usize::try_from(call.int_or(vm, 5, 0)?).unwrap_or(0);
    match made {
        Value::Array(array) if array.shape().len() < minimum => {
            let computed = call.to_array(vm, &Value::Array(array))?;
            let mut shape = vec![1i64; minimum - computed.rank()];
            shape.extend(computed.shape().iter().map(|length| *length as i64));
            call.array_from(vm, || {
                crate::arrays::functions::shapes::reshape(&computed, &shape, MemoryOrder::C, None, call.rules())
            })
        }
        other => Ok(other),
    }
}

fn asarray(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let source = args.get(vm, 0);
    let copy = match args.get(vm, 7) {
        Value::Unset | Value::None => None,
        other => Some(vm.truth(&other)?),
    };
    let request = Conversion {
        call,
        dtype: call.dtype(vm, 1)?,
        order: order_or_keep(vm, call, 2)?,
        copy,
        device: 4,
        usm_type: 5,
        sycl_queue: 6,
    };
    request.run(vm, &source)
}

fn ascontiguousarray(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let source = args.get(vm, 0);
    let request = Conversion {
        call,
        dtype: call.dtype(vm, 1)?,
        order: MemoryOrder::C,
        copy: None,
        device: 3,
        usm_type: 4,
        sycl_queue: 5,
    };
    let made = request.run(vm, &source)?;
    match made {
        Value::Array(array) if array.shape().is_empty() => {
            let computed = call.to_array(vm, &Value::Array(array))?;
            call.array_from(vm, || crate::arrays::functions::shapes::atleast_1d(&computed))
        }
        other => Ok(other),
    }
}

fn copy(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let source = args.get(vm, 0);
    let request = Conversion {
        call,
        dtype: None,
        order: order_or_keep(vm, call, 1)?,
        copy: Some(true),
        device: 3,
        usm_type: 4,
        sycl_queue: 5,
    };
    request.run(vm, &source)
}

fn order_or_keep(vm: &mut Vm, call: Call, index: usize) -> Fallible<MemoryOrder> {
    MemoryOrder::parse(&call.text_or(vm, index, "K")?).map_err(raised)
}

/// What `array` and `asarray` were asked to make of a value.
struct Conversion {
    call: Call,
    dtype: Option<DType>,
    order: MemoryOrder,
    copy: Option<bool>,
    device: usize,
    usm_type: usize,
    sycl_queue: usize,
}

impl Conversion {
    fn run(&self, vm: &mut Vm, source: &Value) -> Fallible<Value> {
        match source {
            Value::Array(array) if array.flavour == self.call.flavour || !self.call.is_numpy() => {
                if array.flavour == ArrayFlavour::NumPy && !self.call.is_numpy() && self.copy == Some(false) {
                    return Err(raise::value_error("Converting numpy.ndarray to usm_ndarray requires a copy"));
                }
                self.convert_array(vm, source)
            }
            Value::Array(_) => Err(raise::type_error(
                "Implicit conversion to a NumPy array is not allowed. Please use `.asnumpy()` to construct a NumPy array \
                 explicitly.",
            )),
            other => self.convert_data(vm, other),
        }
    }

    /// The queue and kind that were asked for, else those of the array; NumPy arrays go to the default queue.
    fn destination(&self, vm: &mut Vm, array: &Array) -> Fallible<Alloc> {
        let call = self.call;
        if call.is_numpy() {
            return Ok(Alloc::HOST);
        }
        if array.queue().is_none() {
            return call.alloc(vm, self.device, self.usm_type, self.sycl_queue);
        }
        alloc_beside(vm, call, array, self.device, self.usm_type, self.sycl_queue)
    }

    fn convert_array(&self, vm: &mut Vm, source: &Value) -> Fallible<Value> {
        let Value::Array(object) = source else { return self.convert_data(vm, source) };
        let array = crate::lang::arrays::pending::compute(vm, object)?;
        let alloc = self.destination(vm, &array)?;
        let dtype = self.dtype.unwrap_or(array.dtype().narrowed(alloc.place.fp64()));
        if self.dtype.is_some() {
            check_dtype(dtype, &alloc)?;
        }
        let order_fits = match self.order {
            MemoryOrder::C => array.is_c_contiguous(),
            MemoryOrder::F => array.layout().is_f_contiguous(),
            MemoryOrder::A | MemoryOrder::K => true,
        };
        let in_place = array.alloc() == alloc && dtype == array.dtype() && order_fits;
        if in_place && self.copy != Some(true) && object.flavour == self.call.flavour {
            return Ok(source.clone());
        }
        let shared = array.usm() == Some(alloc.usm)
            && dtype == array.dtype()
            && order_fits
            && alloc.place.queue().is_some_and(|queue| array.buffer().context() == Some(queue.context()));
        if shared && self.copy != Some(true) {
            let queue = alloc.place.queue().cloned();
            let moved = queue.map(|queue| array.with_queue(queue)).transpose().map_err(raised)?;
            return Ok(self.call.give(moved.unwrap_or(array)));
        }
        if self.copy == Some(false) {
            return Err(raise::value_error("asarray(..., copy=False) is not possible"));
        }
        let order = self.order.resolve(array.layout());
        self.call.array_from(vm, || {
            let converted = if dtype == array.dtype() { array.clone() } else { support::cast(&array, dtype)? };
            if converted.alloc() == alloc { support::copy(&converted, order) } else { converted.copy_to(&alloc) }
        })
    }

    fn convert_data(&self, vm: &mut Vm, source: &Value) -> Fallible<Value> {
        let call = self.call;
        if self.copy == Some(false) {
            return Err(raise::value_error(if call.is_numpy() {
                "Unable to avoid copy while creating an array as requested."
            } else {
                "Converting Python sequence to usm_ndarray requires a copy"
            }));
        }
        let data = nested::nested_data(vm, source, call.flavour)?;
        let alloc = self.data_destination(vm, &data)?;
        let dtype = self.dtype;
        if let Some(dtype) = dtype {
            check_dtype(dtype, &alloc)?;
        }
        let order = if self.order == MemoryOrder::F { Order::F } else { Order::C };
        call.array_from(vm, || creation::asarray(&data, dtype, order, &alloc, call.rules()))
    }

    /// A list of arrays goes where they all are; arrays on different queues need to be told.
    fn data_destination(&self, vm: &mut Vm, data: &creation::NestedData) -> Fallible<Alloc> {
        let call = self.call;
        if call.is_numpy() {
            return Ok(Alloc::HOST);
        }
        let mut common: Option<Alloc> = None;
        let mut differ = false;
        data.for_each_array(&mut |array| {
            if array.queue().is_none() {
                return;
            }
            let alloc = array.alloc();
            match &mut common {
                None => common = Some(alloc),
                Some(known) if known.place == alloc.place => known.usm = known.usm.coerce(alloc.usm),
                Some(_) => differ = true,
            }
        });
        let usm = call.usm_type(vm, self.usm_type)?;
        if let Some(queue) = call.queue(vm, self.device, self.sycl_queue)? {
            let fallback = common.map_or(crate::arrays::backend::UsmKind::Device, |alloc| alloc.usm);
            return Ok(Alloc::queue(queue, usm.unwrap_or(fallback)));
        }
        if differ {
            return Err(raised(crate::arrays::error::ArrayError::Placement {
                message: "Please specify `device` or `sycl_queue` keyword argument to determine where to allocate the \
                          resulting array."
                    .into(),
            }));
        }
        match common {
            Some(alloc) => Ok(Alloc { usm: usm.unwrap_or(alloc.usm), place: alloc.place }),
            None => call.alloc(vm, self.device, self.usm_type, self.sycl_queue),
        }
    }
}
