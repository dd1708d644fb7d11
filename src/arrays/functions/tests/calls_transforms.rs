//! Calls of Fourier transforms and windows; results are rounded to four places before they are compared.

use super::calls::text;
use super::case::{Case, alloc};
use crate::arrays::array::Array;
use crate::arrays::dtype::Element;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::fft::{self, FftNorm};
use crate::arrays::functions::windows::{self, Window};
use crate::arrays::functions::{sorting, support};
use crate::arrays::op::Flavour::NumPy;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

fn rounded(array: &Array) -> Result<String, ArrayError> {
    let place = |value: f64| (value * 1e4).round_ties_even() / 1e4 + 0.0;
    let result = support::copy(array, crate::arrays::layout::Order::C)?;
    dispatch!(result.dtype(), T => support::write::<T, _>(&result, |elements| {
        for element in elements {
            *element = <T as Element>::from_scalar(match element.to_scalar() {
                Scalar::Float(value) => Scalar::Float(place(value)),
                Scalar::Complex(value) => Scalar::Complex(num_complex::Complex64::new(place(value.re), place(value.im))),
                other => other,
            });
        }
        Ok(())
    }))?;
    text(&result)
}

pub(super) fn call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| rounded(&array));
    let exact = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let x = || case.array(0);
    let n = || case.optional_int(1);
    let norm = || FftNorm::parse(Some(case.text(2)), NumPy).unwrap();
    let backward = FftNorm::Backward;
    let (s, axes) = (|| case.optional_ints(1), || case.optional_ints(2));
    Some(match case.name.as_str() {
        "fft" => one(fft::fft(&x(), n(), -1, norm(), false, NumPy)),
        "ifft" => one(fft::fft(&x(), n(), -1, norm(), true, NumPy)),
        "rfft" => one(fft::rfft(&x(), n(), -1, norm(), NumPy)),
        "irfft" => one(fft::irfft(&x(), n(), -1, norm(), NumPy)),
        "hfft" => one(fft::hfft(&x(), n(), -1, norm(), NumPy)),
        "ihfft" => one(fft::ihfft(&x(), n(), -1, norm(), NumPy)),
        "fft_axis" => one(fft::fft(&x(), None, case.int(1), backward, false, NumPy)),
        "fftn" => one(fft::fftn(&x(), s().as_deref(), axes().as_deref(), backward, false, NumPy)),
        "ifftn" => one(fft::fftn(&x(), s().as_deref(), axes().as_deref(), backward, true, NumPy)),
        "rfftn" => one(fft::rfftn(&x(), s().as_deref(), axes().as_deref(), backward, NumPy)),
        "irfftn" => one(fft::irfftn(&x(), s().as_deref(), axes().as_deref(), backward, NumPy)),
        "fftshift" => exact(fft::fftshift(&x(), None, case.truth(1))),
        "fftfreq" => exact(fft::fftfreq(case.int(0), case.float(1), &alloc())),
        "rfftfreq" => exact(fft::rfftfreq(case.int(0), case.float(1), &alloc())),
        "bartlett" => one(windows::window(Window::Bartlett, case.int(0), &alloc(), NumPy)),
        "blackman" => one(windows::window(Window::Blackman, case.int(0), &alloc(), NumPy)),
        "hamming" => one(windows::window(Window::Hamming, case.int(0), &alloc(), NumPy)),
        "hanning" => one(windows::window(Window::Hanning, case.int(0), &alloc(), NumPy)),
        "kaiser" => one(windows::window(Window::Kaiser(case.float(1)), case.int(0), &alloc(), NumPy)),
        "unwrap" => one(windows::unwrap(&x(), None, case.int(1), std::f64::consts::TAU, false, NumPy)),
        "unwrap_int" => exact(windows::unwrap(&x(), None, -1, case.int(1) as f64, true, NumPy)),
        "sort_complex" => exact(sorting::sort_complex(&x())),
        _ => return None,
    })
}
