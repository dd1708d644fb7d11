//! Calls of statistics and padding.

use super::calls::{text, texts};
use super::case::{Case, alloc};
use crate::arrays::array::Array;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::functions::padding::{self, PadMode};
use crate::arrays::functions::statistics::{self, Bins, QuantileMethod};
use crate::arrays::op::Flavour::NumPy;
use crate::arrays::scalar::{Operand, Scalar};

pub(super) fn call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let x = || case.array(0);
    let y = || case.array(1);
    let axes = |position| case.optional_ints(position);
    let optional = |position| (!case.is_none(position)).then(|| case.array(position));
    let bins = |position| match case.array_or_number(position) {
        Ok(edges) => Bins::Edges(edges),
        Err(_) => Bins::Count(case.int(position)),
    };
    let expr = |position| Expr::array(&case.array(position));
    let computed = |result: Result<Expr, ArrayError>| one(result.and_then(|expression| expression.evaluate()));
    let equality = |result: Result<Option<Expr>, ArrayError>| match result.transpose() {
        Some(equal) => computed(equal),
        None => one(Array::from_scalar(Scalar::Bool(false), DType::Bool, &alloc())),
    };
    let quantile = |skip_nan| {
        let method = QuantileMethod::parse(case.text(3)).unwrap();
        one(statistics::quantile(&x(), &y(), false, axes(2).as_deref(), method, case.truth(4), skip_nan))
    };
    Some(match case.name.as_str() {
        "median" => one(statistics::median(&x(), axes(1).as_deref(), case.truth(2), false)),
        "nanmedian" => one(statistics::median(&x(), axes(1).as_deref(), case.truth(2), true)),
        "ptp" => one(statistics::ptp(&x(), axes(1).as_deref(), case.truth(2), NumPy)),
        "quantile" => quantile(false),
        "nanquantile" => quantile(true),
        "average" => statistics::average(&x(), axes(2).as_deref(), Some(&y()), false, NumPy)
            .and_then(|(mean, sums)| texts(&[mean, sums])),
        "cov" => one(statistics::cov(&x(), None, case.truth(1), case.float(2), None, None, NumPy)),
        "cov_y" => one(statistics::cov(&x(), Some(&y()), true, 1.0, None, None, NumPy)),
        "cov_weights" => one(statistics::cov(&x(), None, true, 1.0, Some(&y()), optional(2).as_ref(), NumPy)),
        "corrcoef" => one(statistics::corrcoef(&x(), None, case.truth(1), NumPy)),
        "histogram" => statistics::histogram(&x(), &bins(1), None, optional(2).as_ref(), case.truth(3))
            .and_then(|(counts, edges)| texts(&[counts, edges])),
        "histogram_range" => {
            let range = case.ints(2);
            statistics::histogram(&x(), &bins(1), Some((range[0] as f64, range[1] as f64)), None, false)
                .and_then(|(counts, edges)| texts(&[counts, edges]))
        }
        "histogram2d" => statistics::histogramdd(&[&x(), &y()], &[bins(2), bins(3)], None, None, false, NumPy)
            .and_then(|(counts, edges)| texts(&[counts, edges[0].clone(), edges[1].clone()])),
        "bincount" => one(statistics::bincount(&x(), optional(1).as_ref(), case.int(2), NumPy)),
        "isclose" => computed(statistics::isclose(&expr(0), &expr(1), 1e-5, 1e-8, case.truth(2), NumPy)),
        "allclose" => computed(statistics::allclose(&expr(0), &expr(1), 1e-5, 1e-8, case.truth(2), NumPy)),
        "array_equal" => equality(statistics::array_equal(&expr(0), &expr(1), case.truth(2), NumPy)),
        "array_equiv" => equality(statistics::array_equiv(&expr(0), &expr(1), NumPy)),
        "pad" => {
            let widths = case.ints(1);
            let array = x();
            one(padding::pad(&array, &vec![(widths[0], widths[1]); array.rank()], &pad_mode(case.text(2)), NumPy))
        }
        _ => return None,
    })
}

fn pad_mode(name: &str) -> PadMode {
    let sevens = || vec![(Operand::Weak(Scalar::Int(7)), Operand::Weak(Scalar::Int(-7)))];
    match name {
        "constant" => PadMode::Constant(sevens()),
        "edge" => PadMode::Edge,
        "linear_ramp" => PadMode::LinearRamp(sevens()),
        "maximum" => PadMode::Maximum(None),
        "mean" => PadMode::Mean(None),
        "median" => PadMode::Median(None),
        "minimum" => PadMode::Minimum(None),
        "reflect" => PadMode::Reflect { odd: false },
        "symmetric" => PadMode::Symmetric { odd: false },
        "reflect_odd" => PadMode::Reflect { odd: true },
        "symmetric_odd" => PadMode::Symmetric { odd: true },
        "wrap" => PadMode::Wrap,
        other => panic!("{other} is no mode"),
    }
}
