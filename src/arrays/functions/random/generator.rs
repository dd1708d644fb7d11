//! Random arrays: what `numpy.random.RandomState`, `Generator` and `dpnp.random` give.
//!
//! One type serves both families of NumPy; the stream and its order of draws are NumPy's, wherever the array lives. (dpnp itself draws from
//! MKL's streams, which are others.)

use std::io::Read;

use super::bounded::{Bits, Bounded, Rejection, draw_u64};
use super::discrete::WholeDistribution;
use super::distributions::{Family, RealDistribution, Source};
use super::streams::{Pcg64, Stream};
use super::twister::Twister;
use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::{shapes, support};
use crate::arrays::layout::{Dims, Layout, checked_len};
use crate::arrays::scalar::{Scalar, integer_range};
use crate::dispatch;

pub use super::streams::ModernState;

/// A stream of random arrays.
#[derive(Clone, Debug)]
pub struct Generator {
    source: Source,
}

/// What `RandomState.get_state` shows: the words, the place of the next one, and the second number of the polar method.
#[derive(Clone, Debug)]
pub struct LegacyState {
    /// 624 words.
    pub words: Vec<u32>,
    /// The place of the next word, up to 624.
    pub place: usize,
    /// A normal number that was made already.
    pub spare_normal: Option<f64>,
}

impl Generator {
    /// `RandomState(seed)`; `numpy.random.seed(seed)` makes a new one.
    pub fn legacy(seed: i128) -> Result<Self, ArrayError> {
        let seed = u32::try_from(seed).map_err(|_| ArrayError::value("Seed must be between 0 and 2**32 - 1"))?;
        Ok(Generator { source: Source::new(Stream::mt19937(seed), Family::Legacy) })
    }

    /// `RandomState([a, b, ...])`.
    pub fn legacy_from_key(key: &[i128]) -> Result<Self, ArrayError> {
        if key.is_empty() {
            return Err(ArrayError::value("Seed must be non-empty"));
        }
        let key = key
            .iter()
            .map(|word| u32::try_from(*word).map_err(|_| ArrayError::value("Seed must be between 0 and 2**32 - 1")))
            .collect::<Result<Vec<u32>, _>>()?;
        Ok(Generator { source: Source::new(Stream::mt19937_from_key(&key), Family::Legacy) })
    }

    /// `default_rng(seed)`; `entropy` is the seed in 32-bit words, lowest first (see [`seed_words`]).
    pub fn modern(entropy: &[u32]) -> Self {
        Generator { source: Source::new(Stream::pcg64(entropy), Family::Modern) }
    }

    /// The state of the legacy family; nothing of the modern one.
    pub fn legacy_state(&self) -> Option<LegacyState> {
        let Stream::Mt19937(twister) = &self.source.stream else { return None };
        let (words, place) = twister.words();
        Some(LegacyState { words: words.to_vec(), place, spare_normal: self.source.spare_normal })
    }

    /// A generator of the legacy family that goes on from a state; refused when it is none.
    pub fn from_legacy_state(state: &LegacyState) -> Result<Self, ArrayError> {
        let twister = Twister::from_words(&state.words, state.place)
            .ok_or_else(|| ArrayError::value("state must be 624 words and a place from 0 to 624"))?;
        let mut source = Source::new(Stream::Mt19937(Box::new(twister)), Family::Legacy);
        source.spare_normal = state.spare_normal;
        Ok(Generator { source })
    }

    /// The state of the modern family; nothing of the legacy one.
    pub fn modern_state(&self) -> Option<ModernState> {
        let Stream::Pcg64(pcg) = &self.source.stream else { return None };
        Some(pcg.state())
    }

    /// A generator of the modern family that goes on from a state.
    pub fn from_modern_state(state: ModernState) -> Self {
        Generator { source: Source::new(Stream::Pcg64(Pcg64::from_state(state)), Family::Modern) }
    }

    /// Four words of entropy from the system.
    pub fn system_entropy() -> Result<Vec<u32>, ArrayError> {
        let mut bytes = [0; 16];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
    }

    /// A generator of either family seeded from the system.
    pub fn unseeded(family: Family) -> Result<Self, ArrayError> {
        let entropy = Self::system_entropy()?;
        Ok(match family {
            Family::Modern => Self::modern(&entropy),
            Family::Legacy => Generator { source: Source::new(Stream::mt19937_from_key(&entropy), family) },
        })
    }

    pub(super) fn source_mut(&mut self) -> &mut Source {
        &mut self.source
    }

    /// Which family of formulas it uses.
    pub fn family(&self) -> Family {
        self.source.family
    }

    /// Floats in [0, 1), float64 or float32. The modern family draws float32 from half as many bits.
    pub fn random(&mut self, shape: &[usize], dtype: DType, alloc: &Alloc) -> Result<Array, ArrayError> {
        if dtype == DType::Float32 && self.source.family == Family::Modern {
            let result = support::allocate(shape, dtype, alloc)?;
            support::write::<f32, _>(&result, |elements| {
                support::in_tiles(elements, |_, tile| {
                    tile.iter_mut().for_each(|element| *element = self.source.stream.next_f32());
                })
            })?;
            return Ok(result);
        }
        self.real(RealDistribution::Uniform { low: 0.0, width: 1.0 }, shape, dtype, alloc)
    }

    /// An array of real numbers from one distribution, rounded to `dtype`.
    pub fn real(
        &mut self,
        distribution: RealDistribution,
        shape: &[usize],
        dtype: DType,
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        let distribution = distribution.check(self.source.family)?;
        self.fill(shape, float_dtype(dtype)?, alloc, |source| Ok(Scalar::Float(source.real(distribution))))
    }

    /// An array of whole numbers from one distribution, int64.
    pub fn whole(
        &mut self,
        distribution: WholeDistribution,
        shape: &[usize],
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        let distribution = distribution.check(self.source.family)?;
        self.fill(shape, DType::Int64, alloc, |source| Ok(Scalar::Int(source.whole(distribution).into())))
    }

    /// As [`Generator::real`] with parameters that are arrays: broadcast against each other and against `shape`.
    pub fn real_each(
        &mut self,
        parameters: &[&Array],
        shape: Option<&[usize]>,
        dtype: DType,
        alloc: &Alloc,
        distribution: impl Fn(&[f64]) -> RealDistribution,
    ) -> Result<Array, ArrayError> {
        let (shape, mut rows) = parameter_rows(parameters, shape)?;
        self.fill(&shape, float_dtype(dtype)?, alloc, |source| {
            let distribution = distribution(&rows.next_row()).check(source.family)?;
            Ok(Scalar::Float(source.real(distribution)))
        })
    }

    /// As [`Generator::whole`] with parameters that are arrays.
    pub fn whole_each(
        &mut self,
        parameters: &[&Array],
        shape: Option<&[usize]>,
        alloc: &Alloc,
        distribution: impl Fn(&[f64]) -> WholeDistribution,
    ) -> Result<Array, ArrayError> {
        let (shape, mut rows) = parameter_rows(parameters, shape)?;
        self.fill(&shape, DType::Int64, alloc, |source| {
            let distribution = distribution(&rows.next_row()).check(source.family)?;
            Ok(Scalar::Int(source.whole(distribution).into()))
        })
    }

    fn fill(
        &mut self,
        shape: &[usize],
        dtype: DType,
        alloc: &Alloc,
        mut draw: impl FnMut(&mut Source) -> Result<Scalar, ArrayError>,
    ) -> Result<Array, ArrayError> {
        let result = support::allocate(shape, dtype, alloc)?;
        dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
            support::in_tiles_checked(elements, |_, tile| {
                for element in tile {
                    *element = <T as Element>::from_scalar(draw(&mut self.source)?);
                }
                Ok(())
            })
        }))?;
        Ok(result)
    }

    /// `randint` and `integers`: whole numbers from `low` up to `high`, which is excluded unless `endpoint`.
    pub fn integers(
        &mut self,
        low: i128,
        high: i128,
        endpoint: bool,
        shape: &[usize],
        dtype: DType,
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        let last = if endpoint { high } else { high - 1 };
        let (least, most) = match dtype {
            DType::Bool => (0, 1),
            other => integer_range(other)
                .ok_or_else(|| ArrayError::type_error(format!("Unsupported dtype dtype('{dtype}') for randint")))?,
        };
        if low < least {
            return Err(ArrayError::value(format!("low is out of bounds for {dtype}")));
        }
        if last > most {
            return Err(ArrayError::value(format!("high is out of bounds for {dtype}")));
        }
        if low > last {
            let bound = if endpoint { ">" } else { ">=" };
            let only_high = if endpoint { "<" } else { "<=" };
            return Err(ArrayError::value(if low == 0 {
                format!("high {only_high} 0")
            } else {
                format!("low {bound} high")
            }));
        }
        let bits = match dtype.bytes() {
            _ if dtype.is_bool() => Bits::One,
            1 => Bits::Eight,
            2 => Bits::Sixteen,
            4 => Bits::ThirtyTwo,
            _ => Bits::SixtyFour,
        };
        let mut bounded = Bounded::new((last - low) as u64, bits, self.rejection());
        self.fill(shape, dtype, alloc, |source| Ok(Scalar::Int(low + i128::from(bounded.draw(&mut source.stream)))))
    }

    fn rejection(&self) -> Rejection {
        match self.source.family {
            Family::Legacy => Rejection::Masked,
            Family::Modern => Rejection::Lemire,
        }
    }

    /// `random_raw`: the next numbers of 64 bits, on the host.
    pub fn raw(&mut self, shape: &[usize]) -> Result<Array, ArrayError> {
        let len = checked_len(shape).ok_or_else(support::too_big)?;
        let stream = &mut self.source.stream;
        let drawn = support::HostValues::collect(len, (0..len).map(|_| stream.next_u64()))?;
        Array::from_slice(&drawn, shape, &Alloc::HOST)
    }

    /// `tomaxint`: as many bits as a number with a sign has.
    pub fn largest_whole(&mut self, shape: &[usize], alloc: &Alloc) -> Result<Array, ArrayError> {
        let len = checked_len(shape).ok_or_else(support::too_big)?;
        let stream = &mut self.source.stream;
        let drawn = support::HostValues::collect(len, (0..len).map(|_| (stream.next_u64() >> 1) as i64))?;
        Array::from_slice(&drawn, shape, alloc)
    }

    /// `bytes(count)`.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let words = count.div_ceil(4);
        let mut bytes: Vec<u8> = (0..words).flat_map(|_| self.source.stream.next_u32().to_le_bytes()).collect();
        bytes.truncate(count);
        bytes
    }

    /// `choice`: indices below `population`, with or without replacement, of the given weights.
    pub fn choice(
        &mut self,
        population: usize,
        shape: &[usize],
        replace: bool,
        weights: Option<&[f64]>,
        shuffle: bool,
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        let count = checked_len(shape).ok_or_else(support::too_big)?;
        let legacy = self.source.family == Family::Legacy;
        if population == 0 && count > 0 {
            return Err(ArrayError::value(if legacy {
                "a must be greater than 0 unless no samples are taken"
            } else {
                "a must be a positive integer unless no samples are taken"
            }));
        }
        if let Some(weights) = weights {
            check_weights(weights, population, legacy)?;
        }
        if replace {
            return match weights {
                None => self.integers(0, population.max(1) as i128, false, shape, DType::Int64, alloc),
                Some(weights) => {
                    let steps = cumulative(weights);
                    self.fill(shape, DType::Int64, alloc, |source| {
                        let draw = source.stream.next_f64();
                        Ok(Scalar::Int(steps.partition_point(|step| *step <= draw) as i128))
                    })
                }
            };
        }
        if count > population {
            return Err(ArrayError::value(if legacy {
                "Cannot take a larger sample than population when 'replace=False'"
            } else {
                "Cannot take a larger sample than population when replace is False"
            }));
        }
        let chosen = match weights {
            Some(weights) => self.choose_weighted(weights, count)?,
            None if legacy => {
                let order = self.shuffled_indices(population, &Alloc::HOST)?;
                order.with_slice(|order: &[i64]| order[..count].to_vec())?
            }
            None => self.choose_distinct(population, count, shuffle)?,
        };
        Array::from_slice(&chosen, shape, alloc)
    }

    /// Draws by weight until enough different ones came up; those found no longer count.
    fn choose_weighted(&mut self, weights: &[f64], count: usize) -> Result<Vec<i64>, ArrayError> {
        if weights.iter().filter(|weight| **weight > 0.0).count() < count {
            return Err(ArrayError::value("Fewer non-zero entries in p than size"));
        }
        let mut weights = weights.to_vec();
        let mut found: Vec<i64> = Vec::with_capacity(count);
        while found.len() < count {
            crate::arrays::attention::check()?;
            found.iter().for_each(|index| weights[*index as usize] = 0.0);
            let steps = cumulative(&weights);
            let draws: Vec<f64> = (found.len()..count).map(|_| self.source.stream.next_f64()).collect();
            for draw in draws {
                let index = steps.partition_point(|step| *step <= draw) as i64;
                if !found.contains(&index) {
                    found.push(index);
                }
            }
        }
        Ok(found)
    }

    /// Floyd's algorithm for few of many, the tail of a shuffle for many.
    fn choose_distinct(&mut self, population: usize, count: usize, shuffle: bool) -> Result<Vec<i64>, ArrayError> {
        let cutoff = if shuffle { 50 } else { 20 };
        let stream = &mut self.source.stream;
        let mut shuffle_from = |indices: &mut [i64], first: usize| {
            for last in (first..indices.len()).rev() {
                indices.swap(last, draw_u64(stream, last as u64, Rejection::Lemire) as usize);
            }
        };
        if population > 10_000 && count > population / cutoff {
            let mut indices = support::HostValues::collect(population, 0..population as i64)?;
            shuffle_from(&mut indices, (population - count).max(1));
            return Ok(indices[population - count..].to_vec());
        }
        let mut chosen = Vec::with_capacity(count);
        let mut seen = hashbrown::HashSet::with_capacity(count);
        for bound in population - count..population {
            let draw = draw_u64(&mut self.source.stream, bound as u64, Rejection::Lemire) as i64;
            let pick = if seen.insert(draw) { draw } else { bound as i64 };
            seen.insert(pick);
            chosen.push(pick);
        }
        if shuffle {
            let stream = &mut self.source.stream;
            for last in (1..chosen.len()).rev() {
                chosen.swap(last, draw_u64(stream, last as u64, Rejection::Lemire) as usize);
            }
        }
        Ok(chosen)
    }

    /// `multinomial`: how often each of the outcomes came up in `n` trials; one row per sample.
    pub fn multinomial(
        &mut self,
        n: i64,
        probabilities: &[f64],
        shape: &[usize],
        alloc: &Alloc,
    ) -> Result<Array, ArrayError> {
        WholeDistribution::Binomial { n, p: 0.0 }.check(self.source.family)?;
        if probabilities.iter().any(|p| !(0.0..=1.0).contains(p)) {
            return Err(ArrayError::value("pvals < 0, pvals > 1 or pvals contains NaNs"));
        }
        let outcomes = probabilities.len();
        if outcomes > 0 && probabilities[..outcomes - 1].iter().sum::<f64>() > 1.0 + 1e-12 {
            return Err(ArrayError::value("sum(pvals[:-1]) > 1.0"));
        }
        let rows = checked_len(shape).ok_or_else(support::too_big)?;
        let full: Dims = shape.iter().copied().chain([outcomes]).collect();
        let mut counts = Vec::with_capacity(rows.saturating_mul(outcomes));
        for _ in 0..rows {
            crate::arrays::attention::check()?;
            let (mut left, mut remaining) = (n, 1.0);
            for (number, p) in probabilities.iter().enumerate() {
                let drawn = if number + 1 == outcomes {
                    left
                } else if left > 0 {
                    self.source.binomial(left, p / remaining)
                } else {
                    0
                };
                left -= drawn;
                remaining -= p;
                counts.push(drawn);
            }
        }
        Array::from_slice(&counts, &full, alloc)
    }
}

/// The seed of `default_rng` in 32-bit words, lowest first.
pub fn seed_words(seed: i128) -> Result<Vec<u32>, ArrayError> {
    let mut rest = u128::try_from(seed).map_err(|_| ArrayError::value("expected non-negative integer"))?;
    let mut words = vec![rest as u32];
    while rest > u128::from(u32::MAX) {
        rest >>= 32;
        words.push(rest as u32);
    }
    Ok(words)
}

fn float_dtype(dtype: DType) -> Result<DType, ArrayError> {
    match dtype {
        DType::Float32 | DType::Float64 => Ok(dtype),
        other => Err(ArrayError::type_error(format!("Unsupported dtype dtype('{other}') for random"))),
    }
}

/// Running sums of weights, scaled to end at one.
fn cumulative(weights: &[f64]) -> Vec<f64> {
    let mut steps: Vec<f64> = weights
        .iter()
        .scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        })
        .collect();
    let total = steps.last().copied().unwrap_or(1.0);
    steps.iter_mut().for_each(|step| *step /= total);
    steps
}

fn check_weights(weights: &[f64], population: usize, legacy: bool) -> Result<(), ArrayError> {
    let refuse = |old: &str, new: &str| Err(ArrayError::value(if legacy { old } else { new }));
    if weights.len() != population {
        return refuse("'a' and 'p' must have same size", "a and p must have same size");
    }
    let sum = kahan_sum(weights);
    if sum.is_nan() {
        return refuse("probabilities contain NaN", "Probabilities contain NaN");
    }
    if weights.iter().any(|weight| *weight < 0.0) {
        return refuse("probabilities are not non-negative", "Probabilities are not non-negative");
    }
    if (sum - 1.0).abs() > f64::EPSILON.sqrt() {
        return refuse(
            "probabilities do not sum to 1",
            "Probabilities do not sum to 1. See Notes section of docstring for more information.",
        );
    }
    Ok(())
}

fn kahan_sum(values: &[f64]) -> f64 {
    let (mut sum, mut lost) = (0.0, 0.0);
    for value in values {
        let corrected = value - lost;
        let next = sum + corrected;
        lost = (next - sum) - corrected;
        sum = next;
    }
    sum
}

/// Rows of parameters, one per element of the result.
struct ParameterRows {
    columns: Vec<support::HostValues<f64>>,
    position: usize,
}

impl ParameterRows {
    fn next_row(&mut self) -> Vec<f64> {
        let row = self.columns.iter().map(|column| column[self.position]).collect();
        self.position += 1;
        row
    }
}

fn parameter_rows(parameters: &[&Array], shape: Option<&[usize]>) -> Result<(Dims, ParameterRows), ArrayError> {
    let shapes: Vec<&[usize]> = parameters.iter().map(|parameter| parameter.shape()).collect();
    let common = shapes::common_shape(&shapes)?;
    let shape: Dims = shape.map_or(common, Dims::from_slice);
    let columns = parameters
        .iter()
        .map(|parameter| support::reals(&shapes::broadcast_to(parameter, &shape)?))
        .collect::<Result<_, _>>()?;
    debug_assert!(Layout::contiguous(&shape).len_elements() == checked_len(&shape).unwrap_or(0));
    Ok((shape, ParameterRows { columns, position: 0 }))
}
