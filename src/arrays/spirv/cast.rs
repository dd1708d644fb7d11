//! Conversions between all pairs of dtypes, as the native engine makes them.

use super::emit::{Reg, Type};
use super::value::{Value, register, rounded_to_half};
use crate::arrays::dtype::DType;

/// Integers up to 32 bits go through int32 on their way from a float, as the hardware's conversion does: what it cannot
/// hold becomes the smallest.
fn float_to_i32(x: Reg<'_>) -> Reg<'_> {
    let low = if x.ty == Type::F64 { x.gt(x.like(-2147483649.0)) } else { x.ge(x.like(-2147483648.0)) };
    let fits = low & x.lt(x.like(2147483648.0));
    let whole = fits.select(x, x.like(0.0)).convert(Type::I32);
    fits.select(whole, whole.like(i32::MIN as f64))
}

fn float_to_i64(x: Reg<'_>) -> Reg<'_> {
    let fits = x.abs().lt(x.like(9223372036854775808.0));
    let whole = fits.select(x, x.like(0.0)).convert(Type::I64);
    fits.select(whole, whole.like(i64::MIN as f64))
}

fn float_to_u64(x: Reg<'_>) -> Reg<'_> {
    let below = float_to_i64(x).convert(Type::U64);
    let large = x.ge(x.like(9223372036854775808.0));
    let fits = large & x.lt(x.like(18446744073709551616.0));
    let upper = fits.select(x, x.like(0.0)).convert(Type::U64);
    large.select(upper, below)
}

/// A float as an integer of the given type.
fn float_to_integer(x: Reg<'_>, to: Type) -> Reg<'_> {
    match to {
        Type::U64 => float_to_u64(x),
        Type::I64 => float_to_i64(x),
        Type::U32 => float_to_i64(x).convert(Type::U32),
        Type::I32 => float_to_i32(x),
        narrower => float_to_i32(x).convert(narrower),
    }
}

/// Whether an element is true.
pub(super) fn truth(value: Value<'_>, dtype: DType) -> Reg<'_> {
    match dtype {
        DType::Bool => value.re,
        _ if dtype.is_complex() => value.re.ne(value.re.like(0.0)) | value.im.ne(value.im.like(0.0)),
        _ => value.re.ne(value.re.like(0.0)),
    }
}

/// An element as another dtype.
pub(super) fn cast(value: Value<'_>, from: DType, to: DType) -> Value<'_> {
    if from == to {
        return value;
    }
    if to.is_bool() {
        return Value::real(truth(value, from));
    }
    let ty = register(to);
    if to.is_complex() {
        let re = value.re.convert(ty);
        let im = if from.is_complex() { value.im.convert(ty) } else { re.like(0.0) };
        return Value::complex(re, im);
    }
    let re = value.re;
    Value::real(match to {
        DType::Float16 if re.ty == Type::F64 => re.convert(Type::F16).convert(Type::F32),
        DType::Float16 => rounded_to_half(re.convert(Type::F32)),
        _ if re.ty.is_float() && !ty.is_float() => float_to_integer(re, ty),
        _ => re.convert(ty),
    })
}
