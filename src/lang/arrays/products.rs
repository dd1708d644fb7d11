//! Products of arrays: matrix products, dot products, `einsum`.

use crate::lang::heap::Ref;
use crate::lang::native::Method;
use crate::lang::objects::ArrayObject;
use crate::lang::raise::{self, Fallible};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[];

/// The methods of this family.
pub const METHODS: &[Method] = &[];

/// `a @ b`; nothing when the other operand may answer the operator itself.
pub fn matmul_operator(_vm: &mut Vm, _a: &Value, _b: &Value) -> Fallible<Option<Value>> {
    Err(raise::not_implemented_error("matmul"))
}

/// `a @= b`
pub fn matmul_in_place(_vm: &mut Vm, _a: &Ref<ArrayObject>, _b: &Value) -> Fallible<Option<Value>> {
    Err(raise::not_implemented_error("matmul"))
}
