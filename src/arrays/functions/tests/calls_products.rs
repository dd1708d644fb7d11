//! Calls of products and linear algebra.

use super::calls::{text, texts};
use super::case::Case;
use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::einsum;
use crate::arrays::functions::linalg::{self, NormOrder, QrMode};
use crate::arrays::functions::products::{self, TensorAxes};
use crate::arrays::op::Flavour::NumPy;

pub(super) fn call(case: &Case) -> Option<Result<String, ArrayError>> {
    let one = |result: Result<Array, ArrayError>| result.and_then(|array| text(&array));
    let x = || case.array(0);
    let y = || case.array(1);
    let order = |position: usize| match case.number_or_text(position) {
        None => None,
        Some(Ok(number)) => Some(NormOrder::Number(number)),
        Some(Err("fro")) => Some(NormOrder::Frobenius),
        Some(Err("nuc")) => Some(NormOrder::Nuclear),
        Some(Err(other)) => Some(NormOrder::Unknown(other.to_owned())),
    };
    Some(match case.name.as_str() {
        "dot" => one(products::dot(&x(), &y(), NumPy)),
        "inner" => one(products::inner(&x(), &y(), NumPy)),
        "outer" => one(products::outer(&x(), &y(), NumPy)),
        "kron" => one(products::kron(&x(), &y(), NumPy)),
        "vdot" => one(products::vdot(&x(), &y(), NumPy)),
        "vecdot" => one(products::vecdot(&x(), &y(), -1, NumPy)),
        "tensordot" => one(products::tensordot(&x(), &y(), &TensorAxes::Count(case.int(2)), NumPy)),
        "tensordot_pairs" => {
            one(products::tensordot(&x(), &y(), &TensorAxes::Pairs(case.ints(2), case.ints(3)), NumPy))
        }
        "cross" => one(products::cross(&x(), &y(), -1, -1, -1, NumPy)),
        "trace" => one(products::trace(&x(), case.int(1), case.int(2), case.int(3), None, NumPy)),
        "einsum" => {
            let operands = case.arrays_from(1);
            one(einsum::einsum(case.text(0), &operands.iter().collect::<Vec<_>>(), None, NumPy))
        }
        "norm" => one(linalg::norm(&x(), order(1).as_ref(), case.optional_ints(2).as_deref(), case.truth(3), NumPy)),
        "det" => one(linalg::det(&x(), NumPy)),
        "inv" => one(linalg::inv(&x(), NumPy)),
        "slogdet" => linalg::slogdet(&x(), NumPy).and_then(|(sign, log)| texts(&[sign, log])),
        "matrix_rank" => one(linalg::matrix_rank(&x(), None, NumPy)),
        "matrix_power" => one(linalg::matrix_power(&x(), case.int(1), NumPy)),
        "solve" => one(linalg::solve(&x(), &y(), NumPy)),
        "cond" => one(linalg::cond(&x(), None, NumPy)),
        "svdvals" => one(linalg::svdvals(&x(), NumPy)),
        "qr" => linalg::qr(&x(), QrMode::Reduced, NumPy).and_then(|(q, r)| texts(&[q.unwrap(), r])),
        "cholesky" => one(linalg::cholesky(&x(), false, NumPy)),
        "eigvalsh" => one(linalg::eigvalsh(&x(), false, NumPy)),
        "pinv" => one(linalg::pinv(&x(), None, NumPy)),
        "lstsq" => linalg::lstsq(&x(), &y(), None, NumPy).and_then(|found| texts(&[found.solution, found.residuals])),
        "multi_dot" => {
            let arrays = case.arrays_from(0);
            one(linalg::multi_dot(&arrays.iter().collect::<Vec<_>>(), NumPy))
        }
        _ => return None,
    })
}
