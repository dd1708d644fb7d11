//! Requests and answers as bytes; the other end is `src/rust_cells/wire.rs` of the session.

use crate::element::{DType, Number};
use crate::{Error, Result};

/// The version of the protocol.
pub const VERSION: u16 = 1;
/// What a connection begins with.
pub const GREETING: &[u8; 4] = b"CHRA";
/// Data up to this stands in the frame itself.
pub const INLINE_BYTES_MAX: usize = 32 << 10;

/// Writes the parts of a frame.
pub struct Writer(Vec<u8>);

impl Writer {
    /// A frame of a kind.
    pub fn new(kind: u8) -> Self {
        Self(vec![0, 0, 0, 0, kind])
    }

    pub fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    pub fn flag(self, value: bool) -> Self {
        self.u8(u8::from(value))
    }

    pub fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn i64(mut self, value: i64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    pub fn f64(self, value: f64) -> Self {
        self.u64(value.to_bits())
    }

    pub fn text(self, text: &str) -> Self {
        self.u32(text.len() as u32).bytes(text.as_bytes())
    }

    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    pub fn dtype(self, dtype: DType) -> Self {
        self.u8(dtype as u8)
    }

    pub fn shape(self, shape: &[usize]) -> Self {
        shape.iter().fold(self.u32(shape.len() as u32), |writer, &len| writer.u64(len as u64))
    }

    pub fn number(self, number: Number) -> Self {
        match number {
            Number::Bool(value) => self.u8(0).flag(value),
            Number::Int(value) => self.u8(1).bytes(&value.to_le_bytes()),
            Number::Float(value) => self.u8(2).f64(value),
            Number::Complex(re, im) => self.u8(3).f64(re).f64(im),
        }
    }

    /// The whole frame, its length first.
    pub fn finish(mut self) -> Vec<u8> {
        let length = (self.0.len() - 4) as u32;
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }
}

/// Reads the parts of a frame.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| malformed())
    }

    pub fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    pub fn text(&mut self) -> Result<String> {
        let count = self.u32()? as usize;
        Ok(String::from_utf8_lossy(self.take(count)?).into_owned())
    }

    pub fn dtype(&mut self) -> Result<DType> {
        DType::ALL.get(self.u8()? as usize).copied().ok_or_else(malformed)
    }

    pub fn shape(&mut self) -> Result<Vec<usize>> {
        let rank = self.u32()?;
        (0..rank).map(|_| Ok(self.u64()? as usize)).collect()
    }

    /// What an array is known by.
    pub fn facts(&mut self) -> Result<Facts> {
        Ok(Facts { dtype: self.dtype()?, shape: self.shape()?, device: self.text()? })
    }
}

/// What is known of an array here.
#[derive(Clone, Debug)]
pub struct Facts {
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub device: String,
}

/// An answer of the session.
pub enum Answer {
    Done,
    Array(Facts),
    /// Elements in the frame.
    Inline(Facts, Vec<u8>),
    /// So many bytes through the window.
    Window(Facts, usize),
    Shown(String),
}

impl Answer {
    /// Reads a frame's content; a refusal is the error.
    pub fn parse(bytes: &[u8]) -> Result<Answer> {
        let mut reader = Reader(bytes);
        Ok(match reader.u8()? {
            0 => Answer::Done,
            1 => return Err(Error::new(&reader.text()?, reader.text()?)),
            2 => Answer::Array(reader.facts()?),
            3 => {
                let (facts, bytes) = (reader.facts()?, reader.u64()? as usize);
                match reader.u8()? {
                    0 => Answer::Inline(facts, reader.0.to_vec()),
                    _ => Answer::Window(facts, bytes),
                }
            }
            4 => Answer::Shown(reader.text()?),
            _ => return Err(malformed()),
        })
    }
}

/// The error for an answer that makes no sense.
pub fn malformed() -> Error {
    Error::new("RuntimeError", "the session sent what makes no sense: are both ends of one version?")
}
