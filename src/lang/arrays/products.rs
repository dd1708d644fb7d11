//! Products of arrays: matrix products and what is made of them.

use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::expr;
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
pub const FUNCTIONS: &[Method] = &[method(
    "matmul",
    "(x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, signature=None, axes=None, axis=None)",
    "Matrix product; leading axes broadcast.",
    matmul,
)];

/// The methods of this family.
pub const METHODS: &[Method] = &[];

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
    call.give_into(vm, product, 2)
}
