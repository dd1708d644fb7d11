//! MT19937, which Python's `random` and NumPy's `RandomState` draw from. The state is open, because both show it.

const WORDS: usize = 624;
const SHIFT: usize = 397;

/// The generator: 624 words and the place of the next one to give out.
#[derive(Clone, Debug)]
pub struct Twister {
    state: [u32; WORDS],
    index: usize,
}

impl Twister {
    /// Seeded with one word, as `numpy.random.seed(n)` does.
    pub fn with_word(seed: u32) -> Self {
        let mut state = [0; WORDS];
        state[0] = seed;
        for place in 1..WORDS {
            let before: u32 = state[place - 1];
            state[place] = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30)).wrapping_add(place as u32);
        }
        Self { state, index: WORDS }
    }

    /// Seeded with the words of a number, lowest first.
    pub fn with_key(key: &[u32]) -> Self {
        let mut twister = Self::with_word(19_650_218);
        let state = &mut twister.state;
        let (mut place, mut from) = (1, 0);
        for _ in 0..WORDS.max(key.len()) {
            let before = state[place - 1];
            state[place] = (state[place] ^ (before ^ (before >> 30)).wrapping_mul(1_664_525))
                .wrapping_add(key[from])
                .wrapping_add(from as u32);
            place += 1;
            from += 1;
            if place >= WORDS {
                state[0] = state[WORDS - 1];
                place = 1;
            }
            if from >= key.len() {
                from = 0;
            }
        }
        for _ in 1..WORDS {
            let before = state[place - 1];
            state[place] =
                (state[place] ^ (before ^ (before >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(place as u32);
            place += 1;
            if place >= WORDS {
                state[0] = state[WORDS - 1];
                place = 1;
            }
        }
        state[0] = 0x8000_0000;
        twister
    }

    /// The words and the place, as `getstate` shows them.
    pub fn words(&self) -> (&[u32], usize) {
        (&self.state, self.index)
    }

    /// A generator that goes on from such words; nothing when they are not 624 or the place is beyond them.
    pub fn from_words(words: &[u32], index: usize) -> Option<Self> {
        let state = words.try_into().ok()?;
        (index <= WORDS).then_some(Self { state, index })
    }

    fn refill(&mut self) {
        let mix = |high: u32, low: u32| {
            let y = (high & 0x8000_0000) | (low & 0x7fff_ffff);
            (y >> 1) ^ (0x9908_b0df * (y & 1))
        };
        let state = &mut self.state;
        for place in 0..WORDS - SHIFT {
            state[place] = state[place + SHIFT] ^ mix(state[place], state[place + 1]);
        }
        for place in WORDS - SHIFT..WORDS - 1 {
            state[place] = state[place + SHIFT - WORDS] ^ mix(state[place], state[place + 1]);
        }
        state[WORDS - 1] = state[SHIFT - 1] ^ mix(state[WORDS - 1], state[0]);
        self.index = 0;
    }

    /// 32 random bits.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.index >= WORDS {
            self.refill();
        }
        let mut y = self.state[self.index];
        self.index += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// A float in [0, 1) with 53 random bits.
    pub fn float(&mut self) -> f64 {
        let high = f64::from(self.word() >> 5);
        let low = f64::from(self.word() >> 6);
        (high * 67_108_864.0 + low) * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A number below `limit`, which is at least 1, by drawing until one fits.
    pub fn index_below(&mut self, limit: usize) -> usize {
        let bits = u64::from(usize::BITS - limit.leading_zeros());
        loop {
            let number = if bits <= 32 {
                u64::from(self.word() >> (32 - bits))
            } else {
                let low = u64::from(self.word());
                let high = u64::from(self.word() >> (64 - bits));
                high << 32 | low
            };
            if (number as usize) < limit {
                return number as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // CPython 3.11: random.seed(42); random.random(); random.getrandbits(40); random.randrange(10**20)
    #[test]
    fn numbers_are_cpythons() {
        let mut twister = Twister::with_key(&[42]);
        assert_eq!(twister.float(), 0.6394267984578837);
        assert_eq!(twister.float(), 0.025010755222666936);
        let mut twister = Twister::with_key(&[42]);
        assert_eq!(twister.index_below(100), 81);
        assert_eq!(twister.index_below(100), 14);
    }

    #[test]
    fn a_state_goes_on_where_it_was_taken() {
        let mut twister = Twister::with_key(&[1, 2, 3]);
        for _ in 0..1000 {
            twister.word();
        }
        let (words, index) = twister.words();
        let mut copy = Twister::from_words(words, index).expect("a state of its own");
        assert_eq!(
            (0..700).map(|_| twister.word()).collect::<Vec<_>>(),
            (0..700).map(|_| copy.word()).collect::<Vec<_>>()
        );
        assert!(Twister::from_words(&[1, 2], 0).is_none());
    }
}
