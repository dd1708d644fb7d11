//! Elements as registers: how each dtype is held, read, written and rounded.
//!
//! bool is a truth value in a register and a byte in memory, of which every one but zero is true. float16 is held as
//! float32 and rounded after each operation. A complex number is two registers.

use super::emit::{Emitter, Memory, Parameter, Pointer, Reg, Type};
use crate::arrays::dtype::DType;
use rspirv::spirv::Word;

/// An element in registers; for real dtypes `im` is `re` again and never read.
#[derive(Clone, Copy)]
pub(super) struct Value<'e> {
    pub(super) re: Reg<'e>,
    pub(super) im: Reg<'e>,
}

impl<'e> Value<'e> {
    pub(super) fn real(re: Reg<'e>) -> Value<'e> {
        Value { re, im: re }
    }

    pub(super) fn complex(re: Reg<'e>, im: Reg<'e>) -> Value<'e> {
        Value { re, im }
    }

    pub(super) fn map(self, f: impl Fn(Reg<'e>) -> Reg<'e>) -> Value<'e> {
        Value { re: f(self.re), im: f(self.im) }
    }

    /// This where the condition holds, else the other.
    pub(super) fn or(self, condition: Reg<'e>, other: Value<'e>, dtype: DType) -> Value<'e> {
        let re = condition.select(self.re, other.re);
        if dtype.is_complex() { Value { re, im: condition.select(self.im, other.im) } } else { Value::real(re) }
    }
}

/// The type of the register, or of each of the two, that holds an element.
pub(super) const fn register(dtype: DType) -> Type {
    match dtype {
        DType::Bool => Type::Bool,
        DType::Int8 => Type::I8,
        DType::Int16 => Type::I16,
        DType::Int32 => Type::I32,
        DType::Int64 => Type::I64,
        DType::UInt8 => Type::U8,
        DType::UInt16 => Type::U16,
        DType::UInt32 => Type::U32,
        DType::UInt64 => Type::U64,
        DType::Float16 | DType::Float32 | DType::Complex64 => Type::F32,
        DType::Float64 | DType::Complex128 => Type::F64,
    }
}

/// What an element is in memory.
pub(super) const fn memory(dtype: DType) -> Memory {
    let component = match dtype {
        DType::Bool => Type::U8,
        DType::Float16 => Type::F16,
        other => register(other),
    };
    Memory { component, lanes: if dtype.is_complex() { 2 } else { 1 } }
}

/// A float32 rounded to float16.
pub(super) fn rounded_to_half(value: Reg<'_>) -> Reg<'_> {
    value.convert(Type::F16).convert(Type::F32)
}

/// A result of an operation, as an element of the dtype.
pub(super) fn rounded(value: Value<'_>, dtype: DType) -> Value<'_> {
    if dtype == DType::Float16 { Value::real(rounded_to_half(value.re)) } else { value }
}

/// Reads the element at an index.
pub(super) fn load<'e>(from: Pointer<'e>, index: Reg<'e>, dtype: DType) -> Value<'e> {
    loaded(from.load(index), dtype)
}

/// Reads the real elements from an index on, side by side.
pub(super) fn load_wide<'e>(from: Pointer<'e>, index: Reg<'e>, dtype: DType, width: u32) -> Value<'e> {
    loaded([from.load_wide(index, width); 2], dtype)
}

fn loaded<'e>([re, im]: [Reg<'e>; 2], dtype: DType) -> Value<'e> {
    match dtype {
        DType::Bool => Value::real(re.ne(re.like(0.0))),
        DType::Float16 => Value::real(re.convert(Type::F32)),
        _ => Value { re, im },
    }
}

/// Writes the element at an index.
pub(super) fn store<'e>(to: Pointer<'e>, index: Reg<'e>, value: Value<'e>, dtype: DType) {
    to.store(index, stored(value, dtype));
}

/// Writes real elements that lie side by side from an index on; see [`Pointer::store_wide`].
pub(super) fn store_wide<'e>(
    to: Pointer<'e>,
    index: Reg<'e>,
    value: Value<'e>,
    dtype: DType,
    width: u32,
    around_caches: bool,
) {
    let [elements, _] = stored(value, dtype);
    to.store_wide(index, elements.repeated(width), around_caches);
}

fn stored(Value { re, im }: Value<'_>, dtype: DType) -> [Reg<'_>; 2] {
    match dtype {
        DType::Bool => [re.convert(Type::U8); 2],
        DType::Float16 => [re.convert(Type::F16); 2],
        _ => [re, im],
    }
}

/// The parameters that carry one element by value.
pub(super) fn scalar_parameters(dtype: DType) -> impl Iterator<Item = Parameter> {
    let ty = if dtype.is_bool() { Type::U8 } else { register(dtype) };
    std::iter::repeat_n(Parameter::Value(ty), if dtype.is_complex() { 2 } else { 1 })
}

/// The element that such parameters carry; takes their ids.
pub(super) fn scalar<'e>(emitter: &'e Emitter, ids: &mut impl Iterator<Item = Word>, dtype: DType) -> Value<'e> {
    let mut next = |ty| emitter.wrap(ids.next().expect("a parameter for each register"), ty);
    match dtype {
        DType::Bool => {
            let byte = next(Type::U8);
            Value::real(byte.ne(byte.like(0.0)))
        }
        _ if dtype.is_complex() => {
            let ty = register(dtype);
            Value { re: next(ty), im: next(ty) }
        }
        _ => Value::real(next(register(dtype))),
    }
}
