//! `str`, `bytes` and `bytearray`.

use std::cell::{Cell, RefCell};

use compact_str::{CompactString, ToCompactString};

use super::leaf_object;

/// A `str`: UTF-8 text whose length in code points and ASCII-ness are known from the start. Short texts stand in the object.
#[derive(Debug)]
pub struct StrObject {
    text: CompactString,
    len_chars: usize,
    hash: Cell<Option<i64>>,
}

impl StrObject {
    /// Wraps a text.
    pub fn new(text: impl Into<CompactString>) -> Self {
        let text = text.into();
        let len_chars = if text.is_ascii() { text.len() } else { text.chars().count() };
        Self { text, len_chars, hash: Cell::new(None) }
    }

    /// Wraps a text of which the length in code points is known.
    pub fn counted(text: impl Into<CompactString>, len_chars: usize) -> Self {
        let text = text.into();
        debug_assert_eq!(text.chars().count(), len_chars);
        Self { text, len_chars, hash: Cell::new(None) }
    }

    /// The text of an integer.
    pub fn of_int(value: i64) -> Self {
        let text = value.to_compact_string();
        let len_chars = text.len();
        Self { text, len_chars, hash: Cell::new(None) }
    }

    /// An empty text with room for `bytes`, to push others to.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { text: CompactString::with_capacity(bytes), len_chars: 0, hash: Cell::new(None) }
    }

    /// Two texts in one.
    pub fn joined(left: &Self, right: &Self) -> Self {
        let mut joined = Self::with_capacity(left.text.len() + right.text.len());
        joined.push(left);
        joined.push(right);
        joined
    }

    /// Appends a text in place, for the owner of the only reference.
    pub fn push(&mut self, more: &Self) {
        self.len_chars += more.len_chars;
        self.text.push_str(&more.text);
        self.hash.set(None);
    }

    /// The text.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// `len()`: code points.
    #[inline]
    pub fn len_chars(&self) -> usize {
        self.len_chars
    }

    /// Whether a code point is a byte everywhere, so that indices need no scan.
    #[inline]
    pub fn is_ascii(&self) -> bool {
        self.len_chars == self.text.len()
    }

    /// The byte position of code point `index`, the text's end when past it.
    pub fn byte_offset(&self, index: usize) -> usize {
        if self.is_ascii() {
            return index.min(self.text.len());
        }
        self.text.char_indices().nth(index).map_or(self.text.len(), |(at, _)| at)
    }

    /// The hash once computed.
    pub fn cached_hash(&self) -> &Cell<Option<i64>> {
        &self.hash
    }
}
leaf_object!(StrObject, Str);

/// A `bytes`.
#[derive(Debug)]
pub struct BytesObject {
    data: Box<[u8]>,
}

impl BytesObject {
    /// Wraps the data.
    pub fn new(data: impl Into<Box<[u8]>>) -> Self {
        Self { data: data.into() }
    }

    /// The data.
    pub fn as_bytes(&self) -> &[u8] {
        &self.data
    }
}
leaf_object!(BytesObject, Bytes);

/// A `bytearray`.
#[derive(Debug, Default)]
pub struct ByteArrayObject {
    /// The data; never borrowed while user code can run.
    pub data: RefCell<Vec<u8>>,
    /// How many memoryviews look into it, which forbids resizing.
    pub exports: Cell<usize>,
}

impl ByteArrayObject {
    /// Wraps the data.
    pub fn new(data: Vec<u8>) -> Self {
        Self { data: RefCell::new(data), exports: Cell::new(0) }
    }
}
leaf_object!(ByteArrayObject, ByteArray);
