//! Random integers in a range, by the two methods of NumPy: masked rejection (`RandomState`) and Lemire's multiplication (`Generator`).
//!
//! Narrow dtypes share one 32-bit draw among several numbers, as NumPy does; that is visible in the stream.

use super::streams::Stream;

/// How numbers outside the range are avoided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// Draw with the smallest mask, reject what is too large.
    Masked,
    /// Multiply and take the upper half.
    Lemire,
}

/// How many bits the dtype of the result has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// bool.
    One,
    /// int8 and uint8.
    Eight,
    /// int16 and uint16.
    Sixteen,
    /// int32 and uint32.
    ThirtyTwo,
    /// int64 and uint64.
    SixtyFour,
}

/// A run of draws from `0..=range`, sharing leftover bits as one NumPy call does.
#[derive(Debug)]
pub struct Bounded {
    range: u64,
    bits: Bits,
    rejection: Rejection,
    leftover: u32,
    leftover_count: u32,
}

impl Bounded {
    /// Prepares draws from `0..=range`.
    pub fn new(range: u64, bits: Bits, rejection: Rejection) -> Self {
        Bounded { range, bits, rejection, leftover: 0, leftover_count: 0 }
    }

    /// The next number.
    pub fn draw(&mut self, stream: &mut Stream) -> u64 {
        if self.range == 0 {
            return 0;
        }
        match self.bits {
            Bits::One => u64::from(self.chunk(stream, 1) & 1),
            Bits::Eight => u64::from(self.narrow(stream, 8)),
            Bits::Sixteen => u64::from(self.narrow(stream, 16)),
            Bits::ThirtyTwo => u64::from(draw_u32(stream, self.range as u32, self.rejection)),
            Bits::SixtyFour => draw_u64(stream, self.range, self.rejection),
        }
    }

    /// The next `width` bits, from what the last 32-bit draw left or from a new one.
    fn chunk(&mut self, stream: &mut Stream, width: u32) -> u32 {
        if self.leftover_count == 0 {
            self.leftover = stream.next_u32();
            self.leftover_count = 32 / width - 1;
        } else {
            self.leftover >>= width;
            self.leftover_count -= 1;
        }
        self.leftover & ((1 << width) - 1)
    }

    fn narrow(&mut self, stream: &mut Stream, width: u32) -> u32 {
        let range = self.range as u32;
        let full = (1_u32 << width) - 1;
        if range == full {
            return self.chunk(stream, width);
        }
        match self.rejection {
            Rejection::Masked => {
                let mask = mask_over(u64::from(range)) as u32;
                loop {
                    let value = self.chunk(stream, width) & mask;
                    if value <= range {
                        return value;
                    }
                }
            }
            Rejection::Lemire => {
                let len = range + 1;
                let threshold = (full - range) % len;
                loop {
                    let product = self.chunk(stream, width) * len;
                    if product & full >= threshold {
                        return product >> width;
                    }
                }
            }
        }
    }
}

/// NumPy's `random_interval`: the legacy draw from `0..=range` used by `shuffle` and `permutation`.
pub fn interval(stream: &mut Stream, range: u64) -> u64 {
    draw_u64(stream, range, Rejection::Masked)
}

fn draw_u32(stream: &mut Stream, range: u32, rejection: Rejection) -> u32 {
    if range == u32::MAX {
        return stream.next_u32();
    }
    match rejection {
        Rejection::Masked => {
            let mask = mask_over(u64::from(range)) as u32;
            loop {
                let value = stream.next_u32() & mask;
                if value <= range {
                    return value;
                }
            }
        }
        Rejection::Lemire => {
            let len = u64::from(range) + 1;
            let threshold = (u64::from(u32::MAX - range) % len) as u32;
            loop {
                let product = u64::from(stream.next_u32()) * len;
                if product as u32 >= threshold {
                    return (product >> 32) as u32;
                }
            }
        }
    }
}

/// A draw from `0..=range`, with 32 bits where they suffice.
pub fn draw_u64(stream: &mut Stream, range: u64, rejection: Rejection) -> u64 {
    if range == 0 {
        return 0;
    }
    if let Ok(range) = u32::try_from(range) {
        return u64::from(draw_u32(stream, range, rejection));
    }
    if range == u64::MAX {
        return stream.next_u64();
    }
    match rejection {
        Rejection::Masked => {
            let mask = mask_over(range);
            loop {
                let value = stream.next_u64() & mask;
                if value <= range {
                    return value;
                }
            }
        }
        Rejection::Lemire => {
            let len = range + 1;
            let threshold = (u64::MAX - range) % len;
            loop {
                let product = u128::from(stream.next_u64()) * u128::from(len);
                if product as u64 >= threshold {
                    return (product >> 64) as u64;
                }
            }
        }
    }
}

/// The smallest number of the form 2^n - 1 that is not below `range`.
fn mask_over(range: u64) -> u64 {
    u64::MAX.checked_shr(range.leading_zeros()).unwrap_or(0)
}
