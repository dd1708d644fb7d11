//! `fft`: Fourier transforms along axes, of complex, real and Hermitian input, and their frequencies.
//!
//! Everything is computed in double precision and rounded to complex64 where NumPy's result is complex64.

mod transform;

use num_complex::Complex64;
use rayon::prelude::*;

use super::rearrange;
use super::shapes;
use super::support;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::attention;
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::expr::Expr;
use crate::arrays::layout::{Dims, normalize_axis};
use crate::arrays::op::{Flavour, Op};
use transform::Plan;

/// Which direction is divided by the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FftNorm {
    /// The inverse.
    Backward,
    /// Both, by the square root.
    Ortho,
    /// The forward one.
    Forward,
}

impl FftNorm {
    /// Reads NumPy's name (none: backward), or gives its error.
    pub fn parse(name: Option<&str>, flavour: Flavour) -> Result<Self, ArrayError> {
        match name {
            None | Some("backward") => Ok(FftNorm::Backward),
            Some("ortho") => Ok(FftNorm::Ortho),
            Some("forward") => Ok(FftNorm::Forward),
            Some(other) => Err(ArrayError::value(match flavour {
                Flavour::NumPy => {
                    format!("Invalid norm value {other}; should be \"backward\",\"ortho\" or \"forward\".")
                }
                Flavour::Dpnp => {
                    format!("Invalid norm value {other}; should be None, \"ortho\", \"forward\", or \"backward\".")
                }
            })),
        }
    }

    fn swapped(self) -> Self {
        match self {
            FftNorm::Backward => FftNorm::Forward,
            FftNorm::Ortho => FftNorm::Ortho,
            FftNorm::Forward => FftNorm::Backward,
        }
    }

    fn factor(self, len: usize, inverse: bool) -> f64 {
        match (self, inverse) {
            (FftNorm::Ortho, _) => 1.0 / (len as f64).sqrt(),
            (FftNorm::Backward, true) | (FftNorm::Forward, false) => 1.0 / len as f64,
            (FftNorm::Backward, false) | (FftNorm::Forward, true) => 1.0,
        }
    }
}

/// `fft` and `ifft`.
pub fn fft(
    array: &Array,
    n: Option<i64>,
    axis: i64,
    norm: FftNorm,
    inverse: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let axis = checked_axis(array, axis, flavour)?;
    let n = checked_len(n.unwrap_or(array.shape()[axis] as i64), flavour)?;
    let work = lines(array, axis, n, n)?;
    transform(&work, n, inverse, norm.factor(n, inverse))?;
    delivered(&work, axis, complex_result(array.dtype()), &array.alloc())
}

/// `rfft`: the first half of the transform of real input.
pub fn rfft(array: &Array, n: Option<i64>, axis: i64, norm: FftNorm, flavour: Flavour) -> Result<Array, ArrayError> {
    if array.dtype().is_complex() && flavour == Flavour::Dpnp {
        return Err(ArrayError::type_error("Input array must be real"));
    }
    let axis = checked_axis(array, axis, flavour)?;
    let n = checked_len(n.unwrap_or(array.shape()[axis] as i64), flavour)?;
    if array.dtype().is_complex() {
        return Err(ArrayError::type_error(
            "ufunc 'rfft_n_even' not supported for the input types, and the inputs could not be safely coerced to any \
             supported types according to the casting rule ''safe''",
        ));
    }
    let work = lines(array, axis, n, n)?;
    transform(&work, n, false, norm.factor(n, false))?;
    let half = work.view(work.layout().slice_axis(work.rank() - 1, 0, n / 2 + 1));
    delivered(&half, axis, complex_result(array.dtype()), &array.alloc())
}

/// `irfft`: real output of length `n` from the first half of a Hermitian spectrum.
pub fn irfft(array: &Array, n: Option<i64>, axis: i64, norm: FftNorm, flavour: Flavour) -> Result<Array, ArrayError> {
    let axis = checked_axis(array, axis, flavour)?;
    let n = checked_len(n.unwrap_or((array.shape()[axis] as i64 - 1) * 2), flavour)?;
    let work = lines(array, axis, n, (n / 2 + 1).min(n))?;
    support::write::<Complex64, _>(&work, |elements| {
        for line in elements.chunks_exact_mut(n) {
            // The imaginary parts that a Hermitian spectrum cannot have do not count.
            line[0].im = 0.0;
            if n % 2 == 0 {
                line[n / 2].im = 0.0;
            }
            for place in 1..n.div_ceil(2) {
                line[n - place] = line[place].conj();
            }
        }
        Ok(())
    })?;
    transform(&work, n, true, norm.factor(n, true))?;
    let real = super::convert::real_view(&work)?;
    delivered(&real, axis, complex_result(array.dtype()).real_part(), &array.alloc())
}

/// `hfft`: the real spectrum of a signal with Hermitian symmetry.
pub fn hfft(array: &Array, n: Option<i64>, axis: i64, norm: FftNorm, flavour: Flavour) -> Result<Array, ArrayError> {
    let conjugated = Expr::apply(Op::Conjugate, &[Expr::array(array)], flavour)?.evaluate()?;
    irfft(&conjugated, n, axis, norm.swapped(), flavour)
}

/// `ihfft`: its inverse.
pub fn ihfft(array: &Array, n: Option<i64>, axis: i64, norm: FftNorm, flavour: Flavour) -> Result<Array, ArrayError> {
    let half = rfft(array, n, axis, norm.swapped(), flavour)?;
    Expr::apply(Op::Conjugate, &[Expr::array(&half)], flavour)?.evaluate()
}

/// Lengths and axes of a transform over several axes.
fn several(array: &Array, s: Option<&[i64]>, axes: Option<&[i64]>) -> Result<(Vec<i64>, Vec<i64>), ArrayError> {
    let axes: Vec<i64> = match (axes, s) {
        (Some(axes), _) => axes.to_vec(),
        (None, Some(s)) => (-(s.len() as i64)..0).collect(),
        (None, None) => (0..array.rank() as i64).collect(),
    };
    let lengths = match s {
        None => axes
            .iter()
            .map(|axis| Ok(array.shape()[normalize_axis(*axis, array.rank())?] as i64))
            .collect::<Result<Vec<_>, ArrayError>>()?,
        Some(s) if s.len() != axes.len() => {
            return Err(ArrayError::value("Shape and axes have different lengths."));
        }
        // -1 means the whole axis.
        Some(s) => s
            .iter()
            .zip(&axes)
            .map(|(len, axis)| match len {
                -1 => Ok(array.shape()[normalize_axis(*axis, array.rank())?] as i64),
                len => Ok(*len),
            })
            .collect::<Result<Vec<_>, ArrayError>>()?,
    };
    Ok((lengths, axes))
}

/// `fftn` and `ifftn` (and `fft2`, `ifft2`).
pub fn fftn(
    array: &Array,
    s: Option<&[i64]>,
    axes: Option<&[i64]>,
    norm: FftNorm,
    inverse: bool,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let (lengths, axes) = several(array, s, axes)?;
    // Without axes the libraries hand the array back as it is.
    let mut result = array.clone();
    for (len, axis) in lengths.iter().zip(&axes).rev() {
        result = fft(&result, Some(*len), *axis, norm, inverse, flavour)?;
    }
    Ok(result)
}

/// `rfftn` (and `rfft2`): real along the last axis, complex along the others.
pub fn rfftn(
    array: &Array,
    s: Option<&[i64]>,
    axes: Option<&[i64]>,
    norm: FftNorm,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let (mut lengths, mut axes) = several(array, s, axes)?;
    let (Some(len), Some(axis)) = (lengths.pop(), axes.pop()) else {
        return Err(ArrayError::value("at least 1 axis must be transformed"));
    };
    let half = rfft(array, Some(len), axis, norm, flavour)?;
    axes.iter()
        .zip(&lengths)
        .rev()
        .try_fold(half, |result, (axis, len)| fft(&result, Some(*len), *axis, norm, false, flavour))
}

/// `irfftn` (and `irfft2`).
pub fn irfftn(
    array: &Array,
    s: Option<&[i64]>,
    axes: Option<&[i64]>,
    norm: FftNorm,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let given = s.is_some();
    let (mut lengths, mut axes) = several(array, s, axes)?;
    let (Some(len), Some(axis)) = (lengths.pop(), axes.pop()) else {
        return Err(ArrayError::value("at least 1 axis must be transformed"));
    };
    let full = axes
        .iter()
        .zip(&lengths)
        .try_fold(array.clone(), |result, (axis, len)| fft(&result, Some(*len), *axis, norm, true, flavour))?;
    irfft(&full, given.then_some(len), axis, norm, flavour)
}

fn checked_axis(array: &Array, axis: i64, flavour: Flavour) -> Result<usize, ArrayError> {
    match (normalize_axis(axis, array.rank()), flavour) {
        (Ok(axis), _) => Ok(axis),
        (Err(_), Flavour::Dpnp) if array.rank() == 0 => Err(ArrayError::value("Input array must be at least 1D")),
        (Err(error), Flavour::Dpnp) => Err(error),
        (Err(_), Flavour::NumPy) => Err(ArrayError::index("tuple index out of range")),
    }
}

fn checked_len(n: i64, flavour: Flavour) -> Result<usize, ArrayError> {
    usize::try_from(n).ok().filter(|n| *n > 0).ok_or_else(|| {
        let stop = if flavour == Flavour::NumPy { "." } else { "" };
        ArrayError::value(format!("Invalid number of FFT data points ({n}) specified{stop}"))
    })
}

fn complex_result(dtype: DType) -> DType {
    match dtype {
        DType::Float16 | DType::Float32 | DType::Complex64 => DType::Complex64,
        _ => DType::Complex128,
    }
}

/// The axis last, cut or padded with zeros to `n` after taking `used` elements, complex128, C-contiguous.
fn lines(array: &Array, axis: usize, n: usize, used: usize) -> Result<Array, ArrayError> {
    let moved = shapes::moveaxis(array, &[axis as i64], &[-1])?;
    let last = moved.rank() - 1;
    let mut shape: Dims = moved.shape().into();
    let kept = shape[last].min(used);
    shape[last] = n;
    // A device without double precision lends its memory no complex128: work beside it, on the host.
    let alloc = if array.place().fp64() { array.alloc() } else { Alloc::HOST };
    let work = if kept < n {
        Array::zeros(&shape, DType::Complex128, &alloc)?
    } else {
        support::allocate(&shape, DType::Complex128, &alloc)?
    };
    let target = work.view(work.layout().slice_axis(last, 0, kept));
    support::transfer_into(&target, &moved.view(moved.layout().slice_axis(last, 0, kept)))?;
    Ok(work)
}

fn transform(work: &Array, n: usize, inverse: bool, factor: f64) -> Result<(), ArrayError> {
    let plan = Plan::new(n);
    let flag = attention::handle();
    support::write::<Complex64, _>(work, |elements| {
        elements.par_chunks_exact_mut(n).try_for_each_init(Vec::new, |scratch, line| {
            flag.check()?;
            plan.run(line, scratch, inverse);
            if factor != 1.0 {
                line.iter_mut().for_each(|value| *value *= factor);
            }
            Ok(())
        })
    })
}

/// The axis back in its place, in the dtype and memory of the result.
fn delivered(work: &Array, axis: usize, dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
    let moved = shapes::moveaxis(work, &[-1], &[axis as i64])?;
    let result = support::allocate(moved.shape(), dtype.narrowed(alloc.place.fp64()), alloc)?;
    support::transfer_into(&result, &moved)?;
    Ok(result)
}

/// `fftfreq`: the frequencies of the bins for samples `d` apart.
pub fn fftfreq(n: i64, d: f64, alloc: &Alloc) -> Result<Array, ArrayError> {
    let n = frequency_count(n)?;
    let step = 1.0 / (n as f64 * d);
    let positive = n.div_ceil(2);
    frequencies((0..n).map(|bin| if bin < positive { bin as f64 } else { bin as f64 - n as f64 } * step), alloc)
}

/// `rfftfreq`.
pub fn rfftfreq(n: i64, d: f64, alloc: &Alloc) -> Result<Array, ArrayError> {
    let n = frequency_count(n)?;
    let step = 1.0 / (n as f64 * d);
    frequencies((0..n / 2 + 1).map(|bin| bin as f64 * step), alloc)
}

fn frequency_count(n: i64) -> Result<usize, ArrayError> {
    usize::try_from(n).map_err(|_| ArrayError::value("n should be an integer"))
}

fn frequencies(values: impl Iterator<Item = f64>, alloc: &Alloc) -> Result<Array, ArrayError> {
    let values: Vec<f64> = values.collect();
    let array = Array::from_slice(&values, &[values.len()], &Alloc::HOST)?;
    super::convert::copy_to(&array, Some(DType::default_float(alloc.place.fp64())), alloc)
}

/// `fftshift`: the zero frequency to the middle; `inverse` back to the front.
pub fn fftshift(array: &Array, axes: Option<&[i64]>, inverse: bool) -> Result<Array, ArrayError> {
    let axes: Vec<i64> = match axes {
        None => (0..array.rank() as i64).collect(),
        Some(axes) => axes.to_vec(),
    };
    let shifts = axes
        .iter()
        .map(|axis| {
            let half = (array.shape()[normalize_axis(*axis, array.rank())?] / 2) as i64;
            Ok(if inverse { -half } else { half })
        })
        .collect::<Result<Vec<i64>, ArrayError>>()?;
    rearrange::roll(array, &shifts, Some(&axes))
}
