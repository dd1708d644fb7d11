//! Random vectors: `dirichlet`, and the hypergeometric counts.

use super::bounded::interval;
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

    /// `hypergeometric`: how many good ones are among `sample` drawn from `good` and `bad` ones.
    pub fn hypergeometric(
        &mut self,
        good: i64,
        bad: i64,
        sample: i64,
        shape: &[usize],
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        let (is_modern, least) = match self.family() {
            Family::Legacy => (false, 1),
            Family::Modern => (true, 0),
        };
        let too_few = if is_modern { "nsample < 0" } else { "nsample < 1" };
        for (value, least, message) in [(good, 0, "ngood < 0"), (bad, 0, "nbad < 0"), (sample, least, too_few)] {
            if value < least {
                return Err(ArrayError::value(message));
            }
        }
        if is_modern && (good >= MODERN_KIND_MAX || bad >= MODERN_KIND_MAX) {
            return Err(ArrayError::value("both ngood and nbad must be less than 1000000000"));
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

/// So many of one kind the modern family does not take.
const MODERN_KIND_MAX: i64 = 1_000_000_000;

fn hypergeometric(source: &mut Source, good: i64, bad: i64, sample: i64) -> i64 {
    match source.family {
        Family::Legacy if sample > 10 => by_rejection(source, good, bad, sample),
        Family::Legacy => one_by_one(source, good, bad, sample),
        Family::Modern if sample >= 10 && sample <= good + bad - 10 => by_rejection(source, good, bad, sample),
        Family::Modern => one_of_what_is_left(source, good, bad, sample),
    }
}

/// The modern family draws each of the sample, or each of what stays behind where that is less.
fn one_of_what_is_left(source: &mut Source, good: i64, bad: i64, sample: i64) -> i64 {
    let all = good + bad;
    let draws_rest = sample > all / 2;
    let mut to_draw = if draws_rest { all - sample } else { sample };
    let (mut left, mut left_good) = (all, good);
    while to_draw > 0 && left_good > 0 && left > left_good {
        left -= 1;
        if (interval(&mut source.stream, left as u64) as i64) < left_good {
            left_good -= 1;
        }
        to_draw -= 1;
    }
    if left == left_good {
        left_good -= to_draw;
    }
    if draws_rest { left_good } else { good - left_good }
}

/// The logarithm of a factorial as each family computes it.
fn log_factorial(family: Family, n: i64) -> f64 {
    /// Below this the modern family has a table.
    const TABLE_END: i64 = 126;
    const HALF_LN_2_PI: f64 = 0.918_938_533_204_672_8;
    match family {
        Family::Legacy => log_gamma((n + 1) as f64),
        Family::Modern if n < TABLE_END => (2..=n).map(|factor| factor as f64).product::<f64>().ln(),
        Family::Modern => {
            let n = n as f64;
            (n + 0.5) * n.ln() - n + (HALF_LN_2_PI + (1.0 / n) * (1.0 / 12.0 - 1.0 / (360.0 * n * n)))
        }
    }
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
    let (family, rest) = (source.family, more as f64 / all as f64);
    let variance = match family {
        Family::Legacy => (all - drawn) as f64 * sample as f64 * share * (1.0 - share) / (all - 1) as f64,
        Family::Modern => (all - drawn) as f64 * drawn as f64 * share * rest / (all - 1) as f64,
    };
    let spread = (variance + 0.5).sqrt();
    let width = WIDTH * spread + SHIFT;
    let mode = ((drawn + 1) as f64 * (fewer + 1) as f64 / (all + 2) as f64).floor() as i64;
    let weight = |z: i64| {
        log_factorial(family, z)
            + log_factorial(family, fewer - z)
            + log_factorial(family, drawn - z)
            + log_factorial(family, more - drawn + z)
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
