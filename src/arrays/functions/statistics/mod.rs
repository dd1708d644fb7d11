//! Statistics beyond the plain reductions: order statistics, averages, covariance, histograms, and comparison within tolerances.

mod closeness;
mod covariance;
mod histograms;
mod partial;
mod quantiles;

pub use closeness::{allclose, array_equal, array_equiv, isclose};
pub use covariance::{average, corrcoef, cov};
pub use histograms::{Bins, bincount, histogram, histogram_bin_edges, histogramdd};
pub use partial::{Part, mean, variance};
pub use quantiles::{QuantileMethod, median, quantile};

use super::calculus::subtract;
use crate::arrays::array::Array;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::{Expr, ReduceOp};
use crate::arrays::op::Flavour;

/// `ptp`: the largest minus the smallest element.
pub fn ptp(array: &Array, axes: Option<&[i64]>, keepdims: bool, flavour: Flavour) -> Result<Array, ArrayError> {
    let value = Expr::array(array);
    let largest = value.reduce(ReduceOp::Maximum, axes, keepdims, None, flavour)?;
    let smallest = value.reduce(ReduceOp::Minimum, axes, keepdims, None, flavour)?;
    subtract(&largest, &smallest, flavour)?.evaluate()
}
