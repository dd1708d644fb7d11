//! Arrays as text: `loadtxt`, `genfromtxt`, `fromstring` and `savetxt`. Files are read and written by the caller, who knows the encoding.

use num_complex::Complex64;

use crate::arrays::array::{Alloc, Array};
use crate::arrays::dtype::{DType, Element};
use crate::arrays::error::ArrayError;
use crate::arrays::functions::print::{DigitStyle, FloatWidth, Trim, scientific};
use crate::arrays::functions::{shapes, support};
use crate::arrays::layout::normalize_axis;
use crate::arrays::scalar::Scalar;
use crate::dispatch;

/// How text is taken apart.
#[derive(Clone, Debug)]
pub struct TextOptions {
    /// The dtype of the result.
    pub dtype: DType,
    /// What starts a comment; nothing if empty.
    pub comments: Vec<String>,
    /// What separates columns; blanks if none.
    pub delimiter: Option<String>,
    /// Lines skipped at the start.
    pub skip_lines: usize,
    /// Lines skipped at the end (`genfromtxt`).
    pub skip_footer: usize,
    /// The columns to keep.
    pub columns: Option<Vec<i64>>,
    /// Most rows to read.
    pub rows_max: Option<usize>,
    /// Least rank of the result.
    pub rank_min: usize,
    /// Transposes the result.
    pub unpack: bool,
    /// What an empty or unreadable field becomes; an error if none.
    pub filling: Option<f64>,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            dtype: DType::Float64,
            comments: vec!["#".to_owned()],
            delimiter: None,
            skip_lines: 0,
            skip_footer: 0,
            columns: None,
            rows_max: None,
            rank_min: 0,
            unpack: false,
            filling: None,
        }
    }
}

/// `loadtxt` and, with a filling, `genfromtxt`.
pub fn load(text: &str, options: &TextOptions, alloc: &Alloc) -> Result<Array, ArrayError> {
    let mut lines: Vec<&str> = text.lines().skip(options.skip_lines).collect();
    lines.truncate(lines.len().saturating_sub(options.skip_footer));
    let mut numbers: Vec<Scalar> = Vec::new();
    let (mut rows, mut width) = (0, None);
    for line in lines {
        if options.rows_max.is_some_and(|most| rows >= most) {
            break;
        }
        crate::arrays::attention::check()?;
        let line = without_comment(line, &options.comments);
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = match &options.delimiter {
            Some(delimiter) => line.split(delimiter.as_str()).map(str::trim).collect(),
            None => line.split_whitespace().collect(),
        };
        let found = read_row(&fields, rows, options, &mut numbers)?;
        match width {
            None => width = Some(found),
            Some(expected) if expected != found => return Err(uneven(expected, found, rows, options)),
            Some(_) => {}
        }
        rows += 1;
    }
    let width = width.unwrap_or(0);
    let matrix = support::allocate(&[rows, width], options.dtype, alloc)?;
    dispatch!(options.dtype, T => support::write::<T, _>(&matrix, |elements| {
        elements.iter_mut().zip(&numbers).for_each(|(element, number)| *element = <T as Element>::from_scalar(*number));
        Ok(())
    }))?;
    arrange(&matrix, options)
}

fn uneven(expected: usize, found: usize, row: usize, options: &TextOptions) -> ArrayError {
    ArrayError::value(if options.filling.is_some() {
        format!(
            "Some errors were detected !\n    Line #{} (got {found} columns instead of {expected})",
            row + 1 + options.skip_lines
        )
    } else {
        format!(
            "the number of columns changed from {expected} to {found} at row {}; use `usecols` to select a subset and avoid this error",
            row + 1
        )
    })
}

fn read_row(
    fields: &[&str],
    row: usize,
    options: &TextOptions,
    numbers: &mut Vec<Scalar>,
) -> Result<usize, ArrayError> {
    let picked: Vec<usize> = match &options.columns {
        None => (0..fields.len()).collect(),
        Some(columns) => columns
            .iter()
            .map(|column| {
                normalize_axis(*column, fields.len()).map_err(|_| {
                    ArrayError::value(format!(
                        "invalid column index {column} at row {} with {} columns",
                        row + 1,
                        fields.len()
                    ))
                })
            })
            .collect::<Result<_, _>>()?,
    };
    for column in &picked {
        let field = fields[*column];
        let number = match (parse_number(field, options.dtype), options.filling) {
            (Some(number), _) => number,
            (None, Some(filling)) => Scalar::Float(filling),
            (None, None) => {
                return Err(ArrayError::value(format!(
                    "could not convert string '{field}' to {} at row {row}, column {}.",
                    options.dtype,
                    column + 1
                )));
            }
        };
        numbers.push(number);
    }
    Ok(picked.len())
}

/// One row or one column becomes a vector unless a higher rank is asked for.
fn arrange(matrix: &Array, options: &TextOptions) -> Result<Array, ArrayError> {
    let [rows, width] = [matrix.shape()[0], matrix.shape()[1]];
    let flavour = crate::arrays::op::Flavour::NumPy;
    let order = support::MemoryOrder::C;
    let shaped = if rows == 0 {
        let shape: &[i64] = if options.rank_min > 1 { &[0, 1] } else { &[0] };
        shapes::reshape(matrix, shape, order, None, flavour)?
    } else if options.rank_min > 1 || (rows > 1 && width > 1) {
        matrix.clone()
    } else if rows * width == 1 && options.rank_min == 0 {
        shapes::reshape(matrix, &[], order, None, flavour)?
    } else {
        shapes::reshape(matrix, &[-1], order, None, flavour)?
    };
    Ok(if options.unpack { shaped.transposed() } else { shaped })
}

fn without_comment<'a>(line: &'a str, comments: &[String]) -> &'a str {
    let marks = comments.iter().filter(|mark| !mark.is_empty());
    marks.filter_map(|mark| line.find(mark.as_str())).min().map_or(line, |start| &line[..start])
}

/// Reads a number as Python would for this kind of dtype.
pub fn parse_number(text: &str, dtype: DType) -> Option<Scalar> {
    let text = text.trim();
    if dtype.is_integer() || dtype.is_bool() {
        return text.parse::<i128>().ok().map(Scalar::Int);
    }
    if dtype.is_complex() {
        return parse_complex(text).map(Scalar::Complex);
    }
    parse_float(text).map(Scalar::Float)
}

fn parse_float(text: &str) -> Option<f64> {
    // Rust also accepts `infinity` and `nan` in any case, as Python does, and nothing that Python refuses.
    text.parse().ok()
}

fn parse_complex(text: &str) -> Option<Complex64> {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let Some(body) = inner.strip_suffix(['j', 'J']) else {
        return parse_float(inner).map(|real| Complex64::new(real, 0.0));
    };
    // The sign that separates the parts is the last one that is not an exponent's.
    let split = body
        .char_indices()
        .rev()
        .find(|(place, symbol)| *place > 0 && matches!(symbol, '+' | '-') && !body[..*place].ends_with(['e', 'E']));
    match split {
        Some((place, _)) => Some(Complex64::new(parse_float(&body[..place])?, parse_float(&body[place..])?)),
        None => parse_float(body).map(|imaginary| Complex64::new(0.0, imaginary)),
    }
}

/// `fromstring` with a separator.
pub fn from_string(
    text: &str,
    dtype: DType,
    count: Option<usize>,
    separator: &str,
    alloc: &Alloc,
) -> Result<Array, ArrayError> {
    let separator = separator.trim();
    let fields: Vec<&str> = if separator.is_empty() {
        text.split_whitespace().collect()
    } else {
        text.split(separator).map(str::trim).filter(|field| !field.is_empty()).collect()
    };
    let numbers = fields
        .iter()
        .take(count.unwrap_or(usize::MAX))
        .map(|field| {
            parse_number(field, dtype)
                .ok_or_else(|| ArrayError::value("string or file could not be read to its end due to unmatched data"))
        })
        .collect::<Result<Vec<Scalar>, _>>()?;
    if count.is_some_and(|count| count > numbers.len()) {
        return Err(ArrayError::value("string is smaller than requested size"));
    }
    let result = support::allocate(&[numbers.len()], dtype, alloc)?;
    dispatch!(dtype, T => support::write::<T, _>(&result, |elements| {
        elements.iter_mut().zip(&numbers).for_each(|(element, number)| *element = <T as Element>::from_scalar(*number));
        Ok(())
    }))?;
    Ok(result)
}

/// How `savetxt` writes.
#[derive(Clone, Debug)]
pub struct SaveTextOptions {
    /// Between columns.
    pub delimiter: String,
    /// After each row.
    pub newline: String,
    /// Written first, each line behind `comments`.
    pub header: String,
    /// Written last, each line behind `comments`.
    pub footer: String,
    /// What starts a comment line.
    pub comments: String,
}

/// The text of `savetxt`; `format` writes one number of the given column.
pub fn save(
    array: &Array,
    options: &SaveTextOptions,
    mut format: impl FnMut(Scalar, usize) -> Result<String, ArrayError>,
) -> Result<String, ArrayError> {
    let matrix = match array.rank() {
        0 | 1 => shapes::expand_dims(&shapes::atleast_1d(array)?, &[1])?,
        2 => array.clone(),
        rank => return Err(ArrayError::value(format!("Expected 1D or 2D array, got {rank}D array instead"))),
    };
    let width = matrix.shape()[1];
    let remark = |text: &str| -> String {
        if text.is_empty() {
            return String::new();
        }
        let commented = text.replace('\n', &format!("\n{}", options.comments));
        format!("{}{commented}{}", options.comments, options.newline)
    };
    let mut text = remark(&options.header);
    if width > 0 {
        for row in support::scalars(&matrix)?.chunks(width) {
            crate::arrays::attention::check()?;
            for (column, value) in row.iter().enumerate() {
                if column > 0 {
                    text.push_str(&options.delimiter);
                }
                text.push_str(&format(*value, column)?);
            }
            text.push_str(&options.newline);
        }
    }
    text.push_str(&remark(&options.footer));
    Ok(text)
}

/// `%.18e`, the default format of `savetxt`; complex numbers as ` (re+imj)`.
pub fn default_format(value: Scalar) -> String {
    let part = |value: f64, plus: bool| {
        if !value.is_finite() {
            let sign = if value < 0.0 {
                "-"
            } else if plus {
                "+"
            } else {
                ""
            };
            return format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" });
        }
        let style = DigitStyle { precision: Some(18), unique: false, plus, ..DigitStyle::shortest(Trim::Keep) };
        scientific(value, FloatWidth::Double, &style)
    };
    match value {
        Scalar::Complex(value) => format!(" ({}{}j)", part(value.re, false), part(value.im, true)),
        Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => part(value.real(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arrays::functions::print::{PrintOptions, repr};

    fn loaded(text: &str, change: impl FnOnce(&mut TextOptions)) -> String {
        let mut options = TextOptions::default();
        change(&mut options);
        match load(text, &options, &Alloc::HOST) {
            Ok(array) => repr(&array, &PrintOptions::default()).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    // The expected texts are NumPy's.
    #[test]
    fn tables_load_as_numpy_loads_them() {
        assert_eq!(loaded("1 2\n3 x", |_| {}), "could not convert string 'x' to float64 at row 1, column 2.");
        assert_eq!(
            loaded("1 2\n3", |_| {}),
            "the number of columns changed from 2 to 1 at row 2; use `usecols` to select a subset and avoid this error"
        );
        let comma = |options: &mut TextOptions| options.delimiter = Some(",".to_owned());
        assert_eq!(loaded("# c\n1,2\n3,4 # d\n\n", comma), "array([[1., 2.],\n       [3., 4.]])");
        assert_eq!(loaded("", |_| {}), "array([], dtype=float64)");
        assert_eq!(loaded("1 2 3", |_| {}), "array([1., 2., 3.])");
        assert_eq!(loaded("1\n2", |options| options.dtype = DType::Int64), "array([1, 2])");
        let picked = |options: &mut TextOptions| {
            options.columns = Some(vec![0, 2]);
            options.unpack = true;
        };
        assert_eq!(loaded("1 2 3\n4 5 6", picked), "array([[1., 4.],\n       [3., 6.]])");
        let missing = |options: &mut TextOptions| {
            comma(options);
            options.filling = Some(f64::NAN);
        };
        assert_eq!(loaded("1,,3\nx,5,6", missing), "array([[ 1., nan,  3.],\n       [nan,  5.,  6.]])");
    }

    #[test]
    fn tables_are_written_as_numpy_writes_them() {
        let array = Array::from_slice(&[1.0, 2.5, -3.0, f64::NAN], &[2, 2], &Alloc::HOST).unwrap();
        let options = SaveTextOptions {
            delimiter: " ".to_owned(),
            newline: "\n".to_owned(),
            header: "a\nb".to_owned(),
            footer: String::new(),
            comments: "# ".to_owned(),
        };
        let text = save(&array, &options, |value, _| Ok(default_format(value))).unwrap();
        let rows = "1.000000000000000000e+00 2.500000000000000000e+00\n-3.000000000000000000e+00 nan\n";
        assert_eq!(text, format!("# a\n# b\n{rows}"));
    }

    #[test]
    fn complex_numbers_are_read() {
        let read = |text| parse_number(text, DType::Complex128);
        assert_eq!(read("(1.5e-3-2j)"), Some(Scalar::Complex(Complex64::new(1.5e-3, -2.0))));
        assert_eq!(read("3j"), Some(Scalar::Complex(Complex64::new(0.0, 3.0))));
        assert_eq!(read("1+x"), None);
    }
}
