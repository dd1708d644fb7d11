//! `median`, `percentile`, `quantile` and their forms that leave NaN out. Lines are sorted, then read between neighbours.

use num_complex::Complex64;

use crate::arrays::array::Array;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::{shapes, sorting, support};
use crate::arrays::layout::{Dims, Layout};
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// How a quantile that falls between two elements is found; NumPy's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are NumPy's method names")]
pub enum QuantileMethod {
    InvertedCdf,
    AveragedInvertedCdf,
    ClosestObservation,
    InterpolatedInvertedCdf,
    Hazen,
    Weibull,
    Linear,
    MedianUnbiased,
    NormalUnbiased,
    Lower,
    Higher,
    Midpoint,
    Nearest,
}

impl QuantileMethod {
    /// Reads NumPy's name, or gives its error.
    pub fn parse(name: &str) -> Result<Self, ArrayError> {
        Ok(match name {
            "inverted_cdf" => QuantileMethod::InvertedCdf,
            "averaged_inverted_cdf" => QuantileMethod::AveragedInvertedCdf,
            "closest_observation" => QuantileMethod::ClosestObservation,
            "interpolated_inverted_cdf" => QuantileMethod::InterpolatedInvertedCdf,
            "hazen" => QuantileMethod::Hazen,
            "weibull" => QuantileMethod::Weibull,
            "linear" => QuantileMethod::Linear,
            "median_unbiased" => QuantileMethod::MedianUnbiased,
            "normal_unbiased" => QuantileMethod::NormalUnbiased,
            "lower" => QuantileMethod::Lower,
            "higher" => QuantileMethod::Higher,
            "midpoint" => QuantileMethod::Midpoint,
            "nearest" => QuantileMethod::Nearest,
            other => return Err(ArrayError::value(format!("'{other}' is not a valid method for quantile"))),
        })
    }

    /// Whether the result is always one of the elements, so that integers stay integers.
    fn picks_elements(self) -> bool {
        matches!(
            self,
            QuantileMethod::InvertedCdf
                | QuantileMethod::ClosestObservation
                | QuantileMethod::Lower
                | QuantileMethod::Higher
                | QuantileMethod::Nearest
        )
    }

    /// The element before the quantile among `n`, and how far the quantile lies towards the next.
    fn locate(self, n: usize, q: f64) -> (usize, f64) {
        let count = n as f64;
        let between = |alpha: f64, beta: f64| count * q + (alpha + q * (1.0 - alpha - beta)) - 1.0;
        let virtual_index = match self {
            QuantileMethod::InvertedCdf
            | QuantileMethod::AveragedInvertedCdf
            | QuantileMethod::InterpolatedInvertedCdf => count * q - 1.0,
            QuantileMethod::ClosestObservation => count * q - 1.0 - 0.5,
            QuantileMethod::Hazen => between(0.5, 0.5),
            QuantileMethod::Weibull => between(0.0, 0.0),
            QuantileMethod::MedianUnbiased => between(1.0 / 3.0, 1.0 / 3.0),
            QuantileMethod::NormalUnbiased => between(3.0 / 8.0, 3.0 / 8.0),
            QuantileMethod::Linear
            | QuantileMethod::Lower
            | QuantileMethod::Higher
            | QuantileMethod::Midpoint
            | QuantileMethod::Nearest => (count - 1.0) * q,
        };
        let floor = virtual_index.floor();
        let fraction = virtual_index - floor;
        let gamma = match self {
            QuantileMethod::InvertedCdf | QuantileMethod::Higher => f64::from(u8::from(fraction > 0.0)),
            QuantileMethod::AveragedInvertedCdf if fraction == 0.0 => 0.5,
            QuantileMethod::AveragedInvertedCdf => 1.0,
            // The even order statistic at a tie; counted from zero it has an odd index.
            QuantileMethod::ClosestObservation => f64::from(u8::from(!(fraction == 0.0 && floor % 2.0 == 1.0))),
            QuantileMethod::Lower => 0.0,
            QuantileMethod::Midpoint if fraction != 0.0 => 0.5,
            QuantileMethod::Midpoint => 0.0,
            QuantileMethod::Nearest => {
                let up = fraction > 0.5 || (fraction == 0.5 && floor % 2.0 != 0.0);
                f64::from(u8::from(up))
            }
            QuantileMethod::Hazen
            | QuantileMethod::InterpolatedInvertedCdf
            | QuantileMethod::Weibull
            | QuantileMethod::Linear
            | QuantileMethod::MedianUnbiased
            | QuantileMethod::NormalUnbiased => fraction,
        };
        if floor < 0.0 {
            return (0, 0.0);
        }
        let last = n - 1;
        if floor as usize >= last { (last, 0.0) } else { (floor as usize, gamma) }
    }
}

/// The reduced axes of an array joined into one, last and sorted.
struct SortedLines {
    /// Sorted, C-contiguous, one line per row.
    lines: Array,
    len: usize,
    /// The shape of what is left.
    kept: Dims,
}

fn sorted_lines(array: &Array, axes: Option<&[i64]>, keepdims: bool) -> Result<SortedLines, ArrayError> {
    let rank = array.rank();
    let axes: Dims = match axes {
        None => (0..rank).collect(),
        Some(axes) => support::axes_set_named(axes, rank, "duplicate value in 'axis'")?,
    };
    let free: Vec<usize> = (0..rank).filter(|axis| !axes.contains(axis)).collect();
    let order: Vec<i64> = free.iter().chain(&axes).map(|axis| *axis as i64).collect();
    let moved = support::copy(&shapes::transpose(array, Some(&order))?, crate::arrays::layout::Order::C)?;
    let len: usize = axes.iter().map(|axis| array.shape()[*axis]).product();
    let rows: usize = free.iter().map(|axis| array.shape()[*axis]).product();
    let flat = moved.view(Layout { offset: moved.layout().offset, ..Layout::contiguous(&[rows, len]) });
    let kept = (0..rank)
        .filter_map(|axis| match (axes.contains(&axis), keepdims) {
            (false, _) => Some(array.shape()[axis]),
            (true, true) => Some(1),
            (true, false) => None,
        })
        .collect();
    Ok(SortedLines { lines: sorting::sort(&flat, Some(1), false)?, len, kept })
}

/// `quantile` and `nanquantile`: the shape of `q` comes first in the result. `q` runs from 0 to 1; a Python number is a weak one, whose
/// dtype does not widen the result.
pub fn quantile(
    array: &Array,
    q: &Array,
    weak_q: bool,
    axes: Option<&[i64]>,
    method: QuantileMethod,
    keepdims: bool,
    skip_nan: bool,
) -> Result<Array, ArrayError> {
    let wanted = support::reals(q)?;
    if wanted.iter().any(|q| !(0.0..=1.0).contains(q)) {
        return Err(ArrayError::value("Quantiles must be in the range [0, 1]"));
    }
    if array.dtype().is_complex() {
        return Err(ArrayError::type_error("a must be an array of real numbers"));
    }
    let sorted = sorted_lines(array, axes, keepdims)?;
    let integers = array.dtype().is_integer() || array.dtype().is_bool();
    let dtype = match array.dtype() {
        dtype if integers && method.picks_elements() => dtype,
        _ if integers => DType::default_float(array.place().fp64()),
        dtype if weak_q || method.picks_elements() => dtype,
        dtype => dtype.promote(q.dtype()),
    };
    let narrow = array.dtype() == DType::Float32;
    let rows = sorted.lines.shape()[0];
    let values = support::reals(&sorted.lines)?;
    let shape: Dims = q.shape().iter().chain(&sorted.kept).copied().collect();
    let mut found = Vec::with_capacity(wanted.len() * rows);
    for q in &wanted {
        crate::arrays::attention::check()?;
        for row in 0..rows {
            let line = &values[row * sorted.len..(row + 1) * sorted.len];
            let numbers = &line[..line.partition_point(|value| !value.is_nan())];
            if numbers.is_empty() || (numbers.len() < line.len() && !skip_nan) {
                found.push(f64::NAN);
                continue;
            }
            let (before, gamma) = method.locate(numbers.len(), *q);
            let after = (before + 1).min(numbers.len() - 1);
            found.push(interpolated(numbers[before], numbers[after], gamma, narrow));
        }
    }
    pack(&found, &shape, dtype, array)
}

/// NumPy's interpolation: from the nearer end, so that it is monotonic and exact at both. `narrow` elements are float32, and so is their
/// difference.
fn interpolated(before: f64, after: f64, gamma: f64, narrow: bool) -> f64 {
    if gamma == 0.0 {
        return before;
    }
    if gamma == 1.0 {
        return after;
    }
    let difference = if narrow { f64::from((after - before) as f32) } else { after - before };
    if gamma >= 0.5 { after - difference * (1.0 - gamma) } else { before + difference * gamma }
}

/// `median` and `nanmedian`.
pub fn median(array: &Array, axes: Option<&[i64]>, keepdims: bool, skip_nan: bool) -> Result<Array, ArrayError> {
    let sorted = sorted_lines(array, axes, keepdims)?;
    if array.dtype().is_complex() {
        return complex_median(array, &sorted, skip_nan);
    }
    let dtype = if array.dtype().is_float() { array.dtype() } else { DType::default_float(array.place().fp64()) };
    let rows = sorted.lines.shape()[0];
    let values = support::reals(&sorted.lines)?;
    let found: Vec<f64> = (0..rows)
        .map(|row| {
            let line = &values[row * sorted.len..(row + 1) * sorted.len];
            let numbers = &line[..line.partition_point(|value| !value.is_nan())];
            if numbers.is_empty() || (numbers.len() < line.len() && !skip_nan) {
                return f64::NAN;
            }
            let middle = numbers.len() / 2;
            if numbers.len() % 2 == 1 { numbers[middle] } else { (numbers[middle - 1] + numbers[middle]) / 2.0 }
        })
        .collect();
    pack(&found, &sorted.kept, dtype, array)
}

/// The middle in NumPy's order of complex numbers, by real and then by imaginary part; a NaN that spoils a line is given as it is.
fn complex_median(array: &Array, sorted: &SortedLines, skip_nan: bool) -> Result<Array, ArrayError> {
    let values: Vec<Complex64> = support::scalars(&sorted.lines)?.iter().map(|scalar| scalar.complex()).collect();
    let is_nan = |value: &Complex64| value.re.is_nan() || value.im.is_nan();
    let found: Vec<Complex64> = (0..sorted.lines.shape()[0])
        .map(|row| {
            let line = &values[row * sorted.len..(row + 1) * sorted.len];
            let numbers = &line[..line.partition_point(|value| !is_nan(value))];
            match line.last() {
                Some(last) if numbers.len() < line.len() && (!skip_nan || numbers.is_empty()) => *last,
                None => Complex64::new(f64::NAN, f64::NAN),
                Some(_) if numbers.len() % 2 == 1 => numbers[numbers.len() / 2],
                Some(_) => (numbers[numbers.len() / 2 - 1] + numbers[numbers.len() / 2]) / 2.0,
            }
        })
        .collect();
    let result = support::allocate(&sorted.kept, array.dtype(), &array.alloc())?;
    dispatch!(array.dtype(), T => support::write::<T, _>(&result, |elements| {
        elements.iter_mut().zip(&found).for_each(|(element, value)| *element = <T as Element>::from_scalar(Scalar::Complex(*value)));
        Ok(())
    }))?;
    Ok(result)
}

fn pack(values: &[f64], shape: &[usize], dtype: DType, beside: &Array) -> Result<Array, ArrayError> {
    let result = support::allocate(shape, dtype, &beside.alloc())?;
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        elements.iter_mut().zip(values).for_each(|(element, value)| *element = <T as Element>::from_scalar(Scalar::Float(*value)));
        Ok(())
    }))?;
    Ok(result)
}
