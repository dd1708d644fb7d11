//! Windows of signal processing, `unwrap` and `sort_complex`.

use crate::arrays::functions::sorting;
use crate::arrays::functions::windows::{self, Window};
use crate::lang::arrays::call::Call;
use crate::lang::native::{Args, Method, method};
use crate::lang::raise::{Fallible, type_error};
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// The functions of this family.
pub const FUNCTIONS: &[Method] = &[
    method(
        "bartlett",
        "(M, *, device=None, usm_type='device', sycl_queue=None)",
        "A triangle that reaches zero.",
        |vm, args| made(vm, args, Window::Bartlett, 1),
    ),
    method(
        "blackman",
        "(M, *, device=None, usm_type='device', sycl_queue=None)",
        "A window of three cosines.",
        |vm, args| made(vm, args, Window::Blackman, 1),
    ),
    method(
        "hamming",
        "(M, *, device=None, usm_type='device', sycl_queue=None)",
        "A raised cosine that does not reach zero.",
        |vm, args| made(vm, args, Window::Hamming, 1),
    ),
    method("hanning", "(M, *, device=None, usm_type='device', sycl_queue=None)", "A raised cosine.", |vm, args| {
        made(vm, args, Window::Hanning, 1)
    }),
    method(
        "kaiser",
        "(M, beta, *, device=None, usm_type='device', sycl_queue=None)",
        "A Bessel function with a shape parameter.",
        |vm, args| {
            let beta = Call::of(args).float_or(vm, 1, 0.0)?;
            made(vm, args, Window::Kaiser(beta), 2)
        },
    ),
    method(
        "unwrap",
        "(p, discont=None, axis=-1, *, period=6.283185307179586)",
        "Takes jumps of more than half a period between neighbours out.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            let discont = match call.args.not_none(vm, 1) {
                Some(_) => Some(call.float_or(vm, 1, 0.0)?),
                None => None,
            };
            let axis = call.int_or(vm, 2, -1)?;
            let whole = matches!(call.args.peek(vm, 3), Value::Int(_));
            let period = call.float_or(vm, 3, std::f64::consts::TAU)?;
            call.array_from(vm, || windows::unwrap(&array, discont, axis, period, whole, call.rules()))
        },
    ),
    method(
        "sort_complex",
        "(a)",
        "Sorted by the real part, then by the imaginary part, as complex numbers.",
        |vm, args| {
            let call = Call::of(args);
            let array = call.array(vm, 0)?;
            call.array_from(vm, || sorting::sort_complex(&array))
        },
    ),
];

/// A window of as many points as the first argument says; the place is told from `place` on.
fn made(vm: &mut Vm, args: Args, window: Window, place: usize) -> Fallible<Value> {
    let call = Call::of(args);
    let count = match call.args.peek(vm, 0) {
        // NumPy takes any number and counts what fits below it.
        Value::Float(points) => points.ceil() as i64,
        Value::Int(_) | Value::Bool(_) | Value::Scalar(_) | Value::Big(_) => call.int_or(vm, 0, 0)?,
        other => return Err(type_error(format!("M must be a number of points, not '{}'", other.type_name()))),
    };
    let alloc = call.alloc(vm, place, place + 1, place + 2)?;
    call.array_from(vm, || windows::window(window, count, &alloc, call.rules()))
}
