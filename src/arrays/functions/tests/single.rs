//! A device without double precision: everything still has an answer there, in single precision.

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::functions::calculus::{self, OverlapMode, Spacing};
use crate::arrays::functions::fft::FftNorm;
use crate::arrays::functions::linalg::{self, NormOrder};
use crate::arrays::functions::padding::PadMode;
use crate::arrays::functions::random::{Generator, RealDistribution};
use crate::arrays::functions::statistics::{self, Bins, QuantileMethod};
use crate::arrays::functions::windows::{self, Window};
use crate::arrays::functions::{convert, creation, fft, padding, scans, sorting};
use crate::arrays::op::Flavour::Dpnp;
use crate::arrays::scalar::{Operand, Scalar};
use crate::arrays::{UsmKind, registry};

#[test]
fn functions_answer_in_single_precision() {
    let device = registry::add_simulated("gpu mem=64MiB fp64=no").unwrap().remove(0);
    let alloc = Alloc::queue(registry::cached_queue(&device).unwrap(), UsmKind::Device);
    let host = Array::from_slice(&[3.0_f64, 1.0, 4.0, 1.5, 9.0, 2.0, 6.0, 5.0, 3.5], &[3, 3], &Alloc::HOST).unwrap();
    let matrix = convert::copy_to(&host, None, &alloc).unwrap();
    assert_eq!(matrix.dtype(), DType::Float32);
    let counts = Array::from_slice(&[0_i64, 2, 1], &[3], &alloc).unwrap();
    let line = matrix.view(matrix.layout().slice_axis(0, 0, 1).remove_axis(0));
    let weak = |value: f64| Operand::Weak(Scalar::Float(value));
    let normal = RealDistribution::Normal { mean: 0.0, deviation: 1.0 };
    let check = |name: &str, result: Result<Array, ArrayError>, expected: DType| {
        let array = result.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((array.dtype(), array.device()), (expected, &device), "{name}");
    };
    let single = DType::Float32;
    check(
        "linspace",
        creation::linspace(weak(0.0), weak(1.0), 5, true, None, &alloc, Dpnp).map(|(array, _)| array),
        single,
    );
    check("arange", creation::arange(weak(0.0), weak(1.0), weak(0.25), None, &alloc, Dpnp), single);
    check("geomspace", creation::geomspace(weak(1.0), weak(8.0), 4, true, None, &alloc, Dpnp), single);
    check("random", Generator::legacy(1).unwrap().real(normal, &[3], single, &alloc), single);
    check("fft", fft::fft(&matrix, None, -1, FftNorm::Backward, false, Dpnp), DType::Complex64);
    check("irfft", fft::irfft(&matrix, None, -1, FftNorm::Backward, Dpnp), single);
    check("fftfreq", fft::fftfreq(4, 1.0, &alloc), single);
    check("median", statistics::median(&counts, None, false, false), single);
    check(
        "quantile",
        statistics::quantile(&matrix, &line_of(0.5, &alloc), true, None, QuantileMethod::Linear, false, false),
        single,
    );
    check("cov", statistics::cov(&matrix, None, true, 1.0, None, None, Dpnp), single);
    check("average", statistics::average(&counts, None, None, false, Dpnp).map(|(mean, _)| mean), single);
    check(
        "histogram",
        statistics::histogram(&counts, &Bins::Count(3), None, None, true).map(|(counts, _)| counts),
        single,
    );
    check("bincount", statistics::bincount(&counts, Some(&line), 0, Dpnp), single);
    check("interp", calculus::interp(&line, &line_of(2.0, &alloc), &line_of(3.0, &alloc), None, None, None), single);
    check("gradient", calculus::gradient(&counts, &Spacing::Uniform(1.0), 0, 1, Dpnp), single);
    check("trapezoid", calculus::trapezoid(&counts, None, 1.0, -1, Dpnp), single);
    check("convolve", calculus::convolve(&line, &line, OverlapMode::Full), single);
    check("inv", linalg::inv(&matrix, Dpnp), single);
    check("svdvals", linalg::svdvals(&counts_matrix(&alloc), Dpnp), single);
    check("eigvals", linalg::eigvals(&counts_matrix(&alloc), Dpnp), single);
    check("norm", linalg::norm(&counts, Some(&NormOrder::Number(3.0)), None, false, Dpnp), single);
    check("cond", linalg::cond(&matrix, None, Dpnp), single);
    check("cumsum", scans::scan(scans::ScanOp::Sum, &matrix, Some(0), None, true, Dpnp), single);
    check("sort", sorting::sort(&matrix, Some(-1), true), single);
    check("window", windows::window(Window::Kaiser(2.0), 5, &alloc, Dpnp), single);
    check("window", windows::window(Window::Hanning, 5, &alloc, Dpnp), single);
    check("unwrap", windows::unwrap(&matrix, None, -1, std::f64::consts::TAU, false, Dpnp), single);
    check(
        "pad",
        padding::pad(&matrix, &[(1, 1), (0, 2)], &PadMode::LinearRamp(vec![(weak(0.0), weak(1.0))]), Dpnp),
        single,
    );
    check("pad", padding::pad(&matrix, &[(1, 1), (0, 2)], &PadMode::Mean(None), Dpnp), single);
    let whole = Expr::array(&counts);
    let close = statistics::isclose(&whole, &whole, 1e-5, 1e-8, true, Dpnp).and_then(|close| close.evaluate());
    check("isclose", close, DType::Bool);
    registry::finish_all().unwrap();
}

fn line_of(value: f32, alloc: &Alloc) -> Array {
    Array::from_slice(&[value], &[1], alloc).unwrap()
}

fn counts_matrix(alloc: &Alloc) -> Array {
    Array::from_slice(&[2_i64, 1, 0, 3], &[2, 2], alloc).unwrap()
}
