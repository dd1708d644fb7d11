//! `arange`, `linspace`, `logspace`, `geomspace`: numbers at regular distances, with NumPy's order of rounding.

use half::f16;
use num_complex::Complex64;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::support;
use crate::arrays::layout::checked_len;
use crate::arrays::op::Flavour;
use crate::arrays::scalar::{Operand, Scalar};
use crate::dispatch;

/// `arange(start, stop, step)`.
pub fn arange(
    start: Operand,
    stop: Operand,
    step: Operand,
    dtype: Option<DType>,
    alloc: &Alloc,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let fp64 = alloc.place.fp64();
    let parts = [start, stop, step];
    let dtype = dtype.unwrap_or_else(|| {
        let own = parts.map(|part| match part {
            Operand::Weak(Scalar::Bool(_)) | Operand::Typed(Scalar::Bool(_), _) => DType::Int64,
            other => other.dtype(fp64),
        });
        own.into_iter().reduce(DType::promote).unwrap_or(DType::Int64)
    });
    if let (Operand::Weak(first @ Scalar::Int(_)), true, Flavour::NumPy) = (start, dtype.is_integer(), flavour) {
        first.check_fits(dtype)?;
    }
    let [start, stop, step] = parts.map(Operand::scalar);
    let len = arange_len(start, stop, step, flavour)?;
    if dtype.is_bool() && len > 2 {
        return Err(match flavour {
            Flavour::NumPy => {
                ArrayError::type_error("arange() is only supported for booleans when the result has at most length 2.")
            }
            Flavour::Dpnp => ArrayError::value("no fill-function for boolean data type"),
        });
    }
    let result = support::allocate(&[len], dtype, alloc)?;
    // NumPy computes the second element from the scalars and takes the distance from it, in the dtype of the result.
    let second = add(start, step);
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        let (first, second) = (T::from_scalar(start), T::from_scalar(second));
        support::in_tiles(elements, |base, tile| {
            for (position, element) in tile.iter_mut().enumerate() {
                *element = first.stepped(second, base + position);
            }
        })
    }))?;
    Ok(result)
}

fn add(left: Scalar, right: Scalar) -> Scalar {
    match (left, right) {
        (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => Scalar::Complex(left.complex() + right.complex()),
        (Scalar::Float(_), _) | (_, Scalar::Float(_)) => Scalar::Float(left.real() + right.real()),
        _ => Scalar::Int(left.wrapping_int().wrapping_add(right.wrapping_int())),
    }
}

fn arange_len(start: Scalar, stop: Scalar, step: Scalar, flavour: Flavour) -> Result<usize, ArrayError> {
    let too_big = || ArrayError::value("Maximum allowed size exceeded");
    let zero_step = || ArrayError::ZeroDivision { message: "division by zero".into() };
    let is_whole = |part: &Scalar| matches!(part, Scalar::Bool(_) | Scalar::Int(_));
    if [start, stop, step].iter().all(is_whole) {
        let (start, stop, step) = (start.wrapping_int(), stop.wrapping_int(), step.wrapping_int());
        if step == 0 {
            return Err(zero_step());
        }
        let distance = if step > 0 { stop - start } else { start - stop };
        if distance <= 0 {
            return Ok(0);
        }
        let len = (distance - 1) / step.abs() + 1;
        return usize::try_from(len).map_err(|_| too_big());
    }
    let distance = (stop.complex() - start.complex()).re;
    let step = step.complex().re;
    if step == 0.0 {
        return Err(zero_step());
    }
    let len = (distance / step).ceil();
    if len.is_nan() {
        return Err(ArrayError::value(match flavour {
            Flavour::NumPy => "arange: cannot compute length",
            Flavour::Dpnp => "cannot convert float NaN to integer",
        }));
    }
    if len >= isize::MAX as f64 {
        return Err(too_big());
    }
    Ok(len.max(0.0) as usize)
}

/// The arithmetic of `arange` in each element type.
trait Stepped: Element {
    /// `self + index * (second - self)`.
    fn stepped(self, second: Self, index: usize) -> Self;
}

macro_rules! stepped_integers {
    ($($ty:ty),*) => {$(
        impl Stepped for $ty {
            fn stepped(self, second: Self, index: usize) -> Self {
                self.wrapping_add(second.wrapping_sub(self).wrapping_mul(index as $ty))
            }
        }
    )*};
}
stepped_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Stepped for bool {
    fn stepped(self, second: Self, index: usize) -> Self {
        if index == 0 { self } else { second }
    }
}

impl Stepped for f16 {
    fn stepped(self, second: Self, index: usize) -> Self {
        let (first, second) = (self.to_f32(), second.to_f32());
        f16::from_f32(first + index as f32 * (second - first))
    }
}

impl Stepped for f32 {
    fn stepped(self, second: Self, index: usize) -> Self {
        self + index as f32 * (second - self)
    }
}

impl Stepped for f64 {
    fn stepped(self, second: Self, index: usize) -> Self {
        self + index as f64 * (second - self)
    }
}

macro_rules! stepped_complex {
    ($($ty:ty),*) => {$(
        impl Stepped for num_complex::Complex<$ty> {
            fn stepped(self, second: Self, index: usize) -> Self {
                self + (second - self) * (index as $ty)
            }
        }
    )*};
}
stepped_complex!(f32, f64);

/// `linspace` between two scalars; also answers the distance between samples.
pub fn linspace(
    start: Operand,
    stop: Operand,
    num: i64,
    endpoint: bool,
    dtype: Option<DType>,
    alloc: &Alloc,
    flavour: Flavour,
) -> Result<(Array, Scalar), ArrayError> {
    let len = sample_count(num, flavour)?;
    let computed = spaced_dtype(&[start, stop], alloc.place.fp64());
    let dtype = dtype.unwrap_or(computed);
    let spacing = Spacing::new(start.scalar().complex(), stop.scalar().complex(), len, endpoint);
    let result = support::allocate(&[len], dtype, alloc)?;
    write_samples(&result, computed, |index| spacing.sample(index))?;
    let step = if computed.is_complex() { Scalar::Complex(spacing.step) } else { Scalar::Float(spacing.step.re) };
    Ok((result, step))
}

/// `linspace` between arrays: one line of samples per pair of elements, along the axis `axis` of the result.
pub fn linspace_arrays(
    start: &Array,
    stop: &Array,
    num: i64,
    endpoint: bool,
    dtype: Option<DType>,
    axis: i64,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let len = sample_count(num, flavour)?;
    let alloc = support::common_alloc(&[start, stop])?;
    let shape = crate::arrays::layout::broadcast_shapes(&[start.shape(), stop.shape()])?;
    let computed = [start.dtype(), stop.dtype(), DType::Float64]
        .into_iter()
        .reduce(DType::promote)
        .unwrap_or(DType::Float64)
        .narrowed(alloc.place.fp64());
    let dtype = dtype.unwrap_or(computed);
    let starts = support::scalars(&super::super::shapes::broadcast_to(start, &shape)?)?;
    let stops = support::scalars(&super::super::shapes::broadcast_to(stop, &shape)?)?;
    let spacings: Vec<Spacing> = starts
        .iter()
        .zip(&stops)
        .map(|(start, stop)| Spacing::new(start.complex(), stop.complex(), len, endpoint))
        .collect();
    let full: Vec<usize> = std::iter::once(len).chain(shape.iter().copied()).collect();
    checked_len(&full).ok_or_else(support::too_big)?;
    let result = support::allocate(&full, dtype, &alloc)?;
    let lines = spacings.len().max(1);
    write_samples(&result, computed, |flat| spacings[flat % lines].sample(flat / lines))?;
    super::super::shapes::moveaxis(&result, &[0], &[axis])
}

/// `logspace`: `base` to the power of evenly spaced exponents.
#[expect(clippy::too_many_arguments, reason = "they are the arguments of numpy.logspace")]
pub fn logspace(
    start: Operand,
    stop: Operand,
    num: i64,
    endpoint: bool,
    base: f64,
    dtype: Option<DType>,
    alloc: &Alloc,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let len = sample_count(num, flavour)?;
    let computed = spaced_dtype(&[start, stop], alloc.place.fp64());
    let dtype = dtype.unwrap_or(computed);
    let spacing = Spacing::new(start.scalar().complex(), stop.scalar().complex(), len, endpoint);
    let result = support::allocate(&[len], dtype, alloc)?;
    write_samples(&result, computed, |index| {
        let exponent = spacing.sample(index);
        if computed.is_complex() { Complex64::new(base, 0.0).powc(exponent) } else { base.powf(exponent.re).into() }
    })?;
    Ok(result)
}

/// `geomspace`: samples whose quotient is constant.
pub fn geomspace(
    start: Operand,
    stop: Operand,
    num: i64,
    endpoint: bool,
    dtype: Option<DType>,
    alloc: &Alloc,
    flavour: Flavour,
) -> Result<Array, ArrayError> {
    let len = sample_count(num, flavour)?;
    let (first, last) = (start.scalar().complex(), stop.scalar().complex());
    if first == Complex64::ZERO || last == Complex64::ZERO {
        return Err(ArrayError::value("Geometric sequence cannot include zero"));
    }
    let computed = spaced_dtype(&[start, stop], alloc.place.fp64());
    let dtype = dtype.unwrap_or(computed);
    // Rotating the start onto the positive axis lets negative and complex sequences run through the same logarithms.
    let rotation = if computed.is_complex() { first / first.norm() } else { first.re.signum().into() };
    let (from, to) = (first / rotation, last / rotation);
    let exponents = if computed.is_complex() {
        Spacing::new(from.log10(), to.log10(), len, endpoint)
    } else {
        Spacing::new(from.re.log10().into(), to.re.log10().into(), len, endpoint)
    };
    let result = support::allocate(&[len], dtype, alloc)?;
    write_samples(&result, computed, |index| {
        if index == 0 {
            return first;
        }
        if endpoint && index + 1 == len {
            return last;
        }
        let exponent = exponents.sample(index);
        let magnitude: Complex64 = if computed.is_complex() {
            Complex64::new(10.0, 0.0).powc(exponent)
        } else {
            10f64.powf(exponent.re).into()
        };
        magnitude * rotation
    })?;
    Ok(result)
}

fn sample_count(num: i64, flavour: Flavour) -> Result<usize, ArrayError> {
    usize::try_from(num).map_err(|_| {
        ArrayError::value(match flavour {
            Flavour::NumPy => format!("Number of samples, {num}, must be non-negative."),
            Flavour::Dpnp => format!("Number of samples={num} must be non-negative."),
        })
    })
}

/// The float or complex dtype in which samples are computed.
fn spaced_dtype(ends: &[Operand], fp64: bool) -> DType {
    let complex = ends.iter().any(|end| matches!(end.scalar(), Scalar::Complex(_)));
    if complex { DType::default_complex(fp64) } else { DType::default_float(fp64) }
}

/// Evenly spaced samples between two ends.
struct Spacing {
    start: Complex64,
    stop: Complex64,
    step: Complex64,
    divisor: f64,
    last: Option<usize>,
}

impl Spacing {
    fn new(start: Complex64, stop: Complex64, len: usize, endpoint: bool) -> Self {
        let divisor = if endpoint { len.saturating_sub(1) } else { len } as f64;
        let delta = stop - start;
        let step = if divisor > 0.0 { delta / divisor } else { Complex64::new(f64::NAN, 0.0) };
        Spacing { start, stop, step, divisor, last: (endpoint && len > 1).then(|| len - 1) }
    }

    fn sample(&self, index: usize) -> Complex64 {
        if self.last == Some(index) {
            return self.stop;
        }
        let index = index as f64;
        let delta = self.stop - self.start;
        let offset = if self.divisor == 0.0 {
            delta * index
        } else if self.step == Complex64::ZERO {
            // The step underflowed: divide last, as NumPy does.
            delta * (index / self.divisor)
        } else {
            self.step * index
        };
        offset + self.start
    }
}

/// Writes samples computed in `computed` and rounded to it first; integer dtypes take the floor.
fn write_samples(result: &Array, computed: DType, sample: impl Fn(usize) -> Complex64) -> Result<(), ArrayError> {
    let narrow = computed == DType::Float32 || computed == DType::Complex64;
    dispatch!(result.dtype(), T => support::write::<T, _>(result, |elements| {
        support::in_tiles(elements, |base, tile| {
            for (position, element) in tile.iter_mut().enumerate() {
                let value = sample(base + position);
                let value = if narrow { Complex64::new(value.re as f32 as f64, value.im as f32 as f64) } else { value };
                *element = if T::DTYPE.is_integer() {
                    T::from_scalar(Scalar::Float(value.re.floor()))
                } else {
                    T::from_scalar(Scalar::Complex(value))
                };
            }
        })
    }))
}
