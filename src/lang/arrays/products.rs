//! Products of arrays: matrix products and what is made of them.

use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::expr;
use crate::arrays::functions::einsum;
use crate::arrays::functions::products::{self, TensorAxes};
use crate::lang::arrays::call::Call;
use crate::lang::arrays::convert::result_value;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::{nested, operators, pending};
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ArrayFlavour, ArrayObject};
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "matmul",
        "(x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, signature=None, axes=None, axis=None)",
        "Matrix product; leading axes broadcast.",
        matmul,
    ),
    method("dot", "(a, b, /, out=None)", "Dot product of vectors, matrix product of matrices.", |vm, args| {
        dot(vm, Call::of(args))
    }),
    method("vdot", "(a, b, /)", "Dot product of the flattened arrays, the first conjugated.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        let result = call.run(vm, || products::vdot(&left, &right, call.rules()))?;
        call.give_result(result)
    }),
    method("inner", "(a, b, /)", "Sum of products over the last axes.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        let result = call.run(vm, || products::inner(&left, &right, call.rules()))?;
        call.give_result(result)
    }),
    method("outer", "(a, b, /, out=None)", "Products of all pairs.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        let result = call.run(vm, || products::outer(&left, &right, call.rules()))?;
        call.give_into(vm, result, 2)
    }),
    method("vecdot", "(x1, x2, /, *, axis=-1)", "Dot products along an axis, the first conjugated.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        let axis = call.axis_or(vm, 2, -1)?;
        let result = call.run(vm, || products::vecdot(&left, &right, axis, call.rules()))?;
        call.give_result(result)
    }),
    method("matvec", "(x1, x2, /)", "Matrices times vectors.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        call.array_from(vm, || products::matvec(&left, &right, call.rules()))
    }),
    method("vecmat", "(x1, x2, /)", "Vectors, conjugated, times matrices.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        call.array_from(vm, || products::vecmat(&left, &right, call.rules()))
    }),
    method("kron", "(a, b, /)", "Kronecker product.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        call.array_from(vm, || products::kron(&left, &right, call.rules()))
    }),
    method("tensordot", "(a, b, /, axes=2)", "Sum of products over chosen axes.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        let axes = tensor_axes(vm, &args.get(vm, 2))?;
        let result = call.run(vm, || products::tensordot(&left, &right, &axes, call.rules()))?;
        call.give_result(result)
    }),
    method("cross", "(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)", "Cross product of vectors.", |vm, args| {
        let (call, left, right) = pair(vm, Call::of(args))?;
        let (mut first, mut second, mut third) =
            (call.axis_or(vm, 2, -1)?, call.axis_or(vm, 3, -1)?, call.axis_or(vm, 4, -1)?);
        if let Some(axis) = call.axis(vm, 5)? {
            (first, second, third) = (axis, axis, axis);
        }
        call.array_from(vm, || products::cross(&left, &right, first, second, third, call.rules()))
    }),
    method("trace", "(a, /, offset=0, axis1=0, axis2=1, dtype=None, out=None)", "Sum along a diagonal.", |vm, args| {
        trace(vm, Call::of(args))
    }),
    method(
        "einsum",
        "(*operands, out=None, dtype=None, order='K', casting='safe', optimize=False)",
        "Sums of products by subscripts.",
        einsum,
    ),
];

/// The methods of this family.
pub const METHODS: &[Method] = &[
    method("dot", "(self, b, out=None)", "Dot product of vectors, matrix product of matrices.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        dot(vm, call)
    }),
    method("trace", "(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", "Sum along a diagonal.", |vm, args| {
        let call = Call::of_method(vm, args)?;
        trace(vm, call)
    }),
];

/// Both operands of a product, scalars becoming 0-d arrays beside the other.
fn pair(vm: &mut Vm, call: Call) -> Fallible<(Call, Array, Array)> {
    let (left, right) = match (call.args.peek(vm, 0), call.args.peek(vm, 1)) {
        (Value::Array(_), _) => {
            let left = call.array(vm, 0)?;
            let right = product_operand(vm, call, 1, &left)?;
            (left, right)
        }
        (_, Value::Array(_)) => {
            let right = call.array(vm, 1)?;
            let left = product_operand(vm, call, 0, &right)?;
            (left, right)
        }
        _ => (call.array(vm, 0)?, call.array(vm, 1)?),
    };
    check_places(&left, &right)?;
    Ok((call, left, right))
}

/// dpnp takes arrays and scalars beside an array, never lists.
fn product_operand(vm: &mut Vm, call: Call, index: usize, other: &Array) -> Fallible<Array> {
    if call.is_numpy() || super::convert::scalar_of(call.args.peek(vm, index))?.is_some() {
        call.array_like(vm, index, other)
    } else {
        call.array(vm, index)
    }
}

fn dot(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let (call, left, right) = pair(vm, call)?;
    let result = call.run(vm, || products::dot(&left, &right, call.rules()))?;
    call.give_into(vm, result, 2)
}

fn trace(vm: &mut Vm, call: Call) -> Fallible<Value> {
    let array = call.array(vm, 0)?;
    let (offset, axis1, axis2) = (call.int_or(vm, 1, 0)?, call.axis_or(vm, 2, 0)?, call.axis_or(vm, 3, 1)?);
    let dtype = call.dtype(vm, 4)?;
    let result = call.run(vm, || products::trace(&array, offset, axis1, axis2, dtype, call.rules()))?;
    call.give_into(vm, result, 5)
}

/// `axes=`: a count, or a pair of axes or of lists of them.
pub fn tensor_axes(vm: &mut Vm, value: &Value) -> Fallible<TensorAxes> {
    use super::convert::ints_argument;
    match value {
        Value::Unset => Ok(TensorAxes::Count(2)),
        Value::List(_) | Value::Tuple(_) => {
            let sides = vm.collect(value)?;
            let [left, right] = sides.as_slice() else {
                return Err(raise::value_error("axes must be an int or a pair of axes"));
            };
            Ok(TensorAxes::Pairs(ints_argument(vm, left)?, ints_argument(vm, right)?))
        }
        other => vm.index(other).map(TensorAxes::Count),
    }
}

fn einsum(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let Value::Tuple(given) = args.get(vm, 0) else {
        return Err(raise::system_error("variadic arguments arrive as a tuple"));
    };
    let Some((first, operands)) = given.items().split_first() else {
        return Err(raise::value_error(
            "must specify the einstein sum subscripts string and at least one operand, or at least one operand and its \
             corresponding subscripts list",
        ));
    };
    let Some(subscripts) = first.as_str().map(str::to_owned) else {
        return Err(raise::not_implemented_error("einsum takes its subscripts as a string here"));
    };
    let mut arrays = Vec::with_capacity(operands.len());
    for operand in operands {
        arrays.push(call.to_array(vm, operand)?);
    }
    for array in arrays.iter().skip(1) {
        check_places(&arrays[0], array)?;
    }
    let dtype = call.dtype(vm, 2)?;
    let refs: Vec<&Array> = arrays.iter().collect();
    let result = call.run(vm, || einsum::einsum(&subscripts, &refs, dtype, call.rules()))?;
    call.give_into(vm, result, 1)
}

/// Operands of a product must share a queue; the message is dpnp's.
fn check_places(left: &Array, right: &Array) -> Fallible<()> {
    if left.place() == right.place() {
        return Ok(());
    }
    Err(raised(ArrayError::Placement { message: "Input arrays must be allocated on the same SYCL queue".into() }))
}

/// `a @ b`; nothing when the other operand may answer the operator itself.
pub fn matmul_operator(vm: &mut Vm, a: &Value, b: &Value) -> Fallible<Option<Value>> {
    let (flavour, left, right) = match (a, b) {
        (Value::Array(left), Value::Array(right)) => {
            if (left.flavour == ArrayFlavour::NumPy) != (right.flavour == ArrayFlavour::NumPy) {
                return Err(raise::type_error(
                    "An array must be any of supported type, but got <class 'numpy.ndarray'>. Arrays on a device and NumPy \
                     arrays do not mix: dpnp.asarray(x) copies a NumPy array to the device",
                ));
            }
            (left.flavour, pending::compute(vm, left)?, pending::compute(vm, right)?)
        }
        (Value::Array(left), Value::List(_)) if left.flavour == ArrayFlavour::NumPy => {
            (left.flavour, pending::compute(vm, left)?, nested::host_array(vm, b)?)
        }
        (Value::List(_), Value::Array(right)) if right.flavour == ArrayFlavour::NumPy => {
            (right.flavour, nested::host_array(vm, a)?, pending::compute(vm, right)?)
        }
        (Value::Array(_), other) | (other, Value::Array(_)) if super::convert::scalar_of(other)?.is_some() => {
            return Err(raise::value_error(
                "matmul: Input operand 1 does not have enough dimensions (has 0, gufunc core with signature \
                 (n?,k),(k,m?)->(n?,m?) requires 1)",
            ));
        }
        _ => return Ok(None),
    };
    check_places(&left, &right)?;
    let product = pending::with_relief(vm, |_| expr::matmul(&left, &right, None, operators::rules(flavour)))?;
    result_value(flavour, product).map(Some)
}

/// `a @= b`
pub fn matmul_in_place(vm: &mut Vm, a: &Ref<ArrayObject>, b: &Value) -> Fallible<Option<Value>> {
    let Some(Value::Array(product)) = matmul_operator(vm, &Value::Array(a.clone()), b)? else { return Ok(None) };
    let (target, product) = (pending::compute(vm, a)?, pending::compute(vm, &product)?);
    operators::check_writable(a)?;
    if target.shape() != product.shape() {
        return Err(raise::value_error(
            "matmul: the result does not have the shape of the array it would be written into",
        ));
    }
    pending::with_relief(vm, |_| crate::arrays::functions::support::copy_into(&target, &product))?;
    Ok(Some(Value::Array(a.clone())))
}

fn matmul(vm: &mut Vm, args: Args) -> Fallible<Value> {
    let call = Call::of(args);
    let left = call.array(vm, 0)?;
    let right = call.array(vm, 1)?;
    check_places(&left, &right)?;
    let dtype = call.dtype(vm, 5)?;
    let product = call.run(vm, || expr::matmul(&left, &right, dtype, call.rules()))?;
    if args.not_none(vm, 2).is_none() {
        return result_value(call.flavour, product);
    }
    if call.is_numpy() {
        super::elementwise::check_out(vm, call, "matmul", product.dtype(), 2)?;
    }
    call.give_into(vm, product, 2)
}
