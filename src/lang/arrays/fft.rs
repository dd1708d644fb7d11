//! `fft`: discrete Fourier transforms.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::fft::{self, FftNorm};
use crate::arrays::op::Flavour;
use crate::lang::arrays::call::Call;
use crate::lang::arrays::error::raised;
use crate::lang::arrays::library;
use crate::lang::heap::Ref;
use crate::lang::native::{Args, Method, method};
use crate::lang::objects::{ArrayFlavour, ModuleObject};
use crate::lang::raise::Fallible;
use crate::lang::value::Value;
use crate::lang::vm::Vm;

/// Builds the `fft` submodule of a library.
pub fn bind(parent: &Ref<ModuleObject>, flavour: ArrayFlavour) -> Ref<ModuleObject> {
    library::submodule(parent, "fft", FUNCTIONS, flavour)
}

const ONE: &str = "(a, n=None, axis=-1, norm=None, out=None)";
const SEVERAL: &str = "(a, s=None, axes=None, norm=None, out=None)";

const FUNCTIONS: &[Method] = &[
    method("fft", ONE, "Transform along an axis.", |vm, args| {
        along(vm, args, |a, n, axis, norm, rules| fft::fft(a, n, axis, norm, false, rules))
    }),
    method("ifft", ONE, "Inverse transform along an axis.", |vm, args| {
        along(vm, args, |a, n, axis, norm, rules| fft::fft(a, n, axis, norm, true, rules))
    }),
    method("rfft", ONE, "Transform of real input along an axis.", |vm, args| along(vm, args, fft::rfft)),
    method("irfft", ONE, "Inverse of rfft.", |vm, args| along(vm, args, fft::irfft)),
    method("hfft", ONE, "Transform of input with Hermitian symmetry.", |vm, args| along(vm, args, fft::hfft)),
    method("ihfft", ONE, "Inverse of hfft.", |vm, args| along(vm, args, fft::ihfft)),
    method("fftn", SEVERAL, "Transform along axes.", |vm, args| {
        over(vm, args, None, |a, s, axes, norm, rules| fft::fftn(a, s, axes, norm, false, rules))
    }),
    method("ifftn", SEVERAL, "Inverse transform along axes.", |vm, args| {
        over(vm, args, None, |a, s, axes, norm, rules| fft::fftn(a, s, axes, norm, true, rules))
    }),
    method("fft2", SEVERAL, "Transform along two axes.", |vm, args| {
        over(vm, args, Some(&[-2, -1]), |a, s, axes, norm, rules| fft::fftn(a, s, axes, norm, false, rules))
    }),
    method("ifft2", SEVERAL, "Inverse transform along two axes.", |vm, args| {
        over(vm, args, Some(&[-2, -1]), |a, s, axes, norm, rules| fft::fftn(a, s, axes, norm, true, rules))
    }),
    method("rfftn", SEVERAL, "Transform of real input along axes.", |vm, args| over(vm, args, None, fft::rfftn)),
    method("rfft2", SEVERAL, "Transform of real input along two axes.", |vm, args| {
        over(vm, args, Some(&[-2, -1]), fft::rfftn)
    }),
    method("irfftn", SEVERAL, "Inverse of rfftn.", |vm, args| over(vm, args, None, fft::irfftn)),
    method("irfft2", SEVERAL, "Inverse of rfft2.", |vm, args| over(vm, args, Some(&[-2, -1]), fft::irfftn)),
    method(
        "fftfreq",
        "(n, /, d=1.0, *, device=None, usm_type='device', sycl_queue=None)",
        "Sample frequencies.",
        |vm, args| frequencies(vm, args, fft::fftfreq),
    ),
    method(
        "rfftfreq",
        "(n, /, d=1.0, *, device=None, usm_type='device', sycl_queue=None)",
        "Sample frequencies of rfft.",
        |vm, args| frequencies(vm, args, fft::rfftfreq),
    ),
    method("fftshift", "(x, axes=None)", "The zero frequency moved to the middle.", |vm, args| shift(vm, args, false)),
    method("ifftshift", "(x, axes=None)", "Inverse of fftshift.", |vm, args| shift(vm, args, true)),
];

type Along = fn(&Array, Option<i64>, i64, FftNorm, Flavour) -> Result<Array, ArrayError>;
type Over = fn(&Array, Option<&[i64]>, Option<&[i64]>, FftNorm, Flavour) -> Result<Array, ArrayError>;

fn norm(vm: &mut Vm, call: Call) -> Fallible<FftNorm> {
    let name = match call.args.not_none(vm, 3) {
        Some(value) => Some(vm.str(&value)?),
        None => None,
    };
    FftNorm::parse(name.as_deref(), call.rules()).map_err(raised)
}

fn along(vm: &mut Vm, args: Args, work: Along) -> Fallible<Value> {
    let call = Call::of(args);
    let (array, n, axis, norm) = (call.array(vm, 0)?, call.axis(vm, 1)?, call.axis_or(vm, 2, -1)?, norm(vm, call)?);
    let result = call.run(vm, || work(&array, n, axis, norm, call.rules()))?;
    call.give_into(vm, result, 4)
}

fn over(vm: &mut Vm, args: Args, default: Option<&[i64]>, work: Over) -> Fallible<Value> {
    let call = Call::of(args);
    let (array, lengths, axes, norm) = (call.array(vm, 0)?, call.axes(vm, 1)?, call.axes(vm, 2)?, norm(vm, call)?);
    let axes = axes.as_deref().or(default);
    let result = call.run(vm, || work(&array, lengths.as_deref(), axes, norm, call.rules()))?;
    call.give_into(vm, result, 4)
}

fn frequencies(vm: &mut Vm, args: Args, work: fn(i64, f64, &Alloc) -> Result<Array, ArrayError>) -> Fallible<Value> {
    let call = Call::of(args);
    let n = vm.index(&args.get(vm, 0))?;
    let (d, alloc) = (call.float_or(vm, 1, 1.0)?, call.alloc(vm, 2, 3, 4)?);
    call.array_from(vm, || work(n, d, &alloc))
}

fn shift(vm: &mut Vm, args: Args, inverse: bool) -> Fallible<Value> {
    let call = Call::of(args);
    let (array, axes) = (call.array(vm, 0)?, call.axes(vm, 1)?);
    call.array_from(vm, || fft::fftshift(&array, axes.as_deref(), inverse))
}
