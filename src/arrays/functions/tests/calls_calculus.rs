//! Calls of scans, differences, convolutions and interpolation.

use super::calls::text;
use super::case::Case;
use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::calculus::{self, OverlapMode, Spacing};
use crate::arrays::functions::scans::{ScanOp, scan};
use crate::arrays::op::Flavour::NumPy;
use crate::arrays::scalar::Scalar;

pub(super) fn call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let x = || case.array(0);
    let y = || case.array(1);
    let scanned = |op| one(scan(op, &x(), case.optional_int(1), None, false, NumPy));
    let mode = || OverlapMode::parse(case.text(2)).unwrap();
    let optional_float = |position| (!case.is_none(position)).then(|| case.float(position));
    Some(match case.name.as_str() {
        "cumsum" => scanned(ScanOp::Sum),
        "cumprod" => scanned(ScanOp::Product),
        "nancumsum" => scanned(ScanOp::NanSum),
        "nancumprod" => scanned(ScanOp::NanProduct),
        "cumulative_sum" => one(scan(ScanOp::Sum, &x(), Some(0), None, true, NumPy)),
        "diff" => one(calculus::diff(&x(), case.int(1), case.int(2), None, None, NumPy)),
        "diff_ends" => one(calculus::diff(&x(), 1, -1, Some(&y()), Some(&case.array(2)), NumPy)),
        "ediff1d" => one(calculus::ediff1d(&x(), None, None, NumPy)),
        "ediff1d_ends" => one(calculus::ediff1d(&x(), Some(&y()), Some(&case.array(2)), NumPy)),
        "gradient" => one(calculus::gradient(&x(), &Spacing::Uniform(case.float(1)), case.int(2), case.int(3), NumPy)),
        "gradient_at" => one(calculus::gradient(&x(), &Spacing::Coordinates(y()), case.int(2), case.int(3), NumPy)),
        "trapezoid" => one(calculus::trapezoid(&x(), None, case.float(1), case.int(2), NumPy)),
        "trapezoid_at" => one(calculus::trapezoid(&x(), Some(&y()), 1.0, case.int(2), NumPy)),
        "convolve" => one(calculus::convolve(&x(), &y(), mode())),
        "correlate" => one(calculus::correlate(&x(), &y(), mode())),
        "interp" => one(calculus::interp(
            &x(),
            &y(),
            &case.array(2),
            optional_float(3).map(Scalar::Float),
            optional_float(4).map(Scalar::Float),
            optional_float(5),
        )),
        _ => return None,
    })
}
