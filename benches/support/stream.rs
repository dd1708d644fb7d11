//! The yardsticks of memory bandwidth, over vectors at least four times the last-level cache, on huge pages, each thread on one
//! half: STREAM's triad `x = y + 3 z` with stores that go around the cache, and the sum of one vector, which only reads.

use cellhold::arrays::cpu::memory::last_level_cache_bytes;
use cellhold::arrays::{Alloc, Array, ArrayError, DType};
use rayon::prelude::*;
use std::time::Instant;

/// The three vectors, kept from run to run.
pub struct Triad {
    x: Array,
    y: Array,
    z: Array,
    len: usize,
}

impl Triad {
    /// Vectors of at least `len_min` elements.
    pub fn new(len_min: usize) -> Result<Triad, ArrayError> {
        let len = len_min.max(4 * last_level_cache_bytes() / 8);
        let filled = |value: f64| -> Result<Array, ArrayError> {
            let array = Array::for_overwrite(&[len], DType::Float64, &Alloc::default_device()?)?;
            array.with_slice_mut(|elements: &mut [f64]| elements.fill(value))?;
            Ok(array)
        };
        Ok(Triad { x: filled(0.0)?, y: filled(1.0)?, z: filled(2.0)?, len })
    }

    /// Seconds of one pass.
    pub fn seconds(&self) -> Result<f64, ArrayError> {
        let part = self.len.div_ceil(rayon::current_num_threads()).next_multiple_of(64);
        self.y.with_slice(|y: &[f64]| {
            self.z.with_slice(|z: &[f64]| {
                self.x.with_slice_mut(|x: &mut [f64]| {
                    let start = Instant::now();
                    x.par_chunks_mut(part)
                        .zip(y.par_chunks(part))
                        .zip(z.par_chunks(part))
                        .with_max_len(1)
                        .for_each(|((x, y), z)| triad(x, y, z));
                    start.elapsed().as_secs_f64()
                })
            })
        })??
    }

    /// Seconds of one pass that only reads: the sum of `y`.
    #[allow(dead_code, reason = "not every benchmark compares with it")]
    pub fn reading_seconds(&self) -> Result<f64, ArrayError> {
        let part = self.len.div_ceil(rayon::current_num_threads()).next_multiple_of(64);
        let (seconds, total) = self.y.with_slice(|y: &[f64]| {
            let start = Instant::now();
            let total: f64 = y.par_chunks(part).with_max_len(1).map(sum).sum();
            (start.elapsed().as_secs_f64(), total)
        })?;
        assert!(total == self.len as f64, "the yardstick read something else");
        Ok(seconds)
    }

    /// Bytes a second that a pass of so many seconds read.
    #[allow(dead_code, reason = "not every benchmark compares with it")]
    pub fn reading_bandwidth(&self, seconds: f64) -> f64 {
        (8 * self.len) as f64 / seconds
    }

    /// Bytes a second that a pass of so many seconds moved.
    pub fn bandwidth(&self, seconds: f64) -> f64 {
        (3 * 8 * self.len) as f64 / seconds
    }

    /// The best bandwidth of `runs` passes.
    pub fn best(&self, runs: usize) -> Result<f64, ArrayError> {
        let mut best = f64::INFINITY;
        for _ in 0..runs {
            best = best.min(self.seconds()?);
        }
        self.x.with_slice(|x: &[f64]| {
            assert!(x.iter().all(|&value| value == 7.0), "the triad computed something else")
        })?;
        Ok(self.bandwidth(best))
    }
}

/// The inner loop, as STREAM's compilers emit it.
fn triad(x: &mut [f64], y: &[f64], z: &[f64]) {
    use std::arch::x86_64::{_mm_add_pd, _mm_loadu_pd, _mm_mul_pd, _mm_set1_pd, _mm_sfence, _mm_stream_pd};
    let head = (x.as_ptr().align_offset(64)).min(x.len());
    let end = head + (x.len() - head) / 8 * 8;
    for i in (0..head).chain(end..x.len()) {
        x[i] = y[i] + 3.0 * z[i];
    }
    for line in (head..end).step_by(8) {
        for i in (line..line + 8).step_by(2) {
            // SAFETY: i and i + 1 are inside all three slices, and x + i is aligned to 16.
            unsafe {
                let sum = _mm_add_pd(
                    _mm_loadu_pd(y.as_ptr().add(i)),
                    _mm_mul_pd(_mm_set1_pd(3.0), _mm_loadu_pd(z.as_ptr().add(i))),
                );
                _mm_stream_pd(x.as_mut_ptr().add(i), sum);
            }
        }
    }
    // SAFETY: SSE is part of x86-64.
    unsafe { _mm_sfence() };
}

/// The inner loop of the pass that only reads: as many sums side by side as hide an addition's latency.
fn sum(values: &[f64]) -> f64 {
    let mut sums = [0.0; 32];
    let (lines, rest) = values.as_chunks::<32>();
    for line in lines {
        for (sum, value) in sums.iter_mut().zip(line) {
            *sum += value;
        }
    }
    sums.iter().chain(rest).sum()
}
