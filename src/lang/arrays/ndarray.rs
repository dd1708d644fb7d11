//! The attributes and methods of arrays that are about the array itself: shape, dtype, place, conversion, display.
//! Methods that are functions of the module under another name stand in the families' files.

use crate::arrays::array::Array;
use crate::arrays::error::ErrorKind;
use crate::arrays::functions::support::MemoryOrder;
use crate::arrays::functions::{print, support};
use crate::arrays::layout::Order;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::base::base_value;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::{array_value, python_value, scalar_of};
use crate::lang::arrays::dtype::dtype_value;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{device, indexing, operators, pending, printing};
use crate::lang::builtins::array_classes::array_class;
use crate::lang::builtins::classes::{Builtin, attach, builtin_class};
use crate::lang::builtins::generic_alias;
use crate::lang::heap::Ref;
use crate::lang::modules::dpctl;
use crate::lang::name::Name;
use crate::lang::native::{Args, Method, getter, method};
use crate::lang::objects::{ArrayFlavour, ArrayObject, ArrayState};
use crate::lang::operators::BinaryOperator;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Attaches what every array has, and what only arrays on a device have.
pub fn install() {
    for flavour in [ArrayFlavour::Dpnp, ArrayFlavour::Tensor, ArrayFlavour::NumPy] {
        attach(&array_class(flavour), COMMON);
        generic_alias::attach_to(&array_class(flavour));
    }
    for flavour in [ArrayFlavour::Dpnp, ArrayFlavour::Tensor] {
        attach(&array_class(flavour), ON_DEVICE);
    }
    attach(&array_class(ArrayFlavour::NumPy), OF_NUMPY);
}

const OF_NUMPY: &[Method] = &[
    getter("base", "The array that this one is a view of, or None.", |vm, args| {
        let array = this(vm, args)?;
        computed(vm, args)?;
        Ok(base_value(vm, &array))
    }),
    getter("data", "A memoryview of the elements.", |vm, args| {
        let own = args.get(vm, 0);
        vm.call(&Value::Class(builtin_class(Builtin::MemoryView)), &[own])
    }),
];

const COMMON: &[Method] = &[
    getter("shape", "Elements along each axis.", |vm, args| Ok(shape_value(&this(vm, args)?.shape()))),
    method("shape.setter", "(self, shape, /)", "Changes the shape of the array object itself.", set_shape),
    getter("ndim", "The number of axes.", |vm, args| Ok(Value::from(this(vm, args)?.shape().len()))),
    getter("size", "The number of elements.", |vm, args| {
        Ok(Value::from(this(vm, args)?.shape().iter().product::<usize>()))
    }),
    getter("dtype", "The type of the elements.", |vm, args| Ok(dtype_value(this(vm, args)?.dtype()))),
    getter("itemsize", "Bytes of one element.", |vm, args| Ok(Value::from(this(vm, args)?.dtype().bytes()))),
    getter("nbytes", "Bytes of all elements.", |vm, args| {
        let array = this(vm, args)?;
        Ok(Value::from(array.shape().iter().product::<usize>() * array.dtype().bytes()))
    }),
    getter("strides", "Distance of neighbours along each axis, in bytes.", strides),
    getter("real", "The real parts; a view.", |vm, args| {
        let object = this(vm, args)?;
        if object.flavour == ArrayFlavour::NumPy && !object.dtype().is_complex() {
            return Ok(Value::Array(object));
        }
        view(vm, args, |array| {
            if array.dtype().is_complex() {
                crate::arrays::functions::convert::real_view(array)
            } else {
                Ok(array.clone())
            }
        })
    }),
    method("real.setter", "(self, value, /)", "Writes the real parts.", |vm, args| {
        let target = computed(vm, args)?;
        let parts = if target.dtype().is_complex() {
            crate::arrays::functions::convert::real_view(&target).map_err(raised)?
        } else {
            target
        };
        write_parts(vm, args, parts)
    }),
    method("imag.setter", "(self, value, /)", "Writes the imaginary parts.", |vm, args| {
        let target = computed(vm, args)?;
        if !target.dtype().is_complex() {
            return Err(raise::type_error("array does not have imaginary part to set"));
        }
        let parts = crate::arrays::functions::convert::imag_view(&target).map_err(raised)?;
        write_parts(vm, args, parts)
    }),
    getter("imag", "The imaginary parts; a view for complex arrays.", |vm, args| {
        view(vm, args, |array| {
            if array.dtype().is_complex() {
                crate::arrays::functions::convert::imag_view(array)
            } else {
                Array::zeros(array.shape(), array.dtype(), &array.alloc())
            }
        })
    }),
    getter("flags", "Memory order and whether it may be written.", |vm, args| {
        computed(vm, args)?;
        Ok(super::flags::flags_value(&this(vm, args)?))
    }),
    getter("flat", "The elements one after the other, in C order.", |vm, args| {
        let objects = vm.import("_array_objects")?;
        let own = args.get(vm, 0);
        vm.call_method(&objects, Name::new("flatiter"), &[own])
    }),
    getter("T", "All axes reversed; a view.", |vm, args| view(vm, args, |array| Ok(array.transposed()))),
    getter("mT", "The last two axes swapped; a view.", |vm, args| {
        view(vm, args, crate::arrays::functions::shapes::matrix_transpose)
    }),
    method("__repr__", "(self)", "As NumPy prints arrays.", |vm, args| {
        let array = computed(vm, args)?;
        let class = if this(vm, args)?.flavour == ArrayFlavour::Tensor { "usm_ndarray" } else { "array" };
        let options = printing::options();
        let words = printing::words(vm, &array, &options, None)?;
        print::repr_as(class, &array, &options, words).map(Value::str).map_err(raised)
    }),
    method("__str__", "(self)", "As NumPy prints arrays, without the class.", |vm, args| {
        let flavour = this(vm, args)?.flavour;
        let array = computed(vm, args)?;
        if array.rank() == 0 && flavour != ArrayFlavour::NumPy {
            // dpnp prints a 0-d array with the options' precision, NumPy its element in full.
            return print::array2string(&array, &printing::options(), " ", "", "", None)
                .map(Value::str)
                .map_err(raised);
        }
        let options = printing::options();
        let words = printing::words(vm, &array, &options, None)?;
        print::str(&array, &options, words).map(Value::str).map_err(raised)
    }),
    method("__len__", "(self)", "Elements along the first axis.", |vm, args| {
        let array = this(vm, args)?;
        indexing::len(&array).map(Value::from)
    }),
    method("__bool__", "(self)", "The truth of the only element.", |vm, args| {
        let array = this(vm, args)?;
        operators::truth(vm, &array).map(Value::Bool)
    }),
    method("__float__", "(self)", "The only element as a float.", |vm, args| match only(vm, args)? {
        Scalar::Complex(_) => {
            Err(raise::type_error("float() argument must be a string or a real number, not 'complex'"))
        }
        other => Ok(Value::Float(other.real())),
    }),
    method("__complex__", "(self)", "The only element as a complex.", |vm, args| {
        let value = only(vm, args)?.complex();
        Ok(Value::complex(value.re, value.im))
    }),
    method("__divmod__", "(self, value, /)", "Return divmod(self, value).", |vm, args| {
        let (this, value) = (args.get(vm, 0), args.get(vm, 1));
        divided(vm, &this, &value)
    }),
    method("__rdivmod__", "(self, value, /)", "Return divmod(value, self).", |vm, args| {
        let (this, value) = (args.get(vm, 0), args.get(vm, 1));
        divided(vm, &value, &this)
    }),
    method("__int__", "(self)", "The only element as an int.", to_int),
    method("__index__", "(self)", "The only element, an integer of a 0-d array, as an index.", index),
    method("__getitem__", "(self, key, /)", "Elements that a subscript selects.", |vm, args| {
        let (array, key) = (this(vm, args)?, args.get(vm, 1));
        indexing::get_item(vm, &array, &key)
    }),
    method("__setitem__", "(self, key, value, /)", "Writes elements that a subscript selects.", |vm, args| {
        let (array, key, value) = (this(vm, args)?, args.get(vm, 1), args.get(vm, 2));
        indexing::set_item(vm, &array, &key, &value)?;
        Ok(Value::None)
    }),
    method("item", "(self, *args)", "The only element, or the one at a position, as a Python number.", item),
    method("tolist", "(self)", "Nested lists of Python numbers.", |vm, args| {
        let array = computed(vm, args)?;
        to_list(vm, &array)
    }),
    method("__iter__", "(self)", "The items along the first axis.", |vm, args| {
        let own = args.get(vm, 0);
        vm.iter(&own)
    }),
    method("tobytes", "(self, order='C')", "The elements' bytes in C or Fortran order.", |vm, args| {
        let array = computed(vm, args)?;
        vm.reserve(array.bytes())?;
        let order = MemoryOrder::parse(&Call::of_method(vm, args)?.text_or(vm, 1, "C")?).map_err(raised)?;
        let array = match order.resolve(array.layout()) {
            Order::C => array,
            Order::F => array.transposed(),
        };
        let compact = pending::with_relief(vm, |_| support::contiguous(&array))?;
        support::read_bytes(&compact, |bytes| Value::Bytes(Ref::new(crate::lang::objects::BytesObject::new(bytes))))
            .map_err(raised)
    }),
    method("__format__", "(self, spec, /)", "A 0-d array formats as its element.", format),
    method("__contains__", "(self, value, /)", "Whether any element equals the value.", contains),
    method("__copy__", "(self)", "A copy.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        let array = computed(vm, args)?;
        call.array_from(vm, || support::copy(&array, Order::C))
    }),
    method("fill", "(self, value)", "Writes one value into every element.", |vm, args| {
        let (array, value) = (this(vm, args)?, args.get(vm, 1));
        if let Some(Operand::Weak(number @ Scalar::Int(_))) = scalar_of(&value)?
            && array.dtype().is_integer()
        {
            number.convert(array.dtype()).map_err(raised)?;
        }
        indexing::set_item(vm, &array, &Value::Ellipsis, &value)?;
        Ok(Value::None)
    }),
];

/// Quotients and rests.
fn divided(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<Value> {
    let quotient = vm.binary(BinaryOperator::FloorDivide, a, b)?;
    vm.protect(quotient.clone());
    let rest = vm.binary(BinaryOperator::Modulo, a, b);
    vm.unprotect(1);
    Ok(Value::tuple(vec![quotient, rest?]))
}

const ON_DEVICE: &[Method] = &[
    getter("device", "The device it lives on.", |vm, args| Ok(device::device_object(queue(vm, args)?))),
    getter("sycl_queue", "The queue it is bound to.", |vm, args| Ok(dpctl::queue_value(queue(vm, args)?))),
    getter("sycl_device", "The device it lives on.", |vm, args| {
        Ok(dpctl::device_value(queue(vm, args)?.device().clone()))
    }),
    getter("sycl_context", "The context it was allocated in.", |vm, args| {
        Ok(dpctl::context_value(queue(vm, args)?.context().clone()))
    }),
    getter("usm_type", "The kind of its memory: device, shared or host.", |vm, args| {
        let array = computed(vm, args)?;
        Ok(array.usm().map_or(Value::None, |usm| Value::str(usm.name())))
    }),
    getter("data", "Its memory: a USM memory object with its address.", |vm, args| {
        let array = computed(vm, args)?;
        dpctl::memory::array_memory(&array, args.get(vm, 0))
    }),
    method("to_device", "(self, device, /, *, stream=None)", "The array on another queue.", to_device),
    getter("__sycl_usm_array_interface__", "The description other libraries read.", |vm, args| {
        let array = computed(vm, args)?;
        dpctl::memory::array_interface(vm, &array)
    }),
    method("get_array", "(self)", "The same memory as an array of dpnp.tensor.", |vm, args| {
        let array = computed(vm, args)?;
        Ok(array_value(ArrayFlavour::Tensor, array))
    }),
    method("asnumpy", "(self)", "A copy in host memory as a NumPy array.", |vm, args| {
        let array = computed(vm, args)?;
        let host = pending::with_relief(vm, |_| array.copy_to(&crate::arrays::array::Alloc::HOST))?;
        Ok(array_value(ArrayFlavour::NumPy, host))
    }),
    method("__array__", "(self, dtype=None, /, *, copy=None)", "Refused: conversion is explicit.", |_, _| {
        Err(raise::type_error(
            "Implicit conversion to a NumPy array is not allowed. Please use `.asnumpy()` to construct a NumPy array \
             explicitly.",
        ))
    }),
];

/// The array a method is called on.
pub fn this(vm: &Vm, args: Args) -> Fallible<Ref<ArrayObject>> {
    match args.peek(vm, 0) {
        Value::Array(array) => Ok(array.clone()),
        other => Err(raise::type_error(format!("expected an array, got {}", other.type_name()))),
    }
}

/// The computed array a method is called on.
pub fn computed(vm: &mut Vm, args: Args) -> Fallible<Array> {
    let array = this(vm, args)?;
    pending::compute(vm, &array)
}

fn queue(vm: &mut Vm, args: Args) -> Fallible<crate::arrays::device::QueueHandle> {
    let array = computed(vm, args)?;
    array.queue().cloned().ok_or_else(|| raise::attribute_error("a NumPy array is bound to no queue"))
}

/// A shape as a tuple of ints.
pub fn shape_value(shape: &[usize]) -> Value {
    Value::tuple(shape.iter().map(|length| Value::from(*length)).collect::<Vec<_>>())
}

/// `a.shape = ...`: the object shows the same memory under another shape; what would need a copy is refused.
fn set_shape(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (object, call) = (this(vm, args)?, Call::of_method(vm, args)?);
    let shape = crate::lang::arrays::convert::ints_argument(vm, &args.get(vm, 1))?;
    pending::settle(vm)?;
    let array = pending::compute(vm, &object)?;
    let wanted: i64 = shape.iter().product();
    if !call.is_numpy() && !shape.contains(&-1) && usize::try_from(wanted) != Ok(array.len_elements()) {
        let shape: Vec<usize> = shape.iter().map(|length| usize::try_from(*length).unwrap_or(0)).collect();
        return Err(raise::type_error(format!(
            "Can not reshape array of size {} into {}",
            array.len_elements(),
            crate::arrays::error::shape_text(&shape)
        )));
    }
    let reshaped = crate::arrays::functions::shapes::reshape(&array, &shape, MemoryOrder::C, Some(false), call.rules());
    let reshaped = reshaped.map_err(|error| match error.kind() {
        ErrorKind::Value if error.to_string().contains("copy") => raise::attribute_error(
            "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape.",
        ),
        _ => raised(error),
    })?;
    object.state.replace(ArrayState::Ready(reshaped));
    Ok(Value::None)
}

/// Writes a value into the real or imaginary parts of an array.
fn write_parts(vm: &mut Vm, args: Args, parts: Array) -> Fallible<Value> {
    let object = this(vm, args)?;
    operators::check_writable(&object)?;
    pending::settle(vm)?;
    let parts = Ref::new(ArrayObject::ready(object.flavour, parts));
    let value = args.get(vm, 1);
    indexing::set_item(vm, &parts, &Value::Ellipsis, &value)?;
    Ok(Value::None)
}

fn view(
    vm: &mut Vm,
    args: Args,
    make: impl Fn(&Array) -> Result<Array, crate::arrays::error::ArrayError>,
) -> Fallible<Value> {
    let object = this(vm, args)?;
    let array = computed(vm, args)?;
    let view = array_value(object.flavour, make(&array).map_err(raised)?);
    if let Value::Array(view) = &view {
        view.readonly.set(object.readonly.get());
    }
    Ok(view)
}

fn strides(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = computed(vm, args)?;
    let strides = array.layout().strides_bytes(array.dtype().bytes());
    Ok(Value::tuple(strides.iter().map(|stride| Value::Int(*stride as i64)).collect::<Vec<_>>()))
}

fn only(vm: &mut Vm, args: Args) -> Fallible<Scalar> {
    let array = computed(vm, args)?;
    let numpy = this(vm, args)?.flavour == ArrayFlavour::NumPy;
    if !numpy && array.len_elements() != 1 {
        return Err(raise::value_error("only size-1 arrays can be converted to Python scalars"));
    }
    if array.rank() != 0 {
        return Err(raise::type_error("only 0-dimensional arrays can be converted to Python scalars"));
    }
    array.read_scalar(&vec![0; array.rank()]).map_err(raised)
}

fn to_int(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let object = this(vm, args)?;
    let (shape, numpy) = (object.shape(), object.flavour == ArrayFlavour::NumPy);
    if !shape.is_empty() {
        if !numpy && shape.iter().product::<usize>() != 1 {
            return Err(raise::value_error("only size-1 arrays can be converted to Python scalars"));
        }
        return Err(raise::type_error("only 0-dimensional arrays can be converted to Python scalars"));
    }
    match only(vm, args)? {
        Scalar::Float(value) => {
            let float = Value::Float(value);
            let method = crate::lang::name::names::INT;
            vm.call_method(&float, method, &[])
        }
        Scalar::Complex(_) => Err(raise::type_error("int() argument must be a string or a real number, not 'complex'")),
        other => Ok(python_value(Scalar::Int(other.wrapping_int()))),
    }
}

fn index(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = this(vm, args)?;
    if !array.shape().is_empty() || !(array.dtype().is_integer()) {
        return Err(raise::type_error("only integer scalar arrays can be converted to a scalar index"));
    }
    Ok(python_value(Scalar::Int(only(vm, args)?.wrapping_int())))
}

fn item(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let array = computed(vm, args)?;
    let Value::Tuple(position) = args.get(vm, 1) else {
        return Err(raise::system_error("variadic arguments arrive as a tuple"));
    };
    let positions: Vec<Value> = match position.items() {
        [] => {
            if array.len_elements() != 1 {
                return Err(raise::value_error("can only convert an array of size 1 to a Python scalar"));
            }
            return Ok(python_value(array.read_scalar(&vec![0; array.rank()]).map_err(raised)?));
        }
        [Value::Tuple(tuple)] => tuple.items().to_vec(),
        many => many.to_vec(),
    };
    let mut axes = Vec::with_capacity(positions.len());
    for position in &positions {
        axes.push(vm.index(position)?);
    }
    let place = match axes.as_slice() {
        [flat] if array.rank() != 1 => {
            let len = array.len_elements();
            let flat = wrap_index(*flat, 0, len)?;
            array.layout().unravel(flat).to_vec()
        }
        many if many.len() == array.rank() => many
            .iter()
            .zip(array.shape())
            .enumerate()
            .map(|(axis, (index, len))| wrap_index(*index, axis, *len))
            .collect::<Fallible<Vec<usize>>>()?,
        _ => return Err(raise::value_error("incorrect number of indices for array")),
    };
    Ok(python_value(array.read_scalar(&place).map_err(raised)?))
}

fn wrap_index(index: i64, axis: usize, len: usize) -> Fallible<usize> {
    let wrapped = if index < 0 { index + len as i64 } else { index };
    usize::try_from(wrapped)
        .ok()
        .filter(|position| *position < len)
        .ok_or_else(|| raised(crate::arrays::error::ArrayError::IndexOutOfBounds { index, axis, len }))
}

/// Nested lists of Python numbers; a bare number for rank 0.
pub fn to_list(vm: &mut Vm, array: &Array) -> Fallible<Value> {
    vm.reserve(array.len_elements().saturating_mul(size_of::<Value>()))?;
    let scalars = support::scalars(array).map_err(raised)?;
    let mut elements = scalars.into_iter();
    Ok(nest(array.shape(), &mut elements))
}

fn nest(shape: &[usize], elements: &mut impl Iterator<Item = Scalar>) -> Value {
    match shape {
        [] => elements.next().map_or(Value::None, python_value),
        [len, rest @ ..] => Value::list((0..*len).map(|_| nest(rest, elements)).collect()),
    }
}

fn format(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let spec = args.text(vm, 1, "format() argument 2")?;
    let array = computed(vm, args)?;
    if array.rank() == 0 {
        let element = python_value(array.read_scalar(&[]).map_err(raised)?);
        return Ok(Value::str(&*vm.format(&element, &spec)?));
    }
    if spec.is_empty() {
        let this = args.get(vm, 0);
        return Ok(Value::str(&*vm.str(&this)?));
    }
    let name = args.peek(vm, 0).type_name();
    Err(raise::type_error(format!("unsupported format string passed to {name}.__format__")))
}

fn contains(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let (array, value) = (args.get(vm, 0), args.get(vm, 1));
    let equal = operators::compare(vm, crate::lang::operators::CompareOperator::Equal, &array, &value)?;
    match equal {
        Some(Value::Array(truths)) => {
            let truths = pending::compute(vm, &truths)?;
            let count = crate::arrays::functions::rearrange::count_true(&truths).map_err(raised)?;
            Ok(Value::Bool(count > 0))
        }
        Some(other) => vm.truth(&other).map(Value::Bool),
        None => Ok(Value::Bool(false)),
    }
}

fn to_device(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let target = args.get(vm, 1);
    if let Some(stream) = args.not_none(vm, 2)
        && dpctl::queue_argument(&stream).is_err()
    {
        return Err(raise::type_error(format!(
            "stream argument type was expected to be dpctl.SyclQueue, got <class '{}'> instead",
            crate::lang::arrays::convert::class_path(&stream)
        )));
    }
    let object = this(vm, args)?;
    let array = computed(vm, args)?;
    let queue = device::queue_of_device(&target)?;
    let moved = pending::with_relief(vm, |_| array.to_queue(&queue))?;
    Ok(array_value(object.flavour, moved))
}
