//! Counting into bins: `histogram`, `histogramdd`, `bincount`.

use crate::arrays::array::Array;
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::support::{self, HostValues};
use crate::arrays::layout::{Dims, checked_len};
use crate::arrays::op::Flavour;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// Where the bins are.
#[derive(Clone, Debug)]
pub enum Bins {
    /// So many of equal width.
    Count(i64),
    /// Between these edges, rising.
    Edges(Array),
}

/// Edges, and whether they are equally far apart.
struct ResolvedBins {
    edges: HostValues<f64>,
    uniform: bool,
}

impl ResolvedBins {
    fn new(values: &[f64], bins: &Bins, range: Option<(f64, f64)>) -> Result<Self, ArrayError> {
        match bins {
            Bins::Count(count) => {
                let count = usize::try_from(*count)
                    .ok()
                    .filter(|count| *count > 0)
                    .ok_or_else(|| ArrayError::value("`bins` must be positive, when an integer"))?;
                let (first, last) = outer_edges(values, range)?;
                let step = (last - first) / count as f64;
                let all = (0..=count).map(|edge| edge as f64 * step + first);
                let mut edges = HostValues::collect(count.saturating_add(1), all)?;
                edges[count] = last;
                Ok(ResolvedBins { edges, uniform: true })
            }
            Bins::Edges(edges) => {
                if edges.rank() != 1 {
                    return Err(ArrayError::value("`bins` must be 1d, when an array"));
                }
                let edges = support::reals(edges)?;
                let edges = HostValues::collect(edges.len(), edges.iter().copied())?;
                if edges.windows(2).any(|pair| pair[0] > pair[1]) {
                    return Err(ArrayError::value("`bins` must increase monotonically, when an array"));
                }
                Ok(ResolvedBins { edges, uniform: false })
            }
        }
    }

    fn count(&self) -> usize {
        self.edges.len().saturating_sub(1)
    }

    /// The bin of a value; the last bin holds its upper edge.
    fn place(&self, value: f64) -> Option<usize> {
        let (first, last) = (*self.edges.first()?, *self.edges.last()?);
        if !(first..=last).contains(&value) || self.count() == 0 {
            return None;
        }
        if !self.uniform {
            let above = self.edges.partition_point(|edge| *edge <= value);
            return Some(above.clamp(1, self.count()) - 1);
        }
        // Guess by division, then correct what rounding moved across an edge.
        let guess = ((value - first) / (last - first) * self.count() as f64) as usize;
        let mut bin = guess.min(self.count() - 1);
        if value < self.edges[bin] {
            bin -= 1;
        } else if value >= self.edges[bin + 1] && bin + 1 < self.count() {
            bin += 1;
        }
        Some(bin)
    }
}

fn outer_edges(values: &[f64], range: Option<(f64, f64)>) -> Result<(f64, f64), ArrayError> {
    let (first, last, detected) = match range {
        Some((first, last)) => {
            if first > last {
                return Err(ArrayError::value("max must be larger than min in range parameter."));
            }
            (first, last, false)
        }
        None if values.is_empty() => (0.0, 1.0, true),
        None => {
            let nan = values.iter().any(|value| value.is_nan());
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if nan { (f64::NAN, f64::NAN, true) } else { (low, high, true) }
        }
    };
    if !first.is_finite() || !last.is_finite() {
        let origin = if detected { "autodetected" } else { "supplied" };
        let text = |value: f64| {
            crate::arrays::functions::print::float_text(value, crate::arrays::functions::print::FloatWidth::Double)
        };
        return Err(ArrayError::value(format!("{origin} range of [{}, {}] is not finite", text(first), text(last))));
    }
    Ok(if first == last { (first - 0.5, last + 0.5) } else { (first, last) })
}

/// `histogram_bin_edges`.
pub fn histogram_bin_edges(array: &Array, bins: &Bins, range: Option<(f64, f64)>) -> Result<Array, ArrayError> {
    if let Bins::Edges(edges) = bins {
        ResolvedBins::new(&[], bins, range)?;
        return Ok(edges.clone());
    }
    let found = ResolvedBins::new(&support::reals(array)?, bins, range)?;
    edges_array(&found.edges, array)
}

fn edges_array(edges: &[f64], beside: &Array) -> Result<Array, ArrayError> {
    let dtype = if beside.dtype().is_float() { beside.dtype() } else { DType::default_float(beside.place().fp64()) };
    let array = Array::from_slice(edges, &[edges.len()], &crate::arrays::array::Alloc::HOST)?;
    crate::arrays::functions::convert::copy_to(&array, Some(dtype), &beside.alloc())
}

/// `histogram`: counts (or sums of weights, or a density) and the edges.
pub fn histogram(
    array: &Array,
    bins: &Bins,
    range: Option<(f64, f64)>,
    weights: Option<&Array>,
    density: bool,
) -> Result<(Array, Array), ArrayError> {
    let edges_given = match bins {
        Bins::Edges(edges) => Some(edges.clone()),
        Bins::Count(_) => None,
    };
    let resolved = ResolvedBins::new(&support::reals(array)?, bins, range)?;
    let counts = count_into(&[array], &[&resolved], weights, density)?;
    let edges = match edges_given {
        Some(edges) => edges,
        None => edges_array(&resolved.edges, array)?,
    };
    Ok((counts, edges))
}

/// `histogramdd`: one array of coordinates and one set of bins per axis.
pub fn histogramdd(
    samples: &[&Array],
    bins: &[Bins],
    ranges: Option<&[Option<(f64, f64)>]>,
    weights: Option<&Array>,
    density: bool,
    flavour: Flavour,
) -> Result<(Array, Vec<Array>), ArrayError> {
    if samples.len() != bins.len() {
        return Err(ArrayError::value("The dimension of bins must be equal to the dimension of the sample x."));
    }
    let mut resolved = Vec::new();
    for (axis, (sample, bins)) in samples.iter().zip(bins).enumerate() {
        let range = ranges.and_then(|ranges| ranges.get(axis).copied().flatten());
        let mut found = ResolvedBins::new(&support::reals(sample)?, bins, range)?;
        found.uniform = false;
        resolved.push(found);
    }
    let counts = count_into(samples, &resolved.iter().collect::<Vec<_>>(), weights, density)?;
    // Counts in several dimensions are floats, weights or not.
    let float = DType::default_float(samples[0].place().fp64());
    let counts =
        support::cast(&counts, if counts.dtype().is_complex() { float.promote(DType::Complex64) } else { float })?;
    let edges = resolved
        .iter()
        .zip(samples)
        .zip(bins)
        .map(|((resolved, sample), bins)| match bins {
            Bins::Edges(edges) => Ok(edges.clone()),
            // dpnp's edges are of the default float whatever the samples are.
            Bins::Count(_) if flavour == Flavour::Dpnp => support::cast(&edges_array(&resolved.edges, sample)?, float),
            Bins::Count(_) => edges_array(&resolved.edges, sample),
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok((counts, edges))
}

fn count_into(
    samples: &[&Array],
    bins: &[&ResolvedBins],
    weights: Option<&Array>,
    density: bool,
) -> Result<Array, ArrayError> {
    let alloc = support::common_alloc(samples)?;
    let columns = samples.iter().map(|sample| support::reals(sample)).collect::<Result<Vec<_>, _>>()?;
    let len = columns.first().map_or(0, |column| column.len());
    if let Some(weights) = weights
        && weights.shape() != samples[0].shape()
    {
        return Err(ArrayError::value("weights should have the same shape as a."));
    }
    let weight = weights.map(support::scalars).transpose()?;
    let shape: Dims = bins.iter().map(|bins| bins.count()).collect();
    let cells = checked_len(&shape).ok_or_else(support::too_big)?;
    let mut sums = HostValues::collect(cells, std::iter::repeat_n(num_complex::Complex64::ZERO, cells))?;
    for item in 0..len {
        if item % (1 << 16) == 0 {
            crate::arrays::attention::check()?;
        }
        let place = columns
            .iter()
            .zip(bins)
            .try_fold(0, |place, (column, bins)| Some(place * bins.count() + bins.place(column[item])?));
        if let Some(place) = place {
            sums[place] += weight.as_ref().map_or(num_complex::Complex64::ONE, |weight| weight[item].complex());
        }
    }
    let dtype = match weights {
        _ if density => DType::default_float(alloc.place.fp64()),
        Some(weights) => weights.dtype(),
        None => DType::Int64,
    };
    if density {
        let total: f64 = sums.iter().map(|sum| sum.re).sum();
        let widths: Vec<Vec<f64>> =
            bins.iter().map(|bins| bins.edges.windows(2).map(|pair| pair[1] - pair[0]).collect()).collect();
        for (flat, sum) in sums.iter_mut().enumerate() {
            let mut rest = flat;
            for (axis, width) in widths.iter().enumerate().rev() {
                *sum /= width[rest % shape[axis]];
                rest /= shape[axis];
            }
            *sum /= total;
        }
    }
    let result = support::allocate(&shape, dtype, &alloc)?;
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        elements.iter_mut().zip(&sums).for_each(|(element, sum)| *element = <T as Element>::from_scalar(Scalar::Complex(*sum)));
        Ok(())
    }))?;
    Ok(result)
}

/// `bincount`: how often each small whole number occurs, or the sums of its weights.
pub fn bincount(
    array: &Array,
    weights: Option<&Array>,
    min_length: i64,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    if array.rank() != 1 {
        return Err(ArrayError::value(if array.rank() > 1 {
            "object too deep for desired array"
        } else {
            "object of too small depth for desired array"
        }));
    }
    if array.dtype() == DType::UInt64 || array.dtype().is_inexact() {
        return Err(ArrayError::type_error(if flavour == Flavour::Dpnp {
            "x must be an integer array".to_owned()
        } else {
            format!(
                "Cannot cast array data from dtype('{}') to dtype('int64') according to the rule 'safe'",
                array.dtype()
            )
        }));
    }
    let min_length = usize::try_from(min_length).map_err(|_| ArrayError::value("'minlength' must not be negative"))?;
    let values = support::integers(&support::cast(array, DType::Int64)?)?;
    if values.iter().any(|value| *value < 0) {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "'list' argument must have no negative elements",
            Flavour::Dpnp => "x argument must have no negative arguments",
        }));
    }
    let len = values.iter().max().map_or(0, |largest| *largest as usize + 1).max(min_length);
    let alloc = match weights {
        Some(weights) => support::common_alloc(&[array, weights])?,
        None => array.alloc(),
    };
    let Some(weights) = weights else {
        let counts = Array::zeros(&[len], DType::Int64, &alloc)?;
        support::write::<i64, _>(&counts, |counts| {
            values.iter().for_each(|value| counts[*value as usize] += 1);
            Ok(())
        })?;
        return Ok(counts);
    };
    if weights.len_elements() != values.len() {
        return Err(ArrayError::value("The weights and list don't have the same length."));
    }
    let weight = support::reals(weights)?;
    let mut sums = HostValues::collect(len, std::iter::repeat_n(0.0, len))?;
    values.iter().zip(weight).for_each(|(value, weight)| sums[*value as usize] += weight);
    let dtype = DType::default_float(alloc.place.fp64());
    let sums = Array::from_slice(&sums, &[len], &crate::arrays::array::Alloc::HOST)?;
    crate::arrays::functions::convert::copy_to(&sums, Some(dtype), &alloc)
}
