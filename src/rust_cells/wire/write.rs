//! Answers as bytes.

use super::{Answer, Data, FRAME_BYTES_MAX, Facts};
use crate::arrays::DType;

/// Writes the parts of a frame.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// An empty frame.
    pub fn new() -> Self {
        Self(vec![0; 4])
    }

    /// A byte.
    pub fn u8(mut self, value: u8) -> Self {
        self.0.push(value);
        self
    }

    /// A 32-bit number.
    pub fn u32(mut self, value: u32) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A 64-bit number.
    pub fn u64(mut self, value: u64) -> Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A text and its length; one too long for a frame is cut.
    pub fn text(self, text: &str) -> Self {
        let mut end = text.len().min(FRAME_BYTES_MAX / 2);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let mut writer = self.u32(end as u32);
        writer.0.extend(&text.as_bytes()[..end]);
        writer
    }

    /// A dtype.
    pub fn dtype(self, dtype: DType) -> Self {
        self.u8(dtype as u8)
    }

    /// A shape.
    pub fn shape(self, shape: &[u64]) -> Self {
        shape.iter().fold(self.u32(shape.len() as u32), |writer, &len| writer.u64(len))
    }

    /// Bytes as they are.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    /// The whole frame, its length first.
    pub fn finish(mut self) -> Vec<u8> {
        let length = (self.0.len() - 4) as u32;
        self.0[..4].copy_from_slice(&length.to_le_bytes());
        self.0
    }

    fn facts(self, facts: &Facts) -> Self {
        self.dtype(facts.dtype).shape(&facts.shape).text(&facts.device)
    }
}

impl Answer {
    /// The frame of an answer.
    pub fn frame(&self) -> Vec<u8> {
        let writer = Writer::new();
        let writer = match self {
            Answer::Done => writer.u8(0),
            Answer::Failed { class, message } => writer.u8(1).text(class).text(message),
            Answer::Array(facts) => writer.u8(2).facts(facts),
            Answer::Elements { facts, data, bytes } => {
                let writer = writer.u8(3).facts(facts).u64(*bytes);
                match data {
                    Data::Window => writer.u8(1),
                    Data::Inline(bytes) => writer.u8(0).bytes(bytes),
                }
            }
            Answer::Shown(text) => writer.u8(4).text(text),
        };
        writer.finish()
    }
}
