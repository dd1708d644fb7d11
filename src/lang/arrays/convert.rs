//! Between values of the language and arrays: operands, nested lists, shapes, axes, and results.

use num_bigint::BigInt;
use num_complex::Complex64;
use num_traits::ToPrimitive;

use crate::arrays::array::Array;
use crate::arrays::expr::Expr;
use crate::arrays::plan;
use crate::arrays::scalar::{Operand, Scalar};
use crate::lang::arrays::error::raised;
use crate::lang::arrays::pending;
use crate::lang::builtins::number_text::plain_nan;
use crate::lang::heap::Ref;
use crate::lang::name::Name;
use crate::lang::objects::{ArrayFlavour, ArrayObject, ArrayState, NumpyScalar};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// A value that can take part in element-wise arithmetic.
#[derive(Clone, Debug)]
pub enum Term {
    /// An array.
    Array(Ref<ArrayObject>),
    /// A Python or NumPy scalar.
    Scalar(Operand),
}

/// Warns as NumPy does where a cast drops imaginary parts.
pub fn warn_lost_imaginary(vm: &mut Vm) -> Fallible<()> {
    let (classes, warnings) = (vm.import("_numpy_extras")?, vm.import("warnings")?);
    let class = vm.get_attribute(&classes, Name::new("ComplexWarning"))?;
    let message = Value::str("Casting complex values to real discards the imaginary part");
    vm.call_method(&warnings, Name::new("warn"), &[message, class]).map(drop)
}

/// The scalar that a Python number or a NumPy scalar is; nothing for other values. Ints beyond 128 bits are an error.
pub fn scalar_of(value: &Value) -> Fallible<Option<Operand>> {
    Ok(Some(match value {
        Value::Bool(truth) => Operand::Weak(Scalar::Bool(*truth)),
        Value::Int(number) => Operand::Weak(Scalar::Int(i128::from(*number))),
        Value::Float(number) => Operand::Weak(Scalar::Float(plain_nan(*number))),
        Value::Complex(number) => Operand::Weak(Scalar::Complex(Complex64::new(number.re, number.im))),
        Value::Big(number) => Operand::Weak(Scalar::Int(wide(number.value())?)),
        Value::Scalar(scalar) => Operand::Typed(scalar.value, scalar.dtype),
        Value::Instance(instance) => {
            let payload = instance.payload.borrow().clone();
            return if payload.is_unset() { Ok(None) } else { scalar_of(&payload) };
        }
        _ => return Ok(None),
    }))
}

fn wide(number: &BigInt) -> Fallible<i128> {
    number.to_i128().ok_or_else(|| raise::overflow_error("Python int too large to convert to C long"))
}

/// The array or scalar a value is; nothing for what is neither.
pub fn term_of(value: &Value) -> Fallible<Option<Term>> {
    Ok(match value {
        Value::Array(array) => Some(Term::Array(array.clone())),
        other => scalar_of(other)?.map(Term::Scalar),
    })
}

/// The expression of an array object: a leaf when it is computed, its pending expression when not.
pub fn expression_of(array: &ArrayObject) -> Expr {
    match &*array.state.borrow() {
        ArrayState::Ready(array) => Expr::array(array),
        ArrayState::Pending(expression) => expression.clone(),
    }
}

/// The scalar as a value: Python's own kinds for weak ones, a NumPy scalar for typed ones.
pub fn scalar_value(operand: Operand) -> Value {
    match operand {
        Operand::Weak(scalar) => python_value(scalar),
        Operand::Typed(scalar, dtype) => Value::Scalar(Ref::new(NumpyScalar::new(scalar, dtype))),
    }
}

/// A scalar as Python's `bool`, `int`, `float` or `complex`.
pub fn python_value(scalar: Scalar) -> Value {
    match scalar {
        Scalar::Bool(truth) => Value::Bool(truth),
        Scalar::Int(number) => i64::try_from(number).map_or_else(|_| Value::int(number), Value::Int),
        Scalar::Float(number) => Value::Float(number),
        Scalar::Complex(number) => Value::complex(number.re, number.im),
    }
}

/// An array as a value, always an array.
pub fn array_value(flavour: ArrayFlavour, array: Array) -> Value {
    Value::Array(Ref::new(ArrayObject::ready(flavour, array)))
}

/// The result of a reduction or of full indexing: dpnp keeps a 0-d array, NumPy gives a scalar.
pub fn result_value(flavour: ArrayFlavour, array: Array) -> Fallible<Value> {
    // A plan has no value to make a scalar of; the array stands for it.
    if flavour == ArrayFlavour::NumPy && array.rank() == 0 && !plan::is_on() {
        let scalar = array.read_scalar(&[]).map_err(raised)?;
        return Ok(Value::Scalar(Ref::new(NumpyScalar::new(scalar, array.dtype()))));
    }
    Ok(array_value(flavour, array))
}

/// The computed array of a value that must be one.
pub fn computed(vm: &mut Vm, value: &Value) -> Fallible<Array> {
    match value {
        Value::Array(array) => pending::compute(vm, array),
        other => Err(raise::type_error(format!(
            "An array must be any of supported type, but got <class '{}'>",
            class_path(other)
        ))),
    }
}

/// The class of a value with its module, as messages print it.
pub fn class_path(value: &Value) -> String {
    let class = value.class();
    let (module, name) = (class.module.get().text(), class.name.get().text());
    if module == "builtins" { name.to_owned() } else { format!("{module}.{name}") }
}

/// A shape: an int, or a sequence of ints. Negative lengths are an error.
pub fn shape_argument(vm: &mut Vm, value: &Value) -> Fallible<Vec<usize>> {
    let lengths = ints_argument(vm, value)?;
    lengths
        .into_iter()
        .map(|length| usize::try_from(length).map_err(|_| raise::value_error("negative dimensions are not allowed")))
        .collect()
}

/// An int or a sequence of ints.
pub fn ints_argument(vm: &mut Vm, value: &Value) -> Fallible<Vec<i64>> {
    match value {
        Value::Int(one) => Ok(vec![*one]),
        Value::Tuple(_) | Value::List(_) | Value::Range(_) | Value::Array(_) => {
            let items = vm.collect(value)?;
            items.iter().map(|item| vm.index(item)).collect()
        }
        other => Ok(vec![vm.index(other)?]),
    }
}

/// `axis=`: nothing for `None`, one or several axes otherwise.
pub fn axes_argument(vm: &mut Vm, value: &Value) -> Fallible<Option<Vec<i64>>> {
    match value {
        Value::Unset | Value::None => Ok(None),
        other => ints_argument(vm, other).map(Some),
    }
}

/// `axis=` where only one axis is meant.
pub fn axis_argument(vm: &mut Vm, value: &Value) -> Fallible<Option<i64>> {
    match value {
        Value::Unset | Value::None => Ok(None),
        other => vm.index(other).map(Some),
    }
}
