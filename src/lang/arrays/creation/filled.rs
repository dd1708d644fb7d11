//! Arrays that start from nothing: `empty`, `zeros`, `ones`, `full` and their `_like` forms.

use super::{alloc_beside, check_dtype, new_shape, refuse_like, refuse_subok};
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::functions::creation;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::layout::Order;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::{scalar_of, warn_lost_imaginary};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::nested;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this file.
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
    refuse_like(vm, call, 3)?;
    let shape = new_shape(vm, call, 0)?;
    let alloc = call.alloc(vm, 4, 5, 6)?;
    let dtype = call.dtype(vm, 1)?.unwrap_or(DType::default_float(alloc.place.fp64()));
    check_dtype(dtype, &alloc)?;
    let order = call.order(vm, 2)?;
    call.array_from(vm, || make(&shape, dtype, order, &alloc))
}

fn full(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    refuse_like(vm, call, 4)?;
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
    if let Some(operand) = fill_number(call, &fill)? {
        let operand = match dtype {
            Some(dtype) if call.is_numpy() => cast_to_fill(vm, call, operand, dtype)?,
            _ => operand,
        };
        return call.array_from(vm, || creation::full(&shape, operand, dtype, order, &alloc));
    }
    let host = nested::host_array(vm, &fill)?;
    let source = migrate(vm, call, host, &alloc)?;
    call.array_from(vm, || creation::full_from_array(&shape, &source, dtype, order, &alloc, call.rules()))
}

/// A fill value that is a number. dpnp takes no dtype from a NumPy scalar, and no int beyond an int64.
fn fill_number(call: Call, fill: &Value) -> Fallible<Option<Operand>> {
    let Some(operand) = scalar_of(fill)? else { return Ok(None) };
    if call.is_numpy() {
        return Ok(Some(operand));
    }
    match operand.scalar() {
        Scalar::Int(number) if i64::try_from(number).is_err() => {
            Err(raise::overflow_error("Python int too large to convert to C long"))
        }
        scalar => Ok(Some(Operand::Weak(scalar))),
    }
}

/// A number as the libraries cast it to the dtype that is filled: an imaginary part is dropped, of which NumPy warns; dpnp's
/// `full_like` lets whole numbers wrap around.
fn cast_to_fill(vm: &mut Vm, call: Call, operand: Operand, dtype: DType) -> Fallible<Operand> {
    match operand {
        Operand::Weak(number @ Scalar::Complex(_)) if !dtype.is_complex() && !dtype.is_bool() => {
            if call.is_numpy() {
                warn_lost_imaginary(vm)?;
            }
            Ok(Operand::Typed(number, DType::Complex128))
        }
        Operand::Weak(number @ Scalar::Int(whole)) if !call.is_numpy() && i64::try_from(whole).is_ok() => {
            Ok(Operand::Typed(number, DType::Int64))
        }
        other => Ok(other),
    }
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
    refuse_subok(vm, call, 3)?;
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
    refuse_subok(vm, call, 4)?;
    let prototype = call.array(vm, 0)?;
    let fill = args.get(vm, 1);
    let (dtype, order) = (call.dtype(vm, 2)?, memory_order(vm, call, 3)?);
    let shape = match args.not_none(vm, 5) {
        Some(_) => Some(new_shape(vm, call, 5)?),
        None => None,
    };
    let alloc = alloc_beside(vm, call, &prototype, 6, 7, 8)?;
    if let Some(operand) = scalar_of(&fill)? {
        let operand = cast_to_fill(vm, call, operand, dtype.unwrap_or(prototype.dtype()))?;
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
