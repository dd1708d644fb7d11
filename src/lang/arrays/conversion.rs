//! Functions and methods that convert arrays: dtype, order, place, and between libraries.

use crate::arrays::dtype::Casting;
use crate::arrays::functions::convert;
use crate::arrays::functions::support::MemoryOrder;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::{array_value, warn_lost_imaginary};
use crate::lang::arrays::dtype::dtype_value;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, pending};
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "astype",
        "(x, dtype, /, *, order='K', casting='unsafe', copy=True, device=None)",
        "The array in another dtype.",
        |vm, args| astype(vm, Call::of(args), [2, 3, 4, 5]),
    ),
    method("asnumpy", "(a, order='C')", "A copy in host memory as a NumPy array.", |vm, args| {
        let value = args.get(vm, 0);
        match &value {
            Value::Array(array) => {
                let computed = pending::compute(vm, array)?;
                let host = pending::with_relief(vm, |_| convert::asnumpy(&computed))?;
                Ok(array_value(ArrayFlavour::NumPy, host))
            }
            other => nested::host_array(vm, other).map(|host| array_value(ArrayFlavour::NumPy, host)),
        }
    }),
    method("unstack", "(x, /, *, axis=0)", "The slices along an axis; views.", |vm, args| {
        let call = Call::of(args);
        let (array, axis) = (call.array(vm, 0)?, call.axis_or(vm, 1, 0)?);
        convert::unstack(&array, axis).map(|parts| call.give_tuple(parts)).map_err(raised)
    }),
    method("may_share_memory", "(a, b, max_work=None)", "Whether two arrays may overlap in memory.", |vm, args| {
        let call = Call::of(args);
        let (left, right) = (call.array(vm, 0)?, call.array(vm, 1)?);
        Ok(Value::Bool(left.may_overlap(&right)))
    }),
    method("shares_memory", "(a, b, max_work=None)", "Whether two arrays overlap in memory.", |vm, args| {
        let call = Call::of(args);
        let (left, right) = (call.array(vm, 0)?, call.array(vm, 1)?);
        Ok(Value::Bool(left.shares_memory(&right)))
    }),
    method("shape", "(a)", "Elements along each axis.", |vm, args| {
        let call = Call::of(args);
        Ok(super::ndarray::shape_value(anything(vm, call)?.shape()))
    }),
    method("ndim", "(a)", "The number of axes.", |vm, args| {
        let call = Call::of(args);
        Ok(Value::from(anything(vm, call)?.rank()))
    }),
    method("size", "(a, axis=None)", "The number of elements.", |vm, args| {
        let call = Call::of(args);
        let array = anything(vm, call)?;
        let Some(axes) = call.axes(vm, 1)? else { return Ok(Value::from(array.len_elements())) };
        let mut count = 1;
        for axis in axes {
            count *= array.shape()[crate::arrays::layout::normalize_axis(axis, array.rank()).map_err(raised)?];
        }
        Ok(Value::from(count))
    }),
    method("result_type", "(*arrays_and_dtypes)", "The dtype that operands promote to.", result_type),
    method("promote_types", "(type1, type2, /)", "The dtype that two dtypes promote to.", |vm, args| {
        let call = Call::of(args);
        match (call.dtype(vm, 0)?, call.dtype(vm, 1)?) {
            (Some(a), Some(b)) => Ok(dtype_value(a.promote(b))),
            _ => Err(raise::type_error("promote_types takes two dtypes")),
        }
    }),
    method("can_cast", "(from_, /, to, casting='safe')", "Whether a cast is allowed.", |vm, args| {
        let call = Call::of(args);
        let from = match args.get(vm, 0) {
            Value::Array(array) => array.dtype(),
            Value::Scalar(scalar) => scalar.dtype,
            other => super::dtype::dtype_argument(&other)?
                .ok_or_else(|| raise::type_error("did not understand one of the types; 'None' not accepted"))?,
        };
        let Some(to) = call.dtype(vm, 1)? else {
            return Err(raise::type_error("did not understand one of the types; 'None' not accepted"));
        };
        let casting = Casting::parse(&call.text_or(vm, 2, "safe")?).map_err(raised)?;
        Ok(Value::Bool(from.can_cast(to, casting)))
    }),
];

/// The methods of this family.
pub const METHODS: &[Method] = &[
    method(
        "astype",
        "(self, dtype, order='K', casting='unsafe', subok=True, copy=True, device=None)",
        "The array in another dtype.",
        |vm, args| {
            let call = Call::of_method(vm, args)?;
            astype(vm, call, [2, 3, 5, 6])
        },
    ),
    method("copy", "(self, /, order='C', *, device=None, usm_type=None, sycl_queue=None)", "A copy.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = call.array(vm, 0)?;
        let order = MemoryOrder::parse(&call.text_or(vm, 1, "C")?).map_err(raised)?;
        if call.is_numpy() {
            return call.array_from(vm, || convert::copy(&array, order));
        }
        let mut alloc = array.alloc();
        if let Some(usm) = call.usm_type(vm, 3)? {
            alloc.usm = usm;
        }
        if let Some(queue) = call.queue(vm, 2, 4)? {
            alloc.place = crate::arrays::device::Place::Queue(queue);
        }
        if alloc == array.alloc() {
            return call.array_from(vm, || convert::copy(&array, order));
        }
        call.array_from(vm, || convert::copy_to(&array, None, &alloc))
    }),
    method("view", "(self, /, dtype=None, *, type=None)", "The same memory read as another dtype.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = call.array(vm, 0)?;
        match call.dtype(vm, 1)? {
            None => Ok(call.give(array)),
            Some(dtype) => array.view_as(dtype).map(|view| call.give(view)).map_err(raised),
        }
    }),
];

/// The first argument as an array, numbers and sequences too: what is only asked about need not be on a device.
pub fn anything(vm: &mut Vm, call: Call) -> Fallible<crate::arrays::array::Array> {
    match call.args.get(vm, 0) {
        Value::Array(_) => call.array(vm, 0),
        other => nested::host_array(vm, &other),
    }
}

/// `places`: order, casting, copy, device.
fn astype(vm: &mut Vm, call: Call, places: [usize; 4]) -> Fallible<Value> {
    let [order, casting, copy, device] = places;
    let array = call.array(vm, 0)?;
    let Some(dtype) = call.dtype(vm, 1)?.or(Some(crate::arrays::dtype::DType::default_float(array.place().fp64())))
    else {
        return Err(raise::type_error("astype takes a dtype"));
    };
    let order = MemoryOrder::parse(&call.text_or(vm, order, "K")?).map_err(raised)?;
    let casting = Casting::parse(&call.text_or(vm, casting, "unsafe")?).map_err(raised)?;
    let copy = call.truth_or(vm, copy, true)?;
    let device = call.args.not_none(vm, device);
    if let Some(device) = device.filter(|_| !call.is_numpy()) {
        let queue = super::device::queue_of_device(&device)?;
        let alloc = crate::arrays::array::Alloc { place: crate::arrays::device::Place::Queue(queue), ..array.alloc() };
        if alloc.place != *array.place() {
            return call.array_from(vm, || convert::copy_to(&array, Some(dtype), &alloc));
        }
    }
    if !copy && dtype == array.dtype() {
        return Ok(call.args.get(vm, 0));
    }
    if call.is_numpy()
        && array.dtype().is_complex()
        && !dtype.is_complex()
        && !dtype.is_bool()
        && casting == Casting::Unsafe
    {
        warn_lost_imaginary(vm)?;
    }
    call.array_from(vm, || convert::astype(&array, dtype, order, casting, copy, call.rules()))
}

fn result_type(vm: &mut Vm, args: Args) -> Fallible<Value> {
    use crate::arrays::scalar::Operand;
    let given = args.get(vm, 0);
    let (mut typed, mut weak) = (Vec::new(), Vec::new());
    for operand in vm.collect(&given)? {
        match &operand {
            Value::Array(array) => typed.push(array.dtype()),
            other => match super::convert::scalar_of(other)? {
                Some(Operand::Typed(_, dtype)) => typed.push(dtype),
                Some(Operand::Weak(scalar)) => weak.push(scalar.kind()),
                None => match super::dtype::dtype_argument(other)? {
                    Some(dtype) => typed.push(dtype),
                    None => return Err(raise::type_error("Cannot interpret 'None' as a data type")),
                },
            },
        }
    }
    Ok(dtype_value(crate::arrays::scalar::result_type(&typed, &weak, true)))
}
