//! Floating-point events (division by zero, overflow, invalid) of kernel calls, for NumPy's warnings.
//!
//! Arithmetic is observed through the processor's sticky flags. The vector functions compute lanes that they then throw
//! away, so their flags mean nothing: there the results are compared with the operands. Nothing is observed unless the
//! program asks for it.

use super::kernel::Kernel;
use crate::arrays::dtype::DType;
use crate::arrays::op::Op;

/// A division of something finite by zero.
pub const DIVIDE: u8 = 1;
/// A result too large for the dtype.
pub const OVERFLOW: u8 = 2;
/// A result that is not a number, from operands that are.
pub const INVALID: u8 = 4;

/// How a kernel call is observed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Watch {
    /// Not at all.
    #[default]
    Nothing,
    /// By the processor's flags.
    Flags,
    /// By comparing results with the first operand; infinite results are divisions by zero.
    Pole(Width),
    /// By comparing results with the first operand; infinite results are overflows.
    Overflow(Width),
    /// By comparing results with both operands, as powers need.
    Power(Width),
    /// By looking for zeros among integer divisors of so many bytes.
    Divisor(u8),
}

/// The float type that is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// float32.
    Single,
    /// float64.
    Double,
}

/// How an operation in a dtype is observed.
pub fn watch(op: Op, dtype: DType) -> Watch {
    use Op::*;
    let width = match dtype {
        DType::Float32 => Some(Width::Single),
        DType::Float64 => Some(Width::Double),
        _ => None,
    };
    match op {
        FloorDivide | Remainder | Fmod if dtype.is_integer() => Watch::Divisor(dtype.bytes() as u8),
        Reciprocal if dtype.is_integer() => Watch::Nothing,
        Add | Subtract | Multiply | Divide | Square | Sqrt | Rsqrt | Reciprocal | FloorDivide | Remainder | Fmod
        | Hypot | Ldexp | Nextafter | Spacing => {
            if dtype.is_inexact() || op == Divide {
                Watch::Flags
            } else {
                Watch::Nothing
            }
        }
        Log | Log2 | Log10 | Log1p | Arctanh => width.map_or(Watch::Nothing, Watch::Pole),
        Exp | Exp2 | Expm1 | Sinh | Cosh | Sin | Cos | Tan | Arcsin | Arccos | Arccosh => {
            width.map_or(Watch::Nothing, Watch::Overflow)
        }
        Power | FloatPower => width.map_or(Watch::Nothing, Watch::Power),
        _ => Watch::Nothing,
    }
}

fn clear() -> u32 {
    let mut state = 0u32;
    // SAFETY: stores and loads the control word, with the same rounding and masks and lowered flags.
    unsafe {
        std::arch::asm!("stmxcsr [{}]", in(reg) &mut state, options(nostack));
        let lowered = state & !0x3f;
        std::arch::asm!("ldmxcsr [{}]", in(reg) &lowered, options(nostack));
    }
    state
}

fn raised() -> u8 {
    let mut state = 0u32;
    // SAFETY: stores the control word.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut state, options(nostack)) };
    let flag = |bit: u32, meaning: u8| if state & bit != 0 { meaning } else { 0 };
    flag(0x01, INVALID) | flag(0x04, DIVIDE) | flag(0x08, OVERFLOW)
}

/// Calls a kernel and answers the events it met.
///
/// # Safety
/// As the kernel; `how` fits the operation and dtype it was found for.
pub unsafe fn observed(how: Watch, kernel: Kernel, inputs: [*const u8; 3], out: *mut u8, n: usize) -> u8 {
    if how == Watch::Flags {
        clear();
    }
    // SAFETY: passed on.
    unsafe { kernel(inputs[0], inputs[1], inputs[2], out, n) };
    // SAFETY: inputs and output hold n elements of the type that `how` names.
    unsafe {
        match how {
            Watch::Nothing => 0,
            Watch::Flags => raised(),
            Watch::Pole(Width::Single) => unary::<f32>(inputs[0], out, n, DIVIDE),
            Watch::Pole(Width::Double) => unary::<f64>(inputs[0], out, n, DIVIDE),
            Watch::Overflow(Width::Single) => unary::<f32>(inputs[0], out, n, OVERFLOW),
            Watch::Overflow(Width::Double) => unary::<f64>(inputs[0], out, n, OVERFLOW),
            Watch::Power(Width::Single) => power::<f32>(inputs, out, n),
            Watch::Power(Width::Double) => power::<f64>(inputs, out, n),
            Watch::Divisor(1) => zeros::<u8>(inputs[1], n),
            Watch::Divisor(2) => zeros::<u16>(inputs[1], n),
            Watch::Divisor(4) => zeros::<u32>(inputs[1], n),
            Watch::Divisor(_) => zeros::<u64>(inputs[1], n),
        }
    }
}

trait Float: Copy + Into<f64> {}
impl Float for f32 {}
impl Float for f64 {}

unsafe fn slice<'a, T>(address: *const u8, n: usize) -> &'a [T] {
    // SAFETY: the caller gives n elements.
    unsafe { std::slice::from_raw_parts(address.cast::<T>(), n) }
}

/// Whether every element is finite, in a form that vectorises.
fn all_finite<T: Float>(values: &[T]) -> bool {
    values.iter().fold(true, |finite, &value| finite & value.into().is_finite())
}

unsafe fn unary<T: Float>(input: *const u8, out: *const u8, n: usize, infinite: u8) -> u8 {
    // SAFETY: passed on.
    let (inputs, results) = unsafe { (slice::<T>(input, n), slice::<T>(out, n)) };
    if all_finite(results) {
        return 0;
    }
    inputs.iter().zip(results).fold(0, |events, (&x, &y)| {
        let (x, y): (f64, f64) = (x.into(), y.into());
        events
            | if y.is_nan() && !x.is_nan() {
                INVALID
            } else if y.is_infinite() && x.is_finite() {
                infinite
            } else {
                0
            }
    })
}

unsafe fn power<T: Float>(inputs: [*const u8; 3], out: *const u8, n: usize) -> u8 {
    // SAFETY: passed on.
    let (bases, exponents, results) =
        unsafe { (slice::<T>(inputs[0], n), slice::<T>(inputs[1], n), slice::<T>(out, n)) };
    if all_finite(results) {
        return 0;
    }
    bases.iter().zip(exponents).zip(results).fold(0, |events, ((&x, &e), &y)| {
        let (x, e, y): (f64, f64, f64) = (x.into(), e.into(), y.into());
        events
            | if y.is_nan() && !x.is_nan() && !e.is_nan() {
                INVALID
            } else if y.is_infinite() && x.is_finite() && e.is_finite() {
                if x == 0.0 { DIVIDE } else { OVERFLOW }
            } else {
                0
            }
    })
}

unsafe fn zeros<T: Copy + PartialEq + From<u8>>(divisors: *const u8, n: usize) -> u8 {
    // SAFETY: passed on.
    let divisors = unsafe { slice::<T>(divisors, n) };
    if divisors.iter().fold(false, |any, &divisor| any | (divisor == T::from(0))) { DIVIDE } else { 0 }
}
