//! Random vectors: `dirichlet`, and the hypergeometric counts.

use super::discrete::log_gamma;
use super::distributions::{Family, RealDistribution, Source};
use super::generator::Generator;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::DType;
use crate::arrays::error::ArrayError;
use crate::arrays::functions::convert;
use crate::arrays::functions::support::{self, HostValues};
use crate::arrays::layout::{Dims, checked_len};

impl Generator {
    /// `dirichlet`: rows of positive numbers that sum to one.
    pub fn dirichlet(&mut self, alpha: &[f64], shape: &[usize], alloc: &Alloc) -> Result<Array, ArrayError> {
        if alpha.iter().any(|alpha| *alpha <= 0.0) {
            return Err(ArrayError::value(match self.family() {
                Family::Legacy => "alpha <= 0",
                Family::Modern => "alpha < 0",
            }));
        }
        let full: Dims = shape.iter().copied().chain([alpha.len()]).collect();
        let len = checked_len(&full).ok_or_else(support::too_big)?;
        let source = self.source_mut();
        let sticks = source.family == Family::Modern && alpha.iter().all(|alpha| *alpha < 0.1);
        let mut row = vec![0.0; alpha.len()];
        let mut place = alpha.len();
        let drawn = HostValues::collect(
            len,
            (0..len).map(|_| {
                if place == alpha.len() {
                    if sticks {
                        broken_stick(source, alpha, &mut row)
                    } else {
                        scaled_gammas(source, alpha, &mut row)
                    }
                    place = 0;
                }
                place += 1;
                row[place - 1]
            }),
        )?;
        let array = Array::from_slice(&drawn, &full, &Alloc::HOST)?;
        convert::copy_to(&array, Some(DType::default_float(alloc.place.fp64())), alloc)
    }

    /// `hypergeometric` of the legacy family: how many good ones are among `sample` drawn from `good` and `bad` ones.
    pub fn hypergeometric(
        &mut self,
        good: i64,
        bad: i64,
        sample: i64,
        shape: &[usize],
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        if self.family() == Family::Modern {
            return Err(ArrayError::not_supported("Generator.hypergeometric is not implemented"));
        }
        for (value, name) in [(good, "ngood < 0"), (bad, "nbad < 0"), (sample, "nsample < 1")] {
            if value < i64::from(name.starts_with("nsample")) {
                return Err(ArrayError::value(name));
            }
        }
        if good.checked_add(bad).is_none_or(|all| all < sample) {
            return Err(ArrayError::value("ngood + nbad < nsample"));
        }
        let len = checked_len(shape).ok_or_else(support::too_big)?;
        let source = self.source_mut();
        let drawn = HostValues::collect(len, (0..len).map(|_| hypergeometric(source, good, bad, sample)))?;
        Array::from_slice(&drawn, shape, alloc)
    }
}

fn scaled_gammas(source: &mut Source, alpha: &[f64], row: &mut [f64]) {
    let mut sum = 0.0;
    for (slot, alpha) in row.iter_mut().zip(alpha) {
        *slot = source.gamma(*alpha);
        sum += *slot;
    }
    let inverse = 1.0 / sum;
    row.iter_mut().for_each(|slot| *slot *= inverse);
}

/// For small parameters gammas vanish; pieces of a stick do not.
fn broken_stick(source: &mut Source, alpha: &[f64], row: &mut [f64]) {
    let mut rest = 1.0;
    let last = alpha.len() - 1;
    for place in 0..last {
        let behind: f64 = alpha[place + 1..].iter().rev().sum();
        let piece = source.real(RealDistribution::Beta { a: alpha[place], b: behind });
        row[place] = rest * piece;
        rest *= 1.0 - piece;
    }
    row[last] = rest;
}

fn hypergeometric(source: &mut Source, good: i64, bad: i64, sample: i64) -> i64 {
    if sample > 10 { by_rejection(source, good, bad, sample) } else { one_by_one(source, good, bad, sample) }
}

fn one_by_one(source: &mut Source, good: i64, bad: i64, sample: i64) -> i64 {
    let rest = bad + good - sample;
    let fewer = bad.min(good) as f64;
    let mut left = fewer;
    let mut to_draw = sample;
    while left > 0.0 && to_draw > 0 {
        left -= (source.stream.next_f64() + left / (rest + to_draw) as f64).floor();
        to_draw -= 1;
    }
    let found = (fewer - left) as i64;
    if good > bad { sample - found } else { found }
}

/// HRUA, a ratio of uniforms.
fn by_rejection(source: &mut Source, good: i64, bad: i64, sample: i64) -> i64 {
    /// 2 sqrt(2 / e).
    const WIDTH: f64 = 1.715_527_769_921_413_5;
    /// 3 - 2 sqrt(3 / e).
    const SHIFT: f64 = 0.898_916_162_058_898_8;
    let (fewer, more, all) = (good.min(bad), good.max(bad), good + bad);
    let drawn = sample.min(all - sample);
    let share = fewer as f64 / all as f64;
    let centre = drawn as f64 * share + 0.5;
    let spread = ((all - drawn) as f64 * sample as f64 * share * (1.0 - share) / (all - 1) as f64 + 0.5).sqrt();
    let width = WIDTH * spread + SHIFT;
    let mode = ((drawn + 1) as f64 * (fewer + 1) as f64 / (all + 2) as f64).floor() as i64;
    let weight = |z: i64| {
        log_gamma((z + 1) as f64)
            + log_gamma((fewer - z + 1) as f64)
            + log_gamma((drawn - z + 1) as f64)
            + log_gamma((more - drawn + z + 1) as f64)
    };
    let peak = weight(mode);
    let bound = (drawn.min(fewer) as f64 + 1.0).min((centre + 16.0 * spread).floor());
    let found = loop {
        let x = source.stream.next_f64();
        let y = source.stream.next_f64();
        let w = centre + width * (y - 0.5) / x;
        if w < 0.0 || w >= bound || w.is_nan() {
            continue;
        }
        let z = w.floor() as i64;
        let t = peak - weight(z);
        if x * (4.0 - x) - 3.0 <= t {
            break z;
        }
        if x * (x - t) >= 1.0 {
            continue;
        }
        if 2.0 * x.ln() <= t {
            break z;
        }
    };
    let found = if good > bad { drawn - found } else { found };
    if drawn < sample { good - found } else { found }
}
