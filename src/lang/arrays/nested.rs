//! Sequences of numbers and arrays on their way into one array.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::functions::creation::{NestedData, asarray};
use crate::arrays::layout::Order;
use crate::arrays::op::Flavour;
use crate::lang::arrays::convert::{class_path, scalar_of};
use crate::lang::arrays::dtype::why_not_held;
use crate::lang::arrays::pending;
use crate::lang::name::Name;
use crate::lang::objects::ArrayFlavour;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// How deep lists may nest: NumPy's own limit of dimensions.
const DEPTH_MAX: usize = 64;

/// A number, an array or a nest of sequences of them, as data. `flavour` decides which arrays may stand in it.
pub fn nested_data(vm: &mut Vm, value: &Value, flavour: ArrayFlavour) -> Fallible<NestedData> {
    collect(vm, value, flavour, 0)
}

fn collect(vm: &mut Vm, value: &Value, flavour: ArrayFlavour, depth: usize) -> Fallible<NestedData> {
    if let Some(operand) = scalar_of(value).map_err(|_| object_error(value))? {
        return Ok(NestedData::Scalar(operand));
    }
    match value {
        Value::Array(array) => {
            if flavour == ArrayFlavour::NumPy && array.flavour != ArrayFlavour::NumPy {
                return Err(raise::type_error(
                    "Implicit conversion to a NumPy array is not allowed. Please use `.asnumpy()` to construct a NumPy \
                     array explicitly.",
                ));
            }
            pending::compute(vm, array).map(NestedData::Array)
        }
        Value::List(_) | Value::Tuple(_) | Value::Range(_) => {
            if depth >= DEPTH_MAX {
                return Err(raise::value_error(format!("sequences nest deeper than {DEPTH_MAX} levels")));
            }
            let items = vm.collect(value)?;
            let mut data = Vec::with_capacity(items.len());
            for (position, item) in items.iter().enumerate() {
                if position % 4096 == 4095 {
                    vm.poll()?;
                }
                data.push(collect(vm, item, flavour, depth + 1)?);
            }
            Ok(NestedData::List(data))
        }
        other => match vm.find_special(other, Name::new("__array__")) {
            // What a program's own class says it is.
            Some(method) => match vm.call(&method, &[])? {
                Value::Array(array) => collect(vm, &Value::Array(array), flavour, depth),
                wrong => Err(raise::value_error(format!(
                    "object __array__ method not producing an array: it gave '{}'",
                    wrong.type_name()
                ))),
            },
            None if flavour == ArrayFlavour::NumPy => Err(raise::type_error(why_not_held(other))),
            None => Err(unsupported(other)),
        },
    }
}

/// The error for an element that no array can hold, in dpnp's words.
#[cold]
fn unsupported(value: &Value) -> raise::Raised {
    match value {
        Value::Str(text) => raise::type_error(format!(
            "Numpy array of data type <U{} is not supported. Please convert the input to an array with numeric data type.",
            text.len_chars().max(1)
        )),
        Value::Bytes(bytes) => raise::type_error(format!(
            "Numpy array of data type |S{} is not supported. Please convert the input to an array with numeric data type.",
            bytes.as_bytes().len().max(1)
        )),
        other => object_error(other),
    }
}

#[cold]
fn object_error(value: &Value) -> raise::Raised {
    raise::type_error(format!(
        "Numpy array of data type object is not supported. Please convert the input to an array with numeric data type. \
         (an element is of class '{}')",
        class_path(value)
    ))
}

/// Anything NumPy takes, as a host array.
pub fn host_array(vm: &mut Vm, value: &Value) -> Fallible<Array> {
    host_array_of(vm, value, None)
}

/// As [`host_array`], converted to a dtype.
pub fn host_array_of(vm: &mut Vm, value: &Value, dtype: Option<DType>) -> Fallible<Array> {
    if let Value::Array(array) = value
        && array.flavour == ArrayFlavour::NumPy
        && dtype.is_none_or(|dtype| dtype == array.dtype())
    {
        return pending::compute(vm, array);
    }
    let iterable = match value {
        Value::Iterator(_) | Value::Generator(_) | Value::Dict(_) | Value::Set(_) => {
            return Err(object_error(value));
        }
        other => other,
    };
    let data = nested_data(vm, iterable, ArrayFlavour::NumPy)?;
    pending::with_relief(vm, |_| asarray(&data, dtype, Order::C, &Alloc::HOST, Flavour::NumPy))
}
