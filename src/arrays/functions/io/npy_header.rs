//! The header of a `.npy` file: reading one that may lie, and writing one as NumPy writes it.
//!
//! A header is text in Python syntax, `{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }`. Only that much of the syntax is read.
//! It knows nothing of arrays; whether the file is long enough for the shape is for the caller to check against `data_bytes`.

use std::fmt;

use crate::arrays::functions::print::shape_repr;

/// What a `.npy` header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyHeader {
    /// The dtype in NumPy's array-protocol spelling, `<f8`.
    pub descr: String,
    /// Whether the first axis varies fastest.
    pub fortran_order: bool,
    /// The lengths of the axes.
    pub shape: Vec<usize>,
}

/// Why a header cannot be used; the text is NumPy's where NumPy has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NpyHeaderError(pub String);

impl fmt::Display for NpyHeaderError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The first bytes of every `.npy` file.
pub const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// NumPy refuses longer headers unless told to trust the file.
const HEADER_BYTES_MAX: usize = 10_000;

/// NumPy arrays have at most this many axes.
const RANK_MAX: usize = 64;

/// Data starts at a multiple of this, so that it can be mapped and read with wide loads.
const ALIGNMENT: usize = 64;

/// Reads the header at the start of `bytes`; also returns where the data starts.
pub fn parse(bytes: &[u8]) -> Result<(NpyHeader, usize), NpyHeaderError> {
    let magic = bytes
        .get(..8)
        .ok_or_else(|| NpyHeaderError(format!("EOF: reading magic string, expected 8 bytes got {}", bytes.len())))?;
    if &magic[..6] != MAGIC {
        return Err(NpyHeaderError(format!(
            "the magic string is not correct; expected {}, got {}",
            bytes_repr(MAGIC),
            bytes_repr(&magic[..6])
        )));
    }
    let (major, minor) = (magic[6], magic[7]);
    let length_bytes = match (major, minor) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        _ => {
            return Err(NpyHeaderError(format!(
                "we only support format version (1,0), (2,0), and (3,0), not ({major}, {minor})"
            )));
        }
    };
    let length_field = bytes.get(8..8 + length_bytes).ok_or_else(|| {
        NpyHeaderError(format!(
            "EOF: reading array header length, expected {length_bytes} bytes got {}",
            bytes.len() - 8
        ))
    })?;
    let header_bytes = length_field.iter().rev().fold(0_usize, |length, byte| length << 8 | usize::from(*byte));
    if header_bytes > HEADER_BYTES_MAX {
        return Err(NpyHeaderError(format!(
            "Header info length ({header_bytes}) is large and may not be safe to load securely.\nTo allow loading, adjust `max_header_size` or fully trust the `.npy` file using `allow_pickle=True`."
        )));
    }
    let start = 8 + length_bytes;
    let text = bytes.get(start..start + header_bytes).ok_or_else(|| {
        NpyHeaderError(format!("EOF: reading array header, expected {header_bytes} bytes got {}", bytes.len() - start))
    })?;
    let text =
        std::str::from_utf8(text).map_err(|_| NpyHeaderError("Cannot parse header: it is not text".to_owned()))?;
    Ok((parse_dict(text)?, start + header_bytes))
}

/// Writes the whole header, magic and padding included, for data that follows at once.
pub fn write(header: &NpyHeader) -> Vec<u8> {
    let fortran_order = if header.fortran_order { "True" } else { "False" };
    let mut text = format!(
        "{{'descr': '{}', 'fortran_order': {fortran_order}, 'shape': {}, }}",
        header.descr,
        shape_repr(&header.shape)
    );
    // NumPy leaves room to rewrite the growing axis in place; readers ignore it, byte-equal files need it.
    let growing = if header.fortran_order { header.shape.last() } else { header.shape.first() };
    if let Some(length) = growing {
        text.extend(std::iter::repeat_n(' ', 21 - length.to_string().len().min(21)));
    }
    let wide = text.len() + 1 + 10 + ALIGNMENT > usize::from(u16::MAX);
    let prefix = if wide { 12 } else { 10 };
    let unpadded = prefix + text.len() + 1;
    text.extend(std::iter::repeat_n(' ', ALIGNMENT - unpadded % ALIGNMENT));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    if wide {
        bytes.extend([2, 0]);
        bytes.extend((text.len() as u32).to_le_bytes());
    } else {
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
    }
    bytes.extend(text.as_bytes());
    bytes
}

impl NpyHeader {
    /// Bytes of data that the header announces, or `None` if that number does not exist.
    pub fn data_bytes(&self, item_bytes: usize) -> Option<usize> {
        self.shape
            .iter()
            .try_fold(item_bytes, |bytes, length| bytes.checked_mul(*length))
            .filter(|bytes| isize::try_from(*bytes).is_ok())
    }
}

fn bytes_repr(bytes: &[u8]) -> String {
    format!("b'{}'", bytes.escape_ascii())
}

enum Literal {
    Text(String),
    Bool(bool),
    Lengths(Vec<usize>),
}

fn parse_dict(text: &str) -> Result<NpyHeader, NpyHeaderError> {
    let unusable = |why: &str| NpyHeaderError(format!("Cannot parse header: {:?}: {why}", text.trim_end()));
    let mut reader = Reader { rest: text.trim() };
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    if !reader.take("{") {
        return Err(unusable("it is not a dictionary"));
    }
    while !reader.take("}") {
        let Some(Literal::Text(key)) = reader.literal() else { return Err(unusable("a key is not a string")) };
        if !reader.take(":") {
            return Err(unusable("a value is missing"));
        }
        let value = reader.literal().ok_or_else(|| {
            if key == "descr" {
                NpyHeaderError(format!(
                    "descr is not a valid dtype descriptor: {}",
                    reader.rest.split('}').next().unwrap_or("").trim()
                ))
            } else {
                unusable("a value is not understood")
            }
        })?;
        match (key.as_str(), value) {
            ("descr", Literal::Text(value)) => descr = Some(value),
            ("fortran_order", Literal::Bool(value)) => fortran_order = Some(value),
            ("shape", Literal::Lengths(value)) => shape = Some(value),
            ("descr", _) => return Err(NpyHeaderError("descr is not a valid dtype descriptor".to_owned())),
            ("fortran_order", _) => return Err(NpyHeaderError("fortran_order is not a valid bool".to_owned())),
            ("shape", _) => return Err(NpyHeaderError("shape is not valid".to_owned())),
            _ => return Err(NpyHeaderError(format!("Header does not contain the correct keys: {key:?} is not one"))),
        }
        if !reader.take(",") && !reader.rest.starts_with('}') {
            return Err(unusable("a comma is missing"));
        }
    }
    if !reader.rest.trim().is_empty() {
        return Err(unusable("something follows the dictionary"));
    }
    match (descr, fortran_order, shape) {
        (Some(descr), Some(fortran_order), Some(shape)) => Ok(NpyHeader { descr, fortran_order, shape }),
        _ => Err(NpyHeaderError("Header does not contain the correct keys: descr, fortran_order and shape".to_owned())),
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn literal(&mut self) -> Option<Literal> {
        for quote in ["'", "\""] {
            if self.take(quote) {
                let (text, rest) = self.rest.split_once(quote)?;
                if text.contains('\\') {
                    return None;
                }
                self.rest = rest;
                return Some(Literal::Text(text.to_owned()));
            }
        }
        if self.take("True") {
            return Some(Literal::Bool(true));
        }
        if self.take("False") {
            return Some(Literal::Bool(false));
        }
        if !self.take("(") {
            return None;
        }
        let mut lengths = Vec::new();
        while !self.take(")") {
            let digits = self.rest.len() - self.rest.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).len();
            let (number, rest) = self.rest.split_at(digits);
            lengths.push(number.parse().ok()?);
            // Files written by Python 2 spell long integers `3L`.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            if lengths.len() > RANK_MAX || (!self.take(",") && !self.rest.starts_with(')')) {
                return None;
            }
        }
        Some(Literal::Lengths(lengths))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((text.len() as u16).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes
    }

    #[test]
    fn a_written_header_reads_back_and_ends_on_a_boundary() {
        for (shape, fortran_order) in
            [(vec![], false), (vec![3], false), (vec![2, 0, 5], true), (vec![123_456_789; 8], false)]
        {
            let header = NpyHeader { descr: "<c16".to_owned(), fortran_order, shape };
            let bytes = write(&header);
            assert_eq!(bytes.len() % 64, 0);
            assert_eq!(parse(&bytes), Ok((header, bytes.len())));
        }
    }

    #[test]
    fn the_bytes_are_those_numpy_writes() {
        let header = NpyHeader { descr: "<f8".to_owned(), fortran_order: false, shape: vec![3] };
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }";
        let mut expected = b"\x93NUMPY\x01\x00v\x00".to_vec();
        expected.extend(format!("{text:<117}\n").as_bytes());
        assert_eq!(write(&header), expected);
    }

    #[test]
    fn lying_headers_are_refused() {
        for text in [
            "",
            "{",
            "{'descr'",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), } x",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
            "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,), }",
            "{'descr': '<f8', 'fortran_order': False}",
            "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (3 3), }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': 3, 'more': 'x'}",
        ] {
            assert!(parse(&file(text)).is_err(), "{text}");
        }
        let many = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({})}}", "1,".repeat(100));
        assert!(parse(&file(&many)).is_err());
        let good = file("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }");
        for length in 0..good.len() {
            assert!(parse(&good[..length]).is_err());
        }
        assert!(parse(&good).is_ok());
    }

    #[test]
    fn a_size_that_does_not_fit_is_no_size() {
        let header = NpyHeader { descr: "<f8".to_owned(), fortran_order: false, shape: vec![1 << 40, 1 << 40] };
        assert_eq!(header.data_bytes(8), None);
    }
}
