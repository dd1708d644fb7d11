//! `array(...)` around the laid-out values: when the shape and the dtype are spelled out, and on which line.

use super::lines::{Corners, layout};
use super::number::{PrintedValues, complex_text, float_text, words};
use super::options::PrintOptions;

/// What is printed, taken from an array: only its corners if it is summarised.
#[derive(Clone, Debug)]
pub struct Printed<'a> {
    /// The shape of the whole array.
    pub shape: &'a [usize],
    /// NumPy's name of the dtype.
    pub dtype_name: &'a str,
    /// The values that `corners` says are shown.
    pub values: PrintedValues,
    /// Which elements those are.
    pub corners: Corners,
    /// The words to print for them, when something else made them.
    pub words: Option<Vec<String>>,
}

impl Printed<'_> {
    /// `repr()`: `array([1., 2.])`, with the class it prints as.
    pub fn repr(&self, class: &str, options: &PrintOptions) -> String {
        let prefix = format!("{class}(");
        let len_elements: usize = self.shape.iter().product();
        let body = if len_elements == 0 {
            "[]".to_owned()
        } else {
            // The closing parenthesis belongs to the last line.
            let width = options.linewidth.saturating_sub(1);
            layout(&self.words(options), &self.corners, ", ", prefix.len(), width)
        };
        let mut extras = Vec::new();
        if (len_elements == 0 && self.shape != [0]) || len_elements > options.threshold {
            extras.push(format!("shape={}", shape_repr(self.shape)));
        }
        if len_elements == 0 || !dtype_is_implied(self.dtype_name) {
            extras.push(format!("dtype={}", self.dtype_name));
        }
        if extras.is_empty() {
            return format!("{prefix}{body})");
        }
        let text = format!("{prefix}{body},");
        let extras = extras.join(", ") + ")";
        let last_line_len = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
        if last_line_len + extras.len() + 1 > options.linewidth {
            format!("{text}\n{}{extras}", " ".repeat(prefix.len()))
        } else {
            format!("{text} {extras}")
        }
    }

    /// `str()`: `[1. 2.]`; the value alone for a 0-d array.
    pub fn str(&self, options: &PrintOptions) -> String {
        if self.shape.is_empty() {
            return self.scalar_text();
        }
        if self.shape.contains(&0) {
            return "[]".to_owned();
        }
        layout(&self.words(options), &self.corners, " ", 0, options.linewidth)
    }

    /// `array2string()`: another separator, and room left for what stands before and behind.
    pub fn with_separator(
        &self,
        options: &PrintOptions,
        separator: &str,
        prefix_len: usize,
        suffix_len: usize,
    ) -> String {
        if self.shape.contains(&0) {
            return "[]".to_owned();
        }
        let width = options.linewidth.saturating_sub(suffix_len);
        layout(&self.words(options), &self.corners, separator, prefix_len, width)
    }

    fn words(&self, options: &PrintOptions) -> Vec<String> {
        match &self.words {
            Some(given) => given.clone(),
            None => words(&self.values, self.shape.is_empty(), options),
        }
    }

    /// `str()` of the NumPy scalar that the one element is.
    pub fn scalar_text(&self) -> String {
        match &self.values {
            PrintedValues::Bool(values) => values.first().map(|value| if *value { "True" } else { "False" }.to_owned()),
            PrintedValues::Int(values) => values.first().map(i128::to_string),
            PrintedValues::Float(values, width) => values.first().map(|value| float_text(*value, *width)),
            PrintedValues::Complex(values, width) => {
                values.first().map(|(real, imaginary)| complex_text(*real, *imaginary, *width))
            }
        }
        .unwrap_or_default()
    }

    /// `repr()` of the NumPy scalar that the one element is: `np.float64(1.0)`.
    pub fn scalar_repr(&self) -> String {
        let text = self.scalar_text();
        match &self.values {
            PrintedValues::Bool(_) => format!("np.{text}_"),
            PrintedValues::Complex(..) if text.starts_with('(') => format!("np.{}{text}", self.dtype_name),
            PrintedValues::Complex(..) | PrintedValues::Int(_) | PrintedValues::Float(..) => {
                format!("np.{}({text})", self.dtype_name)
            }
        }
    }
}

/// Whether the values alone say which dtype this is.
fn dtype_is_implied(dtype_name: &str) -> bool {
    matches!(dtype_name, "int64" | "float64" | "complex128" | "bool")
}

/// A shape as Python prints the tuple: `()`, `(3,)`, `(2, 3)`.
pub fn shape_repr(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}
