//! The two bit generators of `numpy.random` with NumPy's seeding, so that seeded programs give NumPy's numbers bit for bit.
//!
//! Everything above draws through [`Stream`]; nothing here knows of distributions or arrays.

use super::twister::Twister;

/// A source of random bits.
#[derive(Clone, Debug)]
pub enum Stream {
    /// MT19937, behind `numpy.random.seed` and `RandomState`.
    Mt19937(Box<Twister>),
    /// PCG64 (XSL-RR 128/64), behind `numpy.random.default_rng`.
    Pcg64(Pcg64),
}

impl Stream {
    /// MT19937 seeded with one number, as `numpy.random.seed(n)` does.
    pub fn mt19937(seed: u32) -> Self {
        Stream::Mt19937(Box::new(Twister::with_word(seed)))
    }

    /// MT19937 seeded with several numbers, as `numpy.random.seed([..])` does.
    pub fn mt19937_from_key(key: &[u32]) -> Self {
        Stream::Mt19937(Box::new(Twister::with_key(key)))
    }

    /// PCG64 seeded through a seed sequence, as `numpy.random.default_rng(seed)` does. `entropy` is the seed in 32-bit words, lowest first.
    pub fn pcg64(entropy: &[u32]) -> Self {
        Stream::Pcg64(Pcg64::from_entropy(entropy))
    }

    /// The next 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        match self {
            Stream::Mt19937(mt) => mt.word(),
            Stream::Pcg64(pcg) => pcg.next_u32(),
        }
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        match self {
            Stream::Mt19937(mt) => {
                let high = u64::from(mt.word());
                high << 32 | u64::from(mt.word())
            }
            Stream::Pcg64(pcg) => pcg.next_u64(),
        }
    }

    /// A float64 in [0, 1) with 53 random bits.
    pub fn next_f64(&mut self) -> f64 {
        match self {
            Stream::Mt19937(mt) => mt.float(),
            Stream::Pcg64(pcg) => (pcg.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0),
        }
    }

    /// A float32 in [0, 1) with 24 random bits.
    pub fn next_f32(&mut self) -> f32 {
        (self.next_u32() >> 8) as f32 * (1.0 / 16_777_216.0)
    }
}

/// The state of PCG64: a 128-bit congruential step and a permuted output.
#[derive(Clone, Debug)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    /// The upper half of the last 64 bits, not yet given out as 32 bits.
    half: Option<u32>,
}

/// The state of PCG64 as NumPy writes it down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModernState {
    /// The congruential state.
    pub state: u128,
    /// The increment, which is odd.
    pub increment: u128,
    /// The upper half of the last 64 bits, where only their lower half was given out.
    pub half: Option<u32>,
}

const PCG_MULTIPLIER: u128 = 2_549_297_995_355_413_924 << 64 | 4_865_540_595_714_422_341;

impl Pcg64 {
    fn from_entropy(entropy: &[u32]) -> Self {
        let words = SeedSequence::new(entropy).generate_u64(4);
        let wide = |high: usize| u128::from(words[high]) << 64 | u128::from(words[high + 1]);
        let mut pcg = Pcg64 { state: 0, increment: wide(2) << 1 | 1, half: None };
        pcg.step();
        pcg.state = pcg.state.wrapping_add(wide(0));
        pcg.step();
        pcg
    }

    /// What is needed to go on from here.
    pub fn state(&self) -> ModernState {
        ModernState { state: self.state, increment: self.increment, half: self.half }
    }

    /// A stream that goes on from a state.
    pub fn from_state(state: ModernState) -> Self {
        Pcg64 { state: state.state, increment: state.increment, half: state.half }
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(PCG_MULTIPLIER).wrapping_add(self.increment);
    }

    fn next_u64(&mut self) -> u64 {
        self.step();
        let folded = (self.state >> 64) as u64 ^ self.state as u64;
        folded.rotate_right((self.state >> 122) as u32)
    }

    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let both = self.next_u64();
        self.half = Some((both >> 32) as u32);
        both as u32
    }
}

/// NumPy's `SeedSequence`: spreads any seed over a pool from which generator states are drawn.
#[derive(Clone, Debug)]
pub struct SeedSequence {
    pool: [u32; 4],
}

const MULTIPLIER_A: u32 = 0x931e_8875;
const MULTIPLIER_B: u32 = 0x58f3_8ded;
const HASH_START_A: u32 = 0x43b0_d7e5;
const HASH_START_B: u32 = 0x8b51_f9dd;

impl SeedSequence {
    /// Mixes the words of a seed.
    pub fn new(entropy: &[u32]) -> Self {
        let mut hash = HASH_START_A;
        let mut pool = [0_u32; 4];
        for (position, slot) in pool.iter_mut().enumerate() {
            *slot = hash_mix(entropy.get(position).copied().unwrap_or(0), &mut hash);
        }
        for source in 0..pool.len() {
            for target in 0..pool.len() {
                if source != target {
                    pool[target] = mix(pool[target], hash_mix(pool[source], &mut hash));
                }
            }
        }
        for word in entropy.iter().skip(pool.len()) {
            for slot in &mut pool {
                *slot = mix(*slot, hash_mix(*word, &mut hash));
            }
        }
        SeedSequence { pool }
    }

    /// `generate_state(count, uint32)`.
    pub fn generate_u32(&self, count: usize) -> Vec<u32> {
        let mut hash = HASH_START_B;
        self.pool
            .iter()
            .cycle()
            .take(count)
            .map(|word| {
                let mut value = word ^ hash;
                hash = hash.wrapping_mul(MULTIPLIER_B);
                value = value.wrapping_mul(hash);
                value ^ value >> 16
            })
            .collect()
    }

    /// `generate_state(count, uint64)`.
    pub fn generate_u64(&self, count: usize) -> Vec<u64> {
        self.generate_u32(2 * count).chunks_exact(2).map(|pair| u64::from(pair[1]) << 32 | u64::from(pair[0])).collect()
    }
}

fn hash_mix(word: u32, hash: &mut u32) -> u32 {
    let mut value = word ^ *hash;
    *hash = hash.wrapping_mul(MULTIPLIER_A);
    value = value.wrapping_mul(*hash);
    value ^ value >> 16
}

fn mix(left: u32, right: u32) -> u32 {
    let value = left.wrapping_mul(0xca01_f9dd).wrapping_sub(right.wrapping_mul(0x4973_f715));
    value ^ value >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    // The expected numbers come from NumPy 2.4: `RandomState(42).bytes`, `default_rng(42).bit_generator.random_raw`.
    #[test]
    fn seeded_streams_are_numpys() {
        let mut mt = Stream::mt19937(42);
        assert_eq!([mt.next_u32(), mt.next_u32()], [1_608_637_542, 3_421_126_067]);
        assert_eq!(mt.next_f64(), 0.950_714_306_409_916_2);
        let mut pcg = Stream::pcg64(&[42]);
        assert_eq!(pcg.next_f64(), 0.773_956_048_555_963_3);
        assert_eq!(pcg.next_f64(), 0.438_878_439_752_052_3);
    }

    #[test]
    fn halves_of_pcg_words_come_low_first() {
        let mut whole = Stream::pcg64(&[7]);
        let mut halves = Stream::pcg64(&[7]);
        let word = whole.next_u64();
        assert_eq!(halves.next_u32(), word as u32);
        assert_eq!(halves.next_u32(), (word >> 32) as u32);
    }

    #[test]
    fn long_seeds_reach_the_pool() {
        assert_ne!(
            SeedSequence::new(&[1, 2, 3, 4]).generate_u32(2),
            SeedSequence::new(&[1, 2, 3, 4, 5]).generate_u32(2)
        );
    }
}
