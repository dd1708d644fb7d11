//! One primitive on elements of any dtype.

use super::complex::complex;
use super::integer::{boolean, integer, mixed};
use super::real::{Precision, real};
use super::value::{Value, rounded};
use crate::arrays::dtype::DType;
use crate::arrays::op::Op;

/// The answer of an operation whose operands have been cast to `inputs`, as an element of `output`; nothing where the
/// operation has no lowering. Operands that it does not take repeat the first.
pub(super) fn apply<'e>(
    op: Op,
    inputs: [DType; 3],
    compute: DType,
    output: DType,
    values: [Value<'e>; 3],
    fp64: bool,
) -> Option<Value<'e>> {
    let [x, y, z] = values;
    if op == Op::Where {
        return Some(y.or(x.re, z, compute));
    }
    let registers = [x.re, y.re, z.re];
    let precision = Precision { fp64, half: compute == DType::Float16 };
    let answer = match (inputs[0], inputs[1]) {
        (DType::Int64, DType::UInt64) | (DType::UInt64, DType::Int64) if op.arity() == 2 => {
            Value::real(mixed(op, x.re, y.re)?)
        }
        _ if compute.is_bool() => Value::real(boolean(op, registers)?),
        _ if compute.is_integer() => Value::real(integer(op, registers)?),
        _ if compute.is_complex() => complex(op, values, precision)?,
        _ => Value::real(real(op, registers, precision)?),
    };
    Some(rounded(answer, output))
}
